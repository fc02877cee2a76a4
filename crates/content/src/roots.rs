//! The content roots of Source 2: the folders to which paths in maps, materials and models are relative.

#[cfg(feature = "fs")]
use std::fs::File;
#[cfg(feature = "fs")]
use std::io::Read;
#[cfg(feature = "fs")]
use std::path::{Component, Path, PathBuf};

#[cfg(feature = "fs")]
use mapwright_keyvalues::GameInfo;

use crate::source::normalize;

/// Maximum length of a path in a map, in bytes.
const MAX_PATH: usize = 1024;
/// Maximum number of search paths that are used. Games have about five.
#[cfg(feature = "fs")]
const MAX_SEARCH_PATHS: usize = 64;
/// The end of the name of the folder with the addons of a game.
#[cfg(feature = "fs")]
const ADDONS: &str = "_addons";
/// Maximum size of `gameinfo.gi`, in bytes. Known files have about 10 KiB.
#[cfg(feature = "fs")]
const MAX_GAME_INFO: u64 = 1 << 20;

/// Returns the content roots of a Source 2 map, in the order in which the game searches them.
///
/// The first root is the parent of the nearest folder `maps` above the map. If it is below a folder `content`, these existing folders follow:
///
/// 1. `content/<game>`, if the map is in `content/<game>_addons/<addon>`,
/// 2. `content/<name>` for each `Game <name>` in the search paths of `game/<game>/gameinfo.gi`,
/// 3. `content/core`.
///
/// Other addons are never roots. The result is empty if the map is not below a folder `maps`. Nothing is read except for `gameinfo.gi`.
#[cfg(feature = "fs")]
pub fn content_roots(map: &Path) -> Vec<PathBuf> {
    let Ok(map) = map.canonicalize() else { return Vec::new() };
    let is_named = |folder: &&Path, name: &str| folder.file_name().is_some_and(|own| own.eq_ignore_ascii_case(name));
    let Some(first) = map.ancestors().skip(1).find(|folder| is_named(folder, "maps")).and_then(Path::parent) else {
        return Vec::new();
    };
    let mut roots = vec![first.to_owned()];
    // `content/<game>` or `content/<game>_addons/<addon>`, and nothing deeper.
    let content = first.ancestors().skip(1).take(2).find(|folder| is_named(folder, "content"));
    let names = content.and_then(|content| first.strip_prefix(content).ok());
    let name = names.and_then(|names| names.components().next()).and_then(|name| name.as_os_str().to_str());
    let (Some(content), Some(name)) = (content, name) else { return roots };
    let is_of_addons = |at: &usize| name.get(*at..).is_some_and(|end| end.eq_ignore_ascii_case(ADDONS));
    let end = name.len().checked_sub(ADDONS.len()).filter(is_of_addons);
    let game = end.and_then(|end| name.get(..end)).unwrap_or(name);
    let mut add = |root: PathBuf| {
        if root.is_dir() && !roots.contains(&root) {
            roots.push(root);
        }
    };
    add(content.join(game));
    for path in search_paths(content, game) {
        add(content.join(path));
    }
    add(content.join("core"));
    roots
}

/// Returns the paths of the games in `game/<game>/gameinfo.gi` that stay in the folder `content`. A missing or damaged file has none.
#[cfg(feature = "fs")]
fn search_paths(content: &Path, game: &str) -> Vec<PathBuf> {
    let Some(base) = content.parent() else { return Vec::new() };
    let mut bytes = Vec::new();
    let file = File::open(base.join("game").join(game).join("gameinfo.gi"));
    let is_read = file.is_ok_and(|file| file.take(MAX_GAME_INFO).read_to_end(&mut bytes).is_ok());
    let Some(info) = GameInfo::from_bytes(&bytes).ok().filter(|_| is_read) else { return Vec::new() };
    let is_below = |path: &&Path| path.components().all(|part| matches!(part, Component::Normal(_)));
    let games = info.games().into_iter().filter_map(relative_path).take(MAX_SEARCH_PATHS);
    games.map(PathBuf::from).filter(|path| is_below(&path.as_path())).collect()
}

/// Returns a path of a map, material or model with `/`, without empty parts, `.` and `..`.
///
/// Returns `None` for paths that cannot be relative to a content root: absolute paths, drives, `..` that leads out of the root, NUL, an empty
/// path, and more than 1 024 bytes.
pub(crate) fn relative_path(path: &str) -> Option<String> {
    if path.is_empty() || path.len() > MAX_PATH || path.contains('\0') || path.starts_with(['/', '\\']) {
        return None;
    }
    let path = normalize(path);
    let is_relative = !path.is_empty() && !path.contains(':') && !path.split('/').any(|part| part == "..");
    is_relative.then_some(path)
}

#[cfg(all(test, feature = "fs"))]
mod tests {
    use super::*;
    use std::fs;

    fn create(root: &Path, files: &[&str]) {
        for file in files {
            let path = root.join(file);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, b"").unwrap();
        }
    }

    /// Returns the roots of a map, relative to the folder of the test.
    fn roots(folder: &Path, map: &str) -> Vec<String> {
        let root = folder.canonicalize().unwrap();
        let names = content_roots(&folder.join(map)).into_iter().map(|path| {
            path.strip_prefix(&root)
                .unwrap()
                .components()
                .map(|part| part.as_os_str().to_str().unwrap().to_owned())
                .collect()
        });
        names.map(|parts: Vec<String>| parts.join("/")).collect()
    }

    #[test]
    fn the_nearest_folder_with_maps_is_the_first_root() {
        let folder = tempfile::tempdir().unwrap();
        create(folder.path(), &["project/Assets/maps/a/prefabs/b.vmap", "maps/deep/Maps/c.vmap", "alone/d.vmap"]);
        assert_eq!(roots(folder.path(), "project/Assets/maps/a/prefabs/b.vmap"), ["project/Assets"]);
        assert_eq!(roots(folder.path(), "project/Assets/maps/a/../a/prefabs/b.vmap"), ["project/Assets"]);
        assert_eq!(roots(folder.path(), "maps/deep/Maps/c.vmap"), ["maps/deep"]);
        assert!(content_roots(Path::new("missing/maps/a.vmap")).is_empty());
        // A folder above the one of the test could be named `maps`.
        if !folder.path().ancestors().any(|path| path.ends_with("maps")) {
            assert!(content_roots(&folder.path().join("alone/d.vmap")).is_empty());
        }
    }

    #[test]
    fn an_addon_is_followed_by_its_game_and_the_core() {
        let folder = tempfile::tempdir().unwrap();
        let map = "sdk/content/hlvr_addons/mine/maps/a.vmap";
        create(
            folder.path(),
            &[
                map,
                "sdk/content/hlvr_addons/other/maps/b.vmap",
                "sdk/content/hlvr/x",
                "sdk/content/core/x",
                "sdk/content/extra/x",
                "sdk/secret/x",
                "sdk/game/hlvr/gameinfo.gi",
            ],
        );
        let with_addon = ["sdk/content/hlvr_addons/mine", "sdk/content/hlvr", "sdk/content/core"];
        assert_eq!(roots(folder.path(), map), with_addon);
        let info = "\"GameInfo\"\n{\n\tFileSystem\n\t{\n\t\tSearchPaths\n\t\t{\n\t\t\tGame hlvr\n\t\t\tGame extra\n\t\t\tGame ../secret\n\
                    \t\t\tGame /\n\t\t\tGame missing\n\t\t\tMod secret\n\t\t\tGame core\n\t\t}\n\t}\n}\n";
        create(folder.path(), &["SDK/Content/CSGO_Addons/mine/Maps/a.vmap", "SDK/Content/CSGO/x"]);
        assert_eq!(
            roots(folder.path(), "SDK/Content/CSGO_Addons/mine/Maps/a.vmap"),
            ["SDK/Content/CSGO_Addons/mine", "SDK/Content/CSGO"]
        );
        fs::write(folder.path().join("sdk/game/hlvr/gameinfo.gi"), info).unwrap();
        let with_info = ["sdk/content/hlvr_addons/mine", "sdk/content/hlvr", "sdk/content/extra", "sdk/content/core"];
        assert_eq!(roots(folder.path(), map), with_info);
        create(folder.path(), &["sdk/content/hlvr/maps/c.vmap"]);
        assert_eq!(
            roots(folder.path(), "sdk/content/hlvr/maps/c.vmap"),
            ["sdk/content/hlvr", "sdk/content/extra", "sdk/content/core"]
        );
    }

    #[test]
    fn only_paths_below_a_root_are_relative() {
        for (path, expected) in [
            ("materials/a.vmat", "materials/a.vmat"),
            ("Models\\.\\b//c.vmdl", "Models/b/c.vmdl"),
            ("a/../b..c", "b..c"),
        ] {
            assert_eq!(relative_path(path).as_deref(), Some(expected), "{path}");
        }
        let long = "a/".repeat(600);
        for path in ["", "/etc/passwd", "\\\\host\\share", "C:\\a", "a/../../b", "..", "a\0b", "./", "a/c:/b", &long] {
            assert_eq!(relative_path(path), None, "{path}");
        }
    }
}

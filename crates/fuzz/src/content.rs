//! Bodies for files that levels of 3D Gamestudio refer to.

use std::fs;
use std::sync::{Mutex, OnceLock, PoisonError};

use mapwright_content::ContentSource;
use mapwright_content::resolve::{Gamestudio, Outcome, ResolveOptions, ResolveReport, resolve};
use mapwright_scene::{Content, Entity, Material, Node, Scene, Value};
use mapwright_testkit::gamestudio::{VERSIONS, bmp, dds, grid, mdl7, pcx, tga, tga_packed, wads, wmb4, wmb7};
use tempfile::TempDir;

use crate::scene::check_whole;
use crate::target::Target;
use crate::wmp;

/// The target of `mapwright-content`.
pub const TARGETS: &[Target] = &[Target {
    name: "content_resolve",
    format: "content",
    body: resolved,
    made: inputs,
    files: "acknex",
    cut: with_name,
    memory: 512,
    smoke: 200,
    ..Target::NEW
}];

/// The names that the first byte of the input selects for the file in the rest of it.
const NAMES: [&str; 8] = ["a.mdl", "a.hmp", "a.tga", "a.pcx", "a.wad", "a.wmp", "b.wmb", "level.wmb"];
/// The flags of entities that the first byte selects: OVERLAY, TRANSLUCENT, DECAL.
const FLAGS: [i64; 4] = [0, 1 << 12, 1 << 10, 1 << 22];
/// Maximum bytes of decoded files, and maximum number of added nodes.
const MAX_BYTES: usize = 2 << 20;
const MAX_NODES: usize = 10_000;

/// Returns the first byte of an input for a file with the name.
fn selector(name: &str) -> u8 {
    let index = NAMES.iter().position(|known| *known == name).unwrap_or_default();
    u8::try_from(index).unwrap_or_default()
}

fn with_selector(name: &str, file: &[u8]) -> Vec<u8> {
    [&[selector(name)], file].concat()
}

/// Returns a real file with the byte of a name for its format.
fn with_name(file: &[u8]) -> Option<Vec<u8>> {
    let name = match file.first_chunk()? {
        b"WAD2" | b"WAD3" | b"WAD7" => "a.wad",
        b"WMB2" | b"WMB4" | b"WMB6" | b"WMB7" => "level.wmb",
        [10, ..] => "a.pcx",
        [b'M', b'D', b'L', _] | b"IDPO" | [b'H', b'M', b'P', _] => "a.mdl",
        _ => "a.tga",
    };
    Some(with_selector(name, file))
}

/// Returns files of all formats.
fn inputs() -> Vec<Vec<u8>> {
    let models = VERSIONS.iter().map(|version| grid(version, 3, 8, "a.tga")).chain([mdl7()]);
    let models = models.map(|file| with_selector("a.mdl", &file));
    let size = [8, 8];
    let images = [("a.tga", tga(size)), ("a.tga", tga_packed(size, 1)), ("a.tga", bmp(size)), ("a.tga", dds(size))];
    let images = images.into_iter().chain([("a.pcx", pcx(size, 1)), ("a.pcx", pcx(size, 3))]);
    let levels = [("b.wmb", wmb7()), ("level.wmb", wmb7()), ("level.wmb", wmb4("WMB2")), ("b.wmb", wmb4("WMB4"))];
    let maps = wmp::TARGETS.iter().take(1).flat_map(|target| target.inputs).map(|file| with_selector("a.wmp", file));
    let files = images.chain(levels).map(|(name, file)| with_selector(name, &file));
    models.chain(files).chain(wads().iter().map(|file| with_selector("a.wad", file))).chain(maps).collect()
}

/// The folder of the level. It contains models with external skins.
fn folder() -> &'static Mutex<TempDir> {
    static FOLDER: OnceLock<Mutex<TempDir>> = OnceLock::new();
    FOLDER.get_or_init(|| {
        let folder = tempfile::tempdir().expect("a temporary folder");
        for (name, skin) in [("tga.mdl", "a.tga"), ("pcx.mdl", "A.PCX")] {
            fs::write(folder.path().join(name), grid("MDL7", 2, 8, skin)).expect("a file in a temporary folder");
        }
        Mutex::new(folder)
    })
}

/// Resolves a level that refers to a file in every way. The scene is valid, each reference is reported, and resolving again changes
/// nothing.
pub fn resolved(bytes: &[u8]) {
    let Some((selector, file)) = bytes.split_first() else { return };
    let selector = usize::from(*selector);
    let name = NAMES[selector % NAMES.len()];
    let folder = folder().lock().unwrap_or_else(PoisonError::into_inner);
    let path = folder.path().join(name);
    fs::write(&path, file).expect("a file in a temporary folder");
    let mut scene = level(FLAGS[selector / NAMES.len() % FLAGS.len()]);
    let report = resolve_once(&mut scene, &folder);
    check_whole(&scene);
    assert!(report.references.iter().all(|it| it.uses > 0), "a reference without a use");
    let reasons = report.references.iter().filter_map(|it| match &it.outcome {
        Outcome::Undecodable(reason) => Some(reason),
        _ => None,
    });
    assert!(reasons.into_iter().all(|reason| !reason.is_empty()), "no reason");
    for name in NAMES.iter().filter(|name| !name.ends_with(".wad") && **name != "level.wmb") {
        assert!(report.references.iter().any(|it| it.path == *name), "no result for {name}");
    }
    let before = scene.clone();
    resolve_once(&mut scene, &folder);
    assert!(scene == before, "resolving again changes the scene");
    fs::remove_file(&path).expect("a file in a temporary folder");
}

/// Returns a level with an entity for each file, and with materials.
fn level(flags: i64) -> Scene {
    let mut scene = Scene::default();
    scene.properties.push("wads", vec![Value::from("d:\\a.wad")]);
    for file in NAMES.into_iter().filter(|name| !name.ends_with(".wad")).chain(["tga.mdl", "pcx.mdl", "gone.mdl"]) {
        let mut entity = Entity { model: Some(file.to_owned()), ..Entity::default() };
        entity.properties.push("flags", flags);
        let entity = scene.entities.push(entity);
        scene.add_node(None, Node::new(file, Content::Entity(entity)));
    }
    for name in ["a", "*wood", "{fence", "short", "high", "rgb", "dds", "wall", "old", "gone"] {
        scene.materials.push(Material::new(name));
    }
    scene
}

fn resolve_once(scene: &mut Scene, folder: &TempDir) -> ResolveReport {
    let content = ContentSource::open([folder.path()]).expect("a temporary folder can be read");
    let level = Some("level.wmp".to_owned());
    let loader = Gamestudio::new(scene, level.clone());
    let options = ResolveOptions::default().with_max_bytes(MAX_BYTES).with_max_nodes(MAX_NODES).with_level(level);
    resolve(scene, &content, &loader, &options)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn made_files_are_placed() {
        for input in inputs() {
            let name = NAMES[usize::from(input[0])];
            let folder = tempfile::tempdir().unwrap();
            fs::write(folder.path().join(name), &input[1..]).unwrap();
            let mut scene = level(0);
            let report = resolve_once(&mut scene, &folder);
            let is_found = |outcome: &Outcome| *outcome == Outcome::Found(name.to_owned());
            assert!(report.references.iter().any(|it| is_found(&it.outcome)), "{name}: {:?}", report.references);
        }
    }
}

//! The recipes of the README.
#![cfg(unix)]

use std::path::Path;
use std::process::Command;

use mapwright::interchange::decode_png;
use mapwright_testkit::workspace;

use crate::folder::Folder;

const README: &str = include_str!("../../README.md");

/// The images of the README of the project are those that its commands draw.
#[test]
fn images_of_the_readme_are_drawn_by_its_commands() {
    let root = workspace();
    let readme = std::fs::read_to_string(root.join("README.md")).unwrap();
    let folder = Folder::new();
    let mut images = 0;
    for command in readme.split('`').filter(|text| text.starts_with("mapwright render ")) {
        let words: Vec<&str> = command.split_ascii_whitespace().skip(1).collect();
        let place = words.iter().position(|word| *word == "-o").unwrap() + 1;
        let shown = format!(".github/{}", words[place]);
        if !readme.contains(&format!("]({shown})")) {
            continue;
        }
        let drawn = folder.at(words[place]);
        let args = words.iter().enumerate().map(|(at, word)| match at {
            _ if at == place => drawn.clone(),
            _ if word.starts_with("fixtures/") => root.join(word),
            _ => word.into(),
        });
        folder.run(args).ends(0);
        let [expected, found] =
            [root.join(&shown), drawn.clone()].map(|path| decode_png(&std::fs::read(path).unwrap(), 1 << 24).unwrap());
        assert_eq!((expected.width, expected.height, expected.format), (found.width, found.height, found.format));
        let far = expected.data.iter().zip(&found.data).filter(|(one, other)| one.abs_diff(**other) > 8).count();
        assert!(far * 200 < found.data.len(), "{shown} is out of date: run `{command}`");
        images += 1;
    }
    let shown = readme.split("](.github/").skip(1).filter(|rest| rest.split(')').next().unwrap().ends_with(".png"));
    assert_eq!((images, shown.count()), (2, 2));
}

#[test]
fn every_recipe_works() {
    let cookbook = README.split("## Cookbook\n").nth(1).and_then(|rest| rest.split("\n## ").next()).unwrap();
    let recipes: Vec<&str> =
        cookbook.split("```sh\n").skip(1).map(|block| block.split("```").next().unwrap()).collect();
    assert_eq!(recipes.len(), 14);
    let folder = Folder::new();
    std::fs::create_dir(folder.at("levels")).unwrap();
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures");
    for (fixture, name) in [
        ("wings/torus.wings", "model.wings"),
        ("vmap/room.vmap", "map.vmap"),
        ("wwd/claw.wwd", "claw.wwd"),
        ("wmp/room.wmp", "level.wmp"),
        ("wmp/room-wmpb.wmp", "binary.wmp"),
        ("wrp/island.wrp", "island.wrp"),
    ] {
        folder.write(format!("levels/{name}"), std::fs::read(fixtures.join(fixture)).unwrap());
    }
    folder.write("CLAW.REZ", crate::art::archive().read("CLAW.REZ"));
    super::prefabs::write_addon(&folder, "levels/addon");
    let own = Path::new(env!("CARGO_BIN_EXE_mapwright")).parent().unwrap();
    let path = std::env::var_os("PATH").unwrap_or_default();
    let all = std::iter::once(own.to_owned()).chain(std::env::split_paths(&path));
    let path = std::env::join_paths(all).unwrap();
    for recipe in recipes {
        let mut shell = Command::new("sh");
        let done = shell.args(["-euc", recipe]).current_dir(folder.at(".")).env("PATH", &path).output().unwrap();
        let said = String::from_utf8_lossy(&done.stderr);
        assert!(done.status.success(), "{recipe}\n{said}");
    }
    for made in [
        "sheet.png",
        "props.glb",
        "hammer.glb",
        "packed/maps/house.vmap",
        "converted/map.glb",
        "port/level.glb",
        "losses.json",
        "text.wmp",
        "wider.wmp",
        "again.wwd",
        "map.html",
        "level1.glb",
    ] {
        assert!(folder.at(made).exists(), "{made}");
    }
}

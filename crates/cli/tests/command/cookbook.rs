//! The commands in documents: the cookbook in the README, and all others.
#![cfg(unix)]

use std::path::{Path, PathBuf};
use std::process::Command;

use mapwright::scene::images::decode_png;
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
    let recipes = commands(README);
    assert_eq!(recipes.len(), 14);
    let folder = with_levels();
    run_all("crates/cli/README.md", &recipes, &folder);
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

/// The commands of all documents, with the fixtures that they link to.
#[test]
fn commands_of_all_documents_work() {
    let root = workspace();
    let mut documents = vec![root.join("README.md")];
    for folder in ["crates", ".github", "xtask/site/src"] {
        find_documents(&root.join(folder), &mut documents);
    }
    // The recipes above need other files.
    let cookbook = documents.iter().position(|document| document.ends_with("crates/cli/README.md")).unwrap();
    documents.remove(cookbook);
    let mut count = 0;
    for document in documents {
        let text = std::fs::read_to_string(&document).unwrap();
        let name = document.strip_prefix(&root).unwrap().display().to_string();
        let commands = commands(&text);
        if commands.is_empty() {
            continue;
        }
        let folder = Folder::new();
        std::os::unix::fs::symlink(root.join("fixtures"), folder.at("fixtures")).unwrap();
        for fixture in text.split("](../../../fixtures/").skip(1).filter_map(|rest| rest.split(')').next()) {
            let file = root.join("fixtures").join(fixture);
            if file.is_file() {
                std::fs::copy(&file, folder.at(file.file_name().unwrap().to_str().unwrap())).unwrap();
            }
        }
        run_all(&name, &commands, &folder);
        count += commands.len();
    }
    assert!(count > 30, "{count}");
}

#[test]
fn commands_are_run_unless_their_document_states_why_not() {
    let text = "```sh\na\nb\n```\n\n<!-- no_run: slow -->\n```sh\nc\n```\n\n<!-- output: shown -->\n```sh\nd\n```\n```text\ne\n```\n";
    assert_eq!(commands(text), ["a\nb\n", "d\n"]);
    assert_eq!(commands("<!-- run_with: target/wheel -->\n```sh\na\n```\n"), [""; 0]);
    assert_eq!(commands("<!-- no_run: -->\n```sh\na\n```\n"), ["a\n"]);
}

/// Finds the documents in a folder and below.
fn find_documents(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            find_documents(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "md") {
            found.push(path);
        }
    }
}

/// Returns the blocks of commands in a document. `cargo xtask site` runs those that need files of other builds.
fn commands(document: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut before = "";
    for (at, block) in document.split("```sh\n").enumerate() {
        let comment = before.trim_end().lines().last().and_then(|line| line.strip_prefix("<!-- ")).unwrap_or_default();
        let is_left_out = ["no_run: ", "run_with: "].iter().any(|marker| {
            comment
                .strip_prefix(marker)
                .is_some_and(|reason| reason.strip_suffix("-->").is_some_and(|text| !text.is_empty()))
        });
        if at > 0 && !is_left_out {
            found.push(block.split("```").next().unwrap());
        }
        before = block;
    }
    found
}

/// A folder with a level of each format in `levels`, and an archive of a game.
fn with_levels() -> Folder {
    let (folder, fixtures) = (Folder::new(), workspace().join("fixtures"));
    std::fs::create_dir(folder.at("levels")).unwrap();
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
    folder
}

/// Runs each block of commands in a shell of its own, with the built command first in the search path.
fn run_all(document: &str, blocks: &[&str], folder: &Folder) {
    let own = Path::new(env!("CARGO_BIN_EXE_mapwright")).parent().unwrap();
    let path = std::env::var_os("PATH").unwrap_or_default();
    let all = std::iter::once(own.to_owned()).chain(std::env::split_paths(&path));
    let path = std::env::join_paths(all).unwrap();
    for block in blocks {
        let mut shell = Command::new("sh");
        let done = shell.args(["-euc", block]).current_dir(folder.at(".")).env("PATH", &path).output().unwrap();
        let said = String::from_utf8_lossy(&done.stderr);
        assert!(done.status.success(), "{document}:\n{block}\n{said}");
    }
}

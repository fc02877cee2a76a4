//! Tiled itself reads what is written, and what it saves again means the same.

use mapwright_tiled::Syntax;
use mapwright_tiled::scene::ExportOptions;
use std::{
    fs,
    io::Write as _,
    path::{Path, PathBuf},
    process::{Command, Output},
};

use mapwright_scene::*;
use proptest::{
    strategy::{Strategy, ValueTree},
    test_runner::TestRunner,
};

use super::{
    levels::{is_same, levels, read, to_scene, write},
    strategies,
};

/// A program of Tiled, which draws on nothing.
fn program(name: &str) -> Command {
    let mut command = Command::new(name);
    command.env("QT_QPA_PLATFORM", "offscreen");
    command
}

/// Returns `true` if Tiled is installed, and reports if not.
fn is_installed() -> bool {
    let is_here = program("tiled").arg("--version").output().is_ok_and(|output| output.status.success());
    if !is_here {
        // Not eprintln!, which the test harness swallows.
        let _ = writeln!(std::io::stderr(), "SKIPPED: no Tiled here (Debian package `tiled`)");
    }
    is_here
}

/// Panics if the program fails or prints a message.
fn is_content(name: &str, output: &Output) {
    let messages = String::from_utf8_lossy(&output.stderr);
    // Qt misses a desktop.
    let messages: Vec<&str> = messages.lines().filter(|line| !line.contains("XDG_RUNTIME_DIR")).collect();
    assert!(output.status.success() && messages.is_empty(), "{name}: {:?} {messages:?}", output.status);
}

fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("tiled").join(name);
    fs::create_dir_all(&folder).unwrap();
    folder
}

/// Saves a map, and has Tiled open it and save it again as `format`.
fn saved_again(name: &str, files: &Files, format: Syntax) -> Files {
    let folder = folder(name);
    let path = folder.join(if files.main.starts_with(b"{") { "map.tmj" } else { "map.tmx" });
    fs::write(&path, &files.main).unwrap();
    for file in &files.side {
        fs::write(folder.join(&file.name), &file.data).unwrap();
    }
    let (ending, format) = if format == Syntax::Xml { ("again.tmx", "tmx") } else { ("again.tmj", "json") };
    let again = folder.join(ending);
    is_content(name, &program("tiled").args(["--export-map", format]).args([&path, &again]).output().unwrap());
    Files { main: fs::read(&again).unwrap(), side: files.side.clone() }
}

/// Tiled sorts properties by their names.
fn sorted(mut scene: Scene) -> Scene {
    let sort = |properties: &mut Properties| properties.entries.sort_by(|(a, _), (b, _)| a.cmp(b));
    sort(&mut scene.properties);
    scene.nodes.iter_mut().for_each(|(_, node)| sort(&mut node.properties));
    scene.tile_layers.iter_mut().for_each(|(_, layer)| sort(&mut layer.properties));
    scene.entities.iter_mut().for_each(|(_, entity)| sort(&mut entity.properties));
    for (_, set) in scene.tile_sets.iter_mut() {
        sort(&mut set.properties);
        set.tiles.iter_mut().for_each(|tile| sort(&mut tile.properties));
    }
    scene
}

#[test]
fn maps_saved_by_tiled_are_the_same_scene() {
    if !is_installed() {
        return;
    }
    let mut runner = TestRunner::deterministic();
    for number in 0..6 {
        let scene = strategies::scene().new_tree(&mut runner).unwrap().current();
        for (from, to) in [(Syntax::Xml, Syntax::Json), (Syntax::Json, Syntax::Xml), (Syntax::Xml, Syntax::Xml)] {
            let files = write(&scene, &ExportOptions::default().with_syntax(from));
            let again = saved_again(&format!("made-{number}"), &files, to);
            let back = read(&again);
            assert_eq!(sorted(back.scene), sorted(scene.clone()), "{number}");
            assert!(back.losses.is_empty(), "{:?}", back.losses);
        }
    }
}

/// All levels take a minute, so it is one of them unless `cargo xtask conformance tiled` asks for all.
#[test]
#[ignore = "needs the corpus"]
fn corpus_levels_come_back_after_tiled_saved_them_again() {
    if !is_installed() {
        return;
    }
    let all = std::env::var_os("MAPWRIGHT_TILED").is_some();
    let mut count = 0;
    for (name, level) in levels().filter(|(name, _)| all || name == "RETAIL01") {
        let scene = to_scene(&level);
        let saved = |format| {
            let files = write(&scene, &ExportOptions::default().with_syntax(format));
            is_same(&name, &level, &read(&saved_again(&name, &files, format)));
        };
        saved(Syntax::Xml);
        // Each takes its time: some are JSON and drawn, too.
        if count % 8 == 0 {
            saved(Syntax::Json);
            let picture = folder(&name).join("picture.png");
            let mut rasterizer = program("tmxrasterizer");
            rasterizer.args(["--size", "1000"]).arg(folder(&name).join("map.tmx")).arg(&picture);
            is_content(&name, &rasterizer.output().unwrap());
            assert!(fs::metadata(&picture).unwrap().len() > 100, "{name}");
        }
        count += 1;
    }
    println!("{count} levels came back after Tiled saved them again, and every eighth was drawn");
}

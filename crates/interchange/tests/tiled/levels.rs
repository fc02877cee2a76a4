//! Levels of the WAP32 engine through maps.

use std::path::PathBuf;

use mapwright_interchange::{Files, NoFiles, tiled};
use mapwright_scene::{Import, Scene};
use mapwright_testkit::{corpus, files_below};
use mapwright_wwd::{Document, HeaderSize, ReadOptions, scene};
use tiled::{ExportOptions, ImportOptions};

use super::laws::all_options;

/// The levels of the local corpus that can be read, with their names.
pub(crate) fn levels() -> impl Iterator<Item = (String, Document)> {
    let is_level = |path: &PathBuf| path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("wwd"));
    let paths = corpus("wwd").into_iter().flat_map(|folder| files_below(&folder)).filter(is_level);
    paths.filter_map(|path| {
        let options = ReadOptions::default().with_header_size(HeaderSize::Any);
        let document = Document::from_bytes_with(&std::fs::read(&path).unwrap(), &options).ok()?;
        Some((path.file_stem().unwrap().to_string_lossy().into_owned(), document))
    })
}

pub(crate) fn to_scene(document: &Document) -> Scene {
    scene::to_scene(document, &scene::ImportOptions::default()).unwrap().scene
}

pub(crate) fn write(scene: &Scene, options: &ExportOptions) -> Files {
    tiled::from_scene(scene, &NoFiles, options).unwrap().document
}

pub(crate) fn read(files: &Files) -> Import {
    tiled::to_scene(&files.main, files, &ImportOptions::default()).unwrap()
}

/// The level is the same, apart from where its sections lay and how it was stored.
pub(crate) fn is_same(name: &str, level: &Document, import: &Import) {
    assert!(import.losses.is_empty(), "{name}: {:?}", import.losses);
    let new = scene::from_scene(&import.scene, &scene::ExportOptions::default()).unwrap();
    assert_eq!(new.losses.lost(), 0, "{name}: {:?}", new.losses);
    let (mut new, mut old) = (new.document, level.clone());
    old.layout = None;
    assert!(new.to_main_block().unwrap() == old.to_main_block().unwrap(), "{name}");
    (new.header.checksum, old.header.checksum) = (0, 0);
    assert!(new.header == old.header && new.trailer == old.trailer && new.style == old.style, "{name}");
}

#[test]
fn every_level_comes_back_through_a_map() {
    let mut count = 0;
    for (name, level) in levels() {
        let scene = to_scene(&level);
        for options in &all_options()[..2] {
            let export = tiled::from_scene(&scene, &NoFiles, options).unwrap();
            assert!(export.losses.is_empty(), "{name}: {:?}", export.losses);
            let back = read(&export.document);
            assert_eq!(back.scene.validate(), [], "{name}");
            assert!(back.scene == scene, "{name}");
            is_same(&name, &level, &back);
        }
        count += 1;
    }
    eprintln!("{count} levels came back");
}

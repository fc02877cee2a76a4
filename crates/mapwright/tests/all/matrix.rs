//! Every conversion does what the table says of it.
#![cfg(all(
    feature = "wings",
    feature = "vmap",
    feature = "wmp",
    feature = "wwd",
    feature = "wrp",
    feature = "gltf",
    feature = "obj",
    feature = "map",
    feature = "tiled",
    feature = "heightmap"
))]

use std::collections::BTreeSet;

use mapwright::interchange::NoFiles;
use mapwright::scene::{Feature, Scene};
use mapwright::{AnyDocument, Carried, ConvertOptions, Error, Format, ReadOptions, Thing, conversion_table, convert};
use mapwright_testkit::workspace;

/// A file of each format that holds much of what it can.
fn files() -> Vec<(Format, Vec<u8>)> {
    let fixtures = ["wings/lights.wings", "vmap/room.vmap", "wwd/claw.wwd", "wmp/room-wmpb.wmp", "wrp/island.wrp"];
    let mut files: Vec<(Format, Vec<u8>)> = fixtures
        .map(|name| std::fs::read(workspace().join("fixtures").join(name)).unwrap())
        .map(|bytes| (AnyDocument::from_bytes(&bytes).unwrap().format(), bytes))
        .into();
    // The others are made of these.
    for (of, formats) in [
        (Format::Vmap, &[Format::Glb, Format::Obj, Format::Map][..]),
        (Format::Wwd, &[Format::Tmx, Format::Tmj]),
        (Format::Wrp, &[Format::Asc, Format::Tif, Format::HeightPng, Format::Xyz]),
    ] {
        let (_, bytes) = files.iter().find(|(format, _)| *format == of).unwrap().clone();
        for format in formats {
            let document = AnyDocument::from_bytes_as(&bytes, of, &ReadOptions::default()).unwrap();
            let made = convert(document, *format, &NoFiles, &ConvertOptions::default()).unwrap();
            files.push((*format, made.files.main));
        }
    }
    files
}

fn features(scene: &Scene) -> BTreeSet<Feature> {
    let mut features = BTreeSet::new();
    scene.visit_features(|feature, _, _| {
        features.insert(feature);
    });
    features
}

#[test]
fn every_cell_of_the_table_is_so() {
    let files = files();
    let mut cells = 0;
    for (from, bytes) in &files {
        for to in Format::ALL.iter().copied().filter(|to| from.carries(*to).is_some()) {
            let document = AnyDocument::from_bytes_as(bytes, *from, &ReadOptions::default()).unwrap();
            let source = features(&document.to_scene().unwrap().scene);
            let name = format!("{from} to {to}");
            let done = match convert(document, to, &NoFiles, &ConvertOptions::default()) {
                Ok(done) => done,
                // A level of tiles and a map of heights cannot be made of what has none; nothing is lost without a word.
                Err(Error::Interchange(_) | Error::WrpWrite(_) | Error::WwdWrite(_)) if lacks_ground(to, &source) => {
                    continue;
                }
                Err(error) => panic!("{name}: {error}"),
            };
            cells += 1;
            let kinds: BTreeSet<&str> = done.losses.iter().map(|loss| loss.kind.name()).collect();
            for (thing, carried) in from.carries(to).unwrap() {
                let is_lost = carried == Carried::Lost && source.contains(&thing.feature());
                assert!(!is_lost || kinds.contains("dropped"), "{name}: {thing:?} goes without a word");
            }
            // The buffers of a `.gltf` and the legend of cells stand beside it.
            if to.access().import && !matches!(to, Format::Gltf | Format::CellPng) {
                let again = AnyDocument::from_bytes_as(&done.files.main, to, &ReadOptions::default())
                    .unwrap_or_else(|error| panic!("{name}: what was written is refused: {error}"));
                let arrived = features(&again.to_scene().unwrap().scene);
                for (thing, carried) in from.carries(to).unwrap() {
                    let feature = thing.feature();
                    // Textures stand beside what names them, and not every file has room for all that its format has.
                    if carried == Carried::Kept && source.contains(&feature) && thing != Thing::Textures {
                        let says = arrived.contains(&feature) || !kinds.is_empty();
                        assert!(says, "{name}: {thing:?} does not arrive, without a word");
                    }
                }
            }
        }
    }
    assert!(cells > 100, "{cells} conversions");
}

/// Whether a target is for ground or tiles, and the source has none.
fn lacks_ground(to: Format, source: &BTreeSet<Feature>) -> bool {
    match to {
        Format::Wwd | Format::Tmx | Format::Tmj => !source.contains(&Feature::Tiles),
        Format::Wrp | Format::Asc | Format::Tif | Format::HeightPng | Format::Xyz => {
            !source.contains(&Feature::Terrains)
        }
        // Not all terrain has texture cells.
        Format::CellPng => true,
        _ => false,
    }
}

#[test]
fn the_readme_has_the_table() {
    let path = workspace().join("crates/mapwright/README.md");
    let readme = std::fs::read_to_string(&path).unwrap();
    let table = conversion_table();
    assert!(readme.contains(&table), "{} should have this table:\n{table}", path.display());
}

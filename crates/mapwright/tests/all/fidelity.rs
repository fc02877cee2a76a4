//! Every conversion has the fidelity that the tables state.
#![cfg(feature = "default")]

use std::collections::BTreeSet;

use mapwright::scene::NoFiles;
use mapwright::scene::{Feature, Scene};
use mapwright::{
    AnyDocument, ConversionFeature, ConvertOptions, Error, Fidelity, Format, ReadOptions, convert, fidelity_answers,
    fidelity_tables,
};
use mapwright_testkit::workspace;

/// Returns a file of each format with much of the content that it can store.
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
fn conversions_have_the_stated_fidelity() {
    let files = files();
    let mut conversions = 0;
    for (from, bytes) in &files {
        for to in Format::ALL.iter().copied().filter(|to| from.fidelity_in(*to).is_some()) {
            let document = AnyDocument::from_bytes_as(bytes, *from, &ReadOptions::default()).unwrap();
            let source = features(&document.to_scene().unwrap().scene);
            let name = format!("{from} to {to}");
            let done = match convert(document, to, &NoFiles, &ConvertOptions::default().with_allow_empty(true)) {
                Ok(done) => done,
                // Levels of tiles and heightmaps need tiles or terrain. The error reports that they are missing.
                Err(Error::Format(_)) if lacks_ground(to, &source) => continue,
                Err(error) => panic!("{name}: {error}"),
            };
            conversions += 1;
            let kinds: BTreeSet<&str> = done.losses.iter().map(|loss| loss.kind.name()).collect();
            for (content, fidelity) in from.fidelity_in(to).unwrap() {
                let is_lost = fidelity == Fidelity::Lost && source.contains(&content.feature());
                assert!(!is_lost || kinds.contains("dropped"), "{name}: {content:?} is lost without a report");
            }
            // The buffers of a `.gltf` file, the legend of cells, and headers of heights are in other files.
            let has_header = matches!(to, Format::Bil | Format::Flt | Format::R16 | Format::R32);
            if to.access().import && !has_header && !matches!(to, Format::Gltf | Format::CellPng) {
                let again = AnyDocument::from_bytes_as(&done.files.main, to, &ReadOptions::default())
                    .unwrap_or_else(|error| panic!("{name}: the output cannot be read: {error}"));
                let arrived = features(&again.to_scene().unwrap().scene);
                for (content, fidelity) in from.fidelity_in(to).unwrap() {
                    let feature = content.feature();
                    // Texture images are other files, and a variant of a format may store less than the format.
                    let is_kept = fidelity == Fidelity::Kept && content != ConversionFeature::Textures;
                    if is_kept && source.contains(&feature) {
                        let is_reported = arrived.contains(&feature) || !kinds.is_empty();
                        assert!(is_reported, "{name}: {content:?} does not arrive, without a report");
                    }
                }
            }
        }
    }
    assert!(conversions > 100, "{conversions} conversions");
}

/// Returns `true` if a target needs terrain or tiles and the source has none.
fn lacks_ground(to: Format, source: &BTreeSet<Feature>) -> bool {
    match to {
        Format::Wwd | Format::Tmx | Format::Tmj => !source.contains(&Feature::Tiles),
        // Some terrains have no texture cells.
        Format::CellPng => true,
        _ => (to == Format::Wrp || to.is_heightmap()) && !source.contains(&Feature::Terrains),
    }
}

/// The conversions of the list of answers in the README.
const QUESTIONS: [(&str, Format, Format); 14] = [
    ("Hammer map to Blender", Format::Vmap, Format::Glb),
    ("Blender to Hammer", Format::Glb, Format::Vmap),
    ("Wings 3D to Blender", Format::Wings, Format::Glb),
    ("Wings 3D to Hammer", Format::Wings, Format::Vmap),
    ("Blender to Wings 3D", Format::Glb, Format::Wings),
    ("Gamestudio map to Blender", Format::Wmp, Format::Glb),
    ("Gamestudio map to TrenchBroom", Format::Wmp, Format::Map),
    ("Quake map to Blender", Format::Map, Format::Glb),
    ("Claw or Gruntz level to Tiled", Format::Wwd, Format::Tmx),
    ("Tiled to Claw or Gruntz", Format::Tmx, Format::Wwd),
    ("Claw or Gruntz level without the images of the game to 3D", Format::Wwd, Format::Glb),
    ("Arma terrain to Blender", Format::Wrp, Format::Glb),
    ("Arma terrain to a heightmap", Format::Wrp, Format::Tif),
    ("heightmap to an Arma terrain", Format::Tif, Format::Wrp),
];

#[test]
fn the_readme_contains_the_tables_and_answers() {
    let path = workspace().join("crates/mapwright/README.md");
    let readme = std::fs::read_to_string(&path).unwrap();
    let missing = [fidelity_answers(&QUESTIONS), fidelity_tables()].into_iter().filter(|part| !readme.contains(part));
    let missing = missing.collect::<Vec<_>>().join("\n");
    assert!(missing.is_empty(), "{} should contain this:\n{missing}", path.display());
}

//! Bodies for scenes of Quake maps.

use mapwright_qmap::Document;
use mapwright_qmap::scene::{self, ExportOptions, ImportOptions};
use mapwright_scene::Scene;
use mapwright_testkit::{Refusal, hexdiff, laws};

use crate::scene::check_whole;
use crate::target::{Target, refusal};

/// The targets of scenes of Quake maps.
pub const TARGETS: &[Target] = &[
    Target { body: read, memory: 64, ..map("map_read") },
    Target { body: roundtrip, memory: 256, ..map("map_roundtrip") },
    Target { body: merge, memory: 256, ..map("map_merge") },
];

const fn map(name: &'static str) -> Target {
    Target { name, format: "map", files: "map", inputs: FILES, ..Target::NEW }
}

const FILES: &[&[u8]] = &[
    b"// Game: Quake\n{\n\"classname\" \"worldspawn\"\n\"wad\" \"a.wad\"\n{\n( 0 0 0 ) ( 0 1 0 ) ( 0 0 1 ) a 0 0 0 1 1\n\
      ( 0 0 0 ) ( 0 0 1 ) ( 1 0 0 ) a 0 0 45 1 1\n( 0 0 0 ) ( 1 0 0 ) ( 0 1 0 ) *b 8 -4.5 90 0.5 2\n\
      ( 8 8 8 ) ( 8 9 8 ) ( 9 8 8 ) {c 0 0 0 1 1 1 2 3\n}\n}\n{\n\"classname\" \"light\"\n\"origin\" \"1 2 3\"\n}\n",
    b"{\"classname\" \"worldspawn\" \"mapversion\" \"220\"{\n(0 0 0)(0 1 0)(0 0 1)a [ 0 0.5 -2 3 ] [ 1 0 0 -4 ] 30 0.5 2 8 0 1.5 7\n}}\n\
      {\"classname\" \"door\" \"angles\" \"10 20 30\" \"angle\" \"-1\" {patchDef2 { a ( 3 3 0 ) }}}",
];

fn parse(bytes: &[u8]) -> Result<Document, Refusal> {
    Document::from_bytes(bytes).map_err(refusal)
}

fn import(document: &Document) -> Option<Scene> {
    scene::to_scene(document, &ImportOptions::default()).ok().map(|import| import.scene)
}

/// Reads. The scene of an accepted map is valid.
pub fn read(bytes: &[u8]) {
    if let Some(scene) = laws::total(bytes, parse).as_ref().and_then(import) {
        check_whole(&scene);
    }
}

/// Checks that the output of a scene is read again, and gives the same output.
pub fn roundtrip(bytes: &[u8]) {
    let Some(first) = parse(bytes).ok().as_ref().and_then(import) else { return };
    let first = written(&first);
    // Long texts are written, but are beyond the limits of reading.
    let Ok(second) = parse(first.as_bytes()) else { return };
    let Some(second) = import(&second) else { return };
    if let Some(diff) = hexdiff(first.as_bytes(), written(&second).as_bytes()) {
        panic!("writing again changes the output: {diff}");
    }
}

/// Checks that a scene without changes does not change its map, and that a new key changes nothing else.
pub fn merge(bytes: &[u8]) {
    let Ok(map) = parse(bytes) else { return };
    let Some(mut scene) = import(&map) else { return };
    let mut same = map.clone();
    scene::merge_scene(&mut same, &scene, &ExportOptions::default()).expect("the scene comes from the map");
    assert!(same == map, "an unchanged scene changes its map");
    let Some(id) = scene.entities.ids().next() else { return };
    scene.entities.get_mut(id).into_iter().for_each(|entity| entity.properties.push("fuzz", "1"));
    scene::merge_scene(&mut same, &scene, &ExportOptions::default()).expect("the key can be stored");
    assert_eq!((same.entity_count(), same.face_count()), (map.entity_count(), map.face_count()));
}

fn written(scene: &Scene) -> Document {
    let export = scene::from_scene(scene, &ExportOptions::default());
    export.unwrap_or_else(|error| panic!("the document that was read is not written: {error}")).document
}

//! Bodies for Quake maps.

use mapwright_interchange::map;
use mapwright_testkit::{hexdiff, laws};

use crate::scene::{check_whole, refusal};
use crate::target::Target;

/// The targets of Quake maps.
pub const TARGETS: &[Target] = &[
    Target { body: read, memory: 64, ..map("map_read") },
    Target { body: roundtrip, memory: 256, ..map("map_roundtrip") },
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

fn import(bytes: &[u8]) -> Result<mapwright_scene::Import, mapwright_interchange::Error> {
    map::to_scene(bytes, &map::ImportOptions::default())
}

/// Reads. An accepted input is a valid scene.
pub fn read(bytes: &[u8]) {
    if let Some(import) = laws::total(bytes, |bytes| import(bytes).map_err(refusal)) {
        check_whole(&import.scene);
    }
}

/// Checks that the output of a scene is read again, and gives the same output.
pub fn roundtrip(bytes: &[u8]) {
    let Ok(first) = import(bytes) else { return };
    let first = written(&first.scene);
    let second = import(&first).unwrap_or_else(|error| panic!("the written document is refused: {error}"));
    if let Some(diff) = hexdiff(&first, &written(&second.scene)) {
        panic!("writing again changes the output: {diff}");
    }
}

fn written(scene: &mapwright_scene::Scene) -> Vec<u8> {
    let export = map::from_scene(scene, &map::ExportOptions::default());
    export.unwrap_or_else(|error| panic!("the document that was read is not written: {error}")).document.main
}

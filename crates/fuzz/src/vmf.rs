//! Bodies for documents of Source 1 maps.

use mapwright_testkit::{Refusal, hexdiff, laws};
use mapwright_vmf::scene::{ExportOptions, ImportOptions, from_scene, merge_scene, to_scene};
use mapwright_vmf::{Connection, DisplacementArray, Document, Edit, ReadOptions};

use crate::scene::check_whole;
use crate::target::{Target, refusal};

/// The targets of `mapwright-vmf`.
pub const TARGETS: &[Target] = &[
    Target { body: read, ..vmf("vmf_read") },
    Target { body: roundtrip, memory: 64, ..vmf("vmf_roundtrip") },
    Target { body: edit, memory: 128, smoke: 500, ..vmf("vmf_edit") },
    Target { body: scene, memory: 512, smoke: 500, ..vmf("vmf_scene") },
];

const fn vmf(name: &'static str) -> Target {
    Target { name, format: "vmf", files: "vmf", inputs: FILES, ..Target::NEW }
}

/// Maps with each kind of block.
const FILES: &[&[u8]] = &[
    b"versioninfo\r\n{\r\n\t\"mapversion\" \"1\"\r\n}\r\nworld\r\n{\r\n\t\"id\" \"1\"\r\n\tsolid\r\n\t{\r\n\t\t\"id\" \"2\"\r\n\t\tside\r\n\t\t{\r\n\
      \t\t\t\"plane\" \"(0 0 0) (0 1 0) (1 0 0)\"\r\n\t\t\t\"uaxis\" \"[1 0 0 0] 0.25\"\r\n\t\t}\r\n\t}\r\n}\r\n",
    b"entity { id 3 classname func_instance replace01 \"$a b c\" connections { OnA \"b,c,,0,1\" OnB \"d\x1be\x1b\x1b1\x1b-1\" } editor { visgroupid 1 } } \
      hidden { entity { classname info_overlay sides \"1 2\" comments \"\"x\"\" } }",
    b"world { solid { side { plane \"(0 0 0) (1 0 0) (1 1 0)\" dispinfo { power 1 normals { row0 \"0 0 1 0 0 1 0 0 1\" } } } \
      side { plane \"(0 0 0) (0 1 0) (0 1 1)\" } side { plane \"(0 0 0) (0 0 1) (1 0 1)\" } side { plane \"(9 0 0) (0 0 9) (0 9 0)\" } } } // c",
];

fn parse(bytes: &[u8]) -> Result<Document, Refusal> {
    Document::from_bytes(bytes).map_err(refusal)
}

/// Reads with and without escapes. The views of an accepted map must stay inside the text and agree with each other.
pub fn read(bytes: &[u8]) {
    let escaped =
        |bytes: &[u8]| Document::from_bytes_with(bytes, &ReadOptions::default().with_escapes(true)).map_err(refusal);
    let _ = laws::total(bytes, escaped);
    let Some(map) = laws::total(bytes, parse) else { return };
    for entity in map.all_entities() {
        assert!(entity.item().range().end <= bytes.len(), "an entity outside of the text");
        for connection in entity.outputs().filter_map(mapwright_vmf::Output::connection) {
            assert_eq!(Connection::parse(&connection.to_string()), Some(connection));
        }
        for solid in entity.solids() {
            let sides = solid.sides().count();
            assert!(solid.polygons().is_ok_and(|polygons| polygons.len() == sides) || solid.polygons().is_err());
            for displacement in solid.sides().filter_map(mapwright_vmf::Side::displacement) {
                let _ = (displacement.problem(), displacement.array(DisplacementArray::Normals));
            }
        }
    }
    assert!(map.validate().iter().all(|finding| !finding.message.is_empty()), "a finding without a message");
}

/// Checks that an accepted text comes back byte for byte.
pub fn roundtrip(bytes: &[u8]) {
    if laws::total(bytes, parse).is_some() {
        laws::exact("the input", bytes, parse, Document::to_bytes);
        laws::stable(bytes, parse, Document::to_bytes);
    }
}

/// Checks that copies are valid, and leave nothing when they are removed.
pub fn edit(bytes: &[u8]) {
    let Ok(map) = parse(bytes) else { return };
    for (index, entity) in map.entities().enumerate().take(4) {
        let mut edit = Edit::new(&map);
        edit.duplicate_entity(entity).expect("it is not the world");
        let copied = edit.apply().expect("a copy is valid");
        assert_eq!(copied.entities().count(), map.entities().count() + 1, "a copy is one more entity");
        let mut edit = Edit::new(&copied);
        let copy = copied.entities().nth(index + 1).expect("the copy is after its original");
        edit.remove_entity(copy).expect("it is not the world");
        let removed = edit.apply().expect("a map without the copy is valid");
        assert_eq!(removed.entities().count(), map.entities().count(), "an edit removes another entity");
    }
}

/// The scene of a map is whole, leaves the map as it is when put back, and becomes a map.
pub fn scene(bytes: &[u8]) {
    let Ok(mut map) = parse(bytes) else { return };
    let Ok(mut import) = to_scene(&map, &ImportOptions::default()) else { return };
    check_whole(&import.scene);
    // With something else changed, so that every part is looked at.
    import.scene.name = "map".to_owned();
    merge_scene(&mut map, &import.scene, &ExportOptions::default()).expect("its own scene fits a map");
    assert!(hexdiff(bytes, map.as_bytes()).is_none(), "its own scene changes a map");
    let export = from_scene(&import.scene, &ExportOptions::default()).expect("a whole scene becomes a map");
    let again = to_scene(&export.document, &ImportOptions::default()).expect("a new map has a scene");
    assert!(again.scene.entities.len() <= import.scene.entities.len() + 1, "a new map has more entities");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hand_made_maps_are_read() {
        for bytes in FILES {
            parse(bytes).unwrap_or_else(|refusal| panic!("{}: {}", bytes.escape_ascii(), refusal.text));
        }
    }
}

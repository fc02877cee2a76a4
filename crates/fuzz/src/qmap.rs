//! Bodies for documents of Quake maps.

use mapwright_qmap::diff::Diff;
use mapwright_qmap::{Document, Edit, Entity, Primitive};
use mapwright_testkit::{Refusal, laws};

use crate::target::{Target, refusal};

/// The targets of `mapwright-qmap`.
pub const TARGETS: &[Target] = &[
    Target { body: read, ..qmap("map_document") },
    Target { body: roundtrip, memory: 64, ..qmap("map_document_roundtrip") },
    Target { body: edit, memory: 64, ..qmap("map_edit") },
];

const fn qmap(name: &'static str) -> Target {
    Target { name, format: "map", files: "quake-map", inputs: FILES, ..Target::NEW }
}

/// Maps with each kind of face and primitive.
const FILES: &[&[u8]] = &[
    b"// Game: Quake\n//@$& layerdef \"a\" -1 0 0 0\n{\n\"classname\" \"worldspawn\"\n\"wad\" \"C:\\a\\\"\n//@$& layer 0\n{\n\
      ( 0 0 0 ) ( 0 1 0 ) ( 0 0 1 ) {a 0 0 0 1 1 // b\n( 8 8 8 ) ( 8 9 8 ) ( 9 8 8 ) \"c d\" [ 0 0.5 -2 3 ] [ 1 0 0 -4 ] 30 0.5 2 8 0 1.5\n}\n}\n\
      {\n\"classname\" \"func_group\"\n\"_tb_type\" \"_tb_group\"\n\"_tb_id\" \"1\"\n\"_tb_group\" \"1\"\n}\n",
    b"Version 2\n{ k v { brushDef3 { ( 0 0 1 -8 ) ( ( 1 0 0 ) ( 0 1 0 ) ) \"a/b\" 0 0 0 } }\r\n{ patchDef2 { a ( 3 1 0 0 0 ) \
      ( ( ( 0 0 0 0 0 ) ) ( ( 1 2 3 .5 5. ) ) ( ( -0 1e1 +2 0 0 ) ) ) } } { terrainDef { b ( 1 ) } } }",
    b"{ brushDef { \"k\" \"v\" ( 0 0 0 ) ( 0 // c\n1 0 ) ( 0 0 1 ) ( ( 1 0 0 ) ( 0 1 0 ) ) a 1 2 3 ; d\n } }",
];

fn parse(bytes: &[u8]) -> Result<Document, Refusal> {
    Document::from_bytes(bytes).map_err(refusal)
}

/// Reads. The views of an accepted map must agree with its counts and stay inside the text.
pub fn read(bytes: &[u8]) {
    let Some(map) = laws::total(bytes, parse) else { return };
    assert_eq!(map.editor_tree().parents.len(), map.entity_count());
    assert_eq!(map.radiant_layers().primitives.len(), map.primitive_count());
    let (mut primitives, mut faces) = (0, 0);
    for entity in map.entities() {
        assert!(entity.pairs().all(|pair| pair.range().end < entity.range().end), "a key outside of its entity");
        for primitive in entity.primitives() {
            primitives += 1;
            faces += primitive.faces().len();
            for face in primitive.faces() {
                assert!(face.range().end < primitive.range().end, "a face outside of its brush");
                let _ = (face.plane(), face.mapping(), face.texture(), face.surface_flags());
            }
            let patch = primitive.patch();
            assert!(patch.is_none_or(|patch| patch.points().count() == patch.row_count() * patch.column_count()));
        }
    }
    assert_eq!((primitives, faces), (map.primitive_count(), map.face_count()));
}

/// Checks that an accepted text comes back byte for byte.
pub fn roundtrip(bytes: &[u8]) {
    if laws::total(bytes, parse).is_some() {
        laws::exact("the input", bytes, parse, Document::to_bytes);
        laws::stable(bytes, parse, Document::to_bytes);
    }
}

/// Checks that a new value or texture does not change other parts.
pub fn edit(bytes: &[u8]) {
    let Ok(map) = parse(bytes) else { return };
    let pairs: Vec<_> = map.entities().flat_map(Entity::pairs).collect();
    for (index, pair) in pairs.iter().enumerate().take(4) {
        let mut edit = Edit::new(&map);
        edit.set_value(*pair, "a\"b").expect("the value can be stored");
        let edited = edit.apply().expect("the value ends at its quote");
        let again: Vec<_> = edited.entities().flat_map(Entity::pairs).collect();
        assert_eq!(again.len(), pairs.len(), "an edit changes the number of keys");
        for (other, (old, new)) in pairs.iter().zip(&again).enumerate() {
            let expected = if other == index { b"a\\\"b" } else { old.value() };
            assert!(new.value() == expected && new.key() == old.key(), "an edit changes another key");
        }
    }
    let mut edit = Edit::new(&map);
    map.primitives()
        .flat_map(Primitive::faces)
        .for_each(|face| edit.set_texture(face, "a b").expect("it can be stored"));
    let edited = edit.apply().expect("the texture ends at its quote");
    assert_eq!((edited.entity_count(), edited.face_count()), (map.entity_count(), map.face_count()));
    assert!(edited.primitives().flat_map(Primitive::faces).all(|face| *face.texture() == *b"a b"));
    assert!(Diff::between(&map, &map).is_empty(), "a map differs from itself");
    assert!(map.validate().iter().all(|finding| !finding.message.is_empty()), "a finding without a message");
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

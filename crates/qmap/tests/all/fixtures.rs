//! The fixtures of this project, which `cargo xtask fixtures` writes, survive a round trip and have their contents.

use mapwright_qmap::{Document, EditorRole, PrimitiveKind};
use mapwright_testkit::{fixtures_as, laws};

use crate::support::read;

fn documents() -> Vec<(String, Vec<u8>, Document)> {
    let all = fixtures_as("map", Document::from_bytes);
    assert!(all.len() >= 5, "only {} fixtures", all.len());
    all
}

#[test]
fn fixtures_are_byte_exact() {
    for (name, bytes, _) in documents() {
        laws::exact(&name, &bytes, read, Document::to_bytes);
    }
}

#[test]
fn fixtures_have_every_kind_of_primitive() {
    let all = documents();
    let kinds = all.iter().flat_map(|(.., map)| map.primitives().map(mapwright_qmap::Primitive::kind));
    let kinds: Vec<PrimitiveKind> = kinds.collect();
    use PrimitiveKind as K;
    for kind in [K::Brush, K::BrushDef, K::BrushDef3, K::PatchDef2, K::PatchDef3] {
        assert!(kinds.contains(&kind), "{kind:?}");
    }
    let room = &all.iter().find(|(name, ..)| name == "room.map").unwrap().2;
    let roles: Vec<EditorRole> = room.entities().map(mapwright_qmap::Entity::editor_role).collect();
    assert!(roles.contains(&EditorRole::Layer) && roles.contains(&EditorRole::Group));
    assert_eq!(room.editor_tree().parents, [None, None, None, None, None, None, None, Some(6), Some(7)]);
}

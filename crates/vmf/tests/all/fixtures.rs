//! The fixtures of this project, which `cargo xtask fixtures` writes, survive a round trip and have their contents.

use mapwright_testkit::{fixtures_as, laws};
use mapwright_vmf::{Document, Entity, Side, Solid};

use crate::support;

fn documents() -> Vec<(String, Vec<u8>, Document)> {
    let all = fixtures_as("vmf", Document::from_bytes);
    assert!(all.len() >= 3, "only {} fixtures", all.len());
    all
}

#[test]
fn fixtures_come_back_byte_for_byte() {
    for (name, bytes, _) in documents() {
        laws::exact(&name, &bytes, support::read, Document::to_bytes);
    }
}

#[test]
fn rooms_contain_an_object_of_each_kind() {
    for (name, _, map) in documents().iter().filter(|(name, ..)| name.starts_with("room")) {
        let displacements = map.solids().flat_map(Solid::sides).filter_map(Side::displacement).count();
        let instances = map.entities().filter_map(Entity::as_instance).count();
        let counts = [map.entities().count(), map.solids().count(), displacements, instances, map.cordons().count()];
        assert_eq!(counts, [7, 4, 1, 1, 1], "{name}");
        assert!(map.solids().all(|solid| solid.polygons().is_ok()), "{name}");
    }
}

#[test]
fn nothing_is_reported() {
    for (name, _, map) in documents() {
        let codes: Vec<_> = map.validate().into_iter().map(|finding| finding.code).collect();
        assert!(codes.is_empty(), "{name}: {codes:?}");
    }
}

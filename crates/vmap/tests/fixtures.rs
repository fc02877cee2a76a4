//! Real maps, where the corpus is there.

mod maps;

use maps::maps;
use std::collections::BTreeMap;

use mapwright_vmap::{Document, NodeKind};

#[test]
fn every_node_is_of_a_known_kind_and_has_a_number() {
    for (name, map, bytes) in maps() {
        assert_eq!(map.world().unwrap().node().node_id().unwrap().0, 1, "{name}");
        for visit in map.nodes() {
            assert!(!matches!(visit.node.kind(), NodeKind::Other(_)), "{name}: {:?}", visit.node);
            assert!(visit.node.node_id().is_some(), "{name}");
        }
        assert!(map.to_bytes().unwrap() == bytes, "{name}");
    }
}

/// How many findings of each code.
fn codes(map: &Document) -> BTreeMap<&'static str, usize> {
    let mut codes = BTreeMap::new();
    for finding in map.validate() {
        *codes.entry(finding.code).or_default() += 1;
    }
    codes
}

#[test]
fn findings_in_real_maps() {
    for (name, map, _) in maps() {
        eprintln!("{name}: {:?}", codes(&map));
        for finding in map.validate().iter().filter(|f| ["type-drift", "attribute-unknown"].contains(&f.code)).take(5) {
            eprintln!("   {finding}");
        }
    }
}

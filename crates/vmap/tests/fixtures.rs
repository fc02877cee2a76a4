//! Real maps, where the corpus is there.

mod maps;

use maps::maps;
use mapwright_vmap::NodeKind;

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

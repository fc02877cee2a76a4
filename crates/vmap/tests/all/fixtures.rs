//! Real maps, if the corpus is available.

use crate::maps;

use maps::maps;
use std::collections::BTreeMap;

use mapwright_vmap::{Document, NodeKind};

#[test]
#[ignore = "needs the corpus"]
fn every_node_of_the_corpus_has_a_known_kind_and_a_number() {
    for (name, map, bytes) in maps() {
        assert_eq!(map.world().unwrap().node().node_id().unwrap().0, 1, "{name}");
        for visit in map.nodes() {
            assert!(!matches!(visit.node.kind(), NodeKind::Other(_)), "{name}: {:?}", visit.node);
            assert!(visit.node.node_id().is_some(), "{name}");
        }
        let is_text = map.graph().header.encoding.is_text();
        assert!(is_text || map.to_bytes().unwrap() == bytes, "{name}");
    }
}

/// Counts the findings of each code.
fn codes(map: &Document) -> BTreeMap<&'static str, usize> {
    let mut codes = BTreeMap::new();
    for finding in map.validate() {
        *codes.entry(finding.code).or_default() += 1;
    }
    codes
}

/// Maps of Hammer have only these findings: attributes and types are those of the schema.
#[test]
#[ignore = "needs the corpus"]
fn findings_in_corpus_maps_are_few() {
    let usual = ["layout", "text-floats", "asset-unlisted", "asset-unused", "line-ends"];
    for (name, map, _) in maps() {
        let unusual: Vec<_> = codes(&map).into_iter().filter(|(code, _)| !usual.contains(code)).collect();
        let expected: &[(&str, usize)] = match name.as_str() {
            // The relay that an output triggers was removed.
            "hla_closeable_crafting_station.vmap" | "hla_closeable_crafting_station_older.vmap" => {
                &[("output-target", 1)]
            }
            "hla_inf_intro.vmap" => &[("not-utf8", 31)],
            // The target is the visibility manager.
            "hla_health_station.vmap" => &[("overlay-target", 1)],
            // 160 of them are in a prefab.
            "sbox_hc1_de_garry_stubs.vmap" => &[("external", 101)],
            // A node that was removed.
            "sbox_hc1_refinery_a_site.vmap" => &[("overlay-target", 17)],
            // Written by a converter without identities.
            "s1i_de_dust3_text.vmap" => {
                &[("attribute-name", 1), ("guid-missing", 1), ("prefix-copy-missing", 1), ("reference-id-missing", 79)]
            }
            "s1i_out_sample_box.vmap.txt" => &[("node-id-twice", 1), ("reference-id-missing", 1)],
            _ => &[],
        };
        assert_eq!(unusual, expected, "{name}");
    }
}

#[test]
#[ignore = "needs the corpus"]
fn the_census_of_corpus_maps_matches_another_reader() {
    let mut total = (0, 0, 0);
    let maps: Vec<_> = maps().into_iter().filter(|(_, map, _)| !map.graph().header.encoding.is_text()).collect();
    for (_, map, _) in &maps {
        let census = map.census();
        let classes: usize = census.nodes.values().sum();
        assert_eq!(classes, map.nodes().count());
        total.0 += classes;
        total.1 += census.entities.values().sum::<usize>();
        total.2 += census.meshes.faces;
    }
    // Counts of another reader: nodes, nodes with keys except worlds, faces.
    assert!(maps.is_empty() || total == (1100, 629, 6952), "{total:?}");
}

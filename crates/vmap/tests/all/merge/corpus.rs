//! Real maps, if the corpus is available.

use std::time::Instant;

use mapwright_vmap::diff::Diff;
use mapwright_vmap::merge::{MergeOptions, Side, merge};
use mapwright_vmap::{Document, EditOptions, HiddenFlags, Transform};

use super::conflict_texts;
use super::laws::{laws, saved_again};
use super::maps::maps;

/// Counts the findings of each code.
fn codes(map: &Document) -> std::collections::BTreeMap<&'static str, usize> {
    let mut codes = std::collections::BTreeMap::new();
    for finding in map.validate() {
        *codes.entry(finding.code).or_default() += 1;
    }
    codes
}

/// Makes edits at regular intervals, beginning with a given node.
fn edited(map: &Document, first: usize) -> Document {
    let mut edited = map.clone();
    let nodes: Vec<_> = map.nodes().skip(1).map(|visit| (visit.node.id(), visit.node.entity().is_some())).collect();
    edited.edit_with(&EditOptions::default().with_seed(first as u64), |map| {
        let world = map.world().unwrap();
        for (index, &(node, has_keys)) in nodes.iter().enumerate().skip(first).step_by(6) {
            match index / 6 % 3 {
                0 => {
                    let transform = map.map().node(node).unwrap().transform();
                    let [x, y, z] = transform.origin;
                    map.set_transform(node, Transform { origin: [x + 1.0, y, z], ..transform }).unwrap();
                }
                1 if has_keys => map.set_key(node, "merged", first.to_string()).unwrap(),
                _ => map.set_hidden(node, HiddenFlags::QUICK_HIDE).unwrap(),
            }
        }
        map.add_entity(world, "info_target").unwrap();
    });
    edited
}

#[test]
#[ignore = "needs the corpus"]
fn edits_of_both_sides_are_combined() {
    for (name, base, bytes) in maps() {
        let started = Instant::now();
        let (ours, theirs) = (edited(&base, 0), edited(&base, 3));
        let merged = merge(&base, &ours, &theirs, &MergeOptions::default()).unwrap();
        assert_eq!(conflict_texts(&merged), [""; 0], "{name}");
        let both = Document::from_bytes(&merged.document.to_bytes().unwrap()).unwrap();
        // The result differs from each side by the changes of the other.
        let count = |old: &Document, new: &Document| {
            let diff = Diff::between(old, new);
            assert!(diff.facts.is_empty() && diff.removed.is_empty(), "{name}: {diff}");
            (diff.changed.len(), diff.added.len())
        };
        assert_eq!(count(&ours, &both), count(&base, &theirs), "{name}");
        assert_eq!(count(&theirs, &both).1, 1, "{name}");
        let mut expected = codes(&base);
        for (code, found) in codes(&both) {
            let before = expected.remove(code).unwrap_or_default();
            assert!(found <= before.max(codes(&ours).get(code).copied().unwrap_or_default()), "{name}: {code} {found}");
        }
        // The changes of each side are in the result.
        let back = merge(&ours, &both, &base, &MergeOptions::default()).unwrap();
        assert_eq!(conflict_texts(&back), [""; 0], "{name}");
        let diff = Diff::between(&theirs, &back.document);
        let numbers = diff.changed.iter().flat_map(|change| &change.fields).all(|change| change.field == "nodeID");
        assert!(diff.facts.is_empty() && diff.added.is_empty() && diff.removed.is_empty() && numbers, "{name}: {diff}");
        eprintln!("{name}: {} bytes, {:?}", bytes.len(), started.elapsed());
    }
}

#[test]
#[ignore = "needs the corpus"]
fn the_laws_hold_for_real_maps() {
    for (name, base, _) in maps() {
        eprintln!("{name}");
        laws(&base, &edited(&base, 0));
    }
}

/// Successive saves of the same map.
#[test]
#[ignore = "needs the corpus"]
fn a_later_save_of_one_side_is_the_result() {
    const CHAINS: [(&str, &str); 6] = [
        ("sbox_hc1_mid_to_a_save1.vmap", "sbox_hc1_mid_to_a_save2.vmap"),
        ("sbox_hc1_mid_to_a_save2.vmap", "sbox_hc1_mid_to_a_save3.vmap"),
        ("sbox_hover_pyramid_01a_save1.vmap", "sbox_hover_pyramid_01a_save2.vmap"),
        ("sbox_pb_snow_older.vmap", "sbox_pb_snow.vmap"),
        ("sbox_hc1_env_older.vmap", "sbox_hc1_env.vmap"),
        ("hla_closeable_crafting_station_older.vmap", "hla_closeable_crafting_station.vmap"),
    ];
    let maps = maps();
    let find = |name: &str| maps.iter().find(|(other, ..)| other == name).map(|(_, map, _)| map);
    for (old, new) in CHAINS {
        let (Some(base), Some(theirs)) = (find(old), find(new)) else { continue };
        for prefer in [Side::Ours, Side::Theirs] {
            let options = MergeOptions::default().with_prefer(prefer);
            let merged = merge(base, &saved_again(base), theirs, &options).unwrap();
            assert_eq!(conflict_texts(&merged), [""; 0], "{old}");
            let diff = Diff::between(theirs, &merged.document);
            assert!(diff.is_empty(), "{old}: {diff}");
            let both = codes(&merged.document);
            assert!(both == codes(theirs), "{old}: {both:?} {:?}", codes(theirs));
        }
    }
}

//! Laws for random changes.

use mapwright_vmap::diff::Diff;
use mapwright_vmap::dmx::{ElementId, Value};
use mapwright_vmap::merge::{MergeOptions, Side, merge};
use mapwright_vmap::{Document, MapOptions};
use proptest::prelude::*;

use super::changes::{Change, apply, change};
use super::{assert_equal_but_for_order, conflict_texts, map, merged};

/// Returns the base with a change of no weight, so that the whole merge runs.
pub(crate) fn saved_again(map: &Document) -> Document {
    let mut again = map.clone();
    again.graph_mut().set(ElementId::ROOT, "editorbuild", Value::Int(12345));
    again
}

/// Checks the laws for one side.
pub(crate) fn laws(base: &Document, side: &Document) {
    for prefer in [Side::Ours, Side::Theirs] {
        let options = MergeOptions::default().with_prefer(prefer);
        let bytes = side.to_bytes().unwrap();
        for [ours, theirs] in [[side, base], [base, side], [side, side]] {
            let merged = merge(base, ours, theirs, &options).unwrap();
            assert!(merged.document.to_bytes().unwrap() == bytes && merged.conflicts.is_empty());
        }
        let again = saved_again(base);
        let merged = merge(base, &again, side, &options).unwrap();
        assert_eq!(conflict_texts(&merged), [""; 0]);
        let diff = Diff::between(side, &merged.document);
        assert!(diff.is_empty(), "{diff}");
        let merged = merge(base, &saved_again(side), &side.clone(), &options).unwrap();
        assert_eq!(conflict_texts(&merged), [""; 0]);
        assert!(Diff::between(side, &merged.document).is_empty());
        // The result is ours with the new build, byte for byte.
        let merged = merge(base, side, &again, &options).unwrap();
        assert_eq!(conflict_texts(&merged), [""; 0]);
        assert!(merged.document.to_bytes().unwrap() == saved_again(side).to_bytes().unwrap());
    }
}

fn changed(base: &Document, changes: &[Change], seed: u64) -> Document {
    let mut map = base.clone();
    changes.iter().zip(seed..).for_each(|(change, seed)| apply(&mut map, change, Some(seed)));
    map
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn laws_hold_for_any_changes(
        before in prop::collection::vec(change(), 0..12),
        one in prop::collection::vec(change(), 0..8),
    ) {
        let base = changed(&map(), &before, 1000);
        let side = changed(&base, &one, 2000);
        laws(&base, &side);
    }

    #[test]
    fn any_sides_give_a_valid_map(
        before in prop::collection::vec(change(), 0..16),
        one in prop::collection::vec(change(), 0..12),
        other in prop::collection::vec(change(), 0..12),
        same in any::<bool>(),
    ) {
        let base = changed(&map(), &before, 1000);
        // Equal seeds give different nodes with equal identities.
        let [ours, theirs] = [changed(&base, &one, 2000), changed(&base, &other, if same { 2000 } else { 3000 })];
        for prefer in [Side::Ours, Side::Theirs] {
            let merge = merged(&base, &ours, &theirs, prefer);
            // If new nodes of one side get new identities, they cannot be distinguished.
            if merge.conflicts.is_empty() && !same {
                let other = merged(&base, &theirs, &ours, prefer);
                prop_assert_eq!(conflict_texts(&other), [""; 0]);
                assert_equal_but_for_order(&merge.document, &other.document);
            }
        }
    }

    #[test]
    fn unrelated_maps_give_a_valid_map(
        maps in prop::array::uniform3(prop::collection::vec(change(), 0..10)),
        seeds in any::<[u32; 3]>(),
    ) {
        let new = |seed: u32, changes: &[Change]| {
            let map = Document::new_with(&MapOptions::default().with_seed(seed.into()));
            changed(&map, changes, seed.into())
        };
        let [base, ours, theirs] = [0, 1, 2].map(|at: usize| new(seeds[at], &maps[at]));
        for prefer in [Side::Ours, Side::Theirs] {
            merged(&base, &ours, &theirs, prefer);
        }
    }
}

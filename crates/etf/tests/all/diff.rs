//! Differences between two terms.

use crate::strategies;

use mapwright_etf::diff::{Diff, FieldChange};
use mapwright_etf::{Builder, Tree, WriterProfile};
use proptest::prelude::*;

fn tree() -> BoxedStrategy<Tree> {
    strategies::term().prop_map(|bytes| Tree::from_bytes(&bytes).expect("the strategy makes legal terms")).boxed()
}

fn between(old: &Tree, new: &Tree) -> Diff {
    Diff::between(old.root(), new.root())
}

fn build(make: impl FnOnce(&mut Builder)) -> Tree {
    let mut term = Builder::new(WriterProfile::Otp17);
    make(&mut term);
    term.finish().expect("a term")
}

/// A list of numbers and a property list.
fn scene(numbers: &[i64], props: &[(&str, f64)]) -> Tree {
    build(|term| {
        term.tuple(2);
        term.begin_list();
        numbers.iter().for_each(|number| term.integer(*number));
        term.end_list();
        term.begin_list();
        for (key, value) in props {
            term.tuple(2);
            term.atom(key);
            term.float(*value);
        }
        term.end_list();
    })
}

#[test]
fn lists_are_compared_from_both_ends_and_properties_by_their_keys() {
    let old = scene(&[1000, 2000, 3000], &[("a", 1.0), ("b", 2.0)]);
    let new = scene(&[1000, 1, 2, 3000], &[("b", -2.0), ("c", 3.0)]);
    let expected = "[0][1]: 2000 → 1\n[0][2]: none → 2\n[1].a: 1.0 → none\n[1].b: 2.0 → -2.0\n[1].c: none → 3.0\n";
    assert_eq!(between(&old, &new).to_string(), expected);
    assert_eq!(between(&scene(&[], &[("a", 0.0)]), &scene(&[], &[("a", -0.0)])).to_string(), "[1].a: 0.0 → -0.0\n");
    let text = |text: &str| build(|term| term.text(text));
    assert_eq!(between(&text("cube1"), &text("cube2")).to_string(), "term: \"cube1\" → \"cube2\"\n");
}

#[test]
fn the_number_of_differences_is_limited() {
    let numbers = |by: i64| scene(&(0..1000).map(|number| number * by + 1000).collect::<Vec<_>>(), &[]);
    let diff = between(&numbers(1), &numbers(2));
    assert_eq!((diff.changes.len(), diff.more), (200, true));
    assert!(diff.to_string().ends_with("… and more\n"));
}

proptest! {
    #[test]
    fn equal_values_have_no_differences(tree in tree(), profile in prop::sample::select(WriterProfile::ALL.to_vec())) {
        prop_assert_eq!(between(&tree, &tree), Diff::default());
        if let Ok(other) = tree.root().recode(profile) {
            prop_assert_eq!(between(&tree, &other), Diff::default());
        }
    }

    #[test]
    fn differences_are_symmetric(old in tree(), new in tree()) {
        let (mut there, mut back) = (between(&old, &new), between(&new, &old));
        if there.is_empty() {
            prop_assert!(old.root().same_value(new.root()));
        }
        for FieldChange { old, new, .. } in &mut there.changes {
            std::mem::swap(old, new);
        }
        for diff in [&mut there, &mut back] {
            diff.changes.sort_by_key(|change| (change.field.clone(), change.old.clone(), change.new.clone()));
        }
        prop_assert_eq!(there, back);
    }
}

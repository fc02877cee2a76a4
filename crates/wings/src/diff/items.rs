//! Lists of items, matched by name.

use std::collections::{HashMap, VecDeque};
use std::hash::Hash;

use super::{FieldChange, ItemChange, ItemRef, ItemsDiff};

/// Compares two lists. Items are matched by name, those with one name in their order, then by digest.
pub(super) fn compare_items<T>(
    olds: &[T],
    news: &[T],
    name: impl Fn(&T) -> String,
    digest: impl Fn(&T) -> Option<u64>,
    changes: impl Fn(&T, &T) -> Vec<FieldChange>,
) -> ItemsDiff {
    let mut partners: Vec<Option<usize>> = vec![None; olds.len()];
    let mut taken = vec![false; news.len()];
    pair_by_key(&mut partners, &mut taken, |at| olds.get(at).map(&name), |at| news.get(at).map(&name));
    pair_by_key(&mut partners, &mut taken, |at| olds.get(at).and_then(&digest), |at| news.get(at).and_then(&digest));
    let label = |number: usize, item: &T| ItemRef { number, name: name(item) };
    let mut diff = ItemsDiff::default();
    let mut last = None;
    for (number, (item, partner)) in olds.iter().zip(partners).enumerate() {
        let Some((at, other)) = partner.and_then(|at| Some((at, news.get(at)?))) else {
            diff.removed.push(label(number, item));
            continue;
        };
        diff.reordered |= last.is_some_and(|last| last > at);
        last = Some(at);
        let fields = changes(item, other);
        if !fields.is_empty() {
            diff.changed.push(ItemChange { old: label(number, item), new: label(at, other), fields });
        }
    }
    let added = news.iter().enumerate().zip(taken).filter(|(_, taken)| !taken);
    diff.added = added.map(|((number, item), _)| label(number, item)).collect();
    diff
}

/// Pairs unpaired items with equal keys, in order.
fn pair_by_key<K: Hash + Eq>(
    partners: &mut [Option<usize>],
    taken: &mut [bool],
    old: impl Fn(usize) -> Option<K>,
    new: impl Fn(usize) -> Option<K>,
) {
    let mut free: HashMap<K, VecDeque<usize>> = HashMap::new();
    for at in (0..).zip(taken.iter()).filter(|(_, taken)| !**taken).map(|(at, _)| at) {
        if let Some(key) = new(at) {
            free.entry(key).or_default().push_back(at);
        }
    }
    for (at, partner) in (0..).zip(partners.iter_mut()).filter(|(_, partner)| partner.is_none()) {
        if let Some(found) = old(at).and_then(|key| free.get_mut(&key)).and_then(VecDeque::pop_front) {
            *partner = Some(found);
            taken.get_mut(found).into_iter().for_each(|taken| *taken = true);
        }
    }
}

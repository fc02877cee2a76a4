//! Merges lists whose items can be matched.

use std::collections::{HashMap, HashSet};
use std::hash::Hash;

use super::Side;

/// Merges the order of three lists. Returns the items for which `is_there` holds, in the order of the side that changed it, and `true` if
/// both sides changed the order in different ways. Items of the other side alone follow the same item as there.
pub(super) fn merge_order<K: Copy + Eq + Hash>(
    [base, ours, theirs]: [&[K]; 3],
    prefer: Side,
    is_there: impl Fn(K) -> bool,
) -> (Vec<K>, bool) {
    let once = |list: &[K]| -> Vec<K> {
        let mut seen = HashSet::new();
        list.iter().copied().filter(|item| is_there(*item) && seen.insert(*item)).collect()
    };
    let [base, ours, theirs] = [once(base), once(ours), once(theirs)];
    let sets = [&base, &ours, &theirs].map(|list| list.iter().copied().collect::<HashSet<K>>());
    let in_all = |list: &[K]| -> Vec<K> {
        list.iter().copied().filter(|item| sets.iter().all(|set| set.contains(item))).collect()
    };
    let [old, one, other] = [in_all(&base), in_all(&ours), in_all(&theirs)];
    let is_conflict = one != old && other != old && one != other;
    let by_theirs = if is_conflict { prefer == Side::Theirs } else { other != old };
    let merged = if by_theirs { interleave(&theirs, &ours) } else { interleave(&ours, &theirs) };
    (merged, is_conflict)
}

/// Inserts the items that only another list has.
pub(super) fn interleave<K: Copy + Eq + Hash>(main: &[K], other: &[K]) -> Vec<K> {
    let known: HashSet<K> = main.iter().copied().collect();
    let shared: HashSet<K> = other.iter().copied().filter(|item| known.contains(item)).collect();
    let mut after: HashMap<Option<K>, Vec<K>> = HashMap::new();
    let mut last = None;
    for &item in other {
        if known.contains(&item) {
            last = Some(item);
        } else {
            after.entry(last).or_default().push(item);
        }
    }
    let mut waiting = after.remove(&None).unwrap_or_default();
    let mut all = Vec::with_capacity(main.len().max(other.len()));
    for &item in main {
        if shared.contains(&item) {
            all.append(&mut waiting);
        }
        all.push(item);
        waiting.extend(after.remove(&Some(item)).unwrap_or_default());
    }
    all.append(&mut waiting);
    all
}

/// Returns the items of ours with those that theirs added and without those that theirs removed.
pub(super) fn merge_members<K: Copy + Eq + Hash>([base, ours, theirs]: [&[K]; 3]) -> HashSet<K> {
    let [base, theirs] = [base, theirs].map(|list| list.iter().copied().collect::<HashSet<K>>());
    let stay = ours.iter().copied().filter(|item| theirs.contains(item) || !base.contains(item));
    stay.chain(theirs.iter().copied().filter(|item| !base.contains(item))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn merged(base: &str, ours: &str, theirs: &str) -> (String, bool) {
        let [base, ours, theirs] = [base, ours, theirs].map(|list| list.chars().collect::<Vec<_>>());
        let members = merge_members([&base, &ours, &theirs]);
        let (all, conflict) = merge_order([&base, &ours, &theirs], Side::Ours, |item| members.contains(&item));
        (all.into_iter().collect(), conflict)
    }

    #[test]
    fn changes_of_both_sides_are_in_the_result() {
        let same = |text: &str| (text.to_owned(), false);
        assert_eq!(merged("abc", "abc", "abc"), same("abc"));
        assert_eq!(merged("abc", "abxc", "abc"), same("abxc"));
        assert_eq!(merged("abc", "abcx", "abcy"), same("abcxy"));
        assert_eq!(merged("abc", "xabc", "yabc"), same("xyabc"));
        assert_eq!(merged("abc", "ac", "abyc"), same("ayc"));
        assert_eq!(merged("abc", "abc", "cba"), same("cba"));
        assert_eq!(merged("abc", "abcx", "cba"), same("cxba"));
        assert_eq!(merged("abc", "bac", "acb"), ("bac".to_owned(), true));
        assert_eq!(merged("abc", "bac", "bac"), same("bac"));
        assert_eq!(merged("", "xy", "yx"), same("xy"));
        assert_eq!(merged("abc", "", "abcd"), same("d"));
    }
}

//! Lists of which the items are known from save to save.

use std::collections::{HashMap, HashSet};
use std::hash::Hash;

use super::Side;

/// The items that are in the result, in the order of the side that changed it; whether both did, in different ways. What only the
/// other side has stands behind what it stands behind there.
pub(super) fn ordered<K: Copy + Eq + Hash>(
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
    let merged = if by_theirs { woven(&theirs, &ours) } else { woven(&ours, &theirs) };
    (merged, is_conflict)
}

/// A list with what only another one has.
pub(super) fn woven<K: Copy + Eq + Hash>(main: &[K], other: &[K]) -> Vec<K> {
    let known: HashSet<K> = main.iter().copied().collect();
    let shared: HashSet<K> = other.iter().copied().filter(|item| known.contains(item)).collect();
    let mut behind: HashMap<Option<K>, Vec<K>> = HashMap::new();
    let mut last = None;
    for &item in other {
        if known.contains(&item) {
            last = Some(item);
        } else {
            behind.entry(last).or_default().push(item);
        }
    }
    let mut waiting = behind.remove(&None).unwrap_or_default();
    let mut all = Vec::with_capacity(main.len().max(other.len()));
    for &item in main {
        if shared.contains(&item) {
            all.append(&mut waiting);
        }
        all.push(item);
        waiting.extend(behind.remove(&Some(item)).unwrap_or_default());
    }
    all.append(&mut waiting);
    all
}

/// The items of a list of ours after what theirs added and removed.
pub(super) fn members<K: Copy + Eq + Hash>([base, ours, theirs]: [&[K]; 3]) -> HashSet<K> {
    let [base, theirs] = [base, theirs].map(|list| list.iter().copied().collect::<HashSet<K>>());
    let stay = ours.iter().copied().filter(|item| theirs.contains(item) || !base.contains(item));
    stay.chain(theirs.iter().copied().filter(|item| !base.contains(item))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn merged(base: &str, ours: &str, theirs: &str) -> (String, bool) {
        let [base, ours, theirs] = [base, ours, theirs].map(|list| list.chars().collect::<Vec<_>>());
        let members = members([&base, &ours, &theirs]);
        let (all, conflict) = ordered([&base, &ours, &theirs], Side::Ours, |item| members.contains(&item));
        (all.into_iter().collect(), conflict)
    }

    #[test]
    fn both_sides_find_what_they_did() {
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

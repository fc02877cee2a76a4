//! Search trees of Erlang, `gb_trees`: `{Size,Node}` with nodes `{Key,Value,Smaller,Bigger}` and `nil`.

use mapwright_etf::{ListItem, Term};

use super::report::LoadOutcome::{self, CrashOnLoad, CrashOnSave};
use super::term_order::compare_terms;
use crate::document::build;

/// Checks the tree of plug-in data of a light. `is_searched` is `true` if saving looks up every key.
///
/// On loading, Wings looks up `wings_shape`, and adds it if it is missing.
pub(super) fn find_fault(tree: Term<'_>, is_searched: bool) -> Option<LoadOutcome> {
    let Some([size, root]) = tree.as_tuple_of() else { return Some(CrashOnLoad) };
    let Ok(folder) = build(|term| term.atom("wings_shape")) else { return None };
    let mut node = root;
    let mut passed = Vec::new();
    let is_there = loop {
        if node.is_atom("nil") {
            break false;
        }
        let Some([key, _, smaller, bigger]) = node.as_tuple_of() else { return Some(CrashOnLoad) };
        let side = compare_terms(ListItem::Term(folder.root()), ListItem::Term(key));
        if side.is_eq() {
            break true;
        }
        let (next, other) = if side.is_lt() { (smaller, bigger) } else { (bigger, smaller) };
        passed.push(other);
        node = next;
    };
    if !is_there {
        let natural = size.as_integer().filter(|size| !size.negative);
        let Some(size) = natural else { return Some(CrashOnLoad) };
        let size = size.to_i64().map_or(u128::MAX, |size| u128::from(size.unsigned_abs()));
        let most = size.saturating_add(1).saturating_mul(size.saturating_add(1));
        let is_deep = u32::try_from(passed.len()).map_or(0, |depth| most.checked_shr(depth).unwrap_or(0)) == 0;
        if is_deep && !is_balanced(&passed) {
            return Some(CrashOnLoad);
        }
    }
    (is_searched && !is_ordered(root)).then_some(CrashOnSave)
}

/// Returns `true` if Wings can insert a node that is too deep for the size of the tree. Wings then balances a subtree, which it
/// searches upwards from the node. If no subtree qualifies, the tree is broken.
fn is_balanced(passed: &[Term<'_>]) -> bool {
    let (mut height, mut size) = (0_u32, 1_u128);
    for other in passed.iter().rev() {
        let Some((other_height, other_size)) = measure(*other) else { return false };
        height = height.max(other_height).saturating_add(1);
        size = size.saturating_add(other_size).saturating_add(1);
        if 1_u128.checked_shl(height).is_none_or(|most| most > size.saturating_mul(size)) {
            return true;
        }
    }
    false
}

/// Returns the height of a tree and the number of its nodes, or `None` if a node is malformed.
fn measure(root: Term<'_>) -> Option<(u32, u128)> {
    let (mut height, mut size) = (0, 0_u128);
    let mut open = vec![(root, 1_u32)];
    while let Some((node, depth)) = open.pop() {
        if !node.is_atom("nil") {
            let [_, _, smaller, bigger] = node.as_tuple_of()?;
            height = depth.max(height);
            size = size.saturating_add(1);
            open.extend([smaller, bigger].map(|node| (node, depth.saturating_add(1))));
        }
    }
    Some((height, size))
}

/// Returns `true` if all nodes are well-formed and every key can be found.
fn is_ordered(root: Term<'_>) -> bool {
    let is_after = |low: Option<Term<'_>>, high: Option<Term<'_>>| {
        low.zip(high).is_none_or(|(low, high)| compare_terms(ListItem::Term(low), ListItem::Term(high)).is_le())
    };
    // Each node with the lower and upper bound of its keys.
    let mut open = vec![(root, None, None)];
    while let Some((node, low, high)) = open.pop() {
        if node.is_atom("nil") {
            continue;
        }
        let Some([key, _, smaller, bigger]) = node.as_tuple_of() else { return false };
        if !is_after(low, Some(key)) || !is_after(Some(key), high) {
            return false;
        }
        open.extend([(smaller, low, Some(key)), (bigger, Some(key), high)]);
    }
    true
}

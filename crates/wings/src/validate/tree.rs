//! Search trees, `gb_trees` of Erlang: `{Size,Node}` with nodes `{Key,Value,Smaller,Bigger}` and `nil`.

use mapwright_etf::{ListItem, Term};

use super::order::order;
use super::report::Fate;
use crate::document::build;

/// What comes of the tree of plug-in data of a light. `is_searched` says whether saving looks every key up.
///
/// On loading Wings looks `wings_shape` up, and adds it where it is not there.
pub(super) fn fault(tree: Term<'_>, is_searched: bool) -> Option<Fate> {
    let Some([size, root]) = tree.as_tuple_of() else { return Some(Fate::Load) };
    let Ok(folder) = build(|term| term.atom("wings_shape")) else { return None };
    let mut node = root;
    let mut passed = Vec::new();
    let is_there = loop {
        if node.is_atom("nil") {
            break false;
        }
        let Some([key, _, smaller, bigger]) = node.as_tuple_of() else { return Some(Fate::Load) };
        let side = order(ListItem::Term(folder.root()), ListItem::Term(key));
        if side.is_eq() {
            break true;
        }
        let (next, other) = if side.is_lt() { (smaller, bigger) } else { (bigger, smaller) };
        passed.push(other);
        node = next;
    };
    if !is_there {
        let natural = size.as_integer().filter(|size| !size.negative);
        let Some(size) = natural else { return Some(Fate::Load) };
        let size = size.to_i64().map_or(u128::MAX, |size| u128::from(size.unsigned_abs()));
        let most = size.saturating_add(1).saturating_mul(size.saturating_add(1));
        let is_deep = u32::try_from(passed.len()).map_or(0, |depth| most.checked_shr(depth).unwrap_or(0)) == 0;
        if is_deep && !is_balanced(&passed) {
            return Some(Fate::Load);
        }
    }
    (is_searched && !is_ordered(root)).then_some(Fate::Save)
}

/// Whether a node that is added too deep for the size of the tree makes Wings balance a part of it. It goes up from the
/// node, past the other sides of the nodes on the way; if it comes to the root, the tree is broken.
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

/// The height of a tree and the number of its nodes; `None` if one has not the form of a node.
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

/// Whether all nodes have the form of one, and no key stands where a search does not come.
fn is_ordered(root: Term<'_>) -> bool {
    let is_after = |low: Option<Term<'_>>, high: Option<Term<'_>>| {
        low.zip(high).is_none_or(|(low, high)| order(ListItem::Term(low), ListItem::Term(high)).is_le())
    };
    // Each with the keys that its own have to lie between.
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

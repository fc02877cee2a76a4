//! Pairs of corresponding parts of two terms.

use std::collections::HashMap;

use super::to_latin_text;
use crate::{Elements, List, ListItem, Pairs, Term, Value, WriterProfile};

/// Two parts with the same step. One of them may be missing.
type Pair<'t> = (Step<'t>, Option<ListItem<'t>>, Option<ListItem<'t>>);

/// A step from a term to one of its parts.
#[derive(Clone, Copy)]
pub(super) enum Step<'t> {
    Index(usize),
    Tail,
    Key(Term<'t>),
}

/// A step of a path, with the index of its parent.
pub(super) struct PathNode<'t> {
    pub(super) parent: Option<usize>,
    pub(super) step: Step<'t>,
}

/// Returns `true` if two items have the same encoding.
pub(super) fn same_bytes(old: ListItem<'_>, new: ListItem<'_>) -> bool {
    match (old, new) {
        (ListItem::Term(old), ListItem::Term(new)) => old.as_bytes() == new.as_bytes(),
        (old, new) => old.as_i64().is_some() && old.as_i64() == new.as_i64(),
    }
}

/// Returns `true` if two items without parts have the same value.
pub(super) fn same_leaf(old: ListItem<'_>, new: ListItem<'_>) -> bool {
    let (ListItem::Term(old), ListItem::Term(new)) = (old, new) else { return same_bytes(old, new) };
    match (old.value(), new.value()) {
        (Value::Float(old), Value::Float(new)) => old.to_bits() == new.to_bits(),
        (Value::Tuple(old), Value::Tuple(new)) => old.len() == 0 && new.len() == 0,
        // Texts are compared as one value.
        (Value::List(one), Value::List(other)) => {
            let whole = [one, other].into_iter().any(|list| list.is_empty() || to_latin_text(list).is_some());
            whole && old.same_value(new)
        }
        // Maps that repeat a key are compared as one value, too.
        (Value::Map(one), Value::Map(other)) => {
            let whole = [one, other].into_iter().any(|pairs| pairs.len() == 0 || map_pairs(pairs).is_none());
            whole && old.same_value(new)
        }
        (Value::Tuple(_) | Value::List(_) | Value::Map(_) | Value::Float(_), _) => false,
        _ => old.same_value(new),
    }
}

/// Pairs the parts of two terms of the same kind. Returns `None` if the terms are compared as one value.
pub(super) fn pair_parts<'t>(old: ListItem<'t>, new: ListItem<'t>, budget: &mut usize) -> Option<Vec<Pair<'t>>> {
    match (old.term()?.value(), new.term()?.value()) {
        (Value::Tuple(old), Value::Tuple(new)) => {
            let items = |elements: Elements<'t>| elements.map(ListItem::Term).collect();
            Some(align_items(items(old), items(new), budget))
        }
        (Value::List(old), Value::List(new)) => {
            if to_latin_text(old).is_some() || to_latin_text(new).is_some() {
                return None;
            }
            if let (Some(old), Some(new)) = (property_pairs(old), property_pairs(new))
                && !(old.is_empty() && new.is_empty())
            {
                return Some(by_key(old, new));
            }
            let mut parts = align_items(old.items().collect(), new.items().collect(), budget);
            let tails = [old, new].map(|list| list.tail().map(ListItem::Term));
            if let [old, new] = tails
                && (old.is_some() || new.is_some())
            {
                parts.push((Step::Tail, old, new));
            }
            Some(parts)
        }
        (Value::Map(old), Value::Map(new)) => Some(by_key(map_pairs(old)?, map_pairs(new)?)),
        _ => None,
    }
}

/// Key of a part.
#[derive(PartialEq, Eq, Hash)]
enum Key {
    Atom(String),
    Integer(i64),
    Text(String),
    Bytes(Vec<u8>),
    Term(Vec<u8>),
}

impl Key {
    fn from_term(term: Term<'_>) -> Option<Self> {
        match term.value() {
            Value::Atom(atom) => Some(Self::Atom(atom.name().into_owned())),
            Value::Integer(integer) => integer.to_i64().map(Self::Integer),
            Value::List(list) => to_latin_text(list).map(Self::Text),
            Value::Binary(bytes) => Some(Self::Bytes(bytes.to_vec())),
            _ => None,
        }
    }
}

/// Keys and values in file order, without repeated keys.
type Keyed<'t> = Vec<(Key, Term<'t>, Term<'t>)>;

/// Returns the pairs of a property list, `None` for other lists.
fn property_pairs(list: List<'_>) -> Option<Keyed<'_>> {
    let mut items = list.items();
    let pairs: Keyed<'_> = items
        .by_ref()
        .map(|item| {
            let [key, value] = item.term()?.as_tuple_of()?;
            Some((Key::from_term(key)?, key, value))
        })
        .collect::<Option<_>>()?;
    if items.tail().is_some() { None } else { unique_keys(pairs) }
}

fn map_pairs(pairs: Pairs<'_>) -> Option<Keyed<'_>> {
    let mut terms = pairs.terms();
    let mut keyed = Vec::new();
    while let (Some(key), Some(value)) = (terms.next(), terms.next()) {
        let canonical = || {
            // One encoding, so that equal keys are equal bytes.
            let tree = key.recode(WriterProfile::Otp17);
            Key::Term(tree.map_or_else(|_| key.as_bytes().to_vec(), |tree| tree.as_bytes().to_vec()))
        };
        keyed.push((Key::from_term(key).unwrap_or_else(canonical), key, value));
    }
    unique_keys(keyed)
}

fn unique_keys(pairs: Keyed<'_>) -> Option<Keyed<'_>> {
    let mut seen = std::collections::HashSet::new();
    let once = pairs.iter().all(|(key, ..)| seen.insert(key));
    once.then_some(pairs)
}

fn by_key<'t>(old: Keyed<'t>, new: Keyed<'t>) -> Vec<Pair<'t>> {
    let mut parts: Vec<Pair<'t>> = Vec::with_capacity(old.len());
    let mut indices = HashMap::new();
    for (index, (key, name, value)) in old.into_iter().enumerate() {
        parts.push((Step::Key(name), Some(ListItem::Term(value)), None));
        indices.insert(key, index);
    }
    for (key, name, value) in new {
        match indices.get(&key).and_then(|&index| parts.get_mut(index)) {
            Some(part) => part.2 = Some(ListItem::Term(value)),
            None => parts.push((Step::Key(name), None, Some(ListItem::Term(value)))),
        }
    }
    parts
}

/// Pairs items by index. In lists of different lengths, equal items at the start and at the end are skipped first.
fn align_items<'t>(old: Vec<ListItem<'t>>, new: Vec<ListItem<'t>>, budget: &mut usize) -> Vec<Pair<'t>> {
    let index = |(index, (old, new)): (usize, (ListItem<'t>, ListItem<'t>))| (Step::Index(index), Some(old), Some(new));
    if old.len() == new.len() {
        return old.into_iter().zip(new).enumerate().map(index).collect();
    }
    let mut same = |(old, new): &(&ListItem<'t>, &ListItem<'t>)| {
        if same_bytes(**old, **new) {
            return true;
        }
        let (Some(old), Some(new)) = (old.term(), new.term()) else { return false };
        *budget = budget.saturating_sub(old.as_bytes().len()).saturating_sub(new.as_bytes().len());
        *budget > 0 && old.same_value(new)
    };
    let start = old.iter().zip(&new).take_while(&mut same).count();
    let left = old.len().min(new.len()).saturating_sub(start);
    let end = old.iter().rev().zip(new.iter().rev()).take(left).take_while(&mut same).count();
    let middle =
        |items: &[ListItem<'t>]| items.get(start..items.len().saturating_sub(end)).unwrap_or_default().to_vec();
    let (old, new) = (middle(&old), middle(&new));
    let count = old.len().max(new.len());
    let at = |items: &[ListItem<'t>], index: usize| items.get(index).copied();
    (0..count).map(|index| (Step::Index(start.saturating_add(index)), at(&old, index), at(&new, index))).collect()
}

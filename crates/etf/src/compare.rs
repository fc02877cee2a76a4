//! Comparison of values, and detection of repeated map keys.

use std::cmp::Ordering;

use crate::{Elements, Integer, ListItem, ListItems, Tag, Term, Tree, Value};

impl<'t> Term<'t> {
    /// Returns `true` if two terms have the same value in any encoding, as Erlang's `=:=` does.
    ///
    /// Integers, atoms, lists, tuples, binaries and bit strings are compared across all their tags. Pids, ports and references
    /// are compared by their parts, maps regardless of order. 1 and 1.0 differ; 0.0 and −0.0 are equal, as up to OTP 26.
    ///
    /// Terms without an Erlang value are compared too. All floats that are not finite and all malformed text floats are equal.
    /// Invalid UTF-8 in atoms is compared by bytes, and repeated keys of a map in their order. Funs and terms of tag 121 are
    /// equal if their bytes are.
    ///
    /// Time is O(n log n), memory is linear in the number of map keys, and there is no recursion.
    pub fn same_value(self, other: Term<'_>) -> bool {
        self.as_bytes() == other.as_bytes()
            || compare(
                (Item::Term(self), MapKeys::from_term(self).sorted()),
                (Item::Term(other), MapKeys::from_term(other).sorted()),
            )
            .is_eq()
    }
}

/// Sorted keys of all maps in a term, so that maps can be compared regardless of their order.
pub(crate) struct MapKeys<'t> {
    tree: &'t Tree,
    /// Offset of each map with several keys, and the start of its keys in `keys`. In file order.
    maps: Vec<(u32, u32)>,
    /// Keys of the maps, starting with the last map.
    keys: Vec<Location>,
}

impl<'t> MapKeys<'t> {
    /// Sorts the keys of all maps in a term.
    pub(crate) fn from_term(term: Term<'t>) -> Self {
        let sorted_maps = |term: Term<'t>| term.descendants().filter(|term| has_several_keys(*term));
        // Count first: growing vectors would take half as much memory again.
        let mut maps = Vec::with_capacity(sorted_maps(term).count());
        maps.extend(sorted_maps(term).map(Term::location));
        let mut keys: Vec<Location> = Vec::with_capacity(sorted_maps(term).map(|map| map.children().len() / 2).sum());
        let tree = term.tree();
        // A nested map comes later in the file. Going backwards, it is sorted before a key that contains it is compared.
        for index in (0..maps.len()).rev() {
            let Some((slot, later)) = maps.get_mut(index..).and_then(<[_]>::split_first_mut) else { break };
            let start = keys.len();
            keys.extend(tree.term(*slot).children().step_by(2).map(Term::location));
            let (sorted, own) = keys.split_at_mut(start);
            let sorted = SortedMaps { tree, maps: later, keys: sorted };
            own.sort_unstable_by(|&a, &b| sorted.compare(a, b).then(a.cmp(&b)));
            #[expect(clippy::cast_possible_truncation, reason = "fewer keys than bytes of a tree, which fit 32 bits")]
            let start = start as u32;
            slot.1 = start;
        }
        Self { tree, maps, keys }
    }

    fn sorted(&self) -> SortedMaps<'_, 't> {
        SortedMaps { tree: self.tree, maps: &self.maps, keys: &self.keys }
    }

    /// Returns the keys that occur earlier in their map, in any encoding.
    pub(crate) fn repeated_keys(&self) -> impl Iterator<Item = Term<'t>> {
        let sorted = self.sorted();
        let repeated = move |pair: &[Location]| match pair {
            &[first, second] if sorted.compare(first, second).is_eq() => Some(sorted.tree.term(second)),
            _ => None,
        };
        self.maps.iter().flat_map(move |&(map, _)| sorted.keys_of(map).windows(2).filter_map(repeated))
    }
}

/// Offset and span index of a term; see [`Term::location`].
type Location = (u32, u32);

/// Borrowed view of the maps whose keys are already sorted.
#[derive(Clone, Copy)]
struct SortedMaps<'a, 't> {
    tree: &'t Tree,
    maps: &'a [(u32, u32)],
    keys: &'a [Location],
}

fn has_several_keys(term: Term<'_>) -> bool {
    term.tag() == Tag::MAP && term.children().len() > 2
}

impl<'a, 't> SortedMaps<'a, 't> {
    /// Returns the sorted keys of the map at an offset.
    fn keys_of(self, map: u32) -> &'a [Location] {
        let Ok(index) = self.maps.binary_search_by_key(&map, |&(at, _)| at) else { return &[] };
        let Some(start) = self.maps.get(index) else { return &[] };
        // The keys of the map before it in the file follow.
        let end = index.checked_sub(1).and_then(|before| self.maps.get(before));
        let end = end.map_or(self.keys.len(), |&(_, end)| end as usize);
        self.keys.get(start.1 as usize..end).unwrap_or_default()
    }

    fn compare(self, a: Location, b: Location) -> Ordering {
        compare((Item::Term(self.tree.term(a)), self), (Item::Term(self.tree.term(b)), self))
    }

    fn parts(self, value: &Value<'t>, term: Item<'t>) -> Option<Parts<'a, 't>> {
        Some(match *value {
            Value::Tuple(elements) => Parts::Terms(elements),
            Value::List(list) => Parts::List(list.items()),
            Value::Map(pairs) => match term {
                Item::Term(map) | Item::Tail(map) if has_several_keys(map) => {
                    Parts::Map { tree: self.tree, keys: self.keys_of(map.location().0), value: None }
                }
                _ => Parts::Terms(pairs.terms()),
            },
            _ => return None,
        })
    }
}

/// A term, or an element or the tail of a list.
#[derive(Clone, Copy)]
enum Item<'t> {
    Term(Term<'t>),
    Byte(u8),
    /// Tail of an improper list.
    Tail(Term<'t>),
}

/// Remaining parts of a term.
enum Parts<'a, 't> {
    Terms(Elements<'t>),
    List(ListItems<'t>),
    /// An improper list after its tail.
    Done,
    Map {
        tree: &'t Tree,
        keys: &'a [Location],
        value: Option<Term<'t>>,
    },
}

impl<'t> Parts<'_, 't> {
    fn next(&mut self) -> Option<Item<'t>> {
        match self {
            Self::Terms(terms) => terms.next().map(Item::Term),
            Self::List(items) => match items.next() {
                Some(ListItem::Term(term)) => Some(Item::Term(term)),
                Some(ListItem::Byte(byte)) => Some(Item::Byte(byte)),
                None => {
                    let tail = items.tail().map(Item::Tail);
                    *self = Self::Done;
                    tail
                }
            },
            Self::Done => None,
            Self::Map { tree, keys, value } => {
                if let Some(value) = value.take() {
                    return Some(Item::Term(value));
                }
                let (&key, rest) = keys.split_first()?;
                *keys = rest;
                let key = tree.term(key);
                *value = Some(key.following());
                Some(Item::Term(key))
            }
        }
    }
}

/// Compares terms by value, in a total order that is not Erlang's. Stops at the first difference.
fn compare<'t>((a, in_a): (Item<'t>, SortedMaps<'_, 't>), (b, in_b): (Item<'t>, SortedMaps<'_, 't>)) -> Ordering {
    let mut open: Vec<(Parts<'_, 't>, Parts<'_, 't>)> = Vec::new();
    let (mut a, mut b) = (a, b);
    loop {
        (a, b) = (resolved(a), resolved(b));
        let (left, right) = (value(a), value(b));
        let order = rank(&a, &left).cmp(&rank(&b, &right)).then_with(|| compare_leaves(&left, &right, a, b));
        if order.is_ne() {
            return order;
        }
        open.extend(in_a.parts(&left, a).zip(in_b.parts(&right, b)));
        loop {
            let Some((left, right)) = open.last_mut() else { return Ordering::Equal };
            match (left.next(), right.next()) {
                (None, None) => drop(open.pop()),
                (None, Some(_)) => return Ordering::Less,
                (Some(_), None) => return Ordering::Greater,
                (Some(left), Some(right)) => {
                    (a, b) = (left, right);
                    break;
                }
            }
        }
    }
}

/// Replaces a LIST without elements by its tail.
fn resolved(item: Item<'_>) -> Item<'_> {
    match item {
        Item::Term(term) => Item::Term(term.resolved()),
        Item::Tail(term) => Item::Tail(term.resolved()),
        Item::Byte(_) => item,
    }
}

fn value(item: Item<'_>) -> Value<'_> {
    match item {
        Item::Term(term) | Item::Tail(term) => term.value(),
        Item::Byte(byte) => Value::Integer(Integer::from(byte)),
    }
}

/// Returns the sort rank. Tails precede elements, so that a list precedes a longer one with the same start.
fn rank(item: &Item<'_>, value: &Value<'_>) -> (bool, u8) {
    let kind = match value {
        Value::Integer(_) => 0,
        Value::Float(_) => 1,
        Value::Atom(_) => 2,
        Value::Tuple(_) => 3,
        Value::List(_) => 4,
        Value::Map(_) => 5,
        Value::Binary(_) => 6,
        Value::Bits { .. } => 7,
        Value::Pid(_) => 8,
        Value::Port(_) => 9,
        Value::Reference(_) => 10,
        Value::Export(_) => 11,
        Value::Fun(_) => 12,
        Value::Other(_) => 13,
    };
    (!matches!(item, Item::Tail(_)), kind)
}

/// Compares two values of one kind, without their children.
fn compare_leaves(a: &Value<'_>, b: &Value<'_>, a_item: Item<'_>, b_item: Item<'_>) -> Ordering {
    match (a, b) {
        (Value::Integer(a), Value::Integer(b)) => a.cmp(b),
        (Value::Float(a), Value::Float(b)) => match (a.is_finite(), b.is_finite()) {
            (true, true) => a.partial_cmp(b).unwrap_or(Ordering::Equal),
            (a, b) => a.cmp(&b),
        },
        (Value::Atom(a), Value::Atom(b)) => a.cmp(b),
        (Value::Tuple(a), Value::Tuple(b)) => a.len().cmp(&b.len()),
        (Value::Map(a), Value::Map(b)) => a.len().cmp(&b.len()),
        (Value::Binary(a), Value::Binary(b)) => a.cmp(b),
        (Value::Bits { bytes: a, last: a_last }, Value::Bits { bytes: b, last: b_last }) => {
            // Unused bits are not part of the value.
            let used = |bytes: &[u8], last: u8| {
                bytes.last().map(|byte| byte & !0xFF_u8.checked_shr(last.into()).unwrap_or_default())
            };
            let head = |bytes: &[u8]| bytes.len().saturating_sub(1);
            let heads = a.iter().take(head(a)).cmp(b.iter().take(head(b)));
            heads.then(a_last.cmp(b_last)).then_with(|| used(a, *a_last).cmp(&used(b, *b_last)))
        }
        (Value::Pid(a), Value::Pid(b)) => a.cmp(b),
        (Value::Port(a), Value::Port(b)) => a.cmp(b),
        (Value::Reference(a), Value::Reference(b)) => a.cmp(b),
        (Value::Export(a), Value::Export(b)) => a.cmp(b),
        (Value::Fun(_) | Value::Other(_), Value::Fun(_) | Value::Other(_)) => match (a_item, b_item) {
            (Item::Term(a) | Item::Tail(a), Item::Term(b) | Item::Tail(b)) => a.as_bytes().cmp(b.as_bytes()),
            _ => Ordering::Equal,
        },
        // Lists, and values of different kinds, whose order is that of their ranks.
        _ => Ordering::Equal,
    }
}

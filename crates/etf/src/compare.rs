//! Whether terms mean the same, and which keys of a map do.

use std::cmp::Ordering;

use crate::{Elements, Integer, ListItem, ListItems, Tag, Term, Tree, Value};

impl<'t> Term<'t> {
    /// Whether two terms have the same value, however they are spelled: what Erlang's `=:=` would say of them.
    ///
    /// Integers, atoms, lists, tuples, binaries and bit strings are compared across all their tags, pids, ports and
    /// references by their parts, maps without regard to order. 1 and 1.0 differ; 0.0 and −0.0 are equal, as they were up
    /// to OTP 26. What Erlang has no value for is compared too: floats that are not finite and malformed text floats are
    /// all equal, bytes of atoms that are not UTF-8 are what they are, and keys that a map repeats are compared in their
    /// order. Funs and terms opaque to all but their node are equal if their bytes are.
    ///
    /// Takes time n·log n and memory for the maps in the terms, and no recursion.
    pub fn same_value(self, other: Term<'_>) -> bool {
        self.as_bytes() == other.as_bytes()
            || compare((Item::Term(self), Maps::of(self).known()), (Item::Term(other), Maps::of(other).known())).is_eq()
    }
}

/// The keys of all maps in a term, in an order of values, so that maps can be compared whatever the order in the file.
pub(crate) struct Maps<'t> {
    tree: &'t Tree,
    /// Where each map of two pairs or more begins, and where its keys begin in `keys`; in the order of the file.
    maps: Vec<(u32, u32)>,
    /// The keys of the last map, of the one before it, and so on.
    keys: Vec<Place>,
}

impl<'t> Maps<'t> {
    /// Sorts the keys of all maps in a term.
    pub(crate) fn of(term: Term<'t>) -> Self {
        let all = |term: Term<'t>| term.descendants().filter(|term| is_sorted(*term));
        // Counted first: vectors that grow would take half as much again.
        let mut maps = Vec::with_capacity(all(term).count());
        maps.extend(all(term).map(Term::place));
        let mut keys: Vec<Place> = Vec::with_capacity(all(term).map(|map| map.children().len() / 2).sum());
        let tree = term.tree();
        // A map inside another one comes later in the file: it is sorted by the time its own place in a key matters.
        for index in (0..maps.len()).rev() {
            let Some((slot, later)) = maps.get_mut(index..).and_then(<[_]>::split_first_mut) else { break };
            let start = keys.len();
            keys.extend(tree.term(*slot).children().step_by(2).map(Term::place));
            let (known, own) = keys.split_at_mut(start);
            let known = Known { tree, maps: later, keys: known };
            own.sort_unstable_by(|&a, &b| known.compare(a, b).then(a.cmp(&b)));
            #[expect(clippy::cast_possible_truncation, reason = "fewer keys than bytes of a tree, which fit 32 bits")]
            let start = start as u32;
            slot.1 = start;
        }
        Self { tree, maps, keys }
    }

    fn known(&self) -> Known<'_, 't> {
        Known { tree: self.tree, maps: &self.maps, keys: &self.keys }
    }

    /// The keys that stand in their map before, in one spelling or another.
    pub(crate) fn repeated_keys(&self) -> impl Iterator<Item = Term<'t>> {
        let known = self.known();
        let repeated = move |pair: &[Place]| match pair {
            &[first, second] if known.compare(first, second).is_eq() => Some(known.tree.term(second)),
            _ => None,
        };
        self.maps.iter().flat_map(move |&(map, _)| known.keys_of(map).windows(2).filter_map(repeated))
    }
}

/// Where a term begins, and the span that it has or would have.
type Place = (u32, u32);

/// Maps whose keys are sorted.
#[derive(Clone, Copy)]
struct Known<'a, 't> {
    tree: &'t Tree,
    maps: &'a [(u32, u32)],
    keys: &'a [Place],
}

fn is_sorted(term: Term<'_>) -> bool {
    term.tag() == Tag::MAP && term.children().len() > 2
}

impl<'a, 't> Known<'a, 't> {
    /// The sorted keys of the map that begins at an offset.
    fn keys_of(self, map: u32) -> &'a [Place] {
        let Ok(index) = self.maps.binary_search_by_key(&map, |&(at, _)| at) else { return &[] };
        let Some(start) = self.maps.get(index) else { return &[] };
        // The keys of the map before it in the file follow.
        let end = index.checked_sub(1).and_then(|before| self.maps.get(before));
        let end = end.map_or(self.keys.len(), |&(_, end)| end as usize);
        self.keys.get(start.1 as usize..end).unwrap_or_default()
    }

    fn compare(self, a: Place, b: Place) -> Ordering {
        compare((Item::Term(self.tree.term(a)), self), (Item::Term(self.tree.term(b)), self))
    }

    fn parts(self, value: &Value<'t>, term: Item<'t>) -> Option<Parts<'a, 't>> {
        Some(match *value {
            Value::Tuple(elements) => Parts::Terms(elements),
            Value::List(list) => Parts::List(list.items()),
            Value::Map(pairs) => match term {
                Item::Term(map) | Item::Tail(map) if is_sorted(map) => {
                    Parts::Map { tree: self.tree, keys: self.keys_of(map.place().0), value: None }
                }
                _ => Parts::Terms(pairs.terms()),
            },
            _ => return None,
        })
    }
}

/// A term, or what stands in a list.
#[derive(Clone, Copy)]
enum Item<'t> {
    Term(Term<'t>),
    Byte(u8),
    /// What an improper list ends in.
    Tail(Term<'t>),
}

/// What is left to compare of a term.
enum Parts<'a, 't> {
    Terms(Elements<'t>),
    List(ListItems<'t>),
    /// An improper list whose tail was given.
    Done,
    Map {
        tree: &'t Tree,
        keys: &'a [Place],
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

/// Orders terms by their values, in some total order that is not Erlang's. Stops at the first difference.
fn compare<'t>((a, in_a): (Item<'t>, Known<'_, 't>), (b, in_b): (Item<'t>, Known<'_, 't>)) -> Ordering {
    let mut open: Vec<(Parts<'_, 't>, Parts<'_, 't>)> = Vec::new();
    let (mut a, mut b) = (a, b);
    loop {
        (a, b) = (resolved(a), resolved(b));
        let (left, right) = (value(a), value(b));
        let order = rank(&a, &left).cmp(&rank(&b, &right)).then_with(|| leaves(&left, &right, a, b));
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

/// The term that a list of no elements stands for.
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

/// Tails come before elements, so that a list comes before those that go on; then sorts of values.
fn rank(item: &Item<'_>, value: &Value<'_>) -> (bool, u8) {
    let sort = match value {
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
    (!matches!(item, Item::Tail(_)), sort)
}

/// Orders two values of one sort as far as it can be done without looking into them.
fn leaves(a: &Value<'_>, b: &Value<'_>, a_item: Item<'_>, b_item: Item<'_>) -> Ordering {
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
            // Unused bits mean nothing.
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
        // Lists, and values of two sorts, which are in order by their rank.
        _ => Ordering::Equal,
    }
}

//! Looking into a tree: views that cost nothing and copy nothing.

use std::borrow::Cow;
use std::fmt;
use std::ops::Range;

use crate::shape::{Shape, shape};
use crate::{Tag, Tree};

/// One term of a [`Tree`]: a place in its bytes.
#[derive(Clone, Copy)]
pub struct Term<'t> {
    tree: &'t Tree,
    /// Where the term begins.
    at: u32,
    /// The span of the term, or where its span would be.
    span: u32,
}

/// What a term means, whatever tag spells it.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub enum Value<'t> {
    /// An integer of any size.
    Integer(Integer<'t>),
    /// A float; not finite only if it was read leniently.
    Float(f64),
    /// An atom.
    Atom(Atom<'t>),
    /// A tuple.
    Tuple(Elements<'t>),
    /// A list, empty, proper or improper.
    List(List<'t>),
    /// A map, in the order of the file.
    Map(Pairs<'t>),
    /// Bytes.
    Binary(&'t [u8]),
    /// A bit string whose last byte is partly used.
    Bits {
        /// The bytes, with whatever stands in the unused bits.
        bytes: &'t [u8],
        /// Bits used in the last byte, from the top.
        last: u8,
    },
    /// A pid, port, reference, fun or export, or a term opaque to all but its node: see its tag and bytes.
    Other(Tag),
}

impl<'t> Term<'t> {
    pub(crate) fn new(tree: &'t Tree, at: u32, span: u32) -> Self {
        Self { tree, at, span }
    }

    /// The tag that spells the term.
    pub fn tag(self) -> Tag {
        Tag(self.rest().first().copied().unwrap_or_default())
    }

    /// Where the term stands in the bytes of its tree.
    pub fn range(self) -> Range<usize> {
        self.at as usize..self.after().0 as usize
    }

    /// The bytes that spell the term.
    pub fn as_bytes(self) -> &'t [u8] {
        self.tree.as_bytes().get(self.range()).unwrap_or_default()
    }

    /// The term as a tree of its own.
    pub fn to_tree(self) -> Tree {
        // The bytes were read before, so they are one whole term.
        Tree::from_bytes_with(self.as_bytes(), &crate::tree::unlimited()).unwrap_or_default()
    }

    /// What the term means.
    pub fn value(self) -> Value<'t> {
        let term = self.resolved();
        let body = term.body();
        match term.tag() {
            tag if tag.is_integer() => integer(tag, body).map_or(Value::Other(tag), Value::Integer),
            Tag::NEW_FLOAT | Tag::FLOAT => Value::Float(term.float().unwrap_or(f64::NAN)),
            tag if tag.is_atom() => atom_at(term.rest()).map_or(Value::Other(tag), |(_, atom)| Value::Atom(atom)),
            Tag::SMALL_TUPLE | Tag::LARGE_TUPLE => Value::Tuple(term.children()),
            Tag::NIL | Tag::STRING | Tag::LIST => Value::List(List { term }),
            Tag::MAP => Value::Map(Pairs { terms: term.children() }),
            Tag::BINARY => Value::Binary(term.as_bytes().get(5..).unwrap_or_default()),
            Tag::BIT_BINARY => {
                let bytes = term.as_bytes().get(6..).unwrap_or_default();
                match body.get(4) {
                    Some(&last) if last != 8 && !bytes.is_empty() => Value::Bits { bytes, last },
                    _ => Value::Binary(bytes),
                }
            }
            tag => Value::Other(tag),
        }
    }

    /// The integer, if the term is one.
    pub fn as_integer(self) -> Option<Integer<'t>> {
        let term = self.resolved();
        integer(term.tag(), term.body())
    }

    /// The integer, if the term is one that fits.
    #[inline]
    pub fn as_i64(self) -> Option<i64> {
        // The commonest tag of all real files.
        match *self.rest() {
            [97, value, ..] => Some(value.into()),
            _ => self.as_integer().and_then(Integer::to_i64),
        }
    }

    /// The float, if the term is one. Integers are not floats.
    pub fn as_f64(self) -> Option<f64> {
        match self.value() {
            Value::Float(value) => Some(value),
            _ => None,
        }
    }

    /// The atom, if the term is one.
    pub fn as_atom(self) -> Option<Atom<'t>> {
        match self.value() {
            Value::Atom(atom) => Some(atom),
            _ => None,
        }
    }

    /// Whether the term is this atom, in any spelling.
    pub fn is_atom(self, name: &str) -> bool {
        self.as_atom().is_some_and(|atom| atom == *name)
    }

    /// The bytes, if the term is a binary.
    pub fn as_binary(self) -> Option<&'t [u8]> {
        match self.value() {
            Value::Binary(bytes) => Some(bytes),
            _ => None,
        }
    }

    /// The elements, if the term is a tuple.
    pub fn as_tuple(self) -> Option<Elements<'t>> {
        match self.value() {
            Value::Tuple(elements) => Some(elements),
            _ => None,
        }
    }

    /// The elements, if the term is a tuple of so many.
    pub fn as_tuple_of<const N: usize>(self) -> Option<[Term<'t>; N]> {
        let mut elements = self.as_tuple().filter(|elements| elements.len() == N)?;
        let mut all = [self; N];
        for place in &mut all {
            *place = elements.next()?;
        }
        Some(all)
    }

    /// Key and value, if the term is a pair whose first element is an atom.
    pub fn as_property(self) -> Option<(Atom<'t>, Term<'t>)> {
        let [key, value] = self.as_tuple_of()?;
        Some((key.as_atom()?, value))
    }

    /// The list, if the term is one.
    pub fn as_list(self) -> Option<List<'t>> {
        match self.value() {
            Value::List(list) => Some(list),
            _ => None,
        }
    }

    /// The element of a tuple at `index`, counted from 0.
    pub fn element(self, index: usize) -> Option<Term<'t>> {
        self.as_tuple()?.nth(index)
    }

    /// The terms that stand directly in this one, in the order of the bytes: elements of a tuple, elements and tail of a
    /// list, keys and values of a map, free variables of a fun.
    pub fn children(self) -> Elements<'t> {
        match shape(self.rest()) {
            #[expect(clippy::cast_possible_truncation, reason = "read before: counts and headers fit")]
            Ok(Shape::Branch { header, children }) => Elements {
                tree: self.tree,
                at: self.at.saturating_add(header as u32),
                span: self.span.saturating_add(1),
                left: children as u32,
            },
            _ => Elements { tree: self.tree, at: self.at, span: self.span, left: 0 },
        }
    }

    /// The term that a list of no elements stands for: its tail.
    fn resolved(self) -> Self {
        let mut term = self;
        while let [108, 0, 0, 0, 0, ..] = *term.rest() {
            match term.children().next() {
                Some(tail) => term = tail,
                None => break,
            }
        }
        term
    }

    fn float(self) -> Option<f64> {
        match self.tag() {
            Tag::NEW_FLOAT => self.body().first_chunk().copied().map(f64::from_be_bytes),
            _ => text_float(self.body().get(..31)?),
        }
    }

    /// Everything from the tag on.
    fn rest(self) -> &'t [u8] {
        self.tree.as_bytes().get(self.at as usize..).unwrap_or_default()
    }

    /// Everything behind the tag.
    fn body(self) -> &'t [u8] {
        self.rest().get(1..).unwrap_or_default()
    }

    /// Where the term ends, and the first span behind it.
    #[inline]
    fn after(self) -> (u32, u32) {
        match shape(self.rest()) {
            #[expect(clippy::cast_possible_truncation, reason = "read before: the tree fits 32 bits")]
            Ok(Shape::Leaf(length)) => (self.at.saturating_add(length as u32), self.span),
            Ok(Shape::Branch { .. }) => {
                let span = self.tree.span(self.span);
                (span.end, span.next)
            }
            Err(_) => (u32::MAX, u32::MAX),
        }
    }
}

impl fmt::Debug for Term<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}, {} bytes", self.tag(), self.range().len())
    }
}

/// Terms that stand side by side: see [`Term::children`].
#[derive(Debug, Clone, Copy)]
pub struct Elements<'t> {
    tree: &'t Tree,
    at: u32,
    span: u32,
    left: u32,
}

impl<'t> Iterator for Elements<'t> {
    type Item = Term<'t>;

    #[inline]
    fn next(&mut self) -> Option<Term<'t>> {
        self.left = self.left.checked_sub(1)?;
        let term = Term { tree: self.tree, at: self.at, span: self.span };
        (self.at, self.span) = term.after();
        Some(term)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.left as usize, Some(self.left as usize))
    }
}

impl ExactSizeIterator for Elements<'_> {}

/// Keys and values of a map, in the order of the file.
#[derive(Debug, Clone, Copy)]
pub struct Pairs<'t> {
    terms: Elements<'t>,
}

impl<'t> Pairs<'t> {
    /// Keys and values in turn.
    pub fn terms(self) -> Elements<'t> {
        self.terms
    }
}

impl<'t> Iterator for Pairs<'t> {
    type Item = (Term<'t>, Term<'t>);

    fn next(&mut self) -> Option<Self::Item> {
        Some((self.terms.next()?, self.terms.next()?))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = self.terms.len() / 2;
        (left, Some(left))
    }
}

impl ExactSizeIterator for Pairs<'_> {}

/// A list in any spelling: NIL, STRING, LIST, and LISTs whose tails are lists.
#[derive(Debug, Clone, Copy)]
pub struct List<'t> {
    term: Term<'t>,
}

/// An element of a list. Those of a STRING are bytes without a term of their own.
#[derive(Debug, Clone, Copy)]
pub enum ListItem<'t> {
    /// An element of a LIST.
    Term(Term<'t>),
    /// An element of a STRING.
    Byte(u8),
}

impl<'t> List<'t> {
    /// The elements.
    pub fn items(self) -> ListItems<'t> {
        let mut items = ListItems { terms: self.term.children(), bytes: &[], tail: Some(self.term) };
        items.enter();
        items
    }

    /// Whether the list has no elements.
    pub fn is_empty(self) -> bool {
        self.items().next().is_none()
    }

    /// The elements as terms, if the list is proper; `None` if it is improper or holds a non-empty STRING.
    pub fn terms(self) -> Option<Vec<Term<'t>>> {
        let mut items = self.items();
        let terms = items.by_ref().map(ListItem::term).collect::<Option<_>>()?;
        items.tail().is_none().then_some(terms)
    }

    /// What stands behind the last element of an improper list.
    pub fn tail(self) -> Option<Term<'t>> {
        let mut items = self.items();
        items.by_ref().for_each(drop);
        items.tail()
    }

    /// The elements as integers, if the list is proper and all fit.
    pub fn to_integers(self) -> Option<Vec<i64>> {
        let mut items = self.items();
        let integers = items.by_ref().map(ListItem::as_i64).collect::<Option<_>>()?;
        items.tail().is_none().then_some(integers)
    }

    /// The elements as text, if the list is proper and all are code points.
    pub fn to_text(self) -> Option<String> {
        let mut items = self.items();
        let point = |item: ListItem<'t>| char::from_u32(u32::try_from(item.as_i64()?).ok()?);
        let text = items.by_ref().map(point).collect::<Option<_>>()?;
        items.tail().is_none().then_some(text)
    }
}

impl<'t> ListItem<'t> {
    /// The term, unless the element stands in a STRING.
    pub fn term(self) -> Option<Term<'t>> {
        match self {
            Self::Term(term) => Some(term),
            Self::Byte(_) => None,
        }
    }

    /// The integer, if the element is one that fits.
    pub fn as_i64(self) -> Option<i64> {
        match self {
            Self::Term(term) => term.as_i64(),
            Self::Byte(byte) => Some(byte.into()),
        }
    }
}

/// The elements of a [`List`].
#[derive(Debug, Clone, Copy)]
pub struct ListItems<'t> {
    /// What is left of the LIST at hand, its tail included.
    terms: Elements<'t>,
    /// What is left of the STRING at hand.
    bytes: &'t [u8],
    /// What comes when both are used up.
    tail: Option<Term<'t>>,
}

impl<'t> ListItems<'t> {
    /// What stands behind the last element: to be asked when there are no more. `None` for a proper list.
    pub fn tail(&self) -> Option<Term<'t>> {
        self.tail
    }

    /// Goes on into the tail while that is a list.
    fn enter(&mut self) {
        while let Some(list) = self.tail {
            match list.tag() {
                Tag::NIL => self.tail = None,
                Tag::STRING => {
                    self.bytes = list.as_bytes().get(3..).unwrap_or_default();
                    self.tail = None;
                }
                Tag::LIST => {
                    self.terms = list.children();
                    self.tail = None;
                    if self.terms.len() > 1 {
                        return;
                    }
                    self.tail = self.terms.next();
                }
                _ => return,
            }
        }
    }
}

impl<'t> Iterator for ListItems<'t> {
    type Item = ListItem<'t>;

    #[inline]
    fn next(&mut self) -> Option<ListItem<'t>> {
        if self.terms.len() > 0 {
            let term = self.terms.next()?;
            if self.terms.len() == 1 {
                self.tail = self.terms.next();
                self.enter();
            }
            return Some(ListItem::Term(term));
        }
        let (&byte, rest) = self.bytes.split_first()?;
        self.bytes = rest;
        Some(ListItem::Byte(byte))
    }
}

/// An atom's characters.
#[derive(Clone, Copy)]
pub struct Atom<'t> {
    bytes: &'t [u8],
    latin1: bool,
}

impl<'t> Atom<'t> {
    /// The bytes of the name, in Latin-1 or UTF-8.
    pub fn as_bytes(self) -> &'t [u8] {
        self.bytes
    }

    /// Whether the bytes are Latin-1 (tags 100 and 115) and not UTF-8.
    pub fn is_latin1(self) -> bool {
        self.latin1
    }

    /// The name. What is not UTF-8 in a UTF-8 atom becomes U+FFFD.
    pub fn name(self) -> Cow<'t, str> {
        if self.latin1 && !self.bytes.is_ascii() {
            return self.bytes.iter().map(|&byte| char::from(byte)).collect();
        }
        String::from_utf8_lossy(self.bytes)
    }
}

impl PartialEq<str> for Atom<'_> {
    fn eq(&self, name: &str) -> bool {
        if self.latin1 && !name.is_ascii() { self.name() == name } else { self.bytes == name.as_bytes() }
    }
}

impl PartialEq for Atom<'_> {
    fn eq(&self, other: &Self) -> bool {
        if self.latin1 == other.latin1 { self.bytes == other.bytes } else { self.name() == other.name() }
    }
}

impl Eq for Atom<'_> {}

impl fmt::Debug for Atom<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "'{}'", self.name())
    }
}

/// The length of the atom at the start of `rest` with its tag, and the atom.
pub(crate) fn atom_at(rest: &[u8]) -> Option<(usize, Atom<'_>)> {
    let tag = Tag(*rest.first()?);
    let Ok(Shape::Leaf(length)) = shape(rest) else { return None };
    let start = match tag {
        Tag::ATOM | Tag::ATOM_UTF8 => 3,
        Tag::SMALL_ATOM | Tag::SMALL_ATOM_UTF8 => 2,
        _ => return None,
    };
    let latin1 = matches!(tag, Tag::ATOM | Tag::SMALL_ATOM);
    Some((length, Atom { bytes: rest.get(start..length)?, latin1 }))
}

/// An integer of any size.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Integer<'t> {
    /// Whether the integer is below zero. Negative zero is zero.
    pub negative: bool,
    magnitude: Magnitude<'t>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Magnitude<'t> {
    Small(u32),
    /// Little-endian, without zero bytes at the high end.
    Big(&'t [u8]),
}

impl Integer<'_> {
    /// The absolute value, little-endian, without zero bytes at the high end.
    pub fn magnitude(&self) -> Cow<'_, [u8]> {
        match self.magnitude {
            Magnitude::Small(value) => trim(&value.to_le_bytes()).to_vec().into(),
            Magnitude::Big(bytes) => bytes.into(),
        }
    }

    /// The integer, if it fits.
    pub fn to_i64(self) -> Option<i64> {
        let absolute = match self.magnitude {
            Magnitude::Small(value) => value.into(),
            Magnitude::Big(bytes) => {
                let mut all = [0; 8];
                all.get_mut(..bytes.len())?.copy_from_slice(bytes);
                u64::from_le_bytes(all)
            }
        };
        let value = i128::from(absolute);
        i64::try_from(if self.negative { -value } else { value }).ok()
    }
}

fn integer(tag: Tag, body: &[u8]) -> Option<Integer<'_>> {
    match tag {
        Tag::SMALL_INTEGER => Some(Integer { negative: false, magnitude: Magnitude::Small((*body.first()?).into()) }),
        Tag::INTEGER => {
            let value = i32::from_be_bytes(*body.first_chunk()?);
            Some(Integer { negative: value < 0, magnitude: Magnitude::Small(value.unsigned_abs()) })
        }
        Tag::SMALL_BIG | Tag::LARGE_BIG => {
            let (count, rest) = match tag {
                Tag::SMALL_BIG => body.split_first().map(|(&count, rest)| (count.into(), rest))?,
                _ => body.split_first_chunk().map(|(count, rest)| (u32::from_be_bytes(*count) as usize, rest))?,
            };
            let (sign, rest) = rest.split_first()?;
            let magnitude = trim(rest.get(..count)?);
            Some(Integer { negative: *sign != 0 && !magnitude.is_empty(), magnitude: Magnitude::Big(magnitude) })
        }
        _ => None,
    }
}

/// Without zero bytes at the high end.
fn trim(bytes: &[u8]) -> &[u8] {
    let length = bytes.iter().rposition(|&byte| byte != 0).map_or(0, |last| last + 1);
    bytes.get(..length).unwrap_or_default()
}

/// The value of a text float as Erlang reads it: `[+-]?digits[.,]digits([eE][+-]?digits)?` up to a NUL, finite.
pub(crate) fn text_float(text: &[u8]) -> Option<f64> {
    let end = text.iter().position(|&byte| byte == 0)?;
    let text = std::str::from_utf8(text.get(..end)?).ok()?;
    let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
    let (whole, rest) = unsigned.split_once(['.', ','])?;
    let (fraction, exponent) = match rest.split_once(['e', 'E']) {
        Some((fraction, exponent)) => (fraction, Some(exponent.strip_prefix(['+', '-']).unwrap_or(exponent))),
        None => (rest, None),
    };
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    if !(digits(whole) && digits(fraction) && exponent.is_none_or(digits)) {
        return None;
    }
    text.replace(',', ".").parse().ok().filter(|value: &f64| value.is_finite())
}

//! Views of the terms of a tree. They copy nothing.

use std::ops::Range;

use crate::scalar::{parse_atom, parse_text_float};
use crate::shape::{Shape, known_shape};
use crate::{
    Atom, Builder, Export, Fun, Integer, List, Pid, Port, Reference, Tag, Tree, WriteError, WriterProfile, identity,
};

/// One term of a [`Tree`]: a position in its bytes.
#[derive(Clone, Copy)]
pub struct Term<'t> {
    tree: &'t Tree,
    /// Offset of the term.
    at: u32,
    /// Index of the span of the term, or of the next span if the term has none.
    span: u32,
}

/// Value of a term, independent of its tag.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub enum Value<'t> {
    /// An integer of any size.
    Integer(Integer<'t>),
    /// A float. It can be infinite or NaN only after lenient reading.
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
        /// The bytes, including the unused bits as they are in the file.
        bytes: &'t [u8],
        /// Number of used bits in the last byte, from the most significant.
        last: u8,
    },
    /// A process identifier.
    Pid(Pid<'t>),
    /// A port identifier.
    Port(Port<'t>),
    /// A reference.
    Reference(Reference<'t>),
    /// `fun module:function/arity`.
    Export(Export<'t>),
    /// A fun.
    Fun(Fun<'t>),
    /// A term that only the node that wrote it can read (tag 121). See [`Term::as_bytes`].
    Other(Tag),
}

impl<'t> Term<'t> {
    pub(crate) fn new(tree: &'t Tree, at: u32, span: u32) -> Self {
        Self { tree, at, span }
    }

    pub(crate) fn tree(self) -> &'t Tree {
        self.tree
    }

    /// Returns the tree if this term is its root.
    pub(crate) fn whole_tree(self) -> Option<&'t Tree> {
        (self.location() == (0, 0)).then_some(self.tree)
    }

    /// Returns the offset and the span index of the term, for [`Tree::term`].
    pub(crate) fn location(self) -> (u32, u32) {
        (self.at, self.span)
    }

    /// Returns the next term. This term must not be the last child of its parent.
    pub(crate) fn following(self) -> Self {
        let (at, span) = self.end();
        Self { at, span, ..self }
    }

    /// Returns the tag of the term.
    pub fn tag(self) -> Tag {
        Tag(self.remaining_bytes().first().copied().unwrap_or_default())
    }

    /// Returns the range of the term in the bytes of its tree.
    pub fn range(self) -> Range<usize> {
        self.at as usize..self.end().0 as usize
    }

    /// Returns the encoded bytes of the term.
    pub fn as_bytes(self) -> &'t [u8] {
        self.tree.as_bytes().get(self.range()).unwrap_or_default()
    }

    /// Encodes the value of the term as the profile does and returns it as a tree of its own. See [`Builder::recode`].
    ///
    /// # Errors
    /// [`WriteErrorKind::NotATerm`](crate::WriteErrorKind::NotATerm) for terms that only the lenient mode reads.
    pub fn recode(self, profile: WriterProfile) -> Result<Tree, WriteError> {
        let mut builder = Builder::new(profile);
        builder.recode(self);
        builder.finish()
    }

    /// Copies the term into a tree of its own.
    pub fn to_tree(self) -> Tree {
        self.tree.extract(self)
    }

    /// Returns the value of the term.
    #[inline]
    pub fn value(self) -> Value<'t> {
        let term = self.resolved();
        let body = term.body();
        match term.tag() {
            tag if tag.is_integer() => Integer::parse(tag, body).map_or(Value::Other(tag), Value::Integer),
            Tag::NEW_FLOAT | Tag::FLOAT => Value::Float(term.float().unwrap_or(f64::NAN)),
            tag if tag.is_atom() => {
                parse_atom(term.remaining_bytes()).map_or(Value::Other(tag), |(_, atom)| Value::Atom(atom))
            }
            Tag::SMALL_TUPLE | Tag::LARGE_TUPLE => Value::Tuple(term.children()),
            Tag::NIL | Tag::STRING | Tag::LIST => Value::List(List::new(term)),
            Tag::MAP => Value::Map(Pairs { terms: term.children() }),
            Tag::BINARY => Value::Binary(term.as_bytes().get(5..).unwrap_or_default()),
            Tag::BIT_BINARY => {
                let bytes = term.as_bytes().get(6..).unwrap_or_default();
                match body.get(4) {
                    Some(&last) if last != 8 && !bytes.is_empty() => Value::Bits { bytes, last },
                    _ => Value::Binary(bytes),
                }
            }
            tag => identity::parse_value(term).unwrap_or(Value::Other(tag)),
        }
    }

    /// Returns the integer if the term is one.
    pub fn as_integer(self) -> Option<Integer<'t>> {
        let term = self.resolved();
        Integer::parse(term.tag(), term.body())
    }

    /// Returns the integer if the term is one that fits an `i64`.
    #[inline]
    pub fn as_i64(self) -> Option<i64> {
        // The most frequent tags of real files.
        match *self.remaining_bytes() {
            [97, value, ..] => Some(value.into()),
            [98, a, b, c, d, ..] => Some(i32::from_be_bytes([a, b, c, d]).into()),
            _ => self.as_integer().and_then(Integer::to_i64),
        }
    }

    /// Returns the float if the term is one. Integers are not floats.
    pub fn as_f64(self) -> Option<f64> {
        match self.value() {
            Value::Float(value) => Some(value),
            _ => None,
        }
    }

    /// Returns the atom if the term is one.
    #[inline]
    pub fn as_atom(self) -> Option<Atom<'t>> {
        parse_atom(self.resolved().remaining_bytes()).map(|(_, atom)| atom)
    }

    /// Returns `true` if the term is this atom, in any encoding.
    pub fn is_atom(self, name: &str) -> bool {
        self.as_atom().is_some_and(|atom| atom == *name)
    }

    /// Returns the bytes if the term is a binary.
    #[inline]
    pub fn as_binary(self) -> Option<&'t [u8]> {
        // Binaries with another tag than 109 are rare.
        match *self.remaining_bytes() {
            [109, a, b, c, d, ref rest @ ..] => rest.get(..u32::from_be_bytes([a, b, c, d]) as usize),
            [77 | 108, ..] => match self.value() {
                Value::Binary(bytes) => Some(bytes),
                _ => None,
            },
            _ => None,
        }
    }

    /// Returns the elements if the term is a tuple.
    #[inline]
    pub fn as_tuple(self) -> Option<Elements<'t>> {
        let term = self.resolved();
        matches!(term.tag(), Tag::SMALL_TUPLE | Tag::LARGE_TUPLE).then(|| term.children())
    }

    /// Returns the elements if the term is a tuple of `N` elements.
    #[inline]
    pub fn as_tuple_of<const N: usize>(self) -> Option<[Term<'t>; N]> {
        let mut elements = self.as_tuple().filter(|elements| elements.len() == N)?;
        let mut array = [self; N];
        if let Some((last, others)) = array.split_last_mut() {
            for element in others {
                *element = elements.next()?;
            }
            // Without finding the end of the last element.
            *last = elements.first()?;
        }
        Some(array)
    }

    /// Returns key and value if the term is a pair whose first element is an atom.
    pub fn as_property(self) -> Option<(Atom<'t>, Term<'t>)> {
        let [key, value] = self.as_tuple_of()?;
        Some((key.as_atom()?, value))
    }

    /// Returns the list if the term is one.
    #[inline]
    pub fn as_list(self) -> Option<List<'t>> {
        let term = self.resolved();
        matches!(term.tag(), Tag::NIL | Tag::STRING | Tag::LIST).then(|| List::new(term))
    }

    /// Returns the element of a tuple at `index`, counted from 0.
    pub fn element(self, index: usize) -> Option<Term<'t>> {
        self.as_tuple()?.nth(index)
    }

    /// Returns the children of the term in file order: elements of a tuple, elements and tail of a list, keys and values of
    /// a map, free variables of a fun.
    #[inline]
    pub fn children(self) -> Elements<'t> {
        match known_shape(self.remaining_bytes()) {
            #[expect(clippy::cast_possible_truncation, reason = "counts and headers were checked by the reader")]
            Some(Shape::Branch { header, children }) => Elements {
                tree: self.tree,
                at: self.at.saturating_add(header as u32),
                span: self.span.saturating_add(1),
                left: children as u32,
            },
            _ => Elements { tree: self.tree, at: self.at, span: self.span, left: 0 },
        }
    }

    /// Returns the term and all terms in it, in file order. A term precedes its children.
    pub fn descendants(self) -> Descendants<'t> {
        Descendants { next: self, end: self.end().0 }
    }

    /// Returns the tail of a LIST without elements, which has the same value; otherwise the term itself.
    #[inline]
    pub(crate) fn resolved(self) -> Self {
        let mut term = self;
        while let [108, 0, 0, 0, 0, ..] = *term.remaining_bytes() {
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
            _ => parse_text_float(self.body().get(..31)?),
        }
    }

    /// Returns the bytes of the tree from the tag on.
    fn remaining_bytes(self) -> &'t [u8] {
        self.tree.as_bytes().get(self.at as usize..).unwrap_or_default()
    }

    /// Returns the bytes of the tree after the tag.
    fn body(self) -> &'t [u8] {
        self.remaining_bytes().get(1..).unwrap_or_default()
    }

    /// Returns the offset after the term, and the index of the first span after it.
    #[inline]
    pub(crate) fn end(self) -> (u32, u32) {
        match known_shape(self.remaining_bytes()) {
            #[expect(clippy::cast_possible_truncation, reason = "the reader accepts at most 32 bits")]
            Some(Shape::Leaf(length)) => (self.at.saturating_add(length as u32), self.span),
            Some(Shape::Branch { .. }) => {
                let span = self.tree.span(self.span);
                (span.end, span.next)
            }
            None => (u32::MAX, u32::MAX),
        }
    }
}

/// Children of a term. See [`Term::children`].
#[derive(Debug, Clone, Copy)]
pub struct Elements<'t> {
    tree: &'t Tree,
    at: u32,
    span: u32,
    left: u32,
}

impl<'t> Elements<'t> {
    /// Returns the next term without advancing.
    #[inline]
    pub(crate) fn first(&self) -> Option<Term<'t>> {
        (self.left > 0).then(|| self.tree.term((self.at, self.span)))
    }
}

impl<'t> Iterator for Elements<'t> {
    type Item = Term<'t>;

    #[inline]
    fn next(&mut self) -> Option<Term<'t>> {
        self.left = self.left.checked_sub(1)?;
        let term = self.tree.term((self.at, self.span));
        (self.at, self.span) = term.end();
        Some(term)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.left as usize, Some(self.left as usize))
    }
}

impl ExactSizeIterator for Elements<'_> {}

/// A term and all terms in it. See [`Term::descendants`].
#[derive(Debug, Clone, Copy)]
pub struct Descendants<'t> {
    next: Term<'t>,
    end: u32,
}

impl<'t> Descendants<'t> {
    /// Returns the bytes of the next terms.
    pub(crate) fn remaining_bytes(&self) -> &'t [u8] {
        self.next.tree.as_bytes().get(self.next.at as usize..self.end as usize).unwrap_or_default()
    }

    /// Returns the offset of the next term in the tree.
    pub(crate) fn offset(&self) -> usize {
        self.next.at as usize
    }

    /// Skips terms that have `bytes` bytes without their children, and `spans` of which have children.
    pub(crate) fn skip_terms(&mut self, bytes: usize, spans: u32) {
        #[expect(clippy::cast_possible_truncation, reason = "the reader accepts at most 32 bits")]
        let at = self.next.at.saturating_add(bytes as u32);
        self.next = Term { at, span: self.next.span.saturating_add(spans), ..self.next };
    }
}

impl<'t> Iterator for Descendants<'t> {
    type Item = Term<'t>;

    #[inline]
    fn next(&mut self) -> Option<Term<'t>> {
        let term = self.next;
        if term.at >= self.end {
            return None;
        }
        // This is the order of the bytes, so no stack is needed.
        let (length, spans) = match known_shape(term.remaining_bytes())? {
            Shape::Leaf(length) => (length, 0),
            Shape::Branch { header, .. } => (header, 1),
        };
        #[expect(clippy::cast_possible_truncation, reason = "the reader accepts at most 32 bits")]
        let at = term.at.saturating_add(length as u32);
        self.next = Term { at, span: term.span.saturating_add(spans), ..term };
        Some(term)
    }
}

/// Keys and values of a map, in file order.
#[derive(Debug, Clone, Copy)]
pub struct Pairs<'t> {
    terms: Elements<'t>,
}

impl<'t> Pairs<'t> {
    /// Returns keys and values alternately.
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

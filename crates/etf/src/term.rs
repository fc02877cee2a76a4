//! Looking into a tree: views that cost nothing and copy nothing.

use std::ops::Range;

use crate::scalar::{atom_at, text_float};
use crate::shape::{Shape, known};
use crate::{
    Atom, Builder, Export, Fun, Integer, List, Pid, Port, Profile, Reference, Tag, Tree, WriteError, identity,
};

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
    /// A term opaque to all but the node that made it (tag 121): see its bytes.
    Other(Tag),
}

impl<'t> Term<'t> {
    pub(crate) fn new(tree: &'t Tree, at: u32, span: u32) -> Self {
        Self { tree, at, span }
    }

    pub(crate) fn tree(self) -> &'t Tree {
        self.tree
    }

    /// The tree that it is all of.
    pub(crate) fn whole(self) -> Option<&'t Tree> {
        (self.place() == (0, 0)).then_some(self.tree)
    }

    /// Where the term begins, and the span that it has or would have: what [`Tree::term`] takes.
    pub(crate) fn place(self) -> (u32, u32) {
        (self.at, self.span)
    }

    /// The term that stands directly behind this one. Only for terms that are not the last of a term.
    pub(crate) fn following(self) -> Self {
        let (at, span) = self.after();
        Self { at, span, ..self }
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

    /// The value of the term as a tree of its own, spelled as the profile writes it: [`Builder::recode`].
    ///
    /// # Errors
    /// [`WriteErrorKind::NotATerm`](crate::WriteErrorKind::NotATerm) for what only the lenient mode reads.
    pub fn recode(self, profile: Profile) -> Result<Tree, WriteError> {
        let mut builder = Builder::new(profile);
        builder.recode(self);
        builder.finish()
    }

    /// The term as a tree of its own.
    pub fn to_tree(self) -> Tree {
        self.tree.cut(self.as_bytes(), self.at, self.span..self.after().1)
    }

    /// What the term means.
    #[inline]
    pub fn value(self) -> Value<'t> {
        let term = self.resolved();
        let body = term.body();
        match term.tag() {
            tag if tag.is_integer() => Integer::at(tag, body).map_or(Value::Other(tag), Value::Integer),
            Tag::NEW_FLOAT | Tag::FLOAT => Value::Float(term.float().unwrap_or(f64::NAN)),
            tag if tag.is_atom() => atom_at(term.rest()).map_or(Value::Other(tag), |(_, atom)| Value::Atom(atom)),
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
            tag => identity::value(term).unwrap_or(Value::Other(tag)),
        }
    }

    /// The integer, if the term is one.
    pub fn as_integer(self) -> Option<Integer<'t>> {
        let term = self.resolved();
        Integer::at(term.tag(), term.body())
    }

    /// The integer, if the term is one that fits.
    #[inline]
    pub fn as_i64(self) -> Option<i64> {
        // The commonest tags of all real files.
        match *self.rest() {
            [97, value, ..] => Some(value.into()),
            [98, a, b, c, d, ..] => Some(i32::from_be_bytes([a, b, c, d]).into()),
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
    #[inline]
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
    #[inline]
    pub fn as_binary(self) -> Option<&'t [u8]> {
        match self.value() {
            Value::Binary(bytes) => Some(bytes),
            _ => None,
        }
    }

    /// The elements, if the term is a tuple.
    #[inline]
    pub fn as_tuple(self) -> Option<Elements<'t>> {
        match self.value() {
            Value::Tuple(elements) => Some(elements),
            _ => None,
        }
    }

    /// The elements, if the term is a tuple of so many.
    #[inline]
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
    #[inline]
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
    #[inline]
    pub fn children(self) -> Elements<'t> {
        match known(self.rest()) {
            #[expect(clippy::cast_possible_truncation, reason = "read before: counts and headers fit")]
            Some(Shape::Branch { header, children }) => Elements {
                tree: self.tree,
                at: self.at.saturating_add(header as u32),
                span: self.span.saturating_add(1),
                left: children as u32,
            },
            _ => Elements { tree: self.tree, at: self.at, span: self.span, left: 0 },
        }
    }

    /// The term and everything in it, in the order of the bytes: every term before those that stand in it.
    pub fn descendants(self) -> Descendants<'t> {
        Descendants { next: self, end: self.after().0 }
    }

    /// The term that a list of no elements stands for: its tail.
    #[inline]
    pub(crate) fn resolved(self) -> Self {
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
        match known(self.rest()) {
            #[expect(clippy::cast_possible_truncation, reason = "read before: the tree fits 32 bits")]
            Some(Shape::Leaf(length)) => (self.at.saturating_add(length as u32), self.span),
            Some(Shape::Branch { .. }) => {
                let span = self.tree.span(self.span);
                (span.end, span.next)
            }
            None => (u32::MAX, u32::MAX),
        }
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
        let term = self.tree.term((self.at, self.span));
        (self.at, self.span) = term.after();
        Some(term)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.left as usize, Some(self.left as usize))
    }
}

impl ExactSizeIterator for Elements<'_> {}

/// A term and everything in it: see [`Term::descendants`].
#[derive(Debug, Clone, Copy)]
pub struct Descendants<'t> {
    next: Term<'t>,
    end: u32,
}

impl<'t> Iterator for Descendants<'t> {
    type Item = Term<'t>;

    #[inline]
    fn next(&mut self) -> Option<Term<'t>> {
        let term = self.next;
        if term.at >= self.end {
            return None;
        }
        // The bytes are in this very order: no stack is needed.
        let (length, spans) = match known(term.rest())? {
            Shape::Leaf(length) => (length, 0),
            Shape::Branch { header, .. } => (header, 1),
        };
        #[expect(clippy::cast_possible_truncation, reason = "read before: the tree fits 32 bits")]
        let at = term.at.saturating_add(length as u32);
        self.next = Term { at, span: term.span.saturating_add(spans), ..term };
        Some(term)
    }
}

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

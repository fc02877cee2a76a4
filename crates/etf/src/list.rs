//! Lists: one view of their four encodings.

use crate::{Elements, Tag, Term};

/// A list in any encoding: NIL, STRING, LIST, or a LIST whose tail is a list.
#[derive(Debug, Clone, Copy)]
pub struct List<'t> {
    term: Term<'t>,
}

/// Element of a list. The elements of a STRING are bytes without a term of their own.
#[derive(Debug, Clone, Copy)]
pub enum ListItem<'t> {
    /// An element of a LIST.
    Term(Term<'t>),
    /// An element of a STRING.
    Byte(u8),
}

impl<'t> List<'t> {
    pub(crate) fn new(term: Term<'t>) -> Self {
        Self { term }
    }

    /// Returns the elements.
    pub fn items(self) -> ListItems<'t> {
        let mut items = ListItems { terms: self.term.children(), bytes: &[], tail: Some(self.term) };
        items.enter_tail();
        items
    }

    /// Returns `true` if the list has no elements.
    pub fn is_empty(self) -> bool {
        self.items().next().is_none()
    }

    /// Returns the elements as terms. `None` if the list is improper or contains a non-empty STRING.
    pub fn terms(self) -> Option<Vec<Term<'t>>> {
        let mut items = self.items();
        let terms = items.by_ref().map(ListItem::term).collect::<Option<_>>()?;
        items.tail().is_none().then_some(terms)
    }

    /// Returns the tail of an improper list.
    pub fn tail(self) -> Option<Term<'t>> {
        let mut items = self.items();
        items.by_ref().for_each(drop);
        items.tail()
    }

    /// Returns the elements as integers if the list is proper and all of them fit an `i64`.
    pub fn to_integers(self) -> Option<Vec<i64>> {
        let mut items = self.items();
        let integers = items.by_ref().map(ListItem::as_i64).collect::<Option<_>>()?;
        items.tail().is_none().then_some(integers)
    }

    /// Returns the elements as text if the list is proper and all of them are code points.
    pub fn to_text(self) -> Option<String> {
        let mut items = self.items();
        let point = |item: ListItem<'t>| char::from_u32(u32::try_from(item.as_i64()?).ok()?);
        let text = items.by_ref().map(point).collect::<Option<_>>()?;
        items.tail().is_none().then_some(text)
    }
}

impl<'t> ListItem<'t> {
    /// Returns the term, or `None` for an element of a STRING.
    pub fn term(self) -> Option<Term<'t>> {
        match self {
            Self::Term(term) => Some(term),
            Self::Byte(_) => None,
        }
    }

    /// Returns the integer if the element is one that fits an `i64`.
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
    /// Remaining terms of the current LIST, including its tail.
    terms: Elements<'t>,
    /// Remaining bytes of the current STRING.
    bytes: &'t [u8],
    /// Term that follows both.
    tail: Option<Term<'t>>,
}

impl<'t> ListItems<'t> {
    /// Returns the tail of an improper list, `None` for a proper one. Valid once there are no more elements.
    pub fn tail(&self) -> Option<Term<'t>> {
        self.tail
    }

    /// Continues in the tail while it is a list.
    fn enter_tail(&mut self) {
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
                self.enter_tail();
            }
            return Some(ListItem::Term(term));
        }
        let (&byte, rest) = self.bytes.split_first()?;
        self.bytes = rest;
        Some(ListItem::Byte(byte))
    }

    /// Returns a lower bound: the tail may be a list, which is not counted.
    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.terms.len().saturating_sub(1).saturating_add(self.bytes.len()), None)
    }
}

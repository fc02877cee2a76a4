//! Names of objects, materials and lights.

use std::fmt;
use std::sync::Arc;

use mapwright_etf::{Builder, ListItem, Term, Tree, Value};

use super::value_tree;

/// A name: its text, and the term that spells it where the text alone would not bring that back.
///
/// Cloning is cheap, so every face can hold the name of its material.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Name(Arc<Spelled>);

#[derive(PartialEq, Eq, Hash)]
struct Spelled {
    text: Box<str>,
    odd: Option<Box<[u8]>>,
}

impl Name {
    /// The text, for people: code points that are none become U+FFFD.
    pub fn as_str(&self) -> &str {
        &self.0.text
    }

    /// Whether the name is spelled otherwise than names of its kind are: that of a material as a string, say.
    pub(crate) fn is_odd(&self) -> bool {
        self.0.odd.is_some()
    }

    /// A name spelled as a string, which objects and lights use.
    pub(crate) fn from_string(term: Term<'_>) -> Self {
        match term.as_list().and_then(mapwright_etf::List::to_text) {
            Some(text) => text.into(),
            None => Self::odd(term),
        }
    }

    /// A name spelled as an atom, which materials use.
    pub(crate) fn from_atom(term: Term<'_>) -> Self {
        match term.as_atom() {
            Some(atom) => Self::from(&*atom.name()),
            None => Self::odd(term),
        }
    }

    /// Adds the name as a string.
    pub(crate) fn emit_string(&self, term: &mut Builder) {
        match self.odd_term() {
            Some(odd) => term.recode(odd.root()),
            None => term.text(&self.0.text),
        }
    }

    /// Adds the name as an atom.
    pub(crate) fn emit_atom(&self, term: &mut Builder) {
        match self.odd_term() {
            Some(odd) => term.recode(odd.root()),
            None => term.atom(&self.0.text),
        }
    }

    /// The term of a name that is not spelled as usual: Wings takes binaries, integers and nested lists too.
    fn odd_term(&self) -> Option<Tree> {
        Tree::from_bytes(self.0.odd.as_deref()?).ok()
    }

    fn odd(term: Term<'_>) -> Self {
        let text = match term.value() {
            Value::Atom(atom) => atom.name().into_owned(),
            Value::Binary(bytes) => String::from_utf8_lossy(bytes).into_owned(),
            Value::List(list) => list.items().map(point).collect(),
            _ => String::new(),
        };
        Self(Arc::new(Spelled { text: text.into(), odd: Some(value_tree(term).as_bytes().into()) }))
    }
}

fn point(item: ListItem<'_>) -> char {
    let point = item.as_i64().and_then(|point| u32::try_from(point).ok()).and_then(char::from_u32);
    point.unwrap_or(char::REPLACEMENT_CHARACTER)
}

impl From<&str> for Name {
    fn from(text: &str) -> Self {
        Self(Arc::new(Spelled { text: text.into(), odd: None }))
    }
}

impl From<String> for Name {
    fn from(text: String) -> Self {
        Self(Arc::new(Spelled { text: text.into(), odd: None }))
    }
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.text)
    }
}

impl fmt::Debug for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.0.text, f)
    }
}

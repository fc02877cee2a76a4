//! Names of objects, materials and lights.

use std::fmt;
use std::sync::Arc;

use mapwright_etf::{Builder, ListItem, Term, Tree, Value};

use super::value_tree;

/// A name: its text, and its original term if the text alone does not restore it.
///
/// Cloning is cheap, so every face can store the name of its material.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Name(Arc<NameData>);

#[derive(PartialEq, Eq, Hash)]
struct NameData {
    text: Box<str>,
    unusual: Option<Box<[u8]>>,
}

impl Name {
    /// Returns the text. Invalid code points are replaced by U+FFFD.
    pub fn as_str(&self) -> &str {
        &self.0.text
    }

    /// Returns `true` if the encoding is unusual for names of this kind, such as a string for the name of a material.
    pub(crate) fn is_unusual(&self) -> bool {
        self.0.unusual.is_some()
    }

    /// Reads a name of an object or light, which is usually a string.
    pub(crate) fn from_string(term: Term<'_>) -> Self {
        match term.as_list().and_then(mapwright_etf::List::to_text) {
            Some(text) => text.into(),
            None => Self::from_unusual(term),
        }
    }

    /// Reads a name of a material, which is usually an atom.
    pub(crate) fn from_atom(term: Term<'_>) -> Self {
        match term.as_atom() {
            Some(atom) => Self::from(&*atom.name()),
            None => Self::from_unusual(term),
        }
    }

    /// Writes the name as a string.
    pub(crate) fn emit_string(&self, term: &mut Builder) {
        match self.unusual_term() {
            Some(unusual) => term.recode(unusual.root()),
            None => term.text(&self.0.text),
        }
    }

    /// Writes the name as an atom.
    pub(crate) fn emit_atom(&self, term: &mut Builder) {
        match self.unusual_term() {
            Some(unusual) => term.recode(unusual.root()),
            None => term.atom(&self.0.text),
        }
    }

    /// Returns the original term of an unusual name. Wings accepts binaries, integers and nested lists.
    fn unusual_term(&self) -> Option<Tree> {
        Tree::from_bytes(self.0.unusual.as_deref()?).ok()
    }

    fn from_unusual(term: Term<'_>) -> Self {
        let text = match term.value() {
            Value::Atom(atom) => atom.name().into_owned(),
            Value::Binary(bytes) => String::from_utf8_lossy(bytes).into_owned(),
            Value::List(list) => list.items().map(point).collect(),
            _ => String::new(),
        };
        Self(Arc::new(NameData { text: text.into(), unusual: Some(value_tree(term).as_bytes().into()) }))
    }
}

fn point(item: ListItem<'_>) -> char {
    let point = item.as_i64().and_then(|point| u32::try_from(point).ok()).and_then(char::from_u32);
    point.unwrap_or(char::REPLACEMENT_CHARACTER)
}

impl From<&str> for Name {
    fn from(text: &str) -> Self {
        Self(Arc::new(NameData { text: text.into(), unusual: None }))
    }
}

impl From<String> for Name {
    fn from(text: String) -> Self {
        Self(Arc::new(NameData { text: text.into(), unusual: None }))
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

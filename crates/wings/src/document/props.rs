//! Property lists, which store everything except geometry.

use mapwright_etf::{Builder, Edit, List, ListItem, Term, Tree, WriterProfile};

use crate::WriteError;

/// An ordered list of terms, most of them `{Key,Value}`. Keys may repeat, and items may have other forms.
///
/// Items are values: they are encoded as `otp17` for any encoding of the file. Writing uses the encoding of the document.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct PropList {
    /// The terms, in the order of the file.
    pub items: Vec<Tree>,
}

impl PropList {
    /// Reads a list term. Returns `None` if it is improper.
    pub(crate) fn read(list: List<'_>) -> Option<Self> {
        let mut items = list.items();
        let trees = items.by_ref().map(item_tree).collect();
        items.tail().is_none().then_some(Self { items: trees })
    }

    /// Iterates over the keys and values of the items that are pairs.
    pub fn pairs(&self) -> impl Iterator<Item = (Term<'_>, Term<'_>)> {
        self.items.iter().filter_map(|item| item.root().as_tuple_of().map(|[key, value]| (key, value)))
    }

    /// Returns the value of a key. As in Wings, the first item with the key decides: if it is the bare key or a tuple that is not
    /// a pair, there is no value, even if a pair follows.
    pub fn get(&self, key: &str) -> Option<Term<'_>> {
        self.items.iter().find_map(|item| Lookup::from_item(item.root(), key)).and_then(Lookup::value)
    }

    /// Sets the value of the first item with a key, or appends a pair.
    ///
    /// # Errors
    /// If the value is not a valid term.
    pub fn set(&mut self, key: &str, value: &Tree) -> Result<(), WriteError> {
        let pair = || {
            build(|term| {
                term.tuple(2);
                term.atom(key);
                term.copy(value.root());
            })
        };
        match self.items.iter_mut().find(|item| has_key(item.root(), key)) {
            Some(item) if item.root().as_property().is_some() => {
                let mut edit = Edit::new(item);
                if let Some(old) = item.root().element(1) {
                    edit.replace(old, value);
                }
                let changed = edit.apply().map_err(|error| error.map_kind(Into::into))?;
                *item = changed;
            }
            Some(item) => *item = pair()?,
            None => self.items.push(pair()?),
        }
        Ok(())
    }

    /// Reads the entries of the list with a key. Entries for which `read` returns `None` are skipped.
    pub(crate) fn entries<T>(&self, key: &str, read: impl Fn(Term<'_>) -> Option<T>) -> Vec<T> {
        let items = self.get(key).and_then(Term::as_list).map(List::items).into_iter().flatten();
        items.filter_map(|item| read(item.term()?)).collect()
    }

    /// Sets the list with a key.
    pub(crate) fn set_entries<T>(
        &mut self,
        key: &str,
        entries: &[T],
        emit: impl Fn(&mut Builder, &T),
    ) -> Result<(), WriteError> {
        let list = build(|term| {
            term.begin_list();
            entries.iter().for_each(|entry| emit(term, entry));
            term.end_list();
        })?;
        self.set(key, &list)
    }

    /// Encodes the list as a term.
    ///
    /// # Errors
    /// None for items that were read or built.
    pub fn to_tree(&self) -> Result<Tree, WriteError> {
        build(|term| self.emit(term))
    }

    pub(crate) fn emit(&self, term: &mut Builder) {
        term.begin_list();
        self.items.iter().for_each(|item| term.recode(item.root()));
        term.end_list();
    }

    /// Removes all items with a key: pairs, the bare key, and other tuples that begin with it.
    pub fn remove(&mut self, key: &str) {
        self.items.retain(|item| !has_key(item.root(), key));
    }
}

/// The result of looking up a key in a property list, by the rules of Wings.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Lookup<'t> {
    /// No item has the key, or the first one is a tuple that is not a pair. Wings does not distinguish these.
    Missing,
    /// The bare key, which has the value `true`.
    Bare,
    /// The value of a pair.
    Value(Term<'t>),
}

impl<'t> Lookup<'t> {
    /// Returns the result that an item gives, if it has the key. The first such item of a list decides.
    pub(crate) fn from_item(item: Term<'t>, key: &str) -> Option<Self> {
        has_key(item, key).then(|| match (item.as_atom(), item.as_tuple_of()) {
            (Some(_), _) => Self::Bare,
            (_, Some([_, value])) => Self::Value(value),
            _ => Self::Missing,
        })
    }

    /// Treats `undefined` as missing, as Wings does for keys without a default.
    pub(crate) fn defined(self) -> Self {
        match self {
            Self::Value(value) if value.is_atom("undefined") => Self::Missing,
            found => found,
        }
    }

    pub(crate) fn value(self) -> Option<Term<'t>> {
        match self {
            Self::Value(value) => Some(value),
            _ => None,
        }
    }
}

/// Returns `true` if an item of a property list has a key.
pub(crate) fn has_key(item: Term<'_>, key: &str) -> bool {
    item.is_atom(key) || item.element(0).is_some_and(|first| first.is_atom(key))
}

/// Copies a term as a tree, encoded as `otp17`, so that equal values are equal trees.
pub(crate) fn value_tree(term: Term<'_>) -> Tree {
    // Some terms are accepted only by lenient reading, such as infinite floats. They keep their encoding.
    build(|value| value.recode(term)).unwrap_or_else(|_| term.to_tree())
}

/// Copies an item as a tree. An item of a STRING becomes an integer.
pub(crate) fn item_tree(item: ListItem<'_>) -> Tree {
    match item {
        ListItem::Term(term) => value_tree(term),
        // An integer is always a legal term.
        ListItem::Byte(byte) => build(|term| term.integer(byte.into())).unwrap_or_default(),
    }
}

/// Builds a term. The profile is irrelevant: writing uses that of the document.
pub(crate) fn build(make: impl FnOnce(&mut Builder)) -> Result<Tree, WriteError> {
    let mut term = Builder::new(WriterProfile::Otp17);
    make(&mut term);
    term.finish().map_err(|error| error.map_kind(Into::into))
}

/// Builds a tuple of floats.
pub(crate) fn floats(values: &[f64]) -> Result<Tree, WriteError> {
    build(|term| {
        term.tuple(values.len());
        values.iter().for_each(|&value| term.float(value));
    })
}

/// Reads a tuple of `N` numbers, which may be integers.
pub(crate) fn numbers<const N: usize>(term: Term<'_>) -> Option<[f64; N]> {
    let elements = term.as_tuple_of::<N>()?;
    let mut all = [0.0; N];
    for (place, element) in all.iter_mut().zip(elements) {
        *place = number(element)?;
    }
    Some(all)
}

/// Reads a float, or an integer as a float. Returns `None` if it is too large.
pub(crate) fn number(term: Term<'_>) -> Option<f64> {
    term.as_f64().or_else(|| {
        let integer = term.as_integer()?;
        let float = integer.magnitude().iter().rev().fold(0.0, |value, byte| value * 256.0 + f64::from(*byte));
        float.is_finite().then_some(if integer.negative { -float } else { float })
    })
}

//! Property lists, which everything but geometry is made of.

use mapwright_etf::{Builder, Edit, List, ListItem, Term, Tree, WriterProfile};

use crate::WriteError;

/// A list of terms, most of them `{Key,Value}`: ordered, with duplicates, and with terms that are no pairs.
///
/// The terms are values: all are spelled as `otp17` does, whatever the file does, and what is written is spelled as the
/// document does.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct PropList {
    /// The terms, in the order of the file.
    pub items: Vec<Tree>,
}

impl PropList {
    /// The items of a list term; `None` if it is improper.
    pub(crate) fn read(list: List<'_>) -> Option<Self> {
        let mut items = list.items();
        let trees = items.by_ref().map(item_tree).collect();
        items.tail().is_none().then_some(Self { items: trees })
    }

    /// Keys and values of the items that are pairs.
    pub fn pairs(&self) -> impl Iterator<Item = (Term<'_>, Term<'_>)> {
        self.items.iter().filter_map(|item| item.root().as_tuple_of().map(|[key, value]| (key, value)))
    }

    /// The value of a key: as Wings looks it up, the first item about the key decides. Where that is the bare key, or a tuple
    /// that is no pair, there is no value, whatever pairs come behind it.
    pub fn get(&self, key: &str) -> Option<Term<'_>> {
        self.items.iter().find_map(|item| Found::of(item.root(), key)).and_then(Found::value)
    }

    /// Changes the value of the first item about a key, makes it a pair if it is none, or adds a pair at the end.
    ///
    /// # Errors
    /// When the value is no term.
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

    /// The list as a term.
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

    /// Removes every item about a key: pairs, the bare key, and other tuples that begin with it.
    pub fn remove(&mut self, key: &str) {
        self.items.retain(|item| !has_key(item.root(), key));
    }
}

/// What an item of a property list says about a key, as Wings looks it up.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Found<'t> {
    /// Nothing: no item has the key, or a tuple that is no pair has it, which means the same.
    Missing,
    /// The key stands alone, which means `true`.
    Bare,
    /// The value of a pair.
    Value(Term<'t>),
}

impl<'t> Found<'t> {
    /// What an item says, if it is about the key. The first such item of a list decides.
    pub(crate) fn of(item: Term<'t>, key: &str) -> Option<Self> {
        has_key(item, key).then(|| match (item.as_atom(), item.as_tuple_of()) {
            (Some(_), _) => Self::Bare,
            (_, Some([_, value])) => Self::Value(value),
            _ => Self::Missing,
        })
    }

    /// The same with `undefined` for missing, as it is where Wings has no default of its own.
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

/// Whether an item of a property list is about a key.
pub(crate) fn has_key(item: Term<'_>, key: &str) -> bool {
    item.is_atom(key) || item.element(0).is_some_and(|first| first.is_atom(key))
}

/// A term as a tree of its own, spelled as `otp17` does: the model holds values, and equal values are equal trees.
pub(crate) fn value_tree(term: Term<'_>) -> Tree {
    // What only a lenient reader takes, such as a float that is not finite, stays as it is spelled.
    build(|value| value.recode(term)).unwrap_or_else(|_| term.to_tree())
}

/// An item as a tree of its own; one of a STRING is the integer that it means.
pub(crate) fn item_tree(item: ListItem<'_>) -> Tree {
    match item {
        ListItem::Term(term) => value_tree(term),
        // An integer is always a legal term.
        ListItem::Byte(byte) => build(|term| term.integer(byte.into())).unwrap_or_default(),
    }
}

/// Makes a term. Its profile does not matter: what is new is spelled in the profile of the document when that is written.
pub(crate) fn build(make: impl FnOnce(&mut Builder)) -> Result<Tree, WriteError> {
    let mut term = Builder::new(WriterProfile::Otp17);
    make(&mut term);
    term.finish().map_err(|error| error.map_kind(Into::into))
}

/// Floats of a tuple of `N` numbers; integers count as numbers.
pub(crate) fn numbers<const N: usize>(term: Term<'_>) -> Option<[f64; N]> {
    let elements = term.as_tuple_of::<N>()?;
    let mut all = [0.0; N];
    for (place, element) in all.iter_mut().zip(elements) {
        *place = number(element)?;
    }
    Some(all)
}

/// A float, or an integer as a float; `None` for one that is too large.
pub(crate) fn number(term: Term<'_>) -> Option<f64> {
    term.as_f64().or_else(|| {
        let integer = term.as_integer()?;
        let float = integer.magnitude().iter().rev().fold(0.0, |value, byte| value * 256.0 + f64::from(*byte));
        float.is_finite().then_some(if integer.negative { -float } else { float })
    })
}

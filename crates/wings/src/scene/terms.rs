//! Small terms of property lists.

use mapwright_etf::{Builder, Term, Tree};
use mapwright_scene::Losses;

use crate::document::{build, number, numbers};
use crate::{Model, PropList, WriteError};

/// A number that scenes can hold.
pub(super) fn finite(term: Term<'_>) -> Option<f64> {
    number(term).filter(|number| number.is_finite())
}

/// A tuple of numbers that scenes can hold.
pub(super) fn all_finite<const N: usize>(term: Term<'_>) -> Option<[f64; N]> {
    numbers(term).filter(|numbers| numbers.iter().all(|number| number.is_finite()))
}

/// Four channels, or three and an opacity of 1.
pub(super) fn color(list: &PropList, key: &str) -> Option<[f64; 4]> {
    let term = list.get(key)?;
    all_finite(term).or_else(|| all_finite(term).map(|[r, g, b]| [r, g, b, 1.0]))
}

/// A term made of atoms and numbers.
pub(super) fn make(term: impl FnOnce(&mut Builder)) -> Result<Tree, WriteError> {
    build(term)
}

/// Sets a tuple of floats, which is never written with integers.
pub(super) fn set_floats(list: &mut PropList, key: &str, values: &[f64]) -> Result<(), WriteError> {
    let value = make(|term| {
        term.tuple(values.len());
        values.iter().for_each(|&value| term.float(value));
    })?;
    list.set(key, &value)
}

/// Sets a float.
pub(super) fn set_float(list: &mut PropList, key: &str, value: f64) -> Result<(), WriteError> {
    list.set(key, &make(|term| term.float(value))?)
}

/// Sets an atom.
pub(super) fn set_atom(list: &mut PropList, key: &str, value: &str) -> Result<(), WriteError> {
    list.set(key, &make(|term| term.atom(value))?)
}

/// The degrees of an angle that come back as the very same radians, if there are any; else the nearest. Short numbers first.
pub(super) fn to_degrees(radians: f64) -> f64 {
    let plain = radians.to_degrees();
    let short = (plain * 1e9).round() / 1e9;
    let near = [short, plain, plain.next_up(), plain.next_down()];
    near.into_iter().find(|degrees| degrees.to_radians() == radians).unwrap_or(plain)
}

/// Names for a report: the first few, and how many there are beside them.
#[derive(Debug, Default)]
pub(super) struct Names {
    shown: Vec<String>,
    more: usize,
}

impl Names {
    const SHOWN: usize = 8;

    pub(super) fn push(&mut self, name: impl FnOnce() -> String) {
        if self.shown.len() < Self::SHOWN {
            self.shown.push(name());
        } else {
            self.more = self.more.saturating_add(1);
        }
    }

    /// Reports that what has these names is left out.
    pub(super) fn report(&self, path: &str, what: &str, losses: &mut Losses) {
        if !self.shown.is_empty() {
            let more = if self.more > 0 { format!(" and {} more", self.more) } else { String::new() };
            losses.dropped(path, format!("{what} {}{more}", self.shown.join(", ")));
        }
    }
}

/// The keys of a list that are none of these, for reports.
pub(super) fn other_keys(list: &PropList, known: &[&str]) -> Names {
    let mut names = Names::default();
    for item in &list.items {
        let root = item.root();
        match root.as_property() {
            Some((key, _)) if known.contains(&&*key.name()) => {}
            Some((key, _)) => names.push(|| key.name().into_owned()),
            // The start of its text, as terms have no bounds.
            None => names.push(|| format!("{root:?}")),
        }
    }
    names
}

/// Reports the entries of a list of the scene that are not understood, if it has more than those that are.
pub(super) fn report_unread(model: &Model, key: &str, read: usize, losses: &mut Losses) {
    let all = model.props.get(key).and_then(Term::as_list).map_or(0, |list| list.items().count());
    let unread = all.saturating_sub(read);
    if unread > 0 {
        losses.dropped(format!("props.{key}"), format!("{unread} entries that are not understood"));
    }
}

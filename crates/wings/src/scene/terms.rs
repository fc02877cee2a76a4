//! Small terms of property lists.

use mapwright_etf::{Builder, Term, Tree};

use crate::document::{build, number, numbers};
use crate::{PropList, WriteError};

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

/// The keys of a list that are none of these, for reports.
pub(super) fn other_keys(list: &PropList, known: &[&str]) -> Vec<String> {
    let unknown = list.items.iter().filter_map(|item| {
        let root = item.root();
        let key = root.as_property().map_or_else(|| root.to_string(), |(key, _)| key.name().into_owned());
        (!known.contains(&key.as_str())).then_some(key)
    });
    unknown.collect()
}

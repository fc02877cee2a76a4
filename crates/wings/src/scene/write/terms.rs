//! Terms of property lists.

use mapwright_etf::Tree;

use crate::document::{build, floats};
use crate::{PropList, WriteError};

/// The maximum number of characters of an atom.
pub(super) const MAX_ATOM: usize = 255;

pub(super) fn empty_list() -> Result<Tree, WriteError> {
    build(|term| {
        term.begin_list();
        term.end_list();
    })
}

/// Sets a tuple of floats. Integers would make Wings crash.
pub(super) fn set_floats(list: &mut PropList, key: &str, values: &[f64]) -> Result<(), WriteError> {
    list.set(key, &floats(values)?)
}

/// Sets a float.
pub(super) fn set_float(list: &mut PropList, key: &str, value: f64) -> Result<(), WriteError> {
    list.set(key, &build(|term| term.float(value))?)
}

/// Sets an atom.
pub(super) fn set_atom(list: &mut PropList, key: &str, value: &str) -> Result<(), WriteError> {
    list.set(key, &build(|term| term.atom(value))?)
}

/// Converts radians to the degrees that convert back to the same radians. Prefers few digits. Falls back to the nearest value.
pub(super) fn to_degrees(radians: f64) -> f64 {
    let plain = radians.to_degrees();
    let short = (plain * 1e9).round() / 1e9;
    let near = [short, plain, plain.next_up(), plain.next_down()];
    near.into_iter().find(|degrees| degrees.to_radians() == radians).unwrap_or(plain)
}

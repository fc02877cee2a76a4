//! Numbers and colours of property lists.

use mapwright_etf::Term;

use crate::PropList;
use crate::document::{number, numbers};

/// Reads a finite number: scenes contain no others.
pub(super) fn finite(term: Term<'_>) -> Option<f64> {
    number(term).filter(|number| number.is_finite())
}

/// Reads a tuple of finite numbers.
pub(super) fn finite_tuple<const N: usize>(term: Term<'_>) -> Option<[f64; N]> {
    numbers(term).filter(|numbers| numbers.iter().all(|number| number.is_finite()))
}

/// Reads a colour of four channels, or of three with an alpha of 1.
pub(super) fn color(list: &PropList, key: &str) -> Option<[f64; 4]> {
    let term = list.get(key)?;
    finite_tuple(term).or_else(|| finite_tuple(term).map(|[r, g, b]| [r, g, b, 1.0]))
}

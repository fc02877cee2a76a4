//! Colours.

use super::single;
use crate::Dialect;

/// A colour of the level in percent. Binary files count to 255; the editor divides once.
pub(crate) fn level_to_percent(dialect: Dialect, colour: [f64; 3]) -> [f64; 3] {
    if dialect == Dialect::Binary { colour.map(|part| single(part * 100.0 / 255.0)) } else { colour }
}

/// A colour of a light in percent. Binary files count to 255; the editor multiplies in single precision.
pub(crate) fn light_to_percent(dialect: Dialect, colour: [f64; 3]) -> [f64; 3] {
    if dialect == Dialect::Binary { colour.map(|part| single(part * single(100.0 / 255.0))) } else { colour }
}

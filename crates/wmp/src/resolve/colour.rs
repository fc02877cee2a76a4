//! Colours.

use super::single;
use crate::Dialect;

/// Converts a colour of the level to percent. Binary files store 0 to 255. The editor divides once.
pub(crate) fn level_to_percent(dialect: Dialect, colour: [f64; 3]) -> [f64; 3] {
    if dialect == Dialect::Binary { colour.map(|part| single(part * 100.0 / 255.0)) } else { colour }
}

/// Converts a colour of a light to percent. Binary files store 0 to 255. The editor multiplies in single precision.
pub(crate) fn light_to_percent(dialect: Dialect, colour: [f64; 3]) -> [f64; 3] {
    if dialect == Dialect::Binary { colour.map(|part| single(part * single(100.0 / 255.0))) } else { colour }
}

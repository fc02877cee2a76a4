//! Flags of cells: the upper four bits of the number of a tile, and the column of tile layers that stores them.

use mapwright_scene::{Attribute, Domain};

use crate::codes::Gid;

/// The column of tile layers with the flags of cells.
const COLUMN: &str = "flips";

/// The bits of flags in a cell come after this many other bits.
const SHIFT: u32 = 28;

/// Returns `true` for the column of flags.
pub(super) fn is_flips(column: &Attribute) -> bool {
    column.name == COLUMN && column.width == 1
}

/// Creates the column with the flags of cells.
pub(super) fn flips_column(gids: &[Gid]) -> Attribute {
    let values = gids.iter().map(|gid| f64::from(get_flips(*gid))).collect();
    Attribute { name: COLUMN.to_owned(), domain: Domain::Face, width: 1, values }
}

/// Returns the flags that a number in the column represents. Returns `None` for other numbers.
pub(super) fn parse_flips(number: f64) -> Option<u32> {
    (0_u32..16).find(|flips| f64::from(*flips) == number)
}

/// Returns the flags of a cell.
pub(super) fn get_flips(gid: Gid) -> u32 {
    gid.0.checked_shr(SHIFT).unwrap_or(0)
}

/// Returns the cell for a tile with flags.
pub(super) fn with_flips(number: u32, flips: u32) -> Gid {
    Gid(number | flips << SHIFT)
}

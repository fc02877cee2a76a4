//! Files for the tests. Those of the formats themselves are made by the test kit.

use mapwright_acknex::{Palette, ReadError};
use mapwright_testkit::Refusal;

pub(crate) use mapwright_testkit::gamestudio::*;

#[allow(clippy::needless_pass_by_value, reason = "used as `map_err(refusal)`")]
pub(crate) fn refusal(error: ReadError) -> Refusal {
    let offset = error.position().map(|position| position.offset);
    Refusal::new(error.category().name(), offset, &error)
}

/// Returns a palette of greys: each index is its own brightness.
pub(crate) fn greys() -> Palette {
    let rgb: Vec<u8> = (0..=255).flat_map(|index| [index; 3]).collect();
    Palette::from_rgb(&rgb)
}

//! Read access to displacements.

use std::fmt;

use mapwright_keyvalues::kv1::Item;

use super::value;
use crate::DisplacementArray;

/// The displacement of a side with four corners: a grid of points that are moved.
#[derive(Clone, Copy)]
pub struct Displacement<'a> {
    item: Item<'a>,
}

impl<'a> Displacement<'a> {
    /// The largest power.
    pub const MAX_POWER: u32 = 4;

    pub(crate) fn from_block(item: Item<'a>) -> Self {
        Self { item }
    }

    /// Returns the block of the displacement.
    pub fn item(self) -> Item<'a> {
        self.item
    }

    /// Returns the number of subdivisions, from 1 to 4. Returns `None` for other numbers.
    pub fn power(self) -> Option<u32> {
        let power = value::integer(self.item, "power").and_then(|power| u32::try_from(power).ok());
        power.filter(|power| (1..=Self::MAX_POWER).contains(power))
    }

    /// Returns the number of points along each side: 2 to the power, plus 1. Returns `None` for an unknown power.
    pub fn point_count(self) -> Option<usize> {
        1_usize.checked_shl(self.power()?)?.checked_add(1)
    }

    /// Returns the position of the first corner: the corner of the side that is nearest to it.
    pub fn start_position(self) -> Option<[f64; 3]> {
        value::numbers(self.item, "startposition")
    }

    /// Returns flags: 2 no physics, 4 no hulls of players and characters, 8 no bullets.
    pub fn flags(self) -> Option<i64> {
        value::integer(self.item, "flags")
    }

    /// Returns the distance by which all points are moved along the normal of the side.
    pub fn elevation(self) -> Option<f64> {
        value::number(self.item, "elevation")
    }

    /// Returns `true` if the editor has subdivided the displacement.
    pub fn is_subdivided(self) -> Option<bool> {
        value::flag(self.item, "subdiv")
    }

    /// Returns the block of an array.
    pub fn block(self, array: DisplacementArray) -> Option<Item<'a>> {
        value::block(self.item, array.name())
    }

    /// Returns the numbers of an array row by row. Returns `None` if the array is missing, or if its rows do not have the numbers that
    /// the power requires.
    pub fn array(self, array: DisplacementArray) -> Option<Vec<f64>> {
        let [rows, per_row] = array.shape(self.point_count()?);
        let block = self.block(array)?;
        let mut numbers = Vec::new();
        for row in 0..rows {
            let text = value::text(block, &format!("row{row}"))?;
            let start = numbers.len();
            for word in value::words(&text) {
                numbers.push(value::parse_number(word)?);
            }
            if numbers.len().saturating_sub(start) != per_row {
                return None;
            }
        }
        Some(numbers)
    }

    /// Returns the key of `allowed_verts` and its bits, ten numbers in most maps. -1 allows all.
    pub fn allowed_vertices(self) -> Option<Vec<i64>> {
        let block = value::block(self.item, "allowed_verts")?;
        let key = block.items().find(|item| !item.is_block())?;
        key.text()?.split_ascii_whitespace().map(value::parse_integer).collect()
    }
}

impl fmt::Debug for Displacement<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Displacement")
            .field("power", &self.power())
            .field("start_position", &self.start_position())
            .field("flags", &self.flags())
            .finish()
    }
}

//! OPRW.

use super::{Elevations, Ground, Objects, same_bits};
use crate::OprwVersion;

/// A terrain as the games load it: OPRW.
#[derive(Debug, Clone)]
pub struct Oprw {
    /// Which of its many versions.
    pub version: OprwVersion,
    /// Cells of the material grid from west to east, and from south to north.
    pub land: [u32; 2],
    /// Vertices of the height grid from west to east, and from south to north.
    pub terrain: [u32; 2],
    /// Metres of a cell of the material grid.
    pub cell: f32,
    /// One height in metres per vertex, row by row from the south, each from the west.
    pub heights: Vec<f32>,
    /// The objects.
    pub objects: Objects,
}

impl Oprw {
    /// The ground.
    pub fn ground(&self) -> Ground<'_> {
        let step = |axis: usize| {
            let [land, terrain] = [self.land, self.terrain].map(|size| size.get(axis).copied().unwrap_or(0));
            f64::from(self.cell) * f64::from(land) / f64::from(terrain)
        };
        Ground { size: self.terrain, step: [step(0), step(1)], heights: Elevations::Metres(&self.heights) }
    }
}

impl PartialEq for Oprw {
    fn eq(&self, other: &Self) -> bool {
        self.version == other.version
            && self.land == other.land
            && self.terrain == other.terrain
            && same_bits(&[self.cell], &[other.cell])
            && same_bits(&self.heights, &other.heights)
            && self.objects == other.objects
    }
}

//! Arrangements of cells: attributes of the map, and layouts of the tile layers of a scene.

use mapwright_scene::{CellLayout, Stagger, TileLayer};

use crate::codes::{Orientation, StaggerAxis, StaggerIndex};
use crate::geometry::Placement;
use crate::view::Map;

/// The attributes of a map that arrange its cells.
#[derive(Debug, Clone, Copy)]
pub(super) struct Arrangement {
    pub(super) orientation: Orientation,
    pub(super) hex_side_length: i32,
    pub(super) axis: StaggerAxis,
    pub(super) index: StaggerIndex,
    pub(super) skew: [i32; 2],
}

impl Default for Arrangement {
    fn default() -> Self {
        Self {
            orientation: Orientation::Orthogonal,
            hex_side_length: 0,
            axis: StaggerAxis::Y,
            index: StaggerIndex::Odd,
            skew: [0; 2],
        }
    }
}

impl Arrangement {
    /// Reads the attributes of a map.
    pub(super) fn from_map(map: Map<'_>) -> Self {
        Self {
            orientation: map.orientation().unwrap_or(Orientation::Orthogonal),
            hex_side_length: map.hex_side_length(),
            axis: map.stagger_axis(),
            index: map.stagger_index(),
            skew: [map.skew_x(), map.skew_y()],
        }
    }

    /// Returns the attributes for the layout of tile layers.
    pub(super) fn from_layout(layout: CellLayout) -> Self {
        let plain = Self::default();
        let staggered = |stagger: Stagger| Self {
            orientation: Orientation::Staggered,
            axis: if stagger.columns { StaggerAxis::X } else { StaggerAxis::Y },
            index: if stagger.even { StaggerIndex::Even } else { StaggerIndex::Odd },
            ..plain
        };
        match layout {
            CellLayout::Orthogonal => plain,
            CellLayout::Oblique { skew } => Self { orientation: Orientation::Oblique, skew, ..plain },
            CellLayout::Isometric => Self { orientation: Orientation::Isometric, ..plain },
            CellLayout::Staggered(stagger) => staggered(stagger),
            CellLayout::Hexagonal { stagger, side } => Self {
                orientation: Orientation::Hexagonal,
                hex_side_length: i32::try_from(side).unwrap_or(i32::MAX),
                ..staggered(stagger)
            },
        }
    }

    /// Returns the layout of tile layers.
    pub(super) fn layout(self) -> CellLayout {
        let stagger = Stagger { columns: self.axis == StaggerAxis::X, even: self.index == StaggerIndex::Even };
        match self.orientation {
            Orientation::Orthogonal => CellLayout::Orthogonal,
            Orientation::Oblique => CellLayout::Oblique { skew: self.skew },
            Orientation::Isometric => CellLayout::Isometric,
            Orientation::Staggered => CellLayout::Staggered(stagger),
            Orientation::Hexagonal => {
                CellLayout::Hexagonal { stagger, side: u32::try_from(self.hex_side_length).unwrap_or(0) }
            }
        }
    }
}

/// The grid of a map.
#[derive(Debug, Clone, Copy)]
pub(super) struct Grid {
    pub(super) layout: CellLayout,
    /// Columns and rows of the map. Layers may have others.
    pub(super) size: [u32; 2],
}

impl Grid {
    /// Returns the grid of a map.
    pub(super) fn from_map(map: Map<'_>) -> Self {
        let size = [map.width(), map.height()].map(|count| u32::try_from(count).unwrap_or(0));
        Self { layout: Arrangement::from_map(map).layout(), size }
    }

    /// Returns the position of the upper left corner of a layer in pixels of the drawn map. `first` is the column and row of its first
    /// cell in the map.
    pub(super) fn layer_position(self, layer: &TileLayer, first: [i32; 2]) -> [f64; 2] {
        let size = if self.layout == CellLayout::Isometric { self.size } else { layer.size };
        let map = TileLayer { size, layout: self.layout, tile_size: layer.tile_size, ..TileLayer::default() };
        let ([x, y], [left, top]) = (map.cell_position(first.map(i64::from)), layer.cell_position([0; 2]));
        // The rectangle around an oblique layer begins at its first cell only if both skews are positive.
        let [right, down] = match self.layout {
            CellLayout::Oblique { skew: [skew_x, _] } => {
                let [x, y] = map.cell_position([0; 2]);
                [i64::from(skew_x).saturating_sub(x), y.saturating_neg()]
            }
            _ => [0; 2],
        };
        #[allow(clippy::cast_precision_loss, reason = "positions of Tiled are floating-point numbers")]
        [x.saturating_sub(left).saturating_add(right) as f64, y.saturating_sub(top).saturating_add(down) as f64]
    }

    /// Returns the transform of objects.
    pub(super) fn placement(self, tile_size: [u32; 2]) -> Placement {
        let tile_size = tile_size.map(f64::from);
        match self.layout {
            CellLayout::Isometric => Placement::isometric(tile_size, i32::try_from(self.size[1]).unwrap_or(i32::MAX)),
            CellLayout::Oblique { skew } => Placement::oblique(tile_size, skew.map(f64::from)),
            _ => Placement::IDENTITY,
        }
    }
}

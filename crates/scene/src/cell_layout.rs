//! Arrangements of the cells of tile layers.

use crate::TileLayer;

/// The arrangement of the cells of a tile layer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub enum CellLayout {
    /// Rectangles in rows and columns.
    #[default]
    Orthogonal,
    /// Rectangles in rows and columns that are shifted.
    Oblique {
        /// Shift of each row to the right of the one above, and of each column below the one to its left.
        skew: [i32; 2],
    },
    /// Diamonds. Columns run to the lower right, and rows to the lower left.
    Isometric,
    /// Diamonds in rows or columns, every second of which is shifted.
    Staggered(Stagger),
    /// Hexagons in rows or columns, every second of which is shifted.
    Hexagonal {
        /// The rows or columns that are shifted.
        stagger: Stagger,
        /// Length of the two straight sides: vertical ones if rows are shifted, otherwise horizontal ones. The others are diagonal.
        side: u32,
    },
}

/// The rows or columns that are shifted by half a cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Stagger {
    /// Columns are shifted down. Otherwise, rows are shifted to the right.
    pub columns: bool,
    /// The first, third, … row or column is shifted. Otherwise, the second, fourth, ….
    pub even: bool,
}

impl Stagger {
    /// Returns `true` if the row or column with an index is shifted.
    pub const fn shifts(self, index: u32) -> bool {
        (index & 1 == 0) == self.even
    }
}

/// Distances in a staggered or hexagonal layout, along x and y.
#[derive(Debug, Clone, Copy)]
struct Hexagon {
    stagger: Stagger,
    /// Width and height of a cell. They are even.
    size: [i128; 2],
    /// Width and height of the diagonal sides.
    slope: [i128; 2],
    /// Distance from a column or row to the next one of a layout that shifts columns or rows.
    step: [i128; 2],
}

impl Hexagon {
    /// As in Tiled, sizes and their halves are rounded down.
    fn new(size: [u32; 2], stagger: Stagger, side: u32) -> Self {
        let size = size.map(|length| i128::from(length & !1));
        let side = i128::from(side);
        let sides = if stagger.columns { [side, 0] } else { [0, side] };
        let slope = [(size[0] - sides[0]).div_euclid(2), (size[1] - sides[1]).div_euclid(2)];
        Self { stagger, size, slope, step: [slope[0] + sides[0], slope[1] + sides[1]] }
    }

    fn cell_position(self, [column, row]: [i128; 2]) -> [i128; 2] {
        let Self { stagger, size: [width, height], step: [step_x, step_y], .. } = self;
        let shift = |index: i128, shift: i128| if (index & 1 == 0) == stagger.even { shift } else { 0 };
        match stagger.columns {
            true => [column * step_x, row * height + shift(column, step_y)],
            false => [column * width + shift(row, step_x), row * step_y],
        }
    }

    fn extent(self, [columns, rows]: [i128; 2]) -> [i128; 2] {
        let Self { stagger, size: [width, height], slope, step: [step_x, step_y] } = self;
        let shift = |count: i128, shift: i128| if count > 1 { shift } else { 0 };
        match stagger.columns {
            true => [columns * step_x + slope[0], rows * height + shift(columns, step_y)],
            false => [columns * width + shift(rows, step_x), rows * step_y + slope[1]],
        }
    }
}

impl CellLayout {
    /// Returns the name of the layout, such as `isometric`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Orthogonal => "orthogonal",
            Self::Oblique { .. } => "oblique",
            Self::Isometric => "isometric",
            Self::Staggered(_) => "staggered",
            Self::Hexagonal { .. } => "hexagonal",
        }
    }

    /// Returns the length of the straight sides of hexagons that are longer than a cell.
    pub(crate) fn excess_side(self, [width, height]: [u32; 2]) -> Option<u32> {
        match self {
            Self::Hexagonal { stagger, side } => {
                Some(side).filter(|side| *side > if stagger.columns { width } else { height })
            }
            _ => None,
        }
    }

    /// Returns the distances in a staggered or hexagonal layout.
    fn hexagon(self, size: [u32; 2]) -> Option<Hexagon> {
        match self {
            Self::Staggered(stagger) => Some(Hexagon::new(size, stagger, 0)),
            Self::Hexagonal { stagger, side } => Some(Hexagon::new(size, stagger, side)),
            Self::Orthogonal | Self::Oblique { .. } | Self::Isometric => None,
        }
    }

    /// Returns the layout of a layer that begins at another column and row.
    #[must_use]
    pub const fn beginning_at(self, [column, row]: [i32; 2]) -> Self {
        const fn shifted(stagger: Stagger, [column, row]: [i32; 2]) -> Stagger {
            let index = if stagger.columns { column } else { row };
            Stagger { columns: stagger.columns, even: stagger.even != (index & 1 == 1) }
        }
        match self {
            Self::Staggered(stagger) => Self::Staggered(shifted(stagger, [column, row])),
            Self::Hexagonal { stagger, side } => Self::Hexagonal { stagger: shifted(stagger, [column, row]), side },
            Self::Orthogonal | Self::Oblique { .. } | Self::Isometric => self,
        }
    }

    /// Returns the width and height of the rectangle around a cell. Those of staggered and hexagonal layouts are even, as in Tiled.
    pub const fn cell_size(self, [width, height]: [u32; 2]) -> [u32; 2] {
        match self {
            Self::Staggered(_) | Self::Hexagonal { .. } => [width & !1, height & !1],
            Self::Orthogonal | Self::Oblique { .. } | Self::Isometric => [width, height],
        }
    }

    /// Returns the distance from the rectangle around a cell to the cell, at the left and right end of a row of pixels. Returns `None` if
    /// the cell fills its rectangle.
    pub fn inset(self, size: [u32; 2], row: i64) -> Option<f64> {
        let (size, slope) = match self.hexagon(size) {
            Some(hexagon) => (hexagon.size, hexagon.slope),
            None if self == Self::Isometric => (size.map(i128::from), size.map(|length| i128::from(length / 2))),
            None => return None,
        };
        #[allow(clippy::cast_precision_loss, reason = "sizes have 32 bits")]
        let ([width, height], [slope_x, slope_y], middle) =
            (size.map(|length| length as f64), slope.map(|length| length as f64), row as f64 + 0.5);
        // The distance from the nearer end of the cell is a part of the height of the diagonal sides.
        let part = middle.min(height - middle) / slope_y.max(0.5);
        Some((slope_x.min(width / 2.0) * (1.0 - part)).max(0.0))
    }
}

impl TileLayer {
    /// Returns the upper left corner of the rectangle around a cell, in units of length from the upper left corner of the rectangle around
    /// the layer, with y down. The cell may be outside of the layer. Numbers beyond 64 bits are limited.
    ///
    /// ```
    /// use mapwright_scene::{CellLayout, TileLayer};
    ///
    /// let layer = TileLayer { size: [4, 2], tile_size: [64, 32], layout: CellLayout::Isometric, ..TileLayer::default() };
    /// assert_eq!((layer.extent(), layer.cell_position([0, 0])), ([192, 96], [32, 0]));
    /// assert_eq!(layer.cell_position([3, 1]), [96, 64]);
    /// ```
    pub fn cell_position(&self, place: [i64; 2]) -> [i64; 2] {
        let ([column, row], [width, height]) = (place.map(i128::from), self.tile_size.map(i128::from));
        let [columns, rows] = self.size.map(i128::from);
        let position = match self.layout {
            CellLayout::Orthogonal => [column * width, row * height],
            CellLayout::Oblique { skew } => {
                let [right, down] = skew.map(i128::from);
                // The lower left corner of the rectangle is that of the skewed cell.
                let [x, y] = [column * width + (row + 1) * right, row * height + column * down];
                [x - (rows * right).min(0), y - (columns * down).min(0)]
            }
            CellLayout::Isometric => {
                // As in Tiled, each part is rounded down, and cells of an odd height begin one unit lower.
                let left = (rows * width).div_euclid(2) - width.div_euclid(2);
                let top = ((column + row) * height).div_euclid(2) + (height & 1);
                [left + ((column - row) * width).div_euclid(2), top]
            }
            CellLayout::Staggered(_) | CellLayout::Hexagonal { .. } => {
                self.layout.hexagon(self.tile_size).map_or([0; 2], |hexagon| hexagon.cell_position([column, row]))
            }
        };
        position.map(limited)
    }

    /// Returns the width and height of the rectangle around the layer in units of length. Numbers beyond 64 bits are limited.
    pub fn extent(&self) -> [i64; 2] {
        let ([columns, rows], [width, height]) = (self.size.map(i128::from), self.tile_size.map(i128::from));
        if columns == 0 || rows == 0 {
            return [0; 2];
        }
        let extent = match self.layout {
            CellLayout::Orthogonal => [columns * width, rows * height],
            CellLayout::Oblique { skew } => {
                let [right, down] = skew.map(|skew| i128::from(skew).abs());
                [columns * width + rows * right, rows * height + columns * down]
            }
            CellLayout::Isometric => [(columns + rows) * width / 2, (columns + rows) * height / 2],
            CellLayout::Staggered(_) | CellLayout::Hexagonal { .. } => {
                self.layout.hexagon(self.tile_size).map_or([0; 2], |hexagon| hexagon.extent([columns, rows]))
            }
        };
        extent.map(limited)
    }
}

/// Limits a number to 64 bits.
fn limited(number: i128) -> i64 {
    i64::try_from(number).unwrap_or(if number < 0 { i64::MIN } else { i64::MAX })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn layer(size: [u32; 2], tile_size: [u32; 2], layout: CellLayout) -> TileLayer {
        TileLayer { size, tile_size, layout, ..TileLayer::default() }
    }

    #[test]
    fn layers_have_the_extent_of_their_layout() {
        let rows = Stagger { columns: false, even: false };
        let columns = Stagger { columns: true, even: true };
        for (layout, tile, extent) in [
            (CellLayout::Orthogonal, [16, 8], [64, 24]),
            (CellLayout::Oblique { skew: [2, -1] }, [16, 8], [70, 28]),
            (CellLayout::Isometric, [16, 8], [56, 28]),
            (CellLayout::Staggered(rows), [16, 8], [72, 16]),
            (CellLayout::Staggered(columns), [16, 8], [40, 28]),
            (CellLayout::Hexagonal { stagger: rows, side: 4 }, [16, 12], [72, 28]),
            // Odd sizes are rounded down.
            (CellLayout::Hexagonal { stagger: columns, side: 6 }, [17, 13], [49, 42]),
        ] {
            assert_eq!(layer([4, 3], tile, layout).extent(), extent, "{layout:?}");
            assert_eq!(layer([0, 3], tile, layout).extent(), [0; 2], "{layout:?}");
        }
    }

    #[test]
    fn cells_stay_in_the_rectangle_around_their_layer() {
        let stagger = Stagger::default();
        for layout in [
            CellLayout::Oblique { skew: [-3, 5] },
            CellLayout::Isometric,
            CellLayout::Staggered(Stagger { columns: true, even: true }),
            CellLayout::Hexagonal { stagger, side: 4 },
        ] {
            let layer = layer([4, 3], [16, 12], layout);
            let [width, height] = layer.extent();
            for (column, row) in (0..4).flat_map(|column| (0..3).map(move |row| (column, row))) {
                let [x, y] = layer.cell_position([column, row]);
                assert!(x >= -3 && x + 16 <= width + 3 && y >= 0 && y + 12 <= height, "{layout:?} {column} {row}");
            }
        }
    }

    #[test]
    fn a_layer_that_begins_at_an_odd_row_shifts_the_other_rows() {
        let whole = layer([2, 4], [16, 8], CellLayout::Staggered(Stagger { columns: false, even: true }));
        let part = TileLayer { layout: whole.layout.beginning_at([0, -3]), ..whole.clone() };
        for row in 0..4 {
            assert_eq!(part.cell_position([0, row])[0], whole.cell_position([0, row - 3])[0], "{row}");
        }
    }

    #[test]
    fn huge_sizes_are_limited() {
        let layer = layer([u32::MAX; 2], [u32::MAX; 2], CellLayout::Isometric);
        assert_eq!(layer.extent(), [i64::MAX; 2]);
        assert_eq!(layer.cell_position([i64::MAX, i64::MIN])[0], i64::MAX);
    }

    #[test]
    fn diamonds_and_hexagons_have_insets() {
        let insets = |layout: CellLayout, size| [0, 1, 3].map(|row| layout.inset(size, row));
        assert_eq!(insets(CellLayout::Isometric, [16, 8]), [Some(7.0), Some(5.0), Some(1.0)]);
        assert_eq!(insets(CellLayout::Orthogonal, [16, 8]), [None; 3]);
        let pointed_top = CellLayout::Hexagonal { stagger: Stagger::default(), side: 6 };
        assert_eq!(insets(pointed_top, [12, 10]), [Some(4.5), Some(1.5), Some(0.0)]);
    }
}

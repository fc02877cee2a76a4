//! Positions of cells and objects in pixels.

use crate::codes::{Orientation, StaggerAxis, StaggerIndex};
use crate::view::Map;

impl Map<'_> {
    /// Returns the top left corner of the rectangle of a cell in pixels, y downwards. Returns `None` if the orientation is unknown.
    ///
    /// The bottom left corner of the image of a tile is at the bottom left corner of that rectangle, shifted by the offset of its tileset.
    /// In staggered and hexagonal maps, width and height of the rectangle are even: Tiled ignores an odd pixel. Cells may be outside of the
    /// map. The offset of the layer is not included.
    ///
    /// ```
    /// use mapwright_tiled::Document;
    ///
    /// let map = b"<map orientation='isometric' width='4' height='2' tilewidth='64' tileheight='32'/>";
    /// let document = Document::from_bytes(map)?;
    /// let map = document.as_map().ok_or("no map")?;
    /// assert_eq!(map.cell_position([3, 1]), Some([96.0, 64.0]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn cell_position(self, [column, row]: [i32; 2]) -> Option<[f64; 2]> {
        let [x, y] = [column, row].map(f64::from);
        let [width, height] = [self.tile_width(), self.tile_height()].map(f64::from);
        Some(match self.orientation()? {
            Orientation::Orthogonal => [x * width, y * height],
            Orientation::Oblique => {
                // The lower left corner of the rectangle is that of the skewed cell.
                [x * width + (y + 1.0) * f64::from(self.skew_x()), y * height + x * f64::from(self.skew_y())]
            }
            Orientation::Isometric => {
                let [corner, top] = self.diamond(x, y);
                // The corner of the cell is in the middle of the top of its rectangle.
                [corner - width / 2.0, top]
            }
            Orientation::Staggered => self.staggered_position([column, row], 0),
            Orientation::Hexagonal => self.staggered_position([column, row], self.hex_side_length()),
        })
    }

    /// Returns the position of an object in pixels of the drawn map. It differs from `x` and `y` in isometric maps, where both count along the
    /// sides of cells, in units of the height of a cell, and in oblique maps, where both are skewed.
    pub fn object_position(self, position: [f64; 2]) -> [f64; 2] {
        self.placement().drawn(position)
    }

    /// Returns the transform from positions of objects to pixels of the drawn map.
    pub(crate) fn placement(self) -> Placement {
        let size = [self.tile_width(), self.tile_height()].map(f64::from);
        match self.orientation() {
            Some(Orientation::Isometric) => Placement::isometric(size, self.height()),
            Some(Orientation::Oblique) => Placement::oblique(size, [self.skew_x(), self.skew_y()].map(f64::from)),
            _ => Placement::IDENTITY,
        }
    }

    /// Returns the top corner of a cell of an isometric map.
    fn diamond(self, x: f64, y: f64) -> [f64; 2] {
        let [width, height, rows] = [self.tile_width(), self.tile_height(), self.height()].map(f64::from);
        [(x - y) * width / 2.0 + (rows * width / 2.0).floor(), (x + y) * height / 2.0]
    }

    /// Returns the position of a cell of a hexagonal map. Diamonds are hexagons whose straight side has no length.
    fn staggered_position(self, [column, row]: [i32; 2], side: i32) -> [f64; 2] {
        let is_x = self.stagger_axis() == StaggerAxis::X;
        let [side_x, side_y] = if is_x { [side, 0] } else { [0, side] };
        // Tiled ignores an odd pixel of a cell, and rounds half of a cell down.
        let half = |size: i32, side: i32| f64::from((size & !1).saturating_sub(side).div_euclid(2));
        let [width, height] = [self.tile_width(), self.tile_height()].map(|size| f64::from(size & !1));
        let [half_x, half_y] = [half(self.tile_width(), side_x), half(self.tile_height(), side_y)];
        let [step_x, step_y] = [half_x + f64::from(side_x), half_y + f64::from(side_y)];
        let is_shifted = |index: i32| (index & 1 == 1) != (self.stagger_index() == StaggerIndex::Even);
        let [x, y] = [column, row].map(f64::from);
        match is_x {
            true => [x * step_x, y * height + if is_shifted(column) { half_y } else { 0.0 }],
            false => [x * width + if is_shifted(row) { half_x } else { 0.0 }, y * step_y],
        }
    }
}

/// A transform from positions in a map to pixels of the drawn map.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Placement {
    /// The images of one unit along x and along y.
    axes: [[f64; 2]; 2],
    origin: [f64; 2],
}

impl Placement {
    /// Positions in the map are pixels.
    pub(crate) const IDENTITY: Self = Self::translation([0.0; 2]);

    /// Positions in the map are pixels from another origin.
    pub(crate) const fn translation(origin: [f64; 2]) -> Self {
        Self { axes: [[1.0, 0.0], [0.0, 1.0]], origin }
    }

    /// Returns the transform of the objects of an isometric map.
    pub(crate) fn isometric([width, height]: [f64; 2], rows: i32) -> Self {
        let half = width / height / 2.0;
        Self::invertible([[half, 0.5], [-half, 0.5]], [(f64::from(rows) * width / 2.0).floor(), 0.0])
    }

    /// Returns the transform of the objects of an oblique map.
    pub(crate) fn oblique([width, height]: [f64; 2], [skew_x, skew_y]: [f64; 2]) -> Self {
        Self::invertible([[1.0, skew_y / width], [skew_x / height, 1.0]], [0.0; 2])
    }

    /// Returns the identity if there is no inverse, so that objects have a position in each map.
    fn invertible(axes: [[f64; 2]; 2], origin: [f64; 2]) -> Self {
        let placement = Self { axes, origin };
        if placement.determinant().is_normal() { placement } else { Self::IDENTITY }
    }

    fn determinant(self) -> f64 {
        let [[a, b], [c, d]] = self.axes;
        a * d - b * c
    }

    pub(crate) fn is_identity(self) -> bool {
        self == Self::IDENTITY
    }

    /// Returns the position in pixels of the drawn map.
    pub(crate) fn drawn(self, [x, y]: [f64; 2]) -> [f64; 2] {
        if self.is_identity() {
            return [x, y];
        }
        let ([[a, b], [c, d]], [left, top]) = (self.axes, self.origin);
        [x * a + y * c + left, x * b + y * d + top]
    }

    /// Returns the position in the map of a position in pixels of the drawn map.
    pub(crate) fn stored(self, [x, y]: [f64; 2]) -> [f64; 2] {
        if self.is_identity() {
            return [x, y];
        }
        let [left, top] = self.origin;
        self.stored_movement([x - left, y - top])
    }

    /// Returns the movement in the map of a movement in pixels of the drawn map.
    pub(crate) fn stored_movement(self, [x, y]: [f64; 2]) -> [f64; 2] {
        if self.axes == Self::IDENTITY.axes {
            return [x, y];
        }
        let ([[a, b], [c, d]], determinant) = (self.axes, self.determinant());
        // The sum avoids negative zero.
        [(x * d - y * c) / determinant + 0.0, (y * a - x * b) / determinant + 0.0]
    }

    /// Returns the largest error in pixels of the drawn map for a position that is rounded to six digits.
    pub(crate) fn rounding_error(self, [x, y]: [f64; 2]) -> f64 {
        if self.is_identity() {
            return 0.0;
        }
        let largest = self.axes.as_flattened().iter().fold(0.0_f64, |largest, part| largest.max(part.abs()));
        1e-5 * largest * (x.abs() + y.abs())
    }
}

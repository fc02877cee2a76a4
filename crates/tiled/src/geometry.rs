//! Positions of cells and objects in pixels.

use crate::codes::{Orientation, StaggerAxis, StaggerIndex};
use crate::view::Map;

impl Map<'_> {
    /// Returns the top left corner of the rectangle of a cell in pixels, y downwards. Returns `None` if the orientation is unknown.
    ///
    /// The bottom left corner of the image of a tile is at the bottom left corner of that rectangle, shifted by the offset of its tileset.
    /// Cells may be outside of the map. The offset of the layer is not included.
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
                [x * width + y * f64::from(self.skew_x()), y * height + x * f64::from(self.skew_y())]
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

    /// Returns the position of an object in pixels of the drawn map. It differs from `x` and `y` only in isometric maps, where both count
    /// along the sides of cells, in units of the height of a cell.
    pub fn object_position(self, [x, y]: [f64; 2]) -> [f64; 2] {
        let height = f64::from(self.tile_height());
        match self.orientation() {
            Some(Orientation::Isometric) if height != 0.0 => self.diamond(x / height, y / height),
            _ => [x, y],
        }
    }

    /// Returns the top corner of a cell of an isometric map.
    fn diamond(self, x: f64, y: f64) -> [f64; 2] {
        let [width, height, rows] = [self.tile_width(), self.tile_height(), self.height()].map(f64::from);
        [(x - y) * width / 2.0 + rows * width / 2.0, (x + y) * height / 2.0]
    }

    /// Returns the position of a cell of a hexagonal map. Diamonds are hexagons whose straight side has no length.
    fn staggered_position(self, [column, row]: [i32; 2], side: i32) -> [f64; 2] {
        let is_x = self.stagger_axis() == StaggerAxis::X;
        let [side_x, side_y] = if is_x { [side, 0] } else { [0, side] };
        // Tiled rounds half of a cell down, so that odd sizes are smaller.
        let half = |size: i32, side: i32| f64::from(size.saturating_sub(side).div_euclid(2));
        let [half_x, half_y] = [half(self.tile_width(), side_x), half(self.tile_height(), side_y)];
        let [step_x, step_y] = [half_x + f64::from(side_x), half_y + f64::from(side_y)];
        let is_shifted = |index: i32| (index & 1 == 1) != (self.stagger_index() == StaggerIndex::Even);
        let [x, y] = [column, row].map(f64::from);
        match is_x {
            true => [x * step_x, y * 2.0 * half_y + if is_shifted(column) { half_y } else { 0.0 }],
            false => [x * 2.0 * half_x + if is_shifted(row) { half_x } else { 0.0 }, y * step_y],
        }
    }
}

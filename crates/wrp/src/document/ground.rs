//! The ground surface.

/// The ground: heights at the vertices of a grid.
///
/// Vertex (x, z) is at (x · step, z · step) metres from the south-west corner, with x to the east and z to the north.
#[derive(Debug, Clone, Copy)]
pub struct Ground<'a> {
    /// Number of vertices from west to east, and from south to north.
    pub size: [u32; 2],
    /// Distance between vertices in metres, along x and z.
    pub step: [f64; 2],
    /// Heights, row by row from the south, each from the west.
    pub heights: Elevations<'a>,
}

/// Heights as stored in a file.
#[derive(Debug, Clone, Copy)]
pub enum Elevations<'a> {
    /// Steps, and the metres per step.
    Steps(&'a [i16], f32),
    /// Metres.
    Metres(&'a [f32]),
}

impl Elevations<'_> {
    /// Returns the height of a vertex in metres.
    pub fn get(&self, vertex: usize) -> Option<f32> {
        match self {
            Self::Steps(heights, unit) => heights.get(vertex).map(|&raw| f32::from(raw) * unit),
            Self::Metres(heights) => heights.get(vertex).copied(),
        }
    }

    /// Returns the number of heights.
    pub fn len(&self) -> usize {
        match self {
            Self::Steps(heights, _) => heights.len(),
            Self::Metres(heights) => heights.len(),
        }
    }

    /// Returns `true` if there are no heights.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns all heights in metres.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = f32> + Clone {
        let this = *self;
        (0..self.len()).map(move |vertex| this.get(vertex).unwrap_or(0.0))
    }
}

impl Ground<'_> {
    /// Returns the height of a vertex in metres.
    pub fn vertex_height(&self, x: u32, z: u32) -> Option<f32> {
        let [columns, rows] = self.size;
        if x >= columns || z >= rows {
            return None;
        }
        let vertex = u64::from(z).checked_mul(columns.into())?.checked_add(x.into())?;
        self.heights.get(usize::try_from(vertex).ok()?)
    }

    /// Returns the height of the surface at a position, in metres from the south-west corner. `None` outside the vertices.
    ///
    /// As in the game, a cell is two triangles that meet on the diagonal from south-east to north-west.
    pub fn height_at(&self, x: f64, z: f64) -> Option<f64> {
        let [sx, sz] = self.step;
        let (x, z) = (x / sx, z / sz);
        let [columns, rows] = self.size.map(f64::from);
        if !(x >= 0.0 && z >= 0.0 && x <= columns - 1.0 && z <= rows - 1.0) {
            return None;
        }
        // Positions on the last row or column belong to the cell before it.
        let (left, south) = (x.floor().min(columns - 2.0).max(0.0), z.floor().min(rows - 2.0).max(0.0));
        let (fx, fz) = (x - left, z - south);
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
        // The values are between 0 and the number of vertices.
        let (column, row) = (left as u32, south as u32);
        let corner = |dx: u32, dz: u32| {
            let (x, z) = (column.saturating_add(dx), row.saturating_add(dz));
            let [columns, rows] = self.size;
            // A single row or column is a line without cells.
            self.vertex_height(x.min(columns.saturating_sub(1)), z.min(rows.saturating_sub(1))).map(f64::from)
        };
        let (sw, se, nw, ne) = (corner(0, 0)?, corner(1, 0)?, corner(0, 1)?, corner(1, 1)?);
        Some(if fx + fz <= 1.0 {
            sw + (se - sw) * fx + (nw - sw) * fz
        } else {
            ne + (nw - ne) * (1.0 - fx) + (se - ne) * (1.0 - fz)
        })
    }
}

//! Planes: grids of tiles, and the objects on them.

use mapwright_io::FixedBytes;

use super::record::record;
use super::{ImageSets, Objects, Tiles};
use crate::{Cell, PlaneFlags};

record! {
    /// A plane: a grid of tiles that moves with the camera at its own pace, and objects.
    pub struct Plane as PLANE "plane" {
        /// 0 in all known files.
        reserved_04: u32,
        /// Flags.
        flags: PlaneFlags,
        /// 0 in all known files.
        reserved_0c: u32,
        /// Name: `Action`, `Background`, `Front`.
        name: FixedBytes<64>,
        /// Width in pixels: columns times the width of a tile. The engine does not read it.
        width_px: i32 { unit: "pixels" },
        /// Height in pixels: rows times the height of a tile. The engine does not read it.
        height_px: i32 { unit: "pixels" },
        /// Width of a tile in pixels: 64 in Claw, 32 in Gruntz. The engine needs square tiles and powers of two.
        tile_w: i32 { unit: "pixels" },
        /// Height of a tile in pixels.
        tile_h: i32 { unit: "pixels" },
        /// Columns of the grid, not negative.
        tiles_wide: i32,
        /// Rows of the grid, not negative.
        tiles_high: i32,
        /// Start of the view, in pixels. 0 in all known files.
        scroll_x: i32 { unit: "pixels" },
        /// Start of the view, in pixels. 0 in all known files.
        scroll_y: i32 { unit: "pixels" },
        /// Movement relative to the camera, in percent. The main plane has 100.
        movement_x: i32 { unit: "percent" },
        /// Movement relative to the camera, in percent. The main plane has 100.
        movement_y: i32 { unit: "percent" },
        /// Colour of filled cells: an index into the palette, at most 255.
        fill_color: u32,
        /// Depth: objects of lower z are drawn before the plane.
        z_coord: i32,
        /// 0 in all known files.
        reserved_94: u32,
        /// 0 in all known files.
        reserved_98: u32,
        /// 0 in all known files.
        reserved_9c: u32,
    } and {
    } and {
        /// Words of the grid, row by row from the top left; see [`Cell`].
        tiles: Tiles,
        /// Names of the image sets whose frames cells show. The games know only the first.
        image_sets: ImageSets,
        /// The objects. Real files have them on the main plane only. They are decoded at first use.
        objects: Objects,
    } with {
    }
}

impl Plane {
    /// Bytes of the header of a plane in the file.
    pub(crate) const FILE_SIZE: usize = 160;
    /// Place of the derived words after the size at the start: the numbers of image sets and objects, the offsets of tiles,
    /// image sets and objects.
    pub(crate) const DERIVED: std::ops::Range<usize> = 0x7C..0x90;

    /// Returns `true` if the player is on this plane.
    pub fn is_main(&self) -> bool {
        self.flags.has(PlaneFlags::MAIN)
    }

    /// Columns and rows of the grid; negative numbers, which cannot be written, count as none.
    pub fn size(&self) -> (u32, u32) {
        (self.tiles_wide.max(0).unsigned_abs(), self.tiles_high.max(0).unsigned_abs())
    }

    /// Returns `true` if [`tiles`](Self::tiles) has one word per cell. Planes that were read do, and only such planes can be written.
    pub fn has_all_cells(&self) -> bool {
        let cells = i64::from(self.tiles_wide).saturating_mul(self.tiles_high.into());
        self.tiles_wide >= 0 && self.tiles_high >= 0 && u64::try_from(cells) == Ok(self.tiles.len() as u64)
    }

    /// The place of a cell in [`tiles`](Self::tiles), if it is on the grid.
    pub fn index(&self, column: u32, row: u32) -> Option<usize> {
        let (columns, rows) = self.size();
        if column >= columns || row >= rows {
            return None;
        }
        let index = u64::from(row).saturating_mul(columns.into()).saturating_add(column.into());
        usize::try_from(index).ok()
    }

    /// Returns `true` if a position in pixels is on the grid. The games drop other objects.
    pub fn contains(&self, x: i32, y: i32) -> bool {
        let (columns, rows) = self.size();
        let within = |at: i32, cells: u32, pixels: i32| {
            (0..i64::from(cells).saturating_mul(pixels.into())).contains(&i64::from(at))
        };
        within(x, columns, self.tile_w) && within(y, rows, self.tile_h)
    }

    /// The cell in a column and row, if it is on the grid.
    pub fn cell(&self, column: u32, row: u32) -> Option<Cell> {
        self.tiles.get(self.index(column, row)?).map(|&word| Cell::from_word(word))
    }
}

//! Edits of a level: planes, tiles, objects, names.
//!
//! An operation that fails changes nothing. Operations are methods of [`Document`](crate::Document), and [`Edit`]s, which scripts write as text:
//!
//! ```
//! use mapwright_wwd::Document;
//! use mapwright_wwd::edit::{EditObjects, EditOptions};
//!
//! let mut level = Document::new();
//! for line in [
//!     "add plane name=Action, size=20x10, flags=MAIN",
//!     "tiles fill Action 0,9,20,1 12",
//!     "add object plane=Action, logic=Elevator, x=320, y=576, min_x=200, max_x=500",
//!     "set logic=Ele* and x>=100: speed_x=150",
//!     "plane resize Action 24x12 bottom-right",
//! ] {
//!     let edited = level.apply(&line.parse()?, &EditOptions::default())?;
//!     println!("{edited}");
//! }
//! assert_eq!(level.planes[0].objects[0].max_x, 500 + 4 * 64);
//! # Ok::<(), mapwright_wwd::edit::QueryError>(())
//! ```
//!
//! Objects and planes have the fields of [`Object`](crate::Object) and [`Plane`](crate::Plane), and `kind` (`object` or `entity`, `plane` or `tiles`),
//! `key`, `plane` (the name of an object's plane) and sides of rectangles such as `rect_move_left`. `set level: …` sets fields of the
//! [`Header`](crate::Header).
//!
//! | edit | does |
//! |---|---|
//! | `set QUERY: …`, `delete QUERY`, `duplicate QUERY: …` | as in all formats: see [`Edit`] |
//! | `add plane name=NAME, size=24x8, tile=64, at=1, …` | [adds](crate::Document::add_plane) an empty plane; all but the size can be missing |
//! | `add object plane=PLANE, logic=Rat, x=100, …` | [adds](crate::Document::add_object) an object, with a free id if none is given |
//! | `rename image_set OLD NEW` | [renames](crate::Document::rename_image_set) image sets in planes and objects |
//! | `plane resize PLANE 24x8 [bottom-right]` | [resizes](crate::Document::resize_plane) a plane, with the old grid at an [`Anchor`] |
//! | `plane resize PLANE 24x8 [-2,5]` | … or with its first cell at a column and row |
//! | `tiles fill PLANE 0,0,24,8 17` | [fills](crate::Document::fill_tiles) an [`Area`] with a [`Cell`](crate::Cell) |
//! | `tiles replace PLANE 17 empty [0,0,24,8]` | [replaces](crate::Document::replace_tiles) cells of the plane or of an area |
//! | `tiles set 5-9 solid` | [sets](crate::Document::set_tile_properties) collision attributes of tiles: clear, solid, ground, climb, death or a number |
//! | `tiles set 5 clear solid 0,16,63,63` | … with another attribute in a rectangle of pixels |
//! | `tiles copy PLANE 0,0,2,2 PLANE 5,6` | [copies](crate::Document::copy_tiles) an area to a column and row |
//!
//! `PLANE` is a name, `#1` or `#main`, as [`find_plane`](crate::Document::find_plane) takes them.

mod apply;
mod objects;
mod planes;
mod rename;
mod tiles;
mod views;

pub use mapwright_query::{Assignment, Edit, EditObjects, EditOptions, Edited, Objects, Query, QueryError};

pub use planes::{Anchor, Placement, Resize, Resized};
pub use rename::SetRenamed;
pub use tiles::Area;

/// Maximum number of cells of a grid: 256 MiB in the file, sixty times the largest known grid.
pub const MAX_CELLS: u64 = 1 << 26;

/// An edit that was not carried out. The level has not changed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum EditError {
    /// No plane has that name or index.
    #[error("no plane is named {which:?}: planes are {planes}")]
    NoPlane {
        /// The name.
        which: String,
        /// The planes of the level.
        planes: String,
    },
    /// Several planes have that name.
    #[error("several planes are named {which:?}: expected one of {planes}")]
    ManyPlanes {
        /// The name.
        which: String,
        /// The planes with that name by their indices.
        planes: String,
    },
    /// No plane has that index.
    #[error("plane index {index} out of range ({count} planes)")]
    PlaneIndex {
        /// The index.
        index: usize,
        /// The number of planes.
        count: usize,
    },
    /// No object has that index.
    #[error("object index {index} out of range ({count} objects)")]
    ObjectIndex {
        /// The index.
        index: usize,
        /// The number of objects.
        count: usize,
    },
    /// A grid that is too large.
    #[error("invalid grid size {columns}×{rows}: expected at most {MAX_CELLS} tiles and {max} pixels", max = i32::MAX)]
    Grid {
        /// Number of columns.
        columns: u32,
        /// Number of rows.
        rows: u32,
    },
    /// Tiles without pixels.
    #[error("invalid tile size {pixels}: expected 64 (Claw) or 32 (Gruntz)")]
    TileSize {
        /// The size.
        pixels: i32,
    },
    /// A plane whose number of words differs from that of its cells.
    #[error("invalid number of cells {found}: the grid is {columns}×{rows}")]
    Cells {
        /// Columns of the grid.
        columns: i32,
        /// Rows of the grid.
        rows: i32,
        /// The number of cells.
        found: usize,
    },
    /// A rectangle that is partly outside the grid.
    #[error("area {area} outside the grid of {columns}×{rows} tiles")]
    Outside {
        /// The rectangle.
        area: Area,
        /// Columns of the grid.
        columns: u32,
        /// Rows of the grid.
        rows: u32,
    },
    /// A number that does not fit into its field.
    #[error("invalid value `{value}` for `{field}`: expected 32 bits")]
    Range {
        /// The field.
        field: String,
        /// The value.
        value: i64,
    },
    /// A field that another operation changes.
    #[error("`{field}` follows from the grid: resize the plane instead")]
    Derived {
        /// The field.
        field: String,
    },
    /// Text that does not have the expected form.
    #[error("expected {expected}, found {text:?}")]
    Syntax {
        /// The text.
        text: String,
        /// The expected form.
        expected: &'static str,
    },
    /// A name that cannot be stored.
    #[error("invalid name {name:?}: it {problem}")]
    Name {
        /// The name.
        name: String,
        /// The problem.
        problem: &'static str,
    },
    /// An error of fields, values or queries.
    #[error(transparent)]
    Query(#[from] QueryError),
}

impl From<EditError> for QueryError {
    fn from(error: EditError) -> Self {
        match error {
            EditError::Query(error) => error,
            other => Self::refused(other),
        }
    }
}

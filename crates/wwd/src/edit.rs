//! Changing a level: planes, tiles, objects, names.
//!
//! Every operation says what it changed, and an operation that fails has changed nothing. Operations are methods of
//! [`Document`](crate::Document); as data, and as lines of text for scripts, they are [`Edit`]s:
//!
//! ```
//! use mapwright_wwd::Document;
//!
//! let mut level = Document::new();
//! for line in [
//!     "plane add Action 20x10 flags=MAIN",
//!     "tiles fill Action 0,9,20,1 12",
//!     "objects add Action logic=Elevator x=320 y=576 min_x=200 max_x=500",
//!     "objects set speed_x=150 where logic=Elevator x>=100",
//!     "plane resize Action 24x12 bottom-right",
//! ] {
//!     let edited = level.apply(&line.parse()?)?;
//!     println!("{edited}");
//! }
//! assert_eq!(level.planes[0].objects[0].max_x, 500 + 4 * 64);
//! # Ok::<(), mapwright_wwd::edit::EditError>(())
//! ```

mod assign;
mod command;
mod objects;
mod planes;
mod query;
mod rename;
mod tiles;
mod value;

/// Fields have the names of [`Object::FIELDS`](crate::Object::FIELDS) and those of the other records; one side of a rectangle is
/// `rect_move_left`. Numbers are decimal or `0x` and hexadecimal digits, flags and codes also their names joined by commas,
/// rectangles `left,top,right,bottom`, texts spelled as [`spell`](crate::escape_bytes) does.
pub use mapwright_io::Assignment;
pub use mapwright_io::{Change, Comparison};

pub use command::{ChecksumSet, Edit, Edited};
pub use objects::{Changed, Found};
pub use planes::{Anchor, Placement, Resize, Resized};
pub use query::{Condition, Query};
pub use rename::{LevelRenamed, SetRenamed};
pub use tiles::Area;

use crate::FieldError;

/// The most cells that an operation makes a grid of: 256 MiB in the file, sixty times the largest known grid.
pub const MOST_CELLS: u64 = 1 << 26;

/// Why a level was not changed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum EditError {
    /// No plane is meant by these words.
    #[error("there is no plane {which}: planes are {planes}")]
    NoPlane {
        /// What was asked for.
        which: String,
        /// The planes that there are.
        planes: String,
    },
    /// Several planes have that name.
    #[error("{which} is the name of several planes: say {planes}")]
    ManyPlanes {
        /// What was asked for.
        which: String,
        /// The planes with that name by their places.
        planes: String,
    },
    /// No plane has that place.
    #[error("there is no plane {index}: the level has {count}")]
    PlaneIndex {
        /// The place that was asked for.
        index: usize,
        /// The number of planes.
        count: usize,
    },
    /// No object has that place.
    #[error("there is no object {index}: the plane has {count}")]
    ObjectIndex {
        /// The place that was asked for.
        index: usize,
        /// The number of objects.
        count: usize,
    },
    /// A grid that is too large.
    #[error(
        "a grid of {columns} by {rows} tiles: a grid has at most {MOST_CELLS} of them, and at most {max} pixels across",
        max = i32::MAX
    )]
    Grid {
        /// Columns.
        columns: u32,
        /// Rows.
        rows: u32,
    },
    /// Tiles without pixels.
    #[error("tiles of {pixels} pixels: say 64, as Claw has, or 32, as Gruntz")]
    TileSize {
        /// What was asked for.
        pixels: i32,
    },
    /// The words of a plane are not as many as its grid has cells.
    #[error("{found} cells for a grid of {columns} by {rows}")]
    Cells {
        /// Columns of the grid.
        columns: i32,
        /// Rows of the grid.
        rows: i32,
        /// Cells that there are.
        found: usize,
    },
    /// A rectangle that is not all on the grid.
    #[error("{area} is not all on the grid of {columns} by {rows} tiles")]
    Outside {
        /// The rectangle.
        area: Area,
        /// Columns of the grid.
        columns: u32,
        /// Rows of the grid.
        rows: u32,
    },
    /// A number would no longer fit into its field.
    #[error("{field} would be {value}, which 32 bits do not hold")]
    Range {
        /// The field.
        field: String,
        /// What it would be.
        value: i64,
    },
    /// No field has that name.
    #[error("there is no field {field}: fields are {}", fields.join(" "))]
    NoField {
        /// What was asked for.
        field: String,
        /// The fields that there are.
        fields: &'static [&'static str],
    },
    /// A field cannot be set as asked.
    #[error(transparent)]
    Field(#[from] FieldError),
    /// A text is not the value of the field.
    #[error("{field} takes {expected}, not {value:?}")]
    Value {
        /// The field.
        field: String,
        /// The text.
        value: String,
        /// What the field takes.
        expected: String,
    },
    /// A field that another operation changes.
    #[error("{field} is not set by itself: resize the plane")]
    Derived {
        /// The field.
        field: String,
    },
    /// A text is not written as it should.
    #[error("{text:?} is not {expected}")]
    Syntax {
        /// The text.
        text: String,
        /// How it is written.
        expected: &'static str,
    },
    /// A name that cannot stand where it should.
    #[error("the name {name:?} {problem}")]
    Name {
        /// The name, spelled.
        name: String,
        /// What is wrong with it.
        problem: &'static str,
    },
}

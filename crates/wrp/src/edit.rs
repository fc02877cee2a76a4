//! Edits of terrains: heights, textures, objects.
//!
//! An edit that fails changes nothing. Indices in tables never shift, and unchanged parts keep their bytes. Edits are methods of
//! [`Document`](crate::Document), and lines of text in the language of [`query`](crate::query):
//!
//! ```
//! use mapwright_wrp::query::{EditObjects, EditOptions};
//! use mapwright_wrp::{Document, Wvr};
//!
//! let mut terrain = Document::Wvr(Wvr::new([256, 256]));
//! for line in [
//!     "heights shift -2.5",
//!     "add object model=data3d\\dum.p3d, x=10, z=20",
//!     "rename model data3d\\dum.p3d data3d\\dum_rasovy.p3d",
//!     "set model=*dum* and x<100: y+=1.5",
//!     "duplicate model=*dum*: x+=25",
//!     "delete x>30 and z>=20",
//!     "crop 0,0 128x128",
//! ] {
//!     let edited = terrain.apply(&line.parse()?, &EditOptions::default())?;
//!     println!("{edited}");
//! }
//! assert_eq!((terrain.ground().size, terrain.objects().len()), ([128, 128], 1));
//! # Ok::<(), mapwright_wrp::query::QueryError>(())
//! ```
//!
//! Besides the common edits, terrains have these:
//!
//! | text | effect |
//! |---|---|
//! | `heights shift 2.5` | [raises](crate::Document::shift_heights) the ground by metres |
//! | `heights clamp -100 400` | [limits](crate::Document::clamp_heights) heights to a range |
//! | `sea raise 3` | [lowers](crate::Document::raise_sea) the ground and the objects |
//! | `resample 512x512` | [resamples](crate::Document::resample) the heights, and the material grid if it must |
//! | `crop 64,64 128x128` | [cuts out](crate::Document::crop) an area of cells, from its south-west cell |
//! | `move QUERY: 10,0,-5` | [moves](crate::Document::move_objects) objects to the east, up and north; objects on the ground stay on it |
//! | `objects renumber 1000` | [assigns](crate::Document::renumber_objects) new IDs, starting with 0 if no number is given |
//! | `objects drop-outside` | [deletes](crate::Document::delete_outside_objects) objects outside the map |
//! | `clean` | [clears](crate::Document::clean) leftover bytes |
//!
//! [`OBJECT`] lists the fields of objects. `rename model`, `rename texture` and `rename material` rename in tables.

mod apply;
mod fields;
mod grid;
mod names;
mod objects;
mod paste;

pub use fields::{OBJECT, ObjectRow, TERRAIN};
#[cfg(feature = "scene")]
pub(crate) use grid::land_size;
pub use paste::PasteReport;

use mapwright_io::escape_bytes;

/// Maximum number of values of a grid that an edit creates: 16,384×16,384.
pub const MAX_VALUES: u64 = 1 << 28;

/// Error of an edit. The terrain is not changed then.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum EditError {
    /// The variant does not allow the edit.
    #[error("{variant} does not allow this edit: {why}")]
    Variant {
        /// The variant.
        variant: String,
        /// The reason.
        why: &'static str,
    },
    /// An area is not completely inside the grid.
    #[error("area {},{} {}×{} exceeds the grid of {}×{} cells", at[0], at[1], size[0], size[1], grid[0], grid[1])]
    Outside {
        /// South-west cell, counted from the west and from the south.
        at: [u32; 2],
        /// Columns and rows of the area.
        size: [u32; 2],
        /// Columns and rows of the grid.
        grid: [u32; 2],
    },
    /// A grid is empty or too large.
    #[error("invalid grid size {}×{}: expected 1 to {MAX_VALUES} values", .0[0], .0[1])]
    Size([u32; 2]),
    /// The size of the height grid is not a multiple of the size of the material grid.
    #[error("{}×{} heights are not an integer multiple of {}×{} cells", terrain[0], terrain[1], land[0], land[1])]
    Ratio {
        /// Columns and rows of the heights.
        terrain: [u32; 2],
        /// Columns and rows of the cells.
        land: [u32; 2],
    },
    /// Two terrains have different distances between heights.
    #[error("distances between heights differ ({own} m and {other} m): resample one of the terrains first")]
    Step {
        /// Metres between heights.
        own: String,
        /// Metres between heights of the other terrain.
        other: String,
    },
    /// There is no free texture slot.
    #[error("no free slot for texture \"{}\": 4WVR has 511", escape_bytes(.0))]
    NoSlot(Vec<u8>),
    /// A name cannot be stored.
    #[error("name \"{}\" {problem}", escape_bytes(.name))]
    Name {
        /// The name.
        name: Vec<u8>,
        /// The problem, as a predicate.
        problem: String,
    },
    /// A number is out of range.
    #[error("{field} is out of range: {value}")]
    Number {
        /// Name of the number.
        field: &'static str,
        /// The number.
        value: String,
    },
    /// The limits of a range are not in order.
    #[error("invalid range {0}: the lower height comes first")]
    Range(String),
    /// An object index is out of range.
    #[error("object index is out of range ({objects} objects)")]
    Index {
        /// Number of objects.
        objects: usize,
    },
    /// The changed terrain cannot be written.
    #[error("changed terrain cannot be written: {0}")]
    Unwritable(String),
}

impl EditError {
    /// Creates the error for 1WVR with roads.
    pub(crate) fn roads() -> Self {
        Self::Variant { variant: "1WVR".to_owned(), why: "its roads would not move; convert it to 4WVR first" }
    }

    /// Creates the error for variants without IDs.
    pub(crate) fn without_ids(document: &crate::Document) -> Self {
        Self::Variant { variant: document.variant(), why: "its objects have no IDs" }
    }

    /// Creates the error for OPRW.
    fn binarised(document: &crate::Document) -> Self {
        Self::Variant {
            variant: document.variant(),
            why: "other parts were computed from the old values; convert it to 4WVR or 8WVR first",
        }
    }
}

impl crate::Document {
    /// Rejects OPRW: the game computed other parts from the values to be changed.
    pub(crate) fn check_editable(&self) -> Result<(), EditError> {
        if let Self::Oprw(_) = self { Err(EditError::binarised(self)) } else { Ok(()) }
    }
}

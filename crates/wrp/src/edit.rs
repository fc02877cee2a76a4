//! Changing a terrain: heights, textures, objects.
//!
//! Every operation says what it changed, and one that fails has changed nothing. Numbers in tables never shift, and what is not
//! changed keeps its bytes. Operations are methods of [`Document`](crate::Document); as data, and as lines of text for scripts,
//! they are [`Edit`]s:
//!
//! ```
//! use mapwright_wrp::{Document, Wvr};
//!
//! let mut terrain = Document::Wvr(Wvr::new([256, 256]));
//! for line in [
//!     "heights shift -2.5",
//!     "models rename data3d\\dum.p3d data3d\\dum_rasovy.p3d",
//!     "objects remove where model=*smrk* y<0",
//!     "objects move 0,1.5,0 where region=0,0,1000,1000",
//!     "crop 64,64 128x128",
//! ] {
//!     let edited = terrain.apply(&line.parse()?)?;
//!     println!("{edited}");
//! }
//! assert_eq!(terrain.ground().size, [128, 128]);
//! # Ok::<(), mapwright_wrp::edit::EditError>(())
//! ```

mod command;
mod grid;
mod names;
mod objects;
mod paste;
mod query;

pub use command::{Edit, Edited};
pub use mapwright_io::{Comparison, Pattern};
pub use objects::Set;
pub use paste::PasteReport;
pub use query::{Condition, Query, Subject};

use mapwright_io::escape;

/// The most values that an operation makes a grid of: those of 16,384 by 16,384.
pub const MOST_VALUES: u64 = 1 << 28;

/// Why a terrain was not changed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum EditError {
    /// The variant cannot be changed that way.
    #[error("{variant} cannot be changed that way: {why}")]
    Variant {
        /// The variant.
        variant: String,
        /// Why not.
        why: &'static str,
    },
    /// An area that is not all on the grid.
    #[error("an area of {size:?} cells at {at:?} is not all on the grid of {grid:?}")]
    Outside {
        /// Its south-west cell, from the west and from the south.
        at: [u32; 2],
        /// Columns and rows.
        size: [u32; 2],
        /// Columns and rows of the grid.
        grid: [u32; 2],
    },
    /// A grid that is too large, or empty.
    #[error("a grid of {0:?}: from 1 value to {MOST_VALUES}")]
    Size([u32; 2]),
    /// A grid of heights that is no whole multiple of that of the materials.
    #[error("{terrain:?} heights on {land:?} cells: cells are cut where each has the same number of heights")]
    Ratio {
        /// Columns and rows of the heights.
        terrain: [u32; 2],
        /// Columns and rows of the cells.
        land: [u32; 2],
    },
    /// Two terrains with other distances between their heights.
    #[error("heights {own} m and {other} m apart: resample one of the terrains first")]
    Step {
        /// Metres between heights.
        own: String,
        /// Those of the other terrain.
        other: String,
    },
    /// No room for another texture.
    #[error("no slot is left for the texture \"{}\": 4WVR has 511", escape(.0))]
    NoSlot(Vec<u8>),
    /// A name that does not fit.
    #[error("the name \"{}\" {problem}", escape(.name))]
    Name {
        /// The name.
        name: Vec<u8>,
        /// What is wrong with it.
        problem: String,
    },
    /// A number that the file cannot hold.
    #[error("{field} would be {value}")]
    Number {
        /// What it is.
        field: &'static str,
        /// What it would be.
        value: String,
    },
    /// The terrain could not be written any more.
    #[error("the file could not be written: {0}")]
    Unwritable(String),
    /// A text that is no edit.
    #[error(
        "{0:?} is no edit; these are: heights shift METRES, heights clamp LOW HIGH, sea raise METRES, resample 512x512, \
         crop 64,64 128x128, textures rename OLD NEW, models rename OLD NEW, objects remove where CONDITION …, \
         objects set FIELD=VALUE … [where …], objects move EAST,UP,NORTH [where …], objects renumber [FIRST], \
         objects drop-outside, clean"
    )]
    Unknown(String),
    /// A text is not written as it should.
    #[error("{text:?} is not {expected}")]
    Syntax {
        /// The text.
        text: String,
        /// How it is written.
        expected: &'static str,
    },
}

impl EditError {
    /// What 1WVR with roads refuses.
    pub(crate) fn roads() -> Self {
        Self::Variant {
            variant: "1WVR".to_owned(),
            why: "its roads would stay where they are; convert it to 4WVR first",
        }
    }

    /// What OPRW refuses.
    fn binarised(document: &crate::Document) -> Self {
        Self::Variant {
            variant: document.variant(),
            why: "the game computed other parts from it; convert it to 4WVR or 8WVR first",
        }
    }
}

impl crate::Document {
    /// Refuses OPRW, of which the game computed other parts from what is to be changed.
    pub(crate) fn check_editable(&self) -> Result<(), EditError> {
        if let Self::Oprw(_) = self { Err(EditError::binarised(self)) } else { Ok(()) }
    }
}

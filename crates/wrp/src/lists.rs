//! Objects as tables that other programs read: Terrain Builder's text, `.lbt`, and CSV from which the same bits come back.
//!
//! ```
//! use mapwright_wrp::lists::{self, Centres, Elevation};
//! use mapwright_wrp::{Builder, Document, Matrix, Name, Wvr8};
//!
//! let mut objects = Builder::default();
//! let model = objects.model(&Name::new(*b"dz\\plants\\tree.p3d"));
//! objects.push(model, Matrix::at([10.0, 5.0, 20.0]), Some(0));
//! let terrain = Document::Wvr8(Wvr8 { objects: objects.finish(), ..Wvr8::new([4, 4], 10.0, 1) });
//!
//! let mut text = Vec::new();
//! lists::write_terrain_builder(&terrain, Elevation::Absolute, &Centres::default(), &mut text)?;
//! assert_eq!(text, b"\"tree\";200010.000;20.000;0.000;0.000;0.000;1.000;5.000;\n");
//!
//! let mut csv = Vec::new();
//! lists::write_csv(&terrain, &mut csv)?;
//! assert_eq!(lists::read_csv(&csv)?, *terrain.objects());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod angles;
mod centres;
mod csv;
mod lbt;
mod terrain_builder;

use std::fmt;

use mapwright_io::spell;

use crate::document::{Document, Matrix, Placements};
use crate::edit::EditError;

pub use angles::Angles;
pub use centres::Centres;
pub use csv::{read_csv, read_pairs, write_csv};
pub use lbt::{read_lbt, write_lbt};
pub use terrain_builder::{Elevation, Listed, read_terrain_builder, write_terrain_builder};

/// An object as tables show it.
#[derive(Debug, Clone, PartialEq)]
pub struct Row {
    /// Its place in the list.
    pub index: usize,
    /// Its number.
    pub id: Option<i32>,
    /// The name of its model, spelled; empty if the file does not name it.
    pub model: String,
    /// Where it stands.
    pub matrix: Matrix,
    /// How it is turned.
    pub angles: Angles,
}

/// Why a table was not read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListError {
    /// The line, from 1.
    pub line: usize,
    /// The field in it, from 1; 0 for the whole line.
    pub field: usize,
    /// What is wrong.
    pub problem: String,
}

impl ListError {
    fn new(line: usize, field: usize, problem: impl Into<String>) -> Self {
        Self { line, field, problem: problem.into() }
    }
}

impl fmt::Display for ListError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { line, field, problem } = self;
        write!(f, "line {line}")?;
        if *field > 0 {
            write!(f, ", field {field}")?;
        }
        write!(f, ": {problem}")
    }
}

impl std::error::Error for ListError {}

impl Document {
    /// All objects as tables show them.
    pub fn rows(&self) -> impl Iterator<Item = Row> + '_ {
        let matrices = self.matrices();
        self.objects().iter().enumerate().map(move |(index, object)| {
            let matrix = matrices.get(index).copied().unwrap_or(Matrix::at([0.0; 3]));
            Row {
                index,
                id: object.id,
                model: object.model.map_or_else(String::new, |name| spell(&name.bytes)),
                matrix,
                angles: Angles::of(&matrix),
            }
        })
    }

    /// Replaces all objects by those of a table. Numbers are made up where the variant has such and the table does not, and left
    /// out where it has none.
    ///
    /// # Errors
    /// [`EditError::Variant`] for OPRW and for variants whose objects stand upright, and [`EditError::Name`] for a name that the
    /// file cannot hold, and [`EditError::Unwritable`] for columns that do not belong together; then nothing has changed.
    pub fn replace_objects(&mut self, mut objects: crate::Objects) -> Result<(), EditError> {
        self.check_editable()?;
        if let Placements::Headings(_) = self.objects().placements {
            let why = "its objects stand upright; convert it to 4WVR first";
            return Err(EditError::Variant { variant: self.variant(), why });
        }
        for name in &objects.models {
            self.check_model(&name.bytes)?;
        }
        if self.has_ids() {
            objects.number();
        } else {
            objects.ids.clear();
        }
        let mut changed = self.clone();
        if let Self::Wvr8(terrain) = &mut changed
            && let Some(sentinel) = &mut terrain.sentinel
        {
            sentinel.followed_by = 0;
        }
        *changed.objects_mut() = objects;
        if let Err(error) = changed.to_bytes() {
            return Err(EditError::Unwritable(error.to_string()));
        }
        *self = changed;
        Ok(())
    }
}

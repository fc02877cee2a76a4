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
mod said;
mod terrain_builder;

use std::fmt;

use hashbrown::HashMap;
use mapwright_io::escape_bytes;

use crate::document::{Builder, Document, Matrix, Name, Objects, Placement, Placements};
use crate::edit::EditError;

pub use angles::Angles;
pub use centres::Centres;
pub use csv::{read_csv, read_pairs, write_csv, write_safe_csv};
pub use lbt::{read_lbt, write_lbt};
pub use said::{Said, parse_bits, spell_bits};
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
        let objects = self.objects();
        let models: Vec<String> = objects.models.iter().map(|name| escape_bytes(&name.bytes)).collect();
        let matrices = self.matrices();
        let model = move |row: usize| models.get(usize::try_from(*objects.model.get(row)?).ok()?).cloned();
        objects.iter().enumerate().map(move |(index, object)| {
            let matrix = matrices.get(index).copied().unwrap_or(Matrix::at([0.0; 3]));
            Row { index, id: object.id, model: model(index).unwrap_or_default(), matrix, angles: Angles::of(&matrix) }
        })
    }

    /// Replaces all objects by those of a table. Numbers are made up where the variant has such and the table does not, and left
    /// out where it has none. What stands behind the names of models in the file stays, as tables do not have it: of objects of
    /// the same model, that of the one in the same row with the same number, else of one with the number, in the row, or the first.
    ///
    /// # Errors
    /// [`EditError::Variant`] for OPRW and for variants whose objects stand upright, and [`EditError::Name`] for a name that the
    /// file cannot hold, and [`EditError::Unwritable`] for columns that do not belong together; then nothing has changed.
    pub fn replace_objects(&mut self, mut objects: Objects) -> Result<(), EditError> {
        self.check_editable()?;
        if let Placements::Headings(_) = self.objects().placements {
            let why = "its objects stand upright; convert it to 4WVR first";
            return Err(EditError::Variant { variant: self.variant(), why });
        }
        for name in &objects.models {
            self.check_model(&name.bytes)?;
        }
        keep_rests(self.objects(), &mut objects);
        if self.has_ids() {
            objects.number();
        } else {
            objects.ids.clear();
        }
        let mut changed = self.clone();
        if let Self::Wvr8(terrain) = &mut changed
            && terrain.objects.len() != objects.len()
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

/// Gives names what stands behind them in the file that they replace.
fn keep_rests(old: &Objects, new: &mut Objects) {
    if old.models.iter().all(|name| name.rest.is_empty()) {
        return;
    }
    let mut of_model: HashMap<&[u8], &Name> = HashMap::new();
    let mut of_number: HashMap<(i32, &[u8]), &Name> = HashMap::new();
    for object in old.iter() {
        let Some(name) = object.model else { continue };
        of_model.entry(&name.bytes).or_insert(name);
        if let Some(id) = object.id {
            of_number.entry((id, &name.bytes)).or_insert(name);
        }
    }
    let mut builder = Builder::default();
    for (row, object) in new.iter().enumerate() {
        let (Some(name), Placement::Matrix(matrix)) = (object.model, object.placement) else { continue };
        let bytes = name.bytes.as_slice();
        let in_row = old.get(row).filter(|old| old.model.is_some_and(|old| old.bytes == bytes));
        let kept = in_row
            .filter(|old| old.id == object.id)
            .and_then(|old| old.model)
            .or_else(|| of_number.get(&(object.id?, bytes)).copied())
            .or_else(|| in_row?.model)
            .or_else(|| of_model.get(bytes).copied())
            .filter(|_| name.rest.is_empty());
        let model = builder.model(kept.unwrap_or(name));
        builder.push(model, matrix, object.id);
    }
    *new = builder.finish();
}

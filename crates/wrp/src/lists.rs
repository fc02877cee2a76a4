//! Object lists for other programs: Terrain Builder text, `.lbt`, and CSV that preserves all bits.
//!
//! ```
//! use mapwright_wrp::lists::{self, Centres, Elevation};
//! use mapwright_wrp::{Builder, Document, Matrix, Name, Wvr8};
//!
//! let mut objects = Builder::default();
//! let model = objects.add_model(&Name::new(*b"dz\\plants\\tree.p3d"));
//! objects.push(model, Matrix::from_position([10.0, 5.0, 20.0]), Some(0));
//! let terrain = Document::Wvr8(Wvr8 { objects: objects.finish(), ..Wvr8::new([4, 4], 10.0, 1) });
//!
//! let mut text = Vec::new();
//! lists::write_terrain_builder(terrain.rows(), &terrain.ground(), (Elevation::Absolute, &Centres::default(), lists::TERRAIN_BUILDER_ORIGIN), &mut text)?;
//! assert_eq!(text, b"\"tree\";200010.000;20.000;0.000;0.000;0.000;1.000;5.000;\n");
//!
//! let mut csv = Vec::new();
//! lists::write_csv(terrain.rows(), &mut csv)?;
//! assert_eq!(lists::read_csv(&csv)?, *terrain.objects());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod angles;
mod centres;
mod csv;
mod lbt;
mod row_transform;
mod terrain_builder;

use std::fmt;

use hashbrown::HashMap;
use mapwright_io::escape_bytes;

use crate::document::{Builder, Document, Matrix, Name, Objects, Placement, Placements};
use crate::edit::EditError;

pub use angles::Angles;
pub use centres::Centres;
pub use csv::{COLUMNS, read_csv, read_csv_with, read_pairs, write_csv};
pub use lbt::{read_lbt, write_lbt};
pub use row_transform::{RowTransform, format_bits, parse_bits};
pub use terrain_builder::{
    Elevation, TERRAIN_BUILDER_ORIGIN, TerrainBuilderList, read_terrain_builder, write_terrain_builder,
};

/// A row of an object list.
#[derive(Debug, Clone, PartialEq)]
pub struct Row {
    /// Index of the object.
    pub index: usize,
    /// ID.
    pub id: Option<i32>,
    /// Name of its model, escaped. Empty if the model index is out of range.
    pub model: String,
    /// Transform.
    pub matrix: Matrix,
    /// The transform as angles and a scale.
    pub angles: Angles,
}

/// Error of reading an object list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListError {
    /// Line, from 1.
    pub line: usize,
    /// Field, from 1. 0 for the whole line.
    pub field: usize,
    /// Description of the problem.
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
    /// Returns the rows of all objects.
    pub fn rows(&self) -> impl Iterator<Item = Row> + '_ {
        let objects = self.objects();
        let models: Vec<String> = objects.models.iter().map(|name| escape_bytes(&name.bytes)).collect();
        let matrices = self.matrices();
        let model = move |row: usize| models.get(usize::try_from(*objects.model.get(row)?).ok()?).cloned();
        objects.iter().enumerate().map(move |(index, object)| {
            let matrix = matrices.get(index).copied().unwrap_or(Matrix::from_position([0.0; 3]));
            Row {
                index,
                id: object.id,
                model: model(index).unwrap_or_default(),
                matrix,
                angles: Angles::from_matrix(&matrix),
            }
        })
    }

    /// Replaces all objects by those of a list. Missing IDs are synthesized; IDs that the variant cannot store are dropped.
    ///
    /// Lists do not contain the residues after model names, so these are taken from an old object with the same model: the one in the
    /// same row with the same ID, else one with the same ID, the one in the same row, or the first.
    ///
    /// # Errors
    /// [`EditError::Variant`] for OPRW and for variants with upright objects. [`EditError::Name`] for a name that cannot be stored.
    /// [`EditError::Unwritable`] for inconsistent columns. The terrain is not changed then.
    pub fn replace_objects(&mut self, mut objects: Objects) -> Result<(), EditError> {
        self.check_editable()?;
        if let Placements::Headings(_) = self.objects().placements {
            let why = "its objects are upright; convert it to 4WVR first";
            return Err(EditError::Variant { variant: self.variant(), why });
        }
        for name in &objects.models {
            self.check_model(&name.bytes)?;
        }
        preserve_residues(self.objects(), &mut objects);
        if self.has_ids() {
            objects.assign_ids();
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

/// Adds the residues of old names to equal new names.
fn preserve_residues(old: &Objects, new: &mut Objects) {
    if old.models.iter().all(|name| name.rest.is_empty()) {
        return;
    }
    let mut by_model: HashMap<&[u8], &Name> = HashMap::new();
    let mut by_id: HashMap<(i32, &[u8]), &Name> = HashMap::new();
    for object in old.iter() {
        // Objects without a model have no residue.
        let Some(name) = object.model else { continue };
        by_model.entry(&name.bytes).or_insert(name);
        if let Some(id) = object.id {
            by_id.entry((id, &name.bytes)).or_insert(name);
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
            .or_else(|| by_id.get(&(object.id?, bytes)).copied())
            .or_else(|| in_row?.model)
            .or_else(|| by_model.get(bytes).copied())
            .filter(|_| name.rest.is_empty());
        let model = builder.add_model(kept.unwrap_or(name));
        builder.push(model, matrix, object.id);
    }
    *new = builder.finish();
}

//! Edits of names.

use mapwright_io::FixedBytes;
use mapwright_query::Glob;

use super::EditError;
use crate::Version;
use crate::document::{Document, Name};

impl Document {
    /// Renames all models that match a pattern. Returns the number of their objects.
    ///
    /// # Errors
    /// [`EditError::Name`] for a name that cannot be stored.
    pub fn rename_models(&mut self, from: &Glob, to: &[u8]) -> Result<usize, EditError> {
        self.rename_models_by(&[(from.clone(), to.to_vec())]).map(|counts| counts.iter().sum())
    }

    /// Renames models by a table. The first row that matches a name applies, so names can be swapped. Returns the number of objects for
    /// each row.
    ///
    /// # Errors
    /// [`EditError::Name`] for a name that cannot be stored.
    pub fn rename_models_by(&mut self, table: &[(Glob, Vec<u8>)]) -> Result<Vec<usize>, EditError> {
        for (_, to) in table {
            self.check_model(to)?;
        }
        let objects = self.objects_mut();
        let counts = objects.counts();
        let mut renamed = vec![0_usize; table.len()];
        for (name, count) in objects.models.iter_mut().zip(counts) {
            if let Some(to) = find_new_name(table, &mut renamed, &name.bytes, count) {
                *name = Name::new(to.as_slice());
            }
        }
        Ok(renamed)
    }

    /// Renames all textures or materials that match a pattern. Returns their number.
    ///
    /// # Errors
    /// [`EditError::Name`] for a name that cannot be stored.
    pub fn rename_textures(&mut self, from: &Glob, to: &[u8]) -> Result<usize, EditError> {
        self.rename_textures_by(&[(from.clone(), to.to_vec())]).map(|counts| counts.iter().sum())
    }

    /// Renames textures or materials by a table, as [`rename_models_by`](Self::rename_models_by) does.
    ///
    /// # Errors
    /// [`EditError::Name`] for a name that cannot be stored.
    pub fn rename_textures_by(&mut self, table: &[(Glob, Vec<u8>)]) -> Result<Vec<usize>, EditError> {
        for (_, to) in table {
            let is_long = matches!(self, Self::Wvr(_)) && to.len() > 32;
            if let Some(problem) = find_problem(to).or(is_long.then_some("is longer than 32 bytes")) {
                return Err(EditError::Name { name: to.clone(), problem: problem.to_owned() });
            }
        }
        let mut renamed = vec![0_usize; table.len()];
        let mut new = |name: &[u8]| match name {
            [] => None,
            _ => find_new_name(table, &mut renamed, name, 1),
        };
        match self {
            Self::Wvr(terrain) => {
                for name in &mut terrain.names {
                    if let Some(to) = new(name.text()).and_then(|to| FixedBytes::from_text(to)) {
                        *name = to;
                    }
                }
            }
            Self::Wvr8(terrain) => {
                for name in terrain.materials.iter_mut().flatten() {
                    if let Some(to) = new(name) {
                        name.clone_from(to);
                    }
                }
            }
            Self::Oprw(terrain) => {
                for material in &mut terrain.materials {
                    if let Some(to) = new(&material.name) {
                        material.name.clone_from(to);
                    }
                }
            }
        }
        Ok(renamed)
    }

    /// Rejects a model name that cannot be stored.
    pub(crate) fn check_model(&self, name: &[u8]) -> Result<(), EditError> {
        let problem = if name.is_empty() {
            "is empty: it would end the list of objects".to_owned()
        } else if let Some(problem) = find_problem(name) {
            problem.to_owned()
        } else if let Self::Wvr(terrain) = self {
            let width = terrain.version.record_size().saturating_sub(terrain.version.name_offset());
            if name.len() > width {
                format!("is longer than {width} bytes")
            } else if terrain.version == Version::Wvr1 && !crate::read::is_model(name) {
                "does not contain .p3d or .p3x: it would end the list of objects".to_owned()
            } else {
                return Ok(());
            }
        } else {
            return Ok(());
        };
        Err(EditError::Name { name: name.to_vec(), problem })
    }

    /// Clears leftover bytes: residues after names, and records and bytes after the list of objects. Returns the number of bytes that
    /// were cleared or deleted.
    pub fn clean(&mut self) -> usize {
        let mut cleaned = 0_usize;
        let mut count = |bytes: &[u8]| {
            cleaned = cleaned.saturating_add(bytes.iter().filter(|&&byte| byte != 0).count());
        };
        match self {
            Self::Wvr(terrain) => {
                for name in &mut terrain.names {
                    count(name.residue());
                    if let Some(clean) = FixedBytes::from_text(name.text()) {
                        *name = clean;
                    }
                }
                for name in &mut terrain.objects.models {
                    count(&name.rest);
                    name.rest.clear();
                }
                if let Some(record) = &mut terrain.terminator {
                    count(record);
                    record.fill(0);
                }
                // Keep roads of 1WVR that could not be read: they are in `after`.
                if terrain.version != Version::Wvr1 || terrain.nets.is_some() {
                    cleaned = cleaned.saturating_add(terrain.after.len());
                    terrain.after.clear();
                }
            }
            Self::Wvr8(terrain) => {
                cleaned = terrain.after.len();
                terrain.after.clear();
            }
            Self::Oprw(terrain) => {
                cleaned = terrain.after.len();
                terrain.after.clear();
            }
        }
        cleaned
    }
}

/// Returns why no table can store a name, as a predicate.
fn find_problem(name: &[u8]) -> Option<&'static str> {
    match name {
        [] => Some("is empty"),
        _ if name.contains(&0) => Some("contains a NUL"),
        _ if name.contains(&b'*') => Some("contains `*`"),
        _ => None,
    }
}

/// Returns the new name by the first row that matches, if it differs. Adds `uses` to the count of the row.
fn find_new_name<'a>(
    table: &'a [(Glob, Vec<u8>)],
    renamed: &mut [usize],
    name: &[u8],
    uses: usize,
) -> Option<&'a Vec<u8>> {
    let row = table.iter().zip(renamed).find(|((from, _), _)| from.matches(name));
    let ((_, to), renamed) = row.filter(|((_, to), _)| name != to)?;
    *renamed = renamed.saturating_add(uses);
    Some(to)
}

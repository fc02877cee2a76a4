//! Names of models and textures.

use mapwright_io::FixedBytes;

use super::{EditError, Pattern};
use crate::Version;
use crate::document::{Document, Name};

impl Document {
    /// Gives all models whose names are like a pattern another name, and says how many objects show it now.
    ///
    /// # Errors
    /// [`EditError::Name`] for a name that the file cannot hold.
    pub fn rename_models(&mut self, from: &Pattern, to: &[u8]) -> Result<usize, EditError> {
        self.rename_models_by(&[(from.clone(), to.to_vec())]).map(|counts| counts.iter().sum())
    }

    /// Renames models by a table: each name by the first pattern that it is like, so that names can be swapped. Says for each row
    /// how many objects show the new name.
    ///
    /// # Errors
    /// [`EditError::Name`] for a name that the file cannot hold; then nothing has changed.
    pub fn rename_models_by(&mut self, table: &[(Pattern, Vec<u8>)]) -> Result<Vec<usize>, EditError> {
        for (_, to) in table {
            self.check_model(to)?;
        }
        let objects = self.objects_mut();
        let counts = objects.counts();
        let mut renamed = vec![0_usize; table.len()];
        for (name, count) in objects.models.iter_mut().zip(counts) {
            if let Some(to) = renaming(table, &mut renamed, &name.bytes, count) {
                *name = Name::new(to.as_slice());
            }
        }
        Ok(renamed)
    }

    /// Gives all textures or materials whose names are like a pattern another name, and says how many there are.
    ///
    /// # Errors
    /// [`EditError::Name`] for a name that the file cannot hold.
    pub fn rename_textures(&mut self, from: &Pattern, to: &[u8]) -> Result<usize, EditError> {
        self.rename_textures_by(&[(from.clone(), to.to_vec())]).map(|counts| counts.iter().sum())
    }

    /// Renames textures or materials by a table, as [`rename_models_by`](Self::rename_models_by) does models.
    ///
    /// # Errors
    /// [`EditError::Name`] for a name that the file cannot hold; then nothing has changed.
    pub fn rename_textures_by(&mut self, table: &[(Pattern, Vec<u8>)]) -> Result<Vec<usize>, EditError> {
        for (_, to) in table {
            let problem = if to.is_empty() || to.contains(&0) || to.contains(&b'*') {
                "is empty, or has a NUL or a star"
            } else if matches!(self, Self::Wvr(_)) && to.len() > 32 {
                "has more than 32 bytes"
            } else {
                continue;
            };
            return Err(EditError::Name { name: to.clone(), problem: problem.to_owned() });
        }
        let mut renamed = vec![0_usize; table.len()];
        let mut new = |name: &[u8]| match name {
            [] => None,
            _ => renaming(table, &mut renamed, name, 1),
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

    /// Refuses a name of a model that the file cannot hold.
    pub(crate) fn check_model(&self, name: &[u8]) -> Result<(), EditError> {
        let problem = if name.is_empty() {
            "is empty: the list of objects would end there".to_owned()
        } else if name.contains(&0) || name.contains(&b'*') {
            "has a NUL or a star".to_owned()
        } else if let Self::Wvr(terrain) = self {
            let width = terrain.version.record_size().saturating_sub(terrain.version.name_offset());
            if name.len() > width {
                format!("has more than {width} bytes")
            } else if terrain.version == Version::Wvr1 && !crate::read::is_model(name) {
                "does not have .p3d or .p3x in it: the list of objects would end there".to_owned()
            } else {
                return Ok(());
            }
        } else {
            return Ok(());
        };
        Err(EditError::Name { name: name.to_vec(), problem })
    }

    /// Removes what programs left behind: bytes behind names, records and bytes behind the list of objects. Says how many bytes
    /// became zero or are gone.
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
                // Roads of 1WVR that could not be read are there.
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

/// What a name becomes by the first row of a table that it is like, if that is another name; the row gets so many uses more.
fn renaming<'a>(
    table: &'a [(Pattern, Vec<u8>)],
    renamed: &mut [usize],
    name: &[u8],
    uses: usize,
) -> Option<&'a Vec<u8>> {
    let row = table.iter().zip(renamed).find(|((from, _), _)| from.matches(name));
    let ((_, to), renamed) = row.filter(|((_, to), _)| name != to)?;
    *renamed = renamed.saturating_add(uses);
    Some(to)
}

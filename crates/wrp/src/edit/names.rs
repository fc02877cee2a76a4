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
        self.check_model(to)?;
        let objects = self.objects_mut();
        let counts = objects.counts();
        let mut renamed = 0_usize;
        for (name, count) in objects.models.iter_mut().zip(counts) {
            if from.matches(&name.bytes) && name.bytes != to {
                *name = Name::new(to);
                renamed = renamed.saturating_add(count);
            }
        }
        Ok(renamed)
    }

    /// Gives all textures or materials whose names are like a pattern another name, and says how many there are.
    ///
    /// # Errors
    /// [`EditError::Name`] for a name that the file cannot hold.
    pub fn rename_textures(&mut self, from: &Pattern, to: &[u8]) -> Result<usize, EditError> {
        let wrong = |problem: &str| EditError::Name { name: to.to_vec(), problem: problem.to_owned() };
        if to.is_empty() || to.contains(&0) {
            return Err(wrong("is empty or has a NUL"));
        }
        let mut renamed = 0_usize;
        let mut count = |renames: bool| {
            renamed = renamed.saturating_add(usize::from(renames));
            renames
        };
        match self {
            Self::Wvr(terrain) => {
                let new = FixedBytes::from_text(to).ok_or_else(|| wrong("has more than 32 bytes"))?;
                for name in &mut terrain.names {
                    let old = name.text();
                    if count(!old.is_empty() && old != to && from.matches(old)) {
                        *name = new;
                    }
                }
            }
            Self::Wvr8(terrain) => {
                for name in terrain.materials.iter_mut().flatten() {
                    if count(name != to && from.matches(name)) {
                        *name = to.to_vec();
                    }
                }
            }
            Self::Oprw(terrain) => {
                for material in &mut terrain.materials {
                    if count(!material.name.is_empty() && material.name != to && from.matches(&material.name)) {
                        material.name = to.to_vec();
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
        } else if name.contains(&0) {
            "has a NUL".to_owned()
        } else if let Self::Wvr(terrain) = self {
            let width = terrain.version.record().saturating_sub(terrain.version.name_at());
            if name.len() > width {
                format!("has more than {width} bytes")
            } else if terrain.version == Version::Wvr1 && !crate::read::is_model(name) {
                "does not end in .p3d".to_owned()
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
                cleaned = cleaned.saturating_add(terrain.after.len());
                terrain.after.clear();
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

//! Renaming image sets.

use super::EditError;
use crate::{Document, ImageSets, escape_bytes};

/// The result of renaming an image set.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct SetRenamed {
    /// Names of planes' image sets that changed.
    pub plane_names: usize,
    /// Objects that changed.
    pub objects: usize,
}

impl Document {
    /// Renames an image set in the lists of planes and in objects. The name must match exactly.
    ///
    /// # Errors
    /// If a name is empty or contains a NUL.
    pub fn rename_image_set(&mut self, from: &[u8], to: &[u8]) -> Result<SetRenamed, EditError> {
        for name in [from, to] {
            let problem = if name.is_empty() { "is empty" } else { "contains a NUL" };
            if name.is_empty() || name.contains(&0) {
                return Err(EditError::Name { name: escape_bytes(name), problem });
            }
        }
        let mut renamed = SetRenamed::default();
        if from == to {
            return Ok(renamed);
        }
        for plane in &mut self.planes {
            let found = plane.image_sets.iter().filter(|name| *name == from).count();
            if found > 0 {
                let mut names = ImageSets::new();
                for name in plane.image_sets.iter() {
                    let name = if name == from { to } else { name };
                    names
                        .push(name)
                        .map_err(|_| EditError::Name { name: escape_bytes(name), problem: "contains a NUL" })?;
                }
                plane.image_sets = names;
                renamed.plane_names = renamed.plane_names.saturating_add(found);
            }
            for object in plane.objects.iter_mut().filter(|object| object.image_set == from) {
                object.image_set = to.to_vec();
                renamed.objects = renamed.objects.saturating_add(1);
            }
        }
        Ok(renamed)
    }
}

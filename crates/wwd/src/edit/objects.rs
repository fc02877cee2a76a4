//! Adding and removing objects.

use mapwright_query::{Assigner, QueryError};

use super::views::PLACED_OBJECT;
use super::{Assignment, EditError};
use crate::{Document, Object};

impl Object {
    /// Creates an object with the given fields. Its frame is −1, all else 0 or empty.
    ///
    /// # Errors
    /// If there is no such field, or it cannot have the value.
    pub fn with_fields(assignments: &[Assignment]) -> Result<Self, QueryError> {
        let mut object = Self { i: -1, ..Self::default() };
        Assigner::new(assignments, false).apply_as(&PLACED_OBJECT, &mut object)?;
        Ok(object)
    }
}

impl Document {
    /// Returns a number that is the id of no object: one more than the greatest, or 1 if none has a positive one.
    pub fn free_object_id(&self) -> i32 {
        let ids = self.planes.iter().flat_map(|plane| &plane.objects).map(|object| object.id);
        ids.max().unwrap_or(0).max(0).saturating_add(1)
    }

    /// Adds an object after the others of a plane. Returns its index.
    ///
    /// # Errors
    /// If there is no such plane.
    pub fn add_object(&mut self, plane: usize, object: Object) -> Result<usize, EditError> {
        let objects = &mut self.plane_mut(plane)?.objects;
        objects.push(object);
        Ok(objects.len().saturating_sub(1))
    }

    /// Removes an object and returns it.
    ///
    /// # Errors
    /// If there is no such plane or object.
    pub fn remove_object(&mut self, plane: usize, index: usize) -> Result<Object, EditError> {
        let objects = &mut self.plane_mut(plane)?.objects;
        if index >= objects.len() {
            return Err(EditError::ObjectIndex { index, count: objects.len() });
        }
        Ok(objects.remove(index))
    }

    /// Removes the objects at these places, which are in order.
    pub(super) fn remove_objects_at(&mut self, places: &[(usize, usize)]) {
        for (plane, places) in by_plane(places) {
            let plane = self.planes.get_mut(plane).expect("the places are of this level");
            let mut index = 0_usize;
            plane.objects.retain(|_| {
                let keep = places.binary_search_by_key(&index, |(_, at)| *at).is_err();
                index = index.saturating_add(1);
                keep
            });
        }
    }
}

/// Splits places, which are in order, into those of each plane.
fn by_plane(places: &[(usize, usize)]) -> impl Iterator<Item = (usize, &[(usize, usize)])> {
    places.chunk_by(|(a, _), (b, _)| a == b).filter_map(|places| Some((places.first()?.0, places)))
}

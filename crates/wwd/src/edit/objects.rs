//! Objects: finding, adding, removing, setting fields.

use mapwright_query::{Assigner, Query, QueryError, SetFields, Vocabulary};

use super::views::{self, PLACED_OBJECT, PlacedObject};
use super::{Assignment, EditError};
use crate::{Document, Object};

/// An object and its place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Found<'a> {
    /// Index of its plane.
    pub plane: usize,
    /// Index among the objects of the plane.
    pub index: usize,
    /// The object.
    pub object: &'a Object,
}

/// The number of objects that matched and that changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Changed {
    /// Objects that matched.
    pub matched: usize,
    /// Objects whose fields have other values now.
    pub changed: usize,
}

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
    /// Returns the objects that a query matches, in the order of the file.
    ///
    /// # Errors
    /// If the query asks for an unknown field or an impossible value.
    pub fn find_objects(&self, query: &Query) -> Result<Vec<Found<'_>>, QueryError> {
        let selection = query.bind(&Vocabulary::new(views::schemas()))?;
        let mut found = Vec::new();
        for (place, plane) in self.planes.iter().enumerate() {
            for (index, object) in plane.objects.iter().enumerate() {
                if selection.matches(&PlacedObject { object, plane, place: (place, index) }) {
                    found.push(Found { plane: place, index, object });
                }
            }
        }
        Ok(found)
    }

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

    /// Removes the objects that a query matches. Returns their number.
    ///
    /// # Errors
    /// If the query asks for an unknown field or an impossible value.
    pub fn remove_objects(&mut self, query: &Query) -> Result<usize, QueryError> {
        let found: Vec<(usize, usize)> =
            self.find_objects(query)?.iter().map(|found| (found.plane, found.index)).collect();
        self.remove_objects_at(&found);
        Ok(found.len())
    }

    /// Removes the objects at these places, which are in order.
    pub(super) fn remove_objects_at(&mut self, places: &[(usize, usize)]) {
        for (plane, places) in by_plane(places) {
            let Some(plane) = self.planes.get_mut(plane) else { continue };
            let mut index = 0_usize;
            plane.objects.retain(|_| {
                let keep = places.binary_search_by_key(&index, |(_, at)| *at).is_err();
                index = index.saturating_add(1);
                keep
            });
        }
    }

    /// Sets fields of the objects that a query matches.
    ///
    /// # Errors
    /// As [`find_objects`](Self::find_objects); if there is no such field, or it cannot have the value.
    pub fn set_objects(&mut self, query: &Query, assignments: &[Assignment]) -> Result<Changed, QueryError> {
        let found = self.find_objects(query)?;
        let (mut assigner, mut edited) = (Assigner::new(assignments, false), Vec::new());
        for Found { plane, index, object } in &found {
            let mut new = (*object).clone();
            if assigner.apply_as(&PLACED_OBJECT, &mut new as &mut dyn SetFields)? {
                edited.push((*plane, *index, new));
            }
        }
        let result = Changed { matched: found.len(), changed: edited.len() };
        self.replace_objects(edited);
        Ok(result)
    }

    /// Replaces objects at their places.
    pub(super) fn replace_objects(&mut self, edited: Vec<(usize, usize, Object)>) {
        for (plane, index, new) in edited {
            if let Some(object) = self.planes.get_mut(plane).and_then(|plane| plane.objects.get_mut(index)) {
                *object = new;
            }
        }
    }
}

/// Splits places, which are in order, into those of each plane.
fn by_plane(places: &[(usize, usize)]) -> impl Iterator<Item = (usize, &[(usize, usize)])> {
    places.chunk_by(|(a, _), (b, _)| a == b).filter_map(|places| Some((places.first()?.0, places)))
}

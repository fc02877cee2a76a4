//! Objects: found, added, removed, set.

use super::assign::{apply, ready};
use super::{Assignment, EditError, Query};
use crate::{Document, Object};

/// An object and where it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Found<'a> {
    /// The place of its plane.
    pub plane: usize,
    /// Its place among the objects of the plane.
    pub index: usize,
    /// The object.
    pub object: &'a Object,
}

/// What was meant and what of it changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Changed {
    /// How many were meant.
    pub matched: usize,
    /// How many of them are not as they were.
    pub changed: usize,
}

impl Object {
    /// An object of the fields that are given; its frame is −1, all else 0 and empty.
    ///
    /// # Errors
    /// If a field does not take its value.
    pub fn with_fields(assignments: &[Assignment]) -> Result<Self, EditError> {
        let mut object = Self { i: -1, ..Self::default() };
        let ready = ready(&object, assignments)?;
        apply(&mut object, &ready)?;
        Ok(object)
    }
}

impl Document {
    /// The objects that a query means, in the order of the file.
    pub fn find_objects<'a>(&'a self, query: &'a Query) -> impl Iterator<Item = Found<'a>> {
        self.planes.iter().enumerate().flat_map(move |(place, plane)| {
            let objects = plane.objects.iter().enumerate().filter(move |(_, object)| query.matches(plane, object));
            objects.map(move |(index, object)| Found { plane: place, index, object })
        })
    }

    /// A number that is the id of no object: one more than the greatest; 1 if none has a positive one.
    pub fn free_object_id(&self) -> i32 {
        let ids = self.planes.iter().flat_map(|plane| &plane.objects).map(|object| object.id);
        ids.max().unwrap_or(0).max(0).saturating_add(1)
    }

    /// Adds an object behind the others of a plane, and gives its place.
    ///
    /// # Errors
    /// If there is no such plane.
    pub fn add_object(&mut self, plane: usize, object: Object) -> Result<usize, EditError> {
        let objects = &mut self.plane_mut(plane)?.objects;
        objects.push(object);
        Ok(objects.len().saturating_sub(1))
    }

    /// Removes an object by its place, and gives it.
    ///
    /// # Errors
    /// If there is no such plane, or no such object.
    pub fn remove_object(&mut self, plane: usize, index: usize) -> Result<Object, EditError> {
        let objects = &mut self.plane_mut(plane)?.objects;
        if index >= objects.len() {
            return Err(EditError::ObjectIndex { index, count: objects.len() });
        }
        Ok(objects.remove(index))
    }

    /// Removes the objects that a query means; how many.
    pub fn remove_objects(&mut self, query: &Query) -> usize {
        let mut removed = 0_usize;
        for plane in &mut self.planes {
            let mut objects = std::mem::take(&mut plane.objects);
            let before = objects.len();
            objects.retain(|object| !query.matches(plane, object));
            removed = removed.saturating_add(before.saturating_sub(objects.len()));
            plane.objects = objects;
        }
        removed
    }

    /// Sets fields of the objects that a query means.
    ///
    /// # Errors
    /// If a field does not take its value, of any of them.
    pub fn set_objects(&mut self, query: &Query, assignments: &[Assignment]) -> Result<Changed, EditError> {
        let ready = ready(&Object::default(), assignments)?;
        let mut result = Changed::default();
        let mut edited = Vec::new();
        for (place, plane) in self.planes.iter().enumerate() {
            for (index, old) in plane.objects.iter().enumerate().filter(|(_, object)| query.matches(plane, object)) {
                let mut new = old.clone();
                apply(&mut new, &ready)?;
                result.matched = result.matched.saturating_add(1);
                if new != *old {
                    edited.push((place, index, new));
                }
            }
        }
        result.changed = edited.len();
        for (plane, index, new) in edited {
            if let Some(object) = self.planes.get_mut(plane).and_then(|plane| plane.objects.get_mut(index)) {
                *object = new;
            }
        }
        Ok(result)
    }
}

//! Objects: found, moved, set, removed.

use super::{EditError, Query};
use crate::document::{Builder, Document, Heading, Name, Placements};

/// What a field of an object becomes.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Set {
    /// The model.
    Model(Vec<u8>),
    /// Metres from the west.
    X(f64),
    /// Metres above the sea, in 1WVR and 2WVR above the ground; 32768 puts it on the ground.
    Y(f64),
    /// Metres from the south.
    Z(f64),
    /// The object's number.
    Id(i32),
}

impl Document {
    /// The places of the objects that a query means.
    pub fn find_objects(&self, query: &Query) -> Vec<usize> {
        let objects = self.objects();
        let matrices = self.matrices();
        let nameless = query.holds_for_model(b"");
        let models: Vec<bool> = objects.models.iter().map(|name| query.holds_for_model(&name.bytes)).collect();
        let is_meant = |row: usize| {
            let model = objects.model.get(row).and_then(|model| models.get(usize::try_from(*model).ok()?));
            model.copied().unwrap_or(nameless)
        };
        let rows = objects.iter().zip(matrices.iter()).enumerate();
        let found = rows.filter(|(row, (object, matrix))| is_meant(*row) && query.holds_at(matrix, object.id));
        found.map(|(place, _)| place).collect()
    }

    /// Removes the objects that a query means, and says how many.
    ///
    /// # Errors
    /// [`EditError::Variant`] for OPRW.
    pub fn remove_objects(&mut self, query: &Query) -> Result<usize, EditError> {
        self.check_editable()?;
        let found = self.find_objects(query);
        self.keep_objects(|place| found.binary_search(&place).is_err());
        Ok(found.len())
    }

    /// Keeps the objects at those places.
    pub(super) fn keep_objects(&mut self, mut keep: impl FnMut(usize) -> bool) {
        let before = self.objects().len();
        let mut behind = 0_usize;
        let sentinel = if let Self::Wvr8(terrain) = &*self { terrain.sentinel } else { None };
        let from = before.saturating_sub(sentinel.map_or(0, |sentinel| sentinel.followed_by));
        self.objects_mut().retain(|place, _| {
            let keep = keep(place);
            behind = behind.saturating_add(usize::from(keep && place >= from));
            keep
        });
        if let Self::Wvr8(terrain) = self
            && let Some(sentinel) = &mut terrain.sentinel
        {
            sentinel.followed_by = behind;
        }
    }

    /// Moves the objects that a query means by metres east, up and north; those that fit to the ground stay there. Says how many.
    ///
    /// # Errors
    /// [`EditError::Number`] when one would no longer stand at a finite place.
    pub fn move_objects(&mut self, [east, up, north]: [f64; 3], query: &Query) -> Result<usize, EditError> {
        self.check_editable()?;
        let found = self.find_objects(query);
        self.change_places(&found, |[x, y, z], on_ground| [x + east, if on_ground { y } else { y + up }, z + north])?;
        Ok(found.len())
    }

    /// Gives objects other places.
    pub(super) fn change_places(
        &mut self,
        found: &[usize],
        change: impl Fn([f64; 3], bool) -> [f64; 3],
    ) -> Result<(), EditError> {
        let cell = f64::from(self.upright_cell());
        let mut placements = self.objects().placements.clone();
        for &place in found {
            match &mut placements {
                Placements::Matrices(matrices) => {
                    let Some(matrix) = matrices.get_mut(place) else { continue };
                    let new = change(matrix.position.map(f64::from), matrix.fits_to_ground());
                    matrix.position = finite(new)?;
                }
                Placements::Headings(headings) => {
                    let Some(heading) = headings.get_mut(place) else { continue };
                    let Heading { x, y, z, .. } = *heading;
                    let [x, y, z] = [f64::from(x) * cell, f64::from(y), f64::from(z) * cell];
                    let [x, y, z] = change([x, y, z], false);
                    [heading.x, heading.y, heading.z] = finite([x / cell, y, z / cell])?;
                }
            }
        }
        self.objects_mut().placements = placements;
        Ok(())
    }

    /// Sets fields of the objects that a query means, and says how many these are.
    ///
    /// # Errors
    /// [`EditError::Name`] and [`EditError::Number`] for what the file cannot hold.
    pub fn set_objects(&mut self, sets: &[Set], query: &Query) -> Result<usize, EditError> {
        if sets.iter().any(|set| !matches!(set, Set::Model(_))) {
            self.check_editable()?;
        }
        let found = self.find_objects(query);
        let mut changed = self.clone();
        for set in sets {
            match set {
                Set::Model(name) => {
                    changed.check_model(name)?;
                    let mut builder = Builder::new(std::mem::take(changed.objects_mut()));
                    let model = builder.add_model(&Name::new(name.as_slice()));
                    let mut objects = builder.finish();
                    put(&mut objects.model, &found, model);
                    *changed.objects_mut() = objects;
                }
                Set::Id(id) => {
                    if changed.objects().ids.is_empty() && !found.is_empty() {
                        let why = "its objects have no numbers";
                        return Err(EditError::Variant { variant: self.variant(), why });
                    }
                    put(&mut changed.objects_mut().ids, &found, *id);
                }
                Set::X(value) => changed.change_places(&found, |[_, y, z], _| [*value, y, z])?,
                Set::Y(value) => changed.change_places(&found, |[x, _, z], _| [x, *value, z])?,
                Set::Z(value) => changed.change_places(&found, |[x, y, _], _| [x, y, *value])?,
            }
        }
        *self = changed;
        Ok(found.len())
    }

    /// Numbers all objects anew from a number on, in their order, and says how many have another one now.
    ///
    /// # Errors
    /// [`EditError::Variant`] where objects have no numbers, and OPRW, whose roads and map name objects by theirs;
    /// [`EditError::Number`] when 32 bits do not suffice.
    pub fn renumber_objects(&mut self, first: i32) -> Result<usize, EditError> {
        self.check_editable()?;
        let count = self.objects().len();
        if self.objects().ids.len() != count {
            return Err(EditError::Variant { variant: self.variant(), why: "its objects have no numbers" });
        }
        let last = i64::from(first).saturating_add(i64::try_from(count).unwrap_or(i64::MAX)).saturating_sub(1);
        if count > 0 && i32::try_from(last).is_err() {
            return Err(EditError::Number { field: "a number of an object", value: last.to_string() });
        }
        let mut changed = 0_usize;
        for (id, new) in self.objects_mut().ids.iter_mut().zip(first..=i32::MAX) {
            changed = changed.saturating_add(usize::from(*id != new));
            *id = new;
        }
        Ok(changed)
    }
}

fn put<T: Copy>(column: &mut [T], rows: &[usize], value: T) {
    for &row in rows {
        if let Some(place) = column.get_mut(row) {
            *place = value;
        }
    }
}

fn finite(place: [f64; 3]) -> Result<[f32; 3], EditError> {
    let narrow = place.map(crate::steps::to_f32);
    match narrow.iter().zip(place).find(|(number, _)| !number.is_finite()) {
        Some((_, value)) => Err(EditError::Number { field: "a place", value: value.to_string() }),
        None => Ok(narrow),
    }
}

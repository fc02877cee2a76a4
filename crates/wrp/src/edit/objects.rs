//! Edits of objects.

use super::EditError;
use crate::document::{Builder, Document, Heading, Matrix, Name, Placement, Placements};
use crate::steps::to_f32;

/// New values of an object. `None` leaves a value unchanged.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct ObjectChange {
    pub(super) index: usize,
    pub(super) model: Option<Name>,
    pub(super) matrix: Option<Matrix>,
    pub(super) id: Option<i32>,
}

impl Document {
    /// Changes objects. A failed change changes nothing.
    pub(super) fn change_objects(&mut self, changes: &[ObjectChange]) -> Result<(), EditError> {
        // Other parts of OPRW depend on transforms and IDs, but not on model names.
        if changes.iter().any(|change| change.matrix.is_some() || change.id.is_some()) {
            self.check_editable()?;
        }
        if self.objects().ids.is_empty() && changes.iter().any(|change| change.id.is_some()) {
            return Err(EditError::without_ids(self));
        }
        let mut placements = self.objects().placements.clone();
        let mut checked: Option<&Name> = None;
        for ObjectChange { index, model, matrix, .. } in changes {
            // Many objects usually get the same model.
            if let Some(name) = model.as_ref().filter(|name| checked != Some(*name)) {
                self.check_model(&name.bytes)?;
                checked = Some(name);
            }
            if let Some(matrix) = matrix {
                self.place(&mut placements, *index, matrix)?;
            }
        }
        // Nothing fails from here on.
        let mut builder = Builder::new(std::mem::take(self.objects_mut()));
        let models: Vec<Option<u32>> =
            changes.iter().map(|change| change.model.as_ref().map(|name| builder.add_model(name))).collect();
        let mut objects = builder.finish();
        objects.placements = placements;
        for (change, model) in changes.iter().zip(models) {
            if let (Some(model), Some(cell)) = (model, objects.model.get_mut(change.index)) {
                *cell = model;
            }
            if let (Some(id), Some(cell)) = (change.id, objects.ids.get_mut(change.index)) {
                *cell = id;
            }
        }
        *self.objects_mut() = objects;
        Ok(())
    }

    /// Changes the transform of an object in a copy of the placements.
    fn place(&self, placements: &mut Placements, index: usize, matrix: &Matrix) -> Result<(), EditError> {
        match placements {
            Placements::Matrices(matrices) => {
                if let Some(old) = matrices.get_mut(index) {
                    *old = *matrix;
                }
            }
            Placements::Headings(headings) => {
                if let Some(heading) = headings.get_mut(index) {
                    *heading = self.to_heading(heading, matrix)?;
                }
            }
        }
        Ok(())
    }

    /// Converts a changed matrix of an upright object back. Numbers that did not change keep their bits.
    fn to_heading(&self, old: &Heading, matrix: &Matrix) -> Result<Heading, EditError> {
        if matrix.fits_to_ground() {
            let why = "its objects are always on the ground";
            return Err(EditError::Variant { variant: self.variant(), why });
        }
        let (ground, cell) = (self.ground(), f64::from(self.upright_cell()));
        let old_matrix = old.to_matrix(&ground, self.upright_cell());
        let (before, is_same_turn) = (old_matrix.position, old_matrix.dir == matrix.dir);
        let upright = Heading { heading: to_f32(matrix.heading()), ..*old }.to_matrix(&ground, self.upright_cell());
        let axes = |matrix: &Matrix| [matrix.aside, matrix.up, matrix.dir].into_iter().flatten();
        if !axes(matrix).zip(axes(&upright)).all(|(given, upright)| (given - upright).abs() < 1e-5) {
            let why = "its objects are upright and have the size of their model";
            return Err(EditError::Variant { variant: self.variant(), why });
        }
        let [x, y, z] = matrix.position;
        let surface = ground.height_at(x.into(), z.into()).unwrap_or(0.0);
        let [new_x, new_y, new_z] = to_position([f64::from(x) / cell, f64::from(y) - surface, f64::from(z) / cell])?;
        let pick = |is_same: bool, old: f32, new: f32| if is_same { old } else { new };
        Ok(Heading {
            x: pick(before[0] == x, old.x, new_x),
            y: pick(before[1] == y, old.y, new_y),
            z: pick(before[2] == z, old.z, new_z),
            heading: pick(is_same_turn, old.heading, to_f32(matrix.heading())),
        })
    }

    /// Deletes objects, given by ascending indices. Returns their number.
    ///
    /// # Errors
    /// [`EditError::Variant`] for OPRW.
    pub fn delete_objects(&mut self, objects: &[usize]) -> Result<usize, EditError> {
        self.check_editable()?;
        let before = self.objects().len();
        self.keep_objects(|index| objects.binary_search(&index).is_err());
        Ok(before.saturating_sub(self.objects().len()))
    }

    /// Deletes objects outside the map. Returns their number.
    ///
    /// # Errors
    /// [`EditError::Variant`] for OPRW.
    pub fn delete_outside_objects(&mut self) -> Result<usize, EditError> {
        let [width, depth] = self.extent();
        let is_inside = |matrix: &Matrix| {
            let [x, _, z] = matrix.position.map(f64::from);
            (0.0..=width).contains(&x) && (0.0..=depth).contains(&z)
        };
        let matrices = self.matrices();
        let indices = (0..matrices.len()).filter(|&index| !matrices.get(index).is_some_and(is_inside));
        let outside: Vec<usize> = indices.collect();
        self.delete_objects(&outside)
    }

    /// Keeps the objects for which `keep` returns `true`.
    pub(super) fn keep_objects(&mut self, mut keep: impl FnMut(usize) -> bool) {
        let before = self.objects().len();
        let sentinel = if let Self::Wvr8(terrain) = &*self { terrain.sentinel } else { None };
        let first_after = before.saturating_sub(sentinel.map_or(0, |sentinel| sentinel.followed_by));
        let mut followed_by = 0_usize;
        self.objects_mut().retain(|index, _| {
            let keep = keep(index);
            followed_by = followed_by.saturating_add(usize::from(keep && index >= first_after));
            keep
        });
        if let Self::Wvr8(terrain) = self
            && let Some(sentinel) = &mut terrain.sentinel
        {
            sentinel.followed_by = followed_by;
        }
    }

    /// Moves objects by metres to the east, up and north. Objects that fit to the ground stay on it.
    ///
    /// # Errors
    /// [`EditError::Variant`] for OPRW. [`EditError::Number`] if a position exceeds single precision.
    pub fn move_objects(&mut self, [east, up, north]: [f64; 3], objects: &[usize]) -> Result<(), EditError> {
        self.check_editable()?;
        self.change_positions(objects, |[x, y, z], on_ground| [x + east, if on_ground { y } else { y + up }, z + north])
    }

    /// Changes the positions of objects. The second argument of `change` is `true` if an object fits to the ground. Positions of
    /// upright objects are relative to the ground.
    pub(super) fn change_positions(
        &mut self,
        objects: &[usize],
        change: impl Fn([f64; 3], bool) -> [f64; 3],
    ) -> Result<(), EditError> {
        let cell = f64::from(self.upright_cell());
        let mut placements = self.objects().placements.clone();
        let out_of_range = EditError::Index { objects: placements.len() };
        for &index in objects {
            match &mut placements {
                Placements::Matrices(matrices) => {
                    let matrix = matrices.get_mut(index).ok_or_else(|| out_of_range.clone())?;
                    let position = change(matrix.position.map(f64::from), matrix.fits_to_ground());
                    matrix.position = to_position(position)?;
                }
                Placements::Headings(headings) => {
                    let heading = headings.get_mut(index).ok_or_else(|| out_of_range.clone())?;
                    let [x, y, z] = [heading.x, heading.y, heading.z].map(f64::from);
                    let [x, y, z] = change([x * cell, y, z * cell], false);
                    [heading.x, heading.y, heading.z] = to_position([x / cell, y, z / cell])?;
                }
            }
        }
        self.objects_mut().placements = placements;
        Ok(())
    }

    /// Adds copies of objects at the end of the list, with new IDs.
    pub(super) fn duplicate_objects(&mut self, objects: &[usize]) -> Result<(), EditError> {
        self.check_editable()?;
        let source = self.objects().clone();
        let copies = objects.iter().filter_map(|&index| source.get(index));
        self.append_objects(copies.filter_map(|object| Some((object.model?, object.placement))));
        Ok(())
    }

    /// Adds an object at the end of the list. Without an ID it gets a free one.
    pub(super) fn add_object(&mut self, model: &Name, matrix: Matrix, id: Option<i32>) -> Result<(), EditError> {
        self.check_editable()?;
        self.check_model(&model.bytes)?;
        if id.is_some() && !self.has_ids() {
            return Err(EditError::without_ids(self));
        }
        let placement = match &self.objects().placements {
            Placements::Matrices(_) => Placement::Matrix(matrix),
            Placements::Headings(_) => {
                let origin = Heading { x: f32::NAN, y: f32::NAN, z: f32::NAN, heading: 0.0 };
                Placement::Heading(self.to_heading(&origin, &matrix)?)
            }
        };
        self.append_objects([(model, placement)].into_iter());
        if let (Some(id), Some(last)) = (id, self.objects_mut().ids.last_mut()) {
            *last = id;
        }
        Ok(())
    }

    /// Adds objects at the end of the list, with free IDs.
    pub(super) fn append_objects<'a>(&mut self, objects: impl Iterator<Item = (&'a Name, Placement)>) {
        let has_ids = self.has_ids();
        let before = self.objects().len();
        let mut builder = Builder::new(std::mem::take(self.objects_mut()));
        for (name, placement) in objects {
            let model = builder.add_model(name);
            match placement {
                Placement::Matrix(matrix) => builder.push(model, matrix, None),
                Placement::Heading(heading) => builder.push_heading(model, heading),
            }
        }
        let mut objects = builder.finish();
        if has_ids {
            objects.assign_ids();
        } else {
            objects.ids.clear();
        }
        let added = objects.len().saturating_sub(before);
        *self.objects_mut() = objects;
        // New objects come last, also if the sentinel is not at the end.
        if let Self::Wvr8(terrain) = self
            && let Some(sentinel) = terrain.sentinel.as_mut().filter(|sentinel| sentinel.followed_by > 0)
        {
            sentinel.followed_by = sentinel.followed_by.saturating_add(added);
        }
    }

    /// Assigns ascending IDs to all objects, starting with `first`. Returns the number of changed IDs.
    ///
    /// # Errors
    /// [`EditError::Variant`] for variants without IDs, and for OPRW, whose roads and map refer to IDs. [`EditError::Number`] if an
    /// ID exceeds 32 bits.
    pub fn renumber_objects(&mut self, first: i32) -> Result<usize, EditError> {
        self.check_editable()?;
        let count = self.objects().len();
        if self.objects().ids.len() != count {
            return Err(EditError::without_ids(self));
        }
        let last = i64::from(first).saturating_add(i64::try_from(count).unwrap_or(i64::MAX)).saturating_sub(1);
        if count > 0 && i32::try_from(last).is_err() {
            return Err(EditError::Number { field: "ID", value: last.to_string() });
        }
        let mut changed = 0_usize;
        for (id, new) in self.objects_mut().ids.iter_mut().zip(first..=i32::MAX) {
            changed = changed.saturating_add(usize::from(*id != new));
            *id = new;
        }
        Ok(changed)
    }
}

/// Rounds a position to single precision.
fn to_position(position: [f64; 3]) -> Result<[f32; 3], EditError> {
    let rounded = position.map(to_f32);
    match rounded.iter().zip(position).find(|(number, _)| !number.is_finite()) {
        Some((_, value)) => Err(EditError::Number { field: "position", value: format!("{value:e}") }),
        None => Ok(rounded),
    }
}

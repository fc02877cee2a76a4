//! Objects, stored in columns: a million objects are a few long lists.

use std::fmt;

use hashbrown::{HashMap, HashSet};
use mapwright_io::escape_bytes;

use super::{Heading, Matrix};

/// The objects of a terrain, in file order. All columns except [`models`](Self::models) have one row per object.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields))]
pub struct Objects {
    /// Names of the models. OPRW stores this list. In other variants it contains the distinct names in the order of first use;
    /// unused names are not written.
    pub models: Vec<Name>,
    /// Model of each object: an index into [`models`](Self::models).
    pub model: Vec<u32>,
    /// Placement of each object.
    pub placements: Placements,
    /// ID of each object. Empty in 1WVR to 3WVR, which have none. 8WVR and OPRW store the same bits as unsigned numbers.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Vec::is_empty"))]
    pub ids: Vec<i32>,
}

/// Placements of objects.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "lowercase"))]
pub enum Placements {
    /// Arbitrary transforms: all variants except 1WVR and 2WVR.
    Matrices(Vec<Matrix>),
    /// Upright objects: 1WVR and 2WVR.
    Headings(Vec<Heading>),
}

/// Placement of one object.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Placement {
    /// An arbitrary transform.
    Matrix(Matrix),
    /// An upright object.
    Heading(Heading),
}

/// One object.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Object<'a> {
    /// The model. `None` if the index is out of range, which is possible in OPRW.
    pub model: Option<&'a Name>,
    /// The placement.
    pub placement: Placement,
    /// The ID, in variants that have IDs.
    pub id: Option<i32>,
}

/// A name: bytes in an unknown code page, and the residue after them in a fixed-width field.
#[derive(Clone, PartialEq, Eq, Hash, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields))]
pub struct Name {
    /// The name.
    #[cfg_attr(feature = "serde", serde(with = "crate::serial::bytes"))]
    pub bytes: Vec<u8>,
    /// Residue in a fixed-width field: the bytes from the NUL to the last byte that is not NUL. Usually empty. Programs leave old
    /// memory there.
    #[cfg_attr(
        feature = "serde",
        serde(with = "crate::serial::bytes", default, skip_serializing_if = "Vec::is_empty")
    )]
    pub rest: Vec<u8>,
}

impl Name {
    /// Creates a name without residue.
    pub fn new(bytes: impl Into<Vec<u8>>) -> Self {
        Self { bytes: bytes.into(), rest: Vec::new() }
    }

    /// Parses a fixed-width field.
    pub(crate) fn from_field(field: &[u8]) -> Self {
        let end = field.iter().position(|&byte| byte == 0).unwrap_or(field.len());
        let (bytes, rest) = field.split_at_checked(end).unwrap_or((field, &[]));
        Self { bytes: bytes.to_vec(), rest: super::trim_zeros(rest).to_vec() }
    }
}

impl fmt::Debug for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "\"{}\"", escape_bytes(&self.bytes))?;
        if !self.rest.is_empty() {
            write!(f, " + \"{}\"", escape_bytes(&self.rest))?;
        }
        Ok(())
    }
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        escape_bytes(&self.bytes).fmt(f)
    }
}

impl Default for Placements {
    fn default() -> Self {
        Self::Matrices(Vec::new())
    }
}

impl Placements {
    /// Returns the number of objects.
    pub fn len(&self) -> usize {
        match self {
            Self::Matrices(matrices) => matrices.len(),
            Self::Headings(headings) => headings.len(),
        }
    }

    /// Returns `true` if there are no objects.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the placement of an object.
    pub fn get(&self, object: usize) -> Option<Placement> {
        match self {
            Self::Matrices(matrices) => matrices.get(object).copied().map(Placement::Matrix),
            Self::Headings(headings) => headings.get(object).copied().map(Placement::Heading),
        }
    }
}

impl Objects {
    /// Returns the number of objects.
    pub fn len(&self) -> usize {
        self.model.len()
    }

    /// Returns `true` if there are no objects.
    pub fn is_empty(&self) -> bool {
        self.model.is_empty()
    }

    /// Returns an object.
    pub fn get(&self, object: usize) -> Option<Object<'_>> {
        let model = *self.model.get(object)?;
        Some(Object {
            model: usize::try_from(model).ok().and_then(|model| self.models.get(model)),
            placement: self.placements.get(object)?,
            id: self.ids.get(object).copied(),
        })
    }

    /// Returns all objects.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = Object<'_>> + Clone {
        // Columns of different lengths are possible until the document is written. The shortest one ends the iteration.
        let rows = self.model.len().min(self.placements.len());
        (0..rows).map(|object| {
            let origin = Placement::Matrix(Matrix::from_position([0.0; 3]));
            self.get(object).unwrap_or(Object { model: None, placement: origin, id: None })
        })
    }

    /// Counts the objects of each model, in the order of [`models`](Self::models).
    pub fn counts(&self) -> Vec<usize> {
        let mut counts = vec![0_usize; self.models.len()];
        for &model in &self.model {
            if let Some(count) = usize::try_from(model).ok().and_then(|model| counts.get_mut(model)) {
                *count = count.saturating_add(1);
            }
        }
        counts
    }

    /// Assigns IDs from 0 to all objects, unless all have an ID.
    pub(crate) fn assign_ids(&mut self) {
        if self.ids.len() != self.len() {
            self.ids = fill_ids(&vec![None; self.len()]);
        }
    }

    /// Keeps the objects for which `keep` returns `true`, in their order. The list of models is not changed.
    pub fn retain(&mut self, mut keep: impl FnMut(usize, Object<'_>) -> bool) {
        let kept: Vec<bool> = self.iter().enumerate().map(|(index, object)| keep(index, object)).collect();
        retain_rows(&mut self.model, &kept);
        retain_rows(&mut self.ids, &kept);
        match &mut self.placements {
            Placements::Matrices(matrices) => retain_rows(matrices, &kept),
            Placements::Headings(headings) => retain_rows(headings, &kept),
        }
    }
}

fn retain_rows<T>(column: &mut Vec<T>, kept: &[bool]) {
    let mut rows = kept.iter();
    column.retain(|_| rows.next().copied().unwrap_or(false));
}

/// Builds [`Objects`] and lists each model once.
#[derive(Debug, Default)]
pub struct Builder {
    objects: Objects,
    places: HashMap<Name, u32>,
    ids: Vec<Option<i32>>,
}

impl Builder {
    /// Starts with existing objects.
    pub fn new(objects: Objects) -> Self {
        let mut places = HashMap::new();
        for (place, name) in (0..).zip(&objects.models) {
            if !places.contains_key(name) {
                places.insert(name.clone(), place);
            }
        }
        let ids = (0..objects.len()).map(|row| objects.ids.get(row).copied()).collect();
        Self { objects, places, ids }
    }

    /// Returns the index of a model, and adds the model to the list if it is new.
    pub fn add_model(&mut self, name: &Name) -> u32 {
        if let Some(place) = self.places.get(name) {
            return *place;
        }
        let place = u32::try_from(self.objects.models.len()).unwrap_or(u32::MAX);
        self.objects.models.push(name.clone());
        self.places.insert(name.clone(), place);
        place
    }

    /// Adds an object with a model index from [`add_model`](Self::add_model). If only some objects have an ID, [`finish`](Self::finish)
    /// assigns free IDs to the others.
    pub fn push(&mut self, model: u32, matrix: Matrix, id: Option<i32>) {
        self.objects.model.push(model);
        self.ids.push(id);
        if let Placements::Headings(headings) = &self.objects.placements
            && headings.is_empty()
        {
            self.objects.placements = Placements::Matrices(Vec::new());
        }
        if let Placements::Matrices(matrices) = &mut self.objects.placements {
            matrices.push(matrix);
        }
    }

    /// Adds an upright object, to objects that are upright.
    pub(crate) fn push_heading(&mut self, model: u32, heading: Heading) {
        self.objects.model.push(model);
        self.ids.push(None);
        if let Placements::Headings(headings) = &mut self.objects.placements {
            headings.push(heading);
        }
    }

    /// Returns the number of objects without an ID.
    pub fn missing_ids(&self) -> usize {
        self.ids.iter().filter(|id| id.is_none()).count()
    }

    /// Returns the objects. If none of them has an ID, no IDs are assigned.
    pub fn finish(self) -> Objects {
        let Self { mut objects, ids, .. } = self;
        objects.ids = if ids.iter().all(Option::is_none) { Vec::new() } else { fill_ids(&ids) };
        objects
    }
}

/// Fills in missing IDs: free ones above the greatest, then from 0.
fn fill_ids(ids: &[Option<i32>]) -> Vec<i32> {
    let taken: HashSet<i32> = ids.iter().copied().flatten().collect();
    let greatest = taken.iter().copied().max().unwrap_or(-1).max(-1);
    let above = greatest.saturating_add(1)..=i32::MAX;
    let mut free = above.chain(0..=i32::MAX).filter(|id| !taken.contains(id));
    ids.iter().map(|id| id.or_else(|| free.next()).unwrap_or(i32::MAX)).collect()
}

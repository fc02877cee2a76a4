//! Objects as columns: a million of them are a few long lists.

use std::fmt;

use hashbrown::{HashMap, HashSet};
use mapwright_io::escape;

use super::{Heading, Matrix};

/// The objects of a terrain, in the order of the file. All columns but [`models`](Self::models) have one row per object.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields))]
pub struct Objects {
    /// The models by name. In OPRW this is the file's own list; elsewhere each name that is spelled in another way, in the order
    /// of first use, and names that no object uses are not written.
    pub models: Vec<Name>,
    /// Which model each object shows: a place in [`models`](Self::models).
    pub model: Vec<u32>,
    /// Where each object stands.
    pub placements: Placements,
    /// The number of each object; empty in 1WVR to 3WVR, which have none. The bits of the file: 8WVR and OPRW write them without a
    /// sign.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Vec::is_empty"))]
    pub ids: Vec<i32>,
}

/// Where objects stand.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "lowercase"))]
pub enum Placements {
    /// Anyhow: all variants but the two eldest.
    Matrices(Vec<Matrix>),
    /// Upright: 1WVR and 2WVR.
    Headings(Vec<Heading>),
}

/// Where one object stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Placement {
    /// Anyhow.
    Matrix(Matrix),
    /// Upright.
    Heading(Heading),
}

/// One object.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Object<'a> {
    /// The model; `None` where the object's number is beyond the list, as OPRW can have it.
    pub model: Option<&'a Name>,
    /// Where it stands.
    pub placement: Placement,
    /// Its number, in formats that have one.
    pub id: Option<i32>,
}

/// A name as the file has it: bytes of an unknown code page, and what stands behind it in its field.
#[derive(Clone, PartialEq, Eq, Hash, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields))]
pub struct Name {
    /// The name.
    #[cfg_attr(feature = "serde", serde(with = "crate::serial::bytes"))]
    pub bytes: Vec<u8>,
    /// What stands behind it in a field of fixed width, from its NUL to the last byte that is none; mostly empty. Programs leave
    /// there what was in memory before.
    #[cfg_attr(
        feature = "serde",
        serde(with = "crate::serial::bytes", default, skip_serializing_if = "Vec::is_empty")
    )]
    pub rest: Vec<u8>,
}

impl Name {
    /// A name with nothing behind it.
    pub fn new(bytes: impl Into<Vec<u8>>) -> Self {
        Self { bytes: bytes.into(), rest: Vec::new() }
    }

    /// A field of fixed width.
    pub(crate) fn from_field(field: &[u8]) -> Self {
        let end = field.iter().position(|&byte| byte == 0).unwrap_or(field.len());
        let (bytes, rest) = field.split_at_checked(end).unwrap_or((field, &[]));
        Self { bytes: bytes.to_vec(), rest: super::used(rest).to_vec() }
    }
}

impl fmt::Debug for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "\"{}\"", escape(&self.bytes))?;
        if !self.rest.is_empty() {
            write!(f, " + \"{}\"", escape(&self.rest))?;
        }
        Ok(())
    }
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        escape(&self.bytes).fmt(f)
    }
}

impl Default for Placements {
    fn default() -> Self {
        Self::Matrices(Vec::new())
    }
}

impl Placements {
    /// The number of objects.
    pub fn len(&self) -> usize {
        match self {
            Self::Matrices(matrices) => matrices.len(),
            Self::Headings(headings) => headings.len(),
        }
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Where an object stands.
    pub fn get(&self, object: usize) -> Option<Placement> {
        match self {
            Self::Matrices(matrices) => matrices.get(object).copied().map(Placement::Matrix),
            Self::Headings(headings) => headings.get(object).copied().map(Placement::Heading),
        }
    }
}

impl Objects {
    /// The number of objects.
    pub fn len(&self) -> usize {
        self.model.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.model.is_empty()
    }

    /// An object.
    pub fn get(&self, object: usize) -> Option<Object<'_>> {
        let model = *self.model.get(object)?;
        Some(Object {
            model: usize::try_from(model).ok().and_then(|model| self.models.get(model)),
            placement: self.placements.get(object)?,
            id: self.ids.get(object).copied(),
        })
    }

    /// All objects.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = Object<'_>> + Clone {
        // `get` gives something for every row of columns that belong together; those that do not end early.
        let rows = self.model.len().min(self.placements.len());
        (0..rows).map(|object| {
            let nowhere = Placement::Matrix(Matrix::at([0.0; 3]));
            self.get(object).unwrap_or(Object { model: None, placement: nowhere, id: None })
        })
    }

    /// How many objects show each model, in the order of [`models`](Self::models).
    pub fn counts(&self) -> Vec<usize> {
        let mut counts = vec![0_usize; self.models.len()];
        for &model in &self.model {
            if let Some(count) = usize::try_from(model).ok().and_then(|model| counts.get_mut(model)) {
                *count = count.saturating_add(1);
            }
        }
        counts
    }

    /// Numbers all objects from 0, unless all have a number.
    pub(crate) fn number(&mut self) {
        if self.ids.len() != self.len() {
            self.ids = numbered(&vec![None; self.len()]);
        }
    }

    /// Keeps the objects for which that is true, in their order. The list of models stays.
    pub fn retain(&mut self, mut keep: impl FnMut(usize, Object<'_>) -> bool) {
        let kept: Vec<bool> = self.iter().enumerate().map(|(place, object)| keep(place, object)).collect();
        retain(&mut self.model, &kept);
        retain(&mut self.ids, &kept);
        match &mut self.placements {
            Placements::Matrices(matrices) => retain(matrices, &kept),
            Placements::Headings(headings) => retain(headings, &kept),
        }
    }
}

fn retain<T>(column: &mut Vec<T>, kept: &[bool]) {
    let mut rows = kept.iter();
    column.retain(|_| rows.next().copied().unwrap_or(false));
}

/// Makes [`Objects`], each model listed once.
#[derive(Debug, Default)]
pub struct Builder {
    objects: Objects,
    places: HashMap<Name, u32>,
    ids: Vec<Option<i32>>,
}

impl Builder {
    /// Goes on with objects that there are.
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

    /// The place of a model in the list, which it is added to if it is new.
    pub fn model(&mut self, name: &Name) -> u32 {
        if let Some(place) = self.places.get(name) {
            return *place;
        }
        let place = u32::try_from(self.objects.models.len()).unwrap_or(u32::MAX);
        self.objects.models.push(name.clone());
        self.places.insert(name.clone(), place);
        place
    }

    /// Adds an object of a model that [`model`](Self::model) gave. Where some objects have a number and others have none, these get
    /// free ones in the end.
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

    /// How many objects have no number yet.
    pub fn unnumbered(&self) -> usize {
        self.ids.iter().filter(|id| id.is_none()).count()
    }

    /// The objects. If none of them has a number, none gets one.
    pub fn finish(self) -> Objects {
        let Self { mut objects, ids, .. } = self;
        objects.ids = if ids.iter().all(Option::is_none) { Vec::new() } else { numbered(&ids) };
        objects
    }
}

/// Numbers for all: those that there are, and free ones from the greatest on, then from 0.
fn numbered(ids: &[Option<i32>]) -> Vec<i32> {
    let taken: HashSet<i32> = ids.iter().copied().flatten().collect();
    let greatest = taken.iter().copied().max().unwrap_or(-1).max(-1);
    let behind = greatest.saturating_add(1)..=i32::MAX;
    let mut free = behind.chain(0..=i32::MAX).filter(|id| !taken.contains(id));
    ids.iter().map(|id| id.or_else(|| free.next()).unwrap_or(i32::MAX)).collect()
}

//! Many instances as columns.

use crate::{MeshId, Properties, Transform};

/// Many placements of a few models, stored as columns: a million trees are not a million nodes.
///
/// Every column has one row per instance, in the order of the file; optional columns are empty.
///
/// | in | |
/// |---|---|
/// | wrp | all objects of one model |
/// | vmap | – (`CMapInstance` is [`Content::Instance`](crate::Content::Instance)) |
/// | others | – |
#[derive(Debug, Clone, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct InstanceSet {
    /// The name; may be empty.
    pub name: String,
    /// The models.
    pub models: Vec<Model>,
    /// Which model each instance shows: a place in [`models`](Self::models).
    pub model: Vec<u32>,
    /// Where each instance stands, in the space of the node.
    pub transforms: InstanceTransforms,
    /// The number that the file gives each instance; empty: none.
    pub ids: Vec<i64>,
    /// Where each instance stands in the file's own list; empty: in the order here.
    pub order: Vec<u32>,
    /// Whether an instance is to be put on the ground; empty: none is.
    pub on_ground: Vec<bool>,
    /// What else the file says about it.
    pub properties: Properties,
}

impl InstanceSet {
    /// The model that an instance shows; `None` where the columns name none.
    pub fn model_of(&self, instance: usize) -> Option<&Model> {
        self.models.get(usize::try_from(*self.model.get(instance)?).ok()?)
    }
}

/// What an instance shows.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub enum Model {
    /// A model file of the game, as the file spells it; never resolved by the scene.
    Reference(String),
    /// A mesh of the scene.
    Mesh(MeshId),
}

/// The transforms of instances, as columns.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub enum InstanceTransforms {
    /// Scale, then rotation, then translation; see [`Transform::Trs`].
    Trs {
        /// Translations.
        translations: Vec<[f64; 3]>,
        /// Unit quaternions `x, y, z, w`.
        rotations: Vec<[f64; 4]>,
        /// Factors along the own axes.
        scales: Vec<[f64; 3]>,
    },
    /// Any affine maps: where the three axes and the origin go. wrp, whose matrices may mirror and shear.
    Affine(Vec<[[f64; 3]; 4]>),
}

impl InstanceTransforms {
    /// The number of instances (the shortest column counts).
    pub fn len(&self) -> usize {
        match self {
            Self::Trs { translations, rotations, scales } => translations.len().min(rotations.len()).min(scales.len()),
            Self::Affine(maps) => maps.len(),
        }
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The transform of an instance.
    pub fn get(&self, instance: usize) -> Option<Transform> {
        Some(match self {
            Self::Trs { translations, rotations, scales } => Transform::Trs {
                translation: *translations.get(instance)?,
                rotation: *rotations.get(instance)?,
                scale: *scales.get(instance)?,
            },
            Self::Affine(maps) => {
                let [[a, b, c], [d, e, f], [g, h, i], [x, y, z]] = *maps.get(instance)?;
                Transform::Matrix([[a, b, c, 0.0], [d, e, f, 0.0], [g, h, i, 0.0], [x, y, z, 1.0]])
            }
        })
    }
}

impl Default for InstanceTransforms {
    fn default() -> Self {
        Self::Affine(Vec::new())
    }
}

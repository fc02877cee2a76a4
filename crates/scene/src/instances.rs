//! Sets of instances.

use crate::{MeshId, Properties, Transform};

/// Many placements of a few models, stored as columns, so that a million trees are not a million nodes.
///
/// Every column has one row per instance, in the order of the file; optional columns are empty.
#[derive(Debug, Clone, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct InstanceSet {
    /// The name; may be empty.
    pub name: String,
    /// The models.
    pub models: Vec<Model>,
    /// Model of each instance: an index into [`models`](Self::models).
    pub model: Vec<u32>,
    /// Transform of each instance, in the space of the node.
    pub transforms: InstanceTransforms,
    /// Number of each instance in the file. Empty: none.
    pub ids: Vec<i64>,
    /// Index of each instance in the list of the file. Empty: the order of the columns.
    pub order: Vec<u32>,
    /// `true` for instances that follow the ground. Empty: none.
    pub on_ground: Vec<bool>,
    /// Other data of the file.
    pub properties: Properties,
}

impl InstanceSet {
    /// Returns the model of an instance, or `None` if the columns store none.
    pub fn model_of(&self, instance: usize) -> Option<&Model> {
        self.models.get(usize::try_from(*self.model.get(instance)?).ok()?)
    }
}

/// The model of an instance.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub enum Model {
    /// A model file of the game, as the file stores it. The scene does not resolve it.
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
        /// Scales along the local axes.
        scales: Vec<[f64; 3]>,
    },
    /// Any affine maps: the images of the three axes and of the origin. They may mirror and shear.
    Affine(Vec<[[f64; 3]; 4]>),
}

impl InstanceTransforms {
    /// Returns the number of instances: the length of the shortest column.
    pub fn len(&self) -> usize {
        match self {
            Self::Trs { translations, rotations, scales } => translations.len().min(rotations.len()).min(scales.len()),
            Self::Affine(maps) => maps.len(),
        }
    }

    /// Returns `true` if there are no instances.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the transform of an instance.
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

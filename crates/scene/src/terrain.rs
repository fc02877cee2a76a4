//! Height fields.

use crate::{Attribute, MaterialId, Properties};

/// A height field over the ground plane of its node.
///
/// Vertex (column c, row r) stands at `(c · spacing[0], height, r · spacing[1])`; a negative spacing keeps the file's
/// order of rows when that runs towards −Z.
///
/// | in | |
/// |---|---|
/// | wrp | the heights and the texture grid; rows run north, so `spacing[1]` is negative |
/// | WMP | a terrain entity is a reference, no height field |
/// | others | – |
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Terrain {
    /// The name; may be empty.
    pub name: String,
    /// Vertices along X and along Z.
    pub size: [u32; 2],
    /// The step between vertices along X and Z, in units of length.
    pub spacing: [f64; 2],
    /// One height per vertex, row by row.
    pub heights: Heights,
    /// How a quad is split into triangles.
    pub diagonal: Diagonal,
    /// Texture cells along X and along Z; they cover the same ground, evenly.
    pub cell_size: [u32; 2],
    /// One index into [`materials`](Self::materials) per texture cell, row by row; an index beyond the list is a cell
    /// without a material.
    pub cells: Vec<u32>,
    /// What the cells are made of; `None` is sea or nothing.
    pub materials: Vec<Option<MaterialId>>,
    /// The height of the water.
    pub sea_level: Option<f64>,
    /// Columns without a field of their own, such as the grass of OPRW: one row per height
    /// ([`Domain::Vertex`](crate::Domain::Vertex)) or texture cell ([`Domain::Face`](crate::Domain::Face)), in their order.
    pub attributes: Vec<Attribute>,
    /// What else the file says about it.
    pub properties: Properties,
}

/// The heights of a terrain, in units of length, as exact as the file has them.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub enum Heights {
    /// As they are.
    F32(Vec<f32>),
    /// As whole multiples of a step.
    Steps {
        /// The height of one step: 0.045 m in 4WVR.
        step: f64,
        /// The multiples.
        values: Vec<i16>,
    },
}

impl Heights {
    /// The number of heights.
    pub fn len(&self) -> usize {
        match self {
            Self::F32(heights) => heights.len(),
            Self::Steps { values, .. } => values.len(),
        }
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The height of a vertex.
    pub fn get(&self, vertex: usize) -> Option<f64> {
        match self {
            Self::F32(heights) => heights.get(vertex).map(|&height| f64::from(height)),
            Self::Steps { step, values } => values.get(vertex).map(|&value| f64::from(value) * step),
        }
    }
}

/// How a quad of a terrain is split into triangles.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub enum Diagonal {
    /// From (c, r) to (c + 1, r + 1).
    #[default]
    Main,
    /// From (c + 1, r) to (c, r + 1): wrp.
    Anti,
}

//! Polygon meshes.

use std::ops::Range;

use crate::property::same_number;
use crate::{MaterialId, Properties, TextureProjection};

/// A polygon mesh: vertices, faces of three corners or more, and what hangs on vertices, corners, faces and edges.
///
/// A *corner* is one use of a vertex by a face; per-corner columns go through all faces in order and each face's
/// corners counter-clockwise as seen from the front.
///
/// | in | |
/// |---|---|
/// | wings | a winged-edge object |
/// | vmap | `CDmePolygonMesh` |
/// | WMP | a concave or explicitly mapped block |
/// | WWD | – |
/// | wrp | – |
#[derive(Debug, Clone, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Mesh {
    /// The name; may be empty and may repeat.
    pub name: String,
    /// Vertex positions.
    pub positions: Vec<[f64; 3]>,
    /// The faces.
    pub faces: Faces,
    /// The material of each face; empty: no face has one.
    pub face_materials: Vec<Option<MaterialId>>,
    /// The flags of each face; empty: no face has any.
    pub face_flags: Vec<FaceFlags>,
    /// The texture projection of each face, for formats that store the way to UVs; empty: none stored.
    pub face_projections: Vec<TextureProjection>,
    /// Texture coordinates; textures name a set by its place.
    pub uv_sets: Vec<UvSet>,
    /// Colours of corners; materials say whether they are seen.
    pub color_sets: Vec<ColorSet>,
    /// The unit normal of each corner, where the file stores normals; [`corner_normals`](Self::corner_normals)
    /// computes them from faces and edges.
    pub normals: Option<Vec<[f64; 3]>>,
    /// What edges are that neither list names.
    pub smoothing: Smoothing,
    /// Edges that split the shading: the two vertices, smaller first; sorted, no doubles.
    pub hard_edges: Vec<[u32; 2]>,
    /// Edges that do not split it whatever [`smoothing`](Self::smoothing) says; the same order.
    pub soft_edges: Vec<[u32; 2]>,
    /// The face whose plane mirrors the mesh: what is shown is the mesh and its mirror image, without that face.
    pub mirror: Option<u32>,
    /// Columns of numbers without a field of their own: tangents, blend weights.
    pub attributes: Vec<Attribute>,
    /// What else the file says about it.
    pub properties: Properties,
}

impl Mesh {
    /// The material of a face.
    pub fn face_material(&self, face: usize) -> Option<MaterialId> {
        self.face_materials.get(face).copied().flatten()
    }

    /// The flags of a face.
    pub fn flags(&self, face: usize) -> FaceFlags {
        self.face_flags.get(face).copied().unwrap_or_default()
    }
}

/// The faces of a mesh: vertex indices of all corners in one column, and where each face ends in it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Faces {
    corners: Vec<u32>,
    ends: Vec<usize>,
}

impl Faces {
    /// No faces.
    pub const fn new() -> Self {
        Self { corners: Vec::new(), ends: Vec::new() }
    }

    /// Room for faces to come.
    pub fn with_capacity(faces: usize, corners: usize) -> Self {
        Self { corners: Vec::with_capacity(corners), ends: Vec::with_capacity(faces) }
    }

    /// Adds a face by the vertices of its corners, counter-clockwise as seen from the front.
    pub fn push(&mut self, vertices: &[u32]) {
        self.corners.extend_from_slice(vertices);
        self.ends.push(self.corners.len());
    }

    /// The number of faces.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The number of corners of all faces together: the length of every per-corner column.
    pub fn corner_count(&self) -> usize {
        self.corners.len()
    }

    /// The vertices of a face.
    pub fn get(&self, face: usize) -> Option<&[u32]> {
        self.corners.get(self.corner_range(face)?)
    }

    /// The places of a face's corners in per-corner columns.
    pub fn corner_range(&self, face: usize) -> Option<Range<usize>> {
        let end = *self.ends.get(face)?;
        let start = face.checked_sub(1).and_then(|before| self.ends.get(before)).copied().unwrap_or(0);
        Some(start..end)
    }

    /// The vertices of each face, in order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &[u32]> {
        (0..self.len()).map(|face| self.get(face).unwrap_or_default())
    }

    /// The vertices of all corners, in order.
    pub fn corners(&self) -> &[u32] {
        &self.corners
    }

    /// The vertices of all corners, for renumbering.
    pub fn corners_mut(&mut self) -> &mut [u32] {
        &mut self.corners
    }
}

impl<F: AsRef<[u32]>> FromIterator<F> for Faces {
    fn from_iter<I: IntoIterator<Item = F>>(faces: I) -> Self {
        let mut all = Self::new();
        for face in faces {
            all.push(face.as_ref());
        }
        all
    }
}

/// What is special about a face: a set of flags.
///
/// | in | |
/// |---|---|
/// | wings | `num_hidden_faces`, `holes` |
/// | others | – |
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct FaceFlags(u8);

impl FaceFlags {
    /// Nothing special.
    pub const NONE: Self = Self(0);
    /// Not shown in the editor; exporters write it.
    pub const HIDDEN: Self = Self(1);
    /// No surface here: the mesh is open. Exporters leave it out.
    pub const HOLE: Self = Self(2);

    /// Whether all flags of the other set are in this one.
    pub const fn contains(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }

    /// Whether the two sets have a flag in common.
    pub const fn intersects(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    /// Both sets together.
    #[must_use]
    pub const fn with(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Whether no flag is set.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }
}

/// What edges are that a mesh says nothing about.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub enum Smoothing {
    /// Soft: wings.
    #[default]
    Smooth,
    /// Hard.
    Flat,
    /// Soft where the unit normals of the two faces are at most this many radians apart, else hard: vmap (`smoothingAngle`, there
    /// in degrees).
    Angle(f64),
}

/// Where the texture coordinate (0, 0) is in the picture.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub enum UvOrigin {
    /// The top left corner, v down: glTF, vmap, WMP, wrp.
    #[default]
    TopLeft,
    /// The lower left corner, v up: wings, OBJ.
    LowerLeft,
}

/// One texture coordinate per corner.
///
/// The values are those of the file, and [`origin`](Self::origin) says how to read them: turning v over and back
/// would not give the same number, as 1 − (1 − v) is rounded.
#[derive(Debug, Clone, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct UvSet {
    /// The name; may be empty.
    pub name: String,
    /// Where (0, 0) is.
    pub origin: UvOrigin,
    /// The coordinates `u, v` of each corner; `None`: the corner is not mapped.
    pub corners: Vec<Option<[f64; 2]>>,
}

impl UvSet {
    /// The coordinates of a corner, in a frame with the given origin.
    pub fn at(&self, corner: usize, origin: UvOrigin) -> Option<[f64; 2]> {
        let [u, v] = self.corners.get(corner).copied().flatten()?;
        Some(if self.origin == origin { [u, v] } else { [u, 1.0 - v] })
    }

    /// The coordinates of a corner with the origin at the top left.
    pub fn top_left(&self, corner: usize) -> Option<[f64; 2]> {
        self.at(corner, UvOrigin::TopLeft)
    }
}

/// One colour per corner, in the [colour space](crate::Scene::color_space) of the scene.
#[derive(Debug, Clone, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct ColorSet {
    /// The name; may be empty.
    pub name: String,
    /// Red, green, blue and opacity of each corner, 0 to 1; `None`: not coloured, which is shown as white.
    pub corners: Vec<Option<[f32; 4]>>,
}

/// What a column of an [`Attribute`] has one row for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub enum Domain {
    /// A vertex.
    Vertex,
    /// A corner.
    Corner,
    /// A face, or a cell of a grid.
    Face,
}

/// A column of numbers on a mesh or a grid. What is not a number is like itself, so that a scene is always like its copy.
///
/// | in | |
/// |---|---|
/// | vmap | `tangent`, `blendweights`, `blendindices`, `lightmapScaleBias` |
/// | wrp | what an OPRW says of each cell |
/// | others | – |
#[derive(Debug, Clone)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Attribute {
    /// The name.
    pub name: String,
    /// What the rows stand for.
    pub domain: Domain,
    /// Numbers in a row.
    pub width: usize,
    /// The rows one after another.
    pub values: Vec<f64>,
}

impl PartialEq for Attribute {
    fn eq(&self, other: &Self) -> bool {
        (&self.name, self.domain, self.width, self.values.len())
            == (&other.name, other.domain, other.width, other.values.len())
            && self.values.iter().zip(&other.values).all(|(a, b)| same_number(*a, *b))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn faces_are_slices_of_one_column() {
        let faces: Faces = [&[0, 1, 2][..], &[2, 1, 3, 4]].into_iter().collect();
        assert_eq!((faces.len(), faces.corner_count()), (2, 7));
        assert_eq!((faces.get(0), faces.get(1), faces.get(2)), (Some(&[0, 1, 2][..]), Some(&[2, 1, 3, 4][..]), None));
        assert_eq!(faces.corner_range(1), Some(3..7));
        assert_eq!(faces.iter().map(<[u32]>::len).collect::<Vec<_>>(), [3, 4]);
    }

    #[test]
    fn coordinates_turn_over_only_when_asked() {
        let set = UvSet { name: String::new(), origin: UvOrigin::LowerLeft, corners: vec![Some([0.25, 0.1]), None] };
        assert_eq!(set.at(0, UvOrigin::LowerLeft), Some([0.25, 0.1]));
        assert_eq!(set.top_left(0), Some([0.25, 0.9]));
        assert_eq!((set.top_left(1), set.top_left(2)), (None, None));
    }
}

//! Polygon meshes.

use std::ops::Range;

use crate::property::same_number;
use crate::{ColorSpace, CornerColumn, MaterialId, Properties, TextureProjection};

/// A polygon mesh: vertices, faces of three or more corners, and columns of data for vertices, corners, faces and edges.
///
/// A *corner* is one use of a vertex by a face; per-corner columns go through all faces in order and each face's
/// corners counter-clockwise as seen from the front.
#[derive(Debug, Clone, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Mesh {
    /// The name; may be empty and may repeat.
    pub name: String,
    /// Vertex positions.
    pub positions: Vec<[f64; 3]>,
    /// The faces.
    pub faces: Faces,
    /// Material of each face. Empty: no face has one.
    pub face_materials: Vec<Option<MaterialId>>,
    /// Flags of each face. Empty: no face has any.
    pub face_flags: Vec<FaceFlags>,
    /// Texture projection of each face, for formats that store projections. Empty: none.
    pub face_projections: Vec<TextureProjection>,
    /// Texture coordinates. Textures refer to a set by its index.
    pub uv_sets: Vec<UvSet>,
    /// Vertex colours. Materials decide if they are visible.
    pub color_sets: Vec<ColorSet>,
    /// Unit normal of every corner, if the file stores normals; [`validate`](crate::Scene::validate) reports corners without one. [`corner_normals`](Self::corner_normals) computes them from
    /// faces and edges.
    pub normals: Option<CornerColumn<[f64; 3]>>,
    /// Shading of edges that are in neither list.
    pub smoothing: Smoothing,
    /// Hard edges: the two vertices, smaller first; sorted, without duplicates.
    pub hard_edges: Vec<[u32; 2]>,
    /// Edges that are soft regardless of [`smoothing`](Self::smoothing), in the same order.
    pub soft_edges: Vec<[u32; 2]>,
    /// The mirror face. Visible are the mesh without that face, and its reflection in the plane of the face.
    pub mirror: Option<u32>,
    /// Other columns of numbers, such as tangents and blend weights.
    pub attributes: Vec<Attribute>,
    /// Other data of the file.
    pub properties: Properties,
}

impl Mesh {
    /// Returns the material of a face.
    pub fn face_material(&self, face: usize) -> Option<MaterialId> {
        self.face_materials.get(face).copied().flatten()
    }

    /// Returns the flags of a face.
    pub fn flags(&self, face: usize) -> FaceFlags {
        self.face_flags.get(face).copied().unwrap_or_default()
    }
}

/// The faces of a mesh: the vertex indices of all corners in one column, and the end of each face in it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Faces {
    corners: Vec<u32>,
    ends: Vec<usize>,
}

impl Faces {
    /// Creates a list without faces.
    pub const fn new() -> Self {
        Self { corners: Vec::new(), ends: Vec::new() }
    }

    /// Creates a list with room for faces.
    pub fn with_capacity(faces: usize, corners: usize) -> Self {
        Self { corners: Vec::with_capacity(corners), ends: Vec::with_capacity(faces) }
    }

    /// Creates a list from the vertices of all corners and the number of corners of each face. Returns `None` if they are not as many.
    pub fn from_corners(corners: Vec<u32>, sizes: impl IntoIterator<Item = usize>) -> Option<Self> {
        let mut end = 0_usize;
        let ends = sizes.into_iter().map(|size| {
            end = end.saturating_add(size);
            end
        });
        let ends: Vec<usize> = ends.collect();
        (ends.last().copied().unwrap_or(0) == corners.len()).then_some(Self { corners, ends })
    }

    /// Adds a face by the vertices of its corners, counter-clockwise as seen from the front.
    pub fn push(&mut self, vertices: &[u32]) {
        self.corners.extend_from_slice(vertices);
        self.ends.push(self.corners.len());
    }

    /// Returns the number of faces.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Returns `true` if there are no faces.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// Returns the number of corners of all faces: the length of every per-corner column.
    pub fn corner_count(&self) -> usize {
        self.corners.len()
    }

    /// Returns the vertices of a face.
    pub fn get(&self, face: usize) -> Option<&[u32]> {
        self.corners.get(self.corner_range(face)?)
    }

    /// Returns `true` if a face has a vertex more than once.
    #[inline]
    pub fn has_repeat(&self, face: usize) -> bool {
        /// Maximum number of vertices that are compared in pairs, which is faster for few of them.
        const MAX_PAIRS: usize = 16;
        let vertices = self.get(face).unwrap_or_default();
        match *vertices {
            [a, b, c] => return a == b || b == c || c == a,
            [a, b, c, d] => return a == b || a == c || a == d || b == c || b == d || c == d,
            _ if vertices.len() <= MAX_PAIRS => {
                let mut places = vertices.iter().enumerate();
                return places.any(|(place, vertex)| vertices.iter().take(place).any(|v| v == vertex));
            }
            _ => {}
        }
        let mut sorted = vertices.to_vec();
        sorted.sort_unstable();
        sorted.windows(2).any(|pair| matches!(pair, [a, b] if a == b))
    }

    /// Returns the indices of a face's corners in per-corner columns.
    pub fn corner_range(&self, face: usize) -> Option<Range<usize>> {
        let end = *self.ends.get(face)?;
        let start = face.checked_sub(1).and_then(|before| self.ends.get(before)).copied().unwrap_or(0);
        Some(start..end)
    }

    /// Returns the end of each face in the column of corners, in order: the sum of the numbers of corners up to and including the face.
    /// Programs in other languages read this column and [`corners`](Self::corners) without a copy.
    pub fn ends(&self) -> &[usize] {
        &self.ends
    }

    /// Iterates over the vertices of each face, in order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &[u32]> {
        (0..self.len()).map(|face| self.get(face).unwrap_or_default())
    }

    /// Returns the vertices of all corners, in order.
    pub fn corners(&self) -> &[u32] {
        &self.corners
    }

    /// Returns the vertices of all corners, for renumbering.
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

/// A set of flags of a face.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct FaceFlags(u8);

impl FaceFlags {
    /// No flag.
    pub const NONE: Self = Self(0);
    /// Hidden in the editor. Exporters write the face.
    pub const HIDDEN: Self = Self(1);
    /// A hole: the mesh is open here. Exporters leave the face out.
    pub const HOLE: Self = Self(2);

    /// Returns `true` if all flags of the other set are set.
    pub const fn contains(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }

    /// Returns `true` if the two sets have a common flag.
    pub const fn intersects(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    /// Returns the union of both sets.
    #[must_use]
    pub const fn with(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Returns `true` if no flag is set.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }
}

/// The shading of edges in neither edge list of a mesh.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub enum Smoothing {
    /// Soft.
    #[default]
    Smooth,
    /// Hard.
    Flat,
    /// Soft if the angle between the unit normals of the two faces is at most this many radians, else hard.
    Angle(f64),
}

/// The position of the texture coordinate (0, 0) in the image.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub enum UvOrigin {
    /// The top left corner, v down.
    #[default]
    TopLeft,
    /// The lower left corner, v up.
    LowerLeft,
}

/// One texture coordinate per corner.
///
/// The values are those of the file, relative to [`origin`](Self::origin). They are not converted, because 1 − (1 − v) is rounded.
#[derive(Debug, Clone, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct UvSet {
    /// The name; may be empty.
    pub name: String,
    /// The position of (0, 0).
    pub origin: UvOrigin,
    /// The coordinates `u, v` of each corner. Corners without a value are not mapped.
    pub corners: CornerColumn<[f64; 2]>,
}

impl UvSet {
    /// Returns the coordinates of a corner, relative to the given origin.
    pub fn at(&self, corner: usize, origin: UvOrigin) -> Option<[f64; 2]> {
        let [u, v] = self.corners.get(corner)?;
        Some(if self.origin == origin { [u, v] } else { [u, 1.0 - v] })
    }

    /// Returns `true` if a face is mapped at some of its corners only.
    pub fn has_partial_faces(&self, faces: &Faces) -> bool {
        let is_partial = |range: Range<usize>| {
            let mut corners = self.corners.range(range);
            let first = corners.next().map(|uv| uv.is_some());
            corners.any(|uv| Some(uv.is_some()) != first)
        };
        !self.corners.is_complete() && (0..faces.len()).filter_map(|face| faces.corner_range(face)).any(is_partial)
    }

    /// Removes the coordinates of faces that are not mapped at all of their corners.
    pub fn clear_partial_faces(&mut self, faces: &Faces) {
        for range in (0..faces.len()).filter_map(|face| faces.corner_range(face)) {
            if self.corners.range(range.clone()).any(|uv| uv.is_none()) {
                self.corners.clear(range);
            }
        }
    }

    /// Returns the coordinates of a corner, relative to the top left.
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
    /// Red, green, blue and opacity of each corner, 0 to 1. Corners without a value are white.
    pub corners: CornerColumn<[f32; 4]>,
}

impl ColorSet {
    /// Converts the colours from a colour space to sRGB. Calculations give NaN with either sign, depending on the processor, so NaN becomes
    /// the one without a sign.
    pub fn convert_to_srgb(&mut self, space: ColorSpace) {
        if space == ColorSpace::Srgb {
            return;
        }
        #[expect(clippy::cast_possible_truncation, reason = "colours have single precision")]
        let narrow = |channel: f64| if channel.is_nan() { f32::NAN } else { channel as f32 };
        for [r, g, b, _] in self.corners.rows_mut() {
            [*r, *g, *b] = space.to_srgb([*r, *g, *b].map(f64::from)).map(narrow);
        }
    }
}

/// The items that the rows of an [`Attribute`] belong to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub enum Domain {
    /// One row per vertex.
    Vertex,
    /// One row per corner.
    Corner,
    /// One row per face, or per cell of a grid.
    Face,
}

/// A column of numbers of a mesh or a grid. NaN equals NaN, so `scene == scene.clone()` always holds.
#[derive(Debug, Clone)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Attribute {
    /// The name.
    pub name: String,
    /// The items that the rows belong to.
    pub domain: Domain,
    /// Number of values in a row.
    pub width: usize,
    /// All rows, one after another.
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
        assert_eq!((faces.ends(), Faces::new().ends()), (&[3, 7][..], &[][..]));
        assert_eq!(faces.iter().map(<[u32]>::len).collect::<Vec<_>>(), [3, 4]);
    }

    #[test]
    fn repeated_vertices_are_found_in_small_and_large_faces() {
        let ring = |count: u32| (0..count).rev().collect::<Vec<u32>>();
        for count in [3, 4, 16, 17, 100] {
            let mut repeated = ring(count);
            repeated[1] = 0;
            let faces: Faces = [ring(count), repeated].into_iter().collect();
            assert_eq!([0, 1, 2].map(|face| faces.has_repeat(face)), [false, true, false], "{count}");
        }
    }

    #[test]
    fn coordinates_are_flipped_only_on_request() {
        let set = UvSet {
            name: String::new(),
            origin: UvOrigin::LowerLeft,
            corners: [Some([0.25, 0.1]), None].into_iter().collect(),
        };
        assert_eq!(set.at(0, UvOrigin::LowerLeft), Some([0.25, 0.1]));
        assert_eq!(set.top_left(0), Some([0.25, 0.9]));
        assert_eq!((set.top_left(1), set.top_left(2)), (None, None));
    }

    #[test]
    fn faces_are_mapped_as_a_whole_or_not_at_all() {
        let faces: Faces = [&[0, 1, 2][..], &[2, 1, 0], &[0, 1]].into_iter().collect();
        let corners = [true, true, true, true, false, true, true, true].map(|mapped| mapped.then_some([0.5, 0.5]));
        let mut set = UvSet { corners: corners.into_iter().collect(), ..UvSet::default() };
        assert!(set.has_partial_faces(&faces));
        set.clear_partial_faces(&faces);
        assert!(!set.has_partial_faces(&faces));
        let is_mapped = [true, true, true, false, false, false, true, true];
        assert!(set.corners.iter().map(|uv| uv.is_some()).eq(is_mapped));
    }
}

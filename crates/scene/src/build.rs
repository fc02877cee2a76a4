//! Scenes from arrays of numbers, as modelling programs and libraries of other languages store them.
//!
//! All arrays are checked, so that wrong ones give an error with a place, and the scene has no [errors](Scene::validate).
//!
//! ```
//! use mapwright_scene::Scene;
//! use mapwright_scene::build::{MeshArrays, NodeArrays, SceneArrays};
//!
//! let mesh = MeshArrays {
//!     name: "floor",
//!     positions: &[0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0],
//!     face_sizes: &[3],
//!     corners: &[0, 1, 2],
//!     ..MeshArrays::default()
//! };
//! let node = NodeArrays { name: "floor", mesh: Some(0), ..NodeArrays::default() };
//! let arrays = SceneArrays { meshes: vec![mesh], nodes: vec![node], ..SceneArrays::default() };
//! let scene = Scene::from_arrays(&arrays)?;
//! assert_eq!(scene.meshes.items()[0].faces.get(0), Some(&[0, 1, 2][..]));
//!
//! let wrong = MeshArrays { corners: &[0, 1, 9], ..arrays.meshes[0].clone() };
//! let error = Scene::from_arrays(&SceneArrays { meshes: vec![wrong], ..arrays }).unwrap_err();
//! assert_eq!(error.to_string(), "vertex index 9 out of range (3 vertices) in meshes[0].corners[2]");
//! # Ok::<(), mapwright_scene::build::BuildError>(())
//! ```

use std::fmt::Display;

use mapwright_io::{Category, Error, ErrorKind, format_count};

use crate::{
    ColorSet, ColorSpace, Content, CornerColumn, Faces, Id, Material, Mesh, NO_ROW, Node, NodeId, Scene, Transform,
    UvOrigin, UvSet,
};

/// The arrays of a scene.
#[derive(Debug, Clone, Default)]
pub struct SceneArrays<'a> {
    /// The name; may be empty.
    pub name: &'a str,
    /// Metres per unit of length. `None`: unknown.
    pub metres_per_unit: Option<f64>,
    /// Colour space of all colour values.
    pub color_space: ColorSpace,
    /// The materials.
    pub materials: Vec<Material>,
    /// The meshes.
    pub meshes: Vec<MeshArrays<'a>>,
    /// The nodes, each after its parent.
    pub nodes: Vec<NodeArrays<'a>>,
}

/// The arrays of a mesh.
#[derive(Debug, Clone, Default)]
pub struct MeshArrays<'a> {
    /// The name; may be empty.
    pub name: &'a str,
    /// `x, y, z` of each vertex, right-handed with Y up.
    pub positions: &'a [f64],
    /// The number of corners of each face, 3 or more.
    pub face_sizes: &'a [u32],
    /// The vertex of each corner, face by face, counter-clockwise as seen from the front.
    pub corners: &'a [u32],
    /// The index of the material of each face, or [`NO_ROW`]. Empty: no face has one.
    pub face_materials: &'a [u32],
    /// Texture coordinates with their names: `u, v` in each row.
    pub uv_sets: Vec<(&'a str, Rows<'a>)>,
    /// The position of the texture coordinate (0, 0).
    pub uv_origin: UvOrigin,
    /// Vertex colours with their names: red, green, blue and opacity in each row, 0 to 1.
    pub color_sets: Vec<(&'a str, Rows<'a>)>,
    /// Unit normals of all corners: `x, y, z` in each row.
    pub normals: Option<Rows<'a>>,
}

/// Values of the corners of a mesh.
#[derive(Debug, Clone, Copy)]
pub struct Rows<'a> {
    /// All rows, one after another.
    pub values: &'a [f64],
    /// The row of each corner, or [`NO_ROW`] for a corner without a value. `None`: each corner has a row, in order. For values of
    /// vertices, pass [`MeshArrays::corners`].
    pub indices: Option<&'a [u32]>,
}

/// A node of a scene.
#[derive(Debug, Clone, Default)]
pub struct NodeArrays<'a> {
    /// The name; may be empty.
    pub name: &'a str,
    /// The index of the parent, which is before this node. `None`: a root.
    pub parent: Option<u32>,
    /// The transform to the space of the parent. `None`: the identity.
    pub transform: Option<Transform>,
    /// The index of the mesh. `None`: a group.
    pub mesh: Option<u32>,
}

/// An error in the arrays of a scene, with its place.
pub type BuildError = Error<BuildErrorKind>;

/// The kind of an error in the arrays of a scene.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum BuildErrorKind {
    /// An array is too short or too long.
    #[error("invalid length {found}: expected {expected}")]
    Length {
        /// The number of values.
        found: usize,
        /// The expected number.
        expected: u64,
    },
    /// An array of rows has an incomplete row.
    #[error("invalid length {found}: expected a multiple of {width}")]
    Width {
        /// The number of values.
        found: usize,
        /// The number of values in a row.
        width: usize,
    },
    /// An index has no item.
    #[error("{item} index {index} out of range ({})", format_count(*.count, .item))]
    Index {
        /// The kind of the item.
        item: &'static str,
        /// The index.
        index: u32,
        /// The number of items.
        count: usize,
    },
    /// A face has too few corners.
    #[error("{}: expected at least 3", format_count(*.0, "corner"))]
    Face(u32),
    /// The parent of a node is not before it.
    #[error("parent {0} is not before the node")]
    Parent(u32),
    /// A value is not allowed, as by [`Scene::validate`].
    #[error("{0}")]
    Value(String),
}

impl ErrorKind for BuildErrorKind {
    fn category(&self) -> Category {
        Category::Malformed
    }
}

impl Scene {
    /// Builds a scene from arrays.
    ///
    /// # Errors
    /// For arrays of the wrong length, indices out of range, faces with fewer than three corners, parents that are not before their children,
    /// and all errors of [`validate`](Self::validate), such as numbers that are not finite.
    pub fn from_arrays(arrays: &SceneArrays<'_>) -> Result<Self, BuildError> {
        let SceneArrays { name, metres_per_unit, color_space, materials, meshes, nodes } = arrays;
        let mut scene = Self {
            name: (*name).to_owned(),
            metres_per_unit: *metres_per_unit,
            color_space: *color_space,
            ..Self::default()
        };
        for material in materials {
            scene.materials.push(material.clone());
        }
        for (index, mesh) in meshes.iter().enumerate() {
            let mesh = build_mesh(mesh, materials.len(), &format!("meshes[{index}]"))?;
            scene.meshes.push(mesh);
        }
        for (index, node) in nodes.iter().enumerate() {
            let path = format!("nodes[{index}]");
            let content = match node.mesh {
                Some(mesh) => {
                    check_index("mesh", mesh, meshes.len(), || format!("{path}.mesh"))?;
                    Content::Mesh(Id::new(mesh))
                }
                None => Content::Group,
            };
            if let Some(parent) = node.parent.filter(|&parent| parent as usize >= index) {
                return Err(Error::on_path(BuildErrorKind::Parent(parent), format!("{path}.parent")));
            }
            let transform = node.transform.unwrap_or(Transform::IDENTITY);
            scene.add_node(node.parent.map(NodeId::new), Node { transform, ..Node::new(node.name, content) });
        }
        match scene.first_error() {
            Some(error) => Err(Error::on_path(BuildErrorKind::Value(error.message), error.path)),
            None => Ok(scene),
        }
    }
}

fn build_mesh(arrays: &MeshArrays<'_>, materials: usize, path: &str) -> Result<Mesh, BuildError> {
    let positions = rows::<3>(arrays.positions, &format_args!("{path}.positions"))?;
    // The sum of all sizes must be checked without overflow.
    let mut corners = 0_u64;
    for (face, &size) in arrays.face_sizes.iter().enumerate() {
        if size < 3 {
            return Err(Error::on_path(BuildErrorKind::Face(size), format!("{path}.face_sizes[{face}]")));
        }
        corners = corners.saturating_add(size.into());
    }
    let found = arrays.corners.len();
    if found as u64 != corners {
        return Err(Error::on_path(BuildErrorKind::Length { found, expected: corners }, format!("{path}.corners")));
    }
    for (corner, &vertex) in arrays.corners.iter().enumerate() {
        check_index("vertex", vertex, positions.len(), || format!("{path}.corners[{corner}]"))?;
    }
    let sizes = arrays.face_sizes.iter().map(|&size| size as usize);
    let faces = Faces::from_corners(arrays.corners.to_vec(), sizes).unwrap_or_default();

    let expected = faces.len();
    if !arrays.face_materials.is_empty() {
        check_length(arrays.face_materials, expected, &format_args!("{path}.face_materials"))?;
    }
    let mut face_materials = Vec::with_capacity(arrays.face_materials.len());
    for (face, &material) in arrays.face_materials.iter().enumerate() {
        if material != NO_ROW {
            check_index("material", material, materials, || format!("{path}.face_materials[{face}]"))?;
        }
        face_materials.push((material != NO_ROW).then(|| Id::new(material)));
    }

    let mut mesh = Mesh { name: arrays.name.to_owned(), positions, faces, face_materials, ..Mesh::default() };
    for (index, (name, rows)) in arrays.uv_sets.iter().enumerate() {
        let corners = column::<2>(*rows, found, &format!("{path}.uv_sets[{index}]"))?;
        mesh.uv_sets.push(UvSet { name: (*name).to_owned(), origin: arrays.uv_origin, corners });
    }
    for (index, (name, rows)) in arrays.color_sets.iter().enumerate() {
        let corners = column::<4>(*rows, found, &format!("{path}.color_sets[{index}]"))?;
        #[allow(clippy::cast_possible_truncation, reason = "colours are stored with single precision")]
        let corners = corners.map(|color| color.map(|part| part as f32));
        mesh.color_sets.push(ColorSet { name: (*name).to_owned(), corners });
    }
    if let Some(normals) = arrays.normals {
        mesh.normals = Some(column::<3>(normals, found, &format!("{path}.normals"))?);
    }
    Ok(mesh)
}

/// Returns the values of all corners.
fn column<const WIDTH: usize>(
    arrays: Rows<'_>,
    corners: usize,
    path: &str,
) -> Result<CornerColumn<[f64; WIDTH]>, BuildError> {
    let values = rows::<WIDTH>(arrays.values, &format_args!("{path}.values"))?;
    let Some(indices) = arrays.indices else {
        check_length(&values, corners, &path)?;
        return Ok(values.into());
    };
    check_length(indices, corners, &format_args!("{path}.indices"))?;
    for (corner, &row) in indices.iter().enumerate().filter(|(_, row)| **row != NO_ROW) {
        check_index("row", row, values.len(), || format!("{path}.indices[{corner}]"))?;
    }
    Ok(CornerColumn::from_rows(values, indices.to_vec()).unwrap_or_default())
}

/// Returns the rows of an array of numbers.
fn rows<const WIDTH: usize>(values: &[f64], path: &dyn Display) -> Result<Vec<[f64; WIDTH]>, BuildError> {
    let (rows, rest) = values.as_chunks::<WIDTH>();
    if !rest.is_empty() {
        let kind = BuildErrorKind::Width { found: values.len(), width: WIDTH };
        return Err(Error::on_path(kind, path.to_string()));
    }
    Ok(rows.to_vec())
}

fn check_length<T>(array: &[T], expected: usize, path: &dyn Display) -> Result<(), BuildError> {
    if array.len() == expected {
        return Ok(());
    }
    let kind = BuildErrorKind::Length { found: array.len(), expected: expected as u64 };
    Err(Error::on_path(kind, path.to_string()))
}

fn check_index(item: &'static str, index: u32, count: usize, path: impl FnOnce() -> String) -> Result<(), BuildError> {
    if (index as usize) < count {
        return Ok(());
    }
    Err(Error::on_path(BuildErrorKind::Index { item, index, count }, path()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::transform::IDENTITY_MATRIX;

    /// A quad and a triangle with all columns, below a group.
    const POSITIONS: [f64; 15] = [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 1.0, 1.0, 0.0, 0.0, 1.0, 0.0, 0.5, 2.0, 0.0];
    const CORNERS: [u32; 7] = [0, 1, 2, 3, 3, 2, 4];
    const UVS: [f64; 4] = [0.0, 0.0, 1.0, 0.5];
    const COLOR: [f64; 4] = [1.0, 0.5, 0.0, 1.0];
    const NORMALS: [f64; 21] = {
        let mut normals = [0.0; 21];
        let mut at = 2;
        while at < normals.len() {
            normals[at] = 1.0;
            at += 3;
        }
        normals
    };

    fn mesh() -> MeshArrays<'static> {
        MeshArrays {
            name: "house",
            positions: &POSITIONS,
            face_sizes: &[4, 3],
            corners: &CORNERS,
            face_materials: &[0, NO_ROW],
            uv_sets: vec![("uv", Rows { values: &UVS, indices: Some(&[0, 1, 0, 1, NO_ROW, 0, 1]) })],
            uv_origin: UvOrigin::LowerLeft,
            color_sets: vec![("color", Rows { values: &COLOR, indices: Some(&[0; 7]) })],
            normals: Some(Rows { values: &NORMALS, indices: None }),
        }
    }

    fn scene(mesh: MeshArrays<'static>) -> SceneArrays<'static> {
        let node = NodeArrays { name: "house", parent: Some(0), mesh: Some(0), ..NodeArrays::default() };
        SceneArrays {
            name: "village",
            metres_per_unit: Some(0.5),
            materials: vec![Material::new("wall")],
            meshes: vec![mesh],
            nodes: vec![NodeArrays { name: "group", ..NodeArrays::default() }, node],
            ..SceneArrays::default()
        }
    }

    fn error(arrays: &SceneArrays<'_>) -> String {
        Scene::from_arrays(arrays).unwrap_err().to_string()
    }

    #[test]
    fn all_columns_are_taken() {
        let scene = Scene::from_arrays(&scene(mesh())).unwrap();
        let mesh = &scene.meshes.items()[0];
        assert_eq!((mesh.positions.len(), mesh.positions[4]), (5, [0.5, 2.0, 0.0]));
        assert_eq!(mesh.faces.iter().collect::<Vec<_>>(), [&[0, 1, 2, 3][..], &[3, 2, 4]]);
        assert_eq!(mesh.face_materials, [scene.materials.ids().next(), None]);
        let uvs = &mesh.uv_sets[0];
        assert_eq!((uvs.corners.get(1), uvs.corners.get(4), uvs.origin), (Some([1.0, 0.5]), None, UvOrigin::LowerLeft));
        assert_eq!(mesh.color_sets[0].corners.get(6), Some([1.0, 0.5, 0.0, 1.0]));
        assert_eq!(mesh.normals.as_ref().unwrap().get(6), Some([0.0, 0.0, 1.0]));
        let names: Vec<&str> = scene.walk().map(|visit| visit.node.name.as_str()).collect();
        assert_eq!((names, scene.roots.len()), (vec!["group", "house"], 1));
        assert!(scene.validate().is_empty(), "{:?}", scene.validate());
    }

    #[test]
    fn wrong_arrays_of_meshes_are_errors_with_a_place() {
        const NAN: [f64; 3] = [0.0, f64::NAN, 0.0];
        let rows = |values: &'static [f64], indices: Option<&'static [u32]>| Rows { values, indices };
        for (arrays, expected) in [
            (
                MeshArrays { positions: &POSITIONS[..14], ..mesh() },
                "invalid length 14: expected a multiple of 3 in meshes[0].positions",
            ),
            (
                MeshArrays { positions: &POSITIONS[..12], ..mesh() },
                "vertex index 4 out of range (4 vertices) in meshes[0].corners[6]",
            ),
            (
                MeshArrays { face_sizes: &[4, 2, 1], ..mesh() },
                "2 corners: expected at least 3 in meshes[0].face_sizes[1]",
            ),
            (
                MeshArrays { face_sizes: &[4, u32::MAX, u32::MAX], ..mesh() },
                "invalid length 7: expected 8589934594 in meshes[0].corners",
            ),
            (MeshArrays { face_materials: &[0], ..mesh() }, "invalid length 1: expected 2 in meshes[0].face_materials"),
            (
                MeshArrays { face_materials: &[0, 1], ..mesh() },
                "material index 1 out of range (1 material) in meshes[0].face_materials[1]",
            ),
            (
                MeshArrays { uv_sets: vec![("", rows(&UVS, Some(&[0; 6])))], ..mesh() },
                "invalid length 6: expected 7 in meshes[0].uv_sets[0].indices",
            ),
            (
                MeshArrays { uv_sets: vec![("", rows(&UVS, Some(&[0, 0, 0, 2, 0, 0, 0])))], ..mesh() },
                "row index 2 out of range (2 rows) in meshes[0].uv_sets[0].indices[3]",
            ),
            (
                MeshArrays { uv_sets: vec![("", rows(&UVS, None))], ..mesh() },
                "invalid length 2: expected 7 in meshes[0].uv_sets[0]",
            ),
            (
                MeshArrays { color_sets: vec![("", rows(&COLOR[..3], None))], ..mesh() },
                "invalid length 3: expected a multiple of 4 in meshes[0].color_sets[0].values",
            ),
            (
                MeshArrays { normals: Some(rows(&NAN, Some(&[0; 7]))), ..mesh() },
                "not finite: 7 of 7, the first at 0 in meshes[0].normals",
            ),
            (
                MeshArrays { normals: Some(rows(&NORMALS[..3], Some(&[0, 0, 0, NO_ROW, 0, 0, 0]))), ..mesh() },
                "corners without a normal: 1 of 7, the first at 3 in meshes[0].normals",
            ),
            (
                MeshArrays { positions: &[f64::INFINITY; 15], ..mesh() },
                "not finite: 5 of 5, the first at 0 in meshes[0].positions",
            ),
        ] {
            assert_eq!(error(&scene(arrays)), expected);
        }
    }

    #[test]
    fn wrong_nodes_and_materials_are_errors_with_a_place() {
        let with_node = |node| {
            let mut arrays = scene(mesh());
            arrays.nodes.push(node);
            error(&arrays)
        };
        let node = NodeArrays { parent: Some(2), ..NodeArrays::default() };
        assert_eq!(with_node(node), "parent 2 is not before the node in nodes[2].parent");
        let node = NodeArrays { mesh: Some(1), ..NodeArrays::default() };
        assert_eq!(with_node(node), "mesh index 1 out of range (1 mesh) in nodes[2].mesh");
        let mut matrix = IDENTITY_MATRIX;
        matrix[3][0] = f64::NAN;
        let node = NodeArrays { transform: Some(Transform::Matrix(matrix)), ..NodeArrays::default() };
        assert_eq!(with_node(node), "has a number that is not finite in nodes[2].transform");
        let material = Material { base_color: [f64::NAN, 0.0, 0.0, 1.0], ..Material::new("") };
        let problem = error(&SceneArrays { materials: vec![material], ..scene(mesh()) });
        assert_eq!(problem, "a number that is not finite in materials[0]");
        let problem = error(&SceneArrays { metres_per_unit: Some(0.0), ..scene(mesh()) });
        assert_eq!(problem, "not a positive number in metres_per_unit");
    }
}

//! Meshes and columns of their corners.

use std::sync::Arc;

use mapwright::interchange::triangle_corners;
use mapwright::scene::{self, Import, UvOrigin};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use super::values::to_dict;
use crate::array::{owned, view, view_of};

item! {
    /// A polygon mesh. A corner is one use of a vertex by a face; columns of corners go through all faces in order.
    Mesh: scene::Mesh, meshes
}

impl Mesh {
    pub(super) fn in_scene(import: Arc<Import>, index: usize) -> Self {
        Self { import, index }
    }
}

#[pymethods]
impl Mesh {
    /// The name; may be empty.
    #[getter]
    fn name(&self) -> &str {
        &self.item().name
    }

    /// The positions of the vertices: shape (vertices, 3).
    #[getter]
    fn positions<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        view(py, &self.import, |import, index| &Self::of(import, index).positions, self.index)
    }

    /// The vertex of each corner.
    #[getter]
    fn corners<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        view(py, &self.import, |import, index| Self::of(import, index).faces.corners(), self.index)
    }

    /// The end of each face in columns of corners. Its first corner follows the end of the face before it.
    #[getter]
    fn face_ends<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        view(py, &self.import, |import, index| Self::of(import, index).faces.ends(), self.index)
    }

    /// The index of the material of each face, or -1 for a face without one. Empty: no face has one.
    #[getter]
    fn face_materials<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let index = |material: &Option<scene::MaterialId>| {
            material.map_or(-1, |id| i64::try_from(id.index()).unwrap_or(i64::MAX))
        };
        owned(py, self.item().face_materials.iter().map(index).collect())
    }

    /// The sets of texture coordinates.
    #[getter]
    fn uv_sets(&self) -> Vec<CornerColumn> {
        self.columns(self.item().uv_sets.len(), ColumnPlace::Uv)
    }

    /// The sets of vertex colours: red, green, blue and opacity.
    #[getter]
    fn color_sets(&self) -> Vec<CornerColumn> {
        self.columns(self.item().color_sets.len(), ColumnPlace::Color)
    }

    /// The normals of the corners, if the file stores them.
    #[getter]
    fn normals(&self) -> Option<CornerColumn> {
        let (import, mesh) = (self.import.clone(), self.index);
        self.item().normals.as_ref().map(|_| CornerColumn { import, mesh, place: ColumnPlace::Normal })
    }

    /// Computes a unit normal for each corner from the faces and the hard edges: shape (corners, 3).
    fn compute_normals<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let normals = py.detach(|| {
            let normals = self.item().corner_normals();
            normals.iter().map(Option::unwrap_or_default).collect::<Vec<_>>()
        });
        owned(py, normals)
    }

    /// Returns the triangles of all faces as three indices into columns of corners: shape (triangles, 3). `corners[result]` has their
    /// vertices.
    fn triangles<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        owned(py, py.detach(|| triangle_corners(self.item())))
    }

    /// The hard edges: the two vertices of each, smaller first.
    #[getter]
    fn hard_edges<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        view(py, &self.import, |import, index| &Self::of(import, index).hard_edges, self.index)
    }

    /// Other data of the file.
    #[getter]
    fn properties<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        to_dict(py, &self.item().properties)
    }

    fn __repr__(&self) -> String {
        let mesh = self.item();
        format!("<Mesh {:?}: {} vertices, {} faces>", mesh.name, mesh.positions.len(), mesh.faces.len())
    }
}

impl Mesh {
    fn columns(&self, count: usize, place: fn(usize) -> ColumnPlace) -> Vec<CornerColumn> {
        let column = |index| CornerColumn { import: self.import.clone(), mesh: self.index, place: place(index) };
        (0..count).map(column).collect()
    }
}

/// Values of the corners of a mesh, as rows and the index of the row of each corner.
#[pyclass(frozen, module = "mapwright")]
pub(crate) struct CornerColumn {
    import: Arc<Import>,
    mesh: usize,
    place: ColumnPlace,
}

/// The place of a column in its mesh.
#[derive(Clone, Copy)]
enum ColumnPlace {
    Uv(usize),
    Color(usize),
    Normal,
}

impl CornerColumn {
    fn mesh(&self) -> &scene::Mesh {
        Mesh::of(&self.import, self.mesh)
    }

    fn row_indices(&self) -> &[u32] {
        let mesh = self.mesh();
        match self.place {
            ColumnPlace::Uv(index) => mesh.uv_sets[index].corners.indices(),
            ColumnPlace::Color(index) => mesh.color_sets[index].corners.indices(),
            ColumnPlace::Normal => mesh.normals.as_ref().map_or(&[], |normals| normals.indices()),
        }
    }
}

#[pymethods]
impl CornerColumn {
    /// The name; may be empty.
    #[getter]
    fn name(&self) -> &str {
        match self.place {
            ColumnPlace::Uv(index) => &self.mesh().uv_sets[index].name,
            ColumnPlace::Color(index) => &self.mesh().color_sets[index].name,
            ColumnPlace::Normal => "",
        }
    }

    /// The position of the texture coordinate (0, 0): top_left or lower_left. None for colours and normals.
    #[getter]
    fn origin(&self) -> Option<&'static str> {
        let ColumnPlace::Uv(index) = self.place else { return None };
        Some(match self.mesh().uv_sets[index].origin {
            UvOrigin::TopLeft => "top_left",
            UvOrigin::LowerLeft => "lower_left",
        })
    }

    /// The rows: shape (rows, width). Some may be unused.
    #[getter]
    fn rows<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let mesh = self.mesh();
        match self.place {
            ColumnPlace::Uv(index) => {
                let rows = mesh.uv_sets[index].corners.rows();
                view_of(py, &self.import, rows, vec![rows.len()])
            }
            ColumnPlace::Color(index) => {
                let rows = mesh.color_sets[index].corners.rows();
                view_of(py, &self.import, rows, vec![rows.len()])
            }
            ColumnPlace::Normal => {
                let rows = mesh.normals.as_ref().map_or(&[][..], |normals| normals.rows());
                view_of(py, &self.import, rows, vec![rows.len()])
            }
        }
    }

    /// The row of each corner. NO_ROW, which is 4294967295, is a corner without a value.
    #[getter]
    fn indices<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let indices = self.row_indices();
        view_of(py, &self.import, indices, vec![indices.len()])
    }

    /// Returns the value of each corner: shape (corners, width). A corner without a value has NaN.
    fn to_numpy<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        py.import("mapwright._arrays")?.call_method1("take_rows", (self.rows(py)?, self.indices(py)?))
    }

    /// The number of corners.
    fn __len__(&self) -> usize {
        self.row_indices().len()
    }
}

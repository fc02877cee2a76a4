//! Nodes of scenes.

use std::sync::Arc;

use mapwright::scene::{self, Content, Import, Transform};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use super::values::{matrix, to_dict};

/// An object of a scene with its place.
#[pyclass(frozen, module = "mapwright")]
pub(crate) struct Node {
    pub(super) import: Arc<Import>,
    pub(super) index: usize,
    #[pyo3(get)]
    pub(super) parent: Option<usize>,
    /// The index in `Scene.nodes` of the node that an instance shows with its descendants, in its own place. None for other kinds.
    #[pyo3(get)]
    pub(super) target: Option<usize>,
    pub(super) world: Transform,
    #[pyo3(get)]
    pub(super) visible: bool,
    /// False for a node that only instances show. Its matrix `world` is that of a root.
    #[pyo3(get)]
    pub(super) in_tree: bool,
}

impl Node {
    fn item(&self) -> &scene::Node {
        &self.import.scene.nodes.items()[self.index]
    }
}

#[pymethods]
impl Node {
    /// The name; may be empty and may repeat.
    #[getter]
    fn name(&self) -> &str {
        &self.item().name
    }

    /// The kind of the content: group, mesh, brush, terrain, tile_layer, instance_set, light, sound, camera, path, marker, entity,
    /// instance or prefab.
    #[getter]
    fn kind(&self) -> &'static str {
        match self.item().content {
            Content::Group => "group",
            Content::Mesh(_) => "mesh",
            Content::Brush(_) => "brush",
            Content::Terrain(_) => "terrain",
            Content::TileLayer(_) => "tile_layer",
            Content::InstanceSet(_) => "instance_set",
            Content::Light(_) => "light",
            Content::Sound(_) => "sound",
            Content::Camera(_) => "camera",
            Content::Path(_) => "path",
            Content::Marker => "marker",
            Content::Entity(_) => "entity",
            Content::Instance(_) => "instance",
            Content::Prefab(_) => "prefab",
            _ => "other",
        }
    }

    /// The index of the content in the list of its kind, such as `Scene.meshes`. None for kinds without a list.
    #[getter]
    fn index(&self) -> Option<usize> {
        Some(match self.item().content {
            Content::Mesh(id) => id.index(),
            Content::Brush(id) => id.index(),
            Content::Terrain(id) => id.index(),
            Content::InstanceSet(id) => id.index(),
            Content::Light(id) => id.index(),
            Content::Camera(id) => id.index(),
            Content::Entity(id) => id.index(),
            _ => return None,
        })
    }

    /// The matrix from the space of the node to that of the scene: shape (4, 4), for points as columns.
    #[getter]
    fn world<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        matrix(py, &self.world)
    }

    /// The matrix from the space of the node to that of its parent.
    #[getter]
    fn local<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        matrix(py, &self.item().transform)
    }

    /// True if the editor protects the node from changes.
    #[getter]
    fn locked(&self) -> bool {
        self.item().locked
    }

    /// The path of the object in the document, or None.
    #[getter]
    fn key(&self) -> Option<&str> {
        self.item().key.as_deref()
    }

    /// Other data of the file.
    #[getter]
    fn properties<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        to_dict(py, &self.item().properties)
    }

    fn __repr__(&self) -> String {
        format!("<Node {} {:?}>", self.kind(), self.name())
    }
}

//! Scenes, with views of their columns. A view keeps the scene alive, and the scene never changes.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use mapwright::interchange::brushes_to_meshes;
use mapwright::scene::NoFiles;
use mapwright::scene::{self, ColorSpace, Content, Import, NodeId, Transform, Visit};
use mapwright::{AnyDocument, ConvertOptions, Format, SceneFile};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::array::owned;
use crate::conversion::{Conversion, Job, Loss, list_losses};
use crate::document::target;
use crate::options::{Keywords, format, set_convert_options};
use values::{rows_of, to_dict};

/// Declares the class of an item of a scene: its type, its list, and the name in `repr`.
macro_rules! item {
    ($(#[$doc:meta])* $class:ident: $type:ty, $list:ident) => {
        $(#[$doc])*
        #[pyclass(frozen, module = "mapwright")]
        pub(crate) struct $class {
            pub(super) import: Arc<Import>,
            pub(super) index: usize,
        }

        impl $class {
            pub(super) fn of(import: &Import, index: usize) -> &$type {
                &import.scene.$list.items()[index]
            }

            pub(super) fn item(&self) -> &$type {
                Self::of(&self.import, self.index)
            }
        }
    };
}

// The macro must come first.
mod items;
mod mesh;
mod node;
mod values;

pub(crate) use items::{Camera, Entity, Image, InstanceSet, Light, Material, Terrain};
pub(crate) use mesh::{CornerColumn, Mesh};
pub(crate) use node::Node;

/// The objects of a level or model: right-handed, Y up, in units of the file. It never changes, and threads can share it.
#[pyclass(frozen, module = "mapwright")]
pub(crate) struct Scene {
    import: Arc<Import>,
    source: Source,
}

/// Facts about the document that contained a scene, which conversions of the scene need.
#[derive(Clone)]
pub(crate) struct Source {
    pub(crate) format: Format,
    /// The document and the files that were read for it. Conversions never replace them.
    pub(crate) read: Vec<PathBuf>,
    /// `true` if the document states how its faces are shaded.
    pub(crate) has_shading: bool,
    pub(crate) is_untrusted: bool,
}

/// Visits the nodes of the tree, then those that only instances show. The flag is `true` for nodes of the tree.
fn visit_all(scene: &scene::Scene) -> Vec<(Visit<'_>, bool)> {
    let mut visits: Vec<_> = scene.walk().map(|visit| (visit, true)).collect();
    let mut seen: HashSet<NodeId> = visits.iter().map(|(visit, _)| visit.id).collect();
    let mut next = 0;
    while let Some((visit, _)) = visits.get(next) {
        next += 1;
        let Content::Instance(target) = visit.node.content else { continue };
        let mut stack = vec![(target, None, Transform::IDENTITY, true)];
        while let Some((id, parent, above, visible)) = stack.pop() {
            let Some(node) = scene.nodes.get(id).filter(|_| seen.insert(id)) else { continue };
            let (world, visible) = (above.compose(&node.transform), visible && node.visible);
            stack.extend(node.children.iter().rev().map(|&child| (child, Some(id), world, visible)));
            visits.push((Visit { id, node, parent, world, visible }, false));
        }
    }
    visits
}

impl Scene {
    pub(crate) fn new(import: Import, source: Source) -> Self {
        Self { import: Arc::new(import), source }
    }

    /// Returns a handle for each item of a list.
    fn handles<T>(&self, count: usize, handle: impl Fn(Arc<Import>, usize) -> T) -> Vec<T> {
        (0..count).map(|index| handle(self.import.clone(), index)).collect()
    }

    fn convert_to(
        &self,
        py: Python<'_>,
        to: Format,
        path: Option<&Path>,
        strict: bool,
        keywords: Option<Keywords<'_, '_>>,
    ) -> PyResult<Conversion> {
        let Source { format, read, has_shading, is_untrusted } = &self.source;
        let mut options = if *is_untrusted { ConvertOptions::service() } else { ConvertOptions::default() };
        if let Some(stem) = path.and_then(Path::file_stem) {
            options.stem = stem.to_string_lossy().into_owned();
        }
        set_convert_options(py, keywords, &mut options)?;
        let document = || {
            let (import, side_files) = ((*self.import).clone(), read.clone());
            let (format, has_shading) = (*format, *has_shading);
            AnyDocument::from(SceneFile { format, import, side_files, has_shading, no_data: None })
        };
        Job { to, files: &NoFiles, options: &options, path: None }.run(py, document, strict)
    }
}

#[pymethods]
impl Scene {
    /// The name; may be empty.
    #[getter]
    fn name(&self) -> &str {
        &self.import.scene.name
    }

    /// The format of the source; glb for a scene that was built from arrays.
    #[getter]
    fn format(&self) -> &'static str {
        self.source.format.name()
    }

    /// Metres per unit of length, or None if it is unknown.
    #[getter]
    fn metres_per_unit(&self) -> Option<f64> {
        self.import.scene.metres_per_unit
    }

    /// The colour space of all colours: srgb or linear.
    #[getter]
    fn color_space(&self) -> &'static str {
        match self.import.scene.color_space {
            ColorSpace::Srgb => "srgb",
            ColorSpace::Linear => "linear",
        }
    }

    /// Differences between the document and the scene.
    #[getter]
    fn losses(&self) -> Vec<Loss> {
        list_losses(&self.import.losses)
    }

    /// Other data of the file.
    #[getter]
    fn properties<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        to_dict(py, &self.import.scene.properties)
    }

    /// All nodes, each after its parent. Nodes that only instances show follow those of the tree.
    #[getter]
    fn nodes(&self) -> Vec<Node> {
        let scene = &self.import.scene;
        let visits = visit_all(scene);
        let mut places = vec![None; scene.nodes.len()];
        for (place, (visit, _)) in visits.iter().enumerate() {
            if let Some(found) = places.get_mut(visit.id.index()) {
                *found = Some(place);
            }
        }
        let place = |id: NodeId| places.get(id.index()).copied().flatten();
        let handle = |(visit, in_tree): (Visit<'_>, bool)| Node {
            import: self.import.clone(),
            index: visit.id.index(),
            parent: visit.parent.and_then(place),
            target: match visit.node.content {
                Content::Instance(target) => place(target),
                _ => None,
            },
            world: visit.world,
            visible: visit.visible,
            in_tree,
        };
        visits.into_iter().map(handle).collect()
    }

    /// The matrices from the space of each node to that of the scene, in the order of `nodes`: shape (n, 4, 4), for points as columns.
    #[getter]
    fn world_matrices<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let matrices = py.detach(|| {
            visit_all(&self.import.scene).iter().map(|(visit, _)| rows_of(&visit.world)).collect::<Vec<_>>()
        });
        owned(py, matrices)
    }

    /// The meshes. Nodes refer to them by index.
    #[getter]
    fn meshes(&self) -> Vec<Mesh> {
        self.handles(self.import.scene.meshes.len(), Mesh::in_scene)
    }

    /// The number of brushes.
    #[getter]
    fn brush_count(&self) -> usize {
        self.import.scene.brushes.len()
    }

    /// Returns the scene with a mesh in the place of each brush.
    fn with_brushes_as_meshes(&self, py: Python<'_>) -> Self {
        py.detach(|| {
            let mut import = (*self.import).clone();
            import.losses.append(brushes_to_meshes(&mut import.scene));
            Self::new(import, self.source.clone())
        })
    }

    /// The terrains.
    #[getter]
    fn terrains(&self) -> Vec<Terrain> {
        self.handles(self.import.scene.terrains.len(), |import, index| Terrain { import, index })
    }

    /// The sets of instances of models.
    #[getter]
    fn instance_sets(&self) -> Vec<InstanceSet> {
        self.handles(self.import.scene.instance_sets.len(), |import, index| InstanceSet { import, index })
    }

    /// The lights.
    #[getter]
    fn lights(&self) -> Vec<Light> {
        self.handles(self.import.scene.lights.len(), |import, index| Light { import, index })
    }

    /// The cameras.
    #[getter]
    fn cameras(&self) -> Vec<Camera> {
        self.handles(self.import.scene.cameras.len(), |import, index| Camera { import, index })
    }

    /// The entities.
    #[getter]
    fn entities(&self) -> Vec<Entity> {
        self.handles(self.import.scene.entities.len(), |import, index| Entity { import, index })
    }

    /// The materials.
    #[getter]
    fn materials(&self) -> Vec<Material> {
        self.handles(self.import.scene.materials.len(), |import, index| Material { import, index })
    }

    /// The images.
    #[getter]
    fn images(&self) -> Vec<Image> {
        self.handles(self.import.scene.images.len(), |import, index| Image { import, index })
    }

    /// Converts the scene to a format.
    #[pyo3(signature = (to, *, strict = false, **options))]
    fn convert(
        &self,
        py: Python<'_>,
        to: &str,
        strict: bool,
        options: Option<Keywords<'_, '_>>,
    ) -> PyResult<Conversion> {
        self.convert_to(py, format(to)?, None, strict, options)
    }

    /// Converts the scene to a file, whose extension selects the format unless `to` names it.
    #[pyo3(signature = (path, *, to = None, strict = false, overwrite = false, **options))]
    fn convert_file(
        &self,
        py: Python<'_>,
        path: PathBuf,
        to: Option<&str>,
        strict: bool,
        overwrite: bool,
        options: Option<Keywords<'_, '_>>,
    ) -> PyResult<Conversion> {
        let conversion = self.convert_to(py, target(&path, to)?, Some(&path), strict, options)?;
        conversion.save(py, path, overwrite)?;
        Ok(conversion)
    }

    fn __repr__(&self) -> String {
        let scene = &self.import.scene;
        format!("<Scene {}: {} nodes, {} meshes>", self.source.format, scene.nodes.len(), scene.meshes.len())
    }
}

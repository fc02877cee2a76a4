//! Terrains, instances, lights, cameras, entities, materials and images.

use std::sync::Arc;

use mapwright::scene::{
    self, AlphaMode, Heights, ImageSource, Import, InstanceTransforms, IntensityUnit, LightKind, Model, PlaceholderBox,
    Projection, TextureUsage, Wrap,
};
use pyo3::IntoPyObjectExt;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};

use super::Mesh;
use super::values::{rows_of, to_dict};
use crate::array::{owned, view, view_of};

item! {
    /// A grid of heights over the ground plane of its node.
    Terrain: scene::Terrain, terrains
}
item! {
    /// Many placements of a few models, as columns with one row per instance.
    InstanceSet: scene::InstanceSet, instance_sets
}
item! {
    /// A light at the origin of its node. It shines along the node's −Z.
    Light: scene::Light, lights
}
item! {
    /// A camera at the origin of its node. It looks along the node's −Z, with Y up.
    Camera: scene::Camera, cameras
}
item! {
    /// An object of a game: a class and its properties.
    Entity: scene::Entity, entities
}
item! {
    /// The appearance of a surface.
    Material: scene::Material, materials
}
item! {
    /// An image: pixels, a file, or a reference to a file.
    Image: scene::Image, images
}

#[pymethods]
impl Terrain {
    /// The name; may be empty.
    #[getter]
    fn name(&self) -> &str {
        &self.item().name
    }

    /// The distance between heights along X and Z, in units of length. A negative distance keeps the order of rows of the file.
    #[getter]
    fn spacing(&self) -> [f64; 2] {
        self.item().spacing
    }

    /// The heights as the file stores them: shape (rows, columns), row by row along Z. Multiply them by `step`.
    #[getter]
    fn heights<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let terrain = self.item();
        let [columns, rows] = terrain.size.map(|side| side as usize);
        match &terrain.heights {
            Heights::F32(heights) => view_of(py, &self.import, heights, vec![rows, columns]),
            Heights::Steps { values, .. } => view_of(py, &self.import, values, vec![rows, columns]),
        }
    }

    /// The height of one unit of `heights`, in units of length.
    #[getter]
    fn step(&self) -> f64 {
        match &self.item().heights {
            Heights::F32(_) => 1.0,
            Heights::Steps { step, .. } => *step,
        }
    }

    /// The texture cells: shape (rows, columns) of indices into `materials`. An index beyond the list is a cell without a material.
    #[getter]
    fn cells<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let terrain = self.item();
        let [columns, rows] = terrain.cell_size.map(|side| side as usize);
        view_of(py, &self.import, &terrain.cells, vec![rows, columns])
    }

    /// The index of the material of each kind of cell, or None.
    #[getter]
    fn materials(&self) -> Vec<Option<usize>> {
        self.item().materials.iter().map(|material| material.map(scene::MaterialId::index)).collect()
    }

    /// The height of the water, or None.
    #[getter]
    fn sea_level(&self) -> Option<f64> {
        self.item().sea_level
    }

    /// Returns the ground as a mesh of triangles.
    fn to_mesh(&self, py: Python<'_>) -> Mesh {
        py.detach(|| {
            let scene = scene::Scene { meshes: [self.item().mesh()].into_iter().collect(), ..Default::default() };
            Mesh::in_scene(Arc::new(Import { scene, ..Default::default() }), 0)
        })
    }

    /// Other data of the file.
    #[getter]
    fn properties<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        to_dict(py, &self.item().properties)
    }

    fn __repr__(&self) -> String {
        let [columns, rows] = self.item().size;
        format!("<Terrain {:?}: {columns} × {rows} heights>", self.name())
    }
}

/// The kind, the size and the colour of a box.
type Placeholder = (&'static str, [f64; 3], [f64; 3]);

#[pymethods]
impl InstanceSet {
    /// The name; may be empty.
    #[getter]
    fn name(&self) -> &str {
        &self.item().name
    }

    /// The models: the path of a file of the game, or the index of a mesh of the scene.
    #[getter]
    fn models<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyAny>>> {
        let models = self.item().models.iter();
        let models = models.map(|model| match model {
            Model::Reference(path) => path.into_bound_py_any(py),
            Model::Mesh(id) => id.index().into_bound_py_any(py),
        });
        models.collect()
    }

    /// A box to show in the place of each model: the likely kind of the object, its size along X, Y and Z in metres, centred at the origin,
    /// and its colour in linear light. None for a mesh of the scene.
    #[getter]
    fn placeholders(&self) -> Vec<Option<Placeholder>> {
        let box_of = |model: &Model| match model {
            Model::Reference(path) => {
                PlaceholderBox::ALL.get(PlaceholderBox::index_of_model(path)).map(|it| (it.name, it.size, it.color))
            }
            Model::Mesh(_) => None,
        };
        self.item().models.iter().map(box_of).collect()
    }

    /// The model of each instance: an index into `models`.
    #[getter]
    fn model<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        view(py, &self.import, |import, index| &Self::of(import, index).model, self.index)
    }

    /// The matrix of each instance, in the space of the node: shape (instances, 4, 4), for points as columns.
    fn matrices<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let transforms = &self.item().transforms;
        let matrices = py.detach(|| {
            (0..transforms.len()).filter_map(|at| transforms.get(at)).map(|at| rows_of(&at)).collect::<Vec<_>>()
        });
        owned(py, matrices)
    }

    /// The place of each instance in the space of the node: shape (instances, 3). A view for instances with rotations, else a copy.
    #[getter]
    fn translations<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        match &self.item().transforms {
            InstanceTransforms::Trs { translations, .. } => {
                view_of(py, &self.import, translations, vec![translations.len()])
            }
            InstanceTransforms::Affine(maps) => owned(py, maps.iter().map(|map| map[3]).collect()),
        }
    }

    /// The unit quaternion x, y, z, w of each instance: shape (instances, 4). None if the file stores matrices.
    #[getter]
    fn rotations<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        match &self.item().transforms {
            InstanceTransforms::Trs { rotations, .. } => {
                view_of(py, &self.import, rotations, vec![rotations.len()]).map(Some)
            }
            InstanceTransforms::Affine(_) => Ok(None),
        }
    }

    /// The scale of each instance along its axes: shape (instances, 3). None if the file stores matrices.
    #[getter]
    fn scales<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        match &self.item().transforms {
            InstanceTransforms::Trs { scales, .. } => view_of(py, &self.import, scales, vec![scales.len()]).map(Some),
            InstanceTransforms::Affine(_) => Ok(None),
        }
    }

    /// The images of the three axes and of the origin of each instance: shape (instances, 4, 3). None if the file stores rotations.
    #[getter]
    fn axes<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        match &self.item().transforms {
            InstanceTransforms::Affine(maps) => view_of(py, &self.import, maps, vec![maps.len()]).map(Some),
            InstanceTransforms::Trs { .. } => Ok(None),
        }
    }

    /// The number of each instance in the file. Empty: none.
    #[getter]
    fn ids<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        view(py, &self.import, |import, index| &Self::of(import, index).ids, self.index)
    }

    /// The number of instances.
    fn __len__(&self) -> usize {
        self.item().transforms.len()
    }

    fn __repr__(&self) -> String {
        format!("<InstanceSet {:?}: {} instances of {} models>", self.name(), self.__len__(), self.item().models.len())
    }
}

#[pymethods]
impl Light {
    /// The shape: ambient, directional, point, spot, area, or the name in the file.
    #[getter]
    fn kind(&self) -> &str {
        self.item().kind.name()
    }

    /// Red, green and blue in the colour space of the scene.
    #[getter]
    fn color(&self) -> [f64; 3] {
        let [red, green, blue, _] = self.item().color;
        [red, green, blue]
    }

    /// The factor for the linear colour.
    #[getter]
    fn intensity(&self) -> f64 {
        self.item().intensity
    }

    /// The unit of the intensity: relative, or photometric, which is lux for directional lights and candela for others.
    #[getter]
    fn unit(&self) -> &'static str {
        match self.item().unit {
            IntensityUnit::Relative => "relative",
            IntensityUnit::Photometric => "photometric",
        }
    }

    /// The maximum distance in units of length, or None.
    #[getter]
    fn range(&self) -> Option<f64> {
        self.item().range
    }

    /// The constant, linear and quadratic terms of the falloff with distance.
    #[getter]
    fn attenuation(&self) -> [f64; 3] {
        let attenuation = self.item().attenuation;
        [attenuation.constant, attenuation.linear, attenuation.quadratic]
    }

    /// Half the angles of full light and of the cone of a spot in radians, or None.
    #[getter]
    fn cone(&self) -> Option<[f64; 2]> {
        match self.item().kind {
            LightKind::Spot { inner, outer, .. } => Some([inner, outer]),
            _ => None,
        }
    }

    /// Other data of the file.
    #[getter]
    fn properties<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        to_dict(py, &self.item().properties)
    }

    fn __repr__(&self) -> String {
        format!("<Light {}>", self.kind())
    }
}

#[pymethods]
impl Camera {
    /// The projection: perspective or orthographic.
    #[getter]
    fn projection(&self) -> &'static str {
        match self.item().projection {
            Projection::Perspective { .. } => "perspective",
            Projection::Orthographic { .. } => "orthographic",
        }
    }

    /// The vertical angle of view in radians, or None.
    #[getter]
    fn fov_y(&self) -> Option<f64> {
        match self.item().projection {
            Projection::Perspective { fov_y } => Some(fov_y),
            Projection::Orthographic { .. } => None,
        }
    }

    /// Half the height of an orthographic view, or None.
    #[getter]
    fn half_height(&self) -> Option<f64> {
        match self.item().projection {
            Projection::Orthographic { half_height } => Some(half_height),
            Projection::Perspective { .. } => None,
        }
    }

    /// The distance of the near plane.
    #[getter]
    fn near(&self) -> f64 {
        self.item().near
    }

    /// The distance of the far plane, or None.
    #[getter]
    fn far(&self) -> Option<f64> {
        self.item().far
    }

    /// The width of the view divided by its height, or None.
    #[getter]
    fn aspect(&self) -> Option<f64> {
        self.item().aspect
    }

    /// Other data of the file.
    #[getter]
    fn properties<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        to_dict(py, &self.item().properties)
    }

    fn __repr__(&self) -> String {
        format!("<Camera {}>", self.projection())
    }
}

#[pymethods]
impl Entity {
    /// The class.
    #[getter]
    fn class_name(&self) -> &str {
        &self.item().class
    }

    /// The path of the model, or None.
    #[getter]
    fn model(&self) -> Option<&str> {
        self.item().model.as_deref()
    }

    /// The keys of the entity with their values.
    #[getter]
    fn properties<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        to_dict(py, &self.item().properties)
    }

    /// The connections to other entities, each as a dict.
    #[getter]
    fn connections<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyDict>>> {
        let describe = |connection: &scene::Connection| {
            let fields = PyDict::new(py);
            fields.set_item("output", &connection.output)?;
            fields.set_item("target", &connection.target)?;
            fields.set_item("input", &connection.input)?;
            fields.set_item("parameter", &connection.parameter)?;
            fields.set_item("delay", connection.delay)?;
            fields.set_item("times", connection.times)?;
            Ok(fields)
        };
        self.item().connections.iter().map(describe).collect()
    }

    fn __repr__(&self) -> String {
        format!("<Entity {}>", self.class_name())
    }
}

#[pymethods]
impl Material {
    /// The name.
    #[getter]
    fn name(&self) -> &str {
        &self.item().name
    }

    /// The path in the files of the game, or None.
    #[getter]
    fn reference(&self) -> Option<&str> {
        self.item().reference.as_deref()
    }

    /// Red, green, blue and opacity, 0 to 1.
    #[getter]
    fn base_color(&self) -> [f64; 4] {
        self.item().base_color
    }

    /// The metalness: 0 for dielectrics, 1 for metals.
    #[getter]
    fn metallic(&self) -> f64 {
        self.item().metallic
    }

    /// The roughness: 0 for mirrors, 1 for chalk.
    #[getter]
    fn roughness(&self) -> f64 {
        self.item().roughness
    }

    /// The emitted light: red, green and blue.
    #[getter]
    fn emissive(&self) -> [f64; 3] {
        let [red, green, blue, _] = self.item().emissive;
        [red, green, blue]
    }

    /// The use of opacity: opaque, mask or blend.
    #[getter]
    fn alpha(&self) -> &'static str {
        match self.item().alpha {
            AlphaMode::Opaque => "opaque",
            AlphaMode::Mask(_) => "mask",
            AlphaMode::Blend => "blend",
        }
    }

    /// The opacity below which a surface with `alpha` mask is invisible, or None.
    #[getter]
    fn alpha_cutoff(&self) -> Option<f64> {
        match self.item().alpha {
            AlphaMode::Mask(cutoff) => Some(cutoff),
            _ => None,
        }
    }

    /// True if games do not draw faces with this material: those of triggers, clip brushes, skies and so on.
    #[getter]
    fn is_tool(&self) -> bool {
        self.item().is_tool
    }

    /// True if vertex colours multiply the colour.
    #[getter]
    fn uses_vertex_colors(&self) -> bool {
        self.item().vertex_colors == scene::VertexColors::Multiply
    }

    /// The textures, each as a dict: `usage`, `image` (an index into `Scene.images`), `uv_set`, `wrap` along u and v, and `strength`.
    #[getter]
    fn textures<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyDict>>> {
        let describe = |slot: &scene::TextureSlot| {
            let fields = PyDict::new(py);
            fields.set_item("usage", usage_name(&slot.usage))?;
            fields.set_item("image", slot.image.index())?;
            fields.set_item("uv_set", slot.uv_set)?;
            fields.set_item("wrap", slot.wrap.map(wrap_name))?;
            fields.set_item("strength", slot.strength)?;
            Ok(fields)
        };
        self.item().textures.iter().map(describe).collect()
    }

    /// True if faces are visible from behind.
    #[getter]
    fn double_sided(&self) -> bool {
        self.item().double_sided
    }

    /// The index of the image of the colour, or None.
    #[getter]
    fn base_color_image(&self) -> Option<usize> {
        self.item().texture(&TextureUsage::BaseColor).map(|texture| texture.image.index())
    }

    /// Other data of the file.
    #[getter]
    fn properties<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        to_dict(py, &self.item().properties)
    }

    fn __repr__(&self) -> String {
        format!("<Material {:?}>", self.name())
    }
}

fn usage_name(usage: &TextureUsage) -> &str {
    match usage {
        TextureUsage::BaseColor => "base_color",
        TextureUsage::Normal => "normal",
        TextureUsage::Bump => "bump",
        TextureUsage::Metallic => "metallic",
        TextureUsage::Roughness => "roughness",
        TextureUsage::MetallicRoughness => "metallic_roughness",
        TextureUsage::Occlusion => "occlusion",
        TextureUsage::Emission => "emission",
        TextureUsage::Gloss => "gloss",
        TextureUsage::Opacity => "opacity",
        TextureUsage::Other(name) => name,
    }
}

const fn wrap_name(wrap: Wrap) -> &'static str {
    match wrap {
        Wrap::Repeat => "repeat",
        Wrap::Mirror => "mirror",
        Wrap::Clamp => "clamp",
    }
}

#[pymethods]
impl Image {
    /// The name; may be empty and may repeat.
    #[getter]
    fn name(&self) -> &str {
        &self.item().name
    }

    /// The path that the source stores for an image in another file, or None.
    #[getter]
    fn path(&self) -> Option<&str> {
        match &self.item().source {
            ImageSource::External { path } => Some(path),
            _ => None,
        }
    }

    /// The media type and the bytes of an image file, or None.
    #[getter]
    fn file<'py>(&self, py: Python<'py>) -> Option<(&str, Bound<'py, PyBytes>)> {
        match &self.item().source {
            ImageSource::Encoded { media_type, data } => Some((media_type, PyBytes::new(py, data))),
            _ => None,
        }
    }

    /// The pixels of an image without a file: shape (height, width, channels). None for others.
    #[getter]
    fn pixels<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        let ImageSource::Pixels(pixels) = &self.item().source else { return Ok(None) };
        let shape = vec![pixels.height as usize, pixels.width as usize, pixels.format.channels()];
        view_of(py, &self.import, &pixels.data, shape).map(Some)
    }

    fn __repr__(&self) -> String {
        format!("<Image {:?}>", self.name())
    }
}

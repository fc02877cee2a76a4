//! Scenes from arrays. The library checks all arrays.

use mapwright::Format;
use mapwright::scene::build::{BuildError, BuildErrorKind, MeshArrays, NodeArrays, Rows, SceneArrays};
use mapwright::scene::{
    self, AlphaMode, ColorSpace, Content, ImageId, ImageSource, Import, IntensityUnit, LightKind, Losses, TextureSlot,
    TextureUsage, Transform, UvOrigin, Value,
};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;

use crate::error::raise;
use crate::scene::{Scene, Source};

/// A mesh, as `mapwright._builder` prepares it: arrays are lists of bytes in the order of the processor.
#[derive(FromPyObject)]
pub(crate) struct MeshData {
    name: String,
    positions: PyBackedBytes,
    face_sizes: PyBackedBytes,
    corners: PyBackedBytes,
    face_materials: PyBackedBytes,
    uv_sets: Vec<(String, PyBackedBytes, Option<PyBackedBytes>)>,
    uv_origin: String,
    color_sets: Vec<(String, PyBackedBytes, Option<PyBackedBytes>)>,
    normals: Option<(PyBackedBytes, Option<PyBackedBytes>)>,
}

/// A node.
#[derive(FromPyObject)]
pub(crate) struct NodeData {
    name: String,
    parent: Option<u32>,
    mesh: Option<u32>,
    matrix: Option<[[f64; 4]; 4]>,
    light: Option<LightData>,
    entity: Option<EntityData>,
}

/// The light of a node.
#[derive(FromPyObject)]
pub(crate) struct LightData {
    kind: String,
    color: [f64; 3],
    intensity: f64,
    unit: String,
    range: Option<f64>,
    cone: [f64; 2],
}

/// The entity of a node.
#[derive(FromPyObject)]
pub(crate) struct EntityData {
    class_name: String,
    model: Option<String>,
    properties: Vec<(String, PropertyData)>,
}

/// The value of a property. A Boolean is a whole number, too, so it comes first.
#[derive(FromPyObject)]
pub(crate) enum PropertyData {
    Bool(bool),
    Int(i64),
    Float(f64),
    Text(String),
    List(Vec<PropertyData>),
}

impl From<PropertyData> for Value {
    fn from(value: PropertyData) -> Self {
        match value {
            PropertyData::Bool(flag) => Self::Bool(flag),
            PropertyData::Int(number) => Self::Int(number),
            PropertyData::Float(number) => Self::Float(number),
            PropertyData::Text(text) => Self::Text(text),
            PropertyData::List(values) => Self::List(values.into_iter().map(Self::from).collect()),
        }
    }
}

/// A material.
#[derive(FromPyObject)]
pub(crate) struct MaterialData {
    name: String,
    reference: Option<String>,
    base_color: [f64; 4],
    metallic: f64,
    roughness: f64,
    emissive: [f64; 3],
    double_sided: bool,
    alpha: String,
    base_color_image: Option<usize>,
}

/// An image file.
#[derive(FromPyObject)]
pub(crate) struct ImageData {
    name: String,
    media_type: String,
    data: PyBackedBytes,
}

/// Numbers of a mesh in memory that is aligned for them.
struct MeshNumbers {
    positions: Vec<f64>,
    face_sizes: Vec<u32>,
    corners: Vec<u32>,
    face_materials: Vec<u32>,
    uv_sets: Vec<(Vec<f64>, Option<Vec<u32>>)>,
    color_sets: Vec<(Vec<f64>, Option<Vec<u32>>)>,
    normals: Option<(Vec<f64>, Option<Vec<u32>>)>,
}

fn floats(bytes: &[u8]) -> Vec<f64> {
    bytes.as_chunks().0.iter().map(|number| f64::from_ne_bytes(*number)).collect()
}

fn indices(bytes: &[u8]) -> Vec<u32> {
    bytes.as_chunks().0.iter().map(|number| u32::from_ne_bytes(*number)).collect()
}

impl MeshNumbers {
    fn read(mesh: &MeshData) -> Self {
        type Column = (Vec<f64>, Option<Vec<u32>>);
        let column =
            |values: &[u8], rows: &Option<PyBackedBytes>| -> Column { (floats(values), rows.as_deref().map(indices)) };
        Self {
            positions: floats(&mesh.positions),
            face_sizes: indices(&mesh.face_sizes),
            corners: indices(&mesh.corners),
            face_materials: indices(&mesh.face_materials),
            uv_sets: mesh.uv_sets.iter().map(|(_, values, rows)| column(values, rows)).collect(),
            color_sets: mesh.color_sets.iter().map(|(_, values, rows)| column(values, rows)).collect(),
            normals: mesh.normals.as_ref().map(|(values, rows)| column(values, rows)),
        }
    }
}

fn rows((values, indices): &(Vec<f64>, Option<Vec<u32>>)) -> Rows<'_> {
    Rows { values, indices: indices.as_deref() }
}

fn choice<T: Copy>(option: &str, name: &str, choices: &[(&str, T)]) -> PyResult<T> {
    choices.iter().find(|(choice, _)| *choice == name).map(|(_, value)| *value).ok_or_else(|| {
        let names: Vec<&str> = choices.iter().map(|(name, _)| *name).collect();
        PyValueError::new_err(format!("invalid {option} {name:?}: expected one of {}", names.join(", ")))
    })
}

fn uv_origin(name: &str) -> PyResult<UvOrigin> {
    choice("uv_origin", name, &[("top_left", UvOrigin::TopLeft), ("lower_left", UvOrigin::LowerLeft)])
}

fn material(data: &MaterialData) -> PyResult<scene::Material> {
    let [red, green, blue] = data.emissive;
    let mut material = scene::Material::new(&data.name);
    material.reference.clone_from(&data.reference);
    material.base_color = data.base_color;
    (material.metallic, material.roughness) = (data.metallic, data.roughness);
    material.emissive = [red, green, blue, 1.0];
    material.double_sided = data.double_sided;
    let modes = [("opaque", AlphaMode::Opaque), ("mask", AlphaMode::Mask(0.5)), ("blend", AlphaMode::Blend)];
    material.alpha = choice("alpha", &data.alpha, &modes)?;
    Ok(material)
}

fn light(data: &LightData) -> PyResult<scene::Light> {
    let [inner, outer] = data.cone;
    let kinds = [
        ("ambient", LightKind::Ambient),
        ("directional", LightKind::Directional),
        ("point", LightKind::Point),
        ("spot", LightKind::Spot { inner, outer, exponent: 0.0 }),
    ];
    let kind = kinds.iter().find(|(name, _)| *name == data.kind).map(|(_, kind)| kind.clone());
    let kind = kind.ok_or_else(|| {
        let names = kinds.map(|(name, _)| name).join(", ");
        PyValueError::new_err(format!("invalid kind {:?} of a light: expected one of {names}", data.kind))
    })?;
    let units = [("relative", IntensityUnit::Relative), ("photometric", IntensityUnit::Photometric)];
    let unit = choice("unit", &data.unit, &units)?;
    let [red, green, blue] = data.color;
    let (color, intensity, range) = ([red, green, blue, 1.0], data.intensity, data.range);
    Ok(scene::Light { kind, color, intensity, unit, range, ..scene::Light::default() })
}

/// Adds the images, and refers to them from the materials.
fn add_images(scene: &mut scene::Scene, images: Vec<ImageData>, uses: &[Option<usize>]) -> PyResult<()> {
    let ids: Vec<ImageId> = images
        .into_iter()
        .map(|image| {
            let source = ImageSource::Encoded { media_type: image.media_type, data: image.data.to_vec() };
            scene.images.push(scene::Image { name: image.name, source })
        })
        .collect();
    for (index, ((_, material), image)) in scene.materials.iter_mut().zip(uses).enumerate() {
        let Some(image) = image else { continue };
        let id = ids.get(*image).ok_or_else(|| {
            let count = ids.len();
            PyValueError::new_err(format!("materials[{index}]: image index {image} out of range ({count} images)"))
        })?;
        material.textures.push(TextureSlot::new(TextureUsage::BaseColor, *id));
    }
    Ok(())
}

/// Gives the nodes without a mesh their lights and entities.
fn add_objects(scene: &mut scene::Scene, objects: Vec<(Option<LightData>, Option<EntityData>)>) -> PyResult<()> {
    for (index, (id, objects)) in scene.nodes.ids().zip(objects).enumerate() {
        let content = match objects {
            (None, None) => continue,
            (Some(data), None) => Content::Light(scene.lights.push(light(&data)?)),
            (None, Some(EntityData { class_name, model, properties })) => {
                let properties = properties.into_iter().collect();
                let entity = scene::Entity { class: class_name, model, properties, connections: Vec::new() };
                Content::Entity(scene.entities.push(entity))
            }
            (Some(_), Some(_)) => return Err(two_contents(index)),
        };
        match scene.nodes.get_mut(id) {
            Some(node) if node.content == Content::Group => node.content = content,
            _ => return Err(two_contents(index)),
        }
    }
    Ok(())
}

fn two_contents(index: usize) -> PyErr {
    PyValueError::new_err(format!("nodes[{index}]: expected at most one of mesh, light and entity"))
}

/// Builds a scene from arrays that `mapwright._builder` has prepared.
#[pyfunction]
#[allow(clippy::too_many_arguments, reason = "the arguments of the function in Python")]
pub(crate) fn build_scene(
    py: Python<'_>,
    name: &str,
    metres_per_unit: Option<f64>,
    color_space: &str,
    materials: Vec<MaterialData>,
    meshes: Vec<MeshData>,
    mut nodes: Vec<NodeData>,
    images: Vec<ImageData>,
) -> PyResult<Scene> {
    let color_space =
        choice("color_space", color_space, &[("srgb", ColorSpace::Srgb), ("linear", ColorSpace::Linear)])?;
    let uses: Vec<Option<usize>> = materials.iter().map(|material| material.base_color_image).collect();
    let objects = nodes.iter_mut().map(|node| (node.light.take(), node.entity.take())).collect();
    let materials = materials.iter().map(material).collect::<PyResult<_>>()?;
    let origins = meshes.iter().map(|mesh| uv_origin(&mesh.uv_origin)).collect::<PyResult<Vec<_>>>()?;
    let build = || {
        let numbers: Vec<MeshNumbers> = meshes.iter().map(MeshNumbers::read).collect();
        let arrays = meshes.iter().zip(&numbers).zip(origins).map(|((data, numbers), uv_origin)| MeshArrays {
            name: &data.name,
            positions: &numbers.positions,
            face_sizes: &numbers.face_sizes,
            corners: &numbers.corners,
            face_materials: &numbers.face_materials,
            uv_sets: data.uv_sets.iter().map(|set| set.0.as_str()).zip(numbers.uv_sets.iter().map(rows)).collect(),
            uv_origin,
            color_sets: data
                .color_sets
                .iter()
                .map(|set| set.0.as_str())
                .zip(numbers.color_sets.iter().map(rows))
                .collect(),
            normals: numbers.normals.as_ref().map(rows),
        });
        let nodes = nodes.iter().map(|node| NodeArrays {
            name: &node.name,
            parent: node.parent,
            // Scenes store columns.
            transform: node.matrix.map(|rows| Transform::Matrix(transpose(&rows))),
            mesh: node.mesh,
        });
        let (meshes, nodes) = (arrays.collect(), nodes.collect());
        scene::Scene::from_arrays(&SceneArrays { name, metres_per_unit, color_space, materials, meshes, nodes })
    };
    let mut scene = py.detach(build).map_err(|error| raise(py, error.into(), None))?;
    add_images(&mut scene, images, &uses)?;
    add_objects(&mut scene, objects)?;
    // The numbers of lights are not checked yet.
    if let Some(error) = scene.first_error() {
        let error = BuildError::on_path(BuildErrorKind::Value(error.message), error.path);
        return Err(raise(py, error.into(), None));
    }
    let source = Source { format: Format::Glb, read: Vec::new(), has_shading: true, is_untrusted: false };
    Ok(Scene::new(Import { scene, losses: Losses::new() }, source))
}

fn transpose(rows: &[[f64; 4]; 4]) -> [[f64; 4]; 4] {
    std::array::from_fn(|column| std::array::from_fn(|row| rows[row][column]))
}

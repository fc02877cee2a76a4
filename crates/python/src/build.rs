//! Scenes from arrays. The library checks all arrays.

use mapwright::Format;
use mapwright::scene::build::{MeshArrays, NodeArrays, Rows, SceneArrays};
use mapwright::scene::{self, AlphaMode, ColorSpace, Import, Losses, Transform, UvOrigin};
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

/// Builds a scene from arrays that `mapwright._builder` has prepared.
#[pyfunction]
pub(crate) fn build_scene(
    py: Python<'_>,
    name: &str,
    metres_per_unit: Option<f64>,
    color_space: &str,
    materials: Vec<MaterialData>,
    meshes: Vec<MeshData>,
    nodes: Vec<NodeData>,
) -> PyResult<Scene> {
    let color_space =
        choice("color_space", color_space, &[("srgb", ColorSpace::Srgb), ("linear", ColorSpace::Linear)])?;
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
    let scene = py.detach(build).map_err(|error| raise(py, error.into(), None))?;
    let source = Source { format: Format::Glb, read: Vec::new(), has_shading: true, is_untrusted: false };
    Ok(Scene::new(Import { scene, losses: Losses::new() }, source))
}

fn transpose(rows: &[[f64; 4]; 4]) -> [[f64; 4]; 4] {
    std::array::from_fn(|column| std::array::from_fn(|row| rows[row][column]))
}

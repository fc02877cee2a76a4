//! A scene of a format for interchange.

use std::collections::BTreeMap;

use mapwright_scene::{Content, Scene, Visit};
use serde::Serialize;

use super::{MaterialUse, union};
use crate::Contents;

/// What a scene holds.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SceneInfo {
    /// How much of each.
    pub totals: Contents,
    /// Smallest and largest coordinates of all objects, in the space of the scene.
    pub bounds: Option<[[f64; 3]; 2]>,
    /// The nodes that show a mesh, in the order of the file.
    pub objects: Vec<SceneObject>,
    /// The materials in the order of the file.
    pub materials: Vec<SceneMaterial>,
}

/// A node that shows a mesh.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SceneObject {
    /// The name.
    pub name: String,
    /// Vertices.
    pub vertices: usize,
    /// Faces.
    pub faces: usize,
    /// Materials with the numbers of their faces; faces without a material are not counted.
    pub materials: Vec<MaterialUse>,
    /// Sets of texture coordinates.
    pub uv_sets: usize,
    /// Sets of colours.
    pub color_sets: usize,
    /// Whether it and all above it are shown.
    pub visible: bool,
    /// Smallest and largest coordinates, in the space of the scene.
    pub bounds: Option<[[f64; 3]; 2]>,
}

/// A material.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SceneMaterial {
    /// The name.
    pub name: String,
    /// Red, green, blue and opacity, in the colours of the file.
    pub base_color: [f64; 4],
    /// 0 for what is no metal, 1 for metal.
    pub metallic: f64,
    /// 0 for a mirror, 1 for chalk.
    pub roughness: f64,
    /// Textures.
    pub textures: usize,
}

impl SceneInfo {
    pub(crate) fn new(scene: &Scene) -> Self {
        let objects: Vec<SceneObject> = scene.walk().filter_map(|visit| SceneObject::new(scene, &visit)).collect();
        let materials = scene.materials.items().iter().map(|material| SceneMaterial {
            name: material.name.clone(),
            base_color: material.base_color,
            metallic: material.metallic,
            roughness: material.roughness,
            textures: material.textures.len(),
        });
        Self {
            totals: Contents::of(scene),
            bounds: objects.iter().filter_map(|object| object.bounds).reduce(union),
            materials: materials.collect(),
            objects,
        }
    }
}

impl SceneObject {
    fn new(scene: &Scene, visit: &Visit<'_>) -> Option<Self> {
        let Content::Mesh(id) = visit.node.content else { return None };
        let mesh = scene.meshes.get(id)?;
        let mut used = BTreeMap::new();
        for &id in mesh.face_materials.iter().flatten() {
            *used.entry(id).or_insert(0) += 1;
        }
        let name = |id| scene.materials.get(id).map(|material| material.name.clone()).unwrap_or_default();
        Some(Self {
            name: visit.node.name.clone(),
            vertices: mesh.positions.len(),
            faces: mesh.faces.len(),
            materials: used.into_iter().map(|(id, faces)| MaterialUse { name: name(id), faces }).collect(),
            uv_sets: mesh.uv_sets.len(),
            color_sets: mesh.color_sets.len(),
            visible: visit.visible,
            bounds: mesh.positions.iter().map(|&point| [visit.world.point(point); 2]).reduce(union),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use mapwright_scene::{Mesh, Node, Transform};

    #[test]
    fn bounds_are_where_objects_stand() {
        let mut scene = Scene::default();
        let mesh = scene.meshes.push(Mesh { positions: vec![[0.0; 3], [1.0, 2.0, 3.0]], ..Mesh::default() });
        for x in [10.0, -10.0] {
            let (translation, rotation) = ([x, 0.0, 0.0], [0.0, 0.0, 0.0, 1.0]);
            let transform = Transform::Trs { translation, rotation, scale: [2.0; 3] };
            scene.add_node(None, Node { transform, ..Node::new("", Content::Mesh(mesh)) });
        }
        let info = SceneInfo::new(&scene);
        assert_eq!(info.objects[0].bounds, Some([[10.0, 0.0, 0.0], [12.0, 4.0, 6.0]]));
        assert_eq!(info.bounds, Some([[-10.0, 0.0, 0.0], [12.0, 4.0, 6.0]]));
    }
}

//! The summary of a scene.

use std::borrow::Cow;
use std::collections::BTreeMap;

use mapwright_scene::{AxisChange, Cell, Content, MaterialId, Mesh, MeshId, Model, Scene, TileSet, Transform, Visit};
use serde::Serialize;

use super::{MaterialUse, UseCount, union};
use crate::Contents;

/// A summary of a scene.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SceneInfo {
    /// The content by kind.
    pub totals: Contents,
    /// Smallest and largest coordinates of all objects and instances, in the axes of the file. For many instances of a large mesh, the
    /// box around its transformed bounding boxes.
    pub bounds: Option<[[f64; 3]; 2]>,
    /// Classes of entities, the most frequent first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub entities: Vec<UseCount>,
    /// Layers of tiles, in the order of the file.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub layers: Vec<SceneLayer>,
    /// The tile sets.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub tile_sets: Vec<SceneTileSet>,
    /// Materials of brushes with their number of sides, the most frequent first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub textures: Vec<UseCount>,
    /// The nodes with a mesh, in the order of the file.
    pub objects: Vec<SceneObject>,
    /// The materials in the order of the file.
    pub materials: Vec<SceneMaterial>,
}

/// A node with a mesh.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SceneObject {
    /// The name.
    pub name: String,
    /// Number of vertices.
    pub vertices: usize,
    /// Number of faces.
    pub faces: usize,
    /// Materials with their number of faces. Faces without a material are not counted.
    pub materials: Vec<MaterialUse>,
    /// Number of further materials that are not listed. The lists of all objects together are limited.
    #[serde(skip_serializing_if = "is_zero")]
    pub more_materials: usize,
    /// Number of sets of texture coordinates.
    pub uv_sets: usize,
    /// Number of sets of colours.
    pub color_sets: usize,
    /// `true` if the node and all its parents are visible.
    pub visible: bool,
    /// Smallest and largest coordinates, in the axes of the file; as for [`SceneInfo::bounds`].
    pub bounds: Option<[[f64; 3]; 2]>,
}

/// A layer of tiles.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SceneLayer {
    /// The name.
    pub name: String,
    /// Columns and rows.
    pub size: [u32; 2],
    /// Width and height of a cell.
    pub tile_size: [u32; 2],
    /// Number of cells with a tile.
    pub tiles: usize,
    /// `true` if the layer and all its parents are visible.
    pub visible: bool,
}

/// A tile set.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SceneTileSet {
    /// The name.
    pub name: String,
    /// Number of tiles.
    pub tiles: usize,
}

/// A material.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SceneMaterial {
    /// The name.
    pub name: String,
    /// Red, green, blue and opacity, in the colour space of the file.
    pub base_color: [f64; 4],
    /// 0 for other materials, 1 for metal.
    pub metallic: f64,
    /// 0 for a mirror, 1 for chalk.
    pub roughness: f64,
    /// Number of textures.
    pub textures: usize,
}

impl SceneInfo {
    /// Summarizes a scene whose file has axes that `axes` changes to those of scenes.
    pub fn new(scene: &Scene, axes: AxisChange) -> Self {
        let shapes = shapes(scene);
        let mut left = MAX_LISTED_BYTES;
        let object = |visit: Visit<'_>| SceneObject::new(scene, &visit, &shapes, &mut left);
        let mut objects: Vec<SceneObject> = scene.walk().filter_map(object).collect();
        let placed = scene.walk().filter(|visit| matches!(visit.node.content, Content::InstanceSet(_)));
        let placed = placed.flat_map(|visit| placements(scene, &visit));
        let instances = placed.filter_map(|(id, world)| shapes.get(id.index())?.bounds(&world)).reduce(union);
        let brushes = scene.walk().filter_map(|visit| brush_bounds(scene, &visit));
        let bounds = objects.iter().filter_map(|object| object.bounds).chain(instances).chain(brushes).reduce(union);
        let to_file = |corners: [[f64; 3]; 2]| {
            let [a, b] = corners.map(|corner| axes.inverse().apply(corner));
            union([a; 2], [b; 2])
        };
        objects.iter_mut().for_each(|object| object.bounds = object.bounds.map(to_file));
        let material_name = |id: &MaterialId| scene.materials.get(*id).map_or(String::new(), |it| it.name.clone());
        let sides = scene.brushes.items().iter().flat_map(|brush| &brush.sides).filter_map(|side| side.material);
        let classes = scene.walk().filter_map(|visit| match visit.node.content {
            Content::Entity(id) => scene.entities.get(id).map(|entity| entity.class.as_str()),
            _ => None,
        });
        let materials = scene.materials.items().iter().map(|material| SceneMaterial {
            name: material.name.clone(),
            base_color: material.base_color,
            metallic: material.metallic,
            roughness: material.roughness,
            textures: material.textures.len(),
        });
        Self {
            totals: Contents::from_scene(scene),
            bounds: bounds.map(to_file),
            entities: UseCount::count(classes, |class| (*class).to_owned()),
            layers: scene.walk().filter_map(|visit| SceneLayer::new(scene, &visit)).collect(),
            tile_sets: scene.tile_sets.items().iter().map(SceneTileSet::new).collect(),
            textures: UseCount::count(sides, material_name),
            materials: materials.collect(),
            objects,
        }
    }
}

impl SceneLayer {
    fn new(scene: &Scene, visit: &Visit<'_>) -> Option<Self> {
        let Content::TileLayer(id) = visit.node.content else { return None };
        let layer = scene.tile_layers.get(id)?;
        let is_tile = |word: &&u32| matches!(Cell::from_word(**word), Cell::Tile { .. });
        Some(Self {
            name: if layer.name.is_empty() { &visit.node.name } else { &layer.name }.clone(),
            size: layer.size,
            tile_size: layer.tile_size,
            tiles: layer.cells.iter().filter(is_tile).count(),
            visible: visit.visible,
        })
    }
}

impl SceneTileSet {
    fn new(set: &TileSet) -> Self {
        Self { name: set.name.clone(), tiles: set.tiles.len() }
    }
}

/// Returns the bounds of a brush. A brush without polygons has none.
fn brush_bounds(scene: &Scene, visit: &Visit<'_>) -> Option<[[f64; 3]; 2]> {
    let Content::Brush(id) = visit.node.content else { return None };
    let polygons = scene.brushes.get(id)?.polygons().ok()?;
    polygons.vertices.iter().map(|&point| [visit.world.point(point); 2]).reduce(union)
}

impl SceneObject {
    /// Summarizes a node if it has a mesh. Its list of materials takes at most the bytes that are `left`.
    fn new(scene: &Scene, visit: &Visit<'_>, shapes: &[Shape<'_>], left: &mut usize) -> Option<Self> {
        let Content::Mesh(id) = visit.node.content else { return None };
        let shape = shapes.get(id.index())?;
        let mesh = shape.mesh;
        let list = |&(id, faces): &(MaterialId, usize)| {
            let name = scene.materials.get(id).map(|material| material.name.as_str()).unwrap_or_default();
            *left = left.checked_sub(size_of::<MaterialUse>() + name.len())?;
            Some(MaterialUse { name: name.to_owned(), faces })
        };
        let materials: Vec<MaterialUse> = shape.materials.iter().map_while(list).collect();
        Some(Self {
            name: visit.node.name.clone(),
            vertices: mesh.positions.len(),
            faces: mesh.faces.len(),
            more_materials: shape.materials.len() - materials.len(),
            materials,
            uv_sets: mesh.uv_sets.len(),
            color_sets: mesh.color_sets.len(),
            visible: visit.visible,
            bounds: shape.bounds(&visit.world),
        })
    }
}

/// Maximum number of bytes of materials in the lists of all objects together. A node of a few bytes may have a mesh with thousands of
/// materials, or with a name as long as the file.
const MAX_LISTED_BYTES: usize = 1 << 24;

fn is_zero(number: &usize) -> bool {
    *number == 0
}

/// Maximum number of vertices that are transformed for the bounds of all nodes with the same mesh.
const MAX_TRANSFORMED: usize = 1 << 22;

/// The properties of a mesh that do not depend on the node.
struct Shape<'a> {
    mesh: &'a Mesh,
    /// Materials with their number of faces.
    materials: Vec<(MaterialId, usize)>,
    /// The vertices, or the corners of their bounding box if too many vertices are shown too often.
    points: Cow<'a, [[f64; 3]]>,
}

impl<'a> Shape<'a> {
    /// Summarizes a mesh that `nodes` nodes or instances show.
    fn new(mesh: &'a Mesh, nodes: usize) -> Self {
        let mut used = BTreeMap::new();
        for &id in mesh.face_materials.iter().flatten() {
            *used.entry(id).or_insert(0) += 1;
        }
        let mut points = Cow::Borrowed(&*mesh.positions);
        if mesh.positions.len().saturating_mul(nodes.saturating_sub(1)) > MAX_TRANSFORMED
            && let Some([[a, b, c], [d, e, f]]) = mesh.positions.iter().map(|&point| [point; 2]).reduce(union)
        {
            points =
                [a, d].into_iter().flat_map(|x| [[x, b], [x, e]]).flat_map(|[x, y]| [[x, y, c], [x, y, f]]).collect();
        }
        Self { mesh, materials: used.into_iter().collect(), points }
    }

    fn bounds(&self, world: &Transform) -> Option<[[f64; 3]; 2]> {
        self.points.iter().map(|&point| [world.point(point); 2]).reduce(union)
    }
}

/// Returns the shapes of all meshes.
fn shapes(scene: &Scene) -> Vec<Shape<'_>> {
    let mut shown = vec![0_usize; scene.meshes.len()];
    for (mesh, _) in scene.walk().flat_map(|visit| placements(scene, &visit)) {
        shown.get_mut(mesh.index()).into_iter().for_each(|count| *count += 1);
    }
    scene.meshes.items().iter().zip(shown).map(|(mesh, shown)| Shape::new(mesh, shown)).collect()
}

/// Returns the meshes of a node and of its instances, with their transforms in the space of the scene.
fn placements<'a>(scene: &'a Scene, visit: &Visit<'_>) -> impl Iterator<Item = (MeshId, Transform)> + use<'a> {
    let world = visit.world;
    let (own, set) = match visit.node.content {
        Content::Mesh(id) => (Some((id, world)), None),
        Content::InstanceSet(id) => (None, scene.instance_sets.get(id)),
        _ => (None, None),
    };
    let instances = set.into_iter().flat_map(move |set| {
        (0..set.model.len()).filter_map(move |instance| match set.model_of(instance)? {
            Model::Mesh(id) => Some((*id, world.compose(&set.transforms.get(instance)?))),
            Model::Reference(_) => None,
        })
    });
    own.into_iter().chain(instances)
}

#[cfg(test)]
mod tests {
    use super::*;
    use mapwright_scene::{InstanceSet, InstanceTransforms, Node};

    #[test]
    fn bounds_use_the_transforms_of_objects() {
        let mut scene = Scene::default();
        let mesh = scene.meshes.push(Mesh { positions: vec![[0.0; 3], [1.0, 2.0, 3.0]], ..Mesh::default() });
        for x in [10.0, -10.0] {
            let (translation, rotation) = ([x, 0.0, 0.0], [0.0, 0.0, 0.0, 1.0]);
            let transform = Transform::Trs { translation, rotation, scale: [2.0; 3] };
            scene.add_node(None, Node { transform, ..Node::new("", Content::Mesh(mesh)) });
        }
        let info = SceneInfo::new(&scene, AxisChange::NONE);
        assert_eq!(info.objects[0].bounds, Some([[10.0, 0.0, 0.0], [12.0, 4.0, 6.0]]));
        assert_eq!(info.bounds, Some([[-10.0, 0.0, 0.0], [12.0, 4.0, 6.0]]));
    }

    #[test]
    fn listed_materials_are_limited() {
        let mut scene = Scene::default();
        let name = "m".repeat(100_000);
        let material = scene.materials.push(mapwright_scene::Material { name, ..Default::default() });
        let mesh = Mesh { face_materials: vec![Some(material)], ..Mesh::default() };
        let mesh = scene.meshes.push(mesh);
        for _ in 0..10_000 {
            scene.add_node(None, Node::new("", Content::Mesh(mesh)));
        }
        let info = SceneInfo::new(&scene, AxisChange::NONE);
        let listed: usize = info.objects.iter().map(|object| object.materials.len()).sum();
        let more: usize = info.objects.iter().map(|object| object.more_materials).sum();
        assert_eq!(listed + more, 10_000);
        assert!((100..200).contains(&listed), "{listed}");
    }

    /// Points on a slope. Their rotated bounding box is larger than the bounding box of the rotated points.
    fn slope(points: usize) -> Mesh {
        Mesh { positions: (0..points).map(|i| [i as f64, i as f64, 0.0]).collect(), ..Mesh::default() }
    }

    /// One set of instances of a mesh and of a file. Some are rotated by an eighth turn about z, so that slopes become flat.
    fn forest(mesh: Mesh, turned: usize) -> SceneInfo {
        let mut scene = Scene::default();
        let mesh = scene.meshes.push(mesh);
        let turn = mapwright_io::math::sin_cos(std::f64::consts::PI / 8.0);
        let set = scene.instance_sets.push(InstanceSet {
            models: vec![Model::Reference("tree.p3d".into()), Model::Mesh(mesh)],
            model: [0, 1].into_iter().chain(vec![1; turned]).collect(),
            transforms: InstanceTransforms::Trs {
                translations: [[99.0; 3], [0.0, -5.0, 0.0]].into_iter().chain(vec![[0.0; 3]; turned]).collect(),
                rotations: [[0.0, 0.0, 0.0, 1.0]; 2]
                    .into_iter()
                    .chain(vec![[0.0, 0.0, -turn.0, turn.1]; turned])
                    .collect(),
                scales: vec![[1.0; 3]; 2 + turned],
            },
            ..InstanceSet::default()
        });
        let transform =
            Transform::Trs { translation: [0.0, 0.0, 7.0], rotation: [0.0, 0.0, 0.0, 1.0], scale: [2.0; 3] };
        scene.add_node(None, Node { transform, ..Node::new("", Content::InstanceSet(set)) });
        SceneInfo::new(&scene, AxisChange::NONE)
    }

    #[test]
    fn instances_are_counted() {
        let info = forest(slope(2), 1);
        assert_eq!((info.totals.instances, info.objects.len()), (3, 0));
        let [low, high] = info.bounds.unwrap();
        assert_eq!(low, [0.0, -10.0, 7.0]);
        assert!((high[0] - 8.0_f64.sqrt()).abs() < 1e-9 && high[1].abs() < 1e-9, "{high:?}");
    }

    #[test]
    fn many_instances_of_large_meshes_are_measured_by_their_boxes() {
        // Transforming all vertices of all instances would take minutes.
        let info = forest(slope(200_000), 200_000);
        let [low, high] = info.bounds.unwrap();
        assert!((high[0] - 2.0 * 2.0_f64.sqrt() * 199_999.0).abs() < 1e-3, "{high:?}");
        assert!((low[1] + 2.0_f64.sqrt() * 199_999.0).abs() < 1e-3, "{low:?}");
    }
}

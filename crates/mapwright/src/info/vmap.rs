//! A Source 2 map.

use std::collections::BTreeMap;

use mapwright_dmx::{ElementRef, Value};
use mapwright_vmap::{Document, NodeKind, Transform};
use serde::Serialize;

use super::{MaterialUse, UseCount, lossy, union};

/// What a Source 2 map holds.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct VmapInfo {
    /// The version of the map format: 16 to 40 are known.
    pub format_version: u32,
    /// The build of Hammer that wrote the map; 0 where the map does not say.
    pub editor_build: i32,
    /// What the map is for: `standard`, `skybox`, …
    pub usage: String,
    /// Whether it was saved as a prefab.
    pub is_prefab: bool,
    /// Sums over all nodes.
    pub totals: VmapTotals,
    /// Nodes by class, the most frequent first.
    pub nodes: Vec<UseCount>,
    /// Entities by class name, the most frequent first.
    pub entities: Vec<UseCount>,
    /// Materials of faces, in the order of their names.
    pub materials: Vec<MaterialUse>,
    /// Models that entities name, the most frequent first.
    pub models: Vec<UseCount>,
    /// Maps that prefabs load, the most frequent first.
    pub prefabs: Vec<UseCount>,
    /// Assets that the file lists itself.
    pub listed_assets: Vec<String>,
    /// The picture for asset browsers.
    pub thumbnail: Option<ThumbnailInfo>,
}

/// Sums over all nodes of a map.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize)]
pub struct VmapTotals {
    /// Nodes, the world included.
    pub nodes: usize,
    /// Entities, the world not included.
    pub entities: usize,
    /// Outputs that are connected to inputs.
    pub connections: usize,
    /// Meshes, overlays and tile meshes among them.
    pub meshes: usize,
    /// Vertices of all meshes.
    pub vertices: usize,
    /// Faces of all meshes.
    pub faces: usize,
    /// Nodes that are hidden.
    pub hidden: usize,
    /// Smallest and largest coordinates of all meshes, where they stand; those of instances are not followed.
    pub bounds: Option<[[f64; 3]; 2]>,
}

/// The picture of a map.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ThumbnailInfo {
    /// The format that the map states.
    pub format: String,
    /// Bytes.
    pub bytes: usize,
}

impl VmapInfo {
    pub(crate) fn new(map: &Document) -> Self {
        let mut totals = VmapTotals::default();
        let mut materials = BTreeMap::new();
        let (mut classes, mut entities, mut models, mut prefabs) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        for node in map.nodes().map(|visit| visit.node) {
            totals.nodes += 1;
            totals.connections += node.connections().count();
            classes.push(node.class());
            match node.kind() {
                NodeKind::Entity(entity) => entities.push(entity.classname()),
                NodeKind::Prefab(prefab) => prefabs.push(prefab.path()),
                _ => {}
            }
            models.extend(node.entity().and_then(|entity| entity.get("model")).filter(|model| !model.is_empty()));
            if let Some(data) = node.mesh().and_then(mapwright_vmap::MapMesh::data) {
                totals.add_mesh(data, &node.transform());
                count_materials(data, &mut materials);
            }
        }
        totals.entities = entities.len();
        totals.hidden = map.visibility().map_or(0, |visibility| visibility.hidden().count());
        let root = map.root();
        Self {
            format_version: map.format_version(),
            editor_build: root.map_or(0, mapwright_vmap::Root::editor_build),
            usage: map.world().map_or_else(String::new, |world| lossy(world.usage())),
            is_prefab: root.is_some_and(mapwright_vmap::Root::is_prefab),
            totals,
            nodes: UseCount::of(classes),
            entities: UseCount::of(entities),
            materials: materials.into_iter().map(|(name, faces)| MaterialUse { name: lossy(name), faces }).collect(),
            models: UseCount::of(models),
            prefabs: UseCount::of(prefabs),
            listed_assets: map.asset_references().map(lossy).collect(),
            thumbnail: map
                .thumbnail()
                .map(|picture| ThumbnailInfo { format: lossy(picture.format), bytes: picture.bytes.len() }),
        }
    }
}

impl VmapTotals {
    fn add_mesh(&mut self, data: ElementRef<'_>, transform: &Transform) {
        let length = |name: &str| data.get(name).and_then(Value::array_len).unwrap_or_default();
        self.meshes += 1;
        self.vertices += length("vertexEdgeIndices");
        self.faces += length("faceEdgeIndices");
        if let Some(Value::Vector3Array(positions)) = stream(data, "vertexData", "position:0") {
            let places = positions.iter().map(|point| [transform.apply(point.map(f64::from)); 2]);
            self.bounds = self.bounds.into_iter().chain(places).reduce(union);
        }
    }
}

/// The data of a stream of a mesh.
fn stream<'a>(data: ElementRef<'a>, array: &str, name: &str) -> Option<&'a Value> {
    data.child(array)?.children("streams").find(|stream| stream.name() == name.as_bytes())?.get("data")
}

fn count_materials<'a>(data: ElementRef<'a>, materials: &mut BTreeMap<&'a [u8], usize>) {
    let names: Vec<&[u8]> = data.texts("materials").collect();
    let Some(Value::IntArray(faces)) = stream(data, "faceData", "materialindex:0") else { return };
    for name in faces.iter().filter_map(|&index| names.get(usize::try_from(index).ok()?)) {
        *materials.entry(name).or_default() += 1;
    }
}

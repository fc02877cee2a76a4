//! The summary of a Source 2 map.

mod bounds;

use mapwright_vmap::{Asset, Document, Root};
use serde::Serialize;

use crate::formats::dmx::lossy;
use crate::info::UseCount;

/// A summary of a Source 2 map.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct VmapInfo {
    /// The version of the map format: 16 to 40 are known.
    pub format_version: u32,
    /// The build of Hammer that wrote the map; 0 if the map does not state it.
    pub editor_build: i32,
    /// The purpose of the map: `standard`, `skybox`, …
    pub usage: String,
    /// `true` if the map was saved as a prefab.
    pub is_prefab: bool,
    /// Sums over all nodes.
    pub totals: VmapTotals,
    /// Nodes by class, the most frequent first.
    pub nodes: Vec<UseCount>,
    /// Entities by class name, the most frequent first.
    pub entities: Vec<UseCount>,
    /// Assets that the map uses or lists, by kind and path.
    pub assets: Vec<AssetInfo>,
    /// The preview image for asset browsers.
    pub thumbnail: Option<ThumbnailInfo>,
}

/// Sums over all nodes of a map.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize)]
pub struct VmapTotals {
    /// Nodes, the world included.
    pub nodes: usize,
    /// Nodes with keys, the world not included.
    pub entities: usize,
    /// Outputs that are connected to inputs.
    pub outputs: usize,
    /// Meshes, overlays and tile meshes among them.
    pub meshes: usize,
    /// Vertices of all meshes.
    pub vertices: usize,
    /// Edges of all meshes.
    pub edges: usize,
    /// Faces of all meshes.
    pub faces: usize,
    /// Nodes that are hidden in Hammer.
    pub hidden: usize,
    /// Smallest and largest coordinates of all meshes. Meshes of an instanced group count at the instances, not at the group.
    pub bounds: Option<[[f64; 3]; 2]>,
    /// `true` if `bounds` covers only part of the instances, because they have more than about a million nodes.
    pub bounds_cut: bool,
}

/// An asset that a map uses or lists.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct AssetInfo {
    /// The path, relative to the content folder.
    pub path: String,
    /// `materials`, `models`, `maps`, …
    pub kind: &'static str,
    /// The number of uses in the map.
    pub uses: usize,
    /// `true` if the list in the prefix contains the asset.
    pub listed: bool,
}

/// The preview image of a map.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ThumbnailInfo {
    /// The format that the map states.
    pub format: String,
    /// Size in bytes.
    pub bytes: usize,
}

impl VmapInfo {
    /// Summarizes a map.
    pub fn new(map: &Document) -> Self {
        let census = map.census();
        let bounds = bounds::find_bounds(map);
        let totals = VmapTotals {
            nodes: census.nodes.values().sum(),
            entities: census.entities.values().sum(),
            outputs: census.outputs,
            meshes: census.meshes.meshes,
            vertices: census.meshes.vertices,
            edges: census.meshes.edges,
            faces: census.meshes.faces,
            hidden: census.hidden,
            bounds: bounds.all,
            bounds_cut: bounds.is_cut,
        };
        let root = map.root();
        let thumbnail = map.thumbnail();
        Self {
            format_version: map.format_version(),
            editor_build: root.map_or(0, Root::editor_build),
            usage: map.world().map_or_else(String::new, |world| lossy(world.usage())),
            is_prefab: root.is_some_and(Root::is_prefab),
            totals,
            nodes: UseCount::sorted(census.nodes, |class| lossy(class)),
            entities: UseCount::sorted(census.entities, |class| lossy(class)),
            assets: map.assets().iter().map(AssetInfo::new).collect(),
            thumbnail: thumbnail.map(|image| ThumbnailInfo { format: lossy(image.format), bytes: image.bytes.len() }),
        }
    }
}

impl AssetInfo {
    fn new(asset: &Asset<'_>) -> Self {
        Self { path: lossy(asset.path), kind: asset.kind.name(), uses: asset.uses.len(), listed: asset.listed }
    }
}

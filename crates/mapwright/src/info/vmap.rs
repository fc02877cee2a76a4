//! A Source 2 map.

mod bounds;

use mapwright_vmap::{Asset, Document, Root};
use serde::Serialize;

use super::{UseCount, lossy};

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
    /// What the map names or lists, by kind and path.
    pub assets: Vec<AssetInfo>,
    /// The picture for asset browsers.
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
    /// Nodes that Hammer does not show.
    pub hidden: usize,
    /// Smallest and largest coordinates of all meshes, where they stand. What instances show counts there, and not where its
    /// definition stands.
    pub bounds: Option<[[f64; 3]; 2]>,
    /// Whether instances show more than `bounds` follows: about a million nodes.
    pub bounds_cut: bool,
}

/// An asset that a map names or lists.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct AssetInfo {
    /// The path, relative to the content folder.
    pub path: String,
    /// `materials`, `models`, `maps`, …
    pub kind: &'static str,
    /// How often the map names it.
    pub uses: usize,
    /// Whether the list in the prefix has it.
    pub listed: bool,
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
        let census = map.census();
        let bounds = bounds::of(map);
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
        let picture = map.thumbnail();
        Self {
            format_version: map.format_version(),
            editor_build: root.map_or(0, Root::editor_build),
            usage: map.world().map_or_else(String::new, |world| lossy(world.usage())),
            is_prefab: root.is_some_and(Root::is_prefab),
            totals,
            nodes: UseCount::sorted(census.nodes, |class| lossy(class)),
            entities: UseCount::sorted(census.entities, |class| lossy(class)),
            assets: map.assets().iter().map(AssetInfo::new).collect(),
            thumbnail: picture
                .map(|picture| ThumbnailInfo { format: lossy(picture.format), bytes: picture.bytes.len() }),
        }
    }
}

impl AssetInfo {
    fn new(asset: &Asset<'_>) -> Self {
        Self { path: lossy(asset.path), kind: asset.kind.name(), uses: asset.uses.len(), listed: asset.listed }
    }
}

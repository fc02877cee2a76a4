//! The root, the world, cameras and the prefix.

use mapwright_dmx::{ElementRef, StringId, Value};

use super::Document;
use super::entity::Entity;
use super::node::Node;
use super::value::{FromAttribute, node_view, view};

view! {
    /// The root of a map: settings of the whole file and of the editor.
    Root {
        /// `true` if the map was saved as a prefab. Default: `false`. Hammer always writes `false`, even for maps that are used as prefabs.
        is_prefab: bool = "isprefab", false;
        /// Build of Hammer that wrote the map. Default: 0.
        editor_build: i32 = "editorbuild", 0;
        /// Version of the editor. Default: 400. Observed value: 400.
        editor_version: i32 = "editorversion", 400;
        /// `true` if the grid is visible. Default: `true`.
        show_grid: bool = "showgrid", true;
        /// `true` if the grid is visible in 3D views. Default: `true`.
        show_3d_grid: bool = "show3dgrid", true;
        /// Step of rotations in degrees. Default: 15. An integer up to format 29 and since 35.
        snap_rotation: f64 = "snaprotationangle", 15.0;
        /// Step of movements in units. Default: 64.
        grid_spacing: f64 = "gridspacing", 64.0;
        /// Path of an item file. Default: empty, as in all known maps. Since format 28.
        item_file: &'a [u8] = "itemFile", b"";
        /// `true` if the cordon tool is active. Default: `false`.
        is_cordoning: bool = "m_bIsCordoning", false;
        /// `true` if cordons are visible. Default: `false`.
        cordons_visible: bool = "m_bCordonsVisible", false;
    }
}

view! {
    /// A camera of the editor.
    Camera {
        /// Position in the world.
        position: [f32; 3] = "position", [0.0; 3];
        /// Point that the camera looks at.
        look_at: [f32; 3] = "lookat", [0.0; 3];
    }
}

impl<'a> Root<'a> {
    /// Returns the camera of the 3D view.
    pub fn default_camera(self) -> Option<Camera<'a>> {
        self.0.child("defaultcamera").map(Camera)
    }

    /// Returns the cameras that the user placed. No known map has any.
    pub fn cameras(self) -> impl Iterator<Item = Camera<'a>> {
        self.0.child("3dcameras").into_iter().flat_map(|cameras| cameras.children("cameras")).map(Camera)
    }

    /// Returns the index of the active camera (−1: none).
    pub fn active_camera(self) -> i32 {
        self.0.child("3dcameras").and_then(|cameras| cameras.int("activecamera")).unwrap_or(-1)
    }

    /// Returns the snapshots of referenced meshes. No known map has any.
    pub fn referenced_mesh_snapshots(self) -> impl Iterator<Item = ElementRef<'a>> {
        self.0.children("m_ReferencedMeshSnapshots")
    }

    /// Returns the baked preview lighting of nodes.
    pub fn instance_data(self) -> impl Iterator<Item = InstanceData<'a>> {
        self.0.children("nodeInstanceData").map(InstanceData)
    }
}

node_view! {
    /// The world: the root of all nodes. It becomes the entity `worldspawn`.
    World {
        /// Number of the next decal. Default: 0.
        next_decal: i32 = "nextDecalID", 0;
        /// `true` if names of entities are made unique when the map is a prefab. Default: `true`.
        fixup_entity_names: bool = "fixupEntityNames", true;
        /// Purpose of the map: `standard` (default), `skybox`, `background`, `minigame`, `sharedenvironment`. Since format 28.
        usage: &'a [u8] = "mapUsageType", b"standard";
        /// Scene of s&box as JSON. Default: empty. This crate does not parse it.
        scene_json: &'a [u8] = "SerializedScene", b"";
    }
}

impl<'a> World<'a> {
    /// Returns the key values of `worldspawn`.
    pub fn entity(self) -> Option<Entity<'a>> {
        self.node().entity()
    }
}

view! {
    /// Baked preview lighting of a node's vertices.
    InstanceData {
        /// Colour of each vertex.
        colors: &'a [[u8; 4]] = "vertexLightingData", &[];
        /// Positions; mostly empty.
        positions: &'a [[f32; 3]] = "vertexLightingPositions", &[];
    }
}

impl<'a> InstanceData<'a> {
    /// Returns the path of the node: the numbers of the prefabs and instances around it, then its own, such as `2.3`.
    pub fn node_path(self) -> &'a [u8] {
        self.0.name()
    }
}

/// The preview image of a map for asset browsers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Thumbnail<'a> {
    /// Content of the image file.
    pub bytes: &'a [u8],
    /// Stated format. Observed value: `jpg`.
    pub format: &'a [u8],
}

impl Document {
    /// Returns the root; `None` in a graph without elements, which cannot be read or written.
    pub fn root(&self) -> Option<Root<'_>> {
        self.graph().root().map(Root)
    }

    /// Returns the world.
    pub fn world(&self) -> Option<World<'_>> {
        self.root()?.0.child("world").map(World)
    }

    /// Returns the version of the map format. 16 to 40 are known.
    pub fn format_version(&self) -> u32 {
        self.graph().header.format_version
    }

    /// Returns the preview image for asset browsers.
    pub fn thumbnail(&self) -> Option<Thumbnail<'_>> {
        let Some(Value::Binary(bytes)) = self.graph().prefix_value("asset_preview_thumbnail") else { return None };
        let format = match self.graph().prefix_value("asset_preview_thumbnail_format") {
            Some(Value::String(format)) => self.graph().string(*format),
            _ => &[],
        };
        Some(Thumbnail { bytes, format })
    }

    /// Returns the assets that the prefix lists. Hammer's lists are incomplete; [`assets`](Self::assets) also searches the graph.
    pub fn asset_references(&self) -> impl ExactSizeIterator<Item = &[u8]> {
        self.asset_ids().iter().map(|id| self.graph().string(*id))
    }

    pub(super) fn asset_ids(&self) -> &[StringId] {
        match self.graph().prefix_value("map_asset_references") {
            Some(Value::StringArray(ids)) => ids,
            _ => &[],
        }
    }
}

/// Returns the first element that one of these attributes of the root refers to.
pub(super) fn root_child<'a>(document: &'a Document, names: &[&str]) -> Option<ElementRef<'a>> {
    let root = document.graph().root()?;
    names.iter().find_map(|name| root.child(name))
}

/// Returns an array of integers; empty if it is missing.
pub(super) fn ints<'a>(element: ElementRef<'a>, name: &str) -> &'a [i32] {
    FromAttribute::read(element, name).unwrap_or_default()
}

impl<'a> From<World<'a>> for Node<'a> {
    fn from(world: World<'a>) -> Self {
        world.node()
    }
}

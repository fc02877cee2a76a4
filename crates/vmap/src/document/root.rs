//! The root, the world, cameras, the prefix.

use mapwright_dmx::{ElementRef, StringId, Value};

use super::Document;
use super::entity::Entity;
use super::node::Node;
use super::value::{FromAttribute, Texts, node_view, view};

view! {
    /// The root of a map: what concerns the whole file and the editor.
    Root {
        /// Whether the map was saved as a prefab (no). No in all maps that Hammer wrote, also where they are used as prefabs.
        is_prefab: bool = "isprefab", false;
        /// The build of Hammer that wrote the map (0).
        editor_build: i32 = "editorbuild", 0;
        /// 400 in every map.
        editor_version: i32 = "editorversion", 400;
        /// Whether the grid is shown (yes).
        show_grid: bool = "showgrid", true;
        /// Whether the grid is shown in 3D views (yes).
        show_3d_grid: bool = "show3dgrid", true;
        /// Degrees to which turning snaps (15). Whole up to format 29 and from 35 on.
        snap_rotation: f64 = "snaprotationangle", 15.0;
        /// Units to which moving snaps (64).
        grid_spacing: f64 = "gridspacing", 64.0;
        /// Whether the cordon tool is active (no).
        is_cordoning: bool = "m_bIsCordoning", false;
        /// Whether cordons are shown (no).
        cordons_visible: bool = "m_bCordonsVisible", false;
    }
}

view! {
    /// A place to look from.
    Camera {
        /// Where it stands, in the world.
        position: [f32; 3] = "position", [0.0; 3];
        /// A point on its line of sight.
        look_at: [f32; 3] = "lookat", [0.0; 3];
    }
}

impl<'a> Root<'a> {
    /// The camera of the 3D view.
    pub fn default_camera(self) -> Option<Camera<'a>> {
        self.0.child("defaultcamera").map(Camera)
    }

    /// The cameras that the user placed. None in every map seen.
    pub fn cameras(self) -> impl Iterator<Item = Camera<'a>> {
        self.0.child("3dcameras").into_iter().flat_map(|cameras| cameras.children("cameras")).map(Camera)
    }

    /// Which of them is active (−1: none).
    pub fn active_camera(self) -> i32 {
        self.0.child("3dcameras").and_then(|cameras| cameras.int("activecamera")).unwrap_or(-1)
    }

    /// The baked preview lighting of nodes.
    pub fn instance_data(self) -> impl Iterator<Item = InstanceData<'a>> {
        self.0.children("nodeInstanceData").map(InstanceData)
    }
}

node_view! {
    /// The world: the node above all others, which becomes the entity `worldspawn`.
    World {
        /// The number of the next decal (0).
        next_decal: i32 = "nextDecalID", 0;
        /// Whether names of entities are made unique where the map is a prefab (yes).
        fixup_entity_names: bool = "fixupEntityNames", true;
        /// What the map is for (standard): `standard`, `skybox`, `background`, `minigame`, `sharedenvironment`. Format 28 on.
        usage: &'a [u8] = "mapUsageType", b"standard";
        /// The scene of s&box as JSON (empty). The text is not looked into.
        scene_json: &'a [u8] = "SerializedScene", b"";
    }
}

impl<'a> World<'a> {
    /// The key values of `worldspawn`.
    pub fn entity(self) -> Option<Entity<'a>> {
        self.node().entity()
    }
}

view! {
    /// Preview lighting of a node's vertices.
    InstanceData {
        /// A colour per vertex.
        colors: &'a [[u8; 4]] = "vertexLightingData", &[];
        /// Positions, mostly none.
        positions: &'a [[f32; 3]] = "vertexLightingPositions", &[];
    }
}

impl<'a> InstanceData<'a> {
    /// Which node: its number, behind those of the prefabs and instances that it is in, as `2.3`.
    pub fn node_path(self) -> &'a [u8] {
        self.0.name()
    }
}

/// The picture of a map for asset browsers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Thumbnail<'a> {
    /// The image file.
    pub bytes: &'a [u8],
    /// The format that the map states: `jpg` in every map.
    pub format: &'a [u8],
}

impl Document {
    /// The root; `None` in a graph without elements, which cannot be read or written.
    pub fn root(&self) -> Option<Root<'_>> {
        self.graph().root().map(Root)
    }

    /// The world.
    pub fn world(&self) -> Option<World<'_>> {
        self.root()?.0.child("world").map(World)
    }

    /// The version of the map format: 16 to 40 are known.
    pub fn format_version(&self) -> u32 {
        self.graph().header.format_version
    }

    /// The picture for asset browsers.
    pub fn thumbnail(&self) -> Option<Thumbnail<'_>> {
        let Some(Value::Binary(bytes)) = self.graph().prefix_value("asset_preview_thumbnail") else { return None };
        let format = match self.graph().prefix_value("asset_preview_thumbnail_format") {
            Some(Value::String(format)) => self.graph().string(*format),
            _ => &[],
        };
        Some(Thumbnail { bytes, format })
    }

    /// The assets that the prefix lists. Hammer's lists are not complete; [`assets`](Self::assets) looks at the graph, too.
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

/// The texts of an attribute of the root's element of a name.
pub(super) fn part<'a>(document: &'a Document, names: &[&str]) -> Option<ElementRef<'a>> {
    let root = document.graph().root()?;
    names.iter().find_map(|name| root.child(name))
}

/// An array of numbers.
pub(super) fn ints<'a>(element: ElementRef<'a>, name: &str) -> &'a [i32] {
    FromAttribute::read(element, name).unwrap_or_default()
}

/// An array of texts.
pub(super) fn texts<'a>(element: ElementRef<'a>, name: &str) -> Texts<'a> {
    Texts::of(element, name)
}

impl<'a> From<World<'a>> for Node<'a> {
    fn from(world: World<'a>) -> Self {
        world.node()
    }
}

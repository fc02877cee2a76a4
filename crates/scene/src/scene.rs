//! The scene and its tree of nodes.

use crate::{
    Arena, Brush, Camera, Entity, Id, Image, InstanceSet, Light, Material, Mesh, NamedSet, Path, Properties, Sound,
    Terrain, TileLayer, TileSet, Transform,
};

/// The id of a [`Node`].
pub type NodeId = Id<Node>;
/// The id of a [`Mesh`].
pub type MeshId = Id<Mesh>;
/// The id of a [`Brush`].
pub type BrushId = Id<Brush>;
/// The id of a [`Terrain`].
pub type TerrainId = Id<Terrain>;
/// The id of a [`TileLayer`].
pub type TileLayerId = Id<TileLayer>;
/// The id of a [`TileSet`].
pub type TileSetId = Id<TileSet>;
/// The id of an [`InstanceSet`].
pub type InstanceSetId = Id<InstanceSet>;
/// The id of a [`Light`].
pub type LightId = Id<Light>;
/// The id of a [`Camera`].
pub type CameraId = Id<Camera>;
/// The id of a [`Sound`].
pub type SoundId = Id<Sound>;
/// The id of a [`Path`].
pub type PathId = Id<Path>;
/// The id of an [`Entity`].
pub type EntityId = Id<Entity>;
/// The id of a [`Material`].
pub type MaterialId = Id<Material>;
/// The id of an [`Image`].
pub type ImageId = Id<Image>;

/// The content of a level or model, independent of its format.
#[derive(Debug, Clone, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Scene {
    /// The name of the scene; may be empty.
    pub name: String,
    /// Metres per unit of length. `None`: unknown. Exporters of formats with a unit apply it.
    pub metres_per_unit: Option<f64>,
    /// Colour space of all colour values in the scene. Image files follow the rules of their format.
    pub color_space: ColorSpace,
    /// All nodes, including unreachable ones.
    pub nodes: Arena<Node>,
    /// The nodes without a parent, in order.
    pub roots: Vec<NodeId>,
    /// Polygon meshes.
    pub meshes: Arena<Mesh>,
    /// Convex brushes.
    pub brushes: Arena<Brush>,
    /// Terrains.
    pub terrains: Arena<Terrain>,
    /// Layers of tiles.
    pub tile_layers: Arena<TileLayer>,
    /// Sets of tiles.
    pub tile_sets: Arena<TileSet>,
    /// Sets of instances.
    pub instance_sets: Arena<InstanceSet>,
    /// Lights.
    pub lights: Arena<Light>,
    /// Cameras.
    pub cameras: Arena<Camera>,
    /// Sounds.
    pub sounds: Arena<Sound>,
    /// Paths.
    pub paths: Arena<Path>,
    /// Entities.
    pub entities: Arena<Entity>,
    /// Materials.
    pub materials: Arena<Material>,
    /// Images.
    pub images: Arena<Image>,
    /// Named selections.
    pub sets: Vec<NamedSet>,
    /// Other data of the file.
    pub properties: Properties,
}

/// The colour space of colour values.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub enum ColorSpace {
    /// Encoded for a screen, IEC 61966-2-1.
    #[default]
    Srgb,
    /// Proportional to light.
    Linear,
}

/// A node of the tree, with a transform and a content.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Node {
    /// The name; may be empty and may repeat.
    pub name: String,
    /// Child nodes, in order.
    pub children: Vec<NodeId>,
    /// Transform from the node's space to that of its parent.
    pub transform: Transform,
    /// The content.
    pub content: Content,
    /// `true` if the node is visible. A hidden node hides its descendants. Exporters leave hidden nodes out and report that.
    pub visible: bool,
    /// `true` if the editor does not allow changes.
    pub locked: bool,
    /// Other data of the file.
    pub properties: Properties,
    /// Reference to the part of the document from which the node was created. Only its format can read it.
    pub key: Option<String>,
}

impl Node {
    /// The property of nodes that come from another file, and of meshes and materials of it: the path of the file. The level refers to
    /// the file, so writers of levels must not write such nodes.
    pub const RESOLVED_FROM: &'static str = "resolved_from";

    /// Returns `true` for a node that comes from another file: one with the property [`RESOLVED_FROM`](Self::RESOLVED_FROM).
    pub fn is_resolved(&self) -> bool {
        self.properties.get(Self::RESOLVED_FROM).is_some()
    }

    /// Creates a visible node without a transform.
    pub fn new(name: impl Into<String>, content: Content) -> Self {
        Self { name: name.into(), content, ..Self::default() }
    }
}

impl Default for Node {
    fn default() -> Self {
        Self {
            name: String::new(),
            children: Vec::new(),
            transform: Transform::IDENTITY,
            content: Content::Group,
            visible: true,
            locked: false,
            properties: Properties::new(),
            key: None,
        }
    }
}

/// The content of a node. Several nodes may share one mesh.
#[derive(Debug, Clone, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub enum Content {
    /// No content: only child nodes.
    #[default]
    Group,
    /// A polygon mesh.
    Mesh(MeshId),
    /// A convex brush.
    Brush(BrushId),
    /// A terrain.
    Terrain(TerrainId),
    /// A layer of tiles.
    TileLayer(TileLayerId),
    /// Many instances.
    InstanceSet(InstanceSetId),
    /// A light.
    Light(LightId),
    /// A sound.
    Sound(SoundId),
    /// A camera.
    Camera(CameraId),
    /// A path.
    Path(PathId),
    /// A named place, such as the start position of the player.
    Marker,
    /// A game object.
    Entity(EntityId),
    /// A copy of another node with its descendants, in the place of this node: the transform of the other node is ignored.
    Instance(NodeId),
    /// The content of another file.
    Prefab(Prefab),
}

/// A reference to another file. The scene does not resolve it.
#[derive(Debug, Clone, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Prefab {
    /// The path as the file stores it.
    pub reference: String,
    /// Values that replace variables of the other file.
    pub overrides: Properties,
}

impl Scene {
    /// Adds a node below a parent, or as a root if the parent is missing.
    pub fn add_node(&mut self, parent: Option<NodeId>, node: Node) -> NodeId {
        let id = self.nodes.push(node);
        match parent.and_then(|parent| self.nodes.get_mut(parent)) {
            Some(parent) => parent.children.push(id),
            None => self.roots.push(id),
        }
        id
    }

    /// Visits all reachable nodes, parents before children, in order, with their transform to the scene.
    ///
    /// A node is visited once, even if a broken scene leads to it more often. Ids without an item are skipped.
    pub fn walk(&self) -> Walk<'_> {
        let mut stack = Vec::new();
        push_all(&mut stack, &self.roots, None, &Transform::IDENTITY, true);
        Walk { scene: self, stack, seen: vec![false; self.nodes.len()] }
    }
}

/// A node that [`Scene::walk`] visits.
#[derive(Debug, Clone)]
pub struct Visit<'a> {
    /// The id of the node.
    pub id: NodeId,
    /// The node.
    pub node: &'a Node,
    /// The parent node.
    pub parent: Option<NodeId>,
    /// Transform from the node's space to that of the scene.
    pub world: Transform,
    /// `true` if the node and all its ancestors are visible.
    pub visible: bool,
}

/// The iterator of [`Scene::walk`].
#[derive(Debug, Clone)]
pub struct Walk<'a> {
    scene: &'a Scene,
    stack: Vec<(NodeId, Option<NodeId>, Transform, bool)>,
    seen: Vec<bool>,
}

impl<'a> Iterator for Walk<'a> {
    type Item = Visit<'a>;

    fn next(&mut self) -> Option<Visit<'a>> {
        while let Some((id, parent, above, visible)) = self.stack.pop() {
            let Some(node) = self.scene.nodes.get(id) else { continue };
            match self.seen.get_mut(id.index()) {
                Some(seen) if !*seen => *seen = true,
                _ => continue,
            }
            let world = above.compose(&node.transform);
            let visible = visible && node.visible;
            push_all(&mut self.stack, &node.children, Some(id), &world, visible);
            return Some(Visit { id, node, parent, world, visible });
        }
        None
    }
}

/// Pushes nodes so that the first one is popped first.
fn push_all(
    stack: &mut Vec<(NodeId, Option<NodeId>, Transform, bool)>,
    nodes: &[NodeId],
    parent: Option<NodeId>,
    above: &Transform,
    visible: bool,
) {
    stack.extend(nodes.iter().rev().map(|&id| (id, parent, *above, visible)));
}

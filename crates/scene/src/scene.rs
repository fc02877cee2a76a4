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

/// What a level or model means, whatever format it came from.
///
/// | in | |
/// |---|---|
/// | wings | the file: objects, folders, lights, views, materials, images |
/// | vmap | `CMapRootElement` with its world |
/// | WMP | the map with its blocks, groups and entities |
/// | WWD | the level: a tile layer and its objects per plane |
/// | wrp | the island: one terrain, an instance set per model |
#[derive(Debug, Clone, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Scene {
    /// The name of the scene; may be empty.
    pub name: String,
    /// Metres in one unit of length. `None`: the format does not say. Exporters whose format has a unit apply it.
    pub metres_per_unit: Option<f64>,
    /// The space of all colour values in the scene (not of image files, which follow the rules of their format).
    pub color_space: ColorSpace,
    /// All nodes, whether or not something leads to them.
    pub nodes: Arena<Node>,
    /// The nodes without a parent, in order.
    pub roots: Vec<NodeId>,
    /// Polygon meshes.
    pub meshes: Arena<Mesh>,
    /// Convex brushes.
    pub brushes: Arena<Brush>,
    /// Height fields.
    pub terrains: Arena<Terrain>,
    /// Layers of tiles.
    pub tile_layers: Arena<TileLayer>,
    /// Sets of tiles.
    pub tile_sets: Arena<TileSet>,
    /// Instances as columns.
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
    /// What else the file says about the whole.
    pub properties: Properties,
}

/// How colour values are to be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub enum ColorSpace {
    /// Encoded for a screen, IEC 61966-2-1: wings, vmap, WMP.
    #[default]
    Srgb,
    /// Proportional to light: glTF.
    Linear,
}

/// A place in the tree, with what stands there.
///
/// | in | |
/// |---|---|
/// | wings | object, folder (group), light, view (camera) |
/// | vmap | every element with `CMap…` class in `children` |
/// | WMP | group, block, entity, light, sound, path, position |
/// | WWD | plane, object |
/// | wrp | terrain, one instance set per model |
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Node {
    /// The name; may be empty and may repeat.
    pub name: String,
    /// The nodes below, in order.
    pub children: Vec<NodeId>,
    /// From the node's own space to that of its parent.
    pub transform: Transform,
    /// What stands here.
    pub content: Content,
    /// Whether it is shown; a hidden node hides what is below it. Exporters leave hidden nodes out and say so.
    pub visible: bool,
    /// Whether the editor lets it be changed.
    pub locked: bool,
    /// What else the file says about it.
    pub properties: Properties,
    /// The way back to the part of the document it came from. Only the format that made it can read it.
    pub key: Option<String>,
}

impl Node {
    /// A visible node at the place of its parent.
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

/// What stands at a node. Several nodes may show one mesh.
#[derive(Debug, Clone, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub enum Content {
    /// Nothing but what is below.
    #[default]
    Group,
    /// A polygon mesh.
    Mesh(MeshId),
    /// A convex brush.
    Brush(BrushId),
    /// A height field.
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
    /// A named place: WMP player start, WWD start position.
    Marker,
    /// A thing of the game.
    Entity(EntityId),
    /// What stands at another node and below it, once more: as if it stood here, so that the transform of the other
    /// node does not count. vmap: `CMapInstance`, whose target is a group.
    Instance(NodeId),
    /// The content of another file.
    Prefab(Prefab),
}

/// A reference to another file, never resolved by the scene.
///
/// | in | |
/// |---|---|
/// | wings | – |
/// | vmap | `CMapPrefab`: `targetMapPath`, overrides as properties |
/// | WMP | – |
/// | WWD | – |
/// | wrp | – (models stand in the instance sets) |
#[derive(Debug, Clone, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Prefab {
    /// The path as the file spells it.
    pub reference: String,
    /// Values that replace variables of the other file.
    pub overrides: Properties,
}

impl Scene {
    /// Adds a node below a parent, or as a root. A parent that does not exist makes it a root as well.
    pub fn add_node(&mut self, parent: Option<NodeId>, node: Node) -> NodeId {
        let id = self.nodes.push(node);
        match parent.and_then(|parent| self.nodes.get_mut(parent)) {
            Some(parent) => parent.children.push(id),
            None => self.roots.push(id),
        }
        id
    }

    /// All nodes that the roots lead to, parents before children, in order, with their place in the whole.
    ///
    /// A node is visited once, even if a broken scene leads to it more often; ids that point to nothing are passed by.
    pub fn walk(&self) -> Walk<'_> {
        let mut stack = Vec::new();
        push_all(&mut stack, &self.roots, None, &Transform::IDENTITY, true);
        Walk { scene: self, stack, seen: vec![false; self.nodes.len()] }
    }
}

/// A node as [`Scene::walk`] finds it.
#[derive(Debug, Clone)]
pub struct Visit<'a> {
    /// The id of the node.
    pub id: NodeId,
    /// The node.
    pub node: &'a Node,
    /// The node above.
    pub parent: Option<NodeId>,
    /// From the node's own space to that of the scene.
    pub world: Transform,
    /// Whether the node and all nodes above it are visible.
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
            let world = above.then(&node.transform);
            let visible = visible && node.visible;
            push_all(&mut self.stack, &node.children, Some(id), &world, visible);
            return Some(Visit { id, node, parent, world, visible });
        }
        None
    }
}

/// Puts nodes on the stack so that the first comes off first.
fn push_all(
    stack: &mut Vec<(NodeId, Option<NodeId>, Transform, bool)>,
    nodes: &[NodeId],
    parent: Option<NodeId>,
    above: &Transform,
    visible: bool,
) {
    stack.extend(nodes.iter().rev().map(|&id| (id, parent, *above, visible)));
}

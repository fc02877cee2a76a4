//! State of writing a scene.

use hashbrown::{HashMap, HashSet};
use mapwright_scene::{Losses, MaterialId, Node, NodeId, Properties, Rejections, Scene, Transform};

use super::free_numbers::FreeNumbers;
use crate::document::Part;
use crate::scene::AXES;
use crate::scene::parts::parse_key;
use crate::scene::values::parse_name;
use crate::tree::{PartIndex, Tree};
use crate::{Dialect, Document, Name, Object};

/// The scene of the document before the change.
#[derive(Clone, Copy)]
pub(in crate::scene) struct OldScene<'a> {
    /// Properties of the scene of the document.
    pub(in crate::scene) properties: &'a Properties,
    /// The scene of the document, if the new scene was made from it.
    pub(in crate::scene) scene: Option<&'a Scene>,
}

/// A node to be written.
pub(super) struct Visit {
    pub(super) node: NodeId,
    /// The object that becomes its parent.
    pub(super) parent: usize,
    /// The transform from the node's parent to that object: rotation and scale of new groups, which files do not store.
    pub(super) outer: Transform,
}

/// The document that is changed, and the scenes before and now.
pub(super) struct Context<'a> {
    pub(super) document: &'a mut Document,
    pub(super) dialect: Dialect,
    pub(super) scene: &'a Scene,
    pub(super) before: OldScene<'a>,
    /// Nodes of the scene before, by the parts that they came from.
    pub(super) known: HashMap<PartIndex, NodeId>,
    /// The tree of the document before.
    pub(super) tree: Tree,
    /// Parts of the document whose node was visited.
    pub(super) seen: HashSet<PartIndex>,
    /// New members of objects, in the order of the scene.
    pub(super) members: HashMap<usize, Vec<PartIndex>>,
    pub(super) losses: Losses,
    /// `true` once the level has its sun, and its ambient light.
    pub(super) level_lights: [bool; 2],
    pub(super) free: FreeNumbers,
    /// Meshes that are not convex bodies.
    pub(super) rejections: Rejections,
    /// Materials of added blocks.
    pub(super) used_materials: Vec<MaterialId>,
    /// Number of faces of added blocks.
    pub(super) faces: u64,
}

impl<'a> Context<'a> {
    pub(super) fn new(document: &'a mut Document, scene: &'a Scene, before: OldScene<'a>, losses: Losses) -> Self {
        // Keys of a scene from another format mean nothing here.
        let same_format = before.properties.get("format") == scene.properties.get("format");
        let nodes = before.scene.filter(|_| same_format).into_iter().flat_map(|before| before.nodes.iter());
        Self {
            dialect: document.dialect,
            scene,
            before,
            known: nodes.filter_map(|(id, node)| Some((parse_key(node.key.as_deref()?)?, id))).collect(),
            tree: Tree::new(document),
            seen: HashSet::new(),
            members: HashMap::new(),
            losses,
            level_lights: [false; 2],
            free: FreeNumbers::new(document),
            rejections: Rejections::new(scene),
            used_materials: Vec::new(),
            faces: 0,
            document,
        }
    }

    /// Returns the part and the earlier version of a node that came from this document.
    pub(super) fn find_before(&self, node: &Node) -> Option<(PartIndex, &'a Node)> {
        let part = parse_key(node.key.as_deref()?)?;
        Some((part, self.before.scene?.nodes.get(*self.known.get(&part)?)?))
    }

    /// Returns the root object, added if the document has no objects.
    pub(super) fn find_or_add_root(&mut self) -> usize {
        if let Some(root) = self.tree.order.first().filter(|_| self.tree.rooted > 0) {
            return *root;
        }
        let number = self.free.objects.take();
        self.document.objects.push(Part::new(Object::new(number)));
        self.document.objects.len() - 1
    }

    /// Adds a member to an object.
    pub(super) fn add_member(&mut self, object: usize, part: PartIndex) {
        self.members.entry(object).or_default().push(part);
    }

    /// Adds an object without members.
    pub(super) fn add_object(&mut self, name: &str, position: [f64; 3]) -> usize {
        let number = self.free.objects.take();
        // Resolved maps store neither objects nor their names.
        let name = if self.dialect == Dialect::Resolved { Name::NONE } else { parse_name(name) };
        let object = Object { name, position, ..Object::new(number) };
        self.document.objects.push(Part::new(object));
        self.document.objects.len() - 1
    }
}

/// Splits the transform of a node into a position in the axes of files, and rotation and scale.
pub(super) fn split_transform(node: &Node, outer: &Transform) -> ([f64; 3], Transform) {
    let whole = outer.compose(&node.transform);
    let position = AXES.inverse().apply(whole.origin()).map(|part| part + 0.0);
    let linear = match whole {
        Transform::Trs { rotation, scale, .. } => Transform::Trs { translation: [0.0; 3], rotation, scale },
        Transform::Matrix([x, y, z, _]) => Transform::Matrix([x, y, z, [0.0, 0.0, 0.0, 1.0]]),
    };
    (position, linear)
}

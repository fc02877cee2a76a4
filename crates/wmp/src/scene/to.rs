//! Document → scene.

use hashbrown::HashMap;
use mapwright_scene::{Content, Import, Losses, Material, MaterialId, Node, NodeId, Scene, Transform};

use super::blocks::{self, Around, Solid};
use super::values::{push_name, text};
use super::{AXES, entities, level};
use crate::resolve::transform::{IDENTITY, Matrix, of_entity, of_object};
use crate::resolve::{Resolved, is_reversed};
use crate::tree::{Place, Tree};
use crate::{Document, EntityKind, MemberKind, Name, Object};

/// The scene of a document.
pub(super) fn read(document: &Document) -> Import {
    let tree = Tree::of(document);
    let resolved = document.resolve();
    let mut reader = Reader {
        document,
        normals: normals(&resolved),
        scene: Scene::default(),
        losses: Losses::new(),
        materials: HashMap::new(),
    };
    level::say(document, &mut reader.scene);
    reader.tree(&tree);
    for gap in &resolved.gaps {
        reader.losses.dropped("", gap.to_string());
    }
    if document.wed.as_ref().is_some_and(|wed| wed.views.is_some() || wed.bookmarks.is_some()) {
        reader.losses.dropped("wed", "windows and bookmarks of the editor");
    }
    Import { scene: reader.scene, losses: reader.losses }
}

/// The normals of the faces of each block.
fn normals(resolved: &Resolved) -> HashMap<usize, Vec<[f64; 3]>> {
    let of = |block: &crate::resolve::ResolvedBlock| {
        (block.block, block.faces.iter().map(|face| face.normal).collect::<Vec<_>>())
    };
    resolved.blocks.iter().map(of).collect()
}

struct Reader<'a> {
    document: &'a Document,
    normals: HashMap<usize, Vec<[f64; 3]>>,
    scene: Scene,
    losses: Losses,
    materials: HashMap<&'a Name, MaterialId>,
}

/// What an object is to a scene.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    /// The place of this block or entity.
    Leaf(Place),
    /// A group.
    Group,
}

/// What an object is to a scene: with a single block or entity its place, else a group.
pub(super) fn role(document: &Document, members: &[Place]) -> Role {
    let is_level = |place: &Place| match place {
        Place::Entity(at) => document.entities.get(*at).is_none_or(|entity| entity.member_kind() == MemberKind::Level),
        _ => false,
    };
    match members {
        [place @ (Place::Block(_) | Place::Entity(_))] if !is_level(place) => Role::Leaf(*place),
        _ => Role::Group,
    }
}

impl<'a> Reader<'a> {
    fn tree(&mut self, tree: &Tree) {
        let mut nodes: Vec<Option<NodeId>> = vec![None; self.document.objects.len()];
        for (count, &at) in tree.order.iter().take(tree.rooted).enumerate() {
            let Some(object) = self.document.objects.get(at) else { continue };
            let members = tree.held_by(at);
            let above = tree.parents.get(at).copied().flatten().and_then(|parent| nodes.get(parent).copied().flatten());
            // The root is the scene.
            let role = if count == 0 { Role::Group } else { role(self.document, members) };
            match role {
                Role::Leaf(place) => {
                    self.part(place, Some(object), above);
                }
                Role::Group => {
                    let mut node = above;
                    if count > 0 {
                        let turn = of_object(self.document.dialect, object.angles);
                        let group = Node {
                            transform: self.transform(at, object.position, &turn, object.scale),
                            key: Some(format!("object/{at}")),
                            ..Node::new(text(&object.name), Content::Group)
                        };
                        node = Some(self.scene.add_node(above, group));
                        if let Some(slot) = nodes.get_mut(at) {
                            *slot = node;
                        }
                    }
                    for place in members.iter().filter(|place| !matches!(place, Place::Object(_))) {
                        self.part(*place, None, node);
                    }
                }
            }
        }
    }

    /// A node for a block or entity, at the place of its own object or in a group.
    fn part(&mut self, place: Place, object: Option<&Object>, above: Option<NodeId>) {
        let node = match place {
            Place::Block(at) => self.block(at, object),
            Place::Entity(at) => self.entity(at, object),
            Place::Object(_) => None,
        };
        if let Some(node) = node {
            self.scene.add_node(above, node);
        }
    }

    fn block(&mut self, at: usize, object: Option<&Object>) -> Option<Node> {
        let block = self.document.blocks.get(at)?;
        let normals = self.normals.remove(&at).unwrap_or_default();
        let around = Around { dialect: self.document.dialect, normals: &normals };
        let (scene, materials) = (&mut self.scene, &mut self.materials);
        let solid = blocks::say(block, &around, |name| {
            *materials.entry(name).or_insert_with(|| scene.materials.push(Material::new(text(name))))
        });
        let Some(solid) = solid else {
            self.losses.dropped(format!("blocks[{at}]"), "numbers that are not finite, or faces without corners");
            return None;
        };
        let content = match solid {
            Solid::Brush(brush) => Content::Brush(self.scene.brushes.push(brush)),
            Solid::Mesh(mesh) => Content::Mesh(self.scene.meshes.push(*mesh)),
        };
        let turn = object.map_or(IDENTITY, |object| of_object(self.document.dialect, object.angles));
        Some(self.node(format!("block/{at}"), content, object, &turn, object.map(|object| object.scale)))
    }

    fn entity(&mut self, at: usize, object: Option<&Object>) -> Option<Node> {
        let entity = self.document.entities.get(at)?;
        if matches!(entity.kind, EntityKind::Level(_)) {
            return None;
        }
        let dialect = self.document.dialect;
        let Some(content) = entities::say(&entity.kind, dialect, &mut self.scene) else {
            self.losses.dropped(format!("entities[{at}]"), "numbers that are not finite");
            return None;
        };
        let turn = object.map_or(IDENTITY, |object| of_entity(dialect, object.angles, is_reversed(dialect, entity)));
        let scale = match &entity.kind {
            EntityKind::Model(model) if dialect != crate::Dialect::Binary => Some(model.scale),
            _ => object.map(|object| object.scale),
        };
        let mut node = self.node(format!("entity/{at}"), content, object, &turn, scale);
        if entities::has_name(&entity.kind) {
            node.name = text(entity.name());
            if let Some(object) = object.filter(|object| object.name != *entity.name()) {
                push_name(&mut node.properties, "object_name", &object.name);
            }
        }
        Some(node)
    }

    fn node(
        &mut self,
        key: String,
        content: Content,
        object: Option<&Object>,
        turn: &Matrix,
        scale: Option<[f64; 3]>,
    ) -> Node {
        let position = object.map_or([0.0; 3], |object| object.position);
        let transform = match (object, scale) {
            (None, None) => Transform::IDENTITY,
            _ => self.transform_of(&key, position, turn, scale.unwrap_or([1.0; 3])),
        };
        let name = object.map(|object| text(&object.name)).unwrap_or_default();
        Node { transform, key: Some(key), ..Node::new(name, content) }
    }

    fn transform(&mut self, at: usize, position: [f64; 3], turn: &Matrix, scale: [f64; 3]) -> Transform {
        self.transform_of(&format!("object/{at}"), position, turn, scale)
    }

    fn transform_of(&mut self, key: &str, position: [f64; 3], turn: &Matrix, scale: [f64; 3]) -> Transform {
        let rotation = quaternion(turn);
        if position.iter().chain(&rotation).chain(&scale).any(|number| !number.is_finite()) {
            self.losses.repaired(key, "a place that is not finite, at the origin");
            return Transform::IDENTITY;
        }
        place(position, rotation, scale)
    }
}

/// Where something stands, in the axes of scenes.
fn place(position: [f64; 3], rotation: [f64; 4], scale: [f64; 3]) -> Transform {
    AXES.transform(&Transform::Trs { translation: position, rotation, scale })
}

/// The quaternion of a turn, in the axes of files.
pub(super) fn quaternion(turn: &Matrix) -> [f64; 4] {
    const NONE: [f64; 4] = [0.0, 0.0, 0.0, 1.0];
    if *turn == IDENTITY {
        return NONE;
    }
    let [[a, b, c], [d, e, f], [g, h, i]] = *turn;
    let columns = [[a, d, g, 0.0], [b, e, h, 0.0], [c, f, i, 0.0], [0.0, 0.0, 0.0, 1.0]];
    Transform::Matrix(columns).to_trs().map_or(NONE, |(_, rotation, _)| rotation)
}

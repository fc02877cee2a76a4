//! Objects → nodes.

use mapwright_scene::{Content, Node, NodeId, Transform};

use super::context::Context;
use super::{blocks, entities};
use crate::resolve::has_mirrored_heading;
use crate::resolve::transform::{IDENTITY, Matrix, entity_rotation, object_rotation};
use crate::scene::parts::sole_part;
use crate::scene::values::{name_text, push_name};
use crate::tree::{PartIndex, Tree};
use crate::{Dialect, EntityKind, Object};

/// Adds the nodes of all objects below the root.
pub(super) fn add_nodes(context: &mut Context<'_>) {
    let document = context.document;
    let tree = Tree::new(document);
    let mut nodes: Vec<Option<NodeId>> = vec![None; document.objects.len()];
    // The order has parents before their members, so the node of a parent exists.
    for (count, &at) in tree.order[..tree.rooted].iter().enumerate() {
        let object = &*document.objects[at];
        let members = tree.members_of(at);
        let parent = tree.parents[at].and_then(|parent| nodes[parent]);
        let is_root = count == 0;
        if let Some(part) = sole_part(document, members).filter(|_| !is_root) {
            add_part(context, part, Some(object), parent);
            continue;
        }
        let mut node = parent;
        // The root is the scene itself.
        if !is_root {
            node = Some(add_group(context, at, object, parent));
            nodes[at] = node;
        }
        for part in members.iter().filter(|part| !matches!(part, PartIndex::Object(_))) {
            add_part(context, *part, None, node);
        }
    }
}

fn add_group(context: &mut Context<'_>, at: usize, object: &Object, parent: Option<NodeId>) -> NodeId {
    let key = PartIndex::Object(at).node_key();
    let turn = object_rotation(context.document.dialect, object.angles);
    let transform = context.transform(&key, object.position, &turn, object.scale);
    let group = Node { transform, key: Some(key), ..Node::new(name_text(&object.name), Content::Group) };
    context.scene.add_node(parent, group)
}

/// Adds the node of a block or entity. `object` is its own object; without one it is among several members of a group.
fn add_part(context: &mut Context<'_>, part: PartIndex, object: Option<&Object>, parent: Option<NodeId>) {
    let node = match part {
        PartIndex::Block(at) => block_node(context, at, object),
        PartIndex::Entity(at) => entity_node(context, at, object),
        PartIndex::Object(_) => None,
    };
    if let Some(node) = node {
        context.scene.add_node(parent, node);
    }
}

fn block_node(context: &mut Context<'_>, at: usize, object: Option<&Object>) -> Option<Node> {
    let Some(content) = blocks::block_content(context, at) else {
        context.losses.dropped(format!("blocks[{at}]"), "numbers that are not finite, or faces without vertices");
        return None;
    };
    let turn = object.map_or(IDENTITY, |object| object_rotation(context.document.dialect, object.angles));
    Some(part_node(context, PartIndex::Block(at), content, object, &turn, object.map(|object| object.scale)))
}

fn entity_node(context: &mut Context<'_>, at: usize, object: Option<&Object>) -> Option<Node> {
    let dialect = context.document.dialect;
    let entity = &*context.document.entities[at];
    if matches!(entity.kind, EntityKind::Level(_)) {
        return None;
    }
    let Some(content) = entities::entity_content(&entity.kind, dialect, &mut context.scene) else {
        context.losses.dropped(format!("entities[{at}]"), "numbers that are not finite");
        return None;
    };
    let turn = object
        .map_or(IDENTITY, |object| entity_rotation(dialect, object.angles, has_mirrored_heading(dialect, entity)));
    let scale = match &entity.kind {
        EntityKind::Model(model) if dialect != Dialect::Binary => Some(model.scale),
        _ => object.map(|object| object.scale),
    };
    let mut node = part_node(context, PartIndex::Entity(at), content, object, &turn, scale);
    if let Some(name) = entity.kind.name() {
        node.name = name_text(name);
        // Text stores both names. The name of the object is preserved where it differs.
        if let Some(object) = object.filter(|object| object.name != *name) {
            push_name(&mut node.properties, "object_name", &object.name);
        }
    }
    Some(node)
}

fn part_node(
    context: &mut Context<'_>,
    part: PartIndex,
    content: Content,
    object: Option<&Object>,
    turn: &Matrix,
    scale: Option<[f64; 3]>,
) -> Node {
    let key = part.node_key();
    let position = object.map_or([0.0; 3], |object| object.position);
    let transform = match (object, scale) {
        (None, None) => Transform::IDENTITY,
        _ => context.transform(&key, position, turn, scale.unwrap_or([1.0; 3])),
    };
    let name = object.map(|object| name_text(&object.name)).unwrap_or_default();
    Node { transform, key: Some(key), ..Node::new(name, content) }
}

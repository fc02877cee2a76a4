//! Document → scene.

mod brushes;
mod context;
mod entities;
mod patches;

use mapwright_scene::{Import, Node, NodeId};

use self::context::Context;
use super::ImportOptions;
use super::classes::Role;
use crate::{Document, ReadError};

/// Reads the scene of a document.
pub(super) fn read_scene(document: &Document, options: &ImportOptions) -> Result<Import, ReadError> {
    let mut context = Context::new(document, options);
    // All nodes first: an entity may be in a group that follows it.
    let mut nodes: Vec<NodeId> = Vec::with_capacity(document.entity_count());
    for entity in document.entities() {
        let role = Role::new(entity);
        let id = context.scene.nodes.push(Node::default());
        nodes.push(id);
        for (index, primitive) in entity.primitives().enumerate() {
            let Some(mut node) = primitive_node(&mut context, primitive, (entity.index(), index))? else { continue };
            node.key = Some(format!("entities[{}].primitives[{index}]", entity.index()));
            let child = context.scene.nodes.push(node);
            context.scene.nodes.get_mut(id).into_iter().for_each(|node| node.children.push(child));
        }
        entities::fill_node(&mut context, entity, role, id);
    }
    let parents = document.editor_tree().parents;
    for ((&id, entity), parent) in nodes.iter().zip(document.entities()).zip(parents) {
        let parent = parent.and_then(|parent| nodes.get(parent)).filter(|parent| **parent != id);
        match parent.and_then(|parent| context.scene.nodes.get_mut(*parent)) {
            Some(parent) => parent.children.push(id),
            None => context.scene.roots.push(id),
        }
        if let Some(node) = context.scene.nodes.get_mut(id) {
            entities::remove_membership(node, parent.is_some());
            node.key = Some(format!("entities[{}]", entity.index()));
        }
        entities::remove_membership_keys(&mut context.scene, id, parent.is_some());
    }
    context.report_comments();
    Ok(context.finish())
}

/// Returns the node of a brush or patch, or `None` for one that cannot be in a scene.
fn primitive_node(
    context: &mut Context<'_>,
    primitive: crate::Primitive<'_>,
    path: (usize, usize),
) -> Result<Option<Node>, ReadError> {
    let content = if primitive.kind().is_brush() {
        brushes::brush_content(context, primitive, path)
    } else if let Some(patch) = primitive.patch() {
        patches::patch_content(context, &patch, primitive, path)?
    } else {
        let name = primitive.name().map(crate::decode_text).unwrap_or_default();
        context.drop_part(path, &format!("{name}: only brushes and patches are read"));
        None
    };
    Ok(content.map(|content| Node::new("", content)))
}

//! Nodes → objects with their blocks and entities.

use mapwright_scene::{self as scene, Content, LightKind, Node, Transform};

use super::content::EntityContent;
use super::context::{Context, Visit, split_transform};
use super::placement::{place_object, rotate_new_object};
use super::report::PartReport;
use super::shape::NodeShape;
use super::{blocks, entities, settings};
use crate::document::{FACE, Part};
use crate::scene::AXES;
use crate::scene::entity_class::{MODEL, REGION};
use crate::scene::parts::sole_part;
use crate::scene::values::{name_from, parse_name};
use crate::tree::PartIndex;
use crate::{Block, BlockFlags, Dialect, Entity, Mesh, Name, Shape};

/// Writes a node. Returns the object for its children, and the transform from the node to that object.
pub(super) fn write_node(context: &mut Context<'_>, node: &Node, visit: &Visit) -> (usize, Transform) {
    // A sun is no entity: check for lights of the level before anything else.
    if write_level_light(context, node, visit) {
        return (visit.parent, visit.outer.compose(&node.transform));
    }
    let before = context.find_before(node);
    // A second node with the same key is a copy, and so a new part.
    let before = before.filter(|(part, old)| is_same_kind(context, *part, node, old) && context.seen.insert(*part));
    match (before, &node.content) {
        (Some((part @ PartIndex::Object(at), old)), _) => {
            context.add_member(visit.parent, part);
            context.members.entry(at).or_default();
            if node.name != old.name {
                context.document.objects[at].name = parse_name(&node.name);
            }
            place_object(context, at, node, old, visit, None);
            (at, Transform::IDENTITY)
        }
        (Some((part, old)), _) => {
            update_part(context, part, node, old, visit);
            (visit.parent, visit.outer.compose(&node.transform))
        }
        (None, Content::Group) => add_group(context, node, visit),
        (None, _) => {
            add_part(context, node, visit);
            (visit.parent, visit.outer.compose(&node.transform))
        }
    }
}

/// Writes the first directional and the first ambient light into the level.
fn write_level_light(context: &mut Context<'_>, node: &Node, visit: &Visit) -> bool {
    let Content::Light(id) = node.content else { return false };
    let light = &context.scene.lights[id];
    let slot = match light.kind {
        LightKind::Directional => 0,
        LightKind::Ambient => 1,
        _ => return false,
    };
    if context.level_lights[slot] || context.document.level().is_none() {
        let path = format!("lights[{}]", id.index());
        context.losses.approximated(path, "additional sun or ambient light, as a point light");
        return false;
    }
    let world = visit.outer.compose(&node.transform);
    settings::write_level_light(context, node, light, &world, &format!("lights[{}]", id.index()));
    context.level_lights[slot] = true;
    true
}

/// Returns `true` if a node can still become the part that it came from.
fn is_same_kind(context: &Context<'_>, part: PartIndex, node: &Node, old: &Node) -> bool {
    match part {
        PartIndex::Object(_) => node.content == Content::Group,
        PartIndex::Block(_) => {
            [node, old].iter().all(|node| matches!(node.content, Content::Brush(_) | Content::Mesh(_)))
        }
        PartIndex::Entity(at) => {
            let content = EntityContent::from_node(context.scene, node);
            content.is_some_and(|content| content.fits(&context.document.entities[at].kind))
        }
    }
}

fn add_group(context: &mut Context<'_>, node: &Node, visit: &Visit) -> (usize, Transform) {
    let (position, linear) = split_transform(node, &visit.outer);
    if !linear.is_identity() {
        let path = format!("nodes[{}]", visit.node.index());
        context.losses.preserved(path, "rotation and scale of a group, applied to its members");
    }
    let at = context.add_object(&node.name, position);
    context.add_member(visit.parent, PartIndex::Object(at));
    context.members.entry(at).or_default();
    (at, linear)
}

/// Updates a block or an entity of the document, and the object around it.
fn update_part(context: &mut Context<'_>, part: PartIndex, node: &Node, old: &Node, visit: &Visit) {
    let holder = context.tree.holder(part);
    let members = holder.map_or(&[][..], |holder| context.tree.members_of(holder));
    let is_root = holder.is_some() && holder == context.tree.order.first().copied();
    let is_sole = !is_root && sole_part(context.document, members) == Some(part);
    match holder {
        Some(holder) if is_sole => {
            context.add_member(visit.parent, PartIndex::Object(holder));
            rename_part(context, part, Some(holder), node, old);
            place_object(context, holder, node, old, visit, Some(part));
        }
        _ => {
            // One of several members of a group has no position of its own. It gets an object once it moves.
            rename_part(context, part, None, node, old);
            if holder == Some(visit.parent) && visit.outer.compose(&node.transform) == old.transform {
                context.add_member(visit.parent, part);
            } else {
                let at = context.add_object(&node.name, [0.0; 3]);
                context.add_member(visit.parent, PartIndex::Object(at));
                context.members.insert(at, vec![part]);
                place_object(context, at, node, &Node::default(), visit, Some(part));
            }
        }
    }
    match part {
        PartIndex::Block(at) => update_block(context, at, node, old),
        PartIndex::Entity(at) => update_entity(context, at, node, old),
        PartIndex::Object(_) => unreachable!("groups are written by write_node"),
    }
}

fn update_entity(context: &mut Context<'_>, at: usize, node: &Node, old: &Node) {
    let before = context.before.scene.and_then(|before| EntityContent::from_node(before, old));
    let (Some(before), Some(now)) = (before, EntityContent::from_node(context.scene, node)) else { return };
    if now != before {
        let path = node.key.as_deref().unwrap_or_default();
        let report = PartReport { dialect: context.dialect, path, losses: &mut context.losses };
        entities::apply_content(&mut context.document.entities[at].kind, Some(before), now, report);
    }
}

fn update_block(context: &mut Context<'_>, at: usize, node: &Node, old: &Node) {
    let before = context.before.scene.and_then(|before| NodeShape::from_content(before, &old.content));
    let (Some(before), Some(mut now)) = (before, NodeShape::from_content(context.scene, &node.content)) else { return };
    if now == before {
        return;
    }
    let path = node.key.as_deref().unwrap_or_default();
    let block = &mut *context.document.blocks[at];
    let mut report = PartReport { dialect: context.dialect, path, losses: &mut context.losses };
    if matches!(block.shape, Shape::Mesh(_)) {
        now.compute_polygons(&mut report);
    }
    blocks::apply_shape(block, &before, &now, &mut report);
    if !now.is_convex() {
        if !stores_concave(context.dialect) {
            context.losses.preserved(path, "a body that is not convex, which the editor may reject");
        } else if !block.flags.has(BlockFlags::CONCAVE) {
            block.flags.0 |= BlockFlags::CONCAVE.0;
        }
    }
}

/// Returns `true` if blocks of a dialect can be marked as not convex.
const fn stores_concave(dialect: Dialect) -> bool {
    matches!(dialect, Dialect::Binary | Dialect::Resolved)
}

/// Renames an entity, its comment and the object around it.
fn rename_part(context: &mut Context<'_>, part: PartIndex, holder: Option<usize>, node: &Node, old: &Node) {
    let document = &mut *context.document;
    if node.name != old.name {
        let name = parse_name(&node.name);
        let was = parse_name(&old.name);
        let mut is_named_by_object = true;
        if let PartIndex::Entity(at) = part {
            let entity = &mut document.entities[at];
            is_named_by_object = !rename_entity(entity, &name);
            if entity.comment == was && !was.is_empty() {
                entity.comment = name.clone();
            }
        }
        if let Some(object) = holder.map(|holder| &mut document.objects[holder])
            && (is_named_by_object || (object.name == was && !was.is_empty()))
        {
            object.name = name;
        }
    }
    let object_name = |node: &Node| node.properties.get("object_name").and_then(name_from);
    if let Some(holder) = holder.filter(|_| object_name(node) != object_name(old)) {
        document.objects[holder].name = object_name(node).unwrap_or_else(|| parse_name(&node.name));
    }
}

/// Renames an entity. Returns `false` if it is of a kind without names.
fn rename_entity(entity: &mut Entity, name: &Name) -> bool {
    let slot = entity.kind.name_mut();
    let has_name = slot.is_some();
    if let Some(slot) = slot {
        slot.clone_from(name);
    }
    has_name
}

/// Adds the block or entity of a new node.
fn add_part(context: &mut Context<'_>, node: &Node, visit: &Visit) {
    if let Content::Mesh(id) = node.content
        && context.rejections.skips(id)
    {
        return;
    }
    let path = format!("nodes[{}]", visit.node.index());
    if let Some(shape) = NodeShape::from_content(context.scene, &node.content) {
        add_block(context, shape, node, visit, &path);
    } else if let Some(content) = EntityContent::from_node(context.scene, node) {
        add_entity(context, content, node, visit, &path);
    }
    // Losses of other contents follow from the capabilities.
}

fn add_block(context: &mut Context<'_>, mut shape: NodeShape, node: &Node, visit: &Visit, path: &str) {
    let (position, linear) = split_transform(node, &visit.outer);
    let matrix = AXES.inverse().transform(&linear);
    // Since A5, the objects of blocks have neither rotation nor scale.
    if !matrix.is_identity() {
        context.losses.preserved(path, "rotation and scale, applied to the vertices");
        shape.transform(&matrix);
    }
    let stores_planes = context.dialect == Dialect::A4;
    let mut report = PartReport { dialect: context.dialect, path, losses: &mut context.losses };
    if !stores_planes {
        shape.compute_polygons(&mut report);
    }
    let is_convex = shape.is_convex();
    if !is_convex && !stores_concave(context.dialect) {
        report.dropped("a mesh that is not a closed convex body");
        if let Content::Mesh(id) = node.content {
            context.rejections.reject(id, shape.sides.len());
        }
        return;
    }
    if shape.sides.is_empty() {
        report.dropped("a body without faces");
        return;
    }
    if context.dialect != Dialect::Binary && shape.sides.iter().any(|side| side.material.is_none()) {
        report.losses.synthesized(path, "a material for faces without one");
    }
    if let Content::Mesh(id) = node.content {
        report_attributes(&context.scene.meshes[id], &mut report);
    }
    let mut block = Block::new(context.free.blocks.take(), Mesh::default());
    if stores_planes {
        (block.shape, block.index) = (Shape::Planes(Vec::new()), None);
    }
    blocks::apply_shape(&mut block, &NodeShape::default(), &shape, &mut report);
    if !is_convex {
        block.flags.0 |= BlockFlags::CONCAVE.0;
    }
    match node.content {
        Content::Mesh(id) => {
            context.rejections.accept(id);
            context.used_materials.extend(context.scene.meshes[id].face_materials.iter().flatten());
        }
        Content::Brush(id) => {
            let sides = context.scene.brushes[id].sides.iter();
            context.used_materials.extend(sides.filter_map(|side| side.material));
        }
        _ => {}
    }
    context.faces = context.faces.saturating_add(shape.sides.len() as u64);
    let at = context.document.blocks.len();
    context.document.blocks.push(Part::new(block));
    let object = context.add_object(&node.name, position);
    context.add_member(visit.parent, PartIndex::Object(object));
    context.members.insert(object, vec![PartIndex::Block(at)]);
}

/// Reports the columns of a mesh other than the numbers of faces.
fn report_attributes(mesh: &scene::Mesh, report: &mut PartReport<'_>) {
    let is_stored = |attribute: &&scene::Attribute| {
        attribute.domain == scene::Domain::Face && attribute.width == 1 && FACE.find(&attribute.name).is_some()
    };
    for attribute in mesh.attributes.iter().filter(|attribute| !is_stored(attribute)) {
        report.dropped(format!("attribute {}", attribute.name));
    }
}

fn add_entity(context: &mut Context<'_>, content: EntityContent<'_>, node: &Node, visit: &Visit, path: &str) {
    if let EntityContent::Entity(entity) = content
        && entity.class != REGION
        && entity.class != MODEL
        && entity.model.is_none()
    {
        if entity.class == "worldspawn" {
            settings::add_wads(context, entity, path);
        }
        context.losses.dropped(path, format!("an entity of class {} without a model", entity.class));
        return;
    }
    let dialect = context.dialect;
    let mut entity = Entity::new(context.free.entities.take(), content.new_entity(dialect));
    let report = PartReport { dialect, path, losses: &mut context.losses };
    entities::apply_content(&mut entity.kind, None, content, report);
    let name = parse_name(&node.name);
    if rename_entity(&mut entity, &name) && dialect != Dialect::Binary {
        entity.comment = name;
    }
    let (position, linear) = split_transform(node, &visit.outer);
    let object = context.add_object(&node.name, position);
    if let Some(name) = node.properties.get("object_name").and_then(name_from) {
        context.document.objects[object].name = name;
    }
    let at = context.document.entities.len();
    context.document.entities.push(Part::new(entity));
    context.add_member(visit.parent, PartIndex::Object(object));
    context.members.insert(object, vec![PartIndex::Entity(at)]);
    rotate_new_object(context, object, at, &linear, path);
}

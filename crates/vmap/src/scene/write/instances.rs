//! Writes instances, and groups for what they show.
//!
//! Hammer shows the target group of an instance only through instances. If a scene also shows a target in its own place,
//! that place gets an instance. If a target is not a group, it is wrapped in one.

use std::collections::{BTreeMap, HashMap, HashSet};

use mapwright_dmx::{ElementId, Reference, Value};
use mapwright_scene::{Content, InstanceSetId, MeshId, Model, NodeId, Transform};

use super::context::{WriteContext, node_path};
use super::materials::Materials;
use super::meshes::write_new_mesh;
use super::placement::write_world_transform;
use super::reachable::ReachableNode;
use super::shear::changes_vertices;
use crate::WriteError;

/// Finds meshes that several nodes share. Instances only have a transform, so nodes with more data get copies.
pub(super) fn find_shared_meshes(context: &mut WriteContext<'_, '_, '_>) {
    let mut uses: BTreeMap<MeshId, (usize, bool)> = BTreeMap::new();
    for reachable in &context.reachable {
        let node = &context.scene.nodes[reachable.id];
        let Content::Mesh(id) = node.content else { continue };
        let (count, can_share) = uses.entry(id).or_insert((0, true));
        *count += 1;
        *can_share &= node.properties.is_empty()
            && context.element(reachable.id).is_none()
            && !changes_vertices(&reachable.world);
    }
    for (id, (count, can_share)) in uses.into_iter().filter(|(_, (count, _))| *count > 1) {
        let how = if can_share { "as instances of a group" } else { "as one copy each" };
        let text = format!("mesh shared by {count} nodes, {how}");
        context.losses.approximated(mesh_path(id), text);
        if can_share {
            context.groups.by_mesh.insert(id, None);
        }
    }
}

fn mesh_path(id: MeshId) -> String {
    format!("meshes[{}]", id.index())
}

/// Creates a group for every shared mesh.
pub(super) fn create_mesh_groups(
    context: &mut WriteContext<'_, '_, '_>,
    materials: &Materials,
) -> Result<(), WriteError> {
    let mut ids: Vec<MeshId> = context.groups.by_mesh.keys().copied().collect();
    ids.sort_unstable();
    let mut created = Vec::with_capacity(ids.len());
    for id in ids {
        created.push((id, add_mesh_group(context)?));
    }
    for (id, (group, node)) in created {
        write_new_mesh(context, node, id, materials, &mesh_path(id))?;
        context.groups.by_mesh.insert(id, Some(group));
    }
    Ok(())
}

/// Adds a group with a node for a mesh, and returns both.
fn add_mesh_group(context: &mut WriteContext<'_, '_, '_>) -> Result<(ElementId, ElementId), WriteError> {
    let group = context.editor.add_node(context.world, "CMapGroup")?;
    Ok((group, context.editor.add_node(group, "CMapMesh")?))
}

fn set_target(context: &mut WriteContext<'_, '_, '_>, instance: ElementId, group: ElementId) {
    context.set(instance, "target", Value::Element(Reference::Element(group)));
}

/// Writes a node with a shared mesh as an instance of its group.
pub(super) fn write_mesh_instance(context: &mut WriteContext<'_, '_, '_>, element: ElementId, id: MeshId) {
    let group = context.groups.by_mesh[&id].expect("groups of shared meshes were created before nodes are written");
    set_target(context, element, group);
}

/// Finds or creates a group for each new target of an instance.
pub(super) fn create_target_groups(context: &mut WriteContext<'_, '_, '_>) -> Result<(), WriteError> {
    let mut targets: Vec<NodeId> = Vec::new();
    let mut seen = HashSet::new();
    for reachable in &context.reachable {
        if let Content::Instance(target) = context.scene.nodes[reachable.id].content
            && !keeps_target(context, reachable.id, target)
            && seen.insert(target)
        {
            targets.push(target);
        }
    }
    let by_id: HashMap<NodeId, ReachableNode> = context.reachable.iter().map(|node| (node.id, *node)).collect();
    for target in targets {
        let reachable = by_id[&target];
        // Without an element the content does not exist in maps; the instance reports it.
        let Some(element) = context.element(target) else { continue };
        let is_group = context.element_ref(element).is_some_and(|node| node.is("CMapGroup"));
        let has_own_place = reachable.has_root || reachable.parent.is_some();
        let parent = context.parent_element(&reachable);
        let group = if is_group {
            element
        } else {
            let group = context.editor.add_node(context.world, "CMapGroup")?;
            context.groups.wrapped.insert(element, group);
            write_world_transform(context, group, &reachable.world);
            context.losses.approximated(node_path(target), "target of instances, wrapped in a group");
            group
        };
        if has_own_place {
            let instance = context.editor.add_node(parent, "CMapInstance")?;
            set_target(context, instance, group);
            write_world_transform(context, instance, &reachable.world);
            context
                .losses
                .approximated(node_path(target), "target of instances, shown in its own place by an instance");
        }
        context.groups.by_node.insert(target, group);
    }
    Ok(())
}

/// Returns `true` if an instance had the same target in the base.
fn keeps_target(context: &WriteContext<'_, '_, '_>, instance: NodeId, target: NodeId) -> bool {
    match context.old_node(instance).map(|old| &old.content) {
        Some(Content::Instance(old)) => context.old[target.index()] == Some(*old),
        _ => false,
    }
}

/// Writes the target of an instance.
pub(super) fn write_instance(context: &mut WriteContext<'_, '_, '_>, id: NodeId, element: ElementId, target: NodeId) {
    if keeps_target(context, id, target) {
        return;
    }
    match context.groups.by_node.get(&target).copied() {
        Some(group) => set_target(context, element, group),
        None => context.losses.dropped(node_path(id), "instance: its target cannot be stored in maps"),
    }
}

/// Writes a set of instances as nodes below a group. Meshes get groups of their own, models of the game become entities.
pub(super) fn write_instance_set(
    context: &mut WriteContext<'_, '_, '_>,
    reachable: &ReachableNode,
    element: ElementId,
    id: InstanceSetId,
    materials: &Materials,
) -> Result<(), WriteError> {
    let set = &context.scene.instance_sets[id];
    // Create all elements before any is written, so that numbers of nodes follow the order of the set.
    let mut groups: Vec<Option<(ElementId, ElementId)>> = Vec::with_capacity(set.models.len());
    for model in &set.models {
        groups.push(match model {
            Model::Mesh(_) => Some(add_mesh_group(context)?),
            Model::Reference(_) => None,
        });
    }
    let mut nodes: Vec<ElementId> = Vec::with_capacity(set.model.len());
    for &model in &set.model {
        nodes.push(match groups[model as usize] {
            Some(_) => context.editor.add_node(element, "CMapInstance")?,
            None => context.editor.add_entity(element, "prop_static")?,
        });
    }
    let path = node_path(reachable.id);
    for (model, group) in set.models.iter().zip(&groups) {
        if let (Model::Mesh(mesh), Some((group, node))) = (model, group) {
            write_world_transform(context, *group, &Transform::IDENTITY);
            write_new_mesh(context, *node, *mesh, materials, &path)?;
        }
    }
    for (index, (&model, node)) in set.model.iter().zip(nodes).enumerate() {
        let transform = set.transforms.get(index).expect("a checked set has a transform for each instance");
        write_world_transform(context, node, &reachable.world.compose(&transform));
        match (&set.models[model as usize], groups[model as usize]) {
            (Model::Mesh(_), Some((group, _))) => set_target(context, node, group),
            (Model::Reference(model), _) => {
                let model = context.without_zero_bytes(model);
                context.editor.set_key(node, "model", model)?;
            }
            (Model::Mesh(_), None) => unreachable!("each mesh has a group"),
        }
    }
    Ok(())
}

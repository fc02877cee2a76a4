//! Writes nodes: content, transform, properties, name and visibility.

use mapwright_dmx::{ElementId, Value};
use mapwright_scene::{Content, Node, Transform, Value as SceneValue};

use super::super::names::{self, HIDDEN_FLAGS};
use super::super::tile_surface::{first_layer, to_mesh};
use super::attributes::set_properties;
use super::context::{WriteContext, node_path};
use super::materials::Materials;
use super::meshes::{MeshNode, write_content};
use super::reachable::ReachableNode;
use super::{entities, game_objects, instances, lights, paths, placement, prefabs};
use crate::{HiddenFlags, WriteError};

/// Writes a node into its element, except for its children.
pub(super) fn write_node(
    context: &mut WriteContext<'_, '_, '_>,
    reachable: &ReachableNode,
    element: ElementId,
    materials: &Materials,
) -> Result<(), WriteError> {
    let node = &context.scene.nodes[reachable.id];
    let path = node_path(reachable.id);
    let old = context.old_node(reachable.id);
    let is_grid = context.element_ref(element).is_some_and(|node| node.is("CMapDotaTileGrid"));
    // Content first: it determines which attributes are not properties.
    let skip = match &node.content {
        // The element of a camera of the base is not a node.
        Content::Camera(_) if old.is_some() => return Ok(()),
        Content::Entity(id) => {
            entities::write_entity(context, element, *id, old, &path)?;
            &names::ENTITY[..]
        }
        Content::Light(id) => {
            lights::write_light(context, element, *id, old, &path);
            &names::LIGHT[..]
        }
        // The surface follows from the attributes.
        Content::Mesh(_) if is_grid => &[][..],
        Content::Mesh(id) if context.groups.is_shared(&node.content) => {
            instances::write_mesh_instance(context, element, *id);
            &names::INSTANCE[..]
        }
        content @ (Content::Mesh(_) | Content::Brush(_) | Content::Terrain(_)) => {
            let before = match (context.base, old.map(|old| &old.content), content) {
                (Some(base), Some(Content::Mesh(id)), Content::Mesh(_)) => Some(&base.scene.meshes[*id]),
                _ => None,
            };
            let old_world = context.old_world(reachable.id).unwrap_or(reachable.world);
            let mesh = MeshNode {
                element,
                world: reachable.world,
                shear: reachable.shear,
                before: before.map(|before| (before, old_world)),
                path: &path,
            };
            write_content(context, &mesh, content, materials)?;
            &names::MESH[..]
        }
        Content::Prefab(prefab) => {
            prefabs::write_prefab(context, element, prefab, old, &path);
            &names::PREFAB[..]
        }
        Content::Instance(target) => {
            instances::write_instance(context, reachable.id, element, *target);
            &names::INSTANCE[..]
        }
        Content::InstanceSet(id) => {
            instances::write_instance_set(context, reachable, element, *id, materials)?;
            &[][..]
        }
        Content::Marker => {
            entities::write_marker(context, element, node)?;
            &names::ENTITY[..]
        }
        Content::Path(id) => {
            paths::write_path(context, reachable, element, *id, old, &path)?;
            &names::PATH[..]
        }
        _ => &[][..],
    };
    placement::write_transform(context, reachable, element, &path);
    set_properties(context, element, &node.properties, old.map(|old| &old.properties), skip, &path);
    if let (true, Content::Mesh(id)) = (is_grid, &node.content)
        && (context.element_ref(element).and_then(first_layer).and_then(to_mesh).as_ref()
            != Some(&context.scene.meshes[*id])
            || reachable.shear != Transform::IDENTITY)
    {
        context.losses.dropped(path.as_str(), "changes of the surface of a tile grid");
    }
    game_objects::move_game_object(context, reachable, element, &path);
    // The fallback name depends on the content.
    write_name(context, element, node, old, &path)?;
    if old.map_or(node.locked, |old| old.locked != node.locked) {
        context.set(element, "transformLocked", Value::Bool(u8::from(node.locked)));
    }
    collect_visibility(context, element, node, old);
    Ok(())
}

fn write_name(
    context: &mut WriteContext<'_, '_, '_>,
    element: ElementId,
    node: &Node,
    old: Option<&Node>,
    path: &str,
) -> Result<(), WriteError> {
    if old.is_some_and(|old| old.name == node.name) {
        return Ok(());
    }
    if node.name.is_empty() {
        context.losses.synthesized(path, "name: derived from the kind of node");
    }
    let found = context.element_ref(element);
    let fallback = found.map(|node| names::text(names::fallback_name(node)));
    // A node that only has a name in the game is renamed there.
    let entity = found.filter(|node| node.name().is_empty()).and_then(|node| crate::Node(node).entity());
    let targetname = entity.map(|entity| names::text(entity.targetname())).filter(|name| !name.is_empty());
    let name = context.without_zero_bytes(&node.name);
    if old.is_some_and(|old| !node.name.is_empty() && targetname.as_ref() == Some(&old.name)) {
        return context.editor.set_key(element, "targetname", name);
    }
    let name = if fallback.as_ref() == Some(&node.name) { String::new() } else { name };
    context.editor.set_name(element, name)
}

/// Collects a node that becomes visible or hidden in the editor.
fn collect_visibility(context: &mut WriteContext<'_, '_, '_>, element: ElementId, node: &Node, old: Option<&Node>) {
    let stated = |node: &Node| {
        let flag = node.properties.get(HIDDEN_FLAGS).and_then(SceneValue::as_int);
        flag.and_then(|flag| i32::try_from(flag).ok())
    };
    let default = HiddenFlags::SELECTION_SET.0;
    let before = old.filter(|old| !old.visible).map_or(0, |old| stated(old).unwrap_or(default));
    let now = match stated(node) {
        _ if node.visible => 0,
        // The stated flag would not hide the node, so keep the one that does.
        Some(0) if before != 0 => before,
        Some(0) | None => default,
        Some(flag) => flag,
    };
    if before != now {
        context.hidden.push((element, HiddenFlags(now)));
    }
}

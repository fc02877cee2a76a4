//! Writes paths.

use mapwright_dmx::{ElementId, Value};
use mapwright_scene::transform::sub;
use mapwright_scene::{Content, Node, PathId, PathPoint, Transform};

use super::super::conventions::AXES;
use super::super::names;
use super::attributes::set_properties;
use super::context::WriteContext;
use super::reachable::ReachableNode;
use crate::WriteError;

/// Writes a path. Points that existed before are matched by index.
pub(super) fn write_path(
    context: &mut WriteContext<'_, '_, '_>,
    reachable: &ReachableNode,
    element: ElementId,
    id: PathId,
    old: Option<&Node>,
    path: &str,
) -> Result<(), WriteError> {
    let new = &context.scene.paths[id];
    let before = match (context.base, old.map(|old| &old.content)) {
        (Some(base), Some(Content::Path(id))) => Some(&base.scene.paths[*id]),
        _ => None,
    };
    if before.is_none_or(|before| before.closed != new.closed) && (new.closed || before.is_some()) {
        context.set(element, "closedLoop", Value::Bool(u8::from(new.closed)));
    }
    if !new.name.is_empty() {
        let text = format!("name {:?} of the path; maps only store the node's name", new.name);
        context.losses.dropped(path, text);
    }
    if !new.edges.is_empty() {
        context.losses.dropped(path, "edges of the path; paths of maps connect their points in order");
    }
    if !new.properties.is_empty() {
        context.losses.dropped(path, "properties of the path; maps only store the node's properties");
    }
    let elements = context.base.zip(context.old[reachable.id.index()]).and_then(|(base, old)| base.points.get(&old));
    let elements = elements.map(Vec::as_slice).unwrap_or_default();
    let is_moved = context.old_world(reachable.id) != Some(reachable.world);
    for (index, point) in new.points.iter().enumerate() {
        let existing = elements.get(index).copied();
        let was = before.and_then(|before| before.points.get(index)).filter(|_| existing.is_some());
        let element = match existing {
            Some(element) => element,
            None => context.editor.add_node(element, "CMapPathNode")?,
        };
        if was != Some(point) || is_moved {
            write_point(context, &reachable.world, element, (point, was), is_moved, path);
        }
    }
    for &element in elements.iter().skip(new.points.len()) {
        context.editor.remove(element)?;
    }
    Ok(())
}

fn write_point(
    context: &mut WriteContext<'_, '_, '_>,
    world: &Transform,
    element: ElementId,
    (point, was): (&PathPoint, Option<&PathPoint>),
    is_moved: bool,
    path: &str,
) {
    let to_map = AXES.inverse();
    if is_moved || was.is_none_or(|was| was.position != point.position) {
        let position = to_map.apply(world.point(point.position)).map(|c| context.narrow(c));
        context.set(element, "origin", Value::Vector3(position));
    }
    // A translation of the path does not change its tangents.
    let is_rotated = is_moved && world.linear() != Transform::IDENTITY.linear();
    if was.is_none_or(|was| was.tangents != point.tangents) || (is_rotated && point.tangents.is_some()) {
        for (name, tangent) in names::POINT.into_iter().zip(point.tangents.unwrap_or_default()) {
            let tangent = sub(world.point(tangent), world.origin());
            let tangent = to_map.apply(tangent).map(|c| context.narrow(c));
            context.set(element, name, Value::Vector3(tangent));
        }
    }
    set_properties(context, element, &point.properties, was.map(|was| &was.properties), &names::POINT, path);
}

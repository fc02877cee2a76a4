//! Writes transforms.

use mapwright_dmx::{ElementId, Value};
use mapwright_scene::{Content, Node, Transform, angles};

use super::super::conventions::narrow;
use super::super::transforms;
use super::context::WriteContext;
use super::reachable::ReachableNode;

/// Origin, rotation and scales in the axes of maps.
type MapTransform = ([f64; 3], [f64; 4], [f64; 3]);

/// Writes the parts of a node's transform that changed.
pub(super) fn write_transform(
    context: &mut WriteContext<'_, '_, '_>,
    reachable: &ReachableNode,
    element: ElementId,
    path: &str,
) {
    let without_light_rotation = |world: &Transform, node: &Node| match node.content {
        Content::Light(_) => world.turned(&angles::MINUS_Z_TO_X),
        _ => *world,
    };
    let old_node = context.old_node(reachable.id);
    let old = context.old_world(reachable.id).zip(old_node).map(|(world, old)| without_light_rotation(&world, old));
    let world = without_light_rotation(&reachable.world, &context.scene.nodes[reachable.id]);
    if old == Some(world) {
        return;
    }
    if element == context.world && old.is_some() {
        context.losses.dropped(path, "transform of the world, which cannot move");
        return;
    }
    let (origin, rotation, scale) = to_map_or_nearest(context, &world, path);
    let before = old.as_ref().and_then(transforms::to_map);
    let is_far = |a: &[f64], b: &[f64]| a.iter().zip(b).any(|(a, b)| (a - b).abs() > 1e-9 * a.abs().max(1.0));
    let is_new = old.is_none();
    if before.as_ref().is_none_or(|(old, _, _)| is_far(old, &origin)) {
        let value = origin.map(|c| context.narrow(c));
        let value = with_old_signs(context, element, "origin", value);
        context.set_unless_default(element, "origin", Value::Vector3(value), &Value::Vector3([0.0; 3]), is_new);
    }
    let is_same_rotation = |old: &[f64; 4]| {
        let along: f64 = old.iter().zip(&rotation).map(|(a, b)| a * b).sum();
        along.abs() > 1.0 - 1e-15
    };
    if !before.as_ref().is_some_and(|(_, old, _)| is_same_rotation(old)) {
        let value = angles::from_rotation(rotation).map(narrow);
        let value = with_old_signs(context, element, "angles", value);
        context.set_unless_default(element, "angles", Value::QAngle(value), &Value::QAngle([0.0; 3]), is_new);
    }
    if before.as_ref().is_none_or(|(_, _, old)| is_far(old, &scale)) {
        let value = scale.map(|c| context.narrow(c));
        context.set_unless_default(element, "scales", Value::Vector3(value), &Value::Vector3([1.0; 3]), is_new);
    }
}

/// Writes the transform of an element that is not a node of the scene.
pub(super) fn write_world_transform(context: &mut WriteContext<'_, '_, '_>, element: ElementId, world: &Transform) {
    let (origin, rotation, scale) = to_map_or_nearest(context, world, "");
    let origin = origin.map(|c| context.narrow(c));
    let scale = scale.map(|c| context.narrow(c));
    context.set(element, "origin", Value::Vector3(origin));
    context.set(element, "angles", Value::QAngle(angles::from_rotation(rotation).map(narrow)));
    context.set(element, "scales", Value::Vector3(scale));
}

fn to_map_or_nearest(context: &mut WriteContext<'_, '_, '_>, world: &Transform, path: &str) -> MapTransform {
    transforms::to_map(world).unwrap_or_else(|| {
        context.losses.approximated(path, "sheared or collapsed transform, as the nearest origin, angles and scales");
        transforms::nearest_to_map(world)
    })
}

/// Gives zeros the sign that they have in an attribute, so that −0 is not changed to 0.
fn with_old_signs(
    context: &mut WriteContext<'_, '_, '_>,
    element: ElementId,
    name: &str,
    mut new: [f32; 3],
) -> [f32; 3] {
    let old = match context.element_ref(element).and_then(|element| element.get(name)) {
        Some(Value::Vector3(old) | Value::QAngle(old)) => *old,
        _ => [0.0; 3],
    };
    for (new, old) in new.iter_mut().zip(old) {
        *new = if *new == old { old } else { *new + 0.0 };
    }
    new
}

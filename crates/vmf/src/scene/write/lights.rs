//! Lights → entities.

use mapwright_scene::{LightId, LightKind, Visit, angles};

use super::entities::{Placement, other_keys, placement_keys, push_entity};
use super::plan::{Plan, Surroundings};
use crate::scene::conventions::format_number;
use crate::scene::light_keys::{class_of_light, keys_from_light};
use crate::scene::names::{CLASS, COMMENTS};

/// Plans the entity of a light.
pub(super) fn plan_light<'a>(plan: &mut Plan<'a>, visit: &Visit<'a>, id: LightId, around: Surroundings, path: &str) {
    let Some(light) = plan.scene.lights.get(id) else { return };
    // The capabilities report ambient light.
    if light.kind == LightKind::Ambient {
        return;
    }
    let (class, kind) = class_of_light(light);
    let (properties, is_exact) = keys_from_light(light);
    if !is_exact {
        plan.losses.approximated(path, "light, as far as its keys can represent it");
    }
    let stated = light.properties.get(CLASS).and_then(|value| value.as_text());
    if stated.is_some_and(|stated| stated != class) {
        plan.losses.approximated(path, format!("class of the light, as {class}"));
    }
    let world = visit.world.turned(&angles::MINUS_Z_TO_X);
    let placement = if kind.has_direction() { Placement::Turned } else { Placement::Upright };
    let mut keys = placement_keys(plan, &world, placement, path);
    if kind.has_direction() {
        // The pitch of lights points up, and replaces that of the angles.
        let pitch = world.to_trs().map_or(0.0, |(_, rotation, _)| {
            let [pitch, _, _] = angles::from_rotation(crate::scene::AXES.inverse().rotation(rotation));
            pitch
        });
        keys.push(("pitch".to_owned(), format_number(-pitch)));
    }
    let others = other_keys(plan, &properties, &keys, path);
    keys.extend(others);
    if light.target.is_some() {
        plan.losses.approximated(path, "target point of the light, as its direction");
    }
    plan.report_properties(visit.node, &[COMMENTS], path);
    let class = class.to_owned();
    push_entity(plan, visit, &class, keys, Vec::new(), around, path);
}

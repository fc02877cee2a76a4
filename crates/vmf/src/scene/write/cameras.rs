//! Cameras.

use mapwright_scene::{Camera, CameraId, Projection, Visit};

use super::plan::{Plan, PlannedCamera};
use crate::scene::conventions::{format_point, round_noise};
use crate::scene::names::{ACTIVE, CAMERA};
use crate::scene::parts::Part;

/// Plans a camera of the editor.
pub(super) fn plan_camera<'a>(plan: &mut Plan<'a>, visit: &Visit<'a>, id: CameraId, path: &str) {
    let Some(camera) = plan.scene.cameras.get(id) else { return };
    let node = visit.node;
    let source = plan.source(node, Part::Camera);
    if !visit.visible {
        plan.losses.dropped(path, "hidden camera: the camera is visible");
    }
    if node.name != CAMERA && !node.name.is_empty() {
        plan.losses.dropped(path, "name of the camera");
    }
    let usual = Camera::default();
    if camera.projection != usual.projection
        || camera.near != usual.near
        || camera.far.is_some()
        || camera.aspect.is_some()
    {
        plan.losses.dropped(path, "projection of the camera");
    }
    if matches!(camera.projection, Projection::Orthographic { .. }) {
        plan.losses.dropped(path, "orthographic projection of the camera");
    }
    for (key, _) in camera.properties.iter() {
        plan.losses.dropped(path, format!("property {key}"));
    }
    plan.report_properties(node, &[ACTIVE], path);
    let position = visit.world.origin();
    // The target is in the space of the parent.
    let target = camera.target.filter(|_| visit.parent.is_none()).unwrap_or_else(|| {
        let forward = visit.world.vector([0.0, 0.0, -1.0]);
        let ahead = mapwright_scene::transform::normalize(forward).unwrap_or([0.0, 0.0, -1.0]);
        std::array::from_fn(|axis| {
            let (from, step) = (position.get(axis).copied(), ahead.get(axis).copied());
            round_noise(from.unwrap_or_default() + step.unwrap_or_default() * 64.0)
        })
    });
    let is_active = node.properties.get(ACTIVE).and_then(mapwright_scene::Value::as_bool).unwrap_or(false);
    let [position, target] = [position, target].map(|point| format!("[{}]", format_point(point)));
    plan.cameras.push(PlannedCamera { source, position, target, is_active });
}

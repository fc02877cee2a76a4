//! Reads paths and cables.

use mapwright_dmx::{ElementId, ElementRef, Value};
use mapwright_scene::{Content, Path, PathId, PathPoint, Transform};

use super::super::conventions::to_scene_point;
use super::super::names;
use super::context::ReadContext;
use super::properties::read_properties;

/// Reads a path without its points.
pub(super) fn read_path(context: &mut ReadContext<'_>, element: ElementRef<'_>) -> Content {
    let closed = matches!(element.get("closedLoop"), Some(Value::Bool(flag)) if *flag != 0);
    Content::Path(context.linked.scene.paths.push(Path { closed, ..Path::default() }))
}

/// Reads the points of a path with the transform `world`. Points store absolute positions. The space of tangents is unknown; they are
/// taken as absolute, too.
pub(super) fn read_points(context: &mut ReadContext<'_>, path: PathId, world: &Transform, points: &[ElementId]) {
    let collapses = !world.determinant().is_normal();
    let mut list = Vec::with_capacity(points.len());
    let mut lost = 0_usize;
    for element in points.iter().filter_map(|&id| context.graph.element(id)) {
        let vector = |name| if let Some(Value::Vector3(v)) = element.get(name) { *v } else { [0.0; 3] };
        let relative = |point: [f64; 3]| {
            let point = if collapses { return Some(point) } else { Transform::translation(point) };
            point.relative_to(world).map(|relative| relative.origin())
        };
        let origin = relative(to_scene_point(vector("origin")));
        let [into, out] = ["inTangent", "outTangent"].map(|name| to_scene_point(vector(name)));
        let is_straight = into == [0.0; 3] && out == [0.0; 3];
        let tangent = |t: [f64; 3]| {
            let [start, end] = [relative([0.0; 3])?, relative(t)?];
            Some(mapwright_scene::transform::sub(end, start))
        };
        let tangents = if is_straight { None } else { tangent(into).zip(tangent(out)).map(|(a, b)| [a, b]) };
        let finite = |p: &[f64; 3]| p.iter().all(|c| c.is_finite());
        let position = origin.filter(finite);
        lost += usize::from(position.is_none());
        list.push(PathPoint {
            position: position.unwrap_or_default(),
            tangents: tangents.filter(|tangents| tangents.iter().all(finite)),
            properties: read_properties(context, element, &names::POINT),
        });
    }
    if lost > 0 {
        let count = names::with_count(lost, "point");
        context.losses.repaired("paths", format!("{count} with a non-finite position, moved to the origin"));
    }
    if let Some(path) = context.linked.scene.paths.get_mut(path) {
        path.points = list;
    }
}

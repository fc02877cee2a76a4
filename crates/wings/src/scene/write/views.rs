//! Cameras → views.

use mapwright_scene::{Camera, Content, Node, Projection, Scene, Visit, transform};

use super::context::{Entry, WriteContext, write_entries};
use super::terms::{set_float, set_floats, to_degrees};
use crate::document::build;
use crate::scene::orbit::{AZIMUTH, DISTANCE, ELEVATION, Orbit, TRACKING};
use crate::scene::report::report_unread;
use crate::{PropList, View, WriteError};

/// Writes the cameras.
pub(super) fn write_views<'a>(context: &mut WriteContext<'a>, visits: &[Visit<'a>]) -> Result<(), WriteError> {
    let olds = context.model.views();
    let content = |scene: &'a Scene, content: &Content| match content {
        Content::Camera(id) => scene.cameras.get(*id),
        _ => None,
    };
    let views = write_entries(context, "views", &olds, visits, content, |context, view, entry| {
        let mut view = view.unwrap_or(View { props: PropList::default() });
        if entry.visit.parent.is_some() {
            context.losses.approximated(&entry.path, "camera in a group, moved out of it");
        }
        if !entry.is_unchanged() {
            write_view(context, &mut view, entry)?;
        }
        Ok(view)
    })?;
    if views != olds {
        // The number of the current view is wrong if a view before it was removed.
        if views.len() < olds.len() {
            context.model.set_current_view(None)?;
        }
        report_unread(&context.model, "views", olds.len(), &mut context.losses);
        context.model.set_views(&views)?;
    }
    Ok(())
}

/// Writes the differences from the old camera, or everything if there is none.
fn write_view(
    context: &mut WriteContext<'_>,
    view: &mut View,
    entry: &Entry<'_, '_, Camera>,
) -> Result<(), WriteError> {
    let Entry { visit, content: new, old, path } = entry;
    let node = visit.node;
    if old.is_none_or(|(old, _)| old.name != node.name) {
        view.props.set("name", &build(|term| term.text(&node.name))?)?;
    }
    if !visit.visible || node.locked {
        context.losses.dropped(path, "hidden or locked camera");
    }
    let is_moved = |(old_node, old): (&Node, &Camera)| {
        old_node.transform != node.transform || old.target != new.target || old.properties != new.properties
    };
    if old.is_none_or(is_moved) || visit.parent.is_some() {
        let orbit = find_orbit(context, visit, new, path);
        set_floats(&mut view.props, "aim", &orbit.target.map(|c| 0.0 - c))?;
        set_float(&mut view.props, DISTANCE, orbit.distance)?;
        set_float(&mut view.props, AZIMUTH, orbit.azimuth)?;
        set_float(&mut view.props, ELEVATION, orbit.elevation)?;
        set_floats(&mut view.props, TRACKING, &orbit.tracking)?;
    }
    if old.is_none_or(|(_, old)| old.projection != new.projection) {
        let fov = match new.projection {
            Projection::Perspective { fov_y } => to_degrees(fov_y),
            Projection::Orthographic { .. } => 45.0,
        };
        set_float(&mut view.props, "fov", fov)?;
    }
    if old.is_none_or(|(_, old)| old.near != new.near) {
        set_float(&mut view.props, "hither", new.near)?;
    }
    if old.is_none_or(|(_, old)| old.far != new.far) {
        if new.far.is_none() {
            context.losses.synthesized(path, "far plane at 10000");
        }
        set_float(&mut view.props, "yon", new.far.unwrap_or(10_000.0))?;
    }
    if new.aspect.is_some() {
        context.losses.dropped(path, "aspect ratio of the image");
    }
    Ok(())
}

/// Returns the orbit among the properties if it gives the transform of the camera. Otherwise computes one.
fn find_orbit(context: &mut WriteContext<'_>, visit: &Visit<'_>, new: &Camera, path: &str) -> Orbit {
    let stored = new.target.and_then(|target| Orbit::from_properties(&new.properties, target));
    if let Some(stored) = stored
        && visit.parent.is_none()
        && stored.transform() == visit.node.transform
    {
        // The orbit itself has four properties.
        if new.properties.len() > 4 {
            context.losses.dropped(path, "properties of the camera");
        }
        return stored;
    }
    if !new.properties.is_empty() {
        context.losses.dropped(path, "properties of the camera that contradict its position");
    }
    let target = match new.target {
        Some(target) => context.world(visit.parent).point(target),
        None => {
            let forward = transform::normalize(visit.world.vector([0.0, 0.0, -1.0])).unwrap_or([0.0, 0.0, -1.0]);
            transform::add(visit.world.origin(), transform::scale(forward, 8.0))
        }
    };
    context.losses.synthesized(path, "orbit of the camera: angles and the point it turns around");
    let (orbit, is_rolled) = Orbit::from_transform(&visit.world, target);
    if is_rolled {
        context.losses.approximated(path, "roll of the camera, turned upright");
    }
    orbit
}

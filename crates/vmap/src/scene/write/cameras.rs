//! Writes cameras as stored cameras of the editor.

use mapwright_dmx::{ElementId, ElementRef, Reference, Value};
use mapwright_scene::{Camera, Content, Node, Transform, transform};

use super::super::conventions::AXES;
use super::super::stored_cameras::{DEFAULT_NAMES, DEFAULT_VIEW, view};
use super::context::{WriteContext, node_path};
use super::reachable::ReachableNode;

/// The largest difference of a direction that is not reported.
const DIRECTION_ERROR: f64 = 5e-7;

/// Writes the cameras. The first new one becomes the editor's own camera if that still has its default position.
pub(super) fn write_cameras(context: &mut WriteContext<'_, '_, '_>) {
    let Some(root) = context.element_ref(ElementId::ROOT) else { return };
    let own_camera = root.child("defaultcamera");
    let mut unused_camera = own_camera.filter(|camera| view(*camera) == DEFAULT_VIEW).map(ElementRef::id);
    let own_camera = own_camera.map(ElementRef::id);
    let list = root.child("3dcameras").map(ElementRef::id);
    let mut added: Vec<Reference> = Vec::new();
    for index in 0..context.reachable.len() {
        let reachable = context.reachable[index];
        let node = &context.scene.nodes[reachable.id];
        let Content::Camera(id) = node.content else { continue };
        if reachable.parent.is_some() {
            context.losses.approximated(node_path(reachable.id), "camera in a group, moved out of it");
        }
        let old = context.old_node(reachable.id);
        let existing = context.element(reachable.id).filter(|_| old.is_some());
        let element = existing.or_else(|| unused_camera.take()).unwrap_or_else(|| {
            let element = context.editor.create("CStoredCamera", "").expect("the schema has stored cameras");
            added.push(Reference::Element(element));
            element
        });
        let default_name = DEFAULT_NAMES[usize::from(Some(element) != own_camera)];
        let has_new_name = old.is_none_or(|old| old.name != node.name);
        if has_new_name && (old.is_some() || node.name != default_name) {
            let name = context.without_zero_bytes(&node.name);
            let graph = context.editor.graph_mut();
            graph.elements[element.index()].name = graph.intern(name);
        }
        write_camera(context, &reachable, &context.scene.cameras[id], element, old);
        context.elements[reachable.id.index()] = Some(element);
    }
    update_camera_list(context, list, added);
    // If the scene no longer has the editor's own camera, reset it: the map must have one.
    if let Some(camera) = own_camera.filter(|camera| context.removed_elements().contains(camera)) {
        context.set(camera, "position", Value::Vector3(DEFAULT_VIEW.0));
        context.set(camera, "lookat", Value::Vector3(DEFAULT_VIEW.1));
    }
}

fn write_camera(
    context: &mut WriteContext<'_, '_, '_>,
    reachable: &ReachableNode,
    camera: &Camera,
    element: ElementId,
    old: Option<&Node>,
) {
    let path = node_path(reachable.id);
    let before = match (context.base, old.map(|old| &old.content)) {
        (Some(base), Some(Content::Camera(id))) => Some(&base.scene.cameras[*id]),
        _ => None,
    };
    if old.is_some_and(|old| old.transform == context.scene.nodes[reachable.id].transform) && before == Some(camera) {
        return;
    }
    let position = reachable.world.origin();
    let ahead = transform::normalize(reachable.world.vector([0.0, 0.0, -1.0])).unwrap_or([0.0, 0.0, -1.0]);
    // The target is relative to the parent.
    let parent = context.reachable.iter().find(|node| Some(node.id) == reachable.parent);
    let parent_world = parent.map_or(Transform::IDENTITY, |parent| parent.world);
    let target = camera.target.map(|target| parent_world.point(target));
    // Ignore a target beside the direction of view: the camera was rotated after the target was set.
    let target = target.filter(|target| {
        transform::normalize(transform::sub(*target, position))
            .is_some_and(|towards| transform::dot(towards, ahead) > 1.0 - 1e-6)
    });
    if target.is_none() {
        context.losses.synthesized(&path, "target point of the camera");
    }
    let target = target.unwrap_or_else(|| transform::add(position, ahead));
    let plain = Camera { target: camera.target, ..Camera::default() };
    if before.is_none() && *camera != plain {
        context.losses.dropped(&path, "lens and properties of the camera");
    }
    let towards = transform::normalize(transform::sub(target, position)).unwrap_or_default();
    let to_map = AXES.inverse();
    let [position, target] = [position, target].map(|point| to_map.apply(point).map(|c| context.narrow(c)));
    let stored = transform::sub(target.map(f64::from), position.map(f64::from));
    let stored = AXES.apply(transform::normalize(stored).unwrap_or_default());
    if (0..3).any(|axis| (stored[axis] - towards[axis]).abs() > DIRECTION_ERROR) {
        context.losses.approximated(&path, "direction of the camera, between points of single precision");
    }
    context.set(element, "position", Value::Vector3(position));
    context.set(element, "lookat", Value::Vector3(target));
}

/// Removes old cameras from the list and adds new ones.
fn update_camera_list(context: &mut WriteContext<'_, '_, '_>, list: Option<ElementId>, added: Vec<Reference>) {
    let Some(list) = list else {
        if !added.is_empty() {
            context.losses.dropped("cameras", "cameras: the map has no list of cameras");
        }
        return;
    };
    let removed = context.removed_elements();
    let old = match context.element_ref(list).and_then(|list| list.get("cameras")) {
        Some(Value::ElementArray(old)) => old.to_vec(),
        _ => Vec::new(),
    };
    let mut new: Vec<Reference> = Vec::with_capacity(old.len() + added.len());
    for &reference in &old {
        match reference {
            Reference::Element(camera) if removed.contains(&camera) => context.editor.discard(camera),
            _ => new.push(reference),
        }
    }
    new.extend(added);
    if new != old {
        context.set(list, "cameras", Value::ElementArray(new.into()));
    }
}

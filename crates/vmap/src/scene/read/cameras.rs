//! Reads the cameras of the editor.

use mapwright_dmx::ElementRef;
use mapwright_scene::{Camera, Content, Node, Transform, transform};

use super::super::conventions::to_scene_point;
use super::super::stored_cameras::{DEFAULT_NAMES, DEFAULT_VIEW, view};
use super::context::ReadContext;

/// Reads the editor's own camera and those that the user stored.
pub(super) fn read_cameras<'a>(context: &mut ReadContext<'a>, root: ElementRef<'a>) {
    let [own_name, stored_name] = DEFAULT_NAMES;
    let own = root.child("defaultcamera").filter(|camera| view(*camera) != DEFAULT_VIEW);
    let stored = root.child("3dcameras").into_iter().flat_map(|list| list.children("cameras"));
    let cameras = own.into_iter().map(|camera| (camera, own_name));
    for (camera, default_name) in cameras.chain(stored.map(|camera| (camera, stored_name))) {
        if !context.values.used.insert(camera.id()) {
            context.losses.dropped("3dcameras", "repeated reference to a camera");
            continue;
        }
        let (position, target) = view(camera);
        if !position.iter().chain(&target).all(|c| c.is_finite()) {
            context.losses.dropped("3dcameras", "camera with non-finite coordinates");
            continue;
        }
        let (position, target) = (to_scene_point(position), to_scene_point(target));
        let rotation = Transform::looking_along(transform::sub(target, position));
        let id = context.linked.scene.cameras.push(Camera { target: Some(target), ..Camera::default() });
        let name = if camera.name().is_empty() { default_name.as_bytes() } else { camera.name() };
        let name = context.values.text(name).unwrap_or_default();
        let node = Node {
            transform: Transform::Trs { translation: position, rotation, scale: [1.0; 3] },
            ..Node::new(name, Content::Camera(id))
        };
        context.add_node(camera.id(), None, Some(None), node);
    }
}

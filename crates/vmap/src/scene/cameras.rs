//! Stored cameras of the editor.

use mapwright_dmx::{ElementId, ElementRef, Reference, Value};
use mapwright_scene::{Camera, Content, Node, Transform, transform};

use super::AXES;
use super::from::{Writer, path};
use super::live::Live;
use super::to::{Reader, point};
use crate::WriteError;

/// Where a new map has its camera, and what it looks at. Such a camera is not worth a node.
pub(super) const NEW: ([f32; 3], [f32; 3]) = ([0.0, -1000.0, 1000.0], [0.0; 3]);

/// Reads the camera of the editor and those that it keeps.
pub(super) fn read<'a>(reader: &mut Reader<'a>, root: ElementRef<'a>) {
    let first = root.child("defaultcamera").filter(|camera| places(*camera) != NEW);
    let kept: Vec<ElementRef<'a>> =
        root.child("3dcameras").map(|list| list.children("cameras").collect()).unwrap_or_default();
    let default = first.into_iter().map(|camera| (camera, "default camera"));
    for (camera, usual) in default.chain(kept.into_iter().map(|camera| (camera, "camera"))) {
        if !reader.values.seen.insert(camera.id()) {
            reader.reading.losses.dropped("3dcameras", "another reference to a camera");
            continue;
        }
        let (position, target) = places(camera);
        if !position.iter().chain(&target).all(|c| c.is_finite()) {
            reader.reading.losses.dropped("3dcameras", "a camera that is nowhere");
            continue;
        }
        let (position, target) = (point(position), point(target));
        let rotation = Transform::looking_along(transform::sub(target, position));
        let id = reader.reading.scene.cameras.push(Camera { target: Some(target), ..Camera::default() });
        let name = if camera.name().is_empty() { usual.as_bytes() } else { camera.name() };
        let name = reader.values.text(name).unwrap_or_default();
        let node = Node {
            transform: Transform::Trs { translation: position, rotation, scale: [1.0; 3] },
            ..Node::new(name, Content::Camera(id))
        };
        reader.add(camera.id(), None, Some(None), node);
    }
}

fn places(camera: ElementRef<'_>) -> ([f32; 3], [f32; 3]) {
    let place = |name, usual| if let Some(Value::Vector3(place)) = camera.get(name) { *place } else { usual };
    (place("position", NEW.0), place("lookat", NEW.1))
}

/// What a camera that is not the editor's own is called.
const USUAL_NAMES: [&str; 2] = ["default camera", "camera"];

impl Writer<'_, '_, '_> {
    /// Writes the cameras: the first new one is the editor's own if that still is where a new map has it.
    pub(super) fn cameras(&mut self) -> Result<(), WriteError> {
        let Some(root) = self.editor.map().graph().root() else { return Ok(()) };
        let default = root.child("defaultcamera");
        let mut free = default.filter(|camera| places(*camera) == NEW).map(ElementRef::id);
        let list = root.child("3dcameras").map(ElementRef::id);
        let mut added: Vec<Reference> = Vec::new();
        for index in 0..self.live.len() {
            let Some(&live) = self.live.get(index) else { break };
            let Some(node) = self.scene.nodes.get(live.id) else { continue };
            let Content::Camera(id) = node.content else { continue };
            let Some(camera) = self.scene.cameras.get(id) else { continue };
            if live.parent.is_some() {
                self.losses.approximated(path(live.id), "a camera in a group, beside it");
            }
            let old = self.old_node(live.id);
            let element = match self.element(live.id).filter(|_| old.is_some()) {
                Some(element) => element,
                None => match free.take() {
                    Some(element) => element,
                    None => {
                        let Some(element) = self.editor.make("CStoredCamera", "") else { continue };
                        added.push(Reference::Element(element));
                        element
                    }
                },
            };
            self.camera(&live, node, camera, element, old);
            if let Some(place) = self.elements.get_mut(live.id.index()) {
                *place = Some(element);
            }
        }
        self.list_cameras(list, added);
        self.free_camera();
        Ok(())
    }

    fn camera(&mut self, live: &Live, node: &Node, camera: &Camera, element: ElementId, old: Option<&Node>) {
        let path = path(live.id);
        let before = old.and_then(|old| match old.content {
            Content::Camera(id) => self.base?.scene.cameras.get(id),
            _ => None,
        });
        if old.is_none_or(|old| old.name != node.name) && !USUAL_NAMES.contains(&node.name.as_str()) {
            let name = self.plain(&node.name);
            let graph = self.editor.graph_mut();
            let name = graph.intern(name);
            if let Some(element) = graph.elements.get_mut(element.index()) {
                element.name = name;
            }
        }
        if old.is_some_and(|old| old.transform == node.transform) && before == Some(camera) {
            return;
        }
        let position = live.world.origin();
        let ahead = transform::normalize(live.world.vector([0.0, 0.0, -1.0])).unwrap_or([0.0, 0.0, -1.0]);
        let back = AXES.inverse();
        // The target stands in the space of the parent.
        let above = self.live.iter().find(|above| Some(above.id) == live.parent).map(|above| above.world);
        let target = camera.target.map(|target| above.unwrap_or(Transform::IDENTITY).point(target));
        // A target that the camera does not look at counts for nothing: the camera was turned.
        let target = target.filter(|target| {
            transform::normalize(transform::sub(*target, position))
                .is_some_and(|towards| transform::dot(towards, ahead) > 1.0 - 1e-6)
        });
        if target.is_none() {
            self.losses.synthesized(&path, "the point that the camera looks at");
        }
        let target = target.unwrap_or_else(|| transform::add(position, ahead));
        let plain = Camera { target: camera.target, ..Camera::default() };
        if before.is_none() && *camera != plain {
            self.losses.dropped(&path, "lens and properties of the camera");
        }
        let [position, target] = [position, target].map(|place| back.apply(place).map(|c| self.narrow(c)));
        self.set(element, "position", Value::Vector3(position));
        self.set(element, "lookat", Value::Vector3(target));
    }

    /// Lists the cameras that are still there, and new ones.
    fn list_cameras(&mut self, list: Option<ElementId>, added: Vec<Reference>) {
        let Some(list) = list else {
            if !added.is_empty() {
                self.losses.dropped("cameras", "cameras, for which the map has no list");
            }
            return;
        };
        let gone = self.gone();
        let old = match self.editor.map().graph().element(list).and_then(|list| list.get("cameras")) {
            Some(Value::ElementArray(old)) => old.to_vec(),
            _ => Vec::new(),
        };
        let is_gone = |reference: &Reference| matches!(reference, Reference::Element(id) if gone.contains(id));
        let new: Vec<Reference> = old.iter().filter(|reference| !is_gone(reference)).copied().chain(added).collect();
        for reference in old.iter().filter(|reference| is_gone(reference)) {
            if let Reference::Element(camera) = reference {
                self.editor.discard(*camera);
            }
        }
        if new != old {
            self.set(list, "cameras", Value::ElementArray(new.into()));
        }
    }

    /// Puts the editor's own camera back where a new map has it, if the scene has none for it any more.
    fn free_camera(&mut self) {
        let root = self.editor.map().graph().root();
        let default = root.and_then(|root| root.child("defaultcamera")).map(ElementRef::id);
        if let Some(camera) = default.filter(|camera| self.gone().contains(camera)) {
            self.set(camera, "position", Value::Vector3(NEW.0));
            self.set(camera, "lookat", Value::Vector3(NEW.1));
        }
    }

    /// Elements of the base that no node of the scene has.
    fn gone(&self) -> Vec<ElementId> {
        let kept: std::collections::HashSet<ElementId> = self.elements.iter().flatten().copied().collect();
        let all = self.base.map_or(&[][..], |base| base.elements.as_slice());
        all.iter().copied().filter(|element| !kept.contains(element)).collect()
    }
}

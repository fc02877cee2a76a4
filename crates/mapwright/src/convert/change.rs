//! What is changed between reading and writing: size, axes, what is taken along.

use std::collections::HashSet;

use mapwright_scene::{Content, NodeId, Scene, Transform};

use super::ConvertOptions;
use crate::{Error, Format};

/// An axis that points up.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Axis {
    /// Y: glTF, Wings 3D, Maya.
    #[default]
    Y,
    /// Z: CAD, Blender, most game levels.
    Z,
}

/// Changes the scene as the options say.
pub(super) fn apply(scene: &mut Scene, to: Format, options: &ConvertOptions) -> Result<(), Error> {
    if !options.only.is_empty() {
        keep_only(scene, &options.only)?;
    }
    if options.hidden && !has_hidden_nodes(to) {
        scene.nodes.iter_mut().for_each(|(_, node)| node.visible = true);
    }
    if options.target_up == Axis::Z && is_y_up(to) {
        return Err(Error::Unsupported { format: to, what: "written with Z up: their specification says Y" });
    }
    let turn = turn(options.source_up, options.target_up);
    let size = Transform::Trs { translation: [0.0; 3], rotation: [0.0, 0.0, 0.0, 1.0], scale: [options.scale; 3] };
    let around = size.then(&turn);
    if !around.is_identity() {
        if !(options.scale.is_finite() && options.scale > 0.0) {
            return Err(Error::Scale(options.scale));
        }
        move_roots(scene, &around);
    }
    Ok(())
}

/// Whether hidden nodes can be written as what they are.
fn has_hidden_nodes(format: Format) -> bool {
    match format {
        #[cfg(feature = "wings")]
        Format::Wings => true,
        #[cfg(feature = "gltf")]
        Format::Glb | Format::Gltf => true,
        _ => false,
    }
}

/// Whether a format fixes its axes. OBJ does not, and Wings 3D says nothing in the file.
fn is_y_up(format: Format) -> bool {
    match format {
        #[cfg(feature = "gltf")]
        Format::Glb | Format::Gltf => true,
        _ => false,
    }
}

/// From the source's frame to that of the target. Only zeros and ones, so that coordinates keep their digits.
fn turn(source: Axis, target: Axis) -> Transform {
    match (source, target) {
        (Axis::Y, Axis::Y) | (Axis::Z, Axis::Z) => Transform::IDENTITY,
        // (x, y, z) → (x, z, −y)
        (Axis::Z, Axis::Y) => {
            Transform::Matrix([[1.0, 0.0, 0.0, 0.0], [0.0, 0.0, -1.0, 0.0], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 0.0, 1.0]])
        }
        // (x, y, z) → (x, −z, y)
        (Axis::Y, Axis::Z) => {
            Transform::Matrix([[1.0, 0.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0], [0.0, -1.0, 0.0, 0.0], [0.0, 0.0, 0.0, 1.0]])
        }
    }
}

/// Puts a transform around the whole scene, without a node for it: formats would show that as a folder.
fn move_roots(scene: &mut Scene, around: &Transform) {
    for &root in &scene.roots {
        let Some(node) = scene.nodes.get_mut(root) else { continue };
        node.transform = around.then(&node.transform);
        // Targets are in the space around the node.
        let target = match node.content {
            Content::Light(id) => scene.lights.get_mut(id).and_then(|light| light.target.as_mut()),
            Content::Camera(id) => scene.cameras.get_mut(id).and_then(|camera| camera.target.as_mut()),
            _ => None,
        };
        if let Some(target) = target {
            *target = around.point(*target);
        }
    }
}

/// Leaves the nodes of some names, what is below them, and what leads to them.
fn keep_only(scene: &mut Scene, names: &[String]) -> Result<(), Error> {
    let mut kept: HashSet<NodeId> = HashSet::new();
    let mut chosen: HashSet<NodeId> = HashSet::new();
    let visits: Vec<(NodeId, Option<NodeId>)> = scene.walk().map(|visit| (visit.id, visit.parent)).collect();
    for &(id, parent) in &visits {
        let is_named = scene.nodes.get(id).is_some_and(|node| names.contains(&node.name));
        if is_named || parent.is_some_and(|parent| chosen.contains(&parent)) {
            chosen.insert(id);
            kept.insert(id);
        }
    }
    // Parents come before children: backwards, each takes along the one above.
    for &(id, parent) in visits.iter().rev() {
        if kept.contains(&id) {
            kept.extend(parent);
        }
    }
    if let Some(name) = names.iter().find(|name| !scene.nodes.items().iter().any(|node| node.name == **name)) {
        return Err(Error::NoNode(name.clone()));
    }
    scene.roots.retain(|id| kept.contains(id));
    scene.nodes.iter_mut().for_each(|(_, node)| node.children.retain(|id| kept.contains(id)));
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use mapwright_scene::Node;

    fn scene() -> Scene {
        let mut scene = Scene::default();
        let folder = scene.add_node(None, Node::new("folder", Content::Group));
        let inner = scene.add_node(Some(folder), Node::new("inner", Content::Group));
        scene.add_node(Some(inner), Node::new("leaf", Content::Marker));
        scene.add_node(Some(folder), Node::new("other", Content::Marker));
        scene.add_node(None, Node::new("alone", Content::Marker));
        scene
    }

    fn names(scene: &Scene) -> Vec<&str> {
        scene.walk().map(|visit| &*visit.node.name).collect()
    }

    #[test]
    fn named_nodes_stay_with_what_is_above_and_below() {
        let only = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect::<Vec<_>>();
        let mut some = scene();
        keep_only(&mut some, &only(&["inner"])).unwrap();
        assert_eq!(names(&some), ["folder", "inner", "leaf"]);
        let mut some = scene();
        keep_only(&mut some, &only(&["leaf", "alone"])).unwrap();
        assert_eq!(names(&some), ["folder", "inner", "leaf", "alone"]);
        assert!(
            matches!(keep_only(&mut scene(), &only(&["leaf", "none"])), Err(Error::NoNode(name)) if name == "none")
        );
    }

    #[test]
    fn the_whole_is_turned_and_scaled() {
        let point = |options: &ConvertOptions| {
            let mut scene = scene();
            apply(&mut scene, Format::Etf, options).unwrap();
            scene.walk().last().map(|visit| visit.world.point([1.0, 2.0, 3.0])).unwrap()
        };
        let options = ConvertOptions::default;
        assert_eq!(point(&options()), [1.0, 2.0, 3.0]);
        assert_eq!(point(&options().with_source_up(Axis::Z)), [1.0, 3.0, -2.0]);
        assert_eq!(point(&options().with_target_up(Axis::Z)), [1.0, -3.0, 2.0]);
        assert_eq!(point(&options().with_scale(10.0).with_target_up(Axis::Z)), [10.0, -30.0, 20.0]);
        assert!(apply(&mut scene(), Format::Etf, &options().with_scale(0.0)).is_err());
    }

    #[test]
    fn hidden_nodes_are_shown_where_asked_for() {
        let shown = |options: &ConvertOptions| {
            let mut scene = scene();
            scene.nodes.iter_mut().for_each(|(_, node)| node.visible = false);
            apply(&mut scene, Format::Etf, options).unwrap();
            scene.walk().all(|visit| visit.visible)
        };
        assert!(shown(&ConvertOptions::default().with_hidden(true)));
        assert!(!shown(&ConvertOptions::default()));
    }
}

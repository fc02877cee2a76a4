//! What is changed between reading and writing: size, axes, what is taken along.

use mapwright_scene::{Content, Scene, Severity, Transform};

use super::ConvertOptions;
use super::only::keep_only;
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
    if !(options.scale.is_finite() && options.scale > 0.0) {
        return Err(Error::Scale(options.scale));
    }
    if options.scale != 1.0 {
        scene.scale(options.scale);
        // No importer makes a broken scene.
        if scene.validate().iter().any(|problem| problem.severity == Severity::Broken) {
            return Err(Error::Scale(options.scale));
        }
    }
    let turn = turn(options.source_up, options.target_up);
    if !turn.is_identity() {
        move_roots(scene, &turn);
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

#[cfg(test)]
mod tests {
    use super::super::sample::scene;
    use super::*;
    use mapwright_scene::{Camera, Light, Node};

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
        let mut lit = scene();
        let light = lit.lights.push(Light { range: Some(1e10), ..Light::default() });
        lit.add_node(None, Node::new("light", Content::Light(light)));
        let error = apply(&mut lit, Format::Etf, &options().with_scale(1e300)).unwrap_err();
        assert_eq!(error.to_string(), "a scale of 1e300 makes nothing that can be seen");
        let mut scene = scene();
        let near = Camera::default().near;
        let camera = scene.cameras.push(Camera::default());
        scene.add_node(None, Node::new("camera", Content::Camera(camera)));
        apply(&mut scene, Format::Etf, &options().with_scale(10.0)).unwrap();
        assert_eq!(scene.cameras[camera].near, near * 10.0, "lengths that no transform reaches");
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

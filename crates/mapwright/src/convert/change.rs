//! Changes of a scene between reading and writing: scale, axes, selection.

use mapwright_scene::{Content, Losses, Model, Node, Scene, Smoothing, Transform, Value};

use super::filter::{Records, keep_only, leave_out};
use crate::query::QueryError;
use crate::{ConvertOptions, Error, Format};

/// An axis that points up.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Axis {
    /// Y: glTF, Wings 3D, Maya.
    #[default]
    Y,
    /// Z: CAD, Blender, most game levels.
    Z,
}

/// Keeps the objects that the options select.
pub(super) fn select(
    scene: &mut Scene,
    from: Format,
    options: &ConvertOptions,
    [only, exclude]: [Vec<Result<Records, QueryError>>; 2],
) -> Result<(), Error> {
    if !options.exclude.is_empty() {
        leave_out(scene, (&options.exclude, exclude), from.axis_change())?;
    }
    if !options.only.is_empty() {
        keep_only(scene, (&options.only, only), from.axis_change())?;
    }
    Ok(())
}

/// Applies the options to a scene, except the selection.
pub(super) fn apply(scene: &mut Scene, [from, to]: [Format; 2], options: &ConvertOptions) -> Result<(), Error> {
    if options.hidden && !to.has(|entry| entry.has_hidden_nodes) {
        scene.nodes.iter_mut().for_each(|(_, node)| node.visible = true);
    }
    if let (Some(wanted), Some(fixed)) = (options.target_up, to.up_axis())
        && wanted != fixed
    {
        let what = match fixed {
            Axis::Y => "written with Z up: they have Y up",
            Axis::Z => "written with Y up: they have Z up",
        };
        return Err(Error::Unsupported { format: to, what });
    }
    if !(options.scale.is_finite() && options.scale > 0.0) {
        return Err(Error::Scale(options.scale));
    }
    if options.scale != 1.0 {
        if to.has(|entry| entry.has_pixel_grid) && !scene.tile_layers.is_empty() {
            return Err(Error::Unsupported { format: to, what: "scaled: the size of their tiles is fixed in pixels" });
        }
        scene.scale(options.scale);
        // Importers create valid scenes, so the scale is the cause.
        if scene.first_error().is_some() {
            return Err(Error::Scale(options.scale));
        }
    }
    // Readers and writers convert between the axes of their format and those of scenes. These options replace the assumptions of formats
    // that do not fix their axes.
    let (assumed, own) = (from.up_axis().unwrap_or_default(), to.up_axis().unwrap_or_default());
    let there = (options.source_up.unwrap_or(assumed), assumed);
    let back = (options.target_up.unwrap_or(own), own);
    // Two opposite rotations would only add rounding errors.
    if there != back {
        for turn in [rotation(there.0, there.1), rotation(back.1, back.0)].iter().filter(|turn| !turn.is_identity()) {
            transform_roots(scene, turn);
        }
    }
    Ok(())
}

/// Makes the edges of flat meshes soft, as the importer of Wings 3D does if a file does not state its shading.
pub(super) fn soften_edges(scene: &mut Scene, losses: &mut Losses) {
    for (id, mesh) in scene.meshes.iter_mut().filter(|(_, mesh)| mesh.smoothing == Smoothing::Flat) {
        mesh.smoothing = Smoothing::Smooth;
        losses.synthesized(format!("meshes[{}]", id.index()), "soft edges: the file does not state its shading");
    }
}

/// Gives the scene the unit of the target if both formats have units of games: levels are designed in whole units.
pub(super) fn keep_game_units(scene: &mut Scene, formats: [Format; 2], losses: &mut Losses) {
    let [from, to] = formats.map(|format| format.entry().and_then(|entry| entry.game_unit));
    if from.is_some() && to.is_some() && from != to && scene.metres_per_unit != to {
        scene.metres_per_unit = to;
        losses.approximated("metres_per_unit", "one unit of the source is one unit of the target");
    }
}

/// Reports what a scaled scene keeps at its size: models and prefabs of other files, and numbers in properties and key values, which may
/// not be lengths.
pub(super) fn report_unscaled(scene: &Scene, losses: &mut Losses) {
    let has_models =
        |node: &Node| node.children.iter().any(|child| scene.nodes.get(*child).is_some_and(Node::is_resolved));
    let mut outside = scene.nodes.iter().filter(|(_, node)| match &node.content {
        _ if has_models(node) => false,
        Content::Prefab(_) => true,
        Content::Entity(id) => scene.entities.get(*id).is_some_and(|entity| entity.model.is_some()),
        Content::InstanceSet(id) => {
            let models = scene.instance_sets.get(*id).map(|set| set.models.as_slice()).unwrap_or_default();
            models.iter().any(|model| matches!(model, Model::Reference(_)))
        }
        _ => false,
    });
    if let Some((first, _)) = outside.next() {
        let text = format!("models of other files keep their size; nodes with such models: {}", outside.count() + 1);
        losses.approximated(format!("nodes[{}]", first.index()), text);
    }
    let nodes = scene.nodes.iter().map(|(id, node)| ("nodes", id.index(), &node.properties));
    let entities = scene.entities.iter().map(|(id, entity)| ("entities", id.index(), &entity.properties));
    let lights = scene.lights.iter().map(|(id, light)| ("lights", id.index(), &light.properties));
    let all = nodes.chain(entities).chain(lights);
    let mut numbers = all.flat_map(|(list, index, properties)| {
        let names = properties.iter().filter(|(_, value)| is_number(value)).map(|(name, _)| name);
        names.map(move |name| (list, index, name))
    });
    let Some((list, index, name)) = numbers.next() else { return };
    let count = numbers.count() + 1;
    let text = format!("lengths in key values are not scaled; numbers in key values: {count}");
    losses.approximated(format!("{list}[{index}].{name}"), text);
}

/// Returns `true` for one or several numbers other than 0, including numbers in text.
fn is_number(value: &Value) -> bool {
    let all = |numbers: Option<Vec<f64>>| numbers.is_some_and(|numbers| numbers.iter().any(|number| *number != 0.0));
    match value {
        Value::Text(text) => all(text.split_ascii_whitespace().map(|word| word.parse().ok()).collect()),
        Value::List(items) => all(items.iter().map(Value::as_f64).collect()),
        value => value.as_f64().is_some_and(|number| number != 0.0),
    }
}

/// Returns the rotation from the axes of the source to those of the target. It contains only zeros and ones, so that coordinates keep
/// their digits.
fn rotation(source: Axis, target: Axis) -> Transform {
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

/// Transforms the whole scene, without a new node: formats would show that as a folder.
fn transform_roots(scene: &mut Scene, around: &Transform) {
    for &root in &scene.roots {
        let Some(node) = scene.nodes.get_mut(root) else { continue };
        node.transform = around.compose(&node.transform);
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
    use mapwright_scene::{Camera, Entity, Light, Node};

    fn change(scene: &mut Scene, options: &ConvertOptions) -> Result<(), Error> {
        let records = [&options.only, &options.exclude].map(|queries| Records::find(None, queries));
        select(scene, Format::Etf, options, records)?;
        apply(scene, [Format::Etf; 2], options)
    }

    #[test]
    fn scenes_are_rotated_and_scaled() {
        let point = |options: &ConvertOptions| {
            let mut scene = scene();
            change(&mut scene, options).unwrap();
            // Scaling moves vertices.
            let vertex = [1.0, 2.0, 3.0].map(|number| number * options.scale);
            scene.walk().last().map(|visit| visit.world.point(vertex)).unwrap()
        };
        let options = ConvertOptions::default;
        assert_eq!(point(&options()), [1.0, 2.0, 3.0]);
        assert_eq!(point(&options().with_source_up(Axis::Z)), [1.0, 3.0, -2.0]);
        assert_eq!(point(&options().with_target_up(Axis::Z)), [1.0, -3.0, 2.0]);
        assert_eq!(point(&options().with_scale(10.0).with_target_up(Axis::Z)), [10.0, -30.0, 20.0]);
        assert!(change(&mut scene(), &options().with_scale(0.0)).is_err());
        let mut lit = scene();
        let light = lit.lights.push(Light { range: Some(1e10), ..Light::default() });
        lit.add_node(None, Node::new("light", Content::Light(light)));
        let error = change(&mut lit, &options().with_scale(1e300)).unwrap_err();
        assert_eq!(
            error.to_string(),
            "invalid scale 1e300: expected a positive number that keeps all coordinates finite"
        );
        let mut scene = scene();
        let near = Camera::default().near;
        let camera = scene.cameras.push(Camera::default());
        scene.add_node(None, Node::new("camera", Content::Camera(camera)));
        change(&mut scene, &options().with_scale(10.0)).unwrap();
        assert_eq!(scene.cameras[camera].near, near * 10.0, "lengths that no transform reaches");
    }

    #[test]
    fn numbers_that_may_be_lengths_are_reported() {
        let mut scene = scene();
        let mut losses = Losses::new();
        report_unscaled(&scene, &mut losses);
        assert!(losses.is_empty());
        let keys = [("classname", "trigger"), ("skin", "0"), ("box_mins", "-16 -16 0"), ("wait", "1.5")];
        let entity = Entity { properties: keys.into_iter().collect(), ..Entity::default() };
        let entity = scene.entities.push(entity);
        scene.add_node(None, Node::new("box", Content::Entity(entity)));
        report_unscaled(&scene, &mut losses);
        let texts: Vec<String> = losses.iter().map(ToString::to_string).collect();
        assert!(
            texts.len() == 1 && texts[0].contains("entities[0].box_mins") && texts[0].ends_with(": 2"),
            "{texts:?}"
        );
    }

    #[test]
    fn hidden_nodes_are_shown_on_request() {
        let shown = |options: &ConvertOptions| {
            let mut scene = scene();
            scene.nodes.iter_mut().for_each(|(_, node)| node.visible = false);
            change(&mut scene, options).unwrap();
            scene.walk().all(|visit| visit.visible)
        };
        assert!(shown(&ConvertOptions::default().with_hidden(true)));
        assert!(!shown(&ConvertOptions::default()));
    }
}

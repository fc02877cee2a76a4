//! Entities → contents of nodes.

use mapwright_scene as scene;
use mapwright_scene::{Content, PathEdge, PathPoint, Properties, Scene};

use crate::resolve::colour::light_to_percent;
use crate::scene::AXES;
use crate::scene::entity_class::{MODEL, REGION, is_no_property, is_sound_field};
use crate::scene::fields::push_fields;
use crate::scene::values::{name_text, number_list, push_number};
use crate::{Dialect, Edge, EntityKind, Light, Model, Path, PathNode, Region, Sound};

/// Returns the content of the node of an entity, or `None` for levels and for entities with numbers that are not finite.
pub(super) fn entity_content(kind: &EntityKind, dialect: Dialect, scene: &mut Scene) -> Option<Content> {
    Some(match kind {
        EntityKind::Level(_) => return None,
        EntityKind::Start(_) => Content::Marker,
        EntityKind::Light(light) => Content::Light(scene.lights.push(light_to_scene(light, dialect)?)),
        EntityKind::Sound(sound) => Content::Sound(scene.sounds.push(sound_to_scene(sound))),
        EntityKind::Model(model) => Content::Entity(scene.entities.push(model_to_scene(model))),
        EntityKind::Path(path) => Content::Path(scene.paths.push(path_to_scene(path, dialect)?)),
        EntityKind::Region(region) => Content::Entity(scene.entities.push(region_to_scene(region))),
    })
}

fn light_to_scene(light: &Light, dialect: Dialect) -> Option<scene::Light> {
    let [red, green, blue] = light_to_percent(dialect, light.colour).map(|part| part / 100.0);
    let mut properties = Properties::new();
    push_fields(&mut properties, light, |field| field != "flags");
    let finite = [red, green, blue, light.range].iter().all(|number| number.is_finite());
    let color = [red, green, blue, 1.0];
    finite.then(|| scene::Light { color, range: Some(light.range), properties, ..scene::Light::default() })
}

fn sound_to_scene(sound: &Sound) -> scene::Sound {
    let [volume, .., range] = sound.numbers;
    let mut properties = Properties::new();
    push_fields(&mut properties, sound, is_sound_field);
    let finite = |number: f64| Some(number).filter(|number| number.is_finite());
    scene::Sound { reference: name_text(&sound.file), volume: finite(volume / 100.0), range: finite(range), properties }
}

fn model_to_scene(model: &Model) -> scene::Entity {
    let mut properties = Properties::new();
    properties.push("skills", number_list(model.skills.iter().map(|skill| *skill.get())));
    push_fields(&mut properties, model, is_no_property);
    let file = (!model.file.is_empty()).then(|| name_text(&model.file));
    scene::Entity { class: MODEL.to_owned(), model: file, properties, connections: Vec::new() }
}

fn region_to_scene(region: &Region) -> scene::Entity {
    let mut properties = Properties::new();
    let ([x, y, z], [a, b, c]) = (region.minimum, region.maximum);
    // The change of axes negates y, which swaps its minimum and maximum.
    properties.push("min", number_list([x, z, -b]));
    properties.push("max", number_list([a, c, -y]));
    scene::Entity { class: REGION.to_owned(), properties, ..scene::Entity::default() }
}

fn path_to_scene(path: &Path, dialect: Dialect) -> Option<scene::Path> {
    let mut properties = Properties::new();
    push_number(&mut properties, "number", path.number, 0.0);
    if path.edges.iter().any(|edge| edge.numbers.iter().any(|number| number.to_bits() != 0)) {
        properties.push("edges", number_list(path.edges.iter().flat_map(|edge| edge.numbers)));
    }
    let point = |node: &PathNode| {
        let mut properties = Properties::new();
        if node.skills.iter().any(|skill| skill.to_bits() != 0) {
            properties.push("skills", number_list(node.skills));
        }
        PathPoint { position: AXES.apply(node.point), tangents: None, properties }
    };
    let count = path.nodes.len();
    let first = dialect.first_node();
    let edge = |edge: &Edge| {
        let (from, to) = (edge.from.checked_sub(first)?, edge.to.checked_sub(first)?);
        let exists = |node: u32| usize::try_from(node).is_ok_and(|node| node < count);
        (exists(from) && exists(to)).then_some(PathEdge { from, to, weight: edge.weight })
    };
    let points: Vec<PathPoint> = path.nodes.iter().map(point).collect();
    let edges: Option<Vec<PathEdge>> = path.edges.iter().map(edge).collect();
    let finite = points.iter().flat_map(|point| point.position).all(f64::is_finite);
    let path = scene::Path { name: name_text(&path.name), points, edges: edges?, closed: false, properties };
    finite.then_some(path)
}

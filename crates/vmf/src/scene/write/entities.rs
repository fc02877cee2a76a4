//! Entities, markers, paths and prefabs → entities.

use mapwright_scene::{Content, Entity, PathId, Prefab, Properties, Transform, Value, Visit, angles};

use super::outputs::plan_outputs;
use super::plan::{Plan, PlannedEntity, Surroundings};
use super::values::{Keys, clean_text, format_value, to_keys};
use crate::Connection;
use crate::scene::AXES;
use crate::scene::conventions::{format_numbers, format_point, round_noise};
use crate::scene::names::{
    ANGLES, CLASS, COMMENTS, FIXUP, FIXUP_STYLE, ID, INSTANCE_CLASS, MARKER_CLASS, MODEL, ORIGIN, OVERLAY_CLASS,
    PATH_CLASS, PREFAB_NAME, TARGET_NAME,
};
use crate::scene::parts::Part;

/// The keys that store the transform of a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Placement {
    /// `origin`, and `angles` unless they are 0.
    Turned,
    /// `origin`. The node has no direction.
    Upright,
    /// `origin` unless it is 0. Solids contain the rest of the transform.
    WithSolids,
}

/// Plans the keys of the world.
pub(super) fn plan_world<'a>(plan: &mut Plan<'a>, visit: &Visit<'a>, entity: &Entity, path: &str) {
    plan.has_world = true;
    if !visit.world.is_identity() {
        plan.losses.dropped(path, "transform of the world, which cannot move");
    }
    if !visit.visible {
        plan.losses.dropped(path, "hidden world");
    }
    if visit.node.name != entity.class && !visit.node.name.is_empty() {
        plan.losses.dropped(path, "name of the world");
    }
    plan.report_properties(visit.node, &[COMMENTS], path);
    let mut keys = Vec::new();
    if let Some(model) = &entity.model {
        keys.push((MODEL.to_owned(), clean_text(model, path, &mut plan.losses)));
    }
    keys.extend(to_keys(&entity.properties, path, &mut plan.losses));
    keys.retain(|(key, _)| !key.eq_ignore_ascii_case(ID) && !key.eq_ignore_ascii_case(CLASS));
    let outputs = plan_outputs(plan, &entity.connections, path);
    let mut place = plan.place(visit, Surroundings::default());
    place.hidden = false;
    plan.world = PlannedEntity { source: None, keys, outputs, place };
}

/// Plans an entity. Returns its index.
pub(super) fn plan_entity<'a>(
    plan: &mut Plan<'a>,
    visit: &Visit<'a>,
    entity: &Entity,
    around: Surroundings,
    path: &str,
) -> usize {
    let is_solid = |&child: &_| {
        let content = plan.scene.nodes.get(child).map(|node| &node.content);
        matches!(content, Some(Content::Brush(_) | Content::Mesh(_)))
    };
    let is_overlay = entity.class.eq_ignore_ascii_case(OVERLAY_CLASS);
    let has_solids = visit.node.children.iter().any(is_solid) && !is_overlay;
    let placement = if has_solids { Placement::WithSolids } else { Placement::Turned };
    let mut keys = placement_keys(plan, &visit.world, placement, path);
    let others = match placement {
        // The angles of entities with solids are keys like others.
        Placement::WithSolids => to_keys(&entity.properties, path, &mut plan.losses),
        _ => other_keys(plan, &entity.properties, &keys, path),
    };
    if let Some(model) = &entity.model {
        keys.push((MODEL.to_owned(), clean_text(model, path, &mut plan.losses)));
    }
    keys.extend(others);
    let outputs = plan_outputs(plan, &entity.connections, path);
    plan.report_properties(visit.node, &[COMMENTS], path);
    push_entity(plan, visit, &entity.class, keys, outputs, around, path)
}

/// Adds an entity with the name of its node. Returns its index.
pub(super) fn push_entity<'a>(
    plan: &mut Plan<'a>,
    visit: &Visit<'a>,
    class: &str,
    mut keys: Keys,
    outputs: Vec<(String, Connection)>,
    around: Surroundings,
    path: &str,
) -> usize {
    keys.retain(|(key, _)| !key.eq_ignore_ascii_case(ID) && !key.eq_ignore_ascii_case(CLASS));
    let name = clean_text(&visit.node.name, path, &mut plan.losses);
    let source = plan.source(visit.node, Part::Entity);
    let stated = keys.iter_mut().find(|(key, _)| key.eq_ignore_ascii_case(TARGET_NAME)).map(|(_, value)| value);
    match stated {
        // Renaming a node renames its entity.
        Some(stated) if *stated != name && !name.is_empty() && is_renamed(plan, visit, source) => *stated = name,
        Some(stated) if *stated != name && !(stated.is_empty() && name == class) && !name.is_empty() => {
            plan.losses.dropped(path, "name of the node, which differs from that of its entity");
        }
        Some(_) => {}
        None if !name.is_empty() && name != class => keys.insert(0, (TARGET_NAME.to_owned(), name)),
        None => {}
    }
    if !class.is_empty() {
        keys.insert(0, (CLASS.to_owned(), clean_text(class, path, &mut plan.losses)));
    }
    let place = plan.place(visit, around);
    plan.entities.push(PlannedEntity { source, keys, outputs, place });
    plan.entities.len() - 1
}

/// Returns `true` if the node had another name in the scene of the map.
fn is_renamed(plan: &Plan<'_>, visit: &Visit<'_>, source: Option<usize>) -> bool {
    let before = source.and_then(|index| plan.base.as_ref()?.node(Part::Entity(index)));
    before.is_some_and(|(node, _)| node.name != visit.node.name)
}

/// Returns the keys of the place of a node.
pub(super) fn placement_keys(plan: &mut Plan<'_>, world: &Transform, placement: Placement, path: &str) -> Keys {
    let mut keys = Vec::new();
    let origin = world.origin().map(round_noise);
    if placement != Placement::WithSolids || origin != [0.0; 3] {
        keys.push((ORIGIN.to_owned(), format_point(origin)));
    }
    let parts = world.to_trs();
    let is_turned = |rotation: [f64; 4]| {
        let [x, y, z, _] = rotation;
        [x, y, z].iter().any(|part| part.abs() > 1e-12)
    };
    match (placement, parts) {
        (Placement::WithSolids, parts) => {
            let is_moved_only = parts.is_some_and(|(_, turn, size)| !is_turned(turn) && size == [1.0; 3]);
            if !is_moved_only {
                plan.losses.approximated(path, "transform of the entity, applied to its solids");
            }
            return keys;
        }
        (_, None) => plan.losses.dropped(path, "rotation and shear of the entity"),
        (Placement::Upright, Some(_)) => {}
        (Placement::Turned, Some((_, rotation, _))) => {
            let turn = angles::from_rotation(AXES.inverse().rotation(rotation));
            if turn != [0.0; 3] {
                keys.push((ANGLES.to_owned(), format_numbers(turn)));
            }
        }
    }
    if parts.is_some_and(|(_, _, size)| size.iter().any(|factor| (factor - 1.0).abs() > 1e-9)) {
        plan.losses.dropped(path, "scale of the entity");
    }
    keys
}

/// Returns the keys of properties. Those that the place of a node replaces are reported.
pub(super) fn other_keys(plan: &mut Plan<'_>, properties: &Properties, placed: &Keys, path: &str) -> Keys {
    let mut keys = to_keys(properties, path, &mut plan.losses);
    keys.retain(|(key, _)| {
        let is_placed =
            key.eq_ignore_ascii_case(ANGLES) || placed.iter().any(|(name, _)| name.eq_ignore_ascii_case(key));
        if is_placed {
            plan.losses.dropped(path, format!("property {key}: the place of the node has replaced it"));
        }
        !is_placed
    });
    keys
}

/// Plans a marker as an entity without a function.
pub(super) fn plan_marker<'a>(plan: &mut Plan<'a>, visit: &Visit<'a>, around: Surroundings, path: &str) {
    let keys = placement_keys(plan, &visit.world, Placement::Turned, path);
    plan.report_properties(visit.node, &[COMMENTS], path);
    push_entity(plan, visit, MARKER_CLASS, keys, Vec::new(), around, path);
}

/// Plans a path as a chain of corners, each with the name of the next.
pub(super) fn plan_path<'a>(plan: &mut Plan<'a>, visit: &Visit<'a>, id: PathId, around: Surroundings, node_path: &str) {
    let Some(path) = plan.scene.paths.get(id) else { return };
    let place = format!("paths[{}]", id.index());
    if path.points.iter().any(|point| point.tangents.is_some()) || !path.edges.is_empty() {
        plan.losses.dropped(&*place, "curves and edges of the path; its points lead to the next ones");
    }
    plan.report_properties(visit.node, &[], node_path);
    let stated = if path.name.is_empty() { &visit.node.name } else { &path.name };
    let name = match stated.is_empty() {
        true => format!("path_{}", id.index()),
        false => clean_text(stated, &place, &mut plan.losses),
    };
    let named = |index: usize| format!("{name}_{index}");
    let object = plan.place(visit, around);
    for set in &object.sets {
        plan.losses.approximated(format!("sets[{set}]"), "a path among the members, as one entity for each point");
    }
    for (index, point) in path.points.iter().enumerate() {
        let mut keys = vec![
            (CLASS.to_owned(), PATH_CLASS.to_owned()),
            (ORIGIN.to_owned(), format_point(visit.world.point(point.position))),
            (TARGET_NAME.to_owned(), named(index)),
        ];
        let next = index + 1;
        if next < path.points.len() {
            keys.push(("target".to_owned(), named(next)));
        } else if path.closed {
            keys.push(("target".to_owned(), named(0)));
        }
        plan.entities.push(PlannedEntity { source: None, keys, outputs: Vec::new(), place: object.clone() });
    }
}

/// Plans a prefab as an instance of another map.
pub(super) fn plan_prefab<'a>(
    plan: &mut Plan<'a>,
    visit: &Visit<'a>,
    prefab: &Prefab,
    around: Surroundings,
    path: &str,
) {
    let node = visit.node;
    let mut keys = vec![("file".to_owned(), clean_text(&prefab.reference, path, &mut plan.losses))];
    keys.extend(placement_keys(plan, &visit.world, Placement::Turned, path));
    let mut stored = vec![COMMENTS];
    match node.properties.get(PREFAB_NAME) {
        Some(Value::Text(name)) => {
            stored.push(PREFAB_NAME);
            keys.push((TARGET_NAME.to_owned(), clean_text(name, path, &mut plan.losses)));
            if *name != node.name && !node.name.is_empty() {
                plan.losses.dropped(path, "name of the node, which differs from that of the instance");
            }
        }
        // The reader gives a nameless instance the name of its class.
        _ if node.name.is_empty() || node.name == INSTANCE_CLASS => {}
        _ => {
            let text = "name of the instance, which becomes part of the names in it";
            plan.losses.synthesized(path, text);
            keys.push((TARGET_NAME.to_owned(), clean_text(&node.name, path, &mut plan.losses)));
        }
    }
    if let Some(Value::Bool(fixes)) = node.properties.get(FIXUP) {
        stored.push(FIXUP);
        keys.extend((!fixes).then(|| (FIXUP_STYLE.to_owned(), "2".to_owned())));
    }
    // Other keys of instances are texts.
    for (key, value) in node.properties.iter().filter(|(key, _)| !stored.contains(key)) {
        match value {
            Value::Text(text) => {
                keys.push((clean_text(key, path, &mut plan.losses), clean_text(text, path, &mut plan.losses)));
            }
            _ => plan.losses.dropped(path, format!("property {key}")),
        }
    }
    for (index, (name, value)) in prefab.overrides.iter().enumerate() {
        let text = format_value(value).filter(|_| !name.is_empty() && !name.contains([' ', '\t']));
        let Some(text) = text else {
            plan.losses.dropped(path, format!("override {name:?}, which is no variable of one word with a text"));
            continue;
        };
        if text.starts_with(char::is_whitespace) {
            plan.losses.approximated(path, format!("override {name:?}: spaces before its value"));
        }
        let text = clean_text(&format!("${name} {text}"), path, &mut plan.losses);
        keys.push((format!("replace{:02}", index + 1), text));
    }
    let mut entity = PlannedEntity { place: plan.place(visit, around), ..PlannedEntity::default() };
    entity.source = plan.source(node, Part::Entity);
    keys.insert(0, (CLASS.to_owned(), INSTANCE_CLASS.to_owned()));
    entity.keys = keys;
    plan.entities.push(entity);
}

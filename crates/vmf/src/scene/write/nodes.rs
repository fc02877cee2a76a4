//! Nodes → parts of the plan, in the order of the scene.

use std::collections::HashMap;

use mapwright_scene::{Content, GrowthCheck, NodeId, Scene, Visit};

use super::plan::{Plan, PlannedGroup, Surroundings};
use super::{cameras, entities, estimate, lights, sets, solids};
use crate::scene::names::{WORLD_CLASS, node_path};
use crate::scene::parts::Part;
use crate::{Separator, WriteError};

/// Plans the map of a scene. `base` is the scene of the map that is changed.
pub(super) fn plan_scene<'a>(
    scene: &'a Scene,
    base: Option<&'a Scene>,
    separator: Separator,
    max_bytes: u64,
) -> Result<Plan<'a>, WriteError> {
    let mut plan = Plan::new(scene, base, separator);
    // Sets first: every object lists its sets.
    sets::plan_sets(&mut plan);
    let mut surroundings: HashMap<NodeId, Surroundings> = HashMap::new();
    // The number of sides is not known before meshes are converted.
    let mut growth = GrowthCheck::default();
    for visit in scene.walk() {
        let around = visit.parent.and_then(|parent| surroundings.get(&parent)).copied().unwrap_or_default();
        let inside = plan_node(&mut plan, &visit, around);
        if !visit.node.children.is_empty() {
            surroundings.insert(visit.id, inside);
        }
        if growth.is_due(plan.sides) {
            estimate::check_sides(plan.sides, max_bytes)?;
        }
    }
    sets::report_other_members(&mut plan);
    Ok(plan)
}

/// Plans the part of a node. Returns the surroundings of its children.
fn plan_node<'a>(plan: &mut Plan<'a>, visit: &Visit<'a>, around: Surroundings) -> Surroundings {
    let path = node_path(visit.id);
    report_parent(plan, visit, &path);
    match &visit.node.content {
        Content::Group => return plan_group(plan, visit, around, &path),
        Content::Brush(_) | Content::Mesh(_) => solids::plan_solid(plan, visit, around, &path),
        Content::Entity(id) => {
            let Some(entity) = plan.scene.entities.get(*id) else { return around };
            if entity.class.eq_ignore_ascii_case(WORLD_CLASS) && !plan.has_world {
                entities::plan_world(plan, visit, entity, &path);
                return Surroundings::default();
            }
            let owner = Some(entities::plan_entity(plan, visit, entity, around, &path));
            return Surroundings { owner, group: None };
        }
        Content::Light(id) => lights::plan_light(plan, visit, *id, around, &path),
        Content::Marker => entities::plan_marker(plan, visit, around, &path),
        Content::Path(id) => entities::plan_path(plan, visit, *id, around, &path),
        Content::Prefab(prefab) => entities::plan_prefab(plan, visit, prefab, around, &path),
        Content::Camera(id) => cameras::plan_camera(plan, visit, *id, &path),
        // The capabilities report other contents.
        _ => {}
    }
    around
}

/// Reports a parent that the map does not store: only groups have members, and only entities have solids.
fn report_parent(plan: &mut Plan<'_>, visit: &Visit<'_>, path: &str) {
    let Some(parent) = visit.parent.and_then(|parent| plan.scene.nodes.get(parent)) else { return };
    let is_solid = matches!(visit.node.content, Content::Brush(_) | Content::Mesh(_) | Content::Group);
    let is_stored = match &parent.content {
        Content::Group => !matches!(visit.node.content, Content::Camera(_)),
        Content::Entity(id) => {
            let entity = plan.scene.entities.get(*id);
            is_solid && entity.is_some_and(|entity| !entity.class.eq_ignore_ascii_case(WORLD_CLASS))
        }
        _ => false,
    };
    if !is_stored {
        plan.losses.approximated(path, "child of another node, beside it in the map");
    }
}

/// Plans a group. Returns the surroundings of its members.
fn plan_group<'a>(plan: &mut Plan<'a>, visit: &Visit<'a>, around: Surroundings, path: &str) -> Surroundings {
    let node = visit.node;
    if !node.name.is_empty() {
        plan.losses.dropped(path, "name of the group");
    }
    plan.report_properties(node, &[], path);
    if around.owner.is_some() {
        plan.losses.approximated(path, "group below an entity: flattened");
        return around;
    }
    if !node.transform.is_identity() {
        plan.losses.preserved(path, "the transform of the group, applied to its members");
    }
    let source = plan.source(node, Part::Group);
    let mut place = plan.place(visit, around);
    place.hidden = false;
    plan.groups.push(PlannedGroup { node: visit.id, source, place });
    Surroundings { owner: None, group: Some(visit.id) }
}

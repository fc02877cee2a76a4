//! The parts of a map that a scene becomes, in the order of the scene.

use std::collections::HashMap;

use mapwright_scene::{
    Content, Entity, GrowthCheck, Losses, MaterialId, Node, NodeId, Rejections, Scene, Transform, Visit,
};

use super::values::{Keys, clean_text};
use super::{check_estimate, entities, estimate_sides, lights, sets, solids};
use crate::scene::names::{COMMENTS, OVERLAY_CLASS, WORLD_CLASS, node_path};
use crate::scene::parts::Part;
use crate::{Connection, Separator, WriteError};

/// The parts of a map.
pub(super) struct Plan<'a> {
    pub(super) scene: &'a Scene,
    /// The scene of the map that is changed, with the node of each part and its transform.
    pub(super) base: Option<Base<'a>>,
    pub(super) separator: Separator,
    pub(super) world: PlannedEntity,
    pub(super) has_world: bool,
    pub(super) entities: Vec<PlannedEntity>,
    pub(super) solids: Vec<PlannedSolid>,
    pub(super) groups: Vec<PlannedGroup>,
    pub(super) cameras: Vec<PlannedCamera>,
    pub(super) sets: Vec<sets::PlannedSet>,
    pub(super) losses: Losses,
    pub(super) rejections: Rejections,
    pub(super) used_materials: Vec<MaterialId>,
    pub(super) sides: u64,
    /// Sets of each node.
    pub(super) memberships: HashMap<NodeId, Vec<usize>>,
}

/// The scene that a map had before.
pub(super) struct Base<'a> {
    pub(super) scene: &'a Scene,
    pub(super) parts: HashMap<Part, (NodeId, Transform)>,
}

/// The place of an object in the editor.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct ObjectPlace {
    pub(super) hidden: bool,
    /// The node of the group.
    pub(super) group: Option<NodeId>,
    /// Indices of sets.
    pub(super) sets: Vec<usize>,
    pub(super) comments: Option<String>,
}

/// An entity, or the world.
#[derive(Debug, Clone, Default)]
pub(super) struct PlannedEntity {
    /// The index of the entity that it came from.
    pub(super) source: Option<usize>,
    pub(super) keys: Keys,
    pub(super) outputs: Vec<(String, Connection)>,
    pub(super) place: ObjectPlace,
}

/// A solid.
#[derive(Debug, Clone)]
pub(super) struct PlannedSolid {
    /// The index of the solid that it came from.
    pub(super) source: Option<usize>,
    /// Index of the entity. `None`: the world.
    pub(super) owner: Option<usize>,
    /// Keys other than the id.
    pub(super) keys: Keys,
    /// `None`: those of the solid that it came from.
    pub(super) sides: Option<Vec<PlannedSide>>,
    pub(super) place: ObjectPlace,
}

/// A side.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct PlannedSide {
    /// The id to which entities refer.
    pub(super) id: Option<i64>,
    /// Keys other than the id.
    pub(super) keys: Keys,
}

/// A group.
#[derive(Debug, Clone)]
pub(super) struct PlannedGroup {
    pub(super) node: NodeId,
    pub(super) source: Option<usize>,
    pub(super) place: ObjectPlace,
}

/// A camera.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct PlannedCamera {
    pub(super) source: Option<usize>,
    pub(super) position: String,
    pub(super) target: String,
    pub(super) is_active: bool,
}

/// The entity and group that children of a node are in.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Surroundings {
    pub(super) owner: Option<usize>,
    pub(super) group: Option<NodeId>,
}

impl<'a> Plan<'a> {
    /// Plans the parts of a map. `base` is the scene of the map that is changed.
    pub(super) fn new(
        scene: &'a Scene,
        base: Option<&'a Scene>,
        separator: Separator,
        max_bytes: u64,
    ) -> Result<Self, WriteError> {
        let mut plan = Self {
            scene,
            base: base.map(Base::new),
            separator,
            world: PlannedEntity::default(),
            has_world: false,
            entities: Vec::new(),
            solids: Vec::new(),
            groups: Vec::new(),
            cameras: Vec::new(),
            sets: Vec::new(),
            losses: Losses::new(),
            rejections: Rejections::new(scene),
            used_materials: Vec::new(),
            sides: 0,
            memberships: HashMap::new(),
        };
        // Sets first: every object lists its sets.
        sets::plan_sets(&mut plan);
        let mut surroundings: HashMap<NodeId, Surroundings> = HashMap::new();
        // The number of sides is not known before meshes are converted.
        let mut growth = GrowthCheck::default();
        for visit in scene.walk() {
            let around = visit.parent.and_then(|parent| surroundings.get(&parent)).copied().unwrap_or_default();
            let inside = plan.visit(&visit, around);
            if !visit.node.children.is_empty() {
                surroundings.insert(visit.id, inside);
            }
            if growth.is_due(plan.sides) {
                check_estimate(estimate_sides(plan.sides), max_bytes)?;
            }
        }
        sets::report_other_members(&mut plan);
        Ok(plan)
    }

    /// Reports what is only known at the end, and returns all losses.
    pub(super) fn finish(mut self) -> Losses {
        self.rejections.report_skipped(self.scene, "a solid", &mut self.losses);
        let used = std::mem::take(&mut self.used_materials);
        self.scene.report_unused_materials(used, &mut self.losses);
        for (id, material) in self.scene.materials.iter() {
            if material.base_color != [1.0; 4] {
                self.losses.dropped(format!("materials[{}]", id.index()), "colour of the material");
            }
        }
        self.losses
    }

    /// Plans the part of a node. Returns the surroundings of its children.
    fn visit(&mut self, visit: &Visit<'a>, around: Surroundings) -> Surroundings {
        let (node, path) = (visit.node, node_path(visit.id));
        self.report_parent(visit, &path);
        match &node.content {
            Content::Group => return self.group(visit, around, &path),
            Content::Brush(_) | Content::Mesh(_) => solids::plan_solid(self, visit, around, &path),
            Content::Entity(id) => {
                let Some(entity) = self.scene.entities.get(*id) else { return around };
                if entity.class.eq_ignore_ascii_case(WORLD_CLASS) && !self.has_world {
                    entities::plan_world(self, visit, entity, &path);
                    return Surroundings::default();
                }
                let owner = Some(entities::plan_entity(self, visit, entity, around, &path));
                return Surroundings { owner, group: None };
            }
            Content::Light(id) => lights::plan_light(self, visit, *id, around, &path),
            Content::Marker => entities::plan_marker(self, visit, around, &path),
            Content::Path(id) => entities::plan_path(self, visit, *id, around, &path),
            Content::Prefab(prefab) => entities::plan_prefab(self, visit, prefab, around, &path),
            Content::Camera(id) => super::cameras::plan_camera(self, visit, *id, &path),
            // The capabilities report other contents.
            _ => {}
        }
        around
    }

    /// Reports a parent that the map does not store: only groups have members, and only entities have solids.
    fn report_parent(&mut self, visit: &Visit<'a>, path: &str) {
        let Some(parent) = visit.parent.and_then(|parent| self.scene.nodes.get(parent)) else { return };
        let is_solid = matches!(visit.node.content, Content::Brush(_) | Content::Mesh(_) | Content::Group);
        let is_stored = match &parent.content {
            Content::Group => !matches!(visit.node.content, Content::Camera(_)),
            Content::Entity(id) => {
                is_solid
                    && self
                        .scene
                        .entities
                        .get(*id)
                        .is_some_and(|entity| !entity.class.eq_ignore_ascii_case(WORLD_CLASS))
            }
            _ => false,
        };
        if !is_stored {
            self.losses.approximated(path, "child of another node, beside it in the map");
        }
    }

    fn group(&mut self, visit: &Visit<'a>, around: Surroundings, path: &str) -> Surroundings {
        let node = visit.node;
        if !node.name.is_empty() {
            self.losses.dropped(path, "name of the group");
        }
        self.report_properties(node, &[], path);
        if around.owner.is_some() {
            self.losses.approximated(path, "group below an entity: flattened");
            return around;
        }
        if !node.transform.is_identity() {
            self.losses.preserved(path, "the transform of the group, applied to its members");
        }
        let source = self.source(node, |part| if let Part::Group(index) = part { Some(index) } else { None });
        let mut place = self.place(visit, around);
        place.hidden = false;
        self.groups.push(PlannedGroup { node: visit.id, source, place });
        Surroundings { owner: None, group: Some(visit.id) }
    }

    /// Returns the place of an object in the editor.
    pub(super) fn place(&mut self, visit: &Visit<'a>, around: Surroundings) -> ObjectPlace {
        let comments = visit.node.properties.get(COMMENTS).and_then(|value| value.as_text());
        let comments = comments.map(|text| clean_text(text, &node_path(visit.id), &mut self.losses));
        let sets = self.memberships.remove(&visit.id).unwrap_or_default();
        ObjectPlace { hidden: !visit.visible, group: around.group, sets, comments }
    }

    /// Reports the properties of a node that the map cannot store.
    pub(super) fn report_properties(&mut self, node: &Node, stored: &[&str], path: &str) {
        for (key, value) in node.properties.iter() {
            let is_stored = stored.contains(&key) && (key != COMMENTS || value.as_text().is_some());
            if !is_stored {
                self.losses.dropped(path, format!("property {key}"));
            }
        }
    }

    /// Returns the part of the map that a node came from.
    pub(super) fn source(&self, node: &Node, index: impl Fn(Part) -> Option<usize>) -> Option<usize> {
        let part = Part::from_key(node.key.as_deref()?)?;
        self.base.as_ref()?.parts.get(&part)?;
        index(part)
    }

    /// Returns `true` for the quad of an overlay, which follows from the keys of its entity.
    pub(super) fn is_overlay_quad(&self, visit: &Visit<'_>) -> bool {
        let parent = visit.parent.and_then(|parent| self.scene.nodes.get(parent));
        let Some(Content::Entity(id)) = parent.map(|parent| &parent.content) else { return false };
        self.scene.entities.get(*id).is_some_and(is_complete_overlay)
    }
}

fn is_complete_overlay(entity: &Entity) -> bool {
    let has = |key: &str| entity.properties.iter().any(|(name, _)| name.eq_ignore_ascii_case(key));
    let keys = ["BasisOrigin", "BasisU", "BasisV", "uv0", "uv1", "uv2", "uv3", "StartU", "EndU", "StartV", "EndV"];
    entity.class.eq_ignore_ascii_case(OVERLAY_CLASS) && keys.into_iter().all(has)
}

impl<'a> Base<'a> {
    fn new(scene: &'a Scene) -> Self {
        let part = |visit: Visit<'_>| Some((Part::from_key(visit.node.key.as_deref()?)?, (visit.id, visit.world)));
        Self { scene, parts: scene.walk().filter_map(part).collect() }
    }

    /// Returns the node of a part and its transform to the scene.
    pub(super) fn node(&self, part: Part) -> Option<(&'a Node, Transform)> {
        let (id, world) = self.parts.get(&part)?;
        Some((self.scene.nodes.get(*id)?, *world))
    }
}

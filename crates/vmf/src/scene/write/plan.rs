//! The plan of a map: the parts that a scene becomes, in the order of the scene.

use std::collections::HashMap;

use mapwright_scene::{Content, Entity, Losses, MaterialId, Node, NodeId, Rejections, Scene, Transform, Visit};

use super::values::{Keys, clean_text};
use crate::scene::names::{COMMENTS, OVERLAY_CLASS, node_path};
use crate::scene::parts::Part;
use crate::{Connection, Separator};

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
    pub(super) sets: Vec<PlannedSet>,
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

/// A visgroup.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct PlannedSet {
    pub(super) name: String,
    pub(super) color: Option<String>,
    /// The index of the visgroup that it is in, which is smaller than its own.
    pub(super) parent: Option<usize>,
}

/// The entity and group that children of a node are in.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Surroundings {
    pub(super) owner: Option<usize>,
    pub(super) group: Option<NodeId>,
}

impl<'a> Plan<'a> {
    /// Creates a plan without parts. `base` is the scene of the map that is changed.
    pub(super) fn new(scene: &'a Scene, base: Option<&'a Scene>, separator: Separator) -> Self {
        Self {
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
        }
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

    /// Returns the place of an object in the editor.
    pub(super) fn place(&mut self, visit: &Visit<'a>, around: Surroundings) -> ObjectPlace {
        let comments = visit.node.properties.get(COMMENTS).and_then(|value| value.as_text());
        let comments = comments.map(|text| clean_text(text, &node_path(visit.id), &mut self.losses));
        let sets = self.memberships.remove(&visit.id).unwrap_or_default();
        ObjectPlace { hidden: !visit.visible, group: around.group, sets, comments }
    }

    /// Returns the index of the active camera. Returns `None` if no camera is active.
    pub(super) fn active_camera(&self) -> Option<usize> {
        self.cameras.iter().position(|camera| camera.is_active)
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

    /// Returns the index of the part of the map that a node came from, if it is of a kind such as [`Part::Solid`].
    pub(super) fn source(&self, node: &Node, kind: fn(usize) -> Part) -> Option<usize> {
        let part = Part::from_key(node.key.as_deref()?)?;
        self.base.as_ref()?.parts.get(&part)?;
        part.index().filter(|&index| kind(index) == part)
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

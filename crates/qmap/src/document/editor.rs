//! Layers, groups and linked groups that editors store in keys and comments.

use std::borrow::Cow;
use std::collections::HashMap;

use mapwright_io::decode_text;

use super::entity::Entity;
use crate::bytes::offset;
use crate::{Document, EditorProblem};

/// The role of an entity in TrenchBroom.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum EditorRole {
    /// An ordinary entity.
    Entity,
    /// A layer: `func_group` with `_tb_type` `_tb_layer`.
    Layer,
    /// A group: `func_group` with `_tb_type` `_tb_group`.
    Group,
}

impl<'a> Entity<'a> {
    /// Returns the role of the entity in TrenchBroom.
    pub fn editor_role(self) -> EditorRole {
        match self.get("_tb_type").filter(|_| self.is_class("func_group")) {
            Some(b"_tb_layer") => EditorRole::Layer,
            Some(b"_tb_group") => EditorRole::Group,
            _ => EditorRole::Entity,
        }
    }

    /// Returns the name of a layer or group.
    pub fn editor_name(self) -> Option<Cow<'a, str>> {
        self.text("_tb_name")
    }

    /// Returns the id of a layer or group.
    pub fn editor_id(self) -> Option<u64> {
        self.id("_tb_id")
    }

    /// Returns a number that refers to a layer or group.
    fn id(self, key: &str) -> Option<u64> {
        std::str::from_utf8(self.get(key)?).ok()?.trim().parse().ok()
    }

    /// Returns `true` if a key of a layer is 1: `_tb_layer_locked`, `_tb_layer_hidden` or `_tb_layer_omit_from_export`.
    pub fn has_editor_flag(self, key: &str) -> bool {
        self.get(key) == Some(b"1")
    }

    /// Returns the id that the copies of a linked group share.
    pub fn linked_group_id(self) -> Option<&'a [u8]> {
        self.get("_tb_linked_group_id").filter(|id| !id.is_empty())
    }

    /// Returns the transformation of a copy of a linked group: four rows, applied to column vectors.
    pub fn linked_group_transformation(self) -> Option<[[f64; 4]; 4]> {
        let numbers: [f64; 16] = self.numbers("_tb_transformation")?;
        let mut rows = [[0.0; 4]; 4];
        rows.iter_mut().flatten().zip(numbers).for_each(|(cell, number)| *cell = number);
        Some(rows)
    }
}

/// Maximum number of layers and groups around an entity. Maps have a few; more would make queries of all of them slow.
pub(crate) const MAX_CONTAINERS: u8 = 64;

/// The layers and groups of TrenchBroom that entities are in.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct EditorTree {
    /// The layer or group that each entity is in, as the index of an entity. `None` is the default layer.
    pub parents: Vec<Option<usize>>,
    /// Keys that cannot be applied, with the index of the entity. Such an entity is in the default layer.
    pub problems: Vec<(usize, EditorProblem)>,
}

impl Document {
    /// Finds the layers and groups that entities are in. Ids may be used before they are defined.
    pub fn editor_tree(&self) -> EditorTree {
        let mut ids: HashMap<(EditorRole, u64), usize> = HashMap::new();
        let mut tree = EditorTree { parents: vec![None; self.entity_count()], problems: Vec::new() };
        for entity in self.entities() {
            let role = entity.editor_role();
            if role == EditorRole::Entity {
                continue;
            }
            match entity.editor_id() {
                None => tree.problems.push((entity.index(), EditorProblem::NoId)),
                Some(id) if ids.contains_key(&(role, id)) => {
                    tree.problems.push((entity.index(), EditorProblem::DuplicateId));
                }
                Some(id) => drop(ids.insert((role, id), entity.index())),
            }
        }
        for (entity, parent) in self.entities().zip(&mut tree.parents) {
            // A group is the nearer container. Its own layer counts for what is inside.
            let keys = [("_tb_group", EditorRole::Group), ("_tb_layer", EditorRole::Layer)];
            let Some((key, role)) = keys.into_iter().find(|(key, _)| entity.pair(key).is_some()) else { continue };
            *parent = entity.id(key).and_then(|id| ids.get(&(role, id)).copied());
            if parent.is_none() {
                tree.problems.push((entity.index(), EditorProblem::UnknownId(key)));
            }
        }
        tree.break_cycles();
        tree.limit_depth();
        tree
    }

    /// Reads the layers of netradiant-custom, which are comments.
    pub fn radiant_layers(&self) -> RadiantLayers {
        let mut layers = RadiantLayers {
            definitions: Vec::new(),
            entities: Vec::with_capacity(self.entity_count()),
            primitives: Vec::with_capacity(self.primitive_count()),
        };
        let mut current = None;
        let mut apply = |comment: &[u8], definitions: &mut Vec<RadiantLayer>| {
            let Some(text) = comment.strip_prefix(b"//@$& ") else { return current };
            if let Some(layer) = text.strip_prefix(b"layerdef ").and_then(RadiantLayer::from_text) {
                definitions.push(layer);
            } else if let Some(number) = text.strip_prefix(b"layer ") {
                current = std::str::from_utf8(number).ok().and_then(|number| number.trim().parse().ok());
            }
            current
        };
        let mut layer = None;
        for entity in self.entities() {
            for comment in entity.comments() {
                layer = apply(comment, &mut layers.definitions);
            }
            layers.entities.push(layer);
            for primitive in entity.primitives() {
                for comment in primitive.comments() {
                    layer = apply(comment, &mut layers.definitions);
                }
                layers.primitives.push(layer);
            }
        }
        layers
    }
}

impl EditorTree {
    /// Removes the parent of the last entity of each cycle.
    fn break_cycles(&mut self) {
        // The first entity from which each entity was reached.
        let mut reached_from: Vec<u32> = vec![u32::MAX; self.parents.len()];
        for start in 0..self.parents.len() {
            let mut at = Some(start);
            while let Some(index) = at {
                match reached_from.get_mut(index) {
                    Some(from) if *from == u32::MAX => *from = offset(start),
                    Some(from) if *from == offset(start) => {
                        self.break_cycle(index);
                        break;
                    }
                    _ => break,
                }
                at = self.parents.get(index).copied().flatten();
            }
        }
    }

    /// Removes the parent of entities in too many containers. There must be no cycles.
    fn limit_depth(&mut self) {
        const UNKNOWN: u8 = u8::MAX;
        // The number of containers around each entity, in little memory.
        let mut depths: Vec<u8> = vec![UNKNOWN; self.parents.len()];
        let mut path = Vec::new();
        for start in 0..self.parents.len() {
            let mut at = Some(start);
            let mut outer = None;
            while let Some(index) = at {
                outer = depths.get(index).copied().filter(|&depth| depth != UNKNOWN);
                if outer.is_some() {
                    break;
                }
                path.push(index);
                at = self.parents.get(index).copied().flatten();
            }
            // From the outside to the inside.
            while let Some(index) = path.pop() {
                let mut depth = outer.map_or(0, |outer: u8| outer.saturating_add(1));
                if depth > MAX_CONTAINERS {
                    depth = 0;
                    self.parents.get_mut(index).into_iter().for_each(|parent| *parent = None);
                    self.problems.push((index, EditorProblem::TooDeep));
                }
                depths.get_mut(index).into_iter().for_each(|known| *known = depth);
                outer = Some(depth);
            }
        }
    }

    fn break_cycle(&mut self, member: usize) {
        let parent = |index: usize| self.parents.get(index).copied().flatten();
        let others = std::iter::successors(parent(member), |&index| parent(index)).take_while(|&index| index != member);
        let last = others.fold(member, usize::max);
        if let Some(parent) = self.parents.get_mut(last) {
            *parent = None;
        }
        self.problems.push((last, EditorProblem::Cycle));
    }
}

/// The layers and groups of TrenchBroom around entities, with their names.
pub(crate) struct Containers<'a> {
    parents: Vec<Option<usize>>,
    names: HashMap<usize, (EditorRole, Cow<'a, str>)>,
}

impl<'a> Containers<'a> {
    pub(crate) fn new(map: &'a Document) -> Self {
        let named = map.entities().filter(|entity| entity.editor_role() != EditorRole::Entity);
        let name = |entity: Entity<'a>| (entity.editor_role(), entity.editor_name().unwrap_or_default());
        Self { parents: map.editor_tree().parents, names: named.map(|entity| (entity.index(), name(entity))).collect() }
    }

    /// Iterates over the names of the layers or groups around an entity, from the inside to the outside.
    pub(crate) fn names(&self, entity: Entity<'_>, role: EditorRole) -> impl Iterator<Item = &str> {
        let parent = |index: usize| self.parents.get(index).copied().flatten();
        let around = std::iter::successors(parent(entity.index()), move |&index| parent(index));
        let all = around.filter_map(|index| self.names.get(&index));
        all.filter(move |(container, _)| *container == role).map(|(_, name)| &**name)
    }
}

/// The layers of netradiant-custom.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct RadiantLayers {
    /// The defined layers. Layers are numbered from 0 in this order.
    pub definitions: Vec<RadiantLayer>,
    /// The number of the layer of each entity.
    pub entities: Vec<Option<u32>>,
    /// The number of the layer of each primitive of all entities.
    pub primitives: Vec<Option<u32>>,
}

/// A layer of netradiant-custom: the comment `//@$& layerdef "NAME" PARENT RED GREEN BLUE`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RadiantLayer {
    /// The name.
    pub name: Vec<u8>,
    /// The number of the layer around it.
    pub parent: Option<u32>,
    /// Red, green and blue from 0 to 255.
    pub color: [u8; 3],
}

impl RadiantLayer {
    fn from_text(text: &[u8]) -> Option<Self> {
        let text = text.strip_prefix(b"\"")?;
        let (name, numbers) = text.split_at_checked(memchr::memrchr(b'"', text)?)?;
        let numbers = decode_text(numbers.strip_prefix(b"\"")?).into_owned();
        let mut numbers = numbers.split_ascii_whitespace();
        // -1 is none.
        let parent = numbers.next()?.parse().ok();
        let mut color = [0; 3];
        for part in &mut color {
            *part = numbers.next()?.parse().ok()?;
        }
        Some(Self { name: name.to_vec(), parent, color })
    }
}

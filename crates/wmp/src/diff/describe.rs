//! Fields of items, for comparison.

use std::collections::BTreeMap;
use std::fmt;
use std::hash::{DefaultHasher, Hash, Hasher};

use mapwright_io::escape_bytes;
use mapwright_query::{Fields, Value};

use super::ItemRef;
use crate::document::DEFAULT_TEXTURE;
use crate::resolve::{Resolved, ResolvedBlock, ResolvedEntity, colour};
use crate::tree::{PartIndex, Tree};
use crate::{BlockFlags, Dialect, Document, EntityKind, Face, Name, Object, PlaneFace, Shape};

/// The number of ancestors in the description of a group.
const NEAREST: usize = 32;

/// The name of a field, and the index of its face or skill.
pub(super) type Field = (&'static str, Option<usize>);

/// The value of a field.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum FieldContent {
    Name(Name),
    Text(String),
    Flags(u32),
    Numbers(Vec<f64>),
    /// Angles of the engine, and their rotation.
    Turn([f64; 3], [[f64; 3]; 3]),
}

impl FieldContent {
    /// Returns `true` if both are equal, numbers up to a tolerance.
    pub(super) fn equals(&self, other: &Self, tolerance: f64) -> bool {
        let near = |a: &f64, b: &f64, by: f64| a == b || (a - b).abs() <= by || a.to_bits() == b.to_bits();
        match (self, other) {
            (Self::Numbers(a), Self::Numbers(b)) => {
                a.len() == b.len() && a.iter().zip(b).all(|(a, b)| near(a, b, tolerance))
            }
            // Angles of resolved maps carry noise, and different angles can give one rotation.
            (Self::Turn(_, a), Self::Turn(_, b)) => {
                a.as_flattened().iter().zip(b.as_flattened()).all(|(a, b)| near(a, b, 3e-3))
            }
            _ => self == other,
        }
    }

    fn hash(&self, tolerance: f64, state: &mut DefaultHasher) {
        let number = |value: f64, grain: f64, state: &mut DefaultHasher| {
            // Zeros are equal whatever their sign, and near numbers mostly round to one.
            let value = if grain > 0.0 { (value / grain).round() } else { value };
            (value + 0.0).to_bits().hash(state);
        };
        match self {
            Self::Name(name) => name.hash(state),
            Self::Text(text) => text.hash(state),
            Self::Flags(flags) => flags.hash(state),
            Self::Numbers(numbers) => numbers.iter().for_each(|value| number(*value, tolerance * 10.0, state)),
            Self::Turn(_, turn) => turn.as_flattened().iter().for_each(|value| number(*value, 0.05, state)),
        }
    }
}

impl fmt::Display for FieldContent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Name(name) if name.is_empty() => f.write_str("ndef"),
            Self::Name(name) => f.write_str(&escape_bytes(name.as_bytes())),
            Self::Text(text) => f.write_str(text),
            Self::Flags(flags) => write!(f, "{flags:#x}"),
            Self::Numbers(numbers) => list(f, numbers),
            Self::Turn(angles, _) => list(f, angles),
        }
    }
}

fn list(f: &mut fmt::Formatter<'_>, numbers: &[f64]) -> fmt::Result {
    for (index, number) in numbers.iter().enumerate() {
        write!(f, "{}{number}", if index == 0 { "" } else { ", " })?;
    }
    Ok(())
}

/// A map for comparison.
pub(super) struct View<'a> {
    pub(super) map: &'a Document,
    tree: Tree,
    /// The map in world space, if maps are compared there.
    world: Option<World>,
    /// The tolerance for numbers.
    pub(super) tolerance: f64,
    /// `true` if both maps have the same dialect.
    exact: bool,
}

struct World {
    blocks: Vec<Option<ResolvedBlock>>,
    entities: Vec<Option<ResolvedEntity>>,
}

impl World {
    fn from_document(map: &Document) -> Self {
        let Resolved { blocks, entities, .. } = map.resolve();
        let mut world = Self { blocks: vec![None; map.blocks.len()], entities: vec![None; map.entities.len()] };
        for block in blocks {
            if let Some(place) = world.blocks.get_mut(block.block) {
                *place = Some(block);
            }
        }
        for entity in entities {
            if let Some(place) = world.entities.get_mut(entity.entity) {
                *place = Some(entity);
            }
        }
        world
    }
}

impl<'a> View<'a> {
    pub(super) fn new(map: &'a Document, world: bool, exact: bool) -> Self {
        let tolerance = if exact {
            0.0
        } else if world {
            0.05
        } else {
            // Text has six decimals, and constants of textures carry noise.
            0.005
        };
        Self { map, tree: Tree::new(map), world: world.then(|| World::from_document(map)), tolerance, exact }
    }

    pub(super) fn blocks(&self) -> Vec<PartIndex> {
        (0..self.map.blocks.len()).map(PartIndex::Block).collect()
    }

    pub(super) fn entities(&self) -> Vec<PartIndex> {
        let entities = self.map.entities.iter().enumerate();
        let others = entities.filter(|(_, entity)| !matches!(entity.kind, EntityKind::Level(_)));
        others.map(|(place, _)| PartIndex::Entity(place)).collect()
    }

    /// Returns the groups below the root.
    pub(super) fn groups(&self) -> Vec<PartIndex> {
        if self.world.is_some() {
            return Vec::new();
        }
        let groups = (0..self.map.objects.len()).filter(|&object| self.map.is_group(object));
        groups.filter(|object| Some(object) != self.tree.order.first()).map(PartIndex::Object).collect()
    }

    fn object(&self, place: PartIndex) -> Option<&Object> {
        let object = match place {
            PartIndex::Object(object) => object,
            place => self.tree.holder(place)?,
        };
        self.map.objects.get(object).map(|object| &**object)
    }

    /// Returns the path of groups around a part. Real maps nest up to five.
    fn group(&self, place: PartIndex) -> String {
        let mut around = self.tree.holder(place);
        if around.is_some_and(|object| !self.map.is_group(object)) {
            around = around.and_then(|object| self.tree.holder(PartIndex::Object(object)));
        }
        let root = self.tree.order.first();
        let chain = around.into_iter().flat_map(|object| self.tree.chain(object)).filter(|object| Some(object) != root);
        let groups = chain.take(NEAREST).filter_map(|object| self.map.objects.get(object));
        let names = groups.map(|part| if part.name.is_empty() { "(group)".to_owned() } else { part.name.to_string() });
        let mut names: Vec<String> = names.collect();
        names.reverse();
        if names.is_empty() { "none".to_owned() } else { names.join("/") }
    }

    pub(super) fn position(&self, place: PartIndex) -> [f64; 3] {
        let local = || self.object(place).map_or([0.0; 3], |object| object.position);
        match (&self.world, place) {
            (Some(world), PartIndex::Entity(entity)) => {
                let entity = world.entities.get(entity).and_then(Option::as_ref);
                // Paths of resolved maps are at their first node.
                entity.map_or_else(local, |entity| entity.nodes.first().copied().unwrap_or(entity.position))
            }
            (Some(world), PartIndex::Block(block)) => {
                let block = world.blocks.get(block).and_then(Option::as_ref);
                block.map_or_else(local, |block| middle(&block.vertices))
            }
            _ => local(),
        }
    }

    /// Returns `true` if two items are equal, apart from their numbers, in maps of one dialect.
    pub(super) fn is(&self, place: PartIndex, other: &Self, other_place: PartIndex) -> bool {
        let same = self.exact
            && match (place, other_place) {
                (PartIndex::Block(a), PartIndex::Block(b)) => {
                    let blocks = self.map.blocks.get(a).zip(other.map.blocks.get(b));
                    blocks.is_some_and(|(a, b)| (&a.shape, a.flags, &a.material) == (&b.shape, b.flags, &b.material))
                }
                (PartIndex::Entity(a), PartIndex::Entity(b)) => {
                    self.map.entities.get(a).zip(other.map.entities.get(b)).is_some_and(|(a, b)| a.kind == b.kind)
                }
                (PartIndex::Object(_), PartIndex::Object(_)) => true,
                _ => false,
            };
        let is_equal = |a: &Object, b: &Object| {
            (a.position, a.angles, a.scale, &a.name) == (b.position, b.angles, b.scale, &b.name)
        };
        same && match (self.object(place), other.object(other_place)) {
            (Some(a), Some(b)) => is_equal(a, b) && self.group(place) == other.group(other_place),
            (a, b) => a.is_none() && b.is_none(),
        }
    }

    pub(super) fn reference(&self, place: PartIndex) -> ItemRef {
        let (kind, number, name) = match place {
            PartIndex::Block(place) => self.map.blocks.get(place).map(|block| {
                let texture = match &block.shape {
                    Shape::Planes(faces) => faces.first().map(|face| face.texture.clone()),
                    Shape::Mesh(mesh) => mesh.faces.first().map(|face| face.texture.clone()),
                };
                ("block", block.number, texture.unwrap_or_default())
            }),
            PartIndex::Entity(place) => {
                let entity = self.map.entities.get(place);
                entity.map(|entity| (entity.member_kind().word(), entity.number, entity.name().clone()))
            }
            PartIndex::Object(place) => {
                self.map.objects.get(place).map(|object| ("group", object.number, object.name.clone()))
            }
        }
        .unwrap_or(("item", 0, Name::NONE));
        ItemRef { kind, number, name, position: self.position(place) }
    }

    /// Returns the fields of an item, without its position.
    pub(super) fn content(&self, place: PartIndex) -> Vec<(Field, FieldContent)> {
        let mut fields = Vec::new();
        match place {
            PartIndex::Block(block) => self.block(block, &mut fields),
            PartIndex::Entity(entity) => self.entity(entity, &mut fields),
            PartIndex::Object(_) => {}
        }
        if self.world.is_none() {
            if let Some(object) = self.object(place) {
                // Models have their own.
                let has_scale = !matches!(place, PartIndex::Entity(_));
                fields.push((("angles", None), FieldContent::Numbers(object.angles.to_vec())));
                if has_scale {
                    fields.push((("scale", None), FieldContent::Numbers(object.scale.to_vec())));
                }
                if let PartIndex::Object(_) = place {
                    fields.push((("name", None), FieldContent::Name(object.name.clone())));
                }
            }
            fields.push((("group", None), FieldContent::Text(self.group(place))));
        }
        fields
    }

    /// Returns a hash of the fields of an item, without its position and the given fields.
    pub(super) fn hash(&self, place: PartIndex, without: &[&str]) -> u64 {
        let mut state = DefaultHasher::new();
        for ((name, face), value) in self.content(place) {
            if !without.contains(&name) {
                (name, face).hash(&mut state);
                value.hash(self.tolerance, &mut state);
            }
        }
        state.finish()
    }

    fn block(&self, place: usize, fields: &mut Vec<(Field, FieldContent)>) {
        let Some(block) = self.map.blocks.get(place) else { return };
        let mut put = |field: Field, value: FieldContent| fields.push((field, value));
        put(("material", None), FieldContent::Name(block.material.clone()));
        let Some(world) = &self.world else {
            put(("flags", None), FieldContent::Flags(block.flags.0));
            match &block.shape {
                Shape::Planes(faces) => {
                    put(("faces", None), count(faces.len()));
                    faces.iter().enumerate().for_each(|(at, face)| plane(at, face, &mut put));
                }
                Shape::Mesh(mesh) => {
                    put(("faces", None), count(mesh.faces.len()));
                    put(("vertices", None), FieldContent::Numbers(mesh.vertices.as_flattened().to_vec()));
                    mesh.faces.iter().enumerate().for_each(|(at, part)| self.face(at, part, &mut put));
                }
            }
            return;
        };
        put(("flags", None), FieldContent::Flags(block.flags.0 & !BlockFlags::TEXTURE_LOCK.0));
        let Some(resolved) = world.blocks.get(place).and_then(Option::as_ref) else { return };
        // Vertices have no order, and planes outside of the body give no faces.
        let drawn = resolved.faces.iter().filter(|face| !face.corners.is_empty());
        let (low, high) = bounds(&resolved.vertices);
        let middle = middle(&resolved.vertices);
        put(("size", None), FieldContent::Numbers([0, 1, 2].map(|axis| at(high, axis) - at(low, axis)).to_vec()));
        put(("faces", None), count(drawn.clone().count()));
        let mut textures: BTreeMap<String, usize> = BTreeMap::new();
        for face in drawn {
            let texture = face.texture.as_ref().map_or(DEFAULT_TEXTURE.to_owned(), Name::to_string);
            let count = textures.entry(texture).or_default();
            *count = count.saturating_add(1);
        }
        let textures: Vec<String> = textures.into_iter().map(|(name, count)| format!("{name} ({count})")).collect();
        put(("textures", None), FieldContent::Text(textures.join(" ")));
        // Bodies of one size and center differ in the distances of their vertices.
        let mut ways: Vec<f64> = resolved.vertices.iter().map(|vertex| distance(*vertex, middle)).collect();
        ways.sort_unstable_by(f64::total_cmp);
        ways.dedup_by(|a, b| (*a - *b).abs() < 0.05);
        put(("form", None), FieldContent::Numbers(ways));
    }

    fn face(&self, at: usize, face: &Face, add: &mut impl FnMut(Field, FieldContent)) {
        let mut add = |name: &'static str, value: FieldContent| add((name, Some(at)), value);
        add("corners", FieldContent::Numbers(face.corners.iter().map(|corner| f64::from(*corner)).collect()));
        if face.bare {
            add("texture", FieldContent::Text("none".to_owned()));
            return;
        }
        if let Some(vectors) = &face.vectors {
            add("vectors", FieldContent::Numbers(vectors.as_flattened().to_vec()));
        }
        if let Some(mapping) = &face.mapping {
            add("mapping", FieldContent::Numbers(mapping.to_vec()));
        }
        if let Some(uvs) = &face.uvs {
            add("coordinates", FieldContent::Numbers(uvs.to_vec()));
        }
        // Binary faces have no material.
        add_fields(face, &mut add, |field| field == "material" && !self.exact);
    }

    fn entity(&self, at: usize, fields: &mut Vec<(Field, FieldContent)>) {
        let entity = &self.map.entities[at];
        let dialect = self.map.dialect;
        let resolved = self.world.as_ref().and_then(|world| world.entities[at].as_ref());
        let mut add = |name: &'static str, value: FieldContent| fields.push(((name, None), value));
        if !entity.name().is_empty() {
            add("name", FieldContent::Name(entity.name().clone()));
        }
        if let Some(resolved) = resolved
            && matches!(entity.kind, EntityKind::Model(_) | EntityKind::Start(_))
        {
            add("angles", FieldContent::Turn(resolved.angles, resolved.rotation));
        }
        match &entity.kind {
            EntityKind::Level(_) => {}
            EntityKind::Start(_) | EntityKind::Sound(_) | EntityKind::Region(_) => {
                add_fields(entity.kind.fields(), &mut add, |_| false);
            }
            EntityKind::Light(light) => {
                // Dialects store colours in different units.
                let colour = if self.exact { light.colour } else { colour::light_to_percent(dialect, light.colour) };
                add("colour", FieldContent::Numbers(colour.to_vec()));
                add_fields(light, &mut add, |field| field == "colour");
            }
            EntityKind::Model(model) => {
                // Resolved maps store numbers of paths and targets. Binary maps store the scale at the object.
                let is_reference = |field: &str| matches!(field, "path" | "target") && self.world.is_some();
                let object = self.object(PartIndex::Entity(at)).filter(|_| dialect == Dialect::Binary);
                add("scale", FieldContent::Numbers(object.map_or(model.scale, |object| object.scale).to_vec()));
                add_fields(model, &mut add, |field| {
                    field == "scale" || field.starts_with("skill") || is_reference(field)
                });
                for (at, skill) in model.skills.iter().enumerate() {
                    fields.push((("skill", Some(at)), FieldContent::Numbers(vec![*skill.get()])));
                }
            }
            EntityKind::Path(path) => {
                let points: Vec<[f64; 3]> = match resolved {
                    Some(resolved) => resolved.nodes.clone(),
                    None => path.nodes.iter().map(|node| node.point).collect(),
                };
                add("nodes", FieldContent::Numbers(points.as_flattened().to_vec()));
                if self.exact {
                    let skills: Vec<f64> = path.nodes.iter().flat_map(|node| node.skills).collect();
                    add("node skills", FieldContent::Numbers(skills));
                }
                let offset = 1.0 - f64::from(dialect.first_node());
                let edge = |edge: &crate::Edge| {
                    let [from, to] = [edge.from, edge.to].map(|node| f64::from(node) + offset);
                    // Resolved maps store lengths as weights.
                    if self.world.is_some() { vec![from, to] } else { vec![from, to, edge.weight] }
                };
                add("edges", FieldContent::Numbers(path.edges.iter().flat_map(edge).collect()));
            }
        }
    }
}

fn plane(at: usize, face: &PlaneFace, add: &mut impl FnMut(Field, FieldContent)) {
    let mut add = |name: &'static str, value: FieldContent| add((name, Some(at)), value);
    add("points", FieldContent::Numbers(face.points.as_flattened().to_vec()));
    add("mapping", FieldContent::Numbers(face.mapping.to_vec()));
    add_fields(face, &mut add, |_| false);
}

/// Adds the fields of a record.
pub(super) fn add_fields(
    record: &dyn Fields,
    add: &mut impl FnMut(&'static str, FieldContent),
    is_skipped: impl Fn(&str) -> bool,
) {
    for (index, field) in record.schema().iter().enumerate().filter(|(_, field)| !is_skipped(field.name)) {
        match record.get(index) {
            Some(Value::Bytes(name)) => add(field.name, FieldContent::Name(name.as_ref().into())),
            Some(Value::Flags(flags, _)) => add(field.name, FieldContent::Flags(flags)),
            Some(Value::Int(number)) => add(field.name, FieldContent::Text(number.to_string())),
            Some(Value::Float(number)) => add(field.name, FieldContent::Numbers(vec![number])),
            Some(Value::Numbers(numbers)) => add(field.name, FieldContent::Numbers(numbers.into_owned())),
            _ => {}
        }
    }
}

fn count(count: usize) -> FieldContent {
    FieldContent::Text(count.to_string())
}

fn at(point: [f64; 3], axis: usize) -> f64 {
    point.get(axis).copied().unwrap_or_default()
}

fn bounds(points: &[[f64; 3]]) -> ([f64; 3], [f64; 3]) {
    let first = points.first().copied().unwrap_or_default();
    points.iter().fold((first, first), |([a, b, c], [d, e, f]), [x, y, z]| {
        ([a.min(*x), b.min(*y), c.min(*z)], [d.max(*x), e.max(*y), f.max(*z)])
    })
}

fn middle(points: &[[f64; 3]]) -> [f64; 3] {
    let ([a, b, c], [d, e, f]) = bounds(points);
    [(a + d) / 2.0, (b + e) / 2.0, (c + f) / 2.0]
}

fn distance([a, b, c]: [f64; 3], [x, y, z]: [f64; 3]) -> f64 {
    let [x, y, z] = [a - x, b - y, c - z];
    (x * x + y * y + z * z).sqrt()
}

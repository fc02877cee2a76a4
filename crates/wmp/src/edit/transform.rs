//! Moved, rotated and scaled parts.

use mapwright_io::math;

use std::sync::Arc;

use hashbrown::HashMap;

use super::{EditError, PartIndex};
use crate::resolve::texture::{default_axes, is_local};
use crate::resolve::transform::{
    IDENTITY, Matrix, add, apply, cross, dot, engine_rotation, entity_angles, entity_rotation, object_rotation,
    product, scaled, sub,
};
use crate::resolve::{has_mirrored_heading, outward};
use crate::tree::Tree;
use crate::{Block, Dialect, Document, EntityKind, Face, Member, MemberKind, Object, Part, Shape};

/// A motion: a scale, then a rotation, both about a point, then a shift.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Motion {
    /// Factors along the axes of the world, above 0.
    pub scale: [f64; 3],
    /// Pan, tilt and roll in degrees, as in the engine: pan rotates from X to Y.
    pub turn: [f64; 3],
    /// The shift in quants, along the axes of the world.
    pub by: [f64; 3],
    /// The center of scale and rotation. Default: the position of each part.
    pub about: Option<[f64; 3]>,
}

impl Motion {
    /// No motion.
    pub const NONE: Self = Self { scale: [1.0; 3], turn: [0.0; 3], by: [0.0; 3], about: None };

    /// Creates a shift.
    pub const fn shift(by: [f64; 3]) -> Self {
        Self { by, ..Self::NONE }
    }

    /// Returns the rotation, exact for multiples of 90°.
    fn rotation(&self) -> Matrix {
        let round = |part: f64| if (part - part.round()).abs() < 1e-15 { part.round() + 0.0 } else { part };
        engine_rotation(self.turn).map(|row| row.map(round))
    }

    /// Returns rotation and scale.
    fn matrix(&self) -> Matrix {
        scaled(&self.rotation(), self.scale)
    }

    /// Moves a point of the world.
    fn world(&self, matrix: &Matrix, pivot: [f64; 3], point: [f64; 3]) -> [f64; 3] {
        add(add(apply(matrix, sub(point, pivot)), pivot), self.by)
    }

    fn is_shift(&self) -> bool {
        self.scale == [1.0; 3] && self.turn == [0.0; 3]
    }
}

/// Counts of moved parts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Moved {
    /// Parts that moved, by themselves or with a group.
    pub items: usize,
    /// Parts without an object, and so without a position.
    pub without_position: usize,
}

/// The spaces of all objects.
pub(super) struct Spaces {
    objects: Vec<Space>,
}

#[derive(Clone, Copy)]
struct Space {
    position: [f64; 3],
    inner: Matrix,
    outer: Matrix,
}

impl Spaces {
    pub(super) fn new(document: &Document, tree: &Tree) -> Self {
        let root = Space { position: [0.0; 3], inner: IDENTITY, outer: IDENTITY };
        let mut objects = vec![root; document.objects.len()];
        // Parents come before their members.
        for &place in &tree.order {
            let object = &document.objects[place];
            let around = tree.holder(PartIndex::Object(place)).and_then(|around| objects.get(around).copied());
            let Space { position, inner: outer, .. } = around.unwrap_or(root);
            let position = add(position, apply(&outer, object.position));
            let own = scaled(&object_rotation(document.dialect, object.angles), object.scale);
            objects[place] = Space { position, inner: product(&outer, &own), outer };
        }
        Self { objects }
    }

    /// Returns the position of an object in the world.
    pub(super) fn position(&self, object: usize) -> Option<[f64; 3]> {
        self.objects.get(object).map(|space| space.position)
    }
}

/// Returns the inverse of a matrix, if it has one.
fn inverse(m: &Matrix) -> Option<Matrix> {
    let [x, y, z] = *m;
    let columns = [cross(y, z), cross(z, x), cross(x, y)];
    let size = dot(x, columns[0]);
    let [a, b, c] = columns.map(|column| column.map(|part| part / size));
    (size.is_normal() && size.is_finite()).then_some([[a[0], b[0], c[0]], [a[1], b[1], c[1]], [a[2], b[2], c[2]]])
}

/// Returns a matrix of the world, relative to a space.
fn within(space: &Matrix, matrix: &Matrix) -> Option<Matrix> {
    // Most spaces are that of the world. Numbers stay exact there.
    if *space == IDENTITY {
        return Some(*matrix);
    }
    Some(product(&inverse(space)?, &product(matrix, space)))
}

/// Applies a matrix to a point, without negative zeros.
fn moved(matrix: &Matrix, point: [f64; 3]) -> [f64; 3] {
    apply(matrix, point).map(|part| part + 0.0)
}

impl Document {
    /// Moves, rotates or scales parts, groups with their contents.
    ///
    /// A shift changes only the position of the part. A rotation or scale changes the contents: positions, vertices of blocks, angles
    /// and scales of entities, nodes of paths and boxes of regions. The range of lights and sounds changes by the mean of the factors.
    /// Groups keep their own angles and scale, as in the editor since A5. Textures move with blocks that are locked, where the lock has
    /// an effect, and with faces that have texture coordinates. Other textures stay in the world: along the axes that follow from the
    /// new direction of the face, or with their own vectors, rotated.
    ///
    /// # Errors
    /// If a factor is not above 0, a number is not finite, an ancestor has a scale of 0, or a result is too large.
    pub fn transform(&mut self, parts: &[PartIndex], motion: &Motion) -> Result<Moved, EditError> {
        let mut edited = self.clone();
        let moved = edited.transform_parts(parts, motion)?;
        *self = edited;
        Ok(moved)
    }

    pub(super) fn transform_parts(&mut self, parts: &[PartIndex], motion: &Motion) -> Result<Moved, EditError> {
        check(motion)?;
        let (mut moved, mut tops) = (Moved::default(), Vec::new());
        let tree = Tree::new(self);
        let mut shared = Shared::default();
        for &part in parts {
            let top = match part {
                PartIndex::Object(object) => object,
                part => match tree.holder(part) {
                    Some(holder) if self.is_group(holder) => self.add_own_object(part, holder, &mut shared),
                    Some(holder) => holder,
                    None => {
                        moved.without_position += 1;
                        continue;
                    }
                },
            };
            moved.items += 1;
            tops.push(top);
        }
        tops.sort_unstable();
        tops.dedup();
        // Objects were added.
        let tree = Tree::new(self);
        let spaces = Spaces::new(self, &tree);
        let impossible = self.impossible_numbers();
        for &top in &tops {
            // Parts within groups that move go with the group.
            if !tree.chain(top).skip(1).any(|object| tops.binary_search(&object).is_ok()) {
                self.transform_object(top, motion, &tree, &spaces)?;
            }
        }
        if self.impossible_numbers() > impossible {
            return Err(EditError::Overflow);
        }
        if !parts.is_empty() {
            self.renumber();
        }
        Ok(moved)
    }

    /// Moves parts to positions in the world, after `old`, the spaces of the map before this edit.
    ///
    /// Contents go with their group, unless they have their own target.
    pub(super) fn place_parts(
        &mut self,
        old: &Spaces,
        targets: &HashMap<PartIndex, [f64; 3]>,
    ) -> Result<(), EditError> {
        let tree = Tree::new(self);
        let mut spaces = Spaces::new(self, &tree);
        let mut shared = Shared::default();
        // Parents come before their members, whose positions depend on them.
        for &place in &tree.order {
            let Some(&Space { inner, outer, .. }) = spaces.objects.get(place) else { continue };
            let parent = tree.holder(PartIndex::Object(place)).and_then(|parent| spaces.position(parent));
            let members = tree.members_of(place);
            let is_group = self.is_group(place);
            let part = if is_group { Some(PartIndex::Object(place)) } else { members.first().copied() };
            let target = part.and_then(|part| targets.get(&part));
            let position = self.place_object(place, parent.unwrap_or_default(), &outer, target)?;
            if let Some(space) = spaces.objects.get_mut(place) {
                space.position = position;
            }
            for &member in members {
                let target = targets.get(&member).filter(|target| is_group && **target != position);
                let position = match (member, target) {
                    (PartIndex::Object(_), _) => continue,
                    (_, None) => position,
                    (_, target) => {
                        let own = self.add_own_object(member, place, &mut shared);
                        self.place_object(own, position, &inner, target)?
                    }
                };
                if let (PartIndex::Entity(entity), Some(before)) = (member, old.position(place))
                    && position != before
                {
                    // Boxes of regions are in world space.
                    self.change_entity(entity, place, &Motion::shift(sub(position, before)), before);
                }
            }
        }
        if shared.highest.is_some() {
            self.renumber();
        }
        Ok(())
    }

    /// Moves an object to `target`, in world coordinates, if there is one. Returns its position in the world.
    fn place_object(
        &mut self,
        place: usize,
        parent: [f64; 3],
        outer: &Matrix,
        target: Option<&[f64; 3]>,
    ) -> Result<[f64; 3], EditError> {
        let Some(object) = self.objects.get_mut(place) else { return Ok(parent) };
        let mut position = add(parent, apply(outer, object.position));
        let Some(target) = target.filter(|target| **target != position) else { return Ok(position) };
        let back = inverse(outer).ok_or(EditError::Flat { number: object.number })?;
        // Rounding can require a second step.
        for _ in 0..3 {
            let way = apply(&back, sub(*target, position));
            // Unlike 0, -0 changes no number.
            object.position = add(object.position, way.map(|part| if part == 0.0 { -0.0 } else { part }));
            position = add(parent, apply(outer, object.position));
            if position == *target {
                break;
            }
        }
        if position.iter().all(|part| part.is_finite()) { Ok(position) } else { Err(EditError::Overflow) }
    }

    /// Counts numbers that the file cannot store, among those that motions change.
    fn impossible_numbers(&self) -> usize {
        let count = |numbers: &[f64]| numbers.iter().filter(|number| !number.is_finite()).count();
        let mut total = 0;
        for object in &self.objects {
            total += count([object.position, object.angles, object.scale].as_flattened());
        }
        for block in &self.blocks {
            total += match &block.shape {
                Shape::Planes(faces) => faces.iter().map(|face| count(face.points.as_flattened())).sum(),
                Shape::Mesh(mesh) => {
                    let vectors = mesh.faces.iter().filter_map(|face| face.vectors.as_deref());
                    let vectors: usize = vectors.map(|vectors| count(vectors.as_flattened())).sum();
                    vectors + count(mesh.vertices.as_flattened())
                }
            };
        }
        let is_binary = self.dialect == Dialect::Binary;
        for entity in &self.entities {
            total += match &entity.kind {
                // Binary files store the range of lights in single precision, and that of sounds as 32 bits.
                EntityKind::Light(light) if is_binary => usize::from(light.range.abs() > f64::from(f32::MAX)),
                EntityKind::Sound(sound) if is_binary => usize::from(sound.numbers[3] > f64::from(u32::MAX)),
                EntityKind::Light(light) => count(&[light.range]),
                EntityKind::Sound(sound) => count(&sound.numbers),
                EntityKind::Model(model) => count(&model.scale),
                EntityKind::Path(path) => path.nodes.iter().map(|node| count(&node.point)).sum(),
                EntityKind::Region(region) => count([region.minimum, region.maximum].as_flattened()),
                EntityKind::Level(_) | EntityKind::Start(_) => 0,
            };
        }
        total
    }

    /// Gives a part that shares an object an object of its own. Returns the index of the new object.
    fn add_own_object(&mut self, place: PartIndex, holder: usize, shared: &mut Shared) -> usize {
        let member = match place {
            PartIndex::Block(block) => self.blocks.get(block).map(|block| (MemberKind::Block, block.number)),
            PartIndex::Entity(entity) => self.entities.get(entity).map(|entity| (entity.member_kind(), entity.number)),
            PartIndex::Object(_) => None,
        };
        let Some((kind, number)) = member else { return holder };
        let numbers = || self.objects.iter().map(|object| object.number);
        let highest = shared.highest.get_or_insert_with(|| numbers().max().unwrap_or_default());
        *highest = highest.saturating_add(1);
        let mut object = Object::new(*highest);
        object.members.push(Member { kind, number });
        let alone = Member { kind: MemberKind::Object, number: object.number };
        let of_holder = shared.members.entry(holder);
        if let Some(holder) = self.objects.get_mut(holder) {
            // Entities are rotated only by their own object.
            if kind != MemberKind::Block {
                (object.angles, object.scale) = (holder.angles, holder.scale);
            }
            let places = of_holder.or_insert_with(|| member_places(&holder.members));
            let first = places.get_mut(&(kind == MemberKind::Block, number)).and_then(Vec::pop);
            if let Some(member) = first.and_then(|first| holder.members.get_mut(first)) {
                *member = alone;
            }
        }
        self.objects.push(Part::new(object));
        self.objects.len().saturating_sub(1)
    }

    fn transform_object(&mut self, top: usize, motion: &Motion, tree: &Tree, spaces: &Spaces) -> Result<(), EditError> {
        let Some(&space) = spaces.objects.get(top) else { return Ok(()) };
        let flat = |document: &Self, object: usize| EditError::Flat {
            number: document.objects.get(object).map_or(0, |object| object.number),
        };
        let matrix = motion.matrix();
        let resolved = self.dialect == Dialect::Resolved;
        // Vertices of resolved maps are in world space.
        let own = tree.members_of(top);
        let pivot = match own {
            [PartIndex::Block(block)] if resolved => self.blocks.get(*block).map_or([0.0; 3], |block| middle(block)),
            _ => space.position,
        };
        let pivot = motion.about.unwrap_or(pivot);
        let mut inside = vec![top];
        let mut from = 0_usize;
        while let Some(place) = inside.get(from).copied() {
            from = from.saturating_add(1);
            let Some(space) = spaces.objects.get(place) else { continue };
            let held = tree.members_of(place);
            let stays = resolved && (tree.order.first() == Some(&place) || self.in_world(held));
            if place == top && !stays {
                let way = sub(motion.world(&matrix, pivot, space.position), space.position);
                let way = if space.outer == IDENTITY {
                    way
                } else {
                    apply(&inverse(&space.outer).ok_or_else(|| flat(self, place))?, way)
                };
                self.change_position(place, |position| add(position, way));
            } else if resolved && !stays {
                self.change_position(place, |position| motion.world(&matrix, pivot, position));
            } else if !stays && !motion.is_shift() {
                let inner = within(&space.outer, &matrix).ok_or_else(|| flat(self, place))?;
                self.change_position(place, |position| moved(&inner, position));
            }
            for member in held {
                match *member {
                    PartIndex::Object(object) => inside.push(object),
                    PartIndex::Block(block) if resolved => {
                        let world = |point| motion.world(&matrix, pivot, point).map(|part| part + 0.0);
                        self.change_block(block, motion, &IDENTITY, world);
                    }
                    PartIndex::Block(block) if !motion.is_shift() => {
                        let inner = within(&space.inner, &matrix).ok_or_else(|| flat(self, place))?;
                        self.change_block(block, motion, &space.inner, |point| moved(&inner, point));
                    }
                    PartIndex::Block(_) => {}
                    PartIndex::Entity(entity) => self.change_entity(entity, place, motion, pivot),
                }
            }
        }
        Ok(())
    }

    /// Returns `true` if members store their position in world space, in a resolved map.
    fn in_world(&self, held: &[PartIndex]) -> bool {
        held.iter().any(|place| match place {
            PartIndex::Block(_) => true,
            PartIndex::Entity(entity) => {
                self.entities.get(*entity).is_some_and(|entity| matches!(entity.kind, EntityKind::Path(_)))
            }
            PartIndex::Object(_) => false,
        })
    }

    fn change_position(&mut self, object: usize, change: impl Fn([f64; 3]) -> [f64; 3]) {
        let Some(object) = self.objects.get_mut(object) else { return };
        let position = change(object.position);
        // Unmoved objects keep their bytes, including negative zeros.
        if position != object.position {
            object.position = position;
        }
    }

    fn change_block(&mut self, block: usize, motion: &Motion, space: &Matrix, change: impl Fn([f64; 3]) -> [f64; 3]) {
        let dialect = self.dialect;
        let Some(block) = self.blocks.get_mut(block) else { return };
        let block: &mut Block = block;
        match &mut block.shape {
            Shape::Planes(faces) => faces.iter_mut().for_each(|face| face.points = face.points.map(&change)),
            Shape::Mesh(mesh) => {
                let normal = |face: &Face, vertices: &[[f64; 3]]| {
                    let corners = face.corners.iter().filter_map(|corner| vertices.get(usize::try_from(*corner).ok()?));
                    outward(corners.map(|corner| apply(space, *corner)))
                };
                let turned = !motion.is_shift();
                let before: Vec<_> = if turned {
                    mesh.faces.iter().map(|face| normal(face, &mesh.vertices)).collect()
                } else {
                    Vec::new()
                };
                mesh.vertices.iter_mut().for_each(|vertex| *vertex = change(*vertex));
                for (face, before) in mesh.faces.iter_mut().zip(before) {
                    let after = normal(face, &mesh.vertices);
                    let local = face.uvs.is_some() || is_local(dialect, block.flags, face.flags);
                    turn_texture(face, motion, local, [before, after]);
                }
            }
        }
    }

    fn change_entity(&mut self, entity: usize, holder: usize, motion: &Motion, pivot: [f64; 3]) {
        let dialect = self.dialect;
        let (Some(entity), Some(object)) = (self.entities.get_mut(entity), self.objects.get_mut(holder)) else {
            return;
        };
        let matrix = motion.matrix();
        let moves_itself = match &entity.kind {
            EntityKind::Region(_) => true,
            EntityKind::Path(_) => dialect == Dialect::Resolved,
            _ => false,
        };
        if motion.is_shift() && !moves_itself {
            return;
        }
        let reversed = has_mirrored_heading(dialect, entity);
        let rotation = entity_rotation(dialect, object.angles, reversed);
        let mean = math::cbrt(motion.scale.iter().product::<f64>());
        let turn = |object: &mut Part<Object>| {
            if motion.turn != [0.0; 3] {
                object.angles = turned(dialect, object.angles, motion, reversed);
            }
        };
        match &entity.kind {
            EntityKind::Level(_) => {}
            EntityKind::Start(_) => turn(object),
            EntityKind::Model(_) => {
                turn(object);
                if motion.scale != [1.0; 3] {
                    // The change of length of each of its own axes.
                    let longer = |axis: [f64; 3]| {
                        let axis = apply(&rotation, axis);
                        let [x, y, z] = motion.scale;
                        let scaled = [axis[0] * x, axis[1] * y, axis[2] * z];
                        dot(scaled, scaled).sqrt()
                    };
                    let factors = if motion.scale == [mean; 3] { [mean; 3] } else { IDENTITY.map(longer) };
                    let times = |[x, y, z]: [f64; 3]| [x * factors[0], y * factors[1], z * factors[2]];
                    object.scale = times(object.scale);
                    if let EntityKind::Model(model) = &mut entity.kind {
                        // Binary files store only the scale of the object.
                        model.scale = if dialect == Dialect::Binary { object.scale } else { times(model.scale) };
                    }
                }
            }
            EntityKind::Light(_) | EntityKind::Sound(_) if motion.scale == [1.0; 3] => {}
            EntityKind::Light(_) => {
                if let EntityKind::Light(light) = &mut entity.kind {
                    light.range *= mean;
                }
            }
            EntityKind::Sound(_) => {
                if let EntityKind::Sound(sound) = &mut entity.kind {
                    let [.., range] = &mut sound.numbers;
                    *range *= mean;
                    // Binary files store whole numbers.
                    if dialect == Dialect::Binary {
                        *range = range.round();
                    }
                }
            }
            EntityKind::Path(_) if dialect == Dialect::Resolved => {
                if let EntityKind::Path(path) = &mut entity.kind {
                    for node in &mut path.nodes {
                        node.point = motion.world(&matrix, pivot, node.point);
                    }
                }
            }
            EntityKind::Path(_) => {
                turn(object);
                if motion.scale != [1.0; 3] {
                    let after = entity_rotation(dialect, object.angles, reversed);
                    let [x, y, z] = after;
                    let back = [[x[0], y[0], z[0]], [x[1], y[1], z[1]], [x[2], y[2], z[2]]];
                    let inner = product(&back, &product(&matrix, &rotation));
                    if let EntityKind::Path(path) = &mut entity.kind {
                        path.nodes.iter_mut().for_each(|node| node.point = moved(&inner, node.point));
                    }
                }
            }
            EntityKind::Region(_) => {
                if let EntityKind::Region(region) = &mut entity.kind {
                    let corner = |which: u8| {
                        let pick = |axis: u8, low: f64, high: f64| if which >> axis & 1 == 0 { low } else { high };
                        let ([a, b, c], [d, e, f]) = (region.minimum, region.maximum);
                        motion.world(&matrix, pivot, [pick(0, a, d), pick(1, b, e), pick(2, c, f)])
                    };
                    let corners: Vec<_> = (0..8).map(corner).collect();
                    (region.minimum, region.maximum) = bounds(&corners);
                }
            }
        }
    }
}

/// State of giving parts their own objects.
#[derive(Default)]
struct Shared {
    /// The highest number of an object.
    highest: Option<u32>,
    /// Positions of the remaining members.
    members: HashMap<usize, MemberPlaces>,
}

/// Positions of members, in reverse, by `true` for blocks and their number.
type MemberPlaces = HashMap<(bool, u32), Vec<usize>>;

/// Returns the positions of blocks and entities among members.
fn member_places(members: &[Member]) -> MemberPlaces {
    let mut places = MemberPlaces::new();
    for (place, member) in members.iter().enumerate().rev().filter(|(_, member)| member.kind != MemberKind::Object) {
        places.entry((member.kind == MemberKind::Block, member.number)).or_default().push(place);
    }
    places
}

/// Rejects invalid numbers.
pub(super) fn check(motion: &Motion) -> Result<(), EditError> {
    let Motion { scale, turn, by, about } = motion;
    let error = |what, number: &f64, expected| EditError::Motion { what, value: number.to_string(), expected };
    if let Some(factor) = scale.iter().find(|factor| !(factor.is_finite() && **factor > 0.0)) {
        return Err(error("factor", factor, "a number above 0"));
    }
    let mut others = turn.iter().chain(by).chain(about.iter().flatten());
    match others.find(|number| !number.is_finite()) {
        Some(number) => Err(error("number", number, "a finite number")),
        None => Ok(()),
    }
}

/// Returns minimum and maximum of points.
fn bounds(points: &[[f64; 3]]) -> ([f64; 3], [f64; 3]) {
    let first = points.first().copied().unwrap_or_default();
    points.iter().fold((first, first), |(low, high), point| {
        let pairs = |f: fn(f64, f64) -> f64, [a, b, c]: [f64; 3]| [f(a, point[0]), f(b, point[1]), f(c, point[2])];
        (pairs(f64::min, low), pairs(f64::max, high))
    })
}

/// Returns the center of a block in its own space.
fn middle(block: &Block) -> [f64; 3] {
    let (low, high) = match &block.shape {
        Shape::Mesh(mesh) => bounds(&mesh.vertices),
        Shape::Planes(_) => return [0.0; 3],
    };
    add(low, high).map(|part| part / 2.0)
}

/// Returns the angles of a rotated entity.
fn turned(dialect: Dialect, angles: [f64; 3], motion: &Motion, reversed: bool) -> [f64; 3] {
    let ([heading, x, y], [pan, tilt, roll]) = (angles, motion.turn);
    if tilt == 0.0 && roll == 0.0 {
        // Only the heading changes.
        let heading = match dialect {
            Dialect::Resolved => (heading + pan).rem_euclid(360.0),
            Dialect::A4 | Dialect::A5 => heading - pan.to_radians(),
            Dialect::A7 | Dialect::Binary if reversed => heading - pan.to_radians(),
            Dialect::A7 | Dialect::Binary => heading + pan.to_radians(),
        };
        return [heading + 0.0, x, y];
    }
    let after = product(&motion.rotation(), &entity_rotation(dialect, angles, reversed));
    entity_angles(dialect, &after, reversed).map(|angle| angle + 0.0)
}

/// Rotates the texture of a face.
fn turn_texture(face: &mut Face, motion: &Motion, local: bool, [before, after]: [[f64; 3]; 2]) {
    let Some(vectors) = face.vectors.as_mut().map(Arc::make_mut) else { return };
    let linear = |[x, y, z, _]: [f64; 4]| [x, y, z];
    let near = |a: &[f64; 4], b: &[f64; 4]| linear(*a).iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-6);
    let along = vectors.iter().zip(&default_axes(before)).all(|(own, axis)| near(own, axis));
    let new = if local {
        // The texture coordinates of vertices stay the same.
        let [sx, sy, sz] = motion.scale;
        let matrix = scaled(&motion.rotation(), [1.0 / sx, 1.0 / sy, 1.0 / sz]);
        vectors.map(|vector| moved(&matrix, linear(vector)))
    } else if along {
        default_axes(after).map(linear)
    } else {
        vectors.map(|vector| moved(&motion.rotation(), linear(vector)))
    };
    for (vector, [x, y, z]) in vectors.iter_mut().zip(new) {
        *vector = [x, y, z, vector[3]];
    }
}

//! Items moved, turned and scaled.

use std::sync::Arc;

use hashbrown::HashMap;

use super::{EditError, PartIndex, Selection};
use crate::resolve::texture::{default_axes, is_local};
use crate::resolve::transform::{
    IDENTITY, Matrix, add, apply, cross, dot, engine_rotation, entity_angles, entity_rotation, object_rotation,
    product, scaled, sub,
};
use crate::resolve::{is_reversed, outward};
use crate::tree::Tree;
use crate::{Block, Dialect, Document, EntityKind, Face, Member, MemberKind, Object, Part, Shape};

/// How items are moved: scaled, then turned, both about a point, then shifted.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Motion {
    /// Factors along the axes of the world, above 0.
    pub scale: [f64; 3],
    /// Pan, tilt and roll in degrees, as the engine has them: pan turns from X to Y.
    pub turn: [f64; 3],
    /// Quants along the axes of the world.
    pub by: [f64; 3],
    /// The point; each item's own place if there is none.
    pub about: Option<[f64; 3]>,
}

impl Motion {
    /// Nothing.
    pub const NONE: Self = Self { scale: [1.0; 3], turn: [0.0; 3], by: [0.0; 3], about: None };

    /// A shift.
    pub const fn shift(by: [f64; 3]) -> Self {
        Self { by, ..Self::NONE }
    }

    /// The turn as a matrix, whose quarters are exact.
    fn rotation(&self) -> Matrix {
        let round = |part: f64| if (part - part.round()).abs() < 1e-15 { part.round() + 0.0 } else { part };
        engine_rotation(self.turn).map(|row| row.map(round))
    }

    /// Turn and scale.
    fn matrix(&self) -> Matrix {
        scaled(&self.rotation(), self.scale)
    }

    /// Where a point of the world goes.
    fn world(&self, matrix: &Matrix, pivot: [f64; 3], point: [f64; 3]) -> [f64; 3] {
        add(add(apply(matrix, sub(point, pivot)), pivot), self.by)
    }

    fn is_shift(&self) -> bool {
        self.scale == [1.0; 3] && self.turn == [0.0; 3]
    }
}

/// What was moved.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Moved {
    /// Items that were meant and moved; those in groups that were meant as well count with the group.
    pub items: usize,
    /// Items that were meant and are held by nothing, so that they have no place.
    pub nowhere: usize,
}

/// Where objects stand in the world.
pub(super) struct Spaces {
    /// The place of each object, what it does to what it holds, and what is done to itself.
    objects: Vec<Space>,
}

#[derive(Clone, Copy)]
struct Space {
    position: [f64; 3],
    inner: Matrix,
    outer: Matrix,
}

impl Spaces {
    pub(super) fn of(document: &Document, tree: &Tree) -> Self {
        let nowhere = Space { position: [0.0; 3], inner: IDENTITY, outer: IDENTITY };
        let mut objects = vec![nowhere; document.objects.len()];
        // An object comes before what it holds.
        for &place in &tree.order {
            let Some(object) = document.objects.get(place) else { continue };
            let around = tree.holder(PartIndex::Object(place)).and_then(|around| objects.get(around).copied());
            let Space { position, inner: outer, .. } = around.unwrap_or(nowhere);
            let position = add(position, apply(&outer, object.position));
            let own = scaled(&object_rotation(document.dialect, object.angles), object.scale);
            if let Some(space) = objects.get_mut(place) {
                *space = Space { position, inner: product(&outer, &own), outer };
            }
        }
        Self { objects }
    }

    /// Where an object stands.
    pub(super) fn position(&self, object: usize) -> Option<[f64; 3]> {
        self.objects.get(object).map(|space| space.position)
    }
}

/// What undoes a matrix, if anything does.
fn inverse(m: &Matrix) -> Option<Matrix> {
    let [x, y, z] = *m;
    let columns = [cross(y, z), cross(z, x), cross(x, y)];
    let size = dot(x, columns[0]);
    let [a, b, c] = columns.map(|column| column.map(|part| part / size));
    (size.is_normal() && size.is_finite()).then_some([[a[0], b[0], c[0]], [a[1], b[1], c[1]], [a[2], b[2], c[2]]])
}

/// What a matrix of the world does in a space.
fn within(space: &Matrix, matrix: &Matrix) -> Option<Matrix> {
    // Most spaces are those of the world, where numbers stay exact.
    if *space == IDENTITY {
        return Some(*matrix);
    }
    Some(product(&inverse(space)?, &product(matrix, space)))
}

/// A point of a space that is moved within it. No negative zeros come of it.
fn moved(matrix: &Matrix, point: [f64; 3]) -> [f64; 3] {
    apply(matrix, point).map(|part| part + 0.0)
}

impl Document {
    /// Moves, turns or scales the items that a selection means, groups with all that they hold.
    ///
    /// A shift changes the place of the item alone. A turn or scale is worked into what is held: places, vertices of blocks, angles and
    /// scales of entities, nodes of paths, boxes of regions, and the range of lights and sounds by the mean of the factors; groups keep
    /// their own angles and scale, as the editor does since A5. Textures move with blocks that are locked, where the lock has an
    /// effect, and with faces that have coordinates of their own. Other textures stay in the world as the engine maps them: along the
    /// axes, chosen by the new direction of the face, or if their vectors are others, turned.
    ///
    /// # Errors
    /// If a factor is not above 0, a number is not finite, or an object around is flat.
    pub fn transform(&mut self, selection: &Selection, motion: &Motion) -> Result<Moved, EditError> {
        let found = self.find(selection)?;
        let mut edited = self.clone();
        let moved = edited.transform_places(&found, motion)?;
        *self = edited;
        Ok(moved)
    }

    pub(super) fn transform_places(&mut self, found: &[PartIndex], motion: &Motion) -> Result<Moved, EditError> {
        check(motion)?;
        let (mut moved, mut tops) = (Moved::default(), Vec::new());
        let tree = Tree::new(self);
        let mut shared = Shared::default();
        for &place in found {
            match place {
                PartIndex::Object(object) => tops.push(object),
                place => match tree.holder(place) {
                    Some(holder) if self.is_group(holder) => tops.push(self.put_alone(place, holder, &mut shared)),
                    Some(holder) => tops.push(holder),
                    None => moved.nowhere = moved.nowhere.saturating_add(1),
                },
            }
        }
        tops.sort_unstable();
        tops.dedup();
        let tree = Tree::new(self);
        let spaces = Spaces::of(self, &tree);
        for &top in &tops {
            let inside = tree.chain(top).skip(1).any(|around| tops.binary_search(&around).is_ok());
            if !inside {
                self.transform_object(top, motion, &tree, &spaces)?;
                moved.items = moved.items.saturating_add(1);
            }
        }
        self.renumber();
        Ok(moved)
    }

    /// Gives something that shares an object its own; gives the place of that.
    fn put_alone(&mut self, place: PartIndex, holder: usize, shared: &mut Shared) -> usize {
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
            // Entities turn by their own object alone.
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
        // Blocks of resolved maps stand in the world, whatever holds them.
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
            let stays = resolved && (place == tree.order.first().copied().unwrap_or_default() || self.in_world(held));
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

    /// Whether what an object holds says itself where it is in the world, in a resolved map.
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
        // What does not move keeps its bytes, negative zeros among them.
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
                    outward(&corners.map(|corner| apply(space, *corner)).collect::<Vec<_>>())
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
        let reversed = is_reversed(dialect, entity);
        let rotation = entity_rotation(dialect, object.angles, reversed);
        let mean = motion.scale.iter().product::<f64>().cbrt();
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
                    // How much longer each of its own axes gets.
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
                        // Binary files say it once, in the object.
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
                    // Binary files have whole numbers there.
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

/// What is known of objects while what they hold gets its own.
#[derive(Default)]
struct Shared {
    /// The highest number of an object.
    highest: Option<u32>,
    /// Of objects whose members got their own, where the others stand.
    members: HashMap<usize, MemberPlaces>,
}

/// Where members stand, the first last: by whether they are blocks, and their numbers.
type MemberPlaces = HashMap<(bool, u32), Vec<usize>>;

/// The places of blocks and entities among members.
fn member_places(members: &[Member]) -> MemberPlaces {
    let mut places = MemberPlaces::new();
    for (place, member) in members.iter().enumerate().rev().filter(|(_, member)| member.kind != MemberKind::Object) {
        places.entry((member.kind == MemberKind::Block, member.number)).or_default().push(place);
    }
    places
}

/// Refuses a motion after which a place would be none.
pub(super) fn check(motion: &Motion) -> Result<(), EditError> {
    let Motion { scale, turn, by, about } = motion;
    if let Some(factor) = scale.iter().find(|factor| !(factor.is_finite() && **factor > 0.0)) {
        let expected = "factors above 0".to_owned();
        return Err(EditError::Value { field: "scale".to_owned(), value: factor.to_string(), expected });
    }
    let rest = turn.iter().chain(by).chain(about.iter().flatten());
    if let Some(number) = rest.into_iter().find(|number| !number.is_finite()) {
        return Err(EditError::Range { field: "a place".to_owned(), value: number.to_string() });
    }
    Ok(())
}

/// The lowest and highest corner of points.
fn bounds(points: &[[f64; 3]]) -> ([f64; 3], [f64; 3]) {
    let first = points.first().copied().unwrap_or_default();
    points.iter().fold((first, first), |(low, high), point| {
        let pairs = |f: fn(f64, f64) -> f64, [a, b, c]: [f64; 3]| [f(a, point[0]), f(b, point[1]), f(c, point[2])];
        (pairs(f64::min, low), pairs(f64::max, high))
    })
}

/// The middle of a block in its own space.
fn middle(block: &Block) -> [f64; 3] {
    let (low, high) = match &block.shape {
        Shape::Mesh(mesh) => bounds(&mesh.vertices),
        Shape::Planes(_) => return [0.0; 3],
    };
    add(low, high).map(|part| part / 2.0)
}

/// The angles of an entity that is turned.
fn turned(dialect: Dialect, angles: [f64; 3], motion: &Motion, reversed: bool) -> [f64; 3] {
    let ([heading, x, y], [pan, tilt, roll]) = (angles, motion.turn);
    if tilt == 0.0 && roll == 0.0 {
        // The heading alone changes, by as much.
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

/// Lets the texture of a face follow a turn.
fn turn_texture(face: &mut Face, motion: &Motion, local: bool, [before, after]: [[f64; 3]; 2]) {
    let Some(vectors) = face.vectors.as_mut().map(Arc::make_mut) else { return };
    let linear = |[x, y, z, _]: [f64; 4]| [x, y, z];
    let near = |a: &[f64; 4], b: &[f64; 4]| linear(*a).iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-6);
    let along = vectors.iter().zip(&default_axes(before)).all(|(own, axis)| near(own, axis));
    let new = if local {
        // What a vector measures along the face stays the same.
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

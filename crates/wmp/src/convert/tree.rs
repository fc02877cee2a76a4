//! What holds what, in the way of the dialect that a map becomes.

use crate::document::Part;
use crate::resolve::is_reversed;
use crate::resolve::transform::{
    IDENTITY, Matrix, apply, entity_angles, entity_rotation, object_angles, object_rotation, product, scaled,
};
use crate::tree::{PartIndex, PartNumbers, Tree};
use crate::{Dialect, Document, Entity, EntityKind, Member, MemberKind, Object, Shape};

/// Takes parts out of a map, and with them objects that held nothing else.
pub(super) fn remove(map: &mut Document, gone: impl Fn(PartIndex) -> bool) {
    let places = PartNumbers::new(map);
    let root = places.root(map);
    let mut empty = vec![false; map.objects.len()];
    for (at, (object, empty)) in map.objects.iter_mut().zip(&mut empty).enumerate() {
        let before = object.members.len();
        object.members.retain(|member| !places.find(*member).is_some_and(&gone));
        *empty = object.members.len() < before && object.members.is_empty() && Some(at) != root;
    }
    let is_empty = |place| matches!(place, Some(PartIndex::Object(object)) if empty.get(object) == Some(&true));
    for object in &mut map.objects {
        object.members.retain(|member| !is_empty(places.find(*member)));
    }
    keep(&mut map.objects, |object| !is_empty(Some(PartIndex::Object(object))));
    keep(&mut map.blocks, |block| !gone(PartIndex::Block(block)));
    keep(&mut map.entities, |entity| !gone(PartIndex::Entity(entity)));
}

fn keep<T>(parts: &mut Vec<Part<T>>, keep: impl Fn(usize) -> bool) {
    let mut place = 0..;
    parts.retain(|_| place.next().is_some_and(&keep));
}

/// Gives each block and each entity an object of its own.
pub(super) fn part(map: &mut Document) {
    let places = PartNumbers::new(map);
    let mut number = map.objects.iter().map(|object| object.number).max().unwrap_or_default();
    let mut leaves = Vec::new();
    for object in &mut map.objects {
        let alone = |member: &Member| !matches!(member.kind, MemberKind::Object | MemberKind::Level);
        let several = object.members.len() > 1;
        if !several || !object.members.iter().any(alone) {
            continue;
        }
        let (angles, scale) = (object.angles, object.scale);
        for member in object.members.iter_mut().filter(|member| alone(member)) {
            number = number.saturating_add(1);
            let mut leaf = Object { members: [*member].as_slice().into(), ..Object::new(number) };
            // Blocks go by all that is around them, entities by what holds them.
            if matches!(places.find(*member), Some(PartIndex::Entity(_))) {
                (leaf.angles, leaf.scale) = (angles, scale);
            }
            *member = Member { kind: MemberKind::Object, number };
            leaves.push(Part::new(leaf));
        }
    }
    map.objects.extend(leaves);
}

/// Where the scale of a model is not that of its object, it counts in text: the later editor has but one.
pub(super) fn scales(map: &mut Document) {
    let tree = Tree::new(map);
    for (entity, holder) in map.entities.iter().zip(&tree.entities) {
        let object = holder.and_then(|holder| map.objects.get_mut(holder));
        if let (EntityKind::Model(model), Some(object)) = (&entity.kind, object) {
            object.scale = model.scale;
        }
    }
}

/// The entity, but for levels, that each object holds.
fn held(map: &Document) -> Vec<Option<usize>> {
    let places = PartNumbers::new(map);
    let entity = |member: &Member| match places.find(*member) {
        Some(PartIndex::Entity(entity)) if member.kind != MemberKind::Level => Some(entity),
        _ => None,
    };
    map.objects.iter().map(|object| object.members.iter().find_map(entity)).collect()
}

/// Works turns and scales of groups and blocks into what they hold: since A5 they have none.
pub(super) fn bake(map: &mut Document) {
    let tree = Tree::new(map);
    let held = held(map);
    let mut matrices: Vec<Matrix> = vec![IDENTITY; map.objects.len()];
    for &at in &tree.order {
        let around =
            tree.holder(PartIndex::Object(at)).and_then(|holder| matrices.get(holder)).copied().unwrap_or(IDENTITY);
        let Some(object) = map.objects.get_mut(at) else { continue };
        object.position = apply(&around, object.position);
        if held.get(at).is_some_and(Option::is_some) {
            continue;
        }
        let matrix = scaled(&product(&around, &object_rotation(map.dialect, object.angles)), object.scale);
        (object.angles, object.scale) = ([0.0; 3], [1.0; 3]);
        if let Some(place) = matrices.get_mut(at) {
            *place = matrix;
        }
    }
    for (block, holder) in map.blocks.iter_mut().zip(&tree.blocks) {
        let Some(matrix) = holder.and_then(|holder| matrices.get(holder)).filter(|matrix| **matrix != IDENTITY) else {
            continue;
        };
        let bake = |point: &mut [f64; 3]| *point = apply(matrix, *point);
        match &mut block.shape {
            Shape::Planes(faces) => faces.iter_mut().flat_map(|face| &mut face.points).for_each(bake),
            Shape::Mesh(mesh) => mesh.vertices.iter_mut().for_each(bake),
        }
    }
}

/// Says the turns of objects in the angles of another dialect.
pub(super) fn turn(map: &mut Document, to: Dialect) {
    let from = map.dialect;
    let held = held(map);
    for (object, held) in map.objects.iter_mut().zip(&held) {
        match held.and_then(|entity| map.entities.get(entity)) {
            Some(entity) => {
                let entity: &Entity = entity;
                let matrix = entity_rotation(from, object.angles, is_reversed(from, entity));
                object.angles = entity_angles(to, &matrix, is_reversed(to, entity));
            }
            None if object.angles != [0.0; 3] => {
                object.angles = object_angles(to, &object_rotation(from, object.angles));
            }
            None => {}
        }
    }
}

//! The tree, as another dialect stores it.

use crate::document::Part;
use crate::resolve::has_mirrored_heading;
use crate::resolve::transform::{
    IDENTITY, Matrix, apply, entity_angles, entity_rotation, object_angles, object_rotation, product, scaled,
};
use crate::tree::{PartIndex, PartNumbers, Tree};
use crate::{Dialect, Document, Entity, EntityKind, Member, MemberKind, Object, Shape};

/// Removes parts, and objects that become empty.
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
            // The transform of an object applies to its blocks even from further up, to its entities only directly.
            if matches!(places.find(*member), Some(PartIndex::Entity(_))) {
                (leaf.angles, leaf.scale) = (angles, scale);
            }
            *member = Member { kind: MemberKind::Object, number };
            leaves.push(Part::new(leaf));
        }
    }
    map.objects.extend(leaves);
}

/// Copies the scale of models to their objects: in text that of the model counts, and WMPB stores only the other.
pub(super) fn scales(map: &mut Document) {
    let tree = Tree::new(map);
    for (entity, holder) in map.entities.iter().zip(&tree.entities) {
        let object = holder.and_then(|holder| map.objects.get_mut(holder));
        if let (EntityKind::Model(model), Some(object)) = (&entity.kind, object) {
            object.scale = model.scale;
        }
    }
}

/// Returns the entity of each object, other than levels.
fn object_entities(map: &Document) -> Vec<Option<usize>> {
    let places = PartNumbers::new(map);
    let entity = |member: &Member| match places.find(*member) {
        Some(PartIndex::Entity(entity)) if member.kind != MemberKind::Level => Some(entity),
        _ => None,
    };
    map.objects.iter().map(|object| object.members.iter().find_map(entity)).collect()
}

/// Applies rotation and scale of groups and blocks to their contents. Since A5 they have neither.
pub(super) fn bake(map: &mut Document) {
    let tree = Tree::new(map);
    let entities = object_entities(map);
    let mut matrices: Vec<Matrix> = vec![IDENTITY; map.objects.len()];
    for &at in &tree.order {
        let around =
            tree.holder(PartIndex::Object(at)).and_then(|holder| matrices.get(holder)).copied().unwrap_or(IDENTITY);
        let object = &mut map.objects[at];
        object.position = apply(&around, object.position);
        if entities.get(at).is_some_and(Option::is_some) {
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

/// Converts the angles of objects to another dialect.
pub(super) fn turn(map: &mut Document, to: Dialect) {
    let from = map.dialect;
    let entities = object_entities(map);
    for (object, entity) in map.objects.iter_mut().zip(&entities) {
        match entity.and_then(|entity| map.entities.get(entity)) {
            Some(entity) => {
                let entity: &Entity = entity;
                let matrix = entity_rotation(from, object.angles, has_mirrored_heading(from, entity));
                object.angles = entity_angles(to, &matrix, has_mirrored_heading(to, entity));
            }
            None if object.angles != [0.0; 3] => {
                object.angles = object_angles(to, &object_rotation(from, object.angles));
            }
            None => {}
        }
    }
}

//! The order of the shapes.

use std::collections::{HashMap, HashSet};

use mapwright_scene::NodeId;

use super::context::WriteContext;
use super::objects::WrittenObject;
use crate::{Object, Shape, WingedMesh};

/// Replaces the shapes of the model by the objects: old ones in their places, then the new ones. Returns for each shape the
/// index of its object, or `None` if the shape was never in the scene.
pub(super) fn arrange_shapes(context: &mut WriteContext<'_>, objects: &mut [WrittenObject<'_>]) -> Vec<Option<usize>> {
    // Selections need the objects later. Without selections, move the objects: large ones should not be in memory twice.
    let is_needed = !context.scene.sets.is_empty() || context.base.is_some();
    let take = |written: &mut WrittenObject<'_>| {
        Shape::Object(match is_needed {
            true => written.object.clone(),
            false => std::mem::replace(&mut written.object, Object::new("", WingedMesh::default())),
        })
    };
    // The order of the nodes matters only if it differs from the order in which the file was read.
    let new_order: Vec<usize> = objects.iter().filter_map(|object| object.old).collect();
    let has_old_order = new_order == order_in_base(context, &new_order);
    let by_old: HashMap<usize, usize> =
        objects.iter().enumerate().filter_map(|(index, object)| Some((object.old?, index))).collect();
    let mut shapes = Vec::with_capacity(objects.len());
    let mut order = Vec::new();
    for (number, shape) in std::mem::take(&mut context.model.shapes).into_iter().enumerate() {
        let is_unread = context.base.is_some_and(|base| base.objects[number].is_none());
        match by_old.get(&number).filter(|_| has_old_order) {
            Some(&index) => {
                order.push(Some(index));
                shapes.push(take(&mut objects[index]));
            }
            None if is_unread => {
                order.push(None);
                shapes.push(shape);
            }
            None => {}
        }
    }
    for (index, written) in objects.iter_mut().enumerate() {
        if !has_old_order || written.old.is_none() {
            order.push(Some(index));
            shapes.push(take(written));
        }
    }
    context.model.shapes = shapes;
    order
}

/// Returns the given shapes of the base in the order of their nodes there. Folders make it differ from that of the file.
fn order_in_base(context: &WriteContext<'_>, shapes: &[usize]) -> Vec<usize> {
    let Some(base) = context.base else { return Vec::new() };
    let wanted: HashSet<usize> = shapes.iter().copied().collect();
    let objects = base.objects.iter().enumerate();
    let numbers: HashMap<NodeId, usize> =
        objects.filter_map(|(number, object)| Some((object.as_ref()?.node, number))).collect();
    let walk = base.scene.walk().filter_map(|visit| numbers.get(&visit.id).copied());
    walk.filter(|number| wanted.contains(number)).collect()
}

//! Transforms of nodes → position, angles and scale of objects.

use mapwright_scene::{Node, Transform};

use super::context::{Context, Visit};
use crate::resolve::has_mirrored_heading;
use crate::resolve::transform::{Matrix, entity_angles, object_angles};
use crate::scene::AXES;
use crate::tree::PartIndex;
use crate::{Dialect, EntityKind};

const NOT_TRS: &str = "a transform that is not a translation, rotation and scale";

/// Moves an object to its node. Only what changed is written, so that other numbers keep their digits. `part` is its only member.
pub(super) fn place_object(
    context: &mut Context<'_>,
    at: usize,
    node: &Node,
    old: &Node,
    visit: &Visit,
    part: Option<PartIndex>,
) {
    let whole = visit.outer.compose(&node.transform);
    if whole == old.transform {
        return;
    }
    let path = node.key.as_deref().unwrap_or_default();
    let dialect = context.dialect;
    let entity = match part {
        Some(PartIndex::Entity(at)) => Some(&mut context.document.entities[at]),
        _ => None,
    };
    if dialect == Dialect::Resolved && entity.is_none() {
        context.losses.dropped(path, "a position other than that of the vertices");
        return;
    }
    let Some((position, rotation, scale)) = AXES.inverse().transform(&whole).to_trs() else {
        context.losses.dropped(path, NOT_TRS);
        return;
    };
    let was = AXES.inverse().transform(&old.transform).to_trs();
    let reversed = entity.as_ref().map(|entity| has_mirrored_heading(dialect, entity));
    let object = &mut context.document.objects[at];
    if was.is_none_or(|(was, ..)| was != position) {
        object.position = position.map(|part| part + 0.0);
    }
    if was.is_none_or(|(_, was, _)| was != rotation) {
        let turn = rotation_matrix(rotation);
        object.angles = match reversed {
            Some(reversed) => entity_angles(dialect, &turn, reversed),
            None => object_angles(dialect, &turn),
        };
    }
    if was.is_none_or(|(_, _, was)| was != scale) {
        // Part counts any mutable borrow as a change: only models are borrowed.
        let model = entity.filter(|entity| matches!(entity.kind, EntityKind::Model(_)));
        // In resolved maps only models have a scale.
        if model.is_some() || dialect != Dialect::Resolved {
            object.scale = scale;
        }
        if let Some(EntityKind::Model(model)) = model.map(|entity| &mut entity.kind) {
            model.scale = scale;
        }
    }
}

/// Rotates and scales the object of a new entity.
pub(super) fn rotate_new_object(context: &mut Context<'_>, at: usize, entity: usize, linear: &Transform, path: &str) {
    let Some((_, rotation, scale)) = AXES.inverse().transform(linear).to_trs() else {
        context.losses.dropped(path, NOT_TRS);
        return;
    };
    let dialect = context.dialect;
    let (entity, object) = (&mut context.document.entities[entity], &mut context.document.objects[at]);
    object.angles = entity_angles(dialect, &rotation_matrix(rotation), has_mirrored_heading(dialect, entity));
    let mut has_scale = dialect != Dialect::Resolved;
    if let EntityKind::Model(model) = &mut entity.kind {
        (model.scale, has_scale) = (scale, true);
    }
    if has_scale {
        object.scale = scale;
    }
}

/// Returns the rows of a rotation in the axes of files.
fn rotation_matrix(rotation: [f64; 4]) -> Matrix {
    let turn = Transform::Trs { translation: [0.0; 3], rotation, scale: [1.0; 3] };
    let [[a, d, g], [b, e, h], [c, f, i]] = turn.linear();
    [[a, b, c], [d, e, f], [g, h, i]]
}

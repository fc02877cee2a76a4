//! The tree of dags.

use mapwright_io::{FaultKind, Position};
use mapwright_scene::{Losses, Transform};

use super::mesh::Builder;
use crate::{Document, ElementRef, ReadError, Value};

/// Maximum depth of dags. Real models have less than 100.
const MAX_DEPTH: usize = 256;

/// A dag that has not been visited yet.
struct Pending<'a> {
    dag: ElementRef<'a>,
    depth: usize,
    /// Product of the transforms above the dag.
    parent: Transform,
    visible: bool,
}

/// Visits all dags below a model and converts their meshes. A dag is visited once for each path to it.
pub(super) fn visit<'a>(model: ElementRef<'a>, builder: &mut Builder<'a>) -> Result<(), ReadError> {
    let mut pending = vec![Pending { dag: model, depth: 0, parent: Transform::IDENTITY, visible: true }];
    // Shared dags could turn a small file into a huge tree.
    let limit = model.document().elements.len().saturating_mul(4).saturating_add(10_000);
    let mut visited = 0_usize;
    while let Some(Pending { dag, depth, parent, visible }) = pending.pop() {
        visited += 1;
        if visited > limit || pending.len() > limit {
            let kind = FaultKind::Limit { what: "number of dags", asked: visited as u64, limit: limit as u64 };
            return Err(ReadError::new(kind.into(), Position::file(0)));
        }
        if depth > MAX_DEPTH {
            builder
                .losses
                .dropped("model", format!("dags deeper than {MAX_DEPTH} levels, which may contain themselves"));
            continue;
        }
        let own = dag.child("transform").map_or(Transform::IDENTITY, |transform| read_transform(transform, builder));
        let chain = parent.compose(&own);
        let visible = visible && dag.flag("visible").unwrap_or(true);
        if let Some(mesh) = dag.child("shape").filter(|shape| shape.is("DmeMesh")) {
            builder.add(dag, mesh, [own, chain], visible)?;
        }
        // Push in reverse: the last one is visited first.
        let children = dag.children("children").rev();
        pending.extend(children.map(|dag| Pending { dag, depth: depth + 1, parent: chain, visible }));
    }
    Ok(())
}

/// Reads a `DmeTransform`. A position with a number that is not finite is left out and reported, as is a rotation that is not finite or 0.
fn read_transform(transform: ElementRef<'_>, builder: &mut Builder<'_>) -> Transform {
    let mut position = transform.vector3("position").unwrap_or_default().map(f64::from);
    let rotation = match transform.get("orientation") {
        Some(Value::Quaternion(rotation)) => rotation.map(f64::from),
        _ => [0.0, 0.0, 0.0, 1.0],
    };
    if !position.iter().all(|part| part.is_finite()) {
        position = [0.0; 3];
        builder.losses.dropped("model", "position that is not finite");
    }
    let length = rotation.iter().map(|part| part * part).sum::<f64>().sqrt();
    let rotation = if !length.is_finite() || length == 0.0 {
        builder.losses.dropped("model", "rotation that is not finite or 0");
        [0.0, 0.0, 0.0, 1.0]
    } else if (length - 1.0).abs() > 1e-12 {
        // Rotations of single precision are off by their last bit.
        rotation.map(|part| part / length)
    } else {
        rotation
    };
    builder.axes.transform(position, rotation)
}

/// Reports the parts of a model that scenes cannot store.
pub(super) fn report_unread(document: &Document, model: ElementRef<'_>, losses: &mut Losses) {
    let joints = document.iter().filter(|element| element.is("DmeJoint")).count();
    if joints > 0 {
        losses.dropped("skeleton", format!("skeleton of {}", mapwright_io::format_count(joints, "joint")));
    }
    let is_set = |name: &str| {
        let root = document.root();
        root.into_iter().chain([model]).any(|element| element.child(name).is_some())
    };
    for (name, what) in [("animationList", "animations"), ("combinationOperator", "morph controls")] {
        if is_set(name) {
            losses.dropped(name, what);
        }
    }
}

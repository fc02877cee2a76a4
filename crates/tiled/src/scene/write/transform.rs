//! Transforms of nodes.

use mapwright_scene::{Transform, Value};

use super::super::encode::Outgoing;
use crate::geometry::Placement;

/// Returns x and y of Tiled, with y down. Other parts of the transform become properties.
pub(super) fn write_transform(
    transform: &Transform,
    depth: &'static str,
    placement: Placement,
    properties: &mut Outgoing,
) -> [f64; 2] {
    let numbers = |numbers: Vec<f64>| Value::List(numbers.into_iter().map(Value::Float).collect());
    let ([x, y, z], rest) = match transform {
        Transform::Trs { translation, rotation, scale } => {
            let is_move = *rotation == [0.0, 0.0, 0.0, 1.0] && *scale == [1.0; 3];
            (*translation, (!is_move).then(|| numbers(rotation.iter().chain(scale).copied().collect())))
        }
        Transform::Matrix(matrix) => {
            let [a, b, c, [x, y, z, _]] = *matrix;
            let three = |[x, y, z, _]: [f64; 4]| [x, y, z];
            ([x, y, z], Some(numbers([a, b, c].map(three).as_flattened().to_vec())))
        }
    };
    // Subtraction avoids negative zero.
    let y = 0.0 - y;
    let stored = placement.stored([x, y]);
    let rounded = stored.map(|number| format!("{number:.5e}").parse().unwrap_or(f64::NAN));
    let read = placement.drawn(rounded);
    for (name, (number, read)) in ["exact_x", "exact_y"].into_iter().zip([x, y].into_iter().zip(read)) {
        if number != read {
            properties.own(name, number);
        }
    }
    if z != 0.0 {
        properties.own(depth, z);
    }
    if let Some(rest) = rest {
        properties.own("transform", rest);
    }
    if read == [x, y] { rounded } else { stored }
}

/// Tiled writes six digits in attributes, so other numbers are also stored as a property.
pub(super) fn exact(name: &'static str, number: f64, properties: &mut Outgoing) {
    if format!("{number:.5e}").parse() != Ok(number) {
        properties.own(name, number);
    }
}

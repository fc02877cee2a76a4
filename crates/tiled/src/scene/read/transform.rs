//! Transforms of nodes.

use mapwright_scene::Transform;

use super::super::encode::Incoming;
use crate::document::Item;
use crate::view::AttributeValue as _;

/// Loss text for numbers that are not finite.
pub(super) const NO_NUMBER: &str = "number that is not finite: read as the default";

/// Returns `true` if an item has one of these attributes, and it is not a finite number. Its value is the default then.
pub(super) fn has_invalid_number(item: Item<'_>, names: &[&str]) -> bool {
    names.iter().filter_map(|name| item.get(name)).any(|item| f64::read(item).is_none())
}

/// Returns the transform of a node from a position in pixels and from its properties, and `true` if all numbers are finite. The exact
/// coordinates in properties may differ by `error` from the position.
pub(super) fn read_transform(
    [x, y]: [f64; 2],
    error: f64,
    depth: &'static str,
    own: &mut Incoming,
) -> (Transform, bool) {
    let exact = |near: f64, stored: Option<f64>| match stored {
        Some(stored) if error > 0.0 && (stored - near).abs() <= error => stored,
        stored => exact(near, stored),
    };
    let [x, y, z] =
        [exact(x, own.float("exact_x")), 0.0 - exact(y, own.float("exact_y")), own.float(depth).unwrap_or(0.0)];
    let rest = own.floats("transform");
    let are_numbers = [x, y, z].iter().chain(rest.iter().flatten()).all(|number| number.is_finite())
        && matches!(rest.as_deref(), None | Some(&[_, _, _, _, _, _, _] | &[_, _, _, _, _, _, _, _, _]));
    let [x, y, z] = [x, y, z].map(finite);
    let transform = match rest.as_deref().filter(|numbers| numbers.iter().all(|number| number.is_finite())) {
        Some(&[rx, ry, rz, rw, sx, sy, sz]) => {
            Transform::Trs { translation: [x, y, z], rotation: [rx, ry, rz, rw], scale: [sx, sy, sz] }
        }
        Some(&[a, b, c, d, e, f, g, h, i]) => {
            Transform::Matrix([[a, b, c, 0.0], [d, e, f, 0.0], [g, h, i, 0.0], [x, y, z, 1.0]])
        }
        _ => Transform::translation([x, y, z]),
    };
    (transform, are_numbers)
}

/// Returns the exact number of an attribute, if the attribute still equals the rounded number.
pub(super) fn exact(rounded: f64, exact: Option<f64>) -> f64 {
    let is_rounded = |exact: &f64| {
        exact.is_finite()
            && [
                rounded == *exact,
                format!("{exact:.5e}").parse() == Ok(rounded),
                format!("{exact:.14e}").parse() == Ok(rounded),
            ]
            .contains(&true)
    };
    exact.filter(is_rounded).unwrap_or(rounded)
}

/// Replaces numbers that are not finite by 0.
pub(super) fn finite(number: f64) -> f64 {
    if number.is_finite() { number } else { 0.0 }
}

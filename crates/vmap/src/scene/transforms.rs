//! Conversion between origin, angles and scales of maps and transforms of scenes.
//!
//! Maps store absolute transforms, even for the children of groups and entities. Scenes store them relative to the parent.

use mapwright_scene::transform::{add, cross, dot, normalize, scale, sub};
use mapwright_scene::{AxisChange, Transform, angles};

use super::conventions::AXES;

/// Converts a transform of a map to the axes of scenes.
pub(super) fn from_map(origin: [f64; 3], pitch_yaw_roll: [f64; 3], scales: [f64; 3]) -> Transform {
    AXES.transform(&Transform::Trs {
        translation: origin,
        rotation: angles::to_rotation(pitch_yaw_roll),
        scale: scales,
    })
}

/// Converts a transform to the axes of maps: origin, rotation, scales. `None` if it shears or collapses space.
pub(super) fn to_map(world: &Transform) -> Option<([f64; 3], [f64; 4], [f64; 3])> {
    let back: AxisChange = AXES.inverse();
    back.transform(world).to_trs()
}

/// Returns the nearest origin, rotation and scales in the axes of maps: without shear, and with scale 1 along collapsed axes.
pub(super) fn nearest_to_map(world: &Transform) -> ([f64; 3], [f64; 4], [f64; 3]) {
    let back = AXES.inverse().transform(world);
    let [x, y, z] = back.linear();
    let length = |axis: [f64; 3]| Some(dot(axis, axis).sqrt()).filter(|length| length.is_normal());
    let mut scales = [x, y, z].map(|axis| length(axis).unwrap_or(1.0));
    let first = normalize(x).unwrap_or([1.0, 0.0, 0.0]);
    let across =
        |axis: [f64; 3]| normalize(sub(axis, scale(first, dot(axis, first)))).filter(|_| length(axis).is_some());
    let third = across(z)
        .or_else(|| across(cross(first, y)))
        .or_else(|| across([0.0, 0.0, 1.0]))
        .or_else(|| across([0.0, 1.0, 0.0]))
        .unwrap_or([0.0, 0.0, 1.0]);
    let second = cross(third, first);
    if dot(second, y) < 0.0 {
        let [_, along, _] = &mut scales;
        *along = -*along;
    }
    let wide = |[a, b, c]: [f64; 3]| [a, b, c, 0.0];
    let turn = Transform::Matrix([wide(first), wide(second), wide(third), [0.0, 0.0, 0.0, 1.0]]);
    let rotation = turn.to_trs().map_or([0.0, 0.0, 0.0, 1.0], |(_, rotation, _)| rotation);
    (back.origin(), rotation, scales)
}

/// Converts a plane, as `normal · p + constant`, from local to world space. Returns it unchanged if the transform collapses space.
pub(super) fn plane_in_world(plane: [f64; 4], world: &Transform) -> [f64; 4] {
    let determinant = world.determinant();
    if world.is_identity() || !determinant.is_normal() {
        return plane;
    }
    let [nx, ny, nz, constant] = plane;
    let [x, y, z] = world.linear();
    // Normals transform by the inverse transpose.
    let [a, b, c] = [cross(y, z), cross(z, x), cross(x, y)];
    let normal = add(add(scale(a, nx), scale(b, ny)), scale(c, nz));
    let normal = scale(normal, 1.0 / determinant);
    let [nx, ny, nz] = normal;
    [nx, ny, nz, constant - dot(normal, world.origin())]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(a: &[f64], b: &[f64]) -> bool {
        a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-9)
    }

    #[test]
    fn relative_transforms_restore_the_absolute_one() {
        let child = from_map([10.0, 20.0, 30.0], [5.0, 10.0, 15.0], [1.0, 2.0, 3.0]);
        let parents = [
            ([0.0; 3], [0.0; 3], [1.0; 3]),
            ([100.0, -5.0, 7.0], [0.0; 3], [1.0; 3]),
            ([100.0, -5.0, 7.0], [40.0, 30.0, 20.0], [2.0; 3]),
            ([100.0, -5.0, 7.0], [40.0, 30.0, 20.0], [-2.0; 3]),
            ([100.0, -5.0, 7.0], [40.0, 30.0, 20.0], [1.0, 5.0, -2.0]),
        ];
        for (origin, angles, scales) in parents {
            let parent = from_map(origin, angles, scales);
            let found = parent.compose(&child.relative_to(&parent).unwrap()).matrix();
            assert!(near(found.as_flattened(), child.matrix().as_flattened()), "{parent:?}");
        }
        for scales in [[0.0; 3], [1.0, 0.0, 1.0], [1e-320; 3]] {
            assert_eq!(child.relative_to(&from_map([0.0; 3], [0.0; 3], scales)), None, "{scales:?}");
        }
    }

    #[test]
    fn x_directions_become_minus_z_directions() {
        let ahead = from_map([0.0; 3], [0.0; 3], [1.0; 3]).turned(&angles::X_TO_MINUS_Z);
        assert!(near(&ahead.vector([0.0, 0.0, -1.0]), &[1.0, 0.0, 0.0]));
        assert!(near(&ahead.vector([0.0, 1.0, 0.0]), &[0.0, 1.0, 0.0]));
        let [down, up] = [[90.0, 0.0, 0.0], [-90.0, 0.0, 0.0]].map(|angles| from_map([0.0; 3], angles, [1.0; 3]));
        assert!(near(&down.turned(&angles::X_TO_MINUS_Z).vector([0.0, 0.0, -1.0]), &[0.0, -1.0, 0.0]));
        assert!(near(&up.turned(&angles::X_TO_MINUS_Z).vector([0.0, 0.0, -1.0]), &[0.0, 1.0, 0.0]));
        let (_, rotation, _) = to_map(&down.turned(&angles::X_TO_MINUS_Z).turned(&angles::MINUS_Z_TO_X)).unwrap();
        assert!(near(&angles::from_rotation(rotation), &[90.0, 0.0, 0.0]));
    }
}

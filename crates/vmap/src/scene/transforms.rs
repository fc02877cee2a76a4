//! Conversion between origin, angles and scales of maps and transforms of scenes.
//!
//! Maps store absolute transforms, also for the children of groups and entities. Scenes store them relative to the parent.

use mapwright_scene::transform::{add, cross, dot, multiply, normalize, scale, sub};
use mapwright_scene::{AxisChange, Transform};

use super::conventions::AXES;

/// Converts pitch, yaw and roll in degrees to a rotation about the axes of maps: roll about X first, then pitch about Y, then yaw
/// about Z. The largest component of the result is positive.
pub(super) fn angles_to_rotation([pitch, yaw, roll]: [f64; 3]) -> [f64; 4] {
    let half = |degrees: f64| (degrees.to_radians() / 2.0).sin_cos();
    let ((sp, cp), (sy, cy), (sr, cr)) = (half(pitch), half(yaw), half(roll));
    let rotation = [
        cy * cp * sr - sy * sp * cr,
        cy * sp * cr + sy * cp * sr,
        sy * cp * cr - cy * sp * sr,
        cy * cp * cr + sy * sp * sr,
    ];
    let largest = rotation.iter().fold(0.0_f64, |largest, &c| if c.abs() > largest.abs() + 1e-9 { c } else { largest });
    if largest < 0.0 { rotation.map(|c| -c) } else { rotation }
}

/// Returns pitch, yaw and roll in degrees of a rotation about the axes of maps. Straight up or down the roll is 0.
pub(super) fn rotation_to_angles(rotation: [f64; 4]) -> [f64; 3] {
    let turn = Transform::Trs { translation: [0.0; 3], rotation, scale: [1.0; 3] };
    let [x, y, z] = turn.linear();
    let level = x[0].hypot(x[1]);
    let (yaw, roll) = if level > 1e-9 { (x[1].atan2(x[0]), y[2].atan2(z[2])) } else { ((-y[0]).atan2(y[1]), 0.0) };
    // Adding 0 turns −0 into 0.
    [(-x[2]).atan2(level), yaw, roll].map(|angle| angle.to_degrees() + 0.0)
}

/// Converts a transform of a map to the axes of scenes.
pub(super) fn from_map(origin: [f64; 3], angles: [f64; 3], scales: [f64; 3]) -> Transform {
    AXES.transform(&Transform::Trs { translation: origin, rotation: angles_to_rotation(angles), scale: scales })
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

/// Rotation for nodes with a direction: maps look along +X, scenes along −Z.
pub(super) const X_TO_MINUS_Z: Transform = Transform::Trs {
    translation: [0.0; 3],
    rotation: [0.0, -std::f64::consts::FRAC_1_SQRT_2, 0.0, std::f64::consts::FRAC_1_SQRT_2],
    scale: [1.0; 3],
};

/// Inverse of [`X_TO_MINUS_Z`].
pub(super) const MINUS_Z_TO_X: Transform = Transform::Trs {
    translation: [0.0; 3],
    rotation: [0.0, std::f64::consts::FRAC_1_SQRT_2, 0.0, std::f64::consts::FRAC_1_SQRT_2],
    scale: [1.0; 3],
};

/// Applies a transform after a rotation. The result is a matrix if the scales along the rotated axes differ.
pub(super) fn after_rotation(world: &Transform, turn: &Transform) -> Transform {
    match (world, turn) {
        (Transform::Trs { translation, rotation, scale: [a, b, c] }, Transform::Trs { rotation: inner, .. })
            if a == b && b == c =>
        {
            Transform::Trs { translation: *translation, rotation: product(*rotation, *inner), scale: [*a, *b, *c] }
        }
        _ => world.compose(turn),
    }
}

/// Returns the transform relative to `parent`. `None` if the parent collapses space, or if the result is not finite.
pub(super) fn relative_to(parent: &Transform, world: &Transform) -> Option<Transform> {
    if parent.is_identity() {
        return Some(*world);
    }
    if let (
        &Transform::Trs { translation: above, rotation: turn, scale: [a, b, c] },
        &Transform::Trs { translation, rotation, scale: own },
    ) = (parent, world)
        && a == b
        && b == c
        && a.is_normal()
    {
        let away = sub(translation, above).map(|c| c / a);
        let plain = turn == [0.0, 0.0, 0.0, 1.0];
        let [x, y, z, w] = turn;
        let back = [-x, -y, -z, w];
        let result = Transform::Trs {
            translation: if plain { away } else { rotate(back, away) },
            rotation: if plain { rotation } else { normalized(product(back, rotation)) },
            scale: own.map(|s| s / a),
        };
        return is_finite(&result).then_some(result);
    }
    let determinant = parent.determinant();
    if !determinant.is_normal() {
        return None;
    }
    let [x, y, z] = parent.linear();
    let rows = [cross(y, z), cross(z, x), cross(x, y)].map(|row| scale(row, 1.0 / determinant));
    let column = |i: usize| rows.map(|row| row.get(i).copied().unwrap_or_default());
    let [cx, cy, cz] = [column(0), column(1), column(2)];
    let [ox, oy, oz] = parent.origin();
    let back = add(add(scale(cx, -ox), scale(cy, -oy)), scale(cz, -oz));
    let wide = |[a, b, c]: [f64; 3], d| [a, b, c, d];
    let inverse = [wide(cx, 0.0), wide(cy, 0.0), wide(cz, 0.0), wide(back, 1.0)];
    let mut matrix = multiply(&inverse, &world.matrix());
    for (column, last) in matrix.iter_mut().zip([0.0, 0.0, 0.0, 1.0]) {
        let [_, _, _, w] = column;
        *w = last;
    }
    let result = Transform::Matrix(matrix);
    is_finite(&result).then_some(result)
}

/// Returns `true` if all numbers are finite.
pub(super) fn is_finite(transform: &Transform) -> bool {
    match transform {
        Transform::Trs { translation, rotation, scale } => {
            translation.iter().chain(rotation).chain(scale).all(|number| number.is_finite())
        }
        Transform::Matrix(matrix) => matrix.iter().flatten().all(|number| number.is_finite()),
    }
}

/// Returns the product of two rotations. `b` acts first.
fn product([ax, ay, az, aw]: [f64; 4], [bx, by, bz, bw]: [f64; 4]) -> [f64; 4] {
    [
        aw * bx + ax * bw + ay * bz - az * by,
        aw * by - ax * bz + ay * bw + az * bx,
        aw * bz + ax * by - ay * bx + az * bw,
        aw * bw - ax * bx - ay * by - az * bz,
    ]
}

fn normalized(rotation: [f64; 4]) -> [f64; 4] {
    let length = rotation.iter().map(|c| c * c).sum::<f64>().sqrt();
    if length.is_normal() { rotation.map(|c| c / length) } else { rotation }
}

fn rotate(rotation: [f64; 4], v: [f64; 3]) -> [f64; 3] {
    let [x, y, z, w] = rotation;
    let axis = [x, y, z];
    let twice = scale(cross(axis, v), 2.0);
    add(add(v, scale(twice, w)), cross(axis, twice))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(a: &[f64], b: &[f64]) -> bool {
        a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-9)
    }

    #[test]
    fn angles_match_the_rotation_matrix_of_the_editor() {
        let [p, y, r] = [30.0_f64, 50.0, 70.0].map(f64::to_radians);
        let (sp, cp, sy, cy, sr, cr) = (p.sin(), p.cos(), y.sin(), y.cos(), r.sin(), r.cos());
        let rotation = angles_to_rotation([30.0, 50.0, 70.0]);
        let [x, y, z] = Transform::Trs { translation: [0.0; 3], rotation, scale: [1.0; 3] }.linear();
        assert!(near(&x, &[cp * cy, cp * sy, -sp]));
        assert!(near(&y, &[sp * sr * cy - cr * sy, sp * sr * sy + cr * cy, sr * cp]));
        assert!(near(&z, &[sp * cr * cy + sr * sy, sp * cr * sy - sr * cy, cr * cp]));
        assert!(near(&rotation_to_angles(rotation), &[30.0, 50.0, 70.0]));
    }

    #[test]
    fn vertical_directions_have_unique_angles() {
        for given in [[90.0, 20.0, 0.0], [-90.0, -130.0, 0.0], [0.0, 180.0, 0.0], [0.0, 0.0, 0.0]] {
            assert!(
                near(&rotation_to_angles(angles_to_rotation(given)), &given),
                "{given:?} {:?}",
                rotation_to_angles(angles_to_rotation(given))
            );
        }
        // There a roll is the same as a yaw.
        let both = angles_to_rotation([90.0, 20.0, 50.0]);
        assert!(near(&rotation_to_angles(both), &[90.0, -30.0, 0.0]), "{:?}", rotation_to_angles(both));
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
            let found = parent.compose(&relative_to(&parent, &child).unwrap()).matrix();
            assert!(near(found.as_flattened(), child.matrix().as_flattened()), "{parent:?}");
        }
        for scales in [[0.0; 3], [1.0, 0.0, 1.0], [1e-320; 3]] {
            assert_eq!(relative_to(&from_map([0.0; 3], [0.0; 3], scales), &child), None, "{scales:?}");
        }
    }

    #[test]
    fn x_directions_become_minus_z_directions() {
        let ahead = after_rotation(&from_map([0.0; 3], [0.0; 3], [1.0; 3]), &X_TO_MINUS_Z);
        assert!(near(&ahead.vector([0.0, 0.0, -1.0]), &[1.0, 0.0, 0.0]));
        assert!(near(&ahead.vector([0.0, 1.0, 0.0]), &[0.0, 1.0, 0.0]));
        let [down, up] = [[90.0, 0.0, 0.0], [-90.0, 0.0, 0.0]].map(|angles| from_map([0.0; 3], angles, [1.0; 3]));
        assert!(near(&after_rotation(&down, &X_TO_MINUS_Z).vector([0.0, 0.0, -1.0]), &[0.0, -1.0, 0.0]));
        assert!(near(&after_rotation(&up, &X_TO_MINUS_Z).vector([0.0, 0.0, -1.0]), &[0.0, 1.0, 0.0]));
        let (_, rotation, _) = to_map(&after_rotation(&after_rotation(&down, &X_TO_MINUS_Z), &MINUS_Z_TO_X)).unwrap();
        assert!(near(&rotation_to_angles(rotation), &[90.0, 0.0, 0.0]));
    }
}

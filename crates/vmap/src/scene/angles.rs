//! Where nodes stand: origin, angles and scales ⇄ transforms.
//!
//! Files say where every node stands in the world, also the children of groups and entities; nodes of a scene stand in the
//! space of their parent.

use mapwright_scene::transform::{add, cross, dot, multiply, normalize, scale, sub};
use mapwright_scene::{AxisChange, Transform};

use super::AXES;

/// Pitch, yaw and roll in degrees as a rotation about the axes of files: roll about X first, then pitch about Y, then yaw
/// about Z. Of the two that are the same the one with the larger part positive.
pub(super) fn quaternion([pitch, yaw, roll]: [f64; 3]) -> [f64; 4] {
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

/// The pitch, yaw and roll in degrees of a rotation about the axes of files. Straight up or down the roll is 0.
pub(super) fn angles(rotation: [f64; 4]) -> [f64; 3] {
    let turn = Transform::Trs { translation: [0.0; 3], rotation, scale: [1.0; 3] };
    let [x, y, z] = turn.linear();
    let level = x[0].hypot(x[1]);
    let (yaw, roll) = if level > 1e-9 { (x[1].atan2(x[0]), y[2].atan2(z[2])) } else { ((-y[0]).atan2(y[1]), 0.0) };
    // No −0.
    [(-x[2]).atan2(level), yaw, roll].map(|angle| angle.to_degrees() + 0.0)
}

/// Where a node stands that says this, in the world of the scene.
pub(super) fn world(origin: [f64; 3], angles: [f64; 3], scales: [f64; 3]) -> Transform {
    AXES.transform(&Transform::Trs { translation: origin, rotation: quaternion(angles), scale: scales })
}

/// A transform of the scene in the axes of files: origin, rotation, scales. `None` for one that shears or collapses space.
pub(super) fn file_trs(world: &Transform) -> Option<([f64; 3], [f64; 4], [f64; 3])> {
    let back: AxisChange = AXES.inverse();
    back.transform(world).to_trs()
}

/// The origin, rotation and scales that come nearest to a transform: without shear, and with 1 along axes that collapse.
pub(super) fn nearest_trs(world: &Transform) -> ([f64; 3], [f64; 4], [f64; 3]) {
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

/// A plane of the own space, as `normal · p + constant`, in the space around: the same value for the same place. The plane itself if
/// the transform collapses space.
pub(super) fn plane_in_world(plane: [f64; 4], world: &Transform) -> [f64; 4] {
    let determinant = world.determinant();
    if world.is_identity() || !determinant.is_normal() {
        return plane;
    }
    let [nx, ny, nz, constant] = plane;
    let [x, y, z] = world.linear();
    // The inverse transpose.
    let [a, b, c] = [cross(y, z), cross(z, x), cross(x, y)];
    let normal = add(add(scale(a, nx), scale(b, ny)), scale(c, nz));
    let normal = scale(normal, 1.0 / determinant);
    let [nx, ny, nz] = normal;
    [nx, ny, nz, constant - dot(normal, world.origin())]
}

/// The turn of a node of which +X is what looks ahead in files, so that −Z does in the scene.
pub(super) const AHEAD: Transform = Transform::Trs {
    translation: [0.0; 3],
    rotation: [0.0, -std::f64::consts::FRAC_1_SQRT_2, 0.0, std::f64::consts::FRAC_1_SQRT_2],
    scale: [1.0; 3],
};

/// The turn that undoes [`AHEAD`].
pub(super) const BACK: Transform = Transform::Trs {
    translation: [0.0; 3],
    rotation: [0.0, std::f64::consts::FRAC_1_SQRT_2, 0.0, std::f64::consts::FRAC_1_SQRT_2],
    scale: [1.0; 3],
};

/// A transform around a turn, as translation, rotation and scale if it is such: scales must be equal along the turned axes, or
/// the result is a matrix.
pub(super) fn turned(world: &Transform, turn: &Transform) -> Transform {
    match (world, turn) {
        (Transform::Trs { translation, rotation, scale: [a, b, c] }, Transform::Trs { rotation: inner, .. })
            if a == b && b == c =>
        {
            Transform::Trs { translation: *translation, rotation: product(*rotation, *inner), scale: [*a, *b, *c] }
        }
        _ => world.then(turn),
    }
}

/// What a child's transform must be for it to stand at `world` below a parent at `parent`. `None` if the parent collapses space.
pub(super) fn local(parent: &Transform, world: &Transform) -> Option<Transform> {
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
            translation: if plain { away } else { rotated(back, away) },
            rotation: if plain { rotation } else { unit(product(back, rotation)) },
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

pub(super) fn is_finite(transform: &Transform) -> bool {
    match transform {
        Transform::Trs { translation, rotation, scale } => {
            translation.iter().chain(rotation).chain(scale).all(|number| number.is_finite())
        }
        Transform::Matrix(matrix) => matrix.iter().flatten().all(|number| number.is_finite()),
    }
}

/// One rotation after another: `b` acts first.
fn product([ax, ay, az, aw]: [f64; 4], [bx, by, bz, bw]: [f64; 4]) -> [f64; 4] {
    [
        aw * bx + ax * bw + ay * bz - az * by,
        aw * by - ax * bz + ay * bw + az * bx,
        aw * bz + ax * by - ay * bx + az * bw,
        aw * bw - ax * bx - ay * by - az * bz,
    ]
}

fn unit(rotation: [f64; 4]) -> [f64; 4] {
    let length = rotation.iter().map(|c| c * c).sum::<f64>().sqrt();
    if length.is_normal() { rotation.map(|c| c / length) } else { rotation }
}

fn rotated(rotation: [f64; 4], v: [f64; 3]) -> [f64; 3] {
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
    fn angles_turn_as_the_table_of_the_editor_says() {
        let [p, y, r] = [30.0_f64, 50.0, 70.0].map(f64::to_radians);
        let (sp, cp, sy, cy, sr, cr) = (p.sin(), p.cos(), y.sin(), y.cos(), r.sin(), r.cos());
        let rotation = quaternion([30.0, 50.0, 70.0]);
        let [x, y, z] = Transform::Trs { translation: [0.0; 3], rotation, scale: [1.0; 3] }.linear();
        assert!(near(&x, &[cp * cy, cp * sy, -sp]));
        assert!(near(&y, &[sp * sr * cy - cr * sy, sp * sr * sy + cr * cy, sr * cp]));
        assert!(near(&z, &[sp * cr * cy + sr * sy, sp * cr * sy - sr * cy, cr * cp]));
        assert!(near(&angles(rotation), &[30.0, 50.0, 70.0]));
    }

    #[test]
    fn straight_up_and_down_have_angles_of_their_own() {
        for given in [[90.0, 20.0, 0.0], [-90.0, -130.0, 0.0], [0.0, 180.0, 0.0], [0.0, 0.0, 0.0]] {
            assert!(near(&angles(quaternion(given)), &given), "{given:?} {:?}", angles(quaternion(given)));
        }
        // A roll there is a yaw.
        let both = quaternion([90.0, 20.0, 50.0]);
        assert!(near(&angles(both), &[90.0, -30.0, 0.0]), "{:?}", angles(both));
    }

    #[test]
    fn a_child_stands_where_it_says_whatever_its_parent() {
        let child = world([10.0, 20.0, 30.0], [5.0, 10.0, 15.0], [1.0, 2.0, 3.0]);
        let parents = [
            ([0.0; 3], [0.0; 3], [1.0; 3]),
            ([100.0, -5.0, 7.0], [0.0; 3], [1.0; 3]),
            ([100.0, -5.0, 7.0], [40.0, 30.0, 20.0], [2.0; 3]),
            ([100.0, -5.0, 7.0], [40.0, 30.0, 20.0], [-2.0; 3]),
            ([100.0, -5.0, 7.0], [40.0, 30.0, 20.0], [1.0, 5.0, -2.0]),
        ];
        for (origin, angles, scales) in parents {
            let parent = world(origin, angles, scales);
            let found = parent.then(&local(&parent, &child).unwrap()).matrix();
            assert!(near(found.as_flattened(), child.matrix().as_flattened()), "{parent:?}");
        }
        for scales in [[0.0; 3], [1.0, 0.0, 1.0], [1e-320; 3]] {
            assert_eq!(local(&world([0.0; 3], [0.0; 3], scales), &child), None, "{scales:?}");
        }
    }

    #[test]
    fn what_looks_along_x_looks_along_minus_z() {
        let ahead = turned(&world([0.0; 3], [0.0; 3], [1.0; 3]), &AHEAD);
        assert!(near(&ahead.vector([0.0, 0.0, -1.0]), &[1.0, 0.0, 0.0]));
        assert!(near(&ahead.vector([0.0, 1.0, 0.0]), &[0.0, 1.0, 0.0]));
        let [down, up] = [[90.0, 0.0, 0.0], [-90.0, 0.0, 0.0]].map(|angles| world([0.0; 3], angles, [1.0; 3]));
        assert!(near(&turned(&down, &AHEAD).vector([0.0, 0.0, -1.0]), &[0.0, -1.0, 0.0]));
        assert!(near(&turned(&up, &AHEAD).vector([0.0, 0.0, -1.0]), &[0.0, 1.0, 0.0]));
        let (_, rotation, _) = file_trs(&turned(&turned(&down, &AHEAD), &BACK)).unwrap();
        assert!(near(&angles(rotation), &[90.0, 0.0, 0.0]));
    }
}

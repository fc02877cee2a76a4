//! Vector arithmetic.

pub(super) type Vec3 = [f64; 3];

pub(super) fn add(a: Vec3, b: Vec3) -> Vec3 {
    [a[0] + b[0], a[1] + b[1], a[2] + b[2]]
}

pub(super) fn sub(a: Vec3, b: Vec3) -> Vec3 {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

pub(super) fn scale(a: Vec3, by: f64) -> Vec3 {
    a.map(|c| c * by)
}

pub(super) fn dot(a: Vec3, b: Vec3) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

pub(super) fn cross(a: Vec3, b: Vec3) -> Vec3 {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

/// Normalizes a vector; `None` if it has no direction.
pub(super) fn unit(a: Vec3) -> Option<Vec3> {
    let length = dot(a, a).sqrt();
    (length > 0.0 && length.is_finite()).then(|| scale(a, 1.0 / length))
}

/// Returns the normal of a polygon with twice its area as length (Newell's method).
pub(super) fn area(mut corners: impl Iterator<Item = Vec3>) -> Vec3 {
    let Some(first) = corners.next() else { return [0.0; 3] };
    let mut before = [0.0; 3];
    corners.fold([0.0; 3], |sum, corner| {
        let from = std::mem::replace(&mut before, sub(corner, first));
        add(sum, cross(from, before))
    })
}

/// Rounds to single precision.
#[expect(clippy::cast_possible_truncation, reason = "files store 32-bit numbers")]
pub(super) fn narrow<const N: usize>(a: [f64; N]) -> [f32; N] {
    a.map(|c| c as f32)
}

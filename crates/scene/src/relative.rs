//! Transforms relative to others.

use crate::Transform;
use crate::math::{add, cross, multiply, scale, sub};

impl Transform {
    /// Turns the local space by a pure rotation, which acts first. Unlike that of [`compose`](Self::compose), the result is a matrix only
    /// if this transform is one or if its scales differ.
    #[must_use]
    pub fn turned(&self, turn: &Self) -> Self {
        match (self, turn) {
            (Self::Trs { translation, rotation, scale: [a, b, c] }, Self::Trs { rotation: inner, .. })
                if a == b && b == c =>
            {
                Self::Trs { translation: *translation, rotation: product(*rotation, *inner), scale: [*a, *b, *c] }
            }
            _ => self.compose(turn),
        }
    }

    /// Returns the transform of a node below `parent` that has this transform in the world. Returns `None` if the
    /// parent collapses space, or if the result is not finite.
    #[must_use]
    pub fn relative_to(&self, parent: &Self) -> Option<Self> {
        if parent.is_identity() {
            return Some(*self);
        }
        if let (
            &Self::Trs { translation: above, rotation: turn, scale: [a, b, c] },
            &Self::Trs { translation, rotation, scale: own },
        ) = (parent, self)
            && a == b
            && b == c
            && a.is_normal()
        {
            let away = sub(translation, above).map(|c| c / a);
            let plain = turn == [0.0, 0.0, 0.0, 1.0];
            let [x, y, z, w] = turn;
            let back = [-x, -y, -z, w];
            let result = Self::Trs {
                translation: if plain { away } else { rotate(back, away) },
                rotation: if plain { rotation } else { normalized(product(back, rotation)) },
                scale: own.map(|s| s / a),
            };
            return result.is_finite().then_some(result);
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
        let mut matrix = multiply(&inverse, &self.matrix());
        for (column, last) in matrix.iter_mut().zip([0.0, 0.0, 0.0, 1.0]) {
            let [_, _, _, w] = column;
            *w = last;
        }
        let result = Self::Matrix(matrix);
        result.is_finite().then_some(result)
    }

    /// Returns `true` if all numbers are finite.
    pub fn is_finite(&self) -> bool {
        match self {
            Self::Trs { translation, rotation, scale } => {
                translation.iter().chain(rotation).chain(scale).all(|number| number.is_finite())
            }
            Self::Matrix(matrix) => matrix.iter().flatten().all(|number| number.is_finite()),
        }
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

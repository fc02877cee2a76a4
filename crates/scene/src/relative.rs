//! Transforms relative to others.

use crate::Transform;
use crate::math::{inverse_rotation, multiply_rotations, rotate, sub};

impl Transform {
    /// Turns the local space by a pure rotation, which acts first. Unlike that of [`compose`](Self::compose), the result is a matrix only
    /// if this transform is one or if its scales differ.
    #[must_use]
    pub fn turned(&self, turn: &Self) -> Self {
        match (self, turn) {
            (Self::Trs { translation, rotation, scale: [a, b, c] }, Self::Trs { rotation: inner, .. })
                if a == b && b == c =>
            {
                Self::Trs {
                    translation: *translation,
                    rotation: multiply_rotations(*rotation, *inner),
                    scale: [*a, *b, *c],
                }
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
            let back = inverse_rotation(turn);
            let result = Self::Trs {
                translation: if plain { away } else { rotate(back, away) },
                rotation: if plain { rotation } else { normalized(multiply_rotations(back, rotation)) },
                scale: own.map(|s| s / a),
            };
            return result.is_finite().then_some(result);
        }
        let [x, y, z] = self.linear();
        let origin = sub(self.origin(), parent.origin());
        let [x, y, z, origin] = [x, y, z, origin].map(|column| parent.inverse_vector(column));
        let wide = |[a, b, c]: [f64; 3], d| [a, b, c, d];
        Some(Self::Matrix([wide(x?, 0.0), wide(y?, 0.0), wide(z?, 0.0), wide(origin?, 1.0)]))
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

fn normalized(rotation: [f64; 4]) -> [f64; 4] {
    let length = rotation.iter().map(|c| c * c).sum::<f64>().sqrt();
    if length.is_normal() { rotation.map(|c| c / length) } else { rotation }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::angles;

    fn transform(translation: [f64; 3], degrees: [f64; 3], scale: [f64; 3]) -> Transform {
        Transform::Trs { translation, rotation: angles::to_rotation(degrees), scale }
    }

    fn near(a: &[f64], b: &[f64]) -> bool {
        a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-9)
    }

    #[test]
    fn relative_transforms_restore_the_absolute_one() {
        let child = transform([10.0, 20.0, 30.0], [5.0, 10.0, 15.0], [1.0, 2.0, 3.0]);
        let parents = [
            ([0.0; 3], [0.0; 3], [1.0; 3]),
            ([100.0, -5.0, 7.0], [0.0; 3], [1.0; 3]),
            ([100.0, -5.0, 7.0], [40.0, 30.0, 20.0], [2.0; 3]),
            ([100.0, -5.0, 7.0], [40.0, 30.0, 20.0], [-2.0; 3]),
            ([100.0, -5.0, 7.0], [40.0, 30.0, 20.0], [1.0, 5.0, -2.0]),
        ];
        for (origin, degrees, scales) in parents {
            let parent = transform(origin, degrees, scales);
            let found = parent.compose(&child.relative_to(&parent).unwrap()).matrix();
            assert!(near(found.as_flattened(), child.matrix().as_flattened()), "{parent:?}");
        }
        for scales in [[0.0; 3], [1.0, 0.0, 1.0], [1e-320; 3]] {
            assert_eq!(child.relative_to(&transform([0.0; 3], [0.0; 3], scales)), None, "{scales:?}");
        }
        let far = transform([f64::MAX; 3], [0.0; 3], [1.0; 3]);
        assert_eq!(far.relative_to(&transform([f64::MIN; 3], [0.0; 3], [1.0, 2.0, 3.0])), None);
    }

    #[test]
    fn a_turn_acts_first() {
        let place = transform([1.0, 2.0, 3.0], [0.0, 90.0, 0.0], [2.0; 3]);
        let turned = place.turned(&angles::X_TO_MINUS_Z);
        assert!(matches!(turned, Transform::Trs { .. }));
        let composed = place.compose(&angles::X_TO_MINUS_Z);
        assert!(near(turned.matrix().as_flattened(), composed.matrix().as_flattened()));
        let uneven = transform([0.0; 3], [0.0; 3], [1.0, 2.0, 3.0]).turned(&angles::X_TO_MINUS_Z);
        assert!(near(&uneven.vector([0.0, 0.0, -1.0]), &[1.0, 0.0, 0.0]));
    }
}

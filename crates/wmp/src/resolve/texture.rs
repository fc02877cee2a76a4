//! Texture vectors.

use super::transform::dot;
use crate::document::PLAIN_MAPPING;
use crate::{BlockFlags, Dialect, FaceFlags};
use mapwright_io::math;

/// The axes of a texture, U and V, each with a constant: the point p shows the texel `U·(p, 1)`, `V·(p, 1)`, v down.
pub(crate) type Vectors = [[f64; 4]; 2];

/// Returns the axes where none are stored, by the strongest component of the normal. Z wins ties, then x. On ties, the compiler's
/// choice depends on rounding.
pub(crate) fn default_axes(normal: [f64; 3]) -> Vectors {
    let [x, y, z] = normal.map(f64::abs);
    let strongest = x.max(y).max(z) * (1.0 - 1e-6);
    if z >= strongest {
        [[1.0, 0.0, 0.0, 0.0], [0.0, -1.0, 0.0, 0.0]]
    } else if x >= strongest {
        [[0.0, 1.0, 0.0, 0.0], [0.0, 0.0, -1.0, 0.0]]
    } else {
        [[1.0, 0.0, 0.0, 0.0], [0.0, 0.0, -1.0, 0.0]]
    }
}

/// The stored mapping of a face.
pub(crate) struct Mapping<'a> {
    /// The stored vectors.
    pub(crate) vectors: Option<&'a Vectors>,
    /// Offset in x and y, rotation in degrees, scale in x and y.
    pub(crate) numbers: Option<&'a [f64; 5]>,
    /// `true` if texture coordinates are stored. The vectors are final then.
    pub(crate) uvs: bool,
    /// `true` if the texture moves with the block.
    pub(crate) local: bool,
}

/// Returns `true` if the texture of a face moves with its block. In A5 the flags have no effect.
pub(crate) fn is_local(dialect: Dialect, block: BlockFlags, face: FaceFlags) -> bool {
    matches!(dialect, Dialect::A7 | Dialect::Binary)
        && (block.has(BlockFlags::TEXTURE_LOCK) || face.has(FaceFlags::LOCAL))
}

/// Returns the final vectors of a face in world space, for a block at `origin`.
pub(crate) fn finish(mapping: &Mapping<'_>, normal: [f64; 3], origin: [f64; 3]) -> Vectors {
    let [mut u, mut v] = mapping.vectors.copied().unwrap_or_else(|| default_axes(normal));
    let Some(&[x, y, rotation, sx, sy]) = mapping.numbers.filter(|_| !mapping.uvs) else { return [u, v] };
    if mapping.local {
        for [a, b, c, constant] in [&mut u, &mut v] {
            *constant -= dot([*a, *b, *c], origin);
        }
    }
    if [x, y, rotation, sx, sy] == PLAIN_MAPPING {
        // Returned unchanged, to keep the signs of zeros.
        return [u, v];
    }
    let (sin, cos) = math::sin_cos(rotation.to_radians());
    let [sx, sy] = [sx, sy].map(|scale| if scale == 0.0 { 1.0 } else { scale });
    let ([u0, u1, u2, u3], [v0, v1, v2, v3]) = (u, v);
    let pairs = [(u0, v0), (u1, v1), (u2, v2), (u3, v3)];
    let [mut u, mut v] = [pairs.map(|(u, v)| (u * cos - v * sin) / sx), pairs.map(|(u, v)| (u * sin + v * cos) / sy)];
    u[3] += x;
    v[3] += y;
    [u, v]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mappings_are_applied() {
        let vectors = [[1.0, 0.0, 0.0, 2.0], [0.0, -1.0, 0.0, 3.0]];
        let numbers = [10.0, 20.0, 90.0, 2.0, 0.0];
        let mut mapping = Mapping { vectors: Some(&vectors), numbers: Some(&numbers), uvs: false, local: true };
        let near = |mapping: &Mapping<'_>, wanted: Vectors| {
            let found = finish(mapping, [0.0, 0.0, 1.0], [100.0, 200.0, 300.0]);
            let pairs = found.iter().flatten().zip(wanted.iter().flatten());
            assert!(pairs.into_iter().all(|(a, b)| (a - b).abs() < 1e-9), "{found:?}");
        };
        // The constants are 2 - 100 and 3 + 200.
        near(&mapping, [[0.0, 0.5, 0.0, -203.0 / 2.0 + 10.0], [1.0, 0.0, 0.0, -98.0 + 20.0]]);
        mapping.local = false;
        near(&mapping, [[0.0, 0.5, 0.0, -3.0 / 2.0 + 10.0], [1.0, 0.0, 0.0, 2.0 + 20.0]]);
        mapping.uvs = true;
        near(&mapping, vectors);
        near(&Mapping { vectors: None, numbers: None, ..mapping }, [[1.0, 0.0, 0.0, 0.0], [0.0, -1.0, 0.0, 0.0]]);
    }

    #[test]
    fn ties_go_to_z_then_to_x() {
        let u = |normal| default_axes(normal)[0];
        assert_eq!(u([1.0, 1.0, 1.0]), [1.0, 0.0, 0.0, 0.0]);
        assert_eq!(u([-1.0, 1.0, 0.5]), [0.0, 1.0, 0.0, 0.0]);
        assert_eq!(default_axes([0.1, -1.0, 0.5]), [[1.0, 0.0, 0.0, 0.0], [0.0, 0.0, -1.0, 0.0]]);
        assert_eq!(u([f64::NAN; 3]), [1.0, 0.0, 0.0, 0.0], "NaN is not a panic");
    }

    #[test]
    fn locks_have_no_effect_before_a7() {
        let locked = |dialect, block, face| is_local(dialect, BlockFlags(block), FaceFlags(face));
        assert!(locked(Dialect::A7, 1 << 16, 0) && locked(Dialect::Binary, 0, 1 << 28));
        assert!(!locked(Dialect::A5, 1 << 16, 1 << 28) && !locked(Dialect::Resolved, 1 << 16, 0));
        assert!(!locked(Dialect::A7, 1 << 28, 1 << 16));
    }
}

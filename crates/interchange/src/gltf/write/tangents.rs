//! Tangents for normal maps.

use mapwright_scene::transform::{add, cross, dot, normalize, scale, sub};

use super::vertices::single;

/// Computes a unit tangent and the sign of the bitangent for each row, from triangles over rows that begin with position and normal
/// and have texture coordinates at the word `uv`.
///
/// The tangent is the direction in which u grows. The bitangent, `normal × tangent` times the sign, points up in the image, where v
/// decreases. Triangles are weighted by their area in the image. Rows without texture area get any direction perpendicular to their
/// normal.
pub(super) fn tangents(words: &[u32], width: usize, uv: usize, triangles: &[u32]) -> Vec<[f32; 4]> {
    let count = words.len().checked_div(width).unwrap_or(0);
    let mut sums = vec![([0.0_f64; 3], [0.0_f64; 3]); count];
    let row = |index: u32| words.get(index as usize * width..).unwrap_or_default();
    for triangle in triangles.chunks_exact(3) {
        let &[a, b, c] = triangle else { continue };
        let ([p, q, r], [s, t, u]) =
            ([a, b, c].map(|i| vector::<3>(row(i), 0)), [a, b, c].map(|i| vector::<2>(row(i), uv)));
        let (along, across) = (sub(q, p), sub(r, p));
        let [du1, dv1, du2, dv2] = [t[0] - s[0], t[1] - s[1], u[0] - s[0], u[1] - s[1]];
        let sign = (du1 * dv2 - du2 * dv1).signum();
        let tangent = scale(sub(scale(along, dv2), scale(across, dv1)), sign);
        let upwards = scale(sub(scale(along, du2), scale(across, du1)), sign);
        for corner in [a, b, c] {
            if let Some((tangents, bitangents)) = sums.get_mut(corner as usize) {
                *tangents = add(*tangents, tangent);
                *bitangents = add(*bitangents, upwards);
            }
        }
    }
    let finish = |(row, (tangent, bitangent)): (&[u32], &([f64; 3], [f64; 3]))| {
        let normal = vector::<3>(row, 3);
        let any = if normal[0].abs() < 0.9 { [1.0, 0.0, 0.0] } else { [0.0, 1.0, 0.0] };
        let flat = |v: [f64; 3]| normalize(sub(v, scale(normal, dot(v, normal))));
        let [x, y, z] = flat(*tangent).or_else(|| flat(any)).unwrap_or([1.0, 0.0, 0.0]);
        let side = if dot(cross(normal, [x, y, z]), *bitangent) < 0.0 { -1.0 } else { 1.0 };
        [single(x), single(y), single(z), side]
    };
    words.chunks_exact(width.max(1)).zip(&sums).map(finish).collect()
}

/// Returns numbers of a row, starting at a word.
fn vector<const N: usize>(row: &[u32], from: usize) -> [f64; N] {
    std::array::from_fn(|i| row.get(from + i).map_or(0.0, |&word| f64::from(f32::from_bits(word))))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_upright_texture_on_a_wall_has_tangents_to_the_right_and_up() {
        // A square in the XY plane facing +Z, with v down.
        let corners = [[0.0, 0.0, 0.0, 1.0], [1.0, 0.0, 1.0, 1.0], [1.0, 1.0, 1.0, 0.0], [0.0, 1.0, 0.0, 0.0]];
        let words: Vec<u32> =
            corners.iter().flat_map(|&[x, y, u, v]| [x, y, 0.0, 0.0, 0.0, 1.0, u, v].map(f32::to_bits)).collect();
        let found = tangents(&words, 8, 6, &[0, 1, 2, 0, 2, 3]);
        assert_eq!(found, [[1.0, 0.0, 0.0, 1.0]; 4]);
        // When mirrored, the tangent and the sign of the bitangent change.
        let mirrored: Vec<u32> =
            corners.iter().flat_map(|&[x, y, u, v]| [x, y, 0.0, 0.0, 0.0, 1.0, -u, v].map(f32::to_bits)).collect();
        assert_eq!(tangents(&mirrored, 8, 6, &[0, 1, 2, 0, 2, 3]), [[-1.0, 0.0, 0.0, -1.0]; 4]);
    }
}

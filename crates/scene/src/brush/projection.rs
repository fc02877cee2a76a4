//! Creation of texture projections.

use super::TextureProjection;
use crate::Transform;
use crate::transform::{add, dot, scale, sub};

impl TextureProjection {
    /// Creates a projection of one unit of length per texel along the [base axes](Self::base_axes) of a face.
    pub fn on_base_axes(normal: [f64; 3]) -> Self {
        let [u, v] = Self::base_axes(normal).map(|[x, y, z]| [x, y, z, 0.0]);
        Self { u, v, offset: [0.0; 2], scale: [1.0; 2], rotation: 0.0, local: false }
    }

    /// Returns the axes of x and y that games since Quake use for a face without texture axes. They follow from the largest
    /// component of the normal. Of equal components, up comes first, then the first axis, then the last. Components that differ
    /// by a millionth are equal, because files store rounded points.
    pub fn base_axes(normal: [f64; 3]) -> [[f64; 3]; 2] {
        let [x, y, z] = normal.map(f64::abs);
        let largest = x.max(y).max(z) * (1.0 - 1e-6);
        if y >= largest {
            [[1.0, 0.0, 0.0], [0.0, 0.0, 1.0]]
        } else if x >= largest {
            [[0.0, 0.0, -1.0], [0.0, -1.0, 0.0]]
        } else {
            [[1.0, 0.0, 0.0], [0.0, -1.0, 0.0]]
        }
    }

    /// Creates the projection that maps three points to texels, with axes in the plane of the points. Returns `None` if the
    /// points or the texels are on a line.
    pub fn from_points([a, b, c]: [[f64; 3]; 3], texels: [[f64; 2]; 3]) -> Option<Self> {
        let (first, second) = (sub(b, a), sub(c, a));
        let (aa, ab, bb) = (dot(first, first), dot(first, second), dot(second, second));
        let area = aa * bb - ab * ab;
        // The direction in the plane along which a coordinate grows, and its growth per unit of length.
        let axis = |along: usize| -> Option<([f64; 3], f64)> {
            let [start, to_b, to_c] = texels.map(|texel| texel.get(along).copied().unwrap_or_default());
            let (p, q) = (to_b - start, to_c - start);
            let growth = add(scale(first, (p * bb - q * ab) / area), scale(second, (q * aa - p * ab) / area));
            let length = dot(growth, growth).sqrt();
            length.is_normal().then(|| (growth.map(|c| c / length), length))
        };
        let ((u, along_u), (v, along_v)) = (axis(0)?, axis(1)?);
        let [start, _, _] = texels;
        let offset = [start[0] - dot(u, a) * along_u, start[1] - dot(v, a) * along_v];
        let projection = Self {
            u: [u[0], u[1], u[2], 0.0],
            v: [v[0], v[1], v[2], 0.0],
            offset,
            scale: [along_u.recip(), along_v.recip()],
            rotation: 0.0,
            local: false,
        };
        let numbers = projection.offset.iter().chain(&projection.scale);
        numbers.chain(&u).chain(&v).all(|c| c.is_finite()).then_some(projection)
    }

    /// Returns the same projection in the space of the scene. `world` transforms from the space of the node. Returns `None` if
    /// it collapses space.
    pub fn in_scene(&self, world: &Transform) -> Option<Self> {
        if !self.local || world.is_identity() {
            return Some(Self { local: false, ..*self });
        }
        // Axes transform with the inverse transpose: the cofactor matrix divided by the determinant.
        let determinant = world.determinant();
        let [p, q, r] = world.cofactors();
        let axis = |[a, b, c, constant]: [f64; 4]| {
            let turned: [f64; 3] = add(add(scale(p, a), scale(q, b)), scale(r, c)).map(|c| c / determinant);
            [turned[0], turned[1], turned[2], constant - dot(turned, world.origin())]
        };
        let moved = Self { u: axis(self.u), v: axis(self.v), local: false, ..*self };
        moved.u.iter().chain(&moved.v).all(|c| c.is_finite()).then_some(moved)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(a: [f64; 2], b: [f64; 2]) -> bool {
        a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-9)
    }

    #[test]
    fn three_texels_make_a_projection() {
        let points = [[1.0, 2.0, 3.0], [4.0, 2.0, 3.5], [1.0, 7.0, 2.0]];
        let texels = [[10.0, 20.0], [42.0, 21.0], [9.0, -30.0]];
        let projection = TextureProjection::from_points(points, texels).unwrap();
        assert!(points.iter().zip(texels).all(|(point, texel)| close(projection.texel(*point), texel)));
        assert_eq!(TextureProjection::from_points([points[0], points[1], points[0]], texels), None);
        assert_eq!(TextureProjection::from_points(points, [[0.0; 2]; 3]), None);
    }

    #[test]
    fn a_projection_moves_with_its_node() {
        let local = TextureProjection {
            u: [0.5, 0.25, 0.0, 3.0],
            v: [0.0, -1.0, 2.0, 5.0],
            offset: [1.0, 2.0],
            scale: [0.5, 2.0],
            rotation: 0.3,
            local: true,
        };
        let world = Transform::Trs {
            translation: [10.0, -20.0, 30.0],
            rotation: Transform::looking_along([0.3, -0.2, 0.7]),
            scale: [2.0, -3.0, 4.0],
        };
        let moved = local.in_scene(&world).unwrap();
        let point = [7.0, 8.0, -9.0];
        assert!(!moved.local && close(moved.texel(world.point(point)), local.texel(point)));
        let flat = Transform::Trs { translation: [0.0; 3], rotation: [0.0, 0.0, 0.0, 1.0], scale: [1.0, 0.0, 1.0] };
        assert_eq!(local.in_scene(&flat), None);
    }

    #[test]
    fn base_axes_follow_the_normal() {
        let axes = |normal| TextureProjection::base_axes(normal)[0];
        assert_eq!(axes([0.5, -0.5, 0.1]), [1.0, 0.0, 0.0], "up goes first");
        assert_eq!(axes([-0.5, 0.0, 0.5]), [0.0, 0.0, -1.0], "then the first axis");
        assert_eq!(axes([-0.5, 0.0, 0.500_000_1]), [0.0, 0.0, -1.0], "noise does not count");
        assert_eq!(axes([0.1, 0.0, -0.5]), [1.0, 0.0, 0.0]);
    }
}

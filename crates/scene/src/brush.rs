//! Convex brushes and texture projections.

mod mesh;
mod polygons;
mod projection;
mod weld;

pub use mesh::MeshBrush;
pub use polygons::BrushPolygons;

use crate::{MaterialId, Properties};
use mapwright_io::math::sin_cos;

/// A convex solid: the intersection of the half-spaces behind its sides.
#[derive(Debug, Clone, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Brush {
    /// The name; may be empty.
    pub name: String,
    /// Vertices of the polygons, if the file stores polygons; else empty.
    pub vertices: Vec<[f64; 3]>,
    /// The sides in order.
    pub sides: Vec<BrushSide>,
    /// Other data of the file.
    pub properties: Properties,
}

/// One side of a brush.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct BrushSide {
    /// Three points of the plane, counter-clockwise as seen from outside, so that (p1 − p0) × (p2 − p0) points out.
    pub plane: [[f64; 3]; 3],
    /// The polygon as indices into [`Brush::vertices`], counter-clockwise as seen from outside. Empty if the file stores no
    /// polygon.
    pub corners: Vec<u32>,
    /// The mapping to texture coordinates.
    pub projection: TextureProjection,
    /// The material.
    pub material: Option<MaterialId>,
    /// Other data of the file: flags, albedo.
    pub properties: Properties,
}

/// The reason why the planes of a brush have no polygons, or why a mesh cannot become a brush.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, thiserror::Error)]
#[non_exhaustive]
pub enum BrushError {
    /// The brush has more than [`Brush::MAX_SIDES`] sides.
    #[error("too many sides: {0}, at most {most} are allowed", most = Brush::MAX_SIDES)]
    TooManySides(usize),
    /// The sides do not enclose a bounded space.
    #[error("the sides do not enclose a bounded space")]
    Unbounded,
    /// The sides enclose no space.
    #[error("the sides enclose no space")]
    Flat,
    /// The mesh has an edge that is not shared by exactly two faces.
    #[error("the mesh is not closed")]
    Open,
    /// A face of the mesh is not flat.
    #[error("a face of the mesh is not flat")]
    Bent,
    /// The mesh is not convex.
    #[error("the mesh is not convex")]
    Concave,
}

/// Returns the longest extent of points along an axis.
fn size(points: &[[f64; 3]]) -> f64 {
    let along = |axis: usize| {
        let numbers = points.iter().filter_map(|point| point.get(axis));
        let (low, high) = numbers.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), &c| (low.min(c), high.max(c)));
        high - low
    };
    (0..3).map(along).fold(0.0, f64::max)
}

/// The mapping from the plane of a face to texels.
///
/// With p the point in the space that [`local`](Self::local) selects, `s = u·(p, 1)` and `t = v·(p, 1)`:
///
/// ```text
/// x = (s cos r − t sin r) / scale[0] + offset[0]
/// y = (s sin r + t cos r) / scale[1] + offset[1]        texels, y down the image
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct TextureProjection {
    /// The axis of x, and a constant.
    pub u: [f64; 4],
    /// The axis of y, and a constant.
    pub v: [f64; 4],
    /// Offset in texels, added last.
    pub offset: [f64; 2],
    /// Units of length per texel; never 0.
    pub scale: [f64; 2],
    /// The rotation r in radians.
    pub rotation: f64,
    /// `true` if points are in the space of the node, so that the texture moves with it. Otherwise they are in the space of the scene.
    pub local: bool,
}

impl TextureProjection {
    /// Returns the texel of a point. The caller transforms the point into the right space.
    pub fn texel(&self, [px, py, pz]: [f64; 3]) -> [f64; 2] {
        let along = |[x, y, z, constant]: [f64; 4]| x * px + y * py + z * pz + constant;
        let (s, t) = (along(self.u), along(self.v));
        let (sin, cos) = if self.rotation == 0.0 { (0.0, 1.0) } else { sin_cos(self.rotation) };
        [(s * cos - t * sin) / self.scale[0] + self.offset[0], (s * sin + t * cos) / self.scale[1] + self.offset[1]]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_projection_shifts_turns_and_scales() {
        let mut projection = TextureProjection {
            u: [1.0, 0.0, 0.0, 2.0],
            v: [0.0, -1.0, 0.0, 0.0],
            offset: [10.0, 20.0],
            scale: [0.5, 2.0],
            rotation: 0.0,
            local: false,
        };
        assert_eq!(projection.texel([3.0, 4.0, 9.0]), [20.0, 18.0]);
        projection.rotation = std::f64::consts::FRAC_PI_2;
        let [x, y] = projection.texel([3.0, 4.0, 9.0]);
        assert!((x - 18.0).abs() < 1e-9 && (y - 22.5).abs() < 1e-9, "{x} {y}");
    }
}

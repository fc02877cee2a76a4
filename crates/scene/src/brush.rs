//! Convex brushes and texture projections.

mod mesh;
mod polygons;
mod projection;
mod weld;

pub use mesh::MeshBrush;
pub use polygons::BrushPolygons;

use crate::{MaterialId, Properties};

/// A convex body: what is behind all of its sides.
///
/// | in | |
/// |---|---|
/// | wings, WWD, wrp | – |
/// | vmap | – (brushes became meshes) |
/// | WMP | a block: A4 stores planes only, later dialects the polygons too |
#[derive(Debug, Clone, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Brush {
    /// The name; may be empty.
    pub name: String,
    /// Corner points, where the file stores polygons; else empty.
    pub vertices: Vec<[f64; 3]>,
    /// The sides in order.
    pub sides: Vec<BrushSide>,
    /// What else the file says about it.
    pub properties: Properties,
}

/// One side of a brush.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct BrushSide {
    /// Three points of the plane, counter-clockwise as seen from outside, so that (p1 − p0) × (p2 − p0) points out.
    pub plane: [[f64; 3]; 3],
    /// The polygon as indices into [`Brush::vertices`], counter-clockwise from outside; empty where not stored.
    pub corners: Vec<u32>,
    /// The way to texture coordinates.
    pub projection: TextureProjection,
    /// The material.
    pub material: Option<MaterialId>,
    /// What else the file says about it: flags, albedo.
    pub properties: Properties,
}

/// Why planes have no polygons, or why a mesh is no brush.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, thiserror::Error)]
#[non_exhaustive]
pub enum BrushError {
    /// More sides than [`Brush::MOST_SIDES`].
    #[error("{0} sides, and only {most} are allowed", most = Brush::MOST_SIDES)]
    TooManySides(usize),
    /// The sides of the brush leave a way out.
    #[error("its sides do not close it off")]
    Unbounded,
    /// There is no space behind all of the sides.
    #[error("there is no space behind all of its sides")]
    Flat,
    /// The mesh has edges that not two faces share.
    #[error("it is not closed")]
    Open,
    /// A face of the mesh has a corner that is not on its plane.
    #[error("one of its faces is not flat")]
    Bent,
    /// A vertex of the mesh stands before one of its faces.
    #[error("it is not convex")]
    Concave,
}

/// The longest extent of some points along an axis.
fn size(points: &[[f64; 3]]) -> f64 {
    let along = |axis: usize| {
        let numbers = points.iter().filter_map(|point| point.get(axis));
        let (low, high) = numbers.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), &c| (low.min(c), high.max(c)));
        high - low
    };
    (0..3).map(along).fold(0.0, f64::max)
}

/// How the plane of a face maps to texels.
///
/// With p the point in the space that [`local`](Self::local) names, `s = u·(p, 1)` and `t = v·(p, 1)`:
///
/// ```text
/// x = (s cos r − t sin r) / scale[0] + offset[0]
/// y = (s sin r + t cos r) / scale[1] + offset[1]        texels, y down the picture
/// ```
///
/// | in | |
/// |---|---|
/// | wings, WWD, wrp | – |
/// | vmap | `textureAxisU/V` (shift in `offset`), `textureScale`, rotation 0 |
/// | WMP | all of it |
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct TextureProjection {
    /// The axis of x and a constant.
    pub u: [f64; 4],
    /// The axis of y and a constant.
    pub v: [f64; 4],
    /// Added at the end, in texels.
    pub offset: [f64; 2],
    /// Units of length per texel; never 0.
    pub scale: [f64; 2],
    /// The turn r in radians.
    pub rotation: f64,
    /// Whether points are taken in the node's own space (the texture moves with it) or in that of the scene.
    pub local: bool,
}

impl TextureProjection {
    /// The texel of a point. The caller brings the point into the right space.
    pub fn texel(&self, [px, py, pz]: [f64; 3]) -> [f64; 2] {
        let along = |[x, y, z, constant]: [f64; 4]| x * px + y * py + z * pz + constant;
        let (s, t) = (along(self.u), along(self.v));
        let (sin, cos) = if self.rotation == 0.0 { (0.0, 1.0) } else { self.rotation.sin_cos() };
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

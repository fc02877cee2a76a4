//! Texture projection: the relation between positions and texture coordinates, which faces store besides the coordinates.

#![allow(
    clippy::arithmetic_side_effects,
    clippy::indexing_slicing,
    reason = "computes with floats, and indexes the two axes of a texture"
)]

use super::polygons::{Polygons, to_index};
use super::vector::{Vec3, add, area, cross, dot, narrow, scale, sub, unit};

/// The projection of a texture onto a face: `uv · texture size = dot(position, axis) / scale + shift`, for U and V. Positions are in
/// **world** space, with the transform of the node applied. Maps do not store the size of the texture in texels.
///
/// Editors use the projection when a face is moved. The texture coordinates are authoritative: on overlays and on faces that were
/// unwrapped by hand, the projection does not predict them.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Projection {
    /// `textureAxisU:0`: the axis, then the shift in texels.
    pub axis_u: [f32; 4],
    /// `textureAxisV:0`: the axis, then the shift in texels.
    pub axis_v: [f32; 4],
    /// `textureScale:0`: world units per texel along both axes. 0 on a few real faces, which then have no projection.
    pub scale: [f32; 2],
}

/// The numbers of a face of a Valve-220 `.map` file: `[ux uy uz shift] [vx vy vz shift] rotation scaleX scaleY`. The formula is
/// that of [`Projection`].
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Valve220 {
    /// The U axis and its shift in texels.
    pub u: [f64; 4],
    /// The V axis and its shift in texels.
    pub v: [f64; 4],
    /// Rotation in degrees for display in editors. The axes are already rotated.
    pub rotation: f64,
    /// World units per texel.
    pub scale: [f64; 2],
}

/// A projection that approximates given texture coordinates.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Fit {
    /// The projection.
    pub projection: Projection,
    /// Maximum error of a coordinate in texels.
    pub residual: f64,
}

/// World units per texel of a face that was never fitted.
const DEFAULT_SCALE: f32 = 0.25;

impl Projection {
    /// Returns the projection of new faces in Hammer: along the axis nearest to the normal, a quarter unit per texel.
    pub fn along(normal: [f64; 3]) -> Self {
        let [x, y, z] = normal.map(f64::abs);
        let (axis_u, axis_v) = if z >= x && z >= y {
            ([1.0, 0.0, 0.0, 0.0], [0.0, -1.0, 0.0, 0.0])
        } else if x >= y {
            ([0.0, 1.0, 0.0, 0.0], [0.0, 0.0, -1.0, 0.0])
        } else {
            ([1.0, 0.0, 0.0, 0.0], [0.0, 0.0, -1.0, 0.0])
        };
        Self { axis_u, axis_v, scale: [DEFAULT_SCALE; 2] }
    }

    /// Returns the texture coordinates of a position in world space. `None` if the scale or the size of the texture is 0 along an axis.
    pub fn project(&self, place: [f64; 3], texture_size: [f64; 2]) -> Option<[f64; 2]> {
        let along = |[x, y, z, shift]: [f32; 4], scale: f32, size: f64| {
            let texels = dot(place, [x, y, z].map(f64::from)) / f64::from(scale) + f64::from(shift);
            (scale != 0.0 && size != 0.0).then_some(texels / size)
        };
        let ([scale_u, scale_v], [size_u, size_v]) = (self.scale, texture_size);
        Some([along(self.axis_u, scale_u, size_u)?, along(self.axis_v, scale_v, size_v)?])
    }

    /// Returns the projection that fits the texture coordinates of a face best (least squares), given its corners in world space.
    /// Along an axis with constant coordinates it is that of [`along`](Self::along), with a larger residual.
    /// `None` for faces without area, non-finite numbers, or fewer than three corners.
    pub fn fit(corners: &[([f64; 3], [f64; 2])], texture_size: [f64; 2]) -> Option<Fit> {
        let normal = unit(area(corners.iter().map(|corner| corner.0)))?;
        let gradients = gradients(corners, normal, texture_size)?;
        let mut projection = Self::along(normal);
        let [u, v] = &mut projection.scale;
        for ((axis, scale), (gradient, shift)) in
            [(&mut projection.axis_u, u), (&mut projection.axis_v, v)].into_iter().zip(gradients)
        {
            match unit(gradient) {
                Some([x, y, z]) => {
                    *axis = narrow([x, y, z, shift]);
                    [*scale] = narrow([1.0 / dot(gradient, gradient).sqrt()]);
                }
                None => [axis[3]] = narrow([shift]),
            }
        }
        let miss = |&(place, uv): &([f64; 3], [f64; 2])| {
            let found = projection.project(place, texture_size).unwrap_or([f64::INFINITY; 2]);
            let texels = |side: usize| ((found[side] - uv[side]) * texture_size[side]).abs();
            texels(0).max(texels(1))
        };
        let residual = corners.iter().map(miss).fold(0.0, f64::max);
        Some(Fit { projection, residual })
    }
}

/// Returns the gradients of U and V in the plane of a face, in texels per unit, and their values at
/// the origin.
pub(super) fn gradients(
    corners: &[([f64; 3], [f64; 2])],
    normal: Vec3,
    texture_size: [f64; 2],
) -> Option<[(Vec3, f64); 2]> {
    // Two perpendicular directions in the plane.
    let away = if normal[0].abs() < 0.5 { [1.0, 0.0, 0.0] } else { [0.0, 1.0, 0.0] };
    let first = unit(cross(normal, away))?;
    let second = cross(normal, first);
    // Solve the normal equations relative to the centre, where they are best conditioned.
    let weight = 1.0 / count(corners.len());
    let middle = scale(corners.iter().fold([0.0; 3], |sum, corner| add(sum, corner.0)), weight);
    let [mut xx, mut xy, mut yy] = [0.0; 3];
    let (mut sums, mut means) = ([[0.0; 2]; 2], [0.0; 2]);
    for &(place, uv) in corners {
        let from = sub(place, middle);
        let (x, y) = (dot(from, first), dot(from, second));
        (xx, xy, yy) = (xx + x * x, xy + x * y, yy + y * y);
        for side in 0..2 {
            let texels = uv[side] * texture_size[side];
            means[side] += texels * weight;
            sums[side] = [sums[side][0] + x * texels, sums[side][1] + y * texels];
        }
    }
    let determinant = xx * yy - xy * xy;
    let gradient = |side: usize| {
        let [x, y] = sums[side];
        let along = (x * yy - y * xy) / determinant;
        let across = (y * xx - x * xy) / determinant;
        let mut gradient = add(scale(first, along), scale(second, across));
        // Remove rounding errors of constant coordinates.
        if dot(gradient, gradient).sqrt() * (xx + yy).sqrt() < 1e-9 * (1.0 + means[side].abs()) {
            gradient = [0.0; 3];
        }
        (gradient, means[side] - dot(gradient, middle))
    };
    let gradients = [gradient(0), gradient(1)];
    let finite = gradients.iter().all(|(gradient, shift)| gradient.iter().all(|c| c.is_finite()) && shift.is_finite());
    (finite && determinant > 0.0).then_some(gradients)
}

/// Converts a count to a number.
#[expect(clippy::cast_precision_loss, reason = "faces have fewer corners than 2^52")]
fn count(items: usize) -> f64 {
    items as f64
}

impl From<Projection> for Valve220 {
    fn from(projection: Projection) -> Self {
        Self {
            u: projection.axis_u.map(f64::from),
            v: projection.axis_v.map(f64::from),
            rotation: 0.0,
            scale: projection.scale.map(f64::from),
        }
    }
}

impl From<Valve220> for Projection {
    fn from(face: Valve220) -> Self {
        Self { axis_u: narrow(face.u), axis_v: narrow(face.v), scale: narrow(face.scale) }
    }
}

impl Polygons<'_> {
    /// Returns the stored projection of a face; `None` if there is none.
    pub fn projection(&self, face: usize) -> Option<Projection> {
        let mesh = self.mesh();
        let data = *mesh.face_data_indices.get(face)?;
        let axis = |name| {
            let items = mesh.face_data.stream(name)?.data.as_vector4s()?;
            to_index(data, items.len()).and_then(|at| items.get(at)).copied()
        };
        let scales = mesh.face_data.stream("textureScale:0")?.data.as_vector2s()?;
        let scale = *scales.get(to_index(data, scales.len())?)?;
        Some(Projection { axis_u: axis("textureAxisU:0")?, axis_v: axis("textureAxisV:0")?, scale })
    }
}

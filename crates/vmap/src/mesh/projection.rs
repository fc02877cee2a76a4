//! Texture projection: the way from places to texture coordinates, which faces store beside the coordinates themselves.

#![allow(
    clippy::arithmetic_side_effects,
    clippy::indexing_slicing,
    reason = "it computes with floats, and indexes the two sides of a texture"
)]

use super::polygons::{Polygons, place};
use super::vector::{Vec3, add, area, cross, dot, narrow, scale, sub, unit};

/// How a texture lies on a face: `uv · texture size = dot(place, axis) / scale + shift`, for U and V alike. Places are those of the
/// **world**, with the transform of the node applied; the size of the texture in texels stands in no map.
///
/// Editors use it when a face is moved. Texture coordinates are the truth: on overlays and on faces that were unwrapped by hand
/// the projection does not predict them.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Projection {
    /// `textureAxisU:0`: the axis and, behind it, the shift in texels.
    pub axis_u: [f32; 4],
    /// `textureAxisV:0`: likewise.
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
    /// Degrees. The axes are turned already: it only tells an editor what to show.
    pub rotation: f64,
    /// World units per texel.
    pub scale: [f64; 2],
}

/// A projection made for given texture coordinates.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Fit {
    /// The projection.
    pub projection: Projection,
    /// How far it misses a coordinate at most, in texels.
    pub residual: f64,
}

/// World units per texel of a face that was never fitted.
const DEFAULT_SCALE: f32 = 0.25;

impl Projection {
    /// The projection that Hammer gives new faces: along the axis that is nearest to the normal, a quarter unit per texel.
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

    /// The texture coordinates of a place of the world. `None` if the scale or the size of the texture is 0 along an axis.
    pub fn project(&self, place: [f64; 3], texture_size: [f64; 2]) -> Option<[f64; 2]> {
        let along = |[x, y, z, shift]: [f32; 4], scale: f32, size: f64| {
            let texels = dot(place, [x, y, z].map(f64::from)) / f64::from(scale) + f64::from(shift);
            (scale != 0.0 && size != 0.0).then_some(texels / size)
        };
        let ([scale_u, scale_v], [size_u, size_v]) = (self.scale, texture_size);
        Some([along(self.axis_u, scale_u, size_u)?, along(self.axis_v, scale_v, size_v)?])
    }

    /// The projection that comes nearest (least squares) to the texture coordinates of a face, given its corners in the world.
    /// Along an axis on which the coordinates do not change it is that of [`along`](Self::along), and the residual tells.
    /// `None` of a face without area, of numbers that are not finite, and of less than three corners.
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

/// How many texels U and V change along the plane of a face, per unit and as directions of the plane, and how many they are at
/// the origin.
pub(super) fn gradients(
    corners: &[([f64; 3], [f64; 2])],
    normal: Vec3,
    texture_size: [f64; 2],
) -> Option<[(Vec3, f64); 2]> {
    // Two directions of the plane.
    let away = if normal[0].abs() < 0.5 { [1.0, 0.0, 0.0] } else { [0.0, 1.0, 0.0] };
    let first = unit(cross(normal, away))?;
    let second = cross(normal, first);
    // Normal equations about the middle, where they are best conditioned.
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
        // What is left by rounding of coordinates that do not change.
        if dot(gradient, gradient).sqrt() * (xx + yy).sqrt() < 1e-9 * (1.0 + means[side].abs()) {
            gradient = [0.0; 3];
        }
        (gradient, means[side] - dot(gradient, middle))
    };
    let gradients = [gradient(0), gradient(1)];
    let finite = gradients.iter().all(|(gradient, shift)| gradient.iter().all(|c| c.is_finite()) && shift.is_finite());
    (finite && determinant > 0.0).then_some(gradients)
}

/// A count as a number.
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
    /// The stored projection of a face; `None` if there is none.
    pub fn projection(&self, face: usize) -> Option<Projection> {
        let mesh = self.mesh();
        let data = *mesh.face_data_indices.get(face)?;
        let axis = |name| {
            let items = mesh.face_data.stream(name)?.data.as_vector4s()?;
            place(data, items.len()).and_then(|at| items.get(at)).copied()
        };
        let scales = mesh.face_data.stream("textureScale:0")?.data.as_vector2s()?;
        let scale = *scales.get(place(data, scales.len())?)?;
        Some(Projection { axis_u: axis("textureAxisU:0")?, axis_v: axis("textureAxisV:0")?, scale })
    }
}

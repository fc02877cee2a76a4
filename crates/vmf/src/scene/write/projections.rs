//! Texture projections → texture axes.

use mapwright_io::math::sin_cos;
use mapwright_scene::transform::{add, dot, scale, sub};
use mapwright_scene::{TextureProjection, Transform};

use crate::scene::AXES;
use crate::scene::conventions::{format_number, format_numbers};

/// A direction with its offset in texels and its units per texel.
type Axis = ([f64; 3], f64, f64);

/// Returns a projection for points of the scene. That of a node that collapses space is unchanged.
pub(super) fn to_scene_space(projection: &TextureProjection, world: &Transform) -> TextureProjection {
    projection.in_scene(world).unwrap_or(TextureProjection { local: false, ..*projection })
}

/// Returns the values of `uaxis` and `vaxis`.
pub(super) fn format_axes(projection: &TextureProjection) -> [String; 2] {
    texture_axes(projection).map(|(direction, shift, units)| {
        let numbers = format_numbers(AXES.inverse().apply(direction).into_iter().chain([shift]));
        format!("[{numbers}] {}", format_number(units))
    })
}

fn texture_axes(projection: &TextureProjection) -> [Axis; 2] {
    let TextureProjection { u, v, offset, scale: [along_u, along_v], rotation, local: _ } = *projection;
    let ([ux, uy, uz, us], [vx, vy, vz, vs]) = (u, v);
    let (u, v) = ([ux, uy, uz], [vx, vy, vz]);
    let [x, y] = offset;
    if rotation == 0.0 && us == 0.0 && vs == 0.0 {
        return [(u, x, along_u), (v, y, along_v)];
    }
    let (sin, cos) = sin_cos(rotation);
    let first = sub(scale(u, cos), scale(v, sin)).map(|part| part / along_u);
    let second = add(scale(u, sin), scale(v, cos)).map(|part| part / along_v);
    let first_shift = (us * cos - vs * sin) / along_u + x;
    let second_shift = (us * sin + vs * cos) / along_v + y;
    [(first, first_shift), (second, second_shift)].map(|(axis, shift)| {
        let length = dot(axis, axis).sqrt();
        if length.is_normal() { (scale(axis, length.recip()), shift, length.recip()) } else { (axis, shift, 1.0) }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn axes_map_points_to_the_same_texels() {
        let projection = TextureProjection {
            u: [0.5, 0.25, 0.0, 3.0],
            v: [0.0, -1.0, 2.0, 5.0],
            offset: [1.0, 2.0],
            scale: [0.5, -2.0],
            rotation: 0.3,
            local: false,
        };
        let point = [3.0, -7.0, 11.0];
        let texel = texture_axes(&projection).map(|(axis, shift, units)| dot(axis, point) / units + shift);
        let near = texel.iter().zip(projection.texel(point)).all(|(a, b)| (a - b).abs() < 1e-9);
        assert!(near, "{texel:?} {:?}", projection.texel(point));
    }
}

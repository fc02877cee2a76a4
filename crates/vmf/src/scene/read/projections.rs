//! Texture axes → texture projections.

use mapwright_scene::TextureProjection;

use crate::Side;
use crate::scene::AXES;

/// Returns the projection of a side, and `false` if a part of it is invalid.
pub(super) fn read_projection(side: Side<'_>) -> (TextureProjection, bool) {
    let normal = side.half_space().map_or([0.0, 0.0, 1.0], |space| space.normal);
    let (Some(u), Some(v)) = (side.u_axis(), side.v_axis()) else {
        return (TextureProjection::on_base_axes(AXES.apply(normal)), false);
    };
    let direction = |[x, y, z]: [f64; 3]| {
        let [x, y, z] = AXES.apply([x, y, z]);
        [x, y, z, 0.0]
    };
    let scale = [u.scale, v.scale].map(|scale| if scale == 0.0 { 1.0 } else { scale });
    let projection = TextureProjection {
        u: direction(u.direction),
        v: direction(v.direction),
        offset: [u.shift, v.shift],
        scale,
        rotation: 0.0,
        local: false,
    };
    (projection, u.scale != 0.0 && v.scale != 0.0)
}

//! Faces and their textures.

use std::fmt::Write;

use mapwright_io::math;
use mapwright_scene::transform::{add, cross, dot, scale, sub};
use mapwright_scene::{BoundedOutput, Properties, TextureProjection, Value};

use super::{AXES, number, numbers};
use crate::map::{EXTRA, FLAGS, VALVE_ROTATION, angles};

/// A face to write.
pub(super) struct Face {
    /// Three points in the frame of maps, clockwise as seen from outside.
    pub plane: [[f64; 3]; 3],
    pub texture: String,
    /// The projection in the space and frame of the scene.
    pub projection: TextureProjection,
    /// The numbers after the texture, and the rotation that Valve 220 stores for editors.
    pub numbers: Numbers,
}

/// Numbers of a side other than geometry.
#[derive(Default)]
pub(super) struct Numbers {
    after_texture: Vec<String>,
    valve_rotation: f64,
}

impl Numbers {
    pub(super) fn is_empty(&self) -> bool {
        self.after_texture.is_empty()
    }
}

/// Extracts the numbers from the properties of a side. Also returns the number of other properties.
pub(super) fn flags(properties: &Properties) -> (Numbers, usize) {
    let format_value = |value: &Value| match value {
        Value::Int(whole) => Some(whole.to_string()),
        Value::Float(float) if float.is_finite() => Some(number(*float)),
        _ => None,
    };
    let mut numbers = Numbers::default();
    let mut known = 0;
    for name in FLAGS {
        let Some(number) = properties.get(name).and_then(format_value) else { break };
        numbers.after_texture.push(number);
        known += 1;
    }
    // Without the numbers before them they would be misread.
    if let (Some(Value::List(extra)), 3) = (properties.get(EXTRA), numbers.after_texture.len())
        && let Some(extra) = extra.iter().map(format_value).collect::<Option<Vec<_>>>()
    {
        numbers.after_texture.extend(extra);
        known += 1;
    }
    if let Some(turn) = properties.get(VALVE_ROTATION).and_then(Value::as_f64).filter(|turn| turn.is_finite()) {
        numbers.valve_rotation = turn;
        known += 1;
    }
    (numbers, properties.len().saturating_sub(known))
}

impl Face {
    /// Minimum number of bytes of a face.
    pub(super) const MIN_BYTES: u64 = 40;

    pub(super) fn write(&self, is_valve: bool, text: &mut BoundedOutput) {
        for point in self.plane {
            // A text beyond the limit reports the error itself.
            let _ = write!(text, "( {} ) ", numbers(point));
        }
        text.push(self.texture.as_bytes());
        let _ = if is_valve {
            let [(u, x), (v, y)] = self.valve();
            let [[u, along_u], [v, along_v]] =
                [u, v].map(|(axis, scale)| [numbers(AXES.inverse().apply(axis)), number(scale)]);
            let turn = number(self.numbers.valve_rotation);
            write!(text, " [ {u} {} ] [ {v} {} ] {turn} {along_u} {along_v}", number(x), number(y))
        } else {
            write!(text, " {}", numbers(self.standard().unwrap_or_else(|| self.nearest())))
        };
        for number in &self.numbers.after_texture {
            let _ = write!(text, " {number}");
        }
        text.push(b"\n");
    }

    /// Returns the outward normal in the frame of the scene, not normalized, as readers compute it from the points.
    fn normal(&self) -> [f64; 3] {
        let [c, b, a] = self.plane.map(|point| AXES.apply(point));
        cross(sub(b, a), sub(c, a))
    }

    /// Returns offset, rotation and scale on the axes that follow from the normal of the face, if they represent the texture
    /// exactly.
    pub(super) fn standard(&self) -> Option<[f64; 5]> {
        let TextureProjection { u, v, offset, scale, rotation, local: _ } = self.projection;
        let [base_u, base_v] = TextureProjection::base_axes(self.normal()).map(|[x, y, z]| [x, y, z, 0.0]);
        let [x, y] = offset;
        let [along_u, along_v] = scale;
        (u == base_u && v == base_v).then(|| [x, y, angles::shortest_degrees(rotation), along_u, along_v])
    }

    /// Returns `true` for a face so close to 45° that programs with other precision may choose other texture axes.
    pub(super) fn is_ambiguous(&self) -> bool {
        let mut parts = self.normal().map(f64::abs);
        parts.sort_by(|a, b| b.total_cmp(a));
        parts[0] != parts[1] && parts[0] - parts[1] <= parts[0] * 1e-6
    }

    /// Returns two axes, each with its offset and scale.
    fn valve(&self) -> [(([f64; 3], f64), f64); 2] {
        let TextureProjection { u, v, offset: [x, y], scale: [along_u, along_v], rotation, local: _ } = self.projection;
        let ([ux, uy, uz, us], [vx, vy, vz, vs]) = (u, v);
        if rotation == 0.0 && us == 0.0 && vs == 0.0 {
            return [(([ux, uy, uz], along_u), x), (([vx, vy, vz], along_v), y)];
        }
        let [(u, s), (v, t)] = self.finished();
        let unit = |axis: [f64; 3]| {
            let length = dot(axis, axis).sqrt();
            if length.is_normal() { (axis.map(|c| c / length), length.recip()) } else { (axis, 1.0) }
        };
        [(unit(u), s), (unit(v), t)]
    }

    /// Returns the texels along the axes of the scene, and those of its origin.
    fn finished(&self) -> [([f64; 3], f64); 2] {
        let projection = &self.projection;
        let ([ux, uy, uz, us], [vx, vy, vz, vs]) = (projection.u, projection.v);
        let (sin, cos) = angles::sin_cos(projection.rotation);
        let ([along_u, along_v], [x, y]) = (projection.scale, projection.offset);
        let (u, v) = ([ux, uy, uz], [vx, vy, vz]);
        let first = sub(scale(u, cos), scale(v, sin));
        let second = add(scale(u, sin), scale(v, cos));
        [
            (first.map(|c| c / along_u), (us * cos - vs * sin) / along_u + x),
            (second.map(|c| c / along_v), (us * sin + vs * cos) / along_v + y),
        ]
    }

    /// Returns the offset, rotation and scale that are nearest to the texture, exact at the first point of the face.
    fn nearest(&self) -> [f64; 5] {
        let normal = self.normal();
        let base @ [base_u, base_v] = TextureProjection::base_axes(normal);
        let [(u, s), (v, t)] = self.finished();
        let [[a, b], [c, d]] = [u, v].map(|axis| base.map(|base| dot(axis, base)));
        let rotation = math::atan2(-b, a);
        let (sin, cos) = math::sin_cos(rotation);
        let length = |x: f64, y: f64| Some(math::hypot(x, y).recip()).filter(|scale| scale.is_normal()).unwrap_or(1.0);
        let (along_u, along_v) = (length(a, b), length(c, d) * if c * sin + d * cos < 0.0 { -1.0 } else { 1.0 });
        let point = AXES.apply(self.plane[0]);
        let (p, q) = (dot(base_u, point), dot(base_v, point));
        let x = dot(u, point) + s - (p * cos - q * sin) / along_u;
        let y = dot(v, point) + t - (p * sin + q * cos) / along_v;
        [x, y, angles::shortest_degrees(rotation), along_u, along_v]
    }
}

//! Faces and their textures.

use std::fmt::Write;

use mapwright_scene::transform::{add, cross, dot, scale, sub};
use mapwright_scene::{Properties, TextureProjection, Value};

use super::{AXES, number, numbers};
use crate::{
    map::{EXTRA, FLAGS, VALVE_ROTATION, angles},
    output::Output,
};

/// A face on its way out.
pub(super) struct Face {
    /// Three points in the frame of maps, clockwise as seen from outside.
    pub plane: [[f64; 3]; 3],
    pub texture: String,
    /// In the space and the frame of the scene.
    pub projection: TextureProjection,
    /// What stands behind the texture, and the turn that Valve's spelling has for editors.
    pub numbers: Numbers,
}

/// Numbers of a side that are no geometry.
#[derive(Default)]
pub(super) struct Numbers {
    behind: Vec<String>,
    valve_rotation: f64,
}

impl Numbers {
    pub(super) fn is_empty(&self) -> bool {
        self.behind.is_empty()
    }
}

/// Takes numbers out of the properties of a side; and how many other properties there are.
pub(super) fn flags(properties: &Properties) -> (Numbers, usize) {
    let spelled = |value: &Value| match value {
        Value::Int(whole) => Some(whole.to_string()),
        Value::Float(float) if float.is_finite() => Some(number(*float)),
        _ => None,
    };
    let mut numbers = Numbers::default();
    let mut known = 0;
    for name in FLAGS {
        let Some(number) = properties.get(name).and_then(spelled) else { break };
        numbers.behind.push(number);
        known += 1;
    }
    // Without those before them they would be read as these.
    if let (Some(Value::List(extra)), 3) = (properties.get(EXTRA), numbers.behind.len())
        && let Some(extra) = extra.iter().map(spelled).collect::<Option<Vec<_>>>()
    {
        numbers.behind.extend(extra);
        known += 1;
    }
    if let Some(turn) = properties.get(VALVE_ROTATION).and_then(Value::as_f64).filter(|turn| turn.is_finite()) {
        numbers.valve_rotation = turn;
        known += 1;
    }
    (numbers, properties.len().saturating_sub(known))
}

impl Face {
    /// Fewer bytes than any face has.
    pub(super) const LEAST_BYTES: u64 = 40;

    pub(super) fn write(&self, is_valve: bool, text: &mut Output) {
        for point in self.plane {
            // A text that becomes too long reports that itself.
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
        for number in &self.numbers.behind {
            let _ = write!(text, " {number}");
        }
        text.push(b"\n");
    }

    /// Outward, in the frame of the scene, of no particular length: what a reader will make of the points.
    fn normal(&self) -> [f64; 3] {
        let [c, b, a] = self.plane.map(|point| AXES.apply(point));
        cross(sub(b, a), sub(c, a))
    }

    /// Returns shift, turn and scale on the axes that follow from the direction of the face, if they represent the texture exactly.
    pub(super) fn standard(&self) -> Option<[f64; 5]> {
        let TextureProjection { u, v, offset, scale, rotation, local: _ } = self.projection;
        let [base_u, base_v] = TextureProjection::base_axes(self.normal()).map(|[x, y, z]| [x, y, z, 0.0]);
        let [x, y] = offset;
        let [along_u, along_v] = scale;
        (u == base_u && v == base_v).then(|| [x, y, angles::spelled(rotation), along_u, along_v])
    }

    /// Returns true for a face so near to 45° that a program with other precision may choose other axes for its texture.
    pub(super) fn is_ambiguous(&self) -> bool {
        let mut parts = self.normal().map(f64::abs);
        parts.sort_by(|a, b| b.total_cmp(a));
        parts[0] != parts[1] && parts[0] - parts[1] <= parts[0] * 1e-6
    }

    /// Axes, each with its scale, and shifts.
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

    /// Texels along the axes of the scene, and those of its origin.
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

    /// The shift, turn and scale that come nearest to the texture, exact at the first point of the face.
    fn nearest(&self) -> [f64; 5] {
        let normal = self.normal();
        let base @ [base_u, base_v] = TextureProjection::base_axes(normal);
        let [(u, s), (v, t)] = self.finished();
        let [[a, b], [c, d]] = [u, v].map(|axis| base.map(|base| dot(axis, base)));
        let rotation = (-b).atan2(a);
        let (sin, cos) = rotation.sin_cos();
        let length = |x: f64, y: f64| Some(x.hypot(y).recip()).filter(|scale| scale.is_normal()).unwrap_or(1.0);
        let (along_u, along_v) = (length(a, b), length(c, d) * if c * sin + d * cos < 0.0 { -1.0 } else { 1.0 });
        let point = AXES.apply(self.plane[0]);
        let (p, q) = (dot(base_u, point), dot(base_v, point));
        let x = dot(u, point) + s - (p * cos - q * sin) / along_u;
        let y = dot(v, point) + t - (p * sin + q * cos) / along_v;
        [x, y, angles::spelled(rotation), along_u, along_v]
    }
}

//! Faces and their textures.

use mapwright_io::math;
use mapwright_scene::transform::{add, dot, scale, sub};
use mapwright_scene::{Properties, TextureProjection, Value};

use super::numbers::{number, numbers};
use super::style::Style;
use crate::geometry::{base_axes, matrix_axes};
use crate::scene::textures::{EXTRA, FLAGS, MATRIX, VALVE_ROTATION};
use crate::scene::{AXES, angles};
use crate::{Mapping, Plane, PrimitiveKind};

/// A face to write.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Face {
    /// Three points in the frame of maps, clockwise as seen from outside.
    pub(super) plane: [[f64; 3]; 3],
    /// The name of the texture.
    pub(super) texture: String,
    /// The projection in the space and frame of the scene.
    pub(super) projection: TextureProjection,
    /// The numbers after the texture, and the rotation that Valve 220 stores for editors.
    pub(super) numbers: Numbers,
    /// The matrix of a face of a brush primitive.
    pub(super) matrix: Option<[[f64; 3]; 2]>,
    /// The size of the texture, for the matrix of games with equations.
    pub(super) size: [f64; 2],
}

/// Numbers of a side other than geometry.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Numbers {
    pub(super) after_texture: Vec<String>,
    valve_rotation: f64,
}

/// Extracts the numbers from the properties of a side. Also returns the number of other properties.
pub(super) fn flags(properties: &Properties) -> (Numbers, usize) {
    let format_value = |value: &Value| match value {
        Value::Int(whole) => Some(whole.to_string()),
        Value::Float(float) if float.is_finite() => Some(number(*float)),
        // Words of SiN, which would otherwise be read as something else.
        Value::Text(word) => Some(word.clone()).filter(|word| is_word(word)),
        _ => None,
    };
    let mut numbers = Numbers::default();
    let mut known = 0;
    for name in FLAGS {
        let value = properties.get(name).filter(|value| !matches!(value, Value::Text(_)));
        let Some(number) = value.and_then(format_value) else { break };
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
    known += usize::from(properties.get(MATRIX).is_some());
    (numbers, properties.len().saturating_sub(known))
}

/// Returns `true` for a text that is one word of a file without quotes.
fn is_word(text: &str) -> bool {
    let is_bad = |letter: char| letter <= ' ' || "(){}[]\"".contains(letter);
    !text.is_empty() && !text.contains(is_bad) && !text.starts_with("//") && !text.starts_with(';')
}

impl Face {
    /// Minimum number of bytes of a face.
    pub(super) const MIN_BYTES: u64 = 40;

    /// Returns `true` if numbers follow the texture.
    pub(super) fn has_flags(&self) -> bool {
        !self.numbers.after_texture.is_empty()
    }

    /// Formats the face for a brush of a kind.
    pub(super) fn format(&self, kind: PrimitiveKind, style: &Style) -> String {
        let points = || self.plane.iter().map(|point| format!("( {} ) ", numbers(*point))).collect::<String>();
        let matrix = || {
            let [first, second] = self.matrix.unwrap_or_else(|| self.fitted_matrix());
            format!("( ( {} ) ( {} ) )", numbers(first), numbers(second))
        };
        let always_quoted = kind == PrimitiveKind::BrushDef3;
        let texture = crate::edit::texture_token(self.texture.as_bytes(), always_quoted);
        // The name has no line ends, so it can be quoted.
        let texture = texture.map_or_else(|_| self.texture.clone(), |token| crate::decode_text(&token).into_owned());
        let mut text = match kind {
            PrimitiveKind::BrushDef3 => {
                let space = Plane::Points(self.plane).half_space();
                let (normal, distance) = space.map_or(([0.0; 3], 0.0), |space| (space.normal, space.distance));
                format!("( {} {} ) {} {texture}", numbers(normal), number(-distance), matrix())
            }
            PrimitiveKind::BrushDef => format!("{}{} {texture}", points(), matrix()),
            _ if style.is_valve => {
                let Mapping::Valve { u, v, rotation, scale } = self.valve() else { return String::new() };
                let [u, v, scale] = [numbers(u), numbers(v), numbers(scale)];
                format!("{}{texture} [ {u} ] [ {v} ] {} {scale}", points(), number(rotation))
            }
            _ => {
                let five = self.standard().unwrap_or_else(|| self.nearest());
                format!("{}{texture} {}", points(), numbers(five))
            }
        };
        let is_equation = kind == PrimitiveKind::BrushDef3;
        if is_equation && !self.has_flags() && style.has_equation_numbers() {
            text.push_str(" 0 0 0");
        }
        for word in &self.numbers.after_texture {
            text.push(' ');
            text.push_str(word);
        }
        text
    }

    /// Returns the outward normal in the frame of the file, as readers compute it from the points.
    fn normal(&self) -> [f64; 3] {
        Plane::Points(self.plane).half_space().map_or([0.0, 0.0, 1.0], |space| space.normal)
    }

    /// Returns offset, rotation and scale on the axes that follow from the normal of the face, if they represent the texture
    /// exactly.
    pub(super) fn standard(&self) -> Option<[f64; 5]> {
        let TextureProjection { u, v, offset: [x, y], scale: [along_u, along_v], rotation, local: _ } = self.projection;
        let [base_u, base_v] = self.base_axes().map(|[x, y, z]| [x, y, z, 0.0]);
        (u == base_u && v == base_v).then(|| [x, y, angles::shortest_degrees(rotation), along_u, along_v])
    }

    fn base_axes(&self) -> [[f64; 3]; 2] {
        base_axes(self.normal()).map(|axis| AXES.apply(axis))
    }

    /// Returns `true` for a face so close to 45° that programs with other precision may choose other texture axes.
    pub(super) fn is_ambiguous(&self) -> bool {
        let mut parts = self.normal().map(f64::abs);
        parts.sort_by(|a, b| b.total_cmp(a));
        let [first, second, _] = parts;
        first != second && first - second <= first * 1e-6
    }

    /// Returns the mapping of the texture with two axes.
    pub(super) fn valve(&self) -> Mapping {
        let TextureProjection { u, v, offset: [x, y], scale: [along_u, along_v], rotation, local: _ } = self.projection;
        let ([ux, uy, uz, us], [vx, vy, vz, vs]) = (u, v);
        let [((u, along_u), x), ((v, along_v), y)] = if rotation == 0.0 && us == 0.0 && vs == 0.0 {
            [(([ux, uy, uz], along_u), x), (([vx, vy, vz], along_v), y)]
        } else {
            let unit = |axis: [f64; 3]| {
                let length = dot(axis, axis).sqrt();
                if length.is_normal() { (axis.map(|c| c / length), length.recip()) } else { (axis, 1.0) }
            };
            self.finished().map(|(axis, shift)| (unit(axis), shift))
        };
        let axis = |axis: [f64; 3], shift: f64| {
            let [x, y, z] = AXES.inverse().apply(axis);
            [x, y, z, shift].map(|part| part + 0.0)
        };
        let rotation = self.numbers.valve_rotation;
        Mapping::Valve { u: axis(u, x), v: axis(v, y), rotation, scale: [along_u, along_v] }
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
    pub(super) fn nearest(&self) -> [f64; 5] {
        let base @ [base_u, base_v] = self.base_axes();
        let [(u, s), (v, t)] = self.finished();
        let [[a, b], [c, d]] = [u, v].map(|axis| base.map(|base| dot(axis, base)));
        let rotation = math::atan2(-b, a);
        let (sin, cos) = math::sin_cos(rotation);
        let length = |x: f64, y: f64| Some(math::hypot(x, y).recip()).filter(|scale| scale.is_normal()).unwrap_or(1.0);
        let (along_u, along_v) = (length(a, b), length(c, d) * if c * sin + d * cos < 0.0 { -1.0 } else { 1.0 });
        let [first, ..] = self.plane;
        let point = AXES.apply(first);
        let (p, q) = (dot(base_u, point), dot(base_v, point));
        let x = dot(u, point) + s - (p * cos - q * sin) / along_u;
        let y = dot(v, point) + t - (p * sin + q * cos) / along_v;
        [x, y, angles::shortest_degrees(rotation), along_u, along_v]
    }

    /// Returns the matrix that maps the face to repeats of its texture as the projection does.
    fn fitted_matrix(&self) -> [[f64; 3]; 2] {
        let normal = self.normal();
        let [across, along] = matrix_axes(normal);
        let [first, ..] = self.plane;
        let distance = dot(normal, first);
        let [width, height] = self.size;
        let row = |(axis, shift): ([f64; 3], f64), side: f64| {
            let axis = AXES.inverse().apply(axis);
            // The part along the normal is constant on the face.
            [dot(axis, across), dot(axis, along), dot(axis, normal) * distance + shift].map(|part| part / side + 0.0)
        };
        let [u, v] = self.finished();
        [row(u, width), row(v, height)]
    }

    /// Sets the matrix of a face that had one: the old numbers if they still give the same projection.
    pub(super) fn set_matrix(&mut self, properties: &Properties) {
        let Some(Value::List(old)) = properties.get(MATRIX) else { return };
        let fitted = self.fitted_matrix();
        let old: Vec<f64> = old.iter().filter_map(Value::as_f64).collect();
        let size = fitted.as_flattened().iter().fold(1.0_f64, |size, part| size.max(part.abs()));
        let is_same = old.len() == 6 && old.iter().zip(fitted.as_flattened()).all(|(a, b)| (a - b).abs() < size * 1e-9);
        self.matrix = Some(match old[..] {
            [a, b, c, d, e, f] if is_same => [[a, b, c], [d, e, f]],
            _ => fitted,
        });
    }

    /// Returns the mapping in the form of another one. Returns `None` if that cannot represent it.
    pub(super) fn mapping_like(&self, other: &Mapping) -> Option<Mapping> {
        Some(match other {
            Mapping::Standard { .. } => {
                let [x, y, rotation, along_u, along_v] = self.standard()?;
                Mapping::Standard { shift: [x, y], rotation, scale: [along_u, along_v] }
            }
            Mapping::Valve { .. } => self.valve(),
            Mapping::Matrix(_) => Mapping::Matrix(self.matrix.unwrap_or_else(|| self.fitted_matrix())),
        })
    }
}

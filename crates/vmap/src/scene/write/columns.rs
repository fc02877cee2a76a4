//! Converts the data of polygon meshes to streams of half-edge meshes.

use mapwright_io::math;
use mapwright_scene as scene;
use mapwright_scene::{Domain, TextureProjection, Transform, UvOrigin};

use super::super::conventions::{AXES, narrow};
use super::super::names::with_count;
use super::super::streams::{TINT, is_tangent, map_directions, stream_name};
use super::super::transforms::plane_in_world;
use crate::mesh::{Stream, StreamData};

/// Numbers of vertices, corners or faces, in the axes of maps. Equal if all bits are.
#[derive(Debug, Clone)]
pub(super) struct Column {
    /// Name of the stream.
    pub(super) name: String,
    pub(super) width: usize,
    pub(super) values: Vec<f64>,
}

impl PartialEq for Column {
    fn eq(&self, other: &Self) -> bool {
        (&self.name, self.width) == (&other.name, other.width)
            && self.values.iter().map(|number| number.to_bits()).eq(other.values.iter().map(|number| number.to_bits()))
    }
}

/// Beginnings of the names of integer streams.
const INT_STREAMS: [&str; 4] = ["blendindices:", "flags:", "lightmapScaleBias:", "materialindex:"];

impl Column {
    fn new(name: impl Into<String>, width: usize, values: Vec<f64>) -> Self {
        Self { name: name.into(), width, values }
    }

    /// Returns the column as a stream. `None` if no stream can store it: it has more than four numbers per row, or an empty name.
    pub(super) fn to_stream(&self) -> Option<Stream> {
        let rows = self.values.len().checked_div(self.width).unwrap_or(0);
        let mut stream = self.zero_stream(rows)?;
        set_rows(&mut stream.data, &(0..rows).collect::<Vec<usize>>(), self, None);
        Some(stream)
    }

    /// Returns a stream for this column with all items 0.
    pub(super) fn zero_stream(&self, length: usize) -> Option<Stream> {
        let (semantic, index) = self.name.rsplit_once(':')?;
        let index = index.parse().ok().filter(|_| !semantic.is_empty() && !semantic.contains('\0'))?;
        let data = match self.width {
            1 if INT_STREAMS.iter().any(|name| self.name.starts_with(name)) => StreamData::Int(vec![0; length]),
            1 => StreamData::Float(vec![0.0; length]),
            2 => StreamData::Vector2(vec![[0.0; 2]; length]),
            3 => StreamData::Vector3(vec![[0.0; 3]; length]),
            4 => StreamData::Vector4(vec![[0.0; 4]; length]),
            _ => return None,
        };
        Some(Stream::new(semantic, index, data))
    }
}

/// Writes the changed numbers of a column to the given rows. Returns `false` if the data has another type or too few rows.
pub(super) fn set_rows(data: &mut StreamData, rows: &[usize], new: &Column, old: Option<&Column>) -> bool {
    fn write_changed<T>(
        items: &mut [T],
        rows: &[usize],
        (new, old): (&Column, Option<&Column>),
        to: impl Fn(f64) -> T,
    ) -> bool {
        let width = new.width.max(1);
        let changed = new.values.iter().enumerate().filter(|(index, number)| {
            old.and_then(|old| old.values.get(*index)).is_none_or(|old| old.to_bits() != number.to_bits())
        });
        for (index, number) in changed {
            let start = rows.get(index / width).map_or(usize::MAX, |row| row.saturating_mul(width));
            let Some(item) = items.get_mut(start.saturating_add(index % width)) else { return false };
            *item = to(*number);
        }
        true
    }
    let columns = (new, old.filter(|old| old.width == new.width && old.values.len() == new.values.len()));
    match (data, new.width) {
        #[expect(clippy::cast_possible_truncation, reason = "streams store 32-bit numbers")]
        (StreamData::Int(items), 1) => write_changed(items, rows, columns, |number| number.round() as i32),
        (StreamData::Float(items), 1) => write_changed(items, rows, columns, narrow),
        (StreamData::Vector2(items), 2) => write_changed(items.as_flattened_mut(), rows, columns, narrow),
        (StreamData::Vector3(items), 3) => write_changed(items.as_flattened_mut(), rows, columns, narrow),
        (StreamData::Vector4(items), 4) => write_changed(items.as_flattened_mut(), rows, columns, narrow),
        _ => false,
    }
}

/// A texture projection in the world of maps: two axes with their shifts, and the scale.
type WorldProjection = ([f64; 4], [f64; 4], [f64; 2]);

/// Returns all columns of a domain, and a description of texture coordinates and colours that had to be synthesized.
pub(super) fn to_columns(mesh: &scene::Mesh, domain: Domain, world: &Transform) -> (Vec<Column>, Option<String>) {
    let back = AXES.inverse();
    let mut columns = Vec::new();
    let mut synthesized = None;
    match domain {
        Domain::Vertex => {
            let values = mesh.positions.iter().flat_map(|&p| back.apply(p)).collect();
            columns.push(Column::new("position:0", 3, values));
        }
        Domain::Corner => synthesized = corner_columns(mesh, &mut columns),
        Domain::Face => {
            if !mesh.face_projections.is_empty() {
                let sides = mesh.face_projections.iter().map(|projection| to_world(projection, world));
                let sides: Vec<WorldProjection> = sides.collect();
                let flat = |side: fn(&WorldProjection) -> [f64; 4]| sides.iter().flat_map(side).collect::<Vec<f64>>();
                columns.push(Column::new("textureScale:0", 2, sides.iter().flat_map(|side| side.2).collect()));
                columns.push(Column::new("textureAxisU:0", 4, flat(|side| side.0)));
                columns.push(Column::new("textureAxisV:0", 4, flat(|side| side.1)));
            }
        }
    }
    for attribute in mesh.attributes.iter().filter(|attribute| attribute.domain == domain) {
        let mut column = Column::new(stream_name(&attribute.name), attribute.width, attribute.values.clone());
        if is_tangent(attribute) {
            map_directions(&mut column.values, |direction| back.apply(direction));
        }
        if !columns.iter().any(|known| known.name == column.name) {
            columns.push(column);
        }
    }
    (columns, synthesized)
}

fn corner_columns(mesh: &scene::Mesh, columns: &mut Vec<Column>) -> Option<String> {
    let corners = mesh.faces.corner_count();
    let mut missing = [0_usize; 2];
    for (index, set) in mesh.uv_sets.iter().enumerate() {
        let uvs = (0..corners).flat_map(|corner| {
            set.at(corner, UvOrigin::TopLeft).unwrap_or_else(|| {
                missing[0] += 1;
                [0.0; 2]
            })
        });
        columns.push(Column::new(format!("texcoord:{index}"), 2, uvs.collect()));
    }
    if let Some(normals) = &mesh.normals {
        let back = AXES.inverse();
        columns.push(Column::new(
            "normal:0",
            3,
            normals.iter().flat_map(|normal| back.apply(normal.unwrap_or_default())).collect(),
        ));
    }
    if let Some(set) = mesh.color_sets.first() {
        let colors = (0..corners).flat_map(|corner| {
            set.corners.get(corner).unwrap_or_else(|| {
                missing[1] += 1;
                [1.0; 4]
            })
        });
        columns.push(Column::new(TINT, 4, colors.map(f64::from).collect()));
    }
    let texts: Vec<String> = missing
        .into_iter()
        .zip(["texture coordinates 0 0", "colour white"])
        .filter(|(count, _)| *count > 0)
        .map(|(count, what)| format!("{what} for {}", with_count(count, "face corner")))
        .collect();
    (!texts.is_empty()).then(|| texts.join(", "))
}

fn to_world(projection: &TextureProjection, world: &Transform) -> WorldProjection {
    let TextureProjection { u, v, offset, scale, rotation, local } = *projection;
    let (sin, cos) = if rotation == 0.0 { (0.0, 1.0) } else { math::sin_cos(rotation) };
    let mix = |a: [f64; 4], b: [f64; 4], s: f64, t: f64| {
        let [a0, a1, a2, a3] = a;
        let [b0, b1, b2, b3] = b;
        if t == 0.0 { a.map(|c| c * s) } else { [a0 * s + b0 * t, a1 * s + b1 * t, a2 * s + b2 * t, a3 * s + b3 * t] }
    };
    let (u, v) = (mix(u, v, cos, -sin), mix(v, u, cos, sin));
    let moved = |axis: [f64; 4]| if local { plane_in_world(axis, world) } else { axis };
    let [scale_u, scale_v] = scale;
    let [offset_u, offset_v] = offset;
    let back = AXES.inverse();
    let side = |axis: [f64; 4], scale: f64, offset: f64| {
        let [x, y, z, constant] = moved(axis);
        let [x, y, z] = back.apply([x, y, z]);
        [x, y, z, constant / scale + offset]
    };
    (side(u, scale_u, offset_u), side(v, scale_v, offset_v), scale)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Source: "Streams", those of type int.
    #[test]
    fn integer_streams_match_the_published_list() {
        assert_eq!(INT_STREAMS, ["blendindices:", "flags:", "lightmapScaleBias:", "materialindex:"]);
    }
}

//! Polygon meshes as the streams of half-edge meshes.

use mapwright_scene as scene;
use mapwright_scene::{Domain, TextureProjection, Transform, UvOrigin};

use super::AXES;
use super::meshes::{TANGENT, TINT, stream_name, turn};
use super::values::narrow;
use crate::mesh::{Stream, StreamData};

/// Numbers of vertices, corners or faces, in the axes of files. Equal if all bits are.
#[derive(Debug, Clone)]
pub(super) struct Column {
    /// The name of the stream.
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

/// Streams of whole numbers.
const INTS: [&str; 4] = ["blendindices:", "flags:", "lightmapScaleBias:", "materialindex:"];

impl Column {
    fn new(name: impl Into<String>, width: usize, values: Vec<f64>) -> Self {
        Self { name: name.into(), width, values }
    }

    /// The stream; `None` for columns that are no stream: of more than four numbers, or with an empty name.
    pub(super) fn stream(&self) -> Option<Stream> {
        let (semantic, index) = self.name.rsplit_once(':')?;
        let index = index.parse().ok().filter(|_| !semantic.is_empty() && !semantic.contains('\0'))?;
        Some(Stream::new(semantic, index, self.zeros(0)?.filled(self)))
    }

    /// The data of a stream of this kind.
    pub(super) fn zeros(&self, length: usize) -> Option<Zeros> {
        Some(Zeros(match self.width {
            1 if INTS.iter().any(|name| self.name.starts_with(name)) => StreamData::Int(vec![0; length]),
            1 => StreamData::Float(vec![0.0; length]),
            2 => StreamData::Vector2(vec![[0.0; 2]; length]),
            3 => StreamData::Vector3(vec![[0.0; 3]; length]),
            4 => StreamData::Vector4(vec![[0.0; 4]; length]),
            _ => return None,
        }))
    }
}

/// Data without meaning yet.
pub(super) struct Zeros(pub(super) StreamData);

impl Zeros {
    fn filled(self, column: &Column) -> StreamData {
        let rows = column.values.len().checked_div(column.width).unwrap_or(0);
        let mut data = match self.0 {
            StreamData::Int(_) => StreamData::Int(vec![0; rows]),
            StreamData::Float(_) => StreamData::Float(vec![0.0; rows]),
            StreamData::Vector2(_) => StreamData::Vector2(vec![[0.0; 2]; rows]),
            StreamData::Vector3(_) => StreamData::Vector3(vec![[0.0; 3]; rows]),
            StreamData::Vector4(_) => StreamData::Vector4(vec![[0.0; 4]; rows]),
        };
        let places: Vec<usize> = (0..rows).collect();
        set_rows(&mut data, &places, column, None);
        data
    }
}

/// Puts the rows of a column in their places, but for numbers that are what they were. Says whether the data can have them.
pub(super) fn set_rows(data: &mut StreamData, places: &[usize], new: &Column, old: Option<&Column>) -> bool {
    fn put<T>(
        items: &mut [T],
        places: &[usize],
        (new, old): (&Column, Option<&Column>),
        to: impl Fn(f64) -> T,
    ) -> bool {
        let width = new.width.max(1);
        let changed = new.values.iter().enumerate().filter(|(index, number)| {
            old.and_then(|old| old.values.get(*index)).is_none_or(|old| old.to_bits() != number.to_bits())
        });
        for (index, number) in changed {
            let start = places.get(index / width).map_or(usize::MAX, |place| place.saturating_mul(width));
            let Some(item) = items.get_mut(start.saturating_add(index % width)) else { return false };
            *item = to(*number);
        }
        true
    }
    let columns = (new, old.filter(|old| old.width == new.width && old.values.len() == new.values.len()));
    match (data, new.width) {
        #[allow(clippy::cast_possible_truncation)]
        (StreamData::Int(items), 1) => put(items, places, columns, |number| number.round() as i32),
        (StreamData::Float(items), 1) => put(items, places, columns, narrow),
        (StreamData::Vector2(items), 2) => put(items.as_flattened_mut(), places, columns, narrow),
        (StreamData::Vector3(items), 3) => put(items.as_flattened_mut(), places, columns, narrow),
        (StreamData::Vector4(items), 4) => put(items.as_flattened_mut(), places, columns, narrow),
        _ => false,
    }
}

/// The axes with their shifts, and the scale, of a projection in the world of files.
type Sides = ([f64; 4], [f64; 4], [f64; 2]);

/// Whether the first three numbers of rows are a direction.
pub(super) fn is_tangent(attribute: &scene::Attribute) -> bool {
    attribute.domain == Domain::Corner && attribute.width == 4 && stream_name(&attribute.name) == TANGENT
}

/// All columns of a domain; of corners also what they have no number for: texture coordinates and colours that were made up.
pub(super) fn columns(mesh: &scene::Mesh, domain: Domain, world: &Transform) -> (Vec<Column>, Option<String>) {
    let back = AXES.inverse();
    let mut columns = Vec::new();
    let mut made_up = None;
    match domain {
        Domain::Vertex => {
            let values = mesh.positions.iter().flat_map(|&p| back.apply(p)).collect();
            columns.push(Column::new("position:0", 3, values));
        }
        Domain::Corner => made_up = corner_columns(mesh, &mut columns),
        Domain::Face => {
            if !mesh.face_projections.is_empty() {
                let sides = mesh.face_projections.iter().map(|projection| in_world(projection, world));
                let sides: Vec<Sides> = sides.collect();
                let flat = |side: fn(&Sides) -> [f64; 4]| sides.iter().flat_map(side).collect::<Vec<f64>>();
                columns.push(Column::new("textureScale:0", 2, sides.iter().flat_map(|side| side.2).collect()));
                columns.push(Column::new("textureAxisU:0", 4, flat(|side| side.0)));
                columns.push(Column::new("textureAxisV:0", 4, flat(|side| side.1)));
            }
        }
    }
    for attribute in mesh.attributes.iter().filter(|attribute| attribute.domain == domain) {
        let mut column = Column::new(stream_name(&attribute.name), attribute.width, attribute.values.clone());
        if is_tangent(attribute) {
            turn(&mut column.values, |direction| back.apply(direction));
        }
        if !columns.iter().any(|known| known.name == column.name) {
            columns.push(column);
        }
    }
    (columns, made_up)
}

fn corner_columns(mesh: &scene::Mesh, columns: &mut Vec<Column>) -> Option<String> {
    let corners = mesh.faces.corner_count();
    let mut without = [0_usize; 2];
    for (index, set) in mesh.uv_sets.iter().enumerate() {
        let uvs = (0..corners).flat_map(|corner| {
            set.at(corner, UvOrigin::TopLeft).unwrap_or_else(|| {
                without[0] += 1;
                [0.0; 2]
            })
        });
        columns.push(Column::new(format!("texcoord:{index}"), 2, uvs.collect()));
    }
    if let Some(normals) = &mesh.normals {
        let back = AXES.inverse();
        columns.push(Column::new("normal:0", 3, normals.iter().flat_map(|&normal| back.apply(normal)).collect()));
    }
    if let Some(set) = mesh.color_sets.first() {
        let colors = (0..corners).flat_map(|corner| {
            set.corners.get(corner).copied().flatten().unwrap_or_else(|| {
                without[1] += 1;
                [1.0; 4]
            })
        });
        columns.push(Column::new(TINT, 4, colors.map(f64::from).collect()));
    }
    let what = ["texture coordinates 0 0", "white"];
    let texts: Vec<String> = without
        .iter()
        .zip(what)
        .filter(|(count, _)| **count > 0)
        .map(|(count, what)| format!("{what} for {count} corners without"))
        .collect();
    (!texts.is_empty()).then(|| texts.join(", "))
}

fn in_world(projection: &TextureProjection, world: &Transform) -> Sides {
    let TextureProjection { u, v, offset, scale, rotation, local } = *projection;
    let (sin, cos) = if rotation == 0.0 { (0.0, 1.0) } else { rotation.sin_cos() };
    let mix = |a: [f64; 4], b: [f64; 4], s: f64, t: f64| {
        let [a0, a1, a2, a3] = a;
        let [b0, b1, b2, b3] = b;
        if t == 0.0 { a.map(|c| c * s) } else { [a0 * s + b0 * t, a1 * s + b1 * t, a2 * s + b2 * t, a3 * s + b3 * t] }
    };
    let (u, v) = (mix(u, v, cos, -sin), mix(v, u, cos, sin));
    let moved = |axis: [f64; 4]| if local { super::angles::plane_in_world(axis, world) } else { axis };
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
    fn whole_numbers_are_in_the_published_streams() {
        assert_eq!(INTS, ["blendindices:", "flags:", "lightmapScaleBias:", "materialindex:"]);
    }
}

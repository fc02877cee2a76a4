//! Objects of terrains as GeoJSON, and objects from JSON and GeoJSON.

use std::io::{self, Write};

use mapwright_wrp::io::unescape_bytes;
use mapwright_wrp::lists::{Angles, Row, RowTransform, format_bits, parse_bits};
use mapwright_wrp::{Builder, Ground, Matrix, Name, Objects};
use serde::{Deserialize, Deserializer};
use serde_json::{Value, json};

use crate::Error;

/// Writes objects of a terrain as points for GIS software: metres east, north and up. `origin` is the position of the south-west corner
/// on the map, which files do not store. Objects that fit to the ground are placed on it, and have `on_ground`.
///
/// # Errors
/// Errors of the writer.
pub fn write_objects_geojson(
    out: &mut dyn Write,
    rows: impl IntoIterator<Item = Row>,
    ground: &Ground<'_>,
    origin: [f64; 2],
) -> io::Result<()> {
    out.write_all(b"{\"type\":\"FeatureCollection\",\"features\":[")?;
    for (place, row) in rows.into_iter().enumerate() {
        out.write_all(if place > 0 { b",\n" } else { b"\n" })?;
        let [x, mut y, z] = row.matrix.position.map(f64::from);
        let mut properties = properties(&row);
        if let (true, Some(fields)) = (row.matrix.fits_to_ground(), properties.as_object_mut()) {
            y = ground.height_at(x, z).unwrap_or(0.0);
            fields.insert("on_ground".to_owned(), true.into());
        }
        let finite = [x, y, z].iter().all(|number| number.is_finite());
        let point = json!({"type": "Point", "coordinates": [x + origin[0], z + origin[1], y]});
        let geometry = if finite { point } else { Value::Null };
        let feature = json!({"type": "Feature", "geometry": geometry, "properties": properties});
        serde_json::to_writer(&mut *out, &feature)?;
    }
    out.write_all(b"\n]}\n")
}

/// Returns everything except the position.
fn properties(row: &Row) -> Value {
    let Angles { yaw, pitch, roll, scale } = row.angles;
    json!({
        "index": row.index,
        "id": row.id,
        "model": row.model,
        "yaw": yaw,
        "pitch": pitch,
        "roll": roll,
        "scale": scale,
        "matrix": format_bits(&row.matrix),
    })
}

/// An object of a list, or the properties of a point.
#[derive(Deserialize)]
struct Entry {
    model: String,
    id: Option<i32>,
    #[serde(default, deserialize_with = "number")]
    x: Option<f64>,
    #[serde(default, deserialize_with = "number")]
    y: Option<f64>,
    #[serde(default, deserialize_with = "number")]
    z: Option<f64>,
    #[serde(default, deserialize_with = "number")]
    yaw: Option<f64>,
    #[serde(default, deserialize_with = "number")]
    pitch: Option<f64>,
    #[serde(default, deserialize_with = "number")]
    roll: Option<f64>,
    #[serde(default, deserialize_with = "number")]
    scale: Option<f64>,
    matrix: Option<String>,
    #[serde(default)]
    on_ground: bool,
}

/// Reads a number. Numbers that JSON cannot represent are stored as text.
fn number<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<f64>, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged, expecting = "expected a number")]
    enum Number {
        Number(f64),
        Text(String),
    }
    Ok(match Option::deserialize(deserializer)? {
        Some(Number::Number(number)) => Some(number),
        Some(Number::Text(text)) => Some(text.parse().map_err(serde::de::Error::custom)?),
        None => None,
    })
}

#[derive(Deserialize)]
struct Collection {
    features: Option<Vec<Point>>,
    /// The objects of a query.
    items: Option<Vec<Entry>>,
}

#[derive(Deserialize)]
struct Point {
    geometry: Option<Geometry>,
    properties: Entry,
}

#[derive(Deserialize)]
struct Geometry {
    coordinates: Vec<f64>,
}

/// Reads objects with the same bits from the output of [`write_objects_geojson`], from the JSON of a query (`{"items": […]}`), or from an
/// array. Required are `model` and either `matrix` or a position. If both differ, the numbers count, because somebody has changed them.
/// A point with `on_ground` is placed on the ground, and its height is ignored. `origin` is the position of the south-west corner on the
/// map, which is subtracted.
///
/// # Errors
/// [`Error::Dump`], with the position of invalid JSON, or with the index of an invalid object.
pub fn read_objects_json(json: &[u8], origin: [f64; 2]) -> Result<Objects, Error> {
    let refused = |error: serde_json::Error| Error::Dump {
        message: error.to_string().split(" at line ").next().unwrap_or_default().to_owned(),
        line: error.line() as u64,
        column: error.column() as u64,
    };
    let json = json.strip_prefix(b"\xef\xbb\xbf").unwrap_or(json);
    let mut builder = Builder::default();
    let entries: Vec<Entry> = if json.trim_ascii_start().starts_with(b"{") {
        let Collection { features, items } = serde_json::from_slice(json).map_err(refused)?;
        if features.is_none() && items.is_none() {
            let message = "not a list of objects: expected `features` (GeoJSON) or `items` (`query --json`)".to_owned();
            return Err(Error::Dump { message, line: 0, column: 0 });
        }
        for (place, Point { geometry, properties }) in features.into_iter().flatten().enumerate() {
            let coordinates = geometry.map(|geometry| geometry.coordinates).unwrap_or_default();
            let along = |axis: usize| coordinates.get(axis).copied();
            let up = if properties.on_ground { Some(Matrix::FIT_TO_GROUND.into()) } else { along(2) };
            let [x, z] = [along(0).map(|x| x - origin[0]), along(1).map(|z| z - origin[1])];
            add(&mut builder, place, &properties, [x, up, z])?;
        }
        items.unwrap_or_default()
    } else {
        serde_json::from_slice(json).map_err(refused)?
    };
    for (place, entry) in entries.iter().enumerate() {
        let [x, z] = [entry.x.map(|x| x - origin[0]), entry.z.map(|z| z - origin[1])];
        add(&mut builder, place, entry, [x, entry.y, z])?;
    }
    Ok(builder.finish())
}

fn add(builder: &mut Builder, index: usize, entry: &Entry, place: [Option<f64>; 3]) -> Result<(), Error> {
    let wrong = |what: &str| Error::Dump { message: format!("objects[{index}]: {what}"), line: 0, column: 0 };
    let exact = entry
        .matrix
        .as_deref()
        .map(|words| parse_bits(words).ok_or_else(|| wrong("invalid matrix: expected twelve hexadecimal words")));
    let turn = [entry.yaw, entry.pitch, entry.roll, entry.scale];
    let matrix = RowTransform { bits: exact.transpose()?, position: place, angles: turn }.to_matrix().map_err(wrong)?;
    if entry.model.is_empty() {
        return Err(wrong("missing model"));
    }
    let model = builder.add_model(&Name::new(unescape_bytes(&entry.model)));
    builder.push(model, matrix, entry.id);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use mapwright_wrp::{Document, Wvr};

    fn terrain() -> Document {
        let mut builder = Builder::default();
        for (name, id) in [(&b"a.p3d"[..], 7), (b"\xb3.p3d", -1), (b"a.p3d", 7)] {
            let model = builder.add_model(&Name::new(name));
            let mut matrix = Angles { yaw: 30.0, pitch: 10.0, roll: -5.0, scale: 1.5 }.to_matrix([1.1, -0.0, 3.3]);
            if id < 0 {
                matrix.up = [f32::from_bits(0x7fa0_0001), f32::NEG_INFINITY, 1.0];
                matrix.position[1] = Matrix::FIT_TO_GROUND;
            }
            builder.push(model, matrix, Some(id));
        }
        let mut objects = builder.finish();
        if let mapwright_wrp::Placements::Matrices(matrices) = &mut objects.placements {
            matrices[2].position[0] = f32::NAN;
        }
        Document::Wvr(Wvr { objects, ..Wvr::new([4, 4]) })
    }

    fn geojson(terrain: &Document) -> String {
        let mut text = Vec::new();
        write_objects_geojson(&mut text, terrain.rows(), &terrain.ground(), [0.0; 2]).unwrap();
        String::from_utf8(text).unwrap()
    }

    #[test]
    fn points_preserve_all_bits() {
        let terrain = terrain();
        let text = geojson(&terrain);
        assert!(read_objects_json(text.as_bytes(), [0.0; 2]).unwrap() == *terrain.objects(), "{text}");
    }

    #[test]
    fn changed_numbers_override_the_matrix_and_errors_have_positions() {
        let list = r#"[{"model":"a.p3d","x":1,"y":2,"z":3},{"model":"b","x":4,"y":"5","z":6,"note":[]}]"#;
        for moved in [list.to_owned(), format!("{{\"schema\":\"mapwright.query/1\",\"items\":{list}}}")] {
            let objects = read_objects_json(moved.as_bytes(), [0.0; 2]).unwrap();
            assert_eq!((objects.len(), objects.ids.len()), (2, 0));
        }
        let text = geojson(&terrain()).replacen("[1.100000023841858,", "[250.5,", 1);
        let objects = read_objects_json(text.as_bytes(), [0.0; 2]).unwrap();
        let mapwright_wrp::Placements::Matrices(matrices) = &objects.placements else { panic!("matrices") };
        assert_eq!(matrices[0].position[0], 250.5);
        for (json, expected) in [
            ("[{\"model\":\"a\",\n\"x\":1e39,\"y\":0,\"z\":0}]", "objects[0]: expected finite numbers"),
            ("[{\"model\":\"a\",\"x\":1}]", "objects[0]: expected x, y and z, because there is no matrix"),
            ("[{\"model\":\"a\",\"matrix\":\"0\"}]", "objects[0]: invalid matrix: expected twelve hexadecimal words"),
            ("[\n{\"modle\":\"a\"}]", "missing field `model`"),
            ("", "EOF while parsing a value"),
        ] {
            let error = read_objects_json(json.as_bytes(), [0.0; 2]).unwrap_err();
            assert_eq!(error.to_string(), expected);
            assert_eq!(error.place().is_some(), !expected.starts_with("objects"), "{json}");
        }
    }
}

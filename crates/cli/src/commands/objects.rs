//! `mapwright objects`

use std::io::{self, Write};
use std::path::Path;

use mapwright::wrp::Document;
use mapwright::wrp::lists::{Angles, Centres, Elevation, Row, write_csv, write_lbt, write_terrain_builder};
use mapwright::{AnyDocument, Error, Format};
use serde_json::json;

use super::{output, with_document_of};
use crate::args::{Global, ObjectList, Objects};
use crate::batch::{self, Outcome};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::inputs::expand;
use crate::out::say;

pub(crate) fn run(args: &Objects, global: &Global) -> io::Result<Exit> {
    let items = expand(&args.inputs.files);
    let to_stdout = args.output.output.is_none() && args.output.dir.is_none() && items.len() == 1;
    let places = match to_stdout {
        true => Ok(vec![None]),
        false => output::places(&args.output, &items, |_| Some(extension(args.list))),
    };
    let ready = places.and_then(|places| {
        let read = items.iter().map(|item| item.path.clone()).chain(args.centres.clone());
        output::keep(&read.collect::<Vec<_>>(), &places)?;
        Ok((places, centres(args.centres.as_deref())?))
    });
    let (places, centres) = match ready {
        Ok(ready) => ready,
        Err(failure) => {
            say(failure.text());
            return Ok(failure.exit);
        }
    };
    batch::run(&items, global, "odd", |index, item| {
        let takes = |format: Format| format == Format::Wrp;
        with_document_of(item, args.inputs.from, global, takes, |input, document| {
            let AnyDocument::Wrp(terrain) = document else {
                let error = Error::Unsupported { format: input.format, what: "listed by objects; only terrains are" };
                return Outcome::failed(&Failure::new(&item.name(), &error));
            };
            let mut bytes = Vec::new();
            // Writing to memory does not fail.
            let _ = write(&terrain, args, &centres, &mut bytes);
            match output::put(item, places.get(index).and_then(Option::as_deref), bytes, &args.output) {
                Ok(data) => Outcome { data, ..Outcome::done(String::new()) },
                Err(failure) => Outcome::failed(&failure),
            }
        })
    })
}

const fn extension(list: ObjectList) -> &'static str {
    match list {
        ObjectList::Csv => "csv",
        ObjectList::Json => "json",
        ObjectList::Geojson => "geojson",
        ObjectList::TerrainBuilder => "txt",
        ObjectList::Lbt => "lbt",
    }
}

/// Bounding centres of models, from a table or one of Terrain Builder's libraries.
pub(super) fn centres(path: Option<&Path>) -> Result<Centres, Box<Failure>> {
    let Some(path) = path else { return Ok(Centres::default()) };
    let name = path.display().to_string();
    let text = std::fs::read(path).map_err(|error| Failure::new(&name, &Error::Io(error)))?;
    let is_library = path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("tml"));
    let read = if is_library { Centres::from_tml(&text) } else { Centres::from_csv(&text) };
    read.map_err(|error| Failure::other(&name, "malformed", Exit::Malformed, error.to_string()))
}

fn write(terrain: &Document, args: &Objects, centres: &Centres, out: &mut Vec<u8>) -> io::Result<()> {
    let ground = terrain.ground();
    match args.list {
        ObjectList::Csv => write_csv(terrain, out),
        ObjectList::Lbt => write_lbt(terrain, out),
        ObjectList::TerrainBuilder => {
            let elevation = if args.relative { Elevation::Relative } else { Elevation::Absolute };
            write_terrain_builder(terrain, elevation, centres, out)
        }
        ObjectList::Json => {
            out.write_all(b"[")?;
            for row in terrain.rows() {
                out.write_all(if row.index > 0 { b",\n" } else { b"\n" })?;
                let [x, y, z] = row.matrix.position;
                let mut value = properties(&row);
                if let Some(fields) = value.as_object_mut() {
                    fields
                        .extend([("x", x), ("y", y), ("z", z)].map(|(name, number)| (name.to_owned(), json!(number))));
                }
                serde_json::to_writer(&mut *out, &value)?;
            }
            out.write_all(b"\n]\n")
        }
        ObjectList::Geojson => {
            out.write_all(b"{\"type\":\"FeatureCollection\",\"features\":[")?;
            for row in terrain.rows() {
                out.write_all(if row.index > 0 { b",\n" } else { b"\n" })?;
                // East and north in metres from the south-west corner: the file has no place on Earth.
                let [x, mut y, z] = row.matrix.position.map(f64::from);
                let mut properties = properties(&row);
                if row.matrix.fits_to_ground() {
                    y = ground.at(x, z).unwrap_or(0.0);
                    properties["on_ground"] = true.into();
                }
                let finite = [x, y, z].iter().all(|number| number.is_finite());
                let point = json!({"type": "Point", "coordinates": [x, z, y]});
                let geometry = if finite { point } else { serde_json::Value::Null };
                let feature = json!({"type": "Feature", "geometry": geometry, "properties": properties});
                serde_json::to_writer(&mut *out, &feature)?;
            }
            out.write_all(b"\n]}\n")
        }
    }
}

/// What is not its place; the matrix also as bits, as JSON has no words for all numbers.
fn properties(row: &Row) -> serde_json::Value {
    let Angles { yaw, pitch, roll, scale } = row.angles;
    let words = row.matrix.numbers().map(|number| format!("{:08x}", number.to_bits()));
    json!({
        "index": row.index,
        "id": row.id,
        "model": row.model,
        "yaw": yaw,
        "pitch": pitch,
        "roll": roll,
        "scale": scale,
        "matrix": words.join(" "),
    })
}

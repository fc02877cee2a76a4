//! `mapwright objects`

use std::io;
use std::path::Path;

use mapwright::wrp::lists::{Centres, Elevation, write_csv, write_lbt, write_safe_csv, write_terrain_builder};
use mapwright::wrp::{Document, Losses};
use mapwright::{Error, Format, write_objects_geojson, write_objects_json};

use super::{output, warning_line, with_document_of};
use crate::args::{Global, ObjectList, Objects};
use crate::batch::{self, Outcome};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::inputs::expand;
use crate::out::print_message;

pub(crate) fn run(args: &Objects, global: &Global) -> io::Result<Exit> {
    let items = expand(&args.inputs.files);
    let usual = if global.json { ObjectList::Json } else { ObjectList::Csv };
    let list = args.list.unwrap_or(usual);
    if args.csv_safe && !matches!(list, ObjectList::Csv) {
        let failure = output::wrong("--csv-safe is for CSV").with_help("leave it out, or choose --as csv");
        print_message(failure.text());
        return Ok(failure.exit);
    }
    let to_stdout = args.output.output.is_none() && args.output.dir.is_none() && items.len() == 1;
    let places = match to_stdout {
        true => Ok(vec![None]),
        false => output::places(
            &args.output,
            &items,
            |_| Some(extension(list)),
            |item| item.has_format(|format| format == Format::Wrp),
        ),
    };
    let ready = places.and_then(|places| {
        let read = items.iter().map(|item| item.path.clone()).chain(args.centres.clone());
        output::keep(&read.collect::<Vec<_>>(), &places)?;
        Ok((places, centres(args.centres.as_deref())?))
    });
    let (places, centres) = match ready {
        Ok(ready) => ready,
        Err(failure) => {
            print_message(failure.text());
            return Ok(failure.exit);
        }
    };
    batch::run(&items, global, "odd", |index, item| {
        let takes = |format: Format| format == Format::Wrp;
        with_document_of(item, args.inputs.from, global, takes, |input, document| {
            let Ok(terrain) = document.into_wrp() else {
                let error = Error::Unsupported { format: input.format, what: "listed by objects; only terrains are" };
                return Outcome::failed(&Failure::new(&item.name(), &error));
            };
            let mut bytes = Vec::new();
            // Writing to memory does not fail.
            let losses = write(&terrain, list, args, &centres, &mut bytes).unwrap_or_default();
            let talk = losses.iter().filter(|_| !global.quiet).map(|loss| warning_line(item, loss)).collect();
            match output::put(item, places.get(index).and_then(Option::as_deref), bytes, &args.output) {
                Ok(data) => Outcome { data, talk, ..Outcome::done(String::new()) },
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

/// Writes the list, and gives what it cannot say.
fn write(
    terrain: &Document,
    list: ObjectList,
    args: &Objects,
    centres: &Centres,
    out: &mut Vec<u8>,
) -> io::Result<Losses> {
    match list {
        ObjectList::Csv if args.csv_safe => write_safe_csv(terrain, out)?,
        ObjectList::Csv => write_csv(terrain, out)?,
        ObjectList::Lbt => write_lbt(terrain, out)?,
        ObjectList::TerrainBuilder => {
            let elevation = if args.relative { Elevation::Relative } else { Elevation::Absolute };
            return write_terrain_builder(terrain, elevation, centres, out);
        }
        ObjectList::Json => write_objects_json(out, terrain)?,
        ObjectList::Geojson => write_objects_geojson(out, terrain)?,
    }
    Ok(Losses::new())
}

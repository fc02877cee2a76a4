//! `mapwright build`

use std::fs::File;
use std::io::{self, Read};

use mapwright::{AnyDocument, Error, Format};
use serde::Serialize;

use super::{empty_failure, json_line, output, read_options};
use crate::args::{Build, Global};
use crate::batch::{self, Outcome, Sort};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::inputs::{Item, expand};

#[derive(Serialize)]
struct Report {
    schema: &'static str,
    file: String,
    format: Format,
    output: Option<String>,
    bytes: usize,
}

pub(crate) fn run(args: &Build, global: &Global) -> io::Result<Exit> {
    let mut items = expand(&args.files);
    let is_dump = |item: &Item| item.path.extension().is_some_and(|it| it == "json");
    items.retain(|item| item.folder.is_none() || is_dump(item) || item.path.is_dir());
    let places = output::places(&args.output, &items, |item| Some(extension(item)), |_| true).and_then(|places| {
        let read: Vec<_> = items.iter().map(|item| item.path.clone()).collect();
        output::keep(&read, &places)?;
        Ok(places)
    });
    let places = match places {
        Ok(places) => places,
        Err(failure) => return failure.print(global),
    };
    if global.json && places.contains(&None) {
        let failure = output::wrong("--json and the file cannot both go to standard output");
        return failure.print(global);
    }
    batch::run(&items, global, None, |index, item| {
        let place = places.get(index).cloned().flatten();
        if let Some(outcome) = output::skipped(&args.output, place.as_deref()) {
            return outcome;
        }
        build_file(item, args, global, place.as_deref()).unwrap_or_else(|failure| Outcome::failed(&failure))
    })
}

const FORMAT: &[u8] = b"\"format\":";

/// Returns the extension of the file that a dump describes, from the start of the dump.
fn extension(item: &Item) -> &'static str {
    let mut start = Vec::new();
    if let Ok(file) = File::open(&item.path) {
        // If the file cannot be read, reading all of it reports the error.
        let _ = file.take(1 << 12).read_to_end(&mut start);
    }
    // The first one is in the schema of the dump; later ones are content of the file.
    let schema =
        start.windows(FORMAT.len()).position(|part| part == FORMAT).and_then(|at| start.get(at + FORMAT.len()..));
    let name = schema.and_then(|schema| {
        std::str::from_utf8(schema.trim_ascii_start().strip_prefix(b"\"")?.split(|byte| *byte == b'"').next()?).ok()
    });
    let format = name.and_then(Format::from_name).filter(|format| format.access().lossless);
    format.map_or("wwd", Format::name)
}

fn build_file(
    item: &Item,
    args: &Build,
    global: &Global,
    place: Option<&std::path::Path>,
) -> Result<Outcome, Box<Failure>> {
    let options = read_options(global);
    let json = item.text(&options).map_err(|error| Failure::new(&item.name(), &error))?;
    if json.trim_ascii().is_empty() {
        return Err(empty_failure(item));
    }
    let failed = |error: Error| {
        let failure = Failure::new(&item.name(), &error).with_text(&json);
        let is_odd = matches!(error, Error::Dump { .. });
        if is_odd { failure.with_help("pass one file from `mapwright dump --json FILE`") } else { failure }
    };
    let document = AnyDocument::from_dump(&json, &options).map_err(failed)?;
    let bytes = document.to_bytes().map_err(failed)?;
    // Any term can be encoded, but not any term is a model.
    if let Some(error) = document.as_wings().and_then(|document| document.model().err()) {
        let message = format!("the dump does not describe a Wings 3D file: {error}");
        return Err(Failure::other(&item.name(), "malformed", Exit::Malformed, message));
    }
    let report = Report {
        schema: "mapwright.build/1",
        file: item.name(),
        format: document.format(),
        output: place.map(|path| path.display().to_string()),
        bytes: bytes.len(),
    };
    let data = output::save_document(item, place, document.format(), bytes, &args.output)?;
    Ok(Outcome { data, line: json_line(&report), ..Outcome::silent(Sort::Done) })
}

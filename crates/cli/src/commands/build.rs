//! `mapwright build`

use std::fs::File;
use std::io::{self, Read};

use mapwright::{AnyDocument, Error, Format};
use serde::Serialize;

use super::{json_line, output, read_options};
use crate::args::{Build, Global};
use crate::batch::{self, Outcome, Sort};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::inputs::{Item, expand};
use crate::out::say;

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
    items.retain(|item| item.folder.is_none() || item.path.extension().is_some_and(|it| it == "json"));
    let places = output::places(&args.output, &items, |item| Some(extension(item))).and_then(|places| {
        let read: Vec<_> = items.iter().map(|item| item.path.clone()).collect();
        output::keep(&read, &places)?;
        Ok(places)
    });
    let places = match places {
        Ok(places) => places,
        Err(failure) => {
            say(failure.text());
            return Ok(failure.exit);
        }
    };
    if global.json && places.contains(&None) {
        let failure = output::wrong("--json and the file cannot both go to standard output");
        say(failure.text());
        return Ok(failure.exit);
    }
    batch::run(&items, global, "odd", |index, item| {
        let place = places.get(index).cloned().flatten();
        one(item, args, global, place.as_deref()).unwrap_or_else(|failure| Outcome::failed(&failure))
    })
}

/// The extension of what a dump is made into, as its beginning says it.
fn extension(item: &Item) -> &'static str {
    let mut start = Vec::new();
    if let Ok(file) = File::open(&item.path) {
        // Where it cannot be read, reading all of it will say so.
        let _ = file.take(1 << 12).read_to_end(&mut start);
    }
    let says = |name: &&str| {
        let said = format!("\"format\":\"{name}\"");
        start.windows(said.len()).any(|part| part == said.as_bytes())
    };
    ["wrp", "wmp", "wings", "vmap", "dmx", "etf"].into_iter().find(says).unwrap_or("wwd")
}

fn one(item: &Item, args: &Build, global: &Global, place: Option<&std::path::Path>) -> Result<Outcome, Box<Failure>> {
    let options = read_options(global);
    let json = item.bytes(&options).map_err(|error| Failure::new(&item.name(), &error))?;
    let failed = |error: Error| Failure::new(&item.name(), &error).with_text(&json);
    let document = AnyDocument::from_dump(&json, &options).map_err(failed)?;
    let bytes = document.to_bytes().map_err(failed)?;
    let report = Report {
        schema: "mapwright.build/1",
        file: item.name(),
        format: document.format(),
        output: place.map(|path| path.display().to_string()),
        bytes: bytes.len(),
    };
    let data = output::put(item, place, bytes, &args.output)?;
    Ok(Outcome { data, line: json_line(&report), ..Outcome::silent(Sort::Done) })
}

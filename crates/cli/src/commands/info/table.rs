//! `mapwright info --table`: one row for each file.

use std::io::{self, Read, Write};

use mapwright::{Error, Format, Listing, ReadOptions, detect};
use serde::Serialize;

use crate::args::{Global, Info};
use crate::batch::{self, Outcome, Sort};
use crate::commands::{json_line, read_options};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::inputs::{Item, expand, stdin};
use crate::out::Out;
use crate::table::{csv, table};

#[derive(Serialize)]
struct Report<'a> {
    schema: &'static str,
    file: String,
    #[serde(flatten)]
    listing: &'a Listing,
}

/// The columns of tables.
const COLUMNS: [&str; 9] = ["file", "format", "bytes", "name", "author", "date", "size", "planes", "objects"];

pub(super) fn run(args: &Info, global: &Global) -> io::Result<Exit> {
    let options = read_options(global);
    let mut rows = vec![COLUMNS.map(str::to_owned).to_vec()];
    let items = expand(&args.inputs.files);
    let work = |_, item: &Item| summarize(item, args.inputs.from, &options);
    let exit = batch::run_in_turn(&items, global, "odd", work, |_, item, found, _| {
        let listing = match found {
            Ok(listing) => listing,
            Err(Error::UnknownFormat) if item.folder.is_some() => return Ok(Outcome::silent(Sort::Unknown)),
            Err(error) => return Ok(Outcome::failed(&Failure::new(&item.name(), &error))),
        };
        if global.json {
            let report = Report { schema: "mapwright.table/1", file: item.name(), listing: &listing };
            return Ok(Outcome::done(json_line(&report)));
        }
        rows.push(row(item, &listing));
        Ok(Outcome::silent(Sort::Done))
    })?;
    if !global.json && (args.csv.is_wanted() || rows.len() > 1) {
        let mut out = Out::new();
        let is_number = |column| matches!(COLUMNS.get(column), Some(&("bytes" | "planes" | "objects")));
        out.write_all(
            if args.csv.is_wanted() { csv(&rows, args.csv.is_safe()) } else { table(&rows, is_number) }.as_bytes(),
        )?;
        out.flush()?;
    }
    Ok(exit)
}

fn summarize(item: &Item, from: Option<Format>, options: &ReadOptions) -> Result<Listing, Error> {
    item.look()?;
    if !item.is_stdin() {
        return Listing::open(&item.path, from, options);
    }
    let mut bytes = Vec::new();
    stdin()?.take(options.limits.max_input).read_to_end(&mut bytes)?;
    let format = from.or_else(|| detect(&bytes, None).format).ok_or(Error::UnknownFormat)?;
    Listing::from_start(&bytes, bytes.len() as u64, format, options)
}

fn row(item: &Item, listing: &Listing) -> Vec<String> {
    let text = |text: &Option<String>| text.clone().unwrap_or_default();
    let size = listing.size.map(|[columns, rows]| format!("{columns}x{rows}"));
    vec![
        item.name(),
        listing.format.to_string(),
        listing.bytes.to_string(),
        text(&listing.name),
        text(&listing.author),
        text(&listing.date),
        size.unwrap_or_default(),
        listing.planes.map(|planes| planes.to_string()).unwrap_or_default(),
        listing.objects.map(|objects| objects.to_string()).unwrap_or_default(),
    ]
}

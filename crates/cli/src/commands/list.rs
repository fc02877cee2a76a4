//! `mapwright list`

use std::fmt::Write;
use std::io::{self, Read};

use mapwright::{Error, Format, Listing, ReadOptions, detect};
use serde::Serialize;

use super::{json_line, read_options};
use crate::args::{Global, List};
use crate::batch::{self, Outcome, Sort};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::inputs::{Item, expand};
use crate::out::Out;
use crate::text::clean;

#[derive(Serialize)]
struct Report<'a> {
    schema: &'static str,
    file: String,
    #[serde(flatten)]
    listing: &'a Listing,
}

/// The columns of tables.
const COLUMNS: [&str; 9] = ["file", "format", "bytes", "name", "author", "date", "size", "planes", "objects"];

pub(crate) fn run(args: &List, global: &Global) -> io::Result<Exit> {
    let options = read_options(global);
    let mut rows = vec![COLUMNS.map(str::to_owned)];
    let items = expand(&args.inputs.files);
    let work = |_, item: &Item| look(item, args.inputs.from, &options);
    let exit = batch::run_in_turn(&items, global, "odd", work, |_, item, found, _| {
        let listing = match found {
            Ok(listing) => listing,
            Err(Error::UnknownFormat) if item.folder.is_some() => return Ok(Outcome::silent(Sort::Unknown)),
            Err(error) => return Ok(Outcome::failed(&Failure::new(&item.name(), &error))),
        };
        if global.json {
            let report = Report { schema: "mapwright.list/1", file: item.name(), listing: &listing };
            return Ok(Outcome::done(json_line(&report)));
        }
        rows.push(row(item, &listing));
        Ok(Outcome::silent(Sort::Done))
    })?;
    if !global.json && (args.csv || rows.len() > 1) {
        let mut out = Out::new();
        io::Write::write_all(&mut out, if args.csv { csv(&rows) } else { table(&rows) }.as_bytes())?;
        io::Write::flush(&mut out)?;
    }
    Ok(exit)
}

fn look(item: &Item, from: Option<Format>, options: &ReadOptions) -> Result<Listing, Error> {
    if !item.is_stdin() {
        return Listing::open(&item.path, from, options);
    }
    let mut bytes = Vec::new();
    io::stdin().lock().take(options.limits.max_input).read_to_end(&mut bytes)?;
    let format = from.or_else(|| detect(&bytes, None).format).ok_or(Error::UnknownFormat)?;
    Listing::of(&bytes, bytes.len() as u64, format, options)
}

fn row(item: &Item, listing: &Listing) -> [String; 9] {
    let text = |text: &Option<String>| text.clone().unwrap_or_default();
    let size = listing.size.map(|[columns, rows]| format!("{columns}x{rows}"));
    [
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

/// Columns below each other, numbers at the right.
fn table(rows: &[[String; 9]]) -> String {
    let clean: Vec<Vec<String>> = rows.iter().map(|row| row.iter().map(|cell| clean(cell)).collect()).collect();
    let mut widths = [0; 9];
    for row in &clean {
        for (width, cell) in widths.iter_mut().zip(row) {
            *width = cell.chars().count().max(*width);
        }
    }
    let mut out = String::new();
    for row in &clean {
        let mut line = String::new();
        for ((cell, width), title) in row.iter().zip(widths).zip(COLUMNS) {
            let _ = match title {
                "bytes" | "planes" | "objects" => write!(line, "{cell:>width$}  "),
                _ => write!(line, "{cell:<width$}  "),
            };
        }
        out.push_str(line.trim_end());
        out.push('\n');
    }
    out
}

/// As RFC 4180 has it.
fn csv(rows: &[[String; 9]]) -> String {
    let cell = |cell: &String| match cell.contains(['"', ',', '\r', '\n']) {
        true => format!("\"{}\"", cell.replace('"', "\"\"")),
        false => cell.clone(),
    };
    rows.iter().map(|row| row.iter().map(cell).collect::<Vec<_>>().join(",") + "\r\n").collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_with_commas_are_quoted() {
        let mut row = COLUMNS.map(str::to_owned);
        row[3] = "a, \"b\"".to_owned();
        assert!(csv(&[row]).starts_with("file,format,bytes,\"a, \"\"b\"\"\",author,"));
    }
}

//! `mapwright info --table`: one row for each file.

use std::io::{self, Write};

use mapwright::{Error, Format, Listing, ReadOptions};
use serde::Serialize;

use crate::args::{Global, Info, table_columns};
use crate::batch::{self, Outcome, Sort};
use crate::commands::{empty_failure, json_line, open_failure, read_options};
use crate::exit::Exit;
use crate::inputs::{Item, expand};
use crate::out::Out;
use crate::table::{csv, table};

#[derive(Serialize)]
struct Report<'a> {
    schema: &'static str,
    file: String,
    #[serde(flatten)]
    listing: &'a Listing,
}

pub(super) fn run(args: &Info, global: &Global) -> io::Result<Exit> {
    let options = read_options(global);
    let mut rows = vec![table_columns().map(|(name, _)| name.to_owned()).collect::<Vec<_>>()];
    let items = expand(&args.inputs.files);
    let work = |_, item: &Item| summarize(item, args.inputs.from, &options);
    let exit = batch::run_in_turn(&items, global, None, work, |_, item, found, _| {
        let listing = match found {
            Ok(listing) if listing.bytes == 0 => return Ok(Outcome::failed(&empty_failure(item))),
            Ok(listing) => listing,
            Err(Error::UnknownFormat) if item.folder.is_some() => return Ok(Outcome::silent(Sort::Unknown)),
            Err(error) => return Ok(Outcome::failed(&open_failure(item, &error))),
        };
        if global.json {
            let report = Report { schema: "mapwright.table/2", file: item.name(), listing: &listing };
            return Ok(Outcome::done(json_line(&report)));
        }
        rows.push(std::iter::once(item.name()).chain(listing.cells()).collect());
        Ok(Outcome::silent(Sort::Done))
    })?;
    if !global.json && (args.csv.is_wanted() || rows.len() > 1) {
        let mut out = Out::new();
        let is_number = |column| table_columns().nth(column).is_some_and(|(name, _)| Listing::is_number(name));
        out.write_all(
            if args.csv.is_wanted() { csv(&rows, args.csv.is_safe()) } else { table(&rows, is_number) }.as_bytes(),
        )?;
        out.flush()?;
    }
    Ok(exit)
}

fn summarize(item: &Item, from: Option<Format>, options: &ReadOptions) -> Result<Listing, Error> {
    if item.is_stdin() || item.is_archived() {
        let input = item.open(from, options)?;
        return Listing::from_start(&input.bytes, input.bytes.len() as u64, input.format, options);
    }
    item.check_listable()?;
    Listing::open(&item.path, from, options)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_readme_has_the_table_of_columns() {
        let cells: Vec<String> = table_columns().map(|(name, meaning)| format!("`{name}`: {meaning}")).collect();
        let row = format!("\n| `mapwright.table/2` | {} |\n", cells.join("; "));
        assert!(include_str!("../../../README.md").contains(&row), "{row}");
    }
}

//! `mapwright info`

mod table;

use std::fmt::Write;
use std::io;

use mapwright::info::Info;
use serde::Serialize;

use super::{item_options, json_line, with_document};
use crate::args::{self, Global};
use crate::batch::{self, Outcome};
use crate::exit::Exit;
use crate::inputs::{Archives, Item, expand_as};
use crate::text::{CleanLines, clean, size};

#[derive(Serialize)]
struct Report<'a> {
    schema: &'static str,
    file: String,
    bytes: usize,
    #[serde(flatten)]
    info: &'a Info,
}

pub(crate) fn run(args: &args::Info, global: &Global) -> io::Result<Exit> {
    if args.table || args.csv.is_wanted() {
        return table::run(args, global);
    }
    let inputs = &args.inputs;
    batch::run(&expand_as(&inputs.files, Archives::Files), global, None, |_, item| {
        with_document(item, inputs.from, global, |input, document| {
            let info = document.info(Some(&item_options(item, global).files()));
            let bytes = input.bytes.len();
            Outcome::done(match global.json {
                true => json_line(&Report { schema: "mapwright.info/1", file: item.name(), bytes, info: &info }),
                false => text(item, bytes, &info, global.verbose),
            })
        })
    })
}

fn text(item: &Item, bytes: usize, info: &Info, is_verbose: bool) -> String {
    let mut out = format!("{}: {}, {}\n", clean(&item.name()), info.title, size(bytes as u64));
    // Writing to a string does not fail.
    let mut lines = CleanLines::new(&mut out, "");
    let _ = if is_verbose { write!(lines, "{info:#}") } else { write!(lines, "{info}") };
    out
}

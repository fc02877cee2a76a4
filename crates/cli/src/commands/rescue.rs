//! `mapwright rescue`

use std::fmt::Write;
use std::io;

use mapwright::io::Loss;
use mapwright::{Format, rescue};
use serde::Serialize;

use super::{item_options, json_line, output, with_input};
use crate::args::{Global, Output, Rescue};
use crate::batch::{self, Outcome, Sort};
use crate::exit::Exit;
use crate::inputs::Item;
use crate::text::clean;

#[derive(Serialize)]
struct Report {
    schema: &'static str,
    file: String,
    format: Format,
    output: Option<String>,
    bytes: usize,
    lost: Vec<Loss>,
}

pub(crate) fn run(args: &Rescue, global: &Global) -> io::Result<Exit> {
    let place = args.place.clone().or_else(|| args.output.clone()).filter(|place| place.as_os_str() != "-");
    let items = [Item::new(&args.file)];
    let refused = match &place {
        None if global.json => Err(output::wrong("--json and the file cannot both go to standard output")),
        _ => output::keep(std::slice::from_ref(&args.file), std::slice::from_ref(&place)),
    };
    if let Err(failure) = refused {
        return failure.print(global);
    }
    let writing = Output { output: place.clone(), dir: None, force: args.force, skip_existing: false };
    batch::run(&items, global, None, |_, item| {
        let options = item_options(item, global);
        let read = with_input(
            item,
            args.from,
            &options,
            |_| true,
            |input| {
                let rescued = rescue(&input.bytes, input.format, &options)?;
                let bytes = rescued.document.to_bytes()?;
                Ok((rescued, bytes))
            },
        );
        let (rescued, bytes) = match read {
            Ok(read) => read,
            Err(outcome) => return outcome,
        };
        let format = rescued.document.format();
        let report = Report {
            schema: "mapwright.rescue/1",
            file: item.name(),
            format,
            output: place.as_ref().map(|path| path.display().to_string()),
            bytes: bytes.len(),
            lost: rescued.lost.items,
        };
        let data = match output::save_document(item, place.as_deref(), format, bytes, &writing) {
            Ok(data) => data,
            Err(failure) => return Outcome::failed(&failure),
        };
        let messages = if global.quiet || global.json { String::new() } else { summary(&report) };
        Outcome { data, line: json_line(&report), messages, ..Outcome::silent(Sort::Done) }
    })
}

fn summary(report: &Report) -> String {
    let output = report.output.as_deref().unwrap_or("standard output");
    let mut text = format!("{}\n", clean(&format!("{} → {output}", report.file)));
    if report.lost.is_empty() {
        text.push_str("  no damage found: the file is readable; `mapwright check` validates its content\n");
    }
    for loss in &report.lost {
        let _ = writeln!(text, "  {}", clean(&loss.to_string()));
    }
    text
}

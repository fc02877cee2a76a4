//! `mapwright set`

use std::io;

use mapwright::Format;

use super::edit::{Done, change};
use crate::args::{Global, Set};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::text::count;

/// Returns `true` if scenes can be merged into documents of a format.
pub(super) fn takes(format: Format) -> bool {
    format.access().lossless && format.access().export
}

pub(crate) fn run(args: &Set, global: &Global) -> io::Result<Exit> {
    let words: Vec<String> = args.assignments.iter().map(ToString::to_string).collect();
    change(&args.file, &args.change, takes, global, |item, document, _| {
        let changed = document.set(&args.query, &args.assignments);
        let changed = changed.map_err(|error| Failure::new(&item.name(), &error))?;
        let result = format!("{} meant", count(changed.matched, "item"));
        let losses = changed.losses.iter().map(ToString::to_string).collect();
        let edit = format!("{}: {}", args.query, words.join(" "));
        Ok(vec![Done { edit, result, unknown_fields: changed.unknown, losses }])
    })
}

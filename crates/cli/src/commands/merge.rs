//! `mapwright merge`

use std::fmt::Write;
use std::fs;
use std::io;
use std::path::PathBuf;

use mapwright::io::format_count;
use mapwright::vmap::diff::Diff;
use mapwright::vmap::merge::{Conflict, MergeOptions, Side, merge};
use mapwright::vmap::{Document, MapOptions};
use mapwright::{AnyDocument, Error, Format, Input};
use serde::Serialize;

use super::output::{self, Writing};
use super::{item_options, json_line, with_input};
use crate::args::{Global, Merge};
use crate::batch::{self, Outcome, Sort};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::inputs::Item;
use crate::text::{CleanLines, clean};

#[derive(Serialize)]
struct Report<'a> {
    schema: &'static str,
    base: String,
    ours: String,
    theirs: String,
    format: Format,
    #[serde(skip_serializing_if = "Option::is_none")]
    prefer: Option<Side>,
    settled: bool,
    conflicts: &'a [Conflict],
    #[serde(skip_serializing_if = "Option::is_none")]
    output: Option<String>,
}

pub(crate) fn run(args: &Merge, global: &Global) -> io::Result<Exit> {
    let wrong = |failure: Box<Failure>| failure.print(global);
    let [base, ours, theirs] = [&args.base, &args.ours, &args.theirs].map(Item::new);
    let items = std::slice::from_ref(&ours);
    let how = &args.change;
    let writing = match Writing::new(how, &ours.path, "ours", items, global.json) {
        Ok(writing) => writing,
        Err(failure) => return wrong(failure),
    };
    let place = writing.places.first().cloned().flatten();
    let read: Vec<PathBuf> = [&base, &theirs].map(|item| item.path.clone()).into();
    if let Err(failure) = output::keep(&read, std::slice::from_ref(&place)) {
        return wrong(failure);
    }
    batch::run(items, global, Some("with conflicts"), |_, ours| {
        let done = maps([&base, ours, &theirs], how.from, global).and_then(|maps| {
            let prefer = args.prefer.map_or(Side::Ours, Side::from);
            let failed = |error| Outcome::failed(&Failure::new(&ours.name(), &error));
            let [base_map, our_map, their_map] = &maps;
            let options = MergeOptions::default().with_prefer(prefer);
            let merged = merge(base_map, our_map, their_map, &options).map_err(|error| failed(error.into()))?;
            let bytes = merged.document.to_bytes().map_err(|error| failed(error.into()))?;
            let saved = writing.save_document(ours, place.as_deref(), Format::Vmap, bytes);
            let bytes = saved.map_err(|failure| Outcome::failed(&failure))?;
            let conflicts = &merged.conflicts;
            let is_settled = conflicts.is_empty() || args.prefer.is_some();
            let mut outcome = Outcome::silent(if is_settled { Sort::Done } else { Sort::WithFindings });
            let (mut lines, mut summary) = (String::new(), String::new());
            for conflict in conflicts {
                let _ = writeln!(lines, "{}", clean(&conflict.to_string()));
            }
            if !conflicts.is_empty() {
                // Git calls the files by names of its own.
                let side = if prefer == Side::Ours { "ours" } else { "theirs" };
                let what = format_count(conflicts.len(), "conflict");
                let _ = writeln!(summary, "{what}; the result contains the value of {side}");
            }
            if how.dry_run {
                let diff = Diff::between(our_map, &merged.document);
                let _ = write!(CleanLines::new(&mut lines, "  "), "{diff}");
            }
            match (global.json, writing.to_stdout) {
                (true, _) => {
                    let [base, ours, theirs] = [&base, ours, &theirs].map(Item::name);
                    let output = place.as_ref().map(|path| path.display().to_string());
                    let (schema, format) = ("mapwright.merge/1", Format::Vmap);
                    let (settled, prefer) = (is_settled, args.prefer.map(Side::from));
                    let report = Report { schema, base, ours, theirs, format, prefer, settled, conflicts, output };
                    outcome.data = json_line(&report).into_bytes();
                }
                (false, true) => (outcome.data, outcome.messages) = (bytes, lines + &summary),
                (false, false) if !global.quiet => (outcome.data, outcome.messages) = (lines.into_bytes(), summary),
                (false, false) => {}
            }
            if global.quiet {
                outcome.messages.clear();
            }
            Ok(outcome)
        });
        done.unwrap_or_else(|outcome| outcome)
    })
}

/// The three maps.
fn maps(items: [&Item; 3], from: Option<Format>, global: &Global) -> Result<[Document; 3], Outcome> {
    let [base, ours, theirs] = items;
    let (ours, theirs) = (map(ours, from, global)?, map(theirs, from, global)?);
    // Git gives an empty file where both sides added one.
    let is_empty = fs::metadata(&base.path).is_ok_and(|base| base.is_file() && base.len() == 0);
    let base = match is_empty {
        true => Document::new_with(&MapOptions::default().with_format_version(ours.format_version())),
        false => map(base, from, global)?,
    };
    Ok([base, ours, theirs])
}

fn map(item: &Item, from: Option<Format>, global: &Global) -> Result<Document, Outcome> {
    let options = item_options(item, global);
    let any = |Input { bytes, format, .. }: &mut Input| {
        let document = AnyDocument::from_bytes_as(bytes, *format, &options)?;
        Ok::<_, Error>((*format, document))
    };
    let (format, document) = with_input(item, from, &options, |_| true, any)?;
    document.into_vmap().map_err(|_| {
        let message = format!("cannot merge {format} files; supported: vmap");
        let failure = Failure::other(&item.name(), "unsupported", Exit::Unsupported, message);
        Outcome::failed(
            &failure
                .with_help("merge the text of `mapwright dump --json`, and rebuild the file with `mapwright build`"),
        )
    })
}

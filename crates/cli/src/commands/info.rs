//! `mapwright info`

mod table;

use std::fmt::Write;
use std::io;
use std::path::Path;

use mapwright::content::{self, Reference, copy_references, list_references};
use mapwright::info::Info;
use mapwright::io::format_count;
use mapwright::{AnyDocument, Error, SaveOptions};
use serde::Serialize;

use super::{item_options, json_line, level_path, with_document};
use crate::args::{self, Global};
use crate::batch::{self, Outcome};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::inputs::{Archives, Item, expand_as};
use crate::text::{CleanLines, clean, size};

#[derive(Serialize)]
struct Report<'a> {
    schema: &'static str,
    file: String,
    bytes: usize,
    #[serde(flatten)]
    info: &'a Info,
    /// The files that the input refers to, with --content.
    #[serde(skip_serializing_if = "Option::is_none")]
    references: Option<Vec<ReferenceLine>>,
    /// The paths of the copies, with --copy-to.
    #[serde(skip_serializing_if = "Option::is_none")]
    copied: Option<Vec<String>>,
}

#[derive(Serialize)]
struct ReferenceLine {
    kind: &'static str,
    path: String,
    uses: u64,
    /// The file below its root.
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<String>,
    /// The reason why a file that exists is not decoded.
    #[serde(skip_serializing_if = "Option::is_none")]
    problem: Option<String>,
}

impl From<Reference> for ReferenceLine {
    fn from(Reference { kind, path, uses, outcome, .. }: Reference) -> Self {
        let (file, problem) = match outcome {
            content::Outcome::Found(file) => (Some(file), None),
            content::Outcome::Undecodable(reason) => (None, Some(reason)),
            _ => (None, None),
        };
        Self { kind: kind.name(), path, uses, file, problem }
    }
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
            let references = references(item, document, args.copy_to.is_some(), global);
            let copied = match args.copy_to.as_deref().map(|folder| copy(item, document, folder, args, global)) {
                Some(Ok(copied)) => Some(copied),
                Some(Err(error)) => return Outcome::failed(&Failure::new(&item.name(), &error)),
                None => None,
            };
            Outcome::done(match global.json {
                true => json_line(&Report {
                    schema: "mapwright.info/1",
                    file: item.name(),
                    bytes,
                    info: &info,
                    references,
                    copied,
                }),
                false => {
                    let copied = copied.map(|copied| format!("  copied: {}\n", format_count(copied.len(), "file")));
                    let references = references_text(&references.unwrap_or_default());
                    text(item, bytes, &info, global.verbose) + &references + &copied.unwrap_or_default()
                }
            })
        })
    })
}

/// Copies the files that a level refers to. Returns the paths of the copies.
fn copy(
    item: &Item,
    document: &AnyDocument,
    folder: &Path,
    args: &args::Info,
    global: &Global,
) -> Result<Vec<String>, Error> {
    let level = level_path(item, global);
    let max_bytes = global.limits.conversion().max_pixel_bytes;
    let options = SaveOptions::default().with_overwrite(args.output.force);
    let content = item.content(&global.content);
    let copies = copy_references(document, level.as_deref(), &content, max_bytes, folder, options)?;
    Ok(copies.iter().map(|path| path.display().to_string()).collect())
}

/// Returns the files that a level refers to, if --content names the place of such files, or if they are wanted.
fn references(item: &Item, document: &AnyDocument, is_wanted: bool, global: &Global) -> Option<Vec<ReferenceLine>> {
    let content = item.content(&global.content);
    if content.is_empty() && !is_wanted {
        return None;
    }
    let level = level_path(item, global);
    let max_bytes = global.limits.conversion().max_pixel_bytes;
    let report = list_references(document, level.as_deref(), &content, max_bytes);
    Some(report.references.into_iter().map(ReferenceLine::from).collect())
}

fn references_text(references: &[ReferenceLine]) -> String {
    let mut out = String::new();
    if references.is_empty() {
        return out;
    }
    let found = references.iter().filter(|line| line.file.is_some()).count();
    let mut lines = CleanLines::new(&mut out, "");
    // Writing to a string does not fail.
    let _ = writeln!(lines, "references: {}, found: {found}", references.len());
    for ReferenceLine { kind, path, uses, file, problem } in references {
        let state = match (file, problem) {
            (Some(file), _) => file.clone(),
            (None, Some(problem)) => format!("not decoded: {problem}"),
            (None, None) => "missing".to_owned(),
        };
        let _ = writeln!(lines, "  {uses:>5} × {kind} {path}: {state}");
    }
    out
}

fn text(item: &Item, bytes: usize, info: &Info, is_verbose: bool) -> String {
    let mut out = format!("{}: {}, {}\n", clean(&item.name()), info.title, size(bytes as u64));
    // Writing to a string does not fail.
    let mut lines = CleanLines::new(&mut out, "");
    let _ = if is_verbose { write!(lines, "{info:#}") } else { write!(lines, "{info}") };
    out
}

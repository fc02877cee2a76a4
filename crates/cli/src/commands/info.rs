//! `mapwright info`

mod table;

use std::fmt::Write;
use std::io;
use std::path::Path;

use mapwright::content::{ResolveReport, copy_file, copy_references, list_references};
use mapwright::info::{Info, ReferencesInfo};
use mapwright::io::{format_count, format_size};
use mapwright::{AnyDocument, ContentSource, Error, SaveOptions};
use serde::Serialize;

use super::{item_options, json_line, level_path, with_document};
use crate::args::{self, Global};
use crate::batch::{self, Outcome};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::inputs::{Archives, Item, expand_as};
use crate::out;
use crate::text::{CleanLines, clean};

#[derive(Serialize)]
struct Report<'a> {
    schema: &'static str,
    file: String,
    bytes: usize,
    #[serde(flatten)]
    info: &'a Info,
    /// The files that the input refers to, with --content.
    #[serde(skip_serializing_if = "Option::is_none")]
    references: Option<ReferencesInfo>,
    /// The paths of the copies, with --copy-to.
    #[serde(skip_serializing_if = "Option::is_none")]
    copied: Option<Vec<String>>,
}

pub(crate) fn run(args: &args::Info, global: &Global) -> io::Result<Exit> {
    if args.table || args.csv.is_wanted() {
        return table::run(args, global);
    }
    let inputs = &args.inputs;
    batch::run(&expand_as(&inputs.files, Archives::Files), global, None, |_, item| {
        with_document(item, inputs.from, global, |input, document| {
            let files = item_options(item, global).files();
            let info = document.info(Some(&files));
            out::protect(|| files.into_loaded());
            let bytes = input.bytes.len();
            // The files are searched and decoded once, also if they are copied.
            let report = references(item, document, args.copy_to.is_some(), global);
            let copied = match report.as_ref().zip(args.copy_to.as_deref()) {
                Some((report, folder)) => match copy(item, document, report, folder, args, global) {
                    Ok(copied) => Some(copied),
                    Err(failure) => return Outcome::failed(&failure),
                },
                None => None,
            };
            let references = report.as_ref().map(ReferencesInfo::from_report);
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
                    text(item, bytes, &info, references.as_ref(), global.verbose) + &copied.unwrap_or_default()
                }
            })
        })
    })
}

/// Copies a file and the files that it refers to. Returns the paths of the copies.
fn copy(
    item: &Item,
    document: &AnyDocument,
    report: &ResolveReport,
    folder: &Path,
    args: &args::Info,
    global: &Global,
) -> Result<Vec<String>, Box<Failure>> {
    let level = level_path(item, global);
    let options = SaveOptions::default().with_overwrite(args.output.force);
    let content = item.content(&global.content);
    let failed = |error: Error| Failure::new(&item.name(), &error);
    let mut copies = copy_references(document, report, level.as_deref(), &content, folder, options).map_err(failed)?;
    // Files beside these levels are not read, but the level itself is copied.
    if level.is_none()
        && let Some((path, bytes)) = own_file(item).map_err(|error| failed(error.into()))?
    {
        let target = folder.join(&path);
        let is_same = target.canonicalize().is_ok_and(|target| item.path.canonicalize().is_ok_and(|own| own == target));
        copies.push(if is_same { target } else { copy_file(folder, &path, &bytes, options).map_err(failed)? });
    }
    if copies.is_empty() {
        let message = "no file to copy: the input has no name, and no file that it refers to was found".to_owned();
        return Err(Failure::other(&item.name(), "unsupported", Exit::Unsupported, message));
    }
    Ok(copies.iter().map(|path| path.display().to_string()).collect())
}

/// Returns the path below the target folder and the bytes of an input: its path in an archive, or its name. `None`: standard input.
fn own_file(item: &Item) -> io::Result<Option<(String, Vec<u8>)>> {
    if item.is_stdin() {
        return Ok(None);
    }
    let disk = item.disk_path();
    let inner = item.path_in_archive();
    let Some(inner) = inner else {
        let name = item.path.file_name().map(|name| name.to_string_lossy().into_owned());
        return name.map(|name| Ok((name, std::fs::read(&disk)?))).transpose();
    };
    let archive = item.content(&ContentSource::default());
    let file = archive.find(inner).ok_or(io::ErrorKind::NotFound)?;
    Ok(Some((file.path().to_owned(), file.read()?)))
}

/// Returns the files that a level refers to, if --content names the place of such files, or if they are wanted.
fn references(item: &Item, document: &AnyDocument, is_wanted: bool, global: &Global) -> Option<ResolveReport> {
    let content = item.content(&global.content);
    if content.is_empty() && !is_wanted {
        return None;
    }
    let level = level_path(item, global);
    let max_bytes = global.limits.conversion().max_pixel_bytes;
    Some(list_references(document, level.as_deref(), &content, max_bytes))
}

fn text(item: &Item, bytes: usize, info: &Info, references: Option<&ReferencesInfo>, is_verbose: bool) -> String {
    let mut out = format!("{}: {}, {}\n", clean(&item.name()), info.title, format_size(bytes as u64));
    // Writing to a string does not fail.
    let mut lines = CleanLines::new(&mut out, "");
    let _ = if is_verbose { write!(lines, "{info:#}") } else { write!(lines, "{info}") };
    if let Some(references) = references {
        let _ = write!(lines, "{references}");
    }
    out
}

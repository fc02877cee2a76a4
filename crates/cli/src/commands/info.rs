//! `mapwright info`

mod table;

use std::fmt::Write;
use std::io;
use std::path::{Path, PathBuf};

use mapwright::content::{CopyFolder, FileToCopy, ResolveReport, list_files_to_copy, list_references};
use mapwright::info::{Info, ReferencesInfo};
use mapwright::io::{format_count, format_size};
use mapwright::{AnyDocument, ContentSource, SaveOptions};
use serde::Serialize;

use super::{item_options, json_line, level_path, with_document};
use crate::args::{self, Global};
use crate::batch::{self, Outcome, Sort};
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
    /// The files that cannot be read, or whose path is that of another copy, with --copy-to.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    not_copied: Vec<NotCopied>,
}

/// A file that was not copied.
#[derive(Serialize)]
struct NotCopied {
    file: String,
    problem: String,
}

pub(crate) fn run(args: &args::Info, global: &Global) -> io::Result<Exit> {
    if args.table || args.csv.is_wanted() {
        return table::run(args, global);
    }
    let inputs = &args.inputs;
    let items = expand_as(&inputs.files, Archives::Files);
    if let Some(folder) = &args.copy_to
        && let Err(failure) = check_target(folder, &items, global)
    {
        return failure.print(global);
    }
    let options = SaveOptions::default().with_overwrite(args.output.force);
    let mut target = args.copy_to.as_deref().map(|folder| CopyFolder::new(folder, options));
    let work = |_, item: &Item| {
        let mut prepared = None;
        let outcome = with_document(item, inputs.from, global, |input, document| {
            let files = item_options(item, global).files();
            let info = document.info(Some(&files));
            out::protect(|| files.into_loaded());
            let report = references(item, document, args.copy_to.is_some(), global);
            let files = report.as_ref().filter(|_| args.copy_to.is_some());
            let files = match files.map(|report| files_to_copy(item, document, report, global)).transpose() {
                Ok(files) => files,
                Err(failure) => return Outcome::failed(&failure),
            };
            let references = report.as_ref().map(ReferencesInfo::from_report);
            prepared = Some(Prepared { bytes: input.bytes.len(), info, references, files });
            Outcome::silent(Sort::Done)
        });
        (outcome, prepared)
    };
    // Copies are made one after the other, so that the result does not depend on the number of threads.
    batch::run_in_turn(&items, global, None, work, |_, item, (outcome, prepared), _| {
        let Some(prepared) = prepared else { return Ok(outcome) };
        let done = prepared.finish(item, target.as_mut(), global);
        let messages = outcome.messages + &done.messages;
        Ok(Outcome { messages, ..done })
    })
}

/// The facts of an input, before its files are copied.
struct Prepared {
    bytes: usize,
    info: Info,
    references: Option<ReferencesInfo>,
    files: Option<Vec<FileToCopy>>,
}

impl Prepared {
    /// Copies the files and prints the facts.
    fn finish(self, item: &Item, target: Option<&mut CopyFolder>, global: &Global) -> Outcome {
        let Self { bytes, info, references, files } = self;
        let copies = match target.zip(files).map(|(target, files)| target.copy(&files)).transpose() {
            Ok(copies) => copies,
            Err(error) => return Outcome::failed(&Failure::new(&item.name(), &error)),
        };
        let shown = |path: &Path| path.display().to_string();
        let copied: Option<Vec<String>> =
            copies.as_ref().map(|copies| copies.paths.iter().map(|path| shown(path)).collect());
        let failed = copies.as_ref().map_or(&[][..], |copies| &copies.failed);
        let not_copied: Vec<NotCopied> =
            failed.iter().map(|(path, error)| NotCopied { file: shown(path), problem: error.to_string() }).collect();
        let sort = if not_copied.is_empty() { Sort::Done } else { Sort::Failed(Exit::Io) };
        let data = if global.json {
            let schema = "mapwright.info/1";
            json_line(&Report { schema, file: item.name(), bytes, info: &info, references, copied, not_copied })
        } else {
            let mut out = text(item, bytes, &info, references.as_ref(), global.verbose);
            if let Some(copied) = copied {
                let _ = writeln!(out, "  copied: {}", format_count(copied.len(), "file"));
            }
            for NotCopied { file, problem } in &not_copied {
                let _ = writeln!(out, "  not copied: {}", clean(&format!("{file}: {problem}")));
            }
            out
        };
        Outcome { sort, ..Outcome::done(data) }
    }
}

/// Checks that copies of several inputs cannot replace an input or its files.
fn check_target(folder: &Path, items: &[Item], global: &Global) -> Result<(), Box<Failure>> {
    let Some(target) = folder.canonicalize().ok().filter(|_| items.len() > 1) else { return Ok(()) };
    let inputs = items.iter().map(Item::disk_path);
    let mut read = inputs.chain(global.content_paths.iter().cloned());
    let is_inside = |path: &PathBuf| path.canonicalize().is_ok_and(|path| path.starts_with(&target));
    match read.find(is_inside) {
        None => Ok(()),
        Some(path) => {
            let message = format!("the folder {} contains the input {}", folder.display(), path.display());
            let failure = Failure::other(&folder.display().to_string(), "usage", Exit::Usage, message);
            Err(failure.with_help("copy several levels into a folder without levels and content"))
        }
    }
}

/// Lists a file and the files that it refers to.
fn files_to_copy(
    item: &Item,
    document: &AnyDocument,
    report: &ResolveReport,
    global: &Global,
) -> Result<Vec<FileToCopy>, Box<Failure>> {
    let level = level_path(item, global);
    let content = item.content(&global.content);
    let below = item.relative_path().parent().unwrap_or(Path::new(""));
    let mut files = list_files_to_copy(document, report, level.as_deref(), &content, below);
    // Files beside these levels are not read, but the level itself is copied.
    if level.is_none() {
        files.extend(own_file(item));
    }
    if files.is_empty() {
        let message = "no file to copy: the input has no name, and no file that it refers to was found".to_owned();
        return Err(Failure::other(&item.name(), "unsupported", Exit::Unsupported, message));
    }
    Ok(files)
}

/// Returns the file of an input, which has its path in an archive, or below the named folder. `None`: standard input and pipes.
fn own_file(item: &Item) -> Option<FileToCopy> {
    match item.path_in_archive() {
        Some(inner) => {
            let archive = item.content(&ContentSource::default());
            Some(FileToCopy::in_content(archive.find(inner)?, &archive))
        }
        None => item.path.is_file().then(|| FileToCopy::on_disk(item.relative_path(), &item.path)),
    }
}

/// Returns the files that a level refers to, if --content names the place of such files, or if they are wanted.
fn references(item: &Item, document: &AnyDocument, is_wanted: bool, global: &Global) -> Option<ResolveReport> {
    let content = item.content(&global.content);
    if content.is_empty() && !is_wanted {
        return None;
    }
    let level = level_path(item, global);
    if content.is_empty() && level.is_none() {
        // Nothing is looked for, so nothing is missing.
        return Some(ResolveReport::default());
    }
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

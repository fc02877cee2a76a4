//! `mapwright edit`

use std::fmt::Write;
use std::io;
use std::path::{Path, PathBuf};

use mapwright::edit::{Edit as QueryEdit, FilesOnDisk, script_lines};
use mapwright::query::QueryError;
use mapwright::scene::Losses;
use mapwright::{AnyDocument, DocumentDiff, EditOptions, Error, Format, ReadOptions};
use serde::Serialize;

use super::output::{self, Writing};
use super::{json_line, open_failure, read_options, referenced_files, with_document_of};
use crate::args::{Change, Edit, Global};
use crate::batch::{self, Outcome};
use crate::encoding;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::inputs::{Item, expand};
use crate::text::{CleanLines, clean};

#[derive(Serialize)]
struct Report<'a> {
    schema: &'static str,
    file: String,
    format: Format,
    edits: &'a [Done],
    #[serde(skip_serializing_if = "Option::is_none")]
    output: Option<String>,
}

/// An edit and its result.
#[derive(Serialize)]
struct Done {
    edit: String,
    result: String,
    /// Values that were rounded, and other differences from the edit.
    losses: Losses,
}

pub(crate) fn run(args: &Edit, global: &Global) -> io::Result<Exit> {
    let edits = match edits(args, global) {
        Ok(edits) => edits,
        Err(failure) => return failure.print(global),
    };
    let takes = |format: Format| format.access().lossless && format.access().export;
    let how = EditOptions::default().with_allow_no_match(args.allow_no_match).with_create_fields(args.create_field);
    let script: Vec<PathBuf> = args.script.iter().cloned().collect();
    change(&args.file, &args.change, takes, global, |item, document, read| {
        read.extend_from_slice(&script);
        apply(item, document, (&edits, &how), &read_options(global), read)
    })
}

/// Changes a file and writes the result. Other files that the edits read are listed: they are not replaced, not even with --force.
fn change(
    file: &Path,
    how: &Change,
    takes: fn(Format) -> bool,
    global: &Global,
    apply: impl Fn(&Item, &mut AnyDocument, &mut Vec<PathBuf>) -> Result<Vec<Done>, Box<Failure>> + Sync,
) -> io::Result<Exit> {
    let wrong = |failure: Box<Failure>| failure.print(global);
    if file.is_dir() {
        return wrong(output::wrong(&format!("{} is a folder; edit takes one file", file.display())));
    }
    let items = expand(&[file.to_owned()]);
    let writing = match Writing::new(how, file, "the input", &items, global.json) {
        Ok(writing) => writing,
        Err(failure) => return wrong(failure),
    };
    batch::run(&items, global, None, |index, item| {
        with_document_of(item, how.from, global, takes, |input, mut document| {
            let before = how.dry_run.then(|| document.clone());
            let place = writing.places.get(index).cloned().flatten();
            let replaces = place.as_ref().is_some_and(|place| place.exists() && *place != item.path);
            let referenced = if replaces { referenced_files(item, &document, global) } else { Vec::new() };
            let mut read = Vec::new();
            let done = apply(item, &mut document, &mut read);
            let places = std::slice::from_ref(&place);
            let kept = output::keep_files(&referenced, "a file that the input refers to", places).and(done);
            let done = match kept.and_then(|done| output::keep(&read, places).map(|()| done)) {
                Ok(done) => done,
                Err(failure) => return Outcome::failed(&failure),
            };
            let mut data;
            // A dry run fails, too, if the result cannot be written.
            let written = document.to_bytes().map_err(|error| Failure::new(&item.name(), &error));
            match written.and_then(|bytes| writing.save_document(item, place.as_deref(), document.format(), bytes)) {
                Ok(bytes) => data = bytes,
                Err(failure) => return Outcome::failed(&failure),
            }
            let diff = before.and_then(|before| before.diff(&document));
            let (mut report, mut messages) = (String::new(), String::new());
            for Done { edit, result, losses } in &done {
                let _ = writeln!(report, "{}", clean(&format!("{edit}: {result}")));
                for loss in losses {
                    let _ = writeln!(report, "  {}", clean(&loss.to_string()));
                }
            }
            if let Some(diff) = &diff {
                let _ = write!(CleanLines::new(&mut report, "  "), "{diff}");
            }
            let output = place.map(|path| path.display().to_string());
            match (global.json, global.quiet || writing.to_stdout) {
                (true, _) => {
                    let (file, format) = (item.name(), input.format);
                    let line = Report { schema: "mapwright.edit/2", file, format, edits: &done, output };
                    data = json(&line, diff.as_ref()).unwrap_or_default();
                }
                (false, false) => data = report.into_bytes(),
                (false, true) if writing.to_stdout && !global.quiet => messages = report,
                (false, true) => {}
            }
            Outcome { data, messages, ..Outcome::done(String::new()) }
        })
    })
}

/// Returns the line of JSON: the report, and the difference of a dry run. Writing to memory does not fail.
fn json(report: &Report<'_>, diff: Option<&DocumentDiff>) -> io::Result<Vec<u8>> {
    let mut line = json_line(report).into_bytes();
    if let Some(diff) = diff {
        line.truncate(line.len().saturating_sub("}\n".len()));
        diff.write_json_field(&mut line)?;
        line.extend_from_slice(b"}\n");
    }
    Ok(line)
}

/// The text of an edit and its place in a script.
struct EditText {
    text: String,
    at: Option<Line>,
}

/// A line of a script.
#[derive(Clone)]
struct Line {
    script: String,
    number: u64,
}

/// Returns the failure of an edit, with its place in the script or the edited file.
fn failure(edit: &EditText, error: &str, file: &str) -> Box<Failure> {
    let message = format!("{}: {error}", edit.text);
    match &edit.at {
        Some(Line { script, number }) => Failure::other(script, "usage", Exit::Usage, message).with_line(*number),
        None => Failure::other(file, "usage", Exit::Usage, message),
    }
}

/// Returns all edits, those of the script first.
fn edits(args: &Edit, global: &Global) -> Result<Vec<EditText>, Box<Failure>> {
    let mut edits: Vec<EditText> = Vec::new();
    if let Some(path) = &args.script {
        let script = Item::new(path);
        if script.is_stdin() && args.file.as_os_str() == "-" {
            return Err(output::wrong("the script and the file cannot both come from standard input"));
        }
        let name = script.name();
        let failed = |error| Failure::new(&name, &error);
        let text = script.text(&read_options(global)).map_err(failed)?;
        let text = String::from_utf8(text).map_err(|error| {
            let valid = error.as_bytes().get(..error.utf8_error().valid_up_to()).unwrap_or_default();
            let number = 1 + valid.iter().filter(|&&byte| byte == b'\n').count() as u64;
            let message = "bytes that are no UTF-8".to_owned();
            let failure = Failure::other(&name, "malformed", Exit::Malformed, message).with_line(number);
            failure.with_help("save the script as UTF-8; other bytes are \\xHH")
        })?;
        edits.extend(
            script_lines(&text).map(|(number, edit)| EditText {
                text: edit.to_owned(),
                at: Some(Line { script: name.clone(), number }),
            }),
        );
    }
    edits.extend(args.edits.iter().map(|text| EditText { text: text.clone(), at: None }));
    if edits.is_empty() {
        return Err(output::wrong("no edit given").with_help("`mapwright edit --help` lists the edits"));
    }
    Ok(edits)
}

fn apply(
    item: &Item,
    document: &mut AnyDocument,
    (edits, how): (&[EditText], &EditOptions),
    options: &ReadOptions,
    read: &mut Vec<PathBuf>,
) -> Result<Vec<Done>, Box<Failure>> {
    let mut done = Vec::with_capacity(edits.len());
    for source in edits {
        let failed = |error: &str| failure(source, error, &item.name());
        let text = encoding::encode(&source.text, document.format()).map_err(|error| failed(&error))?;
        let edit: QueryEdit = text.parse().map_err(|error: QueryError| failed(&error.to_string()))?;
        let mut files = FilesOnDisk::new(options);
        let edited = document.edit_with(&edit, how, &mut files);
        read.extend(files.into_read());
        let edited = edited.map_err(|error| match error {
            Error::Query(error) => failed(&error.to_string()),
            Error::EditFile { file, error } => file_failure(&file, &error),
            error => {
                let failure = Failure::new(&item.name(), &error);
                match &source.at {
                    Some(Line { script, number }) => failure.with_file(script).with_line(*number),
                    None => failure,
                }
            }
        })?;
        done.push(Done { edit: source.text.clone(), result: edited.text, losses: edited.losses });
    }
    Ok(done)
}

/// Returns the failure for another file that an edit reads.
fn file_failure(file: &str, error: &Error) -> Box<Failure> {
    match error {
        Error::UnexpectedFormat { .. } | Error::List(_) | Error::NoObjects => Failure::new(file, error),
        _ => open_failure(&Item::new(file), error),
    }
}

//! `mapwright edit`

mod wmp;
mod wrp;

use std::fmt::Write;
use std::io;
use std::path::{Path, PathBuf};

use mapwright::io::unescape_bytes;
use mapwright::wwd::edit::Edit as LevelEdit;
use mapwright::{AnyDocument, DocumentDiff, Error, Format, Input, ReadOptions};
use serde::Serialize;

use super::output::{self, Writing};
use super::{json_line, read_options, set, with_document_of};
use crate::args::{Change, Edit, Global};
use crate::batch::{self, Outcome};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::inputs::{Item, expand};
use crate::out::say;
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

/// An edit, and what it did.
#[derive(Serialize)]
pub(super) struct Done {
    pub(super) edit: String,
    pub(super) result: String,
    /// Fields that it asks for and that nothing has.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) unknown_fields: Vec<String>,
    /// What could not be done as it was said.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) losses: Vec<String>,
}

pub(crate) fn run(args: &Edit, global: &Global) -> io::Result<Exit> {
    let edits = match edits(args, global) {
        Ok(edits) => edits,
        Err(failure) => {
            say(failure.text());
            return Ok(failure.exit);
        }
    };
    let takes = |format| matches!(format, Format::Wwd | Format::Wmp | Format::Wrp);
    let script: Vec<PathBuf> = args.script.iter().cloned().collect();
    change(&args.file, &args.change, takes, global, |item, document, read| {
        read.extend_from_slice(&script);
        apply(item, document, &edits, &read_options(global), read)
    })
}

/// Changes a file of the formats that are taken, and writes what it becomes. Files that the change takes go to the list that it is
/// given: they are not written over, not even with --force.
pub(super) fn change(
    file: &Path,
    how: &Change,
    takes: fn(Format) -> bool,
    global: &Global,
    apply: impl Fn(&Item, &mut AnyDocument, &mut Vec<PathBuf>) -> Result<Vec<Done>, Box<Failure>> + Sync,
) -> io::Result<Exit> {
    let wrong = |failure: Box<Failure>| {
        say(failure.text());
        Ok(failure.exit)
    };
    let items = expand(&[file.to_owned()]);
    let writing = match Writing::of(how, file, "the input", &items, global.json) {
        Ok(writing) => writing,
        Err(failure) => return wrong(failure),
    };
    batch::run(&items, global, "odd", |index, item| {
        with_document_of(item, how.from, global, takes, |input, mut document| {
            let before = how.dry_run.then(|| document.clone());
            let place = writing.places.get(index).cloned().flatten();
            let mut read = Vec::new();
            let done = apply(item, &mut document, &mut read);
            let done = match done.and_then(|done| output::keep(&read, std::slice::from_ref(&place)).map(|()| done)) {
                Ok(done) => done,
                Err(failure) => return Outcome::failed(&failure),
            };
            let mut data;
            // What cannot be written fails also where it only would be.
            let written = document.to_bytes().map_err(|error| Failure::new(&item.name(), &error));
            match written.and_then(|bytes| writing.put(item, place.as_deref(), bytes)) {
                Ok(bytes) => data = bytes,
                Err(failure) => return Outcome::failed(&failure),
            }
            let diff = before.and_then(|before| before.diff(&document));
            let (mut said, mut talk) = (String::new(), String::new());
            for Done { edit, result, unknown_fields, losses } in &done {
                let unknown = match unknown_fields.as_slice() {
                    [] => String::new(),
                    fields => format!("; nothing there has a field {}", fields.join(", ")),
                };
                let _ = writeln!(said, "{}", clean(&format!("{edit}: {result}{unknown}")));
                for loss in losses {
                    let _ = writeln!(said, "  {}", clean(loss));
                }
            }
            if let Some(diff) = &diff {
                let _ = write!(CleanLines::new(&mut said, "  "), "{diff}");
            }
            let output = place.map(|path| path.display().to_string());
            match (global.json, global.quiet || writing.to_stdout) {
                (true, _) => {
                    let (file, format) = (item.name(), input.format);
                    let report = Report { schema: "mapwright.edit/1", file, format, edits: &done, output };
                    data = json(&report, diff.as_ref()).unwrap_or_default();
                }
                (false, false) => data = said.into_bytes(),
                (false, true) if writing.to_stdout && !global.quiet => talk = said,
                (false, true) => {}
            }
            Outcome { data, talk, ..Outcome::done(String::new()) }
        })
    })
}

/// The line for programs: the report, and what differs, where that is asked for. Writing to memory does not fail.
fn json(report: &Report<'_>, diff: Option<&DocumentDiff>) -> io::Result<Vec<u8>> {
    let mut line = json_line(report).into_bytes();
    if let Some(diff) = diff {
        line.truncate(line.len().saturating_sub("}\n".len()));
        diff.write_json_field(&mut line)?;
        line.extend_from_slice(b"}\n");
    }
    Ok(line)
}

/// The words of an edit, and where they stand.
struct Said {
    text: String,
    at: Option<Line>,
}

/// A line of a script.
#[derive(Clone)]
struct Line {
    script: String,
    number: u64,
}

/// A failure of an edit: where its words stand, if that is in a script, and otherwise in what was to be edited.
fn failure(said: &Said, error: &str, file: &str) -> Box<Failure> {
    let message = format!("{}: {error}", said.text);
    match &said.at {
        Some(Line { script, number }) => Failure::other(script, "usage", Exit::Usage, message).with_line(*number),
        None => Failure::other(file, "usage", Exit::Usage, message),
    }
}

/// All edits, those of the script first.
fn edits(args: &Edit, global: &Global) -> Result<Vec<Said>, Box<Failure>> {
    let mut edits: Vec<Said> = Vec::new();
    if let Some(path) = &args.script {
        let script = Item { path: path.clone(), folder: None };
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
            failure.with_help("save the script as UTF-8; other bytes are said as \\xHH")
        })?;
        for (number, line) in (1..).zip(text.lines().map(str::trim)) {
            if !line.is_empty() && !line.starts_with('#') {
                edits.push(Said { text: line.to_owned(), at: Some(Line { script: name.clone(), number }) });
            }
        }
    }
    edits.extend(args.edits.iter().map(|text| Said { text: text.clone(), at: None }));
    if edits.is_empty() {
        return Err(output::wrong("there is nothing to edit").with_help("`mapwright edit --help` has the edits"));
    }
    Ok(edits)
}

fn apply(
    item: &Item,
    document: &mut AnyDocument,
    edits: &[Said],
    options: &ReadOptions,
    read: &mut Vec<PathBuf>,
) -> Result<Vec<Done>, Box<Failure>> {
    let mut done = Vec::with_capacity(edits.len());
    for said in edits {
        let text = said.text.as_str();
        let format = document.format();
        let result = if let Some(level) = document.as_wwd_mut() {
            text.parse::<LevelEdit>()
                .and_then(|edit| level.apply(&edit))
                .map(|edited| edited.to_string())
                .map_err(|error| error.to_string())
        } else if let Some(map) = document.as_wmp_mut() {
            wmp::apply(map, text, options, read)
        } else if let Some(terrain) = document.as_wrp_mut() {
            wrp::apply(terrain, text, options, read)
        } else {
            let error = Error::Unsupported { format, what: "edited; only levels, Gamestudio maps and terrains can be" };
            let failure = Failure::new(&item.name(), &error);
            let can_be_set = set::takes(format);
            return Err(if can_be_set { failure.with_help("the verb set changes fields of it") } else { failure });
        };
        let result = result.map_err(|error| failure(said, &error, &item.name()))?;
        done.push(Done { edit: said.text.clone(), result, unknown_fields: Vec::new(), losses: Vec::new() });
    }
    Ok(done)
}

/// The file that a word of an edit names, blanks as in names of models; it goes to those taken.
fn take(word: &str, taken: &mut Vec<PathBuf>) -> String {
    let file = String::from_utf8_lossy(&unescape_bytes(word)).into_owned();
    taken.push(PathBuf::from(&file));
    file
}

/// Reads a file that an edit takes.
fn read(file: &str, format: Option<Format>, options: &ReadOptions) -> Result<AnyDocument, String> {
    let failed = |error: Error| format!("{file}: {error}");
    let options = options.clone().with_path(file);
    let input = Input::open(Path::new(file), format, &options).map_err(failed)?;
    AnyDocument::from_bytes_as(&input.bytes, input.format, &options).map_err(failed)
}

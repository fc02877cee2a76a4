//! The commands, and functions that several of them use.

pub(crate) mod build;
pub(crate) mod check;
pub(crate) mod convert;
pub(crate) mod diff;
pub(crate) mod dump;
pub(crate) mod edit;
pub(crate) mod extract;
pub(crate) mod formats;
pub(crate) mod info;
pub(crate) mod man;
pub(crate) mod merge;
mod output;
pub(crate) mod query;
pub(crate) mod render;
pub(crate) mod rescue;
pub(crate) mod roundtrip;

use std::fmt::Display;
use std::path::PathBuf;

use mapwright::content;
use mapwright::io::Category;
use mapwright::rez::ReadError;
use mapwright::scene::FileError;
use mapwright::scene::Losses;
use mapwright::{AnyDocument, Error, External, ForeignFormat, Format, Input, PREFIX, ReadOptions, detect};
use serde::Serialize;

use crate::args::Global;
use crate::batch::{Outcome, Sort};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::inputs::Item;
use crate::out::{self, Color, paint};
use crate::suggest::nearest_file;
use crate::text::clean;

pub(crate) fn read_options(global: &Global) -> ReadOptions {
    global.formats.apply(global.limits.reading())
}

/// Returns the options for reading an input.
pub(crate) fn item_options(item: &Item, global: &Global) -> ReadOptions {
    let options = read_options(global).with_content(item.content(&global.content));
    options.with_path(&item.path).with_external(global.limits.external(item.is_stdin()))
}

/// Returns the path of a level, if files in its folder may be read.
pub(crate) fn level_path(item: &Item, global: &Global) -> Option<PathBuf> {
    let is_allowed = global.limits.external(item.is_stdin()) != External::None && !item.is_archived();
    is_allowed.then(|| item.path.clone())
}

/// The next step for levels whose images were not looked for.
pub(crate) const LEVEL_IMAGES_HELP: &str =
    "images of the level are in its game: --content CLAW.REZ names the archive of the game, or a folder with its files";

/// Returns the options that read the files that were not read, according to losses.
pub(crate) fn unread_files_help(losses: &Losses) -> impl Iterator<Item = &'static str> {
    const HELP: [(FileError, &str); 2] = [
        (
            FileError::Disabled,
            "--external beside reads files in the folder of the input and below; --content PATH reads those of a game",
        ),
        (FileError::Outside, "--external any reads files outside the folder of the input, if you trust it"),
    ];
    let is_reason = |error: FileError| losses.iter().any(|loss| loss.text.contains(&error.to_string()));
    HELP.into_iter().filter(move |(error, _)| is_reason(*error)).map(|(_, help)| help)
}

/// Returns a line of JSON. This cannot fail, because all keys are strings.
pub(crate) fn json_line(value: &impl Serialize) -> String {
    let mut line = serde_json::to_string(value).unwrap_or_default();
    line.push('\n');
    line
}

/// Reads a file into memory and processes it, or returns the outcome of the failure. Files of folders are skipped if the command does
/// not support their formats.
pub(crate) fn with_input<T>(
    item: &Item,
    from: Option<Format>,
    options: &ReadOptions,
    takes: impl Fn(Format) -> bool,
    work: impl FnOnce(&mut Input) -> Result<T, Error>,
) -> Result<T, Outcome> {
    let mut input = match item.open(from, options) {
        Ok(input) if item.folder.is_some() && !takes(input.format) => {
            return Err(Outcome::silent(Sort::Unsupported));
        }
        Ok(input) if input.bytes.is_empty() => return Err(Outcome::failed(&empty_failure(item))),
        Ok(input) => input,
        // Folders contain all kinds of files.
        Err(Error::UnknownFormat) if item.folder.is_some() => {
            return Err(Outcome::silent(if item.is_skipped_image() { Sort::Image } else { Sort::Unknown }));
        }
        Err(error) => return Err(Outcome::failed(&open_failure(item, &error))),
    };
    work(&mut input).map_err(|error| {
        if input.bytes.is_empty() {
            // Taken by `take_document`.
            input.bytes = item.open(from, options).map(|input| input.bytes).unwrap_or_default();
        }
        let start = input.bytes.get(..PREFIX).unwrap_or(&input.bytes);
        let foreign = ForeignFormat::detect(start, None).filter(|_| Exit::from_error(&error) == Exit::Malformed);
        let failure = match foreign.filter(|_| detect(&input.bytes, None).format.is_none()) {
            Some(foreign) => {
                let message = format!("expected {}, found {}", input.format, foreign.name);
                Failure::other(&item.name(), "malformed", Exit::Malformed, message).with_help(foreign.next_step)
            }
            None => Failure::new(&item.name(), &error).with_bytes(&input.bytes, input.format, options),
        };
        Outcome::failed(&failure)
    })
}

/// Returns the warning about the name of a file as a line, or an empty string.
pub(crate) fn warn(item: &Item, input: &Input, quiet: bool) -> String {
    match &input.warning {
        Some(warning) if !quiet => warning_line(&item.name(), warning),
        _ => String::new(),
    }
}

/// Returns the line of a warning about a file.
pub(crate) fn warning_line(file: &str, text: impl Display) -> String {
    format!("{}: {}\n", paint("warning", Color::Yellow), clean(&format!("{file}: {text}")))
}

/// Returns the failure for an input that cannot be opened. A missing file may be a mistyped one; a file of an unknown format may be
/// empty or of a format that other programs read.
fn open_failure(item: &Item, error: &Error) -> Box<Failure> {
    if std::fs::metadata(&item.path).is_ok_and(|file| file.is_file() && file.len() == 0) {
        return empty_failure(item);
    }
    if matches!(error, Error::UnknownFormat | Error::Io(_))
        && let Some(fault) = item.archive_fault()
    {
        return archive_failure(item, &fault, "cannot read this REZ archive: ");
    }
    if item.is_repeated() && matches!(error, Error::Io(_)) {
        return repeated_failure(item);
    }
    if let Error::Io(error) = error
        && item.is_archived()
        && error.get_ref().is_some()
    {
        return archive_failure(item, error, "");
    }
    let failure = Failure::new(&item.name(), error);
    match error {
        Error::Io(error) if item.is_stdin() && error.kind() == std::io::ErrorKind::UnexpectedEof => empty_failure(item),
        Error::Io(error) if error.kind() == std::io::ErrorKind::NotFound => {
            let failure = Failure::other(&item.name(), "io", Exit::Io, "file not found".to_owned());
            match nearest_file(&item.path) {
                Some(file) => failure.with_help(&format!("did you mean `{file}`?")),
                None => failure,
            }
        }
        Error::UnknownFormat => match item.start() {
            Ok(start) => match ForeignFormat::detect(&start, Some(&item.path)) {
                Some(foreign) => Failure::other(
                    &item.name(),
                    "unknown-format",
                    Exit::UnknownFormat,
                    format!("cannot read this {}", foreign.name),
                )
                .with_help(foreign.next_step),
                None => failure,
            },
            Err(_) => failure,
        },
        _ => failure,
    }
}

/// Returns the failure for a REZ archive, or a file in it, that cannot be read.
fn archive_failure(item: &Item, error: &std::io::Error, start: &str) -> Box<Failure> {
    let damage = error.get_ref().and_then(|error| error.downcast_ref::<ReadError>());
    let category = match (damage, error.kind()) {
        (Some(damage), _) => damage.category(),
        // The archive can be read, but not used.
        (None, std::io::ErrorKind::Other) => Category::Unsupported,
        (None, std::io::ErrorKind::InvalidInput) => return Failure::usage(error.to_string()).with_file(&item.name()),
        (None, _) => Category::Io,
    };
    Failure::other(&item.name(), category.name(), Exit::from_category(category), format!("{start}{error}"))
}

/// Returns the failure for a file in an archive whose path another file has.
pub(crate) fn repeated_failure(item: &Item) -> Box<Failure> {
    let message = "another file in the archive has the same path; the games find only that one".to_owned();
    Failure::other(&item.name(), "malformed", Exit::Malformed, message)
}

/// Returns the failure for an empty input.
fn empty_failure(item: &Item) -> Box<Failure> {
    let failure = Failure::other(&item.name(), "truncated", Exit::Malformed, "the file is empty".to_owned());
    failure.with_help("save or download it again")
}

/// Reads a document, for commands that need nothing else of the input. The bytes of a file are freed early, because a document and its
/// conversion may take much memory. Standard input keeps them: they cannot be read again for a message.
pub(crate) fn take_document(item: &Item, input: &mut Input, options: &ReadOptions) -> Result<AnyDocument, Error> {
    if item.is_stdin() {
        return AnyDocument::from_bytes_as(&input.bytes, input.format, options);
    }
    AnyDocument::from_vec_as(std::mem::take(&mut input.bytes), input.format, options)
}

/// Returns `true` if the document is a file of a folder and a part of levels, such as a tileset. Commands for levels skip it.
pub(crate) fn is_skipped_part(item: &Item, document: &AnyDocument) -> bool {
    item.folder.is_some() && document.is_part_of_level()
}

/// Returns the files to which a document refers, which no output may replace.
pub(crate) fn referenced_files(item: &Item, document: &AnyDocument, global: &Global) -> Vec<PathBuf> {
    let (level, content) = (level_path(item, global), item.content(&global.content));
    content::referenced_files(document, level.as_deref(), &content, global.limits.conversion().max_pixel_bytes)
}

/// Reads a document as [`with_input`] does, for commands that show documents of any format.
pub(crate) fn with_document(
    item: &Item,
    from: Option<Format>,
    global: &Global,
    work: impl FnOnce(&Input, &AnyDocument) -> Outcome,
) -> Outcome {
    with_document_of(item, from, global, |_| true, |input, document| work(input, &document))
}

/// Reads a document as [`with_input`] does, for commands that support some formats and change documents.
pub(crate) fn with_document_of(
    item: &Item,
    from: Option<Format>,
    global: &Global,
    takes: impl Fn(Format) -> bool,
    work: impl FnOnce(&Input, AnyDocument) -> Outcome,
) -> Outcome {
    let options = item_options(item, global);
    let done = with_input(item, from, &options, takes, |input| {
        let document = AnyDocument::from_bytes_as(&input.bytes, input.format, &options)?;
        out::protect(|| referenced_files(item, &document, global));
        let mut outcome = work(input, document);
        outcome.messages.insert_str(0, &warn(item, input, global.quiet));
        Ok(outcome)
    });
    done.unwrap_or_else(|outcome| outcome)
}

//! The verbs, and what they share.

pub(crate) mod build;
pub(crate) mod check;
pub(crate) mod convert;
pub(crate) mod diff;
pub(crate) mod dump;
pub(crate) mod edit;
pub(crate) mod formats;
pub(crate) mod info;
pub(crate) mod list;
pub(crate) mod man;
pub(crate) mod merge;
pub(crate) mod objects;
mod output;
pub(crate) mod query;
pub(crate) mod render;
pub(crate) mod roundtrip;

use std::fmt::Display;
use std::path::Path;

use mapwright::etf::Mode;
use mapwright::wwd::HeaderSize;
use mapwright::{AnyDocument, ArtFolder, Error, Format, Input, ReadOptions, TextureFolder};
use serde::Serialize;

use crate::args::Global;
use crate::batch::{Outcome, Sort};
use crate::failure::Failure;
use crate::inputs::Item;
use crate::out::{Color, paint};
use crate::text::clean;

pub(crate) fn read_options(global: &Global) -> ReadOptions {
    let mode = if global.lenient { Mode::Lenient } else { Mode::Strict };
    let header_size = if global.any_header_size { HeaderSize::Any } else { HeaderSize::AsEngine };
    let options = global.limits.reading().with_mode(mode).with_header_size(header_size);
    options.with_cell(global.cell).with_height_unit(global.height_unit)
}

/// Returns the options for reading an input.
pub(crate) fn item_options(item: &Item, global: &Global) -> ReadOptions {
    read_options(global).with_path(&item.path).with_external(global.limits.external(item.is_stdin()))
}

/// The pictures of a game, if the command line names a folder of them.
pub(crate) fn open_art(folder: Option<&Path>) -> Result<Option<ArtFolder>, Box<Failure>> {
    let opened = folder.map(|folder| ArtFolder::open(folder).map_err(|error| (folder, error))).transpose();
    opened.map_err(|(folder, error)| Failure::new(&folder.display().to_string(), &error))
}

/// The textures of materials, if the command line names a folder of them.
pub(crate) fn open_textures(folder: Option<&Path>) -> Result<Option<TextureFolder>, Box<Failure>> {
    let opened = folder.map(|folder| TextureFolder::open(folder).map_err(|error| (folder, error))).transpose();
    opened.map_err(|(folder, error)| Failure::new(&folder.display().to_string(), &error))
}

/// Whether a file can be what is asked for: pictures of a game belong to levels alone.
pub(crate) fn suits_art(art: Option<&ArtFolder>, format: Format) -> bool {
    art.is_none() || format == Format::Wwd
}

/// An object in one line. Nothing that is printed so has keys that are no strings, so this cannot fail.
pub(crate) fn json_line(value: &impl Serialize) -> String {
    let mut line = serde_json::to_string(value).unwrap_or_default();
    line.push('\n');
    line
}

/// Takes a file into memory and works on it; says what is wrong with it. Files of folders are passed by where the verb is
/// not for their formats.
pub(crate) fn with_input<T>(
    item: &Item,
    from: Option<Format>,
    options: &ReadOptions,
    takes: impl Fn(Format) -> bool,
    work: impl FnOnce(&Input) -> Result<T, Error>,
) -> Result<T, Outcome> {
    let input = match item.open(from, options) {
        Ok(input) if item.folder.is_some() && !takes(input.format) => {
            return Err(Outcome::silent(Sort::Unfit));
        }
        Ok(input) => input,
        // A folder holds all sorts of files.
        Err(Error::UnknownFormat) if item.folder.is_some() => return Err(Outcome::silent(Sort::Unknown)),
        Err(error) => return Err(Outcome::failed(&open_failure(item, &error))),
    };
    work(&input).map_err(|error| {
        Outcome::failed(&Failure::new(&item.name(), &error).with_bytes(&input.bytes, input.format, options))
    })
}

/// What is odd about the name of a file, as a line.
pub(crate) fn warn(item: &Item, input: &Input, quiet: bool) -> String {
    match &input.warning {
        Some(warning) if !quiet => warning_line(item, warning),
        _ => String::new(),
    }
}

/// A warning about an input.
fn warning_line(item: &Item, text: impl Display) -> String {
    format!("{}: {}\n", paint("warning", Color::Yellow), clean(&format!("{}: {text}", item.name())))
}

/// A name that is no file may have been meant as a verb.
fn open_failure(item: &Item, error: &Error) -> Box<Failure> {
    let failure = Failure::new(&item.name(), error);
    let name = item.path.as_os_str();
    let is_first = std::env::args_os().nth(1).is_some_and(|first| first == name);
    let looks_like_a_verb = is_first && name.as_encoded_bytes().iter().all(u8::is_ascii_lowercase);
    match error {
        Error::Io(error) if error.kind() == std::io::ErrorKind::NotFound && looks_like_a_verb => {
            failure.with_help("there is no such file, and no verb of that name: see `mapwright --help`")
        }
        _ => failure,
    }
}

/// As [`with_input`], for verbs that show what is in a document of any format.
pub(crate) fn with_document(
    item: &Item,
    from: Option<Format>,
    global: &Global,
    work: impl FnOnce(&Input, &AnyDocument) -> Outcome,
) -> Outcome {
    with_document_of(item, from, global, |_| true, |input, document| work(input, &document))
}

/// As [`with_document`], for verbs that are for some formats and change documents.
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
        let mut outcome = work(input, document);
        outcome.talk.insert_str(0, &warn(item, input, global.quiet));
        Ok(outcome)
    });
    done.unwrap_or_else(|outcome| outcome)
}

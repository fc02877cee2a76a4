//! `mapwright dump`

use std::fmt;
use std::io::{self, Write};

use mapwright::etf::{Layout, TextOptions};
use mapwright::{AnyDocument, Error, Input, write_term_json};

use super::read_options;
use crate::args::{Dump, Global, TextLayout};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::inputs::{Item, expand};
use crate::out::{Out, say};

/// Columns of indented text.
const WIDTH: usize = 100;

/// One file after the other, straight to standard output: a dump can be much larger than its file.
pub(crate) fn run(args: &Dump, global: &Global) -> io::Result<Exit> {
    let items = expand(&args.inputs.files);
    let mut out = Out::new();
    let mut exit = Exit::Ok;
    for item in &items {
        if let Err(failure) = dump(item, args, global, &mut out)? {
            out.flush()?;
            say(failure.text());
            if global.json {
                out.write_all(failure.json().as_bytes())?;
            }
            exit = exit.max(failure.exit);
            if global.fail_fast {
                break;
            }
        }
    }
    out.flush()?;
    Ok(if exit != Exit::Ok && exit != Exit::Bug && items.len() > 1 { Exit::Batch } else { exit })
}

/// The outer error is that of standard output.
fn dump(item: &Item, args: &Dump, global: &Global, out: &mut Out) -> io::Result<Result<(), Box<Failure>>> {
    let options = read_options(global);
    let input = match item.open(args.inputs.from, &options) {
        Ok(input) => input,
        Err(Error::UnknownFormat) if item.folder.is_some() => return Ok(Ok(())),
        Err(error) => return Ok(Err(super::open_failure(item, &error))),
    };
    let document = match AnyDocument::from_bytes_as(&input.bytes, input.format, &options) {
        Ok(document) => document,
        Err(error) => {
            let failure = Failure::new(&item.name(), &error);
            return Ok(Err(failure.with_bytes(&input.bytes, input.format, &options)));
        }
    };
    if document.term().is_none() {
        let error = Error::Unsupported { format: input.format, what: "dumped; info and convert take them" };
        return Ok(Err(Failure::new(&item.name(), &error)));
    }
    if global.json {
        json(item, &input, &document, out)?;
    } else {
        text(args, &document, out)?;
    }
    Ok(Ok(()))
}

fn text(args: &Dump, document: &AnyDocument, out: &mut Out) -> io::Result<()> {
    let Some(term) = document.term() else { return Ok(()) };
    let layout = match args.layout {
        TextLayout::Indented => Layout::Indented { width: WIDTH },
        TextLayout::Compact => Layout::Compact,
    };
    let options = TextOptions::default().with_layout(layout).with_max_binary(args.max_binary.unwrap_or(usize::MAX));
    let mut writer = TextWriter { out, error: Ok(()) };
    let written = term.tree().root().write_text(&mut writer, &options);
    writer.error?;
    written.map_err(io::Error::other)?;
    // As Erlang's own files of terms end.
    writer.out.write_all(b".\n")
}

fn json(item: &Item, input: &Input, document: &AnyDocument, out: &mut Out) -> io::Result<()> {
    let Some(term) = document.term() else { return Ok(()) };
    let file = serde_json::to_string(&item.name())?;
    write!(out, "{{\"schema\":\"mapwright.dump/1\",\"file\":{file},\"format\":\"{}\",\"term\":", input.format)?;
    write_term_json(out, term.tree().root())?;
    out.write_all(b"}\n")
}

/// Lets text be written to standard output, and keeps what goes wrong there.
struct TextWriter<'a> {
    out: &'a mut Out,
    error: io::Result<()>,
}

impl fmt::Write for TextWriter<'_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.error = self.out.write_all(text.as_bytes());
        if self.error.is_ok() { Ok(()) } else { Err(fmt::Error) }
    }
}

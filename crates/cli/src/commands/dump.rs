//! `mapwright dump`

use std::fmt;
use std::io::{self, Write};

use mapwright::etf::{Layout, TextOptions};
use mapwright::{AnyDocument, Error, write_term_json};

use super::{read_options, warn, with_input};
use crate::args::{Dump, Global, TextLayout};
use crate::batch::{self, Outcome, Sort};
use crate::exit::Exit;
use crate::inputs::{Item, expand};
use crate::out::Out;

/// Columns of indented text.
const WIDTH: usize = 100;

/// Written one after the other, straight to standard output: a dump can be much larger than its file.
pub(crate) fn run(args: &Dump, global: &Global) -> io::Result<Exit> {
    let read = |_, item: &Item| {
        let options = read_options(global);
        with_input(
            item,
            args.inputs.from,
            &options,
            |access| access.lossless,
            |input| {
                if !input.format.access().lossless {
                    return Err(Error::Unsupported {
                        format: input.format,
                        what: "dumped; info and convert take them",
                    });
                }
                let document = AnyDocument::from_bytes_as(&input.bytes, input.format, &options)?;
                Ok((document, warn(item, input, global.quiet)))
            },
        )
    };
    batch::run_in_turn(&expand(&args.inputs.files), global, "odd", read, |_, item, read, out| {
        let (document, talk) = match read {
            Ok(read) => read,
            Err(outcome) => return Ok(outcome),
        };
        match global.json {
            true => json(item, &document, out)?,
            false => text(args, &document, out)?,
        }
        Ok(Outcome { talk, ..Outcome::silent(Sort::Done) })
    })
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

fn json(item: &Item, document: &AnyDocument, out: &mut Out) -> io::Result<()> {
    let Some(term) = document.term() else { return Ok(()) };
    let file = serde_json::to_string(&item.name())?;
    write!(out, "{{\"schema\":\"mapwright.dump/1\",\"file\":{file},\"format\":\"{}\",\"term\":", document.format())?;
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

//! `mapwright dump`

use std::fmt;
use std::io::{self, Write};
use std::path::Path;

use mapwright::etf::{Layout, TextOptions};
use mapwright::scene::NoFiles;
use mapwright::{AnyDocument, Error, Format, JsonLayout, convert};

use super::{read_options, referenced_files, warn, with_input};
use crate::args::{Dump, Global, TextLayout};
use crate::batch::{self, Outcome, Sort, binary_to_terminal};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::inputs::{Archives, Item, expand_as};
use crate::out::{self, Out};

/// Columns of indented text.
const WIDTH: usize = 100;

/// Written one after the other, straight to standard output: a dump can be much larger than its file.
pub(crate) fn run(args: &Dump, global: &Global) -> io::Result<Exit> {
    if let Some(format) = args.schema {
        return schema(format, global);
    }
    let read = |_, item: &Item| {
        let options = read_options(global);
        with_input(
            item,
            args.from,
            &options,
            |format| format.access().lossless,
            |input| {
                if !input.format.access().lossless {
                    return Err(Error::Unsupported { format: input.format, what: "dumped; use info or convert" });
                }
                let document = AnyDocument::from_bytes_as(&input.bytes, input.format, &options)?;
                out::protect(|| referenced_files(item, &document, global));
                Ok((document, warn(item, input, global.quiet)))
            },
        )
    };
    let items = expand_as(&args.files, Archives::Files);
    if items.len() > 1 && args.output.output.as_ref().is_some_and(|path| path.as_os_str() != "-") {
        let failure = Failure::usage(format!("-o takes one input, and there are {}", items.len()));
        return failure.with_help("run `mapwright dump` for each file").print(global);
    }
    // What people compare, Git puts into folders with names of its own, one file after the other.
    let is_bare = |item: &Item| items.len() == 1 && item.folder.is_none();
    batch::run_in_turn(&items, global, None, read, |_, item, read, out| {
        let (document, messages) = match read {
            Ok(read) => read,
            Err(outcome) => return Ok(outcome),
        };
        let shown = match (args.thumbnail, global.json) {
            (true, _) => thumbnail(item, &document, out),
            (_, true) => write_json(&item.name(), &document, JsonLayout::OneLine, out).map(Ok),
            (_, false) => text((args, global), item, is_bare(item), document, out),
        };
        Ok(match shown? {
            Ok(()) => Outcome { messages, ..Outcome::silent(Sort::Done) },
            Err(failure) => Outcome::failed(&failure),
        })
    })
}

/// Prints what dumps of a format look like.
fn schema(format: Format, global: &Global) -> io::Result<Exit> {
    let Some(schema) = format.dump_schema() else {
        let failure = Failure::new(format.name(), &Error::Unsupported { format, what: "dumped" });
        return failure.print(global);
    };
    let mut out = Out::new();
    out.write_all(schema.as_bytes())?;
    out.flush()?;
    Ok(Exit::Ok)
}

/// Success, or the failure to report. The outer error is that of standard output.
type Shown = io::Result<Result<(), Box<Failure>>>;

fn thumbnail(item: &Item, document: &AnyDocument, out: &mut Out) -> Shown {
    let Some(thumbnail) = document.as_vmap().and_then(mapwright::vmap::Document::thumbnail) else {
        let message = "the map contains no preview image".to_owned();
        return Ok(Err(Failure::other(&item.name(), "unsupported", Exit::Unsupported, message)));
    };
    if out::is_terminal() && out::is_binary(thumbnail.bytes) {
        return Ok(Err(binary_to_terminal(item)));
    }
    out.write_all(thumbnail.bytes).map(Ok)
}

fn text((args, global): (&Dump, &Global), item: &Item, is_bare: bool, document: AnyDocument, out: &mut Out) -> Shown {
    if let Some(term) = document.term() {
        return term_text(args, term, out).map(Ok);
    }
    if document.graph().is_none() {
        let path = item.name();
        let name = Path::new(&path).file_name().filter(|_| is_bare);
        let name = name.map_or(path.as_str().into(), |name| name.to_string_lossy());
        return write_json(&name, &document, JsonLayout::Lines, out).map(Ok);
    }
    match convert(document, Format::KeyValues2, &NoFiles, &global.limits.conversion()) {
        Ok(conversion) => out.write_all(&conversion.files.main).map(Ok),
        Err(error) => Ok(Err(Failure::new(&item.name(), &error))),
    }
}

fn term_text(args: &Dump, term: &mapwright::etf::Document, out: &mut Out) -> io::Result<()> {
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

fn write_json(name: &str, document: &AnyDocument, layout: JsonLayout, out: &mut Out) -> io::Result<()> {
    let file = serde_json::to_string(name)?;
    write!(out, "{{\"schema\":\"{}\",\"file\":{file},", mapwright::DUMP_SCHEMA)?;
    document.write_dump_fields(out, layout)?;
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

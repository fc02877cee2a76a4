//! The header, and the settings of the editor.

use std::io::Write as _;

use mapwright_io::Context as _;

use super::printer::Printer;
use super::unsupported_error;
use crate::{Dialect, Header, Name, TextureSource, Wed, WriteError};

/// Writes the header and blank lines.
pub(super) fn header(out: &mut Printer, header: &Header) -> Result<(), WriteError> {
    if !header.extra.is_empty() || !header.around.is_empty() {
        return Err(unsupported_error(out, "a chunk of a binary map"));
    }
    // All binary files have these words.
    if ![[0; 3], [710, 2, 0]].contains(&header.words) {
        return Err(unsupported_error(out, "the words of the header of a binary map"));
    }
    if out.dialect == Dialect::Resolved {
        return resolved(out, header);
    }
    out.put(b"// WMP2\n");
    if !header.generator.is_empty() {
        out.comment("// ", &header.generator).in_field("generator")?;
        out.end();
    }
    if !header.created.is_empty() {
        out.comment("// Created ", &header.created).in_field("created")?;
        out.end();
    }
    out.end();
    if out.dialect != Dialect::A4 {
        out.put(format!("version {}\n\n", out.dialect.name()));
    }
    if let Some(counts) = header.counts {
        out.put(format!("blocks {}\nentities {}\nobjects {}\n\n", counts.blocks, counts.entities, counts.objects));
    }
    Ok(())
}

/// Writes the header of a resolved map.
fn resolved(out: &mut Printer, header: &Header) -> Result<(), WriteError> {
    if !header.generator.is_empty() {
        out.comment("// ", &header.generator).in_field("generator")?;
        out.comment(", ", &header.created).in_field("created")?;
        out.end();
        out.end();
    }
    out.put(b"version 711\n\n\n");
    Ok(())
}

/// Writes the settings of the editor and a blank line.
pub(super) fn wed(out: &mut Printer, wed: &Wed) -> Result<(), WriteError> {
    if !wed.extra.is_empty() {
        return Err(unsupported_error(out, "a chunk of a binary map"));
    }
    out.put(b"wed {\n");
    let mut first = true;
    if let Some(bytes) = &wed.palette {
        open(out, "palette", &mut first);
        palette(out, bytes);
        close(out);
    }
    if wed.wad_head.is_some() || !wed.wads.is_empty() {
        open(out, "wad", &mut first);
        match &wed.wad_head {
            None => out.line(b"0 0 0 0 0"),
            Some(head) if head.is_empty() => {}
            Some(head) => out.name_line(head).in_field("wad_head")?,
        }
        sources(out, &wed.wads).in_field("wads")?;
        close(out);
    }
    if !wed.folders.is_empty() {
        open(out, "folder", &mut first);
        sources(out, &wed.folders).in_field("folders")?;
        close(out);
    }
    for (word, field, lines) in [("bookmark", "bookmarks", &wed.bookmarks), ("view", "views", &wed.views)] {
        if let Some(lines) = lines {
            open(out, word, &mut first);
            texts(out, lines).in_field(field)?;
            close(out);
        }
    }
    if out.dialect == Dialect::A4 {
        out.end();
    }
    out.put(b"}\n\n");
    Ok(())
}

/// Opens a section, after a blank line unless it is the first.
fn open(out: &mut Printer, word: &str, first: &mut bool) {
    if !std::mem::replace(first, false) {
        out.end();
    }
    out.line(format!("{word} {{"));
    out.depth = out.depth.saturating_add(1);
}

fn close(out: &mut Printer) {
    out.depth = out.depth.saturating_sub(1);
    out.line(b"}");
}

/// Writes sixteen colours per line, with two spaces after each.
fn palette(out: &mut Printer, bytes: &[u8]) {
    for row in bytes.chunks(48) {
        out.indent();
        for colour in row.chunks(3) {
            for byte in colour {
                // Writing to a vector cannot fail.
                let _ = write!(out.text, "{byte:02x} ");
            }
            out.put(b" ");
        }
        out.end();
    }
}

fn sources(out: &mut Printer, sources: &[TextureSource]) -> Result<(), WriteError> {
    for source in sources {
        out.indent();
        out.bracketed(&source.path)?;
        out.put(format!(" {}\n", source.enabled));
    }
    Ok(())
}

fn texts(out: &mut Printer, lines: &[Name]) -> Result<(), WriteError> {
    for line in lines {
        out.name_line(line)?;
    }
    Ok(())
}

//! WMPB: a mark, and chunks to the end of the file.

mod block;
mod chunk;
mod entity;
mod node;

use mapwright_io::{Context as _, Output};

use self::chunk::{ChunkWriter, close, count, require_absent};
use crate::chunk::{CREATED, FOLDER, INFO, PALETTE, WAD, WED};
use crate::read::binary::Originals;
use crate::{Document, Header, Wed, WriteError};

/// Writes a binary map.
pub(super) fn write(document: &Document) -> Result<Vec<u8>, WriteError> {
    let room = document.source.as_ref().map_or(0, |source| source.bytes.len());
    let mut out = Output::with_capacity(room);
    out.bytes(b"WMPB");
    let mut originals = Originals::from_document(document);
    let header = &document.header;
    let mut row = ChunkWriter::new(&header.around);
    // A header without any value has no info chunk.
    if header.counts.is_some() || !header.generator.is_empty() || !header.created.is_empty() {
        row.before(&mut out);
        info(&mut out, header).in_field("header")?;
    }
    if let Some(wed) = &document.wed {
        row.before(&mut out);
        match originals.wed(wed) {
            Some(bytes) => out.bytes(bytes),
            None => settings(&mut out, wed).in_field("wed")?,
        }
    }
    row.before(&mut out);
    node::write(&mut out, document, &mut originals)?;
    row.finish(&mut out);
    count(out.len(), "bytes")?;
    Ok(out.into_bytes())
}

/// Writes the info chunk.
fn info(out: &mut Output, header: &Header) -> Result<(), WriteError> {
    let chunk = chunk::open(out, INFO);
    let [version, second, last] = header.words;
    let counts = header.counts.unwrap_or_default();
    for word in [version, second, counts.objects, counts.blocks, counts.entities, last] {
        out.u32_le(word);
    }
    let mut row = ChunkWriter::new(&header.extra);
    if !header.generator.is_empty() || !header.created.is_empty() {
        let (day, program) = (header.created.as_bytes(), header.generator.as_bytes());
        row.text(out, CREATED, &[b"file created: ", day, b", ", program, b"\n"].concat())?;
    }
    row.finish(out);
    close(out, chunk);
    Ok(())
}

/// Writes the settings of the editor.
fn settings(out: &mut Output, wed: &Wed) -> Result<(), WriteError> {
    require_absent(wed.bookmarks.is_none(), "bookmarks")?;
    require_absent(wed.views.is_none(), "windows of the editor")?;
    // The usual numbers need not be stored.
    require_absent(wed.wad_head.as_ref().is_none_or(|head| *head == "0 0 0 0 0"), "the numbers before the WADs")?;
    let chunk = chunk::open(out, WED);
    let mut row = ChunkWriter::new(&wed.extra);
    if let Some(palette) = &wed.palette {
        require_absent(palette.len() == 768, "a palette without exactly 768 bytes")?;
        row.before(out);
        chunk::fixed(out, PALETTE, palette.len());
        out.bytes(palette);
    }
    for (id, sources) in [(WAD, &wed.wads), (FOLDER, &wed.folders)] {
        for source in sources {
            require_absent(source.enabled == 1, "the number after a WAD or folder")?;
            row.text(out, id, source.path.as_bytes())?;
        }
    }
    row.finish(out);
    close(out, chunk);
    Ok(())
}

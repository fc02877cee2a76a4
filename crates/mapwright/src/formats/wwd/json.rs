//! Levels as JSON, in one line or in lines that a text editor can show.

use std::io::{self, Write};

use mapwright_wwd::Document;
use mapwright_wwd::diff::Diff;
use serde::Serialize;
use serde_json::Serializer;
use serde_json::ser::{CompactFormatter, Formatter};

use crate::JsonLayout;

/// Writes a level as JSON that contains everything, including how its block is stored. [`AnyDocument::from_dump`] builds the same
/// file from it.
///
/// Fields have the names of the document and are left out if they are 0 or empty. Texts are escaped as
/// [`escape_bytes`](mapwright_wwd::escape_bytes) does, rectangles are `[left,top,right,bottom]`. A row of tiles is an array: a number,
/// null for an empty cell, `"fill"` for a filled one, and `[count,cell]` for a run of equal cells.
///
/// [`AnyDocument::from_dump`]: crate::AnyDocument::from_dump
///
/// # Errors
/// Errors of the writer.
pub fn write_level_json(out: &mut dyn Write, level: &Document, layout: JsonLayout) -> io::Result<()> {
    match layout {
        JsonLayout::OneLine => serde_json::to_writer(out, level)?,
        JsonLayout::Lines => level.serialize(&mut Serializer::with_formatter(out, Lines::default()))?,
    }
    Ok(())
}

/// Writes the differences of two levels as JSON, with the names of [`Diff`]; values as in [`write_level_json`].
///
/// # Errors
/// Errors of the writer.
pub fn write_level_diff_json(out: &mut dyn Write, diff: &Diff) -> io::Result<()> {
    serde_json::to_writer(out, diff).map_err(Into::into)
}

/// Writes each plane, row of tiles, object and tile property in a line of its own.
#[derive(Default)]
struct Lines {
    /// `true` for each open array or object whose items begin a line.
    open: Vec<bool>,
    /// `true` while the key of an object is written.
    in_key: bool,
    /// `true` if the items of the list after the last key begin a line.
    has_lines: bool,
}

impl Lines {
    /// Separates an item from the one before.
    fn begin_item<W: ?Sized + Write>(&self, out: &mut W, first: bool) -> io::Result<()> {
        out.write_all(if first { b"" } else { b"," })?;
        out.write_all(if self.open.last() == Some(&true) { b"\n" } else { b"" })
    }
}

impl Formatter for Lines {
    fn begin_array<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.open.push(std::mem::take(&mut self.has_lines));
        out.write_all(b"[")
    }

    fn end_array<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.open.pop();
        out.write_all(b"]")
    }

    fn begin_array_value<W: ?Sized + Write>(&mut self, out: &mut W, first: bool) -> io::Result<()> {
        self.begin_item(out, first)
    }

    fn begin_object<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.open.push(false);
        self.has_lines = false;
        out.write_all(b"{")
    }

    fn end_object<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.open.pop();
        out.write_all(b"}")
    }

    fn begin_object_key<W: ?Sized + Write>(&mut self, out: &mut W, first: bool) -> io::Result<()> {
        self.in_key = true;
        self.begin_item(out, first)
    }

    fn end_object_key<W: ?Sized + Write>(&mut self, _: &mut W) -> io::Result<()> {
        self.in_key = false;
        Ok(())
    }

    /// The quote of a key waits for its name, before which a line may begin.
    fn begin_string<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        if self.in_key { Ok(()) } else { CompactFormatter.begin_string(out) }
    }

    fn write_string_fragment<W: ?Sized + Write>(&mut self, out: &mut W, fragment: &str) -> io::Result<()> {
        if self.in_key {
            // The depth distinguishes the planes of the level from those of its layout.
            let depth = self.open.len();
            self.has_lines = matches!((depth, fragment), (1, "planes") | (2, "items") | (3, "tiles" | "objects"));
            let begins_line = matches!((depth, fragment), (1, "planes" | "tile_properties"));
            out.write_all(if begins_line { b"\n\"" } else { b"\"" })?;
        }
        out.write_all(fragment.as_bytes())
    }
}

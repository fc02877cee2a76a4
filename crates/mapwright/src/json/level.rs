//! Levels as JSON that says everything of them.

mod build;
mod diff;

use std::io::{self, Write};

use mapwright_wwd::{
    Cell, Document, FieldValue, Header, HeaderFlags, Object, Plane, Rect, Shape, WriterProfile, escape_bytes,
};

use super::{JsonLayout, hex, string};

pub(crate) use build::{LevelJson, level};
pub use diff::write_level_diff_json;

/// Writes a level as JSON that says everything of it, down to how its block is stored: [`AnyDocument::from_dump`] makes the same
/// file of it.
///
/// Fields have the names of the document and are left out where they are 0 or empty; texts are spelled as
/// [`spell`] does, rectangles are `[left,top,right,bottom]`. A row of tiles is an array: a word, null for an empty cell, `"fill"`
/// for a filled one, and `[count,cell]` for several in a row.
///
/// [`AnyDocument::from_dump`]: crate::AnyDocument::from_dump
///
/// # Errors
/// Those of the writer.
pub fn write_level_json(out: &mut dyn Write, level: &Document, layout: JsonLayout) -> io::Result<()> {
    let line: &[u8] = if layout == JsonLayout::Lines { b"\n" } else { b"" };
    write!(out, "{{\"style\":\"{}\"", style_name(level.profile))?;
    stored(out, level)?;
    out.write_all(b",\"header\":")?;
    fields(out, Header::FIELDS, |name| level.header.field(name))?;
    out.write_all(b",")?;
    out.write_all(line)?;
    out.write_all(b"\"planes\":")?;
    list(out, line, &level.planes, |out, one| plane(out, line, one))?;
    if let Some(table) = &level.tile_properties {
        let (size, reserved_04, reserved_0c) = (table.size, table.reserved_04, table.reserved_0c);
        out.write_all(b",")?;
        out.write_all(line)?;
        write!(
            out,
            "\"tile_properties\":{{\"size\":{size},\"reserved_04\":{reserved_04},\"reserved_0c\":{reserved_0c:?},\"items\":"
        )?;
        list(out, line, &table.items, property)?;
        out.write_all(b"}")?;
    }
    if !level.trailer.is_empty() {
        out.write_all(b",\"trailer\":")?;
        string(out, &escape_bytes(&level.trailer))?;
    }
    if let Some(layout) = &level.layout {
        write!(out, ",\"layout\":{{\"planes_offset\":{},\"planes\":", layout.planes_offset)?;
        list(out, b"", &layout.planes, |out, one| {
            write!(
                out,
                "{{\"tiles_offset\":{},\"image_sets_offset\":{},\"objects_offset\":{},\"num_objects\":{}}}",
                one.tiles_offset, one.image_sets_offset, one.objects_offset, one.num_objects
            )
        })?;
        write!(
            out,
            ",\"tile_properties_offset\":{},\"main_block_size\":{},\"residue\":",
            layout.tile_properties_offset, layout.main_block_size
        )?;
        list(out, b"", &layout.residue, |out, one| {
            write!(out, "{{\"offset\":{},\"bytes\":\"", one.offset)?;
            hex(out, &one.bytes)?;
            out.write_all(b"\"}")
        })?;
        out.write_all(b"}")?;
    }
    out.write_all(b"}")
}

fn style_name(style: WriterProfile) -> &'static str {
    match style {
        WriterProfile::WapMap => "wapmap",
        _ => "editor",
    }
}

/// How the block is stored, as long as its main block says what it says now.
fn stored(out: &mut dyn Write, level: &Document) -> io::Result<()> {
    let (Some(block), Ok(adler32)) = (level.stored_block(), level.main_block_adler32()) else { return Ok(()) };
    write!(out, ",\"stored\":{{\"adler32\":{adler32}")?;
    if level.header.flags.has(HeaderFlags::COMPRESS) {
        match level.compressor() {
            Some(style) => write!(out, ",\"by\":\"{}\"", style_name(style))?,
            // What no known compressor makes has to be said byte by byte.
            None => {
                out.write_all(b",\"zlib\":\"")?;
                hex(out, block)?;
                out.write_all(b"\"")?;
            }
        }
    }
    out.write_all(b"}")
}

/// The fields that are not 0 and not empty.
fn fields(out: &mut dyn Write, names: &[&str], value: impl Fn(&str) -> Option<FieldValue>) -> io::Result<()> {
    let mut separator: &[u8] = b"{";
    for name in names {
        let Some(value) = value(name).filter(says_something) else { continue };
        out.write_all(separator)?;
        separator = b",";
        write!(out, "\"{name}\":")?;
        match value {
            FieldValue::Word(word) => write!(out, "{word}")?,
            FieldValue::Int(number) => write!(out, "{number}")?,
            FieldValue::Rect(rect) => self::rect(out, rect)?,
            FieldValue::Text(text) => string(out, &escape_bytes(&text))?,
            // All that a field can be.
            _ => out.write_all(b"null")?,
        }
    }
    out.write_all(if separator == b"{" { b"{}" } else { b"}" })
}

fn says_something(value: &FieldValue) -> bool {
    match value {
        FieldValue::Word(word) => *word != 0,
        FieldValue::Int(number) => *number != 0,
        FieldValue::Rect(rect) => *rect != Rect::default(),
        FieldValue::Text(text) => !text.is_empty(),
        _ => true,
    }
}

fn rect(out: &mut dyn Write, Rect { left, top, right, bottom }: Rect) -> io::Result<()> {
    write!(out, "[{left},{top},{right},{bottom}]")
}

fn plane(out: &mut dyn Write, line: &[u8], plane: &Plane) -> io::Result<()> {
    out.write_all(b"{\"fields\":")?;
    fields(out, Plane::FIELDS, |name| plane.field(name))?;
    out.write_all(b",\"image_sets\":")?;
    let names: Vec<&[u8]> = plane.image_sets.iter().collect();
    list(out, b"", &names, |out, name| string(out, &escape_bytes(name)))?;
    out.write_all(b",\"tiles\":")?;
    let rows: Vec<&[u32]> = plane.tiles.chunks(plane.size().0.max(1) as usize).collect();
    list(out, line, &rows, |out, row| self::row(out, row))?;
    out.write_all(b",\"objects\":")?;
    list(out, line, &plane.objects, |out, object| fields(out, Object::FIELDS, |name| object.field(name)))?;
    out.write_all(b"}")
}

fn row(out: &mut dyn Write, row: &[u32]) -> io::Result<()> {
    let mut separator: &[u8] = b"[";
    for run in row.chunk_by(|a, b| a == b) {
        let Some(&word) = run.first() else { continue };
        // Two are shorter as they are.
        let (times, count) = if run.len() > 2 { (1, run.len()) } else { (run.len(), 1) };
        for _ in 0..times {
            out.write_all(separator)?;
            separator = b",";
            if count > 1 {
                write!(out, "[{count},")?;
            }
            match word {
                Cell::EMPTY => out.write_all(b"null")?,
                Cell::FILL => out.write_all(b"\"fill\"")?,
                word => write!(out, "{word}")?,
            }
            if count > 1 {
                out.write_all(b"]")?;
            }
        }
    }
    out.write_all(if separator == b"[" { b"[]" } else { b"]" })
}

fn property(out: &mut dyn Write, item: &mapwright_wwd::TileProperty) -> io::Result<()> {
    write!(out, "{{\"size\":[{},{}]", item.width, item.height)?;
    if item.reserved_04 != 0 {
        write!(out, ",\"reserved_04\":{}", item.reserved_04)?;
    }
    match &item.shape {
        Shape::Single(attribute) => write!(out, ",\"single\":{attribute}")?,
        Shape::Double { outside, inside, rect } => {
            write!(out, ",\"double\":[{outside},{inside}],\"rect\":")?;
            self::rect(out, *rect)?;
        }
        Shape::Mask(pixels) => {
            out.write_all(b",\"mask\":\"")?;
            hex(out, pixels)?;
            out.write_all(b"\"")?;
        }
    }
    out.write_all(b"}")
}

/// Items in brackets, each in a line of its own where `line` is one.
fn list<T>(
    out: &mut dyn Write,
    line: &[u8],
    items: &[T],
    mut item: impl FnMut(&mut dyn Write, &T) -> io::Result<()>,
) -> io::Result<()> {
    out.write_all(b"[")?;
    for (index, one) in items.iter().enumerate() {
        out.write_all(if index == 0 { b"" } else { b"," })?;
        out.write_all(line)?;
        item(out, one)?;
    }
    out.write_all(b"]")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_short() {
        let mut out = Vec::new();
        row(&mut out, &[Cell::EMPTY, Cell::EMPTY, Cell::EMPTY, 5, 5, Cell::FILL, 65536]).unwrap();
        assert_eq!(String::from_utf8(out).unwrap(), r#"[[3,null],5,5,"fill",65536]"#);
    }
}

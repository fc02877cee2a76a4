//! Comma separated values.

use std::borrow::Cow;
use std::io::{self, Write};

use mapwright_io::{escape_formula, unescape_bytes};

use super::{Angles, ListError, Row, Said, parse_bits, spell_bits};
use crate::document::{Builder, Document, Name, Objects};

const COLUMNS: [&str; 11] = ["index", "id", "model", "x", "y", "z", "yaw", "pitch", "roll", "scale", "matrix"];

/// Writes all objects as a table: place in the list, number, model, metres east, up and north, degrees, scale, and the bits of the
/// matrix as twelve hexadecimal words. Models are spelled as [`spell`](mapwright_io::escape_bytes) does.
///
/// # Errors
/// Those of the writer.
pub fn write_csv(document: &Document, writer: impl Write) -> io::Result<()> {
    write(document, false, writer)
}

/// Writes the same table for spreadsheets: models that these would run as formulas begin with an apostrophe, see
/// [`escape_formula`]. [`read_csv`] reads it as a part of the name.
///
/// # Errors
/// Those of the writer.
pub fn write_safe_csv(document: &Document, writer: impl Write) -> io::Result<()> {
    write(document, true, writer)
}

fn write(document: &Document, is_safe: bool, mut writer: impl Write) -> io::Result<()> {
    writeln!(writer, "{}", COLUMNS.join(","))?;
    for row in document.rows() {
        let Row { index, id, model, matrix, angles } = &row;
        write!(writer, "{index},")?;
        if let Some(id) = id {
            write!(writer, "{id}")?;
        }
        let model = if is_safe { escape_formula(model) } else { Cow::Borrowed(&**model) };
        let model = match model.contains([',', '"']) || (is_safe && model.contains(';')) {
            true => Cow::Owned(format!("\"{}\"", model.replace('"', "\"\""))),
            false => model,
        };
        let [x, y, z] = matrix.position;
        let Angles { yaw, pitch, roll, scale } = angles;
        let bits = spell_bits(matrix);
        writeln!(writer, ",{model},{x},{y},{z},{yaw:.6},{pitch:.6},{roll:.6},{scale:.6},{bits}")?;
    }
    Ok(())
}

/// Reads objects of a table with a header: columns are found by their names, in any order, and others are passed over. Wanted are
/// `model` and either `matrix` or `x`, `y` and `z`. Where both are there and do not say the same, the numbers count, as somebody
/// has changed them. Numbers that are not finite are only taken where the matrix has them, too.
///
/// # Errors
/// With the line and field that cannot be read.
pub fn read_csv(text: &[u8]) -> Result<Objects, ListError> {
    let text = text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text);
    let mut lines = text.split(|&byte| byte == b'\n').zip(1..);
    let header = lines.next().map(|(line, _)| fields(line, 1)).transpose()?.unwrap_or_default();
    let column = |name: &str| header.iter().position(|field| field.trim_ascii().eq_ignore_ascii_case(name.as_bytes()));
    let missing = |what: &str| ListError::new(1, 0, format!("a column {what} is wanted in the header"));
    let model = column("model").ok_or_else(|| missing("model"))?;
    let id = column("id");
    let bits = column("matrix");
    let place = ["x", "y", "z"].map(column);
    let turn = ["yaw", "pitch", "roll", "scale"].map(column);
    if bits.is_none() && place.contains(&None) {
        return Err(missing("matrix, or x, y and z,"));
    }
    let mut builder = Builder::default();
    for (line, number) in lines.filter(|(line, _)| !line.trim_ascii().is_empty()) {
        let fields = fields(line, number)?;
        let text = |column: Option<usize>| {
            let field = fields.get(column?)?;
            std::str::from_utf8(field).ok().map(str::trim).filter(|text| !text.is_empty())
        };
        let wrong = |column: Option<usize>, problem: &str| {
            ListError::new(number, column.map_or(0, |column| column.saturating_add(1)), problem)
        };
        let read = |column: Option<usize>| -> Result<Option<f64>, ListError> {
            text(column).map(|text| text.parse().map_err(|_| wrong(column, "a number is wanted"))).transpose()
        };
        let name =
            fields.get(model).filter(|name| !name.is_empty()).ok_or_else(|| wrong(Some(model), "a model is wanted"))?;
        let name = Name::new(unescape_bytes(&String::from_utf8_lossy(name)));
        let exact =
            text(bits).map(|text| parse_bits(text).ok_or_else(|| wrong(bits, "twelve hexadecimal words are wanted")));
        let said = Said {
            exact: exact.transpose()?,
            place: [read(place[0])?, read(place[1])?, read(place[2])?],
            turn: [read(turn[0])?, read(turn[1])?, read(turn[2])?, read(turn[3])?],
        };
        let matrix = said.matrix().map_err(|problem| wrong(place[0], problem))?;
        let id = match text(id) {
            Some(text) => Some(text.parse().map_err(|_| wrong(id, "a whole number of 32 bits is wanted"))?),
            None => None,
        };
        let model = builder.model(&name);
        builder.push(model, matrix, id);
    }
    Ok(builder.finish())
}

/// Reads a table of two columns without a header, such as old and new names.
///
/// # Errors
/// With the line that has not two fields.
pub fn read_pairs(text: &[u8]) -> Result<Vec<[Vec<u8>; 2]>, ListError> {
    let text = text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text);
    let lines = text.split(|&byte| byte == b'\n').zip(1..).filter(|(line, _)| !line.trim_ascii().is_empty());
    let pair = |(line, number)| {
        let fields =
            fields(line, number)?.into_iter().map(|field| unescape_bytes(String::from_utf8_lossy(&field).trim()));
        let fields: Result<[Vec<u8>; 2], _> = fields.collect::<Vec<_>>().try_into();
        fields.map_err(|_| ListError::new(number, 0, "an old and a new name are wanted, with a comma between them"))
    };
    lines.map(pair).collect()
}

/// The fields of a line; those in quotes may hold commas, and quotes doubled.
pub(super) fn fields(line: &[u8], number: usize) -> Result<Vec<Vec<u8>>, ListError> {
    let line = line.strip_suffix(b"\r").unwrap_or(line);
    let mut fields = Vec::new();
    let mut field = Vec::new();
    let mut quoted = false;
    let mut bytes = line.iter().copied().peekable();
    while let Some(byte) = bytes.next() {
        match byte {
            b'"' if quoted && bytes.peek() == Some(&b'"') => {
                bytes.next();
                field.push(b'"');
            }
            b'"' => quoted = !quoted,
            b',' if !quoted => fields.push(std::mem::take(&mut field)),
            byte => field.push(byte),
        }
    }
    if quoted {
        return Err(ListError::new(number, fields.len().saturating_add(1), "a quote without its end"));
    }
    fields.push(field);
    Ok(fields)
}

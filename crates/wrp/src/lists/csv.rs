//! CSV lists of objects.

use std::io::{self, Write};

use mapwright_io::unescape_bytes;

use super::{Angles, ListError, Row, RowTransform, format_bits, parse_bits};
use crate::document::{Builder, Name, Objects};
use crate::edit::OBJECT;

/// Columns of a table of objects, which are also fields of queries.
pub const COLUMNS: [&str; 11] = ["index", "id", "model", "x", "y", "z", "yaw", "pitch", "roll", "scale", "matrix"];

/// Columns that tables of all formats can have.
const COLUMNS_OF_QUERIES: [&str; 2] = ["file", "key"];

/// Writes objects as a table: index, ID, model, metres to the east, up and north, degrees, scale, and the bits of the matrix as twelve
/// hexadecimal words. Model names are escaped by [`escape_bytes`](mapwright_io::escape_bytes).
///
/// # Errors
/// Fails if the writer fails.
pub fn write_csv(rows: impl IntoIterator<Item = Row>, mut writer: impl Write) -> io::Result<()> {
    writeln!(writer, "{}", COLUMNS.join(","))?;
    for Row { index, id, model, matrix, angles } in rows {
        let id = id.map(|id| id.to_string()).unwrap_or_default();
        let model = if model.contains([',', '"']) { format!("\"{}\"", model.replace('"', "\"\"")) } else { model };
        let [x, y, z] = matrix.position;
        let Angles { yaw, pitch, roll, scale } = angles;
        let bits = format_bits(&matrix);
        writeln!(writer, "{index},{id},{model},{x},{y},{z},{yaw:.6},{pitch:.6},{roll:.6},{scale:.6},{bits}")?;
    }
    Ok(())
}

/// Reads objects from a table with a header. Columns may be in any order. Semicolons or tabs may separate the fields, as spreadsheets
/// write them where a comma is the decimal sign; numbers may then have decimal commas.
///
/// Other fields of queries, such as `kind`, are ignored. Other columns are errors, because a misspelled name would lose its values.
///
/// The columns `model` and either `matrix` or `x`, `y` and `z` are required. If the matrix and the numbers differ, the numbers
/// win, because somebody has changed them. Numbers that are not finite are accepted only if the matrix has them, too.
///
/// # Errors
/// Fails with the line and field that cannot be read.
pub fn read_csv(text: &[u8]) -> Result<Objects, ListError> {
    read_csv_with(text, [0.0; 2])
}

/// Like [`read_csv`], with positions relative to an origin: its east and north are subtracted.
///
/// # Errors
/// Errors of [`read_csv`].
pub fn read_csv_with(text: &[u8], origin: [f64; 2]) -> Result<Objects, ListError> {
    let (layout, mut lines) = lines(text);
    let header = lines.next().map(|(line, _)| layout.fields(line, 1)).transpose()?.unwrap_or_default();
    let column = |name: &str| header.iter().position(|field| field.trim_ascii().eq_ignore_ascii_case(name.as_bytes()));
    let missing = |what: &str| ListError::new(1, 0, format!("missing column in the header: expected {what}"));
    let model = column("model").ok_or_else(|| missing("model"))?;
    for (index, name) in header.iter().enumerate() {
        let name = String::from_utf8_lossy(name).trim().to_lowercase();
        let wrong = |problem| ListError::new(1, index.saturating_add(1), problem);
        let is_known = OBJECT.find(&name).is_some() || COLUMNS_OF_QUERIES.contains(&&*name);
        if !name.is_empty() && !is_known {
            let help = match mapwright_query::suggestion(&name, COLUMNS) {
                Some(similar) => format!("did you mean {similar}?"),
                None => format!("expected {}", COLUMNS.join(", ")),
            };
            return Err(wrong(format!("unknown column {name}; {help}")));
        }
        if !name.is_empty() && column(&name).is_some_and(|first| first < index) {
            return Err(wrong(format!("duplicate column {name}")));
        }
    }
    let id = column("id");
    let bits = column("matrix");
    let position = ["x", "y", "z"].map(column);
    let angles = ["yaw", "pitch", "roll", "scale"].map(column);
    if bits.is_none() && position.contains(&None) {
        return Err(missing("matrix, or x, y and z"));
    }
    let mut builder = Builder::default();
    for (line, number) in lines.filter(|(line, _)| !line.trim_ascii().is_empty()) {
        let fields = layout.fields(line, number)?;
        // Spreadsheets may end rows with separators.
        let count =
            fields.iter().rposition(|field| !field.trim_ascii().is_empty()).map_or(0, |last| last.saturating_add(1));
        if count > header.len() {
            let help = if layout.separator == b',' { "; decimal commas need `;` as separator" } else { "" };
            let problem = format!("{count} fields, expected {}{help}", header.len());
            return Err(ListError::new(number, 0, problem));
        }
        let text = |column: Option<usize>| {
            let field = fields.get(column?)?;
            std::str::from_utf8(field).ok().map(str::trim).filter(|text| !text.is_empty())
        };
        let wrong = |column: Option<usize>, problem: &str| {
            ListError::new(number, column.map_or(0, |column| column.saturating_add(1)), problem)
        };
        let read = |column: Option<usize>| -> Result<Option<f64>, ListError> {
            let number = |text: &str| {
                layout.number(text).ok_or_else(|| wrong(column, &format!("expected a number, found {text:?}")))
            };
            text(column).map(number).transpose()
        };
        let name =
            fields.get(model).filter(|name| !name.is_empty()).ok_or_else(|| wrong(Some(model), "expected a model"))?;
        let name = Name::new(unescape_bytes(&String::from_utf8_lossy(name)));
        let bits_of_row =
            text(bits).map(|text| parse_bits(text).ok_or_else(|| wrong(bits, "expected twelve hexadecimal words")));
        let transform = RowTransform {
            bits: bits_of_row.transpose()?,
            position: [
                read(position[0])?.map(|x| x - origin[0]),
                read(position[1])?,
                read(position[2])?.map(|z| z - origin[1]),
            ],
            angles: [read(angles[0])?, read(angles[1])?, read(angles[2])?, read(angles[3])?],
        };
        let matrix = transform.to_matrix().map_err(|problem| wrong(position[0], problem))?;
        let id = match text(id) {
            Some(text) => {
                Some(text.parse().map_err(|_| wrong(id, &format!("expected a whole number, found {text:?}")))?)
            }
            None => None,
        };
        let model = builder.add_model(&name);
        builder.push(model, matrix, id);
    }
    Ok(builder.finish())
}

/// Reads a table with two columns and no header, such as old and new names.
///
/// # Errors
/// Fails with the line that does not have two fields.
pub fn read_pairs(text: &[u8]) -> Result<Vec<[Vec<u8>; 2]>, ListError> {
    let (layout, lines) = lines(text);
    let lines = lines.filter(|(line, _)| !line.trim_ascii().is_empty());
    let pair = |(line, number)| {
        let fields = layout
            .fields(line, number)?
            .into_iter()
            .map(|field| unescape_bytes(String::from_utf8_lossy(&field).trim()));
        let fields: Result<[Vec<u8>; 2], _> = fields.collect::<Vec<_>>().try_into();
        fields.map_err(|_| {
            ListError::new(number, 0, "expected an old and a new name, separated by a comma or a semicolon")
        })
    };
    lines.map(pair).collect()
}

/// The signs of a table.
#[derive(Clone, Copy)]
pub(super) struct Layout {
    separator: u8,
}

/// Returns the lines of a table with their numbers. The first line decides whether commas, semicolons or tabs separate fields.
pub(super) fn lines(text: &[u8]) -> (Layout, impl Iterator<Item = (&[u8], usize)>) {
    let text = text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text);
    let lines = text.split(|&byte| byte == b'\n').zip(1..);
    let first = lines.clone().next().map_or(text, |(line, _)| line);
    let count = |separator| Layout { separator }.fields(first, 1).map_or(0, |fields| fields.len());
    let separator = [b',', b';', b'\t'].into_iter().find(|&separator| count(separator) > 1).unwrap_or(b',');
    (Layout { separator }, lines)
}

impl Layout {
    /// Parses a number.
    pub(super) fn number(self, text: &str) -> Option<f64> {
        let text = text.trim();
        if self.separator == b',' { text.parse().ok() } else { text.replace(',', ".").parse().ok() }
    }

    /// Splits a line into fields. A quoted field may contain separators, and doubled quotes.
    pub(super) fn fields(self, line: &[u8], number: usize) -> Result<Vec<Vec<u8>>, ListError> {
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
                byte if byte == self.separator && !quoted => fields.push(std::mem::take(&mut field)),
                byte => field.push(byte),
            }
        }
        if quoted {
            return Err(ListError::new(number, fields.len().saturating_add(1), "unclosed quote"));
        }
        fields.push(field);
        Ok(fields)
    }
}

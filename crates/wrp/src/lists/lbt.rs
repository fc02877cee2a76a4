//! `.lbt`: matrices as text.

use std::io::{self, Write};

use mapwright_io::unescape_bytes;

use super::ListError;
use crate::document::{Builder, Document, Matrix, Name, Objects};

/// Writes all objects as `.lbt`: a line `objects`, a line for each with the twelve numbers of its matrix, a 0 and its model, and a
/// line `end objects`. Numbers have as many digits as they need to be read back as they were; those that are not finite are
/// written, but no list with them is read.
///
/// # Errors
/// Those of the writer.
pub fn write_lbt(document: &Document, mut writer: impl Write) -> io::Result<()> {
    writeln!(writer, "objects")?;
    for row in document.rows() {
        for number in row.matrix.numbers() {
            write!(writer, "{number} ")?;
        }
        writeln!(writer, "0 {}", row.model)?;
    }
    writeln!(writer, "end objects")
}

/// Reads `.lbt`. Objects get no numbers.
///
/// # Errors
/// With the line and field that cannot be read.
pub fn read_lbt(text: &[u8]) -> Result<Objects, ListError> {
    let text = String::from_utf8_lossy(text);
    let mut builder = Builder::default();
    let mut within = false;
    let mut last = 1;
    for (line, number) in text.lines().zip(1..) {
        last = number;
        match line.trim() {
            "" => {}
            "objects" => within = true,
            "end objects" => return Ok(builder.finish()),
            _ if !within => return Err(ListError::new(number, 0, "a list begins with the line objects")),
            line => {
                let mut rest = line;
                let mut numbers = [0.0_f32; 12];
                // The thirteenth is a 0 of unknown meaning.
                for field in 0..13_usize {
                    let (word, behind) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
                    let wrong = || {
                        ListError::new(number, field.saturating_add(1), "twelve numbers, a 0 and a model are wanted")
                    };
                    let value: f32 = word.parse().map_err(|_| wrong())?;
                    if !value.is_finite() {
                        return Err(ListError::new(number, field.saturating_add(1), "a finite number is wanted"));
                    }
                    if let Some(place) = numbers.get_mut(field) {
                        *place = value;
                    }
                    rest = behind.trim_start();
                }
                if rest.is_empty() {
                    return Err(ListError::new(number, 14, "a model is wanted"));
                }
                let model = builder.model(&Name::new(unescape_bytes(rest)));
                builder.push(model, Matrix::from_numbers(numbers), None);
            }
        }
    }
    Err(ListError::new(last, 0, "the line end objects is missing"))
}

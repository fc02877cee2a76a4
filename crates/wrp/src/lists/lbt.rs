//! `.lbt` lists of objects: matrices as text.

use std::io::{self, Write};

use mapwright_io::unescape_bytes;

use super::{ListError, Row};
use crate::document::{Builder, Matrix, Name, Objects};

/// Writes objects as `.lbt`: the line `objects`, a line per object with the twelve numbers of its matrix, a 0 and its model, and
/// the line `end objects`. Numbers have enough digits to restore their bits. Numbers that are not finite are written, but
/// [`read_lbt`] rejects them.
///
/// # Errors
/// Fails if the writer fails.
pub fn write_lbt(rows: impl IntoIterator<Item = Row>, mut writer: impl Write) -> io::Result<()> {
    writeln!(writer, "objects")?;
    for row in rows {
        for number in row.matrix.numbers() {
            write!(writer, "{number} ")?;
        }
        writeln!(writer, "0 {}", row.model)?;
    }
    writeln!(writer, "end objects")
}

/// Reads `.lbt`. The objects have no IDs.
///
/// # Errors
/// Fails with the line and field that cannot be read.
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
            _ if !within => return Err(ListError::new(number, 0, "expected the line `objects` first")),
            line => {
                let mut rest = line;
                let mut numbers = [0.0_f32; 12];
                // The meaning of the thirteenth number, a 0, is unknown.
                for field in 0..13_usize {
                    let (word, remaining) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
                    let wrong = || {
                        let problem = format!("expected twelve numbers, a 0 and a model, found {word:?}");
                        ListError::new(number, field.saturating_add(1), problem)
                    };
                    let value: f32 = word.parse().map_err(|_| wrong())?;
                    if !value.is_finite() {
                        return Err(ListError::new(
                            number,
                            field.saturating_add(1),
                            format!("expected a finite number, found {word:?}"),
                        ));
                    }
                    if let Some(number) = numbers.get_mut(field) {
                        *number = value;
                    }
                    rest = remaining.trim_start();
                }
                if rest.is_empty() {
                    return Err(ListError::new(number, 14, "expected a model"));
                }
                let model = builder.add_model(&Name::new(unescape_bytes(rest)));
                builder.push(model, Matrix::from_numbers(numbers), None);
            }
        }
    }
    Err(ListError::new(last, 0, "expected the line `end objects`"))
}

//! Tables as aligned lines of text.

use std::iter::repeat_n;

use crate::is_unprintable;

/// Maximum width of a column in characters. [`align_columns`] cuts longer cells, which then end with an ellipsis.
pub const MAX_COLUMN: usize = 120;

/// Aligns rows in columns with two spaces between them. Returns a line for each row.
///
/// Columns for which `is_right` returns `true` are aligned to the right, as for numbers. [Unprintable](is_unprintable) characters are
/// escaped, and cells are cut to [`MAX_COLUMN`] characters.
///
/// ```
/// let rows = [["name", "size"], ["a\x1b", "12345"]];
/// let lines = mapwright_io::align_columns(&rows, |column| column == 1);
/// assert_eq!(lines, ["name      size", "a\\u{1b}  12345"]);
/// ```
pub fn align_columns<R: AsRef<[C]>, C: AsRef<str>>(rows: &[R], is_right: impl Fn(usize) -> bool) -> Vec<String> {
    let rows: Vec<Vec<Cell>> =
        rows.iter().map(|row| row.as_ref().iter().map(|cell| Cell::new(cell.as_ref())).collect()).collect();
    let mut widths: Vec<usize> = Vec::new();
    for row in &rows {
        widths.resize(row.len().max(widths.len()), 0);
        for (width, cell) in widths.iter_mut().zip(row) {
            *width = cell.width.max(*width);
        }
    }
    let columns: Vec<(usize, bool)> =
        widths.into_iter().enumerate().map(|(column, width)| (width, is_right(column))).collect();
    let line = |row: &Vec<Cell>| {
        let mut line = String::new();
        for (cell, &(width, is_right)) in row.iter().zip(&columns) {
            // Not with `format!`, which panics if a width has more than 16 bits.
            let padding = repeat_n(' ', width.saturating_sub(cell.width));
            if is_right {
                line.extend(padding);
                line.push_str(&cell.text);
            } else {
                line.push_str(&cell.text);
                line.extend(padding);
            }
            line.push_str("  ");
        }
        line.truncate(line.trim_end().len());
        line
    };
    rows.iter().map(line).collect()
}

/// A cell as it is printed.
struct Cell {
    text: String,
    /// Characters of the text.
    width: usize,
}

impl Cell {
    fn new(whole: &str) -> Self {
        let (mut text, mut width) = (String::new(), 0_usize);
        // The longest start that leaves room for the ellipsis.
        let (mut start, mut start_width) = (0, 0);
        for c in whole.chars() {
            if width < MAX_COLUMN {
                (start, start_width) = (text.len(), width);
            }
            if is_unprintable(c) {
                width = width.saturating_add(c.escape_default().len());
                text.extend(c.escape_default());
            } else {
                width = width.saturating_add(1);
                text.push(c);
            }
            if width > MAX_COLUMN {
                text.truncate(start);
                text.push('…');
                return Self { text, width: start_width.saturating_add(1) };
            }
        }
        Self { text, width }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_cells_are_cut_and_padded_by_their_characters() {
        let long = "é".repeat(70_000);
        let lines = align_columns(&[[&*long, "1"], ["a", "23"]], |column| column == 1);
        assert_eq!(lines[0], format!("{}…   1", "é".repeat(MAX_COLUMN - 1)));
        assert_eq!(lines[1].chars().count(), MAX_COLUMN + 4);
        let fits = "x".repeat(MAX_COLUMN);
        assert_eq!(align_columns(&[[&fits]], |_| false), [&*fits]);
        // An escape sequence is never cut.
        let escaped = "x".repeat(MAX_COLUMN - 1) + "\x1b";
        assert_eq!(align_columns(&[[escaped]], |_| false), [format!("{}…", "x".repeat(MAX_COLUMN - 1))]);
    }

    #[test]
    fn rows_may_be_of_different_lengths() {
        assert_eq!(align_columns::<&[&str], _>(&[&["a"], &[], &["b", "c"]], |_| false), ["a", "", "b  c"]);
    }
}

//! Rows of values, for people and for programs.

use std::fmt::Write;

use crate::text::clean;

/// Columns below each other, those of numbers at the right.
pub(crate) fn table(rows: &[Vec<String>], is_number: impl Fn(usize) -> bool) -> String {
    let clean: Vec<Vec<String>> = rows.iter().map(|row| row.iter().map(|cell| clean(cell)).collect()).collect();
    let mut widths: Vec<usize> = Vec::new();
    for row in &clean {
        widths.resize(row.len().max(widths.len()), 0);
        for (width, cell) in widths.iter_mut().zip(row) {
            *width = cell.chars().count().max(*width);
        }
    }
    let mut out = String::new();
    for row in &clean {
        let mut line = String::new();
        for (column, (cell, &width)) in row.iter().zip(&widths).enumerate() {
            let _ = match is_number(column) {
                true => write!(line, "{cell:>width$}  "),
                false => write!(line, "{cell:<width$}  "),
            };
        }
        out.push_str(line.trim_end());
        out.push('\n');
    }
    out
}

/// As RFC 4180 has it.
pub(crate) fn csv(rows: &[Vec<String>]) -> String {
    let cell = |cell: &String| match cell.contains(['"', ',', '\r', '\n']) {
        true => format!("\"{}\"", cell.replace('"', "\"\"")),
        false => cell.clone(),
    };
    rows.iter().map(|row| row.iter().map(cell).collect::<Vec<_>>().join(",") + "\r\n").collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_with_commas_are_quoted() {
        let row = ["a, \"b\"", "c"].map(str::to_owned).to_vec();
        assert_eq!(csv(&[row]), "\"a, \"\"b\"\"\",c\r\n");
    }

    #[test]
    fn numbers_stand_at_the_right() {
        let rows = [["name", "size"], ["a", "12345"]].map(|row| row.map(str::to_owned).to_vec());
        assert_eq!(table(&rows, |column| column == 1), "name   size\na     12345\n");
    }
}

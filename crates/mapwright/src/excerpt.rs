//! Excerpts of files as text for people: the bytes or the line at a place.
//!
//! Each line begins with an indent. Characters that are not printable ASCII become points or spaces, so that the text is safe for terminals.

use std::fmt::{self, Write};

/// Bytes in a row of hexadecimal.
const ROW: usize = 16;

/// Formats rows of hexadecimal, with a caret below the byte at offset `at`. `start` is the offset of the first byte.
pub fn hex_rows(start: u64, bytes: &[u8], at: Option<u64>, indent: &str) -> String {
    let mut out = String::new();
    for (index, row) in bytes.chunks(ROW).enumerate() {
        let offset = start.saturating_add((index * ROW) as u64);
        let _ = writeln!(out, "{indent}{}", HexRow { offset, row });
        if let Some(column) = at.and_then(|at| at.checked_sub(offset)).filter(|&column| column < ROW as u64) {
            let column = usize::try_from(column).unwrap_or_default();
            let _ = writeln!(out, "{indent}{:width$}^^", "", width = 10 + 3 * column);
        }
    }
    out
}

/// Formats a line of a text with a caret below the column. Both are counted from 1; column 0 has no caret. From a long line, it returns the
/// part around the column.
pub fn text_line(text: &[u8], line: u64, column: u64, indent: &str) -> String {
    const BEFORE: usize = 60;
    const SHOWN: usize = 100;
    let index = usize::try_from(line.saturating_sub(1)).unwrap_or(usize::MAX);
    let Some(bytes) = text.split(|&byte| byte == b'\n').nth(index) else { return String::new() };
    let at = usize::try_from(column.saturating_sub(1)).unwrap_or(usize::MAX).min(bytes.len());
    let start = at.saturating_sub(BEFORE);
    let shown = bytes.get(start..).unwrap_or_default();
    let shown = shown.get(..SHOWN).unwrap_or(shown);
    let plain = |&byte: &u8| if byte.is_ascii_graphic() || byte == b' ' { char::from(byte) } else { ' ' };
    let number = line.to_string();
    let mut out = format!("{indent}{number}  {}\n", shown.iter().map(plain).collect::<String>().trim_end());
    if column > 0 {
        let _ = writeln!(out, "{indent}{:width$}^", "", width = number.len() + 2 + at.saturating_sub(start));
    }
    out
}

/// A row of hexadecimal: `00000010  01 02 …  text`.
struct HexRow<'a> {
    offset: u64,
    row: &'a [u8],
}

impl fmt::Display for HexRow<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let hex: Vec<String> = self.row.iter().map(|byte| format!("{byte:02x}")).collect();
        let plain = |&byte: &u8| if byte.is_ascii_graphic() || byte == b' ' { char::from(byte) } else { '.' };
        let text: String = self.row.iter().map(plain).collect();
        write!(f, "{:08x}  {:<47}  {}", self.offset, hex.join(" "), text.trim_end())
    }
}

/// Formats two excerpts from one place, row by row: `-` is the expected data, `+` the data found.
pub fn hex_difference(start: u64, expected: &[u8], found: &[u8], indent: &str) -> String {
    let mut out = String::new();
    let mut rows = (expected.chunks(ROW), found.chunks(ROW));
    let mut offset = start;
    loop {
        let (old, new) = (rows.0.next(), rows.1.next());
        if old.is_none() && new.is_none() {
            return out;
        }
        let both = [(if old == new { ' ' } else { '-' }, old), ('+', new.filter(|_| old != new))];
        for (sign, row) in both {
            if let Some(row) = row {
                let _ = writeln!(out, "{indent}{sign} {}", HexRow { offset, row });
            }
        }
        offset = offset.saturating_add(ROW as u64);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_byte_is_marked() {
        let rows = hex_rows(16, b"0123456789abcdefXY", Some(33), "| ");
        let lines: Vec<&str> = rows.lines().collect();
        assert_eq!(lines[1], "| 00000020  58 59                                            XY");
        assert_eq!(lines[2].find('^'), lines[1].find("59"));
    }

    #[test]
    fn the_column_is_marked() {
        assert_eq!(text_line(b"v 1 2 3\nv 1 x 3\n", 2, 5, "| "), "| 2  v 1 x 3\n|        ^\n");
        assert_eq!(text_line(b"v 1", 1, 0, ""), "1  v 1\n");
        assert_eq!(text_line(b"v 1", 7, 1, ""), "");
        let long = text_line(&[b'x'; 10_000], 1, 5000, "");
        assert!(long.len() < 200 && long.ends_with("^\n"), "{long}");
    }

    #[test]
    fn differing_rows_are_printed_in_pairs() {
        let rows = hex_difference(0, &[7; 20], &[[7; 16].as_slice(), &[7, 8]].concat(), "");
        let signs: Vec<char> = rows.lines().filter_map(|line| line.chars().next()).collect();
        assert_eq!(signs, [' ', '-', '+']);
    }
}

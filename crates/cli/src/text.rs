//! Numbers, names and bytes as text for people.

use std::fmt::{self, Write};

use mapwright::Contents;
use mapwright::io::{format_count, is_unprintable};

/// Bytes in a row of hexadecimal.
const ROW: usize = 16;

/// Formats a number of bytes: `447 bytes`, `12.3 KiB`.
pub(crate) fn size(bytes: u64) -> String {
    const UNITS: [&str; 4] = ["KiB", "MiB", "GiB", "TiB"];
    if bytes == 1 {
        return "1 byte".to_owned();
    }
    if bytes < 1024 {
        return format_count(bytes, "byte");
    }
    #[expect(clippy::cast_precision_loss, reason = "shown with one decimal")]
    let mut value = bytes as f64 / 1024.0;
    let mut unit = 0;
    while value >= 1023.95 && unit + 1 < UNITS.len() {
        value /= 1024.0;
        unit += 1;
    }
    format!("{value:.1} {}", UNITS.get(unit).copied().unwrap_or_default())
}

/// Lists the contents of a scene.
pub(crate) fn contents_line(contents: &Contents) -> String {
    let Contents {
        nodes,
        meshes,
        vertices,
        faces,
        brushes,
        instances,
        materials,
        images,
        lights,
        cameras,
        elements,
        ..
    } = *contents;
    let all = [
        (nodes, "node"),
        (meshes, "mesh"),
        (vertices, "vertex"),
        (faces, "face"),
        (brushes, "brush"),
        (instances, "instance"),
        (materials, "material"),
        (images, "image"),
        (lights, "light"),
        (cameras, "camera"),
        (elements, "element"),
    ];
    let counts: Vec<String> =
        all.iter().filter(|(number, _)| *number > 0).map(|&(number, one)| format_count(number, one)).collect();
    if counts.is_empty() { "nothing".to_owned() } else { counts.join(", ") }
}

/// Makes text that may contain parts of a file safe for a terminal.
pub(crate) fn clean(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    text.chars().for_each(|c| push_clean(&mut safe, c));
    safe
}

/// Adds a character, escaped where it must not get to a terminal as it is.
fn push_clean(out: &mut String, c: char) {
    if is_unprintable(c) { out.extend(c.escape_default()) } else { out.push(c) }
}

/// Makes bytes safe for a terminal, piece by piece: characters as [`clean`] does, but for tabs and ends of lines, and bytes
/// that are not UTF-8 as `\xHH`.
#[derive(Debug, Default)]
pub(crate) struct CleanBytes {
    /// The start of a character, or a carriage return, at the end of the last piece.
    rest: Vec<u8>,
}

impl CleanBytes {
    /// Returns the next piece. The start of a character waits for the rest of it.
    pub(crate) fn next(&mut self, bytes: &[u8]) -> String {
        let mut piece = std::mem::take(&mut self.rest);
        piece.extend_from_slice(bytes);
        let waits = match piece.last() {
            Some(b'\r') => 1,
            _ => piece.utf8_chunks().last().map_or(0, |chunk| {
                let is_started = std::str::from_utf8(chunk.invalid()).is_err_and(|error| error.error_len().is_none());
                if is_started { chunk.invalid().len() } else { 0 }
            }),
        };
        self.rest = piece.split_off(piece.len() - waits);
        safe_lines(&piece)
    }

    /// Returns what still waits, at the end.
    pub(crate) fn finish(&mut self) -> String {
        safe_lines(&std::mem::take(&mut self.rest))
    }
}

fn safe_lines(bytes: &[u8]) -> String {
    let mut out = String::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        let mut chars = chunk.valid().chars().peekable();
        while let Some(c) = chars.next() {
            match c {
                '\n' | '\t' => out.push(c),
                '\r' if chars.peek() == Some(&'\n') => out.push(c),
                _ => push_clean(&mut out, c),
            }
        }
        for byte in chunk.invalid() {
            // Writing to a string does not fail.
            let _ = write!(out, "\\x{byte:02x}");
        }
    }
    out
}

/// Takes text of several lines, each of them made safe for a terminal and with an indent.
pub(crate) struct CleanLines<'a> {
    out: &'a mut String,
    indent: &'static str,
    is_start: bool,
}

impl<'a> CleanLines<'a> {
    pub(crate) fn new(out: &'a mut String, indent: &'static str) -> Self {
        Self { out, indent, is_start: true }
    }
}

impl Write for CleanLines<'_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        for c in text.chars() {
            if std::mem::take(&mut self.is_start) {
                self.out.push_str(self.indent);
            }
            match c {
                '\n' => {
                    self.is_start = true;
                    self.out.push(c);
                }
                _ => push_clean(self.out, c),
            }
        }
        Ok(())
    }
}

/// Rows of hexadecimal with a caret below the byte at `at`.
pub(crate) fn hex_rows(start: u64, bytes: &[u8], at: Option<u64>, indent: &str) -> String {
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

/// A line of a text with a caret below the column, both counted from 1; no caret for column 0. Of long lines the part
/// around the column.
pub(crate) fn text_line(text: &[u8], line: u64, column: u64, indent: &str) -> String {
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
pub(crate) struct HexRow<'a> {
    pub(crate) offset: u64,
    pub(crate) row: &'a [u8],
}

impl fmt::Display for HexRow<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let hex: Vec<String> = self.row.iter().map(|byte| format!("{byte:02x}")).collect();
        let plain = |&byte: &u8| if byte.is_ascii_graphic() || byte == b' ' { char::from(byte) } else { '.' };
        let text: String = self.row.iter().map(plain).collect();
        write!(f, "{:08x}  {:<47}  {}", self.offset, hex.join(" "), text.trim_end())
    }
}

/// Two excerpts from one place, row by row: `-` is the expected data, `+` the data found.
pub(crate) fn hex_difference(start: u64, expected: &[u8], found: &[u8], indent: &str) -> String {
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
    fn sizes_are_readable() {
        let sizes = [0, 1, 1023, 1024, 1_048_575, 1_048_576, 7_413_000];
        let expected = ["0 bytes", "1 byte", "1023 bytes", "1.0 KiB", "1.0 MiB", "1.0 MiB", "7.1 MiB"];
        assert_eq!(sizes.map(size), expected);
        let counts =
            [format_count(1, "loss"), format_count(2, "loss"), format_count(2, "vertex"), format_count(0, "face")];
        assert_eq!(counts, ["1 loss", "2 losses", "2 vertices", "0 faces"]);
    }

    #[test]
    fn control_characters_never_reach_the_terminal() {
        assert_eq!(clean("a \"b\" \x1b[31m\u{9b}\n"), "a \"b\" \\u{1b}[31m\\u{9b}\\n");
        let mut out = String::new();
        write!(CleanLines::new(&mut out, "  "), "a\x1b{}b\u{202e}", "\n\n".to_owned()).unwrap();
        assert_eq!(out, "  a\\u{1b}\n  \n  b\\u{202e}");
        for c in
            ['\u{61c}', '\u{200d}', '\u{200f}', '\u{2028}', '\u{202a}', '\u{2069}', '\u{feff}', '\u{ad}', '\u{e0041}']
        {
            let escaped = format!("a{}b", c.escape_unicode());
            assert_eq!(clean(&format!("a{c}b")), escaped);
        }
    }

    #[test]
    fn bytes_are_safe_however_they_are_cut() {
        let bytes = b"a\tb\r\nc\rd\x1b[2J \x9b1m \xc2\x9b \xe2\x80\xae \xc3\xa9 \xf0\x9f\x98\x80 \xe2\x80";
        let safe = "a\tb\r\nc\\rd\\u{1b}[2J \\x9b1m \\u{9b} \\u{202e} \u{e9} \u{1f600} \\xe2\\x80";
        for size in 1..=bytes.len() {
            let mut clean = CleanBytes::default();
            let mut all: String = bytes.chunks(size).map(|piece| clean.next(piece)).collect();
            all += &clean.finish();
            assert_eq!(all, safe, "{size}");
        }
    }

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

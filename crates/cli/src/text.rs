//! Text for people, safe for terminals.

use std::fmt::{self, Write};

use mapwright::Contents;
use mapwright::io::{format_count, is_unprintable};

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_readable() {
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
}

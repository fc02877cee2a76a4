//! Independent decoders in another language, as witnesses of the results of a reader.
//!
//! Both sides print one line per fact, with `file …` before the facts of each file. The lines are compared.

use std::fmt::Write as _;
use std::io::{self, Write as _};
use std::path::PathBuf;
use std::process::Command;

use crate::workspace;

/// Returns the output of a Python script. Its arguments are the folder of the other decoders, `../shared/oracles` beside the workspace, and
/// the files. Without that folder or without Python, returns `None` and reports that on standard error.
///
/// # Panics
/// If the script fails, or its output is not UTF-8.
pub fn ask(script: &str, files: &[PathBuf]) -> Option<String> {
    let oracles = workspace().parent()?.join("shared/oracles");
    let output = Command::new("python3").args(["-c", script]).arg(&oracles).args(files).output();
    match output {
        Ok(output) if oracles.is_dir() => {
            assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
            Some(String::from_utf8(output.stdout).expect("the script prints text"))
        }
        _ => {
            // eprintln! would be captured by the test harness.
            let _ = writeln!(io::stderr(), "SKIPPED: no python3 or no ../shared/oracles to compare with");
            None
        }
    }
}

/// Compares two texts line by line, ignoring spaces at the ends of lines.
///
/// # Panics
/// If a line differs. Reports the first difference and its file.
pub fn agree(ours: &str, theirs: &str) {
    let different = ours.lines().zip(theirs.lines()).position(|(ours, theirs)| ours.trim_end() != theirs.trim_end());
    if let Some(line) = different {
        let of = |text: &str| text.lines().nth(line).map(|line| line.chars().take(400).collect::<String>());
        let file = ours.lines().take(line + 1).filter(|line| line.starts_with("file")).last();
        panic!("{file:?} line {line}:\n{:?}\n{:?}", of(ours), of(theirs));
    }
    assert_eq!(ours.lines().count(), theirs.lines().count(), "one side has more to say");
}

/// Formats bytes like `bytes.hex()` of Python.
pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

/// Returns the Adler-32 of bytes like `zlib.adler32` of Python. Long lists are compared by it.
pub fn adler32(bytes: &[u8]) -> u32 {
    let (mut a, mut b) = (1, 0);
    for byte in bytes {
        a = (a + u32::from(*byte)) % 65_521;
        b = (b + a) % 65_521;
    }
    b << 16 | a
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_formatted_as_in_python() {
        assert_eq!((hex(b"\x00\xffA"), adler32(b"Wikipedia")), ("00ff41".to_owned(), 0x11E6_0398));
    }

    #[test]
    fn spaces_at_the_ends_do_not_count() {
        agree("file a\nsize 1\n", "file a \nsize 1");
    }

    #[test]
    #[should_panic(expected = "Some(\"file b\") line 3:\nSome(\"size 2\")\nSome(\"size 3\")")]
    fn differences_are_reported() {
        agree("file a\nsize 1\nfile b\nsize 2\n", "file a\nsize 1\nfile b\nsize 3\n");
    }

    #[test]
    #[should_panic(expected = "one side has more to say")]
    fn a_line_more_is_a_difference() {
        agree("file a\n", "file a\nsize 1\n");
    }
}

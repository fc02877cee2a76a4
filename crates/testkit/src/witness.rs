//! Decoders in another language, written apart from the project, as witnesses of what a reader finds.
//!
//! Both sides print a line per fact, `file …` before the facts of each file; the lines are then compared.

use std::fmt::Write as _;
use std::io::{self, Write as _};
use std::path::PathBuf;
use std::process::Command;

use crate::workspace;

/// What a Python script prints that is run with the folder of the other decoders, `../shared/oracles` beside the workspace, as its
/// first argument and the files behind it. `None`, which is said on standard error, without that folder or without Python.
///
/// # Panics
/// When the script fails, or prints other than UTF-8.
pub fn ask(script: &str, files: &[PathBuf]) -> Option<String> {
    let oracles = workspace().parent()?.join("shared/oracles");
    let output = Command::new("python3").args(["-c", script]).arg(&oracles).args(files).output();
    match output {
        Ok(output) if oracles.is_dir() => {
            assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
            Some(String::from_utf8(output.stdout).expect("the script prints text"))
        }
        _ => {
            // Not eprintln!, which the test harness swallows.
            let _ = writeln!(io::stderr(), "SKIPPED: no python3 or no ../shared/oracles to compare with");
            None
        }
    }
}

/// Compares line by line; spaces at the ends of lines do not count.
///
/// # Panics
/// When the lines are not the same, with the first that differ and the file that they speak of.
pub fn agree(ours: &str, theirs: &str) {
    let different = ours.lines().zip(theirs.lines()).position(|(ours, theirs)| ours.trim_end() != theirs.trim_end());
    if let Some(line) = different {
        let of = |text: &str| text.lines().nth(line).map(|line| line.chars().take(400).collect::<String>());
        let file = ours.lines().take(line + 1).filter(|line| line.starts_with("file")).last();
        panic!("{file:?} line {line}:\n{:?}\n{:?}", of(ours), of(theirs));
    }
    assert_eq!(ours.lines().count(), theirs.lines().count(), "one side has more to say");
}

/// Bytes in digits, as `bytes.hex()` of Python.
pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

/// Adler-32 of bytes, as `zlib.adler32` of Python: long lists are compared by it.
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
    fn bytes_are_said_as_python_says_them() {
        assert_eq!((hex(b"\x00\xffA"), adler32(b"Wikipedia")), ("00ff41".to_owned(), 0x11E6_0398));
    }

    #[test]
    fn spaces_at_the_ends_do_not_count() {
        agree("file a\nsize 1\n", "file a \nsize 1");
    }

    #[test]
    #[should_panic(expected = "Some(\"file b\") line 3:\nSome(\"size 2\")\nSome(\"size 3\")")]
    fn what_differs_is_said() {
        agree("file a\nsize 1\nfile b\nsize 2\n", "file a\nsize 1\nfile b\nsize 3\n");
    }

    #[test]
    #[should_panic(expected = "one side has more to say")]
    fn a_line_more_is_a_difference() {
        agree("file a\n", "file a\nsize 1\n");
    }
}

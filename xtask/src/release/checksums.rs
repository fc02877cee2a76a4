//! `SHA256SUMS`: the checksums of the files of a release, in the format of `sha256sum`.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use sha2::{Digest as _, Sha256};

use super::failed;
use crate::run::Outcome;

pub(super) const NAME: &str = "SHA256SUMS";

/// The ends of the names of release files. Other files may be in the same folder.
const SUFFIXES: [&str; 3] = [".tar.gz", ".zip", ".deb"];

/// Writes the checksums of all release files in a folder.
pub(super) fn write(folder: &Path) -> Outcome {
    let mut text = String::new();
    for name in names(folder)? {
        let path = folder.join(&name);
        let bytes = fs::read(&path).map_err(|error| failed(&path, &error))?;
        let _ = writeln!(text, "{}  {name}", sha256(&bytes));
    }
    let path = folder.join(NAME);
    fs::write(&path, text).map_err(|error| failed(&path, &error))
}

/// Returns the names of the release files in a folder, in order.
pub(super) fn names(folder: &Path) -> Result<Vec<String>, String> {
    let entries = fs::read_dir(folder).map_err(|error| failed(folder, &error))?;
    let names = entries.filter_map(Result::ok).filter_map(|entry| entry.file_name().into_string().ok());
    let mut names: Vec<String> = names.filter(|name| SUFFIXES.iter().any(|suffix| name.ends_with(suffix))).collect();
    names.sort();
    Ok(names)
}

/// Returns the checksum of a file.
pub(super) fn find<'a>(text: &'a str, name: &str) -> Result<&'a str, String> {
    let lines = text.lines().filter_map(|line| line.split_once("  "));
    let sum = lines.into_iter().find(|(_, file)| *file == name).map(|(sum, _)| sum);
    let sum = sum.ok_or_else(|| format!("{NAME} has no line for {name}"))?;
    let is_digit = |byte: u8| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte);
    if sum.len() == 64 && sum.bytes().all(is_digit) {
        Ok(sum)
    } else {
        Err(format!("invalid checksum {sum:?} of {name} in {NAME}: expected 64 hexadecimal digits"))
    }
}

fn sha256(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn checksums_are_those_of_the_standard() {
        // FIPS 180-2, B.1.
        assert_eq!(sha256(b"abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    }

    #[test]
    fn checksums_are_found_by_the_whole_name() {
        let sum = sha256(b"abc");
        let text = format!("{}  x-1.tar.gz.old\n{sum}  x-1.tar.gz\nshort  y\n", sha256(b"old"));
        assert_eq!(find(&text, "x-1.tar.gz").unwrap(), sum);
        assert!(find(&text, "x-1").unwrap_err().contains("no line for x-1"));
        assert!(find(&text, "y").unwrap_err().contains("invalid checksum"));
    }
}

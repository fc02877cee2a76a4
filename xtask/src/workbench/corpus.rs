//! `cargo xtask corpus`: every file below folders, read and written.

use std::path::{Path, PathBuf};
use std::{env, fs};

use mapwright::{AnyDocument, ReadOptions, detect};
use mapwright_testkit::{files_below, hexdiff};

use crate::verdicts;

/// What became of a file.
enum Verdict {
    /// Of no format that is known.
    Unknown,
    Exact,
    Refused(String),
    Differs(String),
}

pub(crate) fn corpus(args: &[String]) -> Result<(), String> {
    if args.is_empty() || args.iter().any(|arg| arg.starts_with('-')) {
        return Err("usage: cargo xtask corpus DIR...".to_owned());
    }
    let (mut exact, mut bytes, mut refused, mut expected, mut unknown, mut differ) = (0, 0, 0, 0, 0, 0);
    for file in args.iter().flat_map(|arg| files_of(Path::new(arg))) {
        let content = fs::read(&file).map_err(|error| format!("{}: {error}", file.display()))?;
        match roundtrip(&file, &content) {
            Verdict::Unknown => unknown += 1,
            Verdict::Exact => {
                exact += 1;
                bytes += content.len();
            }
            Verdict::Refused(_) if verdicts::is_refusal_listed(&file) => expected += 1,
            Verdict::Refused(error) => {
                refused += 1;
                println!("REFUSED {}: {error}", file.display());
            }
            Verdict::Differs(diff) => {
                differ += 1;
                println!("DIFFERS {}: {diff}", file.display());
            }
        }
    }
    println!(
        "corpus: {exact} byte for byte ({bytes} bytes), {differ} different, {refused} refused, \
         {expected} refused as listed, {unknown} of no known format"
    );
    match (differ + refused, exact) {
        (0, 0) => Err("no file was of a known format".to_owned()),
        (0, _) => Ok(()),
        (count, _) => Err(format!("not every file comes back as it was, see above: {count}")),
    }
}

fn files_of(path: &Path) -> Vec<PathBuf> {
    let here = env::current_dir().unwrap_or_default().join(path);
    if here.is_file() { vec![here] } else { files_below(&here) }
}

fn roundtrip(file: &Path, bytes: &[u8]) -> Verdict {
    // Formats for interchange are read into a scene, not kept.
    let format = detect(bytes, Some(file)).format.filter(|format| format.access().lossless);
    let Some(format) = format else { return Verdict::Unknown };
    let written = match AnyDocument::from_bytes_as(bytes, format, &ReadOptions::default()) {
        Ok(document) => document.to_bytes(),
        Err(error) => return Verdict::Refused(error.to_string()),
    };
    match written {
        Ok(written) => hexdiff(bytes, &written).map_or(Verdict::Exact, Verdict::Differs),
        Err(error) => Verdict::Differs(format!("it is not written: {error}")),
    }
}

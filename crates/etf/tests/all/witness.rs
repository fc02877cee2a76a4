//! L7: an independent decoder in another language reads the same terms.

use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{fs, io};

use mapwright_etf::{Document, Tag, Term, WriterProfile};
use mapwright_io::format_shortest;
use mapwright_testkit::{corpus, files_below, workspace};

/// Returns the path of the other decoder, if this machine has it and its interpreter.
fn oracle() -> Option<PathBuf> {
    let script = workspace().parent()?.join("shared/oracles/etf_dump.py");
    let runs = Command::new("python3").arg("--version").output().is_ok_and(|output| output.status.success());
    if script.is_file() && runs {
        return Some(script);
    }
    let _ = writeln!(io::stderr(), "SKIPPED: no python3 or no ../shared/oracles/etf_dump.py to compare with");
    None
}

fn ask(oracle: &Path, arguments: &[&str], file: &Path) -> String {
    let output = Command::new("python3").arg(oracle).args(arguments).arg(file).output().unwrap();
    assert!(output.status.success(), "{}: {}", file.display(), String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// Returns files that the other decoder reads quickly, and their documents.
fn samples() -> Vec<(PathBuf, Document)> {
    let Some(folder) = corpus("wings") else { return Vec::new() };
    let mut samples = Vec::new();
    // The other decoder is slow for large files.
    let mut left = 30_000;
    let mut files: Vec<(usize, PathBuf)> = Vec::new();
    for path in files_below(&folder).into_iter().filter(|path| path.extension().is_some_and(|end| end == "wings")) {
        files.push((usize::try_from(fs::metadata(&path).unwrap().len()).unwrap(), path));
    }
    files.sort();
    // Every third file, so that larger ones are included.
    for (size, path) in files.into_iter().step_by(3) {
        left -= size.min(left);
        if left == 0 {
            break;
        }
        // 15 bytes of magic and a length precede the payload.
        if let Some(Ok(document)) = fs::read(&path).unwrap().get(19..).map(Document::from_bytes) {
            samples.push((path, document));
        }
    }
    assert!(samples.len() > 5, "{}", samples.len());
    samples
}

/// Prints a line per term in the format of the other decoder: offset, depth, tag, value.
fn dump(document: &Document) -> String {
    let mut text = String::new();
    let mut ends = Vec::new();
    for term in document.tree().root().descendants() {
        let range = term.range();
        while ends.last().is_some_and(|&end| range.start >= end) {
            ends.pop();
        }
        let name = term.tag().name().unwrap();
        writeln!(text, "{:08} {:indent$}{name} {}", range.start, "", leaf(term), indent = 2 * ends.len()).unwrap();
        ends.push(range.end);
    }
    text
}

fn leaf(term: Term<'_>) -> String {
    let hex = |bytes: &[u8]| bytes.iter().take(64).fold(String::new(), |hex, byte| format!("{hex}{byte:02x}"));
    let bytes = term.as_bytes();
    match term.tag() {
        Tag::SMALL_TUPLE | Tag::LARGE_TUPLE => term.children().len().to_string(),
        Tag::LIST => (term.children().len() - 1).to_string(),
        Tag::MAP => (term.children().len() / 2).to_string(),
        Tag::STRING => format!("{} {}", bytes.len() - 3, hex(&bytes[3..])),
        Tag::BINARY => format!("{} {}", bytes.len() - 5, hex(&bytes[5..])),
        Tag::NIL => String::new(),
        Tag::FLOAT => format!("text:\"{}\"", String::from_utf8_lossy(&bytes[1..]).trim_end_matches('\0')),
        Tag::NEW_FLOAT => format!("bits:{}", hex(&bytes[1..])),
        _ => term.to_text(),
    }
}

/// Rewrites all floats in their shortest form with a point. Python writes `1e-05` for `1.0e-5`.
fn normalize_floats(text: &str) -> String {
    let mut out = String::new();
    let mut quoted = None;
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let digit = |c: char| c.is_ascii_digit() || matches!(c, '.' | 'e' | '+' | '-');
        let number = &rest[..rest.find(|c| !digit(c)).unwrap_or(rest.len())];
        let next = out.chars().last();
        if quoted.is_none()
            && next.is_none_or(|c| "[{,|".contains(c) || c == ' ')
            && number.contains(['.', 'e'])
            && let Ok(value) = number.parse::<f64>()
        {
            out.push_str(&format_shortest(value));
            rest = &rest[number.len()..];
            continue;
        }
        let length = if c == '\\' { 2 } else { c.len_utf8() };
        match quoted {
            Some(quote) if c == quote => quoted = None,
            None if c == '"' || c == '\'' => quoted = Some(c),
            _ => {}
        }
        out.push_str(&rest[..length]);
        rest = &rest[length..];
    }
    out
}

#[test]
#[ignore = "needs the corpus"]
fn another_decoder_reads_the_same_terms_of_the_corpus() {
    let Some(oracle) = oracle() else { return };
    for (path, document) in samples() {
        // The first line describes the file; floats are compared by their bits.
        let theirs = ask(&oracle, &["dump"], &path);
        let theirs = theirs.lines().skip(1).map(|line| match line.split_once(" NEW_FLOAT ") {
            Some((head, value)) => format!("{head} NEW_FLOAT {}", value.split_once(' ').unwrap().1),
            None => line.to_owned(),
        });
        let ours = dump(&document);
        assert_eq!(theirs.clone().count(), ours.lines().count(), "{}", path.display());
        for (theirs, ours) in theirs.zip(ours.lines()) {
            assert_eq!(theirs, ours, "{}", path.display());
        }
    }
}

#[test]
#[ignore = "needs the corpus"]
fn another_decoder_prints_the_same_text_of_the_corpus() {
    let Some(oracle) = oracle() else { return };
    for (path, document) in samples() {
        let theirs = normalize_floats(ask(&oracle, &["erl"], &path).trim_end());
        assert!(theirs == document.tree().to_string(), "{}: {theirs:.1000}\n{:.1000}", path.display(), document.tree());
    }
}

#[test]
#[ignore = "needs the corpus"]
fn another_decoder_detects_the_same_profiles_in_the_corpus() {
    let Some(oracle) = oracle() else { return };
    for (path, document) in samples() {
        let theirs = ask(&oracle, &["canon"], &path);
        let root = document.tree().root();
        let mut ours: Vec<&str> = WriterProfile::ALL
            .into_iter()
            .filter(|profile| profile.first_deviation(root).is_none())
            .map(WriterProfile::name)
            .collect();
        ours.sort_unstable();
        let ours = if ours.is_empty() { "none".to_owned() } else { ours.join(" ") };
        assert_eq!(theirs.trim_end().rsplit(": ").next(), Some(&*ours), "{}", path.display());
    }
}

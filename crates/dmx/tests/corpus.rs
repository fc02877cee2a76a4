//! Real files, where the corpus is there.

use mapwright_dmx::{Document, Profile};
use mapwright_testkit::{corpus, files_below};

/// Binary files of the corpus that can be read.
fn binaries() -> Vec<(String, Vec<u8>)> {
    let folders = ["dmx", "vmap"].into_iter().filter_map(corpus);
    let paths: Vec<_> = folders.flat_map(|folder| files_below(&folder)).collect();
    if paths.is_empty() {
        eprintln!("SKIPPED: the corpus is not there");
    }
    let files = paths.into_iter().map(|path| (path.display().to_string(), std::fs::read(path).unwrap()));
    files
        .filter(|(name, bytes)| {
            bytes.starts_with(b"<!--")
                && bytes.get(..200).unwrap_or(bytes).windows(2).any(|two| two == b"\n\0")
                && !name.contains("/bad_")
                && !name.contains("damaged")
        })
        .collect()
}

#[test]
fn binary_files_come_back_byte_for_byte() {
    for (name, bytes) in binaries() {
        let document = Document::from_bytes(&bytes).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert!(document.to_bytes().unwrap() == bytes, "{name}");
    }
}

#[test]
fn maps_are_laid_out_as_hammer_does() {
    for (name, bytes) in binaries() {
        let mut document = Document::from_bytes(&bytes).unwrap();
        eprintln!("{name}: {:?} {}", document.profile(), document.strings.len());
        if let Some(profile) = document.profile() {
            document.lay_out(profile);
            assert!(document.to_bytes().unwrap() == bytes, "{name}");
        }
        assert!(!name.ends_with(".vmap") || document.profile() == Some(Profile::Valve), "{name}");
    }
}

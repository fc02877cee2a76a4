//! Every real file comes back byte for byte.
#![cfg(any(feature = "wings", feature = "vmap", feature = "wwd"))]

use std::fs;
use std::path::Path;

use mapwright::{Format, ReadOptions, Roundtrip, detect, roundtrip};
use mapwright_testkit::{corpus, files_below};

/// Reads and writes all files of some formats below a folder of the corpus. Those that may be refused must not be most.
fn comes_back(folder: &str, formats: &[&str], may_be_refused: impl Fn(&Path) -> bool) {
    let Some(folder) = corpus(folder) else { return };
    let (mut exact, mut refused) = (0, 0);
    for path in files_below(&folder) {
        let bytes = fs::read(&path).unwrap();
        let is_wanted = |format: &Format| formats.contains(&format.name());
        let Some(format) = detect(&bytes, Some(&path)).format.filter(is_wanted) else { continue };
        match roundtrip(&bytes, format, &ReadOptions::default()) {
            Ok(outcome) => {
                assert_eq!(outcome, Roundtrip::Exact, "{}", path.display());
                exact += 1;
            }
            Err(error) => {
                assert!(may_be_refused(&path), "{}: {error}", path.display());
                refused += 1;
            }
        }
    }
    assert!(exact > refused, "{exact} exact, {refused} refused");
}

#[cfg(feature = "wings")]
#[test]
#[ignore = "needs the corpus"]
fn wings_files_of_the_corpus_are_written_back_byte_for_byte() {
    // Probes are made to be refused; nothing that a program wrote is.
    comes_back("wings", &["wings"], |path| path.components().any(|part| part.as_os_str() == "probes"));
}

#[cfg(feature = "vmap")]
#[test]
#[ignore = "needs the corpus"]
fn maps_and_graphs_of_the_corpus_are_written_back_byte_for_byte() {
    // Files that were created as invalid, and some with a wrong extension.
    let is_bad = |path: &Path| {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        name.starts_with("bad_")
            || ["_lfs_pointer", "_damaged", "_json", "_unquoted_type"].iter().any(|it| name.contains(it))
    };
    for folder in ["vmap", "dmx"] {
        comes_back(folder, &["vmap", "dmx"], is_bad);
    }
}

#[cfg(feature = "wwd")]
#[test]
#[ignore = "needs the corpus"]
fn levels_of_the_corpus_are_written_back_byte_for_byte() {
    // Files that were made to be refused, and a real one whose header states another size.
    let is_bad = |path: &Path| {
        let made = path.components().any(|part| part.as_os_str() == "synthetic");
        made || path.ends_with("RETAIL01_badsig.WWD")
    };
    comes_back("wwd", &["wwd"], is_bad);
}

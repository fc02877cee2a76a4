//! The levels of the corpus, if it is present.

use crate::support;

use mapwright_testkit::corpus;
use mapwright_wwd::io::Severity;
use mapwright_wwd::{Document, HeaderSize, ReadOptions, WriteOptions, WriterProfile};

#[test]
#[ignore = "needs the corpus"]
fn every_level_comes_back_after_recompression() {
    let Some(folder) = corpus("wwd") else { return };
    let mut compressed = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if !path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("wwd")) {
            continue;
        }
        let bytes = std::fs::read(&path).unwrap();
        let options = ReadOptions::default().with_header_size(HeaderSize::Any);
        let document =
            Document::from_bytes_with(&bytes, &options).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        assert!(document.to_bytes().unwrap() == bytes, "{}", path.display());
        assert!(support::write_detached(&document).unwrap() == bytes, "{}", path.display());
        assert!(document.layout.is_none(), "{}", path.display());
        let rewritten = document.to_bytes_with(&WriteOptions::default().with_profile(Some(document.profile))).unwrap();
        assert!(rewritten == bytes, "{} as {:?}", path.display(), document.profile);
        compressed += 1;
        let other =
            if document.profile == WriterProfile::Editor { WriterProfile::WapMap } else { WriterProfile::Editor };
        let other = document.to_bytes_with(&WriteOptions::default().with_profile(Some(other))).unwrap();
        let again = Document::from_bytes_with(&other, &options).unwrap();
        assert!(again.planes == document.planes);
    }
    assert!(compressed > 30);
}

#[test]
#[ignore = "needs the corpus"]
fn synthetic_levels_are_accepted_or_rejected_as_listed() {
    let Some(folder) = corpus("wwd").map(|folder| folder.join("synthetic")) else { return };
    let table = std::fs::read_to_string(folder.join("EXPECT.tsv")).unwrap();
    for line in table.lines().skip(1) {
        let columns: Vec<&str> = line.split('\t').collect();
        let bytes = std::fs::read(folder.join(columns[0])).unwrap();
        match Document::from_bytes(&bytes) {
            Ok(document) => {
                assert!(columns[2].starts_with("accept"), "{} was accepted", columns[0]);
                assert!(document.to_bytes().unwrap() == bytes, "{}", columns[0]);
                assert!(support::write_detached(&document).unwrap() == bytes, "{}", columns[0]);
                let warns = document.validate().first().is_some_and(|finding| finding.severity > Severity::Note);
                assert!(warns || !columns[2].ends_with("warn"), "{}", columns[0]);
            }
            Err(error) => {
                assert!(columns[2].starts_with("refuse"), "{}: {error}", columns[0]);
            }
        }
    }
}

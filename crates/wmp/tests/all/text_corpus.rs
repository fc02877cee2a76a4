//! Text maps of the corpus.

use crate::support;

use mapwright_testkit::{corpus, hexdiff, laws};
use mapwright_wmp::Document;
use support::{is_binary, maps, read};

/// Returns the files of the corpus whose lines differ when they are printed from scratch, with the number of lines.
fn exceptions() -> Vec<(String, usize)> {
    let Some(folder) = corpus("wmp") else { return Vec::new() };
    let table = std::fs::read_to_string(folder.join("MANIFEST.tsv")).expect("a table");
    let entry = |line: &str| {
        let count = line.split_ascii_whitespace().find_map(|word| word.strip_prefix("rewrite="))?;
        Some((line.split('\t').next()?.to_owned(), count.parse().ok()?))
    };
    table.lines().filter_map(entry).collect()
}

#[test]
#[ignore = "needs the corpus"]
fn corpus_maps_survive_a_round_trip() {
    let Some(maps) = maps(|bytes| !is_binary(bytes)) else { return };
    for (name, _, bytes) in &maps {
        laws::exact(name, bytes, read, Document::to_bytes);
    }
    assert!(maps.len() >= 100, "only {} maps", maps.len());
}

#[test]
#[ignore = "needs the corpus"]
fn reprinted_corpus_maps_equal_those_of_the_editor() {
    let Some(maps) = maps(|bytes| !is_binary(bytes)) else { return };
    let exceptions = exceptions();
    let mut exact = 0;
    for (name, _, bytes) in &maps {
        let mut document = Document::from_bytes(bytes).unwrap_or_else(|error| panic!("{name}: {error}"));
        document.forget_source();
        let written = document.to_bytes().unwrap_or_else(|error| panic!("{name}: {error}"));
        assert!(Document::from_bytes(&written).expect("a map") == document, "{name}");
        let expected = exceptions.iter().find(|(file, _)| file == name).map_or(0, |(_, lines)| *lines);
        if name.contains("page_") {
            continue;
        }
        let lines = |bytes: &[u8]| bytes.split(|byte| *byte == b'\n').map(<[u8]>::to_vec).collect::<Vec<_>>();
        let (old, new) = (lines(bytes), lines(&written));
        let different = old.iter().zip(&new).filter(|(old, new)| old != new).count();
        assert_eq!((old.len(), different), (new.len(), expected), "{name}: {:?}", hexdiff(bytes, &written));
        exact += usize::from(expected == 0);
    }
    assert!(exact >= 100, "only {exact} maps");
}

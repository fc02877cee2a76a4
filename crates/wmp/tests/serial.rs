//! Maps as data and back.

#![cfg(feature = "serde")]

use mapwright_testkit::{corpus, files_below, hexdiff};
use mapwright_wmp::Document;

#[test]
fn every_map_comes_back_from_json() {
    let Some(folder) = corpus("wmp") else { return };
    let mut count = 0;
    for path in files_below(&folder) {
        let bytes = std::fs::read(&path).unwrap();
        let Ok(map) = Document::from_bytes(&bytes) else { continue };
        let json = serde_json::to_string(&map).unwrap();
        let again: Document = serde_json::from_str(&json).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        assert_eq!(hexdiff(&bytes, &again.to_bytes().unwrap()), None, "{}", path.display());
        count += 1;
    }
    assert!(count > 150, "{count}");
}

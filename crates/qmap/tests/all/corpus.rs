//! Real files, if the corpus is present.

use mapwright_qmap::{Document, sniff};
use mapwright_testkit::laws;

use crate::support::{corpus_maps, read};

#[test]
fn corpus_maps_come_back_byte_for_byte() {
    let maps = corpus_maps();
    for path in &maps {
        let bytes = std::fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        laws::exact(&path.display().to_string(), &bytes, read, Document::to_bytes);
        assert_ne!(sniff(&bytes), mapwright_qmap::io::Confidence::No, "{}", path.display());
    }
    assert!(maps.is_empty() || maps.len() >= 90, "only {} maps", maps.len());
}

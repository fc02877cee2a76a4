//! Real files, if the corpus is present.

use mapwright_testkit::laws;
use mapwright_vmf::io::Confidence;
use mapwright_vmf::{Document, sniff};

use crate::support::{corpus_maps, read};

#[test]
fn corpus_maps_come_back_byte_for_byte() {
    let maps = corpus_maps();
    for path in &maps {
        let bytes = std::fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        laws::exact(&path.display().to_string(), &bytes, read, Document::to_bytes);
        assert_eq!(sniff(&bytes), Confidence::Certain, "{}", path.display());
    }
    assert!(maps.is_empty() || maps.len() >= 25, "only {} maps", maps.len());
}

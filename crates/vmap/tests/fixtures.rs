//! Real maps, where the corpus is there.

use mapwright_testkit::{corpus, files_below};
use mapwright_vmap::{Document, NodeKind};

/// The binary maps of the corpus.
fn maps() -> Vec<(String, Document, Vec<u8>)> {
    let Some(folder) = corpus("vmap") else {
        eprintln!("SKIPPED: the corpus is not there");
        return Vec::new();
    };
    let files = files_below(&folder).into_iter().map(|path| {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        (name, std::fs::read(path).unwrap())
    });
    let binary = |bytes: &[u8]| bytes.starts_with(b"<!-- dmx encoding binary");
    files
        .filter(|(name, bytes)| binary(bytes) && !name.contains("damaged"))
        .map(|(name, bytes)| {
            let map = Document::from_bytes(&bytes).unwrap_or_else(|error| panic!("{name}: {error}"));
            (name, map, bytes)
        })
        .collect()
}

#[test]
fn every_node_is_of_a_known_kind_and_every_view_can_be_read() {
    for (name, map, bytes) in maps() {
        assert_eq!(map.world().unwrap().node().node_id().unwrap().0, 1, "{name}");
        for visit in map.nodes() {
            assert!(!matches!(visit.node.kind(), NodeKind::Other(_)), "{name}: {:?}", visit.node);
            assert!(visit.node.node_id().is_some(), "{name}");
        }
        assert!(map.to_bytes().unwrap() == bytes, "{name}");
    }
}

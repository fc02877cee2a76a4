//! The terrains of the corpus, if it is present.

use mapwright_testkit::corpus;
use mapwright_wrp::Document;

#[test]
#[ignore = "needs the corpus"]
fn corpus_terrains_round_trip_or_are_rejected_as_expected() {
    let Some(folder) = corpus("wrp") else { return };
    let table = std::fs::read_to_string(folder.join("MANIFEST.tsv")).unwrap();
    let mut exact = 0;
    for line in table.lines().skip(1) {
        let columns: Vec<&str> = line.split('\t').collect();
        if !columns[0].ends_with(".wrp") {
            continue;
        }
        let bytes = std::fs::read(folder.join(columns[0])).unwrap();
        match Document::from_bytes(&bytes) {
            Ok(document) => {
                assert!(!columns[5].ends_with("| must be refused"), "{} was accepted", columns[0]);
                assert!(document.to_bytes().unwrap() == bytes, "{}", columns[0]);
                exact += 1;
            }
            Err(error) => assert!(columns[5].ends_with("| must be refused"), "{}: {error}", columns[0]),
        }
    }
    assert!(exact > 50);
}

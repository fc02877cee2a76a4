//! The findings of the corpus match its list of expected findings.

use std::collections::BTreeMap;

use mapwright_testkit::corpus;
use mapwright_wrp::io::Finding;
use mapwright_wrp::{Document, Wvr};

/// Counts the findings by code, including those that are only counted in the last finding of a code.
fn counts(findings: &[Finding]) -> BTreeMap<String, usize> {
    let mut counts = BTreeMap::new();
    for finding in findings {
        let more = finding.message.strip_prefix("and ").and_then(|rest| rest.strip_suffix(" more of these"));
        *counts.entry(finding.code.to_owned()).or_default() += more.map_or(1, |more| more.parse().unwrap());
    }
    counts
}

#[test]
#[ignore = "needs the corpus"]
fn corpus_findings_match_the_list() {
    let Some(folder) = corpus("wrp") else { return };
    let table = std::fs::read_to_string(folder.join("MANIFEST.tsv")).unwrap();
    let mut compared = 0;
    for line in table.lines().skip(1) {
        let columns: Vec<&str> = line.split('\t').collect();
        let Some((_, expected)) = columns[5].split_once("| lint: ") else { continue };
        let document = Document::from_bytes(&std::fs::read(folder.join(columns[0])).unwrap()).unwrap();
        let expected: BTreeMap<String, usize> = expected
            .split(", ")
            .filter(|part| *part != "none")
            .map(|part| part.split_once('=').unwrap())
            .map(|(code, count)| (code.to_owned(), count.parse().unwrap()))
            .collect();
        assert_eq!(counts(&document.validate()), expected, "{}", columns[0]);
        compared += 1;
    }
    assert!(compared > 50, "{compared}");
}

#[test]
fn texture_index_512_is_not_drawn_as_sea() {
    // Source: "Texture indices": the game replaces indices below 0 and above 512, but its table ends at 511.
    let mut terrain = Wvr::new([2, 2]);
    terrain.textures = vec![0, 512, 513, -1];
    let messages: Vec<String> = Document::Wvr(terrain).validate().into_iter().map(|finding| finding.message).collect();
    assert_eq!(
        messages,
        [
            "texture index 512 out of range (512 slots): the game reads after the end of its table",
            "texture index 513 out of range (512 slots): drawn as sea",
            "texture index -1 out of range (512 slots): drawn as sea",
        ]
    );
}

//! Tables written by Erlang, and the payloads of the corpus if it is present.

use crate::support;

use std::fs;

use mapwright_etf::{Document, ReadOptions, Stream, WriteOptions, WriterProfile};
use mapwright_testkit::{corpus, files_below, hexdiff};
use support::{hex, lenient, plain, rows};

const BATTERY: &str = include_str!("data/battery.tsv");
const TERMS: &str = include_str!("data/terms.tsv");
const RANDOM: &str = include_str!("data/random.tsv");
const COMPRESSED: &str = include_str!("data/compressed.tsv");

/// `minor_version` 0, 1 and 2 of `term_to_binary`.
const MINOR: [WriterProfile; 3] = [WriterProfile::Otp16, WriterProfile::Otp17, WriterProfile::Otp26];

#[test]
fn the_strict_mode_agrees_with_erlang() {
    let mut checked = 0;
    for row in rows(BATTERY) {
        let [name, input, verdict, _, _, note] = row[..] else { panic!("{row:?}") };
        let accepted = Document::from_bytes(&hex(input));
        // Erlang also checks references against the running node, which is not part of the format.
        if note.starts_with("run-time") {
            assert!(accepted.is_ok(), "{name}: the encoding is legal");
            continue;
        }
        assert_eq!(accepted.is_ok(), verdict == "ok", "{name}: {verdict}, but {accepted:?}");
        checked += 1;
    }
    assert_eq!(checked, 216);
}

#[test]
fn accepted_streams_are_written_back_byte_for_byte() {
    for row in rows(BATTERY) {
        for options in [ReadOptions::default(), lenient()] {
            let input = hex(row[1]);
            if let Ok(document) = Document::from_bytes_with(&input, &options) {
                assert_eq!(hexdiff(&input, &document.to_bytes().unwrap()), None, "{}", row[0]);
            }
        }
    }
}

#[test]
fn the_battery_is_recoded_as_erlang_does() {
    let mut checked = 0;
    for row in rows(BATTERY) {
        let [name, input, "ok", recoded, _, note] = row[..] else { continue };
        // Pids, ports and references contain the running node, and map order depends on the running system.
        if recoded.is_empty() || note.starts_with("order") {
            continue;
        }
        let document = Document::from_bytes(&hex(input)).unwrap();
        let found = document.tree().root().recode(WriterProfile::Otp17).unwrap();
        assert_eq!(hexdiff(&hex(recoded)[1..], found.as_bytes()), None, "{name}");
        assert!(found.root().same_value(document.tree().root()), "{name}");
        checked += 1;
    }
    assert!(checked > 80, "{checked}");
}

#[test]
fn terms_are_written_as_each_generation_does() {
    let table = rows(TERMS);
    let mut checked = 0;
    for versions in table.chunks(3) {
        let [zero, one, two] = [&versions[0], &versions[1], &versions[2]];
        assert!(zero[0] == one[0] && one[0] == two[0]);
        for from in versions.iter().filter(|row| !row[4].is_empty()) {
            let tree = plain(&hex(from[4]));
            for (row, profile) in versions.iter().zip(MINOR).filter(|(row, _)| !row[4].is_empty()) {
                let found = tree.root().recode(profile).unwrap();
                assert_eq!(hexdiff(&hex(row[4])[1..], found.as_bytes()), None, "{} as {}", row[0], profile.name());
                checked += 1;
            }
        }
    }
    assert_eq!(table.len(), 261);
    assert!(checked > 700, "{checked}");
}

#[test]
fn random_terms_convert_between_all_profiles() {
    for row in rows(RANDOM) {
        let columns: Vec<Vec<u8>> = row[1..].iter().map(|column| hex(column)).collect();
        for from in &columns {
            let tree = plain(from);
            for (to, profile) in columns.iter().zip(MINOR) {
                let found = tree.root().recode(profile).unwrap();
                assert_eq!(hexdiff(&to[1..], found.as_bytes()), None, "row {} to {}", row[0], profile.name());
                let same = &to[1..] == tree.as_bytes();
                assert_eq!(profile.first_deviation(tree.root()).is_none(), same, "row {} {}", row[0], profile.name());
            }
            let detected = WriterProfile::detect(tree.root()).expect("some profile wrote it");
            assert_eq!(tree.root().recode(detected).unwrap(), tree);
        }
    }
}

#[test]
fn compressed_terms_equal_those_of_erlang() {
    let table = rows(COMPRESSED);
    let (mut streams, mut renewed) = (0, 0);
    for options in table.chunks(12) {
        assert_eq!(options[0][1], "none");
        for row in options.iter().filter(|row| !row[4].is_empty()) {
            let (name, bytes) = (format!("{} {}", row[0], row[1]), hex(row[4]));
            let document = Document::from_bytes(&bytes).unwrap();
            assert_eq!(hexdiff(&bytes, &document.to_bytes().unwrap()), None, "{name}");
            let term = document.tree().as_bytes();
            assert_eq!(options[0][2].parse(), Ok(1 + term.len()), "{name}");
            assert!(options[0][4].is_empty() || hex(options[0][4])[1..] == *term, "{name}");
            if let Some(stream) = document.stream() {
                assert!(6 + stream.len() <= 1 + term.len(), "{name}: as long as the plain term at most");
                streams += 1;
            }
            // A new document uses level 6, or the plain term if that is shorter.
            if row[1] == "compressed" {
                let made = Document::new(document.tree().clone()).to_bytes().unwrap();
                assert_eq!(hexdiff(&bytes, &made), None, "{name}");
                renewed += 1;
            }
        }
    }
    assert_eq!((table.len(), streams), (276, 84));
    assert!(renewed > 10, "{renewed}");
}

#[test]
#[ignore = "needs the corpus"]
fn corpus_payloads_round_trip_and_match_a_profile() {
    let Some(folder) = corpus("wings") else { return };
    let mut fitting = 0;
    for path in files_below(&folder).iter().filter(|path| path.extension().is_some_and(|end| end == "wings")) {
        let file = fs::read(path).unwrap();
        // 15 bytes of magic and a length precede the payload.
        let Some(payload) = file.get(19..) else { continue };
        let Ok(document) = Document::from_bytes(payload) else {
            assert!(path.components().any(|part| part.as_os_str() == "probes"), "{} is rejected", path.display());
            continue;
        };
        assert_eq!(hexdiff(payload, &document.to_bytes().unwrap()), None, "{}", path.display());
        let renewed = document.to_bytes_with(&WriteOptions::default().with_stream(Stream::Renew)).unwrap();
        let is_synthetic = path.components().any(|part| part.as_os_str() == "synthetic");
        assert!(renewed == payload || is_synthetic, "{}: another compressor wrote it", path.display());
        let root = document.tree().root();
        let recoded = root.recode(WriterProfile::for_term(root)).unwrap();
        match WriterProfile::detect(root) {
            Some(_) => {
                assert_eq!(hexdiff(document.tree().as_bytes(), recoded.as_bytes()), None, "{}", path.display());
                fitting += 1;
            }
            None => assert!(is_synthetic, "{}: no profile matches", path.display()),
        }
    }
    assert!(fitting >= 189, "{fitting}");
}

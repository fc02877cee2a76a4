//! The tables that Erlang made, and the real payloads where they are at hand.

mod support;

use std::fs;

use mapwright_etf::{Document, Packing, Profile, ReadOptions, Tree, WriteOptions};
use mapwright_testkit::{corpus, files_below, hexdiff};
use support::{hex, lenient, plain, rows};

const BATTERY: &str = include_str!("data/battery.tsv");
const TERMS: &str = include_str!("data/terms.tsv");
const RANDOM: &str = include_str!("data/random.tsv");
const COMPRESSED: &str = include_str!("data/compressed.tsv");

/// `minor_version` 0, 1 and 2 of `term_to_binary`.
const MINOR: [Profile; 3] = [Profile::Otp16, Profile::Otp17, Profile::Otp26];

#[test]
fn verdicts_are_those_of_erlang() {
    let mut checked = 0;
    for row in rows(BATTERY) {
        let [name, input, verdict, _, _, note] = row[..] else { panic!("{row:?}") };
        let accepted = Document::from_bytes(&hex(input));
        // Whether a reference fits the running node is not a matter of form.
        if note.starts_with("run-time") {
            assert!(accepted.is_ok(), "{name}: the form is legal");
            continue;
        }
        assert_eq!(accepted.is_ok(), verdict == "ok", "{name}: {verdict}, but {accepted:?}");
        checked += 1;
    }
    assert_eq!(checked, 205);
}

#[test]
fn what_is_accepted_comes_back_byte_for_byte() {
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
        // Pids, ports and references name the running node; the order of a map is the running system's own.
        if recoded.is_empty() || note.starts_with("order") {
            continue;
        }
        let document = Document::from_bytes(&hex(input)).unwrap();
        let found = document.tree().root().recode(Profile::Otp17).unwrap();
        assert_eq!(hexdiff(&hex(recoded)[1..], found.as_bytes()), None, "{name}");
        assert!(found.root().same_value(document.tree().root()), "{name}");
        checked += 1;
    }
    assert!(checked > 80, "{checked}");
}

#[test]
fn terms_are_written_as_every_generation_does() {
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
fn random_terms_change_from_any_profile_into_any_other() {
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
            let detected = Profile::detect(tree.root()).expect("some profile wrote it");
            assert_eq!(tree.root().recode(detected).unwrap(), tree);
        }
    }
}

#[test]
fn compressed_terms_hold_the_plain_ones() {
    let table = rows(COMPRESSED);
    let mut streams = 0;
    for options in table.chunks(12) {
        assert_eq!(options[0][1], "none");
        for row in options {
            let Some(bytes) = Some(hex(row[4])).filter(|bytes| !bytes.is_empty()) else { continue };
            let document = Document::from_bytes(&bytes).unwrap();
            assert_eq!(hexdiff(&bytes, &document.to_bytes().unwrap()), None, "{} {}", row[0], row[1]);
            if !options[0][4].is_empty() {
                assert_eq!(document.tree(), &plain(&hex(options[0][4])), "{} {}", row[0], row[1]);
            }
            let term = document.tree().as_bytes().len();
            assert_eq!(options[0][2].parse(), Ok(1 + term), "{} {}", row[0], row[1]);
            match document.packing() {
                // Erlang prefers the stream when both are equally long.
                Packing::Compressed { .. } => {
                    assert!(document.stream().unwrap().len() + 6 <= term + 1, "{} {}", row[0], row[1]);
                    streams += 1;
                }
                Packing::Plain => assert!(row[2] == options[0][2], "{} {}", row[0], row[1]),
            }
        }
    }
    assert_eq!(streams, 84);
}

/// The bytes of level 6 are not Erlang's, but what they hold is, and so is the choice of the plain form.
#[test]
fn compressing_anew_keeps_the_term() {
    for row in rows(TERMS).iter().filter(|row| !row[4].is_empty()) {
        let tree = plain(&hex(row[4]));
        let bytes = Document::new(tree.clone()).to_bytes().unwrap();
        assert!(bytes.len() <= tree.as_bytes().len() + 1);
        assert_eq!(Document::from_bytes(&bytes).unwrap().tree(), &tree);
    }
    let zeros = Tree::from_bytes(&[b"\x6d\0\0\x01\0".as_slice(), &[0; 256]].concat()).unwrap();
    let document = Document::from_bytes(&Document::new(zeros).to_bytes().unwrap()).unwrap();
    assert!(document.stream().is_some());
    let renewed = document.to_bytes_with(&WriteOptions::default().with_stream(mapwright_etf::Stream::Renew)).unwrap();
    assert_eq!(Document::from_bytes(&renewed).unwrap().tree(), document.tree());
}

#[test]
fn real_payloads_come_back_and_fit_a_profile() {
    let Some(folder) = corpus("wings") else { return };
    let mut fitting = 0;
    for path in files_below(&folder).iter().filter(|path| path.extension().is_some_and(|end| end == "wings")) {
        let file = fs::read(path).unwrap();
        // 15 bytes of magic and a length stand in front of the payload.
        let Some(payload) = file.get(19..) else { continue };
        let Ok(document) = Document::from_bytes(payload) else {
            assert!(path.components().any(|part| part.as_os_str() == "probes"), "{} is refused", path.display());
            continue;
        };
        assert_eq!(hexdiff(payload, &document.to_bytes().unwrap()), None, "{}", path.display());
        let root = document.tree().root();
        let recoded = root.recode(Profile::of(root)).unwrap();
        match Profile::detect(root) {
            Some(_) => {
                assert_eq!(hexdiff(document.tree().as_bytes(), recoded.as_bytes()), None, "{}", path.display());
                fitting += 1;
            }
            None => assert!(path.components().any(|part| part.as_os_str() == "synthetic"), "{}", path.display()),
        }
    }
    assert!(fitting >= 189, "{fitting}");
}

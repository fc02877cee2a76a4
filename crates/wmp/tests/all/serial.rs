//! Maps as serde data.

#![cfg(feature = "serde")]

use mapwright_testkit::{corpus, files_below, hexdiff};
use mapwright_wmp::io::Limits;
use mapwright_wmp::{Dialect, Document, Member, MemberKind, Object, Part, ReadOptions};

#[test]
#[ignore = "needs the corpus"]
fn corpus_maps_survive_a_round_trip_through_json() {
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

/// Removing a block and rewriting a number leave the formatting of all else.
#[test]
fn remaining_json_parts_keep_their_formatting() {
    let blocks = (0..3).map(|number| {
        let face = "\t3  0 1 2 : wall ( 1 0 0 0 ) ( 0 -1 0 0 ) 0 0 0 1 1 : 0000 0 50 ndef // kept\r\n";
        let vertices = format!("\t0 0 0   {number}.50 0 0   0 1 0 // of {number}\r\n");
        format!("block {number} {{\r\n\tvertices 3\r\n\tfaces 1\r\n{vertices}{face}\t{{\r\n\t\t0000\r\n\t\tndef\r\n\t\t{number}\r\n\t}}\r\n}}\r\n\r\n")
    });
    let blocks: Vec<String> = blocks.collect();
    let head = "// WMP2\r\n// WMPIO V 1.30\r\n// Created 01.01.2010\r\n\r\nversion 710\r\n\r\n";
    let text = format!("{head}blocks 3\r\nentities 0\r\nobjects 0\r\n\r\n{}", blocks.concat());
    let map = Document::from_bytes(text.as_bytes()).unwrap();
    let mut data = serde_json::to_value(&map).unwrap();
    data["blocks"].as_array_mut().unwrap().remove(0);
    let again: Document = serde_json::from_value(data).unwrap();
    let written = String::from_utf8(again.to_bytes().unwrap()).unwrap();
    assert!(written.contains(&blocks[1]) && written.contains(&blocks[2]), "{written}");
    assert!(!written.contains("of 0"), "{written}");
}

/// Maps that were read with higher limits can be read again.
#[test]
fn the_source_in_json_has_no_limits() {
    let mut map = Document::new(Dialect::Binary);
    for number in 1..=10_001 {
        map.objects.push(Part::new(Object::new(number)));
        let member = Member { kind: MemberKind::Object, number };
        map.objects[number as usize - 1].members.insert(0, member);
    }
    map.renumber();
    let bytes = map.to_bytes().unwrap();
    assert!(Document::from_bytes(&bytes).is_err(), "too deep by default");
    let deep = ReadOptions::default().with_limits(Limits::default().with_max_depth(u32::MAX));
    let map = Document::from_bytes_with(&bytes, &deep).unwrap();
    let mut data = serde_json::to_value(&map).unwrap();
    data["source"] = mapwright_wmp::io::escape_bytes(&bytes).into();
    let again: Document = serde_json::from_value(data).unwrap();
    assert_eq!(hexdiff(&bytes, &again.to_bytes().unwrap()), None);
}

#[test]
fn unknown_json_fields_are_rejected() {
    let map = Document::new(Dialect::A7);
    for pointer in ["", "/header", "/header/counts", "/wed", "/entities/0", "/entities/0/kind/level", "/objects/0"] {
        let mut data = serde_json::to_value(&map).unwrap();
        data.pointer_mut(pointer).unwrap()["colour"] = 1.into();
        let error = serde_json::from_value::<Document>(data).unwrap_err().to_string();
        assert!(error.contains("unknown field `colour`"), "{pointer}: {error}");
    }
}

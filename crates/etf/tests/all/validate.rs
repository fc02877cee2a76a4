//! Findings of the validation.

use crate::support;

use mapwright_etf::{Compressor, Document, Packing, Tree};
use support::{hex, lenient};

/// `severity[code] path offset` of each finding about a plain document.
fn findings(term: &str) -> Vec<String> {
    let bytes = [vec![131], hex(term)].concat();
    let document = Document::from_bytes_with(&bytes, &lenient()).unwrap();
    lines(&document)
}

fn lines(document: &Document) -> Vec<String> {
    let line = |finding: &mapwright_io::Finding| {
        let at = finding.at.map_or("-".to_owned(), |at| at.offset.to_string());
        format!("{}[{}] {} {at}", finding.severity.name(), finding.code, finding.path)
    };
    document.validate().iter().map(line).collect()
}

fn text_float(text: &str) -> String {
    let digits: String = text.bytes().map(|byte| format!("{byte:02x}")).collect();
    format!("63 {digits:0<62}")
}

#[test]
fn ordinary_terms_have_no_findings() {
    for term in ["61 05", "68 02 64 0001 61 46 3ff8000000000000", "77 02 c3a9", "6d 00000001 ff"] {
        assert_eq!(findings(term), [""; 0], "{term}");
    }
    assert_eq!(findings(&text_float("1.50000000000000000000e+00")), [""; 0]);
}

#[test]
fn trailing_bytes_are_noted() {
    assert_eq!(findings("61 05 00 00"), ["note[trailing-bytes]  3"]);
    let document = Document::from_bytes(&hex("83 50 00000004 789c4b644d640300025f00ce 01")).unwrap();
    assert_eq!(lines(&document), ["note[trailing-bytes]  2", "note[trailing-bytes]  18"]);
    let mut made = Document::new(Tree::default());
    made.set_packing(Packing::Compressed { trailing: vec![1], compressor: Compressor::Erlang });
    made.set_trailing(vec![2]);
    assert_eq!(lines(&made), ["note[trailing-bytes]  1", "note[trailing-bytes]  -"]);
}

#[test]
fn text_floats_reveal_the_platform() {
    let c99 = text_float("8.13333333333333352577e-01");
    let win3 = text_float("8.13333333333333350000e-001");
    let win2 = text_float("8.13333333333333350000e-01");
    assert_eq!(findings(&format!("68 02 {win3} {win3}")), ["note[float-text] [0] 3"]);
    assert_eq!(findings(&format!("68 02 6a {win2}")), ["note[float-text] [1] 4"]);
    let mixture = findings(&format!("68 02 {c99} {win3}"));
    assert_eq!(mixture, ["note[float-text] [1] 35", "note[not-canonical] [1] 35"]);
    // Exact in 17 digits, so both of these profiles write it like this.
    let either = text_float("1.50000000000000000000e+00");
    assert_eq!(findings(&format!("68 02 {either} {c99}")), [""; 0]);
    for text in ["1,50000000000000000000e+00", "1.5", "1.50000000000000000000e+00\0x"] {
        let findings = findings(&text_float(text));
        assert_eq!(findings, ["warning[float-text]  1", "note[not-canonical]  1"], "{text}");
    }
    assert_eq!(findings(&text_float("nan")), ["error[float-text]  1", "note[not-canonical]  1"]);
    let mixed = findings(&format!("68 02 {c99} 46 3ff8000000000000"));
    assert_eq!(mixed, ["warning[mixed-floats] [1] 35", "note[not-canonical] [0] 3"]);
}

#[test]
fn terms_that_erlang_rejects_are_errors() {
    assert_eq!(findings("46 7ff8000000000000"), ["error[not-finite]  1", "note[not-canonical]  1"]);
    assert_eq!(findings("68 01 77 01 ff"), ["error[bad-utf8] [0] 3", "note[not-canonical] [0] 3"]);
    assert_eq!(findings("4d 00000001 09 ff"), ["error[bad-bits]  1", "note[not-canonical]  1"]);
    assert_eq!(findings("74 00000002 6101 6a 6101 6a"), ["error[duplicate-key] [1].key 9"], "recoding keeps the pairs");
    let minus = findings("71 64 0001 6d 64 0001 66 62 ffffffff");
    assert_eq!(minus[0], "error[export-arity]  1");
    assert_eq!(findings("79 01"), ["error[local]  1"], "opaque terms are copied");
    let bytes = hex("83 68 03 77 01 ff 6a 77 01 fe");
    let document = Document::from_bytes_with(&bytes, &lenient()).unwrap();
    let findings = document.validate();
    assert!(findings[0].message.contains("2 times"), "{}", findings[0]);
}

#[test]
fn latin1_and_unusual_encodings_are_noted() {
    assert_eq!(findings("64 0001 e9"), ["note[atom-latin1]  1"]);
    assert_eq!(findings("68 02 64 0001 61 62 00000005"), ["note[not-canonical] [1] 7"]);
}

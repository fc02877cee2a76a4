//! The findings of the corpus match its list of expected findings.

use std::collections::BTreeMap;

use mapwright_testkit::corpus;
use mapwright_wrp::io::{Finding, Severity};
use mapwright_wrp::{Builder, Document, Matrix, Name, Wvr, Wvr8};

/// Remarks that the list does not have.
const REMARKS: [&str; 4] = ["height-minus-one", "tex-index-sea", "tex-name-backslash", "obj-name-backslash"];

/// Counts the findings by code, including those that are only counted in the last finding of a code, and the places of a grid that one
/// finding describes.
fn counts(findings: &[Finding]) -> BTreeMap<String, usize> {
    let mut counts = BTreeMap::new();
    for finding in findings.iter().filter(|finding| !REMARKS.contains(&finding.code)) {
        let more = finding.message.strip_prefix("and ").and_then(|rest| rest.strip_suffix(" more of these"));
        let places = finding.message.split_once(", x ").and_then(|(text, _)| text.rsplit([' ', ':', ';']).nth(1));
        *counts.entry(finding.code.to_owned()).or_default() += more.or(places).map_or(1, |more| more.parse().unwrap());
        // A truncated 8WVR has one finding for its end.
        if finding.message.contains("and no sentinel") {
            *counts.entry("sentinel-missing".to_owned()).or_default() += 1;
            *counts.entry("trailing-bytes".to_owned()).or_default() += counts.remove("partial-record").unwrap_or(0);
        }
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
            "texture index -1 out of range (512 slots): drawn as sea; 1 cell, x 50 to 100 m, z 50 to 100 m",
            "texture index 512 out of range (512 slots): the game reads past the end of its table; 1 cell, x 50 to 100 m, z 0 to 50 m",
            "texture index 513 out of range (512 slots): drawn as sea; 1 cell, x 0 to 50 m, z 50 to 100 m",
            "texture index 0 is the sea, without a surface of land; 1 cell, x 0 to 50 m, z 0 to 50 m",
        ]
    );
}

#[test]
fn remarks_describe_the_area_of_unusual_values() {
    let mut terrain = Wvr::new([4, 4]);
    (terrain.heights[5], terrain.heights[10]) = (-1, -1);
    let terrain = Document::Wvr(terrain);
    let finding = terrain.validate().into_iter().find(|finding| finding.code == "height-minus-one").unwrap();
    assert!(finding.message.ends_with("2 heights, x 50 to 100 m, z 50 to 100 m"), "{}", finding.message);
    assert_eq!(finding.path.to_string(), "heights[5]");

    let mut terrain = Wvr8::new([4, 4], 10.0, 1);
    (terrain.heights[0], terrain.heights[15]) = (f32::NAN, f32::INFINITY);
    let mut builder = Builder::default();
    for (id, name) in [&b"\\a\\b.p3d"[..], b"a\\b.p3d", b"\\a\\b.p3d"].into_iter().enumerate() {
        let model = builder.add_model(&Name::new(name));
        builder.push(model, Matrix::from_position([1.0, 0.0, 1.0]), i32::try_from(id).ok());
    }
    terrain.objects = builder.finish();
    let messages: Vec<String> = Document::Wvr8(terrain).validate().iter().map(ToString::to_string).collect();
    assert_eq!(
        messages,
        [
            "error[height-nan]: no height: 2 heights, x 0 to 30 m, z 0 to 30 m in heights[0]",
            "note[obj-name-backslash]: \"\\a\\b.p3d\" begins with a backslash: names in the game are relative, such as data3d\\kasna.p3d; \
             2 objects in objects[0]",
        ]
    );
}

#[test]
fn truncated_files_are_errors() {
    let mut builder = Builder::default();
    let model = builder.add_model(&Name::new(*b"a\\b.p3d"));
    builder.push(model, Matrix::from_position([1.0, 0.0, 1.0]), Some(0));
    builder.push(model, Matrix::from_position([2.0, 0.0, 1.0]), Some(1));
    let objects = builder.finish();
    let wvr8 = Document::Wvr8(Wvr8 { objects: objects.clone(), ..Wvr8::new([4, 4], 10.0, 1) });
    let wvr4 = Document::Wvr(Wvr { objects, ..Wvr::new([4, 4]) });
    for (document, cut, end) in [(wvr8, 56 + 20, "no sentinel"), (wvr4, 128 + 20, "no terminator")] {
        let bytes = document.to_bytes().unwrap();
        let truncated = Document::from_bytes(&bytes[..bytes.len() - cut]).unwrap();
        let findings = truncated.validate();
        let finding = findings.iter().find(|finding| finding.code == "partial-record").unwrap();
        assert_eq!(finding.severity, Severity::Error);
        assert!(finding.message.contains("truncated") && finding.message.contains(end), "{}", finding.message);
    }
}

#[test]
fn control_characters_in_names_are_no_other_alphabet() {
    let mut terrain = Wvr::new([2, 2]);
    for (name, text) in terrain.names.iter_mut().skip(1).zip(["a\nb.paa", "a\tb.paa", "a\u{1}.paa", "caf\u{e9}.paa"]) {
        *name = mapwright_wrp::io::FixedBytes::from_text(text.as_bytes()).unwrap();
    }
    let findings = Document::Wvr(terrain).validate();
    let names = findings.iter().filter(|finding| finding.code.starts_with("tex-name-"));
    let found: Vec<(&str, &str)> = names.map(|finding| (finding.code, finding.message.as_str())).collect();
    assert_eq!(
        found,
        [
            ("tex-name-control", "\"a\\x0ab.paa\" contains a control character (line feed, 0x0a)"),
            ("tex-name-control", "\"a\\x09b.paa\" contains a control character (tab, 0x09)"),
            ("tex-name-control", "\"a\\x01.paa\" contains a control character (0x01)"),
            ("tex-name-non-ascii", "\"caf\\xc3\\xa9.paa\" has bytes outside ASCII, whose code page is unknown"),
        ]
    );
}

//! Real files, where the corpus is there, and the files that were made to show something, with what is expected of them.

use std::path::Path;

use mapwright_dmx::io::{Finding, Severity};
use mapwright_dmx::{Document, ReadError, WriterProfile};
use mapwright_testkit::{corpus, files_below, hexdiff};

/// Files of the corpus that look like DMX and are not known to be damaged.
fn files() -> Vec<(String, Vec<u8>)> {
    let paths = ["dmx", "vmap"].into_iter().filter_map(corpus).flat_map(|folder| files_below(&folder));
    let files = paths.map(|path| (path.display().to_string(), std::fs::read(path).expect("the corpus can be read")));
    // One has a bare word where a value should be.
    let damaged = ["/bad_", "damaged", "s1i_unquoted_type"];
    files
        .filter(|(name, bytes)| bytes.starts_with(b"<!--") && !damaged.iter().any(|word| name.contains(word)))
        .collect()
}

fn binaries() -> impl Iterator<Item = (String, Vec<u8>)> {
    files().into_iter().filter(|(_, bytes)| Document::from_bytes(bytes).is_ok_and(|it| !it.header.encoding.is_text()))
}

/// A file of the corpus and what became of it; `None` without a corpus.
fn read(path: &str) -> Option<Result<Document, ReadError>> {
    let (format, name) = path.split_once('/')?;
    let bytes = std::fs::read(corpus(format)?.join(name)).unwrap_or_else(|error| panic!("{path}: {error}"));
    Some(Document::from_bytes(&bytes))
}

#[test]
#[ignore = "needs the corpus"]
fn files_come_back_byte_for_byte() {
    for (name, bytes) in files() {
        let document = Document::from_bytes(&bytes).unwrap_or_else(|error| panic!("{name}: {error}"));
        if let Some(diff) = hexdiff(&bytes, &document.to_bytes().expect("writes")) {
            panic!("{name}: {diff}");
        }
    }
}

#[test]
#[ignore = "needs the corpus"]
fn files_are_laid_out_as_their_programs_do() {
    for (name, bytes) in binaries() {
        let mut document = Document::from_bytes(&bytes).expect("reads");
        let file = Path::new(&name).file_name().unwrap_or_default().to_string_lossy().into_owned();
        let expected = match file.as_str() {
            // Strings of what is not saved come before the same strings of what is; −1 and a lone block are of no program.
            "sbox_hover_sfm_turret_animation.dmx" | "sbox_hover_turret_future_fire.dmx" | "index_minus_one_v9.dmx" => {
                None
            }
            "sbox_hover_flag_edge_vsnap.dmx" | "sbox_hover_radar_sensor.dmx" | "sbox_hover_spin.dmx" => {
                Some(WriterProfile::DepthFirst)
            }
            file if file.starts_with("srct_export_v") => Some(WriterProfile::BreadthFirst),
            _ => Some(WriterProfile::Valve),
        };
        assert_eq!(document.profile(), expected, "{name}");
        document.edit(|_| ());
        assert!(document.to_bytes().expect("writes") == bytes, "{name}: an edit that changes nothing changes the file");
    }
}

#[test]
#[ignore = "needs the corpus"]
fn an_edit_adds_strings_where_the_program_would() {
    for (name, bytes) in binaries().filter(|(name, _)| name.ends_with("ddnet_binary4.dmx")) {
        let mut document = Document::from_bytes(&bytes).expect("reads");
        let table = |document: &Document| -> Vec<Vec<u8>> {
            document.strings.iter().take(document.strings.table_len()).map(|(_, string)| string.to_vec()).collect()
        };
        let mut expected = table(&document);
        document.edit(|document| {
            let value = document.string_value("a new value");
            document.set(mapwright_dmx::ElementId::ROOT, "a new attribute", value);
        });
        // It is the newest attribute, and therefore directly after the root's class and name.
        expected.splice(2..2, [b"a new attribute".to_vec(), b"a new value".to_vec()]);
        assert_eq!(table(&document), expected, "{name}");
    }
}

#[test]
#[ignore = "needs the corpus"]
fn other_files_are_rejected_with_the_reason() {
    for (path, expected, help) in [
        (
            "vmap/sbox_corewars_corewars_01_lfs_pointer.vmap",
            "the file is a Git LFS pointer, not a DMX file at offset 0 (0x0)",
            "git lfs pull",
        ),
        ("dmx/sbox_hc1_flashbang_burn_json.vtex", "not a DMX file: expected <!-- dmx, found \"{", ""),
        (
            "vmap/sbox_hc1_env_night_utf8_damaged.vmap",
            "the file was damaged by a program that treated it as text: bytes above 127 were replaced (",
            ".gitattributes",
        ),
    ] {
        let Some(result) = read(path) else { return };
        let error = result.expect_err(path);
        assert!(error.to_string().starts_with(expected), "{path}: {error}");
        assert!(error.help().unwrap_or_default().contains(help), "{path}: {:?}", error.help());
    }
}

/// The expected results of synthetic files.
#[test]
#[ignore = "needs the corpus"]
fn synthetic_files_are_read_or_rejected_as_listed() {
    let Some(folder) = corpus("dmx").map(|folder| folder.join("synthetic")) else { return };
    let table = std::fs::read_to_string(folder.join("SYNTHETIC.tsv")).expect("the table can be read");
    let mut seen = 0;
    for line in table.lines().skip(1) {
        let [name, _, expected, _] = line.split('\t').collect::<Vec<_>>()[..] else { panic!("{line}") };
        let result = read(&format!("dmx/synthetic/{name}")).expect("it is there");
        let findings = result.as_ref().map(|document| document.validate().into_iter().filter(is_above_note).count());
        match (expected, findings) {
            ("read", Ok(_)) | ("error", Err(_)) => {}
            ("read, lint" | "read, warn", Ok(count)) if count > 0 => {}
            (expected, found) => panic!("{name}: {expected}, but {found:?}"),
        }
        seen += 1;
    }
    assert!(seen >= 37, "{seen}");
}

fn is_above_note(finding: &Finding) -> bool {
    finding.severity > Severity::Note
}

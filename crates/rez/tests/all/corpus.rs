//! The archives of the corpus, if it is present.

use std::fs;
use std::path::Path;

use mapwright_rez::io::Severity;
use mapwright_rez::{Document, EntryOrder, EntryRef, Layout, Overview, Packer, WriteOptions};
use mapwright_testkit::{corpus, hexdiff};

fn read(folder: &Path, name: &str) -> (Vec<u8>, Document) {
    let bytes = fs::read(folder.join(name)).unwrap_or_else(|error| panic!("{name}: {error}"));
    let document = Document::from_bytes(&bytes).unwrap_or_else(|error| panic!("{name}: {error}"));
    (bytes, document)
}

#[test]
#[ignore = "needs the corpus"]
fn corpus_archives_round_trip_or_are_rejected_as_expected() {
    let Some(folder) = corpus("rez") else { return };
    let folder = folder.join("synthetic");
    let table = fs::read_to_string(folder.join("EXPECTED.tsv")).unwrap();
    let mut exact = 0;
    for line in table.lines().skip(1) {
        let columns: Vec<&str> = line.split('\t').collect();
        let [name, _, state, files, directories, ..] = columns[..] else { panic!("{line}") };
        let bytes = fs::read(folder.join(name)).unwrap();
        let document = match Document::from_bytes(&bytes) {
            Ok(document) => document,
            Err(error) => {
                assert_eq!(state, "refused", "{name}: {error}");
                assert!(error.position().is_some(), "{name}");
                continue;
            }
        };
        assert_eq!(hexdiff(&bytes, &document.to_bytes().unwrap()), None, "{name}");
        let overview = document.overview();
        assert_eq!([overview.files.to_string(), overview.directories.to_string()], [files, directories], "{name}");
        let findings = document.validate();
        let found = match findings.iter().map(|finding| finding.severity).max() {
            Some(Severity::Error) => "error",
            Some(Severity::Warning) => "warning",
            _ => "ok",
        };
        assert_eq!(found, state, "{name}: {findings:#?}");
        let is_placed =
            |finding: &&mapwright_rez::io::Finding| finding.severity == Severity::Note || finding.at.is_some();
        assert!(findings.iter().filter(|finding| finding.count == 1).all(|finding| is_placed(&finding)), "{name}");
        exact += 1;
    }
    assert!(exact >= 30, "{exact}");
}

#[test]
#[ignore = "needs the corpus"]
fn packing_reproduces_archives_of_monolith_from_the_corpus() {
    let Some(folder) = corpus("rez") else { return };
    for name in ["Engine.REZ", "synthetic/tiny_claw.rez", "synthetic/tiny_gruntz.rez"] {
        let (bytes, document) = read(&folder, name);
        let options = WriteOptions::default().with_layout(Layout::Monolith);
        assert_eq!(hexdiff(&bytes, &document.to_bytes_with(&options).unwrap()), None, "{name}");
        assert_eq!(document.packer(), Packer::Monolith, "{name}");
    }
    let (bytes, document) = read(&folder, "synthetic/odd_names.rez");
    let options = WriteOptions::default().with_layout(Layout::Compact);
    assert_eq!(hexdiff(&bytes, &document.to_bytes_with(&options).unwrap()), None);
}

/// Packs the payloads of `Engine.REZ` into a new archive, in the order in which Monolith's packer did.
#[test]
#[ignore = "needs the corpus"]
fn a_corpus_archive_is_made_from_its_files() {
    let Some(folder) = corpus("rez") else { return };
    let (bytes, document) = read(&folder, "Engine.REZ");
    let mut files: Vec<_> = document.files().collect();
    files.sort_by_key(|(_, file)| file.stored_position());
    let mut made = Document::new();
    made.header = document.header.clone();
    for (item, file) in &files {
        made.add(item.path(), file.data().unwrap(), Some(file.time)).unwrap();
    }
    made.assign_ids();
    made.sort_entries(EntryOrder::Id);
    // Times of directories are those of the packer's clock.
    made.directory_mut("").unwrap().time = document.root().time;
    for item in document.walk() {
        if let EntryRef::Directory(directory) = item.entry {
            made.directory_mut(item.path()).unwrap().time = directory.time;
        }
    }
    assert_eq!(hexdiff(&bytes, &made.to_bytes().unwrap()), None);
}

#[test]
#[ignore = "needs the corpus"]
fn patches_equal_those_of_the_corpus() {
    let Some(folder) = corpus("rez") else { return };
    let folder = folder.join("synthetic");
    let time = Some(0x366C_4C5D);
    let (_, original) = read(&folder, "tiny_gruntz.rez");
    let level = original.find_file(r"AREA1\WORLDZ\LEVEL1.WWD").unwrap().data().unwrap().to_vec();
    let at = level.windows(6).position(|bytes| bytes == b"nobody").unwrap();
    let mut renamed = level.clone();
    renamed[at..at + 6].copy_from_slice(b"NOBODY");
    let longer = [&level[..], &[0; 100]].concat();
    let check = |name: &str, change: &dyn Fn(&mut Document)| {
        let mut document = original.clone();
        change(&mut document);
        let expected = fs::read(folder.join(name)).unwrap();
        assert_eq!(hexdiff(&expected, &document.to_bytes().unwrap()), None, "{name}");
    };
    check("patch_same_size.rez", &|document| {
        document.replace(r"AREA1\WORLDZ\LEVEL1.WWD", &renamed[..], time).unwrap();
    });
    check("patch_longer.rez", &|document| {
        document.replace("area1/worldz/level1.wwd", &longer[..], time).unwrap();
    });
    check("patch_shorter.rez", &|document| {
        document.replace(r"AREA1\IMAGEZ\TREE1\FRAME001.PID", b"short", time).unwrap();
    });
    check("patch_add.rez", &|document| {
        document.add(r"AREA1\WORLDZ\LEVEL2.WWD", &level[..], time).unwrap();
        document.add(r"NEW\DEEP\A.TXT", b"a", time).unwrap();
    });
    check("patch_remove.rez", &|document| {
        document.remove(r"AREA1\IMAGEZ\GRASS\FRAME001.PID").unwrap();
    });
}

/// Packs an archive with the names of all files of `CLAW.REZ`. The payloads are the paths.
#[test]
#[ignore = "needs the corpus"]
fn an_archive_with_all_corpus_names_is_packed_and_searched() {
    let Some(folder) = corpus("rez") else { return };
    let table = fs::read(folder.join("claw_names.tsv")).unwrap();
    let paths: Vec<String> = String::from_utf8(table).unwrap().lines().flat_map(expand).collect();
    let mut document = Document::new();
    for path in &paths {
        document.add(path, path.as_bytes(), None).unwrap();
    }
    document.assign_ids();
    document.sort_entries(EntryOrder::Id);
    let read = Document::from_vec(document.to_bytes().unwrap()).unwrap();
    assert_eq!(read, document);
    for path in &paths {
        let file = read.find_file(path.to_ascii_lowercase()).unwrap_or_else(|| panic!("{path}"));
        assert_eq!(file.data().unwrap(), path.as_bytes());
    }
    let overview = read.overview();
    // Source: "Evidence" and "Type", counts of the listing of the archive.
    let Overview { files, directories, depth, packer, .. } = overview;
    assert_eq!((files, directories, depth, packer), (12_740, 1317, 7, Packer::Monolith));
    let counts: Vec<_> = overview.types.iter().map(|count| (count.file_type.to_string(), count.files)).collect();
    let published =
        [("PID", 9825), ("WAV", 1060), ("ANI", 1047), ("PCX", 554), ("JBF", 56), ("TXT", 52), ("XMI", 50), ("CLT", 43)];
    assert_eq!(counts[..8], published.map(|(name, count)| (name.to_owned(), count)));
    let leftovers =
        read.validate().iter().filter(|finding| finding.code == "leftover").map(|finding| finding.count).sum::<usize>();
    assert_eq!(leftovers, 56 + 15 + 5 + 2 + 1 + 1);
}

/// Returns the paths of a line: a directory and its files. `FRAME[001-013].PID` stands for 13 files.
fn expand(line: &str) -> Vec<String> {
    let mut columns = line.split('\t');
    let directory = columns.next().unwrap_or_default();
    let mut paths = Vec::new();
    for name in columns {
        let range = name.split_once('[').and_then(|(start, rest)| Some((start, rest.split_once(']')?)));
        let Some((start, (range, end))) = range else {
            paths.push(format!("{directory}\\{name}"));
            continue;
        };
        let (first, last) = range.split_once('-').expect("two numbers");
        let [low, high] = [first, last].map(|number| number.parse::<u32>().expect("a number"));
        paths.extend(
            (low..=high).map(|number| format!("{directory}\\{start}{number:0width$}{end}", width = first.len())),
        );
    }
    paths
}

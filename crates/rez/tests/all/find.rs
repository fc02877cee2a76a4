//! Look-ups, as Monolith's reader does them.

use crate::support::{archive, directory, file, levels, to_u32};

use mapwright_rez::{Document, EntryRef, FileType};

#[test]
fn case_and_separators_do_not_matter() {
    let document = levels();
    let expected = document.find(r"LEVEL1\TILES\ACTION\012.PID").unwrap();
    for path in ["level1/tiles/action/012.pid", r"\LEVEL1\\Tiles/ACTION\012.Pid", "/level1/TILES/action/012.PID"] {
        assert_eq!(document.find(path), Some(expected), "{path}");
        assert_eq!(document.find_folded(path), Some(expected), "{path}");
    }
    for path in
        ["012.PID", r"LEVEL1\TILES\ACTION\012", r"LEVEL1\TILES\ACTION\012.PCX", r"LEVEL1\TILES\ACTION\012.PID\X"]
    {
        assert_eq!(document.find(path), None, "{path}");
    }
    assert_eq!(document.find(""), Some(EntryRef::Directory(document.root())));
    assert_eq!(document.find("/"), document.find(""));
    assert!(matches!(document.find("level1/tiles"), Some(EntryRef::Directory(_))));
    assert!(document.find_file("level1/tiles").is_none() && document.find_directory("level1/tiles").is_some());
}

#[test]
fn extensions_of_one_to_four_letters_are_types() {
    let mut document = Document::new();
    for path in ["README", "A.B.PID", "X.A", "LONG.ABCD", "tail.longer", "DOT."] {
        document.add(path, path.as_bytes(), None).unwrap();
    }
    let types: Vec<_> = document.root().files().map(|file| (file.name.clone(), file.file_type)).collect();
    let expected = [
        (&b"README"[..], FileType::NONE),
        (b"A.B", FileType::PID),
        (b"X", FileType(0x41)),
        (b"LONG", FileType(0x4142_4344)),
        (b"tail.longer", FileType::NONE),
        (b"DOT.", FileType::NONE),
    ];
    assert_eq!(types, expected.map(|(name, file_type)| (name.to_vec(), file_type)));
    for path in ["readme", "a.b.pid", "x.a", "long.abcd", "TAIL.LONGER", "dot."] {
        assert!(document.find_file(path).is_some(), "{path}");
    }
}

#[test]
fn the_first_of_equal_names_counts_and_files_count_before_directories() {
    let lower = u32::from_be_bytes(*b"\0txt");
    let root = [
        directory(0, 0, "SAME"),
        file(168, 1, "DUP", FileType::TXT.0),
        file(169, 1, "dup", FileType::TXT.0),
        file(170, 1, "DUP", FileType::PID.0),
        file(171, 1, "SAME", 0),
        file(172, 1, "LOWER", lower),
    ]
    .concat();
    let bytes = archive([173, to_u32(root.len())], &[b"12345".to_vec(), root].concat());
    let document = Document::from_vec(bytes).unwrap();
    let data = |path: &str| document.find_file(path).map(|file| file.data().unwrap());
    assert_eq!([data("dup.TXT"), data("DUP.PID"), data("same")], [b"1", b"3", b"4"].map(|data| Some(&data[..])));
    // Monolith's reader compares the asked type in upper case with the stored one.
    assert_eq!(data("LOWER.TXT"), None);
    assert_eq!(data("lower.txt"), None);
    let Some(EntryRef::File(folded)) = document.find_folded("lower.txt") else { panic!("a file") };
    assert_eq!(folded.data().unwrap(), b"5");
    assert!(document.find_folded("lower.txt2").is_none());
}

#[test]
fn bytes_beyond_ascii_are_compared_as_they_are() {
    let mut document = Document::new();
    document.add(b"\xe4.TXT", b"", None).unwrap();
    assert!(document.find(b"\xe4.txt").is_some() && document.find(b"\xc4.txt").is_none());
}

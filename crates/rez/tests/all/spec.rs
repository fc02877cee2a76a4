//! Hand-assembled archives, byte for byte as the format is described.

use crate::support::{archive, directory, file, paths, read_strict, to_u32, words};

use mapwright_rez::io::{Category, Limits};
use mapwright_rez::{
    Document, EntryKind, EntryRef, FileType, Layout, ReadErrorKind, ReadOptions, StoredHeader, Title, WriteOptions,
};

/// Source: "Directory block": a directory and a file, with all fields.
#[test]
fn entries_have_the_described_fields() {
    let payload = b"payload";
    let inner =
        [words(&[7, 168, 7, 10, 11, FileType::TXT.0, 2]), b"NAME\0about\0".to_vec(), words(&[12, u32::MAX])].concat();
    let (inner_at, inner_size) = (168 + payload.len(), to_u32(inner.len()));
    let root = [directory(inner_at, inner.len(), "DIR"), file(0, 0, "EMPTY", 0)].concat();
    let root_at = inner_at + inner.len();
    let bytes = archive([to_u32(root_at), to_u32(root.len())], &[payload.to_vec(), inner, root.clone()].concat());

    let document = Document::from_bytes(&bytes).unwrap();
    assert_eq!(document.header.title.text(), Title::REZ_MANAGER);
    assert_eq!((document.header.user_title.text(), document.header.time), (&b""[..], 0x366C_4C5C));
    let stored = document.stored_header().unwrap();
    let StoredHeader { root_position, root_size, largest_directory_name, is_sorted, .. } = *stored;
    let expected = (to_u32(root_at), to_u32(root.len()), 99, 1);
    assert_eq!((root_position, root_size, largest_directory_name, is_sorted), expected);
    assert_eq!(document.original_bytes(), Some(&bytes[..]));
    assert_eq!(paths(&document), ["DIR", "DIR/NAME.TXT", "EMPTY"]);
    let found = document.find_file(r"dir\name.txt").unwrap();
    assert_eq!((found.kind, found.time, found.id, found.file_type), (EntryKind(7), 10, 11, FileType::TXT));
    assert_eq!(
        (&found.name[..], &found.description[..], &found.keys[..]),
        (&b"NAME"[..], &b"about"[..], &[12, u32::MAX][..])
    );
    assert_eq!((found.data().unwrap(), found.size(), found.stored_position()), (&payload[..], 7, Some(168)));
    let empty = document.find_file("EMPTY").unwrap();
    assert_eq!((empty.data().unwrap(), empty.id, empty.time), (&b""[..], 5, 7));
    assert_eq!(document.find_directory("DIR").unwrap().stored_block(), Some([to_u32(inner_at), inner_size]));
    assert_eq!(document.to_bytes().unwrap(), bytes);
}

/// Source: "Layout": the payloads, then the blocks, each followed by as many zeros as it is long, except for the last.
#[test]
fn monoliths_packer_leaves_gaps_after_blocks() {
    let mut document = Document::new();
    document.header.time = 0x366C_4C5C;
    document.add(r"A\B\X.TXT", b"12345", Some(7)).unwrap().id = 5;
    document.add(r"C\Y", b"678", Some(7)).unwrap().id = 5;
    document.add_directory(r"C\E", None).unwrap();
    for path in ["A", r"A\B", "C", r"C\E"] {
        document.directory_mut(path).unwrap().time = 0;
    }
    let b = file(168, 5, "X", FileType::TXT.0);
    let b_at = 168 + 8;
    let a_at = b_at + 2 * b.len();
    let a = directory(b_at, b.len(), "B");
    let c_at = a_at + 2 * a.len();
    // Empty directories have the position that the next block has.
    let c = [directory(c_at, 0, "E"), file(173, 3, "Y", 0)].concat();
    let root_at = c_at + 2 * c.len();
    let root = [directory(a_at, a.len(), "A"), directory(c_at, c.len(), "C")].concat();
    let zeros = |block: &[u8]| vec![0; block.len()];
    let body =
        [b"12345678".to_vec(), b.clone(), zeros(&b), a.clone(), zeros(&a), c.clone(), zeros(&c), root.clone()].concat();
    let mut expected = archive([to_u32(root_at), to_u32(root.len())], &body);
    expected[0x8F..0x93].copy_from_slice(&words(&[176]));
    expected[0x97..0xA7].copy_from_slice(&words(&[0, 2, 2, 0]));
    assert_eq!(document.to_bytes().unwrap(), expected);
    let compact = document.to_bytes_with(&WriteOptions::default().with_layout(Layout::Compact)).unwrap();
    assert_eq!(compact.len(), 168 + 8 + b.len() + a.len() + c.len() + root.len());
    let read = Document::from_bytes(&expected).unwrap();
    assert_eq!(read, document);
    assert_eq!(read.to_bytes_with(&WriteOptions::default().with_layout(Layout::Compact)).unwrap(), compact);
    assert_eq!(
        Document::from_vec(compact)
            .unwrap()
            .to_bytes_with(&WriteOptions::default().with_layout(Layout::Monolith))
            .unwrap(),
        expected
    );
}

#[test]
fn a_new_archive_is_a_header() {
    let bytes = Document::new().to_bytes().unwrap();
    let mut expected = archive([168, 0], b"");
    expected[0x93..0x97].fill(0);
    expected[0x97..0xA7].fill(0);
    assert_eq!(bytes, expected);
    assert!(Document::from_bytes(&bytes).unwrap().root().entries().is_empty());
}

/// The root block need not be the last, and blocks may be before payloads.
#[test]
fn bytes_that_nothing_uses_are_preserved() {
    let root = file(168, 3, "A", 0);
    let bytes = archive([200, to_u32(root.len())], &[b"abc".to_vec(), vec![9; 29], root, b"the end".to_vec()].concat());
    let document = Document::from_bytes(&bytes).unwrap();
    assert_eq!(document.to_bytes().unwrap(), bytes);
    let overview = document.overview();
    assert_eq!((overview.unused_bytes, overview.unused_ranges, overview.payload_bytes), (36, 2, 3));
}

#[test]
fn directories_in_themselves_are_cycles() {
    let child_at = 168;
    let child_size = directory(0, 0, "UP").len() + directory(0, 0, "SELF").len();
    let root_at = child_at + child_size;
    let root_size = directory(0, 0, "CHILD").len();
    let child = [directory(root_at, root_size, "UP"), directory(child_at, child_size, "SELF")].concat();
    let root = directory(child_at, child_size, "CHILD");
    let bytes = archive([to_u32(root_at), to_u32(root_size)], &[child, root].concat());
    let document = Document::from_bytes(&bytes).unwrap();
    let found: Vec<String> = document.damage().map(|error| error.to_string()).collect();
    for (name, text) in ["UP", "SELF"].into_iter().zip(&found) {
        let is_cycle = text.contains("is that of a directory above: directories form a cycle");
        assert!(is_cycle && text.ends_with(&format!("in CHILD/{name}")), "{text}");
    }
    let codes: Vec<_> = document.validate().into_iter().map(|finding| finding.code).collect();
    assert_eq!(codes.iter().filter(|code| **code == "directory-cycle").count(), 2, "{codes:?}");
    assert_eq!(document.to_bytes().unwrap(), bytes);
}

#[test]
fn damaged_parts_are_reported_with_their_place() {
    let inner = file(168, 3, "A", 0);
    let cut = [file(168, 1, "B", 0), words(&[1, 2])].concat();
    let (inner_at, cut_at) = (171, 171 + inner.len());
    let root_at = cut_at + cut.len();
    let root = [
        directory(inner_at, inner.len(), "GOOD"),
        directory(inner_at, inner.len(), "TWICE"),
        directory(cut_at, cut.len(), "CUT"),
        directory(100, 80, "HEADER"),
        directory(0xFFFF_FFF0, 0x20, "WRAPS"),
        directory(root_at, 10, "INSIDE"),
        file(1 << 20, 1, "FAR", FileType::PID.0),
    ]
    .concat();
    let bytes = archive([to_u32(root_at), to_u32(root.len())], &[b"abc".to_vec(), inner, cut.clone(), root].concat());
    let document = Document::from_bytes(&bytes).unwrap();
    assert_eq!(document.to_bytes().unwrap(), bytes);
    assert_eq!(paths(&document), ["GOOD", "GOOD/A", "TWICE", "CUT", "CUT/B", "HEADER", "WRAPS", "INSIDE", "FAR.PID"]);
    let found: Vec<_> = document.damage().map(|error| (error.to_string(), error.category())).collect();
    let twice = root_at + 21;
    let expected = [
        (
            format!(
                "directory block of 31 bytes at offset 171 overlaps another directory block at offset {twice} ({twice:#x}) in TWICE"
            ),
            Category::Malformed,
        ),
        (
            format!("entry runs past the end of its directory block at offset {0} ({0:#x}) in CUT", cut_at + 31),
            Category::Malformed,
        ),
        (
            format!(
                "directory block of 80 bytes at offset 100 is outside the archive: expected a range from 168 to {} at offset {1} ({1:#x}) in HEADER",
                bytes.len(),
                root_at + 63
            ),
            Category::Malformed,
        ),
    ];
    assert_eq!(found[..3], expected);
    let rest: Vec<_> = found[3..].iter().map(|(_, category)| *category).collect();
    assert_eq!(rest, [Category::Truncated, Category::Malformed, Category::Truncated]);
    assert!(found[5].0.ends_with("in \"FAR.PID\""), "{}", found[5].0);
    let file = document.find_file("FAR.PID").unwrap();
    assert!(matches!(file.data().unwrap_err().kind(), ReadErrorKind::Damage(_)));
    // The strict mode stops at the first.
    assert_eq!(read_strict(&bytes).unwrap_err().text, expected[0].0);
    // Packing would lose the entries that cannot be read.
    let error = document.to_bytes_with(&WriteOptions::default().with_layout(Layout::Compact)).unwrap_err();
    assert_eq!(error.path().to_string(), "TWICE");
}

#[test]
fn directories_are_read_to_a_depth_of_64() {
    let mut document = Document::new();
    let deepest = vec!["D"; 64].join("/");
    document.add(format!("{deepest}/F"), b"deep", None).unwrap();
    let bytes = document.to_bytes().unwrap();
    assert_eq!(read_strict(&bytes).unwrap(), document);
    assert!(document.add(format!("{deepest}/D/F"), b"too deep", None).is_err());
    let limits = Limits::default().with_max_depth(63);
    let error = Document::from_bytes_with(&bytes, &ReadOptions::default().with_limits(limits)).unwrap_err();
    assert_eq!(error.category(), Category::Limit);
}

#[test]
fn other_files_are_rejected_with_the_reason() {
    let good = archive([168, 0], b"");
    let with = |at: usize, byte: u8| {
        let mut bytes = good.clone();
        bytes[at] = byte;
        Document::from_bytes(&bytes).unwrap_err().to_string()
    };
    assert_eq!(with(0, b'\n'), "not a REZ archive: expected 0x0d, found 0x0a at offset 0 (0x0)");
    assert_eq!(with(0x3F, b'\r'), "not a REZ archive: expected 0x0a, found 0x0d at offset 63 (0x3f)");
    assert_eq!(with(0x7E, 0), "not a REZ archive: expected 0x1a, found 0x00 at offset 126 (0x7e)");
    assert_eq!(with(0x7F, 2), "version 2 is not supported: expected version 1 at offset 127 (0x7f)");
    let short = Document::from_bytes(&good[..167]).unwrap_err();
    assert_eq!(short.to_string(), "the input ends early: 168 bytes needed, 167 left at offset 0 (0x0)");
    assert_eq!(short.category(), Category::Truncated);
    let pointer = Document::from_bytes(b"version https://git-lfs.github.com/spec/v1\n").unwrap_err();
    assert!(matches!(pointer.kind(), ReadErrorKind::LfsPointer) && pointer.help().is_some());
}

#[test]
fn shared_bytes_are_not_copied() {
    let bytes: std::sync::Arc<[u8]> = crate::support::levels().to_bytes().unwrap().into();
    let document = Document::from_shared(bytes.clone()).unwrap();
    let file = document.find_file("GAME/IMAGES/COIN.PID").unwrap();
    let start = file.stored_position().unwrap() as usize;
    assert!(std::ptr::eq(file.data().unwrap(), &bytes[start..start + 6]));
    // A file outlives its archive.
    let file = file.clone();
    drop((document, bytes));
    assert_eq!(file.data().unwrap(), b"a coin");
}

#[test]
fn items_have_paths() {
    let document = crate::support::levels();
    let (item, file) = document.files().find(|(_, file)| file.file_type == FileType::WWD).unwrap();
    assert_eq!(
        (item.path(), item.path_text()),
        (br"LEVEL1\WORLDS\WORLD.WWD".to_vec(), "LEVEL1/WORLDS/WORLD.WWD".to_owned())
    );
    assert_eq!(item.entry, EntryRef::File(file));
    assert_eq!(document.find(item.path()), Some(EntryRef::File(file)));
}

//! WapMap's notes after the stored block.

use mapwright_testkit::corpus;
use mapwright_wwd::{About, Document, Favourite, Guide, GuideDirection, Note, Notes, NotesError};
use proptest::prelude::*;

fn with_trailer(trailer: &[u8]) -> Document {
    let mut document = Document::new();
    document.trailer = trailer.to_vec();
    document
}

/// Returns notes with a block of each kind, assembled by hand.
fn all_kinds() -> (Vec<u8>, Notes) {
    let blocks: [(u8, &[u8]); 4] = [
        (2, b"\x1e\0\0\0TEST\0\x03\0\0\x001.0\0\0"),
        (3, b"\x02\0\0\0\x01\x40\0\0\0\0\x80\0\0\0"),
        (4, b"\x01\0\0\0Start\0\x0a\0\0\0\x14\0\0\0"),
        (200, b"\xff\0\xff"),
    ];
    let size = 9 + 9 + blocks.iter().map(|(_, bytes)| 5 + bytes.len()).sum::<usize>() + 9 + 10;
    let size = u32::try_from(size).unwrap().to_le_bytes();
    let mut bytes = b"<wm_meta>".to_vec();
    for (id, block) in [(0, &size[..])].into_iter().chain(blocks).chain([(1, &size[..])]) {
        bytes.push(id);
        bytes.extend(u32::try_from(block.len()).unwrap().to_le_bytes());
        bytes.extend(block);
    }
    bytes.extend(b"</wm_meta>");
    let about = About {
        wapmap_build: 30,
        wapmap_version: b"TEST".to_vec(),
        map_build: 3,
        map_version: b"1.0".to_vec(),
        description: Vec::new(),
    };
    let guide = |direction, position| Guide { direction, position };
    let items = vec![
        Note::About(about),
        Note::Guides(vec![guide(GuideDirection::HORIZONTAL, 64), guide(GuideDirection::VERTICAL, 128)]),
        Note::Favourites(vec![Favourite { name: b"Start".to_vec(), x: 10, y: 20 }]),
        Note::Other { id: 200, bytes: b"\xff\0\xff".to_vec() },
    ];
    (bytes, Notes { items })
}

#[test]
fn notes_are_read_and_written_as_described() {
    let (bytes, notes) = all_kinds();
    let mut document = with_trailer(&bytes);
    assert_eq!(document.notes(), Ok(Some(notes.clone())));
    document.set_notes(None).unwrap();
    assert_eq!((document.trailer.len(), document.notes()), (0, Ok(None)));
    document.set_notes(Some(&notes)).unwrap();
    assert_eq!(document.trailer, bytes);
    document.set_notes(Some(&Notes::default())).unwrap();
    assert_eq!(document.trailer.len(), 37, "the tags and two bytes for the size");
    assert_eq!(document.notes(), Ok(Some(Notes::default())));
}

#[test]
fn damaged_notes_are_reported() {
    assert_eq!(with_trailer(b"other bytes").notes(), Ok(None));
    let (bytes, _) = all_kinds();
    for cut in 9..bytes.len() {
        assert!(matches!(with_trailer(&bytes[..cut]).notes(), Err(NotesError::Damaged { .. })), "{cut}");
    }
    let more = [&bytes[..], b" "].concat();
    assert!(with_trailer(&more).notes().is_err());
    // The size of all, at the start and at the end.
    for at in [14, bytes.len() - 14] {
        let mut wrong = bytes.clone();
        wrong[at] ^= 1;
        assert!(with_trailer(&wrong).notes().is_err(), "{at}");
    }
}

#[test]
fn a_note_with_additional_bytes_is_preserved() {
    let items = vec![Note::Other { id: 3, bytes: b"\x01\0\0\0\x01\x40\0\0\0+".to_vec() }];
    let notes = Notes { items };
    let mut document = Document::new();
    document.set_notes(Some(&notes)).unwrap();
    assert_eq!(document.notes(), Ok(Some(notes)));
    let about = About { description: b"a\0b".to_vec(), ..About::default() };
    let before = document.clone();
    assert_eq!(document.set_notes(Some(&Notes { items: vec![Note::About(about)] })), Err(NotesError::Nul));
    assert_eq!(document, before);
}

#[test]
fn a_declared_count_allocates_no_more_than_its_bytes() {
    let items = vec![Note::Other { id: 4, bytes: b"\xff\xff\xff\xff".to_vec() }];
    let mut document = Document::new();
    document.set_notes(Some(&Notes { items: items.clone() })).unwrap();
    assert_eq!(document.notes(), Ok(Some(Notes { items })));
}

#[test]
#[ignore = "needs the corpus"]
fn notes_of_corpus_levels_come_back() {
    let Some(folder) = corpus("wwd") else { return };
    let read = |name: &str| Document::from_bytes(&std::fs::read(folder.join(name)).unwrap()).unwrap();
    for name in ["synthetic/trailer_all_blocks.wwd", "synthetic/trailer_uncompressed.wwd"] {
        assert_eq!(read(name).notes(), Ok(Some(all_kinds().1)), "{name}");
    }
    assert_eq!(read("synthetic/trailer_unknown.wwd").notes(), Ok(None));
    let mut real = read("5f6670_Test1.wwd");
    let notes = real.notes().unwrap().unwrap();
    let about = About {
        wapmap_build: 30,
        wapmap_version: b"MAINDEV".to_vec(),
        map_build: 7,
        map_version: b"1.0".to_vec(),
        description: Vec::new(),
    };
    assert_eq!(notes.items, [Note::About(about)]);
    let before = real.trailer.clone();
    real.set_notes(Some(&notes)).unwrap();
    assert_eq!(real.trailer, before);
}

fn text() -> BoxedStrategy<Vec<u8>> {
    prop::collection::vec(1..=u8::MAX, 0..9).boxed()
}

fn note() -> BoxedStrategy<Note> {
    let about = (any::<i32>(), text(), any::<i32>(), text(), text());
    let guide = (0..3_u8, any::<i32>());
    let favourite = (text(), any::<u32>(), any::<u32>());
    prop_oneof![
        about.prop_map(|(wapmap_build, wapmap_version, map_build, map_version, description)| Note::About(About {
            wapmap_build,
            wapmap_version,
            map_build,
            map_version,
            description
        })),
        prop::collection::vec(guide, 0..4).prop_map(|guides| {
            let guides = guides.into_iter();
            Note::Guides(guides.map(|(way, position)| Guide { direction: GuideDirection(way), position }).collect())
        }),
        prop::collection::vec(favourite, 0..4).prop_map(|places| {
            Note::Favourites(places.into_iter().map(|(name, x, y)| Favourite { name, x, y }).collect())
        }),
        // Also of the kinds that are first and last.
        (prop_oneof![Just(0_u8), Just(1), 5..=u8::MAX], text()).prop_map(|(id, bytes)| Note::Other { id, bytes }),
    ]
    .boxed()
}

proptest! {
    #[test]
    fn any_notes_come_back(items in prop::collection::vec(note(), 0..5)) {
        let notes = Notes { items };
        let mut document = Document::new();
        document.set_notes(Some(&notes)).unwrap();
        prop_assert_eq!(document.notes(), Ok(Some(notes)));
    }

    #[test]
    fn notes_that_were_read_are_written_the_same(
        items in prop::collection::vec(note(), 0..5), at in any::<prop::sample::Index>(), byte in any::<u8>(),
    ) {
        let mut document = Document::new();
        document.set_notes(Some(&Notes { items })).unwrap();
        let at = at.index(document.trailer.len());
        document.trailer[at] = byte;
        if let Ok(Some(notes)) = document.notes() {
            let before = document.trailer.clone();
            document.set_notes(Some(&notes)).unwrap();
            prop_assert_eq!(document.trailer, before);
        }
    }
}

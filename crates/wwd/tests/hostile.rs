//! Files made to break a reader: an error or a level, in bounded memory. One test, because it measures the heap.

#[path = "all/support.rs"]
mod support;

use mapwright_testkit::{PeakAlloc, allowed_memory, mutate};
use mapwright_wwd::io::{Category, Limits, Position, Space};
use mapwright_wwd::{
    Document, HeaderFlags, HeaderSize, ImageSets, Object, Objects, Plane, PlaneFlags, ReadError, ReadErrorKind,
    ReadOptions, Shape, TileProperties, TileProperty,
};

#[global_allocator]
static HEAP: PeakAlloc = PeakAlloc;

/// Reads bytes and all objects. The memory limit counts the decompressed data too.
fn survives(what: &str, bytes: &[u8]) -> Result<Document, ReadError> {
    let inflated = bytes.get(0x2E8..0x2EC).map_or(0, |word| u32::from_le_bytes(word.try_into().expect("a word")));
    let inflated = (inflated as usize).min(bytes.len().saturating_mul(1100));
    let input = (bytes, allowed_memory(bytes.len() + inflated));
    let read = |bytes: &[u8]| Document::from_bytes(bytes).inspect(decode_objects);
    let validate = |document: &Document| document.validate().len();
    let offset = |error: &ReadError| error.position().map(|at| position_in_file(at, inflated));
    mapwright_testkit::survives(&HEAP, what, input, read, Document::to_bytes, validate, offset)
}

/// Returns the offset of an error. A valid offset in the decompressed data counts as the start of the file.
fn position_in_file(at: Position, inflated: usize) -> u64 {
    match at.space {
        Space::Inflated if at.offset <= inflated as u64 => 0,
        _ => at.offset,
    }
}

/// Decodes every object.
fn decode_objects(level: &Document) {
    for plane in &level.planes {
        assert_eq!(plane.objects.iter().count(), plane.objects.len());
    }
}

fn plain() -> Document {
    let mut level = Document::new();
    level.header.flags = HeaderFlags::USE_Z;
    let mut image_sets = ImageSets::new();
    image_sets.push(b"ACTION").expect("a name");
    let object = Object { logic: b"DoNothing".to_vec(), ..Object::default() };
    level.planes.push(Plane {
        flags: PlaneFlags::MAIN,
        tiles_wide: 2,
        tiles_high: 2,
        tiles: vec![1, 2, u32::MAX, 3].into(),
        image_sets,
        objects: vec![object.clone(), object].into(),
        ..Plane::default()
    });
    let item = TileProperty { reserved_04: 0, width: 2, height: 2, shape: Shape::Mask(vec![0, 1, 2, 3]) };
    level.tile_properties = Some(TileProperties { items: vec![item], ..TileProperties::default() });
    level
}

fn set(bytes: &mut [u8], at: usize, word: u32) {
    bytes[at..at + 4].copy_from_slice(&word.to_le_bytes());
}

fn get(bytes: &[u8], at: usize) -> u32 {
    u32::from_le_bytes(bytes[at..at + 4].try_into().expect("a word"))
}

#[test]
fn hostile_files() {
    damaged();
    shared();
    dense();
    limited();
    headers();
    lengths();
}

/// Every byte flipped, every word of the headers replaced by unusual numbers, every prefix.
fn damaged() {
    let level = plain();
    let bytes = level.to_bytes().expect("a level");
    for mutant in mutate::byte_flips(&bytes).chain(mutate::numbers(&bytes)) {
        let _ = survives("a damaged level", &mutant);
    }
    let mut compressed = level;
    compressed.header.flags = HeaderFlags(3);
    let bytes = compressed.to_bytes().expect("a level");
    for mutant in mutate::byte_flips(&bytes) {
        let _ = survives("a damaged compressed level", &mutant);
    }
}

/// Many planes that claim the same tiles: a bomb of planes.
fn shared() {
    let mut level = plain();
    let plane = Plane { flags: PlaneFlags(0), objects: Objects::new(), ..level.planes[0].clone() };
    level.planes[0].tiles_wide = 1 << 18;
    level.planes[0].tiles_high = 1;
    level.planes[0].tiles = vec![7; 1 << 18].into();
    level.planes.extend(std::iter::repeat_n(plane, 5000));
    let mut bytes = level.to_bytes().expect("a level");
    let tiles = get(&bytes, 1524 + 0x84);
    for index in 1..=5000 {
        let at = 1524 + index * 160;
        set(&mut bytes, at + 0x60, 1 << 18);
        set(&mut bytes, at + 0x64, 1);
        set(&mut bytes, at + 0x84, tiles);
    }
    let error = survives("5000 planes that share a megabyte", &bytes).expect_err("a bomb");
    assert!(matches!(error.kind(), ReadErrorKind::Overlap { .. }), "{error}");
    assert!(error.path().to_string().starts_with("planes["), "{error}");
    // A few planes may share tiles.
    for index in 3..=5000 {
        let at = 1524 + index * 160;
        set(&mut bytes, at + 0x60, 0);
    }
    let level = survives("two planes that share a megabyte", &bytes).expect("a level");
    assert!(level.planes[1].tiles == level.planes[2].tiles && level.layout.is_some());
    // Shared sections are separated when one of them changes.
    let mut edited = level.clone();
    edited.planes[1].tiles[9] = 9;
    let again = Document::from_bytes(&edited.to_bytes().expect("a level")).expect("a level");
    assert!(again.planes == edited.planes && again.layout.is_none());
}

/// The most items per byte of the file: empty names, small objects, masks without a pixel.
fn dense() {
    let mut level = plain();
    for _ in 0..2_000_000 {
        level.planes[0].image_sets.push(b"").expect("a name");
    }
    level.planes[0].objects = vec![Object::default(); 20_000].into();
    let empty = TileProperty { reserved_04: 0, width: 0, height: 0, shape: Shape::Mask(Vec::new()) };
    level.tile_properties = Some(TileProperties { items: vec![empty; 200_000], ..TileProperties::default() });
    for flags in [1, 3] {
        level.header.flags = HeaderFlags(flags);
        let bytes = level.to_bytes().expect("a level");
        survives("a dense level", &bytes).expect("a level");
    }
}

fn limited() {
    let mut level = plain();
    level.header.flags = HeaderFlags(3);
    let bytes = level.to_bytes().expect("a level");
    for limits in [
        Limits::default().with_max_items(3),
        Limits::default().with_max_decompressed(100),
        Limits::default().with_max_input(100),
    ] {
        let options = ReadOptions::default().with_limits(limits);
        let error = Document::from_reader_with(&bytes[..], &options).expect_err("a limit");
        assert_eq!(error.category(), Category::Limit, "{error}");
    }
}

fn headers() {
    let bytes = plain().to_bytes().expect("a level");
    for size in [0, 1, 755, 1525, 44474, u32::MAX] {
        let mut bytes = bytes.clone();
        set(&mut bytes, 0, size);
        let error = survives("a header of another size", &bytes).expect_err("a size");
        assert!(matches!(error.kind(), ReadErrorKind::HeaderSize { .. }), "{error}");
        let any = ReadOptions::default().with_header_size(HeaderSize::Any);
        match Document::from_bytes_with(&bytes, &any) {
            Ok(level) => assert!(size > 1524 && level.to_bytes().expect("a level") == bytes),
            Err(_) => assert!(size < 1524),
        }
    }
    let error = survives("a pointer", b"version https://git-lfs.github.com/spec/v1\noid").expect_err("no level");
    assert!(matches!(error.kind(), ReadErrorKind::LfsPointer) && error.help().is_some());
}

/// Texts that are longer than the file: reading reports the object and offset, not the first access.
fn lengths() {
    let level = plain();
    let bytes = level.to_bytes().expect("a level");
    let objects = get(&bytes, 1524 + 0x8C) as usize;
    let second = objects + 284 + b"DoNothing".len();
    let rest = bytes.len() - second - 284;
    for (object, index) in [(objects, 0), (second, 1)] {
        for text in 1..=4 {
            for length in [bytes.len(), i32::MAX as usize, u32::MAX as usize] {
                let mut bytes = bytes.clone();
                set(&mut bytes, object + 4 * text, u32::try_from(length).expect("a word"));
                let error = survives("a text without an end", &bytes).expect_err("a length");
                assert_eq!(error.path().to_string(), format!("planes[0].objects[{index}]"), "{error}");
                // The offset is after the texts before it.
                let logic = if text > 2 { b"DoNothing".len() } else { 0 };
                let at = error.position().map(|at| at.offset);
                assert_eq!(
                    (at, error.category()),
                    (Some((object + 284 + logic) as u64), Category::Truncated),
                    "{error}"
                );
            }
        }
    }
    // The bytes after the last object belong to other sections.
    let mut longest = bytes.clone();
    set(&mut longest, second + 16, u32::try_from(rest - b"DoNothing".len()).expect("a word"));
    let level = survives("a text to the end of the file", &longest).expect("a level");
    assert!(longest.ends_with(&level.planes[0].objects[1].animation) && level.layout.is_some());
    set(&mut longest, second + 16, u32::try_from(rest + 1 - b"DoNothing".len()).expect("a word"));
    survives("a text beyond the end of the file", &longest).expect_err("a length");
    // Objects that end with the file: one more than there are.
    let mut more = bytes;
    more.truncate(second + 284 + b"DoNothing".len());
    set(&mut more, 0x2E4, 0);
    survives("objects that end with the file", &more).expect("a level");
    set(&mut more, 1524 + 0x80, 3);
    let error = survives("an object too many", &more).expect_err("a count");
    assert_eq!(error.path().to_string(), "planes[0].objects");
}

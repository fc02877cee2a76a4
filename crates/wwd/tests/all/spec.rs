//! A level assembled by hand, word by word as the format is described.

use crate::support;

use mapwright_testkit::hexdiff;
use mapwright_wwd::{
    Cell, Checksum, DrawFlags, FieldError, FieldValue, HeaderFlags, ObjectType, PlaneFlags, Rect, Shape, WriterProfile,
};
use support::read;

/// Bytes at offsets.
struct Sheet(Vec<u8>);

impl Sheet {
    fn zeroed(size: usize) -> Self {
        Self(vec![0; size])
    }

    fn word(mut self, at: usize, word: u32) -> Self {
        self.0[at..at + 4].copy_from_slice(&word.to_le_bytes());
        self
    }

    fn text(mut self, at: usize, text: &[u8]) -> Self {
        self.0[at..at + text.len()].copy_from_slice(text);
        self
    }
}

/// The main block: a plane of two cells, a name, an object and three tile properties.
fn main_block() -> Vec<u8> {
    let plane = Sheet::zeroed(160)
        .word(0x00, 160)
        .word(0x08, 1)
        .text(0x10, b"Action")
        .word(0x50, 128)
        .word(0x54, 64)
        .word(0x58, 64)
        .word(0x5C, 64)
        .word(0x60, 2)
        .word(0x64, 1)
        .word(0x70, 100)
        .word(0x74, 100)
        .word(0x78, 7)
        .word(0x7C, 1)
        .word(0x80, 1)
        .word(0x84, 1524 + 160)
        .word(0x88, 1524 + 160 + 8)
        .word(0x8C, 1524 + 160 + 8 + 7)
        .word(0x90, (-3_i32).cast_unsigned());
    let object = Sheet::zeroed(284)
        .word(0x00, 17)
        .word(0x04, 1)
        .word(0x08, 8)
        .word(0x0C, 4)
        .word(0x10, 0)
        .word(0x14, 100)
        .word(0x18, 50)
        .word(0x1C, 1000)
        .word(0x20, u32::MAX)
        .word(0x2C, 2)
        .word(0x4C, 1)
        .word(0x50, 2)
        .word(0x54, 3)
        .word(0x58, 4)
        .word(0xDC, 150)
        .word(0x10C, 4)
        .word(0x118, 9);
    let properties = [
        Sheet::zeroed(32).word(0, 32).word(8, 3),
        Sheet::zeroed(20).word(0, 1).word(8, 64).word(12, 64).word(16, 1),
        Sheet::zeroed(40).word(0, 2).word(8, 64).word(12, 64).word(20, 2).word(32, 63).word(36, 48),
        Sheet::zeroed(18).word(0, 3).word(8, 2).word(12, 1).text(16, &[4, 3]),
    ];
    let tiles = [5_u32, 0xEEEE_EEEE].iter().flat_map(|word| word.to_le_bytes()).collect();
    let mut block = [plane.0, tiles, b"ACTION\0".to_vec(), object.0, b"xElevatorGAME".to_vec()].concat();
    properties.iter().for_each(|part| block.extend_from_slice(&part.0));
    block
}

fn file(flags: u32, stored: &[u8], size: u32, checksum: u32) -> Vec<u8> {
    let properties = 1524 + 160 + 8 + 7 + 284 + 13;
    let header = Sheet::zeroed(1524)
        .word(0x000, 1524)
        .word(0x008, flags)
        .text(0x010, b"Level 12 and 3\0left")
        .text(0x050, b"me")
        .text(0x090, b"October 28, 1997")
        .text(0x1D0, b"\\LEVEL12\\TILES")
        .word(0x2D0, 10)
        .word(0x2D4, (-20_i32).cast_unsigned())
        .word(0x2DC, 1)
        .word(0x2E0, 1524)
        .word(0x2E4, properties)
        .word(0x2E8, size)
        .word(0x2EC, checksum)
        .text(0x574, b"LEVEL")
        .text(0x5D4, b"GAME");
    [&header.0, stored].concat()
}

/// The sum of an uncompressed block, as written in the community's description: a loop from 1 on.
fn sum(block: &[u8]) -> u32 {
    let terms = (1_u32..).zip(block[1..].iter().chain([&0])).map(|(at, byte)| u32::from(*byte).wrapping_sub(at));
    terms.fold(0, u32::wrapping_add)
}

#[test]
fn a_level_has_the_fields_of_its_bytes() {
    let main = main_block();
    let bytes = file(1, &main, 0, sum(&main));
    let level = read(&bytes).expect("a level");
    assert_eq!(hexdiff(&bytes, &level.to_bytes().expect("a document")), None);
    assert_eq!(level.layout, None);

    let header = &level.header;
    assert_eq!(header.name.text(), b"Level 12 and 3");
    assert!(header.name.residue().starts_with(b"left"));
    assert_eq!((header.level_number(), header.author.text()), (Some(12), &b"me"[..]));
    assert_eq!((header.start_x, header.start_y, header.flags), (10, -20, HeaderFlags::USE_Z));
    assert_eq!((header.prefix_1.text(), header.prefix_4.text()), (&b"LEVEL"[..], &b"GAME"[..]));
    assert_eq!(header.checksum, Checksum::Editor.compute(&main, &main, false));

    let [plane] = &level.planes[..] else { panic!("one plane") };
    assert_eq!((plane.name.text(), plane.flags, plane.z_coord), (&b"Action"[..], PlaneFlags::MAIN, -3));
    assert_eq!((plane.size(), plane.fill_color, plane.movement_y), ((2, 1), 7, 100));
    assert_eq!(plane.cell(0, 0), Some(Cell::Tile { image_set: 0, frame: 5 }));
    assert_eq!((plane.cell(1, 0), plane.cell(2, 0), plane.cell(0, 1)), (Some(Cell::Fill), None, None));
    assert_eq!(plane.image_sets.iter().collect::<Vec<_>>(), [b"ACTION"]);

    let [object] = &plane.objects[..] else { panic!("one object") };
    assert_eq!((object.id, object.x, object.y, object.z, object.i), (17, 100, 50, 1000, -1));
    assert_eq!((object.draw_flags, object.object_type), (DrawFlags::MIRROR, ObjectType::ENEMY));
    assert_eq!(object.rect_move, Rect { left: 1, top: 2, right: 3, bottom: 4 });
    assert_eq!((object.speed_x, object.move_res_x, object.move_res_y), (150, 0, 9));
    let texts = [&object.name, &object.logic, &object.image_set, &object.animation];
    assert_eq!(texts.map(|text| &text[..]), [&b"x"[..], b"Elevator", b"GAME", b""]);
    assert_eq!(object.field("speed_x"), Some(FieldValue::Int(150)));

    let table = level.tile_properties.as_ref().expect("a table");
    let shapes: Vec<&Shape> = table.items.iter().map(|item| &item.shape).collect();
    let rect = Rect { left: 0, top: 0, right: 63, bottom: 48 };
    assert_eq!(shapes, [&Shape::Single(1), &Shape::Double { outside: 0, inside: 2, rect }, &Shape::Mask(vec![4, 3])]);
}

/// Both stored blocks were made by zlib itself.
#[test]
fn blocks_of_both_editors_are_distinguished() {
    for (stored, profile, checksum) in [
        (include_bytes!("data/main.level6").as_slice(), WriterProfile::Editor, Checksum::Editor),
        (include_bytes!("data/main.level9").as_slice(), WriterProfile::WapMap, Checksum::WapMap),
    ] {
        let main = main_block();
        let bytes = file(3, stored, 582, checksum.compute(stored, &main, true));
        let level = read(&bytes).expect("a level");
        assert_eq!(level.to_main_block().expect("a document"), main);
        assert_eq!((level.profile, level.stored_block()), (profile, Some(stored)));
        assert_eq!(hexdiff(&bytes, &level.to_bytes().expect("a document")), None);
        // The same from the main block alone, and after a change and back.
        let mut edited = level.clone();
        edited.planes[0].objects[0].x = 0;
        assert_ne!(edited.to_bytes().expect("a document"), bytes);
        edited.planes[0].objects[0].x = 100;
        edited.store(profile).expect("a document");
        assert_eq!(hexdiff(&bytes, &edited.to_bytes().expect("a document")), None);
    }
}

#[test]
fn a_header_may_end_early() {
    let main = main_block();
    let whole = file(1, &main, 0, 0);
    // The engine copies the declared number of bytes; offsets of sections count from there.
    let mut short = whole[..756].to_vec();
    short[..4].copy_from_slice(&756_u32.to_le_bytes());
    let moved = |at: usize| (u32::from_le_bytes(whole[at..at + 4].try_into().expect("a word")) - 768).to_le_bytes();
    for at in [0x2E0, 0x2E4] {
        short[at..at + 4].copy_from_slice(&moved(at));
    }
    let mut block = main.clone();
    for at in [0x84, 0x88, 0x8C] {
        block[at..at + 4].copy_from_slice(&moved(1524 + at));
    }
    let bytes = [short, block].concat();
    let level = read(&bytes).expect("a level");
    assert_eq!(hexdiff(&bytes, &level.to_bytes().expect("a document")), None);
    assert_eq!(level.planes, read(&whole).expect("a level").planes);
    assert!(level.layout.is_none() && level.header.prefix_1.text().is_empty());
    // Fields that do not fit are not dropped.
    let mut named = level.clone();
    named.header.prefix_1.raw[0] = b'X';
    assert!(named.to_bytes().is_err());
}

#[test]
fn fields_take_their_own_values() {
    let mut level = read(&file(1, &main_block(), 0, 0)).expect("a level");
    let header = &mut level.header;
    header.set_field("name", FieldValue::Text(b"Level 2".to_vec())).expect("a name");
    assert_eq!(header.name.residue().iter().filter(|byte| **byte != 0).count(), 0);
    let long = header.set_field("prefix_1", FieldValue::Text(vec![b'x'; 33]));
    assert_eq!(long, Err(FieldError::Long { name: "prefix_1", room: 32, length: 33 }));
    let unknown = header.set_field("nothing", FieldValue::Int(1));
    assert_eq!(unknown, Err(FieldError::Unknown { name: "nothing".to_owned() }));
    assert!(header.set_field("start_x", FieldValue::Text(Vec::new())).is_err());
}

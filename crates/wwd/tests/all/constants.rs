//! Constants of the format against literals from its description.
//!
//! Lists of flags and fields are complete: a constant without a literal fails as well.

use mapwright_wwd::logics::{Game, Treasure, attribute_name, loot};
use mapwright_wwd::{
    AddFlags, Cell, Document, DrawFlags, DynamicFlags, FieldValue, GuideDirection, Header, HeaderFlags, Object,
    ObjectType, Plane, PlaneFlags, Rect, Shape, TileProperties,
};

macro_rules! known {
    ($flags:ident) => {
        $flags::KNOWN.iter().map(|(flag, name)| (flag.0, *name)).collect::<Vec<_>>()
    };
}

/// Source: "File header", "Plane header" and "Record".
#[test]
fn flags_of_levels_have_the_published_bits() {
    assert_eq!(known!(HeaderFlags), [(1, "USE_Z"), (2, "COMPRESS")]);
    let plane = [(0x01, "MAIN"), (0x02, "NO_DRAW"), (0x04, "WRAP_X"), (0x08, "WRAP_Y"), (0x10, "AUTO_TILE_SIZE")];
    assert_eq!(known!(PlaneFlags), plane);
    let add = [
        (0x01, "DIFFICULT"),
        (0x02, "EYE_CANDY"),
        (0x04, "HIGH_DETAIL"),
        (0x08, "MULTIPLAYER"),
        (0x10, "EXTRA_MEMORY"),
        (0x20, "FAST_CPU"),
    ];
    assert_eq!(known!(AddFlags), add);
    let dynamic = [(0x1, "NO_HIT"), (0x2, "ALWAYS_ACTIVE"), (0x4, "SAFE"), (0x8, "AUTO_HIT_DAMAGE")];
    assert_eq!(known!(DynamicFlags), dynamic);
    assert_eq!(known!(DrawFlags), [(0x1, "NO_DRAW"), (0x2, "MIRROR"), (0x4, "INVERT"), (0x8, "FLASH")]);
}

/// Source: "Record", values of `object_type` and `hit_type`.
#[test]
fn object_types_have_the_published_values() {
    let published = [
        (ObjectType::GENERIC, 0x001, "GENERIC"),
        (ObjectType::PLAYER, 0x002, "PLAYER"),
        (ObjectType::ENEMY, 0x004, "ENEMY"),
        (ObjectType::POWERUP, 0x008, "POWERUP"),
        (ObjectType::SHOT, 0x010, "SHOT"),
        (ObjectType::P_SHOT, 0x020, "P_SHOT"),
        (ObjectType::E_SHOT, 0x040, "E_SHOT"),
        (ObjectType::SPECIAL, 0x080, "SPECIAL"),
        (ObjectType::USER_1, 0x100, "USER_1"),
        (ObjectType::USER_2, 0x200, "USER_2"),
        (ObjectType::USER_3, 0x300, "USER_3"),
        (ObjectType::USER_4, 0x400, "USER_4"),
        (ObjectType::ALL, 0xFFFF_FFFF, "ALL"),
    ];
    for (code, value, name) in published {
        assert_eq!((code.0, code.name()), (value, Some(name)));
    }
    let named = (0..=0xFFFF).filter(|&value| ObjectType(value).name().is_some()).count();
    assert_eq!(named, published.len() - 1);
}

/// Source: "Tiles".
#[test]
fn cells_have_the_published_words() {
    assert_eq!((Cell::EMPTY, Cell::FILL), (0xFFFF_FFFF, 0xEEEE_EEEE));
    assert_eq!(Cell::from_word(0xFFFF_FFFF), Cell::Empty);
    assert_eq!(Cell::from_word(0xEEEE_EEEE), Cell::Fill);
    assert_eq!(Cell::from_word(0x0001_0203), Cell::Tile { image_set: 0x0001, frame: 0x0203 });
}

/// Source: "Tile properties".
#[test]
fn shapes_of_tiles_have_the_published_types() {
    assert_eq!(Shape::Single(0).code(), 1);
    assert_eq!(Shape::Double { outside: 0, inside: 0, rect: Rect::default() }.code(), 2);
    assert_eq!(Shape::Mask(Vec::new()).code(), 3);
    assert_eq!(TileProperties::default().size, 32);
}

/// Source: "Trailer", guides.
#[test]
fn guides_have_the_published_directions() {
    assert_eq!((GuideDirection::VERTICAL.0, GuideDirection::HORIZONTAL.0), (0, 1));
}

/// Source: "Tile properties", attributes of both games and of Gruntz.
#[test]
fn attributes_of_tiles_have_the_published_names() {
    let common = [(0, "clear"), (1, "solid"), (2, "ground"), (3, "climb"), (4, "death")];
    let gruntz = [
        (0x0A, "water"),
        (0x0B, "arrow A up"),
        (0x0C, "arrow A down"),
        (0x0D, "arrow A left"),
        (0x0E, "arrow A right"),
        (0x0F, "arrow B up"),
        (0x10, "arrow B down"),
        (0x11, "arrow B left"),
        (0x12, "arrow B right"),
        (0x13, "current arrow"),
        (0x1E, "gauntlet rock A"),
        (0x1F, "gauntlet rock B"),
        (0x20, "spikes"),
        (0x21, "giant rock"),
        (0x22, "covered powerup"),
        (0x23, "revealed powerup"),
        (0x24, "sink hazard"),
        (0x33, "switch A down"),
        (0x34, "switch A up"),
        (0x35, "switch B down"),
        (0x36, "switch B up"),
        (0x37, "multi switch down"),
        (0x38, "multi switch up"),
        (0x39, "switch C down"),
        (0x3A, "switch C up"),
        (0x3B, "exclusive switch down"),
        (0x3C, "exclusive switch up"),
        (0x3D, "secret switch down"),
        (0x3E, "secret switch up"),
        (0x3F, "time switch down"),
        (0x40, "time switch up"),
        (0x41, "checkpoint down"),
        (0x42, "checkpoint up"),
        (0x5D, "checkpoint pyramid down"),
        (0x5E, "checkpoint pyramid up"),
        (0x5F, "white pyramid down"),
        (0x60, "white pyramid up"),
        (0x61, "orange pyramid down"),
        (0x62, "orange pyramid up"),
        (0x63, "black pyramid down"),
        (0x64, "black pyramid up"),
        (0x65, "green pyramid down"),
        (0x66, "green pyramid up"),
        (0x67, "red pyramid down"),
        (0x68, "red pyramid up"),
        (0x69, "purple pyramid down"),
        (0x6A, "purple pyramid up"),
        (0x6B, "water bridge down"),
        (0x6C, "water bridge up"),
        (0x6D, "death bridge down"),
        (0x6E, "death bridge up"),
        (0x6F, "crumbling water bridge"),
        (0x70, "crumbling death bridge"),
        (0x71, "toggle water bridge down"),
        (0x72, "toggle water bridge up"),
        (0x73, "toggle death bridge down"),
        (0x74, "toggle death bridge up"),
        (0x96, "hidden powerup"),
        (0x97, "gauntlet brick A"),
        (0x98, "gauntlet brick B"),
        (0x99, "gauntlet brick C"),
        (0x9A, "unnamed"),
    ];
    let names = |game| (-1..=0x200).filter_map(move |value| Some((value, attribute_name(value, game)?)));
    assert!(names(Game::Claw).eq(common));
    assert!(names(Game::Gruntz).eq(common.into_iter().chain(gruntz)));
}

/// Source: "Logics", loot ids of Claw. The description names the colours of rings only, and curses and swords without
/// their kinds. It has no id 31. The list repeats the names of the crate there.
#[test]
fn loot_of_claw_has_the_published_numbers() {
    let published = [
        (1, "goldbar"),
        (2, "red ring"),
        (3, "green ring"),
        (4, "blue ring"),
        (5, "purple ring"),
        (6, "necklace"),
        (7, "red cross"),
        (8, "green cross"),
        (9, "blue cross"),
        (10, "purple cross"),
        (11, "red scepter"),
        (12, "green scepter"),
        (13, "blue scepter"),
        (14, "purple scepter"),
        (15, "red gecko"),
        (16, "green gecko"),
        (17, "blue gecko"),
        (18, "purple gecko"),
        (19, "deathbag"),
        (20, "shot"),
        (21, "shotbag"),
        (22, "catnip 1"),
        (23, "catnip 2"),
        (24, "food"),
        (25, "potion 3"),
        (26, "potion 1"),
        (27, "potion 2"),
        (28, "magic 5"),
        (29, "magic 10"),
        (30, "magic 25"),
        (31, "map piece"),
        (32, "warp"),
        (33, "coin"),
        (34, "dynamite"),
        (35, "curse: ammo"),
        (36, "curse: magic"),
        (37, "curse: health"),
        (38, "curse: life"),
        (39, "curse: treasure"),
        (40, "curse: freeze"),
        (41, "red chalice"),
        (42, "green chalice"),
        (43, "blue chalice"),
        (44, "purple chalice"),
        (45, "red crown"),
        (46, "green crown"),
        (47, "blue crown"),
        (48, "purple crown"),
        (49, "red skull"),
        (50, "green skull"),
        (51, "blue skull"),
        (52, "purple skull"),
        (53, "ghost"),
        (54, "invulnerability"),
        (55, "extra life"),
        (56, "fire sword"),
        (57, "lightning sword"),
        (58, "ice sword"),
    ];
    let names = (-1..100).filter_map(|id| Some((id, loot(id)?.name)));
    assert_eq!(names.collect::<Vec<_>>(), published);
}

/// Source: "Logics", scores of Claw. The description has no score of necklaces, so the list repeats that of the crate.
#[test]
fn treasures_of_claw_have_the_published_scores() {
    let scores = Treasure::ALL.map(|treasure| (treasure.name(), treasure.score()));
    let published = [
        ("coin", 100),
        ("goldbar", 500),
        ("ring", 1500),
        ("necklace", 2500),
        ("chalice", 2500),
        ("cross", 5000),
        ("scepter", 7500),
        ("gecko", 10_000),
        ("crown", 15_000),
        ("skull", 25_000),
    ];
    assert_eq!(scores, published);
}

/// A level with an empty plane and an object without texts, uncompressed.
fn level() -> Vec<u8> {
    let mut level = Document::new();
    level.header.flags = HeaderFlags(1);
    level.planes = vec![Plane { objects: vec![Object::default()].into(), ..Plane::default() }];
    level.to_bytes().unwrap()
}

/// Inverts a bit at each offset, and checks that the field that changes is the one with the name.
fn compare_offsets(
    base: usize,
    names: &[&str],
    offsets: &[(&str, usize)],
    field: impl Fn(&Document, &str) -> Option<FieldValue>,
) {
    assert_eq!(offsets.iter().map(|(name, _)| *name).collect::<Vec<_>>(), names);
    let bytes = level();
    let before = Document::from_bytes(&bytes).unwrap();
    for (name, offset) in offsets {
        let mut changed = bytes.clone();
        changed[base + offset] ^= 0x40;
        let after = Document::from_bytes(&changed).unwrap();
        let differing = names.iter().filter(|name| field(&before, name) != field(&after, name));
        assert_eq!(differing.collect::<Vec<_>>(), [name], "offset {offset:#x}");
    }
}

/// Source: "File header".
#[test]
fn header_fields_have_the_published_offsets() {
    let offsets = [
        ("reserved_004", 0x004),
        ("flags", 0x008),
        ("reserved_00c", 0x00C),
        ("name", 0x010),
        ("author", 0x050),
        ("birth", 0x090),
        ("rez_file", 0x0D0),
        ("image_dir", 0x1D0),
        ("pal_rez", 0x250),
        ("start_x", 0x2D0),
        ("start_y", 0x2D4),
        ("word_2d8", 0x2D8),
        ("main_block_size", 0x2E8),
        ("checksum", 0x2EC),
        ("reserved_2f0", 0x2F0),
        ("launch_app", 0x2F4),
        ("image_set_1", 0x374),
        ("image_set_2", 0x3F4),
        ("image_set_3", 0x474),
        ("image_set_4", 0x4F4),
        ("prefix_1", 0x574),
        ("prefix_2", 0x594),
        ("prefix_3", 0x5B4),
        ("prefix_4", 0x5D4),
    ];
    // The size of the header comes first. Another one is refused, or moves everything else.
    assert_eq!(Header::FIELDS[0], "header_size");
    assert_eq!(level()[..4], 1524_u32.to_le_bytes());
    compare_offsets(0, &Header::FIELDS[1..], &offsets, |level, name| level.header.field(name));
}

/// Source: "Plane header".
#[test]
fn plane_fields_have_the_published_offsets() {
    let offsets = [
        ("reserved_04", 0x04),
        ("flags", 0x08),
        ("reserved_0c", 0x0C),
        ("name", 0x10),
        ("width_px", 0x50),
        ("height_px", 0x54),
        ("tile_w", 0x58),
        ("tile_h", 0x5C),
        ("tiles_wide", 0x60),
        ("tiles_high", 0x64),
        ("scroll_x", 0x68),
        ("scroll_y", 0x6C),
        ("movement_x", 0x70),
        ("movement_y", 0x74),
        ("fill_color", 0x78),
        ("z_coord", 0x90),
        ("reserved_94", 0x94),
        ("reserved_98", 0x98),
        ("reserved_9c", 0x9C),
    ];
    compare_offsets(1524, Plane::FIELDS, &offsets, |level, name| level.planes[0].field(name));
}

/// Source: "Record".
#[test]
fn object_fields_have_the_published_offsets() {
    let offsets = [
        ("id", 0x00),
        ("x", 0x14),
        ("y", 0x18),
        ("z", 0x1C),
        ("i", 0x20),
        ("add_flags", 0x24),
        ("dynamic_flags", 0x28),
        ("draw_flags", 0x2C),
        ("user_flags", 0x30),
        ("score", 0x34),
        ("points", 0x38),
        ("powerup", 0x3C),
        ("damage", 0x40),
        ("smarts", 0x44),
        ("health", 0x48),
        ("rect_move", 0x4C),
        ("rect_hit", 0x5C),
        ("rect_attack", 0x6C),
        ("rect_clip", 0x7C),
        ("rect_user1", 0x8C),
        ("rect_user2", 0x9C),
        ("user1", 0xAC),
        ("user2", 0xB0),
        ("user3", 0xB4),
        ("user4", 0xB8),
        ("user5", 0xBC),
        ("user6", 0xC0),
        ("user7", 0xC4),
        ("user8", 0xC8),
        ("min_x", 0xCC),
        ("min_y", 0xD0),
        ("max_x", 0xD4),
        ("max_y", 0xD8),
        ("speed_x", 0xDC),
        ("speed_y", 0xE0),
        ("tweak_x", 0xE4),
        ("tweak_y", 0xE8),
        ("counter", 0xEC),
        ("speed", 0xF0),
        ("width", 0xF4),
        ("height", 0xF8),
        ("direction", 0xFC),
        ("face_dir", 0x100),
        ("time_delay", 0x104),
        ("frame_delay", 0x108),
        ("object_type", 0x10C),
        ("hit_type", 0x110),
        ("move_res_x", 0x114),
        ("move_res_y", 0x118),
    ];
    let (words, texts) = Object::FIELDS.split_at(offsets.len());
    assert_eq!(texts, ["name", "logic", "image_set", "animation"]);
    let bytes = level();
    let start = u32::from_le_bytes(*bytes[1524 + 0x8C..].first_chunk().unwrap());
    compare_offsets(start.try_into().unwrap(), words, &offsets, |level, name| {
        level.planes[0].objects.first()?.field(name)
    });
    // The lengths of the four texts follow the id in the same order.
    let mut level = Document::from_bytes(&bytes).unwrap();
    let texts = [b"1".to_vec(), b"22".to_vec(), b"333".to_vec(), b"4444".to_vec()];
    let [name, logic, image_set, animation] = texts;
    level.planes[0].objects = vec![Object { name, logic, image_set, animation, ..Object::default() }].into();
    let bytes = level.to_bytes().unwrap();
    let record = &bytes[usize::try_from(start).unwrap()..];
    for (at, length) in [(0x04, 1_u32), (0x08, 2), (0x0C, 3), (0x10, 4)] {
        assert_eq!(record[at..at + 4], length.to_le_bytes(), "offset {at:#x}");
    }
    assert_eq!(record[0x11C..0x11C + 10], *b"1223334444");
}

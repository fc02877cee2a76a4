//! Documents with everything that the format has, including unusual ones.

use mapwright_testkit::with_long_names;
use mapwright_wwd::{
    Cell, Document, FieldValue, Header, HeaderFlags, ImageSets, Layout, Object, Overview, Plane, PlaneLayout, Rect,
    Residue, Shape, TileProperties, TileProperty, WriterProfile,
};
use proptest::prelude::*;
use proptest::sample::{Index, select};

/// Words of 32 bits, mostly limits.
pub(crate) fn word() -> BoxedStrategy<u32> {
    prop_oneof![
        3 => Just(0),
        3 => 0_u32..100,
        2 => select(vec![1, 0x7FFF_FFFF, 0x8000_0000, 0xFFFF_FFFF, 0xEEEE_EEEE]),
        1 => any::<u32>(),
    ]
    .boxed()
}

fn number() -> BoxedStrategy<i32> {
    word().prop_map(u32::cast_signed).boxed()
}

/// Bytes of a text: ordinary ones, and with NUL, backslashes and bytes beyond ASCII.
pub(crate) fn text(longest: usize) -> BoxedStrategy<Vec<u8>> {
    let unusual = prop_oneof![any::<u8>(), select(&b"\\x0aF\0\n "[..])];
    prop_oneof![
        2 => Just(Vec::new()),
        3 => "[A-Z]{1,8}(_[A-Z0-9]{1,4})?".prop_map(String::into_bytes),
        3 => prop::collection::vec(unusual, 0..12),
        1 => prop::collection::vec(any::<u8>(), longest),
    ]
    .prop_map(move |mut text| {
        text.truncate(longest);
        text
    })
    .boxed()
}

fn rect() -> BoxedStrategy<Rect> {
    let plain = [number(), number(), number(), number()];
    prop_oneof![
        plain.prop_map(|[left, top, right, bottom]| Rect { left, top, right, bottom }),
        Just(Rect { left: 0, top: 0, right: 63, bottom: 48 }),
    ]
    .boxed()
}

/// A value for a field that has the type of `like`. Texts of slots have up to `room` bytes.
fn value(like: &FieldValue, room: Option<usize>) -> BoxedStrategy<FieldValue> {
    match like {
        FieldValue::Word(_) => word().prop_map(FieldValue::Word).boxed(),
        FieldValue::Int(_) => number().prop_map(FieldValue::Int).boxed(),
        FieldValue::Rect(_) => rect().prop_map(FieldValue::Rect).boxed(),
        FieldValue::Text(_) => room.map_or_else(|| with_long_names(text(90)), text).prop_map(FieldValue::Text).boxed(),
        _ => unreachable!("a new type of field"),
    }
}

/// Some of the fields of a record, each with a value.
fn fields(
    names: &'static [&'static str],
    field: impl Fn(&str) -> Option<FieldValue>,
    room: impl Fn(&str) -> Option<usize>,
) -> impl Strategy<Value = Vec<(&'static str, FieldValue)>> {
    let all: Vec<_> = names
        .iter()
        .map(|&name| value(&field(name).expect("a field"), room(name)).prop_map(move |value| (name, value)))
        .collect();
    (all, prop::collection::vec(any::<Index>(), 0..8), prop::bool::weighted(0.2)).prop_map(|(all, some, every)| {
        if every { all } else { some.iter().map(|index| index.get(&all).clone()).collect() }
    })
}

/// Headers of all sizes that the engine takes.
pub(crate) fn header() -> BoxedStrategy<Header> {
    let like = Header::default();
    let room = |name: &str| match name {
        "name" | "author" | "birth" => 64,
        "rez_file" => 256,
        _ if name.starts_with("prefix") => 32,
        _ => 128,
    };
    let plain = Document::new().header;
    (
        fields(Header::FIELDS, move |name| like.field(name), move |name| Some(room(name))),
        any::<bool>(),
        prop::option::weighted(0.1, 0..2_u32),
    )
        .prop_map(move |(fields, compress, short)| {
            let mut header = plain.clone();
            for (name, value) in fields {
                header.set_field(name, value).expect("a field");
            }
            header.flags = header.flags.with(HeaderFlags::COMPRESS, compress);
            // A header that ends early has nothing in its last fields.
            header.header_size = match short {
                None => 1524,
                Some(0) => 1396,
                Some(_) => 756,
            };
            for name in Header::FIELDS.iter().skip_while(|name| **name != "launch_app") {
                let beyond = header.header_size == 756 || header.header_size == 1396 && name.starts_with("prefix");
                if beyond {
                    header.set_field(name, FieldValue::Text(Vec::new())).expect("a field");
                }
            }
            header
        })
        .boxed()
}

pub(crate) fn object() -> BoxedStrategy<Object> {
    let like = Object::default();
    fields(Object::FIELDS, move |name| like.field(name), |_| None)
        .prop_map(|fields| {
            let mut object = Object::default();
            for (name, value) in fields {
                object.set_field(name, value).expect("a field");
            }
            object
        })
        .boxed()
}

fn image_sets() -> BoxedStrategy<ImageSets> {
    let name = prop_oneof![
        4 => select(vec![&b"ACTION"[..], b"BACK", b"FRONT", b""]).prop_map(<[u8]>::to_vec),
        1 => prop::collection::vec(1..=u8::MAX, 0..8),
    ];
    prop::collection::vec(with_long_names(name), 0..4)
        .prop_map(|names| {
            let mut sets = ImageSets::new();
            names.iter().for_each(|name| sets.push(name).expect("a name without NUL"));
            sets
        })
        .boxed()
}

/// A cell's word.
pub(crate) fn cell() -> BoxedStrategy<u32> {
    prop_oneof![
        3 => 0_u32..20,
        2 => Just(Cell::EMPTY),
        1 => Just(Cell::FILL),
        1 => (0_u32..4, 0_u32..20).prop_map(|(set, frame)| set << 16 | frame),
        1 => select(vec![0xEEEE_EE00, 0xFFFF, 0xFFFF_0000]),
        1 => any::<u32>(),
    ]
    .boxed()
}

/// Planes, also without any cell or object.
pub(crate) fn plane() -> BoxedStrategy<Plane> {
    let like = Plane::default();
    let grid = (0..6_i32, 0..5_i32).prop_flat_map(|(wide, high)| {
        let cells = usize::try_from(wide * high).expect("cells");
        (Just((wide, high)), prop::collection::vec(cell(), cells))
    });
    let usual = (select(vec![0_u32, 1, 2, 4, 12, 0xE0]), select(vec![1, 32, 64, 8]), select(vec![50, 100, 125, 0]));
    let objects = prop::collection::vec(object(), 0..4);
    (
        fields(Plane::FIELDS, move |name| like.field(name), |_| Some(64)),
        grid,
        usual,
        any::<bool>(),
        image_sets(),
        objects,
    )
        .prop_map(|(fields, ((wide, high), tiles), (flags, tile, movement), unusual, image_sets, objects)| {
            let mut plane = Plane::default();
            plane.flags.0 = flags;
            (plane.tile_w, plane.tile_h) = (tile, tile);
            (plane.width_px, plane.height_px) = (wide * tile, high * tile);
            (plane.movement_x, plane.movement_y) = (movement, movement);
            for (name, value) in fields {
                if unusual || name == "name" {
                    plane.set_field(name, value).expect("a field");
                }
            }
            (plane.tiles_wide, plane.tiles_high) = (wide, high);
            Plane { tiles: tiles.into(), image_sets, objects: objects.into(), ..plane }
        })
        .boxed()
}

fn tile_property() -> BoxedStrategy<TileProperty> {
    let size = prop_oneof![3 => Just((64, 64)), 1 => Just((32, 32)), 1 => (word(), word())];
    let flat = prop_oneof![
        3 => number().prop_map(Shape::Single),
        2 => (number(), number(), rect()).prop_map(|(outside, inside, rect)| Shape::Double { outside, inside, rect }),
    ];
    let flat = (prop_oneof![4 => Just(0), 1 => word()], size, flat)
        .prop_map(|(reserved_04, (width, height), shape)| TileProperty { reserved_04, width, height, shape });
    let mask = (prop_oneof![4 => Just(0), 1 => word()], 0..6_u32, 0..4_u32)
        .prop_flat_map(|(reserved, width, height)| {
            let pixels = prop::collection::vec(any::<u8>(), usize::try_from(width * height).expect("pixels"));
            (Just(reserved), Just(width), Just(height), pixels)
        })
        .prop_map(|(reserved_04, width, height, pixels)| TileProperty {
            reserved_04,
            width,
            height,
            shape: Shape::Mask(pixels),
        });
    prop_oneof![4 => flat, 1 => mask].boxed()
}

pub(crate) fn tile_properties() -> BoxedStrategy<TileProperties> {
    let plain = (Just(32), Just(0), Just([0; 5]));
    let unusual = (word(), word(), [word(), word(), word(), word(), word()]);
    let items = prop::collection::vec(tile_property(), 0..6);
    (prop_oneof![3 => plain.boxed(), 1 => unusual.boxed()], items)
        .prop_map(|((size, reserved_04, reserved_0c), items)| TileProperties { size, reserved_04, reserved_0c, items })
        .boxed()
}

/// WapMap's notes as bytes after the stored block.
fn notes() -> BoxedStrategy<Vec<u8>> {
    prop::collection::vec(any::<u8>(), 0..9)
        .prop_map(|notes| {
            let size = u32::try_from(notes.len() + 9 + 4 + 10).expect("a short note");
            [&b"<wm_meta>"[..], &notes, &size.to_le_bytes(), b"</wm_meta>"].concat()
        })
        .boxed()
}

/// Documents in the usual layout, as they are after writing and reading: the header has the size and checksum of the output.
pub(crate) fn document() -> BoxedStrategy<Document> {
    in_layout(Just(None).boxed()).boxed()
}

/// Documents whose sections have another order or bytes between them.
pub(crate) fn unusual_document() -> BoxedStrategy<Document> {
    let gaps = prop::collection::vec(prop::collection::vec(any::<u8>(), 0..4), 20);
    in_layout((any::<u64>(), gaps).prop_map(Some).boxed()).boxed()
}

fn in_layout(layout: BoxedStrategy<Option<(u64, Vec<Vec<u8>>)>>) -> BoxedStrategy<Document> {
    let planes = prop::collection::vec(plane(), 0..4);
    let wapmap = any::<bool>();
    let trailer = prop_oneof![2 => Just(None), 1 => notes().prop_map(Some)];
    let bytes = prop::option::weighted(0.2, prop::collection::vec(any::<u8>(), 0..9));
    (header(), planes, prop::option::of(tile_properties()), wapmap, trailer, bytes, layout)
        .prop_map(|(header, planes, tile_properties, wapmap, trailer, bytes, layout)| {
            let compressed = header.flags.has(HeaderFlags::COMPRESS);
            // Only notes can be separated from an uncompressed main block, and only they reveal the program.
            let trailer = trailer.or(bytes.filter(|_| compressed)).unwrap_or_default();
            let wapmap = if compressed { wapmap } else { !trailer.is_empty() };
            let mut document = Document::new();
            document.header = header;
            document.planes = planes;
            document.tile_properties = tile_properties;
            document.trailer = trailer;
            document.profile = if wapmap { WriterProfile::WapMap } else { WriterProfile::Editor };
            document.layout = layout.map(|(order, gaps)| shuffled(&document, order, &gaps));
            let written = document.to_bytes().expect("a document");
            document.header = Overview::from_bytes_with(&written, &Default::default()).expect("a header").header;
            document
        })
        .boxed()
}

/// The sections in an order that a number selects, each after some bytes outside all sections.
fn shuffled(document: &Document, mut order: u64, gaps: &[Vec<u8>]) -> Layout {
    let mut sections = vec![("planes", 0, document.planes.len() * 160)];
    for (index, plane) in document.planes.iter().enumerate() {
        sections.push(("tiles", index, plane.tiles.len() * 4));
        sections.push(("image sets", index, plane.image_sets.as_bytes().len()));
        let texts = |object: &Object| {
            object.name.len() + object.logic.len() + object.image_set.len() + object.animation.len() + 284
        };
        sections.push(("objects", index, plane.objects.iter().map(texts).sum()));
    }
    if let Some(table) = &document.tile_properties {
        let size = |item: &TileProperty| match &item.shape {
            Shape::Single(_) => 20,
            Shape::Double { .. } => 40,
            Shape::Mask(pixels) => 16 + pixels.len(),
        };
        sections.push(("tile properties", 0, 32 + table.items.iter().map(size).sum::<usize>()));
    }
    let start = usize::try_from(document.header.header_size).expect("a size");
    let none = PlaneLayout { tiles_offset: 0, image_sets_offset: 0, objects_offset: 0, num_objects: 0 };
    let mut layout = Layout {
        planes_offset: 0,
        planes: vec![none; document.planes.len()],
        tile_properties_offset: 0,
        main_block_size: 0,
        residue: Vec::new(),
    };
    let short = |place: usize| u32::try_from(place).expect("a short file");
    // One byte at least, so that it is never the usual layout.
    let mut gap = vec![0xAB];
    let mut gaps = gaps.iter().cycle();
    let mut at = start;
    while !sections.is_empty() {
        let count = sections.len() as u64;
        let (what, index, size) = sections.remove(usize::try_from(order % count).expect("a place"));
        order = (order / count) ^ order.rotate_left(7);
        gap.extend(gaps.next().expect("gaps go on"));
        let offset = short(at + gap.len());
        if size > 0 && !gap.is_empty() {
            layout.residue.push(Residue { offset: short(at), bytes: std::mem::take(&mut gap) });
            at = usize::try_from(offset).expect("an offset");
        }
        at += size;
        match what {
            "planes" => layout.planes_offset = offset,
            "tiles" => layout.planes[index].tiles_offset = offset,
            "image sets" => layout.planes[index].image_sets_offset = offset,
            "objects" if size > 0 => layout.planes[index].objects_offset = offset,
            "objects" => layout.planes[index].num_objects = offset,
            _ => layout.tile_properties_offset = offset,
        }
    }
    if !gap.is_empty() {
        layout.residue.push(Residue { offset: short(at), bytes: gap.clone() });
        at += gap.len();
    }
    layout.main_block_size = short(at - start);
    layout
}

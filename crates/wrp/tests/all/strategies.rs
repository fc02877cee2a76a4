//! Documents with every part of the format, including unusual ones.

mod oprw;

use mapwright_testkit::with_long_names;
use mapwright_wrp::io::FixedBytes;
use mapwright_wrp::{
    Document, Heading, Matrix, Name, Net, Nets, Objects, Placements, Sentinel, SubNet, Version, Wvr, Wvr8,
};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{Index, select};

/// Terrains of all variants.
pub(crate) fn document() -> BoxedStrategy<Document> {
    prop_oneof![
        4 => wvr().prop_map(Document::Wvr),
        2 => wvr8().prop_map(Document::Wvr8),
        2 => oprw::oprw().prop_map(Document::Oprw),
    ]
    .boxed()
}

/// Floats, mostly special values, including NaN whose bits must be preserved.
pub(crate) fn float() -> BoxedStrategy<f32> {
    prop_oneof![
        3 => (-2000_i16..2000).prop_map(|number| f32::from(number) * 0.25),
        2 => select(vec![0.0, -0.0, 1.0, 0.045, Matrix::FIT_TO_GROUND, f32::MIN_POSITIVE, f32::INFINITY, f32::MAX]),
        1 => select(vec![0x7fa0_0001_u32, 0xffc0_0000, Sentinel::WORD, 1]).prop_map(f32::from_bits),
        1 => any::<u32>().prop_map(f32::from_bits),
    ]
    .boxed()
}

fn word() -> BoxedStrategy<u32> {
    prop_oneof![3 => 0_u32..100, 1 => select(vec![0x7fff_ffff, 0x8000_0000, u32::MAX]), 1 => any::<u32>()].boxed()
}

fn id() -> BoxedStrategy<i32> {
    word().prop_map(u32::cast_signed).boxed()
}

fn matrix() -> BoxedStrategy<Matrix> {
    let place = [0.0_f32..300.0, -5.0_f32..50.0, 0.0_f32..300.0];
    prop_oneof![
        2 => place.prop_map(Matrix::from_position),
        1 => vec(float(), 12).prop_map(|numbers| Matrix::from_numbers(numbers.try_into().expect("twelve"))),
    ]
    .boxed()
}

fn heading() -> BoxedStrategy<Heading> {
    [float(), float(), float(), float()].prop_map(|[x, y, z, heading]| Heading { x, y, z, heading }).boxed()
}

/// A name of 1 to `longest` bytes without a NUL.
fn text(longest: usize) -> BoxedStrategy<Vec<u8>> {
    prop_oneof![
        3 => "[a-z]{1,6}\\\\[a-z]{1,6}\\.(p3d|paa|rvmat)".prop_map(String::into_bytes),
        2 => vec(1_u8.., 1..12),
        1 => vec(1_u8.., longest),
    ]
    .prop_map(move |mut text| {
        text.truncate(longest);
        text
    })
    .boxed()
}

/// A name in a field of `width` bytes, with a residue.
fn field(width: usize) -> BoxedStrategy<Name> {
    let residue = prop_oneof![2 => Just(Vec::new()), 1 => vec(any::<u8>(), 0..width)];
    (text(width), residue)
        .prop_map(move |(bytes, residue)| {
            let mut rest = if bytes.len() < width { [vec![0], residue].concat() } else { Vec::new() };
            rest.truncate(width - bytes.len());
            let used = rest.iter().rposition(|byte| *byte != 0).map_or(0, |last| last + 1);
            rest.truncate(used);
            Name { bytes, rest }
        })
        .boxed()
}

/// Texture slots: most are empty; some are full or have a residue.
fn slots(count: usize) -> BoxedStrategy<Vec<FixedBytes<32>>> {
    let raw = prop_oneof![
        2 => text(32),
        1 => vec(any::<u8>(), 32),
        1 => (text(12), vec(any::<u8>(), 0..19)).prop_map(|(name, rest)| [name, vec![0], rest].concat()),
    ];
    vec((any::<Index>(), raw), 0..8)
        .prop_map(move |used| {
            let mut slots = vec![FixedBytes { raw: [0; 32] }; count];
            for (slot, bytes) in used {
                slots[slot.index(count)].raw[..bytes.len()].copy_from_slice(&bytes);
            }
            slots
        })
        .boxed()
}

/// A few columns and rows, sometimes none.
fn size(longest: u32) -> BoxedStrategy<[u32; 2]> {
    prop_oneof![9 => [1..longest, 1..longest], 1 => [0..longest, 0..longest]].boxed()
}

fn grid<T: std::fmt::Debug>(
    [columns, rows]: [u32; 2],
    value: impl Strategy<Value = T>,
) -> impl Strategy<Value = Vec<T>> {
    vec(value, (columns * rows) as usize)
}

/// Objects of these models, which are listed in the order of first use.
fn listed<'a>(names: impl Iterator<Item = &'a Name>, placements: Placements, ids: Vec<i32>) -> Objects {
    let mut objects = Objects { placements, ids, ..Objects::default() };
    for name in names {
        let known = objects.models.iter().position(|other| other == name);
        let place = known.unwrap_or_else(|| {
            objects.models.push(name.clone());
            objects.models.len() - 1
        });
        objects.model.push(u32::try_from(place).expect("few"));
    }
    objects
}

fn objects(version: Version) -> BoxedStrategy<Objects> {
    let width = version.record_size() - version.name_offset();
    let name = field(width).prop_map(move |mut name| {
        // In 1WVR the first name that is not a model name ends the list.
        if version == Version::Wvr1 {
            name.bytes.splice(..name.bytes.len().min(5), *b"a.P3d");
            name.rest.truncate(width - name.bytes.len());
            let used = name.rest.iter().rposition(|byte| *byte != 0).map_or(0, |last| last + 1);
            name.rest.truncate(used);
        }
        name
    });
    (vec(name, 1..4), 0_usize..6)
        .prop_flat_map(move |(names, count)| {
            let placements = if version <= Version::Wvr2 {
                vec(heading(), count).prop_map(Placements::Headings).boxed()
            } else {
                vec(matrix(), count).prop_map(Placements::Matrices).boxed()
            };
            let ids = vec(id(), if version == Version::Wvr4 { count } else { 0 });
            let uses = vec(any::<Index>(), count);
            (uses, placements, ids).prop_map(move |(uses, placements, ids)| {
                listed(uses.iter().map(|place| place.get(&names)), placements, ids)
            })
        })
        .boxed()
}

/// The end of a list of objects.
fn end(version: Version) -> BoxedStrategy<(Option<Vec<u8>>, Vec<u8>)> {
    let record = version.record_size();
    if version == Version::Wvr1 {
        // Bytes that would not be read as an object or as roads.
        return vec(0_u8..10, 0..200).prop_map(|after| (None, after)).boxed();
    }
    let terminator = prop_oneof![Just(vec![0; record]), vec(any::<u8>(), record)].prop_map(move |mut bytes| {
        bytes[version.name_offset()] = 0;
        bytes
    });
    prop_oneof![
        vec(any::<u8>(), 0..record).prop_map(|after| (None, after)),
        (terminator, vec(any::<u8>(), 0..3 * record)).prop_map(|(end, after)| (Some(end), after)),
    ]
    .boxed()
}

fn nets() -> BoxedStrategy<Nets> {
    let part = vec(any::<u8>(), 32).prop_map(|mut bytes| {
        // The position must not end the parts.
        bytes[0] |= 1;
        SubNet(bytes.try_into().expect("32 bytes"))
    });
    let header = vec(0_u8..0x20, 40).prop_map(|bytes| {
        let mut header = [0; 64];
        header[..20].copy_from_slice(b"LandText\\Silnice.pac");
        header[24..].copy_from_slice(&bytes);
        header
    });
    let end = select(vec![[0; 8], [0, 0, 0, 0x80, 0, 0, 0, 0]]);
    let net = (header, vec(part, 0..4), end).prop_map(|(header, parts, end)| Net { header, parts, end });
    (vec(net, 0..3), vec(any::<u8>(), 54))
        .prop_map(|(nets, rest)| {
            let mut end = [0; 64];
            end[..9].copy_from_slice(b"EndOfNets");
            end[10..].copy_from_slice(&rest);
            // The bytes must not be an object.
            end[16] = 0;
            Nets { nets, end }
        })
        .boxed()
}

/// 1WVR to 4WVR.
pub(crate) fn wvr() -> BoxedStrategy<Wvr> {
    (select(vec![Version::Wvr1, Version::Wvr2, Version::Wvr3, Version::Wvr4, Version::Wvr4]), size(7))
        .prop_flat_map(|(version, size)| {
            let value = || prop_oneof![2 => -20_i16..600, 1 => select(vec![i16::MIN, -1, 511, 512, i16::MAX])];
            let nets = if version == Version::Wvr1 { prop::option::of(nets()).boxed() } else { Just(None).boxed() };
            let parts =
                (grid(size, value()), grid(size, value()), slots(version.slot_count()), objects(version), end(version));
            (parts, nets).prop_map(move |((heights, textures, names, objects, (terminator, after)), nets)| Wvr {
                version,
                size,
                heights,
                textures,
                names,
                objects,
                nets,
                terminator,
                after,
                ..Wvr::new([0, 0])
            })
        })
        .boxed()
}

/// 8WVR.
pub(crate) fn wvr8() -> BoxedStrategy<Wvr8> {
    let nameless = prop::bool::weighted(0.3);
    let list = (vec(with_long_names(text(90)), 1..4), nameless, vec((any::<Index>(), matrix(), id()), 0..6))
        .prop_flat_map(|(names, nameless, rows)| {
            let sentinel = (0..=rows.len(), matrix(), id());
            let sentinel = prop::option::of(prop_oneof![
                Just(Sentinel::new()),
                sentinel.prop_map(|(followed_by, matrix, id)| Sentinel { followed_by, matrix, id }),
            ]);
            sentinel.prop_map(move |sentinel| {
                let mut names: Vec<Name> = names.iter().map(|name| Name::new(name.clone())).collect();
                let after = sentinel.map_or(0, |sentinel| sentinel.followed_by);
                // Objects without a name may only follow the sentinel. There, all or none have no name.
                let before = rows.len() - after;
                names.push(Name::default());
                let last = names.len() - 1;
                let name = |(place, (index, ..)): (usize, &(Index, Matrix, i32))| {
                    if nameless && place >= before { &names[last] } else { index.get(&names[..last]) }
                };
                let placements = Placements::Matrices(rows.iter().map(|(_, matrix, _)| *matrix).collect());
                let ids = rows.iter().map(|(.., id)| *id).collect();
                let objects = listed(rows.iter().enumerate().map(name), placements, ids);
                (objects, sentinel)
            })
        });
    let materials = vec(vec(with_long_names(text(40)), 0..3), 0..5);
    (size(6), size(9), float(), materials, list, vec(any::<u8>(), 0..56))
        .prop_flat_map(|(land, terrain, cell, materials, (objects, sentinel), after)| {
            let index = prop_oneof![4 => 0_u16..6, 1 => any::<u16>()];
            (grid(terrain, float()), grid(land, index)).prop_map(move |(heights, cells)| Wvr8 {
                land,
                terrain,
                cell,
                heights,
                cells,
                materials: materials.clone(),
                objects: objects.clone(),
                sentinel,
                after: after.clone(),
            })
        })
        .boxed()
}

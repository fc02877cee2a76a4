//! The peak memory of reading binary maps that were made to need much.

use mapwright_testkit::{PeakAlloc, peak_of};
use mapwright_wmp::Document;

#[global_allocator]
static ALLOCATOR: PeakAlloc = PeakAlloc;

fn chunk(id: u16, parts: &[&[u8]]) -> Vec<u8> {
    let body = parts.concat();
    let [field, class] = id.to_be_bytes();
    let size = u32::try_from(body.len() + 8).unwrap();
    [&[field, class][..], &(u16::from(class) + 1).to_le_bytes(), &size.to_le_bytes(), &body].concat()
}

fn words(values: &[u32]) -> Vec<u8> {
    values.iter().flat_map(|value| value.to_le_bytes()).collect()
}

fn node(nodes: u16, parts: &[u8]) -> Vec<u8> {
    let place = |id| chunk(id, &[&[0; 24]]);
    let head = [&[3, 0][..], &nodes.to_le_bytes(), &[0; 4]].concat();
    chunk(0x0105, &[&head, &place(0x0100), &place(0x0300), &place(0x0500), parts])
}

/// Returns nested nodes. A node counts its child nodes in 16 bits.
fn tree(leaf: &[u8], count: usize) -> Vec<u8> {
    let groups = count / 60_000;
    let group = node(60_000, &leaf.repeat(60_000));
    node(u16::try_from(groups).unwrap(), &group.repeat(groups))
}

#[test]
fn memory_is_bounded_by_the_file() {
    let bytes = 20_000_000;
    let block = |parts: &[&[u8]]| chunk(0x0205, &[&words(&[0, 0]), &parts.concat()]);
    let list = |id: u16, item: &[u8]| {
        let count = bytes / item.len();
        chunk(id, &[&words(&[u32::try_from(count).unwrap()]), &item.repeat(count)])
    };
    let one_vertex = chunk(0x0102, &[&words(&[1]), &[0; 24]]);
    let triangle = [3, 0, 0, 0, 0, 0, 0, 0];
    let number = |id: u16| chunk(id, &[&[b'a', 0][..]]);
    let skills = chunk(0x0905, &[&words(&[3, 0, 0, 0, 0]), &list(0x0B02, &[0; 8])]);
    let start = chunk(0x0605, &[&words(&[1, 0])]);
    let mixed = [number(0x0401), chunk(0x4201, &[])].concat();
    let entries = |count: u32| -> Vec<u8> {
        (0..count)
            .flat_map(|face| {
                chunk(0x1202, &[&words(&[face, 0, 0, 0]), &chunk(0x0301, &[&face.to_le_bytes()[..3], b"x\0"])])
            })
            .collect()
    };
    let faces = |count: u32| chunk(0x1102, &[&words(&[count]), &triangle.repeat(count as usize)]);
    let info = |objects, blocks, entities| chunk(0x0104, &[&words(&[710, 2, objects, blocks, entities, 0])]);
    let files = [
        ("nodes", tree(&node(0, &[]), 180_000)),
        ("starts", tree(&node(0, &start), 180_000)),
        ("starts, fewer of which are stated", [info(1, 1, 1), tree(&node(0, &start), 180_000)].concat()),
        ("starts, many blocks stated", [info(1, 100_000, 1), tree(&node(0, &start), 180_000)].concat()),
        ("starts, all that there can be stated", [info(u32::MAX, 0, 0), tree(&node(0, &start), 180_000)].concat()),
        ("blocks", tree(&node(0, &block(&[])), 120_000)),
        ("corners", node(0, &block(&[&one_vertex, &list(0x1102, &triangle)]))),
        ("faces without corners", node(0, &block(&[&one_vertex, &list(0x1102, &[0, 0])]))),
        ("small lists of faces", tree(&node(0, &block(&[&chunk(0x1102, &[&words(&[500]), &[0; 1000]])])), 60_000)),
        ("entries", node(0, &block(&[&one_vertex, &faces(400_000), &entries(400_000)]))),
        ("points", node(0, &block(&[&list(0x0102, &[0; 24])]))),
        ("skills", node(0, &skills)),
        ("unknown", node(0, &chunk(0x4201, &[]).repeat(bytes / 8))),
        ("unknown among known", [chunk(0x0204, &[&mixed.repeat(bytes / mixed.len())]), node(0, &[])].concat()),
        ("sources", [chunk(0x0204, &[&number(0x0401).repeat(bytes / 10)]), node(0, &[])].concat()),
    ];
    for (name, body) in files {
        let file = [b"WMPB".as_slice(), &body].concat();
        let (map, peak) = peak_of(&ALLOCATOR, || Document::from_bytes(&file));
        let map = map.unwrap_or_else(|error| panic!("{name}: {error}"));
        let limit = (16 << 20) + 8 * file.len();
        assert!(peak <= limit, "{name}: {peak} of {limit}, {} bytes", file.len());
        assert_eq!(map.to_bytes().unwrap().len(), file.len(), "{name}");
    }
}

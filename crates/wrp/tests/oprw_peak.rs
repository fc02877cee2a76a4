//! Peak memory of OPRW files that are made to use much memory.

use mapwright_testkit::{PeakAlloc, peak_of};
use mapwright_wrp::Document;

#[global_allocator]
static ALLOCATOR: PeakAlloc = PeakAlloc;

/// Builds an OPRW whose grids are single leaves and zeros, with the given parts.
fn file(version: u32, land: u32, models: &[u8], roads: &[u8], map: &[u8]) -> Vec<u8> {
    assert!(version < 15 && land * land < 1024, "raw blocks");
    let cells = vec![0; (land * land) as usize];
    let sizes: Vec<u8> = [land, land, 1, 1].into_iter().flat_map(u32::to_le_bytes).collect();
    let leaf = [0; 5];
    let mut file = [b"OPRW", version.to_le_bytes().as_slice(), &sizes, &[0; 4]].concat();
    file.extend([&leaf[..], &leaf, &[0; 4], &leaf, &cells, &cells].concat());
    // One height and no material.
    file.extend([0; 8]);
    file.extend(models);
    file.extend([&leaf[..], &[0; 4], &leaf].concat());
    file.extend(u32::try_from(map.len()).unwrap().to_le_bytes());
    file.extend([&cells[..], &[0], &[0; 8]].concat());
    file.extend(roads);
    file.extend(map);
    file
}

fn repeated(count: u32, item: &[u8]) -> Vec<u8> {
    [&count.to_le_bytes()[..], &item.repeat(count as usize)].concat()
}

#[test]
fn memory_is_bounded_by_file_and_unpacked_size() {
    let none = [0; 4];
    let things = |kind: u32, size: usize| {
        let mut thing = kind.to_le_bytes().to_vec();
        thing.resize(size, 0);
        thing.repeat(20_000_000 / size)
    };
    let names = b"m.p3d\0\0\0";
    let cases = [
        ("empty names of models", file(12, 1, &repeated(20_000_000, &[0]), &none, &[]), false),
        ("as many as are read", file(12, 1, &repeated(1_100_000, &[0]), &none, &things(0, 16)), true),
        ("names of models", file(12, 1, &repeated(1_000_000, &names[..6]), &none, &things(0, 16)), true),
        ("roads", file(12, 1, &none, &repeated(3_000_000, &[0; 6]), &[]), true),
        ("things on the map", file(12, 1, &none, &none, &things(0, 16)), true),
        ("rivers", file(12, 1, &none, &none, &things(44, 12)), true),
    ];
    for (name, bytes, is_read) in cases {
        let (document, peak) = peak_of(&ALLOCATOR, || Document::from_bytes(&bytes));
        assert_eq!(document.is_ok(), is_read, "{name}: {:?}", document.err());
        let law = (16 << 20) + 8 * bytes.len();
        assert!(peak <= law, "{name}: {peak} of {law} bytes");
        if let Ok(document) = document {
            assert!(document.to_bytes().unwrap() == bytes, "{name}");
        }
    }
    // A tree of five bytes that unpacks to 2^32 sounds.
    let bytes = [b"OPRW\x0c\0\0\0", &[0, 0, 1, 0, 0, 0, 0, 0][..], &[0; 400]].concat();
    let (document, peak) = peak_of(&ALLOCATOR, || Document::from_bytes(&bytes));
    assert!(document.is_err());
    assert!(peak < 1 << 20, "{peak}");
}

//! Peak memory, whatever the input declares. There is only one test because the counter covers the whole process.

#[path = "all/support.rs"]
#[allow(dead_code, reason = "shared with the other tests")]
mod support;

use mapwright_acknex::{Model, Terrain, Wad, Wmb};
use mapwright_testkit::{PeakAlloc, allowed_memory, peak_of};
use support::*;

#[global_allocator]
static HEAP: PeakAlloc = PeakAlloc;

/// A number of records for files of some megabytes.
const MANY: u32 = 200_000;

/// Reads a file in all ways and checks the peak of memory.
fn check(name: &str, file: &[u8]) {
    let allowed = allowed_memory(file.len());
    let (is_read, peak) = peak_of(&HEAP, || {
        let level = Wmb::from_bytes(file).ok();
        let faces = level.as_ref().is_some_and(|level| level.faces().is_ok());
        faces || Model::from_bytes(file).is_ok() || Terrain::from_bytes(file).is_ok() || Wad::from_bytes(file).is_ok()
    });
    assert!(is_read, "{name} is rejected");
    assert!(peak <= allowed, "{name}: {peak} bytes, {allowed} allowed");
    let palette = greys();
    for texture in Wad::from_bytes(file).map_or(Vec::new(), |wad| wad.textures) {
        let (_, peak) = peak_of(&HEAP, || texture.image(Some(&palette)).map(drop));
        assert!(peak <= allowed, "{name}: {peak} bytes for an image, {allowed} allowed");
    }
}

#[test]
fn memory_stays_a_small_multiple_of_the_input() {
    let many = i32::try_from(MANY).unwrap();
    let skins = Bytes::new("MDL3").header([0.0; 3], 10_000, [0, 0], [0, 0, 0, 0]).u32(&vec![2; 10_000]);
    check("skins without images", &skins.0);
    let triangles = Bytes::new("MDL3").header([0.0; 3], 1, [1, 1], [1, many, 1, 1]).u32(&[2]).u16(&[0]).u16(&[0, 0]);
    let triangles = triangles.u16(&vec![0; 6 * MANY as usize]).u32(&[0]).bytes(&[0; 8]).name("").bytes(&[0; 4]);
    check("triangles", &triangles.0);
    let vertices = Bytes::new("MDL3").header([0.0; 3], 0, [0, 0], [many, 0, 2, 0]);
    let frame = |file: Bytes| file.u32(&[0]).bytes(&[0; 8]).name("").bytes(&vec![0; 4 * MANY as usize]);
    check("packed vertices", &frame(frame(vertices)).0);

    let mut sizes = SIZES;
    (sizes[5], sizes[6], sizes[7]) = (12, 16, 16);
    let groups = (0..10_000).fold(mdl7_header(0, 10_000, sizes), |file, _| group(file, "", [0; 5]));
    check("empty groups", &groups.0);
    let frames = group(mdl7_header(0, 1, sizes), "", [0, 0, 0, 0, 10_000]).bytes(&vec![0; 24 * 10_000]);
    check("empty frames", &frames.0);
    let file = group(mdl7_header(0, 1, sizes), "", [0, 1, MANY, 1, 0]).f32(&[0.0; 2]);
    check("triangles of 12 bytes", &file.bytes(&vec![0; 12 * MANY as usize + 16]).0);

    let heights = Bytes::new("HMP5").header([1.0, 1.0, 400.0], 0, [0, 0], [many, 0, 1, 0]);
    check("heights", &heights.u32(&[2]).bytes(&[0; 32]).bytes(&vec![0; 4 * MANY as usize]).0);

    // Each entry of the directory is the same texture.
    let data = texture("a", [256, 256], [40, 0, 0, 0], &vec![0; 70_000]);
    let directory = Bytes::default().u32(&[12, 70_040, 70_040]).bytes(&[0x44, 0, 0, 0]).name("a").0;
    let file = Bytes::new("WAD2").u32(&[1000, 12 + 70_040]).bytes(&data).bytes(&directory.repeat(1000));
    check("entries with one texture", &file.0);

    // Each slot is the same texture.
    let mut list = vec![MANY];
    list.extend(vec![4 + 4 * MANY; MANY as usize]);
    let list = Bytes::default().u32(&list).bytes(&texture("a", [1, 1], [4, 0, 0, 0], &[1, 2, 3]));
    check("slots with one texture", &level("WMB7", 20, &[(2, list.0)]));
    let block = Bytes::default().u32(&[1]).f32(&[0.0; 6]).u32(&[0, 3, MANY, 1]).bytes(&[0; 84]);
    let block = block.bytes(&vec![0; 12 * MANY as usize + 20]);
    check("triangles of a level", &level("WMB7", 20, &[(17, block.0)]));
}

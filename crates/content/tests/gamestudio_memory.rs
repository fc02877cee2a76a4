//! Peak memory of a level with files that declare far more than they contain. There is only one test because the counter covers the whole
//! process.
#![cfg(all(feature = "fs", feature = "wmp"))]

use std::fs;

use mapwright_content::ContentSource;
use mapwright_content::resolve::{Gamestudio, Outcome, ResolveOptions, resolve};
use mapwright_scene::{Content, Entity, Material, Node, Scene};
use mapwright_testkit::gamestudio::*;
use mapwright_testkit::{PeakAlloc, allowed_memory, peak_of};

#[global_allocator]
static HEAP: PeakAlloc = PeakAlloc;

/// The limit of decoded files.
const MAX_BYTES: usize = 24 << 20;

/// Resolves a level with files, each named by an entity, and with materials without a texture. Checks the peak of memory, of which decoded
/// files may take `decoded` bytes. Returns the number of files that were decoded, and the number of images.
fn check(what: &str, files: &[(String, Vec<u8>)], materials: &[&str], decoded: usize) -> [usize; 2] {
    let folder = tempfile::tempdir().unwrap();
    let mut scene = Scene::default();
    let mut input = 0;
    for (name, bytes) in files {
        fs::write(folder.path().join(name), bytes).unwrap();
        input += bytes.len();
        let entity = scene.entities.push(Entity { model: Some(name.clone()), ..Entity::default() });
        scene.add_node(None, Node::new("", Content::Entity(entity)));
    }
    for name in materials {
        scene.materials.push(Material::new(*name));
    }
    let content = ContentSource::open([folder.path()]).unwrap();
    let loader = Gamestudio::new(&scene, None);
    let options = ResolveOptions::default().with_max_bytes(MAX_BYTES);
    let (report, peak) = peak_of(&HEAP, || resolve(&mut scene, &content, &loader, &options));
    let allowed = allowed_memory(input + decoded);
    assert!(peak <= allowed, "{what}: {peak} bytes, {allowed} allowed");
    assert_eq!(scene.first_error(), None, "{what}");
    let found = report.references.iter().filter(|it| matches!(it.outcome, Outcome::Found(_)));
    [found.count(), scene.images.len()]
}

fn named(count: usize, extension: &str, file: &[u8]) -> Vec<(String, Vec<u8>)> {
    (0..count).map(|number| (format!("{number}.{extension}"), file.to_vec())).collect()
}

#[test]
fn decoded_files_stay_within_the_limit() {
    // Each image takes 4 MiB. Five fit into the limit, beside their meshes.
    let image = tga_packed([1024, 1024], 1024 * 1024 / 128);
    assert_eq!(check("images", &named(40, "tga", &image), &[], MAX_BYTES), [5, 5]);
    // One image takes most of the limit. The others are not decoded beside it.
    let image = tga_packed([2048, 2560], 2048 * 2560 / 128);
    assert_eq!(check("large images", &named(40, "tga", &image), &[], MAX_BYTES), [1, 1]);

    // Small files that declare many pixels. Little memory is requested for them.
    for (extension, image) in [
        ("tga", tga_packed([16_000, 16_000], 10)),
        ("tga", tga_packed([2048, 2048], 2000)),
        ("pcx", pcx_header([4096, 4096], 1).bytes(&[0xff, 7].repeat(100)).0),
        ("pcx", pcx_header([2048, 2048], 3).bytes(&[0xff, 7].repeat(100)).0),
        ("dds", dds([16, 16]).iter().enumerate().map(|(at, byte)| if at == 13 { 0x10 } else { *byte }).collect()),
    ] {
        assert_eq!(check("a short image", &named(20, extension, &image), &[], 0), [0, 0], "{extension}");
    }
    // Packed pixels beyond the limit.
    let image = pcx_header([4096, 4096], 1).bytes(&[0xff, 7].repeat(4096 * 4096 / 63 + 1)).0;
    assert_eq!(check("a packed image", &named(20, "pcx", &image), &[], MAX_BYTES), [0, 0]);

    // Each skin is the same image.
    let skins = 2000;
    let file = group(mdl7_header(0, 1, SIZES), "", [skins, 0, skins, 3, 0]);
    let file = file.u32(&[4, 256, 256]).name("first").bytes(&vec![9; 3 * 256 * 256]);
    let file = (1..skins).fold(file, |file, _| file.u32(&[1, 0, 0]).name("same"));
    let file = (0..skins).fold(file, |file, skin| triangle26(file, [0, 1, 2], [0xffff; 3], skin.cast_signed()));
    let points = [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
    let file = points.into_iter().fold(file, |file, point| vertex26(file, point, 0)).0;
    assert_eq!(check("one image for all skins", &named(1, "mdl", &file), &[], 0), [1, 1]);

    // Each slot of a compiled level leads to one texture.
    let slots = 2000_u32;
    let image = texture("a", [256, 256], [4, 0, 0, 0], &vec![9; 3 * 256 * 256]);
    let mut list = vec![slots];
    list.extend(vec![4 + 4 * slots; slots as usize]);
    let list = Bytes::default().u32(&list).bytes(&image).0;
    let block = Bytes::default().u32(&[1]).f32(&[0.0; 6]).u32(&[0, 3, slots, slots]).bytes(&[0; 84]);
    let block = (0..slots).fold(block, |file, skin| file.u16(&[0, 1, 2, u16::try_from(skin).unwrap()]).u32(&[0]));
    let block = (0..slots)
        .fold(block, |file, slot| file.u16(&[u16::try_from(slot).unwrap(), 0]).i32(&[-1]).f32(&[0.0; 2]).u32(&[0]));
    let file = level("WMB7", 20, &[(2, list), (17, block.0)]);
    assert_eq!(check("slots with one texture", &named(1, "wmb", &file), &[], 0), [0, 0]);

    // A vertex of a terrain takes 4 bytes in the file, and two triangles in the scene.
    let file = Bytes::new("HMP7").header([1.0, 1.0, 500.0], 0, [0, 0], [250_000, 0, 1, 0]).u32(&[2]);
    let file = file.bytes(&[0; 16]).name("frame").bytes(&vec![0; 4 * 250_000]).0;
    assert_eq!(check("a terrain", &named(4, "hmp", &file), &[], 0), [0, 0]);

    // Each entry of an archive is the same texture of 4 MiB.
    let names: Vec<String> = (0..40).map(|number| format!("t{number}")).collect();
    let data = texture("t", [1024, 1024], [0, 0, 0, 0], &vec![9; 1024 * 1024]);
    let size = u32::try_from(data.len()).unwrap();
    let directory = names
        .iter()
        .fold(Bytes::default(), |file, name| file.u32(&[12, size, size]).bytes(&[0, 0, 0xff, 0xff]).name(name));
    let file = Bytes::new("WAD7").u32(&[40, 12 + size]).bytes(&data).bytes(&directory.0).0;
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    assert_eq!(check("entries with one texture", &named(1, "wad", &file), &names, MAX_BYTES), [6, 6]);
}

//! Archives of textures: what they hold, and that nothing hostile does harm.
#![cfg(feature = "wad")]

use mapwright_interchange::{Category, wad::Wad};
use mapwright_testkit::mutate::{Rng, mutant};

fn name(text: &str) -> [u8; 16] {
    let mut name = [0; 16];
    name[..text.len()].copy_from_slice(text.as_bytes());
    name
}

/// An archive of entries: kind, name, bytes.
fn archive(magic: &str, entries: &[(u8, &str, Vec<u8>)]) -> Vec<u8> {
    let mut file = [magic.as_bytes(), &u32::try_from(entries.len()).unwrap().to_le_bytes(), &[0; 4]].concat();
    let mut directory = Vec::new();
    for (kind, title, data) in entries {
        let size = u32::try_from(data.len()).unwrap().to_le_bytes();
        let start = u32::try_from(file.len()).unwrap().to_le_bytes();
        directory.extend([&start[..], &size, &size, &[*kind, 0, 0, 0], &name(title)].concat());
        file.extend(data);
    }
    let start = u32::try_from(file.len()).unwrap().to_le_bytes();
    file[8..12].copy_from_slice(&start);
    file.extend(directory);
    file
}

fn texture(title: &str, size: [u32; 2], head: &[u32], data: &[u8]) -> Vec<u8> {
    let numbers: Vec<u8> = size.iter().chain(head).flat_map(|number| number.to_le_bytes()).collect();
    [&name(title)[..], &numbers, data].concat()
}

fn indexed(title: &str, behind: &[u8]) -> Vec<u8> {
    let texels: Vec<u8> = (0..64 + 16 + 4 + 1).map(|i| if i == 63 { 255 } else { i }).collect();
    texture(title, [8, 8], &[40, 104, 120, 124], &[&texels, behind].concat())
}

fn palette() -> Vec<u8> {
    (0..=255_u8).flat_map(|i| [i, 255 - i, i / 2]).collect()
}

fn wads() -> [Vec<u8>; 4] {
    let own = [&[0, 1][..], &palette()].concat();
    let words = texture("sky", [2, 1], &[0, 44, 0, 0, 0], &[1, 2, 3, 4, 5, 6, 7, 8]);
    let halves = texture("wood", [2, 1], &[0, 44, 0, 0, 0], &[0b1110_0000, 0b0000_0111, 0b0000_0000, 0b1111_1000]);
    [
        archive("WAD2", &[(0x44, "a", indexed("a", &[])), (0x42, "bar", vec![1; 40])]),
        archive("WAD2", &[(0x44, "a", indexed("a", &[])), (0x40, "palette", palette())]),
        archive("WAD3", &[(0x43, "{Fence", indexed("{fence", &own)), (0x43, "short", indexed("short", &[]))]),
        archive("WAD7", &[(0x08, "sky", words), (0x0a, "wood", halves), (0x44, "old", indexed("old", &[]))]),
    ]
}

#[test]
fn textures_have_names_sizes_and_pixels() {
    let [plain, with_palette, half_life, gamestudio] = wads();
    let wad = Wad::from_bytes(&plain).unwrap();
    assert_eq!((wad.textures.len(), wad.textures[0].size, wad.textures[0].pixels()), (1, [8, 8], None));
    let wad = Wad::from_bytes(&with_palette).unwrap();
    let pixels = wad.texture("A").unwrap().pixels().unwrap();
    assert_eq!(
        (pixels.data.len(), &pixels.data[4..8], &pixels.data[252..]),
        (256, &[1, 254, 0, 255][..], &[255, 0, 127, 255][..])
    );
    let wad = Wad::from_bytes(&half_life).unwrap();
    let pixels = wad.texture("{fence").unwrap().pixels().unwrap();
    assert_eq!((&pixels.data[4..8], &pixels.data[252..]), (&[1, 254, 0, 255][..], &[0; 4][..]), "a hole");
    assert_eq!(wad.texture("short").unwrap().pixels(), None);
    let wad = Wad::from_bytes(&gamestudio).unwrap();
    let data = |name: &str| wad.texture(name).unwrap().pixels().map(|pixels| pixels.data);
    assert_eq!(data("sky").unwrap(), [3, 2, 1, 4, 7, 6, 5, 8]);
    assert_eq!(data("wood").unwrap(), [0, 255, 0, 255, 255, 0, 0, 255]);
    assert_eq!((data("old"), wad.texture("old").unwrap().size), (None, [8, 8]));
}

#[test]
fn archives_with_false_sizes_do_no_harm() {
    let refused = |bytes: &[u8]| Wad::from_bytes(bytes).unwrap_err().category();
    assert_eq!((refused(b"PACK\0\0"), refused(b"WA"), refused(b"WAD3\x01")), {
        (Category::Malformed, Category::Malformed, Category::Truncated)
    });
    let [_, whole, ..] = wads();
    let mut many = whole.clone();
    many[4..8].copy_from_slice(&u32::MAX.to_le_bytes());
    assert_eq!(refused(&many), Category::Truncated);
    assert!(Wad::from_bytes(b"WAD7\0\0\0\0\x0c\0\0\0").unwrap().textures.is_empty(), "an empty one has twelve bytes");
    let mut rng = Rng::new(5);
    for wad in wads() {
        for bytes in (0..wad.len()).map(|end| wad[..end].to_vec()).chain((0..2000).map(|_| mutant(&wad, &[], &mut rng)))
        {
            let Ok(wad) = Wad::from_bytes(&bytes) else { continue };
            for texture in &wad.textures {
                let pixels = texture.pixels();
                assert!(pixels.is_none_or(|pixels| pixels.byte_len() == Some(pixels.data.len())));
            }
        }
    }
}

//! Hostile input: any bytes give a result or an error with a position.

use mapwright_acknex::{Model, ReadOptions, Terrain, Wad, Wmb};
use mapwright_io::{Category, Limits};
use mapwright_testkit::laws;
use mapwright_testkit::mutate::{Rng, mutant};

use crate::support::*;

/// Returns all files of this folder's builders.
pub(crate) fn files() -> Vec<Vec<u8>> {
    let mut files = vec![mdl5(), mdl2("MDL2"), mdl2("IDPO"), mdl7(), hmp7(), hmp4(), hmp4_mesh(), wmb7()];
    files.extend(["WMB2", "WMB4"].map(wmb4));
    files.extend(wads());
    files
}

/// Reads bytes in all ways, and decodes what they contain.
fn read_all(bytes: &[u8]) {
    if let Some(model) = laws::total(bytes, |bytes| Model::from_bytes(bytes).map_err(refusal)) {
        for group in &model.groups {
            let vertices = group.positions.len();
            assert!(
                group
                    .triangles
                    .iter()
                    .flat_map(|triangle| triangle.vertices)
                    .all(|vertex| (vertex as usize) < vertices)
            );
            assert!(
                group
                    .triangles
                    .iter()
                    .all(|triangle| triangle.skin.is_none_or(|skin| (skin as usize) < model.skins.len()))
            );
            assert_eq!(group.pose(1).len(), vertices);
        }
        for skin in &model.skins {
            let _ = skin.image(Some(&greys()));
        }
    }
    if let Some(terrain) = laws::total(bytes, |bytes| Terrain::from_bytes(bytes).map_err(refusal)) {
        let mesh = terrain.to_mesh(0);
        assert!(
            mesh.triangles
                .iter()
                .flat_map(|triangle| triangle.vertices)
                .all(|vertex| (vertex as usize) < mesh.positions.len())
        );
    }
    if laws::total(bytes, |bytes| Wad::from_bytes(bytes).map(drop).map_err(refusal)).is_some() {
        for texture in Wad::from_bytes(bytes).unwrap().textures {
            if let Ok(image) = texture.image(None) {
                assert_eq!(image.rgba.len(), image.size[0] as usize * image.size[1] as usize * 4);
            }
        }
    }
    if laws::total(bytes, |bytes| Wmb::from_bytes(bytes).map(drop).map_err(refusal)).is_some() {
        let level = Wmb::from_bytes(bytes).unwrap();
        level.textures().for_each(|texture| drop(texture.image(level.palette.as_ref())));
        if let Some(mesh) = laws::total(bytes, |_| level.faces().map_err(refusal)) {
            assert_eq!(mesh.iter().map(|(_, corners)| corners.len()).sum::<usize>(), mesh.corners.len());
        }
    }
}

#[test]
fn mutants_are_read_or_rejected() {
    let mut rng = Rng::new(5);
    for file in files() {
        read_all(&file);
        for _ in 0..1000 {
            read_all(&mutant(&file, &[], &mut rng));
        }
    }
}

#[test]
fn prefixes_are_rejected() {
    for file in [mdl5(), mdl2("MDL2"), mdl2("IDPO")] {
        laws::prefixes(&file, |bytes| Model::from_bytes(bytes).map_err(refusal), |_, _| false);
    }
    // A model without the data of its editor is whole.
    let file = mdl7();
    let whole = Model::from_bytes(&file).unwrap();
    let is_model = |bytes: &[u8], model: &Model| *model == whole && file.len() - bytes.len() <= b"editor data".len();
    laws::prefixes(&file, |bytes| Model::from_bytes(bytes).map_err(refusal), is_model);
    for file in [hmp7(), hmp4(), hmp4_mesh()] {
        laws::prefixes(&file, |bytes| Terrain::from_bytes(bytes).map_err(refusal), |_, _| false);
    }
    for file in wads() {
        // The directory is at the end.
        laws::prefixes(&file, |bytes| Wad::from_bytes(bytes).map(drop).map_err(refusal), |_, ()| false);
    }
    for file in [wmb7(), wmb4("WMB2"), wmb4("WMB4")] {
        laws::prefixes(&file, |bytes| Wmb::from_bytes(bytes).map(drop).map_err(refusal), |_, ()| false);
    }
}

/// Replaces a 32-bit number.
fn patched(file: &[u8], at: usize, number: u32) -> Vec<u8> {
    let mut file = file.to_vec();
    file[at..at + 4].copy_from_slice(&number.to_le_bytes());
    file
}

#[test]
fn impossible_counts_are_rejected() {
    let model = |at, number| Model::from_bytes(&patched(&mdl5(), at, number)).unwrap_err();
    // The numbers of skins, vertices, triangles, frames and texture coordinates.
    for at in [48, 60, 64, 68, 72] {
        if !matches!(at, 64 | 72) {
            assert_eq!(model(at, u32::MAX).category(), Category::Malformed, "{at}");
        }
        let category = model(at, i32::MAX.unsigned_abs()).category();
        assert!(matches!(category, Category::Truncated | Category::Limit), "{at}: {category:?}");
    }
    assert_eq!(model(48, u32::MAX).to_string(), "invalid number of skins: -1 at offset 48 (0x30)");
    // The numbers of bones and groups, and those of the first group.
    for at in [8, 12, 108, 112, 116, 120, 124] {
        let category = Model::from_bytes(&patched(&mdl7(), at, u32::MAX)).unwrap_err().category();
        assert!(matches!(category, Category::Truncated | Category::Limit), "{at}: {category:?}");
    }
    let count = patched(&wads()[1], 4, u32::MAX);
    assert_eq!(Wad::from_bytes(&count).unwrap_err().category(), Category::Truncated);
}

#[test]
fn other_files_and_unknown_types_are_rejected() {
    let text = |error: mapwright_acknex::ReadError| error.to_string();
    let magic = text(Model::from_bytes(b"MDL6....").unwrap_err());
    assert_eq!(
        magic,
        "not a model: the file starts with \"MDL6\", expected MDL2 to MDL5, MDL7 or IDPO at offset 0 (0x0)"
    );
    let pointer = b"version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n";
    assert!(
        text(Wad::from_bytes(pointer).unwrap_err()).starts_with("file is a Git LFS pointer, not a texture archive")
    );
    assert!(text(Model::from_bytes(&patched(&mdl2("MDL2"), 84, 5)).unwrap_err()).starts_with("unknown skin type 5"));
    let frame = mdl5().len() - 2 * (4 + 16 + 16 + 24);
    assert!(text(Model::from_bytes(&patched(&mdl5(), frame, 1)).unwrap_err()).ends_with("in frames[0]"));
    let mut sizes = SIZES;
    sizes[5] = 20;
    let size = text(Model::from_bytes(&mdl7_header(0, 0, sizes).0).unwrap_err());
    assert_eq!(size, "invalid size of a triangle: 20 bytes, expected 12, 16, 26 or 44 at offset 28 (0x1c)");
    assert!(Model::from_bytes(&group(mdl7_header(0, 1, SIZES), "", [0; 5]).bytes(&[]).0).is_ok());
    let kind = text(Model::from_bytes(&mdl7_header(0, 1, SIZES).bytes(&[2; 44]).0).unwrap_err());
    assert!(kind.starts_with("unknown group type 2") && kind.ends_with("in groups[0]"), "{kind}");
}

#[test]
fn grids_are_whole() {
    let columns = |columns: f32| Terrain::from_bytes(&patched(&hmp7(), 44, columns.to_bits()));
    assert!(columns(2.0).is_ok());
    for bad in [0.0, 1.0, 2.5, 4.0, -3.0, 1e9, f32::NAN, f32::INFINITY] {
        assert!(columns(bad).unwrap_err().to_string().starts_with("invalid grid"), "{bad}");
    }
    let text = |at, number: f32| Terrain::from_bytes(&patched(&hmp7(), at, number.to_bits())).unwrap_err().to_string();
    let depth = "invalid depth of a cell: expected a finite number, found NaN at offset 40 (0x28)";
    assert_eq!(text(40, f32::NAN), depth);
    assert!(text(16, f32::INFINITY).starts_with("invalid height of a step: expected a finite number, found inf"));
    let frames = Terrain::from_bytes(&patched(&hmp7(), 68, 0)).unwrap_err().to_string();
    assert!(frames.starts_with("invalid number of frames: 0"), "{frames}");
}

#[test]
fn faces_cannot_share_all_edges() {
    let file = wmb4("WMB4");
    let level = Wmb::from_bytes(&file).unwrap();
    assert_eq!(level.faces().unwrap().faces.len(), 1);
    let material = Bytes::default().f32(&[0.0; 8]).u32(&[0]).bytes(&[0; 28]).0;
    let face = Bytes::default().u16(&[0, 0]).u32(&[0]).u16(&[60_000, 0]).bytes(&[0; 12]).0;
    let faces = |count: usize| {
        let edges = vec![0; 4 * 60_000];
        crate::support::level(
            "WMB4",
            16,
            &[(3, vec![0; 36]), (6, material.clone()), (7, face.repeat(count)), (12, vec![0; 8]), (13, edges)],
        )
    };
    let read = |count: usize| Wmb::from_bytes(&faces(count)).unwrap().faces();
    assert_eq!(read(1).unwrap().corners.len(), 60_000);
    let error = read(4).unwrap_err().to_string();
    assert!(error.starts_with("faces have more than 185536 corners together"), "{error}");
    // The offset of the list of faces, whose first record has its number of corners at 8.
    let at = u32::from_le_bytes(file[60..64].try_into().unwrap()) as usize + 8;
    let error = Wmb::from_bytes(&patched(&file, at, 2)).unwrap().faces().unwrap_err().to_string();
    assert!(error.starts_with("invalid face: expected at least 3 corners, found 2"), "{error}");
}

#[test]
fn items_are_limited() {
    let limits = Limits::default().with_max_items(5);
    let options = ReadOptions::default().with_limits(limits);
    assert_eq!(Model::from_bytes_with(&mdl5(), &options).unwrap_err().category(), Category::Limit);
    assert_eq!(Terrain::from_bytes_with(&hmp7(), &options).unwrap_err().category(), Category::Limit);
    assert_eq!(Wmb::from_bytes(&wmb7()).unwrap().faces_with(&options).unwrap_err().category(), Category::Limit);
    let options = ReadOptions::default().with_limits(Limits::default().with_max_input(10));
    assert_eq!(Model::from_reader_with(&mdl5()[..], &options).unwrap_err().category(), Category::Limit);
    assert_eq!(Terrain::from_reader(&hmp7()[..]).unwrap(), Terrain::from_bytes(&hmp7()).unwrap());
}

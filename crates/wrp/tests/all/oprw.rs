//! OPRW: every version, rejected files, and the effects of edits.

use crate::support;

use mapwright_testkit::{LONG_NAME, corpus, laws, mutate};
use mapwright_wrp::io::Limits;
use mapwright_wrp::{
    Document, Entity, MapInfo, MapShape, Matrix, Name, Objects, Oprw, OprwMaterial, OprwVersion, Packed, PackedPart,
    Placements, ReadErrorKind, ReadOptions, Road, RoadPiece, RoadPoint, WriteErrorKind,
};
use support::{read, refusal};

const VERSIONS: [u32; 16] = [2, 3, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25];

/// Returns a grid of varying values.
fn values<T>([columns, rows]: [u32; 2], value: impl Fn(u32) -> T) -> Vec<T> {
    (0..columns * rows).map(|place| value(place.wrapping_mul(place) >> 4)).collect()
}

/// Returns a terrain with every part of its version.
fn terrain(version: u32) -> Oprw {
    let version = OprwVersion(version);
    let [elder, modern] = [version.0 < 10, version.0 > 10];
    let since = |first: u32| version.0 >= first;
    let land = if version.0 == 2 { [256; 2] } else { [20, 18] };
    let vertices = if version.0 == 2 { [256; 2] } else { [40, 36] };
    let sounds = if elder { land } else { [land[0]; 2] };
    let only = |is_there: bool, size: [u32; 2]| if is_there { size } else { [0; 2] };
    let matrix = Matrix::from_numbers([f32::from_bits(0x7fa0_0001); 12]);
    let road = |cell, kind| Road {
        cell,
        points: vec![RoadPoint { position: [1.0, -0.0, f32::NAN], kind: if since(24) { kind } else { 0 } }; 2],
        object_id: 0x8000_0001,
        piece: since(16).then(|| Box::new(RoadPiece { model: b"r\xffoad.p3d".to_vec(), matrix })),
    };
    Oprw {
        version,
        app_id: since(25).then_some(107_410),
        land,
        terrain: vertices,
        cell: if elder { 50.0 } else { 12.5 },
        geography: values(land, |place| place & 0x3fff),
        sound: values(sounds, |place| place.to_le_bytes()[0] & 7),
        peaks: vec![[1.0, 2.0, f32::INFINITY], [-0.0; 3]],
        cells: values(land, |place| u16::from_le_bytes([place.to_le_bytes()[1], 0])),
        random: values(only(!since(21), land), |place| place & 0xffff),
        grass: values(only(since(18), vertices), |place| place.to_le_bytes()[0]),
        primary_texture: values(only(since(22), vertices), |place| place.to_le_bytes()[0] & 3),
        heights: values(vertices, |place| if place == 9 { -0.0 } else { place as f32 * 0.25 - 40.0 }),
        materials: vec![
            OprwMaterial { name: Vec::new(), flag: 0 },
            OprwMaterial { name: b"a\\b.rvmat".to_vec(), flag: 255 },
        ],
        objects: Objects {
            models: vec![Name::new("unused.p3d"), Name::new("\u{e9}.p3d"), Name::default()],
            // The last index is out of range.
            model: vec![1, 0, 77],
            placements: Placements::Matrices(vec![
                matrix,
                Matrix::from_position([1.0, 2.0, 3.0]),
                Matrix::from_position([0.0; 3]),
            ]),
            ids: vec![7, 0, if elder { i32::MAX } else { -5 }],
        },
        shapes: if since(14) { vec![2, 0, u32::MAX] } else { Vec::new() },
        entities: if since(15) {
            let (class, shape) = (b"Land_X".to_vec(), b"x.p3d".to_vec());
            vec![Entity { class, shape, position: [0.5, f32::NAN, -1.0], object_id: 3 }]
        } else {
            Vec::new()
        },
        object_offsets: values(only(modern, land), |place| place * 60),
        map_offsets: values(only(modern, land), |place| place / 64),
        persistent: values(only(modern, land), |place| place.to_le_bytes()[0] & 1),
        subdivision: values(only(modern, vertices), |_| 3),
        max_object_id: modern.then_some(9),
        roads: if modern {
            vec![road([0, 17], 1), road([3, 0], 2), road([3, 0], 3), road([19, 17], 4)]
        } else {
            Vec::new()
        },
        stated_road_size: modern.then_some(12),
        map_info: if modern { items() } else { Vec::new() },
        map_rest: if modern { vec![45, 0, 0, 0, 1, 2, 3] } else { Vec::new() },
        stated_map_size: None,
        terminator: elder.then_some(-1),
        after: b"ending".to_vec(),
        packed: Vec::new(),
    }
}

/// Returns a map item of every kind.
fn items() -> Vec<MapInfo> {
    let corners = [[1.0, 2.0], [3.0, 4.0], [5.0, -0.0], [f32::NAN, 8.0]];
    let thing = |kind: u32| {
        let id = kind + 100;
        let shape = match kind {
            0..=2 | 10..=17 | 22 | 23 | 26 | 27 | 30 => MapShape::Point { id, position: [1.5, -2.5] },
            24 | 31 | 32 => MapShape::Outline { id, corners },
            25 | 33 | 41..=43 => MapShape::Zone { color: id, indicator: 1, numbers: [1.0, 2.0, 3.0, 4.0] },
            3 | 4 | 8 | 9 | 18..=21 | 28 | 29 | 36..=39 => MapShape::Area { id, corners, color: [1, 2, 3, 4] },
            34 => MapShape::Line { id, numbers: [4.0, 3.0, 2.0, 1.0] },
            35 => MapShape::Track { id, numbers: [6.0, 5.0, 4.0, 3.0, 2.0, 1.0], flag: 1 },
            44 => MapShape::River { id, points: vec![[1.0, 2.0]; 3] },
            _ => return None,
        };
        Some(MapInfo { kind, shape })
    };
    (0..45).filter_map(thing).collect()
}

fn write(document: &Document) -> Result<Vec<u8>, mapwright_wrp::WriteError> {
    document.to_bytes()
}

/// Returns the error of writing a terrain.
fn rejected(terrain: Oprw) -> WriteErrorKind {
    match Document::Oprw(terrain).to_bytes() {
        Ok(_) => panic!("written"),
        Err(error) => error.into_kind(),
    }
}

#[test]
fn every_version_preserves_all_parts() {
    assert_eq!(items().len(), 43 - 2, "all kinds but 5 to 7, 40");
    for version in VERSIONS {
        let bytes = laws::model(&Document::Oprw(terrain(version)), read, write);
        laws::exact(&format!("version {version}"), &bytes, read, write);
        let Ok(Document::Oprw(read)) = Document::from_bytes(&bytes) else { panic!("{version}") };
        assert!(!read.packed.is_empty());
        for packed in &read.packed {
            assert!(PackedPart::ALL.contains(&packed.part));
        }
    }
}

#[test]
fn names_that_the_reader_rejects_are_not_written() {
    for length in [4096, 4097, LONG_NAME] {
        let mut terrain = terrain(25);
        terrain.materials[0].name = vec![b'n'; length];
        let written = write(&Document::Oprw(terrain));
        assert_eq!(written.is_ok(), length <= 4096, "{length}");
        if let Err(error) = &written {
            assert!(error.to_string().contains("materials[0]") && error.to_string().len() < 200, "{error}");
        }
        assert!(written.is_err() || read(&written.unwrap()).is_ok(), "{length}");
    }
}

#[test]
fn the_stored_size_of_the_map_may_be_too_large() {
    let mut terrain = terrain(25);
    terrain.after.clear();
    terrain.stated_map_size = Some(1_000_000);
    laws::model(&Document::Oprw(terrain.clone()), read, write);
    terrain.stated_map_size = Some(4);
    assert!(matches!(rejected(terrain), WriteErrorKind::Ambiguous(_)));
}

#[test]
fn prefixes_are_rejected_or_shorter() {
    for version in [3, 12, 16, 20, 25] {
        let mut terrain = terrain(version);
        terrain.after.clear();
        let bytes = Document::Oprw(terrain).to_bytes().unwrap();
        let mut shorter = 0;
        for length in (0..bytes.len()).filter(|length| length % 7 == 0 || bytes.len() - length < 2000) {
            let prefix = &bytes[..length];
            match Document::from_bytes(prefix) {
                Ok(document) => {
                    shorter += 1;
                    assert!(document.to_bytes().unwrap() == prefix, "version {version}, {length} bytes");
                }
                Err(error) => {
                    let refusal = refusal(&error);
                    assert_eq!(refusal.category, "truncated", "version {version}, {length} bytes: {error}");
                    assert!(refusal.offset.unwrap() <= length as u64);
                }
            }
        }
        // The list at the end: map items in newer versions, objects in legacy ones.
        assert!(shorter > if version == 3 { 3 * 56 } else { 500 }, "version {version}: {shorter}");
    }
}

#[test]
fn mutants_are_rejected_or_round_trip() {
    for version in [3, 12, 15, 18, 22, 25] {
        let bytes = Document::Oprw(terrain(version)).to_bytes().unwrap();
        let donors = [bytes.clone()];
        let mut accepted = 0;
        for mutant in mutate::random(&bytes, &donors, version.into()).take(1500) {
            if let Some(document) = laws::total(&mutant, read) {
                accepted += 1;
                assert!(document.to_bytes().unwrap() == mutant, "an accepted mutant of version {version} changes");
            }
        }
        assert!(accepted > 10, "{accepted} of version {version}");
    }
}

#[test]
#[ignore = "needs the corpus"]
fn hostile_corpus_terrains_are_rejected() {
    let Some(folder) = corpus("wrp") else { return };
    let read = |name: &str| {
        let mut bytes = std::fs::read(folder.join("synthetic").join(name)).unwrap();
        // Bytes for the numbers of roads. Without them the grid is rejected before its tree is read.
        bytes.extend([0; 4000]);
        Document::from_bytes(&bytes).map_err(mapwright_wrp::ReadError::into_kind)
    };
    assert!(matches!(
        read("hostile_oprw_deep_tree.wrp"),
        Err(ReadErrorKind::Tree { levels: 2, columns: 16, rows: 16 })
    ));
    assert!(matches!(read("oprw_not_a_version.wrp"), Err(ReadErrorKind::Version(OprwVersion(0x6e79_7300)))));
}

#[test]
fn unsupported_versions_are_explained() {
    let file = |version: u32| [b"OPRW", version.to_le_bytes().as_slice(), &[0; 100]].concat();
    let error = |bytes: &[u8]| Document::from_bytes(bytes).unwrap_err();
    for version in [10, 11] {
        let error = error(&file(version));
        assert!(matches!(error.kind(), ReadErrorKind::UnknownSize(OprwVersion(found)) if *found == version));
        assert!(error.to_string().contains("does not store the size of its grids"), "{error}");
    }
    for version in [0, 1, 4, 9, 26, 27, u32::MAX] {
        let error = error(&file(version));
        assert!(matches!(error.kind(), ReadErrorKind::Version(OprwVersion(found)) if *found == version));
        assert!(error.to_string().contains("its layout is unknown"), "{error}");
        assert_eq!(error.help().unwrap(), "use OPRW 2, 3 or 12 to 25");
    }
    assert!(error(&file(26)).to_string().contains("(VBS3)"));
    let wrapped = error(b"\x0f4WVR and more");
    assert!(matches!(wrapped.kind(), ReadErrorKind::PackedFile(magic) if magic == b"4WVR"));
    assert!(matches!(error(b"\x0f4XVR and more").kind(), ReadErrorKind::Magic(_)));
    let negative = [&b"OPRW\x03\0\0\0"[..], &[255; 16]].concat();
    assert!(matches!(error(&negative).kind(), ReadErrorKind::Grid { columns: -1, rows: -1 }));
}

#[test]
fn grids_and_blocks_respect_the_limits() {
    for version in [3, 25] {
        let bytes = Document::Oprw(terrain(version)).to_bytes().unwrap();
        let options = |bytes| ReadOptions::default().with_limits(Limits::default().with_max_decompressed(bytes));
        let all = match version {
            3 => 20 * 18 * (4 + 1 + 2 + 4) + 40 * 36 * 4,
            _ => 20 * 18 * (2 + 2 + 4 + 4 + 1) + 20 * 20 + 40 * 36 * (1 + 1 + 4 + 1),
        };
        assert!(Document::from_bytes_with(&bytes, &options(all)).is_ok());
        let error = Document::from_bytes_with(&bytes, &options(all - 1)).unwrap_err();
        assert_eq!(error.category().name(), "limit", "{error}");
    }
    // A grid of 2^32 × 2^32 cells, or a grid with only many sounds.
    for land in [[u32::MAX; 2], [u32::MAX, 0]] {
        let sizes = [land[0], land[1], 4, 4].map(u32::to_le_bytes).concat();
        let bytes = [b"OPRW\x12\0\0\0", sizes.as_slice(), &[0; 500]].concat();
        let error = Document::from_bytes(&bytes).unwrap_err();
        assert!(matches!(error.category().name(), "limit" | "truncated"), "{error}");
    }
}

#[test]
fn a_changed_height_changes_only_its_block() {
    for version in VERSIONS {
        // Packed by another program: only literals in LZSS and LZO, and a tree with unnecessary nodes.
        let mut foreign = terrain(version);
        foreign.packed = packed_badly(&foreign);
        let before = Document::Oprw(foreign.clone()).to_bytes().unwrap();
        let own = Document::Oprw(Oprw { packed: Vec::new(), ..foreign.clone() }).to_bytes().unwrap();
        assert!(before.len() > own.len(), "version {version}: the foreign blocks are used");
        let Ok(Document::Oprw(mut read)) = Document::from_bytes(&before) else { panic!("{version}") };
        assert!(read == foreign);
        assert!(Document::Oprw(read.clone()).to_bytes().unwrap() == before);
        read.heights[5] = 1234.5;
        let after = Document::Oprw(read.clone()).to_bytes().unwrap();
        assert_eq!(Document::from_bytes(&after).unwrap(), Document::Oprw(read.clone()));
        let block = &foreign.packed.iter().find(|packed| packed.part == PackedPart::Heights).unwrap().bytes;
        let start = before.windows(block.len()).position(|bytes| bytes == block).unwrap();
        assert!(after[..start] == before[..start], "version {version}");
        let rest = &before[start + block.len()..];
        assert!(after.ends_with(rest), "version {version}");
        assert!(after.len() < before.len(), "version {version}: it is packed");
        // After the change is undone, the original block matches again.
        read.heights[5] = foreign.heights[5];
        assert!(Document::Oprw(read).to_bytes().unwrap() == before);
    }
}

/// Returns badly packed grids.
fn packed_badly(terrain: &Oprw) -> Vec<Packed> {
    let bytes: Vec<u8> = terrain.heights.iter().flat_map(|height| height.to_le_bytes()).collect();
    let mut packed = Vec::new();
    if terrain.version.0 >= 23 {
        let mut run = bytes.len() - 18;
        packed.push(0);
        while run > 255 {
            packed.push(0);
            run -= 255;
        }
        packed.push(u8::try_from(run).unwrap());
        packed.extend(&bytes);
        packed.extend([0x11, 0, 0]);
    } else {
        for eight in bytes.chunks(8) {
            packed.push(255);
            packed.extend(eight);
        }
        packed.extend(bytes.iter().map(|byte| u32::from(*byte)).sum::<u32>().to_le_bytes());
    }
    let mut all = vec![Packed { part: PackedPart::Heights, bytes: packed }];
    if terrain.version.0 > 10 {
        // Two levels of nodes over 20×18 pairs; the offsets have one more level.
        let mut tree = vec![1];
        let node = |tree: &mut Vec<u8>, x: usize, z: usize| {
            tree.extend([0, 0]);
            for child in 0..16 {
                let (x, z) = (x + child % 4, z + child / 4);
                let inside = x < 20 && z < 18;
                let value = if inside { terrain.map_offsets[z * 20 + x] } else { 0xdead_beef };
                tree.extend(value.to_le_bytes());
            }
        };
        tree.extend([255, 255]);
        for outer in 0..16 {
            tree.extend([255, 255]);
            for inner in 0..16 {
                node(&mut tree, outer % 4 * 16 + inner % 4 * 4, outer / 4 * 16 + inner / 4 * 4);
            }
        }
        all.push(Packed { part: PackedPart::MapOffsets, bytes: tree });
    }
    all
}

#[test]
fn original_blocks_of_other_values_are_not_written() {
    let mut terrain = terrain(25);
    let own = Document::Oprw(terrain.clone()).to_bytes().unwrap();
    let good = packed_badly(&terrain);
    for (part, bytes) in [
        (PackedPart::Heights, Vec::new()),
        (PackedPart::Heights, vec![0; 50]),
        (PackedPart::Heights, [good[0].bytes.clone(), vec![0]].concat()),
        (PackedPart::Grass, good[0].bytes.clone()),
        (PackedPart::MapOffsets, good[1].bytes[..100].to_vec()),
        (PackedPart::Cells, vec![1; 3]),
    ] {
        terrain.packed = vec![Packed { part, bytes }];
        assert!(Document::Oprw(terrain.clone()).to_bytes().unwrap() == own, "{part:?}");
    }
}

#[test]
fn inconsistent_documents_are_not_written() {
    type Change = fn(&mut Oprw);
    let cases: [(u32, Change); 30] = [
        (25, |it| it.version = OprwVersion(26)),
        (25, |it| it.version = OprwVersion(11)),
        (25, |it| it.app_id = None),
        (24, |it| it.app_id = Some(1)),
        (25, |it| it.heights.push(0.0)),
        (25, |it| it.sound.truncate(20 * 18)),
        (21, |it| it.random = vec![0; 20 * 18]),
        (3, |it| it.grass = vec![0]),
        (16, |it| it.geography[3] = 0x1_0000),
        (16, |it| it.random[3] = 0x1_0000),
        (25, |it| it.shapes.clear()),
        (12, |it| it.shapes = vec![2; 3]),
        (14, |it| it.entities = terrain(15).entities),
        (25, |it| it.max_object_id = None),
        (3, |it| it.max_object_id = Some(1)),
        (25, |it| it.terminator = Some(-1)),
        (3, |it| it.terminator = Some(0)),
        (3, |it| it.objects.ids[1] = -1),
        (3, |it| (it.terminator, it.after) = (None, vec![255; 4])),
        (3, |it| it.map_info = items()),
        (3, |it| it.roads = terrain(15).roads),
        (3, |it| it.cell = 51.0),
        (2, |it| it.land = [128; 2]),
        (25, |it| it.roads.swap(0, 1)),
        (25, |it| it.roads[3].cell = [20, 0]),
        (23, |it| it.roads[0].points[0].kind = 1),
        (25, |it| it.roads[0].piece = None),
        (25, |it| it.map_info[0].kind = 44),
        (25, |it| it.map_rest = vec![0; 16]),
        (25, |it| it.objects.models[1] = Name::new("a\0b")),
    ];
    for (place, (version, change)) in cases.into_iter().enumerate() {
        let mut terrain = terrain(version);
        change(&mut terrain);
        let error = Document::Oprw(terrain).to_bytes().expect_err(&format!("case {place}"));
        assert!(!error.to_string().is_empty());
    }
    // Files may contain objects with a model index out of range.
    let mut terrain = terrain(25);
    terrain.objects.model[0] = u32::MAX;
    assert!(Document::Oprw(terrain).to_bytes().is_ok());
}

#[test]
fn models_may_be_in_any_order() {
    for version in [3, 25] {
        let mut oprw = terrain(version);
        let matrices: Vec<Matrix> = (1..=4_u8).map(|x| Matrix::from_position([f32::from(x), 0.0, 0.0])).collect();
        oprw.objects = Objects {
            models: ["z.p3d", "unused.p3d", "y.p3d", "x.p3d"].map(Name::new).to_vec(),
            model: vec![3, 0, 3, 2],
            placements: Placements::Matrices(matrices),
            ids: vec![4, 3, 2, 1],
        };
        if !oprw.shapes.is_empty() {
            oprw.shapes = vec![2; 4];
        }
        let document = Document::Oprw(oprw);
        let again = Document::from_bytes(&write(&document).unwrap()).unwrap();
        assert_eq!(again.objects(), document.objects(), "{version}");
        let shown = |document: &Document| -> Vec<(i32, String)> {
            document.rows().map(|row| (row.id.unwrap(), row.model)).collect()
        };
        let named = |rows: [(i32, &str); 4]| rows.map(|(id, name)| (id, name.to_owned()));
        let own = [(4, "x.p3d"), (3, "z.p3d"), (2, "x.p3d"), (1, "y.p3d")];
        assert_eq!(shown(&again), named(own));
        // A conversion lists models in the order of first use. Since version 10 it orders objects by ID.
        let mut expected = own;
        let mut models = ["x.p3d", "z.p3d", "y.p3d"];
        if version > 10 {
            expected.reverse();
            models = ["y.p3d", "x.p3d", "z.p3d"];
        }
        for converted in
            [Document::Wvr8(again.to_wvr8().document), Document::Wvr(again.to_wvr4(&Default::default()).document)]
        {
            assert_eq!(shown(&converted), named(expected), "{version}");
            let read = Document::from_bytes(&converted.to_bytes().unwrap()).unwrap();
            assert_eq!(shown(&read), named(expected));
            assert_eq!(read.objects().models, models.map(Name::new), "{version}");
            assert_eq!(read.objects().iter().next().unwrap().model, Some(&Name::new(expected[0].1)));
        }
    }
}

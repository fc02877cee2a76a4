//! Terrains assembled by hand from the description of the format, and their values.

use crate::support;

use mapwright_testkit::hexdiff;
use mapwright_wrp::io::Confidence;
use mapwright_wrp::{
    Document, MapInfo, MapShape, Matrix, OprwVersion, Placement, Placements, ReadErrorKind, ReadOptions, Sentinel,
    Version, sniff,
};
use support::read;

/// Builds a file part by part.
#[derive(Default)]
struct Sheet(Vec<u8>);

impl Sheet {
    fn with_magic(magic: &[u8; 4]) -> Self {
        Self(magic.to_vec())
    }

    fn words(mut self, words: &[u32]) -> Self {
        self.0.extend(words.iter().flat_map(|word| word.to_le_bytes()));
        self
    }

    fn shorts(mut self, shorts: &[i16]) -> Self {
        self.0.extend(shorts.iter().flat_map(|short| short.to_le_bytes()));
        self
    }

    fn floats(mut self, floats: &[f32]) -> Self {
        self.0.extend(floats.iter().flat_map(|float| float.to_le_bytes()));
        self
    }

    fn bytes(mut self, bytes: &[u8]) -> Self {
        self.0.extend(bytes);
        self
    }

    /// Adds a text, padded with zeros to a width.
    fn field(mut self, text: &[u8], width: usize) -> Self {
        let end = self.0.len() + width;
        self.0.extend(text);
        self.0.resize(end, 0);
        self
    }

    /// Adds `count` empty fields of 32 bytes.
    fn slots(self, count: usize) -> Self {
        self.field(b"", count * 32)
    }
}

/// The numbers of a matrix that faces east.
const EASTWARDS: [f32; 12] = [0.0, 0.0, -1.0, 0.0, 1.0, 0.0, 1.0, 0.0, 0.0, 110.5, 32768.0, 20.25];

/// Starts a file with two columns and three rows of heights and textures.
fn head(magic: &[u8; 4]) -> Sheet {
    Sheet::with_magic(magic).words(&[2, 3]).shorts(&[-32768, -1, 0, 1, 2, 32767]).shorts(&[0, 1, 511, 512, -1, -32768])
}

/// Reads bytes and checks that they round-trip.
fn read_exact(bytes: &[u8]) -> Document {
    assert_eq!(sniff(&bytes[..4]), Confidence::Certain);
    let document = read(bytes).expect("a terrain");
    assert_eq!(hexdiff(bytes, &document.to_bytes().expect("it was read")), None);
    document
}

#[test]
fn a_4wvr_has_the_described_layout() {
    let bytes = head(b"4WVR")
        .field(b"LandText\\mo.pac", 32)
        .field(b"landtext\\pi.paa\0old", 32)
        .slots(509)
        .bytes(b"01234567890123456789012345678901")
        .floats(&EASTWARDS)
        .words(&[(-7_i32).cast_unsigned()])
        .field(b"data3d\\kasna.p3d\0rest", 76)
        .bytes(&[0xcd; 52])
        .field(b"\0stale", 76)
        .bytes(b"ending");
    let document = read_exact(&bytes.0);
    assert_eq!((document.variant(), document.extent()), ("4WVR".to_owned(), [100.0, 150.0]));
    let Document::Wvr(terrain) = &document else { panic!("a 4WVR") };
    assert_eq!((terrain.version, terrain.size), (Version::Wvr4, [2, 3]));
    assert_eq!(terrain.heights, [-32768, -1, 0, 1, 2, 32767]);
    assert_eq!(terrain.textures, [0, 1, 511, 512, -1, -32768]);
    assert_eq!(terrain.names.len(), 512);
    assert_eq!((terrain.names[1].text(), terrain.texture(1)), (&b"landtext\\pi.paa"[..], Some(&terrain.names[1])));
    assert!(terrain.names[1].residue().starts_with(b"old"));
    assert_eq!(terrain.names[511].text().len(), 32);
    // The sea, an empty slot, and an index out of range.
    assert_eq!([0, 2, 512, -1].map(|index| terrain.texture(index)), [None; 4]);

    assert_eq!((terrain.objects.len(), terrain.terminator.as_ref().map(Vec::len)), (1, Some(128)));
    assert_eq!(terrain.after, b"ending");
    let object = terrain.objects.get(0).expect("one object");
    let model = object.model.expect("a model");
    assert_eq!((&model.bytes[..], &model.rest[..]), (&b"data3d\\kasna.p3d"[..], &b"\0rest"[..]));
    assert_eq!((object.id, object.placement), (Some(-7), Placement::Matrix(Matrix::from_numbers(EASTWARDS))));
    let Placement::Matrix(matrix) = object.placement else { unreachable!() };
    assert_eq!((matrix.heading(), matrix.fits_to_ground(), matrix.determinant()), (90.0, true, 1.0));
    // A point in front of the model is east of it.
    assert_eq!(matrix.apply([0.0, 0.0, 1.0]), [111.5, 32768.0, 20.25]);
}

#[test]
fn heights_are_signed_steps_of_45_millimetres_from_the_south_west() {
    let bytes = head(b"4WVR").slots(512).0;
    let document = read_exact(&bytes);
    let ground = document.ground();
    assert_eq!((ground.size, ground.step), ([2, 3], [50.0, 50.0]));
    let metres = |x, z| ground.vertex_height(x, z).map(|height| (f64::from(height) * 1000.0).round() / 1000.0);
    assert_eq!([metres(0, 0), metres(1, 0), metres(1, 1)], [Some(-1474.56), Some(-0.045), Some(0.045)]);
    assert_eq!([metres(1, 2), metres(2, 0), metres(0, 3)], [Some(1474.515), None, None]);
    // For other configurations, or the values of old descriptions.
    let options = ReadOptions::default().with_height_unit(0.05).with_cell(12.5);
    let other = Document::from_bytes_with(&bytes, &options).expect("a terrain");
    assert_eq!((other.ground().step, other.ground().vertex_height(0, 0)), ([12.5, 12.5], Some(-1638.4)));
    assert_eq!(other.to_bytes().expect("it was read"), bytes);
}

#[test]
fn each_cell_is_two_triangles_that_meet_from_south_east_to_north_west() {
    let bytes = Sheet::with_magic(b"4WVR").words(&[2, 2]).shorts(&[0, 1000, 2000, 9000]).shorts(&[0; 4]).slots(512).0;
    let document = read_exact(&bytes);
    let at = |x: f64, z: f64| document.ground().height_at(x, z).map(|height| (height * 100.0).round() / 100.0);
    // 45 m in the south-east and 90 m in the north-west. Their midpoint is on the common edge of the triangles.
    assert_eq!([at(0.0, 0.0), at(50.0, 0.0), at(0.0, 50.0), at(50.0, 50.0)], [0.0, 45.0, 90.0, 405.0].map(Some));
    assert_eq!([at(25.0, 25.0), at(12.5, 12.5), at(37.5, 37.5)], [67.5, 33.75, 236.25].map(Some));
    assert_eq!([at(-0.1, 0.0), at(0.0, 50.1), at(f64::NAN, 0.0)], [None; 3]);
}

#[test]
fn a_list_ends_with_the_file_or_at_a_record_without_a_name() {
    let record = |name: &[u8]| Sheet::default().floats(&[0.0; 12]).words(&[3]).field(name, 76).0;
    let file = |records: &[&[u8]]| head(b"4WVR").slots(512).bytes(&records.concat()).0;
    let (named, nameless) = (record(b"a.p3d"), record(b"\0a.p3d"));
    for (records, objects, ended, after) in [
        (&[][..], 0, false, 0),
        (&[&named[..], &named][..], 2, false, 0),
        (&[&named, &named, &named[..127]], 2, false, 127),
        (&[&nameless], 0, true, 0),
        (&[&named, &nameless, &named, &nameless, &named[..5]], 1, true, 256 + 5),
    ] {
        let Document::Wvr(terrain) = read_exact(&file(records)) else { panic!("a 4WVR") };
        let found = (terrain.objects.len(), terrain.terminator.is_some(), terrain.after.len());
        assert_eq!(found, (objects, ended, after));
        assert_eq!(terrain.objects.models.len(), objects.min(1), "each model once");
    }
}

#[test]
fn a_3wvr_has_no_ids() {
    let bytes = head(b"3WVR").slots(512).floats(&EASTWARDS).field(&[b'n'; 80], 80).field(b"", 128).0;
    let Document::Wvr(terrain) = read_exact(&bytes) else { panic!("a 3WVR") };
    assert_eq!((terrain.version, terrain.objects.len(), terrain.objects.ids.len()), (Version::Wvr3, 1, 0));
    assert_eq!(terrain.objects.models[0].bytes, [b'n'; 80]);
    assert_eq!(terrain.objects.placements, Placements::Matrices(vec![Matrix::from_numbers(EASTWARDS)]));
}

#[test]
fn objects_of_a_2wvr_are_upright_on_the_ground() {
    let object = Sheet::default().floats(&[0.5, 2.0, 1.0, 90.0]).field(b"a.p3d", 48).0;
    let bytes = head(b"2WVR").slots(512).bytes(&object).field(b"", 64).0;
    let document = read_exact(&bytes);
    let Document::Wvr(terrain) = &document else { panic!("a 2WVR") };
    let Placements::Headings(headings) = &terrain.objects.placements else { panic!("upright objects") };
    assert_eq!((headings[0].x, headings[0].y, headings[0].z, headings[0].heading), (0.5, 2.0, 1.0, 90.0));
    let matrix = document.matrices()[0];
    assert!((matrix.heading() - 90.0).abs() < 1e-4);
    // Half a cell to the east, one to the north, two metres above the ground, which rises there from 0 to 0.045 m.
    let expected = [25.0, 2.0225, 50.0];
    assert!(matrix.position.iter().zip(expected).all(|(a, b): (&f32, f32)| (a - b).abs() < 1e-4), "{matrix:?}");
}

#[test]
fn a_2wvr_may_have_half_as_many_textures() {
    let object = Sheet::default().floats(&[0.5, 2.0, 1.0, 90.0]).field(b"data3d\\a.P3D", 48).0;
    let few = head(b"2WVR").slots(256).bytes(&object).field(b"", 64).0;
    let many = head(b"2WVR").slots(256).bytes(&object.repeat(1000)).bytes(b"ending").0;
    for (bytes, objects) in [(few, 1), (many, 1000)] {
        let Document::Wvr(terrain) = read_exact(&bytes) else { panic!("a 2WVR") };
        assert_eq!((terrain.names.len(), terrain.objects.len()), (256, objects));
    }
}

#[test]
fn a_1wvr_has_roads() {
    let road = Sheet::default().field(b"LandText\\Silnice.pac", 24).words(&[0x00cd_9100, 0x00bf_d400, 0x47, 0, 0, 2]);
    let road = road.floats(&[0.152, 0.15, 0.1, 3.5]).0;
    let part = Sheet::default().floats(&[12.5, 13.5, 0.0, 1.0, 0.0, 25.0]).words(&[7, 8]).0;
    let end = Sheet::default().field(b"EndOfNets", 63).bytes(&[9]).0;
    let bytes = Sheet::with_magic(b"1WVR")
        .words(&[1, 1])
        .shorts(&[5, 6])
        .slots(256)
        .floats(&[1.0, 2.0, 3.0, 4.0])
        .field(b"data3d\\a.p3d", 48)
        .bytes(&road)
        .bytes(&part)
        .bytes(&part)
        .floats(&[0.0, -0.0])
        .bytes(&end)
        .bytes(b"x")
        .0;
    let Document::Wvr(terrain) = read_exact(&bytes) else { panic!("a 1WVR") };
    assert_eq!((terrain.version, terrain.objects.len(), &terrain.after[..]), (Version::Wvr1, 1, &b"x"[..]));
    let nets = terrain.nets.expect("roads");
    assert_eq!((nets.nets.len(), nets.nets[0].name(), nets.end[63]), (1, &b"LandText\\Silnice.pac"[..], 9));
    assert_eq!(nets.nets[0].parts.iter().map(|part| part.0.to_vec()).collect::<Vec<_>>(), [part.clone(), part]);
    // Roads without an end are preserved as bytes.
    let Document::Wvr(broken) = read_exact(&bytes[..bytes.len() - 2]) else { panic!("a 1WVR") };
    assert!(broken.nets.is_none());
    assert_eq!(broken.after.len(), 64 + 64 + 8 + 63);
}

#[test]
fn an_8wvr_has_the_described_layout() {
    let nan = f32::from_bits(0x7fa0_0001);
    let bytes = Sheet::with_magic(b"8WVR")
        .words(&[2, 1, 4, 2])
        .floats(&[40.0])
        .floats(&[-0.0, 1.0, 2.0, 3.0, nan, 5.0, 6.0, 7.25])
        .shorts(&[1, -1])
        .words(&[3, 0, 3])
        .bytes(b"a\\b")
        .words(&[0, 1])
        .bytes(b"c")
        .words(&[1])
        .bytes(b"d")
        .words(&[0])
        .floats(&EASTWARDS)
        .words(&[u32::MAX, 5])
        .bytes(b"t.p3d")
        .words(&[Sentinel::WORD; 12])
        .words(&[0x0162_ef3c, 0])
        .floats(&EASTWARDS)
        .words(&[0, 0])
        .bytes(b"tail")
        .0;
    let document = read_exact(&bytes);
    assert_eq!(document.extent(), [80.0, 40.0]);
    assert_eq!((document.ground().step, document.ground().vertex_height(3, 1)), ([20.0, 20.0], Some(7.25)));
    let Document::Wvr8(terrain) = &document else { panic!("an 8WVR") };
    assert_eq!((terrain.land, terrain.terrain, terrain.cell), ([2, 1], [4, 2], 40.0));
    assert_eq!((terrain.heights[0].to_bits(), terrain.heights[4].to_bits()), (0x8000_0000, 0x7fa0_0001));
    assert_eq!(terrain.cells, [1, 0xffff]);
    assert_eq!(terrain.materials, [vec![], vec![b"a\\b".to_vec()], vec![b"c".to_vec(), b"d".to_vec()]]);
    assert_eq!([0, 1, 2, 3].map(|index| terrain.material(index)), [None, Some(&b"a\\b"[..]), Some(&b"c"[..]), None]);
    let sentinel = terrain.sentinel.expect("a sentinel");
    assert_eq!(sentinel, Sentinel { followed_by: 1, id: 0x0162_ef3c, ..Sentinel::new() });
    assert_eq!((&terrain.objects.ids[..], terrain.objects.models.len()), (&[-1, 0][..], 2));
    assert_eq!(terrain.objects.get(1).and_then(|object| object.model).map(|name| &name.bytes[..]), Some(&b""[..]));
    assert_eq!(terrain.after, b"tail");
}

#[test]
fn an_oprw_3_has_the_described_layout() {
    let bytes = Sheet::with_magic(b"OPRW")
        .words(&[3, 1, 1, 2, 1])
        .words(&[0x0000_7013])
        .bytes(&[4])
        .words(&[1])
        .floats(&[25.0, 7.5, 30.0])
        .shorts(&[1])
        .words(&[0x1234_5678])
        .floats(&[7.5, -0.0])
        .words(&[2])
        .bytes(b"sea.paa\0\x01pi.paa\0\0")
        .words(&[1])
        .bytes(b"data3d\\a.p3d\0")
        .words(&[9, 0])
        .floats(&EASTWARDS)
        .words(&[u32::MAX])
        .bytes(b"z")
        .0;
    let Document::Oprw(terrain) = read_exact(&bytes) else { panic!("an OPRW") };
    assert_eq!((terrain.version, terrain.land, terrain.terrain), (OprwVersion::RESISTANCE, [1, 1], [2, 1]));
    assert_eq!((&terrain.geography[..], &terrain.sound[..]), (&[0x7013][..], &[4][..]));
    assert_eq!((&terrain.peaks[..], &terrain.random[..]), (&[[25.0, 7.5, 30.0]][..], &[0x1234_5678][..]));
    assert_eq!((&terrain.cells[..], terrain.material(1)), (&[1][..], Some(&b"pi.paa"[..])));
    assert_eq!((terrain.materials[0].flag, terrain.heights[1].to_bits()), (1, 0x8000_0000));
    assert_eq!((&terrain.objects.ids[..], &terrain.objects.model[..]), (&[9][..], &[0][..]));
    assert_eq!((terrain.terminator, &terrain.after[..], terrain.packed.len()), (Some(-1), &b"z"[..], 0));
}

#[test]
fn an_oprw_25_has_the_described_layout() {
    // A tree of one node over 4×4 words, whose leaves count from the south-west.
    let offsets = Sheet::default().bytes(&[1, 0, 0]).words(&(100..116).collect::<Vec<_>>()).0;
    let leaf = |value: u32| Sheet::default().bytes(&[0]).words(&[value]).0;
    let road = Sheet::default().bytes(&[1, 0]).floats(&[1.0, 2.0, 3.0]).bytes(&[4]).words(&[0x8000_0001]);
    let road = road.bytes(b"r.p3d\0").floats(&EASTWARDS).0;
    let road_size = road.len();
    let map = Sheet::default().words(&[34, 5]).floats(&[1.0, 2.0, 3.0, 4.0]).words(&[45, 6]).0;
    let mut sheet = Sheet::with_magic(b"OPRW")
        .words(&[25, 107_410, 4, 4, 4, 4])
        .floats(&[7.5])
        .bytes(&leaf(0x0102_0304))
        .bytes(&leaf(0x0101_0101))
        .words(&[0])
        .bytes(&leaf(0x0001_0001))
        .bytes(&[1; 16])
        .bytes(&[2; 16])
        .floats(&[1.5; 16])
        .words(&[1])
        .bytes(b"\0\x07")
        .words(&[1])
        .bytes(b"m.p3d\0")
        .words(&[1])
        .bytes(b"Land_X\0x.p3d\0")
        .floats(&[1.0, 2.0, 3.0])
        .words(&[77])
        .bytes(&offsets)
        .words(&[60])
        .bytes(&leaf(0))
        .words(&[u32::try_from(map.len()).unwrap()])
        .bytes(&[3; 16])
        .bytes(&[4; 16])
        .words(&[123, u32::try_from(road.len()).unwrap()]);
    for cell in 0..16 {
        // Cells are counted column by column, so the fifth is the second of the southern row.
        sheet = if cell == 4 { sheet.words(&[1]).bytes(&road) } else { sheet.words(&[0]) };
    }
    let bytes = sheet.words(&[55, 0]).floats(&EASTWARDS).words(&[2]).bytes(&map).0;
    let Document::Oprw(terrain) = read_exact(&bytes) else { panic!("an OPRW") };
    assert_eq!((terrain.version, terrain.app_id, terrain.cell), (OprwVersion::ARMA_3, Some(107_410), 7.5));
    assert_eq!(terrain.geography, [0x0304, 0x0102, 0x0304, 0x0102].repeat(4));
    assert_eq!(terrain.object_offsets, (100..116).collect::<Vec<_>>());
    assert_eq!((terrain.grass[0], terrain.primary_texture[0], terrain.heights[15]), (1, 2, 1.5));
    assert_eq!((terrain.persistent[0], terrain.subdivision[0], terrain.max_object_id), (3, 4, Some(123)));
    assert_eq!((&terrain.entities[0].class[..], terrain.entities[0].object_id), (&b"Land_X"[..], 77));
    let [road] = &terrain.roads[..] else { panic!("one road") };
    assert_eq!((road.cell, road.points[0].kind, road.object_id), ([1, 0], 4, 0x8000_0001));
    // The stored size of the roads does not include the number of roads of each cell.
    assert_eq!(terrain.stated_road_size, Some(u32::try_from(road_size).unwrap()));
    assert_eq!(road.piece.as_ref().map(|piece| &piece.model[..]), Some(&b"r.p3d"[..]));
    assert_eq!((&terrain.objects.ids[..], &terrain.shapes[..]), (&[55][..], &[2][..]));
    let [thing] = &terrain.map_info[..] else { panic!("one thing on the map") };
    let shape = MapShape::Line { id: 5, numbers: [1.0, 2.0, 3.0, 4.0] };
    assert_eq!(*thing, MapInfo { kind: 34, shape });
    assert_eq!(terrain.map_rest.len(), 8);
}

#[test]
fn related_formats_are_named() {
    for (bytes, known) in [(b"9VBW\0\0\0\0", "Virtual Battlespace"), (b"0WZD\0\0\0\0", "DayZ")] {
        assert_eq!(sniff(bytes), Confidence::Certain);
        let error = Document::from_bytes(bytes).expect_err("nobody reads it");
        assert!(matches!(error.kind(), ReadErrorKind::Undocumented(_)) && error.to_string().contains(known), "{error}");
    }
    assert_eq!([sniff(b"5WVR"), sniff(b"4WV"), sniff(b"")], [Confidence::No; 3]);
    let pointer = Document::from_bytes(b"version https://git-lfs.github.com/spec/v1\noid").expect_err("no terrain");
    assert!(matches!(pointer.kind(), ReadErrorKind::LfsPointer) && pointer.help().is_some());
}

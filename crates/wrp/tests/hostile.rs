//! Hostile files give an error or a terrain, in bounded memory. There is only one test because it measures the heap. OPRW has its
//! own tests.

#[path = "all/support.rs"]
mod support;

use mapwright_testkit::{PeakAlloc, allowed_memory, mutate};
use mapwright_wrp::convert::ConvertOptions;
use mapwright_wrp::diff::Diff;
use mapwright_wrp::io::{Category, Limits};
use mapwright_wrp::{
    Builder, Document, Matrix, Name, Net, Nets, Objects, Placements, ReadError, ReadErrorKind, ReadOptions, SubNet,
    Version, Wvr, Wvr8,
};

#[global_allocator]
static HEAP: PeakAlloc = PeakAlloc;

/// The files unpack to less than their size.
fn survives(what: &str, bytes: &[u8]) -> Result<Document, ReadError> {
    let input = (bytes, allowed_memory(bytes.len()));
    let validate = |document: &Document| document.validate().len();
    let offset = |error: &ReadError| error.position().map(|at| at.offset);
    let result =
        mapwright_testkit::survives(&HEAP, what, input, Document::from_bytes, Document::to_bytes, validate, offset);
    // Unusual sizes must not take long.
    if let Ok(document) = &result
        && bytes.len() < 20_000
    {
        let (four, eight) = (document.to_wvr4(&ConvertOptions::default()), document.to_wvr8());
        // Sides without cells may be longer than 4WVR can store.
        let is_long = four.document.size.iter().any(|cells| i32::try_from(*cells).is_err());
        assert!(is_long || Document::Wvr(four.document).to_bytes().is_ok(), "{what}: no 4WVR");
        assert!(Document::Wvr8(eight.document).to_bytes().is_ok(), "{what}: no 8WVR");
        assert!(Diff::between(document, document).is_empty(), "{what}: differs from itself");
    }
    result
}

fn island(version: Version) -> Wvr {
    let mut objects = Builder::default();
    let model = objects.add_model(&Name::new(*b"a.p3d"));
    objects.push(model, Matrix::from_position([1.0, 2.0, 3.0]), Some(0));
    objects.push(model, Matrix::from_position([4.0, Matrix::FIT_TO_GROUND, 6.0]), Some(1));
    let mut terrain = Wvr { objects: objects.finish(), heights: vec![1, 2, 3, 4], ..Wvr::new([2, 2]) };
    if version == Version::Wvr1 {
        terrain.version = version;
        terrain.names.truncate(256);
        let placements = Placements::Headings(Vec::new());
        (terrain.objects, terrain.terminator) = (Objects { placements, ..Objects::default() }, None);
        let mut net = Net { header: [1; 64], parts: vec![SubNet([1; 32])], end: [0; 8] };
        net.header[..3].copy_from_slice(b"a\0\0");
        let mut end = [0; 64];
        end[..9].copy_from_slice(b"EndOfNets");
        terrain.nets = Some(Nets { nets: vec![net], end });
    }
    terrain
}

fn land() -> Wvr8 {
    let materials = vec![Vec::new(), vec![b"a.rvmat".to_vec()]];
    Wvr8 { objects: island(Version::Wvr4).objects, materials, ..Wvr8::new([1, 2], 40.0, 2) }
}

fn bytes(document: &Document) -> Vec<u8> {
    document.to_bytes().expect("a document")
}

fn words(magic: &[u8; 4], words: &[u32], more: usize) -> Vec<u8> {
    let mut bytes = magic.to_vec();
    bytes.extend(words.iter().flat_map(|word| word.to_le_bytes()));
    bytes.resize(bytes.len() + more, 0);
    bytes
}

#[test]
fn hostile_files() {
    damaged();
    sizes();
    names();
    dense();
    limited();
}

/// Flips every byte, replaces every number by unusual ones, and tries every prefix.
fn damaged() {
    let eight = bytes(&Document::Wvr8(land()));
    for mutant in mutate::byte_flips(&eight).chain(mutate::numbers(&eight)) {
        let _ = survives("a damaged 8WVR", &mutant);
    }
    for version in [Version::Wvr1, Version::Wvr4] {
        let file = bytes(&Document::Wvr(island(version)));
        // One slot represents all texture names.
        let names_end = 28 + 32 * version.slot_count();
        for at in (0..60).chain(names_end - 32..file.len()) {
            let mut flipped = file.clone();
            flipped[at] = !flipped[at];
            let numbers = [2, 4].into_iter().flat_map(|width| mutate::number_at(&file, at, width, false));
            for mutant in numbers.chain([flipped]) {
                let _ = survives("a damaged terrain", &mutant);
            }
        }
        for prefix in mutate::prefixes(&file).step_by(7) {
            let _ = survives("a beginning", prefix);
        }
    }
}

/// Grids whose number of cells is larger than the file, than 32 bits, and than 64.
fn sizes() {
    let unusual = [0, 1, 2, 0xffff, 0x1_0000, 0x1_0001, 0x5555_5556, 0x7fff_ffff, 0x8000_0000, 0xffff_fffe, u32::MAX];
    for x in unusual {
        for z in unusual {
            for magic in [b"1WVR", b"2WVR", b"3WVR", b"4WVR"] {
                let file = words(magic, &[x, z], 16_400);
                let negative = x > 0x7fff_ffff || z > 0x7fff_ffff;
                match survives("unusual sizes", &file) {
                    Ok(_) => assert!(!negative && u64::from(x) * u64::from(z) <= 4100, "{x} by {z}"),
                    Err(error) => {
                        let is_grid = matches!(error.kind(), ReadErrorKind::Grid { .. });
                        assert_eq!(is_grid, negative, "{x} by {z}: {error}");
                    }
                }
            }
            for sizes in [[x, z, 1, 1], [1, 1, x, z], [x, z, x, z]] {
                let is_read = survives("unusual sizes", &words(b"8WVR", &sizes, 5000)).is_ok();
                assert!(!is_read || u64::from(x) * u64::from(z) < 5000, "{sizes:?}");
                let [a, b, c, d] = sizes;
                let elder = words(b"OPRW", &[3, a, b, c, d], 5000);
                let modern = words(b"OPRW", &[25, 0, a, b, c, d], 5000);
                for file in [elder, modern] {
                    let result = survives("unusual sizes", &file);
                    assert!(result.is_err() || u64::from(x) * u64::from(z) < 5000, "{sizes:?}");
                }
            }
        }
    }
}

/// Names with a declared length beyond the file, and lists with impossible counts.
fn names() {
    let whole = bytes(&Document::Wvr8(land()));
    let sentinel = whole.len() - 56;
    for length in [1, 5, 0x7fff_ffff_u32, 0x8000_0000, u32::MAX] {
        let mut file = whole.clone();
        file[sentinel + 52..].copy_from_slice(&length.to_le_bytes());
        let document = survives("a long name", &file).expect("a terrain");
        let Document::Wvr8(terrain) = document else { panic!("an 8WVR") };
        assert!(terrain.sentinel.is_none() && terrain.after.len() == 56 && terrain.objects.len() == 2);
    }
    // The number of materials, and the length of the first name.
    for (place, at) in [24 + 8 * 4 + 2 * 2, 24 + 8 * 4 + 2 * 2 + 8].into_iter().enumerate() {
        for count in [0x7fff_ffff_u32, 0x8000_0000, u32::MAX] {
            let mut file = whole.clone();
            file[at..at + 4].copy_from_slice(&count.to_le_bytes());
            let error = survives("many materials", &file).expect_err("more than there are");
            assert_eq!(error.category(), Category::Truncated, "{error}");
            let path = error.path().to_string();
            assert!(path.starts_with(["materials", "materials[1]"][place]), "{path}: {error}");
        }
    }
}

/// The most items per byte of file: short strings, objects with distinct names, empty roads.
fn dense() {
    let strings = |list: &[&[u8]], count: usize, bytes: usize| {
        let mut file = words(b"8WVR", &[0; 5], 0);
        file.extend(u32::try_from(count).expect("few").to_le_bytes());
        file.extend(list.concat().repeat(bytes));
        file
    };
    let (string, end) = (&b"\x01\0\0\0x"[..], &[0; 4][..]);
    let many = 4_300_000;
    survives("empty materials", &strings(&[end], many, many)).expect("a terrain");
    survives("short materials", &strings(&[string, end], many / 2, many / 2)).expect("a terrain");
    survives("pairs of names", &strings(&[string, string, end], many / 2, many / 2)).expect("a terrain");
    let mut long = strings(&[string], 1, many);
    long.extend(end);
    survives("a material of many names", &long).expect("a terrain");

    let mut objects = Builder::default();
    for number in 0..150_000_i32 {
        let model = objects.add_model(&Name::new(format!("{number}.p3d")));
        objects.push(model, Matrix::from_position([f32::NAN; 3]), Some(-number));
    }
    let objects = objects.finish();
    let eight = Wvr8 { objects: objects.clone(), ..Wvr8::new([1, 1], 1.0, 1) };
    survives("objects of other models", &bytes(&Document::Wvr8(eight))).expect("a terrain");
    let mut four = Wvr { objects, ..Wvr::new([1, 1]) };
    for name in &mut four.objects.models {
        name.rest = [vec![0; 50], vec![1]].concat();
    }
    survives("objects of other models", &bytes(&Document::Wvr(four))).expect("a terrain");

    let mut one = island(Version::Wvr1);
    if let Some(nets) = &mut one.nets {
        let bare = Net { parts: Vec::new(), ..nets.nets[0].clone() };
        let long = Net { parts: vec![SubNet([1; 32]); 300_000], ..bare.clone() };
        nets.nets = vec![bare; 300_000];
        nets.nets.push(long);
    }
    survives("roads", &bytes(&Document::Wvr(one))).expect("a terrain");

    // A finding for every cell: their number is limited.
    let size = [1024, 1000];
    let unusual = Wvr { textures: vec![-1; 1_024_000], heights: vec![i16::MIN; 1_024_000], ..Wvr::new(size) };
    survives("unusual cells", &bytes(&Document::Wvr(unusual))).expect("a terrain");
    let unusual =
        Wvr8 { cells: vec![9; 10_000], heights: vec![f32::NAN; 40_000], ..Wvr8::new([100, 100], f32::NAN, 2) };
    survives("unusual cells", &bytes(&Document::Wvr8(unusual))).expect("a terrain");
}

fn limited() {
    for file in [bytes(&Document::Wvr(island(Version::Wvr4))), bytes(&Document::Wvr8(land()))] {
        let few = Limits::default().with_max_items(1);
        for limits in [few, Limits::default().with_max_input(100)] {
            let options = ReadOptions::default().with_limits(limits);
            let error = Document::from_reader_with(&file[..], &options).expect_err("a limit");
            assert_eq!(error.category(), Category::Limit, "{error}");
        }
    }
}

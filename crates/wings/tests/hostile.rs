//! Files that are built to break a reader. They must give an error or a value, in bounded memory and on a small stack.

use std::io::Write;

use mapwright_testkit::{PeakAlloc, allowed_memory, mutate, peak_of};
use mapwright_wings::io::{Limits, Space};
use mapwright_wings::{Document, ReadError, Shape};

#[global_allocator]
static HEAP: PeakAlloc = PeakAlloc;

const MAGIC: &[u8; 15] = b"#!WINGS-1.0\r\n\x1a\x04";

fn file(payload: &[u8]) -> Vec<u8> {
    let length = u32::try_from(payload.len()).expect("small").to_be_bytes();
    [&MAGIC[..], &length, payload].concat()
}

fn zipped(term: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::new(6));
    encoder.write_all(term).expect("deflates");
    let size = u32::try_from(term.len()).expect("small").to_be_bytes();
    file(&[&[131, 80], &size[..], &encoder.finish().expect("deflates")].concat())
}

fn list(elements: &[Vec<u8>]) -> Vec<u8> {
    if elements.is_empty() {
        return vec![106];
    }
    let count = u32::try_from(elements.len()).expect("small").to_be_bytes();
    [&[108], &count[..], &elements.concat(), &[106]].concat()
}

fn repeated(element: &[u8], count: u32) -> Vec<u8> {
    [&[108], &count.to_be_bytes()[..], &element.repeat(count as usize), &[106]].concat()
}

fn tuple(elements: &[Vec<u8>]) -> Vec<u8> {
    [&[104, u8::try_from(elements.len()).expect("small")], &elements.concat()[..]].concat()
}

fn atom(name: &str) -> Vec<u8> {
    [&[100, 0, u8::try_from(name.len()).expect("short")], name.as_bytes()].concat()
}

fn scene(shapes: Vec<u8>, materials: Vec<u8>, props: Vec<u8>) -> Vec<u8> {
    tuple(&[atom("wings"), vec![97, 2], tuple(&[shapes, materials, props])])
}

fn object(edges: Vec<u8>, faces: Vec<u8>, vertices: Vec<u8>, hard: Vec<u8>) -> Vec<u8> {
    tuple(&[atom("object"), vec![106], tuple(&[atom("winged"), edges, faces, vertices, hard]), vec![106]])
}

fn edge(numbers: [&[u8]; 8]) -> Vec<u8> {
    let mut elements = vec![atom("edge")];
    elements.extend(numbers.map(<[u8]>::to_vec));
    list(&[tuple(&elements)])
}

/// Reads a file and its complete model. The memory limit counts the inflated data, for the document and for the model each.
fn survives(what: &str, bytes: &[u8], inflated: usize) -> Result<(), ReadError> {
    let allowed = 2 * allowed_memory(bytes.len() + inflated);
    let validate = |document: &Document| document.validate().len();
    // A valid offset in the inflated data counts as the start of the file.
    let offset = |error: &ReadError| {
        error.position().map(|at| match at.space {
            Space::Inflated if at.offset <= inflated as u64 => 0,
            _ => at.offset,
        })
    };
    let read = Document::from_bytes;
    let document =
        mapwright_testkit::survives(&HEAP, what, (bytes, allowed), read, Document::to_bytes, validate, offset)?;
    let (model, peak) = peak_of(&HEAP, || {
        let model = document.model()?;
        for shape in &model.shapes {
            if let Shape::Object(object) = shape {
                let _ = object.mesh.rings();
                let _ = (object.holes(), object.mirror_face(), object.state(), object.folder());
            }
        }
        let _ = (model.images(), model.lights(), model.views(), model.selections());
        Ok(())
    });
    assert!(peak <= allowed, "{what}: {peak} bytes at the peak of the model, {allowed} allowed");
    #[cfg(feature = "scene")]
    check_conversions(what, document, allowed);
    model
}

/// Converts a document to a scene and back, and merges a changed scene. Nodes and losses are larger than their sources, hence
/// the factor.
#[cfg(feature = "scene")]
fn check_conversions(what: &str, mut document: Document, allowed: usize) {
    use mapwright_wings::scene::{ExportOptions, ImportOptions, from_scene, merge_scene, to_scene};
    let allowed = 4 * allowed;
    let (read, peak) = peak_of(&HEAP, || to_scene(&document, &ImportOptions::default()));
    assert!(peak <= allowed, "{what}: {peak} bytes at the peak of the import, {allowed} allowed");
    let Ok(read) = read else { return };
    let longest = read.losses.iter().map(|loss| loss.text.len()).max().unwrap_or(0);
    assert!(longest < 4000, "{what}: a loss of {longest} bytes");
    let (export, peak) = peak_of(&HEAP, || from_scene(&read.scene, &ExportOptions::default()));
    assert!(peak <= allowed, "{what}: {peak} bytes at the peak of the export, {allowed} allowed");
    let mut findings = export.expect("a document").document.validate();
    findings.retain(|finding| finding.severity == mapwright_io::Severity::Error);
    assert!(findings.is_empty(), "{what}: {findings:?}");
    let mut scene = read.scene;
    scene.sets.clear();
    scene.nodes.iter_mut().for_each(|(_, node)| node.name.push('x'));
    let (_, peak) = peak_of(&HEAP, || merge_scene(&mut document, &scene, &ExportOptions::default()));
    assert!(peak <= allowed, "{what}: {peak} bytes at the peak of the merge, {allowed} allowed");
}

/// Writes a scene with a large mesh as a document and as a file, which takes less memory.
#[cfg(feature = "scene")]
fn large_meshes() {
    use mapwright_scene::{Content, CornerColumn, Mesh, Node, Scene, UvSet};
    use mapwright_wings::scene::{ExportOptions, from_scene, scene_to_bytes};
    const SIDE: u32 = 600;
    let points = (0..=SIDE).flat_map(|y| (0..=SIDE).map(move |x| [f64::from(x), f64::from(y), f64::from(x * y % 7)]));
    let first = (0..SIDE).flat_map(|y| (0..SIDE).map(move |x| y * (SIDE + 1) + x));
    let mut mesh = Mesh { positions: points.collect(), ..Mesh::default() };
    first.for_each(|a| mesh.faces.push(&[a, a + 1, a + SIDE + 2, a + SIDE + 1]));
    let rows = mesh.positions.iter().map(|&[x, y, _]| [x, y]).collect();
    let corners = CornerColumn::from_rows(rows, mesh.faces.corners().to_vec()).expect("rows for all corners");
    mesh.uv_sets = vec![UvSet { corners, ..UvSet::default() }];
    let mut scene = Scene::default();
    let mesh = scene.meshes.push(mesh);
    scene.add_node(None, Node::new("grid", Content::Mesh(mesh)));
    let options = ExportOptions::default();
    let (document, document_peak) =
        peak_of(&HEAP, || from_scene(&scene, &options).unwrap().document.to_bytes().unwrap());
    let (file, peak) = peak_of(&HEAP, || scene_to_bytes(&scene, &options).unwrap().document);
    assert!(file == document);
    // Threads build and compress parts of the term at the same time. Even those for 16 threads are smaller than the mesh.
    assert!(peak < document_peak / 3 * 2, "{peak} bytes, {document_peak} for a document");
}

/// One test, because the allocator counts for the whole process.
#[test]
fn hostile_files_take_bounded_time_and_memory() {
    let on_a_small_stack = || {
        lengths();
        bombs();
        lists();
        numbers();
        mutants();
        #[cfg(feature = "scene")]
        large_meshes();
    };
    let thread = std::thread::Builder::new().stack_size(512 << 10).spawn(on_a_small_stack).expect("a thread");
    thread.join().expect("no panic");
}

#[test]
fn readers_are_limited() {
    let options = mapwright_wings::ReadOptions::default().with_limits(Limits::default().with_max_input(100));
    let endless = std::io::Read::chain(&MAGIC[..], std::io::repeat(0));
    let error = Document::from_reader_with(endless, &options).expect_err("no end");
    assert_eq!(error.to_string(), "the input has more than 100 bytes at offset 100 (0x64)");
    let file = Document::from_model(&mapwright_wings::Model::default()).expect("a scene").to_bytes().expect("writes");
    assert!(file.len() <= 100 && Document::from_reader_with(&file[..], &options).is_ok());
}

fn lengths() {
    let claims = |length: u32| [&MAGIC[..], &length.to_be_bytes(), &[131, 106]].concat();
    for length in [0, 1, 3, u32::MAX] {
        assert!(survives("a length", &claims(length), 0).is_err());
    }
    assert!(survives("no payload", &[&MAGIC[..], &[0; 4]].concat(), 0).is_err());
}

fn bombs() {
    let zeros = zipped(&vec![0; 100 << 20]);
    let error = survives("zeros", &zeros, 100 << 20).expect_err("no term");
    assert_eq!(error.position().expect("a place").to_string(), "offset 0 (0x0) of the inflated data");
    let mut small_claim = zeros.clone();
    small_claim[21..25].copy_from_slice(&30_u32.to_be_bytes());
    survives("zeros that claim 30 bytes", &small_claim, 31).expect_err("another size");
    let mut large_claim = zipped(&scene(vec![106], vec![106], vec![106]));
    large_claim[21..25].copy_from_slice(&u32::MAX.to_be_bytes());
    survives("a claim of 4 GiB", &large_claim, 0).expect_err("another size");
    for (what, head) in [("tuples", &[104, 1][..]), ("lists", &[108, 0, 0, 0, 1]), ("maps", &[116, 0, 0, 0, 1, 97, 1])]
    {
        let mut deep = head.repeat(100_000);
        deep.push(106);
        deep.extend(vec![106; if what == "lists" { 100_000 } else { 0 }]);
        let error = survives(what, &zipped(&deep), deep.len()).expect_err("too deep");
        assert_eq!(error.category().name(), "limit", "{error}");
    }
}

fn lists() {
    // One more than a list has room for after doubling: the worst case.
    const MANY: u32 = (1 << 20) + 1;
    let nil = || vec![106];
    let nils = || repeated(&[106], MANY);
    let atoms = || repeated(&atom("a"), (1 << 18) + 1);
    let cases = [
        ("shapes", scene(nils(), nil(), nil())),
        ("materials", scene(nil(), nils(), nil())),
        ("props", scene(nil(), nil(), nils())),
        ("images", scene(nil(), nil(), list(&[tuple(&[atom("images"), nils()])]))),
        ("lights", scene(nil(), nil(), list(&[tuple(&[atom("lights"), nils()])]))),
        ("atoms as props", scene(nil(), nil(), atoms())),
        ("large props", scene(nil(), nil(), list(&[tuple(&[nils(), nil(), nil()]), tuple(&[nils(), nil()])]))),
        ("edges", scene(list(&[object(nils(), nil(), nil(), nil())]), nil(), nil())),
        ("faces", scene(list(&[object(nil(), nils(), nil(), nil())]), nil(), nil())),
        ("vertices", scene(list(&[object(nil(), nil(), nils(), nil())]), nil(), nil())),
        ("hard edges", scene(list(&[object(nil(), nil(), nil(), nils())]), nil(), nil())),
        ("extras of a face", scene(list(&[object(nil(), list(&[nils()]), nil(), nil())]), nil(), nil())),
        ("extras of a vertex", scene(list(&[object(nil(), nil(), list(&[nils()]), nil())]), nil(), nil())),
        ("a face of version 0", old_scene(&tuple(&[nil(), string(60_000)]))),
        (
            "faces of version 0",
            tuple(&[
                atom("wings"),
                vec![97, 0],
                list(&[old_object(repeated(&tuple(&[nil(), vec![107, 0, 3, 0, 1, 2]]), 300_000))]),
            ]),
        ),
        ("empty faces of version 0", tuple(&[atom("wings"), vec![97, 0], list(&[old_object(nils())])])),
        ("empty objects", scene(repeated(&object(nil(), nil(), nil(), nil()), 100_000), nil(), nil())),
    ];
    for (what, term) in cases {
        // A value or a limit: real lists have fewer empty entries.
        let _ = survives(what, &zipped(&term), term.len());
    }
}

/// A string of zeros.
fn string(length: u16) -> Vec<u8> {
    [&[107], &length.to_be_bytes()[..], &vec![0; length.into()]].concat()
}

/// A scene of version 0 with one object that has a face a hundred times.
fn old_scene(face: &[u8]) -> Vec<u8> {
    tuple(&[atom("wings"), vec![97, 0], list(&[old_object(repeated(face, 100))])])
}

/// An object of version 0 with three vertices.
fn old_object(faces: Vec<u8>) -> Vec<u8> {
    let float = |value: f64| [&[70], &value.to_be_bytes()[..]].concat();
    let matrix = tuple(&[0.0; 16].map(float));
    let vertices = list(&[0.0, 1.0, 2.0].map(|x| tuple(&[float(x), float(x * x), float(0.0)])));
    tuple(&[atom("object"), vec![106], matrix, tuple(&[atom("winged"), faces, vertices]), vec![106]])
}

fn numbers() {
    let byte = [97, 0];
    let huge = [98, 127, 255, 255, 255];
    let negative = [98, 128, 0, 0, 0];
    let big = [110, 11, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1];
    let float = [70, 64, 8, 0, 0, 0, 0, 0, 0];
    for number in [&huge[..], &negative, &big, &float] {
        for place in 0..8 {
            let mut numbers = [&byte[..]; 8];
            numbers[place] = number;
            let term =
                scene(list(&[object(list(&[edge(numbers)]), vec![106], vec![106], vec![106])]), vec![106], vec![106]);
            survives("a number", &zipped(&term), term.len()).expect("a scene");
        }
    }
    // One face with 100,000 corners on each side: walking must not be quadratic.
    let number = |value: u32| [&[98], &value.to_be_bytes()[..]].concat();
    let count = 100_000;
    let around = (0..count).map(|index| {
        let (next, last) = (number((index + 1) % count), number((index + count - 1) % count));
        let (here, other) = (number(index), number((index + 1) % count));
        edge([&here, &other, &[97, 0], &[97, 1], &next, &last, &last, &next])
    });
    let edges = list(&around.collect::<Vec<_>>());
    let term = scene(list(&[object(edges, vec![106], vec![106], vec![106])]), vec![106], vec![106]);
    survives("a large face", &zipped(&term), term.len()).expect("a scene");
}

fn mutants() {
    let tetra = edge([&[97, 0], &[97, 1], &[97, 0], &[97, 1], &[97, 0], &[97, 0], &[97, 0], &[97, 0]]);
    let vertex = list(&[[&[109, 0, 0, 0, 24][..], &[0; 24]].concat()]);
    let shape = object(list(&[tetra]), vec![106], list(&[vertex]), vec![107, 0, 1, 0]);
    let plain = file(&[&[131], &scene(list(&[shape]), vec![106], vec![106])[..]].concat());
    survives("the original", &plain, 0).expect("a scene");
    for mutant in
        mutate::byte_flips(&plain).chain(mutate::numbers(&plain)).chain(mutate::random(&plain, &[], 7).take(2000))
    {
        let _ = survives("a mutant", &mutant, 0);
    }
}

//! WMPB: bytes put together by hand from the table of the format, what is kept that is not known, and hostile bytes.

use mapwright_testkit::{Refusal, corpus, files_below, hexdiff, laws, mutate};
use mapwright_wmp::{
    BlockFlags, Chunk, Dialect, Document, EntityKind, Face, FaceFlags, LineEnd, Member, MemberKind, Mesh, Name, Object,
    Part, ReadError, ReadErrorKind, ReadOptions, Shape, TextureSource, Wed, WriteErrorKind, io,
};

/// A chunk: field and class, and what is in it.
fn chunk(id: u16, parts: &[&[u8]]) -> Vec<u8> {
    let body = parts.concat();
    let [field, class] = id.to_be_bytes();
    let size = u32::try_from(body.len() + 8).unwrap();
    [&[field, class][..], &(u16::from(class) + 1).to_le_bytes(), &size.to_le_bytes(), &body].concat()
}

fn words(values: &[u32]) -> Vec<u8> {
    values.iter().flat_map(|value| value.to_le_bytes()).collect()
}

fn shorts(values: &[u16]) -> Vec<u8> {
    values.iter().flat_map(|value| value.to_le_bytes()).collect()
}

fn doubles(values: &[f64]) -> Vec<u8> {
    values.iter().flat_map(|value| value.to_le_bytes()).collect()
}

fn single(value: f32) -> Vec<u8> {
    value.to_le_bytes().to_vec()
}

fn place(position: [f64; 3]) -> Vec<u8> {
    let [angles, scale] = [[0.0; 3], [1.0; 3]];
    [chunk(0x0100, &[&doubles(&position)]), chunk(0x0300, &[&doubles(&angles)]), chunk(0x0500, &[&doubles(&scale)])]
        .concat()
}

fn node(kind: u16, nodes: u16, word: &str, name: Option<&str>, parts: &[&[u8]]) -> Vec<u8> {
    let text = |id, text: &str| chunk(id, &[text.as_bytes(), b"\0"]);
    let name = name.map(|name| text(0x0301, name)).unwrap_or_default();
    chunk(
        0x0105,
        &[&shorts(&[kind, nodes]), &words(&[0]), &text(0x0201, word), &name, &place([1.0, -2.0, 0.5]), &parts.concat()],
    )
}

fn file(root: &[u8]) -> Vec<u8> {
    let info = chunk(
        0x0104,
        &[&words(&[710, 2, 3, 1, 2, 0]), &chunk(0x0101, &[b"file created: 31.07.2014, wmpio (1.30)\n\0"])],
    );
    let palette: Vec<u8> = (0..=255).flat_map(|value: u8| [value, value / 2, 255 - value]).collect();
    let wed = chunk(
        0x0204,
        &[&chunk(0x0A01, &[&palette]), &chunk(0x0401, &[b"C:\\a.wad\0"]), &chunk(0x0701, &[b"textures\0"])],
    );
    [b"WMPB".as_slice(), &info, &wed, root].concat()
}

fn level() -> Vec<u8> {
    let colour = |id, index, rgb: [u8; 3]| chunk(id, &[&[index], &rgb]);
    chunk(
        0x0405,
        &[
            &words(&[0, 0, 30]),
            &single(45.5),
            &single(-35.0),
            &colour(0x0403, 0, [0; 3]),
            &chunk(0x0501, &[b"office.c\0"]),
            &chunk(0x0601, &[b"palette.pcx\0"]),
            &colour(0x0103, 0, [1, 2, 3]),
            &colour(0x0103, 1, [4, 5, 6]),
            &colour(0x0103, 2, [7, 8, 9]),
            &colour(0x0103, 3, [10, 11, 12]),
            &colour(0x0203, 0, [201, 200, 199]),
            &colour(0x0303, 0, [9, 0, 255]),
        ],
    )
}

fn entry(face: u32, more: &[u8]) -> Vec<u8> {
    chunk(
        0x1202,
        &[
            &words(&[face, 0x1000_2000]),
            &single(-20.0),
            &single(50.0),
            &chunk(0x0301, &[b"brick wall\0"]),
            &chunk(0x0702, &[&words(&[3]), &doubles(&[0.0, 0.5, 1.0, 1.5, 2.0, 2.5])]),
            &chunk(0x0502, &[&doubles(&[1.0, 0.0, 0.0, 3.5, 0.0, -1.0, 0.0, -0.0])]),
            &chunk(0x0902, &[&doubles(&[8.0, 16.0, 90.0, 0.5, -0.25])]),
            more,
        ],
    )
}

fn block(entries: &[u8]) -> Vec<u8> {
    chunk(
        0x0205,
        &[
            &words(&[0, 0x0001_0000]),
            &chunk(0x0801, &[b"mat_wall\0"]),
            &chunk(0x0102, &[&words(&[3]), &doubles(&[0.0, 0.0, 0.0, 0.0, 64.0, 0.0, 32.0, 0.0, -0.0])]),
            &chunk(0x1102, &[&words(&[2]), &shorts(&[3, 0, 1, 2, 3, 2, 1, 0])]),
            entries,
        ],
    )
}

fn model() -> Vec<u8> {
    chunk(
        0x0905,
        &[
            &words(&[3, 0x100, 0x200]),
            &single(25.0),
            &single(50.0),
            &chunk(0x0301, &[b"guard_001\0"]),
            &chunk(0x0B01, &[b"my guard.mdl\0"]),
            &chunk(0x0C01, &[b"patrol\0"]),
            &chunk(0x0B02, &[&words(&[8]), &doubles(&[1.0, 2.5, 0.0, 0.0, 0.0, 0.0, 0.0, -0.0])]),
            &chunk(0x0D01, &[b"path_000\0"]),
            &chunk(0x0E01, &[b"guard_002\0"]),
            &chunk(0x0801, &[b"mtl\0"]),
            &chunk(0x0F01, &[&shorts(&[1]), b"second\0"]),
        ],
    )
}

/// A level with a block and a model; `more` goes to the entries of the block's faces.
fn sample(more: &[u8]) -> Vec<u8> {
    let wall = node(0x0104, 0, "block", Some("wall"), &[&block(&[&entry(1, b""), more].concat())]);
    let guard = node(0x0235, 0, "model", None, &[&model()]);
    file(&node(0x0001, 2, "level", Some("Root"), &[&level(), &wall, &guard]))
}

fn read(bytes: &[u8]) -> Document {
    Document::from_bytes(bytes).unwrap_or_else(|error| panic!("{error}"))
}

fn refusal(error: &ReadError) -> Refusal {
    Refusal::new(error.category().name(), error.position().map(|at| at.offset), error)
}

/// Writes the file from scratch.
fn reprint(bytes: &[u8]) -> Vec<u8> {
    let mut document = read(bytes);
    document.forget_source();
    document.to_bytes().unwrap_or_else(|error| panic!("{error}"))
}

fn same(found: &[u8], expected: &[u8]) {
    if let Some(diff) = hexdiff(expected, found) {
        panic!("{diff}");
    }
}

#[test]
fn fields_have_the_published_layout() {
    let bytes = sample(b"");
    let map = read(&bytes);
    assert_eq!((map.dialect, map.line_end), (Dialect::Binary, LineEnd::Crlf));
    assert_eq!(
        (map.header.generator.as_bytes(), map.header.created.as_bytes()),
        (&b"wmpio (1.30)"[..], &b"31.07.2014"[..])
    );
    let counts = map.header.counts.unwrap();
    assert_eq!((counts.objects, counts.blocks, counts.entities, map.header.words), (3, 1, 2, [710, 2, 0]));
    let wed = map.wed.as_ref().unwrap();
    assert_eq!(wed.palette.as_ref().unwrap()[3..6], [1, 0, 254]);
    assert_eq!((wed.wads[0].path.as_bytes(), wed.folders[0].path.as_bytes()), (&b"C:\\a.wad"[..], &b"textures"[..]));

    let [root, wall, guard] = map.objects.as_slice() else { panic!() };
    let member = |kind, number| Member { kind, number };
    let expected = [member(MemberKind::Object, 1), member(MemberKind::Object, 2), member(MemberKind::Level, 0)];
    assert_eq!((root.name.as_bytes(), root.members.as_slice()), (&b"Root"[..], &expected[..]));
    assert_eq!((wall.name.as_bytes(), wall.members.as_slice()), (&b"wall"[..], &[member(MemberKind::Block, 0)][..]));
    assert_eq!((guard.number, guard.name.is_empty()), (2, true));
    assert_eq!(guard.members.as_slice(), [member(MemberKind::Model, 1)]);
    assert_eq!((guard.position, guard.scale, guard.kind), ([1.0, -2.0, 0.5], [1.0; 3], None));

    let level = map.level().unwrap();
    assert_eq!((level.nexus, level.azimuth, level.elevation), (30, 45.5, -35.0));
    assert_eq!((level.script.as_bytes(), level.palette.as_bytes()), (&b"office.c"[..], &b"palette.pcx"[..]));
    assert_eq!(level.colours[..3], [[201.0, 200.0, 199.0], [9.0, 0.0, 255.0], [1.0, 2.0, 3.0]]);
    assert_eq!((level.colours.len(), level.colours[5]), (6, [10.0, 11.0, 12.0]));

    let block = &map.blocks[0];
    assert_eq!((block.flags, block.index), (BlockFlags::TEXTURE_LOCK, Some(0)));
    assert_eq!(block.material, *"mat_wall");
    let Shape::Mesh(mesh) = &block.shape else { panic!() };
    assert_eq!(mesh.vertices[1], [0.0, 64.0, 0.0]);
    assert!(mesh.vertices[2][2].is_sign_negative());
    assert_eq!(mesh.faces[0], Face { corners: vec![0, 1, 2].into(), bare: true, ..Face::default() });
    let face = &mesh.faces[1];
    assert_eq!((face.corners.as_slice(), face.texture.as_bytes()), (&[2, 1, 0][..], &b"brick wall"[..]));
    assert_eq!((face.flags.0, face.ambient, face.albedo, face.bare), (0x1000_2000, -20.0, 50.0, false));
    assert_eq!(face.uvs.as_deref(), Some(&[0.0, 0.5, 1.0, 1.5, 2.0, 2.5][..]));
    assert_eq!(face.vectors.as_deref(), Some(&[[1.0, 0.0, 0.0, 3.5], [0.0, -1.0, 0.0, -0.0]]));
    assert_eq!(face.mapping.as_deref(), Some(&[8.0, 16.0, 90.0, 0.5, -0.25]));

    let EntityKind::Model(model) = &map.entities[1].kind else { panic!() };
    assert_eq!((model.flags.0, model.media, model.ambient, model.albedo), (0x100, None, 25.0, Some(50.0)));
    assert_eq!((model.file.as_bytes(), model.action.as_bytes()), (&b"my guard.mdl"[..], &b"patrol"[..]));
    assert_eq!((model.skills.len(), *model.skills[1].get()), (8, 2.5));
    let tail: Vec<&[u8]> = model.tail.iter().map(Name::as_bytes).collect();
    assert_eq!(tail, [&b"path_000"[..], b"guard_002", b"mtl", b"", b"second"]);
    same(&reprint(&bytes), &bytes);
}

#[test]
fn other_entities_have_the_published_layout() {
    let name = |name: &str| chunk(0x0301, &[name.as_bytes(), b"\0"]);
    let start = chunk(0x0605, &[&words(&[1, 0]), &name("position 1")]);
    let light = chunk(0x0705, &[&words(&[2, 9, 255, 128, 7]), &single(300.5)]);
    let sound = chunk(0x0805, &[&words(&[4, 1, 100, 2, 3, 1000]), &chunk(0x0B01, &[b"wind.wav\0"])]);
    let path = chunk(
        0x0A05,
        &[
            &words(&[6, 0]),
            &name("path_000"),
            &chunk(0x0102, &[&words(&[2]), &doubles(&[0.0, 0.0, 0.0, 5.0, 6.0, 7.0])]),
            &chunk(
                0x0D02,
                &[&words(&[2, 6]), &doubles(&[0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0])],
            ),
            &chunk(0x0F02, &[&words(&[1]), &words(&[0, 1]), &doubles(&[1.0, 0.25, 0.5, 0.75])]),
        ],
    );
    let region = chunk(
        0x0B05,
        &[&words(&[8, 0]), &chunk(0x0900, &[&doubles(&[-1.0, -2.0, -3.0, 1.0, 2.0, 3.0])]), &name("fog")],
    );
    let bytes = file(&node(
        0x0001,
        1,
        "level",
        Some("Root"),
        &[
            &level(),
            &node(
                0x0003,
                5,
                "object",
                Some("everything"),
                &[
                    &node(0x0015, 0, "start", Some("position 1"), &[&start]),
                    &node(0x0025, 0, "light", None, &[&light]),
                    &node(0x0055, 0, "sound", None, &[&sound]),
                    &node(0x0065, 0, "path", Some("path_000"), &[&path]),
                    &node(0x0075, 0, "region", Some("fog"), &[&region]),
                ],
            ),
        ],
    ));
    let map = read(&bytes);
    let [_, start, light, sound, path, region] = map.entities.as_slice() else { panic!() };
    assert_eq!(start.name().as_bytes(), b"position 1");
    let EntityKind::Light(light) = &light.kind else { panic!() };
    assert_eq!((light.colour, light.range, light.flags.unwrap().0), ([255.0, 128.0, 7.0], 300.5, 9));
    let EntityKind::Sound(sound) = &sound.kind else { panic!() };
    assert_eq!((sound.file.as_bytes(), sound.flags.0, sound.numbers), (&b"wind.wav"[..], 1, [100.0, 2.0, 3.0, 1000.0]));
    let EntityKind::Path(path) = &path.kind else { panic!() };
    assert_eq!((path.nodes[1].point, path.nodes[1].skills[5]), ([5.0, 6.0, 7.0], 11.0));
    let edge = path.edges[0];
    assert_eq!((edge.from, edge.to, edge.weight, edge.numbers), (0, 1, 1.0, [0.25, 0.5, 0.75]));
    let EntityKind::Region(region) = &region.kind else { panic!() };
    assert_eq!(
        (region.minimum, region.maximum, region.name.as_bytes()),
        ([-1.0, -2.0, -3.0], [1.0, 2.0, 3.0], &b"fog"[..])
    );
    assert_eq!(map.objects[1].members.len(), 5);
    same(&reprint(&bytes), &bytes);
}

/// Corpus files written from scratch are byte-exact.
#[test]
#[ignore = "needs the corpus"]
fn corpus_files_are_encoded_as_the_editor_does() {
    let Some(folder) = corpus("wmp") else { return };
    let mut count = 0;
    for path in files_below(&folder) {
        let bytes = std::fs::read(&path).unwrap();
        let name = path.display().to_string();
        // The one that was made by hand has its faces in another order than the editor's.
        if !bytes.starts_with(b"WMPB") || name.contains("synthetic") {
            continue;
        }
        let document = read(&bytes);
        assert_eq!(document.to_bytes().unwrap(), bytes, "{name}");
        if let Some(diff) = hexdiff(&bytes, &reprint(&bytes)) {
            panic!("{name}: {diff}");
        }
        count += 1;
    }
    assert!(count > 0, "no binary maps in the corpus");
}

#[test]
fn an_edit_changes_only_what_it_must() {
    let bytes = sample(b"");
    let mut map = read(&bytes);
    map.objects[2].position[0] = 2.0;
    let written = map.to_bytes().unwrap();
    let different: Vec<usize> = (0..bytes.len()).filter(|&at| bytes[at] != written[at]).collect();
    assert_eq!(written.len(), bytes.len());
    // 1.0 and 2.0 differ in the two highest bytes.
    assert_eq!(different.len(), 2);
    assert_eq!(different[0] + 1, different[1]);
    // A change taken back is none.
    map.objects[2].position[0] = 1.0;
    same(&map.to_bytes().unwrap(), &bytes);
}

/// Chunks that nothing is known of, or that are not as they should be: each is kept, and put back where it was.
#[test]
fn unknown_chunks_survive_edits() {
    let unknown = [chunk(0x4201, &[b"?"]), chunk(0x4202, &[])].concat();
    let mut odd_type = chunk(0x0301, &[b"name\0"]);
    odd_type[2] = 7;
    let wall = node(
        0x0104,
        0,
        "block",
        None,
        &[&odd_type, &block(&[&entry(1, &unknown), unknown.as_slice()].concat()), &unknown],
    );
    let empty_name = chunk(0x0301, &[b"\0"]);
    let open_name = chunk(0x0301, &[b"open"]);
    let split_name = chunk(0x0301, &[b"a\0b\0"]);
    let start = chunk(0x0605, &[&words(&[1, 7]), &empty_name, &open_name, &split_name, &unknown]);
    let start = node(0x0015, 0, "start", None, &[&start, &start, &unknown]);
    let odd_class = node(0x0003, 0, "object", None, &[&empty_name, &chunk(0x0905, &[&words(&[5])])]);
    let odd_colour = chunk(0x0203, &[&[3, 1, 1, 1]]);
    let odd_level = [level(), odd_colour].concat();
    let root = node(0x0001, 3, "level", Some("Root"), &[&unknown, &odd_level, &wall, &unknown, &start, &odd_class]);
    let root_and_more = [root.as_slice(), &unknown, &root].concat();
    let bytes = file(&root_and_more);
    let map = read(&bytes);
    assert_eq!(map.entities.len(), 2);
    assert_eq!(map.objects[0].extra.len(), 3);
    assert_eq!(map.header.around, [Chunk { index: 3, bytes: [unknown.as_slice(), &root].concat() }]);
    assert_eq!(map.entities[1].extra[0].index, 0);
    same(&map.to_bytes().unwrap(), &bytes);
    same(&reprint(&bytes), &bytes);
    let mut edited = map.clone();
    edited.objects[1].position[1] = 3.25;
    assert_eq!(read(&edited.to_bytes().unwrap()), edited);

    // In the info chunk and in the settings of the editor.
    let info = chunk(0x0104, &[&words(&[711, 3, 0, 0, 0, 9]), &unknown, &chunk(0x0101, &[b"made by hand\0"])]);
    let wed =
        chunk(0x0204, &[&chunk(0x0A01, &[b"short"]), &chunk(0x0401, &[b"a\0"]), &unknown, &chunk(0x0701, &[b"b\0"])]);
    let bytes = [b"WMPB".as_slice(), &unknown, &info, &wed, &root].concat();
    let map = read(&bytes);
    assert_eq!((map.header.words, map.header.generator.is_empty()), ([711, 3, 9], true));
    assert_eq!((map.header.extra.len(), map.wed.as_ref().unwrap().extra.len()), (1, 2));
    same(&reprint(&bytes), &bytes);
}

#[test]
fn contradictions_are_preserved() {
    // A second entry for a face, and one for a face that does not exist.
    let bytes = sample(&[entry(1, b""), entry(2, b""), entry(u32::MAX, b"")].concat());
    let map = read(&bytes);
    assert_eq!(map.blocks[0].extra[0].bytes.len(), 3 * entry(0, b"").len());
    same(&reprint(&bytes), &bytes);
    // A kind that does not follow from the contents, and another word.
    let bytes = file(&node(0x0001, 1, "level", None, &[&level(), &node(0x0935, 0, "modell", None, &[&model()])]));
    let map = read(&bytes);
    assert_eq!((map.objects[1].kind, map.objects[1].extra.len()), (Some(0x0935), 1));
    // Entries in another order stay so until their block changes.
    let bytes = sample(&entry(0, b""));
    let mut map = read(&bytes);
    let Shape::Mesh(mesh) = &map.blocks[0].shape else { panic!() };
    assert!(mesh.faces.iter().all(|face| !face.bare));
    assert_eq!(read(&reprint(&bytes)), map);
    map.header.created = "32.07.2014".into();
    let mut changed = map.to_bytes().unwrap();
    let at = bytes.windows(10).position(|bytes| bytes == b"31.07.2014").unwrap();
    changed[at + 1] = b'1';
    same(&changed, &bytes);
    // But not in another file, whose bytes at that place are not its own.
    let mut other = read(&sample(b""));
    other.blocks[0] = map.blocks[0].clone();
    assert_eq!(read(&other.to_bytes().unwrap()).blocks, map.blocks);
}

#[test]
fn hostile_bytes_are_rejected() {
    let root = node(0x0001, 0, "level", None, &[&level()]);
    let refused = |bytes: &[u8]| Document::from_bytes(bytes).expect_err("refused");
    // Sizes below the head, past the parent, near 2^32.
    for size in [0_u32, 4, 7, 0x7FFF_FFFF, 0xFFFF_FFF0, u32::MAX] {
        for at in [4 + 4, 4 + 8 + 24 + 4] {
            let mut bytes = file(&root);
            bytes[at..at + 4].copy_from_slice(&size.to_le_bytes());
            let error = refused(&bytes);
            assert!(matches!(error.category().name(), "truncated" | "malformed"), "{error}");
        }
    }
    // A child that is longer than its parent.
    let mut long = chunk(0x0301, &[b"name\0"]);
    long[4] = 200;
    assert!(Document::from_bytes(&file(&node(0x0001, 0, "level", None, &[&level(), &long]))).is_err());
    // A word where the head of a chunk should be.
    assert!(Document::from_bytes(&file(&node(0x0001, 0, "level", None, &[&level(), b"1234567"]))).is_err());
    // Counts.
    for (id, body) in [(0x0102, words(&[u32::MAX])), (0x0102, words(&[0xAAAA_AAAB])), (0x1102, words(&[4_000_000_000]))]
    {
        let body = chunk(0x0205, &[&words(&[0, 0]), &chunk(id, &[&body])]);
        let error = refused(&file(&node(0x0104, 0, "block", None, &[&body])));
        assert!(matches!(error.kind(), ReadErrorKind::Input(_)), "{error}");
    }
    let error = refused(&file(&node(0x0001, 2, "level", None, &[&level()])));
    assert!(matches!(error.kind(), ReadErrorKind::Count { declared: 2, found: 0, .. }), "{error}");
    assert_eq!(error.path().to_string(), "objects[0]");
    // A vertex that does not exist.
    let vertex = chunk(0x0205, &[&words(&[0, 0]), &chunk(0x1102, &[&words(&[1]), &shorts(&[3, 0, 0, 0])])]);
    let error = refused(&file(&node(0x0104, 0, "block", None, &[&vertex])));
    assert!(matches!(error.kind(), ReadErrorKind::Vertex { index: 0, vertices: 0 }), "{error}");
    assert_eq!(error.path().to_string(), "objects[0].blocks[0].faces[0]");
    // Without a root.
    assert!(matches!(refused(b"WMPB").kind(), ReadErrorKind::Expected { .. }));
}

#[test]
fn nesting_needs_no_stack() {
    let head = |nodes: u16| [shorts(&[3, nodes]), words(&[0]), place([0.0; 3])].concat();
    let (inner, outer) = (head(0), head(1));
    let depth = 100_000;
    // From the inside out, in reverse: each head comes before its contents.
    let mut size = inner.len() + 8;
    let mut heads = vec![(size, &inner)];
    for _ in 1..depth {
        size += outer.len() + 8;
        heads.push((size, &outer));
    }
    let mut bytes = b"WMPB".to_vec();
    for (size, head) in heads.iter().rev() {
        bytes.extend([1, 5, 6, 0]);
        bytes.extend(u32::try_from(*size).unwrap().to_le_bytes());
        bytes.extend_from_slice(head);
    }
    let error = Document::from_bytes(&bytes).unwrap_err();
    assert_eq!(error.category().name(), "limit", "{error}");
    let deep = ReadOptions::default().with_limits(io::Limits::default().with_max_depth(u32::MAX));
    let mut map = Document::from_bytes_with(&bytes, &deep).unwrap();
    assert_eq!(map.objects.len(), depth);
    map.forget_source();
    let written = map.to_bytes().unwrap();
    assert_eq!(Document::from_bytes_with(&written, &deep).unwrap(), map);
}

#[test]
fn a_list_of_faces_without_vertices_is_preserved() {
    let faces = chunk(0x1102, &[&words(&[2_000_000]), &vec![0; 4_000_000]]);
    let block = chunk(0x0205, &[&words(&[0, 0]), &chunk(0x0102, &[&words(&[0])]), &faces]);
    let bytes = file(&node(0x0104, 0, "block", None, &[&block]));
    let map = read(&bytes);
    assert_eq!(map.blocks[0].extra, [Chunk { index: 1, bytes: faces }]);
    assert_eq!(map.to_bytes().unwrap(), bytes);
}

#[test]
fn prefixes_and_changed_numbers_are_read_or_rejected() {
    let bytes = sample(&entry(0, b""));
    let read = |bytes: &[u8]| Document::from_bytes(bytes).map_err(|error| refusal(&error));
    laws::exact("sample", &bytes, read, Document::to_bytes);
    laws::prefixes(&bytes, read, |_, _| false);
    for mutant in mutate::numbers(&bytes) {
        let Some(mut document) = laws::total(&mutant, read) else { continue };
        assert_eq!(document.to_bytes().unwrap(), mutant);
        // An edit elsewhere leaves what is odd as it is; not a number is no other number either.
        document.objects[0].position[2] = 77.0;
        let written = document.to_bytes().unwrap();
        let found = Document::from_bytes(&written).unwrap_or_else(|error| panic!("{error}"));
        assert!(found == document || format!("{found:?}") == format!("{document:?}"));
    }
}

#[test]
fn values_that_the_format_cannot_store_are_rejected() {
    let map = read(&sample(b""));
    let refused = |change: &dyn Fn(&mut Document)| {
        let mut map = map.clone();
        change(&mut map);
        map.to_bytes().expect_err("refused").into_kind()
    };
    assert!(matches!(refused(&|map| map.objects[1].name = "a\0b".into()), WriteErrorKind::Name { .. }));
    assert!(matches!(refused(&|map| map.blocks[0].shape = Shape::Planes(Vec::new())), WriteErrorKind::Dialect { .. }));
    assert!(matches!(
        refused(&|map| map.objects.push(Part::new(Object::new(9)))),
        WriteErrorKind::Tree { number: 9, .. }
    ));
    assert!(matches!(refused(&|map| map.objects.clear()), WriteErrorKind::Tree { .. }));
    let member = |kind, number| Member { kind, number };
    for odd in [
        member(MemberKind::Object, 0),
        member(MemberKind::Object, 7),
        member(MemberKind::Block, 0),
        member(MemberKind::Light, 1),
    ] {
        assert!(matches!(refused(&|map| map.objects[2].members.push(odd)), WriteErrorKind::Tree { .. }), "{odd:?}");
    }
    let lost = |map: &mut Document| map.objects[1].members.clear();
    assert!(matches!(refused(&lost), WriteErrorKind::Dialect { .. }));
    let colour = |value: f64| {
        move |map: &mut Document| match &mut map.entities[0].kind {
            EntityKind::Level(level) => level.colours[2][1] = value,
            _ => unreachable!(),
        }
    };
    for value in [-1.0, 0.5, 256.0, f64::NAN] {
        assert!(matches!(refused(&colour(value)), WriteErrorKind::Number { .. }), "{value}");
    }
    let corners = |map: &mut Document| {
        map.blocks[0].shape = Shape::Mesh(Mesh {
            vertices: vec![[0.0; 3]; 3],
            faces: vec![Face { corners: vec![0; 65_536].into(), bare: true, ..Face::default() }],
        });
    };
    assert!(matches!(refused(&corners), WriteErrorKind::TooMany { .. }));
}

#[test]
fn an_empty_map_can_be_written() {
    let map = Document::new(Dialect::Binary);
    let bytes = map.to_bytes().unwrap();
    assert_eq!(read(&bytes), map);
}

#[test]
fn values_of_text_are_rejected_in_binary_maps() {
    let mut map = read(&sample(b""));
    map.wed = Some(Part::new(Wed {
        wads: vec![TextureSource { path: "a.wad".into(), enabled: 1 }],
        wad_head: Some("0 0 0 0 0".into()),
        ..Wed::default()
    }));
    let at = map.entities.iter().position(|entity| matches!(entity.kind, EntityKind::Model(_))).unwrap();
    assert!(map.to_bytes().is_ok());
    let refused = |change: &dyn Fn(&mut Document)| {
        let mut map = map.clone();
        change(&mut map);
        let error = map.to_bytes().expect_err("refused");
        assert!(matches!(error.kind(), WriteErrorKind::Dialect { .. }), "{error}");
    };
    refused(&|map| map.wed.as_mut().unwrap().wad_head = Some("1 0 0 0 0".into()));
    refused(&|map| map.wed.as_mut().unwrap().wads[0].enabled = 0);
    let model = |map: &mut Document, change: &dyn Fn(&mut mapwright_wmp::Model)| match &mut map.entities[at].kind {
        EntityKind::Model(model) => change(model),
        _ => unreachable!(),
    };
    refused(&|map| model(map, &|model| model.flag_digits = Some(8)));
    refused(&|map| model(map, &|model| model.scale = [7.0; 3]));
    let path = mapwright_wmp::Path { number: 1.0, ..Default::default() };
    refused(&|map| {
        map.entities[at].kind = EntityKind::Path(path.clone());
        for object in &mut map.objects {
            object.members.iter_mut().filter(|member| member.kind == MemberKind::Model).for_each(|member| {
                member.kind = MemberKind::Path;
            });
        }
    });
    let bare = |face: Face| {
        move |map: &mut Document| {
            let faces = vec![Face { corners: vec![0, 1, 2].into(), bare: true, ..face.clone() }];
            map.blocks[0].shape = Shape::Mesh(Mesh { vertices: vec![[0.0; 3]; 3], faces });
        }
    };
    let mut plain = map.clone();
    bare(Face { albedo: 50.0, ..Face::default() })(&mut plain);
    assert!(plain.to_bytes().is_ok());
    refused(&bare(Face { ambient: 1.0, ..Face::default() }));
    refused(&bare(Face { albedo: 20.0, ..Face::default() }));
    refused(&bare(Face { flags: FaceFlags(1), ..Face::default() }));
    refused(&bare(Face { material: "m".into(), ..Face::default() }));
}

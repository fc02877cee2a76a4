//! Conversion between dialects.

use crate::support;

use std::sync::Arc;

use mapwright_wmp::io::FormattedNumber;
use mapwright_wmp::{
    Block, BlockFlags, Dialect, Document, Entity, EntityKind, Export, Face, FaceFlags, Light, LightFlags, Loss,
    LossKind, Losses, Member, MemberKind, Mesh, Model, Name, Object, Part, Path, PathNode, Region, Shape, Sound, Start,
};
use support::maps;

/// Returns a cube of 64 quants with equal faces.
fn cube(number: u32, look: &Face) -> Block {
    let vertices = (0..8_u32).map(|corner| [2, 1, 0].map(|axis| f64::from(corner >> axis & 1) * 64.0)).collect();
    // Clockwise seen from outside: x, y and z are bits 2, 1 and 0.
    let corners = [[1, 5, 4, 0], [6, 7, 3, 2], [2, 3, 1, 0], [5, 7, 6, 4], [4, 6, 2, 0], [3, 7, 5, 1]];
    let faces = corners.map(|corners| Face { corners: corners.into(), ..look.clone() });
    Block::new(number, Mesh { vertices, faces: faces.to_vec() })
}

fn sample_face() -> Face {
    Face {
        texture: "brick".into(),
        vectors: Some(Arc::new([[1.0, 0.0, 0.0, 0.0], [0.0, -1.0, 0.0, 0.0]])),
        mapping: Some(Arc::new([0.0, 0.0, 0.0, 1.0, 1.0])),
        albedo: 50.0,
        ..Face::default()
    }
}

fn model(file: &str, skills: usize) -> Model {
    Model {
        scale: [1.0; 3],
        file: file.into(),
        name: "guard_001".into(),
        action: Name::NONE,
        skills: Arc::new(vec![FormattedNumber::new(0.0); skills]),
        flags: Default::default(),
        ambient: 0.0,
        albedo: Some(50.0),
        tail: vec![Name::NONE; 2],
        media: None,
        flag_digits: None,
    }
}

fn add_member(map: &mut Document, kind: MemberKind, number: usize, mut object: Object) {
    object.number = u32::try_from(map.objects.len()).unwrap();
    object.members.push(Member { kind, number: u32::try_from(number).unwrap() });
    map.objects[0].members.insert(0, Member { kind: MemberKind::Object, number: object.number });
    map.objects.push(Part::new(object));
}

fn add_block(map: &mut Document, mut block: Block, object: Object) {
    block.number = u32::try_from(map.blocks.len()).unwrap();
    add_member(map, MemberKind::Block, map.blocks.len(), object);
    map.blocks.push(Part::new(block));
}

fn add_entity(map: &mut Document, kind: EntityKind, object: Object) {
    let entity = Entity::new(u32::try_from(map.entities.len()).unwrap(), kind);
    add_member(map, entity.member_kind(), map.entities.len(), object);
    map.entities.push(Part::new(entity));
}

fn at(position: [f64; 3], angles: [f64; 3]) -> Object {
    Object { position, angles, ..Object::new(0) }
}

fn losses(converted: &Export<Document>) -> Vec<String> {
    converted.losses.iter().map(Loss::to_string).collect()
}

/// Returns the texture coordinates of all face vertices.
fn texels(map: &Document) -> Vec<[f64; 2]> {
    let resolved = map.resolve();
    let mut texels = Vec::new();
    for block in &resolved.blocks {
        for face in &block.faces {
            for corner in &face.corners {
                let [x, y, z] = block.vertices[*corner as usize];
                texels.push(face.vectors.map(|[a, b, c, d]| a * x + b * y + c * z + d));
            }
        }
    }
    texels
}

fn far(a: &[[f64; 2]], b: &[[f64; 2]]) -> f64 {
    assert_eq!(a.len(), b.len());
    let ways = a.iter().flatten().zip(b.iter().flatten()).map(|(a, b)| (a - b).abs());
    ways.fold(0.0, f64::max)
}

fn blocks(map: &mut Document) -> impl Iterator<Item = &mut Mesh> {
    map.blocks.iter_mut().filter_map(|block| match &mut block.shape {
        Shape::Mesh(mesh) => Some(mesh),
        Shape::Planes(_) => None,
    })
}

#[test]
fn conversion_to_the_same_dialect_changes_nothing() {
    let bytes = Document::new(Dialect::Binary).to_bytes().unwrap();
    let map = Document::from_bytes(&bytes).unwrap();
    let converted = map.convert(Dialect::Binary);
    assert_eq!((converted.document.to_bytes().unwrap(), converted.losses), (bytes, Losses::new()));
}

/// Everything that is not reported as lost survives: corpus maps down to the last byte.
#[test]
#[ignore = "needs the corpus"]
fn binary_corpus_maps_survive_a_round_trip_through_text() {
    let Some(maps) = maps(support::is_binary) else { return };
    let mut count = 0;
    for (name, _, bytes) in maps.into_iter().filter(|(name, ..)| !name.contains("synthetic")) {
        let text = Document::from_bytes(&bytes).unwrap().convert(Dialect::A7);
        if text.losses.iter().any(|loss| loss.kind != LossKind::Approximated && !loss.text.contains("map.$$w")) {
            continue;
        }
        let back = text.document.convert(Dialect::Binary);
        assert_eq!(back.document.to_bytes().unwrap(), bytes, "{name}: {:?}", losses(&back));
        assert_eq!(losses(&back), ["dropped: entities[0]: the WAD of the build"], "{name}");
        count += 1;
    }
    assert!(count > 50, "{count}");
}

#[test]
#[ignore = "needs the corpus"]
fn textures_of_corpus_maps_without_vectors_keep_their_position() {
    let Some(maps) = maps(|_| true) else { return };
    let mut count = 0;
    for (name, _, bytes) in maps {
        let map = Document::from_bytes(&bytes).unwrap();
        if !matches!(map.dialect, Dialect::Binary | Dialect::A7) || name.contains("synthetic") {
            continue;
        }
        let converted = map.convert(Dialect::A5);
        let skewed = converted.losses.iter().any(|loss| loss.text == "a skewed texture");
        if !skewed {
            let far = far(&texels(&map), &texels(&converted.document));
            assert!(far < 0.01, "{name}: {far}");
            count += 1;
        }
    }
    assert!(count > 80, "{count}");
}

#[test]
#[ignore = "needs the corpus"]
fn corpus_maps_of_a5_come_back_from_710() {
    let Some(maps) = maps(|_| true) else { return };
    for (name, _, bytes) in maps {
        let mut map = Document::from_bytes(&bytes).unwrap();
        if map.dialect != Dialect::A5 || name.contains("synthetic") {
            continue;
        }
        let mut back = map.convert(Dialect::A7).document.convert(Dialect::A5).document;
        map.forget_source();
        // Angles are converted through matrices: different angles can give one rotation.
        for (old, new) in map.resolve().entities.iter().zip(&back.resolve().entities) {
            let pairs = old.rotation.iter().flatten().zip(new.rotation.iter().flatten());
            assert!(pairs.into_iter().all(|(old, new)| (old - new).abs() < 1e-5), "{name}: {old:?} {new:?}");
        }
        for map in [&mut map, &mut back] {
            map.objects.iter_mut().for_each(|object| object.angles = [0.0; 3]);
            map.wed.iter_mut().for_each(|wed| wed.views = None);
            for block in &mut map.blocks {
                block.flags.0 &= !BlockFlags::TEXTURE_LOCK.0;
            }
            blocks(map).flat_map(|mesh| &mut mesh.faces).for_each(|face| face.flags.0 &= !FaceFlags::LOCAL.0);
        }
        assert_eq!(map.objects, back.objects, "{name}");
        assert_eq!(map.blocks, back.blocks, "{name}");
        assert_eq!(map.wed, back.wed, "{name}");
        assert_eq!(map.entities.len(), back.entities.len(), "{name}");
    }
}

#[test]
fn rotations_are_converted_through_matrices() {
    let mut map = Document::new(Dialect::A5);
    let start = || EntityKind::Start(Start { name: "here".into(), word_04: 0 });
    add_entity(&mut map, start(), at([1.0, 2.0, 3.0], [0.5, 0.0, 0.0]));
    add_entity(&mut map, start(), at([0.0; 3], [0.5, 0.25, -1.0]));
    add_entity(&mut map, EntityKind::Model(model("door.WMB", 20)), at([0.0; 3], [0.5, 0.0, 0.0]));
    let path = Path { nodes: vec![PathNode { point: [5.0, 6.0, 7.0], ..PathNode::default() }], ..Path::default() };
    add_entity(&mut map, EntityKind::Path(path), at([9.0, 0.0, 0.0], [0.3, 0.2, 0.1]));
    for target in [Dialect::A7, Dialect::Binary] {
        let converted = map.convert(target);
        let (old, new) = (map.resolve(), converted.document.resolve());
        for (old, new) in old.entities.iter().zip(&new.entities) {
            let pairs = old.rotation.iter().flatten().zip(new.rotation.iter().flatten());
            assert!(pairs.into_iter().all(|(old, new)| (old - new).abs() < 1e-9), "{old:?} {new:?}");
            assert_eq!(old.position, new.position);
            let pairs = old.nodes.iter().flatten().zip(new.nodes.iter().flatten());
            assert!(pairs.into_iter().all(|(old, new)| (old - new).abs() < 1e-9));
        }
    }
    let angles: Vec<f64> = map.convert(Dialect::A7).document.objects.iter().map(|object| object.angles[0]).collect();
    let pan = std::f64::consts::FRAC_PI_2 - 0.5;
    // The root has the last member first. The heading of the door is measured from Y.
    assert!((angles[4] - pan).abs() < 1e-9 && (angles[2] - 0.5).abs() < 1e-9, "{angles:?}");
}

#[test]
fn locked_and_rotated_textures_are_applied() {
    let mut map = Document::new(Dialect::A7);
    let mut block = cube(0, &Face { mapping: Some(Arc::new([3.0, 4.0, 30.0, 2.0, -0.5])), ..sample_face() });
    block.flags = BlockFlags::TEXTURE_LOCK;
    add_block(&mut map, block, at([100.0, 20.0, 30.0], [0.0; 3]));
    // The top determines the axes of the texture on all sides. Elsewhere it is skewed.
    let converted = map.convert(Dialect::A5);
    let expected = [
        "approximated: blocks[0]: a skewed texture (4 times)",
        "dropped: blocks[0]: texture locks, which have no effect in A5",
    ];
    assert_eq!(losses(&converted), expected);
    let (old, new) = (texels(&map), texels(&converted.document));
    // The first four faces are the sides.
    assert!(far(&old[16..], &new[16..]) < 1e-9, "{old:?} {new:?}");
    let Shape::Mesh(mesh) = &converted.document.blocks[0].shape else { panic!() };
    assert_eq!((mesh.faces[4].vectors.is_none(), converted.document.blocks[0].flags.0), (true, 0));
}

#[test]
fn locks_without_effect_are_dropped_and_reported() {
    let mut map = Document::new(Dialect::A5);
    for (number, block, face) in [(0, BlockFlags::TEXTURE_LOCK, FaceFlags(0)), (1, BlockFlags(0), FaceFlags::LOCAL)] {
        let mut cube = cube(number, &Face { vectors: None, flags: face, ..sample_face() });
        cube.flags = block;
        add_block(&mut map, cube, at([0.0; 3], [0.0; 3]));
    }
    let lost = losses(&map.convert(Dialect::A7));
    assert_eq!(lost, ["dropped: blocks[0]: texture locks, which have no effect in A5 (2 times)"]);
}

#[test]
fn losses_of_710_are_reported() {
    let mut map = Document::new(Dialect::A7);
    let uvs = Some(vec![0.0; 6].into());
    let mut block = cube(0, &Face { uvs, material: "mtl".into(), flags: FaceFlags::MIRROR, ..sample_face() });
    block.flags = BlockFlags::CONCAVE;
    add_block(&mut map, block, at([0.0; 3], [0.0; 3]));
    let mut many = model("a.mdl", 20);
    Arc::make_mut(&mut many.skills)[12] = FormattedNumber::new(1.0);
    many.tail = ["path", "", "mtl"].map(Name::from).to_vec();
    add_entity(&mut map, EntityKind::Model(many), at([0.0; 3], [0.0; 3]));
    let light = Light { colour: [50.0, 100.0, 0.0], range: 200.0, flags: Some(LightFlags(4)) };
    add_entity(&mut map, EntityKind::Light(light), at([0.0; 3], [0.0; 3]));
    map.entities[0].comment = "not the name".into();

    let binary = map.convert(Dialect::Binary);
    assert_eq!(
        losses(&binary),
        [
            "dropped: entities[0]: a comment that is not the name",
            "dropped: blocks[0]: the material of a face (6 times)",
            "approximated: entities[2]: a colour, in steps of 1/255",
        ]
    );
    let a4 = map.convert(Dialect::A4);
    let losses = losses(&a4);
    for loss in [
        "dropped: blocks[0]: texture coordinates (6 times)",
        "dropped: entities[1]: path, target, material or strings of a model",
        "dropped: entities[2]: skills of a model beyond eight",
        "dropped: entities[1]: flags of a light",
        "dropped: blocks[0]: a body that is not convex",
    ] {
        assert!(losses.iter().any(|reported| reported == loss), "{loss}: {losses:#?}");
    }
    assert_eq!((a4.document.blocks.len(), a4.document.objects.len()), (0, 3));
    for converted in [binary, a4] {
        let bytes = converted.document.to_bytes().unwrap();
        assert_eq!(Document::from_bytes(&bytes).unwrap().dialect, converted.document.dialect);
    }
}

#[test]
fn planes_and_polygons_give_the_same_body() {
    let mut map = Document::new(Dialect::A5);
    let mut block = cube(0, &Face { vectors: None, flags: FaceFlags::MIRROR, ..sample_face() });
    block.index = Some(0);
    add_block(&mut map, block, at([10.0, 20.0, 30.0], [0.0; 3]));
    let planes = map.convert(Dialect::A4);
    assert_eq!(losses(&planes), [""; 0]);
    let Shape::Planes(faces) = &planes.document.blocks[0].shape else { panic!() };
    assert!(faces.iter().all(|face| face.flags.0 == 0 && face.flags2.0 == 1 << 7));
    let mut back = planes.document.convert(Dialect::A5).document;
    let mesh = blocks(&mut back).next().unwrap();
    assert_eq!((mesh.vertices.len(), mesh.faces.len()), (8, 6));
    assert!(mesh.faces.iter().all(|face| face.flags == FaceFlags::MIRROR && face.corners.len() == 4));

    // A rotated and scaled group, and a rotated block in it: later dialects apply both to the vertices.
    let mut turned = planes.document.clone();
    let group = Object {
        number: 2,
        angles: [0.7, 0.0, 0.0],
        scale: [2.0, 1.0, 1.0],
        members: vec![Member { kind: MemberKind::Object, number: 1 }].into(),
        ..at([5.0, 0.0, 0.0], [0.7, 0.0, 0.0])
    };
    turned.objects[0].members[0].number = 2;
    turned.objects[1].angles = [0.0, 0.4, 0.0];
    turned.objects.push(Part::new(group));
    let baked = turned.convert(Dialect::A5).document;
    assert!(baked.objects.iter().all(|object| object.angles == [0.0; 3] && object.scale == [1.0; 3]));
    let (old, new) = (turned.resolve(), baked.resolve());
    for (old, new) in old.blocks[0].vertices.iter().zip(&new.blocks[0].vertices) {
        assert!(old.iter().zip(new).all(|(old, new)| (old - new).abs() < 0.01), "{old:?} {new:?}");
    }
}

#[test]
fn regions_and_faces_without_an_entry_are_converted() {
    let mut map = Document::new(Dialect::Binary);
    add_entity(
        &mut map,
        EntityKind::Region(Region { name: "fog".into(), ..Region::default() }),
        at([0.0; 3], [0.0; 3]),
    );
    add_entity(&mut map, EntityKind::Region(Region::default()), at([0.0; 3], [0.0; 3]));
    add_block(&mut map, cube(0, &Face { bare: true, ..Face::default() }), at([0.0; 3], [0.0; 3]));
    let converted = map.convert(Dialect::A7);
    assert_eq!(
        losses(&converted),
        [
            "dropped: entities[1]: a region, which text cannot store (2 times)",
            "synthesized: blocks[0]: texture, flags and light of a face without an entry (6 times)",
            "synthesized: entities: the WAD of the build, map.$$w",
        ]
    );
    let mut map = converted.document;
    assert_eq!((map.entities.len(), map.objects.len(), map.header.counts.unwrap().objects), (1, 2, 2));
    assert_eq!(map.objects[0].members[0].number, 1);
    let face = &blocks(&mut map).next().unwrap().faces[0];
    assert_eq!((face.texture.as_bytes(), face.albedo, face.bare), (&b"#default"[..], 50.0, false));
}

#[test]
fn several_members_and_none_become_nodes_of_a_tree() {
    let mut map = Document::new(Dialect::A7);
    map.entities.clear();
    map.objects[0].members.clear();
    for number in 0..3 {
        map.blocks.push(Part::new(cube(number, &sample_face())));
    }
    let member = |kind, number| Member { kind, number };
    map.objects[0].members = vec![member(MemberKind::Object, 1)].into();
    let group = at([1.0, 0.0, 0.0], [0.5, 0.0, 0.0]);
    let members = vec![member(MemberKind::Block, 0), member(MemberKind::Block, 1), member(MemberKind::Start, 0)].into();
    map.objects.push(Part::new(Object { number: 1, members, ..group }));
    map.entities.push(Part::new(Entity::new(0, EntityKind::Start(Start::default()))));
    // A part without a parent.
    map.objects.push(Part::new(Object { members: vec![member(MemberKind::Object, 2)].into(), ..Object::new(2) }));
    let converted = map.convert(Dialect::Binary);
    assert_eq!(
        losses(&converted),
        [
            "dropped: blocks[2]: a part that is not below the root (2 times)",
            "synthesized: entities: a level, which the root of binary maps must have",
        ]
    );
    let bytes = converted.document.to_bytes().unwrap();
    let new = Document::from_bytes(&bytes).unwrap();
    assert_eq!((new.blocks.len(), new.entities.len(), new.objects.len()), (2, 2, 5));
    let (old, new) = (map.resolve(), new.resolve());
    assert_eq!(old.blocks[1].vertices, new.blocks[1].vertices);
    assert_eq!(old.entities[0].position, new.entities[0].position);
    assert_eq!(old.entities[0].rotation, new.entities[0].rotation);
}

/// Trees with cycles, members that are not there, or owned twice.
#[test]
#[ignore = "needs the corpus"]
fn broken_corpus_maps_can_be_converted() {
    let Some(folder) = mapwright_testkit::corpus("wmp") else { return };
    let mut count = 0;
    for file in mapwright_testkit::files_below(&folder.join("synthetic")) {
        let Ok(map) = Document::from_bytes(&std::fs::read(&file).unwrap()) else { continue };
        for target in Dialect::ALL {
            let converted = map.convert(target).document;
            if target != map.dialect {
                let bytes =
                    converted.to_bytes().unwrap_or_else(|error| panic!("{} {target:?}: {error}", file.display()));
                assert!(Document::from_bytes(&bytes).is_ok(), "{} {target:?}", file.display());
            }
        }
        count += 1;
    }
    assert!(count > 5, "{count}");
}

fn has(losses: &[String], wanted: &[&str]) {
    for wanted in wanted {
        assert!(losses.iter().any(|loss| loss == wanted), "{wanted}: {losses:#?}");
    }
}

fn first_model(map: &Document) -> &Model {
    let model = |entity: &'_ Part<Entity>| matches!(entity.kind, EntityKind::Model(_));
    match &map.entities.iter().find(|entity| model(entity)).unwrap().kind {
        EntityKind::Model(model) => model,
        _ => panic!("a model"),
    }
}

/// In text, the scale of a model counts; in binary maps, that of its node.
#[test]
fn the_effective_scale_is_kept() {
    let mut map = Document::new(Dialect::A7);
    let scaled = Model { scale: [2.0, 3.0, 4.0], ..model("a.mdl", 20) };
    add_entity(&mut map, EntityKind::Model(scaled), at([0.0; 3], [0.0; 3]));
    let mut binary = map.convert(Dialect::Binary).document;
    let leaf = |map: &Document| map.objects.iter().position(|object| object.members[0].kind == MemberKind::Model);
    let place = leaf(&binary).unwrap();
    assert_eq!(binary.objects[place].scale, [2.0, 3.0, 4.0]);
    binary.objects[place].scale = [5.0, 6.0, 7.0];
    assert_eq!(first_model(&binary.convert(Dialect::A7).document).scale, [5.0, 6.0, 7.0]);
}

#[test]
fn single_precision_is_reported() {
    let mut map = Document::new(Dialect::A7);
    add_block(&mut map, cube(0, &Face { ambient: 0.1, albedo: 0.2, ..sample_face() }), at([0.0; 3], [0.0; 3]));
    let light = Light { colour: [0.0; 3], range: 0.3, flags: Some(LightFlags(0)) };
    add_entity(&mut map, EntityKind::Light(light), at([0.0; 3], [0.0; 3]));
    let numbers = Model { ambient: 0.1, albedo: Some(f64::NAN), ..model("a.mdl", 20) };
    add_entity(&mut map, EntityKind::Model(numbers), at([0.0; 3], [0.0; 3]));
    let EntityKind::Level(level) = &mut map.entities[0].kind else { panic!("the level") };
    (level.azimuth, level.elevation) = (0.1, 0.5);
    assert_eq!(
        losses(&map.convert(Dialect::Binary)),
        [
            "approximated: blocks[0]: light of a texture or model, in single precision (13 times)",
            "approximated: entities[0]: the direction of the sun, in single precision",
            "approximated: entities[1]: the range of a light, in single precision",
        ]
    );
}

#[test]
fn names_are_shortened_to_what_text_can_store() {
    let mut map = Document::new(Dialect::Binary);
    let odd = Model { name: " a // b ".into(), action: "}".into(), ..model("c>d // e.mdl", 20) };
    let leaf = Object { name: " leaf // x ".into(), ..at([0.0; 3], [0.0; 3]) };
    add_entity(&mut map, EntityKind::Model(odd), leaf);
    add_block(&mut map, cube(0, &Face { texture: "//red brick ".into(), ..sample_face() }), at([0.0; 3], [0.0; 3]));
    for target in [Dialect::A7, Dialect::A5, Dialect::A4, Dialect::Resolved] {
        let mut converted = map.convert(target);
        let bytes = converted.document.to_bytes().unwrap_or_else(|error| panic!("{target:?}: {error}"));
        // The six faces, the leaf, and three names of the model.
        has(
            &losses(&converted),
            &["approximated: objects[1]: a name with spaces or marks that text cannot store (10 times)"],
        );
        converted.document.forget_source();
        let again = Document::from_bytes(&bytes).unwrap();
        let model = first_model(&again);
        assert_eq!((&model.name, &model.action), (&"a".into(), &Name::NONE), "{target:?}");
        assert_eq!(model.file, if target == Dialect::Resolved { "c>d" } else { "c" }, "{target:?}");
        let leaves = again.objects.iter().filter(|object| object.name == "leaf // x").count();
        assert_eq!(leaves, usize::from(target != Dialect::Resolved), "{target:?}");
        if target == Dialect::A7 {
            let mut again = again;
            assert_eq!(blocks(&mut again).next().unwrap().faces[0].texture, "red_brick");
        }
    }
}

#[test]
fn losses_of_resolved_maps_are_reported() {
    let mut map = Document::new(Dialect::A5);
    map.wed.as_mut().unwrap().views = Some(vec!["window".into()]);
    let sound = Sound { file: "a.wav".into(), ..Sound::default() };
    add_entity(&mut map, EntityKind::Sound(sound), at([0.0; 3], [0.5, 0.25, -1.0]));
    let path = Path { number: 2.0, ..Path::default() };
    add_entity(&mut map, EntityKind::Path(path), Object { name: "a leaf".into(), ..at([0.0; 3], [0.0; 3]) });
    map.entities[1].comment = "a comment".into();
    map.entities[2].lines = vec!["a line".into()];
    let mut flat = cube(0, &Face { vectors: None, ..sample_face() });
    if let Shape::Mesh(mesh) = &mut flat.shape {
        mesh.faces[0].corners.clear();
        mesh.faces[1].corners = vec![0, 1, 99].into();
    }
    add_block(&mut map, flat, at([0.0; 3], [0.0; 3]));
    map.blocks.push(Part::new(cube(1, &sample_face())));
    let resolved = map.convert(Dialect::Resolved);
    let reported = losses(&resolved);
    has(
        &reported,
        &[
            "dropped: wed: windows of the editor",
            "dropped: blocks[0]: a face without an area",
            "dropped: blocks[0]: faces with vertex indices out of range",
            "dropped: blocks[1]: a part that is not below the root",
            "dropped: objects[2]: the name of an object",
            "dropped: entities[1]: a comment that is not the name",
            "dropped: entities[2]: unknown lines",
            "dropped: entities[2]: the number after the name of a path",
        ],
    );

    // Sounds are rotated, and back.
    let back = resolved.document.convert(Dialect::A7).document;
    let sound = |map: &Document| {
        let is_sound = |entity: usize| matches!(map.entities[entity].kind, EntityKind::Sound(_));
        map.resolve().entities.into_iter().find(|found| is_sound(found.entity)).unwrap().rotation.concat()
    };
    let turns = [sound(&map), sound(&resolved.document), sound(&back)];
    for turn in &turns[1..] {
        assert!(turns[0].iter().zip(turn).all(|(a, b)| (a - b).abs() < 1e-6), "{turns:?}");
    }

    // Chunks and bookmarks come from other maps.
    let mut binary = Document::new(Dialect::Binary);
    binary.entities[0].extra = vec![mapwright_wmp::Chunk { index: 0, bytes: vec![0; 8] }];
    has(&losses(&binary.convert(Dialect::Resolved)), &["dropped: entities[0]: unknown chunks"]);
    let mut old = Document::new(Dialect::A5);
    add_block(&mut old, cube(0, &Face { vectors: None, ..sample_face() }), at([0.0; 3], [0.0; 3]));
    let mut old = old.convert(Dialect::A4).document;
    old.wed.as_mut().unwrap().bookmarks = Some(vec!["here".into()]);
    if let Shape::Planes(faces) = &mut old.blocks[0].shape {
        faces[0].number = 1.0;
    }
    has(
        &losses(&old.convert(Dialect::Resolved)),
        &["dropped: wed: bookmarks", "dropped: blocks[0]: name, number or second flags of a side"],
    );
    let mut resolved = resolved.document;
    resolved.entities[1].comment = "a comment".into();
    has(&losses(&resolved.convert(Dialect::A7)), &["dropped: entities[1]: a comment that is not the name"]);
}

#[test]
fn concave_bodies_are_detected_by_shape() {
    let mut map = Document::new(Dialect::A5);
    let mut dented = cube(0, &Face { vectors: None, ..sample_face() });
    if let Shape::Mesh(mesh) = &mut dented.shape {
        mesh.vertices[7] = [8.0; 3];
    }
    add_block(&mut map, dented, at([0.0; 3], [0.0; 3]));
    let converted = map.convert(Dialect::A4);
    assert_eq!(losses(&converted), ["dropped: blocks[0]: a body that is not convex"]);
    assert!(converted.document.blocks.is_empty());
}

#[test]
fn texture_vectors_of_orphans_are_reported() {
    let mut map = Document::new(Dialect::A7);
    map.blocks.push(Part::new(cube(0, &sample_face())));
    assert_eq!(
        losses(&map.convert(Dialect::A5)),
        ["dropped: blocks[0]: texture vectors of a block that is not below the root"]
    );
}

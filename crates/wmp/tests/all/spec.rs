//! Handmade text maps with known contents.

use mapwright_wmp::{
    BlockFlags, Counts, Dialect, Document, Edge, EntityKind, FaceFlags, LightFlags, LineEnd, Member, MemberKind,
    ModelFlags, Name, Shape, SoundFlags,
};

fn read(text: &str) -> Document {
    let map = Document::from_bytes(text.as_bytes()).unwrap_or_else(|error| panic!("{error}\n{text}"));
    assert_eq!(map.to_bytes().expect("it was read"), text.as_bytes());
    map
}

const A4: &str = "// WMP2\n// ACKWED V 4.24\n// Created 26.03.2000\n\nblocks 1\nentities 2\nobjects 2\n\nwed {\n\twad {\n\t\t0 0 0 0 0\n\
\t\t<my wok.wad> 1\n\t}\n\n\tbookmark {\n\t\t;\n\t}\n\n\tview {\n\t\txy.1 -1 52\n\t\tobject 814 52 914 166\n\t}\n\n}\n\n\
block 0 {\n\t( 0.0 -0.5 32.0 ) ( 0.0 500.0 32.0 ) ( 500.0 0.0 32.0 ) top 1 -2 90 1.00 0.50 : 0101 0.0 50.0 ndef ndef 0.0 10000000\n\
\t{\n\t\t0000\n\t\tndef\n\t}\n}\n\n\
level 0 {\n\t<room.$$w>\n\t<palette.pcx>\n\t30\n\t45.000\n\t60.000\n\t<ndef>\n\t0 0 0\n\t15.68627453 100 0\n}\n\n\
model 1 {\n\t1.0 1.0 2.5\n\t<crate.mdl>\n\tcrate_mdl_000\n\tndef\n\t010 0.0 0 0 0 0 0 -1\n\t'00000001'\n\t0.0\n}\n\n\
object 0 {\n\t(0.0 0.0 0.0) (0.0 0.0 0.0) (1.0 1.0 1.0)\n\tobject 1\n\tlevel 0\n}\n\n\
object 1 {\n\t(1.0 2.0 3.25) (1.570796 0.0 0.0) (1.0 1.0 1.0)\n\tmodel 1\n}\n\n";

#[test]
fn a4() {
    let mut map = read(A4);
    assert_eq!((map.dialect, map.line_end), (Dialect::A4, LineEnd::Lf));
    assert_eq!((&map.header.generator, &map.header.created), (&"ACKWED V 4.24".into(), &"26.03.2000".into()));
    assert_eq!(map.header.counts, Some(Counts { blocks: 1, entities: 2, objects: 2 }));
    let wed = map.wed.as_ref().expect("settings");
    assert_eq!(
        (&wed.wad_head, &wed.wads[0].path, wed.wads[0].enabled),
        (&Some("0 0 0 0 0".into()), &"my wok.wad".into(), 1)
    );
    assert_eq!(wed.bookmarks.as_deref(), Some(&[";".into()][..]));
    assert_eq!(wed.views.as_ref().map(Vec::len), Some(2));
    let Shape::Planes(faces) = &map.blocks[0].shape else { panic!("planes") };
    assert_eq!(faces[0].points, [[0.0, -0.5, 32.0], [0.0, 500.0, 32.0], [500.0, 0.0, 32.0]]);
    assert_eq!((&faces[0].texture, faces[0].mapping), (&"top".into(), [1.0, -2.0, 90.0, 1.0, 0.5]));
    assert_eq!((faces[0].flags, faces[0].flags2, faces[0].albedo), (FaceFlags(5), FaceFlags(128), 50.0));
    assert_eq!((map.blocks[0].index, &map.blocks[0].material), (None, &Name::NONE));
    let level = map.level().expect("a level");
    assert_eq!((&level.wad, level.nexus, level.azimuth, level.elevation), (&"room.$$w".into(), 30, 45.0, 60.0));
    assert_eq!(level.colours, [[0.0; 3], [15.686_274_53, 100.0, 0.0]]);
    let EntityKind::Model(model) = &map.entities[1].kind else { panic!("a model") };
    assert_eq!((model.scale, &model.file, &model.action), ([1.0, 1.0, 2.5], &"crate.mdl".into(), &Name::NONE));
    assert_eq!((*model.skills[0].get(), model.skills[0].text()), (10.0, Some("010")));
    assert_eq!(
        (model.skills.len(), model.flags, model.flag_digits, model.albedo),
        (8, ModelFlags::FLAG1, Some(8), None)
    );
    assert_eq!(map.objects[1].position, [1.0, 2.0, 3.25]);
    assert_eq!(
        map.objects[0].members.as_slice(),
        [Member { kind: MemberKind::Object, number: 1 }, Member { kind: MemberKind::Level, number: 0 }]
    );
    map.forget_source();
    assert_eq!(String::from_utf8(map.to_bytes().expect("a map")).expect("text"), A4);
}

const A7: &str = "// WMP2\n// WMPIO V 1.30\n// Created 01.02.2020\n\nversion 710\n\nblocks 1\nentities 5\nobjects 1\n\n\
wed {\n\tfolder {\n\t\t<textures> 1\n\t}\n}\n\n\
block 0 {\n\tvertices 4\n\tfaces 1\n\t0 0 48   48 0 -0   -24 -32.25 0\n\t-24 32 0\n\
\t3  0 1 2 : 20___Default [ 0 0 1 0 0.5 1 ] ( 5.333333 0 0 0 ) ( 0 0 -5.333333 1.5 ) 8 -4 15 0.5 2 : 00010000000000000000000000000000 -20 50 mtl\n\
\t{\n\t\t00100000\n\t\tmtl bump\n\t\t0\n\t}\n}\n\n\
level 0 {   // Root\n\t<map.$$w>\n\t<palette.pcx>\n\t400\n\t45\n\t60\n\t<main.c>\n\t100.000000 -0.000000 18.823530\n}\n\n\
light 1 {\n\t78.431374 -0.000000 50.196079 300 0100\n}\n\n\
sound 2 {\n\t<wind loop.ogg>\n\t0001\n\t80 0 1 3000\n}\n\n\
model 3 {   // b\n\t1 1 1\n\t<a.mdl>\n\tb\n\tplayer, idle\n\t0 1 2 3 4 5 6 7\n\t0000000100000000\n\t-1\n\t50\n\tpath_000\n\tndef\n}\n\n\
path 4 {   // path_000\n\tpath_000\n\t2\n\t8\n\t0 0 0\n\t100 50 25.5\n\t1 2 3 4 5 6\n\t0 0 0 0 0 0\n\t1 2 1 0 0 0.25\n}\n\n\
object 0 {  // Waste Recycling\n\t(0 0 0) (0 0 0) (1 1 1)\n\tobject 1, 2, 3, 4, 5, 6, 7, 8, 9, 10\n\tobject 11\n\tlevel 0\n}\n\n";

#[test]
fn a7() {
    let mut map = read(A7);
    assert_eq!(map.dialect, Dialect::A7);
    assert_eq!(map.wed.as_ref().expect("settings").folders[0].path, "textures");
    let block = &map.blocks[0];
    assert_eq!((block.flags, &block.material, block.index), (BlockFlags::CONCAVE, &"mtl bump".into(), Some(0)));
    let Shape::Mesh(mesh) = &block.shape else { panic!("a mesh") };
    assert_eq!((mesh.vertices.len(), mesh.vertices[2]), (4, [-24.0, -32.25, 0.0]));
    assert!(mesh.vertices[1][2].is_sign_negative());
    let face = &mesh.faces[0];
    assert_eq!((&face.corners[..], &face.texture), (&[0, 1, 2][..], &"20___Default".into()));
    assert_eq!(face.uvs.as_deref(), Some(&[0.0, 0.0, 1.0, 0.0, 0.5, 1.0][..]));
    assert_eq!(face.vectors.as_deref(), Some(&[[5.333_333, 0.0, 0.0, 0.0], [0.0, 0.0, -5.333_333, 1.5]]));
    assert_eq!(face.mapping.as_deref(), Some(&[8.0, -4.0, 15.0, 0.5, 2.0]));
    assert_eq!((face.flags, face.ambient, face.albedo, &face.material), (FaceFlags::LOCAL, -20.0, 50.0, &"mtl".into()));
    assert_eq!((map.level().expect("a level").nexus, &map.entities[0].comment), (400, &"Root".into()));
    let EntityKind::Light(light) = &map.entities[1].kind else { panic!("a light") };
    assert_eq!((light.range, light.flags), (300.0, Some(LightFlags(4))));
    let EntityKind::Sound(sound) = &map.entities[2].kind else { panic!("a sound") };
    assert_eq!(
        (&sound.file, sound.flags, sound.numbers),
        (&"wind loop.ogg".into(), SoundFlags(1), [80.0, 0.0, 1.0, 3000.0])
    );
    let EntityKind::Model(model) = &map.entities[3].kind else { panic!("a model") };
    assert_eq!((&model.action, model.ambient, model.albedo), (&"player, idle".into(), -1.0, Some(50.0)));
    assert_eq!((model.flags, &model.tail[..]), (ModelFlags::INVISIBLE, &["path_000".into(), Name::NONE][..]));
    let EntityKind::Path(path) = &map.entities[4].kind else { panic!("a path") };
    assert_eq!((path.nodes[1].point, path.nodes[0].skills), ([100.0, 50.0, 25.5], [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]));
    assert_eq!(path.edges, [Edge { from: 1, to: 2, weight: 1.0, numbers: [0.0, 0.0, 0.25] }]);
    assert_eq!((&map.objects[0].name, map.objects[0].members.len()), (&"Waste Recycling".into(), 12));
    map.forget_source();
    assert_eq!(String::from_utf8(map.to_bytes().expect("a map")).expect("text"), A7);
}

const RESOLVED: &str = "// wmpio (1.30), 01.02.2020\r\n\r\nversion 711\r\n\r\n\r\n{ //level\r\n\t0\r\n\tmap.$$w\r\n\tpalette.pcx\r\n\
\t{   // 0\r\n\t\tvertices 1\r\n\t\tfaces 1\r\n\t\t32 -64 32\r\n\t\t1  0 : brick ( 0 2 0 8 ) ( 0.5 -0 0 -4 ) : 0000 0 50 ndef\r\n\
\t\t{\r\n\t\t\t0000\r\n\t\t\tndef\r\n\t\t\t0\r\n\t\t}\r\n\t}\r\n}\r\n{ //sun\r\n\t5\r\n\t45\r\n\t60\r\n}\r\n\
{ //model\r\n\t7\r\n\t0.5 0 0\r\n\t57.29578 0 0\r\n\t1 1 2\r\n\tmy guard.mdl\r\n\tguard\r\n\tplayer, idle\r\n\
\t0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19\r\n\t0000\r\n\t0\r\n\t50\r\n\t1\r\n\t0\r\n\tmat_a\r\n}\r\n\
{ //model\r\n\t3\r\n\t1 2 3\r\n\t0 0 0\r\n\t1 1 1\r\n\ta.mdl\r\n\tb\r\n\tndef\r\n\t0 0 0 0 0 0 0 0\r\n\t0000\r\n\t0\r\n}\r\n\
{ //path\r\n\t6\r\n\tpath_000\r\n\t1\r\n\t3\r\n\t50 60 70\r\n\t0 0 0 0 0 0\r\n}\r\n";

#[test]
fn resolved() {
    let mut map = read(RESOLVED);
    assert_eq!((map.dialect, map.line_end), (Dialect::Resolved, LineEnd::Crlf));
    assert_eq!((&map.header.generator, &map.header.created), (&"wmpio (1.30)".into(), &"01.02.2020".into()));
    let level = map.level().expect("a level");
    assert_eq!(
        (&level.wad, &level.palette, level.azimuth, level.elevation),
        (&"map.$$w".into(), &"palette.pcx".into(), 45.0, 60.0)
    );
    let kinds: Vec<MemberKind> = map.entities.iter().map(|entity| entity.member_kind()).collect();
    assert_eq!(kinds, [MemberKind::Level, MemberKind::Model, MemberKind::Model, MemberKind::Path]);
    let EntityKind::Model(model) = &map.entities[1].kind else { panic!("a model") };
    assert_eq!(
        (&model.file, model.albedo, &model.tail[..]),
        (&"my guard.mdl".into(), Some(50.0), &["1".into(), "0".into(), "mat_a".into()][..])
    );
    let held: Vec<(MemberKind, u32)> =
        map.objects[1..].iter().map(|object| (object.members[0].kind, object.members[0].number)).collect();
    assert_eq!(held, [(MemberKind::Block, 0), (MemberKind::Model, 1), (MemberKind::Model, 2), (MemberKind::Path, 3)]);
    assert_eq!(
        (map.objects[2].position, map.objects[2].angles, map.objects[2].scale),
        ([0.5, 0.0, 0.0], [57.295_78, 0.0, 0.0], [1.0, 1.0, 2.0])
    );
    assert_eq!(map.objects[0].members.len(), 5);
    map.forget_source();
    assert_eq!(String::from_utf8(map.to_bytes().expect("a map")).expect("text"), RESOLVED);
}

#[test]
fn the_dialect_of_text_without_a_version_follows_from_its_faces() {
    let block = |faces: &str| {
        format!("block 0 {{\n\tvertices 1\n\tfaces 1\n\t0 0 0\n\t{faces}\n\t{{\n\t\t0000\n\t\tndef\n\t}}\n}}\n")
    };
    assert_eq!(read(&block("1  0 : a 0 0 0 1 1 : 0000 0 50 ndef")).dialect, Dialect::A5);
    assert_eq!(read(&block("1  0 : a ( 1 0 0 0 ) ( 0 1 0 0 ) 0 0 0 1 1 : 0000 0 50 ndef")).dialect, Dialect::A7);
    assert_eq!(read("object 0 {\n\t(0 0 0) (0 0 0) (1 1 1)\n}\n").dialect, Dialect::A4);
    // Unknown lines of a level must not affect the detection of blocks.
    let level =
        "level 0 {\n\t<a.wdl>\n\t<p.pcx>\n\t30\n\t0\n\t60\n\tversion 710\n\tblock 0 {\n\tvertices 8\n\t: (\n\t}\n}\n";
    assert_eq!(read(&format!("// WMP2\n{level}")).dialect, Dialect::A4);
    assert_eq!(read(&format!("// WMP2\n{level}{}", block("1  0 : a 0 0 0 1 1 : 0000 0 50 ndef"))).dialect, Dialect::A5);
}

/// The contents of a tetrahedron with texture coordinates instead of vectors and mapping, as WMPIO writes them.
const MAPPED: &str = "// WMP2\n\nversion 710\n\nblocks 1\nentities 0\nobjects 2\n\nblock 0 {\n\tvertices 4\n\tfaces 4\n\t0 0 0   64 0 0   \
                      0 64 0\n\t0 0 64\n\t3  0 2 1 : tex [ 0 0 1 0 0 1 ] : 0000 0 50 ndef\n\t3  0 1 3 : tex [ 0 0 1 0 0 1 ] : 0000 0 50 \
                      ndef\n\t3  0 3 2 : tex [ 0 0 1 0 0 1 ] : 0000 0 50 ndef\n\t3  1 2 3 : tex [ 0 0 1 0 0 1 ] : 0000 0 50 ndef\n\t{\n\t\t\
                      00000000000000000000000000100000\n\t\tndef\n\t\t0\n\t}\n}\n\nobject 0 {\n\t(0 0 0) (0 0 0) (1 1 1)\n\tobject 1\n}\n\n\
                      object 1 {\n\t(0 0 0) (0 0 0) (1 1 1)\n\tblock 0\n}\n\n";

#[test]
fn text_stores_texture_coordinates_alone() {
    let map = Document::from_bytes(MAPPED.as_bytes()).unwrap();
    let Shape::Mesh(mesh) = &map.blocks[0].shape else { panic!() };
    assert!(mesh.faces.iter().all(|face| face.uvs.as_deref() == Some(&[0.0, 0.0, 1.0, 0.0, 0.0, 1.0])));
    // Written again from values, and through the binary format.
    let mut changed = map.clone();
    changed.blocks[0].material = "stone".into();
    let text = String::from_utf8(changed.to_bytes().unwrap()).unwrap();
    assert!(text.contains(": tex [ 0 0 1 0 0 1 ] : 0000 0 50 ndef\n"), "{text}");
    let binary = map.convert(Dialect::Binary);
    let bytes = binary.document.to_bytes().unwrap();
    let back = Document::from_bytes(&bytes).unwrap().convert(Dialect::A7);
    let read = Document::from_bytes(&back.document.to_bytes().unwrap()).unwrap();
    let Shape::Mesh(mesh) = &read.blocks[0].shape else { panic!() };
    assert!(mesh.faces.iter().all(|face| face.uvs.as_deref() == Some(&[0.0, 0.0, 1.0, 0.0, 0.0, 1.0])));
    // Without the version, coordinates identify the dialect, too.
    let text = MAPPED.replace("version 710\n\n", "");
    assert_eq!(Document::from_bytes(text.as_bytes()).unwrap().dialect, Dialect::A7);
}

#[test]
fn wrong_counts_are_named() {
    for (from, to, wanted) in [
        ("vertices 4", "vertices 5", "5 vertices declared, 4 found"),
        ("vertices 4", "vertices 3", "3 vertices declared, 4 found"),
        ("faces 4", "faces 5", "5 faces declared, 4 found"),
        ("faces 4", "faces 3", "3 faces declared, 4 found"),
    ] {
        let error = Document::from_bytes(MAPPED.replace(from, to).as_bytes()).unwrap_err();
        assert_eq!((error.kind().to_string(), error.path().to_string()), (wanted.to_owned(), "blocks[0]".to_owned()));
    }
}

/// Source: the public page, whose sample has neither a version nor a level.
#[test]
fn blocks_and_entities_outside_of_a_level_are_read() {
    let sample = "{ // 1\t\t// sequential block number\n vertices 4\n faces 4\n 0 0 0 64 0 0\t// positions\n 0 64 0 0 0 64\n 3 0 2 1 : w ( 0 1 0 0 ) \
                  ( 0 0 -1 0 ) : 0000 0 50 ndef\n 3 0 1 3 : w ( 1 0 0 0 ) ( 0 0 -1 0 ) : 0000 0 50 ndef\n 3 0 3 2 : w ( 0 1 0 0 ) ( 0 0 -1 0 ) : \
                  0000 0 50 ndef\n 3 1 2 3 : w ( 1 0 0 0 ) ( 0 0 -1 0 ) : 0000 0 50 ndef\n {\n 0000\n ndef\n 1\n }\n}\n\n{\n 1\n 1 2 3\n 0 0 0\n home\n}\n";
    for text in [sample.to_owned(), format!("version 711\n\n{sample}")] {
        let map = Document::from_bytes(text.as_bytes()).unwrap();
        assert_eq!((map.dialect, map.blocks.len(), map.entities.len()), (Dialect::Resolved, 1, 1));
        assert_eq!((map.blocks[0].number, map.blocks[0].index), (1, Some(1)));
        assert!(map.to_bytes().unwrap() == text.as_bytes());
        assert_eq!(map.validate().iter().filter(|finding| finding.code == "block-index").count(), 0);
    }
}

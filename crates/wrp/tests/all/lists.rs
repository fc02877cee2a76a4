//! Lists of objects.

use mapwright_testkit::corpus;
use mapwright_wrp::lists::{
    Angles, Centres, Elevation, TERRAIN_BUILDER_ORIGIN, read_csv, read_csv_with, read_lbt, read_pairs,
    read_terrain_builder, write_csv, write_lbt, write_terrain_builder,
};
use mapwright_wrp::{Builder, Document, Matrix, Name, Placements, Wvr};

fn matrices(objects: &mapwright_wrp::Objects) -> &[Matrix] {
    let Placements::Matrices(matrices) = &objects.placements else { panic!("matrices") };
    matrices
}

fn csv(document: &Document) -> Vec<u8> {
    let mut text = Vec::new();
    write_csv(document.rows(), &mut text).unwrap();
    text
}

/// Returns a terrain with unusual objects of every kind.
fn unusual() -> Document {
    let mut builder = Builder::default();
    for (place, name) in
        [&b"data3d\\a.p3d"[..], b"a,\"b\".p3d", b"\xb3\\x41.p3d", b"data3d\\a.p3d"].into_iter().enumerate()
    {
        let model = builder.add_model(&Name::new(name));
        let mut matrix = Angles { yaw: 30.0, pitch: 10.0, roll: -5.0, scale: 1.5 }.to_matrix([1.1, -0.0, 3.3]);
        if place == 1 {
            matrix.up = [f32::from_bits(0x7fa0_0001), f32::NEG_INFINITY, 1.0];
            matrix.position[0] = f32::from_bits(0xffc0_0001);
        }
        if place == 2 {
            matrix.aside = [-1.0, 0.5, 0.0];
            matrix.position[1] = Matrix::FIT_TO_GROUND;
        }
        builder.push(model, matrix, Some([5, -7, 5, i32::MAX][place]));
    }
    Document::Wvr(Wvr { objects: builder.finish(), ..Wvr::new([4, 4]) })
}

#[test]
#[ignore = "needs the corpus"]
fn csv_preserves_all_bits_of_corpus_terrains() {
    let document = unusual();
    assert_eq!(read_csv(&csv(&document)).unwrap(), *document.objects());
    let Some(folder) = corpus("wrp") else { return };
    for name in ["utes.wrp", "grm_world01.wrp"] {
        let document = Document::from_bytes(&std::fs::read(folder.join(name)).unwrap()).unwrap();
        assert!(read_csv(&csv(&document)).unwrap() == *document.objects(), "{name}");
    }
}

#[test]
fn changed_numbers_win_over_the_matrix() {
    let text = String::from_utf8(csv(&unusual())).unwrap();
    let line = text.lines().nth(1).unwrap();
    let mut fields: Vec<&str> = line.split(',').collect();
    assert!(fields[3] == "1.1" && fields[6].starts_with("30.0") || fields[6].starts_with("29.99"), "{line}");
    (fields[3], fields[6]) = ("4.5", "31");
    let changed = text.replace(line, &fields.join(","));
    let objects = read_csv(changed.as_bytes()).unwrap();
    let [first, .., last] = matrices(&objects) else { panic!("four") };
    assert_eq!(first.position, [4.5, -0.0, 3.3]);
    assert!(
        (Angles::from_matrix(first).yaw - 31.0).abs() < 1e-4 && (Angles::from_matrix(first).pitch - 10.0).abs() < 1e-4
    );
    assert_eq!(*last, matrices(unusual().objects())[3]);
}

#[test]
fn a_minimal_table_is_enough() {
    let objects = read_csv(b"\xef\xbb\xbfModel,X,Y,Z\r\na.p3d,1,2,3\r\n\r\n\"b,c.p3d\",4,5.5,6\r\n").unwrap();
    assert_eq!(objects.models, [Name::new(*b"a.p3d"), Name::new(*b"b,c.p3d")]);
    assert_eq!(matrices(&objects), [Matrix::from_position([1.0, 2.0, 3.0]), Matrix::from_position([4.0, 5.5, 6.0])]);
    let mut document = Document::Wvr(Wvr::new([2, 2]));
    document.replace_objects(objects).unwrap();
    assert_eq!(document.objects().ids, [0, 1]);
    document.to_bytes().unwrap();
}

#[test]
fn errors_have_a_line_and_a_field() {
    for (text, expected) in [
        ("x,y,z\n", "line 1: missing column in the header: expected model"),
        ("model\n", "line 1: missing column in the header: expected matrix, or x, y and z"),
        ("model,x,y,z\na,1,2\n", "line 2, field 2: expected x, y and z, because there is no matrix"),
        ("model,x,y,z\na,1,2,b\n", "line 2, field 4: expected a number, found \"b\""),
        ("model,matrix\na,00\n", "line 2, field 2: expected twelve hexadecimal words"),
        ("model,x,y,z\n\"a,1,2,b\n", "line 2, field 1: unclosed quote"),
        ("", "line 1: missing column in the header: expected model"),
        ("model,x,y,z\na,1,nan,3\n", "line 2, field 2: expected finite numbers"),
        ("model,x,y,z,scale\n\na,1,2,3,inf\n", "line 3, field 2: expected finite numbers"),
        ("model,x,y,z\na,1,2,3,4\n", "line 2: 5 fields, expected 4; decimal commas need `;` as separator"),
        ("model,x,y,z,yaws\na,1,2,3,4\n", "line 1, field 5: unknown column yaws; did you mean yaw?"),
        ("model,x,y,z,Y\na,1,2,3,4\n", "line 1, field 5: duplicate column y"),
        ("model,x,y,z\na,1,2,1e39\n", "line 2, field 2: expected finite numbers"),
    ] {
        assert_eq!(read_csv(text.as_bytes()).unwrap_err().to_string(), expected, "{text:?}");
    }
    let document = Document::Wvr(Wvr::new([2, 2]));
    let read = |text: &[u8]| {
        read_terrain_builder(text, (Elevation::Absolute, &Centres::default(), TERRAIN_BUILDER_ORIGIN), &document)
    };
    assert_eq!(read(b"\n\"a\";1;2;x").unwrap_err().to_string(), "line 2, field 4: expected a number, found \"x\"");
    assert_eq!(read_lbt(b"1 2 3").unwrap_err().to_string(), "line 1: expected the line `objects` first");
    assert_eq!(
        read_lbt(b"objects\n1 2 x").unwrap_err().to_string(),
        "line 2, field 3: expected twelve numbers, a 0 and a model, found \"x\""
    );
    assert_eq!(read_lbt(b"objects\n").unwrap_err().to_string(), "line 1: expected the line `end objects`");
    assert!(Centres::from_tml(b"hello").is_err());
}

#[test]
fn tables_of_a_german_spreadsheet_are_read() {
    let objects =
        read_csv(b"\xef\xbb\xbfid;model;x;y;z;scale\r\n7;a,b.p3d;1,5;-2;1e3;0,5\r\n;\"c;d.p3d\";0;4,25;6.5;\r\n")
            .unwrap();
    let positions: Vec<[f32; 3]> = matrices(&objects).iter().map(|matrix| matrix.position).collect();
    assert_eq!(positions, [[1.5, -2.0, 1000.0], [0.0, 4.25, 6.5]]);
    assert_eq!(matrices(&objects)[0].scales(), [0.5; 3]);
    assert_eq!(objects.models, [Name::new(*b"a,b.p3d"), Name::new(*b"c;d.p3d")]);
    let wrong = read_csv(b"model;x;y;z\r\na;1,2;1,2,3;4\r\n").unwrap_err();
    assert_eq!(wrong.to_string(), "line 2, field 3: expected a number, found \"1,2,3\"");
    let centres = Centres::from_csv(b"\xef\xbb\xbfmodel;CX;cy;cz\r\na.p3d;0,5;-1,25;2\r\n").unwrap();
    assert_eq!(centres.get(b"A.p3d"), Some([0.5, -1.25, 2.0]));
    let single = read_pairs(b"old.p3d\r\n").unwrap_err();
    assert_eq!(single.to_string(), "line 1: expected an old and a new name, separated by a comma or a semicolon");
    assert_eq!(read_pairs(b"old.p3d;new.p3d\r\n").unwrap(), [[b"old.p3d".to_vec(), b"new.p3d".to_vec()]]);
}

#[test]
fn lbt_preserves_matrices() {
    let mut document = unusual();
    let mut text = Vec::new();
    write_lbt(document.rows(), &mut text).unwrap();
    assert_eq!(read_lbt(&text).unwrap_err().to_string(), "line 3, field 4: expected a finite number, found \"NaN\"");
    document.objects_mut().retain(|place, _| place != 1);
    text.clear();
    write_lbt(document.rows(), &mut text).unwrap();
    assert_eq!(matrices(&read_lbt(&text).unwrap()), matrices(document.objects()));
}

#[test]
#[ignore = "needs the corpus"]
fn the_original_list_gives_the_matrices_of_the_corpus_terrain() {
    let Some(folder) = corpus("wrp") else { return };
    let file = |name: &str| std::fs::read(folder.join(name)).unwrap();
    let document = Document::from_bytes(&file("grm_world01.wrp")).unwrap();
    let list = read_terrain_builder(
        &file("grm_world01.txt"),
        (Elevation::Relative, &Centres::default(), TERRAIN_BUILDER_ORIGIN),
        &document,
    )
    .unwrap();
    assert_eq!((list.objects.len(), &list.unknown[..]), (512, &[][..]));
    let mut theirs: Vec<&Matrix> = matrices(document.objects()).iter().collect();
    let mut worst = 0.0_f32;
    for own in matrices(&list.objects) {
        let near = |their: &&Matrix| {
            (0..3).filter(|axis| axis % 2 == 0).all(|axis| (own.position[axis] - their.position[axis]).abs() < 1e-3)
        };
        let difference = |their: &Matrix| {
            let (own, their) = (own.numbers(), their.numbers());
            own.iter().zip(their).take(9).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max)
        };
        let place = (0..theirs.len()).filter(|place| near(&theirs[*place]));
        let best = place.min_by(|a, b| difference(theirs[*a]).total_cmp(&difference(theirs[*b]))).expect("a match");
        // The terrain was made with another size.
        worst = worst.max(difference(theirs.remove(best)));
    }
    assert!(theirs.is_empty() && worst <= 4e-7, "{worst}");
    // The angles of the terrain give its matrices.
    let mut worst = 0.0_f32;
    for matrix in matrices(document.objects()) {
        let again = Angles::from_matrix(matrix).to_matrix(matrix.position);
        let differences = matrix.numbers().into_iter().zip(again.numbers()).map(|(a, b)| (a - b).abs());
        worst = differences.fold(worst, f32::max);
    }
    assert!(worst <= 3e-7, "{worst}");
}

#[test]
#[ignore = "needs the corpus"]
fn objects_of_corpus_terrains_are_on_the_ground_if_their_centre_is_known() {
    let Some(folder) = corpus("wrp") else { return };
    let file = |name: &str| std::fs::read(folder.join(name)).unwrap();
    let document = Document::from_bytes(&file("utes.wrp")).unwrap();
    let centres = Centres::from_csv(&file("utes_bounding_centres.csv")).unwrap();
    let ground = document.ground();
    let mut gaps: Vec<f64> = Vec::new();
    for row in document.rows() {
        let model = mapwright_wrp::io::unescape_bytes(&row.model);
        let [x, y, z] = row.matrix.position.map(f64::from);
        let [dx, dy, dz] = centres.offset(&model, &row.matrix);
        gaps.extend(ground.height_at(x - dx, z - dz).map(|below| (y - dy - below).abs()));
    }
    gaps.sort_by(f64::total_cmp);
    assert_eq!(gaps.len(), 14891);
    assert!((gaps[7445] - 0.000_245).abs() < 1e-6, "{}", gaps[7445]);
    let within = |metres: f64| gaps.partition_point(|gap| *gap < metres) as f64 / 14891.0;
    assert!((within(1e-3) - 0.840).abs() < 0.001 && (within(5e-3) - 0.959).abs() < 0.001);
    // The library contains the plants.
    let library = Centres::from_tml(&file("tml_plantsnew.tml")).unwrap();
    let plant = b"dz\\plants\\bush\\b_betulahumilis_1s.p3d";
    assert_eq!(
        (library.get(plant), library.models(b"B_BETULAHUMILIS_1s").last().map(Vec::as_slice)),
        (centres.get(plant), Some(&plant[..]))
    );
    assert_eq!(library.get(b"dz\\plants\\bush\\b_corylusavellana_1f.p3d"), None, "it was never measured");
    // A list for Terrain Builder preserves the positions of objects.
    for elevation in [Elevation::Absolute, Elevation::Relative] {
        let mut text = Vec::new();
        write_terrain_builder(document.rows(), &ground, (elevation, &centres, TERRAIN_BUILDER_ORIGIN), &mut text)
            .unwrap();
        let list = read_terrain_builder(&text, (elevation, &centres, TERRAIN_BUILDER_ORIGIN), &document).unwrap();
        assert_eq!(list.unknown, [""; 0]);
        let places = matrices(&list.objects).iter().zip(matrices(document.objects()));
        let worst = places.flat_map(|(a, b)| a.numbers().into_iter().zip(b.numbers())).map(|(a, b)| (a - b).abs());
        let worst = worst.fold(0.0, f32::max);
        assert!(worst < 0.01, "{worst}");
    }
}

#[test]
#[ignore = "needs the corpus"]
fn headings_of_corpus_terrains_match_the_game() {
    let Some(folder) = corpus("wrp") else { return };
    let document = Document::from_bytes(&std::fs::read(folder.join("utes.wrp")).unwrap()).unwrap();
    let text = std::fs::read_to_string(folder.join("utes_mapgrouppos.xml")).unwrap();
    let mut compared = 0;
    for group in text.split("<group ").skip(1) {
        let numbers = |name: &str| -> Vec<f64> {
            let (_, rest) = group.split_once(name).unwrap();
            rest.split_once('"').unwrap().0.split(' ').map(|number| number.parse().unwrap()).collect()
        };
        let (place, turn) = (numbers("pos=\""), numbers("rpy=\""));
        let there = |matrix: &&Matrix| {
            let [x, y, z] = matrix.position.map(f64::from);
            (x - place[0]).abs() < 1e-5 && (y - place[1]).abs() < 1e-5 && (z - place[2]).abs() < 1e-5
        };
        let found = matrices(document.objects()).iter().find(there).expect("the building");
        let turned = (found.heading() - turn[2]).rem_euclid(360.0);
        assert!(turned.min(360.0 - turned) < 2e-5, "{turned}");
        compared += 1;
    }
    assert_eq!(compared, 92);
}

#[test]
fn terrain_builder_lists_report_their_losses() {
    let document = unusual();
    let mut text = Vec::new();
    let losses = write_terrain_builder(
        document.rows(),
        &document.ground(),
        (Elevation::Absolute, &Centres::default(), TERRAIN_BUILDER_ORIGIN),
        &mut text,
    )
    .unwrap();
    let said: Vec<String> = losses.iter().map(ToString::to_string).collect();
    assert_eq!(
        said,
        [
            "dropped: objects: 1 object whose matrix is not finite",
            "approximated: objects: 1 sheared or mirrored object, approximated by a rotation and a scale",
            "approximated: objects: 2 objects with an unknown bounding centre: their height refers to that centre instead of the ground point",
        ]
    );
    assert_eq!(text.split(|&byte| byte == b'\n').count(), 4);
    // The same file in two folders.
    let mut builder = Builder::default();
    for name in [&b"a\\tree.p3d"[..], b"b\\TREE.p3d", b"A\\bush.p3d", b"a\\BUSH.p3d"] {
        let model = builder.add_model(&Name::new(name));
        builder.push(model, Matrix::from_position([1.0, 2.0, 3.0]), None);
    }
    let terrain = Document::Wvr(Wvr { objects: builder.finish(), ..Wvr::new([4, 4]) });
    let library = Centres::from_csv(b"model,cx,cy,cz\na/x.p3d,0,0,0\nb/x.p3d,0,0,0\n").unwrap();
    let list = b"\"tree\";200001;2;0;0;0;1;0;\n\"bush\";200001;2;0;0;0;1;0;\n\"x\";200001;2;0;0;0;1;0;\n";
    let listed = read_terrain_builder(list, (Elevation::Absolute, &library, TERRAIN_BUILDER_ORIGIN), &terrain).unwrap();
    assert_eq!(
        (&listed.ambiguous[..], &listed.unknown[..]),
        (&["tree: a\\tree.p3d, b\\TREE.p3d".to_owned(), "x: a/x.p3d, b/x.p3d".to_owned()][..], &[][..])
    );
    assert_eq!(listed.objects.models[0], Name::new(*b"b\\TREE.p3d"));
    // Writing reports both paths, too.
    let losses = write_terrain_builder(
        terrain.rows(),
        &terrain.ground(),
        (Elevation::Absolute, &library, TERRAIN_BUILDER_ORIGIN),
        Vec::new(),
    );
    let losses: Vec<String> = losses.unwrap().iter().map(ToString::to_string).collect();
    assert_eq!(losses[0], "approximated: objects: template of several models, tree: a\\tree.p3d, b\\TREE.p3d");
}

#[test]
fn names_with_separators_survive_terrain_builder_lists() {
    let mut builder = Builder::default();
    for name in
        [&b"c\\sp ace.p3d"[..], b"d\\q\"uote;semi.p3d", b"d\\a;b;c.p3d", b"e\\\xe9t\xe9.p3d", b"f\\new\nline.p3d"]
    {
        let model = builder.add_model(&Name::new(name));
        builder.push(model, Matrix::from_position([1.0, 2.0, 3.0]), None);
    }
    let terrain = Document::Wvr(Wvr { objects: builder.finish(), ..Wvr::new([4, 4]) });
    for origin in [TERRAIN_BUILDER_ORIGIN, [500_000.0, 5_400_000.0]] {
        let options = (Elevation::Absolute, &Centres::default(), origin);
        let mut text = Vec::new();
        write_terrain_builder(terrain.rows(), &terrain.ground(), options, &mut text).unwrap();
        let start = format!("\"sp ace\";{:.3};{:.3};", 1.0 + origin[0], 3.0 + origin[1]);
        assert!(text.starts_with(start.as_bytes()), "{}", String::from_utf8_lossy(&text));
        let listed = read_terrain_builder(&text, options, &terrain).unwrap();
        assert_eq!(listed.objects.models, terrain.objects().models);
        assert_eq!(matrices(&listed.objects), matrices(terrain.objects()));
    }
}

#[test]
fn tables_may_be_relative_to_an_origin() {
    let table = b"model,x,y,z\na.p3d,500010.1,2,5400003.25\n";
    let objects = read_csv_with(table, [500_000.0, 5_400_000.0]).unwrap();
    assert_eq!(matrices(&objects)[0].position, [10.1, 2.0, 3.25]);
}

#[test]
fn residues_after_names_survive_a_replaced_table() {
    let mut builder = Builder::default();
    for (rest, id) in [(&b""[..], 1), (b"\0old", 2), (b"\0elder", 3), (b"\0elder", 4)] {
        let model = builder.add_model(&Name { bytes: b"a.p3d".to_vec(), rest: rest.to_vec() });
        builder.push(model, Matrix::from_position([1.0, 2.0, 3.0]), Some(id));
    }
    let mut document = Document::Wvr(Wvr { objects: builder.finish(), ..Wvr::new([4, 4]) });
    let before = document.clone();
    let table = read_csv(&csv(&document)).unwrap();
    assert_eq!(table.models.len(), 1);
    document.replace_objects(table.clone()).unwrap();
    assert_eq!(document, before);
    // Without the first row, objects are found by ID. A new object gets the residue of the first object with its model.
    let mut fewer = table;
    fewer.retain(|place, _| place > 0);
    fewer.ids[2] = 99;
    document.replace_objects(fewer).unwrap();
    let rests: Vec<&[u8]> = document.objects().iter().map(|object| &object.model.unwrap().rest[..]).collect();
    assert_eq!(rests, [&b"\0old"[..], b"\0elder", b"\0elder"]);
}

//! Conversion between variants.

use mapwright_wrp::convert::{ConvertOptions, Grid};
use mapwright_wrp::io::FixedBytes;
use mapwright_wrp::{
    Builder, Document, Export, Heading, LossKind, Matrix, Name, Objects, Placements, Sentinel, Version, Wvr, Wvr8,
};

fn to_wvr4(document: &Document) -> Export<Wvr> {
    let converted = document.to_wvr4(&ConvertOptions::default());
    // The result can be written and read.
    let bytes = Document::Wvr(converted.document.clone()).to_bytes().unwrap();
    assert!(Document::from_bytes(&bytes).unwrap() == Document::Wvr(Wvr { cell: 50.0, ..converted.document.clone() }));
    converted
}

fn to_wvr8(document: &Document) -> Export<Wvr8> {
    let converted = document.to_wvr8();
    let bytes = Document::Wvr8(converted.document.clone()).to_bytes().unwrap();
    assert!(Document::from_bytes(&bytes).unwrap() == Document::Wvr8(converted.document.clone()));
    converted
}

fn texts<D>(converted: &Export<D>) -> Vec<String> {
    converted.losses.iter().map(ToString::to_string).collect()
}

fn objects(names: &[&str]) -> Objects {
    let mut builder = Builder::default();
    for (name, id) in names.iter().zip(5..) {
        let model = builder.add_model(&Name::new(*name));
        builder.push(model, Matrix::from_position([10.0, 2.5, 20.0]), Some(id));
    }
    builder.finish()
}

#[test]
fn every_raw_height_and_index_survives_8wvr() {
    let mut terrain = Wvr::new([256, 256]);
    terrain.heights = (i16::MIN..=i16::MAX).collect();
    terrain.textures = (i16::MIN..=i16::MAX).collect();
    for (slot, name) in terrain.names.iter_mut().enumerate().skip(1).filter(|(slot, _)| slot % 3 > 0) {
        *name = FixedBytes::from_text(format!("landtext\\{slot}.paa").as_bytes()).unwrap();
    }
    terrain.objects = objects(&["data3d\\a.p3d", "data3d\\b.p3d", "data3d\\a.p3d"]);
    let there = to_wvr8(&Document::Wvr(terrain.clone()));
    assert_eq!(texts(&there), [""; 0]);
    let back = to_wvr4(&Document::Wvr8(there.document));
    assert_eq!(texts(&back), [""; 0]);
    assert!(back.document == terrain);
}

#[test]
fn losses_to_8wvr_are_reported() {
    let mut terrain = Wvr::new([2, 2]);
    terrain.heights = vec![100; 4];
    terrain.names[0] = FixedBytes::from_text(b"LandText\\mo.pac").unwrap();
    terrain.names[1] = FixedBytes { raw: *b"a.paa\0old\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0" };
    terrain.objects = objects(&["a.p3d"]);
    terrain.objects.models[0].rest = b"\0x".to_vec();
    let Placements::Matrices(matrices) = &mut terrain.objects.placements else { panic!("matrices") };
    matrices[0].position[1] = Matrix::FIT_TO_GROUND;
    terrain.after = vec![1, 2, 3];
    let converted = to_wvr8(&Document::Wvr(terrain));
    let expected = [
        "dropped: names: name \"LandText\\mo.pac\" of slot 0 (the sea)",
        "dropped: names: 1 name with bytes of an older name after it",
        "dropped: objects.models: 1 name with bytes of an older name after it",
        "dropped: after: 3 trailing bytes",
        "approximated: objects: 1 object that fits to the ground, stored at its height",
    ];
    assert_eq!(texts(&converted), expected);
    let Placements::Matrices(matrices) = &converted.document.objects.placements else { panic!("matrices") };
    assert_eq!(matrices[0].position, [10.0, 4.5, 20.0]);
    assert_eq!(converted.document.sentinel, Some(Sentinel::new()));
    assert_eq!(converted.document.materials, [vec![], vec![b"a.paa".to_vec()]]);
}

#[test]
fn objects_with_missing_columns_are_reported() {
    let mut terrain = Wvr::new([2, 2]);
    terrain.objects = objects(&["a.p3d", "b.p3d"]);
    terrain.objects.ids.pop();
    let converted = to_wvr8(&Document::Wvr(terrain));
    assert_eq!(texts(&converted), ["dropped: objects: 1 object without a matrix or an ID"]);
    assert_eq!((converted.document.objects.len(), &converted.document.objects.ids[..]), (1, &[5][..]));
}

#[test]
fn losses_to_4wvr_are_reported() {
    let mut terrain = Wvr8::new([2, 2], 40.0, 2);
    terrain.heights[..4].copy_from_slice(&[0.01, 2000.0, f32::NAN, -2000.0]);
    let long = "a".repeat(40);
    terrain.materials = vec![vec![b"first.rvmat".to_vec()], vec![format!("dz\\{long}").into_bytes(), b"x".to_vec()]];
    terrain.cells = vec![0, 1, 7, 0];
    terrain.objects = objects(&["a.p3d"]);
    let converted = to_wvr4(&Document::Wvr8(terrain.clone()));
    let losses = texts(&converted);
    let cut = "a".repeat(32);
    let expected = [
        "approximated: materials: 1 material of several files: only the first is stored".to_owned(),
        "dropped: cell: cell size of 20 m: 4WVR does not store it, and the game uses 50 m".to_owned(),
        "approximated: heights: 1 height rounded to steps of 0.045 m (by at most 0.0100 m)".to_owned(),
        "approximated: heights: 2 heights clamped to the range from -1474.560 m to 1474.515 m".to_owned(),
        "repaired: heights: 1 NaN height replaced by 0".to_owned(),
        format!("approximated: materials: \"dz\\{long}\" shortened to \"{cut}\": names have 32 bytes"),
        "approximated: materials: all moved up by one slot, because slot 0 is the sea".to_owned(),
    ];
    assert_eq!(losses, expected);
    let made = converted.document;
    assert_eq!(made.size, [4, 4]);
    assert_eq!(made.names[1].text(), b"first.rvmat", "slot 0 is the sea");
    assert_eq!(made.textures[..4], [1, 1, 2, 2]);
    assert_eq!(made.textures[8..12], [7, 7, 1, 1], "an index out of range is preserved");
    let thin = Document::Wvr8(terrain).to_wvr4(&ConvertOptions::default().with_grid(Grid::Land));
    assert_eq!((thin.document.size, thin.document.cell), ([2, 2], 40.0));
    assert_eq!(thin.document.heights[..2], [0, 0]);
}

#[test]
fn legacy_variants_become_4wvr() {
    let objects = Objects {
        models: vec![Name::new(*b"a.p3d")],
        model: vec![0, 0],
        placements: Placements::Headings(vec![
            Heading { x: 0.5, y: 1.0, z: 0.25, heading: 90.0 },
            Heading { x: 1.0, y: 0.0, z: 1.0, heading: 0.0 },
        ]),
        ids: Vec::new(),
    };
    let version = Version::Wvr2;
    let terrain = Wvr { version, objects, heights: vec![100; 4], terminator: None, ..Wvr::new([2, 2]) };
    let converted = to_wvr4(&Document::Wvr(terrain));
    assert_eq!(
        texts(&converted),
        ["approximated: objects: 2 headings converted to matrices", "synthesized: objects.ids: 2 IDs of objects"]
    );
    assert!(converted.losses.iter().all(|loss| loss.kind != LossKind::Dropped));
    let objects = converted.document.objects;
    assert_eq!(objects.ids, [0, 1]);
    let Placements::Matrices(matrices) = &objects.placements else { panic!("matrices") };
    assert_eq!(matrices[0].position, [25.0, 5.5, 12.5]);
    assert!((matrices[0].heading() - 90.0).abs() < 1e-5);
}

#[test]
#[ignore = "needs the corpus"]
fn corpus_terrains_can_be_converted() {
    let Some(folder) = mapwright_testkit::corpus("wrp") else { return };
    let utes = Document::from_bytes(&std::fs::read(folder.join("utes.wrp")).unwrap()).unwrap();
    let there = to_wvr4(&utes);
    let before = utes.ground();
    let after = there.document.ground();
    assert_eq!((before.size, before.step), (after.size, after.step));
    let worst = before.heights.iter().zip(after.heights.iter()).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max);
    assert!(worst <= 0.022_51, "{worst}");
    assert_eq!(there.document.objects.ids, utes.objects().ids);
    assert_eq!(there.document.objects.placements, utes.objects().placements);
}

//! Versions 0 and 1 of the format, and the materials of their time.

use mapwright_wings::etf::{Builder, Document as Payload, WriterProfile};
use mapwright_wings::{Document, Model, SelectMode};

/// A file of a term.
fn file(make: impl FnOnce(&mut Builder)) -> Document {
    let mut term = Builder::new(WriterProfile::Otp16);
    make(&mut term);
    let payload = Payload::new(term.finish().unwrap()).to_bytes().unwrap();
    let mut bytes = b"#!WINGS-1.0\r\n\x1a\x04".to_vec();
    bytes.extend(u32::try_from(payload.len()).unwrap().to_be_bytes());
    bytes.extend(payload);
    Document::from_bytes(&bytes).unwrap()
}

const POINTS: [[f64; 3]; 4] = [[0.0, 1.0, 0.0], [0.0, -0.5, 1.0], [-1.0, -0.5, -0.5], [1.0, -0.5, -0.5]];
const FACES: [(&str, [i64; 3]); 4] =
    [("default", [0, 1, 3]), ("red", [0, 3, 2]), ("default", [0, 2, 1]), ("default", [1, 2, 3])];

fn faces(term: &mut Builder) {
    term.begin_list();
    for (material, ring) in FACES {
        term.tuple(2);
        term.atom(material);
        term.begin_list();
        ring.into_iter().for_each(|vertex| term.integer(vertex));
        term.end_list();
    }
    term.end_list();
}

fn pairs(term: &mut Builder, pairs: &[[i64; 2]]) {
    term.begin_list();
    for pair in pairs {
        term.tuple(2);
        pair.iter().for_each(|&vertex| term.integer(vertex));
    }
    term.end_list();
}

fn floats(term: &mut Builder, floats: &[f64]) {
    term.tuple(floats.len());
    floats.iter().for_each(|&float| term.float(float));
}

fn property(term: &mut Builder, key: &str) {
    term.tuple(2);
    term.atom(key);
}

fn version_0(matrix: [f64; 16]) -> Model {
    let document = file(|term| {
        term.tuple(3);
        term.atom("wings");
        term.integer(0);
        term.begin_list();
        term.tuple(5);
        term.atom("object");
        term.text("tetra");
        floats(term, &matrix);
        term.tuple(3);
        term.atom("winged");
        faces(term);
        term.begin_list();
        POINTS.iter().for_each(|point| floats(term, point));
        term.end_list();
        term.begin_list();
        property(term, "hard_edges");
        pairs(term, &[[0, 1], [3, 2], [7, 8]]);
        term.end_list();
        term.end_list();
    });
    document.model().unwrap()
}

#[test]
fn version_0_is_moved_by_its_matrix_and_made_smaller() {
    let identity = [1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0];
    let mut by_columns = identity;
    by_columns[12..15].copy_from_slice(&[10.0, 20.0, 30.0]);
    let mut by_rows = identity;
    [by_rows[3], by_rows[7], by_rows[11]] = [10.0, 20.0, 30.0];
    for (matrix, moved) in [(identity, [0.0; 3]), (by_columns, [10.0, 20.0, 30.0]), (by_rows, [10.0, 20.0, 30.0])] {
        let model = version_0(matrix);
        let (_, object) = model.objects().next().unwrap();
        assert_eq!((model.version, object.name.as_str()), (0, "tetra"));
        let expected: Vec<[f64; 3]> =
            POINTS.iter().map(|p| [0, 1, 2].map(|axis| (p[axis] + moved[axis]) * 0.1)).collect();
        assert_eq!(object.mesh.vertices, expected);
        let polygons = object.mesh.polygons().unwrap();
        assert_eq!((polygons.len(), polygons.hard_edges.as_slice()), (4, &[[0, 1], [2, 3]][..]));
        assert_eq!(object.mesh.faces[1].as_ref().map(mapwright_wings::Name::as_str), Some("red"));
        assert_eq!(object.mesh.faces[0], None);
        assert!(object.props.get("hard_edges").is_none());
    }
}

fn version_1(mode: &str, selected: impl FnOnce(&mut Builder), open: bool) -> Model {
    let document = file(|term| {
        term.tuple(5);
        term.atom("wings");
        term.integer(1);
        term.begin_list();
        term.tuple(4);
        term.atom("object");
        term.text("tetra");
        term.tuple(4);
        term.atom("winged");
        if open {
            term.begin_list();
            term.tuple(2);
            term.atom("default");
            term.begin_list();
            [0, 1, 3].into_iter().for_each(|vertex| term.integer(vertex));
            term.end_list();
            term.end_list();
        } else {
            faces(term);
        }
        let bytes: Vec<u8> = POINTS.iter().flatten().flat_map(|c| c.to_be_bytes()).collect();
        term.binary(&bytes);
        pairs(term, &[[0, 1]]);
        term.begin_list();
        property(term, "selected");
        selected(term);
        property(term, "extra");
        term.integer(5);
        term.end_list();
        term.end_list();
        term.begin_list();
        term.tuple(2);
        term.atom("red");
        term.begin_list();
        property(term, "diffuse");
        floats(term, &[1.0, 0.5, 0.0]);
        property(term, "shininess");
        term.float(0.25);
        property(term, "opacity");
        term.float(0.5);
        property(term, "diffuse_map");
        term.integer(7);
        property(term, "secret");
        term.integer(1);
        term.end_list();
        term.end_list();
        term.begin_list();
        property(term, "selmode");
        term.atom(mode);
        term.end_list();
    });
    document.model().unwrap()
}

#[test]
fn version_1_keeps_its_selection_under_the_new_numbers() {
    let integers = |term: &mut Builder, ids: &[i64]| {
        term.begin_list();
        ids.iter().for_each(|&id| term.integer(id));
        term.end_list();
    };
    let one = |model: &Model| {
        let [selection] = &model.selections()[..] else { panic!("{:?}", model.selections()) };
        (selection.mode.clone(), selection.members.clone())
    };
    let model = version_1("vertex", |term| integers(term, &[3, 1, 9]), false);
    assert_eq!(one(&model), (SelectMode::Vertex, vec![(0, vec![1, 3])]));
    let model = version_1("face", |term| integers(term, &[0]), true);
    // The hole face that closes the surface is number 0 now, and vertex 2 is gone.
    assert_eq!(one(&model), (SelectMode::Face, vec![(0, vec![1])]));
    let (_, object) = model.objects().next().unwrap();
    assert_eq!((object.hidden_faces(), object.holes(), object.mesh.vertices.len()), (1, vec![0], 3));
    let model = version_1("edge", |term| pairs(term, &[[3, 0], [1, 2]]), false);
    assert_eq!(one(&model), (SelectMode::Edge, vec![(0, vec![2, 3])]));
    let model = version_1("body", |term| integers(term, &[]), false);
    assert_eq!(one(&model), (SelectMode::Body, vec![(0, vec![0])]));
    let (_, object) = model.objects().next().unwrap();
    assert!(object.props.get("extra").is_some() && object.props.get("selected").is_none());
    assert!(model.props.get("selmode").is_none());
}

#[test]
fn old_materials_become_what_wings_meant_to_make_of_them() {
    let model = version_1("body", |term| pairs(term, &[]), false);
    let red = model.material(&"red".into()).unwrap();
    assert_eq!(red.color("diffuse"), Some([1.0, 0.5, 0.0, 0.5]));
    assert_eq!((red.color("ambient"), red.number("shininess")), (None, Some(0.75)));
    let maps = red.maps();
    assert_eq!((maps.len(), maps[0].0.as_str()), (1, "diffuse"));
    assert_eq!((red.props.pairs().count(), red.upgraded()), (2, None));
}

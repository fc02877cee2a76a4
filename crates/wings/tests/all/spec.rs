//! Hand-assembled bytes, which follow the specification instead of the writer.

use mapwright_io::{Category, Confidence};
use mapwright_wings::{Corner, Document, Object, Shape, Side, sniff};

const HEADER: &[u8; 15] = b"#!WINGS-1.0\r\n\x1a\x04";

/// Terms, assembled byte by byte.
mod term {
    pub(crate) fn atom(name: &str) -> Vec<u8> {
        let mut bytes = vec![100, 0, u8::try_from(name.len()).unwrap()];
        bytes.extend_from_slice(name.as_bytes());
        bytes
    }

    pub(crate) fn byte(value: u8) -> Vec<u8> {
        vec![97, value]
    }

    pub(crate) fn string(text: &str) -> Vec<u8> {
        let mut bytes = vec![107, 0, u8::try_from(text.len()).unwrap()];
        bytes.extend_from_slice(text.as_bytes());
        bytes
    }

    pub(crate) fn tuple(elements: &[Vec<u8>]) -> Vec<u8> {
        let mut bytes = vec![104, u8::try_from(elements.len()).unwrap()];
        bytes.extend(elements.concat());
        bytes
    }

    pub(crate) fn list(elements: &[Vec<u8>]) -> Vec<u8> {
        if elements.is_empty() {
            return vec![106];
        }
        let mut bytes = vec![108];
        bytes.extend(u32::try_from(elements.len()).unwrap().to_be_bytes());
        bytes.extend(elements.concat());
        bytes.push(106);
        bytes
    }

    pub(crate) fn binary(content: &[u8]) -> Vec<u8> {
        let mut bytes = vec![109];
        bytes.extend(u32::try_from(content.len()).unwrap().to_be_bytes());
        bytes.extend_from_slice(content);
        bytes
    }
}

use term::{atom, binary, byte, list, string, tuple};

fn file(term: &[u8]) -> Vec<u8> {
    let mut bytes = HEADER.to_vec();
    bytes.extend(u32::try_from(term.len() + 1).unwrap().to_be_bytes());
    bytes.push(131);
    bytes.extend_from_slice(term);
    bytes
}

const EDGES: [[u8; 8]; 6] = [
    [0, 1, 2, 0, 4, 2, 1, 3],
    [0, 2, 0, 3, 3, 0, 2, 5],
    [0, 3, 3, 2, 5, 1, 0, 4],
    [1, 2, 1, 0, 5, 4, 0, 1],
    [1, 3, 2, 1, 2, 0, 3, 5],
    [2, 3, 1, 3, 4, 3, 1, 2],
];

const RED: [f32; 3] = [1.0, 0.0, 0.0];
const BLUE: [f32; 3] = [0.0, 0.0, 1.0];

fn color(name: &str, color: [f32; 3]) -> Vec<u8> {
    tuple(&[atom(name), binary(color.map(f32::to_be_bytes).as_flattened())])
}

/// The vertex-coloured tetrahedron of the public description. Only edge 0 has its colours here.
fn tetrahedron() -> Vec<u8> {
    let edges = EDGES.iter().enumerate().map(|(index, numbers)| {
        let mut elements = if index == 0 { vec![color("color_rt", BLUE), color("color_lt", RED)] } else { Vec::new() };
        let mut edge = vec![atom("edge")];
        edge.extend(numbers.map(byte));
        elements.push(tuple(&edge));
        list(&elements)
    });
    let vertex = |index: u8| list(&[binary([f64::from(index), 1.5, -0.0].map(f64::to_be_bytes).as_flattened())]);
    let faces = [list(&[]), list(&[tuple(&[atom("material"), atom("red")])]), list(&[]), list(&[])];
    let winged = tuple(&[
        atom("winged"),
        list(&edges.collect::<Vec<_>>()),
        list(&faces),
        list(&(0..4).map(vertex).collect::<Vec<_>>()),
        vec![107, 0, 2, 0, 3],
    ]);
    let props = list(&[tuple(&[atom("plugin_states"), list(&[])]), tuple(&[atom("mode"), atom("vertex")])]);
    let object = tuple(&[atom("object"), string("tetra"), winged, props]);
    file(&tuple(&[atom("wings"), byte(2), tuple(&[list(&[object]), list(&[]), list(&[])])]))
}

fn object(document: &Document) -> Object {
    match &document.model().expect("a scene").shapes[..] {
        [Shape::Object(object)] => object.clone(),
        other => panic!("one object expected: {other:?}"),
    }
}

#[test]
fn the_tetrahedron_is_read() {
    let bytes = tetrahedron();
    assert_eq!(sniff(&bytes), Confidence::Certain);
    let document = Document::from_bytes(&bytes).expect("a file");
    let object = object(&document);
    assert_eq!(object.name.as_str(), "tetra");
    assert_eq!(object.mode().as_deref(), Some("vertex"));
    assert_eq!(object.mesh.hard_edges, [0, 3]);
    assert_eq!(object.mesh.vertices[3].map(f64::to_bits), [3.0, 1.5, -0.0].map(f64::to_bits));
    let faces: Vec<_> = object.mesh.faces.iter().map(|face| face.as_ref().map(ToString::to_string)).collect();
    assert_eq!(faces, [None, Some("red".to_owned()), None, None]);
    let edge = object.mesh.edges[0];
    assert_eq!((edge.left.color, edge.right.color, edge.left.uv), (Some(RED), Some(BLUE), None));
    assert_eq!((edge.start, edge.end, edge.left.face, edge.right.face), (0, 1, 2, 0));
    assert_eq!((edge.left.predecessor, edge.left.successor), (4, 2));
    assert_eq!((edge.right.predecessor, edge.right.successor), (1, 3));
    assert_eq!(document.to_bytes().expect("writes"), bytes);
}

#[test]
fn rings_follow_the_predecessors() {
    let object = object(&Document::from_bytes(&tetrahedron()).expect("a file"));
    let rings = object.mesh.rings().expect("a consistent object");
    let vertices = |corners: &[Corner]| -> Vec<u32> {
        corners.iter().map(|corner| object.mesh.edges[corner.edge as usize].corner(corner.side)).collect()
    };
    // The example in the description has these rings, up to rotation.
    let found: Vec<_> = rings.iter().map(|(face, corners)| (face, vertices(corners))).collect();
    let expected = [(0, vec![1, 0, 2]), (1, vec![1, 2, 3]), (2, vec![0, 1, 3]), (3, vec![2, 0, 3])];
    assert_eq!(found, expected);
    // Face 0 uses the right side of edge 0 and the left side of edge 1.
    assert_eq!(rings.corners[0], Corner { edge: 0, side: Side::Right });
    assert_eq!(rings.corners[1], Corner { edge: 1, side: Side::Left });
}

#[test]
fn an_edit_changes_only_its_bytes() {
    let bytes = tetrahedron();
    let mut document = Document::from_bytes(&bytes).expect("a file");
    let mut model = document.model().expect("a scene");
    if let Shape::Object(object) = &mut model.shapes[0] {
        object.mesh.edges[0].left.color = Some([0.5, 0.0, 0.0]);
    }
    document.set_model(&model).expect("an edit");
    let changed = document.to_bytes().expect("writes");
    let expected = {
        let red = RED.map(f32::to_be_bytes).concat();
        let at = bytes.windows(red.len()).position(|window| window == red).expect("red");
        let mut expected = bytes.clone();
        expected[at..at + 4].copy_from_slice(&0.5_f32.to_be_bytes());
        expected
    };
    assert_eq!(changed, expected);
}

#[test]
fn the_last_of_several_elements_counts_and_others_stay() {
    let double = |color_name: &str| {
        let mut edge = vec![atom("edge")];
        edge.extend(EDGES[0].map(byte));
        list(&[
            tuple(&edge),
            color("color_lt", BLUE),
            atom("bar"),
            color(color_name, RED),
            tuple(&[atom("color_lt"), binary(&[0; 16])]),
        ])
    };
    let winged = tuple(&[atom("winged"), list(&[double("color_lt")]), list(&[]), list(&[]), list(&[])]);
    let object_term = tuple(&[atom("object"), list(&[]), winged, list(&[])]);
    let bytes = file(&tuple(&[atom("wings"), byte(2), tuple(&[list(&[object_term]), list(&[]), list(&[])])]));
    let mut document = Document::from_bytes(&bytes).expect("a file");
    let mut model = document.model().expect("a scene");
    let Shape::Object(object) = &mut model.shapes[0] else { panic!("an object") };
    assert_eq!(object.mesh.edges[0].left.color, Some(RED));
    assert_eq!(object.mesh.extras.len(), 2, "bar, and a colour of a wrong size: {:?}", object.mesh.extras);
    object.mesh.edges[0].left.color = Some([0.25, 0.5, 0.75]);
    document.set_model(&model).expect("an edit");
    assert_eq!(document.model().expect("a scene"), model);
    let differences = document.to_bytes().expect("writes").iter().zip(&bytes).filter(|(a, b)| a != b).count();
    assert!(differences <= 12, "{differences}");
}

#[test]
fn the_header_is_exact() {
    let good = tetrahedron();
    let kinds = |bytes: &[u8]| {
        Document::from_bytes(bytes).map_err(|error| (error.category(), error.position().map(|at| at.offset)))
    };
    assert!(matches!(kinds(b""), Err((Category::Truncated, Some(0)))));
    assert!(matches!(kinds(b"#!WINGS-1.0"), Err((Category::Truncated, _))));
    assert!(matches!(kinds(b"#!WINGS-2.0\r\n\x1a\x04"), Err((Category::Malformed, Some(8)))));
    let mut longer = good.clone();
    longer.push(0);
    assert!(matches!(kinds(&longer), Err((Category::Malformed, Some(15)))));
    assert!(matches!(kinds(&good[..good.len() - 1]), Err((Category::Truncated, Some(15)))));
}

#[test]
fn errors_of_writing_have_a_path_and_no_position() {
    let mut document = Document::from_bytes(&tetrahedron()).expect("a file");
    let mut model = document.model().expect("a scene");
    if let Shape::Object(object) = &mut model.shapes[0] {
        object.mesh.vertices[1][2] = f64::NAN;
    }
    let error = document.set_model(&model).expect_err("no number");
    assert_eq!(error.to_string(), "the number is not finite in shapes[0].mesh.vertices[1]");
    let mut closed: &mut [u8] = &mut [0; 4];
    let error = document.write_to(&mut closed).expect_err("no room");
    assert_eq!((error.category(), error.position(), error.to_string().contains(" at ")), (Category::Io, None, false));
}

#[test]
fn other_versions_are_preserved_but_not_read() {
    let bytes = file(&tuple(&[atom("wings"), byte(3), tuple(&[list(&[]), list(&[]), list(&[])])]));
    let document = Document::from_bytes(&bytes).expect("a file");
    assert_eq!(document.to_bytes().expect("writes"), bytes);
    let error = document.model().expect_err("no version 3");
    assert_eq!((error.category(), error.position().map(|at| at.offset)), (Category::Unsupported, Some(30)));
}

/// A scene without shapes and materials, with these encoded properties.
fn with_props(props: Vec<u8>) -> Document {
    let bytes = file(&tuple(&[atom("wings"), byte(2), tuple(&[list(&[]), list(&[]), props])]));
    Document::from_bytes(&bytes).expect("a file")
}

#[test]
fn settings_are_read_and_changed() {
    let quiet = with_props(list(&[])).model().expect("a scene");
    assert_eq!((quiet.palette(), quiet.current_view(), quiet.scene_prefs().items.len()), (None, None, 0));
    // {1,0.5,0}, none, an unknown entry; 2 in four bytes; {{wpc_pov,aa_depth},3}.
    let half = [&[70], &0.5_f64.to_be_bytes()[..]].concat();
    let colors = list(&[tuple(&[byte(1), half, byte(0)]), atom("none"), atom("odd")]);
    let pref = tuple(&[tuple(&[atom("wpc_pov"), atom("aa_depth")]), byte(3)]);
    let view = tuple(&[atom("view"), list(&[])]);
    let mut document = with_props(list(&[
        tuple(&[atom("scene_prefs"), list(std::slice::from_ref(&pref))]),
        tuple(&[atom("palette"), colors.clone()]),
        tuple(&[atom("current_view"), vec![98, 0, 0, 0, 2]]),
        tuple(&[atom("views"), list(&[view.clone(), view])]),
    ]));
    let before = document.to_bytes().expect("writes");
    let mut model = document.model().expect("a scene");
    let palette = [Some([1.0, 0.5, 0.0]), None, None];
    assert_eq!((model.palette().as_deref(), model.current_view()), (Some(&palette[..]), Some(2)));
    let prefs = model.scene_prefs();
    assert_eq!(prefs.pairs().map(|(key, _)| key.to_text()).collect::<Vec<_>>(), ["{wpc_pov,aa_depth}"]);
    model.set_palette(Some(&palette)).expect("a palette");
    model.set_scene_prefs(&prefs).expect("preferences");
    model.set_current_view(Some(2)).expect("a number");
    document.set_model(&model).expect("no edit");
    assert_eq!(document.to_bytes().expect("writes"), before);
    // Unknown entries stay when only another entry changes.
    let mut other = model.clone();
    other.set_palette(Some(&[None, None, None])).expect("a palette");
    assert_eq!(other.props.get("palette").expect("a palette").to_text(), "[none,none,odd]");
    // A change of one entry keeps the bytes of the others.
    model.set_current_view(None).expect("a number");
    document.set_model(&model).expect("an edit");
    assert!(contains(&document, &colors) && contains(&document, &pref));
    let palette = [None, Some([0.0, 0.25, 1.0])];
    model.set_palette(Some(&palette)).expect("a palette");
    model.set_scene_prefs(&mapwright_wings::PropList::default()).expect("preferences");
    document.set_model(&model).expect("an edit");
    let model = document.model().expect("a scene");
    assert_eq!((model.palette().as_deref(), model.current_view()), (Some(&palette[..]), None));
    assert_eq!(model.scene_prefs().items, []);
    let mut model = model;
    model.set_palette(None).expect("no palette");
    assert!(model.palette().is_none() && model.props.get("palette").is_none());
    model.set_current_view(Some(3)).expect("a number");
    assert_eq!(model.current_view(), None, "there are two views");
}

/// 5 in four bytes, and an atom in UTF-8. No Erlang would write both in one file.
fn unusual_pair(name: &str) -> Vec<u8> {
    let key = [&[119, u8::try_from(name.len()).unwrap()], name.as_bytes()].concat();
    tuple(&[key, vec![98, 0, 0, 0, 5]])
}

fn contains(document: &Document, bytes: &[u8]) -> bool {
    document.payload().tree().as_bytes().windows(bytes.len()).any(|window| window == bytes)
}

#[test]
fn entries_between_insertions_keep_their_bytes() {
    let mut document = with_props(list(&[unusual_pair("a"), unusual_pair("b")]));
    let mut model = document.model().expect("a scene");
    let new = model.props.items[0].clone();
    model.props.items.insert(0, new.clone());
    model.props.items.insert(2, new.clone());
    model.props.items.push(new);
    document.set_model(&model).expect("an edit");
    assert!(contains(&document, &unusual_pair("a")) && contains(&document, &unusual_pair("b")));
    assert_eq!(document.model().expect("a scene"), model);
}

#[test]
fn a_list_keeps_its_encoding_if_its_neighbour_changes() {
    let ones = list(&[byte(1), byte(2)]);
    let mut document = with_props(list(&[tuple(&[atom("foo"), tuple(&[ones.clone(), byte(5)])])]));
    let mut model = document.model().expect("a scene");
    let six = with_props(list(&[tuple(&[atom("foo"), tuple(&[string("\u{1}\u{2}"), byte(6)])])]));
    model.props = six.model().expect("a scene").props;
    document.set_model(&model).expect("an edit");
    assert!(contains(&document, &[&ones[..], &byte(6)].concat()));
}

#[test]
fn a_list_that_ends_in_a_string_is_preserved() {
    let winged = tuple(&[atom("winged"), list(&[]), list(&[]), list(&[]), list(&[])]);
    let object = tuple(&[atom("object"), list(&[]), winged, list(&[])]);
    let mut shapes = list(&[object]);
    shapes.pop();
    shapes.extend(string("abc"));
    let bytes = file(&tuple(&[atom("wings"), byte(2), tuple(&[shapes, list(&[]), list(&[])])]));
    let mut document = Document::from_bytes(&bytes).expect("a file");
    let model = document.model().expect("a scene");
    assert_eq!(model.shapes.len(), 4);
    document.set_model(&model).expect("no edit");
    assert_eq!(document.to_bytes().expect("writes"), bytes);
}

#[test]
fn values_that_cannot_be_encoded_are_reported() {
    let document = Document::from_bytes(&tetrahedron()).expect("a file");
    let mut model = document.model().expect("a scene");
    model.objects_mut().for_each(|(_, object)| object.mesh.vertices[2][1] = f64::NAN);
    let error = document.clone().set_model(&model).expect_err("not finite");
    assert_eq!(error.path().to_string(), "shapes[0].mesh.vertices[2]");
    model.objects_mut().for_each(|(_, object)| {
        object.mesh.vertices[2][1] = 0.0;
        object.mesh.faces[1] = Some("x".repeat(300).into());
    });
    let error = Document::from_model(&model).expect_err("too long");
    assert_eq!(error.path().to_string(), "shapes[0].mesh.faces[1].name");
}

#[test]
fn folders_keep_the_data_of_other_plug_ins() {
    let mut document = with_props(list(&[]));
    let mut model = document.model().expect("a scene");
    let mut object = Object::new("a", mapwright_wings::WingedMesh::default());
    let states = with_props(list(&[tuple(&[
        atom("plugin_states"),
        list(&[
            tuple(&[atom("a"), byte(1)]),
            tuple(&[atom("wings_shape"), string("Folder")]),
            tuple(&[atom("z"), byte(2)]),
        ]),
    ])]));
    object.props = states.model().expect("a scene").props;
    assert_eq!(object.folder().as_deref(), Some("Folder"));
    object.set_folder(Some("X")).expect("a folder");
    assert_eq!(object.folder().as_deref(), Some("X"));
    object.set_folder(None).expect("no folder");
    assert_eq!(object.folder(), None);
    let text = object.props.get("plugin_states").expect("there").to_string();
    assert_eq!(text, "[{a,1},{wings_shape,no_folder},{z,2}]");
    model.shapes.push(Shape::Object(object));
    document.set_model(&model).expect("an edit");
}

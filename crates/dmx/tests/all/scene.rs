//! Models as scenes.

use std::fmt::Write as _;

use mapwright_dmx::scene::mapwright_scene::{Content, Import, Severity, UvOrigin};
use mapwright_dmx::scene::{AxisSystem, ImportOptions, to_scene};
use mapwright_dmx::{Document, ElementId, Encoding, Guid, Reference, Value};
use mapwright_scene::CornerColumn;
use mapwright_testkit::mutate;
use mapwright_testkit::witness::ask;
use mapwright_testkit::{corpus, files_below};

/// Builds models.
struct Model {
    document: Document,
}

impl Model {
    /// Creates a document with an empty model.
    fn new() -> (Self, ElementId) {
        let document = Document::new(Encoding::BINARY_9, "model", 22, "DmElement", Guid::from_hash(b"root"));
        let mut model = Self { document };
        let id = model.add("DmeModel", "model");
        model.refer(ElementId::ROOT, "model", id);
        (model, id)
    }

    fn add(&mut self, class: &str, name: &str) -> ElementId {
        let seed = format!("{class} {name} {}", self.document.elements.len());
        self.document.push(class, name, Guid::from_hash(seed.as_bytes()))
    }

    fn refer(&mut self, from: ElementId, name: &str, to: ElementId) {
        self.document.set(from, name, Value::Element(Reference::Element(to)));
    }

    fn list(&mut self, from: ElementId, name: &str, to: &[ElementId]) {
        let references = to.iter().map(|to| Reference::Element(*to)).collect();
        self.document.set(from, name, Value::ElementArray(references));
    }

    /// Adds a dag with a transform.
    fn dag(&mut self, name: &str, position: [f32; 3], orientation: [f32; 4]) -> ElementId {
        let dag = self.add("DmeDag", name);
        let transform = self.add("DmeTransform", name);
        self.document.set(transform, "position", Value::Vector3(position));
        self.document.set(transform, "orientation", Value::Quaternion(orientation));
        self.refer(dag, "transform", transform);
        dag
    }

    /// Adds a square with a material of two words, and a triangle that has a missing corner.
    fn square(&mut self, flip: bool) -> (ElementId, ElementId) {
        let mesh = self.add("DmeMesh", "square");
        let data = self.add("DmeVertexData", "bind");
        let format = ["position$0", "normal$0", "texcoord$0", "color$0", "tangent$0"];
        let format = self.document.string_array(format);
        let set = |document: &mut Document, name: &str, value| document.set(data, name, value);
        let document = &mut self.document;
        set(document, "vertexFormat", format);
        set(document, "flipVCoordinates", Value::Bool(flip.into()));
        let square = [[0.0, 0.0, 1.0], [2.0, 0.0, 1.0], [2.0, 3.0, 1.0], [0.0, 3.0, 1.0]];
        set(document, "position$0", Value::Vector3Array(square.into()));
        set(document, "position$0Indices", Value::IntArray([0, 1, 2, 3].into()));
        set(document, "normal$0", Value::Vector3Array([[0.0, 0.0, 2.0]].into()));
        set(document, "normal$0Indices", Value::IntArray([0; 4].into()));
        set(document, "texcoord$0", Value::Vector2Array([[0.25, 0.75], [0.5, 1.5]].into()));
        set(document, "texcoord$0Indices", Value::IntArray([0, 1, 0, 1].into()));
        set(document, "color$0", Value::ColorArray([[255, 0, 51, 255]].into()));
        set(document, "color$0Indices", Value::IntArray([0; 4].into()));
        let faces = self.add("DmeFaceSet", "faces");
        self.document.set(faces, "faces", Value::IntArray([0, 1, 2, 3, -1, 0, 1, 7, -1, 0, 1].into()));
        let material = self.add("DmeMaterial", "wood");
        let path = self.document.string_value("materials\\wood.vmat");
        self.document.set(material, "mtlName", path);
        self.refer(faces, "material", material);
        self.list(mesh, "faceSets", &[faces]);
        self.refer(mesh, "bindState", data);
        (mesh, data)
    }

    fn import(&self) -> Import {
        let import = to_scene(&self.document, &ImportOptions::default()).expect("converts");
        let findings = import.scene.validate();
        assert!(findings.iter().all(|finding| finding.severity < Severity::Error), "{findings:?}");
        import
    }
}

fn losses(import: &Import) -> Vec<String> {
    import.losses.iter().map(|loss| loss.text.clone()).collect()
}

#[test]
fn meshes_keep_their_streams() {
    let (mut model, root) = Model::new();
    let dag = model.dag("crate", [1.0, 2.0, 3.0], [0.0, 0.0, 0.0, 1.0]);
    let (mesh, _) = model.square(true);
    model.refer(dag, "shape", mesh);
    model.list(root, "children", &[dag]);
    let import = model.import();
    let scene = &import.scene;
    assert_eq!((scene.metres_per_unit, scene.roots.len(), scene.meshes.len()), (Some(0.0254), 1, 1));
    let node = &scene.nodes[scene.roots[0]];
    let Content::Mesh(mesh) = node.content else { panic!("{node:?}") };
    let mesh = &scene.meshes[mesh];
    assert_eq!((&*node.name, node.transform.point([0.0; 3])), ("crate", [1.0, 3.0, -2.0]));
    // Z up becomes Y up.
    assert_eq!(mesh.positions, [[0.0, 1.0, 0.0], [2.0, 1.0, 0.0], [2.0, 1.0, -3.0], [0.0, 1.0, -3.0]]);
    assert_eq!((mesh.faces.len(), mesh.faces.get(0)), (1, Some(&[0, 1, 2, 3][..])));
    assert_eq!(mesh.normals, Some(CornerColumn::filled(Some([0.0, 1.0, 0.0]), 4)));
    let uvs = &mesh.uv_sets[0];
    assert_eq!(
        (&*uvs.name, uvs.origin, uvs.corners.get(0), uvs.top_left(1)),
        ("texcoord$0", UvOrigin::LowerLeft, Some([0.25, 0.75]), Some([0.5, -0.5]))
    );
    assert_eq!(mesh.color_sets[0].corners.get(3), Some([1.0, 0.0, 0.2, 1.0]));
    let material = &scene.materials[mesh.face_material(0).expect("has a material")];
    assert_eq!(material.reference.as_deref(), Some("materials/wood.vmat"));
    let expected = ["2 faces with less than three corners or with missing positions", "stream tangent$0"];
    assert_eq!(losses(&import), expected);
}

#[test]
fn texture_coordinates_that_are_not_flipped_begin_at_the_top() {
    let (mut model, root) = Model::new();
    let (mesh, _) = model.square(false);
    model.refer(root, "shape", mesh);
    let import = model.import();
    let uvs = &import.scene.meshes.items()[0].uv_sets[0];
    assert_eq!((uvs.origin, uvs.top_left(0)), (UvOrigin::TopLeft, Some([0.25, 0.75])));
}

#[test]
fn transforms_multiply_down_to_the_mesh() {
    let (mut model, root) = Model::new();
    let half = std::f32::consts::FRAC_1_SQRT_2;
    // A quarter turn about Z, then a step along the turned X.
    let outer = model.dag("outer", [10.0, 0.0, 0.0], [0.0, 0.0, half, half]);
    let inner = model.dag("inner", [5.0, 0.0, 0.0], [0.0, 0.0, 0.0, 1.0]);
    let (mesh, data) = model.square(true);
    model.list(root, "children", &[outer]);
    model.list(outer, "children", &[inner]);
    model.refer(inner, "shape", mesh);
    let position = |import: &Import| import.scene.nodes[import.scene.roots[0]].transform.point([1.0, 0.0, 0.0]);
    let near = |found: [f64; 3], expected: [f64; 3]| {
        assert!(found.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-6), "{found:?} {expected:?}");
    };
    // (10, 6, 0) with Z up.
    near(position(&model.import()), [10.0, 0.0, -6.0]);
    // Joints do not move skinned meshes.
    model.document.set(data, "blendindices$0", Value::IntArray([0; 4].into()));
    near(position(&model.import()), [6.0, 0.0, 0.0]);
}

#[test]
fn invalid_transforms_and_weights_are_reported() {
    let (mut model, root) = Model::new();
    // A valid position stays if the rotation is invalid, and the other way round.
    let outer = model.dag("outer", [1.0, 2.0, 3.0], [0.0; 4]);
    let inner = model.dag("inner", [f32::NAN, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0]);
    let (mesh, data) = model.square(true);
    model.document.set(data, "jointWeights", Value::FloatArray([1.0; 4].into()));
    model.list(root, "children", &[outer]);
    model.list(outer, "children", &[inner]);
    model.refer(inner, "shape", mesh);
    let import = model.import();
    let found = losses(&import);
    for expected in ["position that is not finite", "rotation that is not finite or 0", "stream jointWeights"] {
        assert!(found.iter().any(|loss| loss == expected), "{found:?}");
    }
    let point = import.scene.nodes[import.scene.roots[0]].transform.point([1.0, 0.0, 0.0]);
    assert!(point.iter().zip([0.0, 3.0, -2.0]).all(|(found, expected)| (found - expected).abs() < 1e-6), "{point:?}");
}

#[test]
fn axes_of_the_file_are_turned_and_can_be_replaced() {
    let (mut model, root) = Model::new();
    let (mesh, _) = model.square(true);
    model.refer(root, "shape", mesh);
    let axes = model.add("DmeAxisSystem", "axes");
    for (name, value) in [("upAxis", 2), ("forwardParity", 2), ("coordSys", 0)] {
        model.document.set(axes, name, Value::Int(value));
    }
    model.refer(root, "axisSystem", axes);
    // (x, y, z) with Y up is (z, x, y) with Z up, and (z, y, −x) in the scene.
    let import = model.import();
    assert_eq!(import.scene.meshes.items()[0].positions[2], [1.0, 3.0, -2.0]);
    assert!(losses(&import)[0].starts_with("rotated from AxisSystem { up: 2, forward: 2 }"), "{:?}", losses(&import));
    let options = ImportOptions::default().with_axes(AxisSystem::SOURCE);
    let import = to_scene(&model.document, &options).expect("converts");
    assert_eq!(import.scene.meshes.items()[0].positions[2], [2.0, 1.0, -3.0]);
    model.document.set(axes, "coordSys", Value::Int(1));
    assert!(losses(&model.import())[0].starts_with("unknown axes"));
}

#[test]
fn unread_parts_are_reported() {
    let (mut model, root) = Model::new();
    let joint = model.add("DmeJoint", "joint");
    let mesh = model.add("DmeMesh", "empty");
    model.refer(joint, "shape", mesh);
    model.list(root, "children", &[joint]);
    let animations = model.add("DmeAnimationList", "a");
    model.refer(ElementId::ROOT, "animationList", animations);
    assert_eq!(losses(&model.import()), ["mesh \"empty\" has no vertices", "skeleton of 1 joint", "animations"]);
    let document = Document::new(Encoding::BINARY_9, "model", 22, "DmElement", Guid::from_hash(b"root"));
    let import = to_scene(&document, &ImportOptions::default()).expect("converts");
    assert_eq!((losses(&import), import.scene.roots.len()), (vec!["the file contains no model".to_owned()], 0));
}

#[test]
fn cycles_and_shared_dags_end() {
    let (mut model, root) = Model::new();
    let dag = model.dag("a", [0.0; 3], [0.0, 0.0, 0.0, 1.0]);
    model.list(root, "children", &[dag]);
    model.list(dag, "children", &[dag]);
    assert_eq!(losses(&model.import()), ["dags deeper than 256 levels, which may contain themselves"]);
    // Twice as many paths on every level.
    model.list(dag, "children", &[dag, dag]);
    let error = to_scene(&model.document, &ImportOptions::default()).expect_err("too many paths");
    assert_eq!(error.category().name(), "limit");
    // Data that many meshes share.
    let (mut model, root) = Model::new();
    let (mesh, data) = model.square(true);
    let faces = model.document.element(mesh).and_then(|mesh| mesh.children("faceSets").next()).expect("faces").id();
    model.document.set(faces, "faces", Value::IntArray(vec![0; 10_000].into()));
    let dags: Vec<ElementId> = (0..20)
        .map(|_| {
            let (dag, mesh) = (model.add("DmeDag", "d"), model.add("DmeMesh", "m"));
            model.refer(mesh, "bindState", data);
            model.list(mesh, "faceSets", &[faces]);
            model.refer(dag, "shape", mesh);
            dag
        })
        .collect();
    model.list(root, "children", &dags);
    let error = to_scene(&model.document, &ImportOptions::default()).expect_err("too much data");
    assert_eq!(error.category().name(), "limit");
}

#[test]
fn damaged_models_are_valid_scenes() {
    let (mut model, root) = Model::new();
    let dag = model.dag("crate", [1.0, 2.0, 3.0], [0.5; 4]);
    let (mesh, _) = model.square(true);
    model.refer(dag, "shape", mesh);
    model.list(root, "children", &[dag]);
    model.document.lay_out(mapwright_dmx::WriterProfile::Valve);
    let file = model.document.to_bytes().expect("writes");
    let mut converted = 0;
    for mutant in mutate::random(&file, std::slice::from_ref(&file), 1).take(5000) {
        let Ok(document) = Document::from_bytes(&mutant) else { continue };
        let Ok(import) = to_scene(&document, &ImportOptions::default()) else { continue };
        let findings = import.scene.validate();
        assert!(findings.iter().all(|finding| finding.severity < Severity::Error), "{findings:?}");
        converted += 1;
    }
    assert!(converted > 100, "{converted}");
}

/// Prints the vertices, faces, UVs and normals of every mesh, in the axes of the file.
const SCRIPT: &str = "
import sys, zlib, struct
sys.path.insert(0, sys.argv[1])
import dmx_model as M
for file in sys.argv[2:]:
    print('file', file)
    model, meshes = M.meshes(M.D.load(open(file, 'rb').read()))
    for dag, chain, mesh in meshes:
        data = mesh.ref('bindState') or mesh.ref('currentState')
        P, PI = data.floats('position$0', 3), data.ints('position$0Indices')
        T, TI = (data.floats('texcoord$0', 2), data.ints('texcoord$0Indices')) if 'texcoord$0' in data.a else ([], [])
        N, NI = data.floats('normal$0', 3), data.ints('normal$0Indices')
        flip = data.raw('flipVCoordinates')[0]
        print('mesh', dag[-1], len(P))
        for p in P: print('v', *M.world(chain, p))
        for material, ring in M.polygons(mesh):
            print('f', material.replace('\\\\', '/'), *[PI[k] for k in ring])
            if T: print('t', *[x for k in ring for x in (T[TI[k]][0], 1 - T[TI[k]][1] if flip else T[TI[k]][1])])
            print('n', *[x for k in ring for x in M.world([((0, 0, 0), q) for _, q in chain], N[NI[k]])])
";

#[test]
#[ignore = "needs the corpus"]
fn another_decoder_agrees_on_the_corpus_of_models() {
    let files: Vec<_> = corpus("dmxmodel").into_iter().flat_map(|folder| files_below(&folder)).collect();
    let files: Vec<_> = files.into_iter().filter(|path| path.extension().is_some_and(|it| it == "dmx")).collect();
    let Some(expected) = ask(SCRIPT, &files).filter(|_| !files.is_empty()) else { return };
    let (mut found, mut faces, mut vertices, mut meshes) = (String::new(), 0, 0, 0);
    for path in &files {
        let _ = writeln!(found, "file {}", path.display());
        let document = Document::from_bytes(&std::fs::read(path).expect("reads")).expect("reads");
        // The other decoder keeps the axes of the file.
        let options = ImportOptions::default().with_axes(AxisSystem::SOURCE);
        let import = to_scene(&document, &options).expect("converts");
        assert!(
            to_scene(&document, &ImportOptions::default())
                .expect("converts")
                .scene
                .validate()
                .iter()
                .all(|it| it.severity < Severity::Error)
        );
        let back = |[x, y, z]: [f64; 3]| [x, -z, y];
        for id in &import.scene.roots {
            let node = &import.scene.nodes[*id];
            let Content::Mesh(mesh) = node.content else { continue };
            let mesh = &import.scene.meshes[mesh];
            let _ = writeln!(found, "mesh {} {}", node.name, mesh.positions.len());
            for position in &mesh.positions {
                let text = back(node.transform.point(*position)).map(|value| value.to_string());
                let _ = writeln!(found, "v {}", text.join(" "));
            }
            for (face, ring) in mesh.faces.iter().enumerate() {
                let material = mesh.face_material(face).map_or("", |id| &import.scene.materials[id].name);
                let ring: Vec<String> = ring.iter().map(u32::to_string).collect();
                let _ = writeln!(found, "f {material} {}", ring.join(" "));
                let corners = mesh.faces.corner_range(face).expect("is a face");
                if let Some(set) = mesh.uv_sets.first() {
                    let uvs = corners.clone().flat_map(|corner| set.top_left(corner).expect("has a UV"));
                    let _ = writeln!(found, "t {}", uvs.map(|value| value.to_string()).collect::<Vec<_>>().join(" "));
                }
                let normals = mesh.normals.as_ref().expect("has normals").range(corners);
                let normals = normals.flatten().flat_map(|normal| back(node.transform.vector(normal)));
                let _ = writeln!(found, "n {}", normals.map(|value| value.to_string()).collect::<Vec<_>>().join(" "));
            }
            meshes += 1;
            vertices += mesh.positions.len();
            faces += mesh.faces.len();
        }
    }
    agree_nearly(&found, &expected);
    println!("{} files, {meshes} meshes, {vertices} vertices and {faces} faces are equal", files.len());
}

/// Compares lines. Numbers may differ by the rounding of single precision, and normals in their length.
fn agree_nearly(found: &str, expected: &str) {
    assert_eq!(found.lines().count(), expected.lines().count());
    for (number, (ours, theirs)) in found.lines().zip(expected.lines()).enumerate() {
        let tolerance = if ours.starts_with("n ") { 1e-3 } else { 1e-5 };
        let is_near = |(ours, theirs): (&str, &str)| match (ours.parse::<f64>(), theirs.parse::<f64>()) {
            (Ok(ours), Ok(theirs)) => (ours - theirs).abs() <= tolerance * theirs.abs().max(1.0),
            _ => ours == theirs,
        };
        let words = [ours, theirs].map(|line| line.split(' ').collect::<Vec<_>>());
        let [ours_words, theirs_words] = &words;
        let pairs = ours_words.iter().copied().zip(theirs_words.iter().copied());
        let is_same = ours_words.len() == theirs_words.len() && pairs.into_iter().all(is_near);
        assert!(is_same, "line {number}:\n{ours}\n{theirs}");
    }
}

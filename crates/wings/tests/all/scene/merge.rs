//! Changed scenes, merged into their documents.

use mapwright_scene::{Content, Elements, FaceFlags, NamedSet, Node};
use mapwright_wings::scene::{ExportOptions, ImportOptions, from_scene, merge_scene, to_scene};
use mapwright_wings::{Document, Extra, ExtraList, Image, ImageSource, ObjectState, SelectMode, Selection, Shape, etf};

use crate::scenes::{cube, import, scene_of};

/// Parts that are written again lose their unknown terms, with a report.
#[test]
fn a_merge_reports_dropped_terms() {
    let build = |make: &dyn Fn(&mut etf::Builder)| {
        let mut term = etf::Builder::new(etf::WriterProfile::Otp17);
        make(&mut term);
        term.finish().unwrap()
    };
    let unknown = || {
        build(&|term| {
            term.tuple(2);
            term.atom("odd");
            term.atom("thing");
        })
    };
    let mut model = from_scene(&scene_of(cube()), &ExportOptions::default()).unwrap().document.model().unwrap();
    let Shape::Object(object) = &mut model.shapes[0] else { unreachable!() };
    object.mesh.extras.push(Extra { list: ExtraList::Face, index: 1, term: unknown() });
    object.set_state(&ObjectState::HiddenSelected { mode: SelectMode::Face, elements: vec![0] }).unwrap();
    let mut image = Image::new(1, "picture", &ImageSource::External { path: "a.png".into() }).unwrap();
    image.props.items.push(unknown());
    model.set_images(&[image]).unwrap();
    let unknown_list = |first: Option<etf::Term<'_>>| {
        build(&|term| {
            term.begin_list();
            first.and_then(etf::Term::as_list).and_then(etf::List::terms).into_iter().flatten().for_each(|old| {
                term.recode(old);
            });
            term.atom("odd");
            term.end_list();
        })
    };
    let images = unknown_list(model.props.get("images"));
    model.props.set("images", &images).unwrap();
    model.props.set("lights", &unknown_list(None)).unwrap();
    model.props.set("views", &unknown_list(None)).unwrap();
    let mode = SelectMode::Other("odd".into());
    model.add_selection(&Selection { name: Some("s".into()), mode, members: vec![(0, vec![0])] }).unwrap();
    let mut document = Document::from_model(&model).unwrap();
    let read = to_scene(&document, &ImportOptions::default()).unwrap();
    let mut scene = read.scene;
    let node = scene.roots[0];
    scene.meshes.iter_mut().for_each(|(_, mesh)| mesh.face_flags = vec![FaceFlags::HIDDEN; 2]);
    scene.meshes.iter_mut().for_each(|(_, mesh)| mesh.face_flags.resize(6, FaceFlags::NONE));
    scene.images.iter_mut().for_each(|(_, image)| image.name.push('x'));
    let light = scene.lights.push(mapwright_scene::Light::default());
    scene.add_node(None, Node::new("light", Content::Light(light)));
    let camera = scene.cameras.push(mapwright_scene::Camera::default());
    scene.add_node(None, Node::new("camera", Content::Camera(camera)));
    scene.sets.push(NamedSet { members: vec![(node, Elements::Node)], ..NamedSet::default() });
    let losses = merge_scene(&mut document, &scene, &ExportOptions::default()).unwrap();
    for losses in [&read.losses, &losses] {
        for (path, text) in [
            ("", "1 unknown term in entries of the mesh"),
            ("", "the selection that the object had when it was hidden"),
            ("images[0]", "unknown properties odd"),
            ("props.images", "1 entry of an unknown form"),
            ("props.lights", "1 entry of an unknown form"),
            ("props.views", "1 entry of an unknown form"),
            ("selections", "selection"),
        ] {
            let reported =
                losses.iter().any(|loss| loss.path.to_string().starts_with(path) && loss.text.contains(text));
            assert!(reported, "{path} {text}: {losses:#?}");
        }
    }
}

#[test]
fn one_moved_vertex_changes_only_its_bytes() {
    let mut scene = scene_of(cube());
    scene.materials.push(mapwright_scene::Material::new("unused"));
    let mut options = ExportOptions::default();
    options.encode = options.encode.with_packing(etf::Packing::Plain);
    let mut document = from_scene(&scene, &options).unwrap().document;
    let before = document.to_bytes().unwrap();
    let mut scene = import(&document);
    let (_, mesh) = scene.meshes.iter_mut().next().unwrap();
    mesh.positions[7] = [2.0, 1.0, 1.0];
    let losses = merge_scene(&mut document, &scene, &options).unwrap();
    let after = document.to_bytes().unwrap();
    // 1.0 is 3F F0 …, 2.0 is 40 00 ….
    assert_eq!((before.len(), losses.len()), (after.len(), 0));
    assert_eq!(before.iter().zip(&after).filter(|(a, b)| a != b).count(), 2);
}

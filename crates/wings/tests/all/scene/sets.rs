//! Selections as named sets, and back.

use mapwright_scene::{Elements, FaceFlags, NamedSet, Scene};
use mapwright_wings::Document;
use mapwright_wings::scene::{ExportOptions, from_scene, merge_scene};

use super::meshes::torus;
use super::program::Written;
use crate::scenes::{cube, import, scene_of};

/// Wings cannot save a selection of elements that its user cannot select.
#[test]
fn sets_contain_only_selectable_elements() {
    let mut written = Written::new("sets");
    let set = |scene: &mut Scene, elements: Elements| {
        let members = vec![(scene.roots[0], elements)];
        scene.sets = vec![NamedSet { members, ..NamedSet::default() }];
    };
    let mut check = |document: &Document, losses: &mapwright_scene::Losses, left: &[i64]| {
        let selections = document.model().unwrap().selections();
        let ids: Vec<i64> = selections.iter().flat_map(|s| &s.members).flat_map(|(_, ids)| ids.clone()).collect();
        assert_eq!(ids, left);
        assert!(
            losses.iter().any(|loss| loss.text.contains("1 hidden or missing element of the selection")),
            "{losses:?}"
        );
        let errors: Vec<_> =
            document.validate().into_iter().filter(|f| f.severity == mapwright_io::Severity::Error).collect();
        assert!(errors.is_empty(), "{errors:?}");
        written.add(document);
    };
    // A hidden face, in a new document and in one that already had it.
    let mut scene = scene_of(torus(24, 12, 24));
    let mut merged = from_scene(&scene, &ExportOptions::default()).unwrap().document;
    let mut changed = import(&merged);
    for scene in [&mut scene, &mut changed] {
        scene.meshes.iter_mut().for_each(|(_, mesh)| mesh.face_flags = vec![FaceFlags::HIDDEN]);
        scene.meshes.iter_mut().for_each(|(_, mesh)| mesh.face_flags.resize(24 * 12, FaceFlags::NONE));
        set(scene, Elements::Faces(vec![0, 1]));
    }
    let export = from_scene(&scene, &ExportOptions::default()).unwrap();
    check(&export.document, &export.losses, &[1]);
    let losses = merge_scene(&mut merged, &changed, &ExportOptions::default()).unwrap();
    check(&merged, &losses, &[1]);
    // If all elements are hidden, there is no selection.
    set(&mut scene, Elements::Faces(vec![0]));
    let export = from_scene(&scene, &ExportOptions::default()).unwrap();
    check(&export.document, &export.losses, &[]);
    // A vertex without a face.
    let mut scene = scene_of(cube());
    scene.meshes.iter_mut().for_each(|(_, mesh)| mesh.positions.push([9.0; 3]));
    set(&mut scene, Elements::Vertices(vec![3, 8]));
    let export = from_scene(&scene, &ExportOptions::default()).unwrap();
    check(&export.document, &export.losses, &[3]);
    written.verify();
}

/// A file has one live selection. Wings uses the last one.
#[test]
fn the_last_of_several_live_selections_is_kept() {
    let mut scene = scene_of(cube());
    let node = scene.roots[0];
    let set = |name: &str, members: Vec<Elements>| NamedSet {
        name: name.to_owned(),
        members: members.into_iter().map(|elements| (node, elements)).collect(),
        ..NamedSet::default()
    };
    scene.sets = vec![
        set("", vec![Elements::Node]),
        set("", vec![Elements::Vertices(vec![1]), Elements::Faces(vec![2])]),
        set("group", vec![Elements::Node]),
        set("", vec![Elements::Faces(Vec::new())]),
    ];
    // The last set selects nothing, so it does not count.
    let export = from_scene(&scene, &ExportOptions::default()).unwrap();
    let left = export.document.model().unwrap().selections();
    let left: Vec<_> =
        left.iter().map(|s| (s.name.as_ref().map(mapwright_wings::Name::as_str), s.mode.name())).collect();
    assert_eq!(left, [(Some("group"), "body"), (None, "face")]);
    let reported: Vec<_> = export.losses.iter().map(|loss| (loss.path.to_string(), &loss.text[..9])).collect();
    assert_eq!(reported, [("sets[0]".into(), "body sele"), ("sets[1]".into(), "vertex se")]);
}

#[test]
fn many_sets_of_a_large_mesh_are_written_in_linear_time() {
    let mut scene = scene_of(torus(150, 150, 150));
    let members = vec![(scene.roots[0], Elements::Edges(vec![[0, 1]]))];
    let set = |index: u32| NamedSet { name: index.to_string(), members: members.clone(), ..NamedSet::default() };
    scene.sets = (0..40_000).map(set).collect();
    let start = std::time::Instant::now();
    let export = from_scene(&scene, &ExportOptions::default()).unwrap();
    assert!(start.elapsed().as_secs() < 5, "{:?}", start.elapsed());
    assert!(export.losses.is_empty(), "{:?}", export.losses.iter().next());
}

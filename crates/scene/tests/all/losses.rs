//! Losses follow from the capabilities of a format.

use mapwright_scene::*;

fn scene() -> Scene {
    let mut scene = Scene::default();
    let mesh = scene.meshes.push(Mesh {
        name: "Quad".into(),
        positions: vec![[0.0; 3]; 4],
        faces: [[0, 1, 2, 3]].into_iter().collect(),
        uv_sets: vec![UvSet { corners: [Some([0.0; 2]), None, None, None].into_iter().collect(), ..UvSet::default() }],
        hard_edges: vec![[0, 1]],
        ..Mesh::default()
    });
    scene.add_node(None, Node { locked: true, ..Node::new("Quad", Content::Mesh(mesh)) });
    let light = scene
        .lights
        .push(Light { kind: LightKind::Spot { inner: 0.0, outer: 0.5, exponent: 2.0 }, ..Light::default() });
    scene.add_node(None, Node::new("Lamp", Content::Light(light)));
    scene
}

#[test]
fn full_capabilities_lose_nothing() {
    let mut used = Vec::new();
    scene().visit_features(|feature, _, _| used.push(feature));
    assert!(Capabilities::none().full(&used).losses(&scene()).is_empty());
}

#[test]
fn no_capabilities_lose_every_feature_with_its_path() {
    let losses = Capabilities::none().losses(&scene());
    let lines: Vec<String> = losses.iter().map(ToString::to_string).collect();
    assert_eq!(
        lines,
        [
            "dropped: nodes[0]: lock of \"Quad\"",
            "dropped: meshes[0]: mesh of \"Quad\"",
            "dropped: meshes[0]: faces with more than 3 vertices of \"Quad\"",
            "dropped: meshes[0]: texture coordinates of \"Quad\"",
            "dropped: meshes[0]: texture coordinates on parts of faces of \"Quad\"",
            "dropped: meshes[0]: hard edges of \"Quad\"",
            "dropped: lights[0]: spot light",
            "dropped: lights[0]: light falloff",
        ]
    );
}

#[test]
fn other_representations_are_approximations() {
    let capabilities = Capabilities::none().approximated(Feature::Polygons, "triangulated");
    let losses = capabilities.losses(&scene());
    assert_eq!(losses.count(LossKind::Approximated), 1);
    assert!(losses.iter().any(|loss| loss.text == "faces with more than 3 vertices of \"Quad\": triangulated"));
}

#[test]
fn metadata_counts_as_preserved() {
    let mut used = Vec::new();
    scene().visit_features(|feature, _, _| used.push(feature));
    let losses = Capabilities::none().full(&used).preserved(&[Feature::LockedNodes], "in a note").losses(&scene());
    assert_eq!((losses.len(), losses.lost_count()), (1, 0));
    assert_eq!(losses.items[0].to_string(), "preserved: nodes[0]: lock of \"Quad\": in a note");
}

#[test]
fn an_empty_scene_loses_nothing() {
    assert!(Capabilities::none().losses(&Scene::default()).is_empty());
}

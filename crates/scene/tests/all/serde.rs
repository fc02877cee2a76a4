//! The JSON of scenes.
#![cfg(feature = "serde")]

use mapwright_scene::*;

#[test]
fn ids_are_numbers_and_properties_are_pairs() {
    let mut scene = Scene::default();
    let mesh = scene.meshes.push(Mesh { faces: [[0, 1, 2]].into_iter().collect(), ..Mesh::default() });
    let node = scene.add_node(None, Node::new("n", Content::Mesh(mesh)));
    scene.add_node(Some(node), Node::default());
    scene.properties = [("a", Value::Int(1)), ("a", Value::from(vec![Value::Bool(true)]))].into_iter().collect();
    let json = serde_json::to_value(&scene).unwrap();
    assert_eq!(json["roots"], serde_json::json!([0]));
    assert_eq!(json["nodes"][0]["content"], serde_json::json!({ "Mesh": 0 }));
    assert_eq!(json["nodes"][0]["children"], serde_json::json!([1]));
    assert_eq!(json["meshes"][0]["faces"], serde_json::json!({ "corners": [0, 1, 2], "ends": [3] }));
    assert_eq!(json["properties"], serde_json::json!([["a", 1], ["a", [true]]]));
}

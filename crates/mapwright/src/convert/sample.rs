//! A scene to change in tests.

use mapwright_scene::{Content, Node, Scene};

/// Two levels of groups with markers in them, and one marker alone.
pub(super) fn scene() -> Scene {
    let mut scene = Scene::default();
    let folder = scene.add_node(None, Node::new("folder", Content::Group));
    let inner = scene.add_node(Some(folder), Node::new("inner", Content::Group));
    scene.add_node(Some(inner), Node::new("leaf", Content::Marker));
    scene.add_node(Some(folder), Node::new("other", Content::Marker));
    scene.add_node(None, Node::new("alone", Content::Marker));
    scene
}

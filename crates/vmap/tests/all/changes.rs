//! Random changes of maps.

use mapwright_testkit::with_long_names;
use mapwright_vmap::{Document, EditOptions, HiddenFlags, Output, Transform, WriteError};
use proptest::prelude::*;

/// A change. Numbers choose among existing nodes.
#[derive(Debug, Clone)]
pub(crate) enum Change {
    Entity(usize, String),
    Group(usize),
    Instance(usize, usize),
    Node(usize, &'static str),
    Key(usize, String, String),
    Output(usize, String, f32),
    Transform(usize, [f32; 3]),
    Name(usize, String),
    Hide(usize, i32),
    Move(usize, usize),
    Remove(usize),
}

pub(crate) fn change() -> BoxedStrategy<Change> {
    let text = || with_long_names::<String>("[^\0]{0,8}");
    let class =
        prop::sample::select(vec!["CMapCordon", "CMapCable", "CMapMesh", "CMapStaticOverlay", "CMapGameObject"]);
    prop_oneof![
        3 => (any::<usize>(), text()).prop_map(|(at, class)| Change::Entity(at, class)),
        2 => any::<usize>().prop_map(Change::Group),
        1 => any::<(usize, usize)>().prop_map(|(at, group)| Change::Instance(at, group)),
        1 => (any::<usize>(), class).prop_map(|(at, class)| Change::Node(at, class)),
        2 => (any::<usize>(), text(), text()).prop_map(|(at, key, value)| Change::Key(at, key, value)),
        1 => (any::<usize>(), text(), any::<f32>()).prop_map(|(at, target, delay)| Change::Output(at, target, delay)),
        1 => (any::<usize>(), any::<[f32; 3]>()).prop_map(|(at, origin)| Change::Transform(at, origin)),
        1 => (any::<usize>(), text()).prop_map(|(at, name)| Change::Name(at, name)),
        1 => (any::<usize>(), 0..5).prop_map(|(at, flags)| Change::Hide(at, flags)),
        2 => any::<(usize, usize)>().prop_map(|(node, parent)| Change::Move(node, parent)),
        2 => any::<usize>().prop_map(Change::Remove),
    ]
    .boxed()
}

/// Makes a change, if it is possible.
pub(crate) fn apply(map: &mut Document, change: &Change, seed: Option<u64>) {
    let nodes: Vec<_> = map.nodes().map(|visit| visit.node.id()).collect();
    let node = |at: &usize| nodes[at % nodes.len()];
    let before = map.to_bytes().unwrap();
    let mut options = EditOptions::default();
    options.seed = seed;
    let result: Result<(), WriteError> = map.edit_with(&options, |map| match change {
        Change::Entity(at, class) => map.add_entity(node(at), class).map(drop),
        Change::Group(at) => map.add_group(node(at)).map(drop),
        Change::Instance(at, group) => map.add_instance(node(at), node(group)).map(drop),
        Change::Node(at, class) => map.add_node(node(at), class).map(drop),
        Change::Key(at, key, value) => map.set_key(node(at), key, value),
        Change::Output(at, target, delay) => {
            map.add_output(node(at), &Output::new("OnUser1", target, "Use").with_delay(*delay)).map(drop)
        }
        Change::Transform(at, origin) => {
            map.set_transform(node(at), Transform { origin: *origin, ..Transform::IDENTITY })
        }
        Change::Name(at, name) => map.set_name(node(at), name),
        Change::Hide(at, flags) => map.set_hidden(node(at), HiddenFlags(*flags)),
        Change::Move(at, parent) => map.move_to(node(at), node(parent)),
        Change::Remove(at) => map.remove(node(at)),
    });
    if result.is_err() {
        assert_eq!(map.to_bytes().unwrap(), before, "what failed has changed nothing");
    }
}

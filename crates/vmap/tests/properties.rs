//! Laws of maps that are changed in any way.

use std::collections::HashSet;

use mapwright_vmap::io::Severity;
use mapwright_vmap::{Document, HiddenFlags, MapOptions, NodeId, Output, Transform, WriteError};
use proptest::prelude::*;

/// A change; numbers choose among what is there.
#[derive(Debug, Clone)]
enum Change {
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

fn change() -> impl Strategy<Value = Change> {
    let text = "[^\0]{0,8}";
    let class =
        prop::sample::select(vec!["CMapCordon", "CMapCable", "CMapMesh", "CMapStaticOverlay", "CMapGameObject"]);
    prop_oneof![
        3 => (any::<usize>(), text).prop_map(|(at, class)| Change::Entity(at, class)),
        2 => any::<usize>().prop_map(Change::Group),
        1 => any::<(usize, usize)>().prop_map(|(at, group)| Change::Instance(at, group)),
        1 => (any::<usize>(), class).prop_map(|(at, class)| Change::Node(at, class)),
        2 => (any::<usize>(), text, text).prop_map(|(at, key, value)| Change::Key(at, key, value)),
        1 => (any::<usize>(), text, any::<f32>()).prop_map(|(at, target, delay)| Change::Output(at, target, delay)),
        1 => (any::<usize>(), any::<[f32; 3]>()).prop_map(|(at, origin)| Change::Transform(at, origin)),
        1 => (any::<usize>(), text).prop_map(|(at, name)| Change::Name(at, name)),
        1 => (any::<usize>(), 0..5).prop_map(|(at, flags)| Change::Hide(at, flags)),
        2 => any::<(usize, usize)>().prop_map(|(node, parent)| Change::Move(node, parent)),
        2 => any::<usize>().prop_map(Change::Remove),
    ]
}

/// Makes a change, if it can be made.
fn apply(map: &mut Document, change: &Change) {
    let nodes: Vec<_> = map.nodes().map(|visit| visit.node.id()).collect();
    let node = |at: &usize| nodes[at % nodes.len()];
    let before = map.to_bytes().unwrap();
    let result: Result<(), WriteError> = map.edit(|map| match change {
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

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn changed_maps_stay_maps(
        changes in prop::collection::vec(change(), 1..24),
        format in prop::sample::select(vec![18_u32, 29, 30, 40]),
        seed in any::<u64>(),
    ) {
        let mut map = Document::new_with(&MapOptions::default().with_format_version(format).with_seed(seed));
        let empty = map.to_bytes().unwrap();
        for change in &changes {
            apply(&mut map, change);
        }
        // It reads as it was made, laid out as Hammer does.
        let bytes = map.to_bytes().unwrap();
        let read = Document::from_bytes(&bytes).unwrap();
        prop_assert!(read.graph().elements == map.graph().elements);
        prop_assert_eq!(read.graph().profile(), Some(mapwright_vmap::dmx::Profile::Valve));
        // Numbers and identities are unique, nothing is left over, nothing leads nowhere.
        let numbers: Vec<NodeId> = read.nodes().map(|visit| visit.node.node_id().unwrap()).collect();
        prop_assert_eq!(numbers.iter().collect::<HashSet<_>>().len(), numbers.len());
        // Random keys, floats and classes may be odd; meshes are empty.
        let allowed = ["mesh-stream-missing", "mesh-unreadable", "not-finite", "entity-class", "attribute-name", "attribute-case"];
        for finding in read.validate() {
            let allowed = finding.severity == Severity::Note || allowed.contains(&finding.code);
            prop_assert!(allowed, "{}", finding);
        }
        // Taken away again, nothing remains: first instances, then what they show. One whose nodes another shows waits for it.
        let mut map = read;
        loop {
            let all = map.nodes().filter(|visit| visit.node.class() == b"CMapInstance");
            let instances: Vec<_> = all.map(|visit| visit.node.id()).collect();
            if instances.is_empty() {
                break;
            }
            if !instances.into_iter().any(|instance| map.edit(|map| map.remove(instance)).is_ok()) {
                // They stand in what the others show: none can go first.
                return Ok(());
            }
        }
        while let Some(child) = map.nodes().nth(1).map(|visit| visit.node.id()) {
            map.edit(|map| map.remove(child)).unwrap();
        }
        let world = map.world().unwrap();
        let keys: Vec<Vec<u8>> = world.entity().unwrap().keys().map(|(key, _)| key.to_vec()).collect();
        let outputs: Vec<_> = world.node().connections().map(|output| output.element().id()).collect();
        let id = world.node().id();
        map.edit(|map| {
            outputs.iter().try_for_each(|output| map.remove_output(id, *output).map(drop))?;
            for key in keys.iter().filter(|key| !matches!(key.as_slice(), b"classname" | b"targetname")) {
                map.remove_key(id, key)?;
            }
            map.set_key(id, "classname", "worldspawn")?;
            map.set_key(id, "targetname", "")?;
            map.set_name(id, "")?;
            map.set_hidden(id, HiddenFlags::VISIBLE)?;
            map.set_transform(id, Transform::IDENTITY)
        }).unwrap();
        let is_listed = map.visibility().unwrap().nodes().next().is_some();
        prop_assert!(is_listed || map.to_bytes().unwrap() == empty);
    }
}

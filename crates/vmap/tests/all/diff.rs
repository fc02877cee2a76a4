//! Differences between two maps.

use mapwright_vmap::diff::{Diff, FieldChange, NodeChange};
use mapwright_vmap::dmx::{ElementId, Guid, Value};
use mapwright_vmap::{Document, HiddenFlags, MapOptions, Output, Transform};
use proptest::prelude::*;

/// A map with a group of two lamps, and a mesh.
fn map() -> Document {
    let mut map = Document::new_with(&MapOptions::default());
    map.edit(|map| {
        let world = map.world()?;
        let group = map.add_group(world)?;
        for name in ["lamp_1", "lamp_2"] {
            let lamp = map.add_entity(group, "light_omni")?;
            map.set_key(lamp, "targetname", name)?;
        }
        map.add_node(world, "CMapMesh").map(drop)
    })
    .unwrap();
    map
}

/// Returns a node by its number.
fn node(map: &Document, number: i32) -> ElementId {
    map.find(mapwright_vmap::NodeId(number)).unwrap().id()
}

fn between(old: &Document, new: &Document) -> String {
    Diff::between(old, new).to_string()
}

#[test]
fn differences_are_printed() {
    let old = map();
    let numbers: Vec<_> = old.nodes().map(|visit| visit.node.node_id().unwrap().0).collect();
    assert_eq!(numbers, [1, 2, 3, 4, 5]);
    let mut new = old.clone();
    let [world, lamp, other, mesh] = [1, 3, 4, 5].map(|number| node(&new, number));
    new.edit(|map| {
        map.set_transform(lamp, Transform { origin: [0.0, 0.0, 96.0], ..Transform::IDENTITY })?;
        map.set_key(lamp, "brightness", "2")?;
        map.add_output(lamp, &Output::new("OnUser1", "relay", "Trigger"))?;
        map.set_hidden(other, HiddenFlags::QUICK_HIDE)?;
        map.move_to(other, world)?;
        map.remove(mesh)?;
        map.add_entity(world, "info_player_start").map(drop)
    })
    .unwrap();
    assert_eq!(
        between(&old, &new),
        "~ CMapEntity light_omni lamp_1 #3 at 0, 0, 0: connectionsData[0]: none → DmeConnectionData; origin: 0 0 0 → 0 0 96; \
         entity_properties.brightness: none → string 2\n\
         ~ CMapEntity light_omni lamp_2 #4 at 0, 0, 0: parent: CMapGroup #2 at 0, 0, 0 → CMapWorld worldspawn #1 at 0, 0, 0; \
         hidden: visible → quick-hidden\n\
         - CMapMesh #5 at 0, 0, 0\n\
         + CMapEntity info_player_start #6 at 0, 0, 0\n"
    );
}

#[test]
fn saves_of_the_same_map_are_equal() {
    let old = map();
    let mut new = old.clone();
    let graph = new.graph_mut();
    graph.set(ElementId::ROOT, "editorbuild", Value::Int(9999));
    for element in &mut graph.elements {
        element.id = element.id.map(|Guid(bytes)| Guid(bytes.map(|byte| !byte)));
    }
    let diff = Diff::between(&old, &new);
    assert!(diff.is_empty(), "{diff}");
    let aside: Vec<_> = diff.aside.iter().map(|change| change.field.as_str()).collect();
    assert_eq!(aside, ["editorbuild", "identities of nodes (5)"]);
}

#[test]
fn nodes_without_reference_ids_are_matched_by_number() {
    let [mut old, mut new] = [map(), map()];
    let lamp = node(&new, 3);
    new.edit(|map| map.set_key(lamp, "brightness", "2")).unwrap();
    for map in [&mut old, &mut new] {
        let nodes: Vec<_> = map.nodes().map(|visit| visit.node.id()).collect();
        nodes.into_iter().for_each(|node| drop(map.graph_mut().unset(node, "referenceID")));
    }
    let diff = Diff::between(&old, &new);
    let changed: Vec<_> = diff.changed.iter().map(|change| change.old.number).collect();
    assert_eq!((changed, diff.added.len(), diff.removed.len()), (vec![Some(3)], 0, 0), "{diff}");
}

/// Random changes of a map.
fn edits() -> BoxedStrategy<(u8, i32, i16)> {
    (0..4_u8, 2..6, 1..1000_i16).boxed()
}

/// Swaps old and new of a difference, in an order that is independent of the direction.
fn swapped(diff: Diff) -> Diff {
    let fields = |fields: Vec<FieldChange>| -> Vec<FieldChange> {
        fields.into_iter().map(|change| FieldChange { old: change.new, new: change.old, ..change }).collect()
    };
    let turn = |change: NodeChange| NodeChange { old: change.new, new: change.old, fields: fields(change.fields) };
    let changed = diff.changed.into_iter().map(turn).collect();
    Diff { facts: fields(diff.facts), changed, removed: diff.added, added: diff.removed, aside: fields(diff.aside) }
}

fn sorted(mut diff: Diff) -> Diff {
    let by_text = |change: &FieldChange| (change.field.clone(), change.old.clone(), change.new.clone());
    diff.facts.sort_by_key(by_text);
    diff.changed.iter_mut().for_each(|change| change.fields.sort_by_key(by_text));
    diff.changed.sort_by_key(|change| change.old.number);
    diff.added.sort_by_key(|label| label.number);
    diff.removed.sort_by_key(|label| label.number);
    diff
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn a_change_is_named_and_symmetric((kind, number, value) in edits()) {
        let old = map();
        prop_assert_eq!(Diff::between(&old, &old), Diff::default());
        let mut new = old.clone();
        let at = node(&new, number);
        let has_keys = new.node(at).unwrap().entity().is_some();
        let expected = match kind {
            0 => {
                let origin = [f32::from(value), 0.0, 0.0];
                new.edit(|map| map.set_transform(at, Transform { origin, ..Transform::IDENTITY })).unwrap();
                "origin"
            }
            1 if has_keys => {
                new.edit(|map| map.set_key(at, "some_key", value.to_string())).unwrap();
                "entity_properties.some_key"
            }
            2 => {
                new.edit(|map| map.set_hidden(at, HiddenFlags(4))).unwrap();
                "hidden"
            }
            _ => {
                new.edit(|map| map.set_name(at, value.to_string())).unwrap();
                "name"
            }
        };
        let diff = Diff::between(&old, &new);
        prop_assert!(!diff.is_empty() && diff.facts.is_empty() && diff.added.is_empty() && diff.removed.is_empty(), "{diff}");
        prop_assert_eq!(diff.changed.len(), 1);
        prop_assert_eq!(diff.changed[0].old.number, Some(number));
        prop_assert_eq!(&diff.changed[0].fields[0].field, expected);
        prop_assert_eq!(diff.changed[0].fields.len(), 1);
        prop_assert_eq!(sorted(swapped(diff)), sorted(Diff::between(&new, &old)));
    }
}

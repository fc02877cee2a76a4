//! Typical changes.

use std::collections::HashSet;

use mapwright_vmap::diff::Diff;
use mapwright_vmap::dmx::{ElementId, ElementRef, Guid, Reference, Value};
use mapwright_vmap::merge::{Conflict, ConflictKind, MergeOptions, Side, merge};
use mapwright_vmap::{Document, Editor, Entity, HiddenFlags, NodeId, Output, WriteError};

use super::laws::saved_again;
use super::{assert_equal_but_for_order, at, conflict_texts, edited, map, merged, node};

#[test]
fn changes_of_both_sides_are_in_the_result() {
    let base = map();
    let ours = edited(&base, 1, |map, old| {
        map.set_transform(node(old, 3), at(64.0))?;
        map.set_key(node(old, 3), "brightness", "2")?;
        map.set_hidden(node(old, 6), HiddenFlags::QUICK_HIDE)?;
        let world = map.world()?;
        let new = map.add_entity(world, "info_player_start")?;
        map.set_transform(new, at(1.0))
    });
    let theirs = edited(&base, 2, |map, old| {
        map.set_key(node(old, 3), "color", "255 0 0")?;
        map.add_output(node(old, 5), &Output::new("OnUser1", "worldspawn", "Trigger"))?;
        map.move_to(node(old, 5), node(old, 2))?;
        map.remove(node(old, 4))?;
        map.set_hidden(node(old, 7), HiddenFlags::QUICK_HIDE)?;
        let new = map.add_entity(node(old, 2), "light_spot")?;
        map.set_hidden(new, HiddenFlags::SELECTION_SET)?;
        let targets = Value::IntArray([6, 8].into());
        map.graph_mut().set(node(old, 7), "projectionTargets", targets);
        Ok(())
    });
    let merge = merged(&base, &ours, &theirs, Side::Ours);
    assert_eq!(conflict_texts(&merge), [""; 0]);
    let map = merge.document;
    let tree: Vec<_> = map
        .nodes()
        .map(|visit| (visit.depth, visit.node.node_id().unwrap().0, visit.node.entity().map(Entity::classname)))
        .collect();
    // The new light gets another number: ours already has a node 8.
    assert_eq!(
        tree,
        [
            (0, 1, Some(&b"worldspawn"[..])),
            (1, 2, None),
            (2, 3, Some(b"light_omni")),
            (2, 5, Some(b"light_omni")),
            (2, 9, Some(b"light_spot")),
            (1, 6, None),
            (1, 7, None),
            (1, 8, Some(b"info_player_start")),
        ]
    );
    let lamp = map.find(NodeId(3)).unwrap();
    assert_eq!(lamp.transform(), at(64.0));
    let value = |key| lamp.entity().unwrap().get(key).map(<[u8]>::to_vec);
    assert_eq!((value("brightness"), value("color")), (Some(b"2".to_vec()), Some(b"255 0 0".to_vec())));
    assert_eq!(map.find(NodeId(5)).unwrap().connections().count(), 1);
    let hidden = map.visibility().unwrap().hidden().map(|(node, flags)| (node.node_id().unwrap().0, flags.0));
    assert_eq!(hidden.collect::<HashSet<_>>(), HashSet::from([(6, 4), (7, 4), (9, 1)]));
    let overlay = map.find(NodeId(7)).unwrap().element().get("projectionTargets").cloned();
    assert_eq!(overlay, Some(Value::IntArray([6, 9].into())));
    // With swapped sides, only the numbers of new nodes differ.
    let other = merged(&base, &theirs, &ours, Side::Ours);
    assert_eq!(conflict_texts(&other), [""; 0]);
    assert_equal_but_for_order(&map, &other.document);
}

#[test]
fn conflicts_are_reported_and_the_preferred_side_wins() {
    let base = map();
    let ours = edited(&base, 1, |map, old| {
        map.set_transform(node(old, 3), at(64.0))?;
        map.set_key(node(old, 5), "color", "1 1 1")?;
        map.set_name(node(old, 2), "ours")?;
        map.set_hidden(node(old, 6), HiddenFlags::QUICK_HIDE)
    });
    let theirs = edited(&base, 2, |map, old| {
        map.set_transform(node(old, 3), at(96.0))?;
        map.set_key(node(old, 5), "color", "2 2 2")?;
        map.set_name(node(old, 2), "theirs")?;
        map.set_hidden(node(old, 6), HiddenFlags::SELECTION_SET)
    });
    let expected = [
        "CMapGroup ours #2 at 0, 0, 0: name: base CMapGroup \"\", ours CMapGroup \"ours\", theirs CMapGroup \"theirs\"",
        "CMapEntity light_omni lamp_1 #3 at 64, 0, 0: origin: base 0 0 0, ours 64 0 0, theirs 96 0 0",
        "CMapEntity light_omni lamp_2 #5 at 0, 0, 0: entity_properties.color: base none, ours 1 1 1, theirs 2 2 2",
        "CMapMesh #6 at 0, 0, 0: hidden: base visible, ours quick-hidden, theirs hidden by a selection set",
    ];
    for (prefer, x, color, name, flags) in
        [(Side::Ours, 64.0, b"1 1 1", &b"ours"[..], 4), (Side::Theirs, 96.0, b"2 2 2", b"theirs", 1)]
    {
        let merge = merged(&base, &ours, &theirs, prefer);
        assert_eq!(conflict_texts(&merge), expected);
        assert!(merge.conflicts.iter().all(|conflict| conflict.kind == ConflictKind::Field));
        let map = merge.document;
        assert_eq!(map.find(NodeId(3)).unwrap().transform(), at(x));
        assert_eq!(map.find(NodeId(5)).unwrap().entity().unwrap().get("color"), Some(&color[..]));
        assert_eq!(map.find(NodeId(2)).unwrap().name(), name);
        assert_eq!(map.visibility().unwrap().flags(map.find(NodeId(6)).unwrap()).0, flags);
        let diff = Diff::between(if prefer == Side::Ours { &ours } else { &theirs }, &map);
        assert!(diff.is_empty(), "{diff}");
    }
}

#[test]
fn removed_and_changed_nodes_conflict() {
    let base = map();
    let removed = edited(&base, 1, |map, old| map.remove(node(old, 2)));
    let changed = edited(&base, 2, |map, old| map.set_key(node(old, 3), "color", "2 2 2"));
    for (ours, theirs, prefer) in [
        (&removed, &changed, Side::Ours),
        (&removed, &changed, Side::Theirs),
        (&changed, &removed, Side::Ours),
        (&changed, &removed, Side::Theirs),
    ] {
        let merge = merged(&base, ours, theirs, prefer);
        let preferred = if prefer == Side::Ours { ours } else { theirs };
        let diff = Diff::between(preferred, &merge.document);
        assert!(diff.is_empty(), "{diff}");
        assert!(merge.conflicts.iter().all(|one| one.kind == ConflictKind::Removed), "{:?}", merge.conflicts);
        // The lamp, and the group if it stays because of the lamp.
        assert_eq!(
            merge.conflicts.len(),
            if std::ptr::eq(preferred, &removed) { 1 } else { 2 },
            "{:?}",
            conflict_texts(&merge)
        );
    }
    let merge = merged(&base, &removed, &changed, Side::Ours);
    let lamp = "CMapEntity light_omni lamp_1 #3 at 0, 0, 0";
    assert_eq!(conflict_texts(&merge), [format!("{lamp}: base there, ours removed, theirs changed color")]);
}

#[test]
fn nodes_added_to_a_removed_group_move_to_the_world() {
    let base = map();
    let ours = edited(&base, 1, |map, old| {
        map.move_to(node(old, 3), map.world()?)?;
        map.remove(node(old, 2))
    });
    let theirs = edited(&base, 2, |map, old| map.add_entity(node(old, 2), "light_spot").map(drop));
    let merge = merged(&base, &ours, &theirs, Side::Ours);
    assert_eq!(
        conflict_texts(&merge),
        ["CMapEntity light_spot #8 at 0, 0, 0: parent: base none, ours none, theirs CMapGroup #2 at 0, 0, 0"]
    );
    let new = merge.document.nodes().find(|visit| visit.node.node_id() == Some(NodeId(8))).unwrap();
    assert_eq!(new.parent.unwrap().node_id(), Some(NodeId::WORLD));
    // If theirs is preferred, the group stays.
    let merge = merged(&base, &ours, &theirs, Side::Theirs);
    assert_eq!(merge.conflicts.len(), 1, "{:?}", conflict_texts(&merge));
    let new = merge.document.nodes().find(|visit| visit.node.node_id() == Some(NodeId(8))).unwrap();
    assert_eq!(new.parent.unwrap().class(), b"CMapGroup");
}

#[test]
fn moves_do_not_create_cycles() {
    let base = map();
    let ours = edited(&base, 1, |map, old| map.move_to(node(old, 2), node(old, 4)));
    let theirs = edited(&base, 2, |map, old| map.move_to(node(old, 4), node(old, 2)));
    for (prefer, side) in [(Side::Ours, &ours), (Side::Theirs, &theirs)] {
        let merge = merged(&base, &ours, &theirs, prefer);
        assert_eq!(merge.conflicts.len(), 1, "{:?}", conflict_texts(&merge));
        assert_eq!(merge.conflicts[0].kind, ConflictKind::Place);
        assert!(Diff::between(side, &merge.document).is_empty());
    }
}

#[test]
fn targets_of_instances_are_kept() {
    let base = map();
    let ours = edited(&base, 1, |map, old| {
        let world = map.world()?;
        map.add_instance(world, node(old, 2)).map(drop)
    });
    let theirs = edited(&base, 2, |map, old| map.remove(node(old, 2)));
    let merge = merged(&base, &ours, &theirs, Side::Ours);
    assert!(Diff::between(&ours, &merge.document).is_empty());
    assert_eq!(merge.conflicts.len(), 2, "the group and its lamp: {:?}", conflict_texts(&merge));
    let merge = merged(&base, &theirs, &ours, Side::Ours);
    assert!(Diff::between(&theirs, &merge.document).is_empty());
    assert_eq!(conflict_texts(&merge).len(), 1);
    assert_eq!(merge.conflicts[0].field, "parent or target");
}

#[test]
fn selection_sets_have_the_members_of_both_sides() {
    let mut base = map();
    let set = |map: &mut Editor<'_>, name: &str, nodes: &[ElementId]| {
        let graph = map.graph_mut();
        let guid = |text: &str| mapwright_vmap::dmx::Guid::from_hash(text.as_bytes());
        let (set, data) = (
            graph.push("CMapSelectionSet", "", guid(name)),
            graph.push("CObjectSelectionSetDataElement", "objectSelectionSetData", guid(&format!("{name} data"))),
        );
        let name = graph.string_value(name);
        graph.set(set, "selectionSetName", name);
        graph.set(set, "children", Value::ElementArray(Box::default()));
        graph.set(set, "selectionSetData", Value::Element(Reference::Element(data)));
        let nodes = nodes.iter().copied().map(Reference::Element).collect();
        graph.set(data, "selectedObjects", Value::ElementArray(nodes));
        let root = map.map().root_selection_set().unwrap().element();
        let (id, mut sets) =
            (root.id(), root.children("children").map(|set| Reference::Element(set.id())).collect::<Vec<_>>());
        sets.push(Reference::Element(set));
        map.graph_mut().set(id, "children", Value::ElementArray(sets.into()));
        Ok::<(), WriteError>(())
    };
    let [three, five] = [node(&base, 3), node(&base, 5)];
    base.edit(|map| set(map, "lamps", &[three, five])).unwrap();
    let put = |map: &mut Editor<'_>, number: i32| {
        let data = map.map().selection_sets().nth(1).unwrap().0.element().child("selectionSetData").unwrap();
        let (id, mut nodes) =
            (data.id(), data.children("selectedObjects").map(|node| Reference::Element(node.id())).collect::<Vec<_>>());
        nodes.push(Reference::Element(node(map.map(), number)));
        map.graph_mut().set(id, "selectedObjects", Value::ElementArray(nodes.into()));
        Ok(())
    };
    let ours = edited(&base, 1, |map, _| {
        put(map, 6)?;
        set(map, "ours", &[])
    });
    let theirs = edited(&base, 2, |map, old| {
        put(map, 7)?;
        map.remove(node(old, 3))?;
        set(map, "theirs", &[node(old, 4)])
    });
    let merge = merged(&base, &ours, &theirs, Side::Ours);
    assert_eq!(conflict_texts(&merge), [""; 0]);
    let sets: Vec<_> = merge
        .document
        .selection_sets()
        .map(|(set, _)| {
            let nodes = match set.data() {
                mapwright_vmap::SelectionData::Objects(objects) => {
                    objects.nodes().map(|node| node.node_id().unwrap().0).collect()
                }
                _ => Vec::new(),
            };
            (String::from_utf8(set.set_name().to_vec()).unwrap(), nodes)
        })
        .collect();
    let name = |name: &str, nodes: &[i32]| (name.to_owned(), nodes.to_vec());
    assert_eq!(sets[1..], [name("lamps", &[5, 6, 7]), name("ours", &[]), name("theirs", &[4])]);
}

#[test]
fn nodes_of_a_path_keep_their_order() {
    let mut base = map();
    base.edit(|map| {
        let world = map.world()?;
        let cable = map.add_node(world, "CMapCable")?;
        (0..4).try_for_each(|_| map.add_node(cable, "CMapPathNode").map(drop))
    })
    .unwrap();
    let order = |map: &Document| -> Vec<i32> {
        map.find(NodeId(8)).unwrap().children().map(|node| node.node_id().unwrap().0).collect()
    };
    assert_eq!(order(&base), [9, 10, 11, 12]);
    let put = |map: &mut Editor<'_>, old: &Document, numbers: &[i32]| {
        let cable = node(old, 8);
        let new: Vec<i32> = numbers.to_vec();
        let mut all = Vec::new();
        for number in new {
            all.push(Reference::Element(match number {
                0 => map.add_node(cable, "CMapPathNode")?,
                number => node(old, number),
            }));
        }
        map.graph_mut().set(cable, "children", Value::ElementArray(all.into()));
        Ok(())
    };
    let ours = edited(&base, 1, |map, old| put(map, old, &[9, 0, 10, 11, 12]));
    let theirs = edited(&base, 2, |map, old| {
        put(map, old, &[0, 12, 11, 10, 9])?;
        map.remove(node(old, 10))
    });
    let merge = merged(&base, &ours, &theirs, Side::Ours);
    assert_eq!(conflict_texts(&merge), [""; 0]);
    assert_eq!(order(&merge.document), [14, 12, 11, 9, 13]);
    let ours = edited(&base, 1, |map, old| put(map, old, &[10, 9, 11, 12]));
    for (prefer, numbers) in [(Side::Ours, vec![13, 10, 9, 11, 12]), (Side::Theirs, vec![13, 12, 11, 10, 9])] {
        let theirs = edited(&base, 2, |map, old| put(map, old, &[0, 12, 11, 10, 9]));
        let merge = merged(&base, &ours, &theirs, prefer);
        assert_eq!(merge.conflicts.len(), 1);
        let Conflict { kind, field, .. } = &merge.conflicts[0];
        assert_eq!((*kind, field.as_str()), (ConflictKind::Place, "order of children"));
        assert_eq!(order(&merge.document), numbers);
    }
}

#[test]
fn a_mesh_is_one_value() {
    let base = map();
    let mesh = |map: &mut Editor<'_>, old: &Document, value: f32| {
        let data = old.find(NodeId(6)).unwrap().mesh().unwrap().data().unwrap();
        let stream = data.child("vertexData").unwrap();
        map.graph_mut().set(stream.id(), "note", Value::Float(value));
        Ok(())
    };
    let ours = edited(&base, 1, |map, old| mesh(map, old, 1.0));
    let theirs = edited(&base, 2, |map, old| mesh(map, old, 2.0));
    let moved = edited(&base, 3, |map, old| map.set_transform(node(old, 6), at(8.0)));
    let size = |map: &Document| {
        let data = map.find(NodeId(6)).unwrap().mesh().unwrap().data().unwrap();
        data.child("vertexData").unwrap().number("note")
    };
    let merge = merged(&base, &moved, &theirs, Side::Ours);
    assert_eq!((conflict_texts(&merge), size(&merge.document)), (Vec::new(), Some(2.0)));
    assert_eq!(merge.document.find(NodeId(6)).unwrap().transform(), at(8.0));
    for (prefer, value) in [(Side::Ours, 1.0), (Side::Theirs, 2.0)] {
        let merge = merged(&base, &ours, &theirs, prefer);
        assert_eq!(
            conflict_texts(&merge),
            [
                "CMapMesh #6 at 0, 0, 0: meshData: base 0 vertices, 0 edges, 0 faces, ours 0 vertices, 0 edges, 0 faces, \
              theirs 0 vertices, 0 edges, 0 faces"
            ]
        );
        assert_eq!(size(&merge.document), Some(value));
    }
}

#[test]
fn parallel_arrays_are_one_value() {
    let base = edited(&map(), 1, |map, old| bind(map, node(old, 3), &["a"], &["x"]));
    fn bind(map: &mut Editor<'_>, node: ElementId, keys: &[&str], names: &[&str]) -> Result<(), WriteError> {
        let graph = map.graph_mut();
        let (keys, names) = (graph.string_array(keys), graph.string_array(names));
        graph.set(node, "variableTargetKeys", keys);
        graph.set(node, "variableNames", names);
        Ok(())
    }
    let ours = edited(&base, 1, |map, old| bind(map, node(old, 3), &["a"], &["y"]));
    let theirs = edited(&base, 2, |map, old| bind(map, node(old, 3), &["a", "b"], &["x", "z"]));
    for (prefer, count) in [(Side::Ours, 1), (Side::Theirs, 2)] {
        let merge = merged(&base, &ours, &theirs, prefer);
        assert_eq!(merge.document.find(NodeId(3)).unwrap().bindings().count(), count);
        assert!(!merge.conflicts.is_empty());
        let side = if prefer == Side::Ours { &ours } else { &theirs };
        assert!(Diff::between(side, &merge.document).is_empty());
    }
}

#[test]
fn kept_nodes_stay_hidden_and_in_their_selection_set() {
    let base = edited(&map(), 1, |map, old| {
        map.set_hidden(node(old, 2), HiddenFlags::QUICK_HIDE)?;
        let set = map.map().root_selection_set().unwrap().element().id();
        let data = map.graph_mut().push("CObjectSelectionSetDataElement", "", Guid::from_hash(b"data"));
        let nodes = [7, 2, 6].map(|number| Reference::Element(node(old, number)));
        map.graph_mut().set(data, "selectedObjects", Value::ElementArray(nodes.into()));
        map.graph_mut().set(set, "selectionSetData", Value::Element(Reference::Element(data)));
        Ok(())
    });
    let removed = edited(&base, 2, |map, old| map.remove(node(old, 2)));
    let changed = edited(&base, 3, |map, old| map.set_key(node(old, 3), "color", "2 2 2"));
    for (ours, theirs, prefer) in [(&changed, &removed, Side::Ours), (&removed, &changed, Side::Theirs)] {
        let map = merged(&base, ours, theirs, prefer).document;
        let hidden = map.visibility().unwrap().hidden().map(|(node, flags)| (node.node_id(), flags));
        assert_eq!(hidden.collect::<Vec<_>>(), [(Some(NodeId(2)), HiddenFlags::QUICK_HIDE)]);
        let data = map.root_selection_set().unwrap().element().child("selectionSetData").unwrap();
        let nodes = data.children("selectedObjects").map(|node| node.int("nodeID"));
        assert_eq!(nodes.collect::<Vec<_>>(), [Some(7), Some(2), Some(6)]);
    }
}

#[test]
fn conflicts_of_hidden_nodes_have_the_order_of_the_base() {
    let hidden = |seed, map: &Document, flags: HiddenFlags| {
        edited(map, seed, |map, old| (2..=7).rev().try_for_each(|number| map.set_hidden(node(old, number), flags)))
    };
    let base = hidden(1, &map(), HiddenFlags::QUICK_HIDE);
    let ours = hidden(2, &base, HiddenFlags::SELECTION_SET);
    let theirs = hidden(3, &base, HiddenFlags::default());
    let merge = merged(&base, &ours, &theirs, Side::Ours);
    let numbers: Vec<_> = merge.conflicts.iter().map(|one| one.node.as_ref().unwrap().number.unwrap()).collect();
    assert_eq!(numbers, [7, 6, 5, 4, 3, 2]);
}

#[test]
fn attributes_of_the_prefix_are_merged() {
    let put = |map: &Document, value: Option<i32>| {
        edited(map, 1, |map, _| {
            match value {
                Some(value) => map.graph_mut().set_prefix("note", Value::Int(value)),
                None => drop(map.graph_mut().unset_prefix("note")),
            }
            Ok(())
        })
    };
    let of = |map: &Document| map.graph().prefix_value("note").cloned();
    let base = put(&map(), Some(1));
    let (gone, other) = (put(&base, None), put(&base, Some(2)));
    for [ours, theirs] in [[&gone, &saved_again(&base)], [&saved_again(&base), &gone]] {
        let merge = merged(&base, ours, theirs, Side::Ours);
        assert_eq!((of(&merge.document), merge.conflicts.len()), (None, 0));
    }
    for (prefer, value) in [(Side::Ours, Some(Value::Int(2))), (Side::Theirs, None)] {
        let merge = merged(&base, &other, &gone, prefer);
        assert_eq!(of(&merge.document), value);
        assert_eq!(conflict_texts(&merge), ["prefix.note: base 1, ours 2, theirs none"]);
    }
}

#[test]
fn assets_light_and_format_version_are_merged() {
    let light = |map: &mut Editor<'_>, path: &str, color: u8| {
        let graph = map.graph_mut();
        let guid = mapwright_vmap::dmx::Guid::from_hash(format!("{path} {color}").as_bytes());
        let light = graph.push("CDmeNodeInstanceData", path, guid);
        graph.set(light, "vertexLightingData", Value::ColorArray([[color; 4]].into()));
        let root = graph.root().unwrap().children("nodeInstanceData").map(|light| Reference::Element(light.id()));
        let lights: Vec<_> = root.chain([Reference::Element(light)]).collect();
        graph.set(ElementId::ROOT, "nodeInstanceData", Value::ElementArray(lights.into()));
    };
    let base = edited(&map(), 1, |map, _| {
        ["a", "b", "c"].iter().try_for_each(|path| map.add_asset(format!("{path}.vmat")))?;
        light(map, "3", 1);
        Ok(())
    });
    let ours = edited(&base, 2, |map, old| {
        map.set_key(node(old, 3), "material", "b.vmat")?;
        let world = map.world()?;
        map.add_group(world)?;
        map.add_asset("ours.vmat")
    });
    let theirs = edited(&base, 3, |map, _| {
        let list = map.graph_mut().string_array(["a.vmat", "theirs.vmat"]);
        map.graph_mut().set_prefix("map_asset_references", list);
        map.graph_mut().header.format_version = 41;
        let lights =
            map.graph_mut().root().unwrap().children("nodeInstanceData").map(ElementRef::id).collect::<Vec<_>>();
        map.graph_mut().set(lights[0], "vertexLightingData", Value::ColorArray([[2; 4]].into()));
        let world = map.world()?;
        map.add_entity(world, "light_spot")?;
        light(map, "8", 8);
        light(map, "8.3", 9);
        Ok(())
    });
    let merge = merged(&base, &ours, &theirs, Side::Ours);
    assert_eq!(conflict_texts(&merge), [""; 0]);
    let map = merge.document;
    let assets: Vec<_> = map.asset_references().map(|path| String::from_utf8_lossy(path).into_owned()).collect();
    assert_eq!(assets, ["a.vmat", "b.vmat", "ours.vmat", "theirs.vmat"]);
    assert_eq!(map.format_version(), 41);
    let lights: Vec<_> = map
        .root()
        .unwrap()
        .instance_data()
        .map(|light| (String::from_utf8_lossy(light.node_path()).into_owned(), light.colors()[0][0]))
        .collect();
    // 8 is the group of ours, so the light of theirs becomes 9.
    assert_eq!(lights, [("3".to_owned(), 2), ("9".to_owned(), 8), ("9.3".to_owned(), 9)]);
}

#[test]
fn maps_without_a_world_are_rejected() {
    let base = map();
    let mut broken = map();
    broken.graph_mut().set(ElementId::ROOT, "world", Value::Element(Reference::Null));
    let changed = edited(&base, 1, |map, old| map.remove(node(old, 3)));
    let error = merge(&base, &changed, &broken, &MergeOptions::default()).unwrap_err();
    assert_eq!(error.kind().to_string(), "the map has no world");
}

//! Edits change what they must and nothing else.

use crate::maps;

use std::collections::HashSet;

use maps::maps;
use mapwright_testkit::hexdiff;
use mapwright_vmap::dmx::{ElementId, Reference, Value, WriterProfile};
use mapwright_vmap::{
    Document, EditOptions, HiddenFlags, MapOptions, Mesh, NodeId, NodeKind, Output, Transform, WriteErrorKind,
};

fn id(map: &Document, number: i32) -> ElementId {
    map.find(NodeId(number)).unwrap().id()
}

fn same(name: &str, map: &Document, bytes: &[u8]) {
    let written = map.to_bytes().unwrap();
    let expected = Document::from_bytes(bytes).unwrap();
    if expected.graph().elements.iter().any(|element| element.id.is_none()) {
        // Text without identities is formatted again, with identities.
        assert_eq!(differences(&expected, &Document::from_bytes(&written).unwrap()), [], "{name}");
        return;
    }
    assert!(written == bytes, "{name}\n{}", hexdiff(bytes, &written).unwrap_or_default());
}

/// Returns the attributes that differ between two maps with the same elements in the same order.
fn differences(one: &Document, other: &Document) -> Vec<(usize, String)> {
    assert_eq!(one.graph().elements.len(), other.graph().elements.len());
    let mut found = Vec::new();
    for (a, b) in one.graph().iter().zip(other.graph().iter()) {
        assert_eq!((a.class(), a.name()), (b.class(), b.name()));
        assert!(a.guid().is_none() || a.guid() == b.guid());
        assert_eq!(a.attributes().len(), b.attributes().len());
        for ((name, x), (other_name, y)) in a.attributes().zip(b.attributes()) {
            assert_eq!(name, other_name);
            let text = |map: &Document, value: &Value| match value {
                Value::String(id) => map.graph().string(*id).to_vec(),
                Value::StringArray(ids) => {
                    ids.iter().flat_map(|id| [map.graph().string(*id), b"\n"].concat()).collect()
                }
                value => format!("{value:?}").into_bytes(),
            };
            if text(one, x) != text(other, y) {
                found.push((a.id().index(), String::from_utf8_lossy(name).into_owned()));
            }
        }
    }
    found
}

#[test]
#[ignore = "needs the corpus"]
fn added_and_removed_nodes_leave_no_trace_in_corpus_maps() {
    for (name, mut map, bytes) in maps() {
        let before = map.nodes().count();
        map.edit(|map| {
            let world = map.world()?;
            let group = map.add_group(world)?;
            let light = map.add_entity(group, "light_omni")?;
            map.set_key(light, "targetname", "lamp of a test")?;
            map.add_output(light, &Output::new("OnUser1", "lamp of a test", "TurnOff").with_delay(0.5))?;
            map.set_hidden(light, HiddenFlags::QUICK_HIDE)?;
            map.add_instance(world, group)?;
            map.add_node(world, "CMapCable").map(|_| ())
        })
        .unwrap();
        // The written map reads back equal.
        let mut read = Document::from_bytes(&map.to_bytes().unwrap()).unwrap();
        assert!(
            read.graph().header.encoding.is_text() || read.graph().profile() == Some(WriterProfile::Valve),
            "{name}"
        );
        assert_eq!(read.nodes().count(), before + 4, "{name}");
        let numbers: HashSet<NodeId> = read.nodes().filter_map(|visit| visit.node.node_id()).collect();
        assert_eq!(numbers.len(), before + 4, "{name}");
        let lamp = read
            .nodes()
            .find_map(|visit| visit.node.entity().filter(|entity| entity.targetname() == b"lamp of a test"));
        let lamp = lamp.unwrap();
        assert_eq!(lamp.classname(), b"light_omni");
        let output = lamp.node().connections().next().unwrap();
        assert_eq!((output.output(), output.input(), output.delay()), (&b"OnUser1"[..], &b"TurnOff"[..], 0.5));
        assert_eq!(read.visibility().unwrap().flags(lamp.node()), HiddenFlags::QUICK_HIDE);

        let find = |class: &[u8]| {
            let new: Vec<_> = read.nodes().filter(|visit| visit.node.class() == class).collect();
            new.iter().max_by_key(|visit| visit.node.node_id()).unwrap().node.id()
        };
        let (cable, instance, group) = (find(b"CMapCable"), find(b"CMapInstance"), find(b"CMapGroup"));
        read.edit(|map| {
            assert!(matches!(map.remove(group).unwrap_err().kind(), WriteErrorKind::Shown { .. }));
            map.remove(instance)?;
            map.remove(group)?;
            map.remove(cable)
        })
        .unwrap();
        same(&name, &read, &bytes);
    }
}

#[test]
#[ignore = "needs the corpus"]
fn setting_an_equal_value_changes_no_corpus_map() {
    for (name, mut map, bytes) in maps() {
        // Setting a missing attribute would add it.
        let placed = map.nodes().filter(|visit| visit.node.element().get("scales").is_some());
        let nodes: Vec<_> = placed.map(|visit| (visit.node.id(), visit.node.transform())).collect();
        let mut keys = Vec::new();
        for entity in map.nodes().filter_map(|visit| visit.node.entity()) {
            let own = entity.keys().map(|(key, value)| (entity.node().id(), key.to_vec(), value.to_vec()));
            keys.extend(own);
        }
        let flags: Vec<_> = map.visibility().unwrap().nodes().map(|(node, flags)| (node.id(), flags)).collect();
        map.edit(|map| {
            for (node, transform) in &nodes {
                let name = map.map().node(*node).unwrap().name().to_vec();
                map.set_name(*node, name)?;
                map.set_transform(*node, *transform)?;
            }
            for (entity, key, value) in &keys {
                map.set_key(*entity, key, value)?;
            }
            flags.iter().try_for_each(|(node, flags)| map.set_hidden(*node, *flags))
        })
        .unwrap();
        same(&name, &map, &bytes);
    }
}

#[test]
#[ignore = "needs the corpus"]
fn changing_a_key_of_a_corpus_map_changes_one_attribute() {
    for (name, mut map, bytes) in maps() {
        let before = Document::from_bytes(&bytes).unwrap();
        let entity = map.nodes().skip(1).find_map(|visit| visit.node.entity());
        let Some(entity) = entity else { continue };
        let (node, properties, old) = (entity.node().id(), entity.properties().id(), entity.classname().to_vec());
        map.edit(|map| map.set_key(node, "classname", "changed by a test")).unwrap();
        let after = Document::from_bytes(&map.to_bytes().unwrap()).unwrap();
        assert_eq!(differences(&before, &after), [(properties.index(), "classname".to_owned())], "{name}");
        map.edit(|map| map.set_key(node, "classname", &old)).unwrap();
        same(&name, &map, &bytes);
    }
}

#[test]
#[ignore = "needs the corpus"]
fn keys_of_corpus_maps_are_added_after_the_others_and_removed() {
    for (name, mut map, bytes) in maps() {
        let world = map.world().unwrap().node().id();
        map.edit(|map| map.set_key(world, "key of a test", "1")).unwrap();
        let entity = map.world().unwrap().entity().unwrap();
        assert_eq!(entity.keys().last().unwrap(), (&b"key of a test"[..], &b"1"[..]), "{name}");
        let world = entity.node().id();
        assert!(map.edit(|map| map.remove_key(world, "key of a test")).unwrap());
        same(&name, &map, &bytes);
    }
}

#[test]
#[ignore = "needs the corpus"]
fn nodes_of_corpus_maps_move_away_and_back() {
    for (name, mut map, bytes) in maps() {
        let Some(last) = map.world().unwrap().node().children().next_back() else { continue };
        let (world, last, number) = (map.world().unwrap().node().id(), last.id(), last.node_id().unwrap());
        map.edit(|map| {
            let group = map.add_group(world)?;
            map.move_to(last, group)?;
            assert!(matches!(map.move_to(group, last).unwrap_err().kind(), WriteErrorKind::Below));
            Ok::<(), mapwright_vmap::WriteError>(())
        })
        .unwrap();
        let moved = map.nodes().find(|visit| visit.node.node_id() == Some(number)).unwrap();
        assert_eq!(moved.parent.unwrap().class(), b"CMapGroup", "{name}");
        let (world, node, group) = (map.world().unwrap().node().id(), moved.node.id(), moved.parent.unwrap().id());
        map.edit(|map| {
            map.move_to(node, world)?;
            map.remove(group)
        })
        .unwrap();
        same(&name, &map, &bytes);
    }
}

#[test]
#[ignore = "needs the corpus"]
fn meshes_of_corpus_maps_are_copied_and_removed() {
    for (name, mut map, bytes) in maps() {
        let Some(solid) = map.nodes().find_map(|visit| visit.node.mesh()) else { continue };
        let mesh = Mesh::from_element(solid.data().unwrap()).unwrap();
        let listed: Vec<Vec<u8>> = map.asset_references().map(<[u8]>::to_vec).collect();
        let (world, number) = (map.world().unwrap().node().id(), map.nodes().count());
        let new = map.edit(|map| {
            let node = map.add_mesh(world, &mesh)?;
            Ok::<_, mapwright_vmap::WriteError>(map.map().node(node).unwrap().node_id().unwrap())
        });
        let read = Document::from_bytes(&map.to_bytes().unwrap()).unwrap();
        assert_eq!(read.nodes().count(), number + 1);
        let copy = read.find(new.unwrap()).unwrap();
        let NodeKind::Mesh(copy) = copy.kind() else { panic!("{name}") };
        assert_eq!(Mesh::from_element(copy.data().unwrap()).unwrap(), mesh, "{name}");
        // Materials that Hammer did not list are now listed.
        let unlisted = mesh.materials.iter().filter(|material| !listed.contains(material)).count();
        assert_eq!(read.asset_references().len(), listed.len() + unlisted, "{name}");
        if unlisted == 0 {
            let node = id(&map, copy.node().node_id().unwrap().0);
            map.edit(|map| map.remove(node)).unwrap();
            same(&name, &map, &bytes);
        }
    }
}

#[test]
#[ignore = "needs the corpus"]
fn assets_of_corpus_maps_are_renamed_everywhere() {
    for (name, mut map, bytes) in maps() {
        let Some(material) = map.nodes().find_map(|visit| visit.node.mesh()?.materials().get(0)) else { continue };
        let material = material.to_vec();
        let spelled_alike = |map: &Document, wanted: &[u8]| {
            let strings = map.graph().strings.iter();
            strings
                .filter(|(_, string)| string.eq_ignore_ascii_case(wanted))
                .map(|(_, s)| s.to_vec())
                .collect::<HashSet<_>>()
        };
        let one_spelling = spelled_alike(&map, &material).len() == 1;
        let count = map.edit(|map| map.rename_asset(&material, "materials/of/a/test.vmat")).unwrap();
        assert!(count > 0, "{name}");
        let read = Document::from_bytes(&map.to_bytes().unwrap()).unwrap();
        assert!(spelled_alike(&read, &material).is_empty(), "{name}");
        assert_eq!(map.edit(|map| map.rename_asset("materials/OF/a/test.vmat", &material)).unwrap(), count);
        if one_spelling {
            same(&name, &map, &bytes);
        }
    }
}

#[test]
fn new_maps_have_what_hammer_needs() {
    for version in [18, 28, 29, 30, 35, 40] {
        let map = Document::new_with(&MapOptions::default().with_format_version(version));
        let bytes = map.to_bytes().unwrap();
        let read = Document::from_bytes(&bytes).unwrap();
        same("new", &read, &bytes);
        assert_eq!(read.graph().profile(), Some(WriterProfile::Valve));
        assert_eq!(read.graph().prefix_copy().is_some(), version >= 28);
        let world = read.world().unwrap();
        assert_eq!((world.node().node_id(), world.node().reference_id()), (Some(NodeId::WORLD), Some(0)));
        assert_eq!(world.entity().unwrap().classname(), b"worldspawn");
        assert_eq!(read.visibility().unwrap().node().node_id(), Some(NodeId::VISIBILITY));
        assert!(read.root_selection_set().is_some() && read.variables().is_some());
        assert!(read.root().unwrap().default_camera().is_some());
        let guids: HashSet<_> = read.graph().elements.iter().map(|element| element.id).collect();
        assert_eq!(guids.len(), read.graph().elements.len());
    }
}

/// New elements have the attributes and the order of Hammer, with or without other elements of their class.
#[test]
#[ignore = "needs the corpus"]
fn new_nodes_have_the_attributes_of_nodes_in_corpus_maps() {
    for (name, map, _) in maps() {
        let mut fresh = Document::new_with(&MapOptions::default().with_format_version(map.format_version()));
        let number_first = |map: &Document| map.world().unwrap().element().attributes().next().unwrap().0 == b"nodeID";
        if number_first(&map) != number_first(&fresh) {
            continue;
        }
        for class in ["CMapEntity", "CMapGroup", "CMapInstance", "CMapPrefab", "CMapStaticOverlay", "CMapCable"] {
            let Some(real) = map.nodes().find(|visit| visit.node.element().is(class)) else { continue };
            let node = fresh.edit(|map| {
                let world = map.world()?;
                let node = map.add_node(world, class)?;
                Ok::<_, mapwright_vmap::WriteError>(map.map().node(node).unwrap().node_id().unwrap())
            });
            let made = fresh.find(node.unwrap()).unwrap();
            let shape = |element: mapwright_vmap::dmx::ElementRef<'_>| {
                let attributes = element.attributes();
                let shape = attributes.filter(|(name, _)| !name.starts_with(b"bone"));
                shape
                    .map(|(name, value)| format!("{} {}", name.escape_ascii(), value.value_type().name()))
                    .collect::<Vec<_>>()
            };
            let real = shape(real.node.element());
            // Maps of format 40 that are older than current Hammer lack these.
            let is_newer = |attribute: &String| {
                let newer = ["customVisGroup", "randomSeed", "physicsCollisionProperty", "visexclude"];
                attribute.split_once(' ').is_some_and(|(name, _)| newer.contains(&name))
            };
            let mut made = shape(made.element());
            made.retain(|attribute| !is_newer(attribute) || real.contains(attribute));
            assert_eq!(made, real, "{name}: {class}");
        }
    }
}

#[test]
fn the_seed_determines_identities() {
    let make = |options: &EditOptions| {
        let mut map = Document::new();
        map.edit_with(options, |map| {
            let world = map.world()?;
            map.add_entity(world, "info_target")
        })
        .unwrap();
        map.to_bytes().unwrap()
    };
    let plain = EditOptions::default();
    assert_eq!(make(&plain), make(&plain));
    assert_ne!(make(&plain), make(&plain.with_seed(7)));
    let map = Document::from_bytes(&make(&plain)).unwrap();
    for element in map.graph().iter() {
        assert_eq!(&element.guid().unwrap().to_string()[14..15], "4");
    }
}

#[test]
fn adding_many_nodes_is_fast() {
    let mut map = Document::new();
    map.edit(|map| {
        let world = map.world()?;
        for number in 0..20_000 {
            let entity = map.add_entity(world, "info_target")?;
            map.set_transform(entity, Transform { origin: [number as f32, 0.0, 0.0], ..Transform::IDENTITY })?;
        }
        Ok::<(), mapwright_vmap::WriteError>(())
    })
    .unwrap();
    assert_eq!(map.nodes().count(), 20_001);
    assert_eq!(map.nodes().last().unwrap().node.node_id(), Some(NodeId(20_001)));
}

#[test]
fn invalid_edits_are_rejected_and_change_nothing() {
    let mut map = Document::new();
    let bytes = map.to_bytes().unwrap();
    let root = ElementId::ROOT;
    map.edit(|map| {
        let world = map.world().unwrap();
        let errors = [
            map.add_entity(root, "light").unwrap_err(),
            map.add_entity(world, "zero\0byte").unwrap_err(),
            map.add_node(world, "CMapWorld").unwrap_err(),
            map.add_node(world, "CMapNoSuchThing").unwrap_err(),
            map.add_instance(world, world).unwrap_err(),
            map.remove(world).unwrap_err(),
            map.move_to(world, world).unwrap_err(),
            map.set_key(root, "a", "b").unwrap_err(),
            map.set_key(world, "a\0", "b").unwrap_err(),
            map.set_name(world, "\0").unwrap_err(),
            map.set_mesh(world, &Mesh::default()).unwrap_err(),
            map.add_asset("\0").unwrap_err(),
            map.set_transform(ElementId(99), Transform::IDENTITY).unwrap_err(),
            map.set_hidden(ElementId(99), HiddenFlags::QUICK_HIDE).unwrap_err(),
        ];
        for error in errors {
            let is_graph = matches!(error.kind(), WriteErrorKind::Graph(_));
            assert!(is_graph || mapwright_vmap::io::ErrorKind::help(error.kind()).is_some(), "{error}");
        }
    });
    same("new", &map, &bytes);
}

#[test]
fn a_removed_node_has_no_references() {
    let mut map = Document::new();
    let (first, second) = map
        .edit(|map| {
            let world = map.world()?;
            let first = map.add_node(world, "CMapGroup")?;
            let below = map.add_entity(first, "light")?;
            let overlay = map.add_node(world, "CMapStaticOverlay")?;
            let number = map.map().node(below).unwrap().node_id().unwrap().0;
            map.graph_mut().set(overlay, "projectionTargets", Value::IntArray([number, 1].into()));
            for node in [below, overlay] {
                map.set_hidden(node, HiddenFlags(node.0 as i32))?;
            }
            Ok::<_, mapwright_vmap::WriteError>((NodeId(2), NodeId(4)))
        })
        .unwrap();
    let (group, overlay) = (id(&map, first.0), id(&map, second.0));
    let flags = map.visibility().unwrap().flags(map.node(overlay).unwrap());
    let count = map.graph().elements.len();
    map.edit(|map| map.remove(group)).unwrap();
    assert_eq!(map.nodes().count(), 2);
    // The group, the entity, its plugs and its keys are removed.
    assert_eq!(map.graph().elements.len(), count - 4);
    let overlay = map.find(second).unwrap();
    let NodeKind::StaticOverlay(view) = overlay.kind() else { panic!() };
    assert_eq!(view.projection_targets(), [1]);
    let entries: Vec<_> = map.visibility().unwrap().nodes().map(|(node, flags)| (node.id(), flags)).collect();
    assert_eq!(entries, [(overlay.id(), flags)]);
}

#[test]
fn elements_with_children_of_another_type_are_not_nodes() {
    let mut map = Document::new();
    let group = map.edit(|map| map.world().and_then(|world| map.add_group(world))).unwrap();
    let group = map.nodes().nth(1).map_or(group, |visit| visit.node.id());
    map.graph_mut().set(group, "children", Value::Int(7));
    let error = map.edit(|map| map.add_entity(group, "light_omni")).unwrap_err();
    assert!(matches!(error.kind(), WriteErrorKind::NoNode { .. }), "{error}");
    assert!(map.node(group).is_none());
    map.edit(|map| map.world().and_then(|world| map.add_group(world))).unwrap();
    // An unknown class is copied from its first element, which must be a node.
    let world = map.world().unwrap().node().id();
    let class = map.graph_mut().intern("CMapOfAGame");
    map.graph_mut().elements[group.index()].class = class;
    let error = map.edit(|map| map.add_node(world, "CMapOfAGame")).unwrap_err();
    assert!(matches!(error.kind(), WriteErrorKind::UnknownClass { .. }), "{error}");
}

#[test]
fn changes_before_a_failure_stay() {
    let mut map = Document::new();
    let result: Result<(), _> = map.edit(|map| {
        let world = map.world()?;
        map.add_group(world)?;
        map.set_name(ElementId(u32::MAX), "nothing")
    });
    assert!(matches!(result.unwrap_err().kind(), WriteErrorKind::NoNode { .. }));
    assert_eq!(map.nodes().count(), 2);
}

#[test]
fn hidden_flags_of_unequal_length_are_repaired() {
    for (flags, expected) in [(vec![4], vec![4, 1, 0]), (vec![4, 0, 0, 7, 7], vec![4, 1, 0])] {
        let mut map = Document::new();
        let nodes: Vec<ElementId> = map.edit(|map| {
            let world = map.world().unwrap();
            (0..3).map(|_| map.add_group(world).unwrap()).collect()
        });
        let manager = map.visibility().unwrap().element().id();
        let listed = map.nodes().skip(1).map(|visit| Reference::Element(visit.node.id())).collect();
        map.graph_mut().set(manager, "nodes", Value::ElementArray(listed));
        map.graph_mut().set(manager, "hiddenFlags", Value::IntArray(flags.into()));
        assert_eq!(nodes.len(), 3);
        let second = map.nodes().nth(2).unwrap().node.id();
        map.edit(|map| map.set_hidden(second, HiddenFlags::SELECTION_SET)).unwrap();
        let flags: Vec<i32> = map.visibility().unwrap().nodes().map(|(_, flags)| flags.0).collect();
        assert_eq!(flags, expected);
        let written = map.visibility().unwrap().element().get("hiddenFlags").unwrap().array_len();
        assert_eq!(written, Some(3));
    }
}

#[test]
fn assets_renamed_in_the_same_edit_are_listed_once() {
    let mut map = Document::new();
    map.edit(|map| {
        map.add_asset("materials/a.vmat")?;
        map.add_asset("materials/A.vmat")?;
        map.rename_asset("materials/a.vmat", "materials/b.vmat")?;
        map.add_asset("materials/b.vmat")?;
        map.add_asset("materials/c.vmat")
    })
    .unwrap();
    assert_eq!(map.asset_references().collect::<Vec<_>>(), [b"materials/b.vmat", b"materials/c.vmat"]);
}

//! Maps that nobody made in good faith.

use std::time::{Duration, Instant};

use mapwright_testkit::{Refusal, laws, mutate};
use mapwright_vmap::dmx::{ElementId, Guid, Reference, StringId, Value};
use mapwright_vmap::io::ErrorKind as _;
use mapwright_vmap::{Document, HiddenFlags, NodeKind, Transform};

/// Looks at everything and changes a little. Whether it makes sense does not matter.
fn exercise(map: &mut Document) {
    let mut ids = Vec::new();
    for visit in map.nodes().take(2000) {
        let node = visit.node;
        let _ = format!("{:?} {:?}", node.kind(), node.transform().rows());
        let _ = (node.plugs().count(), node.bindings().count(), node.connections().count());
        if let Some(entity) = node.entity() {
            let _ = (entity.keys().count(), entity.bones().count(), entity.classname());
        }
        let _ = match node.kind() {
            NodeKind::Mesh(mesh) => mesh.materials().iter().count(),
            NodeKind::Prefab(prefab) => prefab.overrides().count(),
            NodeKind::Instance(instance) => instance.target().into_iter().count(),
            NodeKind::TileGrid(grid) => grid.layers().map(|layer| layer.hidden_cells().count()).sum(),
            _ => 0,
        };
        ids.push(node.id());
    }
    if let Some(root) = map.root() {
        let _ = (root.cameras().count(), root.instance_data().count(), root.snap_rotation());
    }
    let _ = (map.census(), map.assets().len(), map.thumbnail(), map.selection_sets().count());
    let _ = map.visibility().map(|visibility| visibility.hidden().count());
    let _ = map.variables().map(|variables| (variables.iter().count(), variables.choice_groups().count()));
    let _ = map.validate();
    let last = ids.last().copied().unwrap_or(ElementId::ROOT);
    map.edit(|map| {
        let parent = ids.first().copied().unwrap_or(ElementId::ROOT);
        let _ = map.add_entity(parent, "light").map(|light| map.set_hidden(light, HiddenFlags::QUICK_HIDE));
        let _ = map.add_node(parent, "CMapStaticOverlay");
        let _ = map.set_key(last, "a", "b");
        let _ = map.set_transform(last, Transform::IDENTITY);
        let _ = map.move_to(last, parent);
        let _ = map.rename_asset("materials/a.vmat", "b.vmat");
        let _ = map.remove(last);
    });
    let _ = map.validate();
    if let Ok(bytes) = map.to_bytes() {
        Document::from_bytes(&bytes).unwrap();
    }
}

/// A map with a node of each known class.
fn full() -> Document {
    let mut map = Document::new();
    map.edit(|map| {
        let world = map.world().unwrap();
        for class in
            ["CMapEntity", "CMapGroup", "CMapInstance", "CMapMesh", "CMapStaticOverlay", "CMapTileMesh", "CMapPrefab"]
        {
            let node = map.add_node(world, class).unwrap();
            map.set_hidden(node, HiddenFlags::SELECTION_SET).unwrap();
        }
        for class in ["CMapGameObject", "CMapCordon", "CMapCable", "CMapPathNode"] {
            map.add_node(world, class).unwrap();
        }
    });
    map
}

fn guid(number: usize) -> Guid {
    Guid::from_hash(&number.to_le_bytes())
}

#[test]
fn every_attribute_may_have_every_type() {
    let values = [
        Value::Element(Reference::Null),
        Value::Element(Reference::Element(ElementId::ROOT)),
        Value::Element(Reference::External(StringId::EMPTY)),
        Value::ElementArray(
            [Reference::Null, Reference::Element(ElementId::ROOT), Reference::Element(ElementId(3))].into(),
        ),
        Value::Int(i32::MIN),
        Value::Int(i32::MAX),
        Value::IntArray([-1, i32::MAX].into()),
        Value::Float(f32::NAN),
        Value::Bool(7),
        Value::String(StringId::MINUS_ONE),
        Value::StringArray([StringId::EMPTY; 3].into()),
        Value::Binary([0; 3].into()),
        Value::Vector3([f32::INFINITY; 3]),
        Value::UInt64(u64::MAX),
    ];
    let sound = full();
    let places: Vec<(usize, usize)> = sound
        .graph()
        .iter()
        .flat_map(|element| (0..element.attributes().len()).map(move |attribute| (element.id().index(), attribute)))
        .collect();
    // All combinations are some thousands: each attribute gets a fifth of the values, the next one another fifth.
    for (index, (element, attribute)) in places.into_iter().enumerate() {
        for value in values.iter().skip(index % 5).step_by(5) {
            let mut map = sound.clone();
            map.graph_mut().elements[element].attributes[attribute].value = value.clone();
            exercise(&mut map);
        }
    }
}

#[test]
fn damaged_bytes() {
    let bytes = full().to_bytes().unwrap();
    let read = |bytes: &[u8]| match Document::from_bytes(bytes) {
        Ok(mut map) => {
            exercise(&mut map);
            Ok(map)
        }
        Err(error) => Err(Refusal::new(error.kind().category().name(), None, error.to_string())),
    };
    for mutant in mutate::numbers(&bytes).step_by(131) {
        laws::total(&mutant, read);
    }
}

#[test]
fn a_world_that_is_its_own_child() {
    let mut map = Document::new();
    let world = map.world().unwrap().node().id();
    map.graph_mut().set(world, "children", Value::ElementArray([Reference::Element(world); 3].into()));
    assert_eq!(map.nodes().count(), 1);
    assert!(map.validate().iter().any(|finding| finding.code == "node-cycle"));
    exercise(&mut map);
}

/// A map whose nodes stand one below the other.
fn deep(depth: usize) -> Document {
    let mut map = Document::new();
    let world = map.world().unwrap().node().id();
    let graph = map.graph_mut();
    let ids: Vec<ElementId> = (0..depth).map(|number| graph.push("CMapGroup", "", guid(number))).collect();
    for (number, id) in ids.iter().enumerate() {
        graph.set(*id, "nodeID", Value::Int(i32::try_from(number).unwrap() + 2));
        let child = ids.get(number + 1).map(|child| Reference::Element(*child));
        graph.set(*id, "children", Value::ElementArray(child.into_iter().collect()));
    }
    graph.set(world, "children", Value::ElementArray([Reference::Element(ids[0])].into()));
    map
}

#[test]
fn a_tree_of_great_depth() {
    let mut map = deep(100_000);
    assert_eq!(map.nodes().last().unwrap().depth, 100_000);
    exercise(&mut map);
    let top = map.find(mapwright_vmap::NodeId(2)).unwrap().id();
    map.edit(|map| map.remove(top)).unwrap();
    assert_eq!(map.nodes().count(), 3);
}

/// What many share is looked at once: else this would take hours.
#[test]
fn what_many_nodes_share() {
    let started = Instant::now();
    let mut map = Document::new();
    map.edit(|map| {
        let world = map.world().unwrap();
        let first = map.add_mesh(world, &mapwright_vmap::Mesh::default()).unwrap();
        let entity = map.add_entity(world, "light").unwrap();
        let data = map.map().node(first).unwrap().mesh().unwrap().data().unwrap().id();
        let properties = map.map().node(entity).unwrap().entity().unwrap().properties().id();
        let graph = map.graph_mut();
        graph.set(data, "faceEdgeIndices", Value::IntArray(vec![0; 100_000].into()));
        for number in 0..20_000 {
            let name = graph.intern(format!("key {number}"));
            graph.elements[properties.index()]
                .attributes
                .push(mapwright_vmap::dmx::Attribute { name, value: Value::Int(0) });
        }
        graph.unset(properties, "classname");
        let nodes: Vec<ElementId> = (0..20_000).map(|number| graph.push("CMapEntity", "", guid(number))).collect();
        for node in &nodes {
            graph.set(*node, "children", Value::ElementArray([Reference::Element(first); 2].into()));
            graph.set(*node, "meshData", Value::Element(Reference::Element(data)));
            graph.set(*node, "entity_properties", Value::Element(Reference::Element(properties)));
        }
        let children = nodes.into_iter().map(Reference::Element).collect();
        graph.set(world, "children", Value::ElementArray(children));
    });
    assert_eq!(map.nodes().count(), 20_002);
    assert_eq!(map.census().entities.values().sum::<usize>(), 20_000);
    assert!(map.assets().is_empty());
    assert!(map.validate().iter().any(|finding| finding.code == "node-shared"));
    assert!(started.elapsed() < Duration::from_secs(60), "{:?}", started.elapsed());
}

/// A path is looked at once, however often it is named.
#[test]
fn a_long_path_that_is_everywhere() {
    let mut map = Document::new();
    let graph = map.graph_mut();
    let strings = [vec![b'a'; 1 << 20], vec![b'b'; 1 << 20], vec![b'c'; 1 << 20]];
    let ends = [".vmat", ".ends like none", ""];
    let ids = [0, 1, 2].map(|index: usize| graph.intern([&strings[index], ends[index].as_bytes()].concat()));
    for (index, id) in ids.into_iter().enumerate() {
        graph.set(ElementId::ROOT, format!("paths {index}"), Value::StringArray([id; 50_000].into()));
    }
    graph.set_prefix("map_asset_references", Value::StringArray(ids.repeat(10_000).into()));
    let started = Instant::now();
    let uses: Vec<usize> = map.assets().iter().map(|asset| asset.uses.len()).collect();
    assert_eq!(uses, [50_000, 0, 0]);
    assert!(started.elapsed() < Duration::from_secs(10), "{:?}", started.elapsed());
}

/// Data that many meshes refer to are read once.
#[test]
fn data_of_another_mesh() {
    for (part, name) in [(None, "vertexData"), (Some("faceData"), "streams")] {
        let mut map = Document::new();
        let mesh = mapwright_vmap::Mesh::build(
            &mapwright_vmap::mesh::Soup::default(),
            &mapwright_vmap::mesh::BuildOptions::default(),
        );
        map.edit(|map| {
            let world = map.world().unwrap();
            let [first, second] = [(); 2].map(|()| map.add_mesh(world, &mesh.mesh).unwrap());
            let find = |map: &Document, node| {
                let data = map.node(node).unwrap().mesh().unwrap().data().unwrap();
                part.map_or(data, |part| data.child(part).unwrap()).id()
            };
            let [first, second] = [first, second].map(|node| find(map.map(), node));
            let value = map.map().graph().element(first).unwrap().get(name).unwrap().clone();
            assert!(value.elements().count() > 0);
            map.graph_mut().set(second, name, value);
        });
        let unreadable: Vec<_> =
            map.validate().into_iter().filter(|finding| finding.code == "mesh-unreadable").collect();
        assert_eq!(unreadable.len(), 1, "{unreadable:?}");
        assert!(unreadable[0].message.contains("another mesh"), "{unreadable:?}");
        for mesh in map.graph().iter().filter(|element| element.is("CDmePolygonMesh")) {
            mapwright_vmap::Mesh::from_element(mesh).unwrap();
        }
    }
}

#[test]
fn numbers_at_the_end_of_their_range() {
    let mut map = Document::new();
    let world = map.world().unwrap().node().id();
    map.edit(|map| {
        let group = map.add_group(world).unwrap();
        map.graph_mut().set(group, "nodeID", Value::Int(i32::MAX));
    });
    let world = map.world().unwrap().node().id();
    map.edit(|map| map.add_group(world).and_then(|_| map.add_group(world))).unwrap();
    let numbers: Vec<i32> = map.nodes().map(|visit| visit.node.node_id().unwrap().0).collect();
    assert_eq!(numbers, [1, i32::MAX, 2, 3]);
}

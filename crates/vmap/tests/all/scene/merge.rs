//! Changes of a scene change the matching parts of its map only.

use std::collections::HashMap;
use std::time::{Duration, Instant};

use mapwright_scene::{Connection, Content, Elements, Entity, NamedSet, Node, NodeId, Scene, Transform, Value};
use mapwright_vmap::dmx::{self, ElementId};
use mapwright_vmap::scene::{ExportOptions, from_scene, merge_scene};
use mapwright_vmap::{Document, NodeKind};

use super::maps::{canonical, import, plain, same, whole_map};
use super::scenes::rich;
use crate::shapes;

/// A map with all features, as read from a file.
fn map() -> Document {
    from_scene(&rich(), &ExportOptions::default()).unwrap().document
}

fn merge(document: &mut Document, scene: &Scene) {
    merge_scene(document, scene, &ExportOptions::default()).unwrap();
    whole_map(document);
}

/// Merges a change, and asserts that the map has the changed scene.
fn change(change: impl FnOnce(&mut Scene)) -> (Document, Document) {
    let before = map();
    let mut after = before.clone();
    let mut scene = import(&before);
    change(&mut scene);
    merge(&mut after, &scene);
    same("changed", &canonical(&scene), &canonical(&import(&after)));
    (before, after)
}

fn named(scene: &Scene, name: &str) -> NodeId {
    scene.nodes.iter().find(|(_, node)| node.name == name).unwrap_or_else(|| panic!("no {name}")).0
}

fn node<'a>(scene: &'a mut Scene, name: &str) -> &'a mut Node {
    let id = named(scene, name);
    &mut scene.nodes[id]
}

/// Class and name of each attribute that differs between two maps with the same elements.
fn differences(before: &Document, after: &Document) -> Vec<String> {
    let (before, after) = (before.graph(), after.graph());
    assert_eq!(before.elements.len(), after.elements.len());
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    // Ids of strings depend on their order in the table.
    let spell = |graph: &dmx::Document, value: &dmx::Value| match value {
        dmx::Value::String(id) => text(graph.string(*id)),
        dmx::Value::StringArray(ids) => ids.iter().map(|id| text(graph.string(*id))).collect::<Vec<_>>().join("|"),
        dmx::Value::Element(_) | dmx::Value::ElementArray(_) => {
            let name = |id| graph.element(id).and_then(dmx::ElementRef::guid).map(|guid| guid.to_string());
            format!("{:?}", value.elements().map(name).collect::<Vec<_>>())
        }
        value => format!("{value:?}"),
    };
    let mut found = Vec::new();
    let elements: HashMap<_, _> = after.iter().map(|element| (element.guid(), element)).collect();
    for a in before.iter() {
        let b = elements[&a.guid()];
        assert_eq!(a.class(), b.class());
        if a.name() != b.name() {
            found.push(format!("{} (name)", text(a.class())));
        }
        let names: Vec<&[u8]> = a.attributes().map(|(name, _)| name).collect();
        assert!(b.attributes().map(|(name, _)| name).eq(names.iter().copied()), "{a:?}");
        for ((name, old), (_, new)) in a.attributes().zip(b.attributes()) {
            if spell(before, old) != spell(after, new) {
                found.push(format!("{}.{}", text(a.class()), text(name)));
            }
        }
    }
    found
}

#[test]
fn a_moved_vertex_changes_its_stream() {
    let (before, after) = change(|scene| {
        let Content::Mesh(mesh) = scene.nodes[named(scene, "Box")].content else { panic!() };
        scene.meshes[mesh].positions[3][1] += 1.0;
    });
    assert_eq!(differences(&before, &after), ["CDmePolygonMeshDataStream.data"]);
    let (a, b) = (before.to_bytes().unwrap(), after.to_bytes().unwrap());
    let changed = a.iter().zip(&b).filter(|(a, b)| a != b).count();
    assert!(a.len() == b.len() && changed <= 4, "{changed}");
}

#[test]
fn a_changed_key_changes_its_text() {
    let (before, after) = change(|scene| {
        let Content::Entity(id) = scene.nodes[named(scene, "relay")].content else { panic!() };
        scene.entities[id].properties.set("StartDisabled", "0");
    });
    assert_eq!(differences(&before, &after), ["EditGameClassProps.StartDisabled"]);
    let (before, after) = change(|scene| {
        let Content::Entity(id) = scene.nodes[named(scene, "relay")].content else { panic!() };
        scene.entities[id].connections[0].delay = 2.5;
    });
    assert_eq!(differences(&before, &after), ["DmeConnectionData.delay"]);
}

#[test]
fn a_moved_node_changes_its_origin() {
    let (before, after) = change(|scene| {
        let id = named(scene, "relay");
        let Transform::Trs { translation, .. } = &mut scene.nodes[id].transform else { panic!() };
        translation[0] += 16.0;
    });
    assert_eq!(differences(&before, &after), ["CMapEntity.origin"]);
}

#[test]
fn moving_a_group_moves_its_children() {
    let (before, after) = change(|scene| {
        let id = named(scene, "Group");
        let Transform::Trs { translation, .. } = &mut scene.nodes[id].transform else { panic!() };
        translation[1] += 8.0;
    });
    let mut found = differences(&before, &after);
    found.sort();
    assert_eq!(found, ["CMapEntity.origin", "CMapGroup.origin", "CMapMesh.origin"]);
}

#[test]
fn other_changes_are_local() {
    type Change = fn(&mut Scene);
    let cases: [(&str, Change, &[&str]); 9] = [
        ("lock", |scene| node(scene, "Box").locked = true, &["CMapMesh.transformLocked"]),
        ("name", |scene| node(scene, "Box").name = "Crate".into(), &["CMapMesh (name)"]),
        ("hidden", |scene| node(scene, "hidden").visible = true, &["CVisibilityMgr.hiddenFlags"]),
        ("property", |scene| node(scene, "Box").properties.set("physicsType", "none"), &["CMapMesh.physicsType"]),
        (
            "usual",
            |scene| {
                let id = named(scene, "Group");
                scene.nodes[id].properties.entries.retain(|(name, _)| name != "editorOnly");
            },
            &["CMapGroup.editorOnly"],
        ),
        (
            "light",
            |scene| {
                let Content::Light(id) = scene.nodes[named(scene, "lamp")].content else { panic!() };
                scene.lights[id].intensity = 3.0;
                scene.lights[id].properties.set("brightness", "3");
            },
            &["EditGameClassProps.brightness"],
        ),
        (
            "path",
            |scene| {
                let id = scene.paths.ids().next().unwrap();
                scene.paths[id].points[1].position[0] += 4.0;
            },
            &["CMapPathNode.origin"],
        ),
        (
            "override",
            |scene| {
                let id = named(scene, "Prefab");
                let Content::Prefab(prefab) = &mut scene.nodes[id].content else { panic!() };
                prefab.overrides.set("plug", "2");
            },
            &["CMapPrefab.variableOverrideValues"],
        ),
        (
            "hardness",
            |scene| {
                let Content::Mesh(id) = scene.nodes[named(scene, "Box")].content else { panic!() };
                scene.meshes[id].hard_edges.pop();
            },
            &["CDmePolygonMeshDataStream.data"],
        ),
    ];
    for (name, change_it, expected) in cases {
        let (before, after) = change(change_it);
        assert_eq!(differences(&before, &after), expected, "{name}");
    }
}

#[test]
fn nodes_are_added_and_removed() {
    let (before, after) = change(|scene| {
        let group = named(scene, "Group");
        let entity = Entity { class: "info_null".into(), ..Entity::default() };
        let id = scene.entities.push(entity);
        scene.add_node(Some(group), Node::new("new", Content::Entity(id)));
    });
    let classes = |document: &Document| document.nodes().map(|visit| visit.node.class().to_vec()).collect::<Vec<_>>();
    assert_eq!(classes(&after).len(), classes(&before).len() + 1);

    let base = map();
    let mut scene = import(&base);
    let group = named(&scene, "Group");
    scene.roots.retain(|root| *root != group);
    let mut without = base.clone();
    merge(&mut without, &scene);
    assert_eq!(classes(&without).len(), classes(&base).len() - 3);
    assert!(without.graph().elements.len() < base.graph().elements.len());
    let names: Vec<String> = import(&without).nodes.iter().map(|(_, node)| node.name.clone()).collect();
    assert!(!names.iter().any(|name| ["Group", "inside", "hidden"].contains(&name.as_str())), "{names:?}");
}

#[test]
fn changing_the_parent_keeps_the_world_position() {
    let base = map();
    let mut scene = import(&base);
    let (group, inside) = (named(&scene, "Group"), named(&scene, "inside"));
    let world = scene.walk().find(|visit| visit.id == inside).unwrap().world;
    scene.nodes[group].children.retain(|child| *child != inside);
    scene.nodes[inside].transform = world;
    scene.roots.insert(0, inside);
    let mut after = base.clone();
    merge(&mut after, &scene);
    let again = import(&after);
    assert_eq!(again.roots.len(), scene.roots.len());
    let found = again.walk().find(|visit| visit.node.name == "inside").unwrap();
    assert_eq!(found.parent, None);
    assert_eq!(found.world.origin(), world.origin());
    assert_eq!(after.graph().elements.len(), base.graph().elements.len());
}

#[test]
fn a_changed_face_rebuilds_the_mesh() {
    let (before, after) = change(|scene| {
        let Content::Mesh(id) = scene.nodes[named(scene, "Box")].content else { panic!() };
        let mesh = &mut scene.meshes[id];
        let kept = mesh.faces.len() - 1;
        let corners = mesh.faces.corner_range(kept).unwrap().start;
        mesh.faces = mesh.faces.iter().take(kept).map(<[u32]>::to_vec).collect();
        mesh.face_materials.truncate(kept);
        mesh.face_projections.truncate(kept);
        mesh.uv_sets.iter_mut().for_each(|set| set.corners.truncate(corners));
        mesh.color_sets.iter_mut().for_each(|set| set.corners.truncate(corners));
        mesh.normals.as_mut().unwrap().truncate(corners);
        for attribute in &mut mesh.attributes {
            attribute.values.truncate(corners * attribute.width);
        }
    });
    let faces = |map: &Document| {
        let mesh = map.nodes().find_map(|visit| visit.node.mesh().and_then(mapwright_vmap::MapMesh::data)).unwrap();
        mapwright_vmap::Mesh::from_element(mesh).unwrap().face_edge_indices.len()
    };
    assert_eq!(faces(&after) + 1, faces(&before));
}

#[test]
fn an_instanced_group_keeps_its_own_place() {
    let base = map();
    let mut scene = import(&base);
    let group = named(&scene, "Group");
    let copy =
        Node { transform: Transform::translation([500.0, 0.0, 0.0]), ..Node::new("copy", Content::Instance(group)) };
    scene.add_node(None, copy);
    let mut after = base.clone();
    let losses = merge_scene(&mut after, &scene, &ExportOptions::default()).unwrap();
    assert!(losses.iter().any(|loss| loss.text.contains("in its own place")), "{losses:?}");
    whole_map(&after);
    let again = import(&after);
    let instances: Vec<_> = again
        .walk()
        .filter(|visit| matches!(visit.node.content, Content::Instance(_)))
        .map(|v| v.world.origin())
        .collect();
    assert_eq!(instances.len(), 3);
    let place = scene.walk().find(|visit| visit.id == group).unwrap().world.origin();
    assert!(instances.contains(&place) && instances.contains(&[500.0, 0.0, 0.0]), "{instances:?}");
}

#[test]
fn groups_that_only_instances_show_stay_out_of_the_tree() {
    let mut base = map();
    let instance = base.graph().iter().find(|element| element.is("CMapInstance")).unwrap().id();
    let group = base.graph().element(instance).unwrap().child("target").unwrap().id();
    let holds = |element: &dmx::ElementRef<'_>| element.children("children").any(|child| child.id() == group);
    let parent = base.graph().iter().find(holds).unwrap();
    let rest = parent.children("children").map(dmx::ElementRef::id).filter(|child| *child != group);
    let (parent, rest) = (parent.id(), rest.map(dmx::Reference::Element).collect());
    base.graph_mut().set(parent, "children", dmx::Value::ElementArray(rest));
    let mut scene = import(&base);
    let id = named(&scene, "relay");
    scene.nodes[id].transform = scene.nodes[id].transform.compose(&Transform::translation([16.0, 0.0, 0.0]));
    let mut after = base.clone();
    merge(&mut after, &scene);
    assert_eq!(differences(&base, &after), ["CMapEntity.origin"]);
}

#[test]
fn zeros_keep_their_signs() {
    let mut base = map();
    let relay = base.graph().iter().find(|element| element.is("CMapEntity")).unwrap().id();
    base.graph_mut().set(relay, "origin", dmx::Value::Vector3([-0.0, 0.0, 8.0]));
    let mut scene = import(&base);
    let key = base.graph().element(relay).and_then(dmx::ElementRef::guid).unwrap().to_string();
    let id = scene.nodes.iter().find(|(_, node)| node.key.as_ref() == Some(&key)).unwrap().0;
    scene.nodes[id].transform = Transform::translation([0.0, 8.0, 0.0]).compose(&scene.nodes[id].transform);
    let mut after = base.clone();
    merge(&mut after, &scene);
    let Some(dmx::Value::Vector3(origin)) = after.graph().element(relay).unwrap().get("origin") else { panic!() };
    assert_eq!(origin.map(f32::to_bits), [-0.0_f32, 0.0, 16.0].map(f32::to_bits));
}

#[test]
fn cameras_and_sets_change_independently() {
    let (before, after) = change(|scene| {
        scene.sets[0].members.pop();
    });
    assert_eq!(differences(&before, &after), ["CObjectSelectionSetDataElement.selectedObjects"]);
    let base = map();
    let mut scene = import(&base);
    let camera = named(&scene, "view");
    scene.roots.retain(|root| *root != camera);
    scene.sets.clear();
    let mut after = base.clone();
    merge(&mut after, &scene);
    assert!(import(&after).sets.is_empty());
    assert!(!import(&after).nodes.iter().any(|(_, node)| node.name == "view"));
    let unused = after.graph().iter().filter(|element| element.is("CMapSelectionSet")).count();
    assert_eq!(unused, 1);
}

#[test]
fn nested_sets_are_added_and_removed() {
    let base = map();
    let mut scene = import(&base);
    let known = scene.sets.len();
    for index in 0..4 {
        let mut set = NamedSet { name: format!("new {index}"), ..NamedSet::default() };
        if index % 2 == 1 {
            set.properties.push("within", i64::try_from(known + index - 1).unwrap());
        }
        scene.sets.push(set);
    }
    let mut after = base.clone();
    merge(&mut after, &scene);
    let sets: Vec<_> = after.selection_sets().map(|(set, depth)| (set.set_name().to_vec(), depth)).collect();
    let new: Vec<_> = sets.iter().filter(|(name, _)| name.starts_with(b"new")).map(|(_, depth)| *depth).collect();
    assert_eq!(new, [1, 2, 1, 2]);
    scene = import(&after);
    assert_eq!(scene.sets.len(), known + 4);
    scene.sets.truncate(known);
    merge(&mut after, &scene);
    assert_eq!(after.selection_sets().count(), known + 1);
}

/// Quadratic time would take a minute.
#[test]
fn changing_many_sets_is_linear() {
    let mut scene = Scene::default();
    let nodes: Vec<NodeId> = (0..30_000).map(|_| scene.add_node(None, Node::new("", Content::Group))).collect();
    let member = |index: usize| vec![(nodes[index], Elements::Node)];
    scene.sets = (0..20_000).map(|index| NamedSet { members: member(index), ..NamedSet::default() }).collect();
    let mut map = from_scene(&scene, &ExportOptions::default()).unwrap().document;
    let started = Instant::now();
    let mut scene = import(&map);
    scene.sets.iter_mut().enumerate().for_each(|(index, set)| set.members = member(index + 1));
    scene.sets.truncate(19_000);
    merge(&mut map, &scene);
    assert_eq!(import(&map).sets, scene.sets);
    assert!(started.elapsed() < Duration::from_secs(15), "{:?}", started.elapsed());
}

#[test]
fn a_failed_merge_changes_nothing() {
    let base = map();
    let mut scene = import(&base);
    scene.nodes[named(&base_scene(&base), "Box")].transform = Transform::translation([f64::NAN; 3]);
    let mut after = base.clone();
    assert!(merge_scene(&mut after, &scene, &ExportOptions::default()).is_err());
    assert!(after == base);
}

fn base_scene(document: &Document) -> Scene {
    plain(&import(document))
}

#[test]
fn connections_are_added_and_removed() {
    let (_, after) = change(|scene| {
        let Content::Entity(id) = scene.nodes[named(scene, "relay")].content else { panic!() };
        scene.entities[id].connections.insert(
            0,
            Connection {
                output: "OnSpawn".into(),
                target: "relay".into(),
                target_type: Some(7),
                input: "Kill".into(),
                ..Connection::default()
            },
        );
        let Content::Entity(id) = scene.nodes[named(scene, "inside")].content else { panic!() };
        scene.entities[id].properties.push("new", Value::Text("key".into()));
    });
    let outputs = after.nodes().filter_map(|visit| match visit.node.kind() {
        NodeKind::Entity(entity) => Some(entity.node().connections().count()),
        _ => None,
    });
    assert_eq!(outputs.sum::<usize>(), 2);
    assert!(after.graph().element(ElementId::ROOT).is_some());
}

#[test]
fn the_world_cannot_move() {
    let mut map = map();
    map.edit(|map| {
        let world = map.world()?;
        map.set_key(world, "skyname", "sky_day01")
    })
    .unwrap();
    let mut scene = import(&map);
    let moved = scene.nodes.iter().find_map(|(id, node)| match node.content {
        Content::Entity(entity) => (scene.entities[entity].class == "worldspawn").then_some(id),
        _ => None,
    });
    scene.nodes[moved.unwrap()].transform = Transform::translation([100.0, 0.0, 0.0]);
    let mut merged = map.clone();
    let losses = merge_scene(&mut merged, &scene, &ExportOptions::default()).unwrap();
    assert!(losses.iter().any(|loss| loss.text.contains("which cannot move")), "{losses:?}");
    assert!(merged.to_bytes().unwrap() == map.to_bytes().unwrap());
}

#[test]
fn outputs_to_renamed_entities_are_reported() {
    let path = mapwright_testkit::fixtures("vmap").join("room.vmap");
    let before = Document::from_bytes(&std::fs::read(path).unwrap()).unwrap();
    let aimed = |target: &str, name: &str, other: Option<&str>| {
        let mut document = before.clone();
        let outputs: Vec<_> =
            document.nodes().flat_map(|visit| visit.node.connections()).map(|output| output.element().id()).collect();
        for output in outputs {
            let target = document.graph_mut().string_value(target);
            document.graph_mut().set(output, "targetName", target);
        }
        let mut scene = import(&document);
        let lamp = named(&scene, "lamp");
        scene.nodes[lamp].name = name.into();
        for (_, entity) in scene.entities.iter_mut().filter(|(_, entity)| entity.class == "prop_static") {
            other.into_iter().for_each(|name| entity.properties.set("targetname", name));
        }
        let losses = merge_scene(&mut document, &scene, &ExportOptions::default()).unwrap();
        assert!(import(&document).nodes.iter().any(|(_, node)| node.name == name));
        losses
            .iter()
            .filter(|loss| loss.text.contains("no longer exists"))
            .map(|loss| loss.text.clone())
            .collect::<Vec<_>>()
    };
    let renamed = |name: &str, other: Option<&str>| aimed("lamp", name, other);
    assert_eq!(renamed("torch", None), ["target of 1 output: \"lamp\" no longer exists"]);
    assert_eq!(renamed("lamp", None), [""; 0]);
    assert_eq!(renamed("torch", Some("lamp")), [""; 0]);
    // Case is ignored. A star matches the rest of a name.
    assert_eq!(
        [aimed("LAMP", "Lamp", None), aimed("la*", "Lantern", None), aimed("!self", "torch", None)],
        [[""; 0]; 3]
    );
    assert_eq!([aimed("Lamp", "torch", None), aimed("la*", "torch", None)].map(|lines| lines.len()), [1; 2]);
}

/// Returns an attribute of the first node of a class.
fn attribute(map: &Document, class: &str, name: &str) -> dmx::Value {
    let node = map.graph().iter().find(|node| node.is(class)).unwrap_or_else(|| panic!("no {class}"));
    node.get(name).unwrap_or_else(|| panic!("no {name}")).clone()
}

#[test]
fn overlays_keep_their_targets_in_new_maps() {
    let mut map = Document::new();
    let added = map.edit(|map| {
        let world = map.map().world().unwrap().element().id();
        let target = map.add_entity(world, "prop_static")?;
        let overlay = map.add_node(world, "CMapStaticOverlay")?;
        map.set_mesh(overlay, &shapes::quad())?;
        map.graph_mut().set(target, "nodeID", dmx::Value::Int(70));
        map.graph_mut().set(overlay, "projectionTargets", dmx::Value::IntArray([70].into()));
        Ok::<_, mapwright_vmap::WriteError>(())
    });
    added.unwrap();
    let mut scene = import(&map);
    // Nodes before the target take its place in the order of numbers.
    for _ in 0..80 {
        let id = scene.add_node(None, Node::new("group", Content::Group));
        scene.roots.rotate_right(1);
        assert_eq!(scene.roots[0], id);
    }
    let new = from_scene(&scene, &ExportOptions::default()).unwrap().document;
    whole_map(&new);
    let dmx::Value::IntArray(targets) = attribute(&new, "CMapStaticOverlay", "projectionTargets") else { panic!() };
    let is_target =
        |node: &dmx::ElementRef<'_>| node.is("CMapEntity") && node.int("nodeID") == targets.first().copied();
    assert_eq!(new.graph().iter().filter(is_target).count(), 1);
    // A merge changes neither.
    let mut merged = map.clone();
    merge(&mut merged, &scene);
    assert_eq!(attribute(&merged, "CMapStaticOverlay", "projectionTargets"), dmx::Value::IntArray([70].into()));
    assert_eq!(attribute(&merged, "CMapEntity", "nodeID"), dmx::Value::Int(70));
}

#[test]
fn game_objects_move_in_their_json() {
    let mut map = Document::new();
    let json = r#"{"Position":"8,0,16","Components":[{"Position":"1,1,1","Model":"models/a.vmdl"}]}"#;
    let added = map.edit(|map| {
        let world = map.map().world().unwrap().element().id();
        let object = map.add_node(world, "CMapGameObject")?;
        let value = map.graph_mut().string_value(json);
        map.graph_mut().set(object, "m_SerializedGameObject", value);
        map.graph_mut().set(object, "origin", dmx::Value::Vector3([8.0, 0.0, 16.0]));
        Ok::<_, mapwright_vmap::WriteError>(())
    });
    added.unwrap();
    assert!(map.assets().iter().any(|asset| asset.path == b"models/a.vmdl" && asset.uses.len() == 1));
    let mut scene = import(&map);
    let id = scene.roots[0];
    let [x, y, z] = scene.nodes[id].transform.origin();
    // Half a turn about the vertical axis.
    let rotation = [0.0, 1.0, 0.0, 0.0];
    scene.nodes[id].transform = Transform::Trs { translation: [x, y + 64.0, z], rotation, scale: [1.0; 3] };
    merge(&mut map, &scene);
    let dmx::Value::String(text) = attribute(&map, "CMapGameObject", "m_SerializedGameObject") else { panic!() };
    let text = String::from_utf8_lossy(map.graph().string(text)).into_owned();
    assert!(text.contains(r#""Position":"8,0,80""#) && text.contains(r#"[{"Position":"1,1,1""#), "{text}");
    assert!(text.contains(r#""Rotation":"0,0,1,0""#), "{text}");
}

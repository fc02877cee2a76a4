//! Conversion to scenes and back.

use mapwright_scene::{
    Camera, Content, Entity, Light, LightKind, Losses, Mesh, Node, NodeId, Properties, Scene, Severity, Transform,
    Value,
};
use mapwright_testkit::{debugdiff, fixtures_as, hexdiff};
use mapwright_vmf::scene::{ExportOptions, ImportOptions, from_scene, merge_scene, to_scene};
use mapwright_vmf::{Document, Entity as MapEntity, Output, Side, Solid};

use crate::support::{corpus_map, corpus_maps, map};

fn import(document: &Document) -> (Scene, Losses) {
    let import = to_scene(document, &ImportOptions::default()).expect("every map is a scene");
    let broken = import.scene.validate().into_iter().find(|problem| problem.severity == Severity::Error);
    assert!(broken.is_none(), "{broken:?}");
    (import.scene, import.losses)
}

fn export(scene: &Scene) -> (Document, Losses) {
    let export = from_scene(scene, &ExportOptions::default()).unwrap_or_else(|error| panic!("{error}"));
    (export.document, export.losses)
}

fn merge(document: &Document, scene: &Scene) -> (Document, Losses) {
    let mut document = document.clone();
    let losses = merge_scene(&mut document, scene, &ExportOptions::default()).unwrap_or_else(|error| panic!("{error}"));
    (document, losses)
}

fn texts(losses: &Losses) -> Vec<String> {
    losses.iter().map(ToString::to_string).collect()
}

fn room() -> Document {
    let all = fixtures_as("vmf", Document::from_bytes);
    let room = all.into_iter().find(|(name, ..)| name == "room.vmf");
    room.expect("a fixture").2
}

/// Returns the node with a name.
fn named<'s>(scene: &'s Scene, name: &str) -> (NodeId, &'s Node) {
    scene.nodes.iter().find(|(_, node)| node.name == name).unwrap_or_else(|| panic!("no node {name}"))
}

fn entity<'s>(scene: &'s Scene, class: &str) -> &'s Entity {
    scene.entities.items().iter().find(|entity| entity.class == class).unwrap_or_else(|| panic!("no {class}"))
}

/// The number of different lines.
fn changed_lines(before: &Document, after: &Document) -> usize {
    let lines = |map: &Document| map.as_bytes().split(|byte| *byte == b'\n').map(<[u8]>::to_vec).collect::<Vec<_>>();
    let (before, after) = (lines(before), lines(after));
    assert_eq!(before.len(), after.len());
    before.iter().zip(&after).filter(|(a, b)| a != b).count()
}

#[test]
fn a_room_becomes_a_scene() {
    let (scene, losses) = import(&room());
    assert_eq!((scene.metres_per_unit, scene.brushes.len()), (Some(0.0254), 3));
    assert_eq!(entity(&scene, "worldspawn").properties, [("skyname", "sky_day01_01")].into_iter().collect());

    // Solids of entities have coordinates of the world, and hang below their entity.
    let (_, door) = named(&scene, "door");
    assert_eq!(door.transform.origin(), [96.0, 48.0, 0.0]);
    let solid = scene.walk().find(|visit| Some(visit.id) == door.children.first().copied()).expect("a solid");
    assert!(solid.world.is_identity());
    let connections = &entity(&scene, "func_door").connections;
    assert_eq!((&*connections[0].target, connections[0].delay, connections[0].times), ("lamp", 0.5, None));
    assert_eq!((&*connections[1].parameter, connections[1].times), ("a,b", Some(1)));

    // Hidden, grouped and in visgroups.
    let group = scene.roots.iter().map(|id| &scene.nodes[*id]).find(|node| node.content == Content::Group);
    let members: Vec<&Node> = group.expect("a group").children.iter().map(|id| &scene.nodes[*id]).collect();
    assert_eq!((members.len(), members[0].visible, members[1].visible), (2, false, true));
    assert_eq!(members[0].properties.get("comments").and_then(Value::as_text), Some("behind the door"));
    let sets: Vec<_> = scene.sets.iter().map(|set| (&*set.name, set.members.len())).collect();
    assert_eq!(sets, [("Lights", 1), ("Spots", 1)]);
    assert_eq!(scene.sets[1].properties.get("within"), Some(&Value::Int(0)));

    // A light that points 60 degrees down, to the north.
    let (_, spot) = named(&scene, "spot");
    let direction = spot.transform.vector([0.0, 0.0, -1.0]);
    let wanted =
        [0.0, -mapwright_io::math::sin(60.0_f64.to_radians()), -mapwright_io::math::cos(60.0_f64.to_radians())];
    assert!(direction.iter().zip(wanted).all(|(a, b)| (a - b).abs() < 1e-9), "{direction:?}");
    assert!(matches!(scene.lights.items()[1].kind, LightKind::Spot { .. }));

    // The displacement has two triangles for each of 16 squares, and no other side.
    let ground = scene.meshes.items().iter().max_by_key(|mesh| mesh.faces.len()).expect("a mesh");
    assert_eq!((ground.faces.len(), ground.positions.len()), (32, 25));
    assert!(ground.positions.contains(&[256.0, 16.0, 0.0]), "{:?}", ground.positions);
    assert_eq!(ground.attributes[0].values.iter().copied().fold(0.0, f64::max), 0.8);

    let (_, instance) = named(&scene, "lamp2");
    let Content::Prefab(prefab) = &instance.content else { panic!("{:?}", instance.content) };
    assert_eq!(prefab.reference, "instances/Lamp.vmf");
    assert_eq!(prefab.overrides, [("color", "255 0 0")].into_iter().collect::<Properties>());
    let floor = &scene.brushes.items()[0];
    assert_eq!(floor.sides[0].properties.get("id"), Some(&Value::Int(1)));
    assert_eq!(floor.sides[0].projection.offset, [8.0, 16.0]);
    assert!(floor.sides[1].properties.is_empty());
    let texts = texts(&losses);
    assert!(texts.iter().any(|text| text.contains("not drawn") && text.contains("5 sides")), "{texts:#?}");
    assert!(texts.iter().all(|text| !text.starts_with("dropped: entity")), "{texts:#?}");
}

/// Mirrored mistakes of reader and writer would not show: the polygons come from the other implementation of the crate.
#[test]
fn brushes_have_the_polygons_of_solids() {
    let map = room();
    let (scene, _) = import(&map);
    let solids: Vec<Solid<'_>> = map.solids().filter(|solid| !solid.has_displacements()).collect();
    for (brush, solid) in scene.brushes.items().iter().zip(solids) {
        let made = brush.polygons().expect("a body");
        for (ring, polygon) in made.sides.iter().zip(solid.polygons().expect("a body")) {
            let mut points: Vec<_> = ring.iter().map(|vertex| made.vertices[*vertex as usize]).collect();
            let mut wanted: Vec<_> = polygon.iter().rev().map(|&[x, y, z]| [x, z, -y]).collect();
            let order = |a: &[f64; 3], b: &[f64; 3]| a.partial_cmp(b).expect("numbers");
            points.sort_by(order);
            wanted.sort_by(order);
            assert!(points.iter().flatten().zip(wanted.iter().flatten()).all(|(a, b)| (a - b).abs() < 1e-6));
        }
        assert!(brush.to_mesh(&made, &Transform::IDENTITY, |_| [64.0; 2]).volume() > 0.0);
    }
}

/// A scene without the data that new maps do not have: displacements, and links to the map.
fn without_sources(mut scene: Scene) -> Scene {
    scene.nodes.iter_mut().for_each(|(_, node)| node.key = None);
    scene
}

#[test]
fn new_maps_have_the_same_objects() {
    let (scene, _) = import(&room());
    let scene = without_sources(scene);
    let (document, losses) = export(&scene);
    let texts = texts(&losses);
    assert!(texts.iter().any(|text| text.contains("cannot become a solid")), "{texts:#?}");
    assert!(document.validate().is_empty(), "{:#?}", document.validate());
    let (again, _) = import(&document);
    let kinds = |scene: &Scene| {
        [scene.brushes.len(), scene.entities.len(), scene.lights.len(), scene.cameras.len(), scene.sets.len()]
    };
    assert_eq!(kinds(&again), kinds(&scene));
    let sorted = |scene: &Scene| {
        let mut entities = scene.entities.items().to_vec();
        entities.sort_by(|a, b| a.class.cmp(&b.class));
        entities.iter_mut().for_each(|entity| entity.properties.entries.sort_by(|a, b| a.0.cmp(&b.0)));
        entities
    };
    assert_eq!(sorted(&again), sorted(&scene));
    assert_eq!(again.properties, scene.properties);
    let sides = |scene: &Scene| {
        let sides = scene.brushes.items().iter().flat_map(|brush| &brush.sides);
        let mut texts: Vec<String> = sides.map(|side| format!("{:?} {:?}", side.plane, side.projection)).collect();
        texts.sort_unstable();
        texts
    };
    assert_eq!(sides(&again), sides(&scene));
    // Written again, the map is the same.
    let (second, _) = export(&without_sources(again));
    assert!(hexdiff(document.as_bytes(), second.as_bytes()).is_none());
}

#[test]
fn unchanged_scenes_keep_maps() {
    for (name, bytes, document) in fixtures_as("vmf", Document::from_bytes) {
        let (scene, _) = import(&document);
        let (merged, losses) = merge(&document, &scene);
        assert!(merged.as_bytes() == bytes && losses.is_empty(), "{name}");
        // A sound cannot be stored, so that the merge is not skipped.
        let mut scene = scene;
        scene.name = "other".to_owned();
        let (merged, losses) = merge(&document, &scene);
        assert!(hexdiff(&bytes, merged.as_bytes()).is_none(), "{name}");
        assert_eq!(losses.lost_count(), 1, "{name}: {:?}", texts(&losses));
    }
}

#[test]
fn changes_change_their_lines_only() {
    let document = room();
    let check = |most: usize, change: &dyn Fn(&mut Scene)| {
        let (mut scene, _) = import(&document);
        change(&mut scene);
        let (merged, losses) = merge(&document, &scene);
        assert_eq!(losses.lost_count(), 0, "{:#?}", texts(&losses));
        let changed = changed_lines(&document, &merged);
        assert!(changed > 0 && changed <= most, "{changed} lines");
        let (back, _) = import(&merged);
        assert!(back == scene, "{:?}", debugdiff(&back, &scene));
    };
    let place = |scene: &mut Scene, name: &str, to: [f64; 3]| {
        let (id, _) = named(scene, name);
        if let Transform::Trs { translation, .. } = &mut scene.nodes[id].transform {
            *translation = to;
        }
    };
    check(1, &|scene| place(scene, "lamp", [1.0, 2.0, -3.0]));
    check(1, &|scene| {
        scene.lights.iter_mut().for_each(|(_, light)| {
            if light.kind == LightKind::Point {
                light.color[0] = 0.0;
                light.properties.set("_light", "0 220 180 200");
            }
        });
    });
    check(1, &|scene| {
        scene.entities.iter_mut().for_each(|(_, entity)| {
            if entity.class == "func_door" {
                entity.properties.set("speed", "50");
            }
        });
    });
    check(1, &|scene| {
        let doors = scene.entities.iter_mut().filter(|(_, entity)| entity.class == "func_door");
        doors.for_each(|(_, entity)| entity.connections[0].delay = 2.0);
    });
    check(1, &|scene| scene.sets[0].name = "Lamps".to_owned());
    check(1, &|scene| scene.properties.set("gridspacing", 8_i64));
    check(1, &|scene| {
        scene.brushes.iter_mut().take(1).for_each(|(_, brush)| brush.sides[0].projection.offset[0] = 1.0);
    });
    check(18, &|scene| {
        // A solid of the world that moves: its three points, but not its textures.
        let solid = scene.roots.iter().copied().find(|id| matches!(scene.nodes[*id].content, Content::Brush(_)));
        let solid = solid.expect("a solid");
        let Content::Brush(brush) = scene.nodes[solid].content else { panic!("a brush") };
        for point in scene.brushes[brush].sides.iter_mut().flat_map(|side| &mut side.plane) {
            point[1] += 8.0;
        }
    });
}

#[test]
fn objects_are_added_removed_hidden_and_shown() {
    let document = room();
    let (before, _) = import(&document);

    let mut scene = before.clone();
    let (door, _) = named(&scene, "door");
    scene.roots.retain(|root| *root != door);
    let (merged, losses) = merge(&document, &scene);
    assert_eq!((merged.entities().count(), merged.solids().count()), (6, 3), "{:?}", texts(&losses));
    assert!(!merged.entities().any(|entity| entity.is_class("func_door")));

    let mut scene = before.clone();
    let (lamp, _) = named(&scene, "lamp");
    scene.nodes[lamp].visible = false;
    let (merged, losses) = merge(&document, &scene);
    assert!(losses.is_empty(), "{:?}", texts(&losses));
    assert_eq!(merged.entities().filter(|entity| entity.is_hidden()).count(), 1);
    let (shown, losses) = merge(&merged, &before);
    assert!(losses.is_empty(), "{:?}", texts(&losses));
    assert!(hexdiff(document.as_bytes(), shown.as_bytes()).is_none());

    let mut scene = before.clone();
    let light = scene.lights.push(Light { range: Some(64.0), ..Light::default() });
    scene.add_node(
        None,
        Node { transform: Transform::translation([1.0, 2.0, 3.0]), ..Node::new("new", Content::Light(light)) },
    );
    let brush = scene.brushes.items()[0].clone();
    let brush = scene.brushes.push(brush);
    let (door, _) = named(&scene, "door");
    scene.add_node(Some(door), Node::new("", Content::Brush(brush)));
    let camera = scene.cameras.push(Camera::default());
    scene.add_node(None, Node::new("camera", Content::Camera(camera)));
    let (merged, _) = merge(&document, &scene);
    assert_eq!((merged.entities().count(), merged.solids().count(), merged.cameras().count()), (8, 5, 2));
    let new = merged.entities().last().expect("an entity");
    assert_eq!((new.name().as_deref(), new.origin()), (Some("new"), Some([1.0, -3.0, 2.0])));
    let door = merged.entities().find(|entity| entity.is_class("func_door")).expect("a door");
    assert_eq!(door.solids().count(), 2);
    let mut ids: Vec<_> = merged.solids().flat_map(Solid::sides).filter_map(Side::id).collect();
    ids.sort_unstable();
    let count = ids.len();
    ids.dedup();
    assert_eq!(ids.len(), count, "ids of sides are unique");
}

#[test]
fn other_content_is_written_or_reported() {
    let mut scene = Scene { metres_per_unit: Some(1.0), ..Scene::default() };
    let positions = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, -1.0]].to_vec();
    let faces = [[0, 1, 2], [0, 2, 3], [0, 3, 1], [1, 3, 2]];
    let body =
        scene.meshes.push(Mesh { positions: positions.clone(), faces: faces.into_iter().collect(), ..Mesh::default() });
    let open = scene.meshes.push(Mesh { positions, faces: faces.into_iter().take(3).collect(), ..Mesh::default() });
    scene.add_node(None, Node::new("", Content::Mesh(body)));
    scene.add_node(None, Node::new("", Content::Mesh(open)));
    scene.add_node(None, Node::new("place", Content::Marker));
    let (document, losses) = export(&scene);
    let texts = texts(&losses);
    assert!(texts.iter().any(|text| text.starts_with("dropped: nodes[1]: mesh cannot become a solid")), "{texts:#?}");
    let solid = document.solids().next().expect("a solid");
    let polygons = solid.polygons().expect("a body");
    let largest = polygons.iter().flatten().flatten().copied().fold(0.0, f64::max);
    assert!((largest - 1.0 / 0.0254).abs() < 1e-9, "{largest}");
    let place = document.entities().next().expect("an entity");
    assert!(place.is_class("info_target") && place.name().as_deref() == Some("place"));
}

#[test]
fn outputs_keep_their_separator() {
    let text = "world\n{\n}\nentity\n{\n\t\"classname\" \"logic_auto\"\n\tconnections\n\t{\n\t\t\"OnA\" \"b\u{1B}c\u{1B}d\u{1B}0\u{1B}-1\"\n\t}\n}\n";
    let (scene, _) = import(&map(text));
    let (document, _) = export(&scene);
    let output = document.entities().flat_map(MapEntity::outputs).next().map(Output::text);
    assert_eq!(output.as_deref(), Some("b\u{1B}c\u{1B}d\u{1B}0\u{1B}-1"));
}

#[test]
fn hostile_groups_and_sides_end() {
    let text = "world { group { id 1 editor { groupid 2 } } group { id 2 editor { groupid 1 } } \
        solid { side { plane \"(0 0 0) (0 0 0) (0 0 0)\" } editor { groupid 1 visgroupid 9 } } } \
        entity { classname info_overlay BasisOrigin \"1e308 0 0\" } cameras { camera { } } cordon { mins \"(1 2)\" }";
    let document = map(text);
    let (mut scene, losses) = import(&document);
    assert!(losses.iter().any(|loss| loss.text.contains("contain themselves")), "{:?}", texts(&losses));
    scene.name = "other".to_owned();
    let (merged, _) = merge(&document, &scene);
    assert!(hexdiff(document.as_bytes(), merged.as_bytes()).is_none());
}

#[test]
fn corpus_maps_keep_their_bytes_and_come_back_from_scenes() {
    for path in &corpus_maps() {
        let document = corpus_map(path);
        let name = path.display();
        let (scene, _) = import(&document);
        let mut other = scene.clone();
        other.name = "other".to_owned();
        let (merged, losses) = merge(&document, &other);
        assert!(hexdiff(document.as_bytes(), merged.as_bytes()).is_none(), "{name}");
        assert_eq!(losses.lost_count(), 1, "{name}: {:#?}", texts(&losses));

        let (new, _) = export(&without_sources(scene.clone()));
        let (again, _) = import(&new);
        assert_eq!(again.brushes.len(), scene.brushes.len(), "{name}");
        assert_eq!(again.entities.len(), scene.entities.len(), "{name}");
        assert_eq!(again.lights.len(), scene.lights.len(), "{name}");
    }
}

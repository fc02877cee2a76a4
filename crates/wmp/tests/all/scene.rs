//! Conversion to scenes and back.
#![cfg(feature = "scene")]

use crate::{maps::village, support};

use std::sync::Arc;

use mapwright_scene::{
    Brush, BrushSide, Camera, ColorSpace, Content, Entity, Light, LightKind, Losses, Material, Mesh, Node, Scene,
    Severity, Smoothing, Sound, TextureProjection, Transform, UvSet,
};
use mapwright_testkit::{debugdiff, hexdiff};
use mapwright_wmp::scene::{ExportOptions, Form, ImportOptions, from_scene, merge_scene, to_scene};
use mapwright_wmp::{BlockFlags, Dialect, Document, EntityKind, Member, MemberKind, Shape};

fn import(document: &Document) -> (Scene, Losses) {
    let import = to_scene(document, &ImportOptions::default()).expect("every map is a scene");
    let broken = import.scene.validate().into_iter().find(|problem| problem.severity == Severity::Error);
    assert!(broken.is_none(), "{broken:?}");
    (import.scene, import.losses)
}

fn export(scene: &Scene, form: Form) -> (Document, Losses) {
    let export = from_scene(scene, &ExportOptions::default().with_form(form)).expect("a valid scene");
    (export.document, export.losses)
}

fn merge(document: &Document, scene: &Scene) -> (Document, Losses) {
    let mut document = document.clone();
    let losses = merge_scene(&mut document, scene, &ExportOptions::default()).expect("a valid scene");
    (document, losses)
}

fn reread(document: &Document) -> Document {
    Document::from_bytes(&document.to_bytes().expect("it can be written")).expect("and be read again")
}

/// Counts different lines, or bytes of binary files.
fn difference(name: &str, a: &[u8], b: &[u8]) -> usize {
    if a.starts_with(b"WMPB") {
        assert_eq!(a.len(), b.len(), "{name}: {:?}", hexdiff(a, b));
        return a.iter().zip(b).filter(|(a, b)| a != b).count();
    }
    let lines = |bytes: &[u8]| bytes.split(|byte| *byte == b'\n').map(<[u8]>::to_vec).collect::<Vec<_>>();
    let (a, b) = (lines(a), lines(b));
    assert_eq!(a.len(), b.len(), "{name}");
    a.iter().zip(&b).filter(|(a, b)| a != b).count()
}

/// Removes the keys that connect nodes with parts.
fn without_keys(mut scene: Scene) -> Scene {
    scene.nodes.iter_mut().for_each(|(_, node)| node.key = None);
    scene
}

/// Returns the corpus maps.
fn maps() -> Option<Vec<(String, Vec<u8>, Document)>> {
    let maps = support::maps(|_| true)?;
    let read = |(name, _, bytes): (String, _, Vec<u8>)| {
        let document = Document::from_bytes(&bytes).unwrap_or_else(|error| panic!("{name}: {error}"));
        (name, bytes, document)
    };
    Some(maps.into_iter().map(read).collect())
}

#[test]
#[ignore = "needs the corpus"]
fn unchanged_scenes_keep_corpus_maps() {
    let Some(maps) = maps() else { return };
    for (name, bytes, document) in &maps {
        let (scene, losses) = import(document);
        assert!(
            losses.iter().all(|loss| loss.text.contains("windows") || name.contains("synthetic")),
            "{name} {losses:?}"
        );
        let (merged, losses) = merge(document, &scene);
        assert!(merged.to_bytes().unwrap() == *bytes && losses.is_empty(), "{name}");
        // Add content that maps cannot store, so that the merge is not skipped.
        let mut scene = scene;
        let camera = scene.cameras.push(Camera::default());
        scene.add_node(None, Node::new("camera", Content::Camera(camera)));
        let (merged, losses) = merge(document, &scene);
        let merged = merged.to_bytes().unwrap();
        assert!(merged == *bytes, "{name}: {:?}", hexdiff(bytes, &merged));
        assert!(losses.lost_count() > 0, "{name}");
    }
    assert!(maps.len() >= 190, "{} maps", maps.len());
}

#[test]
#[ignore = "needs the corpus"]
fn changes_of_corpus_scenes_change_nothing_else() {
    let Some(maps) = maps() else { return };
    let mut counts = [0; 4];
    // If several parts share an object, a moved part gets its own.
    for (name, bytes, document) in maps.iter().filter(|(name, ..)| !name.contains("page_")) {
        let (scene, _) = import(document);
        let check_merge = &mut |counts: &mut [usize; 4], which: usize, scene: &Scene, most: usize| {
            counts[which] += 1;
            let (merged, losses) = merge(document, scene);
            assert_eq!(losses.lost_count(), 0, "{name}: {losses:?}");
            let written = merged.to_bytes().unwrap();
            let changed = difference(name, bytes, &written);
            assert!(changed > 0 && changed <= most, "{name}: {changed} changes of {which}");
            let (back, _) = import(&Document::from_bytes(&written).unwrap());
            assert!(back == *scene, "{name} {which}: {:?}", debugdiff(&back, scene));
        };
        let find = |wanted: &dyn Fn(&Node) -> bool| {
            scene.nodes.iter().find(|(_, node)| wanted(node)).map(|(id, node)| (id, node.content.clone()))
        };
        // A block that moves. In resolved maps, blocks have no position.
        let solid = find(&|node| matches!(node.content, Content::Brush(_) | Content::Mesh(_)));
        let has_place = document.dialect != Dialect::Resolved && document.objects.len() > 1;
        if let Some((id, _)) = solid.filter(|_| has_place) {
            let mut moved = scene.clone();
            let [_, y, _] = moved.nodes[id].transform.origin();
            let Transform::Trs { translation, .. } = &mut moved.nodes[id].transform else { panic!("one") };
            *translation = [1000.5, y, 32.0];
            check_merge(&mut counts, 0, &moved, 24);
        }
        // A renamed entity: in text, comments have the name too.
        let entity =
            find(&|node| matches!(node.content, Content::Marker | Content::Path(_)) && node.properties.is_empty());
        if let Some((id, content)) = entity {
            let mut named = scene.clone();
            let name: String = scene.nodes[id].name.chars().map(|c| if c == 'x' { 'y' } else { 'x' }).collect();
            if let Content::Path(path) = content {
                named.paths[path].name.clone_from(&name);
            }
            named.nodes[id].name = name;
            check_merge(&mut counts, 1, &named, 64);
        }
        // Another texture on a side.
        if let Some(texture) = scene.materials.items().first().filter(|_| !scene.brushes.is_empty()) {
            let mut painted = scene.clone();
            let new = painted.materials.push(Material::new("z".repeat(texture.name.len())));
            let brush = painted.brushes.ids().next().expect("there is one");
            if painted.brushes[brush].sides[0].material == scene.materials.ids().next() {
                painted.brushes[brush].sides[0].material = Some(new);
                let (merged, losses) = merge(document, &painted);
                assert_eq!(losses.lost_count(), 0, "{name}: {losses:?}");
                let changed = difference(name, bytes, &merged.to_bytes().unwrap());
                assert!(changed > 0 && changed <= 16, "{name}: {changed}");
                counts[2] += 1;
            }
        }
        // A model that is rotated and has another file.
        if let Some((id, Content::Entity(entity))) = find(&|node| matches!(node.content, Content::Entity(_)))
            && scene.entities[entity].class == "model"
        {
            let mut turned = scene.clone();
            let rotation = Transform::looking_along([1.0, 0.5, -0.25]);
            let Transform::Trs { rotation: old, .. } = &mut turned.nodes[id].transform else { panic!("one") };
            *old = rotation;
            let file = scene.entities[entity].model.clone().unwrap_or_default();
            turned.entities[entity].model = Some("q".repeat(file.len()));
            let (merged, losses) = merge(document, &turned);
            assert_eq!(losses.lost_count(), 0, "{name}: {losses:?}");
            let written = merged.to_bytes().unwrap();
            let changed = difference(name, bytes, &written);
            assert!(changed <= 27 + file.len(), "{name} {changed}");
            let (back, _) = import(&Document::from_bytes(&written).unwrap());
            let Transform::Trs { rotation: found, .. } = back.nodes[id].transform else { panic!("{name}") };
            let same: f64 = found.iter().zip(rotation).map(|(a, b)| a * b).sum();
            assert!(same.abs() > 1.0 - 1e-9, "{name} {found:?}");
            counts[3] += 1;
        }
    }
    assert!(counts.iter().all(|count| *count > 20), "{counts:?}");
}

#[test]
fn numbers_that_do_not_follow_the_tree_are_kept() {
    let scene = {
        let mut scene = Scene::default();
        let group = scene.add_node(None, Node::new("group", Content::Group));
        for x in [0.0, 8.0] {
            let sound = scene.sounds.push(Sound { reference: "water.wav".into(), ..Sound::default() });
            let place = Transform::translation([x, 0.0, 0.0]);
            scene.add_node(Some(group), Node { transform: place, ..Node::new("", Content::Sound(sound)) });
        }
        scene
    };
    let (mut document, _) = export(&scene, Form::Text);
    // The entities after the level change places, with their numbers.
    document.entities.swap(1, 2);
    let numbers: Vec<u32> = document.entities.iter().map(|entity| entity.number).collect();
    let (mut scene, _) = import(&document);
    let moved = scene.nodes.ids().last().unwrap();
    scene.nodes[moved].transform = Transform::translation([0.0, 5.0, 0.0]);
    let copy = scene.nodes[moved].clone();
    scene.add_node(None, copy);
    let (merged, _) = merge(&document, &scene);
    assert!(merged.entities.iter().map(|entity| entity.number).eq(numbers.into_iter().chain([3])));
    assert_eq!(merged.header.counts.unwrap().entities, 4);
    assert_eq!(import(&reread(&merged)).0.walk().count(), scene.walk().count());
}

#[test]
fn added_parts_do_not_become_missing_members() {
    let mut document = village(Dialect::A7);
    let tower = document.objects.iter().position(|object| object.name == "Tower").unwrap();
    let numbers = document.entities.iter().map(|entity| entity.number);
    let next = numbers.max().unwrap() + 1;
    for number in [next, u32::MAX] {
        document.objects[tower].members.push(Member { kind: MemberKind::Sound, number });
        let (mut scene, _) = import(&document);
        let places = [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]];
        for place in places {
            let sound = scene.sounds.push(Sound { reference: "water.wav".into(), ..Sound::default() });
            let transform = Transform::translation(place);
            scene.add_node(None, Node { transform, ..Node::new("", Content::Sound(sound)) });
        }
        let (merged, _) = merge(&document, &scene);
        let back = import(&reread(&merged)).0;
        let roots: Vec<_> =
            back.walk().filter(|visit| visit.parent.is_none()).map(|visit| visit.world.origin()).collect();
        assert!(places.iter().all(|place| roots.contains(place)), "{roots:?}");
        assert_eq!(back.walk().count(), scene.walk().count());
    }
}

#[test]
fn long_dates_of_creation_are_dropped() {
    let document = village(Dialect::A7);
    let (scene, _) = import(&document);
    for (length, is_kept) in [(20, true), (5000, false)] {
        let mut dated = scene.clone();
        dated.properties.set("created", "x".repeat(length).as_str());
        let (merged, losses) = merge(&document, &dated);
        assert_eq!(losses.lost_count() == 0, is_kept, "{losses:?}");
        assert_eq!(merged.header.created.as_bytes().len() == length, is_kept);
        reread(&merged);
    }
}

#[test]
#[ignore = "needs the corpus"]
fn parts_of_corpus_maps_can_be_added_and_removed() {
    let Some(maps) = maps() else { return };
    for (name, _, document) in &maps {
        let (scene, _) = import(document);
        // The first part is removed, the last is duplicated.
        let mut changed = scene.clone();
        let parts: Vec<_> = changed
            .nodes
            .iter()
            .filter(|(_, node)| node.key.is_some() && !matches!(node.content, Content::Group))
            .filter(|(_, node)| !matches!(node.key.as_deref(), Some("sun" | "ambient")))
            .map(|(id, _)| id)
            .collect();
        let [first, .., last] = parts.as_slice() else { continue };
        let copy = changed.nodes[*last].clone();
        let copy = changed.nodes.push(copy);
        changed.roots.push(copy);
        changed.roots.retain(|root| root != first);
        changed.nodes.iter_mut().for_each(|(_, node)| node.children.retain(|child| child != first));
        let (merged, losses) = merge(document, &changed);
        let merged = reread(&merged);
        assert_eq!(merged.resolve().gaps, document.resolve().gaps, "{name}");
        let count = |document: &Document| document.blocks.len() + document.entities.len();
        let concave = losses.iter().any(|loss| loss.text.contains("convex"));
        assert!(count(&merged) == count(document) || concave, "{name} {losses:?}");
        let (back, _) = import(&merged);
        let names = |scene: &Scene| {
            let mut names: Vec<_> = scene.walk().map(|visit| visit.node.name.clone()).collect();
            names.sort();
            names
        };
        assert!(names(&back) == names(&changed) || concave, "{name}");
    }
}

#[test]
fn parts_can_be_added_to_maps_without_objects() {
    let lamps = |scene: &Scene| {
        let worlds = scene.walk().filter(|visit| visit.node.name == "lamp").map(|visit| visit.world.origin());
        worlds.collect::<Vec<_>>()
    };
    for dialect in Dialect::ALL {
        let mut map = Document::new(dialect);
        map.objects.clear();
        if dialect == Dialect::Binary {
            // Entities without an object cannot be written there.
            map.entities.clear();
        }
        let (mut scene, _) = import(&map);
        assert!(lamps(&scene).is_empty());
        let lamp = scene.lights.push(Light { range: Some(300.0), ..Light::default() });
        let transform =
            Transform::Trs { translation: [1.0, 2.0, 3.0], rotation: [0.0, 0.0, 0.0, 1.0], scale: [1.0; 3] };
        let lamp = Node { transform, ..Node::new("lamp", Content::Light(lamp)) };
        scene.add_node(None, lamp.clone());
        // Resolved maps have neither groups nor names of objects.
        let has_groups = dialect != Dialect::Resolved;
        if has_groups {
            let group = scene.add_node(None, Node::new("group", Content::Group));
            scene.add_node(Some(group), lamp);
        }
        let (merged, losses) = merge(&map, &scene);
        assert_eq!(losses.lost_count(), 0, "{dialect:?} {losses:?}");
        for map in [&merged, &reread(&merged)] {
            let (back, _) = import(map);
            let lights = map.entities.iter().filter(|entity| matches!(entity.kind, EntityKind::Light(_))).count();
            assert_eq!(lights, lamps(&scene).len(), "{dialect:?}");
            if has_groups {
                assert_eq!(lamps(&back), lamps(&scene), "{dialect:?}");
            } else {
                assert_eq!(back.roots.len(), scene.roots.len(), "{dialect:?}");
            }
        }
    }
}

#[test]
#[ignore = "needs the corpus"]
fn scenes_of_corpus_maps_survive_a_round_trip() {
    let Some(maps) = maps() else { return };
    let (mut exact, mut all) = (0, 0);
    for (name, _, document) in &maps {
        let form = match document.dialect {
            Dialect::A7 => Form::Text,
            Dialect::Binary => Form::Binary,
            _ => continue,
        };
        all += 1;
        let (mut scene, _) = import(document);
        let (new, losses) = export(&scene, form);
        assert_eq!(losses.lost_count(), 0, "{name}: {losses:?}");
        let (mut back, _) = import(&new);
        for scene in [&mut scene, &mut back] {
            scene.properties.entries.retain(|(key, _)| !matches!(key.as_str(), "generator" | "dialect"));
        }
        let (scene, back) = (without_keys(scene), without_keys(back));
        assert_eq!(scene.nodes.len(), back.nodes.len(), "{name}");
        for (a, b) in scene.walk().zip(back.walk()) {
            assert_eq!((&a.node.name, &a.node.properties), (&b.node.name, &b.node.properties), "{name}");
            let pairs = a.world.matrix().into_iter().flatten().zip(b.world.matrix().into_iter().flatten());
            let same = pairs.into_iter().all(|(a, b)| (a - b).abs() <= 1e-6 * (1.0 + a.abs()));
            // The rotation of groups is applied to their contents.
            assert!(
                same || !losses.is_empty() && a.node.content == Content::Group,
                "{name}: {:?} {:?}",
                a.node,
                b.node
            );
        }
        assert_eq!(scene.entities, back.entities, "{name}");
        assert_eq!(scene.materials, back.materials, "{name}");
        assert_eq!(scene.paths, back.paths, "{name}");
        assert_eq!((scene.brushes.len(), scene.meshes.len()), (back.brushes.len(), back.meshes.len()), "{name}");
        exact += usize::from(scene == back);
        // The rotation of blocks is applied to their vertices.
        if losses.is_empty() {
            assert!(scene.brushes == back.brushes && scene.meshes == back.meshes, "{name}");
        }
        // And it can be written.
        let (again, _) = import(&reread(&new));
        assert_eq!(again.nodes.len(), scene.nodes.len(), "{name}");
    }
    // Rotations survive except for the last digits.
    assert!(all > 60 && exact > 20, "{exact} of {all}");
}

/// Returns a scene of another format: a box as a mesh, a box of planes, a dented body, a light, a sun, a sound, an entity.
fn foreign() -> Scene {
    let mut scene = Scene { name: "elsewhere".into(), ..Scene::default() };
    let material = scene.materials.push(Material { texture_size: Some([128; 2]), ..Material::new("old brick") });
    let positions: Vec<[f64; 3]> =
        (0..8_u8).map(|n| [n & 1, n >> 1 & 1, n >> 2].map(|bit| f64::from(bit) * 16.0)).collect();
    let quads = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
    let uvs: Vec<_> = quads.iter().flatten().map(|_| Some([0.25, 0.5])).collect();
    let cube = Mesh {
        positions: positions.clone(),
        faces: quads.iter().collect(),
        face_materials: vec![Some(material); 6],
        uv_sets: vec![UvSet { corners: uvs.into_iter().collect(), ..UvSet::default() }],
        ..Mesh::default()
    };
    let mut dented = Mesh { uv_sets: Vec::new(), ..cube.clone() };
    dented.positions[7] = [4.0, 4.0, 4.0];
    let side = |quad: &[u32; 4]| BrushSide {
        plane: [quad[0], quad[1], quad[2]].map(|corner| positions[corner as usize]),
        corners: Vec::new(),
        projection: TextureProjection {
            u: [1.0, 0.0, 0.0, 3.0],
            v: [0.0, -1.0, 0.0, 0.0],
            offset: [0.0; 2],
            scale: [0.5; 2],
            rotation: 0.0,
            local: false,
        },
        material: None,
        properties: mapwright_scene::Properties::new(),
    };
    let brush = Brush { sides: quads.iter().map(side).collect(), ..Brush::default() };
    let (cube, dented) = (scene.meshes.push(cube), scene.meshes.push(dented));
    let brush = scene.brushes.push(brush);
    let rotation = Transform::looking_along([1.0, 0.0, 0.0]);
    let group = Transform::Trs { translation: [100.0, 20.0, 3.0], rotation, scale: [1.0; 3] };
    let group = scene.add_node(None, Node { transform: group, ..Node::new("group", Content::Group) });
    scene.add_node(Some(group), Node::new("cube", Content::Mesh(cube)));
    scene.add_node(Some(group), Node::new("planes", Content::Brush(brush)));
    scene.add_node(None, Node::new("dent", Content::Mesh(dented)));
    let sun = scene.lights.push(Light { kind: LightKind::Directional, ..Light::default() });
    let down = Transform::Trs {
        translation: [0.0; 3],
        rotation: Transform::looking_along([-1.0, -1.0, 0.0]),
        scale: [1.0; 3],
    };
    scene.add_node(None, Node { transform: down, ..Node::new("sun", Content::Light(sun)) });
    let lamp = scene.lights.push(Light { color: [0.5, 0.25, 1.0, 1.0], range: Some(300.0), ..Light::default() });
    scene.add_node(None, Node::new("lamp", Content::Light(lamp)));
    let sound = Sound { reference: "wind.wav".into(), volume: Some(0.333), ..Sound::default() };
    let sound = scene.sounds.push(sound);
    scene.add_node(Some(group), Node::new("wind", Content::Sound(sound)));
    for model in [Some("guard.mdl".to_owned()), None] {
        let thing = scene.entities.push(Entity { class: "prop".into(), model, ..Entity::default() });
        scene.add_node(Some(group), Node::new(" two\nlines ", Content::Entity(thing)));
    }
    scene
}

#[test]
fn scenes_of_other_formats_become_maps() {
    let scene = foreign();
    for (form, blocks) in [(Form::Text, 2), (Form::Binary, 3)] {
        let (map, losses) = export(&scene, form);
        let map = reread(&map);
        assert_eq!((map.blocks.len(), map.entities.len()), (blocks, 4), "{losses:?}");
        let lost: Vec<_> = losses.iter().map(ToString::to_string).collect();
        let has_loss = |text: &str| lost.iter().any(|loss| loss.contains(text));
        assert!(
            has_loss("old_brick") && has_loss("class prop without a model") && has_loss("the class prop"),
            "{lost:#?}"
        );
        assert!(has_loss("not a closed convex body") == (form == Form::Text), "{lost:#?}");
        let concave = map.blocks.iter().filter(|block| block.flags.has(BlockFlags::CONCAVE)).count();
        assert_eq!(concave, blocks - 2);
        let resolved = map.resolve();
        assert!(resolved.gaps.is_empty());
        // A box from 0 to 16 that looks along X instead of -Z: X becomes Z, and Z becomes -X. Files store (x, z, -y) of that.
        for block in &resolved.blocks[..2] {
            let bound = |axis: usize, pick: fn(f64, f64) -> f64| {
                block.vertices.iter().map(|vertex| vertex[axis]).reduce(pick).unwrap().round()
            };
            let (low, high) =
                ([0, 1, 2].map(|axis| bound(axis, f64::min)), [0, 1, 2].map(|axis| bound(axis, f64::max)));
            assert_eq!((low, high), ([84.0, -19.0, 20.0], [100.0, -3.0, 36.0]));
            for face in &block.faces {
                let first = block.vertices[face.corners[0] as usize];
                let inside = [92.0, -11.0, 28.0];
                let out: f64 = (0..3).map(|axis| face.normal[axis] * (first[axis] - inside[axis])).sum();
                assert!(out > 7.0, "{face:?}");
            }
        }
        let textures: Vec<_> = map
            .blocks
            .iter()
            .map(|block| match &block.shape {
                Shape::Mesh(mesh) => mesh.faces[0].texture.to_string(),
                Shape::Planes(_) => panic!("a mesh"),
            })
            .collect();
        assert!(textures[0] == "old_brick" && textures[1] == if form == Form::Text { "#default" } else { "" });
        let level = map.level().unwrap();
        assert!((level.elevation - 45.0).abs() < 1e-5 && level.azimuth.abs() < 1e-5, "{level:?}");
        let thing = resolved.entities.iter().find(|entity| map.entities[entity.entity].name() == "two_lines");
        assert_eq!(thing.map(|thing| (thing.angles[0].round(), thing.position)), Some((270.0, [100.0, -3.0, 20.0])));
        for entity in &map.entities {
            match &entity.kind {
                EntityKind::Light(light) => assert_eq!(light.range, 300.0),
                EntityKind::Sound(sound) if form == Form::Binary => assert_eq!(sound.numbers[0], 33.0),
                EntityKind::Sound(sound) => assert_eq!(sound.numbers[0], 33.3),
                _ => {}
            }
        }
    }
}

#[test]
fn hidden_nodes_are_left_out_with_the_nodes_below() {
    let mut scene = foreign();
    let (all, _) = export(&scene, Form::Text);
    let roots = scene.roots.clone();
    let below = scene.nodes[roots[0]].children.len();
    for root in roots {
        scene.nodes[root].visible = false;
    }
    let (none, losses) = export(&scene, Form::Text);
    // The settings of the level are an entity, too.
    assert!(!all.blocks.is_empty() && none.blocks.is_empty() && none.entities.len() == 1, "{none:?}");
    let losses: Vec<String> = losses.iter().map(ToString::to_string).collect();
    assert!(losses.iter().any(|loss| loss.contains("hidden node of")), "{losses:?}");
    assert_eq!(losses.iter().any(|loss| loss.contains("below a hidden node")), below > 0, "{losses:?}");
}

#[test]
fn lights_and_soft_edges_are_reported_once() {
    let mut scene = foreign();
    let spot = LightKind::Spot { inner: 0.5, outer: 1.0, exponent: 0.0 };
    for kind in [spot, LightKind::Other("tube".into())] {
        let light = scene.lights.push(Light { kind, ..Light::default() });
        scene.add_node(None, Node::new("spot", Content::Light(light)));
    }
    let lost = |scene: &Scene| export(scene, Form::Text).1.iter().map(ToString::to_string).collect::<Vec<_>>();
    let count = |lost: &[String], text: &str| lost.iter().filter(|loss| loss.contains(text)).count();
    let found = lost(&scene);
    for wanted in ["spot light: point light", "light of kind tube: point light", "soft edges, as hard edges"] {
        assert_eq!(count(&found, wanted), 1, "{wanted}: {found:#?}");
    }
    assert_eq!(count(&found, ": point light"), 2, "{found:#?}");
    // Hard edges are what files have.
    scene.meshes.iter_mut().for_each(|(_, mesh)| mesh.smoothing = Smoothing::Flat);
    let found = lost(&scene);
    assert_eq!(count(&found, "edges"), 0, "{found:#?}");
}

#[test]
fn maps_with_numbers_out_of_range_become_scenes() {
    for dialect in Dialect::ALL {
        let mut map = export(&foreign(), Form::Binary).0;
        map.dialect = dialect;
        for (number, block) in map.blocks.iter_mut().enumerate() {
            let Shape::Mesh(mesh) = &mut block.shape else { panic!("a mesh") };
            match number {
                0 => mesh.vertices[0] = [f64::NAN; 3],
                1 => mesh.faces[0].mapping = Some(Arc::new([0.0, 0.0, f64::INFINITY, 0.0, 0.0])),
                _ => mesh.faces[0].corners = vec![9, 9].into(),
            }
        }
        for object in &mut map.objects {
            object.angles = [f64::NAN, 1e300, f64::INFINITY];
        }
        let (scene, losses) = import(&map);
        assert!(losses.lost_count() >= 3, "{losses:?}");
        assert!(scene.brushes.is_empty());
    }
}

#[test]
fn colours_of_lights_are_converted_to_srgb() {
    let mut scene = Scene { color_space: ColorSpace::Linear, ..Scene::default() };
    let lamp = scene.lights.push(Light { color: [1.0, 0.5, 0.0, 1.0], ..Light::default() });
    scene.add_node(None, Node::new("lamp", Content::Light(lamp)));
    let (mut map, losses) = export(&scene, Form::Text);
    assert!(losses.iter().any(|loss| loss.path == "color_space"), "{losses:?}");
    let colour = |map: &Document| match &map.entities.iter().last().unwrap().kind {
        EntityKind::Light(light) => light.colour,
        other => panic!("{other:?}"),
    };
    let [red, green, blue] = colour(&map);
    assert!(red == 100.0 && (green - 73.536).abs() < 1e-3 && blue == 0.0, "{green}");
    let mut again = import(&map).0;
    again.color_space = ColorSpace::Linear;
    merge_scene(&mut map, &again, &ExportOptions::default()).unwrap();
    assert!((colour(&map)[1] - 87.3).abs() < 0.1, "a colour declared as linear is another one: {:?}", colour(&map));
}

#[test]
fn texture_files_of_a_quake_map_become_wads() {
    let world = |wad: &str| {
        let mut scene = Scene::default();
        let properties = [("wad", wad)].into_iter().collect();
        let world = Entity { class: "worldspawn".into(), properties, ..Entity::default() };
        let world = scene.entities.push(world);
        scene.add_node(None, Node::new("worldspawn", Content::Entity(world)));
        scene
    };
    for form in [Form::Text, Form::Binary] {
        let (document, losses) = export(&world("C:\\a b\\base.wad; gfx/x.wad;;C:\\a b\\base.wad;a<b>.wad"), form);
        let wed = document.wed.as_ref().unwrap();
        let paths: Vec<&[u8]> = wed.wads.iter().map(|source| source.path.as_bytes()).collect();
        assert_eq!(paths, [&b"C:\\a b\\base.wad"[..], b"gfx/x.wad"], "{form:?}");
        let texts: Vec<String> = losses.iter().map(ToString::to_string).collect();
        for expected in [
            "preserved: nodes[0]: texture files of the key wad",
            "dropped: nodes[0]: the texture file \"a<b>.wad\": invalid path",
            "dropped: nodes[0]: an entity of class worldspawn",
        ] {
            assert!(texts.iter().any(|text| text.starts_with(expected)), "{expected}: {texts:#?}");
        }
        let written = document.to_bytes().unwrap();
        assert_eq!(Document::from_bytes(&written).unwrap().wed.as_ref().unwrap().wads, wed.wads, "{form:?}");
    }
}

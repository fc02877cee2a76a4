//! Levels as scenes and back.
#![cfg(feature = "scene")]

use crate::{scenes, strategies, support};

use std::path::PathBuf;

use mapwright_scene::{
    Cell, Collision, Content, Entity, Losses, Node, Properties, Scene, Severity, TileLayer, Transform, Value,
};
use mapwright_testkit::{corpus, files_below, hexdiff};
use mapwright_wwd::scene::{ExportOptions, ImportOptions, from_scene, merge_scene, to_scene};
use mapwright_wwd::{Checksum, Document, DrawFlags, HeaderSize, Object, Plane, ReadOptions, Shape, WriterProfile};
use proptest::prelude::*;

fn import(document: &Document) -> (Scene, Losses) {
    let import = to_scene(document, &ImportOptions::default()).unwrap();
    let broken = import.scene.validate().into_iter().find(|problem| problem.severity == Severity::Error);
    assert!(broken.is_none(), "{broken:?}");
    (import.scene, import.losses)
}

fn export(scene: &Scene) -> (Document, Losses) {
    let export = from_scene(scene, &ExportOptions::default()).unwrap();
    (export.document, export.losses)
}

fn merge(document: &Document, scene: &Scene) -> Document {
    let mut document = document.clone();
    merge_scene(&mut document, scene, &ExportOptions::default()).unwrap();
    document
}

/// Checks a level: the scene contains everything but the layout, and merging it back changes nothing.
fn check_round_trip(name: &str, document: &Document) {
    let bytes = document.to_bytes().unwrap();
    let (scene, losses) = import(document);
    assert_eq!(losses.lost_count(), usize::from(document.layout.is_some()), "{name}: {losses:?}");
    let (new, losses) = export(&scene);
    assert_eq!(losses.lost_count(), 0, "{name}: {losses:?}");
    let mut usual = document.clone();
    usual.layout = None;
    assert!(new == usual, "{name}");
    if document.layout.is_none() {
        assert!(new.to_main_block().unwrap() == document.to_main_block().unwrap(), "{name}");
    }
    let merged = merge(document, &scene).to_bytes().unwrap();
    assert!(merged == bytes, "{name}: {:?}", hexdiff(&bytes, &merged));
}

#[test]
#[ignore = "needs the corpus"]
fn every_level_of_the_corpus_comes_back() {
    let Some(folder) = corpus("wwd") else { return };
    let mut levels = 0;
    let is_level = |path: &PathBuf| path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("wwd"));
    for path in files_below(&folder).into_iter().filter(is_level) {
        let options = ReadOptions::default().with_header_size(HeaderSize::Any);
        let Ok(document) = Document::from_bytes_with(&std::fs::read(&path).unwrap(), &options) else { continue };
        check_round_trip(&path.display().to_string(), &document);
        levels += 1;
    }
    assert!(levels > 60, "{levels} levels");
}

proptest! {
    #[test]
    fn every_document_comes_back(document in strategies::document()) {
        check_round_trip("a document", &document);
    }

    #[test]
    fn every_document_of_an_unusual_layout_comes_back(document in strategies::unusual_document()) {
        check_round_trip("a document", &document);
    }

    #[test]
    fn a_scene_replaces_another(first in strategies::unusual_document(), second in strategies::document()) {
        let merged = merge(&first, &import(&second).0);
        let merged = Document::from_bytes(&merged.to_bytes().unwrap()).unwrap();
        prop_assert_eq!(merged.planes, second.planes);
        prop_assert_eq!(merged.tile_properties, second.tile_properties);
        prop_assert_eq!((merged.header.name, merged.trailer), (second.header.name, second.trailer));
    }

    #[test]
    fn scenes_that_a_level_can_store_come_back(scene in scenes::scene()) {
        let (document, losses) = export(&scene);
        prop_assert_eq!(losses.lost_count(), 0, "{:?}", losses);
        let read = Document::from_bytes(&document.to_bytes().unwrap()).unwrap();
        let (mut back, losses) = import(&read);
        prop_assert_eq!(losses.lost_count(), 0, "{:?}", losses);
        // Writing sets size and checksum.
        back.properties.entries.retain(|(name, _)| name != "checksum" && name != "main_block_size");
        // Scenes of other formats have no keys of levels.
        back.nodes.iter_mut().for_each(|(_, node)| node.key = None);
        prop_assert_eq!(back, scene);
    }

    #[test]
    fn numbers_of_other_programs_are_read(document in strategies::document(), kind in 0..4) {
        let (mut scene, _) = import(&document);
        let mut lists = vec![&mut scene.properties];
        lists.extend(scene.entities.iter_mut().map(|(_, entity)| &mut entity.properties));
        lists.extend(scene.tile_layers.iter_mut().map(|(_, layer)| &mut layer.properties));
        for (_, set) in scene.tile_sets.iter_mut() {
            lists.push(&mut set.properties);
            lists.extend(set.tiles.iter_mut().map(|tile| &mut tile.properties));
        }
        for (_, value) in lists.into_iter().flat_map(|list| &mut list.entries) {
            let Value::Int(number) = *value else { continue };
            let bits = number.rem_euclid(1 << 32);
            let signed = if bits >= 1 << 31 { bits - (1 << 32) } else { bits };
            *value = match kind {
                0 => Value::Int(signed),
                1 => Value::Text(number.to_string()),
                2 => Value::Text(format!(" {bits:#x} ")),
                _ => Value::from(f64::from(u32::try_from(bits).unwrap())),
            };
        }
        let (back, losses) = export(&scene);
        prop_assert_eq!(losses.lost_count(), 0, "{:?}", losses);
        prop_assert_eq!(back, document);
    }

    #[test]
    fn any_scene_becomes_a_level_that_can_be_read(scene in scenes::any_scene()) {
        let (document, _) = export(&scene);
        let bytes = document.to_bytes().unwrap();
        let read = Document::from_bytes(&bytes).unwrap();
        prop_assert_eq!(&read.planes, &document.planes);
        prop_assert_eq!(&read.tile_properties, &document.tile_properties);
        prop_assert!(read.main_plane().is_some());
        // A scene of a level converts without a change.
        let (again, losses) = export(&import(&read).0);
        prop_assert_eq!(losses.lost_count(), 0, "{:?}", losses);
        prop_assert_eq!(again, read);
    }
}

/// A level with a plane that has two objects, and another plane after it.
fn level() -> Document {
    let mut scene = Scene { name: "Level 3".to_owned(), ..Scene::default() };
    for (name, parallax) in [("Back", 0.5), ("Action", 1.0)] {
        let set = scene.tile_sets.push(mapwright_scene::TileSet { name: name.to_uppercase(), ..Default::default() });
        let layer = scene.tile_layers.push(layer(name, [4, 3], parallax));
        scene.tile_layers[layer].tile_sets = vec![set];
        let node = scene.add_node(None, Node::new(name, Content::TileLayer(layer)));
        if parallax == 1.0 {
            scene.tile_sets[set].tiles.resize_with(12, Default::default);
            scene.tile_sets[set].tiles[7].collision = Collision::Uniform(1);
            for x in [10.0, 20.0] {
                add_entity(&mut scene, Some(node), Transform::translation([x, -30.0, 1000.0]));
            }
        }
    }
    let (document, losses) = export(&scene);
    assert_eq!(losses.lost_count(), losses.count(mapwright_scene::LossKind::Synthesized), "{losses:?}");
    Document::from_bytes(&document.to_bytes().unwrap()).unwrap()
}

fn layer(name: &str, size: [u32; 2], parallax: f64) -> TileLayer {
    TileLayer {
        name: name.to_owned(),
        size,
        tile_size: [64; 2],
        layout: mapwright_scene::CellLayout::Orthogonal,
        cells: (0..size[0] * size[1]).collect(),
        tile_sets: Vec::new(),
        wrap: [false; 2],
        parallax: [parallax; 2],
        z: 0,
        fill: None,
        attributes: Vec::new(),
        properties: Default::default(),
    }
}

fn add_entity(
    scene: &mut Scene,
    parent: Option<mapwright_scene::NodeId>,
    transform: Transform,
) -> mapwright_scene::NodeId {
    let entity = Entity { class: "Officer".to_owned(), ..Entity::default() };
    let entity = scene.entities.push(entity);
    scene.add_node(parent, Node { transform, ..Node::new("", Content::Entity(entity)) })
}

#[test]
fn a_scene_from_scratch_becomes_a_level() {
    let document = level();
    assert_eq!(document.planes.iter().map(Plane::is_main).collect::<Vec<_>>(), [false, true]);
    let main = document.main_plane().unwrap();
    assert_eq!((main.width_px, main.height_px, main.movement_x, main.flags.0), (256, 192, 100, 1));
    assert_eq!((document.planes[0].movement_x, document.planes[0].movement_y), (50, 50));
    assert_eq!(main.image_sets.iter().collect::<Vec<_>>(), [b"ACTION"]);
    let places: Vec<_> = main.objects.iter().map(|object| (object.x, object.y, object.z)).collect();
    assert_eq!(places, [(10, 30, 1000), (20, 30, 1000)]);
    assert_eq!(document.header.level_number(), Some(3));
    assert_eq!(document.header.image_dir.text(), b"LEVEL3\\TILES");
    let table = document.tile_properties.as_ref().unwrap();
    assert_eq!((table.items.len(), &table.items[7].shape, table.items[7].width), (12, &Shape::Single(1), 64));
    let errors: Vec<_> = document
        .validate()
        .into_iter()
        .filter(|finding| finding.severity >= mapwright_wwd::io::Severity::Warning)
        .collect();
    assert!(errors.is_empty(), "{errors:?}");
}

#[test]
fn a_scene_without_a_plane_gets_one() {
    let mut scene = Scene::default();
    add_entity(&mut scene, None, Transform::translation([130.0, -70.5, 0.0]));
    add_entity(&mut scene, None, Transform::translation([-5.0, 1.0, 0.0]));
    let (document, losses) = export(&scene);
    let [plane] = &document.planes[..] else { panic!("one plane") };
    assert!(plane.is_main());
    assert_eq!((plane.size(), plane.objects.len()), ((3, 2), 2));
    assert!(plane.tiles.iter().all(|word| *word == Cell::EMPTY));
    let texts: Vec<String> = losses.iter().map(ToString::to_string).collect();
    assert!(texts.iter().any(|text| text.contains("synthesized: planes: empty plane of 3×2 tiles")), "{texts:?}");
    assert!(texts.iter().any(|text| text.contains("approximated: nodes[0]: a number, rounded")), "{texts:?}");
    assert_eq!(document.header.name.text(), b"Level 1");
}

#[test]
fn tile_sizes_that_the_games_cannot_draw_are_reported() {
    let mut scene = Scene::default();
    let mut other = layer("Action", [1, 1], 1.0);
    other.tile_size = [48, 48];
    let other = scene.tile_layers.push(other);
    scene.add_node(None, Node::new("", Content::TileLayer(other)));
    let (document, losses) = export(&scene);
    assert_eq!((document.planes[0].tile_w, document.planes[0].width_px), (48, 48));
    assert!(losses.iter().any(|loss| loss.text.contains("squares of a power of two")), "{losses:?}");
    scene.tile_layers[other].tile_size = [0, 64];
    let (document, losses) = export(&scene);
    assert_eq!((document.planes[0].tile_w, document.planes[0].tile_h), (64, 64));
    assert!(losses.count(mapwright_scene::LossKind::Repaired) == 1, "{losses:?}");
}

/// A change in the scene, and the same in the document.
fn changes(what: &str, scene: impl FnOnce(&mut Scene), document: impl FnOnce(&mut Document)) {
    let base = level();
    let mut changed = import(&base).0;
    scene(&mut changed);
    let merged = merge(&base, &changed);
    let mut expected = base.clone();
    document(&mut expected);
    assert!(expected != base, "{what}");
    assert_eq!(merged, expected, "{what}");
    assert!(merged.to_bytes().unwrap() == expected.to_bytes().unwrap(), "{what}");
}

#[test]
fn a_change_of_the_scene_changes_the_file() {
    let entity = |scene: &mut Scene, index: usize, change: fn(&mut Entity)| {
        let id = scene.entities.ids().nth(index).unwrap();
        change(&mut scene.entities[id]);
    };
    let node = |scene: &mut Scene, name: &str, change: fn(&mut Node)| {
        let id = scene.nodes.iter().find(|(_, node)| node.name == name).unwrap().0;
        change(&mut scene.nodes[id]);
    };
    let plane = |scene: &mut Scene, change: fn(&mut TileLayer)| {
        let id = scene.tile_layers.ids().nth(1).unwrap();
        change(&mut scene.tile_layers[id]);
    };
    changes(
        "a field of an object",
        |scene| entity(scene, 1, |entity| entity.properties.push("speed_x", "150")),
        |document| document.planes[1].objects[1].speed_x = 150,
    );
    changes(
        "a side of a rectangle",
        |scene| entity(scene, 0, |entity| entity.properties.push("rect_hit_bottom", -4)),
        |document| document.planes[1].objects[0].rect_hit.bottom = -4,
    );
    changes(
        "texts of an object",
        |scene| {
            entity(scene, 0, |entity| {
                (entity.class, entity.model) = ("a\\x00".to_owned(), Some("LEVEL_OFFICER".to_owned()));
            });
        },
        |document| {
            let object = &mut document.planes[1].objects[0];
            (object.logic, object.image_set) = (b"a\0".to_vec(), b"LEVEL_OFFICER".to_vec());
        },
    );
    changes(
        "the place of an object",
        |scene| {
            let id = scene.nodes.iter().find(|(_, node)| matches!(node.content, Content::Entity(_))).unwrap().0;
            scene.nodes[id].transform = Transform::translation([1.0, 2.0, 3.0]);
            scene.nodes[id].visible = false;
            scene.nodes[id].name = "it".to_owned();
        },
        |document| {
            let object = &mut document.planes[1].objects[0];
            (object.x, object.y, object.z, object.draw_flags) = (1, -2, 3, DrawFlags::NO_DRAW);
            object.name = b"it".to_vec();
        },
    );
    changes(
        "an object less",
        |scene| node(scene, "Action", |node| node.children.truncate(1)),
        |document| document.planes[1].objects.truncate(1),
    );
    changes(
        "an object more",
        |scene| {
            let parent = scene.roots[0];
            add_entity(scene, Some(parent), Transform::IDENTITY);
        },
        |document| {
            document.planes[0].objects.push(Object { id: 3, i: -1, logic: b"Officer".to_vec(), ..Object::default() });
        },
    );
    changes(
        "a cell",
        |scene| plane(scene, |layer| layer.cells[5] = Cell::FILL),
        |document| {
            document.planes[1].tiles[5] = Cell::FILL;
        },
    );
    changes(
        "what a plane does",
        |scene| {
            plane(scene, |layer| {
                (layer.wrap, layer.parallax, layer.z) = ([true, false], [1.25, 1.0], 9);
                (layer.fill, layer.properties.entries) = (Some(8), vec![("main".to_owned(), Value::Int(1))]);
                layer.properties.push("flags", 0x20);
            });
        },
        |document| {
            let plane = &mut document.planes[1];
            (plane.flags.0, plane.movement_x, plane.z_coord, plane.fill_color) = (0x25, 125, 9, 8);
        },
    );
    changes(
        "a hidden plane",
        |scene| node(scene, "Back", |node| node.visible = false),
        |document| {
            document.planes[0].flags.0 = 2;
        },
    );
    changes("planes in another order", |scene| scene.roots.swap(0, 1), |document| document.planes.swap(0, 1));
    changes(
        "the start",
        |scene| node(scene, "start", |node| node.transform = Transform::translation([7.0, -8.0, 0.0])),
        |document| (document.header.start_x, document.header.start_y) = (7, 8),
    );
    changes(
        "the name and profile",
        |scene| {
            scene.name = "Level 4".to_owned();
            scene.properties.set("profile", "wapmap");
        },
        |document| {
            document.header.name = mapwright_wwd::io::FixedBytes::from_text(b"Level 4").unwrap();
            document.profile = WriterProfile::WapMap;
        },
    );
    changes(
        "the collision of a tile",
        |scene| {
            let set = scene.tile_sets.ids().nth(1).unwrap();
            scene.tile_sets[set].tiles[7].collision = Collision::Mask { width: 2, height: 1, attributes: vec![0, 3] };
        },
        |document| {
            let item = &mut document.tile_properties.as_mut().unwrap().items[7];
            (item.width, item.height, item.shape) = (2, 1, Shape::Mask(vec![0, 3]));
        },
    );
}

#[test]
fn losses_of_foreign_scenes_are_reported() {
    let mut scene = Scene::default();
    let layer = scene.tile_layers.push(layer("Action", [2, 2], 1.0));
    let plane = scene.add_node(None, Node::new("Action", Content::TileLayer(layer)));
    let moved = Transform::translation([100.0, 0.0, 0.0]);
    let group =
        scene.add_node(Some(plane), Node { transform: moved, visible: false, ..Node::new("g", Content::Group) });
    add_entity(&mut scene, Some(group), Transform::translation([1.0, -2.0, 0.0]));
    let turned = Transform::Trs { translation: [0.0; 3], rotation: [0.0, 0.0, 1.0, 0.0], scale: [1.0; 3] };
    let turned = add_entity(&mut scene, None, turned);
    scene.nodes[turned].name = "T\u{142}o".to_owned();
    let Content::Entity(entity) = scene.nodes[turned].content else { panic!("an entity") };
    scene.entities[entity].properties = [("speed", 3), ("targetname", 4)].into_iter().collect();
    let mesh = scene.meshes.push(Default::default());
    scene.add_node(None, Node::new("m", Content::Mesh(mesh)));
    let light = scene.lights.push(Default::default());
    scene.add_node(Some(turned), Node::new("l", Content::Light(light)));
    let (document, losses) = export(&scene);
    let objects = &document.planes[0].objects;
    assert_eq!(objects.len(), 2);
    assert_eq!((objects[0].x, objects[0].y, objects[0].draw_flags), (101, 2, DrawFlags::NO_DRAW));
    assert_eq!((objects[1].speed, &objects[1].name[..]), (3, "T\u{142}o".as_bytes()));
    let texts: Vec<String> = losses.iter().map(ToString::to_string).collect();
    for expected in [
        "dropped: meshes[0]: mesh",
        "dropped: lights[0]: point light",
        "dropped: nodes[1]: group: its children stay",
        "dropped: nodes[3]: properties targetname",
        "dropped: nodes[3]: rotation and scale of an entity",
        "approximated: nodes[3]: children of an entity: moved beside it",
        "approximated: 1 entity without a tile layer: placed on plane 0",
        "approximated: nodes[3]: non-ASCII text written as UTF-8",
    ] {
        assert!(texts.iter().any(|text| text.starts_with(expected)), "{expected} is not in {texts:#?}");
    }
}

#[test]
fn objects_and_the_start_move_with_the_main_plane() {
    let mut scene = Scene::default();
    let layer_id = scene.tile_layers.push(layer("Action", [4, 2], 1.0));
    let moved = |x, y| Transform::translation([x, y, 0.0]);
    let group = scene.add_node(None, Node { transform: moved(64.0, 0.0), ..Node::new("g", Content::Group) });
    let layer_node = Node { transform: moved(-128.0, 64.0), ..Node::new("Action", Content::TileLayer(layer_id)) };
    let layer_node = scene.add_node(Some(group), layer_node);
    let back = scene.tile_layers.push(layer("Back", [2, 2], 0.5));
    scene.add_node(None, Node::new("Back", Content::TileLayer(back)));
    // On the plane, beside it in its group, and outside of the group.
    add_entity(&mut scene, Some(layer_node), moved(1.0, -2.0));
    add_entity(&mut scene, Some(group), moved(10.0, -20.0));
    add_entity(&mut scene, None, moved(30.0, -40.0));
    scene.add_node(None, Node { transform: moved(5.0, -6.0), ..Node::new("start", Content::Marker) });
    let (document, losses) = export(&scene);
    let places: Vec<_> = document.planes[0].objects.iter().map(|object| (object.x, object.y)).collect();
    assert_eq!(places, [(1, 2), (138, 84), (158, 104)]);
    assert_eq!((document.header.start_x, document.header.start_y), (133, 70));
    let texts: Vec<String> = losses.iter().map(ToString::to_string).collect();
    for expected in [
        "approximated: nodes[1]: main plane moved by (128, 64) pixels to the origin",
        "dropped: nodes[1]: offset of the tile layer",
        "dropped: nodes[2]: offset of the tile layer",
    ] {
        assert!(texts.iter().any(|text| text.starts_with(expected)), "{expected} is not in {texts:#?}");
    }
}

#[test]
fn an_entity_with_a_size_is_at_the_middle_of_its_rectangle() {
    let mut scene = Scene::default();
    let layer = scene.tile_layers.push(layer("Action", [4, 4], 1.0));
    scene.add_node(None, Node::new("Action", Content::TileLayer(layer)));
    let sized = |sizes: &[(&str, f64)]| sizes.iter().copied().collect::<Properties>();
    let cases = [
        (sized(&[("width", 64.0), ("height", 33.0)]), (132, 66)),
        (sized(&[("width", 7.5), ("height", 1.5)]), (104, 51)),
        // A quarter turn clockwise about the corner.
        (sized(&[("width", 64.0), ("height", 32.0), ("rotation", 90.0)]), (84, 82)),
        // Fields of objects.
        ([("width", 64), ("height", 32)].into_iter().collect(), (100, 50)),
    ];
    for (properties, _) in &cases {
        let node = add_entity(&mut scene, None, Transform::translation([100.0, -50.0, 0.0]));
        let Content::Entity(entity) = scene.nodes[node].content else { panic!("an entity") };
        scene.entities[entity].properties = properties.clone();
    }
    let (document, _) = export(&scene);
    let places = document.planes[0].objects.iter().map(|object| (object.x, object.y));
    assert_eq!(places.collect::<Vec<_>>(), cases.map(|(_, place)| place));
}

#[test]
fn an_invalid_scene_is_rejected() {
    let mut scene = Scene::default();
    let layer = scene.tile_layers.push(layer("Action", [2, 2], 1.0));
    scene.add_node(None, Node::new("Action", Content::TileLayer(layer)));
    scene.tile_layers[layer].cells.pop();
    let mut document = level();
    let error = merge_scene(&mut document, &scene, &ExportOptions::default()).unwrap_err();
    assert!(error.to_string().contains("invalid scene"), "{error}");
    assert_eq!(document, level());
    document.planes[0].tiles.to_mut().pop();
    let error = to_scene(&document, &ImportOptions::default()).unwrap_err();
    assert!(error.to_string().contains("planes[0]"), "{error}");
}

/// A level with the most cells and the most objects of all known levels.
#[test]
fn converting_a_large_level_is_linear() {
    let mut document = level();
    let plane = &mut document.planes[1];
    (plane.tiles_wide, plane.tiles_high) = (1050, 1050);
    plane.tiles = (0..1050 * 1050).map(|index| index % 900).collect();
    plane.objects = vec![Object { speed_x: 3, ..plane.objects[0].clone() }; 13_000].into();
    let started = std::time::Instant::now();
    let (scene, _) = import(&document);
    let (back, _) = export(&scene);
    assert!(started.elapsed() < std::time::Duration::from_secs(4), "{:?}", started.elapsed());
    assert_eq!(back, document);
}

/// A cell of four bytes could create 65,536 tiles.
#[test]
fn small_levels_do_not_become_large_scenes() {
    let mut document = level();
    let plane = &mut document.planes[0];
    (plane.tiles_wide, plane.tiles_high) = (20, 1);
    plane.tiles = (0..20).map(|set| set << 16 | 0xFFFF).collect();
    plane.image_sets = Default::default();
    (0..20).for_each(|set| plane.image_sets.push(set.to_string().as_bytes()).unwrap());
    let (scene, _) = import(&document);
    let tiles: usize = scene.tile_sets.items().iter().map(|set| set.tiles.len()).sum();
    assert!((0x1_0000..0x5_0000).contains(&tiles), "{tiles} tiles");
    assert_eq!(export(&scene).0, document);
}

#[test]
fn an_unusual_checksum_survives_until_the_level_changes() {
    let mut level = Document::new();
    support::edit(&mut level, "add plane name=Action, size=2x2, flags=MAIN").unwrap();
    let mut level = Document::from_bytes(&level.to_bytes().unwrap()).unwrap();
    let (scene, _) = import(&level);
    assert_eq!(scene.properties.get("checksum_block"), None, "the usual one is computed again");
    level.header.checksum = 5;
    let (mut scene, losses) = import(&level);
    assert_eq!(losses.lost_count(), 0);
    let (back, losses) = export(&scene);
    assert_eq!(losses.lost_count(), 0, "{losses:?}");
    assert!(back.to_bytes().unwrap() == level.to_bytes().unwrap());
    scene.tile_layers.iter_mut().for_each(|(_, layer)| layer.cells[0] = 7);
    let changed = Document::from_bytes(&export(&scene).0.to_bytes().unwrap()).unwrap();
    assert!(changed.provenance().unwrap().checksums.contains(&Checksum::Editor), "a changed level has its own");
}

#[test]
fn letters_beyond_ascii_are_reported_everywhere() {
    let mut level = Document::new();
    support::edit(&mut level, "add plane name=Action, size=2x2, flags=MAIN").unwrap();
    let (scene, _) = import(&level);
    for (author, lost) in [("T\\xb3o", 0), ("T\u{142}o", 1)] {
        let mut scene = scene.clone();
        scene.properties.push("author", author);
        let (new, losses) = export(&scene);
        assert_eq!(losses.lost_count(), lost, "{losses:?}");
        assert!(lost == 0 || losses.items[0].text.contains("non-ASCII text"), "{losses:?}");
        assert_eq!(new.header.author.text(), mapwright_wwd::unescape_bytes(author));
    }
}

#[test]
fn profiles_are_read_by_their_former_name() {
    let mut scene = Scene::default();
    scene.properties.push("style", "wapmap");
    let (level, losses) = export(&scene);
    assert_eq!(level.profile, WriterProfile::WapMap);
    assert!(!losses.iter().any(|loss| loss.text.contains("style")), "{losses:?}");
}

#[test]
fn binary_trailers_are_stored_as_bytes() {
    let mut level = Document::new();
    for (trailer, is_text) in [(&b"<wm_meta>\0\x01"[..], true), (&[0xB3; 64], false)] {
        level.trailer = trailer.to_vec();
        let (scene, _) = import(&level);
        assert_eq!(scene.properties.get("trailer").unwrap().as_text().is_some(), is_text);
        assert_eq!(export(&scene).0.trailer, trailer);
    }
}

#[test]
fn entities_that_a_hidden_plane_hides_are_reported() {
    let mut scene = Scene::default();
    let layer = scene.tile_layers.push(layer("Action", [2, 2], 1.0));
    let plane = scene.add_node(None, Node { visible: false, ..Node::new("Action", Content::TileLayer(layer)) });
    add_entity(&mut scene, None, Transform::IDENTITY);
    let count = |scene: &Scene| {
        let losses = export(scene).1;
        losses
            .iter()
            .filter(|it| it.to_string() == "approximated: nodes.visible: 1 entity hidden by a hidden plane")
            .count()
    };
    assert_eq!(count(&scene), 1);
    scene.nodes[plane].visible = true;
    assert_eq!(count(&scene), 0);
}

#[test]
fn objects_and_texts_that_the_games_drop_are_reported() {
    let mut scene = Scene::default();
    let layer = scene.tile_layers.push(layer("Action", [2, 2], 1.0));
    scene.add_node(None, Node::new("Action", Content::TileLayer(layer)));
    add_entity(&mut scene, None, Transform::translation([5000.0, 0.0, 0.0]));
    let long = add_entity(&mut scene, None, Transform::translation([1.0, -2.0, 0.0]));
    scene.nodes[long].name = "n".repeat(1024);
    let (document, losses) = export(&scene);
    assert_eq!(document.planes[0].objects.len(), 2);
    let texts: Vec<String> = losses.iter().map(ToString::to_string).collect();
    for expected in [
        "approximated: planes: 1 object outside the plane: the games drop them",
        "approximated: planes: 1 text of more than 1023 bytes: the games read no more",
    ] {
        assert!(texts.iter().any(|text| text == expected), "{expected} is not in {texts:#?}");
    }
}

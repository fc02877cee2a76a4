//! Levels of the WAP32 engine through maps.

use mapwright_tiled::scene::{CellEncoding, ExportOptions};
use std::path::PathBuf;

use mapwright_scene::{Files, NoFiles};
use mapwright_scene::{Import, LossKind, Scene};
use mapwright_testkit::{corpus, files_below};
use mapwright_wwd::{Document, HeaderSize, Object, Objects, Plane, PlaneFlags, ReadOptions, scene};

use super::laws::all_options;

/// The levels of the local corpus that can be read, with their names.
pub(crate) fn levels() -> impl Iterator<Item = (String, Document)> {
    let is_level = |path: &PathBuf| path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("wwd"));
    let paths = corpus("wwd").into_iter().flat_map(|folder| files_below(&folder)).filter(is_level);
    paths.filter_map(|path| {
        let options = ReadOptions::default().with_header_size(HeaderSize::Any);
        let document = Document::from_bytes_with(&std::fs::read(&path).unwrap(), &options).ok()?;
        Some((path.file_stem().unwrap().to_string_lossy().into_owned(), document))
    })
}

pub(crate) fn to_scene(document: &Document) -> Scene {
    scene::to_scene(document, &scene::ImportOptions::default()).unwrap().scene
}

pub(crate) fn write(scene: &Scene, options: &ExportOptions) -> Files {
    super::from_scene(scene, &NoFiles, options).unwrap().document
}

pub(crate) fn read(files: &Files) -> Import {
    super::to_scene(&files.main, files).unwrap()
}

/// The level is the same, apart from where its sections lay and how it was stored.
pub(crate) fn is_same(name: &str, level: &Document, import: &Import) {
    assert!(import.losses.is_empty(), "{name}: {:?}", import.losses);
    let new = scene::from_scene(&import.scene, &scene::ExportOptions::default()).unwrap();
    assert_eq!(new.losses.lost_count(), 0, "{name}: {:?}", new.losses);
    let (mut new, mut old) = (new.document, level.clone());
    old.layout = None;
    assert!(new.to_main_block().unwrap() == old.to_main_block().unwrap(), "{name}");
    (new.header.checksum, old.header.checksum) = (0, 0);
    assert!(new.header == old.header && new.trailer == old.trailer && new.profile == old.profile, "{name}");
}

/// Some of them: `cargo xtask conformance tiled` has all come back, with Tiled between.
#[test]
#[ignore = "needs the corpus"]
fn corpus_levels_come_back_through_a_map() {
    let mut count = 0;
    for (name, level) in levels().step_by(4) {
        let mut scene = to_scene(&level);
        // Maps of Tiled have no keys of levels.
        scene.nodes.iter_mut().for_each(|(_, node)| node.key = None);
        for options in &all_options()[..2] {
            let export = super::from_scene(&scene, &NoFiles, options).unwrap();
            assert!(export.losses.is_empty(), "{name}: {:?}", export.losses);
            let back = read(&export.document);
            assert_eq!(back.scene.validate(), [], "{name}");
            assert!(back.scene == scene, "{name}");
            is_same(&name, &level, &back);
        }
        count += 1;
    }
    eprintln!("{count} levels came back");
}

/// A level with two planes, two tiles and an object, made here.
fn level() -> Document {
    let mut level = Document::new();
    let plane = |name: &str, flags| {
        let mut plane = Plane::with_grid(name.as_bytes(), 2, 2, 64).unwrap();
        plane.flags = flags;
        plane.tiles = vec![1, 0, 0xFFFF_FFFF, 0xEEEE_EEEE].into();
        plane.image_sets.push(b"ACTION").unwrap();
        plane
    };
    level.planes = vec![plane("Back", PlaneFlags(0)), plane("Action", PlaneFlags::MAIN)];
    level.planes[1].objects = vec![Object { logic: "Rat".into(), speed_x: 150, ..Object::default() }].into();
    level
}

#[test]
fn changes_in_tiled_are_the_only_changes_in_the_level() {
    let before = level();
    let files = write(&to_scene(&before), &ExportOptions::default().with_cells(CellEncoding::Plain));
    let text = String::from_utf8(files.main.clone()).unwrap();
    let change = |from: &str, to: &str| {
        let place = text.rfind(from).unwrap_or_else(|| panic!("{from} is not in {text}"));
        let mut text = text.clone();
        text.replace_range(place..place + from.len(), to);
        let back = read(&Files { main: text.into_bytes(), side: Vec::new() });
        scene::from_scene(&back.scene, &scene::ExportOptions::default()).unwrap().document
    };
    let is = |after: Document, edit: &dyn Fn(&mut Document)| {
        let mut expected = before.clone();
        edit(&mut expected);
        assert_eq!(after.planes, expected.planes);
        assert_eq!(after.tile_properties, expected.tile_properties);
    };
    is(change("2,1,", "1,1,"), &|level| level.planes[1].tiles[0] = 0);
    // The fill colour is a tile to paint with.
    is(change("2,1,", "3,1,"), &|level| level.planes[1].tiles[0] = 0xEEEE_EEEE);
    is(change("value=\"150\"", "value=\"-7\""), &|level| level.planes[1].objects[0].speed_x = -7);
    is(change("type=\"Rat\" x=\"0\"", "type=\"Soldier\" x=\"64\""), &|level| {
        level.planes[1].objects[0].logic = "Soldier".into();
        level.planes[1].objects[0].x = 64;
    });
    // New objects get a free id, and no frame.
    is(change("<point/>", "<point/></object><object x=\"3\" y=\"4\" type=\"New\"><point/>"), &|level| {
        level.planes[1].objects.push(Object { id: 1, i: -1, logic: "New".into(), x: 3, y: 4, ..Object::default() });
    });
}

#[test]
fn objects_stay_on_their_plane_where_layers_are_moved_or_grouped_in_tiled() {
    let mut before = level();
    before.planes.push(Plane { objects: Objects::new(), ..before.planes[0].clone() });
    before.planes[2].set_field("name", mapwright_wwd::FieldValue::Text(b"Front".to_vec())).unwrap();
    let files = write(&to_scene(&before), &ExportOptions::default());
    let text = String::from_utf8(files.main).unwrap();
    let part = |from: &str, to: &str| {
        let start = text.find(from).unwrap();
        start..start + text[start..].find(to).unwrap() + to.len()
    };
    let layer = part("<layer id=\"2\"", "</layer>");
    let objects = part("<objectgroup id=\"3\"", "</objectgroup>");
    let front = part("<layer id=\"4\"", "</layer>");
    let [start, end] = [&text[..layer.start], &text[front.end..]];
    let [layer, objects, front] = [layer, objects, front].map(|part| &text[part]);
    let renamed = objects.replace("Action objects", "Things");
    let other = layer.replace("name=\"Action\"", "name=\"Other\"");
    for (middle, lost) in [
        (format!("{layer}{front}{objects}"), 0),
        (format!("{objects}{layer}{front}"), 0),
        (format!("{front}<group name=\"Both\">{objects}</group>{layer}"), 0),
        (format!("<group name=\"Both\">{layer}{front}</group>{objects}"), 0),
        (format!("{layer}{renamed}{front}"), 1),
        (format!("{other}{objects}{front}"), 1),
    ] {
        let main = format!("{start}{middle}{end}").into_bytes();
        let back = read(&Files { main, side: Vec::new() });
        assert_eq!(back.losses.lost_count(), lost, "{middle}: {:?}", back.losses);
        let mut after = scene::from_scene(&back.scene, &scene::ExportOptions::default()).unwrap().document.planes;
        after.sort_by_key(|plane| {
            ["Back", "Action", "Other", "Front"].map(str::as_bytes).iter().position(|&name| name == plane.name.text())
        });
        let objects = |planes: &[Plane]| planes.iter().map(|plane| plane.objects.clone()).collect::<Vec<_>>();
        assert_eq!(objects(&after), objects(&before.planes), "{middle}");
    }
}

#[test]
fn invalid_positions_are_repaired_and_reported() {
    let files = write(&to_scene(&level()), &ExportOptions::default());
    let text = String::from_utf8(files.main).unwrap();
    for (from, to) in [
        ("type=\"Rat\" x=\"0\"", "type=\"Rat\" x=\"nan\""),
        ("type=\"Rat\" x=\"0\"", "type=\"Rat\" x=\"1e999\""),
        ("<layer id=\"1\"", "<layer offsety=\"-inf\" id=\"1\""),
        ("<layer id=\"1\"", "<layer parallaxx=\"nan\" id=\"1\""),
    ] {
        assert!(text.contains(from), "{from} is not in {text}");
        let text = text.replacen(from, to, 1).replacen(" parallaxx=\"0\"", "", usize::from(to.contains("parallax")));
        let back = read(&Files { main: text.into_bytes(), side: Vec::new() });
        assert!(back.scene.validate().is_empty(), "{to}");
        let kinds: Vec<LossKind> = back.losses.iter().map(|loss| loss.kind).collect();
        assert_eq!(kinds, [LossKind::Repaired], "{to}: {:?}", back.losses);
    }
}

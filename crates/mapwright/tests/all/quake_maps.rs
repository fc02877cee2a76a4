//! Quake maps: found by their content, converted to other formats and from them.
#![cfg(all(feature = "fs", feature = "map", feature = "textures", feature = "gltf", feature = "obj"))]

use mapwright::qmap::scene::ProjectionFormat;
use mapwright::scene::NoFiles;
use mapwright::{AnyDocument, ConvertOptions, Format, convert, detect};

const MAP: &str = "// Game: Quake\n{\n\"classname\" \"worldspawn\"\n{
( 0 0 0 ) ( 0 1 0 ) ( 0 0 1 ) side 0 0 0 1 1
( 0 0 0 ) ( 0 0 1 ) ( 1 0 0 ) side 0 0 0 1 1
( 0 0 0 ) ( 1 0 0 ) ( 0 1 0 ) top 0 0 0 1 1
( 64 32 16 ) ( 64 33 16 ) ( 65 32 16 ) top 0 0 0 1 1
( 64 32 16 ) ( 65 32 16 ) ( 64 32 17 ) side 0 0 0 1 1
( 64 32 16 ) ( 64 32 17 ) ( 64 33 16 ) side 0 0 0 1 1\n}\n}
{\n\"classname\" \"light\"\n\"origin\" \"0 0 64\"\n}\n";

fn document(bytes: &[u8]) -> AnyDocument {
    AnyDocument::from_bytes(bytes).unwrap()
}

#[test]
fn maps_become_models() {
    assert_eq!(detect(MAP.as_bytes(), Some("e1m1.map".as_ref())).format, Some(Format::Map));
    let glb = convert(document(MAP.as_bytes()), Format::Glb, &NoFiles, &ConvertOptions::default()).unwrap();
    assert_eq!((glb.source.brushes, glb.source.lights, glb.source.materials), (1, 1, 2));
    assert!(glb.losses.iter().any(|loss| loss.text.contains("64 × 64")), "{:?}", glb.losses);
    let scene = document(&glb.files.main).into_scene().unwrap().scene;
    let mesh = &scene.meshes.items()[0];
    assert_eq!((mesh.positions.len(), mesh.volume()), (8, 64.0 * 32.0 * 16.0));
    assert_eq!(scene.metres_per_unit, Some(1.0 / 32.0));
    let info = serde_json::to_value(document(MAP.as_bytes()).info(None)).unwrap();
    assert_eq!(
        info["scene"]["bounds"],
        serde_json::json!([[0.0, 0.0, 0.0], [64.0, 32.0, 16.0]]),
        "in the axes of the file"
    );
}

#[test]
fn textures_are_read_from_a_folder() {
    let folder = tempfile::tempdir().unwrap();
    // The header of an image of 32 × 16 pixels.
    let tga = [&[0, 0, 2][..], &[0; 9], &[32, 0, 16, 0, 24, 0]].concat();
    std::fs::write(folder.path().join("SIDE.tga"), tga).unwrap();
    let content = mapwright::ContentSource::open([folder.path()]).unwrap();
    let options = ConvertOptions::default().with_content(content);
    // Gamestudio cut names of textures at 15 bytes, often in the extension.
    let map = MAP.replace("SIDE", "SIDE.tg");
    let glb = convert(document(map.as_bytes()), Format::Glb, &NoFiles, &options).unwrap();
    let losses: Vec<String> = glb.losses.iter().map(ToString::to_string).collect();
    assert!(losses.iter().any(|loss| loss.ends_with("images that the content does not contain: 1")), "{losses:?}");
    assert!(losses.iter().any(|loss| loss.contains("size of 1 texture")), "{losses:?}");
    let scene = document(&glb.files.main).into_scene().unwrap().scene;
    let widest = scene.meshes.items()[0].uv_sets[0].corners.iter().flatten().map(|[u, _]| u.abs()).fold(0.0, f64::max);
    assert_eq!(widest, 2.0, "64 units of 32 texels");
}

#[test]
fn models_survive_quake_maps() {
    let obj = convert(document(MAP.as_bytes()), Format::Obj, &NoFiles, &ConvertOptions::default()).unwrap();
    let valve = ConvertOptions::default().with_projection(ProjectionFormat::Valve);
    let map = convert(document(&obj.files.main), Format::Map, &NoFiles, &valve).unwrap();
    let text = String::from_utf8(map.files.main).unwrap();
    assert!(text.contains("// Format: Valve") && text.matches("( 64 ").count() > 0, "{text}");
    let same = convert(document(MAP.as_bytes()), Format::Map, &NoFiles, &ConvertOptions::default()).unwrap();
    let body = |text: &str| text.split_once("{\n").unwrap().1.to_owned();
    assert_eq!(body(&String::from_utf8(same.files.main).unwrap()), body(MAP));
    assert!(same.losses.is_empty(), "{:?}", same.losses);
    let twice = ConvertOptions::default().with_scale(2.0);
    let twice = convert(document(MAP.as_bytes()), Format::Map, &NoFiles, &twice).unwrap();
    assert!(String::from_utf8(twice.files.main).unwrap().contains("\"origin\" \"0 0 128\""));
}

/// A cube of version 710 whose first face is invisible and whose second one is of the sky.
#[cfg(feature = "wmp")]
fn cube_with_hidden_faces() -> AnyDocument {
    let mut text = "// WMP2\n\nversion 710\n\nblocks 1\nentities 0\nobjects 2\n\nblock 0 {\n\tvertices 8\n\tfaces 6\n\t8 -8 8   8 -8 -8   8 8 8\n\t\
                    8 8 -8   -8 -8 8   -8 -8 -8\n\t-8 8 8   -8 8 -8\n"
        .to_owned();
    let faces = [
        ("1 0 2 3", "0 1 0", "0 0 -1", "00001011"),
        ("0 1 5 4", "1 0 0", "0 0 -1", "00000101"),
        ("4 5 7 6", "0 1 0", "0 0 -1", "0000"),
        ("3 2 6 7", "1 0 0", "0 0 -1", "0000"),
        ("2 0 4 6", "1 0 0", "0 -1 0", "0000"),
        ("1 3 7 5", "1 0 0", "0 -1 0", "0000"),
    ];
    for (corners, u, v, flags) in faces {
        text += &format!("\t4  {corners} : wall ( {u} 0 ) ( {v} 0 ) 0 0 0 1 1 : {flags} 0 50 ndef\n");
    }
    text += "\t{\n\t\t0000\n\t\tndef\n\t\t0\n\t}\n}\n\nobject 0 {\n\t(0 0 0) (0 0 0) (1 1 1)\n\tobject 1\n}\n\nobject 1 {\n\t(0 0 0) (0 0 0) \
             (1 1 1)\n\tblock 0\n}\n\n";
    document(text.as_bytes())
}

#[test]
#[cfg(feature = "wmp")]
fn faces_that_the_game_does_not_draw_are_no_walls() {
    let to = |format, options: &ConvertOptions| {
        let done = convert(cube_with_hidden_faces(), format, &NoFiles, options).unwrap();
        let losses: Vec<String> = done.losses.iter().map(ToString::to_string).collect();
        (done.files.main, losses)
    };
    let (obj, losses) = to(Format::Obj, &ConvertOptions::default());
    let count =
        |text: &[u8], start: &str| String::from_utf8_lossy(text).lines().filter(|line| line.starts_with(start)).count();
    assert_eq!(count(&obj, "f "), 4);
    assert!(losses.iter().any(|loss| loss == "dropped: brushes[0]: 2 hidden faces"), "{losses:?}");
    let (obj, losses) = to(Format::Obj, &ConvertOptions::default().with_keep_hidden_faces(true));
    assert_eq!((count(&obj, "f "), count(&obj, "usemtl skip"), count(&obj, "usemtl sky")), (6, 1, 1));
    assert!(losses.iter().any(|loss| loss.contains("1 invisible")), "{losses:?}");
    let (map, losses) = to(Format::Map, &ConvertOptions::default());
    let map = String::from_utf8(map).unwrap();
    assert_eq!(
        (map.matches(") skip ").count(), map.matches(") sky ").count(), map.matches(") wall ").count()),
        (1, 1, 4)
    );
    assert!(losses.iter().any(|loss| loss.contains("1 sky face")), "{losses:?}");
    // The same format keeps them.
    let same = convert(cube_with_hidden_faces(), Format::Wmp, &NoFiles, &ConvertOptions::default()).unwrap();
    assert_eq!(same.files.main, cube_with_hidden_faces().to_bytes().unwrap());
}

#[test]
#[cfg(feature = "wmp")]
fn resolved_maps_name_the_wad_after_the_file() {
    use mapwright::wmp::Dialect;
    let level = "level 0 {\n\t<room.$$w>\n\t<palette.pcx>\n\t30\n\t45.000\n\t60.000\n\t<ndef>\n\t0 0 0\n\t0 0 0\n\t0 0 0\n\t0 0 0\n\t0 0 0\n\t0 0 0\n}\n\n";
    let text = String::from_utf8(cube_with_hidden_faces().to_bytes().unwrap()).unwrap();
    let text = text.replace("entities 0", "entities 1").replace("object 0 {", &format!("{level}object 0 {{"));
    let text = text.replace("\tobject 1\n", "\tobject 1\n\tlevel 0\n");
    let options = ConvertOptions::default().with_dialect(Some(Dialect::Binary));
    let binary = convert(document(text.as_bytes()), Format::Wmp, &NoFiles, &options).unwrap();
    let options = ConvertOptions::default().with_dialect(Some(Dialect::Resolved)).with_stem("cave");
    let resolved = convert(document(&binary.files.main), Format::Wmp, &NoFiles, &options).unwrap();
    let text = String::from_utf8_lossy(&resolved.files.main);
    assert!(text.lines().any(|line| line == "\tcave.$$w"), "{text}");
    assert!(
        resolved.losses.iter().any(|loss| loss.to_string() == "synthesized: level: the WAD of the build, cave.$$w")
    );
}

#[test]
fn info_describes_brushes_and_entities() {
    let info = mapwright::info::SceneInfo::new(
        &document(MAP.as_bytes()).into_scene().unwrap().scene,
        mapwright::scene::AxisChange::NONE,
    );
    let counts = |list: &[mapwright::info::UseCount]| -> Vec<(String, usize)> {
        list.iter().map(|one| (one.name.clone(), one.count)).collect()
    };
    assert_eq!(counts(&info.textures), [("side".to_owned(), 4), ("top".to_owned(), 2)]);
    assert_eq!(counts(&info.entities), [("worldspawn".to_owned(), 1)]);
    let [low, high] = info.bounds.unwrap();
    let mut extent = [0, 1, 2].map(|axis| high[axis] - low[axis]);
    extent.sort_by(f64::total_cmp);
    assert_eq!(extent, [16.0, 32.0, 64.0]);
    // The unit of a model is stated by its format.
    let glb = convert(document(MAP.as_bytes()), Format::Glb, &NoFiles, &ConvertOptions::default()).unwrap();
    assert!(document(&glb.files.main).info(None).metres_per_unit.is_some());
    let obj = convert(document(MAP.as_bytes()), Format::Obj, &NoFiles, &ConvertOptions::default()).unwrap();
    assert_eq!(
        AnyDocument::from_bytes_as(&obj.files.main, Format::Obj, &Default::default())
            .unwrap()
            .info(None)
            .metres_per_unit,
        None
    );
}

#[test]
fn long_lists_are_cut() {
    let entity = |index: usize| format!("{{\n\"classname\" \"kind_{index}\"\n\"origin\" \"0 0 {index}\"\n}}\n");
    let map: String = (0..62).map(entity).collect();
    let info = document(map.as_bytes()).info(None);
    let (short, long) = (info.to_string(), format!("{info:#}"));
    assert!(short.contains("entities (62)\n") && short.contains("… and 42 more (`-v`)\n"), "{short}");
    assert!(
        short.matches("kind_").count() == 20 && long.matches("kind_").count() == 62 && !long.contains('…'),
        "{long}"
    );
}

/// Keys that a vmap stores for the light are not keys of a Quake map.
#[cfg(feature = "vmap")]
#[test]
fn lights_and_keys_come_back_from_a_vmap() {
    let lights = [
        ("0 0 64", "\"light\" \"250\"\n\"_color\" \"1 0.5 0.25\"\n\"style\" \"3\"\n"),
        ("8 0 64", "\"angles\" \"-45 90 0\"\n\"target\" \"x\"\n"),
        ("16 0 64", ""),
    ];
    let head = "{\n\"classname\" \"worldspawn\"\n}\n";
    let entities =
        lights.map(|(origin, keys)| format!("{{\n\"classname\" \"light\"\n\"origin\" \"{origin}\"\n{keys}}}\n"));
    let map = format!("{head}{}", entities.concat());
    let to =
        |text: &[u8], format| convert(document(text), format, &NoFiles, &ConvertOptions::default()).unwrap().files.main;
    let back = String::from_utf8(to(&to(map.as_bytes(), Format::Vmap), Format::Map)).unwrap();
    let sorted = |text: &str| {
        let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
        lines.sort_unstable();
        lines
    };
    let blocks: Vec<Vec<String>> = back.split("{\n").skip(2).map(sorted).collect();
    let expected: Vec<Vec<String>> = entities.iter().map(|entity| sorted(entity.trim_start_matches("{\n"))).collect();
    assert_eq!(blocks, expected, "{back}");
}

/// A hidden mesh is no reason to name other contents.
#[cfg(feature = "vmap")]
#[test]
fn an_empty_result_names_the_hidden_content() {
    use mapwright::scene::{Content, Mesh, Node, Scene};
    let mut scene = Scene::default();
    let positions = vec![[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
    let faces = [vec![0, 1, 2]].into_iter().collect();
    let mesh = scene.meshes.push(Mesh { positions, faces, ..Mesh::default() });
    scene.add_node(None, Node { visible: false, ..Node::new("wall", Content::Mesh(mesh)) });
    let prefab = Content::Prefab(mapwright::scene::Prefab { reference: "a.vmap".into(), ..Default::default() });
    scene.add_node(None, Node::new("part", prefab));
    let map = mapwright::vmap::scene::from_scene(&scene, &Default::default()).unwrap().document;
    let error = convert(map.into(), Format::Obj, &NoFiles, &ConvertOptions::default()).unwrap_err().to_string();
    assert!(error.contains("references to other files, and hidden meshes, which --hidden converts"), "{error}");
}

/// Returns a fixture.
fn fixture(name: &str) -> Vec<u8> {
    std::fs::read(mapwright_testkit::fixtures("map").join(name)).unwrap()
}

#[test]
fn quake_maps_come_back_byte_for_byte() {
    for name in ["room.map", "valve.map", "primitives.map", "doom3.map", "hand.map"] {
        let bytes = fixture(name);
        let document = document(&bytes);
        assert_eq!(document.format(), Format::Map, "{name}");
        let conversion = convert(document, Format::Map, &NoFiles, &ConvertOptions::default()).unwrap();
        assert_eq!(conversion.files.main, bytes, "{name}");
        assert!(conversion.losses.is_empty(), "{name}: {:?}", conversion.losses);
    }
}

#[test]
fn patches_and_brush_primitives_become_meshes() {
    for (name, faces) in [("primitives.map", 6 + 64 + 6), ("doom3.map", 6 + 8)] {
        let glb = convert(document(&fixture(name)), Format::Glb, &NoFiles, &ConvertOptions::default()).unwrap();
        let scene = document(&glb.files.main).into_scene().unwrap().scene;
        let count: usize = scene.meshes.items().iter().map(|mesh| mesh.faces.len()).sum();
        assert_eq!(count, faces, "{name}");
    }
}

#[test]
fn snapped_brushes_are_on_the_grid() {
    let map = MAP.replace("16", "16.25");
    let snap = ConvertOptions::default().with_snap(1.0);
    let snapped = convert(document(map.as_bytes()), Format::Map, &NoFiles, &snap).unwrap();
    let text = String::from_utf8(snapped.files.main).unwrap();
    assert!(!text.contains("16.25") && text.contains(" 16 )"), "{text}");
    assert!(snapped.losses.iter().any(|loss| loss.text.contains("moved to a grid of 1")), "{:?}", snapped.losses);
}

#[test]
#[cfg(feature = "wmp")]
fn rooms_become_gamestudio_maps_with_their_entities() {
    let wmp = convert(document(&fixture("room.map")), Format::Wmp, &NoFiles, &ConvertOptions::default()).unwrap();
    let map = document(&wmp.files.main).into_wmp().unwrap();
    use mapwright::wmp::EntityKind;
    let count =
        |is_counted: fn(&EntityKind) -> bool| map.entities.iter().filter(|entity| is_counted(&entity.kind)).count();
    assert_eq!(count(|kind| matches!(kind, EntityKind::Start(_))), 1);
    assert_eq!(count(|kind| matches!(kind, EntityKind::Light(_))), 2);
    let path = map.entities.iter().find_map(|entity| match &entity.kind {
        EntityKind::Path(path) => Some(path),
        _ => None,
    });
    let path = path.unwrap();
    assert_eq!((path.nodes.len(), path.edges.len()), (2, 2));
    let wads: Vec<String> = map.wed.as_ref().unwrap().wads.iter().map(|wad| wad.path.to_string()).collect();
    assert_eq!(wads, ["base.wad", "extra.wad"]);
    let names: Vec<String> = map.objects.iter().map(|object| object.name.to_string()).collect();
    assert!(names.contains(&"Upstairs".to_owned()) && names.contains(&"pillar".to_owned()), "{names:?}");
    use mapwright::wmp::BlockFlags;
    let with = |flag: BlockFlags| map.blocks.iter().filter(|block| block.flags.0 & flag.0 != 0).count();
    assert_eq!((with(BlockFlags::DETAIL), with(BlockFlags::PASSABLE)), (1, 1));

    // And back.
    let back = convert(document(&wmp.files.main), Format::Map, &NoFiles, &ConvertOptions::default()).unwrap();
    let text = String::from_utf8(back.files.main).unwrap();
    for line in [
        "\"classname\" \"info_player_start\"",
        "\"wad\" \"base.wad;extra.wad\"",
        "\"classname\" \"func_detail\"",
        "\"targetname\" \"way_0\"\n\"target\" \"way_1\"",
        "\"targetname\" \"way_1\"\n\"target\" \"way_0\"",
        "\"_tb_name\" \"Upstairs\"",
        "\"light\" \"250\"",
    ] {
        assert!(text.contains(line), "{line}: {text}");
    }
}

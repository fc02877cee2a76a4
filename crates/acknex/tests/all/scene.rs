//! Scenes of models, terrains, compiled levels and sprites.
#![cfg(feature = "scene")]

use mapwright_acknex::scene::{
    Frames, HiddenFaces, ImportOptions, TerrainForm, Transparency, level_to_scene, model_to_scene, sprite_to_scene,
    terrain_to_scene,
};
use mapwright_acknex::{Model, Sprite, Terrain, Wmb};
use mapwright_io::Severity;
use mapwright_scene::{
    AlphaMode, Content, Diagonal, ImageSource, Import, Mesh, PixelFormat, Pixels, TextureUsage, Transform,
};

use crate::support::*;

/// Checks that a scene is valid, and returns its mesh.
fn mesh(import: &Import) -> &Mesh {
    let errors: Vec<_> = import.scene.validate().into_iter().filter(|it| it.severity == Severity::Error).collect();
    assert!(errors.is_empty(), "{errors:?}");
    let [node] = import.scene.nodes.items() else { panic!("one node") };
    let Content::Mesh(id) = node.content else { panic!("{:?}", node.content) };
    &import.scene.meshes[id]
}

fn losses(import: &Import) -> Vec<String> {
    import.losses.items.iter().map(ToString::to_string).collect()
}

/// Returns the signed volume of a closed mesh: positive if faces are counter-clockwise as seen from outside.
fn volume(mesh: &Mesh) -> f64 {
    let face = |face: &[u32]| {
        let [a, b, c] = [face[0], face[1], face[2]].map(|vertex| mesh.positions[vertex as usize]);
        a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) + a[2] * (b[0] * c[1] - b[1] * c[0])
    };
    mesh.faces.iter().map(face).sum::<f64>() / 6.0
}

#[test]
fn a_model_becomes_one_mesh_with_materials_and_images() {
    let model = Model::from_bytes(&mdl7()).unwrap();
    let import = model_to_scene(&model, &ImportOptions::default().with_name("guard"));
    let mesh = mesh(&import);
    assert_eq!((&*mesh.name, mesh.positions.len(), mesh.faces.len()), ("guard", 6, 3));
    // (x, y, z) → (x, z, −y), and the winding is reversed.
    assert_eq!(mesh.positions[2], [0.0, 0.0, -1.0]);
    assert_eq!(mesh.faces.iter().collect::<Vec<_>>(), [[2, 1, 0], [1, 2, 0], [5, 4, 3]]);
    assert!(mesh.uv_sets[0].corners.range(0..3).eq([[0.0, 1.5], [1.0, 0.0], [0.0, 0.0]].map(Some)));
    assert!(mesh.uv_sets[0].corners.iter().skip(6).eq([None; 3]));
    assert_eq!(mesh.normals.as_ref().unwrap().get(0), Some([0.0, 1.0, 0.0]));
    let materials = import.scene.materials.items();
    let names: Vec<&str> = materials.iter().map(|material| &*material.name).collect();
    assert_eq!(names, ["paint", "glass", "again"]);
    let used: Vec<_> = mesh.face_materials.iter().map(|material| material.unwrap().index()).collect();
    assert_eq!(used, [0, 1, 2]);
    assert_eq!((materials[0].alpha, materials[0].texture_size), (AlphaMode::Mask(0.5), Some([1, 1])));
    // Opacity is the fourth number of the ambient colour.
    assert_eq!((materials[1].base_color, materials[1].alpha), ([0.5, 0.25, 0.125, 0.75], AlphaMode::Blend));
    assert_eq!((materials[1].emissive, materials[1].classic.unwrap().shininess), ([0.5, 0.5, 0.5, 1.0], 0.25));
    assert!(materials[1].textures.is_empty());
    let pixels = Pixels { width: 1, height: 1, format: PixelFormat::Rgba8, data: vec![1, 2, 3, 128] };
    let images: Vec<&ImageSource> = import.scene.images.items().iter().map(|image| &image.source).collect();
    assert_eq!((images, &materials[0].textures), (vec![&ImageSource::Pixels(pixels)], &materials[2].textures));
    assert_eq!(
        losses(&import),
        [
            "dropped: skins[1]: skin that no triangle uses: a second texture or an alternative",
            "dropped: frames: animation frames: 1",
            "dropped: groups: names of groups, which become one mesh",
            "dropped: bones: bones and their animation: 1",
        ]
    );
}

#[test]
fn frames_are_shown_or_stored_as_offsets() {
    let model = Model::from_bytes(&mdl7()).unwrap();
    let import = model_to_scene(&model, &ImportOptions::default().with_frame(1));
    assert_eq!((mesh(&import).positions[2], mesh(&import).normals.is_none()), ([0.0, 5.0, -1.0], true));
    let options = ImportOptions::default().with_frames(Frames::MorphTargets);
    let import = model_to_scene(&model, &options);
    let [attribute] = &mesh(&import).attributes[..] else { panic!() };
    assert_eq!((&*attribute.name, attribute.width, attribute.values.len()), ("morph:jump1", 3, 18));
    assert_eq!(attribute.values[6..9], [0.0, 5.0, 0.0]);
    assert!(losses(&import).iter().all(|loss| !loss.contains("frames")));
}

#[test]
fn closed_models_are_counter_clockwise_from_outside() {
    // A tetrahedron, clockwise as seen from outside.
    let file = group(mdl7_header(0, 1, SIZES), "", [0, 0, 4, 4, 0]);
    let file = [[0, 1, 2], [0, 3, 1], [0, 2, 3], [1, 3, 2]]
        .into_iter()
        .fold(file, |file, vertices| triangle26(file, vertices, [0xffff; 3], -1));
    let points = [[0.0, 0.0, 0.0], [6.0, 0.0, 0.0], [0.0, 6.0, 0.0], [0.0, 0.0, 6.0]];
    let file = points.into_iter().fold(file, |file, point| vertex26(file, point, 0));
    let import = model_to_scene(&Model::from_bytes(&file.0).unwrap(), &ImportOptions::default());
    assert_eq!(volume(mesh(&import)), 36.0);
    assert_eq!((mesh(&import).uv_sets.len(), import.scene.materials.len()), (0, 0));
}

#[test]
fn external_skins_are_referred_to() {
    let terrain = Terrain::from_bytes(&hmp7()).unwrap();
    let import = terrain_to_scene(&terrain, &ImportOptions::default());
    let [material] = import.scene.materials.items() else { panic!() };
    let slot = material.texture(&TextureUsage::BaseColor).unwrap();
    assert_eq!(import.scene.images[slot.image].source, ImageSource::External { path: "g.bmp".to_owned() });
    assert_eq!((&*material.name, material.alpha), ("g.bmp", AlphaMode::Opaque));
}

#[test]
fn terrains_become_meshes_or_heightmaps_in_the_same_place() {
    let terrain = Terrain::from_bytes(&hmp7()).unwrap();
    let import = terrain_to_scene(&terrain, &ImportOptions::default());
    let mesh = mesh(&import);
    assert_eq!((mesh.positions[0], mesh.positions[5]), ([-10.0, -3.0, -10.0], [10.0, 7.0, 10.0]));
    assert!((0..4).all(|face| mesh.face_normal(face).unwrap()[1] > 0.0), "triangles face upwards");
    let options = ImportOptions::default().with_terrain(TerrainForm::Heightmap).with_name("hill");
    let import = terrain_to_scene(&terrain, &options);
    let [heightmap] = import.scene.terrains.items() else { panic!() };
    assert_eq!((heightmap.size, heightmap.spacing, heightmap.diagonal), ([3, 2], [10.0, 20.0], Diagonal::Anti));
    let again = heightmap.mesh();
    let node = &import.scene.nodes.items()[0];
    let moved: Vec<[f64; 3]> = again.positions.iter().map(|position| node.transform.point(*position)).collect();
    assert_eq!(moved, mesh.positions);
    assert_ne!(node.transform, Transform::IDENTITY);
    let triangles = |mesh: &Mesh| {
        let mut faces: Vec<Vec<u32>> = mesh.faces.iter().map(<[u32]>::to_vec).collect();
        faces.iter_mut().for_each(|face| face.sort_unstable());
        faces.sort();
        faces
    };
    assert_eq!(triangles(&again), triangles(mesh), "both divide cells along the same diagonal");
    assert!(import.losses.items.is_empty());
}

#[test]
fn frames_of_terrains_are_reported_or_stored() {
    let file = Bytes::new("HMP7").header([1.0, 1.0, 2.0], 0, [0, 0], [4, 0, 3, 0]);
    let frame =
        |file: Bytes, step: u16| file.u32(&[2]).bytes(&[0; 16]).name("wave").u16(&[step, 0, step, 0, step, 0, step, 0]);
    let terrain = Terrain::from_bytes(&frame(frame(frame(file, 0), 1), 5).0).unwrap();
    let import = terrain_to_scene(&terrain, &ImportOptions::default().with_frame(2));
    assert_eq!(
        (mesh(&import).positions[0][1], losses(&import)),
        (7.0, vec!["dropped: frames: animation frames: 2".to_owned()])
    );
    let import = terrain_to_scene(&terrain, &ImportOptions::default().with_frames(Frames::MorphTargets));
    let names: Vec<_> = mesh(&import).attributes.iter().map(|it| (&*it.name, it.values[1])).collect();
    assert_eq!((names, losses(&import).len()), (vec![("morph:wave", 2.0), ("morph:wave#2", 10.0)], 0));
}

#[test]
fn transparency_follows_the_image_and_the_flags_of_the_entity() {
    let file = |format: u32, data: &[u8]| {
        let file = group(mdl7_header(0, 1, SIZES), "", [1, 0, 1, 3, 0]).u32(&[format, 2, 1]).name("").bytes(data);
        let file = triangle26(file, [0, 1, 2], [0xffff; 3], 0);
        Model::from_bytes(&vertex26(vertex26(vertex26(file, [0.0; 3], 0), [1.0; 3], 0), [2.0, 0.0, 0.0], 0).0).unwrap()
    };
    let convert = |model: &Model, transparency| {
        let import = model_to_scene(model, &ImportOptions::default().with_transparency(transparency));
        let ImageSource::Pixels(pixels) = &import.scene.images.items()[0].source else { panic!() };
        (import.scene.materials.items()[0].alpha, pixels.data[3])
    };
    let black = file(4, &[0, 0, 0, 1, 1, 1]);
    assert_eq!(convert(&black, Transparency::FromImage), (AlphaMode::Opaque, 255));
    assert_eq!(convert(&black, Transparency::Overlay), (AlphaMode::Mask(0.5), 0));
    assert_eq!(convert(&black, Transparency::Translucent), (AlphaMode::Blend, 255));
    let alpha = file(5, &[0, 0, 0, 9, 1, 1, 1, 255]);
    assert_eq!(convert(&alpha, Transparency::FromImage), (AlphaMode::Mask(0.5), 9));
    assert_eq!(convert(&alpha, Transparency::Overlay), (AlphaMode::Mask(0.5), 9));
    let solid = file(5, &[0, 0, 0, 255, 1, 1, 1, 255]);
    assert_eq!(convert(&solid, Transparency::FromImage), (AlphaMode::Opaque, 255));
}

#[test]
fn undecodable_images_are_reported_with_their_skin() {
    let model = Model::from_bytes(&mdl2("MDL2")).unwrap();
    let import = model_to_scene(&model, &ImportOptions::default());
    assert_eq!(losses(&import), ["dropped: skins[0]: image: image needs a palette, but none was given"]);
    let options = ImportOptions::default().with_palette(Some(greys()));
    assert_eq!(model_to_scene(&model, &options).scene.images.len(), 1);
}

#[test]
fn faces_that_games_do_not_draw_are_left_out_or_marked() {
    let file = wmb7();
    let level = Wmb::from_bytes(&file).unwrap();
    let import = level_to_scene(&level, &ImportOptions::default().with_name("hut")).unwrap();
    assert_eq!(
        (mesh(&import).faces.len(), losses(&import)),
        (1, vec!["dropped: faces: faces that games do not draw: 1".to_owned()])
    );
    assert!(mesh(&import).uv_sets[0].corners.iter().eq([[2.0, 0.0], [0.0, 2.0], [0.0, 0.0]].map(Some)));
    let options = ImportOptions::default().with_hidden_faces(HiddenFaces::Keep);
    let import = level_to_scene(&level, &options).unwrap();
    let materials: Vec<_> = import.scene.materials.items().iter().map(|it| (&*it.name, it.is_tool)).collect();
    assert_eq!((mesh(&import).faces.len(), materials), (2, vec![("wall", false), ("none", true)]));
    let file = wmb4("WMB4");
    let import = level_to_scene(&Wmb::from_bytes(&file).unwrap(), &ImportOptions::default()).unwrap();
    assert_eq!(mesh(&import).faces.get(0), Some(&[3, 2, 1, 0][..]));
}

#[test]
fn sprites_are_rectangles_that_face_the_camera() {
    let sprite = Sprite::from_name(b"fire+4.tga", [32, 6]);
    let image = ImageSource::External { path: "fire+4.tga".to_owned() };
    let import = sprite_to_scene(&sprite, image.clone(), &ImportOptions::default().with_name("fire"));
    let mesh_of = mesh(&import);
    // The lower left corner as seen from +X: Y is to the right, which is −Z of scenes.
    assert_eq!(mesh_of.positions[..2], [[0.0, -3.0, 4.0], [0.0, -3.0, -4.0]]);
    assert!(mesh_of.face_normal(0).unwrap()[0] > 0.0);
    assert_eq!(mesh_of.uv_sets[0].corners.get(2), Some([0.25, 0.0]));
    let material = &import.scene.materials.items()[0];
    assert!(material.double_sided && material.alpha == AlphaMode::Mask(0.5));
    assert_eq!(import.scene.nodes.items()[0].properties.get("sprite").unwrap().as_text(), Some("camera"));
    assert_eq!(losses(&import), ["dropped: image: animation frames: 3"]);
    let crossed = sprite_to_scene(&Sprite::from_name(b"a_x3.tga", [4, 4]), image, &ImportOptions::default());
    assert_eq!(mesh(&crossed).faces.len(), 3);
}

/// Returns the number of a key in a line of JSON.
fn number(line: &str, key: &str) -> Option<f64> {
    let (_, rest) = line.split_once(&format!("\"{key}\": "))?;
    rest.split([',', '}']).next()?.parse().ok()
}

#[test]
#[ignore = "needs the corpus"]
fn files_of_the_corpus_become_valid_scenes_with_the_expected_volume() {
    let Some(folder) = mapwright_testkit::corpus("acknex") else { return };
    let expected = std::fs::read_to_string(folder.join("EXPECTED_mesh.jsonl")).unwrap();
    let mut counts = [0; 3];
    for path in mapwright_testkit::files_below(&folder) {
        let bytes = std::fs::read(&path).unwrap();
        let name = path.strip_prefix(&folder).unwrap().display().to_string();
        let options = ImportOptions::default().with_palette(Some(mapwright_acknex::Palette::quake()));
        let import = if let Ok(model) = Model::from_bytes(&bytes) {
            counts[0] += 1;
            model_to_scene(&model, &options)
        } else if let Ok(terrain) = Terrain::from_bytes(&bytes) {
            counts[1] += 1;
            terrain_to_scene(&terrain, &options)
        } else if let Ok(level) = Wmb::from_bytes(&bytes) {
            counts[2] += 1;
            level_to_scene(&level, &options).unwrap()
        } else {
            continue;
        };
        let mesh = mesh(&import);
        let wrong: Vec<String> = losses(&import).into_iter().filter(|loss| loss.contains("image:")).collect();
        assert!(wrong.is_empty(), "{name}: {wrong:?}");
        let line = expected.lines().find(|line| line.contains(&format!("\"file\": {name:?}")));
        if let Some(theirs) = line.and_then(|line| number(line, "signed_volume")) {
            // Files are clockwise, so the sign changes.
            let ours = volume(mesh);
            assert!((ours + theirs).abs() <= 1e-3 + 1e-4 * theirs.abs(), "{name}: {ours} {theirs}");
        }
    }
    println!("models, terrains and levels: {counts:?}");
    assert!(counts.iter().zip([50, 10, 7]).all(|(count, least)| *count >= least), "{counts:?}");
}

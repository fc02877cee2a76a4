//! Written documents.

use mapwright_interchange::{
    Category,
    gltf::{Container, ExportOptions, from_scene, to_scene},
};
use mapwright_scene::*;
use mapwright_scene::{FileError, FileKind, FileSource, NoFiles};

use super::scenes::*;

fn glb(scene: &Scene) -> (String, Vec<u8>, Losses) {
    let export = from_scene(scene, &NoFiles, &ExportOptions::default()).unwrap();
    let bytes = export.document.main;
    let word = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap()) as usize;
    let json = String::from_utf8(bytes[20..20 + word(12)].to_vec()).unwrap();
    let bin = bytes.get(28 + word(12)..).unwrap_or_default().to_vec();
    (json.trim_end().to_owned(), bin, export.losses)
}

#[test]
fn a_triangle_has_the_expected_json() {
    let (json, bin, losses) = glb(&showing(polygon(&[[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]])));
    let version = env!("CARGO_PKG_VERSION");
    let expected = format!(
        concat!(
            r#"{{"asset":{{"version":"2.0","generator":"mapwright {}"}},"scene":0,"#,
            r#""scenes":[{{"nodes":[0],"extras":{{"mapwright":{{"version":1}}}}}}],"nodes":[{{"mesh":0}}],"#,
            r#""meshes":[{{"primitives":[{{"attributes":{{"NORMAL":1,"POSITION":0,"_VERTEX":2}},"indices":3}}],"#,
            r#""extras":{{"mapwright":{{}}}}}}],"#,
            r#""accessors":[{{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3","#,
            r#""max":[1.0,1.0,0.0],"min":[0.0,0.0,0.0]}},"#,
            r#"{{"bufferView":0,"byteOffset":12,"componentType":5126,"count":3,"type":"VEC3"}},"#,
            r#"{{"bufferView":0,"byteOffset":24,"componentType":5126,"count":3,"type":"SCALAR"}},"#,
            r#"{{"bufferView":1,"componentType":5123,"count":3,"type":"SCALAR"}}],"#,
            r#""bufferViews":[{{"buffer":0,"byteLength":84,"byteStride":28,"target":34962}},"#,
            r#"{{"buffer":0,"byteOffset":84,"byteLength":6,"target":34963}}],"buffers":[{{"byteLength":90}}]}}"#
        ),
        version
    );
    assert_eq!(json, expected);
    assert!(losses.is_empty());
    let second: Vec<f32> = bin[28..56].chunks(4).map(|word| f32::from_le_bytes(word.try_into().unwrap())).collect();
    assert_eq!(second, [1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 1.0]);
    assert_eq!(bin[84..], [0, 0, 1, 0, 2, 0, 0, 0]);
}

/// The names of the attributes of each primitive of the first mesh.
fn attributes(json: &str) -> Vec<Vec<String>> {
    let root: serde_json::Value = serde_json::from_str(json).unwrap();
    let names = |primitive: &serde_json::Value| primitive["attributes"].as_object().unwrap().keys().cloned().collect();
    root["meshes"][0]["primitives"].as_array().unwrap().iter().map(names).collect()
}

#[test]
fn a_mesh_has_at_most_one_custom_attribute() {
    for (name, scene) in faithful().into_iter().chain(lossy()).chain([("colored", colored())]) {
        let (json, ..) = glb(&scene);
        let root: serde_json::Value = serde_json::from_str(&json).unwrap();
        for mesh in root["meshes"].as_array().into_iter().flatten() {
            let primitives = mesh["primitives"].as_array().unwrap().iter();
            let names = primitives.flat_map(|primitive| primitive["attributes"].as_object().unwrap().keys());
            let custom: std::collections::BTreeSet<&String> = names.filter(|name| name.starts_with('_')).collect();
            assert!(custom.len() <= 1, "{name}: {custom:?}");
        }
    }
    // One set is shown by the first material; the others and the numbers of vertices are in the metadata.
    let (json, _, losses) = glb(&colored());
    assert_eq!(
        attributes(&json),
        [
            ["COLOR_0", "NORMAL", "POSITION"].map(String::from).to_vec(),
            ["NORMAL", "POSITION", "_COLOR_0"].map(String::from).to_vec()
        ]
    );
    assert!(losses.iter().any(|loss| loss.text.contains("outside the attributes")), "{losses:?}");
}

#[test]
fn colours_without_a_material_are_visible() {
    let mut scene = colored();
    scene.materials = Arena::default();
    let mesh = &mut scene.meshes[MeshId::new(0)];
    mesh.face_materials.clear();
    mesh.color_sets.truncate(1);
    let (json, ..) = glb(&scene);
    assert_eq!(attributes(&json), [["COLOR_0", "NORMAL", "POSITION", "_VERTEX"].map(String::from)]);
}

#[test]
fn paths_and_sounds_come_back() {
    let mut scene = Scene { color_space: ColorSpace::Linear, ..Scene::default() };
    let sound = Sound {
        reference: "wind.wav".into(),
        volume: Some(0.5),
        range: Some(12.0),
        properties: [("flags", Value::Int(3))].into_iter().collect(),
    };
    let sound = scene.sounds.push(sound);
    let point = |x: f64| PathPoint {
        position: [x, 0.5, -1.0],
        tangents: (x > 0.0).then_some([[0.0, 1.0, 0.0]; 2]),
        properties: [("name", Value::from("p"))].into_iter().collect(),
    };
    let path = Path {
        name: "patrol".into(),
        points: vec![point(0.0), point(2.0)],
        edges: vec![PathEdge { from: 1, to: 0, weight: 2.5 }],
        closed: true,
        properties: [("speed", Value::Float(1.5))].into_iter().collect(),
    };
    let path = scene.paths.push(path);
    scene.add_node(None, Node::new("wind", Content::Sound(sound)));
    scene.add_node(None, Node::new("way", Content::Path(path)));
    // A property of this name must not make an entity.
    let mut group = Node::new("group", Content::Group);
    group.properties.push("classname", "not an entity");
    scene.add_node(None, group);
    let export = from_scene(&scene, &NoFiles, &ExportOptions::default()).unwrap();
    assert_eq!(export.losses.lost_count(), 0, "{:?}", export.losses);
    let import = to_scene(&export.document.main, &NoFiles, &Default::default()).unwrap();
    assert_eq!(import.scene, scene);
    // JSON has no infinite numbers.
    scene.sounds[sound].range = Some(f64::INFINITY);
    scene.paths[path].edges[0].weight = f64::NAN;
    if let Ok(export) = from_scene(&scene, &NoFiles, &ExportOptions::default()) {
        assert_eq!(export.losses.count(LossKind::Repaired), 2, "{:?}", export.losses);
        assert!(to_scene(&export.document.main, &NoFiles, &Default::default()).is_ok());
    }
}

#[test]
fn an_empty_scene_has_no_empty_lists() {
    let (json, bin, _) = glb(&Scene::default());
    assert!(!json.contains("[]") && bin.is_empty(), "{json}");
}

#[test]
fn files_beside_the_document_have_its_name() {
    let options = ExportOptions::default().with_container(Container::Gltf).with_name("my level");
    let files = from_scene(&textured(), &NoFiles, &options).unwrap().document;
    let names: Vec<&str> = files.side.iter().map(|file| file.name.as_str()).collect();
    assert_eq!(names, ["my level.bin", "my level_0.png", "my level_1.png", "my level_2.png", "my level_3.png"]);
    let json = String::from_utf8(files.main.clone()).unwrap();
    assert!(json.contains(r#""uri": "my%20level.bin""#));
    assert!(to_scene(&files.main, &files, &Default::default()).is_ok());
    let error = to_scene(&files.main, &NoFiles, &Default::default()).unwrap_err();
    assert_eq!(
        error.to_string(),
        r#"cannot read the file "my level.bin": files outside the document are not read in buffers[0].uri"#
    );
}

#[test]
fn external_images_are_loaded_named_or_lost() {
    let mut mesh = cube();
    mesh.face_materials = vec![Some(MaterialId::new(0)); 6];
    let mut scene = showing(mesh);
    let image = scene
        .images
        .push(Image { name: "wall".into(), source: ImageSource::External { path: "art\\wall.png".into() } });
    scene
        .materials
        .push(Material { textures: vec![TextureSlot::new(TextureUsage::BaseColor, image)], ..Material::new("wall") });

    let (json, _, losses) = glb(&scene);
    assert!(!json.contains("image"));
    assert_eq!(losses.count(LossKind::Dropped), 1);

    let options = ExportOptions::default().with_container(Container::Gltf);
    let named = from_scene(&scene, &NoFiles, &options).unwrap();
    assert!(String::from_utf8(named.document.main).unwrap().contains(r#""uri": "art/wall.png""#));

    // Bytes after the end of the image are ignored.
    let png = png();
    let found = |name: &str| (name == "art\\wall.png").then(|| [&png[..], b"password"].concat());
    let export = from_scene(&scene, &found, &ExportOptions::default()).unwrap();
    assert_eq!(export.losses.count(LossKind::Approximated), 1);
    let import = to_scene(&export.document.main, &NoFiles, &Default::default()).unwrap();
    let expected = ImageSource::Encoded { media_type: "image/png".into(), data: png.clone() };
    assert_eq!(import.scene.images.items()[0].source, expected);

    for not_an_image in
        [&png[..png.len() - 20], b"\x89PNG\r\n\x1a\nroot:x:0:0", b"BMnotes of a stranger", b"root:x:0:0"]
    {
        let found = |name: &str| (name == "art\\wall.png").then(|| not_an_image.to_vec());
        let export = from_scene(&scene, &found, &ExportOptions::default()).unwrap();
        assert_eq!(export.losses.count(LossKind::Dropped), 1);
        assert!(!export.document.main.windows(4).any(|bytes| bytes == b"root" || bytes == b"note"));
    }
}

#[test]
fn references_do_not_lead_out_of_the_folder() {
    let options = ExportOptions::default().with_container(Container::Gltf);
    for (path, reason, uri) in [
        ("art/wall.png", FileError::Disabled, "art/wall.png"),
        ("../../wall.png", FileError::Disabled, "wall.png"),
        ("/home/me/wall.png", FileError::NotFound, "wall.png"),
        ("C:wall.png", FileError::NotFound, "wall.png"),
        ("art/wall.png", FileError::Outside, "wall.png"),
        ("art/wall.png", FileError::Unreadable, "wall.png"),
    ] {
        let mut mesh = cube();
        mesh.face_materials = vec![Some(MaterialId::new(0)); 6];
        let mut scene = showing(mesh);
        let image = Image { name: "wall".into(), source: ImageSource::External { path: path.into() } };
        let slot = TextureSlot::new(TextureUsage::BaseColor, scene.images.push(image));
        scene.materials.push(Material { textures: vec![slot], ..Material::new("wall") });
        let export = from_scene(&scene, &Refuses(reason), &options).unwrap();
        let text = String::from_utf8(export.document.main).unwrap();
        assert!(text.contains(&format!(r#""uri": "{uri}""#)), "{path}");
        assert_eq!(
            export.losses.count(LossKind::Approximated),
            usize::from(path != uri),
            "{path}: {:?}",
            export.losses
        );
    }
}

/// Has no file, for one reason.
struct Refuses(FileError);

impl FileSource for Refuses {
    fn load(&self, _: &str, _: FileKind) -> Result<Vec<u8>, FileError> {
        Err(self.0)
    }
}

/// An image of one pixel.
fn png() -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, 1, 1);
    encoder.set_color(png::ColorType::Rgb);
    encoder.write_header().unwrap().write_image_data(&[1, 2, 3]).unwrap();
    bytes
}

#[test]
fn metallic_and_roughness_are_merged_into_one_image() {
    let scene = lossy().into_iter().find(|(name, _)| *name == "separate_maps").unwrap().1;
    let export = from_scene(&scene, &NoFiles, &ExportOptions::default()).unwrap();
    let import = to_scene(&export.document.main, &NoFiles, &Default::default()).unwrap().scene;
    let material = &import.materials.items()[0];
    let slot = material.texture(&TextureUsage::MetallicRoughness).unwrap();
    let ImageSource::Pixels(merged) = &import.images[slot.image].source else { panic!("no pixels") };
    // Metallic is 4 × 4 and counts up from 3; roughness is 2 × 8 with three channels.
    assert_eq!((merged.width, merged.height, merged.format), (4, 8, PixelFormat::Rgb8));
    assert_eq!(merged.data[..12], [255, 0, 3, 255, 0, 4, 255, 3, 5, 255, 3, 6]);
    assert_eq!(merged.data[36..39], [255, 18, 7]);
}

#[test]
fn colours_become_linear_light() {
    let mut scene = textured();
    scene.color_space = ColorSpace::Srgb;
    let (json, _, losses) = glb(&scene);
    assert!(json.contains(r#""baseColorFactor":[0.2140"#), "{json}");
    assert!(losses.iter().any(|loss| loss.path == "color_space"));
    // A colour brighter than white is a colour and a factor.
    assert!(json.contains("KHR_materials_emissive_strength"));
}

#[test]
fn broken_scenes_are_rejected_with_their_path() {
    let mut scene = showing(cube());
    scene.meshes[MeshId::new(0)].positions[2][1] = f64::NAN;
    let error = from_scene(&scene, &NoFiles, &ExportOptions::default()).unwrap_err();
    assert_eq!((error.category(), &*error.path().to_string()), (Category::Malformed, "meshes[0].positions"));
    scene.meshes[MeshId::new(0)].positions[2][1] = 1e300;
    let error = from_scene(&scene, &NoFiles, &ExportOptions::default()).unwrap_err();
    assert_eq!((error.category(), &*error.path().to_string()), (Category::Unsupported, "meshes[0].positions"));
}

#[test]
fn hidden_nodes_are_left_out_unless_asked_for() {
    let mut scene = scene_with_all_nodes();
    scene.nodes[NodeId::new(1)].visible = false;
    let (json, _, losses) = glb(&scene);
    assert!(!json.contains("camera") && losses.iter().any(|loss| loss.path == "nodes[1]"), "{losses:?}");
    let options = ExportOptions::default().with_hidden(true);
    let export = from_scene(&scene, &NoFiles, &options).unwrap();
    let import = to_scene(&export.document.main, &NoFiles, &Default::default()).unwrap();
    assert_eq!(import.scene, scene);
}

#[test]
fn many_vertices_take_wide_indices() {
    let count = 65_600_u32;
    let triangles = (0..count).step_by(3).map(|first| [first, first + 1, first + 2]);
    let positions = (0..count + 3).map(|i| [f64::from(i % 256), f64::from(i / 256), f64::from(i % 3)]).collect();
    let mesh = Mesh { positions, faces: triangles.collect(), ..Mesh::default() };
    let (json, _, _) = glb(&showing(mesh.clone()));
    assert!(json.contains(r#""componentType":5125"#));
    let export = from_scene(&showing(mesh.clone()), &NoFiles, &ExportOptions::default()).unwrap();
    let import = to_scene(&export.document.main, &NoFiles, &Default::default()).unwrap();
    assert_eq!(import.scene.meshes.items()[0].faces, mesh.faces);
}

#[test]
fn metadata_is_reported_as_preserved() {
    let mut scene = scene_with_all_nodes();
    scene.meshes.iter_mut().for_each(|(_, mesh)| mesh.face_flags = vec![FaceFlags::HIDDEN; mesh.faces.len()]);
    let (_, _, losses) = glb(&scene);
    let is_reported = |kind, text: &str| losses.iter().any(|loss| loss.kind == kind && loss.text.contains(text));
    for text in [
        "lock of",
        "marker of",
        "entity",
        "reference to",
        "ambient and specular colours",
        "exact target point",
        "faces with more than",
    ] {
        assert!(is_reported(LossKind::Preserved, text), "{text}: {losses:?}");
    }
    for text in ["hidden faces", "light falloff", "without a unit"] {
        assert!(is_reported(LossKind::Approximated, text), "{text}: {losses:?}");
    }
    // Flat shading is stored for each edge, and is complete.
    let mut cube = cube();
    cube.smoothing = Smoothing::Flat;
    assert_eq!(glb(&showing(cube)).2.lost_count(), 0);
}

#[test]
fn transforms_fit_32_bits() {
    let matrix = |s: f64| Transform::Matrix([[s, 0.0, 0.0, 0.0], [0.0, s, 0.0, 0.0], [0.0, 0.0, s, 0.0], [1.0; 4]]);
    let scaled = |s| Transform::Trs { translation: [1.0; 3], rotation: [0.0, 0.0, 0.0, 1.0], scale: [s; 3] };
    let write = |transform| {
        let mut scene = showing(cube());
        scene.nodes[NodeId::new(0)].transform = transform;
        from_scene(&scene, &NoFiles, &ExportOptions::default())
    };
    for size in [1e38, 1e-38] {
        for transform in [matrix(size), scaled(size)] {
            let export = write(transform).unwrap();
            let import = to_scene(&export.document.main, &NoFiles, &Default::default()).unwrap();
            // As a matrix it would have no determinant in 32 bits.
            let Transform::Trs { scale, .. } = import.scene.nodes.items()[0].transform else { panic!("a matrix") };
            assert!(scale.iter().all(|s| (s / size - 1.0).abs() < 1e-12), "{scale:?}");
            assert_eq!(export.losses.lost_count(), usize::from(matches!(transform, Transform::Matrix(_))));
        }
    }
    for size in [1e39, -1e300, 1e-46, f64::INFINITY, f64::NAN] {
        for transform in [matrix(size), scaled(size)] {
            let error = write(transform).unwrap_err();
            let category = if size.is_finite() { Category::Unsupported } else { Category::Malformed };
            assert_eq!((error.category(), &*error.path().to_string()), (category, "nodes[0].transform"), "{size}");
        }
    }
    let unit = |metres| {
        let scene = Scene { metres_per_unit: Some(metres), ..scene_with_all_nodes() };
        from_scene(&scene, &NoFiles, &ExportOptions::default())
    };
    assert_eq!(unit(1e39).unwrap_err().path(), "metres_per_unit");
    let error = unit(1e-46).unwrap_err();
    assert_eq!(error.to_string(), "1e-46 is out of range for the format in metres_per_unit");
    // Lengths of lights and cameras go as far as numbers do.
    let export = unit(3e38).unwrap();
    assert!(export.losses.iter().any(|loss| loss.text == "a length that exceeds 32 bits"));
    to_scene(&export.document.main, &NoFiles, &Default::default()).unwrap();
}

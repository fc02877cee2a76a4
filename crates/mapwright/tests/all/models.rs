//! Conversions of models between glTF, OBJ and Wings 3D, and their units in maps.
#![cfg(all(feature = "gltf", feature = "obj", feature = "wings", feature = "map", feature = "vmap", feature = "wmp"))]

use mapwright::interchange::gltf;
use mapwright::scene::NoFiles;
use mapwright::scene::*;
use mapwright::{AnyDocument, ConvertOptions, Format, ReadOptions, SceneFile, convert, rescue};

/// Converts a file, and returns the new file with its losses.
fn to(bytes: &[u8], format: Format) -> (Vec<u8>, Vec<String>) {
    let document = AnyDocument::from_bytes(bytes).unwrap();
    let conversion = convert(document, format, &NoFiles, &ConvertOptions::default()).unwrap();
    (conversion.files.main, conversion.losses.iter().map(ToString::to_string).collect())
}

fn scene(bytes: &[u8]) -> Scene {
    AnyDocument::from_bytes(bytes).unwrap().into_scene().unwrap().scene
}

fn glb(scene: &Scene) -> Vec<u8> {
    gltf::from_scene(scene, &NoFiles, &gltf::ExportOptions::default()).unwrap().document.main
}

/// Two triangles with a material and two UV sets.
fn square() -> Scene {
    let mut scene = Scene { color_space: ColorSpace::Linear, metres_per_unit: Some(1.0), ..Scene::default() };
    let material = scene.materials.push(Material { double_sided: true, ..Material::new("paint") });
    let set = |scale: f64| UvSet {
        corners: [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]]
            .map(|uv| Some(uv.map(|c| c * scale)))
            .into_iter()
            .collect(),
        ..UvSet::default()
    };
    let mesh = scene.meshes.push(Mesh {
        positions: vec![[0.0; 3], [1.0, 0.0, 0.0], [1.0, 1.0, 0.0], [0.0, 1.0, 0.0]],
        faces: [[0, 1, 2, 3]].into_iter().collect(),
        face_materials: vec![Some(material)],
        uv_sets: vec![set(1.0), set(0.25)],
        ..Mesh::default()
    });
    scene.add_node(None, Node::new("square", Content::Mesh(mesh)));
    scene
}

fn image(scene: &mut Scene, format: PixelFormat, data: Vec<u8>) -> ImageId {
    let pixels = Pixels { width: 2, height: 1, format, data };
    scene.images.push(Image { name: "texture".into(), source: ImageSource::Pixels(pixels) })
}

#[test]
fn objects_without_shading_are_soft_in_wings_only() {
    let roof = "v 0 0 0\nv 0 1 0\nv 1 0 0\nv 0 0 1\nf 1 2 3\nf 2 1 4\nf 1 3 4\nf 2 4 3\n";
    let hard_edges = |text: &str| {
        let (wings, losses) = to(text.as_bytes(), Format::Wings);
        let assumed = losses.iter().filter(|loss| loss.contains("does not state its shading")).count();
        (scene(&wings).meshes.items()[0].hard_edges.len(), assumed)
    };
    assert_eq!(hard_edges(roof), (0, 1));
    assert_eq!(hard_edges(&format!("s off\n{roof}")), (6, 0));
    assert_eq!(hard_edges(&format!("s 1\n{roof}")), (0, 0));
    // The specification of OBJ says that smoothing is off.
    assert!(!scene(&to(roof.as_bytes(), Format::Glb).0).meshes.items()[0].hard_edges.is_empty());
}

#[test]
fn the_texture_coordinates_of_the_texture_are_written() {
    let mut square = square();
    let picture = image(&mut square, PixelFormat::Rgb8, vec![1, 2, 3, 4, 5, 6]);
    let slot = TextureSlot { uv_set: 1, ..TextureSlot::new(TextureUsage::BaseColor, picture) };
    square.materials[Id::new(0)].textures = vec![slot];
    for format in [Format::Obj, Format::Wings] {
        let (file, losses) = to(&glb(&square), format);
        let scene = scene(&file);
        let greatest = scene.meshes.items()[0].uv_sets[0].corners.iter().flatten().flatten();
        // 1 − 0.25 where the origin is at the lower left.
        let mapped: Vec<f64> = greatest.collect();
        assert!(mapped.iter().all(|c| [0.0, 0.25, 0.75, 1.0].contains(c)) && mapped.contains(&0.75), "{mapped:?}");
        let text = "materials[0]: texture coordinates of UV set 1, in the first set";
        assert!(losses.iter().any(|loss| loss.contains(text)), "{losses:?}");
    }
}

#[test]
fn instances_of_meshes_become_nodes() {
    let mut square = square();
    let transforms = InstanceTransforms::Trs {
        translations: vec![[0.0; 3], [5.0, 0.0, 0.0], [0.0, 0.0, 9.0]],
        rotations: vec![[0.0, 0.0, 0.0, 1.0]; 3],
        scales: vec![[1.0; 3], [2.0; 3], [1.0; 3]],
    };
    let set =
        InstanceSet { models: vec![Model::Mesh(Id::new(0))], model: vec![0; 3], transforms, ..InstanceSet::default() };
    let set = square.instance_sets.push(set);
    square.nodes[Id::new(0)].content = Content::InstanceSet(set);
    let file = glb(&square);
    for format in [Format::Obj, Format::Wings] {
        let (file, losses) = to(&file, format);
        let scene = scene(&file);
        let shown = scene.walk().filter(|visit| matches!(visit.node.content, Content::Mesh(_) | Content::Brush(_)));
        assert_eq!(shown.count(), 3, "{format}: {losses:?}");
        assert!(losses.iter().any(|loss| loss.contains("expanded to separate nodes: 3")), "{losses:?}");
        assert!(!losses.iter().any(|loss| loss.contains("no visible node")), "{losses:?}");
    }
    let options = ConvertOptions::default().with_max_items(3);
    let document = AnyDocument::from_bytes(&file).unwrap();
    assert!(convert(document, Format::Obj, &NoFiles, &options).is_err());
    assert_eq!(scene(&to(&file, Format::Glb).0).instance_sets.len(), 1);
}

#[test]
fn metallic_roughness_textures_are_split_for_wings_and_merged_again() {
    let mut square = square();
    let both = image(&mut square, PixelFormat::Rgb8, vec![0, 50, 200, 0, 60, 10]);
    square.materials[Id::new(0)].textures = vec![TextureSlot::new(TextureUsage::MetallicRoughness, both)];
    let (wings, losses) = to(&glb(&square), Format::Wings);
    assert!(losses.iter().any(|loss| loss.contains("split into two images")), "{losses:?}");
    let split = scene(&wings);
    let channel = |usage: &TextureUsage| {
        let slot = split.materials.items()[0].texture(usage).unwrap();
        match &split.images[slot.image].source {
            ImageSource::Pixels(pixels) => (pixels.format, pixels.data.clone()),
            other => panic!("{other:?}"),
        }
    };
    assert_eq!(channel(&TextureUsage::Metallic), (PixelFormat::L8, vec![200, 10]));
    assert_eq!(channel(&TextureUsage::Roughness), (PixelFormat::L8, vec![50, 60]));
    let merged = scene(&to(&wings, Format::Glb).0);
    let slot = merged.materials.items()[0].texture(&TextureUsage::MetallicRoughness).unwrap();
    let pixels = match &merged.images[slot.image].source {
        ImageSource::Pixels(pixels) => pixels.clone(),
        ImageSource::Encoded { data, .. } => mapwright::scene::images::decode_png(data, 1 << 20).unwrap(),
        other @ ImageSource::External { .. } => panic!("{other:?}"),
    };
    let colors = pixels.data.chunks_exact(pixels.format.channels()).map(|pixel| [pixel[1], pixel[2]]);
    assert_eq!(colors.collect::<Vec<_>>(), [[50, 200], [60, 10]]);
}

const ROOM: &str = "{\n\"classname\" \"worldspawn\"\n{\n( -64 -64 -16 ) ( -64 -63 -16 ) ( -64 -64 -15 ) a 0 0 0 1 1\n\
    ( -64 -64 -16 ) ( -64 -64 -15 ) ( -63 -64 -16 ) a 0 0 0 1 1\n\
    ( -64 -64 -16 ) ( -63 -64 -16 ) ( -64 -63 -16 ) a 0 0 0 1 1\n\
    ( 64 64 16 ) ( 64 65 16 ) ( 65 64 16 ) a 0 0 0 1 1\n\
    ( 64 64 16 ) ( 65 64 16 ) ( 64 64 17 ) a 0 0 0 1 1\n\
    ( 64 64 16 ) ( 64 64 17 ) ( 64 65 16 ) a 0 0 0 1 1\n}\n}\n\
    {\n\"classname\" \"info_player_start\"\n\"origin\" \"0 0 32\"\n}\n";

#[test]
fn a_unit_of_a_quake_map_is_a_unit_of_a_source_2_map() {
    /// The extent of all meshes and brushes, and the positions of the entity, in whole units.
    fn places(file: &[u8]) -> ([[f64; 3]; 2], Vec<[f64; 3]>) {
        let bounds =
            mapwright::info::SceneInfo::new(&scene(&to(file, Format::Obj).0), mapwright::scene::AxisChange::NONE)
                .bounds
                .unwrap();
        let scene = scene(file);
        let entities = scene.walk().filter(|visit| match visit.node.content {
            Content::Entity(id) => scene.entities[id].class == "info_player_start",
            _ => false,
        });
        let origins = entities.map(|visit| visit.world.origin().map(f64::round)).collect();
        (bounds.map(|point| point.map(f64::round)), origins)
    }
    let before = places(ROOM.as_bytes());
    let (vmap, losses) = to(ROOM.as_bytes(), Format::Vmap);
    assert!(losses.iter().any(|loss| loss.starts_with("approximated: metres_per_unit")), "{losses:?}");
    let map = scene(&vmap);
    assert_eq!(places(&vmap), before);
    assert!(map.walk().all(|visit| visit.node.transform.to_trs().is_none_or(|(.., scale)| scale == [1.0; 3])));
    let (back, _) = to(&vmap, Format::Map);
    assert_eq!(places(&back), before);
}

#[test]
fn only_formats_with_a_rescue_are_rescued() {
    let (wings, _) = to(&glb(&square()), Format::Wings);
    let damaged = &wings[..wings.len() - 3];
    assert!(AnyDocument::from_bytes(damaged).is_err());
    let rescued = rescue(damaged, Format::Wings, &ReadOptions::default()).unwrap();
    assert_eq!(scene(&rescued.document.to_bytes().unwrap()), scene(&wings));
    assert!(!rescued.lost.is_empty());
    let error = rescue(ROOM.as_bytes(), Format::Map, &ReadOptions::default()).unwrap_err().to_string();
    let rescuable = Format::ALL.iter().filter(|format| format.is_rescuable());
    let names: Vec<&str> = rescuable.map(|format| format.info().name).collect();
    assert!(error.ends_with(&format!("supported: {}", names.join(", "))), "{error}");
}

#[test]
fn empty_results_name_the_loss_of_the_content_that_would_be_seen() {
    // An open mesh is no brush. The light has a loss of its own, which is not the reason.
    let mut open = square();
    let light = open.lights.push(Light { intensity: 5.0, ..Light::default() });
    open.add_node(None, Node::new("lamp", Content::Light(light)));
    for format in [Format::Map, Format::Wmp] {
        let document = AnyDocument::from_bytes(&glb(&open)).unwrap();
        let error = convert(document, format, &NoFiles, &ConvertOptions::default()).unwrap_err().to_string();
        assert!(
            error.contains("contains meshes (")
                && error.contains("clos")
                && error.ends_with("store meshes, but not these"),
            "{error}"
        );
    }
}

#[test]
fn images_that_are_missing_have_one_line_in_each_target() {
    let mut scene = square();
    let source = ImageSource::External { path: "missing.png".into() };
    let image = scene.images.push(Image { name: "missing".into(), source });
    scene.materials[MaterialId::new(0)].textures.push(TextureSlot::new(TextureUsage::BaseColor, image));
    let options = gltf::ExportOptions::default().with_container(gltf::Container::Gltf);
    let gltf = gltf::from_scene(&scene, &NoFiles, &options).unwrap().document;
    let files = |name: &str| gltf.side.iter().find(|file| file.name == name).map(|file| file.data.clone());
    let import = gltf::to_scene(&gltf.main, &files, &gltf::ImportOptions::default()).unwrap();
    let document = |format| {
        let import = import.clone();
        AnyDocument::from(SceneFile { format, import, side_files: Vec::new(), has_shading: true, no_data: None })
    };
    for (format, expected) in [
        (Format::Obj, "preserved: images[0]: image \"missing.png\": not read, its path is preserved"),
        (Format::Glb, "dropped: images[0]: image \"missing.png\": "),
    ] {
        let losses = convert(document(Format::Gltf), format, &NoFiles, &ConvertOptions::default()).unwrap().losses;
        let lines: Vec<String> =
            losses.iter().map(ToString::to_string).filter(|line| line.contains("missing")).collect();
        assert!(lines.len() == 1 && lines[0].starts_with(expected), "{format}: {lines:?}");
    }
}

#[test]
fn positions_beyond_single_precision_are_reported() {
    let obj = b"v 0 0 0\nv 1e45 0 0\nv 0 1 0\nf 1 2 3\n";
    let (_, losses) = to(obj, Format::Vmap);
    let text = "approximated: meshes[0]: positions out of range for single precision, limited to 3.4e38";
    assert!(losses.iter().any(|loss| loss == text), "{losses:?}");
    let error = convert(AnyDocument::from_bytes(obj).unwrap(), Format::Glb, &NoFiles, &ConvertOptions::default());
    assert!(error.unwrap_err().to_string().starts_with("1e45 is out of range for the format"));
}

#[test]
fn data_that_conversions_cannot_keep_is_no_fault_of_the_file() {
    let triangle = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";
    let severities = |rest: &str| {
        let document = AnyDocument::from_bytes(format!("{triangle}{rest}").as_bytes()).unwrap();
        let findings = document.validate();
        assert!(findings.iter().all(|finding| finding.code == "import-loss"), "{findings:?}");
        findings.iter().map(|finding| finding.severity.name()).collect::<Vec<_>>()
    };
    assert_eq!(severities("l 1 2\np 1\n"), ["note", "note"]);
    assert_eq!(severities("f 1 2 9\n"), ["warning"]);
}

//! Written files byte for byte, and reported losses.

use mapwright_interchange::{Category, obj};
use mapwright_scene::Files;
use mapwright_scene::*;

fn export(scene: &Scene) -> Export<Files> {
    obj::from_scene(scene, &obj::ExportOptions::default()).unwrap()
}

/// Returns the text after the header.
fn text(export: &Export<Files>) -> &str {
    std::str::from_utf8(&export.document.main).unwrap().split_once('\n').unwrap().1
}

fn square() -> Mesh {
    Mesh {
        name: "Square".into(),
        positions: vec![[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [1.0, 1e-17, -1.0], [0.0, 0.1, -1.0]],
        faces: [[0, 1, 2, 3]].into_iter().collect(),
        ..Mesh::default()
    }
}

fn scene_of(mesh: Mesh) -> Scene {
    let mut scene = Scene::default();
    let name = mesh.name.clone();
    let mesh = scene.meshes.push(mesh);
    scene.add_node(None, Node::new(name, Content::Mesh(mesh)));
    scene
}

fn mesh(scene: &mut Scene) -> &mut Mesh {
    scene.meshes.get_mut(Id::new(0)).unwrap()
}

#[test]
fn a_plain_mesh() {
    let export = export(&scene_of(square()));
    assert_eq!(
        text(&export),
        "o Square\nv 0.0 0.0 0.0\nv 1.0 0.0 0.0\nv 1.0 1e-17 -1.0\nv 0.0 0.1 -1.0\ns 1\nf 1 2 3 4\n"
    );
    assert_eq!((export.losses.items, export.document.side), (vec![], vec![]));
}

#[test]
fn transforms_are_applied_and_mirrors_turn_faces_over() {
    let mut scene = scene_of(square());
    let node = scene.nodes.get_mut(Id::new(0)).unwrap();
    node.transform =
        Transform::Trs { translation: [10.0, 0.0, 0.0], rotation: [0.0, 0.0, 0.0, 1.0], scale: [-1.0, 2.0, 1.0] };
    let export = export(&scene);
    assert!(text(&export).contains("v 9.0 0.0 0.0\n") && text(&export).ends_with("f 1 4 3 2\n"), "{}", text(&export));
    assert_eq!(export.losses.count(LossKind::Approximated), 1);
}

#[test]
fn hidden_nodes_and_unshown_meshes_are_left_out() {
    let mut scene = scene_of(square());
    let hidden = scene.add_node(None, Node { visible: false, ..Node::new("Hidden", Content::Mesh(Id::new(0))) });
    scene.add_node(Some(hidden), Node::new("Below", Content::Mesh(Id::new(0))));
    scene.add_node(None, Node { locked: true, ..Node::new("Locked", Content::Mesh(Id::new(0))) });
    scene.meshes.push(square());
    let export = export(&scene);
    let objects: Vec<&str> = text(&export).lines().filter(|line| line.starts_with("o ")).collect();
    assert_eq!(objects, ["o Square", "o Locked"]);
    assert!(text(&export).ends_with("f 5 6 7 8\n"));
    let losses: Vec<String> = export.losses.iter().map(ToString::to_string).collect();
    for loss in
        ["nodes[1]: hidden node", "nodes[2]: \"Below\" is below", "nodes[3]: lock", "meshes[1]: no visible node"]
    {
        assert!(losses.iter().any(|line| line.contains(loss)), "{loss}: {losses:#?}");
    }
    let reversed = obj::ExportOptions::default().with_order(obj::ObjectOrder::Reversed);
    let export = obj::from_scene(&scene, &reversed).unwrap();
    assert!(text(&export).starts_with("o Locked\n"));
}

#[test]
fn partly_mapped_faces_lose_their_coordinates() {
    let mut scene = scene_of(square());
    mesh(&mut scene).faces.push(&[0, 2, 3]);
    let uv = |u: f64| Some([u, 0.25]);
    let corners = vec![uv(0.0), uv(1.0), uv(0.0), None, uv(0.5), uv(0.5), uv(0.0)];
    mesh(&mut scene).uv_sets = vec![UvSet { corners: corners.into_iter().collect(), ..UvSet::default() }];
    let export = export(&scene);
    // Turned over from the top left; equal rows once.
    assert!(text(&export).contains("vt 0.5 0.75\nvt 0.0 0.75\ns 1\nf 1 2 3 4\nf 1/1 3/1 4/2\n"), "{}", text(&export));
    assert!(export.losses.iter().any(|loss| loss.text.contains("parts of faces")));
}

#[test]
fn colours_are_those_of_vertices() {
    let mut scene = scene_of(square());
    mesh(&mut scene).faces.push(&[0, 2, 3]);
    let (red, grey) = (Some([1.0, 0.0, 0.0, 1.0]), Some([0.1, 0.1, 0.1, 1.0]));
    let corners = [red, grey, grey, None, grey, grey, None].into_iter().collect();
    mesh(&mut scene).color_sets = vec![ColorSet { corners, ..ColorSet::default() }];
    let export = export(&scene);
    let lines: Vec<&str> = text(&export).lines().filter(|line| line.starts_with("v ")).collect();
    assert_eq!(lines[0], "v 0.0 0.0 0.0 0.55 0.05 0.05");
    assert_eq!(lines[1], "v 1.0 0.0 0.0 0.1 0.1 0.1");
    assert_eq!(lines[3], "v 0.0 0.1 -1.0 1.0 1.0 1.0");
    let texts: Vec<&str> = export.losses.iter().map(|loss| loss.text.as_str()).collect();
    assert_eq!(texts, ["colours differ at the corners of one vertex: their mean", "corners without a colour: white"]);
}

#[test]
fn normals_where_edges_differ() {
    let options = obj::ExportOptions::default();
    let count = |scene: &Scene, options: obj::ExportOptions| {
        let export = obj::from_scene(scene, &options).unwrap();
        (text(&export).matches("vn ").count(), text(&export).contains("s off"), export.losses.len())
    };
    let mut scene = scene_of(square());
    assert_eq!(count(&scene, options.clone().with_normals(obj::Normals::Always)), (1, false, 0));
    mesh(&mut scene).smoothing = Smoothing::Flat;
    assert_eq!(count(&scene, options.clone()), (0, true, 0));
    // With normals, all edges cannot be marked as hard.
    assert_eq!(count(&scene, options.clone().with_normals(obj::Normals::Always)), (1, false, 1));
    mesh(&mut scene).normals = Some(CornerColumn::filled(Some([0.0, 1.0, 0.0]), 4));
    assert_eq!(count(&scene, options.clone()), (1, false, 1));
    mesh(&mut scene).normals = None;
    mesh(&mut scene).smoothing = Smoothing::Smooth;
    mesh(&mut scene).hard_edges = vec![[0, 1]];
    assert_eq!(count(&scene, options.clone()), (1, false, 1));
    assert_eq!(count(&scene, options.with_normals(obj::Normals::Never)), (0, false, 1));
}

#[test]
fn materials_and_images_are_separate_files() {
    let mut scene = scene_of(square());
    let pixels = Pixels { width: 1, height: 1, format: PixelFormat::Rgb8, data: vec![1, 2, 3] };
    let wood = scene.images.push(Image { name: "wo/od".into(), source: ImageSource::Pixels(pixels) });
    let far =
        scene.images.push(Image { name: String::new(), source: ImageSource::External { path: "c:\\x y.tga".into() } });
    let mut material = Material {
        base_color: [1.0, 0.5, 0.25, 0.5],
        metallic: 0.5,
        roughness: 0.25,
        alpha: AlphaMode::Blend,
        ..Material::new("red")
    };
    material.textures.push(TextureSlot::new(TextureUsage::BaseColor, wood));
    material.textures.push(TextureSlot { strength: 0.5, ..TextureSlot::new(TextureUsage::Bump, far) });
    material.textures.push(TextureSlot::new(TextureUsage::Occlusion, wood));
    scene.materials.push(material.clone());
    let second = scene.materials.push(Material { textures: Vec::new(), ..material });
    mesh(&mut scene).faces.push(&[0, 1, 2]);
    mesh(&mut scene).face_materials = vec![Some(second), None];
    let export = obj::from_scene(&scene, &obj::ExportOptions::default().with_name("a b")).unwrap();
    assert!(text(&export).starts_with("mtllib a b.mtl\no Square\n"));
    assert!(text(&export).ends_with("s 1\nusemtl red_2\nf 1 2 3 4\nusemtl none\nf 1 2 3\n"), "{}", text(&export));
    let names: Vec<&str> = export.document.side.iter().map(|file| file.name.as_str()).collect();
    assert_eq!(names, ["a b.mtl", "wo_od.png"]);
    let library = std::str::from_utf8(&export.document.side[0].data).unwrap();
    assert_eq!(
        library,
        "# Exported by mapwright\n\nnewmtl red\nKd 1.0 0.5 0.25\nKa 0.0 0.0 0.0\nKs 0.55 0.3 0.175\nKe 0.0 0.0 0.0\n\
         Ns 75.0\nd 0.5\nPm 0.5\nPr 0.25\nillum 2\nmap_Kd wo_od.png\nmap_Bump -bm 0.5 c:\\x y.tga\n\
         \nnewmtl red_2\nKd 1.0 0.5 0.25\nKa 0.0 0.0 0.0\nKs 0.55 0.3 0.175\nKe 0.0 0.0 0.0\nNs 75.0\nd 0.5\nPm 0.5\nPr 0.25\nillum 2\n"
    );
    for loss in ["occlusion texture", "the name \"red\" is renamed to \"red_2\"", "the image \"wo/od\" is renamed to"] {
        assert!(export.losses.iter().any(|item| item.text.contains(loss)), "{loss}: {:#?}", export.losses);
    }
}

#[test]
fn broken_scenes_are_rejected() {
    let mut scene = scene_of(square());
    mesh(&mut scene).faces.push(&[0, 1, 9]);
    let error = obj::from_scene(&scene, &obj::ExportOptions::default()).unwrap_err();
    assert_eq!((error.category(), &*error.path().to_string()), (Category::Malformed, "meshes[0].faces"));
    let mut scene = scene_of(square());
    mesh(&mut scene).positions[0] = [f64::MAX; 3];
    scene.nodes.get_mut(Id::new(0)).unwrap().transform = Transform::translation([f64::MAX; 3]);
    assert_eq!(obj::from_scene(&scene, &obj::ExportOptions::default()).unwrap_err().path(), "nodes[0]");
}

#[test]
fn names_of_images_are_names_of_files() {
    let name_of = |names: &[&str]| -> Vec<String> {
        let mut scene = scene_of(square());
        let mut material = Material::new("m");
        for name in names {
            let pixels = Pixels { width: 1, height: 1, format: PixelFormat::L8, data: vec![0] };
            let image = scene.images.push(Image { name: (*name).into(), source: ImageSource::Pixels(pixels) });
            material.textures.push(TextureSlot::new(TextureUsage::BaseColor, image));
        }
        scene.materials.push(material);
        let export = export(&scene);
        let back = obj::to_scene(&export.document.main, &export.document, &obj::ImportOptions::default()).unwrap();
        let pixels = back.scene.images.iter().all(|(_, image)| matches!(image.source, ImageSource::Pixels(_)));
        assert!(pixels && back.scene.images.len() == names.len(), "{names:?}: all are found again");
        export.document.side[1..].iter().map(|file| file.name.clone()).collect()
    };
    assert_eq!(name_of(&["-clamp", "..x", "-"]), ["clamp.png", "x.png", "image.png"]);
    assert_eq!(name_of(&["A", "a", "a.png"]), ["A.png", "a_2.png", "a_3.png"]);
    assert_eq!(name_of(&["con", "NUL.x", "com7", "comma"]), ["_con.png", "_NUL.x.png", "_com7.png", "comma.png"]);
    let long = name_of(&[&"\u{5b57}".repeat(100), &"\u{5b57}".repeat(101)]);
    assert_eq!(long.iter().map(String::len).collect::<Vec<_>>(), [124, 126]);
}

#[test]
fn only_lost_settings_of_textures_are_losses() {
    let losses = |usage, wrap, strength| {
        let mut scene = scene_of(square());
        let image =
            scene.images.push(Image { name: String::new(), source: ImageSource::External { path: "a.png".into() } });
        let slot = TextureSlot { wrap, strength, ..TextureSlot::new(usage, image) };
        scene.materials.push(Material { textures: vec![slot], ..Material::new("m") });
        export(&scene).losses.iter().map(ToString::to_string).collect::<Vec<_>>()
    };
    assert_eq!(losses(TextureUsage::Bump, [Wrap::Clamp; 2], 0.5), [""; 0]);
    assert_eq!(
        losses(TextureUsage::BaseColor, [Wrap::Clamp, Wrap::Mirror], 0.5),
        [
            "approximated: materials[0]: map_Kd: repeated beyond the edge along u and v",
            "dropped: materials[0]: strength of map_Kd"
        ]
    );
}

#[test]
fn lights_and_cameras_have_no_vertices() {
    let mut scene = scene_of(square());
    let transform = Transform::translation([1.0, 2.0, 3.0]);
    let (light, camera) = (scene.lights.push(Light::default()), scene.cameras.push(Camera::default()));
    for content in [Content::Light(light), Content::Camera(camera)] {
        scene.add_node(None, Node { transform, ..Node::new("", content) });
    }
    let losses: Vec<String> = export(&scene).losses.iter().map(ToString::to_string).collect();
    assert_eq!(losses, ["dropped: lights[0]: point light", "dropped: cameras[0]: camera"]);
}

#[test]
fn copies_of_meshes_are_limited() {
    let mut scene = scene_of(square());
    for _ in 0..100 {
        scene.add_node(None, Node::new("copy", Content::Mesh(Id::new(0))));
    }
    let error = obj::from_scene(&scene, &obj::ExportOptions::default().with_max_bytes(1000)).unwrap_err();
    assert_eq!((error.category(), &*error.path().to_string()), (Category::Limit, ""));
    assert!(obj::from_scene(&scene, &obj::ExportOptions::default()).is_ok());
}

#[test]
fn no_name_breaks_a_line_in_any_reader() {
    let breaks = ["\n", "\r", "\x0b", "\x0c", "\x1c", "\u{85}", "\u{2028}", "\u{2029}"];
    let name = breaks.map(|end| format!("a{end}v 1 2 3")).concat();
    let mut scene = Scene::default();
    let material = scene.materials.push(Material::new(name.clone()));
    let positions = vec![[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
    let faces = [[0, 1, 2]].into_iter().collect();
    let mesh = Mesh { name: name.clone(), positions, faces, face_materials: vec![Some(material)], ..Mesh::default() };
    let mesh = scene.meshes.push(mesh);
    scene.add_node(None, Node::new(name, Content::Mesh(mesh)));
    let export = obj::from_scene(&scene, &obj::ExportOptions::default()).unwrap();
    let written = "a_v 1 2 3".repeat(breaks.len());
    let library = std::str::from_utf8(&export.document.side[0].data).unwrap();
    assert!(text(&export).contains(&format!("\no {written}\n")), "{}", text(&export));
    assert!(
        text(&export).contains(&format!("\nusemtl {written}\n")) && library.contains(&format!("\nnewmtl {written}\n"))
    );
    for end in &breaks[1..] {
        assert!(!text(&export).contains(end) && !library.contains(end), "{end:?}");
    }
    let approximated = export.losses.iter().filter(|loss| loss.text.contains("is renamed to"));
    assert_eq!(approximated.count(), 2, "{:?}", export.losses);
}

#[test]
fn hidden_faces_do_not_tilt_written_normals() {
    let mut mesh = square();
    mesh.positions.push([0.5, 1.0, 0.0]);
    mesh.faces.push(&[1, 0, 4]);
    assert!(!text(&export(&scene_of(mesh.clone()))).contains("vn "));
    mesh.face_flags = vec![FaceFlags::NONE, FaceFlags::HIDDEN];
    let normals = mesh.corner_normals();
    let export = export(&scene_of(mesh));
    let back = obj::to_scene(&export.document.main, &export.document, &obj::ImportOptions::default()).unwrap().scene;
    let found = back.meshes.items()[0].corner_normals();
    assert!(
        found.iter().flatten().flatten().zip(normals.iter().flatten().flatten()).all(|(a, b)| (a - b).abs() < 1e-6),
        "{found:?}"
    );
}

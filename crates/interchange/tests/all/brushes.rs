//! Brushes in formats that have none.
#![cfg(all(feature = "gltf", feature = "obj"))]

use mapwright_interchange::{brushes_to_meshes, gltf, obj};
use mapwright_scene::NoFiles;
use mapwright_scene::*;

/// A box from its planes; the sides facing up and down have a material of their own.
fn cuboid(half: f64, top: MaterialId, round: MaterialId, local: bool) -> Brush {
    let plain = |axis: usize, sign: f64| {
        let mut points = [[0.0; 3]; 3];
        for (point, [a, b]) in points.iter_mut().zip([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]]) {
            point[axis] = half * sign;
            point[(axis + 1) % 3] = a * sign;
            point[(axis + 2) % 3] = b;
        }
        let mut normal = [0.0; 3];
        normal[axis] = sign;
        BrushSide {
            plane: points,
            corners: Vec::new(),
            projection: TextureProjection { local, ..TextureProjection::on_base_axes(normal) },
            material: Some(if axis == 1 { top } else { round }),
            properties: [("flags", 7)].into_iter().collect(),
        }
    };
    let sides = (0..3).flat_map(|axis| [plain(axis, 1.0), plain(axis, -1.0)]).collect();
    Brush { name: "crate".into(), sides, properties: [("detail", 1)].into_iter().collect(), ..Brush::default() }
}

/// Two boxes: one shown where it is, one twice elsewhere. Behind them brushes that are none.
fn scene() -> Scene {
    let mut scene = Scene { metres_per_unit: Some(1.0 / 32.0), ..Scene::default() };
    let wood = scene.materials.push(Material { texture_size: Some([32, 16]), ..Material::new("wood") });
    let pixels = Pixels { width: 8, height: 4, format: PixelFormat::L8, data: vec![9; 32] };
    let image = scene.images.push(Image { name: "iron".into(), source: ImageSource::Pixels(pixels) });
    let textures = vec![TextureSlot::new(TextureUsage::BaseColor, image)];
    let iron = scene.materials.push(Material { textures, ..Material::new("iron") });
    let rock = scene.materials.push(Material::new("rock"));
    let fixed = scene.brushes.push(cuboid(8.0, wood, iron, false));
    let moved = scene.brushes.push(cuboid(4.0, wood, rock, true));
    let mut open = cuboid(1.0, wood, iron, false);
    open.sides.pop();
    let open = scene.brushes.push(open);
    scene.brushes.push(cuboid(1.0, wood, iron, false));
    let mut more = cuboid(2.0, wood, iron, false);
    let mut nowhere = more.sides[0].clone();
    nowhere.plane.iter_mut().for_each(|point| point[0] = 50.0);
    more.sides.push(nowhere);
    let more = scene.brushes.push(more);
    let at = |x: f64| Transform::translation([x, 0.0, 0.0]);
    let group = scene.add_node(None, Node::new("group", Content::Group));
    for (name, brush, x) in
        [("a", fixed, 0.0), ("b", moved, 32.0), ("c", moved, 64.0), ("d", open, 0.0), ("e", more, 96.0)]
    {
        scene.add_node(Some(group), Node { transform: at(x), ..Node::new(name, Content::Brush(brush)) });
    }
    scene
}

fn texts(losses: &Losses) -> Vec<String> {
    losses
        .iter()
        .map(ToString::to_string)
        .filter(|text| text.contains("brush") || text.contains("side") || text.contains("texels"))
        .collect()
}

const LOST: [&str; 5] = [
    "dropped: brushes[0]: side properties flags of \"crate\"",
    "synthesized: materials[2]: texture coordinates: size of 1 texture in texels unknown, assumed: 64 × 64",
    "dropped: brushes[2]: a brush without a body: the sides do not enclose a bounded space",
    "dropped: brushes[4].sides[6]: a side that other sides clip away",
    "dropped: brushes[3]: no visible node has this brush",
];

#[test]
fn gltf_has_a_mesh_for_each() {
    let scene = scene();
    let export = gltf::from_scene(&scene, &NoFiles, &gltf::ExportOptions::default()).unwrap();
    let losses = texts(&export.losses);
    assert!(losses.contains(&"approximated: brushes[0]: brush of \"crate\": as a mesh".to_owned()), "{losses:?}");
    assert!(LOST.iter().all(|lost| losses.iter().any(|loss| loss == lost)), "{losses:#?}");
    assert!(!losses.iter().any(|loss| loss.contains("meshes[") || loss.contains("detail")), "{losses:#?}");
    let back = gltf::to_scene(&export.document.main, &NoFiles, &gltf::ImportOptions::default()).unwrap().scene;
    assert_eq!((back.meshes.len(), back.nodes.len()), (3, 6));
    let mesh = &back.meshes.items()[0];
    assert_eq!((&*mesh.name, mesh.positions.len(), mesh.faces.len(), mesh.volume()), ("crate", 8, 6, 4096.0));
    assert!(
        mesh.is_closed()
            && mesh.corner_normals().iter().flatten().all(|n| n.iter().filter(|c| **c == 0.0).count() == 2)
    );
    assert_eq!(mesh.properties.get("detail"), Some(&Value::Int(1)));
    // The two that are the same mesh.
    let shown = |name: &str| back.nodes.items().iter().find(|node| node.name == name).unwrap().content.clone();
    assert!(shown("b") == shown("c") && shown("a") != shown("b") && shown("d") == Content::Group);
    let of = |material: &str| back.materials.iter().find(|(_, it)| it.name == material).unwrap().0;
    // Texels by the size of the texture, in the space of the scene.
    for (face, ring) in mesh.faces.iter().enumerate() {
        let [width, height] = if mesh.face_material(face) == Some(of("wood")) { [32.0, 16.0] } else { [8.0, 4.0] };
        let [u, v] = TextureProjection::base_axes(mesh.face_normal(face).unwrap());
        for (corner, &vertex) in mesh.faces.corner_range(face).unwrap().zip(ring) {
            let along = |axis: [f64; 3]| transform::dot(axis, mesh.positions[vertex as usize]);
            assert_eq!(mesh.uv_sets[0].corners.get(corner), Some([along(u) / width, along(v) / height]));
        }
    }
}

#[test]
fn obj_has_an_object_for_each() {
    let export = obj::from_scene(&scene(), &obj::ExportOptions::default()).unwrap();
    let losses = texts(&export.losses);
    assert!(LOST.iter().all(|lost| losses.iter().any(|loss| loss == lost)), "{losses:#?}");
    let back = obj::to_scene(&export.document.main, &export.document, &obj::ImportOptions::default()).unwrap().scene;
    let names: Vec<&str> = back.nodes.items().iter().map(|node| &*node.name).collect();
    assert_eq!(names, ["a", "b", "c", "e"]);
    assert!(back.meshes.items().iter().all(|mesh| mesh.is_closed() && mesh.smoothing == Smoothing::Flat));
    assert_eq!(back.meshes.items()[2].positions.iter().map(|p| p[0]).fold(0.0, f64::max), 68.0);
}

#[test]
fn images_stay_with_their_materials() {
    let image = scene().images.items()[0].source.clone();
    let shown = |scene: &Scene| {
        let iron = scene.materials.items().iter().find(|material| material.name == "iron").unwrap();
        let slot = iron.texture(&TextureUsage::BaseColor).unwrap();
        (scene.brushes.len(), scene.images[slot.image].source.clone())
    };
    let export = gltf::from_scene(&scene(), &NoFiles, &gltf::ExportOptions::default()).unwrap();
    let back = gltf::to_scene(&export.document.main, &NoFiles, &gltf::ImportOptions::default()).unwrap();
    assert_eq!(shown(&back.scene), (0, image.clone()));
    let files = obj::from_scene(&scene(), &obj::ExportOptions::default()).unwrap().document;
    assert!(files.side.iter().any(|file| file.name == "iron.png"));
    let mut meshed = scene();
    brushes_to_meshes(&mut meshed);
    assert_eq!(shown(&meshed), (0, image));
}

#[test]
fn errors_name_the_brush() {
    let mut scene = scene();
    for side in &mut scene.brushes.get_mut(Id::new(0)).unwrap().sides {
        side.plane.iter_mut().flatten().for_each(|c| *c *= 1e39);
    }
    let error = gltf::from_scene(&scene, &NoFiles, &gltf::ExportOptions::default()).unwrap_err();
    assert_eq!(error.path(), "brushes[0].positions");
}

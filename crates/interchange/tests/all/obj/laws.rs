//! Out and in again: the same scene, up to the reported losses.

use mapwright_interchange::obj;
use mapwright_scene::*;
use mapwright_testkit::with_long_names;
use proptest::{collection::vec, option, prelude::*};

fn round_trip(scene: &Scene) -> (Import, Losses) {
    let export = obj::from_scene(scene, &obj::ExportOptions::default()).unwrap();
    (obj::to_scene(&export.document.main, &export.document, &obj::ImportOptions::default()).unwrap(), export.losses)
}

/// A number of the kinds that real files have.
fn number() -> BoxedStrategy<f64> {
    prop_oneof![(-20_i8..20).prop_map(f64::from), -1e3..1e3, prop::num::f64::NORMAL.prop_map(|x| x % 1e6)].boxed()
}

/// A scene that OBJ can hold whole, but for hard edges that no normal shows and colours that differ at a vertex.
fn scene() -> BoxedStrategy<Scene> {
    let material = (vec(0.0..=1.0, 8), any::<bool>());
    (vec(mesh(), 0..4), vec(material, 3))
        .prop_map(|(meshes, materials)| {
            let mut scene = Scene::default();
            let pixels = Pixels { width: 1, height: 2, format: PixelFormat::Rgba8, data: (0..8).collect() };
            let image =
                scene.images.push(Image { name: "image 1".replace(' ', "_"), source: ImageSource::Pixels(pixels) });
            for (index, (numbers, textured)) in materials.into_iter().enumerate() {
                let [r, g, b, opacity, metallic, roughness, glow, _] = numbers[..] else { unreachable!() };
                let mut material = Material {
                    base_color: [r, g, b, opacity],
                    metallic,
                    roughness,
                    emissive: [glow, 0.0, glow, 1.0],
                    alpha: if opacity < 1.0 { AlphaMode::Blend } else { AlphaMode::Opaque },
                    ..Material::new(format!("material {index}"))
                };
                if textured || index == 0 {
                    material.textures.push(TextureSlot::new(TextureUsage::BaseColor, image));
                }
                scene.materials.push(material);
            }
            for mesh in meshes {
                let name = mesh.name.clone();
                let mesh = scene.meshes.push(mesh);
                scene.add_node(None, Node::new(name, Content::Mesh(mesh)));
            }
            scene
        })
        .boxed()
}

fn mesh() -> BoxedStrategy<Mesh> {
    let positions = vec(prop::array::uniform3(number()), 6..10);
    let ring = Just((0_u32..6).collect::<Vec<_>>()).prop_shuffle();
    let face = (ring, 3_usize..=6, option::of(0_u32..3), any::<bool>());
    let colors = option::of(vec(prop::array::uniform3(0.0_f32..=1.0), 10));
    (
        with_long_names("[a-zåж][a-z 0-9\u{1f600}#/]{0,6}[a-z]"),
        positions,
        vec(face, 0..6),
        colors,
        any::<bool>(),
        prop::array::uniform2(number()),
    )
        .prop_map(|(name, positions, faces, colors, flat, [u, v])| {
            let mut mesh = Mesh { name, positions, ..Mesh::default() };
            let mut uvs = Vec::new();
            for (ring, count, material, mapped) in faces {
                mesh.faces.push(&ring[..count]);
                mesh.face_materials.push(material.map(Id::new));
                uvs.extend((0..count).map(|i| mapped.then_some([u + i as f64, v])));
            }
            if mesh.face_materials.iter().all(Option::is_none) {
                mesh.face_materials.clear();
            }
            if uvs.iter().any(Option::is_some) {
                mesh.uv_sets = vec![UvSet {
                    name: String::new(),
                    origin: UvOrigin::LowerLeft,
                    corners: uvs.into_iter().collect(),
                }];
            }
            if let Some(colors) = colors.filter(|_| !mesh.faces.is_empty()) {
                let of = |&vertex: &u32| colors.get(vertex as usize).map(|&[r, g, b]| [r, g, b, 1.0]);
                mesh.color_sets =
                    vec![ColorSet { name: String::new(), corners: mesh.faces.corners().iter().map(of).collect() }];
            }
            // A mesh without faces has no smoothing group.
            if flat || mesh.faces.is_empty() {
                mesh.smoothing = Smoothing::Flat;
            }
            mesh
        })
        .boxed()
}

proptest! {
    #[test]
    fn supported_scenes_come_back_equal(scene in scene()) {
        let (back, losses) = round_trip(&scene);
        // The materials of the strategy ignore vertex colours.
        let is_shown = |loss: &Loss| loss.text == "ignored vertex colours: shown by other programs";
        prop_assert!(losses.iter().all(is_shown), "{:#?}", losses);
        // Colours in the file mean that they are seen.
        let mut expected = scene.clone();
        for (_, mesh) in scene.meshes.iter().filter(|(_, mesh)| !mesh.color_sets.is_empty()) {
            for id in mesh.face_materials.iter().flatten() {
                expected.materials.get_mut(*id).unwrap().vertex_colors = VertexColors::Multiply;
            }
        }
        prop_assert!(back.losses.is_empty(), "{:#?}", back.losses);
        prop_assert_eq!(back.scene, expected);
    }

    #[test]
    fn a_second_write_gives_the_same_bytes(scene in scene()) {
        let first = obj::from_scene(&scene, &obj::ExportOptions::default()).unwrap();
        let (back, _) = round_trip(&scene);
        let second = obj::from_scene(&back.scene, &obj::ExportOptions::default()).unwrap();
        prop_assert_eq!(first.document, second.document);
    }

    #[test]
    fn nothing_panics_on_any_text(text in "([vfosg]|vt|vn|usemtl|#|mtllib)( [-0-9./a]{0,5}){0,6}\\\\?(\r|\n|\r\n)") {
        let _ = obj::to_scene(text.repeat(3).as_bytes(), &|_: &str| Some(text.clone().into_bytes()), &obj::ImportOptions::default());
    }
}

/// The unit cube.
fn cube() -> Mesh {
    let positions = (0..8_u32).map(|i| [i & 1, i >> 1 & 1, i >> 2].map(f64::from)).collect();
    let faces = [[0, 1, 5, 4], [0, 2, 3, 1], [1, 3, 7, 5], [5, 7, 6, 4], [4, 6, 2, 0], [2, 6, 7, 3]];
    Mesh { name: "cube".into(), positions, faces: faces.into_iter().collect(), ..Mesh::default() }
}

#[test]
fn hard_edges_come_back_through_normals() {
    let mut mesh = cube();
    let mut edges: Vec<[u32; 2]> = mesh.edge_sides().iter().map(|side| side.vertices).collect();
    edges.dedup();
    for kept in 1..edges.len() {
        mesh.hard_edges = edges[..kept].to_vec();
        let mut scene = Scene::default();
        let id = scene.meshes.push(mesh.clone());
        scene.add_node(None, Node::new("cube", Content::Mesh(id)));
        let (back, losses) = round_trip(&scene);
        assert_eq!(losses.len(), 1);
        let back = &back.scene.meshes[Id::new(0)];
        // A hard edge that ends at two vertices with no other shows nowhere; all that shows comes back.
        assert!(back.hard_edges.iter().all(|edge| mesh.hard_edges.contains(edge)), "{kept}");
        assert_eq!(back.corner_normals(), mesh.corner_normals(), "{kept}");
        assert_eq!(back.normals, None);
    }
}

#[test]
fn flat_meshes_stay_flat() {
    let mut scene = Scene::default();
    for smoothing in [Smoothing::Flat, Smoothing::Smooth, Smoothing::Flat] {
        let id = scene.meshes.push(Mesh { smoothing, ..cube() });
        scene.add_node(None, Node::new("cube", Content::Mesh(id)));
    }
    let (back, losses) = round_trip(&scene);
    assert!(losses.is_empty() && back.losses.is_empty(), "{losses:?}");
    assert_eq!(back.scene, scene);
}

#[test]
fn holes_and_mirrors_are_written_as_they_are_seen() {
    let mut mesh = cube();
    mesh.mirror = Some(5);
    mesh.face_flags = vec![FaceFlags::NONE; 6];
    mesh.face_flags[1] = FaceFlags::HIDDEN;
    mesh.face_flags[2] = FaceFlags::HIDDEN.with(FaceFlags::HOLE);
    let mut scene = Scene::default();
    let id = scene.meshes.push(mesh);
    scene.add_node(None, Node::new("cube", Content::Mesh(id)));
    let (back, losses) = round_trip(&scene);
    let back = &back.scene.meshes[Id::new(0)];
    assert_eq!((back.positions.len(), back.faces.len()), (12, 8));
    let texts: Vec<&str> = losses.iter().map(|loss| loss.text.as_str()).collect();
    assert_eq!(
        texts,
        [
            "hidden faces of \"cube\": written like the others",
            "hole faces of \"cube\"",
            "virtual mirror of \"cube\": replaced by its reflection"
        ]
    );
}

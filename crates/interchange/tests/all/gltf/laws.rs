//! Written scenes come back equal, except for reported losses.

use mapwright_interchange::gltf::{Container, ExportOptions, ImportOptions, from_scene, to_scene};
use mapwright_scene::NoFiles;
use mapwright_scene::*;
use mapwright_testkit::with_long_names;
use proptest::{collection::vec, prelude::*};

use super::scenes::{cube, faithful, lossy};

fn back(scene: &Scene, options: &ExportOptions) -> (Scene, Losses, Losses) {
    let export = from_scene(scene, &NoFiles, options).unwrap();
    let import = to_scene(&export.document.main, &export.document, &ImportOptions::default()).unwrap();
    assert!(
        import.scene.validate().iter().all(|problem| problem.severity < Severity::Error),
        "{:?}",
        import.scene.validate()
    );
    (import.scene, export.losses, import.losses)
}

#[test]
fn faithful_scenes_come_back_equal_and_lose_nothing() {
    for (name, scene) in faithful() {
        for container in [Container::Glb, Container::Gltf] {
            let (again, lost, lost_again) = back(&scene, &ExportOptions::default().with_container(container));
            // Approximations for other programs come back unchanged.
            let is_lost = |loss: &&Loss| {
                !matches!(loss.kind, LossKind::Synthesized | LossKind::Preserved)
                    && !loss.text.contains("other programs")
            };
            assert_eq!(lost.iter().filter(is_lost).map(ToString::to_string).collect::<Vec<_>>(), [""; 0], "{name}");
            assert!(lost_again.is_empty(), "{name}: {lost_again:?}");
            assert_eq!(again, scene, "{name}");
        }
    }
}

#[test]
fn a_second_round_trip_changes_nothing() {
    for (name, scene) in lossy() {
        let (once, lost, _) = back(&scene, &ExportOptions::default());
        assert!(!lost.is_empty(), "{name}");
        let (twice, _, lost_again) = back(&once, &ExportOptions::default());
        assert!(lost_again.is_empty(), "{name}: {lost_again:?}");
        assert_eq!(twice, once, "{name}");
    }
}

#[test]
fn sheared_nodes_keep_their_shape() {
    let matrix = |[x, y, z]: [[f64; 3]; 3], [a, b, c]: [f64; 3]| {
        let column = |[a, b, c]: [f64; 3]| [a, b, c, 0.0];
        Transform::Matrix([column(x), column(y), column(z), [a, b, c, 1.0]])
    };
    let collapsed = matrix([[1.0, 2.0, 0.0], [2.0, 4.0, 0.0], [0.0, 0.0, 1.0]], [0.0, 1.0, 0.0]);
    let mirrored = matrix([[-2.0, 0.5, 0.0], [0.75, 3.0, 0.25], [0.0, -1.0, 1.0]], [4.0, 5.0, 6.0]);
    for transform in [collapsed, mirrored, matrix([[0.0; 3]; 3], [1.0, 2.0, 3.0])] {
        let mut scene = Scene::default();
        let mesh = scene.meshes.push(cube());
        let node = |name: &str, transform| Node { transform, ..Node::new(name, Content::Mesh(mesh)) };
        let parent = scene.add_node(None, node("parent", transform));
        scene.add_node(Some(parent), node("child", Transform::translation([7.0, 0.0, 0.0])));
        scene.add_node(Some(parent), node("sheared child", mirrored));
        let points = |scene: &Scene| {
            let mut points = Vec::new();
            for visit in scene.walk() {
                if let Content::Mesh(mesh) = visit.node.content {
                    let mesh = &scene.meshes[mesh];
                    let corners = mesh.faces.iter().flatten().map(|&vertex| mesh.positions[vertex as usize]);
                    points.extend(corners.map(|position| (visit.node.name.clone(), visit.world.point(position))));
                }
            }
            points
        };
        let (again, lost, _) = back(&scene, &ExportOptions::default());
        let lost: Vec<String> = lost.iter().map(ToString::to_string).filter(|loss| loss.contains("shear")).collect();
        let is_sheared = transform.to_trs().is_none() && transform.linear() != [[0.0; 3]; 3];
        let parents: &[_] = if is_sheared { &[0, 2] } else { &[2] };
        let expected = parents.iter().map(|index| {
            format!("approximated: nodes[{index}].transform: glTF has no shear: expressed by an additional node")
        });
        assert_eq!(lost, expected.collect::<Vec<_>>());
        let (before, after) = (points(&scene), points(&again));
        assert_eq!(before.len(), after.len());
        for ((name, expected), (found_name, found)) in before.into_iter().zip(after) {
            let near = expected.iter().zip(found).all(|(expected, found)| (expected - found).abs() < 1e-9);
            assert!(near && name == found_name, "{name} {expected:?}: {found_name} {found:?}");
        }
    }
}

#[test]
fn equal_scenes_give_equal_bytes() {
    for (name, scene) in faithful().into_iter().chain(lossy()) {
        let write = || from_scene(&scene.clone(), &NoFiles, &ExportOptions::default()).unwrap().document;
        assert_eq!(write(), write(), "{name}");
    }
}

/// Meshes whose numbers 32 bits hold, of faces that have no vertex twice.
fn mesh() -> BoxedStrategy<Mesh> {
    let number = || (-40_i8..40).prop_map(|n| f64::from(n) / 8.0);
    let positions = vec([number(), number(), number()], 3..12);
    let face = |vertices: usize| Just((0..u32::try_from(vertices).unwrap()).collect::<Vec<u32>>()).prop_shuffle();
    let faces = move |vertices: usize| vec((face(vertices), 3..8_usize, 0..3_u8, 0..8_u8), 1..8);
    positions
        .prop_flat_map(move |positions| (faces(positions.len()), Just(positions), name()))
        .prop_map(|(faces, positions, name)| {
            let mut mesh = Mesh { name, positions, ..Mesh::default() };
            let mut uv = UvSet::default();
            let mut colors = ColorSet::default();
            for (mut face, corners, material, flags) in faces {
                face.truncate(corners);
                mesh.faces.push(&face);
                mesh.face_materials.push((material > 0).then(|| MaterialId::new(u32::from(material) - 1)));
                mesh.face_flags.push(if flags == 0 { FaceFlags::HIDDEN } else { FaceFlags::NONE });
                for &vertex in &face {
                    uv.corners.push((flags % 2 == 0).then(|| [f64::from(vertex) / 4.0, f64::from(flags)]));
                    colors.corners.push((vertex % 3 != 0).then(|| [1.0, 0.25, 0.5, f32::from(flags) / 8.0]));
                }
                let [a, b] = [face[0].min(face[1]), face[0].max(face[1])];
                if flags == 3 {
                    mesh.hard_edges.push([a, b]);
                }
            }
            mesh.hard_edges.sort_unstable();
            mesh.hard_edges.dedup();
            mesh.uv_sets = vec![uv];
            mesh.color_sets = vec![colors];
            mesh
        })
        .boxed()
}

/// Returns the mesh as the reader creates it: without unused vertices and without columns of default values.
fn plain(mesh: &Mesh) -> Mesh {
    let mut used = mesh.faces.corners().to_vec();
    used.sort_unstable();
    used.dedup();
    let number = |vertex: u32| u32::try_from(used.binary_search(&vertex).unwrap_or(0)).unwrap();
    let mut plain = mesh.clone();
    plain.positions = used.iter().map(|&vertex| mesh.positions[vertex as usize]).collect();
    plain.faces.corners_mut().iter_mut().for_each(|vertex| *vertex = number(*vertex));
    plain.hard_edges.iter_mut().for_each(|edge| *edge = edge.map(number));
    if plain.face_materials.iter().all(Option::is_none) {
        plain.face_materials.clear();
    }
    if plain.face_flags.iter().all(|flags| flags.is_empty()) {
        plain.face_flags.clear();
    }
    plain
}

fn scene(mesh: Mesh, [first, second]: [&str; 2]) -> Scene {
    let mut scene = super::scenes::showing(mesh);
    scene.materials.push(Material { vertex_colors: VertexColors::Multiply, ..Material::new(first) });
    scene.materials.push(Material::new(second));
    scene
}

fn name() -> BoxedStrategy<String> {
    with_long_names("\\PC{0,8}")
}

proptest! {
    #[test]
    fn any_mesh_comes_back(mesh in mesh(), names in [name(), name()]) {
        let names = names.each_ref().map(String::as_str);
        let (again, _, lost_again) = back(&scene(mesh.clone(), names), &ExportOptions::default());
        prop_assert!(lost_again.is_empty(), "{lost_again:?}");
        let mut expected = plain(&mesh);
        // Materials that no face has are left out, which renumbers the others.
        let has = |index: u32| expected.face_materials.contains(&Some(MaterialId::new(index)));
        let has_first = has(0);
        if !has_first && has(1) {
            expected.face_materials.iter_mut().flatten().for_each(|material| *material = MaterialId::new(0));
        }
        prop_assert_eq!(&again.meshes.items()[0], &expected);
        let used = expected.face_materials.iter().flatten().max().map_or(0, |last| last.index() + 1);
        let expected = if used == 1 && !has_first { &names[1..] } else { &names[..used] };
        prop_assert_eq!(again.materials.items().iter().map(|material| &*material.name).collect::<Vec<_>>(), expected);
    }

    #[test]
    fn without_notes_the_surface_stays(mesh in mesh()) {
        let (again, _, _) = back(&scene(mesh.clone(), ["a", "b"]), &ExportOptions::default().with_polygons(false));
        let again = &again.meshes.items()[0];
        // Triangles of corners at one place only are left out.
        let triangles: usize = mesh.faces.iter().map(|face| face.len() - 2).sum();
        prop_assert!(again.faces.len() <= triangles);
        prop_assert!(again.faces.iter().all(|face| face.len() == 3));
    }
}

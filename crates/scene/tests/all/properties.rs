//! Properties of any mesh and any tree, valid or not.

use crate::strategies;

use mapwright_scene::*;
use proptest::prelude::*;
use strategies::{any_mesh, any_tree, sound_mesh};

proptest! {
    #[test]
    fn nothing_panics_on_any_mesh(mesh in any_mesh()) {
        let normals = mesh.corner_normals();
        prop_assert_eq!(normals.len(), mesh.faces.corner_count());
        mesh.surface().corner_normals();
        mesh.clone().reverse_winding();
        mesh.transformed(&Transform::translation([1.0, 2.0, 3.0]));
        let mut scene = Scene::default();
        scene.meshes.push(mesh);
        scene.validate();
        Capabilities::none().losses(&scene);
    }

    #[test]
    fn operations_keep_a_mesh_valid(mesh in sound_mesh()) {
        let mut turned = mesh.clone();
        turned.reverse_winding();
        for mesh in [&mesh, &turned, &mesh.freeze_mirror(), &mesh.surface(), &mesh.keep_faces(|face| face % 2 == 0)] {
            let mut scene = Scene::default();
            scene.meshes.push(mesh.clone());
            let broken: Vec<Finding> =
                scene.validate().into_iter().filter(|problem| problem.severity == Severity::Error).collect();
            prop_assert_eq!(broken, []);
            for normal in mesh.corner_normals().iter().flatten() {
                prop_assert!((normal.iter().map(|c| c * c).sum::<f64>() - 1.0).abs() < 1e-9);
            }
        }
        turned.reverse_winding();
        prop_assert_eq!(turned, mesh);
    }

    #[test]
    fn freezing_doubles_all_faces_except_the_mirror(mesh in sound_mesh()) {
        let frozen = mesh.freeze_mirror();
        let has_plane = mesh.mirror.is_some_and(|mirror| mesh.face_normal(mirror as usize).is_some());
        let expected = if has_plane { 2 * (mesh.faces.len() - 1) } else { mesh.faces.len() };
        prop_assert_eq!(frozen.faces.len(), expected);
    }

    #[test]
    fn walking_any_tree_ends_and_visits_each_node_once(scene in any_tree()) {
        let visits: Vec<NodeId> = scene.walk().map(|visit| visit.id).collect();
        let mut once = visits.clone();
        once.sort();
        once.dedup();
        prop_assert_eq!(visits.len(), once.len());
        let problems = scene.validate();
        if problems.is_empty() {
            // In a valid tree, parents come before their children, and children in order.
            let place = |id: NodeId| visits.iter().position(|&visit| visit == id);
            for (id, node) in scene.nodes.iter().filter(|(id, _)| place(*id).is_some()) {
                let children: Vec<_> = node.children.iter().map(|&child| place(child)).collect();
                prop_assert!(children.iter().all(|&child| child > place(id)));
                prop_assert!(children.is_sorted());
            }
        }
    }

    #[test]
    fn a_transform_equals_its_matrix(t in strategies::transform(), p in prop::array::uniform3(-10.0..10.0)) {
        let (a, b) = (t.point(p), Transform::Matrix(t.matrix()).point(p));
        prop_assert!(a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-9));
        let (translation, rotation, scale) = Transform::Matrix(t.matrix()).to_trs().unwrap();
        let c = Transform::Trs { translation, rotation, scale }.point(p);
        prop_assert!(a.iter().zip(c).all(|(a, c)| (a - c).abs() < 1e-6), "{:?} {:?}", a, c);
    }
}

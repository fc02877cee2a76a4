//! Height fields and the objects on them.

use std::collections::BTreeMap;

use mapwright_interchange::{
    Category,
    gltf::{ExportOptions, ImportOptions, from_scene, to_scene},
};
use mapwright_scene::NoFiles;
use mapwright_scene::*;
use proptest::{collection::vec, prelude::*};

use super::scenes::{chunks, objects};

fn back(scene: &Scene, options: &ExportOptions) -> (Scene, Losses) {
    let export = from_scene(scene, &NoFiles, options).unwrap();
    let import = to_scene(&export.document.main, &NoFiles, &ImportOptions::default()).unwrap();
    let problems = import.scene.validate();
    assert_eq!(problems.iter().find(|problem| problem.severity == Severity::Error), None);
    (import.scene, export.losses)
}

fn is_reported(losses: &Losses, text: &str) -> bool {
    losses.iter().any(|loss| loss.text.contains(text))
}

/// Returns the shown meshes without the water, with their positions.
fn land(scene: &Scene) -> Vec<(Mesh, Transform)> {
    let meshes = scene.walk().filter_map(|visit| match visit.node.content {
        Content::Mesh(id) => Some((scene.meshes[id].clone(), visit.world)),
        _ => None,
    });
    meshes.filter(|(mesh, _)| mesh.name != "water").collect()
}

/// The heights of the vertices, by the thousandth of a metre on the ground.
fn heights(scene: &Scene) -> BTreeMap<[i64; 2], f64> {
    #[allow(clippy::cast_possible_truncation)]
    let key = |metres: f64| (metres * 1000.0).round() as i64;
    let mut heights = BTreeMap::new();
    for (mesh, world) in land(scene) {
        for &position in &mesh.positions {
            let [x, y, z] = world.point(position);
            assert!(heights.insert([key(x), key(z)], y).is_none_or(|known| known == y), "chunks do not meet");
        }
    }
    heights
}

#[test]
fn a_large_field_becomes_chunks_that_meet() {
    let scene = chunks();
    let (again, losses) = back(&scene, &ExportOptions::default());
    let parts = land(&again);
    let names: Vec<&str> = parts.iter().map(|(mesh, _)| mesh.name.as_str()).collect();
    assert_eq!(names, ["island 0,0", "island 1,0", "island 0,1", "island 1,1"]);
    assert_eq!(parts.iter().map(|(mesh, _)| mesh.faces.len()).sum::<usize>(), 2 * 139 * 130);
    assert_eq!(parts[3].1.origin(), [6400.0, 0.0, -6400.0]);

    let terrain = &scene.terrains.items()[0];
    let found = heights(&again);
    assert_eq!(found.len(), 140 * 131);
    for (vertex, row, column) in
        (0..131_i64).flat_map(|row| (0..140).map(move |column| (row * 140 + column, row, column)))
    {
        let height = terrain.heights.get(usize::try_from(vertex).unwrap()).unwrap();
        assert!((found[&[column * 50_000, row * -50_000]] - height).abs() < 1e-6);
    }
    // Normals at the border of two chunks are the same on both sides.
    let mut normals = BTreeMap::new();
    for (mesh, world) in &parts {
        let own = mesh.normals.as_ref().unwrap();
        for (&vertex, normal) in mesh.faces.corners().iter().zip(own.iter().flatten()) {
            let place = world.point(mesh.positions[vertex as usize]).map(f64::to_bits);
            assert_eq!(*normals.entry(place).or_insert(normal), normal);
            assert!(normal[1] > 0.5);
        }
    }
    assert!(
        is_reported(&losses, "a rectangle for the water") && is_reported(&losses, "terrain of \"island\": as a mesh"),
        "{losses:?}"
    );
    assert!(!is_reported(&losses, "grass") && is_reported(&losses, "unused"), "{losses:?}");
    let water = again.meshes.items().iter().find(|mesh| mesh.name == "water").unwrap();
    assert_eq!((water.faces.len(), water.face_normal(0)), (2, Some([0.0, 1.0, 0.0])));
    assert_eq!(again.materials[water.face_materials[0].unwrap()].alpha, AlphaMode::Blend);
}

#[test]
fn texture_coordinates_are_one_for_each_cell() {
    let (again, _) = back(&chunks(), &ExportOptions::default());
    for (mesh, world) in land(&again) {
        for face in 0..mesh.faces.len() {
            let name = mesh.face_material(face).map(|id| again.materials[id].name.as_str());
            for corner in mesh.faces.corner_range(face).unwrap() {
                let [x, _, z] = world.point(mesh.positions[mesh.faces.corners()[corner] as usize]);
                let [u, v] = mesh.uv_sets[0].corners.get(corner).unwrap();
                // The texture covers one cell of 50 m, u to the east and v to the north.
                assert_eq!([(x / 50.0 - u).fract(), (-z / 50.0 - v).fract()], [0.0; 2]);
                assert!(name != Some("shore") || [u, v].iter().all(|c| (0.0..=1.0).contains(c)), "{u} {v}");
                if name == Some("grass") {
                    assert_eq!(mesh.uv_sets[1].corners.get(corner), Some([u, v]));
                }
            }
        }
    }
}

#[test]
fn fields_can_be_thinned_out_and_keep_their_extent() {
    let (again, losses) = back(&chunks(), &ExportOptions::default().with_terrain_step(4));
    let found = heights(&again);
    // 0, 4, … 136, 139 and 0, 4, … 128, 130.
    assert_eq!(found.len(), 36 * 34);
    let last = chunks().terrains.items()[0].heights.get(140 * 131 - 1).unwrap();
    assert!((found[&[139 * 50_000, 130 * -50_000]] - last).abs() < 1e-6);
    assert!(is_reported(&losses, "one of 4 heights"), "{losses:?}");
    assert_eq!(land(&again).len(), 1);
}

#[test]
fn terrains_too_large_for_a_file_are_rejected_with_help() {
    let mut scene = chunks();
    let side = 11_000_u32;
    let terrain = scene.terrains.iter_mut().next().unwrap().1;
    terrain.size = [side; 2];
    // Zeros that are never touched take no memory.
    terrain.heights = Heights::Steps { step: 1.0, values: vec![0; (side * side) as usize] };
    let error = from_scene(&scene, &NoFiles, &ExportOptions::default()).unwrap_err();
    assert_eq!((error.category(), &*error.path().to_string()), (Category::Limit, "terrains[0]"));
    assert!(error.help().unwrap().contains("terrain_step"), "{error}");
    from_scene(&scene, &NoFiles, &ExportOptions::default().with_terrain_step(1000)).unwrap();

    let terrain = scene.terrains.iter_mut().next().unwrap().1;
    terrain.size = [2; 2];
    terrain.spacing = [1.0, 1e39];
    terrain.heights = Heights::F32(vec![0.0; 4]);
    let error = from_scene(&scene, &NoFiles, &ExportOptions::default()).unwrap_err();
    assert_eq!((error.category(), &*error.path().to_string()), (Category::Unsupported, "terrains[0]"));
}

#[test]
fn fields_without_quads_or_cells_do_no_harm() {
    let mut scene = chunks();
    for (size, heights) in [([0, u32::MAX], 0), ([1, 3], 3), ([2, 2], 4)] {
        let terrain = scene.terrains.iter_mut().next().unwrap().1;
        terrain.size = size;
        terrain.heights = Heights::F32(vec![f32::NAN; heights]);
        terrain.cell_size = [0; 2];
        terrain.cells = Vec::new();
        let (again, losses) = back(&scene, &ExportOptions::default());
        assert_eq!(land(&again).len(), usize::from(heights == 4));
        assert!(
            is_reported(&losses, if heights == 4 { "4 non-finite heights" } else { "fewer than two" }),
            "{losses:?}"
        );
    }
}

#[test]
fn objects_keep_their_numbers_and_follow_the_ground() {
    let scene = objects();
    let export = from_scene(&scene, &NoFiles, &ExportOptions::default()).unwrap();
    let json = String::from_utf8_lossy(&export.document.main).into_owned();
    // Two models of four are houses; they share a box.
    assert_eq!(json.matches(r#""name":"placeholder house""#).count(), 2);
    assert!(json.contains(r#""_ID":"#) && json.contains(r#""_ORDER":"#));
    let losses = export.losses;
    for text in ["a box for the model data3d", "2 instances moved to the ground", "1 instance with shear"] {
        assert!(is_reported(&losses, text), "{text}: {losses:?}");
    }

    let import = to_scene(&export.document.main, &NoFiles, &ImportOptions::default()).unwrap();
    let again = import.scene;
    assert!(again.materials.items().iter().all(|material| !material.name.contains("placeholder")));
    assert!(again.meshes.items().iter().all(|mesh| !mesh.name.contains("placeholder")));
    for (was, is) in scene.instance_sets.items().iter().zip(again.instance_sets.items()) {
        assert_eq!((&was.name, &was.models, &was.ids), (&is.name, &is.models, &is.ids));
        assert_eq!((&was.order, &was.on_ground), (&is.order, &is.on_ground));
    }
    // The tree is a box of 10 m in the middle of the first side of a cell, between two heights.
    let [first, second] = [1, 2].map(|vertex| scene.terrains.items()[0].heights.get(vertex).unwrap());
    let [x, y, z] = again.instance_sets.items()[0].transforms.get(1).unwrap().origin();
    assert_eq!([x, z], [75.0, 0.0]);
    assert!((y - 5.0 - (first + second) / 2.0).abs() < 1e-6, "{y}");
    let [_, y, _] = again.instance_sets.items()[0].transforms.get(0).unwrap().origin();
    assert_eq!(y, 100.0);
    // A mirror stays one.
    assert!(again.instance_sets.items()[0].transforms.get(3).unwrap().mirrors());
}

#[test]
fn numbers_of_instances_that_do_not_fit_are_reported() {
    for id in [-1, 1 << 32] {
        let mut scene = objects();
        scene.instance_sets.iter_mut().next().unwrap().1.ids[2] = id;
        let (again, losses) = back(&scene, &ExportOptions::default());
        assert!(again.instance_sets.items()[0].ids.is_empty());
        assert!(is_reported(&losses, "negative or exceed 32 bits"), "{losses:?}");
    }
}

#[test]
fn a_mesh_may_have_the_material_of_a_box() {
    // Another program may put it there.
    let glb = from_scene(&objects(), &NoFiles, &ExportOptions::default()).unwrap().document.main;
    let key = br#""material":"#;
    let material = glb.windows(key.len()).position(|window| window == key).unwrap();
    let mut edited = glb;
    edited[material + key.len()] = b'5';
    let scene = to_scene(&edited, &NoFiles, &ImportOptions::default()).unwrap().scene;
    assert_eq!(scene.materials.items()[5].name, "placeholder object");
    assert!(scene.validate().iter().all(|problem| problem.severity < Severity::Error));
}

/// Small fields of any kind.
fn terrain() -> BoxedStrategy<Terrain> {
    let step = prop_oneof![Just(1.0), Just(-1.0), Just(0.25), Just(-8.0)];
    let size = (2..7_u32, 2..7_u32);
    (size, (0..9_u32, 0..9_u32), [step.clone(), step], any::<bool>(), any::<bool>())
        .prop_flat_map(|((columns, rows), (cells_x, cells_z), spacing, main, ends)| {
            let heights = vec(-100..100_i16, (columns * rows) as usize);
            let cells = vec(0..4_u32, (cells_x * cells_z) as usize);
            (heights, cells).prop_map(move |(values, cells)| Terrain {
                name: "field".into(),
                size: [columns, rows],
                spacing,
                heights: Heights::Steps { step: 0.5, values },
                diagonal: if main { Diagonal::Main } else { Diagonal::Anti },
                cell_size: [cells_x, cells_z],
                cells,
                materials: vec![None, Some(MaterialId::new(u32::from(ends))), Some(MaterialId::new(1))],
                sea_level: main.then_some(1.5),
                attributes: Vec::new(),
                properties: Properties::new(),
            })
        })
        .boxed()
}

proptest! {
    #[test]
    fn every_terrain_is_complete_and_faces_up(terrain in terrain(), step in 0..4_u32) {
        let mut scene = chunks();
        *scene.terrains.iter_mut().next().unwrap().1 = terrain.clone();
        let (again, _) = back(&scene, &ExportOptions::default().with_terrain_step(step));
        let (mesh, _) = land(&again).remove(0);
        let kept = |count: u32| (count - 1).div_ceil(step.max(1));
        let [columns, rows] = terrain.size.map(kept);
        prop_assert_eq!(mesh.faces.len(), 2 * (columns * rows) as usize);
        prop_assert_eq!(mesh.positions.len(), ((columns + 1) * (rows + 1)) as usize);
        for face in 0..mesh.faces.len() {
            prop_assert!(mesh.face_normal(face).unwrap()[1] > 0.0);
        }
        for &[x, y, z] in &mesh.positions {
            let [column, row] = [x / terrain.spacing[0], z / terrain.spacing[1]];
            prop_assert!(column.fract() == 0.0 && row.fract() == 0.0);
            #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
            let vertex = row as usize * terrain.size[0] as usize + column as usize;
            prop_assert_eq!(Some(y), terrain.heights.get(vertex));
        }
    }
}

#[test]
fn boxes_are_baked_in_their_places() {
    let (baked, losses) = back(&objects(), &ExportOptions::default().with_bake_boxes(true));
    assert!(is_reported(&losses, r"5 instances of data3d\dum.p3d merged into one mesh of boxes"));
    assert!(baked.walk().all(|visit| !matches!(visit.node.content, Content::InstanceSet(_))));
    let meshes = land(&baked);
    let boxes: Vec<_> = meshes.iter().filter(|(mesh, _)| mesh.name.starts_with("data3d")).collect();
    assert_eq!(boxes.iter().map(|(mesh, _)| mesh.faces.len()).collect::<Vec<_>>(), [5 * 12; 4]);
    // A house of 10 by 6 by 10 metres, the first of its set.
    let (mesh, world) = boxes[1];
    let points: Vec<[f64; 3]> = mesh.positions.iter().take(8).map(|&point| world.point(point)).collect();
    for (axis, (least, greatest)) in [(20.0, 30.0), (97.0, 103.0), (-55.0, -45.0)].into_iter().enumerate() {
        let along = || points.iter().map(|point| point[axis]);
        assert_eq!((along().fold(f64::MAX, f64::min), along().fold(f64::MIN, f64::max)), (least, greatest), "{axis}");
    }
    // Mirrored ones face outside, too.
    for (mesh, _) in &boxes {
        use mapwright_scene::transform::{cross, dot};
        let point = |corner: u32| mesh.positions[corner as usize];
        let volume: f64 =
            mesh.faces.iter().map(|face| dot(point(face[0]), cross(point(face[1]), point(face[2])))).sum();
        assert!(volume > 0.0, "{}: {volume}", mesh.name);
    }
}

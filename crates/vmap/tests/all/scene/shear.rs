//! Rotated meshes below groups of uneven scale. Hammer transforms have no shear, so it is applied to the vertices.

use mapwright_io::math;
use mapwright_scene::transform::{dot, normalize, sub};
use mapwright_scene::{
    Attribute, Brush, BrushSide, Content, Domain, LossKind, Mesh, Node, NodeId, Scene, TextureProjection, Transform,
};
use mapwright_vmap::scene::{ExportOptions, from_scene, merge_scene};
use mapwright_vmap::{Document, MapMesh};

use super::maps::{import, whole_map};
use super::scenes::{cube, empty};

const SIDE: f64 = 8.0;

/// Rotated by 30 degrees about Y and moved 4 along X, below a moved group with this scale.
fn below_a_group(scene: &mut Scene, scale: [f64; 3], content: Content) -> NodeId {
    let group = Transform::Trs { translation: [10.0, 20.0, 30.0], rotation: [0.0, 0.0, 0.0, 1.0], scale };
    let group = scene.add_node(None, Node { transform: group, ..Node::new("group", Content::Group) });
    let (sin, cos) = math::sin_cos(15.0_f64.to_radians());
    let turned = Transform::Trs { translation: [4.0, 0.0, 0.0], rotation: [0.0, sin, 0.0, cos], scale: [1.0; 3] };
    scene.add_node(Some(group), Node { transform: turned, ..Node::new("turned", content) });
    group
}

/// Returns a point of it in the file: (x cos + z sin + 4, y, z cos − x sin), scaled and moved, with Z up.
fn place([a, b, c]: [f64; 3], [x, y, z]: [f64; 3]) -> [f64; 3] {
    let (cos, sin) = (0.866_025_403_784_438_6, 0.5);
    let [x, y, z] = [x * cos + z * sin + 4.0, y, z * cos - x * sin];
    let [x, y, z] = [10.0 + a * x, 20.0 + b * y, 30.0 + c * z];
    [x, -z, y]
}

/// Returns the vertices of all meshes in world space.
fn places(document: &Document) -> Vec<Vec<[f64; 3]>> {
    let meshes = document.nodes().filter_map(|visit| {
        let mesh = mapwright_vmap::Mesh::from_element(visit.node.mesh().and_then(MapMesh::data)?).unwrap();
        let positions = mesh.polygons().unwrap().positions().unwrap().to_vec();
        Some(positions.into_iter().map(|p| visit.node.transform().apply(p.map(f64::from))).collect())
    });
    meshes.collect()
}

#[track_caller]
fn near(found: &[[f64; 3]], expected: &[[f64; 3]]) {
    assert_eq!(found.len(), expected.len());
    for expected in expected {
        let distance = |found: &[f64; 3]| dot(sub(*found, *expected), sub(*found, *expected)).sqrt();
        assert!(found.iter().any(|found| distance(found) < 1e-4), "{expected:?} is not among {found:?}");
    }
}

fn corners(scale: [f64; 3]) -> Vec<[f64; 3]> {
    cube(SIDE, None).positions.into_iter().map(|p| place(scale, p)).collect()
}

const SCALES: [[f64; 3]; 3] = [[2.0, 1.0, 0.5], [-2.0, 1.0, 0.5], [1.0, 3.0, -4.0]];

#[test]
fn a_sheared_mesh_has_its_vertices_in_place() {
    for scale in SCALES {
        let mut scene = empty();
        let mut mesh = cube(SIDE, None);
        let tangents = mesh.faces.iter().flat_map(|face| {
            let along = normalize(sub(mesh.positions[face[1] as usize], mesh.positions[face[0] as usize])).unwrap();
            [[along[0], along[1], along[2], 1.0]; 4]
        });
        let values = tangents.flatten().collect();
        mesh.attributes.push(Attribute { name: "tangent".into(), domain: Domain::Corner, width: 4, values });
        mesh.face_projections.iter_mut().for_each(|projection| projection.local = true);
        let id = scene.meshes.push(mesh.clone());
        below_a_group(&mut scene, scale, Content::Mesh(id));
        let export = from_scene(&scene, &ExportOptions::default()).unwrap();
        whole_map(&export.document);
        near(&places(&export.document)[0], &corners(scale));
        let sheared: Vec<_> = export.losses.iter().filter(|loss| loss.text.contains("sheared")).collect();
        assert!(sheared.len() == 1 && sheared[0].kind == LossKind::Approximated, "{sheared:?}");

        // Winding, normals, tangents and textures follow.
        let again = import(&export.document);
        let visit = again.walk().find(|visit| visit.node.name == "turned").unwrap();
        let Content::Mesh(found) = visit.node.content else { panic!() };
        let found = &again.meshes[found];
        let in_world: Mesh = found.transformed(&visit.world).into_owned();
        let tangents = &found.attributes.iter().find(|attribute| attribute.name == "tangent").unwrap().values;
        for face in 0..6 {
            let ring = in_world.faces.get(face).unwrap();
            let normal = in_world.face_normal(face).unwrap();
            let first = in_world.faces.corner_range(face).unwrap().start;
            assert!(dot(in_world.normals.as_ref().unwrap().get(first).unwrap(), normal) > 0.999, "{scale:?} {face}");
            let edge = normalize(sub(in_world.positions[ring[1] as usize], in_world.positions[ring[0] as usize]));
            let tangent = normalize(visit.world.vector([0, 1, 2].map(|i| tangents[first * 4 + i]))).unwrap();
            assert!(scale[0] * scale[2] < 0.0 || dot(tangent, edge.unwrap()) > 0.999, "{scale:?} {face}");
            let centre = corners(scale).iter().fold([0.0; 3], |sum, p| [0, 1, 2].map(|i| sum[i] + p[i] / 8.0));
            let centre = [centre[0], centre[2], -centre[1]];
            assert!(dot(normal, sub(in_world.positions[ring[0] as usize], centre)) > 0.0, "{scale:?} {face}");
            // Each face keeps its first corner.
            let before = mesh.positions[mesh.faces.get(face).unwrap()[0] as usize];
            let after = in_world.positions[ring[0] as usize];
            let [before, after] =
                [mesh.face_projections[face].texel(before), found.face_projections[face].texel(after)];
            assert!(before.iter().zip(after).all(|(a, b)| (a - b).abs() < 1e-3), "{before:?} {after:?}");
        }
    }
}

#[test]
fn sheared_shared_meshes_and_brushes_have_their_vertices_in_place() {
    let scale = SCALES[0];
    let mut scene = empty();
    let id = scene.meshes.push(cube(SIDE, None));
    below_a_group(&mut scene, scale, Content::Mesh(id));
    below_a_group(&mut scene, [1.0; 3], Content::Mesh(id));
    let box_ = cube(SIDE, None);
    let projection = TextureProjection { scale: [1.0; 2], ..box_.face_projections[0] };
    let sides = box_.faces.iter().map(|face| BrushSide {
        plane: [face[0], face[1], face[2]].map(|vertex| box_.positions[vertex as usize]),
        corners: Vec::new(),
        projection,
        material: None,
        properties: Default::default(),
    });
    let brush = scene.brushes.push(Brush { sides: sides.collect(), ..Brush::default() });
    below_a_group(&mut scene, scale, Content::Brush(brush));
    let document = from_scene(&scene, &ExportOptions::default()).unwrap().document;
    whole_map(&document);
    let found = places(&document);
    assert_eq!(found.len(), 3);
    near(&found[0], &corners(scale));
    near(&found[1], &corners([1.0; 3]));
    near(&found[2], &corners(scale));
}

#[test]
fn scaling_a_group_shears_its_mesh() {
    let mut scene = empty();
    let id = scene.meshes.push(cube(SIDE, None));
    below_a_group(&mut scene, [1.0; 3], Content::Mesh(id));
    let mut document = from_scene(&scene, &ExportOptions::default()).unwrap().document;
    let before = document.clone();
    let mut changed = import(&document);
    let group = changed.nodes.iter().find(|(_, node)| node.name == "group").unwrap().0;
    let Transform::Trs { scale, .. } = &mut changed.nodes[group].transform else { panic!() };
    *scale = SCALES[0];
    merge_scene(&mut document, &changed, &ExportOptions::default()).unwrap();
    whole_map(&document);
    near(&places(&document)[0], &corners(SCALES[0]));
    // A mesh that was already below a scaled group stays as the map has it.
    let scene = import(&document);
    let mut same = document.clone();
    let mut renamed = scene.clone();
    renamed.nodes[group].name.push('x');
    assert!(
        !merge_scene(&mut same, &renamed, &ExportOptions::default()).unwrap().iter().any(|l| l.text.contains("shears"))
    );
    assert_eq!(places(&same), places(&document));
    assert_eq!(before.graph().elements.len(), document.graph().elements.len());
}

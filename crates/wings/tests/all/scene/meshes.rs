//! Meshes of other programs as objects, and objects as meshes.

use mapwright_io::math;
use mapwright_scene::{ColorSet, ColorSpace, Content, CornerColumn, Mesh, MeshId, Node, Transform};
use mapwright_wings::Document;
use mapwright_wings::scene::{ExportOptions, ImportOptions, Mirror, from_scene, merge_scene, to_scene};

use super::program::Written;
use crate::scenes::{cube, import, scene_of};

/// A mesh with the given faces.
fn mesh(positions: &[[f64; 3]], faces: &[&[u32]]) -> Mesh {
    Mesh { positions: positions.to_vec(), faces: faces.iter().collect(), ..Mesh::default() }
}

/// A torus of quads with `wings` rings. Fewer than `around` rings leave it open.
pub(crate) fn torus(around: u32, across: u32, there: u32) -> Mesh {
    let at = |i: u32, j: u32| {
        let turn = |k: u32, n: u32| f64::from(k % n) / f64::from(n) * std::f64::consts::TAU;
        let (a, b) = (turn(i, around), turn(j, across));
        [(2.0 + math::cos(b)) * math::cos(a), math::sin(b), -(2.0 + math::cos(b)) * math::sin(a)]
    };
    let id = |i: u32, j: u32| i % around * across + j % across;
    let faces: Vec<[u32; 4]> = (0..there)
        .flat_map(|i| (0..across).map(move |j| [id(i, j), id(i + 1, j), id(i + 1, j + 1), id(i, j + 1)]))
        .collect();
    let positions = (0..around).flat_map(|i| (0..across).map(move |j| at(i, j))).collect();
    Mesh { positions, faces: faces.into_iter().collect(), ..Mesh::default() }
}

/// A cube as in glTF: triangles with separate vertices for every side, and normals.
fn split_cube() -> Mesh {
    let whole = cube();
    let mut mesh = Mesh { normals: Some(CornerColumn::new()), ..Mesh::default() };
    for face in 0..whole.faces.len() {
        let first = u32::try_from(mesh.positions.len()).unwrap();
        let ring = whole.faces.get(face).unwrap();
        mesh.positions.extend(ring.iter().map(|&vertex| whole.positions[vertex as usize]));
        for triangle in [[0, 1, 2], [0, 2, 3]] {
            mesh.faces.push(&triangle.map(|corner| first + corner));
            mesh.normals.as_mut().unwrap().extend([whole.face_normal(face); 3]);
        }
    }
    mesh
}

#[test]
fn linear_colours_of_corners_become_srgb() {
    let colors = |value: f32| ColorSet {
        corners: CornerColumn::filled(Some([value, 0.0, 1.0, 1.0]), 24),
        ..ColorSet::default()
    };
    let mut scene = scene_of(Mesh { color_sets: vec![colors(0.5)], ..cube() });
    scene.color_space = ColorSpace::Linear;
    let export = from_scene(&scene, &ExportOptions::default()).unwrap();
    let texts: Vec<String> = export.losses.iter().map(ToString::to_string).collect();
    assert_eq!(texts, ["approximated: color_space: colours, converted to sRGB"]);
    let back = to_scene(&export.document, &ImportOptions::default()).unwrap().scene;
    let [set] = &back.meshes[MeshId::new(0)].color_sets[..] else { panic!("one set of colours") };
    let expected = ColorSpace::Linear.to_srgb([0.5, 0.0, 1.0]);
    for color in set.corners.iter().flatten() {
        let close = expected.iter().zip(color).all(|(wanted, found)| (wanted - f64::from(found)).abs() < 1e-6);
        assert!(close, "{color:?}, not {expected:?}");
    }

    // A change of the original converts the colours, too.
    let mut changed = to_scene(&export.document, &ImportOptions::default()).unwrap().scene;
    changed.color_space = ColorSpace::Linear;
    changed.meshes.iter_mut().for_each(|(_, mesh)| mesh.color_sets = vec![colors(0.5)]);
    let mut document = export.document;
    merge_scene(&mut document, &changed, &ExportOptions::default()).unwrap();
    let merged = to_scene(&document, &ImportOptions::default()).unwrap().scene;
    assert_eq!(merged.meshes[MeshId::new(0)].color_sets, back.meshes[MeshId::new(0)].color_sets);
}

#[test]
fn meshes_of_other_programs_become_valid_objects() {
    let mut written = Written::new("meshes");
    let mut check = |mesh: Mesh, faces: usize, holes: usize, vertices: usize| {
        let export = from_scene(&scene_of(mesh), &ExportOptions::default()).unwrap();
        written.add(&export.document);
        let model = export.document.model().unwrap();
        let (_, object) = model.objects().next().unwrap();
        let found = (object.mesh.faces.len(), object.holes().len(), object.mesh.vertices.len());
        assert_eq!(found, (faces, holes, vertices), "{:?}", export.losses);
        (object.mesh.hard_edges.len(), export.losses)
    };
    let (hard, losses) = check(cube(), 6, 0, 8);
    assert!(hard == 0 && losses.is_empty());
    assert!(check(torus(24, 12, 24), 288, 0, 288).1.is_empty());
    let (_, losses) = check(torus(24, 12, 20), 242, 2, 21 * 12);
    assert_eq!(losses.count(mapwright_scene::LossKind::Synthesized), 1);
    // The seams of the sides are welded and become hard, the diagonals stay soft.
    let (hard, losses) = check(split_cube(), 12, 0, 8);
    assert_eq!((hard, losses.count(mapwright_scene::LossKind::Synthesized)), (12, 0));
    // A concave polygon with its back missing, a fan of three faces, a sheet with a hole.
    let points: Vec<[f64; 3]> = (0..16).map(|i| [f64::from(i % 4), f64::from(i / 4), 0.0]).collect();
    check(mesh(&points, &[&[0, 2, 6, 5, 9, 8]]), 2, 1, 6);
    let wings = mesh(&cube().positions, &[&[0, 1, 2], &[1, 0, 4], &[1, 0, 7]]);
    check(wings, 5, 2, 7);
    let squares: Vec<Vec<u32>> = [0, 1, 2, 4, 6, 8, 9, 10].map(|v| vec![v, v + 1, v + 5, v + 4]).to_vec();
    let squares: Vec<&[u32]> = squares.iter().map(Vec::as_slice).collect();
    check(mesh(&points, &squares), 10, 2, 16);
    written.verify();
}

#[test]
fn transforms_are_applied_and_mirroring_keeps_faces_outside() {
    let mut scene = scene_of(cube());
    let node = scene.roots[0];
    let group = scene
        .nodes
        .push(Node { transform: Transform::translation([10.0, 0.0, 0.0]), ..Node::new("g", Content::Group) });
    scene.nodes[group].children.push(node);
    scene.roots = vec![group];
    scene.nodes[node].transform =
        Transform::Trs { translation: [0.0; 3], rotation: [0.0, 0.0, 0.0, 1.0], scale: [-2.0, 1.0, 1.0] };
    let export = from_scene(&scene, &ExportOptions::default()).unwrap();
    let again = import(&export.document);
    let mesh = &again.meshes.items()[0];
    assert!(mesh.positions.contains(&[8.0, 0.0, 0.0]) && mesh.positions.contains(&[10.0, 1.0, 1.0]));
    let outside = (0..6).all(|face| {
        let centre = mesh.faces.get(face).unwrap().iter().map(|&v| mesh.positions[v as usize]);
        let [x, y, z] = centre.fold([0.0; 3], |s, p| [s[0] + p[0] / 4.0, s[1] + p[1] / 4.0, s[2] + p[2] / 4.0]);
        let normal = mesh.face_normal(face).unwrap();
        (x - 9.0) * normal[0] + (y - 0.5) * normal[1] + (z - 0.5) * normal[2] > 0.0
    });
    assert!(outside && export.losses.iter().any(|loss| loss.text.contains("transform")));
}

/// Two cubes in one object. A face of one has the number of a face of the other, and Wings uses its first ring.
#[test]
fn a_face_with_two_rings_is_the_one_that_wings_uses() {
    let mut both = cube();
    both.positions.extend(cube().positions.iter().map(|[x, y, z]| [x + 5.0, *y, *z]));
    let second: Vec<Vec<u32>> = both.faces.iter().map(|face| face.iter().map(|vertex| vertex + 8).collect()).collect();
    second.iter().for_each(|face| both.faces.push(face));
    let mut model = from_scene(&scene_of(both), &ExportOptions::default()).unwrap().document.model().unwrap();
    let mapwright_wings::Shape::Object(object) = &mut model.shapes[0] else { unreachable!() };
    for edge in &mut object.mesh.edges {
        for wing in [&mut edge.left, &mut edge.right] {
            wing.face = if wing.face == 11 { 0 } else { wing.face };
        }
    }
    object.mesh.faces.truncate(11);
    assert!(object.mesh.rings().is_err());
    let mut written = Written::new("rings");
    let mut document = Document::from_model(&model).unwrap();
    written.add(&document);
    let read = to_scene(&document, &ImportOptions::default()).unwrap();
    let mesh = &read.scene.meshes.items()[0];
    assert_eq!((mesh.faces.len(), mesh.faces.get(0).unwrap()), (11, cube().faces.get(0).unwrap()));
    assert!(read.losses.iter().any(|loss| loss.text.starts_with("edges of 1 face outside")), "{:?}", read.losses);
    // A change elsewhere keeps the second ring. A new document has a hole in its place.
    let mut moved = read.scene.clone();
    moved.meshes.iter_mut().for_each(|(_, mesh)| mesh.positions[0] = [-1.0; 3]);
    merge_scene(&mut document, &moved, &ExportOptions::default()).unwrap();
    let mapwright_wings::Shape::Object(object) = &mut model.shapes[0] else { unreachable!() };
    object.mesh.vertices[0] = [-1.0; 3];
    assert_eq!(document.model().unwrap().shapes, model.shapes);
    let export = from_scene(&read.scene, &ExportOptions::default()).unwrap();
    assert_eq!(import(&export.document).meshes.items()[0].faces.len(), 12);
    written.add(&export.document);
    written.verify();
}

#[test]
fn a_mirror_can_be_frozen() {
    let mut mesh = cube();
    mesh.mirror = Some(5);
    let document = from_scene(&scene_of(mesh), &ExportOptions::default()).unwrap().document;
    assert_eq!(import(&document).meshes.items()[0].mirror, Some(5));
    let options = ImportOptions::default().with_mirror(Mirror::Freeze);
    let frozen = to_scene(&document, &options).unwrap().scene;
    assert_eq!((frozen.meshes.items()[0].mirror, frozen.meshes.items()[0].faces.len()), (None, 10));
}

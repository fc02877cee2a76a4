//! Winged edges from polygons, and polygons from winged edges.

use std::path::Path;

use mapwright_wings::{BuiltMesh, Document, PolygonCorner, Polygons, RepairKind, WingedMesh};
use proptest::prelude::*;

fn polygons(positions: &[[f64; 3]], faces: &[&[u32]]) -> Polygons {
    let mut polygons = Polygons { positions: positions.to_vec(), ..Polygons::default() };
    for face in faces {
        polygons.push(face.iter().copied().map(PolygonCorner::new), None);
    }
    polygons
}

const CUBE: [[f64; 3]; 8] = [
    [0.0, 0.0, 0.0],
    [1.0, 0.0, 0.0],
    [0.0, 1.0, 0.0],
    [1.0, 1.0, 0.0],
    [0.0, 0.0, 1.0],
    [1.0, 0.0, 1.0],
    [0.0, 1.0, 1.0],
    [1.0, 1.0, 1.0],
];
const SIDES: [&[u32]; 6] = [&[0, 1, 5, 4], &[0, 2, 3, 1], &[1, 3, 7, 5], &[5, 7, 6, 4], &[4, 6, 2, 0], &[2, 6, 7, 3]];

/// Checks that every face is a ring with distinct vertices, that successors are the way back, and that the faces of every vertex
/// form one fan.
fn assert_sound(built: &BuiltMesh) {
    let mesh = &built.mesh;
    let rings = mesh.rings().unwrap();
    assert_eq!(rings.faces.len(), mesh.faces.len());
    assert_eq!((built.faces.len(), built.vertices.len()), (mesh.faces.len(), mesh.vertices.len()));
    for (face, ring) in rings.iter() {
        let mut vertices: Vec<u32> = ring.iter().map(|c| mesh.edges[c.edge as usize].corner(c.side)).collect();
        vertices.sort_unstable();
        assert!(vertices.windows(2).all(|pair| pair[0] != pair[1]), "face {face} passes a vertex twice");
        assert!(vertices.len() >= 3 && vertices.iter().all(|&v| (v as usize) < mesh.vertices.len()));
        for (corner, next) in ring.iter().zip(ring.iter().cycle().skip(1)) {
            assert_eq!(mesh.edges[next.edge as usize].wing(next.side).successor, corner.edge);
        }
    }
    let order: Vec<_> = mesh.edges.iter().map(|edge| (edge.start, edge.end)).collect();
    assert!(order.is_sorted() && order.iter().all(|(a, b)| a < b));
}

fn kinds(built: &BuiltMesh) -> Vec<(RepairKind, usize)> {
    built.repairs.iter().map(|repair| (repair.kind, repair.count)).collect()
}

#[test]
fn a_cube_is_numbered_like_in_wings() {
    let mut input = polygons(&CUBE, &SIDES);
    input.hard_edges = vec![[7, 5], [0, 1]];
    let built = WingedMesh::from_polygons(&input);
    assert_sound(&built);
    assert_eq!((built.holes, built.mesh.edges.len(), built.repairs.len()), (0, 12, 0));
    let edge = built.mesh.edges[0];
    // 0→1 runs along face 0 on its left (0 1 5 4) and face 1 on its right.
    assert_eq!((edge.start, edge.end, edge.left.face, edge.right.face), (0, 1, 0, 1));
    let next = built.mesh.edges[edge.left.predecessor as usize];
    assert_eq!((next.start, next.end), (1, 5));
    let hard: Vec<_> =
        built.mesh.hard_edges.iter().map(|&e| built.mesh.edges[e as usize]).map(|e| [e.start, e.end]).collect();
    assert_eq!(hard, [[0, 1], [5, 7]]);
}

#[test]
fn the_published_tetrahedron_is_reproduced_edge_by_edge() {
    let faces: [&[u32]; 4] = [&[0, 2, 1], &[1, 2, 3], &[0, 1, 3], &[0, 3, 2]];
    let built = WingedMesh::from_polygons(&polygons(&CUBE[..4], &faces));
    let numbers: Vec<[u32; 8]> = (built.mesh.edges.iter())
        .map(|e| {
            let (l, r) = (e.left, e.right);
            [e.start, e.end, l.face, r.face, l.predecessor, l.successor, r.predecessor, r.successor]
        })
        .collect();
    let expected = [
        [0, 1, 2, 0, 4, 2, 1, 3],
        [0, 2, 0, 3, 3, 0, 2, 5],
        [0, 3, 3, 2, 5, 1, 0, 4],
        [1, 2, 1, 0, 5, 4, 0, 1],
        [1, 3, 2, 1, 2, 0, 3, 5],
        [2, 3, 1, 3, 4, 3, 1, 2],
    ];
    assert_eq!(numbers, expected);
}

#[test]
fn an_open_box_gets_a_hole_face_first() {
    let built = WingedMesh::from_polygons(&polygons(&CUBE, &SIDES[..5]));
    assert_sound(&built);
    assert_eq!((built.holes, built.faces[0], built.faces[1]), (1, None, Some(0)));
    assert_eq!(kinds(&built), [(RepairKind::OpenSurface, 1)]);
    let rings = built.mesh.polygons().unwrap();
    let mut hole: Vec<u32> = rings.faces().next().unwrap().iter().map(|c| c.vertex).collect();
    let least = hole.iter().enumerate().min_by_key(|(_, v)| **v).unwrap().0;
    hole.rotate_left(least);
    assert_eq!(hole, SIDES[5]);
}

#[test]
fn two_touching_holes_stay_separate_without_copied_vertices() {
    // A sheet of 3 × 3 squares without two that touch at a corner.
    let positions: Vec<[f64; 3]> = (0..16).map(|i| [f64::from(i % 4), f64::from(i / 4), 0.0]).collect();
    let faces: Vec<[u32; 4]> = (0..9_u32)
        .filter(|square| ![0, 4].contains(square))
        .map(|square| square / 3 * 4 + square % 3)
        .map(|v| [v, v + 1, v + 5, v + 4])
        .collect();
    let faces: Vec<&[u32]> = faces.iter().map(<[u32; 4]>::as_slice).collect();
    let built = WingedMesh::from_polygons(&polygons(&positions, &faces));
    assert_sound(&built);
    // One hole around the sheet, which is cut where it passes the corner twice, and one inside.
    assert_eq!((built.holes, built.mesh.vertices.len()), (2, 15));
}

#[test]
fn bodies_that_touch_at_a_vertex_or_an_edge_are_separated() {
    for shared in [1, 2] {
        let mut positions = CUBE.to_vec();
        let twin: Vec<u32> = (0..8_usize)
            .map(|v| {
                let at = [CUBE[v][0] + 1.0, CUBE[v][1] + 1.0, CUBE[v][2] + if shared == 1 { 1.0 } else { 0.0 }];
                let place = positions.iter().position(|p| *p == at);
                u32::try_from(place.unwrap_or_else(|| {
                    positions.push(at);
                    positions.len() - 1
                }))
                .unwrap()
            })
            .collect();
        assert_eq!(positions.len(), 16 - shared);
        let second: Vec<Vec<u32>> = SIDES.iter().map(|side| side.iter().map(|&v| twin[v as usize]).collect()).collect();
        let faces: Vec<&[u32]> = SIDES.iter().copied().chain(second.iter().map(Vec::as_slice)).collect();
        let built = WingedMesh::from_polygons(&polygons(&positions, &faces));
        assert_sound(&built);
        assert_eq!((built.holes, built.mesh.vertices.len(), built.mesh.edges.len()), (0, 16, 24), "{shared}");
        let split = kinds(&built).into_iter().find(|(kind, _)| *kind == RepairKind::SplitVertex);
        assert_eq!(split, Some((RepairKind::SplitVertex, shared)));
        // Each cube is complete: its faces only touch faces of its own.
        assert!(built.mesh.edges.iter().all(|edge| (edge.left.face < 6) == (edge.right.face < 6)));
    }
}

#[test]
fn inverted_faces_are_turned_back() {
    let turned: Vec<Vec<u32>> = SIDES
        .iter()
        .enumerate()
        .map(|(i, side)| if i % 3 == 0 { side.to_vec() } else { side.iter().rev().copied().collect() })
        .collect();
    let faces: Vec<&[u32]> = turned.iter().map(Vec::as_slice).collect();
    let built = WingedMesh::from_polygons(&polygons(&CUBE, &faces));
    assert_sound(&built);
    assert_eq!((built.holes, kinds(&built)), (0, vec![(RepairKind::TurnedFace, 4)]));
    let right = WingedMesh::from_polygons(&polygons(&CUBE, &SIDES));
    assert_eq!(built.mesh.edges, right.mesh.edges);
}

#[test]
fn invalid_faces_are_left_out_and_counted() {
    let mut positions = CUBE.to_vec();
    positions.push([f64::NAN, 0.0, 0.0]);
    let extra: [&[u32]; 7] = [&[0, 1], &[0, 8, 1], &[0, 99, 1], &[1, 5, 4, 0], &[2, 2, 3, 3], &[], &[0, 1, 5, 5, 4]];
    let faces: Vec<&[u32]> = SIDES.iter().copied().chain(extra).collect();
    let mut input = polygons(&positions, &faces);
    input.hard_edges = vec![[0, 7], [4, 99]];
    let built = WingedMesh::from_polygons(&input);
    assert_sound(&built);
    let expected = [
        (RepairKind::MissingVertex, 2),
        (RepairKind::DegenerateFace, 3),
        (RepairKind::RepeatedVertex, 1),
        (RepairKind::DuplicateFace, 2),
        (RepairKind::UnusedVertex, 1),
        (RepairKind::LostHardEdge, 2),
    ];
    assert_eq!(kinds(&built), expected);
    assert_eq!((built.mesh.faces.len(), built.holes), (6, 0));
}

#[test]
fn an_opening_in_a_face_is_covered_and_reported() {
    let square = |size: f64| [[-size, -size, 0.0], [size, -size, 0.0], [size, size, 0.0], [-size, size, 0.0]];
    let positions = [square(2.0), square(1.0)].concat();
    // A path to the opening and back along an edge, and two squares that touch at a corner.
    let built = WingedMesh::from_polygons(&polygons(&positions, &[&[0, 1, 2, 3, 0, 4, 7, 6, 5, 4]]));
    assert_sound(&built);
    assert!(kinds(&built).contains(&(RepairKind::CoveredOpening, 1)), "{:?}", built.repairs);
    let built = WingedMesh::from_polygons(&polygons(&positions, &[&[0, 1, 2, 3, 0, 4, 5, 6, 7, 4]]));
    assert!(kinds(&built).contains(&(RepairKind::RepeatedVertex, 1)), "{:?}", built.repairs);
}

#[test]
fn a_moebius_strip_is_cut_and_a_third_face_at_an_edge_gets_its_own_back() {
    let positions: Vec<[f64; 3]> =
        (0..12_u32).map(|i| [f64::from(i), f64::from(i * i % 7), f64::from(i % 3)]).collect();
    let strip: Vec<[u32; 4]> =
        (0..5_u32).map(|i| [2 * i, 2 * i + 2, 2 * i + 3, 2 * i + 1]).chain([[10, 1, 0, 11]]).collect();
    let faces: Vec<&[u32]> = strip.iter().map(<[u32; 4]>::as_slice).collect();
    let built = WingedMesh::from_polygons(&polygons(&positions, &faces));
    assert_sound(&built);
    assert!(kinds(&built).contains(&(RepairKind::OneSided, 1)), "{:?}", built.repairs);

    let book = polygons(&CUBE, &[&[0, 1, 2], &[1, 0, 4], &[1, 0, 7]]);
    let built = WingedMesh::from_polygons(&book);
    assert_sound(&built);
    assert_eq!((built.holes, built.mesh.faces.len()), (2, 5));
}

#[test]
fn welding_merges_vertices_at_one_position() {
    let mut soup = Polygons::default();
    for side in SIDES {
        let first = u32::try_from(soup.positions.len()).unwrap();
        soup.positions.extend(side.iter().map(|&v| CUBE[v as usize]));
        soup.push((first..first + 4).map(PolygonCorner::new), None);
    }
    soup.positions[0][1] = -0.0;
    assert_eq!(WingedMesh::from_polygons(&soup).holes, 6);
    assert_eq!(soup.weld(), 16);
    let built = WingedMesh::from_polygons(&soup);
    assert_sound(&built);
    assert_eq!((built.holes, built.mesh.vertices.len(), built.mesh.edges.len()), (0, 8, 12));
}

#[test]
fn large_input_of_any_kind_is_built_in_linear_time() {
    // All faces at one edge; one face with very many corners; very many copies of one face.
    let count = 30_000_u32;
    let positions: Vec<[f64; 3]> = (0..count).map(|i| [f64::from(i), f64::from(i % 977), f64::from(i % 31)]).collect();
    let mut fan = Polygons { positions: positions.clone(), ..Polygons::default() };
    let mut ring = fan.clone();
    let mut copies = fan.clone();
    for v in 2..count {
        fan.push([0, 1, v].map(PolygonCorner::new), None);
        copies.push([0, 1, 2].map(PolygonCorner::new), None);
    }
    ring.push((0..count).map(PolygonCorner::new), None);
    for input in [fan, ring, copies] {
        assert_sound(&WingedMesh::from_polygons(&input));
    }
}

proptest! {
    #[test]
    fn any_faces_give_a_sound_mesh_that_comes_back(
        faces in prop::collection::vec(prop::collection::vec(0..9_u32, 0..6), 0..14),
        weld: bool,
    ) {
        let mut positions = CUBE.to_vec();
        positions.push(CUBE[3]);
        let faces: Vec<&[u32]> = faces.iter().map(Vec::as_slice).collect();
        let mut input = polygons(&positions, &faces);
        input.hard_edges = vec![[0, 1], [3, 2], [8, 1]];
        if weld {
            input.weld();
        }
        let built = WingedMesh::from_polygons(&input);
        assert_sound(&built);
        let names: Vec<_> = built.mesh.edges.iter().map(|edge| (edge.start, edge.end)).collect();
        // Two edges between the same vertices are legal, but polygons cannot distinguish them.
        if names.windows(2).all(|pair| pair[0] != pair[1]) {
            let again = WingedMesh::from_polygons(&built.mesh.polygons().unwrap());
            prop_assert_eq!(&again.mesh, &built.mesh);
            prop_assert!(again.repairs.is_empty());
        }
    }
}

fn wings_files(folder: &Path, files: &mut Vec<std::path::PathBuf>) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        match path.is_dir() {
            true if path.file_name().is_some_and(|name| name == "probes") => {}
            true => wings_files(&path, files),
            false if path.extension().is_some_and(|extension| extension == "wings") => files.push(path),
            false => {}
        }
    }
}

#[test]
#[ignore = "needs the corpus"]
fn corpus_meshes_are_rebuilt_from_their_polygons() {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus/wings");
    let mut files = Vec::new();
    wings_files(&corpus, &mut files);
    if files.is_empty() {
        eprintln!("SKIPPED: no corpus at {}", corpus.display());
        return;
    }
    let (mut objects, mut same, mut double) = (0, 0, 0);
    for file in &files {
        let model = Document::from_bytes(&std::fs::read(file).unwrap()).unwrap().model().unwrap();
        for (number, object) in model.objects() {
            let polygons = object.mesh.polygons().unwrap();
            if polygons.faces().any(|face| face.len() < 3) {
                continue;
            }
            let built = WingedMesh::from_polygons(&polygons);
            let place = format!("{} object {number}", file.display());
            assert_sound(&built);
            let mut names: Vec<_> =
                object.mesh.edges.iter().map(|e| (e.start.min(e.end), e.start.max(e.end))).collect();
            names.sort_unstable();
            if names.windows(2).any(|pair| pair[0] == pair[1]) {
                // Polygons cannot represent which faces meet at which of two edges between the same vertices.
                double += 1;
                continue;
            }
            assert!(built.repairs.is_empty(), "{place}: {:?}", built.repairs);
            let again = built.mesh.polygons().unwrap();
            let canonical = |polygons: &Polygons| -> Vec<Vec<String>> {
                let ring = |face: &[PolygonCorner]| {
                    let mut ring: Vec<String> = face.iter().map(|corner| format!("{corner:?}")).collect();
                    let least = (0..face.len()).min_by_key(|&place| face[place].vertex).unwrap_or(0);
                    ring.rotate_left(least);
                    ring
                };
                polygons.faces().map(ring).collect()
            };
            assert_eq!(canonical(&again), canonical(&polygons), "{place}");
            assert_eq!(again.hard_edges, polygons.hard_edges, "{place}");
            assert_eq!(again.materials, polygons.materials, "{place}");
            objects += 1;
            same += usize::from(built.mesh.edges == object.mesh.edges);
        }
    }
    eprintln!(
        "{objects} objects come back; {same} of them with the very same numbers of edges; {double} with double edges left out"
    );
}

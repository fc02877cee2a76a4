//! Building meshes from polygons.

use crate::shapes;

use std::time::Instant;

use mapwright_vmap::Mesh;
use mapwright_vmap::mesh::{BuildOptions, Built, Hardness, Problem, Repair, Soup, Stream, StreamData};
use proptest::prelude::*;
use shapes::{distinct_positions, graphs, grid, meshes, quad, soup, torus};

/// Builds a mesh, asserts that it has no findings, and counts its open edges.
fn build(soup: &Soup, repair: Repair) -> (Built, usize) {
    let built = Mesh::build(soup, &BuildOptions::default().with_repair(repair));
    let flaws: Vec<String> = built.mesh.check().iter().map(ToString::to_string).collect();
    assert!(flaws.is_empty(), "{flaws:#?}");
    let polygons = built.mesh.polygons().unwrap();
    let mut edges: Vec<[u32; 2]> = polygons.edges().map(|edge| edge.vertices).collect();
    edges.iter_mut().for_each(|edge| edge.sort_unstable());
    edges.sort_unstable();
    assert!(edges.windows(2).all(|two| two[0] != two[1]), "two edges between the same vertices");
    let open = built.mesh.edge_face_indices.iter().filter(|&&face| face < 0).count();
    (built, open)
}

/// Returns the faces of a mesh by the vertices of the soup, with their faces in the soup.
fn faces(built: &Built) -> Vec<(u32, Vec<u32>)> {
    let polygons = built.mesh.polygons().unwrap();
    let vertices =
        |face: &[mapwright_vmap::mesh::Corner]| face.iter().map(|c| built.vertices[c.vertex as usize]).collect();
    built.faces.iter().copied().zip(polygons.iter().map(vertices)).collect()
}

#[test]
fn the_published_quad_is_built() {
    let expected = quad();
    let positions = expected.polygons().unwrap().positions().unwrap();
    let (built, _) = build(&soup(&positions, &[&[0, 1, 3, 2]]), Repair::default());
    let mesh = built.mesh;
    assert_eq!(mesh.vertex_edge_indices, expected.vertex_edge_indices);
    assert_eq!(mesh.vertex_data_indices, expected.vertex_data_indices);
    assert_eq!(mesh.edge_vertex_indices, expected.edge_vertex_indices);
    assert_eq!(mesh.edge_opposite_indices, expected.edge_opposite_indices);
    assert_eq!(mesh.edge_next_indices, expected.edge_next_indices);
    assert_eq!(mesh.edge_face_indices, expected.edge_face_indices);
    assert_eq!(mesh.edge_data_indices, expected.edge_data_indices);
    assert_eq!(mesh.face_edge_indices, expected.face_edge_indices);
    assert_eq!(mesh.face_data_indices, expected.face_data_indices);
    // The numbering of corners may be any permutation.
    assert_eq!(mesh.edge_vertex_data_indices, [0, 1, 2, 3, 4, 5, 6, 7]);
    assert_eq!(mesh.subdivision_data.levels, [0; 8]);
    assert_eq!(mesh.materials, [b"materials/dev/reflectivity_30.vmat"]);
    let names = |data: &mapwright_vmap::mesh::DataArray| {
        let names: Vec<String> = data.streams.iter().map(|s| String::from_utf8(s.name.clone()).unwrap()).collect();
        names.join(" ")
    };
    assert_eq!(names(&mesh.vertex_data), "position:0");
    assert_eq!(names(&mesh.face_vertex_data), "texcoord:0 normal:0 tangent:0");
    assert_eq!(names(&mesh.edge_data), "flags:0");
    let six = "textureScale:0 textureAxisU:0 textureAxisV:0 materialindex:0 flags:0 lightmapScaleBias:0";
    assert_eq!(names(&mesh.face_data), six);
    // A quarter unit per texel of 512. The tangent is +X, and V is opposite to the cross product.
    let polygons = mesh.polygons().unwrap();
    let corner = polygons.face(0)[2].corner as usize;
    assert_eq!(polygons.texcoords(0).unwrap()[corner], [0.5, -0.5]);
    assert_eq!(polygons.normals().unwrap()[corner], [0.0, 0.0, 1.0]);
    assert_eq!(polygons.tangents().unwrap()[corner], [1.0, 0.0, 0.0, -1.0]);
    assert_eq!(polygons.tangents().unwrap()[1], [0.0; 4], "corners of open sides are zero");
}

const CUBE: [&[u32]; 6] = [&[0, 2, 3, 1], &[4, 5, 7, 6], &[0, 1, 5, 4], &[2, 6, 7, 3], &[0, 4, 6, 2], &[1, 3, 7, 5]];

fn cube() -> Soup {
    let place = |n: u8| [n & 1, n >> 1 & 1, n >> 2].map(|bit| f32::from(bit) * 64.0);
    soup(&std::array::from_fn::<_, 8, _>(|n| place(u8::try_from(n).unwrap())), &CUBE)
}

#[test]
fn closed_surfaces_have_no_open_edge() {
    let (built, open) = build(&cube(), Repair::default());
    assert_eq!((open, built.mesh.edge_face_indices.len(), built.problems.len()), (0, 24, 0));
    let mesh = &built.mesh;
    let polygons = mesh.polygons().unwrap();
    for (face, corners) in polygons.iter().enumerate() {
        assert_eq!(corners.iter().map(|c| c.vertex).collect::<Vec<_>>(), CUBE[face]);
        // The edges of a cube are hard.
        let normals = corners.iter().map(|c| polygons.normals().unwrap()[c.corner as usize]);
        assert!(normals.clone().all(|normal| normal == normals.clone().next().unwrap()));
    }
    let (built, open) = build(&torus(24, 12), Repair::LeaveOut);
    assert_eq!((open, built.mesh.face_edge_indices.len(), built.problems.len()), (0, 288, 0));
    // 15 and 30 degrees are smooth, so all corners at a vertex share a normal.
    let polygons = built.mesh.polygons().unwrap();
    let mut normals = vec![None; 288];
    for corner in polygons.corners() {
        let normal = polygons.normals().unwrap()[corner.corner as usize];
        assert_eq!(*normals[corner.vertex as usize].get_or_insert(normal), normal);
    }
}

#[test]
fn marked_edges_split_and_join_normals() {
    let mut cube = cube();
    cube.edges = vec![([0, 1], Hardness::SOFT), ([3, 1], Hardness::HARD)];
    let (built, _) = build(&cube, Repair::default());
    let polygons = built.mesh.polygons().unwrap();
    let marked: Vec<_> = polygons.edges().filter(|edge| edge.hardness != Hardness::AUTOMATIC).collect();
    assert_eq!(marked.len(), 2);
    let normal = |face: usize, vertex: u32| {
        let corner = polygons.face(face).iter().find(|c| c.vertex == vertex).unwrap();
        polygons.normals().unwrap()[corner.corner as usize]
    };
    assert_eq!(normal(0, 0), normal(2, 0));
    assert_ne!(normal(0, 3), normal(5, 3));
    assert!((normal(0, 1)[1] + 0.5_f32.sqrt()).abs() < 1e-6);
}

#[test]
fn building_a_large_terrain_is_fast() {
    let terrain = grid(316);
    let start = Instant::now();
    let built = Mesh::build(&terrain, &BuildOptions::default());
    println!("{} faces in {:?}", built.faces.len(), start.elapsed());
    assert_eq!((built.faces.len(), built.problems.len()), (316 * 316, 0));
    assert!(built.mesh.check().is_empty());
}

/// Builds with both repairs. Returns the problems, the number of added vertices, and the number of remaining faces.
fn repaired(faces: &[&[u32]]) -> (Vec<Problem>, usize, usize) {
    let vertices = faces.iter().flat_map(|face| face.iter()).max().unwrap() + 1;
    let soup = soup(&distinct_positions(vertices), faces);
    let (split, _) = build(&soup, Repair::SplitVertices);
    assert_eq!(split.faces.len(), faces.len());
    for (face, vertices) in self::faces(&split) {
        assert_eq!(vertices, faces[face as usize]);
    }
    let (shared, _) = build(&soup, Repair::ShareVertices);
    let touching = split.problems.iter().filter(|problem| matches!(problem, Problem::NotJoined { .. })).count();
    assert!(shared.vertices.len() <= split.vertices.len());
    if touching == split.problems.len() {
        assert_eq!(shared.vertices.len(), vertices as usize);
    }
    let (left, _) = build(&soup, Repair::LeaveOut);
    (split.problems, split.vertices.len() - vertices as usize, left.faces.len())
}

#[test]
fn the_four_topology_problems_are_reported_and_repaired() {
    // Three faces at an edge.
    let full = Problem::EdgeFull { face: 2, edge: [0, 1] };
    assert_eq!(repaired(&[&[0, 1, 2], &[1, 0, 3], &[0, 1, 4]]), (vec![full], 2, 2));
    // Two faces on the same side.
    let full = Problem::EdgeFull { face: 1, edge: [0, 1] };
    assert_eq!(repaired(&[&[0, 1, 2], &[0, 1, 3]]), (vec![full], 2, 1));
    // A face at the tip of a pyramid.
    let closed = Problem::VertexClosed { face: 4, vertex: 0 };
    let pyramid: [&[u32]; 5] = [&[0, 1, 2], &[0, 2, 3], &[0, 3, 4], &[0, 4, 1], &[0, 5, 6]];
    assert_eq!(repaired(&pyramid), (vec![closed], 1, 4));
    // A bow-tie.
    let alone = Problem::NotJoined { face: 1, vertex: 0 };
    assert_eq!(repaired(&[&[0, 1, 2], &[0, 3, 4]]), (vec![alone], 1, 1));
    // The tip of a pyramid at a face.
    let between = Problem::EdgesBetween { face: 1, vertex: 0 };
    let pyramid: [&[u32]; 5] = [&[0, 5, 6], &[0, 1, 2], &[0, 2, 3], &[0, 3, 4], &[0, 4, 1]];
    assert_eq!(repaired(&pyramid), (vec![between], 1, 1));
    // Faces that later faces connect are no problem in any order.
    assert_eq!(repaired(&[&[0, 1, 2], &[0, 3, 4], &[0, 2, 3]]), (vec![], 0, 3));
}

#[test]
fn a_moebius_strip_is_cut() {
    let quads: Vec<[u32; 4]> = (0..8).map(|n| [2 * n, 2 * n + 2, 2 * n + 3, 2 * n + 1]).collect();
    let mut faces: Vec<&[u32]> = quads.iter().map(<[u32; 4]>::as_slice).collect();
    // The last quad connects with a half twist.
    let last = [16, 1, 0, 17];
    faces.push(&last);
    let (problems, added, left) = repaired(&faces);
    assert_eq!(problems, [Problem::EdgeFull { face: 8, edge: [0, 1] }]);
    assert_eq!((added, left), (2, 8));
}

#[test]
fn no_two_edges_connect_the_same_vertices() {
    // A fin and a tetrahedron at its edge: the wrong pairing would give the edge 0–1 twice.
    let (problems, added, left) = repaired(&[&[0, 1, 4], &[0, 1, 2], &[0, 2, 3], &[0, 3, 1], &[2, 1, 3]]);
    assert_eq!(problems, [Problem::EdgeFull { face: 1, edge: [0, 1] }]);
    assert!(added > 0 && left == 4);
}

#[test]
fn a_face_with_a_hole_has_both_sides_of_an_edge() {
    let place = |x: i16, y: i16| [f32::from(x), f32::from(y), 0.0];
    let square = |r: i16| [place(-r, -r), place(r, -r), place(r, r), place(-r, r)];
    let frame: &[u32] = &[0, 1, 2, 3, 0, 4, 7, 6, 5, 4];
    let both = soup(&[square(64), square(16)].concat(), &[frame, &[4, 5, 6, 7]]);
    let (built, open) = build(&both, Repair::LeaveOut);
    assert_eq!((built.problems.as_slice(), open), ([].as_slice(), 4));
    assert_eq!(faces(&built), [(0, frame.to_vec()), (1, vec![4, 5, 6, 7])]);
}

#[test]
fn invalid_faces_are_repaired_or_left_out() {
    let mut soup = soup(
        &distinct_positions(9),
        &[&[0, 0, 1, 2], &[0, 1], &[], &[3, 4, 5, 3, 6, 7], &[3, 4, 9], &[5, 5, 5], &[0, 1, 0, 1], &[0, 2, 1, 0, 0]],
    );
    let (built, _) = build(&soup, Repair::default());
    use Problem::*;
    let expected = [
        RepeatedVertex { face: 0, vertex: 0 },
        TooFewCorners { face: 1 },
        TooFewCorners { face: 2 },
        NoSuchVertex { face: 4, vertex: 9 },
        RepeatedVertex { face: 5, vertex: 5 },
        RepeatedVertex { face: 5, vertex: 5 },
        TooFewCorners { face: 5 },
        TooFewCorners { face: 6 },
        RepeatedVertex { face: 7, vertex: 0 },
        RepeatedVertex { face: 7, vertex: 0 },
        NotJoined { face: 3, vertex: 3 },
        UnusedVertex { vertex: 8 },
    ];
    assert_eq!(built.problems, expected);
    assert_eq!(faces(&built), [(0, vec![0, 1, 2]), (3, vec![3, 4, 5, 3, 6, 7]), (7, vec![0, 2, 1])]);
    // Invalid indices and columns.
    soup.ends = vec![50, 3, 7, usize::MAX];
    soup.face_materials = vec![9];
    soup.corner_streams = vec![Stream::new("texcoord", 0, StreamData::Vector2(vec![]))];
    soup.corner_streams.push(Stream::new("normal", 0, StreamData::Int(vec![])));
    soup.face_streams = vec![Stream::new("flags", 0, StreamData::Float(vec![]))];
    build(&soup, Repair::default());
    build(&Soup::default(), Repair::default());
}

#[test]
fn only_used_materials_are_listed() {
    let mut soup = soup(&distinct_positions(6), &[&[0, 1, 2], &[2, 1, 3], &[2, 3, 4], &[4, 3, 5]]);
    soup.materials = ["a", "b", "", "b"].map(|name| name.as_bytes().to_vec()).to_vec();
    soup.face_materials = vec![3, 2, 1, 7];
    let built = Mesh::build(&soup, &BuildOptions::default().with_material("d"));
    assert_eq!(built.mesh.materials, [b"b", b"d"]);
    assert_eq!(built.mesh.polygons().unwrap().materials(), [Some(0), Some(1), Some(0), Some(1)]);
}

/// Real meshes survive a conversion to a soup and back, except for the numbering.
#[test]
#[ignore = "needs the corpus"]
fn corpus_meshes_are_rebuilt() {
    for (name, _, graph) in graphs() {
        for element in meshes(&graph) {
            let mesh = Mesh::from_element(element).unwrap();
            let soup = mesh.polygons().unwrap().to_soup();
            let (built, open) = build(&soup, Repair::ShareVertices);
            assert_eq!(built.problems, [], "{name}, {element:?}");
            assert_eq!(open, mesh.edge_face_indices.iter().filter(|&&face| face < 0).count());
            let mut again = built.mesh.polygons().unwrap().to_soup();
            let sort = |soup: &mut Soup| {
                soup.edges.iter_mut().for_each(|(edge, _)| edge.sort_unstable());
                soup.edges.sort_unstable();
            };
            let mut soup = soup;
            sort(&mut soup);
            sort(&mut again);
            // Skinned meshes have blend weights first.
            let order = |soup: &mut Soup| soup.corner_streams.sort_by(|a, b| a.name.cmp(&b.name));
            order(&mut soup);
            order(&mut again);
            assert!(again == soup, "{name}, {element:?}");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    /// Any polygons give a mesh without findings that has all faces without a reported problem.
    #[test]
    fn any_soup_gives_a_valid_mesh(
        count in 3..12_u32,
        picks in prop::collection::vec(prop::collection::vec(0..13_u32, 0..6), 0..24),
        turn in prop::collection::vec(any::<bool>(), 24),
        repair in prop::sample::select(vec![Repair::SplitVertices, Repair::ShareVertices, Repair::LeaveOut]),
    ) {
        let mut input = soup(&distinct_positions(count), &[]);
        for (mut face, turn) in picks.into_iter().zip(turn) {
            // Mostly nearby vertices, so that faces share edges.
            if turn {
                face = face.first().map(|&n| vec![n % count, (n + 1) % count, (n + 2) % count]).unwrap_or_default();
            }
            input.push_face(&face);
        }
        let built = Mesh::build(&input, &BuildOptions::default().with_repair(repair));
        // Random polygons can have no area.
        let flaws: Vec<_> = built.mesh.check().into_iter().filter(|flaw| flaw.code != "mesh-flat").collect();
        prop_assert!(flaws.is_empty(), "{flaws:?}");
        // No two edges between the same vertices.
        let polygons = built.mesh.polygons().unwrap();
        let mut edges: Vec<_> = polygons.edges().map(|edge| { let [a, b] = edge.vertices; [a.min(b), a.max(b)] }).collect();
        edges.sort_unstable();
        let edge_count = edges.len();
        edges.dedup();
        prop_assert_eq!(edge_count, edges.len());
        // A walk around a vertex visits all its corners.
        let mesh = &built.mesh;
        let twin = |half: i32| usize::try_from(half ^ 1).unwrap();
        for vertex in 0..mesh.vertex_edge_indices.len() {
            let corners = polygons.corners().iter().filter(|c| c.vertex as usize == vertex).count();
            let (start, mut met) = (mesh.vertex_edge_indices[vertex], 0);
            let mut half = start;
            loop {
                met += usize::from(mesh.edge_face_indices[twin(half)] >= 0);
                half = mesh.edge_next_indices[twin(half)];
                if half == start {
                    break;
                }
            }
            prop_assert_eq!(corners, met);
        }
        // Faces without a reported problem are present in order.
        let odd = |face: u32| built.problems.iter().any(|problem| match *problem {
            Problem::RepeatedVertex { face: other, .. } | Problem::TooFewCorners { face: other } | Problem::NoSuchVertex { face: other, .. } => face == other,
            _ => false,
        });
        let found = faces(&built);
        if repair != Repair::LeaveOut {
            let starts = [0].into_iter().chain(input.ends.iter().copied());
            let sides = starts.zip(&input.ends).map(|(start, &end)| input.vertices[start..end].to_vec());
            let all: Vec<(u32, Vec<u32>)> = (0..).zip(sides).filter(|(face, _)| !odd(*face)).collect();
            let whole: Vec<(u32, Vec<u32>)> = found.iter().filter(|(face, _)| !odd(*face)).cloned().collect();
            prop_assert_eq!(whole, all);
        } else {
            prop_assert!(built.vertices.windows(2).all(|two| two[0] < two[1]), "nothing was split");
        }
    }
}

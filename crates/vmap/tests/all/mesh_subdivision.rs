//! Displacement grids.

use crate::shapes;

use mapwright_vmap::Mesh;
use mapwright_vmap::mesh::{BuildOptions, Projection, Repair, Soup, Stream, StreamData};
use shapes::{graphs, meshes, quad};

/// Returns the quad with grids of a level. The displacement is a function of the sample.
fn displaced(level: i32, displacement: impl Fn(usize) -> [f32; 3]) -> Mesh {
    let mut mesh = quad();
    for half in [0, 2, 4, 6] {
        let corner = usize::try_from(mesh.edge_vertex_data_indices[half]).unwrap();
        mesh.subdivision_data.levels[corner] = level;
    }
    let side = (1_usize << (level - 1)) + 1;
    let samples = (0..4 * side * side).map(displacement).collect();
    mesh.subdivision_data.streams = vec![Stream::new("displacement", 0, StreamData::Vector3(samples))];
    mesh
}

fn flat(_: usize) -> [f32; 3] {
    [0.0; 3]
}

fn bounds(soup: &Soup, axis: usize) -> (f32, f32) {
    let values = soup.positions.iter().map(|place| place[axis]);
    (values.clone().fold(f32::INFINITY, f32::min), values.fold(f32::NEG_INFINITY, f32::max))
}

/// Builds the mesh of a soup, and asserts that it needs no repair.
fn whole(soup: &Soup) -> Mesh {
    let built = Mesh::build(soup, &BuildOptions::default());
    assert_eq!((built.problems, built.mesh.check()), (vec![], vec![]));
    built.mesh
}

#[test]
fn levels_have_the_published_number_of_samples() {
    for (level, samples) in [(1, 4), (2, 9), (3, 25), (5, 289)] {
        let mesh = displaced(level, flat);
        let grids = mesh.subdivision_data.grids().unwrap();
        let found: Vec<_> = grids.iter().flatten().map(|grid| grid.samples.clone()).collect();
        assert_eq!(found, [0, 1, 2, 3].map(|n| n * samples..(n + 1) * samples));
        assert!(grids[0].is_none() && grids[1].is_some());
    }
    let mut mesh = displaced(2, flat);
    mesh.subdivision_data.levels[1] = 40;
    assert_eq!(mesh.subdivision_data.grids(), None);
    assert_eq!(mesh.polygons().unwrap().subdivided(), None);
    assert_eq!(quad().polygons().unwrap().subdivided(), None);
}

#[test]
fn shared_corners_have_no_grids() {
    let mut mesh = displaced(3, flat);
    assert!(mesh.polygons().unwrap().subdivided().is_some());
    mesh.edge_vertex_data_indices.fill(1);
    assert!(mesh.subdivision_data.grids().is_some());
    assert_eq!(mesh.polygons().unwrap().subdivided(), None);
}

#[test]
fn a_flat_quad_becomes_a_grid_of_quads() {
    for level in 1..5 {
        let mesh = displaced(level, flat);
        let soup = mesh.polygons().unwrap().subdivided().unwrap();
        let side = 1_usize << level;
        assert_eq!((soup.ends.len(), soup.positions.len()), (side * side, (side + 1) * (side + 1)));
        assert_eq!([0, 1, 2].map(|axis| bounds(&soup, axis)), [(-64.0, 64.0), (-64.0, 64.0), (0.0, 0.0)]);
        assert_eq!(soup.positions[..4], mesh.polygons().unwrap().positions().unwrap());
        let again = whole(&soup);
        let polygons = again.polygons().unwrap();
        assert!(polygons.normals().unwrap().iter().all(|normal| *normal == [0.0, 0.0, 1.0] || *normal == [0.0; 3]));
        assert_eq!(polygons.edges().filter(|edge| edge.faces.contains(&None)).count(), 4 * side);
    }
}

#[test]
fn displacement_changes_positions_and_normals() {
    // The last sample of every grid is at the centre of the face.
    let mesh = displaced(1, |sample| [0.0, 0.0, if sample % 4 == 3 { 64.0 } else { 0.0 }]);
    let soup = mesh.polygons().unwrap().subdivided().unwrap();
    assert_eq!((soup.positions.len(), bounds(&soup, 2)), (9, (0.0, 64.0)));
    let tip = soup.positions.iter().position(|place| place[2] == 64.0).unwrap();
    assert_eq!(soup.positions[tip], [0.0, 0.0, 64.0]);
    let again = whole(&soup);
    let polygons = again.polygons().unwrap();
    for corner in polygons.corners() {
        let [x, y, z] = polygons.normals().unwrap()[corner.corner as usize];
        if corner.vertex as usize == tip {
            assert_eq!([x, y, z], [0.0, 0.0, 1.0]);
        } else {
            let [px, py, _] = soup.positions[corner.vertex as usize];
            assert!(z < 1.0 && x * px + y * py > 0.0, "outwards");
        }
    }
}

#[test]
fn samples_run_from_the_corner_to_the_next_and_previous_one() {
    let mut mesh = displaced(2, flat);
    // Use the index of each sample as its coordinate.
    let number = |n: u16| [f32::from(n), 0.0];
    mesh.subdivision_data.streams.push(Stream::new("texcoord", 0, StreamData::Vector2((0..36).map(number).collect())));
    let soup = mesh.polygons().unwrap().subdivided().unwrap();
    let StreamData::Vector2(uvs) = &soup.corner_streams[0].data else { panic!() };
    let place = |sample: f32| {
        let corner = uvs.iter().position(|uv| uv[0] == sample).unwrap();
        soup.positions[soup.vertices[corner] as usize]
    };
    // The grids of corners 1, 3, 5 and 7 are consecutive; their vertices are 1, 3, 2 and 0. Vertex 3 follows vertex 1, vertex 0 precedes it.
    assert_eq!(place(0.0), [64.0, -64.0, 0.0]);
    assert_eq!(place(2.0), [64.0, 0.0, 0.0]);
    assert_eq!(place(6.0), [0.0, -64.0, 0.0]);
    assert_eq!(place(8.0), [0.0; 3]);
    assert_eq!([place(9.0), place(18.0), place(27.0)], [[64.0, 64.0, 0.0], [-64.0, 64.0, 0.0], [-64.0, -64.0, 0.0]]);
}

/// Texture coordinates of real samples match computed positions.
#[test]
#[ignore = "needs the corpus"]
fn samples_of_corpus_maps_match_interpolated_positions() {
    let (mut checked, mut samples) = (0, 0);
    for (name, _, graph) in graphs() {
        for element in meshes(&graph) {
            let mesh = Mesh::from_element(element).unwrap();
            let polygons = mesh.polygons().unwrap();
            let Some(soup) = polygons.subdivided() else { continue };
            let StreamData::Vector2(uvs) = &soup.corner_streams[0].data else { panic!("{name}") };
            let place = |vertex: u32| soup.positions[vertex as usize].map(f64::from);
            // The mapping of a whole face predicts the coordinates of all its samples.
            let mut parts = 0..soup.ends.len();
            for face in polygons.iter() {
                let level = mesh.subdivision_data.levels[face[0].corner as usize];
                let count = if level == 0 { 1 } else { face.len() << (2 * (level - 1)) };
                let ends = face
                    .iter()
                    .map(|c| (place(c.vertex), polygons.texcoords(0).unwrap()[c.corner as usize].map(f64::from)));
                let fit = Projection::fit(&ends.collect::<Vec<_>>(), [512.0; 2]).unwrap();
                for part in parts.by_ref().take(count) {
                    let end = soup.ends[part];
                    if level > 0 && fit.residual < 0.01 {
                        for (&vertex, uv) in soup.vertices[..end].iter().zip(&uvs[..end]).rev().take(4) {
                            let found = fit.projection.project(place(vertex), [512.0; 2]).unwrap();
                            let far = (0..2).map(|c| (found[c] - f64::from(uv[c])).abs() * 512.0).fold(0.0, f64::max);
                            assert!(far < 0.02, "{name}, {element:?}: {far} texels");
                            samples += 1;
                        }
                    }
                }
            }
            assert!(parts.is_empty());
            checked += 1;
            let built = Mesh::build(&soup, &BuildOptions::default().with_repair(Repair::ShareVertices));
            assert_eq!(built.mesh.check(), [], "{name}");
            assert_eq!(built.faces.len(), soup.ends.len());
        }
    }
    println!("{checked} meshes, {samples} corners at samples");
}

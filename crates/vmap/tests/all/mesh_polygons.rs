//! Polygons of meshes.

use crate::shapes;

use mapwright_vmap::Mesh;
use mapwright_vmap::mesh::{Edge, Hardness, LoopError, StreamData};
use shapes::quad;

#[test]
fn corners_of_a_quad_are_counter_clockwise() {
    let mesh = quad();
    let polygons = mesh.polygons().unwrap();
    assert_eq!((polygons.len(), polygons.corners().len()), (1, 4));
    let corners: Vec<[u32; 3]> = polygons.face(0).iter().map(|c| [c.vertex, c.corner, c.half_edge]).collect();
    assert_eq!(corners, [[0, 7, 6], [1, 1, 0], [3, 3, 2], [2, 5, 4]]);
    assert_eq!(polygons.face(1), []);
    assert_eq!(polygons.positions().unwrap()[3], [64.0, 64.0, 0.0]);
    assert_eq!((polygons.texcoords(0).unwrap().len(), polygons.texcoords(1)), (8, None));
    assert_eq!(polygons.materials(), [Some(0)]);
    let edges: Vec<Edge> = polygons.edges().collect();
    assert_eq!(edges[1], Edge { vertices: [1, 3], faces: [Some(0), None], hardness: Hardness::HARD });
    assert_eq!([edges[0], edges[2], edges[3]].map(|edge| edge.hardness.0), [0, 2, 9]);
}

#[test]
fn data_indices_are_applied() {
    let mut mesh = quad();
    mesh.vertex_data_indices = vec![3, 2, 1, 0];
    mesh.materials.clear();
    let polygons = mesh.polygons().unwrap();
    assert_eq!(polygons.positions().unwrap()[0], [64.0, 64.0, 0.0]);
    assert_eq!(polygons.materials(), [None]);
    mesh.face_vertex_data.streams[0].data = StreamData::Vector2(vec![[0.0; 2]; 7]);
    assert_eq!(mesh.polygons().unwrap().texcoords(0), None, "too short");
}

#[test]
fn broken_loops_are_errors() {
    let broken = |change: &dyn Fn(&mut Mesh)| {
        let mut mesh = quad();
        change(&mut mesh);
        mesh.polygons().unwrap_err()
    };
    assert_eq!(broken(&|m| m.edge_next_indices[2] = 2), LoopError::NoLoop { face: 0 });
    assert_eq!(broken(&|m| m.edge_next_indices[2] = 1), LoopError::NoLoop { face: 0 });
    assert_eq!(broken(&|m| m.edge_next_indices[0] = 6), LoopError::Degenerate { face: 0, corners: 2 });
    assert_eq!(broken(&|m| m.face_edge_indices[0] = 8), LoopError::Range { array: "faceEdgeIndices", index: 0 });
    assert_eq!(broken(&|m| m.edge_vertex_indices[5] = -1), LoopError::Range { array: "edgeVertexIndices", index: 5 });
    assert_eq!(broken(&|m| m.vertex_data.size = 3), LoopError::Range { array: "vertexDataIndices", index: 3 });
    assert_eq!(broken(&|m| m.edge_data_indices.truncate(7)), LoopError::Length { array: "edgeDataIndices" });
    let twice = |m: &mut Mesh| {
        m.face_edge_indices.push(6);
        m.face_data_indices.push(0);
    };
    assert_eq!(broken(&twice), LoopError::NoLoop { face: 1 });
}

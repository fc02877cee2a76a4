//! Meshes to test with.

use mapwright_vmap::Mesh;
use mapwright_vmap::mesh::{DataArray, Stream, StreamData};

/// The quad of the format's description, as Hammer numbers it: positions (−64 −64 0), (64 −64 0), (−64 64 0), (64 64 0).
pub(crate) fn quad() -> Mesh {
    let positions = vec![[-64.0, -64.0, 0.0], [64.0, -64.0, 0.0], [-64.0, 64.0, 0.0], [64.0, 64.0, 0.0]];
    let mut mesh = Mesh {
        vertex_edge_indices: vec![7, 1, 5, 3],
        vertex_data_indices: vec![0, 1, 2, 3],
        edge_vertex_indices: vec![1, 0, 3, 1, 2, 3, 0, 2],
        edge_opposite_indices: vec![1, 0, 3, 2, 5, 4, 7, 6],
        edge_next_indices: vec![2, 7, 4, 1, 6, 3, 0, 5],
        edge_face_indices: vec![0, -1, 0, -1, 0, -1, 0, -1],
        edge_data_indices: vec![0, 0, 1, 1, 2, 2, 3, 3],
        edge_vertex_data_indices: vec![1, 0, 3, 2, 5, 4, 7, 6],
        face_edge_indices: vec![6],
        face_data_indices: vec![0],
        materials: vec![b"materials/a.vmat".to_vec()],
        vertex_data: DataArray { size: 4, streams: vec![Stream::new("position", 0, StreamData::Vector3(positions))] },
        face_vertex_data: DataArray {
            size: 8,
            streams: vec![
                Stream::new("texcoord", 0, StreamData::Vector2(vec![[0.5; 2]; 8])),
                Stream::new("normal", 0, StreamData::Vector3(vec![[0.0, 0.0, 1.0]; 8])),
                Stream::new("tangent", 0, StreamData::Vector4(vec![[1.0, 0.0, 0.0, -1.0]; 8])),
            ],
        },
        edge_data: DataArray { size: 4, streams: vec![Stream::new("flags", 0, StreamData::Int(vec![0, 1, 2, 9]))] },
        face_data: DataArray {
            size: 1,
            streams: vec![
                Stream::new("textureScale", 0, StreamData::Vector2(vec![[0.25; 2]])),
                Stream::new("textureAxisU", 0, StreamData::Vector4(vec![[1.0, 0.0, 0.0, 0.0]])),
                Stream::new("textureAxisV", 0, StreamData::Vector4(vec![[0.0, -1.0, 0.0, 0.0]])),
                Stream::new("materialindex", 0, StreamData::Int(vec![0])),
                Stream::new("flags", 0, StreamData::Int(vec![0])),
                Stream::new("lightmapScaleBias", 0, StreamData::Int(vec![0])),
            ],
        },
        ..Mesh::default()
    };
    mesh.subdivision_data.levels = vec![0; 8];
    mesh
}

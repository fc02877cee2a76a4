//! Problems of meshes are found without panics and endless loops.

use crate::shapes;

use mapwright_vmap::Mesh;
use mapwright_vmap::io::Severity;
use mapwright_vmap::mesh::{Stream, StreamData};
use proptest::prelude::*;
use shapes::quad;

/// Returns the codes and paths of the findings after a change.
fn flaws(change: impl Fn(&mut Mesh)) -> Vec<String> {
    let mut mesh = quad();
    change(&mut mesh);
    mesh.check().iter().map(|flaw| format!("{} {}", flaw.code, flaw.path)).collect()
}

#[test]
fn every_invariant_is_checked() {
    assert_eq!(flaws(|_| {}), [""; 0]);
    assert_eq!(flaws(|m| m.edge_next_indices.truncate(7)), ["mesh-length edgeNextIndices"]);
    assert_eq!(flaws(|m| m.edge_vertex_indices[3] = 4), ["mesh-range edgeVertexIndices[3]"]);
    // 1 to 4
    assert_eq!(flaws(|m| m.edge_opposite_indices.swap(0, 1)), ["mesh-twin edgeOppositeIndices[0]"]);
    assert_eq!(flaws(|m| m.edge_data_indices.swap(1, 2)), ["mesh-order edgeDataIndices[1]"]);
    assert_eq!(flaws(|m| m.vertex_data_indices.swap(0, 3))[..1], ["mesh-order vertexDataIndices[0]"]);
    assert_eq!(flaws(|m| m.edge_vertex_data_indices[7] = 7), ["mesh-corner edgeVertexDataIndices[7]"]);
    // 5 and 6
    assert!(flaws(|m| m.edge_next_indices[0] = 4).contains(&"mesh-next edgeNextIndices[2]".to_owned()));
    assert_eq!(flaws(|m| m.edge_face_indices[2] = -1)[0], "mesh-next edgeNextIndices[0]");
    assert!(flaws(|m| m.edge_vertex_indices[0] = 2).contains(&"mesh-next edgeNextIndices[0]".to_owned()));
    // 7 and 8
    assert!(flaws(|m| m.edge_face_indices[4] = -1).contains(&"mesh-open-edge edgeFaceIndices[4]".to_owned()));
    assert_eq!(flaws(|m| m.face_edge_indices[0] = 1), ["mesh-loop faceEdgeIndices[0]"]);
    // 9
    assert_eq!(flaws(|m| m.vertex_edge_indices[2] = 0), ["mesh-vertex-edge vertexEdgeIndices[2]"]);
    assert_eq!(flaws(|m| m.vertex_edge_indices[2] = -1), ["mesh-isolated-vertex vertexEdgeIndices[2]"]);
    assert_eq!(flaws(|m| m.vertex_edge_indices[1] = 2), [""; 0], "any half-edge that leaves the vertex will do");
    // 10
    assert_eq!(
        flaws(|m| m.face_vertex_data.size = 9)[..2],
        ["mesh-size faceVertexData.size", "mesh-stream-length faceVertexData.streams[0]"]
    );
    assert_eq!(flaws(|m| drop(m.edge_data.streams.pop())), ["mesh-stream-missing edgeData"]);
    // 11
    let down = StreamData::Vector3(vec![[0.0, 0.0, -1.0]; 8]);
    assert_eq!(
        flaws(|m| m.face_vertex_data.stream_mut("normal:0").unwrap().data = down.clone()),
        ["mesh-winding faceEdgeIndices[0]"]
    );
    // 12
    assert_eq!(flaws(|m| m.materials.push(vec![])), ["mesh-material materials[1]", "mesh-material materials[1]"]);
    assert_eq!(flaws(|m| m.materials.clear()), ["mesh-material faceData[0]"]);
    // Data
    assert_eq!(
        flaws(|m| m.vertex_data.stream_mut("position:0").unwrap().data = StreamData::Vector3(vec![[f32::NAN; 3]; 4])),
        ["mesh-not-finite vertexData.streams[0]"]
    );
    assert_eq!(flaws(|m| m.vertex_data.streams[0].semantic_index = 1), ["mesh-stream-name vertexData.streams[0]"]);
    assert_eq!(
        flaws(|m| m.face_data.stream_mut("textureScale:0").unwrap().data = StreamData::Vector2(vec![[0.0, 1.0]])),
        ["mesh-texture-scale faceData[0]"]
    );
}

#[test]
fn samples_are_counted_in_64_bits() {
    let displaced = |level: i32, samples: usize| {
        move |m: &mut Mesh| {
            for half in [0, 2, 4, 6] {
                let corner = usize::try_from(m.edge_vertex_data_indices[half]).unwrap();
                m.subdivision_data.levels[corner] = level;
            }
            m.subdivision_data.streams =
                vec![Stream::new("displacement", 0, StreamData::Vector3(vec![[0.0; 3]; samples]))];
        }
    };
    assert_eq!(flaws(displaced(3, 100)), [""; 0]);
    assert_eq!(flaws(displaced(3, 99)), ["mesh-subdivision subdivisionData.streams[0]"]);
    for level in [31, 32, 33, 34, i32::MAX] {
        assert_eq!(flaws(displaced(level, 4)), ["mesh-subdivision subdivisionData.streams[0]"]);
    }
    // 4 · (2^16 + 1)² is 16 modulo 2^19 and more: in 32 bits some such sums are small.
    assert_eq!(flaws(displaced(17, 4 * 4)), ["mesh-subdivision subdivisionData.streams[0]"]);
    assert_eq!(flaws(displaced(-1, 0)), ["mesh-subdivision subdivisionData[1]"]);
    assert_eq!(flaws(|m| m.subdivision_data.levels[1] = 1), ["mesh-subdivision faceEdgeIndices[0]"]);
    assert_eq!(flaws(|m| m.subdivision_data.levels.truncate(3)), ["mesh-subdivision subdivisionData"]);
}

#[test]
fn errors_and_rejected_polygons_agree() {
    // All faces refer to the same long loop. A walk without checks would take quadratic time.
    let (halves, faces) = (20_000, 1000);
    let last = 19_999;
    let mut mesh = quad();
    mesh.edge_vertex_indices = vec![0; halves];
    mesh.edge_opposite_indices = vec![0; halves];
    mesh.edge_next_indices = (1..=last).chain([0]).collect();
    mesh.edge_face_indices = vec![0; halves];
    mesh.edge_data_indices = vec![0; halves];
    mesh.edge_vertex_data_indices = vec![0; halves];
    mesh.face_edge_indices = vec![0; faces];
    mesh.face_data_indices = vec![0; faces];
    assert!(mesh.check().iter().any(|flaw| flaw.severity == Severity::Error));
    assert!(mesh.polygons().is_err());
}

proptest! {
    /// With any numbers nothing panics or hangs, and meshes without an error have polygons.
    #[test]
    fn hostile_indices_are_checked(
        arrays in prop::collection::vec(prop::collection::vec(-2..9_i32, 8), 6),
        changes in prop::collection::vec((0..10_usize, 0..8_usize, -2..9_i32), 0..4),
        wild in any::<bool>(),
        levels in prop::collection::vec(prop::num::i32::ANY, 0..9),
        size in prop::num::i32::ANY,
    ) {
        let mut mesh = quad();
        if wild {
            let mut arrays = arrays.into_iter();
            mesh.edge_vertex_indices = arrays.next().unwrap();
            mesh.edge_next_indices = arrays.next().unwrap();
            mesh.edge_face_indices = arrays.next().unwrap();
            mesh.face_data.size = size;
            mesh.subdivision_data.levels = levels;
        }
        for (array, index, value) in changes {
            let array = match array {
                0 => &mut mesh.vertex_edge_indices,
                1 => &mut mesh.vertex_data_indices,
                2 => &mut mesh.edge_vertex_indices,
                3 => &mut mesh.edge_opposite_indices,
                4 => &mut mesh.edge_next_indices,
                5 => &mut mesh.edge_face_indices,
                6 => &mut mesh.edge_data_indices,
                7 => &mut mesh.edge_vertex_data_indices,
                8 => &mut mesh.face_edge_indices,
                _ => &mut mesh.face_data_indices,
            };
            if let Some(item) = array.get_mut(index) {
                *item = value;
            }
        }
        let flaws = mesh.check();
        prop_assert!(flaws.iter().any(|flaw| flaw.severity == Severity::Error) || mesh.polygons().is_ok());
        if let Ok(polygons) = mesh.polygons() {
            polygons.positions();
            polygons.materials();
            polygons.face_flags();
            polygons.edges().count();
        }
    }
}

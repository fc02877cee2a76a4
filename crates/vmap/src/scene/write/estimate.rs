//! Estimates the size of a map.

use mapwright_scene::{Content, Estimate, MeshCounts, Model};

use super::context::WriteContext;

/// Estimates the size of the map in bytes, and the memory for its elements.
pub(super) fn estimate(context: &WriteContext<'_, '_, '_>) -> Estimate {
    let scene = context.scene;
    let mut is_counted = vec![false; scene.meshes.len()];
    let (mut size, mut sides, mut instances) = (MeshCounts::default(), 0_u64, 0_u64);
    for reachable in &context.reachable {
        match &scene.nodes[reachable.id].content {
            content @ Content::Mesh(id) => {
                // A shared mesh is written once.
                let is_repeated =
                    context.groups.is_shared(content) && std::mem::replace(&mut is_counted[id.index()], true);
                if !is_repeated {
                    size = size + MeshCounts::from_mesh(&scene.meshes[*id]);
                }
            }
            Content::Brush(id) => sides = sides.saturating_add(scene.brushes[*id].sides.len() as u64),
            Content::Terrain(id) => {
                // Two triangles for every square between four heights.
                let [columns, rows] = scene.terrains[*id].size.map(|count| u64::from(count.saturating_sub(1)));
                let squares = MeshCounts::new(1, 2, 6);
                size = size + squares.times(columns.saturating_mul(rows));
            }
            Content::InstanceSet(id) => {
                let set = &scene.instance_sets[*id];
                instances = instances.saturating_add(set.transforms.len() as u64);
                for model in &set.models {
                    if let Model::Mesh(id) = model {
                        size = size + MeshCounts::from_mesh(&scene.meshes[*id]);
                    }
                }
            }
            _ => {}
        }
    }
    // A face corner stores six numbers of its half-edge, texture coordinates, a normal and a tangent. The memory includes all
    // intermediate forms; it was measured with a large heightmap.
    let estimate = Estimate::default().with(size.corners, 60, 250).with(size.vertices, 12, 86).with(size.faces, 4, 80);
    // A side of a brush has three corners or more. A node has some 20 attributes.
    let nodes = instances.saturating_add(context.reachable.len() as u64);
    estimate.with(sides, 180, 1000).with(nodes, 200, 2000)
}

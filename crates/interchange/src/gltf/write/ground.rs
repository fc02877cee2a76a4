//! The ground below instances.

use mapwright_scene::{Diagonal, NodeId, Scene, Terrain, TerrainId};

use super::terrain::height;

/// Terrains and nodes with the axes of the scene. Only these are used as ground.
#[derive(Default)]
pub(super) struct Ground {
    terrains: Vec<(TerrainId, [f64; 3])>,
    nodes: Vec<Option<[f64; 3]>>,
}

impl Ground {
    /// Collects the written terrains, if any instance follows the ground.
    pub(super) fn new(scene: &Scene, included: &[bool]) -> Self {
        let mut ground = Self::default();
        if !scene.instance_sets.items().iter().any(|set| set.on_ground.contains(&true)) {
            return ground;
        }
        ground.nodes = vec![None; scene.nodes.len()];
        for visit in scene.walk().filter(|visit| included.get(visit.id.index()) == Some(&true)) {
            if visit.world.linear() != [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]] {
                continue;
            }
            if let Some(origin) = ground.nodes.get_mut(visit.id.index()) {
                *origin = Some(visit.world.origin());
            }
            if let mapwright_scene::Content::Terrain(id) = visit.node.content {
                ground.terrains.push((id, visit.world.origin()));
            }
        }
        ground
    }

    /// Returns the height of the first terrain at a point of a node, in the space of the node.
    pub(super) fn height(&self, scene: &Scene, node: NodeId, [x, _, z]: [f64; 3]) -> Option<f64> {
        let [node_x, node_y, node_z] = (*self.nodes.get(node.index())?)?;
        self.terrains.iter().find_map(|(id, [at_x, at_y, at_z])| {
            let height = height_at(scene.terrains.get(*id)?, [x + node_x - at_x, z + node_z - at_z])?;
            Some(height + at_y - node_y)
        })
    }
}

/// Returns the height of a terrain at a point of its ground plane, on its triangles.
fn height_at(terrain: &Terrain, point: [f64; 2]) -> Option<f64> {
    let place = |axis: usize| -> Option<(u32, f64)> {
        let steps = point.get(axis)? / terrain.spacing.get(axis)?;
        let last = terrain.size.get(axis)?.checked_sub(1).filter(|&last| last > 0)?;
        if !(0.0..=f64::from(last)).contains(&steps) {
            return None;
        }
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // within the field
        let step = (steps as u32).min(last - 1);
        Some((step, steps - f64::from(step)))
    };
    let ((column, x), (row, z)) = (place(0)?, place(1)?);
    let at = |right: u32, down: u32| height(terrain, [column + right, row + down]);
    let [a, b, c, d] = [at(0, 0), at(1, 0), at(0, 1), at(1, 1)];
    Some(match terrain.diagonal {
        Diagonal::Main if x > z => a + (b - a) * x + (d - b) * z,
        Diagonal::Main => a + (d - c) * x + (c - a) * z,
        Diagonal::Anti if x + z <= 1.0 => a + (b - a) * x + (c - a) * z,
        Diagonal::Anti => d + (c - d) * (1.0 - x) + (b - d) * (1.0 - z),
    })
}

#[cfg(test)]
mod tests {
    use mapwright_scene::{Content, Heights, InstanceSet, Node, Transform};

    use super::*;

    fn terrain(diagonal: Diagonal) -> Terrain {
        Terrain {
            diagonal,
            cell_size: [0, 0],
            ..Terrain::new([3, 2], [10.0, -10.0], Heights::F32(vec![0.0, 1.0, 0.0, 2.0, 8.0, 0.0]))
        }
    }

    #[test]
    fn heights_lie_on_the_triangles() {
        for (diagonal, middle) in [(Diagonal::Main, 4.0), (Diagonal::Anti, 1.5)] {
            let terrain = terrain(diagonal);
            let at = |x, z| height_at(&terrain, [x, z]);
            assert_eq!([at(0.0, 0.0), at(10.0, 0.0), at(0.0, -10.0)], [Some(0.0), Some(1.0), Some(2.0)]);
            assert_eq!([at(10.0, -10.0), at(20.0, -10.0), at(5.0, -5.0)], [Some(8.0), Some(0.0), Some(middle)]);
            assert_eq!([at(-0.1, 0.0), at(20.1, 0.0), at(0.0, 1.0), at(f64::NAN, 0.0)], [None; 4]);
            // Heights on either side of the diagonal are close to those on it.
            let near = |x: f64, z: f64| (at(x, z).unwrap() - middle).abs() < 0.2;
            assert!([(5.01, -5.0), (4.99, -5.0), (5.0, -5.01), (5.0, -4.99)].iter().all(|&(x, z)| near(x, z)));
        }
    }

    #[test]
    fn terrains_and_sets_may_be_moved_but_not_turned() {
        let mut scene = Scene::default();
        let id = scene.terrains.push(terrain(Diagonal::Anti));
        scene.instance_sets.push(InstanceSet { on_ground: vec![true], ..InstanceSet::default() });
        let group = Node { transform: Transform::translation([100.0, 50.0, 0.0]), ..Node::new("", Content::Group) };
        let group = scene.add_node(None, group);
        scene.add_node(Some(group), Node::new("", Content::Terrain(id)));
        let set = Node { transform: Transform::translation([105.0, 0.0, 0.0]), ..Node::new("", Content::Group) };
        let set = scene.add_node(None, set);
        let rotation = [0.0, 1.0, 0.0, 0.0];
        let transform = Transform::Trs { translation: [0.0; 3], rotation, scale: [1.0; 3] };
        let turned = scene.add_node(None, Node { transform, ..Node::new("", Content::Group) });
        let ground = Ground::new(&scene, &[true; 4]);
        assert_eq!(ground.height(&scene, set, [5.0, 7.0, 0.0]), Some(51.0));
        assert_eq!(ground.height(&scene, set, [500.0, 7.0, 0.0]), None);
        assert_eq!(ground.height(&scene, turned, [105.0, 7.0, 0.0]), None);
        // A terrain that is not written is ignored.
        assert_eq!(Ground::new(&scene, &[true, false, true, true]).height(&scene, set, [5.0, 7.0, 0.0]), None);
    }
}

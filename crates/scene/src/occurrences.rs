//! The number of times that each item of a scene occurs.

use std::ops::Add;

use crate::{Content, Id, MaterialId, Mesh, Model, Node, NodeId, Scene, Terrain, TileLayer};

/// The number of times that each item of a scene occurs after all instances of nodes are expanded.
///
/// Numbers saturate. Items in an instance that contains itself occur [`u64::MAX`] times.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Occurrences {
    /// By node. A node that is an instance counts its target as well.
    pub nodes: Vec<u64>,
    /// By mesh: the nodes that contain it.
    pub meshes: Vec<u64>,
    /// By mesh: the rows of instance sets that contain it.
    pub mesh_instances: Vec<u64>,
    /// By brush.
    pub brushes: Vec<u64>,
    /// By terrain.
    pub terrains: Vec<u64>,
    /// By tile layer.
    pub tile_layers: Vec<u64>,
    /// By instance set.
    pub instance_sets: Vec<u64>,
}

/// The size of a scene after all instances of nodes are expanded. Numbers saturate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct ExpandedCounts {
    /// Number of nodes.
    pub nodes: u64,
    /// Number of rows of instance sets.
    pub instances: u64,
    /// Meshes of nodes.
    pub meshes: MeshCounts,
    /// Meshes of rows of instance sets.
    pub mesh_instances: MeshCounts,
    /// Number of sides of brushes.
    pub brush_sides: u64,
    /// Number of heights of terrains.
    pub heights: u64,
    /// Number of texture cells of terrains.
    pub texture_cells: u64,
    /// Number of cells of tile layers.
    pub tiles: u64,
    /// Number of bytes of the names of nodes and of their meshes.
    pub names: u64,
    /// Number of bytes of the names of materials, once for each face of a node's mesh and for each side of a brush.
    pub material_names: u64,
}

/// The size of meshes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct MeshCounts {
    /// Number of vertices.
    pub vertices: u64,
    /// Number of faces.
    pub faces: u64,
    /// Number of corners of faces.
    pub corners: u64,
}

impl MeshCounts {
    /// Creates a size from numbers of vertices, faces and corners.
    pub const fn new(vertices: u64, faces: u64, corners: u64) -> Self {
        Self { vertices, faces, corners }
    }

    /// Returns the size of one mesh.
    pub fn from_mesh(mesh: &Mesh) -> Self {
        let [vertices, faces, corners] =
            [mesh.positions.len(), mesh.faces.len(), mesh.faces.corners().len()].map(|count| count as u64);
        Self { vertices, faces, corners }
    }

    /// Returns the size of this many copies.
    #[must_use]
    pub fn times(self, copies: u64) -> Self {
        let [vertices, faces, corners] =
            [self.vertices, self.faces, self.corners].map(|count| count.saturating_mul(copies));
        Self { vertices, faces, corners }
    }
}

impl Add for MeshCounts {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self {
            vertices: self.vertices.saturating_add(other.vertices),
            faces: self.faces.saturating_add(other.faces),
            corners: self.corners.saturating_add(other.corners),
        }
    }
}

impl Scene {
    /// Counts how often each item occurs. Takes time and memory in proportion to the scene, not to its expanded instances.
    pub fn occurrences(&self) -> Occurrences {
        self.occurrences_where(|_| true)
    }

    /// Like [`occurrences`](Self::occurrences), without the nodes that the filter rejects and their descendants.
    pub fn occurrences_where(&self, filter: impl Fn(&Node) -> bool) -> Occurrences {
        let nodes = self.copies(&filter);
        let mut shown = Occurrences {
            meshes: vec![0; self.meshes.len()],
            mesh_instances: vec![0; self.meshes.len()],
            brushes: vec![0; self.brushes.len()],
            terrains: vec![0; self.terrains.len()],
            tile_layers: vec![0; self.tile_layers.len()],
            instance_sets: vec![0; self.instance_sets.len()],
            ..Occurrences::default()
        };
        for ((_, node), &copies) in self.nodes.iter().zip(&nodes) {
            match node.content {
                Content::Mesh(id) => add(&mut shown.meshes, id, copies),
                Content::Brush(id) => add(&mut shown.brushes, id, copies),
                Content::Terrain(id) => add(&mut shown.terrains, id, copies),
                Content::TileLayer(id) => add(&mut shown.tile_layers, id, copies),
                Content::InstanceSet(id) => add(&mut shown.instance_sets, id, copies),
                _ => {}
            }
        }
        for ((_, set), &copies) in self.instance_sets.iter().zip(&shown.instance_sets) {
            let mut rows = vec![0_u64; set.models.len()];
            for &model in set.model.iter().take(set.transforms.len()) {
                if let Some(rows) = rows.get_mut(model as usize) {
                    *rows += 1;
                }
            }
            for (model, rows) in set.models.iter().zip(rows) {
                if let Model::Mesh(id) = model {
                    add(&mut shown.mesh_instances, *id, rows.saturating_mul(copies));
                }
            }
        }
        shown.nodes = nodes;
        shown
    }

    /// Returns the number of copies of each node: the number of paths to it through children and instances.
    fn copies(&self, filter: &impl Fn(&Node) -> bool) -> Vec<u64> {
        let next = |id: NodeId| {
            let node = self.nodes.get(id).filter(|node| filter(node));
            let target = match node.map(|node| &node.content) {
                Some(Content::Instance(target)) => Some(*target),
                _ => None,
            };
            let below = node.map_or(&[][..], |node| &node.children);
            below.iter().copied().chain(target).filter(|next| self.nodes.get(*next).is_some())
        };
        // Count the ways into each reachable node, so that a node is finished before the nodes that it leads to.
        let mut reached = vec![false; self.nodes.len()];
        let mut ways = vec![0_u32; self.nodes.len()];
        let mut stack: Vec<NodeId> = self.roots.clone();
        while let Some(id) = stack.pop() {
            match reached.get_mut(id.index()) {
                Some(reached) if !*reached => *reached = true,
                _ => continue,
            }
            for next in next(id) {
                if let Some(ways) = ways.get_mut(next.index()) {
                    *ways = ways.saturating_add(1);
                }
                stack.push(next);
            }
        }
        let mut copies = vec![0_u64; self.nodes.len()];
        self.roots.iter().for_each(|root| add(&mut copies, *root, 1));
        let mut ready: Vec<NodeId> = self.nodes.ids().filter(|id| ways.get(id.index()) == Some(&0)).collect();
        ready.retain(|id| reached.get(id.index()) == Some(&true));
        let mut finished = vec![false; self.nodes.len()];
        while let Some(id) = ready.pop() {
            if let Some(finished) = finished.get_mut(id.index()) {
                *finished = true;
            }
            let own = copies.get(id.index()).copied().unwrap_or_default();
            for next in next(id) {
                add(&mut copies, next, own);
                if let Some(ways) = ways.get_mut(next.index()) {
                    *ways = ways.saturating_sub(1);
                    if *ways == 0 {
                        ready.push(next);
                    }
                }
            }
        }
        // A node that is never finished contains itself, or is contained in such a node.
        for ((id, node), copies) in self.nodes.iter().zip(&mut copies) {
            let [reached, finished] = [&reached, &finished].map(|flags| flags.get(id.index()) == Some(&true));
            *copies = match reached && filter(node) {
                true if finished => *copies,
                true => u64::MAX,
                false => 0,
            };
        }
        copies
    }
}

impl Occurrences {
    /// Counts every item at most once, for formats in which copies share their items.
    #[must_use]
    pub fn without_copies(mut self) -> Self {
        let Self { nodes, meshes, mesh_instances, brushes, terrains, tile_layers, instance_sets } = &mut self;
        for counts in [nodes, meshes, mesh_instances, brushes, terrains, tile_layers, instance_sets] {
            counts.iter_mut().for_each(|count| *count = (*count).min(1));
        }
        self
    }

    /// Returns the size of all items. `scene` must be the scene that was counted.
    pub fn counts(&self, scene: &Scene) -> ExpandedCounts {
        let meshes = |copies: &[u64]| {
            let sizes = scene.meshes.items().iter().zip(copies);
            sizes.map(|(mesh, &copies)| MeshCounts::from_mesh(mesh).times(copies)).fold(MeshCounts::default(), Add::add)
        };
        // An instance and its target become one node.
        let is_node = |node: &Node| match node.content {
            Content::Instance(target) => scene.nodes.get(target).is_none(),
            _ => true,
        };
        let nodes = scene.nodes.items();
        let material = |id: Option<MaterialId>| id.and_then(|id| scene.materials.get(id)).map_or(0, |m| m.name.len());
        let materials =
            |ids: &mut dyn Iterator<Item = Option<MaterialId>>| ids.map(material).fold(0, usize::saturating_add);
        let of_faces =
            sum(scene.meshes.items(), &self.meshes, |mesh| materials(&mut mesh.face_materials.iter().copied()));
        let of_sides = sum(scene.brushes.items(), &self.brushes, |brush| {
            materials(&mut brush.sides.iter().map(|side| side.material))
        });
        let of_nodes = sum(nodes, &self.nodes, |node| node.name.len());
        ExpandedCounts {
            names: of_nodes.saturating_add(sum(scene.meshes.items(), &self.meshes, |mesh| mesh.name.len())),
            material_names: of_faces.saturating_add(of_sides),
            nodes: sum(nodes, &self.nodes, |node| usize::from(is_node(node))),
            instances: sum(scene.instance_sets.items(), &self.instance_sets, |set| set.transforms.len()),
            meshes: meshes(&self.meshes),
            mesh_instances: meshes(&self.mesh_instances),
            brush_sides: sum(scene.brushes.items(), &self.brushes, |brush| brush.sides.len()),
            heights: sum(scene.terrains.items(), &self.terrains, |terrain: &Terrain| terrain.heights.len()),
            texture_cells: sum(scene.terrains.items(), &self.terrains, |terrain| terrain.cells.len()),
            tiles: sum(scene.tile_layers.items(), &self.tile_layers, |layer: &TileLayer| layer.cells.len()),
        }
    }
}

fn add<T>(counts: &mut [u64], id: Id<T>, more: u64) {
    if let Some(count) = counts.get_mut(id.index()) {
        *count = count.saturating_add(more);
    }
}

fn sum<T>(items: &[T], copies: &[u64], size: impl Fn(&T) -> usize) -> u64 {
    let sizes = items.iter().zip(copies).map(|(item, copies)| (size(item) as u64).saturating_mul(*copies));
    sizes.fold(0, u64::saturating_add)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{InstanceSet, InstanceTransforms, MeshId};

    /// Counts copies by creating them.
    fn expand(scene: &Scene, id: NodeId, nodes: &mut Vec<NodeId>) {
        nodes.push(id);
        let node = &scene.nodes[id];
        if let Content::Instance(target) = node.content {
            expand(scene, target, nodes);
        }
        node.children.iter().for_each(|child| expand(scene, *child, nodes));
    }

    fn expected(scene: &Scene) -> ExpandedCounts {
        let mut all = Vec::new();
        scene.roots.iter().for_each(|root| expand(scene, *root, &mut all));
        let mut counts = ExpandedCounts::default();
        for id in all {
            match &scene.nodes[id].content {
                Content::Instance(_) => continue,
                Content::Mesh(id) => counts.meshes = counts.meshes + MeshCounts::from_mesh(&scene.meshes[*id]),
                Content::InstanceSet(id) => {
                    let set = &scene.instance_sets[*id];
                    counts.instances += set.transforms.len() as u64;
                    for model in &set.model {
                        if let Model::Mesh(id) = set.models[*model as usize] {
                            counts.mesh_instances = counts.mesh_instances + MeshCounts::from_mesh(&scene.meshes[id]);
                        }
                    }
                }
                _ => {}
            }
            counts.nodes += 1;
        }
        counts
    }

    /// Pseudorandom numbers that are the same in every run.
    struct Random(u64);

    impl Random {
        fn below(&mut self, end: usize) -> usize {
            self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (self.0 >> 33) as usize % end
        }
    }

    fn mesh(vertices: usize) -> Mesh {
        Mesh { positions: vec![[0.0; 3]; vertices], faces: [[0, 1, 2]].into_iter().collect(), ..Mesh::default() }
    }

    fn random_scene(random: &mut Random) -> Scene {
        let mut scene = Scene::default();
        let meshes: Vec<MeshId> = (3..6).map(|vertices| scene.meshes.push(mesh(vertices))).collect();
        let rows = random.below(5);
        let set = scene.instance_sets.push(InstanceSet {
            models: vec![Model::Mesh(meshes[0]), Model::Reference("a".into()), Model::Mesh(meshes[1])],
            model: (0..rows).map(|_| u32::try_from(random.below(3)).unwrap()).collect(),
            transforms: InstanceTransforms::Affine(vec![[[0.0; 3]; 4]; rows]),
            ..InstanceSet::default()
        });
        // Nodes refer only to earlier nodes, so there are no cycles.
        let mut free: Vec<NodeId> = Vec::new();
        for _ in 0..12 {
            let content = match random.below(5) {
                0 => Content::Group,
                1 => Content::InstanceSet(set),
                2 | 3 if !scene.nodes.is_empty() => {
                    Content::Instance(NodeId::new(u32::try_from(random.below(scene.nodes.len())).unwrap()))
                }
                _ => Content::Mesh(meshes[random.below(3)]),
            };
            let id = scene.nodes.push(Node::new("", content));
            while !free.is_empty() && random.below(2) == 0 {
                let child = free.swap_remove(random.below(free.len()));
                scene.nodes.get_mut(id).unwrap().children.push(child);
            }
            free.push(id);
        }
        scene.roots = free.into_iter().filter(|_| random.below(4) > 0).collect();
        scene
    }

    #[test]
    fn counts_equal_those_of_expanded_instances() {
        let mut random = Random(1);
        for _ in 0..500 {
            let scene = random_scene(&mut random);
            assert_eq!(scene.occurrences().counts(&scene), expected(&scene), "{scene:?}");
        }
    }

    #[test]
    fn deep_chains_and_cycles_saturate() {
        let mut scene = Scene::default();
        let mesh = scene.meshes.push(mesh(3));
        let mut last = scene.add_node(None, Node::new("", Content::Mesh(mesh)));
        for _ in 0..100 {
            let group = scene.add_node(None, Node::new("", Content::Group));
            scene.add_node(Some(group), Node::new("", Content::Instance(last)));
            scene.add_node(Some(group), Node::new("", Content::Instance(last)));
            last = group;
        }
        assert_eq!(scene.occurrences().counts(&scene).meshes.vertices, u64::MAX);
        assert_eq!(scene.occurrences().without_copies().counts(&scene).meshes.vertices, 3);

        let mut scene = Scene::default();
        let group = scene.add_node(None, Node::new("", Content::Group));
        scene.add_node(Some(group), Node::new("", Content::Instance(group)));
        let other = scene.add_node(None, Node::new("", Content::Group));
        assert_eq!(scene.occurrences().nodes, [u64::MAX, u64::MAX, 1]);
        assert_eq!(scene.occurrences_where(|node| node.content != Content::Group).nodes[other.index()], 0);
    }
}

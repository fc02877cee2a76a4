//! A scene as bodies that stand somewhere, and marks of what has none.

use std::collections::{HashMap, HashSet};

use mapwright_scene::{
    Brush, BrushId, BrushPolygons, Content, InstanceSet, LightKind, Mesh, MeshId, Model, Node, NodeId, Scene, Terrain,
    TerrainId, Transform, Visit,
};

use super::faces::corners_of;
use crate::colors;
use crate::level::is_start;
use crate::marks::Mark;
use crate::relief::Relief;

/// A body, and where it stands.
#[derive(Debug)]
pub(crate) struct Body<'a> {
    pub(crate) shape: Shape<'a>,
    pub(crate) world: Transform,
}

impl Body<'_> {
    /// Ground closes no room.
    pub(crate) fn is_ground(&self) -> bool {
        matches!(self.shape, Shape::Terrain(..))
    }
}

/// What a body is made of.
#[derive(Debug)]
pub(crate) enum Shape<'a> {
    Mesh(MeshId),
    /// The place of its polygons in [`Bodies::brushes`].
    Brush(usize),
    Terrain(&'a Terrain, Relief),
    /// So many of the instances.
    Set(&'a InstanceSet, usize),
}

/// What stands for something without a body.
#[derive(Debug)]
pub(crate) struct Marked {
    pub(crate) mark: Mark,
    pub(crate) place: [f64; 3],
    /// Whether that is where it is: suns, light from everywhere and the world are nowhere.
    pub(crate) is_thing: bool,
}

/// All bodies and marks of a scene.
#[derive(Debug)]
pub(crate) struct Bodies<'a> {
    pub(crate) scene: &'a Scene,
    pub(crate) all: Vec<Body<'a>>,
    /// Brushes with their polygons.
    pub(crate) brushes: Vec<(&'a Brush, BrushPolygons)>,
    /// Meshes with a mirror as they are with it made real.
    frozen: HashMap<MeshId, Mesh>,
    pub(crate) marks: Vec<Marked>,
    pub(crate) start: Option<[f64; 3]>,
    /// How many there are: those of instance sets too.
    pub(crate) count: usize,
    /// Brushes that are none, and copies beyond the limits.
    pub(crate) left_out: usize,
}

/// So many nodes are followed that instances show: instances of groups of instances multiply.
const MOST_NODES: usize = 1 << 18;
/// So many corners of faces are drawn of what is shown not for the first time.
const MOST_CORNERS: usize = 1 << 27;

/// What is not yet used up.
struct Left {
    nodes: usize,
    corners: usize,
    meshes: HashSet<MeshId>,
    brushes: HashMap<BrushId, Option<usize>>,
    reliefs: HashMap<TerrainId, Relief>,
}

impl Left {
    fn new() -> Self {
        Self {
            nodes: MOST_NODES,
            corners: MOST_CORNERS,
            meshes: HashSet::new(),
            brushes: HashMap::new(),
            reliefs: HashMap::new(),
        }
    }

    /// Whether so many nodes may yet be followed, which they are then.
    fn takes_nodes(&mut self, nodes: usize) -> bool {
        self.nodes.checked_sub(nodes).map(|rest| self.nodes = rest).is_some()
    }

    /// Whether a copy of so many corners may yet be drawn, which it is then.
    fn takes(&mut self, corners: usize) -> bool {
        self.corners.checked_sub(corners).map(|rest| self.corners = rest).is_some()
    }
}

impl<'a> Bodies<'a> {
    pub(crate) fn new(scene: &'a Scene) -> Self {
        let mut bodies = Self {
            scene,
            all: Vec::new(),
            brushes: Vec::new(),
            frozen: HashMap::new(),
            marks: Vec::new(),
            start: None,
            count: 0,
            left_out: 0,
        };
        let mut left = Left::new();
        for Visit { node, world, visible, .. } in scene.walk() {
            if is_start(node) {
                bodies.start = bodies.start.or(Some(world.origin()));
            }
            if visible {
                bodies.take(node, world, &mut left);
                if let Content::Instance(target) = node.content {
                    bodies.copy(target, world, &mut left);
                }
            }
        }
        bodies
    }

    /// Shows what stands at a node and below it once more.
    fn copy(&mut self, target: NodeId, world: Transform, left: &mut Left) {
        let mut next = Vec::new();
        if left.takes_nodes(1) {
            next.push((target, world));
        } else {
            self.left_out += 1;
        }
        while let Some((id, world)) = next.pop() {
            let Some(node) = self.scene.nodes.get(id) else { continue };
            self.take(node, world, left);
            let shown = if let Content::Instance(target) = node.content { Some(target) } else { None };
            // Those that are hidden are looked at too.
            if !left.takes_nodes(node.children.len() + usize::from(shown.is_some())) {
                // What is below it is not even counted: that could take as long as drawing it.
                self.left_out += 1;
                continue;
            }
            next.extend(shown.map(|target| (target, world)));
            let children = node.children.iter().rev().filter_map(|&id| Some((id, self.scene.nodes.get(id)?)));
            let shown = children.filter(|(_, child)| child.visible);
            next.extend(shown.map(|(id, child)| (id, world.then(&child.transform))));
        }
    }

    /// What stands at a node itself.
    fn take(&mut self, node: &'a Node, world: Transform, left: &mut Left) {
        let scene = self.scene;
        let mut mark = |class: &str, is_thing: bool| {
            self.marks.push(Marked { mark: Mark::of(class, [0; 2]), place: world.origin(), is_thing });
        };
        match &node.content {
            Content::Mesh(id) => {
                let Some(mesh) = scene.meshes.get(*id) else { return };
                let is_first = left.meshes.insert(*id);
                if is_first {
                    self.freeze(*id);
                }
                let is_shown = is_first || left.takes(mesh.faces.corner_count());
                self.add_if(is_shown, Shape::Mesh(*id), world);
            }
            Content::Brush(id) => {
                let is_first = !left.brushes.contains_key(id);
                let Some(place) = self.brush(*id, left) else {
                    self.left_out += 1;
                    return;
                };
                let rings =
                    self.brushes.get(place).map_or(0, |(_, polygons)| polygons.sides.iter().map(Vec::len).sum());
                self.add_if(is_first || left.takes(rings), Shape::Brush(place), world);
            }
            Content::Terrain(id) => {
                let terrain = scene.terrains.get(*id).filter(|terrain| !terrain.heights.is_empty());
                let Some(terrain) = terrain else { return };
                let is_first = !left.reliefs.contains_key(id);
                let relief = *left.reliefs.entry(*id).or_insert_with(|| relief(terrain));
                self.add_if(is_first || left.takes(corners_of(terrain)), Shape::Terrain(terrain, relief), world);
            }
            Content::InstanceSet(id) => {
                if let Some(set) = scene.instance_sets.get(*id) {
                    self.set(set, world, left);
                }
            }
            Content::Entity(id) => {
                let class = scene.entities.get(*id).map_or("", |entity| &entity.class);
                let is_body = |child: &Node| matches!(child.content, Content::Mesh(_) | Content::Brush(_));
                // What is made of bodies is seen by them.
                if !node.children.iter().any(|&child| scene.nodes.get(child).is_some_and(is_body)) {
                    mark(class, class != "worldspawn");
                }
            }
            Content::Light(id) => {
                let kind = scene.lights.get(*id).map(|light| &light.kind);
                mark("light", !matches!(kind, Some(LightKind::Ambient | LightKind::Directional)));
            }
            Content::Sound(_) => mark("sound", true),
            Content::Camera(_) => mark("camera", true),
            Content::Prefab(prefab) => mark(&prefab.reference, true),
            // The start has a cross.
            Content::Marker if !is_start(node) => mark("marker", true),
            _ => {}
        }
    }

    /// Shows one body, or counts it as left out.
    fn add_if(&mut self, is_shown: bool, shape: Shape<'a>, world: Transform) {
        if is_shown {
            self.add(shape, world, 1);
        } else {
            self.left_out += 1;
        }
    }

    fn add(&mut self, shape: Shape<'a>, world: Transform, count: usize) {
        self.all.push(Body { shape, world });
        self.count += count;
    }

    /// Makes the mirror of a mesh real, once.
    fn freeze(&mut self, id: MeshId) {
        if let Some(mesh) = self.scene.meshes.get(id).filter(|mesh| mesh.mirror.is_some()) {
            self.frozen.entry(id).or_insert_with(|| mesh.freeze_mirror().into_owned());
        }
    }

    /// The surface of a mesh.
    pub(crate) fn mesh(&self, id: MeshId) -> Option<&Mesh> {
        self.frozen.get(&id).or_else(|| self.scene.meshes.get(id))
    }

    /// The place of the polygons of a brush, which are worked out once.
    fn brush(&mut self, id: BrushId, left: &mut Left) -> Option<usize> {
        let scene = self.scene;
        *left.brushes.entry(id).or_insert_with(|| {
            let brush = scene.brushes.get(id)?;
            self.brushes.push((brush, brush.polygons().ok()?));
            Some(self.brushes.len() - 1)
        })
    }

    /// Meshes of instances, and dots for those that stand for a model elsewhere.
    fn set(&mut self, set: &'a InstanceSet, world: Transform, left: &mut Left) {
        let scene = self.scene;
        let corners = |instance: usize| {
            let Some(Model::Mesh(id)) = set.model_of(instance) else { return 0 };
            scene.meshes.get(*id).map_or(0, |mesh| mesh.faces.corner_count())
        };
        let all = set.transforms.len();
        let shown = (0..all).find(|&instance| !left.takes(corners(instance))).unwrap_or(all);
        let mut meshes = 0;
        for instance in 0..shown {
            if let Some(Model::Mesh(id)) = set.model_of(instance) {
                self.freeze(*id);
                meshes += 1;
            }
        }
        if meshes > 0 {
            self.add(Shape::Set(set, shown), world, meshes);
        }
        // What stands for a model elsewhere is a dot, which is drawn.
        self.left_out +=
            (shown..all).filter(|&instance| matches!(set.model_of(instance), Some(Model::Mesh(_)))).count();
        let hash = |model: &Model| matches!(model, Model::Reference(_)).then(|| colors::group(model));
        let hashes: Vec<Option<u32>> = set.models.iter().map(hash).collect();
        for (instance, &model) in set.model.iter().enumerate() {
            let hash = usize::try_from(model).ok().and_then(|model| *hashes.get(model)?);
            if let (Some(hash), Some(transform)) = (hash, set.transforms.get(instance)) {
                let (mark, place) = (Mark::dot(hash, [0; 2]), world.point(transform.origin()));
                self.marks.push(Marked { mark, place, is_thing: true });
            }
        }
    }
}

/// The tints of a terrain, by some tens of thousands of its heights.
fn relief(terrain: &Terrain) -> Relief {
    let step = (terrain.heights.len() / (1 << 15)).max(1);
    let heights = (0..terrain.heights.len()).step_by(step).filter_map(|vertex| terrain.heights.get(vertex));
    Relief::new(heights.collect(), &[])
}

#[cfg(test)]
mod tests {
    use super::*;
    use mapwright_scene::{Heights, InstanceTransforms};

    /// Bodies and what is left out of a scene.
    fn counts(scene: &Scene) -> [usize; 2] {
        let bodies = Bodies::new(scene);
        assert_eq!(bodies.count, bodies.all.len());
        [bodies.count, bodies.left_out]
    }

    #[test]
    fn each_node_that_an_instance_shows_counts_once() {
        let mut scene = Scene::default();
        let mesh = scene.meshes.push(Mesh { faces: [[0, 1, 2]].into_iter().collect(), ..Mesh::default() });
        let group = scene.add_node(None, Node { visible: false, ..Node::new("", Content::Group) });
        for _ in 0..MOST_NODES - 2 {
            scene.add_node(Some(group), Node::new("", Content::Mesh(mesh)));
        }
        let last = scene.add_node(None, Node::new("", Content::Mesh(mesh)));
        for (shown, expected) in [(group, [MOST_NODES - 1, 0]), (last, [MOST_NODES, 0]), (last, [MOST_NODES, 1])] {
            scene.add_node(None, Node::new("", Content::Instance(shown)));
            assert_eq!(counts(&scene), expected);
        }
    }

    #[test]
    fn dots_are_not_left_out_with_meshes() {
        let mut scene = Scene::default();
        let faces = [vec![0; MOST_CORNERS / 4]].into_iter().collect();
        let mesh = scene.meshes.push(Mesh { positions: vec![[0.0; 3]], faces, ..Mesh::default() });
        let models = vec![Model::Mesh(mesh), Model::Reference("tree.p3d".into())];
        let transforms = InstanceTransforms::Affine(vec![[[0.0; 3]; 4]; 9]);
        let set = InstanceSet { models, model: vec![0, 0, 1, 0, 0, 0, 1, 0, 1], transforms, ..InstanceSet::default() };
        let set = scene.instance_sets.push(set);
        scene.add_node(None, Node::new("", Content::InstanceSet(set)));
        let bodies = Bodies::new(&scene);
        assert_eq!((bodies.count, bodies.marks.len(), bodies.left_out), (4, 3, 2));
    }

    #[test]
    fn terrains_are_drawn_as_often_as_their_corners_are_few() {
        let mut scene = Scene::default();
        let terrain = Terrain::new([4097, 1025], [1.0; 2], Heights::F32(vec![1.0; 4097 * 1025]));
        let terrain = scene.terrains.push(terrain);
        for _ in 0..100 {
            scene.add_node(None, Node::new("", Content::Terrain(terrain)));
        }
        // It is drawn in steps of two.
        assert_eq!(counts(&scene), [1 + MOST_CORNERS / (6 * 2048 * 512), 99 - MOST_CORNERS / (6 * 2048 * 512)]);
    }
}

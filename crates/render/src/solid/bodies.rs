//! The bodies of a scene, and marks for objects without a body.

use std::collections::{HashMap, HashSet};

use mapwright_scene::{
    Brush, BrushId, BrushPolygons, Content, CornerColumn, InstanceSet, LightKind, Mesh, MeshId, Model, Node, NodeId,
    PlaceholderBox, Scene, Smoothing, Terrain, TerrainId, Transform, Visit,
};

use super::faces::count_corners;
use crate::colors;
use crate::level::is_start;
use crate::marks::Mark;
use crate::relief::Relief;

/// A body with its transform.
#[derive(Debug)]
pub(crate) struct Body<'a> {
    pub(crate) shape: Shape<'a>,
    pub(crate) world: Transform,
}

impl Body<'_> {
    /// Returns `true` for terrain, which closes no room.
    pub(crate) fn is_ground(&self) -> bool {
        matches!(self.shape, Shape::Terrain(..))
    }

    /// Returns `true` for boxes, which hide only their own object.
    pub(crate) fn is_placeholder(&self) -> bool {
        matches!(self.shape, Shape::Placeholder(_))
    }
}

/// Geometry of a body.
#[derive(Debug)]
pub(crate) enum Shape<'a> {
    Mesh(MeshId),
    /// The index of its polygons in [`Bodies::brushes`].
    Brush(usize),
    Terrain(&'a Terrain, Relief),
    /// The box of a model that is in another file.
    Placeholder(&'static PlaceholderBox),
    /// An instance set, with the number of instances that are drawn.
    Set(&'a InstanceSet, usize),
}

/// A mark for an object without a body.
#[derive(Debug)]
pub(crate) struct PlacedMark {
    pub(crate) mark: Mark,
    pub(crate) place: [f64; 3],
    /// `true` if the position is meaningful. It is not for suns, ambient light and `worldspawn`.
    pub(crate) is_object: bool,
}

/// All bodies and marks of a scene.
#[derive(Debug)]
pub(crate) struct Bodies<'a> {
    pub(crate) scene: &'a Scene,
    /// `true` if hidden nodes are drawn.
    hidden: bool,
    pub(crate) all: Vec<Body<'a>>,
    /// Brushes with their polygons.
    pub(crate) brushes: Vec<(&'a Brush, BrushPolygons)>,
    /// Copies of meshes with a mirror, with both halves.
    frozen: HashMap<MeshId, Mesh>,
    /// The normals of all corners of smooth meshes.
    normals: HashMap<MeshId, Option<CornerColumn<[f32; 3]>>>,
    pub(crate) marks: Vec<PlacedMark>,
    pub(crate) start: Option<[f64; 3]>,
    /// Number of boxes of models that are in other files.
    pub(crate) boxes: usize,
    /// Number of bodies, including the instances of sets.
    pub(crate) count: usize,
    /// Number of brushes without volume, and of copies beyond the limits.
    pub(crate) left_out: usize,
}

/// Maximum number of nodes that are visited through instances. Instances of groups of instances multiply.
const MAX_COPIED_NODES: usize = 1 << 18;
/// Maximum number of corners of a smooth mesh. The faces of larger meshes are so small that smooth shading is not visible.
const MAX_SMOOTH_CORNERS: usize = 1 << 20;
/// Maximum number of face corners in copies.
const MAX_COPIED_CORNERS: usize = 1 << 27;

/// Remaining copies, and what has been drawn before.
struct CopyBudget {
    nodes: usize,
    corners: usize,
    meshes: HashSet<MeshId>,
    brushes: HashMap<BrushId, Option<usize>>,
    reliefs: HashMap<TerrainId, Relief>,
}

impl CopyBudget {
    fn new() -> Self {
        Self {
            nodes: MAX_COPIED_NODES,
            corners: MAX_COPIED_CORNERS,
            meshes: HashSet::new(),
            brushes: HashMap::new(),
            reliefs: HashMap::new(),
        }
    }

    /// Spends nodes. Returns `false` if too few are left.
    fn spend_nodes(&mut self, nodes: usize) -> bool {
        self.nodes.checked_sub(nodes).map(|rest| self.nodes = rest).is_some()
    }

    /// Spends the face corners of a copy. Returns `false` if too few are left.
    fn spend_corners(&mut self, corners: usize) -> bool {
        self.corners.checked_sub(corners).map(|rest| self.corners = rest).is_some()
    }
}

impl<'a> Bodies<'a> {
    /// Collects the bodies of a scene. With `hidden`, hidden nodes are visible.
    pub(crate) fn new(scene: &'a Scene, hidden: bool) -> Self {
        let mut bodies = Self {
            scene,
            hidden,
            all: Vec::new(),
            brushes: Vec::new(),
            frozen: HashMap::new(),
            normals: HashMap::new(),
            marks: Vec::new(),
            start: None,
            boxes: 0,
            count: 0,
            left_out: 0,
        };
        let mut budget = CopyBudget::new();
        for Visit { node, world, visible, .. } in scene.walk() {
            if is_start(node) {
                bodies.start = bodies.start.or(Some(world.origin()));
            }
            if visible || hidden {
                bodies.add_node(node, world, &mut budget);
                if let Content::Instance(target) = node.content {
                    bodies.add_copy(target, world, &mut budget);
                }
            }
        }
        bodies
    }

    /// Adds a copy of a node and its children.
    fn add_copy(&mut self, target: NodeId, world: Transform, budget: &mut CopyBudget) {
        let mut next = Vec::new();
        if budget.spend_nodes(1) {
            next.push((target, world));
        } else {
            self.left_out += 1;
        }
        while let Some((id, world)) = next.pop() {
            let Some(node) = self.scene.nodes.get(id) else { continue };
            self.add_node(node, world, budget);
            let shown = if let Content::Instance(target) = node.content { Some(target) } else { None };
            // Hidden children count too: they are visited.
            if !budget.spend_nodes(node.children.len() + usize::from(shown.is_some())) {
                // Children are not counted: counting can take as long as drawing.
                self.left_out += 1;
                continue;
            }
            next.extend(shown.map(|target| (target, world)));
            let children = node.children.iter().rev().filter_map(|&id| Some((id, self.scene.nodes.get(id)?)));
            let shown = children.filter(|(_, child)| child.visible || self.hidden);
            next.extend(shown.map(|(id, child)| (id, world.compose(&child.transform))));
        }
    }

    /// Adds the content of a node.
    fn add_node(&mut self, node: &'a Node, world: Transform, budget: &mut CopyBudget) {
        let scene = self.scene;
        let mut mark = |class: &str, is_object: bool| {
            self.marks.push(PlacedMark { mark: Mark::from_class(class, [0; 2]), place: world.origin(), is_object });
        };
        match &node.content {
            Content::Mesh(id) => {
                let Some(mesh) = scene.meshes.get(*id) else { return };
                let is_first = budget.meshes.insert(*id);
                if is_first {
                    self.prepare_mesh(*id);
                }
                let is_shown = is_first || budget.spend_corners(mesh.faces.corner_count());
                self.add_if(is_shown, Shape::Mesh(*id), world);
            }
            Content::Brush(id) => {
                let is_first = !budget.brushes.contains_key(id);
                let Some(place) = self.find_brush(*id, budget) else {
                    self.left_out += 1;
                    return;
                };
                let rings =
                    self.brushes.get(place).map_or(0, |(_, polygons)| polygons.sides.iter().map(Vec::len).sum());
                self.add_if(is_first || budget.spend_corners(rings), Shape::Brush(place), world);
            }
            Content::Terrain(id) => {
                let terrain = scene.terrains.get(*id).filter(|terrain| !terrain.heights.is_empty());
                let Some(terrain) = terrain else { return };
                let is_first = !budget.reliefs.contains_key(id);
                let relief = *budget.reliefs.entry(*id).or_insert_with(|| sample_relief(terrain));
                self.add_if(
                    is_first || budget.spend_corners(count_corners(terrain)),
                    Shape::Terrain(terrain, relief),
                    world,
                );
            }
            Content::InstanceSet(id) => {
                if let Some(set) = scene.instance_sets.get(*id) {
                    self.add_instances(set, world, budget);
                }
            }
            Content::Entity(id) => {
                let entity = scene.entities.get(*id);
                let class = entity.map_or("", |entity| &entity.class);
                let is_body =
                    |child: &Node| child.is_resolved() || matches!(child.content, Content::Mesh(_) | Content::Brush(_));
                // Entities made of bodies are visible without a mark.
                if !node.children.iter().any(|&child| scene.nodes.get(child).is_some_and(is_body)) {
                    mark(class, class != "worldspawn");
                    // In tile levels, the model is a set of images.
                    let models = entity.filter(|_| scene.tile_layers.is_empty());
                    if let Some(model) = models.and_then(|entity| entity.model.as_deref())
                        && let Some(placeholder) = PlaceholderBox::ALL.get(PlaceholderBox::index_of_model(model))
                    {
                        self.boxes += 1;
                        self.all.push(Body { shape: Shape::Placeholder(placeholder), world });
                    }
                }
            }
            Content::Light(id) => {
                let kind = scene.lights.get(*id).map(|light| &light.kind);
                mark("light", !matches!(kind, Some(LightKind::Ambient | LightKind::Directional)));
            }
            Content::Sound(_) => mark("sound", true),
            Content::Camera(_) => mark("camera", true),
            Content::Prefab(prefab) => mark(&prefab.reference, true),
            // The start has its own mark.
            Content::Marker if !is_start(node) => mark("marker", true),
            _ => {}
        }
    }

    /// Adds one body, or counts it as left out.
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

    /// Creates the copy of a mesh with a mirror and the normals of a smooth one, once.
    fn prepare_mesh(&mut self, id: MeshId) {
        let Some(mesh) = self.scene.meshes.get(id).filter(|_| !self.normals.contains_key(&id)) else { return };
        let frozen = mesh.mirror.is_some().then(|| mesh.freeze_mirror().into_owned());
        self.normals.insert(id, smooth_normals(frozen.as_ref().unwrap_or(mesh)));
        if let Some(frozen) = frozen {
            self.frozen.insert(id, frozen);
        }
    }

    /// Returns a mesh, with both halves if it has a mirror.
    pub(crate) fn mesh(&self, id: MeshId) -> Option<&Mesh> {
        self.frozen.get(&id).or_else(|| self.scene.meshes.get(id))
    }

    /// Returns the normals of all corners of a smooth mesh, or `None` for a flat one.
    pub(crate) fn normals(&self, id: MeshId) -> Option<&CornerColumn<[f32; 3]>> {
        self.normals.get(&id)?.as_ref()
    }

    /// Returns the index of the polygons of a brush, which are computed once.
    fn find_brush(&mut self, id: BrushId, budget: &mut CopyBudget) -> Option<usize> {
        let scene = self.scene;
        *budget.brushes.entry(id).or_insert_with(|| {
            let brush = scene.brushes.get(id)?;
            self.brushes.push((brush, brush.polygons().ok()?));
            Some(self.brushes.len() - 1)
        })
    }

    /// Adds the instances of meshes, and dots for instances of external models.
    fn add_instances(&mut self, set: &'a InstanceSet, world: Transform, budget: &mut CopyBudget) {
        let scene = self.scene;
        let corners = |instance: usize| {
            let Some(Model::Mesh(id)) = set.model_of(instance) else { return 0 };
            scene.meshes.get(*id).map_or(0, |mesh| mesh.faces.corner_count())
        };
        let all = set.transforms.len();
        let shown = (0..all).find(|&instance| !budget.spend_corners(corners(instance))).unwrap_or(all);
        let mut meshes = 0;
        for instance in 0..shown {
            if let Some(Model::Mesh(id)) = set.model_of(instance) {
                self.prepare_mesh(*id);
                meshes += 1;
            }
        }
        if meshes > 0 {
            self.add(Shape::Set(set, shown), world, meshes);
        }
        // Instances of external models are not left out: they are drawn as dots.
        self.left_out +=
            (shown..all).filter(|&instance| matches!(set.model_of(instance), Some(Model::Mesh(_)))).count();
        let hash = |model: &Model| matches!(model, Model::Reference(_)).then(|| colors::group(model));
        let hashes: Vec<Option<u32>> = set.models.iter().map(hash).collect();
        for (instance, &model) in set.model.iter().enumerate() {
            let hash = usize::try_from(model).ok().and_then(|model| *hashes.get(model)?);
            if let (Some(hash), Some(transform)) = (hash, set.transforms.get(instance)) {
                let (mark, place) = (Mark::new_dot(hash, [0; 2]), world.point(transform.origin()));
                self.marks.push(PlacedMark { mark, place, is_object: true });
            }
        }
    }
}

/// Returns the normals of all corners of a mesh, or `None` if all its edges are hard or it has more than [`MAX_SMOOTH_CORNERS`].
fn smooth_normals(mesh: &Mesh) -> Option<CornerColumn<[f32; 3]>> {
    let is_flat = mesh.smoothing == Smoothing::Flat && mesh.soft_edges.is_empty();
    if mesh.normals.is_none() && is_flat || mesh.faces.corner_count() > MAX_SMOOTH_CORNERS {
        return None;
    }
    #[allow(clippy::cast_possible_truncation)]
    let single = |normal: [f64; 3]| normal.map(|part| part as f32);
    Some(match &mesh.normals {
        Some(normals) => normals.map(single),
        None => mesh.corner_normals_with(single),
    })
}

/// Computes the tints of a terrain from some tens of thousands of its heights.
fn sample_relief(terrain: &Terrain) -> Relief {
    let step = (terrain.heights.len() / (1 << 15)).max(1);
    let heights = (0..terrain.heights.len()).step_by(step).filter_map(|vertex| terrain.heights.get(vertex));
    Relief::new(heights.collect(), &[])
}

#[cfg(test)]
mod tests {
    use super::*;
    use mapwright_scene::{Heights, InstanceTransforms};

    /// Returns the numbers of bodies and of those left out.
    fn counts(scene: &Scene) -> [usize; 2] {
        let bodies = Bodies::new(scene, false);
        assert_eq!(bodies.count, bodies.all.len());
        [bodies.count, bodies.left_out]
    }

    #[test]
    fn each_instanced_node_counts_once() {
        let mut scene = Scene::default();
        let mesh = scene.meshes.push(Mesh { faces: [[0, 1, 2]].into_iter().collect(), ..Mesh::default() });
        let group = scene.add_node(None, Node { visible: false, ..Node::new("", Content::Group) });
        for _ in 0..MAX_COPIED_NODES - 2 {
            scene.add_node(Some(group), Node::new("", Content::Mesh(mesh)));
        }
        let last = scene.add_node(None, Node::new("", Content::Mesh(mesh)));
        for (shown, expected) in
            [(group, [MAX_COPIED_NODES - 1, 0]), (last, [MAX_COPIED_NODES, 0]), (last, [MAX_COPIED_NODES, 1])]
        {
            scene.add_node(None, Node::new("", Content::Instance(shown)));
            assert_eq!(counts(&scene), expected);
        }
    }

    #[test]
    fn dots_are_not_left_out_with_meshes() {
        let mut scene = Scene::default();
        let faces = [vec![0; MAX_COPIED_CORNERS / 4]].into_iter().collect();
        let mesh = scene.meshes.push(Mesh { positions: vec![[0.0; 3]], faces, ..Mesh::default() });
        let models = vec![Model::Mesh(mesh), Model::Reference("tree.p3d".into())];
        let transforms = InstanceTransforms::Affine(vec![[[0.0; 3]; 4]; 9]);
        let set = InstanceSet { models, model: vec![0, 0, 1, 0, 0, 0, 1, 0, 1], transforms, ..InstanceSet::default() };
        let set = scene.instance_sets.push(set);
        scene.add_node(None, Node::new("", Content::InstanceSet(set)));
        let bodies = Bodies::new(&scene, false);
        assert_eq!((bodies.count, bodies.marks.len(), bodies.left_out), (4, 3, 2));
    }

    #[test]
    fn copies_of_terrains_are_limited_by_their_corners() {
        let mut scene = Scene::default();
        let terrain = Terrain::new([4097, 1025], [1.0; 2], Heights::F32(vec![1.0; 4097 * 1025]));
        let terrain = scene.terrains.push(terrain);
        for _ in 0..100 {
            scene.add_node(None, Node::new("", Content::Terrain(terrain)));
        }
        // It is drawn in steps of two.
        assert_eq!(
            counts(&scene),
            [1 + MAX_COPIED_CORNERS / (6 * 2048 * 512), 99 - MAX_COPIED_CORNERS / (6 * 2048 * 512)]
        );
    }
}

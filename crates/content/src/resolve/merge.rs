//! Adds the content of one scene to another.

use mapwright_scene::{
    ClassicMaterial, ColorSpace, Content, Image, ImageId, ImageSource, LightKind, Material, MaterialId, MeshId, Model,
    Node, NodeId, Properties, Scene, TextureUsage, Transform,
};

use super::RESOLVED_FROM;
use super::memory::{PROPERTY, node_memory};

/// The nodes of a resolved file. They refer to items of the scene that they are added to.
pub(super) struct Template {
    /// Children and targets of instances are indices in this list.
    nodes: Vec<Node>,
    roots: Vec<NodeId>,
    /// The properties of the file.
    properties: Properties,
    /// Memory of the nodes of a use, in bytes.
    node_memory: usize,
}

/// The result of [`merge`].
pub(super) struct Merged {
    pub(super) template: Template,
    /// Number of nodes whose content was left out.
    pub(super) left_out: usize,
}

impl Template {
    pub(super) fn new(nodes: Vec<Node>, roots: Vec<NodeId>, properties: Properties) -> Self {
        let memory = nodes.iter().map(node_memory).fold(0, usize::saturating_add);
        Self { nodes, roots, properties, node_memory: memory }
    }

    pub(super) fn properties(&self) -> &Properties {
        &self.properties
    }

    pub(super) fn node_count(&self) -> usize {
        self.nodes.len()
    }

    /// Returns the memory of the nodes that a use adds, in bytes.
    pub(super) fn memory_of_use(&self, reference: &str) -> usize {
        let reference = reference.len().saturating_add(RESOLVED_FROM.len()).saturating_add(PROPERTY);
        self.roots.len().saturating_mul(reference).saturating_add(self.node_memory)
    }

    /// Returns the visible nodes with meshes and their transforms, parents before children.
    pub(super) fn visible_meshes(&self) -> Vec<(MeshId, Transform)> {
        let mut meshes = Vec::new();
        let mut stack: Vec<(NodeId, Transform)> =
            self.roots.iter().rev().map(|root| (*root, Transform::IDENTITY)).collect();
        // Broken scenes may have cycles.
        let mut left = self.nodes.len();
        while let Some((id, above)) = stack.pop() {
            let Some(node) = self.nodes.get(id.index()).filter(|node| node.visible) else { continue };
            let Some(rest) = left.checked_sub(1) else { break };
            left = rest;
            let world = above.compose(&node.transform);
            if let Content::Mesh(mesh) = node.content {
                meshes.push((mesh, world));
            }
            stack.extend(node.children.iter().rev().map(|child| (*child, world)));
        }
        meshes
    }

    /// Adds copies of the nodes below a node of the scene. Returns the added nodes.
    pub(super) fn place(&self, scene: &mut Scene, parent: NodeId, reference: &str, is_shown: bool) -> Vec<NodeId> {
        let base = scene.nodes.len();
        let moved = |id: &NodeId| offset_id(*id, base);
        let mut added = Vec::with_capacity(self.nodes.len());
        for node in &self.nodes {
            let mut copy = node.clone();
            copy.children = node.children.iter().map(moved).collect();
            if let Content::Instance(target) = &mut copy.content {
                *target = offset_id(*target, base);
            }
            added.push(scene.nodes.push(copy));
        }
        for root in self.roots.iter().map(moved) {
            let Some(node) = scene.nodes.get_mut(root) else { continue };
            node.properties.set(RESOLVED_FROM, reference);
            node.visible &= is_shown;
            if let Some(parent) = scene.nodes.get_mut(parent) {
                parent.children.push(root);
            }
        }
        added
    }
}

fn offset_id<T>(id: mapwright_scene::Id<T>, base: usize) -> mapwright_scene::Id<T> {
    let index = id.index().saturating_add(base);
    mapwright_scene::Id::new(u32::try_from(index).unwrap_or(u32::MAX))
}

/// Adds the content of a scene to another one, without its nodes.
///
/// Lights, sounds and paths are left out unless `keeps_lights` is set. `images` contains the replacement of each image of the source;
/// images in other files without one are left out.
pub(super) fn merge(
    scene: &mut Scene,
    mut source: Scene,
    file: &str,
    images: &[Option<ImageId>],
    adapt: impl Fn(&mut Material, &Image),
    keeps_lights: bool,
) -> Merged {
    let units = source.metres_per_unit.zip(scene.metres_per_unit);
    if let Some((from, to)) = units.filter(|(from, to)| from != to && from.is_normal() && to.is_normal()) {
        source.scale(from / to);
    }
    convert_colors(&mut source, scene.color_space);
    let base = Base::new(scene);
    add_materials(scene, &mut source, file, images, adapt);
    add_geometry(scene, &mut source, &base);
    if keeps_lights {
        add_lights(scene, &mut source, &base);
    }
    let mut left_out = 0_usize;
    let nodes = std::mem::take(&mut source.nodes).into_iter().map(|mut node| {
        // A key leads to another document.
        node.key = None;
        node.content = base.move_content(node.content, keeps_lights).unwrap_or_else(|| {
            left_out = left_out.saturating_add(1);
            Content::Group
        });
        node
    });
    let nodes = nodes.collect();
    Merged { template: Template::new(nodes, source.roots, source.properties), left_out }
}

/// The number of items of each kind in the scene before others are added. The ids of added items follow.
struct Base {
    materials: usize,
    meshes: usize,
    brushes: usize,
    terrains: usize,
    entities: usize,
    instance_sets: usize,
    lights: usize,
    sounds: usize,
    paths: usize,
}

impl Base {
    fn new(scene: &Scene) -> Self {
        Self {
            materials: scene.materials.len(),
            meshes: scene.meshes.len(),
            brushes: scene.brushes.len(),
            terrains: scene.terrains.len(),
            entities: scene.entities.len(),
            instance_sets: scene.instance_sets.len(),
            lights: scene.lights.len(),
            sounds: scene.sounds.len(),
            paths: scene.paths.len(),
        }
    }

    fn move_material(&self, id: &mut Option<MaterialId>) {
        *id = id.map(|id| offset_id(id, self.materials));
    }

    fn move_mesh(&self, id: &mut MeshId) {
        *id = offset_id(*id, self.meshes);
    }

    /// Returns the content with the ids of added items. Returns `None` if it is left out.
    fn move_content(&self, content: Content, keeps_lights: bool) -> Option<Content> {
        Some(match content {
            Content::Mesh(id) => Content::Mesh(offset_id(id, self.meshes)),
            Content::Brush(id) => Content::Brush(offset_id(id, self.brushes)),
            Content::Terrain(id) => Content::Terrain(offset_id(id, self.terrains)),
            Content::Entity(id) => Content::Entity(offset_id(id, self.entities)),
            Content::InstanceSet(id) => Content::InstanceSet(offset_id(id, self.instance_sets)),
            Content::Light(id) if keeps_lights => Content::Light(offset_id(id, self.lights)),
            Content::Sound(id) if keeps_lights => Content::Sound(offset_id(id, self.sounds)),
            Content::Path(id) if keeps_lights => Content::Path(offset_id(id, self.paths)),
            Content::Marker if keeps_lights => Content::Marker,
            same @ (Content::Group | Content::Instance(_) | Content::Prefab(_)) => same,
            // The lights, cameras and markers of a model or prefab belong to its own level.
            _ => return None,
        })
    }
}

/// Adds the materials of a scene, and its images except for those in other files.
fn add_materials(
    scene: &mut Scene,
    source: &mut Scene,
    file: &str,
    images: &[Option<ImageId>],
    adapt: impl Fn(&mut Material, &Image),
) {
    let image_ids: Vec<Option<ImageId>> = std::mem::take(&mut source.images)
        .into_iter()
        .zip(images)
        .map(|(image, shared)| match image.source {
            ImageSource::External { .. } => *shared,
            _ => Some(scene.images.push(image)),
        })
        .collect();
    for mut material in std::mem::take(&mut source.materials) {
        add_images(&mut material, &image_ids);
        let color = material.texture(&TextureUsage::BaseColor).and_then(|slot| scene.images.get(slot.image));
        if let Some(image) = color {
            adapt(&mut material, image);
        }
        material.properties.set(RESOLVED_FROM, file);
        scene.materials.push(material);
    }
}

/// Adds the meshes, brushes, terrains, entities and instance sets of a scene.
fn add_geometry(scene: &mut Scene, source: &mut Scene, base: &Base) {
    for mut mesh in std::mem::take(&mut source.meshes) {
        mesh.face_materials.iter_mut().for_each(|material| base.move_material(material));
        scene.meshes.push(mesh);
    }
    for mut brush in std::mem::take(&mut source.brushes) {
        brush.sides.iter_mut().for_each(|side| base.move_material(&mut side.material));
        scene.brushes.push(brush);
    }
    for mut terrain in std::mem::take(&mut source.terrains) {
        terrain.materials.iter_mut().for_each(|material| base.move_material(material));
        scene.terrains.push(terrain);
    }
    for entity in std::mem::take(&mut source.entities) {
        scene.entities.push(entity);
    }
    for mut set in std::mem::take(&mut source.instance_sets) {
        for model in &mut set.models {
            if let Model::Mesh(mesh) = model {
                base.move_mesh(mesh);
            }
        }
        scene.instance_sets.push(set);
    }
}

/// Adds the lights, sounds and paths of a scene.
fn add_lights(scene: &mut Scene, source: &mut Scene, base: &Base) {
    for mut light in std::mem::take(&mut source.lights) {
        if let LightKind::Area { mesh: Some(mesh) } = &mut light.kind {
            base.move_mesh(mesh);
        }
        scene.lights.push(light);
    }
    for sound in std::mem::take(&mut source.sounds) {
        scene.sounds.push(sound);
    }
    for path in std::mem::take(&mut source.paths) {
        scene.paths.push(path);
    }
}

/// Replaces the images of a material, and removes textures without one.
fn add_images(material: &mut Material, images: &[Option<ImageId>]) {
    material.textures.retain_mut(|slot| match images.get(slot.image.index()).copied().flatten() {
        Some(image) => {
            slot.image = image;
            true
        }
        None => false,
    });
}

/// Converts the colours of a scene to another colour space.
fn convert_colors(scene: &mut Scene, space: ColorSpace) {
    let from = scene.color_space;
    if from == space {
        return;
    }
    let convert = |color: &mut [f64; 4]| {
        let [r, g, b, rest] = *color;
        let [r, g, b] = match space {
            ColorSpace::Linear => from.to_linear([r, g, b]),
            ColorSpace::Srgb => from.to_srgb([r, g, b]),
        };
        *color = [r, g, b, rest];
    };
    for (_, material) in scene.materials.iter_mut() {
        convert(&mut material.base_color);
        convert(&mut material.emissive);
        if let Some(ClassicMaterial { ambient, specular, .. }) = &mut material.classic {
            convert(ambient);
            convert(specular);
        }
    }
    let sets = scene.meshes.iter_mut().flat_map(|(_, mesh)| &mut mesh.color_sets);
    for color in sets.flat_map(|set| set.corners.rows_mut()) {
        let mut wide = color.map(f64::from);
        convert(&mut wide);
        #[allow(clippy::cast_possible_truncation, reason = "rounds to single precision")]
        {
            *color = wide.map(|part| part as f32);
        }
    }
    scene.color_space = space;
}

//! Converts brushes to meshes, for formats without brushes.

use std::borrow::Cow;
use std::collections::HashMap;

use mapwright_io::{Frame, Path};
use mapwright_scene::{Arena, BrushId, Content, Feature, Image, Losses, MeshId, Scene, images::TextureSizes};

use crate::Error;

/// Converts all brushes of a scene to meshes, and reports them. Writers of formats without brushes need no other steps.
pub fn brushes_to_meshes(scene: &mut Scene) -> Losses {
    let mut losses = Losses::new();
    scene.visit_features(|feature, path, what| match feature {
        Feature::Brushes => losses.approximated(path, format!("{what}: as a mesh")),
        Feature::BrushProperties | Feature::SideProperties => losses.dropped(path, what),
        _ => {}
    });
    if let Cow::Owned(mut meshed) = Meshed::new(scene, &mut losses).scene {
        meshed.brushes = Arena::default();
        meshed.images = std::mem::take(&mut scene.images);
        *scene = meshed;
    }
    losses
}

/// A scene with meshes instead of brushes.
pub(crate) struct Meshed<'a> {
    /// The scene. Meshes of visible brushes follow its own meshes. A copy has no images; use `images`.
    pub scene: Cow<'a, Scene>,
    /// The images of the scene.
    pub images: &'a Arena<Image>,
    /// Number of the scene's own meshes.
    own: usize,
    /// The brush of each of the other meshes.
    brushes: Vec<BrushId>,
}

impl<'a> Meshed<'a> {
    /// Converts the brushes, and reports losses.
    pub(crate) fn new(scene: &'a Scene, losses: &mut Losses) -> Self {
        let own = scene.meshes.len();
        if scene.brushes.is_empty() {
            return Self { scene: Cow::Borrowed(scene), images: &scene.images, own, brushes: Vec::new() };
        }
        let mut used = vec![false; scene.materials.len()];
        for material in scene.brushes.items().iter().flat_map(|brush| &brush.sides).filter_map(|side| side.material) {
            used.get_mut(material.index()).into_iter().for_each(|used| *used = true);
        }
        let sizes = TextureSizes::new(scene, &used, losses);
        let mut meshed = clone_without_images(scene);
        let mut brushes = Vec::new();
        let mut shown = vec![false; scene.brushes.len()];
        // Meshes of brushes whose textures do not depend on the transform of the node.
        let mut movable: HashMap<BrushId, MeshId> = HashMap::new();
        for visit in scene.walk() {
            let Content::Brush(id) = visit.node.content else { continue };
            let Some(brush) = scene.brushes.get(id) else { continue };
            let is_first = shown.get_mut(id.index()).is_some_and(|shown| !std::mem::replace(shown, true));
            let content = if let Some(&mesh) = movable.get(&id) {
                Content::Mesh(mesh)
            } else {
                match brush.polygons() {
                    Ok(polygons) => {
                        if is_first {
                            for side in polygons.clipped_away() {
                                let path = format!("brushes[{}].sides[{side}]", id.index());
                                losses.dropped(path, "a side that other sides clip away");
                            }
                        }
                        let mesh = brush.to_mesh(&polygons, &visit.world, |material| sizes.texture_size(material));
                        let mesh = meshed.meshes.push(mesh);
                        brushes.push(id);
                        if brush.sides.iter().all(|side| side.projection.local) {
                            movable.insert(id, mesh);
                        }
                        Content::Mesh(mesh)
                    }
                    Err(error) => {
                        if is_first {
                            losses.dropped(
                                format!("brushes[{}]", id.index()),
                                format!("a brush without a body: {error}"),
                            );
                        }
                        Content::Group
                    }
                }
            };
            if let Some(node) = meshed.nodes.get_mut(visit.id) {
                node.content = content;
            }
        }
        for ((id, brush), shown) in scene.brushes.iter().zip(shown) {
            if !shown && !brush.sides.is_empty() {
                losses.dropped(format!("brushes[{}]", id.index()), "no visible node has this brush");
            }
        }
        Self { scene: Cow::Owned(meshed), images: &scene.images, own, brushes }
    }

    /// Renames the paths of losses to the brushes of the original scene.
    pub(crate) fn name_in(&self, losses: &mut Losses) {
        for loss in &mut losses.items {
            if let Some(path) = self.brush_path(&loss.path) {
                loss.path = path;
            }
        }
    }

    /// Renames the path of an error to the brush of the original scene.
    pub(crate) fn name(&self, error: Error) -> Error {
        match self.brush_path(error.path()) {
            Some(path) => error.with_path(path),
            None => error,
        }
    }

    /// Returns the path in the brush from which a mesh was created, if the path leads into such a mesh.
    fn brush_path(&self, path: &Path) -> Option<Path> {
        let mut frames = path.frames();
        let (Some(list), Some(&Frame::Index(mesh))) = (frames.next(), frames.next()) else { return None };
        let brush = self.brushes.get(mesh.checked_sub(self.own)?).filter(|_| list.name() == Some("meshes"))?;
        let start = [Frame::Field("brushes"), Frame::Index(brush.index())];
        Some(start.into_iter().chain(frames.cloned()).collect())
    }
}

/// Clones a scene without its images, which take most of its memory.
fn clone_without_images(scene: &Scene) -> Scene {
    Scene {
        name: scene.name.clone(),
        metres_per_unit: scene.metres_per_unit,
        color_space: scene.color_space,
        nodes: scene.nodes.clone(),
        roots: scene.roots.clone(),
        meshes: scene.meshes.clone(),
        brushes: scene.brushes.clone(),
        terrains: scene.terrains.clone(),
        tile_layers: scene.tile_layers.clone(),
        tile_sets: scene.tile_sets.clone(),
        instance_sets: scene.instance_sets.clone(),
        lights: scene.lights.clone(),
        cameras: scene.cameras.clone(),
        sounds: scene.sounds.clone(),
        paths: scene.paths.clone(),
        entities: scene.entities.clone(),
        materials: scene.materials.clone(),
        images: Arena::default(),
        sets: scene.sets.clone(),
        properties: scene.properties.clone(),
    }
}

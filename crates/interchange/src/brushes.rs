//! Brushes as meshes, for formats that have none.

use std::borrow::Cow;
use std::collections::HashMap;

use mapwright_scene::{BrushId, Content, Losses, MeshId, Scene};

use crate::{Error, texels::Sizes};

/// A scene without brushes that looks the same.
pub(crate) struct Meshed<'a> {
    /// The scene with a mesh for every brush that a node shows, behind its own meshes.
    pub scene: Cow<'a, Scene>,
    /// The number of meshes of its own.
    own: usize,
    /// The brushes of the others.
    brushes: Vec<BrushId>,
}

impl<'a> Meshed<'a> {
    /// Makes the meshes, and reports what they do not have.
    pub(crate) fn new(scene: &'a Scene, losses: &mut Losses) -> Self {
        let own = scene.meshes.len();
        if scene.brushes.is_empty() {
            return Self { scene: Cow::Borrowed(scene), own, brushes: Vec::new() };
        }
        let mut used = vec![false; scene.materials.len()];
        for material in scene.brushes.items().iter().flat_map(|brush| &brush.sides).filter_map(|side| side.material) {
            used.get_mut(material.index()).into_iter().for_each(|used| *used = true);
        }
        let sizes = Sizes::new(scene, &used, losses);
        let mut meshed = scene.clone();
        let mut brushes = Vec::new();
        let mut shown = vec![false; scene.brushes.len()];
        // Of brushes whose textures do not depend on where they stand.
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
                                losses.dropped(path, "a side that is nowhere on the brush");
                            }
                        }
                        let mesh = brush.to_mesh(&polygons, &visit.world, |material| sizes.of(material));
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
        for (index, _) in shown.iter().enumerate().filter(|(_, shown)| !**shown) {
            losses.dropped(format!("brushes[{index}]"), "no node of the tree shows this brush");
        }
        Self { scene: Cow::Owned(meshed), own, brushes }
    }

    /// Has losses name the brushes of the scene as it was.
    pub(crate) fn name_in(&self, losses: &mut Losses) {
        losses.items.iter_mut().for_each(|loss| loss.path = self.path(&loss.path).into_owned());
    }

    /// Has an error name the brushes of the scene as it was.
    pub(crate) fn name(&self, error: Error) -> Error {
        match self.path(error.path()) {
            Cow::Borrowed(_) => error,
            Cow::Owned(path) => Error::new(error.kind().clone(), path),
        }
    }

    fn path<'p>(&self, path: &'p str) -> Cow<'p, str> {
        let of_brush = || {
            let (number, rest) = path.strip_prefix("meshes[")?.split_once(']')?;
            let brush = self.brushes.get(number.parse::<usize>().ok()?.checked_sub(self.own)?)?;
            Some(format!("brushes[{}]{rest}", brush.index()))
        };
        of_brush().map_or(Cow::Borrowed(path), Cow::Owned)
    }
}

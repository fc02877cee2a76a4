//! Terrain from above. North, which is −Z, is at the top; east is at the right.
//!
//! A pixel of the level is a square. Its side is the shorter step between vertices of the first terrain. Pixels are counted from
//! the north-western corner of all terrains.

use std::collections::HashSet;
use std::sync::Arc;

use mapwright_scene::{Content, Entity, InstanceSet, MaterialId, Scene, Transform};

use crate::colors;
use crate::drawing::{SceneToImage, per_pixel};
use crate::ground::Ground;
use crate::ground_painter::GroundPainter;
use crate::level::{MAX_DISTANCE, find_layer, is_start};
use crate::marks::Mark;
use crate::raster::{Axis, Frame};
use crate::relief::Relief;
use crate::solid::Materials;
use crate::{Error, Layers, RenderOptions};

/// A scene as terrain from above.
pub(crate) struct Land<'a> {
    grounds: Vec<Ground<'a>>,
    /// Position of the upper left corner in the scene, east and south.
    corner: [f64; 2],
    /// Size of a pixel of the level.
    unit: f64,
    /// Width and height in pixels of the level.
    pub(crate) size: [i64; 2],
    objects: Vec<(&'a Entity, [f64; 2])>,
    sets: Vec<(Transform, &'a InstanceSet)>,
    start: Option<[f64; 2]>,
}

impl<'a> Land<'a> {
    /// Collects the terrains and objects of a scene. With `hidden`, all are visible.
    pub(crate) fn new(scene: &'a Scene, layers: &Layers, hidden: bool) -> Result<Self, Error> {
        let mut terrains = Vec::new();
        let (mut objects, mut sets, mut start) = (Vec::new(), Vec::new(), None);
        for visit in scene.walk() {
            let [east, _, south] = visit.world.origin();
            let visible = visit.visible || hidden;
            match &visit.node.content {
                Content::Terrain(id) => {
                    let Some(terrain) = scene.terrains.get(*id) else { continue };
                    let names = [terrain.name.as_str(), visit.node.name.as_str()];
                    terrains.push((Ground::new(terrain, &visit.world), visible, names));
                }
                Content::Entity(id) if visible => {
                    objects.extend(scene.entities.get(*id).map(|entity| (entity, [east, south])));
                }
                Content::InstanceSet(id) if visible => {
                    sets.extend(scene.instance_sets.get(*id).map(|set| (visit.world, set)));
                }
                _ if is_start(visit.node) => start = start.or(Some([east, south])),
                _ => {}
            }
        }
        if terrains.is_empty() {
            return Err(Error::Nothing);
        }
        let names: Vec<_> = terrains.iter().map(|&(.., names)| names).collect();
        let grounds: Vec<_> = match find_layer(layers, 0, &names)? {
            Some(only) => terrains.get(only).and_then(|(ground, ..)| *ground).into_iter().collect(),
            None => terrains.iter().filter(|(_, visible, _)| *visible).filter_map(|(ground, ..)| *ground).collect(),
        };
        let first = grounds.first().ok_or(Error::Nothing)?;
        let unit = first.shorter_step();
        let both = |[a, b]: [f64; 2], [c, d]: [f64; 2], one: fn(f64, f64) -> f64| [one(a, c), one(b, d)];
        let bounds = grounds.iter().map(Ground::bounds);
        let bounds = bounds.reduce(|[a, b], [c, d]| [both(a, c, f64::min), both(b, d, f64::max)]);
        let [corner, [east, south]] = bounds.ok_or(Error::Nothing)?;
        // Slightly less, so that rounding does not add a pixel.
        #[allow(clippy::cast_possible_truncation)]
        let size = [east - corner[0], south - corner[1]]
            .map(|length| ((length / unit * (1.0 - 1e-9)).ceil() as i64).clamp(1, MAX_DISTANCE));
        Ok(Self { grounds, corner, unit, size, objects, sets, start })
    }

    /// Returns the painters of the terrains, the lowest first.
    pub(crate) fn painters(&self, scene: &Scene, frame: &Frame, options: &RenderOptions) -> Vec<GroundPainter<'a>> {
        let (mut heights, mut slopes) = (Vec::new(), Vec::new());
        #[allow(clippy::cast_precision_loss)]
        let step = frame.x.image as f64 / frame.x.level as f64 * self.unit;
        // 16 terrains are representative for all.
        for ground in self.grounds.iter().take(16) {
            ground.collect_samples(step, &mut heights, &mut slopes);
        }
        let relief = Relief::new(heights, &slopes);
        let of_cells = self.grounds.iter().flat_map(|ground| &ground.terrain.materials).flatten().copied();
        let has_texture =
            |id: &MaterialId| scene.materials.get(*id).is_some_and(|material| !material.textures.is_empty());
        let textured: HashSet<MaterialId> = of_cells.filter(has_texture).collect();
        let materials = || Arc::new(Materials::new_where(scene, options, |id| textured.contains(&id)));
        let materials = (!textured.is_empty()).then(materials);
        let paint = |ground: &Ground<'a>| {
            let materials = materials.clone();
            GroundPainter::new(*ground, relief, self.corner, self.unit, frame, options, materials)
        };
        self.grounds.iter().map(paint).collect()
    }

    /// Returns the position of the start in pixels of the level.
    pub(crate) fn start(&self) -> Option<[i64; 2]> {
        #[allow(clippy::cast_possible_truncation)]
        self.start
            .map(|start| self.to_pixels(start).map(|pixel| (pixel.floor() as i64).clamp(-MAX_DISTANCE, MAX_DISTANCE)))
    }

    fn to_pixels(&self, [east, south]: [f64; 2]) -> [f64; 2] {
        [(east - self.corner[0]) / self.unit, (south - self.corner[1]) / self.unit]
    }

    /// Returns marks for all objects and instances with a finite position.
    pub(crate) fn marks(&self, frame: &Frame) -> Vec<Mark> {
        let mut marks = Vec::new();
        for &(entity, place) in &self.objects {
            marks.extend(self.to_image_pixel(frame, place).map(|at| Mark::from_class(&entity.class, at)));
        }
        for (world, set) in &self.sets {
            let groups: Vec<u32> = set.models.iter().map(colors::group).collect();
            for instance in 0..set.transforms.len() {
                let Some(transform) = set.transforms.get(instance) else { continue };
                let [east, _, south] = world.point(transform.origin());
                let model = set.model.get(instance).and_then(|&model| groups.get(usize::try_from(model).ok()?));
                let Some(at) = self.to_image_pixel(frame, [east, south]).filter(|&at| frame.shows_mark(at)) else {
                    continue;
                };
                marks.push(Mark::new_dot(model.copied().unwrap_or_default(), at));
            }
        }
        marks
    }

    /// Returns the transform from the scene to the image.
    pub(crate) fn scene_to_image(&self, frame: &Frame) -> SceneToImage {
        let [east, south] = self.corner;
        let (across, down) = (per_pixel(&frame.x), per_pixel(&frame.y));
        #[allow(clippy::cast_precision_loss)]
        let [left, top] =
            [(east / self.unit + frame.x.origin as f64) * across, (south / self.unit + frame.y.origin as f64) * down];
        [[across / self.unit, 0.0, 0.0, -left], [0.0, 0.0, down / self.unit, -top]]
    }

    pub(crate) fn start_mark(&self, frame: &Frame) -> Option<Mark> {
        self.start.and_then(|start| self.to_image_pixel(frame, start)).map(Mark::new_start)
    }

    /// Returns the pixel of the image at a position in the scene, or `None` if that is not finite.
    fn to_image_pixel(&self, frame: &Frame, place: [f64; 2]) -> Option<[i64; 2]> {
        #[allow(clippy::cast_precision_loss, clippy::cast_possible_truncation)]
        let pixel = |pixel: f64, axis: &Axis| {
            let place = (pixel - axis.origin as f64) * axis.level as f64 / axis.image as f64;
            // Clamp positions far outside.
            (place.floor() as i64).clamp(-MAX_DISTANCE, MAX_DISTANCE)
        };
        let [x, y] = self.to_pixels(place);
        (x.is_finite() && y.is_finite()).then(|| [pixel(x, &frame.x), pixel(y, &frame.y)])
    }
}

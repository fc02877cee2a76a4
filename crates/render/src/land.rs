//! A scene as land seen from above: north, which is −Z, is up, and east is right.
//!
//! A pixel of the land is a square as wide as the shorter step of the vertices of its first terrain, counted from the
//! north-western corner of all that is drawn.

use mapwright_scene::{Content, Entity, InstanceSet, Scene, Transform};

use crate::colors;
use crate::drawing::{Places, per_pixel};
use crate::ground::Ground;
use crate::level::{FARTHEST, choose, is_start};
use crate::marks::Mark;
use crate::painted::Painted;
use crate::raster::{Axis, Frame};
use crate::relief::Relief;
use crate::{Error, Layers, RenderOptions};

/// A scene as land.
pub(crate) struct Land<'a> {
    grounds: Vec<Ground<'a>>,
    /// East and south of the upper left corner of the land, in the scene.
    corner: [f64; 2],
    /// How wide a pixel of the land is.
    unit: f64,
    /// Pixels across and down.
    pub(crate) size: [i64; 2],
    things: Vec<(&'a Entity, [f64; 2])>,
    sets: Vec<(Transform, &'a InstanceSet)>,
    start: Option<[f64; 2]>,
}

impl<'a> Land<'a> {
    pub(crate) fn new(scene: &'a Scene, layers: &Layers) -> Result<Self, Error> {
        let mut terrains = Vec::new();
        let (mut things, mut sets, mut start) = (Vec::new(), Vec::new(), None);
        for visit in scene.walk() {
            let [east, _, south] = visit.world.origin();
            match &visit.node.content {
                Content::Terrain(id) => {
                    let Some(terrain) = scene.terrains.get(*id) else { continue };
                    let names = [terrain.name.as_str(), visit.node.name.as_str()];
                    terrains.push((Ground::new(terrain, &visit.world), visit.visible, names));
                }
                Content::Entity(id) if visit.visible => {
                    things.extend(scene.entities.get(*id).map(|entity| (entity, [east, south])));
                }
                Content::InstanceSet(id) if visit.visible => {
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
        let grounds: Vec<_> = match choose(layers, 0, &names)? {
            Some(only) => terrains.get(only).and_then(|(ground, ..)| *ground).into_iter().collect(),
            None => terrains.iter().filter(|(_, visible, _)| *visible).filter_map(|(ground, ..)| *ground).collect(),
        };
        let first = grounds.first().ok_or(Error::Nothing)?;
        let unit = first.step();
        let both = |[a, b]: [f64; 2], [c, d]: [f64; 2], one: fn(f64, f64) -> f64| [one(a, c), one(b, d)];
        let bounds = grounds.iter().map(Ground::bounds);
        let bounds = bounds.reduce(|[a, b], [c, d]| [both(a, c, f64::min), both(b, d, f64::max)]);
        let [corner, [east, south]] = bounds.ok_or(Error::Nothing)?;
        // A little less, lest a rounding makes one pixel more.
        #[allow(clippy::cast_possible_truncation)]
        let size = [east - corner[0], south - corner[1]]
            .map(|length| ((length / unit * (1.0 - 1e-9)).ceil() as i64).clamp(1, FARTHEST));
        Ok(Self { grounds, corner, unit, size, things, sets, start })
    }

    /// The ground, from below.
    pub(crate) fn painted(&self, frame: &Frame, options: &RenderOptions) -> Vec<Painted<'a>> {
        let (mut heights, mut slopes) = (Vec::new(), Vec::new());
        #[allow(clippy::cast_precision_loss)]
        let step = frame.x.picture as f64 / frame.x.level as f64 * self.unit;
        // So many terrains say enough about all.
        for ground in self.grounds.iter().take(16) {
            ground.survey(step, &mut heights, &mut slopes);
        }
        let relief = Relief::new(heights, &slopes);
        let paint = |ground: &Ground<'a>| Painted::new(*ground, relief, self.corner, self.unit, frame, options);
        self.grounds.iter().map(paint).collect()
    }

    /// The pixel of the land that the start is in.
    pub(crate) fn start(&self) -> Option<[i64; 2]> {
        #[allow(clippy::cast_possible_truncation)]
        self.start.map(|start| self.pixels(start).map(|pixel| (pixel.floor() as i64).clamp(-FARTHEST, FARTHEST)))
    }

    fn pixels(&self, [east, south]: [f64; 2]) -> [f64; 2] {
        [(east - self.corner[0]) / self.unit, (south - self.corner[1]) / self.unit]
    }

    /// Marks of all things and instances that have a place.
    pub(crate) fn marks(&self, frame: &Frame) -> Vec<Mark> {
        let mut marks = Vec::new();
        for &(entity, place) in &self.things {
            marks.extend(self.place(frame, place).map(|at| Mark::of(&entity.class, at)));
        }
        for (world, set) in &self.sets {
            let groups: Vec<u32> = set.models.iter().map(colors::group).collect();
            for instance in 0..set.transforms.len() {
                let Some(transform) = set.transforms.get(instance) else { continue };
                let [east, _, south] = world.point(transform.origin());
                let model = set.model.get(instance).and_then(|&model| groups.get(usize::try_from(model).ok()?));
                let Some(at) = self.place(frame, [east, south]).filter(|&at| frame.shows(at)) else { continue };
                marks.push(Mark::dot(model.copied().unwrap_or_default(), at));
            }
        }
        marks
    }

    /// From the scene to the picture.
    pub(crate) fn places(&self, frame: &Frame) -> Places {
        let [east, south] = self.corner;
        let (across, down) = (per_pixel(&frame.x), per_pixel(&frame.y));
        #[allow(clippy::cast_precision_loss)]
        let [left, top] =
            [(east / self.unit + frame.x.origin as f64) * across, (south / self.unit + frame.y.origin as f64) * down];
        [[across / self.unit, 0.0, 0.0, -left], [0.0, 0.0, down / self.unit, -top]]
    }

    pub(crate) fn start_mark(&self, frame: &Frame) -> Option<Mark> {
        self.start.and_then(|start| self.place(frame, start)).map(Mark::start)
    }

    /// The pixel of the picture at a place in the scene; `None` for what is no place.
    fn place(&self, frame: &Frame, place: [f64; 2]) -> Option<[i64; 2]> {
        #[allow(clippy::cast_precision_loss, clippy::cast_possible_truncation)]
        let pixel = |pixel: f64, axis: &Axis| {
            let place = (pixel - axis.origin as f64) * axis.level as f64 / axis.picture as f64;
            // Farther away is as far away as that.
            (place.floor() as i64).clamp(-FARTHEST, FARTHEST)
        };
        let [x, y] = self.pixels(place);
        (x.is_finite() && y.is_finite()).then(|| [pixel(x, &frame.x), pixel(y, &frame.y)])
    }
}

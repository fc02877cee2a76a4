//! Sprites of objects, and the order of drawing.

use mapwright_scene::Scene;

use crate::appearance::{Appearance, Bitmaps, Flips};
use crate::colors::{Color, lay};
use crate::level::{self, Layer, Level, LevelObject};
use crate::raster::{Frame, Row};
use crate::sweep::Sweep;
use crate::tiles::{Depth, number_color, tile_weight};
use crate::{Objects, RenderOptions, View};

/// An image at a position in the level.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Sprite {
    appearance: Appearance,
    at: [i64; 2],
    size: [i64; 2],
}

/// Bits of the property `draw_flags`.
const FLIP_X: i64 = 2;
const FLIP_Y: i64 = 4;
/// The value of the property `i` for the lowest frame of a set. It is also the default.
const LOWEST_FRAME: i64 = -1;

impl Sprite {
    /// Creates the sprite of an object. Returns `None` if it has no image.
    pub(crate) fn new(
        scene: &Scene,
        level: &Level<'_>,
        object: &LevelObject<'_>,
        options: &RenderOptions,
        bitmaps: &mut Bitmaps,
    ) -> Option<Self> {
        if !matches!(options.view, View::Level | View::Numbers)
            || !matches!(options.objects, Objects::Drawn | Objects::Sprites)
        {
            return None;
        }
        let set = level.set(object.entity.model.as_deref()?)?;
        let frame = level::read_number(&object.entity.properties, "i").unwrap_or(LOWEST_FRAME);
        let flags = level::read_number(&object.entity.properties, "draw_flags").unwrap_or(0);
        let flips = Flips { x: flags & FLIP_X != 0, y: flags & FLIP_Y != 0 };
        let lowest = set.tiles.iter().position(|tile| tile.image.is_some());
        let place = match frame {
            LOWEST_FRAME => u16::try_from(lowest?).ok()?,
            frame => u16::try_from(frame).ok()?,
        };
        // A set without images shows the colour of the number. A set with images shows nothing for the numbers that it lacks.
        let tile = set.tiles.get(usize::from(place)).filter(|tile| tile.image.is_some() || lowest.is_none())?;
        let image = tile.image.filter(|_| options.view == View::Level);
        let image = image.and_then(|image| bitmaps.add_image(&scene.images, image, flips));
        let (appearance, size) = match image {
            Some(image) => (Appearance::Image(image), bitmaps.get(image)?.size),
            // An object that looks like a tile, in the colour of the tile.
            None => {
                let layer = level.layers.get(object.layer.unwrap_or(level.main))?;
                (Appearance::Flat(number_color(place, 0, tile_weight(tile), Depth::Main)), layer.tile)
            }
        };
        let offset = |name, flip| {
            let offset = level::read_number(&tile.properties, name)
                .unwrap_or(0)
                .clamp(-level::MAX_DISTANCE, level::MAX_DISTANCE);
            if flip { -offset } else { offset }
        };
        let [x, y] = object.at;
        let at = [x - size[0] / 2 + offset("offset_x", flips.x), y - size[1] / 2 + offset("offset_y", flips.y)];
        Some(Self { appearance, at, size })
    }
}

/// Sprites in drawing order.
#[derive(Debug)]
pub(crate) struct Sprites {
    sprites: Vec<Sprite>,
    sweep: Sweep,
}

impl Sprites {
    pub(crate) fn new(sprites: Vec<Sprite>, frame: &Frame) -> Self {
        let rows = sprites.iter().map(|sprite| frame.y.image_pixels(sprite.at[1], sprite.at[1] + sprite.size[1]));
        let sweep = Sweep::new(rows);
        Self { sprites, sweep }
    }

    /// Draws row `y` over the lower layers.
    pub(crate) fn draw(&mut self, frame: &Frame, bitmaps: &Bitmaps, y: i64, row: &mut Row, below: &mut [Color]) {
        for &place in self.sweep.advance_to(y) {
            let Some(sprite) = self.sprites.get(place) else { continue };
            row.begin(frame, frame.x.image_pixels(sprite.at[0], sprite.at[0] + sprite.size[0]));
            sprite.appearance.draw(row, frame, bitmaps, y, sprite.at, sprite.size);
            let (start, colors) = row.finish();
            lay(colors, below.get_mut(start..).unwrap_or_default());
        }
    }
}

/// A step of drawing: a layer with its index, or the objects between two layers.
pub(crate) enum DrawStep<'l, 'a> {
    Layer(usize, &'l Layer<'a>),
    Objects(Vec<&'l LevelObject<'a>>),
}

/// Returns the layers and visible objects in the drawing order of the engine.
pub(crate) fn draw_order<'l, 'a>(level: &'l Level<'a>, only: Option<usize>) -> Vec<DrawStep<'l, 'a>> {
    let mut objects: Vec<_> = level.objects.iter().filter(|object| object.visible).collect();
    if let Some(place) = only {
        objects = level.objects.iter().filter(|object| object.layer == Some(place)).collect();
    }
    objects.sort_by(|a, b| a.z.total_cmp(&b.z));
    let mut objects = objects.into_iter().peekable();
    let mut steps = Vec::new();
    for (place, layer) in level.layers.iter().enumerate() {
        if only.map_or(!layer.visible, |only| only != place) {
            continue;
        }
        let before: Vec<_> = match (level.by_z, place) {
            (_, 0) => Vec::new(),
            (true, _) => {
                let z = f64::from(layer.layer.z);
                std::iter::from_fn(|| objects.next_if(|object| object.z < z)).collect()
            }
            (false, _) if place > level.main => objects.by_ref().collect(),
            _ => Vec::new(),
        };
        steps.push(DrawStep::Objects(before));
        steps.push(DrawStep::Layer(place, layer));
    }
    steps.push(DrawStep::Objects(objects.collect()));
    steps
}

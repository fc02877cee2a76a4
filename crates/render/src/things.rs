//! Things of the game: their pictures, and when they are drawn.

use mapwright_scene::Scene;

use crate::colors::{Color, lay};
use crate::level::{self, Layer, Level, Thing};
use crate::look::{Bitmaps, Flips, Look};
use crate::raster::{Frame, Row};
use crate::sweep::Sweep;
use crate::tiles::{Depth, numbered, weight};
use crate::{RenderOptions, Things, View};

/// A picture somewhere in the level.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Sprite {
    look: Look,
    at: [i64; 2],
    size: [i64; 2],
}

/// Bits of the property `draw_flags`.
const MIRROR: i64 = 2;
const INVERT: i64 = 4;

impl Sprite {
    /// What a thing looks like; `None` if there is no picture of it.
    pub(crate) fn new(
        scene: &Scene,
        level: &Level<'_>,
        thing: &Thing<'_>,
        options: &RenderOptions,
        bitmaps: &mut Bitmaps,
    ) -> Option<Self> {
        if !matches!(options.view, View::Level | View::Numbers)
            || !matches!(options.things, Things::Drawn | Things::Pictured)
        {
            return None;
        }
        let set = level.set(thing.entity.model.as_deref()?)?;
        let frame = level::number(&thing.entity.properties, "i").and_then(|frame| u16::try_from(frame).ok());
        let flags = level::number(&thing.entity.properties, "draw_flags").unwrap_or(0);
        let flips = Flips { x: flags & MIRROR != 0, y: flags & INVERT != 0 };
        let place = match frame {
            Some(frame) if set.tiles.get(usize::from(frame)).is_some_and(|tile| tile.image.is_some()) => frame,
            // Whatever else the number asks for, the first picture tells more than a mark.
            _ => match set.tiles.iter().position(|tile| tile.image.is_some()) {
                Some(first) => u16::try_from(first).ok()?,
                None => frame?,
            },
        };
        let tile = set.tiles.get(usize::from(place))?;
        let image = tile.image.filter(|_| options.view == View::Level);
        let image = image.and_then(|image| bitmaps.take(&scene.images, image, flips));
        let (look, size) = match image {
            Some(image) => (Look::Picture(image), bitmaps.get(image)?.size),
            // A thing that wears a tile, in its colour.
            None => {
                let layer = level.layers.get(thing.layer.unwrap_or(level.main))?;
                (Look::Flat(numbered(place, 0, weight(tile), Depth::Main)), layer.tile)
            }
        };
        let offset = |name, flip| {
            let offset = level::number(&tile.properties, name).unwrap_or(0).clamp(-level::FARTHEST, level::FARTHEST);
            if flip { -offset } else { offset }
        };
        let [x, y] = thing.at;
        let at = [x - size[0] / 2 + offset("offset_x", flips.x), y - size[1] / 2 + offset("offset_y", flips.y)];
        Some(Self { look, at, size })
    }
}

/// Sprites in the order in which they are drawn.
#[derive(Debug)]
pub(crate) struct Sprites {
    sprites: Vec<Sprite>,
    sweep: Sweep,
}

impl Sprites {
    pub(crate) fn new(sprites: Vec<Sprite>, frame: &Frame) -> Self {
        let rows = sprites.iter().map(|sprite| frame.y.touched(sprite.at[1], sprite.at[1] + sprite.size[1]));
        let sweep = Sweep::new(rows);
        Self { sprites, sweep }
    }

    /// Draws row `y` over what there is.
    pub(crate) fn draw(&mut self, frame: &Frame, bitmaps: &Bitmaps, y: i64, row: &mut Row, below: &mut [Color]) {
        for &place in self.sweep.to(y) {
            let Some(sprite) = self.sprites.get(place) else { continue };
            row.begin(frame.x.touched(sprite.at[0], sprite.at[0] + sprite.size[0]));
            sprite.look.draw(row, frame, bitmaps, y, sprite.at, sprite.size);
            let (start, colors) = row.finish();
            lay(colors, below.get_mut(start..).unwrap_or_default());
        }
    }
}

/// What comes when: places of layers, and things between them.
pub(crate) enum Turn<'l, 'a> {
    Layer(usize, &'l Layer<'a>),
    Things(Vec<&'l Thing<'a>>),
}

/// Layers and visible things in the order in which the engine draws them.
pub(crate) fn order<'l, 'a>(level: &'l Level<'a>, only: Option<usize>) -> Vec<Turn<'l, 'a>> {
    let mut things: Vec<_> = level.things.iter().filter(|thing| thing.visible).collect();
    if let Some(place) = only {
        things = level.things.iter().filter(|thing| thing.layer == Some(place)).collect();
    }
    things.sort_by(|a, b| a.z.total_cmp(&b.z));
    let mut things = things.into_iter().peekable();
    let mut turns = Vec::new();
    for (place, layer) in level.layers.iter().enumerate() {
        if only.map_or(!layer.visible, |only| only != place) {
            continue;
        }
        let before: Vec<_> = match (level.by_z, turns.is_empty()) {
            (_, true) => Vec::new(),
            (true, _) => {
                let z = f64::from(layer.layer.z);
                std::iter::from_fn(|| things.next_if(|thing| thing.z < z)).collect()
            }
            (false, _) if place > level.main => things.by_ref().collect(),
            (false, _) => Vec::new(),
        };
        turns.push(Turn::Things(before));
        turns.push(Turn::Layer(place, layer));
    }
    turns.push(Turn::Things(things.collect()));
    turns
}

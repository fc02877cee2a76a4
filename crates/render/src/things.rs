//! Things of the game: their pictures, and marks for those without one.

use std::collections::BTreeSet;

use mapwright_scene::{Entity, Scene};

use crate::colors::{self, Color, opaque, over};
use crate::level::{self, Layer, Level, Thing};
use crate::look::{Bitmaps, Flips, Look};
use crate::raster::{Frame, Row};
use crate::tiles::{Depth, numbered};
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
        if options.view == View::Collision || options.things != Things::Drawn {
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
                (Look::Flat(numbered(place, 0, Some(tile), Depth::Near)), layer.tile)
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
    row: Row,
}

impl Sprites {
    pub(crate) fn new(sprites: Vec<Sprite>, frame: &Frame) -> Self {
        let rows = sprites.iter().map(|sprite| frame.y.touched(sprite.at[1], sprite.at[1] + sprite.size[1]));
        let sweep = Sweep::new(rows);
        Self { sprites, sweep, row: Row::new(frame) }
    }

    /// Draws row `y` over what there is.
    pub(crate) fn draw(&mut self, frame: &Frame, bitmaps: &Bitmaps, y: i64, below: &mut [Color]) {
        for &place in self.sweep.to(y) {
            let Some(sprite) = self.sprites.get(place) else { continue };
            self.row.begin(frame.x.touched(sprite.at[0], sprite.at[0] + sprite.size[0]));
            sprite.look.draw(&mut self.row, frame, bitmaps, y, sprite.at, sprite.size);
            let (start, colors) = self.row.finish();
            for (below, &color) in below.iter_mut().skip(start).zip(colors) {
                over(color, below);
            }
        }
    }
}

/// A sign for a thing without a picture.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Mark {
    /// Its middle in the picture.
    at: [i64; 2],
    color: Color,
    shape: Shape,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Shape {
    Disc,
    Square,
    Diamond,
    Up,
    Down,
    /// The start.
    Cross,
}

impl Shape {
    /// Pixels from the middle to the border.
    const fn radius(self) -> i64 {
        if matches!(self, Self::Cross) { 8 } else { 3 }
    }

    /// Whether it covers a place, counted from its middle.
    const fn covers(self, x: i64, y: i64) -> bool {
        let (wide, high) = (x.abs(), y.abs());
        match self {
            Self::Disc => wide * wide + high * high <= 10,
            Self::Square => wide <= 2 && high <= 2,
            Self::Diamond => wide + high <= 3,
            Self::Up => high <= 2 && wide * 2 <= y + 3,
            Self::Down => high <= 2 && wide * 2 <= 3 - y,
            Self::Cross => (wide <= 1 && high <= 7) || (high <= 1 && wide <= 7),
        }
    }

    /// Whether it is right beside what it covers.
    const fn borders(self, x: i64, y: i64) -> bool {
        self.covers(x - 1, y) || self.covers(x + 1, y) || self.covers(x, y - 1) || self.covers(x, y + 1)
    }
}

impl Mark {
    pub(crate) fn of(entity: &Entity, at: [i64; 2], frame: &Frame) -> Self {
        let hash = colors::hash_text(&entity.class);
        let shape = match hash >> 8 & 7 {
            0 | 1 => Shape::Disc,
            2 => Shape::Square,
            3 | 4 => Shape::Diamond,
            5 | 6 => Shape::Up,
            _ => Shape::Down,
        };
        Self { at: [frame.x.place(at[0]), frame.y.place(at[1])], color: opaque(colors::class(hash)), shape }
    }

    pub(crate) const fn start(at: [i64; 2], frame: &Frame) -> Self {
        Self { at: [frame.x.place(at[0]), frame.y.place(at[1])], color: opaque([255; 3]), shape: Shape::Cross }
    }
}

/// Marks in the order in which they are drawn. They have the same size at every scale.
#[derive(Debug)]
pub(crate) struct Marks {
    marks: Vec<Mark>,
    sweep: Sweep,
}

impl Marks {
    pub(crate) fn new(marks: Vec<Mark>) -> Self {
        let rows = marks.iter().map(|mark| {
            let reach = mark.shape.radius() + 1;
            [mark.at[1] - reach, mark.at[1] + reach + 1]
        });
        let sweep = Sweep::new(rows);
        Self { marks, sweep }
    }

    /// Draws row `y` over what there is.
    pub(crate) fn draw(&mut self, y: i64, below: &mut [Color]) {
        for &place in self.sweep.to(y) {
            let Some(&Mark { at, color, shape }) = self.marks.get(place) else { continue };
            let reach = shape.radius() + 1;
            for x in -reach..=reach {
                let Some(below) = usize::try_from(at[0] + x).ok().and_then(|place| below.get_mut(place)) else {
                    continue;
                };
                if shape.covers(x, y - at[1]) {
                    over(color, below);
                } else if shape.borders(x, y - at[1]) {
                    over([0, 0, 0, 200], below);
                }
            }
        }
    }
}

/// Which of many things a row touches, row after row.
#[derive(Debug)]
struct Sweep {
    /// First row, row behind the last, place; by first row.
    rows: Vec<(i64, i64, usize)>,
    next: usize,
    active: BTreeSet<usize>,
    ends: Vec<i64>,
}

impl Sweep {
    fn new(rows: impl Iterator<Item = [i64; 2]>) -> Self {
        let mut rows: Vec<_> = rows.enumerate().map(|(place, [first, end])| (first, end, place)).collect();
        let ends = rows.iter().map(|&(_, end, _)| end).collect();
        rows.sort_unstable();
        Self { rows, next: 0, active: BTreeSet::new(), ends }
    }

    /// The places that row `y` touches, in order; rows are asked for from the top.
    fn to(&mut self, y: i64) -> &BTreeSet<usize> {
        let ends = &self.ends;
        self.active.retain(|&place| ends.get(place).is_some_and(|&end| end > y));
        while let Some(&(first, end, place)) = self.rows.get(self.next).filter(|(first, ..)| *first <= y) {
            debug_assert!(first <= y);
            self.next += 1;
            if end > y {
                self.active.insert(place);
            }
        }
        &self.active
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

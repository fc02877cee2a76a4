//! Sprites of objects, and the order of drawing.

use mapwright_io::math;
use mapwright_scene::{CellLayout, Scene, TileSetId, Value};

use crate::appearance::{Appearance, Bitmaps, Flips, Variant};
use crate::cells::{flag_variant, placed_image, tile_offset};
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
        if let Some(sprite) = Self::from_tile(scene, object, options, bitmaps) {
            return Some(sprite);
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

impl Sprite {
    /// Creates the sprite of an object that states its tile. Its position is the upper left corner of the tile, about which it is turned.
    fn from_tile(
        scene: &Scene,
        object: &LevelObject<'_>,
        options: &RenderOptions,
        bitmaps: &mut Bitmaps,
    ) -> Option<Self> {
        let properties = &object.entity.properties;
        let number = |name| u32::try_from(level::read_number(properties, name)?).ok();
        let (index, place) = (number("tile_set")?, number("tile")?);
        let set = scene.tile_sets.get(TileSetId::new(index))?;
        let tile = set.tiles.get(usize::try_from(place).ok()?)?;
        // NaN becomes 0.
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
        let length = |name| {
            let length = properties.get(name).and_then(Value::as_f64).unwrap_or(0.0);
            length.round().clamp(0.0, level::MAX_DISTANCE as f64) as u32
        };
        let size = ["width", "height"].map(length);
        let turn = properties.get("rotation").and_then(Value::as_f64).unwrap_or(0.0);
        let flags = u8::try_from(number("flips").unwrap_or(0) & 15).unwrap_or(0);
        let is_hexagonal =
            scene.tile_layers.items().iter().any(|layer| matches!(layer.layout, CellLayout::Hexagonal { .. }));
        let mut variant = flag_variant(flags, is_hexagonal);
        #[allow(clippy::cast_possible_truncation, reason = "less than a full turn")]
        let turn = (turn % 360.0 * 1000.0).round() as i32;
        variant.turn = (variant.turn + turn) % 360_000;
        let image = tile.image.filter(|_| options.view == View::Level);
        let own = image.and_then(|image| bitmaps.add_image(&scene.images, image, Variant::default()));
        let own = own.and_then(|own| Some(bitmaps.get(own)?.size));
        let Some((image, own)) = image.zip(own) else {
            let color = number_color(u16::try_from(place).ok()?, 0, tile_weight(tile), Depth::Main);
            return Some(Self { appearance: Appearance::Flat(color), at: object.at, size: size.map(i64::from) });
        };
        let stretched = if size.contains(&0) { own } else { size.map(i64::from) };
        variant.size = (stretched != own).then_some(size);
        let changed = bitmaps.add_image(&scene.images, image, variant)?;
        let drawn = bitmaps.get(changed)?.size;
        let [left, lower] = placed_image(stretched, stretched, drawn, variant);
        let offset = tile_offset(set);
        let scaled = |offset: i64, stretched: i64, own: i64| offset * stretched / own.max(1);
        let [right, down] = [scaled(offset[0], stretched[0], own[0]), scaled(offset[1], stretched[1], own[1])];
        let at = if turn == 0 {
            [left + right, stretched[1] + lower + down]
        } else {
            // The middle of the image moves about the corner.
            let (sin, cos) = math::sin_cos((f64::from(turn) / 1000.0).to_radians());
            #[allow(clippy::cast_precision_loss, reason = "images fit into memory")]
            let [x, y] = [right as f64 + stretched[0] as f64 / 2.0, down as f64 + stretched[1] as f64 / 2.0];
            #[allow(clippy::cast_possible_truncation, clippy::cast_precision_loss)]
            let corner = |middle: f64, drawn: i64| (middle - drawn as f64 / 2.0).round() as i64;
            [corner(x * cos - y * sin, drawn[0]), corner(x * sin + y * cos, drawn[1])]
        };
        let at = [object.at[0] + at[0], object.at[1] + at[1]];
        Some(Self { appearance: Appearance::Image(changed), at, size: drawn })
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
    let (mut tiles, objects): (Vec<_>, Vec<_>) =
        objects.into_iter().partition(|object| only.is_none() && object.layers_before.is_some());
    tiles.sort_by_key(|object| object.layers_before);
    let mut tiles = tiles.into_iter().peekable();
    let mut objects = objects.into_iter().peekable();
    let mut steps = Vec::new();
    for (place, layer) in level.layers.iter().enumerate() {
        let is_before = |object: &&LevelObject<'_>| object.layers_before.is_some_and(|count| count <= place);
        let before: Vec<_> = std::iter::from_fn(|| tiles.next_if(is_before)).collect();
        if !before.is_empty() {
            steps.push(DrawStep::Objects(before));
        }
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
    steps.push(DrawStep::Objects(objects.chain(tiles).collect()));
    steps
}

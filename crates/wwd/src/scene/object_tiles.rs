//! Objects that show a tile of their image set, as programs for maps of tiles place them: at the top left corner of the image.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use mapwright_scene::{Content, Entity, ImageSource, Properties, Scene, TileSet, Transform, Value};

use super::fields::new_object;
use super::values::number;
use crate::DrawFlags;

/// Properties of an entity that shows a tile: the index of the set, the tile, and how the tile is flipped.
const TILE: [&str; 3] = ["tile_set", "tile", "flips"];
/// Properties of an entity that shows a tile: the size of the tile. They are decimal numbers.
const SIZE: [&str; 2] = ["width", "height"];
/// The fields of objects with the names of the size.
const SIZE_FIELDS: [&str; 2] = ["field_width", "field_height"];
/// Properties of a tile: from the position of an object to the middle of its image.
pub(super) const OFFSET: [&str; 2] = ["offset_x", "offset_y"];
/// Flips of a tile: left and right, up and down.
const FLIPS: [i64; 2] = [8, 4];
const DRAW_FLIPS: [DrawFlags; 2] = [DrawFlags::MIRROR, DrawFlags::INVERT];

/// The field with the frame that an object shows, and the flags with its flips.
const FRAME: &str = "i";
const DRAW_FLAGS: &str = "draw_flags";

/// Makes each object whose frame has an image show it as a tile: it moves to the top left corner of the image, and its last properties are
/// `tile_set`, `tile` and `flips` (8: left and right, 4: up and down), and the size of the image as decimal numbers `width` and `height`.
/// Fields of these names become `field_width` and `field_height`. [`from_scene`](super::from_scene) reverts all of that, also after the tile
/// has changed.
///
/// A tile set belongs to the objects with its name as image set, in any case. A tile may have the properties `offset_x` and `offset_y`: from
/// the position of the object to the middle of the image, in pixels, right and down. Images must be decoded. Objects that show a tile of a
/// plane stay as they are unless the image has the size of the cells.
pub fn show_object_tiles(scene: &mut Scene) {
    let sets = scene.tile_sets.iter().rev().map(|(id, set)| (set.name.to_ascii_uppercase(), id));
    let sets: HashMap<String, _> = sets.collect();
    let layers = scene.tile_layers.items().iter();
    let cells: HashMap<_, _> =
        layers.flat_map(|layer| layer.tile_sets.iter().map(|id| (*id, layer.tile_size))).collect();
    let mut changed = HashSet::new();
    for (_, node) in scene.nodes.iter_mut() {
        let Content::Entity(id) = node.content else { continue };
        let Some(entity) = scene.entities.get_mut(id).filter(|_| changed.insert(id)) else { continue };
        let Some(set_id) = entity.model.as_ref().and_then(|model| sets.get(&model.to_ascii_uppercase())) else {
            continue;
        };
        let Some(set) = scene.tile_sets.get(*set_id) else { continue };
        let shown = shown_tile(set, entity).and_then(|place| Some((place, set.tiles.get(place)?)));
        let Some((place, tile)) = shown else { continue };
        let size = tile.image.and_then(|image| match &scene.images.get(image)?.source {
            ImageSource::Pixels(pixels) => Some([pixels.width, pixels.height]),
            _ => None,
        });
        let Some(size) = size.filter(|size| cells.get(set_id).is_none_or(|cell| cell == size)) else { continue };
        let flips = stored_flips(entity);
        let [right, down] = from_corner(size.map(f64::from), &tile.properties, flips);
        node.transform = node.transform.compose(&Transform::translation([-right, down, 0.0]));
        for (key, _) in &mut entity.properties.entries {
            let field = SIZE.iter().position(|name| key == name).and_then(|at| SIZE_FIELDS.get(at));
            field.into_iter().for_each(|field| *key = (*field).to_owned());
        }
        let flips: i64 = FLIPS.iter().zip(flips).filter_map(|(bit, is_set)| is_set.then_some(*bit)).sum();
        let numbers = [set_id.index(), place].map(|number| i64::try_from(number).unwrap_or(i64::MAX));
        let [set, tile] = numbers.map(Value::Int);
        let values = [Some(set), Some(tile), Some(Value::Int(flips)).filter(|_| flips != 0)];
        let values = TILE.into_iter().zip(values).filter_map(|(name, value)| Some((name, value?)));
        let size = SIZE.into_iter().zip(size).map(|(name, length)| (name, Value::Float(length.into())));
        values.chain(size).for_each(|(name, value)| entity.properties.push(name, value));
    }
}

/// Returns the offset from the top left corner of an image to the position of its object, right and down. The games halve sizes as whole
/// numbers.
fn from_corner(size: [f64; 2], tile: &Properties, flips: [bool; 2]) -> [f64; 2] {
    let [x, y] = OFFSET.map(|name| tile.get(name).and_then(Value::as_f64).filter(|it| it.is_finite()).unwrap_or(0.0));
    let along = |length: f64, offset: f64, is_flipped: bool| {
        let half = if length.fract() == 0.0 { (length / 2.0).floor() } else { length / 2.0 };
        half - if is_flipped { -offset } else { offset }
    };
    let ([width, height], [flip_x, flip_y]) = (size, flips);
    [along(width, x, flip_x), along(height, y, flip_y)]
}

/// Returns the tile that an object shows: its frame, or the first image for −1.
fn shown_tile(set: &TileSet, entity: &Entity) -> Option<usize> {
    match stored_number(entity, FRAME).map_or(new_object().i, u32::cast_signed) {
        -1 => first_image(set),
        frame => usize::try_from(frame).ok().filter(|place| set.tiles.get(*place).is_some_and(|it| it.image.is_some())),
    }
}

fn first_image(set: &TileSet) -> Option<usize> {
    set.tiles.iter().position(|tile| tile.image.is_some())
}

fn stored_number(entity: &Entity, name: &str) -> Option<u32> {
    entity.properties.get(name).and_then(number)
}

fn stored_flips(entity: &Entity) -> [bool; 2] {
    let flags = DrawFlags(stored_number(entity, DRAW_FLAGS).unwrap_or(0));
    DRAW_FLIPS.map(|flag| flags.has(flag))
}

/// The tile that an entity shows.
pub(super) struct ObjectTile<'a> {
    set: &'a TileSet,
    place: usize,
    flips: i64,
    size: [f64; 2],
}

impl<'a> ObjectTile<'a> {
    /// Returns the tile of an entity.
    pub(super) fn find(scene: &'a Scene, entity: &Entity) -> Option<Self> {
        let int = |name: &str| entity.properties.get(name).and_then(Value::as_int);
        let [set, place, flips] = TILE.map(int);
        let set = scene.tile_sets.items().get(usize::try_from(set?).ok()?)?;
        let place = usize::try_from(place?).ok().filter(|place| *place < set.tiles.len())?;
        let size = SIZE.map(|name| match entity.properties.get(name) {
            Some(Value::Float(length)) if length.is_finite() => length.max(0.0),
            _ => 0.0,
        });
        Some(Self { set, place, flips: flips.unwrap_or(0), size })
    }

    /// Returns the offset from the position of the entity to that of its object, right and down.
    pub(super) fn offset(&self) -> [f64; 2] {
        let none = Properties::new();
        let tile = self.set.tiles.get(self.place).map_or(&none, |tile| &tile.properties);
        from_corner(self.size, tile, self.flipped())
    }

    fn flipped(&self) -> [bool; 2] {
        FLIPS.map(|bit| self.flips & bit != 0)
    }

    /// Returns `true` if the tile is turned by an eighth or a quarter, which objects cannot be.
    pub(super) fn is_turned(&self) -> bool {
        self.flips & !FLIPS.iter().sum::<i64>() != 0
    }

    /// Returns the flags of an object with the flips of the tile.
    pub(super) fn draw_flags(&self, flags: DrawFlags) -> DrawFlags {
        DRAW_FLIPS.into_iter().zip(self.flipped()).fold(flags, |flags, (flag, is_set)| flags.with(flag, is_set))
    }

    /// Returns the frame of an object: the tile, unless the object has no frame and the tile is the first one.
    pub(super) fn frame(&self, frame: i32) -> i32 {
        match frame {
            -1 if first_image(self.set) == Some(self.place) => -1,
            _ => i32::try_from(self.place).unwrap_or(i32::MAX),
        }
    }

    /// Returns the image set of an object. A tile of another set has replaced the old one.
    pub(super) fn image_set<'t>(&'t self, model: &'t str) -> &'t str {
        if model.eq_ignore_ascii_case(&self.set.name) { model } else { &self.set.name }
    }
}

/// Returns the indices of the tile sets with a tile that an entity shows.
pub(super) fn object_sets(scene: &Scene) -> HashSet<usize> {
    let index = |entity: &Entity| usize::try_from(entity.properties.get(TILE[0])?.as_int()?).ok();
    scene.entities.items().iter().filter_map(index).collect()
}

/// Returns the properties of an entity with the names of its fields. Those of its tile, if it has one, are left out.
pub(super) fn field_properties(properties: &Properties, has_tile: bool) -> Cow<'_, Properties> {
    let field = |name: &str| SIZE_FIELDS.iter().position(|field| *field == name).and_then(|at| SIZE.get(at));
    // The fields keep their names after the tile was removed.
    if !has_tile && properties.iter().all(|(name, _)| field(name).is_none()) {
        return Cow::Borrowed(properties);
    }
    let is_size = |name: &str, value: &Value| SIZE.contains(&name) && matches!(value, Value::Float(_));
    let is_of_tile = |name: &str, value: &Value| has_tile && (TILE.contains(&name) || is_size(name, value));
    let entries = properties.iter().filter(|(name, value)| !is_of_tile(name, value));
    Cow::Owned(entries.map(|(key, value)| (field(key).map_or(key, |field| *field).to_owned(), value.clone())).collect())
}

//! Statistics of a level: objects by logic, treasure and its value, tiles, planes.
//!
//! ```
//! use mapwright_wwd::Document;
//! use mapwright_wwd::edit::{EditObjects, EditOptions};
//!
//! let mut level = Document::new();
//! for line in [
//!     "set level: image_dir=\\LEVEL1\\TILES",
//!     "add plane name=Action, size=4x4, flags=MAIN",
//!     "add object logic=TreasurePowerup, image_set=GAME_TREASURE_RINGS_RED",
//! ] {
//!     level.apply(&line.parse()?, &EditOptions::default())?;
//! }
//! assert_eq!(level.census().score(), 1500);
//! # Ok::<(), mapwright_wwd::edit::QueryError>(())
//! ```

mod display;

use std::collections::HashMap;

use crate::logics::{Game, LogicInfo, Treasure, Unit, logic, loot, loot_numbers, treasure_from_image_set};
use crate::{Cell, Document, Object, Plane, PlaneFlags, Shape};

/// Statistics of a level. It is displayed as tables.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Census {
    /// The game that the header indicates; see [`Game::from_header`]. Without one, logics are interpreted as those of Claw.
    pub game: Option<Game>,
    /// The number of the level; see [`Header::level_number`](crate::Header::level_number).
    pub level_number: Option<u32>,
    /// The planes in file order.
    pub planes: Vec<PlaneCount>,
    /// Number of objects on all planes.
    pub objects: usize,
    /// Objects that the games drop.
    pub dropped: Dropped,
    /// Objects of all planes by logic, the most frequent first.
    pub logics: Vec<LogicCount>,
    /// Treasure of Claw in the order of its value. Kinds that do not occur are left out.
    pub treasure: Vec<TreasureCount>,
    /// Statistics of the tile properties, if there are any.
    pub properties: Option<PropertyCount>,
}

/// Statistics of a plane.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlaneCount {
    /// The name.
    pub name: Vec<u8>,
    /// The flags.
    pub flags: PlaneFlags,
    /// Columns and rows of the grid.
    pub size: (u32, u32),
    /// Width and height of a tile in pixels.
    pub tile_size: (i32, i32),
    /// Movement relative to the camera in percent, horizontally and vertically.
    pub movement: (i32, i32),
    /// Draw order: objects with a lower z are drawn before the plane.
    pub z_coord: i32,
    /// Names of the image sets.
    pub image_sets: Vec<Vec<u8>>,
    /// Number of objects.
    pub objects: usize,
    /// Number of empty cells.
    pub empty: u64,
    /// Number of cells with the fill colour.
    pub filled: u64,
    /// Number of cells with a tile.
    pub tiles: u64,
    /// The number of occurrences of each tile, by image set and frame.
    pub used: Vec<TileCount>,
}

/// Number of occurrences of a tile.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct TileCount {
    /// Index of the image set in the list of the plane.
    pub image_set: u16,
    /// The frame.
    pub frame: u16,
    /// Number of cells.
    pub count: u64,
}

/// Objects that the games drop. Each object is counted once, for the first reason.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Dropped {
    /// Number of objects outside their plane.
    pub outside: usize,
    /// Number of objects without a logic.
    pub without_logic: usize,
    /// Number of objects with a logic that Gruntz does not register. 0 for other games, whose logics are not all known.
    pub unknown_logic: usize,
}

/// Number of objects with the same logic.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LogicCount {
    /// The logic.
    pub logic: Vec<u8>,
    /// Number of objects.
    pub count: usize,
    /// Description of the logic, if it is known.
    pub info: Option<&'static LogicInfo>,
}

/// Treasure of one kind, except on objects that the game drops.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct TreasureCount {
    /// The kind.
    pub treasure: Treasure,
    /// Pieces to collect: objects with the logic `TreasurePowerup` or `GlitterlessPowerup` and an image of treasure.
    pub lying: u64,
    /// Pieces that enemies, crates and statues drop: the numbers in `powerup`, `rect_user1` and `rect_user2` of objects whose logic
    /// uses them as loot.
    pub held: u64,
}

impl TreasureCount {
    /// Returns the points for all pieces.
    pub fn score(&self) -> u64 {
        self.lying.saturating_add(self.held).saturating_mul(self.treasure.score().into())
    }
}

/// Statistics of tile properties.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct PropertyCount {
    /// Number of tiles with the same attribute everywhere.
    pub single: usize,
    /// Number of tiles with one attribute inside a rectangle and another outside.
    pub double: usize,
    /// Number of tiles with a mask: an attribute for each pixel.
    pub mask: usize,
}

impl Document {
    /// Computes statistics of the level.
    pub fn census(&self) -> Census {
        let game = self.game();
        let rules = game.unwrap_or(Game::Claw);
        let mut dropped = Dropped::default();
        let mut logics: HashMap<&[u8], usize> = HashMap::new();
        let mut treasure = [(0_u64, 0_u64); Treasure::ALL.len()];
        for plane in &self.planes {
            for object in &plane.objects {
                add(logics.entry(&object.logic).or_default());
                if !dropped.count_if_dropped(plane, object, rules) && rules == Game::Claw {
                    count_treasure(object, &mut treasure);
                }
            }
        }
        let mut logics: Vec<LogicCount> = logics
            .into_iter()
            .map(|(name, count)| LogicCount { logic: name.to_vec(), count, info: logic(name, rules) })
            .collect();
        logics.sort_by(|a, b| b.count.cmp(&a.count).then_with(|| a.logic.cmp(&b.logic)));
        let pieces = Treasure::ALL.into_iter().zip(treasure);
        Census {
            game,
            level_number: self.header.level_number(),
            planes: self.planes.iter().map(count_plane).collect(),
            objects: self.planes.iter().map(|plane| plane.objects.len()).fold(0, usize::saturating_add),
            dropped,
            logics,
            treasure: pieces
                .filter(|(_, pieces)| *pieces != (0, 0))
                .map(|(treasure, (lying, held))| TreasureCount { treasure, lying, held })
                .collect(),
            properties: self.tile_properties.as_ref().map(|table| {
                let mut count = PropertyCount::default();
                for item in &table.items {
                    add(match item.shape {
                        Shape::Single(_) => &mut count.single,
                        Shape::Double { .. } => &mut count.double,
                        Shape::Mask(_) => &mut count.mask,
                    });
                }
                count
            }),
        }
    }
}

impl Census {
    /// Returns the points for all treasure.
    pub fn score(&self) -> u64 {
        self.treasure.iter().map(TreasureCount::score).fold(0, u64::saturating_add)
    }
}

impl Dropped {
    /// Returns `true` if the games drop an object, and counts it.
    pub(crate) fn count_if_dropped(&mut self, plane: &Plane, object: &Object, game: Game) -> bool {
        let counter = if !plane.contains(object.x, object.y) {
            &mut self.outside
        } else if object.logic.is_empty() {
            &mut self.without_logic
        } else if game == Game::Gruntz && logic(&object.logic, game).is_none() {
            &mut self.unknown_logic
        } else {
            return false;
        };
        add(counter);
        true
    }
}

fn add(count: &mut usize) {
    *count = count.saturating_add(1);
}

/// Counts the treasure that an object of Claw is or drops.
fn count_treasure(object: &Object, treasure: &mut [(u64, u64); Treasure::ALL.len()]) {
    let mut count = |kind: Treasure, lying: u64, held: u64| {
        if let Some(pieces) = Treasure::ALL.iter().position(|other| *other == kind).and_then(|at| treasure.get_mut(at))
        {
            *pieces = (pieces.0.saturating_add(lying), pieces.1.saturating_add(held));
        }
    };
    if matches!(&object.logic[..], b"TreasurePowerup" | b"GlitterlessPowerup") {
        if let Some(kind) = treasure_from_image_set(&object.image_set) {
            count(kind, 1, 0);
        }
        return;
    }
    let info = logic(&object.logic, Game::Claw);
    if info.is_some_and(|info| info.fields.iter().any(|field| field.unit == Unit::Loot)) {
        for kind in loot_numbers(object).filter_map(loot).filter_map(|loot| loot.treasure) {
            count(kind, 0, 1);
        }
    }
}

fn count_plane(plane: &Plane) -> PlaneCount {
    let mut words: HashMap<u32, u64> = HashMap::new();
    // Equal cells are mostly adjacent.
    for run in plane.tiles.chunk_by(|a, b| a == b) {
        if let Some(word) = run.first() {
            let count = words.entry(*word).or_default();
            *count = count.saturating_add(run.len() as u64);
        }
    }
    let empty = words.remove(&Cell::EMPTY).unwrap_or(0);
    let filled = words.remove(&Cell::FILL).unwrap_or(0);
    let mut used: Vec<TileCount> = words
        .into_iter()
        .filter_map(|(word, count)| match Cell::from_word(word) {
            Cell::Tile { image_set, frame } => Some(TileCount { image_set, frame, count }),
            _ => None,
        })
        .collect();
    used.sort_unstable_by_key(|tile| (tile.image_set, tile.frame));
    PlaneCount {
        name: plane.name.text().to_vec(),
        flags: plane.flags,
        size: plane.size(),
        tile_size: (plane.tile_w, plane.tile_h),
        movement: (plane.movement_x, plane.movement_y),
        z_coord: plane.z_coord,
        image_sets: plane.image_sets.iter().map(<[u8]>::to_vec).collect(),
        objects: plane.objects.len(),
        empty,
        filled,
        tiles: used.iter().map(|tile| tile.count).fold(0, u64::saturating_add),
        used,
    }
}

//! What a level holds, counted: objects by their logic, treasure and what it is worth, tiles, planes.
//!
//! ```
//! use mapwright_wwd::Document;
//!
//! let mut level = Document::new();
//! level.edit(&"set level: image_dir=\\LEVEL1\\TILES".parse()?)?;
//! level.edit(&"add plane name=Action, size=4x4, flags=MAIN".parse()?)?;
//! level.edit(&"add object logic=TreasurePowerup, image_set=GAME_TREASURE_RINGS_RED".parse()?)?;
//! assert_eq!(level.census().score(), 1500);
//! # Ok::<(), mapwright_wwd::edit::QueryError>(())
//! ```

mod display;

use std::collections::HashMap;

use crate::logics::{Game, LogicInfo, Treasure, Unit, logic, loot, loot_of, treasure_of};
use crate::{Cell, Document, Object, Plane, PlaneFlags, Shape};

/// What a level holds. It prints as tables.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Census {
    /// The game, as far as the header tells; see [`Game::of`]. Logics of a level without one are taken for Claw's.
    pub game: Option<Game>,
    /// The number of the level; see [`Header::level_number`](crate::Header::level_number).
    pub level_number: Option<u32>,
    /// The planes in order.
    pub planes: Vec<PlaneCount>,
    /// Objects of all planes.
    pub objects: usize,
    /// Objects that the games drop.
    pub dropped: Dropped,
    /// Objects of all planes by their logic, the most frequent first.
    pub logics: Vec<LogicCount>,
    /// Treasure of Claw, by value; kinds of which there is none are left out.
    pub treasure: Vec<TreasureCount>,
    /// The table of tile properties, if there is one.
    pub properties: Option<PropertyCount>,
}

/// What a plane holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlaneCount {
    /// Its name.
    pub name: Vec<u8>,
    /// Its flags.
    pub flags: PlaneFlags,
    /// Columns and rows of the grid.
    pub size: (u32, u32),
    /// Width and height of a tile in pixels.
    pub tile_size: (i32, i32),
    /// Percent of the way of the camera that it moves, across and down.
    pub movement: (i32, i32),
    /// Which objects it covers.
    pub z_coord: i32,
    /// Names of its image sets.
    pub image_sets: Vec<Vec<u8>>,
    /// Objects.
    pub objects: usize,
    /// Empty cells.
    pub empty: u64,
    /// Cells of the fill colour.
    pub filled: u64,
    /// Cells with a tile.
    pub tiles: u64,
    /// Each tile that occurs, by image set and frame, and how often.
    pub used: Vec<TileCount>,
}

/// How often a tile occurs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct TileCount {
    /// The place of its image set in the plane's list.
    pub image_set: u16,
    /// Its frame.
    pub frame: u16,
    /// How often.
    pub count: u64,
}

/// Objects that the games drop; each is counted for the first reason.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Dropped {
    /// Those outside their plane.
    pub outside: usize,
    /// Those without a logic.
    pub without_logic: usize,
    /// Those with a logic that the game does not register. It is known of Gruntz alone; in levels of other games it is 0.
    pub unknown_logic: usize,
}

/// Objects of one logic.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LogicCount {
    /// The logic.
    pub logic: Vec<u8>,
    /// How many objects.
    pub count: usize,
    /// What is known of it.
    pub info: Option<&'static LogicInfo>,
}

/// Treasure of one kind, without that of objects that the game drops.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct TreasureCount {
    /// The kind.
    pub treasure: Treasure,
    /// Pieces that lie about: objects of the logics `TreasurePowerup` and `GlitterlessPowerup` with an image of treasure.
    pub lying: u64,
    /// Pieces that enemies, crates and statues drop: each number in `powerup`, `rect_user1` and `rect_user2` of objects whose logic
    /// reads them as loot.
    pub held: u64,
}

impl TreasureCount {
    /// Points for all of it.
    pub fn score(&self) -> u64 {
        self.lying.saturating_add(self.held).saturating_mul(self.treasure.score().into())
    }
}

/// What a table of tile properties holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct PropertyCount {
    /// Tiles with one attribute.
    pub single: usize,
    /// Tiles with a rectangle of another attribute.
    pub double: usize,
    /// Tiles with an attribute for each pixel.
    pub mask: usize,
}

impl Document {
    /// Counts what the level holds.
    pub fn census(&self) -> Census {
        let game = self.game();
        let rules = game.unwrap_or(Game::Claw);
        let mut dropped = Dropped::default();
        let mut logics: HashMap<&[u8], usize> = HashMap::new();
        let mut treasure = [(0_u64, 0_u64); Treasure::ALL.len()];
        for plane in &self.planes {
            for object in &plane.objects {
                add(logics.entry(&object.logic).or_default());
                if !dropped.takes(plane, object, rules) && rules == Game::Claw {
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
    /// Points for all treasure.
    pub fn score(&self) -> u64 {
        self.treasure.iter().map(TreasureCount::score).fold(0, u64::saturating_add)
    }
}

impl Dropped {
    /// Whether the games drop an object, which is counted then.
    pub(crate) fn takes(&mut self, plane: &Plane, object: &Object, game: Game) -> bool {
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

/// Counts the treasure that an object of Claw is or holds: pieces that lie about, and pieces that are held.
fn count_treasure(object: &Object, treasure: &mut [(u64, u64); Treasure::ALL.len()]) {
    let mut count = |kind: Treasure, lying: u64, held: u64| {
        if let Some(pieces) = Treasure::ALL.iter().position(|other| *other == kind).and_then(|at| treasure.get_mut(at))
        {
            *pieces = (pieces.0.saturating_add(lying), pieces.1.saturating_add(held));
        }
    };
    if matches!(&object.logic[..], b"TreasurePowerup" | b"GlitterlessPowerup") {
        if let Some(kind) = treasure_of(&object.image_set) {
            count(kind, 1, 0);
        }
        return;
    }
    let info = logic(&object.logic, Game::Claw);
    if info.is_some_and(|info| info.fields.iter().any(|field| field.unit == Unit::Loot)) {
        for kind in loot_of(object).filter_map(loot).filter_map(|loot| loot.treasure) {
            count(kind, 0, 1);
        }
    }
}

fn count_plane(plane: &Plane) -> PlaneCount {
    let mut words: HashMap<u32, u64> = HashMap::new();
    // Equal cells stand side by side.
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

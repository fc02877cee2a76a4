//! Worlds: maps with their positions.

use std::borrow::Cow;

use super::children;
use super::record::record;
use crate::document::Item;

record! {
    /// A list of maps, and of patterns for the names of maps.
    World<'a> {
        /// `true` if the editor shows only maps next to the current one.
        only_show_adjacent_maps("onlyShowAdjacentMaps"): bool = false;
    }
}

impl<'a> World<'a> {
    /// Iterates over the maps.
    pub fn maps(self) -> impl Iterator<Item = WorldMap<'a>> + Clone {
        children(self.0, "map", "maps").map(WorldMap::new)
    }

    /// Iterates over the patterns.
    pub fn patterns(self) -> impl Iterator<Item = Pattern<'a>> + Clone {
        children(self.0, "pattern", "patterns").map(Pattern::new)
    }
}

record! {
    /// A map of a world.
    WorldMap<'a> {
        /// The file, relative to the file of the world.
        file_name("fileName"): Cow<'a, str> = Cow::Borrowed("");
        /// x of the left side in pixels.
        x("x"): i32 = 0;
        /// y of the top in pixels.
        y("y"): i32 = 0;
        /// Width in pixels.
        width("width"): i32 = 0;
        /// Height in pixels.
        height("height"): i32 = 0;
    }
}

record! {
    /// A pattern for the names of maps. Two groups of the expression are whole numbers: the column and row of the map.
    Pattern<'a> {
        /// A regular expression.
        regexp("regexp"): Cow<'a, str> = Cow::Borrowed("");
        /// Pixels between columns.
        multiplier_x("multiplierX"): i32 = 1;
        /// Pixels between rows.
        multiplier_y("multiplierY"): i32 = 1;
        /// x of column 0 in pixels.
        offset_x("offsetX"): i32 = 0;
        /// y of row 0 in pixels.
        offset_y("offsetY"): i32 = 0;
        /// Width of a map in pixels. Without it, the distance between columns.
        map_width("mapWidth"): i32;
        /// Height of a map in pixels. Without it, the distance between rows.
        map_height("mapHeight"): i32;
    }
}

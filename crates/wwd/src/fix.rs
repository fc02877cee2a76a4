//! Repairs levels.

use mapwright_io::format_count;
use std::fmt;

use mapwright_io::{Frame, Path};

use crate::census::Dropped;
use crate::logics::Game;
use crate::{Cell, Checksum, Document, HeaderFlags, Plane, Shape, TileProperties, TileProperty};

mapwright_io::options! {
    /// Repairs that are not always wanted.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub struct FixOptions {
        /// Remove objects that the game drops: outside their plane, without a logic, or with one that Gruntz does not know.
        pub dropped_objects: bool = false, with_dropped_objects;
        /// Also add default ("clear") properties for tiles of the main plane that are used but have none. The right properties are only
        /// in the data of the game.
        pub missing_properties: bool = false, with_missing_properties;
    }
}

/// A repair that was made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fix {
    /// The code of the finding that was repaired; see [`Document::validate`].
    pub code: &'static str,
    /// Path of the repaired part.
    pub path: Path,
    /// Description of the change.
    pub message: String,
}

impl fmt::Display for Fix {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.path, self.message)
    }
}

impl Document {
    /// Repairs certain errors, and others on request.
    ///
    /// | code | repair |
    /// |---|---|
    /// | `checksum` | a checksum that is neither the one of WapWorld and GLE nor WapMap's is replaced by that of the level's [`profile`](Self::profile) |
    /// | `pixel-size` | the size of a plane in pixels is computed from its tiles |
    /// | `block-size` | the declared size of an uncompressed main block is set to 0, as in all known files |
    /// | `object-outside`, `object-logic` | with [`FixOptions::dropped_objects`]: objects that the game drops are removed |
    /// | `tile-range`, `no-properties` | with [`FixOptions::missing_properties`]: properties are appended |
    pub fn fix(&mut self, options: &FixOptions) -> Vec<Fix> {
        let mut fixes = Vec::new();
        let mut checksum_is_right = self.checksum_is_of_an_editor();
        let game = self.game().unwrap_or(Game::Claw);
        for (index, plane) in self.planes.iter_mut().enumerate() {
            let path = [Frame::Field("planes"), Frame::Index(index)];
            fix_pixels(plane, &path, &mut fixes);
            if options.dropped_objects {
                remove_dropped(plane, game, &path, &mut fixes);
            }
        }
        if options.missing_properties {
            self.append_properties(&mut fixes);
        }
        self.fix_block_size(&mut fixes);
        checksum_is_right &= self.checksum_is_of_an_editor();
        if !checksum_is_right {
            let old = self.header.checksum;
            // The checksum of a changed block is computed when it is written.
            if let (Some(stored), Ok(main)) = (self.stored_block(), self.to_main_block()) {
                let compressed = self.header.flags.has(HeaderFlags::COMPRESS);
                self.header.checksum = Checksum::from(self.profile).compute(stored, &main, compressed);
            }
            let message = format!("{old:#010x} replaced by the checksum of {}", Checksum::from(self.profile).name());
            let path = [Frame::Field("header"), Frame::Field("checksum")].into_iter().collect();
            fixes.push(Fix { code: "checksum", path, message });
        }
        fixes
    }

    /// Returns `true` if the checksum is that of an editor, or if the block has changed since it was read.
    fn checksum_is_of_an_editor(&self) -> bool {
        let (Some(stored), Ok(main)) = (self.stored_block(), self.main_block()) else { return true };
        let compressed = self.header.flags.has(HeaderFlags::COMPRESS);
        let matches = |checksum: Checksum| checksum.compute(stored, &main, compressed) == self.header.checksum;
        matches(Checksum::Editor) || matches(Checksum::WapMap)
    }

    fn fix_block_size(&mut self, fixes: &mut Vec<Fix>) {
        let declared = self.header.main_block_size;
        if self.header.flags.has(HeaderFlags::COMPRESS) || declared == 0 {
            return;
        }
        let right = self.main_block().is_ok_and(|main| u32::try_from(main.len()) == Ok(declared));
        if !right {
            self.header.main_block_size = 0;
            let path = [Frame::Field("header"), Frame::Field("main_block_size")].into_iter().collect();
            let message = format!("{declared} set to 0: the main block is not compressed");
            fixes.push(Fix { code: "block-size", path, message });
        }
    }

    fn append_properties(&mut self, fixes: &mut Vec<Fix>) {
        let Some(plane) = self.main_plane() else { return };
        let frames = plane.tiles.iter().filter_map(|&word| match Cell::from_word(word) {
            Cell::Tile { frame, .. } => Some(usize::from(frame)),
            _ => None,
        });
        let needed = frames.max().map_or(0, |frame| frame.saturating_add(1));
        let pixels = |size: i32| u32::try_from(size).unwrap_or(64);
        let size = (pixels(plane.tile_w), pixels(plane.tile_h));
        let items = self.tile_properties.as_ref().map(|table| table.items.as_slice());
        let found = items.map_or(0, <[TileProperty]>::len);
        if needed <= found {
            return;
        }
        let (width, height) = items.and_then(<[_]>::last).map_or(size, |item| (item.width, item.height));
        let code = if items.is_some() { "tile-range" } else { "no-properties" };
        let clear = TileProperty { reserved_04: 0, width, height, shape: Shape::Single(0) };
        self.tile_properties.get_or_insert_with(TileProperties::default).items.resize(needed, clear);
        let message = format!("{} appended to {found}", format_count(needed.saturating_sub(found), "default property"));
        fixes.push(Fix { code, path: [Frame::Field("tile_properties")].into_iter().collect(), message });
    }
}

fn fix_pixels(plane: &mut Plane, parent: &[Frame], fixes: &mut Vec<Fix>) {
    let pixels = |tiles: i32, size: i32| i32::try_from(i64::from(tiles).saturating_mul(size.into())).ok();
    let sides = (pixels(plane.tiles_wide, plane.tile_w), pixels(plane.tiles_high, plane.tile_h));
    let (Some(width), Some(height)) = sides else { return };
    let (old_width, old_height) = (plane.width_px, plane.height_px);
    if (old_width, old_height) != (width, height) {
        (plane.width_px, plane.height_px) = (width, height);
        let message = format!("size in pixels set from {old_width}×{old_height} to {width}×{height}");
        fixes.push(Fix { code: "pixel-size", path: parent.iter().cloned().collect(), message });
    }
}

fn remove_dropped(plane: &mut Plane, game: Game, parent: &[Frame], fixes: &mut Vec<Fix>) {
    let mut dropped = Dropped::default();
    let mut objects = std::mem::take(&mut plane.objects);
    objects.retain(|object| !dropped.count_if_dropped(plane, object, game));
    plane.objects = objects;
    let path: Path = parent.iter().cloned().chain([Frame::Field("objects")]).collect();
    for (code, count, why) in [
        ("object-outside", dropped.outside, "outside the plane"),
        ("object-logic", dropped.without_logic, "without a logic"),
        ("object-logic", dropped.unknown_logic, "with a logic that the game does not know"),
    ] {
        if count > 0 {
            fixes.push(Fix { code, path: path.clone(), message: format!("{count} objects {why} removed") });
        }
    }
}

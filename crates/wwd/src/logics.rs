//! Meaning of objects and tiles in the games: logics, treasure, attributes of tiles.
//!
//! Levels do not contain this. The tables come from the reconstructed sources of Gruntz, from the dialogs of WapMap and from OpenClaw,
//! which plays the levels of Claw.

pub(crate) mod attributes;
mod claw;
mod gruntz;
mod treasure;

use std::fmt;

pub use attributes::attribute_name;
pub use treasure::{Loot, Treasure, loot, loot_numbers, treasure_from_image_set};

use crate::{Document, Header, Object};

/// A game of the engine.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Game {
    /// Claw, 1997.
    Claw,
    /// Get Medieval, 1998.
    GetMedieval,
    /// Gruntz, 1999.
    Gruntz,
}

impl Game {
    /// Detects the game from the image folder in the header: `LEVEL1` is Claw, `AREA1` Gruntz, `DUNGEON1` Get Medieval.
    pub fn from_header(header: &Header) -> Option<Self> {
        let folders = [("LEVEL", Self::Claw), ("AREA", Self::Gruntz), ("DUNGEON", Self::GetMedieval)];
        let image_dir = header.image_dir.text().to_ascii_uppercase();
        let first = image_dir.split(|byte| matches!(byte, b'\\' | b'/')).find(|part| !part.is_empty())?;
        folders.into_iter().find_map(|(folder, game)| {
            first.strip_prefix(folder.as_bytes())?.first().is_some_and(u8::is_ascii_digit).then_some(game)
        })
    }

    /// Returns the name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Claw => "Claw",
            Self::GetMedieval => "Get Medieval",
            Self::Gruntz => "Gruntz",
        }
    }
}

impl fmt::Display for Game {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl Document {
    /// Detects the game of the level; see [`Game::from_header`].
    pub fn game(&self) -> Option<Game> {
        Game::from_header(&self.header)
    }
}

/// Description of a logic.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LogicInfo {
    /// The name in objects.
    pub name: &'static str,
    /// Meaning in the game; empty if only the name is known.
    pub meaning: &'static str,
    /// The known fields that the logic uses, except position and image.
    pub fields: &'static [LogicField],
}

/// Meaning of a field for a logic.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LogicField {
    /// The name of the field. If the sides of a rectangle differ in meaning, the name includes the side: `rect_move_left`.
    pub name: &'static str,
    /// Unit of the value.
    pub unit: Unit,
    /// Meaning of the value.
    pub meaning: &'static str,
    /// `true` if the logic uses the field only for an object that is a warp or drops one.
    pub warp: bool,
}

/// Returns the fields of an object, except its own position, that are positions on the plane. Returns `None` if the fields of the
/// logic are unknown.
pub(crate) fn places(object: &Object, game: Game) -> Option<impl Iterator<Item = &'static LogicField> + use<>> {
    let info = logic(&object.logic, game).filter(|info| !info.meaning.is_empty())?;
    let warp = object.image_set.ends_with(b"WARP") || loot_numbers(object).any(|id| id == treasure::WARP);
    let is_position = move |field: &&LogicField| matches!(field.unit, Unit::X | Unit::Y) && (warp || !field.warp);
    Some(info.fields.iter().filter(is_position))
}

/// Unit of a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Unit {
    /// A number without a unit.
    Number,
    /// A position in pixels from the left of the plane; 0 is none.
    X,
    /// A position in pixels from the top of the plane; 0 is none.
    Y,
    /// A length in pixels.
    Pixels,
    /// A speed in pixels per second.
    PixelsPerSecond,
    /// A time in milliseconds.
    Milliseconds,
    /// A direction as on a keypad: 8 up, 2 down, 4 left, 6 right, 5 none.
    Keypad,
    /// The number of [`loot`] that is dropped; 0 is none.
    Loot,
    /// 0 is false, any other value true.
    Flag,
    /// Volume in percent.
    Volume,
    /// The key of a sound.
    Sound,
}

impl Unit {
    /// Returns the symbol of the unit; empty for numbers without one.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Number => "",
            Self::X => "x",
            Self::Y => "y",
            Self::Pixels => "px",
            Self::PixelsPerSecond => "px/s",
            Self::Milliseconds => "ms",
            Self::Keypad => "keypad",
            Self::Loot => "loot",
            Self::Flag => "flag",
            Self::Volume => "%",
            Self::Sound => "sound",
        }
    }
}

/// Returns the description of a logic. For Gruntz, all logics that the game registers are known; it drops objects with others. For
/// Claw, those that its levels use are known, so an unknown logic can be valid.
pub fn logic(name: &[u8], game: Game) -> Option<&'static LogicInfo> {
    logics(game).iter().find(|info| info.name.as_bytes() == name)
}

/// Returns all known logics of a game.
pub fn logics(game: Game) -> &'static [LogicInfo] {
    match game {
        Game::Claw => claw::LOGICS,
        Game::Gruntz => gruntz::LOGICS,
        Game::GetMedieval => &[],
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::io::FixedBytes;

    #[test]
    fn the_image_folder_identifies_the_game() {
        let game = |image_dir: &[u8]| {
            Game::from_header(&Header { image_dir: FixedBytes::from_text(image_dir).unwrap(), ..Header::default() })
        };
        for (image_dir, expected) in [
            (&b"\\LEVEL1\\TILES"[..], Some(Game::Claw)),
            (b"LEVEL2\\TILES\\", Some(Game::Claw)),
            (b"\\AREA1\\TILEZ", Some(Game::Gruntz)),
            (b"dungeon3\\tiles", Some(Game::GetMedieval)),
            (b"LEVEL", None),
            (b"\\MYLEVEL1", None),
            (b"", None),
        ] {
            assert_eq!(game(image_dir), expected, "{}", image_dir.escape_ascii());
        }
    }

    #[test]
    fn tables_name_each_logic_once_and_real_fields() {
        for game in [Game::Claw, Game::Gruntz] {
            let mut names: Vec<&str> = logics(game).iter().map(|info| info.name).collect();
            names.sort_unstable();
            names.windows(2).for_each(|pair| assert_ne!(pair[0], pair[1]));
            for info in logics(game) {
                for field in info.fields {
                    let base = field.name.trim_end_matches("_left").trim_end_matches("_top");
                    let base = base.trim_end_matches("_right").trim_end_matches("_bottom");
                    assert!(Object::FIELDS.contains(&base), "{}: {}", info.name, field.name);
                }
            }
        }
        assert_eq!(logics(Game::Gruntz).len(), 73);
        assert!(logic(b"Elevator", Game::Claw).unwrap().fields.iter().any(|field| field.name == "speed_x"));
        assert_eq!(logic(b"Elevator", Game::Gruntz), None);
        assert_eq!(logic(b"Elevater", Game::Claw), None);
        for name in ["JumpSwitch", "Dynamite", "CannonBall", "TProjectile", "1"] {
            assert!(logic(name.as_bytes(), Game::Claw).is_some(), "{name}");
        }
    }
}

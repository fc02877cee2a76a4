//! What the games make of objects and tiles: logics, treasures, attributes of tiles.
//!
//! The file does not say it. The tables come from the reconstructed sources of Gruntz, from the dialogs of WapMap and from OpenClaw,
//! which plays Claw's levels.

mod attributes;
mod claw;
mod gruntz;
mod treasure;

use std::fmt;

pub use attributes::attribute_name;
pub use treasure::{Loot, Treasure, loot, loot_of, treasure_of};

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
    /// The game whose folders the header names: `LEVEL` and a number for Claw, `AREA` for Gruntz, `DUNGEON` for Get Medieval.
    pub fn of(header: &Header) -> Option<Self> {
        let folders = [("LEVEL", Self::Claw), ("AREA", Self::Gruntz), ("DUNGEON", Self::GetMedieval)];
        let image_dir = header.image_dir.text().to_ascii_uppercase();
        let first = image_dir.split(|byte| matches!(byte, b'\\' | b'/')).find(|part| !part.is_empty())?;
        folders.into_iter().find_map(|(folder, game)| {
            first.strip_prefix(folder.as_bytes())?.first().is_some_and(u8::is_ascii_digit).then_some(game)
        })
    }

    /// Its name.
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
    /// The game that the level is for; see [`Game::of`].
    pub fn game(&self) -> Option<Game> {
        Game::of(&self.header)
    }
}

/// What is known of a logic.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LogicInfo {
    /// Its name as objects have it.
    pub name: &'static str,
    /// What it is in the game; empty where only the name is known.
    pub meaning: &'static str,
    /// The fields that it reads besides position and looks, as far as known.
    pub fields: &'static [LogicField],
}

/// A field as a logic reads it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LogicField {
    /// The name of the field; a rectangle stands with a side, as `rect_move_left`, where its sides mean different things.
    pub name: &'static str,
    /// What its number counts.
    pub unit: Unit,
    /// What it says.
    pub meaning: &'static str,
    /// Whether it counts only of objects that are a warp or hold one.
    pub warp: bool,
}

/// The fields of an object, besides its own place, that hold a place on the plane; `None` if its logic is not known so well.
pub(crate) fn places(object: &Object, game: Game) -> Option<impl Iterator<Item = &'static LogicField> + use<>> {
    let info = logic(&object.logic, game).filter(|info| !info.meaning.is_empty())?;
    let warp = object.image_set.ends_with(b"WARP") || loot_of(object).any(|id| id == treasure::WARP);
    let place = move |field: &&LogicField| matches!(field.unit, Unit::X | Unit::Y) && (warp || !field.warp);
    Some(info.fields.iter().filter(place))
}

/// What a number counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Unit {
    /// Something without a unit.
    Number,
    /// A place: pixels of the plane from the left; 0 is none.
    X,
    /// A place: pixels of the plane from the top; 0 is none.
    Y,
    /// A length in pixels.
    Pixels,
    /// Pixels in a second.
    PixelsPerSecond,
    /// Milliseconds.
    Milliseconds,
    /// A direction as the digits lie on a keypad: 8 up, 2 down, 4 left, 6 right; 5 stays.
    Keypad,
    /// What is dropped: see [`loot`]; 0 is nothing.
    Loot,
    /// 0 no, otherwise yes.
    Flag,
    /// Loudness, up to 100.
    Volume,
    /// The key of a sound.
    Sound,
}

impl Unit {
    /// How it is called in a table; empty for numbers without a unit.
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

/// What is known of a logic of a game. For Gruntz all names that the game registers are known (it drops objects with others);
/// for Claw those that its levels use, so that an unknown one need not be wrong.
pub fn logic(name: &[u8], game: Game) -> Option<&'static LogicInfo> {
    logics(game).iter().find(|info| info.name.as_bytes() == name)
}

/// All known logics of a game.
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
    fn the_game_is_told_by_the_folder_of_images() {
        let game = |image_dir: &[u8]| {
            Game::of(&Header { image_dir: FixedBytes::from_text(image_dir).unwrap(), ..Header::default() })
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

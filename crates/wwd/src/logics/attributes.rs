//! Names of the attributes of tiles.

use super::Game;

/// Returns the name of an attribute of a tile, or `None` if the game does not define it.
pub fn attribute_name(attribute: i32, game: Game) -> Option<&'static str> {
    let common = COMMON.iter().find(|(value, _)| *value == attribute);
    let own = if game == Game::Gruntz { GRUNTZ } else { &[] };
    common.or_else(|| own.iter().find(|(value, _)| *value == attribute)).map(|(_, name)| *name)
}

/// The attributes of both games.
pub(crate) const COMMON: &[(i32, &str)] = &[(0, "clear"), (1, "solid"), (2, "ground"), (3, "climb"), (4, "death")];

/// The meaning of 0x9A is unknown; it occurs in levels.
const GRUNTZ: &[(i32, &str)] = &[
    (0x0A, "water"),
    (0x0B, "arrow A up"),
    (0x0C, "arrow A down"),
    (0x0D, "arrow A left"),
    (0x0E, "arrow A right"),
    (0x0F, "arrow B up"),
    (0x10, "arrow B down"),
    (0x11, "arrow B left"),
    (0x12, "arrow B right"),
    (0x13, "current arrow"),
    (0x1E, "gauntlet rock A"),
    (0x1F, "gauntlet rock B"),
    (0x20, "spikes"),
    (0x21, "giant rock"),
    (0x22, "covered powerup"),
    (0x23, "revealed powerup"),
    (0x24, "sink hazard"),
    (0x33, "switch A down"),
    (0x34, "switch A up"),
    (0x35, "switch B down"),
    (0x36, "switch B up"),
    (0x37, "multi switch down"),
    (0x38, "multi switch up"),
    (0x39, "switch C down"),
    (0x3A, "switch C up"),
    (0x3B, "exclusive switch down"),
    (0x3C, "exclusive switch up"),
    (0x3D, "secret switch down"),
    (0x3E, "secret switch up"),
    (0x3F, "time switch down"),
    (0x40, "time switch up"),
    (0x41, "checkpoint down"),
    (0x42, "checkpoint up"),
    (0x5D, "checkpoint pyramid down"),
    (0x5E, "checkpoint pyramid up"),
    (0x5F, "white pyramid down"),
    (0x60, "white pyramid up"),
    (0x61, "orange pyramid down"),
    (0x62, "orange pyramid up"),
    (0x63, "black pyramid down"),
    (0x64, "black pyramid up"),
    (0x65, "green pyramid down"),
    (0x66, "green pyramid up"),
    (0x67, "red pyramid down"),
    (0x68, "red pyramid up"),
    (0x69, "purple pyramid down"),
    (0x6A, "purple pyramid up"),
    (0x6B, "water bridge down"),
    (0x6C, "water bridge up"),
    (0x6D, "death bridge down"),
    (0x6E, "death bridge up"),
    (0x6F, "crumbling water bridge"),
    (0x70, "crumbling death bridge"),
    (0x71, "toggle water bridge down"),
    (0x72, "toggle water bridge up"),
    (0x73, "toggle death bridge down"),
    (0x74, "toggle death bridge up"),
    (0x96, "hidden powerup"),
    (0x97, "gauntlet brick A"),
    (0x98, "gauntlet brick B"),
    (0x99, "gauntlet brick C"),
    (0x9A, "unnamed"),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_game_has_its_attributes() {
        assert_eq!(attribute_name(2, Game::Claw), Some("ground"));
        assert_eq!(attribute_name(0x0A, Game::Claw), None);
        assert_eq!(attribute_name(0x0A, Game::Gruntz), Some("water"));
        assert_eq!(attribute_name(301, Game::Gruntz), None);
        // 0–4, 0x0A–0x13, 0x1E–0x24, 0x33–0x42, 0x5D–0x74, 0x96–0x9A.
        let named = (-1..400).filter(|&value| attribute_name(value, Game::Gruntz).is_some()).count();
        assert_eq!(named, 5 + 10 + 7 + 16 + 24 + 5);
    }
}

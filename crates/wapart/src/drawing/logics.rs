//! Changes that logics make to their objects before they are drawn.

use crate::Game;

/// The rules of a logic.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LogicRules {
    /// `true` if the object is invisible when a level starts.
    pub is_hidden: bool,
    /// `true` if the object moves to the middle of its tile.
    pub snaps: bool,
    /// The z of the object.
    pub depth: DrawDepth,
}

/// The z of an object. Larger ones are drawn later.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DrawDepth {
    /// The stored z.
    Stored,
    /// The same z for all objects of the logic.
    Fixed(i32),
    /// 100,000 + y.
    Row,
    /// 100,000 + y + half of the height of the image. The stored z if there is no image.
    LowerEdge,
    /// The stored z, or [`LowerEdge`](Self::LowerEdge) if it is 0.
    LowerEdgeIfZero,
}

/// The z of objects that are sorted by their position, at y 0.
const ROWS: i32 = 100_000;

impl LogicRules {
    /// The rules of logics that change nothing.
    pub const PLAIN: Self = Self { is_hidden: false, snaps: false, depth: DrawDepth::Stored };

    /// Returns the position at which an object is drawn.
    pub const fn position(self, [x, y]: [i32; 2]) -> [i32; 2] {
        // Tiles are 32 pixels wide. Setting the bit adds 16, as the low bits are 0.
        if self.snaps { [(x & !31) | 16, (y & !31) | 16] } else { [x, y] }
    }

    /// Returns the z of an object from its stored z, its [`position`](Self::position) and the height of its image in pixels, if it has one.
    pub fn z(self, stored: i32, [_, y]: [i32; 2], image_height: Option<u32>) -> i32 {
        let lower_edge = || match image_height {
            Some(height) => i32::try_from(height / 2).unwrap_or(i32::MAX).saturating_add(y).saturating_add(ROWS),
            None => stored,
        };
        match self.depth {
            DrawDepth::Stored => stored,
            DrawDepth::Fixed(z) => z,
            DrawDepth::Row => ROWS.saturating_add(y),
            DrawDepth::LowerEdge => lower_edge(),
            DrawDepth::LowerEdgeIfZero if stored == 0 => lower_edge(),
            DrawDepth::LowerEdgeIfZero => stored,
        }
    }
}

const fn drawn(depth: DrawDepth) -> LogicRules {
    LogicRules { depth, ..LogicRules::PLAIN }
}

const fn snapped(depth: DrawDepth) -> LogicRules {
    LogicRules { snaps: true, ..drawn(depth) }
}

const HIDDEN: LogicRules = LogicRules { is_hidden: true, ..LogicRules::PLAIN };

const fn snapped_hidden(depth: DrawDepth) -> LogicRules {
    LogicRules { is_hidden: true, ..snapped(depth) }
}

/// The logics of Gruntz that change their objects. `WarpStonePad` is hidden in single-player games only.
const GRUNTZ: &[(&[u8], LogicRules)] = &[
    (b"AmbientPosSound", HIDDEN),
    (b"AmbientSound", HIDDEN),
    (b"BehindCandy", drawn(DrawDepth::Fixed(0))),
    (b"BehindCandyAni", drawn(DrawDepth::Fixed(0))),
    (b"Brickz", HIDDEN),
    (b"CheckpointTrigger", drawn(DrawDepth::LowerEdge)),
    (b"CoveredPowerup", HIDDEN),
    (b"ExitTrigger", snapped(DrawDepth::Fixed(75_000))),
    (b"EyeCandy", drawn(DrawDepth::LowerEdgeIfZero)),
    (b"EyeCandyAni", drawn(DrawDepth::LowerEdgeIfZero)),
    (b"FortressFlag", drawn(DrawDepth::LowerEdge)),
    (b"FrontCandy", drawn(DrawDepth::Fixed(1_000_000))),
    (b"FrontCandyAni", drawn(DrawDepth::Fixed(1_000_000))),
    (b"GiantRock", HIDDEN),
    (b"GlobalAmbientSound", HIDDEN),
    (b"GruntCreationPoint", snapped(DrawDepth::Fixed(5))),
    (b"GruntPuddle", snapped_hidden(DrawDepth::Fixed(10))),
    (b"GruntStartingPoint", HIDDEN),
    (b"GuardPoint", HIDDEN),
    (b"InGameIcon", snapped(DrawDepth::Fixed(95_000))),
    (b"InGameText", snapped(DrawDepth::Fixed(95_000))),
    (b"KitchenSlime", snapped(DrawDepth::Fixed(19))),
    (b"ObjectDropper", snapped(DrawDepth::Fixed(850_001))),
    (b"RollingBall", snapped(DrawDepth::Row)),
    (b"SecretLevelTrigger", snapped_hidden(DrawDepth::Fixed(0))),
    (b"SecretTeleporterTrigger", snapped_hidden(DrawDepth::Fixed(0))),
    (b"SpotAmbientSound", HIDDEN),
    (b"SpotLight", snapped(DrawDepth::Fixed(850_000))),
    (b"StaticHazard", snapped(DrawDepth::Fixed(0))),
    (b"Teleporter", snapped(DrawDepth::Fixed(99_999))),
    (b"TileSecretTrigger", HIDDEN),
    (b"TileTrigger", HIDDEN),
    (b"TileTriggerSwitch", HIDDEN),
    (b"ToobSpikez", drawn(DrawDepth::Fixed(12))),
    (b"VoiceTrigger", snapped_hidden(DrawDepth::Stored)),
    (b"WayPoint", HIDDEN),
];

/// The image set of sounds in Claw. The game does not draw it.
pub const SOUND_ICON: &[u8] = b"GAME_SOUNDICON";

/// Returns the rules of a logic. Names are compared with case, as in the games.
///
/// Claw draws objects as they are stored. Its sounds are hidden: the ambient sounds and all sound triggers.
pub fn logic_rules(game: Game, logic: &[u8]) -> LogicRules {
    match game {
        Game::Gruntz => {
            let row = GRUNTZ.binary_search_by_key(&logic, |(name, _)| name);
            row.ok().and_then(|row| GRUNTZ.get(row)).map_or(LogicRules::PLAIN, |(_, rules)| *rules)
        }
        Game::Claw => match logic {
            b"AmbientSound" | b"GlobalAmbientSound" | b"SpotAmbientSound" => HIDDEN,
            name if name.ends_with(b"SoundTrigger") => HIDDEN,
            _ => LogicRules::PLAIN,
        },
    }
}

/// Returns `true` if the game does not show an object at the start of a level. `no_draw` is flag 1 of its drawing flags. `image_set` is its
/// image set. In Claw, all objects with [`SOUND_ICON`] are hidden.
pub fn is_hidden(game: Game, logic: &[u8], image_set: &[u8], no_draw: bool) -> bool {
    no_draw || logic_rules(game, logic).is_hidden || (game == Game::Claw && image_set.eq_ignore_ascii_case(SOUND_ICON))
}

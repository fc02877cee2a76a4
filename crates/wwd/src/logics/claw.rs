//! Logics of Claw.

use super::{LogicField, LogicInfo, Unit};

const fn field(name: &'static str, unit: Unit, meaning: &'static str) -> LogicField {
    LogicField { name, unit, meaning, warp: false }
}

/// A field that is used only by warps and objects that drop one.
const fn warp(name: &'static str, unit: Unit, meaning: &'static str) -> LogicField {
    LogicField { name, unit, meaning, warp: true }
}

/// Logics with the same fields: names, meanings and fields.
macro_rules! logics {
    ($( $fields:expr => { $( $($name:literal)+ : $meaning:literal; )* } )*) => {
        &[ $( $( $( LogicInfo { name: $name, meaning: $meaning, fields: $fields }, )+ )* )* ]
    };
}

const MIN_X: LogicField = field("min_x", Unit::X, "left end of its way");
const MAX_X: LogicField = field("max_x", Unit::X, "right end of its way");
const MIN_Y: LogicField = field("min_y", Unit::Y, "upper end of its way");
const MAX_Y: LogicField = field("max_y", Unit::Y, "lower end of its way");
const DAMAGE: LogicField = field("damage", Unit::Number, "what it takes from the player's health");
const HEALTH: LogicField = field("health", Unit::Number, "what it endures");
const SMARTS: LogicField = field("smarts", Unit::Number, "how clever it is");
const LOOT: LogicField = field("powerup", Unit::Loot, "what it drops");
const LOOT_1: LogicField = field("rect_user1", Unit::Loot, "what it drops, four things");
const LOOT_2: LogicField = field("rect_user2", Unit::Loot, "what it drops, four things");

const NONE: &[LogicField] = &[];

const ELEVATOR: &[LogicField] = &[
    MIN_X,
    MAX_X,
    MIN_Y,
    MAX_Y,
    field("speed_x", Unit::PixelsPerSecond, "how fast it moves along x; 125 if 0"),
    field("speed_y", Unit::PixelsPerSecond, "how fast it moves along y; 125 if 0"),
    field("direction", Unit::Keypad, "where it moves first"),
];

const PATH_ELEVATOR: &[LogicField] = &[
    field("speed", Unit::PixelsPerSecond, "how fast it moves; 125 if 0"),
    field("rect_move_left", Unit::Keypad, "direction of step 1; with 5 it waits"),
    field("rect_move_top", Unit::Pixels, "length of step 1; milliseconds if it waits"),
    field("rect_move_right", Unit::Keypad, "direction of step 2"),
    field("rect_move_bottom", Unit::Pixels, "length of step 2"),
    field("rect_hit_left", Unit::Keypad, "direction of step 3"),
    field("rect_hit_top", Unit::Pixels, "length of step 3"),
    field("rect_hit_right", Unit::Keypad, "direction of step 4"),
    field("rect_hit_bottom", Unit::Pixels, "length of step 4"),
    field("rect_attack_left", Unit::Keypad, "direction of step 5"),
    field("rect_attack_top", Unit::Pixels, "length of step 5"),
    field("rect_attack_right", Unit::Keypad, "direction of step 6"),
    field("rect_attack_bottom", Unit::Pixels, "length of step 6"),
    field("rect_clip_left", Unit::Keypad, "direction of step 7"),
    field("rect_clip_top", Unit::Pixels, "length of step 7"),
    field("rect_clip_right", Unit::Keypad, "direction of step 8"),
    field("rect_clip_bottom", Unit::Pixels, "length of step 8"),
];

const ENEMY: &[LogicField] = &[
    MIN_X,
    MAX_X,
    // Flying enemies.
    MIN_Y,
    MAX_Y,
    field("user1", Unit::Flag, "1: it stays where it is"),
    LOOT,
    LOOT_1,
    LOOT_2,
    DAMAGE,
    HEALTH,
    SMARTS,
    warp("speed_x", Unit::X, "where its warp leads, if it drops one"),
    warp("speed_y", Unit::Y, "where its warp leads, if it drops one"),
];

const BOSS: &[LogicField] = &[
    MIN_X,
    MAX_X,
    LOOT,
    LOOT_1,
    LOOT_2,
    DAMAGE,
    HEALTH,
    SMARTS,
    field("speed_x", Unit::X, "where its gem or warp appears or leads"),
    field("speed_y", Unit::Y, "where its gem or warp appears or leads"),
];

const CRATE: &[LogicField] = &[
    LOOT,
    LOOT_1,
    LOOT_2,
    field("health", Unit::Number, "how it breaks"),
    warp("speed_x", Unit::X, "where its warp leads, if it holds one"),
    warp("speed_y", Unit::Y, "where its warp leads, if it holds one"),
];

const POWERUP: &[LogicField] = &[field("smarts", Unit::Milliseconds, "how long it lasts")];

const SPECIAL: &[LogicField] = &[
    warp("speed_x", Unit::X, "where it leads, if it is a warp"),
    warp("speed_y", Unit::Y, "where it leads, if it is a warp"),
    field("smarts", Unit::Number, "how long it lasts; of a warp 1: it stays"),
];

const WARP: &[LogicField] = &[
    field("speed_x", Unit::X, "where it leads"),
    field("speed_y", Unit::Y, "where it leads"),
    field("smarts", Unit::Flag, "1: it stays"),
];

const TOGGLE: &[LogicField] = &[
    field("speed_x", Unit::Milliseconds, "how long it is out; 1500 if 0"),
    field("speed_y", Unit::Milliseconds, "how long it is in; 1500 if 0"),
    field("speed", Unit::Milliseconds, "when it starts; by the number of its logic 0, 750, 1500, 2250"),
    field("smarts", Unit::Flag, "1: it is always out"),
];

const DANGER: &[LogicField] = &[
    field("speed_x", Unit::Milliseconds, "how long it is out; 1500 if 0"),
    field("speed_y", Unit::Milliseconds, "how long it is in; 1500 if 0"),
    field("speed", Unit::Milliseconds, "when it starts; by the number of its logic 0, 750, 1500, 2250"),
    field("smarts", Unit::Flag, "1: it is always out"),
    DAMAGE,
];

const TRIGGER: &[LogicField] = &[
    field("animation", Unit::Sound, "what is heard"),
    field("smarts", Unit::Number, "how often"),
    field("min_x", Unit::X, "left of the area; if 0 the name of the logic gives its size"),
    field("min_y", Unit::Y, "top of the area"),
    field("max_x", Unit::X, "right of the area"),
    field("max_y", Unit::Y, "bottom of the area"),
];

// Levels of the game have areas in rectangles, too: they surround the object.
const AMBIENT: &[LogicField] = &[
    field("animation", Unit::Sound, "what is heard"),
    field("damage", Unit::Volume, "how loud"),
    field("min_x", Unit::X, "left of the area"),
    field("min_y", Unit::Y, "top of the area"),
    field("max_x", Unit::X, "right of the area"),
    field("max_y", Unit::Y, "bottom of the area"),
    field("rect_hit_left", Unit::X, "left of the area, if it stands here"),
    field("rect_hit_top", Unit::Y, "top of the area, if it stands here"),
    field("rect_hit_right", Unit::X, "right of the area, if it stands here"),
    field("rect_hit_bottom", Unit::Y, "bottom of the area, if it stands here"),
    field("rect_attack_left", Unit::X, "left of another area"),
    field("rect_attack_top", Unit::Y, "top of another area"),
    field("rect_attack_right", Unit::X, "right of another area"),
    field("rect_attack_bottom", Unit::Y, "bottom of another area"),
    field("rect_move_left", Unit::Milliseconds, "how long it is on, at least"),
    field("rect_move_top", Unit::Milliseconds, "how long it is on, at most"),
    field("rect_move_right", Unit::Milliseconds, "how long it is off, at least"),
    field("rect_move_bottom", Unit::Milliseconds, "how long it is off, at most"),
];

const ROPE: &[LogicField] = &[field("speed_x", Unit::Milliseconds, "how long a swing takes one way; 1500 if 0")];

const SPRING: &[LogicField] = &[field("max_y", Unit::Pixels, "how high it throws; 450 if 0")];

const NEST: &[LogicField] = &[
    field("user1", Unit::Number, "how many crabs"),
    field("min_x", Unit::X, "left of where they appear"),
    field("min_y", Unit::Y, "top of where they appear"),
    field("max_x", Unit::X, "right of where they appear"),
    field("max_y", Unit::Y, "bottom of where they appear"),
];

const BELT: &[LogicField] = &[field("speed", Unit::PixelsPerSecond, "how fast; negative to the left")];

const PLANK: &[LogicField] =
    &[field("width", Unit::Number, "planks"), field("counter", Unit::Milliseconds, "how long until it breaks")];

const LASER: &[LogicField] = &[field("counter", Unit::Number, "when it fires"), DAMAGE];

const SHAKE: &[LogicField] = &[
    field("rect_attack_left", Unit::X, "left of the area"),
    field("rect_attack_top", Unit::Y, "top of the area"),
    field("rect_attack_right", Unit::X, "right of the area"),
    field("rect_attack_bottom", Unit::Y, "bottom of the area"),
];

const STALACTITE: &[LogicField] = &[
    field("rect_user1_left", Unit::X, "left of where the player makes it fall"),
    field("rect_user1_top", Unit::Y, "top of where the player makes it fall"),
    field("rect_user1_right", Unit::X, "right of where the player makes it fall"),
    field("rect_user1_bottom", Unit::Y, "bottom of where the player makes it fall"),
    DAMAGE,
];

const AREAS: &[LogicField] = &[
    field("rect_move_left", Unit::X, "left of an area"),
    field("rect_move_top", Unit::Y, "top of an area"),
    field("rect_move_right", Unit::X, "right of an area"),
    field("rect_move_bottom", Unit::Y, "bottom of an area"),
    field("rect_hit_left", Unit::X, "left of an area"),
    field("rect_hit_top", Unit::Y, "top of an area"),
    field("rect_hit_right", Unit::X, "right of an area"),
    field("rect_hit_bottom", Unit::Y, "bottom of an area"),
    field("rect_attack_left", Unit::X, "left of an area"),
    field("rect_attack_top", Unit::Y, "top of an area"),
    field("rect_attack_right", Unit::X, "right of an area"),
    field("rect_attack_bottom", Unit::Y, "bottom of an area"),
];

const SHOOTER: &[LogicField] = &[
    field("min_x", Unit::X, "left of where it shoots at the player"),
    field("min_y", Unit::Y, "top of where it shoots at the player"),
    field("max_x", Unit::X, "right of where it shoots at the player"),
    field("max_y", Unit::Y, "bottom of where it shoots at the player"),
    field("speed_x", Unit::PixelsPerSecond, "how fast the shot is along x"),
    field("speed_y", Unit::PixelsPerSecond, "how fast the shot is along y"),
    field("speed", Unit::Milliseconds, "time between shots; 500 if 100 or less"),
    field("user1", Unit::Number, "where it shoots: 1 right, 2 left, 3 down, 4 up"),
    field("user2", Unit::Flag, "in level 14, 1: it shoots to the left"),
    DAMAGE,
];

const PARROT: &[LogicField] = &[
    field("min_x", Unit::X, "left of where it flies"),
    field("min_y", Unit::Y, "top of where it flies"),
    field("max_x", Unit::X, "right of where it flies"),
    field("max_y", Unit::Y, "bottom of where it flies"),
];

const TRAPDOOR: &[LogicField] = &[
    MIN_X,
    MAX_X,
    field("speed_x", Unit::PixelsPerSecond, "how fast it moves"),
    field("direction", Unit::Flag, "0: to the left"),
];

// In all levels that have it, both ends are the same position near the object.
const JUMP_SWITCH: &[LogicField] = &[
    field("min_x", Unit::X, "a place"),
    field("min_y", Unit::Y, "a place"),
    field("max_x", Unit::X, "a place"),
    field("max_y", Unit::Y, "a place"),
];

const CANNON_BALL: &[LogicField] = &[
    field("speed_x", Unit::PixelsPerSecond, "how fast it flies along x"),
    field("direction", Unit::Keypad, "where it flies"),
    DAMAGE,
];

const FRAME: &[LogicField] = &[field("i", Unit::Number, "the frame that is shown")];

pub(super) const LOGICS: &[LogicInfo] = logics! {
    ELEVATOR => {
        "Elevator" "StandardElevator": "platform that moves to and fro";
        "StartElevator": "platform that moves while the player is on it";
        "StopElevator": "platform that stops while the player is on it";
        "TriggerElevator": "platform that moves once the player has stepped on it";
        "OneWayStartElevator": "platform that moves one way while the player is on it";
        "OneWayTriggerElevator": "platform that moves one way once the player has stepped on it";
    }
    PATH_ELEVATOR => {
        "PathElevator": "platform that moves along a path of up to eight steps";
    }
    ENEMY => {
        "Soldier" "Officer" "Rat" "PunkRat" "CutThroat" "RobberThief" "TownGuard1" "TownGuard2" "Seagull" "Chameleon"
        "BearSailor" "CrazyHook" "RedTailPirate" "PegLeg" "Mercat" "Siren" "Fish" "HermitCrab" "TigerGuard": "enemy";
    }
    BOSS => {
        "Raux" "Katherine" "Wolvington" "Gabriel" "Marrow" "Aquatis" "RedTail" "Omar": "boss";
    }
    CRATE => {
        "FrontCrate" "BehindCrate": "crate";
        "FrontStackedCrates" "BehindStackedCrates" "BackStackedCrates": "stack of crates";
        "FrontStatue" "BehindStatue": "statue to break";
    }
    NONE => {
        "TreasurePowerup": "treasure; its image says which";
        "GlitterlessPowerup": "treasure without glitter; its image says which";
        "AmmoPowerup": "ammunition; its image says which";
        "HealthPowerup": "food or potion; its image says which";
        "MagicPowerup": "magic; its image says how much";
        "EndOfLevelPowerup": "end of the level";
        "Checkpoint": "checkpoint";
        "FirstSuperCheckpoint": "first checkpoint to save at";
        "SecondSuperCheckpoint": "second checkpoint to save at";
        "BossStager": "start of the boss fight";
        "PowderKeg": "powder keg";
        "TowerCannonLeft": "cannon that shoots to the left";
        "TowerCannonRight": "cannon that shoots to the right";
        "SkullCannon": "cannon";
        "GooVent" "LavaGeyser" "LavaHand" "LavaMouth": "danger";
        "SteppingStone" "SteppingStone2" "SteppingStone3" "SteppingStone4": "stone to step on";
        "StartSteppingStone" "OneTimeStartSteppingStone": "stone that sinks under the player";
        "CrumblingPeg": "peg that crumbles under the player";
        "CrumblingPegNoRespawn": "peg that crumbles under the player and stays away";
        "GabrielCannon" "CannonSwitch" "CannonButton" "Tentacle" "AquatisCrack" "AquatisDynamite"
        "RedTailSpikes" "RedTailWind": "part of a boss fight";
        "GooCoverup": "surface of a liquid";
        "BehindAniCandy" "BackAniCandy": "animated decoration behind the player";
        "FrontAniCandy": "animated decoration before the player";
        "AniCycle" "AniCycleNormal" "SimpleAnimation": "animated decoration";
        "CustomLogic": "logic of its own, for the CrazyHook mod";
        "Dynamite": "dynamite that is lit";
        // On treasure and crates of a few levels. The meaning is unknown.
        "1": "";
    }
    POWERUP => {
        "CursePowerup": "curse; its image says which";
    }
    SPECIAL => {
        "SpecialPowerup": "power or warp; its image says which";
    }
    WARP => {
        "BossWarp": "warp to the boss";
    }
    TOGGLE => {
        "TogglePeg" "TogglePeg1" "TogglePeg2" "TogglePeg3" "TogglePeg4": "peg that comes and goes";
    }
    DANGER => {
        "FloorSpike" "FloorSpike1" "FloorSpike2" "FloorSpike3" "FloorSpike4": "spikes that come and go";
        "SawBlade" "SawBlade1" "SawBlade2" "SawBlade3" "SawBlade4": "saw that comes and goes";
    }
    TRIGGER => {
        "SoundTrigger" "SmallSoundTrigger" "BigSoundTrigger" "HugeSoundTrigger" "TallSoundTrigger" "WideSoundTrigger":
            "sound when the player comes by";
        "ClawDialogSoundTrigger" "ClawDialogSmallSoundTrigger" "ClawDialogBigSoundTrigger" "ClawDialogHugeSoundTrigger"
        "ClawDialogTallSoundTrigger" "ClawDialogWideSoundTrigger": "word of the player when he comes by";
    }
    AMBIENT => {
        "AmbientSound" "SpotAmbientSound": "sound of an area";
        "GlobalAmbientSound": "sound of the level";
    }
    ROPE => {
        "AniRope": "rope to swing on";
    }
    SPRING => {
        "SpringBoard" "GroundBlower" "WaterRock": "throws the player up";
    }
    NEST => {
        "CrabNest": "hole that crabs come from";
    }
    BELT => {
        "ConveyorBelt": "conveyor belt";
    }
    PLANK => {
        "BreakPlank": "planks that break under the player";
    }
    LASER => {
        "Laser": "laser";
    }
    SHAKE => {
        "Shake": "area in which the view shakes";
    }
    STALACTITE => {
        "Stalactite": "stalactite that falls";
    }
    AREAS => {
        "AquatisStalactite": "stalactite of a boss fight";
    }
    SHOOTER => {
        "TProjectile": "hole that shoots";
    }
    PARROT => {
        "Parrot": "parrot of a boss fight";
    }
    TRAPDOOR => {
        "MarrowFloor": "floor of a boss fight that opens";
    }
    JUMP_SWITCH => {
        "JumpSwitch": "switch, of which only the fields are known";
    }
    CANNON_BALL => {
        "CannonBall": "cannon ball in flight";
    }
    FRAME => {
        "DoNothing" "DoNothingNormal": "decoration";
        "BehindCandy" "BackCandy": "decoration behind the player";
        "FrontCandy": "decoration before the player";
        "Sign": "sign";
    }
};

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

const MIN_X: LogicField = field("min_x", Unit::X, "left end of its path");
const MAX_X: LogicField = field("max_x", Unit::X, "right end of its path");
const MIN_Y: LogicField = field("min_y", Unit::Y, "upper end of its path");
const MAX_Y: LogicField = field("max_y", Unit::Y, "lower end of its path");
const DAMAGE: LogicField = field("damage", Unit::Number, "damage to the player");
const HEALTH: LogicField = field("health", Unit::Number, "health");
const SMARTS: LogicField = field("smarts", Unit::Number, "intelligence");
const LOOT: LogicField = field("powerup", Unit::Loot, "item that it drops");
const LOOT_1: LogicField = field("rect_user1", Unit::Loot, "four items that it drops");
const LOOT_2: LogicField = field("rect_user2", Unit::Loot, "four items that it drops");

const NONE: &[LogicField] = &[];

const ELEVATOR: &[LogicField] = &[
    MIN_X,
    MAX_X,
    MIN_Y,
    MAX_Y,
    field("speed_x", Unit::PixelsPerSecond, "horizontal speed; 125 if 0"),
    field("speed_y", Unit::PixelsPerSecond, "vertical speed; 125 if 0"),
    field("direction", Unit::Keypad, "initial direction"),
];

const PATH_ELEVATOR: &[LogicField] = &[
    field("speed", Unit::PixelsPerSecond, "speed; 125 if 0"),
    field("rect_move_left", Unit::Keypad, "direction of step 1; 5: it waits"),
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
    field("user1", Unit::Flag, "1: it does not move"),
    LOOT,
    LOOT_1,
    LOOT_2,
    DAMAGE,
    HEALTH,
    SMARTS,
    warp("speed_x", Unit::X, "destination of its warp, if it drops one"),
    warp("speed_y", Unit::Y, "destination of its warp, if it drops one"),
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
    field("speed_x", Unit::X, "position of its gem, or position or destination of its warp"),
    field("speed_y", Unit::Y, "position of its gem, or position or destination of its warp"),
];

const CRATE: &[LogicField] = &[
    LOOT,
    LOOT_1,
    LOOT_2,
    field("health", Unit::Number, "kind of breaking"),
    warp("speed_x", Unit::X, "destination of its warp, if it contains one"),
    warp("speed_y", Unit::Y, "destination of its warp, if it contains one"),
];

const POWERUP: &[LogicField] = &[field("smarts", Unit::Milliseconds, "duration")];

const SPECIAL: &[LogicField] = &[
    warp("speed_x", Unit::X, "destination, if it is a warp"),
    warp("speed_y", Unit::Y, "destination, if it is a warp"),
    field("smarts", Unit::Number, "duration; of a warp 1: it remains"),
];

const WARP: &[LogicField] = &[
    field("speed_x", Unit::X, "destination"),
    field("speed_y", Unit::Y, "destination"),
    field("smarts", Unit::Flag, "1: it remains"),
];

const TOGGLE: &[LogicField] = &[
    field("speed_x", Unit::Milliseconds, "time that it is out; 1500 if 0"),
    field("speed_y", Unit::Milliseconds, "time that it is in; 1500 if 0"),
    field("speed", Unit::Milliseconds, "start delay; if 0, 0 to 2250 by the digit of the logic"),
    field("smarts", Unit::Flag, "1: it is always out"),
];

const DANGER: &[LogicField] = &[
    field("speed_x", Unit::Milliseconds, "time that it is out; 1500 if 0"),
    field("speed_y", Unit::Milliseconds, "time that it is in; 1500 if 0"),
    field("speed", Unit::Milliseconds, "start delay; if 0, 0 to 2250 by the digit of the logic"),
    field("smarts", Unit::Flag, "1: it is always out"),
    DAMAGE,
];

const TRIGGER: &[LogicField] = &[
    field("animation", Unit::Sound, "sound"),
    field("smarts", Unit::Number, "number of repetitions"),
    field("min_x", Unit::X, "left of the area; if 0, the name of the logic gives its size"),
    field("min_y", Unit::Y, "top of the area"),
    field("max_x", Unit::X, "right of the area"),
    field("max_y", Unit::Y, "bottom of the area"),
];

// Levels of the game have areas in rectangles, too: they surround the object.
const AMBIENT: &[LogicField] = &[
    field("animation", Unit::Sound, "sound"),
    field("damage", Unit::Volume, "volume"),
    field("min_x", Unit::X, "left of the area"),
    field("min_y", Unit::Y, "top of the area"),
    field("max_x", Unit::X, "right of the area"),
    field("max_y", Unit::Y, "bottom of the area"),
    field("rect_hit_left", Unit::X, "left of the area, if it is stored here"),
    field("rect_hit_top", Unit::Y, "top of the area, if it is stored here"),
    field("rect_hit_right", Unit::X, "right of the area, if it is stored here"),
    field("rect_hit_bottom", Unit::Y, "bottom of the area, if it is stored here"),
    field("rect_attack_left", Unit::X, "left of another area"),
    field("rect_attack_top", Unit::Y, "top of another area"),
    field("rect_attack_right", Unit::X, "right of another area"),
    field("rect_attack_bottom", Unit::Y, "bottom of another area"),
    field("rect_move_left", Unit::Milliseconds, "minimum time that it is on"),
    field("rect_move_top", Unit::Milliseconds, "maximum time that it is on"),
    field("rect_move_right", Unit::Milliseconds, "minimum time that it is off"),
    field("rect_move_bottom", Unit::Milliseconds, "maximum time that it is off"),
];

const ROPE: &[LogicField] = &[field("speed_x", Unit::Milliseconds, "time of a swing in one direction; 1500 if 0")];

const SPRING: &[LogicField] = &[field("max_y", Unit::Pixels, "height of the jump; 450 if 0")];

const NEST: &[LogicField] = &[
    field("user1", Unit::Number, "number of crabs"),
    field("min_x", Unit::X, "left of the area where they appear"),
    field("min_y", Unit::Y, "top of the area where they appear"),
    field("max_x", Unit::X, "right of the area where they appear"),
    field("max_y", Unit::Y, "bottom of the area where they appear"),
];

const BELT: &[LogicField] = &[field("speed", Unit::PixelsPerSecond, "speed; negative to the left")];

const PLANK: &[LogicField] =
    &[field("width", Unit::Number, "number of planks"), field("counter", Unit::Milliseconds, "time until it breaks")];

const LASER: &[LogicField] = &[field("counter", Unit::Number, "time of firing"), DAMAGE];

const SHAKE: &[LogicField] = &[
    field("rect_attack_left", Unit::X, "left of the area"),
    field("rect_attack_top", Unit::Y, "top of the area"),
    field("rect_attack_right", Unit::X, "right of the area"),
    field("rect_attack_bottom", Unit::Y, "bottom of the area"),
];

const STALACTITE: &[LogicField] = &[
    field("rect_user1_left", Unit::X, "left of the area where the player makes it fall"),
    field("rect_user1_top", Unit::Y, "top of the area where the player makes it fall"),
    field("rect_user1_right", Unit::X, "right of the area where the player makes it fall"),
    field("rect_user1_bottom", Unit::Y, "bottom of the area where the player makes it fall"),
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
    field("min_x", Unit::X, "left of the area where it shoots at the player"),
    field("min_y", Unit::Y, "top of the area where it shoots at the player"),
    field("max_x", Unit::X, "right of the area where it shoots at the player"),
    field("max_y", Unit::Y, "bottom of the area where it shoots at the player"),
    field("speed_x", Unit::PixelsPerSecond, "horizontal speed of the shot"),
    field("speed_y", Unit::PixelsPerSecond, "vertical speed of the shot"),
    field("speed", Unit::Milliseconds, "time between shots; 500 if 100 or less"),
    field("user1", Unit::Number, "direction of the shot: 1 right, 2 left, 3 down, 4 up"),
    field("user2", Unit::Flag, "in level 14, 1: it shoots to the left"),
    DAMAGE,
];

const PARROT: &[LogicField] = &[
    field("min_x", Unit::X, "left of the area where it flies"),
    field("min_y", Unit::Y, "top of the area where it flies"),
    field("max_x", Unit::X, "right of the area where it flies"),
    field("max_y", Unit::Y, "bottom of the area where it flies"),
];

const TRAPDOOR: &[LogicField] =
    &[MIN_X, MAX_X, field("speed_x", Unit::PixelsPerSecond, "speed"), field("direction", Unit::Flag, "0: to the left")];

// In all levels that have it, both ends are the same position near the object.
const JUMP_SWITCH: &[LogicField] = &[
    field("min_x", Unit::X, "a position"),
    field("min_y", Unit::Y, "a position"),
    field("max_x", Unit::X, "a position"),
    field("max_y", Unit::Y, "a position"),
];

const CANNON_BALL: &[LogicField] = &[
    field("speed_x", Unit::PixelsPerSecond, "horizontal speed"),
    field("direction", Unit::Keypad, "direction"),
    DAMAGE,
];

const FRAME: &[LogicField] = &[field("i", Unit::Number, "displayed frame")];

pub(super) const LOGICS: &[LogicInfo] = logics! {
    ELEVATOR => {
        "Elevator" "StandardElevator": "platform that moves back and forth";
        "StartElevator": "platform that moves while the player is on it";
        "StopElevator": "platform that stops while the player is on it";
        "TriggerElevator": "platform that moves once the player has stepped on it";
        "OneWayStartElevator": "platform that moves in one direction while the player is on it";
        "OneWayTriggerElevator": "platform that moves in one direction once the player has stepped on it";
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
        "FrontStatue" "BehindStatue": "breakable statue";
    }
    NONE => {
        "TreasurePowerup": "treasure; the image shows the kind";
        "GlitterlessPowerup": "treasure without glitter; the image shows the kind";
        "AmmoPowerup": "ammunition; the image shows the kind";
        "HealthPowerup": "food or potion; the image shows the kind";
        "MagicPowerup": "magic; the image shows the amount";
        "EndOfLevelPowerup": "end of the level";
        "Checkpoint": "checkpoint";
        "FirstSuperCheckpoint": "first checkpoint to save at";
        "SecondSuperCheckpoint": "second checkpoint to save at";
        "BossStager": "start of the boss fight";
        "PowderKeg": "powder keg";
        "TowerCannonLeft": "cannon that shoots to the left";
        "TowerCannonRight": "cannon that shoots to the right";
        "SkullCannon": "cannon";
        "GooVent" "LavaGeyser" "LavaHand" "LavaMouth": "hazard";
        "SteppingStone" "SteppingStone2" "SteppingStone3" "SteppingStone4": "stone to step on";
        "StartSteppingStone" "OneTimeStartSteppingStone": "stone that sinks under the player";
        "CrumblingPeg": "peg that crumbles under the player";
        "CrumblingPegNoRespawn": "peg that crumbles under the player and does not return";
        "GabrielCannon" "CannonSwitch" "CannonButton" "Tentacle" "AquatisCrack" "AquatisDynamite"
        "RedTailSpikes" "RedTailWind": "part of a boss fight";
        "GooCoverup": "surface of a liquid";
        "BehindAniCandy" "BackAniCandy": "animated decoration behind the player";
        "FrontAniCandy": "animated decoration in front of the player";
        "AniCycle" "AniCycleNormal" "SimpleAnimation": "animated decoration";
        "CustomLogic": "custom logic, for the CrazyHook mod";
        "Dynamite": "burning dynamite";
        // On treasure and crates of a few levels. The meaning is unknown.
        "1": "";
    }
    POWERUP => {
        "CursePowerup": "curse; the image shows the kind";
    }
    SPECIAL => {
        "SpecialPowerup": "power or warp; the image shows the kind";
    }
    WARP => {
        "BossWarp": "warp to the boss";
    }
    TOGGLE => {
        "TogglePeg" "TogglePeg1" "TogglePeg2" "TogglePeg3" "TogglePeg4": "peg that appears and disappears";
    }
    DANGER => {
        "FloorSpike" "FloorSpike1" "FloorSpike2" "FloorSpike3" "FloorSpike4": "spikes that appear and disappear";
        "SawBlade" "SawBlade1" "SawBlade2" "SawBlade3" "SawBlade4": "saw that appears and disappears";
    }
    TRIGGER => {
        "SoundTrigger" "SmallSoundTrigger" "BigSoundTrigger" "HugeSoundTrigger" "TallSoundTrigger" "WideSoundTrigger":
            "sound when the player passes";
        "ClawDialogSoundTrigger" "ClawDialogSmallSoundTrigger" "ClawDialogBigSoundTrigger" "ClawDialogHugeSoundTrigger"
        "ClawDialogTallSoundTrigger" "ClawDialogWideSoundTrigger": "player voice line (trigger)";
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
        "CrabNest": "hole with crabs";
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
        "JumpSwitch": "switch; only the fields are known";
    }
    CANNON_BALL => {
        "CannonBall": "cannon ball in flight";
    }
    FRAME => {
        "DoNothing" "DoNothingNormal": "decoration";
        "BehindCandy" "BackCandy": "decoration behind the player";
        "FrontCandy": "decoration in front of the player";
        "Sign": "sign";
    }
};

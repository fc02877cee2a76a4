//! Constants against the published values as literals.

use mapwright_wapart::drawing::{DrawDepth, SOUND_ICON, logic_rules};
use mapwright_wapart::{Event, Game, LoopMode, MAX_PIXELS, Palette, PidFlags, PositionMode, RecordFlags, StepMode};
use mapwright_wapart::{ani, pcx, pid};

/// Source: "PID", flags.
#[test]
fn pid_flags_are_those_of_the_specification() {
    let published = [
        (0x001, "TRANSPARENT"),
        (0x002, "VIDEO_MEMORY"),
        (0x004, "SYSTEM_MEMORY"),
        (0x008, "MIRROR"),
        (0x010, "INVERT"),
        (0x020, "SKIPS"),
        (0x040, "LIGHT"),
        (0x080, "OWN_PALETTE"),
        (0x100, "FILL"),
        (0x200, "EIGHT_BIT_SOURCE"),
    ];
    assert_eq!(PidFlags::NAMES, published);
}

/// Source: "ANI", words 0 to 6.
#[test]
fn codes_of_records_are_those_of_the_specification() {
    assert_eq!(RecordFlags::NAMES, [(1, "UPDATES"), (2, "SOUNDS"), (4, "POSITIONAL"), (8, "FORCED")]);
    let steps = [
        (0, "STAY"),
        (1, "NEXT"),
        (2, "PREVIOUS"),
        (3, "FRAME"),
        (4, "LOWEST"),
        (5, "HIGHEST"),
        (6, "ADD"),
        (7, "SUBTRACT"),
    ];
    assert_eq!(StepMode::NAMES, steps);
    let loops = [(0, "NEXT_RECORD"), (3, "WAIT_FOR_HIGHEST"), (8, "RESTART"), (9, "END")];
    assert_eq!(LoopMode::NAMES, loops);
    assert_eq!(PositionMode::NAMES, [(0, "NONE")]);
    let events = [(0, "NONE"), (1, "FINISHED"), (2, "EFFECT"), (99, "TOOL_APPLIES")];
    assert_eq!(Event::NAMES, events);
    assert_eq!((ani::HEADER_SIZE, ani::RECORD_SIZE, ani::UPDATE_MS), (32, 20, 22));
}

#[test]
fn sizes_and_colours_are_those_of_the_specification() {
    assert_eq!((pid::HEADER_SIZE, pcx::HEADER_SIZE, Palette::SIZE, MAX_PIXELS), (32, 128, 768, 16_777_216));
    assert_eq!((pcx::PALETTE_MARK, Game::GRUNTZ_KEY, SOUND_ICON), (12, [255, 0, 132], &b"GAME_SOUNDICON"[..]));
    assert_eq!((pid::FORMAT.extensions, pcx::FORMAT.extensions), (&["pid"][..], &["pcx"][..]));
    assert_eq!((ani::FORMAT.extensions, Palette::FORMAT.extensions), (&["ani"][..], &["pal"][..]));
}

/// Source: "What logics change in Gruntz": hidden, middle of the tile, z.
#[test]
fn logics_of_gruntz_are_those_of_the_specification() {
    use DrawDepth::{Fixed, LowerEdge, LowerEdgeIfZero, Row, Stored};
    let published = [
        ("BehindCandy", false, false, Fixed(0)),
        ("BehindCandyAni", false, false, Fixed(0)),
        ("FrontCandy", false, false, Fixed(1_000_000)),
        ("FrontCandyAni", false, false, Fixed(1_000_000)),
        ("EyeCandy", false, false, LowerEdgeIfZero),
        ("EyeCandyAni", false, false, LowerEdgeIfZero),
        ("DoNothing", false, false, Stored),
        ("InGameIcon", false, true, Fixed(95_000)),
        ("InGameText", false, true, Fixed(95_000)),
        ("StaticHazard", false, true, Fixed(0)),
        ("RollingBall", false, true, Row),
        ("CheckpointTrigger", false, false, LowerEdge),
        ("FortressFlag", false, false, LowerEdge),
        ("ExitTrigger", false, true, Fixed(75_000)),
        ("GruntCreationPoint", false, true, Fixed(5)),
        ("Teleporter", false, true, Fixed(99_999)),
        ("ToobSpikez", false, false, Fixed(12)),
        ("KitchenSlime", false, true, Fixed(19)),
        ("ObjectDropper", false, true, Fixed(850_001)),
        ("SpotLight", false, true, Fixed(850_000)),
        ("UFO", false, false, Stored),
        ("RainCloud", false, false, Stored),
        ("TileTrigger", true, false, Stored),
        ("TileSecretTrigger", true, false, Stored),
        ("GiantRock", true, false, Stored),
        ("CoveredPowerup", true, false, Stored),
        ("TileTriggerSwitch", true, false, Stored),
        ("Brickz", true, false, Stored),
        ("WarpStonePad", false, false, Stored),
        ("GuardPoint", true, false, Stored),
        ("WayPoint", true, false, Stored),
        ("GruntStartingPoint", true, false, Stored),
        ("GruntPuddle", true, true, Fixed(10)),
        ("SecretTeleporterTrigger", true, true, Fixed(0)),
        ("SecretLevelTrigger", true, true, Fixed(0)),
        ("VoiceTrigger", true, true, Stored),
        ("GlobalAmbientSound", true, false, Stored),
        ("AmbientSound", true, false, Stored),
        ("AmbientPosSound", true, false, Stored),
        ("SpotAmbientSound", true, false, Stored),
    ];
    for (logic, is_hidden, snaps, depth) in published {
        let rules = logic_rules(Game::Gruntz, logic.as_bytes());
        assert_eq!((rules.is_hidden, rules.snaps, rules.depth), (is_hidden, snaps, depth), "{logic}");
    }
}

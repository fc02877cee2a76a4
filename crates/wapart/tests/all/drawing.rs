//! The rules of drawing.

use mapwright_wapart::Game;
use mapwright_wapart::drawing::{
    DrawStep, Layer, LogicRules, Motion, Projection, draw_order, is_dropped, is_hidden, logic_rules, top_left,
};

/// Source: "Objects": left = x - (width >> 1) + offset x; flips negate the offset.
#[test]
fn images_are_centred_on_their_objects() {
    let position = [100, 50];
    assert_eq!(top_left(position, [64, 65], [-6, -21], [false, false]), [62, -3]);
    assert_eq!(top_left(position, [64, 65], [-6, -21], [true, false]), [74, -3]);
    assert_eq!(top_left(position, [64, 65], [-6, -21], [false, true]), [62, 39]);
    assert_eq!(top_left([-1, -1], [1, 3], [0, 0], [true, true]), [-1, -2]);
    let far = top_left([i32::MAX; 2], [u32::MAX; 2], [i32::MIN; 2], [true; 2]);
    assert_eq!(far, [2_147_483_648; 2]);
}

#[test]
fn objects_outside_or_without_logic_are_dropped() {
    let plane = [640, 480];
    let dropped = |x, y, logic: &str| is_dropped([x, y], logic.as_bytes(), plane);
    assert!(!dropped(0, 0, "A") && !dropped(639, 479, "A"));
    assert!(dropped(640, 0, "A") && dropped(0, 480, "A") && dropped(-1, 0, "A") && dropped(0, -1, "A"));
    assert!(dropped(0, 0, ""));
}

#[test]
fn logics_move_and_sort_their_objects_in_gruntz_only() {
    let rules = logic_rules(Game::Gruntz, b"RollingBall");
    assert_eq!((rules.position([33, 31]), rules.position([-1, 64])), ([48, 16], [-16, 80]));
    assert_eq!(rules.z(5, [48, 16], None), 100_016);
    let rules = logic_rules(Game::Gruntz, b"EyeCandy");
    assert_eq!(rules.position([33, 31]), [33, 31]);
    assert_eq!((rules.z(0, [33, 31], Some(65)), rules.z(7, [33, 31], Some(65))), (100_063, 7));
    assert_eq!(rules.z(0, [33, 31], None), 0, "without an image");
    assert_eq!(logic_rules(Game::Gruntz, b"FortressFlag").z(7, [0, 1], Some(3)), 100_002);
    assert_eq!(rules.z(0, [0, i32::MAX], Some(u32::MAX)), i32::MAX);
    for logic in [&b"RollingBall"[..], b"EyeCandy", b"InGameIcon"] {
        assert_eq!(logic_rules(Game::Claw, logic), LogicRules::PLAIN);
    }
    for logic in [&b"rollingball"[..], b"RollingBal", b"", b"zzz"] {
        assert_eq!(logic_rules(Game::Gruntz, logic), LogicRules::PLAIN);
    }
}

#[test]
fn sounds_and_triggers_are_hidden() {
    let hidden = |game, logic: &str, set: &str, no_draw| is_hidden(game, logic.as_bytes(), set.as_bytes(), no_draw);
    assert!(hidden(Game::Claw, "AmbientSound", "X", false) && hidden(Game::Claw, "BigSoundTrigger", "X", false));
    assert!(hidden(Game::Claw, "DoNothing", "GAME_SOUNDICON", false));
    assert!(!hidden(Game::Gruntz, "DoNothing", "GAME_SOUNDICON", false));
    assert!(!hidden(Game::Claw, "TileTrigger", "X", false) && hidden(Game::Gruntz, "TileTrigger", "X", false));
    assert!(hidden(Game::Claw, "DoNothing", "X", true) && !hidden(Game::Claw, "DoNothing", "X", false));
}

/// Source: "Draw order".
#[test]
fn objects_are_drawn_between_planes() {
    let layer = |z, is_main| Layer { z, is_main };
    let order = |planes: &[Layer], objects: &[i32], uses_z| -> String {
        let step = |step| match step {
            DrawStep::Plane(plane) => format!("P{plane}"),
            DrawStep::Object(object) => format!("o{object}"),
        };
        draw_order(planes, objects, uses_z).into_iter().map(step).collect::<Vec<_>>().join(" ")
    };
    let planes = [layer(0, false), layer(1000, true), layer(9000, false)];
    // Equal z keep the order of the file. An object with the z of a plane is drawn after it.
    assert_eq!(order(&planes, &[5000, 1000, 999, 5000, -7, 9001], true), "P0 o4 o2 P1 o1 o0 o3 P2 o5");
    assert_eq!(order(&planes, &[5000, 1000, 999], false), "P0 P1 o2 o1 o0 P2");
    // Planes are not sorted by z.
    let planes = [layer(500, false), layer(9000, true), layer(100, false)];
    assert_eq!(order(&planes, &[50, 200, 9500], true), "P0 o0 o1 P1 P2 o2");
    assert_eq!(order(&[layer(0, false)], &[2, 1], false), "P0 o1 o0", "without a main plane");
    assert_eq!(order(&[], &[1, 0], true), "o1 o0");
}

/// Source: "Camera and parallax".
#[test]
fn planes_move_at_their_own_speed() {
    let plane = Motion { size: [1000, 400], wraps: [true, false], percent: [50, 50], is_main: false };
    assert_eq!(plane.center([600, 300]), [300.0, 150.0]);
    assert_eq!(plane.origin([600, 300], [320, 200]), [140, 50]);
    // Without wrap the view stops at the edges; with wrap it begins on the other side.
    assert_eq!(plane.origin([100, 60], [320, 200]), [890, 0]);
    assert_eq!(plane.origin([2600, 2000], [320, 200]), [140, 200]);
    assert_eq!(plane.center([2600, 2000]), [300.0, 399.0]);
    assert_eq!(plane.origin([0, 0], [320, 500]), [840, -100], "a view higher than the plane");
    let main = Motion { percent: [0, 0], is_main: true, ..plane };
    assert_eq!(main.origin([600, 300], [320, 200]), [440, 200], "the main plane ignores its percentages");
    // In single precision, a third of the way is not truncated to the pixel before.
    let slow = Motion { percent: [10, 10], ..plane };
    assert_eq!(slow.center([30, 30]), [3.0, 3.0]);
    let empty = Motion { size: [0, 0], ..plane };
    assert_eq!(empty.center([5, 5]), [0.0, 0.0]);
    let far = plane.origin([i64::MAX, i64::MIN], [u32::MAX, u32::MAX]);
    assert_eq!(far[1], 400 - i64::from(u32::MAX));
    // The same pixel of the main plane in an image from 440, 200.
    let pixel = |projection| plane.pixel(projection, [450, 205], [440, 200], [320, 200]);
    assert_eq!(pixel(Projection::Flat), [450, 205]);
    assert_eq!(pixel(Projection::Camera), [140 + 10, 50 + 5]);
    assert_eq!(pixel(Projection::Stretched), [225, 102]);
    assert_eq!(Projection::default(), Projection::Flat);
}

//! The rules by which the games draw a level, over plain numbers: positions and z of objects, the draw order, and moving planes.
//!
//! ```
//! use mapwright_wapart::Game;
//! use mapwright_wapart::drawing::{DrawStep, Layer, draw_order, logic_rules, top_left};
//!
//! // An icon of Gruntz: in the middle of its tile, over almost everything.
//! let rules = logic_rules(Game::Gruntz, b"InGameIcon");
//! let position = rules.position([70, 33]);
//! assert_eq!((position, rules.z(7, position, Some(32))), ([80, 48], 95_000));
//! assert_eq!(top_left(position, [32, 32], [0, 0], [false; 2]), [64, 32]);
//!
//! // An object with a z of 500 is between planes with 0 and 1000.
//! let planes = [Layer { z: 0, is_main: true }, Layer { z: 1000, is_main: false }];
//! let order = draw_order(&planes, &[500], true);
//! assert_eq!(order, [DrawStep::Plane(0), DrawStep::Object(0), DrawStep::Plane(1)]);
//! ```

mod logics;
mod motion;

pub use logics::{DrawDepth, LogicRules, SOUND_ICON, is_hidden, logic_rules};
pub use motion::{Motion, Projection};

/// Returns `true` if the game drops an object when it loads the level: it is outside of the main plane, or has no logic. The game also
/// drops objects with an unknown logic, which this function does not check.
pub fn is_dropped([x, y]: [i32; 2], logic: &[u8], main_plane: [i64; 2]) -> bool {
    let [width, height] = main_plane;
    logic.is_empty() || !(0..width).contains(&x.into()) || !(0..height).contains(&y.into())
}

/// Returns the left and top pixel of the image of an object in its plane.
///
/// `offset` is the offset of the image. `flips` is `true` for an object that is mirrored horizontally, and for one that is mirrored
/// vertically. Flipping mirrors the pixels about the middle of the image and negates the offset.
pub fn top_left(position: [i32; 2], size: [u32; 2], offset: [i32; 2], flips: [bool; 2]) -> [i64; 2] {
    let [x, y] = position.map(i64::from);
    let [width, height] = size.map(i64::from);
    let [dx, dy] = offset.map(i64::from);
    let start = |center: i64, size: i64, offset: i64, is_flipped: bool| {
        let offset = if is_flipped { offset.saturating_neg() } else { offset };
        center.saturating_sub(size / 2).saturating_add(offset)
    };
    [start(x, width, dx, flips[0]), start(y, height, dy, flips[1])]
}

/// A plane in the draw order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Layer {
    /// The z of the plane.
    pub z: i32,
    /// `true` for the main plane.
    pub is_main: bool,
}

/// A step of drawing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DrawStep {
    /// The plane with this index.
    Plane(usize),
    /// The object with this index.
    Object(usize),
}

/// Returns the order in which planes and objects are drawn. `objects` are the z of all objects that are drawn.
///
/// Planes are drawn in the order of the file, objects in the order of their z. With `uses_z`, a flag of the level, objects with a z below
/// that of a plane are drawn before it, but never before the first plane. Otherwise all objects are drawn right after the main plane.
/// Objects with the same z are drawn in the order of the file; their order in the game is unknown.
pub fn draw_order(planes: &[Layer], objects: &[i32], uses_z: bool) -> Vec<DrawStep> {
    let mut sorted: Vec<usize> = (0..objects.len()).collect();
    let z = |object: &usize| objects.get(*object).copied().unwrap_or_default();
    sorted.sort_by_key(z);
    let mut left = sorted.into_iter().peekable();
    let mut steps = Vec::with_capacity(planes.len().saturating_add(objects.len()));
    for (index, plane) in planes.iter().enumerate() {
        if uses_z && index > 0 {
            while let Some(object) = left.next_if(|object| z(object) < plane.z) {
                steps.push(DrawStep::Object(object));
            }
        }
        steps.push(DrawStep::Plane(index));
        if !uses_z && plane.is_main {
            steps.extend(left.by_ref().map(DrawStep::Object));
        }
    }
    steps.extend(left.map(DrawStep::Object));
    steps
}

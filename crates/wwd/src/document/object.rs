//! Objects: what stands on a plane.

use super::record::record;
use crate::{AddFlags, DrawFlags, DynamicFlags, ObjectType};

/// A rectangle of four numbers, the last two included in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(from = "[i32; 4]", into = "[i32; 4]")
)]
pub struct Rect {
    /// Left.
    pub left: i32,
    /// Top; y points down.
    pub top: i32,
    /// Right.
    pub right: i32,
    /// Bottom.
    pub bottom: i32,
}

record! {
    /// An object. Its logic says what it is; what the numbers mean depends on that.
    pub struct Object {
        /// A number that need not be unique: most files repeat some.
        id: i32,
        /// Pixels of the plane from the left.
        x: i32,
        /// Pixels of the plane from the top.
        y: i32,
        /// Larger is nearer.
        z: i32,
        /// The frame in the image set; −1 for the first, or for the animation.
        i: i32,
        /// When it is added.
        add_flags: AddFlags,
        /// How it takes part in the game.
        dynamic_flags: DynamicFlags,
        /// How it is drawn.
        draw_flags: DrawFlags,
        /// Bit k − 1 is flag k for the logic; 0 in all known files.
        user_flags: u32,
        /// For the logic: points for collecting or killing it.
        score: i32,
        /// For the logic.
        points: i32,
        /// For the logic: what it holds.
        powerup: i32,
        /// For the logic.
        damage: i32,
        /// For the logic.
        smarts: i32,
        /// For the logic.
        health: i32,
        /// For the logic: where it moves. Unset if left and right are 0.
        rect_move: Rect,
        /// For the logic: where it is hit.
        rect_hit: Rect,
        /// For the logic: where it attacks.
        rect_attack: Rect,
        /// For the logic: where it is clipped.
        rect_clip: Rect,
        /// For the logic.
        rect_user1: Rect,
        /// For the logic.
        rect_user2: Rect,
        /// For the logic.
        user1: i32,
        /// For the logic.
        user2: i32,
        /// For the logic.
        user3: i32,
        /// For the logic.
        user4: i32,
        /// For the logic.
        user5: i32,
        /// For the logic.
        user6: i32,
        /// For the logic.
        user7: i32,
        /// For the logic.
        user8: i32,
        /// For the logic: the least x that it moves to.
        min_x: i32,
        /// For the logic: the least y that it moves to.
        min_y: i32,
        /// For the logic: the greatest x that it moves to.
        max_x: i32,
        /// For the logic: the greatest y that it moves to.
        max_y: i32,
        /// For the logic: pixels per second, or milliseconds, or a destination.
        speed_x: i32,
        /// For the logic: pixels per second, or milliseconds, or a destination.
        speed_y: i32,
        /// For the logic.
        tweak_x: i32,
        /// For the logic.
        tweak_y: i32,
        /// For the logic.
        counter: i32,
        /// For the logic.
        speed: i32,
        /// For the logic.
        width: i32,
        /// For the logic.
        height: i32,
        /// For the logic: as digits lie on a keypad.
        direction: i32,
        /// For the logic.
        face_dir: i32,
        /// For the logic.
        time_delay: i32,
        /// For the logic.
        frame_delay: i32,
        /// What it is to others.
        object_type: ObjectType,
        /// What it is hit by: bits of [`ObjectType`].
        hit_type: ObjectType,
        /// Applied if not 0; not known what for.
        move_res_x: i32,
        /// Applied if not 0; not known what for.
        move_res_y: i32,
    } and {
        /// A name, mostly empty. WapMap keeps data behind a NUL in it.
        name: Vec<u8>,
        /// What it is: the name of a class of the game. Without one the game drops the object.
        logic: Vec<u8>,
        /// What it shows: a prefix of the header and the path below its folder, joined by `_`; or an image set of tiles.
        image_set: Vec<u8>,
        /// Its animation, or its sound; the logic decides.
        animation: Vec<u8>,
    } and {
    }
}

impl Object {
    /// Bytes of an object without its texts in the file.
    pub(crate) const FILE_SIZE: usize = 284;
    /// Where the derived words stand: the lengths of the texts.
    pub(crate) const DERIVED: std::ops::Range<usize> = 4..20;
}

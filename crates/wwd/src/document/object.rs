//! Objects on a plane.

use super::record::record;
use crate::{AddFlags, DrawFlags, DynamicFlags, ObjectType, UserFlags};

/// A rectangle. Its right and bottom sides belong to it.
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
    /// An object. Its logic defines the meaning of most numbers; see [`logics`](crate::logics).
    pub struct Object as OBJECT "object" {
        /// Number of the object. Most files repeat some.
        id | number: i32,
        /// Distance from the left of the plane.
        x: i32 { unit: "pixels" },
        /// Distance from the top of the plane.
        y: i32 { unit: "pixels" },
        /// Depth: larger is nearer.
        z: i32,
        /// Frame in the image set; −1 for the first, or for the animation.
        i: i32 { default: "-1" },
        /// When the object is added.
        add_flags: AddFlags,
        /// Behaviour flags.
        dynamic_flags: DynamicFlags,
        /// Drawing flags.
        draw_flags | flags: DrawFlags,
        /// Flags for the logic. 0 in all known files.
        user_flags: UserFlags,
        /// Points for collecting or killing it. Meaning depends on `logic`.
        score: i32,
        /// Meaning depends on `logic`.
        points: i32,
        /// Content. Meaning depends on `logic`.
        powerup: i32,
        /// Meaning depends on `logic`.
        damage: i32,
        /// Meaning depends on `logic`.
        smarts: i32,
        /// Meaning depends on `logic`.
        health: i32,
        /// Area that it moves in, if left and right are not 0. Meaning depends on `logic`.
        rect_move: Rect { unit: "pixels" },
        /// Area in which it is hit. Meaning depends on `logic`.
        rect_hit: Rect { unit: "pixels" },
        /// Area in which it attacks. Meaning depends on `logic`.
        rect_attack: Rect { unit: "pixels" },
        /// Area that it is clipped to. Meaning depends on `logic`.
        rect_clip: Rect { unit: "pixels" },
        /// Meaning depends on `logic`.
        rect_user1: Rect { unit: "pixels" },
        /// Meaning depends on `logic`.
        rect_user2: Rect { unit: "pixels" },
        /// Meaning depends on `logic`.
        user1: i32,
        /// Meaning depends on `logic`.
        user2: i32,
        /// Meaning depends on `logic`.
        user3: i32,
        /// Meaning depends on `logic`.
        user4: i32,
        /// Meaning depends on `logic`.
        user5: i32,
        /// Meaning depends on `logic`.
        user6: i32,
        /// Meaning depends on `logic`.
        user7: i32,
        /// Meaning depends on `logic`.
        user8: i32,
        /// Left limit of its movement. Meaning depends on `logic`.
        min_x: i32 { unit: "pixels" },
        /// Upper limit of its movement. Meaning depends on `logic`.
        min_y: i32 { unit: "pixels" },
        /// Right limit of its movement. Meaning depends on `logic`.
        max_x: i32 { unit: "pixels" },
        /// Lower limit of its movement. Meaning depends on `logic`.
        max_y: i32 { unit: "pixels" },
        /// Pixels per second, milliseconds or a destination. Meaning depends on `logic`.
        speed_x: i32,
        /// Pixels per second, milliseconds or a destination. Meaning depends on `logic`.
        speed_y: i32,
        /// Meaning depends on `logic`.
        tweak_x: i32,
        /// Meaning depends on `logic`.
        tweak_y: i32,
        /// Meaning depends on `logic`.
        counter: i32,
        /// Meaning depends on `logic`.
        speed: i32,
        /// Meaning depends on `logic`.
        width: i32,
        /// Meaning depends on `logic`.
        height: i32,
        /// Direction, as the digits of a keypad. Meaning depends on `logic`.
        direction: i32,
        /// Meaning depends on `logic`.
        face_dir: i32,
        /// Meaning depends on `logic`.
        time_delay: i32,
        /// Meaning depends on `logic`.
        frame_delay: i32,
        /// Role for other objects.
        object_type: ObjectType,
        /// Objects that hit it: bits of [`ObjectType`].
        hit_type: ObjectType,
        /// Unknown. The engine applies it if it is not 0.
        move_res_x: i32,
        /// Unknown. The engine applies it if it is not 0.
        move_res_y: i32,
    } and {
        /// Name, mostly empty. WapMap stores data after a NUL in it.
        name: Vec<u8>,
        /// Class of the game that it is an instance of. The game drops objects without one.
        logic | class | classname: Vec<u8>,
        /// Images that it shows: a prefix of the header and the path below its folder, joined by `_`; or an image set of tiles.
        image_set | model | texture | material: Vec<u8>,
        /// Animation or sound. Meaning depends on `logic`.
        animation: Vec<u8>,
    } and {
    } with {
        rect_move_left: i32 { unit: "pixels" } = rect_move.left;
        rect_move_top: i32 { unit: "pixels" } = rect_move.top;
        rect_move_right: i32 { unit: "pixels" } = rect_move.right;
        rect_move_bottom: i32 { unit: "pixels" } = rect_move.bottom;
        rect_hit_left: i32 { unit: "pixels" } = rect_hit.left;
        rect_hit_top: i32 { unit: "pixels" } = rect_hit.top;
        rect_hit_right: i32 { unit: "pixels" } = rect_hit.right;
        rect_hit_bottom: i32 { unit: "pixels" } = rect_hit.bottom;
        rect_attack_left: i32 { unit: "pixels" } = rect_attack.left;
        rect_attack_top: i32 { unit: "pixels" } = rect_attack.top;
        rect_attack_right: i32 { unit: "pixels" } = rect_attack.right;
        rect_attack_bottom: i32 { unit: "pixels" } = rect_attack.bottom;
        rect_clip_left: i32 { unit: "pixels" } = rect_clip.left;
        rect_clip_top: i32 { unit: "pixels" } = rect_clip.top;
        rect_clip_right: i32 { unit: "pixels" } = rect_clip.right;
        rect_clip_bottom: i32 { unit: "pixels" } = rect_clip.bottom;
        rect_user1_left: i32 { unit: "pixels" } = rect_user1.left;
        rect_user1_top: i32 { unit: "pixels" } = rect_user1.top;
        rect_user1_right: i32 { unit: "pixels" } = rect_user1.right;
        rect_user1_bottom: i32 { unit: "pixels" } = rect_user1.bottom;
        rect_user2_left: i32 { unit: "pixels" } = rect_user2.left;
        rect_user2_top: i32 { unit: "pixels" } = rect_user2.top;
        rect_user2_right: i32 { unit: "pixels" } = rect_user2.right;
        rect_user2_bottom: i32 { unit: "pixels" } = rect_user2.bottom;
    }
}

impl Object {
    /// Bytes of an object in the file, without its strings.
    pub(crate) const FILE_SIZE: usize = 284;
    /// Place of the derived words: the lengths of the strings.
    pub(crate) const DERIVED: std::ops::Range<usize> = 4..20;
}

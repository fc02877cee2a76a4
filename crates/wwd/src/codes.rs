//! Codes and flags of the file. They are open: values without a name are preserved.

use mapwright_io::{flags, open_code};

use crate::document::record::word_fields;

flags! {
    /// Flags of a level. Real files have no other bits.
    pub struct HeaderFlags {
        /// Objects and planes are drawn in the order of their z.
        USE_Z = 1,
        /// The main block is a zlib stream.
        COMPRESS = 2,
    }
}

flags! {
    /// Flags of a plane. 0x20, 0x40 and 0x80 occur in custom levels; their meaning is unknown.
    pub struct PlaneFlags {
        /// The main plane, on which the player is. Real levels have exactly one.
        MAIN = 0x01,
        /// The plane is not drawn.
        NO_DRAW = 0x02,
        /// The plane repeats horizontally.
        WRAP_X = 0x04,
        /// The plane repeats vertically.
        WRAP_Y = 0x08,
        /// The size of tiles is that of the first image of the image set.
        AUTO_TILE_SIZE = 0x10,
    }
}

flags! {
    /// Conditions for adding an object. Claw and Gruntz ignore them.
    pub struct AddFlags {
        /// Only in difficult games.
        DIFFICULT = 0x01,
        /// Decoration.
        EYE_CANDY = 0x02,
        /// Only with high detail.
        HIGH_DETAIL = 0x04,
        /// Only with several players.
        MULTIPLAYER = 0x08,
        /// Only with much memory.
        EXTRA_MEMORY = 0x10,
        /// Only on fast machines.
        FAST_CPU = 0x20,
    }
}

flags! {
    /// Behaviour of an object.
    pub struct DynamicFlags {
        /// The object cannot be hit.
        NO_HIT = 0x1,
        /// The object is active far from the camera, too.
        ALWAYS_ACTIVE = 0x2,
        /// The object is safe. Details are unknown.
        SAFE = 0x4,
        /// The object does damage by itself.
        AUTO_HIT_DAMAGE = 0x8,
    }
}

flags! {
    /// Drawing of an object.
    pub struct DrawFlags {
        /// The object is not drawn.
        NO_DRAW = 0x1,
        /// The image is flipped horizontally.
        MIRROR = 0x2,
        /// The image is flipped vertically.
        INVERT = 0x4,
        /// The object flashes.
        FLASH = 0x8,
    }
}

flags! {
    /// Flags for the logic of an object. 0 in all known files.
    pub struct UserFlags {
        /// Flag 1.
        FLAG_1 = 0x001,
        /// Flag 2.
        FLAG_2 = 0x002,
        /// Flag 3.
        FLAG_3 = 0x004,
        /// Flag 4.
        FLAG_4 = 0x008,
        /// Flag 5.
        FLAG_5 = 0x010,
        /// Flag 6.
        FLAG_6 = 0x020,
        /// Flag 7.
        FLAG_7 = 0x040,
        /// Flag 8.
        FLAG_8 = 0x080,
        /// Flag 9.
        FLAG_9 = 0x100,
        /// Flag 10.
        FLAG_10 = 0x200,
        /// Flag 11.
        FLAG_11 = 0x400,
        /// Flag 12.
        FLAG_12 = 0x800,
    }
}

open_code! {
    /// The type of an object, and as flags the types that it is hit by. The editors use different names for 0x400 and 0x800 (WapMap:
    /// user 3 and user 4), so show the number with the name.
    #[derive(Default)]
    pub struct ObjectType(u32) {
        /// Anything.
        GENERIC = 0x001,
        /// The player.
        PLAYER = 0x002,
        /// An enemy.
        ENEMY = 0x004,
        /// An object to collect.
        POWERUP = 0x008,
        /// A shot.
        SHOT = 0x010,
        /// A shot of the player.
        P_SHOT = 0x020,
        /// A shot of an enemy.
        E_SHOT = 0x040,
        /// A special object.
        SPECIAL = 0x080,
        /// Defined by the game.
        USER_1 = 0x100,
        /// Defined by the game.
        USER_2 = 0x200,
        /// Defined by the game. An error of the original editor: the bits are those of the first two.
        USER_3 = 0x300,
        /// Defined by the game.
        USER_4 = 0x400,
        /// All types, as flags.
        ALL = 0xFFFF_FFFF,
    }
}

word_fields!(
    HeaderFlags: Flags,
    PlaneFlags: Flags,
    AddFlags: Flags,
    DynamicFlags: Flags,
    DrawFlags: Flags,
    UserFlags: Flags,
    ObjectType: Code,
);

/// A cell of the grid of a plane. The word has the image set in the upper 16 bits and its frame in the lower ones; two words are
/// special.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Cell {
    /// The cell is empty.
    Empty,
    /// The cell has the fill colour of the plane.
    Fill,
    /// The cell has a tile.
    Tile {
        /// Index of the image set in the list of the plane.
        image_set: u16,
        /// Number of the frame, and index of its tile property.
        frame: u16,
    },
}

impl Cell {
    /// The word of an empty cell.
    pub const EMPTY: u32 = 0xFFFF_FFFF;
    /// The word of a filled cell.
    pub const FILL: u32 = 0xEEEE_EEEE;

    /// Decodes a word.
    pub const fn from_word(word: u32) -> Self {
        match word {
            Self::EMPTY => Self::Empty,
            Self::FILL => Self::Fill,
            #[allow(clippy::cast_possible_truncation, reason = "the lower half is asked for")]
            _ => Self::Tile { image_set: (word >> 16) as u16, frame: word as u16 },
        }
    }

    /// Encodes the cell as a word.
    pub const fn word(self) -> u32 {
        match self {
            Self::Empty => Self::EMPTY,
            Self::Fill => Self::FILL,
            Self::Tile { image_set, frame } => (image_set as u32) << 16 | frame as u32,
        }
    }
}

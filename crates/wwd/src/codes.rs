//! Codes and flags of the file. They are open: a value without a name is kept like any other.

use mapwright_io::open_code;

use crate::document::record::word_fields;

/// Declares a word of flags: a newtype with a constant for each known bit.
macro_rules! flags {
    (
        $(#[$meta:meta])*
        pub struct $name:ident {
            $( $(#[$flag_meta:meta])* $flag:ident = $value:expr, )*
        }
    ) => {
        $(#[$meta])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
        pub struct $name(pub u32);

        impl $name {
            $( $(#[$flag_meta])* pub const $flag: Self = Self($value); )*

            /// The numbers of the known bits with their names, for queries and edits.
            #[allow(dead_code, reason = "not all flags are fields of a record")]
            pub(crate) const NAMES: &[(u32, &str)] = &[ $( ($value, stringify!($flag)), )* ];

            /// The known bits with their names, lowest first.
            pub const KNOWN: &[(Self, &str)] = &[ $( (Self::$flag, stringify!($flag)), )* ];

            /// Whether all bits of `flags` are set.
            pub const fn has(self, flags: Self) -> bool {
                self.0 & flags.0 == flags.0
            }

            /// The same with the bits of `flags` set or cleared.
            #[must_use]
            pub const fn with(self, flags: Self, set: bool) -> Self {
                Self(if set { self.0 | flags.0 } else { self.0 & !flags.0 })
            }

            /// Bits without a name.
            pub const fn unknown(self) -> u32 {
                self.0 $( & !$value )*
            }
        }

        impl core::fmt::Debug for $name {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                write!(f, "{:#x}", self.0)?;
                for (_, name) in Self::KNOWN.iter().filter(|(flag, _)| self.has(*flag)) {
                    write!(f, " {name}")?;
                }
                Ok(())
            }
        }
    };
}

flags! {
    /// Flags of a PID image. Only those of the pixels and the palette have a say in decoding; the others are facts.
    pub struct PidFlags {
        /// Colour 0 is transparent, as it is taken to be without the flag, too.
        TRANSPARENCY = 1,
        /// Kept in video memory.
        VIDEO_MEMORY = 2,
        /// Kept in system memory.
        SYSTEM_MEMORY = 4,
        /// Flipped left to right.
        MIRROR = 8,
        /// Flipped upside down.
        INVERT = 0x10,
        /// Pixels in runs of colour 0 and of literal bytes; otherwise packed as those of PCX.
        SKIPS = 0x20,
        /// Lights and shade; not known further.
        LIGHTS = 0x40,
        /// The last 768 bytes are a palette.
        OWN_PALETTE = 0x80,
    }
}

flags! {
    /// Flags of a level. No other bit is known from real files.
    pub struct HeaderFlags {
        /// Objects and planes are drawn by their z.
        USE_Z = 1,
        /// The main block is a zlib stream.
        COMPRESS = 2,
    }
}

flags! {
    /// Flags of a plane. 0x20, 0x40 and 0x80 occur in custom levels; their meaning is not known.
    pub struct PlaneFlags {
        /// The plane that the player is on. Real levels have exactly one.
        MAIN = 0x01,
        /// The plane is not drawn.
        NO_DRAW = 0x02,
        /// It repeats along x.
        WRAP_X = 0x04,
        /// It repeats along y.
        WRAP_Y = 0x08,
        /// The size of tiles is that of the first image of its image set.
        AUTO_TILE_SIZE = 0x10,
    }
}

flags! {
    /// When an object is added. Claw and Gruntz do not use them.
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
    /// How an object takes part in the game.
    pub struct DynamicFlags {
        /// It is not hit.
        NO_HIT = 0x1,
        /// It is active also far from the camera.
        ALWAYS_ACTIVE = 0x2,
        /// It is safe.
        SAFE = 0x4,
        /// It does damage by itself.
        AUTO_HIT_DAMAGE = 0x8,
    }
}

flags! {
    /// How an object is drawn.
    pub struct DrawFlags {
        /// It is not drawn.
        NO_DRAW = 0x1,
        /// Left and right are swapped.
        MIRROR = 0x2,
        /// Top and bottom are swapped.
        INVERT = 0x4,
        /// It flashes.
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
    /// What an object is to others, and as a word of flags what it is hit by. The two editors call 0x400 and 0x800 by different
    /// names (WapMap: user 3 and user 4), so show the number with the name.
    #[derive(Default)]
    pub struct ObjectType(u32) {
        /// Anything.
        GENERIC = 0x001,
        /// The player.
        PLAYER = 0x002,
        /// An enemy.
        ENEMY = 0x004,
        /// Something to collect.
        POWERUP = 0x008,
        /// A shot.
        SHOT = 0x010,
        /// A shot of the player.
        P_SHOT = 0x020,
        /// A shot of an enemy.
        E_SHOT = 0x040,
        /// Something special.
        SPECIAL = 0x080,
        /// For the game.
        USER_1 = 0x100,
        /// For the game.
        USER_2 = 0x200,
        /// For the game; an error of the original editor, as it shares its bits with the first two.
        USER_3 = 0x300,
        /// For the game.
        USER_4 = 0x400,
        /// As what hits: everything.
        ALL = 0xFFFF_FFFF,
    }
}

impl ObjectType {
    /// The known values with their names, for queries and edits.
    pub(crate) const NAMES: &[(u32, &str)] = &[
        (Self::GENERIC.0, "GENERIC"),
        (Self::PLAYER.0, "PLAYER"),
        (Self::ENEMY.0, "ENEMY"),
        (Self::POWERUP.0, "POWERUP"),
        (Self::SHOT.0, "SHOT"),
        (Self::P_SHOT.0, "P_SHOT"),
        (Self::E_SHOT.0, "E_SHOT"),
        (Self::SPECIAL.0, "SPECIAL"),
        (Self::USER_1.0, "USER_1"),
        (Self::USER_2.0, "USER_2"),
        (Self::USER_3.0, "USER_3"),
        (Self::USER_4.0, "USER_4"),
        (Self::ALL.0, "ALL"),
    ];
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

/// Cells of a plane's grid: the image set in the upper 16 bits, its frame in the lower, but for two words.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Cell {
    /// Nothing is drawn.
    Empty,
    /// The fill colour of the plane.
    Fill,
    /// A tile.
    Tile {
        /// The place of its image set in the plane's list.
        image_set: u16,
        /// The number of the frame, which is also the place of its tile property.
        frame: u16,
    },
}

impl Cell {
    /// The word of an empty cell.
    pub const EMPTY: u32 = 0xFFFF_FFFF;
    /// The word of a filled cell.
    pub const FILL: u32 = 0xEEEE_EEEE;

    /// What a word means.
    pub const fn from_word(word: u32) -> Self {
        match word {
            Self::EMPTY => Self::Empty,
            Self::FILL => Self::Fill,
            #[allow(clippy::cast_possible_truncation, reason = "the lower half is asked for")]
            _ => Self::Tile { image_set: (word >> 16) as u16, frame: word as u16 },
        }
    }

    /// The word that means it.
    pub const fn word(self) -> u32 {
        match self {
            Self::Empty => Self::EMPTY,
            Self::Fill => Self::FILL,
            Self::Tile { image_set, frame } => (image_set as u32) << 16 | frame as u32,
        }
    }
}

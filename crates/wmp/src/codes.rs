//! Flags. Words of them keep every bit.

/// Declares a word of flags.
macro_rules! flags {
    ($(#[$meta:meta])* $name:ident { $( $(#[$bit_meta:meta])* $bit:ident = $value:expr, )* }) => {
        $(#[$meta])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
        #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
        pub struct $name(pub u32);

        impl $name {
            $( $(#[$bit_meta])* pub const $bit: Self = Self($value); )*

            /// The bits that have a name, and their names.
            pub const NAMED: &'static [(Self, &'static str)] = &[$( (Self::$bit, stringify!($bit)), )*];

            /// Whether all bits of `other` are set.
            pub const fn has(self, other: Self) -> bool {
                self.0 & other.0 == other.0
            }
        }
    };
}

flags! {
    /// How a face is drawn. The four lowest bits are one number: 0 shaded, 3 flat, 5 sky, 9 turbulence, 11 invisible.
    FaceFlags {
        /// No shading.
        NON_SHADED = 1,
        /// Flat. With [`NON_SHADED`](Self::NON_SHADED) in all files.
        FLAT = 1 << 1,
        /// Sky.
        SKY = 1 << 2,
        /// Turbulence: water.
        WATER = 1 << 3,
        /// Detail, it seems.
        DETAIL = 1 << 4,
        /// Passable.
        PASSABLE = 1 << 6,
        /// A mirror.
        MIRROR = 1 << 13,
        /// Smooth.
        SMOOTH = 1 << 14,
        /// User's flag.
        FLAG1 = 1 << 16,
        /// User's flag.
        FLAG2 = 1 << 17,
        /// User's flag.
        FLAG3 = 1 << 18,
        /// User's flag.
        FLAG4 = 1 << 19,
        /// User's flag.
        FLAG5 = 1 << 20,
        /// User's flag.
        FLAG6 = 1 << 21,
        /// User's flag.
        FLAG7 = 1 << 22,
        /// User's flag.
        FLAG8 = 1 << 23,
        /// The texture moves with the block.
        LOCAL = 1 << 28,
    }
}

flags! {
    /// What a block is to the world.
    BlockFlags {
        /// Passable, it seems.
        PASSABLE = 1 << 1,
        /// Invisible, it seems.
        INVISIBLE = 1 << 2,
        /// Detail.
        DETAIL = 1 << 4,
        /// A mesh that is not convex.
        CONCAVE = 1 << 5,
        /// Textures move with the block. Without effect in A5.
        TEXTURE_LOCK = 1 << 16,
    }
}

flags! {
    /// What the engine makes of a model.
    ModelFlags {
        /// User's flag.
        FLAG1 = 1,
        /// User's flag.
        FLAG2 = 1 << 1,
        /// User's flag.
        FLAG3 = 1 << 2,
        /// User's flag.
        FLAG4 = 1 << 3,
        /// User's flag.
        FLAG5 = 1 << 4,
        /// User's flag.
        FLAG6 = 1 << 5,
        /// User's flag.
        FLAG7 = 1 << 6,
        /// User's flag.
        FLAG8 = 1 << 7,
        /// Not drawn.
        INVISIBLE = 1 << 8,
        /// Not in the way.
        PASSABLE = 1 << 9,
        /// Translucent.
        TRANSLUCENT = 1 << 10,
        /// Overlay.
        OVERLAY = 1 << 12,
        /// Unlit.
        UNLIT = 1 << 17,
        /// Throws a shadow.
        SHADOW = 1 << 18,
        /// Without fog.
        NOFOG = 1 << 20,
        /// Bright.
        BRIGHT = 1 << 21,
        /// A decal.
        DECAL = 1 << 22,
        /// Casts.
        CAST = 1 << 24,
        /// Collides by polygons.
        POLYGON = 1 << 26,
    }
}

flags! {
    /// Not known; 0 to 5, 9 and 12 seen.
    LightFlags {}
}

flags! {
    /// Not known; 1 in A5, 0 in A8.
    SoundFlags {}
}

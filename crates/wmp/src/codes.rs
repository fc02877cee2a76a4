//! Flags. All 32 bits of each word are preserved.

/// Declares a word of flags that queries know.
macro_rules! flags {
    ($(#[$meta:meta])* $name:ident { $($flags:tt)* }) => {
        mapwright_io::flags! {
            $(#[$meta])*
            #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
            pub struct $name { $($flags)* }
        }
        mapwright_query::named_words!($name: Flags($name::NAMES));
    };
}

flags! {
    /// Rendering flags of a face. The four lowest bits are one number: 0 shaded, 3 flat, 5 sky, 9 turbulence, 11 invisible.
    FaceFlags {
        /// No shading.
        NON_SHADED = 1,
        /// Flat. With [`NON_SHADED`](Self::NON_SHADED) in all files.
        FLAT = 1 << 1,
        /// Sky.
        SKY = 1 << 2,
        /// Turbulence: water.
        WATER = 1 << 3,
        /// Probably detail.
        DETAIL = 1 << 4,
        /// Passable.
        PASSABLE = 1 << 6,
        /// A mirror.
        MIRROR = 1 << 13,
        /// Smooth.
        SMOOTH = 1 << 14,
        /// User flag.
        FLAG1 = 1 << 16,
        /// User flag.
        FLAG2 = 1 << 17,
        /// User flag.
        FLAG3 = 1 << 18,
        /// User flag.
        FLAG4 = 1 << 19,
        /// User flag.
        FLAG5 = 1 << 20,
        /// User flag.
        FLAG6 = 1 << 21,
        /// User flag.
        FLAG7 = 1 << 22,
        /// User flag.
        FLAG8 = 1 << 23,
        /// The texture moves with the block.
        LOCAL = 1 << 28,
    }
}

impl FaceFlags {
    /// Returns `true` if the engine does not draw the face.
    pub const fn is_invisible(self) -> bool {
        self.0 & 0xF == 11
    }

    /// Returns `true` if the face shows the sky.
    pub const fn is_sky(self) -> bool {
        self.0 & 0xF == 5
    }
}

flags! {
    /// Properties of a block.
    BlockFlags {
        /// Probably passable.
        PASSABLE = 1 << 1,
        /// Probably invisible.
        INVISIBLE = 1 << 2,
        /// Detail.
        DETAIL = 1 << 4,
        /// A mesh that is not convex.
        CONCAVE = 1 << 5,
        /// Textures move with the block. Has no effect in A5.
        TEXTURE_LOCK = 1 << 16,
    }
}

flags! {
    /// Properties of a model.
    ModelFlags {
        /// User flag.
        FLAG1 = 1,
        /// User flag.
        FLAG2 = 1 << 1,
        /// User flag.
        FLAG3 = 1 << 2,
        /// User flag.
        FLAG4 = 1 << 3,
        /// User flag.
        FLAG5 = 1 << 4,
        /// User flag.
        FLAG6 = 1 << 5,
        /// User flag.
        FLAG7 = 1 << 6,
        /// User flag.
        FLAG8 = 1 << 7,
        /// Not drawn.
        INVISIBLE = 1 << 8,
        /// Does not collide.
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
        /// Drawn at full brightness.
        BRIGHT = 1 << 21,
        /// A decal.
        DECAL = 1 << 22,
        /// Casts. Effect unknown.
        CAST = 1 << 24,
        /// Collides by polygons.
        POLYGON = 1 << 26,
    }
}

flags! {
    /// Unknown. Observed values: 0 to 5, 9 and 12.
    LightFlags {}
}

flags! {
    /// Unknown. Observed values: 1 in A5, 0 in A8.
    SoundFlags {}
}

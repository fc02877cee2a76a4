//! Names and numbers of the format.

/// The names that TrenchBroom writes after `// Format: `.
pub const FORMATS: [&str; 9] = [
    "Standard",
    "Quake2",
    "Quake2 (Valve)",
    "Quake3",
    "Quake3 (legacy)",
    "Quake3 (Valve)",
    "Valve",
    "Hexen2",
    "Daikatana",
];

/// Names of faces without a texture: of TrenchBroom, Radiant and Doom 3.
pub const NO_TEXTURE: [&str; 4] = ["__TB_empty", "NULL", "_emptyname", "_default"];

/// Contents of a brush in Quake 2: the first number after the mapping of a face. Quake 3 shares `DETAIL`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Contents(pub u32);

impl Contents {
    /// The names of the bits.
    pub const NAMES: &'static [(u32, &'static str)] = &[
        (0x1, "SOLID"),
        (0x2, "WINDOW"),
        (0x4, "AUX"),
        (0x8, "LAVA"),
        (0x10, "SLIME"),
        (0x20, "WATER"),
        (0x40, "MIST"),
        (0x8000, "AREAPORTAL"),
        (0x1_0000, "PLAYERCLIP"),
        (0x2_0000, "MONSTERCLIP"),
        (0x4_0000, "CURRENT_0"),
        (0x8_0000, "CURRENT_90"),
        (0x10_0000, "CURRENT_180"),
        (0x20_0000, "CURRENT_270"),
        (0x40_0000, "CURRENT_UP"),
        (0x80_0000, "CURRENT_DOWN"),
        (0x100_0000, "ORIGIN"),
        (0x200_0000, "MONSTER"),
        (0x400_0000, "CORPSE"),
        (0x800_0000, "DETAIL"),
        (0x1000_0000, "TRANSLUCENT"),
        (0x2000_0000, "LADDER"),
    ];
}

/// Flags of a face in Quake 2: the second number after its mapping.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct SurfaceFlags(pub u32);

impl SurfaceFlags {
    /// The names of the bits. With `LIGHT`, the number after the flags is the brightness.
    pub const NAMES: &'static [(u32, &'static str)] = &[
        (0x1, "LIGHT"),
        (0x2, "SLICK"),
        (0x4, "SKY"),
        (0x8, "WARP"),
        (0x10, "TRANS33"),
        (0x20, "TRANS66"),
        (0x40, "FLOWING"),
        (0x80, "NODRAW"),
        (0x100, "HINT"),
        (0x200, "SKIP"),
    ];
}

mapwright_query::named_words!(
    Contents: Flags(Contents::NAMES),
    SurfaceFlags: Flags(SurfaceFlags::NAMES),
);

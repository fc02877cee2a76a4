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

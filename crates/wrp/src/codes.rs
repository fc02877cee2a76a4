//! Numbers and marks of the file that stand for something.

/// Which of the four elder variants.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "lowercase"))]
pub enum Version {
    /// The demo of Operation Flashpoint. Its layout is known from descriptions alone, and the newer engine does not read it.
    Wvr1,
    /// Early Visitor: objects stand upright on the ground.
    Wvr2,
    /// Early Visitor: objects without numbers.
    Wvr3,
    /// Visitor 2, WrpTool and the game's own editor.
    Wvr4,
}

impl Version {
    /// The four bytes with which files begin.
    pub const fn magic(self) -> [u8; 4] {
        match self {
            Self::Wvr1 => *b"1WVR",
            Self::Wvr2 => *b"2WVR",
            Self::Wvr3 => *b"3WVR",
            Self::Wvr4 => *b"4WVR",
        }
    }

    /// The same as text.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Wvr1 => "1WVR",
            Self::Wvr2 => "2WVR",
            Self::Wvr3 => "3WVR",
            Self::Wvr4 => "4WVR",
        }
    }

    /// Slots for the names of textures. Some 2WVR are said to have 256.
    pub const fn slots(self) -> usize {
        match self {
            Self::Wvr1 => 256,
            _ => 512,
        }
    }

    /// Bytes of the record of an object.
    pub const fn record(self) -> usize {
        match self {
            Self::Wvr1 | Self::Wvr2 => 64,
            Self::Wvr3 | Self::Wvr4 => 128,
        }
    }

    /// Whether objects have numbers.
    pub const fn has_ids(self) -> bool {
        matches!(self, Self::Wvr4)
    }

    /// Where the model's name stands in the record; it takes the rest of it.
    pub const fn name_at(self) -> usize {
        match self {
            Self::Wvr1 | Self::Wvr2 => 16,
            Self::Wvr3 => 48,
            Self::Wvr4 => 52,
        }
    }
}

/// The number of an OPRW: 2 and 3 in Operation Flashpoint, 10 and more since Arma.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct OprwVersion(pub u32);

impl OprwVersion {
    /// Operation Flashpoint: Cold War Crisis; always 256 by 256 cells.
    pub const COLD_WAR_CRISIS: Self = Self(2);
    /// Operation Flashpoint: Resistance.
    pub const RESISTANCE: Self = Self(3);
    /// Arma 2.
    pub const ARMA_2: Self = Self(24);
    /// Arma 3 and DayZ.
    pub const ARMA_3: Self = Self(25);

    /// Which games wrote it, as far as known.
    pub const fn name(self) -> Option<&'static str> {
        Some(match self.0 {
            2 => "Operation Flashpoint: Cold War Crisis",
            3 => "Operation Flashpoint: Resistance",
            5..=12 => "Operation Flashpoint for Xbox, Elite",
            15 | 16 | 18 => "Arma",
            17 => "Arma, Elite",
            19 | 20 => "Arma, islands of Sahrani",
            21..=23 => "VBS2, beta of Arma 2",
            24 => "Arma 2",
            25 => "Arma 3, DayZ",
            26 | 27 => "VBS3",
            _ => return None,
        })
    }

    /// Whether the reader and the writer know its layout.
    pub const fn is_known(self) -> bool {
        matches!(self.0, 2 | 3 | 12..=25)
    }

    /// Whether it is one of Operation Flashpoint's: 2 or 3.
    pub const fn is_elder(self) -> bool {
        self.0 < 10
    }

    /// Whether objects have parameters of their shape.
    pub(crate) const fn has_shapes(self) -> bool {
        self.0 >= 14
    }

    /// Whether there is a list of entities.
    pub(crate) const fn has_entities(self) -> bool {
        self.0 >= 15
    }

    /// Whether roads have a model and a matrix.
    pub(crate) const fn has_road_pieces(self) -> bool {
        self.0 >= 16
    }

    /// Whether there is a map of grass.
    pub(crate) const fn has_grass(self) -> bool {
        self.0 >= 18
    }

    /// Whether cells have random numbers.
    pub(crate) const fn has_random(self) -> bool {
        self.0 < 21
    }

    /// Whether there is a map of primary textures.
    pub(crate) const fn has_primary_texture(self) -> bool {
        self.0 >= 22
    }

    /// Whether blocks are packed with LZO; else with LZSS.
    pub(crate) const fn has_lzo(self) -> bool {
        self.0 >= 23
    }

    /// Whether the points of roads have a type.
    pub(crate) const fn has_road_types(self) -> bool {
        self.0 >= 24
    }

    /// Whether there is the number of an application.
    pub(crate) const fn has_app_id(self) -> bool {
        self.0 >= 25
    }

    /// Bytes of an object.
    pub(crate) const fn record(self) -> u32 {
        if self.has_shapes() { 60 } else { 56 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Source: "OPRW 10 and later", parts with the version that has them first or last.
    #[test]
    fn parts_of_oprw_have_the_published_versions() {
        type Has = fn(OprwVersion) -> bool;
        let published: [(&str, Has, std::ops::RangeInclusive<u32>); 9] = [
            ("shape parameters", OprwVersion::has_shapes, 14..=25),
            ("entities", OprwVersion::has_entities, 15..=25),
            ("road pieces", OprwVersion::has_road_pieces, 16..=25),
            ("grass", OprwVersion::has_grass, 18..=25),
            ("random numbers", OprwVersion::has_random, 12..=20),
            ("primary texture", OprwVersion::has_primary_texture, 22..=25),
            ("LZO", OprwVersion::has_lzo, 23..=25),
            ("road types", OprwVersion::has_road_types, 24..=25),
            ("application id", OprwVersion::has_app_id, 25..=25),
        ];
        for (part, has, versions) in published {
            let found = (12..=25).filter(|&version| has(OprwVersion(version)));
            assert!(found.eq(versions), "{part}");
        }
        for version in 12..=25 {
            assert_eq!(OprwVersion(version).record(), if version < 14 { 56 } else { 60 }, "{version}");
        }
        assert_eq!((OprwVersion(2).record(), OprwVersion(3).record()), (56, 56));
    }
}

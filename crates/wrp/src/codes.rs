//! Versions of the formats.

/// Version of the legacy variants, 1WVR to 4WVR.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "lowercase"))]
pub enum Version {
    /// The demo of Operation Flashpoint. Its layout is known only from descriptions. The newer engine does not read it.
    Wvr1,
    /// Early Visitor. Objects are upright on the ground.
    Wvr2,
    /// Early Visitor. Objects have no IDs.
    Wvr3,
    /// Visitor 2, WrpTool and the game's own editor.
    Wvr4,
}

impl Version {
    /// Returns the first four bytes of a file.
    pub const fn magic(self) -> [u8; 4] {
        match self {
            Self::Wvr1 => *b"1WVR",
            Self::Wvr2 => *b"2WVR",
            Self::Wvr3 => *b"3WVR",
            Self::Wvr4 => *b"4WVR",
        }
    }

    /// Returns the name, for example `4WVR`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Wvr1 => "1WVR",
            Self::Wvr2 => "2WVR",
            Self::Wvr3 => "3WVR",
            Self::Wvr4 => "4WVR",
        }
    }

    /// Returns the number of slots for texture names. According to reports, some 2WVR files have 256.
    pub const fn slot_count(self) -> usize {
        match self {
            Self::Wvr1 => 256,
            _ => 512,
        }
    }

    /// Returns the size of an object record in bytes.
    pub const fn record_size(self) -> usize {
        match self {
            Self::Wvr1 | Self::Wvr2 => 64,
            Self::Wvr3 | Self::Wvr4 => 128,
        }
    }

    /// Returns `true` if objects have IDs.
    pub const fn has_ids(self) -> bool {
        matches!(self, Self::Wvr4)
    }

    /// Returns the offset of the model name in the record. The name fills the rest of the record.
    pub const fn name_offset(self) -> usize {
        match self {
            Self::Wvr1 | Self::Wvr2 => 16,
            Self::Wvr3 => 48,
            Self::Wvr4 => 52,
        }
    }
}

/// Version of OPRW: 2 and 3 in Operation Flashpoint, 10 and later since Arma.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct OprwVersion(pub u32);

impl OprwVersion {
    /// Operation Flashpoint: Cold War Crisis. Always 256×256 cells.
    pub const COLD_WAR_CRISIS: Self = Self(2);
    /// Operation Flashpoint: Resistance.
    pub const RESISTANCE: Self = Self(3);
    /// Arma 2.
    pub const ARMA_2: Self = Self(24);
    /// Arma 3 and DayZ.
    pub const ARMA_3: Self = Self(25);

    /// Returns the games with this version, if known.
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

    /// Returns `true` if the reader and the writer support the version.
    pub const fn is_known(self) -> bool {
        matches!(self.0, 2 | 3 | 12..=25)
    }

    /// Returns `true` for the versions of Operation Flashpoint, 2 and 3.
    pub const fn is_legacy(self) -> bool {
        self.0 < 10
    }

    /// Returns `true` if objects have shape parameters.
    pub(crate) const fn has_shapes(self) -> bool {
        self.0 >= 14
    }

    /// Returns `true` if there is a list of entities.
    pub(crate) const fn has_entities(self) -> bool {
        self.0 >= 15
    }

    /// Returns `true` if roads have a model and a matrix.
    pub(crate) const fn has_road_pieces(self) -> bool {
        self.0 >= 16
    }

    /// Returns `true` if there is a grass map.
    pub(crate) const fn has_grass(self) -> bool {
        self.0 >= 18
    }

    /// Returns `true` if cells have random numbers.
    pub(crate) const fn has_random(self) -> bool {
        self.0 < 21
    }

    /// Returns `true` if there is a map of primary textures.
    pub(crate) const fn has_primary_texture(self) -> bool {
        self.0 >= 22
    }

    /// Returns `true` if blocks are compressed with LZO, `false` for LZSS.
    pub(crate) const fn has_lzo(self) -> bool {
        self.0 >= 23
    }

    /// Returns `true` if road points have a type.
    pub(crate) const fn has_road_types(self) -> bool {
        self.0 >= 24
    }

    /// Returns `true` if there is an application ID.
    pub(crate) const fn has_app_id(self) -> bool {
        self.0 >= 25
    }

    /// Returns the size of an object record in bytes.
    pub(crate) const fn record_size(self) -> u32 {
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
            assert_eq!(OprwVersion(version).record_size(), if version < 14 { 56 } else { 60 }, "{version}");
        }
        assert_eq!((OprwVersion(2).record_size(), OprwVersion(3).record_size()), (56, 56));
    }
}

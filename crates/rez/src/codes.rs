//! Wire codes: kinds of entries and types of files.

use std::fmt;

mapwright_io::open_code! {
    /// Kind of an entry. Monolith's reader treats every value except [`DIRECTORY`](Self::DIRECTORY) as a file.
    #[derive(Default)]
    pub struct EntryKind(u32) {
        /// A file.
        FILE = 0,
        /// A directory.
        DIRECTORY = 1,
    }
}

/// Type of a file: up to four bytes of its extension, stored in reverse. `PID` is 0x00504944.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct FileType(pub u32);

impl FileType {
    /// No extension.
    pub const NONE: Self = Self(0);
    /// Image of Claw and Gruntz.
    pub const PID: Self = Self(0x0050_4944);
    /// PC Paintbrush image.
    pub const PCX: Self = Self(0x0050_4358);
    /// Image of Get Medieval.
    pub const RID: Self = Self(0x0052_4944);
    /// Windows bitmap.
    pub const BMP: Self = Self(0x0042_4D50);
    /// Palette.
    pub const PAL: Self = Self(0x0050_414C);
    /// Table of colours.
    pub const CLT: Self = Self(0x0043_4C54);
    /// Sound.
    pub const WAV: Self = Self(0x0057_4156);
    /// Animation.
    pub const ANI: Self = Self(0x0041_4E49);
    /// Music.
    pub const XMI: Self = Self(0x0058_4D49);
    /// Level.
    pub const WWD: Self = Self(0x0057_5744);
    /// Text.
    pub const TXT: Self = Self(0x0054_5854);

    /// Types of files that authoring tools left in the archives of the games, such as `PSD`. The games do not read them.
    pub const LEFTOVERS: [Self; 6] = [
        Self(0x004A_4246),
        Self(0x0044_4952),
        Self(0x0041_4855),
        Self(0x0041_434F),
        Self(0x0041_5046),
        Self(0x0050_5344),
    ];

    /// Creates the type of an extension. Returns `None` if the extension has more than four bytes. Letters keep their case.
    pub fn from_extension(extension: &[u8]) -> Option<Self> {
        let mut bytes = [0; 4];
        bytes.get_mut(..extension.len())?.copy_from_slice(extension);
        bytes.get_mut(..extension.len())?.reverse();
        Some(Self(u32::from_le_bytes(bytes)))
    }

    /// Returns the extension: the stored bytes in reverse, without the zeros before the first character.
    pub fn extension(self) -> Vec<u8> {
        let bytes = self.0.to_be_bytes();
        bytes.into_iter().skip_while(|&byte| byte == 0).collect()
    }

    /// Returns the type with ASCII letters in upper case, as look-ups ask for it.
    #[must_use]
    pub fn to_upper_case(self) -> Self {
        Self(u32::from_le_bytes(self.0.to_le_bytes().map(|byte| byte.to_ascii_uppercase())))
    }
}

/// Prints the extension escaped, or `no extension`.
impl fmt::Display for FileType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            0 => f.write_str("no extension"),
            _ => f.write_str(&mapwright_io::escape_bytes(&self.extension())),
        }
    }
}

impl fmt::Debug for FileType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "FileType({self})")
    }
}

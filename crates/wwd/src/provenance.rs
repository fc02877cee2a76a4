//! Which program wrote a file, by its traces.

use crate::write::{begins_compressed, is_compressed};
use crate::{Checksum, Document, HeaderFlags, WriterProfile};

/// What a file tells about the program that wrote it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Provenance {
    /// The ways to sum up that give the stored checksum. Of files that are not compressed several agree.
    pub checksums: Vec<Checksum>,
    /// The two bytes that the zlib stream begins with; `None` if the file is not compressed.
    pub zlib_header: Option<[u8; 2]>,
    /// The program whose compressor gives the first block of the zlib stream to the bit; `None` if no known one does, or if the
    /// file is not compressed. Which gives all of it, [`Document::compressor`] says.
    pub compressor: Option<WriterProfile>,
    /// In whose way the date of the header is written. It may be older than the file: WapMap keeps it.
    pub birth: Option<WriterProfile>,
    /// Whether WapMap's notes follow the stored block.
    pub notes: bool,
    /// The program that all this points at; of the block that is compressed, the beginning.
    pub program: Program,
}

/// A program that writes levels.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Program {
    /// WapWorld, with which the games were made, or GLE, which was sold with Gruntz. They write the same.
    Editor,
    /// WapMap.
    WapMap,
    /// libwap32.
    Libwap32,
    /// IceSword.
    IceSword,
    /// None that is known, or no telling.
    Unknown,
}

impl Program {
    /// The name of the program.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Editor => "WapWorld or GLE",
            Self::WapMap => "WapMap",
            Self::Libwap32 => "libwap32",
            Self::IceSword => "IceSword",
            Self::Unknown => "unknown",
        }
    }
}

impl Document {
    /// The program whose compressor gives the stored block to the bit. It compresses the main block to compare. `None` if no known
    /// one does, if nothing compressed was read, or if the main block has changed since.
    pub fn compressor(&self) -> Option<WriterProfile> {
        let stored = self.stored_block().filter(|_| self.header.flags.has(HeaderFlags::COMPRESS))?;
        let main = &self.kept.as_ref()?.main;
        WriterProfile::ALL.into_iter().find(|profile| is_compressed(stored, main, *profile))
    }

    /// Which program wrote the file that was read. `None` if nothing was read, or if the main block has changed since.
    pub fn provenance(&self) -> Option<Provenance> {
        let stored = self.stored_block()?;
        let main = &self.kept.as_ref()?.main;
        let compressed = self.header.flags.has(HeaderFlags::COMPRESS);
        let says = |checksum: &Checksum| checksum.of(stored, main, compressed) == self.header.checksum;
        let checksums: Vec<Checksum> = Checksum::ALL.into_iter().filter(says).collect();
        let zlib_header = if compressed { stored.first_chunk().copied() } else { None };
        let compressor = if compressed {
            WriterProfile::ALL.into_iter().find(|profile| begins_compressed(stored, main, *profile))
        } else {
            None
        };
        let birth = birth_profile(self.header.birth.text());
        let notes = self.trailer.starts_with(crate::trailer::BEGIN) && self.trailer.ends_with(crate::trailer::END);
        let program = match (checksums.as_slice(), zlib_header, compressor) {
            // Without compression the sums of editor, WapMap and libwap32 are the same.
            (_, None, _) if notes || birth == Some(WriterProfile::WapMap) => Program::WapMap,
            (_, None, _) if birth == Some(WriterProfile::Editor) && checksums.contains(&Checksum::Editor) => {
                Program::Editor
            }
            ([Checksum::Editor, ..], Some([0x78, 0x9C]), Some(WriterProfile::Editor)) => Program::Editor,
            ([Checksum::WapMap, ..], Some([0x78, 0xDA]), Some(WriterProfile::WapMap)) => Program::WapMap,
            ([Checksum::Libwap32, ..], Some([0x78, 0xDA]), _) => Program::Libwap32,
            ([Checksum::Zero, ..], Some([0x78, 0x9C]), _) => Program::IceSword,
            _ => Program::Unknown,
        };
        Some(Provenance { checksums, zlib_header, compressor, birth, notes, program })
    }
}

/// `October 28, 1997` or `23:50 28.09.2013`.
fn birth_profile(text: &[u8]) -> Option<WriterProfile> {
    let form: Vec<u8> = text
        .iter()
        .map(|byte| match byte {
            b'0'..=b'9' => b'0',
            b'A'..=b'Z' | b'a'..=b'z' => b'a',
            other => *other,
        })
        .collect();
    if form == b"00:00 00.00.0000" {
        return Some(WriterProfile::WapMap);
    }
    let rest = form.get(form.iter().take_while(|byte| **byte == b'a').count()..)?;
    (rest != form.as_slice() && matches!(rest, b" 0, 0000" | b" 00, 0000")).then_some(WriterProfile::Editor)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_told_apart() {
        for (text, profile) in [
            ("October 28, 1997", Some(WriterProfile::Editor)),
            ("May 1, 2001", Some(WriterProfile::Editor)),
            ("23:50 28.09.2013", Some(WriterProfile::WapMap)),
            ("2013-09-28", None),
            ("", None),
            (" 28, 1997", None),
        ] {
            assert_eq!(birth_profile(text.as_bytes()), profile, "{text}");
        }
    }
}

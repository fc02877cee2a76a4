//! Detects the program that wrote a file.

use crate::write::{begins_compressed, is_compressed};
use crate::{Checksum, Document, HeaderFlags, WriterProfile};

/// Traces of the program that wrote a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Provenance {
    /// The checksums that match the stored one. In files that are not compressed, several match.
    pub checksums: Vec<Checksum>,
    /// The first two bytes of the zlib stream; `None` if the file is not compressed.
    pub zlib_header: Option<[u8; 2]>,
    /// The program whose compressor produces the first block of the zlib stream; `None` if it is unknown, or if the file is not
    /// compressed. [`Document::compressor`] compares the whole stream.
    pub compressor: Option<WriterProfile>,
    /// The program whose date format the header has. WapMap does not update the date, so it may be older than the file.
    pub birth: Option<WriterProfile>,
    /// `true` if WapMap's notes follow the stored block.
    pub notes: bool,
    /// The program that the other fields indicate.
    pub program: Program,
}

/// A program that writes levels.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Program {
    /// WapWorld, with which the games were made, or GLE, which was sold with Gruntz. Both write the same bytes.
    Editor,
    /// WapMap.
    WapMap,
    /// libwap32.
    Libwap32,
    /// IceSword.
    IceSword,
    /// Unknown or ambiguous.
    Unknown,
}

impl Program {
    /// Returns the name of the program.
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
    /// Returns the program whose compressor produces exactly the stored block. This compresses the main block. Returns `None` if no
    /// known one does, if the level was not read from a compressed block, or if the main block has changed.
    pub fn compressor(&self) -> Option<WriterProfile> {
        let stored = self.stored_block().filter(|_| self.header.flags.has(HeaderFlags::COMPRESS))?;
        let main = &self.stored.as_ref()?.main;
        WriterProfile::ALL.into_iter().find(|profile| is_compressed(stored, main, *profile))
    }

    /// Detects the program that wrote the file. Returns `None` if the level was not read, or if the main block has changed.
    pub fn provenance(&self) -> Option<Provenance> {
        let stored = self.stored_block()?;
        let main = &self.stored.as_ref()?.main;
        let compressed = self.header.flags.has(HeaderFlags::COMPRESS);
        let matches = |checksum: &Checksum| checksum.compute(stored, main, compressed) == self.header.checksum;
        let mut checksums: Vec<Checksum> = Checksum::ALL.into_iter().filter(matches).collect();
        // The last term is often 0, as in all files without compression.
        if checksums.len() > 1 {
            checksums.retain(|checksum| *checksum != Checksum::WithoutLastTerm);
        }
        let zlib_header = if compressed { stored.first_chunk().copied() } else { None };
        let compressor = if compressed {
            WriterProfile::ALL.into_iter().find(|profile| begins_compressed(stored, main, *profile))
        } else {
            None
        };
        let birth = birth_profile(self.header.birth.text());
        let notes = self.trailer.starts_with(crate::trailer::BEGIN) && self.trailer.ends_with(crate::trailer::END);
        let program = match (checksums.as_slice(), zlib_header, compressor) {
            // Without compression, the checksums of the editor, WapMap and libwap32 are equal.
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

/// Detects the date format: `October 28, 1997` of the editor, `23:50 28.09.2013` of WapMap.
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
    fn date_formats_are_detected() {
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

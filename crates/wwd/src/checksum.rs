//! The checksum of the stored block.

use crate::WriterProfile;

/// The known checksums of the stored block. The games do not verify it. In multiplayer games it identifies the level.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Checksum {
    /// Checksum of the original editors. It also covers the byte that followed the stored block in their memory, a byte of the main block.
    Editor,
    /// Checksum of WapMap.
    WapMap,
    /// Checksum of libwap32: computed as WapMap does, but from the main block instead of the stored block.
    Libwap32,
    /// 0, as IceSword writes it.
    Zero,
    /// As `Editor`, without the byte after the stored block. The public description permits this form.
    WithoutLastTerm,
}

impl Checksum {
    /// All checksums. If several match, the first one counts.
    pub const ALL: [Self; 5] = [Self::Editor, Self::WapMap, Self::Libwap32, Self::Zero, Self::WithoutLastTerm];

    /// Returns the name of the program.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Editor => "WapWorld and GLE",
            Self::WapMap => "WapMap",
            Self::Libwap32 => "libwap32",
            Self::Zero => "IceSword",
            Self::WithoutLastTerm => "the public description without its last term",
        }
    }

    /// Computes the checksum of a stored block, which is the main block itself or a zlib stream of it.
    pub fn compute(self, stored: &[u8], main: &[u8], compressed: bool) -> u32 {
        match self {
            Self::Editor => {
                let next = if compressed { main.get(stored.len()).copied().unwrap_or(0) } else { 0 };
                Self::WithoutLastTerm.compute(stored, main, compressed).wrapping_add(u32::from(next))
            }
            Self::WithoutLastTerm => sum(stored.get(1..).unwrap_or_default()).wrapping_sub(triangle(stored.len())),
            Self::WapMap => sum(stored).wrapping_sub(triangle(stored.len())).wrapping_sub(160),
            Self::Libwap32 => sum(main).wrapping_sub(triangle(main.len())).wrapping_sub(160),
            Self::Zero => 0,
        }
    }
}

impl From<WriterProfile> for Checksum {
    fn from(profile: WriterProfile) -> Self {
        match profile {
            WriterProfile::Editor => Self::Editor,
            WriterProfile::WapMap => Self::WapMap,
        }
    }
}

fn sum(bytes: &[u8]) -> u32 {
    bytes.iter().fold(0, |sum: u32, &byte| sum.wrapping_add(u32::from(byte)))
}

/// Returns 1 + 2 + … + n, modulo 2³².
fn triangle(n: usize) -> u32 {
    let n = n as u64;
    // One of the two factors is even. Halving it first loses nothing if the product wraps.
    let (even, odd) = if n.is_multiple_of(2) { (n, n.wrapping_add(1)) } else { (n.wrapping_add(1), n) };
    #[allow(clippy::cast_possible_truncation, reason = "the sum is taken modulo 2³²")]
    let low = (even / 2).wrapping_mul(odd) as u32;
    low
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn checksums_match_the_specification() {
        // By hand: n = 3, 1 + 2 + 3 = 6.
        let stored = [0x78, 2, 3];
        let main = [9, 9, 9, 7];
        assert_eq!(Checksum::Editor.compute(&stored, &main, true), (2 + 3 + 7_u32).wrapping_sub(6));
        assert_eq!(Checksum::WithoutLastTerm.compute(&stored, &main, true), (2 + 3_u32).wrapping_sub(6));
        assert_eq!(Checksum::WapMap.compute(&stored, &main, true), (0x78 + 2 + 3_u32).wrapping_sub(6 + 160));
        assert_eq!(Checksum::Libwap32.compute(&stored, &main, true), 34_u32.wrapping_sub(10 + 160));
        assert_eq!(Checksum::Editor.compute(&stored, &stored, true), 5_u32.wrapping_sub(6), "no byte after the end");
    }

    #[test]
    fn the_triangle_wraps() {
        assert_eq!(triangle(4), 10);
        assert_eq!(triangle(100_000), 705_082_704, "5,000,050,000 less 2³²");
    }
}

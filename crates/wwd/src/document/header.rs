//! The header of a level.

use mapwright_io::FixedBytes;

use super::record::record;
use crate::HeaderFlags;

record! {
    /// The header: the name of the level, the files that it draws from, the start of the player.
    ///
    /// Texts are bytes of a Windows code page that the file does not name, zero-padded. The number of planes and the offsets of
    /// sections are in the file, but not here: they follow from the document.
    pub struct Header as HEADER "level" {
        /// Bytes of the header, 1524. The engine refuses larger values and reads a shorter header for smaller ones.
        header_size: u32 { is_settable: false },
        /// 0 in all known files.
        reserved_004: u32,
        /// Flags, such as the compression of the main block.
        flags: HeaderFlags,
        /// 0 in all known files.
        reserved_00c: u32,
        /// Name. The games choose images by the first number in it.
        name: FixedBytes<64>,
        /// Author. The games show it.
        author: FixedBytes<64>,
        /// Date of the last save. The original editor: `October 28, 1997`; WapMap: `23:50 28.09.2013`.
        birth: FixedBytes<64>,
        /// Archive of the game on the author's machine. For editors.
        rez_file: FixedBytes<256>,
        /// Folder of tile images in the archive, such as `\LEVEL1\TILES`. For editors.
        image_dir: FixedBytes<128>,
        /// Palette in the archive, such as `LEVEL2\PALETTES\MAIN.PAL`; empty in Gruntz.
        pal_rez: FixedBytes<128>,
        /// Start of the player: pixels of the main plane from the left.
        start_x: i32 { unit: "pixels" },
        /// Start of the player: pixels of the main plane from the top.
        start_y: i32 { unit: "pixels" },
        /// Unknown. 0 in most files; in two, the index of the main plane. The engine does not read it.
        word_2d8: u32,
        /// Bytes of the main block. The writer sets it in compressed levels; others have any value.
        main_block_size: u32 { is_settable: false },
        /// Checksum of the stored block. The writer keeps it as long as the stored block is the one that was read, and computes it
        /// otherwise; see [`Checksum`](crate::Checksum).
        checksum: u32,
        /// 0 in all known files.
        reserved_2f0: u32,
        /// Program that the editor starts to test the level.
        launch_app: FixedBytes<128>,
        /// Folder of object images. Their names get the prefix of the same number.
        image_set_1: FixedBytes<128>,
        /// As [`image_set_1`](Self::image_set_1).
        image_set_2: FixedBytes<128>,
        /// As [`image_set_1`](Self::image_set_1); seldom used.
        image_set_3: FixedBytes<128>,
        /// As [`image_set_1`](Self::image_set_1); seldom used.
        image_set_4: FixedBytes<128>,
        /// `LEVEL` or `GAME`.
        prefix_1: FixedBytes<32>,
        /// `LEVEL` or `GAME`.
        prefix_2: FixedBytes<32>,
        /// Seldom used.
        prefix_3: FixedBytes<32>,
        /// Seldom used.
        prefix_4: FixedBytes<32>,
    } and {
    } and {
    } with {
    }
}

impl Header {
    /// Bytes of the header in the file.
    pub(crate) const FILE_SIZE: usize = 1524;
    /// Place of the derived words: the number of planes, the offsets of planes and tile properties.
    pub(crate) const DERIVED: std::ops::Range<usize> = 0x2DC..0x2E8;
    /// The end of the last number: a header cannot be shorter.
    pub(crate) const SHORTEST: usize = 0x2F4;

    /// The first run of digits of the name, which the games take for the number of the level; `None` without digits or beyond
    /// 32 bits.
    pub fn level_number(&self) -> Option<u32> {
        first_number(self.name.text())
    }
}

/// The first run of decimal digits.
pub(crate) fn first_number(text: &[u8]) -> Option<u32> {
    let start = text.iter().position(u8::is_ascii_digit)?;
    let digits = text.get(start..)?.iter().take_while(|byte| byte.is_ascii_digit());
    digits
        .copied()
        .try_fold(0_u32, |number, digit| number.checked_mul(10)?.checked_add(u32::from(digit.wrapping_sub(b'0'))))
}

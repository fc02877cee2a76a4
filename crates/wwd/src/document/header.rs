//! The header of a level.

use mapwright_io::FixedBytes;

use super::record::record;
use crate::HeaderFlags;

record! {
    /// The header: what the level is called, which files it draws from, where the player starts.
    ///
    /// Texts are bytes of a Windows code page that the file does not name, zero-padded. What is derived (the number of planes, the
    /// offsets of sections) stands in the file, but not here.
    pub struct Header {
        /// Bytes of the header, 1524. The engine refuses larger values and takes smaller ones for the bytes that the header has.
        header_size: u32,
        /// 0 in all known files.
        reserved_004: u32,
        /// Flags. They say whether the main block is compressed.
        flags: HeaderFlags,
        /// 0 in all known files.
        reserved_00c: u32,
        /// The name. The games take its first run of digits for the number of the level, by which they choose its images.
        name: FixedBytes<64>,
        /// Who made it. The games show it.
        author: FixedBytes<64>,
        /// When it was saved. The original editor: `October 28, 1997`; WapMap: `23:50 28.09.2013`.
        birth: FixedBytes<64>,
        /// The archive of the game on the author's machine. For editors.
        rez_file: FixedBytes<256>,
        /// The folder of tile images in the archive, as `\LEVEL1\TILES`. For editors.
        image_dir: FixedBytes<128>,
        /// The palette in the archive, as `LEVEL2\PALETTES\MAIN.PAL`; empty in Gruntz.
        pal_rez: FixedBytes<128>,
        /// Where the player starts, in pixels of the main plane from the left.
        start_x: i32,
        /// Where the player starts, in pixels of the main plane from the top.
        start_y: i32,
        /// Not known; 0, or the number of the main plane where that is not 1 (two files). The engine does not read it.
        word_2d8: u32,
        /// Bytes of the main block. Of compressed levels it is set on writing; others have 0, or anything.
        main_block_size: u32,
        /// The checksum of the stored block. It is written as it stands as long as the stored block is the one that was read, and
        /// set otherwise; see [`Checksum`](crate::Checksum).
        checksum: u32,
        /// 0 in all known files.
        reserved_2f0: u32,
        /// The program that the editor starts to test the level.
        launch_app: FixedBytes<128>,
        /// Folders of object images; their names get the prefix of the same number.
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
    }
}

impl Header {
    /// Bytes of the header in the file.
    pub(crate) const FILE_SIZE: usize = 1524;
    /// Where the derived words stand: the number of planes, the offsets of planes and tile properties.
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

//! Chunks of binary files: field and class, as `0x0105` for field 1 of class 5.

/// Chunks of the file, and of its first two.
pub(crate) const INFO: u16 = 0x0104;
pub(crate) const WED: u16 = 0x0204;
pub(crate) const NODE: u16 = 0x0105;
pub(crate) const CREATED: u16 = 0x0101;
pub(crate) const PALETTE: u16 = 0x0A01;
pub(crate) const WAD: u16 = 0x0401;
pub(crate) const FOLDER: u16 = 0x0701;

/// Chunks of nodes.
pub(crate) const WORD: u16 = 0x0201;
pub(crate) const NAME: u16 = 0x0301;
pub(crate) const POSITION: u16 = 0x0100;
pub(crate) const ANGLES: u16 = 0x0300;
pub(crate) const SCALE: u16 = 0x0500;
pub(crate) const BLOCK: u16 = 0x0205;
pub(crate) const LEVEL: u16 = 0x0405;
pub(crate) const START: u16 = 0x0605;
pub(crate) const LIGHT: u16 = 0x0705;
pub(crate) const SOUND: u16 = 0x0805;
pub(crate) const MODEL: u16 = 0x0905;
pub(crate) const PATH: u16 = 0x0A05;
pub(crate) const REGION: u16 = 0x0B05;

/// Chunks of blocks, and of the entries of faces.
pub(crate) const MATERIAL: u16 = 0x0801;
pub(crate) const POINTS: u16 = 0x0102;
pub(crate) const FACES: u16 = 0x1102;
pub(crate) const ENTRY: u16 = 0x1202;
pub(crate) const UVS: u16 = 0x0702;
pub(crate) const VECTORS: u16 = 0x0502;
pub(crate) const MAPPING: u16 = 0x0902;

/// Chunks of entities.
pub(crate) const ZERO: u16 = 0x0403;
pub(crate) const FOG: u16 = 0x0103;
pub(crate) const SUN: u16 = 0x0203;
pub(crate) const AMBIENT: u16 = 0x0303;
pub(crate) const SCRIPT: u16 = 0x0501;
pub(crate) const PALETTE_NAME: u16 = 0x0601;
pub(crate) const FILE: u16 = 0x0B01;
pub(crate) const ACTION: u16 = 0x0C01;
pub(crate) const SKILLS: u16 = 0x0B02;
pub(crate) const MODEL_PATH: u16 = 0x0D01;
pub(crate) const TARGET: u16 = 0x0E01;
pub(crate) const STRING: u16 = 0x0F01;
pub(crate) const NODE_SKILLS: u16 = 0x0D02;
pub(crate) const EDGES: u16 = 0x0F02;
pub(crate) const BOX: u16 = 0x0900;

/// Bytes of the head of a chunk.
pub(crate) const HEAD: u32 = 8;

/// The numbers of the kinds of entities, each at the start of its chunk.
pub(crate) const fn class(id: u16) -> Option<u32> {
    match id {
        LEVEL => Some(0),
        START => Some(1),
        LIGHT => Some(2),
        MODEL => Some(3),
        SOUND => Some(4),
        PATH => Some(6),
        REGION => Some(8),
        _ => None,
    }
}

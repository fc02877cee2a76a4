//! Chunks of binary files: field and class, such as `0x0105` for field 1 of class 5.

/// Chunks of the file and of the chunks in it, but for nodes.
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

/// The size of the head of a chunk.
pub(crate) const HEAD: u32 = 8;

/// Returns the class number at the start of the chunk of an entity.
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

#[cfg(test)]
mod tests {
    use super::*;

    /// Source: "WMPB (binary)", which writes `field.class` in hexadecimal.
    #[test]
    fn chunks_have_the_published_numbers() {
        let numbers = [
            // Top level, info and WED.
            ("info", INFO, 0x01, 0x04),
            ("wed", WED, 0x02, 0x04),
            ("root node", NODE, 0x01, 0x05),
            ("file created", CREATED, 0x01, 0x01),
            ("palette", PALETTE, 0x0A, 0x01),
            ("WAD path", WAD, 0x04, 0x01),
            ("texture folder", FOLDER, 0x07, 0x01),
            // Nodes.
            ("kind word", WORD, 0x02, 0x01),
            ("name", NAME, 0x03, 0x01),
            ("position", POSITION, 0x01, 0x00),
            ("angles", ANGLES, 0x03, 0x00),
            ("scale", SCALE, 0x05, 0x00),
            // Payloads.
            ("block", BLOCK, 0x02, 0x05),
            ("level", LEVEL, 0x04, 0x05),
            ("start", START, 0x06, 0x05),
            ("light", LIGHT, 0x07, 0x05),
            ("sound", SOUND, 0x08, 0x05),
            ("model", MODEL, 0x09, 0x05),
            ("path", PATH, 0x0A, 0x05),
            ("region", REGION, 0x0B, 0x05),
            // Parts of blocks.
            ("material", MATERIAL, 0x08, 0x01),
            ("points", POINTS, 0x01, 0x02),
            ("faces", FACES, 0x11, 0x02),
            ("face entry", ENTRY, 0x12, 0x02),
            ("UV", UVS, 0x07, 0x02),
            ("vectors", VECTORS, 0x05, 0x02),
            ("mapping", MAPPING, 0x09, 0x02),
            // Parts of entities.
            ("colour (0,0,0,0)", ZERO, 0x04, 0x03),
            ("fog", FOG, 0x01, 0x03),
            ("sun", SUN, 0x02, 0x03),
            ("ambient", AMBIENT, 0x03, 0x03),
            ("script", SCRIPT, 0x05, 0x01),
            ("palette name", PALETTE_NAME, 0x06, 0x01),
            ("file", FILE, 0x0B, 0x01),
            ("action", ACTION, 0x0C, 0x01),
            ("skills", SKILLS, 0x0B, 0x02),
            ("path name", MODEL_PATH, 0x0D, 0x01),
            ("target name", TARGET, 0x0E, 0x01),
            ("string", STRING, 0x0F, 0x01),
            ("node skills", NODE_SKILLS, 0x0D, 0x02),
            ("edges", EDGES, 0x0F, 0x02),
            ("region box", BOX, 0x09, 0x00),
        ];
        for (name, id, field, class) in numbers {
            assert_eq!(id.to_be_bytes(), [field, class], "{name}");
        }
        assert_eq!(HEAD, 8);
    }

    /// Source: "WMPB (binary)", payloads, class numbers in brackets.
    #[test]
    fn entities_have_the_published_class_numbers() {
        let classes = (0..=u16::MAX).filter_map(|id| Some((id, class(id)?)));
        let published = [(0x0405, 0), (0x0605, 1), (0x0705, 2), (0x0805, 4), (0x0905, 3), (0x0A05, 6), (0x0B05, 8)];
        assert_eq!(classes.collect::<Vec<_>>(), published);
    }
}

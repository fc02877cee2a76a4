//! The kind of a node of a binary file, which follows from what it holds.

use crate::{Block, BlockFlags, Entity, EntityKind, Model};

/// The kind of a group.
pub(crate) const GROUP: u16 = 0x0003;

/// The kind of a node that holds a block.
pub(crate) const fn of_block(block: &Block) -> u16 {
    if block.flags.has(BlockFlags::CONCAVE) { 0x0204 } else { 0x0104 }
}

/// The kind of a node that holds an entity.
pub(crate) fn of_entity(entity: &Entity) -> u16 {
    match &entity.kind {
        EntityKind::Level(_) => 0x0001,
        EntityKind::Start(_) => 0x0015,
        EntityKind::Light(_) => 0x0025,
        EntityKind::Sound(_) => 0x0055,
        EntityKind::Path(_) => 0x0065,
        EntityKind::Region(_) => 0x0075,
        EntityKind::Model(model) => {
            let skills = if model.skills.len() == 20 { 0x0045 } else { 0x0035 };
            let [_, media, ..] = media(model).to_le_bytes();
            u16::from_be_bytes([media & 0x0F, skills])
        }
    }
}

/// What the head of a model says of its file.
pub(crate) fn media(model: &Model) -> u32 {
    model.media.unwrap_or_else(|| media_of(model.file.as_bytes()))
}

/// What the head of a model says of a file of such a name: 0 sprites, 0x100 other pictures, 0x200 models, 0x300 compiled maps, 0x400
/// terrains.
pub(crate) fn media_of(file: &[u8]) -> u32 {
    let extension = file.rsplit(|byte| *byte == b'.').next().unwrap_or_default();
    match extension.to_ascii_lowercase().as_slice() {
        b"dds" => 0x000,
        b"tga" | b"pcx" | b"bmp" => 0x100,
        b"wmb" => 0x300,
        b"hmp" => 0x400,
        _ => 0x200,
    }
}

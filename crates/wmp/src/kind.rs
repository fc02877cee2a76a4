//! The kind of a node of a binary file, which follows from its contents.

use crate::{Block, BlockFlags, Entity, EntityKind, Model};

/// The kind of a group.
pub(crate) const GROUP: u16 = 0x0003;

/// Returns the kind of a node with a block.
pub(crate) const fn block_kind(block: &Block) -> u16 {
    if block.flags.has(BlockFlags::CONCAVE) { 0x0204 } else { 0x0104 }
}

/// Returns the kind of a node with an entity.
pub(crate) fn entity_kind(entity: &Entity) -> u16 {
    match &entity.kind {
        EntityKind::Level(_) => 0x0001,
        EntityKind::Start(_) => 0x0015,
        EntityKind::Light(_) => 0x0025,
        EntityKind::Sound(_) => 0x0055,
        EntityKind::Path(_) => 0x0065,
        EntityKind::Region(_) => 0x0075,
        EntityKind::Model(model) => {
            let skills = if model.skills.len() == 20 { 0x0045 } else { 0x0035 };
            u16::try_from(media(model) & 0x0F00).expect("12 bits") | skills
        }
    }
}

/// Returns the media number in the head of a model.
pub(crate) fn media(model: &Model) -> u32 {
    model.media.unwrap_or_else(|| media_of(model.file.as_bytes()))
}

/// Returns the media number of a file name: 0 sprites, 0x100 other images, 0x200 models, 0x300 compiled maps, 0x400 terrains.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Level, Light, Mesh, Path, Region, Sound, Start};

    fn model(file: &str, skills: usize) -> EntityKind {
        EntityKind::Model(Model { file: file.into(), ..Model::new(skills) })
    }

    /// Source: "WMPB (binary)", kinds of nodes.
    #[test]
    fn nodes_have_the_published_kinds() {
        let published = [
            (0x0001, EntityKind::Level(Level::default())),
            (0x0015, EntityKind::Start(Start::default())),
            (0x0025, EntityKind::Light(Light::default())),
            (0x0055, EntityKind::Sound(Sound::default())),
            (0x0065, EntityKind::Path(Path::default())),
            (0x0075, EntityKind::Region(Region::default())),
            (0x0035, model("a.dds", 8)),
            (0x0135, model("a.tga", 8)),
            (0x0135, model("a.pcx", 8)),
            (0x0135, model("a.bmp", 8)),
            (0x0235, model("a.mdl", 8)),
            (0x0335, model("a.wmb", 8)),
            (0x0435, model("a.hmp", 8)),
            (0x0045, model("a.dds", 20)),
            (0x0145, model("a.tga", 20)),
            (0x0245, model("a.mdl", 20)),
            (0x0345, model("a.wmb", 20)),
            (0x0445, model("a.hmp", 20)),
        ];
        for (number, kind) in published {
            let entity = Entity::new(0, kind);
            assert_eq!(entity_kind(&entity), number, "{entity:?}");
        }
        let mut block = Block::new(0, Mesh::default());
        assert_eq!(block_kind(&block), 0x0104, "convex");
        block.flags = BlockFlags(1 << 5);
        assert_eq!(block_kind(&block), 0x0204, "concave");
        assert_eq!(GROUP, 0x0003);
    }

    /// Source: "WMPB (binary)", media number of models: the `m` digit of the kind, shifted left by 8 bits.
    #[test]
    fn models_have_the_published_media_numbers() {
        for (file, media) in
            [("a.dds", 0), ("a.tga", 1), ("a.pcx", 1), ("a.bmp", 1), ("a.mdl", 2), ("a.wmb", 3), ("a.hmp", 4)]
        {
            assert_eq!(media_of(file.as_bytes()), media << 8, "{file}");
        }
    }
}

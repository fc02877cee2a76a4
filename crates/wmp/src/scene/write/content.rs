//! Contents of nodes that become entities.

use mapwright_scene as scene;
use mapwright_scene::{Content, Node, Scene};

use crate::scene::entity_class::REGION;
use crate::{Dialect, EntityKind, Light, LightFlags, Model, Name, Path, Region, Sound, Start};

/// The content of a node that becomes an entity.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum EntityContent<'a> {
    Marker,
    Light(&'a scene::Light),
    Sound(&'a scene::Sound),
    Path(&'a scene::Path),
    Entity(&'a scene::Entity),
}

impl<'a> EntityContent<'a> {
    pub(super) fn from_node(scene: &'a Scene, node: &Node) -> Option<Self> {
        Some(match node.content {
            Content::Marker => Self::Marker,
            Content::Light(id) => Self::Light(scene.lights.get(id)?),
            Content::Sound(id) => Self::Sound(scene.sounds.get(id)?),
            Content::Path(id) => Self::Path(scene.paths.get(id)?),
            Content::Entity(id) => Self::Entity(scene.entities.get(id)?),
            _ => return None,
        })
    }

    /// Returns a new entity of the right kind, to which the content is then applied.
    pub(super) fn new_entity(self, dialect: Dialect) -> EntityKind {
        match self {
            Self::Marker => EntityKind::Start(Start::default()),
            Self::Light(_) => EntityKind::Light(Light { flags: Some(LightFlags(0)), ..Light::default() }),
            Self::Sound(_) => EntityKind::Sound(Sound::default()),
            Self::Path(_) => EntityKind::Path(Path::default()),
            Self::Entity(entity) if entity.class == REGION => EntityKind::Region(Region::default()),
            Self::Entity(_) => {
                let mut model = Model::new(if dialect == Dialect::A4 { 8 } else { 20 });
                model.fill_albedo();
                // 710 always has the names of path and target.
                model.tail = if dialect == Dialect::A7 { vec![Name::NONE; 2] } else { Vec::new() };
                EntityKind::Model(model)
            }
        }
    }

    /// Returns `true` if an entity of this kind can take the content.
    pub(super) fn fits(self, kind: &EntityKind) -> bool {
        match (self, kind) {
            (Self::Marker, EntityKind::Start(_))
            | (Self::Light(_), EntityKind::Light(_))
            | (Self::Sound(_), EntityKind::Sound(_))
            | (Self::Path(_), EntityKind::Path(_)) => true,
            (Self::Entity(entity), EntityKind::Region(_)) => entity.class == REGION,
            (Self::Entity(entity), EntityKind::Model(_)) => entity.class != REGION,
            _ => false,
        }
    }
}

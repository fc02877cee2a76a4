//! Classes of entities and games that conversions know.

use crate::{Document, EditorRole, Entity};

/// The property of groups that states their kind: `layer`, `group` or `func_group`.
pub(super) const GROUP: &str = "group";
/// The property of groups for brushes that do not divide the world: the class.
pub(super) const DETAIL: &str = "detail";
/// The keys that refer to the group or layer of an entity.
pub(super) const MEMBERSHIP: [&str; 2] = ["_tb_group", "_tb_layer"];
/// The property of a scene with the name of its game.
pub(super) const GAME: &str = "game";
/// The games of maps without the property.
pub(super) const QUAKE: &str = "Quake";
pub(super) const QUAKE_2: &str = "Quake 2";
/// The games that have brushes of equations, with the number after `Version`.
pub(super) const EQUATION_GAMES: [(&str, u32); 2] = [("Doom 3", 2), ("Quake 4", 3)];

/// Metres per inch, the unit of Half-Life and Doom 3.
const INCH: f64 = 0.0254;

/// Returns the name of the game of a document, if it is not the usual one.
pub(super) fn game_of(document: &Document) -> Option<String> {
    let named = document.game().map(|game| crate::decode_text(game).into_owned());
    let by_version = document.version().and_then(|version| {
        let games = EQUATION_GAMES.iter().find(|(_, number)| f64::from(*number) == version);
        games.map(|(name, _)| (*name).to_owned())
    });
    named.or(by_version).filter(|game| game != QUAKE && game != QUAKE_2)
}

/// Returns the metres per unit of a game, by convention.
pub(super) fn metres_per_unit(game: Option<&str>) -> f64 {
    match game {
        Some("Half-Life" | "Doom 3" | "Quake 4") => INCH,
        _ => super::METRES_PER_UNIT,
    }
}

/// The role of an entity in a scene.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    /// An entity of the game.
    Entity,
    /// A light without brushes.
    Light,
    /// A group with the value of its property [`GROUP`].
    Group(&'static str),
    /// A group of brushes that do not divide the world.
    Detail,
    /// Brushes outside of entities.
    Fragment,
}

impl Role {
    pub(super) fn new(entity: Entity<'_>) -> Self {
        if entity.is_fragment() {
            return Self::Fragment;
        }
        match entity.editor_role() {
            EditorRole::Layer => return Self::Group("layer"),
            EditorRole::Group => return Self::Group("group"),
            EditorRole::Entity => {}
        }
        let class = entity.class().unwrap_or_default();
        let has_brushes = entity.primitives().len() > 0;
        match class {
            b"func_group" => Self::Group("func_group"),
            _ if has_brushes && class.starts_with(b"func_detail") => Self::Detail,
            _ if !has_brushes && is_light(class) => Self::Light,
            _ => Self::Entity,
        }
    }

    /// Returns `true` for groups.
    pub(super) fn is_group(self) -> bool {
        matches!(self, Self::Group(_) | Self::Detail | Self::Fragment)
    }
}

/// Returns `true` for classes of lights.
fn is_light(class: &[u8]) -> bool {
    class == b"light" || class.starts_with(b"light_")
}

/// Classes of lights of Source 2, which Quake does not have.
pub(super) fn is_source_2_light(class: &str) -> bool {
    let names = ["light_omni", "light_omni2", "light_rect", "light_capsule", "light_barn", "light_ortho"];
    names.contains(&class) || ["light_directional", "light_sky"].contains(&class)
}

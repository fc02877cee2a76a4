//! The form of new text: the game, the format of textures and the kind of brushes.

use mapwright_io::format_count;
use mapwright_scene::{Losses, Scene, Value};

use super::faces::Face;
use super::items::Item;
use crate::scene::classes::{EQUATION_GAMES, GAME, QUAKE, QUAKE_2};
use crate::scene::{ExportOptions, ProjectionFormat};
use crate::{Document, Face as DocumentFace, Mapping, PrimitiveKind};

/// The form of new text.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Style {
    game: String,
    format: String,
    /// The number after `Version`. Its games have brushes of equations.
    version: Option<u32>,
    /// `true` for textures of Valve 220.
    pub(super) is_valve: bool,
}

impl Style {
    /// Chooses the form for the entities of a scene.
    pub(super) fn choose(scene: &Scene, items: &[Item], options: &ExportOptions, losses: &mut Losses) -> Self {
        let game = scene.properties.get(GAME).and_then(Value::as_text);
        let version = EQUATION_GAMES.iter().find(|(name, _)| Some(*name) == game).map(|(_, version)| *version);
        if version.is_some() {
            return Self { version, ..Self::default() };
        }
        let all = || items.iter().flat_map(Item::faces).filter(|face| face.matrix.is_none());
        let is_valve = match options.projection {
            ProjectionFormat::Standard => false,
            ProjectionFormat::Valve => true,
            ProjectionFormat::Auto => {
                game == Some("Half-Life") || all().any(|face| face.standard().is_none() || face.is_ambiguous())
            }
        };
        if !is_valve {
            report_standard(all, losses);
        }
        let has_flags = all().any(Face::has_flags);
        let has_matrix = items.iter().flat_map(Item::faces).any(|face| face.matrix.is_some());
        let game = game.unwrap_or(match (has_matrix, has_flags) {
            (true, _) => "Quake 3",
            (false, true) => QUAKE_2,
            (false, false) => QUAKE,
        });
        let format = match (game, has_flags, is_valve) {
            ("Quake 3", ..) if has_matrix => "Quake3",
            ("Quake 3", _, false) => "Quake3 (legacy)",
            ("Quake 3", _, true) => "Quake3 (Valve)",
            ("Hexen 2", _, false) => "Hexen2",
            ("Daikatana", _, false) => "Daikatana",
            (_, false, false) => "Standard",
            (_, false, true) => "Valve",
            (_, true, false) => "Quake2",
            (_, true, true) => "Quake2 (Valve)",
        };
        Self { game: game.to_owned(), format: format.to_owned(), version: None, is_valve }
    }

    /// Returns the form of a document, for parts that are added to it.
    pub(super) fn of_document(document: &Document) -> Self {
        let is_valve = |face: DocumentFace<'_>| matches!(face.mapping(), Mapping::Valve { .. });
        let version = EQUATION_GAMES.iter().map(|(_, version)| *version);
        let version = version.into_iter().find(|version| document.version() == Some(f64::from(*version)));
        let first = document.primitives().flat_map(crate::Primitive::faces).next();
        Self { version, is_valve: first.is_some_and(is_valve), ..Self::default() }
    }

    pub(super) fn write_header(&self, text: &mut Vec<u8>) {
        let header = match self.version {
            Some(version) => format!("Version {version}\n"),
            None => format!("// Game: {}\n// Format: {}\n", self.game, self.format),
        };
        text.extend_from_slice(header.as_bytes());
    }

    /// Returns the kind of a new brush.
    pub(super) fn brush_kind(&self, faces: &[Face]) -> PrimitiveKind {
        if self.version.is_some() {
            PrimitiveKind::BrushDef3
        } else if !faces.is_empty() && faces.iter().all(|face| face.matrix.is_some()) {
            PrimitiveKind::BrushDef
        } else {
            PrimitiveKind::Brush
        }
    }

    /// Returns `true` if a face of an equation has three numbers after its material.
    pub(super) fn has_equation_numbers(&self) -> bool {
        self.version == Some(2)
    }
}

/// Reports textures that the standard format does not store exactly.
fn report_standard<'a, I: Iterator<Item = &'a Face>>(all: impl Fn() -> I, losses: &mut Losses) {
    let bent = all().filter(|face| face.standard().is_none()).count();
    if bent > 0 {
        let text = format!("textures of {} that do not follow the axes of the face normal", format_count(bent, "face"));
        losses.approximated("", text);
    }
    let ambiguous = all().filter(|face| face.standard().is_some() && face.is_ambiguous()).count();
    if ambiguous > 0 {
        let text = format!(
            "texture axes of {} at almost 45°: other programs may choose different axes",
            format_count(ambiguous, "face")
        );
        losses.preserved("", text);
    }
}

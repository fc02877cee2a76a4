//! The choice of the form of new text: the game, the format of textures and the kind of brushes.

use mapwright_io::format_count;
use mapwright_scene::{Losses, Scene, Value};

use super::faces::Face;
use super::items::Item;
use super::style::Style;
use crate::scene::classes::{EQUATION_GAMES, GAME, QUAKE, QUAKE_2};
use crate::scene::{ExportOptions, ProjectionFormat};

/// Chooses the form for the entities of a scene.
pub(super) fn choose_style(scene: &Scene, items: &[Item], options: &ExportOptions, losses: &mut Losses) -> Style {
    let game = scene.properties.get(GAME).and_then(Value::as_text);
    let version = EQUATION_GAMES.iter().find(|(name, _)| Some(*name) == game).map(|(_, version)| *version);
    if version.is_some() {
        return Style { version, ..Style::default() };
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
    Style { game: game.to_owned(), format: format.to_owned(), version: None, is_valve }
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

//! Images of tiles. A level contains only their numbers.

use mapwright_io::format_count;
use mapwright_scene::{ImageSource, Losses, Scene};

use crate::document::first_number;

/// Reports the images of a scene. An image file of the game with the number of its tile is not lost.
pub(super) fn report(scene: &Scene, losses: &mut Losses) {
    let mut from_game = vec![false; scene.images.len()];
    for set in scene.tile_sets.items() {
        for (place, tile) in set.tiles.iter().enumerate() {
            let Some(id) = tile.image else { continue };
            let image = scene.images.get(id).expect("the scene was checked");
            let file = image.name.rsplit('/').next().unwrap_or_default();
            let number = game_image_number(file);
            if let Some(is_from_game) = from_game.get_mut(id.index()) {
                *is_from_game |= number.is_some_and(|number| usize::try_from(number) == Ok(place));
            }
        }
    }
    let count = from_game.iter().filter(|is_from_game| **is_from_game).count();
    if count > 0 {
        losses.preserved(
            "images",
            format!("{} stored by number; the game has the images", format_count(count, "tile image")),
        );
    }
    for ((id, image), _) in scene.images.iter().zip(from_game).filter(|(_, is_from_game)| !is_from_game) {
        let text = match &image.source {
            ImageSource::External { path } => format!("reference to {path}"),
            _ => format!("embedded image of {:?}", image.name),
        };
        losses.dropped(format!("images[{}]", id.index()), text);
    }
}

/// Returns the number of an image file of the games. Without digits it is 0. Returns `None` for other files.
fn game_image_number(file: &str) -> Option<u32> {
    let (stem, extension) = file.rsplit_once('.')?;
    let is_image = ["pid", "pcx"].iter().any(|known| extension.eq_ignore_ascii_case(known));
    match stem.bytes().any(|byte| byte.is_ascii_digit()) {
        _ if !is_image => None,
        true => first_number(stem.as_bytes()),
        false => Some(0),
    }
}

//! Pictures of tiles, of which a level says the number alone.

use mapwright_scene::{ImageSource, Losses, Scene};

use crate::art;
use crate::document::first_number;

/// Reports the images of a scene. Those that the game has under the number of their tile are not lost.
pub(super) fn report(scene: &Scene, losses: &mut Losses) {
    let mut kept = vec![false; scene.images.len()];
    for set in scene.tile_sets.items() {
        for (place, tile) in set.tiles.iter().enumerate() {
            let Some((id, image)) = tile.image.and_then(|id| Some((id, scene.images.get(id)?))) else { continue };
            let file = image.name.rsplit('/').next().unwrap_or_default();
            let number = first_number(file.as_bytes()).filter(|_| art::extension(file).is_some());
            if let Some(kept) = kept.get_mut(id.index()) {
                *kept |= number.is_some_and(|number| usize::try_from(number) == Ok(place));
            }
        }
    }
    let count = kept.iter().filter(|kept| **kept).count();
    if count > 0 {
        losses.preserved("images", format!("{count} pictures of tiles, by their numbers: they are those of the game"));
    }
    for ((id, image), _) in scene.images.iter().zip(kept).filter(|(_, kept)| !kept) {
        let text = match &image.source {
            ImageSource::External { path } => format!("reference to {path}"),
            _ => format!("embedded image of {:?}", image.name),
        };
        losses.dropped(format!("images[{}]", id.index()), text);
    }
}

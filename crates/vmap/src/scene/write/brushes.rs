//! Converts brushes to polygon meshes.

use mapwright_scene as scene;
use mapwright_scene::{Brush, Losses, Properties, Smoothing, Transform};

use super::materials::Materials;

/// Converts a brush to polygons with texture coordinates. Takes stored polygons, or intersects the planes.
pub(super) fn to_mesh(
    brush: &Brush,
    world: &Transform,
    materials: &Materials,
    path: &str,
    losses: &mut Losses,
) -> scene::Mesh {
    match brush.polygons() {
        Ok(polygons) => {
            for side in polygons.clipped_away() {
                losses.dropped(path, format!("side {side}: no part of the brush's surface"));
            }
            let mesh = brush.to_mesh(&polygons, world, |material| materials.texture_size(material));
            // The capabilities already report the properties of brushes as a loss.
            scene::Mesh { properties: Properties::new(), ..mesh }
        }
        Err(error) => {
            losses.dropped(path, format!("brush without a volume: {error}"));
            scene::Mesh { smoothing: Smoothing::Flat, ..scene::Mesh::default() }
        }
    }
}

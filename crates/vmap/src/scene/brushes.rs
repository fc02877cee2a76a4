//! Brushes → polygon meshes.

use mapwright_scene as scene;
use mapwright_scene::{Brush, Losses, Properties, Smoothing, Transform};

use super::shapes::Shapes;

/// The polygons of a brush, as the file stores them or where its planes meet, with texture coordinates.
pub(super) fn mesh(brush: &Brush, world: &Transform, shapes: &Shapes, path: &str, losses: &mut Losses) -> scene::Mesh {
    match brush.polygons() {
        Ok(polygons) => {
            for side in polygons.clipped_away() {
                losses.dropped(path, format!("side {side}, which is nowhere on the brush"));
            }
            let mesh = brush.to_mesh(&polygons, world, |material| shapes.texture_size(material));
            // They are among the losses that the capabilities give.
            scene::Mesh { properties: Properties::new(), ..mesh }
        }
        Err(error) => {
            losses.dropped(path, format!("a brush without a body: {error}"));
            scene::Mesh { smoothing: Smoothing::Flat, ..scene::Mesh::default() }
        }
    }
}

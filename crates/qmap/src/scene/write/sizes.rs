//! Sizes of textures in texels.

use mapwright_io::format_count;
use mapwright_scene::{Losses, MaterialId, Scene};

use crate::scene::textures::ASSUMED_SIZE;

/// Sizes of the textures of materials in texels.
pub(super) struct Sizes(Vec<[f64; 2]>);

impl Sizes {
    /// Looks up the sizes, and reports unknown sizes that are needed.
    pub(super) fn new(scene: &Scene, used: &[bool], losses: &mut Losses) -> Self {
        let mut sizes = Vec::with_capacity(used.len());
        let mut unknown = Vec::new();
        for ((id, material), &used) in scene.materials.iter().zip(used) {
            let known = material.texture_size.filter(|size| !size.contains(&0)).map(|size| size.map(f64::from));
            if used && known.is_none() {
                unknown.push(id.index());
            }
            sizes.push(known.unwrap_or([ASSUMED_SIZE; 2]));
        }
        if let Some(first) = unknown.first() {
            let text = format!(
                "texture coordinates: size of {} in texels unknown, assumed: {ASSUMED_SIZE} × {ASSUMED_SIZE}",
                format_count(unknown.len(), "texture")
            );
            losses.synthesized(format!("materials[{first}]"), text);
        }
        Self(sizes)
    }

    pub(super) fn texture_size(&self, material: Option<MaterialId>) -> [f64; 2] {
        material.and_then(|id| self.0.get(id.index()).copied()).unwrap_or([ASSUMED_SIZE; 2])
    }
}

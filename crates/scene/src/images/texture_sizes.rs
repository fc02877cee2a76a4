//! Sizes of textures in texels.

use mapwright_io::format_count;

use super::image_size;
use crate::{ImageSource, Losses, Material, MaterialId, Scene, TextureUsage};

/// Assumed size of a texture of unknown size in texels. Most textures of the games have this size.
const ASSUMED: [f64; 2] = [64.0; 2];

/// Sizes of the textures of materials in texels.
#[derive(Debug, Clone)]
pub struct TextureSizes(Vec<[f64; 2]>);

impl TextureSizes {
    /// Looks up the sizes, and reports unknown sizes of materials that are `used`. `used` has an item for each material of the scene.
    pub fn new(scene: &Scene, used: &[bool], losses: &mut Losses) -> Self {
        let mut sizes = Vec::with_capacity(used.len());
        let mut unknown = Vec::new();
        for ((id, material), &used) in scene.materials.iter().zip(used) {
            let known = texture_size(scene, material).map(|size| size.map(f64::from));
            if used && known.is_none() {
                unknown.push(id.index());
            }
            sizes.push(known.unwrap_or(ASSUMED));
        }
        if let Some(first) = unknown.first() {
            let [width, height] = ASSUMED;
            let text = format!(
                "texture coordinates: size of {} in texels unknown, assumed: {width} × {height}",
                format_count(unknown.len(), "texture")
            );
            losses.synthesized(format!("materials[{first}]"), text);
        }
        Self(sizes)
    }

    /// Returns the width and height of the texture of a material. Returns the assumed size if it is unknown.
    pub fn texture_size(&self, material: Option<MaterialId>) -> [f64; 2] {
        material.and_then(|id| self.0.get(id.index()).copied()).unwrap_or(ASSUMED)
    }
}

/// Returns the size of the main texture of a material: as stored in the material, or else the size of its image.
fn texture_size(scene: &Scene, material: &Material) -> Option<[u32; 2]> {
    let from_image = || {
        let slot = material.texture(&TextureUsage::BaseColor)?;
        match &scene.images.get(slot.image)?.source {
            ImageSource::Pixels(pixels) => Some([pixels.width, pixels.height]),
            ImageSource::Encoded { data, .. } => image_size(data, false),
            ImageSource::External { .. } => None,
        }
    };
    material.texture_size.or_else(from_image).filter(|size| !size.contains(&0))
}

//! Rules about materials, images and lights that reading and writing share.

use mapwright_scene::{ClassicMaterial, Image, ImageSource, PixelFormat, TextureUsage};

/// The material `default`.
pub(super) const DEFAULT: &str = "default";
/// The material that makes faces holes in files of 1.1.10 and before.
pub(super) const HOLE: &str = "_hole_";
/// Constant term of the attenuation of lights. It is not in files.
pub(super) const CONSTANT_ATTENUATION: f64 = 0.8;

/// The map types that have a usage of their own.
pub(super) const USAGES: [(&str, TextureUsage); 8] = [
    ("diffuse", TextureUsage::BaseColor),
    ("normal", TextureUsage::Normal),
    ("bump", TextureUsage::Bump),
    ("metallic", TextureUsage::Metallic),
    ("roughness", TextureUsage::Roughness),
    ("occlusion", TextureUsage::Occlusion),
    ("emission", TextureUsage::Emission),
    ("gloss", TextureUsage::Gloss),
];

/// Returns the classic terms that Wings 2.2 and later write for older programs.
pub(super) fn legacy_terms(diffuse: [f64; 4], metallic: f64, roughness: f64) -> ClassicMaterial {
    let [r, g, b, _] = diffuse.map(|channel| metallic * channel + (1.0 - metallic) * 0.1);
    ClassicMaterial { ambient: [0.0; 4], specular: [r, g, b, 1.0], shininess: 1.0 - roughness }
}

/// Returns `true` if an image has an alpha channel.
pub(super) fn has_alpha(image: &Image) -> bool {
    use PixelFormat as F;
    matches!(&image.source, ImageSource::Pixels(pixels) if matches!(pixels.format, F::A8 | F::La8 | F::Rgba8))
}

/// Reverses the order of rows: Wings stores the bottom row first, scenes the top row.
pub(super) fn flip_rows(data: &[u8], width: u32, format: PixelFormat) -> Vec<u8> {
    let row = usize::try_from(width).unwrap_or(usize::MAX).saturating_mul(format.channels()).max(1);
    data.rchunks(row).flatten().copied().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Source: "Keys" of materials, types of maps.
    #[test]
    fn maps_have_the_published_types() {
        let published = [
            ("diffuse", TextureUsage::BaseColor),
            ("normal", TextureUsage::Normal),
            ("bump", TextureUsage::Bump),
            ("metallic", TextureUsage::Metallic),
            ("roughness", TextureUsage::Roughness),
            ("occlusion", TextureUsage::Occlusion),
            ("emission", TextureUsage::Emission),
            ("gloss", TextureUsage::Gloss),
        ];
        assert_eq!(USAGES, published);
    }
}

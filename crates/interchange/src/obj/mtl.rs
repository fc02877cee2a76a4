//! Shared parts of the MTL reader and writer.

use mapwright_scene::{ClassicMaterial, Material, TextureUsage};

/// The statement of each texture usage, as written. Readers ignore case.
pub(super) const TEXTURES: [(&str, TextureUsage); 8] = [
    ("map_Kd", TextureUsage::BaseColor),
    ("map_Ke", TextureUsage::Emission),
    ("map_Pr", TextureUsage::Roughness),
    ("map_Pm", TextureUsage::Metallic),
    ("map_Ns", TextureUsage::Gloss),
    ("map_d", TextureUsage::Opacity),
    ("norm", TextureUsage::Normal),
    ("map_Bump", TextureUsage::Bump),
];

/// Names after `usemtl` for faces without a material. The first one is written.
pub(super) const NO_MATERIAL: [&str; 4] = ["none", "None", "(null)", ""];

/// The first line of written files.
pub(super) const HEADER: &str = "# Exported by mapwright";

/// Factor of `Ns`: hundredths of shininess, as in Wings 3D.
pub(super) const NS: f64 = 100.0;

/// Derives the classic terms of a physical material by the rule of Wings 3D. They are written for materials without classic
/// terms, and ignored when they are read.
pub(super) fn derived(material: &Material) -> ClassicMaterial {
    let [r, g, b, _] = material.base_color;
    let metal = material.metallic;
    let [r, g, b] = [r, g, b].map(|c| metal * c + (1.0 - metal) * 0.1);
    ClassicMaterial { ambient: [0.0, 0.0, 0.0, 1.0], specular: [r, g, b, 1.0], shininess: 1.0 - material.roughness }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Source: MTL material format, texture map statements, with the physically based extension (`map_Pr`, `map_Pm`, `norm`).
    #[test]
    fn statements_have_the_published_usages() {
        let published = [
            ("map_Kd", TextureUsage::BaseColor),
            ("map_Ke", TextureUsage::Emission),
            ("map_Pr", TextureUsage::Roughness),
            ("map_Pm", TextureUsage::Metallic),
            ("map_Ns", TextureUsage::Gloss),
            ("map_d", TextureUsage::Opacity),
            ("norm", TextureUsage::Normal),
            ("map_Bump", TextureUsage::Bump),
        ];
        assert_eq!(TEXTURES, published);
    }
}

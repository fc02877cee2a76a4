//! Skins and textures → materials and images.

use std::collections::HashMap;

use mapwright_io::escape_bytes;
use mapwright_scene::{
    AlphaMode, ClassicMaterial, Image, ImageSource, Import, Material, MaterialId, PixelFormat, Pixels, TextureSlot,
    TextureUsage,
};

use super::{ImportOptions, Transparency};
use crate::skin::resolve;
use crate::{ReadError, Skin, SkinContent, SkinMaterial};

/// Adds a material for each skin that is used. Returns the materials by the index of the skin.
pub(super) fn add_skins(
    import: &mut Import,
    skins: &[Skin],
    is_used: &[bool],
    options: &ImportOptions,
) -> Vec<Option<MaterialId>> {
    let mut materials = Vec::with_capacity(skins.len());
    // Several skins may show the image of one.
    let mut shared = HashMap::new();
    for (index, (skin, is_used)) in skins.iter().zip(is_used).enumerate() {
        let path = format!("skins[{index}]");
        if !is_used {
            import.losses.dropped(path, "skin that no triangle uses: a second texture or an alternative");
            materials.push(None);
            continue;
        }
        if !skin.effect.is_empty() {
            import.losses.dropped(format!("{path}.effect"), "effect of a shader");
        }
        let source = u32::try_from(index).ok().and_then(|index| resolve(skins, index)).unwrap_or(skin);
        materials.push(Some(add_skin(import, skin, source, &path, options, &mut shared)));
    }
    materials
}

/// Adds the material of a skin with the image of `source`. `shared` contains the materials with images that were added.
fn add_skin(
    import: &mut Import,
    skin: &Skin,
    source: &Skin,
    path: &str,
    options: &ImportOptions,
    shared: &mut HashMap<*const Skin, Material>,
) -> MaterialId {
    let mut name = escape_bytes(skin.name.text());
    if name.is_empty() {
        name = match &source.content {
            SkinContent::External(file) => escape_bytes(file),
            _ => path.to_owned(),
        };
    }
    let known =
        shared.entry(source).or_insert_with(|| show_image(import, Material::new(&*name), source, path, options));
    let mut material = Material { name, ..known.clone() };
    if let Some(values) = &skin.material {
        apply_values(&mut material, values);
    }
    import.scene.materials.push(material)
}

/// Adds the image of a skin to the scene and to a material.
fn show_image(
    import: &mut Import,
    mut material: Material,
    skin: &Skin,
    path: &str,
    options: &ImportOptions,
) -> Material {
    match &skin.content {
        SkinContent::External(file) => {
            let path = escape_bytes(file);
            let image = Image { name: path.clone(), source: ImageSource::External { path } };
            let image = import.scene.images.push(image);
            material.textures.push(TextureSlot::new(TextureUsage::BaseColor, image));
            // The image is in another file, so only the flags of the entity count.
            material.alpha = match options.transparency {
                Transparency::Overlay => AlphaMode::Mask(0.5),
                other => other.alpha_mode(u8::MAX),
            };
        }
        _ => match skin.image(options.palette.as_ref()) {
            Ok(Some(image)) => add_image(import, &mut material, image, options.transparency),
            Ok(None) => {}
            Err(error) => report_image(import, path, &error),
        },
    }
    material
}

fn report_image(import: &mut Import, path: &str, error: &ReadError) {
    import.losses.dropped(path, format!("image: {error}"));
}

/// Adds the pixels of an image as the base colour of a material.
fn add_image(import: &mut Import, material: &mut Material, mut image: crate::Image, transparency: Transparency) {
    if transparency == Transparency::Overlay {
        image.hide_black();
    }
    material.alpha = transparency.alpha_mode(image.lowest_opacity());
    material.texture_size = Some(image.size);
    let [width, height] = image.size;
    let pixels = Pixels { width, height, format: PixelFormat::Rgba8, data: image.rgba };
    let image = Image { name: material.name.clone(), source: ImageSource::Pixels(pixels) };
    let image = import.scene.images.push(image);
    material.textures.push(TextureSlot::new(TextureUsage::BaseColor, image));
}

/// Applies the colours of a material.
fn apply_values(material: &mut Material, values: &SkinMaterial) {
    let color = |color: [f32; 4]| color.map(|number| f64::from(if number.is_finite() { number } else { 0.0 }));
    let [ambient, diffuse] = [values.ambient, values.diffuse].map(color);
    let is_black = |color: [f64; 4]| color.iter().take(3).all(|number| *number <= 0.0);
    // Some exporters store only the ambient colour. Without it, the skin would be black.
    let [r, g, b, _] = if is_black(diffuse) { ambient } else { diffuse };
    let opacity = f64::from(values.opacity());
    let [r, g, b] = [r, g, b].map(|number| number.clamp(0.0, 1.0));
    material.base_color = [r, g, b, opacity];
    if opacity < 1.0 {
        material.alpha = AlphaMode::Blend;
    }
    let [r, g, b, _] = color(values.emissive);
    material.emissive = [r, g, b, 1.0];
    let power = if values.power.is_finite() { f64::from(values.power) } else { 0.0 };
    let shininess = (power / 128.0).clamp(0.0, 1.0);
    material.classic = Some(ClassicMaterial { ambient, specular: color(values.specular), shininess });
}

/// Adds the material of a texture.
pub(super) fn add_texture(
    import: &mut Import,
    texture: &crate::Texture<'_>,
    path: &str,
    options: &ImportOptions,
    palette: Option<&crate::Palette>,
) -> MaterialId {
    let mut material = Material::new(escape_bytes(texture.name.text()));
    match texture.image(palette) {
        Ok(image) => add_image(import, &mut material, image, options.transparency),
        Err(error) => report_image(import, path, &error),
    }
    import.scene.materials.push(material)
}

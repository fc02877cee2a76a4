//! Colours of materials.

use std::collections::HashMap;

use mapwright_scene::{AlphaMode, ColorSpace, ImageId, Material, MaterialId, Mesh, Scene, TextureUsage, VertexColors};

use crate::View;
use crate::appearance;
use crate::colors::{self, Color, opaque};

/// The colours of all materials.
#[derive(Debug)]
pub(crate) struct MaterialColors {
    materials: Vec<MaterialColor>,
    color_space: ColorSpace,
}

#[derive(Debug, Clone, Copy)]
struct MaterialColor {
    color: Color,
    /// `true` if vertex colours multiply the colour.
    multiplied: bool,
}

/// The colour of faces without a material.
const DEFAULT_COLOR: Color = opaque([0xC4, 0xC6, 0xCA]);
/// Maximum memory of a decoded texture in bytes.
const MAX_BYTES: usize = 256 << 20;

impl MaterialColors {
    pub(crate) fn new(scene: &Scene, view: View) -> Self {
        // Materials may share an image.
        let mut means = HashMap::new();
        let mut mean = |id: ImageId| {
            *means
                .entry(id)
                .or_insert_with(|| scene.images.get(id).and_then(|image| appearance::mean_color(image, MAX_BYTES)))
        };
        let materials = scene.materials.iter().map(|(_, material)| match view {
            View::Numbers => MaterialColor { color: opaque(color_of_name(material)), multiplied: false },
            _ => {
                let image = material.texture(&TextureUsage::BaseColor).and_then(|slot| mean(slot.image));
                let multiplied = material.vertex_colors == VertexColors::Multiply;
                MaterialColor { color: choose_color(scene.color_space, material, image), multiplied }
            }
        });
        Self { materials: materials.collect(), color_space: scene.color_space }
    }

    /// Returns the colour of a material.
    pub(crate) fn material_color(&self, material: Option<MaterialId>) -> Color {
        self.get(material).map_or(DEFAULT_COLOR, |material| material.color)
    }

    /// Returns the colour of a face of a mesh.
    pub(crate) fn face_color(&self, mesh: &Mesh, face: usize) -> Color {
        let material = self.get(mesh.face_material(face));
        let color = material.map_or(DEFAULT_COLOR, |material| material.color);
        if !material.is_some_and(|material| material.multiplied) {
            return color;
        }
        let corners = mesh.color_sets.first().zip(mesh.faces.corner_range(face));
        let Some(corners) = corners.and_then(|(set, range)| set.corners.get(range)) else { return color };
        let (mut sum, mut count) = ([0.0_f32; 4], 0.0);
        for corner in corners {
            let corner = corner.unwrap_or([1.0; 4]);
            sum.iter_mut().zip(corner).for_each(|(sum, part)| *sum += part);
            count += 1.0;
        }
        let [red, green, blue, _] = sum.map(|sum| f64::from(sum) / f64::max(count, 1.0));
        let light = self.color_space.to_srgb([red, green, blue]);
        let [red, green, blue, opacity] = color;
        let [red, green, blue] = multiply([red, green, blue], light);
        [red, green, blue, opacity]
    }

    fn get(&self, material: Option<MaterialId>) -> Option<&MaterialColor> {
        material.and_then(|id| self.materials.get(id.index()))
    }
}

/// Returns the colour of a material: its base colour times the mean of its texture. If it has neither, one that is generated from
/// its name.
fn choose_color(color_space: ColorSpace, material: &Material, mean: Option<[u8; 3]>) -> Color {
    let [red, green, blue, opacity] = material.base_color;
    let base = color_space.to_srgb([red, green, blue]);
    let is_white = [red, green, blue] == [1.0; 3];
    let solid = match mean {
        Some(mean) => multiply(mean, base),
        None if is_white && material.classic.is_none() => color_of_name(material),
        None => multiply([255; 3], base),
    };
    let [red, green, blue] = solid;
    let opacity = if material.alpha == AlphaMode::Blend { to_byte(opacity * 255.0) } else { 255 };
    [red, green, blue, opacity]
}

/// Generates a colour from the file name of a material, ignoring case.
fn color_of_name(material: &Material) -> [u8; 3] {
    colors::material(colors::hash_text(&colors::stem(&material.name).to_ascii_lowercase()))
}

fn multiply(color: [u8; 3], [red, green, blue]: [f64; 3]) -> [u8; 3] {
    let [r, g, b] = color.map(f64::from);
    [to_byte(r * red), to_byte(g * green), to_byte(b * blue)]
}

/// Rounds to a byte. NaN becomes 0.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
fn to_byte(value: f64) -> u8 {
    value.round().clamp(0.0, 255.0) as u8
}

#[cfg(test)]
mod tests {
    use super::*;
    use mapwright_scene::{ClassicMaterial, ColorSet, Image, ImageSource, PixelFormat, Pixels, TextureSlot};

    #[test]
    fn materials_have_their_colour_or_that_of_their_texture_or_name() {
        let mut scene = Scene::default();
        let classic = ClassicMaterial { ambient: [0.0; 4], specular: [0.0; 4], shininess: 0.0 };
        let white = Material { classic: Some(classic), ..Material::new("white") };
        let red = Material { base_color: [1.0, 0.0, 0.0, 0.5], alpha: AlphaMode::Blend, ..Material::new("red") };
        let data = vec![200, 100, 0, 255, 100, 100, 0, 255, 0, 0, 0, 0];
        let pixels = Pixels { width: 3, height: 1, format: PixelFormat::Rgba8, data };
        let image = scene.images.push(Image { name: String::new(), source: ImageSource::Pixels(pixels) });
        let slot = TextureSlot::new(TextureUsage::BaseColor, image);
        let brick = Material { textures: vec![slot], ..Material::new("brick") };
        for material in [white, red, brick, Material::new("a/Stone.vmat"), Material::new("stone")] {
            scene.materials.push(material);
        }
        let colors = MaterialColors::new(&scene, View::Level);
        let id = |place| Some(MaterialId::new(place));
        assert_eq!(colors.material_color(id(0)), [255; 4]);
        assert_eq!(colors.material_color(id(1)), [255, 0, 0, 128]);
        assert_eq!(colors.material_color(id(2)), [150, 100, 0, 255], "clear pixels do not count");
        assert_eq!(colors.material_color(id(3)), colors.material_color(id(4)));
        assert_eq!((colors.material_color(None), colors.material_color(id(5))), (DEFAULT_COLOR, DEFAULT_COLOR));
        let numbers = MaterialColors::new(&scene, View::Numbers);
        assert_ne!(numbers.material_color(id(0)), numbers.material_color(id(1)));
        assert_eq!(numbers.material_color(id(4)), colors.material_color(id(4)));
    }

    #[test]
    fn vertex_colours_count_if_the_material_uses_them() {
        let mut scene = Scene::default();
        let dark = Material { base_color: [0.0, 0.0, 1.0, 1.0], ..Material::new("dark") };
        let plain = scene.materials.push(dark.clone());
        let painted = scene.materials.push(Material { vertex_colors: VertexColors::Multiply, ..dark });
        let colors = vec![Some([0.5; 4]), Some([0.5; 4]), None, Some([1.0; 4]), Some([1.0; 4]), None];
        let mesh = Mesh {
            faces: [[0, 1, 2], [0, 1, 2]].into_iter().collect(),
            face_materials: vec![Some(painted), Some(plain)],
            color_sets: vec![ColorSet { name: String::new(), corners: colors }],
            ..Mesh::default()
        };
        let colors = MaterialColors::new(&scene, View::Level);
        assert_eq!(colors.face_color(&mesh, 0), [0, 0, 170, 255]);
        assert_eq!(colors.face_color(&mesh, 1), [0, 0, 255, 255]);
        assert_eq!(colors.face_color(&mesh, 2), DEFAULT_COLOR);
    }
}

//! Colours of materials.

use std::collections::HashMap;

use mapwright_scene::{AlphaMode, ColorSpace, ImageId, Material, MaterialId, Mesh, Scene, TextureUsage, VertexColors};

use crate::View;
use crate::colors::{self, Color, opaque};
use crate::look;

/// The colours of all materials.
#[derive(Debug)]
pub(crate) struct Paints {
    materials: Vec<Paint>,
    color_space: ColorSpace,
}

#[derive(Debug, Clone, Copy)]
struct Paint {
    color: Color,
    /// Whether colours of corners multiply it.
    multiplied: bool,
}

/// What has no material.
const PLAIN: Color = opaque([0xC4, 0xC6, 0xCA]);
/// The largest picture of a material, in bytes.
const MOST_BYTES: usize = 256 << 20;

impl Paints {
    pub(crate) fn new(scene: &Scene, view: View) -> Self {
        // Many materials may have one picture.
        let mut means = HashMap::new();
        let mut mean = |id: ImageId| {
            *means.entry(id).or_insert_with(|| scene.images.get(id).and_then(|image| look::mean(image, MOST_BYTES)))
        };
        let materials = scene.materials.iter().map(|(_, material)| match view {
            View::Numbers => Paint { color: opaque(named(material)), multiplied: false },
            _ => {
                let image = material.texture(&TextureUsage::BaseColor).and_then(|slot| mean(slot.image));
                let multiplied = material.vertex_colors == VertexColors::Multiply;
                Paint { color: color(scene.color_space, material, image), multiplied }
            }
        });
        Self { materials: materials.collect(), color_space: scene.color_space }
    }

    /// The colour of a face, by its material.
    pub(crate) fn of(&self, material: Option<MaterialId>) -> Color {
        self.get(material).map_or(PLAIN, |paint| paint.color)
    }

    /// The colour of a face of a mesh.
    pub(crate) fn of_face(&self, mesh: &Mesh, face: usize) -> Color {
        let paint = self.get(mesh.face_material(face));
        let color = paint.map_or(PLAIN, |paint| paint.color);
        if !paint.is_some_and(|paint| paint.multiplied) {
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

    fn get(&self, material: Option<MaterialId>) -> Option<&Paint> {
        material.and_then(|id| self.materials.get(id.index()))
    }
}

/// The colour that a material has, with the mean of its picture, or else one of its name.
fn color(color_space: ColorSpace, material: &Material, mean: Option<[u8; 3]>) -> Color {
    let [red, green, blue, opacity] = material.base_color;
    let base = color_space.to_srgb([red, green, blue]);
    let is_white = [red, green, blue] == [1.0; 3];
    let solid = match mean {
        Some(mean) => multiply(mean, base),
        None if is_white && material.classic.is_none() => named(material),
        None => multiply([255; 3], base),
    };
    let [red, green, blue] = solid;
    let opacity = if material.alpha == AlphaMode::Blend { byte(opacity * 255.0) } else { 255 };
    [red, green, blue, opacity]
}

/// The colour of a name: that of its file, if it is a path, in upper or lower case.
fn named(material: &Material) -> [u8; 3] {
    colors::material(colors::hash_text(&colors::stem(&material.name).to_ascii_lowercase()))
}

fn multiply(color: [u8; 3], [red, green, blue]: [f64; 3]) -> [u8; 3] {
    let [r, g, b] = color.map(f64::from);
    [byte(r * red), byte(g * green), byte(b * blue)]
}

/// What is no number is 0.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
fn byte(value: f64) -> u8 {
    value.round().clamp(0.0, 255.0) as u8
}

#[cfg(test)]
mod tests {
    use super::*;
    use mapwright_scene::{ClassicMaterial, ColorSet, Image, ImageSource, PixelFormat, Pixels, TextureSlot};

    #[test]
    fn materials_have_their_colour_that_of_their_picture_or_of_their_name() {
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
        let paints = Paints::new(&scene, View::Level);
        let id = |place| Some(MaterialId::new(place));
        assert_eq!(paints.of(id(0)), [255; 4]);
        assert_eq!(paints.of(id(1)), [255, 0, 0, 128]);
        assert_eq!(paints.of(id(2)), [150, 100, 0, 255], "what is clear has no say");
        assert_eq!(paints.of(id(3)), paints.of(id(4)));
        assert_eq!((paints.of(None), paints.of(id(5))), (PLAIN, PLAIN));
        let numbers = Paints::new(&scene, View::Numbers);
        assert_ne!(numbers.of(id(0)), numbers.of(id(1)));
        assert_eq!(numbers.of(id(4)), paints.of(id(4)));
    }

    #[test]
    fn colours_of_corners_count_where_the_material_says_so() {
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
        let paints = Paints::new(&scene, View::Level);
        assert_eq!(paints.of_face(&mesh, 0), [0, 0, 170, 255]);
        assert_eq!(paints.of_face(&mesh, 1), [0, 0, 255, 255]);
        assert_eq!(paints.of_face(&mesh, 2), PLAIN);
    }
}

//! Colours and textures of materials.

use mapwright_scene::{
    AlphaMode, ColorSpace, Material, MaterialId, Mesh, Scene, TextureProjection, TextureUsage, VertexColors, Wrap,
};

use super::surface::{CornerLook, Surface};
use super::textures::{TextureUse, Textures};
use crate::colors::{self, CLEAR, Color, opaque};
use crate::{RenderOptions, View};

/// The look of all materials.
#[derive(Debug)]
pub(crate) struct Materials {
    all: Vec<MaterialLook>,
    textures: Textures,
    color_space: ColorSpace,
}

#[derive(Debug, Clone, Copy)]
struct MaterialLook {
    /// The colour of faces without texture coordinates: the base colour times the mean of the texture.
    color: Color,
    /// `true` if vertex colours multiply it.
    multiplied: bool,
    texture: Option<Skin>,
    is_drawn: bool,
}

/// The texture of a material.
#[derive(Debug, Clone, Copy)]
struct Skin {
    /// The index of the texture.
    texture: usize,
    uv_set: usize,
    wrap: [Wrap; 2],
    mask: Option<u8>,
    /// The colour that the texture is multiplied by.
    base: Color,
    /// Width and height in texels, for faces with a texture projection.
    texels: [f64; 2],
}

/// The colour of faces without a material.
const DEFAULT_COLOR: Color = opaque([0xC4, 0xC6, 0xCA]);

impl Materials {
    pub(crate) fn new(scene: &Scene, options: &RenderOptions) -> Self {
        Self::new_where(scene, options, |_| true)
    }

    /// Decodes only the textures of those materials for which a function returns `true`. The others are not drawn.
    pub(crate) fn new_where(scene: &Scene, options: &RenderOptions, is_used: impl Fn(MaterialId) -> bool) -> Self {
        let mut textures = Textures::default();
        let all = scene.materials.iter().map(|(id, material)| {
            let is_drawn = is_used(id) && (options.tools || !material.is_tool);
            let flat = |color| MaterialLook { color, multiplied: false, texture: None, is_drawn };
            match options.view {
                _ if !is_drawn => flat(CLEAR),
                View::Numbers => flat(opaque(color_of_name(material))),
                _ => MaterialLook::new(scene, material, &mut textures),
            }
        });
        Self { all: all.collect(), textures, color_space: scene.color_space }
    }

    /// Returns the number of textures that are missing, unreadable or beyond the limits.
    pub(crate) fn count_unreadable(&self) -> usize {
        self.textures.unreadable.len()
    }

    /// Returns `true` if faces with the material are drawn.
    pub(crate) fn is_drawn(&self, material: Option<MaterialId>) -> bool {
        self.get(material).is_none_or(|material| material.is_drawn)
    }

    /// Returns the surface of a side of a brush, and adds the look of its corners. Positions are those of the corners in the space of
    /// the projection.
    pub(crate) fn side_surface(
        &self,
        material: Option<MaterialId>,
        projection: &TextureProjection,
        positions: impl Iterator<Item = [f64; 3]>,
        looks: &mut Vec<CornerLook>,
    ) -> Surface<'_> {
        let Some(material) = self.get(material) else { return Surface { color: DEFAULT_COLOR, texture: None } };
        let Some(skin) = material.texture else { return Surface { color: material.color, texture: None } };
        let [width, height] = skin.texels;
        looks.extend(positions.map(|position| {
            let [x, y] = projection.texel(position);
            CornerLook { uv: [x / width, y / height], tint: [1.0; 3], normal: None }
        }));
        if looks.iter().flat_map(|look| look.uv).all(f64::is_finite) {
            return Surface { color: skin.base, texture: self.texture(&skin) };
        }
        looks.clear();
        Surface { color: material.color, texture: None }
    }

    /// Returns the surface of a face of a mesh, and adds the look of its corners if they differ. `normals` are the projected normals
    /// of the corners; empty for a flat face.
    pub(crate) fn face_surface(
        &self,
        mesh: &Mesh,
        face: usize,
        normals: impl Iterator<Item = [f64; 3]>,
        looks: &mut Vec<CornerLook>,
    ) -> Surface<'_> {
        let corners = mesh.faces.corner_range(face).unwrap_or_default();
        let material = self.get(mesh.face_material(face));
        let white = CornerLook { uv: [0.0; 2], tint: [1.0; 3], normal: None };
        looks.extend(normals.map(|normal| CornerLook { normal: Some(normal), ..white }));
        if looks.len() != corners.len() {
            looks.clear();
        }
        let mut surface = Surface { color: material.map_or(DEFAULT_COLOR, |material| material.color), texture: None };
        let Some(material) = material else { return surface };
        if let Some(skin) = material.texture
            && let Some(set) = mesh.uv_sets.get(skin.uv_set)
            && corners
                .clone()
                .all(|corner| set.top_left(corner).is_some_and(|uv| uv.iter().all(|part| part.is_finite())))
        {
            looks.resize(corners.len(), white);
            for (look, corner) in looks.iter_mut().zip(corners.clone()) {
                look.uv = set.top_left(corner).unwrap_or_default();
            }
            surface = Surface { color: skin.base, texture: self.texture(&skin) };
        }
        let colors = mesh.color_sets.first().filter(|_| material.multiplied);
        if let Some(set) = colors {
            looks.resize(corners.len(), white);
            for (look, color) in looks.iter_mut().zip(set.corners.range(corners)) {
                let [red, green, blue, _] = color.unwrap_or([1.0; 4]).map(f64::from);
                look.tint = self.color_space.to_srgb([red, green, blue]);
            }
        }
        surface
    }

    /// Returns the surface of faces with texture coordinates. `None` for a material without a texture.
    pub(crate) fn textured_surface(&self, material: Option<MaterialId>) -> Option<Surface<'_>> {
        let skin = self.get(material)?.texture?;
        Some(Surface { color: skin.base, texture: Some(self.texture(&skin)?) })
    }

    fn texture(&self, skin: &Skin) -> Option<TextureUse<'_>> {
        let texture = self.textures.get(skin.texture)?;
        Some(TextureUse { texture, wrap: skin.wrap, mask: skin.mask })
    }

    fn get(&self, material: Option<MaterialId>) -> Option<&MaterialLook> {
        material.and_then(|id| self.all.get(id.index()))
    }
}

impl MaterialLook {
    /// Decodes the texture of a material. A material without a colour and a texture has one that is generated from its name.
    fn new(scene: &Scene, material: &Material, textures: &mut Textures) -> Self {
        let slot = material.texture(&TextureUsage::BaseColor);
        let decoded = slot.map(|slot| textures.decode(scene, slot.image, material.alpha)).unwrap_or_default();
        let [red, green, blue, opacity_factor] = material.base_color;
        let base = scene.color_space.to_srgb([red, green, blue]);
        let is_white = [red, green, blue] == [1.0; 3];
        let color = match decoded.mean {
            Some(mean) => multiply(mean, base),
            None if is_white && material.classic.is_none() => color_of_name(material),
            None => multiply([255; 3], base),
        };
        let opacity = if material.alpha == AlphaMode::Blend { to_byte(opacity_factor * 255.0) } else { 255 };
        let with_opacity = |[red, green, blue]: [u8; 3]| [red, green, blue, opacity];
        let size = decoded.texture.and_then(|texture| Some(textures.get(texture)?.size()));
        let texture = slot.zip(decoded.texture).zip(size).map(|((slot, texture), size)| Skin {
            texture,
            uv_set: slot.uv_set,
            wrap: slot.wrap,
            // Pixels with opacity 0 have no colour and are never drawn. The opacity of the material scales that of the texture.
            mask: if let AlphaMode::Mask(cutoff) = material.alpha {
                Some(to_byte((cutoff / opacity_factor).min(1.0) * 255.0))
            } else {
                None
            },
            base: with_opacity(multiply([255; 3], base)),
            texels: material.texture_size.map_or(size, |size| size.map(f64::from)),
        });
        let multiplied = material.vertex_colors == VertexColors::Multiply;
        Self { color: with_opacity(color), multiplied, texture, is_drawn: true }
    }
}

/// Generates a colour from the file name of a material, ignoring case.
fn color_of_name(material: &Material) -> [u8; 3] {
    colors::material(colors::hash_text(&colors::stem(&material.name).to_ascii_lowercase()))
}

/// Multiplies a colour by factors of 0 to 1.
pub(crate) fn multiply(color: [u8; 3], [red, green, blue]: [f64; 3]) -> [u8; 3] {
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
    use mapwright_scene::{
        ClassicMaterial, ColorSet, Image, ImageSource, PixelFormat, Pixels, TextureSlot, UvOrigin, UvSet,
    };

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
        let colors = |view| -> Vec<Color> {
            Materials::new(&scene, &RenderOptions::default().with_view(view))
                .all
                .iter()
                .map(|look| look.color)
                .collect()
        };
        let found = colors(View::Level);
        assert_eq!(found[..2], [[255; 4], [255, 0, 0, 128]]);
        assert_eq!(found[2], [150, 100, 0, 255], "clear pixels do not count");
        assert_eq!(found[3], found[4]);
        let numbers = colors(View::Numbers);
        assert_ne!(numbers[0], numbers[1]);
        assert_eq!(numbers[4], found[4]);
    }

    #[test]
    fn faces_have_a_texture_if_they_have_coordinates() {
        let mut scene = Scene::default();
        let pixels = Pixels { width: 4, height: 2, format: PixelFormat::L8, data: vec![90; 8] };
        let image = scene.images.push(Image { name: String::new(), source: ImageSource::Pixels(pixels) });
        let slot = TextureSlot { uv_set: 1, ..TextureSlot::new(TextureUsage::BaseColor, image) };
        let brick = Material { textures: vec![slot], ..Material::new("brick") };
        let brick = scene.materials.push(brick);
        let set = |corners| UvSet { origin: UvOrigin::LowerLeft, corners, ..UvSet::default() };
        let mapped = vec![Some([0.0, 0.0]), Some([1.0, 0.0]), Some([0.0, 1.0]), Some([0.0, 0.0]), None, Some([0.0; 2])];
        let mesh = Mesh {
            faces: [[0, 1, 2], [0, 1, 2], [0, 1, 2]].into_iter().collect(),
            face_materials: vec![Some(brick), Some(brick), None],
            uv_sets: vec![UvSet::default(), set(mapped.into_iter().collect())],
            ..Mesh::default()
        };
        let materials = Materials::new(&scene, &RenderOptions::default());
        let mut looks = Vec::new();
        let surface = materials.face_surface(&mesh, 0, std::iter::empty(), &mut looks);
        assert!(surface.texture.is_some() && surface.color == [255; 4]);
        assert_eq!(looks.iter().map(|look| look.uv).collect::<Vec<_>>(), [[0.0, 1.0], [1.0, 1.0], [0.0, 0.0]]);
        for (face, color) in [(1, [90, 90, 90, 255]), (2, DEFAULT_COLOR), (9, DEFAULT_COLOR)] {
            looks.clear();
            let surface = materials.face_surface(&mesh, face, std::iter::empty(), &mut looks);
            assert!(surface.texture.is_none() && looks.is_empty(), "{face}");
            assert_eq!(surface.color, color);
        }
        let projection = TextureProjection::on_base_axes([0.0, 1.0, 0.0]);
        looks.clear();
        let corner = [2.0, 0.0, 1.0];
        let surface = materials.side_surface(Some(brick), &projection, [corner].into_iter(), &mut looks);
        let [x, y] = projection.texel(corner);
        assert!(surface.texture.is_some() && looks[0].uv == [x / 4.0, y / 2.0]);
    }

    #[test]
    fn vertex_colours_count_if_the_material_uses_them() {
        let mut scene = Scene::default();
        let dark = Material { base_color: [0.0, 0.0, 1.0, 1.0], ..Material::new("dark") };
        let plain = scene.materials.push(dark.clone());
        let painted = scene.materials.push(Material { vertex_colors: VertexColors::Multiply, ..dark });
        let colors = vec![Some([0.5; 4]), Some([0.25; 4]), None, Some([1.0; 4]), Some([1.0; 4]), None];
        let mesh = Mesh {
            faces: [[0, 1, 2], [0, 1, 2]].into_iter().collect(),
            face_materials: vec![Some(painted), Some(plain)],
            color_sets: vec![ColorSet { name: String::new(), corners: colors.into_iter().collect() }],
            ..Mesh::default()
        };
        let materials = Materials::new(&scene, &RenderOptions::default());
        let mut looks = Vec::new();
        let normals = [[0.0, 0.0, 1.0]; 3];
        assert_eq!(materials.face_surface(&mesh, 0, normals.into_iter(), &mut looks).color, [0, 0, 255, 255]);
        assert_eq!(looks.iter().map(|look| look.tint[0]).collect::<Vec<_>>(), [0.5, 0.25, 1.0]);
        assert_eq!(looks[0].normal, Some(normals[0]));
        looks.clear();
        assert_eq!(materials.face_surface(&mesh, 1, std::iter::empty(), &mut looks).color, [0, 0, 255, 255]);
        assert!(looks.is_empty());
    }
}

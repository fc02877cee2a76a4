//! Textures of materials.

use std::collections::{HashMap, HashSet};

use mapwright_io::math;
use mapwright_scene::{AlphaMode, ImageId, Scene, Wrap};

use crate::appearance::{self, Bitmap};
use crate::colors::{CLEAR, Color};

/// A texture, and copies of it that are halved until one pixel is left. Colours are multiplied by their opacity.
#[derive(Debug)]
pub(crate) struct Texture {
    levels: Vec<Bitmap>,
}

/// The use of a texture by a material.
#[derive(Debug, Clone, Copy)]
pub(crate) struct TextureUse<'a> {
    pub(crate) texture: &'a Texture,
    /// Behaviour beyond the edges, along u and v.
    pub(crate) wrap: [Wrap; 2],
    /// Pixels with a lower opacity are not drawn. `None`: pixels have the opacity of the texture.
    pub(crate) mask: Option<u8>,
}

/// Maximum memory of a decoded image in bytes.
const MAX_IMAGE_BYTES: usize = 256 << 20;
/// Maximum number of pixels of all textures.
const MAX_PIXELS: usize = 64 << 20;
/// Maximum number of pixels of all images that are decoded. It bounds the time for files with many large images.
const MAX_DECODED_PIXELS: usize = 1 << 30;
/// Larger textures are halved until they have at most this width and height.
const MAX_SIDE: usize = 1024;

/// The images of a scene as materials use them.
#[derive(Debug, Default)]
pub(crate) struct Textures {
    all: Vec<Texture>,
    /// The images that were decoded, each with and without its opacity.
    known: HashMap<(ImageId, bool), Decoded>,
    /// Number of pixels of all textures.
    pixels: usize,
    /// Number of pixels of all images that were decoded.
    decoded_pixels: usize,
    /// The images that are missing, unreadable or beyond the limits.
    pub(crate) unreadable: HashSet<ImageId>,
}

/// A decoded image.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Decoded {
    /// The mean colour. `None` if the image is unreadable or completely clear.
    pub(crate) mean: Option<[u8; 3]>,
    /// The index of the texture. `None` if the image is unreadable or there is no memory left.
    pub(crate) texture: Option<usize>,
}

impl Textures {
    /// Decodes an image on the first call.
    pub(crate) fn decode(&mut self, scene: &Scene, id: ImageId, alpha: AlphaMode) -> Decoded {
        let is_opaque = alpha == AlphaMode::Opaque;
        if let Some(known) = self.known.get(&(id, is_opaque)) {
            return *known;
        }
        let left = (MAX_DECODED_PIXELS - self.decoded_pixels).saturating_mul(size_of::<Color>()).min(MAX_IMAGE_BYTES);
        let colors = scene.images.get(id).and_then(|image| appearance::decode_straight(image, left));
        if colors.is_none() {
            self.unreadable.insert(id);
        }
        let decoded = colors.map_or_else(Decoded::default, |(width, mut colors)| {
            self.decoded_pixels = self.decoded_pixels.saturating_add(colors.len()).min(MAX_DECODED_PIXELS);
            let mean = appearance::mean_color(&colors);
            colors.iter_mut().for_each(|color| match is_opaque {
                true => color[3] = 255,
                false => *color = appearance::premultiply(color),
            });
            Decoded { mean, texture: self.add(width, colors) }
        });
        self.known.insert((id, is_opaque), decoded);
        decoded
    }

    /// Adds a texture, and returns its index. Returns `None` if it exceeds the memory.
    fn add(&mut self, width: usize, colors: Vec<Color>) -> Option<usize> {
        let mut bitmap = Bitmap::new(width, colors, 0);
        while bitmap.dimensions().into_iter().any(|length| length > MAX_SIDE) {
            bitmap = bitmap.halved();
        }
        // All halved copies together have a third of its pixels, if its sides are not very different.
        let pixels = self.pixels + bitmap.pixels().len() * 2;
        if pixels > MAX_PIXELS {
            return None;
        }
        self.pixels = pixels;
        let mut levels = vec![bitmap];
        while let Some(smaller) = levels.last().filter(|last| last.pixels().len() > 1).map(Bitmap::halved) {
            levels.push(smaller);
        }
        self.all.push(Texture { levels });
        Some(self.all.len() - 1)
    }

    pub(crate) fn get(&self, texture: usize) -> Option<&Texture> {
        self.all.get(texture)
    }
}

impl Texture {
    /// Returns the width and height of the image in pixels.
    #[allow(clippy::cast_precision_loss)]
    pub(crate) fn size(&self) -> [f64; 2] {
        self.levels.first().map_or([1.0; 2], |largest| largest.size.map(|length| length as f64))
    }

    /// Returns the copy whose pixels are about as large as a sample. `steps` are the changes of u and v to the right and down.
    pub(crate) fn level(&self, steps: [[f64; 2]; 2]) -> Option<&Bitmap> {
        let [width, height] = self.levels.first().map_or([1; 2], Bitmap::dimensions);
        let [[u_right, u_down], [v_right, v_down]] = steps;
        #[allow(clippy::cast_precision_loss)]
        let [width, height] = [width as f64, height as f64];
        let across = math::hypot(u_right * width, v_right * height);
        let down = math::hypot(u_down * width, v_down * height);
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
        let level = math::log2(across.max(down)).max(0.0) as usize;
        self.levels.get(level).or(self.levels.last())
    }
}

impl TextureUse<'_> {
    /// Returns the colour of a level at texture coordinates.
    pub(crate) fn sample(&self, level: &Bitmap, [u, v]: [f64; 2]) -> Color {
        let [width, height] = level.dimensions();
        let [x, y] = [wrap(self.wrap[0], u, width), wrap(self.wrap[1], v, height)];
        level.pixels().get(y * width + x).copied().unwrap_or(CLEAR)
    }
}

/// Returns the pixel of a texture coordinate.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, clippy::cast_precision_loss)]
fn wrap(wrap: Wrap, position: f64, length: usize) -> usize {
    let position = match wrap {
        Wrap::Repeat => position - position.floor(),
        Wrap::Mirror => 1.0 - (position.rem_euclid(2.0) - 1.0).abs(),
        Wrap::Clamp => position,
    };
    ((position * length as f64) as usize).min(length.saturating_sub(1))
}

#[cfg(test)]
mod tests {
    use super::*;
    use mapwright_scene::{Image, ImageSource, PixelFormat, Pixels};

    #[test]
    fn coordinates_beyond_the_edges_follow_the_wrap_mode() {
        let pixels = |mode| [-0.3, 0.0, 0.9, 1.3, 2.6, f64::NAN].map(|position| wrap(mode, position, 4));
        assert_eq!(pixels(Wrap::Repeat), [2, 0, 3, 1, 2, 0]);
        assert_eq!(pixels(Wrap::Mirror), [1, 0, 3, 2, 2, 0]);
        assert_eq!(pixels(Wrap::Clamp), [0, 0, 3, 3, 3, 0]);
    }

    #[test]
    fn small_faces_use_halved_copies() {
        let mut scene = Scene::default();
        let data = [[255, 0, 0, 255], [0, 0, 255, 255], [0, 0, 255, 0], [255, 0, 0, 0]].concat();
        let pixels = Pixels { width: 2, height: 2, format: PixelFormat::Rgba8, data };
        let image = scene.images.push(Image { name: String::new(), source: ImageSource::Pixels(pixels) });
        let mut textures = Textures::default();
        let mut sample = |alpha, steps, uv| {
            let texture = textures.decode(&scene, image, alpha).texture.unwrap();
            let found = TextureUse { texture: textures.get(texture).unwrap(), wrap: [Wrap::Repeat; 2], mask: None };
            found.sample(found.texture.level(steps).unwrap(), uv)
        };
        assert_eq!(sample(AlphaMode::Opaque, [[0.25, 0.0], [0.0, 0.25]], [0.75, 0.25]), [0, 0, 255, 255]);
        assert_eq!(sample(AlphaMode::Opaque, [[1.0, 0.0], [0.0, 0.25]], [0.75, 0.25]), [128, 0, 128, 255]);
        assert_eq!(sample(AlphaMode::Blend, [[0.0; 2]; 2], [0.1, 0.9]), CLEAR);
        assert_eq!(textures.decode(&scene, image, AlphaMode::Opaque).mean, Some([128, 0, 128]));
        assert_eq!(textures.all.len(), 2);
    }
}

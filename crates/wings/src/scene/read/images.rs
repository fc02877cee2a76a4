//! Images.

use std::collections::HashMap;

use mapwright_etf::{List, Tree};
use mapwright_scene as scene;
use mapwright_scene::{ImageId, PixelFormat, Pixels};

use crate::ImageSource;
use crate::scene::imported::ImportedScene;
use crate::scene::materials::flip_rows;
use crate::scene::report::report_image_properties;

/// The images of a scene by their ids in the file. An id is any term.
#[derive(Debug, Default)]
pub(super) struct ImageIds(HashMap<Vec<u8>, ImageId>);

/// Reads the images.
pub(super) fn read_images(imported: &mut ImportedScene) -> ImageIds {
    let mut ids = ImageIds::default();
    for (index, image) in imported.model.images().iter().enumerate() {
        let path = format!("images[{index}]");
        report_image_properties(&image.props, &path, &mut imported.losses);
        let source = match image.source() {
            Some(ImageSource::External { path }) => scene::ImageSource::External { path },
            Some(ImageSource::Embedded { width, height, samples, mask_size, pixels }) => {
                match read_pixels(width, height, samples, mask_size, &pixels) {
                    Some(pixels) => scene::ImageSource::Pixels(pixels),
                    None => {
                        imported.losses.repaired(path, "image whose size contradicts its pixels, now one black pixel");
                        black_pixel()
                    }
                }
            }
            None => {
                imported.losses.repaired(path, "image without pixels and file name, now one black pixel");
                black_pixel()
            }
        };
        let id = imported.scene.images.push(scene::Image { name: image.name(), source });
        imported.images.push(index);
        ids.0.entry(image.id.as_bytes().to_vec()).or_insert(id);
    }
    ids
}

impl ImageIds {
    /// Returns the image with an id.
    pub(super) fn find(&self, id: &Tree) -> Option<ImageId> {
        self.0.get(id.as_bytes()).copied()
    }
}

/// Adds the image that a map contains instead of an id: a file name, or `{Width,Height,Bits}`.
pub(super) fn add_inline_image(term: &Tree, scene: &mut scene::Scene) -> Option<ImageId> {
    let root = term.root();
    let source = if let Some(path) = root.as_list().and_then(List::to_text) {
        scene::ImageSource::External { path }
    } else {
        let [width, height, bits] = root.as_tuple_of()?;
        let size = |term: mapwright_etf::Term<'_>| u32::try_from(term.as_i64()?).ok();
        scene::ImageSource::Pixels(read_pixels(size(width)?, size(height)?, 3, None, bits.as_binary()?)?)
    };
    Some(scene.images.push(scene::Image { name: String::new(), source }))
}

fn black_pixel() -> scene::ImageSource {
    scene::ImageSource::Pixels(Pixels { width: 1, height: 1, format: PixelFormat::Rgb8, data: vec![0; 3] })
}

/// Reads pixels. Returns `None` if their number contradicts the size.
fn read_pixels(width: u32, height: u32, samples: u8, mask_size: Option<u8>, data: &[u8]) -> Option<Pixels> {
    let format = match (samples, mask_size) {
        (1, Some(1)) => PixelFormat::A8,
        (1, _) => PixelFormat::L8,
        (2, _) => PixelFormat::La8,
        (3, _) => PixelFormat::Rgb8,
        (4, _) => PixelFormat::Rgba8,
        _ => return None,
    };
    let mut pixels = Pixels { width, height, format, data: Vec::new() };
    if width == 0 || height == 0 || pixels.byte_len() != Some(data.len()) {
        return None;
    }
    pixels.data = flip_rows(data, width, format);
    Some(pixels)
}

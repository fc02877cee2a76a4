//! Images: rows from the bottom up here, from the top down there.

use std::collections::{HashMap, HashSet};

use mapwright_etf::{List, Tree};
use mapwright_scene as scene;
use mapwright_scene::{ImageId, Losses, PixelFormat, Pixels};

use super::from::Writer;
use super::terms::{other_keys, report_unread};
use super::to::Reading;
use crate::{Image, ImageSource, PropList, WriteError};

/// The images of a file by their ids, which are any terms.
#[derive(Debug, Default)]
pub(super) struct ImageIds(HashMap<Vec<u8>, ImageId>);

/// Reads the images.
pub(super) fn read(reading: &mut Reading) -> ImageIds {
    let mut ids = ImageIds::default();
    for (index, image) in reading.model.images().iter().enumerate() {
        let path = format!("images[{index}]");
        report(&image.props, &path, &mut reading.losses);
        let source = match image.source() {
            Some(ImageSource::External { path }) => scene::ImageSource::External { path },
            Some(ImageSource::Embedded { width, height, samples, mask_size, pixels }) => {
                match from_bottom(width, height, samples, mask_size, &pixels) {
                    Some(pixels) => scene::ImageSource::Pixels(pixels),
                    None => {
                        reading.losses.repaired(path, "image whose size contradicts its pixels, now one black pixel");
                        black()
                    }
                }
            }
            None => {
                reading.losses.repaired(path, "image without a picture, now one black pixel");
                black()
            }
        };
        let id = reading.scene.images.push(scene::Image { name: image.name(), source });
        reading.images.push(index);
        ids.0.entry(image.id.as_bytes().to_vec()).or_insert(id);
    }
    ids
}

impl ImageIds {
    /// The image of an id.
    pub(super) fn find(&self, id: &Tree) -> Option<ImageId> {
        self.0.get(id.as_bytes()).copied()
    }

    /// The image that a map has in place of an id: a file name, or `{Width,Height,Bits}`.
    pub(super) fn inline(&self, term: &Tree, reading: &mut Reading) -> Option<ImageId> {
        let root = term.root();
        let source = if let Some(path) = root.as_list().and_then(List::to_text) {
            scene::ImageSource::External { path }
        } else {
            let [width, height, bits] = root.as_tuple_of()?;
            let size = |term: mapwright_etf::Term<'_>| u32::try_from(term.as_i64()?).ok();
            scene::ImageSource::Pixels(from_bottom(size(width)?, size(height)?, 3, None, bits.as_binary()?)?)
        };
        Some(reading.scene.images.push(scene::Image { name: String::new(), source }))
    }
}

/// What of an image is not in the scene.
fn report(props: &PropList, path: &str, losses: &mut Losses) {
    const READ: [&str; 7] = ["name", "filename", "width", "height", "samples_per_pixel", "mask_size", "pixels"];
    other_keys(props, &READ).report(path, "unknown properties", losses);
}

fn black() -> scene::ImageSource {
    scene::ImageSource::Pixels(Pixels { width: 1, height: 1, format: PixelFormat::Rgb8, data: vec![0; 3] })
}

/// Pixels whose size is right.
fn from_bottom(width: u32, height: u32, samples: u8, mask_size: Option<u8>, data: &[u8]) -> Option<Pixels> {
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
    pixels.data = flip(data, width, format);
    Some(pixels)
}

/// The rows in reverse.
fn flip(data: &[u8], width: u32, format: PixelFormat) -> Vec<u8> {
    let row = usize::try_from(width).unwrap_or(usize::MAX).saturating_mul(format.channels()).max(1);
    data.rchunks(row).flatten().copied().collect()
}

impl Writer<'_> {
    /// Writes the images: in place those that the document has, behind them the new ones.
    pub(super) fn images(&mut self) -> Result<(), WriteError> {
        let mut images = self.model.images();
        let before = images.clone();
        let mut next =
            images.iter().filter_map(|image| image.id.root().as_i64()).max().map_or(1, |id| id.saturating_add(1));
        let wanted = self.wanted_images();
        for (id, image) in self.scene.images.iter() {
            let base = self.base.and_then(|base| Some((base.images.get(id.index())?, base.scene.images.get(id)?)));
            let place = base.map(|(place, _)| *place);
            if let (Some((_, old)), Some(kept)) = (base, place.and_then(|place| images.get(place)))
                && old == image
            {
                self.image_ids.push(kept.id.root().as_i64());
                continue;
            }
            // A picture that stood in a material is written only where something asks for it again.
            let is_inline = self.base.is_some_and(|base| place.is_none() && base.scene.images.get(id) == Some(image));
            let path = format!("images[{}]", id.index());
            let source = match &image.source {
                _ if is_inline && !wanted.contains(&id) => None,
                scene::ImageSource::External { path } => Some(ImageSource::External { path: path.clone() }),
                scene::ImageSource::Pixels(pixels) => {
                    if pixels.format == PixelFormat::La8 {
                        self.losses.approximated(&path, "grey with opacity, as colours with opacity");
                    }
                    Some(to_bottom(pixels))
                }
                scene::ImageSource::Encoded { media_type, .. } => {
                    self.losses.dropped(&path, format!("picture as a file of type {media_type}, which is not decoded"));
                    None
                }
            };
            let Some(source) = source else {
                self.image_ids.push(None);
                continue;
            };
            let old_id = place.and_then(|place| images.get(place)).and_then(|image| image.id.root().as_i64());
            let number = old_id.unwrap_or(next);
            next = next.max(number.saturating_add(1));
            // Wings crashes when it looks for another name for a second image without one.
            if image.name.is_empty() {
                self.losses.synthesized(&path, "name of the image");
            }
            let name = if image.name.is_empty() { "image" } else { &image.name };
            let written = Image::new(number, name, &source)?;
            match place.and_then(|place| images.get_mut(place)) {
                Some(place) => {
                    report(&place.props, &path, &mut self.losses);
                    *place = written;
                }
                None => images.push(written),
            }
            self.image_ids.push(Some(number));
        }
        // A scene with fewer images than the document is another scene.
        let places = self.base.map_or(&[][..], |base| &base.images);
        for &place in places.iter().skip(self.scene.images.len()).rev() {
            if place < images.len() {
                images.remove(place);
            }
        }
        if images != before {
            report_unread(&self.model, "images", before.len(), &mut self.losses);
            self.model.set_images(&images)?;
        }
        Ok(())
    }

    /// The images of materials whose maps are written anew.
    fn wanted_images(&self) -> HashSet<ImageId> {
        let changed = self.scene.materials.iter().filter(|(id, material)| {
            let old = self.base.and_then(|base| base.scene.materials.get(*id));
            old.is_none_or(|old| old.textures != material.textures)
        });
        changed.flat_map(|(_, material)| &material.textures).map(|slot| slot.image).collect()
    }

    /// The number of an image in the file.
    pub(super) fn image_id(&self, image: ImageId) -> Option<i64> {
        self.image_ids.get(image.index()).copied().flatten()
    }
}

fn to_bottom(pixels: &Pixels) -> ImageSource {
    let (samples, mask_size, data) = match pixels.format {
        PixelFormat::L8 => (1, 0, None),
        PixelFormat::A8 => (1, 1, None),
        PixelFormat::Rgb8 => (3, 0, None),
        PixelFormat::Rgba8 => (4, 1, None),
        // Wings takes grey with opacity and then shows nothing.
        PixelFormat::La8 => {
            let spread = pixels.data.chunks_exact(2).flat_map(|pixel| match pixel {
                &[grey, alpha] => [grey, grey, grey, alpha],
                _ => [0; 4],
            });
            (4, 1, Some(spread.collect::<Vec<u8>>()))
        }
    };
    let format = if data.is_some() { PixelFormat::Rgba8 } else { pixels.format };
    let pixels_up = flip(data.as_deref().unwrap_or(&pixels.data), pixels.width, format);
    ImageSource::Embedded {
        width: pixels.width,
        height: pixels.height,
        samples,
        mask_size: Some(mask_size),
        pixels: pixels_up,
    }
}

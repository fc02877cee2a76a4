//! Textures and their images.

use std::{borrow::Cow, collections::BTreeMap};

use mapwright_scene::{
    FileError, FileKind, Image, ImageId, ImageSource, PixelFormat, Pixels, SideFile, Wrap,
    images::{self, CheckedImage, JPEG_MEDIA_TYPE, PNG_MEDIA_TYPE},
};

use super::{Writer, push};
use crate::gltf::buffer::Block;
use crate::{
    Error,
    error::malformed,
    gltf::{
        Container,
        json::{self, BufferView, Extras, ImageNote, Json, Sampler, Texture, codes},
    },
};

/// An image of the document.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum OutputImage {
    /// An image of the scene.
    Image(ImageId),
    /// Roughness in green and metalness in blue, merged from two images.
    Merged { metallic: Option<ImageId>, roughness: Option<ImageId> },
}

/// Images and textures that are already written.
#[derive(Default)]
pub(super) struct WrittenTextures {
    images: BTreeMap<OutputImage, Option<u32>>,
    textures: BTreeMap<(u32, Option<u32>), u32>,
}

/// The content of an image file.
pub(super) enum FileContent<'a> {
    File(Cow<'a, [u8]>),
    /// Pixels to encode as PNG.
    Pixels(&'a Pixels),
}

impl<'a> FileContent<'a> {
    pub(super) fn pixels(&self) -> Option<&'a Pixels> {
        match self {
            Self::File(_) => None,
            Self::Pixels(pixels) => Some(pixels),
        }
    }
}

/// An image as it can be stored.
enum Stored<'a> {
    File { content: FileContent<'a>, media_type: &'static str, pixels: bool },
    Elsewhere { uri: String },
}

impl<'a> From<CheckedImage<'a>> for Stored<'a> {
    fn from(CheckedImage { data, media_type }: CheckedImage<'a>) -> Self {
        Self::File { content: FileContent::File(data), media_type, pixels: false }
    }
}

impl<'a> Writer<'a> {
    /// Returns the index of a texture. Returns `None` and reports a loss if its image cannot be stored.
    pub(super) fn texture(&mut self, image: OutputImage, wrap: [Wrap; 2], path: &str) -> Option<u32> {
        let source = self.source(image, path)?;
        let sampler = self.sampler(wrap);
        if let Some(&known) = self.written.textures.get(&(source, sampler)) {
            return Some(known);
        }
        let index = push(&mut self.root.textures, Texture { sampler, source: Some(source), ..Texture::default() });
        self.written.textures.insert((source, sampler), index);
        Some(index)
    }

    /// Returns the index of an image. Writes the image when it is first used.
    pub(super) fn source(&mut self, image: OutputImage, path: &str) -> Option<u32> {
        if let Some(&known) = self.written.images.get(&image) {
            return known;
        }
        let written = self.write_image(image, path);
        self.written.images.insert(image, written);
        written
    }

    fn sampler(&mut self, wrap: [Wrap; 2]) -> Option<u32> {
        let [wrap_s, wrap_t] = wrap.map(|wrap| match wrap {
            Wrap::Repeat => None,
            Wrap::Mirror => Some(codes::MIRRORED_REPEAT),
            Wrap::Clamp => Some(codes::CLAMP_TO_EDGE),
        });
        let sampler = Sampler { wrap_s, wrap_t, ..Sampler::default() };
        if sampler == Sampler::default() {
            return None;
        }
        let known = self.root.samplers.iter().position(|known| *known == sampler);
        let known = known.and_then(|index| u32::try_from(index).ok());
        Some(known.unwrap_or_else(|| push(&mut self.root.samplers, sampler)))
    }

    fn write_image(&mut self, image: OutputImage, path: &str) -> Option<u32> {
        let images = self.images;
        match image {
            OutputImage::Image(id) => {
                let image = images.get(id)?;
                let stored = self.stored(id, image)?;
                Some(self.image(&image.name, stored))
            }
            OutputImage::Merged { metallic, roughness } => {
                let mut channel = |id: Option<ImageId>| match id.and_then(|id| images.get(id)) {
                    None => Some(None),
                    Some(image) => match self.pixels(image, path) {
                        Ok(pixels) => Some(Some(pixels)),
                        Err(reason) => {
                            self.losses.dropped(path, format!("image {:?}: {reason}", image.name));
                            None
                        }
                    },
                };
                let (metallic, roughness) = (channel(metallic)?, channel(roughness)?);
                let data = images::encode_png(&merge(metallic.as_deref(), roughness.as_deref())?)?;
                let content = FileContent::File(data.into());
                let stored = Stored::File { content, media_type: PNG_MEDIA_TYPE, pixels: true };
                Some(self.image("metallic-roughness", stored))
            }
        }
    }

    /// Returns how to store an image of the scene. Returns `None` and reports a loss if it cannot be stored.
    fn stored(&mut self, id: ImageId, image: &'a Image) -> Option<Stored<'a>> {
        let path = &format!("images[{}]", id.index());
        match &image.source {
            ImageSource::Pixels(pixels) => {
                if pixels.format == PixelFormat::A8 {
                    self.losses.approximated(path, "opacity-only image stored as white with opacity");
                }
                Some(Stored::File { content: FileContent::Pixels(pixels), media_type: PNG_MEDIA_TYPE, pixels: true })
            }
            ImageSource::Encoded { media_type, data } => {
                match self.image_budget.check(data, "", path, &mut self.losses) {
                    Ok(checked) => Some(checked.into()),
                    Err(reason) => {
                        self.losses.dropped(path, format!("image {:?} of type {media_type}: {reason}", image.name));
                        None
                    }
                }
            }
            ImageSource::External { path: file } => self.external(file, path),
        }
    }

    fn external(&mut self, file: &str, path: &str) -> Option<Stored<'a>> {
        let reason = match self.files.load(file, FileKind::Image) {
            Ok(data) => match self.image_budget.check(data, file, path, &mut self.losses) {
                Ok(checked) => {
                    self.losses.approximated(path, format!("image {file:?} embedded"));
                    return Some(checked.into());
                }
                Err(reason) => reason.to_owned(),
            },
            Err(error) => {
                if let Some(name) = self.reference(file, error) {
                    if name != file.replace('\\', "/") {
                        self.losses
                            .approximated(path, format!("path {file:?}: only the file name is preserved ({error})"));
                    }
                    return Some(Stored::Elsewhere { uri: crate::uri::encode(&name) });
                }
                error.to_string()
            }
        };
        self.losses.dropped(path, format!("image {file:?}: {reason}"));
        None
    }

    /// Returns the reference to an image file that was not loaded, if the document can have one. References never lead out of
    /// the folder of the document, so that other programs do not follow them either: only the file name is written then.
    fn reference(&self, file: &str, error: FileError) -> Option<String> {
        let name = file.replace('\\', "/");
        if self.options.container != Container::Gltf || !has_image_extension(&name) {
            return None;
        }
        let leads_out = name.starts_with('/') || name.contains(':') || name.split('/').any(|part| part == "..");
        let is_refused = !matches!(error, FileError::NotFound | FileError::Disabled);
        if leads_out || is_refused { name.rsplit(['/', ':']).next().map(str::to_owned) } else { Some(name) }
    }

    /// Returns the pixels of an image.
    ///
    /// # Errors
    /// The reason to report if it cannot be loaded or decoded.
    fn pixels<'i>(&mut self, image: &'i Image, path: &str) -> Result<Cow<'i, Pixels>, String> {
        let mut decode = |data: &[u8], name: &str| {
            self.image_budget.decode(data, name, path, &mut self.losses).map(Cow::Owned).map_err(str::to_owned)
        };
        match &image.source {
            ImageSource::Pixels(pixels) => Ok(Cow::Borrowed(pixels)),
            ImageSource::Encoded { data, .. } => decode(data, ""),
            ImageSource::External { path: file } => {
                decode(&self.files.load(file, FileKind::Image).map_err(|error| error.to_string())?, file)
            }
        }
    }

    fn image(&mut self, name: &str, stored: Stored<'a>) -> u32 {
        let mut image = json::Image { name: name.into(), ..json::Image::default() };
        match stored {
            Stored::Elsewhere { uri } => image.uri = Some(uri),
            Stored::File { content, media_type, pixels } => {
                image.extras = Extras::new(Json::Null, pixels.then_some(ImageNote { pixels }));
                let index = match self.options.container {
                    Container::Glb => {
                        image.mime_type = Some(media_type.into());
                        let view = push(&mut self.root.buffer_views, BufferView::default());
                        image.buffer_view = Some(view);
                        view
                    }
                    Container::Gltf => {
                        let extension = if media_type == JPEG_MEDIA_TYPE { "jpg" } else { "png" };
                        let name = format!("{}_{}.{extension}", self.options.name, self.root.images.len());
                        image.uri = Some(crate::uri::encode(&name));
                        push(&mut self.side, SideFile { name, data: Vec::new() })
                    }
                };
                self.image_files.push((index, content));
            }
        }
        push(&mut self.root.images, image)
    }

    /// Puts the image files to their places. `encoded` contains those of pixels, in order.
    pub(super) fn place_images(&mut self, encoded: Vec<Option<Vec<u8>>>) -> Result<(), Error> {
        let mut encoded = encoded.into_iter();
        for (index, content) in std::mem::take(&mut self.image_files) {
            let data = match content {
                FileContent::File(data) => data,
                FileContent::Pixels(_) => {
                    let file = encoded.next().flatten();
                    file.ok_or_else(|| malformed("images", "pixels that cannot be encoded as PNG"))?.into()
                }
            };
            let index = index as usize;
            match self.options.container {
                Container::Glb => {
                    let bytes = self.bin.push(Block::Bytes(data));
                    if let Some(view) = self.root.buffer_views.get_mut(index) {
                        (view.byte_offset, view.byte_length) = (bytes.start as u64, bytes.len() as u64);
                    }
                }
                Container::Gltf => {
                    if let Some(file) = self.side.get_mut(index) {
                        file.data = data.into_owned();
                    }
                }
            }
        }
        Ok(())
    }
}

/// Returns `true` if a file name has the extension of an image format that glTF allows.
fn has_image_extension(name: &str) -> bool {
    let extension = name.rsplit_once('.').map(|(_, extension)| extension.to_ascii_lowercase());
    matches!(extension.as_deref(), Some("png" | "jpg" | "jpeg"))
}

/// Merges two greyscale images into green and blue of one, as large as the larger one. A missing image is white.
fn merge(metallic: Option<&Pixels>, roughness: Option<&Pixels>) -> Option<Pixels> {
    let largest = |side: fn(&Pixels) -> u32| metallic.iter().chain(&roughness).map(|pixels| side(pixels)).max();
    let (width, height) = (largest(|pixels| pixels.width)?, largest(|pixels| pixels.height)?);
    let mut merged = Pixels { width, height, format: PixelFormat::Rgb8, data: Vec::new() };
    merged.data.reserve_exact(merged.byte_len()?);
    for y in 0..height {
        for x in 0..width {
            let grey = |pixels: Option<&Pixels>| pixels.map_or(255, |pixels| grey_at(pixels, [x, y], [width, height]));
            merged.data.extend([255, grey(roughness), grey(metallic)]);
        }
    }
    Some(merged)
}

/// Returns the first channel of the pixel that covers a pixel of a larger image.
fn grey_at(pixels: &Pixels, [x, y]: [u32; 2], [width, height]: [u32; 2]) -> u8 {
    let scaled = |place: u32, own: u32, size: u32| u64::from(place) * u64::from(own) / u64::from(size.max(1));
    let (x, y) = (scaled(x, pixels.width, width), scaled(y, pixels.height, height));
    let place = (y * u64::from(pixels.width) + x) * pixels.format.channels() as u64;
    usize::try_from(place).ok().and_then(|place| pixels.data.get(place)).copied().unwrap_or(255)
}

//! Images of materials: look-up, settings beside them, and changes to their samples.

use mapwright_keyvalues::TextureSettings;
use mapwright_scene::images::{decode_image, undecoded_image_text};
use mapwright_scene::{ImageSource, Losses, PixelFormat, Pixels, Wrap};

use super::super::cache::image_memory;
use super::super::loader::TextureContext;
use super::super::read_log::ReadLog;
use crate::images;
use crate::names::extension;
use crate::roots::relative_path;
use crate::{ContentFile, ContentSource};

/// Formats that are not decoded.
const UNDECODABLE: [&str; 5] = ["psd", "exr", "pfm", "hdr", "rt"];
/// Extensions of images that replace a missing or undecodable one, the best first.
const STAND_INS: [&str; 4] = ["png", "tga", "jpg", "tif"];

/// An image of a material, and the changes that its use requires.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct ImageKey {
    /// The root and the path of the file.
    pub(super) file: (usize, String),
    /// `true` to invert the samples, for glossiness.
    pub(super) is_inverted: bool,
    /// `true` to invert the green channel, for normal maps.
    pub(super) is_green_inverted: bool,
    /// The root and the path of an image whose red channel becomes the opacity.
    pub(super) opacity: Option<(usize, String)>,
    /// `true` if there is only opacity: the first channel of the file.
    pub(super) is_opacity: bool,
}

/// A decoded image.
pub(super) struct Decoded {
    pub(super) source: ImageSource,
    pub(super) size: [u32; 2],
    pub(super) wrap: [Wrap; 2],
    pub(super) losses: Losses,
}

impl Decoded {
    /// Returns the memory that the image takes, in bytes.
    pub(super) fn memory(&self) -> usize {
        image_memory(&self.source)
    }
}

/// Returns the file of an image, and `true` if it stands in for the one with this path.
pub(super) fn find<'a>(path: &str, content: &'a ContentSource, log: &ReadLog) -> Option<(ContentFile<'a>, bool)> {
    let path = relative_path(path)?;
    let stem = path.rsplit_once('.').map_or(&*path, |(stem, _)| stem);
    let exact = content.find(&path);
    let kind = extension(&path);
    if kind == "vtex"
        && let Some(name) = exact.and_then(|file| first_image(&log.read(&file).ok()?))
        && let Some(file) = relative_path(&name).and_then(|name| content.find(&name))
    {
        return Some((file, false));
    }
    let is_decodable = kind != "vtex" && !UNDECODABLE.contains(&&*kind);
    let stand_in = || STAND_INS.iter().find_map(|it| content.find(&format!("{stem}.{it}")));
    match exact.filter(|_| is_decodable) {
        Some(file) => Some((file, false)),
        // A texture has no format of its own, so an image with its name is what it is made from.
        None => stand_in().map(|file| (file, kind != "vtex")).or(exact.map(|file| (file, false))),
    }
}

/// Returns the first image that a texture source names.
fn first_image(bytes: &[u8]) -> Option<String> {
    let document = mapwright_dmx::Document::from_bytes(bytes).ok()?;
    document.iter().find_map(|element| Some(String::from_utf8_lossy(element.text("m_fileName")?).into_owned()))
}

/// Reads an image. PNG and JPEG files stay encoded if nothing changes.
pub(super) fn decode(key: &ImageKey, context: &TextureContext<'_>, max_bytes: usize) -> Result<Decoded, String> {
    let mut losses = Losses::new();
    let (bytes, path) = read(&key.file, context)?;
    let kind = extension(&path);
    if UNDECODABLE.contains(&&*kind) || kind == "vtex" {
        let kind = kind.to_ascii_uppercase();
        return Err(format!(
            "{kind} is not supported: export it as TGA or PNG with the same name into the same folder"
        ));
    }
    let mut settings = settings(&key.file, context);
    settings.is_green_inverted ^= key.is_green_inverted;
    let wrap = settings.clamp.map(|clamp| if clamp { Wrap::Clamp } else { Wrap::Repeat });
    let is_plain = settings.keeps_samples() && !key.is_inverted && key.opacity.is_none() && !key.is_opacity;
    if is_plain {
        let (source, size) = images::read(bytes, &path, max_bytes, &mut losses)?;
        return Ok(Decoded { source, size, wrap, losses });
    }
    let mut pixels = decode_pixels(&bytes, &path, max_bytes, &mut losses)?;
    apply(&mut pixels, &settings, key.is_inverted);
    if key.is_opacity {
        pixels = Pixels { format: PixelFormat::A8, data: first_channel(&pixels), ..pixels };
    }
    if let Some(opacity) = &key.opacity {
        let (bytes, path) = read(opacity, context)?;
        // The result has four channels.
        let used = u64::from(pixels.width).saturating_mul(pixels.height.into()).saturating_mul(4);
        let used = usize::try_from(used).unwrap_or(usize::MAX).saturating_add(pixels.data.len());
        let mut mask = decode_pixels(&bytes, &path, max_bytes.saturating_sub(used), &mut losses)?;
        apply(&mut mask, &self::settings(opacity, context), false);
        pixels = with_opacity(&pixels, &mask);
    }
    let size = [pixels.width, pixels.height];
    Ok(Decoded { source: ImageSource::Pixels(pixels), size, wrap, losses })
}

fn read((root, path): &(usize, String), context: &TextureContext<'_>) -> Result<(Vec<u8>, String), String> {
    let file = context.content.find_in_root(*root, path).ok_or("no such file")?;
    Ok((context.read(&file).map_err(|error| error.to_string())?, file.path().to_owned()))
}

fn decode_pixels(bytes: &[u8], path: &str, max_bytes: usize, losses: &mut Losses) -> Result<Pixels, String> {
    let pixels = decode_image(bytes, path, max_bytes, path, losses);
    pixels.ok_or_else(|| undecoded_image_text(bytes, path, max_bytes))
}

/// Returns the settings in the file `.txt` beside an image.
fn settings((root, path): &(usize, String), context: &TextureContext<'_>) -> TextureSettings {
    let stem = path.rsplit_once('.').map_or(&**path, |(stem, _)| stem);
    let file = context.content.find_in_root(*root, &format!("{stem}.txt"));
    // Many of these files are empty.
    file.and_then(|file| TextureSettings::from_bytes(&context.read(&file).ok()?).ok()).unwrap_or_default()
}

/// Applies settings and inversion to all channels but the opacity.
fn apply(pixels: &mut Pixels, settings: &TextureSettings, is_inverted: bool) {
    if settings.keeps_samples() && !is_inverted {
        return;
    }
    let table = |is_inverted: bool| -> Vec<u8> {
        let sample = |sample: u8| {
            let value = settings.apply(f64::from(sample) / 255.0);
            let value = if is_inverted { 1.0 - value } else { value };
            #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "between 0 and 255")]
            {
                (value * 255.0).round() as u8
            }
        };
        (0..=u8::MAX).map(sample).collect()
    };
    let (plain, green) = (table(is_inverted), table(is_inverted != settings.is_green_inverted));
    let channels = pixels.format.channels();
    let has_opacity = matches!(pixels.format, PixelFormat::A8 | PixelFormat::La8 | PixelFormat::Rgba8);
    let colors = if has_opacity { channels.saturating_sub(1) } else { channels };
    for pixel in pixels.data.chunks_exact_mut(channels) {
        for (channel, sample) in pixel.iter_mut().take(colors).enumerate() {
            let table = if channel == 1 { &green } else { &plain };
            *sample = table.get(usize::from(*sample)).copied().unwrap_or(*sample);
        }
    }
}

/// Returns the first channel of each pixel.
fn first_channel(pixels: &Pixels) -> Vec<u8> {
    pixels.data.chunks_exact(pixels.format.channels()).filter_map(|pixel| pixel.first().copied()).collect()
}

/// Returns the pixels with the first channel of another image as opacity. If that image has another size, its nearest pixels are used.
fn with_opacity(pixels: &Pixels, mask: &Pixels) -> Pixels {
    let opacity = first_channel(mask);
    let [width, height] = [pixels.width, pixels.height].map(u64::from);
    let nearest = |at: u64, side: u64, of: u32| at.saturating_mul(of.into()).checked_div(side).unwrap_or_default();
    let mut data = Vec::with_capacity(opacity.len().saturating_mul(4));
    let places = (0..height).flat_map(|y| (0..width).map(move |x| (x, y)));
    for (pixel, (x, y)) in pixels.data.chunks_exact(pixels.format.channels()).zip(places) {
        let row = nearest(y, height, mask.height).saturating_mul(mask.width.into());
        let at = usize::try_from(row.saturating_add(nearest(x, width, mask.width))).ok();
        let alpha = at.and_then(|at| opacity.get(at)).copied().unwrap_or(u8::MAX);
        match *pixel {
            [grey] | [grey, _] => data.extend([grey, grey, grey, alpha]),
            [red, green, blue, ..] => data.extend([red, green, blue, alpha]),
            [] => {}
        }
    }
    Pixels { format: PixelFormat::Rgba8, data, ..*pixels }
}

//! Decodes image files.

use mapwright_acknex::{Image, Palette, dds};
use mapwright_io::{Confidence, Limits};
use mapwright_scene::images::{decode_image, undecoded_image_text};
use mapwright_scene::{ImageSource, Losses, PixelFormat, Pixels};
use mapwright_wapart::{ReadOptions, pcx};

use crate::resolve::BEYOND_LIMIT;

/// An image as a scene stores it, and its size in pixels.
pub(crate) type SizedImage = (ImageSource, [u32; 2]);

/// Reads an image by its content. PNG and JPEG files stay encoded.
///
/// # Errors
/// The reason why it cannot be decoded.
pub(crate) fn read(bytes: Vec<u8>, name: &str, max_bytes: usize, losses: &mut Losses) -> Result<SizedImage, String> {
    if dds::is_dds(&bytes) || pcx::sniff(&bytes) != Confidence::No {
        let image = decode(&bytes, name, None, max_bytes, losses)?;
        let size = image.size;
        return Ok((to_pixels(image), size));
    }
    let pixels = decode_image(&bytes, name, max_bytes, name, losses);
    // Only decoding finds a file that ends early.
    let pixels = pixels.ok_or_else(|| undecoded_image_text(&bytes, name, max_bytes))?;
    let size = [pixels.width, pixels.height];
    Ok(match media_type(&bytes) {
        Some(media_type) => (ImageSource::Encoded { media_type: media_type.to_owned(), data: bytes }, size),
        None => (ImageSource::Pixels(pixels), size),
    })
}

/// Returns the media type of a PNG or JPEG file, the kinds of images that scenes store as files.
fn media_type(bytes: &[u8]) -> Option<&'static str> {
    match bytes {
        [0x89, b'P', b'N', b'G', ..] => Some("image/png"),
        [0xff, 0xd8, 0xff, ..] => Some("image/jpeg"),
        _ => None,
    }
}

/// Decodes an image by its content. `name` serves to recognise TGA, which has no signature. `palette` is for PCX files without one.
///
/// # Errors
/// The reason why it cannot be decoded.
pub(crate) fn decode(
    bytes: &[u8],
    name: &str,
    palette: Option<&Palette>,
    max_bytes: usize,
    losses: &mut Losses,
) -> Result<Image, String> {
    if dds::is_dds(bytes) {
        let [width, height] = dds::size(bytes).ok_or("truncated DDS file")?;
        check_size(width, height, max_bytes)?;
        return dds::decode(bytes).map_err(|error| error.to_string());
    }
    if pcx::sniff(bytes) != Confidence::No {
        return decode_pcx(bytes, palette, max_bytes);
    }
    let pixels = decode_image(bytes, name, max_bytes, name, losses);
    let pixels = pixels.ok_or_else(|| undecoded_image_text(bytes, name, max_bytes))?;
    check_size(pixels.width, pixels.height, max_bytes)?;
    let has_alpha = matches!(pixels.format, PixelFormat::La8 | PixelFormat::Rgba8);
    let data = &pixels.data;
    let rgba = match pixels.format {
        PixelFormat::Rgba8 => pixels.data,
        PixelFormat::Rgb8 => to_rgba(data.as_chunks().0.iter().map(|[r, g, b]| [*r, *g, *b, 255])),
        PixelFormat::La8 => to_rgba(data.as_chunks().0.iter().map(|[grey, opacity]| [*grey, *grey, *grey, *opacity])),
        _ => to_rgba(data.iter().map(|grey| [*grey, *grey, *grey, 255])),
    };
    Ok(Image { size: [pixels.width, pixels.height], rgba, has_alpha })
}

/// Returns the pixels of a decoded image.
pub(crate) fn to_pixels(image: Image) -> ImageSource {
    let [width, height] = image.size;
    ImageSource::Pixels(Pixels { width, height, format: PixelFormat::Rgba8, data: image.rgba })
}

fn decode_pcx(bytes: &[u8], palette: Option<&Palette>, max_bytes: usize) -> Result<Image, String> {
    // A small file may declare many pixels.
    let limits = Limits::default().with_max_decompressed(max_bytes as u64);
    let options = ReadOptions::default().with_limits(limits);
    let document = pcx::Document::from_bytes_with(bytes, &options).map_err(|error| error.to_string())?;
    let size = [document.width(), document.height()];
    check_size(size[0], size[1], max_bytes)?;
    let opaque = |[r, g, b]: [u8; 3]| [r, g, b, 255];
    let rgba = match (document.indices(), document.rgb()) {
        (Some(indices), _) => {
            let own = document.palette.as_ref().map(mapwright_wapart::Palette::colors);
            let colors = own.or(palette.map(|palette| &palette.colors)).ok_or("PCX without a palette")?;
            let color = |index: &u8| colors.get(usize::from(*index)).copied().unwrap_or_default();
            to_rgba(indices.iter().map(|index| opaque(color(index))))
        }
        (None, Some(rgb)) => to_rgba(rgb.as_chunks().0.iter().copied().map(opaque)),
        (None, None) => return Err("PCX with an unknown number of planes".to_owned()),
    };
    Ok(Image { size, rgba, has_alpha: false })
}

/// Collects pixels whose number is known, in one allocation.
fn to_rgba(pixels: impl Iterator<Item = [u8; 4]>) -> Vec<u8> {
    pixels.collect::<Vec<_>>().into_flattened()
}

fn check_size(width: u32, height: u32, max_bytes: usize) -> Result<(), String> {
    let bytes = u64::from(width).saturating_mul(height.into()).saturating_mul(4);
    if bytes > max_bytes as u64 { Err(BEYOND_LIMIT.to_owned()) } else { Ok(()) }
}

//! Decodes image files.

use mapwright_acknex::{Image, Palette, dds};
use mapwright_io::Limits;
use mapwright_scene::images::{decode_image, undecoded_image_text};
use mapwright_scene::{Losses, PixelFormat};
use mapwright_wapart::{ReadOptions, pcx};

use super::super::cache::BEYOND_LIMIT;

/// Decodes an image by its content. `name` serves to recognise TGA, which has no signature. `palette` is for PCX files without one.
pub(super) fn decode(
    bytes: &[u8],
    name: &str,
    palette: &Palette,
    max_bytes: usize,
    losses: &mut Losses,
) -> Result<Image, String> {
    if dds::is_dds(bytes) {
        let [width, height] = dds::size(bytes).ok_or("truncated DDS file")?;
        check_size(width, height, max_bytes)?;
        return dds::decode(bytes).map_err(|error| error.to_string());
    }
    if pcx::sniff(bytes) != mapwright_io::Confidence::No {
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

fn decode_pcx(bytes: &[u8], palette: &Palette, max_bytes: usize) -> Result<Image, String> {
    // A small file may declare many pixels.
    let limits = Limits::default().with_max_decompressed(max_bytes as u64);
    let options = ReadOptions::default().with_limits(limits);
    let document = pcx::Document::from_bytes_with(bytes, &options).map_err(|error| error.to_string())?;
    let size = [document.width(), document.height()];
    check_size(size[0], size[1], max_bytes)?;
    let opaque = |[r, g, b]: [u8; 3]| [r, g, b, 255];
    let rgba = match (document.indices(), document.rgb()) {
        (Some(indices), _) => {
            let colors = document.palette.as_ref().map_or(&palette.colors, |own| own.colors());
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

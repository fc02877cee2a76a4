//! Decodes image files.

use mapwright_acknex::{Image, Palette, dds};
use mapwright_interchange::decode_image;
use mapwright_scene::{Losses, PixelFormat};
use mapwright_wapart::{ReadOptions, pcx};

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
    let pixels = pixels.ok_or("unknown or damaged image format, or too large")?;
    check_size(pixels.width, pixels.height, max_bytes)?;
    let widen = |pixel: &[u8]| match *pixel {
        [grey] => [grey, grey, grey, 255],
        [grey, opacity] => [grey, grey, grey, opacity],
        [r, g, b] => [r, g, b, 255],
        [r, g, b, opacity] => [r, g, b, opacity],
        _ => [0; 4],
    };
    let has_alpha = matches!(pixels.format, PixelFormat::La8 | PixelFormat::Rgba8);
    let rgba = match pixels.format {
        PixelFormat::Rgba8 => pixels.data,
        format => pixels.data.chunks_exact(format.channels()).flat_map(widen).collect(),
    };
    Ok(Image { size: [pixels.width, pixels.height], rgba, has_alpha })
}

fn decode_pcx(bytes: &[u8], palette: &Palette, max_bytes: usize) -> Result<Image, String> {
    let document = pcx::Document::from_bytes_with(bytes, &ReadOptions::default()).map_err(|error| error.to_string())?;
    let size = [document.width(), document.height()];
    check_size(size[0], size[1], max_bytes)?;
    let opaque = |[r, g, b]: [u8; 3]| [r, g, b, 255];
    let rgba = match (document.indices(), document.rgb()) {
        (Some(indices), _) => {
            let colors = document.palette.as_ref().map_or(&palette.colors, |own| own.colors());
            let color = |index: u8| colors.get(usize::from(index)).copied().unwrap_or_default();
            indices.into_iter().flat_map(|index| opaque(color(index))).collect()
        }
        (None, Some(rgb)) => rgb.as_chunks().0.iter().copied().flat_map(opaque).collect(),
        (None, None) => return Err("PCX with an unknown number of planes".to_owned()),
    };
    Ok(Image { size, rgba, has_alpha: false })
}

fn check_size(width: u32, height: u32, max_bytes: usize) -> Result<(), String> {
    let bytes = u64::from(width).saturating_mul(height.into()).saturating_mul(4);
    if bytes > max_bytes as u64 { Err("its pixels exceed the limit".to_owned()) } else { Ok(()) }
}

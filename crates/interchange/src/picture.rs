//! PNG in and out, and what kind of picture some bytes are.

use std::{borrow::Cow, io::Cursor};

use mapwright_scene::{PixelFormat, Pixels};

/// The media type of PNG.
#[cfg(any(feature = "gltf", feature = "obj"))]
pub(crate) const PNG: &str = "image/png";
/// The media type of JPEG.
#[cfg(any(feature = "gltf", feature = "obj"))]
pub(crate) const JPEG: &str = "image/jpeg";

/// What kind of picture a file is, from its first bytes.
#[cfg(any(feature = "gltf", feature = "obj"))]
pub(crate) fn media_type(data: &[u8]) -> Option<&'static str> {
    if data.starts_with(b"\x89PNG\r\n\x1a\n") {
        Some(PNG)
    } else if data.starts_with(b"\xff\xd8\xff") {
        Some(JPEG)
    } else {
        None
    }
}

/// What a reader says of a picture that it could not have: a writer for which the name is enough loses nothing by that.
pub(crate) fn only_named(path: &str) -> String {
    format!("only the name of the picture {path:?}, which could not be read")
}

/// The pixels as a PNG file. PNG cannot hold opacity alone: it becomes white with opacity.
/// `None` when width, height and number of bytes do not fit together.
pub(crate) fn encode_png(pixels: &Pixels) -> Option<Vec<u8>> {
    if pixels.width == 0 || pixels.height == 0 || pixels.byte_len() != Some(pixels.data.len()) {
        return None;
    }
    let (color, data) = match pixels.format {
        PixelFormat::L8 => (png::ColorType::Grayscale, Cow::Borrowed(&pixels.data)),
        PixelFormat::A8 => {
            let white = pixels.data.iter().flat_map(|&alpha| [255, alpha]).collect();
            (png::ColorType::GrayscaleAlpha, Cow::Owned(white))
        }
        PixelFormat::La8 => (png::ColorType::GrayscaleAlpha, Cow::Borrowed(&pixels.data)),
        PixelFormat::Rgb8 => (png::ColorType::Rgb, Cow::Borrowed(&pixels.data)),
        PixelFormat::Rgba8 => (png::ColorType::Rgba, Cow::Borrowed(&pixels.data)),
    };
    let mut out = Vec::new();
    let mut encoder = png::Encoder::new(&mut out, pixels.width, pixels.height);
    encoder.set_color(color);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.set_compression(png::Compression::Fast);
    let mut writer = encoder.write_header().ok()?;
    writer.write_image_data(&data).ok()?;
    writer.finish().ok()?;
    Some(out)
}

/// The width and height that a PNG file says it has; `None` for what is none.
pub(crate) fn png_size(data: &[u8]) -> Option<[u32; 2]> {
    // The signature, the length and name of the first chunk; then its width and height.
    let rest = data.strip_prefix(b"\x89PNG\r\n\x1a\n")?.get(8..)?;
    let (width, rest) = rest.split_first_chunk()?;
    let (height, _) = rest.split_first_chunk()?;
    Some([u32::from_be_bytes(*width), u32::from_be_bytes(*height)])
}

/// The bytes of the pixels that a PNG file says it has, at 4 for each.
#[cfg(any(feature = "gltf", feature = "tiled"))]
pub(crate) fn png_bytes(data: &[u8]) -> Option<u64> {
    let [width, height] = png_size(data)?.map(u64::from);
    Some(width.saturating_mul(height).saturating_mul(4))
}

/// The pixels of a PNG file with 8 bits per channel; palettes and fewer bits are expanded, 16 bits cut to 8.
/// `None` for what is no whole PNG, or one of more than `max_bytes` bytes of pixels.
pub fn decode_png(data: &[u8], max_bytes: usize) -> Option<Pixels> {
    let mut decoder = png::Decoder::new_with_limits(Cursor::new(data), png::Limits { bytes: max_bytes });
    decoder.set_transformations(png::Transformations::normalize_to_color8());
    let mut reader = decoder.read_info().ok()?;
    let size = reader.output_buffer_size().filter(|&size| size <= max_bytes)?;
    let (color, _) = reader.output_color_type();
    let format = match color {
        png::ColorType::Grayscale => PixelFormat::L8,
        png::ColorType::GrayscaleAlpha => PixelFormat::La8,
        png::ColorType::Rgb | png::ColorType::Indexed => PixelFormat::Rgb8,
        png::ColorType::Rgba => PixelFormat::Rgba8,
    };
    let mut pixels = vec![0; size];
    let frame = reader.next_frame(&mut pixels).ok()?;
    let pixels = Pixels { width: frame.width, height: frame.height, format, data: pixels };
    (pixels.byte_len() == Some(size)).then_some(pixels)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pixels_survive_png() {
        for format in [PixelFormat::L8, PixelFormat::La8, PixelFormat::Rgb8, PixelFormat::Rgba8] {
            let data = (0..6 * format.channels()).map(|i| u8::try_from(i * 9).unwrap()).collect();
            let pixels = Pixels { width: 3, height: 2, format, data };
            let file = encode_png(&pixels).unwrap();
            assert_eq!(decode_png(&file, 1 << 20), Some(pixels));
            #[cfg(any(feature = "gltf", feature = "tiled"))]
            assert_eq!(png_bytes(&file), Some(3 * 2 * 4));
            assert_eq!(decode_png(&file, 5), None);
            assert_eq!(decode_png(&file[..file.len() / 2], 1 << 20), None);
        }
    }

    #[test]
    fn opacity_alone_becomes_white_with_opacity() {
        let pixels = Pixels { width: 1, height: 2, format: PixelFormat::A8, data: vec![7, 8] };
        let back = decode_png(&encode_png(&pixels).unwrap(), 100).unwrap();
        assert_eq!((back.format, back.data), (PixelFormat::La8, vec![255, 7, 255, 8]));
    }

    #[test]
    fn sizes_that_do_not_fit_are_no_picture() {
        let pixels = Pixels { width: 2, height: 2, format: PixelFormat::Rgb8, data: vec![0; 11] };
        assert_eq!(encode_png(&pixels), None);
        let pixels = Pixels { width: 0, height: 2, format: PixelFormat::Rgb8, data: vec![] };
        assert_eq!(encode_png(&pixels), None);
    }
}

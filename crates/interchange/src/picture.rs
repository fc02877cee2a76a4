//! PNG in and out, and what kind of picture some bytes are.

#[cfg(any(feature = "gltf", feature = "obj", feature = "tiled"))]
use std::borrow::Cow;
use std::io::Cursor;

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

#[cfg(any(feature = "gltf", feature = "obj", feature = "tiled"))]
/// What a reader says of a picture that it could not have: a writer for which the name is enough loses nothing by that.
pub(crate) fn only_named(path: &str) -> String {
    format!("only the name of the picture {path:?}, which could not be read")
}

#[cfg(any(feature = "gltf", feature = "obj", feature = "tiled"))]
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

/// The width and height that the head of a picture says: PNG, JPEG, BMP, PCX and, of which no byte tells it, TGA where the caller
/// knows that it is one. `None` for what is none of them, and for sizes of 0.
pub fn picture_size(data: &[u8], is_tga: bool) -> Option<[u32; 2]> {
    let half = |at: usize| Some(u32::from(u16::from_le_bytes(*data.get(at..)?.first_chunk()?)));
    let size = match data {
        _ if is_tga => [half(12)?, half(14)?],
        [0xff, 0xd8, rest @ ..] => jpeg_size(rest)?,
        [b'B', b'M', ..] => {
            let whole = |at: usize| Some(i32::from_le_bytes(*data.get(at..)?.first_chunk()?).unsigned_abs());
            [whole(18)?, whole(22)?]
        }
        // The first and the last column and row.
        [10, _, 1, ..] => [half(8)?.checked_sub(half(4)?)? + 1, half(10)?.checked_sub(half(6)?)? + 1],
        _ => png_size(data)?,
    };
    (!size.contains(&0)).then_some(size)
}

/// The size in the first frame of a JPEG file, behind its first two bytes.
fn jpeg_size(mut rest: &[u8]) -> Option<[u32; 2]> {
    loop {
        let (&[mark, kind, high, low], _) = rest.split_first_chunk()?;
        if mark != 0xff {
            return None;
        }
        // Fill bytes before a marker.
        if kind == 0xff {
            rest = rest.get(1..)?;
            continue;
        }
        // All of these are frames but tables and extensions.
        if matches!(kind, 0xc0..=0xcf) && !matches!(kind, 0xc4 | 0xc8 | 0xcc) {
            let (height, width) = rest.get(5..)?.split_first_chunk()?;
            let width = width.first_chunk()?;
            return Some([u16::from_be_bytes(*width).into(), u16::from_be_bytes(*height).into()]);
        }
        rest = rest.get(usize::from(u16::from_be_bytes([high, low])).checked_add(2)?..)?;
    }
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

#[cfg(all(test, any(feature = "gltf", feature = "obj", feature = "tiled")))]
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
    fn heads_of_pictures_say_their_sizes() {
        let jpeg = b"\xff\xd8\xff\xe0\0\x04ab\xff\xff\xc2\0\x11\x08\0\x10\0\x20\x03";
        assert_eq!(picture_size(jpeg, false), Some([32, 16]));
        let bmp = [&b"BM"[..], &[0; 16], &32_i32.to_le_bytes(), &(-16_i32).to_le_bytes()].concat();
        assert_eq!(picture_size(&bmp, false), Some([32, 16]));
        assert_eq!(picture_size(&[10, 5, 1, 8, 0, 0, 0, 0, 31, 0, 15, 0], false), Some([32, 16]));
        let tga = [&[0, 0, 2][..], &[0; 9], &[32, 0, 16, 0, 24, 0]].concat();
        assert_eq!((picture_size(&tga, true), picture_size(&tga, false)), (Some([32, 16]), None));
        for end in 0..jpeg.len() - 1 {
            assert_eq!(picture_size(&jpeg[..end], false), None);
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

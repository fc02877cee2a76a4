//! Image files: decoding, encoding as PNG, and checking before their bytes are copied.

mod texture_sizes;

use std::borrow::Cow;
use std::collections::{BTreeSet, HashMap};
use std::io::Cursor;

use image::{DynamicImage, ImageDecoder, ImageFormat, ImageReader, codecs::webp::WebPDecoder};
use mapwright_io::parallel;

pub use self::texture_sizes::TextureSizes;
use crate::{Arena, FileError, Image, ImageSource, Losses, PixelFormat, Pixels};

/// The media type of PNG.
pub const PNG_MEDIA_TYPE: &str = "image/png";
/// The media type of JPEG.
pub const JPEG_MEDIA_TYPE: &str = "image/jpeg";

/// Returns the media type of a PNG or JPEG file by its signature.
pub fn media_type(data: &[u8]) -> Option<&'static str> {
    if data.starts_with(b"\x89PNG\r\n\x1a\n") {
        Some(PNG_MEDIA_TYPE)
    } else if data.starts_with(b"\xff\xd8\xff") {
        Some(JPEG_MEDIA_TYPE)
    } else {
        None
    }
}

/// Returns the text that reports an image that was not read, so that only its path is preserved.
pub fn unread_image_text(path: &str, reason: impl std::fmt::Display) -> String {
    format!("image {path:?}: not read, its path is preserved ({reason})")
}

/// An image file that was decoded completely, so that nothing else is copied under the name of an image.
#[derive(Debug, Clone)]
pub struct CheckedImage<'a> {
    /// The bytes of the image, without those that follow its end.
    pub data: Cow<'a, [u8]>,
    /// [`PNG_MEDIA_TYPE`] or [`JPEG_MEDIA_TYPE`].
    pub media_type: &'static str,
}

/// The decoded bytes that the image files of one output may have.
#[derive(Debug, Clone)]
pub struct ImageBudget {
    /// Maximum decoded bytes of one image.
    max: usize,
    /// Decoded bytes that are left for images that decode to much more than usual.
    left: u64,
}

/// Decoded bytes for each byte of a file that are usual. They do not count: a level may have thousands of textures.
const USUAL_RATIO: u64 = 64;

impl ImageBudget {
    /// Creates a budget for images of `max_bytes` decoded bytes each, and for as many bytes of unusually small files together.
    pub fn new(max_bytes: usize) -> Self {
        Self { max: max_bytes, left: max_bytes as u64 }
    }

    /// Takes an image off the budget before it is decoded.
    fn take(&mut self, data: &[u8], name: &str) -> Result<(), &'static str> {
        let bytes = decoded_bytes(data, name).ok_or(NO_IMAGE)?;
        let unusual = bytes.saturating_sub((data.len() as u64).saturating_mul(USUAL_RATIO));
        let left = self.left.checked_sub(unusual).filter(|_| bytes <= self.max as u64);
        self.left = left.ok_or(TOO_LARGE)?;
        Ok(())
    }

    /// Decodes an image file to pixels like [`decode_image`].
    ///
    /// # Errors
    /// The reason to report if the bytes are not an image, or if the budget is exceeded.
    pub fn decode(&mut self, data: &[u8], name: &str, path: &str, losses: &mut Losses) -> Result<Pixels, &'static str> {
        self.take(data, name)?;
        decode_image(data, name, self.max, path, losses).ok_or(NO_IMAGE)
    }

    /// Decodes an image file completely and returns the bytes to copy: the file itself if it is PNG or JPEG, else its pixels as PNG.
    /// `name` only serves to recognise TGA, which has no signature.
    ///
    /// Bytes after the end of the image are cut off and reported: no decoder has seen them. Metadata and further frames are copied as
    /// they are.
    ///
    /// # Errors
    /// The reason to report if the bytes are not an image, or if the budget is exceeded.
    pub fn check<'a>(
        &mut self,
        data: impl Into<Cow<'a, [u8]>>,
        name: &str,
        path: &str,
        losses: &mut Losses,
    ) -> Result<CheckedImage<'a>, &'static str> {
        let data = data.into();
        self.take(&data, name)?;
        check(data, name, self.max, path, losses).ok_or(NO_IMAGE)
    }
}

/// Does the work of [`ImageBudget::check`]. Decoding needs up to `max_bytes` bytes of memory.
fn check<'a>(
    data: Cow<'a, [u8]>,
    name: &str,
    max_bytes: usize,
    path: &str,
    losses: &mut Losses,
) -> Option<CheckedImage<'a>> {
    let end = match media_type(&data) {
        Some(PNG_MEDIA_TYPE) => check_png(&data, max_bytes)?,
        Some(_) => {
            decode_image(&data, name, max_bytes, path, losses)?;
            jpeg_end(&data)?
        }
        None => {
            let data = encode_png(&decode_image(&data, name, max_bytes, path, losses)?)?.into();
            return Some(CheckedImage { data, media_type: PNG_MEDIA_TYPE });
        }
    };
    let media_type = media_type(&data)?;
    if end < data.len() {
        losses.dropped(path, format!("bytes after the end of the image: {}", data.len() - end));
    }
    let data = match data {
        Cow::Borrowed(data) => Cow::Borrowed(data.get(..end)?),
        Cow::Owned(mut data) => {
            data.truncate(end);
            Cow::Owned(data)
        }
    };
    Some(CheckedImage { data, media_type })
}

/// Decodes a PNG row by row and returns the length of the file up to the end of its last chunk.
fn check_png(data: &[u8], max_bytes: usize) -> Option<usize> {
    let decoder = png::Decoder::new_with_limits(Cursor::new(data), png::Limits { bytes: max_bytes });
    let mut reader = decoder.read_info().ok()?;
    while reader.next_row().ok()?.is_some() {}
    reader.finish().ok()?;
    let mut at = 8_usize;
    loop {
        let (length, rest) = data.get(at..)?.split_first_chunk()?;
        // Length, name, content and checksum.
        at = at.checked_add(12)?.checked_add(usize::try_from(u32::from_be_bytes(*length)).ok()?)?;
        if rest.starts_with(b"IEND") {
            return (at <= data.len()).then_some(at);
        }
    }
}

/// Returns the length of a JPEG file up to its end marker.
fn jpeg_end(data: &[u8]) -> Option<usize> {
    let mut at = 2_usize;
    loop {
        // In compressed data 0xff is followed by 0 or by the number of a restart.
        at = at.checked_add(data.get(at..)?.iter().position(|&byte| byte == 0xff)?)?;
        let kind = *data.get(at.checked_add(1)?)?;
        at = match kind {
            0xd9 => return at.checked_add(2),
            0xff => at.checked_add(1)?,
            0 | 1 | 0xd0..=0xd8 => at.checked_add(2)?,
            _ => {
                let length = data.get(at.checked_add(2)?..)?.first_chunk()?;
                at.checked_add(2)?.checked_add(u16::from_be_bytes(*length).into())?
            }
        };
    }
}

/// Returns an image file as a scene stores it: PNG and JPEG as the file, other formats as pixels.
/// `None` if the bytes are not an image of at most `max_bytes` bytes of pixels.
pub fn image_source(
    data: Vec<u8>,
    name: &str,
    max_bytes: usize,
    path: &str,
    losses: &mut Losses,
) -> Option<ImageSource> {
    match media_type(&data) {
        Some(media_type) => Some(ImageSource::Encoded { media_type: media_type.into(), data }),
        None => decode_image(&data, name, max_bytes, path, losses).map(ImageSource::Pixels),
    }
}

/// The reason that is reported for a file that is not an image.
pub const NO_IMAGE: &str = "not an image that can be decoded";

/// The reason that is reported for an image whose pixels exceed a limit.
pub const TOO_LARGE: &str = "its pixels exceed the limit of decoded bytes";

/// Returns the reason why an image was not read.
pub fn unread_reason<T>(loaded: Result<T, FileError>) -> String {
    loaded.map_or_else(|error| error.to_string(), |_| NO_IMAGE.to_owned())
}

/// Returns the decoder of an image file. `name` only serves to recognise TGA, which has no signature.
fn decoder<'a>(data: &'a [u8], name: &str, max_bytes: usize) -> Option<impl ImageDecoder + 'a> {
    let is_tga = name.rsplit('.').next().is_some_and(|extension| extension.eq_ignore_ascii_case("tga"));
    let format = image::guess_format(data).ok().or(is_tga.then_some(ImageFormat::Tga))?;
    if format == ImageFormat::Tga && !has_all_pixels(data) {
        return None;
    }
    let mut limits = image::Limits::no_limits();
    limits.max_alloc = Some(max_bytes as u64);
    let mut reader = ImageReader::with_format(Cursor::new(data), format);
    reader.limits(limits);
    reader.into_decoder().ok().filter(|decoder| decoder.total_bytes() <= max_bytes as u64)
}

/// Returns `false` for a TGA file that is too short for its pixels, so that a small file cannot request much memory.
fn has_all_pixels(data: &[u8]) -> bool {
    /// Maximum number of pixels in a run.
    const RUN: u64 = 128;
    let Some(&[name, _, kind, _, _, colors_low, colors_high, color_bits, _, _, _, _, w0, w1, h0, h1, bits, _]) =
        data.first_chunk()
    else {
        return false;
    };
    let [colors, width, height] =
        [[colors_low, colors_high], [w0, w1], [h0, h1]].map(u16::from_le_bytes).map(u64::from);
    let [color, pixel] = [color_bits, bits].map(|bits| u64::from(bits.div_ceil(8)));
    let pixels = width.saturating_mul(height);
    let body = match kind {
        9.. => pixels.div_ceil(RUN).saturating_mul(pixel.saturating_add(1)),
        _ => pixels.saturating_mul(pixel),
    };
    let colors = if kind & 7 == 1 { colors.saturating_mul(color) } else { 0 };
    18_u64.saturating_add(name.into()).saturating_add(colors).saturating_add(body) <= data.len() as u64
}

/// Decodes an image file: PNG, JPEG, BMP, GIF, TIFF, WebP or TGA, with 8 bits per channel. Palettes and fewer bits are expanded.
/// TGA has no signature and is recognised by the extension of `name`.
///
/// More bits per channel are cut to 8, and of several frames or pages the first is returned. Both are added to `losses` under `path`.
/// `None` for anything else, for an incomplete or damaged file, and for more than `max_bytes` bytes of pixels.
pub fn decode_image(data: &[u8], name: &str, max_bytes: usize, path: &str, losses: &mut Losses) -> Option<Pixels> {
    if png_size(data).is_some() {
        let pixels = decode_png(data, max_bytes)?;
        if png_depth(data) == Some(16) {
            losses.approximated(path, CUT);
        }
        report_further_images(data, path, losses);
        return Some(pixels);
    }
    let image = DynamicImage::from_decoder(decoder(data, name, max_bytes)?).ok()?;
    if image.color().bytes_per_pixel() > image.color().channel_count() {
        losses.approximated(path, CUT);
    }
    report_further_images(data, path, losses);
    let (width, height) = (image.width(), image.height());
    let (format, data) = match image {
        DynamicImage::ImageLuma8(image) => (PixelFormat::L8, image.into_raw()),
        DynamicImage::ImageLumaA8(image) => (PixelFormat::La8, image.into_raw()),
        DynamicImage::ImageRgb8(image) => (PixelFormat::Rgb8, image.into_raw()),
        image if image.color().has_alpha() => (PixelFormat::Rgba8, image.into_rgba8().into_raw()),
        image => (PixelFormat::Rgb8, image.into_rgb8().into_raw()),
    };
    let pixels = Pixels { width, height, format, data };
    (width > 0 && height > 0 && pixels.byte_len() == Some(pixels.data.len())).then_some(pixels)
}

/// Returns the reason why [`decode_image`] does not decode a file.
pub fn undecoded_image_text(data: &[u8], name: &str, max_bytes: usize) -> String {
    let is_tga = name.rsplit('.').next().is_some_and(|extension| extension.eq_ignore_ascii_case("tga"));
    match (data, image_size(data, is_tga)) {
        ([], _) => "the file is empty".to_owned(),
        ([b'8', b'B', b'P', b'S', ..], _) => "images of Photoshop are not decoded; save it as PNG".to_owned(),
        (_, Some([width, height]))
            if u64::from(width).saturating_mul(height.into()).saturating_mul(4) > max_bytes as u64 =>
        {
            format!("{width} × {height} pixels exceed the limit: {max_bytes} bytes are left for images")
        }
        (_, Some(_)) => "the image is damaged, or of a kind that is not decoded".to_owned(),
        (_, None) => "not an image of a known format".to_owned(),
    }
}

/// Encodes pixels as a PNG file. PNG cannot store opacity only: such pixels become white with opacity. Returns `None` if width,
/// height and number of bytes do not match.
pub fn encode_png(pixels: &Pixels) -> Option<Vec<u8>> {
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
    // All images of a level are about 1 % larger than with a filter for each row, which takes about a quarter longer.
    encoder.set_filter(png::Filter::Paeth);
    let mut writer = encoder.write_header().ok()?;
    writer.write_image_data(&data).ok()?;
    writer.finish().ok()?;
    Some(out)
}

/// Encodes pixels as PNG files, several at a time.
pub fn encode_all_png(images: Vec<&Pixels>) -> Vec<Option<Vec<u8>>> {
    parallel::map(images, encode_png)
}

/// The PNG files of images.
#[derive(Debug, Clone)]
pub struct EncodedImages(HashMap<usize, Option<Vec<u8>>>);

impl EncodedImages {
    /// Encodes those images of a scene that are used.
    pub fn new(images: &Arena<Image>, used: impl IntoIterator<Item = usize>) -> Self {
        let used: BTreeSet<usize> = used.into_iter().collect();
        let pixels = used.into_iter().filter_map(|index| match &images.items().get(index)?.source {
            ImageSource::Pixels(pixels) => Some((index, pixels)),
            _ => None,
        });
        let (indices, pixels): (Vec<usize>, Vec<&Pixels>) = pixels.unzip();
        Self(indices.into_iter().zip(encode_all_png(pixels)).collect())
    }

    /// Takes the PNG file of an image, which is encoded now if it was not before.
    pub fn take(&mut self, index: usize, pixels: &Pixels) -> Option<Vec<u8>> {
        self.0.remove(&index).unwrap_or_else(|| encode_png(pixels))
    }
}

/// Returns the width and height in the header of a PNG file, or `None` for other files.
pub fn png_size(data: &[u8]) -> Option<[u32; 2]> {
    // The signature, the length and name of the first chunk; then its width and height.
    let rest = data.strip_prefix(b"\x89PNG\r\n\x1a\n")?.get(8..)?;
    let (width, rest) = rest.split_first_chunk()?;
    let (height, _) = rest.split_first_chunk()?;
    Some([u32::from_be_bytes(*width), u32::from_be_bytes(*height)])
}

/// Returns the number of bits per channel in the header of a PNG file, or `None` for other files.
pub fn png_depth(data: &[u8]) -> Option<u8> {
    png_size(data)?;
    // The signature, the length and name of the first chunk, its width and height.
    data.get(24).copied()
}

/// Returns the width and height in the header of an image: PNG, JPEG, BMP, PCX, or TGA if `is_tga` is set, because TGA has no
/// signature. Returns `None` for other files and for sizes of 0.
pub fn image_size(data: &[u8], is_tga: bool) -> Option<[u32; 2]> {
    let half = |at: usize| Some(u32::from(u16::from_le_bytes(*data.get(at..)?.first_chunk()?)));
    let size = match data {
        _ if is_tga => [half(12)?, half(14)?],
        [0xff, 0xd8, rest @ ..] => jpeg_size(rest)?,
        [b'B', b'M', ..] => {
            let whole = |at: usize| Some(i32::from_le_bytes(*data.get(at..)?.first_chunk()?).unsigned_abs());
            [whole(18)?, whole(22)?]
        }
        // First and last column and row.
        [10, _, 1, ..] => [half(8)?.checked_sub(half(4)?)? + 1, half(10)?.checked_sub(half(6)?)? + 1],
        _ => png_size(data)?,
    };
    (!size.contains(&0)).then_some(size)
}

/// Returns the size in the first frame of a JPEG file, after its first two bytes.
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
        // All of these are frames, except tables and extensions.
        if matches!(kind, 0xc0..=0xcf) && !matches!(kind, 0xc4 | 0xc8 | 0xcc) {
            let (height, width) = rest.get(5..)?.split_first_chunk()?;
            let width = width.first_chunk()?;
            return Some([u16::from_be_bytes(*width).into(), u16::from_be_bytes(*height).into()]);
        }
        rest = rest.get(usize::from(u16::from_be_bytes([high, low])).checked_add(2)?..)?;
    }
}

const CUT: &str = "more than 8 bits per channel, cut to 8";

/// Reports that a file has more than one frame or page. Only the structure of the file is read.
fn report_further_images(data: &[u8], path: &str, losses: &mut Losses) {
    let has_more = match image::guess_format(data) {
        Ok(ImageFormat::Gif) => gif_frames(data).nth(1).is_some(),
        Ok(ImageFormat::WebP) => WebPDecoder::new(Cursor::new(data)).is_ok_and(|webp| webp.has_animation()),
        Ok(ImageFormat::Png) => png::Decoder::new(Cursor::new(data))
            .read_info()
            .is_ok_and(|png| png.info().animation_control().is_some_and(|animation| animation.num_frames > 1)),
        Ok(ImageFormat::Tiff) => has_pages(data).unwrap_or(false),
        _ => false,
    };
    if has_more {
        losses.dropped(path, "all frames or pages of the image but the first");
    }
}

/// Returns the offsets of the frames of a GIF file.
fn gif_frames(data: &[u8]) -> impl Iterator<Item = usize> + '_ {
    // A table of colours follows where bit 7 is set.
    let table = |at: usize| data.get(at).map(|flags| if flags & 0x80 == 0 { 0 } else { 6 << (flags & 7) });
    let mut at = table(10).map(|size| 13 + size);
    std::iter::from_fn(move || {
        loop {
            let start = at?;
            let (frame, content) = match *data.get(start)? {
                // Position, size, flags and colours, then the size of codes.
                0x2c => (true, start + 11 + table(start + 9)?),
                0x21 => (false, start + 2),
                _ => return None,
            };
            let mut block = content;
            loop {
                let length = usize::from(*data.get(block)?);
                block += 1 + length;
                if length == 0 {
                    break;
                }
            }
            at = Some(block);
            if frame {
                return Some(start);
            }
        }
    })
}

/// Returns true for a TIFF or BigTIFF file with more than one page.
fn has_pages(data: &[u8]) -> Option<bool> {
    let is_little = data.starts_with(b"II");
    let number = |at: u64, length: usize| {
        let at = usize::try_from(at).ok()?;
        let bytes = data.get(at..at.checked_add(length)?)?;
        let join = |number, byte: &u8| number << 8 | u64::from(*byte);
        Some(if is_little { bytes.iter().rev().fold(0, join) } else { bytes.iter().fold(0, join) })
    };
    // Widths of counts and offsets, and the size of an entry.
    let (count, offset, entry) = if number(2, 2)? == 43 { (8_u8, 8_u8, 20) } else { (2, 4, 12) };
    let first = number(offset.into(), offset.into())?;
    let entries = number(first, count.into())?.checked_mul(entry)?;
    let next = first.checked_add(count.into())?.checked_add(entries)?;
    Some(number(next, offset.into())? != 0)
}

/// Returns the bytes of memory for decoding an image file: at least 4 for each pixel.
pub fn decoded_bytes(data: &[u8], name: &str) -> Option<u64> {
    let pixels = |[width, height]: [u32; 2]| u64::from(width).saturating_mul(height.into()).saturating_mul(4);
    if let Some(size) = png_size(data) {
        return Some(pixels(size));
    }
    let decoder = decoder(data, name, usize::MAX)?;
    Some(pixels(decoder.dimensions().into()).max(decoder.total_bytes()))
}

/// The pixels of a PNG file with 8 bits per channel; palettes and fewer bits are expanded, 16 bits cut to 8.
/// Returns `None` for anything but a complete PNG with at most `max_bytes` bytes of pixels.
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
            assert_eq!(decoded_bytes(&file, ""), Some(3 * 2 * 4));
            assert_eq!(decode_png(&file, 5), None);
            assert_eq!(decode_png(&file[..file.len() / 2], 1 << 20), None);
        }
    }

    /// The same two pixels in every format that is decoded.
    fn files() -> Vec<(&'static str, Vec<u8>)> {
        use ImageFormat::{Bmp, Gif, Jpeg, Png, Tga, Tiff, WebP};
        let image = DynamicImage::ImageRgb8(image::RgbImage::from_raw(2, 1, vec![255; 6]).unwrap());
        let encoded = |(name, format)| {
            let mut bytes = Cursor::new(Vec::new());
            image.write_to(&mut bytes, format).unwrap();
            (name, bytes.into_inner())
        };
        let all = [
            ("a.png", Png),
            ("a.jpg", Jpeg),
            ("a.bmp", Bmp),
            ("a.gif", Gif),
            ("a.TGA", Tga),
            ("a.tif", Tiff),
            ("a.webp", WebP),
        ];
        all.map(encoded).into()
    }

    #[test]
    fn images_of_every_kind_are_decoded_and_copied_without_what_follows() {
        for (name, file) in files() {
            let mut losses = Losses::new();
            let pixels = decode_image(&file, name, 1 << 20, "", &mut losses).unwrap();
            let channels = pixels.format.channels();
            assert_eq!((pixels.width, pixels.height), (2, 1), "{name}");
            assert!(pixels.data.iter().all(|&byte| byte > 250), "{name}");
            assert_eq!(decode_image(&file, name, 2 * channels - 1, "", &mut losses), None, "{name}");
            assert_eq!(losses.len(), 0, "{name}");
            let longer = [&file[..], b"password"].concat();
            let mut budget = ImageBudget::new(1 << 20);
            let checked = budget.check(&longer, name, "images[0]", &mut losses);
            let CheckedImage { data, media_type } = checked.ok().unwrap();
            let is_copied = matches!(media_type, _ if name == "a.png" || name == "a.jpg");
            assert_eq!(*data == *file, is_copied, "{name}");
            assert_eq!(losses.lost_count() == 1, is_copied, "{name}");
            assert!(!data.ends_with(b"password"), "{name}");
            assert_eq!(media_type, if name == "a.jpg" { JPEG_MEDIA_TYPE } else { PNG_MEDIA_TYPE }, "{name}");
        }
    }

    #[test]
    fn damaged_images_and_other_files_are_not_copied() {
        let refused = |file: &[u8], name: &str| {
            let checked = ImageBudget::new(1 << 20).check(file, name, "", &mut Losses::new());
            checked.err() == Some(NO_IMAGE)
        };
        for (name, file) in files() {
            for end in [0, 8, file.len() / 2] {
                assert!(refused(&file[..end], name), "{name}, {end} bytes");
            }
        }
        for text in [&b"root:x:0:0"[..], b"BMW order list", b"GIF89a notes", b"\xff\xd8\xff\xe0 notes", b"II*\0 notes"]
        {
            for name in ["a.tga", "a.png", ""] {
                assert!(refused(text, name), "{text:?}");
            }
        }
    }

    #[test]
    fn bits_and_frames_that_pixels_lack_are_reported() {
        let mut deep = Cursor::new(Vec::new());
        let image = DynamicImage::ImageLuma16(image::ImageBuffer::from_raw(1, 1, vec![300]).unwrap());
        image.write_to(&mut deep, ImageFormat::Png).unwrap();
        let mut tiff = Cursor::new(Vec::new());
        image.write_to(&mut tiff, ImageFormat::Tiff).unwrap();
        for file in [deep.into_inner(), tiff.into_inner(), gif([1, 1]), two_pages(), animated_png()] {
            let mut losses = Losses::new();
            assert!(decode_image(&file, "", 100, "images[0]", &mut losses).is_some());
            assert_eq!(losses.lost_count(), 1);
        }
    }

    /// A GIF of two frames, of which the second declares a size.
    fn gif(size: [u16; 2]) -> Vec<u8> {
        let mut gif = Vec::new();
        let frame = || image::Frame::new(image::RgbaImage::new(1, 1));
        image::codecs::gif::GifEncoder::new(&mut gif).encode_frames([frame(), frame()]).unwrap();
        let second = gif_frames(&gif).nth(1).unwrap();
        gif[second + 5..second + 9].copy_from_slice(&size.map(u16::to_le_bytes).concat());
        gif
    }

    /// A TIFF whose directory of the first page leads to another one.
    fn two_pages() -> Vec<u8> {
        let (_, mut tiff) = files().into_iter().find(|(name, _)| *name == "a.tif").unwrap();
        let first = u32::from_le_bytes(*tiff[4..].first_chunk().unwrap()) as usize;
        let entries = usize::from(u16::from_le_bytes(*tiff[first..].first_chunk().unwrap()));
        let next = first + 2 + entries * 12;
        assert_eq!(tiff[next..next + 4], [0; 4]);
        tiff[next] = 8;
        tiff
    }

    fn animated_png() -> Vec<u8> {
        let mut file = Vec::new();
        let mut encoder = png::Encoder::new(&mut file, 1, 1);
        encoder.set_animated(2, 0).unwrap();
        let mut writer = encoder.write_header().unwrap();
        (0..2).for_each(|_| writer.write_image_data(&[7]).unwrap());
        writer.finish().unwrap();
        file
    }

    #[test]
    fn later_frames_take_no_memory() {
        let mut losses = Losses::new();
        assert!(decode_image(&gif([u16::MAX; 2]), "", 100, "", &mut losses).is_some());
        assert_eq!(losses.lost_count(), 1);
    }

    #[test]
    fn images_share_a_budget_unless_their_size_is_usual() {
        // 40,000 decoded bytes in a file of some 130.
        let flat = Pixels { width: 10_000, height: 1, format: PixelFormat::L8, data: vec![0; 10_000] };
        let flat = encode_png(&flat).unwrap();
        // As many in some 9,000.
        let noise = (0..10_000_u32).map(|n| n.wrapping_mul(2_654_435_761).to_be_bytes()[0]).collect();
        let noise = encode_png(&Pixels { width: 1000, height: 10, format: PixelFormat::L8, data: noise }).unwrap();
        assert!(flat.len() < 200 && noise.len() > 1000, "{} {}", flat.len(), noise.len());
        let mut budget = ImageBudget::new(400_000);
        let mut check = |file: &[u8]| budget.check(file, "", "", &mut Losses::new()).map(drop);
        assert!((0..100).all(|_| check(&noise).is_ok()));
        let checked = (0..).take_while(|_| check(&flat).is_ok()).count();
        assert!((10..=20).contains(&checked), "{checked}");
        assert_eq!((check(&flat), check(&noise)), (Err(TOO_LARGE), Ok(())));
        assert!(ImageBudget::new(39_999).check(&noise, "", "", &mut Losses::new()).is_err());
    }

    #[test]
    fn image_headers_contain_their_sizes() {
        let jpeg = b"\xff\xd8\xff\xe0\0\x04ab\xff\xff\xc2\0\x11\x08\0\x10\0\x20\x03";
        assert_eq!(image_size(jpeg, false), Some([32, 16]));
        let bmp = [&b"BM"[..], &[0; 16], &32_i32.to_le_bytes(), &(-16_i32).to_le_bytes()].concat();
        assert_eq!(image_size(&bmp, false), Some([32, 16]));
        assert_eq!(image_size(&[10, 5, 1, 8, 0, 0, 0, 0, 31, 0, 15, 0], false), Some([32, 16]));
        let tga = [&[0, 0, 2][..], &[0; 9], &[32, 0, 16, 0, 24, 0]].concat();
        assert_eq!((image_size(&tga, true), image_size(&tga, false)), (Some([32, 16]), None));
        for end in 0..jpeg.len() - 1 {
            assert_eq!(image_size(&jpeg[..end], false), None);
        }
    }

    /// Source: Truevision TGA specification 2.0, fields 1 to 8.
    #[test]
    fn tga_files_have_all_of_their_pixels() {
        // Name, colours, kind, number of colours, bits per pixel; 300 pixels.
        let header = |name: u8, kind: u8, colors: u8, color_bits: u8, bits: u8| {
            let start =
                [name, u8::from(colors > 0), kind, 0, 0, colors, 0, color_bits, 0, 0, 0, 0, 44, 1, 1, 0, bits, 0];
            start.to_vec()
        };
        for (header, body) in [
            (header(0, 2, 0, 0, 24), 900),
            (header(5, 3, 0, 0, 8), 305),
            (header(0, 1, 2, 24, 8), 306),
            // Runs have at most 128 pixels.
            (header(0, 10, 0, 0, 32), 15),
            (header(0, 9, 2, 24, 8), 12),
        ] {
            let file = [header, vec![0; body]].concat();
            assert!(has_all_pixels(&file) && !has_all_pixels(&file[..file.len() - 1]), "{file:?}");
        }
        let runs = [header(0, 10, 0, 0, 24), [255, 3, 2, 1].repeat(3)].concat();
        let pixels = decode_image(&runs, "a.tga", 900, "", &mut Losses::new()).unwrap();
        assert_eq!((pixels.width, pixels.data.len(), &pixels.data[897..]), (300, 900, &[1, 2, 3][..]));
        assert!(decode_image(&runs[..runs.len() - 1], "a.tga", 900, "", &mut Losses::new()).is_none());
    }

    #[test]
    fn opacity_alone_becomes_white_with_opacity() {
        let pixels = Pixels { width: 1, height: 2, format: PixelFormat::A8, data: vec![7, 8] };
        let back = decode_png(&encode_png(&pixels).unwrap(), 100).unwrap();
        assert_eq!((back.format, back.data), (PixelFormat::La8, vec![255, 7, 255, 8]));
    }

    #[test]
    fn inconsistent_sizes_are_rejected() {
        let pixels = Pixels { width: 2, height: 2, format: PixelFormat::Rgb8, data: vec![0; 11] };
        assert_eq!(encode_png(&pixels), None);
        let pixels = Pixels { width: 0, height: 2, format: PixelFormat::Rgb8, data: vec![] };
        assert_eq!(encode_png(&pixels), None);
    }
}

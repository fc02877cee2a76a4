//! DDS images: DXT1, DXT3, DXT5 and plain pixels with masks. Sides need not be multiples of 4.

use mapwright_io::{Input, Position};

use crate::pixels::{check_size, rgb565, truncated, widen};
use crate::{Image, ReadErrorKind};

/// The size of the header with its magic word.
const HEADER: usize = 128;
/// Flags of a pixel format: it stores opacity, it is compressed, it has one channel of grey.
const ALPHA: u32 = 1;
const FOUR_CC: u32 = 4;
const LUMINANCE: u32 = 0x20000;

/// Returns `true` if bytes begin with the magic word of DDS.
pub fn is_dds(bytes: &[u8]) -> bool {
    bytes.starts_with(b"DDS ")
}

/// Returns width and height of an image, or `None` if the bytes are not the start of a DDS file.
pub fn size(bytes: &[u8]) -> Option<[u32; 2]> {
    let side = |at| Some(u32::from_le_bytes(*bytes.get(at..)?.first_chunk()?));
    is_dds(bytes).then(|| Some([side(16)?, side(12)?]))?
}

/// Decodes the largest image of a DDS file.
///
/// # Errors
/// If the file is not DDS, is truncated, or has an encoding other than DXT1, DXT3, DXT5 and pixels of 8 to 32 bits.
pub fn decode(bytes: &[u8]) -> Result<Image, ReadErrorKind> {
    let size = size(bytes).ok_or(ReadErrorKind::Image("it does not begin with the header of DDS"))?;
    let pixels = check_size(size)?;
    let header = bytes.get(..HEADER).ok_or_else(|| truncated(HEADER, bytes))?;
    let body = bytes.get(HEADER..).unwrap_or_default();
    let mut input = Input::at_base(header.get(80..).unwrap_or_default(), Position::file(80));
    let fault = |fault: mapwright_io::Fault| ReadErrorKind::from(fault.kind);
    let flags = input.u32_le().map_err(fault)?;
    let code: [u8; 4] = input.array().map_err(fault)?;
    let bits = input.u32_le().map_err(fault)?;
    let masks = input.u32s_le(4).map_err(fault)?;
    let (rgba, has_alpha) = match (flags & FOUR_CC != 0, &code) {
        (true, b"DXT1") => (blocks(size, body, Alpha::OneBit)?, true),
        (true, b"DXT3") => (blocks(size, body, Alpha::Explicit)?, true),
        (true, b"DXT5") => (blocks(size, body, Alpha::Interpolated)?, true),
        (true, _) => return Err(ReadErrorKind::Image("DDS with a compression other than DXT1, DXT3 and DXT5")),
        (false, _) => {
            let has_alpha = flags & ALPHA != 0 && masks.get(3).is_some_and(|mask| *mask != 0);
            let mut masks: Vec<u32> = masks;
            masks.resize(if has_alpha { 4 } else { 3 }, 0);
            if flags & LUMINANCE != 0 {
                let red = masks.first().copied().unwrap_or_default();
                masks.iter_mut().take(3).for_each(|mask| *mask = red);
            }
            (plain(pixels, bits, &masks, body)?, has_alpha)
        }
    };
    // DXT1 stores opacity only in blocks that use it.
    let image = Image { size, rgba, has_alpha };
    let has_alpha = has_alpha && (&code != b"DXT1" || image.lowest_opacity() < 255);
    Ok(Image { has_alpha, ..image })
}

/// Decodes pixels whose channels are given by masks.
fn plain(pixels: usize, bits: u32, masks: &[u32], body: &[u8]) -> Result<Vec<u8>, ReadErrorKind> {
    let width: usize = match bits {
        8 => 1,
        16 => 2,
        24 => 3,
        32 => 4,
        _ => return Err(ReadErrorKind::Image("DDS with an unusual number of bits per pixel")),
    };
    let needed = pixels.saturating_mul(width);
    let body = body.get(..needed).ok_or_else(|| truncated(needed, body))?;
    let mut rgba = Vec::with_capacity(pixels.saturating_mul(4));
    for bytes in body.chunks_exact(width) {
        let mut word = [0; 4];
        word.iter_mut().zip(bytes).for_each(|(to, from)| *to = *from);
        let word = u32::from_le_bytes(word);
        let channel = |mask: &u32| {
            let shift = mask.trailing_zeros();
            let most = u64::from(mask.checked_shr(shift)?);
            let value = u64::from((word & mask).checked_shr(shift)?);
            u8::try_from(value.saturating_mul(255).checked_div(most)?).ok()
        };
        let mut pixel = [0, 0, 0, 255];
        pixel.iter_mut().zip(masks).for_each(|(to, mask)| *to = channel(mask).unwrap_or(0));
        rgba.extend_from_slice(&pixel);
    }
    Ok(rgba)
}

/// The storage of opacity in blocks of 4×4 pixels.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Alpha {
    /// DXT1: one of the colours is transparent.
    OneBit,
    /// DXT3: 4 bits per pixel.
    Explicit,
    /// DXT5: 3 bits per pixel, between two values.
    Interpolated,
}

fn blocks([width, height]: [u32; 2], body: &[u8], alpha: Alpha) -> Result<Vec<u8>, ReadErrorKind> {
    let [width, height] = [width, height].map(|side| usize::try_from(side).unwrap_or(usize::MAX));
    let size: usize = if alpha == Alpha::OneBit { 8 } else { 16 };
    let across = width.div_ceil(4);
    let needed = across.saturating_mul(height.div_ceil(4)).saturating_mul(size);
    let body = body.get(..needed).ok_or_else(|| truncated(needed, body))?;
    let stride = width.saturating_mul(4);
    let mut rgba = vec![0; stride.saturating_mul(height)];
    let rows = body.chunks_exact(across.saturating_mul(size));
    for (band, blocks) in rgba.chunks_mut(stride.saturating_mul(4)).zip(rows) {
        for (at, block) in blocks.chunks_exact(size).enumerate() {
            let pixels = decode_block(block, alpha);
            // Blocks at the right and lower edge may extend beyond the image.
            for (row, pixels) in band.chunks_exact_mut(stride).zip(pixels.chunks_exact(4)) {
                let row = row.get_mut(at.saturating_mul(16)..).unwrap_or_default();
                row.chunks_exact_mut(4).zip(pixels).for_each(|(to, from)| to.copy_from_slice(from));
            }
        }
    }
    Ok(rgba)
}

fn decode_block(block: &[u8], alpha: Alpha) -> [[u8; 4]; 16] {
    let (opacity, color) =
        if alpha == Alpha::OneBit { (&[][..], block) } else { block.split_at_checked(8).unwrap_or_default() };
    let color: [u8; 8] = color.try_into().unwrap_or_default();
    let mut pixels = decode_colors(color, alpha == Alpha::OneBit);
    let opacity: [u8; 8] = opacity.try_into().unwrap_or_default();
    let bits = u64::from_le_bytes(opacity);
    match alpha {
        Alpha::OneBit => {}
        Alpha::Explicit => {
            for (pixel, at) in pixels.iter_mut().zip(0_u16..) {
                let four = (bits >> at.saturating_mul(4) & 15) as u16;
                pixel[3] = widen(four, 15);
            }
        }
        Alpha::Interpolated => {
            let values = opacities(opacity[0], opacity[1]);
            for (pixel, at) in pixels.iter_mut().zip(0_u16..) {
                let index = (bits >> 16 >> at.saturating_mul(3) & 7) as usize;
                pixel[3] = values.get(index).copied().unwrap_or_default();
            }
        }
    }
    pixels
}

fn decode_colors(block: [u8; 8], has_holes: bool) -> [[u8; 4]; 16] {
    let [a, b, c, d, indices @ ..] = block;
    let (first, second) = (u16::from_le_bytes([a, b]), u16::from_le_bytes([c, d]));
    let [start, end] = [first, second].map(rgb565);
    let colors = if first > second || !has_holes {
        [start, end, mix(start, end, 2, 1), mix(start, end, 1, 2)]
    } else {
        [start, end, mix(start, end, 1, 1), [0; 4]]
    };
    let indices = u32::from_le_bytes(indices);
    let mut pixels = [[0; 4]; 16];
    for (pixel, at) in pixels.iter_mut().zip(0_u32..) {
        let index = (indices >> at.saturating_mul(2) & 3) as usize;
        *pixel = colors.get(index).copied().unwrap_or_default();
    }
    pixels
}

/// Returns the eight opacities of a block of DXT5.
fn opacities(start: u8, end: u8) -> [u8; 8] {
    let mut values = [start, end, 0, 0, 0, 0, 0, 255];
    // If the first value is larger, six values lie between both. Otherwise four do, and 0 and 255 follow.
    let steps: u16 = if start > end { 7 } else { 5 };
    let count = usize::from(steps.saturating_sub(1));
    for (value, step) in values.iter_mut().skip(2).take(count).zip(1_u16..) {
        *value = weigh(start, end, steps.saturating_sub(step), step);
    }
    values
}

fn mix(a: [u8; 4], b: [u8; 4], of_a: u16, of_b: u16) -> [u8; 4] {
    let mut mixed = a;
    mixed.iter_mut().zip(b).for_each(|(a, b)| *a = weigh(*a, b, of_a, of_b));
    mixed
}

/// Returns the weighted mean of two values, rounded down.
fn weigh(a: u8, b: u8, of_a: u16, of_b: u16) -> u8 {
    let sum = u16::from(a).saturating_mul(of_a).saturating_add(u16::from(b).saturating_mul(of_b));
    let mean = sum.checked_div(of_a.saturating_add(of_b)).unwrap_or_default();
    u8::try_from(mean).unwrap_or(u8::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(size: [u32; 2], flags: u32, code: &[u8; 4], bits: u32, masks: [u32; 4], body: &[u8]) -> Vec<u8> {
        let mut file = vec![0; HEADER];
        file[..4].copy_from_slice(b"DDS ");
        let mut put = |at: usize, number: u32| file[at..at + 4].copy_from_slice(&number.to_le_bytes());
        put(12, size[1]);
        put(16, size[0]);
        put(80, flags);
        put(84, u32::from_le_bytes(*code));
        put(88, bits);
        masks.into_iter().zip([92, 96, 100, 104]).for_each(|(mask, at)| put(at, mask));
        file.extend(body);
        file
    }

    /// White, black and the colour between them at index 2, with the last pixel of each row at index 3.
    const COLORS: [u8; 8] = [0xff, 0xff, 0, 0, 0b1110_0100, 0b1110_0100, 0b1110_0100, 0b1110_0100];

    #[test]
    fn blocks_have_two_colours_and_colours_between_them() {
        let image = decode(&file([4, 4], FOUR_CC, b"DXT1", 0, [0; 4], &COLORS)).unwrap();
        assert_eq!(image.rgba[..16], [255, 255, 255, 255, 0, 0, 0, 255, 170, 170, 170, 255, 85, 85, 85, 255]);
        assert!(!image.has_alpha);
        // With the smaller colour first, index 3 is transparent.
        let turned = [0, 0, 0xff, 0xff, 0b1110_0100, 0, 0, 0];
        let image = decode(&file([4, 4], FOUR_CC, b"DXT1", 0, [0; 4], &turned)).unwrap();
        assert_eq!(image.rgba[..16], [0, 0, 0, 255, 255, 255, 255, 255, 127, 127, 127, 255, 0, 0, 0, 0]);
        assert!(image.has_alpha);
    }

    #[test]
    fn opacity_is_explicit_or_interpolated() {
        let explicit = [&[0x10, 0xf2, 0, 0, 0, 0, 0, 0][..], &COLORS].concat();
        let image = decode(&file([4, 4], FOUR_CC, b"DXT3", 0, [0; 4], &explicit)).unwrap();
        assert_eq!([3, 7, 11, 15].map(|at| image.rgba[at]), [0, 17, 34, 255]);
        let alpha = |first, second| {
            let between = [&[first, second, 0b1000_1000, 0b0000_1100, 0, 0, 0, 0][..], &COLORS].concat();
            let image = decode(&file([4, 4], FOUR_CC, b"DXT5", 0, [0; 4], &between)).unwrap();
            [3, 7, 11, 15].map(|at| image.rgba[at])
        };
        // Indices 0, 1, 2 and 6.
        assert_eq!((alpha(70, 0), alpha(0, 50)), ([70, 0, 60, 20], [0, 50, 10, 0]));
    }

    #[test]
    fn sides_need_not_be_multiples_of_four() {
        let image = decode(&file([5, 3], FOUR_CC, b"DXT1", 0, [0; 4], &COLORS.repeat(2))).unwrap();
        assert_eq!(
            (image.size, image.rgba.len(), &image.rgba[16..24]),
            ([5, 3], 60, &[255, 255, 255, 255, 255, 255, 255, 255][..])
        );
        assert!(decode(&file([5, 3], FOUR_CC, b"DXT1", 0, [0; 4], &COLORS)).is_err());
    }

    #[test]
    fn plain_pixels_follow_their_masks() {
        let masks = [0xff_0000, 0xff00, 0xff, 0xff00_0000];
        let body = [3, 2, 1, 9];
        let with = decode(&file([1, 1], ALPHA, b"\0\0\0\0", 32, masks, &body)).unwrap();
        assert_eq!((&*with.rgba, with.has_alpha), (&[1, 2, 3, 9][..], true));
        let without = decode(&file([1, 1], 0, b"\0\0\0\0", 24, masks, &body)).unwrap();
        assert_eq!((&*without.rgba, without.has_alpha), (&[1, 2, 3, 255][..], false));
        let grey = decode(&file([1, 1], LUMINANCE, b"\0\0\0\0", 8, [0xff, 0, 0, 0], &[7])).unwrap();
        assert_eq!(grey.rgba, [7, 7, 7, 255]);
    }

    /// Source: Microsoft's reference of DDS_PIXELFORMAT.
    #[test]
    fn flags_have_the_published_values() {
        assert_eq!([ALPHA, FOUR_CC, LUMINANCE], [0x1, 0x4, 0x2_0000]);
    }

    #[test]
    fn other_files_are_rejected() {
        let text = |bytes: &[u8]| decode(bytes).unwrap_err().to_string();
        assert_eq!(text(b"BM"), "unsupported image: it does not begin with the header of DDS");
        assert!(text(&file([4, 4], FOUR_CC, b"DX10", 0, [0; 4], &[])).contains("other than DXT1"));
        assert!(text(&file([4, 4], 0, b"\0\0\0\0", 12, [0; 4], &[])).contains("bits per pixel"));
        assert!(text(&file([4, 4], FOUR_CC, b"DXT1", 0, [0; 4], &[])[..100]).contains("ends early"));
        assert!(text(&file([0, 4], FOUR_CC, b"DXT1", 0, [0; 4], &[])).contains("invalid image size 0×4"));
    }
}

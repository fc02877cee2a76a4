//! Image files.

use super::{Bytes, palette};

/// Returns red, green and blue of a pixel. Neighbours differ, so that runs are short as in photographs.
fn pixel(x: u16, y: u16) -> [u8; 3] {
    [x.wrapping_mul(3), y.wrapping_mul(5), x ^ y].map(|part| part.to_le_bytes()[0])
}

fn pixels([width, height]: [u16; 2]) -> impl Iterator<Item = [u8; 3]> {
    (0..height).flat_map(move |y| (0..width).map(move |x| pixel(x, y)))
}

fn tga_header(kind: u8, size: [u16; 2], bits: u8) -> Bytes {
    // Rows run from the top.
    Bytes::default().bytes(&[0, 0, kind]).bytes(&[0; 9]).u16(&size).bytes(&[bits, 0x20])
}

/// Returns a TGA image with 24 bits per pixel.
pub fn tga(size: [u16; 2]) -> Vec<u8> {
    pixels(size).fold(tga_header(2, size, 24), |file, [r, g, b]| file.bytes(&[b, g, r])).0
}

/// Returns a TGA image of one colour with 32 bits per pixel, in runs. `runs` is the number of runs of 128 pixels that it has, whatever
/// the size needs.
pub fn tga_packed(size: [u16; 2], runs: usize) -> Vec<u8> {
    tga_header(10, size, 32).bytes(&[0xff, 30, 20, 10, 255].repeat(runs)).0
}

/// Returns the header of a PCX image with 8 bits per pixel and plane, whose pixels are packed.
pub fn pcx_header([width, height]: [u16; 2], planes: u8) -> Bytes {
    let file = Bytes::default().bytes(&[10, 5, 1, 8]).u16(&[0, 0, width - 1, height - 1, 72, 72]);
    file.bytes(&[0; 49]).bytes(&[planes]).u16(&[width.next_multiple_of(2), 1]).bytes(&[0; 58])
}

/// Returns a PCX image. With one plane it has a palette at its end, with three planes it has 24 bits per pixel.
///
/// # Panics
/// If the width is odd.
pub fn pcx(size: [u16; 2], planes: u8) -> Vec<u8> {
    assert!(size[0].is_multiple_of(2), "an even width");
    let mut file = pcx_header(size, planes);
    for y in 0..size[1] {
        for plane in 0..usize::from(planes) {
            let row: Vec<u8> = (0..size[0]).map(|x| pixel(x / 4, y)[plane]).collect();
            for run in row.chunk_by(|one, next| one == next).flat_map(|run| run.chunks(63)) {
                let length = u8::try_from(run.len()).expect("at most 63");
                file = file.bytes(&[0xc0 | length, run[0]]);
            }
        }
    }
    if planes == 1 { file.bytes(&[12]).bytes(&palette()).0 } else { file.0 }
}

/// Returns a BMP image with 24 bits per pixel.
///
/// # Panics
/// If the width is no multiple of 4.
pub fn bmp(size: [u16; 2]) -> Vec<u8> {
    assert!(size[0].is_multiple_of(4), "rows without padding");
    let [width, height] = size.map(u32::from);
    let length = 54 + 3 * width * height;
    let file = Bytes::new("BM").u32(&[length, 0, 54, 40, width, height]).u16(&[1, 24]).u32(&[0, 0, 2835, 2835, 0, 0]);
    pixels(size).fold(file, |file, [r, g, b]| file.bytes(&[b, g, r])).0
}

/// Returns a DDS image with DXT1.
pub fn dds(size: [u16; 2]) -> Vec<u8> {
    let [width, height] = size.map(u32::from);
    let file = Bytes::new("DDS ").u32(&[124, 0x1007, height, width]).bytes(&[0; 56]);
    let file = file.u32(&[32, 4]).bytes(b"DXT1").bytes(&[0; 40]);
    let blocks = width.div_ceil(4) * height.div_ceil(4);
    (0..blocks).fold(file, |file, block| file.u32(&[block.wrapping_mul(0x0101_0203), 0xe4e4_e4e4])).0
}

/// Returns an uncompressed TGA image of one pixel: red, green, blue.
pub fn tga_pixel([r, g, b]: [u8; 3]) -> Vec<u8> {
    tga_header(2, [1, 1], 24).bytes(&[b, g, r]).0
}

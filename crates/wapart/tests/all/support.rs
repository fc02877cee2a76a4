//! Helpers shared by the tests.

#![allow(dead_code, reason = "each test uses a part")]

use mapwright_testkit::Refusal;
use mapwright_wapart::{ReadError, ani, pcx, pid};

pub(crate) fn refusal(error: &ReadError) -> Refusal {
    Refusal::new(error.category().name(), error.position().map(|at| at.offset), error)
}

pub(crate) fn read_pid(bytes: &[u8]) -> Result<pid::Document, Refusal> {
    pid::Document::from_bytes(bytes).map_err(|error| refusal(&error))
}

pub(crate) fn read_pcx(bytes: &[u8]) -> Result<pcx::Document, Refusal> {
    pcx::Document::from_bytes(bytes).map_err(|error| refusal(&error))
}

pub(crate) fn read_ani(bytes: &[u8]) -> Result<ani::Document, Refusal> {
    ani::Document::from_bytes(bytes).map_err(|error| refusal(&error))
}

/// A PID image.
pub(crate) fn pid_file(flags: u32, size: [i32; 2], offset: [i32; 2], pixels: &[u8]) -> Vec<u8> {
    let words = [10, flags.cast_signed(), size[0], size[1], offset[0], offset[1], 0, 0];
    words.into_iter().flat_map(i32::to_le_bytes).chain(pixels.iter().copied()).collect()
}

/// A PCX file of 8 bits per pixel and plane.
pub(crate) fn pcx_file(size: [u16; 2], planes: u8, row: u16, encoding: u8, pixels: &[u8]) -> Vec<u8> {
    let mut file = vec![10, 5, encoding, 8];
    // The edges need not start at 0.
    for word in [3, 4, size[0].wrapping_add(2), size[1].wrapping_add(3), 72, 72] {
        file.extend(word.to_le_bytes());
    }
    file.resize(65, 0);
    file.push(planes);
    file.extend(row.to_le_bytes());
    file.resize(128, 0);
    file.extend(pixels);
    file
}

/// Index i is red i, green 255 - i, blue 7.
pub(crate) fn palette_bytes() -> Vec<u8> {
    (0..=255).flat_map(|index: u8| [index, 255 - index, 7]).collect()
}

/// An animation of one record, with its ten words.
pub(crate) fn ani_file(name: &[u8], words: [i16; 10], after: &[u8]) -> Vec<u8> {
    let length = u32::try_from(name.len()).expect("a short name");
    let header = [32, 0, 0, 1, length, 0, 0, 0_u32];
    let mut file: Vec<u8> = header.into_iter().flat_map(u32::to_le_bytes).collect();
    file.extend(name);
    file.extend(words.into_iter().flat_map(i16::to_le_bytes));
    file.extend(after);
    file
}

/// Reads the bytes of hexadecimal text.
pub(crate) fn unhex(text: &str) -> Vec<u8> {
    let digit = |byte: u8| char::from(byte).to_digit(16).expect("a hexadecimal digit");
    let (pairs, _) = text.as_bytes().as_chunks::<2>();
    pairs.iter().map(|[high, low]| u8::try_from(digit(*high) << 4 | digit(*low)).expect("a byte")).collect()
}

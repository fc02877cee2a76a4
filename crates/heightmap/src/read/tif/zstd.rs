//! Replaces compression with Zstandard by none. The decoder of the library for it is written in C.

use std::io::Read;

use mapwright_io::FaultKind;
use ruzstd::decoding::StreamingDecoder;

use crate::{Error, ErrorKind, error::malformed};

/// The code of Zstandard in the tag of the compression.
const ZSTD: u64 = 50000;

const COMPRESSION: u64 = 259;
/// The tags of the offsets and sizes of strips, and of tiles.
const CHUNKS: [[u64; 2]; 2] = [[273, 279], [324, 325]];
/// Maximum number of directories. Files have one for each overview and mask.
const MAX_DIRECTORIES: usize = 64;

/// Returns a copy of a file in which no strip or tile is compressed with Zstandard. Returns `None` if none is.
pub(super) fn expand(bytes: &[u8], max_bytes: u64) -> Result<Option<Vec<u8>>, Error> {
    let Some(file) = File::new(bytes) else { return Ok(None) };
    let mut out = Vec::new();
    let mut left = max_bytes;
    for directory in file.directories() {
        let entry = |tag| directory.iter().find(|entry| entry.tag == tag);
        let Some(compression) = entry(COMPRESSION).filter(|entry| file.value(entry, 0) == Some(ZSTD)) else { continue };
        let pair = CHUNKS.iter().find_map(|[offsets, sizes]| Some([entry(*offsets)?, entry(*sizes)?]));
        let Some([offsets, sizes]) = pair else { continue };
        if out.is_empty() {
            out = bytes.to_vec();
        }
        let (mut starts, mut lengths) = (Vec::new(), Vec::new());
        for chunk in 0..offsets.count.min(sizes.count) {
            let (Some(start), Some(length)) = (file.value(offsets, chunk), file.value(sizes, chunk)) else { break };
            // A sparse file leaves out parts without heights.
            if start == 0 || length == 0 {
                starts.push(0);
                lengths.push(0);
                continue;
            }
            let path = || format!("pixels[{chunk}]");
            let available = (bytes.len() as u64).saturating_sub(start);
            let packed = bytes_at(bytes, start, length)
                .ok_or_else(|| Error::on_path(FaultKind::Truncated { needed: length, available }.into(), path()))?;
            starts.push(out.len() as u64);
            let size = append(packed, left, max_bytes, &mut out).map_err(|error| error.with_path(path()))?;
            lengths.push(size);
            left = left.saturating_sub(size);
        }
        file.set_values(offsets, &starts, &mut out)?;
        file.set_values(sizes, &lengths, &mut out)?;
        file.write(compression.at, 2, 3, &mut out);
        file.write(compression.value, 2, 1, &mut out);
    }
    Ok((!out.is_empty()).then_some(out))
}

/// Appends the content of a chunk and returns its size.
fn append(packed: &[u8], left: u64, limit: u64, out: &mut Vec<u8>) -> Result<u64, Error> {
    let damaged = |reason: String| malformed("", format!("invalid Zstandard data: {reason}"));
    let decoder = StreamingDecoder::new(packed).map_err(|error| damaged(error.to_string()))?;
    let size = decoder.take(left.saturating_add(1)).read_to_end(out).map_err(|error| damaged(error.to_string()))?;
    if size as u64 > left {
        return Err(Error::without_position(ErrorKind::Limit { what: "bytes of heights", limit }));
    }
    Ok(size as u64)
}

fn bytes_at(bytes: &[u8], start: u64, length: u64) -> Option<&[u8]> {
    let start = usize::try_from(start).ok()?;
    bytes.get(start..start.checked_add(usize::try_from(length).ok()?)?)
}

/// The structure of a TIFF or BigTIFF file.
struct File<'a> {
    bytes: &'a [u8],
    is_big_endian: bool,
    /// Bytes of a count of entries, of an offset, and of an entry.
    sizes: [u64; 3],
}

/// An entry of a directory.
struct Entry {
    tag: u64,
    /// The offset of the type of its values.
    at: u64,
    kind: u64,
    count: u64,
    /// The offset of its values.
    value: u64,
    /// The offset of the field with the values or their offset.
    slot: u64,
}

impl<'a> File<'a> {
    fn new(bytes: &'a [u8]) -> Option<Self> {
        let is_big_endian = bytes.starts_with(b"MM");
        let mut file = Self { bytes, is_big_endian, sizes: [2, 4, 12] };
        if file.read(2, 2)? == 43 {
            file.sizes = [8, 8, 20];
        }
        Some(file)
    }

    fn read(&self, at: u64, size: u64) -> Option<u64> {
        let bytes = bytes_at(self.bytes, at, size)?;
        let join = |number, byte: &u8| number << 8 | u64::from(*byte);
        Some(if self.is_big_endian { bytes.iter().fold(0, join) } else { bytes.iter().rev().fold(0, join) })
    }

    fn write(&self, at: u64, size: usize, number: u64, out: &mut [u8]) {
        let place = usize::try_from(at).ok().and_then(|at| out.get_mut(at..at.checked_add(size)?));
        if let (Some(place), true) = (place, size <= 8) {
            let bytes = number.to_le_bytes();
            place.iter_mut().zip(bytes).for_each(|(byte, new)| *byte = new);
            if self.is_big_endian {
                place.reverse();
            }
        }
    }

    /// Returns the entries of all directories.
    fn directories(&self) -> Vec<Vec<Entry>> {
        let [count_size, offset_size, entry_size] = self.sizes;
        let mut directories = Vec::new();
        let mut next = self.read(offset_size, offset_size);
        while let Some(start) = next.filter(|start| *start != 0 && directories.len() < MAX_DIRECTORIES) {
            let Some(count) = self.read(start, count_size) else { break };
            let first = start.saturating_add(count_size);
            // Entries beyond the file end the list.
            let entries = (0..count).map_while(|index| self.entry(first.checked_add(index.checked_mul(entry_size)?)?));
            directories.push(entries.collect());
            next = count.checked_mul(entry_size).and_then(|size| self.read(first.checked_add(size)?, offset_size));
        }
        directories
    }

    fn entry(&self, start: u64) -> Option<Entry> {
        let [_, offset_size, _] = self.sizes;
        let at = start.checked_add(2)?;
        let slot = start.checked_add(4)?.checked_add(offset_size)?;
        let (tag, kind, count) =
            (self.read(start, 2)?, self.read(at, 2)?, self.read(start.checked_add(4)?, offset_size)?);
        let is_inline = size_of(kind).saturating_mul(count) <= offset_size;
        let value = if is_inline { slot } else { self.read(slot, offset_size)? };
        Some(Entry { tag, at, kind, count, value, slot })
    }

    /// Returns an unsigned value of an entry.
    fn value(&self, entry: &Entry, index: u64) -> Option<u64> {
        let size = size_of(entry.kind);
        if size == 0 || index >= entry.count {
            return None;
        }
        self.read(entry.value.checked_add(index.checked_mul(size)?)?, size)
    }

    /// Replaces the values of an entry with offsets or sizes, which are appended if there are several.
    fn set_values(&self, entry: &Entry, values: &[u64], out: &mut Vec<u8>) -> Result<(), Error> {
        let [_, offset_size, _] = self.sizes;
        let (size, kind) = if offset_size == 8 { (8, 16) } else { (4, 4) };
        let end = out.len() as u64;
        if size == 4 && end.saturating_add(values.len() as u64 * 4) > u64::from(u32::MAX) {
            let kind = ErrorKind::Unsupported("a file that has more than 4 GiB without compression".to_owned());
            return Err(Error::on_path(kind, "pixels"));
        }
        self.write(entry.at, 2, kind, out);
        self.write(entry.at.saturating_add(2), size, values.len() as u64, out);
        let mut at = entry.slot;
        if values.len() > 1 {
            self.write(entry.slot, size, end, out);
            out.resize(out.len().saturating_add(values.len().saturating_mul(size)), 0);
            at = end;
        }
        for value in values {
            self.write(at, size, *value, out);
            at = at.saturating_add(size as u64);
        }
        Ok(())
    }
}

/// Returns the number of bytes of a value: 0 for types that are not unsigned numbers.
const fn size_of(kind: u64) -> u64 {
    match kind {
        1 => 1,
        3 => 2,
        4 => 4,
        16 => 8,
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use ruzstd::encoding::{CompressionLevel, compress_to_vec};
    use tiff::encoder::{TiffEncoder, colortype::Gray16};

    use super::*;

    /// A TIFF of two strips that are compressed with Zstandard.
    fn packed(big: bool) -> (Vec<u8>, Vec<u16>) {
        let heights: Vec<u16> = (0..12).map(|height| height * 700).collect();
        let mut plain = Cursor::new(Vec::new());
        if big {
            let mut encoder = TiffEncoder::new_big(&mut plain).unwrap();
            let mut image = encoder.new_image::<Gray16>(3, 4).unwrap();
            image.rows_per_strip(2).unwrap();
            image.write_data(&heights).unwrap();
        } else {
            let mut encoder = TiffEncoder::new(&mut plain).unwrap();
            let mut image = encoder.new_image::<Gray16>(3, 4).unwrap();
            image.rows_per_strip(2).unwrap();
            image.write_data(&heights).unwrap();
        }
        let mut bytes = plain.into_inner();
        let copy = bytes.clone();
        let file = File::new(&copy).unwrap();
        let directories = file.directories();
        let entry = |tag| directories[0].iter().find(|entry| entry.tag == tag).unwrap();
        let (mut starts, mut lengths) = (Vec::new(), Vec::new());
        for strip in 0..2 {
            let content = bytes_at(&copy, file.value(entry(273), strip).unwrap(), 12).unwrap();
            let strip = compress_to_vec(content, CompressionLevel::Fastest);
            starts.push(bytes.len() as u64);
            lengths.push(strip.len() as u64);
            bytes.extend(strip);
        }
        file.set_values(entry(273), &starts, &mut bytes).unwrap();
        file.set_values(entry(279), &lengths, &mut bytes).unwrap();
        file.write(entry(COMPRESSION).value, 2, ZSTD, &mut bytes);
        (bytes, heights)
    }

    #[test]
    fn strips_are_decompressed() {
        for big in [false, true] {
            let (bytes, heights) = packed(big);
            let plain = expand(&bytes, 1 << 20).unwrap().unwrap();
            let mut decoder = tiff::decoder::Decoder::new(Cursor::new(&plain)).unwrap();
            let tiff::decoder::DecodingResult::U16(found) = decoder.read_image().unwrap() else { panic!("16 bits") };
            assert_eq!(found, heights);
            assert_eq!(expand(&plain, 1 << 20).unwrap(), None);
            assert!(expand(&bytes, 23).is_err(), "24 bytes of heights");
        }
    }

    #[test]
    fn damaged_files_are_read_or_rejected() {
        let (bytes, _) = packed(false);
        for end in 0..bytes.len() {
            let _ = expand(&bytes[..end], 1 << 20);
        }
        for at in 0..bytes.len() {
            let mut damaged = bytes.clone();
            damaged[at] ^= 0xff;
            let _ = expand(&damaged, 1 << 20);
        }
    }
}

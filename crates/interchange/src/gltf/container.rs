//! The binary container: a header, a chunk of JSON, a chunk of bytes.

use mapwright_io::FaultKind;

use super::buffer::{Bin, zeros};
use crate::{Error, ErrorKind, Position, error::malformed};

const MAGIC: &[u8; 4] = b"glTF";
const VERSION: u32 = 2;
const JSON: u32 = u32::from_le_bytes(*b"JSON");
const BIN: u32 = u32::from_le_bytes(*b"BIN\0");
const HEADER: usize = 12;
const CHUNK_HEADER: usize = 8;

/// The parts of a container.
pub(super) struct Parts<'a> {
    /// The JSON text and its offset.
    pub json: &'a [u8],
    pub json_offset: usize,
    /// The bytes of the first buffer, if the container has them.
    pub bin: Option<&'a [u8]>,
    /// Number of bytes after the container.
    pub trailing: usize,
    /// Number of chunks of other kinds.
    pub unknown_chunks: usize,
}

/// Returns `true` if the bytes begin with the signature of the binary container.
pub(super) fn is_glb(bytes: &[u8]) -> bool {
    bytes.starts_with(MAGIC)
}

/// Packs JSON and a buffer.
///
/// # Errors
/// If the total size does not fit into 32 bits, or into memory.
pub(super) fn pack(json: &[u8], bin: Bin<'_>) -> Result<Vec<u8>, ErrorKind> {
    let too_large = ErrorKind::Limit { what: "bytes in a binary container", limit: u32::MAX.into() };
    let Some(lengths) = lengths(json, &bin) else { return Err(too_large) };
    let mut out = zeros(lengths.total)?;
    write(&mut out, &lengths, json, bin).map(|()| out).ok_or(too_large)
}

/// Lengths of the parts of a container, with padding.
struct Lengths {
    total: usize,
    json: usize,
    bin: usize,
}

fn lengths(json: &[u8], bin: &Bin<'_>) -> Option<Lengths> {
    let padded = |length: usize| length.checked_next_multiple_of(4);
    let (json_length, bin_length) = (padded(json.len())?, padded(bin.len())?);
    let bin_chunk = if bin.is_empty() { 0 } else { CHUNK_HEADER.checked_add(bin_length)? };
    let total = (HEADER + CHUNK_HEADER).checked_add(json_length)?.checked_add(bin_chunk)?;
    u32::try_from(total).ok()?;
    Some(Lengths { total, json: json_length, bin: bin_length })
}

/// Writes a container over zero bytes.
fn write(out: &mut [u8], lengths: &Lengths, json: &[u8], bin: Bin<'_>) -> Option<()> {
    let word = |length: usize| u32::try_from(length).ok().map(u32::to_le_bytes);
    let (header, out) = out.split_at_mut_checked(HEADER + CHUNK_HEADER)?;
    let words = [*MAGIC, VERSION.to_le_bytes(), word(lengths.total)?, word(lengths.json)?, JSON.to_le_bytes()];
    header.copy_from_slice(words.as_flattened());
    let (text, out) = out.split_at_mut_checked(lengths.json)?;
    let (text, padding) = text.split_at_mut_checked(json.len())?;
    text.copy_from_slice(json);
    padding.fill(b' ');
    if !bin.is_empty() {
        let (header, out) = out.split_at_mut_checked(CHUNK_HEADER)?;
        header.copy_from_slice([word(lengths.bin)?, BIN.to_le_bytes()].as_flattened());
        bin.write(out);
    }
    Some(())
}

/// Splits a container.
pub(super) fn unpack(bytes: &[u8]) -> Result<Parts<'_>, Error> {
    let version = word(bytes, 4)?;
    if version != VERSION {
        let kind = ErrorKind::Unsupported(format!("glTF version {version}"));
        return Err(Error::new(kind, Position::file(4)));
    }
    let length = word(bytes, 8)?;
    let whole = slice(bytes, 0, length)?;
    let (mut offset, mut json, mut bin, mut unknown_chunks) = (HEADER, None, None, 0);
    while offset < whole.len() {
        let (length, kind) = (word(whole, offset)?, word(whole, offset + 4)?);
        let start = offset + CHUNK_HEADER;
        let data = slice(whole, start, length)?;
        match (kind, json) {
            (JSON, None) => json = Some((data, start)),
            (_, None) => return Err(malformed_at("the first chunk is not JSON", offset)),
            (JSON, Some(_)) => return Err(malformed_at("a second chunk of JSON", offset)),
            (BIN, Some(_)) if bin.is_some() => return Err(malformed_at("a second chunk of bytes", offset)),
            (BIN, Some(_)) => bin = Some(data),
            // The specification requires that readers ignore chunks of other kinds.
            _ => unknown_chunks += 1,
        }
        offset = start + data.len();
    }
    let (json, json_offset) = json.ok_or_else(|| malformed_at("no chunk of JSON", HEADER))?;
    Ok(Parts { json, json_offset, bin, trailing: bytes.len() - whole.len(), unknown_chunks })
}

fn malformed_at(text: &str, offset: usize) -> Error {
    malformed("", text).at(Position::file(offset as u64))
}

fn word(bytes: &[u8], offset: usize) -> Result<u32, Error> {
    let word = slice(bytes, offset, 4)?;
    Ok(word.try_into().map_or(0, u32::from_le_bytes))
}

fn slice(bytes: &[u8], offset: usize, length: u32) -> Result<&[u8], Error> {
    let rest = bytes.get(offset..).unwrap_or_default();
    rest.get(..length as usize).ok_or_else(|| {
        let kind = FaultKind::Truncated { needed: length.into(), available: rest.len() as u64 }.into();
        Error::new(kind, Position::file(offset.min(bytes.len()) as u64))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gltf::buffer::Block;

    fn bin(bytes: &[u8]) -> Bin<'_> {
        let mut bin = Bin::default();
        bin.push(Block::Bytes(bytes.into()));
        bin
    }

    #[test]
    fn packed_parts_are_padded() {
        let glb = pack(b"{}", bin(&[1, 2, 3, 4, 5])).unwrap();
        assert_eq!(glb.len() % 4, 0);
        let parts = unpack(&glb).unwrap();
        assert_eq!((parts.json, parts.json_offset, parts.bin), (&b"{}  "[..], 20, Some(&[1, 2, 3, 4, 5, 0, 0, 0][..])));
        let parts = pack(b"{}", bin(&[])).unwrap();
        assert_eq!((parts.len(), unpack(&parts).unwrap().bin), (24, None));
    }

    #[test]
    fn every_prefix_is_an_error_within_it() {
        let glb = pack(b"{}", bin(&[1, 2, 3, 4, 5])).unwrap();
        for length in 4..glb.len() {
            let error = unpack(&glb[..length]).err().unwrap();
            assert!(error.position().is_some_and(|at| at.offset <= length as u64), "{length}: {error}");
        }
    }

    /// Source: glTF 2.0 specification, "Binary glTF Layout".
    #[test]
    fn headers_have_the_published_numbers() {
        assert_eq!((u32::from_le_bytes(*MAGIC), VERSION), (0x4654_6C67, 2));
        assert_eq!((JSON, BIN), (0x4E4F_534A, 0x004E_4942));
        assert_eq!((HEADER, CHUNK_HEADER), (12, 8));
    }
}

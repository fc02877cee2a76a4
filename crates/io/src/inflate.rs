//! Decompression of zlib streams within a budget.

use flate2::{Decompress, FlushDecompress, Status};

use crate::{Budget, Fault, FaultKind, Limits, Losses, Position};

/// The content of a zlib stream.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Inflated {
    /// The inflated bytes.
    pub bytes: Vec<u8>,
    /// Number of input bytes that the stream occupies. More bytes may follow.
    pub consumed: usize,
}

/// Memory for this many times the compressed size is reserved at once, and more only as the output grows.
const USUAL_RATIO: u64 = 8;
/// Memory for a declared size up to this is reserved at once.
const ALWAYS: u64 = 8 << 20;

/// Inflates the zlib stream at the start of `data` and verifies its Adler-32.
///
/// With a `declared` size the stream must contain exactly that many bytes; inflating stops one byte after them. Otherwise it stops at
/// the budget. Memory grows with the output. A declared size is reserved at once only up to 8 MiB, or eight times `data`.
///
/// # Errors
/// [`FaultKind::Zlib`], [`FaultKind::InflatedSize`], [`FaultKind::Limit`], or [`FaultKind::Truncated`] if the stream has no end. Their
/// position is `at` plus the bytes that were read.
pub fn inflate(data: &[u8], declared: Option<u64>, budget: &mut Budget, at: Position) -> Result<Inflated, Fault> {
    if let Some(declared) = declared {
        budget.clone().take_decompressed(declared, at)?;
    }
    let limit = declared.unwrap_or_else(|| budget.decompressed_left());
    // One byte more than allowed, to notice a longer stream without inflating all of it.
    let most = limit.saturating_add(1);
    let usual = (data.len() as u64).saturating_mul(USUAL_RATIO);
    // Declared sizes are mostly right, and reserving them at once avoids copies.
    let first = if declared.is_some() { usual.max(ALWAYS) } else { usual.saturating_add(1024) }.min(most);
    let mut bytes = Vec::new();
    let mut inflater = Decompress::new(true);
    let mut want = usize::try_from(first).unwrap_or(usize::MAX);
    loop {
        bytes.reserve_exact(want.saturating_sub(bytes.len()));
        let consumed = usize::try_from(inflater.total_in()).unwrap_or(usize::MAX);
        let before = (consumed, bytes.len());
        let status =
            inflater.decompress_vec(data.get(consumed..).unwrap_or_default(), &mut bytes, FlushDecompress::Finish);
        let consumed = usize::try_from(inflater.total_in()).unwrap_or(usize::MAX);
        let here = Position { offset: at.offset.saturating_add(consumed as u64), ..at };
        let found = bytes.len() as u64;
        match status {
            Err(_) => {
                return Err(Fault { kind: FaultKind::Zlib, at: here });
            }
            Ok(Status::StreamEnd) => {
                if let Some(declared) = declared.filter(|&declared| declared != found) {
                    return Err(Fault { kind: FaultKind::InflatedSize { declared, found, more: false }, at });
                }
                budget.take_decompressed(found, at)?;
                bytes.shrink_to_fit();
                return Ok(Inflated { bytes, consumed });
            }
            Ok(_) if found > limit => {
                let kind = match declared {
                    Some(declared) => FaultKind::InflatedSize { declared, found, more: true },
                    None => FaultKind::Limit { what: "max_decompressed", asked: found, limit },
                };
                return Err(Fault { kind, at });
            }
            Ok(_) if bytes.len() < bytes.capacity() && (consumed, bytes.len()) == before => {
                return Err(Fault { kind: FaultKind::Truncated { needed: 1, available: 0 }, at: here });
            }
            Ok(_) => {}
        }
        if bytes.len() == bytes.capacity() {
            let next = found.saturating_mul(2).min(most);
            want = usize::try_from(next).unwrap_or(usize::MAX);
        }
    }
}

/// Inflates at most `most` bytes of the zlib stream at the start of `data`. Returns fewer if the stream or `data` ends before.
///
/// This is for detection: nothing is verified, and memory grows with the output.
///
/// # Errors
/// [`FaultKind::Zlib`] if the bytes are not a zlib stream, at `at` plus the bytes that were read.
pub fn inflate_start(data: &[u8], most: usize, at: Position) -> Result<Vec<u8>, Fault> {
    /// Bytes of the first piece.
    const PIECE: usize = 1 << 14;
    let mut bytes = Vec::new();
    let mut inflater = Decompress::new(true);
    while bytes.len() < most {
        bytes.reserve_exact(bytes.len().max(PIECE).min(most.saturating_sub(bytes.len())));
        let consumed = usize::try_from(inflater.total_in()).unwrap_or(usize::MAX);
        let before = (consumed, bytes.len());
        let rest = data.get(consumed..).unwrap_or_default();
        let status = inflater.decompress_vec(rest, &mut bytes, FlushDecompress::None);
        let consumed = usize::try_from(inflater.total_in()).unwrap_or(usize::MAX);
        match status {
            Err(_) => {
                let at = Position { offset: at.offset.saturating_add(consumed as u64), ..at };
                return Err(Fault { kind: FaultKind::Zlib, at });
            }
            Ok(Status::StreamEnd) => break,
            Ok(_) if (consumed, bytes.len()) == before => break,
            Ok(_) => {}
        }
    }
    bytes.truncate(most);
    Ok(bytes)
}

/// Inflates the zlib stream at the start of `data` as far as possible, and reports its damage as that of the part `name`. Returns the
/// inflated bytes and the bytes after the stream. Damage that leaves a valid stream changes the bytes.
///
/// # Errors
/// [`FaultKind::Limit`], at `at`, if the readable part exceeds the limits.
pub fn inflate_damaged<'d>(
    data: &'d [u8],
    declared: u64,
    limits: &Limits,
    at: Position,
    name: &'static str,
    losses: &mut Losses,
) -> Result<(Vec<u8>, &'d [u8]), Fault> {
    let ReadablePart { bytes, end } = inflate_readable(data, limits.max_decompressed);
    let found = bytes.len() as u64;
    Budget::new(limits).take_decompressed(found, at)?;
    if data.first_chunk().is_some_and(|header| !is_header(*header)) {
        losses.repaired(name, "the header of the zlib stream is damaged");
    }
    let checksum = end.and_then(|end| data.get(end..)?.first_chunk());
    let is_verified = checksum.is_some_and(|checksum| u32::from_be_bytes(*checksum) == adler32(&bytes));
    if found < declared && !is_verified {
        losses.dropped(name, format!("{found} of {declared} declared bytes are readable"));
    } else if found != declared {
        losses.repaired(name, format!("the size is wrong: {declared} declared, {found} found"));
    }
    let Some(end) = end else {
        if found >= declared {
            losses.repaired(name, "the end of the zlib stream is missing");
        }
        return Ok((bytes, &[]));
    };
    let after = data.get(end..).unwrap_or_default();
    match checksum {
        None => losses.repaired(name, "the checksum is missing"),
        Some(_) if !is_verified => losses.repaired(name, "the checksum differs: values may be damaged"),
        Some(_) => {}
    }
    Ok((bytes, after.get(4..).unwrap_or_default()))
}

/// Returns `true` for a header that [`inflate`] accepts: Deflate with a window of up to 32 KiB, without a dictionary.
fn is_header([method, flags]: [u8; 2]) -> bool {
    method & 0x8F == 8 && flags & 0x20 == 0 && u16::from_be_bytes([method, flags]).is_multiple_of(31)
}

fn adler32(bytes: &[u8]) -> u32 {
    const BASE: u32 = 65_521;
    let (mut low, mut high) = (1_u32, 0_u32);
    // The sums of at most this many bytes fit 32 bits.
    for run in bytes.chunks(5552) {
        for &byte in run {
            low = low.wrapping_add(byte.into());
            high = high.wrapping_add(low);
        }
        (low, high) = (low % BASE, high % BASE);
    }
    (high << 16) | low
}

/// The readable part of a damaged zlib stream.
#[derive(Debug, Clone, PartialEq, Eq)]
struct ReadablePart {
    bytes: Vec<u8>,
    /// Number of input bytes before the checksum, if the stream has an end.
    end: Option<usize>,
}

/// Inflates the zlib stream at the start of `data` as far as possible, up to one byte more than `most`. The header and the checksum are
/// not verified.
fn inflate_readable(data: &[u8], most: u64) -> ReadablePart {
    /// Bytes of the header.
    const HEADER: usize = 2;
    /// Bytes of the first piece.
    const PIECE: usize = 1 << 12;
    let most = usize::try_from(most).unwrap_or(usize::MAX).saturating_add(1);
    let mut bytes = Vec::new();
    let mut inflater = Decompress::new(false);
    let data = data.get(HEADER..).unwrap_or_default();
    let consumed = |inflater: &Decompress| usize::try_from(inflater.total_in()).unwrap_or(usize::MAX);
    while bytes.len() < most {
        bytes.reserve_exact(bytes.len().max(PIECE).min(most.saturating_sub(bytes.len())));
        let before = (consumed(&inflater), bytes.len());
        let rest = data.get(before.0..).unwrap_or_default();
        match inflater.decompress_vec(rest, &mut bytes, FlushDecompress::None) {
            Ok(Status::StreamEnd) => {
                return ReadablePart { bytes, end: Some(consumed(&inflater).saturating_add(HEADER)) };
            }
            Ok(_) if (consumed(&inflater), bytes.len()) != before => {}
            _ => break,
        }
    }
    ReadablePart { bytes, end: None }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;
    use crate::Limits;

    fn deflate(bytes: &[u8]) -> Vec<u8> {
        let mut encoder = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::default());
        encoder.write_all(bytes).unwrap();
        encoder.finish().unwrap()
    }

    fn run(data: &[u8], declared: Option<u64>) -> Result<Inflated, FaultKind> {
        inflate(data, declared, &mut Budget::new(&Limits::default()), Position::file(0)).map_err(|fault| fault.kind)
    }

    #[test]
    fn deflated_data_is_restored_and_following_bytes_are_left() {
        for size in [0, 1, 1000, 3_000_000] {
            let plain = vec![7; size];
            let mut data = deflate(&plain);
            let consumed = data.len();
            data.extend_from_slice(b"rest");
            for declared in [None, Some(size as u64)] {
                assert_eq!(run(&data, declared), Ok(Inflated { bytes: plain.clone(), consumed }));
            }
        }
    }

    #[test]
    fn a_wrong_size_is_detected() {
        let data = deflate(&[7; 1000]);
        assert_eq!(run(&data, Some(1001)), Err(FaultKind::InflatedSize { declared: 1001, found: 1000, more: false }));
        assert!(matches!(run(&data, Some(999)), Err(FaultKind::InflatedSize { declared: 999, .. })));
        assert!(matches!(run(&data, Some(1)), Err(FaultKind::InflatedSize { declared: 1, .. })));
        assert!(matches!(run(&data, Some(u64::MAX)), Err(FaultKind::Limit { .. })));
    }

    #[test]
    fn the_start_of_a_stream_needs_only_the_start_of_its_bytes() {
        let plain: Vec<u8> = (0..200_000_u32).map(|number| (number.wrapping_mul(2_654_435_761) >> 24) as u8).collect();
        let data = deflate(&plain);
        let start = |data: &[u8], most| inflate_start(data, most, Position::file(0)).map_err(|fault| fault.kind);
        for most in [0, 1, 20_000, 200_000, 300_000, usize::MAX] {
            assert_eq!(start(&data, most).unwrap(), plain[..most.min(plain.len())]);
        }
        let some = start(&data[..data.len() / 2], usize::MAX).unwrap();
        assert!(some.len() > 10_000 && plain.starts_with(&some));
        assert_eq!(start(b"no stream", 10), Err(FaultKind::Zlib));
        assert_eq!(start(b"", 10), Ok(Vec::new()));
    }

    #[test]
    fn damage_and_truncation_are_seen() {
        let data = deflate(&[7; 1000]);
        for end in 0..data.len() {
            assert!(run(&data[..end], Some(1000)).is_err(), "cut at {end}");
            assert!(run(&data[..end], None).is_err(), "cut at {end}");
        }
        let mut bad = data.clone();
        *bad.last_mut().unwrap() ^= 1;
        assert_eq!(run(&bad, Some(1000)), Err(FaultKind::Zlib));
    }

    #[test]
    fn a_bomb_stops_at_the_budget() {
        let data = deflate(&vec![0; 10_000_000]);
        let mut budget = Budget::new(&Limits::default().with_max_decompressed(1000));
        let fault = inflate(&data, None, &mut budget, Position::file(0)).unwrap_err();
        assert!(matches!(fault.kind, FaultKind::Limit { what: "max_decompressed", .. }));
    }

    #[test]
    fn damaged_streams_are_inflated_up_to_the_damage() {
        let data: Vec<u8> = (0..100_000_u32).flat_map(|n| n.wrapping_mul(2_654_435_761).to_be_bytes()).collect();
        let mut encoder = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::new(6));
        encoder.write_all(&data).unwrap();
        let stream = encoder.finish().unwrap();
        let whole = inflate_readable(&stream, u64::MAX);
        assert!(whole.bytes == data && whole.end == Some(stream.len() - 4));
        // Without and with another checksum.
        assert_eq!(inflate_readable(&stream[..stream.len() - 4], u64::MAX), whole);
        assert_eq!(inflate_readable(&[&stream[..stream.len() - 4], &[0; 4]].concat(), u64::MAX), whole);
        let half = inflate_readable(&stream[..stream.len() / 2], u64::MAX);
        assert!(half.end.is_none() && data.starts_with(&half.bytes));
        assert!(half.bytes.len() > data.len() / 3, "{}", half.bytes.len());
        assert_eq!(inflate_readable(&stream, 1000).bytes, data[..1001]);
        assert_eq!(inflate_readable(b"x", 1000), ReadablePart { bytes: Vec::new(), end: None });
        // A block of a reserved type.
        assert!(inflate_readable(&[0x78, 0x9c, 0xff, 0xff], 1000).bytes.is_empty());
    }

    /// Returns the bytes of the damaged stream, the number of bytes after it, and the losses.
    fn rescue(data: &[u8], declared: u64, most: u64) -> Result<(Vec<u8>, usize, Vec<String>), FaultKind> {
        let limits = Limits::default().with_max_decompressed(most);
        let mut losses = Losses::new();
        let (bytes, after) = inflate_damaged(data, declared, &limits, Position::file(0), "part", &mut losses)
            .map_err(|fault| fault.kind)?;
        Ok((bytes, after.len(), losses.iter().map(ToString::to_string).collect()))
    }

    #[test]
    fn each_damage_of_a_stream_is_reported_by_itself() {
        let plain: Vec<u8> = (0..20_000_u32).map(|n| (n.wrapping_mul(2_654_435_761) >> 24) as u8).collect();
        let whole = deflate(&plain);
        let changed = |at: usize| {
            let mut data = whole.clone();
            data[at] ^= 0x40;
            data
        };
        let header = "repaired: part: the header of the zlib stream is damaged";
        let checksum = "repaired: part: the checksum differs: values may be damaged";
        let end = whole.len() - 4;
        let both = [&changed(0)[..end], &[0; 4]].concat();
        // A block that another one should follow.
        let open = [&[0x78, 0x01, 0, 3, 0, 0xFC, 0xFF][..], b"abc"].concat();
        for (data, expected) in [
            (whole.clone(), vec![]),
            (changed(0), vec![header]),
            (changed(1), vec![header]),
            (changed(end), vec![checksum]),
            (both, vec![header, checksum]),
            (whole[..end + 3].to_vec(), vec!["repaired: part: the checksum is missing"]),
        ] {
            assert_eq!(
                rescue(&data, 20_000, 1 << 20),
                Ok((plain.clone(), 0, expected.iter().map(|&t| t.to_owned()).collect()))
            );
        }
        let missing = "repaired: part: the end of the zlib stream is missing".to_owned();
        assert_eq!(rescue(&open, 3, 1 << 20), Ok((b"abc".to_vec(), 0, vec![missing])));
        let (bytes, _, texts) = rescue(&whole[..end - 100], 20_000, 1 << 20).unwrap();
        assert_eq!(texts, [format!("dropped: part: {} of 20000 declared bytes are readable", bytes.len())]);
    }

    #[test]
    fn the_readable_part_of_a_stream_stays_within_the_limit() {
        let mut data = deflate(&[7; 100_000]);
        *data.last_mut().unwrap() ^= 1;
        assert_eq!(rescue(&data, 10, 100_000).unwrap().0, [7; 100_000]);
        for most in [0, 10, 99_999] {
            let limit = FaultKind::Limit { what: "max_decompressed", asked: most + 1, limit: most };
            assert_eq!(rescue(&data, 10, most), Err(limit));
        }
    }
}

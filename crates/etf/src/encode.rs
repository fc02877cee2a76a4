//! Encoding of leaves by profile.

use crate::scalar::trim_high_zeros;
use crate::{Export, Tag, WriterProfile};

/// Writes an atom. The strict reader rejects an atom of more than 255 characters.
pub(crate) fn write_atom(out: &mut Vec<u8>, profile: WriterProfile, name: &str) {
    match profile {
        WriterProfile::Otp26 => write_utf8_atom(out, name),
        // ASCII is the same in Latin-1.
        _ if name.is_ascii() => write_short(out, Tag::ATOM, name.as_bytes()),
        _ => match name.chars().map(|c| u8::try_from(c).ok()).collect::<Option<Vec<u8>>>() {
            Some(latin1) => write_short(out, Tag::ATOM, &latin1),
            None => write_utf8_atom(out, name),
        },
    }
}

fn write_utf8_atom(out: &mut Vec<u8>, name: &str) {
    match u8::try_from(name.len()) {
        Ok(length) => {
            out.extend_from_slice(&[Tag::SMALL_ATOM_UTF8.0, length]);
            out.extend_from_slice(name.as_bytes());
        }
        Err(_) => write_short(out, Tag::ATOM_UTF8, name.as_bytes()),
    }
}

/// Writes an integer, given by its sign and little-endian absolute value.
pub(crate) fn write_integer(out: &mut Vec<u8>, negative: bool, magnitude: &[u8]) {
    let magnitude = trim_high_zeros(magnitude);
    let mut low = [0; 8];
    match low.get_mut(..magnitude.len()) {
        Some(bytes) if magnitude.len() <= 4 => {
            bytes.copy_from_slice(magnitude);
            let low = i64::from_le_bytes(low);
            write_i64(out, if negative { low.saturating_neg() } else { low });
        }
        _ => write_big(out, negative, magnitude),
    }
}

/// Writes an integer. Returns `true` if it is a SMALL_INTEGER.
#[inline]
pub(crate) fn write_i64(out: &mut Vec<u8>, value: i64) -> bool {
    if let Ok(byte) = u8::try_from(value) {
        out.extend_from_slice(&[Tag::SMALL_INTEGER.0, byte]);
        return true;
    }
    match i32::try_from(value).map(i32::to_be_bytes) {
        Ok([a, b, c, d]) => out.extend_from_slice(&[Tag::INTEGER.0, a, b, c, d]),
        Err(_) => write_big(out, value < 0, trim_high_zeros(&value.unsigned_abs().to_le_bytes())),
    }
    false
}

/// Writes an integer that does not fit 32 bits. The magnitude has no high zeros.
fn write_big(out: &mut Vec<u8>, negative: bool, magnitude: &[u8]) {
    match u8::try_from(magnitude.len()) {
        Ok(length) => out.extend_from_slice(&[Tag::SMALL_BIG.0, length]),
        Err(_) => write_header(out, Tag::LARGE_BIG, magnitude.len()),
    }
    out.push(negative.into());
    out.extend_from_slice(magnitude);
}

/// Writes a float.
pub(crate) fn write_float(out: &mut Vec<u8>, profile: WriterProfile, value: f64) {
    match profile.float_text(value) {
        Some(text) => {
            out.push(Tag::FLOAT.0);
            let end = out.len().saturating_add(31);
            out.extend_from_slice(text.as_bytes());
            out.resize(end, 0);
        }
        None => {
            out.push(Tag::NEW_FLOAT.0);
            out.extend_from_slice(&value.to_be_bytes());
        }
    }
}

/// Writes bytes.
pub(crate) fn write_binary(out: &mut Vec<u8>, bytes: &[u8]) {
    write_header(out, Tag::BINARY, bytes.len());
    out.extend_from_slice(bytes);
}

/// Writes a bit string whose last byte uses its `last` high bits; unused bits become 0. Writes a binary if `last` is 8 or
/// `bytes` is empty.
pub(crate) fn write_bits(out: &mut Vec<u8>, bytes: &[u8], last: u8) {
    let Some((&tail, head)) = bytes.split_last().filter(|_| last != 8) else { return write_binary(out, bytes) };
    write_header(out, Tag::BIT_BINARY, bytes.len());
    out.push(last);
    out.extend_from_slice(head);
    out.push(tail & !0xFF_u8.checked_shr(last.into()).unwrap_or_default());
}

/// Writes `fun module:function/arity`.
pub(crate) fn write_export(out: &mut Vec<u8>, profile: WriterProfile, export: Export<'_>) {
    out.push(Tag::EXPORT.0);
    write_atom(out, profile, &export.module.name());
    write_atom(out, profile, &export.function.name());
    write_integer(out, export.arity.negative, &export.arity.magnitude());
}

/// Writes a tag and a 4-byte length. A length that does not fit makes a term that the reader rejects.
pub(crate) fn write_header(out: &mut Vec<u8>, tag: Tag, length: usize) {
    out.push(tag.0);
    out.extend_from_slice(&u32::try_from(length).unwrap_or(u32::MAX).to_be_bytes());
}

/// Writes a tag, a 2-byte length and bytes. A length that does not fit makes a term that the reader rejects.
fn write_short(out: &mut Vec<u8>, tag: Tag, bytes: &[u8]) {
    out.push(tag.0);
    out.extend_from_slice(&u16::try_from(bytes.len()).unwrap_or(u16::MAX).to_be_bytes());
    out.extend_from_slice(bytes);
}

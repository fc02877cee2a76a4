//! Encoding of leaves by profile.

use crate::scalar::trim_high_zeros;
use crate::{Export, Tag, WriterProfile};

/// Writes an atom. The strict reader rejects an atom of more than 255 characters.
pub(crate) fn write_atom(out: &mut Vec<u8>, profile: WriterProfile, name: &str) {
    let latin1: Option<Vec<u8>> = match profile {
        WriterProfile::Otp26 => None,
        _ => name.chars().map(|c| u8::try_from(c).ok()).collect(),
    };
    match (latin1, u8::try_from(name.len())) {
        (Some(bytes), _) => write_short(out, Tag::ATOM, &bytes),
        (None, Ok(length)) => {
            out.extend_from_slice(&[Tag::SMALL_ATOM_UTF8.0, length]);
            out.extend_from_slice(name.as_bytes());
        }
        (None, Err(_)) => write_short(out, Tag::ATOM_UTF8, name.as_bytes()),
    }
}

/// Writes an integer, given by its sign and little-endian absolute value.
pub(crate) fn write_integer(out: &mut Vec<u8>, negative: bool, magnitude: &[u8]) {
    let magnitude = trim_high_zeros(magnitude);
    let length = magnitude.len();
    let mut low = [0; 8];
    let small = low.get_mut(..length).filter(|_| length <= 4).map(|low| low.copy_from_slice(magnitude)).is_some();
    let low = i64::from_le_bytes(low);
    let value = if negative { low.saturating_neg() } else { low };
    match (u8::try_from(value), i32::try_from(value)) {
        (Ok(value), _) if small => out.extend_from_slice(&[Tag::SMALL_INTEGER.0, value]),
        (_, Ok(value)) if small => {
            out.push(Tag::INTEGER.0);
            out.extend_from_slice(&value.to_be_bytes());
        }
        _ => {
            match u8::try_from(length) {
                Ok(length) => out.extend_from_slice(&[Tag::SMALL_BIG.0, length]),
                Err(_) => write_header(out, Tag::LARGE_BIG, length),
            }
            out.push(negative.into());
            out.extend_from_slice(magnitude);
        }
    }
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

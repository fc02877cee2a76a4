//! The one spelling of a leaf that a profile writes.

use crate::scalar::trim;
use crate::{Export, Profile, Tag};

/// An atom. One of more than 255 characters makes a term that no strict reader takes.
pub(crate) fn atom(out: &mut Vec<u8>, profile: Profile, name: &str) {
    let latin1: Option<Vec<u8>> = match profile {
        Profile::Otp26 => None,
        _ => name.chars().map(|c| u8::try_from(c).ok()).collect(),
    };
    match (latin1, u8::try_from(name.len())) {
        (Some(bytes), _) => with_u16(out, Tag::ATOM, &bytes),
        (None, Ok(length)) => {
            out.extend_from_slice(&[Tag::SMALL_ATOM_UTF8.0, length]);
            out.extend_from_slice(name.as_bytes());
        }
        (None, Err(_)) => with_u16(out, Tag::ATOM_UTF8, name.as_bytes()),
    }
}

/// An integer: sign, and absolute value in little-endian order.
pub(crate) fn integer(out: &mut Vec<u8>, negative: bool, magnitude: &[u8]) {
    let magnitude = trim(magnitude);
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
                Err(_) => with_u32(out, Tag::LARGE_BIG, length),
            }
            out.push(negative.into());
            out.extend_from_slice(magnitude);
        }
    }
}

/// A float.
pub(crate) fn float(out: &mut Vec<u8>, profile: Profile, value: f64) {
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

/// Bytes.
pub(crate) fn binary(out: &mut Vec<u8>, bytes: &[u8]) {
    with_u32(out, Tag::BINARY, bytes.len());
    out.extend_from_slice(bytes);
}

/// A bit string with so many bits used in its last byte, from the top; unused bits become 0. One of no bytes or of whole
/// bytes is a binary.
pub(crate) fn bits(out: &mut Vec<u8>, bytes: &[u8], last: u8) {
    let Some((&tail, head)) = bytes.split_last().filter(|_| last != 8) else { return binary(out, bytes) };
    with_u32(out, Tag::BIT_BINARY, bytes.len());
    out.push(last);
    out.extend_from_slice(head);
    out.push(tail & !0xFF_u8.checked_shr(last.into()).unwrap_or_default());
}

/// `fun module:function/arity`.
pub(crate) fn export(out: &mut Vec<u8>, profile: Profile, export: Export<'_>) {
    out.push(Tag::EXPORT.0);
    atom(out, profile, &export.module.name());
    atom(out, profile, &export.function.name());
    integer(out, export.arity.negative, &export.arity.magnitude());
}

/// A tag and a length. One that does not fit makes a term that is refused when it is finished.
pub(crate) fn with_u32(out: &mut Vec<u8>, tag: Tag, length: usize) {
    out.push(tag.0);
    out.extend_from_slice(&u32::try_from(length).unwrap_or(u32::MAX).to_be_bytes());
}

fn with_u16(out: &mut Vec<u8>, tag: Tag, bytes: &[u8]) {
    out.push(tag.0);
    out.extend_from_slice(&u16::try_from(bytes.len()).unwrap_or(u16::MAX).to_be_bytes());
    out.extend_from_slice(bytes);
}

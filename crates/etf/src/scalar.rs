//! Atoms, integers and text floats.

use std::borrow::Cow;
use std::cmp::Ordering;
use std::fmt;

use crate::Tag;

/// Name of an atom.
#[derive(Clone, Copy)]
pub struct Atom<'t> {
    bytes: &'t [u8],
    latin1: bool,
}

impl<'t> Atom<'t> {
    /// Returns the bytes of the name, in Latin-1 or UTF-8.
    pub fn as_bytes(self) -> &'t [u8] {
        self.bytes
    }

    /// Returns `true` if the bytes are Latin-1 (tags 100 and 115), `false` if they are UTF-8.
    pub fn is_latin1(self) -> bool {
        self.latin1
    }

    /// Returns the name. Invalid UTF-8 in a UTF-8 atom becomes U+FFFD.
    pub fn name(self) -> Cow<'t, str> {
        if self.latin1 && !self.bytes.is_ascii() {
            return self.bytes.iter().map(|&byte| char::from(byte)).collect();
        }
        String::from_utf8_lossy(self.bytes)
    }

    /// Returns the code points. Invalid UTF-8 bytes become numbers above the last code point.
    fn code_points(self) -> impl Iterator<Item = u32> {
        let (latin1, utf8) = if self.latin1 { (self.bytes, [].as_slice()) } else { ([].as_slice(), self.bytes) };
        let utf8 = utf8.utf8_chunks().flat_map(|chunk| {
            let invalid = chunk.invalid().iter().map(|&byte| 0x11_0000 | u32::from(byte));
            chunk.valid().chars().map(u32::from).chain(invalid)
        });
        latin1.iter().copied().map(u32::from).chain(utf8)
    }
}

impl PartialEq<str> for Atom<'_> {
    fn eq(&self, name: &str) -> bool {
        if self.latin1 && !name.is_ascii() { self.name() == name } else { self.bytes == name.as_bytes() }
    }
}

impl PartialEq for Atom<'_> {
    fn eq(&self, other: &Self) -> bool {
        if self.latin1 == other.latin1 { self.bytes == other.bytes } else { self.cmp(other).is_eq() }
    }
}

impl Eq for Atom<'_> {}

impl PartialOrd for Atom<'_> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Atom<'_> {
    /// Compares by code points. Invalid UTF-8 bytes sort last.
    fn cmp(&self, other: &Self) -> Ordering {
        self.code_points().cmp(other.code_points())
    }
}

impl fmt::Debug for Atom<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// Parses the atom at the start of `rest`. Returns its length including the tag, and the atom.
pub(crate) fn parse_atom(rest: &[u8]) -> Option<(usize, Atom<'_>)> {
    let (&tag, body) = rest.split_first()?;
    // As in `shape`, without the other tags.
    let (start, length) = match Tag(tag) {
        Tag::ATOM | Tag::ATOM_UTF8 => (3_usize, u16::from_be_bytes(*body.first_chunk()?).into()),
        Tag::SMALL_ATOM | Tag::SMALL_ATOM_UTF8 => (2, usize::from(*body.first()?)),
        _ => return None,
    };
    let end = start.saturating_add(length);
    let latin1 = matches!(Tag(tag), Tag::ATOM | Tag::SMALL_ATOM);
    Some((end, Atom { bytes: rest.get(start..end)?, latin1 }))
}

/// An integer of any size.
#[derive(Debug, Clone, Copy)]
pub struct Integer<'t> {
    /// `true` if the integer is below zero. Negative zero counts as zero.
    pub negative: bool,
    magnitude: Magnitude<'t>,
}

#[derive(Debug, Clone, Copy)]
enum Magnitude<'t> {
    Small(u32),
    /// Little-endian, without high zero bytes.
    Big(&'t [u8]),
}

impl From<u8> for Integer<'_> {
    fn from(value: u8) -> Self {
        Self { negative: false, magnitude: Magnitude::Small(value.into()) }
    }
}

impl PartialEq for Integer<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Integer<'_> {}

impl PartialOrd for Integer<'_> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Integer<'_> {
    fn cmp(&self, other: &Self) -> Ordering {
        let absolute = match (self.magnitude, other.magnitude) {
            (Magnitude::Small(a), Magnitude::Small(b)) => a.cmp(&b),
            _ => {
                let (a, b) = (self.magnitude(), other.magnitude());
                a.len().cmp(&b.len()).then_with(|| a.iter().rev().cmp(b.iter().rev()))
            }
        };
        match (self.negative, other.negative) {
            (false, false) => absolute,
            (true, true) => absolute.reverse(),
            (negative, _) => {
                if negative {
                    Ordering::Less
                } else {
                    Ordering::Greater
                }
            }
        }
    }
}

impl<'t> Integer<'t> {
    /// Parses the integer with this tag. `body` starts after the tag. Returns `None` for other tags.
    pub(crate) fn parse(tag: Tag, body: &'t [u8]) -> Option<Self> {
        match tag {
            Tag::SMALL_INTEGER => Some(Self { negative: false, magnitude: Magnitude::Small((*body.first()?).into()) }),
            Tag::INTEGER => {
                let value = i32::from_be_bytes(*body.first_chunk()?);
                Some(Self { negative: value < 0, magnitude: Magnitude::Small(value.unsigned_abs()) })
            }
            Tag::SMALL_BIG | Tag::LARGE_BIG => {
                let (count, rest) = match tag {
                    Tag::SMALL_BIG => body.split_first().map(|(&count, rest)| (count.into(), rest))?,
                    _ => body.split_first_chunk().map(|(count, rest)| (u32::from_be_bytes(*count) as usize, rest))?,
                };
                let (sign, rest) = rest.split_first()?;
                let magnitude = trim_high_zeros(rest.get(..count)?);
                Some(Self { negative: *sign != 0 && !magnitude.is_empty(), magnitude: Magnitude::Big(magnitude) })
            }
            _ => None,
        }
    }

    /// Returns the absolute value, little-endian, without high zero bytes.
    pub fn magnitude(&self) -> Cow<'_, [u8]> {
        match self.magnitude {
            Magnitude::Small(value) => trim_high_zeros(&value.to_le_bytes()).to_vec().into(),
            Magnitude::Big(bytes) => bytes.into(),
        }
    }

    /// Returns the integer if it fits an `i64`.
    pub fn to_i64(self) -> Option<i64> {
        let absolute = match self.magnitude {
            Magnitude::Small(value) => value.into(),
            Magnitude::Big(bytes) => {
                let mut word = [0; 8];
                word.get_mut(..bytes.len())?.copy_from_slice(bytes);
                u64::from_le_bytes(word)
            }
        };
        let value = i128::from(absolute);
        i64::try_from(if self.negative { value.saturating_neg() } else { value }).ok()
    }
}

/// Removes zero bytes at the high end.
pub(crate) fn trim_high_zeros(bytes: &[u8]) -> &[u8] {
    let mut bytes = bytes;
    while let Some((0, rest)) = bytes.split_last() {
        bytes = rest;
    }
    bytes
}

/// Parses a text float as Erlang does: `[+-]?digits[.,]digits([eE][+-]?digits)?` up to a NUL. The value must be finite.
pub(crate) fn parse_text_float(text: &[u8]) -> Option<f64> {
    let end = text.iter().position(|&byte| byte == 0)?;
    let text = std::str::from_utf8(text.get(..end)?).ok()?;
    let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
    let (whole, rest) = unsigned.split_once(['.', ','])?;
    let (fraction, exponent) = match rest.split_once(['e', 'E']) {
        Some((fraction, exponent)) => (fraction, Some(exponent.strip_prefix(['+', '-']).unwrap_or(exponent))),
        None => (rest, None),
    };
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    if !(digits(whole) && digits(fraction) && exponent.is_none_or(digits)) {
        return None;
    }
    text.replace(',', ".").parse().ok().filter(|value: &f64| value.is_finite())
}

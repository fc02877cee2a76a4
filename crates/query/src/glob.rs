//! Patterns with wildcards.

use std::fmt;

use crate::Text;

/// A pattern: `*` matches any text, `?` one character. Capitals and small letters are the same.
///
/// Text in unknown encodings matches byte by byte where it is not UTF-8.
///
/// ```
/// use mapwright_query::Glob;
///
/// assert!(Glob::new(b"*brick?").matches(b"OLDBRICK2"));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Glob {
    parts: Vec<Part>,
    /// The text, if it is ASCII without wildcards: the usual case, and quick to compare.
    exact: Option<Vec<u8>>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Part {
    /// A small letter or other character, or a byte that is not UTF-8.
    Unit(u32),
    /// `?`
    One,
    /// `*`
    Many,
}

impl Glob {
    /// Creates a pattern in which every `*` and `?` is a wildcard.
    pub fn new(pattern: &[u8]) -> Self {
        Self::with_wildcards(pattern, |at| matches!(pattern.get(at), Some(b'*' | b'?')))
    }

    /// Creates a pattern that matches only this text.
    pub fn literal(text: &[u8]) -> Self {
        Self::with_wildcards(text, |_| false)
    }

    /// Creates a pattern that matches what contains this one.
    #[must_use]
    pub fn contained(&self) -> Self {
        let parts = [&[Part::Many], self.parts.as_slice(), &[Part::Many]].concat();
        Self { parts, exact: None }
    }

    fn with_wildcards(bytes: &[u8], is_wildcard: impl Fn(usize) -> bool) -> Self {
        let (mut parts, mut at) = (Vec::with_capacity(bytes.len()), 0_usize);
        for chunk in bytes.utf8_chunks() {
            for c in chunk.valid().chars() {
                parts.push(match c {
                    '*' if is_wildcard(at) => Part::Many,
                    '?' if is_wildcard(at) => Part::One,
                    _ => Part::Unit(fold(c)),
                });
                at = at.saturating_add(c.len_utf8());
            }
            parts.extend(chunk.invalid().iter().map(|byte| Part::Unit(unit(*byte))));
            at = at.saturating_add(chunk.invalid().len());
        }
        let is_exact = bytes.is_ascii() && parts.iter().all(|part| matches!(part, Part::Unit(_)));
        Self { parts, exact: is_exact.then(|| bytes.to_ascii_lowercase()) }
    }

    /// Returns `true` if it has no wildcards.
    pub fn is_exact(&self) -> bool {
        self.parts.iter().all(|part| matches!(part, Part::Unit(_)))
    }

    /// Returns `true` if the text matches the pattern.
    pub fn matches(&self, text: &[u8]) -> bool {
        match &self.exact {
            Some(exact) => text.eq_ignore_ascii_case(exact),
            None => matches(&self.parts, units(text)),
        }
    }
}

impl From<&Text> for Glob {
    fn from(text: &Text) -> Self {
        Self::with_wildcards(text.as_bytes(), |at| text.wildcards().binary_search(&at).is_ok())
    }
}

impl fmt::Display for Glob {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for part in &self.parts {
            match part {
                Part::Many => f.write_str("*")?,
                Part::One => f.write_str("?")?,
                Part::Unit(unit) => match char::from_u32(*unit) {
                    Some(c) => write!(f, "{c}")?,
                    None => write!(f, "\\x{:02x}", unit.wrapping_sub(BYTES))?,
                },
            }
        }
        Ok(())
    }
}

/// Bytes that are not UTF-8 are numbered after all characters.
const BYTES: u32 = 0x11_0000;

fn unit(byte: u8) -> u32 {
    BYTES.saturating_add(byte.into())
}

/// Returns a character as a small letter. Letters whose small form has several characters stay.
pub(crate) fn fold(c: char) -> u32 {
    if c.is_ascii() {
        return c.to_ascii_lowercase().into();
    }
    let mut lower = c.to_lowercase();
    match (lower.next(), lower.next()) {
        (Some(single), None) => single.into(),
        _ => c.into(),
    }
}

/// Returns the characters of a string in lower case.
pub(crate) fn units(text: &[u8]) -> impl Iterator<Item = u32> + Clone {
    text.utf8_chunks().flat_map(|chunk| {
        let characters = chunk.valid().chars().map(fold);
        characters.chain(chunk.invalid().iter().map(|byte| unit(*byte)))
    })
}

fn matches<I: Iterator<Item = u32> + Clone>(parts: &[Part], mut text: I) -> bool {
    let mut at = 0_usize;
    // After the last `*`: the parts, and the text that it has not taken yet.
    let mut retry: Option<(usize, I)> = None;
    loop {
        let part = parts.get(at);
        if part == Some(&Part::Many) {
            at = at.saturating_add(1);
            retry = Some((at, text.clone()));
            continue;
        }
        let mut ahead = text.clone();
        match (part, ahead.next()) {
            (None, None) => return true,
            (Some(_), None) => return false,
            (Some(Part::One), Some(_)) => (at, text) = (at.saturating_add(1), ahead),
            (Some(Part::Unit(unit)), Some(found)) if *unit == found => (at, text) = (at.saturating_add(1), ahead),
            _ => {
                let Some((after, from)) = &mut retry else { return false };
                from.next();
                (at, text) = (*after, from.clone());
            }
        }
    }
}

//! Strings in slots of fixed size, and bytes as printable text.

use std::fmt;

use crate::is_unprintable;

/// A string in a slot of `N` bytes: text up to the first NUL, and the residue after it.
///
/// Editors rarely clear a slot before they write a shorter text into it, so the bytes after the NUL are data of the file.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct FixedBytes<const N: usize> {
    /// All bytes of the slot.
    pub raw: [u8; N],
}

impl<const N: usize> FixedBytes<N> {
    /// Returns the text: the bytes before the first NUL, or all bytes.
    pub fn text(&self) -> &[u8] {
        self.raw.split(|&byte| byte == 0).next().unwrap_or_default()
    }

    /// Returns the bytes after the first NUL.
    pub fn residue(&self) -> &[u8] {
        self.raw.get(self.text().len().saturating_add(1)..).unwrap_or_default()
    }

    /// Creates a slot with a text and no residue. Returns `None` if the text is longer than the slot. A text of exactly `N` bytes has no
    /// NUL.
    pub fn from_text(text: &[u8]) -> Option<Self> {
        let mut raw = [0; N];
        raw.get_mut(..text.len())?.copy_from_slice(text);
        Some(Self { raw })
    }
}

impl<const N: usize> fmt::Debug for FixedBytes<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "\"{}\"", escape(self.text()))?;
        if self.residue().iter().any(|&byte| byte != 0) {
            write!(f, " + \"{}\"", escape(self.residue()))?;
        }
        Ok(())
    }
}

/// Prints bytes as text for people. Control characters and bytes that are not UTF-8 become `\xHH`, other
/// [unprintable](is_unprintable) characters `\u{…}`; quotes and backslashes get a backslash.
pub fn escape(bytes: &[u8]) -> impl fmt::Display {
    struct Escaped<'a>(&'a [u8]);
    impl fmt::Display for Escaped<'_> {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            for chunk in self.0.utf8_chunks() {
                for c in chunk.valid().chars() {
                    match c {
                        '"' | '\\' => write!(f, "\\{c}")?,
                        '\n' => f.write_str("\\n")?,
                        '\r' => f.write_str("\\r")?,
                        '\t' => f.write_str("\\t")?,
                        c if c.is_control() => {
                            for byte in c.encode_utf8(&mut [0; 4]).bytes() {
                                write!(f, "\\x{byte:02x}")?;
                            }
                        }
                        c if is_unprintable(c) => write!(f, "{}", c.escape_unicode())?,
                        c => fmt::Write::write_char(f, c)?,
                    }
                }
                for byte in chunk.invalid() {
                    write!(f, "\\x{byte:02x}")?;
                }
            }
            Ok(())
        }
    }
    Escaped(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slot_keeps_the_residue_after_its_text() {
        let slot = FixedBytes { raw: *b"ab\0old" };
        assert_eq!((slot.text(), slot.residue()), (&b"ab"[..], &b"old"[..]));
        assert_eq!(format!("{slot:?}"), r#""ab" + "old""#);
        let full = FixedBytes { raw: *b"abc" };
        assert_eq!((full.text(), full.residue()), (&b"abc"[..], &b""[..]));
        assert_eq!(FixedBytes::<2>::from_text(b"abc"), None);
    }

    #[test]
    fn any_bytes_can_be_shown() {
        assert_eq!(escape(b"a\"\\\n\x01\xff\xc3\xa9").to_string(), "a\\\"\\\\\\n\\x01\\xff\u{e9}");
        assert_eq!(escape("\u{9b}\u{202e}\u{feff}".as_bytes()).to_string(), r"\xc2\x9b\u{202e}\u{feff}");
    }
}

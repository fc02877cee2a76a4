//! The first line of a file.

use std::fmt;

use crate::layout::{PREFIX_BLOCK, PREFIX_CLASS};

/// The first line, with the encoding and the format.
#[derive(Clone, PartialEq, Eq)]
pub struct Header {
    /// Encoding of the elements.
    pub encoding: Encoding,
    /// The format: `vmap`, `pcf`, `dmx`, …
    pub format: Vec<u8>,
    /// Version of the format.
    pub format_version: u32,
    /// Style of the line.
    pub style: HeaderStyle,
    // The line as it was read, which is written as long as it matches the fields.
    line: Option<Box<[u8]>>,
}

/// The style of a header line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum HeaderStyle {
    /// `<!-- dmx encoding binary 9 format vmap 40 -->`
    Modern,
    /// `<!-- DMXVersion binary_v1 -->`: before 2008. No file of that time is known.
    Legacy,
}

impl Header {
    /// Returns the class of the element that repeats the prefix attributes in binary files. Text does not store it. Maps of format 20
    /// have `$prefix_element$`, those of formats 18 and 28 to 40 `DmElement`. Formats between 18 and 28 are taken for 20.
    pub fn prefix_class(&self) -> &'static [u8] {
        let is_early = self.format == b"vmap" && (19..28).contains(&self.format_version);
        if is_early { PREFIX_BLOCK } else { PREFIX_CLASS }
    }
}

/// An encoding and its version.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Encoding {
    /// The encoding.
    pub name: EncodingName,
    /// 0 to 9 for binary, 0 to 4 for text. 0 belongs to legacy headers. Binary 6 and 8 are not verified: no real file is known.
    pub version: u8,
}

/// The encodings of DMX.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum EncodingName {
    /// `binary`
    Binary,
    /// `binary_seqids`: binary with sequential identities.
    BinarySeqIds,
    /// `unicode_binary`: srctools' name for binary whose strings are UTF-8.
    UnicodeBinary,
    /// `keyvalues2`: text. An element with a single reference is written in its place.
    KeyValues2,
    /// `keyvalues2_flat`: text. All elements are at the top level.
    KeyValues2Flat,
    /// `keyvalues2_noids`: text with the identities of referenced elements only.
    KeyValues2NoIds,
    /// `unicode_keyvalues2`: srctools' name for text whose strings are UTF-8.
    UnicodeKeyValues2,
}

const NAMES: [(EncodingName, &str); 7] = [
    (EncodingName::Binary, "binary"),
    (EncodingName::BinarySeqIds, "binary_seqids"),
    (EncodingName::UnicodeBinary, "unicode_binary"),
    (EncodingName::KeyValues2, "keyvalues2"),
    (EncodingName::KeyValues2Flat, "keyvalues2_flat"),
    (EncodingName::KeyValues2NoIds, "keyvalues2_noids"),
    (EncodingName::UnicodeKeyValues2, "unicode_keyvalues2"),
];

impl EncodingName {
    /// Returns the name in headers.
    pub fn name(self) -> &'static str {
        NAMES.iter().find(|(name, _)| *name == self).map_or("", |(_, text)| text)
    }

    /// Returns the encoding with a name.
    pub fn from_name(text: &[u8]) -> Option<Self> {
        NAMES.iter().find(|(_, name)| name.as_bytes() == text).map(|(name, _)| *name)
    }

    /// Returns `true` for text encodings.
    pub fn is_text(self) -> bool {
        match self {
            Self::Binary | Self::BinarySeqIds | Self::UnicodeBinary => false,
            Self::KeyValues2 | Self::KeyValues2Flat | Self::KeyValues2NoIds | Self::UnicodeKeyValues2 => true,
        }
    }

    /// Returns the newest known version.
    pub fn max_version(self) -> u8 {
        if self.is_text() { 4 } else { 9 }
    }
}

impl Encoding {
    /// The encoding that Hammer has written since 2014.
    pub const BINARY_9: Self = Self { name: EncodingName::Binary, version: 9 };
    /// The text encoding of Hammer.
    pub const KEYVALUES2_4: Self = Self { name: EncodingName::KeyValues2, version: 4 };

    /// Returns `true` for text encodings.
    pub fn is_text(self) -> bool {
        self.name.is_text()
    }
}

impl fmt::Display for Encoding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.name.name(), self.version)
    }
}

/// An error of the first line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum HeaderError {
    NotDmx,
    Encoding(String),
    Version(Encoding, u32),
    Malformed,
}

/// Returns the style if a line begins like a header.
pub(crate) fn tag(bytes: &[u8]) -> Option<HeaderStyle> {
    mark(bytes).map(|(style, _)| style)
}

fn mark(bytes: &[u8]) -> Option<(HeaderStyle, &[u8])> {
    let rest = skip_spaces(bytes.strip_prefix(b"<!--")?);
    [(HeaderStyle::Modern, "dmx"), (HeaderStyle::Legacy, "dmxversion")].into_iter().rev().find_map(|(style, word)| {
        let (start, rest) = rest.split_at_checked(word.len())?;
        let is_word = rest.first().is_none_or(|&byte| is_space(byte));
        (is_word && start.eq_ignore_ascii_case(word.as_bytes())).then_some((style, rest))
    })
}

/// Returns `true` for spaces of Valve's reader.
fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'\r' | 0x0B | 0x0C)
}

fn skip_spaces(bytes: &[u8]) -> &[u8] {
    let spaces = bytes.iter().take_while(|&&byte| is_space(byte)).count();
    bytes.get(spaces..).unwrap_or_default()
}

impl Header {
    /// Creates a header in the modern style.
    pub fn new(encoding: Encoding, format: &str, format_version: u32) -> Self {
        Self { encoding, format: format.into(), format_version, style: HeaderStyle::Modern, line: None }
    }

    /// Reads the header up to and including `-->`, and returns its size in bytes.
    pub(crate) fn read(bytes: &[u8]) -> Result<(Self, usize), HeaderError> {
        let (style, rest) = mark(bytes).ok_or(HeaderError::NotDmx)?;
        // Real headers have up to 300 bytes: do not search the rest of the file.
        let window = rest.get(..4096).unwrap_or(rest);
        let end = window.windows(3).position(|three| three == b"-->").ok_or(HeaderError::Malformed)?;
        let (text, _) = rest.split_at_checked(end).ok_or(HeaderError::Malformed)?;
        let taken = bytes.len().saturating_sub(rest.len()).saturating_add(end).saturating_add(3);
        let words: Vec<&[u8]> = text.split(|&byte| is_space(byte)).filter(|word| !word.is_empty()).collect();
        let mut header = match (style, words.as_slice()) {
            (HeaderStyle::Modern, [encoding, name, version, format, about, about_version])
                if encoding.eq_ignore_ascii_case(b"encoding") && format.eq_ignore_ascii_case(b"format") =>
            {
                let name = EncodingName::from_name(name).ok_or_else(|| HeaderError::Encoding(lossy(name)))?;
                let version = number(version).ok_or(HeaderError::Malformed)?;
                Self {
                    encoding: checked(name, version)?,
                    format: about.to_vec(),
                    format_version: number(about_version).ok_or(HeaderError::Malformed)?,
                    style,
                    line: None,
                }
            }
            (HeaderStyle::Legacy, [name]) => {
                let at = name.windows(2).rposition(|two| two == b"_v").ok_or(HeaderError::Malformed)?;
                let (name, version) = name.split_at_checked(at).ok_or(HeaderError::Malformed)?;
                let version = version.get(2..).and_then(number).ok_or(HeaderError::Malformed)?;
                let (encoding, format) = match name {
                    b"binary" | b"sfm" => (EncodingName::Binary, b"dmx".as_slice()),
                    b"keyvalues2" => (EncodingName::KeyValues2, b"dmx".as_slice()),
                    b"keyvalues2_flat" => (EncodingName::KeyValues2Flat, b"dmx".as_slice()),
                    // Old format names do not determine the encoding; text starts with a quote.
                    _ if text_follows(bytes.get(taken..).unwrap_or_default()) => (EncodingName::KeyValues2, name),
                    _ => (EncodingName::Binary, name),
                };
                let encoding = Encoding { name: encoding, version: 0 };
                Self { encoding, format: format.to_vec(), format_version: version, style, line: None }
            }
            _ => return Err(HeaderError::Malformed),
        };
        header.line = bytes.get(..taken).map(Into::into);
        Ok((header, taken))
    }

    /// Returns the header up to and including `-->`, as it was read if it still matches.
    pub(crate) fn line(&self) -> Vec<u8> {
        if let Some(line) = &self.line
            && Self::read(line).is_ok_and(|(read, _)| read.matches(self))
        {
            return line.to_vec();
        }
        let Self { encoding, format, format_version, .. } = self;
        let mut line = match self.style {
            HeaderStyle::Modern => format!("<!-- dmx encoding {encoding} format ").into_bytes(),
            HeaderStyle::Legacy => b"<!-- DMXVersion ".to_vec(),
        };
        match (self.style, format.as_slice()) {
            (HeaderStyle::Legacy, b"dmx") => line.extend_from_slice(encoding.name.name().as_bytes()),
            _ => line.extend_from_slice(format),
        }
        let separator = if self.style == HeaderStyle::Modern { " " } else { "_v" };
        line.extend_from_slice(format!("{separator}{format_version} -->").as_bytes());
        line
    }

    /// Returns `true` if a line can represent this header: names must be words, and legacy lines have few encodings.
    pub(crate) fn is_writable(&self) -> bool {
        let line = self.line();
        Self::read(&line).is_ok_and(|(read, taken)| taken == line.len() && read.matches(self))
    }

    fn matches(&self, other: &Self) -> bool {
        let about = |header: &Self| (header.format.clone(), header.format_version, header.style);
        // Old format names do not determine whether text or binary follows.
        let open = self.style == HeaderStyle::Legacy
            && self.format != b"dmx"
            && [self, other].iter().all(|header| {
                header.encoding.version == 0
                    && matches!(header.encoding.name, EncodingName::Binary | EncodingName::KeyValues2)
            });
        about(self) == about(other) && (self.encoding == other.encoding || open)
    }
}

fn text_follows(bytes: &[u8]) -> bool {
    skip_spaces(bytes).first().is_none_or(|&byte| byte == b'"')
}

fn checked(name: EncodingName, version: u32) -> Result<Encoding, HeaderError> {
    let encoding = Encoding { name, version: u8::try_from(version).unwrap_or(u8::MAX) };
    let known = 1..=u32::from(name.max_version());
    if known.contains(&version) { Ok(encoding) } else { Err(HeaderError::Version(encoding, version)) }
}

fn number(text: &[u8]) -> Option<u32> {
    std::str::from_utf8(text).ok()?.parse().ok()
}

fn lossy(text: &[u8]) -> String {
    String::from_utf8_lossy(text.get(..64).unwrap_or(text)).into_owned()
}

impl fmt::Debug for Header {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&String::from_utf8_lossy(&self.line()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(text: &str) -> Result<(Header, usize), HeaderError> {
        Header::read(text.as_bytes())
    }

    #[test]
    fn a_line_is_preserved_until_a_field_changes() {
        let unusual = "<!--\tDMX  encoding binary 9 FORMAT vmap 40-->";
        let (mut header, taken) = line(&format!("{unusual}\n\0")).unwrap();
        assert_eq!((taken, header.encoding, header.format_version), (unusual.len(), Encoding::BINARY_9, 40));
        assert_eq!(header.line(), unusual.as_bytes());
        header.format_version = 35;
        assert_eq!(header.line(), b"<!-- dmx encoding binary 9 format vmap 35 -->");
    }

    #[test]
    fn legacy_lines_are_read() {
        for (text, name, format) in [
            ("<!-- DMXVersion binary_v1 -->\n\0", EncodingName::Binary, "dmx"),
            ("<!-- DMXVersion sfm_v3 -->\n\0", EncodingName::Binary, "dmx"),
            ("<!-- DMXVersion keyvalues2_flat_v1 -->\n", EncodingName::KeyValues2Flat, "dmx"),
            ("<!-- DMXVersion movie_v1 -->\n\"A\" {}", EncodingName::KeyValues2, "movie"),
            ("<!-- DMXVersion movie_v1 -->\n\0\x01", EncodingName::Binary, "movie"),
        ] {
            let (header, taken) = line(text).unwrap();
            assert_eq!((header.encoding.name, header.encoding.version), (name, 0), "{text}");
            assert_eq!(
                (header.format.as_slice(), header.line()),
                (format.as_bytes(), text.as_bytes()[..taken].to_vec())
            );
        }
    }

    #[test]
    fn other_lines_are_rejected() {
        assert_eq!(line("<!-- html -->").err(), Some(HeaderError::NotDmx));
        assert_eq!(line("<!-- dmx encoding vmf 1 format x 1 -->").err(), Some(HeaderError::Encoding("vmf".to_owned())));
        assert!(matches!(line("<!-- dmx encoding binary 10 format x 1 -->"), Err(HeaderError::Version(_, 10))));
        assert_eq!(line("<!-- dmx encoding binary 9").err(), Some(HeaderError::Malformed));
    }
}

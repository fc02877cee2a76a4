//! Detection of formats by content: unrelated formats share the extension.

use std::fmt;

use mapwright_io::Confidence;

use crate::Dialect;
use crate::read::text::lexer::comment_at;

/// Returns how likely bytes are a map. The first 4096 suffice.
pub fn sniff(bytes: &[u8]) -> Confidence {
    match Content::from_bytes(bytes) {
        Content::Map(_) => Confidence::Certain,
        Content::Other(_) | Content::Version(_) => Confidence::No,
        Content::Fragment => Confidence::Maybe,
        Content::Unknown => Confidence::No,
    }
}

/// Another format that uses the extension `.wmp`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Other {
    /// A map of Acknex-3 (1996): `VERTEX`, `REGION`, `WALL`.
    Acknex3,
    /// Windows Media.
    WindowsMedia,
    /// A pointer file of Git LFS.
    LfsPointer,
}

impl Other {
    /// Returns one line on what to do with such a file.
    pub(crate) const fn help(self) -> Option<&'static str> {
        match self {
            Self::LfsPointer => Some(mapwright_io::GIT_LFS_HELP),
            Self::Acknex3 | Self::WindowsMedia => None,
        }
    }
}

impl fmt::Display for Other {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Acknex3 => "a map of Acknex-3 (VERTEX, REGION, WALL), which is another format",
            Self::WindowsMedia => "a Windows Media file",
            Self::LfsPointer => "a Git LFS pointer to a file",
        })
    }
}

/// A detected format.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Content {
    /// A map.
    Map(Dialect),
    /// Text with a section of a map, but neither a head nor a version. The dialect follows from its whole content.
    Fragment,
    /// A text map of another version.
    Version(String),
    /// Another format that uses the extension.
    Other(Other),
    /// Unknown.
    Unknown,
}

/// The range in which marks are searched.
const HEAD: usize = 4096;

impl Content {
    /// Detects the format from the first 4096 bytes.
    pub(crate) fn from_bytes(bytes: &[u8]) -> Self {
        if bytes.starts_with(b"WMPB") {
            return Self::Map(Dialect::Binary);
        }
        if bytes.starts_with(&[0x30, 0x26, 0xB2, 0x75, 0x8E, 0x66, 0xCF, 0x11]) {
            return Self::Other(Other::WindowsMedia);
        }
        let text = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
        if mapwright_io::is_git_lfs_pointer(text) {
            return Self::Other(Other::LfsPointer);
        }
        let head = text.get(..HEAD).unwrap_or(text);
        let lines = || head.split(|byte| *byte == b'\n').map(<[u8]>::trim_ascii);
        // The contents of sections are arbitrary, so only lines before the first section count.
        let mut header = lines().take_while(|line| line.starts_with(b"//") || !line.contains(&b'{'));
        let version = header.find_map(|line| {
            let number = line.strip_prefix(b"version")?;
            let spaced = number.first().is_some_and(u8::is_ascii_whitespace);
            let number = number.trim_ascii();
            (spaced && !number.is_empty() && number.iter().all(u8::is_ascii_digit)).then_some(number)
        });
        let headed = text.starts_with(b"// WMP2");
        match version {
            Some(b"510") => Self::Map(Dialect::A5),
            Some(b"710") => Self::Map(Dialect::A7),
            Some(b"711") => Self::Map(Dialect::Resolved),
            Some(found) => Self::Version(String::from_utf8_lossy(found).into_owned()),
            None if headed || lines().any(is_section) || is_resolved(lines()) => Self::Fragment,
            None if lines().any(is_acknex3) => Self::Other(Other::Acknex3),
            None => Self::Unknown,
        }
    }
}

/// Returns `true` if a line opens or counts sections of a map.
fn is_section(line: &[u8]) -> bool {
    let mut words = line.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty());
    let (first, second) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
    let third = words.next().unwrap_or_default();
    let number = !second.is_empty() && second.iter().all(u8::is_ascii_digit);
    match first {
        b"wed" => second == b"{",
        b"blocks" => number && third.is_empty(),
        b"block" | b"level" | b"object" => number && third.starts_with(b"{"),
        _ => false,
    }
}

/// Returns `true` if the first lines open a section of `$$M`: a brace, then `vertices` or the type of the section.
fn is_resolved<'a>(lines: impl Iterator<Item = &'a [u8]>) -> bool {
    let content = |line: &'a [u8]| line.get(..comment_at(line)).unwrap_or_default().trim_ascii();
    let mut lines = lines.map(content).filter(|line| !line.is_empty());
    let second = |line: &[u8]| line.starts_with(b"vertices ") || matches!(line, [b'0'..=b'7']);
    lines.next() == Some(b"{") && lines.next().is_some_and(second)
}

/// Returns `true` if a line is one of Acknex-3.
fn is_acknex3(line: &[u8]) -> bool {
    [&b"VERTEX"[..], b"REGION", b"WALL"].iter().any(|word| {
        line.strip_prefix(*word).is_some_and(|rest| rest.first().is_some_and(u8::is_ascii_whitespace))
            && line.contains(&b';')
    })
}

//! What a file is, by its content: the extension is shared by unrelated formats.

use std::fmt;

use mapwright_io::Confidence;

use crate::Dialect;

/// Whether bytes are a map; the first 4096 suffice.
pub fn sniff(bytes: &[u8]) -> Confidence {
    match Content::of(bytes) {
        Content::Map(_) => Confidence::Certain,
        Content::Other(_) | Content::Version(_) => Confidence::No,
        Content::Fragment => Confidence::Maybe,
        Content::Unknown => Confidence::No,
    }
}

/// Something else that is called `.wmp`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Other {
    /// A map of Acknex-3 of 1996: `VERTEX`, `REGION`, `WALL`.
    Acknex3,
    /// Windows Media.
    WindowsMedia,
    /// A pointer of Git LFS.
    LfsPointer,
}

impl Other {
    /// One line on what to do with it.
    pub(crate) const fn help(self) -> Option<&'static str> {
        match self {
            Self::LfsPointer => Some("fetch it with `git lfs pull`"),
            Self::Acknex3 | Self::WindowsMedia => None,
        }
    }
}

impl fmt::Display for Other {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Acknex3 => "a map of Acknex-3 (VERTEX, REGION, WALL), which is another format",
            Self::WindowsMedia => "a film or a sound of Windows Media",
            Self::LfsPointer => "a Git LFS pointer to a file",
        })
    }
}

/// What bytes hold.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Content {
    /// A map.
    Map(Dialect),
    /// Text with a section of a map, but neither a head nor a version: which dialect, the whole of it says.
    Fragment,
    /// A text map of another version.
    Version(String),
    /// Something else that is called so.
    Other(Other),
    /// Nothing that is known.
    Unknown,
}

/// How far marks are looked for.
const HEAD: usize = 4096;

impl Content {
    /// What bytes hold, by the first 4096 of them.
    pub(crate) fn of(bytes: &[u8]) -> Self {
        if bytes.starts_with(b"WMPB") {
            return Self::Map(Dialect::Binary);
        }
        if bytes.starts_with(&[0x30, 0x26, 0xB2, 0x75, 0x8E, 0x66, 0xCF, 0x11]) {
            return Self::Other(Other::WindowsMedia);
        }
        let text = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
        if text.starts_with(b"version https://git-lfs") {
            return Self::Other(Other::LfsPointer);
        }
        let head = text.get(..HEAD).unwrap_or(text);
        let lines = || head.split(|byte| *byte == b'\n').map(<[u8]>::trim_ascii);
        // What sections keep may say anything.
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
            None if headed || lines().any(is_section) => Self::Fragment,
            None if lines().any(is_acknex3) => Self::Other(Other::Acknex3),
            None => Self::Unknown,
        }
    }
}

/// Whether a line opens or counts sections of a map.
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

/// Whether a line is one of Acknex-3.
fn is_acknex3(line: &[u8]) -> bool {
    [&b"VERTEX"[..], b"REGION", b"WALL"].iter().any(|word| {
        line.strip_prefix(*word).is_some_and(|rest| rest.first().is_some_and(u8::is_ascii_whitespace))
            && line.contains(&b';')
    })
}

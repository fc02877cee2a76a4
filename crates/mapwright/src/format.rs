//! The formats, each with what can be done with it.

use mapwright_io::{Confidence, FormatInfo};

/// A format that this build knows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Format {
    /// Wings 3D scene.
    #[cfg(feature = "wings")]
    Wings,
    /// Erlang external term: any stream that begins with 131.
    Etf,
    /// Wavefront OBJ with its material library.
    #[cfg(feature = "obj")]
    Obj,
}

/// What can be done with a format.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct Access {
    /// Files are kept as documents: read, looked into, checked, and written back without losing a byte.
    pub lossless: bool,
    /// Files can be turned into a scene.
    pub import: bool,
    /// Files can be made of a scene.
    pub export: bool,
}

/// Erlang terms have no usual extension; these are the ones met.
const ETF: FormatInfo = FormatInfo::new("etf", "Erlang external term", &["etf", "bert"]);

impl Format {
    /// Every format of this build, in the order in which they are shown.
    pub const ALL: &[Self] = &[
        #[cfg(feature = "wings")]
        Self::Wings,
        Self::Etf,
        #[cfg(feature = "obj")]
        Self::Obj,
    ];

    /// Name, title and extensions.
    pub const fn info(self) -> FormatInfo {
        match self {
            #[cfg(feature = "wings")]
            Self::Wings => mapwright_wings::FORMAT,
            Self::Etf => ETF,
            #[cfg(feature = "obj")]
            Self::Obj => FormatInfo::new("obj", "Wavefront OBJ", &["obj"]),
        }
    }

    /// The short name in lower case, as the command line takes it.
    pub const fn name(self) -> &'static str {
        self.info().name
    }

    /// What can be done with files of this format.
    pub const fn access(self) -> Access {
        match self {
            #[cfg(feature = "wings")]
            Self::Wings => Access { lossless: true, import: true, export: true },
            Self::Etf => Access { lossless: true, import: false, export: false },
            #[cfg(feature = "obj")]
            Self::Obj => Access { lossless: false, import: true, export: true },
        }
    }

    /// The format of a name or an extension, in any case: `wings`, `GLB`.
    pub fn from_name(name: &str) -> Option<Self> {
        let is = |text: &&str| text.eq_ignore_ascii_case(name);
        let by_name = Self::ALL.iter().find(|format| is(&format.name()));
        by_name.or_else(|| Self::ALL.iter().find(|format| format.info().extensions.iter().any(&is))).copied()
    }

    /// Says whether bytes are of this format. A prefix of some kilobytes suffices.
    pub fn sniff(self, prefix: &[u8]) -> Confidence {
        match self {
            #[cfg(feature = "wings")]
            Self::Wings => mapwright_wings::sniff(prefix),
            Self::Etf => sniff_etf(prefix),
            #[cfg(feature = "obj")]
            Self::Obj => sniff_obj(prefix),
        }
    }
}

impl std::fmt::Display for Format {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(self.name())
    }
}

impl serde::Serialize for Format {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

/// 131 and a tag. A compressed term shows the first byte of a zlib stream too.
fn sniff_etf(prefix: &[u8]) -> Confidence {
    match *prefix {
        [131, 80, _, _, _, _, 0x78, ..] => Confidence::Certain,
        [131, tag, ..] if mapwright_etf::Tag(tag).name().is_some() => Confidence::Maybe,
        _ => Confidence::No,
    }
}

/// A text of OBJ statements, at least one of which is not found in other texts.
#[cfg(feature = "obj")]
fn sniff_obj(prefix: &[u8]) -> Confidence {
    const TELLING: [&[u8]; 6] = [b"v", b"vt", b"vn", b"f", b"mtllib", b"usemtl"];
    const OTHERS: [&[u8]; 6] = [b"o", b"g", b"s", b"l", b"p", b"vp"];
    let mut lines: Vec<&[u8]> = prefix.split(|&byte| byte == b'\n').collect();
    // The last line may be cut off.
    if lines.len() > 1 {
        lines.pop();
    }
    let mut found = Confidence::No;
    for line in lines {
        let Some(word) = line.split(u8::is_ascii_whitespace).find(|word| !word.is_empty()) else { continue };
        if TELLING.contains(&word) {
            found = Confidence::Maybe;
        } else if !OTHERS.contains(&word) && !word.starts_with(b"#") {
            return Confidence::No;
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_extensions_lead_to_one_format() {
        for &format in Format::ALL {
            assert_eq!(Format::from_name(format.name()), Some(format));
            for extension in format.info().extensions {
                assert_eq!(Format::from_name(&extension.to_uppercase()), Some(format), "{extension}");
            }
        }
        assert_eq!(Format::from_name("docx"), None);
    }

    #[test]
    fn terms_are_known_by_their_first_bytes() {
        assert_eq!(Format::Etf.sniff(&[131, 104, 0]), Confidence::Maybe);
        assert_eq!(Format::Etf.sniff(&[131, 80, 0, 0, 0, 9, 0x78, 0x9c]), Confidence::Certain);
        assert_eq!(Format::Etf.sniff(&[131, 0]), Confidence::No);
        assert_eq!(Format::Etf.sniff(&[]), Confidence::No);
    }

    #[cfg(feature = "obj")]
    #[test]
    fn obj_is_known_by_its_statements() {
        let sniff = |text: &str| Format::Obj.sniff(text.as_bytes());
        assert_eq!(sniff("# made by hand\no cube\nv 1 2 3\nv 1 2"), Confidence::Maybe);
        assert_eq!(sniff("mtllib cube.mtl\r\n\r\nv 1 2 3\r\n"), Confidence::Maybe);
        assert_eq!(sniff("# A title\n"), Confidence::No);
        assert_eq!(sniff("# A title\nv ery\nplain text\n"), Confidence::No);
        assert_eq!(sniff(""), Confidence::No);
    }
}

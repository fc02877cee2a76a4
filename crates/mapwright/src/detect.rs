//! Detection of formats: content first, extension second.

use std::path::Path;

use mapwright_io::Confidence;

use crate::Format;

/// The number of bytes that [`detect`] uses. Fewer are enough for most files.
pub const PREFIX: usize = 4096;

/// The result of [`detect`].
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Detection {
    /// The format, if the content or the extension belongs to one. This build may not have it.
    pub format: Option<Format>,
    /// The confidence in the content; [`Confidence::No`] if only the extension decided.
    pub confidence: Confidence,
    /// The format of the extension, if the content has another one.
    pub misnamed: Option<Format>,
}

impl Detection {
    /// Returns a text for people about a contradiction between content and extension.
    pub fn warning(&self) -> Option<String> {
        let (found, promised) = (self.format?, self.misnamed?);
        Some(format!("the extension is that of {promised}, but the content is {found}"))
    }
}

/// Detects the format of a file by its first bytes and, if these do not decide, by its name.
///
/// A signature of a format decides alone. If the content fits several formats, the extension chooses one of them. If the content fits no
/// format, the extension decides alone, and reading the file reports what is wrong with it.
///
/// ```
/// use mapwright::{Format, detect};
///
/// let detection = detect(b"\x83h\x02", Some("cube.wings".as_ref()));
/// assert_eq!(detection.format, Some(Format::Etf));
/// assert_eq!(detection.warning().unwrap(), "the extension is that of wings, but the content is etf");
/// ```
pub fn detect(prefix: &[u8], path: Option<&Path>) -> Detection {
    let promised = path.and_then(by_extension);
    let sniffed = |wanted| {
        let mut fitting = Format::available().filter(move |format| format.sniff(prefix) == wanted);
        fitting.clone().find(|&format| Some(format) == promised).or_else(|| fitting.next())
    };
    for confidence in [Confidence::Certain, Confidence::Maybe] {
        if let Some(format) = sniffed(confidence) {
            let is_named = path.is_some_and(|path| format.suits(path));
            let misnamed = promised.filter(|&promised| promised != format && !is_named);
            return Detection { format: Some(format), confidence, misnamed };
        }
    }
    Detection { format: promised, confidence: Confidence::No, misnamed: None }
}

/// Returns the format of a file name. Editors put `#…#` around the names of their autosaves.
///
/// Formats that this build does not have count too, so that reading reports what is missing. KeyValues2 is only a target.
fn by_extension(path: &Path) -> Option<Format> {
    let name = path.file_name()?.to_str()?.trim_end_matches('#');
    Format::from_path(name.as_ref())
        .filter(|format| *format != Format::KeyValues2 && (format.is_read() || !format.is_available()))
}

#[cfg(test)]
mod tests {
    use super::*;

    const COMPRESSED: &[u8] = &[131, 80, 0, 0, 0, 9, 0x78, 0x9c];
    const PLAIN: &[u8] = &[131, 106];

    fn found(prefix: &[u8], path: &str) -> (Option<Format>, Confidence, Option<Format>) {
        let Detection { format, confidence, misnamed } = detect(prefix, Some(path.as_ref()));
        (format, confidence, misnamed)
    }

    #[test]
    fn content_overrides_the_extension() {
        assert_eq!(found(COMPRESSED, "a.etf"), (Some(Format::Etf), Confidence::Certain, None));
        assert_eq!(found(COMPRESSED, "a.wings"), (Some(Format::Etf), Confidence::Certain, Some(Format::Wings)));
        assert_eq!(found(COMPRESSED, "a"), (Some(Format::Etf), Confidence::Certain, None));
        assert_eq!(found(PLAIN, "a.wings"), (Some(Format::Etf), Confidence::Maybe, Some(Format::Wings)));
        assert_eq!(found(PLAIN, "a.etf"), (Some(Format::Etf), Confidence::Maybe, None));
    }

    #[test]
    fn the_extension_decides_if_the_content_does_not() {
        for name in ["a.wings", "a.WINGS", "a.wings~", "#a.wings#", "dir/a.wings_bup"] {
            assert_eq!(found(b"junk", name), (Some(Format::Wings), Confidence::No, None), "{name}");
        }
        assert_eq!(found(b"junk", "a.docx"), (None, Confidence::No, None));
        assert_eq!(found(b"", "wings"), (None, Confidence::No, None));
        assert_eq!(detect(b"junk", None).format, None);
    }
}

//! Which format a file is of: content first, extension second.

use std::path::Path;

use mapwright_io::Confidence;

use crate::Format;

/// How many bytes of a file [`detect`] wants to see; fewer do, more do not help.
pub const PREFIX: usize = 4096;

/// What [`detect`] found.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Detection {
    /// The format, if content or extension lead to one.
    pub format: Option<Format>,
    /// How sure the content is; [`Confidence::No`] if the extension alone decided.
    pub confidence: Confidence,
    /// What the extension promises, where the content says otherwise.
    pub misnamed: Option<Format>,
}

impl Detection {
    /// The contradiction of content and extension in words.
    pub fn warning(&self) -> Option<String> {
        let (found, promised) = (self.format?, self.misnamed?);
        Some(format!("the extension says {promised}, but the content is {found}"))
    }
}

/// Finds the format of a file by its first bytes and, where these do not decide, by its name.
///
/// The format's own mark decides alone. Otherwise what the content could be is held against the extension. An extension
/// decides alone only if the content fits nothing; reading then says what is wrong with it.
///
/// ```
/// # #[cfg(feature = "wings")] {
/// use mapwright::{Format, detect};
///
/// let detection = detect(b"#!WINGS-1.0\r\n\x1a\x04", Some("cube.etf".as_ref()));
/// assert_eq!(detection.format, Some(Format::Wings));
/// assert_eq!(detection.warning().unwrap(), "the extension says etf, but the content is wings");
/// # }
/// ```
pub fn detect(prefix: &[u8], path: Option<&Path>) -> Detection {
    let promised = path.and_then(by_extension);
    let sniffed = |wanted| {
        let mut fitting = Format::ALL.iter().copied().filter(move |format| format.sniff(prefix) == wanted);
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

/// The format that a file name promises. Editors put `#…#` around the names of their autosaves.
fn by_extension(path: &Path) -> Option<Format> {
    let name = path.file_name()?.to_str()?.trim_end_matches('#');
    Format::from_path(name.as_ref()).filter(|format| format.is_read())
}

#[cfg(all(test, feature = "wings"))]
mod tests {
    use super::*;

    const WINGS: &[u8] = b"#!WINGS-1.0\r\n\x1a\x04";

    fn found(prefix: &[u8], path: &str) -> (Option<Format>, Confidence, Option<Format>) {
        let Detection { format, confidence, misnamed } = detect(prefix, Some(path.as_ref()));
        (format, confidence, misnamed)
    }

    #[test]
    fn content_goes_before_the_extension() {
        assert_eq!(found(WINGS, "a.wings"), (Some(Format::Wings), Confidence::Certain, None));
        assert_eq!(found(WINGS, "a.etf"), (Some(Format::Wings), Confidence::Certain, Some(Format::Etf)));
        assert_eq!(found(WINGS, "a"), (Some(Format::Wings), Confidence::Certain, None));
        assert_eq!(found(&[131, 106], "a.wings"), (Some(Format::Etf), Confidence::Maybe, Some(Format::Wings)));
        assert_eq!(found(&[131, 106], "a.etf"), (Some(Format::Etf), Confidence::Maybe, None));
    }

    #[test]
    fn the_extension_decides_where_the_content_does_not() {
        for name in ["a.wings", "a.WINGS", "a.wings~", "#a.wings#", "dir/a.wings_bup"] {
            assert_eq!(found(b"junk", name), (Some(Format::Wings), Confidence::No, None), "{name}");
        }
        assert_eq!(found(b"junk", "a.txt"), (None, Confidence::No, None));
        assert_eq!(found(b"", "wings"), (None, Confidence::No, None));
        assert_eq!(detect(b"junk", None).format, None);
    }
}

//! Differences between two documents or files of one format.
//!
//! [`AnyDocument::diff`] compares the content of two documents. [`FileDiff`] also compares their files, in every format.
//!
//! ```
//! use mapwright::AnyDocument;
//! use mapwright::diff::FileDiff;
//!
//! // {width,7} and {width,8}
//! let files: [&[u8]; 2] = [b"\x83h\x02d\x00\x05widtha\x07", b"\x83h\x02d\x00\x05widtha\x08"];
//! let [old, new] = [AnyDocument::from_bytes(files[0])?, AnyDocument::from_bytes(files[1])?];
//! let diff = FileDiff::between((files[0], &old), (files[1], &new))?;
//! assert!(!diff.is_equal());
//! assert!(diff.to_string().contains("[1]"), "{diff}");
//! # Ok::<(), mapwright::Error>(())
//! ```

use std::fmt;
use std::io::{self, Write};

use serde::Serialize;

use crate::excerpt::hex_difference;
use crate::{AnyDocument, Difference, Error, Format, Place, Roundtrip, compare};

/// The differences between two documents of one format, as the format itself describes them.
///
/// `Display` prints them for people. Formats list the types of their differences in their `diff` modules.
pub struct DocumentDiff {
    name: &'static str,
    is_empty: bool,
    differences: Box<dyn Differences + Send + Sync>,
}

/// The differences that a format found.
pub(crate) trait Differences: fmt::Display {
    fn write_json(&self, out: &mut dyn Write) -> io::Result<()>;
}

impl<T: fmt::Display + Serialize> Differences for T {
    fn write_json(&self, out: &mut dyn Write) -> io::Result<()> {
        serde_json::to_writer(out, self).map_err(Into::into)
    }
}

impl DocumentDiff {
    /// Wraps the differences of a format. `name` is their key in JSON.
    pub(crate) fn new(
        name: &'static str,
        is_empty: bool,
        differences: impl Differences + Send + Sync + 'static,
    ) -> Self {
        Self { name, is_empty, differences: Box::new(differences) }
    }

    /// Returns the key of the differences in JSON, such as `level` or `map`.
    pub const fn name(&self) -> &'static str {
        self.name
    }

    /// Returns `true` if both documents have the same content.
    pub const fn is_empty(&self) -> bool {
        self.is_empty
    }

    /// Writes the differences as a further field of a JSON object: a comma, the [name](Self::name) and the value.
    ///
    /// # Errors
    /// Errors of the writer.
    pub fn write_json_field(&self, out: &mut dyn Write) -> io::Result<()> {
        write!(out, ",\"{}\":", self.name)?;
        self.differences.write_json(out)
    }
}

impl fmt::Display for DocumentDiff {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.differences.fmt(f)
    }
}

impl fmt::Debug for DocumentDiff {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("DocumentDiff")
            .field("name", &self.name)
            .field("is_empty", &self.is_empty)
            .finish_non_exhaustive()
    }
}

/// The comparison of two files of one format, by their content where the format has a comparison, otherwise by their bytes.
///
/// `Display` prints it for people, with an end of line after each line. It prints nothing if all bytes are equal.
#[derive(Debug)]
pub struct FileDiff {
    format: Format,
    has_same_bytes: bool,
    content: Option<DocumentDiff>,
    /// The first difference of the bytes, if they differ and the format has no comparison of content.
    first: Option<Difference>,
}

impl FileDiff {
    /// Compares two files, given by their bytes and the documents that were read from them.
    ///
    /// # Errors
    /// [`Error::DifferentFormats`] if the bytes and the formats differ.
    pub fn between(old: (&[u8], &AnyDocument), new: (&[u8], &AnyDocument)) -> Result<Self, Error> {
        let ((old_bytes, old), (new_bytes, new)) = (old, new);
        let has_same_bytes = old_bytes == new_bytes;
        if !has_same_bytes && old.format() != new.format() {
            return Err(Error::DifferentFormats { old: old.format(), new: new.format() });
        }
        let content = old.diff(new);
        let first = match &content {
            Some(_) => None,
            None => match compare(old_bytes, old, new_bytes, Some(new)) {
                Roundtrip::Exact => None,
                Roundtrip::Payload(first) | Roundtrip::Different(first) => Some(first),
            },
        };
        Ok(Self { format: new.format(), has_same_bytes, content, first })
    }

    /// Returns `true` if all bytes are equal.
    pub const fn has_same_bytes(&self) -> bool {
        self.has_same_bytes
    }

    /// Returns `true` if both files have the same content.
    pub const fn is_equal(&self) -> bool {
        match &self.content {
            Some(content) => content.is_empty(),
            None => self.has_same_bytes,
        }
    }

    /// Returns the differences of the content. `None` if the format has no comparison.
    pub const fn content(&self) -> Option<&DocumentDiff> {
        self.content.as_ref()
    }

    /// Returns the first difference of the bytes, for formats without a comparison of content.
    pub const fn first_difference(&self) -> Option<&Difference> {
        self.first.as_ref()
    }

    /// Writes the comparison as a JSON object with the fields of [`write_json_fields`](Self::write_json_fields).
    ///
    /// # Errors
    /// Errors of the writer.
    pub fn write_json(&self, out: &mut dyn Write) -> io::Result<()> {
        out.write_all(b"{")?;
        self.write_json_fields(out)?;
        out.write_all(b"}")
    }

    /// Writes the comparison as the last fields of a JSON object, without its braces: `format`, `equal`, `same_bytes`, the differences of
    /// the content under their [name](DocumentDiff::name), and `first`, the place of the first difference of the bytes. The JSON Schema
    /// `diff` of [`OUTPUT_SCHEMAS`](crate::OUTPUT_SCHEMAS) describes them.
    ///
    /// # Errors
    /// Errors of the writer.
    pub fn write_json_fields(&self, out: &mut dyn Write) -> io::Result<()> {
        let (format, is_equal, has_same_bytes) = (self.format, self.is_equal(), self.has_same_bytes);
        write!(out, "\"format\":\"{format}\",\"equal\":{is_equal},\"same_bytes\":{has_same_bytes}")?;
        if let Some(content) = &self.content {
            content.write_json_field(out)?;
        }
        if let Some(first) = &self.first {
            write!(out, ",\"first\":{{\"at\":\"{}\",\"path\":", Place::from(first.at))?;
            serde_json::to_writer(&mut *out, &first.path.to_string())?;
            out.write_all(b"}")?;
        }
        Ok(())
    }
}

impl fmt::Display for FileDiff {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.has_same_bytes {
            return Ok(());
        }
        if let Some(content) = &self.content {
            if content.is_empty() {
                f.write_str("the same content, stored in other bytes\n")?;
            }
            // Equal content can still have a note.
            content.fmt(f)?;
        }
        let Some(first) = &self.first else { return Ok(()) };
        write!(f, "first difference at {}", Place::from(first.at))?;
        if !first.path.is_empty() {
            write!(f, " in {}", first.path)?;
        }
        writeln!(f)?;
        f.write_str(&hex_difference(first.start, &first.expected, &first.found, "   | "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn diff(old: &[u8], new: &[u8]) -> Result<FileDiff, Error> {
        let [old_document, new_document] = [old, new].map(|bytes| AnyDocument::from_bytes(bytes).unwrap());
        FileDiff::between((old, &old_document), (new, &new_document))
    }

    fn json(diff: &FileDiff) -> serde_json::Value {
        let mut out = Vec::new();
        diff.write_json(&mut out).unwrap();
        serde_json::from_slice(&out).unwrap()
    }

    /// The term `{1,N}`.
    fn term(number: u8) -> [u8; 7] {
        [131, 104, 2, 97, 1, 97, number]
    }

    #[cfg(feature = "obj")]
    const OBJ: &[u8] = b"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";

    #[test]
    fn the_same_term_in_other_bytes_is_equal() {
        let plain = term(2);
        let packed = [&[131, 80, 0, 0, 0, 6][..], &mapwright_io::deflate(&plain[1..])].concat();
        let diff = diff(&plain, &packed).unwrap();
        assert!(diff.is_equal() && !diff.has_same_bytes() && diff.first_difference().is_none());
        assert!(diff.to_string().starts_with("the same content, stored in other bytes\n"), "{diff}");
        assert!(!super::tests::diff(&plain, &term(3)).unwrap().is_equal());
    }

    #[cfg(feature = "obj")]
    #[test]
    fn equal_files_have_no_differences() {
        let diff = diff(OBJ, OBJ).unwrap();
        assert!(diff.is_equal() && diff.has_same_bytes() && diff.first_difference().is_none());
        assert_eq!(diff.to_string(), "");
        assert_eq!(json(&diff), serde_json::json!({"format": "obj", "equal": true, "same_bytes": true}));
    }

    #[cfg(feature = "obj")]
    #[test]
    fn files_without_a_comparison_of_content_are_compared_by_bytes() {
        let diff = diff(OBJ, &OBJ.iter().map(|&byte| if byte == b'1' { b'2' } else { byte }).collect::<Vec<_>>());
        let diff = diff.unwrap();
        assert!(!diff.is_equal() && diff.content().is_none());
        let text = diff.to_string();
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[0], "first difference at offset 10 (0xa)");
        assert!(lines[1].starts_with("   | - 00000000  76 20 30") && lines[2].starts_with("   | + "), "{text}");
        let first = serde_json::json!({"at": "offset 10 (0xa)", "path": ""});
        let expected = serde_json::json!({"format": "obj", "equal": false, "same_bytes": false, "first": first});
        assert_eq!(json(&diff), expected);
    }

    #[cfg(feature = "obj")]
    #[test]
    fn files_of_different_formats_are_not_compared() {
        let error = diff(&term(2), OBJ).unwrap_err();
        assert_eq!(error.to_string(), "cannot compare etf with obj");
        assert_eq!(error.category(), mapwright_io::Category::Unsupported);
    }

    #[cfg(feature = "dmx")]
    #[test]
    fn content_is_compared_where_the_format_has_a_comparison() {
        let graph = |line: &str| {
            let head = "<!-- dmx encoding keyvalues2 1 format dmx 1 -->\n\"DmElement\"\n{\n";
            format!("{head}\t\"id\" \"elementid\" \"00000000-0000-4000-8000-000000000001\"\n{line}\n}}\n").into_bytes()
        };
        let old = graph("\t\"size\" \"int\" \"1\"");
        let changed = diff(&old, &graph("\t\"size\" \"int\" \"2\"")).unwrap();
        assert!(!changed.is_equal() && changed.first_difference().is_none());
        assert!(changed.to_string().contains("size"), "{changed}");
        assert_eq!(json(&changed)["graph"]["changed"][0]["fields"].as_array().unwrap().len(), 1);
        let same = diff(&old, &graph("  \"size\"  \"int\" \"1\"")).unwrap();
        assert!(same.is_equal() && !same.has_same_bytes());
        assert!(same.to_string().starts_with("the same content, stored in other bytes\n"), "{same}");
    }
}

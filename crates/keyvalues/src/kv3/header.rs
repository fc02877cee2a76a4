//! The first line of a file.

use crate::ReadErrorKind;
use crate::bytes::MARK;

/// Encoding and format of a file, each with the GUID of its version.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Header {
    /// Name of the encoding: `text`.
    pub encoding: String,
    /// GUID of the version of the encoding.
    pub encoding_version: String,
    /// Name of the format: `modeldoc29`, `generic`.
    pub format: String,
    /// GUID of the version of the format.
    pub format_version: String,
}

/// Returns `true` if a text begins like a KV3 header.
pub(crate) fn has_start(bytes: &[u8]) -> bool {
    start(bytes).is_some()
}

fn start(bytes: &[u8]) -> Option<&[u8]> {
    let rest = bytes.strip_prefix(MARK).unwrap_or(bytes).trim_ascii_start().strip_prefix(b"<!--")?;
    rest.trim_ascii_start().strip_prefix(b"kv3")
}

impl Header {
    /// Reads the header. Returns its end in the text.
    pub(crate) fn read(source: &[u8]) -> Result<(Self, usize), ReadErrorKind> {
        let rest = start(source).ok_or(ReadErrorKind::NotKv3)?;
        let parsed = part(rest, b"encoding:").and_then(|(encoding, rest)| {
            let (format, rest) = part(rest, b"format:")?;
            Some((encoding, format, rest.trim_ascii_start().strip_prefix(b"-->")?))
        });
        let (encoding, format, rest) = parsed.ok_or(ReadErrorKind::Header)?;
        if encoding.0 != "text" {
            return Err(ReadErrorKind::Encoding { name: encoding.0.to_owned() });
        }
        let header = Self {
            encoding: encoding.0.to_owned(),
            encoding_version: encoding.1.to_owned(),
            format: format.0.to_owned(),
            format_version: format.1.to_owned(),
        };
        Ok((header, source.len().saturating_sub(rest.len())))
    }
}

/// Reads `label:NAME:version{GUID}`. Returns name, GUID and the rest.
fn part<'a>(bytes: &'a [u8], label: &[u8]) -> Option<((&'a str, &'a str), &'a [u8])> {
    let rest = bytes.trim_ascii_start().strip_prefix(label)?;
    let name = rest.iter().position(|byte| !byte.is_ascii_alphanumeric() && *byte != b'_')?;
    let (name, rest) = rest.split_at_checked(name)?;
    let (guid, rest) = rest.strip_prefix(b":version{")?.split_at_checked(36)?;
    let is_guid = guid.iter().all(|byte| byte.is_ascii_hexdigit() || *byte == b'-');
    let name = std::str::from_utf8(name).ok().filter(|name| !name.is_empty() && is_guid)?;
    Some(((name, std::str::from_utf8(guid).ok()?), rest.strip_prefix(b"}")?))
}

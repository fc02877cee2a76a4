//! Words of queries and edits, without their quotes and escapes.

use std::fmt;

use mapwright_io::escaped_byte;

/// A word, a value or a name. Wildcards are bytes that were `*` or `?` outside quotes and without a backslash.
///
/// A backslash escapes a character with a meaning (`\ " ' * ? , : ; # ( ) & | ! = < > ~` and white space), and `\xHH` is a byte. Before any
/// other character it is a backslash, so that paths such as `data3d\dum.p3d` need no escapes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Text {
    bytes: Vec<u8>,
    wildcards: Vec<usize>,
    quoted: bool,
    ascii: bool,
}

/// Characters that a backslash escapes.
const SPECIAL: &str = "\\\"'*?,:;#()&|!=<>~";

impl Text {
    /// Creates text from exactly these bytes.
    pub fn literal(bytes: impl Into<Vec<u8>>) -> Self {
        Self { bytes: bytes.into(), wildcards: Vec::new(), quoted: true, ascii: true }
    }

    /// Reads a word as it is in a query: in quotes, or bare.
    pub(crate) fn from_source(source: &str) -> Self {
        let quote = source.chars().next().filter(|c| matches!(c, '"' | '\''));
        let inner = quote.and_then(|quote| source.strip_prefix(quote)?.strip_suffix(quote));
        let mut text = Self { quoted: inner.is_some(), ascii: source.is_ascii(), ..Self::literal("") };
        let mut rest = inner.unwrap_or(source);
        while let Some(first) = rest.chars().next() {
            let after = rest.get(first.len_utf8()..).unwrap_or_default();
            if let Some(byte) = escaped_byte(rest.as_bytes()) {
                text.bytes.push(byte);
                rest = rest.get(r"\xHH".len()..).unwrap_or_default();
                continue;
            }
            rest = match (first, after.chars().next()) {
                ('\\', Some(next)) if SPECIAL.contains(next) || next.is_whitespace() => {
                    text.push(next);
                    after.get(next.len_utf8()..).unwrap_or_default()
                }
                _ => {
                    if !text.quoted && matches!(first, '*' | '?') {
                        text.wildcards.push(text.bytes.len());
                    }
                    text.push(first);
                    after
                }
            };
        }
        text
    }

    fn push(&mut self, c: char) {
        self.bytes.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
    }

    /// Returns the bytes, wildcards included.
    pub fn as_bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Returns the text if it is UTF-8.
    pub fn as_str(&self) -> Option<&str> {
        std::str::from_utf8(&self.bytes).ok()
    }

    /// Returns the text. Bytes that are not UTF-8 are replaced.
    pub fn to_string_lossy(&self) -> std::borrow::Cow<'_, str> {
        String::from_utf8_lossy(&self.bytes)
    }

    /// Returns `true` if it was in quotes.
    pub fn is_quoted(&self) -> bool {
        self.quoted
    }

    /// Returns `true` if `*` or `?` in it match other text.
    pub fn has_wildcards(&self) -> bool {
        !self.wildcards.is_empty()
    }

    /// Returns `true` if it was written in ASCII, so that its bytes do not depend on an encoding.
    pub fn is_ascii_source(&self) -> bool {
        self.ascii
    }

    /// Returns the places of wildcards among the bytes.
    pub(crate) fn wildcards(&self) -> &[usize] {
        &self.wildcards
    }
}

impl Default for Text {
    fn default() -> Self {
        Self::from("")
    }
}

impl From<&str> for Text {
    fn from(text: &str) -> Self {
        Self { ascii: text.is_ascii(), ..Self::literal(text) }
    }
}

/// Writes the text so that it reads back the same: bare if it can be, in double quotes otherwise.
impl fmt::Display for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let needs_quotes = self.bytes.is_empty() || !self.bytes.iter().all(|&byte| is_bare(byte));
        let quoted = self.quoted || (needs_quotes && !self.has_wildcards());
        f.write_str(if quoted { "\"" } else { "" })?;
        let mut at = 0_usize;
        for chunk in self.bytes.utf8_chunks() {
            for c in chunk.valid().chars() {
                let is_wildcard = self.wildcards.binary_search(&at).is_ok();
                at = at.saturating_add(c.len_utf8());
                match c {
                    c if c.is_ascii_control() => write!(f, "\\x{:02x}", u32::from(c))?,
                    // Bytes of legacy text may look like UTF-8 by chance; so written they stay ASCII.
                    c if !c.is_ascii() && self.ascii => {
                        for byte in c.encode_utf8(&mut [0; 4]).bytes() {
                            write!(f, "\\x{byte:02x}")?;
                        }
                    }
                    '\\' | '"' => write!(f, "\\{c}")?,
                    _ if is_wildcard || quoted => write!(f, "{c}")?,
                    c if SPECIAL.contains(c) || c.is_whitespace() => write!(f, "\\{c}")?,
                    c => write!(f, "{c}")?,
                }
            }
            for byte in chunk.invalid() {
                at = at.saturating_add(1);
                write!(f, "\\x{byte:02x}")?;
            }
        }
        f.write_str(if quoted { "\"" } else { "" })
    }
}

/// Returns `true` if a byte needs no escape in a bare word.
fn is_bare(byte: u8) -> bool {
    byte >= 0x80 || (byte.is_ascii_graphic() && !SPECIAL.as_bytes().contains(&byte))
}

//! KV3 text: objects, arrays and values, as in `.vmdl` and other files of Source 2.
//!
//! ```
//! use mapwright_keyvalues::kv3::{Document, Edit, Scalar};
//!
//! let text = b"<!-- kv3 encoding:text:version{e21c7f3c-8a33-41c5-9977-a76d3a32aa0d} \
//!     format:modeldoc29:version{3cec427c-1b0e-4d48-a90a-0436f33a6041} -->\n{\n\tscale = 1.0\n\tmodel = resource:\"a.vmdl\"\n}\n";
//! let document = Document::from_bytes(text)?;
//! let root = document.root();
//! assert_eq!(root.get("scale").and_then(|scale| scale.as_f64()), Some(1.0));
//! let model = root.get("model").ok_or("no model")?;
//! assert_eq!((model.flag(), model.as_text().as_deref()), (Some("resource"), Some("a.vmdl")));
//!
//! let mut edit = Edit::new(&document);
//! edit.set(model, Scalar::from("b.vmdl"))?;
//! let document = edit.apply()?;
//! assert!(document.to_bytes()?.ends_with(b"\tmodel = resource:\"b.vmdl\"\n}\n"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Grammar
//!
//! ```text
//! file   = header value
//! value  = object | array | string | multiline | number | true | false | null | nan | inf | binary | flag ":" value
//! object = "{" { key "=" value [","] } "}"       key = [A-Za-z_][A-Za-z0-9_.]* or a string
//! array  = "[" [ value { "," value } [","] ] "]"
//! string = '"' … '"' with \" \\ \' \n \t \r      multiline = '"""' line end … line end '"""'
//! number = integer | decimal with optional exponent | 0x…
//! binary = "#[" hexadecimal digits and spaces "]"
//! ```
//!
//! Spaces, line ends and comments (`//`, `/* */`) separate tokens.

mod edit;
mod header;
pub(crate) mod lexer;
mod read;
mod view;

pub use edit::{Edit, Scalar};
pub use header::Header;
pub use view::{Data, Value, Values};

use std::fmt;

use mapwright_io::{Confidence, Finding, FormatInfo, Limits, Position, Severity, format_count};

use crate::bytes::slice;
use crate::{ReadError, WriteError, WriteOptions};

/// Names and extensions of this format.
pub const FORMAT: FormatInfo = FormatInfo::new("kv3", "Valve KV3 text", &["vmdl", "kv3", "vpcf", "vsndevts"]);

/// Estimates whether bytes are KV3 text. The first 32 bytes suffice.
pub fn sniff(bytes: &[u8]) -> Confidence {
    if header::has_start(bytes) { Confidence::Certain } else { Confidence::No }
}

mapwright_io::options! {
    /// Options for reading.
    #[derive(Debug, Clone)]
    pub struct ReadOptions {
        /// Limits of the input, values and depth. Default: 1 GiB, 2²⁴ values, 200 levels.
        pub limits: Limits = Limits::default().with_max_input(1 << 30).with_max_items(1 << 24).with_max_depth(200), with_limits;
    }
}

/// The positions of a value in the text. Values are in the order of the file, each object and array before its content.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Node {
    /// The start of the key; [`Node::NO_KEY`] for items of arrays and the root.
    pub(crate) key: u32,
    /// The start of the value, or of its first flag.
    pub(crate) value: u32,
    /// The index of the first value after this one and its content.
    pub(crate) next: u32,
}

impl Node {
    pub(crate) const NO_KEY: u32 = u32::MAX;
}

/// A text with an index of its values. It is written as it was read.
#[derive(Clone, PartialEq, Eq)]
pub struct Document {
    pub(crate) source: Vec<u8>,
    pub(crate) header: Header,
    pub(crate) nodes: Vec<Node>,
    /// The end of the root value.
    pub(crate) end: usize,
}

impl Document {
    /// Returns the text.
    pub fn as_bytes(&self) -> &[u8] {
        &self.source
    }

    /// Returns the header.
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// Returns the number of values at all levels.
    pub fn value_count(&self) -> usize {
        self.nodes.len()
    }

    /// Returns the bytes after the root value. Usually that is a line end.
    pub fn trailing(&self) -> &[u8] {
        slice(&self.source, self.end..self.source.len())
    }

    /// Reports text after the root value, which is not read.
    pub fn validate(&self) -> Vec<Finding> {
        let trailing = self.trailing();
        // Some programs end the text with a zero byte.
        let length = trailing.iter().rposition(|&byte| byte != 0).map_or(0, |last| last.saturating_add(1));
        let Some(start) = lexer::text_start(slice(trailing, 0..length)) else { return Vec::new() };
        let count = format_count(length.saturating_sub(start), "byte");
        let message = format!("{count} after the root value: other programs may reject the file or ignore them");
        let at = Position::in_text(&self.source, self.end.saturating_add(start));
        vec![Finding::new("trailing-text", Severity::Warning, message).at(at)]
    }

    /// Writes the text with the given options: the bytes that were read.
    ///
    /// # Errors
    /// Never fails.
    pub fn to_bytes_with(&self, _options: &WriteOptions) -> Result<Vec<u8>, WriteError> {
        Ok(self.source.clone())
    }
}

impl fmt::Debug for Document {
    /// Formats the header, the length of the text and the number of values.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Document")
            .field("header", &self.header)
            .field("bytes", &self.source.len())
            .field("values", &self.nodes.len())
            .finish()
    }
}

mapwright_io::read_functions!("a KV3 text", read::read);
mapwright_io::write_functions!("the text");

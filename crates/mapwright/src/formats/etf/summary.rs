//! The summary of an Erlang term.

use mapwright_etf::{Document, Packing, WriterProfile};
use serde::Serialize;

/// A summary of an Erlang term and its packing.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct TermInfo {
    /// The generation of Erlang that writes the term as these bytes, such as `otp17`; `None` if none does.
    pub profile: Option<&'static str>,
    /// The generation with the most similar output.
    pub nearest_profile: &'static str,
    /// `plain` or `zlib`.
    pub packing: &'static str,
    /// Bytes of the zlib stream.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub packed_bytes: Option<usize>,
    /// Bytes of the term itself.
    pub bytes: usize,
    /// Number of terms, including nested ones. Elements of strings are not counted.
    pub terms: usize,
    /// Bytes after the term or its stream, and in the stream after the term.
    pub trailing_bytes: usize,
    /// The beginning of the term as text.
    pub start: String,
}

impl TermInfo {
    /// Summarizes a term.
    pub fn new(document: &Document) -> Self {
        let root = document.tree().root();
        let (packing, inner) = match document.packing() {
            Packing::Plain => ("plain", 0),
            Packing::Compressed { trailing, .. } => ("zlib", trailing.len()),
        };
        Self {
            profile: WriterProfile::detect(root).map(WriterProfile::name),
            nearest_profile: WriterProfile::for_term(root).name(),
            packing,
            packed_bytes: document.stream().map(<[u8]>::len),
            bytes: document.tree().as_bytes().len(),
            terms: document.tree().term_count(),
            trailing_bytes: document.trailing().len() + inner,
            start: format!("{root:?}"),
        }
    }
}

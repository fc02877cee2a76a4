//! A stream: a term and its packing.

use std::fmt;

use mapwright_io::{Confidence, FormatInfo, format_count};

use crate::read::MAGIC;
use crate::{Tag, Tree};

/// Names and extensions of this format.
pub const FORMAT: FormatInfo = FormatInfo::new("etf", "Erlang external term", &["etf", "bert"]);

/// Estimates whether bytes are a stream: 131 and the tag of a term. Eight bytes suffice.
///
/// A compressed term with a zlib header is certain. A plain term never is, because two bytes are too little evidence.
pub fn sniff(bytes: &[u8]) -> Confidence {
    match *bytes {
        // The method is deflate, and the header is a multiple of 31.
        [MAGIC, 80, _, _, _, _, method, flags, ..]
            if method & 0x0F == 8 && u16::from_be_bytes([method, flags]).is_multiple_of(31) =>
        {
            Confidence::Certain
        }
        [MAGIC, tag, ..] if Tag(tag).name().is_some() && Tag(tag) != Tag::COMPRESSED => Confidence::Maybe,
        _ => Confidence::No,
    }
}

/// A stream: 131, a plain or compressed term, and trailing bytes.
#[derive(Clone, PartialEq, Eq)]
pub struct Document {
    pub(crate) tree: Tree,
    pub(crate) packing: Packing,
    // The zlib stream that `tree` and the inner trailing bytes were read from. Dropped once either changes.
    pub(crate) stream: Option<Vec<u8>>,
    pub(crate) trailing: Vec<u8>,
}

/// Packing of a term.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Packing {
    /// The term is not compressed.
    Plain,
    /// The term is in a zlib stream.
    Compressed {
        /// Bytes inside the stream after the term. Erlang ignores them.
        trailing: Vec<u8>,
        /// The compressor that makes a new stream. The original stream of an unchanged term is kept.
        compressor: Compressor,
    },
}

impl Packing {
    /// Returns the packing of a term that a compressor compresses, without bytes after it.
    pub const fn compressed(compressor: Compressor) -> Self {
        Self::Compressed { trailing: Vec::new(), compressor }
    }
}

/// Compressor of a term.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Compressor {
    /// Gives the bytes of Erlang: zlib at level 6. It uses one thread.
    #[default]
    Erlang,
    /// Gives a stream that is about a tenth larger, in a fraction of the time. Its bytes may change with the version of this crate.
    Fast,
}

impl fmt::Debug for Document {
    /// Formats the start of the term's text, and the numbers of bytes around it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let packing: &dyn fmt::Debug = match &self.packing {
            Packing::Plain => &"plain",
            Packing::Compressed { trailing, .. } => {
                &format_args!("compressed, {} after the term", format_count(trailing.len(), "byte"))
            }
        };
        f.debug_struct("Document")
            .field("tree", &self.tree)
            .field("packing", packing)
            .field("stream bytes", &self.stream.as_ref().map(Vec::len))
            .field("trailing bytes", &self.trailing.len())
            .finish()
    }
}

impl Document {
    /// Creates a document that is compressed as Erlang does: at level 6, or not at all if that is shorter.
    pub fn new(tree: Tree) -> Self {
        Self { tree, packing: Packing::compressed(Compressor::Erlang), stream: None, trailing: Vec::new() }
    }

    /// Returns the term.
    pub fn tree(&self) -> &Tree {
        &self.tree
    }

    /// Returns the term by value.
    pub fn into_tree(self) -> Tree {
        self.tree
    }

    /// Replaces the term. If the new term differs, the original compressed stream is dropped and the next write compresses
    /// the term again.
    pub fn set_tree(&mut self, tree: Tree) {
        if tree != self.tree {
            self.tree = tree;
            self.stream = None;
        }
    }

    /// Returns the packing of the term.
    pub fn packing(&self) -> &Packing {
        &self.packing
    }

    /// Changes the packing of the term.
    pub fn set_packing(&mut self, packing: Packing) {
        if packing != self.packing {
            self.packing = packing;
            self.stream = None;
        }
    }

    /// Returns the original zlib stream, if it still contains the current term.
    pub fn stream(&self) -> Option<&[u8]> {
        self.stream.as_deref()
    }

    /// Returns the bytes after the term or its stream. Erlang ignores them.
    pub fn trailing(&self) -> &[u8] {
        &self.trailing
    }

    /// Changes the bytes after the term or its stream.
    pub fn set_trailing(&mut self, trailing: Vec<u8>) {
        self.trailing = trailing;
    }
}

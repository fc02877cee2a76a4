//! A stream: a term and how it is wrapped.

use std::fmt;

use mapwright_io::{Confidence, FormatInfo};

use crate::read::MAGIC;
use crate::{Tag, Tree};

/// How this format introduces itself.
pub const FORMAT: FormatInfo = FormatInfo::new("etf", "Erlang external term", &["etf", "bert"]);

/// Says whether bytes could be a stream: 131 and the tag of a term. Eight bytes suffice.
///
/// Never certain of a plain term, as two bytes are no mark; certain of a compressed one with a zlib header.
pub fn sniff(bytes: &[u8]) -> Confidence {
    match *bytes {
        // Deflate, and a header that is a multiple of 31.
        [MAGIC, 80, _, _, _, _, method, flags, ..]
            if method & 0x0F == 8 && u16::from_be_bytes([method, flags]).is_multiple_of(31) =>
        {
            Confidence::Certain
        }
        [MAGIC, tag, ..] if Tag(tag).name().is_some() && Tag(tag) != Tag::COMPRESSED => Confidence::Maybe,
        _ => Confidence::No,
    }
}

/// A stream as it stands in a file: 131, a term, perhaps compressed, and whatever follows.
#[derive(Clone, PartialEq, Eq)]
pub struct Document {
    pub(crate) tree: Tree,
    pub(crate) packing: Packing,
    // The zlib stream that `tree` and the inner trailing bytes were read from; gone once either changes.
    pub(crate) stream: Option<Vec<u8>>,
    pub(crate) trailing: Vec<u8>,
}

/// How a term is wrapped.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Packing {
    /// The term stands there as it is.
    Plain,
    /// The term is in a zlib stream.
    Compressed {
        /// Bytes inside the stream behind the term. Erlang ignores them.
        trailing: Vec<u8>,
    },
}

impl fmt::Debug for Document {
    /// The start of the term's text, and how many bytes stand around it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let packing: &dyn fmt::Debug = match &self.packing {
            Packing::Plain => &"plain",
            Packing::Compressed { trailing } => &format_args!("compressed, {} bytes trail the term", trailing.len()),
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
    /// A document of a term, to be compressed as Erlang does: at level 6, or not at all where that is shorter.
    pub fn new(tree: Tree) -> Self {
        Self { tree, packing: Packing::Compressed { trailing: Vec::new() }, stream: None, trailing: Vec::new() }
    }

    /// The term.
    pub fn tree(&self) -> &Tree {
        &self.tree
    }

    /// The term, by value.
    pub fn into_tree(self) -> Tree {
        self.tree
    }

    /// Puts another term in the place of the document's. If it is another one, the stream that was read is dropped and
    /// the next write compresses anew.
    pub fn set_tree(&mut self, tree: Tree) {
        if tree != self.tree {
            self.tree = tree;
            self.stream = None;
        }
    }

    /// How the term is wrapped.
    pub fn packing(&self) -> &Packing {
        &self.packing
    }

    /// Wraps the term in another way.
    pub fn set_packing(&mut self, packing: Packing) {
        if packing != self.packing {
            self.packing = packing;
            self.stream = None;
        }
    }

    /// The zlib stream that was read, while it still holds the term.
    pub fn stream(&self) -> Option<&[u8]> {
        self.stream.as_deref()
    }

    /// Bytes behind the term or its stream. Erlang ignores them.
    pub fn trailing(&self) -> &[u8] {
        &self.trailing
    }

    /// Changes the bytes behind the term or its stream.
    pub fn set_trailing(&mut self, trailing: Vec<u8>) {
        self.trailing = trailing;
    }
}

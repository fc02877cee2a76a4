//! Erlang external terms.

mod summary;

use std::io::{self, Write};

use mapwright_etf::{Document, Packing, ReadOptions as EtfOptions, Tag, Tree};
use mapwright_io::{Budget, Confidence, Finding, Frame, Path, Position, inflate};

use super::FormatEntry;
use crate::diff::DocumentDiff;
use crate::document::{FormatDocument, document_access};
use crate::info::Summary;
use crate::json::{JsonLayout, term};
use crate::{Error, FilesBeside, Format, ReadOptions};

pub use summary::TermInfo;

pub(super) static ENTRY: FormatEntry = FormatEntry {
    lossless: true,
    compared_content: Some("terms"),
    dump_schema: Some(include_str!("../../schemas/etf.schema.json")),
    sniff,
    read: |bytes, _, options| Ok(Document::from_bytes_with(&bytes, &options.etf())?.into()),
    read_dump: Some(|dump, options| Ok(term::document(&dump.part("term")?, dump.encoding, options)?.into())),
    decompress: Some(decompress),
    ..FormatEntry::BASE
};

document_access!(Document, "an Erlang term", as_etf, as_etf_mut, into_etf);

/// Recognizes the byte 131 and a tag. A compressed term also has the first byte of a zlib stream.
fn sniff(prefix: &[u8]) -> Confidence {
    match *prefix {
        [131, 80, _, _, _, _, 0x78, ..] => Confidence::Certain,
        [131, tag, ..] if Tag(tag).name().is_some() => Confidence::Maybe,
        _ => Confidence::No,
    }
}

impl ReadOptions {
    pub(crate) fn etf(&self) -> EtfOptions {
        EtfOptions::default().with_limits(self.limits.clone()).with_mode(self.mode)
    }
}

/// Decompresses the stream of a term: after the byte 131, the tag 80 and the size.
pub(super) fn decompress(term: &[u8], options: &ReadOptions) -> Option<Vec<u8>> {
    let mut budget = Budget::new(&options.limits);
    inflate(term.get(6..)?, None, &mut budget, Position::file(0)).ok().map(|inflated| inflated.bytes)
}

/// Writes a term as the part of a dump, with its encoding where that is unusual.
pub(super) fn write_term_part(out: &mut dyn Write, document: &Document) -> io::Result<()> {
    out.write_all(b",\"term\":")?;
    term::write_term_json(out, document.tree().root())?;
    term::write_encoding(out, document)
}

impl FormatDocument for Document {
    fn format(&self) -> Format {
        Format::Etf
    }

    fn to_bytes(&self) -> Result<Vec<u8>, Error> {
        Ok(self.to_bytes()?)
    }

    fn validate(&self) -> Vec<Finding> {
        self.validate()
    }

    fn summarize(&self, _files: Option<&FilesBeside>) -> Summary {
        Summary::new().with("term", &TermInfo::new(self))
    }

    fn write_dump_parts(&self, out: &mut dyn Write, _layout: JsonLayout) -> io::Result<()> {
        write_term_part(out, self)
    }

    fn diff(&self, other: &dyn FormatDocument) -> Option<DocumentDiff> {
        let other: &Self = super::same_type(other)?;
        let diff = mapwright_etf::diff::Diff::between(self.tree().root(), other.tree().root());
        Some(DocumentDiff::new("term", diff.is_empty(), diff))
    }

    fn term(&self) -> Option<&Document> {
        Some(self)
    }
}

/// Returns the path of the term at a byte of a file.
pub(crate) fn path_in_file(document: &dyn FormatDocument, bytes: &[u8], offset: usize) -> Path {
    let Some(term) = document.term() else { return Path::new() };
    if *term.packing() != Packing::Plain {
        return path_from_root(document, &Path::new());
    }
    // The byte 131 and the term precede the trailing bytes.
    let start = bytes.len().saturating_sub(term.trailing().len() + term.tree().as_bytes().len());
    match offset.checked_sub(start) {
        Some(offset) => path_from_root(document, &path_in_term(term.tree(), offset)),
        None => Path::from_iter([Frame::Field("header")]),
    }
}

/// Adds the part of the file that contains the term, as the errors of the format do.
pub(crate) fn path_from_root(document: &dyn FormatDocument, path: &Path) -> Path {
    document.term_frame().into_iter().chain(path.frames().cloned()).collect()
}

/// Returns the path of the innermost term at a byte.
pub(crate) fn path_in_term(tree: &Tree, offset: usize) -> Path {
    let mut term = tree.root();
    while let Some(child) = term.children().find(|child| child.range().contains(&offset)) {
        term = child;
    }
    term.path()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn terms_are_recognized_by_their_first_bytes() {
        assert_eq!(mapwright_etf::FORMAT, Format::Etf.info());
        assert_eq!(sniff(&[131, 104, 0]), Confidence::Maybe);
        assert_eq!(sniff(&[131, 80, 0, 0, 0, 9, 0x78, 0x9c]), Confidence::Certain);
        assert_eq!(sniff(&[131, 0]), Confidence::No);
        assert_eq!(sniff(&[]), Confidence::No);
    }
}

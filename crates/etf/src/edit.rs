//! Edits of single terms.

use std::ops::Range;

use mapwright_io::Position;

use crate::tree::unlimited_options;
use crate::{Term, Tree, WriteError, WriteErrorKind};

/// Collects replacements of terms and builds the changed tree. All other bytes are preserved.
///
/// ```
/// use mapwright_etf::{Builder, Edit, WriterProfile, Tree};
///
/// let tree = Tree::from_bytes(b"\x68\x02\x61\x07\x62\x00\x00\x00\x07")?; // {7,7}, in two encodings
/// let mut nine = Builder::new(WriterProfile::Otp17);
/// nine.integer(9);
/// let mut edit = Edit::new(&tree);
/// edit.replace(tree.root().element(0).unwrap(), &nine.finish()?);
/// assert_eq!(edit.apply()?.as_bytes(), b"\x68\x02\x61\x09\x62\x00\x00\x00\x07");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Edit<'t> {
    tree: &'t Tree,
    changes: Vec<(Range<usize>, Vec<u8>)>,
    /// `true` if a term of another tree was passed to `replace`.
    foreign: bool,
}

impl<'t> Edit<'t> {
    /// Creates an edit without changes.
    pub fn new(tree: &'t Tree) -> Self {
        Self { tree, changes: Vec::new(), foreign: false }
    }

    /// Replaces a term of the tree.
    pub fn replace(&mut self, term: Term<'t>, with: &Tree) {
        self.foreign |= !std::ptr::eq(term.tree(), self.tree);
        self.replace_bytes(term.range(), with.as_bytes());
    }

    /// Replaces bytes of the tree, for example inside a binary, or a list including its count. [`apply`](Self::apply) checks
    /// the result.
    pub fn replace_bytes(&mut self, range: Range<usize>, with: &[u8]) {
        if self.tree.bytes.get(range.clone()) != Some(with) {
            self.changes.push((range, with.to_vec()));
        }
    }

    /// Returns `true` if there are no changes.
    pub fn is_empty(&self) -> bool {
        self.changes.is_empty()
    }

    /// Builds the changed tree.
    ///
    /// # Errors
    /// [`WriteErrorKind::Overlap`] if two changes touch the same bytes. [`WriteErrorKind::OutOfTree`] if a change refers to
    /// bytes or a term outside the tree. [`WriteErrorKind::NotATerm`] if the result is not a valid term.
    pub fn apply(mut self) -> Result<Tree, WriteError> {
        if self.foreign {
            return Err(WriteError::without_position(WriteErrorKind::OutOfTree));
        }
        self.changes.sort_by_key(|(range, _)| range.start);
        let mut out = Vec::with_capacity(self.tree.bytes.len());
        let mut at = 0;
        for (range, with) in &self.changes {
            let here = Position::file(range.start as u64);
            if self.tree.bytes.get(range.clone()).is_none() {
                return Err(WriteError::new(WriteErrorKind::OutOfTree, here));
            }
            let Some(unchanged) = self.tree.bytes.get(at..range.start) else {
                return Err(WriteError::new(WriteErrorKind::Overlap, here));
            };
            out.extend_from_slice(unchanged);
            out.extend_from_slice(with);
            at = range.end;
        }
        out.extend_from_slice(self.tree.bytes.get(at..).unwrap_or_default());
        // Check leniently: terms that the original reader accepted may stay, but the edit must not break the structure.
        Tree::from_owned(out, &unlimited_options())
            .map_err(|error| error.map_kind(WriteErrorKind::NotATerm).strip_position())
    }
}

//! Changing some terms of a tree and nothing else.

use std::ops::Range;

use mapwright_io::Position;

use crate::tree::unlimited;
use crate::{Term, Tree, WriteError, WriteErrorKind};

/// Collects replacements of terms in a tree and makes the changed tree: all other bytes stay as they are.
///
/// ```
/// use mapwright_etf::{Builder, Edit, Profile, Tree};
///
/// let tree = Tree::from_bytes(b"\x68\x02\x61\x07\x62\x00\x00\x00\x07")?; // {7,7}, spelled in two ways
/// let mut nine = Builder::new(Profile::Otp17);
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
    /// Whether a term of another tree was to be replaced.
    foreign: bool,
}

impl<'t> Edit<'t> {
    /// No change yet.
    pub fn new(tree: &'t Tree) -> Self {
        Self { tree, changes: Vec::new(), foreign: false }
    }

    /// Puts another term in the place of one of the tree's terms.
    pub fn replace(&mut self, term: Term<'t>, with: &Tree) {
        self.foreign |= !std::ptr::eq(term.tree(), self.tree);
        self.replace_bytes(term.range(), with.as_bytes());
    }

    /// Puts other bytes in the place of some of the tree's bytes: for changes inside a binary, or of a list with its count.
    /// What comes out is read again by [`apply`](Self::apply), so it need not be trusted.
    pub fn replace_bytes(&mut self, range: Range<usize>, with: &[u8]) {
        if self.tree.bytes.get(range.clone()) != Some(with) {
            self.changes.push((range, with.to_vec()));
        }
    }

    /// Whether nothing would change.
    pub fn is_empty(&self) -> bool {
        self.changes.is_empty()
    }

    /// Makes the changed tree.
    ///
    /// # Errors
    /// [`WriteErrorKind::Overlap`] if two changes touch the same bytes, [`WriteErrorKind::OutOfTree`] if one is about bytes
    /// or a term that the tree does not have, [`WriteErrorKind::NotATerm`] if replaced bytes are not what must stand there.
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
            let Some(kept) = self.tree.bytes.get(at..range.start) else {
                return Err(WriteError::new(WriteErrorKind::Overlap, here));
            };
            out.extend_from_slice(kept);
            out.extend_from_slice(with);
            at = range.end;
        }
        out.extend_from_slice(self.tree.bytes.get(at..).unwrap_or_default());
        // What was accepted once, leniently or under raised limits, may stay; what an edit breaks is seen.
        Tree::whole(out, &unlimited()).map_err(|error| error.map_kind(WriteErrorKind::NotATerm).strip_position())
    }
}

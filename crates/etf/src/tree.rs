//! A term and everything in it, as its own bytes plus an index.

use std::fmt;
use std::ops::Range;

use mapwright_io::{Budget, Position};

use crate::read::index;
use crate::{ReadError, ReadOptions, Term, WriteError, WriteErrorKind};

/// One term of any size, kept as the very bytes that spell it.
///
/// The bytes are the tree: tags, raw numbers, orders and odd spellings are what they are. Beside them stands an index with
/// one entry for each term that holds other terms, in the order of the bytes. So reading is one pass, writing is a copy,
/// and cloning, comparing and dropping take no recursion, however deep a term is nested.
///
/// Look into it with [`root`](Self::root), make new ones with [`Builder`](crate::Builder), change some of it with
/// [`Edit`].
#[derive(Clone, Default)]
pub struct Tree {
    bytes: Vec<u8>,
    spans: Vec<Span>,
}

/// Where a term that holds terms ends.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Span {
    /// The offset behind its last byte.
    pub(crate) end: u32,
    /// The first span that is not inside it.
    pub(crate) next: u32,
}

impl Tree {
    /// Reads a bare term: no 131 in front, nothing behind.
    ///
    /// # Errors
    /// Whatever is wrong with the term; offsets count from the start of `bytes`.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, ReadError> {
        Self::from_bytes_with(bytes, &ReadOptions::default())
    }

    /// Reads a bare term with options.
    ///
    /// # Errors
    /// Whatever is wrong with the term, or a limit.
    pub fn from_bytes_with(bytes: &[u8], options: &ReadOptions) -> Result<Self, ReadError> {
        Self::from_vec(bytes.to_vec(), options, &mut Budget::new(&options.limits), Position::file(0)).and_then(
            |(tree, trailing)| match trailing.len() {
                0 => Ok(tree),
                count => {
                    let kind = mapwright_io::FaultKind::Trailing { count: count as u64 };
                    Err(ReadError::new(kind.into(), Position::file(tree.bytes.len() as u64)))
                }
            },
        )
    }

    /// Indexes the term at the start of `bytes` and gives what follows it.
    pub(crate) fn from_vec(
        mut bytes: Vec<u8>,
        options: &ReadOptions,
        budget: &mut Budget,
        base: Position,
    ) -> Result<(Self, Vec<u8>), ReadError> {
        let (spans, end) = index(&bytes, options, budget, base)?;
        let trailing = bytes.split_off(end);
        Ok((Self { bytes, spans }, trailing))
    }

    /// The term itself.
    pub fn root(&self) -> Term<'_> {
        Term::new(self, 0, 0)
    }

    /// The bytes that spell the term, without a leading 131.
    pub fn as_bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The bytes that spell the term.
    pub fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }

    pub(crate) fn span(&self, index: u32) -> Span {
        self.spans.get(index as usize).copied().unwrap_or(Span { end: u32::MAX, next: u32::MAX })
    }
}

impl PartialEq for Tree {
    /// Equal bytes; for equal values see [`Term::same_value`].
    fn eq(&self, other: &Self) -> bool {
        self.bytes == other.bytes
    }
}

impl Eq for Tree {}

impl fmt::Debug for Tree {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.root(), f)
    }
}

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
}

impl<'t> Edit<'t> {
    /// No change yet.
    pub fn new(tree: &'t Tree) -> Self {
        Self { tree, changes: Vec::new() }
    }

    /// Puts another term in the place of one of the tree's terms.
    pub fn replace(&mut self, term: Term<'t>, with: &Tree) {
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
    /// [`WriteErrorKind::Overlap`] if two changes touch the same bytes, [`WriteErrorKind::NotATerm`] if replaced bytes are
    /// not what must stand there.
    pub fn apply(mut self) -> Result<Tree, WriteError> {
        self.changes.sort_by_key(|(range, _)| range.start);
        let mut out = Vec::with_capacity(self.tree.bytes.len());
        let mut at = 0;
        for (range, with) in &self.changes {
            let Some(kept) = self.tree.bytes.get(at..range.start) else {
                return Err(WriteError::new(WriteErrorKind::Overlap, Position::file(range.start as u64)));
            };
            out.extend_from_slice(kept);
            out.extend_from_slice(with);
            at = range.end;
        }
        out.extend_from_slice(self.tree.bytes.get(at..).unwrap_or_default());
        // What was accepted once, leniently or under raised limits, may stay; what an edit breaks is seen.
        Tree::from_bytes_with(&out, &unlimited()).map_err(|error| error.map_kind(WriteErrorKind::NotATerm))
    }
}

/// Options for terms that this process made: no limit but the format's own.
pub(crate) fn unlimited() -> ReadOptions {
    use mapwright_io::Limits;
    let limits = Limits::default().with_max_depth(u32::MAX).with_max_items(u64::MAX).with_max_decompressed(u64::MAX);
    ReadOptions::default().with_mode(crate::Mode::Lenient).with_limits(limits)
}

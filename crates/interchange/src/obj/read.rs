//! Reads OBJ files as scenes.

mod build;
mod lines;
mod mtl;
mod part;
mod statements;

use std::collections::BTreeMap;

use mapwright_scene::{FileSource, Import, LossKind, Losses};

use super::ImportOptions;
use crate::{Error, ErrorKind};

/// Reads a scene from an OBJ file. `files` returns the material libraries and images that it refers to. A file that is passed as a
/// vector is dropped before the scene is built, which saves memory.
///
/// # Errors
/// [`NotTheFormat`](ErrorKind::NotTheFormat) for text without a statement of OBJ; [`Limit`](ErrorKind::Limit) for more items
/// than the options allow. Invalid statements, and missing or damaged libraries and images are losses.
pub fn to_scene(
    data: impl AsRef<[u8]>,
    files: &(impl FileSource + ?Sized),
    options: &ImportOptions,
) -> Result<Import, Error> {
    let mut budget = Budget { left: options.max_items, limit: options.max_items };
    let statements = statements::read(data.as_ref(), &mut budget)?;
    drop(data);
    build::build(&statements, &|name: &str, kind| files.load(name, kind), options, &mut budget)
}

/// Number of items that are still allowed.
struct Budget {
    left: usize,
    limit: usize,
}

impl Budget {
    fn take(&mut self) -> Result<(), Error> {
        let limit = ErrorKind::Limit { what: "objects, materials and their parts", limit: self.limit as u64 };
        self.left = self.left.checked_sub(1).ok_or_else(|| Error::without_position(limit))?;
        Ok(())
    }
}

/// Statements that are ignored or changed: their number and first line.
#[derive(Debug, Default, PartialEq)]
struct Skipped {
    counts: BTreeMap<String, (usize, u64)>,
}

impl Skipped {
    /// Counts an ignored statement. Rare kinds beyond a limit are counted together.
    fn add(&mut self, what: &str, line: u64) {
        self.add_many(what, 1, line);
    }

    /// Counts several ignored statements, of which `line` has the first.
    fn add_many(&mut self, what: &str, count: usize, line: u64) {
        let what = if self.is_full() && !self.counts.contains_key(what) { "other statements" } else { what };
        match self.counts.get_mut(what) {
            Some((all, first)) => (*all, *first) = (all.saturating_add(count), line.min(*first)),
            None => {
                self.counts.insert(what.to_owned(), (count, line));
            }
        }
    }

    /// Returns `true` if further kinds are counted together.
    fn is_full(&self) -> bool {
        const KINDS: usize = 64;
        self.counts.len() >= KINDS
    }

    /// Adds the statements of the following part of a file, which has some lines before it.
    fn append(&mut self, part: Self, lines_before: u64) {
        let mut counts: Vec<_> = part.counts.into_iter().collect();
        counts.sort_by_key(|(_, (_, line))| *line);
        for (what, (count, line)) in counts {
            self.add_many(&what, count, lines_before.saturating_add(line));
        }
    }

    fn report(&self, path: &str, kind: LossKind, losses: &mut Losses) {
        for (what, (count, line)) in &self.counts {
            losses.push(kind, path, format!("{count} × {what}, the first in line {line}"));
        }
    }
}

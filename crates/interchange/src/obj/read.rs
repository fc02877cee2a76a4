//! Reads OBJ files as scenes.

mod build;
mod mtl;
mod statements;

use std::collections::BTreeMap;

use mapwright_scene::{Import, LossKind, Losses};

use super::ImportOptions;
use crate::{Error, ErrorKind, FileSource};

/// Reads a scene from an OBJ file. `files` returns the material libraries and images that it refers to.
///
/// # Errors
/// [`NotTheFormat`](ErrorKind::NotTheFormat) for text without a statement of OBJ; [`Limit`](ErrorKind::Limit) for more items
/// than the options allow. Invalid statements, and missing or damaged libraries and images are losses.
pub fn to_scene(data: &[u8], files: &(impl FileSource + ?Sized), options: &ImportOptions) -> Result<Import, Error> {
    let mut budget = Budget { left: options.max_items, limit: options.max_items };
    let statements = statements::read(data, &mut budget)?;
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
#[derive(Default)]
struct Skipped {
    counts: BTreeMap<String, (usize, u64)>,
}

impl Skipped {
    /// Counts an ignored statement. Rare kinds beyond a limit are counted together.
    fn add(&mut self, what: &str, line: u64) {
        const KINDS: usize = 64;
        let known = self.counts.len() < KINDS || self.counts.contains_key(what);
        let what = if known { what } else { "other statements" };
        match self.counts.get_mut(what) {
            Some((count, _)) => *count = count.saturating_add(1),
            None => {
                self.counts.insert(what.to_owned(), (1, line));
            }
        }
    }

    fn report(&self, path: &str, kind: LossKind, losses: &mut Losses) {
        for (what, (count, line)) in &self.counts {
            losses.push(kind, path, format!("{count} × {what}, the first in line {line}"));
        }
    }
}

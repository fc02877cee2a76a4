//! Limits for reading a file, and the budget that enforces them.

use std::io::Read;

use crate::{Error, Fault, FaultKind, Position};

crate::options! {
    /// Limits for reading one file. The defaults are far above any real level: 4 GiB of input, 1 GiB decompressed, 2³² items,
    /// 10,000 levels.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct Limits {
        /// Maximum number of bytes that are read from a reader. Does not apply to bytes that are already in memory.
        pub max_input: u64 = 1 << 32, with_max_input;
        /// Maximum number of decompressed bytes of all parts of a file together.
        pub max_decompressed: u64 = 1 << 30, with_max_decompressed;
        /// Maximum number of items (terms, elements, objects) of a file.
        pub max_items: u64 = 1 << 32, with_max_items;
        /// Maximum nesting depth of items.
        pub max_depth: u32 = 10_000, with_max_depth;
    }
}

impl Limits {
    /// Returns low limits for services that read untrusted files: 64 MiB of input, 256 MiB decompressed, 2²⁴ items, 1,000 levels.
    pub fn service() -> Self {
        Self { max_input: 64 << 20, max_decompressed: 256 << 20, max_items: 1 << 24, max_depth: 1000 }
    }
}

/// Counts against [`Limits`] while one file is read.
#[derive(Debug, Clone)]
pub struct Budget {
    limits: Limits,
    decompressed: u64,
    items: u64,
}

impl Budget {
    /// Creates a full budget.
    pub fn new(limits: &Limits) -> Self {
        Self { limits: limits.clone(), decompressed: 0, items: 0 }
    }

    /// Returns the number of bytes that may still be inflated.
    pub fn decompressed_left(&self) -> u64 {
        self.limits.max_decompressed.saturating_sub(self.decompressed)
    }

    /// Subtracts inflated bytes from the budget.
    ///
    /// # Errors
    /// [`FaultKind::Limit`] if fewer are left.
    pub fn take_decompressed(&mut self, bytes: u64, at: Position) -> Result<(), Fault> {
        let asked = self.decompressed.saturating_add(bytes);
        check("max_decompressed", asked, self.limits.max_decompressed, at)?;
        self.decompressed = asked;
        Ok(())
    }

    /// Subtracts items from the budget.
    ///
    /// # Errors
    /// [`FaultKind::Limit`] if fewer are left.
    pub fn take_items(&mut self, items: u64, at: Position) -> Result<(), Fault> {
        let asked = self.items.saturating_add(items);
        check("max_items", asked, self.limits.max_items, at)?;
        self.items = asked;
        Ok(())
    }

    /// Checks a nesting depth.
    ///
    /// # Errors
    /// [`FaultKind::Limit`] if it is deeper than allowed.
    pub fn check_depth(&self, depth: usize, at: Position) -> Result<(), Fault> {
        check("max_depth", depth as u64, self.limits.max_depth.into(), at)
    }
}

/// Reads a stream of at most `max_input` bytes to its end.
///
/// # Errors
/// The error of the reader, or [`FaultKind::Limit`] if the stream is longer.
pub fn read_all<K>(reader: impl Read, max_input: u64) -> Result<Vec<u8>, Error<K>>
where
    K: From<std::io::Error> + From<FaultKind>,
{
    let mut bytes = Vec::new();
    let mut reader = reader.take(max_input.saturating_add(1));
    reader.read_to_end(&mut bytes).map_err(|error| Error::without_position(error.into()))?;
    check("max_input", bytes.len() as u64, max_input, Position::file(max_input))?;
    Ok(bytes)
}

fn check(what: &'static str, asked: u64, limit: u64, at: Position) -> Result<(), Fault> {
    if asked > limit { Err(Fault { kind: FaultKind::Limit { what, asked, limit }, at }) } else { Ok(()) }
}

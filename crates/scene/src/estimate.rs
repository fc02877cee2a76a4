//! Limits of conversions, checked before anything is created.

use std::hint::black_box;

/// The estimated size of a conversion's output, in bytes.
///
/// Exporters compute it from [`ExpandedCounts`](crate::ExpandedCounts), so that a small scene with many expanded instances is
/// rejected at once.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Estimate {
    /// Minimum number of bytes that are written.
    pub output: u64,
    /// Bytes of memory for the document while the output is written.
    pub memory: u64,
}

/// The reason why a conversion is rejected before it starts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Excess {
    /// More bytes than the options allow.
    #[error("output too large: it or the memory to create it needs at least {needed} bytes, {limit} allowed")]
    Limit {
        /// Bytes that are needed.
        needed: u64,
        /// Bytes that are allowed.
        limit: u64,
    },
    /// More bytes of memory than the system provides.
    #[error("not enough memory: about {needed} bytes needed")]
    Memory {
        /// Bytes that are needed.
        needed: u64,
    },
}

impl Excess {
    /// Returns one line that states what to do next.
    pub const fn help(&self) -> &'static str {
        match self {
            Self::Limit { .. } => "raise max_bytes in the export options if the file is trusted",
            Self::Memory { .. } => "write a part of it, or allow the program more memory",
        }
    }
}

impl Estimate {
    /// Default limit: 2 GiB.
    pub const MAX_BYTES: u64 = 2 << 30;

    /// Adds items, each of which takes this many bytes in the output and in memory.
    #[must_use]
    pub fn with(self, items: u64, output: u64, memory: u64) -> Self {
        Self {
            output: self.output.saturating_add(items.saturating_mul(output)),
            memory: self.memory.saturating_add(items.saturating_mul(memory)),
        }
    }

    /// Checks that neither the output nor the memory exceeds a limit, and that the system has the memory for both.
    ///
    /// # Errors
    /// [`Excess`] with the number of bytes that are needed.
    pub fn check(self, max_bytes: u64) -> Result<(), Excess> {
        let needed = self.output.max(self.memory);
        if needed > max_bytes {
            return Err(Excess::Limit { needed, limit: max_bytes });
        }
        // The output grows while the document is still in memory.
        check_memory(self.memory.saturating_add(self.output))
    }
}

/// Decides when to check an [`Estimate`] again while an exporter creates an unknown number of items.
///
/// A check is due whenever the number has grown by a quarter, so all checks together take time in proportion to the items.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct GrowthCheck {
    /// The number of items at the last check.
    checked: u64,
}

impl GrowthCheck {
    /// Returns `true` if the estimate must be checked for this number of items, and records the check.
    pub fn is_due(&mut self, items: u64) -> bool {
        let is_due = items > self.checked.saturating_add(self.checked / 4);
        if is_due {
            self.checked = items;
        }
        is_due
    }
}

/// Checks that the system provides this many bytes of memory. They are free again afterwards.
///
/// # Errors
/// [`Excess::Memory`] if it does not. Without this check, a failing allocation ends the process.
pub fn check_memory(bytes: u64) -> Result<(), Excess> {
    // Every system has the memory for a small document.
    const SMALL: u64 = 16 << 20;
    if bytes < SMALL {
        return Ok(());
    }
    let mut probe: Vec<u8> = Vec::new();
    let reserved = usize::try_from(bytes).ok().and_then(|bytes| probe.try_reserve_exact(bytes).ok());
    // Compilers may remove an allocation that nothing uses.
    black_box(&probe);
    reserved.ok_or(Excess::Memory { needed: bytes })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn estimates_are_checked_against_limit_and_memory() {
        let estimate = Estimate::default().with(10, 5, 7).with(u64::MAX, 0, 0);
        assert_eq!(estimate, Estimate { output: 50, memory: 70 });
        assert_eq!(estimate.check(70), Ok(()));
        assert_eq!(estimate.check(69), Err(Excess::Limit { needed: 70, limit: 69 }));
        let all = Estimate::default().with(u64::MAX, 2, 1);
        assert!(matches!(all.check(u64::MAX), Err(Excess::Memory { .. })));
    }

    #[test]
    fn checks_are_due_after_growth_by_a_quarter() {
        let mut growth = GrowthCheck::default();
        let due: Vec<u64> = (0..=20).filter(|items| growth.is_due(*items)).collect();
        assert_eq!(due, [1, 2, 3, 4, 6, 8, 11, 14, 18]);
        assert!(growth.is_due(u64::MAX) && !growth.is_due(u64::MAX));
    }
}

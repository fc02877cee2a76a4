//! Losses of conversions.

use mapwright_io::Frame;
pub use mapwright_io::{Export, Loss, LossKind, Losses};

/// Collects losses.
#[derive(Debug, Default)]
pub(crate) struct Report(pub(crate) Losses);

impl Report {
    pub(crate) fn add(&mut self, kind: LossKind, field: &'static str, text: impl Into<String>) {
        let path = [Frame::Field(field)].into_iter().collect();
        self.0.items.push(Loss { kind, path, count: 1, text: text.into() });
    }

    /// Adds a loss of `count` items, unless there are none. `text` is the description of one item and of several.
    pub(crate) fn count(&mut self, kind: LossKind, field: &'static str, count: usize, text: [&str; 2]) {
        if count > 0 {
            self.add(kind, field, counted(count, text));
        }
    }
}

/// The description of a name in a fixed-width field with bytes of an older, longer name after it, and of several.
pub(crate) const OLD_NAMES: [&str; 2] =
    ["name with bytes of an older name after it", "names with bytes of older names after them"];

/// Returns a count with the singular or the plural.
pub(crate) fn counted(count: usize, [one, several]: [&str; 2]) -> String {
    format!("{count} {}", if count == 1 { one } else { several })
}

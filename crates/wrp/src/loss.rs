//! What a conversion could not keep.

use mapwright_io::Frame;
pub use mapwright_io::{Export, Loss, LossKind, Losses};

/// Losses while they are found.
#[derive(Debug, Default)]
pub(crate) struct Report(pub(crate) Losses);

impl Report {
    pub(crate) fn add(&mut self, kind: LossKind, field: &'static str, text: impl Into<String>) {
        let path = [Frame::Field(field)].into_iter().collect();
        self.0.items.push(Loss { kind, path, count: 1, text: text.into() });
    }

    /// Adds a loss that happened so many times, if it did.
    pub(crate) fn count(&mut self, kind: LossKind, field: &'static str, count: usize, text: &str) {
        if count > 0 {
            self.add(kind, field, format!("{count} {text}"));
        }
    }
}

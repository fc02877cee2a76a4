//! Losses of conversions between dialects.

pub use mapwright_io::{Export, Loss, LossKind, Losses};
use mapwright_io::{Frame, Path};

/// Collects losses. Equal ones are counted.
#[derive(Debug, Default)]
pub(crate) struct Report(pub(crate) Losses);

impl Report {
    /// Adds a loss of a field.
    pub(crate) fn add(&mut self, kind: LossKind, field: &'static str, text: impl Into<String>) {
        self.add_loss(kind, 1, text.into(), || field_path(field));
    }

    /// Adds a loss that occurred this many times, unless 0.
    pub(crate) fn count(&mut self, kind: LossKind, field: &'static str, count: usize, text: &str) {
        if count > 0 {
            self.add_loss(kind, count, text, || field_path(field));
        }
    }

    /// Adds a loss of a part, if it happened.
    pub(crate) fn part(&mut self, happened: bool, kind: LossKind, list: &'static str, index: usize, text: &str) {
        if happened {
            self.add_loss(kind, 1, text, || [Frame::Field(list), Frame::Index(index)].into_iter().collect());
        }
    }

    fn add_loss(
        &mut self,
        kind: LossKind,
        count: usize,
        text: impl AsRef<str> + Into<String>,
        path: impl FnOnce() -> Path,
    ) {
        match self.0.items.iter_mut().find(|loss| loss.kind == kind && loss.text == text.as_ref()) {
            Some(loss) => loss.count = loss.count.saturating_add(count),
            None => self.0.items.push(Loss { kind, path: path(), count, text: text.into() }),
        }
    }
}

fn field_path(field: &'static str) -> Path {
    let frame = (!field.is_empty()).then_some(Frame::Field(field));
    frame.into_iter().collect()
}

//! Losses that occur often, reported once.

use std::fmt::Display;

use mapwright_scene::{LossKind, Losses, Value};

/// Number of occurrences of a loss, and the path of the first one.
#[derive(Default)]
pub(super) struct LossCount {
    count: usize,
    first: String,
}

impl LossCount {
    pub(super) fn add(&mut self, path: impl Display) {
        if self.count == 0 {
            self.first = path.to_string();
        }
        self.count = self.count.saturating_add(1);
    }

    /// Counts strings that are not ASCII: the file does not name its code page.
    pub(super) fn check_text(&mut self, text: &str, path: impl Display) {
        if !text.is_ascii() {
            self.add(path);
        }
    }

    /// Counts values that are such strings.
    pub(super) fn check_value(&mut self, value: &Value, path: impl Display) {
        if let Value::Text(text) = value {
            self.check_text(text, path);
        }
    }

    /// Rounds a number to 32 bits and counts it if that changes it.
    pub(super) fn round(&mut self, number: f64, path: impl Display) -> i32 {
        #[allow(clippy::cast_possible_truncation, reason = "it saturates, and changed numbers are counted")]
        let whole = number.round() as i32;
        if f64::from(whole) != number {
            self.add(path);
        }
        whole
    }

    /// Converts a number to percent, rounds it, and counts it if that changes more than the last bit.
    pub(super) fn round_percent(&mut self, number: f64, path: impl Display) -> i32 {
        let percent = (number * 100.0).round();
        if percent / 100.0 == number { self.round(percent, path) } else { self.round(number * 100.0, path) }
    }

    /// Adds one loss for all occurrences, with the path of the first one.
    pub(super) fn report(&self, kind: LossKind, text: &str, losses: &mut Losses) {
        if self.count > 0 {
            losses.push(kind, self.first.as_str(), text);
            losses.items.iter_mut().last().expect("a loss was added").count = self.count;
        }
    }
}

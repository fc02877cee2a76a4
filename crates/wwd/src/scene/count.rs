//! What happens often, told once.

use std::fmt::Display;

use mapwright_scene::Value;

/// How often something happened, and where first.
#[derive(Default)]
pub(super) struct Count {
    count: usize,
    first: String,
}

impl Count {
    pub(super) fn add(&mut self, path: impl Display) {
        if self.count == 0 {
            self.first = path.to_string();
        }
        self.count = self.count.saturating_add(1);
    }

    /// Counts texts of which the file does not say how they are to be read.
    pub(super) fn text(&mut self, text: &str, path: impl Display) {
        if !text.is_ascii() {
            self.add(path);
        }
    }

    /// As [`text`](Self::text), if the value is one.
    pub(super) fn value(&mut self, value: &Value, path: impl Display) {
        if let Value::Text(text) = value {
            self.text(text, path);
        }
    }

    /// A number of the file; counts those that are not the same.
    pub(super) fn whole(&mut self, number: f64, path: impl Display) -> i32 {
        #[allow(clippy::cast_possible_truncation, reason = "it saturates, and what is not the same counts")]
        let whole = number.round() as i32;
        if f64::from(whole) != number {
            self.add(path);
        }
        whole
    }

    /// A number in percent; counts those that are not the same but for rounding.
    pub(super) fn percent(&mut self, number: f64, path: impl Display) -> i32 {
        let percent = (number * 100.0).round();
        if percent / 100.0 == number { self.whole(percent, path) } else { self.whole(number * 100.0, path) }
    }

    pub(super) fn counted(&self) -> Option<(&str, usize)> {
        (self.count > 0).then_some((self.first.as_str(), self.count))
    }
}

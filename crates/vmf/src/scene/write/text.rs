//! Text in the layout of Hammer.

use std::borrow::Cow;

/// Blocks and keys, one per line, indented with tabs.
pub(super) struct TextWriter {
    text: String,
    depth: usize,
    line_end: &'static str,
}

impl TextWriter {
    /// Creates a writer for blocks at a depth.
    pub(super) fn new(depth: usize, line_end: &'static str) -> Self {
        Self { text: String::new(), depth, line_end }
    }

    fn indent(&mut self) {
        self.text.extend(std::iter::repeat_n('\t', self.depth));
    }

    /// Starts a block.
    pub(super) fn open(&mut self, name: &str) {
        for line in [name, "{"] {
            self.indent();
            self.text.push_str(line);
            self.text.push_str(self.line_end);
        }
        self.depth += 1;
    }

    /// Ends a block.
    pub(super) fn close(&mut self) {
        self.depth = self.depth.saturating_sub(1);
        self.indent();
        self.text.push('}');
        self.text.push_str(self.line_end);
    }

    /// Writes a key with a value. Both are clean: see [`clean`].
    pub(super) fn key(&mut self, key: &str, value: &str) {
        self.indent();
        for part in ["\"", key, "\" \"", value, "\"", self.line_end] {
            self.text.push_str(part);
        }
    }

    /// Writes keys with values.
    pub(super) fn keys<'a>(&mut self, keys: impl IntoIterator<Item = &'a (String, String)>) {
        for (key, value) in keys {
            self.key(key, value);
        }
    }

    /// Returns the text.
    pub(super) fn finish(self) -> String {
        self.text
    }
}

/// Returns a text that can be between quotes: maps cannot store quotes, and Hammer reads lines.
pub(super) fn clean(text: &str) -> Cow<'_, str> {
    if text.contains(['"', '\n', '\r', '\0']) {
        let text = text.replace('"', "'").replace("\r\n", " ");
        return text.replace(['\n', '\r'], " ").replace('\0', "").into();
    }
    text.into()
}

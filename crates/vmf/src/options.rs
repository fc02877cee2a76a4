//! Options of reading and writing.

use mapwright_io::Limits;
use mapwright_keyvalues::kv1;

mapwright_io::options! {
    /// Options for reading.
    #[derive(Debug, Clone)]
    pub struct ReadOptions {
        /// Limits of the input, of keys and blocks together, and of nested blocks. Default: 1 GiB, 50 million items, 64 levels.
        pub limits: Limits = Limits::default().with_max_input(1 << 30).with_max_items(50_000_000).with_max_depth(64), with_limits;
        /// Maximum length of a key or value in bytes. Default: 1 MiB.
        pub max_text: usize = 1 << 20, with_max_text;
        /// `true` if `\"` is a quote inside a string, as Strata Source writes it. Default: `false`, because Hammer writes paths that end in
        /// `\`.
        pub escapes: bool = false, with_escapes;
    }
}

impl ReadOptions {
    /// Returns the options of the text.
    pub(crate) fn for_text(&self) -> kv1::ReadOptions {
        let options = kv1::ReadOptions::vmf();
        options.with_limits(self.limits.clone()).with_max_text(self.max_text).with_escapes(self.escapes)
    }
}

mapwright_io::options! {
    /// Options for writing. There are none yet, because a map is written as its text.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct WriteOptions {}
}

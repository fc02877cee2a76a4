//! Options of reading and writing.

use mapwright_io::Limits;

mapwright_io::options! {
    /// Options for reading.
    #[derive(Debug, Clone)]
    pub struct ReadOptions {
        /// Limits of the input, items and depth. Default: 1 GiB, 50 million items, 256 levels.
        pub limits: Limits = Limits::default().with_max_input(1 << 30).with_max_items(50_000_000).with_max_depth(256), with_limits;
    }
}

mapwright_io::options! {
    /// Options for writing. There are none yet, because a document is written as its text.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct WriteOptions {}
}

//! Options for reading.

use mapwright_io::Limits;

mapwright_io::options! {
    /// Options for reading.
    #[derive(Debug, Clone)]
    pub struct ReadOptions {
        /// Limits of memory and time. Blocks, faces, vertices, entities and objects count as items. Files of 4 GiB and more are
        /// always rejected.
        pub limits: Limits = Limits::default(), with_limits;
    }
}

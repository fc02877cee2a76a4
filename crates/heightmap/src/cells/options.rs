//! Options for reading and writing.

use mapwright_scene::Estimate;

mapwright_io::options! {
    /// Options for writing.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct ExportOptions {
        /// Name of the terrain, or of a node that contains it. `None`: the first visible terrain.
        pub terrain: Option<String> = None;
        /// Name of the legend file, without its extension. Default: `scene`.
        pub name: String = "scene".into(), with_name(impl Into<String>);
        /// Maximum size of the output in bytes, and of the memory to create it. An estimate is checked before anything is created.
        /// Default: 2 GiB.
        pub max_bytes: u64 = Estimate::MAX_BYTES, with_max_bytes;
    }
}

impl ExportOptions {
    /// Changes [`terrain`](Self::terrain).
    #[must_use]
    pub fn with_terrain(mut self, name: impl Into<String>) -> Self {
        self.terrain = Some(name.into());
        self
    }
}

mapwright_io::options! {
    /// Options for reading.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct ImportOptions {
        /// Name of the legend file. `None`: the name that the image stores.
        pub legend: Option<String> = None;
        /// Maximum number of bytes for cells: 4 each. Default: 1 GiB.
        pub max_bytes: u64 = 1 << 30, with_max_bytes;
    }
}

impl ImportOptions {
    /// Changes [`legend`](Self::legend).
    #[must_use]
    pub fn with_legend(mut self, name: impl Into<String>) -> Self {
        self.legend = Some(name.into());
        self
    }
}

//! How to write and read.

/// How to write.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct ExportOptions {
    /// The name of the terrain, or of a node that shows it. `None`: the first one that is shown.
    pub terrain: Option<String>,
    /// The name of the legend beside, without its extension.
    pub name: String,
    /// Maximum size of the output in bytes, and of the memory to create it. An estimate is checked before anything is created.
    /// Default: 2 GiB.
    pub max_bytes: u64,
}

impl Default for ExportOptions {
    fn default() -> Self {
        Self { terrain: None, name: "scene".into(), max_bytes: mapwright_scene::Estimate::MAX_BYTES }
    }
}

impl ExportOptions {
    /// Changes [`terrain`](Self::terrain).
    #[must_use]
    pub fn with_terrain(mut self, name: impl Into<String>) -> Self {
        self.terrain = Some(name.into());
        self
    }

    /// Changes [`name`](Self::name).
    #[must_use]
    pub fn with_name(mut self, name: impl Into<String>) -> Self {
        self.name = name.into();
        self
    }

    /// Changes [`max_bytes`](Self::max_bytes).
    #[must_use]
    pub fn with_max_bytes(mut self, max_bytes: u64) -> Self {
        self.max_bytes = max_bytes;
        self
    }
}

/// How to read.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct ImportOptions {
    /// The name of the legend, to be asked for in place of the one that the picture names.
    pub legend: Option<String>,
    /// How many bytes cells may take: 4 for each. 1 GiB.
    pub max_bytes: u64,
}

impl Default for ImportOptions {
    fn default() -> Self {
        Self { legend: None, max_bytes: 1 << 30 }
    }
}

impl ImportOptions {
    /// Changes [`legend`](Self::legend).
    #[must_use]
    pub fn with_legend(mut self, name: impl Into<String>) -> Self {
        self.legend = Some(name.into());
        self
    }

    /// Changes [`max_bytes`](Self::max_bytes).
    #[must_use]
    pub fn with_max_bytes(mut self, max_bytes: u64) -> Self {
        self.max_bytes = max_bytes;
        self
    }
}

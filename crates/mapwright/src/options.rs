//! Options of reading.

use std::path::PathBuf;

use mapwright_etf::Mode;
use mapwright_io::Limits;

use crate::External;

/// How to read, whatever the format.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct ReadOptions {
    /// Limits for reading. glTF, OBJ, Quake maps, Tiled maps and heightmaps have [`max_objects`](Self::max_objects) and
    /// [`max_expanded`](Self::max_expanded) in place of items and decompressed bytes.
    pub limits: Limits,
    /// Maximum number of objects in a glTF, OBJ, Quake map or Tiled map. `None`: in proportion to the size of the file.
    pub max_objects: Option<u64>,
    /// Maximum bytes of geometry, cells, heights and pixels that are made of a glTF, OBJ, Tiled map or heightmap. `None`: at least
    /// 256 MiB, and for glTF in proportion to the size of the file.
    pub max_expanded: Option<u64>,
    /// Which Erlang terms are accepted.
    pub mode: Mode,
    /// The path of the file. Material libraries, images and other files that it refers to are looked for from there. Without it
    /// none are read.
    pub path: Option<PathBuf>,
    /// Files outside the document that may be read. Default: [`External::Beside`].
    pub external: External,
    /// Which sizes of their header levels may state.
    #[cfg(feature = "wwd")]
    pub header_size: mapwright_wwd::HeaderSize,
    /// Metres from vertex to vertex of terrains whose file does not say it, and of pictures of heights. None: 50, and as the picture
    /// says.
    #[cfg(feature = "wrp")]
    pub cell: Option<f32>,
    /// Metres per step of height of terrains that store steps. None: 0.045, as the engine has it.
    #[cfg(feature = "wrp")]
    pub height_unit: Option<f32>,
    /// How heightmaps are read. Format, limit and world file go by the file.
    #[cfg(feature = "heightmap")]
    pub heightmap: mapwright_interchange::heightmap::ImportOptions,
}

impl ReadOptions {
    /// Returns options for services that read files from strangers: the limits of [`Limits::service`], 256 MiB for
    /// [`max_expanded`](Self::max_expanded), and [`External::None`].
    ///
    /// The page [Using mapwright with untrusted files](crate::manual::untrusted) describes what else a service needs.
    pub fn service() -> Self {
        let limits = Limits::service();
        let max_expanded = Some(limits.max_decompressed);
        Self { limits, max_expanded, external: External::None, ..Self::default() }
    }

    /// Changes [`limits`](Self::limits).
    #[must_use]
    pub fn with_limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// Changes [`max_objects`](Self::max_objects).
    #[must_use]
    pub fn with_max_objects(mut self, objects: Option<u64>) -> Self {
        self.max_objects = objects;
        self
    }

    /// Changes [`max_expanded`](Self::max_expanded).
    #[must_use]
    pub fn with_max_expanded(mut self, bytes: Option<u64>) -> Self {
        self.max_expanded = bytes;
        self
    }

    /// Changes [`mode`](Self::mode).
    #[must_use]
    pub fn with_mode(mut self, mode: Mode) -> Self {
        self.mode = mode;
        self
    }

    /// Changes [`path`](Self::path).
    #[must_use]
    pub fn with_path(mut self, path: impl Into<PathBuf>) -> Self {
        self.path = Some(path.into());
        self
    }

    /// Changes [`external`](Self::external).
    #[must_use]
    pub fn with_external(mut self, external: External) -> Self {
        self.external = external;
        self
    }

    /// Changes [`header_size`](Self::header_size).
    #[cfg(feature = "wwd")]
    #[must_use]
    pub fn with_header_size(mut self, header_size: mapwright_wwd::HeaderSize) -> Self {
        self.header_size = header_size;
        self
    }

    #[cfg(feature = "wwd")]
    pub(crate) fn wwd(&self) -> mapwright_wwd::ReadOptions {
        mapwright_wwd::ReadOptions::default().with_limits(self.limits.clone()).with_header_size(self.header_size)
    }

    /// Changes [`cell`](Self::cell).
    #[cfg(feature = "wrp")]
    #[must_use]
    pub fn with_cell(mut self, metres: Option<f32>) -> Self {
        self.cell = metres;
        self
    }

    /// Changes [`height_unit`](Self::height_unit).
    #[cfg(feature = "wrp")]
    #[must_use]
    pub fn with_height_unit(mut self, metres: Option<f32>) -> Self {
        self.height_unit = metres;
        self
    }

    #[cfg(feature = "wrp")]
    pub(crate) fn wrp(&self) -> mapwright_wrp::ReadOptions {
        let options = mapwright_wrp::ReadOptions::default().with_limits(self.limits.clone());
        let options = self.cell.map_or(options.clone(), |metres| options.with_cell(metres));
        self.height_unit.map_or(options.clone(), |metres| options.with_height_unit(metres))
    }

    /// Changes [`heightmap`](Self::heightmap).
    #[cfg(feature = "heightmap")]
    #[must_use]
    pub fn with_heightmap(mut self, options: mapwright_interchange::heightmap::ImportOptions) -> Self {
        self.heightmap = options;
        self
    }

    #[cfg(feature = "wmp")]
    pub(crate) fn wmp(&self) -> mapwright_wmp::ReadOptions {
        mapwright_wmp::ReadOptions::default().with_limits(self.limits.clone())
    }

    pub(crate) fn etf(&self) -> mapwright_etf::ReadOptions {
        mapwright_etf::ReadOptions::default().with_limits(self.limits.clone()).with_mode(self.mode)
    }

    #[cfg(feature = "dmx")]
    pub(crate) fn dmx(&self) -> mapwright_dmx::ReadOptions {
        mapwright_dmx::ReadOptions::default().with_limits(self.limits.clone())
    }

    #[cfg(feature = "wings")]
    pub(crate) fn wings(&self) -> mapwright_wings::ReadOptions {
        mapwright_wings::ReadOptions::default().with_limits(self.limits.clone()).with_mode(self.mode)
    }

    #[cfg(feature = "gltf")]
    pub(crate) fn gltf(&self) -> mapwright_interchange::gltf::ImportOptions {
        let mut options = mapwright_interchange::gltf::ImportOptions::default();
        options.max_objects = self.max_objects;
        options.max_bytes = self.max_expanded;
        options
    }

    #[cfg(feature = "obj")]
    pub(crate) fn obj(&self) -> mapwright_interchange::obj::ImportOptions {
        let size = |number| usize::try_from(number).unwrap_or(usize::MAX);
        let mut options = mapwright_interchange::obj::ImportOptions::default();
        options.max_items = self.max_objects.map_or(options.max_items, size);
        options.max_image_bytes = self.max_expanded.map_or(options.max_image_bytes, size);
        options
    }

    #[cfg(feature = "map")]
    pub(crate) fn map(&self) -> mapwright_interchange::map::ImportOptions {
        let mut options = mapwright_interchange::map::ImportOptions::default();
        options.max_objects = self.max_objects;
        options
    }

    #[cfg(feature = "tiled")]
    pub(crate) fn tiled(&self) -> mapwright_interchange::tiled::ImportOptions {
        let mut options = mapwright_interchange::tiled::ImportOptions::default();
        options.max_objects = self.max_objects;
        options.max_bytes = self.max_expanded.unwrap_or(options.max_bytes);
        options
    }

    #[cfg(feature = "heightmap")]
    pub(crate) fn heightmap_of(&self, format: crate::Format) -> mapwright_interchange::heightmap::ImportOptions {
        let mut options = self.heightmap.clone();
        options.format = format.heightmap();
        #[cfg(feature = "wrp")]
        if let (crate::Format::HeightPng, Some(cell)) = (format, self.cell) {
            options.spacing = Some([f64::from(cell); 2]);
        }
        options.max_bytes = self.max_expanded.unwrap_or(options.max_bytes);
        let stem = self.path.as_deref().and_then(std::path::Path::file_stem);
        options.world_file = stem.map(|stem| format!("{}.pgw", stem.to_string_lossy()));
        options
    }

    #[cfg(feature = "heightmap")]
    pub(crate) fn cells(&self) -> mapwright_interchange::heightmap::cells::ImportOptions {
        let mut options = mapwright_interchange::heightmap::cells::ImportOptions::default();
        options.max_bytes = self.max_expanded.unwrap_or(options.max_bytes);
        options
    }
}

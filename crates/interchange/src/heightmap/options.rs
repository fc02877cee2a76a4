//! How to write and read.

/// The files that heights are kept in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum Format {
    /// ESRI ASCII grid, `.asc`.
    #[default]
    Asc,
    /// Grey PNG of 16 bits, `.png`.
    Png,
    /// GeoTIFF, `.tif`: 32-bit floats, or 16-bit integers with a scale.
    Tif,
    /// Lines of x, y and height, `.xyz`.
    Xyz,
}

impl Format {
    /// The name, as errors have it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Asc => "ESRI ASCII grid",
            Self::Png => "PNG",
            Self::Tif => "TIFF",
            Self::Xyz => "XYZ",
        }
    }
}

/// How texts spell heights.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum Numbers {
    /// With two decimals, as Terrain Builder does; rounded as C's `%.2f` rounds.
    #[default]
    Hundredths,
    /// With as few digits as read back to the same 32-bit float.
    Shortest,
}

/// What the corner in the head of an ESRI ASCII grid is. Other formats leave no choice: their points are the centres of pixels.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum Corner {
    /// The south-western point: Terrain Builder.
    #[default]
    Point,
    /// The corner of the cell around that point, half a step further south-west: programs for maps.
    Cell,
}

/// Where programs of the family put the origin of a terrain on the map: 200 km east.
pub const TERRAIN_BUILDER_ORIGIN: [f64; 2] = [200_000.0, 0.0];

/// How to write.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct ExportOptions {
    /// What is written.
    pub format: Format,
    /// The name of the terrain, or of a node that shows it. `None`: the first one that is shown.
    pub terrain: Option<String>,
    /// East and north of the origin of the scene on the map, in units of length. [`TERRAIN_BUILDER_ORIGIN`].
    pub origin: [f64; 2],
    /// How texts spell heights.
    pub numbers: Numbers,
    /// What the corner of an ESRI ASCII grid is.
    pub corner: Corner,
    /// The heights of black and white in a PNG; those beyond are clamped. `None`: the lowest and the highest one where heights are
    /// floats, and where they are steps a pixel for each.
    pub range: Option<[f64; 2]>,
    /// The name that the files beside begin with.
    pub name: String,
    /// Maximum size of the output in bytes, and of the memory to create it. An estimate is checked before anything is created.
    /// Default: 2 GiB.
    pub max_bytes: u64,
}

impl Default for ExportOptions {
    fn default() -> Self {
        Self {
            format: Format::Asc,
            terrain: None,
            origin: TERRAIN_BUILDER_ORIGIN,
            numbers: Numbers::Hundredths,
            corner: Corner::Point,
            range: None,
            name: "scene".into(),
            max_bytes: mapwright_scene::Estimate::MAX_BYTES,
        }
    }
}

impl ExportOptions {
    /// Changes [`max_bytes`](Self::max_bytes).
    #[must_use]
    pub fn with_max_bytes(mut self, max_bytes: u64) -> Self {
        self.max_bytes = max_bytes;
        self
    }

    /// Changes [`format`](Self::format).
    #[must_use]
    pub fn with_format(mut self, format: Format) -> Self {
        self.format = format;
        self
    }

    /// Changes [`terrain`](Self::terrain).
    #[must_use]
    pub fn with_terrain(mut self, name: impl Into<String>) -> Self {
        self.terrain = Some(name.into());
        self
    }

    /// Changes [`origin`](Self::origin).
    #[must_use]
    pub fn with_origin(mut self, origin: [f64; 2]) -> Self {
        self.origin = origin;
        self
    }

    /// Changes [`numbers`](Self::numbers).
    #[must_use]
    pub fn with_numbers(mut self, numbers: Numbers) -> Self {
        self.numbers = numbers;
        self
    }

    /// Changes [`corner`](Self::corner).
    #[must_use]
    pub fn with_corner(mut self, corner: Corner) -> Self {
        self.corner = corner;
        self
    }

    /// Changes [`range`](Self::range).
    #[must_use]
    pub fn with_range(mut self, range: [f64; 2]) -> Self {
        self.range = Some(range);
        self
    }

    /// Changes [`name`](Self::name).
    #[must_use]
    pub fn with_name(mut self, name: impl Into<String>) -> Self {
        self.name = name.into();
        self
    }
}

/// What the pixels of a picture are that does not say so itself.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum PixelHeights {
    /// The heights of black and white.
    Range([f64; 2]),
    /// A factor, and what is added then.
    Scale {
        /// The height of one step of grey.
        scale: f64,
        /// The height of black.
        offset: f64,
    },
}

/// How to read.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct ImportOptions {
    /// What is read. `None`: a PNG or TIFF by its mark, an ESRI ASCII grid by its head, anything else as XYZ.
    pub format: Option<Format>,
    /// East and north of the origin of the scene on the map, in units of length: the terrain is moved by what is left.
    /// [`TERRAIN_BUILDER_ORIGIN`].
    pub origin: [f64; 2],
    /// What the corner of an ESRI ASCII grid is.
    pub corner: Corner,
    /// The step between points, east and north; both positive. `None`: as the file says, or 1 if it does not.
    pub spacing: Option<[f64; 2]>,
    /// What points without a height get. `None`: they stay what is no number.
    pub no_data: Option<f32>,
    /// Makes the heights whole multiples of a step, the nearest ones: 0.045 for terrains of Operation Flashpoint. `None`: as exact as the
    /// file has them.
    pub step: Option<f64>,
    /// What the pixels of a PNG are that does not say so. `None`: one unit of length each.
    pub pixels: Option<PixelHeights>,
    /// The name of the world file beside a PNG, to be asked for if the PNG does not say where it is.
    pub world_file: Option<String>,
    /// How many bytes heights may take that are packed: 4 for each of a PNG or TIFF. 1 GiB.
    pub max_bytes: u64,
}

impl Default for ImportOptions {
    fn default() -> Self {
        Self {
            format: None,
            origin: TERRAIN_BUILDER_ORIGIN,
            corner: Corner::Point,
            spacing: None,
            no_data: None,
            step: None,
            pixels: None,
            world_file: None,
            max_bytes: 1 << 30,
        }
    }
}

impl ImportOptions {
    /// Changes [`format`](Self::format).
    #[must_use]
    pub fn with_format(mut self, format: Format) -> Self {
        self.format = Some(format);
        self
    }

    /// Changes [`origin`](Self::origin).
    #[must_use]
    pub fn with_origin(mut self, origin: [f64; 2]) -> Self {
        self.origin = origin;
        self
    }

    /// Changes [`corner`](Self::corner).
    #[must_use]
    pub fn with_corner(mut self, corner: Corner) -> Self {
        self.corner = corner;
        self
    }

    /// Changes [`spacing`](Self::spacing).
    #[must_use]
    pub fn with_spacing(mut self, spacing: [f64; 2]) -> Self {
        self.spacing = Some(spacing);
        self
    }

    /// Changes [`no_data`](Self::no_data).
    #[must_use]
    pub fn with_no_data(mut self, height: f32) -> Self {
        self.no_data = Some(height);
        self
    }

    /// Changes [`step`](Self::step).
    #[must_use]
    pub fn with_step(mut self, step: f64) -> Self {
        self.step = Some(step);
        self
    }

    /// Changes [`pixels`](Self::pixels).
    #[must_use]
    pub fn with_pixels(mut self, pixels: PixelHeights) -> Self {
        self.pixels = Some(pixels);
        self
    }

    /// Changes [`world_file`](Self::world_file).
    #[must_use]
    pub fn with_world_file(mut self, name: impl Into<String>) -> Self {
        self.world_file = Some(name.into());
        self
    }

    /// Changes [`max_bytes`](Self::max_bytes).
    #[must_use]
    pub fn with_max_bytes(mut self, max_bytes: u64) -> Self {
        self.max_bytes = max_bytes;
        self
    }
}

//! Options for reading and writing.

use mapwright_scene::{AxisChange, Capabilities, Estimate, Feature};

use crate::{ByteOrder, NoData, RowOrder};

/// The file formats of heightmaps.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum Format {
    /// ESRI ASCII grid, `.asc`.
    #[default]
    Asc,
    /// Greyscale PNG of 16 bits, `.png`.
    Png,
    /// GeoTIFF, `.tif`: 32-bit floats, or 16-bit integers with a scale.
    Tif,
    /// Lines of x, y and height, `.xyz`.
    Xyz,
    /// ESRI BIL, `.bil`: numbers of any type, and a header beside them.
    Bil,
    /// ESRI floats, `.flt`: 32-bit floats, and a header beside them.
    Flt,
    /// Raw heights of 16 bits, `.r16` or `.raw`; 8 bits are read, too.
    R16,
    /// Raw 32-bit floats, `.r32`.
    R32,
}

impl Format {
    /// The name as errors print it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Asc => "ESRI ASCII grid",
            Self::Png => "PNG",
            Self::Tif => "TIFF",
            Self::Xyz => "XYZ",
            Self::Bil => "ESRI BIL",
            Self::Flt => "ESRI FLT",
            Self::R16 => "raw heights of 16 bits",
            Self::R32 => "raw heights of 32 bits",
        }
    }
}

/// The number formatting of heights in text files.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum Numbers {
    /// Two decimals, rounded as C's `%.2f` rounds. Terrain Builder writes these.
    #[default]
    Hundredths,
    /// The fewest digits that read back to the same 32-bit float.
    Shortest,
}

/// A game engine that reads raw heights of 16 bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Engine {
    /// Unreal: 127, 253, 505, 1009, 2017, 4033 or 8129 samples per side; the northern row is first.
    Unreal,
    /// Unity: 2ⁿ + 1 samples per side, from 33 to 4097; the southern row is first.
    Unity,
}

/// The meaning of `xllcorner` and `yllcorner` in an ESRI ASCII grid. The points of other formats are always centres of pixels.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum Corner {
    /// The south-western point, as in Terrain Builder.
    Point,
    /// The corner of the cell around that point, half a step further south-west, as in GIS software.
    #[default]
    Cell,
}

/// The text of the loss about [`Corner::Point`].
pub(crate) const CORNER_IS_POINT: &str = "xllcorner and yllcorner are the south-western point, as in Terrain Builder; in GIS software they are the \
                        corner of a cell";

/// Map coordinates at which Terrain Builder puts the origin of a terrain: 200 km east.
pub const TERRAIN_BUILDER_ORIGIN: [f64; 2] = [200_000.0, 0.0];

mapwright_io::options! {
    /// Options for writing.
    #[derive(Debug, Clone, PartialEq)]
    pub struct ExportOptions {
        /// The file format.
        pub format: Format = Format::Asc, with_format;
        /// Name of the terrain, or of a node that contains it. `None`: the first visible terrain.
        pub terrain: Option<String> = None;
        /// Map coordinates of the origin of the scene, east and north, in units of length. Default: [`TERRAIN_BUILDER_ORIGIN`].
        pub origin: [f64; 2] = TERRAIN_BUILDER_ORIGIN, with_origin;
        /// The number formatting of heights in text files.
        pub numbers: Numbers = Numbers::Hundredths, with_numbers;
        /// The corner of an ESRI ASCII grid. `None`: [`Corner::Cell`].
        pub corner: Option<Corner> = None, with_corner(Corner);
        /// Game engine that reads raw heights of 16 bits: they get a size that the engine takes, all numbers, and the first row of the engine,
        /// whatever [`range`](Self::range) and [`rows`](Self::rows) are. A loss names the settings of the engine. `None`: the heights stay as
        /// they are.
        pub engine: Option<Engine> = None, with_engine(Engine);
        /// The order of the bytes of raw heights.
        pub byte_order: ByteOrder = ByteOrder::Little, with_byte_order;
        /// The first row of raw heights.
        pub rows: RowOrder = RowOrder::North, with_rows;
        /// Heights of black and white in a PNG, and of the lowest and highest number of 16 raw bits. Heights beyond are clamped. `None`: the
        /// lowest and highest float height; for heights in steps, one step per level of grey.
        pub range: Option<[f64; 2]> = None, with_range([f64; 2]);
        /// Prefix of the names of other files beside the heightmap. Default: `scene`.
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

/// The conversion of pixels to heights for images that do not store it.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum PixelHeights {
    /// The heights of black and white.
    Range([f64; 2]),
    /// height = pixel × scale + offset.
    Scale {
        /// Height of one level of grey.
        scale: f64,
        /// Height of black.
        offset: f64,
    },
}

mapwright_io::options! {
    /// Options for reading.
    #[derive(Debug, Clone, PartialEq)]
    pub struct ImportOptions {
        /// The file format. `None`: PNG or TIFF by signature, ESRI ASCII grid by its header, XYZ for anything else.
        pub format: Option<Format> = None, with_format(Format);
        /// Map coordinates of the origin of the scene, east and north, in units of length. The node of the terrain is translated by
        /// the difference. Default: [`TERRAIN_BUILDER_ORIGIN`].
        pub origin: [f64; 2] = TERRAIN_BUILDER_ORIGIN, with_origin;
        /// The corner of an ESRI ASCII grid. `None`: [`Corner::Cell`].
        pub corner: Option<Corner> = None, with_corner(Corner);
        /// Positive distance between points, east and north. `None`: as stored in the file, else 1.
        pub spacing: Option<[f64; 2]> = None, with_spacing([f64; 2]);
        /// Replacement of points without data. `None`: NaN.
        pub no_data: Option<NoData> = None, with_no_data(NoData);
        /// Metres per unit of the heights. `None`: as stored in the file, else 1.
        pub height_unit: Option<f64> = None, with_height_unit(f64);
        /// Rounds heights to multiples of a step; 0.045 for terrains of Operation Flashpoint. `None`: as exact as the file.
        pub step: Option<f64> = None, with_step(f64);
        /// Columns and rows of raw heights. `None`: as their description states, else a square.
        pub size: Option<[u32; 2]> = None, with_size([u32; 2]);
        /// The order of the bytes of raw heights. `None`: as their description states, else the lowest byte first.
        pub byte_order: Option<ByteOrder> = None, with_byte_order(ByteOrder);
        /// The first row of raw heights. `None`: as their description states, else the northern row.
        pub rows: Option<RowOrder> = None, with_rows(RowOrder);
        /// The conversion of pixels, and of raw numbers, to heights for a file that does not store it. `None`: one unit of length per level.
        pub pixels: Option<PixelHeights> = None, with_pixels(PixelHeights);
        /// Name of the world file of a PNG, which is read if the PNG does not store its position.
        pub world_file: Option<String> = None;
        /// Name of the file with the coordinate reference system of an ESRI ASCII grid or a PNG, if there is one.
        pub projection_file: Option<String> = None;
        /// Name of the header of a BIL or FLT file. `None`: `heights.hdr`.
        pub header_file: Option<String> = None;
        /// Name of the description of raw heights, if there is one.
        pub description_file: Option<String> = None;
        /// Maximum number of bytes for the heights of compressed files: 4 per height of a PNG or TIFF. Default: 1 GiB.
        pub max_bytes: u64 = 1 << 30, with_max_bytes;
    }
}

impl ImportOptions {
    /// Changes [`world_file`](Self::world_file).
    #[must_use]
    pub fn with_world_file(mut self, name: impl Into<String>) -> Self {
        self.world_file = Some(name.into());
        self
    }
}

/// The axes of files: x points east, y north, and heights up.
pub const AXES: AxisChange = AxisChange::Z_UP_TO_Y_UP;

/// Returns the features that a format can store.
pub fn capabilities(_format: Format) -> Capabilities {
    use Feature as F;
    // For the terrain that is written. The writer reports others, and properties except the coordinate reference system.
    Capabilities::none().full(&[F::Terrains, F::Transforms, F::Unit, F::SceneProperties])
}

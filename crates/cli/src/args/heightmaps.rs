//! Options of heightmaps.

use clap::{Args, ValueEnum};
use mapwright::heightmap::{self, NoData, Numbers, PixelHeights};
use mapwright::{ConvertOptions, Format, ReadOptions};

/// The heading of these options.
const HEIGHTMAPS: &str = "Heightmaps and terrains (asc, tif, heightpng, xyz, bil, flt, r16, r32, wrp)";

/// Options for reading and writing heightmaps.
#[derive(Debug, Clone, Args)]
pub(crate) struct Heightmaps {
    /// [asc] Meaning of xllcorner and yllcorner [default: cell; between asc and wrp: point]
    ///
    /// An asc file with a .prj file beside it is read with cell.
    #[arg(long, value_enum, value_name = "CORNER", help_heading = HEIGHTMAPS, hide_short_help = true)]
    pub(crate) corner: Option<Corner>,
    /// Map coordinates of the terrain's south-west corner in metres [default: 200000,0, as in Terrain Builder]
    #[arg(long, value_name = "EAST,NORTH", value_parser = place, allow_hyphen_values = true, help_heading = HEIGHTMAPS)]
    #[arg(hide_short_help = true)]
    pub(crate) origin: Option<[f64; 2]>,
    /// [asc, xyz] Decimals of heights [default: 2]
    #[arg(long, value_enum, value_name = "DECIMALS", help_heading = HEIGHTMAPS, hide_short_help = true)]
    pub(crate) decimals: Option<Decimals>,
    /// [heightpng, r16, r32] Heights of black and white in metres [default: the lowest and highest height, or as the file states]
    ///
    /// For raw numbers: the heights of 0 and of the highest number (65535; 1 for r32 with numbers from 0 to 1).
    #[arg(long, value_name = "LOW,HIGH", value_parser = range, allow_hyphen_values = true, help_heading = HEIGHTMAPS)]
    #[arg(hide_short_help = true)]
    pub(crate) range: Option<[f64; 2]>,
    /// [r16] Game engine for which heights are resampled and scaled; a loss names the settings to enter there (-v shows it)
    #[arg(long = "for", value_enum, value_name = "ENGINE", conflicts_with_all = ["range", "first_row"])]
    #[arg(help_heading = HEIGHTMAPS, hide_short_help = true)]
    pub(crate) engine: Option<Engine>,
    /// [r16, r32] Columns and rows of raw heights [default: as the .json file beside them states, or a square]
    #[arg(long, value_name = "COLUMNSxROWS", value_parser = raw_size, help_heading = HEIGHTMAPS, hide_short_help = true)]
    pub(crate) raw_size: Option<[u32; 2]>,
    /// [r16, r32] The first row of raw heights [default: as the .json file beside them states, or north]
    ///
    /// Between raw files, it is that of the output.
    #[arg(long, value_enum, value_name = "ROW", help_heading = HEIGHTMAPS, hide_short_help = true)]
    pub(crate) first_row: Option<FirstRow>,
    /// [r16, r32] The order of the bytes of raw heights [default: as the .json file beside them states, or little]
    ///
    /// Between raw files, it is that of the output.
    #[arg(long, value_enum, value_name = "ORDER", help_heading = HEIGHTMAPS, hide_short_help = true)]
    pub(crate) byte_order: Option<ByteOrder>,
    /// Height of points without data: metres, such as -20 for the sea, or interpolate [default: none; conversion to wrp then fails]
    #[arg(long, value_name = "METRES|interpolate", value_parser = no_data, allow_hyphen_values = true)]
    #[arg(help_heading = HEIGHTMAPS, hide_short_help = true)]
    pub(crate) nodata: Option<NoData>,
}

/// A meaning of the corner of an ESRI ASCII grid.
#[derive(Debug, Clone, Copy, ValueEnum)]
pub(crate) enum Corner {
    /// Centre of the south-west sample (Terrain Builder)
    Point,
    /// Outer corner of the cell around that sample (GDAL, QGIS)
    Cell,
}

/// A game engine that reads raw heights.
#[derive(Debug, Clone, Copy, ValueEnum)]
pub(crate) enum Engine {
    /// 127, 253, 505, 1009, 2017, 4033 or 8129 samples per side
    Unreal,
    /// 2ⁿ + 1 samples per side, from 33 to 4097
    Unity,
}

/// The first row of raw heights.
#[derive(Debug, Clone, Copy, ValueEnum)]
pub(crate) enum FirstRow {
    /// The northern row (Unreal, World Machine)
    North,
    /// The southern row (Unity)
    South,
}

/// The order of the bytes of a number.
#[derive(Debug, Clone, Copy, ValueEnum)]
pub(crate) enum ByteOrder {
    /// The lowest byte first (Unreal, World Machine, Unity on Windows)
    Little,
    /// The highest byte first (Unity on Mac)
    Big,
}

/// The number of decimals of heights.
#[derive(Debug, Clone, Copy, ValueEnum)]
pub(crate) enum Decimals {
    /// As Terrain Builder writes them
    #[value(name = "2")]
    Two,
    /// Enough digits for a lossless round trip
    All,
}

impl Heightmaps {
    /// Applies the options to those of a conversion.
    pub(crate) fn convert(&self, options: &mut ConvertOptions) {
        let options = &mut options.heightmap;
        options.corner = self.corner.map(Into::into).or(options.corner);
        options.origin = self.origin.unwrap_or(options.origin);
        options.range = self.range.or(options.range);
        options.engine = self.engine.map(Into::into).or(options.engine);
        options.rows = self.first_row.map_or(options.rows, Into::into);
        options.byte_order = self.byte_order.map_or(options.byte_order, Into::into);
        options.numbers = self.decimals.map_or(options.numbers, |decimals| match decimals {
            Decimals::Two => Numbers::Hundredths,
            Decimals::All => Numbers::Shortest,
        });
    }

    /// Applies the options to those for reading a file that becomes one of a format.
    pub(crate) fn read(&self, to: Format, options: &mut ReadOptions) {
        // Terrain Builder takes the corner as a point. A file of GIS software has a coordinate reference system beside it.
        let has_system = || options.path.as_ref().is_some_and(|path| path.with_extension("prj").exists());
        let usual = (to.is_terrain() && !has_system()).then_some(heightmap::Corner::Point);
        let options = &mut options.heightmap;
        options.corner = self.corner.map(Into::into).or(usual).or(options.corner);
        options.no_data = self.nodata.or(options.no_data);
        options.origin = self.origin.unwrap_or(options.origin);
        options.pixels = self.range.map(PixelHeights::Range).or(options.pixels);
        options.size = self.raw_size.or(options.size);
        // Between raw files, these are for the new one.
        if !is_raw(to) {
            options.rows = self.first_row.map(Into::into).or(options.rows);
            options.byte_order = self.byte_order.map(Into::into).or(options.byte_order);
        }
    }

    /// Returns the first given option that applies neither to the source nor to the target, and the formats that it is for. Without
    /// a source, an option that could apply to one is accepted.
    pub(crate) fn misplaced(&self, from: Option<Format>, to: Format) -> Option<(&'static str, &'static str)> {
        let either = |takes: fn(Format) -> bool| takes(to) || from.is_none_or(takes);
        let has_range = |format| matches!(format, Format::HeightPng | Format::R16);
        let takes_range = has_range(to) || from.is_none_or(|from| has_range(from) || from == Format::R32);
        let options = [
            ("--corner", self.corner.is_some(), either(|format| format == Format::Asc), "ESRI ASCII grids (asc)"),
            ("--origin", self.origin.is_some(), either(Format::is_heightmap), "heightmaps"),
            ("--decimals", self.decimals.is_some(), matches!(to, Format::Asc | Format::Xyz), "asc and xyz"),
            ("--nodata", self.nodata.is_some(), from.is_none_or(Format::is_heightmap), "heightmaps as inputs"),
            ("--range", self.range.is_some(), takes_range, "heightpng, r16, and r32 as inputs"),
            ("--for", self.engine.is_some(), to == Format::R16, "r16 as the output"),
            ("--raw-size", self.raw_size.is_some(), from.is_none_or(is_raw), "r16 and r32 as inputs"),
            ("--first-row", self.first_row.is_some(), either(is_raw), "r16 and r32"),
            ("--byte-order", self.byte_order.is_some(), either(is_raw), "r16 and r32"),
        ];
        options.into_iter().find(|(_, given, applies, _)| *given && !applies).map(|(option, .., what)| (option, what))
    }
}

/// Returns `true` for raw heights.
fn is_raw(format: Format) -> bool {
    matches!(format, Format::R16 | Format::R32)
}

impl From<Corner> for heightmap::Corner {
    fn from(corner: Corner) -> Self {
        match corner {
            Corner::Point => Self::Point,
            Corner::Cell => Self::Cell,
        }
    }
}

impl From<Engine> for heightmap::Engine {
    fn from(engine: Engine) -> Self {
        match engine {
            Engine::Unreal => Self::Unreal,
            Engine::Unity => Self::Unity,
        }
    }
}

impl From<FirstRow> for heightmap::RowOrder {
    fn from(row: FirstRow) -> Self {
        match row {
            FirstRow::North => Self::North,
            FirstRow::South => Self::South,
        }
    }
}

impl From<ByteOrder> for heightmap::ByteOrder {
    fn from(order: ByteOrder) -> Self {
        match order {
            ByteOrder::Little => Self::Little,
            ByteOrder::Big => Self::Big,
        }
    }
}

/// Parses columns and rows.
fn raw_size(text: &str) -> Result<[u32; 2], String> {
    let size = || {
        let (columns, rows) = text.split_once(['x', 'X'])?;
        Some([columns.trim().parse().ok()?, rows.trim().parse().ok()?])
    };
    let size = size().filter(|size: &[u32; 2]| !size.contains(&0));
    size.ok_or_else(|| "expected columns and rows, such as 1025x1025".to_owned())
}

/// Parses a replacement of missing heights.
fn no_data(text: &str) -> Result<NoData, String> {
    if text.eq_ignore_ascii_case("interpolate") {
        return Ok(NoData::Interpolate);
    }
    let height = text.parse().ok().filter(|height: &f32| height.is_finite()).map(NoData::Height);
    height.ok_or_else(|| "expected metres, such as -20, or interpolate".to_owned())
}

/// Parses metres east and north.
pub(super) fn place(text: &str) -> Result<[f64; 2], String> {
    pair(text).ok_or_else(|| "expected metres east and north, such as 200000,0".to_owned())
}

/// Parses a lower and a higher height.
fn range(text: &str) -> Result<[f64; 2], String> {
    let range = pair(text).filter(|[low, high]| low < high);
    range.ok_or_else(|| {
        "expected the heights of black and white in metres, the lower one first, such as -50,400".to_owned()
    })
}

fn pair(text: &str) -> Option<[f64; 2]> {
    let (first, second) = text.split_once(',')?;
    let number = |text: &str| text.trim().parse().ok().filter(|number: &f64| number.is_finite());
    Some([number(first)?, number(second)?])
}

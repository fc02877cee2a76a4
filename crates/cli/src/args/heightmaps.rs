//! Options of heightmaps.

use clap::{Args, ValueEnum};
use mapwright::Format;
use mapwright::interchange::heightmap::{self, ExportOptions, ImportOptions, Numbers, PixelHeights};

/// The heading of these options.
const HEIGHTMAPS: &str = "Heightmaps (asc, tif, heightpng, xyz)";

/// Options for reading and writing heightmaps.
#[derive(Debug, Clone, Args)]
pub(crate) struct Heightmaps {
    /// [asc] Meaning of xllcorner and yllcorner [default: point]
    #[arg(long, value_enum, value_name = "CORNER", help_heading = HEIGHTMAPS, hide_short_help = true)]
    pub(crate) corner: Option<Corner>,
    /// Map coordinates of the terrain's south-west corner in metres [default: 200000,0, as in Terrain Builder]
    #[arg(long, value_name = "EAST,NORTH", value_parser = place, allow_hyphen_values = true, help_heading = HEIGHTMAPS)]
    #[arg(hide_short_help = true)]
    pub(crate) origin: Option<[f64; 2]>,
    /// [asc, xyz] Decimals of heights [default: 2]
    #[arg(long, value_enum, value_name = "DECIMALS", help_heading = HEIGHTMAPS, hide_short_help = true)]
    pub(crate) decimals: Option<Decimals>,
    /// [heightpng] Heights of black and white in metres [default: the lowest and highest height, or as the image states]
    #[arg(long, value_name = "LOW,HIGH", value_parser = range, allow_hyphen_values = true, help_heading = HEIGHTMAPS)]
    #[arg(hide_short_help = true)]
    pub(crate) range: Option<[f64; 2]>,
}

/// A meaning of the corner of an ESRI ASCII grid.
#[derive(Debug, Clone, Copy, ValueEnum)]
pub(crate) enum Corner {
    /// Centre of the south-west sample (Terrain Builder)
    Point,
    /// Outer corner of the cell around that sample (GDAL, QGIS)
    Cell,
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
    /// Applies the options to those for writing.
    pub(crate) fn write(&self, options: &mut ExportOptions) {
        options.corner = self.corner.map_or(options.corner, Into::into);
        options.origin = self.origin.unwrap_or(options.origin);
        options.range = self.range.or(options.range);
        options.numbers = self.decimals.map_or(options.numbers, |decimals| match decimals {
            Decimals::Two => Numbers::Hundredths,
            Decimals::All => Numbers::Shortest,
        });
    }

    /// Applies the options to those for reading.
    pub(crate) fn read(&self, options: &mut ImportOptions) {
        options.corner = self.corner.map_or(options.corner, Into::into);
        options.origin = self.origin.unwrap_or(options.origin);
        options.pixels = self.range.map(PixelHeights::Range).or(options.pixels);
    }

    /// Returns the first given option that applies neither to the source nor to the target, and the formats that it is for. Without
    /// a source, an option that could apply to one is accepted.
    pub(crate) fn misplaced(&self, from: Option<Format>, to: Format) -> Option<(&'static str, &'static str)> {
        let either = |takes: fn(Format) -> bool| takes(to) || from.is_none_or(takes);
        let is_heightmap = |format| matches!(format, Format::Asc | Format::Tif | Format::HeightPng | Format::Xyz);
        let options = [
            ("--corner", self.corner.is_some(), either(|format| format == Format::Asc), "ESRI ASCII grids (asc)"),
            ("--origin", self.origin.is_some(), either(is_heightmap), "heightmaps"),
            ("--decimals", self.decimals.is_some(), matches!(to, Format::Asc | Format::Xyz), "asc and xyz"),
            ("--range", self.range.is_some(), either(|format| format == Format::HeightPng), "heightpng"),
        ];
        options.into_iter().find(|(_, given, applies, _)| *given && !applies).map(|(option, .., what)| (option, what))
    }
}

impl From<Corner> for heightmap::Corner {
    fn from(corner: Corner) -> Self {
        match corner {
            Corner::Point => Self::Point,
            Corner::Cell => Self::Cell,
        }
    }
}

/// Parses metres east and north.
fn place(text: &str) -> Result<[f64; 2], String> {
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

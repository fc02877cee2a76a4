//! Options of heightmaps.

use clap::{Args, ValueEnum};
use mapwright::Format;
use mapwright::interchange::heightmap::{self, ExportOptions, ImportOptions, Numbers, PixelHeights};

/// How heightmaps are written and read.
#[derive(Debug, Clone, Args)]
pub(crate) struct Heightmaps {
    /// What the corner of an ESRI ASCII grid (asc) is that is written or read: the south-western point, or the corner of the cell
    /// around it [default: point].
    #[arg(long, value_enum, value_name = "CORNER")]
    pub(crate) corner: Option<Corner>,
    /// Where the south-west corner of the terrain is on the map of a heightmap that is written or read, in metres [default:
    /// 200000,0, as in Terrain Builder].
    #[arg(long, value_name = "EAST,NORTH", value_parser = place, allow_hyphen_values = true)]
    pub(crate) origin: Option<[f64; 2]>,
    /// Decimals of heights that are written as text (asc, xyz) [default: 2].
    #[arg(long, value_enum, value_name = "DECIMALS")]
    pub(crate) decimals: Option<Decimals>,
    /// Metres that black and white are in a picture of heights (heightpng) that is written, or read [default: the lowest and the
    /// highest height, or as the picture says].
    #[arg(long, value_name = "LOW,HIGH", value_parser = range, allow_hyphen_values = true)]
    pub(crate) range: Option<[f64; 2]>,
}

/// What the corner of a grid is.
#[derive(Debug, Clone, Copy, ValueEnum)]
pub(crate) enum Corner {
    /// A point: Terrain Builder.
    Point,
    /// That of a cell whose centre is the point: programs for maps.
    Cell,
}

/// How many decimals heights have.
#[derive(Debug, Clone, Copy, ValueEnum)]
pub(crate) enum Decimals {
    /// As Terrain Builder writes them.
    #[value(name = "2")]
    Two,
    /// As many as bring the same heights back.
    All,
}

impl Heightmaps {
    /// Puts the options where writing finds them.
    pub(crate) fn write(&self, options: &mut ExportOptions) {
        options.corner = self.corner.map_or(options.corner, Into::into);
        options.origin = self.origin.unwrap_or(options.origin);
        options.range = self.range.or(options.range);
        options.numbers = self.decimals.map_or(options.numbers, |decimals| match decimals {
            Decimals::Two => Numbers::Hundredths,
            Decimals::All => Numbers::Shortest,
        });
    }

    /// Puts the options where reading finds them.
    pub(crate) fn read(&self, options: &mut ImportOptions) {
        options.corner = self.corner.map_or(options.corner, Into::into);
        options.origin = self.origin.unwrap_or(options.origin);
        options.pixels = self.range.map(PixelHeights::Range).or(options.pixels);
    }

    /// An option that is given and neither for what is written nor for what is read, and what it is for. Without a source, one that
    /// is for no source either.
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

/// Metres east and north.
fn place(text: &str) -> Result<[f64; 2], String> {
    pair(text).ok_or_else(|| "metres east and north are expected, as 200000,0".to_owned())
}

/// A lower and a higher height.
fn range(text: &str) -> Result<[f64; 2], String> {
    let range = pair(text).filter(|[low, high]| low < high);
    range.ok_or_else(|| "the heights of black and, above it, white are expected in metres, as -50,400".to_owned())
}

fn pair(text: &str) -> Option<[f64; 2]> {
    let (first, second) = text.split_once(',')?;
    let number = |text: &str| text.trim().parse().ok().filter(|number: &f64| number.is_finite());
    Some([number(first)?, number(second)?])
}

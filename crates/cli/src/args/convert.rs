//! What `convert` takes.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use mapwright::query::QueryError;
use mapwright::wmp::Dialect;
use mapwright::{Axis, Format, Query};

use super::{Heightmaps, Inputs, format};

#[derive(Debug, Clone, Args)]
pub(crate) struct Convert {
    #[command(flatten)]
    pub(crate) inputs: Inputs,
    /// Write to this file, or to standard output with -; the extension says the format.
    #[arg(short, long, value_name = "FILE", conflicts_with = "dir")]
    pub(crate) output: Option<PathBuf>,
    /// Write into this folder, under the names of the inputs.
    #[arg(short, long, value_name = "DIR")]
    pub(crate) dir: Option<PathBuf>,
    /// The format to write.
    #[arg(long, value_name = "FORMAT", value_parser = target)]
    pub(crate) to: Option<Format>,
    /// Replace files that exist.
    #[arg(short, long)]
    pub(crate) force: bool,
    /// Fail, and write nothing, where anything would be lost. What is kept in another way is not.
    #[arg(long)]
    pub(crate) strict: bool,
    /// Report only, write nothing. Needs neither -o nor -d; then the format is that of --to, or glb.
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// Save the report with every loss: one JSON object per input and line.
    #[arg(long, value_name = "FILE")]
    pub(crate) report: Option<PathBuf>,
    /// Take the pictures of tiles from this folder, into which the archive of the game was unpacked; for levels (wwd).
    #[arg(long, value_name = "DIR")]
    pub(crate) assets: Option<PathBuf>,
    /// Take the textures of materials that have none from this folder: pictures and WAD files whose names or textures are called
    /// like the materials.
    #[arg(long, value_name = "DIR")]
    pub(crate) textures: Option<PathBuf>,
    /// Convert only what has this name or what this query means, with all below it: 'kind=light'. May be given several times.
    #[arg(long, value_name = "NAME|QUERY", value_parser = name_or_query)]
    pub(crate) only: Vec<Query>,
    /// Leave out what has this name or what this query means, with all below it. May be given several times.
    #[arg(long, value_name = "NAME|QUERY", value_parser = name_or_query)]
    pub(crate) exclude: Vec<Query>,
    /// Convert hidden things too.
    #[arg(long)]
    pub(crate) hidden: bool,
    /// Multiply lengths. Tiles that become tiles (wwd, tmx, tmj) are so many pixels, and are not scaled.
    #[arg(long, value_name = "FACTOR", default_value_t = 1.0, allow_negative_numbers = true)]
    pub(crate) scale: f64,
    /// The axis that points up in the source; as its format says unless given, or y where that does not.
    #[arg(long, value_enum, value_name = "AXIS")]
    pub(crate) source_up: Option<Up>,
    /// The axis that shall point up in what is written; as its format says unless given, or y where that does not.
    #[arg(long, value_enum, value_name = "AXIS")]
    pub(crate) target_up: Option<Up>,
    /// Convert subdivided and displaced faces of Source 2 maps (vmap) as fine as players see them, not as coarse as their corners.
    #[arg(long)]
    pub(crate) subdivide: bool,
    /// Write the faces of meshes as triangles in formats that have others, too, not with the corners they have.
    #[arg(long)]
    pub(crate) triangulate: bool,
    /// Write the boxes that stand for models elsewhere as meshes, not as instances of one box; for glTF, and programs such as
    /// Blender that make an object of each instance.
    #[arg(long)]
    pub(crate) bake_boxes: bool,
    /// The version of the format of Source 2 maps (vmap) that are written anew: 29 for Half-Life: Alyx, 30 for s&box, 40 for
    /// Counter-Strike 2, Deadlock and Dota 2 [default: the nearest to that of the source; from elsewhere 40].
    #[arg(long, value_name = "18–40", value_parser = clap::value_parser!(u32).range(18..=40))]
    pub(crate) map_format: Option<u32>,
    /// How textures are spelled in Quake maps [default: standard where that says all of them exactly, else valve].
    #[arg(long, value_enum, value_name = "SPELLING")]
    pub(crate) map_spelling: Option<MapSpelling>,
    /// The variant of terrains (wrp) that are written [default: that of the source; from elsewhere 4wvr where heights are in
    /// steps, and else 8wvr].
    #[arg(long, value_enum, value_name = "VARIANT")]
    pub(crate) variant: Option<Variant>,
    /// The dialect of Gamestudio maps (wmp) that are written: a4, 510, 710, 711 or wmpb [default: that of the source; 711 for
    /// .$$M; from elsewhere 710].
    #[arg(long, value_name = "DIALECT", value_parser = dialect)]
    pub(crate) dialect: Option<Dialect>,
    #[command(flatten)]
    pub(crate) heightmaps: Heightmaps,
    /// How numbers are spelled in KeyValues2 text [default: exact].
    #[arg(long, value_enum, value_name = "STYLE")]
    pub(crate) text_style: Option<TextStyle>,
    /// How lines of KeyValues2 text end [default: lf].
    #[arg(long, value_enum, value_name = "END")]
    pub(crate) line_end: Option<LineEnd>,
}

/// How textures are spelled in Quake maps.
#[derive(Debug, Clone, Copy, ValueEnum)]
pub(crate) enum MapSpelling {
    /// On axes that the direction of the face gives; of other textures the nearest.
    Standard,
    /// On axes of their own: Valve 220.
    Valve,
}

impl From<MapSpelling> for mapwright::interchange::map::Spelling {
    fn from(spelling: MapSpelling) -> Self {
        match spelling {
            MapSpelling::Standard => Self::Standard,
            MapSpelling::Valve => Self::Valve,
        }
    }
}

/// A variant of terrains.
#[derive(Debug, Clone, Copy, ValueEnum)]
pub(crate) enum Variant {
    /// Operation Flashpoint's editors.
    #[value(name = "4wvr")]
    Wvr4,
    /// Terrain Builder.
    #[value(name = "8wvr")]
    Wvr8,
}

impl From<Variant> for mapwright::wrp::scene::Variant {
    fn from(variant: Variant) -> Self {
        match variant {
            Variant::Wvr4 => Self::Wvr4,
            Variant::Wvr8 => Self::Wvr8,
        }
    }
}

/// An axis that points up.
#[derive(Debug, Clone, Copy, ValueEnum)]
pub(crate) enum Up {
    Y,
    Z,
}

/// How numbers are spelled in KeyValues2 text.
#[derive(Debug, Clone, Copy, Default, ValueEnum)]
pub(crate) enum TextStyle {
    /// With as many digits as they need to be read back as they were.
    #[default]
    Exact,
    /// With ten decimals as Hammer does, which not every number survives.
    Hammer,
}

impl From<TextStyle> for mapwright::dmx::TextStyle {
    fn from(style: TextStyle) -> Self {
        match style {
            TextStyle::Exact => Self::Exact,
            TextStyle::Hammer => Self::Hammer,
        }
    }
}

/// How lines of KeyValues2 text end.
#[derive(Debug, Clone, Copy, Default, ValueEnum)]
pub(crate) enum LineEnd {
    #[default]
    Lf,
    /// As Valve's programs do.
    Crlf,
}

impl From<LineEnd> for mapwright::dmx::LineEnd {
    fn from(end: LineEnd) -> Self {
        match end {
            LineEnd::Lf => Self::Lf,
            LineEnd::Crlf => Self::CrLf,
        }
    }
}

impl From<Up> for Axis {
    fn from(up: Up) -> Self {
        match up {
            Up::Y => Self::Y,
            Up::Z => Self::Z,
        }
    }
}

/// A dialect of Gamestudio maps.
fn dialect(text: &str) -> Result<Dialect, String> {
    Dialect::from_name(&text.to_ascii_lowercase()).ok_or_else(|| {
        let names: Vec<&str> = Dialect::ALL.iter().map(|dialect| dialect.name()).collect();
        format!("the dialects are {}", names.join(", "))
    })
}

/// A format to write. What only names a dialect of one is answered with the option that sets it.
fn target(text: &str) -> Result<Format, String> {
    match text.trim_start_matches('.').eq_ignore_ascii_case("$$m") {
        true => Err("a dialect of wmp: --to wmp --dialect 711".to_owned()),
        false => format(text),
    }
}

/// Reads a query, or a name if the text compares nothing.
fn name_or_query(text: &str) -> Result<Query, QueryError> {
    match text.contains(['=', '<', '>', '~']) || text.contains(" in ") && text.parse::<Query>().is_ok() {
        true => text.parse(),
        false => Ok(Query::equal("name", text)),
    }
}

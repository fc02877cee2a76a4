//! The options of `convert`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use mapwright::query::QueryError;
use mapwright::wmp::Dialect;
use mapwright::{Axis, Format, Query};

use super::{Heightmaps, Inputs, Output, format};

pub(super) const EXAMPLES: &str = "\
Losses are counted on standard error; -v lists them all. Formats: `mapwright formats`.

Examples:
  mapwright convert cube.wings cube.glb
  mapwright convert models/ -d converted/ --to glb --report losses.json
  mapwright convert --only Turret --scale 0.01 tank.wings -o turret.obj

`mapwright convert --help` lists all options, grouped by format.";

pub(super) const DETAILS: &str = "\
The last of two files is the output if none of -o, -d, --to and --dry-run is given. The extension of the output selects the format. \
Losses are counted by kind on standard error: dropped, approximated, synthesized, repaired, preserved as metadata. -v lists them all; --report and \
--json write them as JSON with their paths. Existing files are replaced only with --force, and never an input or a file that it refers to.

Examples:
  mapwright convert cube.wings cube.glb
  mapwright convert --strict --dry-run --to obj cube.wings
  mapwright convert models/ -d converted/ --to glb --report losses.json
  mapwright convert map.vmap map.txt
  mapwright convert --map-format 29 model.glb prefab.vmap
  mapwright convert --subdivide map.vmap map.glb
  mapwright convert --variant 8wvr island.wrp for-terrain-builder.wrp
  mapwright convert --corner cell --decimals all island.wrp island.asc
  mapwright convert --range -50,400 heights.png island.wrp
  mapwright convert island.wrp island.cells.png
  mapwright convert --text-style hammer --line-end crlf map.vmap map.txt
  mapwright convert --only Turret --scale 0.01 --target-up z tank.wings -o turret.obj
  mapwright convert --assets unpacked/ level.wwd level.tmx
  cat plan.obj | mapwright convert --source-up z - --to wings -o - > plan.wings";

/// The heading of options that select objects.
const SELECTION: &str = "Selection";
/// The heading of options for units and axes.
const UNITS: &str = "Units and axes";
/// The heading of options for meshes.
const MESHES: &str = "Meshes and textures";
/// The heading of options for Source 2 maps.
const SOURCE_2: &str = "Source 2 maps (vmap, kv2)";
/// The heading of options for the other formats of levels.
const LEVELS: &str = "Other levels";

#[derive(Debug, Clone, Args)]
pub(crate) struct Convert {
    #[command(flatten)]
    pub(crate) inputs: Inputs,
    #[command(flatten)]
    pub(crate) output: Output,
    /// Output format [default: that of the extension of the output file]
    #[arg(long, value_name = "FORMAT", value_parser = target)]
    pub(crate) to: Option<Format>,
    /// Fail and write nothing if any data would be lost
    ///
    /// Data preserved as metadata does not count as lost.
    #[arg(long)]
    pub(crate) strict: bool,
    /// Report only; write nothing
    ///
    /// Without -o and -d, the target is the format of --to, or glb.
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// Save a report with every loss: one JSON object per input and line
    #[arg(long, value_name = "FILE", hide_short_help = true)]
    pub(crate) report: Option<PathBuf>,
    /// Convert only objects with this name or matching this query, including their children
    ///
    /// May be repeated.
    #[arg(long, value_name = "NAME|QUERY", value_parser = name_or_query, help_heading = SELECTION)]
    pub(crate) only: Vec<Query>,
    /// Leave out objects with this name or matching this query, including their children
    ///
    /// May be repeated.
    #[arg(long, value_name = "NAME|QUERY", value_parser = name_or_query, help_heading = SELECTION, hide_short_help = true)]
    pub(crate) exclude: Vec<Query>,
    /// Also convert hidden objects
    #[arg(long, help_heading = SELECTION, hide_short_help = true)]
    pub(crate) hidden: bool,
    /// Multiply lengths by this factor
    ///
    /// Levels of tiles (wwd, tmx, tmj) that stay tiles are not scaled.
    #[arg(long, value_name = "FACTOR", default_value_t = 1.0, allow_negative_numbers = true, help_heading = UNITS)]
    pub(crate) scale: f64,
    /// Axis that points up in the source [default: the format's convention, else y]
    #[arg(long, value_enum, value_name = "AXIS", help_heading = UNITS, hide_short_help = true)]
    pub(crate) source_up: Option<Up>,
    /// Axis that points up in the output [default: the format's convention, else y]
    #[arg(long, value_enum, value_name = "AXIS", help_heading = UNITS, hide_short_help = true)]
    pub(crate) target_up: Option<Up>,
    /// Look here for missing textures: image files and WAD entries whose name equals the material name
    #[arg(long, value_name = "DIR", help_heading = MESHES)]
    pub(crate) textures: Option<PathBuf>,
    /// Split faces with more than 3 vertices into triangles, also in formats that support polygons
    #[arg(long, help_heading = MESHES, hide_short_help = true)]
    pub(crate) triangulate: bool,
    /// [gltf, glb] Merge the boxes that stand for models in other files into meshes, instead of one instance each
    ///
    /// Faster in Blender and other programs that create an object for each instance.
    #[arg(long, help_heading = MESHES, hide_short_help = true)]
    pub(crate) bake_boxes: bool,
    /// Convert subdivided and displaced faces at in-game resolution instead of the control mesh
    #[arg(long, help_heading = SOURCE_2, hide_short_help = true)]
    pub(crate) subdivide: bool,
    /// Version of new maps: 29 for Half-Life: Alyx, 30 for s&box, 40 for Counter-Strike 2, Deadlock and Dota 2 [default: the version
    /// nearest to the source, else 40]
    #[arg(long, value_name = "18–40", value_parser = clap::value_parser!(u32).range(18..=40), help_heading = SOURCE_2)]
    #[arg(hide_short_help = true)]
    pub(crate) map_format: Option<u32>,
    /// Number formatting of KeyValues2 text [default: exact]
    #[arg(long, value_enum, value_name = "STYLE", help_heading = SOURCE_2, hide_short_help = true)]
    pub(crate) text_style: Option<TextStyle>,
    /// Line ends of KeyValues2 text [default: lf]
    #[arg(long, value_enum, value_name = "END", help_heading = SOURCE_2, hide_short_help = true)]
    pub(crate) line_end: Option<LineEnd>,
    /// [wwd] Folder with the unpacked images of the game
    #[arg(long, value_name = "DIR", help_heading = LEVELS)]
    pub(crate) assets: Option<PathBuf>,
    /// [map] Texture projection of Quake maps [default: standard if it is exact, else valve220]
    #[arg(long, value_enum, value_name = "PROJECTION", help_heading = LEVELS, hide_short_help = true)]
    pub(crate) projection: Option<Projection>,
    /// [wrp] Variant of terrains [default: that of the source, else 4wvr if all heights are multiples of the step, else 8wvr]
    #[arg(long, value_enum, value_name = "VARIANT", help_heading = LEVELS, hide_short_help = true)]
    pub(crate) variant: Option<Variant>,
    /// [wmp] Dialect of Gamestudio maps: a4, 510, 710, 711 or wmpb [default: that of the source, 711 for .$$M, else 710]
    #[arg(long, value_name = "DIALECT", value_parser = dialect, help_heading = LEVELS, hide_short_help = true)]
    pub(crate) dialect: Option<Dialect>,
    #[command(flatten)]
    pub(crate) heightmaps: Heightmaps,
}

/// A texture projection of Quake maps.
#[derive(Debug, Clone, Copy, ValueEnum)]
pub(crate) enum Projection {
    /// Standard Quake axes, derived from the face normal; other projections are approximated
    Standard,
    /// Texture axes stored for each face
    Valve220,
}

impl From<Projection> for mapwright::interchange::map::ProjectionFormat {
    fn from(projection: Projection) -> Self {
        match projection {
            Projection::Standard => Self::Standard,
            Projection::Valve220 => Self::Valve,
        }
    }
}

/// A variant of terrains.
#[derive(Debug, Clone, Copy, ValueEnum)]
pub(crate) enum Variant {
    /// Editors of Operation Flashpoint
    #[value(name = "4wvr")]
    Wvr4,
    /// Terrain Builder
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

/// A number format of KeyValues2 text.
#[derive(Debug, Clone, Copy, Default, ValueEnum)]
pub(crate) enum TextStyle {
    /// Enough digits for a lossless round trip
    #[default]
    Exact,
    /// Ten decimals, as Hammer writes them (lossy for some values)
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

/// A line end of KeyValues2 text.
#[derive(Debug, Clone, Copy, Default, ValueEnum)]
pub(crate) enum LineEnd {
    #[default]
    Lf,
    /// As Valve's programs write it
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

/// Parses a dialect of Gamestudio maps.
fn dialect(text: &str) -> Result<Dialect, String> {
    Dialect::from_name(&text.to_ascii_lowercase()).ok_or_else(|| {
        let names: Vec<&str> = Dialect::ALL.iter().map(|dialect| dialect.name()).collect();
        format!("expected one of {}", names.join(", "))
    })
}

/// Parses an output format. For a dialect, the error names the option that sets it.
fn target(text: &str) -> Result<Format, String> {
    match text.trim_start_matches('.').eq_ignore_ascii_case("$$m") {
        true => Err("this is a dialect of wmp: use --to wmp --dialect 711".to_owned()),
        false => format(text),
    }
}

/// Parses a query, or a name if the text contains no comparison.
fn name_or_query(text: &str) -> Result<Query, QueryError> {
    match text.contains(['=', '<', '>', '~']) || text.contains(" in ") && text.parse::<Query>().is_ok() {
        true => text.parse(),
        false => Ok(Query::equal("name", text)),
    }
}

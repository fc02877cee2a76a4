//! The options of `convert`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use mapwright::{Axis, Format, Query};

use super::formats::{CONVERT_EXAMPLES, target};
use super::{FormatWriting, Heightmaps, Inputs, Output};

pub(super) const EXAMPLES: &str = "\
Losses are counted on standard error; -v lists them all. Formats: `mapwright formats`.

Examples:
  mapwright convert cube.wings cube.glb
  mapwright convert models/ -d converted/ --to glb --report losses.json
  mapwright convert --only Turret --scale 0.01 tank.wings -o turret.obj

`mapwright convert --help` lists all options, grouped by format.";

/// Returns the notes after the options.
pub(super) fn details() -> String {
    format!("{DETAILS}{CONVERT_EXAMPLES}")
}

const DETAILS: &str = "\
The second of two files is the output, unless -o, -d, --to or --dry-run is given. The extension of the output selects the format. \
Losses are counted by kind on standard error: dropped, approximated, synthesized, repaired, preserved as metadata. -v lists them all; --report and \
--json write them as JSON with their paths. Existing files are replaced only with --force, and never an input or a file that it refers to.

Examples:
  mapwright convert cube.wings cube.glb
  mapwright convert --strict --dry-run --to obj cube.wings
  mapwright convert models/ -d converted/ --to glb --report losses.json
  mapwright convert --only Turret --scale 0.01 --target-up z tank.wings -o turret.obj
  cat plan.obj | mapwright convert --source-up z - --to wings -o - > plan.wings";

/// The heading of options that select objects.
const SELECTION: &str = "Selection";
/// The heading of options for units and axes.
const UNITS: &str = "Units and axes";
/// The heading of options for meshes.
const MESHES: &str = "Meshes and textures";

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
    #[arg(long, value_name = "NAME|QUERY", value_parser = Query::parse_or_name, help_heading = SELECTION)]
    pub(crate) only: Vec<Query>,
    /// Leave out objects with this name or matching this query, including their children
    ///
    /// May be repeated.
    #[arg(long, value_name = "NAME|QUERY", value_parser = Query::parse_or_name, help_heading = SELECTION, hide_short_help = true)]
    pub(crate) exclude: Vec<Query>,
    /// Also convert hidden objects
    #[arg(long, help_heading = SELECTION, hide_short_help = true)]
    pub(crate) hidden: bool,
    /// [wmp] Keep invisible and sky faces in mesh formats, with the materials `skip` and `sky`
    #[arg(long, help_heading = SELECTION, hide_short_help = true)]
    pub(crate) keep_hidden_faces: bool,
    /// Accept an output that shows nothing of the input
    ///
    /// Otherwise the conversion fails and writes nothing.
    #[arg(long, hide_short_help = true)]
    pub(crate) allow_empty: bool,
    /// Multiply lengths by this factor
    ///
    /// Tile layers (wwd, tmx, tmj) can only be scaled if they become meshes.
    #[arg(long, value_name = "FACTOR", default_value_t = 1.0, allow_negative_numbers = true, help_heading = UNITS)]
    pub(crate) scale: f64,
    /// Axis that points up in the source [default: the format's convention, else y]
    #[arg(long, value_enum, value_name = "AXIS", help_heading = UNITS, hide_short_help = true)]
    pub(crate) source_up: Option<Up>,
    /// Axis that points up in the output [default: the format's convention, else y]
    #[arg(long, value_enum, value_name = "AXIS", help_heading = UNITS, hide_short_help = true)]
    pub(crate) target_up: Option<Up>,
    /// Split faces with more than 3 vertices into triangles, even in formats that support polygons
    #[arg(long, help_heading = MESHES, hide_short_help = true)]
    pub(crate) triangulate: bool,
    /// [gltf, glb] Merge the placeholder boxes of each external model into one mesh
    ///
    /// Faster in Blender and other programs that create an object for each instance.
    #[arg(long, help_heading = MESHES, hide_short_help = true)]
    pub(crate) bake_boxes: bool,
    #[command(flatten)]
    pub(crate) formats: FormatWriting,
    #[command(flatten)]
    pub(crate) heightmaps: Heightmaps,
}

/// An axis that points up.
#[derive(Debug, Clone, Copy, ValueEnum)]
pub(crate) enum Up {
    Y,
    Z,
}

impl From<Up> for Axis {
    fn from(up: Up) -> Self {
        match up {
            Up::Y => Self::Y,
            Up::Z => Self::Z,
        }
    }
}

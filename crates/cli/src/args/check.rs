//! The options of `check`.

use std::path::PathBuf;

use clap::Args;

use super::{Inputs, TextOutput};

pub(super) const EXAMPLES: &str = "\
Exits with status 9 if there are errors.

Examples:
  mapwright check cube.wings
  mapwright check --fix level.wwd -o repaired.wwd
  mapwright check --json cube.wings | jq -r '.findings[] | [.severity, .code, .path] | @tsv'";

pub(super) const DETAILS: &str = "\
An error is something that the format's own program rejects, crashes on or cannot save. Exits with status 9 if there are errors; with --strict, \
warnings count as errors.

With --content, levels (wwd) are checked together with the files of their game: image sets, frames, animations and sounds that are missing, and \
images that cannot be decoded. Of Source 2 maps, Gamestudio maps and terrains, each file that they name and that is missing or damaged is \
reported.

With --fgd, entities of Source 2 maps are checked against their classes: unknown classes, keys, inputs and outputs, values of the wrong type, \
and targets that no entity matches. The .fgd files are in the folder of the game. Files that they include are read from the same folder; classes \
with a missing base are not checked.

--fix repairs levels (wwd): an invalid checksum, plane sizes in pixels that differ from those of the tiles, and a wrong main block \
size. The output and the exit status then describe the repaired file.

Examples:
  mapwright check cube.wings
  mapwright check --fix --dry-run level.wwd
  mapwright check --fix --drop-objects --add-properties level.wwd -o repaired.wwd
  mapwright check --content CLAW.REZ level.wwd
  mapwright check --fgd game/hlvr/hlvr.fgd map.vmap
  mapwright check --strict --quiet models/
  mapwright check --json cube.wings | jq -r '.findings[] | [.severity, .code, .path] | @tsv'";

#[derive(Debug, Clone, Args)]
pub(crate) struct Check {
    #[command(flatten)]
    pub(crate) inputs: Inputs,
    /// Treat warnings as errors
    #[arg(long)]
    pub(crate) strict: bool,
    /// List every finding [default: one entry per kind, with the first 3 places]
    #[arg(long)]
    pub(crate) all: bool,
    /// [vmap, vmf] Also check entities against the classes of a .fgd file of the game. Files that it includes are read from its folder. Can be repeated
    #[arg(long, value_name = "FILE", conflicts_with = "fix")]
    pub(crate) fgd: Vec<PathBuf>,
    /// [wwd] Repair errors that have one possible correction, and report the others. Writes the repaired level to -o or -d, or over the input with --force
    #[arg(long)]
    pub(crate) fix: bool,
    /// Also remove objects that the game drops
    #[arg(long, requires = "fix", hide_short_help = true)]
    pub(crate) drop_objects: bool,
    /// Also add default ("clear") properties for tiles that are used but have none
    #[arg(long, requires = "fix", hide_short_help = true)]
    pub(crate) add_properties: bool,
    /// Show what would be repaired; write nothing
    #[arg(long, requires = "fix")]
    pub(crate) dry_run: bool,
    /// Write the repaired levels into this folder, under the names of the inputs
    #[arg(short, long, value_name = "DIR", requires = "fix", conflicts_with = "output")]
    pub(crate) dir: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) output: TextOutput,
}

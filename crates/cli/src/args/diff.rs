//! The options of `diff` and `merge`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use mapwright::Format;

use super::{Change, TextOutput, format};

pub(super) const EXAMPLES: &str = "\
Exits with status 0 if both have the same content, 9 if not, and 7 if their formats differ.

Examples:
  mapwright diff old.wwd new.wwd
  mapwright diff --json old.wwd new.wwd | jq '.level.planes[].objects.added'";

/// Returns the notes after the options, with the content that each format compares.
pub(super) fn details() -> String {
    let row = |format: Format| Some(format!("  {format:6} {}\n", format.compared_content()?));
    let rows: String = Format::available().filter_map(row).collect();
    format!(
        "\
Exits with status 0 if both files have the same content, 9 if not, and 7 if their formats differ. With --quiet, only the exit status \
shows the result.

Files are compared by content, not by bytes:
{rows}
Examples:
  mapwright diff old.wwd new.wwd
  mapwright diff --json old.wwd new.wwd | jq '.level.planes[].objects.added'"
    )
}

pub(super) const MERGE_EXAMPLES: &str = "\
Exits with status 9 if there are conflicts.

Examples:
  mapwright merge base.vmap ours.vmap theirs.vmap -o merged.vmap
  mapwright merge --prefer theirs --force base.vmap ours.vmap theirs.vmap
  git config merge.mapwright.driver 'mapwright merge --force %O %A %B'";

pub(super) const MERGE_DETAILS: &str = "\
The result is OURS plus the changes of THEIRS since BASE. Nodes are matched by their ids and merged field by field and key by key; a mesh is one \
value. There is a conflict if both sides changed the same value in different ways, or if one side removed what the other changed or \
needs. Each conflict is printed on a line of its own; the result then contains the value of OURS, and the exit status is 9. With --prefer, \
conflicts are reported and resolved, and the exit status is 0. Without -o, --force replaces OURS, as Git expects from a merge driver. An \
empty BASE is an empty map.

Examples:
  mapwright merge base.vmap ours.vmap theirs.vmap -o merged.vmap
  mapwright merge --dry-run base.vmap ours.vmap theirs.vmap
  mapwright merge --prefer theirs --force base.vmap ours.vmap theirs.vmap
  mapwright merge --json --dry-run base.vmap ours.vmap theirs.vmap | jq -r '.conflicts[].field'
  git config merge.mapwright.driver 'mapwright merge --force %O %A %B'";

#[derive(Debug, Clone, Args)]
pub(crate) struct Diff {
    /// The old file; /dev/null if it did not exist
    #[arg(value_name = "OLD")]
    pub(crate) old: PathBuf,
    /// The new file; /dev/null if it was removed
    #[arg(value_name = "NEW")]
    pub(crate) new: PathBuf,
    /// Treat both files as this format [default: detected]
    #[arg(long, value_name = "FORMAT", value_parser = format)]
    pub(crate) from: Option<Format>,
    #[command(flatten)]
    pub(crate) output: TextOutput,
}

#[derive(Debug, Clone, Args)]
pub(crate) struct Merge {
    /// The common ancestor of both maps
    #[arg(value_name = "BASE")]
    pub(crate) base: PathBuf,
    /// The map that receives the changes
    #[arg(value_name = "OURS")]
    pub(crate) ours: PathBuf,
    /// The map with the changes to apply
    #[arg(value_name = "THEIRS")]
    pub(crate) theirs: PathBuf,
    /// Resolve conflicts in favour of this side
    #[arg(long, value_enum, value_name = "SIDE")]
    pub(crate) prefer: Option<Prefer>,
    #[command(flatten)]
    pub(crate) change: Change,
}

/// One of the maps to merge.
#[derive(Debug, Clone, Copy, ValueEnum)]
pub(crate) enum Prefer {
    Ours,
    Theirs,
}

impl From<Prefer> for mapwright::vmap::merge::Side {
    fn from(prefer: Prefer) -> Self {
        match prefer {
            Prefer::Ours => Self::Ours,
            Prefer::Theirs => Self::Theirs,
        }
    }
}

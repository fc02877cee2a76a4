//! The options of `build`.

use std::path::PathBuf;

use clap::Args;

use super::Output;

pub(super) const EXAMPLES: &str = "\
Examples:
  mapwright dump --json level.wwd > level.json && mapwright build level.json -o same.wwd
  mapwright dump --json level.wwd | jq '.level.header.author = \"Me\"' | mapwright build - -o mine.wwd
  mapwright build dumps/ -d levels/";

pub(super) const DETAILS: &str = "\
An unchanged dump gives the same file byte for byte, including the way its blocks are compressed. If the dump was edited, the file changes as \
if its editor had saved it again; unusual encodings are preserved where possible. JSON may be nested at most 128 levels deep. \
Erlang integers of more than 64 bits are restored only if their term is unchanged. The dump may be UTF-8 or UTF-16, with or without a byte order mark.

Examples:
  mapwright dump --json level.wwd > level.json && mapwright build level.json -o same.wwd
  mapwright dump --json level.wwd | jq '.level.header.author = \"Me\"' | mapwright build - -o mine.wwd
  mapwright build dumps/ -d levels/";

#[derive(Debug, Clone, Args)]
pub(crate) struct Build {
    /// Files that `dump --json` printed, folders, or - for standard input
    #[arg(value_name = "FILE", required = true)]
    pub(crate) files: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) output: Output,
}

//! The options of `rescue`.

use std::path::PathBuf;

use clap::Args;
use mapwright::Format;

use super::format;

pub(super) const EXAMPLES: &str = "\
Writes what is readable in a damaged file to a new file, and lists what was lost. The damaged file is never replaced.

Supported: wings, vmap, dmx, wwd. Text files are read around the damage; other files are read up to it.
References to missing objects become null.

Examples:
  mapwright rescue broken.wings saved.wings
  mapwright rescue --json broken.vmap saved.vmap | jq .lost";

#[derive(Debug, Clone, Args)]
pub(crate) struct Rescue {
    /// The damaged file, or - for standard input
    #[arg(value_name = "IN")]
    pub(crate) file: PathBuf,
    /// The new file
    #[arg(value_name = "OUT", required_unless_present = "output")]
    pub(crate) place: Option<PathBuf>,
    /// Write to this file; the same as OUT
    #[arg(short, long, value_name = "FILE", conflicts_with = "place")]
    pub(crate) output: Option<PathBuf>,
    /// Treat the input as this format [default: detected]
    #[arg(long, value_name = "FORMAT", value_parser = format)]
    pub(crate) from: Option<Format>,
    /// Replace an existing file, but never the input
    #[arg(short, long)]
    pub(crate) force: bool,
}

//! The options of `extract`.

use std::path::PathBuf;

use clap::Args;

use super::Output;

pub(super) const EXAMPLES: &str = "\
PATTERN is a path in the archive, the path of a folder in it, or a file name. * matches any text, ? one character; capitals and small \
letters are the same. Without a pattern, all files are extracted. Every file keeps its path. Characters that some systems do not allow \
in names become % and two hexadecimal digits. `mapwright info -v ARCHIVE` lists the files.

Examples:
  mapwright extract CLAW.REZ -d claw/
  mapwright extract CLAW.REZ 'LEVEL1' '*.PAL' -d claw/
  mapwright extract CLAW.REZ/LEVEL1/WORLDS WORLD.WWD -o level1.wwd";

#[derive(Debug, Clone, Args)]
pub(crate) struct Extract {
    /// The REZ archive, or the path of a folder in one
    #[arg(value_name = "ARCHIVE")]
    pub(crate) archive: PathBuf,
    /// Files to extract [default: all]
    #[arg(value_name = "PATTERN")]
    pub(crate) patterns: Vec<String>,
    #[command(flatten)]
    pub(crate) output: Output,
}

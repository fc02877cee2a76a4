//! The options of `info`.

use clap::Args;

use super::{Inputs, TextOutput};

pub(super) const EXAMPLES: &str = "\
Examples:
  mapwright info cube.wings
  mapwright info --table levels/
  mapwright info --json models/ | jq -r '[.file, .wings.totals.faces] | @tsv'";

pub(super) const DETAILS: &str = "\
--table and --csv print one row per file: file, format, bytes, name, author, date, size, planes and objects. Of levels of tiles only the first \
kilobytes are read for it. The name of a terrain is its variant; of a Gamestudio map, its dialect.

Examples:
  mapwright info cube.wings
  mapwright info --table levels/
  mapwright info --csv levels/ -o levels.csv
  mapwright info --table --json levels/ | jq -r 'select(.objects > 5000) | .file'
  mapwright info --json models/ | jq -r '[.file, .wings.totals.faces] | @tsv'
  curl -s https://example.org/cube.wings | mapwright info -";

#[derive(Debug, Clone, Args)]
pub(crate) struct Info {
    #[command(flatten)]
    pub(crate) inputs: Inputs,
    /// Print a table with one row per file
    #[arg(long)]
    pub(crate) table: bool,
    #[command(flatten)]
    pub(crate) csv: Csv,
    #[command(flatten)]
    pub(crate) output: TextOutput,
}

/// Options for tables as comma-separated values.
#[derive(Debug, Clone, Copy, Args)]
pub(crate) struct Csv {
    /// Print comma-separated values
    #[arg(long, conflicts_with = "json")]
    csv: bool,
    /// Print comma-separated values for spreadsheets, with an apostrophe before cells that would run as formulas
    ///
    /// Such cells begin with =, +, -, @, a tab or a line break, and are not numbers. Other programs read the apostrophe as part of
    /// the text.
    #[arg(long, conflicts_with = "json")]
    csv_safe: bool,
}

impl Csv {
    pub(crate) fn is_wanted(self) -> bool {
        self.csv || self.csv_safe
    }

    pub(crate) fn is_safe(self) -> bool {
        self.csv_safe
    }
}

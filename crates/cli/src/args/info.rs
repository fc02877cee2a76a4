//! The options of `info`.

use std::path::PathBuf;

use clap::Args;
use mapwright::Listing;

use super::{Inputs, TextOutput};

pub(super) const EXAMPLES: &str = "\
Examples:
  mapwright info cube.wings
  mapwright info --table levels/
  mapwright info --json models/ | jq -r '[.file, .wings.totals.faces] | @tsv'";

/// Returns the columns of `info --table` and the keys of its JSON form, with their meaning.
pub(crate) fn table_columns() -> impl Iterator<Item = (&'static str, &'static str)> {
    std::iter::once(("file", "name of the file")).chain(Listing::COLUMNS)
}

/// Returns the notes after the options.
pub(super) fn details() -> String {
    let columns: String = table_columns().map(|(name, meaning)| format!("  {name:<9}{meaning}\n")).collect();
    format!(
        "--table and --csv print one row per file. For levels (wwd), only the start of the file is read. Columns:\n{columns}\n{DETAILS}"
    )
}

const DETAILS: &str = "\
Examples:
  mapwright info cube.wings
  mapwright info --table levels/
  mapwright info --csv levels/ -o levels.csv
  mapwright info --table --json levels/ | jq -r 'select(.objects > 5000) | .file'
  mapwright info --json models/ | jq -r '[.file, .wings.totals.faces] | @tsv'
  mapwright info --content sdk/content/hlvr map.vmap --copy-to packed/
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
    /// Copy each file and the files that it refers to into this folder, at their paths below their content folder, or relative to the file. Files of a named folder keep their paths below it. Existing files are replaced only with --force
    #[arg(long, value_name = "DIR", conflicts_with_all = ["table", "csv", "csv_safe"])]
    pub(crate) copy_to: Option<PathBuf>,
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

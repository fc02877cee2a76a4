//! The options of `info`.

use std::path::PathBuf;

use clap::Args;

use super::{Inputs, TextOutput};

pub(super) const EXAMPLES: &str = "\
Examples:
  mapwright info cube.wings
  mapwright info --table levels/
  mapwright info --json models/ | jq -r '[.file, .wings.totals.faces] | @tsv'";

/// The columns of `info --table` and the keys of its JSON form, with their meaning.
pub(crate) const TABLE_COLUMNS: [(&str, &str); 10] = [
    ("file", "name of the file"),
    ("format", "name of the format"),
    ("variant", "variant of a terrain, dialect of a Gamestudio map"),
    ("bytes", "size of the file"),
    ("name", "name of a level (wwd)"),
    ("author", "author of a level (wwd)"),
    ("date", "date when a level (wwd) or Gamestudio map was saved"),
    ("size", "columns and rows of the main plane or of the heights"),
    ("planes", "number of planes of a level (wwd)"),
    ("objects", "number of objects; blocks and entities of a Gamestudio map"),
];

/// Returns the notes after the options.
pub(super) fn details() -> String {
    let columns = TABLE_COLUMNS.map(|(name, meaning)| format!("  {name:<9}{meaning}\n")).concat();
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
    /// Copy each file and the files that it refers to into this folder, at their paths below their content folder or below the folder of the file. Existing files are replaced only with --force
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

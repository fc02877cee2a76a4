//! The options of `query` and `objects`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::{Csv, Inputs, Output, TextOutput};

pub(super) const EXAMPLES: &str = "\
Examples:
  mapwright query 'class=light* and intensity>2' map.vmap
  mapwright query kind=entity levels/ --fields class,name,model --csv
  mapwright query 'class=*smrk* and y<0' island.wrp
  mapwright query 'logic=Ele* and score==0' level.wwd
  mapwright query --json 'faces>1000 | materials~glass' model.wings | jq '.items[].name'";

pub(super) const DETAILS: &str = "\
A QUERY compares fields with values: = != < <= > >=, and ~ for \"contains\". `field in (a, b)` accepts several values. Combine comparisons with \
`and`, `or`, `not` (or &, |, !) and parentheses. `*` matches every object, and #12 the object with that number. In values without quotes, * \
matches any text and ? one character; a backslash escapes. Two numbers compare as numbers, everything else as text, ignoring case. A comparison on \
a field that an object lacks is false; a field that no object has is an error.

Common fields: kind, class, name, key, x, y, z (the position in the world, along the axes of the file), visible, locked. --json without \
--fields shows all fields.

Examples:
  mapwright query 'class=light* and intensity>2' map.vmap
  mapwright query kind=entity levels/ --fields class,name,model --csv
  mapwright query 'class=*smrk* and y<0' island.wrp
  mapwright query 'logic=Ele* and score==0' level.wwd
  mapwright query --json 'faces>1000 | materials~glass' model.wings | jq '.items[].name'";

pub(super) const OBJECTS_HELP: &str = "\
CSV and JSON contain the number, model, position, angles and all bits of the matrix of each object. `edit` reads both, and GeoJSON, with \
`objects import`. Positions are metres from the south-west corner and refer to the bounding centre of the model, as in the file. Terrain \
Builder expects the ground point instead: --centres takes the bounding centres of the models, as a table with the columns \
model,cx,cy,cz or as a template library (.tml).

Examples:
  mapwright objects island.wrp > objects.csv
  mapwright objects --as geojson island.wrp -o objects.geojson
  mapwright objects --as terrain-builder --relative --centres plants.tml island.wrp -o objects.txt
  mapwright edit island.wrp -o new.wrp 'objects import objects.csv'";

#[derive(Debug, Clone, Args)]
pub(crate) struct Query {
    /// Filter expression, such as `kind=light and range>200`
    #[arg(value_name = "QUERY")]
    pub(crate) query: mapwright::Query,
    #[command(flatten)]
    pub(crate) inputs: Inputs,
    /// Fields to show, separated by commas
    #[arg(long, value_name = "FIELD,…", value_delimiter = ',')]
    pub(crate) fields: Vec<String>,
    #[command(flatten)]
    pub(crate) csv: Csv,
    #[command(flatten)]
    pub(crate) output: TextOutput,
}

#[derive(Debug, Clone, Args)]
pub(crate) struct Objects {
    #[command(flatten)]
    pub(crate) inputs: Inputs,
    #[command(flatten)]
    pub(crate) output: Output,
    /// Format of the list [default: csv; json with --json]
    #[arg(long = "as", value_enum, value_name = "LIST")]
    pub(crate) list: Option<ObjectList>,
    /// In CSV, put an apostrophe before model names that spreadsheets would run as formulas
    ///
    /// Such names begin with =, +, -, @ or a tab. `objects import` reads the apostrophe as part of the name.
    #[arg(long)]
    pub(crate) csv_safe: bool,
    /// For Terrain Builder: write heights above the ground instead of heights above the sea
    #[arg(long)]
    pub(crate) relative: bool,
    /// For Terrain Builder: bounding centres of models, as CSV or as a template library (.tml)
    #[arg(long, value_name = "FILE")]
    pub(crate) centres: Option<PathBuf>,
}

/// A format of a list of objects.
#[derive(Debug, Clone, Copy, ValueEnum)]
pub(crate) enum ObjectList {
    /// Comma-separated values
    Csv,
    /// An array with one object per line
    Json,
    /// Point features for GIS software
    Geojson,
    /// Text that Terrain Builder imports
    TerrainBuilder,
    /// LandBuilder text with full matrices
    Lbt,
}

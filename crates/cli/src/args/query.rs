//! The options of `query`.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use mapwright::{ForeignFormat, Format, Query as Expression};

use super::formats::QUERY_DETAILS;
use super::{Csv, TextOutput, format};
use crate::failure::Failure;

pub(super) const EXAMPLES: &str = "\
Examples:
  mapwright query 'class=light* and intensity>2' map.vmap
  mapwright query kind=entity levels/ --fields class,name,model --csv
  mapwright query 'logic=Ele* and score==0' level.wwd
  mapwright query --json 'faces>1000 | materials~glass' model.wings | jq '.items[].name'";

/// Returns the notes after the options.
pub(super) fn details() -> String {
    format!("{DETAILS}{QUERY_DETAILS}")
}

const DETAILS: &str = "\
A QUERY compares fields with values: = != < <= > >=, and ~ for \"contains\". `field in (a, b)` accepts several values. Combine comparisons with \
`and`, `or`, `not` (or &, |, !) and parentheses. `*` matches every object, and #12 every object with that number, for example a block, \
an entity and a group of a Gamestudio map. In values without quotes, * matches any text and ? one character; a backslash escapes them. \
Two numbers compare as numbers, everything else as text, ignoring case. A comparison on a field that an object lacks is \
false; a field that no object has is an error. Without a QUERY, all objects are listed.

Most objects have the fields kind, class, name, x, y and z (the position in the world, along the axes of the file); those of Source 2 and \
Quake maps also have angles (pitch, yaw and roll in degrees) and scales; records have their own fields. --fields '*' and --json without \
--fields show all fields.

Examples:
  mapwright query 'class=light* and intensity>2' map.vmap
  mapwright query kind=entity levels/ --fields class,name,model --csv
  mapwright query 'logic=Ele* and score==0' level.wwd
  mapwright query --json 'faces>1000 | materials~glass' model.wings | jq '.items[].name'";

#[derive(Debug, Clone, Args)]
#[command(override_usage = "mapwright query [OPTIONS] [QUERY] <FILE>...")]
pub(crate) struct Query {
    /// Filter expression, such as `kind=light and range>200` [default: all objects]
    #[arg(value_name = "QUERY")]
    first: Option<OsString>,
    /// Files, folders, or - for standard input
    #[arg(value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Treat the input as this format [default: detected]
    #[arg(long, value_name = "FORMAT", value_parser = format)]
    pub(crate) from: Option<Format>,
    /// Fields to show, separated by commas; * for all
    #[arg(long, value_name = "FIELD,…", value_delimiter = ',')]
    pub(crate) fields: Vec<String>,
    /// Format of the output [default: a table, or the format that the extension of -o names]
    #[arg(long = "as", value_enum, value_name = "LIST")]
    list: Option<ObjectList>,
    #[command(flatten)]
    pub(crate) csv: Csv,
    #[command(flatten)]
    pub(crate) output: TextOutput,
    /// With --as, write one file for each input into this folder
    #[arg(short, long, value_name = "DIR", conflicts_with = "output")]
    pub(crate) dir: Option<PathBuf>,
    /// [terrain-builder] Write heights above the ground instead of heights above the sea
    #[arg(long, hide_short_help = true)]
    pub(crate) relative: bool,
    /// [csv, json, geojson, terrain-builder] Map coordinates of the terrain's south-west corner in metres [default: 0,0;
    /// terrain-builder: 200000,0]
    #[arg(long, value_name = "EAST,NORTH", value_parser = super::heightmaps::place, allow_hyphen_values = true, hide_short_help = true)]
    pub(crate) origin: Option<[f64; 2]>,
    /// [terrain-builder] Bounding centres of models, as CSV or as a template library (.tml)
    #[arg(long, value_name = "FILE", hide_short_help = true)]
    pub(crate) centres: Option<PathBuf>,
}

impl Query {
    /// Returns the query, as text and parsed, and the files. The first word is a file if one has that name.
    ///
    /// # Errors
    /// If there is no file, or the query is invalid.
    pub(crate) fn query_and_files(&self) -> Result<(String, Expression, Vec<PathBuf>), Box<Failure>> {
        const HELP: &str = "use `mapwright query [QUERY] FILE…`";
        let Some(first) = &self.first else { return Err(Failure::usage("no input given").with_help(HELP)) };
        let text = first.to_string_lossy();
        let all = || {
            (
                "*".to_owned(),
                Expression::all(),
                std::iter::once(first.into()).chain(self.files.iter().cloned()).collect(),
            )
        };
        if is_path(first.as_ref()) {
            let is_query = |file: &&PathBuf| {
                let text = file.to_string_lossy();
                !is_path(file) && text.contains(['=', '<', '>', '~']) && text.parse::<Expression>().is_ok()
            };
            return match self.files.iter().find(is_query) {
                Some(query) => Err(Failure::usage("the query comes after a file: expected it before all files")
                    .with_help(&format!("use `mapwright query '{}' {text}`", query.display()))),
                None => Ok(all()),
            };
        }
        match text.parse() {
            Ok(_) if self.files.is_empty() => Err(Failure::usage("no input given").with_help(HELP)),
            Ok(query) => Ok((text.into_owned(), query, self.files.clone())),
            // One word is the name of a missing file.
            Err(_) if self.files.is_empty() && !text.contains(['=', '<', '>', '~', '!', ' ']) => Ok(all()),
            Err(error) => {
                let failure = Failure::usage(format!("invalid query `{text}`: {error}"));
                let is_name = text.chars().all(|character| character.is_alphanumeric() || "_-*".contains(character));
                Err(if is_name { failure.with_help(&format!("use `name={text}` to find a name")) } else { failure })
            }
        }
    }

    /// Returns the files that the command reads.
    pub(super) fn inputs(&self) -> Vec<PathBuf> {
        let first = self.first.iter().map(PathBuf::from).filter(|first| is_path(first));
        first.chain(self.files.iter().chain(&self.centres).cloned()).collect()
    }

    /// Returns the format of the output; `None` is a table for people.
    ///
    /// # Errors
    /// If options contradict each other.
    pub(crate) fn list(&self, json: bool) -> Result<Option<ObjectList>, Box<Failure>> {
        let named = if self.csv.is_wanted() {
            Some(ObjectList::Csv)
        } else if json {
            Some(ObjectList::Json)
        } else {
            None
        };
        let list = match (self.list, named) {
            (Some(list), Some(named)) if list != named => {
                let message = format!("--as {} and --{} cannot be used together", list.name(), named.name());
                return Err(Failure::usage(message).with_help("leave one of them out"));
            }
            (list, named) => list.or(named).or_else(|| ObjectList::from_path(self.output.output.as_deref()?)),
        };
        if let Some(path) = &self.output.output {
            check_extension(list, path)?;
        }
        if list != Some(ObjectList::TerrainBuilder) && (self.relative || self.centres.is_some()) {
            let message = "--relative and --centres are for --as terrain-builder";
            return Err(Failure::usage(message).with_help("leave them out, or add --as terrain-builder"));
        }
        if self.origin.is_some() && matches!(list, None | Some(ObjectList::Lbt)) {
            let (message, help) = match list {
                None => ("--origin is for --as csv, json, geojson and terrain-builder", "leave it out, or add --as"),
                // The numbers are those of the file; the sum with an origin would be rounded to 32 bits.
                Some(_) => {
                    ("lbt lists contain the exact matrices of the file, which have no origin", "leave --origin out")
                }
            };
            return Err(Failure::usage(message).with_help(help));
        }
        Ok(list)
    }
}

/// Refuses an output name whose extension is that of another list, or of another format.
fn check_extension(list: Option<ObjectList>, path: &Path) -> Result<(), Box<Failure>> {
    let named = ObjectList::from_path(path);
    let is_text = path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("txt"));
    let is_other = !is_text && (Format::from_path(path).is_some() || ForeignFormat::from_path(path).is_some());
    let name = list.map_or("a table", ObjectList::name);
    match named {
        // GeoJSON is JSON.
        Some(named) if list != Some(named) && (list, named) != (Some(ObjectList::Geojson), ObjectList::Json) => {
            let message =
                format!("the extension of {} is that of {}, but the output is {name}", path.display(), named.name());
            Err(Failure::usage(message).with_help("use another name, or another --as"))
        }
        None if is_other => {
            let message =
                format!("the extension of {} is that of another format: the output is {name}", path.display());
            Err(Failure::usage(message).with_help("use a name with .csv, .json or .txt"))
        }
        _ => Ok(()),
    }
}

/// Returns `true` for standard input and for the name of a file or folder.
fn is_path(path: &Path) -> bool {
    path.as_os_str() == "-" || path.symlink_metadata().is_ok()
}

/// A format of a list of objects.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ObjectList {
    /// Comma-separated values, as --csv
    Csv,
    /// One JSON object per file, as --json
    Json,
    /// Points of a terrain for GIS software
    Geojson,
    /// Objects of a terrain as text that Terrain Builder imports
    TerrainBuilder,
    /// Objects of a terrain as LandBuilder text with full matrices
    Lbt,
}

impl ObjectList {
    /// Returns the list that the extension of a file names.
    fn from_path(path: &Path) -> Option<Self> {
        let extension = path.extension()?.to_str()?;
        let named = [Self::Csv, Self::Json, Self::Geojson, Self::Lbt];
        named.into_iter().find(|list| extension.eq_ignore_ascii_case(list.extension()))
    }

    pub(crate) const fn name(self) -> &'static str {
        if let Self::TerrainBuilder = self { "terrain-builder" } else { self.extension() }
    }

    pub(crate) const fn extension(self) -> &'static str {
        match self {
            Self::Csv => "csv",
            Self::Json => "json",
            Self::Geojson => "geojson",
            Self::TerrainBuilder => "txt",
            Self::Lbt => "lbt",
        }
    }

    /// Returns `true` for lists that only terrains have.
    pub(crate) const fn is_of_terrains(self) -> bool {
        matches!(self, Self::Geojson | Self::TerrainBuilder | Self::Lbt)
    }
}

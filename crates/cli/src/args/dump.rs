//! The options of `dump`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use mapwright::Format;

use super::{TextOutput, format, format_where, limits};

pub(super) const EXAMPLES: &str = "\
Examples:
  mapwright dump cube.wings | less
  mapwright dump --json level.wwd > level.json
  mapwright dump map.vmap | grep classname
  mapwright dump --thumbnail map.vmap > map.jpg";

pub(super) const DETAILS: &str = "\
Erlang terms (wings, etf) are printed in Erlang syntax, element graphs (vmap, dmx) as KeyValues2 text, and all other formats as JSON. \
--json prints JSON for all formats; `build` restores the file from it. \
`dump --schema FORMAT` prints the JSON Schema of the dumps of a format.

Values that JSON cannot represent:
  element graphs  {\"bits\":\"hex\"} for floats, {\"bytes\":\"hex\"} for text that is not UTF-8,
                  \"0x…\" for 64-bit integers
  Erlang terms    {\"tuple\":[…]}, {\"text\":\"…\"}, {\"map\":[[key,value],…]}, {\"binary\":\"hex\"},
                  {\"bits\":\"hex\",\"last\":n}, {\"list\":[…],\"tail\":…}, {\"float\":\"nan\"},
                  {\"term\":\"#Pid<…>\",\"etf\":\"hex\"}; atoms are strings
  other formats   \\xHH for bytes of text that are not ASCII, \"0x7fc87f88\" for the bits of a number

\"encoding\" beside a term contains the other data that `build` needs: \"profile\" if it is not otp17, \"packing\" if the term is not \
compressed (\"plain\") or compressed by mapwright (\"fast\"), and \"source\", the whole file, if that is not enough. A graph contains its own \"source\". In levels, fields that are 0 or empty are left out, and \
rectangles are [left,top,right,bottom]. A row of tiles has numbers, null for empty cells, \"fill\" for filled cells, and [count,cell] for \
runs.

Examples:
  mapwright dump cube.wings | less
  mapwright dump --max-binary 32 cube.wings
  mapwright dump --json cube.wings | jq .term.tuple[1]
  mapwright dump --schema wwd > wwd.schema.json
  mapwright dump map.vmap | grep classname
  mapwright dump --thumbnail map.vmap > map.jpg";

/// Parses a format whose documents can be dumped.
fn format_with_dump(text: &str) -> Result<Format, String> {
    format_where(text, |format| format.dump_schema().is_some())
}

#[derive(Debug, Clone, Args)]
pub(crate) struct Dump {
    /// Files, folders, or - for standard input
    #[arg(value_name = "FILE", required_unless_present = "schema")]
    pub(crate) files: Vec<PathBuf>,
    /// Treat the input as this format [default: detected]
    #[arg(long, value_name = "FORMAT", value_parser = format)]
    pub(crate) from: Option<Format>,
    /// [wings, etf] Line breaks of Erlang terms
    #[arg(long, value_enum, default_value_t)]
    pub(crate) layout: TextLayout,
    /// [wings, etf] Print binaries longer than this as their length and a hash
    #[arg(long, value_name = "BYTES", value_parser = limits::number::<usize>)]
    pub(crate) max_binary: Option<usize>,
    /// [vmap] Write only the preview image that the map contains
    #[arg(long, conflicts_with = "json")]
    pub(crate) thumbnail: bool,
    /// Print the JSON Schema of `dump --json` for a format; reads no file
    #[arg(long, value_name = "FORMAT", value_parser = format_with_dump, conflicts_with_all = ["files", "from"])]
    pub(crate) schema: Option<Format>,
    #[command(flatten)]
    pub(crate) output: TextOutput,
}

#[derive(Debug, Clone, Copy, Default, ValueEnum)]
pub(crate) enum TextLayout {
    /// One element per line if a term does not fit into 100 columns
    #[default]
    Indented,
    /// Everything on one line
    Compact,
}

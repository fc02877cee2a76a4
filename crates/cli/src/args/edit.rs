//! The options of `edit` and `set`.

use std::path::PathBuf;

use clap::Args;
use mapwright::Format;

use super::format;

pub(super) const EXAMPLES: &str = "\
Examples:
  mapwright edit level.wwd -o new.wwd 'objects set speed_x=150 where logic=Elevator'
  mapwright edit --dry-run level.wwd 'plane resize Action 200x100' 'tiles replace Action 17 empty'
  mapwright edit --force --script changes.txt level.wwd
  mapwright edit map.wmp -o new.wmp 'rename texture brick* stone' 'set kind=light: range=250'
  mapwright edit island.wrp -o new.wrp 'delete model=*smrk* and y<0' 'sea raise 1.5'

`mapwright edit --help` lists all edits.";

pub(super) const DETAILS: &str = "\
Each EDIT is one argument. Quote words and values that contain spaces. If one edit fails, nothing is written. Everything that is not edited \
stays unchanged, and the file is stored as its editor would store it.

Levels (wwd); a plane is given by name, as #1, or as #main:

  plane add NAME 24x8 [tile=64] [at=1] [z_coord=9000 …]
  plane remove PLANE
  plane resize PLANE 24x8 [bottom-right|-2,5]
  plane set PLANE movement_x=50 …
  tiles fill PLANE 0,0,24,8 17
  tiles replace PLANE 17 empty [0,0,24,8]
  tiles copy PLANE 0,0,2,2 PLANE 5,6
  objects add PLANE logic=Rat x=100 …
  objects remove where logic=Rat …
  objects set speed_x=150 … [where logic=Elevator …]
  images rename OLD NEW
  level rename NAME
  level set author=Me …

Gamestudio maps (wmp) and terrains (wrp); a QUERY is as in `query`, such as 'model=*les* and y<0':

  set QUERY: FIELD=VALUE, FIELD+=NUMBER, …
  delete QUERY
  rename texture|material|model|wad OLD NEW
  move QUERY: 10,0,-5

Gamestudio maps (kinds are block, group, start, light, sound, model, path, region; entity is any but blocks and groups):

  set kind=model and name=guard* and x<100: action=patrol, skill1=5, flags+=SHADOW
  set level: nexus=60, azimuth=45
  turn QUERY: 90 [about 0,0,0] | scale QUERY: 2 [about 0,0,0]
  extract kind=group and name=Tower
  wads shift OLD NEW
  merge OTHER.wmp [NAME] [0,-128,64]

Terrains (metres; cells from the south-west):

  set QUERY: model=NAME, x=…, y+=…, z=…, id=…, ground=true
  duplicate QUERY: x+=10 | add object model=NAME, x=…, z=…
  heights shift 2.5 | heights clamp -100 400 | heights import FILE.asc
  cells import FILE.png
  sea raise 3
  resample 512x512 | crop 64,64 128x128 | paste OTHER.wrp 10,-5
  models rename-table FILE.csv | textures rename-table FILE.csv
  objects renumber [FIRST] | objects drop-outside
  objects import FILE.csv|.json|.geojson|.lbt|.txt [relative] [centres=FILE]
  clean

Examples:
  mapwright edit level.wwd -o new.wwd 'objects set speed_x=150 where logic=Elevator'
  mapwright edit --dry-run level.wwd 'plane resize Action 200x100' 'tiles replace Action 17 empty'
  mapwright edit --force --script changes.txt level.wwd
  mapwright edit map.wmp -o new.wmp 'rename texture brick* stone' 'set kind=light: range=250'
  mapwright edit island.wrp -o new.wrp 'delete model=*smrk* and y<0' 'sea raise 1.5'";

pub(super) const SET_EXAMPLES: &str = "\
Examples:
  mapwright set 'class=light_omni2 & intensity>2' map.vmap intensity=2 -o new.vmap
  mapwright set --dry-run 'kind=light & x<0' map.wmp z+=64
  mapwright set --force 'class=Elevator' level.wwd speed_x=150";

pub(super) const SET_DETAILS: &str = "\
Queries and fields are those of `query`. Use += and -= to change a number relative to its current value (`z+=64`); this has no effect on an \
unset range or volume. String fields accept any text. A field that does not exist yet is created as a string, if the format allows it. Quotes \
around a value are removed. Everything else stays unchanged, down to the byte. If the format cannot store a value, that field (or the \
whole object) is left unchanged; rounded values are reported.

Examples:
  mapwright set 'class=light_omni2 & intensity>2' map.vmap intensity=2 -o new.vmap
  mapwright set --dry-run 'kind=light & x<0' map.wmp z+=64
  mapwright set --force 'class=Elevator' level.wwd speed_x=150";

/// Input, output and overwrite options of commands that change a file.
#[derive(Debug, Clone, Args)]
pub(crate) struct Change {
    /// Write to this file, or to standard output with -
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// Replace an existing file; without -o, the input
    #[arg(short, long)]
    pub(crate) force: bool,
    /// Show what would change; write nothing
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// Treat the input as this format [default: detected]
    #[arg(long, value_name = "FORMAT", value_parser = format)]
    pub(crate) from: Option<Format>,
}

#[derive(Debug, Clone, Args)]
pub(crate) struct Edit {
    /// The file, or - for standard input
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    /// The edits, applied in this order
    #[arg(value_name = "EDIT")]
    pub(crate) edits: Vec<String>,
    /// Read edits from this file, or from standard input with -, one per line, and apply them first
    ///
    /// Lines that begin with # are ignored.
    #[arg(long, value_name = "FILE")]
    pub(crate) script: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) change: Change,
}

#[derive(Debug, Clone, Args)]
pub(crate) struct Set {
    /// Filter expression that selects the objects
    #[arg(value_name = "QUERY")]
    pub(crate) query: mapwright::Query,
    /// The file, or - for standard input
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    /// New values, such as `range=250` or `z+=64`
    #[arg(value_name = "FIELD=VALUE", required = true)]
    pub(crate) assignments: Vec<mapwright::io::Assignment>,
    #[command(flatten)]
    pub(crate) change: Change,
}

//! The options of `edit`.

use std::path::PathBuf;

use clap::Args;
use mapwright::Format;

use super::format;

pub(super) const EXAMPLES: &str = "\
Examples:
  mapwright edit level.wwd -o new.wwd 'set logic=Ele*: speed_x=150'
  mapwright edit map.vmap -o new.vmap 'set class=light* and brightness>2: brightness=2'
  mapwright edit --dry-run level.wwd 'plane resize Action 200x100' 'tiles replace Action 17 empty'
  mapwright edit --force --script changes.txt level.wwd
  mapwright edit map.wmp -o new.wmp 'rename texture brick* stone' 'set kind=light: range=250'
  mapwright edit island.wrp -o new.wrp 'delete model=*smrk* and y<0' 'sea raise 1.5'

`mapwright edit --help` lists all edits, and `mapwright query --help` explains queries.";

pub(super) const DETAILS: &str = "\
Each EDIT is one argument. The first `:` outside quotes and parentheses ends the query, which is written as in `mapwright query`. Commas \
separate assignments; quote values that contain commas or spaces. += and -= change numbers, and set or clear flags. A field that no object \
has, a value that the format cannot store, or a query that matches nothing is an error. If one edit fails, nothing is written. Data \
that no edit names stays unchanged. The fields are those that `query` shows; errors suggest or list known fields.

  set QUERY: FIELD=VALUE, FIELD+=NUMBER      [wings, vmap, vmf, wwd, wmp, wrp, map, tmx]
  delete QUERY                               [vmf, wwd, wmp, wrp, map, tmx]
  duplicate QUERY: x+=64                     [vmf, wwd, wrp, map, tmx]

Levels (wwd); a PLANE is a name, its index as #0, or #main:
  set level: author=Me                       fields of the header
  add object plane=NAME, logic=Rat, x=100    with a free id unless one is given
  add plane name=NAME, size=24x8, tile=64, at=1, z_coord=9000
  rename image_set OLD NEW
  plane resize PLANE 24x8 [bottom-right or -2,5]
  tiles fill PLANE 0,0,24,8 17
  tiles replace PLANE 17 empty [0,0,24,8]
  tiles copy PLANE 0,0,2,2 PLANE 5,6
  tiles set 5-9 solid
  tiles set 5 clear solid 0,16,63,63         solid inside a rectangle of pixels, clear outside

Gamestudio maps (wmp); kind is block, group, start, light, sound, model, path or region; entity matches all but blocks and groups:
  set kind=model and name=guard*: action=patrol, skill1=5, flags+=SHADOW
  set level: nexus=60, azimuth=45
  rename texture|material|model|wad OLD NEW
  move QUERY: 0,0,64 | turn QUERY: 90 [about 0,0,0] | scale QUERY: 2 [about 0,0,0]
  extract kind=group and name=Tower
  wads shift OLD NEW
  merge OTHER.wmp [NAME] [0,-128,64]

Source 1 maps (vmf):
  set class=light: _light=\"255 200 150 400\"  set level: skyname=sky_day01_01
  add CLASS targetname=lamp, origin=\"0 0 64\"
  rename material|texture|model OLD NEW
  output add|set|remove QUERY: EVENT TARGET INPUT PARAMETER DELAY TIMES

Quake maps (map); kind is world, layer, group, solid, point, entity, brush, patch or other:
  set class=light: light=250                 set level: message=\"The end\"
  add entity class=light, origin=\"0 0 64\"
  rename texture|material OLD NEW
  snap QUERY: 1                              brushes to a grid, if no corner moves by more than half a step

Maps, tilesets and templates of Tiled (tmx, tmj); kind is that of the layer, object, tileset or tile:
  set class=Door: x+=16, locked=false        custom properties are fields, too
  add object|rectangle|point|ellipse|capsule layer=NAME, x=0, y=0, width=16, height=16
  add tileobject layer=NAME, gid=17, x=0, y=16
  rename image|tileset|template OLD NEW

Terrains (wrp); lengths are in metres, cells count from the south-west:
  set QUERY: model=NAME, x=…, y+=…, z=…, id=…, ground=true
  add object model=NAME, x=…, z=…
  rename texture|model OLD NEW
  move QUERY: 10,0,-5
  heights shift 2.5 | heights clamp -100 400 | heights import FILE.asc
  heights fill -20 | heights fill interpolate
  cells import FILE.png
  sea raise 3
  resample 512x512 | crop 64,64 128x128 | paste OTHER.wrp 10,-5
  models rename-table FILE.csv | textures rename-table FILE.csv
  objects renumber [FIRST] | objects drop-outside
  objects import FILE.csv|.json|.geojson|.lbt|.txt [relative] [centres=FILE] [origin=E,N]
  clean

Examples:
  mapwright edit level.wwd -o new.wwd 'set logic=Ele*: speed_x=150'
  mapwright edit map.vmap -o new.vmap 'set class=light* and brightness>2: brightness=2'
  mapwright edit --dry-run level.wwd 'plane resize Action 200x100' 'tiles replace Action 17 empty'
  mapwright edit --force --script changes.txt level.wwd
  mapwright edit map.wmp -o new.wmp 'rename texture brick* stone' 'set kind=light: range=250'
  mapwright edit island.wrp -o new.wrp 'delete model=*smrk* and y<0' 'sea raise 1.5'";

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
    /// Accept a query that matches nothing
    #[arg(long, hide_short_help = true)]
    pub(crate) allow_no_match: bool,
    /// [vmap, vmf, map, tmx] Add fields that an object does not have yet
    #[arg(long, hide_short_help = true)]
    pub(crate) create_field: bool,
    #[command(flatten)]
    pub(crate) change: Change,
}

//! The command line.

mod convert;
mod heightmaps;
mod limits;

use std::path::PathBuf;

use clap::{Args, CommandFactory, Parser, Subcommand, ValueEnum};
use mapwright::Format;

pub(crate) use convert::{Convert, Up};
pub(crate) use heightmaps::Heightmaps;
pub(crate) use limits::LimitArgs;

const EXIT_CODES: &str = "\
Exit codes:
  0   all done
  1   a file cannot be read or written
  2   the command line is wrong
  3   --strict, and something would be lost
  4   the input is damaged
  5   the format is not known
  6   a limit is exceeded; --limit-… raises it
  7   the format cannot do that
  8   of several files some failed
  9   check found errors, roundtrip or diff differences, or merge conflicts
  70  a bug in mapwright
  130 interrupted by a signal

`mapwright FILE` is `mapwright info FILE`. FILE may be `-` for standard input and a folder for all files in it that the \
verb is for. With --json every input gives one JSON object in a line of its own, with its version in \"schema\" (the verb \
`objects` gives an array); one that fails gives {\"schema\":\"mapwright.error/1\",…}.

Examples:
  mapwright cube.wings
  mapwright roundtrip models/
  mapwright check --json cube.wings | jq .findings";

/// Look into, check, convert and round-trip game level files.
#[derive(Debug, Parser)]
#[command(name = "mapwright", version, max_term_width = 120, after_help = EXIT_CODES, subcommand_required = true)]
pub(crate) struct Cli {
    #[command(flatten)]
    pub(crate) global: Global,
    #[command(subcommand)]
    pub(crate) verb: Verb,
}

/// Options of every verb.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Options of every verb")]
pub(crate) struct Global {
    /// Print JSON: one object per input and line, of the verb `objects` an array.
    #[arg(long, global = true)]
    pub(crate) json: bool,
    /// Print no warnings, no progress and no summary.
    #[arg(short, long, global = true)]
    pub(crate) quiet: bool,
    /// Work on so many files at once; as many as there are processors unless given.
    #[arg(short, long, value_name = "N", global = true, value_parser = clap::value_parser!(u16).range(1..), allow_negative_numbers = true)]
    pub(crate) jobs: Option<u16>,
    /// Stop at the first file that fails.
    #[arg(long, global = true)]
    pub(crate) fail_fast: bool,
    /// Accept Erlang terms that Erlang itself refuses, as long as their bytes can be kept.
    #[arg(long, global = true)]
    pub(crate) lenient: bool,
    /// Read levels (wwd) also if they state a larger header than they can have.
    #[arg(long, global = true)]
    pub(crate) any_header_size: bool,
    /// Metres from vertex to vertex of terrains (wrp) whose file does not say it, 1WVR to 4WVR [default: 50], and of pictures of
    /// heights (heightpng) [default: as they say, or 1].
    #[arg(long, value_name = "METRES", global = true, value_parser = metres)]
    pub(crate) cell: Option<f32>,
    /// Metres per step of height of the same [default: 0.045]. Old descriptions of the format say 0.05.
    #[arg(long, value_name = "METRES", global = true, value_parser = metres)]
    pub(crate) height_unit: Option<f32>,
    #[command(flatten)]
    pub(crate) limits: LimitArgs,
}

/// What follows the options of `query`.
const QUERY_HELP: &str = "\
A QUERY compares fields with values: = != < <= > >=, and ~ for `contains`. Several values: field in (a, b). `and`, `or`, `not` (or &, |, !) and \
parentheses combine comparisons; `*` matches every object, #12 the object with that number. In values without quotes * matches any text \
and ? one character; a backslash escapes. Two numbers compare as numbers, everything else as text without case. A comparison on a field that \
an object lacks is false; a field that no object has is an error.

Common fields: kind, class, name, key, x, y, z (the position in the world, along the axes of the file), visible, locked. Levels (wwd) have all \
fields of their objects and planes. --json without --fields shows all fields.

Examples:
  mapwright query 'class=light* and intensity>2' map.vmap
  mapwright query kind=entity levels/ --fields class,name,model --csv
  mapwright query 'class=*smrk* and y<0' island.wrp
  mapwright query 'logic=Ele* and score==0' level.wwd
  mapwright query --json 'faces>1000 | materials~glass' model.wings | jq '.items[].name'";

#[derive(Debug, Subcommand)]
pub(crate) enum Verb {
    /// Show what files hold.
    #[command(after_help = "\
Examples:
  mapwright info cube.wings
  mapwright info --json models/ | jq -r '[.file, .wings.totals.faces] | @tsv'
  curl -s https://example.org/cube.wings | mapwright info -")]
    Info(Inputs),
    /// Convert files into other formats, and report what that loses.
    #[command(after_help = "\
Losses are counted by kind on standard error: dropped, approximated, synthesized, repaired, preserved. --report has all of them with \
their places, as JSON; so has --json on standard output. Nothing is overwritten without --force, and nothing that is \
read with it. With two files and none of -o, -d, --to and --dry-run the second one is written.

Examples:
  mapwright convert cube.wings cube.glb
  mapwright convert --strict --dry-run --to obj cube.wings
  mapwright convert models/ -d converted/ --to glb --report losses.json
  mapwright convert map.vmap map.txt
  mapwright convert --map-format 29 model.glb prefab.vmap
  mapwright convert --subdivide map.vmap map.glb
  mapwright convert --variant 8wvr island.wrp for-terrain-builder.wrp
  mapwright convert --corner cell --decimals all island.wrp island.asc
  mapwright convert --range -50,400 heights.png island.wrp
  mapwright convert island.wrp island.cells.png
  mapwright convert --text-style hammer --line-end crlf map.vmap map.txt
  mapwright convert --only Turret --scale 0.01 --target-up z tank.wings -o turret.obj
  mapwright convert --assets unpacked/ level.wwd level.tmx
  cat plan.obj | mapwright convert --source-up z - --to wings -o - > plan.wings")]
    Convert(Convert),
    /// Show whole documents as text: Erlang terms in Erlang's syntax, element graphs in KeyValues2, levels, Gamestudio maps and
    /// terrains in JSON, or all as JSON.
    #[command(after_help = "\
With --json, element graphs: {\"encoding\",\"format\",\"format_version\",\"prefix\",\"strings\",\"elements\"}; an element is \
{\"class\",\"name\",\"id\",\"attributes\":[{\"name\",\"type\",\"value\"},…]}. References are indices of elements, null, or \
{\"external\":\"GUID\"}; vectors and colours arrays, binary hexadecimal, times units of 0.1 ms, uint64 \"0x…\"; what JSON has no \
words for is {\"bits\":\"hex\"} (floats) or {\"bytes\":\"hex\"} (text that is not UTF-8).

Levels are JSON with and without --json, in which everything stands and of which `build` makes the file again: {\"style\",\
\"stored\",\"header\",\"planes\":[{\"fields\",\"image_sets\",\"tiles\",\"objects\"}],\"tile_properties\",\"trailer\",\"layout\"}. Fields that \
are 0 or empty are left out, rectangles are [left,top,right,bottom], bytes of texts that are not ASCII \\xHH; a row of tiles has \
words, null for empty cells, \"fill\" for filled ones, and [count,cell] for several.

Terrains are JSON, too: {\"wvr\"|\"wvr8\"|\"oprw\":{…}} with the fields of the crate, grids row by row from the south, matrices as \
twelve numbers; a number that JSON has no words for is its bits, \"0x7fc87f88\", bytes of names are \\xHH.

Gamestudio maps are JSON, too: {\"dialect\",\"line_end\",\"header\",\"wed\",\"blocks\",\"entities\",\"objects\"} with the fields of the crate; a \
number that is spelled in its own way is that spelling as text, and a map that its editor would spell otherwise has all of its text \
as \"source\".

With --json, Erlang terms: integers and floats are numbers (floats have a point or an exponent), atoms strings, lists arrays, and \
everything else an object: {\"tuple\":[…]}, {\"text\":\"…\"}, {\"map\":[[key,value],…]}, {\"binary\":\"hex\"}, \
{\"bits\":\"hex\",\"last\":n}, {\"list\":[…],\"tail\":…}, {\"float\":\"nan\"}, {\"term\":\"#Pid<…>\",\"etf\":\"hex\"}. Behind a \
term or a graph \"spelling\" has what else its file needs to come back: \"profile\" where it is not otp17, \"packing\" where it is plain, \
and where all of that is not enough the whole file as \"source\".

Examples:
  mapwright dump cube.wings | less
  mapwright dump --max-binary 32 cube.wings
  mapwright dump --json cube.wings | jq .term.tuple[1]
  mapwright dump --schema wwd > wwd.schema.json
  mapwright dump map.vmap | grep classname
  mapwright dump --thumbnail map.vmap > map.jpg")]
    Dump(Dump),
    /// Make files of what `dump` printed of them as JSON.
    #[command(after_help = "\
A file comes back byte for byte, down to how its blocks are compressed. Where the dump was changed, the file changes as if the \
program that wrote it had saved it anew; what was spelled in its own way stays so where it can. JSON nests 128 deep at most, and \
integers of terms that take more than 64 bits come back only in terms that were not changed.

Examples:
  mapwright dump level.wwd > level.json && mapwright build level.json -o same.wwd
  mapwright dump --json level.wwd | jq '.level.header.author = \"Me\"' | mapwright build - -o mine.wwd
  mapwright build dumps/ -d levels/")]
    Build(Build),
    /// Check what the formats' own programs will make of files.
    #[command(after_help = "\
Ends with 9 if there are errors: what the format's own program refuses, crashes on or cannot save. With --strict \
warnings count as errors.

--fix repairs levels (wwd): a checksum of no editor, sizes of planes in pixels that are not those of their tiles, a stale size \
of the main block. What it shows and ends with is what is left then.

Examples:
  mapwright check cube.wings
  mapwright check --fix --dry-run level.wwd
  mapwright check --fix --drop-objects --add-properties level.wwd -o mended.wwd
  mapwright check --strict --quiet models/
  mapwright check --json cube.wings | jq -r '.findings[] | [.severity, .code, .path] | @tsv'")]
    Check(Check),
    /// Read files, write them in memory and compare the bytes. Nothing is saved.
    #[command(after_help = "\
Ends with 9 if a file does not come back byte for byte, and shows the first difference with its place.

Examples:
  mapwright roundtrip cube.wings
  mapwright roundtrip --quiet models/ && echo all exact
  mapwright roundtrip --json models/ | jq -r 'select(.result != \"exact\") | .file'")]
    Roundtrip(Inputs),
    /// List many files by what their headers say: name, author, date, size, planes and objects of levels (wwd).
    #[command(after_help = "\
Of levels only the first kilobytes are read. Terrains (wrp) are listed with their variant, Gamestudio maps (wmp) with dialect, program and \
day; both are read whole. Other files are listed by format and size.

Examples:
  mapwright list levels/
  mapwright list --csv levels/ > levels.csv
  mapwright list --json levels/ | jq -r 'select(.objects > 5000) | .file'")]
    List(List),
    /// Show what differs between two files.
    #[command(after_help = "\
Ends with 0 if they say the same, with 9 if not, and with 7 if they are of different formats. Levels (wwd) are compared by header, \
planes, runs of cells and objects, which are matched by what they are, not by their ids. Terrains (wrp) are compared by areas of heights and cells, names and objects; \
Gamestudio maps (wmp) by settings, groups, blocks and entities, in different dialects by what they mean; \
Source 2 maps (vmap) by nodes with their keys and meshes, where what every save changes counts for nothing; Wings scenes by objects, \
materials and properties; other element graphs and Erlang terms by their parts. With --quiet only the exit code says it.

Examples:
  mapwright diff old.wwd new.wwd
  mapwright diff --json old.wwd new.wwd | jq '.level.planes[].objects.added'")]
    Diff(Diff),
    /// Put what two sides made of the same Source 2 map (vmap) into one.
    #[command(after_help = "\
The result is OURS with what THEIRS changed since BASE: nodes are matched by their identities, and merged field by field, key by key; a mesh \
is one value. Where both changed the same in different ways, or one removed what the other changed or needs, there is a conflict, in a \
line of its own. Then the result has what OURS has, and mapwright ends with 9. With --prefer conflicts are told and settled: it ends \
with 0. Without -o, --force replaces OURS, which is what Git expects of a merge driver. A BASE of no bytes is an empty map.

Examples:
  mapwright merge base.vmap ours.vmap theirs.vmap -o merged.vmap
  mapwright merge --dry-run base.vmap ours.vmap theirs.vmap
  mapwright merge --prefer theirs --force base.vmap ours.vmap theirs.vmap
  mapwright merge --json --dry-run base.vmap ours.vmap theirs.vmap | jq -r '.conflicts[].field'
  git config merge.mapwright.driver 'mapwright merge --force %O %A %B'")]
    Merge(Merge),
    /// Edit files: set fields of objects; add, delete, duplicate and rename.
    #[command(after_help = "\
Each EDIT is one argument. The first `:` outside quotes and parentheses ends the query, which is written as in `mapwright query`. Commas separate \
assignments; values with commas are in quotes. += and -= change numbers and set or clear flags. A field that no object has, a value that the \
format cannot store, or a query that matches nothing is an error. If one edit fails, nothing is written. Everything else stays as it is.

  set QUERY: field=value, field+=value       [all levels, maps, models and terrains]

Levels (wwd):
  set level: author=Me                       fields of the header
  delete QUERY | duplicate QUERY: x+=64      objects; planes can be deleted
  add object plane=NAME, logic=Rat, x=100    with a free id unless one is given
  add plane name=NAME, size=24x8, tile=64, at=1, z_coord=9000
  rename image_set OLD NEW
  plane resize PLANE 24x8 [bottom-right or -2,5]
  tiles fill PLANE 0,0,24,8 17
  tiles replace PLANE 17 empty [0,0,24,8]
  tiles copy PLANE 0,0,2,2 PLANE 5,6         PLANE is a name, #1 or #main

Terrains (wrp; names can contain *, lengths are in metres, cells count from the south-west):
  heights shift 2.5 | heights clamp -100 400 | heights import FILE.asc
  cells import FILE.png
  sea raise 3
  resample 512x512 | crop 64,64 128x128 | paste OTHER.wrp 10,-5
  textures rename OLD NEW | models rename OLD NEW | … rename-table FILE.csv
  objects remove where model=*les* y<0 region=0,0,1000,1000 ground=no
  objects set model=NAME x=… y=… z=… id=… [where …]
  objects move 10,0,-5 [where …]
  objects renumber [FIRST] | objects drop-outside
  objects import FILE.csv|.json|.geojson|.lbt|.txt [relative] [centres=FILE]
  clean

Gamestudio maps (wmp; objects are `model #12`, `model guard*`, `block *`):
  textures rename OLD NEW | files rename OLD NEW | wads rename OLD NEW | wads shift OLD NEW
  set model guard* action=patrol skill1=5 flags+=SHADOW [where file=*.mdl x<100]
  delete light * [where range<10]
  move group Tower 0,0,64 | turn group Tower 90 [about 0,0,0] | scale group Tower 2 [about 0,0,0]
  extract group Tower
  merge OTHER.wmp [NAME] [0,-128,64]

Examples:
  mapwright edit level.wwd -o new.wwd 'set logic=Ele*: speed_x=150'
  mapwright edit map.vmap -o new.vmap 'set class=light* and brightness>2: brightness=2'
  mapwright edit --dry-run level.wwd 'plane resize Action 200x100' 'tiles replace Action 17 empty'
  mapwright edit --force --script changes.txt level.wwd
  mapwright edit map.wmp -o new.wmp 'textures rename brick* stone' 'set kind=light: range=250'
  mapwright edit island.wrp -o new.wrp 'objects remove where model=*smrk* y<0' 'sea raise 1.5'")]
    Edit(Edit),
    /// Search files of any format for objects by their fields. Prints a table, CSV or JSON.
    #[command(after_help = QUERY_HELP)]
    Query(Query),
    /// Write the objects of terrains (wrp) as a list: CSV, JSON, GeoJSON, or for Terrain Builder.
    #[command(after_help = "\
CSV and JSON have the number, model, place and angles of each object, and all bits of its matrix; `edit` brings both, and \
GeoJSON, back with `objects import`. Places are metres from the south-west corner; of the model's bounding centre, as the file has them. For \
Terrain Builder they should be those of the point that stands on the ground: --centres has the centres of the models, as a table with the \
columns model,cx,cy,cz or as a template library (.tml).

Examples:
  mapwright objects island.wrp > objects.csv
  mapwright objects --as geojson island.wrp -o objects.geojson
  mapwright objects --as terrain-builder --relative --centres plants.tml island.wrp -o objects.txt
  mapwright edit island.wrp -o new.wrp 'objects import objects.csv'")]
    Objects(Objects),
    /// Draw levels (wwd, tmx, tmj), terrains (wrp, heightmaps) and solids (all other scenes) as PNG, or as pages for browsers.
    #[command(after_help = "\
Without pictures of the game tiles have the colour of their number, objects marks by their class. --assets takes them from a folder \
into which the archive of the game was unpacked, with its folders: LEVEL1/TILES/ACTION/001.PID, LEVEL1/PALETTES/MAIN.PAL. What \
has no picture there is drawn as without, and warned of.

Solids are seen in parallel projection, at first from above the south-east; north is -Z where Y is up. A material without a colour has one \
of its name. --scale counts pixels for a unit of length, --crop units of length.

With --html each file becomes a page: one file that works from disk in any browser and loads nothing. It shows solids and terrain in space \
where the browser has WebGL 2, else the picture, which --view and the other options are for; all things with the fields of `query`, and \
what `info` says.

Examples:
  mapwright render level.wwd -o level.png
  mapwright render --assets unpacked/ level.wwd -o level.png
  mapwright render --view collision --scale 1/4 level.wwd -o solid.png
  mapwright render --plane Back --crop 0,0,1280,960 --scale 1 level.wwd -o part.png
  mapwright render levels/ -d pictures/ --fit 1024
  mapwright render --view relief --scale 2 island.wrp -o island.png
  mapwright render --fit 1024 --azimuth 225 --elevation 20 house.vmap -o house.png
  mapwright render models/ --sheet models.png
  mapwright render --html house.vmap -o house.html")]
    Render(Render),
    /// List the formats and what can be done with them.
    #[command(after_help = "\
Examples:
  mapwright formats
  mapwright formats --json | jq -r '.formats[] | select(.export) | .name'")]
    Formats,
    /// Print what completes the words of this command in a shell.
    #[command(after_help = "\
Examples:
  mapwright completions bash > ~/.local/share/bash-completion/completions/mapwright
  mapwright completions zsh > ~/.zfunc/_mapwright
  mapwright completions fish > ~/.config/fish/completions/mapwright.fish")]
    Completions {
        /// Which shell.
        #[arg(value_enum, value_name = "SHELL")]
        shell: clap_complete::Shell,
    },
    /// Print the manual page, or write the pages of all verbs into a folder.
    #[command(after_help = "\
Examples:
  mapwright man | man -l -
  mapwright man -d ~/.local/share/man/man1")]
    Man {
        /// Write the pages into this folder.
        #[arg(short, long, value_name = "DIR")]
        dir: Option<PathBuf>,
        /// Replace those that are there.
        #[arg(short, long, requires = "dir")]
        force: bool,
    },
}

/// Which files are read.
#[derive(Debug, Clone, Args)]
pub(crate) struct Inputs {
    /// Files, folders, or - for standard input.
    #[arg(value_name = "FILE", required = true)]
    pub(crate) files: Vec<PathBuf>,
    /// Take the input for this format, whatever it looks like.
    #[arg(long, value_name = "FORMAT", value_parser = format)]
    pub(crate) from: Option<Format>,
}

#[derive(Debug, Clone, Args)]
pub(crate) struct Dump {
    #[command(flatten)]
    pub(crate) inputs: Inputs,
    /// How Erlang terms are laid out.
    #[arg(long, value_enum, default_value_t)]
    pub(crate) layout: TextLayout,
    /// Show longer binaries of Erlang terms as their length and a digest.
    #[arg(long, value_name = "BYTES", value_parser = limits::number::<usize>)]
    pub(crate) max_binary: Option<usize>,
    /// Write the picture that a map has for asset browsers, and nothing else.
    #[arg(long, conflicts_with = "json")]
    pub(crate) thumbnail: bool,
    /// Print the JSON Schema of what `dump --json` prints of files of a format, and nothing else; no file is read.
    #[arg(long, value_name = "FORMAT", value_parser = format, exclusive = true)]
    pub(crate) schema: Option<Format>,
}

#[derive(Debug, Clone, Copy, Default, ValueEnum)]
pub(crate) enum TextLayout {
    /// One element per line where a term does not fit into 100 columns.
    #[default]
    Indented,
    /// Everything in one line.
    Compact,
}

#[derive(Debug, Clone, Args)]
pub(crate) struct Build {
    /// Files that `dump` printed, folders, or - for standard input.
    #[arg(value_name = "FILE", required = true)]
    pub(crate) files: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) output: Output,
}

/// Where a verb writes.
#[derive(Debug, Clone, Args)]
pub(crate) struct Output {
    /// Write to this file, or to standard output with -.
    #[arg(short, long, value_name = "FILE", conflicts_with = "dir")]
    pub(crate) output: Option<PathBuf>,
    /// Write into this folder, under the names of the inputs.
    #[arg(short, long, value_name = "DIR")]
    pub(crate) dir: Option<PathBuf>,
    /// Replace files that exist.
    #[arg(short, long)]
    pub(crate) force: bool,
}

#[derive(Debug, Clone, Args)]
pub(crate) struct Check {
    #[command(flatten)]
    pub(crate) inputs: Inputs,
    /// Warnings count as errors.
    #[arg(long)]
    pub(crate) strict: bool,
    /// Repair what is wrong without a doubt, and show what is left. Writes to -o or -d, or with --force over the input; levels
    /// (wwd) only.
    #[arg(long)]
    pub(crate) fix: bool,
    /// Also remove objects that the game drops.
    #[arg(long, requires = "fix")]
    pub(crate) drop_objects: bool,
    /// Also append properties of clear tiles where the level shows tiles without.
    #[arg(long, requires = "fix")]
    pub(crate) add_properties: bool,
    /// Show what would be repaired, write nothing.
    #[arg(long, requires = "fix")]
    pub(crate) dry_run: bool,
    /// Write the repaired level to this file.
    #[arg(short, long, value_name = "FILE", conflicts_with = "dir", requires = "fix")]
    pub(crate) output: Option<PathBuf>,
    /// Write the repaired levels into this folder, under the names of the inputs.
    #[arg(short, long, value_name = "DIR", requires = "fix")]
    pub(crate) dir: Option<PathBuf>,
    /// Replace files that exist; without -o and -d the inputs.
    #[arg(short, long, requires = "fix")]
    pub(crate) force: bool,
}

#[derive(Debug, Clone, Args)]
pub(crate) struct List {
    #[command(flatten)]
    pub(crate) inputs: Inputs,
    #[command(flatten)]
    pub(crate) csv: Csv,
}

/// Options for tables as comma-separated values.
#[derive(Debug, Clone, Copy, Args)]
pub(crate) struct Csv {
    /// Print values separated by commas.
    #[arg(long, conflicts_with = "json")]
    csv: bool,
    /// Print comma-separated values for spreadsheets: put an apostrophe before cells that would run as formulas.
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

#[derive(Debug, Clone, Args)]
pub(crate) struct Query {
    /// Query that selects the objects.
    #[arg(value_name = "QUERY")]
    pub(crate) query: mapwright::Query,
    #[command(flatten)]
    pub(crate) inputs: Inputs,
    /// Fields to show, separated by commas.
    #[arg(long, value_name = "FIELD,…", value_delimiter = ',')]
    pub(crate) fields: Vec<String>,
    #[command(flatten)]
    pub(crate) csv: Csv,
}

/// Input format, output and overwrite options of `edit` and others.
#[derive(Debug, Clone, Args)]
pub(crate) struct Change {
    /// Write to this file, or to standard output with -.
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// Replace a file that exists; without -o, the one that is changed.
    #[arg(short, long)]
    pub(crate) force: bool,
    /// Show what would change, write nothing.
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// Take what is read for this format, whatever it looks like.
    #[arg(long, value_name = "FORMAT", value_parser = format)]
    pub(crate) from: Option<Format>,
}

#[derive(Debug, Clone, Args)]
pub(crate) struct Diff {
    /// The old file; /dev/null where there was none.
    #[arg(value_name = "OLD")]
    pub(crate) old: PathBuf,
    /// The new file; /dev/null where there is none.
    #[arg(value_name = "NEW")]
    pub(crate) new: PathBuf,
    /// Take both for this format, whatever they look like.
    #[arg(long, value_name = "FORMAT", value_parser = format)]
    pub(crate) from: Option<Format>,
}

#[derive(Debug, Clone, Args)]
pub(crate) struct Merge {
    /// The map that both come from.
    #[arg(value_name = "BASE")]
    pub(crate) base: PathBuf,
    /// The map that is kept.
    #[arg(value_name = "OURS")]
    pub(crate) ours: PathBuf,
    /// The map whose changes are taken.
    #[arg(value_name = "THEIRS")]
    pub(crate) theirs: PathBuf,
    /// Settle conflicts: what this side has stands.
    #[arg(long, value_enum, value_name = "SIDE")]
    pub(crate) prefer: Option<Prefer>,
    #[command(flatten)]
    pub(crate) change: Change,
}

/// One of the maps that are merged.
#[derive(Debug, Clone, Copy, ValueEnum)]
pub(crate) enum Prefer {
    Ours,
    Theirs,
}

impl From<Prefer> for mapwright::vmap::merge::Side {
    fn from(prefer: Prefer) -> Self {
        match prefer {
            Prefer::Ours => Self::Ours,
            Prefer::Theirs => Self::Theirs,
        }
    }
}

#[derive(Debug, Clone, Args)]
pub(crate) struct Edit {
    /// The file, or - for standard input.
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    /// Edits, applied in this order.
    #[arg(value_name = "EDIT")]
    pub(crate) edits: Vec<String>,
    /// Read edits from this file, or from standard input with -, one per line. They come before the EDITs; lines that begin with #
    /// are ignored.
    #[arg(long, value_name = "FILE")]
    pub(crate) script: Option<PathBuf>,
    /// Do not fail if a query matches nothing.
    #[arg(long)]
    pub(crate) allow_no_match: bool,
    /// Add fields that an object does not have yet, in formats with free keys (vmap).
    #[arg(long)]
    pub(crate) create_field: bool,
    #[command(flatten)]
    pub(crate) change: Change,
}

#[derive(Debug, Clone, Args)]
pub(crate) struct Objects {
    #[command(flatten)]
    pub(crate) inputs: Inputs,
    #[command(flatten)]
    pub(crate) output: Output,
    /// What kind of list; without it, values separated by commas, or with --json, JSON: an array with an object in each line.
    #[arg(long = "as", value_enum, value_name = "LIST")]
    pub(crate) list: Option<ObjectList>,
    /// In CSV, put an apostrophe before model names that spreadsheets would run as formulas: those that begin with =, +, -, @ or a
    /// tab. `objects import` reads the apostrophe as part of the name.
    #[arg(long)]
    pub(crate) csv_safe: bool,
    /// For Terrain Builder: heights above the ground below each object, not above the sea.
    #[arg(long)]
    pub(crate) relative: bool,
    /// For Terrain Builder: bounding centres of models, as CSV or as a template library (.tml).
    #[arg(long, value_name = "FILE")]
    pub(crate) centres: Option<PathBuf>,
}

/// A kind of list of objects.
#[derive(Debug, Clone, Copy, ValueEnum)]
pub(crate) enum ObjectList {
    /// Values separated by commas.
    Csv,
    Json,
    /// Points for programs of maps.
    Geojson,
    /// Text that Terrain Builder imports.
    TerrainBuilder,
    /// Matrices as text.
    Lbt,
}

#[derive(Debug, Clone, Args)]
pub(crate) struct Render {
    #[command(flatten)]
    pub(crate) inputs: Inputs,
    #[command(flatten)]
    pub(crate) output: Output,
    /// Write a page for browsers: one file with a view in space or the picture to move and enlarge, all things with their fields, and the
    /// facts of `info`. A model of more than 64 MiB, and what is beyond 16 MiB of the list, are left out, and the page says so.
    #[arg(long, conflicts_with = "sheet")]
    pub(crate) html: bool,
    /// Draw all of them small on one sheet, with their names, and write it to this file, or to standard output with -.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["output", "dir", "scale"])]
    pub(crate) sheet: Option<PathBuf>,
    /// Take the pictures of tiles and objects from this folder, into which the archive of the game was unpacked; for levels (wwd).
    #[arg(long, value_name = "DIR")]
    pub(crate) assets: Option<PathBuf>,
    /// What to show.
    #[arg(long, value_enum, default_value_t)]
    pub(crate) view: RenderView,
    /// Draw one plane alone: its name, its place as #0, or #main.
    #[arg(long, value_name = "PLANE")]
    pub(crate) plane: Option<String>,
    /// Pixels of the picture for pixels of the level: 1/8, 0.5 or 25%.
    #[arg(long, value_name = "RATIO", conflicts_with = "fit")]
    pub(crate) scale: Option<mapwright::render::Ratio>,
    /// As large as it gets with so many pixels across and down. Without it, with 4096, and on a sheet, where it is 32 to 512, with 192.
    /// With --html it is the size of the picture in the page: without it 1600, of levels of tiles 4096; the view in space has no size.
    #[arg(long, value_name = "PIXELS", value_parser = clap::value_parser!(u32).range(1..=32768), allow_negative_numbers = true)]
    pub(crate) fit: Option<u32>,
    /// Draw a part: left, top, width and height in pixels of the level.
    #[arg(long, value_name = "X,Y,W,H", value_parser = rectangle, allow_hyphen_values = true)]
    pub(crate) crop: Option<[i32; 4]>,
    /// From which side solids are seen: a bearing in degrees, 0 is north, 90 east, 180 south. Without it, from the south-east (135).
    #[arg(long, value_name = "DEGREES", value_parser = degrees::<3600>, allow_negative_numbers = true)]
    pub(crate) azimuth: Option<f64>,
    /// From how high above the horizon solids are seen: 90 is straight from above. Without it, 35.26: an isometric view.
    #[arg(long, value_name = "DEGREES", value_parser = degrees::<90>, allow_negative_numbers = true)]
    pub(crate) elevation: Option<f64>,
    /// Leave out faces of solids that are seen from behind: rooms are open towards you.
    #[arg(long)]
    pub(crate) cutaway: bool,
    /// Draw closed rooms closed: without it, where most of the things are inside, ceilings, walls and skies before them are left out.
    #[arg(long, conflicts_with = "cutaway")]
    pub(crate) closed: bool,
}

/// What a picture shows.
#[derive(Debug, Clone, Copy, Default, ValueEnum)]
pub(crate) enum RenderView {
    /// All planes over each other, with objects; terrain with something of the colours of its textures, and objects; or else solids.
    #[default]
    Composed,
    /// Tiles or texture cells by the colours of their numbers, without objects.
    Tiles,
    /// What tiles of the main plane are to the touch.
    Collision,
    /// The heights of terrain alone.
    Relief,
    /// All planes or the ground, dim, with a mark for each object.
    Objects,
    /// Meshes, brushes and terrain from above and from one side.
    Solid,
}

/// An angle that is at most so large.
fn degrees<const MOST: u16>(text: &str) -> Result<f64, String> {
    let angle = text.parse().ok().filter(|angle: &f64| angle.abs() <= f64::from(MOST));
    angle.ok_or_else(|| format!("degrees from -{MOST} to {MOST} are expected"))
}

/// Left, top, width and height.
fn rectangle(text: &str) -> Result<[i32; 4], String> {
    let sides: Option<Vec<i32>> = text.split(',').map(|side| side.trim().parse().ok()).collect();
    let sides: Option<[i32; 4]> = sides.and_then(|sides| sides.try_into().ok());
    let positive = |[_, _, width, height]: &[i32; 4]| *width > 0 && *height > 0;
    sides.filter(positive).ok_or_else(|| "left, top, width and height are expected, as 0,0,1280,960".to_owned())
}

/// A length above 0.
fn metres(text: &str) -> Result<f32, String> {
    let metres = text.parse().ok().filter(|metres: &f32| metres.is_finite() && *metres > 0.0);
    metres.ok_or_else(|| "a number of metres above 0 is expected".to_owned())
}

pub(crate) fn format(text: &str) -> Result<Format, String> {
    Format::from_name(text).ok_or_else(|| {
        let names: Vec<&str> = Format::ALL.iter().map(|format| format.name()).collect();
        format!("the formats are {}", names.join(", "))
    })
}

/// Puts `info` in front of arguments that name a file and no verb.
pub(crate) fn with_default_verb(mut args: Vec<std::ffi::OsString>) -> Vec<std::ffi::OsString> {
    let command = Cli::command();
    let takes_value = |text: &str| {
        let named = command.get_arguments().find(|arg| match text.strip_prefix("--") {
            Some(long) => arg.get_long() == Some(long),
            None => arg.get_short().is_some_and(|short| text.strip_prefix('-') == Some(short.encode_utf8(&mut [0; 4]))),
        });
        named.is_some_and(|arg| arg.get_action().takes_values())
    };
    let mut rest = args.iter().skip(1);
    while let Some(arg) = rest.next() {
        let text = arg.to_string_lossy();
        if text.starts_with('-') && text.len() > 1 && text != "--" {
            if takes_value(&text) {
                rest.next();
            }
            continue;
        }
        if text != "help" && command.find_subcommand(&*text).is_none() {
            args.insert(1, "info".into());
        }
        break;
    }
    args
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_is_sound() {
        Cli::command().debug_assert();
    }

    #[test]
    fn a_file_without_a_verb_is_looked_into() {
        for (args, first) in [
            ("mapwright a.wings", "info"),
            ("mapwright --json -j 4 a.wings", "info"),
            ("mapwright --limit-input 4k -- a.wings", "info"),
            ("mapwright -", "info"),
            ("mapwright check a.wings", "check"),
            ("mapwright --json check", "--json"),
            ("mapwright help", "help"),
            ("mapwright --version", "--version"),
        ] {
            let args = with_default_verb(args.split(' ').map(Into::into).collect());
            assert_eq!(args[1], first, "{args:?}");
        }
    }
}

//! The command line: commands, their options and their help.
//!
//! `-h` shows the options that most people need. `--help` shows all of them, grouped by purpose and format. In the text of options,
//! a format in brackets at the front names the files that the option is for.

mod build;
mod check;
mod convert;
mod diff;
mod dump;
mod edit;
mod extract;
mod formats;
mod heightmaps;
mod info;
mod limits;
mod query;
mod render;
mod rescue;

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use clap::builder::PossibleValuesParser;
use clap::{Args, CommandFactory, FromArgMatches, Parser, Subcommand};
use mapwright::query::suggestion;
use mapwright::rez::ReadError;
use mapwright::{ContentSource, Error, External, Format, OUTPUT_SCHEMAS};

pub(crate) use build::Build;
pub(crate) use check::Check;
pub(crate) use convert::{Convert, Up};
pub(crate) use diff::{Diff, Merge};
pub(crate) use dump::{Dump, TextLayout};
pub(crate) use edit::{Change, Edit};
pub(crate) use extract::Extract;
pub(crate) use formats::{FormatReading, FormatWriting};
pub(crate) use heightmaps::Heightmaps;
pub(crate) use info::{Csv, Info, table_columns};
pub(crate) use limits::LimitArgs;
pub(crate) use query::{ObjectList, Query};
pub(crate) use render::{Render, RenderParallax, RenderView};
pub(crate) use rescue::Rescue;

use crate::commands::warning_line;
use crate::failure::Failure;
use crate::out::print_message;
use crate::suggest;

/// The heading of options that every command has.
const COMMON: &str = "Common options";
/// The heading of options that change how inputs are read.
const READING: &str = "Reading";

const EXAMPLES: &str = "\
Examples:
  mapwright cube.wings                        show what the file contains
  mapwright convert map.vmap map.glb          convert the map
  mapwright query kind=light map.vmap         find objects
  mapwright edit map.wmp -o new.wmp 'set kind=light: range=250'
  mapwright render level.wwd -o level.png     draw the level
  mapwright check models/                     list what the game or editor would reject

`mapwright COMMAND -h` shows the most important options of a command, `--help` all of them.";

const DETAILS: &str = "\
FILE may be `-` for standard input, a folder, or a REZ archive. All files in it that the command supports are read; `info` and `dump` \
show the archive itself. `mapwright FILE` is `mapwright info FILE`. Results go to standard output, messages to standard error.

With --json, the output has one line for each input: a JSON object whose \"schema\" names its structure and version. An input that \
fails gives {\"schema\":\"mapwright.error/1\",…}.

Exit status:
  0    success
  1    a file cannot be read or written
  2    invalid command line
  3    --strict, and data would be lost
  4    damaged input
  5    unknown format
  6    limit exceeded; --limit-… raises it
  7    the format does not support the operation, or the output would show nothing
  8    some of several files failed
  9    check found errors, roundtrip or diff found differences, or merge found conflicts
  70   a bug in mapwright
  130  interrupted by a signal

Examples:
  mapwright cube.wings
  mapwright roundtrip models/
  mapwright check --json cube.wings | jq .findings";

/// Read, check, edit, convert and draw game level files
#[derive(Debug, Parser)]
#[command(
    name = "mapwright",
    version,
    max_term_width = 120,
    after_help = EXAMPLES,
    after_long_help = DETAILS,
    subcommand_required = true
)]
pub(crate) struct Cli {
    #[command(flatten)]
    pub(crate) global: Global,
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// Options of every command.
#[derive(Debug, Clone, Args)]
pub(crate) struct Global {
    /// Print JSON: one object per input and line
    #[arg(long, global = true, help_heading = COMMON)]
    pub(crate) json: bool,
    /// Print no warnings, no progress and no summary
    #[arg(short, long, global = true, help_heading = COMMON)]
    pub(crate) quiet: bool,
    /// Print all details, such as every loss of a conversion
    #[arg(short, long, global = true, help_heading = COMMON, conflicts_with = "quiet")]
    pub(crate) verbose: bool,
    /// Number of threads that process files, and parts of large OBJ files, in parallel [default: number of CPUs]
    #[arg(short, long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..), allow_negative_numbers = true)]
    #[arg(global = true, help_heading = COMMON, hide_short_help = true)]
    pub(crate) jobs: Option<u16>,
    /// Stop at the first file that fails
    #[arg(long, global = true, help_heading = COMMON, hide_short_help = true)]
    pub(crate) fail_fast: bool,
    /// Folder or REZ archive with files that inputs refer to: models, images, WAD archives. Can be repeated; searched in this order
    #[arg(id = "content", long = "content", value_name = "PATH", global = true, help_heading = COMMON)]
    pub(crate) content_paths: Vec<PathBuf>,
    /// The opened folders and archives.
    #[arg(skip)]
    pub(crate) content: ContentSource,
    #[command(flatten)]
    pub(crate) formats: FormatReading,
    #[command(flatten)]
    pub(crate) limits: LimitArgs,
}

impl Global {
    /// Returns the archives among the content, which are never overwritten.
    pub(crate) fn content_archives(&self) -> impl Iterator<Item = PathBuf> {
        self.content_paths.iter().filter(|path| path.is_file()).cloned()
    }

    /// Opens the content folders and archives. A damaged archive is skipped with a warning.
    ///
    /// # Errors
    /// For the first one that is neither a folder nor a REZ archive, or is empty; if there are only damaged archives.
    pub(crate) fn open_content(&mut self) -> Result<(), Box<Failure>> {
        if self.limits.external(false) == External::Any {
            self.content = ContentSource::default().with_links();
        }
        let mut only_damage = None;
        for folder in &self.content_paths {
            let Err(error) = self.content.add(folder) else { continue };
            let name = folder.display().to_string();
            match error.get_ref().and_then(|error| error.downcast_ref::<ReadError>()) {
                Some(damage) => {
                    if !self.quiet {
                        print_message(warning_line(&name, format_args!("skipped: {damage}")));
                    }
                    only_damage.get_or_insert_with(|| Failure::of_archive(&name, damage));
                }
                None => return Err(Failure::new(&name, &Error::Content { folder: folder.clone(), error })),
            }
        }
        only_damage.filter(|_| self.content.is_empty()).map_or(Ok(()), Err)
    }
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Show what a file contains
    #[command(after_help = info::EXAMPLES, after_long_help = info::details())]
    Info(Info),
    /// Convert files to another format and report what is lost
    #[command(after_help = convert::EXAMPLES, after_long_help = convert::details())]
    Convert(Box<Convert>),
    /// Validate files: report what the original game or editor would reject, crash on or drop
    #[command(after_help = check::EXAMPLES, after_long_help = check::DETAILS)]
    Check(Check),
    /// Edit files: set fields of objects; add, delete, duplicate and rename
    #[command(after_help = edit::EXAMPLES, after_long_help = edit::DETAILS)]
    Edit(Edit),
    /// Search files of any format for objects by their properties
    #[command(after_help = query::EXAMPLES, after_long_help = query::details())]
    Query(Query),
    /// Show what differs between two files
    #[command(after_help = diff::EXAMPLES, after_long_help = diff::details())]
    Diff(Diff),
    /// Merge two edited versions of a Source 2 map (vmap)
    #[command(after_help = diff::MERGE_EXAMPLES, after_long_help = diff::MERGE_DETAILS)]
    Merge(Merge),
    /// Draw files as PNG images or interactive HTML pages
    #[command(after_help = render::EXAMPLES, after_long_help = render::DETAILS)]
    Render(Render),
    /// Print whole documents as text or JSON
    #[command(after_help = dump::EXAMPLES, after_long_help = dump::DETAILS)]
    Dump(Dump),
    /// Rebuild files from the output of `dump --json`
    #[command(after_help = build::EXAMPLES, after_long_help = build::DETAILS)]
    Build(Build),
    /// Read files, write them in memory and compare the bytes
    #[command(after_help = "\
Nothing is saved. Exits with status 9 if a file does not come back byte for byte, and shows the first difference.

Examples:
  mapwright roundtrip cube.wings
  mapwright roundtrip --quiet models/ && echo all exact
  mapwright roundtrip --json models/ | jq -r 'select(.result != \"exact\") | .file'")]
    Roundtrip(Roundtrip),
    /// Take files out of a REZ archive
    #[command(after_help = extract::EXAMPLES)]
    Extract(Extract),
    /// Recover the readable parts of a damaged file
    #[command(after_help = rescue::EXAMPLES)]
    Rescue(Rescue),
    /// List the supported formats
    #[command(after_help = "\
Examples:
  mapwright formats
  mapwright formats --json | jq -r '.formats[] | select(.export) | .name'
  mapwright formats --schema info > info.schema.json")]
    Formats {
        /// Print the JSON Schema of the --json output of COMMAND; `error`: of an input that fails
        #[arg(long, value_name = "COMMAND", value_parser = PossibleValuesParser::new(OUTPUT_SCHEMAS.map(|(name, _)| name)))]
        schema: Option<String>,
        #[command(flatten)]
        output: TextOutput,
    },
    /// Generate a shell completion script
    #[command(after_help = "\
Examples:
  mapwright completions bash > ~/.local/share/bash-completion/completions/mapwright
  mapwright completions zsh > ~/.zfunc/_mapwright
  mapwright completions fish > ~/.config/fish/completions/mapwright.fish")]
    Completions {
        /// Name of the shell
        #[arg(value_enum, value_name = "SHELL")]
        shell: clap_complete::Shell,
        #[command(flatten)]
        output: TextOutput,
    },
    /// Print the manual page, or write the pages of all commands into a folder
    #[command(after_help = "\
Examples:
  mapwright man | man -l -
  mapwright man -d ~/.local/share/man/man1")]
    Man {
        /// Write the pages into this folder
        #[arg(short, long, value_name = "DIR", conflicts_with = "output")]
        dir: Option<PathBuf>,
        #[command(flatten)]
        output: TextOutput,
    },
}

/// The files to read.
#[derive(Debug, Clone, Args)]
pub(crate) struct Inputs {
    /// Files, folders, or - for standard input
    #[arg(value_name = "FILE", required = true)]
    pub(crate) files: Vec<PathBuf>,
    /// Treat the input as this format [default: detected]
    #[arg(long, value_name = "FORMAT", value_parser = format)]
    pub(crate) from: Option<Format>,
}

#[derive(Debug, Clone, Args)]
pub(crate) struct Roundtrip {
    #[command(flatten)]
    pub(crate) inputs: Inputs,
    #[command(flatten)]
    pub(crate) output: TextOutput,
}

/// The file for text that goes to standard output otherwise.
#[derive(Debug, Clone, Default, Args)]
pub(crate) struct TextOutput {
    /// Write the output to this file instead of standard output
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// Replace an existing file
    #[arg(short, long)]
    pub(crate) force: bool,
}

/// The files to write, for commands that write one file for each input.
#[derive(Debug, Clone, Args)]
pub(crate) struct Output {
    /// Write to this file, or to standard output with -
    #[arg(short, long, value_name = "FILE", conflicts_with = "dir")]
    pub(crate) output: Option<PathBuf>,
    /// Write into this folder, under the names of the inputs
    #[arg(short, long, value_name = "DIR")]
    pub(crate) dir: Option<PathBuf>,
    /// Replace existing files
    #[arg(short, long)]
    pub(crate) force: bool,
    /// Skip inputs whose output file exists
    #[arg(long, conflicts_with = "force", hide_short_help = true)]
    pub(crate) skip_existing: bool,
}

impl Command {
    /// Returns `true` for commands whose text is for people, so that its encoding can change.
    pub(crate) const fn is_encoded(&self) -> bool {
        matches!(self, Self::Info(_) | Self::Query(_) | Self::Check(_) | Self::Diff(_) | Self::Edit(_) | Self::Merge(_))
    }

    /// Moves `-o FOLDER` to `-d FOLDER`, and completes the output of an edit in a folder with the name of the input.
    pub(crate) fn accept_folders_as_output(&mut self) {
        match self {
            Self::Convert(convert) => {
                let Convert { inputs, output, dry_run, .. } = &mut **convert;
                // As with cp: the last of two names may be a folder.
                if let ([input, folder], None, None, false) =
                    (inputs.files.as_slice(), &output.output, &output.dir, *dry_run)
                    && is_folder(folder)
                    && !input.is_dir()
                {
                    output.dir = inputs.files.pop();
                }
                move_folder(&mut output.output, &mut output.dir);
            }
            Self::Build(Build { output, .. }) | Self::Render(Render { output, .. }) => {
                move_folder(&mut output.output, &mut output.dir);
            }
            Self::Extract(Extract { output, .. }) => move_folder(&mut output.output, &mut output.dir),
            Self::Query(query) => move_folder(&mut query.output.output, &mut query.dir),
            Self::Check(check) if check.fix => move_folder(&mut check.output.output, &mut check.dir),
            Self::Edit(Edit { file, change, .. }) | Self::Merge(Merge { ours: file, change, .. }) => {
                let folder = change.output.take_if(|output| is_folder(output));
                change.output = match (folder, file.file_name()) {
                    (Some(folder), Some(name)) => Some(folder.join(name)),
                    (folder, _) => folder.or(change.output.take()),
                };
            }
            _ => {}
        }
    }

    /// Returns the file that takes the place of standard output, with the files and folders that are read.
    pub(crate) fn text_output(&self) -> Option<(&TextOutput, Vec<PathBuf>)> {
        let (output, inputs) = match self {
            Self::Info(info) => (&info.output, info.inputs.files.clone()),
            Self::Check(check) if !check.fix => (&check.output, check.inputs.files.clone()),
            Self::Dump(dump) => (&dump.output, dump.files.clone()),
            Self::Query(query) => (&query.output, query.inputs()),
            Self::Roundtrip(roundtrip) => (&roundtrip.output, roundtrip.inputs.files.clone()),
            Self::Diff(diff) => (&diff.output, vec![diff.old.clone(), diff.new.clone()]),
            Self::Formats { output, .. } | Self::Completions { output, .. } | Self::Man { dir: None, output } => {
                (output, Vec::new())
            }
            _ => return None,
        };
        output.output.as_ref().filter(|path| path.as_os_str() != "-").map(|_| (output, inputs))
    }
}

/// Moves an output that is a folder.
fn move_folder(output: &mut Option<PathBuf>, dir: &mut Option<PathBuf>) {
    if dir.is_none() {
        *dir = output.take_if(|output| is_folder(output));
    }
}

/// Returns `true` for a path that names a folder: an existing one, or a path that ends with a separator.
fn is_folder(path: &Path) -> bool {
    let ends_with_separator =
        path.as_os_str().as_encoded_bytes().last().is_some_and(|&last| std::path::is_separator(last.into()));
    ends_with_separator || path.is_dir()
}

/// Parses the name of an input format.
pub(crate) fn format(text: &str) -> Result<Format, String> {
    format_where(text, |format| format.access().lossless || format.access().import)
}

/// Parses the name of a format. Errors list only usable formats; the command reports the others.
pub(crate) fn format_where(text: &str, is_usable: fn(Format) -> bool) -> Result<Format, String> {
    Format::from_name(text).ok_or_else(|| {
        let names: Vec<&str> = Format::available().filter(|format| is_usable(*format)).map(Format::name).collect();
        let known = format!("expected one of {}", names.join(", "));
        match suggestion(text, names) {
            Some(name) => format!("{known}; did you mean `{name}`?"),
            None => known,
        }
    })
}

/// Completes command lines without a command: `mapwright FILE` is `mapwright info FILE`.
///
/// # Errors
/// The message for a first argument that is neither a command nor can name a file.
pub(crate) fn with_default_command(mut args: Vec<OsString>) -> Result<Vec<OsString>, suggest::UnknownCommand> {
    let command = Cli::command();
    let Some(index) = first_positional(&command, &args) else { return Ok(args) };
    let Some(first) = args.get(index) else { return Ok(args) };
    let text = first.to_string_lossy();
    if text == "help" {
        let topic = args.get(index + 1).map(|topic| topic.to_string_lossy()).unwrap_or_default();
        return match topic.is_empty()
            || topic.starts_with('-')
            || topic == "help"
            || command.find_subcommand(&*topic).is_some()
        {
            true => Ok(args),
            false => Err(suggest::UnknownCommand::from_help(&command, &topic)),
        };
    }
    if command.find_subcommand(&*text).is_some() {
        return Ok(args);
    }
    suggest::check_file_or_command(&command, &text, args.len() - index - 1)?;
    args.insert(1, "info".into());
    Ok(args)
}

/// Parses a command line.
///
/// # Errors
/// If it is invalid, or asks for help.
pub(crate) fn parse(args: &[OsString]) -> Result<Cli, clap::Error> {
    let asks_for_help = |arg: &OsString| matches!(arg.to_str(), Some("-h" | "--help" | "help"));
    // Building the subcommands is slow; only help needs it.
    let command = if args.iter().any(asks_for_help) { with_own_options() } else { Cli::command() };
    Cli::from_arg_matches(&command.try_get_matches_from(args)?)
}

/// Returns the command. Hides common options without effect from the help of each subcommand.
pub(crate) fn with_own_options() -> clap::Command {
    let mut command = Cli::command();
    // The common options become those of the subcommands here.
    command.build();
    let common: Vec<_> =
        command.get_arguments().filter(|arg| arg.is_global_set()).map(|arg| arg.get_id().clone()).collect();
    let names: Vec<String> = command.get_subcommands().map(|command| command.get_name().to_owned()).collect();
    for name in names {
        let is_hidden = |id: &clap::Id| match (name.as_str(), id.as_str()) {
            ("formats", "json") => false,
            ("formats" | "completions" | "man" | "help", _) => common.contains(id),
            ("edit" | "merge" | "diff" | "rescue", "jobs" | "fail_fast") => true,
            ("build", "cell" | "height_unit" | "external") => true,
            ("convert" | "render" | "info" | "check", "content") => false,
            ("convert" | "info", "verbose") | ("convert" | "render" | "dump", "limit_output") => false,
            ("info" | "query" | "check" | "diff" | "edit" | "merge", "encoding") => false,
            (_, id) => matches!(id, "verbose" | "limit_output" | "encoding" | "content"),
        };
        command = command.mut_subcommand(&name, |subcommand| {
            subcommand.mut_args(|arg| if is_hidden(arg.get_id()) { arg.hide(true) } else { arg })
        });
    }
    command
}

/// Returns the index of the first argument that is neither an option nor the value of one.
fn first_positional(command: &clap::Command, args: &[OsString]) -> Option<usize> {
    let takes_value = |text: &str| {
        let option = command.get_arguments().find(|arg| match text.strip_prefix("--") {
            Some(long) => arg.get_long() == Some(long),
            None => arg.get_short().is_some_and(|short| text.strip_prefix('-') == Some(short.encode_utf8(&mut [0; 4]))),
        });
        option.is_some_and(|arg| arg.get_action().takes_values())
    };
    let mut rest = args.iter().enumerate().skip(1);
    while let Some((index, arg)) = rest.next() {
        let text = arg.to_string_lossy();
        if text == "--" {
            return rest.next().map(|(index, _)| index);
        }
        if !text.starts_with('-') || text.len() == 1 {
            return Some(index);
        }
        if takes_value(&text) {
            rest.next();
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn completed(args: &str) -> Result<Vec<OsString>, suggest::UnknownCommand> {
        with_default_command(args.split(' ').map(Into::into).collect())
    }

    #[test]
    fn the_command_line_is_valid() {
        Cli::command().debug_assert();
    }

    #[test]
    fn a_file_without_a_command_gets_info() {
        for (args, first) in [
            ("mapwright a.wings", "info"),
            ("mapwright --json -j 4 a.wings", "info"),
            ("mapwright --limit-input 4k -- a.wings", "info"),
            ("mapwright -- check", "--"),
            ("mapwright -", "info"),
            ("mapwright src", "info"),
            ("mapwright check a.wings", "check"),
            ("mapwright --json check", "--json"),
            ("mapwright help", "help"),
            ("mapwright help edit", "help"),
            ("mapwright --version", "--version"),
        ] {
            assert_eq!(completed(args).unwrap()[1], first, "{args}");
        }
    }

    #[test]
    fn a_mistyped_command_gets_a_suggestion() {
        for (args, suggestion) in [
            ("mapwright covert a.wings b.glb", Some("convert")),
            ("mapwright --json chekc a.wings", Some("check")),
            ("mapwright rendr", Some("render")),
            ("mapwright xyzzy", None),
            ("mapwright help edt", Some("edit")),
            ("mapwright help xyzzy", None),
        ] {
            assert_eq!(completed(args).unwrap_err().suggestion.as_deref(), suggestion, "{args}");
        }
    }

    #[test]
    fn unknown_formats_get_suggestions() {
        assert!(format("gltf2").unwrap_err().starts_with("expected one of wings, vmap"));
        assert!(format("qqqqqqqq").unwrap_err().starts_with("expected one of wings, vmap"));
        assert_eq!(format("GLB").unwrap().name(), "glb");
        assert!(!format("qqqqqqqq").unwrap_err().contains("kv2"));
        let has_dump = |format: Format| format.dump_schema().is_some();
        assert!(format_where("gbl", has_dump).unwrap_err().starts_with("expected one of wings, vmap"));
        assert!(!format_where("gbl", has_dump).unwrap_err().contains("glb"));
    }
}

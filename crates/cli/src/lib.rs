//! The `mapwright` command as a library, for programs and packages that contain it.
//!
//! [`run`] is the whole command. Its options and output are described in the [README] of this crate. Everything that the command does
//! with files is in the crate [`mapwright`], which is the better choice for other purposes.
//!
//! [README]: https://github.com/mapwright/mapwright/blob/main/crates/cli/README.md

mod args;
mod batch;
mod commands;
mod encoding;
mod exit;
mod failure;
mod inputs;
mod out;
mod progress;
mod suggest;
mod table;
mod text;
mod usage;
mod watchdog;

use std::ffi::OsString;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::error::ErrorKind;
use mapwright::{Error, SaveOptions, save};

use args::{Cli, Command};
use exit::Exit;
use failure::Failure;
use inputs::Item;

/// Runs the command with its arguments, of which the first is the name of the program, and returns the exit status.
///
/// Call it at most once in a process, from its main thread, and end the process with the exit status. The command sets the handlers
/// of panics and signals, and the threads of `rayon`. It ends the process itself if a signal or a limit of time or memory requires that.
///
/// Wildcards in arguments are not expanded. The program `mapwright` expands them on Windows, where shells do not.
pub fn run(args: impl IntoIterator<Item = OsString>) -> ExitCode {
    ExitCode::from(run_for_status(args))
}

/// Runs the command as [`run`] does, and returns the exit status as a number, for programs of other languages.
pub fn run_for_status(args: impl IntoIterator<Item = OsString>) -> u8 {
    let args: Vec<OsString> = args.into_iter().collect();
    std::panic::set_hook(Box::new(|panic| {
        let place = panic.location().map(|place| format!(" at {}:{}", place.file(), place.line())).unwrap_or_default();
        out::print_message(format_args!("internal error{place}: {}\n", text::clean(panic_message(panic.payload()))));
    }));
    // This fails if signals are ignored, as under `nohup`. An incomplete file may remain then.
    let _ = ctrlc::try_set_handler(|| {
        mapwright::abandon_saves();
        std::process::exit(Exit::Interrupted.code().into());
    });
    // At a limit of the size of files, the system ends a process unless this signal is handled; then writing fails, and what is
    // half-written is removed.
    #[cfg(unix)]
    let _ = signal_hook::flag::register(signal_hook::consts::SIGXFSZ, std::sync::Arc::default());
    #[cfg(unix)]
    watchdog::remove_incomplete_files_on_signals();
    let json = args.iter().take_while(|arg| *arg != "--").any(|arg| arg == "--json");
    let ended = std::panic::catch_unwind(|| {
        let args = match args::with_default_command(args) {
            Ok(args) => args,
            Err(unknown) => return unknown.failure().print_as(json),
        };
        match args::parse(&args) {
            Ok(cli) => run_command(cli),
            // Help and version go to standard output, which may fail as for every other command.
            Err(asked) if !asked.use_stderr() => asked.print().and_then(|()| io::stdout().flush()).map(|()| Exit::Ok),
            // Standard error may be closed.
            Err(asked) if asked.kind() == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => {
                let _ = asked.print();
                Ok(Exit::Usage)
            }
            Err(wrong) => usage::usage_failure(&args, &wrong).print_as(json),
        }
    });
    let exit = match ended {
        Ok(Ok(exit)) => exit,
        // The reader has read enough and closed the pipe.
        Ok(Err(error)) if error.kind() == io::ErrorKind::BrokenPipe => Exit::Ok,
        Ok(Err(error)) => {
            let failure = Failure::other("standard output", "io", Exit::Io, error.to_string());
            out::print_message(failure.text());
            Exit::Io
        }
        Err(_) => Exit::Bug,
    };
    exit.code()
}

/// Returns the message of a panic. Messages with and without values have different types.
fn panic_message(payload: &dyn std::any::Any) -> &str {
    let with_values = payload.downcast_ref::<String>().map(String::as_str);
    with_values.or(payload.downcast_ref::<&str>().copied()).unwrap_or("no message")
}

/// Runs the command, and saves its output if the command line names a file for it.
///
/// # Errors
/// Errors of standard output. All other errors are printed and become the exit status.
fn run_command(mut cli: Cli) -> io::Result<Exit> {
    if let Err(error) = cli.global.limits.process().watch() {
        let message = format!("cannot watch the limits of memory and time: {error}");
        return Failure::other("mapwright", "io", Exit::Io, message).print(&cli.global);
    }
    if let Err(failure) = cli.global.open_content() {
        return failure.print(&cli.global);
    }
    if let Some(jobs) = cli.global.jobs {
        // For parts of one file. Several files have a pool of their own.
        let _ = rayon::ThreadPoolBuilder::new().num_threads(jobs.into()).build_global();
    }
    cli.command.accept_folders_as_output();
    if let Some(encoding) = cli.global.formats.encoding {
        if !cli.command.is_encoded() {
            let failure = Failure::usage("--encoding is for info, query, check, diff, edit and merge");
            return failure.with_help("leave it out").print(&cli.global);
        }
        encoding::select(encoding);
    }
    let Some((output, inputs)) = cli.command.text_output() else { return dispatch(&cli) };
    let path = output.output.clone().unwrap_or_default();
    let options = SaveOptions::default().with_overwrite(output.force);
    let archives: Vec<PathBuf> = cli.global.content_archives().collect();
    if let Err(failure) = check_text_output(&path, output.force, &[inputs, archives].concat()) {
        return failure.print(&cli.global);
    }
    out::redirect(path.exists());
    let exit = dispatch(&cli)?;
    let text = out::take_redirected().unwrap_or_default();
    let is_protected = out::is_protected(&path);
    if text.is_empty() && exit != Exit::Ok {
        return Ok(exit);
    }
    if is_protected {
        let message = format!("{} is a file that an input refers to and would be overwritten", path.display());
        return Failure::usage(message).with_help("use another name for -o").print(&cli.global);
    }
    match save(&path, &text, options) {
        Ok(()) => Ok(exit),
        Err(error) => Failure::new(&path.display().to_string(), &error).print(&cli.global),
    }
}

/// Checks the file that takes the place of standard output, before anything is read.
///
/// # Errors
/// If it is a folder, exists and must not be replaced, or is an input.
fn check_text_output(path: &Path, force: bool, inputs: &[PathBuf]) -> Result<(), Box<Failure>> {
    let name = path.display().to_string();
    if path.is_dir() {
        let message = format!("{name} is a folder, and the output is one file");
        return Err(Failure::usage(message).with_help("use -o FILE"));
    }
    let Ok(canonical) = path.canonicalize() else { return Ok(()) };
    if !force && canonical.is_file() {
        return Err(Failure::new(&name, &Error::Exists(path.to_owned())));
    }
    let is_same = |item: &Item| item.disk_path().canonicalize().is_ok_and(|input| input == canonical);
    match inputs::expand(inputs).iter().any(is_same) {
        true => {
            let message = format!("{name} is an input and would be overwritten");
            Err(Failure::usage(message).with_help("use another name for -o"))
        }
        false => Ok(()),
    }
}

/// Runs the command.
///
/// # Errors
/// Errors of standard output. All other errors are printed and become the exit status.
fn dispatch(cli: &Cli) -> io::Result<Exit> {
    let global = &cli.global;
    match &cli.command {
        Command::Info(args) => commands::info::run(args, global),
        Command::Convert(args) => commands::convert::run(args, global),
        Command::Dump(args) => commands::dump::run(args, global),
        Command::Build(args) => commands::build::run(args, global),
        Command::Check(args) => commands::check::run(args, global),
        Command::Roundtrip(args) => commands::roundtrip::run(args, global),
        Command::Diff(args) => commands::diff::run(args, global),
        Command::Merge(args) => commands::merge::run(args, global),
        Command::Edit(args) => commands::edit::run(args, global),
        Command::Query(args) => commands::query::run(args, global),
        Command::Render(args) => commands::render::run(args, global),
        Command::Extract(args) => commands::extract::run(args, global),
        Command::Rescue(args) => commands::rescue::run(args, global),
        Command::Formats { schema, .. } => commands::formats::run(schema.as_deref(), global),
        Command::Completions { shell, .. } => commands::man::completions(*shell),
        Command::Man { dir, output } => commands::man::run(dir.as_deref(), output.force),
    }
}

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_is_reported_with_its_message() {
        let message = |bug: fn()| panic_message(&*std::panic::catch_unwind(bug).unwrap_err()).to_owned();
        assert_eq!(message(|| panic!("plain")), "plain");
        assert_eq!(message(|| panic!("number {}", std::env::args().count().min(1))), "number 1");
    }
}

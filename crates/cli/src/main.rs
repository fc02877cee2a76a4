//! The `mapwright` command.

mod args;
mod batch;
mod commands;
mod exit;
mod failure;
mod inputs;
mod out;
mod progress;
mod table;
mod text;
mod watchdog;

use std::ffi::OsString;
use std::io::{self, Write};
use std::process::ExitCode;

use clap::Parser;

use args::{Cli, Verb};
use exit::Exit;
use failure::Failure;

fn main() -> ExitCode {
    std::panic::set_hook(Box::new(|panic| {
        let place = panic.location().map(|place| format!(" at {}:{}", place.file(), place.line())).unwrap_or_default();
        out::say(format_args!("internal error{place}: {}\n", text::clean(panic_message(panic.payload()))));
    }));
    // Refused where somebody has asked for signals not to be heard, as `nohup` does; a half-written file may stay behind then.
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
    let args = args::with_default_verb(std::env::args_os().collect());
    let is_plain = |arg: &OsString| !arg.to_string_lossy().contains(mapwright::io::is_unprintable);
    let are_plain = args.iter().all(is_plain);
    let ended = std::panic::catch_unwind(|| match Cli::try_parse_from(&args) {
        Ok(cli) => run(cli),
        // Help and version go to standard output, which may fail as for every other verb.
        Err(asked) if !asked.use_stderr() => asked.print().and_then(|()| io::stdout().flush()).map(|()| Exit::Ok),
        Err(wrong) if are_plain => wrong.exit(),
        Err(wrong) => {
            out::say(usage_error(&args, &wrong));
            Ok(Exit::Usage)
        }
    });
    let exit = match ended {
        Ok(Ok(exit)) => exit,
        // Whoever reads has read enough.
        Ok(Err(error)) if error.kind() == io::ErrorKind::BrokenPipe => Exit::Ok,
        Ok(Err(error)) => {
            let failure = Failure::other("standard output", "io", Exit::Io, error.to_string());
            out::say(failure.text());
            Exit::Io
        }
        Err(_) => Exit::Bug,
    };
    ExitCode::from(exit.code())
}

/// Returns the text of a usage error. It repeats arguments, which may be names of files that a shell found, so a line break in one of
/// them must not begin a line of the text.
fn usage_error(args: &[OsString], error: &clap::Error) -> String {
    let escaped = args.iter().map(|arg| text::clean(&arg.to_string_lossy()));
    match Cli::try_parse_from(escaped) {
        Err(error) if error.use_stderr() => error.render().to_string(),
        // Arguments that are only wrong before they are escaped, for example because they are not UTF-8.
        _ => text::clean(&error.render().to_string()) + "\n",
    }
}

/// What a panic says: texts with and without values are of two types.
fn panic_message(payload: &dyn std::any::Any) -> &str {
    let with_values = payload.downcast_ref::<String>().map(String::as_str);
    with_values.or(payload.downcast_ref::<&str>().copied()).unwrap_or("no message")
}

/// # Errors
/// Those of standard output; all others are said and become the exit code.
fn run(cli: Cli) -> io::Result<Exit> {
    let global = &cli.global;
    if let Err(error) = global.limits.process().watch() {
        let message = format!("cannot watch the limits of memory and time: {error}");
        out::say(Failure::other("mapwright", "io", Exit::Io, message).text());
        return Ok(Exit::Io);
    }
    match cli.verb {
        Verb::Info(inputs) => commands::info::run(&inputs, global),
        Verb::Convert(args) => commands::convert::run(&args, global),
        Verb::Dump(args) => commands::dump::run(&args, global),
        Verb::Build(args) => commands::build::run(&args, global),
        Verb::Check(args) => commands::check::run(&args, global),
        Verb::Roundtrip(inputs) => commands::roundtrip::run(&inputs, global),
        Verb::List(args) => commands::list::run(&args, global),
        Verb::Diff(args) => commands::diff::run(&args, global),
        Verb::Merge(args) => commands::merge::run(&args, global),
        Verb::Edit(args) => commands::edit::run(&args, global),
        Verb::Query(args) => commands::query::run(&args, global),
        Verb::Objects(args) => commands::objects::run(&args, global),
        Verb::Render(args) => commands::render::run(&args, global),
        Verb::Formats => commands::formats::run(global),
        Verb::Completions { shell } => commands::man::completions(shell),
        Verb::Man { dir, force } => commands::man::run(dir.as_deref(), force),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bug_says_what_went_wrong() {
        let message = |bug: fn()| panic_message(&*std::panic::catch_unwind(bug).unwrap_err()).to_owned();
        assert_eq!(message(|| panic!("plain")), "plain");
        assert_eq!(message(|| panic!("number {}", std::env::args().count().min(1))), "number 1");
    }
}

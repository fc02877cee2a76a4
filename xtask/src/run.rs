//! Runs other programs, and the commands that are separate programs.

use std::env;
use std::io::{self, Read};
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

use crate::workspace;

/// The result of a command. An error is one line that states the problem and the remedy.
pub(crate) type Outcome = Result<(), String>;

/// The profile of builds for continuous integration.
pub(crate) const CI_PROFILE: [&str; 2] = ["--profile", "ci"];

/// The skipped steps of this run.
static SKIPPED: Mutex<Vec<String>> = Mutex::new(Vec::new());

/// Reports a skipped step, and remembers it for the last line.
pub(crate) fn skip(what: String) {
    eprintln!("SKIPPED: {what}");
    SKIPPED.lock().unwrap_or_else(PoisonError::into_inner).push(what);
}

/// Returns the steps that this run skipped so far.
pub(crate) fn skipped() -> Vec<String> {
    SKIPPED.lock().unwrap_or_else(PoisonError::into_inner).clone()
}

/// Returns cargo, run in the root of the workspace.
pub(crate) fn cargo<A: AsRef<str>>(args: &[A]) -> Command {
    let mut command = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.args(args.iter().map(AsRef::as_ref)).current_dir(workspace::root());
    command
}

/// Runs a program with its output shown.
pub(crate) fn show(command: &mut Command) -> Outcome {
    let line = line(command);
    eprintln!("$ {line}");
    let status = command.status().map_err(|error| format!("`{line}` does not start: {error}"))?;
    if status.success() { Ok(()) } else { Err(format!("`{line}` failed ({status})")) }
}

/// Runs a program. Returns its output on both streams in order, and its result.
pub(crate) fn run_captured(command: &mut Command) -> Result<(Vec<u8>, Outcome), String> {
    let line = line(command);
    let failed = |error| format!("`{line}` does not start: {error}");
    let (mut reader, writer) = io::pipe().map_err(failed)?;
    command.stdin(Stdio::null()).stdout(writer.try_clone().map_err(failed)?).stderr(writer);
    let mut child = command.spawn().map_err(failed)?;
    // The command keeps this end of the pipe open.
    command.stdout(Stdio::null()).stderr(Stdio::null());
    let mut output = format!("$ {line}\n").into_bytes();
    reader.read_to_end(&mut output).map_err(failed)?;
    let status = child.wait().map_err(failed)?;
    let outcome = if status.success() { Ok(()) } else { Err(format!("`{line}` failed ({status})")) };
    Ok((output, outcome))
}

/// Runs a program and returns its standard output.
pub(crate) fn capture(command: &mut Command) -> Result<String, String> {
    let line = line(command);
    let output =
        command.stderr(Stdio::inherit()).output().map_err(|error| format!("`{line}` does not start: {error}"))?;
    if !output.status.success() {
        return Err(format!("`{line}` failed ({})", output.status));
    }
    String::from_utf8(output.stdout).map_err(|_| format!("the output of `{line}` is not UTF-8"))
}

/// Returns `true` if a program starts with these arguments and succeeds.
pub(crate) fn succeeds(program: &str, args: &[&str]) -> bool {
    let quiet =
        Command::new(program).args(args).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).status();
    quiet.is_ok_and(|status| status.success())
}

/// Formats the command line, shortened if it names many files.
fn line(command: &Command) -> String {
    const WORDS: usize = 24;
    let words = std::iter::once(command.get_program()).chain(command.get_args());
    let shown: Vec<_> = words.take(WORDS).map(|word| word.to_string_lossy()).collect();
    let more = command.get_args().len().saturating_sub(WORDS - 1);
    if more == 0 { shown.join(" ") } else { format!("{} … ({more} more)", shown.join(" ")) }
}

/// `cargo xtask fuzz`.
pub(crate) fn fuzz(args: &[String]) -> Outcome {
    let mut cargo = cargo(&["run", "--quiet", "--release", "--package", "mapwright-fuzz", "--"]);
    run_inherited(cargo.args(args))
}

/// `cargo xtask corpus --honest`.
pub(crate) fn honesty(args: &[String]) -> Outcome {
    let mut cargo = cargo(&["run", "--quiet", "--package", "mapwright-honesty", "--"]);
    run_inherited(in_folder_of_caller(&mut cargo).args(args))
}

/// `cargo xtask fixtures`.
pub(crate) fn workbench_fixtures(args: &[String]) -> Outcome {
    workbench("fixtures", args)
}

/// `cargo xtask bench`.
pub(crate) fn workbench_bench(args: &[String]) -> Outcome {
    workbench("bench", args)
}

/// `true` after the workbench was built together with the tests.
static BUILT: AtomicBool = AtomicBool::new(false);

/// Builds the tests of the workspace and the workbench together, so that both have the same features.
pub(crate) fn build_all() -> Outcome {
    // `cargo test --no-run` would only build the programs that tests start.
    show(cargo(&["build", "--workspace", "--all-targets"]).args(CI_PROFILE))?;
    BUILT.store(true, Ordering::Relaxed);
    Ok(())
}

/// Returns the arguments for the profile of the built tests. Another profile would build them again.
pub(crate) fn profile() -> &'static [&'static str] {
    if BUILT.load(Ordering::Relaxed) { &CI_PROFILE } else { &[] }
}

/// Returns the path of a program that `build_all` built.
pub(crate) fn built(name: &str) -> Result<PathBuf, String> {
    Ok(workspace::target()?.join(format!("ci/{name}{}", env::consts::EXE_SUFFIX)))
}

/// Builds the command with the profile of the tests.
pub(crate) fn native_command() -> Result<PathBuf, String> {
    let name = workspace::program()?;
    let built = built(&name)?;
    if !profile().is_empty() && built.is_file() {
        return Ok(built);
    }
    show(&mut cargo(&["build", "--quiet"]))?;
    Ok(workspace::target()?.join("debug").join(format!("{name}{}", env::consts::EXE_SUFFIX)))
}

/// Runs a command of the workbench. Benchmarks use the release profile.
pub(crate) fn workbench(name: &str, args: &[String]) -> Outcome {
    let mut command = if BUILT.load(Ordering::Relaxed) {
        Command::new(built("workbench")?)
    } else {
        let profile = if name == "bench" { "release" } else { "dev" };
        let run = ["run", "--quiet", "--profile", profile, "--package", "xtask", "--bin", "workbench", "--"];
        cargo(&run)
    };
    run_inherited(in_folder_of_caller(&mut command).arg(name).args(args))
}

/// Makes relative paths refer to the folder of the caller.
fn in_folder_of_caller(command: &mut Command) -> &mut Command {
    match env::current_dir() {
        Ok(here) => command.current_dir(here),
        Err(_) => command,
    }
}

/// Runs a program that reports its own errors.
fn run_inherited(command: &mut Command) -> Outcome {
    let line = line(command);
    let status = command.status().map_err(|error| format!("`{line}` does not start: {error}"))?;
    if status.success() { Ok(()) } else { Err(format!("`{line}` failed ({status})")) }
}

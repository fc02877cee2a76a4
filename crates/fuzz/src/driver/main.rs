//! `cargo xtask fuzz`: runs targets under libFuzzer if it can be built, else under the seeded mutator, and stores
//! inputs that break them as regressions.

mod args;
mod coverage;
mod seeded;

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;
use std::{env, fs};

use args::{Command, Run};
use mapwright_fuzz::{Target, regressions, targets};
use mapwright_testkit::PeakAlloc;

#[global_allocator]
static HEAP: PeakAlloc = PeakAlloc;

/// Longest input that is fuzzed: larger ones cost executions and find nothing that smaller ones do not.
const LONGEST: usize = 64 << 10;

fn main() -> ExitCode {
    let command = match args::parse(env::args().skip(1)) {
        Ok(command) => command,
        Err(message) => {
            eprintln!("error: {message}\n\n{}", args::HELP);
            return ExitCode::from(2);
        }
    };
    let result = match command {
        Command::Help => {
            println!("{}", args::HELP);
            Ok(true)
        }
        Command::List => {
            targets().for_each(|target| println!("{}", target.name));
            Ok(true)
        }
        Command::Child(child) => seeded::child(&child),
        Command::Run(run) => fuzz(&run),
    };
    match result {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(message) => {
            eprintln!("error: {message}");
            ExitCode::from(2)
        }
    }
}

/// Runs the targets one after the other; true if none of them broke.
fn fuzz(run: &Run) -> Result<bool, String> {
    let share = run.time / u32::try_from(run.targets.len()).unwrap_or(u32::MAX);
    let folder = target_folder()?.join("fuzz");
    let engine = if run.seeded { Err("asked for by --seeded".to_owned()) } else { coverage::build(&folder) };
    if let Err(reason) = &engine {
        eprintln!("\nNOT COVERAGE-GUIDED: {reason}\nThe seeded mutator runs instead, seed {}.\n", run.seed);
    }
    let (mut broken, mut rows) = (Vec::new(), Vec::new());
    for &target in &run.targets {
        println!("== {} for {} s", target.name, share.as_secs());
        let found = match &engine {
            Ok(engine) => {
                let outcome = coverage::run(engine, target, share, run.real, &folder)?;
                let coverage::Figures { seeds, executions, edges, kept } = outcome.figures;
                let seconds = share.as_secs();
                rows.push(format!("| `{}` | {seconds} | {seeds} | {executions} | {edges} | {kept} |", target.name));
                outcome.broken
            }
            Err(_) => seeded::run(target, share, run, &folder)?,
        };
        for input in found {
            broken.push(if run.real { input } else { keep(target, &input)? });
        }
    }
    if !rows.is_empty() {
        println!("\n| target | seconds | seeds | executions | edges covered | inputs kept |");
        println!("|---|--:|--:|--:|--:|--:|");
        rows.iter().for_each(|row| println!("{row}"));
        println!();
    }
    if broken.is_empty() {
        println!("== no target broke");
        return Ok(true);
    }
    println!("== BROKEN by");
    broken.iter().for_each(|path| println!("   {}", path.display()));
    if run.real {
        println!(
            "These inputs may contain parts of other people's files: create one of your own with the same failure, and keep that."
        );
    } else {
        println!("`cargo test -p mapwright-fuzz` fails on these until the fault is fixed. Commit them with the fix;");
        println!("`cargo xtask fixtures` lists them in the MANIFEST.");
    }
    Ok(false)
}

/// Copies an input that broke a target among the regressions of its format.
fn keep(target: &Target, input: &Path) -> Result<PathBuf, String> {
    let bytes = fs::read(input).map_err(|error| format!("{}: {error}", input.display()))?;
    // FNV-1a: a name that is the same for the same input.
    let fnv = |hash: u64, &byte: &u8| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3);
    let hash = bytes.iter().fold(0xCBF2_9CE4_8422_2325, fnv);
    let path = regressions(target).join(format!("{}-{hash:016x}", target.name));
    fs::create_dir_all(regressions(target))
        .and_then(|()| fs::write(&path, bytes))
        .map_err(|error| format!("{}: {error}", path.display()))?;
    Ok(path)
}

/// Returns Cargo's target folder: this program is in `<target>/<profile>/`.
fn target_folder() -> Result<PathBuf, String> {
    let exe = env::current_exe().map_err(|error| error.to_string())?;
    exe.ancestors().nth(2).map(Path::to_owned).ok_or_else(|| "this program stands in no target folder".to_owned())
}

/// Returns seconds as a whole number of at least one, for child processes.
fn whole_seconds(time: Duration) -> u64 {
    time.as_secs().max(1)
}

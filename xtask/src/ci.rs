//! `cargo xtask ci`: all checks. Those that fail fastest come first, and the result of the tests comes last.

use std::fs;
use std::io::{self, Write};
use std::path::Path;
use std::process::Command;
use std::thread;
use std::time::Instant;

use crate::run::{CI_PROFILE, Outcome, build_all, built, cargo, run_captured, show, skip, skipped, workbench};
use crate::test::ignored_tests;
use crate::tidy::{self, commands};
use crate::workspace::{packages, program, root, shared_folder};
use crate::{conformance, deny, package, python, release, site, workflows};

/// The name of a step and its function.
type Step = (&'static str, fn() -> Outcome);

/// Steps that do not need the programs for the conformance tests, which are installed meanwhile.
const STEPS: &[Step] = &[
    ("format", || show(&mut cargo(&["fmt", "--all", "--check"]))),
    ("tidy", || tidy::tidy(&[])),
    ("lints", lints),
    ("without files", without_files),
    ("docs", docs),
    ("build", build_all),
    ("fixtures", || workbench("fixtures", &["--check".to_owned()])),
];

/// Steps that run at the same time as the tests, many of which use one core.
const PARALLEL_STEPS: &[Step] = &[
    ("dependencies", || deny::run(&["licenses", "bans", "sources"])),
    ("workflows", workflows::run),
    ("main job", main_job),
    ("corpus", corpus),
    ("conformance", || conformance::run(&[])),
    ("packages", || package::package(&[])),
    ("release", release::check),
    ("python", || python::run("dev")),
    // After the Python package, which its examples install.
    ("site", site::run),
];

pub(crate) fn ci(args: &[String]) -> Outcome {
    let install = match args {
        [] => false,
        [flag] if flag == "--install" => true,
        _ => {
            return Err("usage: cargo xtask ci [--install]   (--install fetches the programs of all steps)".to_owned());
        }
    };
    let judges = install.then(|| thread::spawn(fetch));
    let mut summary = run_steps(STEPS)?;
    if let Some(judges) = judges {
        judges.join().map_err(|_| "fetching the judges panicked".to_owned())??;
    }
    let meanwhile = thread::spawn(|| run_steps(PARALLEL_STEPS));
    let start = Instant::now();
    let tests = tests();
    let took = start.elapsed().as_secs_f32();
    // Also wait after a failure: these steps would go on building.
    let meanwhile = meanwhile.join().unwrap_or_else(|_| Err("a step beside the tests panicked".to_owned()));
    eprintln!("\n== tests");
    let tests = tests.and_then(|(output, outcome)| {
        io::stdout().write_all(&output).map_err(|error| format!("the result of the tests cannot be shown: {error}"))?;
        outcome.map(|()| vec![format!("tests {took:.0} s")]).map_err(|error| format!("step \"tests\": {error}"))
    });
    let mut failed = Vec::new();
    for steps in [meanwhile, tests] {
        match steps {
            Ok(steps) => summary.extend(steps),
            Err(error) => failed.push(error),
        }
    }
    if !failed.is_empty() {
        return Err(failed.join("\nerror: "));
    }
    let skipped = skipped();
    let left_out = if skipped.is_empty() { "nothing".to_owned() } else { skipped.join("; ") };
    println!("\nci: all steps passed: {}. Skipped: {left_out}", summary.join(", "));
    Ok(())
}

/// Installs the programs of all steps.
fn fetch() -> Outcome {
    deny::fetch()?;
    workflows::fetch()?;
    conformance::fetch(&[])?;
    python::fetch()?;
    site::fetch()
}

/// Runs steps in order, and returns the time of each.
fn run_steps(steps: &[Step]) -> Result<Vec<String>, String> {
    let take = |(name, step): &Step| {
        eprintln!("\n== {name}");
        let start = Instant::now();
        step().map_err(|error| format!("step {name:?}: {error}"))?;
        Ok(format!("{name} {:.0} s", start.elapsed().as_secs_f32()))
    };
    steps.iter().map(take).collect()
}

fn lints() -> Outcome {
    // Together, the targets turn on all features but that of the coverage-guided fuzzer, which needs a C++ compiler.
    show(&mut cargo(&["clippy", "--workspace", "--all-targets", "--", "-D", "warnings"]))
}

/// Checks the library for the default formats and without files on disk, as a package for browsers builds it.
fn without_files() -> Outcome {
    let packages = packages()?;
    let library = packages.iter().find(|package| package.name == "mapwright").ok_or("no package mapwright")?;
    let (_, default) = library.features.iter().find(|(name, _)| name == "default").ok_or("no default features")?;
    let features: Vec<&str> = default.iter().map(String::as_str).filter(|feature| *feature != "fs").collect();
    let args =
        ["clippy", "--package", "mapwright", "--lib", "--no-default-features", "--features", &features.join(",")];
    show(cargo(&args).args(["--", "-D", "warnings"]))?;
    let target = "wasm32-unknown-unknown";
    let mut sysroot = Command::new("rustc");
    let sysroot = sysroot.args(["--print", "target-libdir", "--target", target]).output();
    let is_installed = sysroot.is_ok_and(|found| Path::new(String::from_utf8_lossy(&found.stdout).trim()).is_dir());
    if !is_installed {
        skip(format!("a check of the library for browsers: `rustup target add {target}` adds the target"));
        return Ok(());
    }
    let args = ["check", "--package", "mapwright", "--lib", "--target", target, "--no-default-features", "--features"];
    show(cargo(&args).arg(features.join(",")))
}

fn docs() -> Outcome {
    show(cargo(&["doc", "--workspace", "--no-deps"]).env("RUSTDOCFLAGS", "--deny warnings"))
}

/// Runs the first command of the README with the program that was built for the tests. `cargo run` would build it again with fewer
/// features, which the step `packages` does.
fn main_job() -> Outcome {
    let command = commands()?.into_iter().next().unwrap_or_default();
    let args = command.strip_prefix("cargo run -- ").ok_or(format!("`{command}` does not run the command"))?;
    let args: Vec<&str> = args.split_whitespace().collect();
    if let Some(made) = args.last() {
        // The command does not overwrite the file of an earlier run.
        let _ = fs::remove_file(root().join(made));
    }
    show(Command::new(built(&program()?)?).args(args).current_dir(root()))
}

/// Runs the second command of the README, with the profile for continuous integration, and the tests that need the corpus if it is
/// there. Its output is held back until the steps beside it have printed theirs.
fn tests() -> Result<(Vec<u8>, Outcome), String> {
    let commands = commands()?;
    let mut words = commands.get(1).map_or("", String::as_str).split_whitespace();
    let program = words.next().ok_or("the README has no second command")?;
    run_captured(Command::new(program).args(words).args(CI_PROFILE).args(ignored_tests()).current_dir(root()))
}

fn corpus() -> Outcome {
    let folder = shared_folder("corpus");
    if folder.is_dir() {
        // The step `conformance` validates all `.glb` files.
        return workbench("corpus", &[folder.display().to_string()]);
    }
    skip(format!("the corpus: {} is missing", folder.display()));
    Ok(())
}

//! Coverage-guided runs: libFuzzer, linked statically and instrumented with stable compiler flags.

use std::ffi::OsStr;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;
use std::{env, fs};

use mapwright_fuzz::{Target, corpus_seeds, seeds};
use mapwright_testkit::{files_below, workspace};

use crate::{LONGEST, whole_seconds};

/// The flags that cargo-fuzz passes without a sanitizer, because this project has no unsafe code. Checks that a release build omits are
/// on.
const FLAGS: &str = "-Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=4 \
    -Cllvm-args=-sanitizer-coverage-inline-8bit-counters -Cllvm-args=-sanitizer-coverage-pc-table \
    -Cllvm-args=-sanitizer-coverage-trace-compares -Ccodegen-units=1 -Cdebug-assertions -Coverflow-checks --cfg fuzzing";

/// Builds the fuzzer below `folder` and gives the program.
pub(crate) fn build(folder: &Path) -> Result<PathBuf, String> {
    let host = host()?;
    println!("building the coverage-guided fuzzer");
    let mut cargo = cargo();
    cargo.args(["build", "--quiet", "--release", "--package", "mapwright-fuzz", "--bin", "libfuzzer"]);
    // With --target the flags reach the crates but not their build scripts, which could not link with them.
    cargo.args(["--features", "libfuzzer", "--target", &host]);
    cargo.env("RUSTFLAGS", FLAGS).env_remove("CARGO_ENCODED_RUSTFLAGS");
    cargo.env("CARGO_TARGET_DIR", folder).env("CARGO_PROFILE_RELEASE_LTO", "off");
    let output = cargo.current_dir(workspace()).output().map_err(|error| format!("cargo does not start: {error}"))?;
    if !output.status.success() {
        let text = String::from_utf8_lossy(&output.stderr);
        let end: Vec<&str> = text.lines().rev().take(12).collect();
        let end: Vec<&str> = end.into_iter().rev().collect();
        return Err(format!(
            "libFuzzer is not built (it needs a C++ compiler: apt-get install g++)\n{}",
            end.join("\n")
        ));
    }
    Ok(folder.join(host).join("release/libfuzzer"))
}

/// The counts of libFuzzer for one run.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Figures {
    /// Inputs that the run started from: seeds of the project and what earlier runs kept.
    pub(crate) seeds: usize,
    pub(crate) executions: u64,
    /// Edges of the control flow that the kept inputs take.
    pub(crate) edges: u64,
    /// Inputs that are kept because each does something that the others do not.
    pub(crate) kept: u64,
}

impl Figures {
    /// Takes over what a line of libFuzzer's log counts: `#2048 pulse cov: 812 ft: 2391 corp: 64/5120b …`.
    fn read_line(&mut self, line: &str) {
        let Some(rest) = line.strip_prefix('#') else { return };
        let mut words = rest.split_whitespace();
        let number = |text: Option<&str>| text.and_then(|text| text.split('/').next()?.parse().ok());
        let Some(executions) = number(words.next()) else { return };
        self.executions = executions;
        while let Some(word) = words.next() {
            let counted = match word {
                "cov:" => &mut self.edges,
                "corp:" => &mut self.kept,
                _ => continue,
            };
            *counted = number(words.next()).unwrap_or(*counted);
        }
    }
}

/// The result of a run: its figures, and the inputs that broke the target.
pub(crate) struct Outcome {
    pub(crate) figures: Figures,
    pub(crate) broken: Vec<PathBuf>,
}

/// Runs one target.
pub(crate) fn run(
    engine: &Path,
    target: &Target,
    time: Duration,
    real: bool,
    folder: &Path,
) -> Result<Outcome, String> {
    let (corpus, start, found) = (
        folder.join(if real { "corpus-real" } else { "corpus" }).join(target.name),
        folder.join("seeds").join(target.name),
        folder.join("found").join(target.name),
    );
    // What an earlier run found has been kept elsewhere.
    for stale in [&start, &found] {
        let _ = fs::remove_dir_all(stale);
    }
    for new in [&corpus, &start, &found] {
        fs::create_dir_all(new).map_err(|error| format!("{}: {error}", new.display()))?;
    }
    let all = seeds(target).into_iter().chain(corpus_seeds(target, real)).map(|(_, seed)| seed);
    for (index, seed) in all.filter(|seed| seed.len() <= LONGEST).enumerate() {
        let path = start.join(format!("{index:04}"));
        fs::write(&path, seed).map_err(|error| format!("{}: {error}", path.display()))?;
    }
    let mut artifacts = found.clone().into_os_string();
    artifacts.push("/");
    let seeds = files_below(&start).len() + files_below(&corpus).len();
    let mut figures = Figures { seeds, ..Figures::default() };
    let mut child = Command::new(engine)
        .env("MAPWRIGHT_FUZZ_TARGET", target.name)
        .arg(format!("-max_total_time={}", whole_seconds(time)))
        .args([format!("-max_len={LONGEST}"), "-timeout=10".to_owned(), "-rss_limit_mb=2048".to_owned()])
        .args(["-print_final_stats=1", "-print_funcs=0"])
        .arg([OsStr::new("-artifact_prefix="), &artifacts].into_iter().collect::<std::ffi::OsString>())
        .args([&corpus, &start])
        .stdin(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|error| format!("{}: {error}", engine.display()))?;
    let log = child.stderr.take().into_iter().flat_map(|log| BufReader::new(log).split(b'\n')).map_while(Result::ok);
    for line in log {
        let line = String::from_utf8_lossy(&line);
        eprintln!("{line}");
        figures.read_line(&line);
    }
    let status = child.wait().map_err(|error| format!("{}: {error}", engine.display()))?;
    let inputs = files_below(&found);
    // A slow unit is saved although the run goes on; a failed run without an input is the engine's own failure.
    match (status.success(), inputs.is_empty()) {
        (true, _) => Ok(Outcome { figures, broken: Vec::new() }),
        (false, false) => Ok(Outcome { figures, broken: inputs }),
        (false, true) => Err(format!("libFuzzer failed ({status}) and saved no input")),
    }
}

fn host() -> Result<String, String> {
    let rustc = env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let output = Command::new(rustc).arg("-vV").output().map_err(|error| format!("rustc does not start: {error}"))?;
    let text = String::from_utf8_lossy(&output.stdout);
    let host = text.lines().find_map(|line| line.strip_prefix("host: "));
    host.map(str::to_owned).ok_or_else(|| "rustc -vV names no host".to_owned())
}

fn cargo() -> Command {
    Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn libfuzzer_output_is_parsed() {
        let mut figures = Figures { seeds: 3, ..Figures::default() };
        for line in [
            "INFO: Seed: 4046166391",
            "#2\tINITED cov: 811 ft: 2391 corp: 64/5120b exec/s: 0 rss: 40Mb",
            "#4096\tpulse  cov: 1812 ft: 5391 corp: 640/512Kb lim: 4096 exec/s: 2048 rss: 80Mb",
            "#5000\tDONE   cov: 1813 ft: 5400 corp: 641/513Kb lim: 4096 exec/s: 2500 rss: 80Mb",
            "Done 5000 runs in 2 second(s)",
        ] {
            figures.read_line(line);
        }
        assert_eq!(figures, Figures { seeds: 3, executions: 5000, edges: 1813, kept: 641 });
    }
}

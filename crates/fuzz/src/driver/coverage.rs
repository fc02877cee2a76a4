//! Coverage-guided runs: libFuzzer, linked statically and instrumented with stable compiler flags.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;
use std::{env, fs};

use mapwright_fuzz::{Target, corpus_seeds, seeds};
use mapwright_testkit::{files_below, workspace};

use crate::{LONGEST, whole_seconds};

/// What cargo-fuzz passes without a sanitizer: this project has no unsafe code for one to watch. Checks that a release
/// build leaves out are on.
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

/// Runs one target and gives the inputs that broke it.
pub(crate) fn run(
    engine: &Path,
    target: &Target,
    time: Duration,
    real: bool,
    folder: &Path,
) -> Result<Vec<PathBuf>, String> {
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
    let status = Command::new(engine)
        .env("MAPWRIGHT_FUZZ_TARGET", target.name)
        .arg(format!("-max_total_time={}", whole_seconds(time)))
        .args([format!("-max_len={LONGEST}"), "-timeout=10".to_owned(), "-rss_limit_mb=2048".to_owned()])
        .args(["-print_final_stats=1", "-print_funcs=0"])
        .arg([OsStr::new("-artifact_prefix="), &artifacts].into_iter().collect::<std::ffi::OsString>())
        .args([&corpus, &start])
        .stdin(Stdio::null())
        .status()
        .map_err(|error| format!("{}: {error}", engine.display()))?;
    let inputs = files_below(&found);
    if status.success() == inputs.is_empty() {
        return Ok(inputs);
    }
    // A slow unit is saved although the run goes on; a failed run without an input is the engine's own failure.
    if status.success() { Ok(Vec::new()) } else { Err(format!("libFuzzer failed ({status}) and saved no input")) }
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

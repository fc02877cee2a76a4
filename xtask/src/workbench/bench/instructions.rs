//! `cargo xtask bench --check`: instruction counts of ten jobs, compared with those in the repository. Unlike times, the counts hardly
//! depend on the machine or its load, so that a loss of a few percent is visible.

mod jobs;

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::hint::black_box;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::{env, fs};

use mapwright_testkit::workspace;
use rayon::ThreadPoolBuilder;
use serde_json::{Value, json};

use jobs::{Done, JOBS, Work};

/// The argument that makes this program the counted process.
pub(super) const COUNT_OPTION: &str = "--count";

/// Allowed change of a count in percent. Random seeds of hash maps change counts by much less.
const TOLERANCE: u64 = 3;

/// The file with the counts, relative to the root.
const FILE: &str = "xtask/instructions.json";

/// The function whose instructions are counted, without those of preparing its input.
const COUNTED: &str = "*run_counted_job*";

const HOW_TO_INSTALL: &str =
    "install it with the package manager of the system: `apt install valgrind`, `dnf install valgrind`";

/// Counts of instructions by job.
#[derive(Debug, PartialEq, Eq)]
struct Counts {
    /// The compiler and its target.
    compiler: String,
    jobs: BTreeMap<String, u64>,
}

/// Counts all jobs, and compares them with the file.
pub(super) fn check() -> Result<(), String> {
    let before = Counts::from_json(&fs::read_to_string(file()).map_err(|error| format!("{FILE}: {error}"))?)?;
    let now = Counts::measure()?;
    let (table, result) = compare(&before, &now);
    print!("{table}");
    result
}

/// Counts all jobs, and writes the file.
pub(super) fn renew() -> Result<(), String> {
    let counts = Counts::measure()?;
    fs::write(file(), counts.to_json()).map_err(|error| format!("{FILE}: {error}"))?;
    println!("{FILE}: {} jobs, {}", counts.jobs.len(), counts.compiler);
    Ok(())
}

/// Runs the counted process: prepares a job and does it once.
pub(super) fn child(name: &str) -> Result<(), String> {
    let job = JOBS.iter().find(|job| job.name == name).ok_or_else(|| format!("unknown job {name}"))?;
    // The profiler counts the thread that calls the function. In a pool of one thread, this thread does all the work.
    let pool = ThreadPoolBuilder::new().num_threads(1).build().map_err(|error| error.to_string())?;
    pool.install(|| (job.prepare)().and_then(run_counted_job).map_err(|error| format!("{name}: {error}")))
}

// The profiler finds the function by its name.
#[inline(never)]
fn run_counted_job(work: Work) -> Done {
    black_box(work())
}

fn file() -> PathBuf {
    workspace().join(FILE)
}

impl Counts {
    fn measure() -> Result<Self, String> {
        let compiler = compiler()?;
        let count = |name: &'static str| {
            eprintln!("counting {name}");
            Ok((name.to_owned(), count(name)?))
        };
        Ok(Self { compiler, jobs: JOBS.iter().map(|job| count(job.name)).collect::<Result<_, String>>()? })
    }

    fn from_json(text: &str) -> Result<Self, String> {
        let value: Value = serde_json::from_str(text).map_err(|error| format!("{FILE}: {error}"))?;
        let read = || {
            let compiler = value["compiler"].as_str()?.to_owned();
            let jobs =
                value["instructions"].as_object()?.iter().map(|(name, count)| Some((name.clone(), count.as_u64()?)));
            Some(Self { compiler, jobs: jobs.collect::<Option<_>>()? })
        };
        read().ok_or_else(|| format!("{FILE}: expected a compiler and the instructions of each job"))
    }

    fn to_json(&self) -> String {
        format!("{:#}\n", json!({ "compiler": self.compiler, "instructions": self.jobs }))
    }
}

/// Counts the instructions of a job in a process of its own.
fn count(name: &str) -> Result<u64, String> {
    let exe = env::current_exe().map_err(|error| error.to_string())?;
    let output = Command::new("valgrind")
        .args(["--tool=callgrind", "--callgrind-out-file=/dev/null", "--collect-atstart=no"])
        .arg(format!("--toggle-collect={COUNTED}"))
        .arg(exe)
        .args(["bench", COUNT_OPTION, name])
        .stdin(Stdio::null())
        .output()
        .map_err(|error| format!("valgrind does not start ({error}); {HOW_TO_INSTALL}"))?;
    let report = String::from_utf8_lossy(&output.stderr);
    // Without the function, nothing is collected.
    parse_count(&report)
        .filter(|count| output.status.success() && *count > 0)
        .ok_or_else(|| format!("valgrind did not count the instructions of {name} ({}):\n{report}", output.status))
}

/// Returns the number of instructions that callgrind reports: `==7== Collected : 7134041409`.
fn parse_count(report: &str) -> Option<u64> {
    report.lines().find_map(|line| line.split_once("Collected : ")?.1.trim().parse().ok())
}

/// Returns the version and the target of the compiler that cargo uses in the workspace.
fn compiler() -> Result<String, String> {
    let output = Command::new(env::var_os("RUSTC").unwrap_or_else(|| "rustc".into()))
        .arg("-vV")
        .current_dir(workspace())
        .output()
        .map_err(|error| format!("rustc does not start: {error}"))?;
    let text = String::from_utf8_lossy(&output.stdout);
    let version = text.lines().next().filter(|line| line.starts_with("rustc "));
    let host = text.lines().find_map(|line| line.strip_prefix("host: "));
    version
        .zip(host)
        .map(|(version, host)| format!("{version}, {host}"))
        .ok_or_else(|| "rustc -vV: no version".to_owned())
}

/// Compares counts. Returns a table and the result of the check.
fn compare(before: &Counts, now: &Counts) -> (String, Result<(), String>) {
    let mut text = String::new();
    // Writing to a string does not fail.
    let _ = writeln!(text, "| job | instructions before | now | change |\n|---|---|---|---|");
    let (mut slower, mut faster) = (Vec::new(), Vec::new());
    for (name, now) in &now.jobs {
        let Some(before) = before.jobs.get(name) else { continue };
        let _ = writeln!(text, "| {name} | {before} | {now} | {:+.2} % |", change(*before, *now));
        if u128::from(*now) * 100 > u128::from(*before) * u128::from(100 + TOLERANCE) {
            slower.push(name.as_str());
        } else if u128::from(*now) * 100 < u128::from(*before) * u128::from(100 - TOLERANCE) {
            faster.push(name.as_str());
        }
    }
    let mut problems = Vec::new();
    if !before.jobs.keys().eq(now.jobs.keys()) {
        problems.push(format!("{FILE} has other jobs than this program; run `cargo xtask bench --renew`"));
    }
    if !slower.is_empty() {
        let slower = slower.join(", ");
        problems.push(format!(
            "more than {TOLERANCE} % more instructions: {slower}; make them faster, or run `cargo xtask bench --renew` and give \
             the reason in the commit"
        ));
    }
    if !faster.is_empty() {
        let faster = faster.join(", ");
        problems.push(format!(
            "more than {TOLERANCE} % fewer instructions: {faster}; run `cargo xtask bench --renew`, so that the next check \
             compares with the better counts"
        ));
    }
    if before.compiler != now.compiler {
        let note = format!("the counts are from {}, and this is {}", before.compiler, now.compiler);
        let _ = writeln!(text, "\nnote: {note}");
        if !problems.is_empty() {
            problems.push(format!("the compiler may be the reason: {note}"));
        }
    }
    (text, if problems.is_empty() { Ok(()) } else { Err(problems.join("\n")) })
}

/// Returns the change in percent.
#[expect(clippy::cast_precision_loss, reason = "counts are far below 2^52")]
fn change(before: u64, now: u64) -> f64 {
    (now as f64 / before as f64 - 1.0) * 100.0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counts(jobs: &[(&str, u64)]) -> Counts {
        let jobs = jobs.iter().map(|(name, count)| ((*name).to_owned(), *count)).collect();
        Counts { compiler: "rustc 1.0.0, here".to_owned(), jobs }
    }

    #[test]
    fn every_job_succeeds() {
        for job in &JOBS {
            child(job.name).unwrap();
        }
        assert!(child("other").is_err());
    }

    #[test]
    fn the_file_lists_the_jobs() {
        let counts = Counts::from_json(&fs::read_to_string(file()).unwrap()).unwrap();
        let mut names = JOBS.map(|job| job.name);
        names.sort_unstable();
        assert_eq!(Vec::from_iter(counts.jobs.keys()), names);
        assert_eq!(Counts::from_json(&counts.to_json()).unwrap(), counts);
        assert!(Counts::from_json("{}").is_err());
    }

    #[test]
    fn counts_may_change_by_three_percent() {
        let before = counts(&[("a", 1000), ("b", 1000)]);
        for (now, problem) in [
            ([1000, 1000], None),
            ([1030, 970], None),
            ([1031, 1000], Some("% more instructions: a;")),
            ([1000, 969], Some("% fewer instructions: b;")),
        ] {
            let (table, result) = compare(&before, &counts(&[("a", now[0]), ("b", now[1])]));
            assert!(table.contains(&format!("| a | 1000 | {} |", now[0])), "{table}");
            match problem {
                None => result.unwrap(),
                Some(problem) => assert!(result.as_ref().unwrap_err().contains(problem), "{result:?}"),
            }
        }
        let (table, result) = compare(&before, &counts(&[("a", 2000), ("b", 500)]));
        assert!(table.contains("| +100.00 % |") && table.contains("| -50.00 % |"), "{table}");
        assert_eq!(result.unwrap_err().lines().count(), 2);
    }

    #[test]
    fn other_jobs_and_another_compiler_are_reported() {
        let before = counts(&[("a", 1000)]);
        assert!(compare(&before, &counts(&[("b", 1000)])).1.unwrap_err().contains("other jobs"));
        let newer = Counts { compiler: "rustc 2.0.0, here".to_owned(), ..counts(&[("a", 1000)]) };
        let (table, result) = compare(&before, &newer);
        assert!(
            table.contains("note: the counts are from rustc 1.0.0, here, and this is rustc 2.0.0, here"),
            "{table}"
        );
        result.unwrap();
        let newer = Counts { jobs: counts(&[("a", 1100)]).jobs, ..newer };
        assert!(compare(&before, &newer).1.unwrap_err().contains("the compiler may be the reason"));
    }

    #[test]
    fn the_count_is_read_from_the_report() {
        assert_eq!(parse_count("==7== \n==7== Events    : Ir\n==7== Collected : 7134041409\n"), Some(7_134_041_409));
        assert_eq!(parse_count("valgrind: no such tool"), None);
    }
}

//! The arguments of the command.

use std::path::PathBuf;
use std::time::Duration;

use mapwright_fuzz::{Target, targets};

pub(crate) const HELP: &str = "\
usage: cargo xtask fuzz [FORMAT | TARGET]... [--time TIME] [--real] [--seeded] [--seed N]
       cargo xtask fuzz --list

Fuzzes all targets, those of a FORMAT (wings) or single TARGETs (wings_roundtrip).

  --time TIME  how long in all, shared evenly by the targets: 60s, 10m, 2h [60s]
  --real       start from the real files of the local corpus, too, not only from the project's own
  --seeded     run the seeded mutator even where libFuzzer can be built
  --seed N     seed of the seeded mutator [1]
  --list       name the targets

Coverage-guided runs need a C++ compiler; their corpus grows in target/fuzz/corpus. Inputs that break a target are stored
in fixtures/FORMAT/regressions. With --real they stay in target/fuzz, because inputs derived from other people's files must
not enter the repository. Exit status: 0 nothing broke, 1 something broke, 2 the command is wrong.";

/// The task to run.
pub(crate) enum Command {
    Help,
    List,
    Run(Run),
    Child(Child),
}

/// A run over targets.
pub(crate) struct Run {
    pub(crate) targets: Vec<&'static Target>,
    pub(crate) time: Duration,
    pub(crate) seed: u64,
    pub(crate) seeded: bool,
    pub(crate) real: bool,
}

/// A part of a seeded run in a process of its own, so that an abort is survived.
pub(crate) struct Child {
    pub(crate) target: &'static Target,
    pub(crate) seed: u64,
    /// The number of the first mutant.
    pub(crate) from: u64,
    pub(crate) time: Duration,
    /// The folder for inputs that break the target.
    pub(crate) save: PathBuf,
    /// Writes every input to disk before it is run.
    pub(crate) careful: bool,
    pub(crate) real: bool,
}

pub(crate) fn parse(args: impl Iterator<Item = String>) -> Result<Command, String> {
    let (mut chosen, mut time, mut seed, mut seeded) = (Vec::new(), Duration::from_secs(60), 1, false);
    let (mut real, mut child, mut from, mut save, mut careful) = (false, false, 0, PathBuf::new(), false);
    let mut args = args;
    while let Some(arg) = args.next() {
        let mut value = || args.next().ok_or_else(|| format!("{arg} needs a value"));
        match arg.as_str() {
            "-h" | "--help" | "help" => return Ok(Command::Help),
            "--list" => return Ok(Command::List),
            "--time" => time = parse_time(&value()?)?,
            "--seed" => seed = parse_number(&value()?)?,
            "--seeded" => seeded = true,
            "--real" => real = true,
            "--child" => child = true,
            "--from" => from = parse_number(&value()?)?,
            "--save" => save = value()?.into(),
            "--careful" => careful = true,
            flag if flag.starts_with('-') => return Err(format!("unknown option {flag}")),
            name => {
                let before = chosen.len();
                chosen.extend(targets().filter(|target| target.name == name || target.format == name));
                if chosen.len() == before {
                    return Err(format!(
                        "{name} is neither a format nor a target; `cargo xtask fuzz --list` lists them"
                    ));
                }
            }
        }
    }
    if child {
        let target = *chosen.first().ok_or("--child needs a target")?;
        return Ok(Command::Child(Child { target, seed, from, time, save, careful, real }));
    }
    if chosen.is_empty() {
        chosen.extend(targets());
    }
    Ok(Command::Run(Run { targets: chosen, time, seed, seeded, real }))
}

fn parse_number(text: &str) -> Result<u64, String> {
    text.parse().map_err(|_| format!("{text} is not a number"))
}

/// `60s`, `10m`, `2h`; a bare number counts seconds.
fn parse_time(text: &str) -> Result<Duration, String> {
    let digits = text.trim_end_matches(['s', 'm', 'h']);
    let unit = match &text[digits.len()..] {
        "" | "s" => 1,
        "m" => 60,
        "h" => 3600,
        _ => return Err(format!("{text} is not a duration; write 60s, 10m or 2h")),
    };
    let number: u64 = digits.parse().map_err(|_| format!("{text} is not a duration; write 60s, 10m or 2h"))?;
    number
        .checked_mul(unit)
        .filter(|&s| s > 0)
        .map(Duration::from_secs)
        .ok_or_else(|| format!("{text} is not a duration"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_have_units() {
        assert_eq!(parse_time("60s"), Ok(Duration::from_secs(60)));
        assert_eq!(parse_time("10m"), Ok(Duration::from_secs(600)));
        assert_eq!(parse_time("2h"), Ok(Duration::from_secs(7200)));
        assert_eq!(parse_time("5"), Ok(Duration::from_secs(5)));
        for wrong in ["", "s", "1ms", "0s", "-1s", "1.5h", "99999999999999999999s", "9999999999999999h"] {
            assert!(parse_time(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn formats_and_targets_are_chosen_by_name() {
        let parse = |args: &[&str]| parse(args.iter().map(|&arg| arg.to_owned()));
        let names = |args: &[&str]| match parse(args) {
            Ok(Command::Run(run)) => run.targets.iter().map(|target| target.name).collect(),
            _ => Vec::new(),
        };
        assert_eq!(names(&["io"]), ["io_inflate", "io_input"]);
        assert_eq!(names(&["io_input", "--time", "1m"]), ["io_input"]);
        assert_eq!(names(&[]).len(), targets().count());
        for wrong in [["nothing"].as_slice(), &["--time"], &["--time", "soon"], &["--what"], &["--seed", "x"]] {
            assert!(parse(wrong).is_err(), "{wrong:?}");
        }
    }
}

//! Seeded runs: mutants by number, in a child process, so that an abort or a hang costs one child.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::mpsc;
use std::time::{Duration, Instant};
use std::{env, fs, thread};

use mapwright_fuzz::{Campaign, Target, corpus_seeds, seeds};

use crate::args::{Child, Run};
use crate::{HEAP, LONGEST, whole_seconds};

/// Mutants between two reports of a child.
const BATCH: u64 = 256;
/// A child that reports nothing for so long hangs.
const TIMEOUT: Duration = Duration::from_secs(30);
/// The exit status of a child that caught a panic and saved its input.
const CAUGHT_STATUS: i32 = 1;

/// Runs one target and gives the input that broke it, if one did.
pub(crate) fn run(target: &'static Target, time: Duration, run: &Run, folder: &Path) -> Result<Vec<PathBuf>, String> {
    let save = folder.join("found").join(target.name).join("seeded");
    let parent = save.parent().unwrap_or(folder);
    fs::create_dir_all(parent).map_err(|error| format!("{}: {error}", parent.display()))?;
    let start = Instant::now();
    let seed = run.seed;
    let mut part = Child { target, seed, from: 0, time, save: save.clone(), careful: false, real: run.real };
    let first = supervise(&part)?;
    let (reached, seconds) = (first.reached, start.elapsed().as_secs());
    println!("   {reached} mutants of seed {seed} in {seconds} s");
    match first.end {
        End::Fine => return Ok(Vec::new()),
        End::Caught => return Ok(vec![save]),
        End::Died => {}
    }
    println!("   the child died or hung; looking for the input from mutant {reached} on");
    part = Child { from: reached, time: TIMEOUT, careful: true, ..part };
    match supervise(&part)?.end {
        End::Fine => Err(format!("the child died near mutant {reached} of seed {seed}, but this cannot be reproduced")),
        End::Caught | End::Died => Ok(vec![save]),
    }
}

/// The end of a child, and the first mutant of its last batch.
struct Ending {
    end: End,
    reached: u64,
}

enum End {
    Fine,
    Caught,
    Died,
}

fn supervise(part: &Child) -> Result<Ending, String> {
    let exe = env::current_exe().map_err(|error| error.to_string())?;
    let mut command = Command::new(exe);
    command.args(["--child", part.target.name, "--seed", &part.seed.to_string(), "--from", &part.from.to_string()]);
    command.args(["--time", &whole_seconds(part.time).to_string(), "--save"]).arg(&part.save);
    command.args(part.careful.then_some("--careful")).args(part.real.then_some("--real"));
    let mut child = command.stdout(Stdio::piped()).spawn().map_err(|error| format!("the child: {error}"))?;
    let (send, reports) = mpsc::channel();
    let stdout = child.stdout.take();
    thread::spawn(move || {
        let lines = stdout.into_iter().flat_map(|stdout| BufReader::new(stdout).lines());
        // The receiver is gone when the child has been given up.
        lines.map_while(Result::ok).filter_map(|line| line.parse().ok()).try_for_each(|number| send.send(number))
    });
    let mut reached = part.from;
    let hung = loop {
        match reports.recv_timeout(TIMEOUT) {
            Ok(number) => reached = number,
            Err(error) => break error == mpsc::RecvTimeoutError::Timeout,
        }
    };
    if hung {
        child.kill().map_err(|error| format!("the child: {error}"))?;
    }
    let status = child.wait().map_err(|error| format!("the child: {error}"))?;
    let end = match status.code() {
        Some(0) => End::Fine,
        Some(CAUGHT_STATUS) => End::Caught,
        _ => End::Died,
    };
    Ok(Ending { end, reached })
}

/// Runs the work of a child, and returns `true` if nothing broke.
pub(crate) fn child(child: &Child) -> Result<bool, String> {
    let inputs = seeds(child.target).into_iter().chain(corpus_seeds(child.target, child.real)).map(|(_, seed)| seed);
    let inputs = inputs.filter(|seed| seed.len() <= LONGEST).collect();
    let campaign = Campaign::new(child.target, inputs, child.seed, &HEAP);
    let save = |input: &[u8]| fs::write(&child.save, input).map_err(|e| format!("{}: {e}", child.save.display()));
    let start = Instant::now();
    for number in child.from.. {
        if (number - child.from).is_multiple_of(BATCH) {
            println!("{number}");
            if start.elapsed() >= child.time {
                break;
            }
        }
        if child.careful {
            save(&campaign.mutant(number))?;
        }
        if let Err(failure) = campaign.run_mutant(number) {
            eprintln!("{failure}");
            save(&failure.input)?;
            return Ok(false);
        }
    }
    Ok(true)
}

//! `cargo xtask bench`: ratios within one run. The contenders run in turn, and the best of several rounds counts. Times of
//! different runs or machines cannot be compared.

mod command;
mod content;
mod dmx;
mod etf;
mod instructions;
mod interchange;
mod map;
mod memory;
mod samples;
mod wings;
mod wmp;
mod wrp;
mod wwd;

use std::hint::black_box;
use std::time::{Duration, Instant};

/// A section of the benchmarks: its name and the function that prints it.
type Section = (&'static str, fn() -> Result<(), String>);

const SECTIONS: [Section; 10] = [
    ("etf", etf::bench),
    ("wings", wings::bench),
    ("dmx", dmx::bench),
    ("wwd", wwd::bench),
    ("wmp", wmp::bench),
    ("map", map::bench),
    ("wrp", wrp::bench),
    ("interchange", interchange::bench),
    ("content", content::bench),
    ("command", command::bench),
];

/// The minimum number of rounds, and the minimum time of all rounds together.
const ROUNDS: usize = 7;
const ENOUGH: Duration = Duration::from_secs(4);

pub(crate) fn bench(args: &[String]) -> Result<(), String> {
    match args.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
        ["--check"] => return instructions::check(),
        ["--renew"] => return instructions::renew(),
        [instructions::COUNT_OPTION, job] => return instructions::child(job),
        [memory::PEAK_OPTION, what, file] => return memory::child(what, file),
        _ => {}
    }
    if let Some(unknown) = args.iter().find(|arg| !SECTIONS.iter().any(|(name, _)| name == arg)) {
        let names = SECTIONS.map(|(name, _)| name).join(", ");
        return Err(format!("unknown benchmark {unknown}: expected --check or --renew alone, or some of {names}"));
    }
    for (name, section) in SECTIONS.iter().filter(|(name, _)| args.is_empty() || args.iter().any(|arg| arg == name)) {
        println!("\n### {name}: `cargo xtask bench {name}`\n");
        section()?;
    }
    Ok(())
}

/// Returns the best time of each contender. Contenders take turns and measure themselves.
fn race<const N: usize>(contenders: [&mut dyn FnMut() -> Duration; N]) -> [Duration; N] {
    let mut contenders = contenders;
    let mut best = [Duration::MAX; N];
    let start = Instant::now();
    let mut round = 0;
    while round < ROUNDS || (start.elapsed() < ENOUGH && round < 100 * ROUNDS) {
        for (run, best) in contenders.iter_mut().zip(&mut best) {
            *best = run().min(*best);
        }
        round += 1;
    }
    best
}

/// Measures a call, including the drop of its result.
fn timed<T>(call: impl Fn() -> T) -> impl FnMut() -> Duration {
    timed_with(|| (), move |()| call())
}

/// Measures a call with an input. Creating the input is not measured.
fn timed_with<I, T>(make: impl Fn() -> I, call: impl Fn(I) -> T) -> impl FnMut() -> Duration {
    move || {
        let input = make();
        let start = Instant::now();
        drop(black_box(call(input)));
        start.elapsed()
    }
}

/// Formats the speed in megabytes per second.
fn speed(bytes: usize, time: Duration) -> String {
    #[expect(clippy::cast_precision_loss, reason = "sizes of samples are far below 2^52")]
    let rate = bytes as f64 / time.as_secs_f64() / 1e6;
    if rate < 100.0 { format!("{rate:.1}") } else { format!("{rate:.0}") }
}

/// Returns the ratio of two times.
fn ratio(time: Duration, of: Duration) -> String {
    format!("{:.2}", time.as_secs_f64() / of.as_secs_f64())
}

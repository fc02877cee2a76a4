//! The commands of `cargo xtask` that need the crates of the formats. `cargo xtask help` lists them.

mod bench;
mod corpus;
mod fixtures;
mod level;
mod verdicts;
mod write;

use std::env;
use std::process::ExitCode;

/// The allocator of the command, for all that is measured.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    let args: Vec<String> = env::args().skip(1).collect();
    let (name, rest) = args.split_first().map_or(("", &[][..]), |(name, rest)| (name.as_str(), rest));
    let result = match name {
        "bench" => bench::bench(rest),
        "corpus" => corpus::corpus(rest),
        "fixtures" => fixtures::fixtures(rest),
        "write" => write::write(rest),
        _ => Err("usage: workbench bench | corpus | fixtures | write".to_owned()),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("error: {message}");
            ExitCode::FAILURE
        }
    }
}

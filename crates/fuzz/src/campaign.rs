//! Seeded fuzzing: mutants that depend on nothing but a seed and a number.

use std::any::Any;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};

use mapwright_testkit::PeakAlloc;
use mapwright_testkit::mutate::{self, Rng};

use crate::Target;

/// An endless, repeatable row of inputs for one target.
#[derive(Debug)]
pub struct Campaign<'a> {
    target: &'a Target,
    seeds: Vec<Vec<u8>>,
    seed: u64,
    heap: &'a PeakAlloc,
}

/// An input that broke a law.
#[derive(Debug)]
pub struct Failure {
    /// The name of the target.
    pub target: &'static str,
    /// The source of the input.
    pub origin: String,
    /// The input.
    pub input: Vec<u8>,
    /// The message of the body.
    pub message: String,
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let shown = &self.input[..self.input.len().min(64)];
        let more = if shown.len() < self.input.len() { "…" } else { "" };
        let Self { target, origin, message, .. } = self;
        write!(f, "{target} fails on {origin}, length {}: {}{more}\n{message}", self.input.len(), shown.escape_ascii())
    }
}

impl<'a> Campaign<'a> {
    /// A campaign that mutates the given inputs. `heap` is the program's allocator.
    pub fn new(target: &'a Target, seeds: Vec<Vec<u8>>, seed: u64, heap: &'a PeakAlloc) -> Self {
        Self { target, seeds, seed, heap }
    }

    /// The mutant of a number.
    pub fn mutant(&self, number: u64) -> Vec<u8> {
        // Two generators in a row, so that neighbouring numbers and neighbouring seeds have nothing in common.
        let mut rng = Rng::new(Rng::new(self.seed).next_u64().wrapping_add(number));
        let mut rng = Rng::new(rng.next_u64());
        let seed = self.seeds.get(rng.below(self.seeds.len())).map_or(&[][..], Vec::as_slice);
        mutate::mutant(seed, &self.seeds, &mut rng)
    }

    /// Runs the mutant of a number.
    ///
    /// # Errors
    /// When it breaks a law.
    pub fn run_mutant(&self, number: u64) -> Result<(), Failure> {
        self.run(&self.mutant(number), || format!("mutant {number} of seed {}", self.seed))
    }

    /// Runs one input.
    ///
    /// # Errors
    /// When it breaks a law or takes too much memory.
    pub fn run(&self, input: &[u8], origin: impl FnOnce() -> String) -> Result<(), Failure> {
        let Err(panic) = catch_unwind(AssertUnwindSafe(|| self.target.run(input, self.heap))) else { return Ok(()) };
        let message = message(panic.as_ref());
        Err(Failure { target: self.target.name, origin: origin(), input: input.to_vec(), message })
    }
}

fn message(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<String>().map(String::as_str).or_else(|| panic.downcast_ref::<&str>().copied());
    text.unwrap_or("a panic without a message").to_owned()
}

//! Fuzz targets.

use mapwright_io::{Error, ErrorKind, Position, Space};
use mapwright_testkit::{PeakAlloc, Refusal, peak_of};

/// A fuzz body, its inputs and its limits.
#[derive(Debug, Clone)]
pub struct Target {
    /// `<format>_<body>`: `wings_roundtrip`.
    pub name: &'static str,
    /// The format: regressions are in `fixtures/<format>/regressions`.
    pub format: &'static str,
    /// The body: panics when a law is broken.
    pub body: fn(&[u8]),
    /// Tiny hand-made inputs that fuzzing starts from.
    pub inputs: &'static [&'static [u8]],
    /// Returns further inputs that fuzzing starts from, made by the test kit.
    pub made: fn() -> Vec<Vec<u8>>,
    /// The folder of fixtures, and of the local corpus, whose files fuzzing starts from as well.
    pub files: &'static str,
    /// Returns the part of such a file that the body reads, if any.
    pub cut: fn(&[u8]) -> Option<Vec<u8>>,
    /// Peak memory that the body may take, in multiples of the input and what it inflates to. 8 for a body that only
    /// reads; a body that also writes, reads again and compares has several documents at once.
    pub memory: usize,
    /// The factor by which the input may grow when it is decompressed: [`ZLIB`](Self::ZLIB), or 0 for a format that does not inflate.
    pub inflation: usize,
    /// Mutants that the smoke test runs: fewer for slow bodies, so that all of them take some seconds.
    pub smoke: u64,
}

impl Target {
    /// The most that zlib can inflate a stream to, in multiples of its size.
    pub const ZLIB: usize = 1032;

    /// A target that does nothing, to make others from: reads whole files, inflates nothing and takes little memory.
    pub(crate) const NEW: Self = Self {
        name: "",
        format: "",
        body: |_| {},
        inputs: &[],
        made: Vec::new,
        files: "",
        cut: |file| Some(file.to_vec()),
        memory: 8,
        inflation: 0,
        smoke: 2_000,
    };

    /// Runs the body on an input and checks that it takes at most the memory allowed for the input's size. `heap` is the program's allocator.
    ///
    /// # Panics
    /// When a law is broken or the body takes too much memory.
    pub fn run(&self, input: &[u8], heap: &PeakAlloc) {
        let ((), peak) = peak_of(heap, || (self.body)(input));
        let most = self.max_memory(input.len());
        assert!(peak <= most, "{peak} bytes of heap at the peak, at most {most} are allowed");
    }

    /// The most bytes of heap that the body may take for an input of this size: 16 MiB, and [`memory`](Self::memory) times
    /// what the input and the most that it can inflate to are together.
    const fn max_memory(&self, input: usize) -> usize {
        (16 << 20) + self.memory * (1 + self.inflation) * input
    }
}

/// Turns an error of `mapwright-io` into the form that the laws check.
#[expect(clippy::needless_pass_by_value, reason = "used as `map_err(refusal)`")]
pub fn refusal<K: ErrorKind>(error: Error<K>) -> Refusal {
    refusal_at(error.category().name(), error.position(), &error)
}

pub(crate) fn refusal_at(category: &'static str, at: Option<Position>, error: &dyn std::error::Error) -> Refusal {
    let at = at.filter(|at| at.space == Space::File);
    Refusal::new(category, at.map(|at| at.offset), error)
}

//! Progress of a batch of files.

use std::io::IsTerminal;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// A bar on standard error, if that is a terminal and there are several files.
pub(crate) struct Progress {
    bar: ProgressBar,
}

impl Progress {
    pub(crate) fn new(files: usize, quiet: bool) -> Self {
        let shown = files > 1 && !quiet && std::io::stderr().is_terminal();
        let target = if shown { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
        let bar = ProgressBar::with_draw_target(Some(files as u64), target);
        if let Ok(style) = ProgressStyle::with_template("{wide_bar} {pos}/{len} files, {eta} left") {
            bar.set_style(style);
        }
        Self { bar }
    }

    /// Counts a finished file. Calls `print`, whose output appears above the bar.
    pub(crate) fn step<T>(&self, print: impl FnOnce() -> T) -> T {
        let printed = self.bar.suspend(print);
        self.bar.inc(1);
        printed
    }

    pub(crate) fn finish(&self) {
        self.bar.finish_and_clear();
    }
}

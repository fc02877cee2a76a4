//! Progress of a batch of files, and of a large image.

use std::io::IsTerminal;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// A progress bar on standard error. Only shown on a terminal and for long work.
pub(crate) struct Progress {
    bar: ProgressBar,
}

impl Progress {
    pub(crate) fn new(files: usize, quiet: bool) -> Self {
        Self::with_template(files as u64, files > 1 && !quiet, "{wide_bar} {pos}/{len} files, {eta} left")
    }

    /// Creates a bar for the rows of an image. Only images of millions of pixels take long.
    pub(crate) fn for_image(width: u32, height: u32, shown: bool) -> Self {
        let is_long = u64::from(width) * u64::from(height) >= 1 << 24;
        Self::with_template(height.into(), shown && is_long, "{wide_bar} {pos}/{len} rows, {eta} left")
    }

    fn with_template(length: u64, shown: bool, template: &str) -> Self {
        let shown = shown && std::io::stderr().is_terminal();
        let target = if shown { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
        let bar = ProgressBar::with_draw_target(Some(length), target);
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style);
        }
        Self { bar }
    }

    /// Shows the number of finished rows.
    pub(crate) fn set_position(&self, position: u32) {
        self.bar.set_position(position.into());
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

//! Findings about PID images.

use mapwright_io::{Finding, Findings, Severity, format_count};

use super::Document;
use crate::PidFlags;

impl Document {
    /// Returns everything that is unusual, the most severe first.
    pub fn validate(&self) -> Vec<Finding> {
        let mut findings = Findings::default();
        let is_skips = self.flags.has(PidFlags::SKIPS);
        if !is_skips && !self.width.is_multiple_of(4) {
            let text = format_args!("width {} is not a multiple of 4: Gruntz rejects the image", self.width);
            findings.add("image-width", Severity::Warning, text);
        }
        let runs = self.count_runs();
        if runs.empty > 0 && !is_skips {
            let text = format_args!("{} without pixels: Gruntz hangs on the image", format_count(runs.empty, "run"));
            findings.add("empty-run", Severity::Warning, text);
        }
        if runs.over_row > 0 && is_skips {
            let text = format!(
                "{} over the end of a row: Gruntz draws the following pixels in the wrong place",
                format_count(runs.over_row, "run")
            );
            findings.add("run-over-row", Severity::Warning, text);
        }
        if runs.excess > 0 {
            let text = format!("the last run has {} too many", format_count(runs.excess, "pixel"));
            findings.add("excess-pixels", Severity::Note, text);
        }
        if !self.trailing.is_empty() {
            let text = format!("{} after the last pixel", format_count(self.trailing.len(), "byte"));
            findings.add("trailing-bytes", Severity::Note, text);
        }
        if self.flags.unknown() != 0 {
            findings.add("unknown-flags", Severity::Note, format_args!("unknown flags {:#x}", self.flags.unknown()));
        }
        if self.description != 10 || self.reserved_1c != 0 {
            let text = format!("unusual header words {} and {}: expected 10 and 0", self.description, self.reserved_1c);
            findings.add("header-words", Severity::Note, text);
        }
        findings.finish()
    }
}

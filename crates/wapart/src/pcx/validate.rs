//! Findings about PCX files.

use mapwright_io::{Finding, Findings, Severity, format_count};

use super::Document;

impl Document {
    /// Returns everything that is unusual, the most severe first.
    pub fn validate(&self) -> Vec<Finding> {
        let mut findings = Findings::default();
        if self.planes == 1 && self.palette.is_none() {
            let text = "no palette: Gruntz uses the last 768 bytes of the pixels instead";
            findings.add("palette-missing", Severity::Warning, text);
        }
        if !self.width().is_multiple_of(2) {
            let text = format_args!("width {} is odd: Gruntz rejects the image", self.width());
            findings.add("image-width", Severity::Warning, text);
        }
        let runs = self.count_runs();
        if runs.excess > 0 {
            let text = format!("the last run has {} too many", format_count(runs.excess, "byte"));
            findings.add("excess-pixels", Severity::Note, text);
        }
        if !self.trailing.is_empty() {
            let text = format!("{} after the last pixel", format_count(self.trailing.len(), "byte"));
            findings.add("trailing-bytes", Severity::Note, text);
        }
        if self.version != 5 {
            findings.add("version", Severity::Note, format_args!("version {}: expected 5", self.version));
        }
        findings.finish()
    }
}

//! Findings about animations.

use mapwright_io::{Finding, Findings, Frame, Severity, format_count};

use super::Document;

/// Longest list of sounds that WapMap reads, in bytes.
const LONGEST_SOUNDS: usize = 255;

impl Document {
    /// Returns everything that is unusual, the most severe first.
    pub fn validate(&self) -> Vec<Finding> {
        let mut findings = Findings::default();
        if self.records.is_empty() {
            findings.add("no-records", Severity::Warning, "the animation has no records");
        }
        if (self.signature, self.reserved_04, self.flags, self.reserved_14) != (32, 0, 0, [0; 12]) {
            findings.add("header-words", Severity::Note, "unusual header words: expected 32, then zeros");
        }
        for (index, record) in self.records.iter().enumerate() {
            let unknown = [
                (record.step.name().is_none(), "step", record.step.0),
                (record.loop_mode.name().is_none(), "loop mode", record.loop_mode.0),
                (record.position.name().is_none(), "position mode", record.position.0),
                (record.event.name().is_none(), "event", record.event.0),
            ];
            for (_, what, code) in unknown.into_iter().filter(|(is_unknown, ..)| *is_unknown) {
                let finding = findings.add("unknown-code", Severity::Note, format_args!("unknown {what} {code}"));
                set_path(finding, index);
            }
            let length = record.sounds.as_ref().map_or(0, Vec::len);
            if length > LONGEST_SOUNDS {
                let text = format_args!("names of sounds take {length} bytes: WapMap reads up to {LONGEST_SOUNDS}");
                set_path(findings.add("sounds-length", Severity::Warning, text), index);
            }
        }
        if !self.trailing.is_empty() {
            let text = format!("{} after the last record", format_count(self.trailing.len(), "byte"));
            findings.add("trailing-bytes", Severity::Note, text);
        }
        findings.finish()
    }
}

/// Sets the path of a finding about a record, if it is listed.
fn set_path(finding: Option<&mut Finding>, record: usize) {
    if let Some(finding) = finding {
        finding.path = [Frame::Field("records"), Frame::Index(record)].into_iter().collect();
    }
}

//! Findings about documents that the lenient reader accepts.

use std::fmt::Display;

use mapwright_io::{Finding, Position, Severity};

use crate::compare::MapKeys;
use crate::read::offset_by;
use crate::survey::Occurrences;
use crate::{Document, Packing, Term, WriterProfile};

impl Document {
    /// Validates the document. Each kind of problem gives one finding, at its first occurrence, with the number of
    /// occurrences. Offsets count from the leading 131, or in the inflated data.
    ///
    /// | code | severity | when |
    /// |---|---|---|
    /// | `trailing-bytes` | note | bytes follow the term, the stream, or the term inside the stream |
    /// | `float-text` | note | text floats have the Windows format, or the formats of several profiles |
    /// | `float-text` | warning | a text float has a comma, bytes after its NUL, or matches no profile |
    /// | `float-text` | error | a text float is not a finite number |
    /// | `mixed-floats` | warning | there are both text and binary floats |
    /// | `atom-latin1` | note | a Latin-1 atom has a character above 126, which other programs misread |
    /// | `not-canonical` | note | no profile encodes the term in these bytes |
    /// | `duplicate-key`, `bad-utf8`, `bad-bits`, `not-finite`, `export-arity`, `local` | error | Erlang rejects the term, and only the lenient mode reads it |
    pub fn validate(&self) -> Vec<Finding> {
        let mut findings = Vec::new();
        self.check_trailing_bytes(&mut findings);
        self.check_terms(&mut findings);
        findings
    }

    fn check_trailing_bytes(&self, findings: &mut Vec<Finding>) {
        let term = self.tree().as_bytes().len();
        let mut report = |count: usize, part: &str, at: Option<Position>| {
            if count > 0 {
                let noun = if count == 1 { "byte" } else { "bytes" };
                let message = format!("{count} trailing {noun} after the {part}; Erlang ignores trailing bytes");
                let finding = Finding::new("trailing-bytes", Severity::Note, message);
                findings.push(match at {
                    Some(at) => finding.at(at),
                    None => finding,
                });
            }
        };
        match self.packing() {
            Packing::Plain => {
                report(self.trailing().len(), "term", Some(offset_by(Position::file(1), term)));
            }
            Packing::Compressed { trailing, .. } => {
                report(trailing.len(), "term inside the zlib stream", Some(Position::inflated(term as u64)));
                // 131, 80 and the size precede the stream.
                let end = self.stream().map(|stream| offset_by(Position::file(6), stream.len()));
                report(self.trailing().len(), "zlib stream", end);
            }
        }
    }

    /// Checks the terms.
    fn check_terms(&self, findings: &mut Vec<Finding>) {
        let tree = self.tree();
        let anomalies = &tree.survey().anomalies;
        let mut report = |code, severity, occurrences: Occurrences, message: &dyn Display| {
            if let Some(first) = occurrences.first.map(|location| tree.term(location)) {
                let message = match occurrences.count {
                    1 => message.to_string(),
                    count => format!("{message} ({count} times, first here)"),
                };
                findings.push(Finding::new(code, severity, message).with_path(first.path()).at(self.position(first)));
            }
        };
        for (code, message, occurrences) in &anomalies.rejected {
            report(code, Severity::Error, *occurrences, message);
        }
        let mut repeated = Occurrences::default();
        if anomalies.has_keys {
            MapKeys::from_term(tree.root()).repeated_keys().for_each(|key| repeated.count(key));
        }
        report("duplicate-key", Severity::Error, repeated, &"map contains the same key twice");
        let unmatched = "text float matches no known writer: it has a comma, bytes after its NUL, or unusual digits";
        report("float-text", Severity::Warning, anomalies.unmatched_floats, &unmatched);
        let mixed = "text floats have the formats of several writers: the file was saved on several platforms";
        report("float-text", Severity::Note, anomalies.mixed_floats, &mixed);
        if let Some(profiles) = anomalies.text_profiles.filter(|profiles| !profiles.contains(WriterProfile::Otp16)) {
            let names: Vec<&str> =
                WriterProfile::ALL.into_iter().filter(|&p| profiles.contains(p)).map(WriterProfile::name).collect();
            let first = Occurrences { count: 1, first: anomalies.text_floats.first };
            let message = format!("text floats have the Windows format ({})", names.join(", "));
            report("float-text", Severity::Note, first, &message);
        }
        if anomalies.text_floats.first.is_some() {
            let message = "binary floats are mixed with text floats: no single writer produces both";
            report("mixed-floats", Severity::Warning, anomalies.binary_floats, &message);
        }
        let latin1 = "atom has Latin-1 characters above 126, which programs that expect UTF-8 misread";
        report("atom-latin1", Severity::Note, anomalies.latin1, &latin1);
        let (profile, deviations) = WriterProfile::nearest(tree.root());
        // Files without deviations need no second walk.
        if deviations > 0
            && let Some(first) = profile.first_deviation(tree.root())
        {
            let message =
                format!("encoding matches no known writer; the nearest, {}, first differs here", profile.name());
            report("not-canonical", Severity::Note, Occurrences { count: 1, first: Some(first.location()) }, &message);
        }
    }

    fn position(&self, term: Term<'_>) -> Position {
        let at = term.range().start;
        match self.packing() {
            Packing::Plain => offset_by(Position::file(1), at),
            Packing::Compressed { .. } => offset_by(Position::inflated(0), at),
        }
    }
}

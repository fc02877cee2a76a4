//! What is odd about a document: nothing of it keeps a lenient reader from reading.

use std::fmt::Display;

use mapwright_io::{Finding, Position, Severity};

use crate::compare::Maps;
use crate::read::shifted;
use crate::survey::Places;
use crate::{Document, Packing, Profile, Term};

impl Document {
    /// Reports what is odd about the document: one finding for each sort of oddity, at its first place, with the number of
    /// places. Offsets count from the 131 in front, or in the inflated data.
    ///
    /// | code | severity | when |
    /// |---|---|---|
    /// | `trailing-bytes` | note | bytes follow the term, the stream, or the term inside the stream |
    /// | `float-text` | note | text floats are spelled as on Windows, or by several profiles |
    /// | `float-text` | warning | a text float has a comma, bytes behind its NUL, or is spelled as no profile does |
    /// | `float-text` | error | a text float is no finite number |
    /// | `mixed-floats` | warning | both text and binary floats |
    /// | `atom-latin1` | note | a Latin-1 atom has a character above 126, which other programs read wrongly |
    /// | `not-canonical` | note | no profile writes the term in these bytes |
    /// | `duplicate-key`, `bad-utf8`, `bad-bits`, `not-finite`, `export-arity`, `local` | error | what Erlang refuses and the lenient mode reads |
    pub fn validate(&self) -> Vec<Finding> {
        let mut findings = Vec::new();
        self.trailing_bytes(&mut findings);
        self.terms(&mut findings);
        findings
    }

    fn trailing_bytes(&self, findings: &mut Vec<Finding>) {
        let term = self.tree().as_bytes().len();
        let mut report = |count: usize, place: &str, at: Option<Position>| {
            if count > 0 {
                let message = format!("{count} bytes follow the {place}; Erlang ignores them");
                let finding = Finding::new("trailing-bytes", Severity::Note, message);
                findings.push(match at {
                    Some(at) => finding.at(at),
                    None => finding,
                });
            }
        };
        match self.packing() {
            Packing::Plain => {
                report(self.trailing().len(), "term", Some(shifted(Position::file(1), term)));
            }
            Packing::Compressed { trailing } => {
                report(trailing.len(), "term inside the zlib stream", Some(Position::inflated(term as u64)));
                // 131, 80 and the size stand before the stream.
                let end = self.stream().map(|stream| shifted(Position::file(6), stream.len()));
                report(self.trailing().len(), "zlib stream", end);
            }
        }
    }

    /// What the terms themselves show.
    fn terms(&self, findings: &mut Vec<Finding>) {
        let tree = self.tree();
        let oddities = &tree.survey().oddities;
        let mut report = |code, severity, places: Places, message: &dyn Display| {
            if let Some(first) = places.first.map(|place| tree.term(place)) {
                let message = match places.count {
                    1 => message.to_string(),
                    count => format!("{message} ({count} times, the first here)"),
                };
                findings.push(Finding::new(code, severity, message).on(first.path()).at(self.position(first)));
            }
        };
        for (code, message, places) in &oddities.refused {
            report(code, Severity::Error, *places, message);
        }
        let mut repeated = Places::default();
        if oddities.has_keys {
            Maps::of(tree.root()).repeated_keys().for_each(|key| repeated.count(key));
        }
        report("duplicate-key", Severity::Error, repeated, &"a map has the same key twice");
        let odd = "a text float is spelled as no writer spells it: a comma, bytes behind its NUL, or other digits";
        report("float-text", Severity::Warning, oddities.odd_floats, &odd);
        let mixed = "text floats are spelled by several writers: the file went through several platforms";
        report("float-text", Severity::Note, oddities.other_floats, &mixed);
        if let Some(profiles) = oddities.text_profiles.filter(|profiles| !profiles.contains(Profile::Otp16)) {
            let names: Vec<&str> =
                Profile::ALL.into_iter().filter(|&p| profiles.contains(p)).map(Profile::name).collect();
            let first = Places { count: 1, first: oddities.text_floats.first };
            let message = format!("text floats are spelled as on Windows ({})", names.join(", "));
            report("float-text", Severity::Note, first, &message);
        }
        if oddities.text_floats.first.is_some() {
            let message = "binary floats stand among text floats, as no single writer leaves them";
            report("mixed-floats", Severity::Warning, oddities.binary_floats, &message);
        }
        let latin1 = "an atom has Latin-1 characters above 126, which programs that expect UTF-8 misread";
        report("atom-latin1", Severity::Note, oddities.latin1, &latin1);
        let (profile, deviations) = Profile::nearest(tree.root());
        // Files that a writer wrote are not walked once more.
        if deviations > 0
            && let Some(first) = profile.first_deviation(tree.root())
        {
            let message = format!("no writer gives these bytes; {}, the nearest, first differs here", profile.name());
            report("not-canonical", Severity::Note, Places { count: 1, first: Some(first.place()) }, &message);
        }
    }

    fn position(&self, term: Term<'_>) -> Position {
        let at = term.range().start;
        match self.packing() {
            Packing::Plain => shifted(Position::file(1), at),
            Packing::Compressed { .. } => shifted(Position::inflated(0), at),
        }
    }
}

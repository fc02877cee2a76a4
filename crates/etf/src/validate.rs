//! What is odd about a document: nothing of it keeps a lenient reader from reading.

use std::fmt::Display;

use mapwright_io::{Finding, Position, Severity};

use crate::compare::Maps;
use crate::profile::Writers;
use crate::read::shifted;
use crate::{Document, Mode, Packing, Profile, Tag, Term, check};

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
        let root = self.tree().root();
        let mut lints = Lints::default();
        for term in root.descendants() {
            lints.term(term);
        }
        if lints.has_keys {
            for key in Maps::of(root).repeated_keys() {
                lints.duplicate_key.count(key);
            }
        }
        lints.report(root, &mut findings, |term| self.position(term));
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

    fn position(&self, term: Term<'_>) -> Position {
        let at = term.range().start;
        match self.packing() {
            Packing::Plain => shifted(Position::file(1), at),
            Packing::Compressed { .. } => shifted(Position::inflated(0), at),
        }
    }
}

/// Places of one sort of oddity.
#[derive(Default)]
struct Places<'t> {
    count: u64,
    first: Option<Term<'t>>,
}

impl<'t> Places<'t> {
    fn count(&mut self, term: Term<'t>) {
        self.count = self.count.saturating_add(1);
        self.first.get_or_insert(term);
    }
}

#[derive(Default)]
struct Lints<'t> {
    text_floats: Places<'t>,
    binary_floats: Places<'t>,
    /// Text floats that no profile writes.
    odd_floats: Places<'t>,
    /// Text floats that the first profile of `text_profiles` does not write.
    other_floats: Places<'t>,
    text_profiles: Option<Writers>,
    latin1: Places<'t>,
    /// Whether there is a map that could repeat a key.
    has_keys: bool,
    duplicate_key: Places<'t>,
    /// What Erlang refuses: code, message and places.
    refused: Vec<(&'static str, String, Places<'t>)>,
}

impl<'t> Lints<'t> {
    fn term(&mut self, term: Term<'t>) {
        let tag = term.tag();
        // Most terms of real files, of which nothing can be odd here.
        if let Tag::SMALL_INTEGER | Tag::INTEGER | Tag::NIL | Tag::BINARY | Tag::SMALL_TUPLE | Tag::LIST = tag {
            return;
        }
        let refused = check::leaf(term.as_bytes(), Mode::Strict);
        match tag {
            Tag::NEW_FLOAT => self.binary_floats.count(term),
            Tag::FLOAT => {
                self.text_floats.count(term);
                if refused.is_ok() {
                    self.text_float(term);
                }
            }
            Tag::ATOM | Tag::SMALL_ATOM => {
                let name = term.as_atom().map_or(&[][..], |atom| atom.as_bytes());
                if name.iter().any(|&byte| byte > 126) {
                    self.latin1.count(term);
                }
            }
            Tag::MAP => self.has_keys |= term.children().len() > 2,
            _ => {}
        }
        if let Err(kind) = refused {
            let code = kind.code();
            match self.refused.iter_mut().find(|(known, ..)| *known == code) {
                Some((.., places)) => places.count(term),
                None => self.refused.push((code, kind.to_string(), Places { count: 1, first: Some(term) })),
            }
        }
    }

    fn text_float(&mut self, term: Term<'t>) {
        let writers = Writers::of(term);
        if writers == Writers::NONE {
            return self.odd_floats.count(term);
        }
        let common = self.text_profiles.map_or(writers, |profiles| profiles.and(writers));
        if common == Writers::NONE {
            self.other_floats.count(term);
        } else {
            self.text_profiles = Some(common);
        }
    }

    fn report(self, root: Term<'t>, findings: &mut Vec<Finding>, position: impl Fn(Term<'t>) -> Position) {
        let mut report = |code, severity, places: Places<'t>, message: &dyn Display| {
            if let Some(first) = places.first {
                let message = match places.count {
                    1 => message.to_string(),
                    count => format!("{message} ({count} times, the first here)"),
                };
                findings.push(Finding::new(code, severity, message).on(first.path()).at(position(first)));
            }
        };
        for (code, message, places) in self.refused {
            report(code, Severity::Error, places, &message);
        }
        report("duplicate-key", Severity::Error, self.duplicate_key, &"a map has the same key twice");
        let odd = "a text float is spelled as no writer spells it: a comma, bytes behind its NUL, or other digits";
        report("float-text", Severity::Warning, self.odd_floats, &odd);
        let mixed = "text floats are spelled by several writers: the file went through several platforms";
        report("float-text", Severity::Note, self.other_floats, &mixed);
        if let Some(profiles) = self.text_profiles.filter(|profiles| !profiles.contains(Profile::Otp16)) {
            let names: Vec<&str> =
                Profile::ALL.into_iter().filter(|&p| profiles.contains(p)).map(Profile::name).collect();
            let first = Places { count: 1, first: self.text_floats.first };
            let message = format!("text floats are spelled as on Windows ({})", names.join(", "));
            report("float-text", Severity::Note, first, &message);
        }
        if self.text_floats.first.is_some() {
            let message = "binary floats stand among text floats, as no single writer leaves them";
            report("mixed-floats", Severity::Warning, self.binary_floats, &message);
        }
        let latin1 = "an atom has Latin-1 characters above 126, which programs that expect UTF-8 misread";
        report("atom-latin1", Severity::Note, self.latin1, &latin1);
        let (profile, deviations) = Profile::nearest(root);
        // Files that a writer wrote are not walked once more.
        if deviations > 0
            && let Some(first) = profile.first_deviation(root)
        {
            let message = format!("no writer gives these bytes; {}, the nearest, first differs here", profile.name());
            report("not-canonical", Severity::Note, Places { count: 1, first: Some(first) }, &message);
        }
    }
}

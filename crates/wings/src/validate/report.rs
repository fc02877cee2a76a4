//! Collecting findings: where they are, and what comes of them.

use std::cmp::Reverse;
use std::fmt::Display;

use mapwright_etf::Term;
use mapwright_io::{FaultKind, Finding, Findings, Frame, Path, Severity};

use crate::{Document, ReadError, ReadErrorKind};

/// What Wings 3D makes of something.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Fate {
    /// It refuses the file with a message.
    Refused,
    /// It crashes while it loads the file.
    Load,
    /// It loads an object that it cannot work with.
    Inconsistent,
    /// It does either of the two.
    LoadOrInconsistent,
    /// It loads the file and then crashes on every save.
    Save,
    /// It loads something else than stands there, or drops it on the next save; the message says what.
    Lost,
    /// This crate stops before it knows.
    Unchecked,
    /// Nothing.
    Note,
}

impl Fate {
    fn severity(self) -> Severity {
        match self {
            Self::Refused | Self::Load | Self::Inconsistent | Self::LoadOrInconsistent | Self::Save => Severity::Error,
            Self::Lost | Self::Unchecked => Severity::Warning,
            Self::Note => Severity::Note,
        }
    }

    /// What stands behind the description in a message.
    fn consequence(self) -> &'static str {
        match self {
            Self::Refused | Self::Lost | Self::Note => "",
            Self::Unchecked => {
                "; this crate reads no further and has checked no more of it, whatever Wings 3D makes of it"
            }
            Self::Load => "; Wings 3D crashes on loading the file",
            Self::Inconsistent => "; Wings 3D loads the object, but it is inconsistent and cannot be worked with",
            Self::LoadOrInconsistent => {
                "; Wings 3D crashes on loading the file, or loads an object that it cannot work with"
            }
            Self::Save => "; Wings 3D loads the file and then crashes on every save",
        }
    }
}

/// A place in the term and the way to it. It lives on the stack: only findings make paths.
#[derive(Debug, Clone, Copy)]
pub(super) struct Place<'p, 'd> {
    up: Option<&'p Place<'p, 'd>>,
    step: Step,
    /// The term, or the nearest one around it.
    pub(super) term: Term<'d>,
}

#[derive(Debug, Clone, Copy)]
enum Step {
    Root,
    Field(&'static str),
    Index(usize),
}

impl<'d> Place<'_, 'd> {
    pub(super) fn root(term: Term<'d>) -> Self {
        Self { up: None, step: Step::Root, term }
    }

    pub(super) fn field<'q>(&'q self, name: &'static str, term: Term<'d>) -> Place<'q, 'd> {
        Place { up: Some(self), step: Step::Field(name), term }
    }

    pub(super) fn index<'q>(&'q self, index: usize, term: Term<'d>) -> Place<'q, 'd> {
        Place { up: Some(self), step: Step::Index(index), term }
    }

    /// Puts the way to this place around a path that begins here.
    fn wrap(&self, path: &mut Path) {
        let mut place = Some(self);
        while let Some(Place { up, step, .. }) = place {
            match *step {
                Step::Root => {}
                Step::Field(name) => path.wrap(Frame::Field(name)),
                Step::Index(index) => path.wrap(Frame::Index(index)),
            }
            place = *up;
        }
    }
}

/// The first of many like places, and how many there are.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Tally {
    pub(super) first: usize,
    pub(super) count: usize,
}

impl Tally {
    pub(super) fn count(&mut self, index: usize) {
        if self.count == 0 {
            self.first = index;
        }
        self.count = self.count.saturating_add(1);
    }
}

/// The findings of one document.
pub(super) struct Report<'d> {
    document: &'d Document,
    findings: Findings,
}

impl<'d> Report<'d> {
    pub(super) fn new(document: &'d Document) -> Self {
        Self { document, findings: Findings::default() }
    }

    pub(super) fn add(&mut self, place: &Place<'_, 'd>, code: &'static str, fate: Fate, what: impl Display) {
        let message = format_args!("{what}{}", fate.consequence());
        if let Some(finding) = self.findings.add(code, fate.severity(), message) {
            place.wrap(&mut finding.path);
            finding.at = Some(self.document.position(place.term));
        }
    }

    /// Adds one finding for all places of a tally in the list at `place`.
    pub(super) fn many(
        &mut self,
        place: &Place<'_, 'd>,
        tally: Tally,
        code: &'static str,
        fate: Fate,
        what: impl Display,
    ) {
        let item = |index| super::prop::items(place.term).nth(index)?.term();
        let place = match tally.count {
            0 => return,
            _ => place.index(tally.first, item(tally.first).unwrap_or(place.term)),
        };
        match tally.count {
            1 => self.add(&place, code, fate, what),
            count => self.add(&place, code, fate, format!("{what} ({count} times, the first here)")),
        }
    }

    /// Adds a part that could not be read.
    pub(super) fn error(&mut self, place: &Place<'_, 'd>, error: &ReadError) {
        let code = error.kind().code();
        let fate = match error.kind() {
            ReadErrorKind::Input(FaultKind::Limit { .. }) => Fate::Unchecked,
            ReadErrorKind::Part { code: "id-type" | "id-negative" | "ring-broken", .. } => Fate::LoadOrInconsistent,
            ReadErrorKind::Part { .. } => Fate::Load,
            _ => Fate::Refused,
        };
        let message = format_args!("{}{}", error.kind(), fate.consequence());
        if let Some(finding) = self.findings.add(code, fate.severity(), message) {
            finding.path = error.path().frames().cloned().collect();
            place.wrap(&mut finding.path);
            finding.at = error.position();
        }
    }

    /// What was found, and what is odd about the terms as such; the worst first.
    pub(super) fn finish(self) -> Vec<Finding> {
        let mut all: Vec<Finding> = super::payload(self.document).collect();
        all.extend(self.findings.finish());
        all.sort_by_key(|finding| Reverse(finding.severity));
        all
    }
}

//! Collects findings, with their location and the reaction of Wings 3D.

use std::cmp::Reverse;
use std::fmt::Display;

use mapwright_etf::Term;
use mapwright_io::{FaultKind, Finding, Findings, Frame, Path, Severity};

use crate::{Document, ReadError, ReadErrorKind};

/// The reaction of Wings 3D to a fault.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum LoadOutcome {
    /// Wings 3D refuses the file with a message.
    Refused,
    /// Wings 3D crashes while it loads the file.
    CrashOnLoad,
    /// Wings 3D loads an object that it cannot work with.
    Inconsistent,
    /// Wings 3D crashes while it loads the file, or loads an object that it cannot work with.
    CrashOnLoadOrInconsistent,
    /// Wings 3D loads the file and then crashes on every save.
    CrashOnSave,
    /// Wings 3D reads something differently, or drops it on the next save. The message gives the details.
    DataLoss,
    /// Unknown, because this crate stops at a limit.
    Unchecked,
    /// Wings 3D accepts the file.
    Accepted,
}

impl LoadOutcome {
    fn severity(self) -> Severity {
        match self {
            Self::Refused
            | Self::CrashOnLoad
            | Self::Inconsistent
            | Self::CrashOnLoadOrInconsistent
            | Self::CrashOnSave => Severity::Error,
            Self::DataLoss | Self::Unchecked => Severity::Warning,
            Self::Accepted => Severity::Note,
        }
    }

    /// Returns the end of a message.
    fn consequence(self) -> &'static str {
        match self {
            Self::Refused | Self::DataLoss | Self::Accepted => "",
            Self::Unchecked => "; the rest was not checked",
            Self::CrashOnLoad => "; Wings 3D crashes on loading the file",
            Self::Inconsistent => "; Wings 3D loads the object, but cannot edit it",
            Self::CrashOnLoadOrInconsistent => {
                "; Wings 3D crashes on loading the file, or loads an object that it cannot work with"
            }
            Self::CrashOnSave => "; Wings 3D loads the file and then crashes on every save",
        }
    }
}

/// A term and its path. Locations are linked on the stack; only findings allocate a path.
#[derive(Debug, Clone, Copy)]
pub(super) struct Location<'p, 'd> {
    up: Option<&'p Location<'p, 'd>>,
    step: Step,
    /// The term, or the nearest term around it.
    pub(super) term: Term<'d>,
}

#[derive(Debug, Clone, Copy)]
enum Step {
    Root,
    Field(&'static str),
    Index(usize),
}

impl<'d> Location<'_, 'd> {
    pub(super) fn root(term: Term<'d>) -> Self {
        Self { up: None, step: Step::Root, term }
    }

    pub(super) fn field<'q>(&'q self, name: &'static str, term: Term<'d>) -> Location<'q, 'd> {
        Location { up: Some(self), step: Step::Field(name), term }
    }

    pub(super) fn index<'q>(&'q self, index: usize, term: Term<'d>) -> Location<'q, 'd> {
        Location { up: Some(self), step: Step::Index(index), term }
    }

    /// Prepends the path of this location to a path.
    fn wrap(&self, path: &mut Path) {
        let mut location = Some(self);
        while let Some(Location { up, step, .. }) = location {
            match *step {
                Step::Root => {}
                Step::Field(name) => path.wrap(Frame::Field(name)),
                Step::Index(index) => path.wrap(Frame::Index(index)),
            }
            location = *up;
        }
    }
}

/// The number of faults of one kind, with the index of the first one.
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

/// Collects the findings of one document.
pub(super) struct Report<'d> {
    document: &'d Document,
    findings: Findings,
}

impl<'d> Report<'d> {
    pub(super) fn new(document: &'d Document) -> Self {
        Self { document, findings: Findings::default() }
    }

    pub(super) fn add(
        &mut self,
        location: &Location<'_, 'd>,
        code: &'static str,
        outcome: LoadOutcome,
        what: impl Display,
    ) {
        let message = format_args!("{what}{}", outcome.consequence());
        if let Some(finding) = self.findings.add(code, outcome.severity(), message) {
            location.wrap(&mut finding.path);
            finding.at = Some(self.document.position(location.term));
        }
    }

    /// Adds one finding for all faults of a tally. Their indices refer to the list at `location`.
    pub(super) fn add_tally(
        &mut self,
        location: &Location<'_, 'd>,
        tally: Tally,
        code: &'static str,
        outcome: LoadOutcome,
        what: impl Display,
    ) {
        let item = |index| super::lookup::items(location.term).nth(index)?.term();
        let location = match tally.count {
            0 => return,
            _ => location.index(tally.first, item(tally.first).unwrap_or(location.term)),
        };
        match tally.count {
            1 => self.add(&location, code, outcome, what),
            count => self.add(&location, code, outcome, format!("{what} ({count} times, the first here)")),
        }
    }

    /// Adds the error of a part that cannot be read.
    pub(super) fn add_read_error(&mut self, location: &Location<'_, 'd>, error: &ReadError) {
        let code = error.kind().code();
        let outcome = match error.kind() {
            ReadErrorKind::Input(FaultKind::Limit { .. }) => LoadOutcome::Unchecked,
            ReadErrorKind::Part { code: "id-type" | "id-negative" | "ring-broken", .. } => {
                LoadOutcome::CrashOnLoadOrInconsistent
            }
            ReadErrorKind::Part { .. } => LoadOutcome::CrashOnLoad,
            _ => LoadOutcome::Refused,
        };
        let message = format_args!("{}{}", error.kind(), outcome.consequence());
        if let Some(finding) = self.findings.add(code, outcome.severity(), message) {
            finding.path = error.path().frames().cloned().collect();
            location.wrap(&mut finding.path);
            finding.at = error.position();
        }
    }

    /// Returns all findings, with those about the encoding of the term. The most severe ones come first.
    pub(super) fn finish(self) -> Vec<Finding> {
        let mut all: Vec<Finding> = super::term_findings(self.document).collect();
        all.extend(self.findings.finish());
        all.sort_by_key(|finding| Reverse(finding.severity));
        all
    }
}

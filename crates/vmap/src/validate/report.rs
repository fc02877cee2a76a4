//! Collects findings and their paths.

use std::cmp::Reverse;
use std::fmt;

use mapwright_dmx::{ElementId, ElementRef};
use mapwright_io::{Finding, Findings, Frame, Path, Severity};

use crate::Document;

/// Collects findings.
pub(super) struct Report<'d> {
    pub(super) map: &'d Document,
    findings: Findings,
}

impl<'d> Report<'d> {
    pub(super) fn new(map: &'d Document) -> Self {
        Self { map, findings: Findings::default() }
    }

    pub(super) fn error(&mut self, code: &'static str, location: Location<'_>, message: impl fmt::Display) {
        self.add(Severity::Error, code, location, message);
    }

    pub(super) fn warn(&mut self, code: &'static str, location: Location<'_>, message: impl fmt::Display) {
        self.add(Severity::Warning, code, location, message);
    }

    pub(super) fn note(&mut self, code: &'static str, location: Location<'_>, message: impl fmt::Display) {
        self.add(Severity::Note, code, location, message);
    }

    pub(super) fn add(
        &mut self,
        severity: Severity,
        code: &'static str,
        location: Location<'_>,
        message: impl fmt::Display,
    ) {
        if let Some(finding) = self.findings.add(code, severity, message) {
            finding.path = location.path();
        }
    }

    /// Returns all findings and the given ones, the most severe first.
    pub(super) fn finish(self, others: Vec<Finding>) -> Vec<Finding> {
        let mut all = self.findings.finish();
        all.extend(others);
        all.sort_by_key(|finding| Reverse(finding.severity));
        all
    }
}

/// Location of a finding. It is only formatted if the finding is kept.
pub(super) enum Location<'a> {
    File,
    /// An attribute of the root or of the prefix.
    Root(&'static str),
    Element(ElementRef<'a>),
    Attribute(ElementRef<'a>, &'a str),
    /// An attribute whose name comes from the file.
    Named(ElementRef<'a>, &'a [u8]),
    Item(ElementRef<'a>, &'static str, usize),
    /// Below an attribute.
    Below(ElementRef<'a>, &'static str, &'a Path),
}

impl Location<'_> {
    fn path(self) -> Path {
        let (element, rest) = match self {
            Self::File => return Path::new(),
            Self::Root(attribute) => return [Frame::Field(attribute)].into_iter().collect(),
            Self::Element(element) => (element, Vec::new()),
            Self::Attribute(element, name) => (element, vec![Frame::Name(name.to_owned())]),
            Self::Named(element, name) => (element, vec![Frame::Name(lossy(name))]),
            Self::Item(element, name, index) => (element, vec![Frame::Field(name), Frame::Index(index)]),
            Self::Below(element, name, path) => {
                (element, [Frame::Field(name)].into_iter().chain(path.frames().cloned()).collect())
            }
        };
        // Nodes are identified by their numbers.
        let number = element.int("nodeID").filter(|_| element.get("children").is_some());
        let own = match number.and_then(|number| usize::try_from(number).ok()) {
            Some(number) => [Frame::Field("nodes"), Frame::Index(number)],
            None => [Frame::Field("elements"), Frame::Index(element.id().index())],
        };
        own.into_iter().chain(rest).collect()
    }
}

/// Decodes the beginning of a text for a message.
pub(crate) fn lossy(text: &[u8]) -> String {
    String::from_utf8_lossy(text.get(..200).unwrap_or(text)).into_owned()
}

/// Returns `true` for each element in a set.
pub(super) fn marked(count: usize, ids: impl Iterator<Item = ElementId>) -> Vec<bool> {
    let mut marks = vec![false; count];
    for id in ids {
        if let Some(mark) = marks.get_mut(id.index()) {
            *mark = true;
        }
    }
    marks
}

//! The list of findings, and how their places are named.

use std::cmp::Reverse;

use mapwright_dmx::{ElementId, ElementRef};
use mapwright_io::{Finding, Frame, Path, Severity};

use crate::Document;

/// So many findings of one code are listed, the rest is counted.
const MOST: usize = 100;

pub(super) struct Report<'d> {
    pub(super) map: &'d Document,
    findings: Vec<Finding>,
    /// Each code that was found, with its severity and how often.
    counts: Vec<(&'static str, Severity, usize)>,
}

impl<'d> Report<'d> {
    pub(super) fn new(map: &'d Document) -> Self {
        Self { map, findings: Vec::new(), counts: Vec::new() }
    }

    pub(super) fn error(&mut self, code: &'static str, place: Place<'_>, message: impl Into<String>) {
        self.add(Severity::Error, code, place, message);
    }

    pub(super) fn warn(&mut self, code: &'static str, place: Place<'_>, message: impl Into<String>) {
        self.add(Severity::Warning, code, place, message);
    }

    pub(super) fn note(&mut self, code: &'static str, place: Place<'_>, message: impl Into<String>) {
        self.add(Severity::Note, code, place, message);
    }

    pub(super) fn add(&mut self, severity: Severity, code: &'static str, place: Place<'_>, message: impl Into<String>) {
        let index = self.counts.iter().position(|(known, ..)| *known == code);
        let index = index.unwrap_or_else(|| {
            self.counts.push((code, severity, 0));
            self.counts.len().saturating_sub(1)
        });
        let Some((_, _, count)) = self.counts.get_mut(index) else { return };
        *count = count.saturating_add(1);
        if *count <= MOST {
            self.findings.push(Finding::new(code, severity, message).on(place.path()));
        }
    }

    /// All findings with others, the worst first.
    pub(super) fn finish(mut self, others: Vec<Finding>) -> Vec<Finding> {
        for (code, severity, count) in self.counts {
            if let Some(more @ 1..) = count.checked_sub(MOST) {
                self.findings.push(Finding::new(code, severity, format!("and {more} more of these")));
            }
        }
        self.findings.extend(others);
        self.findings.sort_by_key(|finding| Reverse(finding.severity));
        self.findings
    }
}

/// Where something stands: nothing in it is made into text unless something is found there.
pub(super) enum Place<'a> {
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

impl Place<'_> {
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
        // Nodes are known by their numbers.
        let number = element.int("nodeID").filter(|_| element.get("children").is_some());
        let own = match number.and_then(|number| usize::try_from(number).ok()) {
            Some(number) => [Frame::Field("nodes"), Frame::Index(number)],
            None => [Frame::Field("elements"), Frame::Index(element.id().index())],
        };
        own.into_iter().chain(rest).collect()
    }
}

/// A text for people.
pub(crate) fn lossy(text: &[u8]) -> String {
    String::from_utf8_lossy(text.get(..200).unwrap_or(text)).into_owned()
}

/// Which elements are in a set.
pub(super) fn marked(count: usize, ids: impl Iterator<Item = ElementId>) -> Vec<bool> {
    let mut marks = vec![false; count];
    for id in ids {
        if let Some(mark) = marks.get_mut(id.index()) {
            *mark = true;
        }
    }
    marks
}

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

    pub(super) fn error(&mut self, code: &'static str, path: Path, message: impl Into<String>) {
        self.add(Finding::new(code, Severity::Error, message).on(path));
    }

    pub(super) fn warn(&mut self, code: &'static str, path: Path, message: impl Into<String>) {
        self.add(Finding::new(code, Severity::Warning, message).on(path));
    }

    pub(super) fn note(&mut self, code: &'static str, path: Path, message: impl Into<String>) {
        self.add(Finding::new(code, Severity::Note, message).on(path));
    }

    pub(super) fn add(&mut self, finding: Finding) {
        let index = self.counts.iter().position(|(known, ..)| *known == finding.code);
        let index = index.unwrap_or_else(|| {
            self.counts.push((finding.code, finding.severity, 0));
            self.counts.len().saturating_sub(1)
        });
        let Some((_, _, count)) = self.counts.get_mut(index) else { return };
        *count = count.saturating_add(1);
        if *count <= MOST {
            self.findings.push(finding);
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

/// The frames of an element: by its number if it is a node.
fn frames(element: ElementRef<'_>) -> [Frame; 2] {
    let number = element.int("nodeID").filter(|_| element.get("children").is_some());
    match number.and_then(|number| usize::try_from(number).ok()) {
        Some(number) => [Frame::Field("nodes"), Frame::Index(number)],
        None => [Frame::Field("elements"), Frame::Index(element.id().index())],
    }
}

/// The path of an element.
pub(super) fn on(element: ElementRef<'_>) -> Path {
    frames(element).into_iter().collect()
}

/// The path of an attribute.
pub(super) fn of(element: ElementRef<'_>, attribute: impl AsRef<[u8]>) -> Path {
    let name = Frame::Name(String::from_utf8_lossy(attribute.as_ref()).into_owned());
    frames(element).into_iter().chain([name]).collect()
}

/// The path of an item of an attribute.
pub(super) fn item(element: ElementRef<'_>, attribute: &'static str, index: usize) -> Path {
    frames(element).into_iter().chain([Frame::Field(attribute), Frame::Index(index)]).collect()
}

/// The path of an attribute of the root.
pub(super) fn root(attribute: &'static str) -> Path {
    [Frame::Field(attribute)].into_iter().collect()
}

/// A path below that of a node.
pub(super) fn below(element: ElementRef<'_>, attribute: &'static str, path: &Path) -> Path {
    frames(element).into_iter().chain([Frame::Field(attribute)]).chain(path.frames().cloned()).collect()
}

/// A text for people.
pub(super) fn lossy(text: &[u8]) -> String {
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

//! The list of findings, and how their places are named.

use mapwright_io::{Finding, Frame, Path, Severity};

use crate::{Attribute, Document, ElementId};

/// So many findings of one code are listed, the rest is counted.
const MOST: usize = 100;

pub(super) struct Report<'d> {
    pub(super) document: &'d Document,
    findings: Vec<Finding>,
    /// Each code that was found, with its severity and how often.
    counts: Vec<(&'static str, Severity, usize)>,
}

/// Where something stands: nothing in it is made into text unless something is found there.
#[derive(Clone, Copy)]
pub(super) enum Place<'d> {
    File,
    Field(&'static str),
    Element(ElementId),
    Attribute(Owner, &'d Attribute),
    Item(Owner, &'d Attribute, usize),
}

/// What has attributes.
#[derive(Clone, Copy)]
pub(super) enum Owner {
    Block(usize),
    Element(ElementId),
}

/// A string for people, cut if it is long: many findings may name it.
pub(super) fn short(string: &[u8]) -> String {
    const LONG: usize = 200;
    let text = String::from_utf8_lossy(string.get(..LONG).unwrap_or(string)).into_owned();
    if string.len() > LONG { text + "..." } else { text }
}

impl<'d> Report<'d> {
    pub(super) fn new(document: &'d Document) -> Self {
        Self { document, findings: Vec::new(), counts: Vec::new() }
    }

    pub(super) fn add(&mut self, severity: Severity, code: &'static str, place: Place<'d>, message: impl Into<String>) {
        let index = self.counts.iter().position(|(known, ..)| *known == code);
        let index = index.unwrap_or_else(|| {
            self.counts.push((code, severity, 0));
            self.counts.len().saturating_sub(1)
        });
        let Some((_, _, count)) = self.counts.get_mut(index) else { return };
        *count = count.saturating_add(1);
        if *count <= MOST {
            let path = self.path(place);
            self.findings.push(Finding::new(code, severity, message).on(path));
        }
    }

    pub(super) fn warn(&mut self, code: &'static str, place: Place<'d>, message: impl Into<String>) {
        self.add(Severity::Warning, code, place, message);
    }

    pub(super) fn error(&mut self, code: &'static str, place: Place<'d>, message: impl Into<String>) {
        self.add(Severity::Error, code, place, message);
    }

    pub(super) fn note(&mut self, code: &'static str, place: Place<'d>, message: impl Into<String>) {
        self.add(Severity::Note, code, place, message);
    }

    /// All findings, the worst first.
    pub(super) fn finish(mut self) -> Vec<Finding> {
        for (code, severity, count) in self.counts {
            if let Some(more @ 1..) = count.checked_sub(MOST) {
                self.findings.push(Finding::new(code, severity, format!("and {more} more of these")));
            }
        }
        self.findings.sort_by_key(|finding| std::cmp::Reverse(finding.severity));
        self.findings
    }

    fn path(&self, place: Place<'_>) -> Path {
        let owner = |owner| match owner {
            Owner::Block(index) => [Frame::Field("prefix"), Frame::Index(index)],
            Owner::Element(id) => [Frame::Field("elements"), Frame::Index(id.index())],
        };
        let name = |attribute: &Attribute| Frame::Name(short(self.document.string(attribute.name)));
        match place {
            Place::File => Path::new(),
            Place::Field(field) => [Frame::Field(field)].into_iter().collect(),
            Place::Element(id) => owner(Owner::Element(id)).into_iter().collect(),
            Place::Attribute(of, attribute) => owner(of).into_iter().chain([name(attribute)]).collect(),
            Place::Item(of, attribute, index) => {
                owner(of).into_iter().chain([name(attribute), Frame::Index(index)]).collect()
            }
        }
    }
}

//! The list of findings and their paths.

use std::fmt;

use mapwright_io::{Finding, Findings, Frame, Path, Severity};

use crate::{Attribute, Document, ElementId};

pub(super) struct Report<'d> {
    pub(super) document: &'d Document,
    findings: Findings,
}

/// The place of a finding. Its path is only created if there is a finding.
#[derive(Clone, Copy)]
pub(super) enum FindingPlace<'d> {
    File,
    Field(&'static str),
    Element(ElementId),
    Attribute(Owner, &'d Attribute),
    Item(Owner, &'d Attribute, usize),
}

/// The owner of attributes.
#[derive(Clone, Copy)]
pub(super) enum Owner {
    Block(usize),
    Element(ElementId),
}

/// Formats a string. Long ones are cut, because many findings can contain it.
pub(super) fn short(string: &[u8]) -> String {
    const MAX: usize = 200;
    let text = String::from_utf8_lossy(string.get(..MAX).unwrap_or(string)).into_owned();
    if string.len() > MAX { text + "..." } else { text }
}

impl<'d> Report<'d> {
    pub(super) fn new(document: &'d Document) -> Self {
        Self { document, findings: Findings::default() }
    }

    pub(super) fn add(
        &mut self,
        severity: Severity,
        code: &'static str,
        place: FindingPlace<'d>,
        message: impl fmt::Display,
    ) {
        if let Some(finding) = self.findings.add(code, severity, message) {
            finding.path = place.path(self.document);
        }
    }

    pub(super) fn warn(&mut self, code: &'static str, place: FindingPlace<'d>, message: impl fmt::Display) {
        self.add(Severity::Warning, code, place, message);
    }

    pub(super) fn error(&mut self, code: &'static str, place: FindingPlace<'d>, message: impl fmt::Display) {
        self.add(Severity::Error, code, place, message);
    }

    pub(super) fn note(&mut self, code: &'static str, place: FindingPlace<'d>, message: impl fmt::Display) {
        self.add(Severity::Note, code, place, message);
    }

    /// Returns all findings, the most severe first.
    pub(super) fn finish(self) -> Vec<Finding> {
        self.findings.finish()
    }
}

impl FindingPlace<'_> {
    fn path(self, document: &Document) -> Path {
        let owner = |owner| match owner {
            Owner::Block(index) => [Frame::Field("prefix"), Frame::Index(index)],
            Owner::Element(id) => [Frame::Field("elements"), Frame::Index(id.index())],
        };
        let name = |attribute: &Attribute| Frame::Name(short(document.string(attribute.name)));
        match self {
            Self::File => Path::new(),
            Self::Field(field) => [Frame::Field(field)].into_iter().collect(),
            Self::Element(id) => owner(Owner::Element(id)).into_iter().collect(),
            Self::Attribute(of, attribute) => owner(of).into_iter().chain([name(attribute)]).collect(),
            Self::Item(of, attribute, index) => {
                owner(of).into_iter().chain([name(attribute), Frame::Index(index)]).collect()
            }
        }
    }
}

//! The form of new text.

use crate::scene::classes::EQUATION_GAMES;
use crate::{Document, Face, Mapping, Primitive};

/// The form of new text.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Style {
    pub(super) game: String,
    pub(super) format: String,
    /// The number after `Version`. Its games have brushes of equations.
    pub(super) version: Option<u32>,
    /// `true` for textures of Valve 220.
    pub(super) is_valve: bool,
}

impl Style {
    /// Returns the form of a document, for parts that are added to it.
    pub(super) fn of_document(document: &Document) -> Self {
        let is_valve = |face: Face<'_>| matches!(face.mapping(), Mapping::Valve { .. });
        let version = EQUATION_GAMES.iter().map(|(_, version)| *version);
        let version = version.into_iter().find(|version| document.version() == Some(f64::from(*version)));
        let first = document.primitives().flat_map(Primitive::faces).next();
        Self { version, is_valve: first.is_some_and(is_valve), ..Self::default() }
    }

    pub(super) fn write_header(&self, text: &mut Vec<u8>) {
        let header = match self.version {
            Some(version) => format!("Version {version}\n"),
            None => format!("// Game: {}\n// Format: {}\n", self.game, self.format),
        };
        text.extend_from_slice(header.as_bytes());
    }

    /// Returns `true` if a face of an equation has three numbers after its material.
    pub(super) fn has_equation_numbers(&self) -> bool {
        self.version == Some(2)
    }
}

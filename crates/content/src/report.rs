//! The files that a level refers to, and the result for each.

use std::collections::HashMap;
use std::path::PathBuf;

use mapwright_io::Losses;

use crate::source::normalize;

/// The references of a level and their files.
#[derive(Debug, Clone, Default, PartialEq)]
#[non_exhaustive]
pub struct ResolveReport {
    /// Each path that the level or a resolved file refers to, once for each kind, in the order in which they were found.
    pub references: Vec<Reference>,
    /// Missing and undecodable files, one loss for each path, and content of the files that the scene does not contain.
    pub losses: Losses,
    /// The paths of the files that were read, and of sounds, sorted. For a file in an archive, this is the path of the archive and the path
    /// in it.
    pub files: Vec<PathBuf>,
    index: HashMap<(ReferenceKind, String), usize>,
}

/// A path that a level refers to.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Reference {
    /// The kind of the file.
    pub kind: ReferenceKind,
    /// The path as the level stores it.
    pub path: String,
    /// The number of uses. Uses of a material are the places of meshes and brushes
    /// with it, and the texture cells of terrains.
    pub uses: u64,
    /// The result.
    pub outcome: Outcome,
}

impl Reference {
    /// Returns a text with the path, a problem, and the number of uses.
    pub fn describe(&self, problem: &str) -> String {
        let Self { kind, path, uses, .. } = self;
        format!("{} {path:?}: {problem}; uses: {uses}", kind.name())
    }
}

/// The kind of a file that a level refers to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum ReferenceKind {
    /// A model, a terrain or a sprite.
    Model,
    /// A material or texture of the level.
    Material,
    /// An image of a material.
    Image,
    /// Another level.
    Prefab,
    /// A set of images of a level of Claw or Gruntz.
    ImageSet,
    /// A sound.
    Sound,
    /// A system of particles.
    Particles,
    /// A file of another kind.
    Other,
}

impl ReferenceKind {
    /// Returns the name as an identifier in JSON, with `-` between words.
    pub const fn code(self) -> &'static str {
        match self {
            Self::ImageSet => "image-set",
            kind => kind.name(),
        }
    }

    /// Returns the problem of a file of this kind that is missing.
    pub const fn missing_text(self) -> &'static str {
        match self {
            Self::Material => "no texture with this name",
            _ => "no such file",
        }
    }

    /// Returns the name in lower case.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Model => "model",
            Self::Material => "material",
            Self::Image => "image",
            Self::Prefab => "prefab",
            Self::ImageSet => "image set",
            Self::Sound => "sound",
            Self::Particles => "particles",
            Self::Other => "other",
        }
    }
}

/// The result for a path.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Outcome {
    /// The file was found. The path is relative to its root.
    Found(String),
    /// No file of the content has this path.
    Missing,
    /// The file exists, but was not decoded.
    Undecodable(String),
}

/// Returns the key under which a report lists a path: in lower case, with `/` between its names, and without `.` and `..`.
pub fn reference_key(path: &str) -> String {
    normalize(path).to_ascii_lowercase()
}

impl ResolveReport {
    /// Adds one use of a path.
    pub fn add(&mut self, kind: ReferenceKind, path: &str, outcome: Outcome) {
        self.add_uses(kind, path, outcome, 1);
    }

    /// Adds uses of a path. Paths that differ only in case, separators, `.` and `..` are one, with the spelling of the first. The first
    /// outcome that is not [`Outcome::Found`] remains.
    pub fn add_uses(&mut self, kind: ReferenceKind, path: &str, outcome: Outcome, uses: u64) {
        let key = reference_key(path);
        let index = *self.index.entry((kind, key)).or_insert(self.references.len());
        match self.references.get_mut(index) {
            Some(reference) => {
                reference.uses = reference.uses.saturating_add(uses);
                if matches!(reference.outcome, Outcome::Found(_)) {
                    reference.outcome = outcome;
                }
            }
            None => self.references.push(Reference { kind, path: path.to_owned(), uses, outcome }),
        }
    }

    /// Returns the number of references of a kind whose file is missing.
    pub fn missing(&self, kind: ReferenceKind) -> usize {
        let of_kind = self.references.iter().filter(|it| it.kind == kind);
        of_kind.filter(|it| it.outcome == Outcome::Missing).count()
    }

    /// Adds a loss for each missing and undecodable file. Sounds are not part of the result, so they are not lost.
    pub fn report_losses(&self, losses: &mut Losses) {
        for reference in self.references.iter().filter(|it| it.kind != ReferenceKind::Sound) {
            let text = match &reference.outcome {
                Outcome::Found(_) => continue,
                Outcome::Missing => reference.describe(reference.kind.missing_text()),
                Outcome::Undecodable(reason) => reference.describe(reason),
            };
            losses.dropped("content", text);
        }
    }
}

//! Files that a map refers to.

use hashbrown::HashSet;
use mapwright_io::escape_bytes;

use super::{Look, Report, Spot, entity};
use crate::{Document, EntityKind, Name};

/// The use of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum FileKind {
    /// A model, a sprite, a terrain or a compiled map.
    Model,
    /// A sound.
    Sound,
    /// The script of the level.
    Script,
    /// A texture file.
    Wad,
    /// A texture folder.
    Folder,
}

impl FileKind {
    /// Returns a word or two for the use.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Model => "model",
            Self::Sound => "sound",
            Self::Script => "script",
            Self::Wad => "texture file",
            Self::Folder => "texture folder",
        }
    }

    /// Returns the code of the finding about a missing file.
    const fn missing_code(self) -> &'static str {
        match self {
            Self::Model => "model-missing",
            Self::Sound => "sound-missing",
            Self::Script => "script-missing",
            Self::Wad => "wad-missing",
            Self::Folder => "folder-missing",
        }
    }
}

/// The result of looking for a file.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Presence {
    /// The file exists.
    Found,
    /// The file exists under a name with other letter case.
    OtherCase(String),
    /// The file does not exist.
    Missing,
    /// Unknown.
    Unknown,
}

pub(super) fn check(document: &Document, look: Option<&Look<'_>>, report: &mut Report) {
    let mut files = Files { look, seen: HashSet::new() };
    if let Some(wed) = &document.wed {
        for (place, source) in wed.wads.iter().enumerate() {
            sources(&source.path, ("wads", place, None), report);
            files.check_file(FileKind::Wad, &source.path, ("wads", place, None), report);
        }
        for (place, source) in wed.folders.iter().enumerate() {
            sources(&source.path, ("folders", place, None), report);
            files.check_file(FileKind::Folder, &source.path, ("folders", place, None), report);
        }
    }
    for (place, part) in document.entities.iter().enumerate() {
        match &part.kind {
            EntityKind::Level(level) => files.check_file(FileKind::Script, &level.script, entity(place), report),
            EntityKind::Model(model) => files.check_file(FileKind::Model, &model.file, entity(place), report),
            EntityKind::Sound(sound) => files.check_file(FileKind::Sound, &sound.file, entity(place), report),
            _ => {}
        }
    }
}

/// Checks the path of a texture file or folder.
fn sources(path: &Name, spot: Spot, report: &mut Report) {
    let bytes = path.as_bytes();
    let absolute = matches!(bytes, [b'/' | b'\\', ..] | [_, b':', ..]);
    if absolute {
        // Both kinds occur in real levels: 22 and 9 of them.
        let message = format_args!("\"{path}\" is an absolute path, which other computers do not have");
        report.note("wad-absolute", spot, message);
    }
    if bytes.last_chunk::<4>().is_some_and(|end| end.eq_ignore_ascii_case(b".$$w")) {
        report.note("wad-temporary", spot, format_args!("\"{path}\" is created by each build, and is empty before"));
    }
}

struct Files<'a> {
    look: Option<&'a Look<'a>>,
    seen: HashSet<(FileKind, Name)>,
}

impl Files<'_> {
    /// Looks for each file once.
    fn check_file(&mut self, kind: FileKind, name: &Name, spot: Spot, report: &mut Report) {
        let Some(look) = self.look.filter(|_| !name.is_empty()) else { return };
        if !self.seen.insert((kind, name.clone())) {
            return;
        }
        match look(kind, name) {
            Presence::Found | Presence::Unknown => {}
            Presence::Missing => {
                report.warning(kind.missing_code(), spot, format_args!("the {} \"{name}\" is missing", kind.word()));
            }
            Presence::OtherCase(found) => {
                let message =
                    format_args!("the {} \"{name}\" exists as \"{}\"", kind.word(), escape_bytes(found.as_bytes()));
                report.warning("file-case", spot, message);
            }
        }
    }
}

//! Files that a map names.

use hashbrown::HashSet;
use mapwright_io::escape_bytes;

use super::{Look, Report, Spot, entity};
use crate::{Document, EntityKind, Name};

/// What a file is to the map.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum FileKind {
    /// A model, a sprite, a terrain or a compiled map.
    Model,
    /// A sound.
    Sound,
    /// The script of the level.
    Script,
    /// A file of textures.
    Wad,
    /// A folder of textures.
    Folder,
}

impl FileKind {
    /// What it is, in a word or two.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Model => "model",
            Self::Sound => "sound",
            Self::Script => "script",
            Self::Wad => "file of textures",
            Self::Folder => "folder of textures",
        }
    }
}

/// Whether a file is there.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Presence {
    /// It is.
    Found,
    /// It is, under a name of other capitals and small letters.
    OtherCase(String),
    /// It is not.
    Missing,
    /// That cannot be said.
    Unknown,
}

pub(super) fn check(document: &Document, look: Option<&Look<'_>>, report: &mut Report) {
    let mut files = Files { look, seen: HashSet::new() };
    if let Some(wed) = &document.wed {
        for (place, source) in wed.wads.iter().enumerate() {
            sources(&source.path, ("wads", place, None), report);
            files.one(FileKind::Wad, &source.path, ("wads", place, None), report);
        }
        for (place, source) in wed.folders.iter().enumerate() {
            sources(&source.path, ("folders", place, None), report);
            files.one(FileKind::Folder, &source.path, ("folders", place, None), report);
        }
    }
    for (place, part) in document.entities.iter().enumerate() {
        match &part.kind {
            EntityKind::Level(level) => files.one(FileKind::Script, &level.script, entity(place), report),
            EntityKind::Model(model) => files.one(FileKind::Model, &model.file, entity(place), report),
            EntityKind::Sound(sound) => files.one(FileKind::Sound, &sound.file, entity(place), report),
            _ => {}
        }
    }
}

/// Paths of textures.
fn sources(path: &Name, spot: Spot, report: &mut Report) {
    let bytes = path.as_bytes();
    let absolute = matches!(bytes, [b'/' | b'\\', ..] | [_, b':', ..]);
    if absolute {
        report.warning("wad-absolute", spot, format_args!("\"{path}\" is a path of one machine"));
    }
    if bytes.last_chunk::<4>().is_some_and(|end| end.eq_ignore_ascii_case(b".$$w")) {
        report.warning(
            "wad-temporary",
            spot,
            format_args!("\"{path}\" is made anew by each build, and empty until then"),
        );
    }
}

struct Files<'a> {
    look: Option<&'a Look<'a>>,
    seen: HashSet<(FileKind, Name)>,
}

impl Files<'_> {
    /// Looks once for each file.
    fn one(&mut self, kind: FileKind, name: &Name, spot: Spot, report: &mut Report) {
        let Some(look) = self.look.filter(|_| !name.is_empty()) else { return };
        if !self.seen.insert((kind, name.clone())) {
            return;
        }
        match look(kind, name) {
            Presence::Found | Presence::Unknown => {}
            Presence::Missing => {
                report.warning("file-missing", spot, format_args!("the {} \"{name}\" is not there", kind.word()));
            }
            Presence::OtherCase(found) => {
                let message =
                    format_args!("the {} \"{name}\" is there as \"{}\"", kind.word(), escape_bytes(found.as_bytes()));
                report.warning("file-case", spot, message);
            }
        }
    }
}

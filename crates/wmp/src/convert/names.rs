//! Names of binary maps that text cannot store.

use crate::loss::{LossKind, Report};
use crate::read::text::lexer::comment_at;
use crate::{Dialect, Document, EntityKind, Name, Shape};

/// The position of a name in text.
#[derive(Clone, Copy)]
enum NamePosition {
    /// Alone on its line.
    Line,
    /// Alone on its line, where a section may begin instead.
    OptionalLine,
    /// In a comment.
    Comment,
    /// On a line with others.
    Word,
    /// In brackets.
    File,
}

impl NamePosition {
    /// Returns the part of a name that text can store here.
    fn storable_part(self, name: &[u8]) -> Vec<u8> {
        let end = |stop: u8| name.iter().position(|byte| *byte == stop).unwrap_or(name.len());
        let cut = |end: usize| name.get(..end).unwrap_or_default();
        let line = cut(end(b'\n'));
        match self {
            Self::Comment => line.trim_ascii().to_vec(),
            Self::File => cut(end(b'\n').min(end(b'>'))).to_vec(),
            Self::Line => {
                // Without leading spaces, a comment may begin.
                let line = line.trim_ascii();
                let line = line.get(..comment_at(line)).unwrap_or_default().trim_ascii();
                if line == b"}" { Vec::new() } else { line.to_vec() }
            }
            Self::OptionalLine => {
                let mut line = Self::Line.storable_part(name);
                while line.ends_with(b"{") {
                    line.pop();
                    line.truncate(line.trim_ascii_end().len());
                }
                line
            }
            Self::Word => {
                let mut word = line.trim_ascii();
                while let Some(rest) = word.strip_prefix(b"//") {
                    word = rest.trim_ascii_start();
                }
                word.iter().map(|byte| if byte.is_ascii_whitespace() { b'_' } else { *byte }).collect()
            }
        }
    }
}

/// Shortens names to what text can store.
pub(super) fn shorten(map: &mut Document, target: Dialect, report: &mut Report) {
    let mut shorten = |name: &mut Name, position: NamePosition, list: &'static str, at: usize| {
        let storable = position.storable_part(name.as_bytes());
        if storable != name.as_bytes() {
            report.part(true, LossKind::Approximated, list, at, "a name with spaces or marks that text cannot store");
            *name = storable.as_slice().into();
        }
    };
    let file = if target == Dialect::Resolved { NamePosition::Line } else { NamePosition::File };
    if let Some(wed) = map.wed.as_deref_mut() {
        for (list, sources) in [("wads", &mut wed.wads), ("folders", &mut wed.folders)] {
            for (at, source) in sources.iter_mut().enumerate() {
                shorten(&mut source.path, NamePosition::File, list, at);
            }
        }
    }
    for (at, object) in map.objects.iter_mut().enumerate() {
        shorten(&mut object.name, NamePosition::Comment, "objects", at);
    }
    for (at, block) in map.blocks.iter_mut().enumerate() {
        shorten(&mut block.material, NamePosition::Line, "blocks", at);
        if let Shape::Mesh(mesh) = &mut block.shape {
            for face in &mut mesh.faces {
                shorten(&mut face.texture, NamePosition::Word, "blocks", at);
                shorten(&mut face.material, NamePosition::Word, "blocks", at);
            }
        }
    }
    for (at, entity) in map.entities.iter_mut().enumerate() {
        let mut line = |name: &mut Name| shorten(name, NamePosition::Line, "entities", at);
        match &mut entity.kind {
            EntityKind::Level(level) => {
                // Resolved maps have no script.
                shorten(&mut level.script, NamePosition::File, "entities", at);
                shorten(&mut level.palette, file, "entities", at);
                shorten(&mut level.wad, file, "entities", at);
            }
            EntityKind::Start(start) => line(&mut start.name),
            EntityKind::Path(path) => line(&mut path.name),
            EntityKind::Sound(sound) => shorten(&mut sound.file, file, "entities", at),
            EntityKind::Model(model) => {
                line(&mut model.name);
                line(&mut model.action);
                model.tail.iter_mut().for_each(|name| shorten(name, NamePosition::OptionalLine, "entities", at));
                shorten(&mut model.file, file, "entities", at);
            }
            // Text cannot store regions.
            EntityKind::Light(_) | EntityKind::Region(_) => {}
        }
    }
}

//! Tilesets and templates in other files.

use std::collections::HashMap;

use mapwright_scene::{FileKind, FileSource};

use crate::view::{Map, Object, Template, Tileset};
use crate::{Document, DocumentKind, ReadError, ReadErrorKind, ReadOptions};

/// Maximum number of other files of a map.
const MAX_FILES: usize = 4096;

/// The documents that a map refers to, by their paths relative to the map. A missing one has the reason instead.
#[derive(Debug, Default)]
pub(super) struct ExternalFiles {
    documents: HashMap<String, Result<Document, String>>,
}

impl ExternalFiles {
    /// Loads the tilesets and templates of a map, and the tilesets of the templates.
    pub(super) fn load(map: Map<'_>, document: &Document, files: &dyn FileSource) -> Result<Self, ReadError> {
        let options = ReadOptions::default().with_limits(document.limits.clone());
        let mut external = Self::default();
        let sources = map.tilesets().filter_map(Tileset::source);
        let templates = map.all_layers().flat_map(crate::view::Layer::objects).filter_map(Object::template);
        let mut further = Vec::new();
        for source in sources.chain(templates) {
            external.load_one(&source, files, &options)?;
            if let Some(tileset) = external.template(&source).and_then(Template::tileset)
                && let Some(file) = tileset.source()
            {
                further.push(join(folder(&source), &file));
            }
        }
        for source in further {
            external.load_one(&source, files, &options)?;
        }
        Ok(external)
    }

    fn load_one(&mut self, path: &str, files: &dyn FileSource, options: &ReadOptions) -> Result<(), ReadError> {
        if self.documents.contains_key(path) {
            return Ok(());
        }
        if self.documents.len() >= MAX_FILES {
            let kind = ReadErrorKind::Limit { what: "tilesets and templates in other files", limit: MAX_FILES as u64 };
            return Err(ReadError::without_position(kind));
        }
        let document = match files.load(path, FileKind::Data) {
            Ok(bytes) => Ok(Document::from_vec_with(bytes, options).map_err(|error| error.in_file(path))?),
            Err(reason) => Err(reason.to_string()),
        };
        self.documents.insert(path.to_owned(), document);
        Ok(())
    }

    /// Returns the tileset of a file, or the reason why there is none.
    pub(super) fn tileset(&self, path: &str) -> Result<Tileset<'_>, String> {
        let document = self.documents.get(path).ok_or("file not found")?.as_ref().map_err(Clone::clone)?;
        document.as_tileset().ok_or_else(|| not_a(document.kind(), "tileset"))
    }

    /// Returns the template of a file.
    pub(super) fn template(&self, path: &str) -> Option<Template<'_>> {
        self.documents.get(path)?.as_ref().ok()?.as_template()
    }

    /// Returns the reason why a template is missing.
    pub(super) fn template_problem(&self, path: &str) -> String {
        match self.documents.get(path) {
            Some(Ok(document)) => not_a(document.kind(), "template"),
            Some(Err(reason)) => reason.clone(),
            None => "file not found".to_owned(),
        }
    }
}

fn not_a(found: DocumentKind, expected: &str) -> String {
    format!("expected a {expected}, found a {}", found.name())
}

/// Returns the folder of a path, with the separator at its end.
pub(super) fn folder(path: &str) -> &str {
    path.rfind(['/', '\\']).and_then(|end| path.get(..=end)).unwrap_or_default()
}

/// Resolves the path of a file relative to a folder.
pub(super) fn join(folder: &str, file: &str) -> String {
    let is_absolute = file.starts_with(['/', '\\']) || file.get(1..2) == Some(":");
    if is_absolute || folder.is_empty() {
        return file.to_owned();
    }
    // Parts such as `..` lead to the same file as other paths, which name the same tileset.
    let path = [folder, file].concat().replace('\\', "/");
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split('/') {
        match part {
            "." => {}
            ".." if parts.last().is_some_and(|last| !matches!(*last, ".." | "")) => drop(parts.pop()),
            part => parts.push(part),
        }
    }
    parts.join("/")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_relative_to_the_file_that_contains_them() {
        assert_eq!(join("", "a.png"), "a.png");
        assert_eq!(join("sets/", "a.png"), "sets/a.png");
        assert_eq!(join("sets/", "../a.png"), "a.png");
        assert_eq!(join("../sets/", "../../a.png"), "../../a.png");
        assert_eq!(join("sets\\", "x\\a.png"), "sets/x/a.png");
        assert_eq!(join("sets/", "/a.png"), "/a.png");
        assert_eq!(join("sets/", "C:\\a.png"), "C:\\a.png");
        assert_eq!([folder("a/b/c.tsx"), folder("c.tsx"), folder("a\\c.tsx")], ["a/b/", "", "a\\"]);
    }
}

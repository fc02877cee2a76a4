//! Tilesets and templates in other files.

use std::collections::HashMap;

use mapwright_scene::{FileKind, FileSource};

use crate::view::{Template, Tileset};
use crate::{Document, DocumentKind, ReadError, ReadErrorKind, ReadOptions, Reference, ReferenceKind, resolve_path};

/// Maximum number of other files of a map.
const MAX_FILES: usize = 4096;

/// The documents that a map refers to, by their paths relative to the map. A missing one has the reason instead.
#[derive(Debug, Default)]
pub(super) struct ExternalFiles {
    documents: HashMap<String, Result<Document, String>>,
}

impl ExternalFiles {
    /// Loads the tilesets and templates of a map, and the tilesets of the templates.
    pub(super) fn load(document: &Document, files: &dyn FileSource) -> Result<Self, ReadError> {
        let options = ReadOptions::default().with_limits(document.limits.clone());
        let mut external = Self::default();
        let mut further = Vec::new();
        for Reference { path, kind } in document.references() {
            if !matches!(kind, ReferenceKind::Tileset | ReferenceKind::Template) {
                continue;
            }
            external.load_one(&path, files, &options)?;
            if let Some(tileset) = external.template(&path).and_then(Template::tileset)
                && let Some(file) = tileset.source()
            {
                further.push(resolve_path(&path, &file));
            }
        }
        for path in further {
            external.load_one(&path, files, &options)?;
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

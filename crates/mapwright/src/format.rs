//! Questions about a format.

use mapwright_io::Confidence;
use mapwright_scene::{AxisChange, Capabilities, Losses, Scene};

use crate::formats::FormatEntry;
use crate::{Axis, ConvertOptions, Error, Format};

/// The operations that a format supports.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct Access {
    /// `true` if files are read as documents, inspected, checked, and written back without losing a byte.
    pub lossless: bool,
    /// `true` if files can be converted to a scene.
    pub import: bool,
    /// `true` if files can be created from a scene.
    pub export: bool,
}

impl Format {
    /// Returns the formats that this build can read or write, in the order of [`ALL`](Self::ALL).
    pub fn available() -> impl Iterator<Item = Self> + Clone {
        Self::ALL.iter().copied().filter(|format| format.is_available())
    }

    /// Returns `true` if this build can read or write the format.
    pub const fn is_available(self) -> bool {
        self.entry().is_some()
    }

    /// Returns the implementation of the format.
    ///
    /// # Errors
    /// [`Error::Unavailable`] if this build does not have it.
    pub(crate) fn require(self) -> Result<&'static FormatEntry, Error> {
        self.entry().ok_or(Error::Unavailable(self))
    }

    /// Returns the short name in lower case, as on the command line.
    pub const fn name(self) -> &'static str {
        self.info().name
    }

    /// Returns the operations that this build supports.
    pub const fn access(self) -> Access {
        match self.entry() {
            Some(entry) => {
                Access { lossless: entry.lossless, import: entry.imports, export: entry.write_scene.is_some() }
            }
            None => Access { lossless: false, import: false, export: false },
        }
    }

    /// Returns `true` if [`convert`](crate::convert()) can write files of this format as the other one, through a scene or as another
    /// encoding of the same document.
    pub fn converts_to(self, to: Self) -> bool {
        let has_encoding = || self.entry().is_some_and(|entry| entry.encodings.contains(&to));
        self.access().import && to.access().export || has_encoding()
    }

    /// Returns the change from the axes of files, as [`axes`](Self::axes) describes them, to those of scenes.
    pub fn axis_change(self) -> AxisChange {
        self.entry().map_or(AxisChange::NONE, |entry| entry.axis_change)
    }

    /// Returns `true` if files contain something that can be rendered: tile layers, terrain or solids.
    pub fn is_drawn(self) -> bool {
        self.has(|entry| entry.is_drawn)
    }

    /// Returns `true` if files are images, few of which are heightmaps. Searches of folders skip them.
    pub fn is_image(self) -> bool {
        self.has(|entry| entry.is_image)
    }

    /// Gives faces that games do not draw a [tool material](crate::scene::Material::is_tool), for formats that mark faces instead of
    /// materials, so that images do not show them.
    pub fn mark_tools(self, scene: &mut Scene) {
        if let Some(entry) = self.entry() {
            let options = ConvertOptions::default().with_keep_hidden_faces(true);
            (entry.adapt_scene)(scene, Self::Map, &options, &mut Losses::new());
        }
    }

    /// Returns `true` for terrains of games. Heightmaps are none.
    pub fn is_terrain(self) -> bool {
        self.has(|entry| entry.is_terrain)
    }

    /// Returns `true` for heightmaps.
    pub const fn is_heightmap(self) -> bool {
        matches!(
            self,
            Self::Asc | Self::Tif | Self::HeightPng | Self::Xyz | Self::Bil | Self::Flt | Self::R16 | Self::R32
        )
    }

    /// Returns `true` if documents contain text in code pages: bytes whose encoding the file does not state.
    pub fn has_code_pages(self) -> bool {
        self.has(|entry| entry.has_code_pages)
    }

    /// Returns the axes and the unit of coordinates as text. `None` for formats without geometry.
    pub fn axes(self) -> Option<&'static str> {
        self.entry()?.axes
    }

    /// Returns the content that [`AnyDocument::diff`](crate::AnyDocument::diff) compares, as text. `None` for formats without documents.
    pub fn compared_content(self) -> Option<&'static str> {
        self.entry()?.compared_content
    }

    /// Returns the axis that points up, if the format fixes it.
    pub fn up_axis(self) -> Option<Axis> {
        self.entry()?.up
    }

    /// Returns the features of scenes that files can store. `None` if files cannot be [created](Access::export) from a scene.
    pub fn capabilities(self) -> Option<Capabilities> {
        self.entry()?.capabilities.map(|capabilities| capabilities())
    }

    /// Returns the JSON Schema (2020-12) of dumps of this format, which [`write_dump`](crate::AnyDocument::write_dump) writes and
    /// [`from_dump`](crate::AnyDocument::from_dump) reads. `None` for formats without a dump.
    ///
    /// The schema is self-contained, describes every field, and accepts everything that `from_dump` accepts, with three exceptions. It
    /// cannot require that a whole number is written without a point. Constraints between fields are only checked by `from_dump`, such as
    /// the number of cells in a row. Objects are not also accepted as arrays of their values.
    pub fn dump_schema(self) -> Option<&'static str> {
        self.entry()?.dump_schema
    }

    /// Returns `true` if files can be read as this format, as a document or as a scene.
    pub(crate) fn is_read(self) -> bool {
        self.has(|entry| entry.lossless || entry.imports)
    }

    /// Returns a property of the format; `false` if this build does not have the format.
    pub(crate) fn has(self, property: fn(&FormatEntry) -> bool) -> bool {
        self.entry().is_some_and(property)
    }

    /// Finds a format by its name or an extension, in any case: `wings`, `GLB`.
    pub fn from_name(name: &str) -> Option<Self> {
        let is_equal = |text: &&str| text.eq_ignore_ascii_case(name);
        let by_name = Self::ALL.iter().find(|format| is_equal(&format.name()));
        by_name.or_else(|| Self::ALL.iter().find(|format| format.info().extensions.iter().any(&is_equal))).copied()
    }

    /// Finds the format for the name of a file by its longest known extension, as in `island.cells.png`.
    pub fn from_path(path: &std::path::Path) -> Option<Self> {
        let name = path.file_name()?.to_string_lossy();
        // Each extension of two words belongs to one format.
        let words = name.rsplit_once('.').and_then(|(stem, _)| stem.rsplit_once('.')).map(|(stem, _)| stem.len() + 1);
        let long = words.and_then(|at| Self::from_name(name.get(at..)?));
        long.or_else(|| Self::from_name(path.extension()?.to_str()?))
    }

    /// Returns `true` if a file name ends as files of this format do. The last word of an extension is enough.
    pub fn suits(self, path: &std::path::Path) -> bool {
        let Some(ending) = path.extension().and_then(|ending| ending.to_str()) else { return false };
        let last =
            |extension: &&str| extension.rsplit('.').next().is_some_and(|last| last.eq_ignore_ascii_case(ending));
        ending.eq_ignore_ascii_case(self.name()) || self.info().extensions.iter().any(last)
    }

    /// Recognizes bytes of this format. The first few kilobytes of a file are enough.
    pub fn sniff(self, prefix: &[u8]) -> Confidence {
        self.entry().map_or(Confidence::No, |entry| (entry.sniff)(prefix))
    }
}

impl std::fmt::Display for Format {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(self.name())
    }
}

impl serde::Serialize for Format {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_extensions_belong_to_one_format() {
        for &format in Format::ALL {
            assert_eq!(Format::from_name(format.name()), Some(format));
            for extension in format.info().extensions {
                assert_eq!(Format::from_name(&extension.to_uppercase()), Some(format), "{extension}");
            }
        }
        assert_eq!(Format::from_name("docx"), None);
        let names = ["a.png", "a.cells.png", "a.b.asc", "cells.png", ".cells.png", "asc"];
        let formats = names.map(|name| Format::from_path(name.as_ref()).map(Format::name));
        let (height, cells) = (Some("heightpng"), Some("cellpng"));
        assert_eq!(formats, [height, cells, Some("asc"), height, cells, None]);
        assert!(Format::CellPng.suits("a.PNG".as_ref()) && !Format::CellPng.suits("png".as_ref()));
    }

    #[test]
    fn formats_without_their_feature_name_it() {
        for &format in Format::ALL {
            let result = crate::AnyDocument::from_bytes_as(b"", format, &crate::ReadOptions::default());
            match format.feature().filter(|_| !format.is_available()) {
                None => assert!(!matches!(result, Err(Error::Unavailable(_))), "{format}"),
                Some(feature) => {
                    let error = result.unwrap_err();
                    assert!(matches!(error, Error::Unavailable(_)), "{format}: {error}");
                    assert!(error.help().unwrap().contains(feature), "{format}");
                }
            }
        }
    }
}

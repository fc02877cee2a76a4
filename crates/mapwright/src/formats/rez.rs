//! REZ archives.

use std::borrow::Cow;
use std::io::{self, Write};

use mapwright_io::Finding;
use mapwright_rez::{Document, Overview, ReadOptions as RezOptions};
use serde::Serialize;

use super::FormatEntry;
use crate::diff::DocumentDiff;
use crate::document::{FormatDocument, document_access};
use crate::info::Summary;
use crate::json::JsonLayout;
use crate::{Error, FilesBeside, Format};

pub(super) static ENTRY: FormatEntry = FormatEntry {
    lossless: true,
    compared_content: Some("header, directories and files, matched by their paths or their data"),
    dump_schema: Some(include_str!("../../schemas/rez.schema.json")),
    sniff: mapwright_rez::sniff,
    read: |bytes, _, options| {
        let options = RezOptions::default().with_limits(options.limits.clone());
        let document = match bytes {
            Cow::Owned(bytes) => Document::from_vec_with(bytes, &options)?,
            Cow::Borrowed(bytes) => Document::from_bytes_with(bytes, &options)?,
        };
        Ok(document.into())
    },
    read_dump: Some(|dump, _| Ok(dump.part::<Document>("archive")?.into())),
    ..FormatEntry::BASE
};

document_access!(Document, "a REZ archive", as_rez, as_rez_mut, into_rez);

/// A summary of a REZ archive.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct RezInfo {
    /// The title in the header.
    pub title: String,
    /// Counts of the whole archive.
    #[serde(flatten)]
    pub overview: Overview,
    /// All files, in the order of the archive.
    pub list: Vec<RezFile>,
}

/// A file in a REZ archive.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct RezFile {
    /// Size in bytes.
    pub bytes: u32,
    /// The path with slashes, with names that are valid on all systems, as commands take it.
    pub path: String,
}

impl RezInfo {
    /// Summarizes an archive.
    pub fn new(archive: &Document) -> Self {
        let file = |(item, file): (mapwright_rez::Item<'_>, &mapwright_rez::File)| RezFile {
            bytes: file.size(),
            path: item.safe_path(),
        };
        Self {
            title: mapwright_io::escape_bytes(archive.header.title.text().trim_ascii()),
            overview: archive.overview(),
            list: archive.files().map(file).collect(),
        }
    }
}

impl FormatDocument for Document {
    fn format(&self) -> Format {
        Format::Rez
    }

    fn to_bytes(&self) -> Result<Vec<u8>, Error> {
        Ok(self.to_bytes()?)
    }

    fn validate(&self) -> Vec<Finding> {
        self.validate()
    }

    fn summarize(&self, _files: Option<&FilesBeside>) -> Summary {
        Summary::new().with("rez", &RezInfo::new(self))
    }

    fn write_dump_parts(&self, out: &mut dyn Write, _layout: JsonLayout) -> io::Result<()> {
        out.write_all(b",\"archive\":")?;
        serde_json::to_writer(out, self).map_err(Into::into)
    }

    fn diff(&self, other: &dyn FormatDocument) -> Option<DocumentDiff> {
        let diff = mapwright_rez::diff::Diff::between(self, super::same_type(other)?);
        Some(DocumentDiff::new("archive", diff.is_empty(), diff))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use mapwright_io::Confidence;

    #[test]
    fn archives_list_their_files() {
        assert_eq!(mapwright_rez::FORMAT, Format::Rez.info());
        let mut archive = Document::new();
        archive.add("LEVEL1\\MAIN.PAL", b"palette".to_vec(), None).unwrap();
        archive.add(b"LEVEL1\\\xC9.PID", Vec::new(), None).unwrap();
        let bytes = archive.to_bytes().unwrap();
        assert_eq!(Format::Rez.sniff(&bytes), Confidence::Certain);
        assert_eq!(Format::Rez.sniff(&bytes[1..]), Confidence::No);
        let info = RezInfo::new(&archive);
        let files: Vec<_> = info.list.iter().map(|file| (file.path.as_str(), file.bytes)).collect();
        assert_eq!(files, [("LEVEL1/MAIN.PAL", 7), ("LEVEL1/%c9.PID", 0)]);
        assert_eq!(info.overview.directories, 1);
        assert!(info.title.starts_with("RezMgr Version 1 "), "{}", info.title);
    }
}

//! Element graphs as JSON.

use std::io::{self, Write};

use mapwright_dmx::{Document, DocumentData};

use super::{Spelling, invalid_data, refused};
use crate::{Error, ReadOptions};

/// Writes an element graph as JSON in one line, with everything that the file contains: see [`DocumentData`].
/// [`AnyDocument::from_dump`](crate::AnyDocument::from_dump) builds the same file from it.
///
/// # Errors
/// Those of the writer.
pub fn write_graph_json(out: &mut dyn Write, graph: &Document) -> io::Result<()> {
    serde_json::to_writer(out, graph).map_err(Into::into)
}

/// Builds a graph. Older dumps have its `source` in a field beside it.
pub(crate) fn build_graph(data: DocumentData, spelling: Spelling, options: &ReadOptions) -> Result<Document, Error> {
    if spelling.profile.is_some() || spelling.packing.is_some() {
        return Err(refused("spelling: a graph has a source alone".to_owned()));
    }
    let data = match spelling.source {
        Some(source) => {
            let source = source.get().ok_or_else(|| refused("spelling.source: no bytes".to_owned()))?;
            data.with_source(source)
        }
        None => data,
    };
    data.into_document(&options.dmx()).map_err(invalid_data)
}

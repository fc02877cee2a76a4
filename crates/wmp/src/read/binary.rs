//! WMPB: a mark, and chunks to the end of the file.
//!
//! Nodes are read without recursion, so that no nesting overflows the stack. Unknown and misplaced chunks are preserved as
//! [`Chunk`](crate::Chunk). Errors are for what could not be written again: chunks that exceed their parent, arrays with wrong
//! counts, nodes without a position.

mod block;
mod chunk;
mod entity;
mod node;

use std::sync::Arc;

use mapwright_io::{Budget, Context as _, Input, Limits};

use self::chunk::{ChunkReader, Raw, Spare, next, text};
use self::node::Tree;
use crate::chunk::{BLOCK, CREATED, FOLDER, INFO, NODE, PALETTE, WAD, WED};
use crate::document::{Origin, Part, Source};
use crate::read::shared::Shared;
use crate::{
    Block, Counts, Dialect, Document, Entity, EntityKind, Header, LineEnd, ReadError, ReadErrorKind, TextureSource, Wed,
};

/// State of reading.
struct Reader<'b> {
    budget: &'b mut Budget,
    shared: &'b mut Shared,
    spare: Spare,
}

/// Reads a binary map.
pub(super) fn read(bytes: &[u8], budget: &mut Budget) -> Result<Document, ReadError> {
    let mut shared = Shared::new();
    let mut reader = Reader { budget, shared: &mut shared, spare: Spare::new() };
    let mut input = Input::new(bytes);
    input.take(4)?;
    let mut row = ChunkReader::default();
    let (mut header, mut wed, mut tree) = (None, None, None);
    while let Some(raw) = next(&mut input)? {
        match raw.id {
            INFO if header.is_none() => header = Some((info(&raw).in_field("header")?, raw.origin())),
            WED if wed.is_none() => wed = Some(Part::read(settings(&raw).in_field("wed")?, raw.origin())),
            NODE if tree.is_none() => {
                let stated = header.as_ref().and_then(|(header, _): &(Header, _)| header.counts);
                tree = Some(Tree::read(&raw, stated, &mut reader)?);
            }
            _ => {
                row.keep(&raw);
                continue;
            }
        }
        row.known();
    }
    let Some(tree) = tree else {
        let kind = ReadErrorKind::Expected { expected: "the root node", found: "the end of the file".to_owned() };
        return Err(ReadError::new(kind, input.position()));
    };
    let (mut header, origin): (Header, _) = header.unwrap_or_default();
    header.around = row.finish();
    let Tree { blocks, entities, objects, .. } = tree;
    let source = Source {
        id: Source::next_id(),
        bytes: Vec::new(),
        end: bytes.len(),
        unusual: false,
        close: 0..0,
        sun: 0..0,
        counts: [blocks.len(), entities.len(), objects.len()],
        wed: wed.is_some(),
        dialect: Dialect::Binary,
        line_end: LineEnd::Crlf,
    };
    // A file without an info chunk is treated as one with an empty info chunk.
    let origin = origin.or_else(|| Origin::new(0..0));
    Ok(Document {
        dialect: Dialect::Binary,
        line_end: LineEnd::Crlf,
        header: Part::read(header, origin),
        wed,
        blocks,
        entities,
        objects,
        source: Some(Arc::new(source)),
    })
}

/// Chunks of the file that was read. Parts with the same value are written by copying their chunk. A part may have been replaced
/// by another, so its value is compared with that of the chunk.
pub(crate) struct Originals<'a> {
    bytes: &'a [u8],
    budget: Budget,
    shared: Shared,
}

impl<'a> Originals<'a> {
    /// Returns the chunks of the file that a document was read from, if that was a binary file.
    pub(crate) fn from_document(document: &'a Document) -> Self {
        let source = document.source.as_ref().filter(|source| source.dialect == Dialect::Binary);
        let bytes = source.map_or(&[][..], |source| &source.bytes);
        // The file was within the limits when it was read.
        let limits = Limits::default().with_max_items(u64::MAX);
        Self { bytes, budget: Budget::new(&limits), shared: Shared::new() }
    }

    /// Returns the chunk of the settings of the editor, if its value is the same.
    pub(crate) fn wed(&mut self, wed: &Part<Wed>) -> Option<&'a [u8]> {
        self.original(wed, WED, |raw, _| settings(raw).ok())
    }

    /// Returns the chunk of a block, if its value is the same.
    pub(crate) fn block(&mut self, block: &Part<Block>) -> Option<&'a [u8]> {
        self.original(block, BLOCK, |raw, reader| block::read(raw, block.number, reader).ok())
    }

    /// Returns the chunk of an entity, if its value is the same.
    pub(crate) fn entity(&mut self, entity: &Part<Entity>, id: u16) -> Option<&'a [u8]> {
        self.original(entity, id, |raw, reader| {
            let mut found = entity::read(raw, entity.number, reader).ok()??;
            // The scale is stored in the node.
            if let (EntityKind::Model(found), EntityKind::Model(model)) = (&mut found.kind, &entity.kind) {
                found.scale = model.scale;
            }
            Some(found)
        })
    }

    fn original<T: PartialEq>(
        &mut self,
        part: &Part<T>,
        id: u16,
        read: impl FnOnce(&Raw<'_>, &mut Reader<'_>) -> Option<T>,
    ) -> Option<&'a [u8]> {
        let origin = part.origin()?;
        let mut input = Input::new(self.bytes.get(origin.range())?);
        let raw = next(&mut input).ok()?.filter(|raw| raw.id == id && input.is_empty())?;
        if origin.is_pristine() {
            return Some(raw.whole);
        }
        let mut reader = Reader { budget: &mut self.budget, shared: &mut self.shared, spare: Spare::new() };
        (read(&raw, &mut reader)? == **part).then_some(raw.whole)
    }
}

/// Reads the info chunk.
fn info(raw: &Raw<'_>) -> Result<Header, ReadError> {
    let mut body = raw.body.clone();
    let [version, second, objects, blocks, entities, last] =
        [body.u32_le()?, body.u32_le()?, body.u32_le()?, body.u32_le()?, body.u32_le()?, body.u32_le()?];
    let mut header = Header {
        counts: Some(Counts { blocks, entities, objects }),
        words: [version, second, last],
        ..Header::default()
    };
    let mut row = ChunkReader::default();
    while let Some(raw) = next(&mut body)? {
        let created = (raw.id == CREATED && header.generator.is_empty() && header.created.is_empty())
            .then(|| created(text(&raw.body)?))
            .flatten();
        row.known_if(created.is_some(), &raw);
        if let Some((day, program)) = created {
            (header.created, header.generator) = (day.into(), program.into());
        }
    }
    header.extra = row.finish();
    Ok(header)
}

/// Reads date and program from `file created: 31.07.2014, wmpio (1.30)` and a line feed.
fn created(text: &[u8]) -> Option<(&[u8], &[u8])> {
    let text = text.strip_prefix(b"file created: ")?.strip_suffix(b"\n")?;
    let comma = text.windows(2).position(|bytes| bytes == b", ")?;
    let (day, program) = (text.get(..comma)?, text.get(comma.saturating_add(2)..)?);
    (!day.is_empty() || !program.is_empty()).then_some((day, program))
}

/// Reads the settings of the editor.
fn settings(raw: &Raw<'_>) -> Result<Wed, ReadError> {
    let mut wed = Wed::default();
    // Sources are short. Counting them first avoids lists with unused capacity.
    let mut body = raw.body.clone();
    let (mut wads, mut folders) = (0_usize, 0_usize);
    while let Some(raw) = next(&mut body)? {
        match raw.id {
            WAD => wads = wads.saturating_add(1),
            FOLDER => folders = folders.saturating_add(1),
            _ => {}
        }
    }
    wed.wads.reserve_exact(wads);
    wed.folders.reserve_exact(folders);
    let mut body = raw.body.clone();
    let mut row = ChunkReader::default();
    while let Some(raw) = next(&mut body)? {
        let source = || text(&raw.body).map(|path| TextureSource { path: path.into(), enabled: 1 });
        match raw.id {
            PALETTE if wed.palette.is_none() && raw.body.remaining() == 768 => {
                wed.palette = Some(raw.body.peek().to_vec());
                row.known();
            }
            WAD => row.known_if(source().map(|source| wed.wads.push(source)).is_some(), &raw),
            FOLDER => row.known_if(source().map(|source| wed.folders.push(source)).is_some(), &raw),
            _ => row.keep(&raw),
        }
    }
    wed.extra = row.finish();
    Ok(wed)
}

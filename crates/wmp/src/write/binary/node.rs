//! The tree of nodes.

use mapwright_io::{Context as _, Output};

use super::chunk::{ChunkWriter, Open, close, open, require_absent, small, text};
use super::{block, entity};
use crate::chunk::{ANGLES, NAME, NODE, POSITION, SCALE, WORD};
use crate::read::binary::Originals;
use crate::tree::{PartIndex, PartNumbers};
use crate::{
    Block, Chunk, Document, Entity, EntityKind, Member, MemberKind, Object, Part, WriteError, WriteErrorKind, kind,
};

/// A node whose child nodes are being written.
struct Node<'a> {
    chunk: Open,
    row: ChunkWriter<'a>,
    /// Members that are not written yet.
    members: &'a [Member],
}

/// The document, and the parts that are written.
struct Tree<'a, 'b> {
    document: &'a Document,
    originals: &'b mut Originals<'a>,
    places: PartNumbers,
    blocks: Vec<bool>,
    entities: Vec<bool>,
    objects: Vec<bool>,
}

/// Writes the root and its descendants.
pub(super) fn write<'a>(
    out: &mut Output,
    document: &'a Document,
    originals: &mut Originals<'a>,
) -> Result<(), WriteError> {
    let mut tree = Tree {
        document,
        originals,
        places: PartNumbers::new(document),
        blocks: vec![false; document.blocks.len()],
        entities: vec![false; document.entities.len()],
        objects: vec![false; document.objects.len()],
    };
    let root = tree.places.root(document).ok_or_else(|| refuse(0, "is missing"))?;
    let mut stack = vec![tree.open(out, root)?];
    while let Some(node) = stack.last_mut() {
        if let Some((member, rest)) = node.members.split_first() {
            node.members = rest;
            if let (MemberKind::Object, Some(PartIndex::Object(place))) = (member.kind, tree.places.find(*member)) {
                node.row.before(out);
                stack.push(tree.open(out, place)?);
            }
        } else if let Some(node) = stack.pop() {
            node.row.finish(out);
            close(out, node.chunk);
        }
    }
    tree.finish()
}

impl<'a> Tree<'a, '_> {
    /// Writes a node up to its child nodes.
    fn open(&mut self, out: &mut Output, place: usize) -> Result<Node<'a>, WriteError> {
        let document = self.document;
        let Some(object) = document.objects.get(place) else { return Err(refuse(0, "is missing")) };
        match self.objects.get_mut(place) {
            Some(written @ false) => *written = true,
            _ => return Err(refuse(object.number, "has two parents")),
        }
        self.begin(out, object).in_item("objects", place)
    }

    fn begin(&mut self, out: &mut Output, object: &'a Object) -> Result<Node<'a>, WriteError> {
        let part = self.object_part(object)?;
        let (derived, word) = match part {
            Some(ObjectPart::Block(_, block)) => (kind::block_kind(block), MemberKind::Block),
            Some(ObjectPart::Entity(_, entity)) => (kind::entity_kind(entity), entity.member_kind()),
            None => (kind::GROUP, MemberKind::Object),
        };
        let nodes = object.members.len().saturating_sub(part.is_some().into());
        let chunk = open(out, NODE);
        out.u16_le(object.kind.unwrap_or(derived));
        out.u16_le(small(nodes as u64, "objects in an object")?);
        out.u32_le(object.word_04);
        let mut row = ChunkWriter::new(&object.extra);
        row.before(out);
        if !object.extra.first().is_some_and(is_word) {
            text(out, WORD, word.word().as_bytes())?;
        }
        row.name(out, NAME, &object.name)?;
        row.doubles(out, POSITION, &object.position);
        row.doubles(out, ANGLES, &object.angles);
        row.doubles(out, SCALE, &object.scale);
        match part {
            Some(ObjectPart::Block(place, block)) => {
                row.before(out);
                match self.originals.block(block) {
                    Some(bytes) => out.bytes(bytes),
                    None => block::write(out, block).in_item("blocks", place)?,
                }
            }
            Some(ObjectPart::Entity(place, entity)) => {
                if let EntityKind::Model(model) = &entity.kind {
                    // Only the object stores the scale. Bits are compared, so that NaN equals itself.
                    let same =
                        model.scale == object.scale || model.scale.map(f64::to_bits) == object.scale.map(f64::to_bits);
                    require_absent(same, "a scale of a model that differs from that of its object")
                        .in_item("entities", place)?;
                }
                row.before(out);
                match self.originals.entity(entity, entity::id(entity)) {
                    Some(bytes) => out.bytes(bytes),
                    None => entity::write(out, entity).in_item("entities", place)?,
                }
            }
            None => {}
        }
        Ok(Node { chunk, row, members: &object.members })
    }

    /// Returns the block or entity of an object. All other members are objects.
    fn object_part(&mut self, object: &Object) -> Result<Option<ObjectPart<'a>>, WriteError> {
        let mut part = None;
        for member in &object.members {
            let (written, found) = match self.places.find(*member) {
                Some(PartIndex::Object(_)) => continue,
                Some(PartIndex::Block(place)) => (
                    self.blocks.get_mut(place),
                    self.document.blocks.get(place).map(|block| ObjectPart::Block(place, block)),
                ),
                Some(PartIndex::Entity(place)) => {
                    let entity = self.document.entities.get(place).filter(|entity| entity.member_kind() == member.kind);
                    (self.entities.get_mut(place), entity.map(|entity| ObjectPart::Entity(place, entity)))
                }
                None => return Err(refuse(object.number, "has a member that does not exist")),
            };
            match written {
                Some(written @ false) => *written = true,
                _ => return Err(refuse(object.number, "has a member that already has a parent")),
            }
            if found.is_none() {
                return Err(refuse(object.number, "has a member of another kind than its entity"));
            }
            if part.is_some() {
                return Err(refuse(object.number, "has more than one block or entity"));
            }
            part = found;
        }
        Ok(part)
    }

    /// Checks that all of the document is written.
    fn finish(self) -> Result<(), WriteError> {
        let first = |written: &[bool]| written.iter().position(|written| !written);
        if let Some(object) = first(&self.objects).and_then(|place| self.document.objects.get(place)) {
            return Err(refuse(object.number, "has no parent"));
        }
        let lost = [("blocks", first(&self.blocks)), ("entities", first(&self.entities))];
        for (list, place) in lost {
            if let Some(place) = place {
                let dialect = self.document.dialect;
                let kind = WriteErrorKind::Dialect { what: "a part without an object", dialect };
                return Err(WriteError::without_position(kind)).in_item(list, place);
            }
        }
        Ok(())
    }
}

/// The block or entity of an object, with its index.
#[derive(Clone, Copy)]
enum ObjectPart<'a> {
    Block(usize, &'a Part<Block>),
    Entity(usize, &'a Part<Entity>),
}

/// Returns `true` if a preserved chunk replaces the word of a node.
fn is_word(chunk: &Chunk) -> bool {
    chunk.index == 0 && chunk.bytes.starts_with(&WORD.to_be_bytes())
}

fn refuse(number: u32, why: &'static str) -> WriteError {
    WriteError::without_position(WriteErrorKind::Tree { number, why })
}

//! The tree of nodes.

use std::mem::replace;

use mapwright_io::{Context as _, Input, Position};

use super::chunk::{ChunkReader, Raw, doubles, length, next, skim, text};
use super::{Reader, block, entity};
use crate::chunk::{ANGLES, BLOCK, HEAD, NAME, NODE, POSITION, SCALE, WORD, class};
use crate::document::Part;
use crate::{Block, Counts, Entity, EntityKind, Member, MemberKind, Object, ReadError, ReadErrorKind, kind};

/// Sizes of the head of a node, of the head of a chunk, and of the smallest node.
const NODE_HEAD: usize = 8;
const CHUNK_HEAD: usize = HEAD as usize;
const LEAST: usize = 112;

/// The size of a position, of angles, and of a scale.
const PLACE: usize = size_of::<[f64; 3]>();

/// The contents of nodes.
#[derive(Debug)]
pub(super) struct Tree<'a> {
    pub(super) blocks: Vec<Part<Block>>,
    pub(super) entities: Vec<Part<Entity>>,
    pub(super) objects: Vec<Part<Object>>,
    /// The bytes of the root.
    root: &'a [u8],
}

/// A node whose chunks are being read.
#[derive(Debug)]
struct Open<'a> {
    number: usize,
    input: Input<'a>,
    /// Offset of its contents.
    at: Position,
    /// Declared number of child nodes.
    declared: u16,
    /// Number of child nodes that were read.
    nodes: usize,
    row: ChunkReader,
    /// Kind in its head.
    kind: u16,
    /// Kind that follows from its contents.
    derived: u16,
    /// The word that follows from its contents.
    word: MemberKind,
    /// `true` for each of word, position, angles and scale that was read.
    seen: [bool; 4],
    /// Block or entity.
    payload: Option<Member>,
}

impl<'a> Tree<'a> {
    /// Reads the root and its descendants.
    pub(super) fn read(root: &Raw<'a>, stated: Option<Counts>, reader: &mut Reader<'_>) -> Result<Self, ReadError> {
        let mut tree = Self::with_room(root, stated);
        let mut stack = vec![tree.open(root, reader)?];
        while let Some(node) = stack.last_mut() {
            match next(&mut node.input).in_item("objects", node.number)? {
                Some(raw) if raw.id == NODE => {
                    node.row.known();
                    node.nodes = node.nodes.saturating_add(1);
                    let member = Member { kind: MemberKind::Object, number: number(tree.objects.len()) };
                    tree.add_member(node.number, member);
                    reader.budget.check_depth(stack.len(), raw.body.position())?;
                    stack.push(tree.open(&raw, reader)?);
                }
                Some(raw) => {
                    let number = node.number;
                    tree.chunk(node, &raw, reader).in_item("objects", number)?;
                }
                None => {
                    let number = node.number;
                    tree.close(node).in_item("objects", number)?;
                    stack.pop();
                }
            }
        }
        Ok(tree)
    }

    /// Allocates the numbers of parts that the file states, unless they need more memory than the root has bytes.
    fn with_room(root: &Raw<'a>, stated: Option<Counts>) -> Self {
        let stated = stated.map(|counts| [counts.blocks, counts.entities, counts.objects].map(length));
        let size = |[blocks, entities, objects]: &[usize; 3]| {
            let objects = objects.saturating_mul(size_of::<Part<Object>>());
            let entities = entities.saturating_mul(size_of::<Part<Entity>>());
            blocks.saturating_mul(size_of::<Part<Block>>()).saturating_add(entities).saturating_add(objects)
        };
        let [blocks, entities, objects] = stated.filter(|counts| size(counts) <= root.whole.len()).unwrap_or_default();
        Self {
            blocks: Vec::with_capacity(blocks),
            entities: Vec::with_capacity(entities),
            objects: Vec::with_capacity(objects),
            root: root.body.peek(),
        }
    }

    /// Opens a node.
    fn open(&mut self, raw: &Raw<'a>, reader: &mut Reader<'_>) -> Result<Open<'a>, ReadError> {
        let number = self.objects.len();
        reader.budget.take_items(1, raw.body.position())?;
        let (node, object) = open(raw, number).in_item("objects", number)?;
        push(&mut self.objects, Part::read(object, raw.origin()), self.root, |[.., objects]| objects);
        Ok(node)
    }

    /// Reads one chunk of a node. Child nodes are read elsewhere.
    fn chunk(&mut self, node: &mut Open<'a>, raw: &Raw<'a>, reader: &mut Reader<'_>) -> Result<(), ReadError> {
        // Numbers follow the order of nodes: the block or entity of a node comes before its child nodes.
        let free = node.payload.is_none() && node.nodes == 0;
        let Some(object) = self.objects.get_mut(node.number).map(Part::read_mut) else { return Ok(()) };
        let [word, position, angles, scale] = &mut node.seen;
        match raw.id {
            WORD if !*word => {
                *word = true;
                if text(&raw.body) != Some(node.word.word().as_bytes()) {
                    node.row.keep(raw);
                }
                // The word counts as known even if it is another one.
                node.row.known();
                return Ok(());
            }
            // A missing word will be written, and so counts as known.
            NAME | POSITION | ANGLES | SCALE | BLOCK if !replace(word, true) => node.row.known(),
            _ => {}
        }
        match raw.id {
            NAME => node.row.name(raw, &mut object.name, reader.shared),
            POSITION if is_place(raw) => node.row.known_if(!replace(position, true), raw),
            ANGLES if is_place(raw) => node.row.known_if(!replace(angles, true), raw),
            SCALE if is_place(raw) => node.row.known_if(!replace(scale, true), raw),
            BLOCK if free => {
                let at = self.blocks.len();
                let block = block::read(raw, number(at), reader).in_item("blocks", at)?;
                node.derived = kind::block_kind(&block);
                node.payload = Some(Member { kind: MemberKind::Block, number: number(at) });
                node.row.known();
                push(&mut self.blocks, Part::read(block, raw.origin()), self.root, |[blocks, ..]| blocks);
            }
            id if free && class(id).is_some() => {
                let at = self.entities.len();
                let Some(mut entity) = entity::read(raw, number(at), reader).in_item("entities", at)? else {
                    node.row.keep(raw);
                    return Ok(());
                };
                if let EntityKind::Model(model) = &mut entity.kind {
                    model.scale = object.scale;
                }
                node.derived = kind::entity_kind(&entity);
                node.payload = Some(Member { kind: entity.member_kind(), number: number(at) });
                node.row.known();
                push(&mut self.entities, Part::read(entity, raw.origin()), self.root, |[_, entities, _]| entities);
            }
            _ => node.row.keep(raw),
        }
        Ok(())
    }

    /// Adds a member to an object.
    fn add_member(&mut self, object: usize, member: Member) {
        if let Some(object) = self.objects.get_mut(object) {
            object.read_mut().members.push(member);
        }
    }

    /// Closes a node.
    fn close(&mut self, node: &mut Open<'_>) -> Result<(), ReadError> {
        if node.nodes != usize::from(node.declared) {
            let (declared, found) = (node.declared.into(), node.nodes as u64);
            return Err(ReadError::new(ReadErrorKind::Count { what: "nodes", declared, found }, node.at));
        }
        if let Some(object) = self.objects.get_mut(node.number).map(Part::read_mut) {
            object.kind = (node.kind != node.derived).then_some(node.kind);
            object.members.extend(node.payload);
            object.extra = std::mem::take(&mut node.row).finish();
        }
        Ok(())
    }
}

/// Adds to a list. A full list is grown to the number of parts in the root, because lists that double take up to three times
/// their size.
fn push<T>(list: &mut Vec<T>, item: T, root: &[u8], which: fn([usize; 3]) -> usize) {
    if list.len() == list.capacity() {
        // Counts are unreliable until nodes with positions are found.
        let most = (root.len() / LEAST).saturating_add(1);
        list.reserve_exact(which(count_parts(root)).min(most).saturating_sub(list.len()));
    }
    list.push(item);
}

/// Counts blocks, entities and objects in a root without checking them.
fn count_parts(root: &[u8]) -> [usize; 3] {
    // The walk enters nodes and skips all else, so it needs no stack.
    let mut rest = root.get(NODE_HEAD..).unwrap_or_default();
    let [mut blocks, mut entities, mut objects] = [0_usize, 0, 1];
    loop {
        let here = rest;
        let Some((id, _)) = skim(&mut rest) else { return [blocks, entities, objects] };
        let list = match id {
            NODE => {
                rest = here.get(NODE_HEAD.saturating_add(CHUNK_HEAD)..).unwrap_or_default();
                &mut objects
            }
            BLOCK => &mut blocks,
            id if class(id).is_some() => &mut entities,
            _ => continue,
        };
        *list = list.saturating_add(1);
    }
}

/// Reads the head of a node, and looks ahead in its chunks for its position and the kind of its contents.
fn open<'a>(raw: &Raw<'a>, at: usize) -> Result<(Open<'a>, Object), ReadError> {
    let mut input = raw.body.clone();
    let (kind, declared, word_04) = (input.u16_le()?, input.u16_le()?, input.u32_le()?);
    let (mut position, mut angles, mut scale) = (None, None, None);
    let (mut nodes, mut word) = (false, None);
    let mut ahead = input.peek();
    // Usually the first few chunks suffice.
    while position.is_none() || angles.is_none() || scale.is_none() || !(nodes || word.is_some()) {
        let Some((id, whole)) = skim(&mut ahead) else {
            // Find the error, with its offset.
            let mut ahead = input.clone();
            while next(&mut ahead)?.is_some() {}
            break;
        };
        let body = whole.get(CHUNK_HEAD..).unwrap_or_default();
        let place = match id {
            POSITION => &mut position,
            ANGLES => &mut angles,
            SCALE => &mut scale,
            NODE => {
                nodes = true;
                continue;
            }
            _ => {
                if !nodes {
                    word = word.or_else(|| member_kind(id, body));
                }
                continue;
            }
        };
        if place.is_none() && body.len() == PLACE {
            *place = Some(doubles(&mut Input::new(body))?);
        }
    }
    let (Some(position), Some(angles), Some(scale)) = (position, angles, scale) else {
        let found = "a node without all three".to_owned();
        let kind = ReadErrorKind::Expected { expected: "position, angles and scale", found };
        return Err(ReadError::new(kind, raw.body.position()));
    };
    let object = Object { number: number(at), position, angles, scale, word_04, ..Object::default() };
    let node = Open {
        number: at,
        input,
        at: raw.body.position(),
        declared,
        nodes: 0,
        row: ChunkReader::default(),
        kind,
        derived: kind::GROUP,
        word: word.unwrap_or(MemberKind::Object),
        seen: [false; 4],
        payload: None,
    };
    Ok((node, object))
}

/// Returns the kind of member for a chunk.
fn member_kind(id: u16, body: &[u8]) -> Option<MemberKind> {
    use crate::chunk::{LEVEL, LIGHT, MODEL, PATH, REGION, SOUND, START};
    if id != BLOCK && class(id) != Input::new(body).u32_le().ok() {
        return None;
    }
    match id {
        BLOCK => Some(MemberKind::Block),
        LEVEL => Some(MemberKind::Level),
        START => Some(MemberKind::Start),
        LIGHT => Some(MemberKind::Light),
        SOUND => Some(MemberKind::Sound),
        MODEL => Some(MemberKind::Model),
        PATH => Some(MemberKind::Path),
        REGION => Some(MemberKind::Region),
        _ => None,
    }
}

/// Returns `true` if a chunk contains exactly three doubles.
fn is_place(raw: &Raw<'_>) -> bool {
    raw.body.remaining() == PLACE
}

/// Converts an index to a number. Files are smaller than 4 GiB.
fn number(at: usize) -> u32 {
    u32::try_from(at).unwrap_or(u32::MAX)
}

//! Reads bytes into a [`Document`].

mod json;
mod xml;

use std::borrow::Cow;

use mapwright_io::{Budget, Fault, FaultKind, Limits, Position};

use crate::document::{Document, DocumentKind, ItemKind, Node, Syntax};
use crate::{ReadError, ReadErrorKind, ReadOptions};

pub(crate) use xml::is_name as is_xml_name;

/// The kind and the offset of an error. Lines are counted only for the error that is returned.
pub(crate) type Failure = (ReadErrorKind, usize);

fn fault(fault: Fault) -> Failure {
    (fault.kind.into(), usize::try_from(fault.at.offset).unwrap_or(usize::MAX))
}

/// Converts an offset for storage. [`read`] rejects texts with larger offsets.
pub(crate) fn offset(at: usize) -> u32 {
    u32::try_from(at).unwrap_or(u32::MAX)
}

pub(crate) fn read(source: Cow<'_, [u8]>, options: &ReadOptions) -> Result<Document, ReadError> {
    let (nodes, syntax, kind) =
        index(&source, options).map_err(|(kind, at)| ReadError::new(kind, Position::in_text(&source, at)))?;
    let not_utf8 = |_| ReadError::new(ReadErrorKind::NotUtf8, Position::file(0));
    // `index` has checked the encoding already. Checking again is cheaper than copying a text that is then rejected.
    let source = String::from_utf8(source.into_owned()).map_err(not_utf8)?;
    Ok(Document { source, nodes, syntax, kind, limits: options.limits.clone() })
}

/// Finds the items of a text.
fn index(source: &[u8], options: &ReadOptions) -> Result<(Vec<Node>, Syntax, DocumentKind), Failure> {
    if u32::try_from(source.len()).is_err() {
        let kind = FaultKind::Limit { what: "size of a text", asked: source.len() as u64, limit: u32::MAX.into() };
        return Err((kind.into(), 0));
    }
    if matches!(source, [0xFF, 0xFE, ..] | [0xFE, 0xFF, ..]) {
        return Err((ReadErrorKind::Utf16, 0));
    }
    if mapwright_io::is_git_lfs_pointer(source) {
        return Err((ReadErrorKind::LfsPointer, 0));
    }
    let text = std::str::from_utf8(source).map_err(|error| (ReadErrorKind::NotUtf8, error.valid_up_to()))?;
    let start = if text.starts_with('\u{FEFF}') { 3 } else { 0 };
    let trimmed = text.get(start..).unwrap_or_default().trim_ascii_start();
    let at = text.len().saturating_sub(trimmed.len());
    match trimmed.chars().next() {
        Some('<') => {
            let nodes = xml::index(text, at, &options.limits)?;
            let root = nodes.first().copied().map_or("", |root| name_of(text, root));
            let kind = match root {
                "map" => DocumentKind::Map,
                "tileset" => DocumentKind::Tileset,
                "template" => DocumentKind::Template,
                _ => return Err((ReadErrorKind::Root(format!("the element {}", shorten(root))), at)),
            };
            Ok((nodes, Syntax::Xml, kind))
        }
        Some('{') => {
            let nodes = json::index(text, at, &options.limits)?;
            let kind = kind_of_object(text, &nodes).map_err(|found| (ReadErrorKind::Root(found), at))?;
            Ok((nodes, Syntax::Json, kind))
        }
        Some('(' | 'o') if trimmed.starts_with("(function") || trimmed.starts_with("onTileMapLoaded") => {
            Err((ReadErrorKind::JavaScript, at))
        }
        Some(found) => Err((ReadErrorKind::Unexpected { found, expected: "`<` of XML or `{` of JSON" }, at)),
        None => Err((ReadErrorKind::Ended { expected: "XML or JSON" }, at)),
    }
}

fn name_of(text: &str, node: Node) -> &str {
    let start = node.name as usize;
    text.get(start..start.saturating_add(node.name_length.into())).unwrap_or_default()
}

/// Returns the first 40 characters of a name for a message.
fn shorten(name: &str) -> String {
    name.chars().take(40).collect()
}

/// Returns the content of a JSON file: that of its key `type`, or for files of Tiled before 1.0, which have none, that of its other keys.
fn kind_of_object(text: &str, nodes: &[Node]) -> Result<DocumentKind, String> {
    let mut keys = Vec::new();
    let mut at = 1_usize;
    while let Some(node) = nodes.get(at) {
        let key = name_of(text, *node);
        if key == "type" && node.kind == ItemKind::Text {
            return match text.get(node.value as usize..node.value_end as usize).unwrap_or_default() {
                "\"map\"" => Ok(DocumentKind::Map),
                "\"tileset\"" => Ok(DocumentKind::Tileset),
                "\"template\"" => Ok(DocumentKind::Template),
                "\"world\"" => Ok(DocumentKind::World),
                other => Err(format!("an object of the type {}", shorten(other))),
            };
        }
        if keys.len() < 256 {
            keys.push(key);
        }
        at = node.next as usize;
    }
    let has = |key| keys.contains(&key);
    match () {
        () if has("layers") => Ok(DocumentKind::Map),
        () if has("maps") || has("patterns") => Ok(DocumentKind::World),
        () if has("object") => Ok(DocumentKind::Template),
        () if has("tilewidth") => Ok(DocumentKind::Tileset),
        () => Err("an object without the key type".to_owned()),
    }
}

/// The text and the offset of the next character.
struct Cursor<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Cursor<'a> {
    fn rest(&self) -> &'a str {
        self.text.get(self.at..).unwrap_or_default()
    }

    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn advance(&mut self, count: usize) {
        self.at = self.at.saturating_add(count);
    }

    fn skip_space(&mut self) {
        while self.peek().is_some_and(crate::document::is_xml_space) {
            self.advance(1);
        }
    }

    /// Skips a text, if it is next.
    fn skip(&mut self, part: &str) -> bool {
        let found = self.rest().starts_with(part);
        if found {
            self.advance(part.len());
        }
        found
    }

    /// Skips up to the end of a part and returns what is before it. `what` names the part, which starts at `start`.
    fn skip_past(&mut self, end: &str, what: &'static str, start: usize) -> Result<&'a str, Failure> {
        let rest = self.rest();
        let length = memchr::memmem::find(rest.as_bytes(), end.as_bytes());
        let length = length.ok_or((ReadErrorKind::Unended(what), start))?;
        self.advance(length.saturating_add(end.len()));
        Ok(rest.get(..length).unwrap_or_default())
    }

    /// Returns the error for what is next.
    fn unexpected(&self, expected: &'static str) -> Failure {
        match self.rest().chars().next() {
            Some(found) => (ReadErrorKind::Unexpected { found, expected }, self.at),
            None => (ReadErrorKind::Ended { expected }, self.text.len()),
        }
    }
}

/// The index while it is built.
struct Builder {
    nodes: Vec<Node>,
    budget: Budget,
    /// The innermost open item. `next` of an open item is the item around it until its end is known.
    open: u32,
    depth: usize,
}

/// The item around the root.
const NO_PARENT: u32 = u32::MAX;

impl Builder {
    /// Creates an index for a text of `length` bytes with up to `most` items. It hardly ever grows then, which would take three times its
    /// memory.
    ///
    /// # Errors
    /// If there is not enough memory.
    fn new(limits: &Limits, most: usize, length: usize) -> Result<Self, Failure> {
        // An item has at least three bytes: `<a>` without its end, or `{}` with a comma.
        let possible = most.min(length.checked_div(3).unwrap_or(0).saturating_add(1));
        let capacity = possible.min(usize::try_from(limits.max_items).unwrap_or(usize::MAX));
        let mut nodes = Vec::new();
        let reserved = nodes.try_reserve_exact(capacity);
        reserved.map_err(|_| (std::io::Error::from(std::io::ErrorKind::OutOfMemory).into(), 0))?;
        Ok(Self { nodes, budget: Budget::new(limits), open: NO_PARENT, depth: 0 })
    }

    /// Adds an item without items in it.
    fn push(&mut self, name: usize, name_length: usize, value: [usize; 2], kind: ItemKind) -> Result<(), Failure> {
        self.budget.take_items(1, Position::file(name as u64)).map_err(fault)?;
        let name_length = u16::try_from(name_length).map_err(|_| {
            let kind = FaultKind::Limit { what: "length of a name", asked: name_length as u64, limit: u16::MAX.into() };
            (ReadErrorKind::Input(kind), name)
        })?;
        let [value, value_end] = value.map(offset);
        let next = offset(self.nodes.len()).saturating_add(1);
        self.nodes.push(Node { name: offset(name), value, value_end, next, name_length, kind });
        Ok(())
    }

    /// Opens the item that was added last.
    fn open(&mut self) -> Result<(), Failure> {
        self.open_at(self.nodes.len().saturating_sub(1))
    }

    /// Opens an item, after which only its attributes were added.
    fn open_at(&mut self, index: usize) -> Result<(), Failure> {
        self.depth = self.depth.saturating_add(1);
        let Some(node) = self.nodes.get_mut(index) else { return Ok(()) };
        self.budget.check_depth(self.depth, Position::file(node.name.into())).map_err(fault)?;
        node.next = std::mem::replace(&mut self.open, offset(index));
        Ok(())
    }

    /// Returns the innermost open item.
    fn innermost(&self) -> Option<Node> {
        self.nodes.get(self.open as usize).copied()
    }

    /// Closes the innermost open item, whose content ends at `value_end`.
    fn close(&mut self, value_end: usize) {
        let next = offset(self.nodes.len());
        if let Some(node) = self.nodes.get_mut(self.open as usize) {
            self.open = std::mem::replace(&mut node.next, next);
            node.value_end = offset(value_end);
            self.depth = self.depth.saturating_sub(1);
        }
    }

    fn finish(mut self) -> Vec<Node> {
        self.nodes.shrink_to_fit();
        self.nodes
    }
}

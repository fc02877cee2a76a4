//! A file of definitions.

use std::borrow::Cow;
use std::fmt;

use mapwright_io::Limits;

use crate::ReadError;
use crate::parser::{ClassNode, ItemNode, Parser};
use crate::view::{Class, decode_text_at};

mapwright_io::options! {
    /// Options for reading.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct ReadOptions {
        /// Limits of the input and items. Items, members and choices count as items. Default: 1 GiB, 50 million items.
        pub limits: Limits = Limits::default().with_max_input(1 << 30).with_max_items(50_000_000), with_limits;
    }
}

/// An FGD file: its text, and the places of its items.
#[derive(Clone, PartialEq, Eq)]
pub struct Document {
    pub(crate) source: Vec<u8>,
    /// The offsets of the items: of their `@`.
    pub(crate) items: Vec<u32>,
}

/// An item of a file, in the order of the text.
pub(crate) enum Item<'a> {
    Class(Class<'a>),
    Exclude(Cow<'a, str>),
}

impl Document {
    /// Returns the text.
    pub fn as_bytes(&self) -> &[u8] {
        &self.source
    }

    /// Returns the classes in the order of the file.
    pub fn classes(&self) -> impl Iterator<Item = Class<'_>> {
        self.nodes().filter_map(|item| match item {
            ItemNode::Class(node) => Some(self.class(node)),
            _ => None,
        })
    }

    /// Returns the names of included files. Their definitions come before those of this file.
    pub fn includes(&self) -> impl Iterator<Item = Cow<'_, str>> {
        self.nodes().filter_map(|item| match item {
            ItemNode::Include(name) => Some(decode_text_at(&self.source, name)),
            _ => None,
        })
    }

    /// Returns the names of classes that editors hide.
    pub fn excludes(&self) -> impl Iterator<Item = Cow<'_, str>> {
        self.nodes().filter_map(|item| match item {
            ItemNode::Exclude(name) => Some(decode_text_at(&self.source, name)),
            _ => None,
        })
    }

    /// Returns the lowest and highest coordinate of a map.
    pub fn map_size(&self) -> Option<[i32; 2]> {
        let size = self.nodes().find_map(|item| match item {
            ItemNode::MapSize(size) => Some(size.of(&self.source)),
            _ => None,
        })?;
        let text = std::str::from_utf8(size).ok()?;
        let (low, high) = text.split_once(',')?;
        Some([low.trim().parse().ok()?, high.trim().parse().ok()?])
    }

    /// Returns the items that concern classes.
    pub(crate) fn items(&self) -> impl Iterator<Item = Item<'_>> {
        self.nodes().filter_map(|item| match item {
            ItemNode::Class(node) => Some(Item::Class(self.class(node))),
            ItemNode::Exclude(name) => Some(Item::Exclude(decode_text_at(&self.source, name))),
            _ => None,
        })
    }

    fn class(&self, node: ClassNode) -> Class<'_> {
        Class { source: &self.source, node }
    }

    /// Returns the items. The reader has checked the text.
    fn nodes(&self) -> impl Iterator<Item = ItemNode> {
        self.items.iter().filter_map(|&at| Parser::new(&self.source, at as usize).item().ok()?)
    }
}

impl fmt::Debug for Document {
    /// Formats the number of bytes and items.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Document").field("bytes", &self.source.len()).field("items", &self.items.len()).finish()
    }
}

mapwright_io::read_functions!("an FGD file", crate::read::read);

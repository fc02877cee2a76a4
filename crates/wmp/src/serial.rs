//! Documents as serde data: exact numbers, bytes as text, and formatting that differs from that of the editor.
//!
//! Numbers are numbers. NaN and infinities are their bits as text, `"0x7ff8000000000001"`. Skills with formatting of their own
//! are text, such as `"010"`. Bytes are escaped as by [`escape_bytes`](mapwright_io::escape_bytes). If the editor would format a
//! document differently, the data contains the whole file as `source`: parts with the same value keep its formatting.

use std::collections::VecDeque;

use hashbrown::HashMap;
pub(crate) use mapwright_io::serial::{bytes, exact, is_default, maybe_bytes};
use mapwright_io::{Limits, escape_bytes, unescape_bytes};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

use crate::document::Wed;
use crate::{Block, Dialect, Document, Entity, Header, LineEnd, Name, Object, Part, ReadOptions};

impl Serialize for Name {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Name {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(unescape_bytes(&String::deserialize(deserializer)?).as_slice().into())
    }
}

impl<T: Serialize> Serialize for Part<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        T::serialize(self, serializer)
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Part<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        T::deserialize(deserializer).map(Self::new)
    }
}

/// A document as data.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct DocumentData<H, W, B, E, O> {
    dialect: Dialect,
    line_end: LineEnd,
    header: H,
    #[serde(default = "none", skip_serializing_if = "Option::is_none")]
    wed: Option<W>,
    blocks: B,
    entities: E,
    objects: O,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    source: Option<String>,
}

fn none<T>() -> Option<T> {
    None
}

impl Serialize for Document {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let without_source = || {
            let mut map = self.clone();
            map.forget_source();
            map.to_bytes().ok()
        };
        // The source is needed only if the values alone do not reproduce it.
        let source = self.source.as_deref().filter(|source| without_source().as_ref() != Some(&source.bytes));
        let source = source.map(|source| escape_bytes(&source.bytes));
        let Self { dialect, line_end, header, wed, blocks, entities, objects, .. } = self;
        let (dialect, line_end) = (*dialect, *line_end);
        DocumentData { dialect, line_end, header, wed: wed.as_ref(), blocks, entities, objects, source }
            .serialize(serializer)
    }
}

type OwnedData = DocumentData<Part<Header>, Part<Wed>, Vec<Part<Block>>, Vec<Part<Entity>>, Vec<Part<Object>>>;

impl<'de> Deserialize<'de> for Document {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let OwnedData { dialect, line_end, header, wed, blocks, entities, objects, source } =
            DocumentData::deserialize(deserializer)?;
        let mut map = Self { dialect, line_end, header, wed, blocks, entities, objects, source: None };
        if let Some(source) = source {
            // The data was read already, so the size of the source needs no limit.
            let limits = Limits::default().with_max_items(u64::MAX).with_max_depth(u32::MAX);
            let known = Self::from_bytes_with(&unescape_bytes(&source), &ReadOptions::default().with_limits(limits))
                .map_err(|error| de::Error::custom(format_args!("source: {error}")))?;
            map.take_formatting(known);
        }
        Ok(map)
    }
}

impl Document {
    /// Takes the formatting of another map wherever the values are the same.
    fn take_formatting(&mut self, known: Self) {
        if known.dialect != self.dialect {
            return;
        }
        take_part_formatting(&mut self.header, known.header);
        if let (Some(wed), Some(known)) = (&mut self.wed, known.wed) {
            take_part_formatting(wed, known);
        }
        match_parts(&mut self.blocks, known.blocks, |block| block.number);
        match_parts(&mut self.entities, known.entities, |entity| entity.number);
        match_parts(&mut self.objects, known.objects, |object| object.number);
        self.source = known.source;
    }
}

/// Equal parts at the same index correspond, else those with the same number, in order.
fn match_parts<T: PartialEq>(parts: &mut [Part<T>], known: Vec<Part<T>>, number: fn(&T) -> u32) {
    let same: Vec<bool> = parts.iter().zip(&known).map(|(part, known)| part == known).collect();
    let mut others: HashMap<u32, VecDeque<Part<T>>> = HashMap::new();
    for (at, known) in known.into_iter().enumerate() {
        match parts.get_mut(at).filter(|_| same.get(at) == Some(&true)) {
            Some(part) => *part = known,
            None => others.entry(number(&known)).or_default().push_back(known),
        }
    }
    for (_, part) in parts.iter_mut().enumerate().filter(|(at, _)| same.get(*at) != Some(&true)) {
        if let Some(known) = others.get_mut(&number(part)).and_then(VecDeque::pop_front) {
            take_part_formatting(part, known);
        }
    }
}

fn take_part_formatting<T: PartialEq>(part: &mut Part<T>, mut known: Part<T>) {
    if *part != known {
        // The known part gets the new value, and thus keeps its origin.
        std::mem::swap(&mut **part, &mut *known);
    }
    *part = known;
}

//! Maps as serde data, from which the same bytes are built.
//!
//! An entity, a key, a brush, a face and a patch are a record each. Texts are escaped as by [`escape_bytes`](mapwright_io::escape_bytes).
//! Differences from the usual layout are in optional fields: `lead`, the text before a part, which is otherwise a line end; `tail`, the
//! text before the end of a part; and `text`, the text of a part whose numbers or words are formatted differently. The `text` of a part
//! whose values were changed has no effect.

mod parts;

use std::fmt::Display;

use mapwright_io::serial::is_default;
use mapwright_io::splice::slice;
use mapwright_io::{escape_bytes, unescape_bytes};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

use crate::{Document, Entity, ReadOptions};
use parts::{EntityPart, Layout};

/// Text in an unknown encoding.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Text(pub(crate) Vec<u8>);

impl Serialize for Text {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&escape_bytes(&self.0))
    }
}

impl<'de> Deserialize<'de> for Text {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(Self(unescape_bytes(&String::deserialize(deserializer)?)))
    }
}

impl Text {
    /// Returns a text, or `None` for the usual one.
    pub(crate) fn unless(text: &[u8], usual: &[u8]) -> Option<Self> {
        (text != usual).then(|| Self(text.to_vec()))
    }
}

/// A list that is created where it is written, so that a large map takes no memory.
struct List<F>(F);

impl<F: Fn() -> I, I: IntoIterator<Item: Serialize>> Serialize for List<F> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq((self.0)())
    }
}

/// A map as data.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct DocumentData<E> {
    /// The usual text before a part.
    line_end: Text,
    entities: E,
    /// The text after the last entity.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    tail: Option<Text>,
}

/// An entity as data.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct EntityData<P> {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    lead: Option<Text>,
    /// Brushes outside of entities.
    #[serde(default, skip_serializing_if = "is_default")]
    fragment: bool,
    parts: P,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    tail: Option<Text>,
}

impl Serialize for Document {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let source = self.as_bytes();
        let line_end = mapwright_io::splice::line_end(source, 0);
        let layout = Layout { line_end };
        let last = self.entities().next_back().map_or(0, |entity| entity.range().end);
        DocumentData {
            line_end: Text(line_end.to_vec()),
            entities: List(|| self.entities().map(|entity| entity_data(layout, entity))),
            tail: Text::unless(slice(source, last..source.len()), line_end),
        }
        .serialize(serializer)
    }
}

fn entity_data<'a>(layout: Layout<'a>, entity: Entity<'a>) -> EntityData<impl Serialize + use<'a>> {
    let (source, range) = (entity.document.as_bytes(), entity.range());
    let before = entity.index().checked_sub(1).and_then(|index| entity.document.entity(index));
    let lead = slice(source, before.map_or(0, |before| before.range().end)..range.start);
    let is_fragment = entity.is_fragment();
    let end = if is_fragment { range.end } else { range.end.saturating_sub(1) };
    let tail = slice(source, layout.last_end(entity)..end);
    EntityData {
        lead: Text::unless(lead, if before.is_none() { b"" } else { layout.line_end }),
        fragment: is_fragment,
        parts: List(move || layout.entity_parts(entity)),
        tail: Text::unless(tail, if is_fragment { b"" } else { layout.line_end }),
    }
}

impl<'de> Deserialize<'de> for Document {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let data = DocumentData::<Vec<EntityData<Vec<EntityPart>>>>::deserialize(deserializer)?;
        let line_end = data.line_end.0;
        let layout = Layout { line_end: &line_end };
        let mut text = Vec::new();
        for (index, entity) in data.entities.into_iter().enumerate() {
            let usual_lead: &[u8] = if index == 0 { b"" } else { &line_end };
            text.extend_from_slice(entity.lead.as_ref().map_or(usual_lead, |lead| &lead.0));
            if !entity.fragment {
                text.push(b'{');
            }
            for part in &entity.parts {
                layout.write_part(part, &mut text);
            }
            let usual_tail: &[u8] = if entity.fragment { b"" } else { &line_end };
            text.extend_from_slice(entity.tail.as_ref().map_or(usual_tail, |tail| &tail.0));
            if !entity.fragment {
                text.push(b'}');
            }
        }
        text.extend_from_slice(data.tail.as_ref().map_or(&*line_end, |tail| &tail.0));
        let invalid = |error: &dyn Display| de::Error::custom(format_args!("the data is no map: {error}"));
        Self::from_vec_with(text, &ReadOptions::default()).map_err(|error| invalid(&error))
    }
}

//! Maps as serde data, from which the same bytes are built.
//!
//! A key is a record with `key` and `value`, a block a record with `block` and `items`. Texts are those between quotes, escaped as by
//! [`escape_bytes`](mapwright_io::escape_bytes). Differences from the layout of Hammer are in optional fields: `lead`, the text before an
//! item; `text`, the text of a key with its value, or of a block up to its `{`; and `tail`, the text before the end of a block. The `text`
//! of an item whose values were changed has no effect.

use std::fmt::Display;

use mapwright_io::serial::is_default;
use mapwright_io::{escape_bytes, unescape_bytes};
use mapwright_keyvalues::kv1::{self, Item, Items};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de, ser};

use crate::{Document, ReadOptions};

/// Maps with deeper blocks are not serialized, because that is recursive.
const MAX_DEPTH: usize = 64;

/// Text in an unknown encoding.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Text(Vec<u8>);

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
    fn unless(text: &[u8], usual: &[u8]) -> Option<Self> {
        (text != usual).then(|| Self(text.to_vec()))
    }
}

/// A map as data.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct DocumentData<I> {
    line_end: Text,
    /// `true` if strings have escapes.
    #[serde(default, skip_serializing_if = "is_default")]
    escapes: bool,
    items: I,
    /// The text after the last item. Usually a line end.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    tail: Option<Text>,
}

/// A key or block as data.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct ItemData<I> {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    lead: Option<Text>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    key: Option<Text>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    value: Option<Text>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    block: Option<Text>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    text: Option<Text>,
    #[serde(default = "no_items", skip_serializing_if = "Option::is_none")]
    items: Option<I>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    tail: Option<Text>,
}

/// Returns nothing. `serde(default)` would require that items have a default.
fn no_items<I>() -> Option<I> {
    None
}

/// An item that is read from data.
#[derive(Deserialize)]
#[serde(transparent)]
struct Built(ItemData<Vec<Built>>);

/// The usual texts around items at a depth.
#[derive(Clone, Copy)]
struct Layout<'a> {
    line_end: &'a [u8],
    depth: usize,
}

impl Layout<'_> {
    /// Returns the text before an item or before `}`: a line end and tabs.
    fn line(self) -> Vec<u8> {
        [self.line_end, &*b"\t".repeat(self.depth)].concat()
    }

    fn deeper(self) -> Self {
        Self { depth: self.depth.saturating_add(1), ..self }
    }

    /// Returns the text of a key with its value.
    fn key(key: &[u8], value: &[u8]) -> Vec<u8> {
        [b"\"", key, b"\" \"", value, b"\""].concat()
    }

    /// Returns the text of a block up to its `{`.
    fn block(self, name: &[u8]) -> Vec<u8> {
        [name, &self.line(), b"{"].concat()
    }
}

/// Removes the quotes of a token, if it has quotes.
fn strip_quotes(token: &[u8]) -> &[u8] {
    match token {
        [b'"', inner @ .., b'"'] => inner,
        _ => token,
    }
}

impl Serialize for Document {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let source = self.as_bytes();
        let line_end = line_end(source);
        let last = self.text.items().last().map_or(0, |item| item.range().end);
        DocumentData {
            line_end: Text(line_end.to_vec()),
            escapes: self.text.has_escapes(),
            items: List { items: self.text.items(), start: 0, layout: Layout { line_end, depth: 0 } },
            tail: Text::unless(source.get(last..).unwrap_or_default(), line_end),
        }
        .serialize(serializer)
    }
}

/// Returns the first line end of a text.
fn line_end(source: &[u8]) -> &'static [u8] {
    let first = source.iter().position(|&byte| byte == b'\n');
    match first.and_then(|at| at.checked_sub(1)).and_then(|at| source.get(at)) {
        Some(b'\r') => b"\r\n",
        _ => b"\n",
    }
}

/// Items that are created where they are written, so that a large map takes no memory.
struct List<'a> {
    items: Items<'a>,
    /// The end of the text before the first item.
    start: usize,
    layout: Layout<'a>,
}

impl Serialize for List<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if self.layout.depth > MAX_DEPTH {
            return Err(ser::Error::custom(format_args!("blocks are nested more than {MAX_DEPTH} levels")));
        }
        let mut start = self.start;
        serializer.collect_seq(self.items.clone().map(|item| {
            let data = item_data(item, start, self.layout);
            start = item.range().end;
            data
        }))
    }
}

fn item_data<'a>(item: Item<'a>, start: usize, layout: Layout<'a>) -> ItemData<List<'a>> {
    let source = item.document().as_bytes();
    let slice = |start: usize, end: usize| source.get(start..end).unwrap_or_default();
    let range = item.range();
    let usual_lead = if start == 0 { Vec::new() } else { layout.line() };
    let lead = Text::unless(slice(start, range.start), &usual_lead);
    let name = strip_quotes(item.name_token());
    if let Some(value) = item.value_token() {
        let value = strip_quotes(value);
        let text = Text::unless(slice(range.start, range.end), &Layout::key(name, value));
        let (key, value) = (Some(Text(name.to_vec())), Some(Text(value.to_vec())));
        return ItemData { lead, key, value, block: None, text, items: None, tail: None };
    }
    let open = item.content_range().start;
    let last = item.items().last().map_or(open, |item| item.range().end);
    ItemData {
        lead,
        key: None,
        value: None,
        block: Some(Text(name.to_vec())),
        text: Text::unless(slice(range.start, open), &layout.block(name)),
        items: Some(List { items: item.items(), start: open, layout: layout.deeper() }),
        tail: Text::unless(slice(last, item.content_range().end), &layout.line()),
    }
}

impl<'de> Deserialize<'de> for Document {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let data = DocumentData::<Vec<Built>>::deserialize(deserializer)?;
        let invalid = |problem: &dyn Display| de::Error::custom(format_args!("the data is no map: {problem}"));
        let options = ReadOptions::default().with_escapes(data.escapes);
        let mut builder = Builder { text: Vec::new(), options: options.for_text() };
        let line_end = &data.line_end.0;
        builder.write_items(&data.items, Layout { line_end, depth: 0 }).map_err(|problem| invalid(&problem))?;
        builder.text.extend_from_slice(data.tail.as_ref().map_or(line_end, |tail| &tail.0));
        Self::from_vec_with(builder.text, &options).map_err(|error| invalid(&error))
    }
}

/// A text that is built from data.
struct Builder {
    text: Vec<u8>,
    options: kv1::ReadOptions,
}

impl Builder {
    fn write_items(&mut self, items: &[Built], layout: Layout<'_>) -> Result<(), String> {
        items.iter().try_for_each(|Built(item)| self.write_item(item, layout))
    }

    fn write_item(&mut self, item: &ItemData<Vec<Built>>, layout: Layout<'_>) -> Result<(), String> {
        let usual_lead = if self.text.is_empty() { Vec::new() } else { layout.line() };
        self.text.extend_from_slice(item.lead.as_ref().map_or(&usual_lead, |lead| &lead.0));
        let text = item.text.as_ref().map(|text| &*text.0);
        match item {
            ItemData {
                key: Some(Text(key)), value: Some(Text(value)), block: None, items: None, tail: None, ..
            } => {
                let is_same = |text: &&[u8]| self.has_tokens(text, key, Some(value));
                let usual = Layout::key(key, value);
                let text = text.filter(is_same).or_else(|| Some(&*usual).filter(is_same));
                let problem = || format!("the value of \"{}\" contains a quote", escape_bytes(key));
                self.text.extend_from_slice(text.ok_or_else(problem)?);
                Ok(())
            }
            ItemData { key: None, value: None, block: Some(Text(name)), items: Some(items), tail, .. } => {
                let is_same = |text: &&[u8]| self.has_tokens(&[*text, b"}"].concat(), name, None);
                let usual = layout.block(name);
                // A name with spaces needs quotes.
                let quoted = layout.block(&[b"\"", &**name, b"\""].concat());
                let usual = || [&*usual, &*quoted].into_iter().find(is_same).map(<[u8]>::to_vec);
                let text = text.filter(is_same).map(<[u8]>::to_vec).or_else(usual);
                let problem = || format!("\"{}\" cannot be the name of a block", escape_bytes(name));
                self.text.extend_from_slice(&text.ok_or_else(problem)?);
                self.write_items(items, layout.deeper())?;
                self.text.extend_from_slice(tail.as_ref().map_or(&layout.line(), |tail| &tail.0));
                self.text.push(b'}');
                Ok(())
            }
            _ => Err("expected `key` and `value`, or `block` and `items`".to_owned()),
        }
    }

    /// Returns `true` if a text is one item with these texts between its quotes.
    fn has_tokens(&self, text: &[u8], name: &[u8], value: Option<&Vec<u8>>) -> bool {
        let Ok(document) = kv1::Document::from_bytes_with(text, &self.options) else { return false };
        let mut items = document.items();
        let (Some(item), None) = (items.next(), items.next()) else { return false };
        let has_value = item.value_token().map(strip_quotes) == value.map(|value| &**value);
        strip_quotes(item.name_token()) == name && has_value && item.range() == (0..text.len())
    }
}

//! The binary encodings.

use std::collections::HashMap;

use mapwright_io::{Context, Frame, Output, Path};

use crate::codes::{Place, Width, Wire};
use crate::document::{MAX_BYTES, MAX_ELEMENTS};
use crate::{
    Attribute, Document, Element, Reference, StringId, Strings, Value, ValueType, WriteError, WriteErrorKind,
    WriteOptions,
};

/// Writes the whole file, of at most `max` bytes.
pub(super) fn write(document: &Document, max: usize) -> Result<Output, WriteError> {
    let encoding = document.header.encoding;
    let wire = Wire::of(encoding.version).ok_or_else(|| error(WriteErrorKind::Version(encoding)))?;
    if document.elements.is_empty() {
        return Err(error(WriteErrorKind::NoElements));
    }
    fits("elements", document.elements.len(), MAX_ELEMENTS)?;
    let table = Table::of(document, wire)?;
    let mut writer = Writer { document, wire, table, output: Output::with_capacity(size(document).min(max)), max };
    writer.output.bytes(&document.header.line());
    writer.output.bytes(b"\n\0");
    writer.prefix()?;
    writer.table()?;
    writer.count("elements", document.elements.len())?;
    for (index, element) in document.elements.iter().enumerate() {
        writer.element(element).in_item("elements", index)?;
    }
    for (index, element) in document.elements.iter().enumerate() {
        writer.attributes(&element.attributes).in_item("elements", index)?;
    }
    writer.room(document.trailing.len())?;
    writer.output.bytes(&document.trailing);
    Ok(writer.output)
}

/// The part of the file that a byte belongs to: writes until there.
pub(super) fn path_at(document: &Document, offset: usize) -> Result<Path, WriteError> {
    let field = |name| Ok(Path::from_iter([Frame::Field(name)]));
    let encoding = document.header.encoding;
    let wire = Wire::of(encoding.version).ok_or_else(|| error(WriteErrorKind::Version(encoding)))?;
    let max = WriteOptions::default().max_bytes();
    let mut writer = Writer { document, wire, table: Table::of(document, wire)?, output: Output::new(), max };
    writer.output.bytes(&document.header.line());
    writer.output.bytes(b"\n\0");
    if writer.output.len() > offset {
        return field("header");
    }
    writer.prefix()?;
    if writer.output.len() > offset {
        return field("prefix");
    }
    writer.table()?;
    if writer.output.len() > offset {
        return field("strings");
    }
    writer.count("elements", document.elements.len())?;
    if writer.output.len() > offset {
        return field("elements");
    }
    let item = |index| [Frame::Field("elements"), Frame::Index(index)].into_iter();
    for (index, element) in document.elements.iter().enumerate() {
        writer.element(element)?;
        if writer.output.len() > offset {
            return Ok(item(index).collect());
        }
    }
    for (index, element) in document.elements.iter().enumerate() {
        writer.count("attributes", element.attributes.len())?;
        if writer.output.len() > offset {
            return Ok(item(index).collect());
        }
        for attribute in &element.attributes {
            writer.attribute(attribute)?;
            if writer.output.len() > offset {
                let name = String::from_utf8_lossy(document.strings.get(attribute.name)).into_owned();
                return Ok(item(index).chain([Frame::Name(name)]).collect());
            }
        }
    }
    field("trailing")
}

/// About how many bytes the file takes, so that the output need not grow: never less, but for strings that stand in
/// their places over and over.
pub(super) fn size(document: &Document) -> usize {
    let attributes = document.elements.iter().flat_map(|element| &element.attributes);
    let attributes = attributes.chain(document.prefix.iter().flatten());
    let values =
        attributes.fold(0_usize, |sum, attribute| sum.saturating_add(attribute.value.size()).saturating_add(5));
    let strings = &document.strings;
    values
        .saturating_add(strings.total_bytes())
        .saturating_add(strings.len())
        .saturating_add(document.elements.len().saturating_mul(32))
        .saturating_add(document.trailing.len())
        .saturating_add(document.header.line().len())
        .saturating_add(16)
}

/// Which strings stand in the table of the file, and where: the document's own table, and behind it what is missing there, in
/// the order of first use.
struct Table<'a> {
    strings: &'a Strings,
    wire: Wire,
    /// The index of each string that is not of the document's own table.
    index: HashMap<StringId, i32>,
    added: Vec<StringId>,
    /// The first index of given bytes; made when something is missing.
    known: Option<HashMap<&'a [u8], i32>>,
}

impl<'a> Table<'a> {
    fn of(document: &'a Document, wire: Wire) -> Result<Self, WriteError> {
        let strings = &document.strings;
        if strings.overflows() {
            return Err(error(WriteErrorKind::TooMany { what: "strings", count: strings.len(), max: MAX_BYTES }));
        }
        let mut table = Self { strings, wire, index: HashMap::new(), added: Vec::new(), known: None };
        let Some((count_width, _)) = wire.table else { return Ok(table) };
        for element in &document.elements {
            table.need(element.class, wire.names);
            table.need(element.name, wire.values);
            for Attribute { name, value } in &element.attributes {
                table.need(*name, wire.names);
                if let Value::String(value) = value {
                    table.need(*value, wire.values);
                }
            }
        }
        let max = if count_width == Width::Four { MAX_ELEMENTS } else { 0xFFFF };
        fits("strings", table.len(), max)?;
        Ok(table)
    }

    fn len(&self) -> usize {
        self.strings.table_len().saturating_add(self.added.len())
    }

    fn need(&mut self, id: StringId, place: Place) {
        if place == Place::Inline
            || id.index() < self.strings.table_len()
            || id == StringId::MINUS_ONE
            || id == StringId::EMPTY && !self.wire.empty_in_table
            || self.index.contains_key(&id)
        {
            return;
        }
        let (strings, next) = (self.strings, index(self.len()));
        let known = self.known.get_or_insert_with(|| {
            // Backwards, so that of equal strings the first one stays.
            strings.table().rev().map(|(id, bytes)| (bytes, index(id.index()))).collect()
        });
        let place = *known.entry(strings.get(id)).or_insert_with(|| {
            self.added.push(id);
            next
        });
        self.index.insert(id, place);
    }

    fn index(&self, id: StringId) -> i32 {
        if id.index() < self.strings.table_len() {
            return index(id.index());
        }
        self.index.get(&id).copied().unwrap_or(-1)
    }
}

fn index(index: usize) -> i32 {
    i32::try_from(index).unwrap_or(-1)
}

struct Writer<'a> {
    document: &'a Document,
    wire: Wire,
    table: Table<'a>,
    output: Output,
    /// Bytes that the file may have.
    max: usize,
}

impl Writer<'_> {
    fn prefix(&mut self) -> Result<(), WriteError> {
        let blocks = &self.document.prefix;
        if !self.wire.prefix {
            return if blocks.is_empty() {
                Ok(())
            } else {
                Err(error(WriteErrorKind::NoPrefix(self.document.header.encoding)))
            };
        }
        // Blocks have their strings in place, as in the oldest version.
        let (names, values) = (self.wire.names, self.wire.values);
        (self.wire.names, self.wire.values) = (Place::Inline, Place::Inline);
        self.count("blocks", blocks.len())?;
        for (index, block) in blocks.iter().enumerate() {
            self.attributes(block).in_item("prefix", index)?;
        }
        (self.wire.names, self.wire.values) = (names, values);
        Ok(())
    }

    fn table(&mut self) -> Result<(), WriteError> {
        let Some((width, _)) = self.wire.table else { return Ok(()) };
        let count = self.table.len();
        match width {
            Width::Two => self.output.u16_le(u16::try_from(count).unwrap_or(u16::MAX)),
            Width::Four => self.output.u32_le(u32::try_from(count).unwrap_or(u32::MAX)),
        }
        let strings = &self.document.strings;
        for (_, string) in strings.table() {
            self.inline(string)?;
        }
        for id in self.table.added.clone() {
            self.inline(strings.get(id))?;
        }
        Ok(())
    }

    fn element(&mut self, element: &Element) -> Result<(), WriteError> {
        self.string(element.class, self.wire.names)?;
        if self.wire.link {
            self.output.i32_le(element.link);
        }
        self.string(element.name, self.wire.values)?;
        let id = element.id.ok_or_else(|| error(WriteErrorKind::NoId))?;
        self.output.bytes(&id.0);
        Ok(())
    }

    fn attributes(&mut self, attributes: &[Attribute]) -> Result<(), WriteError> {
        self.count("attributes", attributes.len())?;
        attributes.iter().try_for_each(|attribute| self.attribute(attribute))
    }

    fn attribute(&mut self, Attribute { name, value }: &Attribute) -> Result<(), WriteError> {
        self.string(*name, self.wire.names)?;
        self.value(value).map_err(|error| {
            let name = String::from_utf8_lossy(self.document.strings.get(*name)).into_owned();
            error.wrap(Frame::Name(name))
        })
    }

    fn value(&mut self, value: &Value) -> Result<(), WriteError> {
        let (value_type, array) = (value.value_type(), value.array_len());
        let Some(id) = self.wire.type_id(value_type, array.is_some()) else {
            let encoding = self.document.header.encoding;
            return Err(error(WriteErrorKind::NoSuchType { value_type, encoding }));
        };
        // Strings are asked for one by one.
        if value.value_type() != ValueType::String {
            self.room(value.size())?;
        }
        self.output.u8(id);
        if let Some(count) = array {
            self.count("items", count)?;
        }
        let output = &mut self.output;
        match value {
            Value::Element(item) => self.reference(*item)?,
            Value::Int(item) | Value::Time(item) => output.i32_le(*item),
            Value::Float(item) => output.f32_le(*item),
            Value::Bool(item) | Value::UInt8(item) => output.u8(*item),
            Value::String(item) => self.string(*item, self.wire.values)?,
            Value::Binary(item) => self.blob(item)?,
            Value::ObjectId(item) => output.bytes(&item.0),
            Value::Color(item) => output.bytes(item),
            Value::Vector2(item) => output.f32s_le(item),
            Value::Vector3(item) | Value::QAngle(item) => output.f32s_le(item),
            Value::Vector4(item) | Value::Quaternion(item) => output.f32s_le(item),
            Value::Matrix(item) => output.f32s_le(item.as_slice()),
            Value::UInt64(item) => output.u64_le(*item),
            Value::ElementArray(items) => {
                for (index, item) in items.iter().enumerate() {
                    self.reference(*item).map_err(|error| error.wrap(Frame::Index(index)))?;
                }
            }
            Value::IntArray(items) | Value::TimeArray(items) => output.i32s_le(items),
            Value::FloatArray(items) => output.f32s_le(items),
            Value::BoolArray(items) | Value::UInt8Array(items) => output.bytes(items),
            Value::StringArray(items) => {
                for (index, item) in items.iter().enumerate() {
                    self.string(*item, Place::Inline).map_err(|error| error.wrap(Frame::Index(index)))?;
                }
            }
            Value::BinaryArray(items) => {
                for (index, item) in items.iter().enumerate() {
                    self.blob(item).map_err(|error| error.wrap(Frame::Index(index)))?;
                }
            }
            Value::ObjectIdArray(items) => items.iter().for_each(|item| output.bytes(&item.0)),
            Value::ColorArray(items) => output.bytes(items.as_flattened()),
            Value::Vector2Array(items) => output.f32s_le(items.as_flattened()),
            Value::Vector3Array(items) | Value::QAngleArray(items) => output.f32s_le(items.as_flattened()),
            Value::Vector4Array(items) | Value::QuaternionArray(items) => output.f32s_le(items.as_flattened()),
            Value::MatrixArray(items) => output.f32s_le(items.as_flattened()),
            Value::UInt64Array(items) => items.iter().for_each(|item| output.u64_le(*item)),
        }
        Ok(())
    }

    fn reference(&mut self, reference: Reference) -> Result<(), WriteError> {
        match reference {
            Reference::Null => self.output.i32_le(-1),
            Reference::External(id) => {
                self.output.i32_le(-2);
                return self.inline(self.document.strings.get(id));
            }
            Reference::Element(id) => {
                let count = self.document.elements.len();
                if id.index() >= count {
                    return Err(error(WriteErrorKind::ElementIndex { index: id.0, count }));
                }
                self.output.u32_le(id.0);
            }
        }
        Ok(())
    }

    fn string(&mut self, id: StringId, place: Place) -> Result<(), WriteError> {
        match (place, self.wire.table) {
            (Place::Table, Some((_, Width::Two))) => {
                // −1 is 0xFFFF, so that this place of a larger table cannot be named.
                let index = usize::try_from(self.table.index(id)).ok();
                fits("strings", index.map_or(0, |index| index.saturating_add(1)), 0xFFFF)?;
                self.output.u16_le(index.and_then(|index| u16::try_from(index).ok()).unwrap_or(u16::MAX));
                Ok(())
            }
            (Place::Table, Some((_, Width::Four))) => {
                self.output.i32_le(self.table.index(id));
                Ok(())
            }
            _ => self.inline(self.document.strings.get(id)),
        }
    }

    fn blob(&mut self, bytes: &[u8]) -> Result<(), WriteError> {
        self.count("bytes", bytes.len())?;
        self.output.bytes(bytes);
        Ok(())
    }

    fn count(&mut self, what: &'static str, count: usize) -> Result<(), WriteError> {
        fits(what, count, MAX_ELEMENTS)?;
        self.output.u32_le(u32::try_from(count).unwrap_or(u32::MAX));
        Ok(())
    }

    /// Writes a string in its place.
    fn inline(&mut self, string: &[u8]) -> Result<(), WriteError> {
        if string.contains(&0) {
            return Err(error(WriteErrorKind::Nul));
        }
        self.room(string.len().saturating_add(1))?;
        self.output.bytes(string);
        self.output.u8(0);
        Ok(())
    }

    /// Whether so many bytes may follow. Asked of what is of any length before it is written.
    fn room(&self, bytes: usize) -> Result<(), WriteError> {
        let max = self.max;
        if self.output.len().saturating_add(bytes) > max { Err(error(WriteErrorKind::TooLong { max })) } else { Ok(()) }
    }
}

fn fits(what: &'static str, count: usize, max: usize) -> Result<(), WriteError> {
    if count > max { Err(error(WriteErrorKind::TooMany { what, count, max })) } else { Ok(()) }
}

fn error(kind: WriteErrorKind) -> WriteError {
    WriteError::nowhere(kind)
}

//! Writer of the binary encodings.

use std::collections::HashMap;

use mapwright_io::{Context, Frame, Output, Path};

use crate::codes::{Storage, Width, Wire};
use crate::document::{MAX_BYTES, MAX_ELEMENTS};
use crate::{
    Attribute, Document, Element, Reference, StringId, Strings, Value, ValueType, WriteError, WriteErrorKind,
    WriteOptions,
};

/// Writes the whole file, of at most `max` bytes.
pub(super) fn write(document: &Document, max: usize) -> Result<Output, WriteError> {
    let encoding = document.header.encoding;
    let wire = Wire::from_version(encoding.version).ok_or_else(|| error(WriteErrorKind::Version(encoding)))?;
    if document.elements.is_empty() {
        return Err(error(WriteErrorKind::NoElements));
    }
    fits("elements", document.elements.len(), MAX_ELEMENTS)?;
    let (table, size) = Table::from_document(document, wire)?;
    let mut writer = Writer::new(document, wire, table, max);
    writer.output = Output::with_capacity(size.min(max));
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
    writer.check_size(document.trailing.len())?;
    writer.output.bytes(&document.trailing);
    Ok(writer.output)
}

/// Returns the path of the part that a byte belongs to, by writing up to it.
pub(super) fn path_at(document: &Document, offset: usize) -> Result<Path, WriteError> {
    let field = |name| Ok(Path::from_iter([Frame::Field(name)]));
    let encoding = document.header.encoding;
    let wire = Wire::from_version(encoding.version).ok_or_else(|| error(WriteErrorKind::Version(encoding)))?;
    let (table, _) = Table::from_document(document, wire)?;
    let mut writer = Writer::new(document, wire, table, WriteOptions::default().max_bytes());
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

/// The string table of the file: the document's own table, followed by missing strings in the order of their first use.
struct Table<'a> {
    strings: &'a Strings,
    wire: Wire,
    /// The index of each string that is not in the document's own table.
    index: HashMap<StringId, i32>,
    added: Vec<StringId>,
    /// The first index of each string, created when a string is missing.
    known: Option<HashMap<&'a [u8], i32>>,
}

impl<'a> Table<'a> {
    /// Creates the table and estimates the size of the file, so that the output does not grow. The estimate is only too low for
    /// strings that repeat outside the table.
    fn from_document(document: &'a Document, wire: Wire) -> Result<(Self, usize), WriteError> {
        let strings = &document.strings;
        if strings.overflows() {
            return Err(error(WriteErrorKind::TooMany { what: "strings", count: strings.len(), max: MAX_BYTES }));
        }
        let mut table = Self { strings, wire, index: HashMap::new(), added: Vec::new(), known: None };
        // One pass over the document for both, because it is large.
        let mut size = [
            document.header.line().len(),
            16,
            strings.total_bytes(),
            strings.len(),
            document.elements.len().saturating_mul(32),
            document.trailing.len(),
        ]
        .into_iter()
        .fold(0, usize::saturating_add);
        let mut add = |value: &Value| size = size.saturating_add(value.size()).saturating_add(5);
        document.prefix.iter().flatten().for_each(|attribute| add(&attribute.value));
        for element in &document.elements {
            table.require(element.class, wire.names);
            table.require(element.name, wire.values);
            for Attribute { name, value } in &element.attributes {
                table.require(*name, wire.names);
                if let Value::String(value) = value {
                    table.require(*value, wire.values);
                }
                add(value);
            }
        }
        if let Some((count_width, _)) = wire.table {
            fits("strings", table.len(), if count_width == Width::Four { MAX_ELEMENTS } else { 0xFFFF })?;
        }
        Ok((table, size))
    }

    fn len(&self) -> usize {
        self.strings.table_len().saturating_add(self.added.len())
    }

    #[inline]
    fn require(&mut self, id: StringId, place: Storage) {
        if place == Storage::Table && id.index() >= self.strings.table_len() {
            self.add_missing(id);
        }
    }

    fn add_missing(&mut self, id: StringId) {
        if id == StringId::MINUS_ONE
            || id == StringId::EMPTY && !self.wire.empty_in_table
            || self.index.contains_key(&id)
        {
            return;
        }
        let (strings, next) = (self.strings, index(self.len()));
        let known = self.known.get_or_insert_with(|| {
            // Backwards, so that the first of equal strings remains.
            strings.table().rev().map(|(id, bytes)| (bytes, index(id.index()))).collect()
        });
        let place = *known.entry(strings.get(id)).or_insert_with(|| {
            self.added.push(id);
            next
        });
        self.index.insert(id, place);
    }

    #[inline]
    fn index(&self, id: StringId) -> i32 {
        if id.index() < self.strings.table_len() { index(id.index()) } else { self.added_index(id) }
    }

    #[inline(never)]
    fn added_index(&self, id: StringId) -> i32 {
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
    /// Storage of classes and names of attributes, and of names of elements and single string values.
    names: StringForm,
    values: StringForm,
    /// The numbers of the types in the version, of single values and of arrays.
    scalars: TypeIds,
    arrays: TypeIds,
    output: Output,
    /// Maximum size of the file in bytes.
    max: usize,
}

type TypeIds = [Option<u8>; ValueType::ALL.len()];

/// The form of a string in the file.
#[derive(Clone, Copy)]
enum StringForm {
    Inline,
    Index(Width),
}

impl<'a> Writer<'a> {
    fn new(document: &'a Document, wire: Wire, table: Table<'a>, max: usize) -> Self {
        let form = |place| match wire.table {
            Some((_, width)) if place == Storage::Table => StringForm::Index(width),
            _ => StringForm::Inline,
        };
        let types = |array| {
            let mut ids = TypeIds::default();
            ids.iter_mut().zip(ValueType::ALL).for_each(|(id, value_type)| *id = wire.type_id(*value_type, array));
            ids
        };
        Self {
            document,
            wire,
            table,
            names: form(wire.names),
            values: form(wire.values),
            scalars: types(false),
            arrays: types(true),
            output: Output::new(),
            max,
        }
    }

    fn prefix(&mut self) -> Result<(), WriteError> {
        let blocks = &self.document.prefix;
        if !self.wire.prefix {
            return if blocks.is_empty() {
                Ok(())
            } else {
                Err(error(WriteErrorKind::NoPrefix(self.document.header.encoding)))
            };
        }
        // Blocks contain their strings, as in the oldest version.
        let (names, values) = (self.names, self.values);
        (self.names, self.values) = (StringForm::Inline, StringForm::Inline);
        self.count("blocks", blocks.len())?;
        for (index, block) in blocks.iter().enumerate() {
            self.attributes(block).in_item("prefix", index)?;
        }
        (self.names, self.values) = (names, values);
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
        self.string(element.class, self.names)?;
        if self.wire.link {
            self.output.i32_le(element.link);
        }
        self.string(element.name, self.values)?;
        let id = element.id.ok_or_else(|| error(WriteErrorKind::NoId))?;
        self.output.bytes(&id.0);
        Ok(())
    }

    fn attributes(&mut self, attributes: &[Attribute]) -> Result<(), WriteError> {
        self.count("attributes", attributes.len())?;
        attributes.iter().try_for_each(|attribute| self.attribute(attribute))
    }

    fn attribute(&mut self, Attribute { name, value }: &Attribute) -> Result<(), WriteError> {
        self.string(*name, self.names)?;
        self.value(value).map_err(|error| {
            let name = String::from_utf8_lossy(self.document.strings.get(*name)).into_owned();
            error.wrap(Frame::Name(name))
        })
    }

    fn value(&mut self, value: &Value) -> Result<(), WriteError> {
        let (value_type, is_array) = (value.value_type(), value.array_len().is_some());
        let types = if is_array { &self.arrays } else { &self.scalars };
        let Some(id) = types.get(value_type as usize).copied().flatten() else {
            let encoding = self.document.header.encoding;
            return Err(error(WriteErrorKind::NoSuchType { value_type, encoding }));
        };
        self.output.u8(id);
        let output = &mut self.output;
        match value {
            Value::Element(item) => self.reference(*item)?,
            Value::Int(item) | Value::Time(item) => output.i32_le(*item),
            Value::Float(item) => output.f32_le(*item),
            Value::Bool(item) | Value::UInt8(item) => output.u8(*item),
            Value::String(item) => self.string(*item, self.values)?,
            Value::Binary(item) => self.blob(item)?,
            Value::ObjectId(item) => output.bytes(&item.0),
            Value::Color(item) => output.bytes(item),
            Value::Vector2(item) => output.f32s_le(item),
            Value::Vector3(item) | Value::QAngle(item) => output.f32s_le(item),
            Value::Vector4(item) | Value::Quaternion(item) => output.f32s_le(item),
            Value::Matrix(item) => output.f32s_le(item.as_slice()),
            Value::UInt64(item) => output.u64_le(*item),
            Value::ElementArray(items) => {
                self.count("items", items.len())?;
                self.check_size(items.len().saturating_mul(4))?;
                for (index, item) in items.iter().enumerate() {
                    self.reference(*item).map_err(|error| error.wrap(Frame::Index(index)))?;
                }
            }
            Value::IntArray(items) | Value::TimeArray(items) => self.items(items)?.i32s_le(items),
            Value::FloatArray(items) => self.items(items)?.f32s_le(items),
            Value::BoolArray(items) | Value::UInt8Array(items) => self.blob(items)?,
            Value::StringArray(items) => {
                self.count("items", items.len())?;
                for (index, item) in items.iter().enumerate() {
                    self.string(*item, StringForm::Inline).map_err(|error| error.wrap(Frame::Index(index)))?;
                }
            }
            Value::BinaryArray(items) => {
                self.count("items", items.len())?;
                for (index, item) in items.iter().enumerate() {
                    self.blob(item).map_err(|error| error.wrap(Frame::Index(index)))?;
                }
            }
            Value::ObjectIdArray(items) => {
                let output = self.items(items)?;
                items.iter().for_each(|item| output.bytes(&item.0));
            }
            Value::ColorArray(items) => self.items(items)?.bytes(items.as_flattened()),
            Value::Vector2Array(items) => self.items(items)?.f32s_le(items.as_flattened()),
            Value::Vector3Array(items) | Value::QAngleArray(items) => self.items(items)?.f32s_le(items.as_flattened()),
            Value::Vector4Array(items) | Value::QuaternionArray(items) => {
                self.items(items)?.f32s_le(items.as_flattened());
            }
            Value::MatrixArray(items) => self.items(items)?.f32s_le(items.as_flattened()),
            Value::UInt64Array(items) => {
                let output = self.items(items)?;
                items.iter().for_each(|item| output.u64_le(*item));
            }
        }
        // Values of any length have checked the size before.
        self.check_size(0)
    }

    /// Writes the number of items of an array and checks their size, which is the same in memory and in the file.
    fn items<T>(&mut self, items: &[T]) -> Result<&mut Output, WriteError> {
        self.count("items", items.len())?;
        self.check_size(size_of_val(items))?;
        Ok(&mut self.output)
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

    #[inline]
    fn string(&mut self, id: StringId, form: StringForm) -> Result<(), WriteError> {
        if let StringForm::Index(Width::Four) = form {
            self.output.i32_le(self.table.index(id));
            return Ok(());
        }
        self.rare_string(id, form)
    }

    #[inline(never)]
    fn rare_string(&mut self, id: StringId, form: StringForm) -> Result<(), WriteError> {
        let StringForm::Index(_) = form else { return self.inline(self.document.strings.get(id)) };
        // −1 is 0xFFFF, so that this index of a larger table cannot be used.
        let index = usize::try_from(self.table.index(id)).ok();
        fits("strings", index.map_or(0, |index| index.saturating_add(1)), 0xFFFF)?;
        self.output.u16_le(index.and_then(|index| u16::try_from(index).ok()).unwrap_or(u16::MAX));
        Ok(())
    }

    fn blob(&mut self, bytes: &[u8]) -> Result<(), WriteError> {
        self.count("bytes", bytes.len())?;
        self.check_size(bytes.len())?;
        self.output.bytes(bytes);
        Ok(())
    }

    fn count(&mut self, what: &'static str, count: usize) -> Result<(), WriteError> {
        fits(what, count, MAX_ELEMENTS)?;
        self.output.u32_le(u32::try_from(count).unwrap_or(u32::MAX));
        Ok(())
    }

    /// Writes a string that ends with a NUL.
    fn inline(&mut self, string: &[u8]) -> Result<(), WriteError> {
        if string.contains(&0) {
            return Err(error(WriteErrorKind::Nul));
        }
        self.check_size(string.len().saturating_add(1))?;
        self.output.bytes(string);
        self.output.u8(0);
        Ok(())
    }

    /// Checks the size of values of any length before they are written.
    fn check_size(&self, bytes: usize) -> Result<(), WriteError> {
        let max = self.max;
        if self.output.len().saturating_add(bytes) > max { Err(error(WriteErrorKind::TooLong { max })) } else { Ok(()) }
    }
}

fn fits(what: &'static str, count: usize, max: usize) -> Result<(), WriteError> {
    if count > max { Err(error(WriteErrorKind::TooMany { what, count, max })) } else { Ok(()) }
}

fn error(kind: WriteErrorKind) -> WriteError {
    WriteError::without_position(kind)
}

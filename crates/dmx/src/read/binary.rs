//! The binary encodings.

use std::ffi::CStr;

use mapwright_io::{Budget, Category, Context, FaultKind, Frame, Input, Losses};

use super::memory::{GROWTH, Memory};
use crate::codes::{Storage, Width, Wire};
use crate::document::{MAX_BYTES, MAX_ELEMENTS};
use crate::rescue::{MAX_LISTED, Rescued};
use crate::{
    Attribute, Document, Element, ElementId, Guid, Header, ReadError, ReadErrorKind, Reference, StringId, Strings,
    Value, ValueType,
};

/// Reads a binary file after its header.
pub(super) fn read(header: Header, input: &mut Input<'_>, budget: &mut Budget) -> Result<Document, ReadError> {
    let (document, damage) = read_to_damage(header, input, budget, &mut None)?;
    match damage {
        None => Ok(document),
        Some((_, error)) => Err(error),
    }
}

/// Reads a binary file after its header up to the first damaged element.
pub(super) fn rescue(header: Header, input: &mut Input<'_>, budget: &mut Budget) -> Result<Rescued, ReadError> {
    let mut losses = Some(Losses::new());
    let (mut document, damage) = read_to_damage(header, input, budget, &mut losses)?;
    let mut losses = losses.unwrap_or_default();
    let mut incomplete = Vec::new();
    if let Some((first, error)) = damage {
        let is_empty = document.elements.first().is_none_or(|root| root.attributes.is_empty());
        if is_empty || error.category() == Category::Limit {
            return Err(error);
        }
        let count = document.elements.len();
        losses.dropped(error.path().clone(), format!("damaged: {}", error.kind()));
        losses.dropped(format!("elements[{first}]"), "attributes after the damage");
        let missing = count.saturating_sub(first).saturating_sub(1);
        if missing > 0 {
            losses.dropped("", format!("{missing} of {count} elements: references to them become null"));
        }
        document.remove(|id| id.index() > first);
        incomplete.push(ElementId::at(first));
    }
    Ok(Rescued { document, losses, incomplete })
}

/// Reads a binary file after its header. Returns the first element whose attributes are damaged, and the error. With `repairs`, invalid
/// indices of strings and elements become empty strings and null.
fn read_to_damage(
    header: Header,
    input: &mut Input<'_>,
    budget: &mut Budget,
    repairs: &mut Option<Losses>,
) -> Result<(Document, Option<(usize, ReadError)>), ReadError> {
    let version = header.encoding.version;
    let Some(wire) = Wire::from_version(version) else {
        let kind = ReadErrorKind::Version { encoding: header.encoding, version: version.into() };
        return Err(ReadError::new(kind, input.position()));
    };
    // Offsets of strings take four bytes.
    if input.remaining() > MAX_BYTES {
        return Err(limit(input, "size of the file", input.remaining(), MAX_BYTES));
    }
    header_end(input)?;
    let file = input.remaining();
    let memory = Memory::new(file);
    let mut reader = Reader { wire, strings: Strings::default(), elements: MAX_ELEMENTS, budget, memory, repairs };
    // The blocks precede the string table and the elements, but their strings follow the table in the document, and they can
    // refer to elements. They are skipped here and read when both are known.
    let mut blocks = input.clone();
    reader.prefix(input)?;
    reader.memory = Memory::new(file);
    reader.strings = reader.table(input).in_field("strings")?;
    let mut elements = reader.headers(input)?;
    let prefix = reader.prefix(&mut blocks)?;
    let mut damage = None;
    for (index, element) in elements.iter_mut().enumerate() {
        if let Err(error) = reader.attributes(input, &mut element.attributes).in_item("elements", index) {
            damage = Some((index, error));
            break;
        }
    }
    reader.spend(input, input.remaining())?;
    let trailing = if damage.is_some() { Vec::new() } else { input.read_to_end().to_vec() };
    Ok((Document { header, prefix, strings: reader.strings, elements, trailing, source: None }, damage))
}

fn header_end(input: &mut Input<'_>) -> Result<(), ReadError> {
    let at = input.position();
    match input.peek() {
        [b'\n', 0, ..] => input.take(2).map(|_| ()).map_err(Into::into),
        found => {
            let converted = found.starts_with(b"\r\n\0");
            Err(ReadError::new(ReadErrorKind::HeaderEnd { converted }, at))
        }
    }
}

struct Reader<'b> {
    wire: Wire,
    strings: Strings,
    /// Number of elements in the file.
    elements: usize,
    budget: &'b mut Budget,
    memory: Memory,
    /// The repaired indices of a damaged file.
    repairs: &'b mut Option<Losses>,
}

impl Reader<'_> {
    fn prefix(&mut self, input: &mut Input<'_>) -> Result<Vec<Vec<Attribute>>, ReadError> {
        if !self.wire.prefix {
            return Ok(Vec::new());
        }
        // Blocks contain their strings, as in the oldest version.
        let (names, values) = (self.wire.names, self.wire.values);
        (self.wire.names, self.wire.values) = (Storage::Inline, Storage::Inline);
        let count = self.count::<Vec<Attribute>>(input, 4, "blocks")?;
        // Allocate once: a growing list exists twice.
        let mut blocks = Vec::with_capacity(count);
        for index in 0..count {
            let mut block = Vec::new();
            self.attributes(input, &mut block).in_item("prefix", index)?;
            blocks.push(block);
        }
        (self.wire.names, self.wire.values) = (names, values);
        Ok(blocks)
    }

    fn table(&mut self, input: &mut Input<'_>) -> Result<Strings, ReadError> {
        let declared = match self.wire.table {
            None => return Ok(Strings::default()),
            Some((Width::Two, _)) => input.u16_le()?.into(),
            Some((Width::Four, _)) => input.u32_le()?.into(),
        };
        let count = input.count(declared, 1, "strings")?;
        self.budget.take_items(count as u64, input.position())?;
        let mut table = Strings::with_table_capacity(count);
        for index in 0..count {
            let string = inline(input).map_err(|error| error.wrap(Frame::Index(index)))?;
            self.spend(input, string.len().saturating_mul(GROWTH).saturating_add(4))?;
            table.append_to_table(string);
        }
        Ok(table)
    }

    fn headers(&mut self, input: &mut Input<'_>) -> Result<Vec<Element>, ReadError> {
        let at = input.position();
        // Headers contain a class, a name and an identity; a count of attributes follows them.
        let count = self.count::<Element>(input, 22, "elements")?;
        if count == 0 {
            return Err(ReadError::new(ReadErrorKind::NoElements, at));
        }
        if count > MAX_ELEMENTS {
            return Err(limit(input, "number of elements", count, MAX_ELEMENTS));
        }
        self.elements = count;
        let mut elements = Vec::with_capacity(count);
        for index in 0..count {
            elements.push(self.element(input).in_item("elements", index)?);
        }
        Ok(elements)
    }

    fn element(&mut self, input: &mut Input<'_>) -> Result<Element, ReadError> {
        let class = self.string(input, self.wire.names)?;
        let link = if self.wire.link { input.i32_le()? } else { -1 };
        let name = self.string(input, self.wire.values)?;
        let id = Some(Guid(input.array()?));
        Ok(Element { class, name, id, link, attributes: Vec::new(), origin: None })
    }

    fn attributes(&mut self, input: &mut Input<'_>, attributes: &mut Vec<Attribute>) -> Result<(), ReadError> {
        // A name, a type and a value.
        let count = self.count::<Attribute>(input, 3, "attributes")?;
        attributes.reserve_exact(count);
        for index in 0..count {
            let name = self.string(input, self.wire.names).in_item("attributes", index)?;
            let value = match self.value(input) {
                Ok(value) => value,
                Err(error) => return Err(error).in_name(&String::from_utf8_lossy(self.strings.get(name))),
            };
            attributes.push(Attribute { name, value });
        }
        Ok(())
    }

    fn value(&mut self, input: &mut Input<'_>) -> Result<Value, ReadError> {
        let at = input.position();
        let id = input.u8()?;
        let Some((value_type, array)) = self.wire.value_type(id) else {
            return Err(ReadError::new(ReadErrorKind::TypeId { id, version: self.wire.version }, at));
        };
        if array { self.array(value_type, input) } else { self.scalar(value_type, input) }
    }

    fn scalar(&mut self, value_type: ValueType, input: &mut Input<'_>) -> Result<Value, ReadError> {
        Ok(match value_type {
            ValueType::Element => Value::Element(self.reference(input)?),
            ValueType::Int => Value::Int(input.i32_le()?),
            ValueType::Float => Value::Float(input.f32_le()?),
            ValueType::Bool => Value::Bool(input.u8()?),
            ValueType::String => Value::String(self.string(input, self.wire.values)?),
            ValueType::Binary => Value::Binary(self.blob(input)?),
            ValueType::Time => Value::Time(input.i32_le()?),
            ValueType::ObjectId => Value::ObjectId(Guid(input.array()?)),
            ValueType::Color => Value::Color(input.array()?),
            ValueType::Vector2 => Value::Vector2(floats(&input.array::<8>()?)),
            ValueType::Vector3 => Value::Vector3(floats(&input.array::<12>()?)),
            ValueType::Vector4 => Value::Vector4(floats(&input.array::<16>()?)),
            ValueType::QAngle => Value::QAngle(floats(&input.array::<12>()?)),
            ValueType::Quaternion => Value::Quaternion(floats(&input.array::<16>()?)),
            ValueType::Matrix => Value::Matrix(Box::new(floats(&input.array::<64>()?))),
            ValueType::UInt64 => Value::UInt64(input.u64_le()?),
            ValueType::UInt8 => Value::UInt8(input.u8()?),
        })
    }

    fn array(&mut self, value_type: ValueType, input: &mut Input<'_>) -> Result<Value, ReadError> {
        Ok(match value_type {
            ValueType::Element => Value::ElementArray(self.items(input, 4, Self::reference)?),
            ValueType::Int => Value::IntArray(self.packed(input, i32::from_le_bytes)?),
            ValueType::Float => Value::FloatArray(self.packed(input, f32::from_le_bytes)?),
            ValueType::Bool => Value::BoolArray(self.packed(input, u8::from_le_bytes)?),
            ValueType::String => {
                Value::StringArray(self.items(input, 1, |reader, input| reader.string(input, Storage::Inline))?)
            }
            ValueType::Binary => Value::BinaryArray(self.items(input, 4, Self::blob)?),
            ValueType::Time => Value::TimeArray(self.packed(input, i32::from_le_bytes)?),
            ValueType::ObjectId => Value::ObjectIdArray(self.packed(input, Guid)?),
            ValueType::Color => Value::ColorArray(self.packed(input, |bytes| bytes)?),
            ValueType::Vector2 => Value::Vector2Array(self.packed(input, |bytes: [u8; 8]| floats(&bytes))?),
            ValueType::Vector3 => Value::Vector3Array(self.packed(input, |bytes: [u8; 12]| floats(&bytes))?),
            ValueType::Vector4 => Value::Vector4Array(self.packed(input, |bytes: [u8; 16]| floats(&bytes))?),
            ValueType::QAngle => Value::QAngleArray(self.packed(input, |bytes: [u8; 12]| floats(&bytes))?),
            ValueType::Quaternion => Value::QuaternionArray(self.packed(input, |bytes: [u8; 16]| floats(&bytes))?),
            ValueType::Matrix => Value::MatrixArray(self.packed(input, |bytes: [u8; 64]| floats(&bytes))?),
            ValueType::UInt64 => Value::UInt64Array(self.packed(input, u64::from_le_bytes)?),
            ValueType::UInt8 => Value::UInt8Array(self.packed(input, u8::from_le_bytes)?),
        })
    }

    /// Reads items of at least `min_size` bytes that cannot be copied as a whole.
    fn items<T>(
        &mut self,
        input: &mut Input<'_>,
        min_size: usize,
        item: impl Fn(&mut Self, &mut Input<'_>) -> Result<T, ReadError>,
    ) -> Result<Box<[T]>, ReadError> {
        let count = self.count::<T>(input, min_size, "items")?;
        let mut items = Vec::with_capacity(count);
        for index in 0..count {
            items.push(item(self, input).map_err(|error| error.wrap(Frame::Index(index)))?);
        }
        Ok(items.into())
    }

    fn reference(&mut self, input: &mut Input<'_>) -> Result<Reference, ReadError> {
        let at = input.position();
        let index = input.i32_le()?;
        match (index, usize::try_from(index)) {
            (-1, _) => Ok(Reference::Null),
            (-2, _) => self.string(input, Storage::Inline).map(Reference::External),
            (_, Ok(place)) if place < self.elements => Ok(Reference::Element(ElementId::at(place))),
            _ => {
                let error = ReadError::new(ReadErrorKind::ElementIndex { index, count: self.elements }, at);
                self.repair(error, Reference::Null)
            }
        }
    }

    fn string(&mut self, input: &mut Input<'_>, place: Storage) -> Result<StringId, ReadError> {
        let (at, width) = match (place, self.wire.table) {
            (Storage::Table, Some((_, width))) => (input.position(), width),
            _ => {
                let string = inline(input)?;
                self.spend(input, string.len().saturating_add(4).saturating_mul(GROWTH))?;
                return Ok(self.strings.push(string));
            }
        };
        let index = match width {
            // Valve's reader and others differ in the sign. No table has that many strings.
            Width::Two => match input.u16_le()? {
                u16::MAX => -1,
                index => index.into(),
            },
            Width::Four => input.i32_le()?,
        };
        let count = self.strings.table_len();
        match (index, usize::try_from(index)) {
            (-1, _) => Ok(StringId::MINUS_ONE),
            (_, Ok(place)) if place < count => Ok(StringId::at(place)),
            _ => self.repair(ReadError::new(ReadErrorKind::StringIndex { index, count }, at), StringId::EMPTY),
        }
    }

    /// Reports an invalid index of a damaged file and returns the value in its place.
    #[cold]
    fn repair<T>(&mut self, error: ReadError, value: T) -> Result<T, ReadError> {
        let Some(losses) = self.repairs.as_mut().filter(|losses| losses.len() < MAX_LISTED) else { return Err(error) };
        let at = error.position().map_or(0, |position| position.offset);
        losses.repaired("", format!("offset {at}: {}", error.kind()));
        Ok(value)
    }

    fn blob(&mut self, input: &mut Input<'_>) -> Result<Box<[u8]>, ReadError> {
        self.packed(input, u8::from_le_bytes)
    }

    /// Reads an array of items of `N` bytes each.
    fn packed<T, const N: usize>(
        &mut self,
        input: &mut Input<'_>,
        item: impl Fn([u8; N]) -> T,
    ) -> Result<Box<[T]>, ReadError> {
        let declared = input.u32_le()?;
        let count = input.count(declared.into(), N, "items")?;
        self.spend(input, count.saturating_mul(size_of::<T>()))?;
        let (items, _) = input.take(count.saturating_mul(N))?.as_chunks::<N>();
        Ok(items.iter().map(|bytes| item(*bytes)).collect())
    }

    /// Reads the number of `T`s that follow, of at least `min_size` bytes each.
    fn count<T>(&mut self, input: &mut Input<'_>, min_size: usize, what: &'static str) -> Result<usize, ReadError> {
        let declared = input.u32_le()?;
        let count = input.count(declared.into(), min_size, what)?;
        self.budget.take_items(declared.into(), input.position())?;
        self.spend(input, count.saturating_mul(size_of::<T>()))?;
        Ok(count)
    }

    fn spend(&mut self, input: &Input<'_>, bytes: usize) -> Result<(), ReadError> {
        self.memory.spend(bytes).map_err(|kind| input.fault(kind).into())
    }
}

/// Reads a string that ends with a NUL.
fn inline<'a>(input: &mut Input<'a>) -> Result<&'a [u8], ReadError> {
    let Ok(string) = CStr::from_bytes_until_nul(input.peek()) else {
        return Err(ReadError::new(ReadErrorKind::UnendedString, input.position()));
    };
    input.take(string.count_bytes().saturating_add(1))?;
    Ok(string.to_bytes())
}

fn floats<const N: usize>(bytes: &[u8]) -> [f32; N] {
    let mut floats = [0.0; N];
    for (float, bytes) in floats.iter_mut().zip(bytes.as_chunks::<4>().0) {
        *float = f32::from_le_bytes(*bytes);
    }
    floats
}

fn limit(input: &Input<'_>, what: &'static str, asked: usize, limit: usize) -> ReadError {
    input.fault(FaultKind::Limit { what, asked: asked as u64, limit: limit as u64 }).into()
}

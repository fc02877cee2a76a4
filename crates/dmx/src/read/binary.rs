//! The binary encodings.

use std::collections::{HashMap, HashSet};
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
    let (document, damage) = read_around_damage(header, input, budget, &mut None)?;
    match damage.errors.into_iter().next() {
        None => Ok(document),
        Some((_, error)) => Err(error),
    }
}

/// Reads a binary file after its header without the damaged elements.
pub(super) fn rescue(header: Header, input: &mut Input<'_>, budget: &mut Budget) -> Result<Rescued, ReadError> {
    let mut losses = Some(Losses::new());
    let (mut document, Damage { errors, missing }) = read_around_damage(header, input, budget, &mut losses)?;
    let mut losses = losses.unwrap_or_default();
    let is_empty = document.elements.first().is_none_or(|root| root.attributes.is_empty());
    let count = document.elements.len();
    let mut incomplete = Vec::new();
    for (index, error) in errors {
        if is_empty || error.category() == Category::Limit {
            return Err(error);
        }
        losses.dropped(error.path().clone(), format!("damaged: {}", error.kind()));
        losses.dropped(format!("elements[{index}]"), "attributes after the damage");
        incomplete.push(ElementId::at(index));
    }
    if !missing.is_empty() {
        let text = format!("{} of {count} elements: references to them become null", missing.len());
        losses.dropped("", text);
        let places = document.remove(|id| missing.contains(&id.index()));
        incomplete = incomplete.iter().filter_map(|id| *places.get(id.index())?).collect();
    }
    Ok(Rescued { document, losses, incomplete })
}

/// The damaged elements of a file.
#[derive(Default)]
struct Damage {
    /// The elements whose last attributes are missing, each with the error.
    errors: Vec<(usize, ReadError)>,
    /// The elements without attributes.
    missing: HashSet<usize>,
}

/// Reads a binary file after its header up to the first damaged element. With `repairs`, it continues after damaged elements, and invalid
/// indices of strings and elements become empty strings and null.
fn read_around_damage(
    header: Header,
    input: &mut Input<'_>,
    budget: &mut Budget,
    repairs: &mut Option<Losses>,
) -> Result<(Document, Damage), ReadError> {
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
    let mut damage = Damage::default();
    let (mut index, mut starts) = (0_usize, Vec::new());
    while let Some(element) = elements.get_mut(index) {
        let start = input.clone();
        let read = reader.attributes(input, &mut element.attributes).in_item("elements", index);
        let next = index.saturating_add(1);
        if reader.repairs.is_some() {
            starts.push((index, start));
        }
        let Err(error) = read else {
            index = next;
            continue;
        };
        let is_continued = reader.repairs.is_some() && damage.errors.len() < MAX_CONTINUED;
        let continued =
            if is_continued { reader.find_element(damage.errors.is_empty(), &starts, &elements) } else { None };
        let (damaged, following) = match continued {
            Some((damaged, following, start)) => {
                *input = start;
                (damaged, following)
            }
            None => (index, elements.len()),
        };
        damage.errors.push((damaged, error));
        damage.missing.extend(damaged.saturating_add(1)..following);
        starts.retain(|(index, _)| *index < damaged);
        index = following;
    }
    reader.spend(input, input.remaining())?;
    let trailing = if damage.errors.is_empty() { input.read_to_end().to_vec() } else { Vec::new() };
    Ok((Document { header, prefix, strings: reader.strings, elements, trailing, source: None }, damage))
}

/// Maximum number of damaged elements after which reading continues, of following elements that are searched for, and of offsets that are
/// tried for each of these. Each takes time in proportion to the file.
const MAX_CONTINUED: usize = 32;
const MAX_SKIPPED: usize = 4;
const MAX_TRIED: usize = 32;
/// Maximum number of offsets that are tried for an element whose first attribute is unknown.
const MAX_UNKNOWN: usize = 1 << 14;
/// Maximum number of elements that may be misread from the bytes after a damaged count.
const MAX_SHIFTED: usize = 32;

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
    /// Finds the element after a damaged one. Most elements of a class begin with the same attribute, which is searched for. A match is
    /// accepted if all elements from there on fill the file or, if there is more damage, if this element and the next one are readable.
    /// Returns the index of the damaged element, the index of the element after it, and the start of that.
    fn find_element<'i>(
        &self,
        is_first: bool,
        starts: &[(usize, Input<'i>)],
        elements: &[Element],
    ) -> Option<(usize, usize, Input<'i>)> {
        // Size of the name and the type of an attribute. The count of attributes precedes them.
        let size = match (self.wire.names, self.wire.table) {
            (Storage::Table, Some((_, Width::Two))) => 3,
            (Storage::Table, Some((_, Width::Four))) => 5,
            _ => return None,
        };
        let first_attribute = |input: &Input<'i>| input.peek().get(4..)?.get(..size);
        let class = |index: usize| elements.get(index).map(|element| element.class);
        // Prefer the first element of a class, which is more likely to be intact than the last one.
        let classes = starts.iter().rev().filter_map(|(index, start)| Some((class(*index)?, first_attribute(start)?)));
        let known: HashMap<StringId, &[u8]> = classes.collect();
        let pattern = |index: usize| known.get(&class(index)?).copied();
        // Bytes after a damaged count may be misread as elements. These begin with other attributes than their class.
        let is_shifted = |(index, start): &&(usize, Input<'i>)| pattern(*index) != first_attribute(start);
        let shifted = starts.iter().rev().take(MAX_SHIFTED).take_while(is_shifted).count();
        let last = starts.len().checked_sub(1)?;
        let mut work = starts.first()?.1.remaining().saturating_mul(MAX_SKIPPED).saturating_add(1 << 16);
        // An element whose first attribute is damaged looks misread, too, so try both.
        let mut places = vec![last, last.saturating_sub(shifted)];
        if shifted > 1 {
            places.reverse();
        }
        // The damaged element may also be an earlier one that was read without an error.
        let all = (0..=last).rev().take(if is_first { MAX_SHIFTED } else { 0 });
        let all: Vec<usize> = places.iter().copied().chain(all).collect();
        for (places, count) in [(all, usize::MAX), (places, 2)] {
            for (damaged, start) in places.iter().filter_map(|place| starts.get(*place)) {
                // A truncated file ends like a file without some elements, so only skip elements if there is more damage.
                let skipped = if count == 2 { MAX_SKIPPED } else { 1 };
                for index in (damaged.saturating_add(1)..elements.len()).take(skipped) {
                    // If the first attribute is unknown, only the end of the file can confirm an element.
                    let (wanted, most) =
                        (pattern(index), if pattern(index).is_some() { MAX_TRIED } else { MAX_UNKNOWN });
                    if wanted.is_none() && count < elements.len() {
                        continue;
                    }
                    // Skip the count of the damaged element, and the count before the attribute.
                    let found = start.peek().windows(size).enumerate().skip(8);
                    let found = found.filter(|(_, found)| wanted.is_none_or(|wanted| *found == wanted));
                    for (at, _) in found.take(most) {
                        let mut place = start.clone();
                        place.take(at.saturating_sub(4)).ok()?;
                        let mut after = place.clone();
                        let last = elements.len().min(index.saturating_add(count));
                        let is_read = (index..last).all(|_| {
                            let before = after.remaining();
                            let is_read = work > 0 && self.skip_attributes(&mut after).is_some();
                            work = work.saturating_sub(before.saturating_sub(after.remaining()));
                            is_read
                        });
                        if is_read && (last < elements.len() || after.is_empty()) {
                            return Some((*damaged, index, place));
                        }
                    }
                }
            }
        }
        None
    }

    /// Skips the attributes of an element. Returns `None` if they are not valid.
    fn skip_attributes(&self, input: &mut Input<'_>) -> Option<()> {
        for _ in 0..input.u32_le().ok()? {
            self.skip_item(ValueType::String, self.wire.names, input)?;
            let (value_type, array) = self.wire.value_type(input.u8().ok()?)?;
            if array {
                let count = input.u32_le().ok()?;
                input.count(count.into(), 1, "items").ok()?;
                for _ in 0..count {
                    self.skip_item(value_type, Storage::Inline, input)?;
                }
            } else {
                self.skip_item(value_type, self.wire.values, input)?;
            }
        }
        Some(())
    }

    /// Skips a value. Returns `None` if it is not valid.
    fn skip_item(&self, value_type: ValueType, strings: Storage, input: &mut Input<'_>) -> Option<()> {
        let size = match value_type {
            ValueType::Bool | ValueType::UInt8 => 1,
            ValueType::Int | ValueType::Float | ValueType::Time | ValueType::Color => 4,
            ValueType::Vector2 | ValueType::UInt64 => 8,
            ValueType::Vector3 | ValueType::QAngle => 12,
            ValueType::ObjectId | ValueType::Vector4 | ValueType::Quaternion => 16,
            ValueType::Matrix => 64,
            ValueType::Binary => input.u32_le().ok()? as usize,
            ValueType::Element => match input.i32_le().ok()? {
                -2 => return inline(input).ok().map(drop),
                -1 => 0,
                index => return usize::try_from(index).ok().filter(|index| *index < self.elements).map(drop),
            },
            ValueType::String => {
                let (Storage::Table, Some((_, width))) = (strings, self.wire.table) else {
                    return inline(input).ok().map(drop);
                };
                let index = match width {
                    Width::Two => u32::from(input.u16_le().ok()?),
                    Width::Four => input.u32_le().ok()?,
                };
                let is_valid = (index as usize) < self.strings.table_len();
                let is_none = index == u32::MAX || matches!(width, Width::Two) && index == u16::MAX.into();
                return (is_valid || is_none).then_some(());
            }
        };
        input.take(size).ok().map(drop)
    }

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

//! The order of elements and strings, which depends on the program that writes a file.

use std::collections::{HashMap, HashSet};

use crate::codes::{Storage, Wire};
use crate::view::same_value;
use crate::{Attribute, Document, Element, ElementId, Encoding, Guid, Reference, StringId, Strings, Value};

/// The program whose order of elements and of the string table is reproduced.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum WriterProfile {
    /// Valve's programs, such as Hammer: elements depth first, attributes backwards, array items forwards; strings in the order of
    /// their first use.
    Valve,
    /// Blender Source Tools, SourceIO, source1import: elements depth first, strings sorted.
    DepthFirst,
    /// srctools: elements breadth first, strings sorted, with an unused `name` as in files of Valve.
    BreadthFirst,
}

/// In memory, elements of Valve's programs have their name as oldest attribute. It is never written, but its name is in the table.
const NAME: &[u8] = b"name";
/// An attribute of the root that refers to the copy of the prefix attributes. It is never written either.
const PREFIX_ATTRIBUTE: &[u8] = b"$prefix_attribute$";
/// The class of that copy.
pub(crate) const PREFIX_CLASS: &[u8] = b"DmElement";
/// The class of the blocks of prefix attributes in text, and of their copy in maps of format 20.
pub(crate) const PREFIX_BLOCK: &[u8] = b"$prefix_element$";

/// The strings of a table in the order of their first use.
struct FirstUses<'a> {
    wire: Wire,
    strings: Vec<&'a [u8]>,
    seen: HashSet<&'a [u8]>,
    /// For each string of the document, `true` once it was added. Most uses end here.
    ids: Vec<bool>,
}

impl<'a> FirstUses<'a> {
    fn add_id(&mut self, strings: &'a Strings, id: StringId, place: Storage) {
        let looked_at = self.ids.get_mut(id.index()).filter(|_| place == Storage::Table);
        if !looked_at.is_some_and(|looked_at| std::mem::replace(looked_at, true)) {
            self.add(strings.get(id), place);
        }
    }

    fn add(&mut self, string: &'a [u8], place: Storage) {
        let wanted = place == Storage::Table && (self.wire.empty_in_table || !string.is_empty());
        if wanted && self.seen.insert(string) {
            self.strings.push(string);
        }
    }
}

/// The order of a document; see [`Document::layout`].
#[derive(Debug, Clone)]
pub struct Layout {
    profile: Option<WriterProfile>,
    old: Vec<OldString>,
    /// The attributes of the root that are older than the hidden one with the copy of the prefix attributes. `None` if the hidden one
    /// is the newest, as in maps, where saving creates it again.
    older: Option<Vec<Box<[u8]>>>,
}

/// A string of a table before a change.
#[derive(Debug, Clone)]
struct OldString {
    bytes: Box<[u8]>,
    unused: bool,
}

/// Adds the unused strings of the old table to a new one, each after the nearest preceding string that still exists.
fn add_unused<'a>(made: Vec<&'a [u8]>, old: &'a [OldString]) -> Vec<&'a [u8]> {
    if old.is_empty() {
        return made;
    }
    let places: HashMap<&[u8], usize> = made.iter().enumerate().map(|(index, string)| (*string, index)).collect();
    let mut before = 0;
    let mut unused = Vec::new();
    for OldString { bytes, unused: is_unused } in old {
        match places.get(&**bytes) {
            Some(index) => before = index.saturating_add(1),
            None if *is_unused => unused.push((before, &**bytes)),
            None => {}
        }
    }
    unused.sort_by_key(|(before, _)| *before);
    let mut unused = unused.into_iter().peekable();
    let mut all = Vec::with_capacity(old.len().max(made.len()));
    for (index, string) in made.into_iter().enumerate() {
        all.extend(std::iter::from_fn(|| unused.next_if(|(before, _)| *before <= index)).map(|(_, string)| string));
        all.push(string);
    }
    all.extend(unused.map(|(_, string)| string));
    all
}

impl WriterProfile {
    const ALL: [Self; 3] = [Self::Valve, Self::DepthFirst, Self::BreadthFirst];

    /// Returns the name in lower case with hyphens: `depth-first`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Valve => "valve",
            Self::DepthFirst => "depth-first",
            Self::BreadthFirst => "breadth-first",
        }
    }
}

impl Document {
    /// Detects the profile whose order elements and strings have. Returns `None` for text and for other programs. Unused strings can
    /// be anywhere in the table: they are names of data that Valve's programs have in memory and do not save.
    pub fn profile(&self) -> Option<WriterProfile> {
        let wire = self.wire()?;
        if !self.has_usual_empty_strings(wire) {
            return None;
        }
        let slot = self.table_slot();
        let mut with_unused = None;
        for profile in WriterProfile::ALL {
            if !self.walk(profile, slot).0.into_iter().enumerate().all(|(index, place)| index == place) {
                continue;
            }
            let made = self.table(profile, wire, slot);
            if made.iter().copied().eq(self.strings.table().map(|(_, string)| string)) {
                return Some(profile);
            }
            let known: HashSet<&[u8]> = made.iter().copied().collect();
            let used = self.strings.table().map(|(_, string)| string).filter(|string| known.contains(string));
            if with_unused.is_none() && used.eq(made) {
                with_unused = Some(profile);
            }
        }
        with_unused
    }

    /// Returns `true` if empty strings are in the table or have the index −1, as usual in the version.
    fn has_usual_empty_strings(&self, wire: Wire) -> bool {
        let usual = |id: StringId, place| match self.strings.get(id) {
            [] if place == Storage::Table && wire.empty_in_table => id != StringId::MINUS_ONE,
            [] if place == Storage::Table => id.index() >= self.strings.table_len(),
            _ => true,
        };
        self.elements.iter().all(|element| {
            usual(element.class, wire.names)
                && usual(element.name, wire.values)
                && element.attributes.iter().all(|Attribute { name, value }| {
                    let value = if let Value::String(id) = value { usual(*id, wire.values) } else { true };
                    usual(*name, wire.names) && value
                })
        })
    }

    /// Orders elements and the string table as a program would, and removes unused strings. Elements that the root does not reach
    /// follow in their old order. A text document is not changed.
    pub fn lay_out(&mut self, profile: WriterProfile) {
        self.lay_out_with(profile, &[], self.table_slot());
    }

    fn lay_out_with(&mut self, profile: WriterProfile, old: &[OldString], slot: usize) {
        let Some(wire) = self.wire() else { return };
        let (order, _) = self.walk(profile, slot);
        self.reorder(&order);
        let mut strings = Strings::default();
        let mut empty = StringId::MINUS_ONE;
        for (index, string) in add_unused(self.table(profile, wire, slot), old).into_iter().enumerate() {
            strings.append_to_table(string);
            if string.is_empty() {
                empty = StringId::at(index);
            }
        }
        let old = std::mem::take(&mut self.strings);
        let mut interned = HashMap::new();
        self.for_each_string(|slot, id| {
            let string = old.get(*id);
            let in_table = wire.place(slot) == Storage::Table;
            *id = match string {
                [] if in_table => empty,
                _ if in_table => *interned.entry(*id).or_insert_with(|| strings.intern(string)),
                _ => strings.push(string),
            };
        });
        self.strings = strings;
    }

    /// Makes changes and then restores the order of the document, if it is that of a known program. The file is then as that program
    /// would have written it. Strings that were unused before keep their neighbours; strings that have become unused are removed.
    pub fn edit<R>(&mut self, change: impl FnOnce(&mut Self) -> R) -> R {
        let layout = self.layout();
        let result = change(self);
        self.restore_layout(&layout);
        result
    }

    /// Records the order of the document, as [`edit`](Self::edit) does before changes.
    pub fn layout(&self) -> Layout {
        let profile = self.profile();
        let old = profile.map_or_else(Vec::new, |profile| self.old_strings(profile));
        let slot = self.prefix_slot();
        let root = self.elements.first().map_or(&[][..], |root| &root.attributes);
        // Many attributes may have the same name.
        let older: HashSet<StringId> = root.iter().rev().skip(slot).map(|attribute| attribute.name).collect();
        let older = (slot > 0).then(|| older.into_iter().map(|name| self.string(name).into()).collect());
        Layout { profile, old, older }
    }

    /// Restores a recorded order, as [`edit`](Self::edit) does after changes.
    pub fn restore_layout(&mut self, layout: &Layout) {
        if let Some(profile) = layout.profile {
            let slot = layout.older.as_ref().map_or(0, |older| {
                // New attributes are at the end: they are newer than all old ones.
                let older: HashSet<&[u8]> = older.iter().map(|name| &**name).collect();
                let root = self.elements.first().map_or(&[][..], |root| &root.attributes);
                let mut known = HashMap::new();
                let mut is_older = |name| *known.entry(name).or_insert_with(|| older.contains(self.string(name)));
                root.iter().rev().take_while(|attribute| !is_older(attribute.name)).count()
            });
            self.lay_out_with(profile, &layout.old, slot);
        }
    }

    /// Returns the string table, if it contains strings that the profile does not create.
    fn old_strings(&self, profile: WriterProfile) -> Vec<OldString> {
        let made = self.wire().map_or_else(Vec::new, |wire| self.table(profile, wire, self.table_slot()));
        if made.len() == self.strings.table_len() {
            return Vec::new();
        }
        let known: HashSet<&[u8]> = made.into_iter().collect();
        let table = self.strings.table();
        table.map(|(_, bytes)| OldString { bytes: bytes.into(), unused: !known.contains(bytes) }).collect()
    }

    /// Changes the encoding. Text, and binary in the order of a known profile, becomes binary in that order; for text it is Valve's.
    /// Elements without an identity get one that is derived from their index.
    pub fn set_encoding(&mut self, encoding: Encoding) {
        if encoding == self.header.encoding {
            return;
        }
        let profile = if self.header.encoding.is_text() { Some(WriterProfile::Valve) } else { self.profile() };
        self.header.encoding = encoding;
        self.header.style = crate::HeaderStyle::Modern;
        if encoding.is_text() {
            return;
        }
        self.forget_source();
        for (index, element) in self.elements.iter_mut().enumerate() {
            element.id.get_or_insert_with(|| Guid::from_hash(format!("element {index}").as_bytes()));
        }
        if let Some(profile) = profile {
            self.lay_out(profile);
        }
    }

    /// Returns the element that repeats the prefix attributes. Valve's programs write one that nothing refers to.
    pub fn prefix_copy(&self) -> Option<ElementId> {
        self.prefix_copy_by(&self.reference_counts())
    }

    /// Returns the same with known reference counts.
    pub(crate) fn prefix_copy_by(&self, references: &[u32]) -> Option<ElementId> {
        let block = self.prefix.first()?;
        // Names may be long and repeat often: each is compared once.
        let (mut numbers, mut known) = (HashMap::new(), HashMap::new());
        let mut number = |attribute: &Attribute| {
            *numbers.entry(attribute.name).or_insert_with(|| {
                let next = known.len();
                *known.entry(self.strings.get(attribute.name)).or_insert(next)
            })
        };
        let names: Vec<usize> = block.iter().map(&mut number).collect();
        let copy = self.elements.iter().zip(references).skip(1).position(|(element, &count)| {
            count == 0
                && matches!(self.strings.get(element.class), PREFIX_CLASS | PREFIX_BLOCK)
                && self.strings.get(element.name).is_empty()
                && element.attributes.len() == names.len()
                && element.attributes.iter().map(&mut number).eq(names.iter().copied())
        });
        copy.map(|after_root| ElementId::at(after_root.saturating_add(1)))
    }

    /// Returns the copy if its values equal the prefix attributes. Text can leave out such a copy.
    pub(crate) fn exact_prefix_copy(&self, references: &[u32]) -> Option<ElementId> {
        self.prefix_copy_by(references).filter(|copy| self.repeats_prefix(*copy))
    }

    /// Returns `true` if an element has the values of the first block of prefix attributes, and the class that such copies have in this
    /// format version. Their string ids differ.
    pub(crate) fn repeats_prefix(&self, id: ElementId) -> bool {
        let same = |(one, other): (&Attribute, &Attribute)| {
            let values = same_value((self, &one.value), (self, &other.value));
            values && self.string(one.name) == self.string(other.name)
        };
        self.elements.get(id.index()).zip(self.prefix.first()).is_some_and(|(element, block)| {
            self.string(element.class) == self.header.prefix_class()
                && self.string(element.name).is_empty()
                && element.id.is_some()
                && block.len() == element.attributes.len()
                && block.iter().zip(&element.attributes).all(same)
        })
    }

    /// Returns the unused strings of the table, in its order: names of data that Valve's programs have in memory and do not save.
    /// `name` nearly always is one, and so is `$prefix_attribute$` in files with prefix attributes. Text has no table.
    pub fn unused_strings(&self) -> impl Iterator<Item = &[u8]> {
        let has_table = self.wire().is_some_and(|wire| wire.table.is_some());
        let mut used = vec![false; if has_table { self.strings.table_len() } else { 0 }];
        let mut mark = |id: StringId| used.get_mut(id.index()).into_iter().for_each(|used| *used = true);
        for element in &self.elements {
            mark(element.class);
            mark(element.name);
            for attribute in &element.attributes {
                mark(attribute.name);
                if let Value::String(id) | Value::Element(Reference::External(id)) = attribute.value {
                    mark(id);
                }
            }
        }
        self.strings.table().zip(used).filter(|(_, used)| !used).map(|((_, string), _)| string)
    }

    /// Counts the references to each element, from attributes and items of arrays.
    pub fn reference_counts(&self) -> Vec<u32> {
        let mut counts = vec![0_u32; self.elements.len()];
        for id in self
            .elements
            .iter()
            .flat_map(|element| &element.attributes)
            .flat_map(|attribute| attribute.value.elements())
        {
            if let Some(count) = counts.get_mut(id.index()) {
                *count = count.saturating_add(1);
            }
        }
        counts
    }

    /// Returns the elements in the order in which Valve's programs discover them from the root, and their number. The other elements
    /// follow in file order.
    pub(crate) fn discovery(&self, references: &[u32]) -> (Vec<usize>, usize) {
        self.walk_with(WriterProfile::Valve, self.table_slot(), self.prefix_copy_by(references))
    }

    fn wire(&self) -> Option<Wire> {
        let encoding = self.header.encoding;
        if encoding.is_text() { None } else { Wire::from_version(encoding.version) }
    }

    /// Returns the order of elements in a profile as their present indices, and the number of elements that the root reaches. The
    /// hidden copy of the prefix attributes comes after the `slot` newest attributes of the root.
    fn walk(&self, profile: WriterProfile, slot: usize) -> (Vec<usize>, usize) {
        self.walk_with(profile, slot, if profile == WriterProfile::Valve { self.prefix_copy() } else { None })
    }

    /// Returns the same with a known copy.
    fn walk_with(&self, profile: WriterProfile, slot: usize, hidden: Option<ElementId>) -> (Vec<usize>, usize) {
        let count = self.elements.len();
        let (mut order, mut seen) = (Vec::with_capacity(count), vec![false; count]);
        // Depth first, a stack whose top comes next; breadth first, a queue whose front does.
        let mut next = std::collections::VecDeque::from([ElementId::ROOT]);
        let mut found = Vec::new();
        while let Some(id) = if profile == WriterProfile::BreadthFirst { next.pop_front() } else { next.pop_back() } {
            let (Some(element), Some(seen)) = (self.elements.get(id.index()), seen.get_mut(id.index())) else {
                continue;
            };
            if std::mem::replace(seen, true) {
                continue;
            }
            order.push(id.index());
            let attributes = element.attributes.as_slice();
            if profile == WriterProfile::Valve {
                let slot = hidden.filter(|_| id == ElementId::ROOT).map(|copy| (slot, copy));
                for (index, attribute) in attributes.iter().rev().enumerate() {
                    found.extend(slot.filter(|(slot, _)| *slot == index).map(|(_, copy)| copy));
                    found.extend(attribute.value.elements());
                }
                found.extend(slot.filter(|(slot, _)| *slot >= attributes.len()).map(|(_, copy)| copy));
            } else {
                found.extend(attributes.iter().flat_map(|attribute| attribute.value.elements()));
            }
            if profile == WriterProfile::BreadthFirst {
                next.extend(found.drain(..));
            } else {
                next.extend(found.drain(..).rev());
            }
        }
        let reached = order.len();
        order.extend(seen.iter().enumerate().filter(|(_, seen)| !**seen).map(|(index, _)| index));
        (order, reached)
    }

    /// Counts the attributes of the root that are newer than the hidden one with the copy of the prefix attributes. It is 0 in maps,
    /// where the copy follows the root, in text, and without a copy. The order of names in the string table shows it.
    pub fn prefix_slot(&self) -> usize {
        if self.wire().is_none() || self.prefix_copy().is_none() { 0 } else { self.table_slot() }
    }

    /// Returns the same without checking that there is a copy.
    fn table_slot(&self) -> usize {
        let place = |name: &[u8]| self.strings.table().position(|(_, string)| string == name);
        let Some(hidden) = place(PREFIX_ATTRIBUTE) else { return 0 };
        let root = self.elements.first().map_or(&[][..], |root| &root.attributes);
        let newer = |attribute: &&Attribute| attribute.name.index() < hidden;
        root.iter().rev().take_while(newer).count()
    }

    /// Builds the string table of a profile.
    fn table(&self, profile: WriterProfile, wire: Wire, slot: usize) -> Vec<&[u8]> {
        if wire.table.is_none() {
            return Vec::new();
        }
        let mut table =
            FirstUses { wire, strings: Vec::new(), seen: HashSet::new(), ids: vec![false; self.strings.len()] };
        let hidden = (profile == WriterProfile::Valve && self.prefix_copy().is_some()).then_some(slot);
        for (index, element) in self.elements.iter().enumerate() {
            table.add_id(&self.strings, element.class, wire.names);
            table.add_id(&self.strings, element.name, wire.values);
            let hidden = hidden.filter(|_| index == 0);
            for (index, Attribute { name, value }) in element.attributes.iter().rev().enumerate() {
                if hidden == Some(index) {
                    table.add(PREFIX_ATTRIBUTE, wire.names);
                }
                table.add_id(&self.strings, *name, wire.names);
                if let Value::String(value) = value {
                    table.add_id(&self.strings, *value, wire.values);
                }
            }
            if hidden.is_some_and(|slot| slot >= element.attributes.len()) {
                table.add(PREFIX_ATTRIBUTE, wire.names);
            }
            // All elements have this name; it comes after the strings of the first element.
            if index == 0 && profile != WriterProfile::DepthFirst {
                table.add(NAME, wire.names);
            }
        }
        let mut table = table.strings;
        if profile != WriterProfile::Valve {
            table.sort_unstable();
        }
        table
    }

    /// Reorders the elements and updates all references. `order` contains the old index of each element. Elements that it leaves out
    /// are removed, and references to them become null.
    pub(crate) fn reorder(&mut self, order: &[usize]) {
        let mut place = vec![Reference::Null; self.elements.len()];
        for (new, &old) in order.iter().enumerate() {
            if let Some(place) = place.get_mut(old) {
                *place = Reference::Element(ElementId::at(new));
            }
        }
        let mut old: Vec<Option<Element>> = std::mem::take(&mut self.elements).into_iter().map(Some).collect();
        self.elements = order.iter().filter_map(|&index| old.get_mut(index)?.take()).collect();
        let follow = |reference: &mut Reference| {
            if let Reference::Element(id) = reference {
                *reference = place.get(id.index()).copied().unwrap_or(Reference::Null);
            }
        };
        let attributes = self.elements.iter_mut().flat_map(|element| &mut element.attributes);
        for attribute in attributes.chain(self.prefix.iter_mut().flatten()) {
            match &mut attribute.value {
                Value::Element(reference) => follow(reference),
                Value::ElementArray(references) => references.iter_mut().for_each(follow),
                _ => {}
            }
        }
    }

    /// Visits every use of a string.
    fn for_each_string(&mut self, mut visit: impl FnMut(Slot, &mut StringId)) {
        for attribute in self.prefix.iter_mut().flatten() {
            visit(Slot::Inline, &mut attribute.name);
            value_strings(&mut attribute.value, Slot::Inline, &mut visit);
        }
        for element in &mut self.elements {
            visit(Slot::Name, &mut element.class);
            visit(Slot::Value, &mut element.name);
            for attribute in &mut element.attributes {
                visit(Slot::Name, &mut attribute.name);
                value_strings(&mut attribute.value, Slot::Value, &mut visit);
            }
        }
    }
}

fn value_strings(value: &mut Value, scalar: Slot, visit: &mut impl FnMut(Slot, &mut StringId)) {
    let mut external = |reference: &mut Reference| {
        if let Reference::External(id) = reference {
            visit(Slot::Inline, id);
        }
    };
    match value {
        Value::Element(reference) => external(reference),
        Value::ElementArray(references) => references.iter_mut().for_each(external),
        Value::String(id) => visit(scalar, id),
        Value::StringArray(ids) => ids.iter_mut().for_each(|id| visit(Slot::Inline, id)),
        _ => {}
    }
}

/// The use of a string.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Slot {
    /// A class or the name of an attribute.
    Name,
    /// The name of an element or a single string value.
    Value,
    /// A string that no version stores in the table.
    Inline,
}

impl Wire {
    fn place(self, slot: Slot) -> Storage {
        match slot {
            Slot::Name => self.names,
            Slot::Value => self.values,
            Slot::Inline => Storage::Inline,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Source: "How Valve's writer lays a file out" and "Hammer's and dmxconvert's layout".
    #[test]
    fn strings_of_the_prefix_are_those_published() {
        assert_eq!(NAME, b"name");
        assert_eq!(PREFIX_ATTRIBUTE, b"$prefix_attribute$");
        assert_eq!(PREFIX_CLASS, b"DmElement");
        assert_eq!(PREFIX_BLOCK, b"$prefix_element$");
    }
}

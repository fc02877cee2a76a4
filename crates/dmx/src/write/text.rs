//! Writer of KeyValues2.

mod list;
mod number;
mod patch;
mod placement;
mod retained;
mod value;

use std::slice;

use mapwright_io::{Output, Position};

use crate::layout::PREFIX_BLOCK;
use crate::{
    Attribute, Document, ElementId, EncodingName, LineEnd, Reference, StringId, TextStyle, Value, WriteError,
    WriteErrorKind, WriteOptions,
};
use placement::{Placements, identity};

/// Writes the whole file.
pub(super) fn write(document: &Document, options: &WriteOptions) -> Result<Output, WriteError> {
    if document.elements.is_empty() {
        return Err(error(WriteErrorKind::NoElements));
    }
    // A document that was read from text is patched; others are formatted from scratch.
    match patch::write(document, options) {
        Ok(Some(output)) => Ok(output),
        Ok(None) => write_new(document, options).map_err(error),
        Err(kind) => Err(error(kind)),
    }
}

fn error(kind: WriteErrorKind) -> WriteError {
    WriteError::new(kind, Position::default())
}

/// Formats the whole document as Hammer does.
fn write_new(document: &Document, options: &WriteOptions) -> Result<Output, WriteErrorKind> {
    let references = document.reference_counts();
    let copy = document.exact_prefix_copy(&references);
    let places = Placements::new(document, &[], copy, references);
    let plain: Vec<bool> = document.strings.iter().map(|(_, string)| value::is_plain(string)).collect();
    let mut writer = Writer::new(document, options, &places, options.max_bytes());
    writer.plain = &plain;
    writer.output = Output::with_capacity(estimate_size(document).min(writer.max));
    writer.output.bytes(&document.header.line());
    for (index, _) in document.prefix.iter().enumerate() {
        writer.prefix(index)?;
    }
    for &id in &places.top {
        writer.element(id)?;
        writer.line();
    }
    writer.line();
    writer.finish()
}

/// Estimates the size of the file, so that the output grows at most once. Numbers take about three times as many bytes as in binary, with
/// their quotes and their indentation.
fn estimate_size(document: &Document) -> usize {
    let blocks = document.elements.iter().map(|element| &element.attributes).chain(&document.prefix);
    let sizes = blocks.flatten().map(|attribute| attribute.value.size().saturating_mul(3).saturating_add(32));
    sizes.fold(document.strings.total_bytes(), usize::saturating_add)
}

/// Writes parts of a document. Every line is preceded by its line break.
struct Writer<'a> {
    document: &'a Document,
    style: TextStyle,
    line_end: &'static [u8],
    /// The indentation of every line.
    indent: Vec<u8>,
    places: &'a Placements,
    /// For each string, `true` if nothing in it needs escaping. Names are written often.
    plain: &'a [bool],
    output: Output,
    /// Maximum size in bytes.
    max: usize,
    /// `true` if the maximum was exceeded. Nothing long is written any more.
    is_full: bool,
}

/// A block or array that is being written: the remaining parts, and the closing bracket.
enum Step<'a> {
    Block(slice::Iter<'a, Attribute>, &'static [u8]),
    Array(slice::Iter<'a, Reference>, &'static [u8]),
}

impl<'a> Writer<'a> {
    fn new(document: &'a Document, options: &WriteOptions, places: &'a Placements, max: usize) -> Self {
        let line_end: &[u8] = match options.line_end {
            LineEnd::Lf => b"\n",
            LineEnd::CrLf => b"\r\n",
        };
        let (style, output) = (options.style, Output::new());
        Self { document, style, line_end, indent: Vec::new(), places, plain: &[], output, max, is_full: false }
    }

    /// Returns the output if it is not too long.
    fn finish(self) -> Result<Output, WriteErrorKind> {
        self.check()?;
        Ok(self.output)
    }

    /// Checks that the output is not too long.
    fn check(&self) -> Result<(), WriteErrorKind> {
        let max = self.max;
        if self.is_full || self.output.len() > max { Err(WriteErrorKind::TooLong { max }) } else { Ok(()) }
    }

    /// Returns `true` if more bytes can follow. Strings and indentation can be repeated any number of times.
    fn has_room(&mut self, bytes: usize) -> bool {
        self.is_full |= self.output.len().saturating_add(bytes) > self.max;
        !self.is_full
    }

    fn line(&mut self) {
        self.output.bytes(self.line_end);
        if self.has_room(self.indent.len()) {
            self.output.bytes(&self.indent);
        }
    }

    /// Writes a block of prefix attributes.
    fn prefix(&mut self, index: usize) -> Result<(), WriteErrorKind> {
        let Some(block) = self.document.prefix.get(index) else { return Ok(()) };
        self.line();
        self.quoted(PREFIX_BLOCK);
        self.line();
        self.output.u8(b'{');
        self.indent.push(b'\t');
        if let Some(copy) = self.places.copy.filter(|_| index == 0) {
            self.id(copy);
        }
        self.walk(Step::Block(block.iter(), b"}"))
    }

    /// Writes an element: its class and its block.
    fn element(&mut self, id: ElementId) -> Result<(), WriteErrorKind> {
        self.line();
        let block = self.open(id)?;
        if self.document.elements.get(id.index()).is_some_and(|it| self.document.string(it.class) == PREFIX_BLOCK) {
            return Err(WriteErrorKind::NotInText("an element with the class of prefix attributes"));
        }
        self.walk(block)
    }

    /// Writes an attribute on separate lines.
    fn attribute(&mut self, attribute: &'a Attribute) -> Result<(), WriteErrorKind> {
        self.walk(Step::Block(slice::from_ref(attribute).iter(), b""))
    }

    /// Writes an item of an array of elements on separate lines.
    fn reference(&mut self, item: &'a Reference) -> Result<(), WriteErrorKind> {
        self.walk(Step::Array(slice::from_ref(item).iter(), b""))
    }

    /// Writes a block or array, and all elements in it.
    fn walk(&mut self, first: Step<'a>) -> Result<(), WriteErrorKind> {
        let mut steps = vec![first];
        while let Some(step) = steps.last_mut() {
            self.check()?;
            let (next, end) = match step {
                Step::Block(attributes, end) => (attributes.next().map(|attribute| self.entry(attribute)), *end),
                Step::Array(items, end) => (items.next().map(|item| self.array_item(*item, items.len() > 0)), *end),
            };
            match next {
                Some(inner) => steps.extend(inner?),
                None => {
                    steps.pop();
                    if end.is_empty() {
                        continue;
                    }
                    self.indent.pop();
                    self.line();
                    self.output.bytes(end);
                    match steps.last() {
                        // An element in an attribute is followed by an empty line, which is indented.
                        Some(Step::Block(..)) if end == b"}" => self.line(),
                        Some(Step::Array(items, _)) if items.len() > 0 => self.output.u8(b','),
                        _ => {}
                    }
                }
            }
        }
        Ok(())
    }

    /// Writes an attribute, or its beginning.
    fn entry(&mut self, attribute: &'a Attribute) -> Result<Option<Step<'a>>, WriteErrorKind> {
        self.line();
        self.output.u8(b'"');
        self.string(attribute.name);
        self.output.bytes(b"\" ");
        match &attribute.value {
            Value::Element(Reference::Element(id)) if self.places.is_inline(*id) => self.open(*id).map(Some),
            Value::Element(reference) => {
                self.identity(*reference)?;
                Ok(None)
            }
            Value::ElementArray(items) => {
                self.output.bytes(b"\"element_array\" ");
                self.line();
                self.output.u8(b'[');
                self.indent.push(b'\t');
                Ok(Some(Step::Array(items.iter(), b"]")))
            }
            value => {
                self.value(value);
                Ok(None)
            }
        }
    }

    /// Writes an item of an array of elements, or its beginning.
    fn array_item(&mut self, item: Reference, more: bool) -> Result<Option<Step<'a>>, WriteErrorKind> {
        self.line();
        match item {
            Reference::Element(id) if self.places.is_inline(id) => self.open(id).map(Some),
            _ => {
                self.identity(item)?;
                self.output.bytes(if more { b"," } else { b"" });
                Ok(None)
            }
        }
    }

    /// Writes a reference by identity.
    fn identity(&mut self, reference: Reference) -> Result<(), WriteErrorKind> {
        self.places.check(self.document, reference)?;
        self.output.bytes(b"\"element\" \"");
        match reference {
            Reference::Null => {}
            Reference::External(text) => self.string(text),
            Reference::Element(id) => self.guid(identity(self.document, id)),
        }
        self.output.u8(b'"');
        Ok(())
    }

    /// Writes the class, brace, identity and name of an element.
    fn open(&mut self, id: ElementId) -> Result<Step<'a>, WriteErrorKind> {
        let Some(element) = self.document.elements.get(id.index()) else { return Ok(Step::Block([].iter(), b"}")) };
        self.output.u8(b'"');
        self.string(element.class);
        self.output.u8(b'"');
        self.line();
        self.output.u8(b'{');
        self.indent.push(b'\t');
        if self.writes_id(id)? {
            self.id(id);
        }
        if self.writes_name(id) {
            self.name(element.name);
        }
        Ok(Step::Block(element.attributes.iter(), b"}"))
    }

    fn id(&mut self, id: ElementId) {
        self.line();
        self.output.bytes(b"\"id\" \"elementid\" \"");
        self.guid(identity(self.document, id));
        self.output.u8(b'"');
    }

    fn name(&mut self, name: StringId) {
        self.line();
        self.output.bytes(b"\"name\" \"string\" \"");
        self.string(name);
        self.output.u8(b'"');
    }

    /// Returns `true` if the identity of an element is written.
    fn writes_id(&self, id: ElementId) -> Result<bool, WriteErrorKind> {
        if self.places.is_referred(id) {
            return Ok(true);
        }
        let Some(element) = self.document.elements.get(id.index()) else { return Ok(false) };
        // An attribute `id` could be mistaken for the identity.
        let is_ambiguous = element.attributes.iter().any(|attribute| {
            matches!(attribute.value, Value::ObjectId(_)) && self.document.string(attribute.name) == b"id"
        });
        match element.id {
            None if is_ambiguous => {
                Err(WriteErrorKind::NotInText("an element without identity but with an attribute id"))
            }
            None => Ok(false),
            Some(_) => Ok(is_ambiguous || self.document.header.encoding.name != EncodingName::KeyValues2NoIds),
        }
    }

    /// Returns `true` if the name of an element is written. Since version 4 an empty one is left out, unless an attribute could be
    /// mistaken for it.
    fn writes_name(&self, id: ElementId) -> bool {
        let Some(element) = self.document.elements.get(id.index()) else { return false };
        let encoding = self.document.header.encoding;
        let always = encoding.version < 4 && encoding.name != EncodingName::KeyValues2NoIds;
        always
            || !self.document.string(element.name).is_empty()
            || element.attributes.iter().any(|attribute| {
                matches!(attribute.value, Value::String(_)) && self.document.string(attribute.name) == b"name"
            })
    }

    fn quoted(&mut self, text: &[u8]) {
        self.output.u8(b'"');
        self.output.bytes(text);
        self.output.u8(b'"');
    }
}

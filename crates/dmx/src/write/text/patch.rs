//! Writer of changed texts: unchanged parts are copied from the source.

use mapwright_io::{Budget, Limits, Output};

use super::Writer;
use super::list::{Change, Kind, List, align};
use super::placement::{Placements, identity};
use super::retained::RetainedElements;
use crate::layout::PREFIX_BLOCK;
use crate::read::text::{self, Block, Cst, Entry, EntrySpan, Lexer, Owner, Span, Token};
use crate::view::same_value;
use crate::{
    Attribute, Document, Element, ElementId, Guid, Header, LineEnd, Reference, StringId, Value, WriteErrorKind,
    WriteOptions,
};

/// Writes a document that was read from text. Returns `None` if it was not, or if too much has changed.
pub(super) fn write(document: &Document, options: &WriteOptions) -> Result<Option<Output>> {
    let Some(source) = document.source.as_deref() else { return Ok(None) };
    let Ok((header, start)) = Header::read(source) else { return Ok(None) };
    if header.encoding != document.header.encoding {
        return Ok(None);
    }
    let mut cst = Cst::default();
    // The source was within the limits when it was read.
    let mut budget = Budget::new(&Limits::default().with_max_items(u64::MAX).with_max_depth(u32::MAX));
    let Ok(old) = text::parse(header, source, start, &mut budget, &mut cst) else { return Ok(None) };
    let references = document.reference_counts();
    let Some(retained) = RetainedElements::find(document, &references, &old, &cst) else { return Ok(None) };
    let places = Placements::new(document, &retained.placements(&cst), retained.copy, references);
    let line_end = match source.iter().position(|&byte| byte == b'\n') {
        Some(at) if at.checked_sub(1).and_then(|before| source.get(before)) == Some(&b'\r') => LineEnd::CrLf,
        Some(_) => LineEnd::Lf,
        None => options.line_end,
    };
    let options = options.clone().with_line_end(line_end);
    let mut patches = Vec::new();
    let (max, left) = (options.max_bytes(), options.max_bytes());
    Patcher { document, options, old: &old, source, retained: &retained, places: &places, patches: &mut patches, left }
        .file(&cst, start)
        .map_err(
            |kind| if matches!(kind, WriteErrorKind::TooLong { .. }) { WriteErrorKind::TooLong { max } } else { kind },
        )?;
    patches.sort_by_key(|(span, _)| span.start);
    let length = patches.iter().fold(source.len(), |length, (span, text)| {
        length.saturating_add(text.len()).saturating_add(span.start).saturating_sub(span.end)
    });
    if length > max {
        return Err(WriteErrorKind::TooLong { max });
    }
    let mut output = Output::with_capacity(length);
    let mut at = 0;
    for (span, text) in patches {
        output.bytes(source.get(at..span.start).unwrap_or_default());
        output.bytes(&text);
        at = span.end;
    }
    output.bytes(source.get(at..).unwrap_or_default());
    Ok(Some(output))
}

/// Compares the document with its source and finds the bytes that must change.
struct Patcher<'a> {
    document: &'a Document,
    options: WriteOptions,
    /// The source as it was read.
    old: &'a Document,
    source: &'a [u8],
    retained: &'a RetainedElements<'a>,
    places: &'a Placements,
    /// Replacements of ranges of the source.
    patches: &'a mut Vec<(Span, Vec<u8>)>,
    /// Bytes that replacements can still take.
    left: usize,
}

/// An entry that a block must have.
#[derive(Clone, Copy)]
enum Wanted<'a> {
    Id(ElementId),
    Name(StringId),
    Attribute(&'a Attribute),
}

/// A top-level block that must exist.
#[derive(Clone, Copy)]
enum Top {
    Element(ElementId),
    Prefix(usize),
}

type Result<T = ()> = std::result::Result<T, WriteErrorKind>;

impl<'a> Patcher<'a> {
    fn file(&mut self, cst: &'a Cst, start: usize) -> Result {
        let line = self.document.header.line();
        let header = Span { start: 0, end: start };
        if header.slice(self.source) != line {
            self.patches.push((header, line));
        }
        self.top_level(cst, start)?;
        for (index, block) in cst.prefix.iter().enumerate() {
            if let (Some(old), Some(new)) = (self.old.prefix.get(index), self.document.prefix.get(index)) {
                let copy = self.old.elements.get(cst.elements.len()).filter(|_| index == 0);
                let id = self.retained.copy.filter(|_| index == 0);
                self.entries(block, (copy.and_then(|copy| copy.id), old), (id, None, new))?;
            }
        }
        for (index, block) in cst.elements.iter().enumerate() {
            if let Some((old, new)) = self.retained.pair(index) {
                self.element(index, block, old, new)?;
            }
        }
        Ok(())
    }

    /// Patches the list of top-level blocks.
    fn top_level(&mut self, cst: &Cst, start: usize) -> Result {
        let mut wanted = Vec::new();
        let mut last_prefix = 0;
        for (index, (owner, _)) in cst.top.iter().enumerate() {
            match *owner {
                Owner::Element(element) => {
                    let kept =
                        self.retained.pair(element).and_then(|_| self.retained.now.get(element).copied().flatten());
                    wanted.extend(kept.map(|id| (Some(index), Top::Element(id))));
                }
                Owner::Prefix(prefix) if prefix < self.document.prefix.len() => {
                    wanted.push((Some(index), Top::Prefix(prefix)));
                    last_prefix = wanted.len();
                }
                Owner::Prefix(_) => {}
            }
        }
        let new = (cst.prefix.len()..self.document.prefix.len()).map(|index| (None, Top::Prefix(index)));
        wanted.splice(last_prefix..last_prefix, new);
        wanted.extend(self.places.top.iter().map(|id| (None, Top::Element(*id))));
        let list = List {
            source: self.source,
            inner: Span { start, end: self.source.len() },
            items: cst.top.iter().map(|(_, span)| *span).collect(),
            kind: Kind::Blocks,
        };
        let places: Vec<_> = wanted.iter().map(|(place, _)| *place).collect();
        self.change(&list, &places, |writer, index| match wanted.get(index) {
            Some((_, Top::Element(id))) => {
                writer.line();
                writer.element(*id)
            }
            Some((_, Top::Prefix(index))) => writer.prefix(*index),
            None => Ok(()),
        })
    }

    fn element(&mut self, index: usize, block: &Block, old: &Element, new: &'a Element) -> Result {
        let Some(now) = self.retained.now.get(index).copied().flatten() else { return Ok(()) };
        let class = self.document.string(new.class);
        if class != self.old.string(old.class) {
            if class == PREFIX_BLOCK {
                return Err(WriteErrorKind::NotInText("an element with the class of prefix attributes"));
            }
            self.token(block.class, |writer| writer.string(new.class))?;
        }
        let id = (new.id.is_some() || self.places.is_referred(now)).then_some(now);
        let named = block.entries.iter().any(|entry| entry.entry == Entry::Name);
        let name = (named || !self.document.string(new.name).is_empty()).then_some(new.name);
        if let Some(entry) = block.entries.iter().find(|entry| entry.entry == Entry::Name)
            && self.document.string(new.name) != self.old.string(old.name)
        {
            self.token(entry.value, |writer| writer.string(new.name))?;
        }
        self.entries(block, (old.id, &old.attributes), (id, name, &new.attributes))
    }

    /// Patches the entries of a block to the identity, name and attributes that it must have.
    fn entries(
        &mut self,
        block: &Block,
        (old_id, old): (Option<Guid>, &[Attribute]),
        (id, name, new): (Option<ElementId>, Option<StringId>, &'a [Attribute]),
    ) -> Result {
        let place = |wanted| block.entries.iter().position(|entry| entry.entry == wanted);
        let entries_of =
            |wanted: Entry| block.entries.iter().enumerate().filter(move |(_, entry)| entry.entry == wanted);
        let attributes: Vec<(usize, &EntrySpan)> = entries_of(Entry::Attribute).collect();
        // Existing entries keep their positions: attributes, and between them identity and name.
        let aligned = self.retained.align_attributes(old, new);
        let aligned: Vec<_> =
            aligned.into_iter().map(|at| at.and_then(|at| Some((at, *attributes.get(at)?)))).collect();
        let fixed = [id.map(|id| (Entry::Id, Wanted::Id(id))), name.map(|name| (Entry::Name, Wanted::Name(name)))];
        let mut pinned: Vec<_> =
            fixed.iter().flatten().filter_map(|(entry, wanted)| Some((place(*entry)?, *wanted))).collect();
        pinned.sort_by_key(|(place, _)| *place);
        let mut pinned = pinned.into_iter().peekable();
        let mut wanted: Vec<(Option<usize>, Wanted<'a>)> = Vec::new();
        for (attribute, aligned) in new.iter().zip(&aligned) {
            let reached = wanted.last().and_then(|(place, _)| *place).map_or(0, |place| place.saturating_add(1));
            let place = aligned.map(|(_, (place, _))| place);
            while let Some((pin, entry)) = pinned.next_if(|(pin, _)| *pin < place.unwrap_or(reached.saturating_add(1)))
            {
                wanted.push((Some(pin), entry));
            }
            wanted.push((place, Wanted::Attribute(attribute)));
        }
        wanted.extend(pinned.map(|(place, entry)| (Some(place), entry)));
        let mut front = 0;
        for (entry, new) in fixed.into_iter().flatten() {
            if place(entry).is_none() {
                wanted.insert(front, (None, new));
            }
            // A new name follows an identity at the front.
            front = usize::from(matches!(wanted.first(), Some((_, Wanted::Id(_)))));
        }
        let items = block.entries.iter().map(|entry| entry.span).collect();
        let list = List { source: self.source, inner: block.inner, items, kind: Kind::Entries };
        let places: Vec<_> = wanted.iter().map(|(place, _)| *place).collect();
        self.change(&list, &places, |writer, index| match wanted.get(index) {
            Some((_, Wanted::Id(id))) => {
                writer.id(*id);
                Ok(())
            }
            Some((_, Wanted::Name(name))) => {
                writer.name(*name);
                Ok(())
            }
            Some((_, Wanted::Attribute(attribute))) => writer.attribute(attribute),
            None => Ok(()),
        })?;
        if let (Some(id), Some((_, entry))) = (id, entries_of(Entry::Id).next())
            && old_id != Some(identity(self.document, id))
        {
            self.token(entry.value, |writer| writer.guid(identity(writer.document, id)))?;
        }
        for (new, aligned) in new.iter().zip(aligned) {
            if let Some((old, entry)) = aligned.and_then(|(at, (_, entry))| Some((old.get(at)?, entry))) {
                self.attribute(&list, entry, &old.value, new)?;
            }
        }
        Ok(())
    }

    /// Patches the value of an existing attribute.
    fn attribute(&mut self, block: &List<'_>, entry: &EntrySpan, old: &Value, attribute: &'a Attribute) -> Result {
        let new = &attribute.value;
        match (old, new) {
            (Value::Element(old), Value::Element(new)) if self.is_unchanged(*old, *new, entry.inline) => return Ok(()),
            (Value::ElementArray(old), Value::ElementArray(new)) => return self.references(entry, old, new),
            (Value::Element(_) | Value::ElementArray(_), _) => {}
            _ if same_value((self.old, old), (self.document, new)) => return Ok(()),
            (Value::Binary(_) | Value::Matrix(_), _) => {}
            _ if old.value_type() != new.value_type() => {}
            _ => match (old.array_len(), new.array_len()) {
                (None, None) => {
                    return self
                        .token(entry.value, |writer| new.item(0).into_iter().for_each(|item| writer.item(item)));
                }
                (Some(old_count), Some(new_count)) => return self.items(entry, (old, old_count), (new, new_count)),
                _ => {}
            },
        }
        let text = self.render(&block.indent(), |writer| writer.attribute(attribute))?;
        self.patches.push((entry.span, text.trim_ascii_start().to_vec()));
        Ok(())
    }

    /// Patches the items of an array of values.
    fn items(
        &mut self,
        entry: &EntrySpan,
        (old, old_count): (&Value, usize),
        (new, new_count): (&'a Value, usize),
    ) -> Result {
        let mut items = Vec::with_capacity(old_count);
        let mut lexer = Lexer::new(self.source, entry.value.start);
        while let Ok(lexeme) = lexer.next() {
            match lexeme.token {
                Token::Text(_) | Token::Number => items.push(lexeme.span),
                _ => break,
            }
        }
        let texts = |document: &'a Document, value: &Value| -> Result<Vec<_>> {
            let mut left = self.options.max_bytes();
            let text = |item| {
                let mut writer = Writer::new(document, &WriteOptions::default(), self.places, left);
                writer.item(item);
                let text = writer.finish()?.into_bytes();
                left = left.saturating_sub(text.len());
                Ok(text)
            };
            value.items().map(text).collect()
        };
        let old = texts(self.old, old)?;
        let new_texts = texts(self.document, new)?;
        let places = if old_count == new_count {
            let same = old.iter().zip(&new_texts).enumerate();
            same.map(|(index, (old, new))| (old == new).then_some(index)).collect()
        } else {
            align(&old, &new_texts.into_iter().map(Some).collect::<Vec<_>>())
        };
        let list = List { source: self.source, inner: entry.value, items, kind: Kind::Items };
        self.change(&list, &places, |writer, index| {
            writer.line();
            writer.output.u8(b'"');
            new.item(index).into_iter().for_each(|item| writer.item(item));
            writer.output.u8(b'"');
            Ok(())
        })
    }

    /// Patches the items of an array of elements.
    fn references(&mut self, entry: &EntrySpan, old: &[Reference], new: &'a [Reference]) -> Result {
        let items = entry.items.iter().map(|(span, _)| *span).collect();
        let list = List { source: self.source, inner: entry.value, items, kind: Kind::Items };
        let places = self.retained.align_references(old, new).into_iter().zip(new).map(|(place, new)| {
            let place = place?;
            let (_, inline) = entry.items.get(place)?;
            // A reference that must be written differently is replaced in its place.
            self.is_unchanged(*old.get(place)?, *new, *inline).then_some(place)
        });
        let places: Vec<_> = places.collect();
        self.change(&list, &places, |writer, index| match new.get(index) {
            Some(item) => writer.reference(item),
            None => Ok(()),
        })
    }

    /// Returns `true` if the text of a reference is still right.
    fn is_unchanged(&self, old: Reference, new: Reference, inline: bool) -> bool {
        self.retained.same_target(old, new)
            && match (old, new) {
                (Reference::Element(old), _) if inline => self.retained.has_block.get(old.index()) == Some(&true),
                (Reference::Element(old), Reference::Element(new)) => {
                    let id = self.old.elements.get(old.index()).and_then(|element| element.id);
                    !self.places.is_inline(new) && id == Some(identity(self.document, new))
                }
                _ => true,
            }
    }

    /// Patches a list. `render` writes one of its new items on separate lines.
    fn change(
        &mut self,
        list: &List<'_>,
        places: &[Option<usize>],
        render: impl Fn(&mut Writer<'a>, usize) -> Result,
    ) -> Result {
        let changes = list.changes(places);
        let indent = if changes.is_empty() { Vec::new() } else { list.indent() };
        for change in changes {
            let patch = match change {
                Change::Remove(span) => (span, Vec::new()),
                Change::Replace(span, item) => {
                    let text = self.render(&indent, |writer| render(writer, item))?;
                    (span, text.trim_ascii_start().to_vec())
                }
                Change::Insert { at, item, comma_before, comma_after } => {
                    let text = self.render(&indent, |writer| {
                        writer.output.bytes(if comma_before { b"," } else { b"" });
                        render(writer, item)?;
                        writer.output.bytes(if comma_after { b"," } else { b"" });
                        Ok(())
                    })?;
                    (Span { start: at, end: at }, text)
                }
            };
            self.patches.push(patch);
        }
        Ok(())
    }

    /// Replaces a range by a quoted string.
    fn token(&mut self, span: Span, write: impl FnOnce(&mut Writer<'a>)) -> Result {
        let text = self.render(b"", |writer| {
            writer.output.u8(b'"');
            write(writer);
            writer.output.u8(b'"');
            Ok(())
        })?;
        self.patches.push((span, text));
        Ok(())
    }

    fn render(&mut self, indent: &[u8], write: impl FnOnce(&mut Writer<'a>) -> Result) -> Result<Vec<u8>> {
        let mut writer = Writer::new(self.document, &self.options, self.places, self.left);
        writer.indent = indent.to_vec();
        write(&mut writer)?;
        let text = writer.finish()?.into_bytes();
        self.left = self.left.saturating_sub(text.len());
        Ok(text)
    }
}

//! The bytes of a file that the parts of a document alone do not give.

use super::{described_header, without_elements};
use crate::{Attribute, Document, Element, Reference, StringId, Strings, Value};

/// The bytes of the file, if the document has formatting that data does not describe: a text, or unusual uses of its string table.
pub(super) fn necessary_source(document: &Document) -> Option<Vec<u8>> {
    let written = document.to_bytes().ok()?;
    let described = described_document(document).to_bytes().is_ok_and(|described| described == written);
    (!described).then_some(written)
}

/// The document that data describes: everything but the formatting of the file.
fn described_document(document: &Document) -> Document {
    let header = &document.header;
    let header = described_header(header.encoding, header.format.clone(), header.format_version);
    let mut described =
        without_elements(header, Strings::from_table(document.strings.table().map(|(_, string)| string)));
    described.trailing.clone_from(&document.trailing);
    let mut copy = StringCopier { from: document, to: &mut described.strings };
    described.prefix = document.prefix.iter().map(|block| copy.attributes(block)).collect();
    described.elements = document.elements.iter().map(|element| copy.element(element)).collect();
    described
}

/// Applies the changes of a description to the document of the file, so that unchanged parts keep their formatting.
pub(super) fn change_source(mut source: Document, changed: Document) -> Document {
    let before = described_document(&source);
    if before.elements.len() > changed.elements.len() {
        // Elements were removed. Their blocks in the text are unknown.
        return changed;
    }
    let mut strings = std::mem::take(&mut source.strings);
    let mut copy = StringCopier { from: &changed, to: &mut strings };
    let mut old_elements = before.elements.iter();
    let mut elements = source.elements.iter_mut();
    let mut added = Vec::new();
    for element in &changed.elements {
        let (Some(place), Some(old)) = (elements.next(), old_elements.next()) else {
            added.push(copy.element(element));
            continue;
        };
        if labels(&before, old) != labels(&changed, element) {
            (place.class, place.name) = (copy.string(element.class), copy.string(element.name));
            (place.id, place.link) = (element.id, element.link);
        }
        if !same_attributes((&before, &old.attributes), (&changed, &element.attributes)) {
            place.attributes = copy.attributes(&element.attributes);
        }
    }
    source.elements.extend(added);
    let same_prefix = before.prefix.len() == changed.prefix.len()
        && before.prefix.iter().zip(&changed.prefix).all(|(old, new)| same_attributes((&before, old), (&changed, new)));
    if !same_prefix {
        source.prefix = changed.prefix.iter().map(|block| copy.attributes(block)).collect();
    }
    source.strings = strings;
    if before.header != changed.header {
        source.header = changed.header;
    }
    source.trailing = changed.trailing;
    source
}

fn labels<'a>(document: &'a Document, element: &Element) -> (&'a [u8], &'a [u8], Option<crate::Guid>, i32) {
    (document.string(element.class), document.string(element.name), element.id, element.link)
}

/// Compares attributes of two documents.
fn same_attributes(one: (&Document, &[Attribute]), other: (&Document, &[Attribute])) -> bool {
    one.1.len() == other.1.len()
        && one.1.iter().zip(other.1).all(|(a, b)| {
            one.0.string(a.name) == other.0.string(b.name)
                && crate::view::same_value((one.0, &a.value), (other.0, &b.value))
        })
}

/// Copies parts of one document into another with their strings.
struct StringCopier<'a> {
    from: &'a Document,
    to: &'a mut Strings,
}

impl StringCopier<'_> {
    fn string(&mut self, id: StringId) -> StringId {
        self.to.intern(self.from.string(id))
    }

    fn reference(&mut self, reference: Reference) -> Reference {
        match reference {
            Reference::External(id) => Reference::External(self.string(id)),
            other => other,
        }
    }

    fn value(&mut self, value: &Value) -> Value {
        match value {
            Value::String(id) => Value::String(self.string(*id)),
            Value::StringArray(ids) => Value::StringArray(ids.iter().map(|id| self.string(*id)).collect()),
            Value::Element(one) => Value::Element(self.reference(*one)),
            Value::ElementArray(list) => Value::ElementArray(list.iter().map(|one| self.reference(*one)).collect()),
            other => other.clone(),
        }
    }

    fn attributes(&mut self, attributes: &[Attribute]) -> Vec<Attribute> {
        let copy =
            |Attribute { name, value }: &Attribute| Attribute { name: self.string(*name), value: self.value(value) };
        attributes.iter().map(copy).collect()
    }

    fn element(&mut self, element: &Element) -> Element {
        let mut copy = Element::new(self.string(element.class), self.string(element.name), element.id);
        copy.link = element.link;
        copy.attributes = self.attributes(&element.attributes);
        copy
    }
}

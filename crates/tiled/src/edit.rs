//! Changes of a document. Everything else keeps its bytes.
//!
//! ```
//! use mapwright_tiled::edit::NewShape;
//! use mapwright_tiled::{Document, Edit, Gid};
//!
//! let file = b"<map orientation=\"orthogonal\">\n <layer id=\"1\" width=\"2\" height=\"2\">\n  <data encoding=\"csv\">\n1,2,\n3,4\n</data>\n \
//!     </layer>\n <objectgroup id=\"2\">\n  <object id=\"1\" x='1' y=\"2\"/>\n </objectgroup>\n</map>\n";
//! let document = Document::from_bytes(file)?;
//! let map = document.as_map().ok_or("no map")?;
//! let (ground, objects) = (map.layers().next().ok_or("no layer")?, map.layers().last().ok_or("no layer")?);
//! let object = objects.objects().next().ok_or("no object")?.item();
//!
//! let mut edit = Edit::new(&document);
//! edit.set_cells(ground, &[([1, 0], Gid(7))])?;
//! edit.set(object, "x", 8.5)?;
//! edit.set_property(object, "locked", true)?;
//! edit.add_object(objects, &[("name", "New".into()), ("x", 3.into())], Some(NewShape::Point))?;
//! let document = edit.apply()?;
//! assert_eq!(document.as_str(), "<map orientation=\"orthogonal\">\n <layer id=\"1\" width=\"2\" height=\"2\">\n  <data encoding=\"csv\">\n1,7,\n\
//!     3,4\n</data>\n </layer>\n <objectgroup id=\"2\">\n  <object id=\"1\" x='8.5' y=\"2\">\n   <properties>\n    \
//!     <property name=\"locked\" type=\"bool\" value=\"true\"/>\n   </properties>\n  </object>\n  \
//!     <object id=\"2\" name=\"New\" x=\"3\">\n   <point/>\n  </object>\n </objectgroup>\n</map>\n");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod apply;
mod cells;
mod layout;
mod objects;
mod properties;
mod records;
pub(crate) mod scalar;

pub use objects::NewShape;
pub use records::{LAYER, MAP, OBJECT, Record, TILE, TILESET, WORLD};
pub use scalar::Scalar;

use std::collections::BTreeMap;
use std::ops::Range;

use mapwright_io::Position;
use mapwright_io::splice::Splices;

use crate::document::{Document, Item, ItemKind, Syntax};
use crate::error::invalid;
use crate::{ReadOptions, WriteError, WriteErrorKind};

/// A list of changes of one document.
///
/// All items must belong to this document. New elements and objects have the layout of their neighbours.
#[derive(Debug, Clone)]
pub struct Edit<'a> {
    document: &'a Document,
    splices: Splices,
    /// Removed members and items of arrays, by their indices.
    removed: BTreeMap<usize, Item<'a>>,
    /// The ids of new objects, if there are new objects.
    object_ids: Option<objects::ObjectIds>,
    /// New items of elements and arrays that are empty, by the index of these.
    first_children: BTreeMap<usize, (Item<'a>, Vec<String>)>,
    /// Lists that items do not have yet, with their new properties or objects, by the index of the item and the name of the list.
    new_lists: BTreeMap<(usize, &'static str), (Item<'a>, Vec<String>)>,
}

impl<'a> Edit<'a> {
    /// Creates an empty list.
    pub fn new(document: &'a Document) -> Self {
        Self {
            document,
            splices: Splices::default(),
            removed: BTreeMap::new(),
            object_ids: None,
            first_children: BTreeMap::new(),
            new_lists: BTreeMap::new(),
        }
    }

    /// Applies all changes and reads the result.
    ///
    /// # Errors
    /// If two changes overlap; if the changed text is invalid, or exceeds the limits with which the document was read.
    pub fn apply(mut self) -> Result<Document, WriteError> {
        self.raise_next_object_id()?;
        // Lists of properties may be the first children of an element.
        self.write_new_lists()?;
        self.write_first_children();
        for range in layout::json_removals(std::mem::take(&mut self.removed).into_values()) {
            self.splices.remove(range);
        }
        if self.splices.is_empty() {
            return Ok(self.document.clone());
        }
        let source = self.document.as_str().as_bytes();
        let overlap = |at| WriteError::new(WriteErrorKind::Overlap, Position::in_text(source, at));
        let text = self.splices.apply(source).map_err(overlap)?;
        let options = ReadOptions::default().with_limits(self.document.limits.clone());
        Document::from_vec_with(text, &options).map_err(invalid)
    }

    /// Sets an attribute of an element, or a member of an object. Adds it if there is none with this name.
    ///
    /// An equal value keeps its bytes: `x="1.50"` stays when it is set to 1.5.
    ///
    /// # Errors
    /// If the item is no element or object; if its old value is an object or array; if the name or the new value cannot be stored.
    pub fn set(&mut self, item: Item<'a>, name: &str, value: impl Into<Scalar<'a>>) -> Result<(), WriteError> {
        let value = value.into();
        if let Some(old) = item.get(name) {
            return self.set_value(old, value);
        }
        let text = match item.kind() {
            ItemKind::Element => attribute_text(name, &value)?,
            ItemKind::Object => value.to_json()?,
            kind => return Err(wrong_kind(kind, "an element or an object")),
        };
        if item.kind() == ItemKind::Element {
            self.splices.insert(layout::attributes_end(item), text);
        } else {
            self.add_member(item, name, &text);
        }
        Ok(())
    }

    /// Changes the value of an attribute, the text of an element without elements, or a JSON text, number or word.
    ///
    /// # Errors
    /// If the item has no such value, or if the new value cannot be stored.
    pub fn set_value(&mut self, item: Item<'a>, value: impl Into<Scalar<'a>>) -> Result<(), WriteError> {
        let value = value.into();
        if value.equals(item) {
            return Ok(());
        }
        let range = item.value_range();
        match item.kind() {
            ItemKind::Attribute => {
                let quote = if self.document.as_str().as_bytes().get(range.end) == Some(&b'\'') { '\'' } else { '"' };
                // Booleans are numbers in attributes and words in properties.
                let is_word = matches!(item.raw(), "true" | "false");
                let text = if is_word { value.to_xml_word(quote)? } else { value.to_xml(quote)? };
                self.splices.replace(range, text);
            }
            ItemKind::Element if item.elements().next().is_some() => {
                return Err(wrong_kind(item.kind(), "an element without elements"));
            }
            ItemKind::Element => self.replace_content(item, &value.to_xml_text()?),
            ItemKind::Object | ItemKind::Array => return Err(wrong_kind(item.kind(), "a text, number or word")),
            ItemKind::Text | ItemKind::Number | ItemKind::Bool | ItemKind::Null => {
                self.splices.replace(range, value.to_json()?);
            }
        }
        Ok(())
    }

    /// Removes an element, attribute, member or item of an array, with its line if nothing else is in it.
    pub fn remove(&mut self, item: Item<'a>) {
        match item.kind() {
            ItemKind::Element | ItemKind::Attribute => self.splices.remove(layout::removal(item)),
            _ => drop(self.removed.insert(item.index(), item)),
        }
    }

    /// Adds the text of an element to an element, or of a value to an array: after a sibling, or as the first.
    ///
    /// # Errors
    /// If the parent is no element or array. [`apply`](Self::apply) checks that the text is valid.
    pub fn insert(&mut self, parent: Item<'a>, after: Option<Item<'a>>, text: &str) -> Result<(), WriteError> {
        match parent.kind() {
            ItemKind::Element => self.insert_element(parent, after, text),
            ItemKind::Array => self.insert_value(parent, after, text),
            kind => return Err(wrong_kind(kind, "an element or an array")),
        }
        Ok(())
    }

    fn is_xml(&self) -> bool {
        self.document.syntax() == Syntax::Xml
    }

    fn insert_element(&mut self, parent: Item<'a>, after: Option<Item<'a>>, text: &str) {
        match (after, parent.elements().next()) {
            (Some(sibling), _) => {
                self.splices.insert(sibling.range().end, [layout::lead(sibling), text].concat());
            }
            (None, Some(first)) => {
                let lead = layout::lead(first);
                self.splices.insert(first.range().start.saturating_sub(lead.len()), [lead, text].concat());
            }
            (None, None) => self.add_first_child(parent, text),
        }
    }

    fn add_first_child(&mut self, parent: Item<'a>, text: &str) {
        let (_, texts) = self.first_children.entry(parent.index()).or_insert((parent, Vec::new()));
        texts.push(text.to_owned());
    }

    /// Adds a property or object to a list that an item does not have yet.
    fn add_to_new_list(&mut self, owner: Item<'a>, name: &'static str, text: String) {
        let (_, texts) = self.new_lists.entry((owner.index(), name)).or_insert((owner, Vec::new()));
        texts.push(text);
    }

    /// Writes the new items of elements and arrays that are empty.
    fn write_first_children(&mut self) {
        for (parent, texts) in std::mem::take(&mut self.first_children).into_values() {
            if parent.has_tags() {
                let inner = layout::lead_of_children(parent);
                // An element in the line of others has no lines of its own.
                let outer = if inner.is_empty() { "" } else { layout::lead_or_line_end(parent) };
                let children: String = texts.iter().flat_map(|text| [&inner, text]).map(String::as_str).collect();
                self.replace_content(parent, &[&children, outer].concat());
                continue;
            }
            // Numbers and words are no items, but values.
            let (range, text) = (inner_range(parent), texts.join(","));
            let inner = self.document.as_str().get(range.clone()).unwrap_or_default();
            match inner.trim_ascii().is_empty() {
                true => self.splices.replace(range, text),
                false => self.splices.insert(range.end, [",", &text].concat()),
            }
        }
    }

    /// Replaces the content of an element, and adds an end tag if it has none.
    fn replace_content(&mut self, item: Item<'a>, text: &str) {
        if item.has_end_tag() {
            self.splices.replace(item.value_range(), text);
        } else {
            let start = layout::attributes_end(item);
            self.splices.replace(start..item.range().end, format!(">{text}</{}>", item.name()));
        }
    }

    fn insert_value(&mut self, parent: Item<'a>, after: Option<Item<'a>>, text: &str) {
        match (after, parent.items().next()) {
            (Some(sibling), _) => {
                self.splices.insert(sibling.range().end, [",", layout::lead(sibling), text].concat());
            }
            (None, Some(first)) => {
                let lead = layout::lead(first);
                let at = first.range().start.saturating_sub(lead.len());
                self.splices.insert(at, [lead, text, ","].concat());
            }
            (None, None) => self.add_first_child(parent, text),
        }
    }

    /// Adds a member after the last one of an object.
    fn add_member(&mut self, item: Item<'a>, key: &str, value: &str) {
        let key = scalar::quote_json(key);
        match item.items().last() {
            Some(last) => {
                let text = [",", layout::lead(last), &key, layout::separator(last), value].concat();
                self.splices.insert(last.range().end, text);
            }
            None => self.add_first_child(item, &format!("{key}:{value}")),
        }
    }
}

/// Returns the range between the brackets of an object or array.
fn inner_range(item: Item<'_>) -> Range<usize> {
    let range = item.value_range();
    range.start.saturating_add(1)..range.end.saturating_sub(1)
}

/// Returns the text of a new attribute, with the space before it.
fn attribute_text(name: &str, value: &Scalar<'_>) -> Result<String, WriteError> {
    if !crate::read::is_xml_name(name) {
        let name = name.chars().take(40).collect();
        return Err(WriteError::without_position(WriteErrorKind::Name(name)));
    }
    Ok(format!(" {name}=\"{}\"", value.to_xml('"')?))
}

fn wrong_kind(found: ItemKind, expected: &'static str) -> WriteError {
    WriteError::without_position(WriteErrorKind::Kind { found: found.name(), expected })
}

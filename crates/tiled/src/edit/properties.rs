//! Custom properties.

use super::scalar::quote_json;
use super::{Edit, Scalar, layout};
use crate::codes::{Color, PropertyType};
use crate::document::{Item, ItemKind};
use crate::view::{Properties, Property};
use crate::{WriteError, WriteErrorKind};

impl<'a> Edit<'a> {
    /// Sets a custom property of a map, layer, object, tileset, tile or another item that can have properties.
    ///
    /// A property keeps its type. A new one has the type of the value: text, a whole number, a number, or a boolean.
    ///
    /// # Errors
    /// If the value does not fit the type of the property; if the property is a class or list; if the value cannot be stored.
    pub fn set_property(
        &mut self,
        owner: Item<'a>,
        name: &str,
        value: impl Into<Scalar<'a>>,
    ) -> Result<(), WriteError> {
        let value = value.into();
        match Properties::of(owner).get(name) {
            Some(property) => self.change_property(property, &value),
            None => self.add_property(owner, name, &value),
        }
    }

    fn change_property(&mut self, property: Property<'a>, value: &Scalar<'a>) -> Result<(), WriteError> {
        let text = value.to_text()?.into_owned();
        let whole = || text.parse().ok().map(Scalar::Int);
        let number = || text.parse().ok().filter(|number: &f64| number.is_finite()).map(Scalar::Float);
        let (fitting, expected) = match property.kind() {
            Some(PropertyType::Int | PropertyType::Object) => (whole(), "a whole number"),
            Some(PropertyType::Float) => (number(), "a number"),
            Some(PropertyType::Bool) => (text.parse().ok().map(Scalar::Bool), "true or false"),
            Some(PropertyType::Color) => {
                let is_color = text.is_empty() || Color::from_text(&text).is_some();
                (is_color.then(|| text.clone().into()), "a colour such as #ff8000")
            }
            Some(PropertyType::Class | PropertyType::List) => (None, "a property that is no class or list"),
            Some(PropertyType::String | PropertyType::File) | None => (Some(text.clone().into()), ""),
        };
        let item = property.value_item();
        match fitting {
            None => Err(WriteError::without_position(WriteErrorKind::Value { value: text, expected })),
            // Tiled writes text with line ends as the text of the element.
            Some(Scalar::Bool(flag)) if item.kind() == ItemKind::Attribute => {
                self.set_value(item, if flag { "true" } else { "false" })
            }
            Some(value) => self.set_value(item, value),
        }
    }

    fn add_property(&mut self, owner: Item<'a>, name: &str, value: &Scalar<'a>) -> Result<(), WriteError> {
        let kind = match value {
            Scalar::Text(_) => PropertyType::String,
            Scalar::Int(_) => PropertyType::Int,
            Scalar::Float(_) => PropertyType::Float,
            Scalar::Bool(_) => PropertyType::Bool,
        };
        if !self.is_xml() {
            return self.add_json_property(owner, name, kind, value);
        }
        let mut text = format!("<property name=\"{}\"", Scalar::from(name).to_xml('"')?);
        if kind != PropertyType::String {
            text.push_str(&format!(" type=\"{}\"", kind.name()));
        }
        match value {
            Scalar::Text(value) if value.contains('\n') => {
                text.push_str(&format!(">{}</property>", Scalar::from(&**value).to_xml_text()?));
            }
            value => text.push_str(&format!(" value=\"{}\"/>", value.to_xml_word('"')?)),
        }
        let lists = owner.elements().filter(|child| child.is("properties"));
        if let Some(list) = lists.last() {
            let after = list.elements().filter(|child| child.is("property")).last();
            return self.insert(list, after, &text);
        }
        self.add_to_new_list(owner, "properties", text);
        Ok(())
    }

    /// Writes the lists that items do not have yet. In XML, these are properties.
    pub(super) fn write_new_lists(&mut self) -> Result<(), WriteError> {
        for ((_, name), (owner, texts)) in std::mem::take(&mut self.new_lists) {
            if !self.is_xml() {
                self.add_member(owner, name, &format!("[{}]", texts.join(",")));
                continue;
            }
            let lead = match owner.elements().next() {
                Some(first) => layout::lead(first).to_owned(),
                None => layout::lead_of_children(owner),
            };
            let unit = layout::lead_of_children(owner).len().saturating_sub(layout::lead_or_line_end(owner).len());
            let inner = match lead.contains('\n') {
                true => [&*lead, &" ".repeat(unit.max(1))].concat(),
                false => String::new(),
            };
            let outer = if inner.is_empty() { "" } else { &lead };
            let properties: String = texts.iter().flat_map(|text| [&inner, text]).map(String::as_str).collect();
            let text = format!("<properties>{properties}{outer}</properties>");
            // Properties come before other new items.
            match self.first_children.get_mut(&owner.index()) {
                Some((_, children)) => children.insert(0, text),
                None => self.insert(owner, None, &text)?,
            }
        }
        Ok(())
    }

    fn add_json_property(
        &mut self,
        owner: Item<'a>,
        name: &str,
        kind: PropertyType,
        value: &Scalar<'a>,
    ) -> Result<(), WriteError> {
        let members = [("name", quote_json(name)), ("type", quote_json(kind.name())), ("value", value.to_json()?)];
        match owner.get("properties") {
            Some(list) if list.kind() == ItemKind::Array => {
                let last = list.items().last();
                let text = layout_object(last, &members);
                self.insert(list, last, &text)
            }
            // Before version 1.2, the types were in another object.
            Some(list) => Err(super::wrong_kind(list.kind(), "a list of properties, as in version 1.2 and later")),
            None => {
                self.add_to_new_list(owner, "properties", layout_object(None, &members));
                Ok(())
            }
        }
    }

    /// Removes a custom property. Returns `false` if there is none with this name.
    pub fn remove_property(&mut self, owner: Item<'a>, name: &str) -> bool {
        let properties = Properties::of(owner);
        let Some(property) = properties.get(name) else { return false };
        let contains = |list: &Item<'_>| list.items().any(|item| item == property.item());
        let is_only = |list: &Item<'_>| list.items().count() == 1;
        let list = owner.items().filter(|item| item.is("properties")).find(contains);
        self.remove(list.filter(is_only).unwrap_or(property.item()));
        true
    }
}

/// Formats an object with the layout of another one in the same array.
pub(super) fn layout_object(neighbour: Option<Item<'_>>, members: &[(&str, String)]) -> String {
    let mut old = neighbour.into_iter().flat_map(Item::items);
    let (first, second) = (old.next(), old.next());
    let separator = first.map_or(":", layout::separator);
    let first_lead = first.map_or("", layout::lead);
    let lead = second.map_or(if first.is_some() { first_lead } else { " " }, layout::lead);
    let mut text = "{".to_owned();
    for (index, (key, value)) in members.iter().enumerate() {
        text.push_str(if index == 0 { first_lead } else { "," });
        text.push_str(if index == 0 { "" } else { lead });
        text.push_str(&[&quote_json(key), separator, value].concat());
    }
    let end = neighbour.and_then(|object| object.items().last().map(|last| (object, last)));
    let space = end.and_then(|(object, last)| {
        let end = object.range().end.saturating_sub(1);
        object.document().as_str().get(last.range().end..end)
    });
    text.push_str(space.unwrap_or_default());
    text.push('}');
    text
}

//! Custom properties.

use std::borrow::Cow;

use super::record::{AttributeValue as _, read_int};
use crate::codes::{Color, PropertyType};
use crate::document::{Item, ItemKind};

/// The custom properties of an item, or the members of a class. A clone iterates over the same properties again.
#[derive(Debug, Clone)]
pub struct Properties<'a> {
    /// The items that contain properties.
    lists: Vec<Item<'a>>,
    /// The types of properties in JSON before version 1.2.
    types: Option<Item<'a>>,
}

/// A custom property, or a value in a list.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Property<'a> {
    item: Item<'a>,
    types: Option<Item<'a>>,
}

/// The value of a property.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub enum PropertyValue<'a> {
    /// Text.
    Text(Cow<'a, str>),
    /// A whole number.
    Int(i64),
    /// A number.
    Float(f64),
    /// `true` or `false`.
    Bool(bool),
    /// A colour, or `None` if it is empty or invalid.
    Color(Option<Color>),
    /// The path of a file, relative to the file of the document.
    File(Cow<'a, str>),
    /// The id of an object. 0 is none.
    Object(i64),
    /// The members that differ from the defaults of the class. In JSON, members have no types: those that are objects are classes.
    Class(Properties<'a>),
    /// The values of a list.
    List(Vec<Property<'a>>),
}

impl<'a> Properties<'a> {
    /// Returns the properties of an item.
    pub(crate) fn of(item: Item<'a>) -> Self {
        if item.kind() == ItemKind::Element {
            let lists = item.elements().filter(|child| child.is("properties")).collect();
            return Self { lists, types: None };
        }
        Self { lists: item.get("properties").into_iter().collect(), types: item.get("propertytypes") }
    }

    /// Iterates over the properties in the order of the file. If several have one name, the last one counts.
    pub fn iter(&self) -> impl Iterator<Item = Property<'a>> + '_ {
        let is_property = |item: &Item<'_>| item.kind() != ItemKind::Attribute;
        self.lists
            .iter()
            .flat_map(|list| list.items())
            .filter(is_property)
            .filter(|item| item.kind() != ItemKind::Element || item.is("property"))
            .map(|item| Property { item, types: self.types })
    }

    /// Returns the property with a name.
    pub fn get(&self, name: &str) -> Option<Property<'a>> {
        self.iter().filter(|property| property.name() == name).last()
    }
}

impl<'a> Property<'a> {
    pub(crate) const fn from_item(item: Item<'a>) -> Self {
        Self { item, types: None }
    }

    /// Returns the element or object of the property. For members of classes in JSON, and for properties in JSON before version 1.2, the
    /// value with its key.
    pub const fn item(self) -> Item<'a> {
        self.item
    }

    /// Returns `true` if the item has keys of its own for name, type and value.
    fn is_record(self) -> bool {
        match self.item.kind() {
            ItemKind::Element => true,
            // A member of a class is named by its key, and a property is an item of an array.
            ItemKind::Object => self.item.name().is_empty() && self.item.get("value").is_some(),
            _ => false,
        }
    }

    /// Returns the name. Values in lists have none.
    pub fn name(self) -> Cow<'a, str> {
        match self.is_record() {
            true => self.item.get("name").map(Item::text).unwrap_or_default(),
            false => self.item.name(),
        }
    }

    /// Returns the name of the class or enumeration.
    pub fn property_type(self) -> Option<Cow<'a, str>> {
        self.item.get("propertytype").filter(|_| self.is_record()).map(Item::text)
    }

    /// Returns the type. Returns `None` if it is unknown.
    pub fn kind(self) -> Option<PropertyType> {
        if self.is_record() {
            return match self.item.get("type") {
                Some(kind) => PropertyType::read(kind),
                None => Some(PropertyType::String),
            };
        }
        if let Some(types) = self.types {
            return types.get(&self.name()).map_or(Some(PropertyType::String), PropertyType::read);
        }
        Some(match self.item.kind() {
            ItemKind::Object => PropertyType::Class,
            ItemKind::Array => PropertyType::List,
            ItemKind::Bool => PropertyType::Bool,
            ItemKind::Number if read_int(self.item).is_some() && !self.item.raw().contains('.') => PropertyType::Int,
            ItemKind::Number => PropertyType::Float,
            _ => PropertyType::String,
        })
    }

    /// Returns the item with the value: an attribute, an element whose text is the value, or a JSON value.
    pub fn value_item(self) -> Item<'a> {
        match self.is_record() {
            true => self.item.get("value").unwrap_or(self.item),
            false => self.item,
        }
    }

    /// Returns the value as the file stores it. Classes and lists have none.
    pub fn text(self) -> Cow<'a, str> {
        self.value_item().text()
    }

    /// Returns the value. Values of an unknown type are text; invalid numbers are 0, as in Tiled.
    pub fn value(self) -> PropertyValue<'a> {
        let item = self.value_item();
        match self.kind().unwrap_or(PropertyType::String) {
            PropertyType::String => PropertyValue::Text(item.text()),
            PropertyType::Int => PropertyValue::Int(read_int(item).unwrap_or(0)),
            PropertyType::Float => PropertyValue::Float(f64::read(item).unwrap_or(0.0)),
            PropertyType::Bool => PropertyValue::Bool(item.text() == "true"),
            PropertyType::Color => PropertyValue::Color(Color::read(item)),
            PropertyType::File => PropertyValue::File(item.text()),
            PropertyType::Object => PropertyValue::Object(read_int(item).unwrap_or(0)),
            PropertyType::Class => PropertyValue::Class(self.members()),
            PropertyType::List => PropertyValue::List(self.list()),
        }
    }

    fn members(self) -> Properties<'a> {
        match self.item.kind() {
            ItemKind::Element => Properties::of(self.item),
            _ => Properties { lists: vec![self.value_item()], types: None },
        }
    }

    fn list(self) -> Vec<Property<'a>> {
        let (is_xml, list) = match self.item.kind() {
            ItemKind::Element => (true, self.item),
            _ => (false, self.value_item()),
        };
        let items = list.items().filter(|item| !is_xml || item.kind() == ItemKind::Element && item.is("item"));
        items.map(|item| Property { item, types: None }).collect()
    }
}

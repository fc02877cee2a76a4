//! Typed views of the items of a document. They borrow the document and read a value when it is asked for.
//!
//! Attributes that are missing have the default values of Tiled, and so do attributes with invalid values; `validate` reports these.
//! The same views show XML and JSON.

mod image;
mod instance;
mod layer;
mod map;
mod object;
mod property;
mod record;
mod tileset;
mod world;

pub use image::Image;
pub use instance::Instance;
pub use layer::Layer;
pub use map::{EditorSettings, Map};
pub(crate) use object::points;
pub use object::{Object, Shape, Template, Text};
pub use property::{Properties, Property, PropertyValue};
pub(crate) use record::{AttributeValue, read_int};
pub use tileset::{Frame, Grid, Terrain, Tile, Tileset, Transformations, WangColor, WangColorKind, WangSet, WangTile};
pub use world::{Pattern, World, WorldMap};

use crate::document::{Document, DocumentKind, Item, ItemKind};

impl Document {
    /// Returns the map, if the document is one.
    pub fn as_map(&self) -> Option<Map<'_>> {
        (self.kind() == DocumentKind::Map).then(|| Map::new(self.root()))
    }

    /// Returns the tileset, if the document is one. Tilesets in maps are among [`Map::tilesets`].
    pub fn as_tileset(&self) -> Option<Tileset<'_>> {
        (self.kind() == DocumentKind::Tileset).then(|| Tileset::new(self.root()))
    }

    /// Returns the template, if the document is one.
    pub fn as_template(&self) -> Option<Template<'_>> {
        (self.kind() == DocumentKind::Template).then(|| Template::new(self.root()))
    }

    /// Returns the world, if the document is one.
    pub fn as_world(&self) -> Option<World<'_>> {
        (self.kind() == DocumentKind::World).then(|| World::new(self.root()))
    }
}

/// Iterates over the elements in an element, or the objects in an array of an object.
fn children<'a>(item: Item<'a>, element: &'static str, key: &'static str) -> impl Iterator<Item = Item<'a>> + Clone {
    let is_xml = item.kind() == ItemKind::Element;
    let list = if is_xml { Some(item) } else { item.get(key).filter(|list| list.kind() == ItemKind::Array) };
    let kind = if is_xml { ItemKind::Element } else { ItemKind::Object };
    list.into_iter().flat_map(Item::items).filter(move |child| child.kind() == kind && (!is_xml || child.is(element)))
}

/// Returns the first element in an element, or the value of a key.
fn child<'a>(item: Item<'a>, name: &str) -> Option<Item<'a>> {
    match item.kind() {
        ItemKind::Element => item.elements().find(|child| child.is(name)),
        _ => item.get(name),
    }
}

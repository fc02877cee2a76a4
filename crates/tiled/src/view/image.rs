//! Images of tilesets, tiles and layers.

use std::borrow::Cow;

use super::record::AttributeValue as _;
use crate::codes::Color;
use crate::document::{Item, ItemKind};

/// An image: an element in XML, and keys of the tileset, tile or layer in JSON.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Image<'a>(Item<'a>);

impl<'a> Image<'a> {
    /// Returns the image of a tileset, tile or layer.
    pub(super) fn of(item: Item<'a>) -> Option<Self> {
        match item.kind() {
            ItemKind::Element => item.elements().find(|child| child.is("image")).map(Self),
            _ => item.get("image").filter(|image| !image.text().is_empty()).map(|_| Self(item)),
        }
    }

    fn get(self, element: &str, key: &str) -> Option<Item<'a>> {
        self.0.get(if self.0.kind() == ItemKind::Element { element } else { key })
    }

    /// Returns the item with the path of the file.
    pub fn source_item(self) -> Option<Item<'a>> {
        self.get("source", "image")
    }

    /// Returns the path of the file, relative to the file of the document.
    pub fn source(self) -> Option<Cow<'a, str>> {
        self.source_item().map(Item::text)
    }

    /// Returns the colour that is transparent.
    pub fn transparent_color(self) -> Option<Color> {
        self.get("trans", "transparentcolor").and_then(Color::read)
    }

    /// Returns width and height in pixels, or 0 if the file does not store them.
    pub fn size(self) -> [i32; 2] {
        [("width", "imagewidth"), ("height", "imageheight")]
            .map(|(element, key)| self.get(element, key).and_then(i32::read).unwrap_or(0))
    }

    /// Returns the format of an image in the file, such as `png`.
    pub fn format(self) -> Option<Cow<'a, str>> {
        self.0.get("format").filter(|_| self.0.kind() == ItemKind::Element).map(Item::text)
    }

    /// Returns the item with the bytes of an image in the file, in base64.
    pub fn data(self) -> Option<Item<'a>> {
        self.0.elements().find(|child| child.is("data"))
    }
}

//! Objects with their templates.

use std::borrow::Cow;
use std::collections::HashSet;

use super::{Object, Property, Shape};
use crate::codes::Gid;

/// An object of a map together with the object of its template. Values of the object come before those of the template.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Instance<'a> {
    /// The object of the map. It has the position.
    pub object: Object<'a>,
    /// The object of the template.
    pub template: Object<'a>,
}

impl<'a> Object<'a> {
    /// Returns the object with the values of its template, which is in another document.
    pub const fn with_template(self, template: Object<'a>) -> Instance<'a> {
        Instance { object: self, template }
    }
}

impl<'a> Instance<'a> {
    /// Returns the object of the map if it has an attribute, else that of the template.
    fn object_with(self, attribute: &str) -> Object<'a> {
        if self.object.item().get(attribute).is_some() { self.object } else { self.template }
    }

    /// Returns the name: that of the template if the object has none.
    pub fn name(self) -> Cow<'a, str> {
        let name = self.object.name();
        if name.is_empty() { self.template.name() } else { name }
    }

    /// Returns the class: that of the template if the object has none.
    pub fn class(self) -> Cow<'a, str> {
        let class = self.object.class();
        if class.is_empty() { self.template.class() } else { class }
    }

    /// Returns width and height in pixels: those of the template, unless both of the object are positive.
    pub fn size(self) -> [f64; 2] {
        let size = |object: Object<'_>| [object.width(), object.height()];
        let own = size(self.object);
        if own.iter().all(|side| *side > 0.0) { own } else { size(self.template) }
    }

    /// Returns the rotation in degrees clockwise.
    pub fn rotation(self) -> f64 {
        self.object_with("rotation").rotation()
    }

    /// Returns the opacity from 0 to 1.
    pub fn opacity(self) -> f64 {
        self.object_with("opacity").opacity()
    }

    /// Returns `false` if the object is hidden.
    pub fn visible(self) -> bool {
        self.object_with("visible").visible()
    }

    /// Returns the tile. That of a template counts in the tileset of the template; see [`has_own_tile`](Self::has_own_tile).
    pub fn gid(self) -> Option<Gid> {
        self.object_with("gid").gid()
    }

    /// Returns `true` if the tile counts in the tilesets of the map.
    pub fn has_own_tile(self) -> bool {
        self.object.item().get("gid").is_some()
    }

    /// Returns the shape: that of the template if the object has neither a shape nor a tile.
    pub fn shape(self) -> Shape<'a> {
        let shaped = [self.object, self.template].into_iter().find(|object| object.shape_item().is_some());
        match shaped {
            Some(object) => object.shape(),
            None => self.gid().map_or(Shape::Rectangle, Shape::Tile),
        }
    }

    /// Returns the custom properties: those of the template that the object does not have, and those of the object.
    pub fn properties(self) -> Vec<Property<'a>> {
        let own = self.object.properties();
        let names: HashSet<_> = own.iter().map(Property::name).collect();
        let inherited = self.template.properties();
        let inherited = inherited.iter().filter(|property| !names.contains(&property.name()));
        inherited.chain(own.iter()).collect()
    }
}

//! Objects of maps, and collision shapes.

use std::collections::BTreeMap;

use super::properties::layout_object;
use super::{Edit, Scalar, attribute_text, layout};
use crate::codes::LayerKind;
use crate::document::{Document, Item};
use crate::view::{Layer, Map, Object, Template, Tile, Tileset};
use crate::{WriteError, WriteErrorKind};

/// The shape of a new object.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum NewShape {
    /// A point.
    Point,
    /// An ellipse in the rectangle.
    Ellipse,
    /// A rectangle whose shorter sides are half circles.
    Capsule,
}

impl NewShape {
    /// Returns the name: `point`, `ellipse` or `capsule`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Point => "point",
            Self::Ellipse => "ellipse",
            Self::Capsule => "capsule",
        }
    }
}

impl<'a> Edit<'a> {
    /// Adds an object after the last one of a layer of objects, with a new id. Returns the id.
    ///
    /// Without a shape, the object is a rectangle, or a tile if it has the attribute `gid`.
    ///
    /// # Errors
    /// If the layer is no layer of objects; if a name or value cannot be stored; if no id is free.
    pub fn add_object(
        &mut self,
        layer: Layer<'a>,
        attributes: &[(&str, Scalar<'a>)],
        shape: Option<NewShape>,
    ) -> Result<i32, WriteError> {
        if layer.kind() != LayerKind::Objects {
            let (found, expected) = ("a layer of another kind", "a layer of objects");
            return Err(WriteError::without_position(WriteErrorKind::Kind { found, expected }));
        }
        let (id, last) = (self.new_object_id(layer.item())?, layer.objects().last().map(Object::item));
        let shape = shape.map(NewShape::name);
        if self.is_xml() {
            let mut text = format!("<object id=\"{id}\"");
            for (name, value) in attributes {
                text.push_str(&attribute_text(name, value)?);
            }
            match shape {
                None => text.push_str("/>"),
                Some(shape) => {
                    let parent = layer.item();
                    let lead =
                        last.map_or_else(|| layout::lead_of_children(parent), |last| layout::lead(last).to_owned());
                    let inner = if lead.contains('\n') { format!("{lead} ") } else { String::new() };
                    let outer = if inner.is_empty() { "" } else { &lead };
                    text.push_str(&format!(">{inner}<{shape}/>{outer}</object>"));
                }
            }
            // Properties come before objects.
            let after = last.or_else(|| layer.item().elements().last());
            self.insert(layer.item(), after, &text)?;
            return Ok(id);
        }
        let mut members = vec![("id", id.to_string())];
        for (name, value) in attributes {
            members.push((name, value.to_json()?));
        }
        members.extend(shape.map(|shape| (shape, "true".to_owned())));
        let text = layout_object(last, &members);
        match layer.item().get("objects") {
            Some(list) => self.insert(list, last, &text)?,
            None => self.add_to_new_list(layer.item(), "objects", text),
        }
        Ok(id)
    }

    /// Adds a copy of an object after it, with a new id. Returns the id.
    ///
    /// # Errors
    /// If the object has no id, and so is no object of a layer; if no id is free.
    pub fn duplicate_object(&mut self, object: Object<'a>) -> Result<i32, WriteError> {
        let item = object.item();
        let Some(old) = item.get("id") else {
            return Err(super::wrong_kind(item.kind(), "an object with an id"));
        };
        let id = self.new_object_id(item)?;
        let (range, value) = (item.range(), old.value_range());
        let part = |start, end| self.document.as_str().get(start..end).unwrap_or_default();
        let text = [part(range.start, value.start), &id.to_string(), part(value.end, range.end)].concat();
        let comma = if self.is_xml() { "" } else { "," };
        self.splices.insert(range.end, [comma, layout::lead(item), &text].concat());
        Ok(id)
    }

    /// Returns the id of a new object in a layer, or next to another object.
    fn new_object_id(&mut self, place: Item<'a>) -> Result<i32, WriteError> {
        let document = self.document;
        let next = self.object_ids.get_or_insert_with(|| ObjectIds::new(document)).next_id(place);
        let id = *next;
        // The next id must be a number of 32 bits, too, because the map stores it.
        *next = id.checked_add(1).ok_or_else(|| WriteError::without_position(WriteErrorKind::NoObjectId))?;
        Ok(id)
    }

    /// Raises `nextobjectid` of the map above the ids of new objects, if the map stores it.
    pub(super) fn raise_next_object_id(&mut self) -> Result<(), WriteError> {
        let stored: Option<Item<'a>> = self.document.as_map().and_then(|map| map.item().get("nextobjectid"));
        match stored.zip(self.object_ids.as_ref().and_then(ObjectIds::changed_next_of_map)) {
            Some((item, id)) => self.set_value(item, id),
            None => Ok(()),
        }
    }
}

/// The ids of new objects. Objects of layers are numbered in the map, and collision shapes in their tile.
#[derive(Debug, Clone)]
pub(super) struct ObjectIds {
    /// The first free id of the map, when the edit began.
    first_of_map: i32,
    /// The next id of the map: above all others, and not below `nextobjectid`.
    next_of_map: i32,
    /// The next id in a layer of collision shapes, and the index of the item after the layer. The keys are the indices of the layers.
    tiles: BTreeMap<usize, (usize, i32)>,
}

impl ObjectIds {
    fn new(document: &Document) -> Self {
        let first_free = |ids: &mut dyn Iterator<Item = i32>| ids.max().unwrap_or(0).max(0).saturating_add(1);
        let map = document.as_map();
        let mut ids = map.into_iter().flat_map(Map::all_layers).flat_map(Layer::objects).map(Object::id);
        let first_of_map = first_free(&mut ids).max(map.map_or(1, Map::next_object_id));
        let tilesets = map.into_iter().flat_map(Map::tilesets).chain(document.as_tileset());
        let tilesets = tilesets.chain(document.as_template().and_then(Template::tileset));
        let groups = tilesets.flat_map(Tileset::tiles).filter_map(Tile::object_group);
        let tiles = groups.map(|group| {
            let item = group.item();
            (item.index(), (item.node().next as usize, first_free(&mut group.objects().map(Object::id))))
        });
        Self { first_of_map, next_of_map: first_of_map, tiles: tiles.collect() }
    }

    /// Returns the next id in a layer, or next to an object of it.
    fn next_id(&mut self, place: Item<'_>) -> &mut i32 {
        let before = self.tiles.range_mut(..=place.index()).next_back();
        match before.filter(|(_, (end, _))| place.index() < *end) {
            Some((_, (_, next))) => next,
            None => &mut self.next_of_map,
        }
    }

    fn changed_next_of_map(&self) -> Option<i32> {
        Some(self.next_of_map).filter(|next| *next != self.first_of_map)
    }
}

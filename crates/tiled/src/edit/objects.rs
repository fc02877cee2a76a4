//! Objects of maps.

use super::properties::layout_object;
use super::{Edit, Scalar, attribute_text, layout};
use crate::WriteError;
use crate::codes::LayerKind;
use crate::document::Item;
use crate::view::{Layer, Object};

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
    /// If a name or value cannot be stored.
    pub fn add_object(
        &mut self,
        layer: Layer<'a>,
        attributes: &[(&str, Scalar<'a>)],
        shape: Option<NewShape>,
    ) -> Result<i32, WriteError> {
        let (id, last) = (self.new_object_id(), layer.objects().last().map(Object::item));
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
    /// If the object has no id, and so is no object of a map.
    pub fn duplicate_object(&mut self, object: Object<'a>) -> Result<i32, WriteError> {
        let (item, id) = (object.item(), self.new_object_id());
        let Some(old) = object.item().get("id") else {
            return Err(super::wrong_kind(item.kind(), "an object with an id"));
        };
        let (range, value) = (item.range(), old.value_range());
        let part = |start, end| self.document.as_str().get(start..end).unwrap_or_default();
        let text = [part(range.start, value.start), &id.to_string(), part(value.end, range.end)].concat();
        let comma = if self.is_xml() { "" } else { "," };
        self.splices.insert(range.end, [comma, layout::lead(item), &text].concat());
        Ok(id)
    }

    /// Returns the id of a new object: above all others, and not below `nextobjectid`.
    fn new_object_id(&mut self) -> i32 {
        let id = self.next_object_id.unwrap_or_else(|| self.first_free_id());
        self.next_object_id = Some(id.saturating_add(1));
        id
    }

    fn first_free_id(&self) -> i32 {
        let Some(map) = self.document.as_map() else { return 1 };
        let layers = map.all_layers().filter(|layer| layer.kind() == LayerKind::Objects);
        let ids = layers.flat_map(Layer::objects).map(Object::id);
        ids.max().unwrap_or(0).saturating_add(1).max(map.next_object_id())
    }

    /// Raises `nextobjectid` of the map above the ids of new objects, if the map stores it.
    pub(super) fn raise_next_object_id(&mut self) -> Result<(), WriteError> {
        let stored: Option<Item<'a>> = self.document.as_map().and_then(|map| map.item().get("nextobjectid"));
        match stored.zip(self.next_object_id) {
            Some((item, id)) => self.set_value(item, id),
            None => Ok(()),
        }
    }
}

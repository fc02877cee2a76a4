//! Layers.

use std::borrow::Cow;

use super::record::record;
use super::{Image, Object, Properties, children};
use crate::codes::{BlendMode, Color, DrawOrder, LayerKind};
use crate::document::{Item, ItemKind};

record! {
    /// A layer of cells or objects, of an image, or of other layers.
    Layer<'a> {
        /// The number that identifies the layer in the map.
        id("id"): i32 = 0;
        /// The name.
        name("name"): Cow<'a, str> = Cow::Borrowed("");
        /// The class.
        class("class"): Cow<'a, str> = Cow::Borrowed("");
        /// Obsolete: the column of the first cell. For images before version 0.15, their position in pixels.
        x("x"): f64 = 0.0;
        /// Obsolete: the row of the first cell. For images before version 0.15, their position in pixels.
        y("y"): f64 = 0.0;
        /// Number of columns, of layers of cells. Infinite maps have more.
        width("width"): i32 = 0;
        /// Number of rows, of layers of cells. Infinite maps have more.
        height("height"): i32 = 0;
        /// `false` if the layer is hidden.
        visible("visible"): bool = true;
        /// `true` if the editor does not change the layer.
        locked("locked"): bool = false;
        /// Opacity from 0 to 1. Groups multiply those of their layers.
        opacity("opacity"): f64 = 1.0;
        /// A colour by which images are multiplied.
        tint_color("tintcolor"): Color;
        /// Shift to the right in pixels. Groups add theirs to those of their layers.
        offset_x("offsetx"): f64 = 0.0;
        /// Shift down in pixels. Groups add theirs to those of their layers.
        offset_y("offsety"): f64 = 0.0;
        /// Speed relative to the camera, horizontally. Groups multiply those of their layers.
        parallax_x("parallaxx"): f64 = 1.0;
        /// Speed relative to the camera, vertically. Groups multiply those of their layers.
        parallax_y("parallaxy"): f64 = 1.0;
        /// The way in which the layer is blended with those below.
        mode("mode"): BlendMode = BlendMode::Normal;
        /// The colour of objects in the editor, of layers of objects.
        color("color"): Color;
        /// The order in which objects are drawn, of layers of objects.
        draw_order("draworder"): DrawOrder = DrawOrder::TopDown;
        /// `true` if the image is repeated horizontally.
        repeat_x("repeatx"): bool = false;
        /// `true` if the image is repeated vertically.
        repeat_y("repeaty"): bool = false;
    }
}

impl<'a> Layer<'a> {
    /// Returns the layer that an item is.
    pub(super) fn from_item(item: Item<'a>) -> Option<Self> {
        kind_of(item).map(|_| Self::new(item))
    }

    /// Returns the kind.
    pub fn kind(self) -> LayerKind {
        // Layers are only made of items that have a kind, and of the collision shapes of tiles.
        kind_of(self.0).unwrap_or(LayerKind::Objects)
    }

    /// Returns the custom properties.
    pub fn properties(self) -> Properties<'a> {
        Properties::of(self.0)
    }

    /// Iterates over the layers in a group, from the bottom up.
    pub fn layers(self) -> impl Iterator<Item = Layer<'a>> + Clone {
        let is_group = self.kind() == LayerKind::Group;
        super::map::layers(self.0).take(if is_group { usize::MAX } else { 0 })
    }

    /// Iterates over the objects, in the order of the file.
    pub fn objects(self) -> impl Iterator<Item = Object<'a>> + Clone {
        children(self.0, "object", "objects").map(Object::new)
    }

    /// Returns the image.
    pub fn image(self) -> Option<Image<'a>> {
        Image::of(self.0)
    }

    /// Returns the position of an image layer in pixels. Before version 0.15 it was stored in `x` and `y`.
    pub fn image_offset(self) -> [f64; 2] {
        match self.0.get("offsetx") {
            Some(_) => [self.offset_x(), self.offset_y()],
            None => [self.x(), self.y()],
        }
    }
}

fn kind_of(item: Item<'_>) -> Option<LayerKind> {
    match item.kind() {
        ItemKind::Element => LayerKind::from_element(&item.name()),
        ItemKind::Object => LayerKind::from_name(&item.get("type")?.text()),
        _ => None,
    }
}

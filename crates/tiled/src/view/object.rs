//! Objects and templates.

use std::borrow::Cow;

use super::record::{AttributeValue as _, record};
use super::{Properties, Tileset, child};
use crate::codes::{Color, Gid, HorizontalAlignment, VerticalAlignment};
use crate::document::{Item, ItemKind};

record! {
    /// An object of a map, a collision shape of a tile, or the object of a template.
    ///
    /// An object with a template has the values of the template for attributes that it lacks.
    Object<'a> {
        /// The number that identifies the object in the map.
        id("id"): i32 = 0;
        /// The name.
        name("name"): Cow<'a, str> = Cow::Borrowed("");
        /// x of the position in pixels. The units of isometric maps are those of `tileheight`.
        x("x"): f64 = 0.0;
        /// y of the position in pixels, downwards.
        y("y"): f64 = 0.0;
        /// Width in pixels. Tile objects without a width have that of the tile.
        width("width"): f64 = 0.0;
        /// Height in pixels. Tile objects without a height have that of the tile.
        height("height"): f64 = 0.0;
        /// Degrees clockwise around the position.
        rotation("rotation"): f64 = 0.0;
        /// Opacity from 0 to 1.
        opacity("opacity"): f64 = 1.0;
        /// The tile of a tile object.
        gid("gid"): Gid;
        /// `false` if the object is hidden.
        visible("visible"): bool = true;
        /// The file of the template, relative to the file of the map.
        template("template"): Cow<'a, str>;
    }
}

/// The shape of an object.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Shape<'a> {
    /// A rectangle.
    Rectangle,
    /// An ellipse in the rectangle.
    Ellipse,
    /// A point.
    Point,
    /// A rectangle whose shorter sides are half circles.
    Capsule,
    /// A closed polygon. Points are relative to the position.
    Polygon(Vec<[f64; 2]>),
    /// A line of points relative to the position.
    Polyline(Vec<[f64; 2]>),
    /// A text in the rectangle.
    Text(Text<'a>),
    /// A tile.
    Tile(Gid),
}

impl<'a> Object<'a> {
    /// Returns the item with the class: `class` in version 1.9, else `type`.
    pub fn class_item(self) -> Option<Item<'a>> {
        let is_set = |item: &Item<'_>| !item.text().is_empty();
        self.0.get("class").filter(is_set).or_else(|| self.0.get("type"))
    }

    /// Returns the class.
    pub fn class(self) -> Cow<'a, str> {
        self.class_item().map(Item::text).unwrap_or_default()
    }

    /// Returns the custom properties.
    pub fn properties(self) -> Properties<'a> {
        Properties::of(self.0)
    }

    /// Returns the item with the shape, which rectangles and tiles lack.
    pub fn shape_item(self) -> Option<Item<'a>> {
        const SHAPES: [&str; 6] = ["ellipse", "point", "capsule", "polygon", "polyline", "text"];
        let is_shape = |item: &Item<'a>| SHAPES.contains(&&*item.name());
        match self.0.kind() {
            ItemKind::Element => self.0.elements().find(is_shape),
            // A key with `false` is no shape.
            _ => self.0.items().find(|item| is_shape(item) && item.raw() != "false"),
        }
    }

    /// Returns the shape. Invalid points are left out.
    pub fn shape(self) -> Shape<'a> {
        let shape = self.shape_item();
        match (shape.map(Item::name).as_deref(), shape) {
            (Some("ellipse"), _) => Shape::Ellipse,
            (Some("point"), _) => Shape::Point,
            (Some("capsule"), _) => Shape::Capsule,
            (Some("polygon"), Some(item)) => Shape::Polygon(points(item).flatten().collect()),
            (Some("polyline"), Some(item)) => Shape::Polyline(points(item).flatten().collect()),
            (Some("text"), Some(item)) => Shape::Text(Text::new(item)),
            _ => self.gid().map_or(Shape::Rectangle, Shape::Tile),
        }
    }
}

/// Iterates over the points of a polygon or polyline. Invalid points are `None`.
pub(crate) fn points<'a>(item: Item<'a>) -> Box<dyn Iterator<Item = Option<[f64; 2]>> + 'a> {
    let number = move |text: &str| text.trim_ascii().parse().ok().filter(|number: &f64| number.is_finite());
    if item.kind() == ItemKind::Element {
        let point = move |pair: &str| {
            let (x, y) = pair.split_once(',')?;
            Some([number(x)?, number(y)?])
        };
        return match item.get("points").map(Item::text).unwrap_or_default() {
            Cow::Borrowed(text) => Box::new(text.split_ascii_whitespace().map(point)),
            Cow::Owned(text) => Box::new(text.split_ascii_whitespace().map(point).collect::<Vec<_>>().into_iter()),
        };
    }
    let coordinate = |point: Item<'_>, name| point.get(name).and_then(f64::read);
    Box::new(item.items().map(move |point| Some([coordinate(point, "x")?, coordinate(point, "y")?])))
}

record! {
    /// The text of an object.
    Text<'a> {
        /// The font.
        font_family("fontfamily"): Cow<'a, str> = Cow::Borrowed("sans-serif");
        /// The size of the font in pixels.
        pixel_size("pixelsize"): i32 = 16;
        /// `true` if lines are broken at the width of the object.
        wrap("wrap"): bool = false;
        /// The colour.
        color("color"): Color = Color { alpha: 255, red: 0, green: 0, blue: 0 };
        /// `true` if the font is bold.
        bold("bold"): bool = false;
        /// `true` if the font is italic.
        italic("italic"): bool = false;
        /// `true` if a line is drawn under the text.
        underline("underline"): bool = false;
        /// `true` if a line is drawn through the text.
        strikeout("strikeout"): bool = false;
        /// `true` if pairs of letters have their own distances.
        kerning("kerning"): bool = true;
        /// Horizontal alignment.
        horizontal_alignment("halign"): HorizontalAlignment = HorizontalAlignment::Left;
        /// Vertical alignment.
        vertical_alignment("valign"): VerticalAlignment = VerticalAlignment::Top;
    }
}

impl<'a> Text<'a> {
    /// Returns the item that contains the text.
    pub fn content_item(self) -> Option<Item<'a>> {
        match self.0.kind() {
            ItemKind::Element => Some(self.0),
            _ => self.0.get("text"),
        }
    }

    /// Returns the text.
    pub fn content(self) -> Cow<'a, str> {
        self.content_item().map(Item::text).unwrap_or_default()
    }
}

record! {
    /// An object that maps refer to.
    Template<'a> {}
}

impl<'a> Template<'a> {
    /// Returns the tileset that the global id of the object belongs to.
    pub fn tileset(self) -> Option<Tileset<'a>> {
        child(self.0, "tileset").map(Tileset::new)
    }

    /// Returns the object. It has neither an id nor a position.
    pub fn object(self) -> Option<Object<'a>> {
        child(self.0, "object").map(Object::new)
    }
}

//! Writes Tiled maps as XML, indented as Tiled does.

use std::fmt::Display;

use quick_xml::{
    Writer,
    events::{BytesEnd, BytesStart, BytesText, Event},
};

use super::super::data;
use super::super::model::{Data, Json, Layer, Map, Object, Property, Tileset};

/// Writes a map as TMX.
pub(in crate::tiled) fn write(map: &Map) -> Vec<u8> {
    let mut xml =
        Xml { writer: Writer::new_with_indent(b"<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n".to_vec(), b' ', 1) };
    xml.map(map);
    let mut text = xml.writer.into_inner();
    text.push(b'\n');
    text
}

/// An XML writer. Writing to memory never fails, so its results are ignored.
struct Xml {
    writer: Writer<Vec<u8>>,
}

/// An element with its attributes.
struct Tag(BytesStart<'static>);

impl Tag {
    fn new(name: &'static str) -> Self {
        Self(BytesStart::new(name))
    }

    fn with(mut self, name: &str, value: impl Display) -> Self {
        self.0.push_attribute((name, value.to_string().as_str()));
        self
    }

    /// Adds an attribute, unless it has its default value.
    fn with_unless_default<T: Display + PartialEq + Copy>(self, usual: T, name: &str, value: T) -> Self {
        if value == usual { self } else { self.with(name, value) }
    }
}

impl Xml {
    fn event(&mut self, event: Event<'_>) {
        let _ = self.writer.write_event(event);
    }

    fn empty(&mut self, tag: Tag) {
        self.event(Event::Empty(tag.0));
    }

    fn text(&mut self, tag: Tag, text: &str) {
        let name = String::from_utf8_lossy(tag.0.name().as_ref().as_bytes()).into_owned();
        self.event(Event::Start(tag.0));
        self.event(Event::Text(BytesText::new(text)));
        self.event(Event::End(BytesEnd::new(name)));
    }

    /// Writes an element with child elements.
    fn around(&mut self, tag: Tag, name: &'static str, inner: impl FnOnce(&mut Self)) {
        self.event(Event::Start(tag.0));
        inner(self);
        self.event(Event::End(BytesEnd::new(name)));
    }

    fn map(&mut self, map: &Map) {
        let tag = Tag::new("map")
            .with("version", map.version)
            .with("tiledversion", map.tiledversion)
            .with("orientation", &map.orientation)
            .with("renderorder", &map.renderorder)
            .with("width", map.width)
            .with("height", map.height)
            .with("tilewidth", map.tilewidth)
            .with("tileheight", map.tileheight)
            .with("infinite", 0)
            .with("nextlayerid", map.nextlayerid)
            .with("nextobjectid", map.nextobjectid);
        self.around(tag, "map", |xml| {
            xml.properties(&map.properties);
            map.tilesets.iter().for_each(|tileset| xml.tileset(tileset));
            map.layers.iter().for_each(|layer| xml.layer(layer));
        });
    }

    fn properties(&mut self, properties: &[Property]) {
        if properties.is_empty() {
            return;
        }
        self.around(Tag::new("properties"), "properties", |xml| {
            for property in properties {
                let tag = Tag::new("property").with("name", &property.name);
                let tag = if property.kind == "string" { tag } else { tag.with("type", &property.kind) };
                match &property.value {
                    Json::Text(text) if text.contains('\n') => xml.text(tag, text),
                    Json::Text(text) => xml.empty(tag.with("value", text)),
                    Json::Bool(flag) => xml.empty(tag.with("value", flag)),
                    Json::Int(number) => xml.empty(tag.with("value", number)),
                    Json::Float(number) => xml.empty(tag.with("value", format_args!("{number:?}"))),
                    Json::Null | Json::Large(_) | Json::List(_) | Json::Map(_) => xml.empty(tag.with("value", "")),
                }
            }
        });
    }

    fn tileset(&mut self, set: &Tileset) {
        let tag = Tag::new("tileset")
            .with("firstgid", set.firstgid)
            .with("name", &set.name)
            .with("tilewidth", set.tilewidth)
            .with("tileheight", set.tileheight)
            .with("tilecount", set.tilecount)
            .with("columns", set.columns);
        self.around(tag, "tileset", |xml| {
            xml.properties(&set.properties);
            if let Some(image) = &set.image {
                let image = Tag::new("image").with("source", image);
                xml.empty(image.with("width", set.imagewidth).with("height", set.imageheight));
            }
            for tile in &set.tiles {
                let tag = Tag::new("tile").with("id", tile.id);
                xml.around(tag, "tile", |xml| xml.properties(&tile.properties));
            }
        });
    }

    fn layer(&mut self, layer: &Layer) {
        let name = match layer.kind.as_str() {
            "tilelayer" => "layer",
            "group" => "group",
            _ => "objectgroup",
        };
        let mut tag = Tag::new(name).with("id", layer.id).with("name", &layer.name);
        if let (Some(width), Some(height)) = (layer.width, layer.height) {
            tag = tag.with("width", width).with("height", height);
        }
        let tag = tag
            .with_unless_default(1, "visible", u8::from(layer.visible))
            .with_unless_default(0, "locked", u8::from(layer.locked))
            .with_unless_default(0.0, "offsetx", layer.offsetx)
            .with_unless_default(0.0, "offsety", layer.offsety)
            .with_unless_default(1.0, "parallaxx", layer.parallaxx)
            .with_unless_default(1.0, "parallaxy", layer.parallaxy);
        self.around(tag, name, |xml| {
            xml.properties(&layer.properties);
            if let Some(data) = &layer.data {
                let tag = Tag::new("data").with("encoding", &layer.encoding);
                let tag = if layer.compression.is_empty() { tag } else { tag.with("compression", &layer.compression) };
                match data {
                    Data::Text(text) => xml.text(tag, text),
                    Data::Gids(gids) => xml.text(tag, &data::plain(gids, layer.width.unwrap_or(1) as usize)),
                }
            }
            layer.objects.iter().flatten().for_each(|object| xml.object(object));
            layer.layers.iter().flatten().for_each(|layer| xml.layer(layer));
        });
    }

    fn object(&mut self, object: &Object) {
        let mut tag = Tag::new("object").with("id", object.id);
        for (name, value) in [("name", &object.name), ("type", &object.kind)] {
            tag = if value.is_empty() { tag } else { tag.with(name, value) };
        }
        let tag =
            tag.with("x", object.x).with("y", object.y).with_unless_default(1, "visible", u8::from(object.visible));
        let tag = tag
            .with_unless_default(0.0, "width", object.width)
            .with_unless_default(0.0, "height", object.height)
            .with_unless_default(0.0, "rotation", object.rotation);
        self.around(tag, "object", |xml| {
            xml.properties(&object.properties);
            if object.point {
                xml.empty(Tag::new("point"));
            }
        });
    }
}

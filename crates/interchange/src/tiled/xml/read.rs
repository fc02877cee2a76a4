//! Reads Tiled maps from XML.

use std::str::FromStr;

use super::{
    super::model::{Chunk, Data, Json, Layer, MAX_DEPTH, Map, Object, Property, Tile, Tileset},
    element::{self, Element, position},
};
use crate::{Error, ErrorKind, error::malformed};

/// Reads a TMX file.
pub(in crate::tiled) fn map(text: &str, max_objects: u64) -> Result<Map, Error> {
    let root = element::read(text, max_objects)?;
    let reader = Reader { text };
    reader.expect(&root, "map")?;
    reader.map(root)
}

/// Reads a TSX file: a tile set outside of the map.
pub(in crate::tiled) fn tileset(text: &str, max_objects: u64) -> Result<Tileset, Error> {
    let root = element::read(text, max_objects)?;
    let reader = Reader { text };
    reader.expect(&root, "tileset")?;
    reader.tileset(root, "tileset")
}

struct Reader<'a> {
    text: &'a str,
}

impl Reader<'_> {
    fn expect(&self, root: &Element<'_>, name: &'static str) -> Result<(), Error> {
        if root.is(name) {
            return Ok(());
        }
        let found = format!("the element {:?}", root.name());
        let expected = if name == "map" { "a map" } else { "a tileset" };
        let kind = ErrorKind::NotTheFormat { format: "Tiled", found, expected };
        Err(Error::new(kind, position(self.text, root.offset)))
    }

    /// Parses a number of an attribute, if the attribute exists.
    fn number<T: FromStr>(&self, element: &Element<'_>, name: &str, usual: T, path: &str) -> Result<T, Error> {
        let Some(text) = element.get(name) else { return Ok(usual) };
        text.trim().parse().map_err(|_| {
            let place = position(self.text, element.offset);
            malformed(format!("{path}.{name}"), format!("{text:?} is not a valid number")).at(place)
        })
    }

    /// Returns an id, or 0 if there is no valid one.
    fn id(element: &Element<'_>) -> u32 {
        element.get("id").and_then(|text| text.trim().parse().ok()).unwrap_or(0)
    }

    fn flag(element: &Element<'_>, name: &str, usual: bool) -> bool {
        element.get(name).map_or(usual, |text| !matches!(text.as_str(), "0" | "false"))
    }

    fn map(&self, mut root: Element<'_>) -> Result<Map, Error> {
        let number = |name| self.number(&root, name, 0, "map");
        let mut map = Map {
            orientation: root.get("orientation").unwrap_or_else(|| "orthogonal".into()),
            width: number("width")?,
            height: number("height")?,
            tilewidth: number("tilewidth")?,
            tileheight: number("tileheight")?,
            infinite: Self::flag(&root, "infinite", false),
            renderorder: root.get("renderorder").unwrap_or_default(),
            editorsettings: root.has_child("editorsettings"),
            backgroundcolor: root.has("backgroundcolor"),
            class: root.get("class").unwrap_or_default(),
            parallaxoriginx: self.number(&root, "parallaxoriginx", 0.0, "map")?,
            parallaxoriginy: self.number(&root, "parallaxoriginy", 0.0, "map")?,
            ..Map::default()
        };
        map.properties = self.properties(&mut root, "map", 0)?;
        for (index, tileset) in root.take("tileset").enumerate() {
            map.tilesets.push(self.tileset(tileset, &format!("tilesets[{index}]"))?);
        }
        map.layers = self.layers(root.children, "", 0)?;
        Ok(map)
    }

    fn properties(&self, element: &mut Element<'_>, path: &str, depth: usize) -> Result<Vec<Property>, Error> {
        let mut properties = Vec::new();
        for child in element.take("properties").flat_map(|list| list.children) {
            if child.is("property") {
                let path = format!("{path}.properties[{}]", properties.len());
                properties.push(self.property(child, &path, depth)?);
            }
        }
        Ok(properties)
    }

    fn property(&self, mut element: Element<'_>, path: &str, depth: usize) -> Result<Property, Error> {
        let kind = element.get("type").unwrap_or_else(|| "string".into());
        let name = element.get("name").unwrap_or_default();
        let propertytype = element.get("propertytype").unwrap_or_default();
        if kind == "class" {
            if depth >= MAX_DEPTH {
                let limit = ErrorKind::Limit { what: "nested classes", limit: MAX_DEPTH as u64 };
                return Err(Error::on_path(limit, path));
            }
            let members = self.properties(&mut element, path, depth + 1)?;
            let members = members.into_iter().map(|member| (member.name, member.value)).collect();
            return Ok(Property { name, kind, propertytype, value: Json::Map(members) });
        }
        if kind == "list" {
            let items = element.take("item").map(|item| {
                if depth >= MAX_DEPTH {
                    let limit = ErrorKind::Limit { what: "nested lists", limit: MAX_DEPTH as u64 };
                    return Err(Error::on_path(limit, path));
                }
                let Property { kind, value, .. } = self.property(item, path, depth + 1)?;
                // As in JSON.
                Ok(Json::Map(vec![("type".to_owned(), Json::Text(kind)), ("value".to_owned(), value)]))
            });
            let value = Json::List(items.collect::<Result<_, Error>>()?);
            return Ok(Property { name, kind, propertytype, value });
        }
        let text = element.get("value").unwrap_or(element.text);
        // Values that do not match their type become text.
        let value = match kind.as_str() {
            "bool" => text.trim().parse().ok().map(Json::Bool),
            "int" | "object" => text.trim().parse().ok().map(Json::Int),
            "float" => text.trim().parse().ok().map(Json::Float),
            _ => None,
        };
        Ok(Property { name, kind, propertytype, value: value.unwrap_or(Json::Text(text)) })
    }

    fn tileset(&self, mut element: Element<'_>, path: &str) -> Result<Tileset, Error> {
        let number = |name| self.number(&element, name, 0, path);
        let mut set = Tileset {
            firstgid: number("firstgid")?,
            source: element.get("source"),
            name: element.get("name").unwrap_or_default(),
            tilewidth: number("tilewidth")?,
            tileheight: number("tileheight")?,
            tilecount: number("tilecount")?,
            columns: number("columns")?,
            spacing: number("spacing")?,
            margin: number("margin")?,
            wangsets: element.has_child("wangsets"),
            terrains: element.has_child("terraintypes"),
            tileoffset: element.has_child("tileoffset"),
            grid: element.has_child("grid"),
            transformations: element.has_child("transformations"),
            backgroundcolor: element.has("backgroundcolor"),
            objectalignment: element.get("objectalignment").unwrap_or_default(),
            tilerendersize: element.get("tilerendersize").unwrap_or_default(),
            fillmode: element.get("fillmode").unwrap_or_default(),
            class: element.get("class").unwrap_or_default(),
            ..Tileset::default()
        };
        set.properties = self.properties(&mut element, path, 0)?;
        if let Some(image) = element.take("image").next() {
            set.image = image.get("source");
            set.transparentcolor = image.has("trans");
            set.imagewidth = self.number(&image, "width", 0, path)?;
            set.imageheight = self.number(&image, "height", 0, path)?;
        }
        for (index, mut tile) in element.take("tile").enumerate() {
            let path = format!("{path}.tiles[{index}]");
            let image = tile.take("image").next();
            let edge = |name| image.as_ref().map_or(Ok(0), |image| self.number(image, name, 0, &path));
            let (imagewidth, imageheight) = (edge("width")?, edge("height")?);
            set.tiles.push(Tile {
                id: self.number(&tile, "id", 0, &path)?,
                image: image.and_then(|image| image.get("source")),
                imagewidth,
                imageheight,
                width: self.number(&tile, "width", 0, &path)?,
                height: self.number(&tile, "height", 0, &path)?,
                animation: tile.has_child("animation"),
                objectgroup: tile.has_child("objectgroup"),
                kind: tile.get("type").or_else(|| tile.get("class")).unwrap_or_default(),
                probability: tile
                    .has("probability")
                    .then(|| self.number(&tile, "probability", 1.0, &path))
                    .transpose()?,
                properties: self.properties(&mut tile, &path, 0)?,
            });
        }
        Ok(set)
    }

    /// Reads all layers of some elements, in order.
    fn layers(&self, elements: Vec<Element<'_>>, path: &str, depth: usize) -> Result<Vec<Layer>, Error> {
        let mut layers = Vec::new();
        for element in elements {
            let kind = match element.name().as_str() {
                "layer" => "tilelayer",
                kind @ ("objectgroup" | "imagelayer" | "group") => kind,
                _ => continue,
            }
            .to_owned();
            let path = format!("{path}layers[{}]", layers.len());
            if depth >= MAX_DEPTH {
                let limit = ErrorKind::Limit { what: "nested groups", limit: MAX_DEPTH as u64 };
                return Err(Error::on_path(limit, path).at(position(self.text, element.offset)));
            }
            layers.push(self.layer(element, kind, &path, depth)?);
        }
        Ok(layers)
    }

    fn layer(&self, mut element: Element<'_>, kind: String, path: &str, depth: usize) -> Result<Layer, Error> {
        let number = |name, usual| self.number(&element, name, usual, path);
        let size = |name| element.has(name).then(|| self.number(&element, name, 0, path)).transpose();
        let mut layer = Layer {
            id: Self::id(&element),
            name: element.get("name").unwrap_or_default(),
            visible: Self::flag(&element, "visible", true),
            locked: Self::flag(&element, "locked", false),
            opacity: number("opacity", 1.0)?,
            offsetx: number("offsetx", 0.0)?,
            offsety: number("offsety", 0.0)?,
            parallaxx: number("parallaxx", 1.0)?,
            parallaxy: number("parallaxy", 1.0)?,
            tintcolor: element.has("tintcolor"),
            class: element.get("class").unwrap_or_default(),
            mode: element.get("mode").unwrap_or_default(),
            draworder: element.get("draworder").unwrap_or_default(),
            color: element.has("color"),
            x: self.number(&element, "x", 0, path)?,
            y: self.number(&element, "y", 0, path)?,
            at: Some(position(self.text, element.offset)),
            width: size("width")?,
            height: size("height")?,
            ..Layer::default()
        };
        layer.properties = self.properties(&mut element, path, 0)?;
        match kind.as_str() {
            "tilelayer" => {
                if let Some(data) = element.take("data").next() {
                    self.cells(data, &mut layer, path)?;
                }
            }
            "objectgroup" => {
                let objects = element.take("object").enumerate();
                let object = |(index, object)| self.object(object, &format!("{path}.objects[{index}]"));
                layer.objects = Some(objects.map(object).collect::<Result<_, Error>>()?);
            }
            "group" => layer.layers = Some(self.layers(element.children, &format!("{path}."), depth + 1)?),
            _ => {}
        }
        Ok(Layer { kind, ..layer })
    }

    fn cells(&self, mut data: Element<'_>, layer: &mut Layer, path: &str) -> Result<(), Error> {
        layer.encoding = data.get("encoding").unwrap_or_default();
        layer.compression = data.get("compression").unwrap_or_default();
        for (index, mut chunk) in data.take("chunk").enumerate() {
            let path = format!("{path}.chunks[{index}]");
            layer.chunks.push(Chunk {
                x: self.number(&chunk, "x", 0, &path)?,
                y: self.number(&chunk, "y", 0, &path)?,
                width: self.number(&chunk, "width", 0, &path)?,
                height: self.number(&chunk, "height", 0, &path)?,
                data: self.data(&mut chunk, &layer.encoding, &path)?,
            });
        }
        layer.data = self.data(&mut data, &layer.encoding, path)?;
        Ok(())
    }

    /// Reads the text of an element, or its `tile` elements, which are the oldest form.
    fn data(&self, element: &mut Element<'_>, encoding: &str, path: &str) -> Result<Option<Data>, Error> {
        if !encoding.is_empty() {
            return Ok(Some(Data::Text(std::mem::take(&mut element.text))));
        }
        let tiles = element.take("tile").map(|tile| self.number(&tile, "gid", 0, path));
        Ok(Some(Data::Gids(tiles.collect::<Result<_, Error>>()?)))
    }

    fn object(&self, mut element: Element<'_>, path: &str) -> Result<Object, Error> {
        let number = |name| self.number(&element, name, 0.0, path);
        let mut object = Object {
            id: Self::id(&element),
            name: element.get("name").unwrap_or_default(),
            kind: element.get("type").or_else(|| element.get("class")).unwrap_or_default(),
            x: number("x")?,
            y: number("y")?,
            width: number("width")?,
            height: number("height")?,
            rotation: number("rotation")?,
            visible: Self::flag(&element, "visible", true),
            point: element.has_child("point"),
            ellipse: element.has_child("ellipse"),
            capsule: element.has_child("capsule"),
            opacity: self.number(&element, "opacity", 1.0, path)?,
            polygon: element.has_child("polygon"),
            polyline: element.has_child("polyline"),
            text: element.take("text").next().map(|text| text.text),
            gid: element.get("gid").map(|text| text.trim().parse().unwrap_or(0)),
            template: element.has("template"),
            ..Object::default()
        };
        object.properties = self.properties(&mut element, path, 0)?;
        Ok(object)
    }
}

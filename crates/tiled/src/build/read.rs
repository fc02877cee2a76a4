//! Reads a document as a tree, in the names of XML.

use std::borrow::Cow;

use mapwright_io::Losses;

use super::{Element, MAX_DEPTH, too_deep};
use crate::WriteError;
use crate::codes::LayerKind;
use crate::document::{Document, DocumentKind, Item, ItemKind, Syntax};
use crate::structure::{self, Structure};
use crate::view::points;

/// Returns the tree of a document.
pub(super) fn read<'a>(document: &'a Document, losses: &mut Losses) -> Result<Element<'a>, WriteError> {
    if document.syntax() == Syntax::Xml {
        if document.as_str().contains("<!--") {
            losses.dropped("", "comments: JSON has none");
        }
        return read_xml(document.root(), 0);
    }
    let (name, of) = match document.kind() {
        DocumentKind::Tileset => ("tileset", &structure::TILESET),
        DocumentKind::Template => ("template", &structure::TEMPLATE),
        DocumentKind::Map | DocumentKind::World => ("map", &structure::MAP),
    };
    Reader { losses }.element(document.root(), name, of, 0)
}

/// Reads an element. The depth is limited.
fn read_xml(item: Item<'_>, depth: usize) -> Result<Element<'_>, WriteError> {
    if depth >= MAX_DEPTH {
        return Err(too_deep());
    }
    let mut element = Element::new(item.name());
    for child in item.items() {
        match child.kind() {
            ItemKind::Attribute => element.attributes.push((child.name(), child.text())),
            _ => element.children.push(read_xml(child, depth.saturating_add(1))?),
        }
    }
    if element.children.is_empty() {
        element.text = item.text();
    }
    Ok(element)
}

/// Keys that are not attributes of the element with the same content.
const OTHER_KEYS: [&str; 10] = [
    "image",
    "imagewidth",
    "imageheight",
    "transparentcolor",
    "data",
    "chunks",
    "encoding",
    "compression",
    "startx",
    "starty",
];

/// Reads JSON.
struct Reader<'l> {
    losses: &'l mut Losses,
}

impl Reader<'_> {
    /// Reads an object as an element. The depth is limited.
    fn element<'a>(
        &mut self,
        item: Item<'a>,
        name: &'static str,
        of: &'static Structure,
        depth: usize,
    ) -> Result<Element<'a>, WriteError> {
        if depth >= MAX_DEPTH {
            return Err(too_deep());
        }
        let mut element = Element::new(name);
        for member in item.items() {
            let key = member.name();
            match member.kind() {
                // An attribute of XML is the last member with its name.
                ItemKind::Object | ItemKind::Array => self.container(&mut element, [item, member], of, depth)?,
                ItemKind::Null => {}
                _ if OTHER_KEYS.contains(&&*key) && name != "image" => {}
                // The name of the element is the type.
                _ if key == "type" && !matches!(name, "object" | "tile" | "wangset" | "property") => {}
                _ if name == "text" && key == "text" => element.text = member.text(),
                _ if matches!(&*key, "ellipse" | "point" | "capsule") && name == "object" => {
                    if member.raw() == "true" {
                        element.children.push(Element::new(key));
                    }
                }
                _ if of.attribute(&key).is_some() => {
                    let text = match member.raw() {
                        "true" => Cow::Borrowed("1"),
                        "false" => Cow::Borrowed("0"),
                        _ => member.text(),
                    };
                    match element.attributes.iter_mut().find(|(other, _)| *other == key) {
                        Some((_, old)) => *old = text,
                        None => element.attributes.push((key, text)),
                    }
                }
                _ => self.losses.dropped(name, format!("key {key:?}, which Tiled does not know")),
            }
        }
        element.attributes.sort_by_key(|(name, _)| of.attribute_order(name));
        self.add_image(&mut element, item);
        if matches!(name, "layer" | "imagelayer" | "objectgroup" | "group") {
            self.add_cells(&mut element, item);
        }
        // Tiled reads tilesets before layers, and writes properties first.
        element.children.sort_by_key(|child| rank(&child.name));
        Ok(element)
    }

    /// Reads a member that is an object or array.
    fn container<'a>(
        &mut self,
        element: &mut Element<'a>,
        [owner, member]: [Item<'a>; 2],
        of: &'static Structure,
        depth: usize,
    ) -> Result<(), WriteError> {
        let (key, inner) = (member.name(), depth.saturating_add(1));
        let is_object = |item: &Item<'_>| item.kind() == ItemKind::Object;
        let objects = || member.items().filter(is_object);
        // Elements that are only lists are one level more.
        let list = |reader: &mut Self, outer: &'static str, name: &'static str, list: &mut Vec<Element<'a>>| {
            let Some(of) = of.child(outer) else { return Ok(()) };
            for item in objects() {
                list.push(reader.element(item, name, of, inner.saturating_add(1))?);
            }
            Ok::<(), WriteError>(())
        };
        let children = &mut element.children;
        match &*key {
            "properties" => {
                let properties = self.properties(member, owner.get("propertytypes"), inner)?;
                children.extend((!properties.children.is_empty()).then_some(properties));
            }
            "propertytypes" => {}
            "layers" => {
                for layer in objects() {
                    let kind = layer.get("type").and_then(|kind| LayerKind::from_name(&kind.text()));
                    let name = match kind {
                        Some(LayerKind::Tiles) => "layer",
                        Some(LayerKind::Objects) => "objectgroup",
                        Some(LayerKind::Image) => "imagelayer",
                        Some(LayerKind::Group) => "group",
                        None => {
                            self.losses.dropped("layers", "layer of an unknown type");
                            continue;
                        }
                    };
                    let Some(of) = of.child(name) else { continue };
                    children.push(self.element(layer, name, of, inner)?);
                }
            }
            "objects" => list(self, "object", "object", children)?,
            "tilesets" => list(self, "tileset", "tileset", children)?,
            "tiles" => list(self, "tile", "tile", children)?,
            "colors" => list(self, "wangcolor", "wangcolor", children)?,
            "wangtiles" => list(self, "wangtile", "wangtile", children)?,
            "terrains" | "wangsets" | "animation" => {
                let (outer, name) = match &*key {
                    "terrains" => ("terraintypes", "terrain"),
                    "wangsets" => ("wangsets", "wangset"),
                    _ => ("animation", "frame"),
                };
                let mut items = Vec::new();
                list(self, outer, name, &mut items)?;
                children.extend((!items.is_empty()).then(|| Element { children: items, ..Element::new(outer) }));
            }
            "polygon" | "polyline" => {
                let pairs: Vec<String> = points(member).flatten().map(|[x, y]| format!("{x},{y}")).collect();
                let mut shape = Element::new(key);
                shape.set("points", pairs.join(" "));
                children.push(shape);
            }
            "wangid" | "terrain" => {
                let numbers = member.number_tokens().map(|(_, token)| if token == "-1" { "" } else { token });
                element.attributes.push((key, Cow::Owned(numbers.collect::<Vec<_>>().join(","))));
            }
            "data" | "chunks" => {}
            "tileoffset" | "grid" | "transformations" | "editorsettings" | "chunksize" | "export" | "text"
            | "object" | "tileset" | "objectgroup"
                if is_object(&member) =>
            {
                let name: &'static str = match &*key {
                    "tileoffset" => "tileoffset",
                    "grid" => "grid",
                    "transformations" => "transformations",
                    "editorsettings" => "editorsettings",
                    "chunksize" => "chunksize",
                    "export" => "export",
                    "text" => "text",
                    "object" => "object",
                    "tileset" => "tileset",
                    _ => "objectgroup",
                };
                match of.child(name) {
                    Some(of) => children.push(self.element(member, name, of, inner)?),
                    None => self.losses.dropped(&*element.name, format!("key {key:?}, which Tiled does not know")),
                }
            }
            _ => self.losses.dropped(&*element.name, format!("key {key:?}, which Tiled does not know")),
        }
        Ok(())
    }

    /// Adds the element of an image.
    fn add_image<'a>(&mut self, element: &mut Element<'a>, item: Item<'a>) {
        let text = |key| item.get(key).map(Item::text).filter(|text| !text.is_empty());
        let Some(source) = text("image") else { return };
        let mut image = Element::new("image");
        image.attributes.push((Cow::Borrowed("source"), source));
        if let Some(color) = text("transparentcolor") {
            let color = color.trim_start_matches('#').to_owned();
            image.attributes.push((Cow::Borrowed("trans"), Cow::Owned(color)));
        }
        for (name, key) in [("width", "imagewidth"), ("height", "imageheight")] {
            image.attributes.extend(text(key).filter(|size| size != "0").map(|size| (Cow::Borrowed(name), size)));
        }
        element.children.push(image);
    }

    /// Adds the element with the cells.
    fn add_cells<'a>(&mut self, element: &mut Element<'a>, item: Item<'a>) {
        if item.get("data").or_else(|| item.get("chunks")).is_none() {
            return;
        }
        let width = |item: Item<'_>| item.get("width").and_then(|width| width.text().parse().ok()).unwrap_or(0);
        let mut data = Element::new("data");
        let encoding = item.get("encoding").map_or(Cow::Borrowed("csv"), Item::text);
        data.attributes.push((Cow::Borrowed("encoding"), encoding));
        let compression = item.get("compression").map(Item::text).filter(|name| !name.is_empty());
        data.attributes.extend(compression.map(|name| (Cow::Borrowed("compression"), name)));
        match item.get("chunks") {
            Some(chunks) => {
                for chunk in chunks.items().filter(|chunk| chunk.kind() == ItemKind::Object) {
                    let mut part = Element::new("chunk");
                    for name in ["x", "y", "width", "height"] {
                        part.attributes.extend(chunk.get(name).map(|number| (Cow::Borrowed(name), number.text())));
                    }
                    part.text =
                        chunk.get("data").map(|payload| payload_text(payload, width(chunk))).unwrap_or_default();
                    data.children.push(part);
                }
            }
            None => {
                data.text = item.get("data").map(|payload| payload_text(payload, width(item))).unwrap_or_default();
            }
        }
        element.children.push(data);
    }

    /// Reads properties, or the members of a class.
    fn properties<'a>(
        &mut self,
        list: Item<'a>,
        types: Option<Item<'a>>,
        depth: usize,
    ) -> Result<Element<'a>, WriteError> {
        if depth >= MAX_DEPTH {
            return Err(too_deep());
        }
        let mut properties = Element::new("properties");
        for item in list.items() {
            let is_record = list.kind() == ItemKind::Array;
            let text = |key| item.get(key).map(Item::text);
            let (name, kind, value) = match is_record {
                true => (text("name").unwrap_or_default(), text("type"), item.get("value")),
                false => (item.name(), types.and_then(|types| types.get(&item.name())).map(Item::text), Some(item)),
            };
            let mut property = Element::new("property");
            property.attributes.push((Cow::Borrowed("name"), name));
            let propertytype = if is_record { text("propertytype") } else { None };
            self.value(&mut property, kind, propertytype, value, depth)?;
            properties.children.push(property);
        }
        Ok(properties)
    }

    /// Adds type and value to a property, or to a value of a list.
    fn value<'a>(
        &mut self,
        element: &mut Element<'a>,
        kind: Option<Cow<'a, str>>,
        propertytype: Option<Cow<'a, str>>,
        value: Option<Item<'a>>,
        depth: usize,
    ) -> Result<(), WriteError> {
        let found = value.map(Item::kind);
        let kind = kind.unwrap_or(Cow::Borrowed(match found {
            Some(ItemKind::Object) => "class",
            Some(ItemKind::Array) => "list",
            Some(ItemKind::Bool) => "bool",
            Some(ItemKind::Number) if value.is_some_and(|value| value.raw().contains(['.', 'e', 'E'])) => "float",
            Some(ItemKind::Number) => "int",
            _ => "string",
        }));
        let is_text = kind == "string";
        if !is_text {
            element.attributes.push((Cow::Borrowed("type"), kind.clone()));
        }
        element.attributes.extend(propertytype.map(|name| (Cow::Borrowed("propertytype"), name)));
        let Some(value) = value else { return Ok(()) };
        let inner = depth.saturating_add(2);
        match value.kind() {
            ItemKind::Object => {
                let members = self.properties(value, None, inner)?;
                element.children.extend((!members.children.is_empty()).then_some(members));
            }
            ItemKind::Array => {
                for entry in value.items().filter(|entry| entry.kind() == ItemKind::Object) {
                    let text = |key| entry.get(key).map(Item::text);
                    let mut item = Element::new("item");
                    if inner >= MAX_DEPTH {
                        return Err(too_deep());
                    }
                    self.value(&mut item, text("type"), text("propertytype"), entry.get("value"), inner)?;
                    element.children.push(item);
                }
            }
            _ => {
                let text = value.text();
                // Tiled writes several lines as the text of the element.
                match is_text && text.contains('\n') {
                    true => element.text = text,
                    false => element.attributes.push((Cow::Borrowed("value"), text)),
                }
            }
        }
        Ok(())
    }
}

/// Returns the text of cells.
fn payload_text(payload: Item<'_>, columns: usize) -> Cow<'_, str> {
    if payload.kind() != ItemKind::Array {
        return payload.text();
    }
    let mut text = String::from("\n");
    let mut tokens = payload.number_tokens().map(|(_, token)| token).enumerate().peekable();
    while let Some((index, token)) = tokens.next() {
        text.push_str(token);
        if tokens.peek().is_some() {
            let is_row_end = index.saturating_add(1).checked_rem(columns) == Some(0);
            text.push_str(if is_row_end { ",\n" } else { "," });
        }
    }
    text.push('\n');
    Cow::Owned(text)
}

/// Returns the position of an element among its siblings. Layers keep their order.
fn rank(name: &str) -> usize {
    const ORDER: [&str; 15] = [
        "editorsettings",
        "properties",
        "chunksize",
        "export",
        "tileoffset",
        "grid",
        "transformations",
        "image",
        "terraintypes",
        "tileset",
        "tile",
        "wangcolor",
        "wangtile",
        "wangsets",
        "data",
    ];
    ORDER.iter().position(|other| *other == name).unwrap_or(ORDER.len())
}

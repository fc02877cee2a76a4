//! Writes a tree as JSON, with the keys of Tiled in alphabetical order.

use std::borrow::Cow;

use mapwright_io::Losses;
use mapwright_query::{Field, FieldType};

use super::Element;
use crate::edit::scalar::quote_json;
use crate::structure::{self, Structure};

/// A value of JSON.
enum Json<'e> {
    /// A number, a word, or an array of numbers.
    Plain(Cow<'e, str>),
    Text(Cow<'e, str>),
    List(Vec<Json<'e>>),
    Map(Members<'e>),
}

/// The members of an object.
#[derive(Default)]
struct Members<'e>(Vec<(Cow<'e, str>, Json<'e>)>);

impl<'e> Members<'e> {
    fn set(&mut self, key: impl Into<Cow<'e, str>>, value: Json<'e>) {
        let key = key.into();
        match self.0.iter_mut().find(|(other, _)| *other == key) {
            Some((_, old)) => *old = value,
            None => self.0.push((key, value)),
        }
    }

    /// Adds a member whose key may occur again.
    fn add(&mut self, key: impl Into<Cow<'e, str>>, value: Json<'e>) {
        self.0.push((key.into(), value));
    }

    /// Adds a value to an array.
    fn push(&mut self, key: &'static str, value: Json<'e>) {
        match self.0.iter_mut().find(|(other, _)| other == key) {
            Some((_, Json::List(list))) => list.push(value),
            _ => self.set(key, Json::List(vec![value])),
        }
    }
}

/// Returns the text of a file.
pub(super) fn write(root: &Element<'_>, losses: &mut Losses) -> String {
    let of = match &*root.name {
        "tileset" => &structure::TILESET,
        "template" => &structure::TEMPLATE,
        _ => &structure::MAP,
    };
    let mut members = members(root, of, losses);
    members.set("type", Json::Text(Cow::Borrowed(&root.name)));
    let mut out = String::new();
    print(&Json::Map(members), 0, &mut out);
    out.push('\n');
    out
}

/// Values that Tiled always writes, and that its reader needs for some of them.
fn defaults(element: &Element<'_>) -> &'static [(&'static str, &'static str)] {
    match &*element.name {
        "layer" => &[("opacity", "1"), ("visible", "true"), ("x", "0"), ("y", "0")],
        "objectgroup" => &[
            ("draworder", "\"topdown\""),
            ("objects", "[]"),
            ("opacity", "1"),
            ("visible", "true"),
            ("x", "0"),
            ("y", "0"),
        ],
        "group" => &[("layers", "[]"), ("opacity", "1"), ("visible", "true"), ("x", "0"), ("y", "0")],
        "imagelayer" => &[("image", "\"\""), ("opacity", "1"), ("visible", "true"), ("x", "0"), ("y", "0")],
        "map" => &[("layers", "[]"), ("tilesets", "[]")],
        "tileset" if element.get("source").is_none() => &[("margin", "0"), ("spacing", "0")],
        // Values of the template count for those that an instance lacks.
        "object" if element.get("template").is_none() => &[
            ("height", "0"),
            ("name", "\"\""),
            ("rotation", "0"),
            ("type", "\"\""),
            ("visible", "true"),
            ("width", "0"),
            ("x", "0"),
            ("y", "0"),
        ],
        "wangset" => &[("colors", "[]"), ("tile", "-1"), ("wangtiles", "[]")],
        "wangcolor" => &[("probability", "0"), ("tile", "-1")],
        _ => &[],
    }
}

/// Converts the attributes and children of an element. The depth of the tree is limited.
fn members<'e>(element: &'e Element<'_>, of: &'static Structure, losses: &mut Losses) -> Members<'e> {
    let mut members = Members::default();
    for (name, value) in defaults(element) {
        let value = match *value {
            "[]" => Json::List(Vec::new()),
            value => Json::Plain(Cow::Borrowed(value)),
        };
        members.set(*name, value);
    }
    let mut class = None;
    for (name, value) in &element.attributes {
        match (&*element.name, &**name) {
            ("wangtile", "wangid") | ("tile", "terrain") => members.set(&**name, numbers(value, "-1")),
            // In version 1.9 the class of an object was not in `type`.
            ("object" | "tile", "class") => class = Some(value).filter(|value| !value.is_empty()),
            _ => members.set(&**name, scalar(of.attribute(name), value)),
        }
    }
    if let Some(class) = class {
        members.set("type", Json::Text(Cow::Borrowed(&**class)));
    }
    for child in &element.children {
        add_child(&mut members, element, child, of, losses);
    }
    members
}

/// Adds the members for a child.
fn add_child<'e>(
    members: &mut Members<'e>,
    element: &'e Element<'_>,
    child: &'e Element<'_>,
    of: &'static Structure,
    losses: &mut Losses,
) {
    let Some(inner) = of.child(&child.name) else {
        losses.dropped(&*element.name, format!("element {:?}, which Tiled does not know", child.name));
        return;
    };
    let object = |losses: &mut Losses| Json::Map(self::members(child, inner, losses));
    match &*child.name {
        "properties" => {
            for property in child.children.iter().filter(|child| child.name == "property") {
                members.push("properties", self::property(property, losses));
            }
        }
        "layer" | "objectgroup" | "imagelayer" | "group" => {
            let kind = if child.name == "layer" { "tilelayer" } else { &*child.name };
            let Json::Map(mut layer) = object(losses) else { return };
            layer.set("type", Json::Text(Cow::Borrowed(kind)));
            let layer = Json::Map(layer);
            // The collision shapes of a tile are one layer.
            if element.name == "tile" { members.set("objectgroup", layer) } else { members.push("layers", layer) }
        }
        "data" => add_cells(members, child),
        "object" if element.name == "template" => members.set("object", object(losses)),
        "object" => members.push("objects", object(losses)),
        "tileset" if element.name == "template" => members.set("tileset", object(losses)),
        "tileset" => members.push("tilesets", object(losses)),
        "tile" => members.push("tiles", object(losses)),
        "wangtile" => members.push("wangtiles", object(losses)),
        "wangcolor" | "wangcornercolor" | "wangedgecolor" => {
            if child.name != "wangcolor" {
                losses.approximated(&*element.name, "colours for only corners or only edges: one list of colours");
            }
            members.push("colors", object(losses));
        }
        "terraintypes" | "wangsets" | "animation" => {
            let key = match &*child.name {
                "terraintypes" => "terrains",
                "wangsets" => "wangsets",
                _ => "animation",
            };
            members.set(key, Json::List(Vec::new()));
            for item in &child.children {
                members.push(key, Json::Map(self::members(item, inner, losses)));
            }
        }
        "image" => add_image(members, element, child, losses),
        "ellipse" | "point" | "capsule" => members.set(&*child.name, Json::Plain(Cow::Borrowed("true"))),
        "polygon" | "polyline" => members.set(&*child.name, points(child.get("points").unwrap_or_default())),
        "text" => {
            let Json::Map(mut text) = object(losses) else { return };
            text.set("text", Json::Text(Cow::Borrowed(&*child.text)));
            members.set("text", Json::Map(text));
        }
        name => members.set(name, object(losses)),
    }
}

/// Adds the keys of an image.
fn add_image<'e>(members: &mut Members<'e>, element: &Element<'_>, image: &'e Element<'_>, losses: &mut Losses) {
    if image.children.iter().any(|child| child.name == "data") {
        losses.dropped(&*element.name, "image in the file: JSON stores only paths");
    }
    for (name, value) in &image.attributes {
        match &**name {
            "source" => members.set("image", Json::Text(Cow::Borrowed(&**value))),
            "width" => members.set("imagewidth", number(value)),
            "height" => members.set("imageheight", number(value)),
            "trans" => {
                let color = if value.starts_with('#') { value.to_string() } else { format!("#{value}") };
                members.set("transparentcolor", Json::Text(Cow::Owned(color)));
            }
            _ => {}
        }
    }
}

/// Adds the keys of cells.
fn add_cells<'e>(members: &mut Members<'e>, data: &'e Element<'_>) {
    let encoding = data.get("encoding");
    if let Some(encoding) = encoding.filter(|encoding| *encoding != "csv") {
        members.set("encoding", Json::Text(Cow::Borrowed(encoding)));
        members.set("compression", Json::Text(Cow::Borrowed(data.get("compression").unwrap_or_default())));
    }
    let payload = |element: &'e Element<'_>| match encoding {
        None => {
            let gids = element.children.iter().filter(|child| child.name == "tile");
            let gids: Vec<&str> = gids.map(|tile| tile.get("gid").unwrap_or("0")).collect();
            numbers(&gids.join(","), "0")
        }
        Some("csv") => numbers(&element.text, "0"),
        Some(_) => Json::Text(Cow::Borrowed(element.text.trim_ascii())),
    };
    let chunks = data.children.iter().filter(|child| child.name == "chunk");
    let is_infinite = chunks.clone().next().is_some();
    for chunk in chunks {
        let mut object = Members::default();
        for (name, value) in &chunk.attributes {
            object.set(&**name, number(value));
        }
        object.set("data", payload(chunk));
        members.push("chunks", Json::Map(object));
    }
    if !is_infinite {
        members.set("data", payload(data));
    }
}

/// Converts a property, or a value of a list.
fn property<'e>(element: &'e Element<'_>, losses: &mut Losses) -> Json<'e> {
    let mut members = Members::default();
    for (name, value) in element.attributes.iter().filter(|(name, _)| name != "value") {
        members.set(&**name, Json::Text(Cow::Borrowed(&**value)));
    }
    if element.get("type").is_none() {
        members.set("type", Json::Text(Cow::Borrowed("string")));
    }
    members.set("value", property_value(element, losses));
    Json::Map(members)
}

fn property_value<'e>(element: &'e Element<'_>, losses: &mut Losses) -> Json<'e> {
    let text = element.get("value").unwrap_or(&element.text);
    match element.get("type") {
        Some("int" | "float" | "object") => number(text),
        Some("bool") if matches!(text, "true" | "false") => Json::Plain(Cow::Borrowed(text)),
        Some("class") => {
            let lists = element.children.iter().filter(|child| child.name == "properties");
            let mut members = Members::default();
            for member in lists.flat_map(|list| &list.children) {
                let is_typed = matches!(member.get("type"), Some("color" | "file" | "object" | "list"));
                if is_typed || member.get("propertytype").is_some() {
                    let name = member.get("name").unwrap_or_default();
                    losses.approximated("property", format!("type of the member {name:?}: JSON stores only its value"));
                }
                members.add(member.get("name").unwrap_or_default(), property_value(member, losses));
            }
            Json::Map(members)
        }
        Some("list") => {
            let items = element.children.iter().filter(|child| child.name == "item");
            Json::List(items.map(|item| property(item, losses)).collect())
        }
        _ => Json::Text(Cow::Borrowed(text)),
    }
}

/// Converts an attribute by its type. Invalid values stay texts.
fn scalar<'e>(field: Option<&Field>, value: &'e str) -> Json<'e> {
    match field.map(|field| &field.of) {
        Some(FieldType::Bool) => match value {
            "1" | "true" => Json::Plain(Cow::Borrowed("true")),
            "0" | "false" => Json::Plain(Cow::Borrowed("false")),
            _ => Json::Text(Cow::Borrowed(value)),
        },
        Some(FieldType::Int { .. } | FieldType::Float { .. }) => number(value),
        _ => Json::Text(Cow::Borrowed(value)),
    }
}

/// Converts a number. Other texts stay texts.
fn number(text: &str) -> Json<'_> {
    let trimmed = text.trim_ascii();
    if is_json_number(trimmed) {
        return Json::Plain(Cow::Borrowed(trimmed));
    }
    match trimmed.parse::<f64>() {
        Ok(number) if number.is_finite() => Json::Plain(Cow::Owned(number.to_string())),
        _ => Json::Text(Cow::Borrowed(text)),
    }
}

/// Returns `true` for a number that JSON allows: no sign `+`, no zero before other digits, digits on both sides of a point.
fn is_json_number(text: &str) -> bool {
    let (mantissa, exponent) = match text.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, exponent.strip_prefix(['+', '-']).unwrap_or(exponent)),
        None => (text, "0"),
    };
    let mantissa = mantissa.strip_prefix('-').unwrap_or(mantissa);
    let (whole, decimals) = mantissa.split_once('.').unwrap_or((mantissa, "0"));
    let are_digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    [whole, decimals, exponent].into_iter().all(are_digits) && (whole == "0" || !whole.starts_with('0'))
}

/// Converts numbers between commas. An empty text has none, and an empty part is another number.
fn numbers(text: &str, empty: &str) -> Json<'static> {
    // The hexadecimal numbers of old Wang sets are one text.
    if text.trim_ascii().starts_with("0x") {
        return Json::Text(Cow::Owned(text.to_owned()));
    }
    let mut array = String::with_capacity(text.len().saturating_add(2));
    array.push('[');
    if !text.trim_ascii().is_empty() {
        for (index, part) in text.split(',').enumerate() {
            array.push_str(if index == 0 { "" } else { "," });
            match number(if part.trim_ascii().is_empty() { empty } else { part }) {
                Json::Plain(number) => array.push_str(&number),
                _ => array.push_str(&quote_json(part)),
            }
        }
    }
    array.push(']');
    Json::Plain(Cow::Owned(array))
}

/// Converts pairs of numbers.
fn points(text: &str) -> Json<'_> {
    let point = |pair: &str| {
        let (x, y) = pair.split_once(',').unwrap_or((pair, ""));
        let coordinate = |text: &str| match number(text) {
            Json::Plain(number) => number.into_owned(),
            _ => quote_json(text),
        };
        Json::Plain(Cow::Owned(format!("{{ \"x\":{}, \"y\":{} }}", coordinate(x), coordinate(y))))
    };
    Json::List(text.split_ascii_whitespace().map(point).collect())
}

/// Prints a value. The depth of the tree is limited.
fn print(json: &Json<'_>, depth: usize, out: &mut String) {
    let line = |depth: usize, out: &mut String| {
        out.push('\n');
        out.extend(std::iter::repeat_n(' ', depth));
    };
    let inner = depth.saturating_add(1);
    match json {
        Json::Plain(text) => out.push_str(text),
        Json::Text(text) => out.push_str(&quote_json(text)),
        Json::List(items) if items.is_empty() => out.push_str("[]"),
        Json::List(items) => {
            out.push('[');
            for (index, item) in items.iter().enumerate() {
                out.push_str(if index == 0 { "" } else { "," });
                line(inner, out);
                print(item, inner, out);
            }
            line(depth, out);
            out.push(']');
        }
        Json::Map(members) if members.0.is_empty() => out.push_str("{}"),
        Json::Map(Members(members)) => {
            let mut order: Vec<_> = members.iter().collect();
            order.sort_by(|(a, _), (b, _)| a.cmp(b));
            out.push('{');
            for (index, (key, value)) in order.into_iter().enumerate() {
                out.push_str(if index == 0 { "" } else { "," });
                line(inner, out);
                out.extend([&*quote_json(key), ":"]);
                print(value, inner, out);
            }
            line(depth, out);
            out.push('}');
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_json_have_their_grammar() {
        for text in ["0", "-0", "10", "1.5", "-0.25", "1e9", "1.5E-3", "1e+2"] {
            assert!(is_json_number(text), "{text}");
        }
        for text in ["", "-", "01", "+1", ".5", "1.", "1e", "0x1", "1 2", "nan", "inf"] {
            assert!(!is_json_number(text), "{text}");
        }
        assert!(matches!(number("+01.50"), Json::Plain(text) if text == "1.5"));
        assert!(matches!(number("nan"), Json::Text(text) if text == "nan"));
    }
}

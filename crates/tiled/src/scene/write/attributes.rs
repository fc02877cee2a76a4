//! Properties of scenes that become attributes again. Reading a map adds them last, in a fixed order.

use std::borrow::Cow;

use mapwright_scene::{Properties, Value};

use super::super::encode::text_out;
use super::super::layout::Arrangement;
use crate::build::Element;
use crate::codes::{
    BlendMode, Color, DrawOrder, FillMode, Orientation, RenderOrder, StaggerAxis, StaggerIndex, TileRenderSize,
};
use crate::view::Text;

/// An attribute of an element.
type Attribute = (Cow<'static, str>, Cow<'static, str>);

/// Returns the text of the attribute for a value, if reading the attribute gives this value.
type ToText = fn(&Value) -> Option<String>;

/// Removes the last property and returns its text as an attribute, if it has this name and such a value, and no other one has the name.
fn take(free: &mut Properties, name: &'static str, to_text: ToText) -> Option<Attribute> {
    let value = last(free, name)?;
    let text = to_text(value)?;
    free.entries.pop();
    Some((Cow::Borrowed(name), Cow::Owned(text)))
}

/// Returns the value of the last property if it has this name, and no other one has it.
pub(super) fn last<'p>(free: &'p Properties, name: &str) -> Option<&'p Value> {
    let ((key, value), others) = free.entries.split_last()?;
    (key == name && others.iter().all(|(other, _)| other != name)).then_some(value)
}

/// Removes the properties of a table from the end. Returns the attributes in the order of the table.
fn take_all(free: &mut Properties, table: &[(&'static str, ToText)]) -> Vec<Attribute> {
    let mut taken: Vec<_> = table.iter().rev().filter_map(|(name, to_text)| take(free, name, *to_text)).collect();
    taken.reverse();
    taken
}

fn class(value: &Value) -> Option<String> {
    value.as_text().filter(|class| !class.is_empty()).map(text_out)
}

fn color(value: &Value) -> Option<String> {
    let text = value.as_text()?;
    (Color::from_text(text)?.to_string() == text).then(|| text.to_owned())
}

/// Returns a number that is not the default. A negative zero stays a property.
fn number(value: &Value, default: f64) -> Option<String> {
    let Value::Float(number) = value else { return None };
    let is_written = number.is_finite() && *number != default && number.to_bits() != (-0.0_f64).to_bits();
    is_written.then(|| number.to_string())
}

fn int(value: &Value) -> Option<String> {
    i32::try_from(value.as_int()?).ok().filter(|number| *number != 0).map(|number| number.to_string())
}

macro_rules! word {
    ($type:ty, $default:expr) => {
        |value| {
            let word = <$type>::from_name(value.as_text()?)?;
            (word != $default).then(|| word.name().to_owned())
        }
    };
}

/// The attributes of a map: those before its size, and those after it.
pub(super) struct MapAttributes {
    pub(super) before: Vec<Attribute>,
    pub(super) after: Vec<Attribute>,
}

impl MapAttributes {
    /// Returns the attributes that arrange cells.
    pub(super) fn arrangement(&self) -> Arrangement {
        let get = |name: &str| {
            let found = self.before.iter().chain(&self.after).find(|(other, _)| other == name);
            found.map_or("", |(_, text)| &**text)
        };
        let number = |name| get(name).parse().unwrap_or(0);
        let plain = Arrangement::default();
        Arrangement {
            orientation: Orientation::from_name(get("orientation")).unwrap_or(plain.orientation),
            hex_side_length: number("hexsidelength"),
            axis: StaggerAxis::from_name(get("staggeraxis")).unwrap_or(plain.axis),
            index: StaggerIndex::from_name(get("staggerindex")).unwrap_or(plain.index),
            skew: [number("skewx"), number("skewy")],
        }
    }

    /// Replaces the attributes that arrange cells.
    pub(super) fn set_arrangement(&mut self, arrangement: Arrangement) {
        for (name, text) in &mut self.before {
            if name == "orientation" {
                *text = Cow::Borrowed(arrangement.orientation.name());
            }
        }
        let plain = Arrangement::default();
        let [skew_x, skew_y] = arrangement.skew;
        let set = Element::new("")
            .with_unless(0, "hexsidelength", arrangement.hex_side_length)
            .with_unless(plain.axis.name(), "staggeraxis", arrangement.axis.name())
            .with_unless(plain.index.name(), "staggerindex", arrangement.index.name())
            .with_unless(0, "skewx", skew_x)
            .with_unless(0, "skewy", skew_y);
        let names = ["hexsidelength", "staggeraxis", "staggerindex", "skewx", "skewy"];
        self.after.retain(|(name, _)| !names.contains(&&**name));
        self.after.splice(..0, set.attributes);
    }
}

/// Takes the attributes of a map from the properties of a scene.
pub(super) fn take_map(free: &mut Properties) -> MapAttributes {
    const TABLE: &[(&str, ToText)] = &[
        ("class", class),
        ("orientation", word!(Orientation, Orientation::Orthogonal)),
        ("renderorder", word!(RenderOrder, RenderOrder::RightDown)),
        ("hexsidelength", int),
        ("staggeraxis", word!(StaggerAxis, StaggerAxis::Y)),
        ("staggerindex", word!(StaggerIndex, StaggerIndex::Odd)),
        ("skewx", int),
        ("skewy", int),
        ("parallaxoriginx", |value| number(value, 0.0)),
        ("parallaxoriginy", |value| number(value, 0.0)),
        ("backgroundcolor", color),
    ];
    let taken = take_all(free, TABLE);
    let (mut before, after): (Vec<_>, Vec<_>) =
        taken.into_iter().partition(|(name, _)| matches!(&**name, "class" | "orientation" | "renderorder"));
    for (name, default) in [("orientation", "orthogonal"), ("renderorder", "right-down")] {
        if !before.iter().any(|(other, _)| other == name) {
            before.push((Cow::Borrowed(name), Cow::Borrowed(default)));
        }
    }
    before.sort_by(|(a, _), (b, _)| a.cmp(b));
    MapAttributes { before, after }
}

/// Takes the attributes of a layer. `table` has those of its kind.
pub(super) fn take_layer(free: &mut Properties, kind: LayerAttributes) -> Vec<Attribute> {
    const TILES: &[(&str, ToText)] = &[
        ("class", class),
        ("opacity", |value| number(value, 1.0)),
        ("tintcolor", color),
        ("mode", word!(BlendMode, BlendMode::Normal)),
    ];
    const OBJECTS: &[(&str, ToText)] = &[("draworder", word!(DrawOrder, DrawOrder::TopDown)), ("color", color)];
    const PARALLAX: &[(&str, ToText)] =
        &[("parallaxx", |value| number(value, 1.0)), ("parallaxy", |value| number(value, 1.0))];
    let mut table = TILES.to_vec();
    if kind == LayerAttributes::Objects {
        table.extend(OBJECTS);
    }
    if kind != LayerAttributes::Tiles {
        table.extend(PARALLAX);
    }
    take_all(free, &table)
}

/// The kinds of layers, which have different attributes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum LayerAttributes {
    Tiles,
    Objects,
    Group,
}

/// Takes the attributes of a tileset. Also returns the shift of tiles.
pub(super) fn take_tileset(free: &mut Properties) -> (Vec<Attribute>, Option<Element<'static>>) {
    const TABLE: &[(&str, ToText)] = &[
        ("class", class),
        ("backgroundcolor", color),
        ("tilerendersize", word!(TileRenderSize, TileRenderSize::Tile)),
        ("fillmode", word!(FillMode, FillMode::Stretch)),
    ];
    let offset = last(free, "tileoffset").and_then(|value| match value {
        Value::List(items) => match items.as_slice() {
            [Value::Int(x), Value::Int(y)] if [*x, *y] != [0; 2] => {
                Some([i32::try_from(*x).ok()?, i32::try_from(*y).ok()?])
            }
            _ => None,
        },
        _ => None,
    });
    let offset = offset.map(|[x, y]| {
        free.entries.pop();
        Element::new("tileoffset").with("x", x).with("y", y)
    });
    (take_all(free, TABLE), offset)
}

/// Takes the attributes of a tile. Also returns its animation.
pub(super) fn take_tile(free: &mut Properties) -> (Vec<Attribute>, Option<Element<'static>>) {
    const TABLE: &[(&str, ToText)] = &[("type", class), ("probability", |value| number(value, 1.0))];
    let frame = |value: &Value| match value {
        Value::List(items) => match items.as_slice() {
            [Value::Int(tile), Value::Int(duration)] => {
                let [tile, duration] = [i32::try_from(*tile).ok()?, i32::try_from(*duration).ok()?];
                Some(Element::new("frame").with("tileid", tile).with("duration", duration))
            }
            _ => None,
        },
        _ => None,
    };
    let frames: Option<Vec<_>> = last(free, "animation").and_then(|value| match value {
        Value::List(items) if !items.is_empty() => items.iter().map(frame).collect(),
        _ => None,
    });
    let animation = frames.map(|children| {
        free.entries.pop();
        Element { children, ..Element::new("animation") }
    });
    let probability = TABLE.last().and_then(|(name, to_text)| take(free, name, *to_text));
    let class = last(free, "class").and_then(class).map(|text| {
        free.entries.pop();
        (Cow::Borrowed("type"), Cow::Owned(text))
    });
    (class.into_iter().chain(probability).collect(), animation)
}

/// The parts of an object that its properties contain.
#[derive(Debug, Default)]
pub(super) struct ObjectParts {
    pub(super) attributes: Vec<Attribute>,
    pub(super) shape: Option<Element<'static>>,
    /// The index of the tile set, the tile, and the flags.
    pub(super) tile: Option<(usize, u32, u32)>,
}

/// Takes the attributes, shape and tile of an object. A tile that the function rejects stays properties.
pub(super) fn take_object(free: &mut Properties, is_tile: impl Fn(usize, u32) -> bool) -> ObjectParts {
    const POSITIVE: ToText = |value| number(value, 0.0).filter(|_| value.as_f64().is_some_and(|number| number > 0.0));
    const TABLE: &[(&str, ToText)] = &[
        ("opacity", |value| number(value, 1.0)),
        ("width", POSITIVE),
        ("height", POSITIVE),
        ("rotation", |value| number(value, 0.0)),
    ];
    let attributes = take_all(free, TABLE);
    let tile = take_object_tile(free, is_tile);
    let shape = if tile.is_some() { None } else { take_shape(free) };
    ObjectParts { attributes, shape, tile }
}

/// Takes the tile of an object.
fn take_object_tile(free: &mut Properties, is_tile: impl Fn(usize, u32) -> bool) -> Option<(usize, u32, u32)> {
    // Looked for in a copy, because a part of them has no meaning.
    let mut rest = free.clone();
    let mut take = |name| {
        let number = u32::try_from(last(&rest, name)?.as_int()?).ok()?;
        rest.entries.pop();
        Some(number)
    };
    let flips = take("flips").unwrap_or(0);
    let tile = take("tile")?;
    let set = take("tile_set")? as usize;
    let has_flips = free.entries.len() - rest.entries.len() == 3;
    if !(has_flips == (1..16).contains(&flips) && is_tile(set, tile)) {
        return None;
    }
    *free = rest;
    Some((set, tile, flips))
}

/// Takes the shape of an object.
fn take_shape(free: &mut Properties) -> Option<Element<'static>> {
    let (details, is_text) = match free.entries.last() {
        Some((name, value)) if name == "points" => (Some(points(value)?), false),
        Some((name, value)) if name == "text" => (Some(text(value)?), true),
        _ => (None, false),
    };
    let detail_name = if is_text { "text" } else { "points" };
    if details.is_some() && last(free, detail_name).is_none() {
        return None;
    }
    let detail = if details.is_some() { free.entries.pop() } else { None };
    let shape = last(free, "shape").and_then(|value| value.as_text()).map(str::to_owned);
    let element = match (shape.as_deref(), details) {
        (Some("ellipse"), None) => Some(Element::new("ellipse")),
        (Some("capsule"), None) => Some(Element::new("capsule")),
        (Some("polygon"), Some(details)) if !is_text => Some(Element { name: "polygon".into(), ..details }),
        (Some("polyline"), Some(details)) if !is_text => Some(Element { name: "polyline".into(), ..details }),
        (Some("text"), Some(details)) if is_text => Some(details),
        _ => None,
    };
    match element {
        Some(element) => {
            free.entries.pop();
            Some(element)
        }
        None => {
            free.entries.extend(detail);
            None
        }
    }
}

/// Returns an element with points.
fn points(value: &Value) -> Option<Element<'static>> {
    let Value::List(items) = value else { return None };
    let point = |item: &Value| match item {
        Value::List(pair) => match pair.as_slice() {
            // A negative zero has no sign in XML.
            [Value::Float(x), Value::Float(y)]
                if x.is_finite() && y.is_finite() && ![x, y].iter().any(|it| it.to_bits() == (-0.0_f64).to_bits()) =>
            {
                Some(format!("{x},{y}"))
            }
            _ => None,
        },
        _ => None,
    };
    let points: Vec<String> = items.iter().map(point).collect::<Option<_>>()?;
    Some(Element::new("points").with("points", points.join(" ")))
}

/// Returns a text with its attributes.
fn text(value: &Value) -> Option<Element<'static>> {
    let Value::Map(members) = value else { return None };
    let ((name, content), attributes) = members.entries.split_first()?;
    let content = content.as_text().filter(|_| name == "text")?;
    // Spaces at the ends, and lines, are part of the text.
    let mut element = Element { text: plain_text(content)?.into(), ..Element::new("text") };
    let mut order = 0;
    for (name, value) in attributes {
        let at = Text::ATTRIBUTES.iter().position(|field| field.name == name).filter(|at| *at >= order)?;
        order = at + 1;
        let text = match value {
            Value::Bool(flag) => u8::from(*flag).to_string(),
            Value::Int(number) => i32::try_from(*number).ok()?.to_string(),
            Value::Text(text) => text.clone(),
            _ => return None,
        };
        element.attributes.push((Cow::Owned(name.clone()), Cow::Owned(text)));
    }
    Some(element)
}

/// Returns a text as the content of an element, which XML can store.
fn plain_text(text: &str) -> Option<String> {
    let is_plain = |c: char| !c.is_control() || c == '\n';
    let encoded = if text.chars().all(is_plain) && !text.starts_with('=') { text.to_owned() } else { text_out(text) };
    (!encoded.is_empty() || text.is_empty()).then_some(encoded)
}

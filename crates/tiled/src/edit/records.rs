//! Objects, layers, tilesets and tiles as records with named fields.

use std::borrow::Cow;

use mapwright_query::{Field, FieldType, Fields, Schema, SetFields, Value, ValueError};

use super::{Edit, Scalar};
use crate::codes::{LayerKind, PropertyType};
use crate::document::{Document, DocumentKind, Item};
use crate::view::{Layer, Map, Object, Properties, Property, PropertyValue, Shape, Template, Tile, Tileset, World};
use crate::{WriteError, WriteErrorKind};

const fn field(
    name: &'static str,
    aliases: &'static [&'static str],
    of: FieldType,
    settable: bool,
    doc: &'static str,
) -> Field {
    Field::new(name, aliases, of, settable, doc)
}

const TEXT: FieldType = FieldType::TEXT;
const NUMBER: Field = field("number", &[], FieldType::I32, false, "The id; for tilesets, the index.");
const KEY: Field = field("key", &[], TEXT, false, "The kind and the id: the key of nodes of scenes.");
const CLASS: Field = field("class", &["type", "classname"], TEXT, true, "The class.");
const IMAGE: Field = field("image", &["texture", "material"], TEXT, true, "The path of the image.");

/// The kinds of objects. All are also `object`.
const OBJECT_KINDS: &[&str] =
    &["object", "rectangle", "ellipse", "point", "capsule", "polygon", "polyline", "text", "tileobject"];
/// The kinds of layers. All are also `layer`.
const LAYER_KINDS: &[&str] = &["layer", "tilelayer", "objectgroup", "imagelayer", "group"];

const OBJECT_FIELDS: &[Field] = &[
    field("kind", &["shape"], FieldType::Choice(OBJECT_KINDS), false, "The shape. All kinds are also `object`."),
    NUMBER,
    CLASS,
    field("text", &[], TEXT, true, "The text of a text object."),
    field("layer", &["group"], TEXT, false, "The name of the layer."),
    KEY,
];
const LAYER_FIELDS: &[Field] = &[
    field("kind", &[], FieldType::Choice(LAYER_KINDS), false, "The kind. All kinds are also `layer`."),
    NUMBER,
    IMAGE,
    KEY,
];
const TILESET_FIELDS: &[Field] =
    &[field("kind", &[], FieldType::Choice(&["tileset"]), false, "`tileset`."), NUMBER, IMAGE];
const TILE_FIELDS: &[Field] = &[
    field("kind", &[], FieldType::Choice(&["tile"]), false, "`tile`: a tile of a tileset."),
    NUMBER,
    CLASS,
    IMAGE,
    field("tileset", &[], TEXT, false, "The name of the tileset."),
];

static OBJECT_VIEW: Schema = Schema::new("object", Object::ATTRIBUTES).with_free_keys();
static LAYER_VIEW: Schema = Schema::new("layer", Layer::ATTRIBUTES).with_free_keys();
static TILESET_VIEW: Schema = Schema::new("tileset", Tileset::ATTRIBUTES).with_free_keys();
static TILE_VIEW: Schema = Schema::new("tile", Tile::ATTRIBUTES).with_free_keys();

/// Fields of objects. Other keys are custom properties.
pub static OBJECT: Schema = Schema::extending("object", &OBJECT_VIEW, OBJECT_FIELDS);
/// Fields of layers. Other keys are custom properties.
pub static LAYER: Schema = Schema::extending("layer", &LAYER_VIEW, LAYER_FIELDS);
/// Fields of tilesets. Other keys are custom properties.
pub static TILESET: Schema = Schema::extending("tileset", &TILESET_VIEW, TILESET_FIELDS);
/// Fields of tiles with data of their own. Other keys are custom properties.
pub static TILE: Schema = Schema::extending("tile", &TILE_VIEW, TILE_FIELDS);
/// Fields of maps. Other keys are custom properties.
pub static MAP: Schema = Schema::new("map", Map::ATTRIBUTES).with_free_keys();
/// Fields of worlds.
pub static WORLD: Schema = Schema::new("world", World::ATTRIBUTES);
static TEMPLATE: Schema = Schema::new("template", Template::ATTRIBUTES);

/// An item of a document that queries find, or the document itself.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum Record<'a> {
    /// An object, and its layer. The object of a template has no layer.
    Object(Object<'a>, Option<Layer<'a>>),
    /// A layer.
    Layer(Layer<'a>),
    /// A tileset, with its index.
    Tileset(Tileset<'a>, usize),
    /// A tile, and its tileset.
    Tile(Tile<'a>, Tileset<'a>),
    /// A map.
    Map(Map<'a>),
    /// A world.
    World(World<'a>),
    /// A template.
    Template(Template<'a>),
}

impl Document {
    /// Returns the record of the document itself.
    pub fn record(&self) -> Record<'_> {
        match self.kind() {
            DocumentKind::Map => Record::Map(Map::new(self.root())),
            DocumentKind::Tileset => Record::Tileset(Tileset::new(self.root()), 0),
            DocumentKind::Template => Record::Template(Template::new(self.root())),
            DocumentKind::World => Record::World(World::new(self.root())),
        }
    }

    /// Returns the records that queries find: tilesets, each before its tiles, and layers, each before its objects and layers. In files
    /// with a tileset or template, the records in it.
    pub fn records(&self) -> Vec<Record<'_>> {
        let mut records = Vec::new();
        for (index, tileset) in self.as_map().into_iter().flat_map(Map::tilesets).chain(self.as_tileset()).enumerate() {
            records.push(Record::Tileset(tileset, index));
            records.extend(tileset.tiles().map(|tile| Record::Tile(tile, tileset)));
        }
        for layer in self.as_map().into_iter().flat_map(Map::all_layers) {
            records.push(Record::Layer(layer));
            if layer.kind() == LayerKind::Objects {
                records.extend(layer.objects().map(|object| Record::Object(object, Some(layer))));
            }
        }
        records.extend(self.as_template().and_then(Template::object).map(|object| Record::Object(object, None)));
        records
    }
}

impl<'a> Record<'a> {
    /// Returns the element or object.
    pub const fn item(self) -> Item<'a> {
        match self {
            Self::Object(object, _) => object.item(),
            Self::Layer(layer) => layer.item(),
            Self::Tileset(tileset, _) => tileset.item(),
            Self::Tile(tile, _) => tile.item(),
            Self::Map(map) => map.item(),
            Self::World(world) => world.item(),
            Self::Template(template) => template.item(),
        }
    }

    /// Returns the custom properties.
    pub fn properties(self) -> Properties<'a> {
        Properties::of(self.item())
    }

    /// Returns the kind, and a word for all kinds of its sort.
    fn kind(self) -> Value<'static> {
        const OBJECT: &[&str] = &["object"];
        const LAYER: &[&str] = &["layer"];
        match self {
            Self::Object(object, _) => Value::Word(shape_name(object), OBJECT),
            Self::Layer(layer) => Value::Word(layer.kind().name(), LAYER),
            other => Value::Word(other.schema().kind, &[]),
        }
    }

    fn number_value(self) -> Option<Value<'a>> {
        Some(match self {
            Self::Object(object, _) => object.id().into(),
            Self::Layer(layer) => layer.id().into(),
            Self::Tileset(_, index) => index.into(),
            Self::Tile(tile, _) => tile.id().into(),
            Self::Map(_) | Self::World(_) | Self::Template(_) => return None,
        })
    }

    /// Returns the key of the node of a scene that is this object or layer. Old files have no ids.
    pub(crate) fn key(self) -> Option<String> {
        match self {
            Self::Object(object, Some(_)) if object.id() > 0 => Some(format!("object {}", object.id())),
            Self::Layer(layer) if layer.id() > 0 => Some(format!("layer {}", layer.id())),
            _ => None,
        }
    }

    pub(crate) fn image_item(self) -> Option<Item<'a>> {
        let image = match self {
            Self::Layer(layer) => layer.image(),
            Self::Tileset(tileset, _) => tileset.image(),
            Self::Tile(tile, _) => tile.image(),
            _ => None,
        };
        image?.source_item()
    }

    /// Returns the item with the value of a field that the view does not have.
    fn field_item(self, name: &str) -> Option<Item<'a>> {
        match (name, self) {
            ("class", Self::Object(object, _)) => object.class_item(),
            ("class", Self::Tile(tile, _)) => tile.class_item(),
            ("text", Self::Object(object, _)) => match object.shape() {
                Shape::Text(text) => text.content_item(),
                _ => None,
            },
            ("image", record) => record.image_item(),
            _ => None,
        }
    }

    fn attribute(self, index: usize) -> Option<Value<'a>> {
        match self {
            Self::Object(object, _) => object.attribute(index),
            Self::Layer(layer) => layer.attribute(index),
            Self::Tileset(tileset, _) => tileset.attribute(index),
            Self::Tile(tile, _) => tile.attribute(index),
            Self::Map(map) => map.attribute(index),
            Self::World(world) => world.attribute(index),
            Self::Template(template) => template.attribute(index),
        }
    }

    /// Returns the value of a field.
    pub fn value(self, index: usize) -> Option<Value<'a>> {
        let schema = self.schema();
        let Some(base) = schema.base.filter(|base| index >= base.len()) else { return self.attribute(index) };
        let field = schema.fields.get(index.saturating_sub(base.len()))?;
        match (field.name, self) {
            ("kind", record) => Some(record.kind()),
            ("number", record) => record.number_value(),
            ("key", record) => record.key().map(Value::from),
            ("layer", Self::Object(_, layer)) => Some(Value::Text(layer?.name())),
            ("tileset", Self::Tile(_, tileset)) => Some(Value::Text(tileset.name())),
            ("class", record) => Some(Value::Text(record.field_item("class").map(Item::text).unwrap_or_default())),
            (name, record) => Some(Value::Text(record.field_item(name)?.text())),
        }
    }

    fn property(self, key: &str) -> Option<Property<'a>> {
        let properties = self.properties();
        let found = properties.iter().filter(|property| property.name().eq_ignore_ascii_case(key)).last();
        properties.get(key).or(found)
    }

    /// Changes a field or custom property of this item.
    pub(super) fn write(self, edit: &mut Edit<'a>, target: &Target, value: &Value<'_>) -> Result<(), WriteError> {
        let scalar = to_scalar(value);
        match target {
            // A field keeps its type: a text such as `true` stays a text.
            Target::Field(name) => match self.field_item(name) {
                Some(item) => edit.set_value(item, scalar),
                None if *name == "class" => {
                    // Objects and tiles have the class in `type`.
                    let is_typed = matches!(self, Self::Object(..) | Self::Tile(..));
                    edit.set(self.item(), if is_typed { "type" } else { "class" }, scalar)
                }
                None if matches!(*name, "text" | "image") => {
                    let (found, expected) = ("an item without it", "one that has a text or image");
                    Err(WriteError::without_position(WriteErrorKind::Kind { found, expected }))
                }
                None => edit.set(self.item(), name, scalar),
            },
            Target::Property(key) => {
                let property = self.property(key);
                let scalar = match &scalar {
                    Scalar::Text(text) if property.is_none() => text.parse().map_or(scalar, Scalar::Bool),
                    _ => scalar,
                };
                edit.set_property(self.item(), &property.map_or(Cow::Borrowed(&**key), Property::name), scalar)
            }
        }
    }
}

fn shape_name(object: Object<'_>) -> &'static str {
    match object.shape() {
        Shape::Rectangle => "rectangle",
        Shape::Ellipse => "ellipse",
        Shape::Point => "point",
        Shape::Capsule => "capsule",
        Shape::Polygon(_) => "polygon",
        Shape::Polyline(_) => "polyline",
        Shape::Text(_) => "text",
        Shape::Tile(_) => "tileobject",
    }
}

/// Converts a value of a query. A number without decimals is a whole number.
fn to_scalar(value: &Value<'_>) -> Scalar<'static> {
    match value {
        Value::Bool(flag) => Scalar::Bool(*flag),
        Value::Int(number) => Scalar::Int(*number),
        // Whole numbers are exact up to this limit.
        #[allow(clippy::cast_possible_truncation)]
        Value::Float(number) if number.fract() == 0.0 && number.abs() < 9e15 => Scalar::Int(*number as i64),
        Value::Float(number) => Scalar::Float(*number),
        other => Scalar::Text(Cow::Owned(other.to_string())),
    }
}

fn property_value(property: Property<'_>) -> Option<Value<'_>> {
    Some(match property.value() {
        PropertyValue::Int(number) | PropertyValue::Object(number) => Value::Int(number),
        PropertyValue::Float(number) => Value::Float(number),
        PropertyValue::Bool(flag) => Value::Bool(flag),
        PropertyValue::Class(_) | PropertyValue::List(_) => return None,
        _ => Value::Text(property.text()),
    })
}

impl Fields for Record<'_> {
    fn schema(&self) -> &'static Schema {
        match self {
            Self::Object(..) => &OBJECT,
            Self::Layer(_) => &LAYER,
            Self::Tileset(..) => &TILESET,
            Self::Tile(..) => &TILE,
            Self::Map(_) => &MAP,
            Self::World(_) => &WORLD,
            Self::Template(_) => &TEMPLATE,
        }
    }

    fn get(&self, index: usize) -> Option<Value<'_>> {
        self.value(index)
    }

    fn get_free(&self, key: &str) -> Option<Value<'_>> {
        self.property(key).and_then(property_value)
    }

    fn free_keys(&self) -> Vec<Cow<'_, str>> {
        let properties = self.properties();
        let is_plain =
            |property: &Property<'_>| !matches!(property.kind(), Some(PropertyType::Class | PropertyType::List));
        properties.iter().filter(is_plain).map(Property::name).collect()
    }
}

/// A field or custom property.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Target {
    Field(&'static str),
    Property(String),
}

/// A record with new values.
pub(super) struct Draft<'a> {
    pub(super) record: Record<'a>,
    pub(super) changes: Vec<(Target, Value<'static>)>,
}

impl<'a> Draft<'a> {
    pub(super) const fn new(record: Record<'a>) -> Self {
        Self { record, changes: Vec::new() }
    }

    fn target(&self, index: usize) -> Target {
        Target::Field(self.record.schema().field(index).map_or("", |field| field.name))
    }

    fn changed(&self, target: &Target) -> Option<Value<'_>> {
        self.changes.iter().find(|(other, _)| other == target).map(|(_, value)| value.clone())
    }

    /// Notes a value that the record can store.
    fn change(&mut self, target: Target, value: &Value<'_>) -> Result<(), ValueError> {
        let mut edit = Edit::new(self.record.item().document());
        self.record.write(&mut edit, &target, value).map_err(|error| match error.into_kind() {
            WriteErrorKind::Value { expected, .. } => ValueError::new(expected),
            WriteErrorKind::Kind { expected, .. } => ValueError::new(expected),
            other => ValueError::new(format!("a value that can be stored: {other}")),
        })?;
        self.changes.retain(|(other, _)| *other != target);
        self.changes.push((target, value.clone().into_owned()));
        Ok(())
    }
}

impl Fields for Draft<'_> {
    fn schema(&self) -> &'static Schema {
        self.record.schema()
    }

    fn get(&self, index: usize) -> Option<Value<'_>> {
        self.changed(&self.target(index)).or_else(|| self.record.value(index))
    }

    fn get_free(&self, key: &str) -> Option<Value<'_>> {
        let target = Target::Property(key.to_owned());
        self.changed(&target).or_else(|| self.record.property(key).and_then(property_value))
    }

    fn free_keys(&self) -> Vec<Cow<'_, str>> {
        self.record.free_keys()
    }
}

impl SetFields for Draft<'_> {
    fn set(&mut self, index: usize, value: &Value<'_>) -> Result<(), ValueError> {
        self.change(self.target(index), value)
    }

    fn set_free(&mut self, key: &str, value: &Value<'_>) -> Result<(), ValueError> {
        if !self.record.schema().has_free_keys {
            return Err(ValueError::new(format!("a known field instead of {key}")));
        }
        self.change(Target::Property(key.to_owned()), value)
    }
}

//! The elements and keys of the format: which attributes and children each kind of item has.

use mapwright_query::{Field, FieldType};

use crate::codes::{Compression, Encoding, PropertyType};
use crate::document::{Item, ItemKind};
use crate::view::{
    Frame, Grid, Layer, Map, Object, Pattern, Terrain, Text, Tile, Tileset, Transformations, WangColor, WangSet,
    WangTile, World, WorldMap,
};

/// A kind of item.
#[derive(Debug)]
pub(crate) struct Structure {
    /// Attributes of its view.
    view: &'static [Field],
    /// Attributes that no view has, or that are read in another way.
    others: &'static [Field],
    /// Keys of JSON that are not attributes of the same item in XML.
    keys: &'static [Field],
    children: &'static [&'static Child],
}

/// A kind of child.
#[derive(Debug)]
struct Child {
    /// The name of the element. Empty if it is in JSON only.
    element: &'static str,
    /// The name of the elements in that element, if it is only a list. Else empty.
    inner: &'static str,
    /// The key of the object, or of the array of objects. Empty if it is in XML only.
    key: &'static str,
    of: &'static Structure,
}

const fn field(name: &'static str, of: FieldType) -> Field {
    Field::new(name, &[], of, true, "")
}

const fn text(name: &'static str) -> Field {
    field(name, FieldType::TEXT)
}

const fn int(name: &'static str) -> Field {
    field(name, FieldType::I32)
}

const fn gid(name: &'static str) -> Field {
    field(name, FieldType::Int { min: i32::MIN as i64, max: u32::MAX as i64 })
}

const fn child(element: &'static str, key: &'static str, of: &'static Structure) -> Child {
    Child { element, inner: "", key, of }
}

const fn list(element: &'static str, inner: &'static str, key: &'static str, of: &'static Structure) -> Child {
    Child { element, inner, key, of }
}

/// The type, which is the root element or the element of the layer in XML.
const TYPE: Field = text("type");
static PROPERTY_LIST: Child = list("properties", "property", "properties", &PROPERTY);
static IMAGE_CHILD: Child = child("image", "", &IMAGE);
static TILE_LAYER: Child = child("layer", "layers", &LAYER);
static OBJECT_LAYER: Child = child("objectgroup", "", &LAYER);
static IMAGE_LAYER: Child = child("imagelayer", "", &LAYER);
static GROUP: Child = child("group", "", &LAYER);

const EMPTY: Structure = Structure { view: &[], others: &[], keys: &[], children: &[] };

pub(crate) static MAP: Structure = Structure {
    view: Map::ATTRIBUTES,
    keys: &[TYPE],
    children: &[
        &PROPERTY_LIST,
        &child("editorsettings", "editorsettings", &EDITOR_SETTINGS),
        &child("tileset", "tilesets", &TILESET),
        &TILE_LAYER,
        &OBJECT_LAYER,
        &IMAGE_LAYER,
        &GROUP,
    ],
    ..EMPTY
};

static EDITOR_SETTINGS: Structure =
    Structure { children: &[&child("chunksize", "chunksize", &SIZE), &child("export", "export", &EXPORT)], ..EMPTY };
static SIZE: Structure = Structure { others: &[int("width"), int("height")], ..EMPTY };
static EXPORT: Structure = Structure { others: &[text("target"), text("format")], ..EMPTY };

pub(crate) static TILESET: Structure = Structure {
    view: Tileset::ATTRIBUTES,
    keys: &[TYPE, text("image"), int("imagewidth"), int("imageheight"), text("transparentcolor")],
    children: &[
        &PROPERTY_LIST,
        &child("editorsettings", "editorsettings", &EDITOR_SETTINGS),
        &child("tileoffset", "tileoffset", &OFFSET),
        &child("grid", "grid", &GRID),
        &child("transformations", "transformations", &TRANSFORMATIONS),
        &IMAGE_CHILD,
        &list("terraintypes", "terrain", "terrains", &TERRAIN),
        &child("tile", "tiles", &TILE),
        &list("wangsets", "wangset", "wangsets", &WANG_SET),
    ],
    ..EMPTY
};
static OFFSET: Structure = Structure { others: &[int("x"), int("y")], ..EMPTY };
static GRID: Structure = Structure { view: Grid::ATTRIBUTES, ..EMPTY };
static TRANSFORMATIONS: Structure = Structure { view: Transformations::ATTRIBUTES, ..EMPTY };
static IMAGE: Structure = Structure {
    others: &[text("source"), text("trans"), int("width"), int("height"), text("format"), text("id")],
    children: &[&child("data", "", &DATA)],
    ..EMPTY
};
static TERRAIN: Structure = Structure { view: Terrain::ATTRIBUTES, children: &[&PROPERTY_LIST], ..EMPTY };
static TILE: Structure = Structure {
    view: Tile::ATTRIBUTES,
    others: &[int("id"), TYPE, text("class"), text("terrain")],
    keys: &[text("image"), int("imagewidth"), int("imageheight"), text("transparentcolor")],
    children: &[
        &PROPERTY_LIST,
        &IMAGE_CHILD,
        &child("objectgroup", "objectgroup", &LAYER),
        &list("animation", "frame", "animation", &FRAME),
    ],
};
static FRAME: Structure = Structure { view: Frame::ATTRIBUTES, ..EMPTY };
static WANG_SET: Structure = Structure {
    view: WangSet::ATTRIBUTES,
    children: &[
        &PROPERTY_LIST,
        &child("wangcolor", "colors", &WANG_COLOR),
        &child("wangcornercolor", "", &WANG_COLOR),
        &child("wangedgecolor", "", &WANG_COLOR),
        &child("wangtile", "wangtiles", &WANG_TILE),
    ],
    ..EMPTY
};
static WANG_COLOR: Structure = Structure { view: WangColor::ATTRIBUTES, children: &[&PROPERTY_LIST], ..EMPTY };
static WANG_TILE: Structure = Structure {
    view: WangTile::ATTRIBUTES,
    // Flips of versions before 1.5.
    others: &[text("wangid"), text("hflip"), text("vflip"), text("dflip")],
    ..EMPTY
};

static LAYER: Structure = Structure {
    view: Layer::ATTRIBUTES,
    keys: &[
        TYPE,
        text("data"),
        field("encoding", FieldType::Choice(Encoding::NAMES)),
        field("compression", FieldType::Choice(Compression::NAMES)),
        int("startx"),
        int("starty"),
        text("image"),
        int("imagewidth"),
        int("imageheight"),
        text("transparentcolor"),
    ],
    children: &[
        &PROPERTY_LIST,
        &child("data", "", &DATA),
        &child("", "chunks", &CHUNK),
        &child("object", "objects", &OBJECT),
        &IMAGE_CHILD,
        &TILE_LAYER,
        &OBJECT_LAYER,
        &IMAGE_LAYER,
        &GROUP,
    ],
    ..EMPTY
};
static DATA: Structure = Structure {
    others: &[
        field("encoding", FieldType::Choice(Encoding::NAMES)),
        field("compression", FieldType::Choice(Compression::NAMES)),
    ],
    children: &[&child("chunk", "", &CHUNK), &child("tile", "", &CELL)],
    ..EMPTY
};
static CHUNK: Structure = Structure {
    others: &[int("x"), int("y"), int("width"), int("height")],
    keys: &[text("data")],
    children: &[&child("tile", "", &CELL)],
    ..EMPTY
};
static CELL: Structure = Structure { others: &[gid("gid")], ..EMPTY };

static OBJECT: Structure = Structure {
    view: Object::ATTRIBUTES,
    others: &[TYPE, text("class")],
    keys: &[field("ellipse", FieldType::Bool), field("point", FieldType::Bool), field("capsule", FieldType::Bool)],
    children: &[
        &PROPERTY_LIST,
        &child("ellipse", "", &EMPTY_ELEMENT),
        &child("point", "", &EMPTY_ELEMENT),
        &child("capsule", "", &EMPTY_ELEMENT),
        &child("polygon", "polygon", &POINTS),
        &child("polyline", "polyline", &POINTS),
        &child("text", "text", &TEXT),
    ],
};
static EMPTY_ELEMENT: Structure = EMPTY;
static POINTS: Structure =
    Structure { others: &[text("points")], keys: &[field("x", FieldType::F64), field("y", FieldType::F64)], ..EMPTY };
static TEXT: Structure = Structure { view: Text::ATTRIBUTES, keys: &[text("text")], ..EMPTY };

static PROPERTY: Structure = Structure {
    others: &[text("name"), field("type", FieldType::Choice(PropertyType::NAMES)), text("propertytype"), text("value")],
    children: &[&PROPERTY_LIST, &child("item", "", &PROPERTY)],
    ..EMPTY
};

pub(crate) static TEMPLATE: Structure = Structure {
    keys: &[TYPE],
    children: &[&child("tileset", "tileset", &TILESET), &child("object", "object", &OBJECT)],
    ..EMPTY
};

pub(crate) static WORLD: Structure = Structure {
    view: World::ATTRIBUTES,
    keys: &[TYPE],
    children: &[&child("", "maps", &WORLD_MAP), &child("", "patterns", &PATTERN)],
    ..EMPTY
};
static WORLD_MAP: Structure = Structure { view: WorldMap::ATTRIBUTES, ..EMPTY };
static PATTERN: Structure = Structure { view: Pattern::ATTRIBUTES, ..EMPTY };

/// Returns the structure of properties and of items of lists.
pub(crate) fn property() -> &'static Structure {
    &PROPERTY
}

/// A part of an item.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Part {
    /// An attribute, or a key without objects.
    Field(&'static Field),
    /// Another item.
    Child(&'static Structure),
    /// An element or array with the items of a list.
    List(&'static str, &'static Structure),
    /// A part that Tiled does not know.
    Unknown,
}

impl Structure {
    /// Returns the field with a name.
    fn field(&self, name: &str, is_xml: bool) -> Option<&'static Field> {
        let keys = if is_xml { &[] } else { self.keys };
        [self.view, self.others, keys].into_iter().flatten().find(|field| field.name == name)
    }

    /// Returns the attribute of XML with a name.
    pub(crate) fn attribute(&self, name: &str) -> Option<&'static Field> {
        self.field(name, true)
    }

    /// Returns the position of an attribute among those of an element, in the order of this table.
    pub(crate) fn attribute_order(&self, name: &str) -> usize {
        let mut names = [self.others, self.view].into_iter().flatten();
        names.position(|field| field.name == name).unwrap_or(usize::MAX)
    }

    /// Returns the structure of an element in this one; for an element that is only a list, that of the elements in it.
    pub(crate) fn child(&self, element: &str) -> Option<&'static Self> {
        self.children.iter().find(|child| child.element == element).map(|child| child.of)
    }

    /// Returns the meaning of an item in an item of this kind.
    pub(crate) fn part(&self, item: Item<'_>) -> Part {
        let name = item.name();
        match item.kind() {
            ItemKind::Element => match self.children.iter().find(|child| child.element == name) {
                Some(Child { inner: "", of, .. }) => Part::Child(of),
                Some(Child { inner, of, .. }) => Part::List(inner, of),
                None => Part::Unknown,
            },
            ItemKind::Attribute => self.field(&name, true).map_or(Part::Unknown, Part::Field),
            kind => {
                let is_container = matches!(kind, ItemKind::Array | ItemKind::Object);
                let child = self.children.iter().find(|child| !child.key.is_empty() && child.key == name);
                match (child, self.field(&name, false)) {
                    (Some(child), _) if kind == ItemKind::Array => Part::List("", child.of),
                    (Some(child), _) if kind == ItemKind::Object => Part::Child(child.of),
                    // Cells, values of properties, and other values that are arrays or objects.
                    (_, Some(field)) if !is_container || field.of == FieldType::TEXT => Part::Field(field),
                    _ => Part::Unknown,
                }
            }
        }
    }
}

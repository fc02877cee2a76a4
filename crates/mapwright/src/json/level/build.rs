//! Levels of JSON.

use std::fmt;

use mapwright_wwd::{
    Cell, Document, FieldError, FieldValue, HeaderSize, ImageSets, Layout, Object, Plane, PlaneLayout, Rect, Residue,
    Shape, TileProperties, TileProperty, WriterProfile, unescape_bytes,
};
use serde::de::{self, IgnoredAny, SeqAccess, Unexpected, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::{Map, Value};

use crate::json::refused;
use crate::{Error, ReadOptions};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct LevelJson {
    style: StyleJson,
    stored: Option<StoredJson>,
    header: Map<String, Value>,
    planes: Vec<PlaneJson>,
    tile_properties: Option<TableJson>,
    #[serde(default)]
    trailer: String,
    layout: Option<LayoutJson>,
}

#[derive(Deserialize, Clone, Copy)]
#[serde(rename_all = "lowercase")]
enum StyleJson {
    Editor,
    WapMap,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct StoredJson {
    adler32: u32,
    by: Option<StyleJson>,
    zlib: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PlaneJson {
    fields: Map<String, Value>,
    image_sets: Vec<String>,
    tiles: Vec<Vec<CellsJson>>,
    objects: Vec<Map<String, Value>>,
}

/// A word for so many cells.
struct CellsJson {
    count: u32,
    word: u32,
}

/// One cell: what stands in a row, or behind the number of a run.
struct CellJson(u32);

impl<'de> Deserialize<'de> for CellsJson {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(CellVisitor { runs: true })
    }
}

impl<'de> Deserialize<'de> for CellJson {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(CellVisitor { runs: false }).map(|cells| Self(cells.word))
    }
}

/// Reads a cell, or several in a row where they may stand.
struct CellVisitor {
    runs: bool,
}

impl<'de> Visitor<'de> for CellVisitor {
    type Value = CellsJson;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a cell: the word of a tile, null for an empty one, or \"fill\"")?;
        if self.runs { f.write_str("; or [count, cell] for several in a row") } else { Ok(()) }
    }

    fn visit_u64<E: de::Error>(self, word: u64) -> Result<CellsJson, E> {
        let word = u32::try_from(word).map_err(|_| E::invalid_value(Unexpected::Unsigned(word), &self))?;
        Ok(CellsJson { count: 1, word })
    }

    fn visit_unit<E>(self) -> Result<CellsJson, E> {
        Ok(CellsJson { count: 1, word: Cell::EMPTY })
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<CellsJson, E> {
        match text {
            "fill" => Ok(CellsJson { count: 1, word: Cell::FILL }),
            _ => Err(E::invalid_value(Unexpected::Str(text), &self)),
        }
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<CellsJson, A::Error> {
        if !self.runs {
            return Err(de::Error::invalid_type(Unexpected::Seq, &self));
        }
        let short = |found| de::Error::invalid_length(found, &self);
        let count = items.next_element()?.ok_or_else(|| short(0))?;
        let CellJson(word) = items.next_element()?.ok_or_else(|| short(1))?;
        match items.next_element::<IgnoredAny>()? {
            None => Ok(CellsJson { count, word }),
            Some(_) => Err(short(3)),
        }
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct TableJson {
    size: u32,
    reserved_04: u32,
    reserved_0c: [u32; 5],
    items: Vec<PropertyJson>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PropertyJson {
    size: [u32; 2],
    #[serde(default)]
    reserved_04: u32,
    single: Option<i32>,
    double: Option<[i32; 2]>,
    rect: Option<[i32; 4]>,
    mask: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct LayoutJson {
    planes_offset: u32,
    planes: Vec<PlaneLayoutJson>,
    tile_properties_offset: u32,
    main_block_size: u32,
    residue: Vec<ResidueJson>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PlaneLayoutJson {
    tiles_offset: u32,
    image_sets_offset: u32,
    objects_offset: u32,
    num_objects: u32,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ResidueJson {
    offset: u32,
    bytes: String,
}

/// Words of an object, without its texts: an empty one is two letters of JSON.
const OBJECT_WORDS: u64 = 71;

/// Makes a level, of which the main block has at most as many bytes as the options let one inflate to.
pub(crate) fn level(json: LevelJson, options: &ReadOptions) -> Result<Document, Error> {
    let mut level = Document::new();
    level.profile = json.style.into();
    level.trailer = bytes("trailer", &json.trailer)?;
    level.header = mapwright_wwd::Header::default();
    let header = &mut level.header;
    set("header", &json.header, |name, value| header.set_field(name, value))?;
    let mut left = options.limits.max_decompressed / 4;
    for (index, json) in json.planes.iter().enumerate() {
        level.planes.push(plane(&format!("planes[{index}]"), json, &mut left)?);
    }
    if let Some(table) = json.tile_properties {
        let items = table.items.into_iter().enumerate().map(|(index, json)| property(index, json));
        let items = items.collect::<Result<_, _>>()?;
        let TableJson { size, reserved_04, reserved_0c, .. } = table;
        level.tile_properties = Some(TileProperties { size, reserved_04, reserved_0c, items });
    }
    level.layout = json.layout.map(layout).transpose()?;
    let Some(stored) = json.stored else { return Ok(level) };
    let stream = stored.zlib.as_deref().map(|digits| unhex("stored.zlib", digits)).transpose()?;
    // What has changed since is stored anew.
    if level.main_block_adler32()? != stored.adler32 {
        return Ok(level);
    }
    store(level, stored.by, stream, options)
}

/// Stores the block as it was.
fn store(
    mut level: Document,
    by: Option<StyleJson>,
    stream: Option<Vec<u8>>,
    options: &ReadOptions,
) -> Result<Document, Error> {
    level.store(by.map_or(level.profile, WriterProfile::from))?;
    let Some(stream) = stream else { return Ok(level) };
    let bytes = level.to_bytes()?;
    let own = level.stored_block().map_or(0, <[u8]>::len);
    let header = bytes.get(..bytes.len() - own - level.trailer.len()).unwrap_or_default();
    let file = [header, &stream, &level.trailer].concat();
    let mut read = Document::from_bytes_with(&file, &options.wwd().with_header_size(HeaderSize::Any))?;
    if read.to_main_block()? != level.to_main_block()? {
        return Err(wrong("stored.zlib", "another block comes out of it"));
    }
    read.profile = level.profile;
    Ok(read)
}

/// The bytes of a text. Letters beyond ASCII say none: the file does not name its code page.
fn bytes(path: &str, text: &str) -> Result<Vec<u8>, Error> {
    match text.chars().find(|letter| !letter.is_ascii()) {
        None => Ok(unescape_bytes(text)),
        Some(letter) => Err(wrong(
            path,
            format_args!(
                "{letter:?} is no byte: the file does not name its code page, so say the byte as \\xHH (which JSON writes \\\\xHH)"
            ),
        )),
    }
}

fn wrong(path: &str, message: impl std::fmt::Display) -> Error {
    refused(format!("{path}: {message}"))
}

/// Sets the fields that are given.
fn set(
    path: &str,
    fields: &Map<String, Value>,
    mut set: impl FnMut(&str, FieldValue) -> Result<(), FieldError>,
) -> Result<(), Error> {
    for (name, value) in fields {
        let number = |number: i64| {
            let signed = i32::try_from(number).map(FieldValue::Int);
            signed.or_else(|_| u32::try_from(number).map(FieldValue::Word)).ok()
        };
        let read = match value {
            Value::Number(value) => value.as_i64().and_then(number),
            Value::String(text) => Some(FieldValue::Text(bytes(&format!("{path}.{name}"), text)?)),
            Value::Array(sides) => sides_of(sides).map(|sides| FieldValue::Rect(rect(sides))),
            _ => None,
        };
        let read = read.ok_or_else(|| wrong(path, format_args!("{name} cannot be {value}")))?;
        set(name, read).map_err(|error| wrong(path, error))?;
    }
    Ok(())
}

fn sides_of(sides: &[Value]) -> Option<[i32; 4]> {
    let sides: Option<Vec<i32>> = sides.iter().map(|side| side.as_i64()?.try_into().ok()).collect();
    sides?.try_into().ok()
}

fn rect([left, top, right, bottom]: [i32; 4]) -> Rect {
    Rect { left, top, right, bottom }
}

fn plane(path: &str, json: &PlaneJson, left: &mut u64) -> Result<Plane, Error> {
    let mut plane = Plane::default();
    set(path, &json.fields, |name, value| plane.set_field(name, value))?;
    let mut names = ImageSets::new();
    for name in &json.image_sets {
        names.push(&bytes(path, name)?).map_err(|error| wrong(path, error))?;
    }
    plane.image_sets = names;
    let columns = plane.size().0 as usize;
    for (index, row) in json.tiles.iter().enumerate() {
        let place = || format!("{path}.tiles[{index}]");
        take(left, columns as u64, place)?;
        let start = plane.tiles.len();
        for cells in row {
            let count = cells.count as usize;
            let free = columns - (plane.tiles.len() - start);
            if count > free {
                return Err(wrong(&place(), format_args!("more than the {columns} cells of a row")));
            }
            plane.tiles.to_mut().extend(std::iter::repeat_n(cells.word, count));
        }
        let found = plane.tiles.len() - start;
        if found != columns {
            return Err(wrong(&place(), format_args!("{found} cells in a row of {columns}")));
        }
    }
    for (index, fields) in json.objects.iter().enumerate() {
        let place = || format!("{path}.objects[{index}]");
        take(left, OBJECT_WORDS, place)?;
        let mut object = Object::default();
        set(&place(), fields, |name, value| object.set_field(name, value))?;
        plane.objects.push(object);
    }
    Ok(plane)
}

/// Takes words off those that may still be made.
fn take(left: &mut u64, words: u64, place: impl Fn() -> String) -> Result<(), Error> {
    let rest = left.checked_sub(words);
    *left = rest.ok_or_else(|| wrong(&place(), "more cells and objects than the limit of inflated bytes allows"))?;
    Ok(())
}

fn property(index: usize, json: PropertyJson) -> Result<TileProperty, Error> {
    let path = format!("tile_properties.items[{index}]");
    let shape = match (json.single, json.double, json.rect, json.mask) {
        (Some(attribute), None, None, None) => Shape::Single(attribute),
        (None, Some([outside, inside]), Some(sides), None) => Shape::Double { outside, inside, rect: rect(sides) },
        (None, None, None, Some(pixels)) => Shape::Mask(unhex(&path, &pixels)?),
        _ => return Err(wrong(&path, "a tile has single, double and rect, or mask")),
    };
    let [width, height] = json.size;
    Ok(TileProperty { reserved_04: json.reserved_04, width, height, shape })
}

fn layout(json: LayoutJson) -> Result<Layout, Error> {
    let plane = |json: PlaneLayoutJson| PlaneLayout {
        tiles_offset: json.tiles_offset,
        image_sets_offset: json.image_sets_offset,
        objects_offset: json.objects_offset,
        num_objects: json.num_objects,
    };
    let residue = |ResidueJson { offset, bytes }| Ok(Residue { offset, bytes: unhex("layout.residue", &bytes)? });
    Ok(Layout {
        planes_offset: json.planes_offset,
        planes: json.planes.into_iter().map(plane).collect(),
        tile_properties_offset: json.tile_properties_offset,
        main_block_size: json.main_block_size,
        residue: json.residue.into_iter().map(residue).collect::<Result<_, Error>>()?,
    })
}

fn unhex(path: &str, text: &str) -> Result<Vec<u8>, Error> {
    crate::json::unhex(text).ok_or_else(|| wrong(path, "no hexadecimal digits, two for each byte"))
}

impl From<StyleJson> for WriterProfile {
    fn from(style: StyleJson) -> Self {
        match style {
            StyleJson::Editor => Self::Editor,
            StyleJson::WapMap => Self::WapMap,
        }
    }
}

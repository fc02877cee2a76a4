//! A Tiled map: the common content of TMX and TMJ. Fields have the names of the JSON keys.
//!
//! Fields of type `bool` that are only read represent data without a place in the scene.

mod cells;

pub(super) use cells::Data;
pub(super) use mapwright_io::serial::Json;

use serde::{Deserialize, Deserializer, Serialize, de::IgnoredAny};

use crate::Position;

/// Maximum nesting depth of groups. The JSON reader rejects deeper ones.
pub(super) const MAX_DEPTH: usize = 48;

/// Ids are below this number, so that the next id has 31 bits, too.
pub(super) const MAX_ID: u32 = i32::MAX.unsigned_abs();

/// The whole map.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct Map {
    /// Old versions store numbers.
    #[serde(skip_deserializing)]
    pub version: &'static str,
    #[serde(skip_deserializing)]
    pub tiledversion: &'static str,
    #[serde(rename = "type")]
    pub kind: String,
    pub orientation: String,
    pub renderorder: String,
    pub width: u32,
    pub height: u32,
    pub tilewidth: u32,
    pub tileheight: u32,
    pub infinite: bool,
    #[serde(skip_deserializing)]
    pub nextlayerid: u32,
    #[serde(skip_deserializing)]
    pub nextobjectid: u32,
    #[serde(deserialize_with = "present", skip_serializing)]
    pub backgroundcolor: bool,
    #[serde(skip_serializing)]
    pub class: String,
    #[serde(deserialize_with = "present", skip_serializing)]
    pub editorsettings: bool,
    #[serde(skip_serializing)]
    pub parallaxoriginx: f64,
    #[serde(skip_serializing)]
    pub parallaxoriginy: f64,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub properties: Vec<Property>,
    pub tilesets: Vec<Tileset>,
    pub layers: Vec<Layer>,
}

impl Default for Map {
    fn default() -> Self {
        Self {
            // The oldest version that supports everything that is written.
            version: "1.8",
            tiledversion: "1.8.2",
            kind: "map".into(),
            orientation: "orthogonal".into(),
            renderorder: "right-down".into(),
            width: 0,
            height: 0,
            tilewidth: 0,
            tileheight: 0,
            infinite: false,
            nextlayerid: 1,
            nextobjectid: 1,
            backgroundcolor: false,
            class: String::new(),
            editorsettings: false,
            parallaxoriginx: 0.0,
            parallaxoriginy: 0.0,
            properties: Vec::new(),
            tilesets: Vec::new(),
            layers: Vec::new(),
        }
    }
}

/// A custom property.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct Property {
    pub name: String,
    /// `string`, `int`, `float`, `bool`; also `color`, `file`, `object`, `class`, `list` when reading.
    #[serde(rename = "type")]
    pub kind: String,
    /// The name of a class or of an enumeration.
    #[serde(skip_serializing)]
    pub propertytype: String,
    pub value: Json,
}

impl Default for Property {
    fn default() -> Self {
        Self { name: String::new(), kind: "string".into(), propertytype: String::new(), value: Json::Null }
    }
}

/// A tile set, in the map or in another file.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct Tileset {
    #[serde(skip_serializing_if = "is_zero")]
    pub firstgid: u32,
    /// The file of the tile set.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
    pub name: String,
    pub tilewidth: u32,
    pub tileheight: u32,
    pub tilecount: u32,
    pub columns: u32,
    pub spacing: u32,
    pub margin: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub image: Option<String>,
    #[serde(skip_serializing_if = "is_zero")]
    pub imagewidth: u32,
    #[serde(skip_serializing_if = "is_zero")]
    pub imageheight: u32,
    #[serde(deserialize_with = "present", skip_serializing)]
    pub wangsets: bool,
    #[serde(deserialize_with = "present", skip_serializing)]
    pub terrains: bool,
    #[serde(deserialize_with = "present", skip_serializing)]
    pub tileoffset: bool,
    #[serde(deserialize_with = "present", skip_serializing)]
    pub grid: bool,
    #[serde(deserialize_with = "present", skip_serializing)]
    pub transformations: bool,
    #[serde(deserialize_with = "present", skip_serializing)]
    pub transparentcolor: bool,
    #[serde(deserialize_with = "present", skip_serializing)]
    pub backgroundcolor: bool,
    #[serde(skip_serializing)]
    pub objectalignment: String,
    #[serde(skip_serializing)]
    pub tilerendersize: String,
    #[serde(skip_serializing)]
    pub fillmode: String,
    #[serde(skip_serializing)]
    pub class: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub properties: Vec<Property>,
    /// Tiles with data.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub tiles: Vec<Tile>,
}

/// Data of a tile in a tile set.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct Tile {
    pub id: u32,
    /// Image, if the set has no common image.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub image: Option<String>,
    #[serde(skip_serializing_if = "is_zero")]
    pub imagewidth: u32,
    #[serde(skip_serializing_if = "is_zero")]
    pub imageheight: u32,
    /// Size of the part of the image that the tile shows, if it is not the whole image.
    #[serde(skip_serializing)]
    pub width: u32,
    #[serde(skip_serializing)]
    pub height: u32,
    #[serde(deserialize_with = "present", skip_serializing)]
    pub animation: bool,
    #[serde(deserialize_with = "present", skip_serializing)]
    pub objectgroup: bool,
    /// The class, by the name of every version except 1.9.
    #[serde(rename = "type", alias = "class", skip_serializing)]
    pub kind: String,
    #[serde(skip_serializing)]
    pub probability: Option<f64>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub properties: Vec<Property>,
}

/// A layer of any kind.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct Layer {
    /// `tilelayer`, `objectgroup`, `group`; also `imagelayer` when reading.
    #[serde(rename = "type")]
    pub kind: String,
    #[serde(deserialize_with = "id_or_zero")]
    pub id: u32,
    pub name: String,
    pub visible: bool,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub locked: bool,
    pub opacity: f64,
    #[serde(skip_serializing_if = "is_none")]
    pub offsetx: f64,
    #[serde(skip_serializing_if = "is_none")]
    pub offsety: f64,
    #[serde(skip_serializing_if = "is_one")]
    pub parallaxx: f64,
    #[serde(skip_serializing_if = "is_one")]
    pub parallaxy: f64,
    #[serde(deserialize_with = "present", skip_serializing)]
    pub tintcolor: bool,
    #[serde(skip_serializing)]
    pub class: String,
    /// How the layer is blended with those below.
    #[serde(skip_serializing)]
    pub mode: String,
    #[serde(skip_serializing)]
    pub draworder: String,
    /// The colour of objects in Tiled.
    #[serde(deserialize_with = "present", skip_serializing)]
    pub color: bool,
    /// Position in tiles. Tiled writes 0.
    pub x: i32,
    pub y: i32,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub width: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub height: Option<u32>,
    #[serde(skip_serializing_if = "String::is_empty")]
    pub encoding: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    pub compression: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub data: Option<Data>,
    /// The cells of an infinite map.
    #[serde(skip_serializing)]
    pub chunks: Vec<Chunk>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub objects: Option<Vec<Object>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub layers: Option<Vec<Layer>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub properties: Vec<Property>,
    /// Position, if it is known.
    #[serde(skip)]
    pub at: Option<Position>,
}

impl Default for Layer {
    fn default() -> Self {
        Self {
            kind: String::new(),
            id: 0,
            name: String::new(),
            visible: true,
            locked: false,
            opacity: 1.0,
            offsetx: 0.0,
            offsety: 0.0,
            parallaxx: 1.0,
            parallaxy: 1.0,
            tintcolor: false,
            class: String::new(),
            mode: String::new(),
            draworder: String::new(),
            color: false,
            x: 0,
            y: 0,
            width: None,
            height: None,
            encoding: String::new(),
            compression: String::new(),
            data: None,
            chunks: Vec::new(),
            objects: None,
            layers: None,
            properties: Vec::new(),
            at: None,
        }
    }
}

/// A block of cells of an infinite map.
#[derive(Debug, Clone, PartialEq, Default, Deserialize)]
#[serde(default)]
pub(super) struct Chunk {
    pub x: i32,
    pub y: i32,
    pub width: u32,
    pub height: u32,
    pub data: Option<Data>,
}

/// An object.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct Object {
    #[serde(deserialize_with = "id_or_zero")]
    pub id: u32,
    pub name: String,
    /// The class, by the name of every version except 1.9.
    #[serde(rename = "type", alias = "class")]
    pub kind: String,
    pub x: f64,
    pub y: f64,
    pub width: f64,
    pub height: f64,
    pub rotation: f64,
    pub visible: bool,
    pub point: bool,
    #[serde(skip_serializing)]
    pub ellipse: bool,
    #[serde(skip_serializing)]
    pub capsule: bool,
    #[serde(skip_serializing)]
    pub opacity: f64,
    #[serde(deserialize_with = "present", skip_serializing)]
    pub polygon: bool,
    #[serde(deserialize_with = "present", skip_serializing)]
    pub polyline: bool,
    #[serde(deserialize_with = "text_of_object", skip_serializing)]
    pub text: Option<String>,
    /// The tile that the object shows; 0 for an invalid number.
    #[serde(deserialize_with = "gid_or_zero", skip_serializing)]
    pub gid: Option<u32>,
    #[serde(deserialize_with = "present", skip_serializing)]
    pub template: bool,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub properties: Vec<Property>,
}

impl Default for Object {
    fn default() -> Self {
        Self {
            id: 0,
            name: String::new(),
            kind: String::new(),
            x: 0.0,
            y: 0.0,
            width: 0.0,
            height: 0.0,
            rotation: 0.0,
            visible: true,
            point: false,
            ellipse: false,
            capsule: false,
            opacity: 1.0,
            polygon: false,
            polyline: false,
            text: None,
            gid: None,
            template: false,
            properties: Vec::new(),
        }
    }
}

/// Returns `true` for any value.
fn present<'de, D: Deserializer<'de>>(deserializer: D) -> Result<bool, D::Error> {
    IgnoredAny::deserialize(deserializer).map(|_| true)
}

/// Returns an id, or 0 for other values: old versions do not store ids.
fn id_or_zero<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u32, D::Error> {
    let id = Json::deserialize(deserializer)?;
    Ok(if let Json::Int(id) = id { u32::try_from(id).unwrap_or(0) } else { 0 })
}

/// Returns the number of a tile, or 0 for other values.
fn gid_or_zero<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<u32>, D::Error> {
    id_or_zero(deserializer).map(Some)
}

/// Returns the text of an object, without its font.
fn text_of_object<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<String>, D::Error> {
    let Json::Map(members) = Json::deserialize(deserializer)? else { return Ok(Some(String::new())) };
    let text = members.into_iter().find(|(name, _)| name == "text").map(|(_, text)| text);
    Ok(Some(if let Some(Json::Text(text)) = text { text } else { String::new() }))
}

#[allow(clippy::trivially_copy_pass_by_ref)] // as serde asks
fn is_zero(number: &u32) -> bool {
    *number == 0
}

#[allow(clippy::trivially_copy_pass_by_ref)]
fn is_none(number: &f64) -> bool {
    *number == 0.0
}

#[allow(clippy::trivially_copy_pass_by_ref)]
fn is_one(number: &f64) -> bool {
    *number == 1.0
}

//! The table of formats.
//!
//! Each format has one row in this table and one file below it, compiled under one `cfg`. The file contains everything that this crate
//! knows about the format. [Adding a format](crate::manual::adding_a_format) lists the steps.

#[cfg(feature = "dmx")]
pub(crate) mod dmx;
pub(crate) mod etf;
#[cfg(feature = "gltf")]
mod gltf;
#[cfg(feature = "heightmap")]
mod heightmap;
#[cfg(feature = "map")]
pub(crate) mod map;
#[cfg(feature = "obj")]
mod obj;
pub(crate) mod rez;
#[cfg(feature = "tiled")]
mod tiled;
#[cfg(feature = "vmap")]
pub(crate) mod vmap;
#[cfg(feature = "vmf")]
pub(crate) mod vmf;
#[cfg(feature = "wings")]
pub(crate) mod wings;
#[cfg(feature = "wmp")]
pub(crate) mod wmp;
#[cfg(feature = "wrp")]
pub(crate) mod wrp;
#[cfg(feature = "wwd")]
pub(crate) mod wwd;

use std::borrow::Cow;

use mapwright_io::{Confidence, FormatInfo};
use mapwright_scene::{AxisChange, Capabilities, FileSource, Files, Losses, Scene};

use crate::document::SceneFile;
use crate::info::Summary;
use crate::json::Dump;
use crate::{AnyDocument, Axis, ConvertOptions, Error, Listing, ReadOptions, Rescued};

macro_rules! formats {
    ($(
        $(#[doc = $doc:literal])+
        $variant:ident($name:literal, $title:literal, $extensions:expr) => $entry:path $(, $feature:literal)?;
    )+) => {
        /// A file format.
        ///
        /// All builds have all variants. [`is_available`](Self::is_available) returns `true` for those that this build can read or write.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[non_exhaustive]
        pub enum Format {
            $($(#[doc = $doc])+ $variant,)+
        }

        impl Format {
            /// All formats, in the order in which they are listed. Not every build can read or write each of them; see
            /// [`available`](Self::available).
            pub const ALL: &'static [Self] = &[$(Self::$variant),+];

            /// Returns the name, title and extensions.
            pub const fn info(self) -> FormatInfo {
                match self {
                    $(Self::$variant => FormatInfo::new($name, $title, &$extensions),)+
                }
            }

            /// Returns the feature of this crate that the format needs, or `None` if every build has the format.
            pub const fn feature(self) -> Option<&'static str> {
                match self {
                    $($(Self::$variant => Some($feature),)?)+
                    _ => None,
                }
            }

            /// Returns the implementation of the format, if this build has it.
            pub(crate) const fn entry(self) -> Option<&'static FormatEntry> {
                match self {
                    $($(#[cfg(feature = $feature)])? Self::$variant => Some(&$entry),)+
                    #[allow(unreachable_patterns, reason = "a build may have all formats")]
                    _ => None,
                }
            }
        }
    };
}

formats! {
    /// Wings 3D scene.
    Wings("wings", "Wings 3D scene", ["wings", "wings~", "wings_bup", "wings_as"]) => wings::ENTRY, "wings";
    /// Source 2 Hammer map: DMX of the format `vmap`, binary or text.
    Vmap("vmap", "Source 2 Hammer map", ["vmap"]) => vmap::ENTRY, "vmap";
    /// Source 1 Hammer map.
    Vmf("vmf", "Source 1 map (Hammer)", ["vmf"]) => vmf::ENTRY, "vmf";
    /// Any other DMX file: an element graph, binary or text.
    Dmx("dmx", "Valve DMX element graph", ["dmx", "pcf", "vtex", "vanim", "session"]) => dmx::ENTRY, "dmx";
    /// Maps and other element graphs as KeyValues2 text. A target only: the content of a file states whether it is a map.
    KeyValues2("kv2", "KeyValues2, the text form of vmap and dmx", ["kv2", "txt"]) => dmx::TEXT_ENTRY, "dmx";
    /// WAP32 level: Claw, Gruntz.
    Wwd("wwd", "WAP32 level (Claw, Gruntz)", ["wwd"]) => wwd::ENTRY, "wwd";
    /// Gamestudio map: text, `$$M`, binary.
    Wmp("wmp", "Gamestudio map (WED)", ["wmp", "$$m"]) => wmp::ENTRY, "wmp";
    /// Terrain of Operation Flashpoint, Arma or DayZ.
    Wrp("wrp", "Operation Flashpoint, Arma and DayZ terrain", ["wrp"]) => wrp::ENTRY, "wrp";
    /// REZ archive of Claw, Gruntz and other games of Monolith.
    Rez("rez", "Monolith REZ archive", ["rez", "vrz"]) => rez::ENTRY;
    /// Erlang external term: any stream that begins with 131.
    Etf("etf", "Erlang external term", ["etf", "bert"]) => etf::ENTRY;
    /// glTF 2.0 in one binary file.
    Glb("glb", "glTF 2.0, binary", ["glb"]) => gltf::BINARY_ENTRY, "gltf";
    /// glTF 2.0 as JSON with other files beside it.
    Gltf("gltf", "glTF 2.0, JSON with files beside it", ["gltf"]) => gltf::ENTRY, "gltf";
    /// Wavefront OBJ with its material library.
    Obj("obj", "Wavefront OBJ", ["obj"]) => obj::ENTRY, "obj";
    /// Map of the Quake family: Quake, Hexen II, Half-Life, Quake 2, Quake 3, Doom 3.
    Map("map", "Quake map", ["map"]) => map::ENTRY, "map";
    /// Tiled map, tileset or template as XML.
    Tmx("tmx", "Tiled map, tileset or template, XML", ["tmx", "tsx", "tx"]) => tiled::XML_ENTRY, "tiled";
    /// Tiled map, tileset, template or world as JSON.
    Tmj("tmj", "Tiled map, tileset, template or world, JSON", ["tmj", "tsj", "tj", "world"]) => tiled::JSON_ENTRY, "tiled";
    /// Heightmap as ESRI ASCII grid.
    Asc("asc", "Heightmap, ESRI ASCII grid", ["asc"]) => heightmap::ASC_ENTRY, "heightmap";
    /// Heightmap as GeoTIFF.
    Tif("tif", "Heightmap, GeoTIFF", ["tif", "tiff"]) => heightmap::TIF_ENTRY, "heightmap";
    /// Heightmap as greyscale PNG.
    HeightPng("heightpng", "Heightmap, grey PNG", ["png"]) => heightmap::PNG_ENTRY, "heightmap";
    /// Heightmap as lines of x, y and height.
    Xyz("xyz", "Heightmap, lines of x y z", ["xyz"]) => heightmap::XYZ_ENTRY, "heightmap";
    /// Heightmap as ESRI BIL, with a header beside it.
    Bil("bil", "Heightmap, ESRI BIL with a header", ["bil"]) => heightmap::BIL_ENTRY, "heightmap";
    /// Heightmap as ESRI floats, with a header beside them.
    Flt("flt", "Heightmap, ESRI floats with a header", ["flt"]) => heightmap::FLT_ENTRY, "heightmap";
    /// Heightmap as raw numbers of 16 bits, as Unreal, Unity and World Machine read them.
    R16("r16", "Heightmap, raw numbers of 16 bits", ["r16"]) => heightmap::R16_ENTRY, "heightmap";
    /// Heightmap as raw 32-bit floats.
    R32("r32", "Heightmap, raw 32-bit floats", ["r32"]) => heightmap::R32_ENTRY, "heightmap";
    /// Textures of the ground, as a PNG with a pixel for each texture cell and a legend beside it.
    CellPng("cellpng", "Texture cells, PNG with a legend", ["cells.png"]) => heightmap::CELLS_ENTRY, "heightmap";
}

/// The sections of summaries, which the module `info` publishes.
pub(crate) mod sections {
    #[cfg(feature = "dmx")]
    pub use super::dmx::{DmxInfo, PrefixInfo};
    pub use super::etf::TermInfo;
    #[cfg(feature = "heightmap")]
    pub use super::heightmap::HeightmapInfo;
    #[cfg(feature = "map")]
    pub use super::map::QuakeMapInfo;
    pub use super::rez::{RezFile, RezInfo};
    #[cfg(feature = "tiled")]
    pub use super::tiled::{TiledInfo, TiledLayer, TiledSet};
    #[cfg(feature = "vmap")]
    pub use super::vmap::{AssetInfo, ThumbnailInfo, VmapInfo, VmapTotals};
    #[cfg(feature = "vmf")]
    pub use super::vmf::{VmfInfo, VmfTotals};
    #[cfg(feature = "wings")]
    pub use super::wings::{
        ImageInfo, LightInfo, MapInfo, MaterialInfo, ObjectInfo, SelectionInfo, Totals, ViewInfo, WingsInfo,
    };
    #[cfg(feature = "wmp")]
    pub use super::wmp::{WmpInfo, WmpLevel};
    #[cfg(feature = "wrp")]
    pub use super::wrp::{WrpInfo, WrpModel};
    #[cfg(feature = "wwd")]
    pub use super::wwd::{
        AttributeCount, DroppedObjects, ImageFolder, LogicInfo, TilePropertiesInfo, TreasureInfo, WwdInfo, WwdPlane,
        WwdProvenance,
    };
}

/// The properties and functions of a format that need no document.
#[derive(Clone, Copy)]
pub(crate) struct FormatEntry {
    /// `true` if documents keep their file: read, edited and written without losing a byte.
    pub(crate) lossless: bool,
    /// `true` if documents can be converted to a scene.
    pub(crate) imports: bool,
    /// `true` if documents contain something that can be rendered.
    pub(crate) is_drawn: bool,
    /// `true` if most files with these extensions are images and not of this format.
    pub(crate) is_image: bool,
    /// See [`Format::is_terrain`].
    pub(crate) is_terrain: bool,
    /// `true` if a node can be shown in several places.
    pub(crate) has_instances: bool,
    /// `true` if nodes can be hidden.
    pub(crate) has_hidden_nodes: bool,
    /// `true` if levels are grids of tiles, measured in pixels.
    pub(crate) has_pixel_grid: bool,
    /// `true` if documents contain text in code pages, as bytes.
    pub(crate) has_code_pages: bool,
    /// The axes and the unit of coordinates, as text for people. `None` for formats without geometry.
    pub(crate) axes: Option<&'static str>,
    /// The content that `diff` compares, as text for people. `None` for formats without documents.
    pub(crate) compared_content: Option<&'static str>,
    /// The axis that points up, if the format fixes it.
    pub(crate) up: Option<Axis>,
    /// Metres per unit, for formats of games whose units become those of another such game one to one.
    pub(crate) game_unit: Option<f64>,
    /// Changes a scene of the format for a target, as far as only this format has such content.
    pub(crate) adapt_scene: fn(&mut Scene, Format, &ConvertOptions, &mut Losses),
    /// `true` if a reference to a model shows nothing in files of this format, so that models must be part of them.
    pub(crate) contains_models: bool,
    /// Creates the loader of files that levels refer to. The text is the path of the level in the first root of the content.
    #[cfg(feature = "textures")]
    pub(crate) loader: Option<CreateLoader>,
    /// Returns the folders of a level to which its paths are relative, if the format has such paths.
    pub(crate) content_roots: Option<fn(&std::path::Path) -> Vec<std::path::PathBuf>>,
    /// `true` if the files of a level are in its folder and below, so that they are found without other folders.
    pub(crate) has_content_beside: bool,
    /// Metres per unit that the specification of the format states.
    pub(crate) metres_per_unit: Option<f64>,
    /// The change from the axes of files to those of scenes.
    pub(crate) axis_change: AxisChange,
    /// The formats that documents are written as without a scene.
    pub(crate) encodings: &'static [Format],
    /// The JSON Schema of dumps.
    pub(crate) dump_schema: Option<&'static str>,
    /// The features of scenes that files of this format can store.
    pub(crate) capabilities: Option<fn() -> Capabilities>,
    /// Recognizes files by their first bytes.
    pub(crate) sniff: fn(&[u8]) -> Confidence,
    /// Reads a file.
    pub(crate) read: ReadFile,
    /// Reads a document from its dump.
    pub(crate) read_dump: Option<ReadDump>,
    /// Creates a file from a scene.
    pub(crate) write_scene: Option<WriteScene>,
    /// Reads as much of a damaged file as possible.
    pub(crate) rescue: Option<Rescue>,
    /// Returns what a summary of a scene file contains before the scene.
    pub(crate) summarize: Option<fn(&SceneFile) -> Summary>,
    /// Returns `true` if a file shows a mesh, without reading more than that. `None`: only reading the file shows it.
    pub(crate) has_meshes: Option<fn(&[u8]) -> bool>,
    /// Fills in a listing from the first bytes of a file.
    pub(crate) list: Option<List>,
    /// Decompresses a file into the bytes that positions in decompressed data count.
    pub(crate) decompress: Option<Decompress>,
}

#[cfg(feature = "textures")]
type CreateLoader = fn(&Scene, Option<String>, &ConvertOptions) -> Box<dyn mapwright_content::resolve::Loader>;
type ReadFile = fn(Cow<'_, [u8]>, Format, &ReadOptions) -> Result<AnyDocument, Error>;
type ReadDump = fn(Dump<'_>, &ReadOptions) -> Result<AnyDocument, Error>;
/// The function may change the scene. Files that the scene names come from the source.
type WriteScene = fn(&mut Scene, Format, &dyn FileSource, &ConvertOptions) -> Result<(Files, Losses), Error>;
type Rescue = fn(&[u8], &ReadOptions) -> Result<Rescued, Error>;
type List = fn(&mut Listing, &[u8], &ReadOptions) -> Result<(), Error>;
type Decompress = fn(&[u8], &ReadOptions) -> Option<Vec<u8>>;

impl FormatEntry {
    /// A format that can do nothing: the base of all entries.
    pub(crate) const BASE: Self = Self {
        lossless: false,
        imports: false,
        is_drawn: false,
        is_image: false,
        is_terrain: false,
        has_instances: false,
        has_hidden_nodes: false,
        has_pixel_grid: false,
        has_code_pages: false,
        axes: None,
        compared_content: None,
        up: None,
        game_unit: None,
        adapt_scene: |_, _, _, _| {},
        contains_models: false,
        #[cfg(feature = "textures")]
        loader: None,
        content_roots: None,
        has_content_beside: false,
        metres_per_unit: None,
        axis_change: AxisChange::NONE,
        encodings: &[],
        dump_schema: None,
        capabilities: None,
        sniff: |_| Confidence::No,
        read: |_, format, _| Err(Error::Unsupported { format, what: "read under that name" }),
        read_dump: None,
        write_scene: None,
        rescue: None,
        summarize: None,
        has_meshes: None,
        list: None,
        decompress: None,
    };
}

/// Removes a UTF-8 byte order mark and spaces from the start of a text, for sniffing.
pub(crate) fn text_start(prefix: &[u8]) -> &[u8] {
    prefix.strip_prefix(b"\xef\xbb\xbf").unwrap_or(prefix).trim_ascii_start()
}

/// Returns [`Confidence::Maybe`] if the condition is true.
pub(crate) fn maybe_if(condition: bool) -> Confidence {
    if condition { Confidence::Maybe } else { Confidence::No }
}

/// The file of a conversion that writes no others.
pub(crate) fn single_file(main: Vec<u8>) -> Files {
    Files { main, side: Vec::new() }
}

/// Returns the other document of a comparison, if it has the wanted type.
fn same_type<T: std::any::Any>(other: &dyn crate::document::FormatDocument) -> Option<&T> {
    let other: &dyn std::any::Any = other;
    other.downcast_ref()
}

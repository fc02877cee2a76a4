//! Conversion between maps and scenes.
//!
//! ```
//! use mapwright_scene::{Cell, NoFiles};
//! use mapwright_tiled::{Document, Syntax, scene};
//!
//! let map = br#"<map orientation="orthogonal" width="2" height="1" tilewidth="16" tileheight="16">
//!     <tileset firstgid="1" name="Ground" tilewidth="16" tileheight="16" tilecount="4" columns="2"/>
//!     <layer id="1" name="Floor" width="2" height="1"><data encoding="csv">4,0</data></layer>
//! </map>"#;
//! let import = scene::to_scene(&Document::from_bytes(map)?, &NoFiles, &Default::default())?;
//! assert_eq!(import.scene.tile_layers.items()[0].cells, [3, Cell::EMPTY]);
//!
//! let options = scene::ExportOptions::default().with_name("floor").with_syntax(Syntax::Json);
//! let export = scene::from_scene(&import.scene, &NoFiles, &options)?;
//! let images: Vec<&str> = export.document.images.iter().map(|file| file.name.as_str()).collect();
//! assert_eq!(images, ["floor-Ground.png"]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Scene to map
//!
//! | scene | map |
//! |---|---|
//! | node with a tile layer | tile layer: offset, parallax, visibility, lock; `z`, `fill`, `wrap_x`, `wrap_y` and a tile size other than that of the map are properties |
//! | its child entities and markers | point objects in an object group after it, which moves with it: `belongs` = `layer` |
//! | other entities and markers | point objects in an object group: the parent node, or `belongs` = `group` |
//! | group | group; an object group if it has no children |
//! | class, model, free properties of an entity | type, `model`, properties |
//! | tile set | tile set in the map, with an image beside it: squares with the number of the tile if it has no image |
//! | tile set that only objects show, with images of other sizes | tile set in the map, with a file beside it for each image |
//! | entity with `tile_set`, `tile` and `flips` after its other properties | object with a tile |
//! | collision of a tile | `attribute`; or `outside`, `inside`, `left`, `top`, `right`, `bottom`; or `mask` in base64 with `mask_width`, `mask_height`. All but masks are also collision shapes: rectangles whose class is the name of the attribute in Claw and Gruntz, or its number |
//! | column `flips` of a tile layer | flags of its cells |
//! | filled cells of layers with a fill colour, and cells without a tile set | tiles of another set, `words`, which can be painted with |
//! | free properties of the scene | properties of the map |
//! | property `id` of an entity, marker, layer or group | its id, if it is free |
//! | last properties with the names and values that reading gives attributes | these attributes |
//!
//! The map has version 1.8, which every later Tiled reads. The scene comes back equal, even after Tiled has saved the map; only its
//! properties are sorted by name then. Data that Tiled would not preserve is encoded: text, names and values that begin with `=` are JSON
//! (`=4294967295`, `="a\u0000b"`, `={"$bytes":"AAE="}`). A number with more than six digits is also a property (`exact_x`), which is
//! used as long as the attribute equals the rounded number. A free property with a name of this table is encoded as well (`="z"`), the
//! second property with a name has a number (`=2"z"`), and those of a node whose content has its own begin with `node:`.
//!
//! # Map to scene
//!
//! | map | scene |
//! |---|---|
//! | tile layer | node with a tile layer; chunks are one layer, cut to its cells |
//! | flags of cells | column `flips` of the tile layer, if a cell has some: the upper four bits of the cell |
//! | image layer | node with a tile layer of one tile |
//! | group, object group | node |
//! | object | entity, at the top left corner of its box, which has the properties `width`, `height` and `rotation` |
//! | ellipse, capsule, polygon, polyline | property `shape`; `points` in pixels from the position, y down |
//! | text | property `text`: the text and its attributes |
//! | tile of an object | `tile_set`, `tile` and `flips`; the model is the name of the tile set, unless there is a property `model` |
//! | template of an object | its values, for those that the object lacks |
//! | ids | property `id`, of layers only if it is not the number after that of the previous layer; key of the node |
//! | other attributes of maps, layers, objects, tilesets and tiles | last properties, with the names of the attributes: `class`, `opacity`, `orientation` and so on |
//!
//! Tilesets and templates in other files, and images, come from a [`FileSource`]. A tileset whose file is missing has the tiles that cells
//! show, without images. Images of tile sets are cut into their tiles. All tile layers have the layout of the map. Objects of isometric
//! and oblique maps are where the map shows them; their width, height and points stay along the sides of cells. Data that scenes do not store is reported: editor settings, Wang sets, collision
//! shapes of tiles, types of properties such as colours and classes.

mod encode;
mod flips;
mod layout;
mod merge;
mod names;
mod options;
mod read;
mod shapes;
mod tile_numbers;
#[allow(clippy::arithmetic_side_effects, reason = "scenes are checked, and images have a maximum size")]
mod write;

pub use mapwright_scene;
use mapwright_scene::{AxisChange, Capabilities, Export, Feature, FileSource, Import, Losses, Scene};

pub use options::{CellEncoding, ExportOptions, ImportOptions};
pub use write::WrittenMap;

use crate::{Document, ReadError, WriteError};

/// The axes of files: y points down.
pub const AXES: AxisChange = AxisChange::FLIP_Y;

/// Converts a map to a scene. Tilesets, templates and images in other files are loaded from `files`.
///
/// # Errors
/// If the document is no map; if cells or the first numbers of tilesets are invalid; if another file is no tileset or template; if a limit
/// of the options is reached.
pub fn to_scene(document: &Document, files: &dyn FileSource, options: &ImportOptions) -> Result<Import, ReadError> {
    read::read_scene(document, files, options)
}

/// Converts a scene to a new map with images beside it. Images of tiles that the scene only refers to are loaded from `files`.
///
/// Equal scenes and options give equal maps.
///
/// # Errors
/// For an invalid scene; if it has more tiles or deeper groups than Tiled supports, or more than 512 tile sets, since each has an image.
pub fn from_scene(
    scene: &Scene,
    files: &dyn FileSource,
    options: &ExportOptions,
) -> Result<Export<WrittenMap>, WriteError> {
    write::write_scene(scene, files, options)
}

/// Writes a changed scene back into its map. Unchanged values stay the same, byte for byte. Nodes are matched by their keys.
///
/// `files` must contain the files from which the scene was read.
///
/// # Errors
/// If the document is no map, or if it cannot store a value; the document is unchanged then.
pub fn merge_scene(
    document: &mut Document,
    scene: &Scene,
    files: &dyn FileSource,
    options: &ImportOptions,
) -> Result<Losses, WriteError> {
    merge::merge_scene(document, scene, files, options)
}

/// Cells have 16 bits for the tile.
const MAX_TILES: u32 = 1 << 16;

/// Maximum nesting depth of groups. The JSON reader of Tiled rejects deeper ones.
const MAX_DEPTH: usize = 48;

/// Ids are below this number, so that the next id has 31 bits, too.
const MAX_ID: u32 = i32::MAX.unsigned_abs();

/// Returns columns and rows of the image of a written tile set, which is almost square. Tiled derives the number of tiles from the
/// image, so a set has as many as fit.
fn grid(count: usize) -> [u32; 2] {
    let count = u32::try_from(count.max(1)).unwrap_or(u32::MAX);
    let columns = count.isqrt().saturating_add(u32::from(count.isqrt().saturating_pow(2) < count));
    [columns, count.div_ceil(columns)]
}

/// Returns the features that a map can store.
pub fn capabilities() -> Capabilities {
    use Feature as F;
    Capabilities::none()
        .full(&[F::Tiles, F::TileLayouts, F::Entities, F::Hierarchy, F::HiddenNodes, F::LockedNodes, F::Markers])
        .full(&[F::EmbeddedImages, F::ExternalImages])
        .full(&[F::SceneNames, F::SceneProperties, F::NodeProperties, F::Transforms])
        // The code that writes columns reports those without a place.
        .full(&[F::Attributes])
        .preserved(&[F::Unit], "in a property")
}

//! Reads and writes Tiled maps, TMX (XML) and TMJ (JSON).
//!
//! ```
//! use mapwright_interchange::tiled;
//! use mapwright_scene::NoFiles;
//!
//! let map = br#"<map width="2" height="1" tilewidth="16" tileheight="16">
//!     <tileset firstgid="1" name="Ground" tilewidth="16" tileheight="16" tilecount="4" columns="2"/>
//!     <layer name="Floor" width="2" height="1"><data encoding="csv">4,0</data></layer>
//! </map>"#;
//! let import = tiled::to_scene(map, &NoFiles, &tiled::ImportOptions::default())?;
//! assert_eq!(import.scene.tile_layers.items()[0].cells, [3, mapwright_scene::Cell::EMPTY]);
//!
//! let options = tiled::ExportOptions::default().with_name("floor").with_format(tiled::Format::Tmj);
//! let export = tiled::from_scene(&import.scene, &NoFiles, &options)?;
//! let beside: Vec<&str> = export.document.side.iter().map(|file| file.name.as_str()).collect();
//! assert_eq!(beside, ["floor-Ground.png"]);
//! # Ok::<(), mapwright_interchange::Error>(())
//! ```
//!
//! # What is written
//!
//! | scene | map |
//! |---|---|
//! | node with a tile layer | tile layer: offset, parallax, visibility, lock; `z`, `fill`, `wrap_x`, `wrap_y` and a tile size other than that of the map are properties |
//! | its child entities and markers | point objects in an object group after it, which moves with it: `belongs` = `layer` |
//! | other entities and markers | point objects in an object group: the parent node, or `belongs` = `group` |
//! | group | group; an object group if it has no children |
//! | class, model, free properties of an entity | type, `model`, properties |
//! | tile set | tile set in the map, with an image beside it: squares with the number of the tile if it has no image |
//! | collision of a tile | `attribute`; or `outside`, `inside`, `left`, `top`, `right`, `bottom`; or `mask` in base64 with `mask_width`, `mask_height` |
//! | filled cells of layers with a fill colour, and cells without a tile set | tiles of another set, `words`, which can be painted with |
//! | free properties of the scene | properties of the map |
//! | property `id` of an entity, marker, layer or group | its id, if it is free |
//!
//! The map has version 1.8, which every later Tiled reads. The scene comes back equal, even after Tiled has saved the map; only its
//! properties are sorted by name then. Data that Tiled would not preserve is encoded: text, names and values that begin with `=` are JSON
//! (`=4294967295`, `="a\u0000b"`, `={"$bytes":"AAE="}`). A number with more than six digits is also a property (`exact_x`), which is
//! used as long as the attribute equals the rounded number. A free property with a name of this table is encoded as well (`="z"`), the
//! second property with a name has a number (`=2"z"`), and those of a node whose content has its own begin with `node:`.
//!
//! # What is read
//!
//! Orthogonal maps of any version; cells as numbers or base64, uncompressed or compressed with zlib or gzip; tile sets in the map or in
//! other files; images of tiles, including parts of the image of the set. Infinite maps are cut to their cells. Rotated and flipped cells
//! become plain cells. An object with a tile is placed at the top left corner of its box, like a rectangle. The id, size and rotation of an object are its properties `id`, `width`, `height` and `rotation`, so that
//! references to objects stay valid. Layers have the property `id` if their id is not the number after that of the previous layer.
//! Properties of the types class, list, colour, file and object and those of enumerations become values without that type. Images of tile
//! sets are cut into their tiles. These changes are reported, and so is
//! other data: image layers, other shapes, classes of maps, layers and tiles, blend modes, opacity, animations, brushes, collision shapes.

mod data;
mod encode;
mod json;
mod model;
mod names;
mod options;
mod read;
mod write;
mod xml;

use mapwright_scene::{AxisChange, Capabilities, Export, Feature, FileSource, Files, Import, Scene};

pub use options::{CellEncoding, ExportOptions, Format, ImportOptions};

use crate::Error;

/// Writes a scene. Images of tiles that the scene only refers to are loaded from `files`.
///
/// Equal scenes and options give equal bytes.
///
/// # Errors
/// For a scene with an [error](mapwright_scene::Severity::Error); if it has more tiles or deeper groups than Tiled supports, or
/// more than 512 tile sets, since each has an image.
pub fn from_scene(scene: &Scene, files: &dyn FileSource, options: &ExportOptions) -> Result<Export<Files>, Error> {
    write::from_scene(scene, files, options)
}

/// Reads a map, TMX or TMJ. Tile sets and images in other files are loaded from `files`.
///
/// # Errors
/// If the map contradicts the format, with the path and, if known, the position in the text; if a tile set is missing; for
/// grids that are not orthogonal and cells compressed with Zstandard; if a limit of the options is reached.
pub fn to_scene(bytes: &[u8], files: &dyn FileSource, options: &ImportOptions) -> Result<Import, Error> {
    read::to_scene(bytes, files, options)
}

/// Cells have 16 bits for the tile.
const MAX_TILES: u32 = 1 << 16;

/// Returns columns and rows of the image of a written tile set, which is almost square. Tiled derives the number of tiles from the
/// image, so a set has as many as fit.
fn grid(count: usize) -> [u32; 2] {
    let count = u32::try_from(count.max(1)).unwrap_or(u32::MAX);
    let columns = count.isqrt() + u32::from(count.isqrt().pow(2) < count);
    [columns, count.div_ceil(columns)]
}

/// The axes of files: y points down.
pub const AXES: AxisChange = AxisChange::FLIP_Y;

/// Returns the features that a map can store.
pub fn capabilities() -> Capabilities {
    use Feature as F;
    Capabilities::none()
        .full(&[F::Tiles, F::Entities, F::Hierarchy, F::HiddenNodes, F::LockedNodes, F::Markers])
        .full(&[F::EmbeddedImages, F::ExternalImages])
        .full(&[F::SceneNames, F::SceneProperties, F::NodeProperties, F::Transforms])
        .preserved(&[F::Unit], "in a property")
}

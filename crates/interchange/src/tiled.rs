//! Maps of Tiled, TMX (XML) and TMJ (JSON), out and in.
//!
//! ```
//! use mapwright_interchange::{NoFiles, tiled};
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
//! assert_eq!(beside, ["floor-Ground.png", "floor-words.png"]);
//! # Ok::<(), mapwright_interchange::Error>(())
//! ```
//!
//! # What is written
//!
//! | scene | map |
//! |---|---|
//! | node with a tile layer | tile layer: offset, parallax, visibility, lock; `z`, `fill`, `wrap_x`, `wrap_y` and a size of tiles that is not that of the map as properties |
//! | entities and markers below it | point objects in a group of objects behind it, which moves with it: `belongs` = `layer` |
//! | other entities and markers | point objects in a group of objects: the node above it, or `belongs` = `group` |
//! | group | group |
//! | class, model, free properties of an entity | type, `model`, properties |
//! | tile set | tile set in the map, with a picture beside it: squares with the number of the tile where there is no art |
//! | collision of a tile | `attribute`; or `outside`, `inside`, `left`, `top`, `right`, `bottom`; or `mask` in base64 with `mask_width`, `mask_height` |
//! | filled cells, and cells that point to nothing | tiles of one more set, `words`, to be painted with like others |
//! | free properties of the scene | properties of the map |
//!
//! The map says version 1.8, which every later Tiled reads. Such a scene comes back equal, also after Tiled saved the map again; only
//! properties are then in the order of their names. What Tiled would not keep is spelled: text, names and values that begin with
//! `=` are JSON (`=4294967295`, `="a\u0000b"`, `={"$bytes":"AAE="}`); a number that six digits do not hold stands in a property
//! beside its attribute (`exact_x`), and counts for as long as the attribute is what was rounded. A free property with a name of this
//! table is spelled as well (`="z"`), the second of a name has a number (`=2"z"`), and those of a node whose content has its own
//! begin with `node:`.
//!
//! # What is read
//!
//! Orthogonal maps of any version, cells as numbers or base64, plain, zlib or gzip; tile sets in the map or in files of their own;
//! pictures of tiles, cut out of that of the set. Infinite maps are cut to the cells they have. Turned cells come as they are not
//! turned, objects as points with `width`, `height` and `rotation`; these, and layers of pictures, opacity, animations, brushes and
//! collision shapes are among the losses. Types of classes, enums, colours and files are not kept: their values are.

mod data;
mod encode;
mod json;
mod model;
mod names;
mod options;
mod read;
mod write;
mod xml;

use mapwright_scene::{AxisChange, Capabilities, Export, Feature, Import, Scene};

pub use options::{CellEncoding, ExportOptions, Format, ImportOptions};

use crate::{Error, FileSource, Files};

/// Writes a scene. Pictures of tiles that the scene only names are taken from `files`, if it has them.
///
/// Equal scenes and options give equal bytes.
///
/// # Errors
/// When the scene has a [broken](mapwright_scene::Severity::Broken) part; when it has more tiles, or groups deeper in each other, than
/// Tiled can have, or more than 512 tile sets, of which each has a picture.
pub fn from_scene(scene: &Scene, files: &dyn FileSource, options: &ExportOptions) -> Result<Export<Files>, Error> {
    write::from_scene(scene, files, options)
}

/// Reads a map, TMX or TMJ. Tile sets in files of their own and pictures are taken from `files`.
///
/// # Errors
/// When the map contradicts the format, with the path in it and, where that is known, the place in the text. When a tile set
/// cannot be had. When the grid is not orthogonal, and when cells are packed with Zstandard. When a limit of the options is
/// reached.
pub fn to_scene(bytes: &[u8], files: &dyn FileSource, options: &ImportOptions) -> Result<Import, Error> {
    read::to_scene(bytes, files, options)
}

/// The words of cells have 16 bits for the tile.
const MAX_TILES: u32 = 1 << 16;

/// How the axes of files become those of scenes: y points down in files, x and what is in front stay.
pub const AXES: AxisChange = AxisChange::FLIP_Y;

/// What a map can say.
pub fn capabilities() -> Capabilities {
    use Feature as F;
    Capabilities::none()
        .full(&[F::Tiles, F::Entities, F::Hierarchy, F::HiddenNodes, F::LockedNodes, F::Markers])
        .full(&[F::EmbeddedImages, F::ExternalImages])
        .full(&[F::SceneNames, F::SceneProperties, F::NodeProperties, F::Transforms])
        .preserved(&[F::Unit], "in a property")
}

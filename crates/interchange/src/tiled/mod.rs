//! Tiled maps, TMX and TMJ, out and in.

mod data;
mod json;
mod model;
mod names;
mod options;
mod read;
mod spell;
mod write;
mod xml;

use mapwright_scene::{Capabilities, Export, Feature, Import, Scene};

pub use options::{CellEncoding, ExportOptions, Format, ImportOptions};

use crate::{Error, FileSource, Files};

/// Writes a scene. Pictures of tiles that the scene only names are taken from `files`, if it has them.
///
/// Equal scenes and options give equal bytes.
///
/// # Errors
/// When the scene has a [broken](mapwright_scene::Severity::Broken) part; when it has more tiles, or groups deeper in each other, than
/// Tiled can have.
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

/// What a map can say.
pub fn capabilities() -> Capabilities {
    use Feature as F;
    const PROPERTY: &str = "in a property that Tiled shows as such";
    Capabilities::none()
        .full(&[F::Tiles, F::Entities, F::Hierarchy, F::HiddenNodes, F::LockedNodes, F::Markers])
        .full(&[F::EmbeddedImages, F::ExternalImages])
        .full(&[F::SceneNames, F::SceneProperties, F::NodeProperties, F::Transforms])
        .kept(&[F::Unit], PROPERTY)
}

//! Reads and writes the texture cells of a terrain as an image with a legend.
//!
//! ```
//! use mapwright_interchange::heightmap::cells;
//! use mapwright_scene::{Content, Heights, Material, Node, Scene, Terrain};
//! # use mapwright_interchange::heightmap;
//! # use mapwright_scene::NoFiles;
//! # let hill = b"ncols 2\nnrows 2\ncellsize 10\n0 1.5\n0 0\n";
//! # let mut scene = heightmap::to_scene(hill, &NoFiles, &Default::default())?.scene;
//! let grass = scene.materials.push(Material::new("grass.rvmat"));
//! for (_, terrain) in scene.terrains.iter_mut() {
//!     (terrain.cell_size, terrain.cells, terrain.materials) = ([2, 1], vec![0, 1], vec![None, Some(grass)]);
//! }
//! let export = cells::from_scene(&scene, &cells::ExportOptions::default())?;
//! assert_eq!(export.document.side[0].name, "scene.json");
//! let import = cells::to_scene(&export.document.main, &export.document, &cells::ImportOptions::default())?;
//! assert_eq!(import.scene.terrains.items()[0].cells, [0, 1]);
//! # Ok::<(), mapwright_interchange::Error>(())
//! ```
//!
//! # What is written
//!
//! A PNG with one pixel per cell, the northern row first: palette indices, or 16-bit greyscale for more than 256 different cells. A text
//! chunk `legend` contains the name of the legend file, which is JSON:
//!
//! | key | value |
//! |---|---|
//! | `cell_size` | width and depth of a cell, in units of length |
//! | `materials` | a list: `cell`, the number of the cell; `color` in the palette; `name`, null without a material; `reference`, the path in the game's files |
//! | `pixels` | the cell of each pixel value, if they differ |
//!
//! # What is read
//!
//! Such images, even after an image editor reordered the palette or converted it to colours, which are looked up in the legend. Without
//! a legend, cells are the pixel values. The scene has one terrain with cells and without heights.

mod legend;
mod options;
mod read;
mod write;

use mapwright_scene::{Capabilities, Export, Feature, FileSource, Files, Import, Scene};

pub use options::{ExportOptions, ImportOptions};

use crate::Error;

/// The keyword of the text chunk with the name of the legend.
const LEGEND: &str = "legend";

/// Writes the texture cells of a terrain, and their legend.
///
/// # Errors
/// For a scene with an [error](mapwright_scene::Severity::Error), or without a terrain of the name; for a terrain without
/// cells, or with more than 65,536 different ones.
pub fn from_scene(scene: &Scene, options: &ExportOptions) -> Result<Export<Files>, Error> {
    write::from_scene(scene, options)
}

/// Reads an image of texture cells. `files` returns its legend.
///
/// # Errors
/// If image or legend contradict their format, or each other; if a limit of the options is reached.
pub fn to_scene(bytes: &[u8], files: &dyn FileSource, options: &ImportOptions) -> Result<Import, Error> {
    read::to_scene(bytes, files, options)
}

/// Returns the features that such an image can store.
pub fn capabilities() -> Capabilities {
    use Feature as F;
    // For the terrain that is written. The writer reports others, and heights.
    Capabilities::none().full(&[F::Terrains, F::Materials, F::MaterialReferences])
}

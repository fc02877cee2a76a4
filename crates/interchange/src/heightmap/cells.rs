//! What the ground is made of: the texture cells of a terrain as a picture with a legend, out and in.
//!
//! ```
//! use mapwright_interchange::heightmap::cells;
//! use mapwright_scene::{Content, Heights, Material, Node, Scene, Terrain};
//! # use mapwright_interchange::{NoFiles, heightmap};
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
//! A PNG with a pixel for each cell, the northern row first: numbers with a palette, or 16 bits of grey for more than 256 of
//! them. A text chunk `legend` names the legend beside it, which is JSON:
//!
//! | key | |
//! |---|---|
//! | `cell_size` | width and depth of a cell, in units of length |
//! | `materials` | a list: `cell`, the number in the cells; `color` in the palette; `name`, null where there is no material; `reference`, where the game finds it |
//! | `pixels` | the number in the cells of each pixel value, where these are not the same |
//!
//! # What is read
//!
//! Such pictures, also after a program for pictures put the palette in another order or made colours of it: a colour is looked for in
//! the legend. Without a legend the pixels are the numbers. The scene has one terrain with cells and without heights.

mod legend;
mod options;
mod read;
mod write;

use mapwright_scene::{Capabilities, Export, Feature, Import, Scene};

pub use options::{ExportOptions, ImportOptions};

use crate::{Error, FileSource, Files};

/// The keyword of the text chunk that names the legend.
const LEGEND: &str = "legend";

/// Writes the texture cells of a terrain, and their legend.
///
/// # Errors
/// When the scene has a [broken](mapwright_scene::Severity::Broken) part, when it has no terrain or none of the name, or when that has no cells or
/// more than 65,536 different ones.
pub fn from_scene(scene: &Scene, options: &ExportOptions) -> Result<Export<Files>, Error> {
    write::from_scene(scene, options)
}

/// Reads a picture of texture cells. `files` gives the legend that it names.
///
/// # Errors
/// When picture or legend contradict their format, or each other; when a limit of the options is reached.
pub fn to_scene(bytes: &[u8], files: &dyn FileSource, options: &ImportOptions) -> Result<Import, Error> {
    read::to_scene(bytes, files, options)
}

/// What such a picture can say.
pub fn capabilities() -> Capabilities {
    use Feature as F;
    // Of the terrain that is written; the writer says what becomes of others, and of heights.
    Capabilities::none().full(&[F::Terrains, F::Materials, F::MaterialReferences])
}

//! Heightmaps: the height field of a scene as a grid that programs for maps read, out and in.
//!
//! ```
//! use mapwright_interchange::{NoFiles, heightmap};
//!
//! let hill = b"ncols 3\nnrows 2\nxllcorner 200000\nyllcorner 0\ncellsize 10\n0 1.5 0\n0 -0.25 0\n";
//! let import = heightmap::to_scene(hill, &NoFiles, &heightmap::ImportOptions::default())?;
//! let terrain = &import.scene.terrains.items()[0];
//! // Rows run north, as in the games.
//! assert_eq!((terrain.size, terrain.spacing, terrain.heights.get(1)), ([3, 2], [10.0, -10.0], Some(-0.25)));
//!
//! let options = heightmap::ExportOptions::default().with_format(heightmap::Format::Tif);
//! let export = heightmap::from_scene(&import.scene, &options)?;
//! assert!(export.losses.is_empty());
//! assert_eq!(heightmap::to_scene(&export.document.main, &NoFiles, &Default::default())?.scene, import.scene);
//! # Ok::<(), mapwright_interchange::Error>(())
//! ```
//!
//! # What is written
//!
//! | format | heights that are floats | heights that are steps | where it is |
//! |---|---|---|---|
//! | ESRI ASCII grid | two decimals, or as few digits as bring them back | the same; whoever reads states the step | the head: as Terrain Builder has it, or as programs for maps do |
//! | PNG, 16 bits of grey | between the lowest and the highest: approximated | exactly, unless a range is given: 32,768 is 0 | text chunks, and a world file `.pgw` beside it |
//! | GeoTIFF | exactly | exactly: 16-bit integers with the scale of GDAL | `ModelPixelScale`, `ModelTiepoint` |
//! | XYZ | as in ASCII | as in ASCII | each line |
//!
//! The first row is the northern one. A point of the height field is the centre of a pixel; only ESRI ASCII grids have the convention of
//! Terrain Builder, which means the point itself by the corner of its cell ([`Corner`]). A node that is moved, or scaled along the axes, moves and scales the
//! map; one that is turned does not turn it, and the losses say so. No format holds the name, the texture cells (that is
//! what [`cells`] is for), the water or anything else of the scene.
//!
//! A PNG says what its pixels mean in text chunks: the height is `height_offset` + pixel × `height_scale`; a pixel of `height_zero` is
//! height 0 of steps of `height_scale`; `spacing_x` and `spacing_y` are the steps between points, `origin_x` and `origin_y` east and north of
//! the south-western one, `metres_per_unit` the unit of length. Points without a height are transparent.
//!
//! # What is read
//!
//! These, and what other programs make: ESRI ASCII grids with corners or centres, any blanks and line ends; grey PNG of 16 or 8 bits;
//! TIFF of one channel of integers or floats, in strips or tiles, either byte order, plain or packed with LZW, deflate or `PackBits`; XYZ with any
//! separator and order of lines. What was rounded, clamped or missing is counted in the losses.
//!
//! The scene has one terrain at one node, which stands where the map says, from the origin of the options. Its rows run from south to
//! north.

pub mod cells;
mod grid;
mod names;
mod options;
mod raster;
mod read;
mod write;

use std::io::Write;

use mapwright_scene::{AxisChange, Capabilities, Export, Feature, Import, Scene};

pub use options::{Corner, ExportOptions, Format, ImportOptions, Numbers, PixelHeights, TERRAIN_BUILDER_ORIGIN};

use crate::{Error, FileSource, Files, SideFile, output::Output};
use names::{ZERO_PIXEL, png_text, tif_tags};

/// Writes a terrain of a scene, and a world file beside a PNG.
///
/// Equal scenes and options give equal bytes.
///
/// # Errors
/// When the scene has a [broken](mapwright_scene::Severity::Broken) part, when it has no terrain or none of the name, or when that has no points.
pub fn from_scene(scene: &Scene, options: &ExportOptions) -> Result<Export<Files>, Error> {
    let mut main = Output::new(options.max_bytes);
    let written = write_to(scene, options, &mut main);
    // The writer reports only that it failed; the output knows the reason.
    main.check()?;
    let Export { document: side, losses } = written?;
    Ok(Export { document: Files { main: main.finish()?, side }, losses })
}

/// As [`from_scene`], row by row into `out`, where the format allows that: a TIFF is put together in memory. Gives the files beside it.
///
/// # Errors
/// As [`from_scene`], and [`Write`](crate::ErrorKind::Write) when `out` fails.
pub fn write_to(scene: &Scene, options: &ExportOptions, mut out: impl Write) -> Result<Export<Vec<SideFile>>, Error> {
    write::write_to(scene, options, &mut out)
}

/// Reads a heightmap. `files` gives the world file of [`ImportOptions::world_file`].
///
/// # Errors
/// When the file contradicts its format, with the place in it where that is known; when it has colours or several channels; when a
/// limit of the options is reached.
pub fn to_scene(bytes: &[u8], files: &dyn FileSource, options: &ImportOptions) -> Result<Import, Error> {
    read::to_scene(bytes, files, options)
}

/// How the axes of files become those of scenes: x points east, y north and heights up in files.
pub const AXES: AxisChange = AxisChange::Z_UP_TO_Y_UP;

/// What a format can say.
pub fn capabilities(format: Format) -> Capabilities {
    use Feature as F;
    // Of the terrain that is written; the writer says what becomes of others.
    let all = Capabilities::none().full(&[F::Terrains, F::Transforms]);
    match format {
        Format::Png | Format::Tif => all.full(&[F::Unit]),
        Format::Asc | Format::Xyz => all,
    }
}

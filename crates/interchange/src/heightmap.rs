//! Reads and writes heightmaps: the terrain of a scene as a grid for GIS software.
//!
//! ```
//! use mapwright_interchange::heightmap;
//! use mapwright_scene::NoFiles;
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
//! | format | floating-point heights | heights in steps | position |
//! |---|---|---|---|
//! | ESRI ASCII grid | two decimals, or the fewest digits that read back the same | likewise; the reader must know the step | the header, by the convention of Terrain Builder or of GIS software |
//! | PNG, 16-bit greyscale | approximated, from the lowest to the highest | exactly, unless a range is given: 32,768 is 0 | text chunks, and a world file `.pgw` beside it |
//! | GeoTIFF | exactly | exactly: 16-bit integers with the scale of GDAL | `ModelPixelScale`, `ModelTiepoint` |
//! | XYZ | as in ESRI ASCII | as in ESRI ASCII | each line |
//!
//! The first row is the northern one. A height is at the centre of a pixel, so all files of one terrain overlay each other in GIS
//! software. Only ESRI ASCII grids also have the convention of Terrain Builder, in which the lower left corner is the height itself
//! ([`Corner`]). Translations of the node, and scales along the axes, apply
//! to the map. Rotations do not, and are reported as a loss. No format stores the name, the water or other data of the scene. [`cells`]
//! writes the texture cells.
//!
//! A PNG stores the meaning of its pixels in text chunks: the height is `height_offset` + pixel × `height_scale`. For heights in steps,
//! the pixel `height_zero` is height 0, and `height_scale` is the step. `spacing_x` and `spacing_y` are the distances between points,
//! `origin_x` and `origin_y` are east and north of the south-western point, and `metres_per_unit` is the unit of length. Points without
//! a height are transparent.
//!
//! # What is read
//!
//! These files, and files of other programs: ESRI ASCII grids with corners or centres, and any spaces and line ends; greyscale PNG with
//! 16 or 8 bits; TIFF with one channel of integers or floats, in strips or tiles, with either byte order, uncompressed or compressed
//! with LZW, deflate or `PackBits`, even without the parts that have no heights, and with a mask; XYZ with any separator and order of
//! lines. Numbers may have decimal commas, and rows may run north. Rounded, clamped and missing heights are reported.
//!
//! Other grids are rejected; the error names the GDAL command that converts them: coordinates in degrees, rotated grids, control
//! points, several bands, and other compression.
//!
//! # Units and coordinate reference systems
//!
//! A projected coordinate reference system is kept in the property [`CRS_PROPERTY`] of the scene: a code of EPSG, the keys of a GeoTIFF,
//! or the text of a `.prj` file. It is written to GeoTIFF, and to a `.prj` file beside ESRI ASCII grids and PNG if its text is known,
//! which is the case for UTM and for text that was read. Its unit is that of the map: lengths of the scene are metres, and those of
//! files are in that unit. Heights have their own unit: that of the band, else that of the vertical system, else metres.
//!
//! The scene has one terrain at one node. Its translation is the position on the map relative to the origin of the options. Its rows run
//! from south to north.

pub mod cells;
mod crs;
mod fill;
mod grid;
mod names;
mod options;
mod raster;
mod read;
mod write;

use std::io::Write;

use mapwright_scene::{
    AxisChange, BoundedOutput, Capabilities, Export, Feature, FileSource, Files, Import, Scene, SideFile,
};

pub use fill::{NoData, interpolate_missing, is_missing};
pub use options::{Corner, ExportOptions, Format, ImportOptions, Numbers, PixelHeights, TERRAIN_BUILDER_ORIGIN};

use crate::{Error, error::exceeded};
use names::{ZERO_PIXEL, png_text, tif_tags};

/// The text of the loss about [`Corner::Point`].
const CORNER_IS_POINT: &str = "xllcorner and yllcorner are the south-western point, as in Terrain Builder; in GIS software they are the \
                        corner of a cell";

/// Writes a terrain of a scene, and a world file beside a PNG.
///
/// Equal scenes and options give equal bytes.
///
/// # Errors
/// For a scene with an [error](mapwright_scene::Severity::Error), or without a terrain of the name; for a terrain without
/// points.
pub fn from_scene(scene: &Scene, options: &ExportOptions) -> Result<Export<Files>, Error> {
    let mut main = BoundedOutput::new(options.max_bytes);
    let written = write_to(scene, options, &mut main);
    // The writer reports only its failure; the output knows the reason.
    main.check().map_err(exceeded)?;
    let Export { document: side, losses } = written?;
    Ok(Export { document: Files { main: main.finish().map_err(exceeded)?, side }, losses })
}

/// Like [`from_scene`], but writes row by row to `out`, if the format allows it. A TIFF is assembled in memory. Returns the
/// other files.
/// # Errors
/// Errors of [`from_scene`], and [`Write`](crate::ErrorKind::Write) if `out` fails.
pub fn write_to(scene: &Scene, options: &ExportOptions, mut out: impl Write) -> Result<Export<Vec<SideFile>>, Error> {
    write::write_to(scene, options, &mut out)
}

/// Reads a heightmap. `files` returns the world file of [`ImportOptions::world_file`].
///
/// # Errors
/// If the file contradicts its format, with the position if it is known; if it has colours or several channels; if a limit of
/// the options is reached.
pub fn to_scene(bytes: &[u8], files: &dyn FileSource, options: &ImportOptions) -> Result<Import, Error> {
    read::to_scene(bytes, files, options)
}

/// The property of a scene with the coordinate reference system of its map.
pub const CRS_PROPERTY: &str = "crs";

/// Returns `true` for a TIFF file of one channel with a scale or a transform to map coordinates. Pixels are not read.
pub fn is_georeferenced(bytes: &[u8]) -> bool {
    read::tif::is_georeferenced(bytes)
}

/// Returns the value with which a file marks points without a height: `NODATA_value` of an ESRI ASCII grid, the tag of GDAL in a TIFF.
/// `None` if there is none, and for other formats.
pub fn no_data_value(bytes: &[u8], format: Format) -> Option<f64> {
    match format {
        Format::Asc => read::asc::no_data_value(bytes),
        Format::Tif => read::tif::no_data_value(bytes),
        Format::Png | Format::Xyz => None,
    }
}

/// Returns the name of the coordinate reference system of a scene, such as `EPSG:32633`, and the metres per unit of its map.
pub fn coordinate_system(scene: &Scene) -> Option<(String, f64)> {
    crs::Crs::from_scene(scene).map(|crs| (crs.name(), crs.metres))
}

/// The axes of files: x points east, y north, and heights up.
pub const AXES: AxisChange = AxisChange::Z_UP_TO_Y_UP;

/// Returns the features that a format can store.
pub fn capabilities(_format: Format) -> Capabilities {
    use Feature as F;
    // For the terrain that is written. The writer reports others, and properties except the coordinate reference system.
    Capabilities::none().full(&[F::Terrains, F::Transforms, F::Unit, F::SceneProperties])
}

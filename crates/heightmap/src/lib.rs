//! Reads and writes heightmaps: the terrain of a scene as a grid for GIS software.
//!
//! ```
//! use mapwright_heightmap::{ExportOptions, Format, ImportOptions, from_scene, to_scene};
//! use mapwright_scene::NoFiles;
//!
//! let hill = b"ncols 3\nnrows 2\nxllcorner 200000\nyllcorner 0\ncellsize 10\n0 1.5 0\n0 -0.25 0\n";
//! let import = to_scene(hill, &NoFiles, &ImportOptions::default())?;
//! let terrain = &import.scene.terrains.items()[0];
//! // Rows run north, as in the games.
//! assert_eq!((terrain.size, terrain.spacing, terrain.heights.get(1)), ([3, 2], [10.0, -10.0], Some(-0.25)));
//!
//! let export = from_scene(&import.scene, &ExportOptions::default().with_format(Format::Tif))?;
//! assert!(export.losses.is_empty());
//! assert_eq!(to_scene(&export.document.main, &NoFiles, &ImportOptions::default())?.scene, import.scene);
//! # Ok::<(), mapwright_heightmap::Error>(())
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
//! | ESRI BIL and FLT | exactly | as floats, or as integers for a step of 1 in BIL | a header `.hdr` beside it |
//! | raw, 16 bits | approximated, from the lowest to the highest | likewise | a description `.json` beside it |
//! | raw, 32 bits | exactly | as floats | a description `.json` beside it |
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
//! with LZW, deflate, Zstandard or `PackBits`, even without the parts that have no heights, and with a mask; XYZ with any separator and order of
//! lines; BIL and FLT with either kind of header and either byte order; raw heights with their size and meaning in a description or in the
//! options. Numbers may have decimal commas, and rows may run north. Rounded, clamped and missing heights are reported.
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
//!
//! # Safety and limits
//!
//! This crate opens no files: side files come from a [`FileSource`](mapwright_scene::FileSource), and a heightmap of several files is
//! written as [`Files`](mapwright_scene::Files). Counts are checked against the available bytes, nothing recurses over data, and the
//! options limit the memory for heights. Scenes for which `Scene::validate` returns an error are rejected.
//!
//! # Errors
//!
//! An [`Error`] has an [`ErrorKind`] with a [`Category`], a [`Position`] in the input, and a path in the document or scene.
//!
//! # Layout
//!
//! | module | content |
//! |---|---|
//! | `read`, `write` | files as scenes, scenes as files, with a module for each format |
//! | [`cells`] | texture cells |
//! | `crs` | coordinate reference systems: keys of GeoTIFF, `.prj` files, units |
//! | `fill` | heights for points without one |
//! | `grid`, `raster`, `names` | the terrain as a map from north to south, images with texts, names of metadata |
//! | `raw` | the description beside raw heights |
//! | `options`, `error` | options and errors |

#![cfg_attr(not(test), deny(clippy::indexing_slicing, clippy::unwrap_used, clippy::expect_used, clippy::panic))]

pub mod cells;
mod crs;
mod error;
mod fill;
mod grid;
mod names;
mod options;
mod raster;
mod raw;
mod read;
mod write;

pub use crs::{CRS_PROPERTY, coordinate_system};
pub use error::{Category, Error, ErrorKind, Position};
pub use fill::{NoData, interpolate_missing, is_missing};
pub use options::{
    AXES, Corner, Engine, ExportOptions, Format, ImportOptions, Numbers, PixelHeights, TERRAIN_BUILDER_ORIGIN,
    capabilities,
};
pub use raw::{ByteOrder, RowOrder};
pub use read::{is_georeferenced, no_data_value, to_scene};
pub use write::{from_scene, write_to};

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

//! Reads heightmaps as scenes.

mod asc;
mod axis;
mod bil;
mod heights;
mod numbers;
mod placement;
mod png;
mod raw;
mod tif;
mod tokens;
mod xyz;

use mapwright_scene::{FileSource, Import, Losses};

pub(super) use heights::turn_over;

use crate::{Error, Format, ImportOptions};

/// Reads a heightmap. `files` returns the world file of [`ImportOptions::world_file`].
///
/// # Errors
/// If the file contradicts its format, with the position if it is known; if it has colours or several channels; if a limit of
/// the options is reached.
pub fn to_scene(bytes: &[u8], files: &dyn FileSource, options: &ImportOptions) -> Result<Import, Error> {
    let mut losses = Losses::new();
    let sheet = match options.format.unwrap_or_else(|| format(bytes)) {
        Format::Png => png::read(bytes, files, options, &mut losses)?,
        Format::Tif => tif::read(bytes, options, &mut losses)?,
        Format::Asc => asc::read(bytes, files, options, &mut losses)?,
        Format::Xyz => xyz::read(bytes, options, &mut losses)?,
        format @ (Format::Bil | Format::Flt) => bil::read(bytes, files, format, options, &mut losses)?,
        format @ (Format::R16 | Format::R32) => raw::read(bytes, files, format, options, &mut losses)?,
    };
    sheet.into_import(options, losses)
}

/// Returns `true` for a TIFF file of one channel with a scale or a transform to map coordinates. Pixels are not read.
pub fn is_georeferenced(bytes: &[u8]) -> bool {
    tif::is_georeferenced(bytes)
}

/// Returns the value with which a file marks points without a height: `NODATA_value` of an ESRI ASCII grid, the tag of GDAL in a TIFF.
/// `None` if there is none, and for other formats.
pub fn no_data_value(bytes: &[u8], format: Format) -> Option<f64> {
    match format {
        Format::Asc => asc::no_data_value(bytes),
        Format::Tif => tif::no_data_value(bytes),
        _ => None,
    }
}

fn format(bytes: &[u8]) -> Format {
    match bytes {
        [0x89, b'P', b'N', b'G', ..] => Format::Png,
        [b'I', b'I', 42 | 43, 0, ..] | [b'M', b'M', 0, 42 | 43, ..] => Format::Tif,
        _ if asc::is_head(bytes) => Format::Asc,
        _ => Format::Xyz,
    }
}

//! Reads heightmaps as scenes.

pub(super) mod asc;
mod axis;
mod heights;
mod placement;
mod png;
pub(super) mod tif;
mod tokens;
mod xyz;

use mapwright_scene::{FileSource, Import, Losses};

pub(super) use heights::turn_over;

use super::{Format, ImportOptions};
use crate::Error;

/// See [`super::to_scene`].
pub(super) fn to_scene(bytes: &[u8], files: &dyn FileSource, options: &ImportOptions) -> Result<Import, Error> {
    let mut losses = Losses::new();
    let sheet = match options.format.unwrap_or_else(|| format(bytes)) {
        Format::Png => png::read(bytes, files, options, &mut losses)?,
        Format::Tif => tif::read(bytes, options, &mut losses)?,
        Format::Asc => asc::read(bytes, files, options, &mut losses)?,
        Format::Xyz => xyz::read(bytes, options, &mut losses)?,
    };
    sheet.into_import(options, losses)
}

fn format(bytes: &[u8]) -> Format {
    match bytes {
        [0x89, b'P', b'N', b'G', ..] => Format::Png,
        [b'I', b'I', 42 | 43, 0, ..] | [b'M', b'M', 0, 42 | 43, ..] => Format::Tif,
        _ if asc::is_head(bytes) => Format::Asc,
        _ => Format::Xyz,
    }
}

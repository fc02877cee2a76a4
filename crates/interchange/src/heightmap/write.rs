//! Scene to heightmap.

mod asc;
mod number;
mod png;
mod text;
mod tif;
mod xyz;

use std::io;

use mapwright_scene::{Estimate, Export, Heights, Scene};

use super::{
    ExportOptions, Format, capabilities,
    grid::{Grid, choose},
};
use crate::{
    Error, ErrorKind, SideFile,
    error::{check, exceeded},
};

/// See [`super::write_to`].
pub(super) fn write_to(
    scene: &Scene,
    options: &ExportOptions,
    out: &mut dyn io::Write,
) -> Result<Export<Vec<SideFile>>, Error> {
    check(scene)?;
    let mut losses = capabilities(options.format).losses(scene);
    let (_, terrain, _) = choose(scene, options.terrain.as_deref())?;
    // Minimum bytes of a height in the output, and in a copy that is transformed with the node, or in the whole file.
    let (output, memory) = match (options.format, &terrain.heights) {
        (Format::Asc, _) => (2, 4),
        (Format::Xyz, _) => (6, 4),
        (Format::Png, _) => (0, 4),
        (Format::Tif, Heights::F32(_)) => (4, 4),
        (Format::Tif, Heights::Steps { .. }) => (2, 2),
    };
    let estimate = Estimate::default().with(terrain.heights.len() as u64, output, memory);
    estimate.check(options.max_bytes).map_err(exceeded)?;
    let grid = Grid::new(scene, options.terrain.as_deref(), options.origin, &mut losses)?;
    let metres = scene.metres_per_unit;
    let mut side = Vec::new();
    match options.format {
        Format::Asc => asc::write(&grid, options, out, &mut losses).map_err(failed)?,
        Format::Xyz => xyz::write(&grid, options, out, &mut losses).map_err(failed)?,
        Format::Png => {
            png::write(&grid, metres, options, out, &mut losses)?;
            side.push(SideFile { name: format!("{}.pgw", options.name), data: png::world_file(&grid) });
        }
        Format::Tif => out.write_all(&tif::write(&grid, metres)?).map_err(failed)?,
    }
    Ok(Export { document: side, losses })
}

#[expect(clippy::needless_pass_by_value, reason = "for map_err")]
fn failed(error: io::Error) -> Error {
    Error::without_position(ErrorKind::Write(error.to_string()))
}

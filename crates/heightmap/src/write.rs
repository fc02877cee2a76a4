//! Writes the terrain of a scene as a heightmap.

mod asc;
mod bil;
mod engine;
mod number;
mod png;
mod raw;
mod text;
mod tif;
mod xyz;

use std::io;

use mapwright_scene::{BoundedOutput, Estimate, Export, Files, Heights, Losses, Scene, SideFile};

use crate::{
    Error, ErrorKind, ExportOptions, Format, capabilities,
    crs::{CRS_PROPERTY, Crs},
    error::{check, exceeded},
    grid::{Grid, choose},
};

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
///
/// # Errors
/// Errors of [`from_scene`], and [`Write`](crate::ErrorKind::Write) if `out` fails.
pub fn write_to(
    scene: &Scene,
    options: &ExportOptions,
    mut out: impl io::Write,
) -> Result<Export<Vec<SideFile>>, Error> {
    write_dyn(scene, options, &mut out)
}

fn write_dyn(scene: &Scene, options: &ExportOptions, out: &mut dyn io::Write) -> Result<Export<Vec<SideFile>>, Error> {
    check(scene)?;
    let mut losses = capabilities(options.format).losses(scene);
    report_properties(scene, options.format, &mut losses);
    let (_, terrain, _) = choose(scene, options.terrain.as_deref())?;
    // Minimum bytes of a height in the output, and in a copy that is transformed with the node, or in the whole file.
    let (output, memory) = match (options.format, &terrain.heights) {
        (Format::Asc, _) => (2, 4),
        (Format::Xyz, _) => (6, 4),
        (Format::Png, _) => (0, 4),
        (Format::Tif | Format::Bil | Format::Flt | Format::R32, Heights::F32(_)) => (4, 4),
        (Format::Bil | Format::Flt, Heights::Steps { .. }) => (2, 2),
        // Raw heights are ordered in a copy of 64 bits.
        (Format::R16 | Format::R32, _) => (2, 8),
        (Format::Tif, Heights::Steps { .. }) => (2, 2),
    };
    let estimate = Estimate::default().with(terrain.heights.len() as u64, output, memory);
    estimate.check(options.max_bytes).map_err(exceeded)?;
    let grid = Grid::new(scene, options.terrain.as_deref(), options.origin, &mut losses)?;
    let metres = scene.metres_per_unit;
    let mut side = Vec::new();
    let wkt = grid.crs.as_ref().and_then(Crs::to_wkt);
    match options.format {
        Format::Asc => asc::write(&grid, options, out, &mut losses).map_err(failed)?,
        Format::Xyz => xyz::write(&grid, options, out, &mut losses).map_err(failed)?,
        Format::Bil | Format::Flt => side.push(bil::write(&grid, options, out, &mut losses).map_err(failed)?),
        Format::R16 | Format::R32 => side.push(raw::write(&grid, options, out, &mut losses)?),
        Format::Png => {
            png::write(&grid, metres, options, out, &mut losses)?;
            side.push(SideFile { name: format!("{}.pgw", options.name), data: png::world_file(&grid) });
        }
        Format::Tif => out.write_all(&tif::write(&grid, metres)?).map_err(failed)?,
    }
    match (options.format, &grid.crs, wkt) {
        (Format::Tif, ..) | (_, None, _) => {}
        (Format::Asc | Format::Png | Format::Bil | Format::Flt | Format::R16 | Format::R32, Some(crs), Some(text)) => {
            if crs.has_keys() {
                losses.preserved("properties.crs", format!("{} as the text of a .prj file", crs.name()));
            }
            side.push(SideFile { name: format!("{}.prj", options.name), data: text.into_bytes() });
        }
        (_, Some(crs), _) => {
            let (name, metres) = (crs.name(), crs.metres);
            losses.dropped("properties.crs", format!("coordinate reference system {name}"));
            if metres != 1.0 && options.format != Format::Png {
                let text = format!("lengths in the unit of {name}, {metres} m, which the file does not store");
                losses.approximated(&*grid.path, text);
            }
        }
    }
    Ok(Export { document: side, losses })
}

/// Reports the properties and the unit of a scene that the format does not store.
fn report_properties(scene: &Scene, format: Format, losses: &mut Losses) {
    let others = scene.properties.iter().map(|(name, _)| name).filter(|name| *name != CRS_PROPERTY);
    let others: Vec<&str> = others.collect();
    if !others.is_empty() {
        losses.dropped("properties", format!("properties {}", others.join(", ")));
    }
    let has_wkt = || Crs::from_scene(scene).is_some_and(|crs| crs.to_wkt().is_some());
    match (format, scene.metres_per_unit) {
        (Format::Xyz, Some(metres)) => losses.dropped("metres_per_unit", format!("one unit is {metres} m")),
        (Format::Asc | Format::Bil | Format::Flt | Format::R16 | Format::R32, Some(metres))
            if metres != 1.0 || !has_wkt() =>
        {
            losses.dropped("metres_per_unit", format!("one unit is {metres} m"));
        }
        _ => {}
    }
}

#[expect(clippy::needless_pass_by_value, reason = "for map_err")]
fn failed(error: io::Error) -> Error {
    Error::without_position(ErrorKind::Write(error.to_string()))
}

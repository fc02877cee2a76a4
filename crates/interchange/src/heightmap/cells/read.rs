//! Reads texture cells from an image.

use std::collections::HashMap;

use mapwright_scene::{Content, FileKind, FileSource, Heights, Import, Losses, Material, Node, Scene, Terrain};
use png::{BitDepth, ColorType};

use super::{
    ImportOptions, LEGEND,
    legend::{Legend, parse_color},
};
use crate::{
    Error, ErrorKind,
    error::{json_error, malformed},
    heightmap::{
        raster::{PATH, Raster},
        read::turn_over,
    },
};

/// See [`super::to_scene`].
pub(super) fn to_scene(bytes: &[u8], files: &dyn FileSource, options: &ImportOptions) -> Result<Import, Error> {
    if !bytes.starts_with(b"\x89PNG") {
        let found = "another mark".to_owned();
        let kind = ErrorKind::NotTheFormat { format: "PNG", found, expected: "that of a PNG" };
        return Err(Error::without_position(kind));
    }
    let mut losses = Losses::new();
    let raster = Raster::read(bytes, options.max_bytes, &[LEGEND], is_number_or_color)?;
    let legend = match options.legend.as_deref().or(raster.text(LEGEND)) {
        Some(name) => {
            let missing = |reason| Error::on_path(ErrorKind::MissingFile { name: name.into(), reason }, LEGEND);
            let json = files.load(name, FileKind::Data).map_err(missing)?;
            Some(self::legend(&json).map_err(|error| error.in_file(name))?)
        }
        None => {
            losses.synthesized("", "the materials of cells: there is no legend, so cells are the pixel values");
            None
        }
    };
    let mut cells = cells(&raster, legend.as_ref())?;
    let [width, height] = raster.size;
    if cells.len() as u64 != u64::from(width) * u64::from(height) {
        return Err(malformed(PATH, format!("{} pixels of {width} × {height}", cells.len())));
    }
    turn_over(&mut cells, width);

    let mut scene = Scene::default();
    let size = legend.as_ref().and_then(|legend| legend.cell_size).unwrap_or_else(|| {
        losses.synthesized("", "the size of a cell: 1");
        [1.0; 2]
    });
    if !size.iter().all(|size| size.is_finite() && *size > 0.0) {
        return Err(malformed("cell_size", format!("{} and {}", size[0], size[1])));
    }
    let materials = materials(legend, &mut scene)?;
    let terrain = scene.terrains.push(Terrain {
        cell_size: [width, height],
        cells,
        materials,
        ..Terrain::new([0; 2], [size[0], -size[1]], Heights::F32(Vec::new()))
    });
    scene.add_node(None, Node::new("", Content::Terrain(terrain)));
    Ok(Import { scene, losses })
}

fn is_number_or_color(color: ColorType, depth: BitDepth) -> Result<(), Error> {
    match (color, depth) {
        (ColorType::Indexed | ColorType::Grayscale, _) => Ok(()),
        (ColorType::Rgb | ColorType::Rgba, BitDepth::Eight) => Ok(()),
        _ => {
            let text = format!("an image of {color:?} with {} bits", depth as u8);
            Err(Error::on_path(ErrorKind::Unsupported(text), PATH))
        }
    }
}

fn legend(json: &[u8]) -> Result<Legend, Error> {
    serde_json::from_slice(json).map_err(|error| json_error(json, &error, LEGEND))
}

/// Returns the cells, from north to south.
fn cells(raster: &Raster, legend: Option<&Legend>) -> Result<Vec<u32>, Error> {
    let colors = legend.map(colors).unwrap_or_default();
    let by_color = |color: &[u8]| {
        let color: [u8; 3] = color.first_chunk().copied().unwrap_or_default();
        colors.get(&color).copied().ok_or_else(|| {
            let [red, green, blue] = color;
            malformed(PATH, format!("the colour #{red:02x}{green:02x}{blue:02x} is not in the legend"))
        })
    };
    let numbers = match raster.color {
        ColorType::Rgb | ColorType::Rgba => {
            return raster.data.chunks_exact(raster.color.samples()).map(by_color).collect();
        }
        _ => raster.numbers(),
    };
    if raster.color == ColorType::Indexed && !colors.is_empty() {
        // Image editors reorder palettes, so the colour decides.
        let palette: Vec<_> = raster.palette.chunks_exact(3).map(by_color).collect();
        return numbers
            .iter()
            .map(|&number| match palette.get(usize::from(number)) {
                Some(cell) => cell.clone(),
                None => Err(malformed(PATH, format!("palette index {number} out of range"))),
            })
            .collect();
    }
    match legend.and_then(|legend| legend.pixels.as_ref()) {
        Some(pixels) => {
            let count = pixels.len() as u64;
            let cell = |&number: &u16| {
                let bad = || Error::on_path(ErrorKind::BadIndex { index: number.into(), count }, PATH);
                pixels.get(usize::from(number)).copied().ok_or_else(bad)
            };
            numbers.iter().map(cell).collect()
        }
        None => Ok(numbers.into_iter().map(u32::from).collect()),
    }
}

/// Returns the cell of each colour, including cells without a material.
fn colors(legend: &Legend) -> HashMap<[u8; 3], u32> {
    let named = legend.materials.iter().filter_map(|entry| Some((parse_color(entry.color.as_deref()?)?, entry.cell)));
    let known = u32::try_from(legend.materials.len()).unwrap_or(u32::MAX);
    let rest = legend.pixels.iter().flatten().zip(0..).skip(legend.materials.len());
    let rest = rest.map(|(&cell, pixel)| (super::legend::color(pixel), cell));
    // Without a list of pixels, values after the materials are their own cells.
    let beyond = if legend.pixels.is_none() { known.min(256)..256 } else { 0..0 };
    let beyond = beyond.map(|pixel| (super::legend::color(pixel), pixel));
    // Stored colours take precedence over computed ones.
    beyond.chain(rest).chain(named).collect()
}

/// Creates the list of materials that cells refer to.
fn materials(legend: Option<Legend>, scene: &mut Scene) -> Result<Vec<Option<mapwright_scene::MaterialId>>, Error> {
    let entries = legend.map(|legend| legend.materials).unwrap_or_default();
    let count = entries.iter().map(|entry| entry.cell as usize + 1).max().unwrap_or_default();
    if count > super::write::WORD {
        let index = count as u64 - 1;
        return Err(Error::on_path(ErrorKind::BadIndex { index, count: super::write::WORD as u64 }, "materials"));
    }
    let mut materials = vec![None; count];
    for (index, entry) in entries.into_iter().enumerate() {
        let Some(place) = materials.get_mut(entry.cell as usize) else { continue };
        if place.is_some() {
            return Err(malformed(format!("materials[{index}]"), format!("cell {} twice", entry.cell)));
        }
        *place = entry.name.map(|name| {
            let material = Material { reference: entry.reference, ..Material::new(name) };
            scene.materials.push(material)
        });
    }
    Ok(materials)
}

//! Writes texture cells as an image.

use std::collections::BTreeSet;

use mapwright_io::format_count;
use mapwright_scene::{Estimate, Export, Files, LossKind, Losses, MaterialId, Scene, SideFile, Terrain};
use png::{BitDepth, ColorType};

use super::{
    ExportOptions, LEGEND, capabilities,
    legend::{Entry, Legend, color, format_color},
};
use crate::{
    Error, ErrorKind,
    error::{check, exceeded},
    heightmap::grid,
};

/// Maximum number of different cells in pixels of 8 bits, and of 16 bits.
const BYTE: usize = 1 << 8;
pub(super) const WORD: usize = 1 << 16;

/// See [`super::from_scene`].
pub(super) fn from_scene(scene: &Scene, options: &ExportOptions) -> Result<Export<Files>, Error> {
    check(scene)?;
    let mut losses = capabilities().losses(scene);
    let (id, terrain, _) = grid::choose(scene, options.terrain.as_deref())?;
    let path = format!("terrains[{}]", id.index());
    if terrain.cells.is_empty() {
        return Err(Error::on_path(ErrorKind::Unsupported("a terrain without texture cells".into()), path));
    }
    // Uncompressed pixels.
    let estimate = Estimate::default().with(terrain.cells.len() as u64, 0, 2);
    estimate.check(options.max_bytes).map_err(exceeded)?;
    for other in scene.terrains.ids().filter(|&other| other != id) {
        losses.dropped(format!("terrains[{}]", other.index()), "another terrain");
    }
    losses.dropped(format!("{path}.heights"), "heights");
    scene.report_unused_materials(terrain.materials.iter().copied().flatten(), &mut losses);

    // Materials come first, so that the pixels of their cells are their indices.
    let known = terrain.materials.len();
    let mut used: Vec<u32> = terrain.cells.iter().copied().filter(|&cell| cell as usize >= known).collect();
    used.sort_unstable();
    used.dedup();
    if known.saturating_add(used.len()) > WORD {
        let text = format!("an image of {} different cells", known.saturating_add(used.len()));
        return Err(Error::on_path(ErrorKind::Unsupported(text), format!("{path}.cells")));
    }
    let count = known + used.len();
    if !used.is_empty() {
        losses.preserved(format!("{path}.cells"), format!("{} without a material", format_count(used.len(), "number")));
    }
    let is_sparse = used.iter().zip(known..).any(|(&cell, pixel)| cell as usize != pixel);
    #[allow(clippy::cast_possible_truncation)] // At most 65,536.
    let pixels = is_sparse.then(|| (0..known as u32).chain(used.iter().copied()).collect());
    let legend = Legend {
        cell_size: Some(cell_size(terrain)),
        materials: materials(scene, terrain, &path, &mut losses),
        pixels,
    };
    let mut json = serde_json::to_vec_pretty(&legend)
        .map_err(|error| Error::without_position(ErrorKind::Write(error.to_string())))?;
    json.push(b'\n');
    let legend = SideFile { name: format!("{}.json", options.name), data: json };

    let pixel = |&cell: &u32| match cell as usize {
        cell if cell < known => cell,
        _ => known + used.binary_search(&cell).unwrap_or_default(),
    };
    let main = encode_image(terrain, pixel, count, &legend.name)
        .map_err(|error| Error::on_path(ErrorKind::Write(error.to_string()), &path))?;
    let document = Files { main, side: vec![legend] };
    document.check_size(options.max_bytes).map_err(exceeded)?;
    Ok(Export { document, losses })
}

/// Returns the size of a cell, if all cells cover the same ground as the points.
fn cell_size(terrain: &Terrain) -> [f64; 2] {
    let [x, z] = [0, 1].map(|axis: usize| {
        let at = |pair: [u32; 2]| pair.get(axis).copied().map_or(1.0, f64::from);
        let step = terrain.spacing.get(axis).map_or(1.0, |step| step.abs());
        let points = if terrain.size == [0; 2] { at(terrain.cell_size) } else { at(terrain.size) };
        step * points / at(terrain.cell_size)
    });
    [x, z]
}

fn materials(scene: &Scene, terrain: &Terrain, path: &str, losses: &mut Losses) -> Vec<Entry> {
    let mut seen: BTreeSet<MaterialId> = BTreeSet::new();
    let mut again = 0_u64;
    let entry = |(cell, id): (u32, &Option<MaterialId>)| {
        again += u64::from(id.is_some_and(|id| !seen.insert(id)));
        let material = id.and_then(|id| scene.materials.get(id));
        Entry {
            cell,
            color: Some(format_color(color(cell))),
            name: material.map(|material| material.name.clone()),
            reference: material.and_then(|material| material.reference.clone()),
        }
    };
    let entries = (0..).zip(&terrain.materials).map(entry).collect();
    if again > 0 {
        losses.push(
            LossKind::Approximated,
            format!("{path}.materials"),
            format!("{}: stored as separate entries", format_count(again, "repeated material")),
        );
    }
    entries
}

fn encode_image(
    terrain: &Terrain,
    pixel: impl Fn(&u32) -> usize,
    count: usize,
    legend: &str,
) -> Result<Vec<u8>, png::EncodingError> {
    let [width, height] = terrain.cell_size;
    let mut out = Vec::new();
    let mut encoder = png::Encoder::new(&mut out, width, height);
    if count <= BYTE {
        encoder.set_color(ColorType::Indexed);
        encoder.set_depth(BitDepth::Eight);
        encoder.set_palette((0..).take(count).flat_map(color).collect::<Vec<u8>>());
    } else {
        encoder.set_color(ColorType::Grayscale);
        encoder.set_depth(BitDepth::Sixteen);
    }
    // The name may contain characters that PNG text does not allow.
    if legend.is_ascii() {
        encoder.add_text_chunk(LEGEND.into(), legend.into())?;
    } else {
        encoder.add_itxt_chunk(LEGEND.into(), legend.into())?;
    }
    let mut data = Vec::with_capacity(terrain.cells.len().saturating_mul(2));
    for row in grid::rows(&terrain.cells, width, height, terrain.spacing[1] < 0.0) {
        let mut put = |cell: &u32| {
            #[allow(clippy::cast_possible_truncation)] // At most 65,535.
            let [high, low] = (pixel(cell) as u16).to_be_bytes();
            if count > BYTE {
                data.push(high);
            }
            data.push(low);
        };
        if terrain.spacing[0] < 0.0 {
            row.iter().rev().for_each(&mut put);
        } else {
            row.iter().for_each(&mut put);
        }
    }
    let mut writer = encoder.write_header()?;
    writer.write_image_data(&data)?;
    writer.finish()?;
    Ok(out)
}

//! Writes raw heights, and a description beside them.

use std::io::Write;

use mapwright_scene::{Heights, Losses, SideFile};

use super::{
    engine::{self, Samples},
    failed,
};
use crate::{
    Engine, Error, ErrorKind, ExportOptions, Format,
    fill::Missing,
    grid::Grid,
    raw::{ByteOrder, RawInfo, RowOrder},
};

/// The highest number of 16 bits.
const WHITE: f64 = 65535.0;

/// Writes the heights and returns their description. Refuses terrains with missing heights, which a raw file cannot mark.
pub(super) fn write(
    grid: &Grid<'_>,
    options: &ExportOptions,
    out: &mut dyn Write,
    losses: &mut Losses,
) -> Result<SideFile, Error> {
    let mut heights: Vec<f64> = Vec::new();
    let mut add = |row: &mut dyn Iterator<Item = f64>| heights.extend(row);
    match &*grid.heights {
        Heights::F32(values) => grid.rows(values).for_each(|row| add(&mut row.iter().map(|&height| height.into()))),
        Heights::Steps { step, values } => {
            grid.rows(values).for_each(|row| add(&mut row.iter().map(|&value| f64::from(value) * step)));
        }
    }
    #[allow(clippy::cast_possible_truncation)] // As they are stored in a scene.
    let narrow: Vec<f32> = heights.iter().map(|&height| height as f32).collect();
    if let Some(missing) = Missing::find(&narrow, grid.columns) {
        let text = missing.describe(grid.rows, grid.spacing, Some(grid.corner));
        return Err(Error::on_path(ErrorKind::MissingHeights(text), grid.heights_path()));
    }
    let is_16_bits = options.format != Format::R32;
    let engine = options.engine.filter(|_| is_16_bits);
    let Samples { heights, size: [columns, rows], spacing, range } = match engine {
        Some(engine) => engine::fit(&heights, grid, engine, options.max_bytes, losses)?,
        None => {
            let lowest = heights.iter().copied().fold(f64::INFINITY, f64::min);
            let highest = heights.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            Samples { heights, size: [grid.columns, grid.rows], spacing: grid.spacing, range: [lowest, highest] }
        }
    };
    let [low, high] = options.range.filter(|_| is_16_bits && engine.is_none()).unwrap_or(range);
    let order = match engine {
        Some(Engine::Unreal) => RowOrder::North,
        Some(Engine::Unity) => RowOrder::South,
        None => options.rows,
    };
    let is_big_endian = options.byte_order == ByteOrder::Big;
    let scale = if high > low { WHITE / (high - low) } else { 0.0 };
    let (mut clamped, mut off) = (0_u64, 0.0_f64);
    let mut lines: Vec<&[f64]> = heights.chunks(columns.max(1) as usize).collect();
    if order == RowOrder::South {
        lines.reverse();
    }
    let mut line = Vec::new();
    for row in lines {
        line.clear();
        for &height in row {
            if is_16_bits {
                let exact = (height - low) * scale;
                clamped += u64::from(!(-0.5..=WHITE + 0.5).contains(&exact));
                #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // Clamped.
                let number = exact.round().clamp(0.0, WHITE) as u16;
                if scale > 0.0 && (0.0..=WHITE).contains(&exact) {
                    off = off.max((f64::from(number) / scale + low - height).abs());
                }
                line.extend(if is_big_endian { number.to_be_bytes() } else { number.to_le_bytes() });
            } else {
                #[allow(clippy::cast_possible_truncation)] // Heights are 32-bit floats or can be rounded to them.
                let number = height as f32;
                line.extend(if is_big_endian { number.to_be_bytes() } else { number.to_le_bytes() });
            }
        }
        out.write_all(&line).map_err(failed)?;
    }
    if clamped > 0 {
        let text = format!("{} clamped to {low} … {high}", mapwright_io::format_count(clamped, "height"));
        losses.approximated(grid.heights_path(), text);
    }
    if off > 0.0 {
        let text = format!("rounded to steps of {:.2e}, by up to {off:.2e}", scale.recip());
        losses.approximated(grid.heights_path(), text);
    }
    let info = RawInfo {
        width: Some(columns),
        height: Some(rows),
        bpp: Some(if is_16_bits { 16 } else { 32 }),
        byte_order: Some(options.byte_order),
        rows: Some(order),
        min: Some(low),
        max: Some(high),
        spacing: Some(spacing),
        origin: Some(grid.corner),
    };
    let mut data = serde_json::to_vec_pretty(&info)
        .map_err(|error| Error::without_position(ErrorKind::Write(error.to_string())))?;
    data.push(b'\n');
    Ok(SideFile { name: format!("{}.json", options.name), data })
}

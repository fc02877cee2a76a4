//! Raw heights for the terrains of game engines.

use mapwright_scene::{Estimate, Losses};

use crate::{Engine, Error, error::exceeded, grid::Grid};

/// The numbers of samples that Unreal recommends, and those that Unity accepts.
const UNREAL_SIZES: [u32; 7] = [127, 253, 505, 1009, 2017, 4033, 8129];
const UNITY_SIZES: [u32; 8] = [33, 65, 129, 257, 513, 1025, 2049, 4097];
/// Numbers per metre at a scale of 1 in Unreal, and the number of the height 0.
const UNREAL_NUMBERS: f64 = 12_800.0;
const UNREAL_ZERO: f64 = 32_768.0;

/// Heights with the size that an engine needs.
pub(super) struct Samples {
    /// Row by row from the north.
    pub(super) heights: Vec<f64>,
    pub(super) size: [u32; 2],
    pub(super) spacing: [f64; 2],
    /// The heights of 0 and of 65535.
    pub(super) range: [f64; 2],
}

/// Resamples heights to a size of an engine, and chooses the range of their numbers. The first and the last point stay. A loss names the
/// settings of the engine.
///
/// # Errors
/// If the resampled heights would exceed `max_bytes`.
pub(super) fn fit(
    heights: &[f64],
    grid: &Grid<'_>,
    engine: Engine,
    max_bytes: u64,
    losses: &mut Losses,
) -> Result<Samples, Error> {
    let old = [grid.columns, grid.rows];
    let size = match engine {
        Engine::Unreal => old.map(|count| next_size(&UNREAL_SIZES, count)),
        Engine::Unity => [next_size(&UNITY_SIZES, grid.columns.max(grid.rows)); 2],
    };
    let count = size.into_iter().map(u64::from).product();
    Estimate::default().with(count, 2, size_of::<f64>() as u64).check(max_bytes).map_err(exceeded)?;
    // The steps between samples.
    let steps = |[columns, rows]: [u32; 2]| [columns, rows].map(|count| f64::from(count.saturating_sub(1)));
    let ([east, north], [columns, rows], [new_columns, new_rows]) = (grid.spacing, steps(old), steps(size));
    let extent = [east * columns, north * rows];
    let spacing = [extent[0] / new_columns.max(1.0), extent[1] / new_rows.max(1.0)];
    let heights = if size == old { heights.to_vec() } else { resample(heights, old, size) };
    if size != old {
        let text = format!("{} × {} heights resampled to {} × {}", old[0], old[1], size[0], size[1]);
        losses.approximated(grid.heights_path(), text);
    }
    let lowest = heights.iter().copied().fold(f64::INFINITY, f64::min);
    let highest = heights.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let span = highest - lowest;
    let (range, text) = match engine {
        Engine::Unreal => {
            // Half of the span is at most 32767 numbers, and the scale has four decimals.
            let scale = span / 2.0 / (UNREAL_ZERO - 1.0) * UNREAL_NUMBERS;
            let scale = if span > 0.0 { (scale * 1e4).ceil() / 1e4 } else { 100.0 };
            let (middle, step) = (f64::midpoint(lowest, highest), scale / UNREAL_NUMBERS);
            let range = [middle - UNREAL_ZERO * step, middle + (UNREAL_ZERO - 1.0) * step];
            let [x, y] = spacing.map(|step| shown(step * 100.0));
            (range, format!("enter in Unreal: scale X {x}, Y {y}, Z {scale}; location Z {}", shown(middle * 100.0)))
        }
        Engine::Unity => {
            let ([width, length], [height, y]) = (extent.map(shown), [span, lowest].map(shown));
            let text =
                format!("enter in Unity: terrain width {width}, length {length}, height {height}; position Y {y}");
            ([lowest, highest], text)
        }
    };
    losses.synthesized(grid.heights_path(), text);
    Ok(Samples { heights, size, spacing, range })
}

/// Rounds a number to the four decimals that the editors show.
fn shown(number: f64) -> f64 {
    (number * 1e4).round() / 1e4
}

/// Returns the lowest size that is at least a number of samples less one, or the highest.
fn next_size(sizes: &[u32], count: u32) -> u32 {
    let fits = sizes.iter().copied().find(|size| *size >= count.saturating_sub(1));
    fits.or(sizes.last().copied()).unwrap_or(count)
}

/// Interpolates linearly. The first and the last row and column stay.
fn resample(heights: &[f64], [columns, rows]: [u32; 2], [to_columns, to_rows]: [u32; 2]) -> Vec<f64> {
    let get = |column: u32, row: u32| {
        let index = row as usize * columns as usize + column as usize;
        heights.get(index).copied().unwrap_or_default()
    };
    // The sample before a new one, the one after it, and the part of the way between them.
    let places = |from: u32, to: u32| -> Vec<(u32, u32, f64)> {
        let last = from.saturating_sub(1);
        let step = f64::from(last) / f64::from(to.saturating_sub(1).max(1));
        let place = |sample: u32| {
            let at = f64::from(sample) * step;
            #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // It is an index of a sample.
            let before = (at.floor() as u32).min(last);
            (before, (before + 1).min(last), at - f64::from(before))
        };
        (0..to).map(place).collect()
    };
    let across = places(columns, to_columns);
    let row = |(above, below, down): (u32, u32, f64)| {
        across.iter().map(move |&(left, right, part)| {
            let [top, bottom] = [above, below].map(|row| get(left, row) + (get(right, row) - get(left, row)) * part);
            top + (bottom - top) * down
        })
    };
    places(rows, to_rows).into_iter().flat_map(row).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn planes_stay_planes() {
        let plane = |[columns, rows]: [u32; 2], step: [f64; 2]| -> Vec<f64> {
            let row = |row: u32| (0..columns).map(move |column| f64::from(column) * step[0] - f64::from(row) * step[1]);
            (0..rows).flat_map(row).collect()
        };
        let resampled = resample(&plane([3, 5], [4.0, 3.0]), [3, 5], [9, 3]);
        assert_eq!(resampled, plane([9, 3], [1.0, 6.0]));
        assert_eq!(resample(&[7.0], [1, 1], [2, 3]), [7.0; 6]);
        assert_eq!(
            [34, 33, 128, 129, 254, 100_000].map(|count| next_size(&UNREAL_SIZES, count)),
            [127, 127, 127, 253, 253, 8129]
        );
        assert_eq!([33, 34, 35].map(|count| next_size(&UNITY_SIZES, count)), [33, 33, 65]);
    }
}

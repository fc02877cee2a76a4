//! Writes grids of ESRI: numbers in one file, and a header beside it.

use std::fmt::Write as _;
use std::io::{self, Write};

use mapwright_scene::{Heights, Losses, SideFile};

use super::{number::millionths, text::NO_DATA};
use crate::{ExportOptions, Format, grid::Grid};

/// Writes the numbers and returns the header.
pub(super) fn write(
    grid: &Grid<'_>,
    options: &ExportOptions,
    out: &mut dyn Write,
    losses: &mut Losses,
) -> io::Result<SideFile> {
    // Neither header stores a scale, so steps other than 1 become floats.
    let integers = match &*grid.heights {
        Heights::Steps { step, values } if *step == 1.0 && options.format == Format::Bil => Some(values),
        _ => None,
    };
    let mut line = Vec::with_capacity(grid.columns as usize * 4);
    let mut write_row = |row: &mut dyn Iterator<Item = [u8; 4]>, size: usize| {
        line.clear();
        row.for_each(|bytes| line.extend(bytes.iter().take(size)));
        out.write_all(&line)
    };
    match (&*grid.heights, integers) {
        (_, Some(values)) => {
            for row in grid.rows(values) {
                let bytes = |value: &i16| {
                    let [low, high] = value.to_le_bytes();
                    [low, high, 0, 0]
                };
                write_row(&mut row.iter().map(bytes), 2)?;
            }
        }
        (Heights::F32(heights), None) => {
            for row in grid.rows(heights) {
                let known = |height: &f32| if height.is_finite() { *height } else { NO_DATA };
                write_row(&mut row.iter().map(|height| known(height).to_le_bytes()), 4)?;
            }
        }
        (Heights::Steps { step, values }, None) => {
            for row in grid.rows(values) {
                #[allow(clippy::cast_possible_truncation)] // To the nearest 32-bit float.
                let height = |value: &i16| (f64::from(*value) * step) as f32;
                write_row(&mut row.iter().map(|value| height(value).to_le_bytes()), 4)?;
            }
            if *step != 1.0 {
                losses.preserved(grid.heights_path(), format!("height steps of {step} written as 32-bit floats"));
            }
        }
    }
    let [x, y] = grid.corner;
    let [dx, dy] = grid.spacing;
    let mut text = String::new();
    // Writing to a string never fails.
    let mut add = |keyword: &str, value: &str| _ = writeln!(text, "{keyword:<14} {value}");
    let [columns, rows] = [grid.columns, grid.rows].map(|count| count.to_string());
    if options.format == Format::Flt && dx == dy {
        add("ncols", &columns);
        add("nrows", &rows);
        add("xllcorner", &millionths(x - dx / 2.0));
        add("yllcorner", &millionths(y - dy / 2.0));
        add("cellsize", &millionths(dx));
        add("NODATA_value", &NO_DATA.to_string());
        add("byteorder", "LSBFIRST");
    } else {
        let bits = if integers.is_some() { 16_u32 } else { 32 };
        let row_bytes = (u64::from(grid.columns) * u64::from(bits / 8)).to_string();
        add("BYTEORDER", "I");
        add("LAYOUT", "BIL");
        add("NROWS", &rows);
        add("NCOLS", &columns);
        add("NBANDS", "1");
        add("NBITS", &bits.to_string());
        add("BANDROWBYTES", &row_bytes);
        add("TOTALROWBYTES", &row_bytes);
        add("PIXELTYPE", if integers.is_some() { "SIGNEDINT" } else { "FLOAT" });
        add("ULXMAP", &millionths(x));
        add("ULYMAP", &millionths(grid.north()));
        add("XDIM", &millionths(dx));
        add("YDIM", &millionths(dy));
        if integers.is_none() {
            add("NODATA", &NO_DATA.to_string());
        }
    }
    Ok(SideFile { name: format!("{}.hdr", options.name), data: text.into_bytes() })
}

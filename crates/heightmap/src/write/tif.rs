//! Writes heights as GeoTIFF files.

use std::{fmt::Write, io::Cursor};

use mapwright_scene::Heights;
use tiff::{
    encoder::{
        TiffEncoder, TiffValue,
        colortype::{ColorType, Gray32Float, GrayI16},
    },
    tags::Tag,
};

use crate::{
    Error, ErrorKind,
    crs::{GeoKeys, GeoTags, local_keys},
    grid::Grid,
    names::tif_tags as tags,
};

pub(super) fn write(grid: &Grid<'_>, metres_per_unit: Option<f64>) -> Result<Vec<u8>, Error> {
    let written = match &*grid.heights {
        Heights::F32(heights) => {
            let metadata = metadata(None, metres_per_unit);
            let no_data = heights.iter().any(|height| height.is_nan()).then_some("nan");
            write_image::<Gray32Float>(grid, heights, (metadata, no_data), metres_per_unit)
        }
        // All 16-bit numbers are heights, so there is no value for points without one.
        Heights::Steps { step, values } => {
            let metadata = metadata(Some(*step), metres_per_unit);
            write_image::<GrayI16>(grid, values, (metadata, None), metres_per_unit)
        }
    };
    // Writing to memory fails if the file is too large for the offsets of the format.
    written.map_err(|error| Error::on_path(ErrorKind::Write(error.to_string()), &grid.path))
}

fn write_image<C: ColorType>(
    grid: &Grid<'_>,
    heights: &[C::Inner],
    (metadata, no_data): (Option<String>, Option<&str>),
    metres_per_unit: Option<f64>,
) -> tiff::TiffResult<Vec<u8>>
where
    C::Inner: Copy,
    [C::Inner]: TiffValue,
{
    let mut out = Cursor::new(Vec::new());
    let mut encoder = TiffEncoder::new(&mut out)?;
    let mut image = encoder.new_image::<C>(grid.columns, grid.rows)?;
    let directory = image.encoder();
    let [dx, dy] = grid.spacing;
    directory.write_tag(Tag::ModelPixelScaleTag, &[dx, dy, 0.0][..])?;
    let place = [grid.corner[0] - dx / 2.0, grid.north() + dy / 2.0];
    directory.write_tag(Tag::ModelTiepointTag, &[0.0, 0.0, 0.0, place[0], place[1], 0.0][..])?;
    let keys = match (&grid.crs, metres_per_unit) {
        (Some(crs), _) => crs.to_keys(),
        (None, Some(1.0)) => local_keys(),
        (None, _) => GeoKeys::default(),
    };
    let GeoTags { directory: keys, doubles, ascii } = keys.write();
    directory.write_tag(Tag::GeoKeyDirectoryTag, &keys[..])?;
    if !doubles.is_empty() {
        directory.write_tag(Tag::GeoDoubleParamsTag, &doubles[..])?;
    }
    if !ascii.is_empty() {
        directory.write_tag(Tag::GeoAsciiParamsTag, ascii.as_str())?;
    }
    if let Some(metadata) = metadata {
        directory.write_tag(Tag::Unknown(tags::GDAL_METADATA), metadata.as_str())?;
    }
    if let Some(no_data) = no_data {
        directory.write_tag(Tag::GdalNodata, no_data)?;
    }
    let mut rows = grid.rows(heights);
    let mut strip = Vec::new();
    loop {
        let samples = usize::try_from(image.next_strip_sample_count())?;
        if samples == 0 {
            break;
        }
        strip.clear();
        while strip.len() < samples {
            let Some(row) = rows.next() else { break };
            strip.extend_from_slice(row);
        }
        image.write_strip(&strip)?;
    }
    image.finish()?;
    Ok(out.into_inner())
}

/// Returns the metadata of the channel for GDAL.
fn metadata(step: Option<f64>, metres_per_unit: Option<f64>) -> Option<String> {
    let mut items = String::new();
    // Writing to a string never fails.
    if let Some(step) = step {
        let _ = write!(items, "<Item name=\"SCALE\" sample=\"0\" role=\"scale\">{step}</Item>");
        items.push_str("<Item name=\"OFFSET\" sample=\"0\" role=\"offset\">0</Item>");
    }
    if let Some(metres) = metres_per_unit {
        if metres == 1.0 {
            items.push_str("<Item name=\"UNITTYPE\" sample=\"0\" role=\"unittype\">m</Item>");
        } else {
            let _ = write!(items, "<Item name=\"{}\">{metres}</Item>", tags::METRES_PER_UNIT);
        }
    }
    (!items.is_empty()).then(|| format!("<GDALMetadata>{items}</GDALMetadata>\n"))
}

//! Heightmaps, and texture cells of terrain.

use mapwright_heightmap as heightmap;
use mapwright_heightmap::{Corner, Format as Kind, cells};
use mapwright_io::Confidence;
use mapwright_scene::{Content, FileSource, Files, Losses, Scene};
use serde::Serialize;

use super::{FormatEntry, maybe_if, text_start};
use crate::document::SceneFile;
use crate::info::Summary;
use crate::{AnyDocument, Axis, ConvertOptions, Error, Format, ReadOptions};

const BASE: FormatEntry = FormatEntry {
    imports: true,
    is_drawn: true,
    axes: Some("x east, y north, heights up"),
    up: Some(Axis::Y),
    axis_change: heightmap::AXES,
    read: |bytes, format, options| read(&bytes, format, options),
    write_scene: Some(write_scene),
    summarize: Some(|file| match HeightmapInfo::new(file) {
        Some(info) => Summary::new().with("heightmap", &info),
        None => Summary::new(),
    }),
    ..FormatEntry::BASE
};

pub(super) static ASC_ENTRY: FormatEntry =
    FormatEntry { capabilities: Some(|| heightmap::capabilities(Kind::Asc)), sniff: sniff_asc, ..BASE };

pub(super) static TIF_ENTRY: FormatEntry = FormatEntry {
    is_image: true,
    capabilities: Some(|| heightmap::capabilities(Kind::Tif)),
    sniff: |prefix| maybe_if(matches!(prefix, [b'I', b'I', 42 | 43, 0, ..] | [b'M', b'M', 0, 42 | 43, ..])),
    ..BASE
};

/// Most PNG files are not heightmaps, so only the name of a file can lead to this format.
pub(super) static PNG_ENTRY: FormatEntry =
    FormatEntry { is_image: true, capabilities: Some(|| heightmap::capabilities(Kind::Png)), ..BASE };

/// Most lines of numbers are not heightmaps, so only the name of a file can lead to this format.
pub(super) static XYZ_ENTRY: FormatEntry =
    FormatEntry { capabilities: Some(|| heightmap::capabilities(Kind::Xyz)), ..BASE };

// These have no signature, so only the extension identifies them.
pub(super) static BIL_ENTRY: FormatEntry =
    FormatEntry { capabilities: Some(|| heightmap::capabilities(Kind::Bil)), ..BASE };
pub(super) static FLT_ENTRY: FormatEntry =
    FormatEntry { capabilities: Some(|| heightmap::capabilities(Kind::Flt)), ..BASE };

pub(super) static R16_ENTRY: FormatEntry =
    FormatEntry { capabilities: Some(|| heightmap::capabilities(Kind::R16)), ..BASE };
pub(super) static R32_ENTRY: FormatEntry =
    FormatEntry { capabilities: Some(|| heightmap::capabilities(Kind::R32)), ..BASE };

pub(super) static CELLS_ENTRY: FormatEntry = FormatEntry {
    is_drawn: false,
    capabilities: Some(cells::capabilities),
    sniff: sniff_cells,
    read: |bytes, format, options| read_cells(&bytes, format, options),
    write_scene: Some(write_cells),
    summarize: None,
    ..BASE
};

/// Returns the kind of heightmap. Texture cells are not one.
fn kind(format: Format) -> Option<Kind> {
    match format {
        Format::Asc => Some(Kind::Asc),
        Format::Tif => Some(Kind::Tif),
        Format::HeightPng => Some(Kind::Png),
        Format::Xyz => Some(Kind::Xyz),
        Format::Bil => Some(Kind::Bil),
        Format::Flt => Some(Kind::Flt),
        Format::R16 => Some(Kind::R16),
        Format::R32 => Some(Kind::R32),
        _ => None,
    }
}

/// Recognizes text that begins with one of the two keywords of every header, and a number.
fn sniff_asc(prefix: &[u8]) -> Confidence {
    let Some((keyword, rest)) = text_start(prefix).split_first_chunk::<5>() else { return Confidence::No };
    let is_header = keyword.eq_ignore_ascii_case(b"ncols") || keyword.eq_ignore_ascii_case(b"nrows");
    let is_number = || rest.trim_ascii_start().first().is_some_and(u8::is_ascii_digit);
    if is_header && rest.first().is_some_and(u8::is_ascii_whitespace) && is_number() {
        Confidence::Certain
    } else {
        Confidence::No
    }
}

/// Recognizes a PNG that names a legend.
fn sniff_cells(prefix: &[u8]) -> Confidence {
    let names_legend = |chunk: &[u8]| matches!(chunk, b"tEXtlegend\0" | b"iTXtlegend\0");
    maybe_if(prefix.starts_with(b"\x89PNG") && prefix.windows(11).any(names_legend))
}

fn read(bytes: &[u8], format: Format, options: &ReadOptions) -> Result<AnyDocument, Error> {
    let mut reading = options.heightmap.clone();
    reading.format = kind(format);
    if let (Format::HeightPng | Format::R16 | Format::R32, Some(cell)) = (format, options.cell) {
        reading.spacing = Some([f64::from(cell); 2]);
    }
    reading.max_bytes = options.max_expanded.unwrap_or(reading.max_bytes);
    let stem = options.path.as_deref().and_then(std::path::Path::file_stem);
    let beside = |extension: &str| stem.map(|stem| format!("{}.{extension}", stem.to_string_lossy()));
    reading.world_file = beside("pgw").or(reading.world_file);
    reading.projection_file = beside("prj").or(reading.projection_file);
    reading.header_file = beside("hdr").or(reading.header_file);
    reading.description_file = beside("json").or(reading.description_file);
    // The shortest decimal number, not the nearest one of single precision.
    let height_unit = options.height_unit.and_then(|metres| metres.to_string().parse().ok());
    reading.height_unit = height_unit.or(reading.height_unit);
    let files = options.files();
    let import = heightmap::to_scene(bytes, &files, &reading)?;
    let no_data = kind(format).and_then(|kind| heightmap::no_data_value(bytes, kind));
    Ok(SceneFile { format, import, side_files: files.into_loaded(), has_shading: true, no_data }.into())
}

fn read_cells(bytes: &[u8], format: Format, options: &ReadOptions) -> Result<AnyDocument, Error> {
    let mut reading = cells::ImportOptions::default();
    reading.max_bytes = options.max_expanded.unwrap_or(reading.max_bytes);
    let files = options.files();
    let import = cells::to_scene(bytes, &files, &reading)?;
    Ok(SceneFile { format, import, side_files: files.into_loaded(), has_shading: true, no_data: None }.into())
}

fn write_scene(
    scene: &mut Scene,
    to: Format,
    _files: &dyn FileSource,
    options: &ConvertOptions,
) -> Result<(Files, Losses), Error> {
    let mut writing = options.heightmap.clone().with_name(&options.stem).with_max_bytes(options.max_output);
    writing.format = kind(to).unwrap_or_default();
    let mut losses = Losses::new();
    if options.scale != 1.0 && scene.properties.get(heightmap::CRS_PROPERTY).is_some() {
        scene.properties.entries.retain(|(name, _)| name != heightmap::CRS_PROPERTY);
        losses.dropped("properties.crs", "coordinate reference system: the lengths are scaled");
    }
    // Terrain Builder takes the corner of a grid as its south-western point.
    let source = scene.properties.get("format").and_then(|name| Format::from_name(name.as_text()?));
    if source.is_some_and(Format::is_terrain) {
        writing.corner.get_or_insert(Corner::Point);
    }
    let export = heightmap::from_scene(scene, &writing)?;
    losses.append(export.losses);
    Ok((export.document, losses))
}

fn write_cells(
    scene: &mut Scene,
    _to: Format,
    _files: &dyn FileSource,
    options: &ConvertOptions,
) -> Result<(Files, Losses), Error> {
    let writing = cells::ExportOptions::default().with_name(&options.stem).with_max_bytes(options.max_output);
    let export = cells::from_scene(scene, &writing)?;
    Ok((export.document, export.losses))
}

/// A summary of a heightmap.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct HeightmapInfo {
    /// Columns and rows.
    pub size: [u32; 2],
    /// Distance between points, east and north, in units of length.
    pub cell: [f64; 2],
    /// The lowest and the highest height.
    pub range: Option<[f64; 2]>,
    /// Number of points without a height.
    pub no_data: usize,
    /// The value that marks them in an ESRI ASCII grid or a TIFF; NaN is `null` in JSON. `None`: not stored, or another format.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub no_data_value: Option<f64>,
    /// East and north of the south-western point on the map.
    pub origin: [f64; 2],
    /// The coordinate reference system. `None`: not stored.
    pub crs: Option<String>,
    /// Metres per unit of the map in the file, if it is not metres.
    pub map_unit: Option<f64>,
}

impl HeightmapInfo {
    /// Summarizes the heightmap of a file, if it has one.
    pub(crate) fn new(file: &SceneFile) -> Option<Self> {
        let scene = &file.import.scene;
        let visit = scene.walk().find(|visit| matches!(visit.node.content, Content::Terrain(_)))?;
        let Content::Terrain(id) = visit.node.content else { return None };
        let terrain = scene.terrains.get(id)?;
        let [x, _, z] = visit.world.origin();
        let [east, north] = heightmap::TERRAIN_BUILDER_ORIGIN;
        let mut info = Self {
            size: terrain.size,
            cell: terrain.spacing.map(f64::abs),
            range: None,
            no_data: 0,
            no_data_value: file.no_data,
            origin: [east + x, north - z],
            crs: None,
            map_unit: None,
        };
        for height in (0..terrain.heights.len()).filter_map(|vertex| terrain.heights.get(vertex)) {
            #[allow(clippy::cast_possible_truncation)] // Heights are 32-bit floats, or smaller.
            if heightmap::is_missing(height as f32) {
                info.no_data += 1;
            } else {
                let [low, high] = info.range.unwrap_or([height; 2]);
                info.range = Some([low.min(height), high.max(height)]);
            }
        }
        if let Some((name, unit)) = heightmap::coordinate_system(scene) {
            (info.crs, info.map_unit) = (Some(name), (unit != 1.0).then_some(unit));
        }
        Some(info)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn images_of_cells_are_recognized_by_their_legend() {
        let png = b"\x89PNG\r\n\x1a\n\0\0\0\x0etEXtlegend\0a.json";
        assert_eq!([png, &png[..20]].map(|bytes| Format::CellPng.sniff(bytes)), [Confidence::Maybe, Confidence::No]);
    }
}

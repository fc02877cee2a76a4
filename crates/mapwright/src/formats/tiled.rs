//! Tiled maps.

use mapwright_interchange::tiled::{self, ExportOptions, ImportOptions};
use mapwright_io::Confidence;
use mapwright_scene::{FileSource, Files, Losses, Scene};

use super::{FormatEntry, maybe_if, text_start};
use crate::document::SceneFile;
use crate::{AnyDocument, Axis, ConvertOptions, Error, Format, ReadOptions};

pub(super) static XML_ENTRY: FormatEntry = FormatEntry {
    imports: true,
    is_drawn: true,
    has_hidden_nodes: true,
    has_pixel_grid: true,
    axes: Some("x to the right, y down the screen, pixels"),
    up: Some(Axis::Y),
    axis_change: tiled::AXES,
    capabilities: Some(tiled::capabilities),
    sniff: sniff_xml,
    read: |bytes, format, options| read(&bytes, format, options),
    write_scene: Some(write_scene),
    ..FormatEntry::BASE
};

pub(super) static JSON_ENTRY: FormatEntry = FormatEntry { sniff: sniff_json, ..XML_ENTRY };

/// Recognizes XML with the element `map`.
fn sniff_xml(prefix: &[u8]) -> Confidence {
    let text = text_start(prefix);
    let mut elements = text.windows(4).zip(text.get(4..).unwrap_or_default());
    maybe_if(text.starts_with(b"<") && elements.any(|(part, next)| part == b"<map" && next.is_ascii_whitespace()))
}

/// Recognizes a JSON object with keys that maps have near their start, in the order of Tiled or of other programs.
fn sniff_json(prefix: &[u8]) -> Confidence {
    let text = text_start(prefix);
    let has = |key: &&[u8]| text.windows(key.len()).any(|part| part == *key);
    let keys: [&[u8]; 3] = [b"\"layers\"", b"\"tiledversion\"", b"\"tilewidth\""];
    maybe_if(text.starts_with(b"{") && keys.iter().any(has))
}

fn read(bytes: &[u8], format: Format, options: &ReadOptions) -> Result<AnyDocument, Error> {
    let mut reading = ImportOptions::default();
    reading.max_objects = options.max_objects;
    reading.max_bytes = options.max_expanded.unwrap_or(reading.max_bytes);
    let files = options.files();
    let mut import = tiled::to_scene(bytes, &files, &reading)?;
    files.report_substitutes(&mut import.losses);
    Ok(SceneFile { format, import, side_files: files.into_loaded(), has_shading: true, no_data: None }.into())
}

fn write_scene(
    scene: &mut Scene,
    to: Format,
    files: &dyn FileSource,
    options: &ConvertOptions,
) -> Result<(Files, Losses), Error> {
    let format = if to == Format::Tmx { tiled::Format::Tmx } else { tiled::Format::Tmj };
    let writing = ExportOptions::default()
        .with_format(format)
        .with_name(&options.stem)
        .with_max_bytes(options.max_output)
        .with_max_image_bytes(options.max_pixel_bytes);
    let export = tiled::from_scene(scene, files, &writing)?;
    Ok((export.document, export.losses))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tiled_maps_are_recognized_by_their_start() {
        let xml = b"<?xml version=\"1.0\"?>\n<map version=\"1.10\">";
        let json = b"{ \"compressionlevel\":-1, \"height\":2, \"layers\":[";
        assert_eq!([xml, &json[..]].map(|bytes| Format::Tmx.sniff(bytes)), [Confidence::Maybe, Confidence::No]);
        assert_eq!([xml, &json[..]].map(|bytes| Format::Tmj.sniff(bytes)), [Confidence::No, Confidence::Maybe]);
        assert_eq!(Format::Tmx.sniff(b"<mapper/>"), Confidence::No);
    }
}

//! glTF 2.0.

use mapwright_interchange::gltf::{self, Container, ExportOptions, ImportOptions};
use mapwright_io::Confidence;
use mapwright_scene::{FileSource, Files, Losses, Scene};

use super::{FormatEntry, maybe_if, text_start};
use crate::document::SceneFile;
use crate::{AnyDocument, Axis, ConvertOptions, Error, Format, ReadOptions};

pub(super) static ENTRY: FormatEntry = FormatEntry {
    imports: true,
    is_drawn: true,
    contains_models: true,
    has_hidden_nodes: true,
    axes: Some("right-handed, Y up"),
    up: Some(Axis::Y),
    metres_per_unit: Some(1.0),
    capabilities: Some(gltf::capabilities),
    sniff: sniff_json,
    read: |bytes, format, options| read(&bytes, format, options),
    write_scene: Some(write_scene),
    has_meshes: Some(|bytes| gltf::has_meshes(bytes) == Ok(true)),
    ..FormatEntry::BASE
};

pub(super) static BINARY_ENTRY: FormatEntry = FormatEntry { sniff: sniff_binary, ..ENTRY };

fn sniff_binary(prefix: &[u8]) -> Confidence {
    if prefix.starts_with(b"glTF") { Confidence::Certain } else { Confidence::No }
}

/// Recognizes a JSON object with the key `asset`, which glTF requires, near its start.
fn sniff_json(prefix: &[u8]) -> Confidence {
    let text = text_start(prefix);
    maybe_if(text.starts_with(b"{") && text.windows(7).any(|part| part == b"\"asset\""))
}

fn read(bytes: &[u8], format: Format, options: &ReadOptions) -> Result<AnyDocument, Error> {
    let mut reading = ImportOptions::default();
    reading.max_objects = options.max_objects;
    reading.max_bytes = options.max_expanded;
    let files = options.files();
    let mut import = gltf::to_scene(bytes, &files, &reading)?;
    files.report_substitutes(&mut import.losses);
    Ok(SceneFile { format, import, side_files: files.into_loaded(), has_shading: true, no_data: None }.into())
}

fn write_scene(
    scene: &mut Scene,
    to: Format,
    files: &dyn FileSource,
    options: &ConvertOptions,
) -> Result<(Files, Losses), Error> {
    let container = if to == Format::Glb { Container::Glb } else { Container::Gltf };
    let writing = ExportOptions::default()
        .with_container(container)
        .with_name(&options.stem)
        .with_hidden(options.hidden)
        .with_bake_boxes(options.bake_boxes)
        .with_max_bytes(options.max_output)
        .with_max_image_bytes(options.max_pixel_bytes);
    let export = gltf::from_scene(scene, files, &writing)?;
    Ok((export.document, export.losses))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_containers_are_recognized() {
        assert_eq!(Format::Glb.sniff(b"glTF\x02\0\0\0"), Confidence::Certain);
        assert_eq!(Format::Gltf.sniff(b"{\n \"asset\": {\"version\": \"2.0\"}}"), Confidence::Maybe);
        assert_eq!(Format::Gltf.sniff(b"{\"name\": 1}"), Confidence::No);
        assert_eq!(Format::Gltf.sniff(b"[\"asset\"]"), Confidence::No);
    }
}

//! Quake maps.

use mapwright_interchange::map::{self, ExportOptions, ImportOptions};
use mapwright_io::Confidence;
use mapwright_scene::{FileSource, Files, Losses, Scene};

use super::{FormatEntry, text_start};
use crate::document::SceneFile;
use crate::{AnyDocument, Axis, ConvertOptions, Error, Format, ReadOptions};

pub(super) static ENTRY: FormatEntry = FormatEntry {
    imports: true,
    is_drawn: true,
    axes: Some("right-handed, Z up, units of about 1/32 m"),
    up: Some(Axis::Z),
    game_unit: Some(map::METRES),
    axis_change: map::AXES,
    capabilities: Some(map::capabilities),
    sniff,
    read: |bytes, format, options| read(&bytes, format, options),
    write_scene: Some(write_scene),
    ..FormatEntry::BASE
};

/// Recognizes a brace, possibly after comments, that is followed by a quoted key or another brace.
fn sniff(prefix: &[u8]) -> Confidence {
    let mut text = text_start(prefix);
    let mut marks = [0_u8; 2];
    for mark in &mut marks {
        text = text.trim_ascii_start();
        while text.starts_with(b"//") {
            let end = text.iter().position(|&byte| byte == b'\n').unwrap_or(text.len());
            text = text.get(end..).unwrap_or_default().trim_ascii_start();
        }
        let Some((first, rest)) = text.split_first() else { return Confidence::No };
        (*mark, text) = (*first, rest);
    }
    // In JSON, a colon follows the first text.
    let is_key = || {
        let mut rest = text.splitn(2, |&byte| byte == b'"').skip(1);
        rest.next().is_some_and(|rest| rest.trim_ascii_start().starts_with(b"\""))
    };
    match marks {
        [b'{', b'"'] if is_key() => Confidence::Maybe,
        [b'{', b'{'] => Confidence::Maybe,
        _ => Confidence::No,
    }
}

fn read(bytes: &[u8], format: Format, options: &ReadOptions) -> Result<AnyDocument, Error> {
    let mut reading = ImportOptions::default();
    reading.max_objects = options.max_objects;
    let import = map::to_scene(bytes, &reading)?;
    Ok(SceneFile { format, import, side_files: Vec::new(), has_shading: true, no_data: None }.into())
}

fn write_scene(
    scene: &mut Scene,
    _to: Format,
    _files: &dyn FileSource,
    options: &ConvertOptions,
) -> Result<(Files, Losses), Error> {
    let writing = ExportOptions::default().with_projection(options.projection).with_max_bytes(options.max_output);
    let export = map::from_scene(scene, &writing)?;
    Ok((export.document, export.losses))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quake_maps_are_recognized_by_their_first_words() {
        let sniff = |text: &str| Format::Map.sniff(text.as_bytes());
        assert_eq!(sniff("// Game: Quake\n// entity 0\n{\n\"classname\" \"worldspawn\""), Confidence::Maybe);
        assert_eq!(sniff("{ { ( 0 0 0 )"), Confidence::Maybe);
        assert_eq!(sniff("{\"asset\": {}}"), Confidence::No);
        assert_eq!(sniff("// WMP2\n// ACKWED\nblocks 1"), Confidence::No);
        assert_eq!(sniff("// only"), Confidence::No);
    }
}

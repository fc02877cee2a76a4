//! Wavefront OBJ.

use std::borrow::Cow;

use mapwright_interchange::obj::{self, ExportOptions, ImportOptions};
use mapwright_io::Confidence;
use mapwright_scene::{Export, FileKind, FileSource, Files, ImageSource, Losses, Scene, images::unread_image_text};

use super::FormatEntry;
use crate::document::SceneFile;
use crate::{AnyDocument, ConvertOptions, Error, Format, ReadOptions};

pub(super) static ENTRY: FormatEntry = FormatEntry {
    imports: true,
    is_drawn: true,
    contains_models: true,
    axes: Some("right-handed, up not stated and assumed to be Y"),
    capabilities: Some(obj::capabilities),
    sniff,
    read,
    write_scene: Some(write_scene),
    ..FormatEntry::BASE
};

/// Recognizes OBJ statements, at least one of which does not occur in other text formats.
fn sniff(prefix: &[u8]) -> Confidence {
    const DISTINCTIVE: [&[u8]; 6] = [b"v", b"vt", b"vn", b"f", b"mtllib", b"usemtl"];
    const OTHERS: [&[u8]; 6] = [b"o", b"g", b"s", b"l", b"p", b"vp"];
    let mut lines: Vec<&[u8]> = prefix.split(|&byte| byte == b'\n').collect();
    // The last line may be incomplete.
    if lines.len() > 1 {
        lines.pop();
    }
    let mut found = Confidence::No;
    for line in lines {
        let Some(word) = line.split(u8::is_ascii_whitespace).find(|word| !word.is_empty()) else { continue };
        if DISTINCTIVE.contains(&word) {
            found = Confidence::Maybe;
        } else if !OTHERS.contains(&word) && !word.starts_with(b"#") {
            return Confidence::No;
        }
    }
    found
}

fn read(bytes: Cow<'_, [u8]>, format: Format, options: &ReadOptions) -> Result<AnyDocument, Error> {
    let size = |number| usize::try_from(number).unwrap_or(usize::MAX);
    let mut reading = ImportOptions::default();
    reading.max_items = options.max_objects.map_or(reading.max_items, size);
    reading.max_image_bytes = options.max_expanded.map_or(reading.max_image_bytes, size);
    let files = options.files();
    let has_shading = has_shading(&bytes);
    let mut import = obj::to_scene(bytes, &files, &reading)?;
    files.report_substitutes(&mut import.losses);
    Ok(SceneFile { format, import, side_files: files.into_loaded(), has_shading, no_data: None }.into())
}

/// Returns `true` if a file has smoothing groups or normals.
fn has_shading(bytes: &[u8]) -> bool {
    let mut lines = bytes.split(|byte| matches!(byte, b'\n' | b'\r')).map(<[u8]>::trim_ascii_start);
    lines.any(|line| matches!(line, [b's', space, ..] | [b'v', b'n', space, ..] if space.is_ascii_whitespace()))
}

fn write_scene(
    scene: &mut Scene,
    _to: Format,
    files: &dyn FileSource,
    options: &ConvertOptions,
) -> Result<(Files, Losses), Error> {
    let writing = ExportOptions::default()
        .with_name(&options.stem)
        .with_max_bytes(options.max_output)
        .with_max_image_bytes(options.max_pixel_bytes);
    let Export { document, mut losses } = obj::from_scene(scene, &writing)?;
    // The library refers to these files, which are not copied.
    for (id, image) in scene.images.iter() {
        if let ImageSource::External { path } = &image.source
            && let Err(reason) = files.load(path, FileKind::Image)
        {
            losses.preserved(format!("images[{}]", id.index()), unread_image_text(path, reason));
        }
    }
    Ok((document, losses))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shading_is_stated_by_groups_or_normals() {
        assert!(!has_shading(b"o s\nv 0 0 0\nvt 0 0\nusemtl s 1\n# s 1"));
        assert!(has_shading(b"v 0 0 0\r s off\r"));
        assert!(has_shading(b"v 0 0 0\nvn\t0 0 1"));
    }

    #[test]
    fn obj_is_recognized_by_its_statements() {
        let sniff = |text: &str| Format::Obj.sniff(text.as_bytes());
        assert_eq!(sniff("# made by hand\no cube\nv 1 2 3\nv 1 2"), Confidence::Maybe);
        assert_eq!(sniff("mtllib cube.mtl\r\n\r\nv 1 2 3\r\n"), Confidence::Maybe);
        assert_eq!(sniff("# A title\n"), Confidence::No);
        assert_eq!(sniff("# A title\nv ery\nplain text\n"), Confidence::No);
        assert_eq!(sniff(""), Confidence::No);
    }
}

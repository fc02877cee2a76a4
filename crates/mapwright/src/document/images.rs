//! Checks the images of files of interchange formats.

use std::borrow::Cow;

use mapwright_io::{Finding, Path, Severity};
use mapwright_scene::{
    FileError, FileKind, FileSource, Image, ImageId, ImageSource, LossKind, Losses, Scene, images::decode_image,
};

use super::{FormatDocument, SceneFile};
use crate::{ConvertOptions, FilesBeside};

/// Checks a file together with its images.
pub(super) fn validate_with(file: &SceneFile, files: &FilesBeside) -> Vec<Finding> {
    let mut findings = file.validate();
    for image in image_findings(&file.import.scene, files) {
        // Replace the finding of the reader that only the path of this image is preserved.
        let note = format!("{}: {}: image ", LossKind::Preserved.name(), image.path);
        findings.retain(|finding| finding.code != "import-loss" || !finding.message.starts_with(&note));
        findings.push(image);
    }
    findings
}

/// Returns a warning for each image of a scene that is missing or cannot be decoded.
fn image_findings(scene: &Scene, files: &FilesBeside) -> Vec<Finding> {
    let max_bytes = ConvertOptions::default().max_pixel_bytes;
    let finding = |(id, image): (ImageId, &Image)| {
        let (name, loaded) = match &image.source {
            ImageSource::Pixels(_) => return None,
            ImageSource::Encoded { data, .. } => (&*image.name, Ok(Cow::Borrowed(data))),
            ImageSource::External { path } => (&**path, files.load(path, FileKind::Image).map(Cow::Owned)),
        };
        let (code, reason) = match loaded {
            // The options forbid reading other files.
            Err(FileError::Disabled) => return None,
            Err(reason) => ("image-missing", reason.to_string()),
            Ok(data) if decode_image(&data, name, max_bytes, "", &mut Losses::new()).is_some() => return None,
            Ok(_) => ("image-damaged", "it cannot be decoded, or it exceeds the limit".to_owned()),
        };
        let finding = Finding::new(code, Severity::Warning, format!("image {name:?}: {reason}"));
        Some(finding.with_path(Path::from(&*format!("images[{}]", id.index()))))
    };
    scene.images.iter().filter_map(finding).collect()
}

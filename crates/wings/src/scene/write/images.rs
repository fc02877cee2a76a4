//! Images.

use std::collections::HashSet;

use mapwright_scene as scene;
use mapwright_scene::{ImageId, PixelFormat, Pixels};

use super::context::WriteContext;
use crate::scene::materials::flip_rows;
use crate::scene::report::{report_image_properties, report_unread};
use crate::{Image, ImageSource, WriteError};

/// Writes the images: those of the document in place, then the new ones. Returns the number in the file of each image.
pub(super) fn write_images(context: &mut WriteContext<'_>) -> Result<Vec<Option<i64>>, WriteError> {
    let scene = context.scene;
    let mut ids = Vec::with_capacity(scene.images.len());
    let mut images = context.model.images();
    let before = images.clone();
    let mut next =
        images.iter().filter_map(|image| image.id.root().as_i64()).max().map_or(1, |id| id.saturating_add(1));
    let wanted = wanted_images(context);
    for (id, image) in scene.images.iter() {
        let old = context.base.and_then(|base| base.scene.images.get(id));
        let place = context.base.and_then(|base| base.images.get(id.index()).copied());
        if let Some(place) = place
            && old == Some(image)
        {
            ids.push(images[place].id.root().as_i64());
            continue;
        }
        // An image that was inside a material is written only if a changed material uses it.
        let is_unused = place.is_none() && old == Some(image) && !wanted.contains(&id);
        let path = format!("images[{}]", id.index());
        let source = if is_unused { None } else { convert_source(image, &path, context) };
        let Some(source) = source else {
            ids.push(None);
            continue;
        };
        let old_id = place.and_then(|place| images[place].id.root().as_i64());
        let number = old_id.unwrap_or(next);
        next = next.max(number.saturating_add(1));
        // Wings crashes when it needs another name for a second image without one.
        if image.name.is_empty() {
            context.losses.synthesized(&path, "name of the image");
        }
        let name = if image.name.is_empty() { "image" } else { &image.name };
        let written = Image::new(number, name, &source)?;
        match place {
            Some(place) => {
                report_image_properties(&images[place].props, &path, &mut context.losses);
                images[place] = written;
            }
            None => images.push(written),
        }
        ids.push(Some(number));
    }
    // Ids of a scene are indices, so images missing from the scene are the last ones of the document.
    let places = context.base.map_or(&[][..], |base| &base.images);
    for &place in places.iter().skip(scene.images.len()).rev() {
        images.remove(place);
    }
    if images != before {
        report_unread(&context.model, "images", before.len(), &mut context.losses);
        context.model.set_images(&images)?;
    }
    Ok(ids)
}

/// Returns the images of materials whose maps have changed.
fn wanted_images(context: &WriteContext<'_>) -> HashSet<ImageId> {
    let changed = context.scene.materials.iter().filter(|(id, material)| {
        let old = context.base.and_then(|base| base.scene.materials.get(*id));
        old.is_none_or(|old| old.textures != material.textures)
    });
    changed.flat_map(|(_, material)| &material.textures).map(|slot| slot.image).collect()
}

fn convert_source(image: &scene::Image, path: &str, context: &mut WriteContext<'_>) -> Option<ImageSource> {
    match &image.source {
        scene::ImageSource::External { path } => Some(ImageSource::External { path: path.clone() }),
        scene::ImageSource::Pixels(pixels) => {
            if pixels.format == PixelFormat::La8 {
                context.losses.approximated(path, "grey with alpha, as RGBA");
            }
            Some(convert_pixels(pixels))
        }
        scene::ImageSource::Encoded { media_type, .. } => {
            context.losses.dropped(path, format!("image file of type {media_type}, which is not decoded"));
            None
        }
    }
}

fn convert_pixels(pixels: &Pixels) -> ImageSource {
    let (samples, mask_size, data) = match pixels.format {
        PixelFormat::L8 => (1, 0, None),
        PixelFormat::A8 => (1, 1, None),
        PixelFormat::Rgb8 => (3, 0, None),
        PixelFormat::Rgba8 => (4, 1, None),
        // Wings accepts grey with alpha, but does not show it.
        PixelFormat::La8 => {
            let spread = pixels.data.chunks_exact(2).flat_map(|pixel| [pixel[0], pixel[0], pixel[0], pixel[1]]);
            (4, 1, Some(spread.collect::<Vec<u8>>()))
        }
    };
    let format = if data.is_some() { PixelFormat::Rgba8 } else { pixels.format };
    ImageSource::Embedded {
        width: pixels.width,
        height: pixels.height,
        samples,
        mask_size: Some(mask_size),
        pixels: flip_rows(data.as_deref().unwrap_or(&pixels.data), pixels.width, format),
    }
}

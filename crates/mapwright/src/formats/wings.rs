//! Wings 3D scenes.

mod summary;

use std::collections::{HashMap, HashSet};
use std::io::{self, Write};

use mapwright_io::{Finding, Frame};
use mapwright_scene::{
    Capabilities, Feature, FileSource, Files, Image, ImageId, ImageSource, Import, Losses, PixelFormat, Pixels, Scene,
    TextureSlot, TextureUsage,
};
use mapwright_wings::{Document, ReadOptions as WingsOptions, scene};

use super::{FormatEntry, etf, single_file};
use crate::convert::Contents;
use crate::diff::DocumentDiff;
use crate::document::{FormatDocument, document_access};
use crate::info::Summary;
use crate::json::{JsonLayout, term};
use crate::{Conversion, ConvertOptions, Error, FilesBeside, Format, ReadOptions};

pub use summary::{
    ImageInfo, LightInfo, MapInfo, MaterialInfo, ObjectInfo, SelectionInfo, Totals, ViewInfo, WingsInfo,
};

pub(super) static ENTRY: FormatEntry = FormatEntry {
    lossless: true,
    imports: true,
    is_drawn: true,
    contains_models: true,
    has_hidden_nodes: true,
    axes: Some("right-handed, Y up"),
    compared_content: Some("objects, materials and properties"),
    dump_schema: Some(include_str!("../../schemas/wings.schema.json")),
    capabilities: Some(capabilities),
    sniff: mapwright_wings::sniff,
    read: |bytes, _, options| Ok(Document::from_bytes_with(&bytes, &read_options(options))?.into()),
    read_dump: Some(|dump, options| {
        let payload = term::document(&dump.part("term")?, dump.encoding, options)?;
        Ok(Document::from_payload(payload).into())
    }),
    write_scene: Some(write_scene),
    rescue: Some(|bytes, options| Ok(Document::rescue(bytes, &read_options(options))?.into())),
    decompress: Some(|bytes, options| etf::decompress(bytes.get(HEADER..)?, options)),
    ..FormatEntry::BASE
};

document_access!(Document, "a Wings 3D scene", as_wings, as_wings_mut, into_wings);

/// Bytes before the payload of a file.
const HEADER: usize = 19;

fn read_options(options: &ReadOptions) -> WingsOptions {
    WingsOptions::default().with_limits(options.limits.clone()).with_mode(options.mode)
}

fn capabilities() -> Capabilities {
    match cfg!(any(feature = "gltf", feature = "obj")) {
        true => scene::capabilities().approximated(Feature::Brushes, "as a mesh"),
        false => scene::capabilities(),
    }
}

fn write_scene(
    scene: &mut Scene,
    _to: Format,
    _files: &dyn FileSource,
    options: &ConvertOptions,
) -> Result<(Files, Losses), Error> {
    let mut losses = Losses::default();
    // Wings 3D stores meshes, not brushes, and pixels, not image files.
    #[cfg(any(feature = "gltf", feature = "obj"))]
    {
        losses.append(mapwright_interchange::brushes_to_meshes(scene));
        // Images that cannot be decoded stay files.
        let mut left = options.max_pixel_bytes;
        for (id, image) in scene.images.iter_mut() {
            let mapwright_scene::ImageSource::Encoded { data, .. } = &image.source else { continue };
            let path = format!("images[{}]", id.index());
            let decoded = mapwright_scene::images::decode_image(data, "", left, &path, &mut losses);
            let Some(pixels) = decoded else { continue };
            left = left.saturating_sub(pixels.data.len());
            image.source = mapwright_scene::ImageSource::Pixels(pixels);
        }
    }
    split_metallic_roughness(scene, &mut losses);
    let writing = scene::ExportOptions::default().with_max_bytes(options.max_output);
    let export = scene::scene_to_bytes(scene, &writing)?;
    losses.append(export.losses);
    Ok((single_file(export.document), losses))
}

/// Gives materials with a metallic-roughness texture separate images, because Wings 3D reads each map as grey.
fn split_metallic_roughness(scene: &mut Scene, losses: &mut Losses) {
    /// Usages of the new images, the suffix of their names, and their channel.
    const PARTS: [(TextureUsage, &str, usize); 2] =
        [(TextureUsage::Metallic, "metallic", 2), (TextureUsage::Roughness, "roughness", 1)];
    let is_both = |slot: &TextureSlot| slot.usage == TextureUsage::MetallicRoughness;
    let slots = scene.materials.iter().flat_map(|(_, material)| &material.textures);
    let others: HashSet<ImageId> = slots.filter(|slot| !is_both(slot)).map(|slot| slot.image).collect();
    let mut split = HashMap::new();
    for (id, material) in scene.materials.iter_mut() {
        let Some(index) = material.textures.iter().position(is_both) else { continue };
        let Some(slot) = material.textures.get(index).cloned() else { continue };
        let images = match split.get(&slot.image) {
            Some(images) => *images,
            None => {
                let Some(image) = scene.images.get(slot.image) else { continue };
                let ImageSource::Pixels(pixels) = &image.source else { continue };
                let parts = PARTS.map(|(_, suffix, channel)| Image {
                    name: format!("{}_{suffix}", image.name),
                    source: ImageSource::Pixels(channel_of(pixels, channel)),
                });
                let [metallic, roughness] = parts;
                // An image without another use is replaced.
                let metallic = match scene.images.get_mut(slot.image).filter(|_| !others.contains(&slot.image)) {
                    Some(image) => {
                        *image = metallic;
                        slot.image
                    }
                    None => scene.images.push(metallic),
                };
                let images = [metallic, scene.images.push(roughness)];
                losses.approximated(format!("images[{}]", slot.image.index()), "metallic and roughness, as two images");
                split.insert(slot.image, images);
                images
            }
        };
        let slots = PARTS.iter().zip(images);
        let slots = slots.map(|((usage, ..), image)| TextureSlot { usage: usage.clone(), image, ..slot.clone() });
        material.textures.splice(index..=index, slots);
        let text = "metallic-roughness texture, split into two images";
        losses.approximated(format!("materials[{}]", id.index()), text);
    }
}

/// Returns a channel of an image as grey.
fn channel_of(pixels: &Pixels, channel: usize) -> Pixels {
    let width = pixels.format.channels();
    // In grey images all colours are equal; images without colour are white.
    let channel = match pixels.format {
        PixelFormat::L8 | PixelFormat::La8 => Some(0),
        PixelFormat::A8 => None,
        _ => Some(channel),
    };
    let value = |pixel: &[u8]| channel.map_or(u8::MAX, |channel| pixel.get(channel).copied().unwrap_or_default());
    let data = pixels.data.chunks_exact(width).map(value).collect();
    Pixels { format: PixelFormat::L8, data, ..pixels.clone() }
}

impl FormatDocument for Document {
    fn format(&self) -> Format {
        Format::Wings
    }

    fn to_bytes(&self) -> Result<Vec<u8>, Error> {
        Ok(self.to_bytes()?)
    }

    fn validate(&self) -> Vec<Finding> {
        self.validate()
    }

    fn summarize(&self, files: Option<&FilesBeside>) -> Summary {
        // The encoding comes last: most users look for the objects.
        let summary = match self.model() {
            Ok(model) => {
                let info = WingsInfo::new(self, &model, files);
                Summary::new().with("wings", &info).with_findings(self.validate_model(&model))
            }
            Err(error) => Summary::new().with_problem(error.to_string()),
        };
        summary.with("term", &etf::TermInfo::new(self.payload()))
    }

    fn to_scene(&self, _options: &ConvertOptions) -> Result<Import, Error> {
        Ok(scene::to_scene(self, &Default::default())?)
    }

    fn merge_scene(&mut self, scene: &Scene) -> Result<Losses, Error> {
        Ok(scene::merge_scene(self, scene, &Default::default())?)
    }

    fn converts_directly(&self, to: Format, _options: &ConvertOptions) -> Result<bool, Error> {
        // Older versions are converted to version 2 by way of the scene.
        Ok(to == Format::Wings && self.model()?.version == 2)
    }

    fn convert_directly(self: Box<Self>, _to: Format, options: &ConvertOptions) -> Result<Conversion, Error> {
        let (model, losses) = scene::read_model(&self)?;
        let main = Document::from_model(&model)?.to_bytes()?;
        let source = Contents::from_scene(&FormatDocument::to_scene(&*self, options)?.scene);
        Ok(Conversion::new(main, losses, source))
    }

    fn write_dump_parts(&self, out: &mut dyn Write, _layout: JsonLayout) -> io::Result<()> {
        etf::write_term_part(out, self.payload())
    }

    fn diff(&self, other: &dyn FormatDocument) -> Option<DocumentDiff> {
        let diff = mapwright_wings::diff::Diff::between(self, super::same_type(other)?);
        Some(DocumentDiff::new("wings", diff.is_empty(), diff))
    }

    fn term(&self) -> Option<&mapwright_etf::Document> {
        Some(self.payload())
    }

    fn term_frame(&self) -> Option<Frame> {
        Some(Frame::Field("payload"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::AnyDocument;
    use mapwright_io::Position;

    #[test]
    fn positions_of_findings_count_from_the_start_of_the_file() {
        assert_eq!(mapwright_wings::FORMAT, Format::Wings.info());
        // A plain term with one trailing byte.
        let payload = b"\x83h\x03d\x00\x05wingsa\x02h\x03jjj\x00";
        let length = u32::try_from(payload.len()).unwrap().to_be_bytes();
        let file = [b"#!WINGS-1.0\r\n\x1a\x04", &length[..], payload].concat();
        let findings = AnyDocument::from_bytes(&file).unwrap().validate();
        let trailing = findings.iter().find(|finding| finding.code == "trailing-bytes").unwrap();
        assert_eq!(trailing.at, Some(Position::file(file.len() as u64 - 1)));
    }
}

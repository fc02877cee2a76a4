//! Converts one format to another and reports the losses.

use std::collections::HashSet;
use std::path::PathBuf;

#[cfg(feature = "textures")]
use mapwright_scene::{Content, Node};
use mapwright_scene::{Excess, Feature, FileSource, Files, Import, LossKind, Losses, Scene, Support};

use crate::formats::single_file;
use crate::{AnyDocument, ConvertOptions, Error, Format};

mod change;
mod empty;
mod filter;
pub(crate) mod instances;
#[cfg(test)]
mod sample;

pub use change::Axis;

/// The result of a conversion.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Conversion {
    /// The file, and the files beside it.
    pub files: Files,
    /// Content of the source that the files do not contain, or contain differently.
    pub losses: Losses,
    /// The content of the source, as far as the options select it.
    pub source: Contents,
    /// The paths of the files of the content, and beside the level, that were read for it. Those that `files` provided are not among them.
    pub read: Vec<PathBuf>,
}

impl Conversion {
    /// The result of a conversion that writes one file and reports losses of the format itself.
    pub(crate) fn new(main: Vec<u8>, losses: Losses, source: Contents) -> Self {
        Self { files: single_file(main), losses, source, read: Vec::new() }
    }
}

/// Counts the content of a scene by kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize)]
#[non_exhaustive]
pub struct Contents {
    /// Number of nodes that are reachable from the roots.
    pub nodes: usize,
    /// Number of meshes.
    pub meshes: usize,
    /// Number of vertices of all meshes.
    pub vertices: usize,
    /// Number of faces of all meshes.
    pub faces: usize,
    /// Number of brushes.
    #[serde(skip_serializing_if = "is_zero")]
    pub brushes: usize,
    /// Number of instances in instance sets.
    #[serde(skip_serializing_if = "is_zero")]
    pub instances: usize,
    /// Number of materials.
    pub materials: usize,
    /// Number of images.
    pub images: usize,
    /// Number of lights.
    pub lights: usize,
    /// Number of cameras.
    pub cameras: usize,
    /// Number of elements of a graph that is converted without a scene. Nothing else is counted then.
    #[serde(skip_serializing_if = "is_zero")]
    pub elements: usize,
}

fn is_zero(number: &usize) -> bool {
    *number == 0
}

impl Contents {
    /// Counts the content of a scene.
    pub fn from_scene(scene: &Scene) -> Self {
        Self {
            nodes: scene.walk().count(),
            meshes: scene.meshes.len(),
            vertices: scene.meshes.items().iter().map(|mesh| mesh.positions.len()).sum(),
            faces: scene.meshes.items().iter().map(|mesh| mesh.faces.len()).sum(),
            brushes: scene.brushes.len(),
            instances: scene.instance_sets.items().iter().map(|set| set.transforms.len()).sum(),
            materials: scene.materials.len(),
            images: scene.images.len(),
            lights: scene.lights.len(),
            cameras: scene.cameras.len(),
            elements: 0,
        }
    }
}

/// Converts a document to another format. `files` provides the images that the document only names, if the target contains them.
///
/// If source and target format are equal and no option changes the content, the document is written directly, without a [`Scene`], and
/// nothing is lost. The same applies to maps and other element graphs that are written as KeyValues2 text, and to such text that is
/// written as [`Format::Vmap`] or [`Format::Dmx`], which are binary.
///
/// # Losses
/// A target may require data that the source lacks. Such data is [synthesized](LossKind::Synthesized), a loss, if the scene that is read
/// back has another meaning: the sea of a terrain floods land, and a level gets a name. Data without an effect is
/// [preserved](LossKind::Preserved), which is no loss: the black sun of a Gamestudio level lights nothing, and white for corners without a
/// colour is what programs show there.
///
/// # Errors
/// - [`Error::Unsupported`] for formats that cannot be converted to or created from a scene.
/// - [`Error::Unavailable`] if this build does not have the target format.
/// - [`Error::Query`] if [`ConvertOptions::only`] selects nothing, or a query has a field that no object has.
/// - [`Error::Scale`] and [`Error::MapFormat`] for invalid values.
/// - [`Error::Empty`] if the target can store nothing that the source shows, unless [`ConvertOptions::allow_empty`] is set.
/// - [`Error::Items`], [`Error::Excess`] and limits of the formats if the result exceeds what the options allow.
/// - Other errors of the formats.
pub fn convert(
    document: AnyDocument,
    to: Format,
    files: &dyn FileSource,
    options: &ConvertOptions,
) -> Result<Conversion, Error> {
    let conversion = convert_unchecked(document, to, files, options)?;
    // An estimate is a lower bound, and documents that are written directly are not estimated.
    let Files { main, side } = &conversion.files;
    let sizes = side.iter().map(|file| file.data.len()).chain([main.len()]);
    let needed = sizes.map(|size| size as u64).fold(0, u64::saturating_add);
    if needed > options.max_output {
        return Err(Excess::Limit { needed, limit: options.max_output }.into());
    }
    Ok(conversion)
}

fn convert_unchecked(
    document: AnyDocument,
    to: Format,
    files: &dyn FileSource,
    options: &ConvertOptions,
) -> Result<Conversion, Error> {
    let target = to.require()?;
    if let Some(version) = options.map_format.filter(|version| !(18..=40).contains(version)) {
        return Err(Error::MapFormat(version));
    }
    let from = document.format();
    let document = document.into_format_document();
    if options.change_nothing(to) && document.converts_directly(to, options)? {
        return document.convert_directly(to, options);
    }
    let write_scene = target.write_scene.ok_or(Error::Unsupported { format: to, what: "created from a scene" })?;

    let art = document.find_tile_art(&options.content).filter(|_| to != from);
    let mut options = options.clone();
    document.inherit_options(to, &mut options);
    let options = &options;
    let rewrite_losses = document.rewrite_losses(to, options);
    let assumes_soft_edges = to == Format::Wings && !document.has_shading();
    let queries = [&options.only, &options.exclude];
    let mut records = queries.map(|queries| filter::Records::find(document.objects(), queries));
    let Import { mut scene, mut losses } = document.into_scene(options)?;
    for (records, queries) in records.iter_mut().zip(queries) {
        filter::Records::add_instances(records, queries, &scene, from.axis_change());
    }
    // Other formats refer to models, so those that a conversion put into the source are no geometry of the level.
    if !target.contains_models {
        filter::remove_resolved(&mut scene);
    }
    if assumes_soft_edges {
        change::soften_edges(&mut scene, &mut losses);
    }
    // Queries select nodes at every place where they are shown, so instances must be expanded before nodes are selected.
    if !target.has_instances || !options.only.is_empty() || !options.exclude.is_empty() {
        instances::expand(&mut scene, &mut losses, options)?;
    }
    change::select(&mut scene, from, options, records)?;
    let mut read = Vec::new();
    // Only files of selected objects are read. They come before changes of scale and axes, which apply to them, and before steps that need
    // the size of textures.
    #[cfg(feature = "textures")]
    if target.contains_models {
        let report = crate::content::resolve_with(&mut scene, from, options, false).0;
        losses.append(report.losses);
        read.extend(report.files);
        instances::expand(&mut scene, &mut losses, options)?;
    } else {
        let is_dropped = to.capabilities().is_some_and(|target| target.support(Feature::Prefabs) == Support::None);
        let is_prefab = |node: &Node| matches!(node.content, Content::Prefab(_));
        // Formats without references to other maps contain these maps.
        if is_dropped && scene.nodes.items().iter().any(is_prefab) {
            let report = crate::content::resolve_with(&mut scene, from, options, true).0;
            losses.append(report.losses);
            read.extend(report.files);
            filter::adopt_resolved(&mut scene);
            if !target.has_instances {
                instances::expand(&mut scene, &mut losses, options)?;
            }
        }
        if !options.content.is_empty() {
            let content = &options.content;
            let report = mapwright_content::resolve::resolve_textures(&mut scene, content, options.max_pixel_bytes);
            losses.append(report.losses);
            read.extend(report.files);
        }
    }
    // The positions of objects decide their order and image, so levels are scaled after their objects are drawn.
    let draws_layers = art.is_some() && target.contains_models;
    let scale_later = draws_layers.then(|| options.clone().with_scale(1.0));
    change::apply(&mut scene, [from, to], scale_later.as_ref().unwrap_or(options))?;
    if to.capabilities().is_some_and(|target| target.support(Feature::Instances) == Support::None) {
        instances::expand_sets(&mut scene, &mut losses, options)?;
    }
    change::keep_game_units(&mut scene, [from, to], &mut losses);
    (from.require()?.adapt_scene)(&mut scene, to, options, &mut losses);
    if options.scale != 1.0 {
        change::report_unscaled(&scene, &mut losses);
    }
    #[cfg(feature = "gltf")]
    if options.triangulate {
        losses.append(mapwright_interchange::triangulate(&mut scene));
    }
    // Images are attached after the selection, so that only images of selected objects are read.
    if let Some(art) = art {
        let (art_losses, files) = match draws_layers {
            true => art.draw_layers(&mut scene, options.max_pixel_bytes, options.hidden),
            // Images of objects cannot be scaled, so scaled objects stay points.
            false => art.attach_to_tiles(&mut scene, options.max_pixel_bytes, options.scale == 1.0),
        };
        losses.append(art_losses);
        read.extend(files);
    }
    if draws_layers {
        change::scale(&mut scene, options.scale)?;
    }
    let source = Contents::from_scene(&scene);
    let shown = match options.allow_empty {
        true => None,
        false => Some(empty::Shown::check_source(&scene, &losses, to, options)?),
    };
    let (files, write_losses) = write_scene(&mut scene, to, files, options)?;
    if let Some(shown) = &shown {
        shown.check_files(to, &files, &write_losses)?;
    }
    add_write_losses(&mut losses, write_losses);
    losses.append(rewrite_losses);
    sort_losses(&mut losses);
    Ok(Conversion { files, losses, source, read })
}

/// Adds the losses of writing. An image that the writer copied or reported is no longer only a path.
fn add_write_losses(losses: &mut Losses, write_losses: Losses) {
    let handled: HashSet<&str> = write_losses.iter().filter_map(|loss| named_image(&loss.text)).collect();
    let is_handled = |text: &str| named_image(text).is_some_and(|name| handled.contains(name));
    losses.items.retain(|loss| loss.kind != LossKind::Preserved || !is_handled(&loss.text));
    losses.append(write_losses);
}

/// Reports a terrain that is lost before everything on it. Missing files follow.
fn sort_losses(losses: &mut Losses) {
    let is_terrain = |loss: &mapwright_scene::Loss| {
        let is_terrain = loss.path.frames().next().is_some_and(|frame| frame.name() == Some("terrains"));
        loss.kind == LossKind::Dropped && is_terrain && loss.path.frames().count() == 2
    };
    let is_content =
        |loss: &mapwright_scene::Loss| loss.path.frames().next().is_some_and(|frame| frame.name() == Some("content"));
    losses.items.sort_by_key(|loss| (!is_terrain(loss), !is_content(loss)));
}

/// Returns the name in quotes in the text of a loss of an image.
fn named_image(text: &str) -> Option<&str> {
    text.strip_prefix("image \"")?.split('"').next()
}

#[cfg(all(test, feature = "wings", feature = "gltf", feature = "obj"))]
mod tests {
    use super::*;
    use crate::Query;
    use mapwright_scene::NoFiles;
    use mapwright_scene::{ImageSource, PixelFormat, Pixels};

    fn convert_to(document: AnyDocument, format: Format, options: &ConvertOptions) -> Conversion {
        convert(document, format, &NoFiles, options).unwrap()
    }

    /// Returns a triangle with a texture as a document of the format.
    fn textured(format: Format) -> AnyDocument {
        let (obj, mtl) =
            ("mtllib a.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nvt 0 0\nusemtl m\nf 1/1 2/1 3/1\n", "newmtl m\nmap_Kd t.png");
        let files = |name: &str| (name == "a.mtl").then(|| mtl.as_bytes().to_vec());
        let import = mapwright_interchange::obj::to_scene(obj.as_bytes(), &files, &Default::default()).unwrap();
        let mut scene = import.scene;
        let pixels = Pixels { width: 1, height: 1, format: PixelFormat::Rgb8, data: vec![1, 2, 3] };
        scene.images.iter_mut().for_each(|(_, image)| image.source = ImageSource::Pixels(pixels.clone()));
        let write_scene = format.entry().unwrap().write_scene.unwrap();
        let (files, _) = write_scene(&mut scene, format, &NoFiles, &ConvertOptions::default()).unwrap();
        AnyDocument::from_bytes(&files.main).unwrap()
    }

    #[test]
    fn images_become_pixels_if_the_target_stores_pixels() {
        let mut document = textured(Format::Glb);
        // Other programs do not write the metadata that it was pixels.
        let file = document.as_scene_file_mut().unwrap();
        let export = mapwright_interchange::gltf::from_scene(&file.import.scene, &NoFiles, &Default::default());
        let glb = export.unwrap().document.main;
        let start = glb.windows(4).position(|bytes| bytes == b"\x89PNG").unwrap();
        let data = glb[start..].to_vec();
        for (_, image) in file.import.scene.images.iter_mut() {
            image.source = ImageSource::Encoded { media_type: "image/png".into(), data: data.clone() };
        }
        let conversion = convert_to(document.clone(), Format::Wings, &ConvertOptions::default());
        let back = AnyDocument::from_bytes(&conversion.files.main).unwrap().into_scene().unwrap().scene;
        assert!(matches!(&back.images.items()[0].source, ImageSource::Pixels(pixels) if pixels.data == [1, 2, 3]));
        let conversion = convert_to(document, Format::Wings, &ConvertOptions::default().with_max_pixel_bytes(2));
        assert!(conversion.losses.iter().any(|loss| loss.text.contains("not decoded")));
    }

    #[test]
    fn unchanged_wings_scenes_keep_everything() {
        let wings = textured(Format::Wings).into_wings().unwrap();
        let mut model = wings.model().unwrap();
        // Scenes cannot store this property.
        model.props.set("selmode", &mapwright_etf::Tree::from_bytes(b"w\x04odd?").unwrap()).unwrap();
        let wings = crate::wings::Document::from_model(&model).unwrap();
        let (model, document) = (wings.model().unwrap(), AnyDocument::from(wings));
        let conversion = convert_to(document.clone(), Format::Wings, &ConvertOptions::default());
        let back = AnyDocument::from_bytes(&conversion.files.main).unwrap().into_wings().unwrap();
        assert_eq!((back.model().unwrap(), conversion.losses.len(), conversion.source.meshes), (model, 0, 1));
        let changed = convert_to(document, Format::Wings, &ConvertOptions::default().with_scale(2.0));
        assert_ne!(changed.files.main, conversion.files.main);
    }

    #[test]
    fn objects_that_are_not_selected_are_not_lost() {
        let obj = "o A\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\no B\nusemtl odd\nf 3 2 1\n";
        let options = ConvertOptions::default().with_only(vec![Query::equal("name", "A")]);
        let whole =
            convert_to(AnyDocument::from_bytes(obj.as_bytes()).unwrap(), Format::Obj, &ConvertOptions::default());
        let part = convert_to(AnyDocument::from_bytes(obj.as_bytes()).unwrap(), Format::Obj, &options);
        assert_eq!((whole.source.meshes, part.source.meshes, part.source.materials), (2, 1, 0));
    }
}

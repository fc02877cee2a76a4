//! From one format to another, with a report of what that loses.

use std::borrow::Cow;

use mapwright_interchange::{FileSource, Files};
use mapwright_scene::{Estimate, Excess, Import, LossKind, Losses, Scene};

use crate::{AnyDocument, Error, Format, Query};

mod change;
#[cfg(feature = "wmp")]
mod gamestudio;
#[cfg(feature = "dmx")]
mod graph;
pub(crate) mod instances;
mod only;
#[cfg(test)]
mod sample;
#[cfg(feature = "wrp")]
mod terrain;

pub use change::Axis;

/// How to convert.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct ConvertOptions {
    /// The name of the file that is written, without its extension: those beside it are called after it. `scene`.
    pub stem: String,
    /// Lengths are multiplied by this. 1.
    pub scale: f64,
    /// The axis that points up in the source. None: as its format has it, or Y where that does not say.
    pub source_up: Option<Axis>,
    /// The axis that shall point up in what is written. None: as its format has it, or Y where that does not say.
    pub target_up: Option<Axis>,
    /// Only what one of these means is converted, with all below it. None: all.
    pub only: Vec<Query>,
    /// What one of these means is not converted, nor what is below it.
    pub exclude: Vec<Query>,
    /// Whether hidden nodes are converted too, where the target has no hidden ones.
    pub hidden: bool,
    /// Whether faces of meshes become triangles in every format, not only in those that have no others. Brushes stay what they are.
    #[cfg(feature = "gltf")]
    pub triangulate: bool,
    /// Maximum bytes of memory for decoding images: of one image, and of all together where the target stores pixels or where they
    /// decode to more than 64 times the size of their files. Others are left out and reported. Default: 1 GiB.
    pub max_pixel_bytes: usize,
    /// Maximum size of the output in bytes, and of the memory to create it. An estimate is checked before anything is created.
    /// Default: 2 GiB.
    pub max_output: u64,
    /// Maximum number of nodes and rows of instance sets after instances of nodes are expanded. Applies if the target format or a
    /// selection requires expanded instances. Default: 2³².
    pub max_items: u64,
    /// The pictures of the game that a level is of. They become those of its tile sets; levels themselves hold none.
    #[cfg(feature = "wwd")]
    pub art: Option<crate::ArtFolder>,
    /// Where the textures of materials are that have none: their pictures, or their sizes alone, for texture coordinates.
    #[cfg(feature = "wad")]
    pub textures: Option<crate::TextureFolder>,
    /// How KeyValues2 text is written. Text that was read keeps its spelling unless these are not the defaults.
    #[cfg(feature = "dmx")]
    pub text: mapwright_dmx::WriteOptions,
    /// What becomes of subdivided and displaced faces of maps. They stay as coarse as their corners.
    #[cfg(feature = "vmap")]
    pub subdivision: mapwright_vmap::scene::Subdivision,
    /// The version of the format of a new map: 18 to 40. None: the nearest to that of the source where it is a Source 2 map, else 40.
    #[cfg(feature = "vmap")]
    pub map_format: Option<u32>,
    /// How textures are spelled in Quake maps.
    #[cfg(feature = "map")]
    pub map_spelling: mapwright_interchange::map::Spelling,
    /// The variant of a new terrain. None: that of the source where it can be written, else 4WVR where heights are in steps and
    /// 8WVR where they are not.
    #[cfg(feature = "wrp")]
    pub variant: Option<mapwright_wrp::scene::Variant>,
    /// The dialect of a new Gamestudio map. None: that of the source, and from elsewhere 710.
    #[cfg(feature = "wmp")]
    pub dialect: Option<mapwright_wmp::Dialect>,
    /// Whether the boxes that stand for models elsewhere become meshes in glTF, not instances of one box.
    #[cfg(feature = "gltf")]
    pub bake_boxes: bool,
    /// How heightmaps are written. The format is that of the target, the name of files beside it the stem.
    #[cfg(feature = "heightmap")]
    pub heightmap: mapwright_interchange::heightmap::ExportOptions,
}

impl Default for ConvertOptions {
    fn default() -> Self {
        Self {
            stem: "scene".into(),
            scale: 1.0,
            source_up: None,
            target_up: None,
            only: Vec::new(),
            exclude: Vec::new(),
            hidden: false,
            #[cfg(feature = "gltf")]
            triangulate: false,
            max_pixel_bytes: 1 << 30,
            max_output: Estimate::MAX_BYTES,
            max_items: mapwright_io::Limits::default().max_items,
            #[cfg(feature = "wwd")]
            art: None,
            #[cfg(feature = "wad")]
            textures: None,
            #[cfg(feature = "dmx")]
            text: mapwright_dmx::WriteOptions::default(),
            #[cfg(feature = "vmap")]
            subdivision: mapwright_vmap::scene::Subdivision::default(),
            #[cfg(feature = "vmap")]
            map_format: None,
            #[cfg(feature = "map")]
            map_spelling: mapwright_interchange::map::Spelling::Auto,
            #[cfg(feature = "wrp")]
            variant: None,
            #[cfg(feature = "wmp")]
            dialect: None,
            #[cfg(feature = "gltf")]
            bake_boxes: false,
            #[cfg(feature = "heightmap")]
            heightmap: mapwright_interchange::heightmap::ExportOptions::default(),
        }
    }
}

impl ConvertOptions {
    /// Returns options for services that convert files from strangers: 256 MiB for the files of a result, the same for images that are
    /// decoded to pixels; 2²⁰ items after instances were expanded.
    pub fn service() -> Self {
        Self { max_output: 256 << 20, max_pixel_bytes: 256 << 20, max_items: 1 << 20, ..Self::default() }
    }

    /// Changes [`stem`](Self::stem).
    #[must_use]
    pub fn with_stem(mut self, stem: impl Into<String>) -> Self {
        self.stem = stem.into();
        self
    }

    /// Changes [`scale`](Self::scale).
    #[must_use]
    pub fn with_scale(mut self, scale: f64) -> Self {
        self.scale = scale;
        self
    }

    /// Changes [`source_up`](Self::source_up).
    #[must_use]
    pub fn with_source_up(mut self, axis: Axis) -> Self {
        self.source_up = Some(axis);
        self
    }

    /// Changes [`target_up`](Self::target_up).
    #[must_use]
    pub fn with_target_up(mut self, axis: Axis) -> Self {
        self.target_up = Some(axis);
        self
    }

    /// Changes [`only`](Self::only).
    #[must_use]
    pub fn with_only(mut self, queries: Vec<Query>) -> Self {
        self.only = queries;
        self
    }

    /// Changes [`exclude`](Self::exclude).
    #[must_use]
    pub fn with_exclude(mut self, queries: Vec<Query>) -> Self {
        self.exclude = queries;
        self
    }

    /// Changes [`hidden`](Self::hidden).
    #[must_use]
    pub fn with_hidden(mut self, hidden: bool) -> Self {
        self.hidden = hidden;
        self
    }

    /// Changes [`triangulate`](Self::triangulate).
    #[cfg(feature = "gltf")]
    #[must_use]
    pub fn with_triangulate(mut self, triangulate: bool) -> Self {
        self.triangulate = triangulate;
        self
    }

    /// Changes [`max_pixel_bytes`](Self::max_pixel_bytes).
    #[must_use]
    pub fn with_max_pixel_bytes(mut self, bytes: usize) -> Self {
        self.max_pixel_bytes = bytes;
        self
    }

    /// Changes [`max_output`](Self::max_output).
    #[must_use]
    pub fn with_max_output(mut self, bytes: u64) -> Self {
        self.max_output = bytes;
        self
    }

    /// Changes [`max_items`](Self::max_items).
    #[must_use]
    pub fn with_max_items(mut self, items: u64) -> Self {
        self.max_items = items;
        self
    }

    /// Changes [`art`](Self::art).
    #[cfg(feature = "wwd")]
    #[must_use]
    pub fn with_art(mut self, art: crate::ArtFolder) -> Self {
        self.art = Some(art);
        self
    }

    /// Changes [`textures`](Self::textures).
    #[cfg(feature = "wad")]
    #[must_use]
    pub fn with_textures(mut self, textures: crate::TextureFolder) -> Self {
        self.textures = Some(textures);
        self
    }

    /// Changes [`text`](Self::text).
    #[cfg(feature = "dmx")]
    #[must_use]
    pub fn with_text(mut self, text: mapwright_dmx::WriteOptions) -> Self {
        self.text = text;
        self
    }

    /// Changes [`subdivision`](Self::subdivision).
    #[cfg(feature = "vmap")]
    #[must_use]
    pub fn with_subdivision(mut self, subdivision: mapwright_vmap::scene::Subdivision) -> Self {
        self.subdivision = subdivision;
        self
    }

    /// Changes [`map_format`](Self::map_format).
    #[cfg(feature = "vmap")]
    #[must_use]
    pub fn with_map_format(mut self, version: u32) -> Self {
        self.map_format = Some(version);
        self
    }

    /// Changes [`map_spelling`](Self::map_spelling).
    #[cfg(feature = "map")]
    #[must_use]
    pub fn with_map_spelling(mut self, spelling: mapwright_interchange::map::Spelling) -> Self {
        self.map_spelling = spelling;
        self
    }

    /// Changes [`variant`](Self::variant).
    #[cfg(feature = "wrp")]
    #[must_use]
    pub fn with_variant(mut self, variant: Option<mapwright_wrp::scene::Variant>) -> Self {
        self.variant = variant;
        self
    }

    /// Changes [`dialect`](Self::dialect).
    #[cfg(feature = "wmp")]
    #[must_use]
    pub fn with_dialect(mut self, dialect: Option<mapwright_wmp::Dialect>) -> Self {
        self.dialect = dialect;
        self
    }

    /// Changes [`heightmap`](Self::heightmap).
    #[cfg(feature = "heightmap")]
    #[must_use]
    pub fn with_heightmap(mut self, options: mapwright_interchange::heightmap::ExportOptions) -> Self {
        self.heightmap = options;
        self
    }

    /// Returns the options for KeyValues2 text with the limit of the output.
    #[cfg(feature = "dmx")]
    fn text_within_limit(&self) -> mapwright_dmx::WriteOptions {
        let bytes = self.text.max_output.min(self.max_output);
        self.text.clone().with_max_output(bytes)
    }

    /// Whether all is to stay as it is, from a format to itself.
    #[cfg(any(feature = "wings", feature = "dmx", feature = "wwd", feature = "wrp", feature = "wmp"))]
    fn changes_nothing(&self, format: Format) -> bool {
        let Self { scale, source_up, target_up, only, exclude, hidden, .. } = self;
        let own = |up: &Option<Axis>| up.or(format.up()).unwrap_or_default();
        #[cfg(feature = "wad")]
        let bare = self.textures.is_none();
        #[cfg(not(feature = "wad"))]
        let bare = true;
        #[cfg(feature = "gltf")]
        let bare = bare && !self.triangulate;
        bare && *scale == 1.0 && own(source_up) == own(target_up) && only.is_empty() && exclude.is_empty() && !hidden
    }

    /// The same, with what the source says of the target's version where they are of one format and it can be written.
    #[cfg_attr(
        not(any(feature = "vmap", feature = "wmp")),
        expect(unused_variables, reason = "others have no versions")
    )]
    fn of_the_source(&self, document: &AnyDocument, to: Format) -> Cow<'_, Self> {
        match document {
            #[cfg(feature = "vmap")]
            AnyDocument::Vmap(map) if matches!(to, Format::Vmap | Format::KeyValues2) && self.map_format.is_none() => {
                Cow::Owned(self.clone().with_map_format(map.format_version().clamp(18, 40)))
            }
            #[cfg(feature = "wmp")]
            AnyDocument::Wmp(map) if to == Format::Wmp && self.dialect.is_none() => {
                Cow::Owned(self.clone().with_dialect(Some(map.dialect)))
            }
            _ => Cow::Borrowed(self),
        }
    }
}

/// What came of a conversion.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Conversion {
    /// The file, and those beside it.
    pub files: Files,
    /// What of the source is not in it, or not as it was.
    pub losses: Losses,
    /// What was to be converted: the source, as far as it was asked for.
    pub source: Contents,
}

/// How much a scene holds, of each.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize)]
#[non_exhaustive]
pub struct Contents {
    /// Nodes that the roots lead to.
    pub nodes: usize,
    /// Meshes.
    pub meshes: usize,
    /// Vertices of all meshes.
    pub vertices: usize,
    /// Faces of all meshes.
    pub faces: usize,
    /// Brushes.
    #[serde(skip_serializing_if = "is_zero")]
    pub brushes: usize,
    /// What sets of instances place.
    #[serde(skip_serializing_if = "is_zero")]
    pub instances: usize,
    /// Materials.
    pub materials: usize,
    /// Images.
    pub images: usize,
    /// Lights.
    pub lights: usize,
    /// Cameras.
    pub cameras: usize,
    /// Elements of a graph that is converted without a scene, of which then nothing else is counted.
    #[serde(skip_serializing_if = "is_zero")]
    pub elements: usize,
}

fn is_zero(number: &usize) -> bool {
    *number == 0
}

impl Contents {
    /// Counts what a scene holds.
    pub fn of(scene: &Scene) -> Self {
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

/// Losses of a conversion between forms of a format as those of scenes.
#[cfg(any(feature = "wmp", feature = "wrp"))]
fn said(losses: Vec<mapwright_io::Loss>) -> Losses {
    let mut said = Losses::new();
    for loss in losses {
        let kind = match loss.kind {
            mapwright_io::LossKind::Dropped => LossKind::Dropped,
            mapwright_io::LossKind::Synthesized => LossKind::Synthesized,
            mapwright_io::LossKind::Repaired => LossKind::Repaired,
            _ => LossKind::Approximated,
        };
        said.push(kind, loss.path.to_string(), loss.text_with_count());
    }
    said
}

/// Converts a document into a file of another format. `files` gives the pictures that the document only names, where the
/// target wants them in the file.
///
/// A document of which nothing is to be changed is written in its own format without the way through a [`Scene`], and keeps
/// everything. So are maps and other element graphs as KeyValues2 text, and text as [`Format::Vmap`] or [`Format::Dmx`], which
/// makes it binary.
///
/// # Errors
/// [`Error::Unsupported`] for formats that cannot be read into a scene or made from one, [`Error::NoNode`] where
/// [`ConvertOptions::only`] leaves nothing, [`Error::Scale`] and [`Error::MapFormat`] for values that cannot be, and those of
/// the formats. [`Error::Unsupported`] also where [`ConvertOptions::art`] is given and the document is no level.
/// [`Error::Items`], [`Error::Excess`] and limits of the formats if the conversion would make more than the options allow.
pub fn convert(
    document: AnyDocument,
    to: Format,
    files: &dyn FileSource,
    options: &ConvertOptions,
) -> Result<Conversion, Error> {
    let conversion = convert_unchecked(document, to, files, options)?;
    // An estimate is a lower bound, and files in their own format are not estimated.
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
    #[cfg(feature = "wwd")]
    let art = options.art.as_ref().map(|art| art.of(&document)).transpose()?.filter(|_| to != Format::Wwd);
    #[cfg(feature = "wings")]
    if let AnyDocument::Wings(wings) = &document
        && to == Format::Wings
        && options.changes_nothing(to)
        && wings.model()?.version == 2
    {
        let main = mapwright_wings::Document::from_model(&wings.model()?)?.to_bytes()?;
        let source = Contents::of(&document.to_scene()?.scene);
        return Ok(Conversion { files: Files { main, side: Vec::new() }, losses: Losses::default(), source });
    }
    #[cfg(feature = "wwd")]
    if let AnyDocument::Wwd(level) = &document
        && to == Format::Wwd
        && options.changes_nothing(to)
    {
        let source = Contents::of(&document.to_scene()?.scene);
        let files = Files { main: level.to_bytes()?, side: Vec::new() };
        return Ok(Conversion { files, losses: Losses::default(), source });
    }
    #[cfg(feature = "wrp")]
    if let AnyDocument::Wrp(terrain) = &document
        && to == Format::Wrp
        && options.changes_nothing(to)
    {
        return terrain::convert(terrain, options);
    }
    #[cfg(feature = "wmp")]
    if let AnyDocument::Wmp(map) = &document
        && to == Format::Wmp
        && options.changes_nothing(to)
    {
        return gamestudio::convert(map, options);
    }
    #[cfg(feature = "vmap")]
    if let Some(version) = options.map_format.filter(|version| !(18..=40).contains(version)) {
        return Err(Error::MapFormat(version));
    }
    #[cfg(feature = "dmx")]
    if graph::is_encoding(&document, to, options) && options.changes_nothing(to) {
        return graph::convert(document, to, options);
    }
    let from = document.format();
    let options = &*options.of_the_source(&document, to);
    let anew = anew(&document, to, options);
    let Import { mut scene, mut losses } = read(document, options)?;
    // A part of a scene is to be found wherever it is shown.
    if !to.has_instances() || !options.only.is_empty() || !options.exclude.is_empty() {
        instances::expand(&mut scene, &mut losses, options)?;
    }
    change::apply(&mut scene, [from, to], options, &mut losses)?;
    if options.scale != 1.0 {
        change::report_unscaled(&scene, &mut losses);
    }
    #[cfg(feature = "gltf")]
    if options.triangulate {
        losses.append(mapwright_interchange::triangulate(&mut scene));
    }
    #[cfg(feature = "wwd")]
    if let Some(art) = art {
        // What objects show would only be tile sets that no layer names.
        let putting = mapwright_wwd::art::PutOptions::default().with_objects(false);
        let put = art.put_into(&mut scene, &putting.with_max_bytes(options.max_pixel_bytes as u64));
        losses.append(put.losses);
    }
    #[cfg(feature = "wad")]
    if let Some(textures) = &options.textures {
        losses.append(textures.put_into(&mut scene, options.max_pixel_bytes));
    }
    let source = Contents::of(&scene);
    #[cfg(all(feature = "wings", any(feature = "gltf", feature = "obj")))]
    if to == Format::Wings {
        decode_pictures(&mut scene, &mut losses, options.max_pixel_bytes);
    }
    let (files, lost) = write(&scene, to, files, options)?;
    losses.append(lost);
    losses.append(anew);
    // That the ground is gone goes before all that stood on it.
    let is_ground = |loss: &mapwright_scene::Loss| {
        let is_whole = loss.path.starts_with("terrains[") && loss.path.ends_with(']');
        loss.kind == LossKind::Dropped && is_whole
    };
    losses.items.sort_by_key(|loss| !is_ground(loss));
    Ok(Conversion { files, losses, source })
}

/// What is told where a document becomes one of its own format by way of a scene, which does not hold all that it says.
#[cfg_attr(not(feature = "vmap"), expect(unused_variables, reason = "others say no more"))]
fn anew(document: &AnyDocument, to: Format, options: &ConvertOptions) -> Losses {
    #[cfg(any(feature = "vmap", feature = "wmp"))]
    let mut losses = Losses::default();
    match document {
        #[cfg(feature = "vmap")]
        AnyDocument::Vmap(map) if matches!(to, Format::Vmap | Format::KeyValues2) => {
            losses.approximated("", "the map is written anew: its nodes have other ids, its editor the usual settings");
            if let Some(version) = options.map_format.filter(|version| *version != map.format_version()) {
                losses.approximated("header", format!("format {}, as {version}", map.format_version()));
            }
            losses
        }
        #[cfg(feature = "wmp")]
        AnyDocument::Wmp(_) if to == Format::Wmp => {
            losses.approximated("", "the map is written anew: without comments, its parts have other numbers");
            losses
        }
        _ => Losses::default(),
    }
}

/// What the document means.
fn read(document: AnyDocument, options: &ConvertOptions) -> Result<Import, Error> {
    #[cfg(feature = "vmap")]
    if let AnyDocument::Vmap(map) = &document {
        let reading = mapwright_vmap::scene::ImportOptions::default().with_subdivision(options.subdivision);
        return Ok(mapwright_vmap::scene::to_scene(map, &reading)?);
    }
    #[cfg(not(feature = "vmap"))]
    let _ = options;
    document.into_scene()
}

/// Decodes image files to pixels. Images that cannot be decoded stay files.
#[cfg(all(feature = "wings", any(feature = "gltf", feature = "obj")))]
fn decode_pictures(scene: &mut Scene, losses: &mut Losses, mut left: usize) {
    for (id, image) in scene.images.iter_mut() {
        let mapwright_scene::ImageSource::Encoded { data, .. } = &image.source else { continue };
        let path = format!("images[{}]", id.index());
        let Some(pixels) = mapwright_interchange::decode_image(data, "", left, &path, losses) else { continue };
        left = left.saturating_sub(pixels.data.len());
        image.source = mapwright_scene::ImageSource::Pixels(pixels);
    }
}

// Without its features a build writes nothing.
#[cfg_attr(not(all(feature = "gltf", feature = "obj", feature = "tiled")), allow(unused_variables))]
fn write(
    scene: &Scene,
    to: Format,
    files: &dyn FileSource,
    options: &ConvertOptions,
) -> Result<(Files, Losses), Error> {
    match to {
        #[cfg(feature = "wings")]
        Format::Wings => {
            let wings = mapwright_wings::scene::ExportOptions::default().with_max_bytes(options.max_output);
            let export = mapwright_wings::scene::from_scene(scene, &wings)?;
            Ok((Files { main: export.document.to_bytes()?, side: Vec::new() }, export.losses))
        }
        #[cfg(feature = "vmap")]
        Format::Vmap | Format::KeyValues2 => {
            let map = mapwright_vmap::MapOptions::default();
            let map = options.map_format.map_or(map, |version| map.with_format_version(version));
            let writing = mapwright_vmap::scene::ExportOptions::default().with_map(map);
            let writing = writing.with_max_bytes(options.max_output);
            let mut export = mapwright_vmap::scene::from_scene(scene, &writing)?;
            if to == Format::KeyValues2 {
                graph::to_text(export.document.graph_mut(), &options.text, &mut export.losses);
            }
            Ok((
                Files { main: export.document.to_bytes_with(&options.text_within_limit())?, side: Vec::new() },
                export.losses,
            ))
        }
        #[cfg(feature = "wwd")]
        Format::Wwd => {
            let writing = mapwright_wwd::scene::ExportOptions::default().with_max_bytes(options.max_output);
            let export = mapwright_wwd::scene::from_scene(scene, &writing)?;
            Ok((Files { main: export.document.to_bytes()?, side: Vec::new() }, export.losses))
        }
        #[cfg(feature = "wrp")]
        Format::Wrp => {
            let writing = mapwright_wrp::scene::ExportOptions::default().with_variant(options.variant);
            let writing = writing.with_max_bytes(options.max_output);
            let export = mapwright_wrp::scene::from_scene(scene, &writing)?;
            Ok((Files { main: export.document.to_bytes()?, side: Vec::new() }, export.losses))
        }
        #[cfg(feature = "wmp")]
        Format::Wmp => gamestudio::from_scene(scene, options),
        #[cfg(feature = "gltf")]
        Format::Glb | Format::Gltf => {
            use mapwright_interchange::gltf::{Container, ExportOptions, from_scene};
            let container = if to == Format::Glb { Container::Glb } else { Container::Gltf };
            let (stem, hidden) = (&options.stem, options.hidden);
            let writing = ExportOptions::default().with_container(container).with_name(stem).with_hidden(hidden);
            let writing = writing.with_bake_boxes(options.bake_boxes).with_max_bytes(options.max_output);
            let writing = writing.with_max_image_bytes(options.max_pixel_bytes);
            let export = from_scene(scene, files, &writing)?;
            Ok((export.document, export.losses))
        }
        #[cfg(feature = "obj")]
        Format::Obj => {
            use mapwright_interchange::obj;
            let writing = obj::ExportOptions::default().with_name(&options.stem).with_max_bytes(options.max_output);
            let options = writing.with_max_image_bytes(options.max_pixel_bytes);
            let export = obj::from_scene(scene, &options)?;
            Ok((export.document, export.losses))
        }
        #[cfg(feature = "map")]
        Format::Map => {
            use mapwright_interchange::map;
            let writing = map::ExportOptions::default().with_spelling(options.map_spelling);
            let writing = writing.with_max_bytes(options.max_output);
            let export = map::from_scene(scene, &writing)?;
            Ok((export.document, export.losses))
        }
        #[cfg(feature = "tiled")]
        Format::Tmx | Format::Tmj => {
            use mapwright_interchange::tiled;
            let spelled = if to == Format::Tmx { tiled::Format::Tmx } else { tiled::Format::Tmj };
            let writing = tiled::ExportOptions::default().with_format(spelled).with_name(&options.stem);
            let writing = writing.with_max_bytes(options.max_output).with_max_image_bytes(options.max_pixel_bytes);
            let export = tiled::from_scene(scene, files, &writing)?;
            Ok((export.document, export.losses))
        }
        #[cfg(feature = "heightmap")]
        Format::Asc | Format::Tif | Format::HeightPng | Format::Xyz => {
            use mapwright_interchange::heightmap;
            let mut writing = options.heightmap.clone().with_name(&options.stem).with_max_bytes(options.max_output);
            writing.format = to.heightmap().unwrap_or_default();
            let export = heightmap::from_scene(scene, &writing)?;
            Ok((export.document, export.losses))
        }
        #[cfg(feature = "heightmap")]
        Format::CellPng => {
            use mapwright_interchange::heightmap::cells;
            let writing = cells::ExportOptions::default().with_name(&options.stem).with_max_bytes(options.max_output);
            let export = cells::from_scene(scene, &writing)?;
            Ok((export.document, export.losses))
        }
        _ => Err(Error::Unsupported { format: to, what: "made from a scene" }),
    }
}

#[cfg(all(test, feature = "wings", feature = "gltf", feature = "obj"))]
mod tests {
    use super::*;
    use mapwright_interchange::NoFiles;
    use mapwright_scene::{ImageSource, PixelFormat, Pixels};

    fn to(document: AnyDocument, format: Format, options: &ConvertOptions) -> Conversion {
        convert(document, format, &NoFiles, options).unwrap()
    }

    /// A triangle with a texture, as the format has it.
    fn textured(format: Format) -> AnyDocument {
        let (obj, mtl) =
            ("mtllib a.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nvt 0 0\nusemtl m\nf 1/1 2/1 3/1\n", "newmtl m\nmap_Kd t.png");
        let files = |name: &str| (name == "a.mtl").then(|| mtl.as_bytes().to_vec());
        let import = mapwright_interchange::obj::to_scene(obj.as_bytes(), &files, &Default::default()).unwrap();
        let mut scene = import.scene;
        let pixels = Pixels { width: 1, height: 1, format: PixelFormat::Rgb8, data: vec![1, 2, 3] };
        scene.images.iter_mut().for_each(|(_, image)| image.source = ImageSource::Pixels(pixels.clone()));
        let (files, _) = write(&scene, format, &NoFiles, &ConvertOptions::default()).unwrap();
        AnyDocument::from_bytes(&files.main).unwrap()
    }

    #[test]
    fn pictures_become_pixels_where_the_target_wants_them() {
        let mut document = textured(Format::Glb);
        // As other programs write it: without the note that it was pixels.
        let AnyDocument::Scene(file) = &mut document else { panic!("a scene") };
        let picture = mapwright_interchange::gltf::from_scene(&file.import.scene, &NoFiles, &Default::default());
        let glb = picture.unwrap().document.main;
        let start = glb.windows(4).position(|bytes| bytes == b"\x89PNG").unwrap();
        let data = glb[start..].to_vec();
        for (_, image) in file.import.scene.images.iter_mut() {
            image.source = ImageSource::Encoded { media_type: "image/png".into(), data: data.clone() };
        }
        let conversion = to(document.clone(), Format::Wings, &ConvertOptions::default());
        let back = AnyDocument::from_bytes(&conversion.files.main).unwrap().into_scene().unwrap().scene;
        assert!(matches!(&back.images.items()[0].source, ImageSource::Pixels(pixels) if pixels.data == [1, 2, 3]));
        let conversion = to(document, Format::Wings, &ConvertOptions::default().with_max_pixel_bytes(2));
        assert!(conversion.losses.iter().any(|loss| loss.text.contains("not decoded")));
    }

    #[test]
    fn a_wings_scene_that_is_not_changed_keeps_everything() {
        let AnyDocument::Wings(wings) = textured(Format::Wings) else { panic!("a Wings 3D scene") };
        let mut model = wings.model().unwrap();
        // What no scene has a place for.
        model.props.set("selmode", &mapwright_etf::Tree::from_bytes(b"w\x04odd?").unwrap()).unwrap();
        let wings = mapwright_wings::Document::from_model(&model).unwrap();
        let (model, document) = (wings.model().unwrap(), AnyDocument::Wings(wings));
        let conversion = to(document.clone(), Format::Wings, &ConvertOptions::default());
        let AnyDocument::Wings(back) = AnyDocument::from_bytes(&conversion.files.main).unwrap() else {
            panic!("as well")
        };
        assert_eq!((back.model().unwrap(), conversion.losses.len(), conversion.source.meshes), (model, 0, 1));
        let changed = to(document, Format::Wings, &ConvertOptions::default().with_scale(2.0));
        assert_ne!(changed.files.main, conversion.files.main);
    }

    #[test]
    fn what_was_not_asked_for_is_not_lost() {
        let obj = "o A\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\no B\nusemtl odd\nf 3 2 1\n";
        let options = ConvertOptions::default().with_only(vec![Query::equal("name", "A")]);
        let whole = to(AnyDocument::from_bytes(obj.as_bytes()).unwrap(), Format::Obj, &ConvertOptions::default());
        let part = to(AnyDocument::from_bytes(obj.as_bytes()).unwrap(), Format::Obj, &options);
        assert_eq!((whole.source.meshes, part.source.meshes, part.source.materials), (2, 1, 0));
    }
}

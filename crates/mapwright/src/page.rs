//! HTML pages of documents. A page is one self-contained file with an interactive view of the scene, a list of its objects, and the
//! [`Info`] of the document.
//!
//! ```
//! use mapwright::scene::NoFiles;
//! use mapwright::page::{Page, PageOptions, Source};
//! use mapwright::AnyDocument;
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # #[cfg(feature = "obj")] {
//! let obj = b"o roof\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";
//! let document = AnyDocument::from_bytes(obj)?;
//! let (info, import) = (document.info(None), document.into_scene()?);
//! let source =
//!     Source { name: "roof.obj", bytes: obj.len(), info: &info, scene: &import.scene, losses: &import.losses, missing: &[] };
//! let page = Page::new(&source, &NoFiles, &PageOptions::default())?;
//! let mut html = Vec::new();
//! page.write_to(&mut html)?;
//! assert_eq!(page.objects(), 1);
//! # }
//! # Ok(())
//! # }
//! ```
//!
//! # Content
//!
//! | in the scene | view |
//! |---|---|
//! | meshes, brushes, instances, terrain | 3D, with WebGL 2: a binary glTF written by [`gltf`] |
//! | tile layers; everything if the model is larger than [`PageOptions::max_model_bytes`] or WebGL is missing | the image that [`render`](mapwright_render) draws, with panning and zooming |
//! | entities, lights, sounds, cameras, paths, markers, references to other files | markers, in both views |
//! | instances of models in other files | boxes in 3D; markers in the image |
//!
//! A marker is a disc, or a square in the image, in the colour of its class, at the position of an object without a body. Its size does
//! not depend on the distance. If there are many, those in the image are smaller. A click selects it like a body, and the check box of
//! its class hides it.
//!
//! The objects of the scene are listed with the fields of [`query`](crate::query).
//!
//! # Safety
//!
//! The page refers to nothing outside of itself. Its Content-Security-Policy forbids the browser to load anything, and to run any script
//! or apply any style other than its own, which are named by their hashes. Data of the document is in the page only as JSON and base64,
//! which cannot end their element, and is shown as text, never as HTML.

mod objects;
#[cfg(test)]
mod tests;

use std::borrow::Cow;
use std::io::{self, Write};

use mapwright_interchange::{encode_base64, gltf};
use mapwright_render::{Drawing, Error as DrawError, Objects as Shown, RenderInfo, RenderOptions, Scale};
use mapwright_scene::{Content, FileSource, LossKind, Losses, Scene};
use serde::Serialize;
use serde_json::ser::{Formatter, Serializer};

use crate::ConvertOptions;
use crate::convert::instances;
use crate::info::Info;
use objects::ObjectList;

/// The content of a page.
#[derive(Debug, Clone, Copy)]
pub struct Source<'a> {
    /// The name of the file.
    pub name: &'a str,
    /// The size of the file in bytes.
    pub bytes: usize,
    /// The summary from [`AnyDocument::info`](crate::AnyDocument::info).
    pub info: &'a Info,
    /// The scene of the document.
    pub scene: &'a Scene,
    /// The losses of converting the document to the scene, and other notes.
    pub losses: &'a Losses,
    /// The lines of the legend of missing files, the first of which is a heading:
    /// [`missing_files_legend`](crate::content::missing_files_legend).
    pub missing: &'a [String],
}

mapwright_io::options! {
    /// Options of a page.
    #[derive(Debug, Clone)]
    pub struct PageOptions {
        /// Options of the image. The 3D view starts with the same [`RenderOptions::orbit`].
        pub render: RenderOptions = RenderOptions::default(), with_render;
        /// Maximum size of the model in bytes. A larger one is left out, and the page reports it. In the page it takes a third more. Default:
        /// 64 MiB.
        pub max_model_bytes: usize = 64 << 20, with_max_model_bytes;
        /// Maximum number of nodes and rows of instance sets after instances of nodes are expanded. Beyond it the model is left out, and the
        /// page reports it. Default: 2³².
        pub max_items: u64 = ConvertOptions::default().max_items, with_max_items;
        /// Maximum bytes of memory for decoding images, as in [`ConvertOptions::max_pixel_bytes`]. Default: 1 GiB.
        pub max_image_bytes: usize = ConvertOptions::default().max_pixel_bytes, with_max_image_bytes;
        /// Maximum size of the list of objects in bytes, including the names of classes and fields. Further objects are not listed, and the
        /// page reports it. Default: 16 MiB.
        pub max_list_bytes: usize = 16 << 20, with_max_list_bytes;
    }
}

/// Returns the usual scale of the image in a page. Levels of tiles have no 3D view, so their image is larger.
pub fn image_scale(scene: &Scene) -> Scale {
    Scale::Fit(if scene.tile_layers.is_empty() { 1600 } else { 4096 })
}

/// A page that can be written.
#[derive(Debug, Clone)]
pub struct Page {
    image: RenderInfo,
    png: Vec<u8>,
    /// Binary glTF.
    model: Option<Vec<u8>>,
    objects: usize,
    data: String,
}

/// The data for the scripts of the page.
#[derive(Serialize)]
struct Data<'a> {
    file: &'a str,
    bytes: usize,
    info: &'a Info,
    /// Notes about content that is not shown, or not completely.
    notes: &'a [String],
    losses: &'a [String],
    missing: &'a [String],
    /// Azimuth and elevation of the first 3D view, in degrees.
    orbit: [f64; 2],
    /// `true` if the image shows tiles or a map of terrain, where instances have no bodies.
    flat: bool,
    /// `true` if the unit of the model is a metre.
    metres: bool,
    objects: &'a ObjectList,
}

/// The largest integer that scripts do not round.
const MAX_EXACT: u64 = 1 << 53;

/// Writes integers as text if scripts would round them.
struct ExactIntegers;

impl Formatter for ExactIntegers {
    fn write_i64<W: ?Sized + Write>(&mut self, out: &mut W, value: i64) -> io::Result<()> {
        if value.unsigned_abs() > MAX_EXACT { write!(out, "\"{value}\"") } else { write!(out, "{value}") }
    }

    fn write_u64<W: ?Sized + Write>(&mut self, out: &mut W, value: u64) -> io::Result<()> {
        if value > MAX_EXACT { write!(out, "\"{value}\"") } else { write!(out, "{value}") }
    }
}

/// Maximum number of heights of terrain in a model. Of larger terrain, every second, third, … height is used.
const MAX_HEIGHTS: u64 = 1 << 18;
/// Maximum number of missing files that are listed.
const MAX_LISTED_FILES: usize = 200;
/// Maximum number of losses of each kind that are listed.
const MAX_LISTED_LOSSES: usize = 8;

/// SHA-256 in base64 of the `style` and `script` elements, for the Content-Security-Policy: a browser applies and runs nothing else. A test
/// compares them, and prints the correct values.
const STYLE_HASH: &str = "1paSsoFkolRzoQTAGKZDUU0hxpduI+upQd/Y8gkN6xg=";
const SCRIPT_HASH: &str = "QXyEztMdBi6OQqUyWeNG+1XCN9NDS1w+86pCuikpzYA=";

const PAGE: &str = include_str!("page/page.html");
const STYLE: &str = include_str!("page/style.css");
/// In the order of their dependencies.
const SCRIPTS: [&str; 12] = [
    include_str!("page/data.js"),
    include_str!("page/info.js"),
    include_str!("page/object_list.js"),
    include_str!("page/pointer.js"),
    include_str!("page/image_view.js"),
    include_str!("page/model.js"),
    include_str!("page/camera.js"),
    include_str!("page/shaders.js"),
    include_str!("page/webgl.js"),
    include_str!("page/gpu_model.js"),
    include_str!("page/model_view.js"),
    include_str!("page/main.js"),
];

impl Page {
    /// Draws the image, writes the model, and lists the objects. `files` provides the images that the scene only names.
    ///
    /// # Errors
    /// Errors of the [image](Drawing::new). If a scene cannot be converted to a model, the page has none and reports the reason.
    pub fn new(source: &Source<'_>, files: &dyn FileSource, options: &PageOptions) -> Result<Self, DrawError> {
        let Source { name, bytes, info, scene, losses, missing } = *source;
        let (mut notes, mut lost) = (Vec::new(), Vec::new());
        list_losses(losses, &LossKind::ALL, &mut lost);
        // The first line is the heading.
        let mut listed: Vec<String> = missing.iter().take(MAX_LISTED_FILES + 1).cloned().collect();
        if missing.len() > listed.len() {
            listed.push(format!("and {} more", missing.len() - listed.len()));
        }
        let mut render = options.render.clone();
        // The page draws markers itself, because it knows their objects.
        if matches!(render.objects, Shown::Drawn | Shown::Marked) {
            render.objects = Shown::Sprites;
        }
        let mut drawing = Drawing::new(scene, &render)?;
        let objects = ObjectList::new(scene, info.format.axis_change(), &drawing, options.max_list_bytes);
        if objects.listed < objects.total {
            notes.push(format!("Only the first {} of {} objects are listed.", objects.listed, objects.total));
            // Objects that are not listed have markers at least in the image.
            drawing = Drawing::new(scene, &options.render)?;
        }
        let model =
            scene.tile_layers.is_empty().then(|| write_model(scene, files, options, &mut notes, &mut lost)).flatten();
        let mut png = Vec::new();
        let image = drawing.write_png(&mut png)?;
        let orbit = [render.orbit.azimuth(), render.orbit.elevation()];
        let metres = scene.metres_per_unit.is_some();
        let data = Data {
            file: name,
            bytes,
            info,
            notes: &notes,
            losses: &lost,
            missing: &listed,
            orbit,
            flat: image.units_per_pixel.is_none(),
            metres,
            objects: &objects,
        };
        let mut json = Vec::new();
        // Keys are strings and numbers finite, so this cannot fail. Without `<`, no element can end in it, and no comment begin.
        let _ = data.serialize(&mut Serializer::with_formatter(&mut json, ExactIntegers));
        let data = String::from_utf8(json).unwrap_or_default().replace('<', "\\u003c");
        Ok(Self { image, png, model, objects: objects.listed, data })
    }

    /// Returns the image, which is shown without WebGL or without scripts.
    pub const fn image(&self) -> RenderInfo {
        self.image
    }

    /// Returns the number of listed objects.
    pub const fn objects(&self) -> usize {
        self.objects
    }

    /// Returns the size of the model in bytes, if there is one.
    pub fn model_bytes(&self) -> Option<usize> {
        self.model.as_ref().map(Vec::len)
    }

    /// Writes the page. Equal pages have equal bytes.
    ///
    /// # Errors
    /// Errors of the writer.
    pub fn write_to(&self, mut out: impl Write) -> io::Result<()> {
        let mut parts = PAGE.split("{{");
        out.write_all(parts.next().unwrap_or_default().as_bytes())?;
        for part in parts {
            let (name, after) = part.split_once("}}").unwrap_or_default();
            match name {
                "style-hash" => out.write_all(STYLE_HASH.as_bytes())?,
                "script-hash" => out.write_all(SCRIPT_HASH.as_bytes())?,
                "style" => out.write_all(STYLE.as_bytes())?,
                "image" => write_base64(&self.png, &mut out)?,
                "data" => out.write_all(self.data.as_bytes())?,
                "model" => write_base64(self.model.as_deref().unwrap_or_default(), &mut out)?,
                _ => SCRIPTS.iter().try_for_each(|script| out.write_all(script.as_bytes()))?,
            }
            out.write_all(after.as_bytes())?;
        }
        out.flush()
    }
}

/// Returns the scene as binary glTF. Returns `None`, and adds a note, if it cannot be converted or is too large.
fn write_model(
    scene: &Scene,
    files: &dyn FileSource,
    options: &PageOptions,
    notes: &mut Vec<String>,
    lost: &mut Vec<String>,
) -> Option<Vec<u8>> {
    let sizes = scene.terrains.items().iter().map(|terrain| terrain.size.map(u64::from));
    let heights = sizes.fold(0_u64, |sum, [x, z]| sum.saturating_add(x.saturating_mul(z)));
    // The square root of the excess factor, rounded up.
    let step = (heights.div_ceil(MAX_HEIGHTS).max(1) - 1).isqrt() + 1;
    // A model takes a few times its size while it is created.
    let max_bytes = (options.max_model_bytes as u64).saturating_mul(8);
    let limits = ConvertOptions::default().with_max_output(max_bytes).with_max_items(options.max_items);
    // New nodes follow the nodes that the list knows.
    let mut expanded = Losses::new();
    let mut scene = Cow::Borrowed(scene);
    if scene.nodes.items().iter().any(|node| matches!(node.content, Content::Instance(_)))
        && let Err(error) = instances::expand(scene.to_mut(), &mut expanded, &limits)
    {
        notes.push(format!("There is no 3D view: {error}"));
        return None;
    }
    // The page can show hidden objects, and nothing reads polygons again.
    let writing = gltf::ExportOptions::default().with_hidden(true).with_polygons(false);
    let writing = writing.with_tools(options.render.tools);
    let writing = writing.with_max_bytes(max_bytes).with_max_image_bytes(options.max_image_bytes);
    let writing = writing.with_terrain_step(u32::try_from(step).unwrap_or(u32::MAX));
    let export = match gltf::from_scene(&scene, files, &writing) {
        Ok(export) => export,
        Err(error) => {
            notes.push(format!("There is no 3D view: {error}"));
            return None;
        }
    };
    let model = export.document.main;
    if model.len() > options.max_model_bytes {
        let [size, limit] = [model.len(), options.max_model_bytes].map(|bytes| bytes.div_ceil(1 << 20));
        notes.push(format!("There is no 3D view: the model has {size} MiB, and the limit is {limit} MiB."));
        return None;
    }
    if step > 1 {
        notes.push(format!("The 3D view shows one of {step} heights along each side of the terrain."));
    }
    list_losses(&expanded, &LossKind::ALL, lost);
    list_losses(&export.losses, &[LossKind::Dropped, LossKind::Synthesized, LossKind::Repaired], lost);
    Some(model)
}

/// Lists the first losses of some kinds.
fn list_losses(losses: &Losses, kinds: &[LossKind], lost: &mut Vec<String>) {
    for &kind in kinds {
        let of_kind = || losses.iter().filter(|loss| loss.kind == kind);
        lost.extend(of_kind().take(MAX_LISTED_LOSSES).map(ToString::to_string));
        let more = of_kind().count().saturating_sub(MAX_LISTED_LOSSES);
        if more > 0 {
            lost.push(format!("{}: and {more} more", kind.name()));
        }
    }
}

/// Writes base64, chunk by chunk.
fn write_base64(bytes: &[u8], out: &mut impl Write) -> io::Result<()> {
    bytes.chunks(3 << 14).try_for_each(|chunk| out.write_all(encode_base64(chunk).as_bytes()))
}

//! From one format to another, with a report of what that loses.

use mapwright_interchange::{FileSource, Files};
use mapwright_scene::{Import, Losses, Scene};

use crate::{AnyDocument, Error, Format};

mod change;

pub use change::Axis;

/// How to convert.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct ConvertOptions {
    /// The name of the file that is written, without its extension: those beside it are called after it. `scene`.
    pub stem: String,
    /// Lengths are multiplied by this. 1.
    pub scale: f64,
    /// The axis that points up in the source, whose format may not say. Y, as in scenes.
    pub source_up: Axis,
    /// The axis that shall point up in what is written. Y.
    pub target_up: Axis,
    /// Only nodes of these names are converted, with all below them. None: all.
    pub only: Vec<String>,
    /// Whether hidden nodes are converted too, where the target has no hidden ones.
    pub hidden: bool,
}

impl Default for ConvertOptions {
    fn default() -> Self {
        let (source_up, target_up) = (Axis::Y, Axis::Y);
        Self { stem: "scene".into(), scale: 1.0, source_up, target_up, only: Vec::new(), hidden: false }
    }
}

impl ConvertOptions {
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
        self.source_up = axis;
        self
    }

    /// Changes [`target_up`](Self::target_up).
    #[must_use]
    pub fn with_target_up(mut self, axis: Axis) -> Self {
        self.target_up = axis;
        self
    }

    /// Changes [`only`](Self::only).
    #[must_use]
    pub fn with_only(mut self, names: Vec<String>) -> Self {
        self.only = names;
        self
    }

    /// Changes [`hidden`](Self::hidden).
    #[must_use]
    pub fn with_hidden(mut self, hidden: bool) -> Self {
        self.hidden = hidden;
        self
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
    /// What is in it, as far as it was asked for.
    pub kept: Kept,
}

/// How much a scene holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize)]
#[non_exhaustive]
pub struct Kept {
    /// Nodes that the roots lead to.
    pub nodes: usize,
    /// Meshes.
    pub meshes: usize,
    /// Vertices of all meshes.
    pub vertices: usize,
    /// Faces of all meshes.
    pub faces: usize,
    /// Materials.
    pub materials: usize,
    /// Images.
    pub images: usize,
    /// Lights.
    pub lights: usize,
    /// Cameras.
    pub cameras: usize,
}

impl Kept {
    /// Counts what a scene holds.
    pub fn of(scene: &Scene) -> Self {
        Self {
            nodes: scene.walk().count(),
            meshes: scene.meshes.len(),
            vertices: scene.meshes.items().iter().map(|mesh| mesh.positions.len()).sum(),
            faces: scene.meshes.items().iter().map(|mesh| mesh.faces.len()).sum(),
            materials: scene.materials.len(),
            images: scene.images.len(),
            lights: scene.lights.len(),
            cameras: scene.cameras.len(),
        }
    }
}

/// Converts a document into a file of another format. `files` gives the pictures that the document only names, where the
/// target wants them in the file.
///
/// # Errors
/// [`Error::Unsupported`] for formats that cannot be read into a scene or made from one, [`Error::NoNode`] where
/// [`ConvertOptions::only`] leaves nothing, and those of the formats.
pub fn convert(
    document: &AnyDocument,
    to: Format,
    files: &dyn FileSource,
    options: &ConvertOptions,
) -> Result<Conversion, Error> {
    let Import { mut scene, mut losses } = document.to_scene()?;
    change::apply(&mut scene, to, options)?;
    let (files, lost) = write(&scene, to, files, options)?;
    losses.append(lost);
    Ok(Conversion { files, losses, kept: Kept::of(&scene) })
}

// Without its features a build writes nothing.
#[cfg_attr(not(all(feature = "gltf", feature = "obj")), allow(unused_variables))]
fn write(
    scene: &Scene,
    to: Format,
    files: &dyn FileSource,
    options: &ConvertOptions,
) -> Result<(Files, Losses), Error> {
    match to {
        #[cfg(feature = "wings")]
        Format::Wings => {
            let export = mapwright_wings::scene::from_scene(scene, &Default::default())?;
            Ok((Files { main: export.document.to_bytes()?, side: Vec::new() }, export.losses))
        }
        #[cfg(feature = "gltf")]
        Format::Glb | Format::Gltf => {
            use mapwright_interchange::gltf::{Container, ExportOptions, from_scene};
            let container = if to == Format::Glb { Container::Glb } else { Container::Gltf };
            let (stem, hidden) = (&options.stem, options.hidden);
            let writing = ExportOptions::default().with_container(container).with_name(stem).with_hidden(hidden);
            let export = from_scene(scene, files, &writing)?;
            Ok((export.document, export.losses))
        }
        #[cfg(feature = "obj")]
        Format::Obj => {
            use mapwright_interchange::obj;
            let options = obj::ExportOptions::default().with_name(&options.stem);
            let export = obj::from_scene(scene, &options)?;
            Ok((export.document, export.losses))
        }
        Format::Etf => Err(Error::Unsupported { format: to, what: "made from a scene" }),
    }
}
